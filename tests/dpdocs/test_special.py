"""Special functions against mpmath."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from dpdocs import special


def mills(x: float) -> mpmath.mpf:
    with mpmath.workdps(60):
        x = mpmath.mpf(x)
        return mpmath.sqrt(mpmath.pi / 2) * mpmath.exp(x * x / 2) * mpmath.erfc(x / mpmath.sqrt(2))


@pytest.mark.parametrize("x", [-1, -1e-9, 0, 1e-9, 0.3, 1, 6, 30, 1e3])
def test_mills(x: float) -> None:
    assert float(special.mills(x)) == pytest.approx(float(mills(x)), rel=2e-15)


def test_mills_at_the_ends() -> None:
    assert float(special.mills(1e300)) == pytest.approx(1e-300, rel=1e-15)
    assert float(special.mills(math.inf)) == 0
    assert float(special.mills(-1e9)) == math.inf


@pytest.mark.parametrize("h", [0.0, 1e-300, 1e-30, 1e-16, 1e-6, 0.1, 0.999, 1, 1.5, 4, 50, 1e4])
def test_mills_drop(h: float) -> None:
    a = np.array([-0.4999, -1e-9, 0, 1e-3, 0.5, 1, 1.4999, 4, 37, 500, 3e4])
    if h >= 1:
        a = a[a >= 0]
    with mpmath.workdps(60):
        for x, found in zip(a, special.mills_drop(a, a + h, h), strict=True):
            if h < 1e-20:  # -R'(x) = 1 - x R(x)
                expected = 1 - mpmath.mpf(x) * mills(x)
            else:
                expected = (mills(x) - mills(mpmath.mpf(x) + mpmath.mpf(h))) / min(1, h)
            assert found == pytest.approx(float(expected), rel=2e-14), (x, h)


def test_half_square_is_a_sum_of_two_floats() -> None:
    rng = np.random.default_rng(1)
    high = rng.normal(size=50) * 10.0 ** rng.integers(-60, 60, 50)
    low = high * rng.normal(size=50) * 2.0**-54
    whole, part = special.half_square(high, low)
    with mpmath.workdps(60):
        for values in zip(high, low, whole, part, strict=True):
            x, y, u, v = (mpmath.mpf(float(value)) for value in values)
            assert abs((x + y) ** 2 / 2 - u - v) <= 1e-31 * abs(u)


def test_half_square_beyond_the_floats() -> None:
    whole, part = special.half_square(np.array([1e200, -np.inf, 1e-200]), np.zeros(3))
    assert whole.tolist() == [np.inf, np.inf, 0.0]
    assert part.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("tail", [1e-300, 1e-17, 0.025, 0.3, 0.5])
def test_normal_radius_inverts_the_tail(tail: float) -> None:
    radius = special.normal_radius(tail)
    assert float(special.normal_tail(radius)) == pytest.approx(tail, rel=1e-12)

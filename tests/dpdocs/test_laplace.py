"""Laplace noise: exact boundary, closed forms against integration, calibration."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdocs import Laplace, ParameterError, exact


@pytest.mark.parametrize(
    ("scale", "sensitivity", "epsilon", "holds"),
    [
        ("0.1", "0.3", "3", True),
        (0.1, 0.3, 3, True),
        ("0.1", "0.3", "2.999999999999999999999999", False),
        ("0.1", "0.30000000000000000000001", 3, False),
        (Fraction(1, 3), 1, 3, True),
        ("1e-300", "1e300", "1e600", True),
        ("1e300", "1e-300", "1e-600", True),
        ("1e300", "1e-300", "9.99e-601", False),
    ],
)
def test_boundary_is_decided_exactly(
    scale: object, sensitivity: object, epsilon: object, holds: bool
) -> None:
    verdict = Laplace(scale, sensitivity).satisfies(epsilon, 0)
    assert verdict.holds is holds
    assert verdict.case == ("pure-holds" if holds else "pure-fails")
    assert (verdict.log_delta_required == -math.inf) is holds


def test_worked_example() -> None:
    m = Laplace(scale=1, sensitivity=2)
    assert m.delta(1) == pytest.approx(0.3934693402873666, rel=1e-16)
    assert m.pure_epsilon == 2
    verdict = m.satisfies(1, 0)
    assert not verdict.holds
    assert "2" in verdict.reason
    assert verdict.witness is not None
    assert (verdict.witness.threshold, verdict.witness.side) == (0.5, "below")
    wider = Laplace(scale=2, sensitivity=2)
    assert (wider.delta(1), wider.exact_mean_squared_error, wider.mean_absolute_error) == (0, 8, 2)
    assert wider.radius("0.95") == pytest.approx(5.991464547107982, rel=1e-15)


@pytest.mark.parametrize("ratio", ["1e-6", "0.01", "0.5", "1", "3", "12", "40"])
@pytest.mark.parametrize("share", ["0", "0.3", "0.9", "1.1"])
def test_integral_of_the_positive_part(ratio: str, share: str) -> None:
    with mpmath.workdps(40):
        gap, eps = mpmath.mpf(ratio), mpmath.mpf(ratio) * mpmath.mpf(share)

        def excess(y: mpmath.mpf) -> mpmath.mpf:
            p, q = mpmath.exp(-abs(y)) / 2, mpmath.exp(-abs(y - gap)) / 2
            return max(p - mpmath.exp(eps) * q, mpmath.mpf(0))

        corner = (gap - eps) / 2
        truth = mpmath.quad(excess, sorted([-200, -20, -2, 0, corner, gap, gap + 60]))
    epsilon = Fraction(ratio) * Fraction(share)
    assert Laplace(1, ratio).delta(epsilon) == pytest.approx(float(truth), rel=1e-14, abs=0)


@given(st.floats(1e-6, 1e12), st.floats(0, 1e4))
def test_relative_accuracy(ratio: float, epsilon: float) -> None:
    m = Laplace(ratio)
    with mpmath.workdps(50):
        x = (mpmath.mpf(repr(epsilon)) - 1 / mpmath.mpf(repr(ratio))) / 2
        truth = max(-mpmath.expm1(x), mpmath.mpf(0))
        lower, upper = m.delta_bounds(epsilon)
        assert lower <= truth <= upper
        assert m.delta(epsilon) == pytest.approx(float(truth), rel=1e-15, abs=0)
        if truth:
            assert m.log_delta(epsilon) == pytest.approx(float(mpmath.log(truth)), rel=1e-14)


def test_extremes() -> None:
    wide = Laplace("1e300", "1e-300")
    assert wide.delta(0) == 0.0
    assert wide.log_delta(0) == pytest.approx(math.log(5) - 601 * math.log(10), rel=1e-15)
    assert not wide.vanishes(0)
    assert wide.delta_bounds(0) == (0.0, 5e-324)
    narrow = Laplace("1e-300", "1e300")
    assert narrow.delta(1e6) == 1.0
    assert narrow.satisfies(1e6, "0.999999").holds is False
    assert narrow.epsilon(0.5) == math.inf  # 1e600 is beyond the floats


def test_no_sensitivity_no_loss() -> None:
    m = Laplace(1, 0)
    assert (m.delta(0), m.epsilon(0), m.pure_epsilon, m.event(0)) == (0.0, 0.0, 0.0, None)
    assert m.satisfies(0, 0).case == "no-loss"


@given(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_calibration_is_least(epsilon: float, sensitivity: float) -> None:
    m = Laplace.calibrate(epsilon, sensitivity)
    assert m.satisfies(epsilon, 0).holds
    assert not Laplace(math.nextafter(m.scale, 0), sensitivity).satisfies(epsilon, 0).holds


def test_calibration_examples() -> None:
    assert Laplace.calibrate("0.25", "0.5").scale == 2
    assert Laplace.calibrate(3).scale == 0.33333333333333337


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: Laplace(0), "scale"),
        (lambda: Laplace(-1), "scale"),
        (lambda: Laplace("1e301"), "scale"),
        (lambda: Laplace(1, -1), "sensitivity"),
        (lambda: Laplace(1, 1, adjacency="add"), "adjacency"),
        (lambda: Laplace.calibrate(0), "epsilon"),
        (lambda: Laplace.calibrate(1, 0), "sensitivity"),
        (lambda: Laplace.calibrate("1e-10", "1e300"), "sensitivity"),
        (lambda: Laplace(1).radius(1), "probability"),
    ],
)
def test_refusals(call: object, parameter: str) -> None:
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.parameter == parameter


@given(st.floats(1e-3, 50), st.floats(0, 1))
def test_event_attains_delta(ratio: float, share: float) -> None:
    m, epsilon = Laplace(1, ratio), ratio * share
    event = m.event(epsilon)
    if event is None:
        assert m.delta(epsilon) == 0
        return
    excess = event.probability_p - math.exp(epsilon) * event.probability_q
    assert excess == pytest.approx(m.delta(epsilon), rel=1e-9, abs=1e-15)
    assert event.threshold > 0


def test_density_and_samples() -> None:
    m = Laplace("0.5", 1)
    grid = np.linspace(-20, 20, 40_001)
    density = np.exp(m.log_density(grid, centre=1))
    assert np.trapezoid(density, grid) == pytest.approx(1, rel=1e-6)
    assert density.max() == pytest.approx(1.0)  # 1/(2b), and a density may exceed 1
    noise = m.sample(np.random.default_rng(7), 100_000)
    assert np.mean(noise**2) == pytest.approx(m.mean_squared_error, rel=0.03)
    assert np.mean(np.abs(noise) <= m.radius(0.95)) == pytest.approx(0.95, abs=0.005)
    far = Laplace("1e-300").log_density([0.0, 1e-300])
    assert far[0] - far[1] == pytest.approx(1, rel=1e-12)


def test_repr_and_text_of_parameters() -> None:
    m = Laplace("0.1", "0.3")
    assert repr(m) == "Laplace(scale=0.1, sensitivity=0.3)"
    assert m.exact_spread == Fraction(1, 10)
    assert exact.nearest(m.exact_sensitivity) == m.sensitivity == 0.3

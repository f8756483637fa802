"""What every profile must obey, whatever the mechanism."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpdocs
from dpdocs import Gaussian, Laplace, ParameterError, Profile, exact

MAKERS: dict[str, Callable[[float], Profile]] = {
    "laplace": lambda h: Laplace(1, h),
    "gaussian": lambda h: Gaussian(1, h),
}
makers = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
distances = st.floats(1e-6, 30)


@makers
@given(distances, st.lists(st.integers(0, 6000), min_size=3, max_size=8, unique=True))
def test_decreases_and_is_convex_in_exp_epsilon(
    make: Callable[[float], Profile], h: float, hundredths: list[int]
) -> None:
    m = make(h)
    epsilons = np.sort(hundredths) / 100
    lower, upper = m.delta_bounds(epsilons)
    assert np.all(lower[1:] <= upper[:-1])
    x = np.exp(epsilons)
    for i in range(1, len(x) - 1):
        share = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        chord = upper[i - 1] * (1 - share) + upper[i + 1] * share
        assert lower[i] <= chord * (1 + 1e-9) + 1e-300


@makers
@given(distances, st.floats(0, 20), st.integers(-200, 200))
def test_only_the_ratio_counts(
    make: Callable[[float], Profile], h: float, epsilon: float, power: int
) -> None:
    gap, unit = exact.number(h, "h"), Fraction(10) ** power
    scaled = type(make(h))(unit, gap * unit)
    assert scaled.log_delta(epsilon) == make(h).log_delta(epsilon)


@makers
def test_total_variation(make: Callable[[float], Profile]) -> None:
    m = make(2.0)
    half_line = m.event(0)
    assert half_line is not None
    assert m.delta(0) == pytest.approx(half_line.probability_p - half_line.probability_q, rel=1e-14)
    assert m.epsilon(m.delta_bounds(0)[1]) == 0
    assert m.epsilon(1) == 0


@makers
def test_scalars_arrays_and_texts_agree(make: Callable[[float], Profile]) -> None:
    m = make(0.7)
    epsilons = [0, 0.1, 0.3, 0.69, 0.7, 2.5]
    array = m.delta(epsilons)
    assert array.dtype == np.float64
    assert array.shape == (6,)
    for epsilon, value in zip(epsilons, array, strict=True):
        for form in (epsilon, str(epsilon), Fraction(str(epsilon)), np.float64(epsilon)):
            assert m.delta(form) == value
            assert type(m.delta(form)) is float
    grid = np.array(epsilons).reshape(2, 3)
    assert np.array_equal(m.delta(grid), array.reshape(2, 3))
    assert m.log_delta(grid).shape == m.epsilon(grid / 3).shape == (2, 3)
    assert m.delta_bounds(grid)[1].shape == m.epsilon_bounds(grid / 3)[0].shape == (2, 3)
    assert m.delta([]).shape == m.epsilon([]).shape == m.delta_bounds([])[0].shape == (0,)
    assert m.epsilon_bounds([])[0].shape == (0,)


@makers
@given(distances, st.floats(0, 30), st.floats(1e-300, 1))
def test_verdict_agrees_with_delta(
    make: Callable[[float], Profile], h: float, epsilon: float, claim: float
) -> None:
    m = make(h)
    verdict = m.satisfies(epsilon, claim)
    assert verdict.delta_required == m.delta(epsilon)
    assert verdict.log_delta_required == m.log_delta(epsilon)
    if abs(m.delta(epsilon) / claim - 1) > 1e-12:
        assert verdict.holds == (m.delta(epsilon) < claim)
    if verdict.holds:
        assert verdict.witness is None
    elif claim > 1e-12:
        event = verdict.witness
        assert event is not None
        excess = event.probability_p - math.exp(epsilon) * event.probability_q
        assert excess > claim * (1 - 1e-9) - 1e-15


def test_a_claim_of_one_always_holds() -> None:
    assert Gaussian("1e-9").satisfies(0, 1).holds


def test_adjacency_is_carried() -> None:
    assert Laplace(1).adjacency is None
    assert Gaussian(1, adjacency="add-remove").adjacency == "add-remove"
    with pytest.raises(ParameterError) as caught:
        Gaussian(1, adjacency="replace")
    assert caught.value.case == "unknown-choice"


@pytest.mark.skipif(sys.platform == "emscripten", reason="the browser starts no second process")
def test_import_is_light() -> None:
    code = "import sys, dpdocs; print(sorted(m for m in sys.modules if m.startswith('scipy')))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_version() -> None:
    assert dpdocs.__version__ == "0.1.0"

"""The textbook theorems: their formulas in many digits, their order, and the safe side."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpdocs
from dpdocs import Gaussian, Laplace, ParameterError, PureDP
from dpdocs.accounting import (
    advanced,
    advanced_different,
    basic,
    group,
    group_claim,
    optimal,
    parallel,
)

sizes = st.decimals("0.001", "3", places=3)
deltas = st.sampled_from(["1e-3", "1e-6", "1e-9"])


def mpf(value: object) -> mpmath.mpf:
    exact = Fraction(str(value))
    return mpmath.mpf(exact.numerator) / exact.denominator


def just_above(found: float, truth: mpmath.mpf) -> bool:
    """Whether a float is not below the truth, and as near to it as a float can be."""
    return (
        truth
        <= mpf(repr(found)) + mpmath.mpf("1e-50")
        <= truth * (1 + mpmath.mpf(2) ** -50) + mpmath.mpf("1e-320")
    )


@given(sizes, st.integers(1, 5000), deltas)
def test_advanced_is_its_formula(epsilon: object, times: int, slack: str) -> None:
    with mpmath.workdps(50):
        e, room = mpf(epsilon), mpf(slack)
        truth = mpmath.sqrt(2 * times * mpmath.log(1 / room)) * e + times * e * mpmath.expm1(e)
        assert just_above(advanced(epsilon, 0, times, slack).epsilon, truth)


@given(st.lists(sizes, min_size=1, max_size=8), deltas)
def test_advanced_different_is_its_formula(given_sizes: list[object], slack: str) -> None:
    with mpmath.workdps(50):
        es, room = [mpf(e) for e in given_sizes], mpf(slack)
        mean = sum(e * mpmath.tanh(e / 2) for e in es)
        square = sum(e * e for e in es)
        logs = [mpmath.log(mpmath.e + mpmath.sqrt(square) / room), mpmath.log(1 / room)]
        truth = min([sum(es), *(mean + mpmath.sqrt(2 * square * log) for log in logs)])
        assert just_above(advanced_different([(e, 0) for e in given_sizes], slack).epsilon, truth)


@given(st.lists(sizes, min_size=1, max_size=8), deltas)
def test_no_theorem_is_below_the_optimum(given_sizes: list[object], delta: str) -> None:
    claims = [(size, 0) for size in given_sizes]
    best = dpdocs.compose(*(PureDP(size) for size in given_sizes)).epsilon_bounds(delta)
    assert best[0] <= optimal(claims, delta).epsilon <= best[1] * (1 + 1e-15)
    assert best[0] <= advanced_different(claims, delta).epsilon
    assert best[0] <= basic(claims).epsilon


@pytest.mark.parametrize(("epsilon", "times"), [("0.01", 1000), ("0.1", 100), ("0.5", 50)])
def test_optimal_is_best_then_kairouz_then_dwork(epsilon: str, times: int) -> None:
    new = optimal([(epsilon, 0)], "1e-6", times).epsilon
    middle = advanced_different([(epsilon, 0)] * times, "1e-6").epsilon
    assert new < middle <= advanced(epsilon, 0, times, "1e-6").epsilon


def test_advanced_is_worse_than_basic_for_few_or_large() -> None:
    assert advanced(1, 0, 10, "1e-6").epsilon > basic([(1, 0)], 10).epsilon
    assert advanced("0.01", 0, 10_000, "1e-6").epsilon < basic([("0.01", 0)], 10_000).epsilon


@given(st.lists(sizes, min_size=1, max_size=6))
def test_without_delta_basic_is_optimal(given_sizes: list[object]) -> None:
    claims = [(size, 0) for size in given_sizes]
    assert basic(claims).epsilon == optimal(claims, 0).epsilon


@pytest.mark.parametrize("times", [3, 100])
def test_optimal_with_delta_parts(times: int) -> None:
    """The δ of the responses and that of the claims make up the whole (theorem 3.3)."""
    found = optimal([("0.3", "1e-8")], "1e-5", times).epsilon
    with mpmath.workdps(60):
        room = 1 - (1 - mpf("1e-5")) / (1 - mpf("1e-8")) ** times
        responses = PureDP("0.3").compose(times)
        assert responses.delta_bounds(found)[0] <= room
        assert responses.delta(found * (1 - 1e-12)) > room * (1 - mpmath.mpf("1e-9"))


def test_optimal_where_the_claims_use_up_the_whole() -> None:
    assert optimal([(1, "1e-5")], "1e-5").epsilon == 1.0
    assert math.isinf(optimal([(1, "1e-5")], "1e-6").epsilon)
    assert math.isinf(optimal([(1, "1e-5")], "1e-6", 1000).epsilon)
    assert math.isinf(optimal([(1, 1)], "0.5").epsilon)
    assert optimal([(1, "0.5")], 1).epsilon == 0.0
    assert optimal([(0, 0)], 0).epsilon == 0.0
    assert optimal([(1e300, 0)], "1e-6").epsilon == 1e300
    assert advanced_different([(1e300, 0)], "1e-6").epsilon == 1e300
    assert math.isinf(advanced(1e300, 0, 3, "1e-6").epsilon)


def test_reference_rows_of_pure_composition() -> None:
    assert optimal([("0.1", 0)], "1e-6", 100).epsilon == pytest.approx(4.77456758810799, rel=1e-13)
    found = optimal([(k / 10, 0) for k in range(1, 9)], "1e-5")
    assert found.epsilon == pytest.approx(3.59945618198181, rel=1e-13)
    assert found.kind == "exact"


def test_the_exact_accountant_is_below_all_theorems() -> None:
    exact = Laplace(10).compose(100).epsilon("1e-6")
    assert exact < optimal([("0.1", 0)], "1e-6", 100).epsilon


def test_parallel() -> None:
    claims = [(1, "1e-6"), ("0.5", "1e-5"), ("0.7", 0)]
    assert (parallel(claims).epsilon, parallel(claims).delta) == (1.0, 1e-5)
    replaced = parallel(claims, "replace-one")
    assert replaced.epsilon == 2.0
    assert replaced.delta == pytest.approx(1e-5 * (1 + math.exp(0.5)), rel=1e-14)


@given(sizes, st.integers(1, 40), deltas)
def test_group_claim_is_its_formula(epsilon: object, size: int, delta: str) -> None:
    with mpmath.workdps(60):
        e = mpf(epsilon)
        truth = mpf(delta) * mpmath.expm1(size * e) / mpmath.expm1(e)
        found = group_claim(epsilon, delta, size)
        assert found.delta == 1.0 or just_above(found.delta, truth)
        assert just_above(found.epsilon, size * e)


def test_group_claim_at_the_ends() -> None:
    assert group_claim(0, "1e-6", 5).delta == 5e-6
    assert group_claim("1e-200", "1e-6", 5).delta == pytest.approx(5e-6, rel=1e-14)
    assert group_claim("1e-20000", "1e-6", 5).delta == pytest.approx(5e-6, rel=1e-14)
    assert group_claim(700, "1e-6", 5).delta == 1.0
    assert group_claim(1e300, "1e-6", 2).delta == 1.0


@pytest.mark.parametrize("size", [2, 5])
def test_exact_group_is_below_the_claimed_one(size: int) -> None:
    one = Gaussian(4)
    claim = group_claim("0.5", one.delta_bounds("0.5")[1], size)
    assert group(one, size).delta(claim.epsilon) < claim.delta
    assert group(one, size).delta(1) == Gaussian(4, size).delta(1)
    assert group(Laplace(3), size).pure_epsilon == pytest.approx(size / 3)
    assert group(PureDP("0.1"), size).pure_epsilon == pytest.approx(size / 10)
    assert group(one.compose(3), size).delta(1) == Gaussian(4, size).compose(3).delta(1)
    with pytest.raises(ParameterError):
        group(dpdocs.Profile(one._loss), size)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: basic([]),
        lambda: basic([1]),
        lambda: basic([(-1, 0)]),
        lambda: basic([(1, 2)]),
        lambda: advanced(math.nan, 0, 2, "1e-6"),
        lambda: advanced(1, 0, 0, "1e-6"),
        lambda: advanced(1, 0, 2, 0),
        lambda: advanced_different([(1, 0)], 1),
        lambda: optimal([(1, 0)], "1e-6", 10**6),
        lambda: optimal([(math.inf, 0)], "1e-6"),
        lambda: parallel([(1, 0)], "both"),  # type: ignore[arg-type]
        lambda: group_claim(1, "1e-6", 0),
        lambda: group_claim(1, "1e-6", 1.5),
    ],
)
def test_bad_input_is_refused(wrong: object) -> None:
    with pytest.raises(ParameterError):
        wrong()  # type: ignore[operator]

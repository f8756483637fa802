"""Samplers: the whole tree of random integers is walked, and draws are counted."""

from __future__ import annotations

import heapq
import math
import secrets
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import count as counting

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdocs import ParameterError, special
from dpdocs.sampling import (
    Rate,
    Secure,
    Seeded,
    Source,
    attack_rate,
    bernoulli,
    bernoulli_exp,
    discrete,
    discrete_gaussian,
    discrete_laplace,
    excluded,
    grid_laplace,
    grid_reachable,
    grid_sensitivity,
    leaky_laplace,
    leaky_reachable,
    porous_fraction,
)
from dpdocs.sampling.attack import _rounded_to
from dpdocs.sampling.leaky import leaky_noise

SLOW = sys.platform == "emscripten"  # the browser's Python: the same checks, less deep


# Exact laws -------------------------------------------------------------------------------------


class More(Exception):
    """The script has ended: the next answer is one of these, with these probabilities."""

    def __init__(self, chances: list[object]) -> None:
        super().__init__(chances)
        self.chances = chances


class Script(Source):
    """Answers that are given beforehand."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self.answers = iter(answers)

    def below(self, n: int) -> int:
        if n == 1:
            return 0
        for answer in self.answers:
            return answer
        raise More([Fraction(1, n)] * n)


def law(
    sampler: Callable[[Source], Hashable], leaves: int
) -> tuple[dict[Hashable, Fraction], Fraction]:
    """Exact probabilities of the ends of a sampler's likeliest paths, and what is left over."""
    found: dict[Hashable, Fraction] = defaultdict(Fraction)
    order = counting()
    heap: list[tuple[Fraction, int, tuple[int, ...]]] = [(Fraction(-1), next(order), ())]
    for _ in range(leaves):
        if not heap:
            break
        mass, _, path = heapq.heappop(heap)
        try:
            found[sampler(Script(path))] -= mass
        except More as more:
            for answer, chance in enumerate(more.chances):
                heapq.heappush(heap, (mass * chance, next(order), (*path, answer)))
    return found, -sum((item[0] for item in heap), Fraction(0))


def check_law(
    sampler: Callable[[Source], Hashable],
    truth: Callable[[Hashable], mp.mpf],
    leaves: int,
    most_left: float,
) -> None:
    found, left = law(sampler, leaves // 2 if SLOW else leaves)
    assert abs(sum(found.values()) + left - 1) < 1e-30
    assert left < most_left
    for outcome, mass in found.items():
        probability = truth(outcome)
        assert mass <= probability * (1 + mp.mpf(10) ** -25)
        assert probability <= (mass + left) * (1 + mp.mpf(10) ** -25)


@pytest.fixture(autouse=True)
def _digits() -> None:
    mp.mp.dps = 40


@pytest.mark.parametrize("gamma", ["0", "1/2", "2/3", "1", "3/2", "3", "7/3"])
def test_bernoulli_exp_has_its_exact_law(gamma: str) -> None:
    exactly = Fraction(gamma)
    one = mp.exp(-mp.mpf(exactly.numerator) / exactly.denominator)
    check_law(
        lambda source: bernoulli_exp(exactly, source),
        lambda outcome: one if outcome else 1 - one,
        4000,
        1e-3,
    )


@pytest.mark.parametrize("probability", ["0", "1/3", "0.3", "1"])
def test_bernoulli_has_its_exact_law(probability: str) -> None:
    exactly = Fraction(probability)
    found, left = law(lambda source: bernoulli(exactly, source), 100)
    assert left == 0
    assert found.get(True, 0) == exactly


def laplace_law(scale: Fraction) -> Callable[[Hashable], mp.mpf]:
    rate = mp.mpf(scale.denominator) / scale.numerator
    return lambda x: mp.tanh(rate / 2) * mp.exp(-rate * abs(x))  # type: ignore[arg-type]


def gaussian_law(sigma: Fraction) -> Callable[[Hashable], mp.mpf]:
    half = mp.mpf(sigma.denominator) ** 2 / sigma.numerator**2 / 2
    total = mp.nsum(lambda x: mp.exp(-half * x * x), [-mp.inf, mp.inf])
    return lambda x: mp.exp(-half * x * x) / total  # type: ignore[operator]


@pytest.mark.parametrize("scale", ["1/3", "1", "3/2", "2"])
def test_discrete_laplace_has_its_law_from_integers_on(scale: str) -> None:
    exactly = Fraction(scale)
    check_law(
        lambda source: discrete_laplace(exactly, 1, source)[0], laplace_law(exactly), 5000, 0.5
    )


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coins of bias e^-γ, tested above, as one branch of the tree: it reaches far deeper."""

    def coin(n: int, d: int, source: Script) -> bool:
        if n == 0:
            return True
        for answer in source.answers:
            return bool(answer)
        chance = mp.exp(-mp.mpf(n) / d)
        raise More([1 - chance, chance])

    monkeypatch.setattr(discrete, "exp_coin", coin)


@pytest.mark.usefixtures("coins")
@pytest.mark.parametrize("scale", ["1/3", "1", "3/2", "2", "0.7"])
def test_discrete_laplace_has_its_exact_law(scale: str) -> None:
    exactly = Fraction(scale)
    check_law(
        lambda source: discrete_laplace(exactly, 1, source)[0], laplace_law(exactly), 5000, 0.5
    )


@pytest.mark.usefixtures("coins")
@pytest.mark.parametrize("sigma", ["1/2", "1", "3/2"])
def test_discrete_gaussian_has_its_exact_law(sigma: str) -> None:
    exactly = Fraction(sigma)
    check_law(
        lambda source: discrete_gaussian(exactly, 1, source)[0], gaussian_law(exactly), 5000, 0.5
    )


def chi_square(draws: list[int], truth: Callable[[Hashable], mp.mpf]) -> float:
    """Probability of a worse fit, all cells of at least ten expected draws."""
    seen = Counter(draws)
    reach = max(abs(x) for x in seen)
    cells = [(seen[x], float(truth(x)) * len(draws)) for x in range(-reach, reach + 1)]
    big = [(a, e) for a, e in cells if e >= 10]
    rest = (len(draws) - sum(a for a, _ in big), len(draws) - sum(e for _, e in big))
    if rest[1] >= 5:
        big.append(rest)
    statistic = sum((a - e) ** 2 / e for a, e in big)
    return float(mp.gammainc((len(big) - 1) / 2, statistic / 2, regularized=True))


@pytest.mark.parametrize("scale", ["0.4", "1", "7.25", "20"])
def test_discrete_laplace_draws_fit(scale: str) -> None:
    draws = discrete_laplace(scale, 2000 if SLOW else 10000, Seeded(3))
    assert chi_square(draws, laplace_law(Fraction(scale))) > 1e-3


@pytest.mark.parametrize("sigma", ["0.4", "1", "2.5", "12"])
def test_discrete_gaussian_draws_fit(sigma: str) -> None:
    draws = discrete_gaussian(sigma, 2000 if SLOW else 10000, Seeded(4))
    assert chi_square(draws, gaussian_law(Fraction(sigma))) > 1e-3


def test_the_test_of_fit_can_fail() -> None:
    draws = discrete_laplace("7.25", 10000, Seeded(3))
    assert chi_square(draws, laplace_law(Fraction("7.9"))) < 1e-3


@pytest.mark.parametrize("width", ["1e-300", "1e-9", "1e9", "1e300"])
def test_extreme_widths_take_no_longer(width: str) -> None:
    """The expected number of integers drawn does not grow with the width or its digits."""

    class Counted(Seeded):
        asked = 0

        def below(self, n: int) -> int:
            self.asked += 1
            return super().below(n)

    for sampler in (discrete_laplace, discrete_gaussian):
        source = Counted(1)
        draws = sampler(width, 200, source)
        assert source.asked < 200 * 60
        assert all(type(x) is int for x in draws)
        if float(width) < 1:
            assert set(draws) == {0}
        else:
            typical = np.median([abs(x) / float(width) for x in draws])
            assert 0.5 < typical < 0.9  # ln 2 and 0.674


def test_a_huge_exponent_is_refused_at_once() -> None:
    assert not bernoulli_exp("1e300", Seeded(1))


# Sources ----------------------------------------------------------------------------------------


def test_secrets_are_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    generator = Seeded(1)

    def below(n: int) -> int:
        asked.append(n)
        return generator.below(n)

    monkeypatch.setattr(secrets, "randbelow", below)
    for use in (
        lambda: bernoulli("0.5"),
        lambda: bernoulli_exp("0.5"),
        lambda: discrete_laplace(1, 1),
        lambda: discrete_gaussian(1, 1),
        lambda: leaky_laplace(0, 1, 1),
        lambda: grid_laplace(0, 1, 1, 1),
        lambda: attack_rate(0, 1, 1, 1),
    ):
        asked.clear()
        use()
        assert asked


def test_a_seed_gives_the_same_draws_on_every_machine() -> None:
    first, second = (discrete_gaussian(1000, 20, Seeded(5)) for _ in range(2))
    assert first == second != discrete_gaussian(1000, 20, Seeded(6))
    assert [Seeded("5").below(10**30) for _ in range(2)] == [Seeded(5).below(10**30)] * 2
    assert repr(Seeded(5)) == "Seeded(5)"
    assert isinstance(Secure(), Source)


@given(st.integers(1, 40))
def test_seeded_integers_are_in_range(n: int) -> None:
    source = Seeded(n)
    assert {source.below(n) for _ in range(40 * n)} == set(range(n))


# The leak ---------------------------------------------------------------------------------------


def brute_force(value: float, scale: float, ks: range) -> set[float]:
    return {value + s * leaky_noise(k, scale) for k in ks for s in (1, -1)}


@pytest.mark.parametrize(("value", "scale"), [(0.0, 1.0), (1.0, 1.0), (0.3, 2.5), (-7.0, 0.1)])
@pytest.mark.parametrize("center", [2**53 - 60, 2**52, 2**50, 2**40 + 12345, 60])
def test_reachable_is_decided_without_error(value: float, scale: float, center: int) -> None:
    """Against all outputs of a run of random numbers, and the floats between them."""
    ks = range(center - 50, min(2**53, center + 60) + 1)
    outputs = brute_force(value, scale, ks)
    inner = brute_force(value, scale, range(center - 10, center + 10))
    for sign in (1, -1):
        ends = [value + sign * leaky_noise(k, scale) for k in (center - 10, center + 9)]
        low, high = min(ends), max(ends)
        assert all(leaky_reachable(x, value, scale) for x in inner)
        steps, x = 0, low
        while x <= high and steps < 400:  # everything between comes from numbers in the run
            assert leaky_reachable(x, value, scale) == (x in outputs)
            x, steps = math.nextafter(x, math.inf), steps + 1


def test_rounding_interval() -> None:
    low, high = _rounded_to(1.0)
    assert low == 1 - Fraction(1, 2**54)
    assert high == 1 + Fraction(1, 2**53)


@pytest.mark.parametrize("value", [0, 1, "0.1", 1000])
def test_no_output_excludes_the_truth(value: object) -> None:
    outputs = leaky_laplace(value, "0.7", 300, Seeded(2))  # type: ignore[arg-type]
    assert not any(excluded(x, [value], "0.7") for x in outputs)  # type: ignore[list-item]


def test_the_attack_finds_what_it_claims() -> None:
    rate = attack_rate(0, 1, scale=1, trials=600, source=Seeded(9))
    outputs = leaky_laplace(0, 1, 600, Seeded(9))
    assert rate.successes == sum(excluded(x, [0, 1], 1) == [1] for x in outputs)
    assert 0.5 < rate.lower < rate.successes / 600 < rate.upper
    # Rounding to the unit in the last place of 1000 + noise hides most of it, but not by design.
    assert attack_rate(1000, 1001, scale=1, trials=200, source=Seeded(9)).successes < 20


def test_nothing_is_found_on_the_grid() -> None:
    rate = attack_rate("0.3", "1.3", scale=1, trials=600, grid="0.001", source=Seeded(9))
    assert rate == Rate(0, 600, 0.0, rate.upper)
    assert rate.upper == pytest.approx(1 - 0.005 ** (1 / 600), rel=1e-9)


def test_porous() -> None:
    assert porous_fraction(0, 1, 40) == 1.0  # beyond 53 ln 2
    assert 0.5 < porous_fraction(0, 1, 3) < 1
    assert porous_fraction(10**6, 1, 10**6 + 1, count=50) == 0.0


def test_far_tail_of_floats_ends() -> None:
    assert leaky_reachable(53 * math.log(2), 0, 1)
    assert not leaky_reachable(37.0, 0, 1)


@given(st.fractions(-10, 10), st.fractions(0, 3), st.fractions(Fraction(1, 50), 2), st.booleans())
def test_rounding_to_the_grid_moves_no_more_than_its_sensitivity(
    value: Fraction, move: Fraction, grid: Fraction, at_half: bool
) -> None:
    if at_half:
        value = grid * (value.numerator % 7) + grid / 2
    near, far = (
        grid_laplace(x, scale=grid, grid=grid, size=1, source=Still())[0]
        for x in (value, value + move)
    )
    assert 0 <= far - near <= grid_sensitivity(move, grid) < move + grid
    assert abs(near - value) <= grid / 2
    assert grid_reachable(near, 0, grid)
    assert not grid_reachable(near + grid / 3, 0, grid)


class Still(Source):
    """No noise at scale 1: u = 0, the first coin fails at its second integer, the sign is plus."""

    def __init__(self) -> None:
        self.answers = iter([1, 0])

    def below(self, n: int) -> int:
        return 0 if n == 1 else next(self.answers)


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (1, 5), (5, 5), (30, 1000), (999, 1000)])
def test_binomial_bounds(successes: int, trials: int) -> None:
    """At each bound the tail is the error: sums of binomial terms."""
    low, high = special.binomial_bounds(successes, trials, 0.005)

    def at_most(j: int, p: float) -> mp.mpf:
        x = mp.mpf(p)
        return mp.fsum(
            mp.binomial(trials, i) * x**i * (1 - x) ** (trials - i) for i in range(j + 1)
        )

    if successes:
        assert abs(1 - at_most(successes - 1, low) - 0.005) < 1e-9
    else:
        assert low == 0
    if successes < trials:
        assert abs(at_most(successes, high) - 0.005) < 1e-9
    else:
        assert high == 1


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "parameter", "case"),
    [
        (lambda: discrete_laplace(0, 1), "scale", "not-positive"),
        (lambda: discrete_laplace("nan", 1), "scale", "not-a-number"),
        (lambda: discrete_laplace(math.inf, 1), "scale", "not-finite"),
        (lambda: discrete_laplace("1e301", 1), "scale", "above-maximum"),
        (lambda: discrete_laplace(1, -1), "size", "below-minimum"),
        (lambda: discrete_laplace(1, "1.5"), "size", "not-whole"),
        (lambda: discrete_laplace(1, 1, 5), "source", "unknown-choice"),  # type: ignore[arg-type]
        (lambda: discrete_laplace(1, 1, Seeded), "source", "unknown-choice"),  # type: ignore
        (lambda: discrete_gaussian(-1, 1), "sigma", "not-positive"),
        (lambda: bernoulli("1.1"), "probability", "above-maximum"),
        (lambda: bernoulli_exp("-0.1"), "gamma", "below-minimum"),
        (lambda: Seeded("1.5"), "seed", "not-whole"),
        (lambda: leaky_laplace("1e101", 1, 1), "value", "above-maximum"),
        (lambda: leaky_laplace(0, 0, 1), "scale", "below-minimum"),
        (lambda: leaky_reachable(math.nan, 0, 1), "output", "not-a-number"),
        (lambda: attack_rate(0, 1, 1, 0), "trials", "below-minimum"),
        (lambda: attack_rate(0, 1, 1, 1, confidence=1), "confidence", "not-below-maximum"),
        (lambda: grid_laplace(0, 1, 0, 1), "grid", "not-positive"),
        (lambda: grid_sensitivity(-1, 1), "sensitivity", "below-minimum"),
        (lambda: porous_fraction(0, 1, 0, count=0), "count", "below-minimum"),
    ],
)
def test_refusals(call: Callable[[], object], parameter: str, case: str) -> None:
    with pytest.raises(ParameterError) as caught:
        call()
    assert (caught.value.parameter, caught.value.case) == (parameter, case)


@pytest.mark.skipif(SLOW, reason="no processes in the browser")
def test_the_package_loads_without_them() -> None:
    code = (
        "import dpdocs, sys; assert not any(m.startswith(('dpdocs.sampling', 'dpdocs.selection'))"
        " for m in sys.modules); assert dpdocs.sampling.Seeded(1) and dpdocs.selection.loss_bound"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""Selection: permutations and integrals as second methods, and ε between neighbours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdocs import ParameterError
from dpdocs.sampling import Seeded, Source
from dpdocs.selection import (
    draw_exponential_mechanism,
    draw_permute_and_flip,
    expected_loss,
    exponential_mechanism,
    largest_log_ratio,
    log_probabilities,
    loss_bound,
    permute_and_flip,
    report_noisy_max,
)

MECHANISMS = {
    "exponential mechanism": exponential_mechanism,
    "permute and flip": permute_and_flip,
    "laplace": report_noisy_max,
}
UTILITIES = [[0], [0, 1], [0, 0, 0], [3, 1, 4, 1, 5], [0, -30, -31, -31], ["0.1", 0.25, -2, 7]]


@pytest.fixture(autouse=True)
def _digits() -> None:
    mp.mp.dps = 30


def exponents(utilities: list[object], epsilon: object) -> list[mp.mpf]:
    values = [Fraction(str(u)) * Fraction(str(epsilon)) / 2 for u in utilities]
    best = max(values)
    return [mp.mpf((x - best).numerator) / (x - best).denominator for x in values]


def close(found: np.ndarray, truth: list[mp.mpf], within: float) -> bool:
    return all(abs(a - b) <= within * b for a, b in zip(found, truth, strict=True))


# The exponential mechanism ----------------------------------------------------------------------


def test_base_measure_zero_and_underflow() -> None:
    p = exponential_mechanism([0, -5000, -6000], epsilon=1, base_measure=[0, 1, 1])
    assert p[0] == 0
    assert p[1] == 1
    assert p[2] == pytest.approx(float(mp.exp(-500)), rel=1e-15)
    deep = exponential_mechanism([0, -5000, -6000], epsilon=10, base_measure=[0, 1, 1])
    assert deep.tolist() == [0, 1, 0]
    logs = log_probabilities([0, -5000, -6000], epsilon=10, base_measure=[0, 1, 1])
    assert logs[0] == -math.inf
    assert logs[2] == -5000
    assert logs[1] == 0 or logs[1] > -1e-300


@pytest.mark.parametrize("utilities", UTILITIES)
@pytest.mark.parametrize("epsilon", [0, "0.3", 1, 40])
def test_exponential_mechanism(utilities: list[object], epsilon: object) -> None:
    weights = [mp.exp(x) for x in exponents(utilities, epsilon)]
    truth = [w / mp.fsum(weights) for w in weights]
    assert close(exponential_mechanism(utilities, epsilon), truth, 1.2e-16)
    logs = [mp.log1p(-mp.fsum(truth[:i] + truth[i + 1 :])) for i in range(len(truth))]
    found = log_probabilities(utilities, epsilon)
    for log, p, x in zip(logs, truth, found, strict=True):
        best = log if p > 0.5 else mp.log(p)
        assert abs(x - best) <= 2e-16 * abs(best)


def test_extremes_of_size() -> None:
    p = exponential_mechanism(["1e300", "-1e300", 0], "1e300", "1e-300")
    assert p.tolist() == [1, 0, 0]
    even = exponential_mechanism([0, 2000], 2, base_measure=["1e400", "1e-400"])
    assert even[1] == pytest.approx(float(mp.mpf(1) / (1 + mp.exp(800 * mp.log(10) - 2000))))
    tiny = log_probabilities([0, -200], 2)
    assert tiny[0] == pytest.approx(-float(mp.exp(-200)), rel=1e-15)
    heavy = exponential_mechanism([0, 0, 5], 0, base_measure=[1, 3, 0])
    assert heavy.tolist() == [0.25, 0.75, 0]


# The others -------------------------------------------------------------------------------------


def by_permutations(utilities: list[object], epsilon: object) -> list[mp.mpf]:
    """The algorithm as it is told: every order, every place of the first heads."""
    heads = [mp.exp(x) for x in exponents(utilities, epsilon)]
    found = [mp.mpf(0)] * len(heads)
    for order in permutations(range(len(heads))):
        still = mp.mpf(1)
        for i in order:
            found[i] += still * heads[i]
            still *= 1 - heads[i]
    return [x / math.factorial(len(heads)) for x in found]


def by_integral(utilities: list[object], epsilon: object, noise: str) -> list[mp.mpf]:
    z = exponents(utilities, epsilon)

    def density(x: mp.mpf) -> mp.mpf:
        if noise == "laplace":
            return mp.exp(-abs(x)) / 2
        return mp.exp(-x - mp.exp(-x)) if noise == "gumbel" else mp.exp(-x) * (x > 0)

    def below(x: mp.mpf) -> mp.mpf:
        if noise == "laplace":
            return mp.exp(x) / 2 if x < 0 else 1 - mp.exp(-x) / 2
        return mp.exp(-mp.exp(-x)) if noise == "gumbel" else max(mp.mpf(0), -mp.expm1(-x))

    low = min(z)
    points = sorted({*z, low - 60, low - 20, low - 5, *map(mp.mpf, (3, 8, 20, 60))})
    points = [p for p in points if noise != "exponential" or p >= low]
    steps = [p + (q - p) * k / 2 for p, q in pairwise(points) for k in (0, 1)] + points[-1:]
    return [
        mp.quad(
            lambda x, i=i: (
                density(x - z[i])  # type: ignore[misc]
                * mp.fprod(below(x - z[j]) for j in range(len(z)) if j != i)
            ),
            steps,
        )
        for i in range(len(z))
    ]


@pytest.mark.parametrize("utilities", UTILITIES)
@pytest.mark.parametrize("epsilon", [0, "0.3", 2])
def test_permute_and_flip(utilities: list[object], epsilon: object) -> None:
    found = permute_and_flip(utilities, epsilon)
    assert close(found, by_permutations(utilities, epsilon), 1e-15 * len(utilities))
    assert report_noisy_max(utilities, epsilon, noise="exponential").tolist() == found.tolist()


@pytest.mark.parametrize("utilities", [[0, 1], [0, 0, 0], [0, -9, -10, -10], [2, "0.5", 0, 1]])
@pytest.mark.parametrize("noise", ["laplace", "exponential", "gumbel"])
def test_report_noisy_max(utilities: list[object], noise: str) -> None:
    mp.mp.dps = 24
    found = report_noisy_max(utilities, 2, noise=noise)
    assert close(found, by_integral(utilities, 2, noise), 2e-14)


@pytest.mark.parametrize("epsilon", ["1e-9", 1, 7, 1000])
def test_two_choices_with_laplace_noise_have_a_closed_form(epsilon: object) -> None:
    z = exponents([0, 1], epsilon)[0]
    truth = mp.exp(z) * (2 - z) / 4  # the difference of two Laplace numbers
    found = report_noisy_max([0, 1], epsilon)
    assert close(found, [truth, 1 - truth], 1e-13)


@pytest.mark.parametrize("find", MECHANISMS.values(), ids=MECHANISMS)
def test_many_choices(find: Callable[..., np.ndarray]) -> None:
    for utilities in (np.zeros(300), np.linspace(-90, 0, 300), np.append(np.full(299, -12.0), 0)):
        p = find(utilities, 2)
        assert abs(math.fsum(p) - 1) < 1e-13
        assert np.all(p > 0)
        order = np.argsort(utilities, kind="stable")
        assert np.all(np.diff(p[order]) >= -1e-15)
    assert np.allclose(find(np.zeros(300), 2), 1 / 300, rtol=1e-13)
    assert not np.any(np.isnan(find([0, "1e300", "-1e300"], "1e300", "1e-300")))
    assert find([5], 1) == pytest.approx([1], abs=1e-15)


# Privacy and loss -------------------------------------------------------------------------------

halves = st.integers(-20, 20).map(lambda k: Fraction(k, 2))
moves = st.integers(-4, 4).map(lambda k: Fraction(k, 4))


@given(
    st.lists(st.tuples(halves, moves), min_size=1, max_size=6),
    st.sampled_from(["0", "0.1", "1", "3"]),
    st.sampled_from(sorted(MECHANISMS)),
)
def test_no_pair_of_neighbours_exceeds_epsilon(
    pairs: list[tuple[Fraction, Fraction]], epsilon: str, name: str
) -> None:
    find = MECHANISMS[name]
    p = find([u for u, _ in pairs], epsilon)
    q = find([u + move for u, move in pairs], epsilon)
    assert largest_log_ratio(p, q) <= float(epsilon) + 1e-12


@pytest.mark.parametrize("find", MECHANISMS.values(), ids=MECHANISMS)
def test_epsilon_is_reached(find: Callable[..., np.ndarray]) -> None:
    p, q = find([60, 0], 1), find([59, 1], 1)
    assert 0.96 < largest_log_ratio(p, q) <= 1


def test_largest_log_ratio() -> None:
    assert largest_log_ratio([0.5, 0.5, 0], [0.25, 0.75, 0]) == pytest.approx(math.log(2))
    assert largest_log_ratio([1, 0], [0.5, 0.5]) == math.inf


@given(
    st.lists(halves, min_size=1, max_size=6),
    st.sampled_from(["0.1", "1", "3"]),
)
def test_losses_are_ordered_and_bounded(utilities: list[Fraction], epsilon: str) -> None:
    flip = expected_loss(permute_and_flip(utilities, epsilon), utilities)
    exponential = expected_loss(exponential_mechanism(utilities, epsilon), utilities)
    assert flip <= exponential * (1 + 1e-12)
    assert exponential <= loss_bound(len(utilities), epsilon) * (1 + 1e-12)
    for failure in ("0.5", "0.01"):
        most = loss_bound(len(utilities), epsilon, failure=failure)
        for find in (exponential_mechanism, permute_and_flip):
            p = find(utilities, epsilon)
            over = [x for x, u in zip(p, utilities, strict=True) if max(utilities) - u > most]
            assert sum(over) <= float(failure)


def test_loss_bound_without_noise_or_choice() -> None:
    assert loss_bound(1, 0) == 0
    assert loss_bound(2, 0) == math.inf


# Draws ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "find", "more"),
    [
        (draw_exponential_mechanism, exponential_mechanism, {}),
        (draw_exponential_mechanism, exponential_mechanism, {"base_measure": [0, "0.5", 2, 1]}),
        (
            draw_exponential_mechanism,
            exponential_mechanism,
            {"base_measure": ["1e-300", "3e-300", "1e-301", 1], "sensitivity": "0.00319"},
        ),
        (draw_permute_and_flip, permute_and_flip, {}),
    ],
)
def test_draws_fit(
    draw: Callable[..., list[int]], find: Callable[..., np.ndarray], more: dict[str, object]
) -> None:
    utilities, count = [0, 1, "2.5", -3], 8000
    seen = Counter(draw(utilities, "0.8", count, source=Seeded(2), **more))
    for index, p in enumerate(find(utilities, "0.8", **more)):
        assert abs(seen[index] - count * p) <= 4 * math.sqrt(count * p * (1 - p))


def test_a_draw_at_an_edge_takes_more_digits() -> None:
    """The edge between two choices is met to 40 digits, and decided by the next ones."""

    class Edge(Source):
        def __init__(self, edge: int, then: int) -> None:
            self.answers = [edge, then]

        def below(self, n: int) -> int:
            return self.answers.pop(0) if self.answers else 0

    options = {"base_measure": ["1e-10", 1], "sensitivity": "0.5"}  # 1e-10 and e^-23
    mp.mp.dps = 90
    first = mp.mpf(10) ** -10 / (mp.mpf(10) ** -10 + mp.exp(-23))
    digits = int(mp.floor(first * mp.mpf(10) ** 80))
    edge, rest = divmod(digits, 10**40)
    for then, choice in ((rest - 10, 0), (rest + 10, 1)):
        source = Edge(edge, then)
        assert draw_exponential_mechanism([23, 0], 1, 1, source=source, **options) == [choice]
        assert not source.answers


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("find", MECHANISMS.values(), ids=MECHANISMS)
@pytest.mark.parametrize(
    ("given_", "parameter", "case"),
    [
        (([], 1), "utilities", "wrong-count"),
        ((5, 1), "utilities", "wrong-count"),
        (("123", 1), "utilities", "wrong-count"),
        ((np.zeros((2, 2)), 1), "utilities", "wrong-count"),
        (([0, math.nan], 1), "utilities", "not-a-number"),
        (([0, -math.inf], 1), "utilities", "not-finite"),
        (([0, None], 1), "utilities", "empty"),
        (([0, 1], -1), "epsilon", "below-minimum"),
        (([0, 1], math.inf), "epsilon", "not-finite"),
        (([0, 1], 1, 0), "sensitivity", "not-positive"),
        (([0, 1], 1, -1), "sensitivity", "not-positive"),
    ],
)
def test_refusals(
    find: Callable[..., object], given_: tuple[object, ...], parameter: str, case: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        find(*given_)
    assert (caught.value.parameter, caught.value.case) == (parameter, case)


@pytest.mark.parametrize(
    ("call", "parameter", "case"),
    [
        (lambda: exponential_mechanism([0, 1], 1, 1, [0, 0]), "base_measure", "not-positive"),
        (lambda: exponential_mechanism([0, 1], 1, 1, [1]), "base_measure", "wrong-count"),
        (lambda: exponential_mechanism([0, 1], 1, 1, [1, -1]), "base_measure", "below-minimum"),
        (lambda: report_noisy_max([0, 1], 1, noise="cauchy"), "noise", "unknown-choice"),
        (lambda: largest_log_ratio([1], [0.5, 0.5]), "q", "wrong-count"),
        (lambda: loss_bound(2, 1, failure=0), "failure", "not-positive"),
        (lambda: loss_bound(0, 1), "choices", "below-minimum"),
        (lambda: draw_permute_and_flip([0], 1, -1), "size", "below-minimum"),
    ],
)
def test_more_refusals(call: Callable[[], object], parameter: str, case: str) -> None:
    with pytest.raises(ParameterError) as caught:
        call()
    assert (caught.value.parameter, caught.value.case) == (parameter, case)

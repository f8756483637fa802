r"""Every formula of "Sensitivity and Laplace noise", worked out by a second way and against dpdocs.

The closed forms are read from the TeX that the page shows (`shown`), so a slip in the file fails
here. The second way never uses them: integrals are done numerically on the density, suprema by
trying many events and many pairs of data sets.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest
import yaml

import dpdocs
from dpdocs import labs

mp.mp.dps = 30

ROOT = Path(__file__).parents[2]
TEX = {
    name: entry["tex"]
    for name, entry in yaml.safe_load(
        (ROOT / "docs" / "formulas" / "laplace.yml").read_text(encoding="utf-8")
    ).items()
}
TESTS: dict[str, Callable[[], None]] = {}

Number = mp.mpf
# scale, sensitivity, epsilon with epsilon * scale < sensitivity
CASES = [
    ("1", "2", "1"),
    ("2", "2", "0"),
    ("2", "2", "0.25"),
    ("0.1", "3", "7"),
    ("5", "0.5", "0.05"),
]


# --- reading the formulas -------------------------------------------------------------------

_TOKEN = re.compile(r"\\[A-Za-z]+|\\[,;!:>]|\d+(?:\.\d+)?|[A-Za-z]|[-+/^(){},]")
_SPACE = re.compile(r"\\[,;!:>]|\\(?:quad|qquad|left|right|[bB]igg?[lr]?)")
_OPENING = {"(": ")", "{": "}", r"\lvert": r"\rvert"}


class Reader:
    """Evaluates the closed forms of the file: sums, products, quotients, powers, ln, max, | |."""

    def __init__(self, tex: str, values: dict[str, Number]) -> None:
        found = [match[0] for match in _TOKEN.finditer(tex)]
        self._tokens = [token for token in found if not _SPACE.fullmatch(token)]
        self._values = {"e": mp.e, **values}

    def value(self) -> Number:
        value = self._sum()
        assert not self._tokens, f"not read: {self._tokens}"
        return value

    def _next(self) -> str:
        return self._tokens[0] if self._tokens else ""

    def _take(self) -> str:
        return self._tokens.pop(0)

    def _sum(self) -> Number:
        total = -self._product() if self._skip("-") else self._product()
        while self._next() in ("+", "-"):
            total = total + self._product() if self._take() == "+" else total - self._product()
        return total

    def _skip(self, token: str) -> bool:
        return bool(self._next() == token and self._take())

    def _product(self) -> Number:
        value = self._power()
        while self._next() not in ("", "+", "-", ",", ")", "}", r"\rvert"):
            if self._skip("/"):
                value /= self._power()
            else:
                self._skip(r"\cdot")
                value *= self._power()
        return value

    def _power(self) -> Number:
        value = self._atom()
        return value ** self._atom() if self._skip("^") else value

    def _atom(self) -> Number:
        token = self._take()
        if token in _OPENING:
            value = self._sum()
            assert self._take() == _OPENING[token]
            return abs(value) if token == r"\lvert" else value
        if token in (r"\frac", r"\tfrac"):
            # \tfrac12 is one token "12" of two one-digit arguments.
            if self._next().isdigit() and len(self._next()) == 2:
                over, under = self._take()
                return mp.mpf(over) / mp.mpf(under)
            over_value = self._atom()
            return over_value / self._atom()
        if token == r"\ln":
            return mp.log(self._atom())
        if token == r"\max":
            assert self._take() == "("
            entries = [self._sum()]
            while self._skip(","):
                entries.append(self._sum())
            assert self._take() == ")"
            return max(entries)
        return mp.mpf(token) if token[0].isdigit() else self._values[token.lstrip("\\")]


def shown(name: str, part: str, **values: object) -> Number:
    """Evaluate a part of a displayed formula; the part must stand in the file as it is here."""
    written = " ".join(TEX[name].split())
    assert " ".join(part.split()) in written, f"{name} has no part {part!r}: {written}"
    return Reader(part, {key: mp.mpf(value) for key, value in values.items()}).value()


# --- the second way -------------------------------------------------------------------------


def checks(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register the test of one formula."""

    def register(test: Callable[[], None]) -> Callable[[], None]:
        assert name not in TESTS
        TESTS[name] = test
        return test

    return register


def close(one: object, two: object, relative: float = 1e-12) -> None:
    a, b = mp.mpf(one), mp.mpf(two)
    assert abs(a - b) <= relative * max(abs(a), abs(b), mp.mpf("1e-20")), (a, b)


def cases() -> list[tuple[Number, Number, Number]]:
    return [(mp.mpf(b), mp.mpf(s), mp.mpf(e)) for b, s, e in CASES]


def density(y: Number, centre: Number, b: Number) -> Number:
    """The hill whose height falls by the factor e with every b, with area 1."""
    return mp.e ** (-abs(y - centre) / b) / (b + b)


def mass(f: Callable[[Number], Number], low: Number, high: Number, *corners: Number) -> Number:
    """Integrate between two points, cut at the corners of the integrand."""
    inside = sorted({low, high, *(c for c in corners if low < c < high)})
    return mp.fsum(
        mp.quad(f, mp.linspace(a, b, 5), method="gauss-legendre")
        for a, b in itertools.pairwise(inside)
    )


def far(b: Number) -> Number:
    """A distance beyond which the hill holds less than 1e-26."""
    return 60 * b


def excess_density(b: Number, gap: Number, epsilon: Number) -> Callable[[Number], Number]:
    return lambda y: density(y, mp.mpf(0), b) - mp.e**epsilon * density(y, gap, b)


def crossing(b: Number, gap: Number, epsilon: Number) -> Number:
    """Find where p - e^epsilon q changes its sign, by bisection between the two centres."""
    low, high = mp.mpf(0), gap
    excess = excess_density(b, gap, epsilon)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2


def positive_part(b: Number, gap: Number, epsilon: Number) -> Number:
    end = crossing(b, gap, epsilon)
    return mass(excess_density(b, gap, epsilon), -far(b), end, mp.mpf(0))


def mechanism(b: Number, sensitivity: Number) -> Any:
    return dpdocs.Laplace(scale=mp.nstr(b, 20), sensitivity=mp.nstr(sensitivity, 20))


def readouts(**values: str) -> dict[str, Any]:
    lab = labs.get("sensitivity")
    whole = {name: parameter.default for name, parameter in lab.parameters.items()}
    return dict(lab.compute(**{**whole, **values}).readouts)


# The four queries, written here a second time.
QUERIES: dict[str, Callable[[list[float], float], float]] = {
    "sum": lambda records, bound: sum(records),
    "mean": lambda records, bound: sum(records) / len(records),
    "count": lambda records, bound: float(sum(x > bound / 2 for x in records)),
    "constant": lambda records, bound: 7.0,
}


def changes(query: str, n: int, bound: float) -> list[float]:
    """Replace one record in many data sets, corners of the interval among them."""
    rng = random.Random(7)
    answer = QUERIES[query]
    found = []
    for _ in range(400):
        records = [rng.choice([0.0, bound, rng.uniform(0, bound)]) for _ in range(n)]
        other = records.copy()
        other[rng.randrange(n)] = rng.choice([0.0, bound, rng.uniform(0, bound)])
        found.append(abs(answer(records, bound) - answer(other, bound)))
    zeros, one = [0.0] * n, [0.0] * (n - 1) + [bound]
    return [*found, abs(answer(zeros, bound) - answer(one, bound))]


@checks("laplace-sensitivity")
def no_pair_exceeds_the_supremum_and_one_reaches_it() -> None:
    for query in QUERIES:
        for n, bound in ((1, 2.0), (4, 2.0), (7, 0.75)):
            delta = readouts(query=query, n=str(n), bound=str(bound))["sensitivity"]
            largest = max(changes(query, n, bound))
            assert largest <= delta * (1 + 1e-12)
            close(largest, delta)


@checks("laplace-one-record")
def only_the_replaced_record_is_left() -> None:
    rng = random.Random(3)
    bound = 2.0

    def clip(x: float) -> float:
        return min(max(x, 0.0), bound)

    for _ in range(200):
        records = [rng.uniform(-5, 5) for _ in range(5)]
        other = records.copy()
        i = rng.randrange(5)
        other[i] = rng.uniform(-5, 5)
        whole = abs(sum(map(clip, records)) - sum(map(clip, other)))
        assert whole == pytest.approx(abs(clip(records[i]) - clip(other[i])), abs=1e-12)
        assert whole <= bound


@checks("laplace-four-queries")
def the_four_values_are_those_of_dpdocs() -> None:
    n, bound = 8, "4"
    for query, part in (("sum", "B"), ("mean", r"\frac{B}{n}"), ("count", "1"), ("constant", "0")):
        assert rf"\Delta_{{\mathrm{{{query}}}}} &= {part}" in TEX["laplace-four-queries"]
        value = shown("laplace-four-queries", part, B=bound, n=n)
        close(readouts(query=query, n=str(n), bound=bound)["sensitivity"], value)
        close(max(changes(query, n, float(bound))), value)


@checks("laplace-density")
def the_hill_falls_by_e_with_every_scale() -> None:
    for b, _, _ in cases():

        def height(z: Number, b: Number = b) -> Number:
            return shown("laplace-density", r"\frac{1}{2b}\, e^{-\lvert z \rvert / b}", z=z, b=b)

        close(mass(height, -far(b), far(b), mp.mpf(0)), 1)
        for z in (mp.mpf(0), b / 3, 2 * b):
            close(height(z) / height(z + b), mp.e)
            close(height(z), height(-z))


@checks("laplace-total-mass")
def each_step_of_the_total_mass_is_one() -> None:
    for b, _, _ in cases():

        def half(z: Number, b: Number = b) -> Number:
            return shown("laplace-total-mass", r"\frac{1}{2b}\, e^{-z/b}", z=z, b=b)

        close(mass(lambda z, b=b: density(z, mp.mpf(0), b), -far(b), far(b), mp.mpf(0)), 1)
        close(2 * mass(half, mp.mpf(0), far(b)), 1)
        inner = [shown("laplace-total-mass", "-e^{-z/b}", z=z, b=b) for z in (0, far(b))]
        close(inner[1] - inner[0], 1)


@checks("laplace-tail")
def the_tail_is_the_area_beyond_r() -> None:
    for b, _, _ in cases():
        for r in (mp.mpf(0), b / 2, 3 * b):
            area = mass(lambda z, b=b: density(z, mp.mpf(0), b), r, far(b) + r)
            close(2 * area, shown("laplace-tail", "e^{-r/b}", r=r, b=b))


@checks("laplace-radius")
def one_release_in_twenty_lies_beyond_the_radius() -> None:
    for b, _, _ in cases():
        r = shown("laplace-radius", r"b \ln 20", b=b)
        inside = mass(lambda z, b=b: density(z, mp.mpf(0), b), -r, r, mp.mpf(0))
        close(1 - inside, shown("laplace-radius", r"\tfrac{1}{20}"))
        close(readouts(scale=mp.nstr(b, 20))["radius_95"], r)


@checks("laplace-mean-absolute")
def each_line_of_the_mean_distance_is_b() -> None:
    name = "laplace-mean-absolute"
    for b, _, _ in cases():
        first = mass(
            lambda z, b=b: shown(name, r"z \cdot \tfrac{1}{b} e^{-z/b}", z=z, b=b),
            mp.mpf(0),
            far(b),
        )
        ends = [shown(name, r"-z\, e^{-z/b}", z=z, b=b) for z in (mp.mpf(0), far(b))]
        rest = mass(lambda z, b=b: shown(name, "e^{-z/b}", z=z, b=b), mp.mpf(0), far(b))
        truth = mass(lambda z, b=b: abs(z) * density(z, mp.mpf(0), b), -far(b), far(b), mp.mpf(0))
        for line in (first, ends[1] - ends[0] + rest, b, truth):
            close(line, readouts(scale=mp.nstr(b, 20))["mean_absolute_error"])


@checks("laplace-mse")
def each_line_of_the_mean_square_is_twice_b_squared() -> None:
    name = "laplace-mse"
    for b, _, _ in cases():
        first = mass(
            lambda z, b=b: shown(name, r"z^2 \cdot \tfrac{1}{b} e^{-z/b}", z=z, b=b),
            mp.mpf(0),
            far(b),
        )
        ends = [shown(name, r"-z^2\, e^{-z/b}", z=z, b=b) for z in (mp.mpf(0), far(b))]
        rest = mass(lambda z, b=b: shown(name, r"2z\, e^{-z/b}", z=z, b=b), mp.mpf(0), far(b))
        third = shown(name, "2b", b=b) * mass(
            lambda z, b=b: shown(name, r"z \cdot \tfrac{1}{b} e^{-z/b}", z=z, b=b),
            mp.mpf(0),
            far(b),
        )
        truth = mass(lambda z, b=b: z**2 * density(z, mp.mpf(0), b), -far(b), far(b), mp.mpf(0))
        for line in (first, ends[1] - ends[0] + rest, third, shown(name, "2b^2", b=b), truth):
            close(line, readouts(scale=mp.nstr(b, 20))["mse"])


@checks("laplace-ratio")
def the_ratio_of_the_hills_never_exceeds_the_bound() -> None:
    for b, sensitivity, _ in cases():
        assert r"e^{\Delta/b}" in TEX["laplace-ratio"]
        bound = shown("laplace-ratio", r"e^{\Delta/b}", Delta=sensitivity, b=b)
        for gap in (mp.mpf(0), sensitivity / 3, sensitivity):
            for y in mp.linspace(-3 * b, gap + 3 * b, 41):
                ratio = density(y, mp.mpf(0), b) / density(y, gap, b)
                close(ratio, mp.e ** ((abs(y - gap) - abs(y)) / b))
                assert ratio <= mp.e ** (gap / b) * (1 + mp.mpf("1e-20"))
                assert ratio <= bound * (1 + mp.mpf("1e-20"))
        close(mechanism(b, sensitivity).epsilon(0), mp.log(bound))


@checks("laplace-every-event")
def random_events_keep_the_bound() -> None:
    rng = random.Random(11)
    for b, sensitivity, _ in cases():
        bound = shown("laplace-every-event", r"e^{\Delta/b}", Delta=sensitivity, b=b)
        for _ in range(5):
            ends = sorted(rng.uniform(-4, 4) * float(b) for _ in range(6))
            pieces = list(zip(ends[::2], ends[1::2], strict=True))
            on_d = sum(_probability(a, c, mp.mpf(0), b) for a, c in pieces)
            on_d_prime = sum(_probability(a, c, sensitivity, b) for a, c in pieces)
            assert on_d <= bound * on_d_prime * (1 + mp.mpf("1e-20"))
            assert on_d_prime <= bound * on_d * (1 + mp.mpf("1e-20"))


def _probability(low: float, high: float, centre: Number, b: Number) -> Number:
    return mass(lambda y: density(y, centre, b), mp.mpf(low), mp.mpf(high), centre)


@checks("laplace-tight")
def the_event_below_both_centres_reaches_the_bound() -> None:
    name = "laplace-tight"
    for b, sensitivity, _ in cases():
        on_d = _probability(-far(b), 0, mp.mpf(0), b)
        on_d_prime = _probability(-far(b), 0, sensitivity, b)
        close(on_d, shown(name, r"\tfrac12"))
        close(on_d_prime, shown(name, r"\tfrac12\, e^{-\Delta/b}", Delta=sensitivity, b=b))
        close(on_d / on_d_prime, shown(name, r"e^{\Delta/b}", Delta=sensitivity, b=b))


@checks("laplace-hockey-stick")
def no_event_beats_the_positive_part() -> None:
    rng = random.Random(5)
    assert r"\bigl( p(y) - e^{\varepsilon} q(y) \bigr)_{+}" in TEX["laplace-hockey-stick"]
    for b, sensitivity, epsilon in cases():
        best = positive_part(b, sensitivity, epsilon)
        close(mechanism(b, sensitivity).delta(mp.nstr(epsilon, 20)), best)
        for _ in range(5):
            low, high = sorted(rng.uniform(-6, 6) * float(b) for _ in range(2))
            excess = _probability(low, high, mp.mpf(0), b) - mp.e**epsilon * _probability(
                low, high, sensitivity, b
            )
            assert excess <= best * (1 + mp.mpf("1e-20"))


@checks("laplace-threshold")
def the_excess_changes_its_sign_at_t() -> None:
    for b, sensitivity, epsilon in cases():
        t = shown(
            "laplace-threshold",
            r"\frac{\Delta - b\varepsilon}{2}",
            Delta=sensitivity,
            b=b,
            varepsilon=epsilon,
        )
        close(t, crossing(b, sensitivity, epsilon))
        witness = mechanism(b, sensitivity).satisfies(mp.nstr(epsilon, 20), 0).witness
        close(witness.threshold, t)
        assert witness.side == "below"


@checks("laplace-left-piece")
def the_left_piece_is_its_integral() -> None:
    name = "laplace-left-piece"
    for b, sensitivity, epsilon in cases():
        values = {"b": b, "Delta": sensitivity, "varepsilon": epsilon}
        piece = mass(excess_density(b, sensitivity, epsilon), -far(b), mp.mpf(0))
        for line in (
            r"\tfrac12 - e^{\varepsilon} \cdot \tfrac12 e^{-\Delta/b}",
            r"\tfrac12 - \tfrac12\, e^{\varepsilon - \Delta/b}",
        ):
            close(shown(name, line, **values), piece)


@checks("laplace-middle-piece")
def the_middle_piece_is_its_integral() -> None:
    name = "laplace-middle-piece"
    for b, sensitivity, epsilon in cases():
        t = crossing(b, sensitivity, epsilon)
        values = {"b": b, "Delta": sensitivity, "varepsilon": epsilon}
        piece = mass(excess_density(b, sensitivity, epsilon), mp.mpf(0), t)
        first = shown(name, r"\tfrac12 \bigl( 1 - e^{-t/b} \bigr)", b=b, t=t) - shown(
            name,
            r"\tfrac12\, e^{\varepsilon} \bigl( e^{(t-\Delta)/b} - e^{-\Delta/b} \bigr)",
            **values,
            t=t,
        )
        second = shown(name, r"\tfrac12 - \tfrac12\, e^{(\varepsilon - \Delta/b)/2}", **values)
        second += shown(
            name,
            r"- \tfrac12\, e^{(\varepsilon - \Delta/b)/2} + \tfrac12\, e^{\varepsilon - \Delta/b}",
            **values,
        )
        close(first, piece)
        close(second, piece)


@checks("laplace-profile")
def the_profile_is_the_integral_of_the_positive_part() -> None:
    name = "laplace-profile"
    for b, sensitivity, epsilon in cases():
        assert epsilon * b < sensitivity
        closed = shown(
            name,
            r"1 - e^{(\varepsilon - \Delta/b)/2}",
            b=b,
            Delta=sensitivity,
            varepsilon=epsilon,
        )
        close(closed, positive_part(b, sensitivity, epsilon))
        close(mechanism(b, sensitivity).delta(mp.nstr(epsilon, 20)), closed)
        for larger in (sensitivity / b, 2 * sensitivity / b):
            excess = excess_density(b, sensitivity, larger)
            grid = mp.linspace(-5 * b, sensitivity + 5 * b, 101)
            assert max(excess(y) for y in grid) <= mp.mpf("1e-20")
    # The edge in decimals that binary floating point cannot hold.
    assert dpdocs.Laplace(scale="0.1", sensitivity="0.3").delta(3) == 0
    assert dpdocs.Laplace(scale=2, sensitivity=0).delta(0) == 0


@checks("laplace-total-variation")
def the_profile_at_zero_is_half_the_area_between_the_hills() -> None:
    for b, sensitivity, _ in cases():
        between = mass(
            lambda y, b=b, s=sensitivity: abs(density(y, mp.mpf(0), b) - density(y, s, b)),
            -far(b),
            sensitivity + far(b),
            mp.mpf(0),
            sensitivity / 2,
            sensitivity,
        )
        closed = shown("laplace-total-variation", r"1 - e^{-\Delta/(2b)}", Delta=sensitivity, b=b)
        close(between / 2, closed)
        close(mechanism(b, sensitivity).delta(0), closed)


@checks("laplace-best-guess")
def the_best_guess_takes_the_higher_hill() -> None:
    for b, sensitivity, _ in cases():
        right = mass(
            lambda y, b=b, s=sensitivity: max(density(y, mp.mpf(0), b), density(y, s, b)) / 2,
            -far(b),
            sensitivity + far(b),
            mp.mpf(0),
            sensitivity / 2,
            sensitivity,
        )
        close(right, (1 + mechanism(b, sensitivity).delta(0)) / 2)
        for cut in (-b, sensitivity / 3, 2 * b):
            on_d = _probability(-far(b), cut, mp.mpf(0), b)
            on_d_prime = _probability(-far(b), cut, sensitivity, b)
            close(on_d / 2 + (1 - on_d_prime) / 2, mp.mpf("0.5") + (on_d - on_d_prime) / 2)
            assert on_d / 2 + (1 - on_d_prime) / 2 <= right * (1 + mp.mpf("1e-20"))


@checks("laplace-other-pairs")
def smaller_gaps_need_less() -> None:
    for b, sensitivity, epsilon in cases():
        before = mp.mpf(0)
        for share in (0, "0.25", "0.5", "0.9", 1):
            gap = sensitivity * mp.mpf(share)
            closed = shown(
                "laplace-other-pairs",
                r"\max\bigl( 0,\; 1 - e^{(\varepsilon - d/b)/2} \bigr)",
                varepsilon=epsilon,
                d=gap,
                b=b,
            )
            if gap > epsilon * b:
                close(closed, positive_part(b, gap, epsilon))
            else:
                assert closed == 0
            assert closed >= before
            before = closed
        close(before, mechanism(b, sensitivity).delta(mp.nstr(epsilon, 20)))


@checks("laplace-witness")
def the_witness_has_its_two_probabilities() -> None:
    name = "laplace-witness"
    for b, sensitivity, epsilon in cases():
        t = crossing(b, sensitivity, epsilon)
        values = {"b": b, "Delta": sensitivity, "varepsilon": epsilon}
        on_d = shown(name, r"1 - \tfrac12\, e^{-(\Delta/b - \varepsilon)/2}", **values)
        on_d_prime = shown(name, r"\tfrac12\, e^{-(\Delta/b + \varepsilon)/2}", **values)
        close(on_d, _probability(-far(b), t, mp.mpf(0), b))
        close(on_d_prime, _probability(-far(b), t, sensitivity, b))
        witness = mechanism(b, sensitivity).satisfies(mp.nstr(epsilon, 20), 0).witness
        close(witness.probability_p, on_d)
        close(witness.probability_q, on_d_prime)


@checks("laplace-inverse")
def the_inverse_undoes_the_profile() -> None:
    part = r"\max\Bigl( 0,\; \frac{\Delta}{b} + 2 \ln(1 - \delta) \Bigr)"
    for b, sensitivity, epsilon in cases():
        delta = positive_part(b, sensitivity, epsilon)
        value = shown("laplace-inverse", part, Delta=sensitivity, b=b, delta=delta)
        assert abs(value - epsilon) < mp.mpf("1e-20")
        above = shown("laplace-inverse", part, Delta=sensitivity, b=b, delta="0.999999999999")
        assert above >= 0
        close(
            mechanism(b, sensitivity).epsilon("0.00001"),
            shown("laplace-inverse", part, Delta=sensitivity, b=b, delta="0.00001"),
        )


@checks("laplace-clipping-error")
def clipping_adds_the_square_of_its_bias() -> None:
    part = "2b^2"
    for b, clipped, target in ((mp.mpf(2), mp.mpf("5.5"), mp.mpf("9.5")), (mp.mpf(1), 3, 3)):
        error = mass(
            lambda z, b=b, c=clipped, t=target: (c + z - t) ** 2 * density(z, mp.mpf(0), b),
            -far(b),
            far(b),
            mp.mpf(0),
        )
        close(error, (clipped - target) ** 2 + shown("laplace-clipping-error", part, b=b))


@checks("laplace-vector")
def coordinates_add_up() -> None:
    rng = random.Random(13)
    b = mp.mpf("1.5")
    for _ in range(100):
        on_d = [rng.uniform(-3, 3) for _ in range(4)]
        on_d_prime = [rng.uniform(-3, 3) for _ in range(4)]
        y = [rng.uniform(-9, 9) for _ in range(4)]
        ratio = mp.fprod(
            density(mp.mpf(u), mp.mpf(c), b) / density(mp.mpf(u), mp.mpf(d), b)
            for u, c, d in zip(y, on_d, on_d_prime, strict=True)
        )
        exponent = mp.fsum(
            abs(mp.mpf(u) - d) - abs(mp.mpf(u) - c)
            for u, c, d in zip(y, on_d, on_d_prime, strict=True)
        )
        close(ratio, mp.e ** (exponent / b))
        l1 = mp.fsum(abs(mp.mpf(c) - d) for c, d in zip(on_d, on_d_prime, strict=True))
        assert ratio <= mp.e ** (l1 / b) * (1 + mp.mpf("1e-20"))


@pytest.mark.parametrize("name", TEX)
def test_formula(name: str) -> None:
    assert name in TESTS, f"docs/formulas/laplace.yml has {name}: write its test here"
    TESTS[name]()


def test_no_test_without_formula() -> None:
    assert set(TESTS) == set(TEX)


@pytest.mark.parametrize(
    ("tex", "value"),
    [
        (r"\tfrac12\, e^{-(\Delta/b - \varepsilon)/2}", "0.5"),
        (r"1 - e^{-\Delta/(2b)}", "0.6321205588285576784044762298385391"),
        (r"\max\bigl( 0,\; -b \bigr)", "0"),
        (r"2b \cdot \lvert -\Delta \rvert^2", "8"),
        (r"b \ln 20", "2.9957322735539909934352235761425408"),
    ],
)
def test_the_reader_of_formulas(tex: str, value: str) -> None:
    values = {"b": mp.mpf(1), "Delta": mp.mpf(2), "varepsilon": mp.mpf(2)}
    close(Reader(tex, values).value(), value, 1e-25)

"""Drawing a choice exactly: only integers, fractions and coins of bias e^-γ."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate
from math import lcm

from dpdocs import exact
from dpdocs.exact import Number
from dpdocs.sampling.bernoulli import exp_coin
from dpdocs.sampling.source import SIZE, Source, chosen
from dpdocs.selection.exponential import cumulative
from dpdocs.selection.scores import Scores, scores

__all__ = ["draw_exponential_mechanism", "draw_permute_and_flip"]

MOST_TRIES = 100  # for each choice
DIGITS = 40


def draw_exponential_mechanism(
    utilities: object,
    epsilon: Number,
    size: Number,
    sensitivity: Number = 1,
    base_measure: object = None,
    source: Source | None = None,
) -> list[int]:
    r"""Draw choices of the exponential mechanism, exactly.

    Parameters
    ----------
    utilities : list of number or decimal string
        The utility of each choice.
    epsilon : number or decimal string
        At least 0.
    size : number or decimal string
        How many draws, 0 to 10 000 000.
    sensitivity : number or decimal string
        Greater than 0.
    base_measure : list of number or decimal string, optional
        A weight for each choice, at least 0.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    list of int
        Indices, from 0.

    Notes
    -----
    A choice from the base measure is kept with probability $e^{\varepsilon(u_i-\max u)/(2\Delta)}$.
    One draw takes at most n tries on average for n choices of equal weight. Where little of the
    base measure lies on the highest utility, the digits of a uniform real are drawn instead, and
    the probabilities computed, until both tell which choice it is: exact as well. How long a draw
    takes depends on the data: where an attacker can time it, answer at a fixed time.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> draw_exponential_mechanism([0, 1, 4], epsilon=1, size=8, source=Seeded(1))
    [0, 1, 2, 2, 2, 2, 2, 2]
    """
    given = scores(utilities, epsilon, sensitivity, base_measure)
    count, integers = exact.whole(size, "size", SIZE), chosen(source)
    common = lcm(*(weight.denominator for weight in given.weights))
    ends = list(accumulate(int(weight * common) for weight in given.weights))
    best = sum(w for x, w in zip(given.exponents, given.weights, strict=True) if w and x == 0)
    if best * MOST_TRIES * len(ends) < sum(given.weights):
        first = cumulative(given, DIGITS)
        return [_by_digits(given, first, integers) for _ in range(count)]
    return [_exponential(given.exponents, ends, integers) for _ in range(count)]


def _by_digits(given: Scores, first: list[Fraction], source: Source) -> int:
    """The inverse of the cumulative probabilities at a uniform real, as many digits as needed."""
    drawn, digits, ends = 0, 0, first
    while True:
        digits += DIGITS
        unit = 10**digits
        drawn = drawn * 10**DIGITS + source.below(10**DIGITS)
        # The real lies in [drawn, drawn + 1]/unit, each end within 1/unit of what is computed.
        low = bisect_right(ends, Fraction(drawn - 1, unit), hi=len(ends) - 1)
        if low == bisect_right(ends, Fraction(drawn + 2, unit), hi=len(ends) - 1):
            return low
        ends = cumulative(given, digits + DIGITS)


def _exponential(exponents: tuple[Fraction, ...], ends: list[int], source: Source) -> int:
    while True:
        drawn = source.below(ends[-1])
        index = bisect_right(ends, drawn)
        if exp_coin(-exponents[index].numerator, exponents[index].denominator, source):
            return index


def draw_permute_and_flip(
    utilities: object,
    epsilon: Number,
    size: Number,
    sensitivity: Number = 1,
    source: Source | None = None,
) -> list[int]:
    """Draw choices of permute-and-flip, exactly.

    Parameters
    ----------
    utilities : list of number or decimal string
        The utility of each choice.
    epsilon : number or decimal string
        At least 0.
    size : number or decimal string
        How many draws, 0 to 10 000 000.
    sensitivity : number or decimal string
        Greater than 0.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    list of int
        Indices, from 0.

    Notes
    -----
    Algorithm 1 of McKenna and Sheldon (2020) as it stands. The coin of the best choice always
    shows heads, so a draw ends after at most n coins.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> draw_permute_and_flip([0, 1, 4], epsilon=1, size=8, source=Seeded(1))
    [2, 1, 0, 2, 2, 2, 2, 2]
    """
    exponents = scores(utilities, epsilon, sensitivity).exponents
    count, integers = exact.whole(size, "size", SIZE), chosen(source)
    return [_flip(exponents, integers) for _ in range(count)]


def _flip(exponents: tuple[Fraction, ...], source: Source) -> int:
    left = list(range(len(exponents)))
    while True:
        place = source.below(len(left))
        index = left[place]
        left[place] = left[-1]  # without replacement, in constant time
        left.pop()
        if exp_coin(-exponents[index].numerator, exponents[index].denominator, source):
            return index

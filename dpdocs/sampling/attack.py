r"""The attack on float noise: which answers are impossible for which true value.

Source: Mironov, *On Significance of the Least Significant Bits for Differential Privacy*, CCS 2012,
section 4. A sum $v + n$ in floats is rounded; whether some noise $n$ that the sampler can draw is
rounded to a given answer is decided here without error, by asking the few that come close.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdocs import exact, special
from dpdocs.exact import Number, Range
from dpdocs.sampling.grid import grid_laplace, grid_reachable
from dpdocs.sampling.leaky import BITS, LEAKY_SCALE, LEAKY_VALUE, leaky_laplace, leaky_noise
from dpdocs.sampling.source import Source, chosen

__all__ = ["Rate", "attack_rate", "excluded", "leaky_reachable", "porous_fraction"]

TRIALS = Range("1", "10000000")
CONFIDENCE = Range("0", "1", open_minimum=True, open_maximum=True)
_MARGIN = 4  # the computed k is off by less than 3, see `leaky_reachable`


def leaky_reachable(output: float, value: Number, scale: Number) -> bool:
    r"""Whether `leaky_laplace` can give this output for this true value.

    Parameters
    ----------
    output : float
        What was released, bit for bit.
    value : number or decimal string
        A candidate for the true answer, at most 1e100 in size.
    scale : number or decimal string
        The scale b, in [1e-100, 1e100].

    Returns
    -------
    bool
        False where no random number leads from the value to the output.

    Notes
    -----
    The noise must lie within half a unit in the last place of the output, so
    $k = 2^{53}e^{-|n|/b}$ lies in an interval. Each $k$ in it, and four more on each side, is
    tried with the arithmetic of the sampler. Four are enough: with $\ell = -\ln(k\,2^{-53})$, the
    exponential is off by at most $k\,2^{-52}(1+\ell) \le 2$, and the sampler's own
    rounding of the noise moves $k$ by at most $k\,2^{-52}\ell \le 2/e$. Where the interval is
    long, a number in its middle is a hit, and nothing else is tried.

    Examples
    --------
    >>> leaky_reachable(0.6931471805599453, value=0, scale=1)
    True
    >>> leaky_reachable(1e-17, value=0, scale=1)  # the least noise other than 0 is 1.1e-16
    False
    """
    true = exact.nearest(exact.number(value, "value", LEAKY_VALUE))
    width = exact.nearest(exact.number(scale, "scale", LEAKY_SCALE))
    exact.number(output, "output")
    return _reaches(float(output), true, width)


def _reaches(output: float, true: float, width: float) -> bool:
    low, high = (end - Fraction(true) for end in _rounded_to(output))
    return any(
        true + sign * leaky_noise(k, width) == output
        for sign in (1, -1)
        for k in _candidates(sign * low, sign * high, width)
    )


def _rounded_to(output: float) -> tuple[Fraction, Fraction]:
    """The reals that are rounded to this float, ends included."""
    exactly = Fraction(output)
    under = Fraction(math.nextafter(output, -math.inf))
    over = Fraction(math.nextafter(output, math.inf))
    return (under + exactly) / 2, (exactly + over) / 2


def _candidates(one: Fraction, other: Fraction, width: float) -> Iterator[int]:
    """All k whose noise may lie between two numbers, from the middle outwards."""
    least, most = max(min(one, other), Fraction(0)), max(one, other)
    if most < 0:
        return
    first = max(1, _uniform(most, width) - _MARGIN)
    last = min(1 << BITS, _uniform(least, width) + _MARGIN)
    middle = (first + last) // 2
    for step in range(last - first + 1):
        k = middle + (step + 1) // 2 * (1 if step % 2 else -1)
        if first <= k <= last:
            yield k


def _uniform(noise: Fraction, width: float) -> int:
    """The k that becomes this noise, up to the rounding of the exponential."""
    return round(math.ldexp(math.exp(-exact.nearest(noise / Fraction(width))), BITS))


def excluded(
    output: float, candidates: Sequence[Number], scale: Number, grid: Number | None = None
) -> list[Number]:
    """The candidates for the true answer that an output proves wrong.

    Parameters
    ----------
    output : float or Fraction
        What was released.
    candidates : list of number or decimal string
        What the true answer may be.
    scale : number or decimal string
        The scale b of the noise.
    grid : number or decimal string, optional
        The step of the grid for an answer of `grid_laplace`; left out, it is one of
        `leaky_laplace`.

    Returns
    -------
    list
        Those candidates from which the output cannot come.

    Examples
    --------
    >>> excluded(1e-17, [0, "1e-17"], scale=1)  # the least noise other than 0 is 1.1e-16
    [0]
    """
    possible = _test(scale, grid)
    return [candidate for candidate in candidates if not possible(output, candidate)]


def _test(scale: Number, grid: Number | None) -> Callable[[float, Number], bool]:
    if grid is None:
        return lambda output, candidate: leaky_reachable(output, candidate, scale)
    return lambda output, candidate: grid_reachable(output, candidate, grid)


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something happened in independent trials, and bounds on its probability.

    Parameters
    ----------
    successes, trials : int
        The counts.
    lower, upper : float
        Ends of the Clopper–Pearson interval.

    Examples
    --------
    >>> attack_rate(0, 1, scale=1, trials=10, grid="0.5").successes
    0
    """

    successes: int
    trials: int
    lower: float
    upper: float


def attack_rate(
    truth: Number,
    other: Number,
    scale: Number,
    trials: Number,
    grid: Number | None = None,
    confidence: Number = "0.99",
    source: Source | None = None,
) -> Rate:
    """How often one answer alone proves that the truth is not the other candidate.

    Parameters
    ----------
    truth, other : number or decimal string
        The true answer and the one that the attacker wants to rule out.
    scale : number or decimal string
        The scale b of the noise.
    trials : number or decimal string
        How many answers are attacked, 1 to 10 000 000.
    grid : number or decimal string, optional
        With a step, answers are those of `grid_laplace`; left out, of `leaky_laplace`.
    confidence : number or decimal string
        Probability with which the interval holds, in (0, 1).
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    Rate
        Successes, and bounds on their probability by Clopper and Pearson (1934): each end is
        wrong with probability at most (1 − confidence)/2.

    Notes
    -----
    Under ε-differential privacy with any finite ε the probability is 0.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> attack_rate(0, 1, scale=1, trials=200, source=Seeded(1)).lower > 0.5
    True
    >>> attack_rate(0, 1, scale=1, trials=200, grid="0.001", source=Seeded(1)).successes
    0
    """
    count, integers = exact.whole(trials, "trials", TRIALS), chosen(source)
    certain = exact.number(confidence, "confidence", CONFIDENCE)
    outputs: Sequence[float | Fraction]
    if grid is None:
        outputs = leaky_laplace(truth, scale, count, integers)
    else:
        outputs = grid_laplace(truth, scale, grid, count, integers)
    possible = _test(scale, grid)
    successes = sum(not possible(output, other) for output in outputs)  # type: ignore[arg-type]
    lower, upper = special.binomial_bounds(successes, count, exact.nearest((1 - certain) / 2))
    return Rate(successes, count, lower, upper)


def porous_fraction(value: Number, scale: Number, near: Number, count: Number = 1000) -> float:
    """Which part of the floats next to a number cannot come out for this true value.

    Parameters
    ----------
    value : number or decimal string
        The true answer, at most 1e100 in size.
    scale : number or decimal string
        The scale b, in [1e-100, 1e100].
    near : number or decimal string
        Where to look, at most 1e100 in size.
    count : number or decimal string
        How many neighbouring floats are tried, 1 to 10 000 000.

    Returns
    -------
    float
        Unreachable ones, by `count`.

    Examples
    --------
    >>> porous_fraction(value=1000, scale=1, near="1000.5")  # rounding hides the noise's steps
    0.0
    >>> porous_fraction(value=0, scale=1, near=100)  # more than 53 ln 2 scales away
    1.0
    """
    true = exact.nearest(exact.number(value, "value", LEAKY_VALUE))
    width = exact.nearest(exact.number(scale, "scale", LEAKY_SCALE))
    total = exact.whole(count, "count", TRIALS)
    output = exact.nearest(exact.number(near, "near", LEAKY_VALUE))
    missing = 0
    for _ in range(total):
        missing += not _reaches(output, true, width)
        output = math.nextafter(output, math.inf)
    return missing / total

"""What a selection costs, and what it reveals: expected loss and the exact ε of a pair."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from dpdocs import exact
from dpdocs.exact import EPSILON, POSITIVE, Number, Range
from dpdocs.selection.scores import listed

__all__ = ["expected_loss", "largest_log_ratio", "loss_bound"]

PROBABILITY = Range("0", "1")
COUNT = Range("1", "1e300")
FAILURE = Range("0", "1", open_minimum=True)


def largest_log_ratio(p: Iterable[float], q: Iterable[float]) -> float:
    r"""The exact ε of a pair of neighbours, from their selection probabilities.

    Parameters
    ----------
    p, q : list of float
        Probabilities of the same choices on the two data sets. Logarithms are taken here, so the
        probabilities must not have underflowed.

    Returns
    -------
    float
        $\max_i |\ln p_i - \ln q_i|$, the least ε with δ = 0 in both directions; infinite where
        a choice is possible on one side only. Choices that both never make are passed over.

    Examples
    --------
    >>> from dpdocs.selection import exponential_mechanism
    >>> p = exponential_mechanism([20, 0], epsilon=1)
    >>> q = exponential_mechanism([19, 1], epsilon=1)
    >>> round(largest_log_ratio(p, q), 9)  # near ε: the mechanism is tight
    0.999921997
    """
    first = listed(list(p), "p", PROBABILITY)
    second = listed(list(q), "q", PROBABILITY, len(first))
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a or b]
    return max((abs(_log_ratio(*pair)) for pair in pairs), default=0.0)


def _log_ratio(a: Fraction, b: Fraction) -> float:
    return exact.log(a / b) if a and b else math.inf


def expected_loss(probabilities: Iterable[float], utilities: object) -> float:
    r"""How far the utility of a choice falls short of the best on average.

    Parameters
    ----------
    probabilities : list of float
        Selection probabilities.
    utilities : list of number or decimal string
        The utility of each choice.

    Returns
    -------
    float
        $\sum_i p_i\,(\max u - u_i)$, summed exactly and rounded once.

    Examples
    --------
    >>> from dpdocs.selection import exponential_mechanism, permute_and_flip
    >>> utilities = [0, 1, 2]
    >>> round(expected_loss(exponential_mechanism(utilities, epsilon=2), utilities), 9)
    0.424789617
    >>> round(expected_loss(permute_and_flip(utilities, epsilon=2), utilities), 9)
    0.29438147
    """
    values = listed(utilities, "utilities", Range())
    chances = listed(list(probabilities), "probabilities", PROBABILITY, len(values))
    best = max(values)
    lost = sum((p * (best - u) for p, u in zip(chances, values, strict=True)), Fraction(0))
    return exact.nearest(lost)


def loss_bound(
    choices: Number, epsilon: Number, sensitivity: Number = 1, failure: Number | None = None
) -> float:
    r"""How much is lost at most: on average, or except with a given probability.

    Parameters
    ----------
    choices : number or decimal string
        Number n of choices.
    epsilon : number or decimal string
        At least 0.
    sensitivity : number or decimal string
        Greater than 0.
    failure : number or decimal string, optional
        Probability β with which the loss may be larger, in (0, 1]; left out, the bound is on the
        average.

    Returns
    -------
    float
        $\frac{2\Delta}{\varepsilon}\ln n$ for the average, $\frac{2\Delta}{\varepsilon}
        \ln\frac{n}{\beta}$ otherwise. Both hold for the exponential mechanism with equal weights
        and for permute-and-flip.

    Notes
    -----
    With $c = \varepsilon/(2\Delta)$ and the entropy $H \le \ln n$ of the choice,
    $c\,\mathrm{E}u + H = \ln\sum_i e^{cu_i} \ge c\max u$ for the exponential mechanism. The second
    is theorem 3.11 of Dwork and Roth (2014). Permute-and-flip never loses more, on average or
    beyond any threshold (McKenna and Sheldon 2020, theorem 2).

    Examples
    --------
    >>> round(loss_bound(choices=100, epsilon=1), 9)
    9.210340372
    """
    count = exact.whole(choices, "choices", COUNT)
    rate = exact.number(epsilon, "epsilon", EPSILON)
    width = 2 * exact.number(sensitivity, "sensitivity", POSITIVE)
    share = Fraction(1)
    if failure is not None:
        share = exact.number(failure, "failure", FAILURE)
    log = exact.log(count / share)
    if log == 0:
        return 0.0
    return exact.nearest(Fraction(log) * width / rate) if rate else math.inf

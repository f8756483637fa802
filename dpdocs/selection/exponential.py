r"""The exponential mechanism: probabilities proportional to $w_i\,e^{\varepsilon u_i/(2\Delta)}$.

Source: McSherry and Talwar, *Mechanism Design via Differential Privacy*, FOCS 2007. Exponents stay
fractions, and are turned into decimals of 60 digits, whose exponential neither overflows nor
cancels; one rounding to a float is the last step.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from itertools import accumulate

import numpy as np

from dpdocs.exact import FloatArray, Number
from dpdocs.selection.scores import Scores, scores

__all__ = ["cumulative", "exponential_mechanism", "log_probabilities"]

_DIGITS = 60
_SMALL = Decimal("1e-25")  # below it two terms of ln(1+x) have 50 digits


def exponential_mechanism(
    utilities: object, epsilon: Number, sensitivity: Number = 1, base_measure: object = None
) -> FloatArray:
    r"""Selection probabilities of the exponential mechanism, to the last digit.

    Parameters
    ----------
    utilities : list of number or decimal string
        The utility $u_i$ of each choice.
    epsilon : number or decimal string
        The ε that the choice satisfies, at least 0. With 0 the base measure decides alone.
    sensitivity : number or decimal string
        Largest change Δ of any one utility between neighbours, greater than 0.
    base_measure : list of number or decimal string, optional
        A weight $w_i \ge 0$ for each choice that does not depend on the data; each 1 if left out.

    Returns
    -------
    array of float
        Probabilities

        $$ p_i = \frac{w_i\,e^{\varepsilon u_i/(2\Delta)}}
        {\sum_j w_j\,e^{\varepsilon u_j/(2\Delta)}} , $$

        each rounded once to a float, and 0.0 where that is too small for one.

    Notes
    -----
    Between neighbours each exponent moves by at most ε/2, and so does the logarithm of the sum:
    δ = 0 at ε (McSherry and Talwar 2007, theorem 6). Where a change of the data moves all
    utilities in the same direction, half the sensitivity is enough.

    Examples
    --------
    >>> exponential_mechanism([0, -5000, -6000], epsilon=1, base_measure=[0, 1, 1]).tolist()
    [0.0, 1.0, 7.124576406741286e-218]
    """
    with _digits():
        terms, rest = _terms(scores(utilities, epsilon, sensitivity, base_measure))
        return np.array([float(term / (1 + rest)) for term in terms])


def log_probabilities(
    utilities: object, epsilon: Number, sensitivity: Number = 1, base_measure: object = None
) -> FloatArray:
    r"""Natural logarithms of the probabilities of the exponential mechanism.

    Parameters
    ----------
    utilities : list of number or decimal string
        The utility of each choice.
    epsilon : number or decimal string
        At least 0.
    sensitivity : number or decimal string
        Greater than 0.
    base_measure : list of number or decimal string, optional
        A weight for each choice, at least 0.

    Returns
    -------
    array of float
        Also where the probability is too small for a float; $-\infty$ where the weight is 0.

    Examples
    --------
    >>> log_probabilities([0, -5000, -6000], epsilon=1, base_measure=[0, 1, 1]).round(9).tolist()
    [-inf, -0.0, -500.0]
    """
    with _digits():
        given = scores(utilities, epsilon, sensitivity, base_measure)
        _, rest = _terms(given)
        total = _log_one_plus(rest)
        return np.array([float(log - total) for log in _logs(given)])


def cumulative(given: Scores, digits: int) -> list[Fraction]:
    """Sums of the probabilities of all choices up to each.

    Parameters
    ----------
    given : Scores
        Exponents and weights.
    digits : int
        Each sum is within 10^-digits of its true value.

    Returns
    -------
    list of Fraction
        One sum for each choice; the last is near 1.

    Examples
    --------
    >>> from dpdocs.selection.scores import scores
    >>> [float(end) for end in cumulative(scores([0, 0], 1), 30)]
    [0.5, 1.0]
    """
    # Exponents cancel against logarithms of weights of up to 20 000 digits: 10 digits are lost at
    # most where a term counts. The other 10 are for the number of terms.
    with _digits(digits + 20 + len(str(len(given.weights)))):
        terms, rest = _terms(given)
        return [Fraction(end / (1 + rest)) for end in accumulate(terms)]


@contextmanager
def _digits(digits: int = _DIGITS) -> Iterator[None]:
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = digits, MIN_EMIN, MAX_EMAX
        context.clear_traps()
        yield


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _logs(given: Scores) -> list[Decimal]:
    """ln of w_i e^{x_i}, relative to the largest of them, whose entry is exactly 0."""
    pairs = list(zip(given.exponents, given.weights, strict=True))
    rough = [_decimal(x) + _decimal(w).ln() for x, w in pairs]  # -Infinity for a weight of 0
    top_exponent, top_weight = pairs[max(range(len(pairs)), key=rough.__getitem__)]
    return [_decimal(x - top_exponent) + _decimal(w / top_weight).ln() for x, w in pairs]


def _terms(given: Scores) -> tuple[list[Decimal], Decimal]:
    """The terms relative to the largest, and the sum of all but that one."""
    terms = [log.exp() for log in _logs(given)]
    return terms, sum(sorted(terms)[:-1], Decimal(0))


def _log_one_plus(x: Decimal) -> Decimal:
    return x - x * x / 2 if x < _SMALL else (1 + x).ln()

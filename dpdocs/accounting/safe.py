"""Formulas with logarithms and exponentials, rounded to the safe side.

A textbook bound is a promise, so its float must not be below its real value. It is computed in
60-digit decimals (whose `exp`, `ln` and `sqrt` are rounded correctly), raised by far more than
the rounding of its few operations, and then rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Overflow, localcontext
from fractions import Fraction
from typing import Literal

from dpdocs import exact
from dpdocs.exact import Number

__all__ = ["CLAIMED_DELTA", "Guarantee", "decimal", "shown", "upward"]

CLAIMED_DELTA = exact.Range("0", "1", open_minimum=True, open_maximum=True)

_DIGITS = 60
_SLACK = Decimal("1e-45")


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A pair (ε, δ) that holds, and what it rests on.

    Parameters
    ----------
    epsilon, delta : float
        The guarantee, rounded up: the decimals that these floats show are not below it.
    basis : str
        The theorem.
    kind : {"exact", "upper bound"}
        "exact" where no smaller ε is true for what was given, up to the certified error of the
        computation; else there may be a smaller one.

    Examples
    --------
    >>> import dpdocs
    >>> dpdocs.accounting.basic([("0.1", 0)], times=3).epsilon
    0.3
    """

    epsilon: float
    delta: float
    basis: str
    kind: Literal["exact", "upper bound"] = "upper bound"


def shown(bound: float) -> float:
    """Return the least float whose decimal is not below a bound."""
    return exact.least_float(Fraction(bound)) if math.isfinite(bound) else bound


def decimal(value: Number) -> Decimal:
    """Return a rational in the digits of the present context."""
    fraction = Fraction(value)
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def upward(formula: Callable[[], Decimal], digits: int = _DIGITS) -> float:
    """Evaluate a formula in decimals and round it up to a float.

    Parameters
    ----------
    formula : callable
        Without argument; called where decimals have the digits asked for. Its sums must not
        cancel more than a third of these.
    digits : int
        How many.

    Returns
    -------
    float
        Not below the value, as a float and as the decimal that it shows; infinite where that is
        beyond the floats.

    Examples
    --------
    >>> upward(lambda: Decimal(2).sqrt()) == math.nextafter(math.sqrt(2), 2)
    False
    >>> upward(lambda: Decimal(2).sqrt()) >= math.sqrt(2)
    True
    """
    with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        try:
            value = formula()
        except Overflow:
            return math.inf
        if not value.is_finite() or value > Decimal("1e308"):
            return math.inf
        if abs(value) < Decimal("1e-320"):
            return math.ulp(0.0) if value > 0 else 0.0
        raised = Fraction(value + abs(value) * _SLACK)
        return max(exact.least_float(raised), exact.above(raised))

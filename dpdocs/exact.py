"""Numbers as they are written: decimals read as rationals, rationals rounded once.

A boundary such as ε·b ≥ Δ is decided here, never by dividing floats. A Python or NumPy float
stands for its shortest decimal, the one that `repr` shows: 0.1 is 1/10. So a number means the
same typed into a page, written in a program, and read back from a file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpdocs.errors import ParameterError

__all__ = [
    "DELTA",
    "EPSILON",
    "FLOAT_EPSILON",
    "POSITIVE",
    "SCALE",
    "SENSITIVITY",
    "FloatArray",
    "Number",
    "Range",
    "above",
    "below",
    "clip",
    "least_float",
    "least_float_where",
    "log",
    "nearest",
    "number",
    "numbers",
    "root",
    "two_floats",
    "whole",
]

Number: TypeAlias = int | float | Fraction | Decimal | str
FloatArray: TypeAlias = NDArray[np.float64]

LONGEST_TEXT = 2_000  # characters; the longest float written out in full has about 1,100
LARGEST_EXPONENT = 20_000  # a rational of this size is still quick to compute with

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")
_COMMA = re.compile(r"[0-9],[0-9]|,[0-9]|[0-9],")
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff0b-\uff0e]")
_NOT_FINITE = re.compile(r"[+-]?(inf|infinity|∞)", re.IGNORECASE)


@cache
def _limit(text: str) -> Fraction:
    return Fraction(text)


@dataclass(frozen=True, slots=True)
class Range:
    """A legal interval; its limits are kept as written, for messages.

    Attributes
    ----------
    minimum, maximum : str, optional
        Limits as decimals; none where the interval is unbounded.
    open_minimum, open_maximum : bool
        Whether the limit itself is excluded.

    Examples
    --------
    >>> str(Range("0", "1e300", open_minimum=True))
    'greater than 0 and at most 1e300'
    """

    minimum: str | None = None
    maximum: str | None = None
    open_minimum: bool = False
    open_maximum: bool = False

    def __str__(self) -> str:
        parts = []
        if self.minimum is not None:
            parts.append(f"{'greater than' if self.open_minimum else 'at least'} {self.minimum}")
        if self.maximum is not None:
            parts.append(f"{'less than' if self.open_maximum else 'at most'} {self.maximum}")
        return " and ".join(parts) or "finite"

    @property
    def limits(self) -> dict[str, str]:
        """The limits that exist, under the names that messages use."""
        pairs = {"minimum": self.minimum, "maximum": self.maximum}
        return {name: text for name, text in pairs.items() if text is not None}

    def check(self, value: Fraction, parameter: str, given: object) -> Fraction:
        """Return a number that lies inside.

        Parameters
        ----------
        value : Fraction
            The number.
        parameter : str
            Name used in a refusal.
        given : object
            What the number was read from, for the refusal.

        Returns
        -------
        Fraction
            The same number.

        Raises
        ------
        ParameterError
            Cases "not-positive", "below-minimum", "above-maximum", "not-below-maximum".

        Examples
        --------
        >>> DELTA.check(Fraction(1, 2), "delta", "0.5")
        Fraction(1, 2)
        """
        if self.minimum is not None:
            least = _limit(self.minimum)
            if value < least or (self.open_minimum and value == least):
                positive = self.open_minimum and least == 0
                raise self._refusal(parameter, given, "not-positive" if positive else "below")
        if self.maximum is not None:
            most = _limit(self.maximum)
            if value > most or (self.open_maximum and value == most):
                raise self._refusal(parameter, given, "above")
        return value

    def _refusal(self, parameter: str, given: object, side: str) -> ParameterError:
        if side == "above":
            rule = f"must be {'less than' if self.open_maximum else 'at most'} {self.maximum}"
            case = "not-below-maximum" if self.open_maximum else "above-maximum"
        else:
            rule = f"must be {'greater than' if self.open_minimum else 'at least'} {self.minimum}"
            case = side if side == "not-positive" else "below-minimum"
        remedy = f"Enter a number {self}"
        return ParameterError(parameter, given, rule, remedy, case, self.limits)


EPSILON = Range("0")
FLOAT_EPSILON = Range("0", "1e300")  # where an ε goes into floats, and not only into a comparison
POSITIVE = Range("0", open_minimum=True)
DELTA = Range("0", "1")
SCALE = Range("0", "1e300", open_minimum=True)
SENSITIVITY = Range("0", "1e300")
_ANY = Range()


def number(value: object, parameter: str, allowed: Range = _ANY) -> Fraction:
    """Read one number exactly.

    Parameters
    ----------
    value : int, float, Fraction, Decimal, NumPy number or str
        Text is a decimal such as "0.1" or "-2.5e-3"; spaces around it are ignored. A float
        stands for its shortest decimal.
    parameter : str
        Name used in a refusal.
    allowed : Range
        Legal interval.

    Returns
    -------
    Fraction
        The number as written.

    Raises
    ------
    ParameterError
        For anything that is not a finite real number inside `allowed`. Numbers whose size is
        above 10^20000, or below 10^-20000 without being 0, are refused before they are built.

    Examples
    --------
    >>> number("0.1", "scale"), number(0.1, "scale")
    (Fraction(1, 10), Fraction(1, 10))
    """
    return allowed.check(_read(value, parameter, allowed), parameter, value)


def clip(value: object, parameter: str, low: Fraction, high: Fraction) -> Fraction:
    """Read a number of any size and move it to the nearest point of an interval.

    Parameters
    ----------
    value : int, float, Fraction, Decimal, NumPy number or str
        As for `number`, without its limit on size.
    parameter : str
        Name used in a refusal.
    low, high : Fraction
        The interval.

    Returns
    -------
    Fraction
        The number inside.

    Examples
    --------
    >>> clip("1e999999999", "record", Fraction(0), Fraction(2))
    Fraction(2, 1)
    """
    try:
        exact = _read(value, parameter, _ANY)
    except ParameterError as refusal:
        if refusal.case != "above-maximum":
            raise
        exact = low if str(value).strip().startswith(("-", "−")) else high
    return min(max(exact, low), high)


def whole(value: object, parameter: str, allowed: Range = _ANY) -> int:
    """Read a whole number; "4", 4, 4.0 and "4.0" are all four.

    Parameters
    ----------
    value : int, float, Fraction, Decimal, NumPy number or str
        As for `number`.
    parameter : str
        Name used in a refusal.
    allowed : Range
        Legal interval.

    Returns
    -------
    int
        The number.

    Raises
    ------
    ParameterError
        As `number`, and "not-whole".

    Examples
    --------
    >>> whole("4.0", "n")
    4
    """
    exact = _read(value, parameter, allowed)
    if exact.denominator != 1:
        remedy = f"Enter a whole number {allowed}" if allowed.limits else "Enter a whole number"
        raise ParameterError(
            parameter, value, "must be a whole number", remedy, "not-whole", allowed.limits
        )
    return allowed.check(exact, parameter, value).numerator


def numbers(
    values: object, parameter: str, allowed: Range = _ANY
) -> tuple[list[Fraction], tuple[int, ...] | None]:
    """Read a scalar or an array of numbers exactly.

    Parameters
    ----------
    values : number, decimal string, or nested sequence or array of them
        Each as for `number`.
    parameter : str
        Name used in a refusal.
    allowed : Range
        Legal interval.

    Returns
    -------
    exact : list of Fraction
        The numbers in C order.
    shape : tuple of int, or None
        None for a scalar.

    Examples
    --------
    >>> numbers([0.5, "0.1"], "epsilon")
    ([Fraction(1, 2), Fraction(1, 10)], (2,))
    """
    if isinstance(values, (str, Rational, float, Decimal)) or values is None:
        return [number(values, parameter, allowed)], None
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if array.ndim == 0:
        return [number(values, parameter, allowed)], None
    items = array.ravel().tolist() if array.dtype in (np.float64, object) else array.ravel()
    return [number(value, parameter, allowed) for value in items], array.shape


def _read(value: object, parameter: str, allowed: Range) -> Fraction:
    if type(value) is float and math.isfinite(value):  # by far the most common: no text needed
        return Fraction(Decimal(repr(value)))
    if isinstance(value, (bool, np.bool_)):
        raise _not_a_number(parameter, value, allowed)
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, (str, float, np.floating, Decimal)):
        return _read_text(str(value), parameter, value, allowed)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _read(value[()], parameter, allowed)
    if value is None:
        return _read_text("", parameter, value, allowed)
    raise _not_a_number(parameter, value, allowed)


def _read_text(raw: str, parameter: str, given: object, allowed: Range) -> Fraction:
    text = raw.strip().replace("−", "-")  # the minus sign that pages print

    def refuse(rule: str, remedy: str, case: str) -> ParameterError:
        return ParameterError(parameter, given, rule, remedy, case, allowed.limits)

    if not text:
        raise refuse("must not be empty", f"Enter a number {allowed}", "empty")
    if len(text) > LONGEST_TEXT:
        raise refuse(
            f"must not be longer than {LONGEST_TEXT} characters", "Enter fewer digits", "too-long"
        )
    if _FULL_WIDTH.search(text):
        raise refuse(
            "must be written in the digits 0–9",
            "Switch the keyboard to half-width",
            "full-width-digits",
        )
    if _NOT_FINITE.fullmatch(text):
        raise refuse("must be finite", f"Enter a number {allowed}", "not-finite")
    found = _DECIMAL.fullmatch(text)
    if not found or not (found[2] or found[3]):
        if _COMMA.search(text):
            raise refuse(
                "must be written with a point, not a comma",
                "Enter 1.5 instead of 1,5",
                "decimal-comma",
            )
        raise _not_a_number(parameter, given, allowed)
    sign, units, decimals, exponent = found[1], found[2], found[3] or "", int(found[4] or 0)
    digits = (units + decimals).lstrip("0")
    if not digits:
        return Fraction(0)
    exponent -= len(decimals)
    size = exponent + len(digits)  # the number lies in [10^(size-1), 10^size)
    if abs(size) > LARGEST_EXPONENT:
        raise _beyond(parameter, given, allowed, negative=sign == "-", tiny=size < 0)
    mantissa = int(sign + digits)
    if exponent >= 0:
        return Fraction(mantissa * 10**exponent)
    return Fraction(mantissa, 10**-exponent)


def _beyond(
    parameter: str, given: object, allowed: Range, *, negative: bool, tiny: bool
) -> ParameterError:
    """The refusal of a number too large or too small to be built."""
    if tiny:
        least = f"1e-{LARGEST_EXPONENT}"
        rule = f"must be 0 or at least {least} in size"
        return ParameterError(
            parameter, given, rule, f"Enter 0 or {least}", "below-minimum", {"minimum": least}
        )
    stand_in = Fraction(10) ** (LARGEST_EXPONENT + 1) * (-1 if negative else 1)
    try:
        allowed.check(stand_in, parameter, given)
    except ParameterError as refusal:
        return refusal
    most = f"1e{LARGEST_EXPONENT}"
    rule = f"must be at most {most} in size"
    return ParameterError(
        parameter, given, rule, "Enter a smaller number", "above-maximum", {"maximum": most}
    )


def _not_a_number(parameter: str, given: object, allowed: Range) -> ParameterError:
    return ParameterError(
        parameter,
        given,
        "must be a number",
        f"Enter a number {allowed} in digits, such as 0.5 or 2e-3",
        "not-a-number",
        allowed.limits,
    )


def nearest(value: Fraction) -> float:
    """Round to the nearest float (ties to even); infinite beyond the largest float.

    Parameters
    ----------
    value : Fraction
        Any rational.

    Returns
    -------
    float
        The nearest one.

    Examples
    --------
    >>> nearest(Fraction(10) ** 400), nearest(Fraction(1, 10))
    (inf, 0.1)
    """
    try:
        return value.numerator / value.denominator  # Python rounds int / int correctly
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def below(value: Fraction) -> float:
    """Round down.

    Parameters
    ----------
    value : Fraction
        Any rational.

    Returns
    -------
    float
        The largest float that is at most `value`.

    Examples
    --------
    >>> below(Fraction(1, 3)) < Fraction(1, 3) < above(Fraction(1, 3))
    True
    """
    guess = nearest(value)
    at_most = guess == -math.inf or (guess != math.inf and Fraction(guess) <= value)
    return guess if at_most else math.nextafter(guess, -math.inf)


def above(value: Fraction) -> float:
    """Round up: the least float that is at least `value`."""
    return -below(-value)


def least_float(value: Fraction) -> float:
    """Round up to a float that is large enough also when it is read back as its decimal.

    Parameters
    ----------
    value : Fraction
        Any rational.

    Returns
    -------
    float
        The least float whose shortest decimal is at least `value`.

    Examples
    --------
    >>> least_float(Fraction(3, 10)), least_float(Fraction(1, 3))
    (0.3, 0.33333333333333337)
    """
    found = math.nextafter(below(value), -math.inf)
    while math.isfinite(found) and number(found, "") < value:
        found = math.nextafter(found, math.inf)
    return found


def least_float_where(holds: Callable[[float], bool], guess: float) -> float:
    """The least positive float at which a condition holds that, once true, stays true.

    Parameters
    ----------
    holds : callable
        The condition; decided in as few calls as the distance of `guess` allows.
    guess : float
        A float near the answer.

    Returns
    -------
    float
        Infinite where the condition holds at no float.

    Examples
    --------
    >>> least_float_where(lambda x: x * x >= 2, 1.4)
    1.4142135623730951
    """
    upper = max(guess, math.ulp(0.0))
    step = math.ulp(upper)
    while math.isfinite(upper) and not holds(upper):
        lower, upper, step = upper, upper + step, 2 * step
    lower, step = upper, math.ulp(upper)
    while lower > 0 and holds(lower):
        upper, lower, step = lower, max(0.0, lower - step), 2 * step
    while lower < (middle := lower + (upper - lower) / 2) < upper:
        lower, upper = (lower, middle) if holds(middle) else (middle, upper)
    return upper


def two_floats(value: Fraction) -> tuple[float, float]:
    """Split into the nearest float and the nearest float of what is left over.

    Parameters
    ----------
    value : Fraction
        Any rational.

    Returns
    -------
    tuple of float
        Two floats whose sum is within 2^-106 of `value`, relatively, unless the rest underflows.

    Examples
    --------
    >>> two_floats(Fraction(1, 3))
    (0.3333333333333333, 1.850371707708594e-17)
    """
    high = nearest(value)
    if math.isinf(high):
        return high, 0.0
    return high, nearest(value - Fraction(high))


def log(value: Fraction) -> float:
    r"""Natural logarithm of a rational of any size.

    Parameters
    ----------
    value : Fraction
        At least 0.

    Returns
    -------
    float
        The logarithm, $-\infty$ at 0.

    Examples
    --------
    >>> round(log(Fraction(1, 10**400)), 12)
    -921.034037197618
    """
    if value == 0:
        return -math.inf
    if abs(value - 1) < Fraction(1, 2):
        return math.log1p(nearest(value - 1))
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log(nearest(value / Fraction(2) ** shift)) + shift * math.log(2)


def root(value: Fraction, bits: int = 256) -> Fraction:
    """Square root of a rational.

    Parameters
    ----------
    value : Fraction
        At least 0.
    bits : int
        Significant bits where the root is irrational.

    Returns
    -------
    Fraction
        The root where it is rational, else the root rounded down.

    Examples
    --------
    >>> root(Fraction(4, 9))
    Fraction(2, 3)
    """
    over, under = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if over * over == value.numerator and under * under == value.denominator:
        return Fraction(over, under)
    shift = max(0, bits - (value.numerator.bit_length() - value.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((value.numerator << 2 * shift) // value.denominator), 1 << shift)

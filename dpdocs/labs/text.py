"""Numbers as a reader sees them: rounded with care, and never read back.

An exact number with a short decimal form is written as it is ("0.5", "2e600"); anything that had to
be rounded carries a sign for it ("≈ 0.333333333333"). The minus sign in front is the typographic
one; an exponent is written as a reader would type it.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact
from fractions import Fraction
from functools import cache

DIGITS = 12
"""Significant digits of a read-out."""

SHORT = 6
"""Significant digits of a number inside a sentence, a table or a figure."""

NONE = "—"
"""Stands for a number that does not exist."""

INFINITE = "∞"

ROUNDED = "≈ "

_POINT_MOST, _POINT_LEAST = 10, -4  # outside, the power of ten is written: 1e10, 1e-6


def number(value: Fraction | int, digits: int = DIGITS, *, real: bool = False) -> str:
    """Write a number to at most `digits` significant digits.

    Parameters
    ----------
    value : Fraction or int
        The number.
    digits : int
        Significant digits to keep.
    real : bool
        It stands for a real number that it only approximates, so the sign of a rounded number is
        due even where no digit had to be dropped.

    Returns
    -------
    str
        The text, with "≈ " in front unless it is exact.

    Examples
    --------
    >>> number(Fraction(1, 2)), number(Fraction(1, 3), 4), number(2 * Fraction(10) ** 600)
    ('0.5', '≈ 0.3333', '2e600')
    """
    context = _context(digits)
    context.clear_flags()
    exact = Fraction(value)
    rounded = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    sign, figures, power = rounded.as_tuple()
    if rounded == 0:
        return "0"
    text = "".join(map(str, figures))
    written = _write(bool(sign), text, len(text) + int(power))
    return ROUNDED + written if real or context.flags[Inexact] else written


def short(value: Fraction | int | float, digits: int = SHORT) -> str:
    """Write a number for a sentence: rounded, without the sign that says so.

    Examples
    --------
    >>> short(Fraction(-2, 3)), short(1e-7)
    ('−0.666667', '1e-7')
    """
    if isinstance(value, float):
        return _float(value, digits)
    return number(value, digits).removeprefix(ROUNDED)


def approximate(value: float, digits: int = DIGITS) -> str:
    """Write a float that stands for a real number.

    Examples
    --------
    >>> approximate(0.3934693402873666)
    '≈ 0.393469340287'
    """
    return ROUNDED + _float(value, digits)


def least_delta(log: float, digits: int = SHORT) -> str:
    """Write a least δ that is not 0, from its natural logarithm.

    Examples
    --------
    >>> least_delta(math.log(0.5)), least_delta(-math.inf)
    ('≈ 0.5', '< 1e-999999999')
    """
    if log == -math.inf:  # the logarithm, too, is beyond all floats
        return "< 1e-999999999"
    return ROUNDED + (_float(math.exp(log), digits) if log > -600 else from_log(log, digits))


def probability(value: float, digits: int = SHORT) -> str:
    """Write a probability that is not 0, though as a float it may be.

    Examples
    --------
    >>> probability(0.25), probability(0.0)
    ('≈ 0.25', '< 1e-323')
    """
    return approximate(value, digits) if value > 0 else "< 1e-323"


def from_log(log: float, digits: int = SHORT) -> str:
    """Write the number whose natural logarithm is `log`, also where no float can hold it.

    Only as many digits are written as the logarithm itself carries: its last place is about 2e-16
    of its size, and an absolute error of the logarithm is a relative error of the number.

    Examples
    --------
    >>> from_log(math.log(0.5)), from_log(-50000028.0499597), from_log(-math.inf)
    ('0.5', '5.28317e-21714737', '0')
    """
    if log == -math.inf:
        return "0"
    log10 = log / math.log(10)
    power = math.floor(log10)
    known = 14 - math.ceil(math.log10(abs(log) + 1))
    return _float(10.0 ** (log10 - power), max(1, min(digits, known)), power)


def log10(value: float, digits: int = DIGITS) -> str:
    """Write a decimal logarithm; one too negative for a float as a bound.

    Examples
    --------
    >>> log10(-0.30102999566), log10(-math.inf)
    ('≈ −0.30102999566', '< −7e307')
    """
    return "< −7e307" if value == -math.inf else approximate(value, digits)


def exponent(value: Fraction) -> int:
    """Return the power of ten of a positive number's first digit, after rounding to three.

    Examples
    --------
    >>> exponent(Fraction(999)), exponent(Fraction(9999)), exponent(Fraction(1, 200))
    (2, 4, -3)
    """
    return _context(3).divide(Decimal(value.numerator), Decimal(value.denominator)).adjusted()


def superscript(power: int) -> str:
    """Write an integer in superscript digits.

    Examples
    --------
    >>> superscript(-301)
    '⁻³⁰¹'
    """
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


@cache
def _context(digits: int) -> Context:
    """Return a decimal context that rounds to `digits` and neither overflows nor traps."""
    return Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def _float(value: float, digits: int, power: int = 0) -> str:
    """Write a float times a power of ten."""
    if math.isinf(value):
        return INFINITE if value > 0 else "−" + INFINITE
    if value == 0:
        return "0"
    mantissa, _, scale = f"{abs(value):.{digits - 1}e}".partition("e")
    return _write(value < 0, mantissa.replace(".", ""), int(scale) + 1 + power)


def _write(negative: bool, digits: str, point: int) -> str:
    """Write digits with the decimal point after the first `point` of them."""
    digits = digits.rstrip("0")
    if point > _POINT_MOST or point < _POINT_LEAST:
        body = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{point - 1}"
    elif point <= 0:
        body = "0." + "0" * -point + digits
    elif point >= len(digits):
        body = digits.ljust(point, "0")
    else:
        body = digits[:point] + "." + digits[point:]
    return "−" + body if negative else body

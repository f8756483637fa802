"""Numbers as a reader sees them: rounded with care, and never read back.

An exact number with a short decimal form is written as it is ("0.5", "2e600"); anything that had to
be rounded carries a sign for it ("≈ 0.333333333333"). The minus sign is the typographic one.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, Inexact
from fractions import Fraction

DIGITS = 12
"""Significant digits of a read-out."""

SHORT = 6
"""Significant digits of a number inside a sentence or a figure."""

NONE = "—"
"""Stands for a number that does not exist."""

INFINITE = "∞"

_EXPONENT_FROM = 10  # from 1e10 on, and below 1e-5, the power of ten is written
_EXPONENT_BELOW = -5


def _context(digits: int) -> Context:
    """Return a decimal context that rounds to `digits` and neither overflows nor traps."""
    return Context(
        prec=digits, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, capitals=0, traps=[]
    )


def _decimal(value: Fraction | float | int, digits: int) -> tuple[Decimal, bool]:
    """Round to `digits` significant digits; say whether nothing was lost."""
    exact = Fraction(value)
    context = _context(digits)
    rounded = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return rounded, not context.flags[Inexact]


def plain(value: Decimal) -> str:
    """Write a decimal without needless zeros, with a power of ten where it is short."""
    if value == 0:
        return "0"
    sign, digits, power = value.as_tuple()
    assert isinstance(power, int)
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + power  # position of the decimal point from the first digit
    if point > _EXPONENT_FROM or point <= _EXPONENT_BELOW:
        body = text[0] + ("." + text[1:] if text[1:] else "") + f"e{point - 1}"
    elif point <= 0:
        body = "0." + "0" * -point + text
    elif point >= len(text):
        body = text + "0" * (point - len(text))
    else:
        body = text[:point] + "." + text[point:]
    return ("−" if sign else "") + body


def number(value: Fraction | float | int | None, digits: int = DIGITS, *, real: bool = False) -> str:
    """Write a number to at most `digits` significant digits.

    Parameters
    ----------
    value : Fraction or float or int or None
        The number; None stands for one that does not exist.
    digits : int
        Significant digits to keep.
    real : bool
        The number itself stands for a real one that it only approximates, so that "≈" is due even
        where no digit had to be dropped.

    Returns
    -------
    str
        The text, with "≈ " in front unless it is exact.
    """
    if value is None:
        return NONE
    if isinstance(value, float) and math.isinf(value):
        return INFINITE if value > 0 else "−" + INFINITE
    rounded, exact = _decimal(value, digits)
    return plain(rounded) if exact and not real else "≈ " + plain(rounded)


def short(value: Fraction | float | int | None, digits: int = SHORT) -> str:
    """Write a number for a sentence: rounded, without the sign that says so."""
    return number(value, digits).removeprefix("≈ ")


def decimal(value: float, digits: int = DIGITS) -> str:
    """Write a float that was rounded once from an exact number: it stands for its shortest decimal.

    One third therefore carries the sign of a rounded number, and 0.1 does not.
    """
    return number(value if math.isinf(value) else Fraction(repr(value)), digits)


def log10(value: float, digits: int = DIGITS) -> str:
    """Write a logarithm; one too negative for a float as a bound."""
    return "< −7e307" if value == -math.inf else number(value, digits, real=value != 0)


def from_log(log: float, digits: int = SHORT) -> str:
    """Write the number whose natural logarithm is `log`, for numbers that no float can hold.

    Only as many digits are written as the logarithm itself carries: its last place is about 2e-16 of
    its size, and an absolute error of the logarithm is a relative error of the number.
    """
    if log == -math.inf:
        return "0"
    log10 = log / math.log(10)
    power = math.floor(log10)
    known = 14 - math.ceil(math.log10(abs(log) + 1))
    mantissa = Decimal(10.0 ** (log10 - power))
    rounded = _context(max(1, min(digits, known))).plus(mantissa)
    return plain(rounded.scaleb(power, _context(digits)))


def exponent(value: Fraction) -> int:
    """Return the power of ten of the first digit (0 for zero)."""
    if value == 0:
        return 0
    rounded, _ = _decimal(abs(value), 3)
    return rounded.adjusted()


def superscript(power: int) -> str:
    """Write an integer in superscript digits."""
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))

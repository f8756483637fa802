r"""As many digits as a verdict needs: enclosures in decimal arithmetic.

A float cannot tell $\delta \le \delta_0$ from $\delta > \delta_0$ where the two agree in sixteen
digits. These functions give a lower and an upper bound whose distance shrinks as `digits` grows,
so a comparison can be repeated until it is decided. Each value is computed with guard digits that
exceed the rounding of all its operations, then widened by one unit in digit `digits`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import TypeAlias

__all__ = ["Enclosure", "add_log", "at_most", "gaussian_delta", "one_minus_exp", "rounded"]

Enclosure: TypeAlias = tuple[Decimal, Decimal]

_GUARD = 20
_FEWEST, _MOST = 40, 5120
_FAR = 400  # e^(-400²/2) is far below the smallest claim that can be written


def at_most(enclose: Callable[[int], Enclosure | None], claim: Fraction) -> bool | None:
    """Whether an enclosed number is at most `claim`.

    Parameters
    ----------
    enclose : callable
        Takes a number of digits, gives a lower and an upper bound, or None if it has none.
    claim : Fraction
        What the number is compared with.

    Returns
    -------
    bool or None
        None where there are no bounds, or 5120 digits do not separate the two.

    Examples
    --------
    >>> at_most(lambda digits: one_minus_exp(Fraction(-1, 2), digits), Fraction("0.3934693402873"))
    False
    """
    digits = _FEWEST
    while digits <= _MOST:
        bounds = enclose(digits)
        if bounds is None:
            return None
        if Fraction(bounds[1]) <= claim:
            return True
        if Fraction(bounds[0]) > claim:
            return False
        digits *= 2
    return None


def one_minus_exp(x: Fraction, digits: int) -> Enclosure:
    """Enclose 1 - e^x for x ≤ 0.

    Parameters
    ----------
    x : Fraction
        The exponent.
    digits : int
        How narrow: one unit in this decimal.

    Returns
    -------
    Enclosure
        Lower and upper bound.

    Examples
    --------
    >>> lower, upper = one_minus_exp(Fraction(-1, 2), 20)
    >>> round(lower, 18) == round(upper, 18)
    True
    """
    with localcontext(_context(digits)):
        value = 1 - (_decimal(x)).exp()
        slack = Decimal(10) ** -digits
        return max(value - slack, Decimal(0)), value + slack


def add_log(constant: Fraction, factor: int, value: Fraction, digits: int) -> Enclosure:
    """Enclose constant + factor · ln(value).

    Parameters
    ----------
    constant : Fraction
        The first term.
    factor : int
        Multiplies the logarithm.
    value : Fraction
        Positive.
    digits : int
        How narrow: one unit in this decimal.

    Returns
    -------
    Enclosure
        Lower and upper bound.

    Examples
    --------
    >>> lower, upper = add_log(Fraction(1), 2, Fraction(1, 2), 20)
    >>> round(upper, 12)
    Decimal('-0.386294361120')
    """
    with localcontext(_context(digits)):
        total = _decimal(constant) + factor * _decimal(value).ln()
        slack = Decimal(10) ** -digits
        return total - slack, total + slack


def rounded(enclose: Callable[[int], Enclosure]) -> float:
    """Round an enclosed number to the nearest float.

    Parameters
    ----------
    enclose : callable
        Takes a number of digits, gives a lower and an upper bound.

    Returns
    -------
    float
        The nearest float, or a neighbour of it where 5120 digits leave two to choose from.

    Examples
    --------
    >>> rounded(lambda digits: one_minus_exp(Fraction(-1, 2), digits))
    0.3934693402873666
    """
    digits = _FEWEST
    while True:
        lower, upper = (float(bound) for bound in enclose(digits))
        if lower == upper or digits >= _MOST:
            return upper
        digits *= 2


def gaussian_delta(square: Fraction, epsilon: Fraction, digits: int) -> Enclosure:
    r"""Enclose the profile of two unit normals.

    Parameters
    ----------
    square : Fraction
        Their squared distance $h^2$, positive.
    epsilon : Fraction
        Where: any ε ≥ 0.
    digits : int
        How narrow, about: this many digits of the Mills ratios are right.

    Returns
    -------
    Enclosure
        Lower and upper bound on δ.

    Notes
    -----
    $\delta = \varphi(a)\,[R(a) - R(b)]$ with $a, b = (\epsilon \mp h^2/2)/h$ and the Mills ratio

    $$ R(x) = \sqrt{\pi/2}\,e^{x^2/2} - \sum_{k\ge0} \frac{x^{2k+1}}{1\cdot3\cdots(2k+1)}
            = \cfrac{1}{x + \cfrac{1}{x + \cfrac{2}{x + \cdots}}} $$

    (Abramowitz & Stegun 26.2.11 and 26.2.14). Successive convergents of the fraction enclose it
    for $x > 0$.

    Examples
    --------
    >>> lower, upper = gaussian_delta(Fraction(4), Fraction(1), 20)
    >>> round(lower, 15), round(upper, 15)
    (Decimal('0.509861660054670'), Decimal('0.509861660054670'))
    """
    with localcontext(_context(digits)):
        h = _decimal(square).sqrt()
        a, b = _decimal(epsilon - square / 2) / h, _decimal(epsilon + square / 2) / h
        unit = Decimal(10) ** -digits
        if a < -_FAR:
            return 1 - unit, Decimal(1)
        if a > _FAR:
            return Decimal(0), Decimal(10) ** -30_000
        upper_tail, lower_tail = _mills(a, digits), _mills(b, digits)
        density = (-a * a / 2).exp() / (2 * _pi(digits + _GUARD)).sqrt()
        drop, slack = upper_tail - lower_tail, unit * (upper_tail + lower_tail)
        lower = density * (drop - slack) * (1 - unit)
        return max(lower, Decimal(0)), density * (drop + slack) * (1 + unit)


def _mills(x: Decimal, digits: int) -> Decimal:
    """Mills ratio to `digits` digits."""
    if x < -8:
        return (2 * _pi(digits + _GUARD)).sqrt() * (x * x / 2).exp() - _mills(-x, digits)
    if x <= 8:
        term = total = x
        factor = 1
        smallest = Decimal(10) ** -(digits + _GUARD)
        while abs(term) > smallest:
            factor += 2
            term = term * x * x / factor
            total += term
        return (_pi(digits + _GUARD) / 2).sqrt() * (x * x / 2).exp() - total
    depth = 16
    while True:
        one, other = _convergent(x, depth), _convergent(x, depth + 1)
        if abs(one - other) < one * Decimal(10) ** -digits:
            return (one + other) / 2
        depth *= 2


def _convergent(x: Decimal, depth: int) -> Decimal:
    value = x
    for k in range(depth, 0, -1):
        value = x + k / value
    return 1 / value


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _context(digits: int) -> Context:
    # 20 guard digits: 14 lost at most where the series for x ≤ 8 cancels, the rest for rounding
    return Context(prec=digits + 2 * _GUARD, Emax=MAX_EMAX, Emin=MIN_EMIN)


@cache
def _pi(digits: int) -> Decimal:
    """π by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239), in whole numbers."""
    unit = 10 ** (digits + 10)

    def arctan_of_inverse(n: int) -> int:
        power, total, k = unit // n, 0, 1
        while power:
            total += power // k if k % 4 == 1 else -(power // k)
            power //= n * n
            k += 2
        return total

    whole = 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)
    return Decimal(whole).scaleb(-(digits + 10), _context(digits))

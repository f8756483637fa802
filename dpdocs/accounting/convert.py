r"""From Rényi divergences to (ε, δ), at the best of all real orders.

Every order α > 1 gives a valid ε, so an order found in floats is put into the formula in decimals
and the result rounded up: a slightly worse order costs nothing but its difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from dpdocs import exact
from dpdocs.accounting.safe import decimal, upward
from dpdocs.errors import ParameterError

__all__ = ["Conversion", "best_delta", "best_epsilon", "check_conversion", "epsilon_at"]

Conversion: TypeAlias = Literal["optimal", "classic"]
Curve: TypeAlias = Callable[[float], float]

_CONVERSIONS = ("optimal", "classic")
_GOLDEN = (math.sqrt(5) - 1) / 2


def check_conversion(conversion: str) -> None:
    """Raise for a conversion that does not exist."""
    if conversion not in _CONVERSIONS:
        choices = ", ".join(_CONVERSIONS)
        raise ParameterError(
            "conversion",
            conversion,
            f"must be one of {choices}",
            "Choose one of them",
            "unknown-choice",
            {"choices": choices},
        )


def epsilon_at(
    order: float | Fraction, divergence: float, delta: Fraction, conversion: str
) -> float:
    """Return the ε that one order gives, rounded up; at least 0."""
    if math.isinf(divergence):
        return math.inf

    def formula() -> Decimal:
        a, log_delta = decimal(Fraction(order)), decimal(delta).ln()
        if conversion == "classic":
            return Decimal(divergence) - log_delta / (a - 1)
        return Decimal(divergence) - (log_delta + a.ln()) / (a - 1) + (1 - 1 / a).ln()

    return max(0.0, upward(formula, 100))


def best_epsilon(curve: Curve, delta: Fraction, conversion: str) -> tuple[float, float]:
    """Return the least ε over all orders and its order, for an upper bound on a Rényi curve."""
    log_delta = exact.log(delta)

    def value(log_a: float) -> float:
        a = math.exp(log_a)
        found = curve(1 + a) - log_delta / a
        if conversion == "optimal":
            found += -math.log1p(a) / a - math.log1p(1 / a)
        return found if not math.isnan(found) else math.inf

    order = 1 + math.exp(_argmin(value))
    return epsilon_at(order, curve(order), delta, conversion), order


def best_delta(curve: Curve, epsilon: Fraction) -> tuple[float, float]:
    """Return the least δ over all orders and its order (Canonne, Kamath & Steinke 2020)."""
    eps = exact.nearest(epsilon)

    def value(log_a: float) -> float:
        a = math.exp(log_a)
        found = a * (curve(1 + a) - eps) - math.log(a) - (1 + a) * math.log1p(1 / a)
        return found if not math.isnan(found) else math.inf

    order = 1 + math.exp(_argmin(value))
    divergence = curve(order)
    if math.isinf(divergence):
        return 1.0, order

    def formula() -> Decimal:
        alpha = Decimal(order)
        tilt = (alpha - 1) * (Decimal(divergence) - decimal(epsilon))
        return (tilt + alpha * (1 - 1 / alpha).ln()).exp() / (alpha - 1)

    return min(1.0, upward(formula, 100)), order


def _argmin(value: Callable[[float], float]) -> float:
    """Return a minimiser over ln(α - 1): the best of a grid, then golden section around it."""
    grid = [0.5 * i for i in range(-40, 73)]
    start = min(range(len(grid)), key=_known(value, grid).__getitem__)
    low, high = grid[max(0, start - 1)], grid[min(len(grid) - 1, start + 1)]
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = value(left), value(right)
    while high - low > 1e-7:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = value(right)
    return left if at_left <= at_right else right


def _known(value: Callable[[float], float], grid: list[float]) -> list[float]:
    """Return the values on a grid, from small orders up, until they clearly rise."""
    found: list[float] = []
    for point in grid:
        if len(found) > 40 and found[-1] > found[-2] > found[-3] > min(found) + 1e3:
            found.append(math.inf)
        else:
            found.append(value(point))
    return found

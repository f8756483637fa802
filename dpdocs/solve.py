"""Roots of monotone functions whose slope is known."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["root_of_decreasing"]


def root_of_decreasing(
    function: Callable[[float], tuple[float, float]], low: float, high: float, start: float
) -> float:
    """Newton's method, kept inside a bracket and helped by halving.

    Parameters
    ----------
    function : callable
        Gives value and slope of a decreasing function at a float.
    low, high : float
        The value is at least 0 at `low` and at most 0 at `high`; neither end is evaluated.
    start : float
        First guess, between them.

    Returns
    -------
    float
        A point from which a further step would change a few last places at most.

    Examples
    --------
    >>> round(root_of_decreasing(lambda x: (2 - x * x, -2 * x), 0.0, 2.0, 1.0), 12)
    1.414213562373
    """
    x = start
    for _ in range(2_000):  # halving alone needs about 1100 for any two floats
        value, slope = function(x)
        if value > 0:
            low = x
        elif value < 0:
            high = x
        else:
            return x
        after = x - value / slope if slope < 0 else math.nan
        if low < after < high:
            settled = abs(after - x) <= 1e-10 * abs(x)  # the next step would change the last place
        else:
            after = low + (high - low) / 2
            settled = abs(after - x) <= 2 * math.ulp(x)
        if settled:
            return after
        x = after
    return x

r"""Special functions of the normal law, safe in both tails; the only door to SciPy.

Everything here takes and gives float64 arrays. SciPy is loaded at first use, and only the compiled
functions of `scipy.special` are used: in a browser those are a small part of it. The error bounds
of a profile rest on one assumption: these functions are accurate to 8 units in the last place.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from dpdocs.exact import FloatArray

__all__ = [
    "LOG_ROOT_TWO_PI",
    "Pair",
    "add_pairs",
    "binomial_bounds",
    "half_square",
    "legendre",
    "mills",
    "mills_drop",
    "multiply_pairs",
    "normal_radius",
    "normal_tail",
]

Pair: TypeAlias = tuple[FloatArray | float, FloatArray | float]
Arrays: TypeAlias = tuple[FloatArray, FloatArray]
LOG_ROOT_TWO_PI = math.log(2 * math.pi) / 2
_DEEPEST = 38.0  # what lies below e^-38 of the peak does not reach the last place
_NODES = 32


def mills(x: ArrayLike) -> FloatArray:
    r"""Mills ratio $R(x) = \Phi(-x)/\varphi(x) = \sqrt{\pi/2}\,\mathrm{erfcx}(x/\sqrt2)$.

    Parameters
    ----------
    x : array of float
        Any numbers. Left of -1 the rounding of $x^2/2$ shows, and below about -37.5 the ratio
        overflows to infinity.

    Returns
    -------
    array of float
        The ratio, of the shape of `x`.

    Examples
    --------
    >>> float(mills(np.float64(0.0)))
    1.2533141373155001
    """
    from scipy.special import erfcx

    with np.errstate(over="ignore"):
        ratio: FloatArray = math.sqrt(math.pi / 2) * erfcx(np.asarray(x) / math.sqrt(2))
    return ratio


def normal_tail(x: ArrayLike) -> FloatArray:
    r"""Upper tail $\Phi(-x)$ of the standard normal law.

    Parameters
    ----------
    x : array of float
        Any numbers.

    Returns
    -------
    array of float
        The probability of exceeding `x`, of its shape.

    Examples
    --------
    >>> round(float(normal_tail(np.float64(1.0))), 12)
    0.158655253931
    """
    from scipy.special import ndtr

    tail: FloatArray = ndtr(-np.asarray(x))
    return tail


def normal_radius(tail: float) -> float:
    """Invert the upper tail of the standard normal law.

    Parameters
    ----------
    tail : float
        A probability strictly between 0 and 1.

    Returns
    -------
    float
        The distance beyond which the law has this mass on one side.

    Examples
    --------
    >>> round(normal_radius(0.025), 10)
    1.9599639845
    """
    from scipy.special import ndtri

    return -float(ndtri(tail))


def add_pairs(x: Pair, y: Pair) -> Arrays:
    """Add two sums of two floats (Knuth's exact sum).

    Parameters
    ----------
    x, y : tuple of float or array
        The larger and the smaller part of each.

    Returns
    -------
    tuple of array
        Their sum in the same form, to about 2^-104 of the larger one.

    Examples
    --------
    >>> high, low = add_pairs((1.0, 0.0), (1e-30, 0.0))
    >>> float(high), float(low)
    (1.0, 1e-30)
    """
    a, b = np.asarray(x[0]), np.asarray(y[0])
    total = a + b
    shift = total - a
    rest = (a - (total - shift)) + (b - shift) + (x[1] + y[1])
    high = total + rest
    return high, rest - (high - total)


def multiply_pairs(x: Pair, y: Pair) -> Arrays:
    """Multiply two sums of two floats (Dekker's exact product).

    Parameters
    ----------
    x, y : tuple of float or array
        The larger and the smaller part of each. They and their product must be between 1e-290 and
        1e290 in size, or 0.

    Returns
    -------
    tuple of array
        Their product in the same form, to about 2^-102.

    Examples
    --------
    >>> high, low = multiply_pairs((1 / 3, 1.850371707708594e-17), (3.0, 0.0))
    >>> float(high), float(low)
    (1.0, 0.0)
    """
    a, b = np.asarray(x[0]), np.asarray(y[0])
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    rest = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    rest = rest + (a * y[1] + b * x[1])
    high = product + rest
    return high, rest - (high - product)


def _halves(x: FloatArray) -> Arrays:
    """Split a float into two of half as many digits (Veltkamp)."""
    upper = x * 134217729.0  # 2^27 + 1
    upper = upper - (upper - x)
    return upper, x - upper


def half_square(high: FloatArray, low: FloatArray) -> Arrays:
    """Half the square of the sum of two floats, again as a sum of two floats.

    Parameters
    ----------
    high, low : array of float
        The larger and the smaller part.

    Returns
    -------
    tuple of array
        Half the square in the same form.

    Notes
    -----
    For $a = 40$ one rounding of $a^2/2$ would change $e^{-a^2/2}$ by 1e-13. The square of the
    larger part is split exactly, where it neither overflows nor underflows.

    Examples
    --------
    >>> high, low = half_square(np.float64(0.1), np.float64(0.0))
    >>> float(high), float(low) != 0.0
    (0.005000000000000001, True)
    """
    high = np.asarray(high, dtype=np.float64)
    safe = np.where(np.abs(high) < 1e150, high, 0.0)
    upper, lower = _halves(safe)
    square = safe * safe
    rest = ((upper * upper - square) + 2 * upper * lower) + lower * lower
    with np.errstate(over="ignore", invalid="ignore"):
        whole = np.where(np.isfinite(high), 0.5 * high * high, np.inf)
        part = np.where(safe == high, 0.5 * rest + safe * low + 0.5 * low * low, 0.0)
    return whole, part


def mills_drop(a: FloatArray, b: FloatArray, h: float) -> FloatArray:
    r"""Compute $[R(a) - R(b)]/\min(1, h)$ for $b = a + h$, without cancellation.

    Parameters
    ----------
    a, b : array of float
        Arguments, `a` at least $-1/2$ where $h < 1$ and at least 0 elsewhere.
    h : float
        Their distance, as small as it likes: it may have underflowed to 0.

    Returns
    -------
    array of float
        The difference, by $h$ where that is less than 1.

    Notes
    -----
    Where $h > \max(1, a)$ the second ratio is at most 0.53 of the first and the difference is
    safe. Elsewhere, from $R(x) = \int_0^\infty e^{-xs - s^2/2}\,ds$,

    $$ R(a) - R(a+h) = \int_0^\infty e^{-as - s^2/2}\,\bigl(1 - e^{-hs}\bigr)\,ds, $$

    whose integrand is positive and smooth on the scale on which it decays: 32 Gauss–Legendre
    nodes up to the point where the exponential reaches $e^{-38}$ leave a relative error under
    6e-15.

    Examples
    --------
    >>> one = np.ones(1)
    >>> round(float(mills_drop(one, 2 * one, 1.0)[0]), 12)
    0.234310313131
    """
    drop = np.zeros(a.shape, dtype=np.float64)
    far = h > np.maximum(1.0, a)
    drop[far] = mills(a[far]) - mills(b[far])
    near = ~far & np.isfinite(a)
    end = 2 * _DEEPEST / (np.hypot(a[near], math.sqrt(2 * _DEEPEST)) + a[near])
    nodes, weights = legendre(_NODES)
    s = end[:, np.newaxis] * nodes
    rise = -np.expm1(-h * s) / h if h > 1e-20 else s
    fall = np.exp(-s * (a[near][:, np.newaxis] + 0.5 * s))
    drop[near] = end * np.sum(fall * rise * weights, axis=1) * max(1.0, h)
    return drop


@cache
def legendre(count: int) -> tuple[FloatArray, FloatArray]:
    """Gauss–Legendre nodes and weights on [0, 1].

    Parameters
    ----------
    count : int
        How many.

    Returns
    -------
    tuple of array
        Nodes and weights, each of shape (count,).

    Examples
    --------
    >>> nodes, weights = legendre(2)
    >>> round(float(np.sum(weights * nodes**3)), 15)
    0.25
    """
    nodes, weights = np.polynomial.legendre.leggauss(count)  # type: ignore[no-untyped-call]
    return (nodes + 1) / 2, weights / 2


def binomial_bounds(successes: int, trials: int, error: float) -> tuple[float, float]:
    r"""Bounds on a probability from independent trials (Clopper and Pearson 1934).

    Parameters
    ----------
    successes, trials : int
        Counts.
    error : float
        Largest probability with which each of the two bounds may be wrong.

    Returns
    -------
    tuple of float
        The probability at which at least, and at most, this many successes have probability
        `error`: quantiles of beta laws, moved outwards by the error of the function.

    Examples
    --------
    >>> low, high = binomial_bounds(0, 100, 0.005)
    >>> low, round(high, 6)
    (0.0, 0.051604)
    """
    from scipy.special import betaincinv

    low, high, room = 0.0, 1.0, 1e-12
    if successes > 0:
        low = float(betaincinv(successes, trials - successes + 1, error)) * (1 - room)
    if successes < trials:
        high = min(1.0, float(betaincinv(successes + 1, trials - successes, 1 - error)) + room)
    return low, high

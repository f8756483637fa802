r"""The loss of two unit normals at a distance $h$: its profile and the inverses of that.

The loss of a normal pair is itself normal, with mean $h^2/2$ and variance $h^2$. With
$a, b = \epsilon/h \mp h/2$,

$$ \delta(\epsilon) = \Phi(-a) - e^\epsilon\,\Phi(-b) $$

(Balle & Wang 2018, theorem 8). Both terms may agree in all their digits, or both underflow. Since
$b^2 - a^2 = 2\epsilon$ we have $e^\epsilon\varphi(b) = \varphi(a)$, and with the Mills ratio
$R(x) = \Phi(-x)/\varphi(x)$

$$ \delta = \varphi(a)\,[R(a) - R(b)], \qquad 1 - \delta = \varphi(a)\,[R(-a) + R(b)] . $$

Logarithms are taken factor by factor; the difference comes from
`dpdocs.special.mills_drop`, and the sum serves where $\delta$ may be close to 1. The exponent
$-a^2/2$ needs $a$ to more than sixteen digits: $a = (\epsilon - h^2/2)/h$ is formed from exact
rationals and kept as the sum of two floats. The pair is given by $h^2$, which stays rational when
pairs are composed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpdocs import exact, special
from dpdocs.digits import Enclosure, gaussian_delta
from dpdocs.exact import FloatArray
from dpdocs.losses.loss import Estimate, Loss
from dpdocs.solve import root_of_decreasing

__all__ = ["NormalLoss", "distance_for"]

_ULP = 2.0**-52
_SMALLEST = 2.0**-1022
_MOST = 1 - 2.0**-53


class Sides(NamedTuple):
    """δ and 1 - δ by logarithms, as arrays.

    Attributes
    ----------
    delta, log_delta, log_complement : array of float
        δ, ln δ and ln(1 - δ).
    error, log_error : array of float
        Bounds on the relative error of `delta` and the absolute error of `log_delta`.

    Examples
    --------
    >>> Sides(*np.zeros((5, 1))).delta
    array([0.])
    """

    delta: FloatArray
    log_delta: FloatArray
    log_complement: FloatArray
    error: FloatArray
    log_error: FloatArray


class NormalLoss(Loss):
    """Loss of a pair of unit normals.

    Parameters
    ----------
    square : Fraction
        Their squared distance, positive.

    Examples
    --------
    >>> float(NormalLoss(Fraction(4)).estimate([Fraction(1)]).delta[0])
    0.5098616600546702
    """

    def __init__(self, square: Fraction) -> None:
        self.square = square
        self._distance, self._half = exact.root(square), square / 2
        self._h, self._log_h = exact.nearest(self._distance), exact.log(self._distance)

    @property
    def largest(self) -> None:
        """None: the loss is unbounded."""
        return

    def times(self, count: int) -> NormalLoss:
        """Add up equal ones: squared distances add."""
        return NormalLoss(self.square * count)

    def plus(self, other: Loss) -> NormalLoss | None:
        """Add another normal loss."""
        return NormalLoss(self.square + other.square) if isinstance(other, NormalLoss) else None

    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Compute δ from Mills ratios."""
        shares = [(value - self._half) / self._distance for value in epsilon]
        pairs = np.array([exact.two_floats(a) for a in shares], dtype=np.float64).reshape(-1, 2)
        b = np.array([exact.nearest(a + self._distance) for a in shares], dtype=np.float64)
        found = _sides(pairs[:, 0], pairs[:, 1], b, self._h, self._log_h)
        return Estimate(found.delta, found.log_delta, found.error, found.log_error)

    def estimate_pairs(self, high: FloatArray, low: FloatArray) -> Estimate:
        """Compute δ where each ε ≥ 0 is the sum of two floats."""
        half, inverse = exact.two_floats(-self._half), exact.two_floats(1 / self._distance)
        a, a_low = special.multiply_pairs(special.add_pairs((high, low), half), inverse)
        found = _sides(a, a_low, high * inverse[0] + self._h / 2, self._h, self._log_h)
        return Estimate(found.delta, found.log_delta, found.error, found.log_error)

    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln δ and its derivative in ε."""
        log_delta = float(self.estimate([epsilon]).log_delta[0])
        log_fall = self.log_fall(np.array([exact.nearest(epsilon)]))
        return log_delta, -math.exp(float(log_fall[0]) - log_delta)

    def log_fall(self, epsilon: FloatArray) -> FloatArray:
        r"""Logarithm of $-d\delta/d\epsilon = e^\epsilon\Phi(-b) = \varphi(a)R(b)$, for any ε."""
        a, b = epsilon / self._h - self._h / 2, epsilon / self._h + self._h / 2
        mills = np.log(special.mills(np.maximum(b, 0.0)))
        right = -0.5 * a * a - special.LOG_ROOT_TWO_PI + mills
        fall: FloatArray = np.where(
            b > 0, right, epsilon + np.log(special.normal_tail(np.minimum(b, 0.0)))
        )
        return fall

    def enclose(self, epsilon: Fraction, digits: int) -> Enclosure:
        """Return bounds on δ to about so many digits."""
        return gaussian_delta(self.square, epsilon, digits)

    def solve(self, delta: Fraction) -> float:
        r"""Return the ε of a δ.

        Parameters
        ----------
        delta : Fraction
            Strictly between 0 and the total variation distance.

        Returns
        -------
        float
            The ε at which the profile takes this value; infinite beyond the floats.

        Notes
        -----
        Newton's method in $a$, with $\partial\delta/\partial\epsilon = -e^\epsilon\Phi(-b) =
        -\varphi(a)R(b)$. Where $\epsilon = h\,(a + h/2)$ or the profile itself is too flat for
        floats, it goes on in decimals.

        Examples
        --------
        >>> round(NormalLoss(Fraction(1)).solve(Fraction("1e-5")), 9)
        4.377178096
        """
        h = self._h
        if math.isinf(exact.nearest(self._half)):
            return math.inf  # the answer is beyond the floats

        def gap_and_slope(a: float) -> tuple[float, float]:
            """Return the excess over the claim, and its slope in a."""
            gap, ratio = _at(a, a + h, h, delta)
            return gap, -h * ratio * float(special.mills(a + h))

        reach = _reach(delta)
        a = root_of_decreasing(gap_and_slope, -h / 2, max(reach, 1.0), reach)
        epsilon = max(self._half + self._distance * Fraction(a), Fraction(0))
        _, slope = gap_and_slope(a)
        doubt = h * (64 * _ULP / max(-slope, _SMALLEST) + abs(a) * _ULP)
        if doubt <= 1e-13 * exact.nearest(epsilon):
            return exact.nearest(epsilon)
        return self._refined(delta, epsilon)

    def _refined(self, delta: Fraction, epsilon: Fraction) -> float:
        """Newton's method on enclosures of δ, until the float no longer changes."""
        log_claim = exact.log(delta)
        for _ in range(20):
            a, b = (
                exact.nearest((epsilon + s) / self._distance) for s in (-self._half, self._half)
            )
            log_slope = -0.5 * a * a - special.LOG_ROOT_TWO_PI + math.log(special.mills(b))
            digits = 40 + max(0, math.ceil((log_claim - log_slope) / math.log(10)))
            lower, upper = gaussian_delta(self.square, epsilon, min(digits, 5120))
            relative = exact.nearest((Fraction(lower) + Fraction(upper)) / (2 * delta) - 1)
            step = Fraction(relative * math.exp(min(log_claim - log_slope, 700.0)))
            epsilon = max(epsilon + step, Fraction(0))
            if abs(step) <= epsilon * Fraction(_ULP) / 4:
                break
        return exact.nearest(epsilon)


def _sides(a: FloatArray, a_low: FloatArray, b: FloatArray, h: float, log_h: float) -> Sides:
    energy, energy_low = special.half_square(a, a_low)
    energy_low = energy_low + special.LOG_ROOT_TWO_PI
    scale, log_scale = np.ones_like(a), np.zeros_like(a)
    factor = np.empty_like(a)
    left = a < (0.0 if h >= 1 else -0.5)
    factor[left] = special.mills(-a[left]) + special.mills(b[left])
    factor[~left] = special.mills_drop(a[~left], b[~left], h)
    scale[~left], log_scale[~left] = min(h, 1.0), min(log_h, 0.0)

    with np.errstate(divide="ignore"):
        log_side = -energy + (np.log(factor) + log_scale - energy_low)
    deep = energy > 650  # there e^-energy leaves the normal floats before the product does
    shallow = np.exp(-np.where(deep, 0.0, energy)) * np.exp(-np.where(deep, 0.0, energy_low))
    side = np.minimum(np.where(deep, np.exp(log_side), shallow * factor * scale), _MOST)
    log_other = np.log1p(-side)
    error = _ULP * (64 + np.where(deep, np.minimum(energy, 1e4), 0.0))
    log_delta = np.where(left, log_other, log_side) + 0.0  # no negative zero
    return Sides(
        delta=np.where(left, 1 - side, side),
        log_delta=log_delta,
        log_complement=np.where(left, log_side, log_other),
        error=np.where(left, 2 * _ULP + error * side / (1 - side), error),
        log_error=64 * _ULP + _ULP * (np.abs(log_delta) + 4 * np.abs(log_scale)),
    )


def _at(a: float, b: float, h: float, claim: Fraction) -> tuple[float, float]:
    """Compare with a claimed δ on the side where logarithms can tell.

    Returns
    -------
    gap : float
        Positive where δ exceeds the claim: $\\ln\\delta - \\ln\\delta_0$ up to one half, above it
        $\\ln(1-\\delta_0) - \\ln(1-\\delta)$.
    ratio : float
        $\\varphi(a)$ over δ or 1 - δ: the change of `gap` for a change of δ by $\\varphi(a)$.
    """
    found = _sides(np.array([a]), np.zeros(1), np.array([b]), h, math.log(h))
    density = -0.5 * a * a - special.LOG_ROOT_TWO_PI
    if claim <= Fraction(1, 2):
        log_side = float(found.log_delta[0])
        return log_side - exact.log(claim), math.exp(density - log_side)
    log_side = float(found.log_complement[0])
    return exact.log(1 - claim) - log_side, math.exp(density - log_side)


def _reach(claim: Fraction) -> float:
    r"""Return an $a$ not below the solution, as $\delta \le \Phi(-a) \le e^{-a^2/2}/2$."""
    return math.sqrt(max(0.0, -2 * (exact.log(claim) + math.log(2))))


def distance_for(epsilon: Fraction, delta: Fraction) -> float:
    r"""Return the distance $h$ at which a pair has this δ at this ε.

    Parameters
    ----------
    epsilon : Fraction
        At least 0.
    delta : Fraction
        Strictly between 0 and 1.

    Returns
    -------
    float
        The distance, in standard deviations.

    Notes
    -----
    Newton's method in $-\ln h$. Because $e^\epsilon\varphi(b) = \varphi(a)$ and
    $b - a = h$, $\partial\delta/\partial h = \varphi(a)$.

    Examples
    --------
    >>> round(1 / distance_for(Fraction(1), Fraction("1e-12")), 12)
    6.557822067459
    """
    eps = exact.nearest(epsilon)

    def gap_and_slope(u: float) -> tuple[float, float]:
        """Return the excess over the claim, and its slope in u = -ln h."""
        h = math.exp(-u)
        gap, ratio = _at(eps / h - h / 2, eps / h + h / 2, h, delta)
        return gap, -h * ratio

    # From δ ≤ Φ(-a), and from δ(ε) ≤ δ(0) ≤ hφ(0), the solution is at least
    reach = _reach(delta)
    least = max(exact.nearest(delta) * math.sqrt(2 * math.pi), _SMALLEST)
    if eps > 0:
        least = max(2 * eps / (reach + math.hypot(reach, math.sqrt(2 * eps))), least)
    return math.exp(-root_of_decreasing(gap_and_slope, -709.0, 708.0, -math.log(least)))

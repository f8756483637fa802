r"""The loss of Laplace noise.

For a shift by $r$ scales the loss is $r$ with probability ½ (outputs on the near side), $-r$ with
probability $\tfrac12 e^{-r}$, and has density $\tfrac14 e^{(l - r)/2}$ between. So

$$ \delta(\epsilon) = 1 - e^{(\epsilon - r)/2}, \qquad 0 \le \epsilon < r, $$

and $\delta(\epsilon) = 0$ for $\epsilon \ge r$ (Balle, Barthe & Gaboardi 2018, theorem 3). Several
equal ones together are in `dpdocs.losses.laplace_fold`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpdocs import exact
from dpdocs.digits import Enclosure, add_log, one_minus_exp, rounded
from dpdocs.losses.laplace_fold import LaplaceFold
from dpdocs.losses.loss import Estimate, Loss

__all__ = ["LaplaceLoss"]

_ULP = 2.0**-52


class LaplaceLoss(Loss):
    """Loss of one Laplace mechanism.

    Parameters
    ----------
    ratio : Fraction
        Sensitivity over scale, positive.

    Examples
    --------
    >>> LaplaceLoss(Fraction(1)).estimate([Fraction(1, 2)]).delta
    array([0.22119922])
    """

    count = 1

    def __init__(self, ratio: Fraction) -> None:
        self.ratio = ratio

    @property
    def largest(self) -> Fraction:
        """The ratio."""
        return self.ratio

    def times(self, count: int) -> Loss | None:
        """Add up equal ones, up to 1000."""
        return self if count == 1 else LaplaceFold.of(self.ratio, count)

    def plus(self, other: Loss) -> Loss | None:
        """Add an equal one, or several."""
        if isinstance(other, (LaplaceLoss, LaplaceFold)) and other.ratio == self.ratio:
            return LaplaceFold.of(self.ratio, self.count + other.count)
        return None

    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Compute δ from the exact exponent, rounded once."""
        exponents = [min((value - self.ratio) / 2, Fraction(0)) for value in epsilon]
        x = np.array([exact.nearest(value) for value in exponents], dtype=np.float64)
        delta = 0.0 - np.expm1(x)
        with np.errstate(divide="ignore"):
            log_delta = np.where(x < -0.5, np.log1p(-np.exp(x)), np.log(delta)) + 0.0
        for i in np.flatnonzero(x > -1e-300):  # where x may have lost digits or underflowed
            log_delta[i] = exact.log(-exponents[i])
        error = np.full(x.shape, 4 * _ULP, dtype=np.float64)
        return Estimate(delta, log_delta, error, error * (1 + np.abs(log_delta)))

    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln δ and its derivative."""
        x = exact.nearest((epsilon - self.ratio) / 2)
        return float(self.estimate([epsilon]).log_delta[0]), math.exp(x) / math.expm1(x) / 2

    def enclose(self, epsilon: Fraction, digits: int) -> Enclosure:
        """Return bounds on δ to about so many digits."""
        return one_minus_exp((epsilon - self.ratio) / 2, digits)

    def solve(self, delta: Fraction) -> float:
        r"""Return $\\epsilon = r + 2\\ln(1 - \\delta)$."""
        return rounded(lambda digits: add_log(self.ratio, 2, 1 - delta, digits))

r"""The loss of Gaussian noise together with randomised responses.

Given the two-point losses, whose sum is $l$, the rest is a normal loss, so that
$\delta(\epsilon) = \sum_i p_i\,\delta_N(\epsilon - l_i)$ with the normal profile $\delta_N$.
Below 0 its symmetry serves: $\delta_N(-y) = 1 - e^{-y} + e^{-y}\,\delta_N(y)$.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpdocs import exact, special
from dpdocs.losses.loss import Estimate, Loss
from dpdocs.losses.normal import NormalLoss
from dpdocs.losses.two_point import TwoPointLoss

__all__ = ["MixedLoss"]

_ULP = 2.0**-52


class MixedLoss(Loss):
    """Loss of a normal pair and randomised responses.

    Parameters
    ----------
    normal : NormalLoss
        The unbounded part.
    points : TwoPointLoss
        The discrete part, with few enough values to be exact.

    Examples
    --------
    >>> both = MixedLoss(NormalLoss(Fraction(1)), TwoPointLoss({Fraction(1): 1}))
    >>> round(float(both.estimate([Fraction(1)]).delta[0]), 12)
    0.285567781958
    """

    def __init__(self, normal: NormalLoss, points: TwoPointLoss) -> None:
        self.normal, self.points = normal, points

    @property
    def largest(self) -> None:
        """None: the normal part is unbounded."""
        return

    @property
    def parts(self) -> tuple[Loss, ...]:
        """The two parts."""
        return (self.normal, self.points)

    def plus(self, other: Loss) -> None:
        """Return None: parts are added one by one."""
        return

    def times(self, count: int) -> None:
        """Return None: parts are added one by one."""
        return

    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Compute δ for each ε."""
        found = [self._sum(value) for value in epsilon]
        logs = np.array(found, dtype=np.float64).reshape(-1, 3)
        return Estimate.of_logs(logs[:, 0], logs[:, 2])

    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln δ and its derivative in ε."""
        log_delta, slope, _ = self._sum(epsilon)
        return log_delta, slope

    def _sum(self, epsilon: Fraction) -> tuple[float, float, float]:
        """Return ln δ, its derivative and a bound on its error."""
        atoms = self.points.bounds[1]
        minus = special.add_pairs(exact.two_floats(epsilon), (-atoms.high, -atoms.low))
        sign = np.where(minus[0] < 0, -1.0, 1.0)
        found = self.normal.estimate_pairs(sign * minus[0], sign * minus[1])
        far = np.exp(-np.abs(minus[0]))
        delta = np.where(sign < 0, -np.expm1(-np.abs(minus[0])) + far * found.delta, 1.0)
        logs = atoms.log_mass + np.where(sign < 0, np.log(delta), found.log_delta)
        peak = float(np.max(logs))
        weights = np.exp(logs - peak)
        total = float(np.sum(weights))
        errors = 1e-15 * (20 + np.abs(atoms.log_mass)) + found.log_error
        error = float(np.sum(weights * np.minimum(errors, 1.0))) / total
        falls = np.exp(atoms.log_mass + self.normal.log_fall(minus[0]) - peak)
        return peak + math.log(total), -float(np.sum(falls)) / total, error

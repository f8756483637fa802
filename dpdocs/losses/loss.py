"""What the law of a privacy loss can be asked for."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdocs import exact
from dpdocs.digits import Enclosure
from dpdocs.exact import FloatArray
from dpdocs.solve import root_of_decreasing

__all__ = ["Estimate", "Loss", "NoLoss"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Computed values of a profile with the error they may have.

    Attributes
    ----------
    delta, log_delta : array of float
        The least δ and its natural logarithm, which goes on where δ underflows.
    error : array of float
        Bound on the relative error of `delta`, where that does not underflow.
    log_error : array of float
        Bound on the absolute error of `log_delta`.

    Examples
    --------
    >>> Estimate.zero(2).log_delta
    array([-inf, -inf])
    """

    delta: FloatArray
    log_delta: FloatArray
    error: FloatArray
    log_error: FloatArray

    @classmethod
    def zero(cls, count: int) -> Estimate:
        """Return δ = 0, exactly, `count` times."""
        zero = np.zeros(count, dtype=np.float64)
        return cls(zero, np.full(count, -np.inf), zero, zero)

    @classmethod
    def of_logs(cls, log_delta: FloatArray, log_error: FloatArray) -> Estimate:
        """Return values known by their logarithms."""
        log_delta = np.minimum(log_delta, 0.0)
        error = np.expm1(np.minimum(log_error, 1.0)) + 2.0**-52
        return cls(np.exp(log_delta), log_delta, error, log_error)


class Loss(ABC):
    r"""Law of the privacy loss $L = \ln(dP/dQ)$ under $P$, for a pair of output laws.

    It determines the profile, $\delta(\epsilon) = \mathrm{E}\,(1 - e^{\epsilon - L})_+$, and the
    losses of independent outputs add up. Every ε is an exact rational, at least 0.

    Examples
    --------
    >>> NoLoss().vanishes(Fraction(0))
    True
    """

    @property
    @abstractmethod
    def largest(self) -> Fraction | None:
        """The largest loss, from which on δ is exactly 0; None where losses are unbounded."""

    @abstractmethod
    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Compute δ in floats."""

    @abstractmethod
    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln δ and its derivative in ε, where δ > 0."""

    def enclose(self, epsilon: Fraction, digits: int) -> Enclosure | None:
        """Return bounds on δ that meet as `digits` grows; None where there are only floats."""
        return None

    @property
    def parts(self) -> tuple[Loss, ...]:
        """Independent losses of which this one is the sum, each of one kind."""
        return (self,)

    @abstractmethod
    def plus(self, other: Loss) -> Loss | None:
        """Add an independent loss of the same kind; None where no method here computes the sum."""

    @abstractmethod
    def times(self, count: int) -> Loss | None:
        """Add up `count` independent copies; None where no method here computes the sum."""

    def vanishes(self, epsilon: Fraction) -> bool:
        """Whether δ at this ε is exactly 0."""
        return self.largest is not None and epsilon >= self.largest

    def solve(self, delta: Fraction) -> float:
        """Return the ε of a δ, by Newton's method on ln δ in a bracket.

        Parameters
        ----------
        delta : Fraction
            Strictly between 0 and the total variation distance.

        Returns
        -------
        float
            The ε at which the profile takes this value; infinite beyond the floats.

        Examples
        --------
        >>> from dpdocs.losses.laplace_fold import LaplaceFold
        >>> round(LaplaceFold(Fraction(1), 2).solve(Fraction("0.241836675359208")), 12)
        1.0
        """
        target = exact.log(delta)

        def gap_and_slope(epsilon: float) -> tuple[float, float]:
            """Return the excess of ln δ over its target, and its slope."""
            value = Fraction(epsilon)
            if self.vanishes(value):
                return -math.inf, 0.0
            log_delta, slope = self.log_slope(value)
            return log_delta - target, slope

        if self.largest is None:
            high = 1.0
            while gap_and_slope(high)[0] > 0:
                high *= 2
        else:
            high = exact.nearest(self.largest)
            if math.isinf(high):
                return math.inf  # the answer is beyond the floats
        return root_of_decreasing(gap_and_slope, 0.0, high, high / 2)


class NoLoss(Loss):
    """The loss of two equal laws: always 0."""

    @property
    def largest(self) -> Fraction:
        """Zero."""
        return Fraction(0)

    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Return δ = 0."""
        return Estimate.zero(len(epsilon))

    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln 0 and no slope."""
        return -math.inf, 0.0

    @property
    def parts(self) -> tuple[Loss, ...]:
        """None: it adds nothing to a sum."""
        return ()

    def plus(self, other: Loss) -> Loss:
        """Return the other loss."""
        return other

    def times(self, count: int) -> NoLoss:
        """Return itself."""
        return self

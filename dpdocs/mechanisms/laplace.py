r"""Laplace noise: density $e^{-|z|/b}/(2b)$.

For a shift $\Delta$ the privacy loss $(|y-\Delta| - |y|)/b$ lies in $[-r, r]$, $r = \Delta/b$, by
the triangle inequality, and is $r$ on the whole half-line $y < 0$ (Dwork & Roth 2014, theorem 3.6).
It exceeds $\epsilon < r$ exactly where $y < t = (\Delta - b\epsilon)/2$. This half-line is the best
event, so that

$$ \delta(\epsilon) = 1 - \tfrac12 e^{-t/b} - e^\epsilon\,\tfrac12 e^{-(\Delta - t)/b}
                   = 1 - e^{(\epsilon - r)/2}, \qquad 0 \le \epsilon < r, $$

and $\delta(\epsilon) = 0$ for $\epsilon \ge r$ (Balle, Barthe & Gaboardi 2018, theorem 3). The
computation is in `dpdocs.losses.laplace`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdocs import exact
from dpdocs.exact import FloatArray, Number
from dpdocs.losses import LaplaceLoss, NoLoss
from dpdocs.mechanisms.noise import AdditiveNoise, check_calibrated
from dpdocs.profile import Adjacency, Event

__all__ = ["Laplace"]


class Laplace(AdditiveNoise):
    """A number plus Laplace noise.

    Parameters
    ----------
    scale : number or decimal string
        Scale b of the noise, in the unit of the output, in (0, 1e300]. The standard deviation is
        √2·b.
    sensitivity : number or decimal string
        Largest change of the number between neighbours, in [0, 1e300].
    adjacency : "add-remove", "replace-one" or None, optional
        Which neighbours that sensitivity is about.

    Examples
    --------
    >>> import dpdocs
    >>> m = dpdocs.Laplace(scale=2, sensitivity=2)
    >>> m.delta(1), m.pure_epsilon
    (0.0, 1.0)
    >>> m.delta([0, 0.5])
    array([0.39346934, 0.22119922])

    The boundary ε·b ≥ Δ is decided for the decimals as written:

    >>> dpdocs.Laplace(scale="0.1", sensitivity="0.3").satisfies(epsilon=3, delta=0).holds
    True
    """

    def __init__(
        self, scale: Number, sensitivity: Number = 1, *, adjacency: Adjacency = None
    ) -> None:
        spread = exact.number(scale, "scale", exact.SCALE)
        gap = exact.number(sensitivity, "sensitivity", exact.SENSITIVITY)
        loss = LaplaceLoss(gap / spread) if gap else NoLoss()
        super().__init__(loss, spread, gap, adjacency)

    def __repr__(self) -> str:
        return f"Laplace(scale={self.scale!r}, sensitivity={self.sensitivity!r})"

    @classmethod
    def calibrate(
        cls, epsilon: Number, sensitivity: Number = 1, *, adjacency: Adjacency = None
    ) -> Laplace:
        r"""Return the least Laplace noise that is ε-differentially private.

        Parameters
        ----------
        epsilon : number or decimal string
            Claimed ε > 0.
        sensitivity : number or decimal string
            Largest change of the number between neighbours, greater than 0.
        adjacency : "add-remove", "replace-one" or None, optional
            Which neighbours that sensitivity is about.

        Returns
        -------
        Laplace
            Scale $\Delta/\epsilon$, rounded up to a float so that the claim holds.

        Raises
        ------
        ParameterError
            Also where the scale would leave (0, 1e300].

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.Laplace.calibrate(epsilon="0.25", sensitivity="0.5").scale
        2.0
        """
        eps = exact.number(epsilon, "epsilon", exact.POSITIVE)
        gap = exact.number(sensitivity, "sensitivity", exact.SCALE)
        scale = check_calibrated(exact.least_float(gap / eps), sensitivity)
        return cls(scale, sensitivity, adjacency=adjacency)

    @property
    def scale(self) -> float:
        """Scale b of the noise."""
        return exact.nearest(self._spread)

    def _event(self, epsilon: Fraction) -> Event:
        threshold = (self._sensitivity - self._spread * epsilon) / 2
        low = -exact.nearest(threshold / self._spread)
        high = -exact.nearest((self._sensitivity / self._spread + epsilon) / 2)
        return Event(
            exact.nearest(threshold), "below", 1 - 0.5 * math.exp(low), 0.5 * math.exp(high)
        )

    @property
    def exact_mean_squared_error(self) -> Fraction:
        """Twice the squared scale."""
        return 2 * self._spread**2

    @property
    def mean_absolute_error(self) -> float:
        """The scale."""
        return self.scale

    def _radius(self, probability: Fraction) -> float:
        return self.scale * -exact.log(1 - probability)

    def _log_density(self, distance: FloatArray) -> FloatArray:
        density: FloatArray = -distance / self.scale - math.log(2) - math.log(self.scale)
        return density

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw Laplace noise for an experiment, in floats.

        For lessons only: a floating-point sampler leaks through its last digits (Mironov 2012).

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness; give it a seed to repeat the experiment.
        size : int
            How many draws.

        Returns
        -------
        array of float, shape (size,)
            Noise in the unit of the output.

        Examples
        --------
        >>> import numpy as np
        >>> import dpdocs
        >>> dpdocs.Laplace(scale=2).sample(np.random.default_rng(1), 3).shape
        (3,)
        """
        return rng.laplace(scale=self.scale, size=size)

r"""Gaussian noise: density $\varphi(z/\sigma)/\sigma$.

For a shift $\Delta$ the two output laws are, in units of $\sigma$, two unit normals at the
distance $h = \Delta/\sigma$; `dpdocs.losses.normal` derives their profile. The privacy loss
$h^2/2 - hz/\sigma$ is unbounded, so $\delta(\epsilon) > 0$ for every $\epsilon$. It exceeds
$\epsilon$ where the output is below $t = \Delta/2 - \epsilon\sigma^2/\Delta$, which is the best
event (Balle & Wang 2018, theorem 8).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdocs import exact, special
from dpdocs.exact import FloatArray, Number, Range
from dpdocs.losses import NoLoss, NormalLoss
from dpdocs.losses.normal import distance_for
from dpdocs.mechanisms.noise import AdditiveNoise, check_calibrated
from dpdocs.profile import Adjacency, Event

__all__ = ["Gaussian"]

_CLAIM = Range("0", "1", open_minimum=True, open_maximum=True)


class Gaussian(AdditiveNoise):
    """A number plus Gaussian noise.

    Parameters
    ----------
    sigma : number or decimal string
        Standard deviation σ of the noise, in the unit of the output, in (0, 1e300].
    sensitivity : number or decimal string
        Largest change of the number between neighbours, in [0, 1e300]. For a vector, its largest
        change in Euclidean length.
    adjacency : "add-remove", "replace-one" or None, optional
        Which neighbours that sensitivity is about.

    Examples
    --------
    >>> import dpdocs
    >>> m = dpdocs.Gaussian(sigma=1, sensitivity=2)
    >>> round(m.delta(1), 15)
    0.50986166005467
    >>> round(dpdocs.Gaussian(sigma=1e4).log_delta(1), 7)
    -50000028.0499597
    """

    def __init__(
        self, sigma: Number, sensitivity: Number = 1, *, adjacency: Adjacency = None
    ) -> None:
        spread = exact.number(sigma, "sigma", exact.SCALE)
        gap = exact.number(sensitivity, "sensitivity", exact.SENSITIVITY)
        loss = NormalLoss((gap / spread) ** 2) if gap else NoLoss()
        super().__init__(loss, spread, gap, adjacency)

    def __repr__(self) -> str:
        return f"Gaussian(sigma={self.sigma!r}, sensitivity={self.sensitivity!r})"

    @classmethod
    def calibrate(
        cls,
        epsilon: Number,
        delta: Number,
        sensitivity: Number = 1,
        *,
        adjacency: Adjacency = None,
    ) -> Gaussian:
        r"""Return the least Gaussian noise that is (ε, δ)-differentially private.

        Parameters
        ----------
        epsilon : number or decimal string
            Claimed ε in [0, 1e300].
        delta : number or decimal string
            Claimed δ in (0, 1).
        sensitivity : number or decimal string
            Largest change of the number between neighbours, greater than 0.
        adjacency : "add-remove", "replace-one" or None, optional
            Which neighbours that sensitivity is about.

        Returns
        -------
        Gaussian
            With the least float σ for which the claim holds, decided as `satisfies` decides.

        Raises
        ------
        ParameterError
            Also where σ would leave (0, 1e300].

        Examples
        --------
        >>> import dpdocs
        >>> round(dpdocs.Gaussian.calibrate(epsilon=1, delta=1e-12).sigma, 12)
        6.557822067459
        """
        eps = exact.number(epsilon, "epsilon", exact.FLOAT_EPSILON)
        claim = exact.number(delta, "delta", _CLAIM)
        gap = exact.number(sensitivity, "sensitivity", exact.SCALE)
        sigma = exact.nearest(gap / Fraction(distance_for(eps, claim)))

        def holds(value: float) -> bool:
            return bool(cls(value, gap)._holds(eps, claim))

        check_calibrated(sigma, sensitivity)
        least = exact.least_float_where(holds, sigma)
        return cls(check_calibrated(least, sensitivity), sensitivity, adjacency=adjacency)

    @property
    def sigma(self) -> float:
        """Standard deviation σ of the noise."""
        return exact.nearest(self._spread)

    def _event(self, epsilon: Fraction) -> Event:
        threshold = self._sensitivity / 2 - epsilon * self._spread**2 / self._sensitivity
        p = special.normal_tail(np.float64(exact.nearest(-threshold / self._spread)))
        q = special.normal_tail(
            np.float64(exact.nearest((self._sensitivity - threshold) / self._spread))
        )
        return Event(exact.nearest(threshold), "below", float(p), float(q))

    @property
    def exact_mean_squared_error(self) -> Fraction:
        """The variance."""
        return self._spread**2

    @property
    def mean_absolute_error(self) -> float:
        """σ·√(2/π)."""
        return self.sigma * math.sqrt(2 / math.pi)

    def _radius(self, probability: Fraction) -> float:
        return self.sigma * special.normal_radius(exact.nearest((1 - probability) / 2))

    def _log_density(self, distance: FloatArray) -> FloatArray:
        ratio = distance / self.sigma
        density: FloatArray = -0.5 * ratio**2 - special.LOG_ROOT_TWO_PI - math.log(self.sigma)
        return density

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw Gaussian noise for an experiment, in floats.

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
        >>> dpdocs.Gaussian(sigma=2).sample(np.random.default_rng(1), 3).shape
        (3,)
        """
        return rng.normal(scale=self.sigma, size=size)

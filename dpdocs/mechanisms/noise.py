"""Noise added to one number: what the two noise mechanisms share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

import numpy as np

from dpdocs import exact
from dpdocs.errors import ParameterError
from dpdocs.exact import FloatArray, Number, Range
from dpdocs.losses import Loss
from dpdocs.profile import Adjacency, Profile, Several

__all__ = ["AdditiveNoise", "check_calibrated"]

_PROBABILITY = Range("0", "1", open_maximum=True)


def check_calibrated(spread: float, sensitivity: object) -> float:
    """Return a calibrated scale, or raise where no legal scale is large enough.

    Raises
    ------
    ParameterError
        Case "above-maximum" of the parameter "sensitivity".
    """
    if spread <= 1e300:
        return spread
    raise ParameterError(
        "sensitivity",
        sensitivity,
        "must need no noise above 1e300",
        "Measure in a larger unit, or claim a larger ε or δ",
        "above-maximum",
        {"maximum": "1e300"},
    )


class AdditiveNoise(Profile, ABC):
    """A number plus independent noise whose law is symmetric about 0.

    The worst pair of neighbours moves the number by the whole sensitivity: its two output laws are
    the noise around 0 and the noise around `sensitivity`.

    Parameters
    ----------
    loss : Loss
        Law of the privacy loss at that distance.
    spread, sensitivity : Fraction
        Scale parameter of the noise, and largest change of the number between neighbours, in the
        unit of the output.
    adjacency : "add-remove", "replace-one" or None, optional
        Which neighbours that sensitivity is about.
    """

    def __init__(
        self, loss: Loss, spread: Fraction, sensitivity: Fraction, adjacency: Adjacency
    ) -> None:
        super().__init__(loss, adjacency)
        self._spread, self._sensitivity = spread, sensitivity

    @property
    def sensitivity(self) -> float:
        """Largest change of the number between neighbours."""
        return exact.nearest(self._sensitivity)

    @property
    def exact_sensitivity(self) -> Fraction:
        """The sensitivity as it was written."""
        return self._sensitivity

    @property
    def exact_spread(self) -> Fraction:
        """Scale or standard deviation as it was written."""
        return self._spread

    @property
    @abstractmethod
    def exact_mean_squared_error(self) -> Fraction:
        """Mean squared error, exactly."""

    @property
    def mean_squared_error(self) -> float:
        """Mean of the squared noise, in the squared unit of the output."""
        return exact.nearest(self.exact_mean_squared_error)

    @property
    @abstractmethod
    def mean_absolute_error(self) -> float:
        """Mean of the noise's size, in the unit of the output."""

    def radius(self, probability: Number) -> float:
        """Distance within which the noise stays with this probability.

        Parameters
        ----------
        probability : number or decimal string
            In [0, 1).

        Returns
        -------
        float
            In the unit of the output.

        Examples
        --------
        >>> import dpdocs
        >>> round(dpdocs.Laplace(scale=2).radius("0.95"), 10)
        5.9914645471
        """
        return self._radius(exact.number(probability, "probability", _PROBABILITY))

    @abstractmethod
    def _radius(self, probability: Fraction) -> float: ...

    def log_density(self, output: float | Several, centre: float = 0.0) -> FloatArray:
        """Natural logarithm of the noise's density around `centre`, at each output.

        Parameters
        ----------
        output : array of float
            Outputs, in the unit of the output.
        centre : float
            The true number: 0 on D, `sensitivity` on D'.

        Returns
        -------
        array of float
            Of the shape of `output`.

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.Laplace(scale="0.5").log_density([0.0, 1.0])
        array([ 0., -2.])
        """
        distance = np.asarray(output, dtype=np.float64) - centre
        return self._log_density(np.abs(distance))

    @abstractmethod
    def _log_density(self, distance: FloatArray) -> FloatArray: ...

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw noise for an experiment.

        Floats from an ordinary generator reveal more than the profile says (Mironov 2012): they
        are for pictures and simulations, not for a release.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        size : int
            How many draws.
        """

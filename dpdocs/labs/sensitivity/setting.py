"""What the controls hold, as the quantities of the experiment: neighbours, noise and claim."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, cast

from dpdocs.labs.figures.profile import Axis
from dpdocs.labs.model import Value
from dpdocs.mechanisms.gaussian import Gaussian
from dpdocs.mechanisms.laplace import Laplace
from dpdocs.mechanisms.noise import AdditiveNoise
from dpdocs.sensitivity import QUERIES, Neighbours, Query

Family = Literal["laplace", "gaussian"]


@dataclass(frozen=True)
class Setting:
    """One experiment.

    Attributes
    ----------
    query : Query
        The query, with the public number of records and the end of their public interval.
    requested : Fraction
        The record as it was asked for, before it is clipped.
    neighbours : Neighbours
        All-zero data, and the same with one record replaced by the requested one.
    family : {"laplace", "gaussian"}
        Family of the noise.
    scale : Fraction
        Its scale b or standard deviation σ.
    epsilon, delta : Fraction
        The claim.
    axis : {"linear", "log"}
        How the profile is drawn.
    """

    query: Query
    requested: Fraction
    neighbours: Neighbours
    family: Family
    scale: Fraction
    epsilon: Fraction
    delta: Fraction
    axis: Axis

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Setting:
        """Make sense of what the controls hold."""
        kind = QUERIES[cast(str, values["query"])]
        query = kind(cast(int, values["n"]), cast(Fraction, values["bound"]))
        requested = cast(Fraction, values["record"])
        return cls(
            query=query,
            requested=requested,
            neighbours=query.neighbours(requested),
            family=cast(Family, values["noise"]),
            scale=cast(Fraction, values["scale"]),
            epsilon=cast(Fraction, values["epsilon"]),
            delta=cast(Fraction, values["delta"]),
            axis=cast(Axis, values["profile_axis"]),
        )

    @property
    def sensitivity(self) -> Fraction:
        """Global sensitivity Δ of the query: what the guarantee must cover."""
        return self.query.sensitivity

    @property
    def gap(self) -> Fraction:
        """How far apart the requested pair's answers are."""
        return self.neighbours.gap

    @cached_property
    def whole(self) -> AdditiveNoise:
        """The noise for the worst pair."""
        return _noise(self.family, self.scale, self.sensitivity)

    @cached_property
    def pair(self) -> AdditiveNoise:
        """The noise for the requested pair alone."""
        return _noise(self.family, self.scale, self.gap)

    @property
    def unit_noise(self) -> AdditiveNoise:
        """The noise with a scale of 1: its errors times the scale are exact beyond all floats."""
        return _noise(self.family, Fraction(1), Fraction(0))

    @property
    def least_pure_epsilon(self) -> Fraction | None:
        """Least ε with δ = 0; None where there is none."""
        if self.sensitivity == 0:
            return Fraction(0)
        return self.sensitivity / self.scale if self.family == "laplace" else None

    @cached_property
    def threshold(self) -> Fraction | None:
        """The worst event is the outputs below this, measured from f(D); None where it is empty."""
        return end_of_event(self.whole, self.epsilon)

    @property
    def mse(self) -> Fraction:
        """Mean squared error."""
        return self.whole.exact_mean_squared_error

    @property
    def mean_absolute_error(self) -> Fraction:
        """Mean absolute error."""
        return Fraction(self.unit_noise.mean_absolute_error) * self.scale

    @property
    def radius_95(self) -> Fraction:
        """Distance from f(D) within which 95 % of the outputs fall."""
        return Fraction(self.unit_noise.radius("0.95")) * self.scale


def end_of_event(noise: AdditiveNoise, epsilon: Fraction) -> Fraction | None:
    """Return where the worst event ends, also where no float reaches.

    There it is found with everything measured in a larger unit.
    """
    family: Family = "laplace" if isinstance(noise, Laplace) else "gaussian"
    unit = Fraction(1)
    event = noise.event(epsilon)
    while event is not None and math.isinf(event.threshold):
        unit *= 10**300
        scale, gap = noise.exact_spread / unit, noise.exact_sensitivity / unit
        event = _noise(family, scale, gap).event(epsilon)
    return None if event is None else Fraction(repr(event.threshold)) * unit


def _noise(family: Family, scale: Fraction, sensitivity: Fraction) -> AdditiveNoise:
    """Return the mechanism of the core."""
    if family == "laplace":
        return Laplace(scale, sensitivity, adjacency="replace-one")
    return Gaussian(scale, sensitivity, adjacency="replace-one")

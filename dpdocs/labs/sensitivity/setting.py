"""What the controls hold, as the quantities of the experiment: neighbours, noise and claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, cast

from dpdocs.exact import clip, nearest
from dpdocs.labs.figures.profile import Axis
from dpdocs.labs.model import Value
from dpdocs.mechanisms.gaussian import Gaussian
from dpdocs.mechanisms.laplace import Laplace
from dpdocs.mechanisms.noise import AdditiveNoise

Query = Literal["sum", "mean", "count", "constant"]
Noise = Literal["laplace", "gaussian"]


@dataclass(frozen=True)
class Setting:
    """One experiment.

    Attributes
    ----------
    query, n, bound : str, int, Fraction
        The query, the number of records and the upper end of their public interval.
    requested, record : Fraction
        The record as it was asked for and as it counts, clipped to [0, bound].
    noise, scale : str, Fraction
        Family of the noise, and its scale b or standard deviation σ.
    epsilon, delta : Fraction
        The claim.
    axis : str
        How the profile is drawn.
    sensitivity : Fraction
        Global sensitivity Δ of the query.
    answer, changed : Fraction
        The query on all-zero data, and with one of the records replaced by `record`.
    """

    query: Query
    n: int
    bound: Fraction
    requested: Fraction
    record: Fraction
    noise: Noise
    scale: Fraction
    epsilon: Fraction
    delta: Fraction
    axis: Axis
    sensitivity: Fraction
    answer: Fraction
    changed: Fraction

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Setting:
        """Make sense of what the controls hold."""
        query = cast(Query, values["query"])
        n, bound = cast(int, values["n"]), cast(Fraction, values["bound"])
        requested = cast(Fraction, values["record"])
        record = clip(requested, "record", Fraction(0), bound)
        return cls(
            query=query,
            n=n,
            bound=bound,
            requested=requested,
            record=record,
            noise=cast(Noise, values["noise"]),
            scale=cast(Fraction, values["scale"]),
            epsilon=cast(Fraction, values["epsilon"]),
            delta=cast(Fraction, values["delta"]),
            axis=cast(Axis, values["profile_axis"]),
            sensitivity=_sensitivity(query, n, bound),
            answer=_answer(query, n, bound, Fraction(0)),
            changed=_answer(query, n, bound, record),
        )

    @property
    def gap(self) -> Fraction:
        """How far apart the requested pair's answers are."""
        return abs(self.changed - self.answer)

    @cached_property
    def whole(self) -> AdditiveNoise:
        """The noise for the worst pair."""
        return _noise(self.noise, self.scale, self.sensitivity)

    @cached_property
    def pair(self) -> AdditiveNoise:
        """The noise for the requested pair alone."""
        return _noise(self.noise, self.scale, self.gap)

    @property
    def unit_noise(self) -> AdditiveNoise:
        """The noise with a scale of 1: its errors times the scale are exact beyond all floats."""
        return _noise(self.noise, Fraction(1), Fraction(0))

    @property
    def least_pure_epsilon(self) -> Fraction | None:
        """Least ε with δ = 0; None where there is none."""
        if self.sensitivity == 0:
            return Fraction(0)
        return self.sensitivity / self.scale if self.noise == "laplace" else None

    @cached_property
    def threshold(self) -> float | None:
        """The worst event is the outputs below this, measured from f(D); None where it is empty."""
        event = self.whole.event(self.epsilon)
        return None if event is None else event.threshold

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


def _sensitivity(query: Query, n: int, bound: Fraction) -> Fraction:
    return {"sum": bound, "mean": bound / n, "count": Fraction(1), "constant": Fraction(0)}[query]


def _answer(query: Query, n: int, bound: Fraction, one: Fraction) -> Fraction:
    """Answer the query on n records that are all 0 but one."""
    if query == "constant":
        return Fraction(7)
    if query == "count":
        return Fraction(one > bound / 2)
    return one / n if query == "mean" else one


def _noise(family: Noise, scale: Fraction, sensitivity: Fraction) -> AdditiveNoise:
    """Return the mechanism of the core."""
    if family == "laplace":
        return Laplace(scale, sensitivity, adjacency="replace-one")
    return Gaussian(scale, sensitivity, adjacency="replace-one")

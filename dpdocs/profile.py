r"""What a mechanism spends on its worst pair of neighbours: its privacy profile.

For output laws $P$ (on $D$) and $Q$ (on $D'$) the profile is the hockey-stick divergence

$$ \delta(\epsilon) = \sup_E\; P(E) - e^\epsilon Q(E) = \int (p - e^\epsilon q)_+ , $$

the least $\delta$ for which the mechanism is $(\epsilon,\delta)$-differentially private on that
pair (Dwork & Roth 2014, definition 2.4; Balle, Barthe & Gaboardi 2018, theorem 1). It decreases in
$\epsilon$; at 0 it is the total variation distance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from dpdocs import exact
from dpdocs.digits import at_most
from dpdocs.errors import ParameterError
from dpdocs.exact import FloatArray, Number, Range
from dpdocs.losses import Loss, joint

__all__ = ["Adjacency", "Composition", "Event", "Profile", "Verdict", "compose"]

Adjacency: TypeAlias = Literal["add-remove", "replace-one"] | None
Several: TypeAlias = Sequence[float] | Sequence[Number] | NDArray[Any]

_TIMES = Range("1", "1000000000")
_ADJACENCIES = ("add-remove", "replace-one")


@dataclass(frozen=True, slots=True)
class Event:
    """A set of outputs that tells the two neighbours apart: one side of a threshold.

    Parameters
    ----------
    threshold : float
        Where the event begins or ends, in the unit of the output, measured from the centre on D
        towards the centre on D'.
    side : {"below", "above"}
        On which side of the threshold the event lies.
    probability_p, probability_q : float
        Its probability on D and on D'.

    Examples
    --------
    >>> import dpdocs
    >>> dpdocs.Gaussian(sigma=1, sensitivity=2).event(1).side
    'below'
    """

    threshold: float
    side: Literal["below", "above"]
    probability_p: float
    probability_q: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claimed (ε, δ) holds, and why.

    Parameters
    ----------
    holds : bool
        True only where the claim is certain.
    reason : str
        One English sentence.
    case : str
        Stable identifier of the reason: "no-loss" (nothing is revealed), "pure-holds" (ε alone
        suffices), "holds", "fails", "pure-fails" (δ = 0 is claimed, a larger ε would do),
        "no-finite-pure-epsilon" (δ = 0 is claimed, no ε would do), "not-certified".
    delta_required, log_delta_required : float
        Least δ for the claimed ε, and its natural logarithm.
    witness : Event or None
        For a failed claim, an event E with P(E) > e^ε Q(E) + δ.

    Examples
    --------
    >>> import dpdocs
    >>> verdict = dpdocs.Gaussian(sigma=1, sensitivity=2).satisfies(1, 0)
    >>> verdict.holds, verdict.case
    (False, 'no-finite-pure-epsilon')
    """

    holds: bool
    reason: str
    case: str
    delta_required: float
    log_delta_required: float
    witness: Event | None = None


class Profile:
    """A privacy profile; mechanisms and compositions are its subclasses.

    Parameters
    ----------
    loss : Loss
        Law of the privacy loss on the worst pair of neighbours.
    adjacency : "add-remove", "replace-one" or None, optional
        Which neighbours the profile is about; None where the caller's sensitivity decides.

    Examples
    --------
    >>> import dpdocs
    >>> isinstance(dpdocs.Laplace(scale=1), dpdocs.Profile)
    True
    """

    def __init__(self, loss: Loss, adjacency: Adjacency = None) -> None:
        if adjacency is not None and adjacency not in _ADJACENCIES:
            choices = ", ".join(_ADJACENCIES)
            raise ParameterError(
                "adjacency",
                adjacency,
                f"must be one of {choices}, or None",
                "Choose one of them",
                "unknown-choice",
                {"choices": choices},
            )
        self._loss = loss
        self._adjacency: Adjacency = adjacency

    @property
    def adjacency(self) -> Adjacency:
        """Which neighbours the profile is about; None where the caller's sensitivity decides."""
        return self._adjacency

    @property
    def pure_epsilon(self) -> float:
        """The least ε at which δ is exactly 0; infinite where there is none."""
        return math.inf if self._loss.largest is None else exact.nearest(self._loss.largest)

    def _event(self, epsilon: Fraction) -> Event | None:
        """The event on which P(E) - e^ε Q(E) is largest, where δ(ε) > 0."""
        return None

    def vanishes(self, epsilon: Number) -> bool:
        """Whether δ at this ε is exactly 0, not merely below the smallest float.

        Parameters
        ----------
        epsilon : number or decimal string
            Any finite ε ≥ 0.

        Returns
        -------
        bool
            Decided in exact rational arithmetic.

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.Laplace(scale="0.1", sensitivity="0.3").vanishes(3)
        True
        >>> dpdocs.Gaussian(sigma=1).vanishes(1000)
        False
        """
        return self._loss.vanishes(exact.number(epsilon, "epsilon", exact.EPSILON))

    def event(self, epsilon: Number) -> Event | None:
        """The event on which P(E) - e^ε Q(E) is largest; None where that is never positive.

        Parameters
        ----------
        epsilon : number or decimal string
            Any finite ε ≥ 0.

        Returns
        -------
        Event or None
            None also for profiles that have no best event in closed form.

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.Laplace(scale=1, sensitivity=2).event(1).threshold
        0.5
        """
        value = exact.number(epsilon, "epsilon", exact.EPSILON)
        return None if self._loss.vanishes(value) else self._event(value)

    @overload
    def delta(self, epsilon: Number) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def delta(self, epsilon: Several) -> FloatArray: ...
    def delta(self, epsilon: Number | Several) -> float | FloatArray:
        """Least δ for which the mechanism is (ε, δ)-differentially private.

        Parameters
        ----------
        epsilon : number, decimal string, or array of them
            Any finite ε ≥ 0.

        Returns
        -------
        float or array of float
            A Python float for a scalar. Where δ is below the smallest float this is 0.0; see
            `log_delta` and `vanishes`.

        Raises
        ------
        ParameterError
            For an ε that is negative, infinite or no number.

        Examples
        --------
        >>> import dpdocs
        >>> round(dpdocs.Laplace(scale=2, sensitivity=2).delta(0), 12)
        0.393469340287
        """
        values, shape = exact.numbers(epsilon, "epsilon", exact.EPSILON)
        return _shaped(self._loss.estimate(values).delta, shape)

    @overload
    def log_delta(self, epsilon: Number) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def log_delta(self, epsilon: Several) -> FloatArray: ...
    def log_delta(self, epsilon: Number | Several) -> float | FloatArray:
        """Natural logarithm of `delta`, also where `delta` underflows.

        Parameters
        ----------
        epsilon : number, decimal string, or array of them
            Any finite ε ≥ 0.

        Returns
        -------
        float or array of float
            -inf where δ is exactly 0, and where the logarithm itself is beyond the floats.

        Examples
        --------
        >>> import dpdocs
        >>> round(dpdocs.Gaussian(sigma=1).log_delta(50), 8)
        -1233.86908314
        """
        values, shape = exact.numbers(epsilon, "epsilon", exact.EPSILON)
        return _shaped(self._loss.estimate(values).log_delta, shape)

    @overload
    def delta_bounds(self, epsilon: Number) -> tuple[float, float]: ...  # type: ignore[overload-overlap]
    @overload
    def delta_bounds(self, epsilon: Several) -> tuple[FloatArray, FloatArray]: ...
    def delta_bounds(
        self, epsilon: Number | Several
    ) -> tuple[float | FloatArray, float | FloatArray]:
        """Lower and upper bound that contain the true least δ.

        They rest on the assumption that `dpdocs.special` states about SciPy's functions.

        Parameters
        ----------
        epsilon : number, decimal string, or array of them
            Any finite ε ≥ 0.

        Returns
        -------
        lower, upper : float or array of float
            Both 0 where δ is exactly 0.

        Examples
        --------
        >>> import dpdocs
        >>> m = dpdocs.Gaussian(sigma=1, sensitivity=2)
        >>> lower, upper = m.delta_bounds(1)
        >>> lower <= m.delta(1) <= upper
        True
        """
        values, shape = exact.numbers(epsilon, "epsilon", exact.EPSILON)
        found = self._loss.estimate(values)
        radius = found.delta * found.error
        lower = np.maximum(np.nextafter(found.delta - radius, -np.inf), 0.0)
        upper = np.minimum(np.nextafter(found.delta + radius, np.inf), 1.0)
        for i, value in enumerate(values):
            if self._loss.vanishes(value):
                lower[i] = upper[i] = 0.0
        return _shaped(lower, shape), _shaped(upper, shape)

    @overload
    def epsilon(self, delta: Number) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def epsilon(self, delta: Several) -> FloatArray: ...
    def epsilon(self, delta: Number | Several) -> float | FloatArray:
        """Least ε for which the mechanism is (ε, δ)-differentially private.

        Parameters
        ----------
        delta : number, decimal string, or array of them
            δ in [0, 1].

        Returns
        -------
        float or array of float
            Exactly 0 where δ is at least the total variation distance (so also at δ = 1);
            infinite where no finite ε will do.

        Examples
        --------
        >>> import dpdocs
        >>> round(dpdocs.Gaussian(sigma=1).epsilon("1e-5"), 9)
        4.377178096
        """
        values, shape = exact.numbers(delta, "delta", exact.DELTA)
        found = [self._least_epsilon(value) for value in values]
        return _shaped(np.array(found, dtype=np.float64), shape)

    @overload
    def epsilon_bounds(self, delta: Number) -> tuple[float, float]: ...  # type: ignore[overload-overlap]
    @overload
    def epsilon_bounds(self, delta: Several) -> tuple[FloatArray, FloatArray]: ...
    def epsilon_bounds(
        self, delta: Number | Several
    ) -> tuple[float | FloatArray, float | FloatArray]:
        """Lower and upper bound that contain the true least ε.

        They are decided as `satisfies` decides: the claim holds at the upper bound, and fails at
        the lower one unless that is 0.

        Parameters
        ----------
        delta : number, decimal string, or array of them
            δ in [0, 1].

        Returns
        -------
        lower, upper : float or array of float
            Both infinite where no finite ε will do.

        Examples
        --------
        >>> import dpdocs
        >>> m = dpdocs.Gaussian(sigma=1)
        >>> lower, upper = m.epsilon_bounds("1e-5")
        >>> m.satisfies(upper, "1e-5").holds, m.satisfies(lower, "1e-5").holds
        (True, False)
        """
        values, shape = exact.numbers(delta, "delta", exact.DELTA)
        pairs = np.array([self._epsilon_pair(value) for value in values], dtype=np.float64)
        pairs = pairs.reshape(-1, 2)
        return _shaped(pairs[:, 0], shape), _shaped(pairs[:, 1], shape)

    def satisfies(self, epsilon: Number, delta: Number = 0) -> Verdict:
        """Decide whether the mechanism is (ε, δ)-differentially private.

        For one mechanism, and for Gaussians together, the claim is compared with enclosures of the
        true δ that are narrowed until they lie on one side of it: the verdict is exact also where
        floats agree in every digit. Other compositions are decided by the error bounds of their
        floats; a claim between these is not certified and does not hold.

        Parameters
        ----------
        epsilon : number or decimal string
            Any finite ε ≥ 0.
        delta : number or decimal string
            δ in [0, 1]; "1e-400" is a claim like any other.

        Returns
        -------
        Verdict
            With the reason and, for a failed claim, an event that breaks it.

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.Laplace(scale="0.1", sensitivity="0.3").satisfies(3).holds
        True
        """
        value = exact.number(epsilon, "epsilon", exact.EPSILON)
        claim = exact.number(delta, "delta", exact.DELTA)
        found = self._loss.estimate([value])
        holds, case, reason = self._judge(value, claim)
        witness = None if holds or case == "not-certified" else self._event(value)
        required, log_required = float(found.delta[0]), float(found.log_delta[0])
        return Verdict(holds, reason, case, required, log_required, witness)

    def compose(self, times: Number) -> Profile:
        """Return the profile of adaptive repetitions on the same data.

        Parameters
        ----------
        times : int
            How often, 1 or more.

        Returns
        -------
        Profile
            Gaussian noise: another such profile, for any count. Pure mechanisms: up to 100 000
            times. Laplace noise: up to 1000 times.

        Raises
        ------
        ParameterError
            Case "not-composable" beyond these.

        Examples
        --------
        >>> import dpdocs
        >>> round(dpdocs.PureDP(epsilon=0.5).compose(30).epsilon(1e-12), 10)
        14.999998498
        """
        count = exact.whole(times, "times", _TIMES)
        return self if count == 1 else Composition([(self, count)])

    def _judge(self, epsilon: Fraction, claim: Fraction) -> tuple[bool, str, str]:
        if self._loss.vanishes(Fraction(0)):
            return True, "no-loss", "The two outputs have the same law, so every claim holds."
        if self._loss.vanishes(epsilon):
            return True, "pure-holds", "At this ε the least δ is exactly 0."
        if claim == 0 and math.isinf(self.pure_epsilon):
            reason = "δ = 0 holds at no finite ε, because the privacy loss is unbounded."
            return False, "no-finite-pure-epsilon", reason
        if claim == 0:
            reason = f"δ = 0 needs an ε of at least {self.pure_epsilon:.12g}."
            return False, "pure-fails", reason
        certain = self._holds(epsilon, claim)
        if certain is None:
            reason = "The claimed δ is too close to the least one to tell which is larger."
            return False, "not-certified", reason
        if certain:
            return True, "holds", "The least δ for this ε is at most the claimed one."
        return False, "fails", "The least δ for this ε is larger than the claimed one."

    def _holds(self, epsilon: Fraction, claim: Fraction) -> bool | None:
        """Whether δ(ε) ≤ claim: by floats where they can tell, else by as many digits as needed."""
        if claim >= 1 or self._loss.vanishes(epsilon):
            return True
        if claim == 0:
            return False
        found = self._loss.estimate([epsilon])
        log_claim = exact.log(claim)
        gap = float(found.log_delta[0]) - log_claim
        doubt = float(found.log_error[0]) + 1e-15 * abs(log_claim) + 1e-15
        if abs(gap) > doubt:
            return gap < 0
        return at_most(lambda digits: self._loss.enclose(epsilon, digits), claim)

    def _least_epsilon(self, delta: Fraction) -> float:
        if delta == 0:
            return self.pure_epsilon
        return 0.0 if self._holds(Fraction(0), delta) else self._loss.solve(delta)

    def _epsilon_pair(self, delta: Fraction) -> tuple[float, float]:
        guess = self._least_epsilon(delta)
        if guess == 0.0 or math.isinf(guess):
            return guess, guess
        if delta == 0:  # pure_epsilon is rounded to nearest
            return math.nextafter(guess, 0.0), math.nextafter(guess, math.inf)
        lower = upper = guess
        step = math.ulp(guess)
        while lower > 0 and self._holds(Fraction(lower), delta) is not False:
            lower, step = max(0.0, lower - step), 2 * step
        step = math.ulp(guess)
        while self._holds(Fraction(upper), delta) is not True:
            upper, step = upper + step, 2 * step
        return lower, upper


class Composition(Profile):
    """Several mechanisms, each on the same data, chosen adaptively or not.

    The worst pair of each mechanism at once is the worst pair of the composition, also when later
    mechanisms are chosen by earlier outputs (Kairouz, Oh & Viswanath 2015 for pure mechanisms;
    Dong, Roth & Su 2022 and Zhu, Dong & Wang 2022 for all).

    Parameters
    ----------
    parts : sequence of (Profile, int)
        The mechanisms and how often each is used.

    Examples
    --------
    >>> import dpdocs
    >>> two = dpdocs.Gaussian(sigma=2).compose(4)
    >>> round(two.delta(1) / dpdocs.Gaussian(sigma=1).delta(1), 12)
    1.0
    """

    def __init__(self, parts: Sequence[tuple[Profile, int]]) -> None:
        self._parts = tuple(parts)
        stated = {part.adjacency for part, _ in self._parts} - {None}
        if len(stated) > 1:
            raise ParameterError(
                "profiles",
                ", ".join(sorted(map(str, stated))),
                "must all be about the same neighbours",
                "State the sensitivity of each mechanism for one adjacency",
                "different-adjacency",
            )
        loss = joint((part._loss, count) for part, count in self._parts)
        if loss is None:
            raise ParameterError(
                "profiles",
                self,
                "must be Gaussian noise, pure mechanisms (each up to 100 000 times) or both of "
                "these, or equal Laplace noise (up to 1000 times)",
                "Replace each Laplace mechanism by PureDP(sensitivity / scale) for an upper bound",
                "not-composable",
            )
        super().__init__(loss, stated.pop() if stated else None)

    @property
    def parts(self) -> tuple[tuple[Profile, int], ...]:
        """The mechanisms and how often each is used."""
        return self._parts

    def __repr__(self) -> str:
        shown = (f"{part!r} × {count}" if count > 1 else repr(part) for part, count in self._parts)
        return f"Composition({', '.join(shown)})"


def compose(*profiles: Profile) -> Profile:
    """Profile of different mechanisms on the same data, chosen adaptively or not.

    Parameters
    ----------
    *profiles : Profile
        One or more profiles; compositions are taken apart.

    Returns
    -------
    Profile
        Gaussian mechanisms, pure mechanisms (exact where their sums have at most 2^20 different
        values, as 20 different ε have; bounds beyond), both together (2^20 values), or equal
        Laplace mechanisms.

    Raises
    ------
    ParameterError
        Cases "not-composable", "different-adjacency", "missing-parameter".

    Examples
    --------
    >>> import dpdocs
    >>> m = dpdocs.compose(*(dpdocs.PureDP(epsilon=k / 10) for k in range(1, 9)))
    >>> round(m.delta(1.5), 12)
    0.189224424168
    """
    counts: Counter[Profile] = Counter()
    for profile in profiles:
        if not isinstance(profile, Profile):
            raise ParameterError(
                "profiles",
                profile,
                "must be a privacy profile",
                "Give profiles such as Laplace(1) or PureDP(0.5)",
                "not-composable",
            )
        for part, count in profile.parts if isinstance(profile, Composition) else [(profile, 1)]:
            counts[part] += count
    if not counts:
        raise ParameterError(
            "profiles",
            profiles,
            "must be at least one privacy profile",
            "Give profiles such as Laplace(1) or PureDP(0.5)",
            "missing-parameter",
        )
    if len(profiles) == 1:
        return profiles[0]
    return Composition(list(counts.items()))


@overload
def _shaped(values: FloatArray, shape: None) -> float: ...
@overload
def _shaped(values: FloatArray, shape: tuple[int, ...]) -> FloatArray: ...
def _shaped(values: FloatArray, shape: tuple[int, ...] | None) -> float | FloatArray:
    return float(values[0]) if shape is None else values.reshape(shape)

r"""The composition theorems of the textbooks, for claims (ε, δ).

They know of each mechanism only what was claimed. The exact accountant (`dpdocs.compose`) knows
the mechanism, so its ε is never larger than that of `optimal`, and that is never larger than
that of the two others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Literal, TypeAlias

from dpdocs import exact
from dpdocs.accounting.safe import CLAIMED_DELTA, Guarantee, decimal, shown, upward
from dpdocs.errors import ParameterError
from dpdocs.exact import FLOAT_EPSILON, Number, Range
from dpdocs.losses import NoLoss, TwoPointLoss
from dpdocs.losses.two_point import MOST
from dpdocs.profile import Profile

__all__ = ["advanced", "advanced_different", "basic", "optimal", "parallel"]

Claims: TypeAlias = Iterable[tuple[Number, Number]]
Pair: TypeAlias = tuple[Fraction, Fraction]

_TIMES = Range("1", "1000000000")
_ADJACENCIES = ("add-remove", "replace-one")


def _read(claims: Claims) -> list[Pair]:
    """Read claims exactly; there must be at least one."""
    found: list[Pair] = []
    for claim in claims:
        if not isinstance(claim, tuple | list) or len(claim) != 2:
            raise ParameterError(
                "claims",
                claim,
                "must be pairs (ε, δ)",
                "Give a list such as [(0.5, 0), (1, 1e-6)]",
                "not-a-number",
            )
        found.append(
            (
                exact.number(claim[0], "epsilon", FLOAT_EPSILON),
                exact.number(claim[1], "delta", exact.DELTA),
            )
        )
    if not found:
        raise ParameterError(
            "claims", found, "must not be empty", "Give at least one pair (ε, δ)", "empty"
        )
    return found


def basic(claims: Claims, times: Number = 1) -> Guarantee:
    r"""Add up: basic composition.

    Parameters
    ----------
    claims : sequence of (number, number)
        The pairs (ε, δ) of the mechanisms.
    times : int
        How often all of them are used.

    Returns
    -------
    Guarantee
        $(\sum\epsilon_i, \sum\delta_i)$ (Dwork & Roth 2014, theorem 3.16).

    Examples
    --------
    >>> from dpdocs.accounting import basic
    >>> found = basic([("0.1", 0), ("0.2", "1e-6")], times=10)
    >>> found.epsilon, found.delta
    (3.0, 1e-05)
    """
    count = exact.whole(times, "times", _TIMES)
    pairs = _read(claims)
    epsilon = count * sum((pair[0] for pair in pairs), Fraction(0))
    delta = min(count * sum((pair[1] for pair in pairs), Fraction(0)), Fraction(1))
    basis = "basic composition (Dwork & Roth 2014, theorem 3.16)"
    return Guarantee(exact.least_float(epsilon), exact.least_float(delta), basis)


def advanced(epsilon: Number, delta: Number, times: Number, slack: Number) -> Guarantee:
    r"""Give a little δ for a smaller ε: advanced composition.

    Parameters
    ----------
    epsilon, delta : number or decimal string
        The claim of each mechanism.
    times : int
        How many there are, k.
    slack : number or decimal string
        The additional δ′ in (0, 1).

    Returns
    -------
    Guarantee
        $\epsilon' = \sqrt{2k\ln(1/\delta')}\,\epsilon + k\epsilon(e^\epsilon-1)$ and
        $k\delta + \delta'$ (Dwork, Rothblum & Vadhan 2010, theorem III.3). It is the theorem's
        number also where basic composition gives less.

    Examples
    --------
    >>> from dpdocs.accounting import advanced
    >>> round(advanced("0.1", 0, 100, "1e-6").epsilon, 9)
    6.308230951
    """
    count = exact.whole(times, "times", _TIMES)
    eps = exact.number(epsilon, "epsilon", FLOAT_EPSILON)
    each = exact.number(delta, "delta", exact.DELTA)
    more = exact.number(slack, "slack", CLAIMED_DELTA)

    def total() -> Decimal:
        e = decimal(eps)
        return (-2 * count * decimal(more).ln()).sqrt() * e + count * e * (e.exp() - 1)

    delta_total = min(count * each + more, Fraction(1))
    basis = "advanced composition (Dwork, Rothblum & Vadhan 2010, theorem III.3)"
    return Guarantee(_at_least_zero(eps, total), exact.least_float(delta_total), basis)


def advanced_different(claims: Claims, slack: Number) -> Guarantee:
    r"""Advanced composition of mechanisms with different claims.

    Parameters
    ----------
    claims : sequence of (number, number)
        The pairs (ε, δ) of the mechanisms.
    slack : number or decimal string
        The additional δ′ in (0, 1).

    Returns
    -------
    Guarantee
        The least of $\sum\epsilon_i$ and, with $s = \sum\epsilon_i\tanh(\epsilon_i/2)$ and
        $v = \sum\epsilon_i^2$, of $s + \sqrt{2v\ln(e+\sqrt v/\delta')}$ and
        $s + \sqrt{2v\ln(1/\delta')}$, with $\delta = 1-(1-\delta')\prod(1-\delta_i)$ (Kairouz, Oh
        & Viswanath 2015, theorem 3.5).

    Examples
    --------
    >>> from dpdocs.accounting import advanced_different
    >>> round(advanced_different([("0.1", 0)] * 100, "1e-6").epsilon, 9)
    5.756105519
    """
    pairs = _read(claims)
    more = exact.number(slack, "slack", CLAIMED_DELTA)
    simple = sum((pair[0] for pair in pairs), Fraction(0))

    def total() -> Decimal:
        sizes = [decimal(pair[0]) for pair in pairs]
        mean = sum((e * (1 - (-e).exp()) / (1 + (-e).exp()) for e in sizes), Decimal(0))
        square = sum((e * e for e in sizes), Decimal(0))
        room = decimal(more)
        logs = ((Decimal(1).exp() + square.sqrt() / room).ln(), -room.ln())
        return mean + (2 * square * min(logs)).sqrt()

    epsilon = min(exact.least_float(simple), _at_least_zero(simple, total))
    kept = 1 - more
    for _, delta in pairs:
        kept *= 1 - delta
    basis = "advanced composition (Kairouz, Oh & Viswanath 2015, theorem 3.5)"
    return Guarantee(epsilon, exact.least_float(1 - kept), basis)


def _at_least_zero(size: Fraction, total: object) -> float:
    """Return 0 where nothing is spent: no rounding slack is then due."""
    return upward(total) if size else 0.0  # type: ignore[arg-type]


def optimal(claims: Claims, delta: Number, times: Number = 1) -> Guarantee:
    r"""Find the least ε that follows from the claims alone: optimal composition.

    A mechanism that is (ε, δ)-private is a post-processing of a pair that gives itself away with
    probability δ and else answers as ε-randomised response does. So the total δ is
    $1-(1-\delta^*)\prod(1-\delta_i)$, where $\delta^*$ is the δ of the composed responses.

    Parameters
    ----------
    claims : sequence of (number, number)
        The pairs (ε, δ) of the mechanisms.
    delta : number or decimal string
        The total δ in [0, 1].
    times : int
        How often all of them are used.

    Returns
    -------
    Guarantee
        With an infinite ε where the δ of the claims alone exceed the total. Exact for up to
        2^20 different sums (Kairouz, Oh & Viswanath 2015, theorem 3.3; Murtagh & Vadhan 2016,
        theorem 1.5), else a certified upper bound.

    Raises
    ------
    ParameterError
        Case "above-maximum" for more than 100 000 equal claims.

    Examples
    --------
    >>> from dpdocs.accounting import optimal
    >>> round(optimal([("0.1", 0)], "1e-6", times=100).epsilon, 12)
    4.774567588108
    >>> round(optimal([("0.1", "1e-8")], "1e-6", times=100).epsilon, 2)
    6.97
    """
    count = exact.whole(times, "times", _TIMES)
    pairs = _read(claims)
    whole = exact.number(delta, "delta", exact.DELTA)
    groups: dict[Fraction, int] = {}
    for epsilon, _ in pairs:
        if epsilon:
            groups[epsilon] = groups.get(epsilon, 0) + count
    if groups and max(groups.values()) > MOST:
        raise ParameterError(
            "times",
            times,
            f"must give at most {MOST} equal claims",
            "Use advanced composition, or fewer claims",
            "above-maximum",
            {"maximum": str(MOST)},
        )
    basis = "optimal composition (Kairouz, Oh & Viswanath 2015; Murtagh & Vadhan 2016)"
    total = exact.least_float(whole)
    room = _left_for_responses([pair[1] for pair in pairs], count, whole)
    if room is None:
        return Guarantee(math.inf, total, basis, "exact")
    loss = TwoPointLoss(groups) if groups else NoLoss()
    if room == 0:
        return Guarantee(exact.least_float(loss.largest), total, basis, "exact")
    certified = isinstance(loss, NoLoss) or loss.is_exact
    most = exact.least_float(loss.largest)  # basic composition
    found = min(shown(float(Profile(loss).epsilon_bounds(room)[1])), most)
    return Guarantee(found, total, basis, "exact" if certified else "upper bound")


def _left_for_responses(deltas: list[Fraction], count: int, whole: Fraction) -> Fraction | None:
    """Return δ* of the composed responses, rounded down; None where the claims exceed the whole."""
    if whole == 1:
        return Fraction(1)
    if not any(deltas):
        return whole
    if count * len(deltas) <= 64:  # few enough for exact fractions
        kept = math.prod((1 - each for each in deltas), start=Fraction(1)) ** count
        if kept == 0 or 1 - kept > whole:
            return None
        return 1 - (1 - whole) / kept
    with localcontext(Context(prec=1_000)):
        logs = sum(((1 - decimal(d)).ln() for d in deltas if d < 1), Decimal(0))
        if any(d == 1 for d in deltas):
            return None
        room = 1 - decimal(1 - whole) / (count * logs).exp() - Decimal("1e-900")
        return Fraction(room) if room >= 0 else None


def parallel(
    claims: Claims, adjacency: Literal["add-remove", "replace-one"] = "add-remove"
) -> Guarantee:
    r"""Mechanisms on disjoint parts of the data: parallel composition.

    The parts are chosen by what a record holds, and each claim is about one record more or less
    in its part.

    Parameters
    ----------
    claims : sequence of (number, number)
        The pairs (ε, δ) of the mechanisms, each for add-remove neighbours of its part.
    adjacency : {"add-remove", "replace-one"}
        Neighbours of the whole data. A record that comes or goes touches one part. A record that
        is *replaced* may leave one part and enter another, or change twice in the same part.

    Returns
    -------
    Guarantee
        Add-remove: the largest ε and the largest δ (McSherry 2009, theorem 4). Replace-one: twice
        the largest ε; δ is the largest of $\delta_i+\delta_j$ (two parts are touched, basic
        composition) and $(1+e^{\epsilon_i})\delta_i$ (a group of two in one part).

    Examples
    --------
    >>> from dpdocs.accounting import parallel
    >>> parallel([(1, 0), ("0.5", 0)]).epsilon
    1.0
    >>> parallel([(1, 0), ("0.5", 0)], adjacency="replace-one").epsilon
    2.0
    """
    pairs = _read(claims)
    if adjacency not in _ADJACENCIES:
        choices = ", ".join(_ADJACENCIES)
        raise ParameterError(
            "adjacency",
            adjacency,
            f"must be one of {choices}",
            "Choose one of them",
            "unknown-choice",
            {"choices": choices},
        )
    largest = max(pair[0] for pair in pairs)
    deltas = sorted((pair[1] for pair in pairs), reverse=True)
    basis = "parallel composition (McSherry 2009, theorem 4)"
    if adjacency == "add-remove":
        return Guarantee(exact.least_float(largest), exact.least_float(deltas[0]), basis)
    two = exact.least_float(sum(deltas[:2], Fraction(0)))
    twice = [upward(lambda e=e, d=d: (1 + decimal(e).exp()) * decimal(d)) for e, d in pairs if d]  # type: ignore[misc]
    delta = min(1.0, max([two, *twice]))
    basis += ", with two changes for one replaced record"
    return Guarantee(exact.least_float(2 * largest), delta, basis)

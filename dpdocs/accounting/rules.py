r"""How a ledger adds up: the exact accountant for plans, cited theorems for adaptive spending.

The exact profile of a composition holds where all mechanisms are *fixed in advance*. Where the
next one, or when to stop, is chosen by looking at answers, only a theorem about adaptively chosen
privacy parameters helps: a **filter** guards a budget fixed in advance, and an **odometer** bounds
the loss at all times at once.

- Pure ε adds up along every run, so it is both (Rogers, Roth, Ullman & Vadhan 2016).
- zCDP and Rényi DP at one order fixed in advance have filters as good as their composition
  (Feldman & Zrnic 2021; Whitehouse, Ramdas, Rogers & Wu 2023). At that order
  $e^{(\alpha-1)(L_t-\sum\tau_i)}$ is a supermartingale, so by Ville's inequality
  $L_t\le\sum\tau_i+\ln(1/\delta)/(\alpha-1)$ at all times with probability $1-\delta$: an odometer.
- μ² adds up for Gaussian DP, as a filter (Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2023).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from dpdocs import exact
from dpdocs.accounting import gdp
from dpdocs.accounting.convert import epsilon_at
from dpdocs.accounting.renyi import Renyi
from dpdocs.accounting.safe import Guarantee, shown
from dpdocs.accounting.zcdp import ZCDP
from dpdocs.errors import ParameterError
from dpdocs.profile import Composition, Profile, compose

__all__ = ["THEOREMS", "Theorem", "adaptive", "plan"]

Theorem: TypeAlias = Literal["pure", "zcdp", "renyi", "gdp"]
Spends: TypeAlias = Sequence[tuple[Profile, int]]

_EXACT = "exact accountant"
_SHARP = 1e-6  # bounds on ε as near as this, relatively, are one number

THEOREMS: dict[str, dict[str, str]] = {
    "filter": {
        "pure": "pure filter: ε adds up (Rogers, Roth, Ullman & Vadhan 2016)",
        "zcdp": "zCDP filter (Feldman & Zrnic 2021; Whitehouse, Ramdas, Rogers & Wu 2023)",
        "renyi": "Rényi filter at a fixed order (Feldman & Zrnic 2021)",
        "gdp": "Gaussian DP filter (Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2023)",
    },
    "odometer": {
        "pure": "pure odometer: ε adds up (Rogers, Roth, Ullman & Vadhan 2016)",
        "renyi": "Rényi odometer at a fixed order (Feldman & Zrnic 2021; Whitehouse, Ramdas, "
        "Rogers & Wu 2023)",
    },
}


def plan(spends: Spends, delta: Fraction) -> Guarantee:
    """Return what a plan fixed in advance spends.

    Parameters
    ----------
    spends : sequence of (Profile, int)
        All mechanisms with their counts.
    delta : Fraction
        The δ at which ε is asked for.

    Returns
    -------
    Guarantee
        By the exact accountant; where it cannot compose them, the best of what follows from pure
        ε and from Rényi divergences, as an upper bound.

    Examples
    --------
    >>> import dpdocs
    >>> plan([(dpdocs.Gaussian(sigma=1), 2)], Fraction("1e-5")).kind
    'exact'
    """
    claim = exact.least_float(delta)
    if delta == 1:
        return Guarantee(0.0, claim, "δ = 1 is no promise", "exact")
    if not spends:
        return Guarantee(0.0, claim, "nothing is spent", "exact")
    try:
        total = compose(*(profile.compose(count) for profile, count in spends))
        largest = total._loss.largest
        if delta == 0 and largest is not None:
            return Guarantee(exact.least_float(largest), claim, _EXACT, "exact")
        lower, upper = map(float, total.epsilon_bounds(delta))
        if upper - lower <= _SHARP * upper or delta == 0:
            return Guarantee(shown(upper), claim, _EXACT, "exact")
        if math.isfinite(upper):
            return Guarantee(
                shown(upper), claim, f"{_EXACT}, upper one of its bounds", "upper bound"
            )
    except ParameterError as refusal:
        if refusal.case != "not-composable":
            raise
    bounds = [_pure(spends, delta)]
    if delta > 0:
        try:
            bounds.append(Renyi(spends).epsilon(delta))
        except ParameterError as refusal:
            if refusal.case != "unknown-choice":
                raise
    best = min(bounds, key=lambda bound: bound.epsilon)
    basis = f"not composed exactly; certified bound by {best.basis}"
    return Guarantee(best.epsilon, claim, basis, "upper bound")


def adaptive(
    spends: Spends, delta: Fraction, mode: str, theorem: str, order: Fraction | None
) -> Guarantee:
    """Return what adaptively chosen spends add up to under one theorem.

    Parameters
    ----------
    spends : sequence of (Profile, int)
        All mechanisms so far with their counts.
    delta : Fraction
        The δ at which ε is asked for.
    mode : {"filter", "odometer"}
        Which kind of theorem.
    theorem : {"pure", "zcdp", "renyi", "gdp"}
        Which one.
    order : Fraction or None
        The fixed Rényi order.

    Returns
    -------
    Guarantee
        An upper bound.

    Raises
    ------
    ParameterError
        Case "unknown-choice" for a mechanism that the theorem says nothing about.

    Examples
    --------
    >>> import dpdocs
    >>> found = adaptive([(dpdocs.PureDP("0.1"), 3)], Fraction(0), "odometer", "pure", None)
    >>> found.epsilon
    0.3
    """
    basis, claim = THEOREMS[mode][theorem], exact.least_float(delta)
    if theorem == "pure":
        return Guarantee(_pure(spends, delta, strict=True).epsilon, claim, basis)
    if theorem == "zcdp":
        rho = sum((count * ZCDP.of(p).exact_rho for p, count in spends), Fraction(0))
        epsilon = _if_any(rho, delta, lambda: ZCDP(rho).epsilon(delta).epsilon)
    elif theorem == "gdp":
        square = sum((count * gdp.mu_squared(p) for p, count in spends), Fraction(0))
        # a profile of this μ² exactly: Gaussians of variance 1/μ² have no rational σ in general
        parts = [(part, count) for part, count in spends if gdp.mu_squared(part)]
        epsilon = _if_any(
            square, delta, lambda: shown(float(Composition(parts).epsilon_bounds(delta)[1]))
        )
    else:
        assert order is not None
        total = Renyi(spends).divergence(order)
        conversion = "optimal" if mode == "filter" else "classic"
        epsilon = _if_any(
            Fraction(total) if math.isfinite(total) else Fraction(1),
            delta,
            lambda: epsilon_at(order, total, delta, conversion),
        )
    return Guarantee(epsilon, claim, basis)


def _if_any(size: Fraction, delta: Fraction, epsilon: object) -> float:
    """Return 0 where nothing is spent, infinity for δ = 0, 0 for δ = 1, else the ε."""
    if size == 0 or delta == 1:
        return 0.0
    return math.inf if delta == 0 else float(epsilon())  # type: ignore[operator]


def _pure(spends: Spends, delta: Fraction, strict: bool = False) -> Guarantee:
    total = Fraction(0)
    for profile, count in spends:
        largest = profile._loss.largest
        if largest is None:
            if not strict:
                return Guarantee(math.inf, exact.least_float(delta), "pure ε")
            known = "mechanisms with a bounded loss, such as Laplace and PureDP"
            raise ParameterError(
                "profile",
                profile,
                f"must be one of {known}",
                'Use the theorem "zcdp", "renyi" or "gdp"',
                "unknown-choice",
                {"choices": known},
            )
        total += count * largest
    return Guarantee(exact.least_float(total), exact.least_float(delta), "pure ε, added up")

r"""Group privacy: neighbours that differ in several records.

What holds for one record holds for k of them k times over. Noise with a known sensitivity does
better than the textbook bound: k records move its query by at most kΔ, so its profile is that of
the same noise with sensitivity kΔ, exactly.
"""

from __future__ import annotations

from fractions import Fraction

from dpdocs import exact
from dpdocs.accounting.safe import Guarantee, decimal, upward
from dpdocs.errors import ParameterError
from dpdocs.exact import FLOAT_EPSILON, Number, Range
from dpdocs.mechanisms import Gaussian, Laplace, PureDP
from dpdocs.profile import Composition, Profile

__all__ = ["group", "group_claim"]

_SIZE = Range("1", "1000000000")
_TINY = Fraction(1, 10**100)
_KNOWN = "Laplace, Gaussian, PureDP, and compositions of these"


def group_claim(epsilon: Number, delta: Number, size: Number) -> Guarantee:
    r"""Return what a claim says about groups, whatever the mechanism.

    Parameters
    ----------
    epsilon, delta : number or decimal string
        The claim for one record.
    size : int
        Records in the group, k.

    Returns
    -------
    Guarantee
        $\bigl(k\epsilon,\ \delta\,(e^{k\epsilon}-1)/(e^\epsilon-1)\bigr)$ (Vadhan 2017, lemma
        2.2); δ is at most 1.

    Examples
    --------
    >>> from dpdocs.accounting import group_claim
    >>> found = group_claim(1, "1e-6", 3)
    >>> found.epsilon, round(found.delta, 12)
    (3.0, 1.1107338e-05)
    """
    count = exact.whole(size, "size", _SIZE)
    eps = exact.number(epsilon, "epsilon", FLOAT_EPSILON)
    each = exact.number(delta, "delta", exact.DELTA)
    if eps == 0 or each == 0:
        total = exact.least_float(min(count * each, Fraction(1)))
    elif count * eps < _TINY:  # (e^kε - 1)/(e^ε - 1) ≤ k e^kε ≤ k (1 + 2kε)
        total = exact.least_float(min(count * each * (1 + 2 * count * eps), Fraction(1)))
    else:
        digits = 60 + 2 * max(0, len(str(eps.denominator)) - len(str(eps.numerator)))

        def grown() -> object:
            e = decimal(eps)
            return decimal(each) * ((count * e).exp() - 1) / (e.exp() - 1)

        total = min(1.0, upward(grown, digits))  # type: ignore[arg-type]
    basis = "group privacy (Vadhan 2017, lemma 2.2)"
    return Guarantee(exact.least_float(count * eps), total, basis)


def group(profile: Profile, size: Number) -> Profile:
    r"""Return the profile for neighbours that differ in several records.

    Parameters
    ----------
    profile : Laplace, Gaussian, PureDP or a composition of these
        The profile for one record.
    size : int
        Records in the group, k.

    Returns
    -------
    Profile
        The same noise with sensitivity $k\Delta$; for a mechanism of which only ε is known, that
        of $k\epsilon$.

    Raises
    ------
    ParameterError
        Case "unknown-choice" for a profile without a sensitivity; `group_claim` is left for it.

    Examples
    --------
    >>> import dpdocs
    >>> dpdocs.accounting.group(dpdocs.Laplace(scale=2), 3).pure_epsilon
    1.5
    """
    count = exact.whole(size, "size", _SIZE)
    if count == 1:
        return profile
    if isinstance(profile, Laplace | Gaussian):
        gap = count * profile.exact_sensitivity
        return type(profile)(profile.exact_spread, gap, adjacency=profile.adjacency)
    if isinstance(profile, PureDP):
        return PureDP(count * profile._epsilon, adjacency=profile.adjacency)
    if isinstance(profile, Composition):
        return Composition([(group(part, count), times) for part, times in profile.parts])
    raise ParameterError(
        "profile",
        profile,
        f"must be one of {_KNOWN}",
        "Use group_claim on a claim (ε, δ) of it",
        "unknown-choice",
        {"choices": _KNOWN},
    )

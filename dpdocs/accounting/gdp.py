r"""Gaussian differential privacy: one number μ.

A mechanism is μ-GDP if telling neighbours apart is never easier than telling $\mathcal N(0,1)$
from $\mathcal N(\mu,1)$ (Dong, Roth & Su 2022, definition 2.6). So the profile of μ-GDP is that of
Gaussian noise, and composition is exact: $\mu=\sqrt{\sum\mu_i^2}$ (ibid., corollary 3.3).
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from dpdocs import exact
from dpdocs.accounting.safe import decimal, upward
from dpdocs.errors import ParameterError
from dpdocs.exact import FLOAT_EPSILON, Number, Range
from dpdocs.losses import NoLoss, NormalLoss
from dpdocs.mechanisms import Gaussian
from dpdocs.profile import Composition, Profile

__all__ = ["clt_approximation", "compose", "largest_mu", "mu", "mu_squared", "profile"]


def mu_squared(of: Profile) -> Fraction:
    r"""Return $\mu^2$ of Gaussian noise, or of Gaussians together.

    Parameters
    ----------
    of : Profile
        The profile.

    Returns
    -------
    Fraction
        $\sum\Delta_i^2/\sigma_i^2$, exactly.

    Raises
    ------
    ParameterError
        Case "unknown-choice" for a profile that is not that of Gaussian noise.

    Examples
    --------
    >>> import dpdocs
    >>> dpdocs.accounting.gdp.mu_squared(dpdocs.Gaussian(sigma=2).compose(4))
    Fraction(1, 1)
    """
    if isinstance(of, Composition):
        return sum((count * mu_squared(part) for part, count in of.parts), Fraction(0))
    if isinstance(of._loss, NoLoss):
        return Fraction(0)
    if isinstance(of._loss, NormalLoss):
        return of._loss.square
    known = "Gaussian, compositions of Gaussians"
    raise ParameterError(
        "profile",
        of,
        f"must be one of {known}",
        "Use Rényi divergences or the exact accountant",
        "unknown-choice",
        {"choices": known},
    )


def _root_up(square: Fraction) -> float:
    return upward(lambda: decimal(square).sqrt()) if square else 0.0


def mu(of: Profile) -> float:
    """Return μ of Gaussian noise, or of Gaussians together.

    Parameters
    ----------
    of : Profile
        The profile.

    Returns
    -------
    float
        Δ/σ of the one Gaussian that spends as much, rounded up.

    Examples
    --------
    >>> import dpdocs
    >>> round(dpdocs.accounting.gdp.mu(dpdocs.Gaussian(sigma=2)), 12)
    0.5
    """
    return _root_up(mu_squared(of))


def compose(*mus: Number) -> float:
    r"""Return $\sqrt{\sum\mu_i^2}$.

    Parameters
    ----------
    *mus : number or decimal string
        The μ of each mechanism, at least 0.

    Returns
    -------
    float
        Rounded up.

    Examples
    --------
    >>> from dpdocs.accounting import gdp
    >>> round(gdp.compose(3, 4), 12)
    5.0
    """
    values = [exact.number(each, "mu", FLOAT_EPSILON) for each in mus]
    return _root_up(sum((each**2 for each in values), Fraction(0)))


def profile(mu: Number) -> Gaussian:
    """Return the profile of μ-GDP: δ for an ε, ε for a δ, and all else.

    Parameters
    ----------
    mu : number or decimal string
        In [0, 1e300].

    Returns
    -------
    Gaussian
        With σ = 1 and sensitivity μ (Dong, Roth & Su 2022, corollary 2.13).

    Examples
    --------
    >>> from dpdocs.accounting import gdp
    >>> round(gdp.profile(1).delta(1), 12)
    0.126936737507
    """
    return Gaussian(1, exact.number(mu, "mu", FLOAT_EPSILON))


def largest_mu(epsilon: Number, delta: Number) -> float:
    """Return the largest μ for which μ-GDP gives a claim.

    Parameters
    ----------
    epsilon : number or decimal string
        Claimed ε in [0, 1e300].
    delta : number or decimal string
        Claimed δ in (0, 1).

    Returns
    -------
    float
        Rounded down, so that the claim holds.

    Examples
    --------
    >>> from dpdocs.accounting import gdp
    >>> found = gdp.largest_mu(1, "1e-5")
    >>> round(found, 12), gdp.profile(found).satisfies(1, "1e-5").holds
    (0.268051123211, True)
    """
    sigma = exact.number(Gaussian.calibrate(epsilon, delta).sigma, "sigma", exact.SCALE)
    found = -exact.least_float(-1 / sigma)
    while found > 0 and exact.number(found, "mu") > 1 / sigma:
        found = math.nextafter(found, 0.0)
    return found


def clt_approximation(sigma: Number, rate: Number, steps: Number) -> float:
    r"""Approximate μ of a Poisson-subsampled Gaussian by the central limit theorem.

    This is an **approximation, and no guarantee**: its ε may be below the truth, as it is in the
    example.

    Parameters
    ----------
    sigma : number or decimal string
        Standard deviation of the noise for sensitivity 1.
    rate : number or decimal string
        Sampling rate q in [0, 1].
    steps : int
        How many, T.

    Returns
    -------
    float
        $q\sqrt{T(e^{1/\sigma^2}-1)}$ (Bu, Dong, Long & Su 2020).

    Examples
    --------
    With q = 0.01, σ = 1 and 1000 steps the true ε at δ = 1e-5 is 1.828:

    >>> from dpdocs.accounting import gdp
    >>> about = gdp.clt_approximation(1, "0.01", 1000)
    >>> round(about, 6), round(gdp.profile(about).epsilon("1e-5"), 3)
    (0.414522, 1.618)
    """
    spread = exact.number(sigma, "sigma", exact.SCALE)
    share = exact.number(rate, "rate", Range("0", "1"))
    count = exact.whole(steps, "steps", Range("1", "1000000000"))
    digits = 60 + 2 * len(str(int(spread) + 1))

    def formula() -> Decimal:
        return decimal(share) * (count * ((decimal(1 / spread**2)).exp() - 1)).sqrt()

    return upward(formula, digits) if share else 0.0

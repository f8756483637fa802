r"""Zero-concentrated differential privacy: one number ρ, with $D_\alpha\le\rho\alpha$ for all α.

Bun & Steinke (2016). ρ adds up, and Gaussian noise has exactly $\rho=\Delta^2/2\sigma^2$.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpdocs import exact
from dpdocs.accounting.convert import Conversion, best_delta, best_epsilon, check_conversion
from dpdocs.accounting.safe import CLAIMED_DELTA, Guarantee, decimal, upward
from dpdocs.errors import ParameterError
from dpdocs.exact import FLOAT_EPSILON, Number
from dpdocs.losses import LaplaceLoss, Loss, NoLoss, NormalLoss, TwoPointLoss
from dpdocs.losses.laplace_fold import LaplaceFold
from dpdocs.profile import Composition, Profile

__all__ = ["ZCDP"]

_CLASSIC = "zCDP (Bun & Steinke 2016, proposition 1.3)"
_OPTIMAL = "zCDP (Canonne, Kamath & Steinke 2020, corollary 13)"


class ZCDP:
    """A zCDP guarantee.

    Parameters
    ----------
    rho : number or decimal string
        Its ρ, in [0, 1e300].

    Examples
    --------
    >>> import dpdocs
    >>> one = dpdocs.accounting.ZCDP("0.5")
    >>> round(one.epsilon("0.2").epsilon, 3), round(dpdocs.Gaussian(sigma=1).epsilon("0.2"), 12)
    (1.176, 0.653350768801)
    """

    def __init__(self, rho: Number) -> None:
        self._rho = exact.number(rho, "rho", FLOAT_EPSILON)

    def __repr__(self) -> str:
        return f"ZCDP(rho={self.rho!r})"

    @property
    def rho(self) -> float:
        """ρ, rounded up."""
        return exact.least_float(self._rho)

    @property
    def exact_rho(self) -> Fraction:
        """ρ as a fraction."""
        return self._rho

    @classmethod
    def of(cls, profile: Profile) -> ZCDP:
        r"""Return the ρ of a profile.

        Parameters
        ----------
        profile : Profile
            Gaussian noise, $\Delta^2/2\sigma^2$; Laplace noise and any pure mechanism,
            $\epsilon^2/2$ (Bun & Steinke 2016, proposition 1.4); compositions of these.

        Returns
        -------
        ZCDP
            With ρ as an exact fraction.

        Raises
        ------
        ParameterError
            Case "unknown-choice" where no ρ is known.

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.accounting.ZCDP.of(dpdocs.Gaussian(sigma=2).compose(4)).rho
        0.5
        """
        if isinstance(profile, Composition):
            return cls(sum((n * cls.of(part)._rho for part, n in profile.parts), Fraction(0)))
        return cls(_rho(profile._loss))

    def __add__(self, other: ZCDP) -> ZCDP:
        """Compose two: ρ adds up (Bun & Steinke 2016, lemma 1.7)."""
        return ZCDP(self._rho + other._rho)

    def compose(self, times: Number) -> ZCDP:
        """Return the guarantee of repetitions.

        Parameters
        ----------
        times : int
            How often, 1 or more.

        Returns
        -------
        ZCDP
            With ρ multiplied.

        Examples
        --------
        >>> from dpdocs.accounting import ZCDP
        >>> ZCDP("0.1").compose(3).rho
        0.3
        """
        return ZCDP(exact.whole(times, "times", exact.Range("1")) * self._rho)

    def epsilon(self, delta: Number, conversion: Conversion = "optimal") -> Guarantee:
        r"""Return the ε of a δ.

        Parameters
        ----------
        delta : number or decimal string
            δ in (0, 1).
        conversion : {"optimal", "classic"}
            "classic" is $\rho+2\sqrt{\rho\ln(1/\delta)}$ (Bun & Steinke 2016, proposition 1.3);
            "optimal" is the least of $\rho\alpha+\ln(1-1/\alpha)-\ln(\alpha\delta)/(\alpha-1)$
            over α > 1.

        Returns
        -------
        Guarantee
            Rounded up.

        Examples
        --------
        >>> from dpdocs.accounting import ZCDP
        >>> round(ZCDP("0.5").epsilon("1e-5", "classic").epsilon, 9)
        5.298525912
        """
        claim = exact.number(delta, "delta", CLAIMED_DELTA)
        check_conversion(conversion)
        shown = exact.least_float(claim)
        if self._rho == 0:
            return Guarantee(0.0, shown, _OPTIMAL if conversion == "optimal" else _CLASSIC)

        def classic() -> Decimal:
            rho = decimal(self._rho)
            return rho + 2 * (-rho * decimal(claim).ln()).sqrt()

        simple = upward(classic, 100)
        if conversion == "classic":
            return Guarantee(simple, shown, _CLASSIC)
        found, _ = best_epsilon(self._at, claim, conversion)
        return Guarantee(min(found, simple), shown, _OPTIMAL)

    def delta(self, epsilon: Number) -> Guarantee:
        """Return the δ of an ε, by the optimal conversion.

        Parameters
        ----------
        epsilon : number or decimal string
            Any ε in [0, 1e300].

        Returns
        -------
        Guarantee
            Rounded up.

        Examples
        --------
        >>> from dpdocs.accounting import ZCDP
        >>> 0 < ZCDP("0.5").delta(5).delta < 1e-5
        True
        """
        eps = exact.number(epsilon, "epsilon", FLOAT_EPSILON)
        found = 0.0 if self._rho == 0 else best_delta(self._at, eps)[0]
        return Guarantee(exact.least_float(eps), found, _OPTIMAL)

    def _at(self, order: float) -> float:
        return exact.above(self._rho * Fraction(order))


def _rho(loss: Loss) -> Fraction:
    if isinstance(loss, NoLoss):
        return Fraction(0)
    if isinstance(loss, NormalLoss):
        return loss.square / 2
    if isinstance(loss, LaplaceLoss | LaplaceFold):
        return loss.count * loss.ratio**2 / 2
    if isinstance(loss, TwoPointLoss):
        return sum((n * size**2 / 2 for size, n in loss.groups.items()), Fraction(0))
    known = "Gaussian, Laplace, PureDP, and compositions of these"
    raise ParameterError(
        "profile",
        loss,
        f"must be one of {known}",
        "Use Rényi divergences or the exact accountant",
        "unknown-choice",
        {"choices": known},
    )

r"""Rényi differential privacy: one number for each order.

$$ D_\alpha(P\,\|\,Q) = \frac{1}{\alpha-1}\ln\mathrm{E}_Q\Bigl(\frac{dP}{dQ}\Bigr)^{\!\alpha} $$

It adds up under composition (Mironov 2017, proposition 1). The conversion to (ε, δ) loses
something, even at the best order: the exact accountant is beside it to show how much.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from dpdocs import exact
from dpdocs.accounting.convert import Conversion, best_delta, best_epsilon, check_conversion
from dpdocs.accounting.poisson import log_moment
from dpdocs.accounting.safe import CLAIMED_DELTA, Guarantee, decimal, upward
from dpdocs.errors import ParameterError
from dpdocs.exact import FLOAT_EPSILON, Number, Range
from dpdocs.losses import LaplaceLoss, Loss, NoLoss, NormalLoss, TwoPointLoss
from dpdocs.losses.laplace_fold import LaplaceFold
from dpdocs.profile import Composition, Profile

__all__ = ["Renyi", "divergence", "subsampled_gaussian"]

Curve: TypeAlias = Callable[[Fraction], float]

_ORDER = Range("1")
_TINY = Fraction(1, 10**100)
_NEAREST = Fraction(1, 10**60)
_RATE = Range("0", "1")
_SIGMA = Range("1e-3", "1e6")
_BASES = {
    "optimal": "Rényi DP (Canonne, Kamath & Steinke 2020, proposition 12)",
    "classic": "Rényi DP (Mironov 2017, proposition 3)",
}


def _is_infinite(order: object) -> bool:
    return isinstance(order, float) and order == math.inf


def divergence(profile: Profile, order: Number) -> float:
    r"""Rényi divergence of a profile's worst pair.

    Parameters
    ----------
    profile : Profile
        Gaussian or Laplace noise, pure mechanisms, and compositions of these.
    order : number or decimal string
        Any real α ≥ 1, or `math.inf`. Order 1 is the Kullback–Leibler divergence, and order
        infinity the largest loss.

    Returns
    -------
    float
        Rounded up. The closed forms are those of Mironov 2017, table II.

    Raises
    ------
    ParameterError
        Case "unknown-choice" for a profile of another kind.

    Examples
    --------
    >>> import dpdocs
    >>> dpdocs.accounting.divergence(dpdocs.Gaussian(sigma=1), 8)
    4.0
    """
    if _is_infinite(order):
        largest = profile._loss.largest
        return math.inf if largest is None else exact.least_float(largest)
    return _divergence(profile, exact.number(order, "order", _ORDER))


def _divergence(profile: Profile, order: Fraction) -> float:
    if isinstance(profile, Composition):
        return _sum_up([count * Fraction(_divergence(p, order)) for p, count in profile.parts])
    return _of_loss(profile._loss, order)


def _sum_up(parts: Sequence[Fraction]) -> float:
    return exact.above(sum(parts, Fraction(0)))


def _of_loss(loss: Loss, order: Fraction) -> float:
    """Divergence of one kind of loss, by its closed form."""
    if isinstance(loss, NoLoss):
        return 0.0
    if isinstance(loss, NormalLoss):
        return exact.above(order * loss.square / 2)
    if isinstance(loss, LaplaceLoss | LaplaceFold):
        return _sum_up([loss.count * Fraction(_laplace(loss.ratio, order))])
    if isinstance(loss, TwoPointLoss):
        each = [count * Fraction(_pure(size, order)) for size, count in loss.groups.items()]
        return _sum_up(each)
    known = "Gaussian, Laplace, PureDP, and compositions of these"
    raise ParameterError(
        "profile",
        loss,
        f"must be one of {known}",
        "Use its own epsilon and delta, which are exact",
        "unknown-choice",
        {"choices": known},
    )


def _near_one(order: Fraction) -> Fraction:
    """An order so near 1 that it costs many digits is raised: the divergence grows with it."""
    return order if order == 1 or order >= 1 + _NEAREST else 1 + _NEAREST


def _digits(*values: Fraction) -> int:
    """Enough digits for sums that cancel where a loss is tiny or an order is near 1."""
    tiny = max(
        max(0, len(str(v.denominator)) - len(str(abs(v.numerator)))) for v in values if v != 0
    )
    return 80 + 4 * tiny


def _laplace(ratio: Fraction, order: Fraction) -> float:
    if ratio < _TINY:
        return exact.above(order * ratio**2 / 2)
    order = _near_one(order)
    if order == 1:
        return upward(lambda: decimal(ratio) + (-decimal(ratio)).exp() - 1, _digits(ratio))

    def formula() -> Decimal:
        a, r = decimal(order), decimal(ratio)
        high = (1 - a) * r  # the common factor e^((α-1)r) is taken out
        inner = (a + (a - 1) * ((1 - 2 * a) * r).exp()) / (2 * a - 1)
        return (inner.ln() - high) / (a - 1)

    return min(upward(formula, _digits(ratio, order - 1)), exact.above(ratio))


def _pure(size: Fraction, order: Fraction) -> float:
    if size < _TINY:  # α ε²/2 is a bound for every ε (Bun & Steinke 2016, proposition 3.3)
        return exact.above(order * size**2 / 2)
    order = _near_one(order)
    if order == 1:
        return upward(
            lambda: decimal(size) * (1 - (-decimal(size)).exp()) / (1 + (-decimal(size)).exp()),
            _digits(size),
        )

    def formula() -> Decimal:
        # p = 1/(1+f), f = e^-ε: the sum is p e^((α-1)ε) (1 + f^(2α-1))
        a, e = decimal(order), decimal(size)
        inner = (1 + ((1 - 2 * a) * e).exp()) / (1 + (-e).exp())
        return inner.ln() / (a - 1) + e

    return min(upward(formula, _digits(size, order - 1)), exact.above(size))


def subsampled_gaussian(
    sigma: Number,
    rate: Number,
    order: Number,
    direction: Literal["worse", "remove", "add"] = "worse",
) -> float:
    r"""Rényi divergence of the Poisson-subsampled Gaussian, add-remove adjacency.

    Parameters
    ----------
    sigma : number or decimal string
        Standard deviation of the noise for sensitivity 1, in [1e-3, 1e6].
    rate : number or decimal string
        Sampling rate in [0, 1].
    order : number or decimal string
        Any real α > 1.
    direction : {"worse", "remove", "add"}
        Which data set of the two has the record more; "remove" is the first one. The worse is
        "remove" (Mironov, Talwar & Zhang 2019, theorem 5).

    Returns
    -------
    float
        With the bound on the error of its quadrature added: an upper bound.

    Examples
    --------
    >>> from dpdocs.accounting import subsampled_gaussian
    >>> round(subsampled_gaussian(1, "0.01", "2.5"), 12)
    0.000217575332
    """
    spread = exact.number(sigma, "sigma", _SIGMA)
    share = exact.number(rate, "rate", _RATE)
    alpha = exact.number(order, "order", Range("1", "1e9", open_minimum=True))
    if direction not in ("worse", "remove", "add"):
        choices = "worse, remove, add"
        raise ParameterError(
            "direction",
            direction,
            f"must be one of {choices}",
            "Choose one of them",
            "unknown-choice",
            {"choices": choices},
        )
    if share == 0:
        return 0.0
    if share == 1:
        return exact.above(alpha / (2 * spread**2))
    power = 1 - alpha if direction == "add" else alpha
    found = log_moment(exact.nearest(spread), exact.nearest(share), exact.nearest(power))
    value = (found[0] + found[1]) / exact.nearest(alpha - 1) * (1 + 1e-15)
    whole = exact.above(alpha / (2 * spread**2))  # never more than without sampling
    return min(value, whole)


class Renyi:
    """A Rényi curve: what mechanisms spend at every order, added up.

    Parameters
    ----------
    parts : sequence of (Profile or callable, int)
        The mechanisms and how often each is used. A function stands for a mechanism whose
        divergence, or an upper bound on it, it gives for each order, a `Fraction` above 1.

    Examples
    --------
    1000 steps of DP-SGD:

    >>> from dpdocs.accounting import Renyi, subsampled_gaussian
    >>> steps = Renyi([(lambda order: subsampled_gaussian(1, "0.01", order), 1000)])
    >>> round(steps.epsilon("1e-5").epsilon, 9)
    2.101322131

    >>> import dpdocs
    >>> curve = Renyi([(dpdocs.Gaussian(sigma=1), 1)])
    >>> round(curve.epsilon("1e-5").epsilon, 9), round(curve.epsilon("1e-5", "classic").epsilon, 9)
    (4.728386985, 5.298525912)
    """

    def __init__(self, parts: Sequence[tuple[Profile | Curve, int]]) -> None:
        self._parts = tuple(parts)
        for profile, count in self._parts:
            if not isinstance(profile, Profile) and not callable(profile):
                raise ParameterError(
                    "profile",
                    profile,
                    "must be a privacy profile",
                    "Give profiles such as Laplace(1) or PureDP(0.5)",
                    "not-composable",
                )
            exact.whole(count, "count", Range("1"))

    def divergence(self, order: Number) -> float:
        """Return the total divergence at an order.

        Parameters
        ----------
        order : number or decimal string
            Any real α ≥ 1, or `math.inf`.

        Returns
        -------
        float
            Rounded up.

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.accounting.Renyi([(dpdocs.Gaussian(sigma=2), 4)]).divergence(3)
        1.5
        """
        if _is_infinite(order):
            largest = self._largest
            return math.inf if largest is None else exact.least_float(largest)
        alpha = exact.number(order, "order", _ORDER)
        each = [
            (_divergence(part, alpha) if isinstance(part, Profile) else part(alpha), count)
            for part, count in self._parts
        ]
        if any(math.isinf(value) for value, _ in each):
            return math.inf
        return _sum_up([count * Fraction(value) for value, count in each])

    @property
    def _largest(self) -> Fraction | None:
        """The largest total loss, at which δ is 0; None where it is unbounded."""
        total = Fraction(0)
        for profile, count in self._parts:
            if not isinstance(profile, Profile) or profile._loss.largest is None:
                return None
            total += count * profile._loss.largest
        return total

    def epsilon(self, delta: Number, conversion: Conversion = "optimal") -> Guarantee:
        r"""Return the ε of a δ at the best order.

        Parameters
        ----------
        delta : number or decimal string
            δ in (0, 1).
        conversion : {"optimal", "classic"}
            "classic" is $D_\alpha+\ln(1/\delta)/(\alpha-1)$ (Mironov 2017, proposition 3);
            "optimal" is $D_\alpha+\ln(1-1/\alpha)-\ln(\alpha\delta)/(\alpha-1)$ (Canonne, Kamath
            & Steinke 2020, proposition 12).

        Returns
        -------
        Guarantee
            The least over all real orders, rounded up.

        Examples
        --------
        >>> import dpdocs
        >>> curve = dpdocs.accounting.Renyi([(dpdocs.Gaussian(sigma=5), 1)])
        >>> round(curve.epsilon("1e-5").epsilon, 9)
        0.794314774
        """
        claim = exact.number(delta, "delta", CLAIMED_DELTA)
        check_conversion(conversion)
        found, _ = best_epsilon(self._at, claim, conversion)
        largest = self.divergence(math.inf)
        return Guarantee(min(found, largest), exact.least_float(claim), _BASES[conversion])

    def delta(self, epsilon: Number) -> Guarantee:
        r"""Return the δ of an ε at the best order.

        Parameters
        ----------
        epsilon : number or decimal string
            Any ε in [0, 1e300].

        Returns
        -------
        Guarantee
            The least of $e^{(\alpha-1)(D_\alpha-\epsilon)}(1-1/\alpha)^\alpha/(\alpha-1)$ over
            all real orders (Canonne, Kamath & Steinke 2020, proposition 12).

        Examples
        --------
        >>> import dpdocs
        >>> curve = dpdocs.accounting.Renyi([(dpdocs.Gaussian(sigma=1), 1)])
        >>> curve.delta(4).delta > dpdocs.Gaussian(sigma=1).delta(4)
        True
        """
        eps = exact.number(epsilon, "epsilon", FLOAT_EPSILON)
        largest = self._largest
        found = 0.0 if largest is not None and eps >= largest else best_delta(self._at, eps)[0]
        return Guarantee(exact.least_float(eps), found, _BASES["optimal"])

    def _at(self, order: float) -> float:
        """The divergence at an order found by a search; infinite where it cannot be computed."""
        return self.divergence(Fraction(order)) if 1 < order <= 1e9 else math.inf

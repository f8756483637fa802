r"""The loss of several equal Laplace mechanisms.

In units of $r$ (the shift in scales) write a loss as $l = r\,x$, and $\rho = r/2$. Multiplied by
$e^{-l/2}$, the law of one loss becomes symmetric: $e^{-\rho}$ times two atoms of ½ at $x = \pm1$
and the constant density $\rho/2$ between. So of $k$ losses, $m$ are uniform and the others signs,
and all parts of

$$ \delta(\epsilon) = e^{-k\rho} \int e^{\rho x}\,(1 - e^{\epsilon - r x})_+\,d\nu^{*k}(x),
   \qquad \nu = \tfrac12\delta_1 + \tfrac12\delta_{-1} + \tfrac\rho2\,\mathbf 1_{[-1,1]}\,dx, $$

are positive. Let $u = k - x$ be the distance from the largest sum and $U = k - \epsilon/r$. A tilt
by $e^{-\theta u}$ makes the neighbourhood of $U$ typical, so that nothing that matters underflows:
with its norm $N = \frac12(1+e^{-2\theta}) + \rho(1-e^{-2\theta})/(2\theta)$,

$$ \delta = N^k e^{(\theta-\rho)U} \int_0^U e^{-(\theta-\rho)(U-u)}\,(1 - e^{-r(U-u)})\,dF(u). $$

$F$ has $k+1$ atoms, where all losses are signs, and a density $f$, a polynomial between the knots
$u = 0, 2, 4, \dots$ It is found at Gauss–Legendre nodes by two recursions without a minus sign. The
density $b_m$ of $m$ uniforms obeys Cox and de Boor's,

$$ b_{m+1}(u) = \frac{(2m+2-u)\,e^{-2\theta}\,b_m(u-2) + u\,b_m(u)}{2m\,S},
   \qquad S = \frac{1-e^{-2\theta}}{2\theta}, $$

and $f$ collects them like Horner's scheme, one sign at a time,

$$ f(u) \leftarrow \frac{f(u) + e^{-2\theta} f(u-2)}{1 + e^{-2\theta}} + c_m\,b_m(u), $$

where $c_m$ is the probability of $m$ uniforms.

For $r > 45$ the lower end $-r$ of a loss no longer matters ($k e^{-r} < 10^{-16}$): losses are
$r - 2Y$ with $Y$ exponential or, with probability ½, zero. For $m$ exponentials
$\mathrm E\,(1 - e^{2(Y_1+\dots+Y_m-T)})_+ = 2e^{-T} \sum_{q\ge0} T^{m+2q+1}/(m+2q+1)!$, twice the
probability that a Poisson variable of mean $T$ is $m+1$, $m+3$, … Summed over $m$ and by parity,

$$ \delta(\epsilon) = \Pr(\mathrm{Poisson}(T) > \mathrm{Binomial}(k-1, \tfrac12)),
   \qquad T = (kr - \epsilon)/2 . $$
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from dpdocs import exact, special
from dpdocs.exact import FloatArray
from dpdocs.losses.loss import Estimate, Loss
from dpdocs.solve import root_of_decreasing

__all__ = ["MOST", "LaplaceFold"]

MOST = 1000
_LONG = Fraction(45)
_CLOSE = Fraction(1, 10**60)
_SMALL = 1e-300
_ULP = 2.0**-52


class LaplaceFold(Loss):
    """Loss of `count` equal Laplace mechanisms.

    Parameters
    ----------
    ratio : Fraction
        Sensitivity over scale of each, positive.
    count : int
        How many, 2 to 1000.

    Examples
    --------
    >>> loss = LaplaceFold(Fraction(1), 2)
    >>> round(float(loss.estimate([Fraction(1)]).delta[0]), 15)
    0.241836675359208
    """

    def __init__(self, ratio: Fraction, count: int) -> None:
        self.ratio, self.count = ratio, count

    @property
    def largest(self) -> Fraction:
        """The ratio times the count."""
        return self.ratio * self.count

    @classmethod
    def of(cls, ratio: Fraction, count: int) -> LaplaceFold | None:
        """Return the loss, or None beyond the largest count."""
        return cls(ratio, count) if count <= MOST else None

    def times(self, count: int) -> LaplaceFold | None:
        """Add up equal ones, up to 1000 in all."""
        return LaplaceFold.of(self.ratio, self.count * count)

    def plus(self, other: Loss) -> LaplaceFold | None:
        """Add equal ones."""
        if isinstance(other, LaplaceFold) and other.ratio == self.ratio:
            return LaplaceFold.of(self.ratio, self.count + other.count)
        return None

    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Compute δ for each ε."""
        logs = [-math.inf if self.vanishes(e) else self.log_slope(e)[0] for e in epsilon]
        log_delta = np.array(logs, dtype=np.float64)
        known = np.where(np.isfinite(log_delta), log_delta, 0.0)
        # at most six roundings a step, and the quadrature
        return Estimate.of_logs(log_delta, 3 * _ULP * self.count + 1e-13 - _ULP * known)

    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln δ and its derivative in ε."""
        rest = self.largest - epsilon
        if rest < self.ratio * _CLOSE:  # all losses at their largest: 2^-k (1 - e^(ε - kr))
            return exact.log(rest) - self.count * math.log(2), -1 / max(exact.nearest(rest), _SMALL)
        if self.ratio > _LONG:
            return self._long(exact.nearest(rest / 2))
        return self._grid(rest / self.ratio)

    def _long(self, budget: float) -> tuple[float, float]:
        if budget > 4 * self.count + 200:
            return 0.0, 0.0  # 1 - δ < P(Poisson(T) ≤ k), below e^-190
        coins = binomial(self.count - 1, 1.0)
        top = self.count + math.ceil(budget + 10 * math.sqrt(budget + 16)) + 40
        steps = np.arange(1, top + 1, dtype=np.float64)
        poisson = _from_ratios(budget / steps, min(math.floor(budget), top))
        below = np.ones(top + 1, dtype=np.float64)
        below[: self.count] = np.cumsum(coins)
        jump = np.zeros(top + 1, dtype=np.float64)
        jump[: self.count] = coins
        delta = float(np.sum(poisson[1:] * below[:-1]))
        return math.log(delta), -0.5 * float(np.sum(poisson * jump)) / delta

    def _grid(self, reach: Fraction) -> tuple[float, float]:
        r, rho = exact.nearest(self.ratio), exact.nearest(self.ratio / 2)
        theta = self._tilt(rho, exact.nearest(reach))
        last = math.ceil(reach / 2) - 1  # the row of the knot below U
        rest = exact.nearest(reach - 2 * last)  # in (0, 2]
        x, weight = special.legendre(_nodes((theta + rho) * max(rest, 2 - rest if last else 0.0)))

        # columns: the part of each cell below U's place in it, then, but for U's own cell, the rest
        rows = 2.0 * np.arange(last + 1, dtype=np.float64)[:, np.newaxis]
        above = 2 - rest
        u = rows + np.concatenate([rest * x, rest + above * x])
        density = self._density(u if last else u[:, : len(x)], theta, rho)
        near_gaps, far_gaps = rows[::-1] + rest * (1 - x), rows[:-1][::-1] + rest + above * (1 - x)
        atoms = binomial(self.count, math.exp(-2 * theta))[: last + 1, np.newaxis]
        pieces = [
            (density[:, : len(x)] * (rest * weight), near_gaps),
            (atoms * self._uniforms(theta, rho)[0], rows[::-1] + rest),
        ]
        if last:
            pieces.append((density[:-1, len(x) :] * (above * weight), far_gaps))

        mass = np.concatenate([piece.ravel() for piece, _ in pieces])
        gaps = np.concatenate([gap.ravel() for _, gap in pieces])
        mass *= np.exp(-(theta - rho) * gaps)
        gain = -np.expm1(-r * gaps) / r if r > 1e-20 else gaps
        total = float(np.sum(mass * gain))
        fall = float(np.sum(mass * np.exp(-r * gaps)))
        log_delta = self._log_norm(theta, reach) + exact.log(self.ratio) + math.log(total)
        return log_delta, -fall / total / max(r, _SMALL)

    def _tilt(self, rho: float, reach: float) -> float:
        """The θ ≥ ρ under which the mean distance is U, or ρ where the mean is below U anyway."""

        def mean_less_reach(log_theta: float) -> tuple[float, float]:
            twice = 2 * math.exp(log_theta)
            fall = math.exp(-twice)
            moment = 1 - (1 + twice) * fall if twice > 1e-3 else twice**2 / 2
            norm = (1 + fall) / 2 - rho * math.expm1(-twice) / twice
            return self.count * (fall + 2 * rho * moment / twice**2) / norm - reach, 0.0

        low, high = math.log(max(rho, 1e-100)), 300.0
        if mean_less_reach(low)[0] <= 0:
            return math.exp(low)
        return math.exp(root_of_decreasing(mean_less_reach, low, high, low + 1e-9))

    def _uniforms(self, theta: float, rho: float) -> FloatArray:
        """Probabilities of 0, 1, …, k uniform losses under the tilt."""
        share = -math.expm1(-2 * theta) / (2 * theta)
        return binomial(self.count, 2 * rho * share / (1 + math.exp(-2 * theta)))

    def _density(self, u: FloatArray, theta: float, rho: float) -> FloatArray:
        """The density f at distances that are 2 apart from row to row."""
        fall = math.exp(-2 * theta)
        share = -math.expm1(-2 * theta) / (2 * theta)
        weights = self._uniforms(theta, rho)
        final = int(np.flatnonzero(weights > 1e-60)[-1])
        b = np.zeros_like(u)
        b[0] = 0.5 * np.exp(-theta * u[0]) / share
        f: FloatArray = weights[1] * b
        for m in range(1, self.count):
            rows = min(m + 1, len(u))
            f[1:rows] += fall * f[: rows - 1]
            f[:rows] /= 1 + fall
            if m < final:
                inner, edge = u[:rows], fall * (2 * m + 2 - u[1:rows])
                carried = edge * b[: rows - 1]
                b[:rows] *= inner
                b[1:rows] += carried
                b[:rows] /= 2 * m * share
                f[:rows] += weights[m + 1] * b[:rows]
        return f

    def _log_norm(self, theta: float, reach: Fraction) -> float:
        """k ln N + (θ - ρ)U, whose large parts cancel."""
        with localcontext(prec=60):
            t, rho = Decimal(theta), _decimal(self.ratio / 2)
            fall = (-2 * t).exp()
            norm = (1 + fall) / 2 + rho * (1 - fall) / (2 * t)
            return float(self.count * norm.ln() + (t - rho) * _decimal(reach))


def binomial(count: int, odds: float) -> FloatArray:
    """Binomial probabilities of 0, 1, …, `count` successes.

    Parameters
    ----------
    count : int
        How many trials.
    odds : float
        Odds of success in each.

    Returns
    -------
    array of float
        The probabilities, of shape (count + 1,).

    Notes
    -----
    Neighbours differ by simple factors, so they are multiplied up from the largest and divided by
    their sum: no factorial, and a relative error of a few units for each step from there.

    Examples
    --------
    >>> binomial(2, 1.0)
    array([0.25, 0.5 , 0.25])
    """
    failures = np.arange(count, 0, -1, dtype=np.float64)
    ratios = odds * failures / failures[::-1]
    return _from_ratios(ratios, min(count, math.floor((count + 1) * odds / (1 + odds))))


def _from_ratios(ratios: FloatArray, mode: int) -> FloatArray:
    """Probabilities from the ratio of each to the one before it."""
    with np.errstate(under="ignore"):
        above = np.cumprod(ratios[mode:])
        below = np.cumprod(1 / ratios[:mode][::-1])[::-1]
        values = np.concatenate([below, [1.0], above])
        return np.asarray(values / np.sum(values), dtype=np.float64)


def _nodes(decay: float) -> int:
    """Gauss–Legendre nodes for an exponential fall by e^-decay, in steps of eight."""
    return 8 * math.ceil((20 + decay / 4) / 8)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)

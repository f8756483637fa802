r"""Rényi divergence of the Poisson-subsampled Gaussian, at every real order.

With rate $q$, unit sensitivity, $u(x)=(2x-1)/(2\sigma^2)$ and $t(x)=q(e^{u}-1)$, the mixture has
the density $1+t$ with respect to $N=\mathcal N(0,\sigma^2)$ (Mironov, Talwar & Zhang 2019,
section 3.3). Order $\alpha$ needs the moment $\mathrm E_N(1+t)^p$: $p=\alpha$ where a record is
removed, $p=1-\alpha$ where one is added. As $\mathrm E_N\,t=0$,

$$ \mathrm E_N(1+t)^p - 1 = \mathrm E_N\bigl[(1+t)^p-1-pt\bigr], $$

a mean of numbers that are never negative: no digits are lost where $q$ is small.

The trapezoid rule has a proved error. On the line $\operatorname{Im}x=\theta<\pi\sigma^2$ the
integrand of the moment is at most $e^{\theta^2/2\sigma^2}$ times what it is on the real line
($p>0$), and $\cos(\theta/2\sigma^2)^{p}$ times that for $p<0$; so the relative error is at most
$2e^{c(\theta)}/(e^{2\pi\theta/h}-1)$ (Trefethen & Weideman 2014, theorem 5.1). The spacing $h$ is
chosen for $e^{-75}$, which is small also beside a moment that differs from 1 by $q^2$ only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpdocs.exact import FloatArray

__all__ = ["log_moment"]

_LOG_ERROR = 75.0  # e^-75: of the trapezoid rule
_LOG_CUT = 80.0  # e^-80: what is left out on either side, relative to the largest term
_UNIT = 2.0**-53


@dataclass(frozen=True, slots=True)
class _Mixture:
    """The integrand of one moment."""

    sigma: float
    rate: float
    power: float

    def shift(self, x: FloatArray) -> FloatArray:
        return (2 * x - 1) / (2 * self.sigma**2)

    def log_ratio(self, x: FloatArray) -> FloatArray:
        """Return ln(1 + t), without overflow and without loss for small t."""
        u = self.shift(x)
        small = np.log1p(self.rate * np.expm1(np.minimum(u, 1.0)))
        large = np.logaddexp(math.log1p(-self.rate), math.log(self.rate) + u)
        return np.where(u < 1.0, small, large)

    def log_term(self, x: FloatArray) -> FloatArray:
        """Return the logarithm of the integrand, without its constant."""
        terms: FloatArray = self.power * self.log_ratio(x) - 0.5 * (x / self.sigma) ** 2
        return terms

    def peaks(self) -> list[float]:
        """Return its outer peaks: x = p·(share of the second law), from both ends."""
        odds = math.log(self.rate) - math.log1p(-self.rate)
        found = []
        for x in (0.0, self.power):
            for _ in range(200):  # monotone from each end towards the outer fixed points
                logit = odds + (2 * x - 1) / (2 * self.sigma**2)
                after = self.power / (1 + math.exp(-max(min(logit, 700.0), -700.0)))
                if abs(after - x) <= 0.01 * self.sigma:
                    break
                x = after
            found.append(x)
        return sorted(found)


def _spacing(sigma: float, power: float) -> float:
    """Return a step with which the rule's relative error is at most about e^-75."""
    theta = math.pi * sigma**2 * np.arange(1, 200) / 200
    growth = theta**2 / (2 * sigma**2)
    if power < 0:
        growth = growth + power * np.log(np.cos(theta / (2 * sigma**2)))
    return float(np.max(2 * math.pi * theta / (_LOG_ERROR + growth)))


def _grid(law: _Mixture, step: float) -> FloatArray:
    """Nodes where the integrand, or that of E t, is not negligible."""
    reach = math.sqrt(2 * _LOG_CUT) * law.sigma
    heights = {x: float(law.log_term(np.array([x]))[0]) for x in {*law.peaks(), 0.0, 1.0}}
    top = max(heights.values())
    centres = [x for x, height in heights.items() if height > top - _LOG_CUT or x in (0.0, 1.0)]
    windows = sorted([x - reach, x + reach] for x in centres)
    merged = [windows[0]]
    for low, high in windows[1:]:
        if low <= merged[-1][1]:
            merged[-1][1] = max(high, merged[-1][1])
        else:
            merged.append([low, high])
    # where a window ends inside a wide peak it is moved out, until the term is small there
    for window in merged:
        for side, sign in ((0, -1.0), (1, 1.0)):
            more = reach
            while float(law.log_term(np.array([window[side]]))[0]) > top - _LOG_CUT and more < 1e12:
                window[side] += sign * more
                more *= 1.5
    nodes = [np.arange(math.floor(low / step), math.ceil(high / step) + 1) for low, high in merged]
    found: FloatArray = np.unique(np.concatenate(nodes)) * step
    return found


def log_moment(sigma: float, rate: float, power: float) -> tuple[float, float]:
    r"""Return $\ln\mathrm E_N(1+t)^p$ and a bound on its error.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, for sensitivity 1.
    rate : float
        Sampling rate in (0, 1).
    power : float
        The exponent p, outside [0, 1].

    Returns
    -------
    tuple of float
        Value and bound on its absolute error. The bound covers the trapezoid rule, what is left
        out, and rounding with NumPy's functions accurate to 4 ulps.

    Examples
    --------
    >>> value, error = log_moment(1.0, 0.5, 2.0)
    >>> round(abs(value - math.log1p(0.25 * math.expm1(1))), 12)
    0.0
    """
    law = _Mixture(sigma, rate, power)
    step = _spacing(sigma, power)
    x = _grid(law, step)
    weight = np.exp(-0.5 * (x / sigma) ** 2) * (step / (sigma * math.sqrt(2 * math.pi)))
    log_ratio = law.log_ratio(x)
    exponent = power * log_ratio
    size = float(np.max(np.abs(exponent) + 0.5 * (x / sigma) ** 2))
    terms = exponent - 0.5 * (x / sigma) ** 2
    top = float(np.max(terms))
    if top < 300 and float(np.max(law.shift(x))) < 300 and float(np.max(exponent)) < 600:
        excess = _excess(np.expm1(log_ratio), exponent, power)
        total = float(np.sum(weight * excess))
        relative = _UNIT * (64 + 16 * size + len(x)) + 4 * math.exp(-_LOG_ERROR)
        # the rule is applied to three integrands: 1, t and the moment itself, each to e^-75
        absolute = 16 * math.exp(-_LOG_ERROR) * (1 + abs(power))
        error = (relative + 2e-14) * total + absolute
        return math.log1p(total), 2 * error / (1 + total)  # of the logarithm; 2: its curvature
    scale = step / (sigma * math.sqrt(2 * math.pi))
    value = top + math.log(float(np.sum(np.exp(terms - top))) * scale)
    return value, _UNIT * (64 + 16 * size + 2 * len(x)) + 4 * math.exp(-_LOG_ERROR)


def _excess(t: FloatArray, exponent: FloatArray, power: float) -> FloatArray:
    """Return (1 + t)^p - 1 - p·t, by its series where the difference would lose digits."""
    plain = np.expm1(exponent) - power * t
    small = (np.abs(power * t) < 0.1) & (np.abs(t) < 0.1)
    s = np.where(small, t, 0.0)
    term = power * (power - 1) / 2 * s * s
    series = term.copy()
    for n in range(3, 22):
        term = term * (power - n + 1) / n * s
        series += term
    return np.where(small, series, plain)

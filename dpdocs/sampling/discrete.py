r"""Discrete Laplace and discrete Gaussian noise, drawn exactly and in constant expected time.

Source: Canonne, Kamath and Steinke, *The Discrete Gaussian for Differential Privacy*, NeurIPS 2020,
arXiv:2004.00010, algorithms 2 and 3. How long one draw takes depends on what is drawn: where an
attacker can time single draws, draw all noise ahead and answer at a fixed time.
"""

from __future__ import annotations

from dpdocs import exact
from dpdocs.exact import SCALE, Number
from dpdocs.sampling.bernoulli import exp_coin
from dpdocs.sampling.source import SIZE, Source, chosen

__all__ = ["discrete_gaussian", "discrete_laplace"]


def discrete_laplace(scale: Number, size: Number, source: Source | None = None) -> list[int]:
    r"""Draw integers with probability proportional to $e^{-|x|/b}$.

    Parameters
    ----------
    scale : number or decimal string
        The scale b, in (0, 1e300]; 0.1 is one tenth exactly.
    size : number or decimal string
        How many, 0 to 10 000 000.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    list of int
        Independent draws from

        $$ P(X = x) = \frac{e^{1/b}-1}{e^{1/b}+1}\, e^{-|x|/b}. $$

    Notes
    -----
    Algorithm 2 of Canonne, Kamath and Steinke (2020), with $b = t/s$. Let $u$ be uniform below $t$
    and kept with probability $e^{-u/t}$, and $v$ the number of coins of bias $e^{-1}$ before one
    fails. Then $u + tv$ has probability proportional to $e^{-(u+tv)/t}$. Divided by $s$ and rounded
    down, it falls by $e^{-s/t}$ per step. A random sign follows, and one of the two zeros is
    refused.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> discrete_laplace(scale=3, size=8, source=Seeded(1))
    [1, -9, 0, 1, 4, 10, -3, -3]
    """
    exactly = exact.number(scale, "scale", SCALE)
    count, integers = exact.whole(size, "size", SIZE), chosen(source)
    t, s = exactly.numerator, exactly.denominator
    return [_laplace(t, s, integers) for _ in range(count)]


def discrete_gaussian(sigma: Number, size: Number, source: Source | None = None) -> list[int]:
    r"""Draw integers with probability proportional to $e^{-x^2/(2\sigma^2)}$.

    Parameters
    ----------
    sigma : number or decimal string
        The parameter σ, in (0, 1e300]. The variance is at most σ², and very near it from σ = 1 on.
    size : number or decimal string
        How many, 0 to 10 000 000.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    list of int
        Independent draws.

    Notes
    -----
    Algorithm 3 of Canonne, Kamath and Steinke (2020). With $t = \lfloor\sigma\rfloor+1$, a discrete
    Laplace number $y$ of scale $t$ is kept with probability

    $$ \exp\Bigl(-\frac{(|y|-\sigma^2/t)^2}{2\sigma^2}\Bigr), \qquad\text{and}\qquad
    \frac{|y|}{t} + \frac{(|y|-\sigma^2/t)^2}{2\sigma^2} =
    \frac{y^2}{2\sigma^2} + \frac{\sigma^2}{2t^2} . $$

    The last term does not depend on $y$. Less than two numbers are refused on average for one kept.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> discrete_gaussian(sigma=3, size=8, source=Seeded(1))
    [1, 0, -4, 2, -4, 3, -2, 4]
    """
    exactly = exact.number(sigma, "sigma", SCALE)
    count, integers = exact.whole(size, "size", SIZE), chosen(source)
    variance = exactly * exactly
    a, b = variance.numerator, variance.denominator
    t = exactly.numerator // exactly.denominator + 1
    return [_gaussian(a, b, t, integers) for _ in range(count)]


def _laplace(t: int, s: int, source: Source) -> int:
    below = source.below
    while True:
        u = below(t)
        if u and not exp_coin(u, t, source):
            continue
        v = 0
        while exp_coin(1, 1, source):
            v += 1
        size = (u + t * v) // s
        negative = below(2)
        if size or not negative:
            return -size if negative else size


def _gaussian(a: int, b: int, t: int, source: Source) -> int:
    """One draw for σ² = a/b; (|y| − σ²/t)²/(2σ²) over the denominator 2abt²."""
    most = 2 * a * b * t * t
    while True:
        y = _laplace(t, 1, source)
        if exp_coin((abs(y) * b * t - a) ** 2, most, source):
            return y

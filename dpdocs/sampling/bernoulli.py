r"""Coins with an exact bias: a fraction, or $e^{-\gamma}$ of a fraction.

Source: Canonne, Kamath and Steinke, *The Discrete Gaussian for Differential Privacy*, NeurIPS 2020,
arXiv:2004.00010, algorithm 1. The functions with an underscore take integers and check nothing.
"""

from __future__ import annotations

from dpdocs import exact
from dpdocs.exact import Number, Range
from dpdocs.sampling.source import Source, chosen

__all__ = ["bernoulli", "bernoulli_exp", "exp_coin"]

PROBABILITY = Range("0", "1")
EXPONENT = Range("0")


def exp_coin(n: int, d: int, source: Source) -> bool:
    r"""Toss a coin of bias $e^{-n/d}$; the working part of `bernoulli_exp`.

    Parameters
    ----------
    n, d : int
        Numerator and denominator of γ, n at least 0 and d positive; not necessarily reduced.
    source : Source
        Where integers come from.

    Returns
    -------
    bool
        True with probability $e^{-n/d}$.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> exp_coin(0, 1, Seeded(1))
    True
    """
    while n > d:  # e^-γ = e^-1 · e^-(γ-1): the first coin that fails ends it, so γ may be huge
        if not _short(1, 1, source):
            return False
        n -= d
    return _short(n, d, source)


def _short(n: int, d: int, source: Source) -> bool:
    """The same for γ at most 1."""
    k = 1
    while source.below(k * d) < n:  # more than k are tossed with probability γ^k/k!
        k += 1
    return k % 2 == 1


def bernoulli(probability: Number, source: Source | None = None) -> bool:
    """Toss a coin whose bias is a fraction.

    Parameters
    ----------
    probability : number or decimal string
        Probability of True, in [0, 1]; 0.1 is one tenth exactly.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    bool
        True with exactly this probability.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> source = Seeded(1)
    >>> sum(bernoulli("0.3", source) for _ in range(1000))
    292
    """
    exactly = exact.number(probability, "probability", PROBABILITY)
    return chosen(source).below(exactly.denominator) < exactly.numerator


def bernoulli_exp(gamma: Number, source: Source | None = None) -> bool:
    r"""Toss a coin of bias $e^{-\gamma}$, exactly, for a rational γ.

    Parameters
    ----------
    gamma : number or decimal string
        At least 0.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    bool
        True with probability $e^{-\gamma}$.

    Notes
    -----
    For $\gamma \le 1$, toss coins of bias $\gamma/1, \gamma/2, \gamma/3, \dots$ until the first
    that fails, the $K$-th. More than $k$ are tossed with probability $\gamma^k/k!$, so

    $$ P(K \text{ odd}) = \sum_{k \text{ even}} \Bigl(\frac{\gamma^{k}}{k!} -
    \frac{\gamma^{k+1}}{(k+1)!}\Bigr) = e^{-\gamma}. $$

    A larger γ is reached by coins of bias $e^{-1}$ (Canonne, Kamath and Steinke 2020,
    algorithm 1). At most $e$ coins are tossed on average for each of these.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> source = Seeded(1)
    >>> sum(bernoulli_exp("0.5", source) for _ in range(1000))  # e^-0.5 is 0.607
    617
    """
    exactly = exact.number(gamma, "gamma", EXPONENT)
    return exp_coin(exactly.numerator, exactly.denominator, chosen(source))

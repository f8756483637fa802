r"""Permute-and-flip: in random order, a coin for each choice, until one shows heads.

Source: McKenna and Sheldon, *Permute-and-Flip: A New Mechanism for Differentially Private
Selection*, NeurIPS 2020, arXiv:2010.12603, algorithm 1.
"""

from __future__ import annotations

import math

import numpy as np

from dpdocs import exact
from dpdocs.exact import FloatArray, Number
from dpdocs.selection.scores import scores

__all__ = ["permute_and_flip"]


def permute_and_flip(utilities: object, epsilon: Number, sensitivity: Number = 1) -> FloatArray:
    r"""Selection probabilities of permute-and-flip.

    Parameters
    ----------
    utilities : list of number or decimal string
        The utility $u_i$ of each choice.
    epsilon : number or decimal string
        The ε that the choice satisfies, at least 0.
    sensitivity : number or decimal string
        Largest change Δ of any one utility between neighbours, greater than 0.

    Returns
    -------
    array of float
        Probabilities; relative error below n·1e-15 for n choices, unless one underflows.

    Notes
    -----
    Choices are visited in a uniform order; choice $i$ is taken with probability
    $p_i = e^{\varepsilon(u_i-\max u)/(2\Delta)}$, else the next one has its turn. It comes
    after $k$ others with probability $1/n$; these are a uniform subset $S$, and all must fail:

    $$ P(i) = \frac{p_i}{n} \sum_{k=0}^{n-1} m_k^{(i)}, \qquad
    m_k^{(i)} = \binom{n-1}{k}^{-1} \sum_{S \not\ni i,\,|S|=k}\ \prod_{j\in S} (1-p_j). $$

    The means $m_k$ grow by one choice at a time,
    $m_k \leftarrow \frac{(c+1-k)\,m_k + k\,(1-p_j)\,m_{k-1}}{c+1}$ for the $c+1$-st: a mean of
    numbers in [0, 1], where nothing cancels, unlike in the alternating sum over subsets. Leaving
    each choice out in turn costs $n^2\log n$ by halving. The same law is that of report noisy max
    with exponential noise (Ding et al., *The Permute-and-Flip Mechanism is Identical to
    Report-Noisy-Max with Exponential Noise*, 2021, arXiv:2105.07260).

    Examples
    --------
    >>> permute_and_flip([0, 1], epsilon=2).round(12).tolist()
    [0.183939720586, 0.816060279414]
    """
    exponents = [exact.two_floats(x) for x in scores(utilities, epsilon, sensitivity).exponents]
    heads = [math.exp(high) * (1 + low) if math.isfinite(high) else 0.0 for high, low in exponents]
    tails = np.array([-math.expm1(high) for high, _ in exponents])
    factors = np.empty(len(heads))
    _leave_one_out(tails, 0, len(heads), np.ones(1), factors)
    return np.array(heads) * factors


def _leave_one_out(
    tails: FloatArray, start: int, stop: int, means: FloatArray, out: FloatArray
) -> None:
    """Fill `out[start:stop]` from the means of all choices outside of that range."""
    if stop - start == 1:
        out[start] = np.mean(means)
        return
    middle = (start + stop) // 2
    _leave_one_out(tails, start, middle, _with(means, tails[middle:stop]), out)
    _leave_one_out(tails, middle, stop, _with(means, tails[start:middle]), out)


def _with(means: FloatArray, tails: FloatArray) -> FloatArray:
    """The means m_0, …, m_c after more choices joined."""
    for tail in tails.tolist():
        size = means.size  # c + 1
        k = np.arange(size + 1)
        grown = np.zeros(size + 1)
        grown[:-1] = (size - k[:-1]) * means
        grown[1:] += tail * k[1:] * means
        means = grown / size
    return means

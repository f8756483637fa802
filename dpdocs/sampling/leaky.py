"""Laplace noise as it is usually written, in floats: a demonstration, it leaks."""

from __future__ import annotations

import math

from dpdocs import exact
from dpdocs.exact import Number, Range
from dpdocs.sampling.source import SIZE, Source, chosen

__all__ = ["BITS", "LEAKY_SCALE", "LEAKY_VALUE", "leaky_laplace", "leaky_noise"]

BITS = 53  # a uniform number from a generator is a multiple of 2^-53
# Within these no product or sum below meets the smallest or the largest floats.
LEAKY_VALUE = Range("-1e100", "1e100")
LEAKY_SCALE = Range("1e-100", "1e100")


def leaky_noise(k: int, scale: float) -> float:
    r"""The size of the noise that the uniform number $k\,2^{-53}$ becomes.

    Parameters
    ----------
    k : int
        From 1 to 2^53.
    scale : float
        The scale b.

    Returns
    -------
    float
        $-b \ln(k\,2^{-53})$ in floats, never negative.

    Examples
    --------
    >>> leaky_noise(2**53, 1.0), leaky_noise(2**52, 1.0)
    (0.0, 0.6931471805599453)
    """
    return abs(scale * math.log(math.ldexp(k, -BITS)))


def leaky_laplace(
    value: Number, scale: Number, size: Number, source: Source | None = None
) -> list[float]:
    r"""Add Laplace noise computed in floats: it leaks, never release its answers.

    Parameters
    ----------
    value : number or decimal string
        The true answer, at most 1e100 in size.
    scale : number or decimal string
        The scale b, in [1e-100, 1e100].
    size : number or decimal string
        How many answers, 0 to 10 000 000.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    list of float
        The value plus or minus $b\ln U$, where $U$ is one of $2^{-53}, \dots, 1$: the inverse of
        the distribution function at a 53-bit uniform number, and a random sign.

    Notes
    -----
    On paper this has ε = Δ/b. In floats only some of the numbers near an answer can come out, and
    which they are depends on the true value (Mironov, *On Significance of the Least Significant
    Bits for Differential Privacy*, CCS 2012, section 4). `excluded` tells them apart. So for most
    pairs of values no ε is large enough. A better source of random numbers changes nothing.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> [round(x, 9) for x in leaky_laplace(value=0, scale=1, size=2, source=Seeded(1))]
    [-0.56351653, 0.269482327]
    """
    true = exact.nearest(exact.number(value, "value", LEAKY_VALUE))
    width = exact.nearest(exact.number(scale, "scale", LEAKY_SCALE))
    count, integers = exact.whole(size, "size", SIZE), chosen(source)
    answers = []
    for _ in range(count):
        noise = leaky_noise(integers.below(1 << BITS) + 1, width)
        answers.append(true - noise if integers.below(2) else true + noise)
    return answers

"""Where random integers come from: the operating system, or a seed for lessons.

A sampler asks its source one question only: a uniform integer below n.
"""

from __future__ import annotations

import random
import secrets
from abc import ABC, abstractmethod

from dpdocs import exact
from dpdocs.errors import ParameterError
from dpdocs.exact import Number, Range

__all__ = ["SIZE", "Secure", "Seeded", "Source", "chosen"]

SIZE = Range("0", "10000000")  # draws in one call


class Source(ABC):
    """What a sampler draws from: uniform and independent integers, by a method `below`.

    Examples
    --------
    >>> isinstance(Secure(), Source), isinstance(Seeded(1), Source)
    (True, True)
    """

    @abstractmethod
    def below(self, n: int) -> int:
        """A uniform integer among 0, …, n − 1."""


class Secure(Source):
    """The randomness of the operating system, by `secrets.randbelow`: the default.

    Examples
    --------
    >>> Secure().below(1)
    0
    """

    def below(self, n: int) -> int:
        """A uniform integer among 0, …, n − 1."""
        return secrets.randbelow(n)

    def __repr__(self) -> str:
        return "Secure()"


class Seeded(Source):
    """The same draws again on each run: for lessons and tests, never for a release.

    Whoever knows or guesses the seed can subtract the noise. The generator is Python's Mersenne
    Twister, whose past and future follow from 624 of its outputs.

    Parameters
    ----------
    seed : number or decimal string
        A whole number.

    Examples
    --------
    >>> source = Seeded(7)
    >>> [source.below(10) for _ in range(5)]
    [5, 2, 6, 0, 1]
    """

    def __init__(self, seed: Number) -> None:
        self.seed = exact.whole(seed, "seed")
        self._generator = random.Random(self.seed)

    def below(self, n: int) -> int:
        """A number among 0, …, n − 1 that follows from the seed."""
        # Bits rather than `randrange`: what `randrange` makes of them may change with Python.
        bits = (n - 1).bit_length()
        while (drawn := self._generator.getrandbits(bits) if bits else 0) >= n:
            pass
        return drawn

    def __repr__(self) -> str:
        return f"Seeded({self.seed})"


def chosen(source: object) -> Source:
    """The source that was given, or the secure one.

    Parameters
    ----------
    source : Source or None
        What a caller passed on.

    Returns
    -------
    Source
        Never None.

    Raises
    ------
    ParameterError
        Case "unknown-choice", for anything that is not a source.

    Examples
    --------
    >>> chosen(None)
    Secure()
    """
    if source is None:
        return Secure()
    if isinstance(source, Source):
        return source
    raise ParameterError(
        "source",
        source,
        "must be a source of random integers",
        "Leave it out, or give dpdocs.sampling.Seeded(seed) in a lesson",
        "unknown-choice",
        {"choices": "Secure(), Seeded(seed)"},
    )

r"""How far one record can move an answer: global sensitivity, with the pair that attains it.

The model is the one of the lesson: $n$ records, $n$ public; each record is first clipped to a
public interval $[0, B]$; neighbours replace one record. The global sensitivity of a query $f$ is

$$ \Delta = \sup_{D \sim D'} |f(D) - f(D')| $$

(Dwork & Roth 2014, definition 3.1). A supremum is proved by a bound that holds for all pairs and a
pair that attains it; each query below has both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpdocs import exact
from dpdocs.errors import ParameterError
from dpdocs.exact import Number, Range

__all__ = ["QUERIES", "Constant", "Count", "Mean", "Neighbours", "Query", "Sum", "query"]

SIZE = Range("1", "1000000")


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two datasets of n records, all zero but for one record, and the answers on them.

    Parameters
    ----------
    record : Fraction
        The replaced record on D', after clipping; on D it is 0.
    answer, answer_changed : Fraction
        f(D) and f(D').

    Examples
    --------
    >>> Sum(n=4, bound=2).attaining_pair.gap
    Fraction(2, 1)
    """

    record: Fraction
    answer: Fraction
    answer_changed: Fraction

    @property
    def gap(self) -> Fraction:
        """|f(D) - f(D')|: what this one pair differs by. It never sets the noise."""
        return abs(self.answer_changed - self.answer)


class Query(ABC):
    """A query on n records clipped to [0, B] under replacement of one record.

    Parameters
    ----------
    n : number or decimal string
        Public number of records, whole, 1 to 1 000 000.
    bound : number or decimal string
        Public upper end B of the clipping interval, in (0, 1e300].

    Examples
    --------
    >>> Count(n=4, bound=2).answer([0, 1, 2, 3])
    Fraction(2, 1)
    """

    name: ClassVar[str]

    def __init__(self, n: Number, bound: Number) -> None:
        self.n = exact.whole(n, "n", SIZE)
        self.bound = exact.number(bound, "bound", exact.SCALE)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={self.n}, bound={exact.nearest(self.bound)!r})"

    @property
    @abstractmethod
    def sensitivity(self) -> Fraction:
        """Global sensitivity Δ, exactly."""

    @abstractmethod
    def _of(self, total: Fraction, above_half: int) -> Fraction:
        """The answer, from the sum of the clipped records and how many of them exceed B/2."""

    def clip(self, record: Number) -> Fraction:
        """Move a record to the nearest point of [0, B]."""
        return exact.clip(record, "record", Fraction(0), self.bound)

    def answer(self, records: Sequence[Number]) -> Fraction:
        """Exact answer on n records, clipped first.

        Raises
        ------
        ParameterError
            Where the number of records is not the public n.
        """
        if len(records) != self.n:
            raise ParameterError(
                "records",
                len(records),
                f"must hold n = {self.n} records",
                "Give as many records as the public n, or another n",
                "wrong-count",
                {"minimum": str(self.n), "maximum": str(self.n)},
            )
        clipped = [self.clip(record) for record in records]
        return self._of(sum(clipped, Fraction(0)), sum(2 * x > self.bound for x in clipped))

    def neighbours(self, record: Number) -> Neighbours:
        """All-zero data, and the same with one record replaced by the clipped `record`.

        Examples
        --------
        >>> Sum(4, 2).neighbours("1.5").gap
        Fraction(3, 2)
        """
        clipped = self.clip(record)
        changed = self._of(clipped, int(2 * clipped > self.bound))
        return Neighbours(clipped, self._of(Fraction(0), 0), changed)

    @property
    def attaining_pair(self) -> Neighbours:
        """The pair whose gap is the global sensitivity: 0 replaced by B."""
        clipped = self.bound
        return Neighbours(clipped, self._of(Fraction(0), 0), self._of(clipped, 1))


class Sum(Query):
    r"""Sum of the clipped records; $\Delta = B$.

    Parameters
    ----------
    n, bound : number or decimal string
        As in `Query`.

    Notes
    -----
    Let $D$ and $D'$ differ in record $i$. All other terms cancel:
    $|f(D) - f(D')| = |x_i - x_i'| \le B$, as both lie in $[0, B]$. All-zero data with one 0
    replaced by $B$ attains it.

    Examples
    --------
    >>> Sum(n=4, bound=2).sensitivity
    Fraction(2, 1)
    """

    name = "sum"

    @property
    def sensitivity(self) -> Fraction:
        """The bound B."""
        return self.bound

    def _of(self, total: Fraction, above_half: int) -> Fraction:
        return total


class Mean(Query):
    r"""Mean of the clipped records; $\Delta = B/n$.

    Parameters
    ----------
    n, bound : number or decimal string
        As in `Query`.

    Notes
    -----
    The mean is the sum divided by $n$, and $n$ is public and the same for both neighbours. So every
    difference of sums, and the largest one, is divided by $n$.

    Examples
    --------
    >>> Mean(n=4, bound=2).sensitivity
    Fraction(1, 2)
    """

    name = "mean"

    @property
    def sensitivity(self) -> Fraction:
        """The bound divided by the number of records."""
        return self.bound / self.n

    def _of(self, total: Fraction, above_half: int) -> Fraction:
        return total / self.n


class Count(Query):
    r"""How many clipped records exceed $B/2$; $\Delta = 1$.

    Parameters
    ----------
    n, bound : number or decimal string
        As in `Query`.

    Notes
    -----
    The count is a sum of $n$ indicators. Replacing one record changes one indicator, by at most 1.
    Replacing 0 by $B$ changes it from 0 to 1.

    Examples
    --------
    >>> Count(n=4, bound=2).neighbours(1).gap, Count(n=4, bound=2).sensitivity
    (Fraction(0, 1), Fraction(1, 1))
    """

    name = "count"

    @property
    def sensitivity(self) -> Fraction:
        """One."""
        return Fraction(1)

    def _of(self, total: Fraction, above_half: int) -> Fraction:
        return Fraction(above_half)


class Constant(Query):
    r"""The number 7, whatever the records are; $\Delta = 0$.

    Parameters
    ----------
    n, bound : number or decimal string
        As in `Query`.

    Notes
    -----
    $|7 - 7| = 0$ for every pair, so every pair attains it and no noise is needed.

    Examples
    --------
    >>> Constant(n=4, bound=2).sensitivity
    Fraction(0, 1)
    """

    name = "constant"

    @property
    def sensitivity(self) -> Fraction:
        """Zero."""
        return Fraction(0)

    def _of(self, total: Fraction, above_half: int) -> Fraction:
        return Fraction(7)


QUERIES: dict[str, type[Query]] = {kind.name: kind for kind in (Sum, Mean, Count, Constant)}


def query(name: str, n: Number, bound: Number) -> Query:
    """Return a query by its name.

    Parameters
    ----------
    name : {"sum", "mean", "count", "constant"}
        Which query.
    n, bound : number or decimal string
        As in `Query`.

    Returns
    -------
    Query
        The query with its sensitivity and the pair that attains it.

    Examples
    --------
    >>> query("mean", n="4", bound="2").attaining_pair.gap
    Fraction(1, 2)
    """
    if name not in QUERIES:
        choices = ", ".join(QUERIES)
        raise ParameterError(
            "query",
            name,
            f"must be one of {choices}",
            "Choose one of them",
            "unknown-choice",
            {"choices": choices},
        )
    return QUERIES[name](n, bound)

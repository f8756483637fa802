"""Utilities as they are given, read into exact exponents and weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpdocs import exact
from dpdocs.errors import ParameterError
from dpdocs.exact import EPSILON, POSITIVE, Number, Range

__all__ = ["Scores", "listed", "scores"]

WEIGHT = Range("0")


@dataclass(frozen=True, slots=True)
class Scores:
    r"""What a selection depends on: exponents and weights.

    Parameters
    ----------
    exponents : tuple of Fraction
        $\varepsilon(u_i - \max_{w_j>0} u_j)/(2\Delta)$; at most 0 wherever the weight is positive.
    weights : tuple of Fraction
        The base measure, at least one of it positive.

    Examples
    --------
    >>> scores([3, 1], epsilon=1, sensitivity=1).exponents
    (Fraction(0, 1), Fraction(-1, 1))
    """

    exponents: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]


def scores(
    utilities: object, epsilon: Number, sensitivity: Number = 1, base_measure: object = None
) -> Scores:
    """Read and check the parameters that all selections share.

    Parameters
    ----------
    utilities : list of number or decimal string
        At least one.
    epsilon : number or decimal string
        At least 0.
    sensitivity : number or decimal string
        Greater than 0.
    base_measure : list of number or decimal string, optional
        Weights, at least 0 and one of them positive; each 1 if left out.

    Returns
    -------
    Scores
        Exact exponents and weights.

    Raises
    ------
    ParameterError
        For what is outside these ranges or not a list, and lists of different lengths.

    Examples
    --------
    >>> scores([0, -5000, -6000], 1, 1, [0, 1, 1]).exponents[1:]
    (Fraction(0, 1), Fraction(-500, 1))
    """
    values = listed(utilities, "utilities", Range())
    rate = exact.number(epsilon, "epsilon", EPSILON) / (
        2 * exact.number(sensitivity, "sensitivity", POSITIVE)
    )
    weights = [Fraction(1)] * len(values)
    if base_measure is not None:
        weights = listed(base_measure, "base_measure", WEIGHT, len(values))
        if not any(weights):
            raise ParameterError(
                "base_measure",
                base_measure,
                "must be greater than 0 somewhere",
                "Give at least one positive weight",
                "not-positive",
                WEIGHT.limits,
            )
    highest = max(u for u, weight in zip(values, weights, strict=True) if weight)
    return Scores(tuple(rate * (u - highest) for u in values), tuple(weights))


def listed(
    values: object, parameter: str, allowed: Range, count: int | None = None
) -> list[Fraction]:
    """Read a list of numbers.

    Parameters
    ----------
    values : list of number or decimal string
        A list, tuple or array of one dimension.
    parameter : str
        Name used in a refusal.
    allowed : Range
        Legal interval of each number.
    count : int, optional
        How many there must be; at least one if left out.

    Returns
    -------
    list of Fraction
        The numbers.

    Raises
    ------
    ParameterError
        Case "wrong-count" for no list or one of another length, and those of `exact.number`.

    Examples
    --------
    >>> listed(["0.5", 2], "utilities", Range())
    [Fraction(1, 2), Fraction(2, 1)]
    """
    shape: tuple[int, ...] | None = None
    found: list[Fraction] = []
    if isinstance(values, (list, tuple)):
        found = [exact.number(value, parameter, allowed) for value in values]
        shape = (len(found),)
    elif hasattr(values, "shape"):
        found, shape = exact.numbers(values, parameter, allowed)
    if shape is None or len(shape) != 1 or not found or len(found) != (count or len(found)):
        need = f"{count}" if count else "at least one"
        raise ParameterError(
            parameter,
            values,
            f"must be a list of {need} number{'' if count in (None, 1) else 's'}",
            f"Give a list with {need} number{'' if count in (None, 1) else 's'}",
            "wrong-count",
            {"minimum": str(count or 1)},
        )
    return found

"""The common look of the figures, and small pieces of Vega-Lite that they share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdocs.labs.text import exponent, superscript

Spec = dict[str, Any]
Rows = list[dict[str, Any]]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

LINE = 2.25
"""Width of a curve in pixels."""

LABELS = 36
"""Least room for the labels of a vertical axis, so that figures stand still under a slider."""


def figure(description: str, layers: list[Spec], height: int) -> Spec:
    """Return a whole specification: layers on a common pair of axes, as wide as their container.

    Fonts, axes and margins are the site's (docs/page/figure-config.json), the same for all figures.
    """
    return {
        "$schema": SCHEMA,
        "description": description,
        "width": "container",
        "height": height,
        # Laid out anew with new rows: their labels may be wider.
        "autosize": {"type": "fit-x", "contains": "padding", "resize": True},
        "layer": layers,
    }


def layer(data: str, mark: Spec, **encoding: Any) -> Spec:
    """Return one layer that draws the rows named `data`.

    Lines join the rows in the order in which they come: two rows may share a place on the axis.
    """
    if mark["type"] == "line":
        encoding["order"] = None
    return {
        "data": {"name": data},
        "mark": {"tooltip": None, "aria": False, **mark},
        "encoding": encoding,
    }


def domain(low: str, high: str) -> list[Spec]:
    """Return the ends of an axis, read from the first row of "frame".

    Said outright, they need not be gathered from every layer each time a slider moves.
    """
    return [{"expr": f"data('frame')[0].{end}"} for end in (low, high)]


def unit(largest: Fraction) -> tuple[Fraction, str]:
    """Return the power of ten that an axis counts in, and how it is written ("" for 1).

    Ordinary numbers are shown as they are; far larger or smaller ones have their power of ten taken
    out, as a slide rule does, because no float and no axis label could carry it.
    """
    power = exponent(largest)
    if -3 <= power <= 5:
        return Fraction(1), ""
    return Fraction(10) ** power, f"×10{superscript(power)}"


def rounded(values: NDArray[np.float64]) -> list[float]:
    """Return the values with six significant digits: more cannot be seen, and would be sent."""
    return [float(f"{value:.6g}") for value in values.tolist()]


def rows(**columns: Iterable[Any]) -> Rows:
    """Turn columns into rows."""
    names = tuple(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]

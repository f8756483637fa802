"""The privacy profile δ(ε) as a curve, with a claim (ε, δ) and what the claim would need.

The claim is drawn at the ε that was typed, never at the nearest point of the curve. The heights
come from log δ, so the curve goes on where δ is smaller than any float.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdocs import exact
from dpdocs.labs import text
from dpdocs.labs.figures.style import (
    LABELS,
    LINE,
    Rows,
    Spec,
    domain,
    figure,
    layer,
    rounded,
    rows,
    unit,
)

Axis = Literal["linear", "log"]

LAST = 10
"""The curve is drawn for ε from 0 to here."""

LN10 = math.log(10)

_ROOM = 0.2  # of the height, so that labels fit above the highest point
_APART = 0.09  # of the height, so that two labels do not lie on each other


@dataclass(frozen=True)
class Profile:
    """What the picture shows.

    Attributes
    ----------
    epsilons : ndarray
        Where the curve is given, from 0 to `LAST`.
    log_deltas : ndarray
        Natural logarithm of the least δ there (−inf for δ = 0).
    epsilon, delta : Fraction
        The claim, exactly as typed.
    log_needed : float
        Natural logarithm of the least δ at the claimed ε.
    holds : bool
        Whether the claim holds.
    pure : Fraction or None
        The least ε with δ = 0, and None where there is none or where it is 0.
    """

    epsilons: NDArray[np.float64]
    log_deltas: NDArray[np.float64]
    epsilon: Fraction
    delta: Fraction
    log_needed: float
    holds: bool
    pure: Fraction | None


@dataclass(frozen=True)
class _Heights:
    """Everything in the measure of the vertical axis; `needed` is None where it is at −∞."""

    curve: NDArray[np.float64]
    claim: float
    needed: float | None
    bottom: float
    top: float
    unit: str


def _linear(shown: Profile) -> _Heights:
    """Measure in δ, with its power of ten taken out where δ is very small."""
    highest = max(float(shown.log_deltas.max()), shown.log_needed, exact.log(shown.delta))
    if math.isinf(highest):  # no δ at all
        return _Heights(np.zeros_like(shown.log_deltas), 0.0, 0.0, 0.0, 1.0, "")
    size, label = unit(Fraction(10) ** math.floor(highest / LN10))
    shift = exact.log(size)
    with np.errstate(under="ignore"):
        curve = np.exp(shown.log_deltas - shift)
    top = (1 + _ROOM) * math.exp(highest - shift)
    claim, needed = exact.nearest(shown.delta / size), math.exp(shown.log_needed - shift)
    return _Heights(curve, claim, needed, 0.0, top, label)


def _logarithmic(shown: Profile) -> _Heights:
    """Measure in log₁₀ δ, from the lowest finite value to 0 and a little room."""
    curve = shown.log_deltas / LN10
    claim, needed = exact.log(shown.delta) / LN10, shown.log_needed / LN10
    finite = [v for v in (*curve.tolist(), claim, needed) if not math.isinf(v)]
    bottom = (1 + _ROOM) * min([-1.0, *finite])
    return _Heights(
        curve,
        bottom if math.isinf(claim) else claim,
        None if math.isinf(needed) else needed,
        bottom,
        -_ROOM * bottom,
        "",
    )


def _side(epsilon: float) -> str:
    """Say where the text beside a point begins, so that it stays inside the picture."""
    return "left" if epsilon <= 0.6 * LAST else "right"


def data(shown: Profile, axis: Axis) -> dict[str, Rows]:
    """Return the rows that the specification names."""
    at = _linear(shown) if axis == "linear" else _logarithmic(shown)
    epsilons, curve = shown.epsilons, at.curve
    if axis == "linear" and shown.pure is not None and shown.pure <= LAST:
        # The curve meets 0 between two of its points: add the place where it does.
        place = int(np.searchsorted(epsilons, float(shown.pure)))
        epsilons = np.insert(epsilons, place, float(shown.pure))
        curve = np.insert(curve, place, 0.0)
    seen = np.isfinite(curve)
    height = at.top - at.bottom
    epsilon = min(exact.nearest(shown.epsilon), float(LAST))
    claim: Rows = []
    needed: Rows = []
    beyond: Rows = []
    if shown.epsilon > LAST:
        beyond = rows(label=[f"ε = {text.short(shown.epsilon, 4)} →"])
    else:
        label = f"({text.short(shown.epsilon, 4)}, {text.short(shown.delta, 4)})"
        if axis == "log" and shown.delta == 0:
            label += " ↓"  # it lies infinitely far below
        claim = rows(
            epsilon=[epsilon],
            delta=[at.claim],
            holds=[shown.holds],
            side=[_side(epsilon)],
            label=[label],
        )
        if at.needed is not None:
            apart = abs(at.needed - at.claim) > _APART * height
            needed = rows(
                epsilon=[epsilon],
                delta=[at.needed],
                claim=[at.claim],
                side=[_side(epsilon)],
                label=[text.from_log(shown.log_needed, 4) if apart else ""],
            )
    pure: Rows = []
    if shown.pure is not None and shown.pure <= LAST:
        least = float(shown.pure)
        label = f"ε = {text.short(shown.pure, 4)}"
        pure = rows(epsilon=[least], side=[_side(least)], label=[label])
    # The words for the upper part stand above the end of the curve, if it leaves them the place.
    end = float(curve[-1]) if seen[-1] else at.bottom
    free: Rows = []
    if end < at.bottom + 0.5 * height:
        free = rows(epsilon=[LAST], delta=[at.bottom + 0.82 * height])
    return {
        "curve": rows(
            epsilon=rounded(epsilons[seen]),
            delta=rounded(curve[seen]),
            bottom=[at.bottom] * int(seen.sum()),
        ),
        "claim": claim,
        "needed": needed,
        "pure": pure,
        "beyond": beyond,
        "free": free,
        "frame": rows(low=[0], high=[LAST], bottom=[at.bottom], top=[at.top], unit=[at.unit]),
    }


@cache
def spec(keys: str, axis: Axis) -> Spec:
    """Return the specification; `keys` is the stem of its message keys."""

    def x(field: str) -> Spec:
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"domain": domain("low", "high"), "nice": False},
            "axis": {"title": f"{keys}.x", "tickCount": 6, "format": "~r"},
        }

    def y(field: str) -> Spec:
        # No label in the room above the highest δ; and a logarithm can be minus many millions.
        over = "datum.value > 1 && datum.value < 1.4" if axis == "linear" else "datum.value > 0"
        long = "abs(datum.value) >= 1e5 ? format(datum.value, '.2~e') : datum.label"
        axis_ = {
            "title": f"{keys}.y_{axis}",
            "tickCount": 4,
            "format": "~r",
            "labelExpr": f"{over} ? '' : {long}",
            "minExtent": LABELS,
        }
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"domain": domain("bottom", "top"), "nice": False, "zero": False},
            "axis": axis_,
        }

    def words(field: str) -> Spec:
        return {"field": field, "type": "nominal"}

    def judged(good: str, bad: str) -> Spec:
        return {"condition": {"test": "datum.holds", "value": good}, "value": bad}

    point = {"type": "point", "opacity": 1}
    beside = {"type": "text", "baseline": "bottom", "dy": -6}
    layers = [
        layer(
            "curve",
            {"type": "area", "color": "@colour.loss", "opacity": 0.3, "line": False},
            x=x("epsilon"),
            y=y("delta"),
            y2={"field": "bottom"},
        ),
        layer(
            "pure",
            {"type": "rule", "color": "@colour.muted", "strokeDash": [2, 3]},
            x=x("epsilon"),
        ),
        layer(
            "curve",
            {"type": "line", "color": "@colour.text", "strokeWidth": LINE, "strokeJoin": "round"},
            x=x("epsilon"),
            y=y("delta"),
        ),
        layer(
            "needed",
            {"type": "rule", "color": "@colour.claim", "strokeDash": [4, 3]},
            x=x("epsilon"),
            y=y("delta"),
            y2={"field": "claim"},
        ),
        layer(
            "needed",
            {**point, "filled": True, "size": 60, "color": "@colour.text"},
            x=x("epsilon"),
            y=y("delta"),
        ),
        layer(
            "claim",
            {**point, "size": 110, "strokeWidth": 2.5, "color": "@colour.claim"},
            x=x("epsilon"),
            y=y("delta"),
            shape=judged("circle", "M-1,-1L1,1M-1,1L1,-1"),
        ),
    ]
    for side, dx in (("left", 9), ("right", -9)):
        chosen = [{"filter": f"datum.side === '{side}'"}]
        mark = {**beside, "align": side, "dx": dx}
        place = {"x": x("epsilon"), "y": y("delta"), "text": words("label")}
        needed = layer("needed", mark, **place)
        claimed = layer("claim", {**mark, "fontWeight": "bold", "color": "@colour.claim"}, **place)
        top = {"x": x("epsilon"), "y": {"value": 4}, "text": words("label")}
        pure = layer("pure", {**mark, "baseline": "top", "dy": 0, "color": "@colour.muted"}, **top)
        layers += [{**one, "transform": chosen} for one in (pure, needed, claimed)]
    layers.append(
        layer(
            "free",
            {"type": "text", "text": f"{keys}.free", "align": "right", "color": "@colour.muted"},
            x=x("epsilon"),
            y=y("delta"),
        )
    )
    layers.append(
        layer(
            "beyond",
            {
                "type": "text",
                "align": "right",
                "fontWeight": "bold",
                "dx": -4,
                "color": "@colour.claim",
            },
            x={"value": "width"},
            y={"value": 8},
            text=words("label"),
        )
    )
    layers.append(
        layer(
            "frame",
            {"type": "text", "align": "left", "baseline": "top", "dx": 4, "color": "@colour.muted"},
            x={"value": 0},
            y={"value": 0},
            text=words("unit"),
        )
    )
    return figure(f"{keys}.description", layers, height=280)

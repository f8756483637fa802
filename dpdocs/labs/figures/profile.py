"""The privacy profile δ(ε) as a curve, with a claim (ε, δ) and what the claim would need.

The claim is drawn at the ε that was typed, never at the nearest point of the curve. The heights come
from log δ, so the curve goes on where δ is smaller than any float.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdocs import exact
from dpdocs.labs import text
from dpdocs.labs.figures.style import LINE, Rows, Spec, figure, layer, rounded, rows, unit

Axis = Literal["linear", "log"]

LAST = 10
"""The curve is drawn for ε from 0 to here."""

LN10 = math.log(10)

_ROOM = 1.1  # of the height, so that a label fits above the highest point


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
    """Everything in the measure of the vertical axis; None where the axis cannot show it."""

    curve: NDArray[np.float64]
    claim: float | None
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
    top = _ROOM * math.exp(highest - shift)
    claim, needed = exact.nearest(shown.delta / size), math.exp(shown.log_needed - shift)
    return _Heights(curve, claim, needed, 0.0, top, label)


def _logarithmic(shown: Profile) -> _Heights:
    """Measure in log₁₀ δ, from the lowest finite value to 0."""
    curve = shown.log_deltas / LN10
    claim, needed = exact.log(shown.delta) / LN10, shown.log_needed / LN10
    finite = [v for v in (*curve.tolist(), claim, needed) if not math.isinf(v)]
    bottom = _ROOM * min([-1.0, *finite])
    return _Heights(
        curve,
        bottom if math.isinf(claim) else claim,
        None if math.isinf(needed) else needed,
        bottom,
        0.0,
        "",
    )


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
    inside = shown.epsilon <= LAST
    epsilon = float(min(shown.epsilon, LAST))
    side = "left" if epsilon <= 0.6 * LAST else "right"
    claim: Rows = rows(
        epsilon=[epsilon],
        delta=[at.claim],
        holds=[shown.holds],
        side=[side],
        label=[f"({text.short(shown.epsilon, 4)}, {text.short(shown.delta, 4)})"],
    )
    needed: Rows = []
    if at.needed is not None:
        label = "0" if math.isinf(shown.log_needed) else text.from_log(shown.log_needed, 4)
        needed = rows(
            epsilon=[epsilon],
            delta=[at.needed],
            claim=[at.claim],
            holds=[shown.holds],
            side=[side],
            label=[label],
        )
    pure: Rows = []
    if shown.pure is not None and shown.pure <= LAST:
        pure = rows(epsilon=[float(shown.pure)], label=[f"ε = {text.short(shown.pure, 4)}"])
    beyond: Rows = [] if inside else rows(label=[f"ε = {text.short(shown.epsilon, 4)} →"])
    return {
        "curve": rows(
            epsilon=rounded(epsilons[seen]),
            delta=rounded(curve[seen]),
            bottom=[at.bottom] * int(seen.sum()),
        ),
        "claim": claim if inside else [],
        "needed": needed if inside else [],
        "pure": pure,
        "beyond": beyond,
        "frame": rows(low=[0], high=[LAST], bottom=[at.bottom], top=[at.top], unit=[at.unit]),
    }


def spec(keys: str, axis: Axis) -> Spec:
    """Return the specification; `keys` is the stem of its message keys."""

    def x(field: str) -> Spec:
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"nice": False},
            "axis": {"title": f"{keys}.x", "tickCount": 6, "format": "~g"},
        }

    def y(field: str) -> Spec:
        axis_ = {"title": f"{keys}.y_{axis}", "tickCount": 4, "format": "~g"}
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"nice": False, "zero": False},
            "axis": axis_,
        }

    def words(field: str) -> Spec:
        return {"field": field, "type": "nominal"}

    def judged(good: str, bad: str) -> Spec:
        return {"condition": {"test": "datum.holds", "value": good}, "value": bad}

    verdict = judged("@colour.good", "@colour.bad")
    beside = {"type": "text", "baseline": "bottom", "dy": -6}
    layers = [
        layer(
            "frame",
            {"type": "rect", "opacity": 0},
            x=x("low"),
            x2={"field": "high"},
            y=y("bottom"),
            y2={"field": "top"},
        ),
        layer(
            "curve",
            {"type": "area", "color": "@colour.loss", "opacity": 0.12, "line": False},
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
            {"type": "line", "color": "@colour.loss", "strokeWidth": LINE, "strokeJoin": "round"},
            x=x("epsilon"),
            y=y("delta"),
        ),
        layer(
            "pure",
            {"type": "text", "align": "left", "baseline": "top", "dx": 5, "color": "@colour.muted"},
            x=x("epsilon"),
            y={"value": 4},
            text=words("label"),
        ),
        layer(
            "needed",
            {"type": "rule", "strokeWidth": 1.25, "strokeDash": [4, 3]},
            x=x("epsilon"),
            y=y("delta"),
            y2={"field": "claim"},
            color=verdict,
        ),
        layer(
            "needed",
            {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": "@colour.loss"},
            x=x("epsilon"),
            y=y("delta"),
        ),
        layer(
            "claim",
            {"type": "point", "size": 110, "strokeWidth": 2.5, "opacity": 1},
            x=x("epsilon"),
            y=y("delta"),
            color=verdict,
            shape=judged("circle", "M-1,-1L1,1M-1,1L1,-1"),
        ),
    ]
    for side, dx in (("left", 9), ("right", -9)):
        chosen = [{"filter": f"datum.side === '{side}'"}]
        mark = {**beside, "align": side, "dx": dx}
        place = {"x": x("epsilon"), "y": y("delta"), "text": words("label")}
        needed = layer("needed", {**mark, "color": "@colour.loss"}, **place)
        claimed = layer("claim", {**mark, "fontWeight": "bold"}, **place)
        layers += [{**needed, "transform": chosen}, {**claimed, "transform": chosen}]
    layers.append(
        layer(
            "beyond",
            {"type": "text", "align": "right", "fontWeight": "bold", "dx": -4},
            x={"value": "width"},
            y={"value": 60},
            text=words("label"),
        )
    )
    layers.append(
        layer(
            "frame",
            {"type": "text", "align": "right", "dx": -6, "dy": -4, "color": "@colour.muted"},
            x={"value": 0},
            y={"value": 0},
            text=words("unit"),
        )
    )
    return figure(f"{keys}.description", layers, height=280)

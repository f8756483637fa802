"""Two densities of one noise, a distance apart, and the part that a claimed ε leaves uncovered.

Everything is laid out in multiples of the noise's scale and turned into axis units at the end, so
that a scale of 1e-300 or a distance of 1e600 scales draws as calmly as any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpdocs.exact import nearest
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
from dpdocs.mechanisms.noise import AdditiveNoise

Places = NDArray[np.float64]

WINDOW = 6
"""The window reaches this many scales past both centres."""

_FLAT = 40  # so many scales from a centre nothing is left to see

# Heights in multiples of the peak: captions above it, the event's strip below the zero line.
_NAMES, _PAIR, _DISTANCE, _TOP = 1.02, 1.18, 1.32, 1.43
_STRIP, _BOTTOM = -0.07, -0.13


@dataclass(frozen=True)
class Densities:
    """What the picture shows.

    Attributes
    ----------
    noise : AdditiveNoise
        The noise with a scale of 1.
    scale : Fraction
        Its scale b or its standard deviation σ.
    distance : Fraction
        From the centre of D, at 0, to the centre of D′.
    pair : Fraction
        Distance of a pair that may be closer; marked where it is.
    epsilon : Fraction
        The claimed ε: what p exceeds e^ε·q by is shaded.
    threshold : Fraction or None
        The shaded part lies below it; None where nothing is left to shade.
    """

    noise: AdditiveNoise
    scale: Fraction
    distance: Fraction
    pair: Fraction
    epsilon: Fraction
    threshold: Fraction | None

    @property
    def window(self) -> tuple[Fraction, Fraction]:
        """Ends of the window."""
        return -WINDOW * self.scale, self.distance + WINDOW * self.scale

    @property
    def peak(self) -> Fraction:
        """Height of both densities at their centres, to 16 digits."""
        return Fraction(math.exp(self.noise.log_density(0.0))) / self.scale

    @property
    def event_in_window(self) -> bool:
        """Whether any of the shaded part lies inside the window."""
        return self.threshold is not None and self.threshold > self.window[0]

    def log_shape(self, z: Places) -> Places:
        """Return the log of a density z scales from its centre, relative to its peak."""
        with np.errstate(over="ignore"):  # far out the density is 0, and its logarithm −∞
            shape: Places = self.noise.log_density(z) - self.noise.log_density(0.0)
        return shape


@cache
def _outwards() -> Places:
    """Return places from a centre outwards, in scales: dense where there is something to see."""
    return np.concatenate([np.linspace(0.0, WINDOW, 10 * WINDOW + 1), [7, 8, 10, 13, 20, _FLAT]])


def _places(distance: float, cut: float | None) -> tuple[Places, Places]:
    """Return where to draw, in scales, around the left centre and around the right one.

    Each peak has places of its own, measured from its own centre: measured from the other one they
    could differ by less than a float can tell.
    """
    outwards = _outwards()
    end = outwards[: 10 * WINDOW + 1]
    inner = outwards[(outwards > 0) & (outwards < distance / 2)]
    left = np.concatenate([-end[::-1], inner])
    if cut is not None and cut < _FLAT:
        left = np.sort(np.append(left, cut))
    return left, np.concatenate([-inner[::-1], end])


def data(shown: Densities) -> dict[str, Rows]:
    """Return the rows that the specification names."""
    low, high = shown.window
    x_unit, x_label = unit(max(-low, high))
    y_unit, y_label = unit(shown.peak)
    scale, distance = float(shown.scale / x_unit), float(shown.distance / x_unit)
    peak = float(shown.peak / y_unit)
    ratio = nearest(shown.distance / shown.scale)
    cut = None
    if shown.threshold is not None and shown.event_in_window:
        cut = nearest(shown.threshold / shown.scale)

    left, right = _places(ratio, cut)
    log_p = shown.log_shape(np.concatenate([left, right + ratio]))
    log_q = shown.log_shape(np.concatenate([left - ratio, right]))
    covered = np.minimum(log_p, log_q + nearest(shown.epsilon))
    with np.errstate(under="ignore"):
        p, q, floor = (peak * np.exp(log) for log in (log_p, log_q, covered))
    x = np.concatenate([left * scale, right * scale + distance])

    event: Rows = []
    if shown.threshold is not None and cut is not None:
        event = rows(
            start=[float(low / x_unit)],
            end=[float(shown.threshold / x_unit)],
            strip=[_STRIP * peak],
            height=[peak * math.exp(shown.log_shape(np.array(cut)))],
            label=[f"y < {text.short(shown.threshold, 4)}"],
        )
    pair: Rows = []
    if shown.pair < shown.distance:
        pair = rows(start=[0.0], end=[float(shown.pair / x_unit)], y=[_PAIR * peak])
    return {
        "curves": rows(x=rounded(x), p=rounded(p), q=rounded(q), covered=rounded(floor)),
        "names": rows(d=[0.0], d_prime=[distance], y=[_NAMES * peak]),
        "distance": rows(
            start=[0.0],
            middle=[distance / 2],
            end=[distance],
            y=[_DISTANCE * peak],
            label=[f"Δ = {text.short(shown.distance, 4)}"],
        ),
        "pair": pair,
        "event": event,
        "zero": rows(y=[0.0]),
        "frame": rows(
            low=[float(low / x_unit)],
            high=[float(high / x_unit)],
            bottom=[_BOTTOM * peak],
            top=[_TOP * peak],
            x_unit=[x_label],
            y_unit=[y_label],
        ),
    }


@cache
def spec(keys: str) -> Spec:
    """Return the specification; `keys` is the stem of its message keys."""

    def x(field: str) -> Spec:
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"domain": domain("low", "high"), "nice": False, "zero": False},
            "axis": {"title": f"{keys}.x", "tickCount": 6, "format": "~r", "grid": False},
        }

    def y(field: str) -> Spec:
        # Ticks belong to densities only, not to the room for captions below and above.
        shown = "datum.value >= 0 ? datum.label : ''"
        axis = {
            "title": f"{keys}.y",
            "tickCount": 4,
            "format": "~r",
            "labelExpr": shown,
            "grid": False,
            "minExtent": LABELS,
        }
        scale = {"domain": domain("bottom", "top"), "nice": False}
        return {"field": field, "type": "quantitative", "scale": scale, "axis": axis}

    def other(field: str) -> Spec:
        return {"field": field}

    def words(field: str) -> Spec:
        return {"field": field, "type": "nominal"}

    name = {"type": "text", "baseline": "bottom", "fontSize": 16, "fontWeight": "bold"}
    bracket = {"type": "rule", "strokeWidth": 1.25, "color": "@colour.text"}
    tick = {"type": "tick", "orient": "vertical", "size": 9, "thickness": 1.25}
    dot = {"type": "point", "filled": True, "size": 36, "opacity": 1}
    curve = {"type": "line", "strokeWidth": LINE, "strokeJoin": "round"}
    aside = {"type": "text", "align": "left", "color": "@colour.muted"}
    loss = "@colour.loss"
    layers = [
        layer("zero", {"type": "rule", "color": "@colour.grid"}, y=y("y")),
        layer(
            "curves",
            {"type": "area", "color": loss, "opacity": 0.45, "line": False},
            x=x("x"),
            y=y("p"),
            y2=other("covered"),
        ),
        layer(
            "curves",
            {"type": "line", "color": loss, "strokeWidth": 1, "strokeJoin": "round"},
            x=x("x"),
            y=y("covered"),
        ),
        layer("curves", {**curve, "color": "@colour.d"}, x=x("x"), y=y("p")),
        # The dashes lie on top, so that both curves can be seen where they are one.
        layer(
            "curves",
            {**curve, "color": "@colour.d-prime", "strokeDash": [7, 4]},
            x=x("x"),
            y=y("q"),
        ),
        layer(
            "event",
            {"type": "rule", "color": "@colour.text", "strokeWidth": 1, "strokeDash": [2, 3]},
            x=x("end"),
            y=y("strip"),
            y2=other("height"),
        ),
        layer(
            "event",
            {"type": "rule", "color": loss, "strokeWidth": 6},
            x=x("start"),
            x2=other("end"),
            y=y("strip"),
        ),
        layer(
            "event",
            {"type": "text", "align": "left", "dx": 8},
            x=x("end"),
            y=y("strip"),
            text=words("label"),
        ),
        layer("distance", bracket, x=x("start"), x2=other("end"), y=y("y")),
        layer("distance", {**tick, "color": "@colour.text"}, x=x("start"), y=y("y")),
        layer("distance", {**tick, "color": "@colour.text"}, x=x("end"), y=y("y")),
        layer(
            "distance",
            {"type": "text", "baseline": "bottom", "dy": -5},
            x=x("middle"),
            y=y("y"),
            text=words("label"),
        ),
        layer(
            "pair", {**bracket, "color": "@colour.muted"}, x=x("start"), x2=other("end"), y=y("y")
        ),
        layer("pair", {**dot, "color": "@colour.muted"}, x=x("end"), y=y("y")),
        layer(
            "pair",
            {
                "type": "text",
                "text": f"{keys}.pair",
                "align": "left",
                "dx": 8,
                "color": "@colour.muted",
            },
            x=x("end"),
            y=y("y"),
        ),
        layer(
            "names",
            {**name, "text": "D", "align": "right", "dx": -3, "color": "@colour.d"},
            x=x("d"),
            y=y("y"),
        ),
        layer(
            "names",
            {**name, "text": "D′", "align": "left", "dx": 3, "color": "@colour.d-prime"},
            x=x("d_prime"),
            y=y("y"),
        ),
        layer(
            "frame",
            {**aside, "baseline": "top", "dy": 26},
            x={"value": 0},
            y={"value": "height"},
            text=words("x_unit"),
        ),
        layer(
            "frame",
            {**aside, "baseline": "top", "dx": 4},
            x={"value": 0},
            y={"value": 0},
            text=words("y_unit"),
        ),
    ]
    return figure(f"{keys}.description", layers, height=300)

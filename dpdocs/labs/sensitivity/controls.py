"""The controls of the sensitivity lab and the order in which a page shows everything."""

from __future__ import annotations

from typing import Any

from dpdocs.exact import SCALE, Range
from dpdocs.labs.model import Clipped, Parameter, Slider
from dpdocs.sensitivity import QUERIES, SIZE

KEY = "sensitivity"
NOISES = ("laplace", "gaussian")
AXES = ("linear", "log")

_FINE = "1 1.1 1.2 1.3 1.4 1.5 1.6 1.8 2 2.2 2.5 2.8 3 3.3 3.6 4 4.5 5 5.5 6 6.5 7 8 9"
# δ = 1 claims nothing and is refused, so the slider ends before it.
_DELTA = Slider(("0", *Slider.log(-12, 0, "1 1.5 2 3 4 5 6 8").values[:-1]), "log")
_INPUT, _OUTPUT = f"@{KEY}.unit.record", f"@{KEY}.unit.output"

_ALL = (
    Parameter("query", "choice", "sum", choices=tuple(QUERIES)),
    Parameter(
        "n",
        "whole",
        "4",
        SIZE,
        unit=f"@{KEY}.unit.records",
        slider=Slider.log(0, 6, "1 2 3 4 5 6 8"),
    ),
    Parameter("bound", "decimal", "2", SCALE, unit=_INPUT, slider=Slider.log(-1, 2, _FINE)),
    Clipped("record", "decimal", "2", unit=_INPUT, slider=Slider.linear("-1", "5", "0.1")),
    Parameter("noise", "choice", "laplace", choices=NOISES),
    Parameter("scale", "decimal", "2", SCALE, unit=_OUTPUT, slider=Slider.log(-2, 2, _FINE)),
    Parameter(
        "epsilon", "decimal", "1", Range("0", "1000000"), slider=Slider.linear("0", "10", "0.1")
    ),
    Parameter(
        "delta",
        "decimal",
        "0",
        Range("0", "1", open_maximum=True),
        slider=_DELTA,
    ),
    Parameter("profile_axis", "choice", "linear", choices=AXES),
)

PARAMETERS = {parameter.name: parameter for parameter in _ALL}

LAYOUT: dict[str, Any] = {
    "controls": [
        {"title": f"@{KEY}.group.data", "names": ["query", "n", "bound", "record"]},
        {"title": f"@{KEY}.group.noise", "names": ["noise", "scale"]},
        {"title": f"@{KEY}.group.claim", "names": ["epsilon", "delta"]},
        {"title": f"@{KEY}.group.picture", "names": ["profile_axis"]},
    ],
    "verdicts": ["guarantee", "pair"],
    "readouts": [
        {
            "title": f"@{KEY}.group.guarantee",
            "names": [
                "sensitivity",
                "least_pure_epsilon",
                "delta_required",
                "log10_delta_required",
                "event_threshold",
            ],
        },
        {
            "title": f"@{KEY}.group.pair",
            "names": ["answer", "answer_changed", "pair_gap", "pair_delta"],
        },
        {"title": f"@{KEY}.group.error", "names": ["mse", "mean_absolute_error", "radius_95"]},
    ],
    "figures": ["densities", "profile"],
    "tables": ["profile"],
}

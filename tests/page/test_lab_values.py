"""What the lab shows in the browser is what `lab.compute` gives natively."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

import dpdocs.labs

pytestmark = pytest.mark.browser

LESSON = "mechanisms/laplace/"
NUMBER = re.compile(r"[-−]?\d+\.?\d*(?:e[-+−]?\d+)?")
BASE = {
    "query": "sum", "n": "4", "bound": "2", "record": "2",
    "noise": "laplace", "scale": "2", "epsilon": "1", "delta": "0",
}  # fmt: skip

# For every query and every noise: ordinary settings, claims exactly on the boundary (also with
# decimals that no binary float holds), and the legal extremes.
SETTINGS: list[dict[str, str]] = [
    {},
    {"n": "7", "bound": "3.5", "record": "1.25", "scale": "0.8", "epsilon": "0.3"},
    {"bound": "0.3", "scale": "0.1", "epsilon": "3"},
    {"bound": "0.3", "scale": "0.1", "epsilon": "2.9999999999999999999"},
    {"delta": "0.393469340287366576396200465009"},
    {"delta": "0.3934693402873665"},
    {"epsilon": "0", "delta": "0.999999"},
    {"n": "1", "record": "1e300"},
    {"record": "-1e300"},
    {"scale": "1e300"},
    {"scale": "1e-300"},
    {"bound": "1e300", "scale": "1e-300"},
    {"epsilon": "1000000", "delta": "1e-320"},
    {"scale": "0.05", "epsilon": "40"},
]  # fmt: skip
GRID = list(itertools.product(("sum", "mean", "count", "constant"), ("laplace", "gaussian")))


@pytest.fixture(scope="module")
def shown(begin: Any, lab: Any) -> Iterator[Any]:
    """One visit for the whole grid: the worker is loaded once."""
    visit = begin()
    yield lab(visit.open(LESSON))
    visit.close()


def same(shown: str, expected: str) -> bool:
    """Is a text the expected one, its numbers equal to eleven digits of the twelve shown?"""
    if shown == expected:
        return True
    if NUMBER.sub("#", shown) != NUMBER.sub("#", expected):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(expected), strict=True)
    return all(
        math.isclose(float(a.replace("−", "-")), float(b.replace("−", "-")), rel_tol=1e-11)
        for a, b in pairs
    )


def differences(shown: dict[str, Any], expected: dict[str, Any], words: Any) -> list[str]:
    """Everything on the page that is not what the native result says."""
    found = []

    def check(what: str, text: str, message: Any) -> None:
        if not same(text, " ".join(words(message).split())):
            found.append(f"{what}: {text!r} instead of {words(message)!r}")

    for key, box in shown["readouts"].items():
        readout = expected["readouts"][key]
        for part in ("label", "text", "unit", "note"):
            check(f"readout {key} {part}", box[part], readout[part])
    for key, box in shown["verdicts"].items():
        verdict = expected["verdicts"][key]
        if box["holds"] != str(verdict["holds"]).lower():
            found.append(f"verdict {key}: {box['holds']}")
        word = "holds" if verdict["holds"] else "fails"
        check(f"verdict {key}", box["word"], f"@page.lab.{word}")
        check(f"reason {key}", box["reason"], verdict["message"])
        check(f"witness {key}", box["witness"], verdict["witness"])
    for key, rows in shown["tables"].items():
        if len(rows) != len(expected["tables"][key]["rows"]):
            found.append(f"table {key}: {len(rows)} rows")
            continue
        for row, wanted in zip(rows, expected["tables"][key]["rows"], strict=True):
            for text, entry in zip(row, wanted, strict=True):
                check(f"table {key}", text, entry)
    for key, text in shown["summaries"].items():
        check(f"summary {key}", text, expected["figures"][key]["summary"])
    return found


@pytest.mark.parametrize(("query", "noise"), GRID)
def test_the_page_shows_what_compute_gives(
    shown: Any, words: dict[str, Any], query: str, noise: str
) -> None:
    experiment = dpdocs.labs.get("sensitivity")
    wrong = {}
    for setting in SETTINGS:
        values = {**BASE, "query": query, "noise": noise, **setting}
        expected = experiment.compute(**values).as_data()
        shown.set(**values)
        there = shown.shown()
        assert there["state"] == "current", f"{values}: the lab is {there['state']}"
        assert there["readouts"], "the page shows no read-outs"
        found = differences(there, expected, words["en"])
        if found:
            wrong[str(values)] = found
    assert not wrong, "\n".join(f"{values}\n  " + "\n  ".join(w) for values, w in wrong.items())


def test_the_boundary_is_exact(shown: Any) -> None:
    """ε·b = Δ with decimals that binary floating point cannot hold: 3 · 0.1 = 0.3."""
    for epsilon, holds in (("3", "true"), ("2.99999999999999999999999", "false")):
        shown.set(**{**BASE, "bound": "0.3", "scale": "0.1", "epsilon": epsilon})
        assert shown.shown()["verdicts"]["guarantee"]["holds"] == holds, epsilon


def test_gaussian_deltas_below_all_floats_still_fail_a_pure_claim(shown: Any) -> None:
    shown.set(**{**BASE, "noise": "gaussian", "scale": "1000", "epsilon": "100", "delta": "0"})
    there = shown.shown()
    assert there["verdicts"]["guarantee"]["holds"] == "false"
    logarithm = there["readouts"]["log10_delta_required"]["text"]
    assert float(logarithm.removeprefix("≈ ").replace("−", "-")) < -300

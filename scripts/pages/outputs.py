"""What a cell gave, as the page shows it before anyone runs it."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from scripts.pages.context import PageContext
from scripts.pages.errors import PageError, Place


def render(page: PageContext, outputs: list[dict[str, Any]], file: str, place: Place) -> Markup:
    """Return the outputs of a cell as HTML."""
    shown = [_prepared(page, output, file, place) for output in outputs]
    return Markup(page.template("outputs.html", outputs=shown))


def _prepared(page: PageContext, output: dict[str, Any], file: str, place: Place) -> dict[str, Any]:
    kind = output["kind"]
    if kind not in ("text", "value", "table", "figure", "image"):
        raise PageError(place, f"the cell {file} gives an output of an unknown kind: {kind}")
    if kind != "figure":
        return output
    spec = page.say(output["spec"], place)
    summary = spec.get("description") or page.say("@site.cell.figure", place)
    return {"kind": kind, "drawings": page.build.figures.draw(spec, {}, summary, place)}

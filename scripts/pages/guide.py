"""The guided picture: a fixed example in steps, each linked to the lab with the same settings."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from scripts.pages import labs, options
from scripts.pages.context import PageContext
from scripts.pages.errors import PageError, Place
from scripts.pages.scan import Block


def render(page: PageContext, block: Block) -> str:
    """Return the steps as HTML, every one whole."""
    found = block.options()
    options.check(found, block.place, "the guide block", ["lab", "id", "steps"], ["to", "title"])
    lab = labs.get(page, found["lab"], block.place)
    page.claim(found["id"], block.place)
    target = found.get("to", "lab")
    if page.lab_ids.get(target) != found["lab"]:
        raise PageError(
            block.place,
            f'the steps link to a lab with the id "{target}", which this page does not have',
            "Add the lab block, or name its id with `to:`.",
        )
    steps = [
        _step(page, block, lab, found["id"], number, step, target)
        for number, step in enumerate(found["steps"], 1)
    ]
    return page.template(
        "guide.html",
        id=found["id"],
        name=found["lab"],
        steps=steps,
        words=labs.words(page, block.place),
    )


def _step(
    page: PageContext, block: Block, lab: Any, guide: str, number: int, step: Any, target: str
) -> dict[str, Any]:
    place = (
        options.place_of(block, step.get("title", "")) if isinstance(step, dict) else block.place
    )
    what = f"step {number} of the guide"
    if not isinstance(step, dict):
        raise PageError(place, f"{what} must be a list of `name: value`")
    options.check(step, place, what, ["title", "text", "set"], ["figure", "show", "verdicts"])
    values = labs.settings(lab, step["set"], place)
    result = labs.Shown(page, labs.data(page, lab, values, place), place)
    return {
        "id": page.claim(f"{guide}-{number}", place),
        "title": page.inline(step["title"], place),
        "text": page.fragment(step["text"], _text_place(block, step, place)),
        "set": values,
        "figure": result.figure(step["figure"]) if step.get("figure") else None,
        "figure_name": step.get("figure"),
        "readouts": {name: result.readout(name) for name in step.get("show") or []},
        "verdicts": {name: result.verdict(name) for name in step.get("verdicts") or []},
        "address": f"#{target}?{urlencode(values)}",
    }


def _text_place(block: Block, step: dict[str, Any], place: Place) -> Place:
    found = options.place_of(block, step["text"])
    return found if found.line >= place.line else place

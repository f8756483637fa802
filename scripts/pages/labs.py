"""Labs: controls, figures, read-outs, verdicts and tables of an experiment, already computed."""

from __future__ import annotations

from typing import Any

from scripts.pages import options
from scripts.pages.context import PageContext
from scripts.pages.errors import PageError, Place
from scripts.pages.scan import Block

VARIANTS = ("full", "compact")
# The parts of a lab that a compact one may choose among.
CHOSEN = ("controls", "readouts", "verdicts", "figures", "tables")


def render(page: PageContext, block: Block) -> str:
    """Return a lab as HTML that already holds the result of its first settings."""
    found = block.options()
    options.check(
        found, block.place, "the lab block", ["lab", "id"], ["set", "variant", "title", *CHOSEN]
    )
    variant = found.get("variant", "full")
    if variant not in VARIANTS:
        raise PageError(block.place, f"there is no variant `{variant}`", f"Known: {VARIANTS}.")
    lab = get(page, found["lab"], block.place)
    page.claim(found["id"], block.place)
    values = settings(lab, found.get("set") or {}, block.place)
    result = data(page, lab, values, block.place)
    layout = {name: _laid_out(page, lab, found, name, block.place) for name in CHOSEN}
    shown = [name for group in layout["controls"] for name in group["names"]]
    return page.template(
        "lab.html",
        id=found["id"],
        name=found["lab"],
        variant=variant,
        title=page.say(found.get("title") or f"@{lab.name}.title", block.place),
        values=values,
        words=words(page, block.place),
        raw=result,
        result=Shown(page, result, block.place),
        layout=layout,
        controls={
            name: control(page, lab.name, parameter, values[name], block.place)
            for name, parameter in lab.parameters.items()
            if name in shown
        },
        kept=[name for name in lab.parameters if name not in shown],
    )


def words(page: PageContext, place: Place) -> dict[str, str]:
    """Return the words that the page's script puts into the same places later."""
    keys = ("holds", "fails", "all_rows", "reset", "share")
    return {key: page.say(f"@page.lab.{key}", place) for key in keys}


def get(page: PageContext, name: str, place: Place) -> Any:
    """Return a lab by its name."""
    labs = page.build.labs
    if name not in labs.names():
        raise PageError(place, f"there is no lab `{name}`", f"Known: {', '.join(labs.names())}.")
    return labs.get(name)


def settings(lab: Any, given: dict[str, Any], place: Place) -> dict[str, str]:
    """Return the text that each control holds: the given ones, the defaults for the others."""
    options.check(given, place, f"the lab `{lab.name}`", [], lab.parameters)
    return {
        name: _as_text(given.get(name, parameter.default))
        for name, parameter in lab.parameters.items()
    }


def _as_text(value: object) -> str:
    """Write a value as a reader would type it: YAML may have read it as a number."""
    return repr(value) if isinstance(value, float) else str(value)


def data(page: PageContext, lab: Any, values: dict[str, str], place: Place) -> dict[str, Any]:
    """Compute a lab; settings that it refuses stop the build."""
    try:
        result: dict[str, Any] = page.build.compute(lab.name, values).as_data()
    except ValueError as problem:
        raise PageError(place, f"the lab `{lab.name}` refuses these settings: {problem}") from None
    return result


def control(
    page: PageContext, lab: str, parameter: Any, value: str, place: Place
) -> dict[str, Any]:
    """Return what a control's template needs."""
    shown = page.say(parameter.as_data(lab), place)
    shown["value"] = value
    if shown["slider"]:
        shown["slider"]["at"] = _nearest(shown["slider"]["values"], value)
    return dict(shown)


def _nearest(positions: list[str], value: str) -> int:
    """Return the slider's position that is nearest to a control's value."""
    wanted = float(value)
    return min(range(len(positions)), key=lambda n: abs(float(positions[n]) - wanted))


def _laid_out(
    page: PageContext, lab: Any, found: dict[str, Any], name: str, place: Place
) -> list[dict[str, Any]]:
    """Return the groups of one part of the lab, cut down to what the block asks for."""
    groups: list[dict[str, Any]] = [
        group if isinstance(group, dict) else {"title": None, "names": _listed(group)}
        for group in lab.layout[name]
    ]
    known = [entry for group in groups for entry in group["names"]]
    chosen = known
    if name in found:
        chosen = options.names(found[name], place, f"`{name}`") if found[name] else []
        for entry in chosen:
            if entry not in known:
                raise PageError(
                    place, f"the lab has no {name} called `{entry}`", f"Known: {', '.join(known)}."
                )
    kept = [
        {
            "title": page.say(group.get("title"), place),
            "names": [entry for entry in group["names"] if entry in chosen],
        }
        for group in groups
    ]
    return [group for group in kept if group["names"]]


def _listed(group: Any) -> list[str]:
    return [group] if isinstance(group, str) else list(group)


class Shown:
    """A result in the page's words, its figures drawn when a template asks for them."""

    def __init__(self, page: PageContext, result: dict[str, Any], place: Place) -> None:
        self._page = page
        self._place = place
        self._result = result

    def readout(self, name: str) -> dict[str, Any]:
        return self._part("readouts", name)

    def verdict(self, name: str) -> dict[str, Any]:
        return self._part("verdicts", name)

    def table(self, name: str) -> dict[str, Any]:
        return self._part("tables", name)

    def figure(self, name: str) -> dict[str, Any]:
        figure = self._part("figures", name)
        figure["drawings"] = self._page.build.figures.draw(
            figure["spec"], figure["data"], figure["summary"], self._place
        )
        return figure

    def _part(self, part: str, name: str) -> dict[str, Any]:
        if name not in self._result[part]:
            known = ", ".join(self._result[part])
            raise PageError(self._place, f"the result has no {part} `{name}`", f"Known: {known}.")
        shown: dict[str, Any] = self._page.say(self._result[part][name], self._place)
        return shown

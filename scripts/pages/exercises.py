"""Exercises and quizzes: a question, its computed answer, an explanation for every choice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scripts.pages import options
from scripts.pages.context import PageContext
from scripts.pages.errors import PageError, Place
from scripts.pages.scan import Block

KINDS = ("number", "text", "choice", "choices")
TOLERANCE = 1e-6


def render(page: PageContext, block: Block) -> str:
    """Return an exercise as HTML; `quiz` may hold several questions of the kind choice."""
    found = block.options()
    if block.kind == "quiz" and "questions" in found:
        options.check(found, block.place, "the quiz", ["questions"], ["id"])
        questions = found["questions"]
    else:
        questions = [found]
    shown = [_question(page, block, dict(question)) for question in questions]
    return page.template("exercise.html", questions=shown, quiz=block.kind == "quiz")


def _question(page: PageContext, block: Block, found: dict[str, Any]) -> dict[str, Any]:
    place = options.place_of(block, str(found.get("id", "")))
    if block.kind == "quiz":
        found.setdefault("kind", "choice")
    name = f'the {block.kind} "{found.get("id", "")}"'
    options.check(
        found,
        place,
        name,
        ["id", "ask", "kind"],
        ["title", "answer", "tolerance", "unit", "options", "wrong", "hints", "solution"],
    )
    kind = found["kind"]
    if kind not in KINDS:
        raise PageError(place, f"{name} is of an unknown kind `{kind}`", f"Known: {KINDS}.")
    choosing = kind in ("choice", "choices")
    if block.kind == "quiz" and not choosing:
        raise PageError(place, f"{name} is of the kind {kind}; a quiz is of choices only")
    number = page.add_exercise(found["id"], block.kind, place)

    def text(source: str) -> str:
        return page.fragment(source, options.place_of(block, source))

    shown: dict[str, Any] = {
        "id": found["id"],
        "number": number,
        "kind": kind,
        "title": page.inline(found["title"], place) if found.get("title") else None,
        "ask": text(found["ask"]),
        "unit": page.inline(found["unit"], place) if found.get("unit") else None,
        "tolerance": found.get("tolerance", TOLERANCE if kind == "number" else None),
        "hints": [text(hint) for hint in found.get("hints") or []],
        "solution": text(found["solution"]) if found.get("solution") else None,
        "options": [],
        "wrong": [],
    }
    if choosing:
        shown["options"] = _options(page, block, found, place, name)
        right = [str(n) for n, option in enumerate(shown["options"]) if option["right"]]
        if not right or (kind == "choice" and len(right) > 1):
            count = "exactly one option" if kind == "choice" else "at least one option"
            raise PageError(place, f"{name} needs {count} with `right: true`")
        shown["answer"] = right
    else:
        options.check(found, place, name, ["answer"], found)
        if not shown["solution"]:
            raise PageError(place, f"{name} needs a `solution`")
        shown["answer"] = _answer(page, block, found["answer"], kind, name)
        shown["wrong"] = [
            {
                "value": _answer(page, block, entry["value"], kind, name),
                "why": text(entry["why"]),
            }
            for entry in _entries(found.get("wrong"), place, name, ["value", "why"])
        ]
    return shown


def _options(
    page: PageContext, block: Block, found: dict[str, Any], place: Place, name: str
) -> list[dict[str, Any]]:
    options.check(found, place, name, ["options"], found)
    shown = []
    for entry in _entries(found["options"], place, name, ["text", "why"], ["right"]):
        where = options.place_of(block, str(entry["text"]))
        shown.append(
            {
                "text": page.inline(str(entry["text"]), where),
                "why": page.fragment(entry["why"], options.place_of(block, entry["why"])),
                "right": bool(entry.get("right")),
            }
        )
    return shown


def _entries(
    found: Any, place: Place, name: str, needed: list[str], other: list[str] | None = None
) -> list[dict[str, Any]]:
    for entry in found or []:
        if not isinstance(entry, dict):
            raise PageError(place, f"{name}: each entry is a mapping with {', '.join(needed)}")
        options.check(entry, place, f"an entry of {name}", needed, other or [])
    return list(found or [])


def _answer(page: PageContext, block: Block, source: object, kind: str, name: str) -> str:
    """Return an answer as the page compares it; a number is written in full."""
    place = options.place_of(block, str(source))
    text = page.numbers(str(source), place).strip()
    if kind != "number":
        return text
    if text == "inf":
        return text
    try:
        Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise PageError(
            place,
            f"the answer of {name} is not a number: {text!r}",
            "Write the expression alone, without the filter `number`.",
        ) from None
    return text

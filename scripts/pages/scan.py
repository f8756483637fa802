"""Find the blocks, the headings and the ordinary code in a page's Markdown, with line numbers."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from scripts.pages.errors import PageError, Place

KINDS = ("lab", "cell", "guide", "exercise", "quiz", "formula")
FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")
HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>.+?)[ \t]*$")
HEADING_ID = re.compile(r"\{[^}]*#(?P<id>[\w-]+)[^}]*\}$")


@dataclass(frozen=True)
class Text:
    """A run of Markdown; `code` marks an ordinary fenced block, which is left as it is."""

    text: str
    place: Place
    code: bool = False


@dataclass(frozen=True)
class Block:
    """A fenced block of one of our kinds."""

    kind: str
    text: str
    place: Place
    indent: str

    def options(self) -> dict[str, Any]:
        """Return the block's YAML as a mapping."""
        try:
            options = yaml.safe_load(self.text)
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            reason = getattr(problem, "problem", None) or "this is not YAML"
            raise PageError(
                self.place.down(mark.line + 1 if mark else 0),
                f"the {self.kind} block cannot be read: {reason}",
                "Quote texts that hold a colon or a brace, or write them below a `|`.",
            ) from None
        if not isinstance(options, dict):
            raise PageError(self.place, f"the {self.kind} block must be a list of `name: value`")
        return options


@dataclass(frozen=True)
class Heading:
    """A heading line of the source; `id` is None where the author gave none."""

    level: int
    title: str
    id: str | None
    place: Place


def split(markdown: str, place: Place) -> Iterator[Text | Block]:
    """Split a page at its fenced blocks; `place` is that of the first line."""
    lines = markdown.split("\n")
    start = at = 0
    while at < len(lines):
        opened = FENCE.match(lines[at])
        if not opened:
            at += 1
            continue
        end = _closing(lines, at, opened)
        kind = opened["info"].strip()
        if end is None:
            if kind in KINDS:
                raise PageError(place.down(at), f"the {kind} block is never closed")
            break
        if at > start:
            yield Text("\n".join(lines[start:at]), place.down(start))
        inner = "\n".join(lines[at + 1 : end])
        if kind in KINDS:
            yield Block(kind, textwrap.dedent(inner), place.down(at), opened["indent"])
        else:
            yield Text("\n".join(lines[at : end + 1]), place.down(at), code=True)
        start = at = end + 1
    if start < len(lines):
        yield Text("\n".join(lines[start:]), place.down(start))


def _closing(lines: list[str], at: int, opened: re.Match[str]) -> int | None:
    ticks = opened["ticks"]
    closing = re.compile(rf"^[ \t]*{re.escape(ticks[0])}{{{len(ticks)},}}[ \t]*$")
    return next((n for n in range(at + 1, len(lines)) if closing.match(lines[n])), None)


def headings(parts: list[Text | Block]) -> list[Heading]:
    """Return the headings of a page in order."""
    found = []
    for part in parts:
        if isinstance(part, Block) or part.code:
            continue
        for number, line in enumerate(part.text.split("\n")):
            match = HEADING.match(line)
            if match:
                fixed = HEADING_ID.search(match["title"])
                title = HEADING_ID.sub("", match["title"]).strip()
                found.append(
                    Heading(
                        len(match["marks"]),
                        title,
                        fixed["id"] if fixed else None,
                        part.place.down(number),
                    )
                )
    return found


def first_line(source: str, markdown: str) -> int:
    """Return the line of the file on which a page's Markdown begins, below its front matter."""
    return source.rstrip("\n").count("\n") - markdown.rstrip("\n").count("\n") + 1

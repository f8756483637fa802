"""Is a translation whole and up to date? Same headings, same blocks; a notice where it is older.

A translated page says in its front matter which text it was made from: `original: <hash>`.

    python -m scripts.pages.parity mark docs/ko/mechanisms/laplace.md   the page is up to date
    python -m scripts.pages.parity list                                 which pages are not
"""

from __future__ import annotations

import argparse
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.pages import scan
from scripts.pages.errors import PageError, Place
from scripts.pages.project import LANGUAGES, ORIGINAL, ROOT, Project

_FRONT = re.compile(r"\A---\n(?P<meta>.*?\n)---\n", re.DOTALL)
_MARK = re.compile(r"^original:.*\n", re.MULTILINE)
# What two versions of an exercise must agree on; the words around it are the translator's.
_SAME = ("id", "kind", "answer", "tolerance", "lab", "file", "set", "show", "figure")


@dataclass(frozen=True)
class Item:
    """One heading or block, as far as it must be equal in all languages."""

    what: str
    place: Place


def fingerprint(original: str) -> str:
    """Return the hash by which a translation names the text it was made from."""
    return hashlib.sha256(original.encode()).hexdigest()[:12]


def parts_of(path: Path, file: str) -> list[scan.Text | scan.Block]:
    """Split a page's file at its blocks."""
    text = path.read_text(encoding="utf-8")
    front = _FRONT.match(text)
    body = text[front.end() :] if front else text
    line = text[: len(text) - len(body)].count("\n") + 1
    return list(scan.split(body, Place(file, line)))


def structure(parts: list[scan.Text | scan.Block]) -> list[Item]:
    """Return the headings and blocks of a page in order."""
    found = [
        Item(f"heading {'#' * heading.level} {{#{heading.id}}}", heading.place)
        for heading in scan.headings(parts)
        if heading.level > 1
    ]
    for part in parts:
        if isinstance(part, scan.Block):
            found.append(Item(f"{part.kind} {_same(part.options())}", part.place))
    return sorted(found, key=lambda item: item.place.line)


def _same(options: Any) -> str:
    kept: list[str] = []
    for name, value in options.items():
        if name in _SAME:
            kept.append(f"{name}={value}")
        elif name in ("steps", "questions", "wrong"):
            kept += [f"{name}[{_same(entry)}{_value(entry)}]" for entry in value or []]
        elif name == "options":
            kept += [f"option({'right' if entry.get('right') else 'wrong'})" for entry in value]
        elif name == "hints":
            kept.append(f"{len(value or [])} hints")
    return " ".join(kept)


def _value(entry: Any) -> str:
    return f"value={entry['value']}" if isinstance(entry, dict) and "value" in entry else ""


def check_headings(parts: list[scan.Text | scan.Block]) -> None:
    """Every heading below the title has a fixed id, so that its address never changes."""
    seen: dict[str, Place] = {}
    for heading in scan.headings(parts):
        if heading.level == 1:
            continue
        if heading.id is None:
            raise PageError(
                heading.place,
                f'the heading "{heading.title}" has no id',
                "Write one behind it: `{#short-name}`, the same in every language.",
            )
        if heading.id in seen:
            raise PageError(
                heading.place, f'the id "{heading.id}" is used twice', f"First: {seen[heading.id]}."
            )
        seen[heading.id] = heading.place


def compare(project: Project, page: str) -> None:
    """Stop the build where a translated page is built otherwise than its original."""
    original, other = project.originals / page, project.pages / page
    names = project.name(original), project.name(other)
    expected = structure(parts_of(original, names[0]))
    found = structure(parts_of(other, names[1]))
    for one, two in zip(expected, found, strict=False):
        if one.what != two.what:
            raise PageError(
                two.place,
                f"the translation differs from its original: here is `{two.what}`",
                f"At this point {one.place} has `{one.what}`.",
            )
    if len(expected) != len(found):
        longer = expected if len(expected) > len(found) else found
        extra = longer[min(len(expected), len(found))]
        raise PageError(
            names[1], "the translation differs from its original", f"{extra.place}: `{extra.what}`"
        )


def is_current(project: Project, page: str, meta: dict[str, Any]) -> bool:
    """Was the translation made from the original as it is now?"""
    original = (project.originals / page).read_text(encoding="utf-8")
    return str(meta.get("original")) == fingerprint(original)


def mark(docs: Path, path: Path) -> None:
    """Write into a translated page that it is up to date."""
    language = path.relative_to(docs).parts[0]
    original = docs / ORIGINAL / path.relative_to(docs / language)
    text = path.read_text(encoding="utf-8")
    line = f"original: {fingerprint(original.read_text(encoding='utf-8'))}\n"
    front = _FRONT.match(text)
    if front is None:
        path.write_text(f"---\n{line}---\n\n{text}", encoding="utf-8")
        return
    meta = _MARK.sub("", front["meta"]) + line
    path.write_text(f"---\n{meta}---\n{text[front.end() :]}", encoding="utf-8")


def outdated(docs: Path) -> list[str]:
    """Name the translated pages that are missing or older than their original."""
    found = []
    for original in sorted((docs / ORIGINAL).rglob("*.md")):
        page = original.relative_to(docs / ORIGINAL)
        expected = f"original: {fingerprint(original.read_text(encoding='utf-8'))}\n"
        for language in LANGUAGES:
            other = docs / language / page
            if language == ORIGINAL:
                continue
            if not other.is_file():
                found.append(f"{language}/{page}: missing")
            elif expected not in other.read_text(encoding="utf-8"):
                found.append(f"{language}/{page}: older than its original")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts.pages.parity", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="name the pages that are missing or older")
    marking = commands.add_parser("mark", help="these translated pages are up to date now")
    marking.add_argument("pages", nargs="+", type=Path)
    asked = parser.parse_args()
    docs = ROOT / "docs"
    if asked.command == "list":
        print("\n".join(outdated(docs)) or "every translation is up to date")
        return
    for path in asked.pages:
        mark(docs, path.resolve())


if __name__ == "__main__":
    main()

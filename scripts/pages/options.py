"""Reading the options of a block: unknown and missing ones stop the build, with their place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from scripts.pages.errors import PageError, Place
from scripts.pages.scan import Block


def check(
    found: Mapping[str, Any], place: Place, what: str, needed: Iterable[str], other: Iterable[str]
) -> None:
    """Compare the options of a block, or of an entry inside it, with what it may hold."""
    needed = list(needed)
    known = [*needed, *other]
    for name in found:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1)
            hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(known)}."
            raise PageError(place, f"{what} has no option `{name}`", hint)
    for name in needed:
        if found.get(name) in (None, "", [], {}):
            raise PageError(place, f"{what} needs the option `{name}`")


def place_of(block: Block, text: str) -> Place:
    """Return the line of the block on which a text from its options begins."""
    first = next((line.strip() for line in str(text).splitlines() if line.strip()), "")
    for number, line in enumerate(block.text.splitlines(), 1):
        if first and first in line:
            return block.place.down(number)
    return block.place


def names(found: Any, place: Place, what: str) -> list[str]:
    """Return a list of names; anything else stops the build."""
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise PageError(place, f"{what} must be a list of names: [first, second]")
    return found

"""What a block needs of the page it stands on: words, numbers, labs, figures, names in use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from scripts.pages.errors import PageError, Place

if TYPE_CHECKING:
    from scripts.pages.build import Build


@dataclass
class PageContext:
    """One page while it is being made."""

    build: Build
    path: str
    file: str
    source: str
    links: Any
    names: dict[str, Any] = field(default_factory=dict)
    ids: dict[str, Place] = field(default_factory=dict)
    lab_ids: dict[str, str] = field(default_factory=dict)
    equations: list[str] = field(default_factory=list)
    cells: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    exercises: list[str] = field(default_factory=list)

    def claim(self, name: str, place: Place) -> str:
        """Reserve an anchor of the page; two blocks with one anchor stop the build."""
        if name in self.ids:
            raise PageError(place, f'the id "{name}" is used twice', f"First: {self.ids[name]}.")
        self.ids[name] = place
        return name

    def add_exercise(self, name: str, kind: str, place: Place) -> int:
        """Reserve an exercise's anchor; return its number among those of its kind."""
        self.claim(f"exercise-{name}", place)
        self.exercises.append(kind)
        return self.exercises.count(kind)

    def numbers(self, text: str, place: Place) -> str:
        """Compute what stands in double braces."""
        return self.build.numbers.render(text, self.names, place)

    def fragment(self, text: str, place: Place) -> Markup:
        """Return a piece of Markdown, its numbers computed, as HTML."""
        text = self.prepare(str(text), place)
        return Markup(self.build.fragments.convert(text, place, self.links))

    def inline(self, text: str, place: Place) -> Markup:
        """Return one paragraph of Markdown without the paragraph's tags."""
        text = self.prepare(str(text), place)
        return Markup(self.build.fragments.inline(text, place, self.links))

    def prepare(self, text: str, place: Place) -> str:
        """Do what is done to all Markdown of a page before it is converted."""
        return self.build.glossary.link(self.numbers(text, place), self.path, place)

    def say(self, data: Any, place: Place | str) -> Any:
        """Put the words of the page's language in place of message keys."""
        return self.build.catalogue.walk(data, place)

    def template(self, file: str, /, **values: Any) -> str:
        """Fill a template of docs/theme/blocks."""
        return self.build.templates.get_template(file).render(values)

    def keep(self, html: str) -> str:
        """Keep finished HTML out of the Markdown converter's way; return its stand-in."""
        self.pieces.append(html)
        return f"DPBLOCK-{len(self.pieces) - 1}-END"

"""The one error of the site's build: where, what is wrong, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from mkdocs.exceptions import PluginError


@dataclass(frozen=True)
class Place:
    """A line of a file that an author wrote."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def down(self, lines: int) -> Place:
        """Return the place this many lines below."""
        return Place(self.file, self.line + lines)


class PageError(PluginError):
    """Stops the build with one sentence that names the place and the remedy."""

    def __init__(self, place: Place | str, problem: str, remedy: str = "") -> None:
        self.place = place
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{place}: {problem}" + (f"\n  {remedy}" if remedy else ""))

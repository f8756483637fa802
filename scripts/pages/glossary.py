"""The glossary: one list decides the terms of both languages, and where each is explained."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from scripts.pages.errors import PageError, Place
from scripts.pages.project import LANGUAGES, Project

PAGE = "reference/glossary.md"
_SHORTHAND = re.compile(r"\]\(glossary:(?P<term>[\w-]+)\)")
_LINK = re.compile(r'<a href="(?P<address>[^"]*reference/glossary/#(?P<term>[\w-]+))">')


class Glossary:
    """The terms of docs/glossary.yml."""

    def __init__(self, project: Project) -> None:
        path = project.docs / "glossary.yml"
        self._file = project.name(path)
        self._language = project.language
        self.terms: dict[str, dict[str, Any]] = {}
        for entry in (project.read_yaml(path) if path.is_file() else None) or []:
            missing = [name for name in ("id", *LANGUAGES, "short") if not entry.get(name)]
            if missing:
                raise PageError(self._file, f"the term {entry.get('id')} has no `{missing[0]}`")
            if entry["id"] in self.terms:
                raise PageError(self._file, f"the term {entry['id']} stands here twice")
            self.terms[entry["id"]] = entry

    def link(self, text: str, page: str, place: Place) -> str:
        """Turn `[word](glossary:term)` into a link to the glossary page."""
        to = posixpath.relpath(PAGE, posixpath.dirname(page))

        def resolve(match: re.Match[str]) -> str:
            if match["term"] not in self.terms:
                where = place.down(text[: match.start()].count("\n"))
                raise PageError(
                    where, f'the glossary has no term "{match["term"]}"', f"Add it to {self._file}."
                )
            return f"]({to}#{match['term']})"

        return _SHORTHAND.sub(resolve, text)

    def explain_links(self, html: str, page: str) -> str:
        """Give every link to a term the term's meaning, shown when it is pointed at."""

        def explain(match: re.Match[str]) -> str:
            entry = self.terms.get(match["term"])
            if entry is None:
                raise PageError(page, f'the glossary has no term "{match["term"]}"')
            meaning = entry["short"][self._language].replace('"', "&quot;").replace("<", "&lt;")
            return f'<a class="dp-term" href="{match["address"]}" title="{meaning}">'

        return _LINK.sub(explain, html)

    def entries(self) -> list[dict[str, Any]]:
        """Return what the glossary page shows, in the alphabet of its language."""
        other = next(language for language in LANGUAGES if language != self._language)
        shown = [
            {
                "id": name,
                "term": entry[self._language],
                "translation": entry[other],
                "translation_language": other,
                "also": (entry.get("also") or {}).get(self._language) or [],
                "short": entry["short"][self._language],
                "see": entry.get("see"),
            }
            for name, entry in self.terms.items()
        ]
        return sorted(shown, key=lambda entry: str(entry["term"]).casefold())

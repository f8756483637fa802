"""The words of one language: loaded, compared between the languages, put in place of their keys."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from scripts.pages.errors import PageError, Place
from scripts.pages.project import LANGUAGES, ORIGINAL, Project

PLACEHOLDER = re.compile(r"\{(\w+)\}")
COLOUR = "@colour."


class Catalogue:
    """The messages of one language, by dotted key."""

    def __init__(self, language: str, messages: Mapping[str, str]) -> None:
        self.language = language
        self.messages = dict(messages)

    def text(self, key: str, place: Place | str, values: Mapping[str, Any] | None = None) -> str:
        """Return the words of a key; an unknown one stops the build, naming who asked for it."""
        words = self.messages.get(key)
        if words is None:
            raise PageError(
                place,
                f'there is no message "{key}" in the language "{self.language}"',
                f"Add it to a file below docs/messages/ in each of {', '.join(LANGUAGES)}.",
            )

        def value(match: re.Match[str]) -> str:
            if values is None or match[1] not in values:
                raise PageError(place, f'the message "{key}" needs a value for {{{match[1]}}}')
            return str(self.walk(values[match[1]], place))

        return PLACEHOLDER.sub(value, words)

    def walk(self, data: Any, place: Place | str) -> Any:
        """Put words for "@key", a CSS variable for "@colour.role", text for {message, values}."""
        if isinstance(data, str):
            if data.startswith(COLOUR):
                return f"var(--dp-{data.removeprefix(COLOUR)})"
            return self.text(data[1:], place) if data.startswith("@") else data
        if isinstance(data, dict):
            if "message" in data and data.keys() <= {"message", "values"}:
                key = data["message"].removeprefix("@")
                return self.text(key, place, data.get("values") or {})
            return {name: self.walk(item, place) for name, item in data.items()}
        if isinstance(data, (list, tuple)):
            return [self.walk(item, place) for item in data]
        return data

    @cached_property
    def _body(self) -> str:
        return json.dumps(self.messages, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def file_name(self) -> str:
        """The name of the catalogue's file, with its hash."""
        digest = hashlib.sha256(self._body.encode()).hexdigest()[:12]
        return f"messages-{self.language}-{digest}.json"

    def write(self, folder: Path) -> None:
        """Write the catalogue for the page's scripts."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / self.file_name).write_text(self._body, encoding="utf-8")


def load(project: Project) -> Catalogue:
    """Read this language's messages, after checking that all languages say the same things."""
    folder = project.docs / "messages"
    files = {language: _files(project, folder / language) for language in LANGUAGES}
    for language in LANGUAGES:
        if language != ORIGINAL:
            _compare(project, folder, language, files)
    merged: dict[str, str] = {}
    for name, messages in files[project.language].items():
        for key, words in messages.items():
            if key in merged:
                place = project.name(folder / project.language / name)
                raise PageError(place, f'the message "{key}" stands in another file too')
            merged[key] = words
    return Catalogue(project.language, merged)


def _files(project: Project, folder: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("*.yml")):
        found[path.name] = {}
        _flatten(project.read_yaml(path) or {}, "", found[path.name], project.name(path))
    return found


def _flatten(data: Mapping[Any, Any], above: str, into: dict[str, str], file: str) -> None:
    for name, item in data.items():
        key = f"{above}{name}"
        if isinstance(item, dict):
            _flatten(item, f"{key}.", into, file)
        elif isinstance(item, str):
            into[key] = item
        else:
            raise PageError(file, f'the message "{key}" is not text', "Put it in quotes.")


def _compare(
    project: Project, folder: Path, language: str, files: dict[str, dict[str, dict[str, str]]]
) -> None:
    original, other = files[ORIGINAL], files[language]
    for name in sorted(original.keys() | other.keys()):
        for has, lacks in ((ORIGINAL, language), (language, ORIGINAL)):
            if name not in files[lacks]:
                raise PageError(
                    project.name(folder / lacks / name),
                    f"this file is missing; {project.name(folder / has / name)} is there",
                )
            missing = sorted(files[has][name].keys() - files[lacks][name].keys())
            if missing:
                raise PageError(
                    project.name(folder / lacks / name),
                    f'the message "{missing[0]}" is missing (and {len(missing) - 1} more)',
                    f"It stands in {project.name(folder / has / name)}.",
                )
        for key, words in original[name].items():
            expected = set(PLACEHOLDER.findall(words))
            found = set(PLACEHOLDER.findall(other[name][key]))
            if expected != found:
                raise PageError(
                    project.name(folder / language / name),
                    f'the message "{key}" has the placeholders {sorted(found)}, '
                    f"its original has {sorted(expected)}",
                )

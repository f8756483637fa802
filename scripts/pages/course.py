"""The course: which lessons there are, in which order, and what stands around each of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from scripts.pages.errors import PageError
from scripts.pages.project import ORIGINAL, Project


@dataclass
class Lesson:
    """A page of the course; `number` is None for pages that are no lessons."""

    path: str
    title: str
    summary: str
    planned: bool
    part: Part
    number: str | None = None
    place: int | None = None
    requires: list[Lesson] = field(default_factory=list)
    next: list[Lesson] = field(default_factory=list)

    @property
    def file(self) -> str:
        return f"{self.path}.md"


@dataclass
class Part:
    """A part of the course with its pages."""

    id: str
    title: str
    numbered: bool
    number: int | None
    lessons: list[Lesson] = field(default_factory=list)


class Course:
    """docs/course.yml in one language."""

    def __init__(self, project: Project) -> None:
        path = project.docs / "course.yml"
        self._file = project.name(path)
        self._project = project
        self.parts: list[Part] = []
        self.lessons: dict[str, Lesson] = {}
        data = project.read_yaml(path) if path.is_file() else {"parts": []}
        for entry in data["parts"]:
            self._add_part(entry)
        numbered = [lesson for lesson in self.lessons.values() if lesson.number]
        for place, lesson in enumerate(numbered, 1):
            lesson.place = place
        self.total = len(numbered)
        for entry in data["parts"]:
            for item in entry["lessons"]:
                self._connect(item, numbered)

    def _add_part(self, entry: dict[str, Any]) -> None:
        language = self._project.language
        numbered = bool(entry.get("numbered"))
        number = 1 + sum(part.numbered for part in self.parts) if numbered else None
        part = Part(entry["id"], entry["title"][language], numbered, number)
        for item in entry["lessons"]:
            lesson = Lesson(
                item["path"],
                item["title"][language],
                item.get("summary", {}).get(language, ""),
                self._is_planned(item),
                part,
            )
            if lesson.path in self.lessons:
                raise PageError(self._file, f"the page {lesson.path} stands here twice")
            part.lessons.append(lesson)
            lesson.number = f"{number}.{len(part.lessons)}" if numbered else None
            self.lessons[lesson.path] = lesson
        self.parts.append(part)

    def _is_planned(self, item: dict[str, Any]) -> bool:
        exists = (self._project.docs / ORIGINAL / f"{item['path']}.md").is_file()
        if item.get("planned"):
            if exists:
                raise PageError(
                    self._file, f"{item['path']} is marked `planned`, but the page exists"
                )
            return True
        if not exists and not os.environ.get("DPDOCS_ALLOW_PARTIAL"):
            raise PageError(
                self._file,
                f"the page {item['path']} does not exist in {ORIGINAL}/",
                "Write it, or mark it `planned: true`.",
            )
        return not exists

    def _connect(self, item: dict[str, Any], numbered: list[Lesson]) -> None:
        lesson = self.lessons[item["path"]]
        lesson.requires = [self._named(path, lesson) for path in item.get("requires", [])]
        if "next" in item:
            lesson.next = [self._named(path, lesson) for path in item["next"]]
        elif lesson.place and lesson.place < len(numbered):
            lesson.next = [numbered[lesson.place]]

    def _named(self, path: str, lesson: Lesson) -> Lesson:
        if path not in self.lessons:
            raise PageError(self._file, f"{lesson.path} names a page that is not here: {path}")
        return self.lessons[path]

    def navigation(self) -> list[dict[str, Any]]:
        """Return MkDocs' nav: what exists, under the titles of its parts."""
        nav: list[dict[str, Any]] = []
        for part in self.parts:
            pages = [{lesson.title: lesson.file} for lesson in part.lessons if not lesson.planned]
            home = [page for page in pages if "index.md" in page.values()]
            nav += home
            rest = [page for page in pages if page not in home]
            if rest:
                nav.append({part.title: rest})
        return nav

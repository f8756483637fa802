"""What stands around a page: its place in the course, what it needs, what comes next."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from scripts.pages import parity
from scripts.pages.build import Build
from scripts.pages.course import Lesson
from scripts.pages.project import LANGUAGES, ORIGINAL

NAMES = {"en": "English", "ko": "한국어"}


@dataclass
class Furniture:
    """The parts of a page that come from the course, not from its text."""

    lesson: Lesson | None
    notice: str | None
    languages: list[dict[str, str]]
    addresses: dict[str, str]
    jumps: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, build: Build, page: Page, files: Files) -> Furniture:
        path = page.file.src_uri
        found = build.course.lessons.get(path.removesuffix(".md"))
        addresses = {}
        for lesson in build.course.lessons.values():
            file = files.get_file_from_path(lesson.file)
            if file is not None:
                addresses[lesson.path] = file.url_relative_to(page.file)
        return cls(found, _notice(build, page), _languages(build, page), addresses)

    @property
    def is_lesson(self) -> bool:
        return self.lesson is not None and self.lesson.number is not None


def _notice(build: Build, page: Page) -> str | None:
    """Return the kind of notice that a translated page needs: `missing`, `older` or none."""
    project, path = build.project, page.file.src_uri
    if project.language == ORIGINAL:
        return None
    if not (project.pages / path).is_file():
        return "missing"
    return None if parity.is_current(project, path, dict(page.meta)) else "older"


def _languages(build: Build, page: Page) -> list[dict[str, str]]:
    """Return the address of this very page in each language, from this page."""
    here = build.project.language
    up = posixpath.relpath(".", page.url) if page.url else "."
    root = up if here == ORIGINAL else posixpath.normpath(posixpath.join(up, ".."))
    found = []
    for language in LANGUAGES:
        folder = "" if language == ORIGINAL else f"{language}/"
        address = f"{root}/{folder}{page.url}"
        found.append({"language": language, "name": NAMES[language], "address": address})
    return found

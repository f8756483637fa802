"""The bibliography, the glossary and the lessons must agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

DOCS = Path(__file__).parents[2] / "docs"
LESSONS = ("mechanisms/laplace.md", "mechanisms/gaussian.md")
GLOSSARY = yaml.safe_load((DOCS / "glossary.yml").read_text(encoding="utf-8"))

_TITLE = re.compile(r"\*(?P<title>[^*]+)\*\.")


def sources(language: str, lesson: str) -> set[str]:
    """Return the titles that stand below the heading of the sources."""
    text = (DOCS / language / lesson).read_text(encoding="utf-8")
    return set(_TITLE.findall(text.split("{#sources}")[1]))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_bibliography_holds_the_sources_of_the_lessons_and_no_others(language: str) -> None:
    page = (DOCS / language / "reference" / "bibliography.md").read_text(encoding="utf-8")
    listed = _TITLE.findall(page)
    assert len(set(listed)) == len(listed)
    assert set(listed) == set().union(*(sources(language, lesson) for lesson in LESSONS))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_identifier_is_the_same_wherever_it_stands(language: str) -> None:
    """Each arXiv number belongs to one title, and a link leads to the number it shows."""
    found: dict[str, set[str]] = {}
    for page in (*LESSONS, "reference/bibliography.md"):
        for line in (DOCS / language / page).read_text(encoding="utf-8").splitlines():
            for shown, linked in re.findall(
                r"\[arXiv:([\d.]+)\]\(https://arxiv.org/abs/([\d.]+)\)", line
            ):
                assert shown == linked
            title = _TITLE.search(line)
            for number in re.findall(r"arXiv:(\d{4}\.\d{5})", line):
                assert title, line
                found.setdefault(number, set()).add(title["title"])
    assert found
    assert all(len(titles) == 1 for titles in found.values()), found


def test_the_glossary_is_whole_and_points_to_places_that_exist() -> None:
    ids = [entry["id"] for entry in GLOSSARY]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    for entry in GLOSSARY:
        page, _, anchor = entry["see"].partition("#")
        for language in ("en", "ko"):
            assert entry[language].strip()
            assert entry["short"][language].strip()
            text = (DOCS / language / page).read_text(encoding="utf-8")
            assert f"{{#{anchor}}}" in text, f"{entry['id']}: {page}#{anchor} in {language}"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_term_has_one_name_and_lessons_use_it(language: str) -> None:
    """No name of one term is another name of a different one."""
    first = {entry[language]: entry["id"] for entry in GLOSSARY}
    assert len(first) == len(GLOSSARY)
    for entry in GLOSSARY:
        for other in entry["also"][language]:
            assert first.get(other, entry["id"]) == entry["id"], other

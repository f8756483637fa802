"""What the pages of both languages must have in common, and what every lesson has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(str(path.relative_to(DOCS / "en")) for path in (DOCS / "en").rglob("*.md"))
COURSE = yaml.safe_load((DOCS / "course.yml").read_text(encoding="utf-8"))["parts"]
LESSONS = [
    f"{item['path']}.md"
    for part in COURSE
    if part["numbered"]
    for item in part["lessons"]
    if not item.get("planned")
]
BLOCKS = ("lab", "cell", "guide", "exercise", "quiz", "formula")

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<kind>\w*)[^\n]*\n(?P<body>.*?)^(?P=indent)```[ ]*$",
    re.DOTALL | re.MULTILINE,
)
_HEADING = re.compile(r"^(#{1,6}) (?P<title>.+?)(?: \{#(?P<id>[\w-]+)\})?$", re.MULTILINE)


def read(language: str, page: str) -> str:
    return (DOCS / language / page).read_text(encoding="utf-8")


def blocks(text: str) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for match in _FENCE.finditer(text):
        if match["kind"] in BLOCKS:
            lines = match["body"].splitlines()
            body = "\n".join(line.removeprefix(match["indent"]) for line in lines)
            options = yaml.safe_load(body)
            # A quiz may hold several questions; each counts.
            found += [(match["kind"], entry) for entry in options.get("questions", [options])]
    return found


def headings(text: str) -> list[tuple[int, str | None]]:
    outside = _FENCE.sub("", text)
    return [(len(match[1]), match["id"]) for match in _HEADING.finditer(outside)]


def names(found: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, str]]:
    return [(kind, str(options.get("id") or options.get("file"))) for kind, options in found]


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_have_the_same_structure(page: str) -> None:
    english, korean = read("en", page), read("ko", page)
    assert headings(english) == headings(korean)
    assert all(name for _, name in headings(english)), "a heading without a fixed id"
    assert names(blocks(english)) == names(blocks(korean))


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_compute_the_same_numbers(page: str) -> None:
    def expressions(language: str) -> list[str]:
        found = re.findall(r"\{\{(.*?)\}\}", read(language, page))
        # Word order differs between languages, and so may the words inside an expression.
        return sorted(re.sub(r"'[^']*' if|else '[^']*'", "", text).strip() for text in found)

    numbers = [e for e in expressions("en") if not e.startswith("equation(")]
    assert numbers == [e for e in expressions("ko") if not e.startswith("equation(")]


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("page", PAGES)
def test_ids_are_used_once(page: str, language: str) -> None:
    text = read(language, page)
    used = [name for _, name in headings(text) if name]
    used += [name for kind, name in names(blocks(text)) if kind in ("lab", "guide")]
    questions = [name for kind, name in names(blocks(text)) if kind in ("exercise", "quiz")]
    assert len(set(used)) == len(used)
    assert len(set(questions)) == len(questions)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("page", PAGES)
def test_no_long_decimal_is_typed_by_hand(page: str, language: str) -> None:
    # Settings have few digits; identifiers of papers look like decimals.
    text = re.sub(
        r"\{\{.*?\}\}|`[^`\n]*`|arXiv:[\d.]+|/abs/[\d.]+|10\.\d{4,}/\S+", "", read(language, page)
    )
    decimals = re.findall(r"\d+\.\d+", text)
    assert not [d for d in decimals if len(d.replace(".", "").lstrip("0")) > 3]


@pytest.mark.parametrize("page", LESSONS)
def test_a_lesson_has_all_its_parts(page: str) -> None:
    found = blocks(read("en", page))
    kinds = [kind for kind, _ in found]
    assert kinds.count("guide") == 1
    assert kinds.count("lab") >= 1
    assert kinds.count("cell") >= 2
    assert kinds.count("exercise") >= 6
    assert kinds.count("quiz") >= 2
    assert {"question", "questions", "quiz", "sources"} <= {
        n for _, n in headings(read("en", page))
    }


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("page", PAGES)
def test_every_question_is_explained(page: str, language: str) -> None:
    for kind, options in blocks(read(language, page)):
        if kind not in ("exercise", "quiz"):
            continue
        for option in options.get("options", []):
            assert option["why"].strip(), options["id"]
        if kind == "exercise":
            assert options["hints"], options["id"]
            assert options["solution"].strip(), options["id"]


def test_every_formula_is_shown() -> None:
    shown = {
        name
        for page in PAGES
        for kind, name in names(blocks(read("en", page)))
        if kind == "formula"
    }
    written = [
        name
        for path in sorted((DOCS / "formulas").glob("*.yml"))
        for name in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
    assert sorted(written) == sorted(shown)


def test_the_course_names_every_page() -> None:
    listed = [item for part in COURSE for item in part["lessons"]]
    paths = [item["path"] for item in listed]
    assert len(set(paths)) == len(paths)
    there = {item["path"] for item in listed if not item.get("planned")}
    assert there == {page.removesuffix(".md") for page in PAGES}
    for item in listed:
        assert set(item["title"]) == set(item["summary"]) == {"en", "ko"}
        for named in [*item.get("requires", []), *item.get("next", [])]:
            assert named in paths

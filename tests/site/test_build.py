"""The sample is built whole: every block holds its result before any script runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from scripts.pages import links


@pytest.fixture(scope="module")
def lesson(built: Path) -> BeautifulSoup:
    return read(built / "lesson" / "index.html")


def read(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def one(page: BeautifulSoup | Tag, selector: str) -> Tag:
    found = page.select_one(selector)
    assert found is not None, selector
    return found


def data(tag: Tag, name: str) -> object:
    return json.loads(str(tag[name]))


def test_numbers_stand_in_the_text(lesson: BeautifulSoup) -> None:
    text = one(lesson, ".dp-page").get_text()
    assert "of scale 0.333; Δ is 3." in text
    assert "The least ε is 2." in text, "the filter takes the whole expression"
    assert "The cell printed: least epsilon: 1.0" in text
    assert '"{{ left as they are }}"' in text


def test_lab_holds_its_controls_and_its_result(lesson: BeautifulSoup) -> None:
    lab = one(lesson, "section.dp-lab#lab")
    initial, result = data(lab, "data-initial"), data(lab, "data-result")
    assert isinstance(initial, dict)
    assert isinstance(result, dict)
    assert initial["scale"] == "2"
    assert initial["query"] == "sum"
    assert result["readouts"]["sensitivity"]["value"] == 2
    field = one(lab, "#lab-scale")
    assert field["value"] == "2"
    assert field["name"] == "scale"
    slider = one(lab, '[data-slider="scale"]')
    positions = data(slider, "data-values")
    assert isinstance(positions, list)
    assert positions[int(str(slider["value"]))] == "2"
    assert one(lab, '[data-readout="sensitivity"] output').get_text() == "2"
    assert one(lab, '[data-verdict="guarantee"]')["data-holds"] == "true"
    assert len(lab.select('[data-table="profile"] tbody tr')) > 5
    names = {str(tag["name"]) for tag in lab.select("form [name]")}
    assert names == set(initial)


def test_figures_are_drawn_at_two_widths_in_the_themes_colours(lesson: BeautifulSoup) -> None:
    figure = one(lesson, '.dp-lab [data-figure="densities"]')
    for width in ("dp-wide", "dp-narrow"):
        svg = one(figure, f".{width} svg")
        assert svg["role"] == "img"
        assert len(str(svg["aria-label"])) > 40
        assert "var(--dp-d)" in str(svg)
        assert "var(--dp-d-prime)" in str(svg)
        assert "font-family" not in str(svg)
    widths = [float(str(one(figure, f".{w} svg")["width"])) for w in ("dp-wide", "dp-narrow")]
    assert widths == [620, 340]


def test_guide_shows_every_step_and_links_to_the_lab(lesson: BeautifulSoup) -> None:
    step = one(lesson, "#picture-1")
    assert one(step, ".dp-step-title").get_text() == "First step"
    assert step.select_one(".dp-figure svg") is not None
    address = str(one(step, "a.dp-to-lab")["href"])
    assert address.startswith("#lab?query=sum&n=4")
    assert "scale=1" in address


def test_cells_share_their_names_and_show_their_output(lesson: BeautifulSoup) -> None:
    first, second = lesson.select("section.dp-cell")
    assert first["id"] == "cell-double"
    assert first["data-cell"] == "double.py"
    assert one(first, ".dp-output pre").get_text() == "least epsilon: 1.0\n"
    assert "dpdocs.Laplace" in one(first, ".dp-cell-source").get_text()
    assert len(first.select(".dp-line")) == 4
    outputs = data(second, "data-built")
    assert isinstance(outputs, list)
    assert [output["kind"] for output in outputs] == ["text", "value"]


def test_exercise_keeps_its_answer_and_explanations(lesson: BeautifulSoup) -> None:
    exercise = one(lesson, "#exercise-half")
    assert exercise["data-kind"] == "number"
    assert data(exercise, "data-answer") == "1/2"
    assert one(exercise, ".dp-why[data-value='2'] a")["href"] == "../reference/glossary/"
    assert one(exercise, ".dp-hint-item")
    assert one(exercise, "details.dp-solution")
    assert all(button.has_attr("hidden") for button in exercise.select("button"))


def test_quiz_explains_every_option(lesson: BeautifulSoup) -> None:
    quiz = one(lesson, ".dp-quiz #exercise-which")
    assert data(quiz, "data-answer") == ["0"]
    assert len(quiz.select("input[type=radio]")) == 2
    whys = quiz.select(".dp-why")
    assert [str(why["data-right"]) for why in whys] == ["true", "false"]


def test_formulas_have_mathml_numbers_and_colours(lesson: BeautifulSoup) -> None:
    formula = one(lesson, "#formula-sample-scale")
    assert one(formula, "math")
    assert one(formula, ".dp-math-d")
    assert one(formula, ".dp-math-d-prime")
    assert one(formula, ".dp-formula-number").get_text() == "(1)"
    assert "sensitivity divided" in one(formula, ".dp-formula-says").get_text()
    assert one(lesson, 'a[href="#formula-sample-scale"]')
    assert "arithmatex" not in str(lesson)
    long = next(d for d in lesson.select(".dp-math-display") if d.has_attr("tabindex"))
    assert long["role"] == "group"
    assert long["aria-label"]


def test_lesson_knows_its_place(lesson: BeautifulSoup) -> None:
    head = one(lesson, ".dp-lesson-head")
    assert head["data-lesson"] == "lesson"
    assert "Lesson 1 of 2" in head.get_text()
    assert "A later lesson planned" in re.sub(r"\s+", " ", head.get_text())
    assert [a["href"] for a in head.select(".dp-jumps a")] == [
        "#picture", "#theory", "#lab", "#questions",
    ]  # fmt: skip
    following = one(lesson, ".dp-next")
    assert following.select("a") == [], "a planned lesson is no link"


def test_languages_link_to_the_same_page(built: Path) -> None:
    english = read(built / "lesson" / "index.html")
    korean = read(built / "ko" / "lesson" / "index.html")
    assert one(english, "a.dp-language-link")["href"] == "../ko/lesson/"
    assert one(korean, "a.dp-language-link")["href"] == "../../lesson/"
    assert korean.html
    assert korean.html["lang"] == "ko"


def test_korean_blocks_speak_korean(built: Path) -> None:
    korean = read(built / "ko" / "lesson" / "index.html")
    assert "전역 민감도" in one(korean, ".dp-lab").get_text()
    assert "풀이" in one(korean, "#exercise-half").get_text()


def test_site_data_leads_to_shared_assets(built: Path) -> None:
    for page, assets in (("lesson", "../assets/dpdocs/"), ("ko/lesson", "../../assets/dpdocs/")):
        document = read(built / page / "index.html")
        site = json.loads(one(document, "#dpdocs-site").get_text())
        assert site["assets"] == assets
        messages = (built / page / assets / site["messages"]).resolve()
        assert "site.cell.run" in json.loads(messages.read_text(encoding="utf-8"))


def test_glossary_and_course_are_listed(built: Path) -> None:
    glossary = read(built / "reference" / "glossary" / "index.html")
    entry = one(glossary, "#noise")
    assert one(entry, ".dp-entry-see a")["href"] == "../../lesson/#theory"
    term = one(read(built / "lesson" / "index.html"), "a.dp-term")
    assert term["href"] == "../reference/glossary/#noise"
    assert "random number" in str(term["title"])
    home = read(built / "index.html")
    assert one(home, ".dp-course-map a")["href"] == "lesson/"


def test_search_reads_text_and_not_the_instruments(built: Path) -> None:
    index = json.loads((built / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = " ".join(entry["text"] for entry in index["docs"])
    assert "is enough" in text
    assert "How much is" not in text
    assert "95 % radius" not in text
    assert "\\frac" not in text
    places = {entry["location"] for entry in index["docs"]}
    assert "lesson/#theory" in places


def test_every_link_of_the_sample_leads_somewhere(built: Path) -> None:
    assert links.problems(built) == []

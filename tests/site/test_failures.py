"""What is wrong stops the build, and the message names the place and the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.pages import links

LESSON = "en/lesson.md"


def line_of(sample: Any, name: str, text: str) -> str:
    lines = sample.path(name).read_text(encoding="utf-8").splitlines()
    return f"docs/{name}:{next(n for n, line in enumerate(lines, 1) if text in line)}:"


def test_broken_link_in_the_text(sample: Any) -> None:
    sample.add(LESSON, "\n[nowhere](missing.md)\n")
    log = sample.fails()
    assert "lesson.md" in log
    assert "missing.md" in log


def test_broken_anchor_in_the_text(sample: Any) -> None:
    sample.add(LESSON, "\n[nowhere](#no-such-place)\n")
    log = sample.fails()
    assert "lesson.md" in log
    assert "#no-such-place" in log


def test_broken_link_inside_a_block(sample: Any) -> None:
    sample.change(LESSON, "(reference/glossary.md)", "(reference/missing.md)")
    log = sample.fails()
    assert line_of(sample, LESSON, "reference/missing.md") in log


def test_missing_message(sample: Any) -> None:
    for language in ("en", "ko"):
        path = sample.path(f"messages/{language}/sensitivity.yml")
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("  title:")]
        assert len(kept) == len(lines) - 1
        path.write_text("".join(kept), encoding="utf-8")
    log = sample.fails()
    assert '"sensitivity.title"' in log
    assert "docs/en/lesson.md:" in log


def test_message_missing_in_one_language(sample: Any) -> None:
    sample.add("messages/en/site.yml", "  extra: Only in English.\n")
    log = sample.fails()
    assert "docs/messages/ko/site.yml" in log
    assert '"site.extra" is missing' in log


def test_message_with_other_placeholders(sample: Any) -> None:
    sample.change("messages/ko/site.yml", "힌트 {number}", "힌트")
    log = sample.fails()
    assert "docs/messages/ko/site.yml" in log
    assert '"site.exercise.hint_number"' in log


def test_bad_formula_in_the_text(sample: Any) -> None:
    sample.add(LESSON, "\nA wrong one: $\\frac{1$.\n")
    log = sample.fails()
    assert line_of(sample, LESSON, "\\frac{1$") in log
    assert "this formula is wrong" in log


def test_bad_named_formula(sample: Any) -> None:
    sample.change("formulas/sample.yml", r"\frac{\Delta}", r"\fraction{\Delta}")
    log = sample.fails()
    assert "this formula is wrong" in log
    assert r"\fraction" in log


def test_pipe_inside_a_formula_of_a_table(sample: Any) -> None:
    sample.change(LESSON, r"| $\lvert x \rvert$ |", "| $|x|$ |")
    log = sample.fails()
    assert line_of(sample, LESSON, "$|x|$") in log
    assert r"\lvert" in log


def test_changed_cell_output(sample: Any) -> None:
    sample.change("cells/double.py", "scale=2", "scale=4")
    log = sample.fails()
    assert "docs/cells/double.py: its output changed" in log
    assert "'least epsilon: 1.0' before, 'least epsilon: 0.5' now" in log
    assert "scripts.pages.cells accept double.py" in log


def test_cell_whose_output_was_never_accepted(sample: Any) -> None:
    sample.path("cells/expected/double.json").unlink()
    log = sample.fails()
    assert "was never accepted" in log
    assert "accept double.py" in log


def test_failing_cell(sample: Any) -> None:
    sample.add("cells/double.py", "raise ValueError('broken')\n")
    log = sample.fails()
    assert "docs/cells/double.py: this cell fails" in log
    assert "line 5" in log


def test_unknown_cell(sample: Any) -> None:
    sample.change(LESSON, "file: again.py", "file: agian.py")
    log = sample.fails()
    assert "docs/cells/agian.py" in log
    assert "Did you mean again.py?" in log


def test_missing_korean_page_is_listed_and_marked(
    sample: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    sample.path("ko/lesson.md").unlink()
    site = sample.build("ko")
    assert "translation: ko/lesson.md: missing" in capsys.readouterr().out
    page = (site / "lesson" / "index.html").read_text(encoding="utf-8")
    assert "아직 번역되지 않아" in page
    assert "How much is" in page


def test_outdated_korean_page_is_listed_and_marked(
    sample: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from scripts.pages import parity

    parity.mark(sample.path("."), sample.path("ko/lesson.md"))
    page = sample.build("ko") / "lesson" / "index.html"
    assert "ko/lesson.md" not in capsys.readouterr().out
    assert "원문이 바뀌었습니다" not in page.read_text(encoding="utf-8")
    sample.add(LESSON, "\nOne sentence more.\n")
    sample.build("ko")
    assert "translation: ko/lesson.md: older than its original" in capsys.readouterr().out
    assert "원문이 바뀌었습니다" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{#questions}", "{#answers}"),
        ("id: half", "id: third"),
        ("    right: true\n", ""),
        ("scale: 2}", "scale: 3}"),
        ("file: again.py", "file: double.py"),
    ],
)
def test_translation_built_otherwise(sample: Any, old: str, new: str) -> None:
    sample.change("ko/lesson.md", old, new)
    log = sample.fails("ko")
    assert "docs/ko/lesson.md:" in log
    assert "differs from its original" in log
    assert "docs/en/lesson.md:" in log


def test_heading_without_an_id(sample: Any) -> None:
    sample.change(LESSON, "## Theory {#theory}", "## Theory")
    log = sample.fails()
    assert line_of(sample, LESSON, "## Theory") in log
    assert "has no id" in log


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: number", "kind: number\ntolerence: 1", "Did you mean `tolerance`?"),
        ("kind: number", "kind: numeric", "unknown kind `numeric`"),
        ("figure: densities", "figures: densities", "Did you mean `figure`?"),
        ("figure: densities", "figure: density", "has no figures `density`"),
        ("sensitivity\nid: picture", "sensitive\nid: picture", "there is no lab `sensitive`"),
        ("set: {scale: 2}", "set: {size: 2}", "has no option `size`"),
        ("set: {scale: 2}", "set: {scale: -2}", "refuses these settings"),
        ("id: sample-scale", "id: sample-size", 'no formula "sample-size"'),
        ("id: which", "id: half", 'the id "exercise-half" is used twice'),
        ("    right: true\n", "", "needs exactly one option"),
        ("    why: It is not.\n", "", "needs the option `why`"),
        ("  It is {{ 0.5 | number(2) }}.\n", "", "needs a `solution`"),
        ("id: lab\nset", "id: other\nset", 'a lab with the id "lab"'),
    ],
)
def test_wrong_option_of_a_block(sample: Any, old: str, new: str, said: str) -> None:
    sample.change(LESSON, old, new)
    log = sample.fails()
    assert "docs/en/lesson.md:" in log
    assert said in log


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("{{ nothing | number(3) }}", "'nothing' is undefined"),
        ("{{ lab('sensitivity').readouts['log10_delta_required'] | number(3) }}", "no value"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{{ 1 | numbr }}", "numbr"),
        ("{{ lab('sensitivity', scale=0).readouts['mse'] }}", "scale"),
    ],
)
def test_wrong_expression_names_its_line(sample: Any, expression: str, said: str) -> None:
    sample.add(LESSON, f"\nOne line,\nand {expression} here.\n")
    log = sample.fails()
    assert line_of(sample, LESSON, expression) in log
    assert said in log


def test_unknown_glossary_term(sample: Any) -> None:
    sample.add(LESSON, "\nSome [word](glossary:nosie).\n")
    log = sample.fails()
    assert line_of(sample, LESSON, "nosie") in log
    assert 'no term "nosie"' in log


def test_lesson_that_the_course_names_and_nobody_wrote(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DPDOCS_ALLOW_PARTIAL")
    sample.change("course.yml", "planned: true", "planned: false")
    assert "the page later does not exist" in sample.fails()


def test_page_without_its_bundle(sample: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPDOCS_ALLOW_PARTIAL")
    assert "build/bundle/bundle.json" in sample.fails()


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<a href="gone/">x</a>', "gone/ does not exist"),
        ('<a href="#gone">x</a>', "#gone names an anchor that is not there"),
        ('<img src="gone.png" alt="">', "gone.png does not exist"),
        ('<script src="../outside.js"></script>', "leads out of the site"),
        ('<a href="/rooted/">x</a>', "host's root"),
        ('<p id="a"></p><p id="a"></p>', "the id a stands twice"),
    ],
)
def test_link_check_names_page_and_link(tmp_path: Path, html: str, said: str) -> None:
    (tmp_path / "index.html").write_text(html, encoding="utf-8")
    (problem,) = links.problems(tmp_path)
    assert problem.startswith("index.html:1: ")
    assert said in problem


def test_link_check_accepts_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text('<p id="lab"></p>', encoding="utf-8")
    (tmp_path / "index.html").write_text(
        '<a href="page/#lab?n=4">a</a> <a href="https://example.org/">b</a> <a href="page/">c</a>',
        encoding="utf-8",
    )
    assert links.problems(tmp_path) == []

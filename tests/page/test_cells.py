"""Cells: run, edit, stop, reset, compare, keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

LESSONS = ["mechanisms/laplace/", "mechanisms/gaussian/"]
LESSON = LESSONS[0]
SLOW = 90_000  # ms; a first run may load Python and Matplotlib


class Cell:
    """One cell, used as a reader does."""

    def __init__(self, page: Page, number: int = 0) -> None:
        self.page = page
        self.section = page.locator(".dp-cell").nth(number)
        self.source = self.section.locator(".dp-source")
        self.output = self.section.locator(".dp-output")
        self.compare = self.section.locator(".dp-compare")

    def press(self, action: str) -> None:
        self.section.locator(f'[data-action="{action}"]').click()

    def run(self) -> None:
        self.press("run")
        self.finished()

    def finished(self) -> None:
        self.section.evaluate("(s) => s.scrollIntoView()")
        expect(self.section).not_to_have_attribute("data-running", "", timeout=SLOW)

    def write(self, source: str) -> None:
        """Replace the source as one would by keyboard."""
        self.source.focus()
        self.page.keyboard.press("Enter")
        expect(self.source.locator(".cm-content")).to_be_focused()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)


@pytest.fixture(scope="module")
def open_page(begin: Any) -> Iterator[Page]:
    visit = begin(permissions=["clipboard-read", "clipboard-write"])
    page = visit.open(LESSON)
    yield page
    visit.close()


@pytest.fixture
def cell(open_page: Page) -> Iterator[Cell]:
    """The first cell as it was built."""
    used = Cell(open_page)
    yield used
    used.press("reset")
    expect(used.section).not_to_have_attribute("data-running", "")


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.parametrize("language", ["", "ko/"])
def test_every_cell_gives_the_built_result(
    visit: Any, words: Any, lesson: str, language: str
) -> None:
    page = visit().open(language + lesson)
    last = Cell(page, page.locator(".dp-cell").count() - 1)
    last.press("run-above")
    same = words["ko" if language else "en"]("@page.cell.same")
    for number in range(page.locator(".dp-cell").count()):
        cell = Cell(page, number)
        expect(cell.compare).to_have_text(same, timeout=SLOW)
        assert cell.section.get_attribute("data-compare") == "same"
        expect(cell.output).not_to_be_empty()


def test_an_edited_cell_differs_and_says_where(cell: Cell) -> None:
    cell.write("print('one')\nprint(2)")
    cell.page.keyboard.press("Control+Enter")
    cell.finished()
    expect(cell.output).to_have_text("one\n2\n", use_inner_text=False)
    expect(cell.compare).to_contain_text("Differs from the built result")
    expect(cell.section).to_have_attribute("data-edited", "")


def test_the_editor_takes_the_place_of_the_source(cell: Cell) -> None:
    cell.press("reset")
    before = cell.source.bounding_box()
    lines = cell.section.locator(".dp-cell-source").text_content().rstrip("\n")
    cell.source.focus()
    cell.page.keyboard.press("Enter")
    content = cell.source.locator(".cm-content")
    expect(content).to_be_focused()
    after = cell.source.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["height"] - before["height"]) <= 2, "the source changed its height"
    assert content.locator(".cm-line").all_text_contents() == lines.split("\n")


def test_the_keyboard_gets_in_and_out(cell: Cell) -> None:
    page = cell.page
    cell.source.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('.dp-source')"), "Tab is trapped"
    cell.write("x = 1")
    page.keyboard.press("Tab")
    expect(cell.source.locator(".cm-content")).to_be_focused()
    expect(cell.section.locator(".dp-keys")).to_contain_text("Esc")
    page.keyboard.press("Escape")
    expect(cell.source).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('.dp-source')"), "Tab is trapped"


def test_reset_forgets_the_edit(cell: Cell) -> None:
    built = cell.output.inner_html()
    cell.write("print('mine')")
    cell.run()
    expect(cell.output).to_contain_text("mine")
    cell.press("reset")
    assert cell.output.inner_html() == built
    expect(cell.section).not_to_have_attribute("data-edited", "")
    assert "mine" not in cell.source.inner_text()


def test_edits_are_kept(visit: Any) -> None:
    used = visit()
    cell = Cell(used.open(LESSON))
    cell.write("print('kept')")
    # Left at once: the edit is saved on the way out.
    cell.page.reload()
    cell = Cell(cell.page)
    expect(cell.source).to_contain_text("print('kept')")
    expect(cell.section).to_have_attribute("data-edited", "")
    expect(Cell(used.open("ko/" + LESSON)).source).to_contain_text("print('kept')")


def test_errors_show_the_readers_own_lines(cell: Cell) -> None:
    cell.write("def f(x):\n    return 1 / x\n\nf(0)")
    cell.run()
    error = cell.output.locator(".dp-error")
    expect(error).to_contain_text("ZeroDivisionError")
    trace = error.locator(".dp-trace").inner_text()
    assert "line 2" in trace
    assert "line 4" in trace
    assert "pyodide" not in trace
    assert "dpdocs_page" not in trace


def test_cells_of_a_page_share_their_names(open_page: Page) -> None:
    first, second = Cell(open_page, 0), Cell(open_page, 1)
    first.write("shared_name = 41")
    first.run()
    second.write("shared_name + 1")
    second.run()
    expect(second.output).to_have_text("42")
    first.press("reset")
    second.press("reset")


def test_stop_ends_a_loop_and_the_page_lives_on(cell: Cell) -> None:
    cell.write("while True:\n    pass")
    cell.press("run")
    expect(cell.section).to_have_attribute("data-running", "")
    cell.page.wait_for_timeout(1500)
    assert cell.page.evaluate("1 + 1") == 2, "the page must not block"
    cell.press("stop")
    expect(cell.section).not_to_have_attribute("data-running", "")
    expect(cell.compare).to_contain_text("Stopped")
    expect(cell.section.locator('[data-action="run"]')).to_be_focused()
    cell.write("print('alive')")
    cell.run()
    expect(cell.output).to_contain_text("alive")


def test_a_flood_of_text_is_cut_and_the_page_lives_on(cell: Cell) -> None:
    cell.write("for i in range(1_000_000):\n    print(i)")
    cell.run()
    assert len(cell.output.inner_text()) < 500_000
    expect(cell.output).to_contain_text("left out")


def test_a_long_line_is_not_read_out_whole(cell: Cell) -> None:
    cell.write("print('x' * 100_000)")
    cell.run()
    expect(cell.compare).to_contain_text("x…")
    assert len(cell.compare.inner_text()) < 1000


def test_deep_recursion_is_an_error_like_others(cell: Cell) -> None:
    cell.write("def f(n):\n    return f(n + 1)\n\nf(0)")
    cell.run()
    expect(cell.output.or_(cell.compare)).to_contain_text(["Error"])
    cell.write("print('alive')")
    cell.run()
    expect(cell.output).to_contain_text("alive", timeout=SLOW)


def test_output_is_text_never_markup(cell: Cell) -> None:
    cell.write("print('<img src=x onerror=window.broken=1>')\n'<b>bold</b>'")
    cell.run()
    expect(cell.output).to_contain_text("<img src=x")
    assert cell.output.locator("img, b").count() == 0
    assert cell.page.evaluate("window.broken") is None


def test_tables_and_figures(cell: Cell) -> None:
    cell.write(
        "display([{'n': 1, 'δ': 0.5}, {'n': 2, 'δ': 0.25}])\n"
        "display({'mark': 'bar', 'description': 'Two bars',"
        " 'data': {'values': [{'a': 'x', 'b': 1}, {'a': 'y', 'b': 2}]},"
        " 'encoding': {'x': {'field': 'a'}, 'y': {'field': 'b', 'type': 'quantitative'}}})"
    )
    cell.run()
    assert cell.output.locator("table th").all_inner_texts() == ["n", "δ"]
    assert cell.output.locator("table td").all_inner_texts() == ["1", "0.5", "2", "0.25"]
    figure = cell.output.locator(".dp-figure-live")
    expect(figure.locator("svg path").first).to_be_attached()
    expect(figure).to_have_attribute("aria-label", "Two bars")


def test_a_figure_may_not_load_anything(cell: Cell) -> None:
    """The watched visit fails on any request to another host; here the reader sees why."""
    cell.write(
        "display({'mark': 'bar', 'data': {'url': 'https://example.org/data.csv'},"
        " 'encoding': {'x': {'field': 'a'}}})"
    )
    cell.run()
    cell.page.wait_for_timeout(500)
    assert cell.output.locator("svg path[d*='L']").count() <= 4


def test_copy(cell: Cell) -> None:
    cell.press("copy")
    copied = cell.page.evaluate("navigator.clipboard.readText()")
    source = cell.section.locator(".dp-cell-source").text_content()
    assert copied.rstrip("\n") == source.rstrip("\n")
    expect(cell.section.locator(".dp-announce")).to_contain_text("copied")

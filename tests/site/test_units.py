"""The small parts of the site's build, alone."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from scripts.pages import cells, scan, search, sources
from scripts.pages.errors import PageError, Place
from scripts.pages.messages import Catalogue
from scripts.pages.numbers import Numbers, number

HERE = Place("page.md", 1)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (2, 6, "2"),
        (0.393469340287366, 12, "0.393469340287"),
        (5.991464547107982, 11, "5.9914645471"),
        (Fraction(1, 3), 4, "0.3333"),
        (Fraction("0.1"), 6, "0.1"),
        (-0.25, 6, "−0.25"),
        (1000000, 3, "1000000"),
        (1.5e-7, 6, "1.5×10⁻⁷"),
        (1e300, 6, "1×10³⁰⁰"),
        (math.inf, 6, "∞"),
        (-math.inf, 6, "−∞"),
        (0.0, 6, "0"),
        (2.5, 1, "2"),
        (0.999999, 3, "1"),
    ],
)
def test_number(value: object, digits: int, text: str) -> None:
    assert number(value, digits) == text


@pytest.mark.parametrize("value", [None, math.nan])
def test_number_refuses_what_is_none(value: object) -> None:
    with pytest.raises(ValueError, match="value"):
        number(value)


def test_tex_and_heading_ids_are_no_expressions() -> None:
    text = "## A {#id}\n$e^{-x/b}$ {% raw %} \\frac{a}{b^{2}}"
    assert Numbers().render(text, {}, HERE) == text


def test_blocks_know_their_lines() -> None:
    text = "a\n\n```lab\nlab: x\n```\n\n````\n```lab\nshown\n```\n````\nlast"
    parts = list(scan.split(text, Place("p.md", 10)))
    blocks = [part for part in parts if isinstance(part, scan.Block)]
    assert [(block.kind, block.place.line) for block in blocks] == [("lab", 12)]
    assert isinstance(parts[-1], scan.Text)
    assert parts[-1].place.line == 21


def test_block_that_is_never_closed() -> None:
    with pytest.raises(PageError, match=r"p\.md:2: the cell block is never closed"):
        list(scan.split("a\n```cell\nfile: x.py", Place("p.md", 1)))


def test_block_with_bad_yaml_names_the_line() -> None:
    (block,) = scan.split("```lab\nlab: x\nid: a: b\n```", Place("p.md", 5))
    assert isinstance(block, scan.Block)
    with pytest.raises(PageError, match=r"p\.md:7:"):
        block.options()


def test_messages_walk_into_data() -> None:
    catalogue = Catalogue("en", {"a.b": "Word", "a.c": "At {x}, {y}"})
    data = {
        "t": "@a.b",
        "c": ["@colour.d-prime", "plain"],
        "m": {"message": "a.c", "values": {"x": "1", "y": "@a.b"}},
    }
    assert catalogue.walk(data, HERE) == {
        "t": "Word",
        "c": ["var(--dp-d-prime)", "plain"],
        "m": "At 1, Word",
    }
    with pytest.raises(PageError, match=r"page\.md:1: .*needs a value for \{x\}"):
        catalogue.walk({"message": "a.c"}, HERE)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("x = 1.000000000000001\n", "x = 1\n", True),
        ("x = 1.0001\n", "x = 1\n", False),
        ("mean 1e-300", "mean 1.0000000001e-300", True),
        ("a 1", "b 1", False),
        ("a\n", "a\nb\n", False),
        ("−0.5", "-0.5", True),
    ],
)
def test_outputs_are_compared_as_numbers(one: str, two: str, same: bool) -> None:
    before = [{"kind": "text", "text": one}]
    after = [{"kind": "text", "text": two}]
    assert (cells.compare(before, after) is None) is same


def test_compare_names_the_place_in_a_table() -> None:
    before = [{"kind": "table", "columns": ["a"], "rows": [[1.0], [2.0]]}]
    after = [{"kind": "table", "columns": ["a"], "rows": [[1.0], [3.0]]}]
    assert cells.compare(before, after) == "[0].rows[1][0]: 2.0 before, 3.0 now"


def test_highlighted_code_keeps_its_text() -> None:
    html = sources.python("x = 1 < 2\n\nprint(x)\n")
    assert html.count('class="dp-line"') == 3
    assert "&lt;" in html


def test_search_text_is_flat_and_without_instruments() -> None:
    page = (
        '<div><h2 id="a">A <a class="headerlink" href="#a">#</a></h2><p>one <b>two</b></p>'
        "<div data-search-exclude><div>no</div><p>no</p></div><p>x<br>y</p>"
        "<svg><text>no</text></svg>"
        "<math><mi>ε</mi><annotation>\\varepsilon</annotation></math></div>"
    )
    assert search.text_of(page) == '<h2 id="a">A </h2><p>one two</p><p>xy</p>ε'

"""A lab as a reader uses it: sliders, typing, refusals, reset, address, words, pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

import dpdocs.labs

pytestmark = pytest.mark.browser

LESSON = "mechanisms/laplace/"

# What a reader may type into a control, and the limit that refuses it.
REFUSED = [
    ("n", "0"), ("n", "2.5"), ("n", "1000001"), ("n", ""), ("n", "４"),
    ("bound", "0"), ("bound", "-1"), ("bound", "1,5"), ("bound", "1e400"),
    ("record", "abc"), ("record", "nan"), ("record", "inf"), ("record", ""),
    ("scale", "0"), ("scale", "-1"), ("scale", "2e300"), ("scale", "１"), ("scale", "0,5"),
    ("epsilon", "-0.1"), ("epsilon", "1000001"), ("epsilon", "infinity"),
    ("delta", "1"), ("delta", "1.5"), ("delta", "-1e-9"), ("delta", "NaN"),
]  # fmt: skip


@pytest.fixture(scope="module")
def open_lab(begin: Any, lab: Any) -> Iterator[Any]:
    visit = begin(permissions=["clipboard-read", "clipboard-write"])
    yield lab(visit.open(LESSON))
    visit.close()


@pytest.fixture
def shown(open_lab: Any) -> Any:
    """The lab with its first settings, computed by Python, not by the build."""
    open_lab.section.locator('button[type="reset"]').click()
    expect(open_lab.section).to_have_attribute("data-state", "built")
    initial = open_lab.section.evaluate("(section) => JSON.parse(section.dataset.initial)")
    open_lab.set(**initial)
    return open_lab


def test_computing_the_first_settings_changes_nothing(visit: Any, lab: Any) -> None:
    """Build and page write the same words into the same places, and nothing moves."""
    page = visit().open(LESSON)
    built = lab(page)
    before = built.shown()
    page.wait_for_timeout(300)
    place = "() => [...document.querySelectorAll('#lab .dp-figure')].map(f => f.offsetHeight)"
    heights = page.evaluate(place)
    initial = built.section.evaluate("(section) => JSON.parse(section.dataset.initial)")
    built.set(**initial)
    after = built.shown()
    assert before.pop("state") == "built"
    assert after.pop("state") == "current"
    assert after == before
    assert built.section.locator(".dp-figure-live svg").count() == len(heights)
    for old, new in zip(heights, page.evaluate(place), strict=True):
        assert abs(old - new) <= 1, "a picture changed its height when it came alive"


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_refused_input(shown: Any, name: str, text: str) -> None:
    before = shown.shown()
    shown.type(name, text)
    expect(shown.message(name)).to_be_visible()
    message = shown.message(name).inner_text()
    assert not re.search(r"errors\.|\{\w+\}", message), f"a key or a gap in {message!r}"
    assert len(message) > 20, "rule and remedy are missing"
    assert shown.field(name).get_attribute("aria-invalid") == "true"
    described = shown.field(name).get_attribute("aria-describedby")
    assert shown.message(name).get_attribute("id") in described.split()
    after = shown.shown()
    assert after.pop("state") == "refused"
    before.pop("state")
    assert after == before, "the last good picture must stay"
    expect(shown.status).to_contain_text("last accepted")

    shown.type(name, shown.section.evaluate("(s, n) => JSON.parse(s.dataset.initial)[n]", name))
    expect(shown.message(name)).to_be_hidden()
    assert shown.field(name).get_attribute("aria-invalid") is None
    expect(shown.status).to_have_text("")


def test_several_refusals_each_beside_its_control(shown: Any) -> None:
    shown.set(n="0", delta="2")
    expect(shown.message("n")).to_be_visible()
    expect(shown.message("delta")).to_be_visible()
    expect(shown.message("scale")).to_be_hidden()


def test_what_the_lab_refuses_natively_it_refuses_here(shown: Any) -> None:
    """The list above is the lab's own opinion, not this test's."""
    experiment = dpdocs.labs.get("sensitivity")
    initial = shown.section.evaluate("(section) => JSON.parse(section.dataset.initial)")
    for name, text in REFUSED:
        with pytest.raises(dpdocs.ParameterError) as refusal:
            experiment.compute(**{**initial, name: text})
        assert refusal.value.parameter == name


def test_a_slider_moves_text_and_picture(shown: Any) -> None:
    curve = shown.section.locator('[data-figure="densities"] svg path[d*="L"]').first
    before = curve.get_attribute("d")
    texts = shown.slider("scale").evaluate("(slider) => JSON.parse(slider.dataset.values)")
    shown.slider("scale").focus()
    shown.settled(lambda: shown.page.keyboard.press("End"))
    assert shown.field("scale").input_value() == texts[-1]
    shown.settled(lambda: shown.page.keyboard.press("Home"))
    assert shown.field("scale").input_value() == texts[0]
    shown.settled(lambda: shown.page.keyboard.press("ArrowRight"))
    assert shown.field("scale").input_value() == texts[1]
    shown.settled(lambda: shown.page.keyboard.press("PageUp"))
    position = int(shown.slider("scale").input_value())
    assert position > 2
    assert shown.field("scale").input_value() == texts[position]
    assert texts[position] in shown.slider("scale").get_attribute("aria-valuetext")
    assert curve.get_attribute("d") != before


def test_the_slider_follows_what_is_typed(shown: Any) -> None:
    texts = shown.slider("scale").evaluate("(slider) => JSON.parse(slider.dataset.values)")
    shown.type("scale", texts[5])
    assert shown.slider("scale").input_value() == "5"


def test_redraw_is_quick(shown: Any) -> None:
    """From the slider's event to both pictures drawn. The bench measures this on an idle machine;
    here it must only not be slow."""
    times = []
    shown.slider("scale").focus()
    for key in ["ArrowRight"] * 15 + ["ArrowLeft"] * 15:
        times.append(shown.settled(lambda key=key: shown.page.keyboard.press(key)))
    assert sorted(times)[len(times) // 2] < 100, times


def test_a_burst_of_moves_ends_at_the_last_one(shown: Any) -> None:
    texts = shown.slider("scale").evaluate("(slider) => JSON.parse(slider.dataset.values)")
    shown.slider("scale").evaluate(
        """async (slider) => {
          for (let i = 0; i <= 20; i += 1) {
            slider.value = i;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
        }"""
    )
    experiment = dpdocs.labs.get("sensitivity")
    initial = shown.section.evaluate("(section) => JSON.parse(section.dataset.initial)")
    expected = experiment.compute(**{**initial, "scale": texts[20]}).as_data()["readouts"]["mse"]
    place = shown.section.locator('[data-readout="mse"] output')
    expect(place).to_have_text(expected["text"])


def test_reset_brings_the_built_result_back(shown: Any) -> None:
    before = shown.shown()
    shown.set(scale="5", query="mean")
    assert shown.shown()["readouts"] != before["readouts"]
    shown.section.locator('button[type="reset"]').click()
    expect(shown.section).to_have_attribute("data-state", "built")
    assert shown.field("scale").input_value() == "2"
    after = shown.shown()
    assert after["readouts"] == before["readouts"]
    assert after["verdicts"] == before["verdicts"]
    assert "#" not in shown.page.url


def test_all_rows(shown: Any) -> None:
    button = shown.section.locator('[data-action="all-rows"]')
    rows = shown.section.locator('[data-table="profile"] tbody tr')
    few = rows.count()
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(rows).to_have_count(101)
    button.click()
    expect(rows).to_have_count(few)


def test_a_link_reproduces_the_lab(shown: Any, visit: Any, lab: Any) -> None:
    shown.set(query="mean", n="7", scale="0.3", epsilon="2", delta="1e-5", noise="gaussian")
    shown.section.locator('[data-action="share"]').click()
    expect(shown.status).to_contain_text("copied")
    link = shown.page.evaluate("navigator.clipboard.readText()")
    assert link == shown.page.url
    values = parse_qs(urlsplit(link).fragment.removeprefix("lab?"))
    assert values["n"] == ["7"]
    assert values["delta"] == ["1e-5"]

    other = visit()
    other.page.goto(link)
    reproduced = lab(other.page)
    expect(reproduced.section).to_have_attribute("data-state", "current", timeout=60_000)
    assert reproduced.shown() == shown.shown()
    assert reproduced.field("n").input_value() == "7"
    assert reproduced.section.evaluate("(s) => s.getBoundingClientRect().top") < 400


@pytest.mark.parametrize(
    "fragment",
    [
        "lab?evil=1", "lab?__proto__=1&constructor=2", "lab?n=" + "9" * 3000, "lab?%", "lab?=&&=",
        "lab?query=<script>alert(1)</script>", "lab?noise=cauchy", "nothing?n=5", "lab",
    ],
)  # fmt: skip
def test_an_address_that_says_nothing_true(visit: Any, fragment: str) -> None:
    page = visit().open(f"{LESSON}#{fragment}")
    page.wait_for_timeout(200)
    assert page.locator('#lab input[name="n"]').input_value() == "4"
    assert page.locator('#lab input[name="query"]:checked').input_value() == "sum"
    assert page.evaluate("Object.prototype.n") is None


def test_an_address_with_bad_values_is_refused_like_typing(visit: Any, lab: Any) -> None:
    page = visit().open(f"{LESSON}#lab?n=0&scale=3")
    refused = lab(page)
    expect(refused.message("n")).to_be_visible(timeout=60_000)
    expect(refused.section).to_have_attribute("data-state", "refused")
    assert refused.field("scale").input_value() == "3"


def test_a_step_of_the_picture_sets_the_lab(visit: Any, lab: Any) -> None:
    page = visit().open(LESSON)
    link = page.locator("#picture .dp-step[data-current] .dp-to-lab")
    page.locator("#picture .dp-guide-bar button").last.click()
    expect(page.locator("#picture-2")).to_have_attribute("data-current", "")
    wanted = page.locator("#picture-2").evaluate("(step) => JSON.parse(step.dataset.set)")
    link.click()
    opened = lab(page)
    expect(opened.section).to_have_attribute("data-state", "current", timeout=60_000)
    for name, value in wanted.items():
        checked = ":checked" if name in ("query", "noise", "profile_axis") else ""
        assert page.locator(f'#lab input[name="{name}"]{checked}').input_value() == value
    assert opened.section.evaluate("(s) => s.getBoundingClientRect().top") < 400

    # Followed again after a change, it sets the lab again although the address says the same.
    opened.set(scale="9")
    page.wait_for_timeout(600)
    link.click()
    expect(opened.field("scale")).to_have_value(wanted["scale"])


def test_messages_come_in_the_language_of_the_page(visit: Any, lab: Any, words: Any) -> None:
    page = visit().open("ko/" + LESSON)
    korean = lab(page)
    korean.type("scale", "0")
    expect(korean.message("scale")).to_be_visible(timeout=60_000)
    assert re.search(r"[가-힣]", korean.message("scale").inner_text())
    expect(korean.status).to_contain_text("마지막으로")
    korean.type("scale", "1")
    there = korean.shown()
    assert there["verdicts"]["guarantee"]["word"] == words["ko"]("@page.lab.fails")
    assert re.search(r"[가-힣]", there["summaries"]["densities"])


def test_results_are_announced_politely(shown: Any, words: Any) -> None:
    shown.set(scale="1")
    region = shown.section.locator(".dp-announce")
    assert region.get_attribute("aria-live") == "polite"
    expect(region).to_contain_text(words["en"]("@page.lab.fails"))
    shown.set(scale="3")
    expect(region).to_contain_text(words["en"]("@page.lab.holds"))


def test_a_lab_takes_neither_focus_nor_scroll(shown: Any) -> None:
    page = shown.page
    page.locator("#lab").scroll_into_view_if_needed()
    shown.field("epsilon").focus()
    before = page.evaluate("scrollY")
    shown.set(scale="7")
    assert page.evaluate("document.activeElement.name") == "epsilon"
    assert page.evaluate("scrollY") == before

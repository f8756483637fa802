"""What the theme does in a browser, on the sample: search, dark from the first paint, languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from scripts import chromium, static_host

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    with static_host.serve(built) as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


def search(page: Page, words: str) -> list[str]:
    """Type into the search; return where the results lead."""
    page.click(".md-search__input")
    page.keyboard.type(words)
    # A letter that no key of the keyboard types comes without the event Material waits for.
    page.keyboard.press("End")
    found = page.locator(".md-search-result__link")
    found.first.wait_for()
    # The words to highlight ride along: lesson/?h=theory#theory
    return [re.sub(r"\?h=[^#]*", "", str(link.get_attribute("href"))) for link in found.all()]


@pytest.mark.parametrize(
    ("start", "words", "place"),
    [
        ("", "ε", "lesson/"),
        ("", "Theory", "lesson/#theory"),
        ("ko/", "잡음", "reference/glossary/"),
    ],
)
def test_search_finds_symbols_headings_and_korean(
    browser: Browser, address: str, start: str, words: str, place: str
) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + start, wait_until="networkidle")
    assert not any("search_index" in url for url in asked), "the index waits for a reader"
    assert any(place in link for link in search(page, words))
    assert any("search_index" in url for url in asked)
    page.close()


@pytest.mark.parametrize(("wish", "scheme"), [("dark", "slate"), ("light", "default")])
def test_theme_is_right_before_any_file_has_loaded(
    browser: Browser, address: str, wish: str, scheme: str
) -> None:
    context = browser.new_context(color_scheme=wish)  # type: ignore[arg-type]
    page = context.new_page()
    page.route("**/*.js", lambda route: route.abort())
    page.goto(address)
    assert page.get_attribute("body", "data-md-color-scheme") == scheme
    context.close()


def test_language_link_stays_on_the_page(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "lesson/")
    page.click("a.dp-language-link")
    assert page.url == address + "ko/lesson/"
    page.click("a.dp-language-link")
    assert page.url == address + "lesson/"
    page.close()


def test_absent_page_speaks_the_language(built: Path) -> None:
    assert "없는 페이지입니다" in (built / "ko" / "404.html").read_text(encoding="utf-8")
    assert "There is no such page" in (built / "404.html").read_text(encoding="utf-8")

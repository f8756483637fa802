"""A served copy of the built site, a browser, and pages that are watched while a test uses them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from scripts import chromium, static_host

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def site(root: Path) -> Path:
    """The built site."""
    folder = root / "site"
    if not (folder / "index.html").is_file():
        pytest.fail("there is no site to test: run scripts/build first")
    return folder


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The address of the site, served under a sub-path; the server ends with the tests."""
    with static_host.serve(site) as served:
        yield served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


class Visit:
    """One reader: a browser context whose requests and errors are kept."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.expected: list[str] = []
        self.context.on("request", self._request)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("console", self._console)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            where = message.location["url"]
            self.problems.append(f"{message.type}: {message.text} ({where})")

    def expect_problem(self, pattern: str) -> None:
        """A test that breaks something on purpose says what the browser will complain about."""
        self.expected.append(pattern)

    def open(self, path: str = "") -> Page:
        self.page.goto(self.address + path, wait_until="load")
        return self.page

    def check(self) -> None:
        """Fail if anything went to another host, or anything went wrong that was not expected."""
        own = (self.address, "data:", "blob:")
        foreign = [url for url in self.requests if not url.startswith(own)]
        assert not foreign, f"requests to other places: {foreign}"
        unexpected = [
            problem
            for problem in self.problems
            if not any(re.search(pattern, problem) for pattern in self.expected)
        ]
        assert not unexpected, "\n".join(unexpected)

    def close(self) -> None:
        try:
            self.check()
        finally:
            self.context.close()


@pytest.fixture(scope="session")
def begin(browser: Browser, address: str) -> Callable[..., Visit]:
    """Begin a visit; whoever begins it closes it."""
    return partial(Visit, browser, address)


@pytest.fixture
def visit(begin: Callable[..., Visit]) -> Iterator[Callable[..., Visit]]:
    """Begin visits; each is checked and closed when the test ends."""
    visits: list[Visit] = []

    def make(**options: Any) -> Visit:
        visits.append(begin(**options))
        return visits[-1]

    yield make
    for each in visits:
        each.close()


class Lab:
    """A lab on a page, used as a reader does: controls in, words and numbers out."""

    def __init__(self, page: Page, identifier: str = "lab") -> None:
        self.page = page
        self.section = page.locator(f"#{identifier}")
        self.element = f"document.getElementById({json.dumps(identifier)})"
        # The page's script is there when the lab says how it stands.
        expect(self.section).to_have_attribute("data-state", re.compile("."))

    def set(self, **values: str) -> None:
        """Put values into the controls all at once and wait for the answer to the last one."""
        self.page.evaluate(
            f"""(values) => new Promise((resolve) => {{
              const section = {self.element};
              const form = section.querySelector("form");
              section.addEventListener("dp-settled", resolve, {{ once: true }});
              for (const [name, value] of Object.entries(values)) {{
                const field = form.elements.namedItem(name);
                if (field instanceof RadioNodeList) {{
                  for (const radio of field) radio.checked = radio.value === value;
                }} else field.value = value;
                const target = field instanceof RadioNodeList ? field[0] : field;
                target.dispatchEvent(new Event("input", {{ bubbles: true }}));
              }}
            }})""",
            values,
        )

    def type(self, name: str, text: str) -> None:
        """Type into one field and wait for the answer."""
        self.settled(lambda: self.field(name).fill(text))

    def settled(self, act: Callable[[], object]) -> float:
        """Do something and wait until its answer is on the page; return the milliseconds."""
        self.page.evaluate(
            f"""() => {{ window.settled = new Promise((resolve) =>
              {self.element}.addEventListener("dp-settled",
                (event) => resolve(event.detail.milliseconds), {{ once: true }})); }}"""
        )
        act()
        return float(self.page.evaluate("window.settled"))

    def field(self, name: str) -> Any:
        return self.section.locator(f'input[name="{name}"]')

    def slider(self, name: str) -> Any:
        return self.section.locator(f'[data-slider="{name}"]')

    def message(self, name: str) -> Any:
        return self.section.locator(f'[data-parameter="{name}"] .dp-message')

    @property
    def status(self) -> Any:
        return self.section.locator(".dp-status")

    def shown(self) -> dict[str, Any]:
        """All that the lab shows, as text."""
        return dict(
            self.page.evaluate(
                f"""() => {{
                  const section = {self.element};
                  const words = (node) => node.textContent.replace(/\\s+/g, " ").trim();
                  const text = (node) => node ? words(node) : null;
                  const all = (name, read) => Object.fromEntries(
                    [...section.querySelectorAll(`[data-${{name}}]`)].map(
                      (box) => [box.dataset[name], read(box)]));
                  return {{
                    state: section.dataset.state,
                    readouts: all("readout", (box) => ({{
                      label: text(box.querySelector("dt")),
                      text: text(box.querySelector("output")),
                      unit: text(box.querySelector(".dp-unit")),
                      note: text(box.querySelector(".dp-note")) }})),
                    verdicts: all("verdict", (box) => ({{
                      holds: box.dataset.holds,
                      word: text(box.querySelector(".dp-holds")),
                      reason: text(box.querySelector(".dp-reason")),
                      witness: box.querySelector(".dp-witness").hidden
                        ? "" : text(box.querySelector(".dp-witness")) }})),
                    tables: all("table", (box) => [...box.querySelectorAll("tbody tr")].map(
                      (row) => [...row.cells].map(text))),
                    summaries: all("figure", (box) => text(box.querySelector(".dp-summary"))),
                  }};
                }}"""
            )
        )


@pytest.fixture(scope="session")
def lab() -> type[Lab]:
    return Lab


class Words:
    """The catalogue of one language, and the texts that a result stands for."""

    def __init__(self, messages: dict[str, str]) -> None:
        self.messages = messages

    def __call__(self, message: Any, **values: Any) -> str:
        if message is None:
            return ""
        if isinstance(message, dict):
            return self("@" + message["message"].removeprefix("@"), **message.get("values", {}))
        if not message.startswith("@"):
            return str(message)
        text = self.messages[message[1:]]
        filled = re.sub(r"\{(\w+)\}", lambda match: self(values[match[1]]), text)
        return " ".join(filled.split())


@pytest.fixture(scope="session")
def words(site: Path) -> dict[str, Words]:
    """The words of both languages, as the site carries them."""
    found = {}
    for language, folder in (("en", site), ("ko", site / "ko")):
        (file,) = (folder / "assets" / "dpdocs").glob(f"messages-{language}-*.json")
        found[language] = Words(json.loads(file.read_text(encoding="utf-8")))
    return found


@pytest.fixture(scope="session")
def pages(site: Path) -> list[str]:
    """Paths of all pages of both languages, as a reader's address bar has them."""
    found = (path.parent.relative_to(site).as_posix() for path in site.rglob("index.html"))
    return sorted("" if path == "." else f"{path}/" for path in found)

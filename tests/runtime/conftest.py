"""A page with nothing on it but the runtime's client, and the browser's Python under Node."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page, sync_playwright

from scripts import chromium, static_host
from scripts.runtime import pack

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>runtime</title>
<link rel="icon" href="data:,">
<script type="application/json" id="dpdocs-site">{site}</script></head><body>
<script type="module">
import {{ runtime }} from "./page/runtime/client.js";
window.runtime = runtime;
window.news = [];
runtime.subscribe((one) => window.news.push(one));
</script></body></html>
"""


@pytest.fixture(scope="session")
def built(root: Path, wheel: Path) -> Path:
    """The packed runtime, as the site carries it."""
    folder = root / "build" / "runtime"
    pack.build(wheel, folder)
    return folder


@pytest.fixture(scope="session")
def manifest(built: Path) -> dict[str, Any]:
    found = list(built.glob("runtime-*.json"))
    assert len(found) == 1
    data: dict[str, Any] = json.loads(found[0].read_text(encoding="utf-8"))
    return data


@pytest.fixture(scope="session")
def page_folder(root: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client as it is written, not bundled, on a page of its own."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(root / "docs" / "page", folder / "page")
    shutil.copytree(built, folder / "assets" / "runtime")
    name = next(built.glob("runtime-*.json")).name
    site = {"lang": "en", "base": ".", "assets": "assets/", "manifest": f"runtime/{name}"}
    (folder / "index.html").write_text(PAGE.format(site=json.dumps(site)), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def address(page_folder: Path) -> Iterator[str]:
    with static_host.serve(page_folder) as served:
        yield served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


class Client:
    """The client on its page; every answer is awaited there."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def call(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def lab(self, name: str = "sensitivity", **values: str) -> Any:
        return self.call("([name, values]) => runtime.lab(name, values)", [name, values])

    def cell(self, source: str, scope: str = "page", filename: str = "cell.py") -> Any:
        return self.call(
            "(cell) => runtime.run(cell)",
            {"source": source, "scope": scope, "filename": filename},
        )

    def text(self, source: str, **options: str) -> str:
        """Run a cell that ends well; return what it printed."""
        ended = self.cell(source, **options)
        assert ended["ok"], ended["error"]
        return "".join(o["text"] for o in ended["outputs"] if o["kind"] == "text")

    def until(self, *states: str, seconds: float = 60) -> dict[str, Any]:
        """Wait for one of these states; return the news of it."""
        self.page.wait_for_function(
            "(states) => states.includes(runtime.state)", arg=list(states), timeout=seconds * 1000
        )
        news: dict[str, Any] = self.call("() => news.at(-1)")
        return news

    @property
    def messages(self) -> list[str]:
        """The keys of all that was said."""
        found: list[str] = self.call(
            "() => news.map(({message}) => message?.message).filter(Boolean)"
        )
        return found


@pytest.fixture
def client(browser: Browser, address: str) -> Iterator[Client]:
    """A client whose Python was never asked for anything."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_function("window.runtime !== undefined")
    yield Client(page)
    context.close()


@pytest.fixture(scope="module")
def warm_client(browser: Browser, address: str) -> Iterator[Client]:
    """A client that the tests of one file share; none of them breaks it."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_function("window.runtime !== undefined")
    yield Client(page)
    context.close()


@pytest.fixture
def catalogue(root: Path) -> Callable[[str], set[str]]:
    """The message keys of one language's runtime file."""

    def keys(data: dict[str, Any], above: str = "") -> Iterator[str]:
        for name, item in data.items():
            if isinstance(item, dict):
                yield from keys(item, f"{above}{name}.")
            else:
                yield f"{above}{name}"

    def read(language: str) -> set[str]:
        path = root / "docs" / "messages" / language / "runtime.yml"
        return set(keys(yaml.safe_load(path.read_text(encoding="utf-8"))))

    return read

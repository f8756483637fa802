"""What the bundle must hold: hashed names that agree, licences, and little weight."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

HASHED = re.compile(r"-[0-9A-Z]{8}\.[a-z0-9]+$")


@pytest.fixture(scope="module")
def assets(site: Path) -> Path:
    return site / "assets" / "dpdocs"


@pytest.fixture(scope="module")
def names(assets: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((assets / "bundle.json").read_text(encoding="utf-8"))
    return found


def test_every_name_is_hashed_and_there(assets: Path, names: dict[str, str]) -> None:
    assert {"main.js", "style.css", "worker.js", "editor.js", "vega.js"} <= names.keys()
    for logical, hashed in names.items():
        assert HASHED.search(hashed), f"{logical} → {hashed} carries no hash"
        assert (assets / hashed).is_file()


def test_the_page_starts_the_worker_of_the_same_build(assets: Path, names: dict[str, str]) -> None:
    main = (assets / names["main.js"]).read_text(encoding="utf-8")
    assert f'new URL("./{names["worker.js"]}",import.meta.url)' in main
    assert '"./worker.js"' not in main


def test_pages_name_the_files_of_the_bundle(site: Path, names: dict[str, str]) -> None:
    for page in site.rglob("index.html"):
        text = page.read_text(encoding="utf-8")
        assert names["main.js"] in text, page
        assert names["style.css"] in text, page


def test_heavy_parts_are_chunks_of_their_own(assets: Path, names: dict[str, str]) -> None:
    main = gzip.compress((assets / names["main.js"]).read_bytes())
    assert len(main) < 30_000
    for name in ("editor.js", "vega.js"):
        assert len((assets / names[name]).read_bytes()) > 300_000, f"{name} is not split off"


def test_nothing_names_another_host_to_load_from(assets: Path, names: dict[str, str]) -> None:
    for name in ("main.js", "editor.js", "worker.js"):
        text = (assets / names[name]).read_text(encoding="utf-8")
        hosts = set(re.findall(r"https?://([\w.-]+)", text)) - {"www.w3.org"}
        assert not hosts, f"{name}: {hosts}"


def test_licences_of_all_parts_are_shipped(assets: Path) -> None:
    text = (assets / "licences.txt").read_text(encoding="utf-8")
    parts = ("katex", "vega", "vega-lite", "vega-interpreter", "@codemirror/view", "@lezer/python")
    for name in (*parts, "@fontsource-variable/source-serif-4"):
        assert re.search(rf"^{re.escape(name)} \d", text, re.MULTILINE), name
    empty = re.findall(r"^(\S+) [\d.]+ \(.*\)\n\n\n", text, re.MULTILINE)
    assert not empty, f"no licence text of {empty}"

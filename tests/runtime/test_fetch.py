"""Where the runtime's files come from: the order of the sources, missing ones, wrong bytes."""

from __future__ import annotations

import hashlib
import io
import tarfile
import urllib.error
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scripts.runtime import fetch
from scripts.runtime import pin as pins
from scripts.runtime.pin import Pin, PinnedFile, RuntimeFilesError

CONTENT = {"core.wasm": b"the core" * 100, "tool.whl": b"a package" * 50}
SOURCES = {
    "folder_variable": "DPDOCS_TEST_PYODIDE",
    "cdn": "https://127.0.0.1:9/never/",
    "npm": {"package": "core", "version": "1.0", "folder": "package"},
    "pypi": {"project": "carrier", "version": "1.0", "folder": "carrier/assets"},
}


def pinned(name: str, content: bytes) -> PinnedFile:
    return PinnedFile(name, len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def pin() -> Pin:
    core, package = (pinned(name, data) for name, data in CONTENT.items())
    return Pin("9.9", "3.12", SOURCES, {core.name: core}, {package.name: package})


@pytest.fixture(autouse=True)
def away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Empty cache, no folder, no network: each test gives what it needs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("DPDOCS_TEST_PYODIDE", raising=False)

    def unreachable(*_: Any, **__: Any) -> None:
        raise urllib.error.URLError("no route")

    monkeypatch.setattr("urllib.request.urlopen", unreachable)
    monkeypatch.setattr(fetch, "_downloaded", lambda *_: None)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with all files, named by the variable."""
    path = tmp_path / "folder"
    path.mkdir()
    for name, data in CONTENT.items():
        (path / name).write_bytes(data)
    monkeypatch.setenv("DPDOCS_TEST_PYODIDE", str(path))
    return path


def registries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, core: bytes) -> None:
    """Let npm and PyPI answer with archives that hold the files."""
    npm, pypi = tmp_path / "core.tgz", tmp_path / "carrier.whl"
    with tarfile.open(npm, "w:gz") as archive:
        entry = tarfile.TarInfo("package/core.wasm")
        entry.size = len(core)
        archive.addfile(entry, io.BytesIO(core))
    with zipfile.ZipFile(pypi, "w") as wheel:
        wheel.writestr("carrier/assets/tool.whl", CONTENT["tool.whl"])
    answers = {"npm": npm, "PyPI": pypi}
    monkeypatch.setattr(fetch, "_downloaded", lambda _c, _f, _p, source: answers[source])


def test_the_folder_is_used_as_it_is(pin: Pin, folder: Path) -> None:
    found = fetch.fetch(pin)
    assert {path.parent for path in found.values()} == {folder}


def test_registries_fill_the_cache(
    pin: Pin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    registries(monkeypatch, tmp_path, CONTENT["core.wasm"])
    found = fetch.fetch(pin)
    assert {name: path.read_bytes() for name, path in found.items()} == CONTENT
    monkeypatch.setattr(fetch, "_downloaded", lambda *_: pytest.fail("the cache was not used"))
    assert fetch.fetch(pin) == found


def test_the_cdn_comes_before_the_registries(pin: Pin, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(address: str, timeout: float) -> io.BytesIO:
        assert timeout <= 10, "a CDN out of reach must not hold up the others"
        return io.BytesIO(CONTENT[address.rpartition("/")[2]])

    monkeypatch.setattr("urllib.request.urlopen", answer)
    found = fetch.fetch(pin)
    assert {name: path.read_bytes() for name, path in found.items()} == CONTENT


def test_a_folder_with_some_files_is_completed(
    pin: Pin, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (folder / "core.wasm").unlink()
    registries(monkeypatch, tmp_path, CONTENT["core.wasm"])
    found = fetch.fetch(pin)
    assert found["tool.whl"].parent == folder
    assert found["core.wasm"].parent == fetch.cache_folder("9.9")


def test_each_missing_source_is_one_line(
    pin: Pin,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DPDOCS_TEST_PYODIDE", str(tmp_path / "nowhere"))
    registries(monkeypatch, tmp_path, CONTENT["core.wasm"])
    fetch.fetch(pin)
    lines = capsys.readouterr().out.splitlines()
    for words in ("is no folder; going on", "the CDN does not answer (no route); going on"):
        assert len([line for line in lines if words in line]) == 1


def test_nothing_anywhere_says_what_to_do(pin: Pin) -> None:
    with pytest.raises(RuntimeFilesError, match=r"core\.wasm, tool\.whl") as refused:
        fetch.fetch(pin)
    assert "DPDOCS_TEST_PYODIDE" in str(refused.value)


@pytest.mark.parametrize("damage", [b"the cor3" * 100, b"short"], ids=["other bytes", "cut off"])
def test_a_wrong_file_in_the_folder_is_an_error(pin: Pin, folder: Path, damage: bytes) -> None:
    (folder / "core.wasm").write_bytes(damage)
    with pytest.raises(RuntimeFilesError, match=r"core\.wasm from the folder .* is not the pinned"):
        fetch.fetch(pin)


def test_a_wrong_file_in_the_cache_is_an_error(pin: Pin) -> None:
    cache = fetch.cache_folder("9.9")
    cache.mkdir(parents=True)
    (cache / "core.wasm").write_bytes(b"damaged")
    with pytest.raises(RuntimeFilesError, match="Delete"):
        fetch.fetch(pin)


def test_a_wrong_download_is_an_error_and_not_kept(
    pin: Pin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    registries(monkeypatch, tmp_path, b"not the core")
    with pytest.raises(RuntimeFilesError, match=r"core\.wasm from npm is not the pinned file"):
        fetch.fetch(pin)
    assert not list(fetch.cache_folder("9.9").iterdir())


def test_the_pin_names_one_file_for_each_package() -> None:
    pin = pins.read()
    for name in ("numpy", "scipy", "openblas", "matplotlib"):
        assert pin.package(name).startswith(f"{name}-")
    with pytest.raises(RuntimeFilesError, match="0 files for the package pandas"):
        pin.package("pandas")


def test_the_pin_and_the_environment_have_the_same_versions() -> None:
    """What is tested natively is what the page runs."""
    import numpy
    import scipy

    pin = pins.read()
    assert pin.package("numpy").split("-")[1] == numpy.__version__
    assert pin.package("scipy").split("-")[1] == scipy.__version__

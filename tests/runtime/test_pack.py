"""What the packs hold, and what their manifest says about them."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from scripts.runtime import archives, fetch, flat, groups, pack
from scripts.runtime import pin as pins
from scripts.runtime.compiling import compile_all, core_folder

LAYOUT = archives.Layout(pins.read().python)


@pytest.fixture(scope="module")
def packs(built: Path, manifest: dict[str, Any]) -> dict[str, dict[str, bytes]]:
    """The files of each pack, those too that lie in one file and are loaded from memory."""
    found = {}
    for name, entry in manifest["packs"].items():
        files, _ = flat.read(gzip.decompress((built / entry["file"]).read_bytes()))
        inside = [path for path in files if path.endswith(".modules")]
        for path in inside:
            files |= flat.read_modules(files.pop(path))
        found[name] = files
    return found


def test_the_manifest_lists_every_file(built: Path, manifest: dict[str, Any]) -> None:
    there = {
        path.relative_to(built).as_posix(): path
        for path in built.rglob("*")
        if path.is_file() and not path.name.startswith((".", "runtime-"))
    }
    assert there.keys() == manifest["files"].keys()
    for name, path in there.items():
        data = path.read_bytes()
        listed = manifest["files"][name]
        assert listed == {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def test_names_carry_hashes(built: Path, manifest: dict[str, Any]) -> None:
    for name, entry in manifest["packs"].items():
        assert entry["file"] == f"{name}-{entry['sha256'][:12]}.pack.gz"
        data = gzip.decompress((built / entry["file"]).read_bytes())
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert len(data) == entry["size"]
    for name in manifest["files"]:
        top = name.split("/")[0]
        assert "-" in top, f"{name} may be stale after a deploy: its name does not follow its bytes"


def test_the_page_runs_the_wheel_that_is_tested(
    built: Path, manifest: dict[str, Any], wheel: Path, wheel_hash: str
) -> None:
    assert manifest["wheel"]["sha256"] == wheel_hash
    assert (built / manifest["wheel"]["file"]).read_bytes() == wheel.read_bytes()


def test_the_pack_of_dpdocs_holds_the_whole_wheel(
    packs: dict[str, dict[str, bytes]], wheel: Path
) -> None:
    sources = archives.installed_files(wheel, LAYOUT)
    for path in sources:
        where = f"{path}c" if path.endswith(".py") else path
        assert any(where in packs[name] for name in pack.FIRST), path


def test_every_file_is_in_one_pack(packs: dict[str, dict[str, bytes]]) -> None:
    seen: dict[str, str] = {}
    for name, files in packs.items():
        for path in files:
            assert path not in seen, f"{path} is in {seen[path]} and in {name}"
            seen[path] = name


def test_everything_is_byte_compiled(packs: dict[str, dict[str, bytes]]) -> None:
    sources = [p for files in packs.values() for p in files if p.endswith(".py")]
    assert not sources, "a source costs its compilation in every reader's browser"


def test_first_results_do_without_the_heavy_libraries(packs: dict[str, dict[str, bytes]]) -> None:
    first = packs["core"].keys()
    assert f"{LAYOUT.packages}/numpy/__init__.pyc" in first
    assert any("/scipy/special/_ufuncs." in path for path in first)
    for heavy in (
        "libopenblas",
        "/scipy/linalg/",
        "/scipy/sparse/",
        "/numpy/random/",
        "/unittest/",
    ):
        assert not [path for path in first if heavy in path]


@pytest.mark.parametrize(
    "module",
    [
        "numpy.f2py",
        "numpy.typing",
        "numpy.testing",
        "unittest.mock",
        "numpy._core._multiarray_tests",
    ],
)
def test_what_others_lean_on_is_not_left_out(
    packs: dict[str, dict[str, bytes]], module: str
) -> None:
    assert module in groups.homes(packs, LAYOUT)


def test_needs_are_complete(manifest: dict[str, Any]) -> None:
    """What a needed pack needs is needed, so that one look tells what to fetch."""
    packs = manifest["packs"]
    for name, entry in packs.items():
        assert name not in entry["needs"]
        assert not set(entry["needs"]) & set(manifest["first"])
        for other in entry["needs"]:
            assert "openblas" not in packs[other]["needs"] or "openblas" in entry["needs"]
    assert "openblas" in packs["scipy-linalg"]["needs"]
    assert {"scipy-linalg", "scipy-sparse"} <= set(packs["scipy-optimize"]["needs"])
    assert packs["numpy-random"]["needs"] == []


def test_nothing_is_done_twice(built: Path, wheel: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in built.rglob("*")}
    name = pack.build(wheel, built)
    assert (built / name).is_file()
    assert {path: path.stat().st_mtime_ns for path in built.rglob("*")} == before


def test_a_damaged_folder_is_made_anew(built: Path, wheel: Path, tmp_path: Path) -> None:
    copy = tmp_path / "runtime"
    shutil.copytree(built, copy)
    victim = next(copy.glob("core-*.pack.gz"))
    victim.write_bytes(victim.read_bytes()[:1000])
    pack.build(wheel, copy)
    assert {path.name for path in copy.iterdir()} == {path.name for path in built.iterdir()}
    assert victim.stat().st_size > 1000


def test_the_same_wheel_gives_the_same_bytes(
    wheel: Path, packs: dict[str, dict[str, bytes]]
) -> None:
    pin = pins.read()
    with core_folder(fetch.fetch(pin), pin) as core:
        files, _ = compile_all(archives.installed_files(wheel, LAYOUT), core)
        again, _ = compile_all(archives.installed_files(wheel, LAYOUT), core)
    assert files == again


def test_modules_in_one_file_read_back() -> None:
    head = bytes(flat.PYC_HEADER)
    modules = {"b": ("/lib/b/__init__.pyc", head + b"two"), "a": ("/lib/a.pyc", head + b"one")}
    data = flat.write_modules(modules)
    assert flat.read_modules(data) == dict(modules.values())


def test_a_pack_reads_back() -> None:
    files = {"/b": b"second", "/a/c": b"", "/a/b": b"first"}
    data = flat.write(files, modules={"x": ["y"]})
    assert flat.read(data) == (files, {"modules": {"x": ["y"]}})
    assert data == flat.write(dict(reversed(files.items())), modules={"x": ["y"]})
    with pytest.raises(ValueError, match="a pack of"):
        flat.read(data + b"more")


def test_the_lock_offers_only_what_is_here(built: Path, manifest: dict[str, Any]) -> None:
    lock = json.loads((built / manifest["core"]["folder"] / "pyodide-lock.json").read_text())
    for entry in lock["packages"].values():
        assert (built / manifest["core"]["folder"] / entry["file_name"]).is_file()
        assert set(entry["depends"]) <= lock["packages"].keys()


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("/lib/python3.12/json/__init__.pyc", "json"),
        ("/lib/python3.12/site-packages/numpy/random/_pcg64.cpython-312-wasm32-emscripten.so",
         "numpy.random._pcg64"),
        ("/lib/python3.12/site-packages/numpy/core.txt", None),
        ("/lib/libopenblas.so", None),
    ],
)  # fmt: skip
def test_names_of_modules(path: str, module: str | None) -> None:
    assert LAYOUT.module(path) == module

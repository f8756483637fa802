"""The set-up says what it does, works twice, and stops with a line that helps."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import dpdocs
from scripts import toolchain


@pytest.mark.parametrize("name", ["serve", "build", "test", "bench"])
def test_every_command_explains_itself(root: Path, name: str) -> None:
    asked = subprocess.run(
        [root / "scripts" / name, "--help"], capture_output=True, text=True, check=False
    )
    assert asked.returncode == 0, asked.stderr
    assert f"usage: scripts/{name}" in asked.stdout


def test_the_tested_package_is_the_installed_wheel() -> None:
    assert "site-packages" in Path(dpdocs.__file__).parts


def test_installed_files_equal_those_in_the_wheel(wheel: Path) -> None:
    import zipfile

    installed = Path(dpdocs.__file__).parent.parent
    with zipfile.ZipFile(wheel) as packed:
        names = [name for name in packed.namelist() if name.startswith("dpdocs/")]
        assert names
        for name in names:
            assert (installed / name).read_bytes() == packed.read(name), name


def test_the_wheel_is_the_same_bytes_twice(root: Path, tmp_path: Path, wheel_hash: str) -> None:
    import hashlib
    import sys

    from scripts.commands.site_build import WHEEL_TIME

    subprocess.run(
        [sys.executable, "-P", "-m", "flit_core.wheel", "--outdir", tmp_path],
        cwd=root,
        env={**os.environ, "SOURCE_DATE_EPOCH": WHEEL_TIME},
        check=True,
    )
    again = next(tmp_path.glob("*.whl")).read_bytes()
    assert hashlib.sha256(again).hexdigest() == wheel_hash


def test_set_up_twice_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "run", lambda *_, **__: pytest.fail("ran a command again"))
    toolchain.ensure_environment()
    toolchain.ensure_browser_packages()


def test_missing_chromium_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPDOCS_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(toolchain, "apt_is_allowed", lambda: False)
    with pytest.raises(toolchain.SetupError, match="apt-get install chromium"):
        toolchain.ensure_chromium()


def test_lock_files_name_no_registry(root: Path) -> None:
    for name in ("requirements.lock", "requirements-node.lock", "package-lock.json"):
        text = (root / name).read_text()
        assert "--index-url" not in text, name
        assert '"resolved": "http' not in text, name

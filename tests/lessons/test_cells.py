"""Every cell of the lessons runs by itself, as a reader's script would, and prints something."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CELLS = sorted((ROOT / "docs" / "cells").glob("*.py"))
# The page's `display` is not there outside the page; these cells fall back to what they print.
SECONDS = 60


@pytest.mark.parametrize("cell", CELLS, ids=lambda path: path.stem)
def test_cell_runs(cell: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(cell)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr


@pytest.mark.parametrize("cell", CELLS, ids=lambda path: path.stem)
def test_cell_fits_a_page(cell: Path) -> None:
    lines = cell.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 40, "a cell is read on a phone: split it"
    assert max(map(len, lines)) <= 100

"""Every cell of the lessons, run in the browser's Python, gives what the page shows at first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.pages.cells import compare

pytestmark = pytest.mark.browser

FOLDER = Path(__file__).parents[2] / "docs" / "cells"
CELLS = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("cell", CELLS, ids=lambda path: path.stem)
def test_the_same_as_natively(warm_client: Any, cell: Path) -> None:
    accepted = FOLDER / "expected" / f"{cell.stem}.json"
    if not accepted.is_file():
        pytest.skip("this cell stands on no page yet")
    ended = warm_client.cell(cell.read_text(encoding="utf-8"), scope=cell.stem, filename=cell.name)
    assert ended["ok"], ended["error"]["trace"]
    assert (
        compare(json.loads(accepted.read_text(encoding="utf-8")), joined(ended["outputs"])) is None
    )


def joined(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Neighbouring pieces of one stream as one piece: in the browser they come in batches."""
    whole: list[dict[str, Any]] = []
    for output in outputs:
        if whole and output["kind"] == "text" and whole[-1].get("stream") == output["stream"]:
            whole[-1]["text"] += output["text"]
        else:
            whole.append(dict(output))
    return whole

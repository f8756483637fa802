"""Cells: real Python files, run natively when the site is built, compared with what was accepted.

python -m scripts.pages.cells accept laplace_profile.py    its output is right as it is now
python -m scripts.pages.cells accept --all
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import importlib.metadata
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

from scripts.pages.errors import PageError, Place
from scripts.pages.project import ROOT, Project

Output = dict[str, Any]
RUNNER = ROOT / "docs" / "page" / "runtime" / "python"
# Two machines may differ in the last digit of a sum; a reader would call these equal.
RELATIVE = 1e-9
_NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Cells:
    """Runs the cells of pages; those of one page share their names, in the order of the page."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._expected = project.cells / "expected"
        self._cache = project.cache("cells")
        self._surroundings = _surroundings()

    def source(self, file: str, place: Place) -> str:
        """Return a cell's code."""
        path = self._project.cells / file
        if not path.is_file():
            there = [other.name for other in self._project.cells.glob("*.py")]
            close = difflib.get_close_matches(file, there, n=1)
            hint = f"Did you mean {close[0]}?" if close else ""
            raise PageError(place, f"there is no cell {self._project.name(path)}", hint)
        return path.read_text(encoding="utf-8")

    def run(self, files: list[tuple[str, Place]]) -> dict[str, list[Output]]:
        """Run a page's cells in order; one that fails or prints something new stops the build."""
        if not files:
            return {}
        sources = [(file, self.source(file, place)) for file, place in files]
        text = json.dumps([self._surroundings, sources], ensure_ascii=False)
        kept = self._cache / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
        if kept.is_file():
            outputs: dict[str, list[Output]] = json.loads(kept.read_text(encoding="utf-8"))
        else:
            outputs = self._run(sources)
            fresh = kept.with_suffix(f".{id(self)}.new")
            fresh.write_text(json.dumps(outputs, ensure_ascii=False), encoding="utf-8")
            fresh.replace(kept)
        for file, place in files:
            self._check(file, outputs[file], place)
        return outputs

    def _run(self, sources: list[tuple[str, str]]) -> dict[str, list[Output]]:
        run = _runner()
        namespace: dict[str, Any] = {"__name__": "__main__"}
        outputs = {}
        for file, source in sources:
            result = run(source, namespace, file)
            if not result["ok"]:
                trace = (result["error"] or {}).get("trace", "")
                raise PageError(f"docs/cells/{file}", f"this cell fails:\n{trace}")
            outputs[file] = result["outputs"]
        return outputs

    def _check(self, file: str, outputs: list[Output], place: Place) -> None:
        path = self._expected / f"{Path(file).stem}.json"
        remedy = f"If this is right: python -m scripts.pages.cells accept {file}"
        if not path.is_file():
            raise PageError(place, f"the output of the cell {file} was never accepted", remedy)
        accepted = json.loads(path.read_text(encoding="utf-8"))
        difference = compare(accepted, outputs)
        if difference:
            raise PageError(f"docs/cells/{file}", f"its output changed: {difference}", remedy)

    def accept(self, file: str, outputs: list[Output]) -> None:
        """Keep these outputs as the right ones."""
        self._expected.mkdir(parents=True, exist_ok=True)
        path = self._expected / f"{Path(file).stem}.json"
        body = json.dumps(outputs, ensure_ascii=False, indent=1, sort_keys=True)
        path.write_text(body + "\n", encoding="utf-8")


def printed(outputs: list[Output]) -> str:
    """Return what a cell wrote to its standard output."""
    texts = [o["text"] for o in outputs if o["kind"] == "text" and o.get("stream") == "stdout"]
    return "".join(texts)


def compare(accepted: Any, found: Any, at: str = "") -> str | None:
    """Name the first difference of two outputs; numbers are compared as numbers."""
    if isinstance(accepted, dict) and isinstance(found, dict):
        for name in sorted(accepted.keys() | found.keys()):
            if name == "png":
                # A picture's bytes depend on the font files of the machine that drew it.
                continue
            difference = compare(accepted.get(name), found.get(name), f"{at}.{name}".lstrip("."))
            if difference:
                return difference
        return None
    if isinstance(accepted, list) and isinstance(found, list):
        if len(accepted) != len(found):
            return f"{at or 'outputs'}: {len(accepted)} before, {len(found)} now"
        for number, (one, two) in enumerate(zip(accepted, found, strict=True)):
            difference = compare(one, two, f"{at}[{number}]")
            if difference:
                return difference
        return None
    if isinstance(accepted, str) and isinstance(found, str):
        return _compare_text(accepted, found, at)
    if _is_number(accepted) and _is_number(found):
        return None if _close(accepted, found) else f"{at}: {accepted} before, {found} now"
    return None if accepted == found else f"{at}: {accepted!r} before, {found!r} now"


def _compare_text(accepted: str, found: str, at: str) -> str | None:
    before, after = accepted.splitlines(), found.splitlines()
    for number, (one, two) in enumerate(zip(before, after, strict=False), 1):
        words = _NUMBER.sub("#", one) == _NUMBER.sub("#", two)
        pairs = zip(_NUMBER.findall(one), _NUMBER.findall(two), strict=False)
        if not words or not all(_close(_read(a), _read(b)) for a, b in pairs):
            return f"{at} line {number}: {one!r} before, {two!r} now"
    if len(before) != len(after):
        return f"{at}: {len(before)} lines before, {len(after)} now"
    return None


def _read(text: str) -> float:
    return float(text.replace("−", "-"))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _close(one: float, two: float) -> bool:
    return one == two or math.isclose(one, two, rel_tol=RELATIVE)


def _runner() -> Any:
    """Return `run` of the module that runs cells in the browser too."""
    if str(RUNNER) not in sys.path:
        sys.path.append(str(RUNNER))
    import dpdocs_page  # type: ignore[import-not-found]

    return dpdocs_page.run


def _surroundings() -> list[str]:
    """Return what a cell's output depends on besides its code."""
    import dpdocs

    digest = hashlib.sha256()
    for folder in (Path(dpdocs.__file__).parent, RUNNER):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy")]
    return [*versions, digest.hexdigest()]


def main() -> None:
    # Only the command needs to know which pages there are.
    from scripts.pages import parity, scan

    parser = argparse.ArgumentParser(prog="scripts.pages.cells", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    accepting = commands.add_parser("accept", help="keep the cells' outputs as the right ones")
    accepting.add_argument("files", nargs="*")
    accepting.add_argument("--all", action="store_true", help="every cell of every page")
    asked = parser.parse_args()
    project = Project(ROOT / "docs", ROOT / "build", "en")
    cells = Cells(project)
    done: set[str] = set()
    for path in sorted(project.pages.rglob("*.md")):
        blocks = parity.parts_of(path, project.name(path))
        found = [b for b in blocks if isinstance(b, scan.Block) and b.kind == "cell"]
        files = [str(block.options().get("file")) for block in found]
        wanted = [file for file in files if asked.all or file in asked.files]
        if not wanted:
            continue
        sources = [(file, cells.source(file, found[0].place)) for file in files]
        outputs = cells._run(sources)
        for file in wanted:
            cells.accept(file, outputs[file])
            done.add(file)
            print(f"accepted {file}")
    missing = set(asked.files) - done
    if missing:
        sys.exit(f"no page shows {', '.join(sorted(missing))}: put a cell block on a page first")


if __name__ == "__main__":
    try:
        main()
    except PageError as problem:
        sys.exit(str(problem))

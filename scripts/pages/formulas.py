"""Formulas: every one rendered by KaTeX when the site is built, to HTML with MathML beside it."""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from scripts.pages.errors import PageError, Place
from scripts.pages.project import ROOT, Project

RENDERER = Path(__file__).with_name("katex.mjs")
# The two neighbours have one colour each on the whole site, in formulas too.
MACROS = {
    r"\D": r"\htmlClass{dp-math-d}{D}",
    r"\Dp": r"\htmlClass{dp-math-d-prime}{D'}",
}
# A display formula with more characters than this does not fit a phone: it scrolls sideways, and
# is focusable so that the keyboard can scroll it.
LONG = 26

_MATH = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">(?:\\\((?P<inline>.*?)\\\)|\\\[(?P<display>.*?)\\\])'
    r"</(?P=tag)>",
    re.DOTALL,
)
_ANNOTATION = re.compile(r"<annotation [^>]*>.*?</annotation>", re.DOTALL)
_TAGS = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class Formula:
    """A display formula that has a name: its TeX stands once, for both languages."""

    id: str
    tex: str
    says: str | None
    file: str


def load(project: Project) -> dict[str, Formula]:
    """Read docs/formulas/*.yml."""
    found: dict[str, Formula] = {}
    for path in sorted((project.docs / "formulas").glob("*.yml")):
        file = project.name(path)
        for name, item in (project.read_yaml(path) or {}).items():
            entry = {"tex": item} if isinstance(item, str) else item
            if not isinstance(entry, dict) or not isinstance(entry.get("tex"), str):
                raise PageError(file, f'the formula "{name}" has no `tex`')
            if name in found:
                raise PageError(file, f'the formula "{name}" stands in {found[name].file} too')
            says = (entry.get("says") or {}).get(project.language)
            found[name] = Formula(name, entry["tex"].strip(), says, file)
    return found


class Typesetter:
    """Renders TeX through one Node process for the whole build, and remembers the results."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._process: subprocess.Popen[str] | None = None
        self._version = _katex_version()

    def render(self, wanted: list[tuple[str, bool]]) -> list[dict[str, str]]:
        """Render (TeX, display) pairs; each answer holds `html` or `error`."""
        answers: dict[tuple[str, bool], dict[str, str]] = {}
        asked = []
        for item in dict.fromkeys(wanted):
            kept = self._kept(item)
            if kept.is_file():
                answers[item] = {"html": kept.read_text(encoding="utf-8")}
            else:
                asked.append(item)
        if asked:
            for item, answer in zip(asked, self._ask(asked), strict=True):
                answers[item] = answer
                if "html" in answer:
                    self._keep(item, answer["html"])
        return [answers[item] for item in wanted]

    def close(self) -> None:
        """End the Node process."""
        if self._process:
            assert self._process.stdin
            assert self._process.stdout
            self._process.stdin.close()
            self._process.wait(timeout=10)
            self._process.stdout.close()
            self._process = None

    def _ask(self, items: list[tuple[str, bool]]) -> list[dict[str, str]]:
        if self._process is None:
            node = shutil.which("node")
            if node is None:
                raise PageError(
                    "formulas",
                    "Node is not on the PATH",
                    "Run scripts/build: it finds or installs it.",
                )
            self._process = subprocess.Popen(
                [node, str(RENDERER)],
                cwd=ROOT,
                text=True,
                encoding="utf-8",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        request = [{"tex": tex, "display": display, "macros": MACROS} for tex, display in items]
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise PageError(
                "formulas", "KaTeX could not be started (see above)", "Run `npm ci` once."
            )
        answers: list[dict[str, str]] = json.loads(line)
        return answers

    def _kept(self, item: tuple[str, bool]) -> Path:
        text = json.dumps([self._version, MACROS, *item], ensure_ascii=False)
        return self._cache / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.html"

    def _keep(self, item: tuple[str, bool], rendered: str) -> None:
        kept = self._kept(item)
        fresh = kept.with_suffix(f".{id(self)}.new")
        fresh.write_text(rendered, encoding="utf-8")
        fresh.replace(kept)


def _katex_version() -> str:
    package = ROOT / "node_modules" / "katex" / "package.json"
    return str(json.loads(package.read_text())["version"]) if package.is_file() else "none"


def typeset(page: str, typesetter: Typesetter, label: str, source: str, file: str) -> str:
    """Render every formula of a page's HTML; a bad one stops the build with its line."""
    found = list(_MATH.finditer(page))
    wanted = [_tex(match) for match in found]
    pieces, end = [], 0
    for match, (tex, display), answer in zip(found, wanted, typesetter.render(wanted), strict=True):
        if "error" in answer:
            place = Place(file, _line_of(source, tex))
            raise PageError(place, f"this formula is wrong: {answer['error']}", f"TeX: {tex}")
        pieces += [page[end : match.start()], wrap(answer["html"], display, label)]
        end = match.end()
    return "".join([*pieces, page[end:]])


def wrap(rendered: str, display: bool, label: str) -> str:
    """Wrap a rendered formula; a long display formula can be scrolled from the keyboard."""
    # Nothing reads the TeX that KaTeX leaves in the MathML; on a long page it weighs much.
    rendered = _ANNOTATION.sub("", rendered)
    # The search index takes the MathML; the drawn copy would only repeat it.
    rendered = rendered.replace('class="katex-html"', 'data-search-exclude class="katex-html"')
    if not display:
        return f'<span class="dp-math">{rendered}</span>'
    drawn = rendered.split('class="katex-html"', 1)[-1]
    focus = ""
    if len(html.unescape(_TAGS.sub("", drawn))) > LONG:
        focus = f' tabindex="0" role="group" aria-label="{html.escape(label, quote=True)}"'
    return f'<div class="dp-math-display"{focus}>{rendered}</div>'


def _tex(match: re.Match[str]) -> tuple[str, bool]:
    display = match["display"] is not None
    tex = html.unescape(match["display"] if display else match["inline"])
    return tex.strip(), display


def _line_of(source: str, tex: str) -> int:
    first = tex.strip().splitlines()[0].strip() if tex.strip() else ""
    for number, line in enumerate(source.splitlines(), 1):
        if first and first in line:
            return number
    return 0


def check_tables(text: str, place: Place) -> None:
    """Refuse a `|` inside a formula of a table row: Markdown would cut the cell there."""
    for number, line in enumerate(text.split("\n")):
        if not line.lstrip().startswith("|"):
            continue
        for formula in re.findall(r"(?<!\\)\$(.+?)(?<!\\)\$", line):
            if "|" in formula:
                raise PageError(
                    place.down(number),
                    f"a | inside the formula ${formula}$ would end the table's cell",
                    r"Write \lvert \rvert \lVert \rVert \mid.",
                )

"""One page, from the Markdown an author wrote to the HTML a reader gets."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from scripts.pages import (
    cells,
    exercises,
    formulas,
    guide,
    labs,
    outputs,
    parity,
    scan,
    sources,
)
from scripts.pages import options as block_options
from scripts.pages.build import Build
from scripts.pages.context import PageContext
from scripts.pages.errors import PageError, Place
from scripts.pages.project import ORIGINAL

_STAND_IN = re.compile(r"<p>\s*DPBLOCK-(\d+)-END\s*</p>|DPBLOCK-(\d+)-END")
_TOC_MATH = re.compile(r"\\\((.+?)\\\)")
_IDS = re.compile(r'\sid="([^"]+)"')
# The places of a lesson that its jump bar leads to, where they exist.
JUMPS = ("picture", "theory", "lab", "questions")


def prepare(build: Build, markdown: str, page: Page, files: Files) -> tuple[str, PageContext]:
    """Return Markdown in which every block is a stand-in and every number is computed."""
    path = page.file.src_uri
    # A page that is not translated yet is shown in its original language.
    folder = (
        build.project.pages if (build.project.pages / path).is_file() else build.project.originals
    )
    file = folder / path
    name = build.project.name(file)
    source = file.read_text(encoding="utf-8")
    context = PageContext(build, path, name, source, _links(page, files))
    parts = list(scan.split(markdown, Place(name, scan.first_line(source, markdown))))
    parity.check_headings(parts)
    if build.project.language != ORIGINAL and folder == build.project.pages:
        if not (build.project.originals / path).is_file():
            raise PageError(name, f"there is no original of this page in {ORIGINAL}/")
        parity.compare(build.project, path)
    blocks = [part for part in parts if isinstance(part, scan.Block)]
    _look_ahead(build, context, blocks)
    context.names = _names(build, context, page)
    return "\n".join(_converted(context, part) for part in parts), context


def _look_ahead(build: Build, context: PageContext, blocks: list[scan.Block]) -> None:
    """Learn what a text may speak of before its block comes: labs, equations, cells."""
    found = []
    for block in blocks:
        if block.kind == "lab":
            chosen = block.options()
            context.lab_ids[str(chosen.get("id"))] = str(chosen.get("lab"))
        elif block.kind == "formula":
            context.equations.append(str(block.options().get("id")))
        elif block.kind == "cell":
            chosen = block.options()
            block_options.check(chosen, block.place, "the cell block", ["file"], ["title", "id"])
            found.append((str(chosen["file"]), block.place))
    context.cells = build.cells.run(found)


def _names(build: Build, context: PageContext, page: Page) -> dict[str, Any]:
    def cell(file: str) -> str:
        if file not in context.cells:
            raise ValueError(f"this page has no cell {file!r}")
        return cells.printed(context.cells[file])

    def equation(name: str) -> str:
        if name not in context.equations:
            raise ValueError(f"this page shows no formula {name!r}")
        return f"[({context.equations.index(name) + 1})](#formula-{name})"

    def glossary() -> str:
        entries = build.glossary.entries()
        for entry in entries:
            context.claim(entry["id"], Place(context.file))
            if entry["see"]:
                entry["see"] = _see(build, context, entry)
        return context.keep(context.template("glossary.html", entries=entries))

    def course_map() -> str:
        return context.keep(
            context.template(
                "course.html",
                course=build.course,
                link=lambda file: context.links(
                    posixpath.relpath(file, posixpath.dirname(context.path))
                ),
            )
        )

    return {
        **build.names(),
        "cell": cell,
        "equation": equation,
        "glossary": glossary,
        "course_map": course_map,
    }


def _see(build: Build, context: PageContext, entry: dict[str, Any]) -> dict[str, str] | None:
    path, _, anchor = entry["see"].partition("#")
    address = context.links(posixpath.relpath(path, posixpath.dirname(context.path)))
    lesson = build.course.lessons.get(path.removesuffix(".md"))
    if address is None:
        if lesson is not None and lesson.planned:
            return None
        raise PageError("docs/glossary.yml", f"the term {entry['id']} points nowhere: {path}")
    return {"address": f"{address}#{anchor}", "title": lesson.title if lesson else path}


def _converted(context: PageContext, part: scan.Text | scan.Block) -> str:
    if isinstance(part, scan.Block):
        html = RENDERERS[part.kind](context, part)
        return f"\n{part.indent}{context.keep(html)}\n"
    if part.code:
        return part.text
    formulas.check_tables(part.text, part.place)
    return context.prepare(part.text, part.place)


def _formula(context: PageContext, block: scan.Block) -> str:
    found = block.options()
    block_options.check(found, block.place, "the formula block", ["id"], [])
    formula = context.build.formulas.get(found["id"])
    if formula is None:
        raise PageError(
            block.place,
            f'there is no formula "{found["id"]}"',
            "Write its TeX into a file below docs/formulas/.",
        )
    context.claim(f"formula-{formula.id}", block.place)
    number = context.equations.index(formula.id) + 1
    return context.template("formula.html", formula=formula, number=number)


def _cell(context: PageContext, block: scan.Block) -> str:
    found = block.options()
    file = found["file"]
    name = str(found.get("id") or f"cell-{Path(file).stem.replace('_', '-')}")
    context.claim(name, block.place)
    source = context.build.cells.source(file, block.place)
    built = context.cells[file]
    return context.template(
        "cell.html",
        id=name,
        file=file,
        title=context.inline(found.get("title") or file, block.place),
        source=source,
        highlighted=sources.python(source),
        built=built,
        shown=outputs.render(context, built, file, block.place),
    )


RENDERERS: dict[str, Callable[[PageContext, scan.Block], str]] = {
    "lab": labs.render,
    "cell": _cell,
    "guide": guide.render,
    "exercise": exercises.render,
    "quiz": exercises.render,
    "formula": _formula,
}


def finish(context: PageContext, html: str, page: Page) -> str:
    """Put the blocks in their places, typeset the formulas, and tell MkDocs the anchors."""
    build = context.build

    def piece(match: re.Match[str]) -> str:
        return context.pieces[int(match[1] or match[2])]

    html = _STAND_IN.sub(piece, html)
    label = build.say("formula.label")
    html = formulas.typeset(html, build.typesetter, label, context.source, context.file)
    html = build.glossary.explain_links(html, context.file)
    if page.present_anchor_ids is not None:
        page.present_anchor_ids |= set(_IDS.findall(html))
    for item in _toc_items(page.toc):
        item.title = _TOC_MATH.sub(r"\1", item.title)
    return html


def _toc_items(items: Any) -> list[Any]:
    return [found for item in items for found in (item, *_toc_items(item.children))]


def jumps(html: str) -> list[str]:
    """Return the places of a lesson that exist on its page, in order."""
    return [name for name in JUMPS if f' id="{name}"' in html]


def _links(page: Page, files: Files) -> Callable[[str], str | None]:
    def resolve(path: str) -> str | None:
        found = files.get_file_from_path(_joined(page.file.src_uri, path))
        return found.url_relative_to(page.file) if found else None

    return resolve


def _joined(page: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))

"""What MkDocs calls while it builds the pages. Thin: each step is a module of this package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

# MkDocs loads this file by its path; the other modules are found from the repository's folder.
ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

import jinja2  # noqa: E402
from mkdocs.config.defaults import MkDocsConfig  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402
from mkdocs.structure.nav import Navigation  # noqa: E402
from mkdocs.structure.pages import Page  # noqa: E402

from scripts.pages import build, pages, parity, search  # noqa: E402
from scripts.pages.context import PageContext  # noqa: E402
from scripts.pages.lesson import Furniture  # noqa: E402
from scripts.pages.project import ORIGINAL, Project  # noqa: E402


class _State:
    """The build that runs now; MkDocs gives its hooks no place to keep one."""

    build: build.Build
    pages: dict[str, PageContext]
    furniture: dict[str, Furniture]
    finished: dict[str, str]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    language = str(config.theme["language"])
    docs = Path(config.docs_dir).parent
    project = Project(docs, Path(config.config_file_path).parent / "build", language)
    _State.build = build.start(project, config)
    _State.pages = {}
    _State.furniture = {}
    _State.finished = {}
    config.nav = _State.build.course.navigation() or None
    # The site's own style sheet covers what the reference pages need.
    config.extra_css = [path for path in config.extra_css if "_mkdocstrings" not in str(path)]
    if language != ORIGINAL and config.site_url:
        # The translation lies in a folder of its language below the original's address.
        config.site_url = f"{config.site_url.rstrip('/')}/{language}/"
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    project = _State.build.project
    if project.language == ORIGINAL:
        return files
    there = {file.src_uri for file in files.documentation_pages()}
    for original in sorted(project.originals.rglob("*.md")):
        path = original.relative_to(project.originals).as_posix()
        if path not in there:
            files.append(
                File(path, str(project.originals), config.site_dir, config.use_directory_urls)
            )
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    current = _State.build
    path = page.file.src_uri
    _State.furniture[path] = Furniture.of(current, page, files)
    if page.is_homepage:
        # The first page is about one thing; the map of the course stands in its text.
        page.meta["hide"] = ["navigation"]
    prepared, _State.pages[path] = pages.prepare(current, markdown, page, files)
    return prepared


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    path = page.file.src_uri
    finished = pages.finish(_State.pages.pop(path), html, page)
    _State.furniture[path].jumps = pages.jumps(finished)
    _State.finished[path] = finished
    # The search index takes what it finds here; the whole page comes with on_page_context,
    # which MkDocs calls on hooks after it has called it on plugins.
    return search.text_of(finished)


def on_page_context(
    context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, Any]:
    page.content = _State.finished.pop(page.file.src_uri)
    return context


def on_env(env: jinja2.Environment, config: MkDocsConfig, files: Files) -> jinja2.Environment:
    env.globals["dp_assets"] = _State.build.assets.for_page
    env.globals["dp_say"] = _State.build.say
    env.globals["dp_page"] = _furniture
    env.globals["dp_course"] = _State.build.course
    return env


def _furniture(page: Page | None) -> Furniture | None:
    return _State.furniture.get(page.file.src_uri) if page else None


def on_post_build(config: MkDocsConfig) -> None:
    current = _State.build
    current.close()
    current.assets.write(Path(config.site_dir))
    if current.project.language != ORIGINAL:
        for line in parity.outdated(current.project.docs):
            print(f"translation: {line}")


def on_build_error(error: Any) -> None:
    running = getattr(_State, "build", None)
    if running is not None:
        running.close()

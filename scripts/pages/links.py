"""Check the links of a built site: every page, anchor and file that a page names must be there.

python -m scripts.pages.links site/
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

# Where HTML names another file; data: and mailto: addresses are no files.
ATTRIBUTES = {"href", "src", "poster", "data-src"}
# A lab's settings stand behind its anchor: #lab?query=sum
STATE = "?"


@dataclass
class Page:
    """What one HTML file offers and what it asks for."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[tuple[str, int]] = field(default_factory=list)
    duplicates: list[tuple[str, int]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        named = dict(attrs)
        # Canonical and alternate addresses are absolute: they name the published site.
        if tag == "link" and named.get("rel") in ("canonical", "alternate"):
            return
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                if value in self._page.anchors:
                    self._page.duplicates.append((value, line))
                self._page.anchors.add(value)
            elif name == "name" and tag == "a":
                self._page.anchors.add(value)
            elif name in ATTRIBUTES:
                self._page.links.append((value, line))


def read(site: Path) -> dict[Path, Page]:
    """Read every page of a site."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        page = Page(path)
        _Reader(page).feed(path.read_text(encoding="utf-8"))
        pages[path] = page
    return pages


def problems(site: Path) -> list[str]:
    """Return one line for every link that leads nowhere and every anchor that stands twice."""
    site = site.resolve()
    pages = read(site)
    found = []
    for page in pages.values():
        name = page.path.relative_to(site)
        # The page for missing addresses is shown anywhere, so its links start at the site's root.
        if name.name == "404.html":
            continue
        for anchor, line in page.duplicates:
            found.append(f"{name}:{line}: the id {anchor} stands twice")
        for link, line in page.links:
            reason = _broken(site, page, pages, link)
            if reason:
                found.append(f"{name}:{line}: {link} {reason}")
    return found


def _broken(site: Path, page: Page, pages: dict[Path, Page], link: str) -> str | None:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    address, anchor = urldefrag(link)
    path = unquote(urlsplit(address).path)
    if path.startswith("/"):
        return "starts at the host's root, so it breaks below a sub-path"
    target = (page.path.parent / path).resolve() if path else page.path
    if not target.is_relative_to(site):
        return "leads out of the site"
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return "does not exist"
    anchor = unquote(anchor.partition(STATE)[0])
    # Material's own switches are labels' targets and top-of-page links, not places in a text.
    if not anchor or anchor.startswith("__") or target not in pages:
        return None
    return None if anchor in pages[target].anchors else "names an anchor that is not there"


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts.pages.links", description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of the built site")
    site = parser.parse_args().site
    if not site.is_dir():
        sys.exit(f"{site} is not a folder: build the site first (scripts/build)")
    found = problems(site)
    if found:
        print("\n".join(found))
        sys.exit(f"{len(found)} broken links")


if __name__ == "__main__":
    main()

"""What of a page the search index reads: its headings and running text, without the instruments.

Material's index takes a page's HTML. It loses its way in nested blocks, and would read every
figure's axis labels; so it is given this flat copy instead of the page.
"""

from __future__ import annotations

import html
from html.parser import HTMLParser

EXCLUDED = "data-search-exclude"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
KEPT = ("p", "li", "ul", "ol", "pre", "code", *HEADINGS)
# Their text is no text of the page. MathML keeps the TeX it was made from in an annotation.
UNREAD = ("script", "style", "svg", "annotation", "button", "noscript")
VOID = ("br", "hr", "img", "input", "link", "meta", "source", "wbr", "col")


class _Flat(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _unread(self) -> bool:
        return any(unread for _, unread in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in VOID:
            return
        unread = tag in UNREAD or EXCLUDED in named or named.get("class") == "headerlink"
        if not self._unread and not unread and tag in KEPT:
            name = (
                f' id="{html.escape(named["id"] or "")}"'
                if tag in HEADINGS and "id" in named
                else ""
            )
            self.pieces.append(f"<{tag}{name}>")
        self._open.append((tag, unread))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or tag not in [name for name, _ in self._open]:
            return
        while self._open:
            name, _ = self._open[-1]
            if not self._unread and name in KEPT:
                self.pieces.append(f"</{name}>")
            self._open.pop()
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.pieces.append(html.escape(data, quote=False))


def text_of(page: str) -> str:
    """Return a page's headings and text as flat HTML."""
    flat = _Flat()
    flat.feed(page)
    flat.close()
    return "".join(flat.pieces)

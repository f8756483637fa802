"""Markdown inside a block: the same extensions and links as on the page around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

import markdown

from scripts.pages.errors import PageError, Place

_PARAGRAPH = re.compile(r"^<p>(.*)</p>$", re.DOTALL)
_PAGE_LINK = re.compile(r'href="(?P<path>[^":#]*\.md)(?P<anchor>#[^"]*)?"')


class Links(Protocol):
    """Resolves a link from one Markdown file to another as an address of the built site."""

    def __call__(self, path: str) -> str | None: ...


class Fragments:
    """Converts pieces of Markdown; one converter serves the whole build."""

    def __init__(self, extensions: list[Any], configs: Mapping[str, Any]) -> None:
        # Only the extensions that are named by text: objects belong to the page's own converter.
        named = [extension for extension in extensions if isinstance(extension, str)]
        self._converter = markdown.Markdown(
            extensions=[name for name in named if name != "toc"], extension_configs=dict(configs)
        )

    def convert(self, text: str, place: Place, links: Links) -> str:
        """Return a piece as HTML, its links to other pages resolved."""
        rendered = self._converter.reset().convert(text)

        def resolve(match: re.Match[str]) -> str:
            address = links(match["path"])
            if address is None:
                raise PageError(place, f"this link leads nowhere: {match['path']}")
            return f'href="{address}{match["anchor"] or ""}"'

        return _PAGE_LINK.sub(resolve, rendered)

    def inline(self, text: str, place: Place, links: Links) -> str:
        """Return a single paragraph without its tags, as for an option or a title."""
        rendered = self.convert(text.strip(), place, links)
        paragraph = _PARAGRAPH.match(rendered)
        if paragraph and "<p>" not in paragraph[1]:
            return paragraph[1]
        return rendered

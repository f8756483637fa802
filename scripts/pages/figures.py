"""Vega-Lite specifications drawn as SVG at build time, with the specification the page draws live.

Colours stay CSS variables inside the SVG, so one drawing serves the light and the dark theme.
"""

from __future__ import annotations

import copy
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import vl_convert

from scripts.pages.errors import PageError, Place

VEGA_LITE = "6.4"
# A figure is drawn for a wide column and for a phone; the style sheet shows the one that fits.
WIDTHS = {"wide": 620, "narrow": 340}
# Bump when the drawing below changes, so that cached drawings are made again.
DRAWING = 5

_UNUSED = re.compile(
    r' (?:role|aria-[a-z]+|xmlns:xlink|class|pointer-events)="[^"]*"| (?:stroke-)?opacity="1"'
)
_EMPTY = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"[^>]*/>|<g></g>')
_FONTS = re.compile(r' font-family="[^"]*"')
_LONG_DECIMALS = re.compile(r"(-?\d+\.\d)\d+")
_IDENTIFIERS = re.compile(r'(id="|url\(#|href="#)([\w-]+)')


class Figures:
    """Draws figures, remembering every drawing by the hash of what it was made from."""

    def __init__(self, cache: Path, config: dict[str, Any]) -> None:
        self._cache = cache
        self._config = config
        self._count = 0

    def draw(
        self, spec: dict[str, Any], data: dict[str, Any], summary: str, place: Place | str
    ) -> dict[str, str]:
        """Return the SVG of a specification at each width, labelled by its summary."""
        return {
            name: self._labelled(self._svg(_sized(spec, data, width, self._config), place), summary)
            for name, width in WIDTHS.items()
        }

    def _svg(self, spec: dict[str, Any], place: Place | str) -> str:
        text = json.dumps(spec, sort_keys=True, ensure_ascii=False)
        key = hashlib.sha256(f"{VEGA_LITE}/{DRAWING}/{text}".encode()).hexdigest()[:24]
        kept = self._cache / f"{key}.svg"
        if kept.is_file():
            return kept.read_text(encoding="utf-8")
        try:
            svg = _tidy(vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE))
        except ValueError as problem:
            reason = str(problem).strip().splitlines()[0]
            raise PageError(place, f"this figure cannot be drawn: {reason}") from None
        fresh = kept.with_suffix(f".{id(self)}.new")
        fresh.write_text(svg, encoding="utf-8")
        fresh.replace(kept)
        return svg

    def _labelled(self, svg: str, summary: str) -> str:
        """Give a drawing its label, and identifiers that no other drawing on the page has."""
        self._count += 1
        prefix = f"fig{self._count}-"
        svg = _IDENTIFIERS.sub(lambda match: f"{match[1]}{prefix}{match[2]}", svg)
        label = f'<svg role="img" aria-label="{html.escape(summary, quote=True)}"'
        return svg.replace("<svg", label, 1)


def _sized(
    spec: dict[str, Any], data: dict[str, Any], width: int, config: dict[str, Any]
) -> dict[str, Any]:
    """Return a complete specification: its data inside, its width fixed, the site's look."""
    whole = copy.deepcopy(spec)
    if data:
        whole["datasets"] = {**whole.get("datasets", {}), **data}
    for view in [whole, *whole.get("vconcat", [])]:
        if view.get("width", "container") == "container" and "vconcat" not in view:
            view["width"] = width
    whole.setdefault("autosize", {"type": "fit-x", "contains": "padding"})
    whole["background"] = None
    whole["config"] = _merge(config, whole.get("config", {}))
    return whole


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, item in over.items():
        both = isinstance(item, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merge(merged[name], item) if both else item
    return merged


def _tidy(svg: str) -> str:
    """Drop what the page does not need: roles below the one label, fonts, defaults, decimals."""
    for pattern in (_UNUSED, _FONTS, _EMPTY):
        svg = pattern.sub("", svg)
    return _LONG_DECIMALS.sub(r"\1", svg)

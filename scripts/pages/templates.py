"""The templates of docs/theme/blocks: how a block looks, apart from what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jinja2
from markupsafe import Markup

from scripts.pages.project import ROOT

FOLDER = ROOT / "docs" / "theme" / "blocks"


def as_json(data: Any) -> str:
    """Write data for an attribute; the template's escaping makes it safe there."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def environment(say: Callable[..., str]) -> jinja2.Environment:
    """Return the templates' environment; `say(key, **values)` gives the page's words."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["json"] = as_json
    made.filters["html"] = Markup
    made.globals["say"] = say
    return made

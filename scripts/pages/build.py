"""What all pages of one build share, made once."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from scripts.pages import formulas, messages, templates
from scripts.pages.assets import Assets
from scripts.pages.cells import Cells
from scripts.pages.course import Course
from scripts.pages.errors import PageError
from scripts.pages.figures import Figures
from scripts.pages.formulas import Typesetter
from scripts.pages.fragments import Fragments
from scripts.pages.glossary import Glossary
from scripts.pages.numbers import Numbers
from scripts.pages.project import ROOT, Project


@dataclass
class Build:
    """One build of one language."""

    project: Project
    config: MkDocsConfig
    catalogue: messages.Catalogue
    course: Course
    glossary: Glossary
    cells: Cells
    figures: Figures
    typesetter: Typesetter
    formulas: dict[str, formulas.Formula]
    fragments: Fragments
    assets: Assets
    labs: Any
    numbers: Numbers = field(default_factory=Numbers)
    translations: list[str] = field(default_factory=list)
    quoted: dict[str, Any] = field(default_factory=dict)
    _results: dict[tuple[str, tuple[tuple[str, str], ...]], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.templates = templates.environment(self.say)

    def say(self, key: str, **values: Any) -> str:
        """Return the words of a key of docs/messages/<language>/site.yml."""
        return self.catalogue.text(f"site.{key}", "docs/theme", values)

    def compute(self, lab: str, values: Mapping[str, str]) -> Any:
        """Compute a lab, once for the same settings."""
        key = (lab, tuple(values.items()))
        if key not in self._results:
            self._results[key] = self.labs.get(lab).compute(**values)
        return self._results[key]

    def names(self) -> dict[str, Any]:
        """Return the names that every expression in a text may use."""
        import dpdocs

        def lab(name: str, **values: object) -> Any:
            if name not in self.labs.names():
                raise ValueError(f"there is no lab {name!r}; known: {self.labs.names()}")
            whole = {n: p.default for n, p in self.labs.get(name).parameters.items()}
            whole.update({n: v if isinstance(v, str) else repr(v) for n, v in values.items()})
            return self.compute(name, whole)

        def quoted(key: str) -> Any:
            if key not in self.quoted:
                raise ValueError(f"docs/quoted.yml has no entry {key!r}")
            return self.quoted[key]["value"]

        return {"dpdocs": dpdocs, "lab": lab, "math": math, "Fraction": Fraction, "quoted": quoted}

    def close(self) -> None:
        self.typesetter.close()


def start(project: Project, config: MkDocsConfig) -> Build:
    """Read everything that pages share; whatever is wrong with it stops the build here."""
    catalogue = messages.load(project)
    look = json.loads((ROOT / "docs" / "page" / "figure-config.json").read_text(encoding="utf-8"))
    quoted = project.docs / "quoted.yml"
    return Build(
        project=project,
        config=config,
        catalogue=catalogue,
        course=Course(project),
        glossary=Glossary(project),
        cells=Cells(project),
        figures=Figures(project.cache("figures"), catalogue.walk(look, "docs/page")),
        typesetter=Typesetter(project.cache("katex")),
        formulas=formulas.load(project),
        fragments=Fragments(config.markdown_extensions, config.mdx_configs),
        assets=Assets(project, catalogue),
        labs=importlib.import_module("dpdocs.labs"),
        quoted=_quoted(project, quoted) if quoted.is_file() else {},
    )


def _quoted(project: Project, path: Any) -> dict[str, Any]:
    data: dict[str, Any] = project.read_yaml(path) or {}
    for key, entry in data.items():
        if not isinstance(entry, dict) or not entry.get("source") or "value" not in entry:
            raise PageError(project.name(path), f'"{key}" needs a `value` and its `source`')
    return data

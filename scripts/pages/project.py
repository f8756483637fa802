"""Where the parts of the site lie on disk, for one build of one language."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from scripts.pages.errors import PageError

ORIGINAL = "en"
LANGUAGES = ("en", "ko")
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Project:
    """The folders of a build: `docs` holds en/, ko/, cells/, formulas/, messages/."""

    docs: Path
    build: Path
    language: str

    @property
    def pages(self) -> Path:
        return self.docs / self.language

    @property
    def originals(self) -> Path:
        return self.docs / ORIGINAL

    @property
    def cells(self) -> Path:
        return self.docs / "cells"

    def cache(self, name: str) -> Path:
        """Return a folder for results that are found again by the hash of their inputs."""
        folder = self.build / "cache" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def name(self, path: Path) -> str:
        """Return a path as an author knows it: from the folder that holds docs/."""
        try:
            return str(path.relative_to(self.docs.parent))
        except ValueError:
            return str(path)

    def read_yaml(self, path: Path) -> Any:
        """Read a YAML file; a mistake in it stops the build with its line."""
        try:
            return yaml.safe_load(path.read_text(encoding="utf-8"))
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            line = mark.line + 1 if mark else 0
            reason = getattr(problem, "problem", None) or "this is not YAML"
            raise PageError(
                f"{self.name(path)}:{line}",
                str(reason),
                "Quote texts that hold a colon or a brace.",
            ) from None

"""What the page's scripts must know: where their files are, and which versions they are."""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
from pathlib import Path
from typing import Any

from scripts.pages.errors import PageError
from scripts.pages.messages import Catalogue
from scripts.pages.project import ORIGINAL, Project

FOLDER = "assets/dpdocs"


class Assets:
    """The names of the bundle's, the runtime's and the wheel's files, as the build left them."""

    def __init__(self, project: Project, catalogue: Catalogue) -> None:
        self._project = project
        self._catalogue = catalogue
        self._partial = bool(os.environ.get("DPDOCS_ALLOW_PARTIAL"))
        self.bundle = self._read_bundle()
        self.manifest = self._newest("runtime", "runtime-*.json", "packs")
        self.wheel = self._newest("wheel", "dpdocs-*.whl", "wheel")

    def write(self, site: Path) -> None:
        """Write this language's messages into the built pages."""
        self._catalogue.write(site / FOLDER)

    def for_page(self, base: str) -> dict[str, Any]:
        """Return what a page says to the scripts; `base` leads from it to its language's root."""
        # One folder serves both languages; it lies at the root, above the translations' folders.
        up = base if self._language == ORIGINAL else posixpath.join(base, "..")
        folder = f"{posixpath.normpath(up).rstrip('/')}/{FOLDER}/"
        messages = self._catalogue.file_name
        if self._language != ORIGINAL:
            messages = f"../../{self._language}/{FOLDER}/{messages}"
        site = {
            "lang": self._language,
            "base": base,
            "assets": folder,
            "manifest": f"runtime/{self.manifest.name}" if self.manifest else None,
            "messages": messages,
            "version": self.version,
            "wheel": self.wheel_hash,
        }
        return {
            "site": json.dumps(site, ensure_ascii=False).replace("<", "\\u003c"),
            "folder": folder,
            "version": self.version,
            "wheel": self.wheel_hash,
            "script": self.bundle.get("main.js"),
            "style": self.bundle.get("style.css"),
            "fonts": [
                name for key, name in self.bundle.items() if _is_first_font(key, self._language)
            ],
        }

    @property
    def version(self) -> str:
        import dpdocs

        return str(dpdocs.__version__)

    @property
    def wheel_hash(self) -> str | None:
        return hashlib.sha256(self.wheel.read_bytes()).hexdigest() if self.wheel else None

    @property
    def _language(self) -> str:
        return self._project.language

    def _read_bundle(self) -> dict[str, str]:
        path = self._project.build / "bundle" / "bundle.json"
        if path.is_file():
            names: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
            return names
        self._missing("the browser bundle (build/bundle/bundle.json)")
        return {}

    def _newest(self, folder: str, pattern: str, what: str) -> Path | None:
        found = sorted(
            (self._project.build / folder).glob(pattern), key=lambda p: p.stat().st_mtime
        )
        if not found:
            self._missing(f"the {what} (build/{folder}/{pattern})")
        return found[-1] if found else None

    def _missing(self, what: str) -> None:
        if not self._partial:
            raise PageError(
                "build",
                f"{what} is missing",
                "Run scripts/build; for pages alone set DPDOCS_ALLOW_PARTIAL=1.",
            )


# The fonts that the first screen of every page needs. Korean comes from the system, in one style.
FIRST_FONTS = {"en": ("source-serif-4", "source-sans-3"), "ko": ("source-sans-3",)}


def _is_first_font(logical: str, language: str) -> bool:
    return logical.startswith(FIRST_FONTS[language]) and logical.endswith("-normal.woff2")

"""A small site with every kind of block, built in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = Path(__file__).with_name("sample")
CACHE = ROOT / "build" / "cache"


class SampleSite:
    """A copy of the sample's pages that a test may spoil before it builds them."""

    def __init__(self, folder: Path, log: pytest.LogCaptureFixture | None = None) -> None:
        self.folder = folder
        self._log = log
        shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
        shutil.copytree(ROOT / "docs" / "messages", folder / "docs" / "messages")
        # Drawings and formulas are found by their content, so all samples may share them.
        CACHE.mkdir(parents=True, exist_ok=True)
        (folder / "build").mkdir()
        (folder / "build" / "cache").symlink_to(CACHE, target_is_directory=True)

    def path(self, name: str) -> Path:
        return self.folder / "docs" / name

    def change(self, name: str, old: str, new: str) -> None:
        """Replace a text that must be there."""
        text = self.path(name).read_text(encoding="utf-8")
        assert old in text
        self.path(name).write_text(text.replace(old, new), encoding="utf-8")

    def add(self, name: str, text: str) -> None:
        with self.path(name).open("a", encoding="utf-8") as file:
            file.write(text)

    def build(self, language: str = "en") -> Path:
        """Build one language; return the folder of its pages."""
        target = self.folder / "pages" / language
        configuration = {
            "INHERIT": str(ROOT / "mkdocs.yml"),
            "docs_dir": str(self.path(language)),
            "site_dir": str(target),
            "hooks": [str(ROOT / "scripts" / "pages" / "hooks.py")],
            "theme": {"language": language, "custom_dir": str(ROOT / "docs" / "theme")},
        }
        file = self.folder / f"mkdocs.{language}.yml"
        file.write_text(yaml.safe_dump(configuration), encoding="utf-8")
        config: Any = load_config(str(file))
        # As the command does: what a plugin keeps begins anew with each build.
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        return target

    def fails(self, language: str = "en") -> str:
        """Build, expect it to stop, and return what it said."""
        assert self._log is not None
        self._log.clear()
        with pytest.raises(Abort):
            self.build(language)
        return self._log.text


@pytest.fixture
def sample(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> SampleSite:
    # The sample has pages only: no browser bundle, no runtime packs, no wheel.
    monkeypatch.setenv("DPDOCS_ALLOW_PARTIAL", "1")
    return SampleSite(tmp_path, caplog)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both languages of the sample, laid together as the deployed site is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPDOCS_ALLOW_PARTIAL", "1")
        sample = SampleSite(tmp_path_factory.mktemp("sample"))
        site = sample.build("en")
        sample.build("ko").rename(site / "ko")
    return site

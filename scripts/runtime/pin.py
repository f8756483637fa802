"""The pin: which release of the browser's Python, and the hash of every byte of it that is used.

Moving to a later release is an edit of pin.json. Standard library only: this runs before the
environment exists.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

PIN = Path(__file__).with_name("pin.json")


class RuntimeFilesError(Exception):
    """The runtime's files cannot be had, or are not what the pin says."""


@dataclass(frozen=True)
class PinnedFile:
    """One file of the release."""

    name: str
    size: int
    sha256: str

    def difference(self, path):
        """Say how the file at a path differs from the pinned one; None where it does not."""
        size = path.stat().st_size
        if size != self.size:
            return f"{size} bytes instead of {self.size}"
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        return None if found == self.sha256 else f"sha256 {found} instead of {self.sha256}"


@dataclass(frozen=True)
class Pin:
    """One release: its files and where they may come from."""

    version: str
    python: str
    sources: dict
    core: dict[str, PinnedFile]
    packages: dict[str, PinnedFile]

    @property
    def files(self):
        """Every pinned file, by name."""
        return {**self.core, **self.packages}

    def package(self, name):
        """Return the name of the file that holds a package."""
        found = [file for file in self.packages if file.split("-")[0] == name]
        if len(found) != 1:
            raise RuntimeFilesError(f"{PIN.name} names {len(found)} files for the package {name}")
        return found[0]


def read(path=PIN):
    """Read the pin."""
    data = json.loads(path.read_text(encoding="utf-8"))

    def files(group):
        return {name: PinnedFile(name, **entry) for name, entry in data[group].items()}

    return Pin(data["version"], data["python"], data["sources"], files("core"), files("packages"))

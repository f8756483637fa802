"""What the pinned archives install, file by file, and what a page never needs of it."""

import zipfile
from dataclasses import dataclass
from pathlib import Path

# Nothing of these is read when Python runs.
_DROPPED_SUFFIXES = (
    *(".pyi", ".pyx", ".pxd", ".pxi", ".h", ".hpp", ".c", ".cpp", ".f", ".a", ".lib"),
    *(".build", ".in", ".src", ".rst", ".md", ".typed", ".pc"),
)
_DROPPED_FOLDERS = (
    "/tests/",
    # pictures of buttons, examples' data, and fonts that only PostScript and PDF would use
    "matplotlib/mpl-data/images/",
    "matplotlib/mpl-data/sample_data/",
    "matplotlib/mpl-data/fonts/afm/",
    "matplotlib/mpl-data/fonts/pdfcorefonts/",
    # windows of a desktop, and tools of those who work on Matplotlib itself
    "matplotlib/backends/web_backend/",
    "matplotlib/backends/qt_editor/",
    "matplotlib/sphinxext/",
    "matplotlib/testing/",
)


@dataclass(frozen=True)
class Layout:
    """Where things lie in the runtime's file system."""

    python: str

    @property
    def library(self):
        """Folder of the standard library."""
        return f"/lib/python{self.python}"

    @property
    def packages(self):
        """Folder of the installed packages."""
        return f"{self.library}/site-packages"

    def module(self, path):
        """Return the dotted name of the module that a file holds, or None."""
        for root in (self.packages, self.library):
            if path.startswith(f"{root}/"):
                inside = path.removeprefix(f"{root}/")
                break
        else:
            return None
        folder, _, name = inside.rpartition("/")
        stem, _, suffix = name.partition(".")
        if suffix != "pyc" and not suffix.endswith("so"):
            return None
        parts = [*folder.split("/"), stem] if folder else [stem]
        if parts[-1] == "__init__":
            parts.pop()
        return ".".join(parts) if all(part.isidentifier() for part in parts) else None


def installed_files(archive, layout):
    """Return {path in the runtime: bytes} for a pinned archive or a wheel."""
    archive = Path(archive)
    with zipfile.ZipFile(archive) as members:
        names = sorted(name for name in members.namelist() if not name.endswith("/"))
        if archive.suffix == ".whl":
            root = layout.packages
        else:
            # The standard library, or a folder of shared libraries.
            root = layout.library if archive.stem == "python_stdlib" else "/lib"
        files = {}
        for name in names:
            if ".dist-info/" in name:
                if name.endswith(".dist-info/METADATA"):
                    files[f"{root}/{name}"] = _short_metadata(members.read(name))
            elif _is_used(name):
                files[f"{root}/{name}"] = members.read(name)
        return files


def _is_used(name):
    if name.endswith(_DROPPED_SUFFIXES) or name.startswith("site-packages/"):
        return False
    return not any(folder in f"/{name}" for folder in _DROPPED_FOLDERS)


def _short_metadata(data):
    """Keep what says which version is installed."""
    lines = data.decode("utf-8").split("\n\n", 1)[0].splitlines()
    kept = [line for line in lines if line.startswith(("Metadata-Version:", "Name:", "Version:"))]
    return ("\n".join(kept) + "\n").encode()

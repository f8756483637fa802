"""The pinned archives, byte-compiled once and kept in build/ until the pin or this code changes."""

import hashlib
import json
import shutil
from pathlib import Path

from scripts.runtime import archives, flat, groups
from scripts.runtime.compiling import compile_all, page_package, run_inside
from scripts.runtime.pin import PIN

HERE = Path(__file__).parent
# A change in one of these gives other packs.
_MAKERS = (
    *("archives.py", "compile.mjs", "compiler.py", "compiling.py", "flat.py", "fonts.py"),
    *("groups.py", "inside.mjs", "pinned.py"),
)


def fingerprint(*paths):
    """Return one hash for the content of files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return digest.hexdigest()[:16]


def load(paths, pin, core, cache, say):
    """Return the files of each pack of the pinned archives, and what the modules import.

    Parameters
    ----------
    paths : mapping of str to path
        The pinned files.
    pin : Pin
        The release.
    core : path
        Folder with the core files.
    cache : path
        Where to keep the result.
    say : callable
        Told what takes long.
    """
    kept = Path(cache) / f"pinned-{fingerprint(PIN, *(HERE / name for name in _MAKERS))}"
    if not kept.is_dir():
        say(
            "byte-compiling the standard library, NumPy, SciPy and Matplotlib (once, half a minute)"
        )
        packs, imports = _make(paths, pin, core)
        fresh = kept.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, files in packs.items():
            (fresh / f"{name}.pack").write_bytes(flat.write(files))
        (fresh / "imports.json").write_text(json.dumps(imports))
        for old in Path(cache).glob("pinned-*[!w]"):
            shutil.rmtree(old)
        fresh.rename(kept)
    packs = {path.stem: flat.read(path.read_bytes())[0] for path in sorted(kept.glob("*.pack"))}
    return packs, json.loads((kept / "imports.json").read_text())


def _make(paths, pin, core):
    layout = archives.Layout(pin.python)
    names = ["python_stdlib.zip", *pin.packages]
    files, archive_of = {}, {}
    for name in names:
        for path, data in archives.installed_files(paths[name], layout).items():
            files[path] = data
            archive_of[path] = name.split("-")[0].split(".")[0]
    files, imports = compile_all(files, core)
    packs = {}
    for path, data in files.items():
        archive = archive_of.get(path) or archive_of[path.removesuffix("c")]
        packs.setdefault(groups.group_of(path, archive, layout), {})[path] = data
    packs["matplotlib"] |= _font_list(files, pin, core)
    return packs, imports


def _font_list(files, pin, core):
    """Make the list of fonts that Matplotlib would make, slowly, in the reader's browser."""
    packages = archives.Layout(pin.python).packages
    page = {f"{packages}/{path}": data for path, data in page_package().items()}
    path, _, text = run_inside("fonts.py", files | page, pin, core).partition("\n")
    return {path: text.encode()}

"""Work for the browser's Python itself, under Node: no other Python of its version is needed."""

import json
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from scripts import toolchain
from scripts.runtime import flat
from scripts.runtime.pin import RuntimeFilesError

HERE = Path(__file__).parent
PAGE = toolchain.ROOT / "docs" / "page" / "runtime"


@contextmanager
def core_folder(paths, pin):
    """Lay the pinned core files, wherever they are, into one folder for Pyodide's loader."""
    with tempfile.TemporaryDirectory(prefix="dpdocs-core-") as folder:
        for name in pin.core:
            Path(folder, name).symlink_to(paths[name].resolve())
        yield folder


def node(script, *arguments):
    """Run a script of this folder under Node; return its standard output."""
    command = [toolchain.node_command(), str(HERE / script), *map(str, arguments)]
    if command[0] is None:
        raise RuntimeFilesError("packing the runtime needs Node 20 or newer; scripts/serve gets it")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        said = "\n".join((run.stderr or run.stdout).strip().splitlines()[-20:])
        raise RuntimeFilesError(f"{script} failed under Node:\n{said}")
    return run.stdout


def compile_all(files, core):
    """Put a .pyc in the place of every Python source.

    Parameters
    ----------
    files : mapping of str to bytes
        Content by path in the runtime.
    core : path
        Folder with the pinned core files.

    Returns
    -------
    tuple
        The files, and for each compiled path the modules that its top level imports.
    """
    done = {path: data for path, data in files.items() if not path.endswith(".py")}
    sources = sorted(path for path in files if path.endswith(".py"))
    with tempfile.TemporaryDirectory(prefix="dpdocs-compile-") as folder:
        job = []
        for number, path in enumerate(sources):
            source, target = Path(folder, f"{number}.py"), Path(folder, f"{number}.pyc")
            source.write_bytes(files[path])
            job.append([str(source), path, str(target)])
        job_file = Path(folder, "job.json")
        job_file.write_text(json.dumps({"files": job}))
        answer = json.loads(node("compile.mjs", core, job_file))
        imports = {}
        for _, path, target in job:
            if path in answer["failed"]:
                # Some packages carry templates and old code that no Python of this version reads.
                done[path] = files[path]
                continue
            done[f"{path}c"] = Path(target).read_bytes()
            imports[f"{path}c"] = answer["imports"][path]
    return done, imports


def page_package():
    """Return the sources of the package that runs cells, by path inside a folder of packages."""
    root = PAGE / "python"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.py")}


def boot_script():
    """Return the source of what Python runs as it starts, by path like the above."""
    path = PAGE / "boot" / "sitecustomize.py"
    return {path.name: path.read_bytes()}


def run_inside(script, files, pin, core):
    """Run a script of this folder in a runtime that has these files; return its last value."""
    info = json.loads(Path(core, "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    manifest = {
        "core": {
            "folder": "./",
            "mjs": "pyodide.mjs",
            "asm": "pyodide.asm.js",
            "transfer": 0,
            "info": info,
        },
        "packs": {"all": {"file": "all.pack", "transfer": 0}},
        "first": ["all"],
    }
    with tempfile.TemporaryDirectory(prefix="dpdocs-inside-") as folder:
        for name in pin.core:
            Path(folder, name).symlink_to(Path(core, name).resolve())
        Path(folder, "all.pack").write_bytes(flat.write(files))
        Path(folder, "manifest.json").write_text(json.dumps(manifest))
        return node("inside.mjs", folder, HERE / script)

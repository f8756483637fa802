"""Fetch the files of the browser's Python, each checked against the hash in pin.json.

Sources, in this order: the folder that an environment variable names, the local cache, the official
CDN, and the package registries (npm for the core, PyPI for the rest). A source that is not there is
one line; a file with a wrong hash is an error. Needs the standard library only.
"""

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from scripts import toolchain
from scripts.runtime import pin as pins
from scripts.runtime.pin import RuntimeFilesError

CDN_SECONDS = 6  # a CDN that has not answered by then is taken for unreachable


def say(text):
    print(f"runtime files: {text}", flush=True)


def cache_folder(version):
    """Return the folder of the cache for one release."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dpdocs" / "pyodide" / version


def fetch(pin=None):
    """Return the path of every pinned file, by name, after checking each of them.

    Parameters
    ----------
    pin : Pin, optional
        The release; by default the one in pin.json.
    """
    pin = pin or pins.read()
    paths = {}
    for source in (from_folder, from_cache, from_cdn, from_npm, from_pypi):
        wanted = [file for name, file in pin.files.items() if name not in paths]
        if not wanted:
            break
        paths |= source(pin, wanted)
    missing = [name for name in pin.files if name not in paths]
    if missing:
        raise RuntimeFilesError(
            f"no source has {', '.join(missing)}. Put the files of Pyodide {pin.version} into a "
            f"folder and name it in {pin.sources['folder_variable']}, or connect to the network."
        )
    return {name: paths[name] for name in pin.files}


def check(file, path, source):
    """Stop where a file is not the pinned one, byte for byte."""
    difference = file.difference(path)
    if difference:
        raise RuntimeFilesError(
            f"{file.name} from {source} is not the pinned file: {difference}. "
            f"Delete {path} if it is damaged; a new release needs an edit of pin.json."
        )


# --- the sources: each returns the paths of those wanted files that it has -------------------


def from_folder(pin, wanted):
    variable = pin.sources["folder_variable"]
    named = os.environ.get(variable)
    if not named:
        return {}
    folder = Path(named)
    if not folder.is_dir():
        say(f"{variable} names {named}, which is no folder; going on without it")
        return {}
    return _present(folder, wanted, f"the folder in {variable}")


def from_cache(pin, wanted):
    return _present(cache_folder(pin.version), wanted, "the cache")


def _present(folder, wanted, source):
    found = {}
    for file in wanted:
        path = folder / file.name
        if path.is_file():
            check(file, path, source)
            found[file.name] = path
    return found


def from_cdn(pin, wanted):
    base = pin.sources["cdn"]
    size = sum(file.size for file in wanted) / 1e6
    say(f"asking the CDN for {len(wanted)} files ({size:.0f} MB)")
    found = {}
    for file in wanted:
        try:
            with urllib.request.urlopen(base + file.name, timeout=CDN_SECONDS) as answer:
                found[file.name] = _keep(pin, file, answer, "the CDN")
        except (urllib.error.URLError, OSError) as problem:
            reason = getattr(problem, "reason", problem)
            say(f"the CDN does not answer ({reason}); going on without it")
            break
    return found


def from_npm(pin, wanted):
    package = pin.sources["npm"]
    wanted = [file for file in wanted if file.name in pin.core]
    if not wanted:
        return {}
    release = f"{package['package']}@{package['version']}"
    say(f"asking npm for {release}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            command = [*toolchain.npm_command(), "pack", release, "--silent"]
        except toolchain.SetupError:
            say("npm is not here; going on without it")
            return {}
        archive = _downloaded(command, folder, "*.tgz", "npm")
        if archive is None:
            return {}
        with tarfile.open(archive) as members:
            names = set(members.getnames())
            inside = {file: f"{package['folder']}/{file.name}" for file in wanted}
            return {
                file.name: _keep(pin, file, members.extractfile(name), "npm")
                for file, name in inside.items()
                if name in names
            }


def from_pypi(pin, wanted):
    package = pin.sources["pypi"]
    release = f"{package['project']}=={package['version']}"
    say(f"asking PyPI for {release}")
    # The environment's pip where there is one: a system Python may come without.
    python = toolchain.PYTHON if toolchain.PYTHON.exists() else sys.executable
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    download = [python, "-m", "pip", "download", *quiet, "--no-deps", "--pre", "--no-cache-dir"]
    with tempfile.TemporaryDirectory() as folder:
        archive = _downloaded([*download, release], folder, "*.whl", "PyPI")
        if archive is None:
            return {}
        with zipfile.ZipFile(archive) as members:
            names = set(members.namelist())
            inside = {file: f"{package['folder']}/{file.name}" for file in wanted}
            found = {}
            for file, name in inside.items():
                # The wheel's own lock file is another, shorter one.
                if name in names and members.getinfo(name).file_size == file.size:
                    with members.open(name) as stream:
                        found[file.name] = _keep(pin, file, stream, "PyPI")
            return found


def _downloaded(command, folder, pattern, source):
    """Run a registry's client in a folder; return the archive it left there, or None."""
    run = subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False
    )
    archives = sorted(Path(folder).glob(pattern))
    if run.returncode or not archives:
        said = (run.stderr.strip() or run.stdout.strip() or "it said nothing").splitlines()[-1]
        say(f"{source} did not give it ({said}); going on without it")
        return None
    return archives[0]


def _keep(pin, file, stream, source):
    """Put a stream into the cache, once it is whole and is the pinned file."""
    folder = cache_folder(pin.version)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file.name
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".fetching-", delete=False) as part:
        fresh = Path(part.name)
        try:
            while chunk := stream.read(1 << 20):
                part.write(chunk)
            part.flush()
            difference = file.difference(fresh)
            if difference:
                raise RuntimeFilesError(
                    f"{file.name} from {source} is not the pinned file: {difference}. Nothing was "
                    "kept; try another source, or edit pin.json for a new release."
                )
            fresh.chmod(0o644)
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    return path


def main():
    parser = argparse.ArgumentParser(prog="scripts.runtime.fetch", description=__doc__)
    parser.parse_args()
    pin = pins.read()
    try:
        paths = fetch(pin)
    except RuntimeFilesError as problem:
        sys.exit(f"runtime files: {problem}")
    size = sum(file.size for file in pin.files.values()) / 1e6
    folders = ", ".join(sorted({str(path.parent) for path in paths.values()}))
    say(f"Pyodide {pin.version}: {len(paths)} files, {size:.0f} MB, hashes right, in {folders}")


if __name__ == "__main__":
    main()

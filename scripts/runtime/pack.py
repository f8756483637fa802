"""Build what a page fetches to run Python: packs, core files, the wheel, and their manifest.

    python -m scripts.runtime.pack --wheel build/wheel/dpdocs-….whl --out build/runtime

Does nothing where nothing changed. Every name carries a hash; `runtime-<hash>.json` lists every
file with its size and hash, and which wheel of dpdocs is inside.
"""

import argparse
import gzip
import hashlib
import json
import shutil
import sys
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

from scripts import toolchain
from scripts.runtime import archives, fetch, flat, groups, pinned
from scripts.runtime import pin as pins
from scripts.runtime.compiling import (
    boot_script,
    compile_all,
    core_folder,
    page_package,
    run_inside,
)
from scripts.runtime.pin import RuntimeFilesError

HERE = Path(__file__).parent
CACHE = toolchain.ROOT / "build" / "cache" / "runtime"
FIRST = ("core", "dpdocs")
BOOT = "/sitecustomize.pyc"
STAMP = ".stamp"
_FOR_TESTS = {"hypothesis_native.py", "inside_pytest.py", "run_tests.mjs", "tests_in_runtime.py"}


def say(text):
    print(f"runtime: {text}", flush=True)


def build(wheel, out, cache=CACHE):
    """Build everything into a folder; return the name of the manifest.

    Parameters
    ----------
    wheel : path
        The wheel of dpdocs that the page shall run.
    out : path
        The folder, whose content is replaced.
    cache : path
        Where the costly parts are kept.
    """
    wheel, out = Path(wheel), Path(out)
    stamp = _inputs(wheel)
    manifest = _built(out, stamp)
    if manifest:
        return manifest
    pin = pins.read()
    paths = fetch.fetch(pin)
    with core_folder(paths, pin) as core:
        packs, imports = pinned.load(paths, pin, core, cache, say)
        own, taken = _own_files(wheel, pin, core)
        boot = {path: own.pop(path) for path in list(own) if path.endswith(BOOT)}
        packs, imports = packs | {"dpdocs": own}, imports | taken
        packs = _with_core(packs, pin, core)
    layout = archives.Layout(pin.python)
    fresh = Path(f"{out}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    needed = groups.needs(packs, imports, layout, FIRST)
    modules = _modules_of_later_packs(packs, layout)
    packs |= {name: _from_memory(name, packs[name], layout) for name in FIRST}
    packs[FIRST[0]] |= boot
    entries = _write_packs(packs, needed, modules, fresh, cache)
    manifest = _write_manifest(pin, paths, wheel, entries, fresh)
    (fresh / STAMP).write_text(stamp)
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)
    return manifest


def _inputs(wheel):
    """Return one hash for all that the result depends on."""
    makers = [path for path in sorted(HERE.iterdir()) if path.suffix in (".py", ".mjs", ".json")]
    makers = [path for path in makers if path.name not in _FOR_TESTS]
    page = sorted((toolchain.ROOT / "docs" / "page" / "runtime").rglob("*.py"))
    folder = toolchain.ROOT / "docs" / "page" / "runtime"
    loader = [folder / name for name in ("linking.js", "loader.js", "packs.js", "parts.js")]
    return pinned.fingerprint(wheel, *makers, *page, *loader)


def _built(out, stamp):
    """Return the manifest's name where the folder already holds what these inputs give."""
    kept = out / STAMP
    found = sorted(out.glob("runtime-*.json")) if out.is_dir() else []
    if len(found) != 1 or not kept.is_file() or kept.read_text() != stamp:
        return None
    listed = json.loads(found[0].read_text(encoding="utf-8"))["files"]
    whole = all(
        (out / name).is_file() and (out / name).stat().st_size == entry["size"]
        for name, entry in listed.items()
    )
    return found[0].name if whole else None


# --- what goes into which pack ------------------------------------------------------------------


def _own_files(wheel, pin, core):
    """Return the wheel's files, those that run cells, and what runs as Python starts, compiled."""
    layout = archives.Layout(pin.python)
    files = archives.installed_files(wheel, layout)
    for path, data in (page_package() | boot_script()).items():
        files[f"{layout.packages}/{path}"] = data
    files, taken = compile_all(files, core)
    broken = [path for path in files if path.endswith(".py")]
    if broken:
        raise RuntimeFilesError(f"Python {pin.python} cannot compile {', '.join(broken)}")
    return files, taken


def _with_core(packs, pin, core):
    """Move what the first results need into a pack of its own."""
    everything = {path: data for files in packs.values() for path, data in files.items()}
    say("finding out which files the first results need")
    loaded = set(json.loads(run_inside("first_things.py", everything, pin, core)))
    later = packs["numpy-random"].keys() | packs["dpdocs"].keys()
    first = (loaded & everything.keys()) - later
    # What tells the versions of packages is small and asked for without an import.
    first |= {path for path in everything if path.endswith(".dist-info/METADATA")} - later
    moved = {
        name: {path: data for path, data in files.items() if path not in first}
        for name, files in packs.items()
    }
    return {"core": {path: everything[path] for path in first}} | moved


def _modules_of_later_packs(packs, layout):
    """Return the names of the modules in each pack that is fetched when it is needed."""
    later = {name: files for name, files in packs.items() if name not in FIRST}
    home = groups.homes(later, layout)
    return {name: sorted(m for m, pack in home.items() if pack == name) for name in later}


def _from_memory(name, files, layout):
    """Put the byte-compiled modules of a pack into one file, out of which they are loaded."""
    modules, rest = {}, {}
    for path, data in files.items():
        module = layout.module(path) if path.endswith(".pyc") else None
        # Python reads its encodings before anything can be installed; the light ones are looked
        # for as files.
        if module is None or module.split(".")[0] == "encodings" or module in groups.LIGHT:
            rest[path] = data
        else:
            modules[module] = (path, data)
    return rest | {f"{layout.packages}/{name}.modules": flat.write_modules(modules)}


# --- what lies in the folder --------------------------------------------------------------------


def _write_packs(packs, needed, modules, out, cache):
    entries = {}
    for name, files in packs.items():
        more = {"modules": modules} if name == FIRST[0] else {}
        data = flat.write(files, **more)
        digest = hashlib.sha256(data).hexdigest()
        compressed = _compressed(data, digest, cache)
        file = f"{name}-{digest[:12]}.pack.gz"
        (out / file).write_bytes(compressed)
        entries[name] = {
            "file": file,
            "title": "dpdocs" if name in FIRST else groups.describe(name).title,
            "size": len(data),
            "transfer": len(compressed),
            "sha256": digest,
            "needs": needed.get(name, []),
        }
        libraries = [path for path in files if path.endswith(f"/{groups.OPENBLAS}")]
        if libraries:
            entries[name]["libraries"] = libraries
    return entries


def _compressed(data, digest, cache):
    """Compress as gzip does, the same bytes each time; kept, because it takes seconds."""
    kept = Path(cache) / "compressed" / f"{digest}.gz"
    if not kept.is_file():
        squeeze = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 9)
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(".new")
        fresh.write_bytes(squeeze.compress(data) + squeeze.flush())
        fresh.replace(kept)
    compressed = kept.read_bytes()
    if gzip.decompress(compressed) != data:
        raise RuntimeFilesError(f"{kept} is damaged: delete it")
    return compressed


def _write_manifest(pin, paths, wheel, entries, out):
    lock = _short_lock(paths["pyodide-lock.json"], pin)
    core = {name: paths[name].read_bytes() for name in pin.files}
    core["pyodide-lock.json"] = json.dumps(lock, separators=(",", ":")).encode()
    wasm = core["pyodide.asm.wasm"]
    core["pyodide.asm.wasm.gz"] = _compressed(wasm, hashlib.sha256(wasm).hexdigest(), CACHE)
    # For Node (the tests): above lies a package whose scripts are modules; Pyodide's is none.
    core["package.json"] = b'{"type": "commonjs"}\n'
    digest = hashlib.sha256()
    for name in sorted(core):
        digest.update(hashlib.sha256(core[name]).digest())
    folder = f"pyodide-{digest.hexdigest()[:12]}/"
    (out / folder).mkdir()
    for name, data in core.items():
        (out / folder / name).write_bytes(data)
    page = _zip(page_package())
    page_file = f"page-{hashlib.sha256(page).hexdigest()[:12]}.zip"
    (out / page_file).write_bytes(page)
    wheel_data = wheel.read_bytes()
    wheel_digest = hashlib.sha256(wheel_data).hexdigest()
    # The folder's name carries the hash: a wheel's own name says what is in it.
    wheel_file = f"wheel-{wheel_digest[:12]}/{wheel.name}"
    (out / wheel_file).parent.mkdir()
    (out / wheel_file).write_bytes(wheel_data)
    manifest = {
        "pyodide": pin.version,
        "core": {
            "folder": folder,
            "mjs": f"{folder}pyodide.mjs",
            "asm": f"{folder}pyodide.asm.js",
            "wasm": f"{folder}pyodide.asm.wasm",
            "wasmCompressed": f"{folder}pyodide.asm.wasm.gz",
            "transfer": len(core["pyodide.asm.wasm.gz"]),
            "info": lock["info"],
        },
        "packs": entries,
        "first": list(FIRST),
        "stock": {"first": ["numpy", "scipy"], "onDemand": ["matplotlib"]},
        "page": {"file": page_file},
        "wheel": {"file": wheel_file, "name": wheel.name, "sha256": wheel_digest},
        "files": {
            path.relative_to(out).as_posix(): {
                "size": path.stat().st_size,
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for path in sorted(out.rglob("*"))
            if path.is_file()
        },
    }
    text = json.dumps(manifest, separators=(",", ":"))
    name = f"runtime-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    (out / name).write_text(text, encoding="utf-8")
    return name


def _short_lock(path, pin):
    """Return Pyodide's list of packages with those that are here; nothing else can be loaded."""
    lock = json.loads(path.read_text(encoding="utf-8"))
    here = {
        name: entry
        for name, entry in lock["packages"].items()
        if entry["file_name"] in pin.packages
    }
    missing = pin.packages.keys() - {entry["file_name"] for entry in here.values()}
    if missing:
        raise RuntimeFilesError(f"pyodide-lock.json does not list {', '.join(sorted(missing))}")
    for entry in here.values():
        entry["depends"] = [name for name in entry["depends"] if name in here]
    return {"info": lock["info"], "packages": here}


def _zip(files):
    """Return the bytes of a zip file, the same each time."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(path), files[path], zipfile.ZIP_DEFLATED)
    return target.getvalue()


def main():
    parser = argparse.ArgumentParser(
        prog="scripts.runtime.pack", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--wheel", type=Path, required=True, help="the wheel of dpdocs")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    options = parser.parse_args()
    if not options.wheel.is_file():
        sys.exit(f"runtime: there is no wheel {options.wheel}: build it with scripts/build")
    try:
        name = build(options.wheel, options.out)
    except RuntimeFilesError as problem:
        sys.exit(f"runtime: {problem}")
    manifest = json.loads((options.out / name).read_text(encoding="utf-8"))
    transfer = sum(manifest["packs"][pack]["transfer"] for pack in FIRST)
    say(f"{name}: {transfer / 1e6:.1f} MB of packs to the first result")


if __name__ == "__main__":
    main()

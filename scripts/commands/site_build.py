"""One build: wheel, runtime packs, browser bundle, pages in each language, the site's folder.

Every step writes below `build/` and the finished site replaces `site/` only at the end, so a
build that fails leaves the last good site in place.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from scripts import toolchain

ROOT = toolchain.ROOT
BUILD = ROOT / "build"
SITE = ROOT / "site"
LANGUAGES = {"en": "mkdocs.yml", "ko": "mkdocs.ko.yml"}
# A fixed time inside the wheel: the same sources give the same bytes, and so the same hash.
WHEEL_TIME = "1767225600"


class BuildError(Exception):
    """A step of the build failed; its own output says why."""


def python(*arguments: str, **options) -> subprocess.Popen:
    """Start a module of the environment's Python without the repository on its import path."""
    return subprocess.Popen([sys.executable, "-P", *arguments], cwd=ROOT, **options)


def finish(step: str, process: subprocess.Popen) -> None:
    """Wait for a started step and raise if it failed."""
    output = process.communicate()[0]
    if output:
        print(output, end="", flush=True)
    if process.returncode:
        raise BuildError(f"{step} failed (see above)")


def build_wheel() -> Path:
    """Build the wheel of dpdocs and install it; return its path."""
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": WHEEL_TIME}
    finish(
        "building the wheel",
        python("-m", "flit_core.wheel", "--outdir", str(folder), env=environment),
    )
    wheel = next(folder.glob("dpdocs-*.whl"))
    install_wheel(wheel)
    return wheel


def install_wheel(wheel: Path) -> None:
    """Install a wheel into the environment, unless these very bytes are installed already."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    stamp = toolchain.VENV / ".dpdocs-wheel"
    if stamp.is_file() and stamp.read_text() == digest:
        return
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index")
    finish("installing the wheel", python(*pip, "--no-deps", "--force-reinstall", str(wheel)))
    stamp.write_text(digest)


def build_pages(*, strict: bool) -> None:
    """Build both languages side by side; each is checked on its own."""
    started = {}
    for language, configuration in LANGUAGES.items():
        target = BUILD / "pages" / language
        arguments = ["-m", "mkdocs", "build", "--quiet", "-f", configuration, "-d", str(target)]
        started[language] = python(
            *arguments,
            *(["--strict"] if strict else []),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # Material's notice about its successor is known: requirements.in pins what it is about.
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        )
    failures = []
    for language, process in started.items():
        try:
            finish(f"building the {language} pages", process)
        except BuildError as failure:
            failures.append(str(failure))
    if failures:
        raise BuildError("; ".join(failures))


def assemble() -> None:
    """Lay pages, bundle and runtime together and put the whole in place of the old site."""
    fresh = BUILD / "site"
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(BUILD / "pages" / "en", fresh)
    shutil.copytree(BUILD / "pages" / "ko", fresh / "ko")
    assets = fresh / "assets" / "dpdocs"
    shutil.copytree(BUILD / "bundle", assets, dirs_exist_ok=True)
    shutil.copytree(BUILD / "runtime", assets / "runtime", dirs_exist_ok=True)
    # GitHub Pages would otherwise leave out what begins with an underscore.
    (fresh / ".nojekyll").touch()
    finish("checking the links", python("-m", "scripts.pages.links", str(fresh)))
    old = BUILD / "site-before"
    shutil.rmtree(old, ignore_errors=True)
    if SITE.exists():
        SITE.rename(old)
    fresh.rename(SITE)
    shutil.rmtree(old, ignore_errors=True)


def build(*, strict: bool = True) -> dict[str, float]:
    """Run the whole build; return the seconds that each step took."""
    seconds: dict[str, float] = {}

    def step(name: str, work) -> object:
        print(f"· {name}", flush=True)
        begun = time.monotonic()
        done = work()
        seconds[name] = time.monotonic() - begun
        return done

    wheel = step("wheel of dpdocs", build_wheel)
    pack = ("-m", "scripts.runtime.pack", "--wheel", str(wheel), "--out", str(BUILD / "runtime"))
    step("runtime packs", lambda: finish("packing the runtime", python(*pack)))
    step("fonts", lambda: finish("cutting the fonts", python("-m", "scripts.pages.fonts")))
    step(
        "browser bundle",
        lambda: finish(
            "bundling the browser code",
            subprocess.Popen([toolchain.node_command(), "scripts/bundle.mjs"], cwd=ROOT),
        ),
    )
    step("pages in both languages", lambda: build_pages(strict=strict))
    step("site folder and links", assemble)
    return seconds

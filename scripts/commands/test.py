"""Run every test: style and types, the package, the site's build, the runtime, the browser.

The site is built first, because the tests run on what a reader gets: the installed wheel is the one
that the pages carry. The last line counts what ran.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field

from scripts import toolchain
from scripts.commands.site_build import BUILD, BuildError, build

REPORTS = BUILD / "reports"


@dataclass
class Tally:
    """How many checks passed and failed, and the names of the parts that failed."""

    passed: int = 0
    failed: int = 0
    failed_parts: list[str] = field(default_factory=list)

    def add(self, part: str, passed: int, failed: int) -> None:
        self.passed += passed
        self.failed += failed
        if failed:
            self.failed_parts.append(part)


def module(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", *arguments]


def tool(tally: Tally, part: str, *arguments: str) -> None:
    """Run one checker that passes or fails as a whole."""
    code = subprocess.run(module(*arguments), cwd=toolchain.ROOT, check=False).returncode
    tally.add(part, int(code == 0), int(code != 0))


def pytest(tally: Tally, part: str, *arguments: str) -> None:
    """Run pytest and count its cases; a run in which nothing ran has failed."""
    report = REPORTS / f"{part.replace(' ', '-')}.xml"
    command = module("pytest", "-q", f"--junitxml={report}", *arguments)
    report.unlink(missing_ok=True)
    code = subprocess.run(command, cwd=toolchain.ROOT, check=False).returncode
    total = failed = skipped = 0
    if report.is_file():
        for suite in ElementTree.parse(report).iter("testsuite"):
            total += int(suite.get("tests", 0))
            failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            skipped += int(suite.get("skipped", 0))
    passed = total - failed - skipped
    tally.add(part, passed, failed or int(code != 0 or passed == 0))


def counted(tally: Tally, part: str, command: list[str], pattern: str) -> None:
    """Run a runner of another kind and read its counts with a pattern (passed, failed)."""
    run = subprocess.run(
        command, cwd=toolchain.ROOT, check=False, text=True, stdout=subprocess.PIPE
    )
    print(run.stdout, flush=True)
    found = re.search(pattern, run.stdout, re.DOTALL)
    passed, failed = map(int, found.groups()) if found else (0, 0)
    tally.add(part, passed, failed or int(run.returncode != 0 or passed == 0))


def check_style(tally: Tally) -> None:
    tool(tally, "ruff", "ruff", "check", ".")
    tool(tally, "ruff format", "ruff", "format", "--check", ".")
    tool(tally, "mypy", "mypy")


def check_package(tally: Tally) -> None:
    pytest(tally, "package", "tests/dpdocs", "tests/labs", "tests/lessons", "-n", "2")
    pytest(tally, "docstring examples", "--doctest-modules", "--pyargs", "dpdocs")


def check_site(tally: Tally) -> None:
    pytest(tally, "site build", "tests/site", "tests/scripts", "-n", "2")
    modules = sorted(map(str, (toolchain.ROOT / "tests" / "page").glob("*.test.js")))
    node = [toolchain.node_command(), "--test", "--test-reporter=tap", *modules]
    counted(tally, "page modules", node, r"# pass (\d+)\s+# fail (\d+)")


def check_runtime(tally: Tally) -> None:
    command = module("scripts.runtime.tests_in_runtime")
    counted(tally, "package in the runtime", command, r"(\d+) passed, (\d+) failed")
    pytest(tally, "runtime", "tests/runtime")


def check_browser(tally: Tally) -> None:
    pytest(tally, "pages in Chromium", "tests/page")


PARTS: dict[str, Callable[[Tally], None]] = {
    "style": check_style,
    "package": check_package,
    "site": check_site,
    "runtime": check_runtime,
    "browser": check_browser,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/test", description=__doc__.splitlines()[0])
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"run only these: {', '.join(PARTS)}"
    )
    parser.add_argument(
        "--no-build", action="store_true", help="test the site as it was built last"
    )
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))} (there are {', '.join(PARTS)})")
    os.environ.setdefault("DPDOCS_CHROMIUM", toolchain.chromium() or "")
    REPORTS.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    begun = time.monotonic()
    if not options.no_build:
        try:
            build()
            tally.add("build", 1, 0)
        except BuildError as failure:
            sys.exit(f"scripts/test: {failure}\n0 passed, 1 failed")
    for name, check in PARTS.items():
        if options.parts and name not in options.parts:
            continue
        print(f"\n=== {name} ({time.monotonic() - begun:.0f} s so far)", flush=True)
        check(tally)
    print(f"\n{time.monotonic() - begun:.0f} s")
    if tally.failed_parts:
        print("failed: " + ", ".join(tally.failed_parts))
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(1 if tally.failed else 0)


if __name__ == "__main__":
    main()

"""Runs inside the browser's Python: pytest, from mounted folders, on the packed dpdocs."""

import importlib.metadata
import os
import sys


def run(arguments):
    """Run pytest; return its exit code."""
    # Behind the packs: what is tested is what the page gets.
    sys.path += ["/tools", "/repository"]
    sys.dont_write_bytecode = True
    import hypothesis_native

    hypothesis_native.install(importlib.metadata.version("hypothesis"))
    import pytest

    os.makedirs("/work", exist_ok=True)
    with open("/work/pytest.ini", "w") as settings:
        settings.write("[pytest]\nxfail_strict = true\nmarkers =\n    browser: needs Chromium\n")
    os.chdir("/work")
    chosen = ["-q", "-ra", "-c", "/work/pytest.ini", "--rootdir=/repository", "--strict-markers"]
    chosen += [
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:faulthandler",
        "--capture=sys",
    ]
    chosen += [
        f"/repository/{argument}" if argument.startswith("tests/") else argument
        for argument in arguments
    ]
    counter = Counter()
    code = int(pytest.main(chosen, plugins=[counter]))
    print(
        f"{counter.passed} passed, {counter.failed} failed, {counter.skipped} skipped inside "
        f"Python {sys.version.split()[0]} on {sys.platform}, {sys.maxsize.bit_length() + 1} bits"
    )
    return code


class Counter:
    """Counts what pytest reports."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        self.skipped += report.skipped
        if report.when == "call":
            self.passed += report.passed
            self.failed += report.failed
        else:
            self.failed += report.failed

    def pytest_collectreport(self, report):
        self.failed += report.failed
        self.skipped += report.skipped

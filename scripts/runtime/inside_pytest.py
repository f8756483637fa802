"""Runs inside the browser's Python: pytest, from mounted folders, on the packed dpdocs."""

import importlib.metadata
import os
import sys

NO_PROCESSES = "emscripten does not support processes"


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
    chosen += ["--import-mode=importlib", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
    chosen += ["--capture=sys"]
    chosen += [
        f"/repository/{argument}" if argument.startswith("tests/") else argument
        for argument in arguments
    ]

    class Reports:
        """Counts what is reported; a test that needs a second process cannot run here."""

        passed = failed = skipped = 0

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(self, item, call):
            report = yield
            if call.excinfo is not None and NO_PROCESSES in str(call.excinfo.value):
                report.outcome = "skipped"
                report.longrepr = (str(item.path), item.location[1], "a browser has no processes")
            return report

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

    reports = Reports()
    code = int(pytest.main(chosen, plugins=[reports]))
    print(
        f"{reports.passed} passed, {reports.failed} failed, {reports.skipped} skipped inside "
        f"Python {sys.version.split()[0]} on {sys.platform}, {sys.maxsize.bit_length() + 1} bits"
    )
    return code

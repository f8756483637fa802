"""How tests and measurements start Chromium: headless, and without calls home."""

from __future__ import annotations

from playwright.sync_api import Browser, Playwright

from scripts import toolchain

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]


def launch(playwright: Playwright) -> Browser:
    """Start the Chromium that the set-up found, with an empty profile."""
    program = toolchain.chromium()
    if program is None:
        raise toolchain.SetupError("Chromium is missing; scripts/test says how to install it")
    return playwright.chromium.launch(executable_path=program, args=FLAGS)

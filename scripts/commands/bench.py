"""Measure on this machine: start-up against stock loading, redraw, second page, bytes, build.

Everything that is compared is measured in one run, in turns, in the same Chromium, so that the
ratios mean something on a busy machine too. Times are medians unless it says otherwise.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from scripts.chromium import launch
from scripts.commands.site_build import SITE, build
from scripts.static_host import serve

LESSON = "mechanisms/laplace/"
SECOND = "mechanisms/gaussian/"
TARGETS = {
    "cold": 0.40,
    "warm": 0.42,
    "second": 0.2,
    "redraw": 50.0,
    "text": 350.0,
}

# Reaches for the scale of the page's lab as soon as the lab is alive, as an impatient reader would,
# and keeps the time at which the first computed result stood on the page.
IMPATIENT = """
(() => {
  window.dpBench = { settled: null };
  document.addEventListener("dp-settled", () => {
    requestAnimationFrame(() => { window.dpBench.settled ??= performance.now(); });
  }, true);
  const reach = () => {
    const lab = document.querySelector(".dp-lab[data-state]");
    const field = lab?.querySelector('input[name="scale"]');
    if (!field) return requestAnimationFrame(reach);
    field.dispatchEvent(new Event("focusin", { bubbles: true }));
    field.value = field.value === "3" ? "4" : "3";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  window.dpBench.reach = () => {
    window.dpBench.settled = null;
    window.dpBench.begun = performance.now();
    reach();
  };
  if (!window.dpPatient) reach();
})();
"""
PATIENT = "window.dpPatient = true;"
# A reader whose browser asks to save data: the page then loads nothing before it is asked to.
SAVING = """
Object.defineProperty(Navigator.prototype, "connection", {
  get: () => ({ saveData: true, effectiveType: "4g", addEventListener() {} }),
});
"""


@contextmanager
def reader(browser: Browser, *scripts: str) -> Iterator[BrowserContext]:
    """Yield a browser profile without a cache from before."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)
    for script in scripts:
        context.add_init_script(script)
    yield context
    context.close()


def first_result(context: BrowserContext, address: str) -> float:
    """Open a page in a fresh tab; return the seconds until its first computed result."""
    page = context.new_page()
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.dpBench?.settled")
    seconds = page.evaluate("window.dpBench.settled") / 1000
    page.close()
    return seconds


def measure_start(browser: Browser, address: str, rounds: int) -> None:
    """Navigation to first computed result, packed against stock, cold and warm, in turns."""
    ways = {"dpdocs": LESSON, "stock": LESSON + "?runtime=stock"}
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for way, path in ways.items():
            with reader(browser, IMPATIENT) as context:
                for state in ("cold", "warm"):
                    seconds = first_result(context, address + path)
                    times.setdefault((way, state), []).append(seconds)
    print("\nnavigation to first computed result")
    for state in ("cold", "warm"):
        ours, stock = (statistics.median(times[way, state]) for way in ways)
        row(f"{state}: dpdocs {ours:.2f} s, stock {stock:.2f} s", ours / stock, TARGETS[state], "")


def measure_second_page(browser: Browser, address: str, rounds: int) -> None:
    """From the click on a link to the first computed result of the next page of a visit."""
    times = []
    with reader(browser, PATIENT, IMPATIENT) as context:
        page = ready_page(context, address)
        for number in range(rounds):
            target = SECOND if number % 2 == 0 else LESSON
            page.evaluate(
                """(path) => {
                  const link = [...document.querySelectorAll(".md-nav a[href]")]
                    .find((one) => new URL(one.href).pathname.endsWith(path));
                  window.dpBench.settled = null;
                  window.dpBench.begun = performance.now();
                  const old = document.querySelector(".dp-lab");
                  const wait = () => old.isConnected ? requestAnimationFrame(wait) : go();
                  const begun = window.dpBench.begun;
                  const go = () => { window.dpBench.reach(); window.dpBench.begun = begun; };
                  link.click();
                  wait();
                }""",
                target,
            )
            page.wait_for_function("window.dpBench.settled")
            times.append(page.evaluate("window.dpBench.settled - window.dpBench.begun") / 1000)
    print("\nsecond page of a visit, from click to computed result")
    row("median, s", statistics.median(times), TARGETS["second"], " s")


def measure_redraw(browser: Browser, address: str, moves: int) -> None:
    """From a slider's input event to the frame that shows the redrawn figures."""
    with reader(browser, PATIENT, IMPATIENT) as context:
        page = ready_page(context, address)
        times = page.evaluate(
            """async (moves) => {
              const lab = document.querySelector(".dp-lab");
              const slider = lab.querySelector('[data-slider="scale"]');
              const low = Number(slider.min), high = Number(slider.max);
              const times = [];
              for (let move = 0; move < moves; move += 1) {
                const settled = new Promise((done) => {
                  const drawn = () => requestAnimationFrame(done);
                  lab.addEventListener("dp-settled", drawn, { once: true });
                });
                slider.value = low + (high - low) * (0.3 + 0.4 * ((move * 7) % 50) / 50);
                const begun = performance.now();
                slider.dispatchEvent(new Event("input", { bubbles: true }));
                await settled;
                times.push(performance.now() - begun);
              }
              return times;
            }""",
            moves,
        )
    times.sort()
    worst = times[math.ceil(0.95 * len(times)) - 1]
    print(f"\nslider input to redrawn figures, {moves} moves")
    print(f"  median {statistics.median(times):.0f} ms")
    row("95th percentile, ms", worst, TARGETS["redraw"], " ms")


def ready_page(context: BrowserContext, address: str) -> Page:
    """Open the lesson and wait until its lab has answered once."""
    page = context.new_page()
    page.goto(address + LESSON, wait_until="load")
    page.evaluate("window.dpBench.reach()")
    page.wait_for_function("window.dpBench.settled")
    # A move that only warms what the first move of a reader would warm as well.
    page.evaluate("window.dpBench.reach()")
    page.wait_for_timeout(1500)
    return page


def measure_bytes(browser: Browser, address: str) -> None:
    """Bytes on the wire until the text can be read, and then until a lab has answered."""
    print("\nbytes transferred (gzip)")
    for name, path in (("home", ""), ("lesson", LESSON), ("lesson in Korean", "ko/" + LESSON)):
        with reader(browser, SAVING, PATIENT, IMPATIENT) as context:
            page = context.new_page()
            network = context.new_cdp_session(page)
            network.send("Network.enable")
            sizes: list[float] = []
            network.on(
                "Network.loadingFinished", lambda e, s=sizes: s.append(e["encodedDataLength"])
            )
            page.goto(address + path, wait_until="networkidle")
            text = sum(sizes) / 1000
            page.evaluate("window.dpBench.reach()")
            page.wait_for_function("window.dpBench.settled")
            page.wait_for_timeout(500)
            workers = page.evaluate(
                """performance.getEntriesByType("resource")
                   .filter((one) => one.name.includes("/runtime/"))
                   .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
            )
        row(f"{name}: text, kB", text, TARGETS["text"], " kB")
        print(f"      with a computed result: {(sum(sizes) + workers) / 1e6:.1f} MB")


def measure_build() -> None:
    """A whole build, and the same build again with its caches filled."""
    print("\nbuild of the whole site")
    for name in ("first", "again"):
        begun = time.monotonic()
        steps = build()
        parts = ", ".join(f"{step} {seconds:.1f}" for step, seconds in steps.items())
        print(f"  {name}: {time.monotonic() - begun:.1f} s ({parts})")


def row(name: str, value: float, target: float, unit: str) -> None:
    verdict = "met" if value <= target else "NOT met"
    print(f"  {name}: {value:.3g}{unit} (target {target:g}{unit}: {verdict})")


def main() -> None:
    browser_parts: dict[str, Callable[[Browser, str, Any], None]] = {
        "start": lambda browser, address, o: measure_start(browser, address, o.rounds),
        "second": lambda browser, address, o: measure_second_page(browser, address, 2 * o.rounds),
        "redraw": lambda browser, address, o: measure_redraw(browser, address, 100),
        "bytes": lambda browser, address, o: measure_bytes(browser, address),
    }
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__.splitlines()[0])
    names = [*browser_parts, "build"]
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"only these: {', '.join(names)}")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each start (default 5)")
    options = parser.parse_args()
    if set(options.parts) - set(names):
        parser.error(f"there are these parts: {', '.join(names)}")
    wanted = options.parts or names
    if "build" in wanted:
        measure_build()
    elif not SITE.is_dir():
        build()
    with sync_playwright() as playwright, serve(SITE) as address:
        browser = launch(playwright)
        print(f"Chromium {browser.version}")
        for name, part in browser_parts.items():
            if name in wanted:
                part(browser, address, options)
        browser.close()


if __name__ == "__main__":
    main()

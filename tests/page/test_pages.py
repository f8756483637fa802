"""Every page: readable, accessible, self-contained; with and without what it may lean on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

LESSON = "mechanisms/laplace/"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="session")
def axe(root: Path) -> str:
    return (root / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def settled(page: Page) -> Page:
    """Wait until the page's own script has brought its blocks alive."""
    if page.locator(".dp-lab").count():
        expect(page.locator(".dp-lab").first).to_have_attribute("data-state", re.compile("."))
    return page


def findings(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found = page.evaluate(
        "() => axe.run(document, { resultTypes: ['violations'] })"
        ".then((result) => result.violations)"
    )
    return [
        f"{item['id']}: {item['help']} at {node['target']}"
        for item in found
        if item["impact"] in SERIOUS
        for node in item["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_accessibility_fault(
    visit: Any, pages: list[str], axe: str, scheme: str
) -> None:
    used = visit(color_scheme=scheme)
    wrong = {}
    for path in pages:
        page = settled(used.open(path))
        wanted = "slate" if scheme == "dark" else "default"
        assert page.evaluate("document.body.dataset.mdColorScheme") == wanted
        found = findings(page, axe)
        if found:
            wrong[path or "/"] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_python_brings_is_accessible_too(visit: Any, lab: Any, axe: str, scheme: str) -> None:
    page = visit(color_scheme=scheme).open(LESSON)
    live = lab(page)
    live.set(scale="0", delta="2")
    page.locator(".dp-cell").first.locator('[data-action="run"]').click()
    expect(page.locator(".dp-cell").first.locator(".dp-compare")).to_contain_text(
        "same", timeout=90_000
    )
    page.locator(".dp-cell").first.locator(".dp-source").focus()
    page.keyboard.press("Enter")
    page.locator("details.dp-progress summary").click()
    page.locator('.dp-exercise [type="submit"]').first.click()
    found = findings(page, axe)
    assert not found, "\n".join(found)


def test_nothing_scrolls_sideways_on_a_phone(visit: Any, pages: list[str]) -> None:
    used = visit(**PHONE)
    wide = {}
    for path in pages:
        page = settled(used.open(path))
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide[path or "/"] = page.evaluate(
                """() => [...document.querySelectorAll("main *")]
                  .filter((node) => node.getBoundingClientRect().right > 391
                    && !node.closest("pre, .dp-table, .dp-formula, .katex, svg"))
                  .map((node) => `${node.tagName}.${node.className}`).slice(0, 5)"""
            )
    assert not wide, wide


def test_a_lab_works_on_a_phone(visit: Any, lab: Any) -> None:
    page = visit(**PHONE).open(LESSON)
    live = lab(page)
    live.set(scale="1")
    assert live.shown()["verdicts"]["guarantee"]["holds"] == "false"
    figure = live.section.locator(".dp-figure-live svg").first.bounding_box()
    assert figure is not None
    assert 250 < figure["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_javascript_everything_can_be_read(visit: Any, pages: list[str]) -> None:
    used = visit(java_script_enabled=False)
    seen = dict.fromkeys((".dp-lab", ".dp-cell", ".dp-guide", ".dp-exercise"), 0)
    for path in pages:
        page = used.open(path)
        for kind in seen:
            seen[kind] += page.locator(kind).count()
        for figure in page.locator(".dp-lab .dp-figure, .dp-guide .dp-figure").all():
            expect(figure.locator(".dp-figure-built svg >> visible=true")).to_have_count(1)
        for step in page.locator(".dp-step").all():
            expect(step).to_be_visible()
        for readout in page.locator(".dp-lab output").all():
            expect(readout).not_to_be_empty()
        for output in page.locator(".dp-output").all():
            expect(output).to_be_visible()
            expect(output).not_to_be_empty()
        for button in page.locator(".dp-page button").all():
            expect(button).to_be_hidden()
        for hint in page.locator(".dp-hint-item").all():
            expect(hint).to_be_visible()
        for solution in page.locator(".dp-solution > summary").all():
            expect(solution).to_be_visible()
    assert all(seen.values()), f"no page has {[kind for kind, n in seen.items() if not n]}"


def test_dark_figures_use_dark_colours(visit: Any, lab: Any) -> None:
    """The colours of a live figure follow the theme: they are the page's own variables."""
    colours = {}
    for scheme in ("light", "dark"):
        page = visit(color_scheme=scheme).open(LESSON)
        live = lab(page)
        live.set(scale="1")
        colours[scheme] = page.evaluate(
            """() => [...document.querySelectorAll("#lab .dp-figure-live svg *")]
              .map((node) => getComputedStyle(node).stroke + getComputedStyle(node).fill)"""
        )
        variable = page.evaluate(
            "() => getComputedStyle(document.body).getPropertyValue('--dp-d').trim()"
        )
        red, green, blue = (int(variable[i : i + 2], 16) for i in (1, 3, 5))
        assert any(f"rgb({red}, {green}, {blue})" in colour for colour in colours[scheme])
    assert colours["light"] != colours["dark"]


def test_a_blocked_runtime_leaves_the_built_results(visit: Any, lab: Any, words: Any) -> None:
    used = visit()
    used.context.route("**/runtime/**", lambda route: route.abort())
    used.expect_problem("Failed to load|ERR_FAILED|fetch")
    page = used.open(LESSON)
    broken = lab(page)
    before = broken.shown()
    broken.field("scale").fill("1")
    expect(broken.status).to_contain_text("built results stay", timeout=30_000)
    expect(broken.section).to_have_attribute("data-state", "failed")
    after = broken.shown()
    assert after["readouts"] == before["readouts"]
    expect(broken.section.locator("svg:visible").first).to_be_visible()

    cell = page.locator(".dp-cell").first
    built = cell.locator(".dp-output").inner_html()
    cell.locator('[data-action="run"]').click()
    expect(cell.locator(".dp-compare")).to_contain_text("did not run", timeout=30_000)
    assert cell.locator(".dp-output").inner_html() == built

    # Exercises need no Python; and when the way is free again, trying again is enough.
    page.locator('.dp-exercise [type="submit"]').first.click()
    expect(page.locator(".dp-feedback").first).not_to_be_empty()
    used.context.unroute("**/runtime/**")
    broken.status.get_by_role("button").click()
    expect(broken.section).to_have_attribute("data-state", "current", timeout=60_000)
    assert broken.shown()["verdicts"]["guarantee"]["holds"] == "false"


@pytest.mark.parametrize(
    ("blocked", "detail"),
    [
        ("**/core-*.pack.gz", r": core-\w+\.pack\.gz \([^()]+\)\."),
        ("**/*.wasm", r": pyodide\.asm\.wasm \([^()]+\)\."),
        ("**/worker-*.js", r"\(worker\.js\)"),
    ],
)
def test_what_did_not_come_is_named(visit: Any, lab: Any, blocked: str, detail: str) -> None:
    """By its name alone: the words around it are the page's, in any language."""
    used = visit()
    used.context.route(blocked, lambda route: route.abort())
    used.expect_problem("Failed to load|ERR_FAILED|fetch|packed start|wasm instantiation")
    broken = lab(used.open("ko/" + LESSON))
    broken.field("scale").fill("1")
    expect(broken.status).to_contain_text(re.compile(detail), timeout=60_000)


def swipe(page: Page, place: str) -> None:
    """Scroll by a finger that lands in the middle of an element."""
    target = page.locator(place).first
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, min(box["y"] + box["height"] / 2, 700)
    before = page.evaluate("scrollY")
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y})
    for step in range(1, 11):
        send("touchMove", {"x": x, "y": y - 20 * step})
    send("touchEnd")
    page.wait_for_function("before => scrollY !== before", arg=before)


def test_python_waits_until_it_is_wanted(visit: Any) -> None:
    """Where data is saved nothing loads ahead, nor by scrolling over a lab; a tap on it loads."""
    used = visit(**PHONE)
    used.context.add_init_script(
        "Object.defineProperty(navigator, 'connection',"
        " { value: { effectiveType: '4g', saveData: true } });"
    )
    page = settled(used.open(LESSON))
    page.wait_for_timeout(1500)
    for place in (".dp-lab form", ".dp-cell .dp-source"):
        swipe(page, place)
    page.wait_for_timeout(1000)
    assert not [url for url in used.requests if "/runtime/" in url]
    with page.expect_request("**/runtime/**", timeout=15_000):
        page.locator('#lab input[name="scale"]').tap()


def test_the_text_is_there_before_python(visit: Any) -> None:
    """Nothing of the runtime is asked for before the page has loaded."""
    used = visit()
    order: list[str] = []
    used.page.on("load", lambda _: order.append("load"))
    used.context.on("request", lambda r: order.append("runtime") if "/runtime/" in r.url else None)
    settled(used.open(LESSON))
    used.page.wait_for_timeout(1000)
    assert order[0] == "load"


def test_the_text_costs_little(visit: Any) -> None:
    """What is transferred until a lesson can be read, Python and its tools left aside."""
    used = visit()
    used.context.add_init_script(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
    )
    page = settled(used.open(LESSON))
    page.wait_for_timeout(500)
    sizes = page.evaluate(
        """() => Object.fromEntries(["navigation", "resource"]
          .flatMap((kind) => performance.getEntriesByType(kind))
          .map((entry) => [entry.name, entry.transferSize]))"""
    )
    assert sum(sizes.values()) <= 350_000, json.dumps(sizes, indent=1)


def test_paper_shows_every_step(visit: Any) -> None:
    page = settled(visit().open(LESSON))
    page.emulate_media(media="print")
    for step in page.locator(".dp-step").all():
        expect(step).to_be_visible()


def test_without_the_pages_script_every_step_is_in_sight(visit: Any, site: Path) -> None:
    used = visit()
    used.context.route(re.compile(r"/main-\w+\.js$"), lambda route: route.abort())
    used.expect_problem("ERR_FAILED")
    page = used.open(LESSON)
    for step in page.locator(".dp-step").all():
        expect(step).to_be_visible()


def test_the_next_page_keeps_the_worker(visit: Any, lab: Any) -> None:
    used = visit()
    page = used.open(LESSON)
    lab(page).set(scale="1")
    page.evaluate("window.thisVisit = true")
    loaded = [url for url in used.requests if "/runtime/" in url]
    assert loaded
    page.evaluate("document.querySelector('a[href$=\"gaussian/\"]').click()")
    expect(page.locator('[data-lesson="mechanisms/gaussian"]')).to_be_attached()
    section = page.locator(".dp-lab").first
    expect(section).to_have_attribute("data-state", "built")
    assert page.evaluate("window.thisVisit") is True, "the page was loaded anew"
    again = lab(page, section.get_attribute("id"))
    before = len(used.requests)
    again.settled(lambda: again.field("scale").fill("3"))
    assert not [url for url in used.requests[before:] if "/runtime/" in url]
    assert len([url for url in used.requests if "/runtime/" in url]) == len(loaded)
    page.go_back()
    # The address comes before the page.
    expect(page.locator('[data-lesson="mechanisms/laplace"]')).to_be_attached()
    expect(page.locator("#lab")).to_have_attribute("data-state", re.compile("."))
    lab(page).set(scale="3")
    assert lab(page).shown()["verdicts"]["guarantee"]["holds"] == "true"


def test_instant_navigation_starts_every_block_once(visit: Any) -> None:
    page = visit().open(LESSON)
    settled(page)
    page.evaluate("window.sameVisit = true")
    page.evaluate("document.querySelector('a[href$=\"gaussian/\"]').click()")
    expect(page.locator('[data-lesson="mechanisms/gaussian"]')).to_be_attached()
    # Nothing was loaded anew, so the worker with its Python is still the one of the first page.
    assert page.evaluate("window.sameVisit") is True
    expect(page.locator(".dp-lab").first).to_have_attribute("data-state", "built")
    assert page.locator(".dp-guide").count() == page.locator(".dp-guide-bar").count()
    assert page.locator("details.dp-progress").count() == 1
    for cell in page.locator(".dp-cell").all():
        expect(cell.locator(".dp-keys")).to_have_count(1)


def test_both_languages_lead_to_each_other(visit: Any) -> None:
    page = visit().open(LESSON)
    assert page.locator("html").get_attribute("lang") == "en"
    page.locator('a.dp-language-link[hreflang="ko"]').click()
    page.wait_for_url("**/ko/mechanisms/laplace/")
    assert page.locator("html").get_attribute("lang") == "ko"
    expect(page.locator(".dp-guide-place")).to_have_text(re.compile("단계"))
    page.locator('a.dp-language-link[hreflang="en"]').click()
    page.wait_for_url(re.compile(r"/dpdocs/mechanisms/laplace/$"))


def test_the_foot_names_version_and_wheel(
    visit: Any, root: Path, wheel_hash: str, words: Any
) -> None:
    page = visit().open(LESSON)
    foot = page.locator(".md-footer")
    assert re.search(r"dpdocs \d+\.\d+", foot.inner_text())
    assert wheel_hash in page.locator(".md-footer abbr").first.get_attribute("title")
    expect(page.locator(".dp-runtime")).to_contain_text(
        words["en"]("@page.foot.ready"), timeout=60_000
    )


def test_the_guide_goes_step_by_step(visit: Any) -> None:
    page = visit().open(LESSON)
    steps = page.locator("#picture .dp-step")
    back, on = page.locator("#picture .dp-guide-bar button").all()
    expect(steps.nth(0)).to_be_visible()
    expect(steps.nth(1)).to_be_hidden()
    height = page.locator("#picture").bounding_box()["height"]
    on.focus()
    page.keyboard.press("Enter")
    expect(steps.nth(1)).to_be_visible()
    expect(steps.nth(0)).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(steps.nth(2)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(steps.nth(1)).to_be_visible()
    assert page.locator("#picture").bounding_box()["height"] == height, "a step moved the page"
    back.click()
    expect(back).to_have_attribute("aria-disabled", "true")
    page.goto(page.url.split("#")[0] + "#picture-3")
    expect(steps.nth(2)).to_be_visible()
    expect(page.locator("#picture .dp-announce")).to_be_attached()


def test_the_page_does_not_move_while_it_comes_alive(visit: Any) -> None:
    used = visit()
    used.context.add_init_script(
        """window.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if (!entry.hadRecentInput) window.shift += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    page = settled(used.open(LESSON))
    page.wait_for_timeout(1500)
    assert page.evaluate("window.shift") < 0.02


def test_no_eval_and_no_markup_at_run_time(root: Path) -> None:
    """Nothing computed is ever parsed as HTML or as JavaScript."""
    sources = list((root / "docs" / "page").rglob("*.js"))
    assert len(sources) > 15
    for file in sources:
        text = file.read_text(encoding="utf-8")
        for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert name not in text, f"{file.name} uses {name}"


def test_the_page_works_where_eval_is_forbidden(visit: Any, lab: Any) -> None:
    """Figures draw without `unsafe-eval`; Python itself needs only `wasm-unsafe-eval`."""
    used = visit()

    def guard(route: Any) -> None:
        answer = route.fetch()
        policy = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'"
        route.fulfill(
            response=answer, headers={**answer.headers, "content-security-policy": policy}
        )

    used.context.route(re.compile(r"/laplace/$"), guard)
    page = used.open(LESSON)
    live = lab(page)
    live.set(scale="1")
    assert live.section.locator(".dp-figure-live svg").count() >= 1

"""The client and its worker in Chromium, on a page of their own."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

import dpdocs.labs
from scripts.runtime import flat

pytestmark = pytest.mark.browser

LOOP = "while True:\n    pass"
SETTINGS = [
    {},
    {"query": "mean", "n": "7", "scale": "0.1", "epsilon": "3"},
    {"query": "count", "noise": "gaussian", "scale": "0.5", "delta": "1e-5"},
    {"query": "constant", "noise": "gaussian", "epsilon": "0"},
    {"noise": "gaussian", "scale": "1e-2", "epsilon": "50"},
]


def natively(values: dict[str, str]) -> Any:
    """The lab's result as JSON makes it."""
    result = dpdocs.labs.get("sensitivity").compute(**values).as_data()
    return json.loads(json.dumps(result))


def close(one: Any, other: Any) -> bool:
    """Equal, numbers within the last digits that two machines may round differently."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, (int, float)):
        return one == pytest.approx(other, rel=1e-12, abs=0)
    return bool(one == other)


class TestLabs:
    @pytest.mark.parametrize("values", SETTINGS)
    def test_equals_what_python_computes_natively(
        self, warm_client: Any, values: dict[str, str]
    ) -> None:
        answer = warm_client.lab(**values)
        assert close(answer["result"]["readouts"], natively(values)["readouts"])
        assert answer["result"]["verdicts"] == natively(values)["verdicts"]

    def test_refuses_each_wrong_control(self, warm_client: Any) -> None:
        refused = warm_client.lab(scale="-1", n="2.5", epsilon="1,5")["refused"]
        cases = {one["parameter"]: one["case"] for one in refused}
        assert cases == {"scale": "not-positive", "n": "not-whole", "epsilon": "decimal-comma"}

    def test_an_unknown_lab_is_an_error(self, warm_client: Any) -> None:
        said = warm_client.call("() => runtime.lab('nothing', {}).catch((e) => e.message)")
        assert "must be the name of a lab" in said

    def test_a_newer_question_takes_the_place_of_older_ones(self, warm_client: Any) -> None:
        answers = warm_client.call(
            """async () => {
              const ask = (scale) => runtime.lab("sensitivity", {scale}, {latest: "lab"});
              const all = await Promise.all(["1", "2", "3", "4", "5"].map(ask));
              return all.map((one) => one.superseded ?? one.result.readouts.mse.value);
            }"""
        )
        # The first was begun before the others came.
        assert answers == [2.0, True, True, True, 50.0]

    def test_other_keys_do_not_disturb_each_other(self, warm_client: Any) -> None:
        answers = warm_client.call(
            """async () => {
              const ask = (latest) => runtime.lab("sensitivity", {}, {latest});
              const all = await Promise.all(["a", "b", "c"].map(ask));
              return all.map((one) => Object.keys(one)[0]);
            }"""
        )
        assert answers == ["result"] * 3


class TestCells:
    def test_names_live_in_their_page(self, warm_client: Any) -> None:
        warm_client.text("kept = 1", scope="one")
        assert warm_client.text("print(kept)", scope="one") == "1\n"
        assert warm_client.cell("kept", scope="two")["error"]["type"] == "NameError"
        warm_client.call("() => runtime.reset('one')")
        assert warm_client.cell("kept", scope="one")["error"]["type"] == "NameError"

    def test_outputs_come_while_the_cell_runs(self, warm_client: Any) -> None:
        times = warm_client.call(
            """async () => {
              const times = [];
              const source =
                "import time\\nfor i in range(3):\\n    print(i)\\n    time.sleep(0.3)";
              const begun = performance.now();
              const ended = await runtime.run({
                source, scope: "page", filename: "cell.py",
                onOutput: (output) => times.push([output.text, performance.now() - begun]),
              });
              return [times, performance.now() - begun, ended.ok, ended.outputs.length];
            }"""
        )
        pieces, whole, ok, count = times
        assert ok
        assert count == len(pieces)
        assert "".join(text for text, _ in pieces) == "0\n1\n2\n"
        assert pieces[0][1] < whole - 300

    def test_a_million_lines(self, warm_client: Any) -> None:
        ended = warm_client.call(
            """async () => {
              let calls = 0, ticks = 0;
              const watch = setInterval(() => (ticks += 1), 10);
              const ended = await runtime.run({
                source: "for i in range(1_000_000):\\n    print(i)",
                scope: "page", filename: "cell.py", onOutput: () => (calls += 1),
              });
              clearInterval(watch);
              const size = ended.outputs.reduce((sum, {text}) => sum + text.length, 0);
              return {...ended, outputs: null, calls, ticks, size};
            }"""
        )
        assert ended["ok"]
        assert ended["truncated"]
        assert ended["calls"] < 100
        assert ended["size"] <= 100_000
        assert ended["ticks"] > 3, "the page stood still"

    def test_errors_have_the_readers_lines(self, warm_client: Any) -> None:
        error = warm_client.cell("import numpy as np\n\nnp.zeros(2) + np.zeros(3)")["error"]
        assert (error["type"], error["line"]) == ("ValueError", 3)
        assert 'File "cell.py", line 3' in error["trace"]
        assert "numpy/" not in error["trace"]
        assert warm_client.cell("x = 1\nx = = 2")["error"]["line"] == 2

    def test_ordinary_recursion_is_an_ordinary_error(self, warm_client: Any) -> None:
        error = warm_client.cell("def f(n):\n    return f(n + 1)\nf(0)")["error"]
        assert error["type"] == "RecursionError"
        assert warm_client.text("print('alive')") == "alive\n"

    def test_three_gigabytes(self, warm_client: Any) -> None:
        for source in ("bytearray(3 * 10**9)", "import numpy as np\nnp.ones(400_000_000)"):
            error = warm_client.cell(source)["error"]
            assert error["type"] in ("MemoryError", "OverflowError", "ValueError")
        assert warm_client.text("print('alive')") == "alive\n"

    def test_what_is_not_here(self, warm_client: Any) -> None:
        error = warm_client.cell("import pandas")["error"]
        assert (error["type"], error["line"]) == ("ModuleNotFoundError", 1)
        assert "NumPy, SciPy, Matplotlib" in error["message"]

    def test_checks(self, warm_client: Any) -> None:
        found = warm_client.call(
            """() => runtime.check({
              source: "def double(x):\\n    return 2 * x", scope: "page",
              expression: "[double(2), double('a')]",
            })"""
        )
        assert (found["ok"], found["value"]) == (True, [4, "aa"])


class TestPacks:
    """Modules that come when they are imported."""

    def test_scipy_and_matplotlib_come_when_a_cell_names_them(self, client: Any) -> None:
        text = client.text(
            "from scipy.optimize import brentq\nprint(brentq(lambda x: x - 2, 0, 3))"
        )
        assert float(text) == pytest.approx(2)
        ended = client.cell("import matplotlib.pyplot as plt\nplt.plot([1, 2])")
        assert ended["ok"], ended["error"]
        assert [output["kind"] for output in ended["outputs"]] == ["image"]
        said = [
            one["message"]["values"]["what"]
            for one in client.call("() => news")
            if (one["message"] or {}).get("message") == "page.runtime.loading"
            and one["state"] == "loading"
        ]
        assert any("SciPy" in what for what in said)
        assert any("Matplotlib" in what for what in said)

    def test_a_hidden_import_is_fetched_while_it_waits(self, client: Any) -> None:
        source = (
            "import importlib\nm = importlib.import_module('scipy.linalg')\nprint(m.det([[2.0]]))"
        )
        assert client.text(source) == "2.0\n"
        assert client.text("import numpy as np\nprint(np.random.default_rng(0).integers(9) < 9)")

    def test_light_special_functions_are_the_full_ones(self, client: Any) -> None:
        source = """
import sys
from scipy import special
from dpdocs_page.light import LightSpecial
light = {n: getattr(special, n) for n in special._ufuncs.__all__ if n not in LightSpecial.wrapped}
assert "scipy.special._basic" not in sys.modules
special.logsumexp([1.0])
assert "scipy.special._basic" in sys.modules
print([n for n, f in light.items() if getattr(special, n) is not f], len(light) > 200)
print(round(special.ellip_harm(5, 8, 1, 1, 2.5), 6), special.__name__)
"""
        assert client.text(source) == "[] True\n2.5 scipy.special\n"

    def test_lost_packs_are_an_error_of_the_import(self, client: Any) -> None:
        assert client.text("print(1)") == "1\n"
        client.page.context.route("**/*.pack.gz", lambda route: route.abort())
        error = client.cell("x = 1\nimport scipy.linalg")["error"]
        assert (error["type"], error["line"]) == ("ImportError", 2)
        assert "did not arrive" in error["message"]
        client.page.context.unroute("**/*.pack.gz")
        assert client.text("import scipy.linalg\nprint(2)") == "2\n"


class TestStopping:
    def test_a_loop_for_ever(self, client: Any) -> None:
        client.text("kept = 1")
        client.call(
            "(source) => { window.cell = runtime.run({source, scope: 'page', filename: 'c.py'}); }",
            f"print('before', flush=True)\n{LOOP}",
        )
        client.page.wait_for_function("runtime.state === 'busy'")
        # The spare has begun to warm by then.
        client.page.wait_for_timeout(2500)
        client.call("() => runtime.stop()")
        ended = client.call("() => window.cell")
        assert ended["stopped"]
        assert not ended["ok"]
        assert ended["outputs"][0]["text"] == "before\n"
        news = client.until("ready")
        assert news["message"]["message"] == "page.runtime.stopped"
        assert client.cell("kept")["error"]["type"] == "NameError"
        assert client.call("() => runtime.message") is None

    def test_a_lab_that_waits_is_computed_after_all(self, client: Any) -> None:
        client.lab()
        answer = client.call(
            """async (source) => {
              const cell = runtime.run({source, scope: "page", filename: "c.py"});
              const lab = runtime.lab("sensitivity", {scale: "3"}, {latest: "lab"});
              const later = runtime.run({source: "1", scope: "page", filename: "d.py"});
              await new Promise((done) => setTimeout(done, 500));
              runtime.stop();
              return [await cell, await lab, await later];
            }""",
            LOOP,
        )
        assert answer[0]["stopped"]
        assert answer[1]["result"]["readouts"]["mse"]["value"] == 18
        assert answer[2]["stopped"]

    def test_stop_without_a_run_changes_nothing(self, client: Any) -> None:
        client.text("kept = 1")
        client.call("() => runtime.stop()")
        assert client.text("print(kept)") == "1\n"


class TestCrashes:
    DEEP = "x = []\nfor _ in range(300_000):\n    x = [x]\nprint('so far')\nrepr(x)"

    def test_deep_recursion_is_survived(self, client: Any) -> None:
        ended = client.cell(self.DEEP)
        assert not ended["ok"]
        key = {"message": "page.runtime.crashed.recursion"}
        assert (ended["error"] or {}).get("message") == key, ended
        assert client.until("ready")["message"] == key
        assert client.text("print('alive')") == "alive\n"

    def test_a_lab_behind_a_crash_is_computed(self, client: Any) -> None:
        answer = client.call(
            """async (source) => {
              const cell = runtime.run({source, scope: "page", filename: "c.py"});
              const lab = runtime.lab("sensitivity", {scale: "3"});
              return [(await cell).error.type, (await lab).result.readouts.mse.value];
            }""",
            self.DEEP,
        )
        assert answer == ["Crash", 18]

    def test_a_worker_that_dies_is_replaced(self, client: Any) -> None:
        client.text("kept = 1")
        error = client.cell(
            "import js\njs.setTimeout(js.eval('() => { throw new Error(1) }'), 0)\nimport time\n"
        )
        del error
        client.page.wait_for_function(
            "news.some(({message}) => message?.message === 'page.runtime.crashed.crash')"
        )
        client.until("ready")
        assert client.text("print('alive')") == "alive\n"


class TestStart:
    def test_nothing_is_fetched_before_it_is_asked_for(self, client: Any) -> None:
        assert client.call("() => runtime.state") == "idle"
        assert client.call("() => performance.getEntriesByType('resource').length") < 20
        assert not client.call(
            "() => performance.getEntriesByType('resource').some((e) => /runtime-/.test(e.name))"
        )

    def test_says_how_far_it_is(self, client: Any) -> None:
        client.call("() => runtime.warm('test')")
        client.until("ready")
        states = [one["state"] for one in client.call("() => news")]
        assert states[0] == "idle"
        assert set(states[1:-1]) == {"loading"}
        assert states[-1] == "ready"
        loading = [one for one in client.call("() => news") if one["total"]]
        assert loading[-1]["loaded"] == loading[-1]["total"] > 5_000_000
        assert client.messages.count("page.runtime.starting") >= 1
        text = next(
            one["message"]["values"]
            for one in loading
            if one["message"]["message"] == "page.runtime.loading"
        )
        assert text["what"] == "Python, NumPy"
        assert float(text["loaded"]) <= float(text["total"])

    def test_the_stock_way_gives_the_same(self, client: Any, address: str) -> None:
        client.page.goto(f"{address}?runtime=stock")
        client.page.wait_for_function("window.runtime !== undefined")
        values = {"noise": "gaussian", "scale": "3"}
        assert close(client.lab(**values)["result"]["readouts"], natively(values)["readouts"])
        assert client.call("() => runtime.mode") == "stock"
        ended = client.cell("import matplotlib.pyplot as plt\nplt.plot([1])")
        assert [output["kind"] for output in ended["outputs"]] == ["image"]
        assert client.text("from scipy.optimize import brentq\nprint(brentq(lambda x: x, -1, 1))")

    def test_the_stock_way_stands_behind_the_packed_one(self, client: Any) -> None:
        """A pack that Python cannot start from, as after an update that changed its inside."""
        empty = gzip.compress(flat.write({}, modules={}))
        client.page.context.route("**/core-*.pack.gz", lambda route: route.fulfill(body=empty))
        said: list[str] = []
        client.page.on("console", lambda message: said.append(message.text))
        assert client.lab()["result"]["readouts"]["mse"]["value"] == 8
        assert client.call("() => runtime.mode") == "stock"
        assert any("the packed start failed" in line for line in said)

    @pytest.mark.parametrize("pattern", ["**/runtime-*.json", "**/*.wasm*", "**/core-*.pack.gz"])
    def test_a_blocked_network_is_told_and_tried_again(self, client: Any, pattern: str) -> None:
        client.page.context.route(pattern, lambda route: route.abort())
        said = client.call("() => runtime.lab('sensitivity', {}).catch((e) => e.message)")
        assert said == "page.runtime.failed.network"
        news = client.until("failed")
        assert news["message"]["message"] == "page.runtime.failed.network"
        assert news["message"]["values"]["detail"]
        client.page.context.unroute(pattern)
        client.call("() => runtime.warm('retry')")
        client.until("ready")
        assert client.lab()["result"]

    @pytest.mark.parametrize(
        ("lack", "case"),
        [
            ("delete globalThis.WebAssembly", "webassembly"),
            ("delete globalThis.DecompressionStream", "webassembly"),
            ("delete globalThis.Worker", "worker"),
        ],
    )
    def test_what_the_browser_lacks_is_told(self, client: Any, lack: str, case: str) -> None:
        client.call(f"() => {{ {lack}; }}")
        said = client.call("() => runtime.lab('sensitivity', {}).catch((e) => e.message)")
        assert said == f"page.runtime.failed.{case}"
        assert client.until("failed")["state"] == "failed"

    def test_a_worker_that_cannot_be_had_is_told(self, client: Any) -> None:
        client.page.context.route("**/worker.js", lambda route: route.abort())
        client.call("() => runtime.lab('sensitivity', {}).catch(() => 0)")
        assert client.until("failed")["message"]["message"] == "page.runtime.failed.worker"

    def test_a_host_that_compresses_nothing_serves_the_small_file(
        self, client: Any, address: str
    ) -> None:
        """Away from this machine the compressed core is taken, and inflated here."""
        found = client.call(
            """async () => {
              const { compileCore } = await import("./page/runtime/wasm.js");
              const { fetch } = window;
              const asked = [];
              window.fetch = async (address, options) => {
                asked.push(String(address).split("/").at(-1));
                const near = String(address).replace("far.test", "127.0.0.1");
                const answer = await fetch(near, options);
                const headers = {"content-type": "application/wasm"};
                return new Response(answer.body, {headers});
              };
              const site = JSON.parse(document.querySelector("#dpdocs-site").textContent);
              const { core } = await (await fetch(site.assets + site.manifest)).json();
              const far = location.href.replace("127.0.0.1", "far.test");
              const base = new URL("assets/runtime/", far).href;
              const module = await compileCore(base, core);
              return [module instanceof WebAssembly.Module, asked];
            }"""
        )
        assert found == [True, ["pyodide.asm.wasm", "pyodide.asm.wasm.gz"]]

    def test_messages_are_in_both_languages(self, catalogue: Callable[..., Any]) -> None:
        for language in ("en", "ko"):
            keys = catalogue(language)
            for key in (
                *("starting", "loading", "loading_what", "stopped"),
                *("crashed.recursion", "crashed.memory", "crashed.crash"),
                *("failed.network", "failed.start", "failed.worker"),
                *("failed.webassembly", "failed.file"),
            ):
                assert f"page.runtime.{key}" in keys

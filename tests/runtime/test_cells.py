"""What a cell shows and how its errors are told, in CPython; the worker runs the same code."""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[2] / "docs" / "page" / "runtime" / "python"
sys.path.append(str(PACKAGE))

import dpdocs_page  # noqa: E402
from dpdocs_page import outputs, worker  # noqa: E402


def run(source: str, namespace: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    names = {} if namespace is None else namespace
    result: dict[str, Any] = dpdocs_page.run(source, names, **options)
    return result


def kinds(result: dict[str, Any]) -> list[str]:
    return [output["kind"] for output in result["outputs"]]


def test_text_streams_and_value() -> None:
    ended = run("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')\n[1, 2]")
    assert ended["outputs"] == [
        {"kind": "text", "stream": "stdout", "text": "a\n"},
        {"kind": "text", "stream": "stderr", "text": "b\n"},
        {"kind": "text", "stream": "stdout", "text": "c\n"},
        {"kind": "value", "text": "[1, 2]"},
    ]
    assert ended["ok"]
    assert ended["error"] is None


@pytest.mark.parametrize("source", ["None", "1;", "x = 1", "", "# nothing", "print"[:0]])
def test_no_value(source: str) -> None:
    assert run(source)["outputs"] == []


def test_cells_share_names_and_main() -> None:
    names: dict[str, Any] = {}
    run("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: 'int' = 1", names)
    assert run("P().x + 1", names)["outputs"] == [{"kind": "value", "text": "2"}]
    assert run("__name__", names)["outputs"] == [{"kind": "value", "text": "'__main__'"}]


def test_error_names_the_readers_lines_only() -> None:
    ended = run("import json\n\ndef read(text):\n    return json.loads(text)\n\nread('{')")
    error = ended["error"]
    assert error["type"] == "JSONDecodeError"
    assert error["line"] == 4
    assert 'File "cell.py", line 6, in <module>\n    read(' in error["trace"]
    assert 'File "cell.py", line 4, in read\n    return json.loads(text)' in error["trace"]
    assert error["trace"].count("File ") == 2


def test_error_in_a_function_of_another_cell() -> None:
    names: dict[str, Any] = {}
    run("def divide(a):\n    return 1 / a", names, filename="first.py")
    trace = run("divide(0)", names, filename="second.py")["error"]["trace"]
    assert 'File "second.py", line 1' in trace
    assert 'File "first.py", line 2, in divide\n    return 1 / a' in trace


def test_causes_are_told_and_cut_too() -> None:
    source = "import json\ntry:\n    json.loads('')\n"
    source += "except ValueError as error:\n    raise KeyError('k') from error"
    error = run(source)["error"]
    assert error["message"] == "'k'"
    assert "direct cause" in error["trace"]
    assert error["trace"].count("File ") == 2


def test_syntax_error() -> None:
    error = run("x = 1\n\ny = (2,\nz = 3")["error"]
    assert (error["type"], error["line"]) == ("SyntaxError", 3)
    assert error["trace"].startswith('  File "cell.py", line 3\n    y = (2,\n')


def test_recursion_is_told_shortly() -> None:
    error = run("def f(n):\n    return f(n + 1)\nf(0)")["error"]
    assert error["type"] == "RecursionError"
    assert 'File "cell.py", line 3, in <module>' in error["trace"]
    assert "more times]" in error["trace"]
    assert len(error["trace"]) < 2000


def test_output_before_an_error_stays() -> None:
    ended = run("print('before')\n1 / 0\nprint('after')")
    assert [o["text"] for o in ended["outputs"]] == ["before\n"]


def test_a_flood_is_cut_and_noted() -> None:
    ended = run("for i in range(100_000):\n    print(i)")
    text = ended["outputs"][0]["text"]
    assert ended["truncated"]
    assert len(text.splitlines()) <= outputs.MOST_LINES
    ended = run("print('x' * 10_000_000)")
    assert ended["truncated"]
    assert len(ended["outputs"][0]["text"]) == outputs.MOST_CHARACTERS
    assert run("'y' * 10_000_000")["truncated"]


def test_many_figures_are_cut_too() -> None:
    ended = run("for _ in range(1000):\n    display({'mark': 'line'})")
    assert ended["truncated"]
    assert len(ended["outputs"]) == outputs.MOST_PARTS


def test_batches_come_while_the_cell_runs() -> None:
    batches: list[Any] = []
    ended = run("for i in range(3000):\n    print('line', i)", emit=batches.append)
    assert len(batches) > 1
    assert "".join(o["text"] for batch in batches for o in batch) == ended["outputs"][0]["text"]


def test_figures() -> None:
    spec = {"mark": "line", "data": {"values": [{"x": 1.0}]}}
    assert run(f"display({spec!r})")["outputs"] == [{"kind": "figure", "spec": spec}]
    assert kinds(run(f"{spec!r}")) == ["figure"]
    numpy_spec = "import numpy as np\n{'mark': 'bar', 'data': {'values': np.array([1., np.inf])}}"
    assert run(numpy_spec)["outputs"][0]["spec"]["data"]["values"] == [1.0, None]


def test_a_labs_figure_is_a_figure() -> None:
    source = (
        "import dpdocs\nr = dpdocs.labs.get('sensitivity').compute()\ndisplay(*r.figures.values())"
    )
    ended = run(source)
    assert ended["ok"], ended["error"]
    assert set(kinds(ended)) == {"figure"}


def test_tables() -> None:
    ended = run("display([{'a': 1, 'b': 2.123456789}, {'a': None, 'c': 'x'}])")
    table = {
        "kind": "table",
        "columns": ["a", "b", "c"],
        "rows": [["1", "2.12346", ""], ["", "", "x"]],
    }
    assert ended["outputs"] == [table]
    array = run("import numpy as np\ndisplay(np.eye(2))")["outputs"][0]
    assert array == {"kind": "table", "columns": ["0", "1"], "rows": [["1", "0"], ["0", "1"]]}
    long = run("display([{'a': i} for i in range(5000)])")["outputs"][0]
    assert len(long["rows"]) == 1001


def test_matplotlib_figures_are_images() -> None:
    source = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2], label='line')\nplt.title('Title')\n"
        "plt.show()\nprint('between')\nfig, ax = plt.subplots()\nax.plot([3])"
    )
    ended = run(source)
    assert ended["ok"], ended["error"]
    assert kinds(ended) == ["image", "text", "image"]
    image = ended["outputs"][0]
    assert base64.b64decode(image["png"]).startswith(b"\x89PNG")
    assert image["alt"] == "Title; — line"
    assert run(source)["outputs"] == ended["outputs"], "figures of one run stayed for the next"


def test_input_has_nobody_to_ask() -> None:
    assert run("input('name? ')")["error"]["type"] == "EOFError"


def test_leaving_is_no_error() -> None:
    assert run("print(1)\nraise SystemExit")["ok"]
    assert not run("raise SystemExit('no')")["ok"]


def test_a_warning_comes_with_each_run() -> None:
    names: dict[str, Any] = {}
    source = "import warnings\nwarnings.warn('careful')"
    for _ in range(2):
        assert "careful" in run(source, names)["outputs"][0]["text"]


def test_imports_are_found() -> None:
    source = "import a.b, c\nfrom d import e\ndef f():\n    from g.h import *\n    from . import x"
    assert worker.imports(source) == '["a.b", "c", "d", "d.e", "g.h", "g.h.*"]'
    assert worker.imports("not python (") == "[]"


def test_checks_leave_the_cells_alone() -> None:
    import json

    worker.cell("x = 1", "scope", "cell.py", lambda batch: None)
    found = json.loads(
        worker.check("def double(a):\n    return 2 * a\nx = 5", "scope", "double(x)")
    )
    assert (found["ok"], found["value"]) == (True, 10)
    found = json.loads(worker.check("y = 1", "scope", "z"))
    assert (found["ok"], found["error"]["type"]) == (False, "NameError")
    said: list[str] = []
    worker.cell("print(x)", "scope", "cell.py", said.append)
    assert json.loads(said[0])[0]["text"] == "1\n"
    worker.reset("scope")
    assert (
        json.loads(worker.cell("x", "scope", "cell.py", said.append))["error"]["type"]
        == "NameError"
    )

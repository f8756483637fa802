"""What the page's worker calls: plain text in, JSON out."""

import ast
import json
import sys
import types

from dpdocs_page import errors
from dpdocs_page.running import run

# The names of each page's cells, as the module that the cells take themselves for.
_scopes = {}


def lab(name, values):
    """Compute a lab; the answer has `result` or, where controls hold illegal text, `refused`."""
    import dpdocs.labs

    experiment = dpdocs.labs.get(name)
    values = json.loads(values)
    refused = experiment.refusals(**values)
    if refused:
        return json.dumps({"refused": [_refusal(error) for error in refused]})
    return json.dumps({"result": experiment.compute(**values).as_data()})


def _refusal(error):
    return {
        "parameter": error.parameter,
        "value": str(error.value),
        "case": error.case,
        "limits": error.limits,
    }


def cell(source, scope, filename, emit):
    """Run a cell; batches of outputs go to `emit` as JSON, the answer has what came of it."""
    ended = run(
        source, _names(scope), filename, lambda batch: emit(json.dumps(batch, ensure_ascii=False))
    )
    del ended["outputs"]
    return json.dumps(ended)


def check(source, scope, expression):
    """Run an answer in names of its own and evaluate an expression on them.

    The names of the page's cells are there too, and stay as they are.
    """
    names = dict(_names(scope))
    ended = run(source, names, "answer.py")
    value = None
    if ended["ok"]:
        errors.remember_source("check.py", expression)
        try:
            value = eval(compile(expression, "check.py", "eval", dont_inherit=True), names)
        except BaseException as error:
            ended |= {"ok": False, "error": errors.describe(error)}
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        value = repr(value)
    return json.dumps({**ended, "value": value})


def reset(scope):
    """Forget the names of a page's cells."""
    _scopes.pop(scope, None)


def imports(source):
    """Return the modules that a cell names in its import statements, inside functions too."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "[]"  # running it says what is wrong
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return json.dumps(sorted(found))


def _names(scope):
    module = _scopes.get(scope)
    if module is None:
        module = _scopes[scope] = types.ModuleType("__main__")
    # Classes of a cell are looked up here by what they pickle or annotate.
    sys.modules["__main__"] = module
    return module.__dict__

"""Runs inside the browser's Python: what a reader does first, then the files that it took."""

import importlib
import json
import sys

from dpdocs_page import light, worker

import dpdocs.labs

# Small modules of the standard library that a cell is likely to name.
HANDY = [
    *("bisect", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal"),
    *("enum", "fractions", "functools", "heapq", "itertools", "json", "math", "operator"),
    *("pprint", "random", "re", "statistics", "string", "textwrap", "time", "types", "typing"),
]
# A refusal, an error with its trace, a warning, a table, text and a value: all that is common.
CELL = """
import warnings
import numpy as np
import dpdocs
print(np.arange(3.0), np.linspace(0, 1, 3).sum())
display([{"a": 1.5}])
warnings.warn("as an example")
try:
    dpdocs.Laplace(scale=0)
except ValueError as error:
    print(error)
def wrong():
    raise KeyError("as an example")
"""


def first_things():
    """Compute every lab once for each of its choices, and run cells that end well and badly."""
    for name in dpdocs.labs.names():
        lab = dpdocs.labs.get(name)
        worker.lab(name, "{}")
        for parameter in lab.parameters.values():
            for choice in parameter.choices:
                worker.lab(name, json.dumps({parameter.name: choice}))
    for source in (CELL, f"{CELL}\nwrong()", "1 +"):
        worker.imports(source)
        worker.cell(source, "page", "cell.py", lambda batch: None)
    for name in HANDY:
        importlib.import_module(name)
    # What numpy.random takes of the standard library is small; its own files stay in their pack.
    importlib.import_module("numpy.random")


def loaded_files():
    """Return the file of every module that is loaded."""
    files = set()
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        if not light.is_waiting(module):
            files.add(getattr(spec, "origin", None))
    return sorted(path for path in files if path and path.startswith("/lib/"))


first_things()
json.dumps(loaded_files())

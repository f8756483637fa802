"""`display(object)`: show a figure, a table or an image in the output of the running cell."""

import base64
import io
import json
import math
import sys
from contextvars import ContextVar

MOST_ROWS = 1_000
IMAGE_DPI = 144  # sharp on the screens of phones; the page scales it down

# The outputs of the cell that runs.
current = ContextVar("current outputs", default=None)


def display(*objects):
    """Show objects in the output of the running cell.

    A Vega-Lite specification (a dict, or an object with ``to_dict``) becomes a figure; a list of
    dicts, a two-dimensional array or an object with columns becomes a table; a Matplotlib figure
    becomes an image; everything else is printed.
    """
    outputs = current.get()
    for item in objects:
        part = rich(item)
        if outputs is None or part is None:
            # Also where a cell is run as a plain script.
            print(item)
        else:
            outputs.part(part)


def rich(item):
    """Return the output for an object that is more than text; None for the rest."""
    if is_matplotlib(item, "figure", "Figure"):
        return _image(item)
    return _figure(item) or _table(item)


def is_matplotlib(item, module, name):
    """Is this an instance of a Matplotlib class? Matplotlib is not loaded to find out."""
    loaded = sys.modules.get(f"matplotlib.{module}")
    return loaded is not None and isinstance(item, getattr(loaded, name))


# --- figures ----------------------------------------------------------------------------------

_MARKS = {"$schema", "mark", "layer", "hconcat", "vconcat", "concat", "repeat", "facet"}


def _figure(item):
    spec = item
    if not isinstance(item, dict):
        to_dict = getattr(item, "to_dict", None)
        if not callable(to_dict) or isinstance(item, type) or hasattr(item, "columns"):
            return None
        spec = to_dict()
    if not isinstance(spec, dict) or not _MARKS & spec.keys():
        return None
    return {"kind": "figure", "spec": plain(spec)}


def plain(data):
    """Return a JSON-able copy: NumPy values as numbers and lists, what JSON lacks as null."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if data is None or isinstance(data, (str, bool, int)):
        return data
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if hasattr(data, "tolist"):
        return plain(data.tolist())
    if hasattr(data, "__float__"):
        return plain(float(data))
    json.dumps(data)  # says what is wrong with it
    return data


# --- tables -----------------------------------------------------------------------------------


def _table(item):
    columns_and_rows = _columns_and_rows(item)
    if columns_and_rows is None:
        return None
    columns, rows = columns_and_rows
    shown = [[entry_text(entry) for entry in row] for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        shown.append(["…"] * len(columns))
    return {"kind": "table", "columns": [str(name) for name in columns], "rows": shown}


def _columns_and_rows(item):
    if isinstance(item, (list, tuple)) and item and all(isinstance(row, dict) for row in item):
        columns = list(dict.fromkeys(name for row in item for name in row))
        return columns, [[row.get(name) for name in columns] for row in item]
    if getattr(item, "ndim", None) == 2 and hasattr(item, "tolist"):
        return range(item.shape[1]), item.tolist()
    columns = getattr(item, "columns", None)
    if columns is None or isinstance(item, type):
        return None
    rows = getattr(item, "rows", None)
    if rows is None and hasattr(item, "itertuples"):
        rows = item.itertuples(index=False, name=None)
    return None if rows is None else (list(columns), [list(row) for row in rows])


def entry_text(entry):
    """Return a table's entry as text: numbers to six significant digits, nothing for None."""
    if hasattr(entry, "item") and getattr(entry, "ndim", 0) == 0:
        entry = entry.item()
    if entry is None:
        return ""
    return f"{entry:.6g}" if isinstance(entry, float) else str(entry)


# --- images -----------------------------------------------------------------------------------


def _image(figure):
    file = io.BytesIO()
    # Without Matplotlib's name and version the same picture is the same bytes.
    figure.savefig(file, format="png", dpi=IMAGE_DPI, metadata={"Software": None})
    png = base64.b64encode(file.getvalue()).decode("ascii")
    return {"kind": "image", "png": png, "alt": _words_of(figure)}


def _words_of(figure):
    """Return the words that stand in a Matplotlib figure, as its text for those who see none."""
    words = []
    heading = getattr(figure, "_suptitle", None)
    if heading is not None:
        words.append(heading.get_text())
    for axes in figure.axes:
        words.append(axes.get_title())
        labels = [axes.get_xlabel(), axes.get_ylabel()]
        words.append(" × ".join(label for label in labels if label))
        words += [f"— {label}" for label in axes.get_legend_handles_labels()[1]]
    return "; ".join(word for word in words if word)

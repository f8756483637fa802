"""Run one cell: its outputs and its error as plain data."""

import ast
import contextlib
import io
import os
import sys
import warnings

from dpdocs_page import errors
from dpdocs_page.display import current, display, is_matplotlib, rich
from dpdocs_page.outputs import Outputs, Stream

_NOT_FOR_READERS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)

os.environ.setdefault("MPLBACKEND", "module://dpdocs_page.figures")


def run(source, namespace, filename="cell.py", emit=None):
    """Run a cell.

    Parameters
    ----------
    source : str
        The cell's Python code.
    namespace : dict
        The names of earlier cells; those of this one are added.
    filename : str
        The name that tracebacks give to the cell.
    emit : callable, optional
        Takes each batch of outputs while the cell runs.

    Returns
    -------
    dict
        ``ok``, ``outputs`` (a list of plain data), ``error`` (None, or type, message, line and
        trace) and ``truncated`` (whether there was more output than a page can bear).
    """
    outputs = Outputs(emit)
    namespace.setdefault("__name__", "__main__")
    namespace.setdefault("display", display)
    errors.remember_source(filename, source)
    error = None
    token = current.set(outputs)
    with (
        contextlib.redirect_stdout(Stream(outputs, "stdout")),
        contextlib.redirect_stderr(Stream(outputs, "stderr")),
        _no_input(),
        _warnings_as_in_a_script(namespace),
    ):
        try:
            _run_statements(source, namespace, filename, outputs)
        except SystemExit as leaving:
            error = None if leaving.code in (None, 0) else errors.describe(leaving)
        except BaseException as raised:
            error = errors.describe(raised)
        finally:
            _show_open_figures()
            current.reset(token)
            outputs.flush()
    return {
        "ok": error is None,
        "outputs": outputs.all,
        "error": error,
        "truncated": outputs.truncated,
    }


def _run_statements(source, namespace, filename, outputs):
    tree = ast.parse(source, filename)
    last = tree.body[-1] if tree.body else None
    is_shown = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    if is_shown:
        tree.body.pop()
    exec(_compiled(tree, filename, "exec"), namespace)
    if is_shown:
        value = eval(_compiled(ast.Expression(last.value), filename, "eval"), namespace)
        _show_value(value, outputs)


def _compiled(tree, filename, mode):
    return compile(tree, filename, mode, dont_inherit=True)


def _show_value(value, outputs):
    if value is None or _is_drawing(value):
        return
    part = rich(value) if not hasattr(value, "ndim") else None
    if part is None:
        outputs.value(repr(value))
    else:
        outputs.part(part)


def _is_drawing(value):
    """Is this what a Matplotlib call hands back, such as a list of lines? The figure shows it."""
    if isinstance(value, (list, tuple)) and value:
        return all(map(_is_drawing, value))
    return is_matplotlib(value, "artist", "Artist") and not is_matplotlib(value, "figure", "Figure")


def _show_open_figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None and pyplot.get_fignums():
        pyplot.show()


@contextlib.contextmanager
def _warnings_as_in_a_script(namespace):
    """Show the warnings that a script would show, on each run, whatever the host has asked for."""
    namespace.pop("__warningregistry__", None)
    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in _NOT_FOR_READERS:
            warnings.simplefilter("ignore", category)
        warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
        warnings.showwarning = _write_warning
        yield


def _write_warning(message, category, filename, lineno, file=None, line=None):
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))


@contextlib.contextmanager
def _no_input():
    """Let `input()` say that there is nobody to ask, here and in the browser alike."""
    before = sys.stdin
    sys.stdin = io.StringIO("")
    try:
        yield
    finally:
        sys.stdin = before

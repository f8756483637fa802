"""What went wrong in a cell, told by the reader's own lines."""

import linecache
import traceback
from collections import deque

# Names of the cells whose source is known here.
_own = set()
# A traceback is cut in its middle beyond twice this many frames: recursion may leave millions.
_ENDS = 400


def remember_source(filename, source):
    """Let tracebacks quote the lines of a cell, which is no file."""
    _own.add(filename)
    # Without a time of change the entry is never compared with a file on disk.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def describe(error):
    """Return an error as plain data: type, message, line, and a trace of the reader's lines.

    Frames of libraries, and of what runs the cell, are left out; the numbers of the lines that
    remain are right.
    """
    for one in _with_causes(error):
        _cut_middle(one.__traceback__)
    try:
        told = traceback.TracebackException.from_exception(error)
    except (MemoryError, RecursionError):
        return {"type": type(error).__name__, "message": _message(error), "line": None, "trace": ""}
    _keep_own_frames(told)
    lines = [frame.lineno for frame in told.stack]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), None)
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "line": line,
        "trace": "".join(told.format()).rstrip("\n"),
    }


def _with_causes(error):
    """Return an error and all errors that its traceback speaks of."""
    found = {}
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in found:
            found[id(one)] = one
            waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return found.values()


def _cut_middle(step):
    """Join the two ends of a long traceback."""
    ends = deque(maxlen=_ENDS)
    joint = None
    count = 0
    while step is not None:
        count += 1
        if count == _ENDS:
            joint = step
        ends.append(step)
        step = step.tb_next
    if count > 2 * _ENDS:
        joint.tb_next = ends[0]


def _keep_own_frames(told):
    """Drop the frames of others from a traceback, and from those that it speaks of."""
    seen = set()
    waiting = [told]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.stack[:] = [frame for frame in one.stack if frame.filename in _own]
        waiting += [one.__cause__, one.__context__, *(one.exceptions or ())]


def _message(error):
    if isinstance(error, SyntaxError):
        return error.msg
    if isinstance(error, KeyError):
        # Python shows the missing key as it would be typed.
        return ", ".join(map(repr, error.args))
    if isinstance(error, ModuleNotFoundError):
        return f"{error}. Here are the standard library, NumPy, SciPy, Matplotlib and dpdocs."
    if isinstance(error, MemoryError) and not str(error):
        return "there is not enough memory for this"
    return str(error)

"""What went wrong in a cell, told by the reader's own lines."""

import linecache
import traceback

# Names of the cells whose source is known here.
_own = set()


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
    told = traceback.TracebackException.from_exception(error)
    _keep_own_frames(told)
    lines = [frame.lineno for frame in told.stack]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), None)
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "line": line,
        "trace": "".join(told.format()).rstrip("\n"),
    }


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
    if isinstance(error, MemoryError) and not str(error):
        return "there is not enough memory for this"
    return str(error)

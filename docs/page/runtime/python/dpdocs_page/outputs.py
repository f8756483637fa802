"""The outputs of one run: a bounded list of plain data, handed on in batches while it grows.

An output is one of
    {"kind": "text", "stream": "stdout" | "stderr", "text"}
    {"kind": "value", "text"}                       the value of the last expression
    {"kind": "table", "columns", "rows"}            of text
    {"kind": "figure", "spec"}                      a Vega-Lite specification
    {"kind": "image", "png", "alt"}                 base64
"""

import io
import time

MOST_CHARACTERS = 100_000
MOST_LINES = 5_000
MOST_PARTS = 100  # tables, figures and images
PROMPT_LINES = 50  # handed on one by one: what stands before a loop without end must be seen
BATCH_SECONDS = 0.05
BATCH_CHARACTERS = 20_000


class Outputs:
    """Collects what a cell shows; what exceeds the bounds is dropped and noted.

    Parameters
    ----------
    emit : callable, optional
        Takes a list of outputs as soon as a batch of them is there.
    """

    def __init__(self, emit=None):
        self.all = []
        self.truncated = False
        self.is_full = False
        self._emit = emit
        self._characters = 0
        self._lines = 0
        self._parts = 0
        self._waiting = []
        self._waiting_characters = 0
        self._handed_on = time.monotonic()

    def text(self, stream, text):
        """Take a piece of text of "stdout" or "stderr"."""
        if self.is_full:
            self.truncated = True  # a flood must not cost much
            return
        text = self._within_bounds(text)
        if not text:
            return
        for batch in (self.all, self._waiting):
            if batch and batch[-1].get("stream") == stream:
                batch[-1]["text"] += text
            else:
                batch.append({"kind": "text", "stream": stream, "text": text})
        self._waiting_characters += len(text)
        if self._lines <= PROMPT_LINES and text.endswith("\n"):
            self.flush()
        else:
            self._hand_on_in_time()

    def value(self, text):
        """Take the text of the last expression's value."""
        text = self._within_bounds(text)
        if text:
            self._add({"kind": "value", "text": text})

    def part(self, output):
        """Take a table, figure or image."""
        if self._parts >= MOST_PARTS:
            self.truncated = True
            return
        self._parts += 1
        self._add(output)

    def flush(self):
        """Hand on what waits."""
        if self._emit and self._waiting:
            self._emit(self._waiting)
        self._waiting = []
        self._waiting_characters = 0
        self._handed_on = time.monotonic()

    def _add(self, output):
        self.all.append(output)
        self._waiting.append(output)
        self._hand_on_in_time()

    def _hand_on_in_time(self):
        if (
            self._waiting_characters >= BATCH_CHARACTERS
            or time.monotonic() - self._handed_on >= BATCH_SECONDS
        ):
            self.flush()

    def _within_bounds(self, text):
        """Return as much of the text as there is room for."""
        if self.is_full:
            self.truncated = True
            return ""
        characters = MOST_CHARACTERS - self._characters
        lines = MOST_LINES - self._lines
        kept = text[:characters]
        count = kept.count("\n")
        if count > lines:
            kept = "".join(kept.splitlines(keepends=True)[:lines])
            count = lines
        self.truncated = self.truncated or len(kept) < len(text)
        self._characters += len(kept)
        self._lines += count
        self.is_full = self._characters >= MOST_CHARACTERS or self._lines >= MOST_LINES
        return kept


class Stream(io.TextIOBase):
    """A text stream that writes into the outputs of a run."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, outputs, name):
        self._outputs = outputs
        self._name = name

    def writable(self):
        return True

    def flush(self):
        self._outputs.flush()

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._outputs.text(self._name, text)
        return len(text)

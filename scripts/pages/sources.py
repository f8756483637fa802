"""Python code as highlighted HTML, one element a line so that the style sheet can number them."""

from __future__ import annotations

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


class _Lines(HtmlFormatter):
    """Wraps every line; numbers come from the style sheet, so copying code leaves them out."""

    def wrap(self, source):  # type: ignore[no-untyped-def]
        yield 0, '<div class="highlight"><pre><code>'
        for is_line, text in source:
            yield (
                is_line,
                f'<span class="dp-line">{text.rstrip(chr(10))}\n</span>' if is_line else text,
            )
        yield 0, "</code></pre></div>"


def python(source: str) -> str:
    """Return highlighted Python."""
    return str(highlight(source, PythonLexer(stripnl=False), _Lines()))

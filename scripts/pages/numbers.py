"""Numbers in the text: `{{ expression | number(6) }}`, computed when the site is built."""

from __future__ import annotations

import math
import re
import traceback
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import jinja2

from scripts.pages.errors import PageError, Place

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Below and above these a reader counts zeros instead of reading; powers of ten read better.
SMALLEST_PLAIN, LARGEST_PLAIN = -5, 15


def number(value: object, digits: int = 6) -> str:
    """Write a number with this many significant digits, correctly rounded, without end zeros.

    The same text works in prose and inside a formula: minus signs and powers of ten are written
    as Unicode, which KaTeX reads too.
    """
    if value is None:
        raise ValueError("there is no value here: this readout is empty for these settings")
    exact = _exact(value)
    if exact is None:
        return "∞" if float(value) > 0 else "−∞"  # type: ignore[arg-type]
    rounded = Context(prec=digits).plus(exact) if isinstance(exact, Decimal) else exact
    if rounded == 0:
        return "0"
    exponent = rounded.adjusted()
    if SMALLEST_PLAIN <= exponent < LARGEST_PLAIN:
        text = _trim(f"{rounded:f}")
    else:
        mantissa = _trim(f"{rounded.scaleb(-exponent):f}")
        text = f"{mantissa}×10{str(exponent).translate(SUPERSCRIPTS)}"
    return text.replace("-", "−")


def _exact(value: object) -> Decimal | None:
    """Return the value without rounding; None where it is infinite."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, Decimal, str)):
        value = float(value)  # type: ignore[arg-type]
    if isinstance(value, str):
        value = {"inf": math.inf, "-inf": -math.inf}.get(value) or Decimal(value)
    if isinstance(value, Fraction):
        # Fifty digits leave the correct rounding to the digits asked for.
        return Context(prec=50).divide(Decimal(value.numerator), Decimal(value.denominator))
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            raise ValueError("the value is not a number (NaN)")
        return None
    return Decimal(value)


def _trim(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


# Jinja's filters bind tighter than its arithmetic; authors mean the whole expression.
_FILTERED = re.compile(r"\{\{((?:(?!\}\}).)*?)(\|\s*number\b[^|}]*\}\})", re.DOTALL)


class Numbers:
    """Renders the double braces of a page; every name that an expression may use is given."""

    def __init__(self) -> None:
        # Only `{{ }}` is special: `{%` and `{#` are ordinary in TeX and in heading ids.
        self._environment = jinja2.Environment(
            block_start_string="\x00{%",
            block_end_string="%}\x00",
            comment_start_string="\x00{#",
            comment_end_string="#}\x00",
            undefined=jinja2.StrictUndefined,
            keep_trailing_newline=True,
            autoescape=False,
        )
        self._environment.filters["number"] = number

    def render(self, text: str, names: Mapping[str, Any], place: Place) -> str:
        """Replace every expression of a text; a mistake stops the build with its line."""
        if "{{" not in text:
            return text
        try:
            whole = _FILTERED.sub(r"{{ (\1) \2", text)
            return self._environment.from_string(whole).render(names)
        except PageError:
            raise
        except jinja2.TemplateSyntaxError as problem:
            where = place.down(problem.lineno - 1)
            raise PageError(where, f"this expression cannot be read: {problem.message}") from None
        except Exception as problem:
            where = place.down(_template_line(problem) - 1)
            kind = "" if isinstance(problem, jinja2.UndefinedError) else type(problem).__name__
            reason = f"{kind}: {problem}" if kind else str(problem)
            raise PageError(
                where, f"a number in the text cannot be computed: {reason}"
            ) from problem


def _template_line(problem: Exception) -> int:
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == "<template>"]
    return (lines[-1] or 1) if lines else 1

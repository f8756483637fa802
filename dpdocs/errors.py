"""What dpdocs raises when it refuses a value."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ParameterError"]


class ParameterError(ValueError):
    """A parameter outside its legal range, or text that is no number.

    Its text names the parameter, the value, the rule and a remedy. A page renders the same
    refusal in its reader's language from `case` and `limits`.

    Parameters
    ----------
    parameter : str
        Name of the refused parameter.
    value : object
        What was given.
    rule : str
        What is allowed, worded to follow "it": "must be greater than 0".
    remedy : str
        A sentence without its full stop that says what to do instead.
    case : str
        Stable identifier of the rule. For numbers: "empty", "not-a-number", "not-finite",
        "decimal-comma", "full-width-digits", "too-long", "not-positive", "below-minimum",
        "above-maximum", "not-below-maximum", "not-whole", "wrong-count". For names:
        "unknown-choice", "unknown-parameter", "missing-parameter". For profiles put together:
        "not-composable", "different-adjacency". For a budget ledger: "budget-exceeded",
        "no-theorem", "damaged-file", "unknown-version".
    limits : mapping of str to str, optional
        Values that the rule speaks of: "minimum", "maximum", "choices".

    Examples
    --------
    >>> import dpdocs
    >>> dpdocs.Laplace(scale=-1)
    Traceback (most recent call last):
        ...
    dpdocs.errors.ParameterError: scale = -1 is refused: it must be greater than 0. Enter a \
number greater than 0 and at most 1e300.
    """

    def __init__(
        self,
        parameter: str,
        value: object,
        rule: str,
        remedy: str,
        case: str,
        limits: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{parameter} = {_shown(value)} is refused: it {rule}. {remedy}.")
        self.parameter = parameter
        self.value = value
        self.rule = rule
        self.remedy = remedy
        self.case = case
        self.limits = dict(limits or {})

    def __reduce__(self) -> tuple[type[ParameterError], tuple[object, ...]]:
        return (
            ParameterError,
            (self.parameter, self.value, self.rule, self.remedy, self.case, self.limits),
        )


def _shown(value: object) -> str:
    """The value as a message can hold it: short, and whole numbers of any length."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "a number of very many digits"
    return text if len(text) <= 60 else text[:57] + "..."

"""Mechanisms as plain data, and back: names and parameters, nothing that is run.

A fraction is written as "numerator/denominator", so what is read back is what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from dpdocs.errors import ParameterError
from dpdocs.mechanisms import Gaussian, Laplace, PureDP
from dpdocs.profile import Composition, Profile

__all__ = ["damaged", "from_record", "read_fraction", "to_record", "write_fraction"]

_FRACTION = re.compile(r"-?[0-9]{1,4000}(?:/[0-9]{1,4000})?")
ADJACENCIES = ("add-remove", "replace-one")
_DEEPEST = 8  # compositions inside compositions
_MOST_PARTS = 10_000


class _Kind(NamedTuple):
    """How one mechanism is written: its class, its parameters from an instance, its choices.

    A choice is a parameter that is one of a few words (or None), such as a direction; it is read
    from the attribute of its name.
    """

    cls: Callable[..., Profile]
    parameters: Mapping[str, Callable[[Any], Fraction]]
    choices: Mapping[str, tuple[str | None, ...]] = {"adjacency": (None, *ADJACENCIES)}


_KINDS: dict[str, _Kind] = {
    "Laplace": _Kind(
        Laplace,
        {"scale": lambda m: m.exact_spread, "sensitivity": lambda m: m.exact_sensitivity},
    ),
    "Gaussian": _Kind(
        Gaussian,
        {"sigma": lambda m: m.exact_spread, "sensitivity": lambda m: m.exact_sensitivity},
    ),
    "PureDP": _Kind(PureDP, {"epsilon": lambda m: m._epsilon}),
}


def damaged(where: str, value: object, rule: str) -> ParameterError:
    """Return the refusal of a file that is not what a ledger writes."""
    remedy = "Use the text as the ledger's to_json wrote it"
    return ParameterError(where, value, rule, remedy, "damaged-file")


def write_fraction(value: Fraction) -> str:
    """Write a fraction as text.

    Parameters
    ----------
    value : Fraction
        Any of up to 4000 digits above and below.

    Returns
    -------
    str
        "numerator/denominator", or the whole number alone.

    Examples
    --------
    >>> write_fraction(Fraction("0.1"))
    '1/10'
    """
    if max(abs(value.numerator), value.denominator).bit_length() > 13_000:
        raise ParameterError(
            "parameters",
            value,
            "must have fewer than 3900 digits to be written",
            "Use fewer digits",
            "too-long",
        )
    return str(value)


def read_fraction(text: object, where: str) -> Fraction:
    """Read a fraction as `write_fraction` writes it; anything else is damage.

    Parameters
    ----------
    text : object
        What the file holds there.
    where : str
        Its place, for the refusal.

    Returns
    -------
    Fraction
        The number.

    Examples
    --------
    >>> read_fraction("1/10", "scale")
    Fraction(1, 10)
    """
    if not isinstance(text, str) or not _FRACTION.fullmatch(text):
        raise damaged(where, text, 'must be a fraction in text, such as "1/10"')
    above, _, below = text.partition("/")
    if below and int(below) == 0:
        raise damaged(where, text, "must not be divided by 0")
    return Fraction(int(above), int(below or "1"))


def to_record(profile: Profile, depth: int = 0) -> dict[str, object]:
    """Write a profile as plain data.

    Parameters
    ----------
    profile : Profile
        A mechanism known here, or a composition of such.
    depth : int
        How many compositions it lies inside.

    Returns
    -------
    dict
        The mechanism's name, its parameters and its adjacency.

    Raises
    ------
    ParameterError
        Case "unknown-choice" for another mechanism.

    Examples
    --------
    >>> to_record(PureDP("0.5"))
    {'mechanism': 'PureDP', 'parameters': {'epsilon': '1/2'}, 'adjacency': None}
    """
    if isinstance(profile, Composition) and depth < _DEEPEST:
        parts = [
            {**to_record(part, depth + 1), "count": str(count)} for part, count in profile.parts
        ]
        return {"mechanism": "Composition", "parts": parts}
    for name, kind in _KINDS.items():
        if type(profile) is kind.cls:
            texts = {key: write_fraction(get(profile)) for key, get in kind.parameters.items()}
            words = {key: getattr(profile, key) for key in kind.choices}
            return {"mechanism": name, "parameters": texts, **words}
    choices = ", ".join([*_KINDS, "Composition"])
    raise ParameterError(
        "profile",
        profile,
        f"must be one of {choices}",
        "Record one of them, such as PureDP with its ε",
        "unknown-choice",
        {"choices": choices},
    )


def from_record(record: object, where: str, depth: int = 0) -> Profile:
    """Read a profile from plain data; only known names and fractions are accepted.

    Parameters
    ----------
    record : object
        What `to_record` gave.
    where : str
        Its place in the file, for refusals.
    depth : int
        How many compositions it lies inside.

    Returns
    -------
    Profile
        The same mechanism.

    Raises
    ------
    ParameterError
        Case "damaged-file".

    Examples
    --------
    >>> from_record(to_record(PureDP("0.5")), "spends[0]")
    PureDP(epsilon=0.5)
    """
    if not isinstance(record, dict):
        raise damaged(where, record, "must be an object")
    name = record.get("mechanism")
    if name == "Composition":
        parts = record.get("parts")
        if depth >= _DEEPEST or not isinstance(parts, list) or not 0 < len(parts) <= _MOST_PARTS:
            raise damaged(f"{where}.parts", type(parts).__name__, "must be a list of mechanisms")
        read: list[tuple[Profile, int]] = []
        for i, part in enumerate(parts):
            inner = f"{where}.parts[{i}]"
            profile = from_record(part, inner, depth + 1)
            read.append((profile, read_count(part.get("count"), f"{inner}.count")))
        return _built(lambda: Composition(read), where)
    if not isinstance(name, str) or name not in _KINDS:
        raise damaged(f"{where}.mechanism", name, f"must be one of {', '.join(_KINDS)}")
    kind, texts = _KINDS[name], record.get("parameters")
    if not isinstance(texts, dict) or set(texts) != set(kind.parameters):
        rule = f"must hold exactly {', '.join(kind.parameters)}"
        raise damaged(f"{where}.parameters", texts, rule)
    values = {key: read_fraction(texts[key], f"{where}.parameters.{key}") for key in texts}
    words = {key: record.get(key) for key in kind.choices}
    for key, word in words.items():
        known = kind.choices[key]
        if not (word is None or isinstance(word, str)) or word not in known:
            shown = ", ".join("null" if choice is None else choice for choice in known)
            raise damaged(f"{where}.{key}", word, f"must be one of {shown}")
    return _built(lambda: kind.cls(**values, **words), where)


def read_count(text: object, where: str) -> int:
    """Read a count as it is written: text of digits, from 1 to 1e9."""
    if isinstance(text, str) and re.fullmatch(r"[0-9]{1,10}", text) and 1 <= int(text) <= 10**9:
        return int(text)
    raise damaged(where, text, "must be a whole number from 1 to 1000000000, in text")


def _built(make: Callable[[], Profile], where: str) -> Profile:
    try:
        return make()
    except ParameterError as refusal:
        raise damaged(
            where, refusal.value, f"holds a {refusal.parameter} that {refusal.rule}"
        ) from None

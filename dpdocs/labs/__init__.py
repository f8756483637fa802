"""Experiments of the lessons: each a pure function from its controls to plain data.

Examples
--------
>>> import dpdocs
>>> lab = dpdocs.labs.get("sensitivity")
>>> result = lab.compute(query="sum", bound="2", noise="laplace", scale="1", epsilon="1", delta="0")
>>> result.verdicts["guarantee"].holds
False
"""

from __future__ import annotations

from importlib import import_module

from dpdocs.errors import ParameterError
from dpdocs.labs.model import Lab

__all__ = ["get", "names"]

_NAMES = ("sensitivity",)


def names() -> tuple[str, ...]:
    """Return the name of every lab on the site.

    Returns
    -------
    tuple of str
        In the order of the course.

    Examples
    --------
    >>> names()
    ('sensitivity',)
    """
    return _NAMES


def get(name: str) -> Lab:
    """Return a lab by its name; it is loaded when it is first asked for.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    Lab
        With its parameters and `compute`.

    Raises
    ------
    ParameterError
        Where there is no lab of this name.

    Examples
    --------
    >>> list(get("sensitivity").parameters)[:3]
    ['query', 'n', 'bound']
    """
    if name not in _NAMES:
        known = ", ".join(_NAMES)
        raise ParameterError(
            "name",
            name,
            f"must be the name of a lab: {known}",
            f"Choose one of {known}",
            "unknown-choice",
            {"choices": known},
        )
    lab: Lab = import_module(f"dpdocs.labs.{name}").LAB
    return lab

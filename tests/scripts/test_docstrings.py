"""Every public name says what it is, what it takes and gives, and shows an example."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from numpydoc.validate import validate

import dpdocs

# Left out: checks of see-also sections, extended summaries and other taste.
CHECKS = {
    *("GL01", "GL03", "GL05", "GL06", "GL07", "GL08", "SS01", "SS03", "SS04"),
    *("PR01", "PR02", "PR03", "PR04", "PR10", "RT01", "RT03", "YD01", "EX01"),
}


def public_names() -> Iterator[str]:
    for name in dpdocs.__all__:
        thing = getattr(dpdocs, name)
        if inspect.ismodule(thing):
            for inner in thing.__all__:
                if callable(getattr(thing, inner)):
                    yield f"dpdocs.{name}.{inner}"
            continue
        yield f"dpdocs.{name}"
        if inspect.isclass(thing):
            for inner, method in inspect.getmembers(thing, callable):
                ours = str(getattr(method, "__module__", "")).startswith("dpdocs")
                if not inner.startswith("_") and ours:
                    yield f"dpdocs.{name}.{inner}"


@pytest.mark.parametrize("name", sorted(public_names()))
def test_public_names_are_documented(name: str) -> None:
    found = [(code, text) for code, text in validate(name)["errors"] if code in CHECKS]
    assert not found

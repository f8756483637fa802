"""Settings of the sensitivity lab that several tests walk through."""

from __future__ import annotations

import itertools

import pytest

from dpdocs.labs import get
from dpdocs.labs.model import Lab

QUERIES = ("sum", "mean", "count", "constant")
NOISES = ("laplace", "gaussian")

# The rest of a setting: everyday ones, boundaries, and the ends of the legal ranges.
NAMES = ("n", "bound", "record", "scale", "epsilon", "delta")
REST = [
    ("4", "2", "2", "2", "1", "0"),
    ("4", "2", "1", "1", "1", "0"),
    ("1", "0.3", "0.3", "0.1", "3", "0"),
    ("8", "4", "-7", "3", "0", "0.5"),
    ("7", "5", "3", "0.7", "2.5", "1e-5"),
    ("3", "1", "1e-9", "50", "7.77", "1e-12"),
    ("2", "1", "1", "40", "10", "1e-300"),
    ("5", "1e-300", "1", "1e300", "50", "0"),
    ("5", "2", "1", "1e-400", "1000000", "0"),
    ("5", "1e-3", "1", "9", "1000000", "0"),
]
SETTINGS = [
    {"query": query, "noise": noise, **dict(zip(NAMES, rest, strict=True))}
    for query, noise, rest in itertools.product(QUERIES, NOISES, REST)
]


@pytest.fixture(scope="session")
def lab() -> Lab:
    return get("sensitivity")


@pytest.fixture(scope="session")
def settings() -> list[dict[str, str]]:
    """Every query and noise with each of the other values."""
    return SETTINGS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes a `setting` for each of them."""
    if "setting" in metafunc.fixturenames:
        names = [" ".join(setting.values()) for setting in SETTINGS]
        metafunc.parametrize("setting", SETTINGS, ids=names)

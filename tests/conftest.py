"""What all tests share."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import dpdocs

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The wheel that the site carries and that these tests run on."""
    return next((ROOT / "build" / "wheel").glob("dpdocs-*.whl"))


@pytest.fixture(scope="session")
def wheel_hash(wheel: Path) -> str:
    """SHA-256 of that wheel, in hexadecimal."""
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def pytest_report_header() -> str:
    return f"dpdocs {dpdocs.__version__} from {Path(dpdocs.__file__).parent}"

"""Roots are found from bad starts and with useless slopes."""

from __future__ import annotations

import math

import pytest

from dpdocs.solve import root_of_decreasing


@pytest.mark.parametrize("start", [1e-3, 1.0, 700.0])
def test_exponential(start: float) -> None:
    found = root_of_decreasing(lambda x: (math.exp(-x) - 1e-9, -math.exp(-x)), 0.0, 745.0, start)
    assert found == pytest.approx(9 * math.log(10), rel=1e-15)


@pytest.mark.parametrize("slope", [0.0, 1.0, math.nan, -1e-300])
def test_without_a_slope(slope: float) -> None:
    found = root_of_decreasing(lambda x: (2 - x * x * x, slope), -1e300, 1e300, 5.0)
    assert found == pytest.approx(2 ** (1 / 3), rel=1e-15)


def test_exact_root() -> None:
    assert root_of_decreasing(lambda x: (1 - x, -1.0), 0.0, 4.0, 3.0) == 1.0

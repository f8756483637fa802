"""The stand-in for Hypothesis's compiled helpers gives what the compiled ones give."""

from __future__ import annotations

import math
import random
import struct

import pytest

from scripts.runtime import hypothesis_native as ours

theirs = pytest.importorskip(
    "hypothesis._native.internal.floats", reason="this Hypothesis has no compiled helpers"
)

SPECIAL = [0.0, -0.0, math.inf, -math.inf, 5e-324, -5e-324, 2.0**-1022, -(2.0**-1022), 1.0]
RANDOM = random.Random(7)
VALUES = SPECIAL + [struct.unpack("!d", RANDOM.randbytes(8))[0] for _ in range(500)]
VALUES = [value for value in VALUES if not math.isnan(value)]


def same(one: float, other: float) -> bool:
    return one == other and math.copysign(1, one) == math.copysign(1, other)


def test_neighbours() -> None:
    for value in VALUES:
        assert same(theirs.next_up(value), ours.next_up(value))
        assert same(theirs.next_down(value), ours.next_down(value))
        for subnormal in (True, False):
            for name in ("next_up_normal", "next_down_normal"):
                found = [
                    getattr(m, name)(value, 64, allow_subnormal=subnormal) for m in (theirs, ours)
                ]
                assert same(*found)


def test_counts() -> None:
    for _ in range(500):
        low, high = sorted(RANDOM.sample(VALUES, 2))
        assert theirs.count_between_floats(low, high) == ours.count_between_floats(low, high)

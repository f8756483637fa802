"""Sensitivities: the bound holds for random pairs and the named pair attains it."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdocs import ParameterError
from dpdocs.sensitivity import QUERIES, query


@pytest.mark.parametrize(
    ("name", "n", "bound", "expected"),
    [
        ("sum", 4, 2, "2"),
        ("mean", 4, 2, "1/2"),
        ("count", 4, 2, "1"),
        ("constant", 4, 2, "0"),
        ("sum", 8, 4, "4"),
        ("mean", 8, 4, "1/2"),
        ("mean", "1000000", "1e300", "1e294"),
        ("mean", 3, "0.1", "1/30"),
        ("sum", 1, 1e-300, "1e-300"),
    ],
)
def test_values(name: str, n: int, bound: object, expected: str) -> None:
    asked = query(name, n, bound)
    assert asked.sensitivity == Fraction(expected)
    assert asked.attaining_pair.gap == asked.sensitivity


quarters = st.integers(-80, 80).map(lambda k: Fraction(k, 4))


@given(
    st.sampled_from(sorted(QUERIES)),
    quarters.map(lambda x: abs(x) + 1),
    st.lists(quarters, min_size=1, max_size=6),
    st.integers(0, 5),
    quarters,
)
def test_no_pair_exceeds_it(
    name: str, bound: Fraction, records: list[Fraction], place: int, other: Fraction
) -> None:
    asked = query(name, len(records), bound)
    changed = list(records)
    changed[place % len(records)] = other
    assert abs(asked.answer(records) - asked.answer(changed)) <= asked.sensitivity


@given(
    st.sampled_from(sorted(QUERIES)),
    st.integers(1, 6),
    quarters.map(lambda x: abs(x) + 1),
    quarters,
)
def test_displayed_pair_is_a_pair_of_datasets(
    name: str, n: int, bound: Fraction, record: Fraction
) -> None:
    asked = query(name, n, bound)
    pair = asked.neighbours(record)
    assert pair.answer == asked.answer([0] * n)
    assert pair.answer_changed == asked.answer([record] + [0] * (n - 1))
    assert pair.gap <= asked.sensitivity


def test_half_of_the_bound_is_not_counted() -> None:
    asked = query("count", 4, 2)
    assert asked.neighbours(1).gap == 0
    assert asked.neighbours("1.000000000000000000001").gap == 1


def test_a_million_records_cost_nothing() -> None:
    tracemalloc.start()
    try:
        pair = query("mean", 10**6, 1).neighbours("1e999999999")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert pair.gap == Fraction(1, 10**6)
    assert peak < 200_000  # no list of a million records


@pytest.mark.parametrize(
    ("name", "n", "bound", "parameter", "case"),
    [
        ("median", 4, 2, "query", "unknown-choice"),
        ("sum", 0, 2, "n", "below-minimum"),
        ("sum", "2.5", 2, "n", "not-whole"),
        ("sum", 1_000_001, 2, "n", "above-maximum"),
        ("sum", 4, 0, "bound", "not-positive"),
        ("sum", 4, "1e301", "bound", "above-maximum"),
    ],
)
def test_refusals(name: str, n: object, bound: object, parameter: str, case: str) -> None:
    with pytest.raises(ParameterError) as caught:
        query(name, n, bound)
    assert (caught.value.parameter, caught.value.case) == (parameter, case)


def test_number_of_records_is_public() -> None:
    with pytest.raises(ParameterError) as caught:
        query("sum", 3, 1).answer([0, 1])
    assert caught.value.case == "wrong-count"

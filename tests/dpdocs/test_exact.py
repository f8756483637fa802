"""Numbers are read as they are written, and refused with the right reason."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdocs import ParameterError, exact
from dpdocs.exact import DELTA, EPSILON, SCALE, Range


@pytest.mark.parametrize(
    ("given_value", "meant"),
    [
        ("0.1", "1/10"),
        (" 1e3\t", "1000"),
        (".5", "1/2"),
        ("5.", "5"),
        ("+2E-3", "1/500"),
        ("-2.5e-3", "-1/400"),
        ("−3", "-3"),
        ("0e999999999999", "0"),
        ("007", "7"),
        (0.1, "1/10"),
        (1e300, "1e300"),
        (5e-324, "5e-324"),
        (np.float64(0.1), "1/10"),
        (np.float32(0.1), "1/10"),
        (np.int32(-4), "-4"),
        (np.array("0.3"), "3/10"),
        (np.array(3.5), "7/2"),
        (Decimal("0.10"), "1/10"),
        (Fraction(1, 3), "1/3"),
        (10**400, "1e400"),
    ],
)
def test_number_is_read_as_written(given_value: object, meant: str) -> None:
    assert exact.number(given_value, "x") == Fraction(meant)


@pytest.mark.parametrize(
    ("given_value", "case"),
    [
        ("", "empty"),
        ("  ", "empty"),
        (None, "empty"),
        ("abc", "not-a-number"),
        ("nan", "not-a-number"),
        (math.nan, "not-a-number"),
        (Decimal("nan"), "not-a-number"),
        ("1_000", "not-a-number"),
        ("0x10", "not-a-number"),
        ("1e", "not-a-number"),
        ("e5", "not-a-number"),
        (".", "not-a-number"),
        ("1 2", "not-a-number"),
        ("٣", "not-a-number"),
        (True, "not-a-number"),
        (np.bool_(True), "not-a-number"),
        (1j, "not-a-number"),
        ([1], "not-a-number"),
        (object(), "not-a-number"),
        ("inf", "not-finite"),
        ("-Infinity", "not-finite"),
        ("∞", "not-finite"),
        (math.inf, "not-finite"),
        (Decimal("-inf"), "not-finite"),
        ("1,5", "decimal-comma"),
        ("1,000.5", "decimal-comma"),
        ("１.５", "full-width-digits"),
        ("1．5", "full-width-digits"),
        ("1" * 2001, "too-long"),
        (0, "not-positive"),
        (-1, "not-positive"),
        ("-1e999999999", "not-positive"),
        ("1.0000000000000000000001e300", "above-maximum"),
        ("1e400", "above-maximum"),
        ("1e999999999", "above-maximum"),
        pytest.param(10**5000, "above-maximum", id="long-integer"),
        ("1e-999999999", "below-minimum"),
    ],
)
def test_refusal_says_why(given_value: object, case: str) -> None:
    with pytest.raises(ParameterError) as caught:
        exact.number(given_value, "scale", SCALE)
    refusal = caught.value
    assert refusal.case == case
    assert refusal.parameter == "scale"
    assert refusal.value is given_value
    assert str(refusal).startswith("scale = ")
    assert refusal.rule in str(refusal)
    assert refusal.remedy in str(refusal)
    assert len(str(refusal)) < 300


def test_refusal_carries_the_limits() -> None:
    with pytest.raises(ParameterError) as caught:
        exact.number("2", "delta", Range("0", "1", open_maximum=True))
    assert caught.value.case == "not-below-maximum"
    assert caught.value.limits == {"minimum": "0", "maximum": "1"}
    assert "less than 1" in str(caught.value)
    with pytest.raises(ParameterError, match="at least 0") as caught:
        exact.number(-1, "epsilon", EPSILON)
    assert caught.value.case == "below-minimum"


def test_refusal_survives_pickling() -> None:
    with pytest.raises(ParameterError) as caught:
        exact.number("2", "delta", DELTA)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is ParameterError
    assert str(copy) == str(caught.value)
    assert vars(copy) == vars(caught.value)


@pytest.mark.parametrize(
    "text", ["1e999999999", "-1e-999999999", "9" * 1_000_000, "1e" + "9" * 1500]
)
def test_hostile_text_is_cheap(text: str) -> None:
    # Writing such a number out would take a gigabyte, or a list of a million digits.
    tracemalloc.start()
    try:
        with pytest.raises(ParameterError):
            exact.number(text, "x")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(text) + 200_000


@pytest.mark.parametrize(
    ("value", "clipped"),
    [("5", 2), ("-5", 0), ("1.5", Fraction(3, 2)), ("1e999999999", 2), ("-1e999999999", 0), (2, 2)],
)
def test_clip_takes_any_size(value: object, clipped: Fraction) -> None:
    assert exact.clip(value, "record", Fraction(0), Fraction(2)) == clipped


def test_clip_refuses_what_is_no_number() -> None:
    with pytest.raises(ParameterError) as caught:
        exact.clip("inf", "record", Fraction(0), Fraction(2))
    assert caught.value.case == "not-finite"


@pytest.mark.parametrize("value", [4, 4.0, "4", "4.0", "4e0", np.int64(4), Fraction(8, 2)])
def test_whole_takes_every_form_of_four(value: object) -> None:
    four = exact.whole(value, "n")
    assert four == 4
    assert type(four) is int


@pytest.mark.parametrize(
    ("value", "case"), [("2.5", "not-whole"), (0, "below-minimum"), (10**7, "above-maximum")]
)
def test_whole_refuses(value: object, case: str) -> None:
    with pytest.raises(ParameterError) as caught:
        exact.whole(value, "n", Range("1", "1000000"))
    assert caught.value.case == case


def test_numbers_keep_their_shape() -> None:
    assert exact.numbers(0.5, "x") == ([Fraction(1, 2)], None)
    assert exact.numbers(np.float32(0.1), "x") == ([Fraction(1, 10)], None)
    assert exact.numbers([], "x") == ([], (0,))
    values, shape = exact.numbers([["0.1", 2], [Fraction(1, 3), 0.25]], "x")
    assert shape == (2, 2)
    assert values == [Fraction(1, 10), 2, Fraction(1, 3), Fraction(1, 4)]
    assert exact.numbers(np.array([0.1], dtype=np.float32), "x")[0] == [Fraction(1, 10)]


rationals = st.builds(
    lambda top, bottom, power: Fraction(top, bottom) * Fraction(10) ** power,
    st.integers(-(10**20), 10**20),
    st.integers(1, 10**20),
    st.integers(-250, 250),
)


@given(rationals)
def test_directed_rounding_encloses(value: Fraction) -> None:
    low, high = exact.below(value), exact.above(value)
    assert Fraction(low) <= value <= Fraction(high)
    assert exact.nearest(value) in (low, high)
    assert math.nextafter(low, math.inf) >= high


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float_means_its_shortest_decimal(value: float) -> None:
    read = exact.number(value, "x")
    assert exact.nearest(read) == value
    assert read == exact.number(repr(value), "x")


def test_rounding_beyond_the_floats() -> None:
    huge = Fraction(10) ** 400
    assert exact.nearest(huge) == math.inf
    assert exact.nearest(-huge) == -math.inf
    assert exact.below(huge) == 1.7976931348623157e308
    assert exact.above(huge) == math.inf
    assert exact.nearest(1 / huge) == 0.0
    assert exact.above(1 / huge) == 5e-324


@given(rationals)
def test_two_floats_hold_106_bits(value: Fraction) -> None:
    high, low = exact.two_floats(value)
    rest = abs(value - Fraction(high) - Fraction(low))
    assert rest <= abs(value) * Fraction(1, 2**105) + Fraction(1, 2**1074)


@pytest.mark.parametrize("text", ["2", "0.5", "1.0000000001", "0.9999999", "3.7e-1000", "1e5000"])
def test_log_of_any_size(text: str) -> None:
    expected = Decimal(text).ln()
    assert exact.log(Fraction(text)) == pytest.approx(float(expected), rel=1e-15)


@given(rationals.filter(lambda x: x > 0))
def test_root(value: Fraction) -> None:
    assert exact.root(value * value) == value
    root = exact.root(value)
    assert abs(root * root - value) <= value * Fraction(1, 2**250)


@given(rationals.filter(lambda x: 0 < x < 10**300))
def test_least_float_is_least(value: Fraction) -> None:
    found = exact.least_float(value)
    assert exact.number(found, "x") >= value
    assert exact.number(math.nextafter(found, -math.inf), "x") < value


@given(st.floats(1e-320, 1e300), st.integers(-(2**20), 2**20))
def test_least_float_where_finds_the_step(edge: float, offset: int) -> None:
    guess = max(0.0, edge + offset * math.ulp(edge))
    assert exact.least_float_where(lambda x: x >= edge, guess) == edge


def test_least_float_where_it_never_holds() -> None:
    assert exact.least_float_where(lambda x: False, 1.0) == math.inf

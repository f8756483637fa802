"""What the controls accept, what they refuse, and how sliders move."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import dpdocs
from dpdocs.errors import ParameterError
from dpdocs.labs import get, names
from dpdocs.labs.model import Slider

DECIMALS = ("bound", "record", "scale", "epsilon", "delta")
NUMBERS = ("n", *DECIMALS)


def refusal(lab, **values) -> ParameterError:
    """The one refusal of these values; parse and compute raise the same."""
    (found,) = lab.refusals(**values)
    for read in (lab.parse, lab.compute):
        with pytest.raises(ParameterError) as raised:
            read(**values)
        assert str(raised.value) == str(found)
    return found


def test_labs_have_names():
    assert "sensitivity" in names()
    for name in names():
        assert get(name).name == name
    with pytest.raises(ParameterError, match="sensitivity"):
        get("no-such-lab")


def test_labs_are_reached_from_the_package():
    assert "labs" in dpdocs.__all__
    assert dpdocs.labs.get("sensitivity") is get("sensitivity")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("", "empty"),
        ("   ", "empty"),
        (None, "empty"),
        ("abc", "not-a-number"),
        ("1e", "not-a-number"),
        ("0x10", "not-a-number"),
        ("1 000", "not-a-number"),
        (True, "not-a-number"),
        ("1,5", "decimal-comma"),
        ("１．５", "full-width-digits"),
        ("４", "full-width-digits"),
        ("inf", "not-finite"),
        ("-inf", "not-finite"),
        (float("inf"), "not-finite"),
    ],
)
def test_what_is_no_number_is_refused(lab, name, text, case):
    found = refusal(lab, **{name: text})
    assert (found.parameter, found.case) == (name, case)
    assert found.rule
    assert found.remedy


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["nan", "NaN", float("nan"), np.float64("nan")])
def test_nan_is_refused(lab, name, value):
    found = refusal(lab, **{name: value})
    assert found.parameter == name
    assert found.case in ("not-a-number", "not-finite")


@pytest.mark.parametrize(
    ("name", "value", "case", "limits"),
    [
        ("scale", "0", "not-positive", {"minimum": "0", "maximum": "1e300"}),
        ("scale", "-1", "not-positive", {"minimum": "0", "maximum": "1e300"}),
        ("scale", "1.0000001e300", "above-maximum", {"minimum": "0", "maximum": "1e300"}),
        ("scale", "1e400", "above-maximum", {"minimum": "0", "maximum": "1e300"}),
        ("scale", "1e999999999", "above-maximum", {"minimum": "0", "maximum": "1e300"}),
        ("bound", "0", "not-positive", {"minimum": "0", "maximum": "1e300"}),
        ("bound", "1e400", "above-maximum", {"minimum": "0", "maximum": "1e300"}),
        ("n", "0", "below-minimum", {"minimum": "1", "maximum": "1000000"}),
        ("n", "-3", "below-minimum", {"minimum": "1", "maximum": "1000000"}),
        ("n", "2.5", "not-whole", {"minimum": "1", "maximum": "1000000"}),
        ("n", "1000001", "above-maximum", {"minimum": "1", "maximum": "1000000"}),
        ("n", "1e400", "above-maximum", {"minimum": "1", "maximum": "1000000"}),
        ("epsilon", "-0.1", "below-minimum", {"minimum": "0", "maximum": "1000000"}),
        ("epsilon", "1000001", "above-maximum", {"minimum": "0", "maximum": "1000000"}),
        ("epsilon", "1e400", "above-maximum", {"minimum": "0", "maximum": "1000000"}),
        ("delta", "-1e-9", "below-minimum", {"minimum": "0", "maximum": "1"}),
        ("delta", "1", "not-below-maximum", {"minimum": "0", "maximum": "1"}),
        ("delta", "1.5", "not-below-maximum", {"minimum": "0", "maximum": "1"}),
        ("delta", "1e400", "not-below-maximum", {"minimum": "0", "maximum": "1"}),
        ("query", "median", "unknown-choice", {"choices": "sum, mean, count, constant"}),
        ("noise", "", "unknown-choice", {"choices": "laplace, gaussian"}),
        ("profile_axis", 3, "unknown-choice", {"choices": "linear, log"}),
    ],
)
def test_what_lies_outside_is_refused(lab, name, value, case, limits):
    found = refusal(lab, **{name: value})
    assert (found.parameter, found.case, found.limits) == (name, case, limits)
    assert name in str(found)


def test_every_wrong_control_is_named_at_once(lab):
    wrong = {"n": "0", "scale": "abc", "delta": "1", "query": "median", "epsilon": "1"}
    found = lab.refusals(**wrong)
    assert [one.parameter for one in found] == ["query", "n", "scale", "delta"]
    with pytest.raises(ParameterError) as raised:
        lab.compute(**wrong)
    assert raised.value.parameter == "query"
    assert lab.refusals() == []


def test_an_unknown_control_is_refused(lab):
    found = refusal(lab, sigma="1")
    assert (found.parameter, found.case) == ("sigma", "unknown-parameter")
    assert "scale" in found.limits["choices"]


def test_refusals_cross_to_another_process(lab):
    (found,) = lab.refusals(delta="1")
    again = pickle.loads(pickle.dumps(found))
    assert (again.case, again.limits) == (found.case, found.limits)


@pytest.mark.parametrize(
    "value",
    ["0.1", " 0.1 ", "1e-1", ".1", "+0.1", 0.1, Fraction(1, 10), Decimal("0.1"), np.float64(0.1)],
)
def test_numbers_are_read_exactly(lab, value):
    assert lab.parse(scale=value)["scale"] == Fraction(1, 10)


@pytest.mark.parametrize("value", ["4", "4.0", 4, 4.0, "4e0", np.int64(4)])
def test_whole_numbers(lab, value):
    assert lab.parse(n=value)["n"] == 4


def test_the_printed_minus_sign_is_read(lab):
    assert lab.parse(record="−0.5")["record"] == Fraction(-1, 2)


@pytest.mark.parametrize(
    ("record", "counts"),
    [
        ("1e308", 2),
        ("-1e308", 0),
        ("1e400", 2),
        ("1e999999999", 2),
        ("-1e999999999", 0),
        ("1.5", 1.5),
    ],
)
def test_a_record_of_any_size_is_clipped(lab, record, counts):
    result = lab.compute(record=record)
    assert result.readouts["answer_changed"] == counts
    assert result.readouts["sensitivity"] == 2
    note = result.as_data()["readouts"]["answer_changed"]["note"]
    assert (note is None) is (record == "1.5")


def test_extremes_of_the_ranges_are_legal(lab):
    for values in ({"scale": "1e300"}, {"scale": "1e-300"}, {"bound": "1e300"}, {"n": "1000000"}):
        assert lab.refusals(**values) == []
    assert lab.refusals(epsilon="1000000", delta="0.99999999999999999999999999") == []


def test_sliders_stop_at_short_legal_texts(lab):
    for parameter in lab.parameters.values():
        if parameter.slider is None:
            continue
        values = parameter.slider.values
        exact = [parameter.read(value) for value in values]
        assert exact == sorted(set(exact))
        assert max(map(len, values)) <= 7
        assert parameter.default in values
        assert parameter.slider.steps == len(values) - 1
        assert (parameter.slider.low, parameter.slider.high) == (values[0], values[-1])


def test_slider_positions():
    assert Slider.linear("0", "1", "0.25").values == ("0", "0.25", "0.5", "0.75", "1")
    assert Slider.log(-1, 1, "1 2 5").values == ("0.1", "0.2", "0.5", "1", "2", "5", "10")


def test_the_controls_as_data(lab):
    data = lab.as_data()
    shown = {name for part in data["layout"]["controls"] for name in part["names"]}
    assert shown == set(lab.parameters)
    scale = next(one for one in data["parameters"] if one["name"] == "scale")
    assert scale["minimum_open"]
    assert not scale["maximum_open"]
    assert (scale["minimum"], scale["maximum"]) == ("0", "1e300")

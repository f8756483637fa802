"""How numbers are written for readers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpdocs.labs import text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(0), "0"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-5, 2), "−2.5"),
        (Fraction(1, 3), "≈ 0.333333333333"),
        (Fraction(2, 3), "≈ 0.666666666667"),
        (1000000, "1000000"),
        (10**10, "1e10"),
        (Fraction(12345678901234), "≈ 1.23456789012e13"),
        (Fraction(1, 10**4), "0.0001"),
        (Fraction(15, 10**7), "1.5e-6"),
        (2 * Fraction(10) ** 600, "2e600"),
        (Fraction(2, 10**600), "2e-600"),
        (Fraction(10**12 - 1), "9.99999999999e11"),
        (Fraction(10**13 - 1), "≈ 1e13"),
    ],
)
def test_exact_numbers(value, written):
    assert text.number(value) == written


def test_a_real_number_is_never_shown_as_exact():
    assert text.number(Fraction(1, 2), real=True) == "≈ 0.5"
    assert text.approximate(0.5) == "≈ 0.5"


def test_least_deltas_are_never_shown_as_zero():
    assert text.least_delta(math.log(0.25)) == "≈ 0.25"
    assert text.least_delta(-50000028.0499597) == "≈ 5.28317e-21714737"
    assert text.least_delta(-math.inf) == "< 1e-999999999"
    assert text.probability(0.5) == "≈ 0.5"
    assert text.probability(0.0) == "< 1e-323"


@pytest.mark.parametrize("value", [0.3, 1.0, 9.999999, 1e-5, 3.5e-300, 0.9999999, 123456.0])
def test_from_log_agrees_with_the_number_itself(value):
    assert text.from_log(math.log(value), 6) == text.short(value, 6)


def test_from_log_writes_no_digit_that_the_logarithm_does_not_have():
    assert text.from_log(-math.inf) == "0"
    assert text.from_log(-1e6).count("e-") == 1
    digits = text.from_log(-1e12).partition("e")[0].replace(".", "")
    assert len(digits) <= 2


def test_short_numbers_have_no_sign_of_rounding():
    assert text.short(Fraction(1, 3)) == "0.333333"
    assert text.short(1e-300) == "1e-300"
    assert text.short(0.0) == "0"


def test_logarithms():
    assert text.log10(-0.5) == "≈ −0.5"
    assert text.log10(-math.inf) == "< −7e307"

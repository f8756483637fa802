"""Enclosures in decimals contain the truth and are as narrow as asked."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import mpmath
import pytest

from dpdocs import digits


def to_mpf(value: Fraction | Decimal) -> mpmath.mpf:
    top, bottom = value.as_integer_ratio()
    return mpmath.mpf(top) / bottom


def assert_encloses(found: digits.Enclosure, truth: mpmath.mpf, places: int) -> None:
    lower, upper = (to_mpf(bound) for bound in found)
    assert lower <= truth <= upper
    assert upper - lower <= 10 * mpmath.mpf(10) ** -places


@pytest.mark.parametrize("places", [40, 160])
@pytest.mark.parametrize(
    ("square", "epsilon"),
    [
        ("4", "1"),
        ("1e-4", "0"),
        ("1e-20", "4e-10"),
        ("2", "0.3"),
        ("100", "20"),
        ("400", "0"),
        ("0.01", "3.1"),
        ("1", "8.0001"),
        ("1", "8.6"),
        ("1e4", "4e3"),
    ],
)
def test_gaussian(square: str, epsilon: str, places: int) -> None:
    with mpmath.workdps(places + 900):
        h, eps = mpmath.sqrt(to_mpf(Fraction(square))), to_mpf(Fraction(epsilon))
        a, b = eps / h - h / 2, eps / h + h / 2
        truth = (
            mpmath.erfc(a / mpmath.sqrt(2)) - mpmath.exp(eps) * mpmath.erfc(b / mpmath.sqrt(2))
        ) / 2
        found = digits.gaussian_delta(Fraction(square), Fraction(epsilon), places)
        assert_encloses(found, truth, places)
        relative = to_mpf(found[1]) / to_mpf(found[0]) - 1
        assert relative < mpmath.mpf(10) ** (12 - places)


def test_gaussian_far_out() -> None:
    low, high = digits.gaussian_delta(Fraction(1), Fraction(10**6), 40)
    assert low == 0 < high < Decimal("1e-20000")
    low, high = digits.gaussian_delta(Fraction(10**12), Fraction(0), 40)
    assert Fraction(1) - Fraction("1e-40") <= Fraction(low) < high == 1


@pytest.mark.parametrize("x", ["0", "-1e-30", "-0.5", "-700", "-123456"])
def test_one_minus_exp(x: str) -> None:
    with mpmath.workdps(300):
        truth = -mpmath.expm1(to_mpf(Fraction(x)))
        assert_encloses(digits.one_minus_exp(Fraction(x), 80), truth, 80)


def test_add_log() -> None:
    with mpmath.workdps(200):
        truth = mpmath.mpf(1) / 3 + 2 * mpmath.log(mpmath.mpf(6) / 7)
        found = digits.add_log(Fraction(1, 3), 2, Fraction(6, 7), 80)
        assert_encloses(found, truth, 80)


def test_pi() -> None:
    with mpmath.workdps(400):
        assert abs(to_mpf(digits._pi(300)) - mpmath.pi) < mpmath.mpf(10) ** -300


def test_comparison_goes_as_far_as_needed_and_no_farther() -> None:
    asked = []

    def third(places: int) -> digits.Enclosure:
        asked.append(places)
        with localcontext(prec=10_000):
            value, unit = Decimal("0." + 39 * "3"), Decimal(10) ** -places
            return value - unit, value + unit

    assert digits.at_most(third, Fraction(1, 2)) is True
    assert asked == [40]
    value = Fraction("0." + 39 * "3")
    assert digits.at_most(third, value - Fraction(1, 10**100)) is False
    assert asked[1:] == [40, 80, 160]
    assert digits.at_most(third, value) is None


def test_rounded_is_the_nearest_float() -> None:
    assert (
        digits.rounded(lambda n: digits.add_log(Fraction(0), 1, Fraction(2), n))
        == 0.6931471805599453
    )

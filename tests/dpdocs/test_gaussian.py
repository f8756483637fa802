"""Gaussian noise against certified values, a second method, and its own inverses."""

from __future__ import annotations

import json
import math
import runpy
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdocs import Gaussian, ParameterError

HERE = Path(__file__).parent
TABLE = json.loads((HERE / "gaussian_reference.json").read_text("utf-8"))


def relative(found: float, truth: str) -> float:
    return float(abs(Fraction(found) / Fraction(truth) - 1))


@pytest.mark.parametrize("part", range(8))
def test_certified_values(part: int) -> None:
    for row in TABLE[part::8]:
        m, epsilon = Gaussian(row["sigma"]), row["epsilon"]
        truth, log_truth = row["delta"], float(row["log_delta"])
        if log_truth > -690.7:  # ln 1e-300
            assert relative(m.delta(epsilon), truth) < 1e-13, row
        assert m.log_delta(epsilon) == pytest.approx(log_truth, rel=1e-14, abs=1e-14), row
        lower, upper = m.delta_bounds(epsilon)
        if log_truth > -800:
            assert Fraction(lower) <= Fraction(truth) <= Fraction(upper), row
        else:
            assert (lower, upper) == (0.0, 5e-324), row


def test_certified_values_are_what_the_script_makes() -> None:
    pytest.importorskip("flint", reason="python-flint has no build for the browser")
    certified = runpy.run_path(str(HERE / "make_reference.py"))["gaussian"]
    for row in TABLE[::20]:
        delta, log_delta = certified(row["sigma"], row["epsilon"])
        assert delta.str(25, radius=False) == row["delta"]
        assert log_delta.str(25, radius=False, more=True) == row["log_delta"]


@pytest.mark.parametrize(
    ("sigma", "epsilon", "delta"),
    [
        (1, 8, 3.65082168742179e-15),
        ("1e10", "4e-10", 7.14525843383e-16),
        ("0.1", 50, 0.460493305898614),
        ("0.5", 20, 2.01602880130604e-20),
        (0.5, 1, 0.509861660054670),
    ],
)
def test_published_values(sigma: object, epsilon: object, delta: float) -> None:
    assert Gaussian(sigma).delta(epsilon) == pytest.approx(delta, rel=1e-11)


@pytest.mark.parametrize("h", ["1e-4", "0.3", "1", "2.5", "9"])
@pytest.mark.parametrize("epsilon", ["0", "0.01", "1", "7"])
def test_integral_of_the_positive_part(h: str, epsilon: str) -> None:
    with mpmath.workdps(30):
        gap, eps = mpmath.mpf(h), mpmath.mpf(epsilon)
        corner = gap / 2 - eps / gap
        truth = mpmath.quad(
            lambda y: mpmath.npdf(y) - mpmath.exp(eps) * mpmath.npdf(y, gap),
            [corner - 60, corner - 20, corner - 8, corner - 4, corner - 2, corner - 1, corner],
        )
        truth = truth if corner > -80 else mpmath.mpf(0)
    if truth > 1e-30:
        assert Gaussian(1, h).delta(epsilon) == pytest.approx(float(truth), rel=1e-12)


def test_no_pure_epsilon() -> None:
    for sigma in ("1e-300", 1, "1e300"):
        for epsilon in (0, 1, "1e6"):
            verdict = Gaussian(sigma).satisfies(epsilon, 0)
            assert not verdict.holds
            assert verdict.case == "no-finite-pure-epsilon"
            assert verdict.witness is not None
    assert Gaussian(1).epsilon(0) == Gaussian(1).pure_epsilon == math.inf


def test_claims_below_the_floats() -> None:
    m = Gaussian(1)
    assert m.delta(50) == 0
    assert m.log_delta(50) == pytest.approx(-1233.86908314, rel=1e-11)
    assert m.satisfies(50, "1.37235288686673e-536").holds
    assert not m.satisfies(50, "1.37235288686671e-536").holds
    assert not m.satisfies(50, "1e-20000").holds


def test_claims_that_agree_with_the_truth_in_every_float_digit() -> None:
    with mpmath.workdps(80):
        truth = mpmath.ncdf(mpmath.mpf(1) / 2) - mpmath.e * mpmath.ncdf(mpmath.mpf(-3) / 2)
        digits = mpmath.nstr(truth, 60)
    m = Gaussian(1, 2)
    assert not m.satisfies(1, digits[:52]).holds  # truncated, so a little below
    above = Fraction(digits[:52]) + Fraction(1, 10**50)
    assert m.satisfies(1, above).holds
    assert float(above) == m.delta(1)


def test_extremes() -> None:
    wide = Gaussian("1e300", "1e-300")
    assert wide.log_delta(0) == pytest.approx(
        -600 * math.log(10) - math.log(2 * math.pi) / 2, rel=1e-15
    )
    assert wide.delta_bounds(0) == (0.0, 5e-324)
    assert wide.log_delta(1) == -math.inf  # about -5e1199, beyond the floats
    assert not wide.vanishes(1)
    narrow = Gaussian("1e-300", "1e300")
    assert narrow.delta([0, 1, 1e6]).tolist() == [1.0, 1.0, 1.0]
    assert not narrow.satisfies(1e6, "0.999999999999").holds
    assert narrow.satisfies(1e6, 1).holds


def test_no_sensitivity_no_loss() -> None:
    m = Gaussian(1, 0)
    assert (m.delta(0), m.log_delta(0), m.epsilon(0), m.event(0)) == (0.0, -math.inf, 0.0, None)
    assert m.delta_bounds([0, 1])[1].tolist() == [0.0, 0.0]
    assert m.satisfies(0, 0).case == "no-loss"


@given(st.floats(-6, 6), st.floats(-8, 36))
def test_epsilon_inverts_delta(log_ratio: float, a: float) -> None:
    sigma = 10**log_ratio
    epsilon = (a + 0.5 / sigma) / sigma
    if not 0 < epsilon < 1e9:
        return
    m = Gaussian(sigma)
    delta = Fraction(m.delta(epsilon))
    if not 0 < delta < 1:
        return
    found = m.epsilon(delta)
    lower, upper = m.epsilon_bounds(delta)
    assert lower <= found <= upper
    assert m.satisfies(Fraction(upper), delta).holds
    assert lower == 0 or not m.satisfies(Fraction(lower), delta).holds
    assert upper - lower <= 1e-12 * upper
    assert m.delta(Fraction(found)) == pytest.approx(float(delta), rel=3e-13)


def test_epsilon_where_the_profile_is_flat() -> None:
    m = Gaussian("0.1")
    with mpmath.workdps(60):
        h, eps = mpmath.mpf(10), mpmath.mpf(10) ** -12
        delta = mpmath.ncdf(5 - eps / h) - mpmath.exp(eps) * mpmath.ncdf(-5 - eps / h)
        text = mpmath.nstr(delta, 50)
    assert m.epsilon(text) == pytest.approx(1e-12, rel=1e-14)
    near_one = m.epsilon(1 - Fraction(1, 10**7))
    assert near_one == 0  # the total variation distance is 1 - 5.7e-7
    assert Gaussian("0.01").epsilon(1 - Fraction(1, 10**400)) == pytest.approx(
        717.6721332722624, rel=1e-15
    )


@given(st.floats(-9, 3), st.floats(-300, -0.01), st.floats(-3, 3))
def test_calibration_is_least(log_epsilon: float, log_delta: float, log_gap: float) -> None:
    epsilon, delta, gap = 10**log_epsilon, 10**log_delta, 10**log_gap
    m = Gaussian.calibrate(epsilon, delta, gap)
    assert m.satisfies(epsilon, delta).holds
    assert not Gaussian(math.nextafter(m.sigma, 0), gap).satisfies(epsilon, delta).holds
    assert m.sensitivity == gap


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    [
        ("0.01", "1e-5", 243.785437675678),
        ("1", "1e-12", 6.55782206745885),
        ("1e-9", "1e-12", 2436407769.22313),
        ("1000", "1e-9", 0.0255463272627341),
        ("0", "1e-3", 398.9421759585578),
        ("0", "0.999999", 0.1022152398391611),
    ],
)
def test_calibration_examples(epsilon: str, delta: str, sigma: float) -> None:
    assert Gaussian.calibrate(epsilon, delta).sigma == pytest.approx(sigma, rel=1e-14)


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: Gaussian(0), "sigma"),
        (lambda: Gaussian("nan"), "sigma"),
        (lambda: Gaussian(1, "-1"), "sensitivity"),
        (lambda: Gaussian(1).delta(-1), "epsilon"),
        (lambda: Gaussian(1).delta([0, math.inf]), "epsilon"),
        (lambda: Gaussian(1).epsilon(1.5), "delta"),
        (lambda: Gaussian(1).satisfies(1, "1,5"), "delta"),
        (lambda: Gaussian.calibrate(1, 0), "delta"),
        (lambda: Gaussian.calibrate(1, 1), "delta"),
        (lambda: Gaussian.calibrate(1, 1e-5, 0), "sensitivity"),
        (lambda: Gaussian.calibrate("1e-300", "1e-300", "1e10"), "sensitivity"),
        (lambda: Gaussian.calibrate("1e400", 1e-5), "epsilon"),
        (lambda: Gaussian.calibrate(1e308, 1e-5), "epsilon"),
    ],
)
def test_refusals(call: object, parameter: str) -> None:
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.parameter == parameter


@given(st.floats(0.05, 20), st.floats(0, 20))
def test_event_attains_delta(h: float, epsilon: float) -> None:
    m = Gaussian(1, h)
    event = m.event(epsilon)
    assert event is not None
    excess = event.probability_p - math.exp(epsilon) * event.probability_q
    scale = event.probability_p
    assert excess == pytest.approx(m.delta(epsilon), abs=1e-12 * scale)
    assert event.threshold == pytest.approx(h / 2 - epsilon / h, rel=1e-12, abs=1e-15)


def test_density_errors_and_samples() -> None:
    m = Gaussian("0.25", 1)
    grid = np.linspace(-5, 5, 20_001)
    assert np.trapezoid(np.exp(m.log_density(grid)), grid) == pytest.approx(1, rel=1e-9)
    assert m.exact_mean_squared_error == Fraction(1, 16)
    assert m.mean_absolute_error == pytest.approx(0.25 * 0.7978845608028654, rel=1e-15)
    assert Gaussian(1).radius("0.95") == pytest.approx(1.959963984540054, rel=1e-15)
    noise = m.sample(np.random.default_rng(7), 100_000)
    assert np.mean(noise**2) == pytest.approx(m.mean_squared_error, rel=0.03)
    assert repr(m) == "Gaussian(sigma=0.25, sensitivity=1.0)"

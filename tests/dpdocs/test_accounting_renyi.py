"""Rényi divergences against integrals in many digits, and what their conversions promise."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpdocs
from dpdocs import Gaussian, Laplace, ParameterError, PureDP
from dpdocs.accounting import ZCDP, Renyi, divergence, gdp, subsampled_gaussian
from dpdocs.accounting.poisson import log_moment

orders = st.floats(1.001, 500)


def near(found: float, truth: mpmath.mpf, relative: float = 1e-13) -> bool:
    """Whether an upper bound is one, up to the digits of the second method, and is close."""
    return truth * (1 - mpmath.mpf("1e-15")) <= found <= truth * (1 + mpmath.mpf(relative))


@settings(max_examples=12)
@given(orders, st.sampled_from(["0.01", "0.5", "3", "40"]))
def test_laplace_against_its_integral(order: float, ratio: str) -> None:
    with mpmath.workdps(25):
        a, r = mpmath.mpf(repr(order)), mpmath.mpf(ratio)
        middle = mpmath.quad(
            lambda x: mpmath.exp(-x + (a - 1) * (r - 2 * x)) / 2, mpmath.linspace(0, r, 9)
        )
        if (2 * a - 1) * r > 30:  # too steep for the rule: the integral by hand
            middle = mpmath.exp((a - 1) * r) * -mpmath.expm1(-(2 * a - 1) * r) / (2 * (2 * a - 1))
        whole = mpmath.exp((a - 1) * r) / 2 + middle + mpmath.exp(-a * r) / 2
        truth = mpmath.log(whole) / (a - 1)
        assert near(divergence(Laplace(1, ratio), repr(order)), truth)


@given(orders, st.sampled_from(["0.001", "0.5", "3", "40"]))
def test_pure_is_its_sum(order: float, epsilon: str) -> None:
    with mpmath.workdps(60):
        a, e = mpmath.mpf(repr(order)), mpmath.mpf(epsilon)
        p, q = 1 / (1 + mpmath.exp(-e)), 1 / (1 + mpmath.exp(e))
        truth = mpmath.log(p**a * q ** (1 - a) + q**a * p ** (1 - a)) / (a - 1)
        assert near(divergence(PureDP(epsilon), repr(order)), truth)


def test_the_two_ends() -> None:
    assert divergence(Gaussian(1), 1) == 0.5
    assert math.isinf(divergence(Gaussian(1), math.inf))
    assert divergence(Laplace(2), 1) == pytest.approx(0.5 + math.exp(-0.5) - 1, rel=1e-14)
    assert divergence(Laplace(2), math.inf) == 0.5
    assert divergence(PureDP(1), 1) == pytest.approx(math.tanh(0.5), rel=1e-14)
    assert divergence(PureDP(1), "1.0000000001") == pytest.approx(math.tanh(0.5), rel=1e-9)
    assert 0 < divergence(PureDP("1e-20000"), 2) < 1e-300
    assert divergence(Laplace(1, "1e-120"), 3) == pytest.approx(1.5e-240, rel=1e-14)
    assert divergence(PureDP(1), "1." + "0" * 1500 + "1") == pytest.approx(math.tanh(0.5))
    assert divergence(Gaussian(1, 0), 5) == divergence(PureDP(0), 5) == 0.0
    assert divergence(PureDP(1e300), 5) == 1e300


def test_divergences_add_up() -> None:
    mixed = dpdocs.compose(Gaussian(2), PureDP("0.3"), PureDP("0.3"))
    parts = divergence(Gaussian(2), 3) + 2 * divergence(PureDP("0.3"), 3)
    assert divergence(mixed, 3) == pytest.approx(parts, rel=1e-14)
    assert divergence(Laplace(2).compose(5), 3) == pytest.approx(5 * divergence(Laplace(2), 3))


@given(st.floats(0.02, 8), st.sampled_from([1.5, 2.0, 7.25, 60.0]))
def test_divergence_grows_with_the_order(ratio: float, order: float) -> None:
    for m in (Laplace(1, ratio), PureDP(ratio), Gaussian(1, ratio)):
        assert divergence(m, order) <= divergence(m, order + 0.5) * (1 + 1e-14)


def moment_by_binomials(sigma: str, rate: str, order: int) -> mpmath.mpf:
    """ln E(1+t)^α for a whole α, exactly (Mironov, Talwar & Zhang 2019, section 3.3)."""
    s, q = mpmath.mpf(sigma), mpmath.mpf(rate)
    return mpmath.log(
        mpmath.fsum(
            mpmath.binomial(order, k)
            * (1 - q) ** (order - k)
            * q**k
            * mpmath.exp(mpmath.mpf(k * k - k) / (2 * s * s))
            for k in range(order + 1)
        )
    )


def moment_by_quadrature(sigma: str, rate: str, power: str) -> mpmath.mpf:
    s, q, p = mpmath.mpf(sigma), mpmath.mpf(rate), mpmath.mpf(power)

    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        t = q * mpmath.expm1((2 * x - 1) / (2 * s * s))
        return mpmath.npdf(x, 0, s) * ((1 + t) ** p - 1 - p * t)

    ends = [-30 * s, -8 * s, -2 * s, 0, 1, 1 + 3 * s, 1 + 10 * s, abs(p) + 12 * s, abs(p) + 40 * s]
    return mpmath.log1p(mpmath.quad(integrand, sorted(ends)))


@pytest.mark.parametrize("sigma", ["0.3", "0.8", "2", "20"])
@pytest.mark.parametrize("rate", ["1e-5", "0.01", "0.6"])
@pytest.mark.parametrize("order", [2, 3, 32, 256])
def test_subsampled_at_whole_orders(sigma: str, rate: str, order: int) -> None:
    with mpmath.workdps(60):
        truth = moment_by_binomials(sigma, rate, order)
        value, error = log_moment(float(sigma), float(rate), float(order))
        assert abs(value - truth) <= error
        assert error <= 2e-11 * abs(truth) + 1e-25
        bound = subsampled_gaussian(sigma, rate, order, "remove")
        assert truth / (order - 1) <= bound


@pytest.mark.parametrize(("sigma", "rate"), [("0.5", "0.01"), ("1", "0.001"), ("4", "0.3")])
@pytest.mark.parametrize("power", ["1.25", "6.5", "-0.5", "-9.75"])
def test_subsampled_at_real_orders(sigma: str, rate: str, power: str) -> None:
    with mpmath.workdps(25):
        truth = moment_by_quadrature(sigma, rate, power)
        value, error = log_moment(float(sigma), float(rate), float(power))
        assert abs(value - truth) <= error + 1e-16 * abs(truth)
        assert error <= 2e-11 * abs(truth)


@given(st.floats(0.4, 20), st.floats(1e-5, 0.999), st.floats(1.01, 300))
def test_remove_is_the_worse_direction(sigma: float, rate: float, order: float) -> None:
    remove = subsampled_gaussian(sigma, rate, order, "remove")
    assert 0 <= subsampled_gaussian(sigma, rate, order, "add") <= remove * (1 + 1e-9)
    assert remove <= order / (2 * sigma**2) * (1 + 1e-12)


def test_subsampled_at_the_ends() -> None:
    assert subsampled_gaussian(1, 0, 5) == 0.0
    assert subsampled_gaussian(2, 1, 4) == 0.5
    assert subsampled_gaussian("0.3", "1e-5", 10**6) <= 10**6 / 0.18 * (1 + 1e-12)


ROWS = [
    ("1", "1e-5", 5.298525912, 4.728386985, 4.377178096),
    ("5", "1e-5", 0.979705182, 0.794314774, 0.725521751),
    ("1", "1e-10", 7.286140424, 6.839329413, 6.547924067),
]


@pytest.mark.parametrize(("sigma", "delta", "mironov", "cks", "exact"), ROWS)
def test_reference_rows(sigma: str, delta: str, mironov: float, cks: float, exact: float) -> None:
    curve = Renyi([(Gaussian(sigma), 1)])
    assert curve.epsilon(delta, "classic").epsilon == pytest.approx(mironov, rel=1e-9)
    assert curve.epsilon(delta).epsilon == pytest.approx(cks, rel=1e-9)
    assert Gaussian(sigma).epsilon(delta) == pytest.approx(exact, rel=1e-9)
    rho = ZCDP.of(Gaussian(sigma))
    assert rho.epsilon(delta, "classic").epsilon == pytest.approx(mironov, rel=1e-9)
    assert rho.epsilon(delta).epsilon == pytest.approx(cks, rel=1e-9)


def test_reference_row_of_zcdp() -> None:
    assert Gaussian(1).epsilon("0.2") == pytest.approx(0.653350768801383, rel=1e-13)
    assert ZCDP("0.5").epsilon("0.2").epsilon > 0.653350768801383


MECHANISMS = [
    Gaussian(3),
    Gaussian("0.4").compose(7),
    Laplace(5).compose(30),
    PureDP("0.2").compose(50),
    dpdocs.compose(Gaussian(2), PureDP("0.3"), PureDP("0.3"), PureDP(1)),
]


@pytest.mark.parametrize("m", MECHANISMS, ids=repr)
@pytest.mark.parametrize("delta", ["0.1", "1e-5", "1e-40"])
def test_exact_then_optimal_then_classic(m: dpdocs.Profile, delta: str) -> None:
    curve = Renyi([(m, 1)])
    new = curve.epsilon(delta).epsilon
    assert m.epsilon_bounds(delta)[0] <= new <= curve.epsilon(delta, "classic").epsilon
    assert m.delta_bounds(new)[0] <= curve.delta(new).delta <= float(delta) * (1 + 1e-6)
    concentrated = ZCDP.of(m)
    assert new <= concentrated.epsilon(delta).epsilon * (1 + 1e-9)
    assert concentrated.epsilon(delta).epsilon <= concentrated.epsilon(delta, "classic").epsilon


@given(st.floats(1e-6, 1e4), st.floats(1e-30, 0.9))
def test_zcdp_conversion_is_above_the_gaussian(rho: float, delta: float) -> None:
    found = ZCDP(rho).epsilon(delta).epsilon
    assert math.isfinite(found)
    assert Gaussian(1, math.sqrt(2 * rho) * (1 - 1e-12)).epsilon(delta) <= found


def test_the_optimum_is_one() -> None:
    """No order of a fine list beats the continuous one."""
    curve = Renyi([(Laplace(4), 20)])
    found = curve.epsilon("1e-6").epsilon
    for i in range(1, 400):
        a = 1 + 1.05 ** (i - 150)
        tail = (math.log(1e-6) + math.log(a)) / (a - 1)
        assert curve.divergence(a) - tail + math.log1p(-1 / a) >= found * (1 - 1e-12)


def test_zcdp_adds_up() -> None:
    total = ZCDP.of(Gaussian(2)) + ZCDP.of(PureDP("0.3")).compose(2)
    assert total.exact_rho == Fraction(1, 8) + Fraction(9, 100)
    assert ZCDP(0).epsilon("1e-5").epsilon == 0.0
    assert ZCDP(0).delta(1).delta == 0.0
    assert ZCDP("0.5").delta(5).delta >= Gaussian(1).delta(5)


def test_gdp() -> None:
    assert gdp.compose("0.6", "0.8") == pytest.approx(1, rel=1e-15)
    assert gdp.compose("0.6", "0.8") >= 1
    assert gdp.profile(2).delta(1) == Gaussian(1, 2).delta(1)
    for epsilon, delta in [("0.01", "1e-5"), (1, "1e-12"), (50, "1e-6"), (0, "0.3")]:
        found = gdp.largest_mu(epsilon, delta)
        assert gdp.profile(found).satisfies(epsilon, delta).holds
        assert not gdp.profile(found * (1 + 1e-12)).satisfies(epsilon, delta).holds
    with pytest.raises(ParameterError):
        gdp.mu(Laplace(1))


def test_the_central_limit_is_below_the_truth() -> None:
    """Reference: the true ε of 1000 steps, q = 0.01, σ = 1 is 1.82823666651657688 at 1e-5."""
    about = gdp.clt_approximation(1, "0.01", 1000)
    assert about == pytest.approx(0.01 * math.sqrt(1000 * math.expm1(1)), rel=1e-14)
    assert gdp.profile(about).epsilon("1e-5") < 1.82823666651657688


@pytest.mark.parametrize(
    ("sigma", "rate", "steps", "exact"),
    [("4", "0.05", 500, 1.08681017616734857), ("1", "0.01", 1000, 1.82823666651657688)],
)
def test_subsampled_conversion_is_above_the_truth(
    sigma: str, rate: str, steps: int, exact: float
) -> None:
    curve = Renyi([(lambda order: subsampled_gaussian(sigma, rate, order), steps)])
    found = curve.epsilon("1e-5").epsilon
    assert exact < found < 1.15 * exact


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: divergence(Gaussian(1), "0.5"),
        lambda: divergence(Gaussian(1), math.nan),
        lambda: subsampled_gaussian(0, "0.1", 2),
        lambda: subsampled_gaussian(1, 2, 2),
        lambda: subsampled_gaussian(1, "0.1", 1),
        lambda: subsampled_gaussian(1, "0.1", 2, "both"),  # type: ignore[arg-type]
        lambda: Renyi([(1, 1)]),  # type: ignore[list-item]
        lambda: Renyi([(Gaussian(1), 1)]).epsilon(0),
        lambda: Renyi([(Gaussian(1), 1)]).epsilon("1e-5", "best"),  # type: ignore[arg-type]
        lambda: ZCDP(-1),
        lambda: ZCDP(1).epsilon(1),
        lambda: gdp.profile(math.inf),
        lambda: gdp.clt_approximation(1, 2, 3),
    ],
)
def test_bad_input_is_refused(wrong: object) -> None:
    with pytest.raises(ParameterError):
        wrong()  # type: ignore[operator]

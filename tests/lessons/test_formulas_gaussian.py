"""Every formula of the lesson "Gaussian noise", worked out by a second way and against dpdocs.

The second way never uses the formula under test: integrals are done numerically on the densities,
derivatives are difference quotients, laws are drawn from the density of the output itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mpmath as mp
import pytest
import yaml

import dpdocs
from dpdocs import labs

mp.mp.dps = 30

FORMULAS = Path(__file__).parents[2] / "docs" / "formulas" / "gaussian.yml"
# sigma, sensitivity, epsilon
CASES = [
    ("1", "2", "1"),
    ("2", "2", "0.5"),
    ("3", "1", "0"),
    ("0.5", "1", "3"),
    ("4", "0.5", "0.1"),
]
TESTS: dict[str, Callable[[], None]] = {}

Number = mp.mpf


def checks(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register the test of one formula."""

    def register(test: Callable[[], None]) -> Callable[[], None]:
        TESTS[name] = test
        return test

    return register


def close(one: object, two: object, relative: float = 1e-12) -> None:
    assert abs(mp.mpf(one) - mp.mpf(two)) <= relative * max(abs(mp.mpf(one)), abs(mp.mpf(two)))


def cases() -> list[tuple[Number, Number, Number]]:
    return [(mp.mpf(a), mp.mpf(b), mp.mpf(c)) for a, b, c in CASES]


def density(y: Number, centre: Number, sigma: Number) -> Number:
    """Return the normal density as it is defined, not as the formula file writes it."""
    u = (y - centre) / sigma
    return mp.exp(-u * u / 2) / (sigma * mp.sqrt(2 * mp.pi))


def phi(u: Number) -> Number:
    return density(u, mp.mpf(0), mp.mpf(1))


def Phi(x: Number) -> Number:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def loss(y: Number, sensitivity: Number, sigma: Number) -> Number:
    return mp.log(density(y, mp.mpf(0), sigma) / density(y, sensitivity, sigma))


def integral(f: Callable[[Number], Number], low: Number, high: Number, width: Number) -> Number:
    """Integrate in pieces of one width, so that no peak is missed."""
    pieces = max(2, int(mp.ceil((high - low) / width)) + 1)
    return mp.quad(f, mp.linspace(low, high, pieces), method="gauss-legendre")


def whole_line(f: Callable[[Number], Number], centre: Number, sigma: Number) -> Number:
    """Integrate an analytic function with normal tails, by the trapezoid rule."""
    step = sigma / 4
    return step * mp.fsum(f(centre + k * step) for k in range(-52, 53))


def crossing(sensitivity: Number, sigma: Number, epsilon: Number) -> Number:
    """Find the point where p = e^epsilon q by bisection on the densities themselves."""
    low, high = -400 * sigma, sensitivity + 400 * sigma
    for _ in range(160):
        middle = (low + high) / 2
        if loss(middle, sensitivity, sigma) > epsilon:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def excess(sigma: Number, sensitivity: Number, epsilon: Number) -> Number:
    """Integrate the positive part of p - e^epsilon q."""
    end = crossing(sensitivity, sigma, epsilon)
    return integral(
        lambda y: density(y, mp.mpf(0), sigma) - mp.exp(epsilon) * density(y, sensitivity, sigma),
        end - 16 * sigma,
        end,
        sigma,
    )


def profile(sigma: Number, sensitivity: Number, epsilon: Number) -> float:
    noise = dpdocs.Gaussian(sigma=float(sigma), sensitivity=float(sensitivity))
    return float(noise.delta(float(epsilon)))


def slope(f: Callable[[Number], Number], at: Number) -> Number:
    step = mp.mpf("1e-12")
    return (f(at + step) - f(at - step)) / (2 * step)


@checks("gaussian-density")
def density_has_mass_one_mean_m_and_variance_sigma_squared() -> None:
    m, sigma = mp.mpf("1.5"), mp.mpf("0.7")

    def written(y: Number) -> Number:
        return mp.exp(-((y - m) ** 2) / (2 * sigma**2)) / (sigma * mp.sqrt(2 * mp.pi))

    close(whole_line(written, m, sigma), 1)
    close(whole_line(lambda y: y * written(y), m, sigma), m)
    close(whole_line(lambda y: (y - m) ** 2 * written(y), m, sigma), sigma**2)


@checks("gaussian-cdf")
def cdf_is_the_area() -> None:
    for x in map(mp.mpf, ("-3", "-0.5", "0", "1.2")):
        area = integral(phi, x - 16, x, mp.mpf(1))
        close(area, Phi(x))
        close(1 - area, Phi(-x))


@checks("gaussian-loss")
def loss_is_a_line() -> None:
    for sigma, s, _ in cases():
        for y in map(mp.mpf, ("-7", "0", "0.4", "9")):
            written = s**2 / (2 * sigma**2) - s / sigma**2 * y
            assert abs(loss(y, s, sigma) - written) < mp.mpf("1e-25")


@checks("gaussian-loss-law")
def loss_has_the_moments_of_its_law() -> None:
    for sigma, s, _ in cases():
        mu = s / sigma
        for centre, mean in ((mp.mpf(0), mu**2 / 2), (s, -(mu**2) / 2)):

            def average(f: Callable[[Number], Number], centre=centre, sigma=sigma, s=s) -> Number:
                return whole_line(
                    lambda y: f(loss(y, s, sigma)) * density(y, centre, sigma), centre, sigma
                )

            close(average(lambda x: x), mean)
            close(average(lambda x, mean=mean: (x - mean) ** 2), mu**2)
            # a normal law: its characteristic function is that of N(mean, mu^2)
            close(average(lambda x, mean=mean: mp.cos(x - mean)), mp.exp(-(mu**2) / 2), 1e-12)


@checks("gaussian-threshold")
def threshold_is_where_the_densities_cross() -> None:
    for sigma, s, epsilon in cases():
        t = s / 2 - epsilon * sigma**2 / s
        assert abs(t - crossing(s, sigma, epsilon)) < mp.mpf("1e-25")
        noise = dpdocs.Gaussian(sigma=float(sigma), sensitivity=float(s))
        event = noise.satisfies(float(epsilon), 0).witness
        assert event is not None
        assert abs(mp.mpf(event.threshold) - t) < 1e-12


@checks("gaussian-no-pure")
def excess_is_positive_and_no_pure_claim_holds() -> None:
    for sigma, s, epsilon in [*cases(), (mp.mpf(1), mp.mpf(1), mp.mpf(30))]:
        assert excess(sigma, s, epsilon) > 0
    noise = dpdocs.Gaussian(sigma=1000, sensitivity=1)
    assert float(noise.delta(1000)) == 0  # too small for a float
    assert not noise.satisfies(1000, 0).holds
    assert noise.epsilon(0) == float("inf")


@checks("gaussian-two-probabilities")
def probabilities_are_areas() -> None:
    for sigma, s, epsilon in cases():
        t = crossing(s, sigma, epsilon)
        p, q = (
            integral(lambda y, c=c, sigma=sigma: density(y, c, sigma), t - 16 * sigma, t, sigma)
            for c in (mp.mpf(0), s)
        )
        close(p, Phi(s / (2 * sigma) - epsilon * sigma / s))
        close(q, Phi(-s / (2 * sigma) - epsilon * sigma / s))
        noise = dpdocs.Gaussian(sigma=float(sigma), sensitivity=float(s))
        event = noise.satisfies(float(epsilon), 0).witness
        assert event is not None
        close(event.probability_p, p)
        close(event.probability_q, q)


@checks("gaussian-profile")
def profile_is_the_integral_of_the_positive_part() -> None:
    for sigma, s, epsilon in cases():
        area = excess(sigma, s, epsilon)
        first = Phi(s / (2 * sigma) - epsilon * sigma / s)
        second = mp.exp(epsilon) * Phi(-s / (2 * sigma) - epsilon * sigma / s)
        close(first - second, area)
        close(profile(sigma, s, epsilon), area)


@checks("gaussian-expected-excess")
def profile_is_a_mean_over_the_outputs() -> None:
    for sigma, s, epsilon in cases():
        end = crossing(s, sigma, epsilon)
        mean = integral(
            lambda y, s=s, sigma=sigma, epsilon=epsilon: (
                density(y, mp.mpf(0), sigma) * (1 - mp.exp(epsilon - loss(y, s, sigma)))
            ),
            end - 16 * sigma,
            end,
            sigma,
        )
        close(mean, excess(sigma, s, epsilon))
        close(mean, profile(sigma, s, epsilon))


def arguments(sigma: Number, s: Number, epsilon: Number) -> tuple[Number, Number, Number]:
    mu = s / sigma
    return mu, mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu


@checks("gaussian-balance")
def densities_balance_at_the_threshold() -> None:
    for sigma, s, epsilon in cases():
        t = crossing(s, sigma, epsilon)
        _, a, c = arguments(sigma, s, epsilon)
        close(sigma * density(t, mp.mpf(0), sigma), phi(a))
        close(sigma * density(t, s, sigma), phi(c))
        close(phi(a), mp.exp(epsilon) * phi(c))
        assert abs(a**2 - c**2 + 2 * epsilon) < mp.mpf("1e-30")


@checks("gaussian-slope-mu")
def slope_in_mu_is_a_density() -> None:
    for sigma, s, epsilon in cases():
        mu, a, c = arguments(sigma, s, epsilon)
        quotient = slope(lambda x, e=epsilon: excess(mp.mpf(1), x, e), mu)
        two_terms = phi(a) * (mp.mpf(1) / 2 + epsilon / mu**2) - mp.exp(epsilon) * phi(c) * (
            -mp.mpf(1) / 2 + epsilon / mu**2
        )
        close(quotient, phi(a), 1e-10)
        close(two_terms, phi(a))


@checks("gaussian-integral")
def profile_is_an_integral_of_a_positive_function() -> None:
    for sigma, s, epsilon in cases():
        mu = s / sigma
        area = integral(lambda x, e=epsilon: phi(x / 2 - e / x), mp.mpf(0), mu, mu / 12)
        close(area, profile(sigma, s, epsilon))


@checks("gaussian-slope-epsilon")
def slope_in_epsilon() -> None:
    for sigma, s, epsilon in cases():
        if epsilon == 0:
            continue
        mu, a, c = arguments(sigma, s, epsilon)
        quotient = slope(lambda e, s=s, sigma=sigma: excess(sigma, s, e), epsilon)
        three = -phi(a) / mu - mp.exp(epsilon) * Phi(c) + mp.exp(epsilon) * phi(c) / mu
        close(quotient, -mp.exp(epsilon) * Phi(c), 1e-10)
        close(three, -mp.exp(epsilon) * Phi(c))


@checks("gaussian-total-variation")
def profile_at_zero_is_half_the_area_between_the_curves() -> None:
    for sigma, s, _ in cases():
        half = integral(
            lambda y, s=s, sigma=sigma: (
                abs(density(y, mp.mpf(0), sigma) - density(y, s, sigma)) / 2
            ),
            s / 2 - 16 * sigma,
            s / 2,
            sigma,
        )
        close(2 * half, 2 * Phi(s / (2 * sigma)) - 1)
        close(2 * half, profile(sigma, s, mp.mpf(0)))


def mills(x: Number) -> Number:
    """Return the Mills ratio as one integral, without a quotient of tiny numbers."""
    return integral(lambda u: mp.exp(-x * u - u * u / 2), mp.mpf(0), mp.mpf(16), mp.mpf(1))


@checks("gaussian-mills-ratio")
def mills_ratio_falls_below_one_over_x() -> None:
    for x in map(mp.mpf, ("-2", "0", "0.5", "3", "12")):
        close(mills(x), Phi(-x) / phi(x))
        close(slope(mills, x), x * mills(x) - 1, 1e-10)
        assert slope(mills, x) < 0
        assert x <= 0 or mills(x) < 1 / x


@checks("gaussian-mills-form")
def profile_in_mills_ratios() -> None:
    for sigma, s, epsilon in cases():
        mu = s / sigma
        x = epsilon / mu - mu / 2
        close(phi(x) * (mills(x) - mills(x + mu)), excess(sigma, s, epsilon))
        between = integral(lambda u: 1 - u * Phi(-u) / phi(u), x, x + mu, mu / 4)
        close(phi(x) * between, profile(sigma, s, epsilon))


@checks("gaussian-log-profile")
def log_profile_where_delta_is_no_float() -> None:
    for sigma, s, epsilon in [*cases(), (mp.mpf(10000), mp.mpf(1), mp.mpf(1))]:
        mu = s / sigma
        x = epsilon / mu - mu / 2
        noise = dpdocs.Gaussian(sigma=float(sigma), sensitivity=float(s))
        with mp.workdps(60):
            ratio = mp.quad(
                lambda u, x=x, mu=mu: -mp.exp(-x * u - u * u / 2) * mp.expm1(-mu * u),
                [0, *(k / (1 + abs(x)) for k in (1, 4, 16, 64)), 60],
            )
            written = -(x**2) / 2 - mp.log(2 * mp.pi) / 2 + mp.log(ratio)
        close(noise.log_delta(float(epsilon)), written, 1e-12)


@checks("gaussian-least-sigma")
def least_sigma_meets_the_claim_and_nothing_smaller_does() -> None:
    for epsilon, delta, s in (("1", "1e-5", 1), ("0", "0.01", 1), ("5", "1e-3", 3)):
        found = dpdocs.Gaussian.calibrate(epsilon, delta, sensitivity=s).sigma
        sigma = mp.mpf(repr(found))  # dpdocs takes a float for the decimal it shows
        at = excess(sigma, mp.mpf(s), mp.mpf(epsilon))
        assert at <= mp.mpf(delta)
        close(at, mp.mpf(delta), 1e-10)
        less = excess(sigma * (1 - mp.mpf("1e-9")), mp.mpf(s), mp.mpf(epsilon))
        assert less > mp.mpf(delta)
    zero = dpdocs.Gaussian.calibrate(0, "0.01", sensitivity=1).sigma
    close(1 / mp.mpf(zero), 2 * mp.sqrt(2) * mp.erfinv(mp.mpf("0.01")))


@checks("gaussian-tail-condition")
def tail_of_the_loss_bounds_delta() -> None:
    for sigma, s, epsilon in cases():
        mu = s / sigma
        x = epsilon / mu - mu / 2
        end = crossing(s, sigma, epsilon)
        tail = integral(
            lambda y, sigma=sigma: density(y, mp.mpf(0), sigma), end - 16 * sigma, end, sigma
        )
        close(tail, Phi(-x))
        assert excess(sigma, s, epsilon) <= tail


def classic(epsilon: Number, delta: Number) -> Number:
    return mp.sqrt(2 * mp.log(mp.mpf("1.25") / delta)) / epsilon


@checks("gaussian-classic")
def classic_formula_holds_below_one_and_first_fails_where_the_lesson_says() -> None:
    for delta in map(mp.mpf, ("1e-9", "1e-5", "0.1", "0.5", "0.8")):
        for epsilon in map(mp.mpf, ("0.01", "0.3", "0.99")):
            assert profile(classic(epsilon, delta), mp.mpf(1), epsilon) <= delta
    # the cell bisects between 1 and 60; a scan shows that there is one change of sign before 60
    for text, first in (("1e-9", 9.62), ("1e-5", 8.42), ("0.1", 5.74), ("0.8", 3.88)):
        delta = mp.mpf(text)
        holds = [
            profile(classic(mp.mpf(k) / 5, delta), mp.mpf(1), mp.mpf(k) / 5) <= delta
            for k in range(1, 301)
        ]
        change = holds.index(False)
        assert all(holds[:change])
        assert not any(holds[change:])
        assert first <= (change + 1) / 5 < first + 0.21


@checks("gaussian-classic-proof")
def proof_of_the_classic_formula_line_by_line() -> None:
    for delta in map(mp.mpf, ("1e-12", "1e-5", "0.1", "0.5")):
        for epsilon in map(mp.mpf, ("0.001", "0.5", "1")):
            c = mp.sqrt(2 * mp.log(mp.mpf("1.25") / delta))
            x = c - epsilon / (2 * c)
            tail = Phi(-x)
            bound = mp.exp(-(x**2) / 2) / (x * mp.sqrt(2 * mp.pi))
            assert tail < bound
            close(x**2, c**2 - epsilon + epsilon**2 / (4 * c**2))
            factor = mp.exp(epsilon / 2) / (mp.mpf("1.25") * mp.sqrt(2 * mp.pi) * x)
            assert bound <= delta * factor * (1 + mp.mpf("1e-30"))
            assert factor <= 1
    # the least denominator that the lesson names belongs to epsilon = 1 and delta = 1/2
    c = mp.sqrt(2 * mp.log(mp.mpf("2.5")))
    assert mp.exp(mp.mpf("0.5")) < mp.mpf("1.25") * mp.sqrt(2 * mp.pi) * (c - 1 / (2 * c))


@checks("gaussian-mean-absolute-error")
def mean_absolute_error() -> None:
    sigma = mp.mpf("2.5")
    area = integral(lambda z: 2 * z * density(z, mp.mpf(0), sigma), mp.mpf(0), 16 * sigma, sigma)
    close(area, sigma * mp.sqrt(2 / mp.pi))
    lab = labs.get("sensitivity")
    result = lab.compute(
        query="sum",
        n="4",
        bound="2",
        record="2",
        noise="gaussian",
        scale="2.5",
        epsilon="1",
        delta="0",
    )
    close(result.readouts["mean_absolute_error"], area)
    close(result.readouts["mse"], sigma**2)


@checks("gaussian-radius")
def radius_holds_95_percent() -> None:
    lab = labs.get("sensitivity")
    result = lab.compute(
        query="sum",
        n="4",
        bound="2",
        record="2",
        noise="gaussian",
        scale="2.5",
        epsilon="1",
        delta="0",
    )
    sigma, r = mp.mpf("2.5"), mp.mpf(result.readouts["radius_95"])
    inside = integral(lambda z: density(z, mp.mpf(0), sigma), -r, r, sigma)
    close(inside, mp.mpf("0.95"))
    close(2 * Phi(r / sigma) - 1, inside)


@checks("gaussian-laplace-scale")
def least_laplace_scale_meets_the_claim() -> None:
    for epsilon, delta, s in (("1", "1e-5", "1"), ("0.1", "0.05", "2"), ("0", "0.01", "1")):
        e, d, gap = mp.mpf(epsilon), mp.mpf(delta), mp.mpf(s)
        b = gap / (e - 2 * mp.log(1 - d))
        area = mp.quad(
            lambda y, b=b, e=e, gap=gap: max(
                mp.mpf(0),
                (mp.exp(-abs(y) / b) - mp.exp(e) * mp.exp(-abs(y - gap) / b)) / (2 * b),
            ),
            [-80 * b, 0, (gap - b * e) / 2],
        )
        close(area, d)
        close(dpdocs.Laplace(scale=float(b), sensitivity=float(gap)).delta(float(e)), d, 1e-9)


@checks("gaussian-many-answers")
def norms_of_the_worst_change() -> None:
    for k in (1, 7, 100):
        change = [mp.mpf("0.5")] * k
        close(mp.norm(mp.matrix(change), 1), k * mp.mpf("0.5"))
        close(mp.norm(mp.matrix(change), 2), mp.sqrt(k) * mp.mpf("0.5"))
        one = dpdocs.Gaussian.calibrate(1, "1e-5", sensitivity=1).sigma
        many = dpdocs.Gaussian.calibrate(1, "1e-5", sensitivity=k**0.5).sigma
        close(many, one * k**0.5, 1e-9)
        close(dpdocs.Laplace.calibrate(1, sensitivity=k).scale, k)


@checks("gaussian-vector-loss")
def loss_of_a_vector_is_that_of_one_coordinate() -> None:
    sigma = mp.mpf("1.3")
    u, v = mp.matrix(["0.2", "-1", "3"]), mp.matrix(["1.1", "0.4", "2"])
    s = mp.norm(v - u, 2)
    e = (v - u) / s
    for entries in (["0", "0", "0"], ["2", "-3", "1.5"], ["-4", "0.1", "9"]):
        y = mp.matrix(entries)
        joint = mp.fsum(loss_of(y[i], u[i], v[i], sigma) for i in range(3))
        component = mp.fsum((y[i] - u[i]) * e[i] for i in range(3))
        close(joint, s**2 / (2 * sigma**2) - s / sigma**2 * component)
        close(joint, loss(component, s, sigma))


def loss_of(y: Number, one: Number, other: Number, sigma: Number) -> Number:
    return mp.log(density(y, one, sigma) / density(y, other, sigma))


@checks("gaussian-composition")
def two_releases_are_one() -> None:
    """Integrate the joint density of two different releases in the plane."""
    first, second, epsilon = mp.mpf("0.6"), mp.mpf("0.8"), mp.mpf("0.5")
    mu = mp.sqrt(first**2 + second**2)

    def second_excess(rest: Number) -> Number:
        """Return the excess of the second release at any real epsilon, negative ones too."""
        end = (second**2 / 2 - rest) / second  # where its loss is `rest`
        return Phi(end) - mp.exp(rest) * Phi(end - second)

    def inner(y: Number) -> Number:
        # where the first release has lost some of epsilon, the second may lose the rest
        rest = epsilon - loss(y, first, mp.mpf(1))
        return phi(y) * second_excess(rest)

    # the trapezoid rule is all but exact for an analytic function with normal tails
    joint = mp.fsum(inner(mp.mpf(k) / 8) / 8 for k in range(-112, 113))
    close(joint, profile(mp.mpf(1), mu, epsilon))


def test_every_formula_has_a_test() -> None:
    assert set(TESTS) == set(yaml.safe_load(FORMULAS.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", sorted(TESTS))
def test_formula(name: str) -> None:
    TESTS[name]()

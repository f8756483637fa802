"""Write the tables of reference values, in ball arithmetic.

    python tests/dpdocs/make_reference.py

Everything is computed by python-flint (Arb), with as many bits as it takes to certify 25 digits,
and by other formulas than the package uses:

- gaussian_reference.json: Gaussian noise, as Φ(-a) - e^ε Φ(-b);
- laplace_fold_reference.json: k-fold Laplace noise, by residues. With ρ = r/2, the transform of the
  symmetric law is [e^w (1 + ρ/w) + e^-w (1 - ρ/w)]^k / 2^k and that of 2 sinh(ρx) on x > 0 is
  2ρ/(w² - ρ²). Expanded binomially, δ = 2ρ e^(ε/2 - kρ) / 2^k times the sum over j, while
  s = k - 2j - ε/r > 0, of C(k, j) times the residues of
  e^(sw) (w + ρ)^(k-j-1) (w - ρ)^(j-1) / w^k. Their terms alternate in sign: rational arithmetic
  takes what cancels.
"""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from pathlib import Path

from flint import arb, ctx, fmpq, fmpq_poly

HERE = Path(__file__).parent
DIGITS = 25


def rational(value: Fraction | str) -> fmpq:
    return fmpq(*Fraction(value).as_integer_ratio())


def is_certified(value: arb) -> bool:
    return value > 0 and value.rel_accuracy_bits() > 3.33 * DIGITS


def gaussian(sigma: str, epsilon: str) -> tuple[arb, arb]:
    """δ for sensitivity 1, certified to 25 digits, and ln δ, certified to as many decimals."""
    ctx.prec = 256
    while True:
        noise, eps = arb(rational(sigma)), arb(rational(epsilon))
        a, b = eps * noise - 1 / (2 * noise), eps * noise + 1 / (2 * noise)
        if a < 1000:
            root_two = arb(2).sqrt()
            delta = (a / root_two).erfc() / 2 - eps.exp() * (b / root_two).erfc() / 2
        else:  # Arb's erfc underflows; erfc(x) = e^(-x²) U(1/2, 1/2, x²) / √π
            half = arb(1) / 2
            drop = (a * a / 2).hypgeom_u(half, half) - (b * b / 2).hypgeom_u(half, half)
            delta = (-a * a / 2).exp() * drop / (2 * arb.pi().sqrt())
        if is_certified(delta):
            return delta, delta.log()
        ctx.prec *= 2


def gaussian_cases(rng: random.Random) -> list[tuple[str, str]]:
    """Pairs of σ and ε over the promised range, many of them where δ is a normal float."""
    found = [("1e10", "4e-10"), ("1e4", "1"), ("1e-6", "0"), ("1e12", "0"), ("1e12", "1e4")]
    while len(found) < 1000:
        sigma = float(f"{10 ** rng.uniform(-6, 12):.{rng.randint(0, 15)}e}")
        kind = rng.random()
        if kind < 0.2:
            epsilon = 10 ** rng.uniform(-14, 4)
        elif kind < 0.25:
            epsilon = 0.0
        elif kind < 0.35:  # the edge between the two ways to compute
            epsilon = (1 / (2 * sigma) + rng.choice([1e-12, 1e-3, 1, -1e-3]) * 10) / sigma
        else:  # a between -8 and 40
            epsilon = (rng.uniform(-8, 40) + 1 / (2 * sigma)) / sigma
        epsilon = float(f"{epsilon:.{rng.randint(0, 16)}e}")
        if 0 <= epsilon <= 1e4:
            found.append((repr(sigma), repr(epsilon)))
    return found


def laplace_fold(ratio: str, k: int, epsilon: str) -> tuple[arb, arb]:
    """δ of k equal Laplace mechanisms, certified to 25 digits, and ln δ."""
    r, eps = Fraction(ratio), Fraction(epsilon)
    rho = r / 2
    plus, minus = fmpq_poly([rational(rho), 1]), fmpq_poly([rational(-rho), 1])
    inverse = fmpq_poly([rational(-(rho ** -(i + 1))) for i in range(k)])  # 1/(w - ρ)
    at_zero = fmpq(0)
    for j in range(k):
        s = k - 2 * j - eps / r
        if s <= 0:
            break
        factor = plus ** (k - j - 1) * (minus ** (j - 1) if j else inverse)
        power, residue = fmpq(1), fmpq(0)
        for i, coefficient in enumerate(reversed((factor.coeffs() + k * [fmpq(0)])[:k])):
            residue += coefficient * power
            power *= rational(s) / (i + 1)
        at_zero += math.comb(k, j) * residue
    at_rho = rational((2 * rho) ** (k - 1) / rho**k)  # j = 0 has another pole there
    ctx.prec = 256
    while True:
        total = arb(at_zero) + arb(rational((k - eps / r) * rho)).exp() * arb(at_rho)
        delta = (
            arb(rational(eps / 2 - k * rho)).exp() * total * arb(rational(2 * rho)) / arb(2) ** k
        )
        if is_certified(delta):
            return delta, delta.log()
        ctx.prec *= 2


def laplace_fold_cases(rng: random.Random) -> list[tuple[str, int, str]]:
    """Triples of Δ/b, k and ε: in the bulk of the loss, in its tail and close to its end."""
    found = [
        ("0.1", 30, "1"),
        ("1", 2, "0"),
        ("1e6", 2, "1e4"),
        ("45", 12, "400"),
        ("46", 12, "400"),
    ]
    while len(found) < 300:
        k = round(2 ** rng.uniform(1, 6.3))
        exponent = rng.choice([rng.uniform(-12, 6), rng.uniform(-3, 2)])
        ratio = float(f"{10**exponent:.{rng.randint(0, 6)}e}")
        kind = rng.random()
        if kind < 0.4:
            epsilon = rng.random()
        elif kind < 0.6:
            epsilon = 1 - 10 ** rng.uniform(-6, 0)
        else:
            epsilon = math.tanh(ratio / 4) + rng.gauss(0, 3) / math.sqrt(k)
        epsilon = float(f"{k * ratio * epsilon:.{rng.randint(3, 12)}e}")
        if 0 <= epsilon <= 1e4 and Fraction(repr(epsilon)) < k * Fraction(repr(ratio)):
            found.append((repr(ratio), k, repr(epsilon)))
    # too slow to compute again at every test
    return [
        *found,
        ("0.01", 500, "0.5"),
        ("0.05", 1000, "3"),
        ("2", 300, "500"),
        ("8", 200, "1500"),
    ]


def row(names: tuple[str, ...], case: tuple[object, ...], found: tuple[arb, arb]) -> str:
    delta = found[0].str(DIGITS, radius=False)
    log_delta = found[1].str(DIGITS, radius=False, more=True)
    return json.dumps(
        {**dict(zip(names, case, strict=True)), "delta": delta, "log_delta": log_delta}
    )


def write(name: str, rows: list[str]) -> None:
    (HERE / name).write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def main() -> None:
    names = ("sigma", "epsilon")
    rows = [row(names, case, gaussian(*case)) for case in gaussian_cases(random.Random(2018))]
    write("gaussian_reference.json", rows)
    names = ("ratio", "k", "epsilon")
    cases = laplace_fold_cases(random.Random(2006))
    write("laplace_fold_reference.json", [row(names, case, laplace_fold(*case)) for case in cases])


if __name__ == "__main__":
    main()

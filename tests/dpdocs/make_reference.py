"""Write gaussian_reference.json: profiles of Gaussian noise in ball arithmetic.

    python tests/dpdocs/make_reference.py

Each value is computed by python-flint (Arb) as Φ(-a) - e^ε Φ(-b), with as many bits as it takes to
certify 25 digits: another formula and another arithmetic than the package uses.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

from flint import arb, ctx, fmpq

TABLE = Path(__file__).with_name("gaussian_reference.json")
DIGITS = 25


def certified(sigma: str, epsilon: str) -> tuple[arb, arb]:
    """δ for sensitivity 1, certified to 25 digits, and ln δ, certified to as many decimals."""
    bits = 256
    while True:
        ctx.prec = bits
        noise, eps = (arb(fmpq(*Fraction(text).as_integer_ratio())) for text in (sigma, epsilon))
        a, b = eps * noise - 1 / (2 * noise), eps * noise + 1 / (2 * noise)
        root_two = arb(2).sqrt()
        if a < 1000:
            delta = (a / root_two).erfc() / 2 - eps.exp() * (b / root_two).erfc() / 2
        else:  # Arb's erfc underflows; erfc(x) = e^(-x²) U(1/2, 1/2, x²) / √π
            half = arb(1) / 2
            drop = (a * a / 2).hypgeom_u(half, half) - (b * b / 2).hypgeom_u(half, half)
            delta = (-a * a / 2).exp() * drop / (2 * arb.pi().sqrt())
        if delta > 0:
            log_delta = delta.log()
            if delta.rel_accuracy_bits() > 3.33 * DIGITS:
                return delta, log_delta
        bits *= 2


def cases(rng: random.Random) -> list[tuple[str, str]]:
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


def main() -> None:
    rows = []
    for sigma, epsilon in cases(random.Random(2018)):
        delta, log_delta = certified(sigma, epsilon)
        rows.append(
            {
                "sigma": sigma,
                "epsilon": epsilon,
                "delta": delta.str(DIGITS, radius=False),
                "log_delta": log_delta.str(DIGITS, radius=False, more=True),
            }
        )
    text = ",\n".join(json.dumps(row) for row in rows)
    TABLE.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

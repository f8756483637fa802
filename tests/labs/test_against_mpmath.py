"""Every read-out against formulas written anew, with many digits."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import pytest

mpmath = pytest.importorskip("mpmath")
mpf = mpmath.mpf

EXACT = mpf("1e-12")
LARGEST = mpf(math.ldexp(1, 1023)) * 2


def exact(text: str) -> mpf:
    value = Fraction(text)
    return mpf(value.numerator) / value.denominator


@pytest.fixture(autouse=True)
def _many_digits():
    with mpmath.workdps(1500):
        yield


def truth(setting: dict[str, str]) -> dict[str, mpf | None]:
    """The sensitivity lab, written a second time."""
    n, bound, scale, epsilon = (exact(setting[k]) for k in ("n", "bound", "scale", "epsilon"))
    record = min(max(exact(setting["record"]), mpf(0)), bound)
    sensitivity = {"sum": bound, "mean": bound / n, "count": mpf(1), "constant": mpf(0)}
    changed = {
        "sum": record,
        "mean": record / n,
        "count": mpf(1 if record > bound / 2 else 0),
        "constant": mpf(7),
    }
    worst = sensitivity[setting["query"]]
    answer = mpf(7 if setting["query"] == "constant" else 0)
    gap = abs(changed[setting["query"]] - answer)
    laplace = setting["noise"] == "laplace"

    def needed(shift: mpf) -> mpf:
        if shift == 0:
            return mpf(0)
        if laplace:
            return (
                mpf(0) if epsilon * scale >= shift else -mpmath.expm1((epsilon - shift / scale) / 2)
            )
        a, b = (epsilon * scale / shift + side * shift / (2 * scale) for side in (-1, 1))
        return upper_tail(a) - mpmath.exp(epsilon) * upper_tail(b)

    def threshold(shift: mpf) -> mpf | None:
        if shift == 0 or (laplace and epsilon * scale >= shift):
            return None
        return (shift - scale * epsilon) / 2 if laplace else shift / 2 - epsilon * scale**2 / shift

    least = mpf(0) if worst == 0 else (worst / scale if laplace else mpf("inf"))
    delta = needed(worst)
    return {
        "sensitivity": worst,
        "answer": answer,
        "answer_changed": changed[setting["query"]],
        "pair_gap": gap,
        "pair_delta": needed(gap),
        "delta_required": delta,
        "log10_delta_required": None if delta == 0 else log10(delta),
        "least_pure_epsilon": least,
        "event_threshold": threshold(worst),
        "mse": 2 * scale**2 if laplace else scale**2,
        "mean_absolute_error": scale if laplace else scale * mpmath.sqrt(2 / mpmath.pi),
        "radius_95": scale * (mpmath.log(20) if laplace else normal_radius()),
    }


@cache
def normal_radius() -> mpf:
    with mpmath.workdps(50):
        return mpmath.sqrt(2) * mpmath.erfinv(mpf(95) / 100)


def upper_tail(x: mpf) -> mpf:
    """Pr(Z > x), by the continued fraction of the Mills ratio where x is large."""
    if x < 30:
        return mpmath.erfc(x / mpmath.sqrt(2)) / 2
    fraction = x
    for k in range(600, 0, -1):
        fraction = x + k / fraction
    return mpmath.npdf(x) / fraction


def log10(delta: mpf) -> mpf:
    return mpmath.log10(delta)


def test_every_readout(lab, setting):
    readouts = lab.compute(**setting).readouts
    with mpmath.workdps(digits_needed(setting)):
        expected = truth(setting)
    for name, true in expected.items():
        found = readouts[name]
        if true is None:
            assert found is None, name
        elif true == 0 or mpmath.isinf(true) or abs(true) >= LARGEST:
            assert found == float(true), name
        else:  # to 1e-12; below 1e-308 floats thin out and end
            allowed = max(EXACT * abs(true), mpf(math.ulp(0.0)) / 2)
            assert abs(mpf(found) - true) <= allowed, (name, found, mpmath.nstr(true, 20))


def digits_needed(setting: dict[str, str]) -> int:
    """More where σ/Δ is so large that both tails agree in all digits usually kept here."""
    bound, scale = Fraction(setting["bound"]), Fraction(setting["scale"])
    far = setting["noise"] == "gaussian" and scale / bound > 10**250
    return 3000 if far else 1500


def test_the_verdicts(lab, setting):
    verdicts = lab.compute(**setting).verdicts
    with mpmath.workdps(digits_needed(setting)):
        true = truth(setting)
    claim = exact(setting["delta"])
    assert verdicts["guarantee"].holds == (true["delta_required"] <= claim)
    assert verdicts["pair"].holds == (true["pair_delta"] <= claim)


def test_a_witness_breaks_the_claim(lab, setting):
    result = lab.compute(**setting)
    for verdict in result.verdicts.values():
        if verdict.holds:
            assert verdict.witness is None
            continue
        event = verdict.witness
        with mpmath.workdps(60):
            left = mpf(event.probability_p) - mpmath.exp(exact(setting["epsilon"])) * mpf(
                event.probability_q
            )
        if event.probability_q > 1e-300:  # elsewhere floats cannot show it
            slack = mpf(event.probability_p) * mpf("1e-12")
            assert left > exact(setting["delta"]) - slack


def test_the_table(lab):
    for noise, scale in (("laplace", "0.7"), ("gaussian", "1.3")):
        setting = {"query": "sum", "n": "4", "bound": "2", "record": "2", "delta": "0"}
        setting |= {"noise": noise, "scale": scale}
        rows = lab.compute(**setting, epsilon="1").tables["profile"].rows_all
        assert len(rows) == 101
        for i, (epsilon, needed, logarithm, claimed) in enumerate(rows):
            assert Fraction(epsilon) == Fraction(i, 10)
            assert claimed == "0"
            with mpmath.workdps(60):
                true = truth({**setting, "epsilon": epsilon})["delta_required"]
                if true == 0:
                    assert (needed, logarithm) == ("0", "—")
                    continue
                shown = mpf(needed.removeprefix("≈ "))
                assert abs(shown / true - 1) < mpf("1e-5")
                shown = mpf(logarithm.removeprefix("≈ ").replace("−", "-"))
                assert abs(shown - log10(true)) <= mpf("1e-5") * abs(log10(true))

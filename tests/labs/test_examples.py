"""The worked examples of the lesson, and claims on the boundary."""

from __future__ import annotations

import math

import pytest

EXACT = 1e-12


def close(value: float | None, truth: float) -> bool:
    return value == pytest.approx(truth, rel=EXACT, abs=0)


def test_example_1_the_sum(lab):
    result = lab.compute(
        query="sum",
        n="4",
        bound="2",
        record="2",
        noise="laplace",
        scale="2",
        epsilon="1",
        delta="0",
    )
    numbers = result.readouts
    assert numbers["sensitivity"] == 2
    assert numbers["least_pure_epsilon"] == 1
    assert numbers["delta_required"] == 0
    assert numbers["log10_delta_required"] is None
    assert numbers["event_threshold"] is None
    assert numbers["mse"] == 8
    assert numbers["mean_absolute_error"] == 2
    assert close(numbers["radius_95"], 5.99146454710798198687)
    assert result.verdicts["guarantee"].holds
    assert result.verdicts["pair"].holds
    at_zero = lab.compute(query="sum", scale="2", epsilon="0", delta="0")
    assert close(at_zero.readouts["delta_required"], 0.393469340287366576396)
    assert not at_zero.verdicts["guarantee"].holds


def test_example_2_the_mean_is_the_same_in_another_unit(lab):
    result = lab.compute(query="mean", n="4", bound="2", record="2", scale="0.5", epsilon="1")
    assert result.readouts["sensitivity"] == 0.5
    assert result.readouts["least_pure_epsilon"] == 1
    assert result.readouts["mse"] == 0.5
    note = result.as_data()["readouts"]["mse"]["note"]
    assert note == {"message": "sensitivity.note.as_sum_squared", "values": {"value": "8"}}


@pytest.mark.parametrize(("record", "pair_holds"), [("1", True), ("2", False)])
def test_example_3_a_pair_that_passes_proves_nothing(lab, record, pair_holds):
    result = lab.compute(query="sum", record=record, scale="1", epsilon="1", delta="0")
    assert close(result.readouts["delta_required"], 0.393469340287366576396)
    assert result.readouts["pair_gap"] == float(record)
    assert not result.verdicts["guarantee"].holds
    assert result.verdicts["pair"].holds is pair_holds
    if pair_holds:
        assert result.readouts["pair_delta"] == 0
    else:
        assert close(result.readouts["pair_delta"], 0.393469340287366576396)
    witness = result.verdicts["guarantee"].witness
    assert result.readouts["event_threshold"] == witness.threshold == 0.5
    left_over = witness.probability_p - math.e * witness.probability_q
    assert left_over == pytest.approx(0.393469340287366576396, rel=1e-12)


def test_example_4_gaussian_noise(lab):
    result = lab.compute(query="sum", noise="gaussian", scale="1", epsilon="1", delta="0")
    assert close(result.readouts["delta_required"], 0.50986166005467)
    assert result.readouts["least_pure_epsilon"] == math.inf
    assert result.readouts["event_threshold"] == 0.5
    for sigma in ("1e-300", "0.001", "1", "1000", "1e300"):
        verdict = lab.compute(noise="gaussian", scale=sigma, epsilon="1", delta="0").verdicts
        assert not verdict["guarantee"].holds, sigma


def test_exercises(lab):
    assert lab.compute(query="sum", n=8, bound=4).readouts["sensitivity"] == 4
    assert lab.compute(query="mean", n=8, bound=4).readouts["sensitivity"] == 0.5
    assert lab.compute(record=0).readouts["sensitivity"] == 2
    assert lab.compute(record=0).readouts["pair_gap"] == 0
    assert lab.compute(query="constant", epsilon=0, delta=0).verdicts["guarantee"].holds
    assert lab.compute(query="mean", n=4, bound=2, scale=2, epsilon="0.25").readouts["mse"] == 8


@pytest.mark.parametrize(
    ("scale", "epsilon", "holds"),
    [
        ("0.1", "3", True),
        ("0.1", "2.9999999999999999999999", False),
        ("0.10000000000000000000001", "3", True),
        ("0.09999999999999999999999", "3", False),
        (0.1, 3, True),
        ("0.3", "1", True),
        ("0.7", "0.4285714285714285714285", False),
        ("3e-1", "1e0", True),
    ],
)
def test_the_boundary_is_decided_for_the_decimals_as_written(lab, scale, epsilon, holds):
    result = lab.compute(
        query="sum", bound="0.3", record="0.3", scale=scale, epsilon=epsilon, delta=0
    )
    assert result.verdicts["guarantee"].holds is holds
    assert result.verdicts["pair"].holds is holds
    assert (result.readouts["delta_required"] == 0) is holds
    assert (result.readouts["event_threshold"] is None) is holds


def test_claims_with_delta_near_the_boundary(lab):
    def holds(delta: str) -> bool:
        return lab.compute(scale="1", epsilon="1", delta=delta).verdicts["guarantee"].holds

    assert not holds("0.3934693402873665763962004650")
    assert holds("0.3934693402873665763962004651")


def test_a_claim_below_every_float_is_judged_by_logarithms(lab):
    values = {"noise": "gaussian", "bound": "1", "scale": "1e4", "epsilon": "1"}
    needed = lab.compute(**values, delta="0").readouts
    assert needed["delta_required"] == 0
    assert needed["log10_delta_required"] == pytest.approx(
        -50000028.0499597 / math.log(10), rel=1e-14
    )
    tiny = lab.compute(noise="gaussian", bound="1", scale="60", epsilon="1", delta="0")
    assert tiny.readouts["log10_delta_required"] < -700
    assert not tiny.verdicts["guarantee"].holds
    enough = lab.compute(noise="gaussian", bound="1", scale="60", epsilon="1", delta="1e-780")
    assert enough.verdicts["guarantee"].holds
    short = lab.compute(noise="gaussian", bound="1", scale="60", epsilon="1", delta="1e-800")
    assert not short.verdicts["guarantee"].holds

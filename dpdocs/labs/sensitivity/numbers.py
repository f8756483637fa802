"""The read-outs of the sensitivity lab: each number with its text, unit and remark."""

from __future__ import annotations

import math
from fractions import Fraction

from dpdocs.exact import nearest
from dpdocs.labs import text
from dpdocs.labs.result import Message, Readout
from dpdocs.labs.sensitivity.controls import KEY
from dpdocs.labs.sensitivity.setting import Setting
from dpdocs.profile import Verdict

LN10 = math.log(10)
_SMALLEST_FULL = 1e-300  # below it a float may lack digits, and the text comes from the logarithm


def readouts(setting: Setting, guarantee: Verdict, pair: Verdict) -> dict[str, Readout]:
    """Return every number by its key."""
    unit = f"@{KEY}.unit.{setting.query.name}"
    squared = f"{unit}_squared"
    pair_of = setting.neighbours
    mae, radius = setting.mean_absolute_error, setting.radius_95
    return {
        "sensitivity": _exact("sensitivity", setting.sensitivity, unit, _attains(setting)),
        "least_pure_epsilon": _least_pure(setting),
        "delta_required": _delta("delta_required", guarantee),
        "log10_delta_required": _log10(guarantee),
        "event_threshold": _threshold(setting, unit),
        "answer": _exact("answer", pair_of.answer, unit),
        "answer_changed": _exact("answer_changed", pair_of.answer_changed, unit, _clipped(setting)),
        "pair_gap": _exact("pair_gap", setting.gap, unit, _milder(setting)),
        "pair_delta": _delta("pair_delta", pair),
        "mse": _exact("mse", setting.mse, squared, _as_sum(setting, setting.mse, 2)),
        "mean_absolute_error": _exact(
            "mean_absolute_error",
            mae,
            unit,
            _as_sum(setting, mae, 1),
            real=setting.family == "gaussian",
        ),
        "radius_95": _exact("radius_95", radius, unit, _as_sum(setting, radius, 1), real=True),
    }


def vanishes(verdict: Verdict) -> bool:
    """Whether the least δ is exactly 0, not merely below the smallest float."""
    return verdict.case in ("no-loss", "pure-holds")


def delta_text(verdict: Verdict, digits: int = text.SHORT) -> str:
    """Write a least δ, from its logarithm where no float can hold it."""
    if vanishes(verdict):
        return "0"
    if verdict.delta_required >= _SMALLEST_FULL:
        return text.approximate(verdict.delta_required, digits)
    return text.least_delta(verdict.log_delta_required, digits)


def _exact(
    name: str, value: Fraction, unit: str | None, note: Message | None = None, *, real: bool = False
) -> Readout:
    """Return a number known as a rational; `real` if that only stands for the number meant."""
    as_float = nearest(value)
    if math.isinf(as_float) or (abs(as_float) < _SMALLEST_FULL and value != 0):
        note = Message(f"{KEY}.note.outside_floats")
    shown = text.number(value, real=real)
    return Readout(as_float, shown, f"@{KEY}.readout.{name}", unit, note)


def _attains(setting: Setting) -> Message:
    """Say which pair attains the sensitivity."""
    if setting.query.name == "constant":
        return Message(f"{KEY}.note.attains_constant")
    values = {"n": text.short(setting.query.n), "bound": text.short(setting.query.bound)}
    return Message(f"{KEY}.note.attains_{setting.query.name}", values)


def _clipped(setting: Setting) -> Message | None:
    """Say that the requested record was clipped."""
    if setting.requested == setting.neighbours.record:
        return None
    values = {
        "record": text.short(setting.requested),
        "bound": text.short(setting.query.bound),
        "clipped": text.short(setting.neighbours.record),
    }
    return Message(f"{KEY}.note.clipped", values)


def _milder(setting: Setting) -> Message:
    """Say whether the requested pair is the worst one."""
    worst = setting.gap == setting.sensitivity
    return Message(f"{KEY}.note.{'worst' if worst else 'milder'}_pair")


def _least_pure(setting: Setting) -> Readout:
    """Return the least ε that needs no δ; infinite where there is none."""
    least = setting.least_pure_epsilon
    if least is not None:
        return _exact("least_pure_epsilon", least, None)
    note = Message(f"{KEY}.note.never_pure")
    return Readout(math.inf, text.INFINITE, f"@{KEY}.readout.least_pure_epsilon", None, note)


def _delta(name: str, verdict: Verdict) -> Readout:
    """Return a least δ; with its exact 0 said to be one."""
    label = f"@{KEY}.readout.{name}"
    if vanishes(verdict):
        return Readout(0.0, "0", label, None, Message(f"{KEY}.note.exactly_zero"))
    note = None
    if verdict.delta_required < _SMALLEST_FULL:
        note = Message(f"{KEY}.note.below_floats")
    shown = delta_text(verdict, text.DIGITS)
    return Readout(verdict.delta_required, shown, label, None, note)


def _log10(verdict: Verdict) -> Readout:
    """Return log₁₀ of the least δ, which exists unless δ is exactly 0."""
    label = f"@{KEY}.readout.log10_delta_required"
    if vanishes(verdict):
        return Readout(None, text.NONE, label, None, Message(f"{KEY}.note.no_logarithm"))
    value = verdict.log_delta_required / LN10
    return Readout(value, text.log10(value), label)


def _threshold(setting: Setting, unit: str) -> Readout:
    """Return where the worst event ends, or say why there is none."""
    label = f"@{KEY}.readout.event_threshold"
    if setting.threshold is None:
        case = "same" if setting.sensitivity == 0 else "pure"
        return Readout(None, text.NONE, label, None, Message(f"{KEY}.note.no_event_{case}"))
    note = Message(f"{KEY}.note.event")
    if math.isinf(value := nearest(setting.threshold)):
        note = Message(f"{KEY}.note.outside_floats")
    return Readout(value, text.number(setting.threshold), label, unit, note)


def _as_sum(setting: Setting, error: Fraction, power: int) -> Message | None:
    """Say what an error of the mean is as an error of the sum."""
    if setting.query.name != "mean":
        return None
    key = "as_sum_squared" if power == 2 else "as_sum"
    value = text.number(error * setting.query.n**power, text.SHORT)
    return Message(f"{KEY}.note.{key}", {"value": value})

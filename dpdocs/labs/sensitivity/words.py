"""The sentences of the sensitivity lab: which message fits, and the numbers in it."""

from __future__ import annotations

from fractions import Fraction

from dpdocs.labs import text
from dpdocs.labs.figures import densities, profile
from dpdocs.labs.result import Message, Ruling
from dpdocs.labs.sensitivity.controls import KEY
from dpdocs.labs.sensitivity.numbers import delta_text
from dpdocs.labs.sensitivity.setting import Setting, end_of_event
from dpdocs.mechanisms.noise import AdditiveNoise
from dpdocs.profile import Verdict

_CLOSE = Fraction(1, 40)  # centres so few scales apart are drawn as one line on a phone
_MOST_DIGITS = 17


def ruling(which: str, setting: Setting, noise: AdditiveNoise, verdict: Verdict) -> Ruling:
    """Return a verdict with its reason and, for a failed claim, the event that breaks it."""
    key = f"{KEY}.verdict.{which}"
    needed, claimed = _told_apart(verdict, setting.delta)
    values = {
        "epsilon": text.short(setting.epsilon),
        "delta": claimed,
        "least": text.short(noise.exact_sensitivity / noise.exact_spread),
        "needed": needed,
    }
    witness = None
    end = end_of_event(noise, setting.epsilon) if verdict.witness else None
    if verdict.witness is not None and end is not None:
        event = {
            "threshold": text.short(end),
            "p": text.probability(verdict.witness.probability_p),
            "q": text.probability(verdict.witness.probability_q),
            "needed": needed,
        }
        witness = Message(f"{KEY}.verdict.witness", event)
    return Ruling(verdict, f"@{key}.title", Message(f"{key}.{verdict.case}", values), witness)


def _told_apart(verdict: Verdict, claim: Fraction) -> tuple[str, str]:
    """Write the least δ and the claimed one with the digits it takes to see which is more."""
    for digits in (text.SHORT, text.DIGITS, _MOST_DIGITS):
        needed, claimed = delta_text(verdict, digits), text.short(claim, digits)
        if needed.removeprefix(text.ROUNDED) != claimed:
            break
    return needed, claimed


def densities_summary(shown: densities.Densities, setting: Setting, verdict: Verdict) -> Message:
    """Describe the densities in words."""
    key = f"{KEY}.figure.densities"
    low, high = shown.window
    if shown.distance == 0:
        case = "same"
    elif shown.threshold is None:
        case = "nothing"
    else:
        case = "shaded" if shown.event_in_window else "outside"
    remark = "no_remark"
    if shown.peak > 1:
        remark = "above_one"
    elif 0 < shown.distance < _CLOSE * shown.scale:
        remark = "close"
    return Message(
        f"{key}.{case}",
        {
            "noise": f"@{KEY}.control.noise.{setting.family}",
            "symbol": "b" if setting.family == "laplace" else "σ",
            "scale": text.short(shown.scale),
            "sensitivity": text.short(shown.distance),
            "low": text.short(low),
            "high": text.short(high),
            "epsilon": text.short(shown.epsilon),
            "threshold": "" if shown.threshold is None else text.short(shown.threshold),
            "needed": delta_text(verdict),
            "remark": f"@{key}.{remark}",
        },
    )


def profile_summary(shown: profile.Profile, setting: Setting, verdict: Verdict) -> Message:
    """Describe the profile in words."""
    key = f"{KEY}.figure.profile"
    case = "same" if setting.sensitivity == 0 else setting.family
    return Message(
        f"{key}.{case}",
        {
            "first": text.least_delta(float(shown.log_deltas[0])),
            "last": text.least_delta(float(shown.log_deltas[-1])),
            "least": text.short(setting.sensitivity / setting.scale),
            "epsilon": text.short(setting.epsilon),
            "delta": text.short(setting.delta),
            "verdict": f"@{key}.{'holds' if verdict.holds else 'fails'}",
            "where": f"@{key}.{'inside' if setting.epsilon <= profile.LAST else 'beyond'}",
        },
    )

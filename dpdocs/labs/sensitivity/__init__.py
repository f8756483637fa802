"""Sensitivity, Laplace and Gaussian noise: the lab of the first two lessons.

n records, n public, each first clipped to [0, B]; neighbours replace one record. A query is
answered with noise, and the lab says what the noise spends on the worst pair of neighbours, what it
spends on one requested pair, and whether a claim (ε, δ) holds. The two are never mixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from dpdocs.labs.figures import densities, profile
from dpdocs.labs.model import Lab, Value
from dpdocs.labs.result import Figure, Result
from dpdocs.labs.sensitivity import numbers, words
from dpdocs.labs.sensitivity.controls import KEY, LAYOUT, PARAMETERS
from dpdocs.labs.sensitivity.setting import Setting
from dpdocs.labs.sensitivity.table import profile_table

__all__ = ["LAB"]

_EPSILONS = [Fraction(i, 10) for i in range(10 * profile.LAST + 1)]
_EPSILONS_AS_FLOATS = np.arange(10 * profile.LAST + 1) / 10


def _experiment(values: Mapping[str, Value]) -> Result:
    """Run the experiment."""
    setting = Setting.of(values)
    guarantee = setting.whole.satisfies(setting.epsilon, setting.delta)
    pair = setting.pair.satisfies(setting.epsilon, setting.delta)

    two = densities.Densities(
        noise=setting.unit_noise,
        scale=setting.scale,
        distance=setting.sensitivity,
        pair=setting.gap,
        epsilon=setting.epsilon,
        threshold=setting.threshold,
    )
    log_deltas = setting.whole.log_delta(_EPSILONS)
    curve = profile.Profile(
        epsilons=_EPSILONS_AS_FLOATS,
        log_deltas=log_deltas,
        epsilon=setting.epsilon,
        delta=setting.delta,
        log_needed=guarantee.log_delta_required,
        holds=guarantee.holds,
        pure=setting.least_pure_epsilon or None,
    )
    return Result(
        numbers=numbers.readouts(setting, guarantee, pair),
        rulings={
            "guarantee": words.ruling("guarantee", setting, setting.whole, guarantee),
            "pair": words.ruling("pair", setting, setting.pair, pair),
        },
        tables={"profile": profile_table(setting, _EPSILONS, log_deltas)},
        figures={
            "densities": Figure(
                densities.spec(f"@{KEY}.figure.densities"),
                densities.data(two),
                f"@{KEY}.figure.densities.title",
                words.densities_summary(two, setting, guarantee),
            ),
            "profile": Figure(
                profile.spec(f"@{KEY}.figure.profile", setting.axis),
                profile.data(curve, setting.axis),
                f"@{KEY}.figure.profile.title",
                words.profile_summary(curve, setting, guarantee),
            ),
        },
    )


LAB = Lab(KEY, PARAMETERS, LAYOUT, _experiment)

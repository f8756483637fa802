"""The look-up table of the sensitivity lab: the least δ for each ε."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpdocs.labs import text
from dpdocs.labs.result import Table
from dpdocs.labs.sensitivity.controls import KEY
from dpdocs.labs.sensitivity.numbers import LN10
from dpdocs.labs.sensitivity.setting import Setting

_WHOLE = 10  # every tenth row has a whole ε


def profile_table(
    setting: Setting, epsilons: Sequence[Fraction], log_deltas: NDArray[np.float64]
) -> Table:
    """Return one row for each ε: ε, least δ, its logarithm, claimed δ."""
    claimed = text.number(setting.delta, text.SHORT)
    rows = []
    for epsilon, log in zip(epsilons, log_deltas.tolist(), strict=True):
        if log == -math.inf and setting.whole.vanishes(epsilon):
            needed, log10 = "0", text.NONE
        else:
            needed, log10 = text.least_delta(log), text.log10(log / LN10, text.SHORT)
        rows.append((_written(epsilon), needed, log10, claimed))
    key = f"@{KEY}.table.profile"
    return Table(
        caption=f"{key}.caption",
        columns=(f"{key}.epsilon", f"{key}.needed", f"{key}.log10", f"{key}.claimed"),
        rows=rows[::_WHOLE],
        rows_all=rows,
        notes=(f"{key}.zero",),
    )


@cache
def _written(epsilon: Fraction) -> str:
    return text.short(epsilon)

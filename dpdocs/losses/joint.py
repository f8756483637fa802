"""Independent losses of several kinds, put together."""

from __future__ import annotations

from collections.abc import Iterable

from dpdocs.losses.loss import Loss, NoLoss
from dpdocs.losses.mixed import MixedLoss
from dpdocs.losses.normal import NormalLoss
from dpdocs.losses.two_point import TwoPointLoss

__all__ = ["joint"]


def joint(losses: Iterable[tuple[Loss, int]]) -> Loss | None:
    """Sum of independent losses, each so many times.

    Parameters
    ----------
    losses : iterable of (Loss, int)
        The losses and how often each occurs.

    Returns
    -------
    Loss or None
        None where no method here computes the sum.

    Examples
    --------
    >>> from fractions import Fraction
    >>> joint([(NormalLoss(Fraction(1)), 3), (NormalLoss(Fraction(2)), 1)]).square
    Fraction(5, 1)
    """
    kinds: list[Loss] = []
    for loss, count in losses:
        for part in loss.parts:
            added = part.times(count)
            if added is None:
                return None
            for i, kind in enumerate(kinds):
                if (total := kind.plus(added) or added.plus(kind)) is not None:
                    kinds[i] = total
                    break
            else:
                kinds.append(added)
    if not kinds:
        return NoLoss()
    if len(kinds) == 1:
        return kinds[0]
    if len(kinds) == 2:
        normal, points = sorted(kinds, key=lambda kind: isinstance(kind, TwoPointLoss))
        if isinstance(normal, NormalLoss) and isinstance(points, TwoPointLoss) and points.is_exact:
            return MixedLoss(normal, points)
    return None

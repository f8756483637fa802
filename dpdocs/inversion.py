r"""From the law of a privacy loss to its profile, for losses that take finitely many values.

Nothing here knows a mechanism: arrays of probabilities and losses go in, numbers with error bounds
come out. A loss is kept as the sum of two floats, because $1 - e^{\epsilon - l}$ needs
$l - \epsilon$ to all its digits also where the two nearly agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpdocs import special
from dpdocs.exact import FloatArray

__all__ = ["Atoms", "Sum", "coarsened", "combined", "sum_over"]


@dataclass(frozen=True, slots=True)
class Atoms:
    """Values of a loss and the logarithms of their probabilities under P.

    Attributes
    ----------
    log_mass : array of float
        Logarithm of the probability of each value.
    high, low : array of float
        The value, as a sum of two floats.

    Examples
    --------
    >>> len(Atoms(np.log([0.5, 0.5]), np.array([1.0, -1.0]), np.zeros(2)))
    2
    """

    log_mass: FloatArray
    high: FloatArray
    low: FloatArray

    def __len__(self) -> int:
        return len(self.log_mass)


class Sum(NamedTuple):
    """A sum of positive terms by its logarithm.

    Attributes
    ----------
    log_delta : float
        Logarithm of δ.
    log_error : float
        Bound on its absolute error.
    slope : float
        Derivative of ln δ in ε.

    Examples
    --------
    >>> Sum(log_delta=-1.0, log_error=1e-15, slope=-0.5).slope
    -0.5
    """

    log_delta: float
    log_error: float
    slope: float


def combined(x: Atoms, y: Atoms) -> Atoms:
    """Add two independent losses.

    Parameters
    ----------
    x, y : Atoms
        The losses.

    Returns
    -------
    Atoms
        Every value of `x` with every value of `y`, those of `y` running faster.

    Examples
    --------
    >>> coin = Atoms(np.log([0.5, 0.5]), np.array([1.0, -1.0]), np.zeros(2))
    >>> combined(coin, coin).high
    array([ 2.,  0.,  0., -2.])
    """
    high, low = special.add_pairs((x.high[:, np.newaxis], x.low[:, np.newaxis]), (y.high, y.low))
    mass = x.log_mass[:, np.newaxis] + y.log_mass
    return Atoms(mass.ravel(), high.ravel(), low.ravel())


def sum_over(atoms: Atoms, epsilon: tuple[float, float]) -> Sum:
    r"""Compute $\ln\sum_i p_i\,(1 - e^{\epsilon - l_i})_+$.

    Parameters
    ----------
    atoms : Atoms
        The loss.
    epsilon : tuple of float
        ε below the largest loss, as a sum of two floats.

    Returns
    -------
    Sum
        The logarithm, its error bound and its slope.

    Examples
    --------
    >>> coin = Atoms(np.log([0.5, 0.5]), np.array([1.0, -1.0]), np.zeros(2))
    >>> round(math.exp(sum_over(coin, (0.0, 0.0)).log_delta), 12)
    0.316060279414
    """
    excess = (atoms.high - epsilon[0]) + (atoms.low - epsilon[1])
    above = excess > 0
    if not np.any(above):  # the gap to the largest loss is below what two floats tell
        return Sum(-math.inf, math.inf, 0.0)
    excess, log_mass = excess[above], atoms.log_mass[above]
    gain = -np.expm1(-excess)
    peak = float(np.max(log_mass))
    weight = np.exp(log_mass - peak)
    total = float(np.sum(weight * gain))
    # the excess is known to about 2^-100 of the loss, a logarithm of mass to its last place
    blur = 2.0**-100 * float(np.max(np.abs(atoms.high))) * float(np.sum(weight))
    log_error = 1e-15 * (20 + abs(peak)) + blur / total
    slope = -float(np.sum(weight * np.exp(-excess))) / total
    return Sum(min(peak + math.log(total), 0.0), log_error, slope)


def coarsened(atoms: Atoms, count: int, *, upper: bool) -> Atoms:
    r"""Move atoms to fewer values so that every δ is bounded from one side.

    Parameters
    ----------
    atoms : Atoms
        The loss.
    count : int
        Most values to keep, at least 2.
    upper : bool
        Whether every δ is to become larger, or smaller.

    Returns
    -------
    Atoms
        The coarser loss.

    Notes
    -----
    Both ways keep the total mass under P and under Q. Merging the atoms of a cell is
    post-processing, so δ cannot grow. Splitting each atom to the two ends of its cell undoes a
    merging, so δ cannot shrink (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, "connect the
    dots").

    Examples
    --------
    >>> three = Atoms(np.log([0.2, 0.3, 0.5]), np.array([0.0, 0.1, 1.0]), np.zeros(3))
    >>> len(coarsened(three, 2, upper=False))
    2
    """
    loss, mass = atoms.high, np.exp(atoms.log_mass)
    cells = count - 1 if upper else count
    start, width = float(np.min(loss)), float(np.ptp(loss)) / cells
    cell = np.minimum(((loss - start) / width).astype(np.intp), cells - 1)
    if upper:
        bottom = start + width * cell
        share = np.clip(np.expm1(bottom - loss) / math.expm1(-width), 0.0, 1.0)
        sums = np.bincount(cell, mass * (1 - share), count)
        sums += np.bincount(cell + 1, mass * share, count)
        values = start + width * np.arange(count, dtype=np.float64)
    else:
        sums = np.bincount(cell, mass, count)
        inner = np.bincount(cell, mass * np.exp(start + width * cell - loss), count)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = start + width * np.arange(count, dtype=np.float64) + np.log(sums / inner)
    kept = sums > 0
    return Atoms(np.log(sums[kept]), values[kept], np.zeros(int(np.sum(kept)), dtype=np.float64))

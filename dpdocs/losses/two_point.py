r"""The loss of randomised response, and of any pure mechanism at its worst.

Every ε₀-differentially private mechanism is a post-processing of the pair that answers truly with
probability $e^{\epsilon_0}/(1+e^{\epsilon_0})$ (Kairouz, Oh & Viswanath 2015), so this pair is the
worst one for compositions as well. Its loss is $\pm\epsilon_0$. For $k$ of them and $i$ false
answers the loss is $(k-2i)\,\epsilon_0$, so that

$$ \delta(\epsilon) = \sum_{i < (k - \epsilon/\epsilon_0)/2} \binom ki
   \frac{e^{(k-i)\epsilon_0} - e^{\epsilon + i\epsilon_0}}{(1+e^{\epsilon_0})^k} $$

(ibid., theorem 3.3). Different $\epsilon_j$ give the sum over all combinations of answers
(Murtagh & Vadhan 2016, theorem 1.5). Equal ones are grouped first; where more than $2^{20}$ values
remain, the loss is coarsened from both sides and the answer is a pair of bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpdocs import exact
from dpdocs.exact import FloatArray
from dpdocs.inversion import Atoms, coarsened, combined, sum_over
from dpdocs.losses.loss import Estimate, Loss

__all__ = ["MOST", "TwoPointLoss"]

MOST = 100_000  # equal losses in one group
_EXACT = 2**20
_COARSE = 2**17


class TwoPointLoss(Loss):
    """Loss of randomised responses.

    Parameters
    ----------
    groups : mapping of Fraction to int
        How many there are of each ε₀ > 0.

    Examples
    --------
    >>> loss = TwoPointLoss({Fraction(1, 2): 30})
    >>> round(loss.solve(Fraction("1e-12")), 10)
    14.999998498
    """

    def __init__(self, groups: Mapping[Fraction, int]) -> None:
        self.groups = dict(sorted(groups.items()))

    @property
    def largest(self) -> Fraction:
        """The sum of all ε₀."""
        return sum((size * count for size, count in self.groups.items()), Fraction(0))

    @property
    def is_exact(self) -> bool:
        """Whether all combinations are summed; else δ is an upper bound."""
        return math.prod(count + 1 for count in self.groups.values()) <= _EXACT

    def times(self, count: int) -> TwoPointLoss | None:
        """Add up equal ones, up to 100 000 of each size."""
        if max(self.groups.values()) * count > MOST:
            return None
        return TwoPointLoss({size: each * count for size, each in self.groups.items()})

    def plus(self, other: Loss) -> TwoPointLoss | None:
        """Add other two-point losses."""
        if not isinstance(other, TwoPointLoss):
            return None
        groups = dict(self.groups)
        for size, count in other.groups.items():
            groups[size] = groups.get(size, 0) + count
        return TwoPointLoss(groups) if max(groups.values()) <= MOST else None

    @cached_property
    def bounds(self) -> tuple[Atoms, Atoms]:
        """The values of the loss; where they are too many, a lower and an upper stand-in."""
        lower = upper = Atoms(np.zeros(1), np.zeros(1), np.zeros(1))
        for size, count in self.groups.items():
            new = _equal(size, count)
            if not self.is_exact:
                room = max(2, _COARSE // len(new))
                if len(lower) > room:
                    lower = coarsened(lower, room, upper=False)
                if len(upper) > room:
                    upper = coarsened(upper, room, upper=True)
            lower = combined(lower, new)
            upper = lower if self.is_exact else combined(upper, new)
        return lower, upper

    def estimate(self, epsilon: Sequence[Fraction]) -> Estimate:
        """Compute δ for each ε; an upper bound where `is_exact` is false."""
        lower, upper = self.bounds
        log_delta = np.full(len(epsilon), -np.inf)
        log_error = np.zeros(len(epsilon), dtype=np.float64)
        for i, value in enumerate(epsilon):
            if not self.vanishes(value):
                pair = exact.two_floats(value)
                top = sum_over(upper, pair)
                log_delta[i], log_error[i] = top.log_delta, top.log_error
                if not self.is_exact:
                    bottom = sum_over(lower, pair)
                    log_error[i] += top.log_delta - bottom.log_delta + bottom.log_error
        return Estimate.of_logs(log_delta, log_error)

    def log_slope(self, epsilon: Fraction) -> tuple[float, float]:
        """Return ln δ and its derivative in ε."""
        found = sum_over(self.bounds[1], exact.two_floats(epsilon))
        return found.log_delta, found.slope


def _equal(size: Fraction, count: int) -> Atoms:
    """Atoms of `count` equal losses ±size, from the largest loss down."""
    high, low = exact.two_floats(size)
    steps = np.arange(count, -count - 1, -2, dtype=np.float64)
    # a whole number of at most 17 bits times a float: the product is split without error
    upper = np.float64(high) * 134217729.0
    upper = upper - (upper - high)
    exact_part = steps * high
    rest = (steps * upper - exact_part) + steps * (high - upper) + steps * low
    return Atoms(_log_binomial(size, count), exact_part, rest)


def _log_binomial(size: Fraction, count: int) -> FloatArray:
    """Logarithms of the probabilities of 0, 1, …, `count` false answers.

    Built up factor by factor in 40 digits: differences of log-gamma functions lose 1e-10 at a
    count of 100 000.
    """
    digits = np.empty(count + 1, dtype=np.float64)
    powers = np.empty(count + 1, dtype=np.float64)
    with localcontext(prec=40) as context:
        fall = (-Decimal(size.numerator) / Decimal(size.denominator)).exp()
        term = (-count * (1 + fall).ln()).exp()
        for i in range(count + 1):
            power = term.adjusted()
            digits[i], powers[i] = term.scaleb(-power, context), power
            term = term * (count - i) / (i + 1) * fall
    with np.errstate(divide="ignore"):  # a term below all decimals is 0
        logs: FloatArray = np.log(digits) + powers * math.log(10)
    return logs

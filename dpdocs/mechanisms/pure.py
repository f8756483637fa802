r"""Pure differential privacy: any mechanism of which only its ε is known.

At its worst it is randomised response, which tells the truth with probability
$e^{\epsilon_0}/(1+e^{\epsilon_0})$: every other one is a post-processing of that (Kairouz, Oh &
Viswanath 2015). One has

$$ \delta(\epsilon) = \frac{e^{\epsilon_0} - e^{\epsilon}}{1+e^{\epsilon_0}},
   \qquad 0 \le \epsilon < \epsilon_0 . $$
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpdocs import exact
from dpdocs.exact import Number
from dpdocs.losses import NoLoss, TwoPointLoss
from dpdocs.profile import Adjacency, Event, Profile

__all__ = ["PureDP"]


class PureDP(Profile):
    """Any ε-differentially private mechanism.

    Parameters
    ----------
    epsilon : number or decimal string
        Its ε, in [0, 1e300].
    adjacency : "add-remove", "replace-one" or None, optional
        Which neighbours that ε is about.

    Examples
    --------
    >>> import dpdocs
    >>> m = dpdocs.PureDP(epsilon=0.5)
    >>> round(m.delta(0), 12)
    0.244918662404
    >>> m.delta("0.5")
    0.0
    """

    def __init__(self, epsilon: Number, *, adjacency: Adjacency = None) -> None:
        self._epsilon = exact.number(epsilon, "epsilon", exact.FLOAT_EPSILON)
        loss = TwoPointLoss({self._epsilon: 1}) if self._epsilon else NoLoss()
        super().__init__(loss, adjacency)

    def __repr__(self) -> str:
        return f"PureDP(epsilon={self.pure_epsilon!r})"

    def _event(self, epsilon: Fraction) -> Event:
        # the answer that is true on D, coded 0; on D' the true answer is 1
        truth = 1 / (1 + math.exp(-min(exact.nearest(self._epsilon), 700.0)))
        return Event(0.5, "below", truth, 1 - truth)

r"""The mended release: round to a public grid first, then add exact noise in steps of the grid.

All answers are multiples of the grid, and each multiple has a positive probability whatever the
true value is. So the last digits say nothing, and the ratio of probabilities is the one on paper.
"""

from __future__ import annotations

from fractions import Fraction

from dpdocs import exact
from dpdocs.exact import SCALE, SENSITIVITY, Number
from dpdocs.sampling.discrete import discrete_laplace
from dpdocs.sampling.source import Source

__all__ = ["grid_laplace", "grid_reachable", "grid_sensitivity"]


def grid_laplace(
    value: Number, scale: Number, grid: Number, size: Number, source: Source | None = None
) -> list[Fraction]:
    r"""Round to the grid and add discrete Laplace noise in steps of the grid, exactly.

    Parameters
    ----------
    value : number or decimal string
        The true answer.
    scale : number or decimal string
        The scale b, in (0, 1e300], in the unit of the value.
    grid : number or decimal string
        The public step g of the grid, in (0, 1e300]; not chosen by looking at the data.
    size : number or decimal string
        How many answers, 0 to 10 000 000.
    source : Source, optional
        Where random integers come from; the operating system if left out.

    Returns
    -------
    list of Fraction
        Multiples of g.

    Notes
    -----
    $g(\lfloor f/g + 1/2\rfloor + X)$ with $P(X = x) \propto e^{-|x|g/b}$ satisfies
    $\varepsilon = \Delta_g/b$ with δ = 0, where $\Delta_g$ is `grid_sensitivity`. Halves are
    rounded up, all of them: rounded to even, 1/2 and 3/2 would become 0 and 2, and the sensitivity
    would double.

    Examples
    --------
    >>> from dpdocs.sampling import Seeded
    >>> [str(x) for x in grid_laplace("0.3", scale=1, grid="0.25", size=4, source=Seeded(1))]
    ['3', '-3', '1/4', '1/2']
    """
    step = exact.number(grid, "grid", SCALE)
    steps = exact.number(value, "value") / step + Fraction(1, 2)
    start = steps.numerator // steps.denominator
    noise = discrete_laplace(exact.number(scale, "scale", SCALE) / step, size, source)
    return [(start + x) * step for x in noise]


def grid_sensitivity(sensitivity: Number, grid: Number) -> Fraction:
    r"""The sensitivity of an answer after it is rounded to a grid: $g\lceil\Delta/g\rceil$.

    Parameters
    ----------
    sensitivity : number or decimal string
        Sensitivity Δ of the answer itself, in [0, 1e300].
    grid : number or decimal string
        The step g, in (0, 1e300].

    Returns
    -------
    Fraction
        The sensitivity of $g\lfloor f/g+1/2\rfloor$. It is less than Δ + g, and it is Δ where the
        grid divides Δ.

    Notes
    -----
    With $a \le b \le a + D$, $\lfloor b\rfloor \le \lfloor a + \lceil D\rceil\rfloor =
    \lfloor a\rfloor + \lceil D\rceil$.

    Examples
    --------
    >>> grid_sensitivity(1, "0.25"), grid_sensitivity(1, "0.3")
    (Fraction(1, 1), Fraction(6, 5))
    """
    step = exact.number(grid, "grid", SCALE)
    return -(-exact.number(sensitivity, "sensitivity", SENSITIVITY) // step) * step


def grid_reachable(output: Number, value: Number, grid: Number) -> bool:
    """Whether `grid_laplace` can give this output for this true value.

    Parameters
    ----------
    output : number or decimal string
        What was released.
    value : number or decimal string
        A candidate for the true answer. The result does not depend on it: that is the point.
    grid : number or decimal string
        The step g, in (0, 1e300].

    Returns
    -------
    bool
        Whether the output is a multiple of g.

    Examples
    --------
    >>> grid_reachable("0.75", 0, "0.25"), grid_reachable("0.75", 1, "0.25")
    (True, True)
    """
    exact.number(value, "value")
    step = exact.number(grid, "grid", SCALE)
    return (exact.number(output, "output") / step).denominator == 1

"""Differential privacy, computed: profiles of mechanisms, their compositions and calibrations.

>>> import dpdocs
>>> m = dpdocs.Laplace(scale=2, sensitivity=2)
>>> m.epsilon(0)
1.0
>>> m.satisfies(epsilon="0.5", delta="0.2").holds
False
"""

from typing import TYPE_CHECKING

from dpdocs import sensitivity
from dpdocs.errors import ParameterError
from dpdocs.mechanisms import Gaussian, Laplace, PureDP
from dpdocs.profile import Composition, Event, Profile, Verdict, compose

__all__ = [
    "Composition",
    "Event",
    "Gaussian",
    "Laplace",
    "ParameterError",
    "Profile",
    "PureDP",
    "Verdict",
    "accounting",
    "compose",
    "labs",
    "sampling",
    "selection",
    "sensitivity",
]

__version__ = "0.1.0"

if TYPE_CHECKING:
    from dpdocs import accounting, labs, sampling, selection


def __getattr__(name: str) -> object:
    """Load what the profiles do without when it is first asked for."""
    if name in {"accounting", "labs", "sampling", "selection"}:
        from importlib import import_module

        return import_module(f"dpdocs.{name}")
    raise AttributeError(f"module 'dpdocs' has no attribute {name!r}")

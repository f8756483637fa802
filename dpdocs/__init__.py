"""Differential privacy, computed: profiles of mechanisms, their compositions and calibrations.

>>> import dpdocs
>>> m = dpdocs.Laplace(scale=2, sensitivity=2)
>>> m.epsilon(0)
1.0
>>> m.satisfies(epsilon="0.5", delta="0.2").holds
False
"""

from dpdocs import labs, sensitivity
from dpdocs.errors import ParameterError
from dpdocs.mechanisms import Gaussian, Laplace
from dpdocs.profile import Event, Profile, Verdict

__all__ = [
    "Event",
    "Gaussian",
    "Laplace",
    "ParameterError",
    "Profile",
    "Verdict",
    "labs",
    "sensitivity",
]

__version__ = "0.1.0"

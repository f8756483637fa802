"""Mechanisms: each file has one, with its profile, its calibration and its errors."""

from dpdocs.mechanisms.gaussian import Gaussian
from dpdocs.mechanisms.laplace import Laplace

__all__ = ["Gaussian", "Laplace"]

"""Mechanisms: each file has one, with its calibration, its best event and its errors."""

from dpdocs.mechanisms.gaussian import Gaussian
from dpdocs.mechanisms.laplace import Laplace
from dpdocs.mechanisms.pure import PureDP

__all__ = ["Gaussian", "Laplace", "PureDP"]

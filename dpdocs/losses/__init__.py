"""Laws of the privacy loss: each file has one, with its profile and how it adds up."""

from dpdocs.losses.joint import joint
from dpdocs.losses.laplace import LaplaceLoss
from dpdocs.losses.loss import Estimate, Loss, NoLoss
from dpdocs.losses.normal import NormalLoss
from dpdocs.losses.two_point import TwoPointLoss

__all__ = ["Estimate", "LaplaceLoss", "Loss", "NoLoss", "NormalLoss", "TwoPointLoss", "joint"]

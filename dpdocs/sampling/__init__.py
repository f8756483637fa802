"""Noise drawn exactly, from integers and fractions; and a float sampler that shows why.

A proof about Laplace noise is a proof about real numbers. A sampler that computes in floats draws
from another law, whose support depends on the secret. Here the exact samplers of Canonne, Kamath
and Steinke (2020) stand beside such a leaky one, and beside the attack on it (Mironov 2012).
"""

from dpdocs.sampling.attack import Rate, attack_rate, excluded, leaky_reachable, porous_fraction
from dpdocs.sampling.bernoulli import bernoulli, bernoulli_exp
from dpdocs.sampling.discrete import discrete_gaussian, discrete_laplace
from dpdocs.sampling.grid import grid_laplace, grid_reachable, grid_sensitivity
from dpdocs.sampling.leaky import leaky_laplace
from dpdocs.sampling.source import Secure, Seeded, Source

__all__ = [
    "Rate",
    "Secure",
    "Seeded",
    "Source",
    "attack_rate",
    "bernoulli",
    "bernoulli_exp",
    "discrete_gaussian",
    "discrete_laplace",
    "excluded",
    "grid_laplace",
    "grid_reachable",
    "grid_sensitivity",
    "leaky_laplace",
    "leaky_reachable",
    "porous_fraction",
]

"""Textbook theorems beside the exact accountant, and the budget ledger.

Examples
--------
>>> import dpdocs
>>> exact = dpdocs.Gaussian(sigma=1).epsilon("1e-5")
>>> renyi = dpdocs.accounting.Renyi([(dpdocs.Gaussian(sigma=1), 1)]).epsilon("1e-5").epsilon
>>> round(exact, 3), round(renyi, 3)
(4.377, 4.728)
"""

from dpdocs.accounting import gdp
from dpdocs.accounting.groups import group, group_claim
from dpdocs.accounting.ledger import Ledger, Spend
from dpdocs.accounting.renyi import Renyi, divergence, subsampled_gaussian
from dpdocs.accounting.safe import Guarantee
from dpdocs.accounting.theorems import advanced, advanced_different, basic, optimal, parallel
from dpdocs.accounting.zcdp import ZCDP

__all__ = [
    "ZCDP",
    "Guarantee",
    "Ledger",
    "Renyi",
    "Spend",
    "advanced",
    "advanced_different",
    "basic",
    "divergence",
    "gdp",
    "group",
    "group_claim",
    "optimal",
    "parallel",
    "subsampled_gaussian",
]

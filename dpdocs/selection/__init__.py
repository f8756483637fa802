"""Choosing one of finitely many: exact selection probabilities, samplers and what they cost.

Each mechanism gets utilities u₁, …, uₙ of the data, of sensitivity Δ each, and names one index so
that its choice satisfies ε with δ = 0. All of them favour high utilities by exp(ε·u/(2Δ)).
"""

from dpdocs.selection.bounds import expected_loss, largest_log_ratio, loss_bound
from dpdocs.selection.draw import draw_exponential_mechanism, draw_permute_and_flip
from dpdocs.selection.exponential import exponential_mechanism, log_probabilities
from dpdocs.selection.flip import permute_and_flip
from dpdocs.selection.noisy_max import report_noisy_max

__all__ = [
    "draw_exponential_mechanism",
    "draw_permute_and_flip",
    "expected_loss",
    "exponential_mechanism",
    "largest_log_ratio",
    "log_probabilities",
    "loss_bound",
    "permute_and_flip",
    "report_noisy_max",
]

import math

import dpdocs

epsilon, delta = 1, 1e-5


def laplace_scale(k):
    """Least scale for k answers, each moved by at most 1, with the k-fold profile exact."""
    low, high = 0.5, k / epsilon  # at k / epsilon the claim holds even with delta = 0
    for _ in range(40):
        middle = (low + high) / 2
        if dpdocs.Laplace(scale=middle).compose(k).delta(epsilon) <= delta:
            high = middle
        else:
            low = middle
    return high


one = dpdocs.Gaussian.calibrate(epsilon, delta).sigma
print("standard deviation in each of k answers")
print("  k   Laplace   Laplace  Gaussian")
print("      delta=0      1e-5      1e-5")
for k in (1, 3, 10, 30, 100):
    pure = math.sqrt(2) * k / epsilon
    exact = math.sqrt(2) * laplace_scale(k)
    print(f"{k:3}{pure:10.2f}{exact:10.2f}{one * math.sqrt(k):10.2f}")

import math

import dpdocs

epsilon, delta = 1, 1e-5


def laplace_scale(k):
    """Least scale for k answers, each moved by at most 1, with the k-fold profile exact."""
    low, high = 0.5, k / epsilon  # at k / epsilon the claim holds even with delta = 0
    for _ in range(40):
        middle = (low + high) / 2
        if dpdocs.Laplace(scale=middle, sensitivity=1).compose(k).delta(epsilon) <= delta:
            high = middle
        else:
            low = middle
    return high


one = dpdocs.Gaussian.calibrate(epsilon, delta, sensitivity=1).sigma
print("standard deviation of the noise in each of k answers")
print("   k   Laplace, delta 0   Laplace, delta 1e-5   Gaussian, delta 1e-5")
for k in (1, 3, 10, 30, 100):
    pure = math.sqrt(2) * k / epsilon
    exact = math.sqrt(2) * laplace_scale(k)
    print(f"{k:4}   {pure:16.2f}   {exact:19.2f}   {one * math.sqrt(k):20.2f}")

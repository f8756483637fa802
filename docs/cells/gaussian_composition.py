import math

import numpy as np

import dpdocs

sigma, k, epsilon = 2, 10, 1

rng = np.random.default_rng(2022)
outputs = sigma * rng.standard_normal((200_000, k))  # k releases on D, sensitivity 1 each
loss = (1 / (2 * sigma**2) - outputs / sigma**2).sum(axis=1)

mu = math.sqrt(k) / sigma
print(f"mean of the total loss {loss.mean():.3f} (theory {mu**2 / 2:.3f})")
print(f"variance               {loss.var():.3f} (theory {mu**2:.3f})")

excess = np.maximum(0, -np.expm1(epsilon - loss)).mean()
one = dpdocs.Gaussian(sigma=sigma / math.sqrt(k))
print(f"delta of {k} releases   {excess:.4f} (samples)")
print(f"delta of one           {one.delta(epsilon):.4f} (sigma {one.sigma:.4f})")

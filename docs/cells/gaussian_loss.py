import numpy as np

import dpdocs

sigma, sensitivity, epsilon = 1, 2, 1
mu = sensitivity / sigma

rng = np.random.default_rng(2018)
output = sigma * rng.standard_normal(200_000)  # what the mechanism gives on D, where f(D) = 0
loss = mu**2 / 2 - sensitivity * output / sigma**2

print(f"mean of the loss     {loss.mean():.3f} (theory {mu**2 / 2:g})")
print(f"variance of the loss {loss.var():.3f} (theory {mu**2:g})")

# delta is the mean of 1 - e^(epsilon - loss), counted only where the loss exceeds epsilon
excess = np.maximum(0, -np.expm1(epsilon - loss))
exact = dpdocs.Gaussian(sigma=sigma, sensitivity=sensitivity).delta(epsilon)
print(f"delta, from samples  {excess.mean():.4f}")
print(f"delta, exact         {exact:.4f}")
print(f"share with loss > 1  {(loss > epsilon).mean():.4f} (not delta)")

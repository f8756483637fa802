import math

import numpy as np

import dpdocs

epsilon, delta = 1, 1e-5
STEPS = 1000


def laplace_delta(scale, k):
    """Profile of k answers, each moved by at most 1: losses on a grid, each rounded up."""
    top = 1 / scale  # the largest loss of one answer; half of the outputs have it
    step = top / STEPS
    at_most = np.exp(-(top - step * np.arange(-STEPS, STEPS + 1)) / 2) / 2
    chance = np.diff(at_most, prepend=0)
    chance[-1] += 0.5
    size = 2 * STEPS * k + 1
    length = 1 << size.bit_length()
    total = np.fft.irfft(np.fft.rfft(chance, length) ** k, length)[:size]
    loss = step * (np.arange(size) - STEPS * k)
    return float(total @ np.maximum(0, -np.expm1(epsilon - loss)))


def laplace_scale(k):
    low, high = 0.5, k / epsilon  # at k / epsilon the claim holds even with delta = 0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if laplace_delta(middle, k) <= delta else (middle, high)
    return high


one = dpdocs.Gaussian.calibrate(epsilon, delta).sigma
print("standard deviation in each of k answers")
print("  k   Laplace   Laplace  Gaussian")
print("      delta=0      1e-5      1e-5")
for k in (1, 3, 10, 30, 100):
    pure, best = math.sqrt(2) * k / epsilon, math.sqrt(2) * laplace_scale(k)
    print(f"{k:3}{pure:10.2f}{best:10.2f}{one * math.sqrt(k):10.2f}")

import math

import dpdocs


def classic_sigma(epsilon, delta):
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


def true_delta(epsilon, delta):
    return dpdocs.Gaussian(sigma=classic_sigma(epsilon, delta)).delta(epsilon)


delta = 1e-5
print("epsilon  classic    least  true delta")
for epsilon in (0.1, 0.5, 1, 5, 10, 20):
    least = dpdocs.Gaussian.calibrate(epsilon, delta).sigma
    needed = true_delta(epsilon, delta)
    mark = "" if needed <= delta else " !"
    print(f"{epsilon:7}{classic_sigma(epsilon, delta):9.4f}{least:9.4f}   {needed:.3e}{mark}")
print("! more than the claimed 1e-5")

print()
print("first epsilon at which it fails")
for delta in (1e-9, 1e-5, 0.1, 0.8):
    low, high = 1.0, 60.0  # it holds at low and fails at high: halve until they meet
    for _ in range(60):
        middle = (low + high) / 2
        if true_delta(middle, delta) <= delta:
            low = middle
        else:
            high = middle
    print(f"  delta = {delta:g}: {high:.4f}")

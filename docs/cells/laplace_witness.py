import math

import numpy as np

import dpdocs

b, gap, epsilon = 1, 2, 1
verdict = dpdocs.Laplace(scale=b, sensitivity=gap).satisfies(epsilon, 0)
event = verdict.witness
print("claim holds:", verdict.holds)
print("witness: output <", event.threshold)

rng = np.random.default_rng(2018)
on_d = np.mean(rng.laplace(0, b, 200_000) < event.threshold)
on_d_prime = np.mean(rng.laplace(gap, b, 200_000) < event.threshold)
left_over = on_d - math.exp(epsilon) * on_d_prime
exact = event.probability_p - math.exp(epsilon) * event.probability_q

print("           simulated   exact")
print(f"on D          {on_d:.4f}  {event.probability_p:.4f}")
print(f"on D'         {on_d_prime:.4f}  {event.probability_q:.4f}")
print(f"left over     {left_over:.4f}  {exact:.4f}")

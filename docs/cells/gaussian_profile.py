import dpdocs

noise = dpdocs.Gaussian(sigma=1, sensitivity=2)

for epsilon in (0, 1, 2, 5, 10):
    print(f"epsilon {epsilon:2}:  least delta {noise.delta(epsilon):.6g}")

verdict = noise.satisfies(epsilon=1, delta=0)
event = verdict.witness
print()
print("Does (1, 0) hold?", verdict.holds)
print(f"witness: output < {event.threshold}")
print(f"its probability on D  = {event.probability_p:.6f}")
print(f"its probability on D' = {event.probability_q:.6f}")

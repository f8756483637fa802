import dpdocs

mechanism = dpdocs.Laplace(scale=1, sensitivity=2)
for epsilon in (0, 0.5, 1, 1.5, 2, 3):
    print(f"epsilon {epsilon:3}   delta {mechanism.delta(epsilon):.12f}")

import dpdocs

scale = 2
print(dpdocs.Laplace(scale=scale, sensitivity=2).delta(0))

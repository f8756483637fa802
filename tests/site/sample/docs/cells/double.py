import dpdocs

noise = dpdocs.Laplace(scale=2, sensitivity=2)
print("least epsilon:", noise.epsilon(0))

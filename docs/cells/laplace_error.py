import math

import numpy as np

b = 2
z = np.random.default_rng(2006).laplace(scale=b, size=200_000)

print("                      simulated    formula")
print(f"mean squared error    {np.mean(z**2):9.4f}  {2 * b**2:9.4f}")
print(f"mean absolute error   {np.mean(np.abs(z)):9.4f}  {b:9.4f}")
print(f"standard deviation    {np.std(z):9.4f}  {math.sqrt(2) * b:9.4f}")
print(f"share beyond b ln 20  {np.mean(np.abs(z) > b * math.log(20)):9.4f}  {1 / 20:9.4f}")

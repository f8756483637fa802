import math

import numpy as np

b = 2
z = np.random.default_rng(2006).laplace(scale=b, size=200_000)

print("               simulated  formula")
print(f"E Z²              {np.mean(z**2):.4f}   {2 * b**2:.4f}")
print(f"E |Z|             {np.mean(np.abs(z)):.4f}   {b:.4f}")
print(f"std deviation     {np.std(z):.4f}   {math.sqrt(2) * b:.4f}")
print(f"beyond b ln 20    {np.mean(np.abs(z) > b * math.log(20)):.4f}   {1 / 20:.4f}")

import math

import dpdocs


def normal_cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def as_written(sigma, epsilon):
    """The profile for sensitivity 1, typed in as it stands in the formula."""
    mu = 1 / sigma
    try:
        second = math.exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu)
    except OverflowError:
        return "overflow"
    return f"{normal_cdf(mu / 2 - epsilon / mu) - second:.12g}"


for sigma, epsilon in [(1, 1), (1, 8), (1e10, 4e-10), (0.02, 800), (1e4, 1)]:
    noise = dpdocs.Gaussian(sigma=sigma, sensitivity=1)
    log10_delta = noise.log_delta(epsilon) / math.log(10)
    print(f"sigma = {sigma:g}, epsilon = {epsilon:g}")
    print(f"  as written   {as_written(sigma, epsilon)}")
    print(f"  dpdocs       {noise.delta(epsilon):.12g}")
    print(f"  log10 delta  {log10_delta:.12g}")

import math

import dpdocs


def normal_cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def as_written(sigma, epsilon):
    """The profile for sensitivity 1, typed in as it stands in the formula."""
    mu = 1 / sigma
    first = normal_cdf(mu / 2 - epsilon / mu)
    return first - math.exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu)


for sigma, epsilon in [(1, 1), (1, 8), (1e10, 4e-10), (0.03, 800), (1e4, 1)]:
    noise = dpdocs.Gaussian(sigma=sigma, sensitivity=1)
    delta = noise.delta(epsilon)
    print(f"sigma = {sigma:g}, epsilon = {epsilon:g}")
    print(f"  delta        {delta:.12g}")
    print(f"  log10 delta  {noise.log_delta(epsilon) / math.log(10):.12g}")
    try:
        plain = as_written(sigma, epsilon)
    except OverflowError:
        print("  as written   overflow")
    else:
        right = abs(plain - delta) < 1e-8 * delta
        verdict = "right to 8 digits" if right else "wrong before the 8th digit"
        print("  as written  ", verdict if plain > 0 else "0")

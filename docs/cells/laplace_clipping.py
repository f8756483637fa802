records = [0.5, 1, 2, 6]
epsilon = 1

print("   B    bias²   noise    total")
for bound in (0.5, 1, 2, 3, 4, 6, 8):
    clipped = sum(min(max(x, 0), bound) for x in records)
    bias_squared = (clipped - sum(records)) ** 2
    noise = 2 * (bound / epsilon) ** 2
    print(f"{bound:4}  {bias_squared:7.2f}  {noise:6.2f}  {bias_squared + noise:7.2f}")

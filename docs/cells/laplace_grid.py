def count(records):
    return sum(0.30 < x < 0.34 for x in records)


grid = [k / 4 for k in range(9)]
largest = max(abs(count([x]) - count([y])) for x in grid for y in grid)

print("tried:", *grid)
print("largest change on the grid:", largest)
print("change from 0 to 0.32:", abs(count([0]) - count([0.32])))

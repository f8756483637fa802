# ruff: noqa: F821 - names come from the cell above
print("delta at 0:", noise.delta(0))
[noise.delta(0), noise.delta(1)]

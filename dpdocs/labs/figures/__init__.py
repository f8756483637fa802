"""Pictures that labs share: constant Vega-Lite specifications and the rows to put into them.

A specification depends only on choices, never on numbers: while a slider moves, the page swaps the
rows and draws again without building the picture anew.
"""

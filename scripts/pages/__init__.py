"""How a lesson's Markdown becomes a page that already holds its built results.

`hooks` is what MkDocs calls; it hands each page through the other modules: `scan` finds the
blocks, `numbers` computes what stands in double braces, one module per kind of block writes its
HTML, `formulas` and `figures` draw. A block's meaning lives in dpdocs, its look in docs/theme.
"""

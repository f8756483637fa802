"""Runs inside the browser's Python: the list of fonts that Matplotlib makes when first imported.

The package carries a list, but of another machine's fonts and in a form that it does not take.
"""

import json
from pathlib import Path

import matplotlib.font_manager

_list = Path(matplotlib.font_manager.__file__).with_name("fontlist.json")
_list.unlink()
matplotlib.font_manager._load_fontmanager(try_read_cache=False)
_fonts = json.loads(_list.read_text())
for _kind in ("afmlist", "ttflist"):
    # Found in the order of a set, which differs from start to start.
    _fonts[_kind].sort(key=lambda font: (font["fname"], font["name"], font["weight"]))
f"{_list}\n{json.dumps(_fonts)}"

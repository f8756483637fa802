"""Runs inside the browser's Python: the list of fonts that Matplotlib makes when first imported.

The package carries a list, but of another machine's fonts and in a form that it does not take.
"""

from pathlib import Path

import matplotlib.font_manager

_list = Path(matplotlib.font_manager.__file__).with_name("fontlist.json")
_list.unlink()
matplotlib.font_manager._load_fontmanager(try_read_cache=False)
f"{_list}\n{_list.read_text()}"

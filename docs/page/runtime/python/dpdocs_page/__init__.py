"""What runs a lesson's cells: in the reader's browser and, for the built page, in CPython.

Both use this one package, so that what a page shows at first is what a reader gets by running it.
"""

from dpdocs_page.display import display
from dpdocs_page.running import run

__all__ = ["display", "run"]

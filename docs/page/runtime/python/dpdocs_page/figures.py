"""The Matplotlib backend of a cell: draws without a screen, shows in the cell's output.

Chosen by its name in the variable MPLBACKEND, so that Matplotlib loads only where a cell asks.
"""

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from dpdocs_page.display import display

NAME = f"module://{__name__}"


class FigureManager(FigureManagerBase):
    """Shows a figure once, where the cell says so or where it ends."""

    @classmethod
    def pyplot_show(cls, *, block=None):
        """Show all open figures, in the order in which they were made, and close them."""
        del block
        for manager in sorted(Gcf.get_all_fig_managers(), key=lambda manager: manager.num):
            display(manager.canvas.figure)
        Gcf.destroy_all()


class FigureCanvas(FigureCanvasAgg):
    """Draws with Agg."""

    manager_class = FigureManager

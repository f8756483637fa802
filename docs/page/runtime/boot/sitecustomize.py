"""Run by Python as it starts: the modules that every visit needs come from memory.

They lie one behind the other in `*.modules` files (scripts/runtime/flat.py writes them). To find
and read each as a file of its own would take some ten calls into the browser's file system.
"""

import marshal
import sys
from _frozen_importlib import ModuleSpec


class MemoryFinder:
    """Finds modules in the content of `*.modules` files; loads them too."""

    def __init__(self, path):
        # Unbuffered: one read, one copy.
        with open(path, "rb", buffering=0) as file:
            data = file.read()
        size = int(data[:16])
        self._code = memoryview(data)[16 + size :]
        self._places = {}
        for line in data[16 : 16 + size].decode().splitlines():
            name, start, end, origin = line.split(" ")
            self._places[name] = (int(start), int(end), origin)

    def find_spec(self, name, path=None, target=None):
        """Return the specification of a module that is here."""
        place = self._places.get(name)
        if place is None:
            return None
        folder, _, file = place[2].rpartition("/")
        spec = ModuleSpec(name, self, origin=place[2], is_package=file == "__init__.pyc")
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            # What is not here of a package may come later, as files.
            spec.submodule_search_locations.append(folder)
        return spec

    def create_module(self, spec):
        """Make an ordinary module."""

    def exec_module(self, module):
        """Run the module's code."""
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name):
        """Return the code of a module."""
        start, end, _ = self._places[name]
        return marshal.loads(self._code[start:end])

    def get_source(self, name):
        """Return None: no source is here."""

    def get_resource_reader(self, name):
        """Return a reader of the files beside a package, where there are any."""
        from importlib.readers import FileReader
        from types import SimpleNamespace

        return FileReader(SimpleNamespace(path=self._places[name][2]))

    def is_package(self, name):
        """Tell whether a module is a package."""
        return self._places[name][2].endswith("/__init__.pyc")


def _install():
    # Beside this file; the page's own packages behind those of Python.
    folder = __file__.rpartition("/")[0]
    for number, name in enumerate(("core", "dpdocs")):
        # After the finders of built-in and frozen modules, before the one that looks for files.
        sys.meta_path.insert(2 + number, MemoryFinder(f"{folder}/{name}.modules"))


_install()

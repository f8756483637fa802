"""Packages that come in by their compiled functions first, and whole where more is asked of them.

`import scipy.special` loads 171 modules and 33 shared libraries; a handful holds the functions that
labs use. A light package is the module itself, its own code not run yet: a name that the compiled
functions have comes from there, any other name runs the code first.
"""

import importlib
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec


class LightFinder:
    """Comes before all other finders, for three names only."""

    def find_spec(self, name, path=None, target=None):
        """Return the specification of a light module; None for every other name."""
        kind = _KINDS.get(name)
        if kind is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = kind(spec.loader)
            return spec
        # A shared library whose pack is not here yet.
        return importlib.machinery.ModuleSpec(name, kind(None)) if kind is LazyLibrary else None


class LightPackage:
    """Loads a package without running its code."""

    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        """Make an ordinary module."""

    def exec_module(self, module):
        """Make the module answer for the names that it can have without its code."""
        names = module.__dict__

        def __getattr__(name):
            found = self.light(module, name)
            if found is not None:
                names[name] = found
                return found
            if name.startswith("__") and name != "__all__":
                # Python asks every module for these; none is worth the whole package.
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            complete()
            return getattr(module, name)

        def __dir__():
            complete()
            return sorted(names)

        def complete():
            del names["__getattr__"], names["__dir__"]
            # While the code runs, modules that it imports may ask this one for names.
            names["__getattr__"] = meanwhile
            try:
                self._loader.exec_module(module)
            except BaseException:
                names.update(__getattr__=__getattr__, __dir__=__dir__)
                raise
            if names.get("__getattr__") is meanwhile:
                del names["__getattr__"]

        def meanwhile(name):
            found = self.light(module, name)
            if found is None:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            return found

        names.update(__getattr__=__getattr__, __dir__=__dir__)

    def light(self, module, name):
        """Return what a name means without the package's code; None where that is not known."""
        raise NotImplementedError


class LightScipy(LightPackage):
    """`scipy`: its version and its subpackages."""

    subpackages = frozenset(
        {"cluster", "constants", "datasets", "fft", "fftpack", "integrate", "interpolate", "io"}
        | {"linalg", "misc", "ndimage", "odr", "optimize", "signal", "sparse", "spatial"}
        | {"special", "stats"}
    )

    def light(self, module, name):
        """Return the version or a subpackage."""
        if name == "__version__":
            return importlib.import_module("scipy.version").version
        if name in self.subpackages:
            return importlib.import_module(f"scipy.{name}")
        return None


class LightSpecial(LightPackage):
    """`scipy.special`: the compiled functions that the package hands on as they are."""

    # The package puts a warning in front of these.
    wrapped = frozenset({"btdtr", "btdtri"})

    def light(self, module, name):
        """Return a compiled function."""
        functions = importlib.import_module("scipy.special._ufuncs")
        if name == "_ufuncs":
            return functions
        if name not in functions.__all__ or name in self.wrapped:
            return None
        return getattr(functions, name)


class LazyLibrary:
    """A compiled module that is loaded when the first of its functions is asked for."""

    def __init__(self, loader):
        del loader

    def create_module(self, spec):
        """Make an ordinary module."""

    def exec_module(self, module):
        """Make the module load itself at the first name that is asked of it."""
        names = module.__dict__

        def __getattr__(name):
            if name.startswith("__"):
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            del names["__getattr__"]
            try:
                names.update(_load_library(module.__name__).__dict__)
            except BaseException:
                names["__getattr__"] = __getattr__
                raise
            return getattr(module, name)

        names["__getattr__"] = __getattr__


def is_waiting(module):
    """Is this a compiled module that nobody has asked for a function yet?"""
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    return isinstance(loader, LazyLibrary) and "__getattr__" in module.__dict__


def _load_library(name):
    """Load a compiled module past the finder that made it lazy."""
    package = importlib.import_module(name.rpartition(".")[0])
    for finder in sys.meta_path:
        if isinstance(finder, LightFinder):
            continue
        spec = finder.find_spec(name, package.__path__, None)
        if spec is not None:
            library = module_from_spec(spec)
            spec.loader.exec_module(library)
            return library
    raise ImportError(f"{name} is not part of this runtime", name=name)


_KINDS = {
    "scipy": LightScipy,
    "scipy.special": LightSpecial,
    "numpy.linalg._umath_linalg": LazyLibrary,
}

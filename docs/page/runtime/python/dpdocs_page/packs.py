"""Modules that are not here yet: found by name, fetched while the import statement waits.

Only the browser's packed start uses this. Modules that a cell names are fetched before it runs;
this is for those that a module imports later.
"""

import ctypes
import sys
import zlib
from importlib.machinery import PathFinder

from dpdocs_page import light

_GZIP = 16 + zlib.MAX_WBITS


class PackFinder:
    """Comes after all other finders: what they do not find may lie in a pack.

    Parameters
    ----------
    names : iterable of str
        The modules that packs have.
    fetch : callable
        Takes a module's name and lays the files of its pack into the file system.
    """

    def __init__(self, names, fetch):
        self._names = set(names)
        self._fetch = fetch

    def find_spec(self, name, path=None, target=None):
        """Return the specification of a module, once its pack is there."""
        if name not in self._names:
            return None
        # Once fetched it is found by the others; should it not be, asking again would not help.
        self._names.discard(name)
        try:
            self._fetch(name)
        except Exception as problem:
            self._names.add(name)
            text = f"{name} is part of this site but did not arrive: {problem}"
            raise ImportError(text, name=name) from None
        return PathFinder.find_spec(name, path, target)


def install(names, fetch):
    """Put the finders into place; `names` are separated by spaces."""
    sys.meta_path.insert(0, light.LightFinder())
    sys.meta_path.append(PackFinder(names.split(), fetch))


def inflate(data):
    """Return the content of a pack as it lies on the host."""
    data = bytes(data.to_py() if hasattr(data, "to_py") else data)
    return zlib.decompress(data, _GZIP) if data[:2] == b"\x1f\x8b" else data


def settle(libraries):
    """Follow a pack that was laid in: load its shared libraries for all, forget what was absent."""
    for path in libraries:
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    # importlib.invalidate_caches() would import importlib.metadata, and e-mail with it.
    for path, finder in list(sys.path_importer_cache.items()):
        if finder is None:
            # A folder that was not there when it was last looked into.
            del sys.path_importer_cache[path]
        elif hasattr(finder, "invalidate_caches"):
            finder.invalidate_caches()

"""Which file goes into which pack, and which packs an import needs."""

from dataclasses import dataclass

# SciPy's small parts, and what all of its subpackages share.
_SCIPY_BASE = {"_lib", "constants"}
# Their code is not run when they are first imported (dpdocs_page/light.py).
LIGHT = {"scipy", "scipy.special"}
OPENBLAS = "libopenblas.so"


@dataclass(frozen=True)
class Group:
    """A pack that is fetched when a module in it is first imported.

    `roots` are the modules by which a reader reaches it: what these import is fetched beside it.
    """

    title: str
    roots: tuple[str, ...] = ()


def group_of(path, archive, layout):
    """Return the name of the pack for a file of an archive."""
    if archive in ("python_stdlib", "openblas"):
        return archive
    inside = path.removeprefix(f"{layout.packages}/").split("/")
    top = inside[0]
    if archive == "numpy":
        return "numpy-random" if inside[:2] == ["numpy", "random"] else "numpy"
    if archive == "scipy":
        is_deep = top == "scipy" and len(inside) > 2 and inside[1] not in _SCIPY_BASE
        return f"scipy-{inside[1]}" if is_deep else "scipy"
    if archive == "fonttools":
        return "fonttools"
    return "matplotlib"


def describe(name):
    """Return the group of a pack's name."""
    if name.startswith("scipy"):
        part = name.removeprefix("scipy").removeprefix("-")
        return Group("SciPy", (f"scipy.{part}",) if part else ())
    return {
        "python_stdlib": Group("Python"),
        "numpy": Group("NumPy"),
        "numpy-random": Group("NumPy", ("numpy.random",)),
        "openblas": Group("OpenBLAS"),
        "fonttools": Group("Matplotlib"),
        "matplotlib": Group("Matplotlib", ("matplotlib.pyplot", "matplotlib.backends.backend_agg")),
    }[name]


def homes(packs, layout):
    """Return the pack of each module."""
    return {
        module: pack
        for pack, files in packs.items()
        for path in files
        if (module := layout.module(path)) is not None
    }


def needs(packs, imports, layout, first):
    """Return, for each pack, the packs that importing its roots needs besides.

    Parameters
    ----------
    packs : mapping of str to mapping of str to bytes
        The files of each pack.
    imports : mapping of str to list of str
        For each compiled file, what its top level imports.
    layout : Layout
        Where modules lie.
    first : sequence of str
        Packs that are always there; the first of them holds what was seen to be loaded.
    """
    home = homes(packs, layout)
    taken = {layout.module(path): names for path, names in imports.items()}
    for path in packs[first[0]]:
        # It was loaded when the pack was made, and so was all that it really imports.
        if layout.module(path) not in LIGHT:
            taken.pop(layout.module(path), None)
    found = {}
    for pack, files in packs.items():
        if pack in first:
            continue
        reached = {home[m] for m in _closure(describe(pack).roots, taken, home)} | {pack}
        if any(_uses_openblas(path, data) for path, data in files.items()):
            reached.add("openblas")
        found[pack] = reached - set(first)
    for pack, reached in found.items():
        # What only the libraries of a needed pack need is needed too.
        for other in list(reached):
            reached |= {"openblas"} & found[other]
        reached.discard(pack)
    return {pack: sorted(reached) for pack, reached in found.items()}


def _closure(roots, taken, home):
    seen = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            module = ".".join(parts[:end])
            if module in home and module not in seen:
                seen.add(module)
                waiting += taken.get(module, ())
    return seen


def _uses_openblas(path, data):
    # A shared library names at its beginning the libraries that it needs.
    return path.endswith(".so") and OPENBLAS.encode() in data[:4096]

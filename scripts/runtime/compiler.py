"""Runs inside the browser's Python: one source → one .pyc, and what its top level imports."""

import importlib.util
import marshal
from dis import get_instructions

# A .pyc that lies beside no source is never compared with one; its flags and times are zero.
HEADER = importlib.util.MAGIC_NUMBER + bytes(12)


def compile_source(source, name):
    """Return the bytes of the .pyc, the top level's imports, and why it cannot be compiled."""
    try:
        code = compile(source.to_bytes(), name, "exec", dont_inherit=True)
    except SyntaxError as error:
        return None, [], f"{error.msg} (line {error.lineno})"
    return HEADER + marshal.dumps(code), sorted(top_level_imports(code, package_of(name))), None


def package_of(name):
    """Return the dotted name of the package that a file belongs to."""
    parts = name.removeprefix("/").split("/")
    root = parts.index("site-packages") + 1 if "site-packages" in parts else 2
    return ".".join(parts[root:-1])


def top_level_imports(code, package):
    """Return the modules that running a module imports; those inside functions are left out."""
    found = set()
    constants = []
    for step in get_instructions(code):
        if step.opname == "LOAD_CONST":
            constants.append(step.argval)
        elif step.opname == "IMPORT_NAME":
            level, names = constants[-2:]
            found |= imported(step.argval, level, names or (), package)
    return found


def imported(module, level, names, package):
    """Return the full names that one import statement may load."""
    if level:
        base = package.split(".")[: len(package.split(".")) - level + 1]
        module = ".".join([*base, module] if module else base)
    return {module, *(f"{module}.{name}" for name in names if name != "*")}

"""Flat packs: many files in one, uncompressed inside, so that a file is a view into the pack.

4 bytes   length of the index, little-endian
index     JSON: {"files": [[path, size], …], …}
content   the files, one behind the other, in the index's order
"""

import json
import struct

PYC_HEADER = 16


def write(files, **more):
    """Return the bytes of a pack.

    Parameters
    ----------
    files : mapping of str to bytes
        Content by path.
    **more
        Further entries of the index.
    """
    paths = sorted(files)
    index = {"files": [[path, len(files[path])] for path in paths], **more}
    text = json.dumps(index, separators=(",", ":"), sort_keys=True).encode()
    return b"".join([struct.pack("<I", len(text)), text, *(files[path] for path in paths)])


def read(data):
    """Return the files of a pack and the rest of its index."""
    (length,) = struct.unpack_from("<I", data)
    index = json.loads(data[4 : 4 + length])
    files = {}
    at = 4 + length
    for path, size in index.pop("files"):
        files[path] = data[at : at + size]
        at += size
    if at != len(data):
        raise ValueError(f"a pack of {len(data)} bytes whose index accounts for {at}")
    return files, index


def write_modules(modules):
    """Return the bytes of a `.modules` file: code that is loaded from memory.

        16 bytes  length of the index, in digits
        index     a line for each module: name, start, end, path of its .pyc
        code      the modules, one behind the other, without the header of a .pyc

    docs/page/runtime/boot/sitecustomize.py reads it, before it could import anything to read with.

    Parameters
    ----------
    modules : mapping of str to (str, bytes)
        Path and content of the .pyc, by module.
    """
    lines, codes = [], []
    at = 0
    for name in sorted(modules):
        path, data = modules[name]
        code = data[PYC_HEADER:]
        lines.append(f"{name} {at} {at + len(code)} {path}\n")
        codes.append(code)
        at += len(code)
    index = "".join(lines).encode()
    return b"".join([f"{len(index):<16}".encode(), index, *codes])


def read_modules(data):
    """Return the .pyc files of a `.modules` file, with empty headers."""
    size = int(data[:16])
    code = data[16 + size :]
    files = {}
    for line in data[16 : 16 + size].decode().splitlines():
        _, start, end, path = line.split(" ")
        files[path] = bytes(PYC_HEADER) + code[int(start) : int(end)]
    return files

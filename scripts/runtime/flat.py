"""Flat packs: many files in one, uncompressed inside, so that a file is a view into the pack.

4 bytes   length of the index, little-endian
index     JSON: {"files": [[path, size], …], …}
content   the files, one behind the other, in the index's order
"""

import json
import struct


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

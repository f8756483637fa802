"""Build and serve the whole site, both languages, and rebuild what a saved change touches.

MkDocs' own server knows one language at a time, so its live-reload server is used with a builder
that builds both. A build that fails is reported here and the last good site stays up.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mkdocs.livereload import LiveReloadServer

from scripts import toolchain
from scripts.commands.site_build import SITE, BuildError, build

WATCHED = ("docs", "dpdocs", "scripts", "mkdocs.yml", "mkdocs.ko.yml", "package.json")


def rebuild() -> None:
    """Build everything; each step is quick where its inputs did not change."""
    try:
        build()
    except BuildError as failure:
        print(f"  {failure}\n  The last good site stays up; save again to retry.", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/serve", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (default 8000)")
    options = parser.parse_args()
    rebuild()
    if not SITE.is_dir():
        sys.exit("scripts/serve: the first build failed, so there is nothing to serve yet")
    server = LiveReloadServer(
        builder=rebuild, host="127.0.0.1", port=options.port, root=str(SITE), mount_path="/"
    )
    for name in WATCHED:
        path = toolchain.ROOT / name
        server.watch(str(path), recursive=Path(path).is_dir())
    print(f"English: http://127.0.0.1:{options.port}/  Korean: http://127.0.0.1:{options.port}/ko/")
    try:
        server.serve()
    except OSError as problem:
        sys.exit(f"scripts/serve: cannot listen on port {options.port} ({problem}); try --port")
    except KeyboardInterrupt:
        print("\nstopped")
    finally:
        server.shutdown()


if __name__ == "__main__":
    main()

"""Write the deployable site to `site/`."""

from __future__ import annotations

import argparse
import os
import sys

from scripts.commands.site_build import SITE, BuildError, build


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/build", description=__doc__)
    parser.add_argument(
        "--site-url",
        metavar="URL",
        help="where the site will stand, for the sitemap and canonical links "
        "(default: DPDOCS_SITE_URL, else http://127.0.0.1:8000/); the pages work anywhere",
    )
    options = parser.parse_args()
    if options.site_url:
        os.environ["DPDOCS_SITE_URL"] = options.site_url
    try:
        seconds = build()
    except BuildError as failure:
        sys.exit(f"scripts/build: {failure}")
    files = [path for path in SITE.rglob("*") if path.is_file()]
    total = sum(path.stat().st_size for path in files)
    print(f"site/: {len(files)} files, {total / 1e6:.1f} MB, {sum(seconds.values()):.0f} s")


if __name__ == "__main__":
    main()

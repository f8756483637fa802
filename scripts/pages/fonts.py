"""Cut the site's fonts down to what its pages use: fewer letters, weights 400 to 700 only.

    python -m scripts.pages.fonts        writes build/fonts/, which scripts/bundle.mjs takes

The whole fonts would be a third of what a reader loads before the text can be read. A changed font
may not carry the reserved name of the original (SIL Open Font License), so it is renamed.
"""

from __future__ import annotations

import argparse
import hashlib
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from scripts.pages.project import ROOT

PACKAGES = ROOT / "node_modules" / "@fontsource-variable"
OUT = ROOT / "build" / "fonts"
FONTS = {
    "source-serif-4/files/source-serif-4-latin-wght-normal.woff2": "dpdocs serif",
    "source-serif-4/files/source-serif-4-latin-wght-italic.woff2": "dpdocs serif italic",
    "source-sans-3/files/source-sans-3-latin-wght-normal.woff2": "dpdocs sans",
}
WEIGHTS = (400, 700)
# Latin letters, typographic marks, arrows, the minus sign. docs/page/style/fonts.css says the same.
RANGES = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x2010, 0x2015), (0x2018, 0x201D), (0x2020, 0x2022),
    (0x2026, 0x2026), (0x2030, 0x2033), (0x20AC, 0x20AC), (0x2190, 0x2193), (0x2212, 0x2212),
)  # fmt: skip
FEATURES = ["kern", "liga", "ccmp", "locl", "mark", "mkmk", "tnum"]
# In the font's own table of names: family, unique name, full name, PostScript name, and so on.
NAMES = (1, 3, 4, 6, 16, 25)


def cut(source: Path, name: str, target: Path) -> None:
    """Write a smaller font; the same input gives the same bytes."""
    whole = TTFont(source, recalcTimestamp=False)
    instancer.instantiateVariableFont(whole, {"wght": WEIGHTS}, inplace=True)
    # Written and read once: the next step takes apart only what is laid out as in a file.
    middle = BytesIO()
    whole.flavor = None
    whole.save(middle)
    font = TTFont(middle, recalcTimestamp=False)
    options = subset.Options(
        flavor="woff2", layout_features=FEATURES, hinting=False, name_IDs=["*"]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = name.replace(" ", "") if record.nameID in (6, 25) else name
    subset.save_font(font, str(target), options)


def main() -> None:
    argparse.ArgumentParser(prog="scripts.pages.fonts", description=__doc__).parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    for path, name in FONTS.items():
        source, target = PACKAGES / path, OUT / Path(path).name
        stamp = target.with_suffix(".stamp")
        inputs = hashlib.sha256(source.read_bytes() + Path(__file__).read_bytes()).hexdigest()
        if target.is_file() and stamp.is_file() and stamp.read_text() == inputs:
            continue
        cut(source, name, target)
        stamp.write_text(inputs)


if __name__ == "__main__":
    main()

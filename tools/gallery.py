#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs scenes, draws a frame of each, writes docs/gallery.md and the picture at the top of the README.

    tools/gallery.py               all of it: some minutes, with build/release/pliant
    tools/gallery.py drape knot    only these pictures; the page lists all that there are
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLIANT = ROOT / "build/release/pliant"
PICTURES = ROOT / "docs/images/gallery"

# Scene, share of its frames that is shown, and how.
SCENES = {
    "drape": (1.0, []),
    "drape_fold": (0.6, []),
    "cloth_twist": (1.0, ["--elevation", "35"]),
    "cloth_stack": (1.0, []),
    "towel_fold4": (0.55, []),
    "pinch": (0.4, []),
    "knot": (1.0, ["--azimuth", "0", "--elevation", "50"]),
    "chain_mail": (1.0, []),
    "octopus": (0.5, []),
    "card_house": (1.0, ["--azimuth", "20"]),
    "bullet_through_sheet": (0.5, []),
    "cloth_on_table": (1.0, []),
    "shirt_on_table": (1.0, []),
    "sheet_on_model": (1.0, []),
    "hang": (1.0, ["--field", "speed"]),
    "pneumatic_box_drop": (0.6, []),
    "balloon": (1.0, []),
    "balloon_squeeze": (0.7, []),
    "beam": (1.0, ["--style", "overlay"]),
    "torus": (0.3, []),
    "sphere_to_cube": (1.0, ["--style", "overlay"]),
}

# The picture of the README: six of them, three in a row.
FRONT = ["drape", "drape_fold", "card_house", "cloth_twist", "chain_mail", "pneumatic_box_drop"]


def pliant(*words):
    subprocess.run([str(PLIANT), *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def draw(take, picture, share, how):
    """One frame of a take; the number of frames is in what `info` says."""
    said = subprocess.run([str(PLIANT), "info", str(take)], check=True, capture_output=True, text=True).stdout
    frames = int(re.search(r"(?m)^frames +(\d+)", said)[1])
    pliant("render", take, "-o", picture, "--frame", round(share * (frames - 1)), "--force", "--quiet", *how)


def make_pictures(names):
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            share, how = SCENES[name]
            take = Path(folder) / "take.plrec"
            print(name, flush=True)
            pliant("run", ROOT / f"scenes/{name}.json", "-o", take, "--force", "--quiet")
            draw(take, PICTURES / f"{name}.png", share, ["--size", "480x300", *how])
            take.unlink()


def description(name):
    text = (ROOT / f"scenes/{name}.json").read_text(encoding="utf-8")
    found = re.search(r'"description": ("(?:[^"\\]|\\.)*")', text)
    return json.loads(found[1]) if found else ""


def write_page():
    lines = ["# Gallery", "", "Made by `tools/gallery.py` from the scenes; each runs with `pliant run scenes/NAME.json` and is drawn by",
             "[`pliant render`](cli.md#render).", ""]
    for name in SCENES:
        if (PICTURES / f"{name}.png").exists():
            lines += [f"## {name}", "", f"![{name}](images/gallery/{name}.png)", "", description(name), ""]
    (ROOT / "docs/gallery.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def make_front_picture():
    inputs = [word for name in FRONT for word in ("-i", str(PICTURES / f"{name}.png"))]
    places = "|".join(f"{column * 480}_{row * 300}" for row in range(2) for column in range(3))
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *inputs, "-filter_complex", f"xstack=inputs=6:layout={places}",
                    "-frames:v", "1", str(ROOT / "docs/images/pliant.png")], check=True)


def main():
    names = sys.argv[1:] or list(SCENES)
    unknown = [name for name in names if name not in SCENES]
    if unknown:
        sys.exit(f"gallery: no such picture: {', '.join(unknown)} (there are: {', '.join(SCENES)})")
    if not PLIANT.exists():
        sys.exit("gallery: build/release/pliant is not there; run 'make'")
    make_pictures(names)
    write_page()
    make_front_picture()


if __name__ == "__main__":
    main()

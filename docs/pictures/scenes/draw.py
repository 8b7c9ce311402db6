#!/usr/bin/env python3
"""The pictures of docs/scenes-catalogue.md: `cardan draw`, without its words and with tenths of a pixel.

    python3 docs/pictures/scenes/draw.py [--cardan PATH] [NAME ...]
"""

import argparse
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Times at which something is to be seen; all others at 0.
TIMES = {
    "affine-block": "0,0.3",
    "bead-on-spline": "0,0.6,1.2",
    "billiard": "0,0.4,1",
    "bouncing-ball": "0,0.3,0.6,0.8",
    "breathing-block": "0,0.4",
    "chain-hits-itself": "0,0.5,1.5",
    "corner": "0,0.5,1",
    "double-pendulum": "0,0.4,0.8",
    "drag-linkage": "0,2,4",
    "driven-ball-joint": "0,0.5,1",
    "hammer-blow": "0,0.8,1.6",
    "hanging-chain": "0,1",
    "incline": "0,0.2,1",
    "knee-stop": "0,0.3,0.6",
    "newton-cradle": "0,0.4,0.8",
    "oblique-rod": "0,0.2,0.4",
    "obtuse-corner": "0,0.5,1",
    "on-off": "0,0.4,0.8,1.6",
    "pendulum": "0,0.3,0.6",
    "pile": "0,1",
    "pinball-flipper": "0,0.6,1.2",
    "ragdoll": "0,0.7,1.5",
    "rolling-coin": "0,1,2",
    "self-assembly": "0,1,2.5",
    "skate": "0,2,4",
    "soft-block": "0,0.2",
    "spinning-top": "0,1,2",
    "tennis-racket": "0,3,4",
    "three-hinge-door": "0,2,6",
    "tinkertoys": "0,1,2",
    "tumbling-box": "0,0.4,1",
    "two-chains-colliding": "0,0.6",
    "walker": "0,1,2",
}


def small(svg):
    """The drawing without words, which are strokes too, and with coordinates to a tenth of a pixel."""
    svg = re.sub(r'<path[^>]*aria-label="[^"]*"[^>]*/>\n?', "", svg)
    shorter = lambda number: f"{float(number.group()):.1f}".removesuffix(".0")
    return re.sub(r"\d+\.\d+", shorter, svg)


def main():
    parser = argparse.ArgumentParser(description="Draws the pictures of the scene catalogue.")
    parser.add_argument("names", nargs="*", help="scenes (default: all)")
    parser.add_argument("--cardan", help="a cardan command, instead of `cargo run --release`")
    args = parser.parse_args()
    command = [args.cardan] if args.cardan else ["cargo", "run", "--release", "--quiet", "--"]
    robots = (path for path in (ROOT / "scenes" / "robots").iterdir() if path.suffix in (".urdf", ".xml"))
    scenes = sorted(path.stem for path in [*(ROOT / "scenes").glob("*.toml"), *robots])
    for name in args.names or scenes:
        file = HERE / f"{name}.svg"
        draw = ["draw", name, "--at", TIMES.get(name, "0"), "-o", str(file)]
        subprocess.run(command + draw, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        file.write_text(small(file.read_text()))


main()

#!/usr/bin/env python3
"""Robots of PyPI's `example-robot-data` read by cardan and by Pinocchio: accelerations, mass and inertia beside each other.

    python3 benches/peers/import.py            a table on standard output and in target/peers/import.md
    python3 benches/peers/import.py --record   the same into benches/notes/import.md
"""

import argparse
import json
import platform
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True
import tables
from common import HERE, ROOT, WORK, Missing, cargo, commit, processor, python_with, say, there
from engines import Asked

# Agreement that is asked for: accelerations beside the largest of the state, mass and inertia beside their size.
ACCELERATIONS, MASSES = 1e-10, 1e-12
RECORD = ROOT / "benches" / "notes" / "import.md"


def compare(cardan, pinocchio, file, floating, args):
    """One robot; the numbers of a row, or why there is none."""
    row = {"file": file, "floating": floating}
    try:
        root = cardan.ask("robot", file=file, floating=floating, states=[], seconds=0)["root"]
        asked = pinocchio.ask("states", path=file, floating=floating, count=args.states, root=root)
        found = cardan.ask("robot", file=file, floating=floating, states=asked["states"], seconds=args.seconds)
        row |= pinocchio.ask("agree", path=file, floating=floating, found=found, seconds=args.seconds)
        row |= {"bodies": found["bodies"], "read": found["read_ms"], "time": found["times"]["least"]}
    except Missing as error:
        row["error"] = str(error).splitlines()[0]
    return row


def report(rows, versions):
    """A table of those that agree, and a list of the others with the reason."""
    shown, refused = [], []
    for row in rows:
        name = Path(row["file"]).stem + (", floating" if row["floating"] else "")
        if "error" in row:
            # Messages start with the path of the file.
            refused.append([f"{name}", row["error"].split(".urdf:")[-1].split(": ", 1)[-1]])
            continue
        good = row["acceleration"] <= ACCELERATIONS and row["mass"] <= MASSES and row["inertia"] <= MASSES
        cells = [name, row["nv"], *(tables.small(row[key]) for key in ("acceleration", "mass", "inertia"))]
        times = [f"{row['read']:.1f}", f"{row['reads']:.1f}", f"{row['time'] / 1e3:.1f}", f"{row['aba'] / 1e3:.1f}"]
        shown.append([*cells, *times, "yes" if good else "**no**"])
    heads = ["robot", "freedoms", "accelerations", "mass", "inertia", "read [ms]", "Pinocchio reads [ms]"]
    heads += ["solve [µs]", "Pinocchio's ABA [µs]", "agrees"]
    good = sum(row[-1] == "yes" for row in shown)
    text = f"{good} of {len(shown)} agree (accelerations to {ACCELERATIONS:g}, mass and inertia to {MASSES:g}).\n\n"
    text += tables.table(heads, shown) + "\n"
    if refused:
        text += "\nNot compared, with the message of the reader that refused:\n\n" + tables.table(["robot", "why"], refused, 2) + "\n"
    about = f"{processor()}, {platform.system()}; Pinocchio {versions['pinocchio']}, example-robot-data {versions['data']}"
    closing = textwrap.fill(f"Measured on {about}, cardan at {commit()}.", 100)
    return f"{text}\n{closing}\n", good == len(shown) and good > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="robots whose path contains one of these")
    parser.add_argument("--states", type=int, default=5, help="random states of each")
    parser.add_argument("--seconds", type=float, default=0.02, help="how long one measurement lasts")
    parser.add_argument("--peers-cardan", type=Path, help="a program that is there already")
    parser.add_argument("--jobs", help="jobs of cargo")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.relative_to(ROOT)}")
    args = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    program = args.peers_cardan and there(args.peers_cardan)
    cardan = Asked("cardan", [program or cargo(HERE / "cardan" / "Cargo.toml", "peers-cardan", args.jobs)])
    pinocchio = Asked("Pinocchio", [python_with("example-robot-data"), HERE / "pinocchio_robots.py"])
    versions, rows = pinocchio.ask("version"), []
    for file in pinocchio.ask("files")["files"]:
        if args.only is None or any(word in file for word in args.only):
            for floating in (False, True):
                rows.append(compare(cardan, pinocchio, file, floating, args))
                say(json.dumps(rows[-1]))
    text, good = report(rows, versions)
    (WORK / "import.md").write_text(text)
    print(text)
    if args.record:
        head = "# Robots read from URDF, beside Pinocchio\n\n```sh\npython3 benches/peers/import.py --record\n```\n\n"
        RECORD.write_text(head + ABOUT + text)
    return 0 if good else 1


ABOUT = """Every URDF file of PyPI's `example-robot-data`, with its root fixed and floating, at five random
states: joint accelerations of cardan and of Pinocchio's ABA without damping, friction, limits,
motors and mimics; their difference beside the largest acceleration. Mass, and inertia about the
centre of mass, beside their size. Pinocchio is called from Python, which takes part of its time.

"""

if __name__ == "__main__":
    sys.exit(main())

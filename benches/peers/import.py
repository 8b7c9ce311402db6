#!/usr/bin/env python3
"""Robots of PyPI's `example-robot-data` read by cardan and by Pinocchio: accelerations, mass and inertia beside each other.

    python3 benches/peers/import.py            a table on standard output and in target/peers/import.md
    python3 benches/peers/import.py --record   the same into benches/notes/import.md
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import imports
import tables
from common import HERE, ROOT, WORK, Missing, python_with, say
from engines import Asked

# Agreement that is asked for: accelerations beside the largest of the state, mass and inertia beside their size.
ACCELERATIONS, MASSES = 1e-10, 1e-12
# Of MJCF that cardan wrote, in MuJoCo.
MJCF = 1e-9
# Robot files, and bundled robots and scenes, that are written and read again.
WRITTEN = ("ur5_robot", "panda", "a1", "talos_reduced", "baxter", "allegro_left_hand", "g1_29dof_rev_1_0", "hyq_no_sensors")
BUNDLED = ("desk-arm", "double-pendulum", "pendulum")
CLOSED = ("delta", "five-bar-walker", "four-bar-walker", "delta-robot", "stewart-platform", "excavator", "two-chains-colliding")
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


def round_trip(cardan, pinocchio, mujoco, file, args):
    """A robot file or scene written by cardan as URDF and MJCF and read by Pinocchio and MuJoCo; against cardan's own."""
    row = {"file": file}
    name = Path(file).stem
    urdf, mjcf = WORK / f"exported-{name}.urdf", WORK / f"exported-{name}.xml"
    for key, to, other in (("urdf", urdf, pinocchio), ("mjcf", mjcf, mujoco)):
        try:
            cardan.ask("export", file=file, to=str(to))
            if other is pinocchio:
                states = other.ask("states", path=str(to), floating=False, count=args.states, root=None)["states"]
            else:
                states = other.ask("states", path=str(to), count=args.states)["states"]
            found = cardan.ask("robot", file=file, floating=False, states=states, seconds=0)
            if other is pinocchio:
                row[key] = other.ask("agree", path=str(to), floating=False, found=found, seconds=0)["acceleration"]
            else:
                row[key] = other.ask("agree", path=str(to), states=states, found=found)["acceleration"]
        except Missing as error:
            row[key] = str(error).splitlines()[0]
    return row


def closed(cardan, mujoco, name):
    """A bundled mechanism with loops or free bodies as MJCF: accelerations of its bodies at the start."""
    to = WORK / f"exported-{name}.xml"
    try:
        bodies = cardan.ask("export", file=name, to=str(to))["bodies"]
        return {"file": name, "urdf": "–", "mjcf": mujoco.ask("closed", path=str(to), bodies=bodies)["acceleration"]}
    except Missing as error:
        return {"file": name, "urdf": "–", "mjcf": str(error).splitlines()[0]}


def report_exports(rows):
    """A table of what was written and read again."""
    good, shown = True, []
    for row in rows:
        cells = [Path(row["file"]).stem]
        for key, limit in (("urdf", ACCELERATIONS), ("mjcf", MJCF)):
            is_number = isinstance(row[key], float)
            good &= row[key] == "–" or (is_number and row[key] <= limit)
            cells.append(tables.small(row[key]) if is_number else row[key])
        shown.append(cells)
    heads = ["written by cardan", "URDF in Pinocchio", "MJCF in MuJoCo"]
    return "\n" + EXPORTS + tables.table(heads, shown, 3) + "\n", good


def report(rows):
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
    asked = f"accelerations to {ACCELERATIONS:g}, mass and inertia to {MASSES:g}"
    text, good = imports.agreement(heads, shown, refused, asked)
    return text, good == len(shown) and good > 0


def main():
    args = imports.options(__doc__, "robots", RECORD)
    cardan = imports.cardan(args)
    pinocchio = Asked("Pinocchio", [python_with("example-robot-data"), HERE / "pinocchio_robots.py"])
    versions, rows = pinocchio.ask("version"), []
    for file in imports.wanted(pinocchio.ask("files")["files"], args):
        for floating in (False, True):
            rows.append(compare(cardan, pinocchio, file, floating, args))
            say(json.dumps(rows[-1]))
    text, good = report(rows)
    mujoco = Asked("MuJoCo", [python_with("mujoco"), HERE / "mujoco_robots.py"])
    asked = [row["file"] for row in rows if not row["floating"] and Path(row["file"]).stem in WRITTEN]
    exports = [round_trip(cardan, pinocchio, mujoco, file, args) for file in [*asked, *BUNDLED]]
    exports += [closed(cardan, mujoco, name) for name in CLOSED]
    say(json.dumps(exports))
    table, all_good = report_exports(exports)
    text += table + imports.closing(f"Pinocchio {versions['pinocchio']}, example-robot-data {versions['data']}")
    imports.write(text, "import.md", HEAD, args, RECORD)
    return 0 if good and all_good else 1


HEAD = """# Robots read from URDF, beside Pinocchio

```sh
python3 benches/peers/import.py --record
```

Every URDF file of PyPI's `example-robot-data`, with its root fixed and floating, at five random
states: joint accelerations of cardan and of Pinocchio's ABA without damping, friction, limits,
motors and mimics; their difference beside the largest acceleration. Mass, and inertia about the
centre of mass, beside their size. Pinocchio is called from Python, which takes part of its time.

"""

EXPORTS = """Robots and scenes that `cardan export` writes, read by the others, fixed to the ground: largest
difference of joint accelerations at five random states, beside the largest acceleration. Those
without a number for URDF have loops or ball joints: accelerations of all bodies at the start, with
MuJoCo's equalities taken as exact.

"""

if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""MuJoCo models that come inside PyPI packages, and robot files, read by cardan and by MuJoCo: accelerations beside each other.

    python3 benches/peers/import_mjcf.py            a table on standard output and in target/peers/import-mjcf.md
    python3 benches/peers/import_mjcf.py --record   the same into benches/notes/import-mjcf.md
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import imports
import tables
from common import HERE, ROOT, Missing, python_with, say
from engines import Asked

# Agreement that is asked for: accelerations beside the largest of the state, mass beside its size.
ACCELERATIONS, MASSES = 1e-9, 1e-11
# Where the difference is known to be MuJoCo's: how large it may be, and why.
KNOWN = {name: (most, "inertias of meshes in MuJoCo") for name, most in (("dog.xml", 1e-8), ("drosophila_fused.xml", 1e-6))}
RECORD = ROOT / "benches" / "notes" / "import-mjcf.md"


def compare(cardan, mujoco, file, args):
    """One model; the numbers of a row, or why there is none."""
    row = {"file": file}
    try:
        about = mujoco.ask("about", path=file)
        asked = {"file": file, "keep": about["joints"], "states": [], "seconds": 0}
        first = cardan.ask("model", **asked)
        ignored = [what for treatment, what, _ in first["notes"] if treatment == "Ignored"]
        row["approximated"] = [f"{count} × {what}" for how, what, count in first["notes"] if how == "Approximated"]
        row["ignored"] = [f"{count} × {what}" for how, what, count in first["notes"] if how == "Ignored"]
        # Actuators act on both sides where all of them are in the scene as MuJoCo has them.
        acts = about["actuators"] > 0 and not file.endswith(".urdf")
        acts = acts and not any("actuator" in what for what in ignored)
        states = mujoco.ask("states", path=file, count=args.states, floating=first["floating"])["states"]
        found = cardan.ask("model", **asked | {"states": states, "seconds": args.seconds, "actuation": acts})
        row |= mujoco.ask("agree", path=file, found=found, actuation=acts, seconds=args.seconds)
        row |= {"acts": acts, "bodies": found["bodies"], "read": found["read_ms"], "time": found["times"]["least"]}
    except Missing as error:
        row["error"] = str(error).splitlines()[0]
    return row


def short(file):
    """The path inside its package."""
    parts = Path(file).parts
    known = [i for i, part in enumerate(parts) if part in ("site-packages", "example-robot-data")]
    return "/".join(parts[known[-1] + 1 :] if known else parts[-2:])


def report(rows, versions, timed):
    """A table of those that agree, a list of the others with the reason, and what is not supported."""
    shown, refused, lacking = [], [], []
    for row in rows:
        name = short(row["file"])
        if "error" in row:
            refused.append([name, row["error"].split(": ", 1)[-1].replace(str(Path(row["file"]).parent), "…")])
            continue
        most, why = KNOWN.get(Path(name).name, (ACCELERATIONS, ""))
        good = row["acceleration"] <= ACCELERATIONS and row["mass"] <= MASSES
        known = row["acceleration"] <= most and row["mass"] <= MASSES
        cells = [name, row["nv"], row["bodies"], *(tables.small(row[key]) for key in ("acceleration", "mass"))]
        times = [] if not timed else [f"{row['read']:.1f}", f"{row['reads']:.1f}", f"{row['time'] / 1e3:.1f}", f"{row['forward'] / 1e3:.1f}"]
        shown.append([*cells, *times, "yes" if row["acts"] else "", "; ".join(row["without"]), "yes" if good else f"no: {why}" if known else "**no**"])
        if row["ignored"] and not name.endswith(".urdf"):
            quiet = ("of <sensor>", "`sol", "mesh without", "mesh, as asked")
            notes = [note for note in row["ignored"] if not any(word in note for word in quiet)]
            if notes:
                lacking.append([name, "; ".join(notes)])
    heads = ["model", "freedoms", "bodies", "accelerations", "mass"]
    heads += ["read [ms]", "MuJoCo reads [ms]", "solve [µs]", "mj_forward [µs]"] if timed else []
    heads += ["actuators", "without", "agrees"]
    asked = f"accelerations to {ACCELERATIONS:g}, mass to {MASSES:g}"
    text, good = imports.agreement(heads, shown, refused, asked)
    if lacking:
        text += "\nWhat the models have that a scene does not say (sensors, meshes that only show and parameters of\nsoft contact apart):\n\n"
        text += tables.table(["model", "ignored"], lacking, 2) + "\n"
    return text + imports.closing(versions), good > 0 and all(row[-1] != "**no**" for row in shown)


def main():
    args = imports.options(__doc__, "models", RECORD)
    cardan = imports.cardan(args)
    mujoco = Asked("MuJoCo", [python_with("models"), HERE / "mujoco_models.py"])
    versions, rows = mujoco.ask("version")["versions"], []
    for file in imports.wanted(mujoco.ask("files")["files"], args):
        rows.append(compare(cardan, mujoco, file, args))
        say(json.dumps(rows[-1]))
    text, good = report(rows, versions, args.seconds > 0)
    imports.write(text, "import-mjcf.md", HEAD, args, RECORD)
    return 0 if good else 1


HEAD = """# MuJoCo models read from MJCF, beside MuJoCo

```sh
python3 benches/peers/import_mjcf.py --record
```

Every MJCF model that PyPI's `mujoco`, `dm_control` and `gymnasium` carry and that MuJoCo reads,
and the URDF files of `example-robot-data` that MuJoCo reads, at five random states: accelerations
of all freedoms beside MuJoCo's `qacc`; their difference beside the largest acceleration.
Contacts, limits, dry friction, equality constraints and fluids are off on both sides; springs,
dampers and armatures act, actuators too where the table says so (control 0). *Without* is what a
scene cannot say, which is then off on both sides.

`dog.xml` and `drosophila_fused.xml` differ by more than rounding: MuJoCo diagonalises the
inertias of meshes to a tolerance, and rebuilt from their principal moments and axes those of
single meshes of both are off by up to 1e-7 from the sums over their triangles.

"""

if __name__ == "__main__":
    sys.exit(main())

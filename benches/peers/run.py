#!/usr/bin/env python3
"""Contact scenes in cardan, MuJoCo and Rapier, one after the other in turns on this machine: see README.md.

    python3 benches/peers/run.py
"""

import argparse
import csv
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
import mjcf
import scenes
import tables
from common import HERE, ROOT, WORK, Missing, call, cargo, load, processor, python_with, say, there


class Cardan:
    name = "cardan"

    def __init__(self, args):
        self.program = args.cardan and there(args.cardan) or cargo(ROOT / "Cargo.toml", "cardan", args.jobs)
        self.version = call([self.program, "--version"]).split()[1]

    def run(self, scene, measure):
        command = [self.program, "run", scene.toml, "--json", *scene.for_cardan]
        report = json.loads(call(command))
        if report["status"] != "completed":
            raise Missing(report["status"])
        certificate = report["certificate"]
        overlap = certificate.get("max_overlap")
        if measure and overlap is None:
            overlap = self.least_gap(command)
        return {
            "steps": report["steps"],
            "seconds": report["wall_seconds"],
            "overlap": overlap,
            "gap": certificate["max_position_error"],
            "kinetic": report["energy"]["kinetic"],
            "residual": certificate.get("max_contact_residual"),
            "settings": "as in the scene",
        }

    @staticmethod
    def least_gap(command):
        """Conditions by name have no overlap in the certificate: the least of their gaps in a table of all steps."""
        table = WORK / "gaps.csv"
        call([*command, "--out", table])
        with open(table, newline="") as file:
            rows = csv.DictReader(file)
            return max([0.0] + [-float(v) for row in rows for name, v in row.items() if name.endswith(".gap")])


class MuJoCo:
    name = "MuJoCo"

    def __init__(self, args):
        self.python = python_with("mujoco")
        self.version = call([self.python, "-c", "import mujoco; print(mujoco.__version__)"]).strip()

    def run(self, scene, measure):
        command = [self.python, HERE / "mujoco_run.py", scene.mjcf, scene.velocities, scene.description["steps"]]
        return json.loads(call(command + ["--measure"] * measure))


class Rapier:
    name = "Rapier"
    options = []

    def __init__(self, args):
        manifest = HERE / "rapier" / "Cargo.toml"
        self.program = args.rapier and there(args.rapier) or cargo(manifest, "peers-rapier", args.jobs)
        line = next(line for line in manifest.read_text().splitlines() if line.startswith("rapier3d-f64"))
        self.version = line.split("=")[-1].strip(' "')

    def run(self, scene, measure):
        timed = json.loads(call([self.program, scene.json, *self.options]))
        if measure:
            measured = json.loads(call([self.program, scene.json, "--measure", *self.options]))
            if measured["kinetic"] != timed["kinetic"]:
                say("Rapier: the measured run is not the timed one")
            timed |= {"overlap": measured["overlap"], "gap": measured["gap"]}
        return timed


class RapierFresh(Rapier):
    """As it comes, Rapier keeps contacts of a pair that moved by less than 5 cm, half an edge of the boxes here."""

    name = "Rapier, fresh contacts"
    options = ["--fresh"]


class Scene:
    """One scene at one step, written for all engines."""

    def __init__(self, name, text, dt=None):
        self.description = scenes.read(text, dt)
        self.name, self.dt = name, self.description["dt"]
        stem = f"{name}-{self.dt:g}"
        self.toml, self.json = WORK / f"{stem}.toml", WORK / f"{stem}.json"
        self.mjcf, self.velocities = WORK / f"{stem}.xml", WORK / f"{stem}-velocities.json"
        self.for_cardan = ["--dt", repr(self.dt)]
        xml, velocities = mjcf.write(self.description)
        self.toml.write_text(text)
        self.json.write_text(json.dumps(self.description, indent=1))
        self.mjcf.write_text(xml)
        self.velocities.write_text(json.dumps(velocities))


def row(scene, engine, results):
    per_step = [1000 * r["seconds"] / r["steps"] for r in results]
    first = results[0]
    length = lambda x: "–" if x is None else "0" if x == 0 else f"{x:.1e}"
    gap = length(first["gap"]) if scene.description["joints"] else "–"
    return {
        "scene": scene.name,
        "dt": f"{1000 * scene.dt:g} ms",
        "engine": engine.name,
        "steps": str(first["steps"]),
        "ms per step, median": f"{statistics.median(per_step):.4f}",
        "least": f"{min(per_step):.4f}",
        "deepest overlap, m": length(first["overlap"]),
        "widest joint, m": gap,
        "kinetic energy at the end, J": f"{first['kinetic']:.3g}",
    }


def table(rows):
    heads = list(rows[0])
    lines = [heads, ["---"] * 3 + ["---:"] * (len(heads) - 3)] + [list(r.values()) for r in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description="Contact scenes in cardan, MuJoCo and Rapier, in turns.")
    parser.add_argument("--repeat", type=int, default=3, help="turns (default 3)")
    parser.add_argument("--cardan", type=Path, help="a cardan command, instead of building one")
    parser.add_argument("--rapier", type=Path, help="a peers-rapier program, instead of building one")
    parser.add_argument("--jobs", help="how many jobs cargo may run at once")
    parser.add_argument("--only", nargs="+", choices=["cardan", "mujoco", "rapier"], help="only these engines")
    parser.add_argument("--record", action="store_true", help="write the table into benches/RESULTS.md")
    args = parser.parse_args()
    if args.repeat < 1:
        parser.error("--repeat: at least 1")
    WORK.mkdir(parents=True, exist_ok=True)

    bundled = lambda name: (ROOT / "scenes" / f"{name}.toml").read_text()
    all_scenes = [
        Scene("pile", scenes.pile(), 0.005),
        Scene("pile", scenes.pile(), 0.002),
        Scene("heap", scenes.pile(shift=0.06), 0.005),
        Scene("heap", scenes.pile(shift=0.06), 0.002),
        Scene("billiard", bundled("billiard")),
        Scene("ragdoll", bundled("ragdoll")),
    ]
    engines = []
    for kind in (Cardan, MuJoCo, Rapier, RapierFresh):
        if args.only and kind.name.lower().split(",")[0] not in args.only:
            continue
        try:
            engines.append(kind(args))
        except (Missing, OSError) as error:
            say(f"{kind.name} is left out: {error}")
    if not engines:
        sys.exit("no engine is there")

    before, clock = load(), time.perf_counter()
    results, settings = {}, {}
    for turn in range(args.repeat):
        say(f"turn {turn + 1} of {args.repeat}")
        for scene in all_scenes:
            for engine in engines:
                key = (scene, engine)
                if results.get(key) == []:
                    continue
                try:
                    result = engine.run(scene, measure=turn == 0)
                except (Missing, OSError, ValueError, KeyError) as error:
                    say(f"{engine.name} does not run {scene.name} at {scene.dt:g} s: {error}")
                    results[key] = []
                    continue
                results.setdefault(key, []).append(result)
                settings.setdefault(engine.name, result["settings"])
    rows = [row(scene, engine, found) for (scene, engine), found in results.items() if found]
    if not rows:
        sys.exit("nothing ran")

    lines = [table(rows), ""]
    lines += [f"- {e.name} {e.version}: {settings.get(e.name, 'nothing ran')}" for e in engines]
    residuals = [
        f"{scene.name} at {1000 * scene.dt:g} ms {found[0]['residual']:.1e}"
        for (scene, _), found in results.items()
        if found and found[0].get("residual") is not None
    ]
    if residuals:
        lines.append(f"- cardan's largest contact residual (`max_contact_residual`): {', '.join(residuals)}")
    lines.append(
        f"- {processor()}, {os.cpu_count()} cores, {platform.system()}; load {before} before and {load()} after, "
        f"turns: {args.repeat}, {time.perf_counter() - clock:.0f} s"
    )
    text = "\n".join(lines)
    (WORK / "table.md").write_text(text + "\n")
    raw = [{"scene": s.name, "dt": s.dt, "engine": e.name, "runs": found} for (s, e), found in results.items()]
    (WORK / "results.json").write_text(json.dumps(raw, indent=1))
    if args.record:
        tables.record(ROOT / "benches" / "RESULTS.md", text, "contacts")
    print(text)


main()

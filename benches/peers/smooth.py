#!/usr/bin/env python3
"""Mechanisms without contact in cardan, Pinocchio, MuJoCo and Rapier, in turns on this machine: see README.md.

    python3 benches/peers/smooth.py            a table on standard output
    python3 benches/peers/smooth.py --record   the same into benches/RESULTS.md and benches/results.svg
"""

import argparse
import json
import os
import platform
import sys
import time
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
import plot
import tables
from common import HERE, ROOT, WORK, Missing, cargo, commit, load, processor, python_with, say, there
from engines import Asked, Rapier

# Mechanisms by family and number; of the bundled scene its name alone.
FORWARD = [("chain", n) for n in (8, 32, 128, 256, 1000)]
FORWARD += [("binary-tree", n) for n in (31, 127, 255, 1000)]
FORWARD += [("random-tree", n) for n in (32, 128, 1000)]
FORWARD += [("humanoid", 30), ("figure-3", None)]
SERIES = [("spherical-chain", 128), ("spherical-chain", 512)]
STEPPED = [("humanoid", 30), ("n-four-bar", 40), ("closed-chain", 40)]
LONG = [10**k for k in range(2, 7)]
DT = 1e-3
# Joint accelerations of engines that model the same thing agree to this, beside the largest acceleration of a body. Long
# chains lose digits on the way: theirs are held against inverse dynamics besides.
AGREED = 1e-7
BATCH = {"count": 4096, "steps": 20, "threads": 2, "dt": DT}
# A batch is one measurement of a fraction of a second, on cores that others may want too: fewer turns say little.
BATCH_TURNS = 5


def scene_of(cardan, family, n):
    """The scene's file, and the file that describes it to the others."""
    name = f"{family}-{n}" if n else family
    toml, description = WORK / f"{name}.toml", WORK / f"{name}.json"
    if n:
        toml.write_text(cardan.ask("generate", family=family, n=n)["text"])
    else:
        toml.write_text((ROOT / "scenes" / f"{family}.toml").read_text())
    answer = cardan.ask("describe", scene=str(toml))
    description.write_text(json.dumps(answer))
    return {"name": name, "n": len(answer["bodies"]), "toml": str(toml), "json": str(description), "about": answer}


def keep(store, key, answer):
    """Collects the answers of all turns under a key; what failed once is not asked again."""
    store.setdefault(key, []).append(answer)


def gathered(answers):
    """Least of the leasts and median of the medians, in ns."""
    good = [a for a in answers if "least" in a]
    if not good:
        return None
    medians = sorted(a["median"] for a in good)
    return {"least": min(a["least"] for a in good), "median": medians[len(medians) // 2]}


class Comparison:
    """Who is there, what was found."""

    def __init__(self, args):
        self.args = args
        program = args.peers_cardan and there(args.peers_cardan)
        program = program or cargo(HERE / "cardan" / "Cargo.toml", "peers-cardan", args.jobs)
        self.cardan = Asked("cardan", [program])
        self.versions = {"cardan": tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]}
        self.engines = {}
        for name, module in (("Pinocchio", "pinocchio"), ("MuJoCo", "mujoco")):
            self.try_to(name, lambda: Asked(name, [python_with(module), HERE / f"{module}_smooth.py"]))
        self.try_to("Rapier", lambda: Rapier(args))
        self.times, self.agreed, self.runs, self.failed = {}, {}, {}, {}

    def try_to(self, name, start):
        if self.args.only is not None and name.lower() not in self.args.only:
            return
        try:
            engine = start()
            self.versions[name] = engine.version()
            self.engines[name] = engine
        except (Missing, OSError) as error:
            say(f"{name} is left out: {error}")

    def timed(self, mechanism, engine, what, do, **fields):
        """One turn of one measurement; a failure is said once and remembered."""
        key = (mechanism["name"], engine.name, what)
        if key in self.failed:
            return
        try:
            keep(self.times, key, engine.ask(do, **fields))
        except Missing as error:
            say(f"{engine.name} does not do {what} of {mechanism['name']}: {error}")
            self.failed[key] = str(error)

    def least(self, scene, engine, what):
        answers = self.times.get((scene["name"], engine, what))
        return answers and gathered(answers)

    # The parts, in their order.

    def check(self, scenes):
        """Everyone's accelerations beside cardan's, before anything is timed."""
        for scene in scenes:
            found = {}
            for name in ("Pinocchio", "MuJoCo"):
                if name in self.engines:
                    try:
                        found[name] = self.engines[name].ask("agree", path=scene["json"])
                    except Missing as error:
                        found[name] = {"error": str(error)}
            self.agreed[scene["name"]] = found
            say(f"{scene['name']}: {json.dumps(found)}")

    def disagreements(self, scenes):
        """Trees on which an engine is farther from cardan than agreed, though its own equations hold."""
        bad = []
        for scene in scenes:
            for name, answer in self.agreed[scene["name"]].items():
                offs = [v for k, v in answer.items() if k.startswith("off")]
                if offs and min(offs) > AGREED:
                    bad.append(f"{name} on {scene['name']}: {min(offs):.1e}")
        return bad

    def forward(self, scene):
        seconds = self.args.seconds
        self.timed(scene, self.cardan, "accelerations", "accelerations", scene=scene["toml"], seconds=seconds)
        if "Pinocchio" in self.engines:
            for how in ("world", "local", "parallel"):
                engine = self.engines["Pinocchio"]
                self.timed(scene, engine, how, "forward", path=scene["json"], seconds=seconds, how=how)
        self.timed(scene, self.cardan, "evaluate", "evaluate", scene=scene["toml"], seconds=seconds)
        if "MuJoCo" in self.engines:
            self.timed(scene, self.engines["MuJoCo"], "forward", "forward", path=scene["json"], seconds=seconds)

    def stepped(self, scene):
        seconds, loops = self.args.seconds, any(j["closes"] for j in scene["about"]["joints"])
        for how in ("euler", "rk4"):
            fields = {"scene": scene["toml"], "dt": DT, "seconds": seconds, "integrator": how}
            self.timed(scene, self.cardan, how, "step", **fields)
        if not loops:
            fields = {"scene": scene["toml"], "dt": DT, "seconds": seconds, "integrator": "euler", "coordinates": "joints"}
            self.timed(scene, self.cardan, "joints", "step", **fields)
        if "MuJoCo" in self.engines:
            for stiff in [False, True] if loops else [False]:
                what = "stiff" if stiff else "euler"
                fields = {"path": scene["json"], "dt": DT, "seconds": seconds, "stiff": stiff}
                self.timed(scene, self.engines["MuJoCo"], what, "step", **fields)
        if loops and "Pinocchio" in self.engines:
            for how in ("lcaba", "constraintDynamics"):
                fields = {"path": scene["json"], "dt": DT, "seconds": seconds, "how": how}
                self.timed(scene, self.engines["Pinocchio"], how, "step", **fields)
        if loops and "Rapier" in self.engines:
            self.timed(scene, self.engines["Rapier"], "impulses", "step", scene=scene, dt=DT, until=1.0)

    def run_once(self, scene):
        """A second each, with a look at the loops after every step; not timed."""
        def asked(engine, what, do, **fields):
            try:
                self.runs[scene["name"], engine.name, what] = engine.ask(do, **fields)
            except Missing as error:
                self.runs[scene["name"], engine.name, what] = {"error": str(error)}

        for how in ("euler", "rk4"):
            asked(self.cardan, how, "run", scene=scene["toml"], dt=DT, until=1.0, integrator=how)
        if "MuJoCo" in self.engines:
            for stiff in (False, True):
                what = "stiff" if stiff else "euler"
                asked(self.engines["MuJoCo"], what, "run", path=scene["json"], dt=DT, until=1.0, stiff=stiff)
        if "Pinocchio" in self.engines:
            for how in ("lcaba", "constraintDynamics"):
                asked(self.engines["Pinocchio"], how, "run", path=scene["json"], dt=DT, until=1.0, how=how)
        if "Rapier" in self.engines:
            asked(self.engines["Rapier"], "impulses", "run", scene=scene, dt=DT, until=1.0)

    def batch(self, scene, turns, size=BATCH, own=None, rule="euler"):
        """Answers about many, on two threads that may be anywhere; everyone once in every turn."""
        found = {}
        cardan = Asked("cardan", self.cardan.command_line, pinned=False)
        own = {"scene": scene["toml"], "integrator": "time-stepping" if scene.get("stands") else "euler"} | (own or {})
        asked = [("cardan", cardan, own | {"coordinates": "joints"}), ("poses", cardan, own)]
        if "MuJoCo" in self.engines:
            mujoco = Asked("MuJoCo", self.engines["MuJoCo"].command_line, pinned=False)
            asked.append(("MuJoCo", mujoco, {"path": scene["json"], "rule": rule}))
        for _ in range(turns):
            for name, worker, place in asked:
                try:
                    found.setdefault(name, []).append(worker.ask("batch", **place, **size))
                except Missing as error:
                    say(f"{worker.name} has no batch: {error}")
        return found

    def long_chains(self, turns):
        """Each length in a process of its own, so that its peak of memory is its own."""
        rows = []
        for n in LONG:
            found = []
            for _ in range(turns if n < 10**6 else 1):
                worker = Asked("cardan", self.cardan.command_line)
                found.append(worker.ask("chain", n=n, seconds=self.args.seconds))
                worker.close()
            row = found[0]
            for what in ("solve", "step"):
                row[what] = gathered([answer[what] for answer in found])
            rows.append(row)
            say(f"chain of {n}: {json.dumps(row)}")
        return rows


def main():
    parser = argparse.ArgumentParser(description="Mechanisms without contact beside other engines, in turns.")
    parser.add_argument("--repeat", type=int, default=5, help="turns (default 5)")
    parser.add_argument("--seconds", type=float, default=0.1, help="of one measurement in one turn (default 0.1)")
    parser.add_argument("--record", action="store_true", help="write benches/RESULTS.md and benches/results.svg")
    parser.add_argument("--peers-cardan", type=Path, help="a peers-cardan program, instead of building one")
    parser.add_argument("--rapier", type=Path, help="a peers-rapier program, instead of building one")
    parser.add_argument("--jobs", help="how many jobs cargo may run at once")
    parser.add_argument("--only", nargs="*", choices=["pinocchio", "mujoco", "rapier"], help="only these beside cardan")
    args = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)

    try:
        it = Comparison(args)
    except (Missing, OSError) as error:
        sys.exit(f"cardan cannot be built: {error}")
    before, clock = load(), time.perf_counter()
    scenes = {key: scene_of(it.cardan, *key) for key in dict.fromkeys(FORWARD + SERIES + STEPPED)}
    it.check(scenes.values())
    bad = it.disagreements([scenes[key] for key in FORWARD])
    if bad:
        sys.exit("accelerations disagree, nothing was timed: " + "; ".join(bad))

    for turn in range(args.repeat):
        say(f"turn {turn + 1} of {args.repeat}")
        for engine in it.engines.values():
            if engine.name != "Rapier":
                it.timed({"name": "nothing"}, engine, "empty", "empty", seconds=args.seconds)
        for key in FORWARD:
            it.forward(scenes[key])
        for key in STEPPED:
            it.stepped(scenes[key])
    for key in STEPPED[1:]:
        it.run_once(scenes[key])
    batch = it.batch(scenes["humanoid", 30], max(BATCH_TURNS, args.repeat))
    batch = {name: [answer["steps_per_second"] for answer in answers] for name, answers in batch.items()}
    chains = it.long_chains(max(1, args.repeat // 2))

    machine = (
        f"{processor()}, {os.cpu_count()} cores, {platform.system()}; load {before} before and {load()} after; "
        f"{args.repeat} turns, {time.perf_counter() - clock:.0f} s; {time.strftime('%Y-%m-%d')}"
    )
    versions = ", ".join(f"{name} {version}" for name, version in it.versions.items())
    text = tables.report(it, scenes, FORWARD, SERIES, STEPPED, batch, chains)
    text += f"\n\n- {versions}; commit {commit()}\n- {machine}\n"
    (WORK / "smooth.md").write_text(text)
    (WORK / "smooth.json").write_text(json.dumps(
        {"times": [[*k, v] for k, v in it.times.items()], "agreed": it.agreed, "batch": batch, "chains": chains,
         "runs": [[*k, v] for k, v in it.runs.items()], "versions": it.versions, "machine": machine}, indent=1))
    picture = plot.picture(tables.curves(it, scenes, FORWARD, chains), tables.bars(it, scenes, STEPPED), machine)
    (WORK / "smooth.svg").write_text(picture)
    if args.record:
        tables.record(ROOT / "benches" / "RESULTS.md", text)
        (ROOT / "benches" / "results.svg").write_text(picture)
    print(text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Mechanisms with motors, damping, limits and gears in cardan beside MuJoCo (and Pinocchio), in turns: see README.md.

    python3 benches/peers/robots.py                   tables on standard output
    python3 benches/peers/robots.py --quick           two short turns
    python3 benches/peers/robots.py --only NAME …     only these workloads
    python3 benches/peers/robots.py --record          the same into benches/RESULTS.md
"""

import argparse
import json
import math
import os
import platform
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
import robot_scenes as made
import tables
from common import ROOT, WORK, Missing, commit, load, processor, say
from engines import Asked
from robot_scenes import ARM, HUMANOID, QUADRUPED
from smooth import BATCH_TURNS, Comparison, gathered

DT, STRETCH = 1e-3, 0.256  # A step, and how much of a run is timed before it starts again [s].
LATER = 50  # Steps after which accelerations are compared once more.
AGREED = 1e-9  # So near must accelerations be, beside the largest of a body.
RULES = {"euler": "Euler", "explicit": "Euler, explicit damping", "implicitfast": "implicitfast"}
# A dozen joints all over the humanoid.
DOZEN = [part[0] for part in HUMANOID[2:26:2]]
BATCHES = [("arm-servos", 4096, 100), ("humanoid-servos", 1024, 100)]
# Robots that stand, with contacts: their targets move as little as those of one alone (`SWAY`), so that the feet stay.
STANDING_BATCHES = [("standing-quadruped", 1024, 100)]
CHAINS = (10**5, 10**6)


def humanoid():
    return made.robot(HUMANOID, "pelvis")


def quadruped():
    return made.servos(made.robot(QUADRUPED, "trunk"))


def arm():
    return made.servos(made.robot(ARM))


# By name: words, the scene, and how many times faster than MuJoCo it is to be, floor and goal. `forward`: accelerations are timed too.
STEPPED = {
    "humanoid": ("humanoid, 29 hinges, bare", lambda _: humanoid(), 1.2, 2.5),
    "humanoid-damped": ("… with viscous damping", lambda _: made.damped(humanoid()), 1.2, 2.5),
    "humanoid-servos": ("… with 29 servos", lambda _: made.servos(humanoid()), 1.2, 2.5),
    "humanoid-limits": ("… with servos and far limits", lambda _: made.limits(made.servos(humanoid())), 1.2, 2.5),
    "humanoid-touched": (
        "… with servos and a dozen limits touched",
        lambda _: made.limits(made.servos(made.robot(HUMANOID, "pelvis", DOZEN)), DOZEN), 0.7, 1.5,
    ),
    "quadruped-servos": ("quadruped, 12 servos", lambda _: quadruped(), 1.2, 2.5),
    "quadruped-limits": ("… and far limits", lambda _: made.limits(quadruped()), 1.2, 2.5),
    "arm-servos": ("arm, 7 servos", lambda _: arm(), 1.2, 2.5),
    "arm-limits": ("… and far limits", lambda _: made.limits(arm()), 1.2, 2.5),
    "four-bars-motor": ("forty four-bars with one motor", lambda cardan: made.four_bars(cardan, "motor"), 1.5, 3.0),
    "four-bars-springs": ("forty four-bars with springs", lambda cardan: made.four_bars(cardan, "springs"), 1.5, 3.0),
    "ring": ("ring of 40 on ball joints, bare", lambda cardan: made.generated(cardan, "closed-chain", 40), None, None),
    "excavator": ("excavator", lambda _: made.bundled("excavator"), 1.0, 2.0),
    "stewart": ("Stewart platform", lambda _: made.bundled("stewart-platform"), 1.0, 2.0),
    "shoulder": ("differential shoulder", lambda _: made.shoulder(), 0.5, 1.5),
}
# Robots that stand on the ground, by time stepping, beside both kinds of MuJoCo's cones.
LEGS = [f"shank-{end}-{side}" for end in ("fore", "hind") for side in ("left", "right")]
# By how much targets of robots that stand move [rad].
SWAY = 1e-5
STANDING = {
    "standing-humanoid": (
        "humanoid on two feet, 29 servos", lambda _: made.standing(HUMANOID, "pelvis", ["foot-left", "foot-right"]), 0.7, 1.5,
    ),
    "standing-quadruped": ("quadruped on four feet, 12 servos", lambda _: made.standing(QUADRUPED, "trunk", LEGS), 0.8, 1.5),
}
CONES = ("elliptic", "pyramidal")
SUNK = 5e-3  # So far may MuJoCo's robots sink and lean in the stretch that is timed [m].
FORWARD = {"humanoid-servos": (2.5, 4.0), "quadruped-servos": (None, None), "arm-servos": (None, None)}
RING = (20.0, 12.0)  # µs
BATCH_GOAL, CHAIN_GOAL = (4.0, 8.0), (500.0, 300.0)
STANDING_BATCH_GOAL = (1.0, 3.0)


class Way:
    """One way in which an engine takes the steps: what to ask for, and what it is called."""

    def __init__(self, engine, words, **fields):
        self.engine, self.words, self.fields = engine, words, fields
        self.key = f"{engine.name} {json.dumps(fields)}"


class Robots(Comparison):
    def __init__(self, args):
        super().__init__(argparse.Namespace(**vars(args) | {"only": ["pinocchio", "mujoco"], "rapier": None}))
        self.accounts = [None]

    def scene_of(self, name):
        """Files of a workload: the scene, and the mechanism as numbers at the start and later."""
        value = (STEPPED | STANDING)[name][1](self.cardan)
        path = WORK / f"robots-{name}.toml"
        path.write_text(made.toml(value))
        scene = {"name": name, "toml": str(path)}
        scene |= {"json": str(WORK / f"robots-{name}.json"), "later": str(WORK / f"robots-{name}-later.json")}
        start = self.cardan.ask("describe", scene=scene["toml"])
        rule = "time-stepping" if name in STANDING else "euler"
        later = self.cardan.ask("describe", scene=scene["toml"], after=LATER, dt=DT, integrator=rule)
        for at, file in ((start, "json"), (later, "later")):
            Path(scene[file]).write_text(json.dumps(made.tell_efforts(value, at, start)))
        joints = start["joints"]
        return scene | {
            "n": len(start["bodies"]), "about": start, "damped": any(j.get("effort", {}).get("damping") for j in joints),
            "stands": name in STANDING,
            "loops": any(j["closes"] for j in joints) or bool(start["couplers"]), "touched": name == "humanoid-touched",
        }

    def ask_for_accounts(self, scene):
        """Whether there is a way without accounts."""
        try:
            self.cardan.ask("describe", scene=scene["toml"], accounts="off")
            self.accounts.append("off")
        except Missing:
            say("cardan has no setting `accounts`: its usual accounts alone are measured")

    def ways(self, scene):
        """All ways of both engines."""
        found = []
        rules = ["time-stepping"] if scene["stands"] else ["euler"] + ["time-stepping"] * scene["touched"]
        for integrator in rules:
            for accounts in self.accounts:
                for coordinates in ("bodies", "joints"):
                    fields = {"scene": scene["toml"], "integrator": integrator, "coordinates": coordinates}
                    words = {"bodies": "poses", "joints": "joints"}[coordinates]
                    found.append(Way(self.cardan, words, **fields | ({"accounts": accounts} if accounts else {})))
        if "MuJoCo" in self.engines and scene["stands"]:
            for rule in ("euler", "implicitfast"):
                for cone in CONES:
                    fields = {"path": scene["json"], "rule": f"{rule}/{cone}"}
                    found.append(Way(self.engines["MuJoCo"], f"{RULES[rule]}, {cone}", **fields))
        elif "MuJoCo" in self.engines:
            for rule in RULES if scene["damped"] else ["euler"]:
                for stiff in [False, True] if scene["loops"] or scene["touched"] else [False]:
                    words = RULES[rule] + (", stiff" if stiff else "")
                    found.append(Way(self.engines["MuJoCo"], words, path=scene["json"], rule=rule, stiff=stiff))
        return found

    def agree(self, scene):
        """The largest difference of accelerations at both states, by engine; of MuJoCo with exact constraints where there are some."""
        found = {}
        if scene["stands"]:
            # Soft contacts have other accelerations; where both end is compared instead.
            options = self.engines["MuJoCo"].ask("agree", path=scene["json"])["options"] if "MuJoCo" in self.engines else None
            self.agreed[scene["name"]] = {"MuJoCo": {"options": options}} if options else {}
            return True
        for name, engine in self.engines.items():
            if name == "Pinocchio" and (scene["loops"] or scene["touched"]):
                continue
            how = {"stiff": True} if name == "MuJoCo" and (scene["loops"] or scene["touched"]) else {}
            answers = [engine.ask("agree", path=scene[file], **how) for file in ("json", "later")]
            worst = lambda keys: max(min(a[k] for k in keys if k in a) for a in answers)
            if name == "Pinocchio":
                found[name] = {"off": worst(["off_world", "off_local"])}
            else:
                hard = ["hard"] if any("hard" in a for a in answers) else ["off"]
                found[name] = {"off": worst(hard), "soft": worst(["off"]), "options": answers[0]["options"], "rows": answers[1]["rows"]}
        self.agreed[scene["name"]] = found
        say(f"{scene['name']}: {json.dumps(found)}")
        return all(answer["off"] <= AGREED for answer in found.values())

    def run_all(self, scene):
        """The stretch that is timed, with whole and with quarter steps: what is stable, and what comes nearer to cardan."""
        ends = None
        for way in self.ways(scene):
            if way.fields.get("accounts"):
                continue
            key = (scene["name"], way.engine.name, way.key)
            try:
                runs = [way.engine.ask("run", dt=dt, until=STRETCH, **way.fields) for dt in (DT, DT / 4)]
            except Missing as error:
                say(f"{way.engine.name} does not run {scene['name']} ({way.words}): {error.args[0].splitlines()[0]}")
                self.runs[key] = {"error": str(error)}
                continue
            found = [run.pop("positions") for run in runs]
            ends, (whole, fine) = ends or found, runs
            whole["stable"] = whole.get("warnings", 0) == 0 and whole["speed"] <= 3 * fine["speed"] + 1
            whole["apart"] = [max(math.dist(p, q) for p, q in zip(a, b)) for a, b in zip(ends, found)]
            whole["nearer"] = whole["apart"][1] <= 0.5 * whole["apart"][0]
            if scene["stands"]:
                whole["stable"] &= whole["apart"][0] <= SUNK
            self.runs[key] = whole

    def run_of(self, scene, way):
        """What was found of a way; accounts do not change where a run goes."""
        without = Way(way.engine, way.words, **{k: v for k, v in way.fields.items() if k != "accounts"})
        return self.runs.get((scene["name"], way.engine.name, without.key), {})

    def time_steps(self, scene):
        for way in self.ways(scene):
            if self.run_of(scene, way).get("stable"):
                # What stands still is not solved again here: targets that move a little keep it awake. MuJoCo's stay.
                sway = {"sway": SWAY} if scene["stands"] and way.engine is self.cardan else {}
                self.timed(scene, way.engine, way.key, "step", dt=DT, seconds=self.args.seconds, **way.fields, **sway)

    def found(self, scene, engine, **wanted):
        """The fastest way of an engine whose fields are as wanted, and its times; of MuJoCo one that comes nearer to cardan, if any."""
        ways = [way for way in self.ways(scene) if way.engine.name == engine]
        timed = [(way, times) for way in ways if (times := self.least(scene, engine, way.key))]
        if engine == "MuJoCo" and not scene["stands"]:
            timed = [pair for pair in timed if self.run_of(scene, pair[0])["nearer"]] or timed
        timed = [pair for pair in timed if all(pair[0].fields.get(k) == v for k, v in wanted.items())]
        return min(timed, key=lambda pair: pair[1]["least"], default=None)

    def agree_on_commands(self, scene, rule):
        """How far joints of a batch are apart after the stretch with targets that move, by whole and by quarter steps [rad, m]."""
        if "MuJoCo" not in self.engines:
            return None
        apart = []
        for parts in (1, 4):
            size = {"count": 6, "steps": parts * round(STRETCH / DT), "threads": 1, "dt": DT / parts, "commands": True}
            own = self.cardan.ask("batch", scene=scene["toml"], integrator="euler", coordinates="joints", **size)["ends"]
            theirs = self.engines["MuJoCo"].ask("batch", path=scene["json"], rule=rule, **size)["ends"]
            apart.append(max(abs(a[name] - b[name]) for a, b in zip(own, theirs) for name in a))
        say(f"{scene['name']} with commands: joints apart by {apart[0]:.1e}, with quarter steps {apart[1]:.1e}")
        return apart

    def chains(self, turns):
        rows = []
        for n in CHAINS:
            for accounts in self.accounts:
                for coordinates in ("bodies", "auto"):
                    found, fields = [], {"coordinates": coordinates} | ({"accounts": accounts} if accounts else {})
                    for _ in range(turns if n < 10**6 else 1):
                        worker = Asked("cardan", self.cardan.command_line)
                        try:
                            found.append(worker.ask("chain", n=n, seconds=self.args.seconds, **fields))
                        except Missing as error:
                            say(f"chain of {n} ({coordinates}): {error}")
                        worker.close()
                    times = found and gathered([answer["step"] for answer in found])
                    processor = min((a["step_processor"] or 0.0 for a in found), default=None)
                    moved = found[0].get("bytes_moved_per_body") if found else None
                    carried = found[0]["coordinates"] if found else coordinates
                    rows.append((n, accounts, coordinates, carried, times, processor, moved))
        return rows


# The report.

def cell(times, best):
    return "–" if not times else f"**{tables.micro(times)}**" if best else tables.micro(times)


def times_faster(value, floor, goal, larger=True):
    asked = "–" if floor is None else f"{floor} → {goal}"
    return asked, "–" if floor is None else tables.verdict(value, floor, goal, larger)


def standing_table(it, scenes):
    heads = ["mechanism", "bodies"]
    for accounts in it.accounts:
        heads += [f"cardan, poses{', no accounts' if accounts else ''}", "joints"]
    heads += ["MuJoCo", "its rule", "MuJoCo ÷ cardan", "floor → goal", "reached", "ends apart, m", "overlap, m: cardan", "MuJoCo", "its rows"]
    rows = []
    for name, scene in scenes.items():
        words, _, floor, goal = STANDING[name]
        best, peer = it.found(scene, "cardan", accounts=it.accounts[-1]), it.found(scene, "MuJoCo")
        row = [words, scene["n"]]
        for accounts in it.accounts:
            ways = [it.found(scene, "cardan", accounts=accounts, coordinates=c) for c in ("bodies", "joints")]
            least = min((way[1]["least"] for way in ways if way), default=None)
            row += [cell(way and way[1], way and way[1]["least"] == least) for way in ways]
        ratio = peer[1]["least"] / best[1]["least"] if best and peer else None
        asked, reached = times_faster(ratio, floor, goal)
        row += [tables.micro(peer and peer[1]), peer[0].words if peer else "–", f"{ratio:.2f}" if ratio else "–", asked, reached]
        ours, theirs = (it.run_of(scene, found[0]) if found else {} for found in (best, peer))
        row += [f"{theirs['apart'][0]:.1e}" if theirs else "–", tables.small(ours.get("overlap"))]
        rows.append(row + [tables.small(theirs.get("overlap")), theirs.get("rows", "–")])
    return tables.table(heads, rows)


def steps_table(it, scenes):
    heads = ["mechanism", "bodies"]
    for accounts in it.accounts:
        heads += [f"cardan, poses{', no accounts' if accounts else ''}", "joints"]
    rows = []
    for name, scene in scenes.items():
        words, _, floor, goal = STEPPED[name]
        # What MuJoCo does has no accounts.
        best, peer = it.found(scene, "cardan", accounts=it.accounts[-1]), it.found(scene, "MuJoCo")
        row = [words, scene["n"]]
        for accounts in it.accounts:
            ways = [it.found(scene, "cardan", accounts=accounts, coordinates=c) for c in ("bodies", "joints")]
            least = min((way[1]["least"] for way in ways if way), default=None)
            for way in ways:
                text = cell(way and way[1], way and way[1]["least"] == least)
                row.append(text + (" ts" if way and way[0].fields["integrator"] == "time-stepping" else ""))
        ratio = peer[1]["least"] / best[1]["least"] if best and peer else None
        asked, reached = times_faster(ratio, floor, goal)
        if name == "ring":
            value = best and best[1]["least"] / 1e3
            asked, reached = f"≤ {RING[0]} → {RING[1]} µs", tables.verdict(value, *RING, larger=False)
        row += [tables.micro(peer and peer[1]), peer[0].words if peer else "–", f"{ratio:.2f}" if ratio else "–", asked, reached]
        rows.append(row)
    return tables.table(heads + ["MuJoCo", "its rule", "MuJoCo ÷ cardan", "floor → goal", "reached"], rows)


def checks_table(it, scenes):
    rows = []
    for name, scene in scenes.items():
        agreed, own, peer = it.agreed[name], it.found(scene, "cardan"), it.found(scene, "MuJoCo")
        ours, theirs = (it.run_of(scene, found[0]) if found else {} for found in (own, peer))
        worst = lambda run: tables.small(max(run["gap"], run["overlap"])) if run else "–"
        off, soft = (agreed.get("MuJoCo", {}).get(what) for what in ("off", "soft"))
        cells = [tables.small(off), "the same" if soft == off else tables.small(soft)]
        cells += [tables.small(agreed.get("Pinocchio", {}).get("off"))]
        cells += [f"{x:.1e}" for x in theirs["apart"]] if theirs else ["–", "–"]
        cells += [worst(ours), worst(theirs) if theirs.get("rows") else "–", theirs.get("rows", "–")]
        rows.append([STEPPED[name][0], *cells])
    heads = ["mechanism", "accelerations: MuJoCo", "as it solves it", "Pinocchio"]
    heads += ["apart at the end, m: steps of 1 ms", "of 0.25 ms", "widest gap or limit: cardan", "MuJoCo", "its rows, most"]
    return tables.table(heads, rows)


def forward_table(it, scenes):
    rows = []
    for name, (floor, goal) in FORWARD.items():
        if name not in scenes:
            continue
        scene = scenes[name]
        own, peer, n = tables.forward_of(it, scene, "cardan"), tables.fastest_peer(it, scene), scene["n"]
        ratio = peer["least"] / own["least"] if own and peer else None
        asked, reached = times_faster(ratio, floor, goal)
        cells = [tables.pair(t, n) for t in (
            own, it.least(scene, "cardan", "evaluate"), *(tables.forward_of(it, scene, e) for e in ("Pinocchio", "MuJoCo")))]
        rows.append([name, n, *cells, f"{ratio:.2f}" if ratio else "–", asked, reached])
    heads = ["mechanism", "bodies", "cardan `accelerations`", "cardan `evaluate`", "Pinocchio ABA", "MuJoCo `mj_forward`"]
    return rows and tables.table(heads + ["faster than the faster peer", "floor → goal", "reached"], rows)


def batch_table(batches):
    """Most steps per second, by the clock and by the time of processors, of which two are there."""
    rows = []
    for (name, count, _), accounts, found, apart in batches:
        by_clock = lambda answer: answer["steps_per_second"]
        by_processor = lambda answer: 2 * answer["steps"] / answer["processor_seconds"] if answer["processor_seconds"] else 0.0
        for words, rate in (("clock", by_clock), ("processors", by_processor)):
            poses, own, other = (max(map(rate, found.get(who, [])), default=0.0) for who in ("poses", "cardan", "MuJoCo"))
            ratio = max(own, poses) / other if other else None
            cells = [f"{x / 1e6:.2f}" for x in (poses, own, other)]
            asked, reached = times_faster(ratio, *(STANDING_BATCH_GOAL if name in STANDING else BATCH_GOAL))
            near = " / ".join(f"{x:.0e}" for x in apart) if apart else "–"
            rows.append([f"{count} × {name}", accounts or "usual", words, near, *cells, f"{ratio:.2f}" if ratio else "–", asked, reached])
    heads = ["batch", "accounts", "by", "apart, rad: 1 / 0.25 ms", "cardan `Batch`, poses", "joints", "`mujoco.rollout`", "cardan ÷ MuJoCo", "floor → goal", "reached"]
    return tables.table(heads, rows, text_columns=3)


def chain_table(rows):
    """`coordinates = "auto"`, which is held against the floor, and poses beside it."""
    cells = []
    for n, accounts, coordinates, carried, times, processor, moved in rows:
        value = min(times["least"], processor or times["least"]) / n if times else None
        words = {"bodies": "poses", "joints": "joints", "auto": "–"}[carried]
        by_processor = f"{processor / n:.0f}" if processor else "–"
        goal, verdict = "–", "–"
        if coordinates == "auto":
            words += " (`auto`)"
            goal = f"{CHAIN_GOAL[0]:.0f} → {CHAIN_GOAL[1]:.0f}"
            verdict = tables.verdict(value, *CHAIN_GOAL, larger=False)
        cells.append([n, words, accounts or "usual", tables.pair(times or None, n), by_processor, moved or "–", goal, verdict])
    heads = [
        "bodies", "carried", "accounts", "Euler step, ns per body", "by processor time, mean", "bytes moved per body and step",
        "floor → goal", "reached",
    ]
    return tables.table(heads, cells, text_columns=3)


def options_list(it, scenes):
    """What MuJoCo's models have; alike ones in one line."""
    found = {}
    for name in scenes:
        options = it.agreed[name].get("MuJoCo", {}).get("options")
        if options:
            words = "; {solver}, {iterations} iterations, tolerance {tolerance:g}"
            solver = words.format(**options) if "solver" in options else ""
            found.setdefault(f"off: {', '.join(options['disabled'])}{solver}", []).append(name)
    return "\n".join(f"- {', '.join(names)}: {words}" for words, names in found.items())


def report(it, all_scenes, batches, chains):
    scenes = {name: scene for name, scene in all_scenes.items() if name in STEPPED}
    stands = {name: scene for name, scene in all_scenes.items() if name in STANDING}
    parts = [
        "### Whole steps of 1 ms, µs: least (median)",
        "Semi-implicit Euler; `ts` is time stepping where that is faster. Bold is the better of poses and joint coordinates, which is held "
        "against the fastest rule of MuJoCo that is stable. Ratios above 1 are in favour of cardan.",
        steps_table(it, scenes),
        "### Whether they do the same",
        f"Accelerations at the start and after {LATER} steps, beside the largest of a body; of loops, couplers and touched limits "
        "with MuJoCo's own matrices and exact constraints, and then as MuJoCo solves them when they are stiff. Ends of bodies are apart "
        f"by so much after {STRETCH} s.",
        checks_table(it, scenes),
    ]
    if not scenes:
        parts = []
    if stands:
        parts += [
            "### Robots that stand, steps of 1 ms, µs: least (median)",
            "Time stepping with exact contacts, beside the fastest rule and cones of MuJoCo, which let the feet sink.",
            standing_table(it, stands),
        ]
    forward = forward_table(it, scenes)
    if forward:
        calls = [f"{name} {tables.call_of(it, name):.0f} ns" for name in it.engines]
        parts += [
            "### Accelerations with servos, ns per body: least (median)",
            "cardan evaluates the servos and gives all joint loads; Pinocchio is given torques, whose law is not timed.",
            forward,
            f"What Python takes of a call is taken off: {', '.join(calls) or '–'}.",
        ]
    if batches:
        parts += [
            "### Many at once, millions of steps per second, most",
            "100 steps of 1 ms on two threads, with a new target for every servo of every mechanism before every step (`Batch::steps_with`, "
            f"`rollout` with a control array). Joints of both are apart by so much after {STRETCH} s. "
            "By the clock, and as two cores of their own would have it: by the time of processors.",
            batch_table(batches),
        ]
    if chains:
        parts += ["### Long chains of hinges, bare", chain_table(chains)]
    return "\n\n".join(parts + ["### MuJoCo's options", "Else as they come.", options_list(it, all_scenes)])


def arguments():
    parser = argparse.ArgumentParser(description="Mechanisms with motors, damping, limits and gears beside other engines, in turns.")
    names = [*STEPPED, *STANDING, "batches", "standing-batches", "chains"]
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=f"only these: {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="two turns of 0.03 s")
    parser.add_argument("--repeat", type=int, help="turns (default 5)")
    parser.add_argument("--seconds", type=float, help="of one measurement in one turn (default 0.1)")
    parser.add_argument("--record", action="store_true", help="write benches/RESULTS.md")
    parser.add_argument("--peers-cardan", type=Path, help="a peers-cardan program, instead of building one")
    parser.add_argument("--jobs", help="how many jobs cargo may run at once")
    args = parser.parse_args()
    args.repeat = args.repeat or (2 if args.quick else 5)
    args.seconds = args.seconds or (0.03 if args.quick else 0.1)
    args.workloads = args.only or names
    return args


def main():
    args = arguments()
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        it = Robots(args)
    except (Missing, OSError) as error:
        sys.exit(f"cardan cannot be built: {error}")
    before, clock = load(), time.perf_counter()
    wanted = [name for name in STEPPED | STANDING if name in args.workloads]
    if "batches" in args.workloads:
        wanted += [name for name, *_ in BATCHES if name not in wanted]
    if "standing-batches" in args.workloads:
        wanted += [name for name, *_ in STANDING_BATCHES if name not in wanted]
    scenes = {name: it.scene_of(name) for name in wanted}
    bad = [name for name, scene in scenes.items() if not it.agree(scene)]
    if bad:
        sys.exit(f"accelerations disagree, nothing was timed: {', '.join(bad)}")
    for scene in list(scenes.values())[:1]:
        it.ask_for_accounts(scene)
    for scene in scenes.values():
        it.run_all(scene)
    for turn in range(args.repeat):
        say(f"turn {turn + 1} of {args.repeat}")
        for engine in it.engines.values():
            it.timed({"name": "nothing"}, engine, "empty", "empty", seconds=args.seconds)
        for name, scene in scenes.items():
            it.time_steps(scene)
            if name in FORWARD:
                it.forward(scene)
    batches = []
    for name, count, steps in BATCHES if "batches" in args.workloads else []:
        peer = it.found(scenes[name], "MuJoCo")
        rule = peer[0].fields["rule"] if peer else "euler"
        apart = it.agree_on_commands(scenes[name], rule)
        if apart and apart[1] > 0.5 * apart[0]:
            sys.exit(f"{name}: batches with commands do not come nearer to each other with shorter steps: {apart}")
        for accounts in it.accounts:
            size, own = {"count": count, "steps": steps, "threads": 2, "dt": DT, "commands": True}, {"accounts": accounts} if accounts else {}
            found = it.batch(scenes[name], max(BATCH_TURNS, args.repeat), size, own, rule)
            batches.append(((name, count, steps), accounts, found, apart))
    for name, count, steps in STANDING_BATCHES if "standing-batches" in args.workloads else []:
        peer = it.found(scenes[name], "MuJoCo")
        rule = peer[0].fields["rule"] if peer else "euler"
        for accounts in it.accounts:
            size = {"count": count, "steps": steps, "threads": 2, "dt": DT, "commands": True, "amplitude": SWAY}
            own = {"accounts": accounts} if accounts else {}
            # Soft contacts end elsewhere: nothing is compared.
            batches.append(((name, count, steps), accounts, it.batch(scenes[name], max(BATCH_TURNS, args.repeat), size, own, rule), None))
    chains = it.chains(max(1, args.repeat // 2)) if "chains" in args.workloads else []

    machine = (
        f"{processor()}, {os.cpu_count()} cores, {platform.system()}; load {before} before and {load()} after; "
        f"{args.repeat} turns, {time.perf_counter() - clock:.0f} s; {time.strftime('%Y-%m-%d')}"
    )
    versions = ", ".join(f"{name} {version}" for name, version in it.versions.items())
    text = report(it, scenes, batches, chains) + f"\n\n- {versions}; commit {commit()}\n- {machine}\n"
    (WORK / "robots.md").write_text(text)
    (WORK / "robots.json").write_text(json.dumps(
        {"times": [[*k, v] for k, v in it.times.items()], "agreed": it.agreed, "runs": [[*k, v] for k, v in it.runs.items()],
         "batches": batches, "chains": chains, "versions": it.versions, "machine": machine}, indent=1))
    if args.record:
        tables.record(ROOT / "benches" / "RESULTS.md", text, "robots")
    print(text)


if __name__ == "__main__":
    main()

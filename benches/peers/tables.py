"""The report of smooth.py: what was measured as tables in Markdown, beside the floor and the goal that were set."""

import math
import textwrap


def table(heads, rows, text_columns=1):
    marks = ["---"] * text_columns + ["---:"] * (len(heads) - text_columns)
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in [heads, marks, *rows])


def ns(value):
    return "–" if value is None else f"{value:.0f}"


def pair(times, n, unit=1.0):
    """Least and median per body."""
    return "–" if times is None else f"{times['least'] / n / unit:.0f} ({times['median'] / n / unit:.0f})"


def small(value):
    return "–" if value is None else "0" if value == 0 else f"{value:.0e}"


def micro(times):
    return "–" if times is None else f"{times['least'] / 1e3:.1f} ({times['median'] / 1e3:.1f})"


def call_of(it, engine):
    """What Python takes of a call [ns]."""
    times = it.least({"name": "nothing"}, engine, "empty")
    return times["least"] if times else 0.0


def forward_of(it, scene, engine):
    """Of an engine the fastest way, less what Python takes of a call, as least and median [ns]."""
    if engine == "cardan":
        return it.least(scene, "cardan", "accelerations")
    ways = {"Pinocchio": ("world", "local", "parallel"), "MuJoCo": ("forward",)}[engine]
    best = None
    for way in ways:
        times = it.least(scene, engine, way)
        if times:
            # Many in one call have no such share.
            share = 0.0 if way == "parallel" else call_of(it, engine)
            times = {what: value - share for what, value in times.items()}
            best = times if best is None or times["least"] < best["least"] else best
    return best


def fastest_peer(it, scene):
    found = [forward_of(it, scene, engine) for engine in ("Pinocchio", "MuJoCo")]
    found = [times for times in found if times]
    if not found:
        return None
    return {what: min(times[what] for times in found) for what in ("least", "median")}


def agreement(it, scene):
    """Of each engine the smallest difference to cardan's accelerations."""
    parts = []
    for name, answer in it.agreed[scene["name"]].items():
        offs = [value for key, value in answer.items() if key.startswith("off")]
        parts.append(small(min(offs)) if offs else "–")
    return ", ".join(parts) or "–"


def forward(it, scenes, keys):
    rows = []
    for key in keys:
        scene = scenes[key]
        n, own, peer = scene["n"], forward_of(it, scene, "cardan"), fastest_peer(it, scene)
        ratio = "–" if not (own and peer) else f"{peer['least'] / own['least']:.1f} ({peer['median'] / own['median']:.1f})"
        rows.append(
            [
                key[0],
                n,
                pair(own, n),
                pair(it.least(scene, "cardan", "evaluate"), n),
                pair(forward_of(it, scene, "Pinocchio"), n),
                pair(forward_of(it, scene, "MuJoCo"), n),
                ratio,
                agreement(it, scene),
            ]
        )
    heads = ["mechanism", "bodies", "cardan `accelerations`", "cardan `evaluate`", "Pinocchio ABA", "MuJoCo `mj_forward`"]
    return table(heads + ["faster than the faster peer", "agree to (Pinocchio, MuJoCo)"], rows)


def series(it, scenes, keys):
    rows = []
    for key in keys:
        scene = scenes[key]
        found = it.agreed[scene["name"]]
        pin, muj = found.get("Pinocchio", {}), found.get("MuJoCo", {})
        rows.append(
            [
                f"{scene['n']} ball joints",
                small(scene["about"]["residual"]),
                small(muj.get("left_cardan", pin.get("left_cardan"))),
                small(muj.get("left")),
                "does not fit in 6 GB" if "error" in pin else small(pin.get("left_local")),
                "–" if "error" in pin else small(pin.get("left_world")),
            ]
        )
    heads = ["series", "cardan's own residual", "cardan by MuJoCo's inverse dynamics", "MuJoCo by the same"]
    return table(heads + ["Pinocchio ABA, local, by its own", "Pinocchio ABA, world"], rows)


ENGINES_OF_STEPS = [
    ("cardan", "euler", "cardan, semi-implicit Euler, projected"),
    ("cardan", "joints", "cardan, semi-implicit Euler, joint coordinates"),
    ("cardan", "rk4", "cardan, RK4, projected"),
    ("MuJoCo", "euler", "MuJoCo Euler"),
    ("MuJoCo", "stiff", "MuJoCo Euler, stiff constraints"),
    ("Pinocchio", "lcaba", "Pinocchio lcABA, Euler"),
    ("Pinocchio", "constraintDynamics", "Pinocchio constraintDynamics, Euler"),
    ("Rapier", "impulses", "Rapier, impulse joints"),
]


def steps(it, scenes, keys):
    rows = []
    for key in keys:
        scene = scenes[key]
        for engine, what, words in ENGINES_OF_STEPS:
            times = it.least(scene, engine, what)
            if not times:
                continue
            run = it.runs.get((scene["name"], engine, what), {})
            gap = small(run.get("gap")) if run else "–"
            if run.get("diverged") is not None:
                gap = f"diverges after {1000 * run['diverged']:.0f} ms"
            rows.append([scene["name"], words, micro(times), pair(times, scene["n"]), gap])
    return table(["mechanism", "engine", "µs per step", "ns per body", "widest gap in 1 s, m"], rows, text_columns=2)


def chain_exponents(chains):
    """Slope of log time over log n between neighbouring sizes."""
    slopes = [None]
    for a, b in zip(chains, chains[1:]):
        slopes.append(math.log(b["solve"]["least"] / a["solve"]["least"]) / math.log(b["n"] / a["n"]))
    return slopes


def long_chains(chains):
    rows = []
    for row, slope in zip(chains, chain_exponents(chains)):
        n, peak = row["n"], row.get("peak")
        rows.append(
            [
                n,
                pair(row["solve"], n),
                "–" if slope is None else f"{slope:.2f}",
                pair(row["step"], n),
                f"{row['bytes_per_body']:.0f}",
                "–" if peak is None else f"{peak / 1e6:.0f}",
                small(row["gap"]),
            ]
        )
    heads = ["bodies", "`accelerations`, ns per body", "exponent from the row above", "Euler step, ns per body"]
    return table(heads + ["bytes per body", "most memory of the process, MB", "widest gap, m"], rows, text_columns=0)


def memory(chains):
    """Where the memory of the longest chain is."""
    parts = sorted(chains[-1]["parts"], key=lambda part: -part[1])
    rows = [[what, size] for what, size in parts if size]
    return table([f"chain of {chains[-1]['n']}", "bytes per body"], rows)


def ratio(own, other):
    return None if not own or not other else other["least"] / own["least"]


def verdict(value, floor, goal, larger):
    if value is None:
        return "not measured"
    better = (lambda a, b: a >= b) if larger else (lambda a, b: a <= b)
    if goal is None:
        return "yes" if better(value, floor) else "**no**"
    return "goal" if better(value, goal) else "floor" if better(value, floor) else "**below the floor**"


def goals(it, scenes, forward_keys, series_keys, stepped, batch, chains):
    """Least times beside what was asked for."""
    rows = []

    def add(what, value, form, floor, goal=None, larger=True):
        asked = ("at least " if larger else "at most ") + (f"{floor}" if goal is None else f"{floor} → {goal}")
        rows.append([what, "–" if value is None else form.format(value), asked, verdict(value, floor, goal, larger)])

    for what, families in (
        ("chains and binary trees of 8–1000 hinges", ("chain", "binary-tree")),
        ("random trees and the humanoid, with ball joints", ("random-tree", "humanoid")),
    ):
        asked = [scenes[key] for key in forward_keys if key[0] in families]
        ratios = [ratio(forward_of(it, s, "cardan"), fastest_peer(it, s)) for s in asked]
        ratios = [r for r in ratios if r]
        add(f"{what}: times faster than the faster peer, the worst", min(ratios, default=None), "{:.2f}", 2.5, 4)
        worst = [t["least"] / s["n"] for s in asked if (t := forward_of(it, s, "cardan"))]
        add("the same: ns per body, the worst", max(worst, default=None), "{:.0f}", 90, 60, larger=False)
    figure = scenes["figure-3", None]
    own = forward_of(it, figure, "cardan")
    add("figure-3: times faster than Pinocchio", ratio(own, forward_of(it, figure, "Pinocchio")), "{:.2f}", 3, 5)
    human = scenes["humanoid", 30]
    own = it.least(human, "cardan", "euler")
    other = it.least(human, "MuJoCo", "euler")
    add("humanoid, whole step with projection: times faster than MuJoCo", ratio(own, other), "{:.2f}", 1.3, 2)
    own = it.least(human, "cardan", "joints")
    add("the same on joint coordinates, where there is nothing to project", ratio(own, other), "{:.2f}", 1.3, 2)
    bars = scenes["n-four-bar", 40]
    own = it.least(bars, "cardan", "euler")
    others = [it.least(bars, *who) for who in (("MuJoCo", "euler"), ("MuJoCo", "stiff"), ("Pinocchio", "lcaba"))]
    ratios = [r for r in (ratio(own, other) for other in others) if r]
    add("n-four-bar of 40, whole step: times faster than MuJoCo and lcABA", min(ratios, default=None), "{:.2f}", 1.5, 3)
    ring = it.least(scenes["closed-chain", 40], "cardan", "euler")
    add("closed chain of 40, whole step: µs", ring and ring["least"] / 1e3, "{:.1f}", 40, 20, larger=False)
    worst = max(scenes[key]["about"]["residual"] for key in series_keys)
    add("128 and 512 ball joints in series: residual", worst, "{:.0e}", 1e-12, larger=False)
    own, poses, other = (max(batch.get(name, [0])) for name in ("cardan", "poses", "MuJoCo"))
    many = "4096 humanoids on two threads, joint coordinates: times the steps of `mujoco.rollout`"
    add(many, own / other if other else None, "{:.2f}", 5, 10)
    add("the same on poses, with projection", poses / other if other else None, "{:.2f}", 5, 10)
    per_body = {row["n"]: row["solve"]["least"] / row["n"] for row in chains}
    if 10**3 in per_body and 10**5 in per_body:
        add("chain: time per body at 10⁵ beside 10³", per_body[10**5] / per_body[10**3], "{:.2f}", 2, larger=False)
        first = chains[0]
        slope = math.log(per_body[10**4] / per_body[first["n"]]) / math.log(10**4 / first["n"]) + 1
        add("chain: exponent from 10² to 10⁴", slope, "{:.3f}", 1.05, larger=False)
    if chains and chains[-1].get("peak"):
        add(f"chain of {chains[-1]['n']}: GB of the process", chains[-1]["peak"] / 1e9, "{:.2f}", 2, larger=False)
    return table(["workload, least times", "measured", "asked: floor → goal", "reached"], rows)


def batches(it, batch):
    rows = [[name, f"{max(found):.0f}", f"{sorted(found)[len(found) // 2]:.0f}"] for name, found in batch.items()]
    words = {
        "cardan": "cardan, `Batch`, joint coordinates",
        "poses": "cardan, `Batch`, poses with projection",
        "MuJoCo": "`mujoco.rollout`",
    }
    return table(["4096 humanoids, 20 Euler steps of 1 ms each, two threads", "steps per second, most", "median"],
                 [[words[name], *rest] for name, *rest in rows])


def report(it, scenes, forward_keys, series_keys, stepped, batch, chains):
    calls = [f"{name} {call_of(it, name):.0f} ns" for name in ("Pinocchio", "MuJoCo") if name in it.engines]
    fixed = it.times.get(("nothing", "MuJoCo", "empty"))
    more = f" (`mj_forward` of nothing at all takes {min(a['fixed'] for a in fixed):.0f})" if fixed else ""
    parts = [
        "### What was asked for, and what is reached",
        "Least times of the tables below; floor and goal are what the project set itself.",
        goals(it, scenes, forward_keys, series_keys, stepped, batch, chains),
        "### Forward dynamics, ns per body: least (median)",
        "All accelerations at a given state, bare trees: nothing but weight acts. cardan's include all joint loads.",
        forward(it, scenes, forward_keys),
        "Of the peers the fastest call, without what Python takes of a call: "
        f"{', '.join(calls) or '–'}{more}.",
        "### Ball joints in series: residual of the equations",
        "Accelerations of every engine put into inverse dynamics, relative to the joint forces of gravity and velocities.",
        series(it, scenes, series_keys),
        "### Whole steps of 1 ms: least (median)",
        "Bare mechanisms in a run; the gap is the widest of any loop (cardan: of any joint) after any step of one second.",
        steps(it, scenes, stepped),
        "### Many at once",
        "Bare humanoids from one start; every cardan mechanism has the bits of one alone, which is checked.",
        batches(it, batch),
        "### Long chains",
        "One process per length; bytes are those of model, state and workspace.",
        long_chains(chains),
        memory(chains),
    ]
    return "\n\n".join(parts)


def curves(it, scenes, keys, chains):
    """Points (n, ns per body) by engine and family, on chains and binary trees of hinges."""
    found = {}
    for key in keys:
        if key[0] in ("chain", "binary-tree"):
            scene = scenes[key]
            for engine in ("cardan", "Pinocchio", "MuJoCo"):
                times = forward_of(it, scene, engine)
                if times:
                    found.setdefault((engine, key[0]), []).append((scene["n"], times["least"] / scene["n"]))
    own = found.setdefault(("cardan", "chain"), [])
    done = max((n for n, _ in own), default=0)
    own.extend((r["n"], r["solve"]["least"] / r["n"]) for r in chains if r["n"] > done)
    return found


def bars(it, scenes, keys):
    """Groups of bars: µs of a whole step, and a word where the run did not last."""
    groups = []
    for key in keys:
        scene, rows = scenes[key], []
        for engine, what, words in ENGINES_OF_STEPS:
            times = it.least(scene, engine, what)
            if times:
                run = it.runs.get((scene["name"], engine, what), {})
                rows.append((words, times["least"] / 1e3, ", diverges" if run.get("diverged") is not None else ""))
        groups.append((scene["name"], rows))
    return groups


def wrapped(text, width=100):
    """The text with every line that is no row of a table within the width of pages."""
    lines = []
    for line in text.splitlines():
        fits = len(line) <= width or line.startswith("|")
        after = "  " if line.startswith("- ") else ""
        lines += [line] if fits else textwrap.wrap(
            line, width, subsequent_indent=after, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def record(path, text, what="measured"):
    """Puts the text between the marks of a page."""
    text = wrapped(text)
    begin, end = f"<!-- {what}: begin -->", f"<!-- {what}: end -->"
    before, rest = path.read_text().split(begin)
    _, after = rest.split(end)
    path.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}")

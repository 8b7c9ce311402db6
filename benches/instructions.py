#!/usr/bin/env python3
"""Instructions of accelerations and steps, counted by callgrind, per body and by stage: where the work goes, without a clock.

    python3 benches/instructions.py [--record] [--lines N] [MECHANISM:WHAT ...]

Each piece of work is done N and 2N times and the difference taken, so that reading the scene does not count. Every instruction is
looked up with its chain of inlined functions, and counted to the stage of the innermost one that is not mere arithmetic. Needs
valgrind and addr2line; without them it says so and ends well.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))
import tables
from common import HERE, ROOT, WORK, Missing, call, cargo, commit, say, there

USUAL = ["chain-100:accelerations", "humanoid-30:accelerations", "figure-3:accelerations", "humanoid-30:evaluate", "humanoid-30:kinematics",
         "humanoid-30:step", "n-four-bar-40:step", "closed-chain-40:step"]
TIMES = 24
# Frames of plain arithmetic and of the language: what they do is counted to their caller.
ARITHMETIC = re.compile(r"/crates/cardan/src/math|cardan-solve/src/(math|lane)|/rustc/|/library/|/rust/deps/|\?\?|/libm-")
# The first that fits the innermost other frame, as `file function`.
STAGES = [
    ("back-substitution", r"cardan-solve/src/articulated/.*\bback"),
    ("elimination", r"cardan-solve/src/articulated/"),
    ("other solvers", r"cardan-solve/src/"),
    ("balances of energy and momentum", r"cardan/src/measure/(energy|momentum)|cardan/src/step/dynamics/ledger|cardan/src/force/"),
    ("certificate and loads", r"cardan/src/step/articulated/(measure|residual|self_stress|multipliers)|cardan/src/measure/|dynamics/conflict"),
    ("projection of loop-closure joints", r"cardan/src/step/project/|cardan/src/step/articulated/(correct|redundant_rows|plan)|dynamics/rank_plan"),
    ("fill: inertias, biases, axes", r"cardan/src/step/articulated/"),
    ("step kernels", r"cardan/src/step/kernel/"),
    ("kinematics of bodies", r"cardan/src/body/|cardan/src/step/dynamics/(kinematics|joint_coordinates)"),
    ("joint rows", r"cardan/src/joint/|cardan/src/constraint/|cardan/src/step/dynamics/(constraint_rows|lazy_rows|drive_targets)"),
    ("contacts and limits", r"cardan/src/step/contact/|cardan/src/inequality/|cardan-shapes/src/"),
    ("state, integrator, bookkeeping", r"cardan/src/"),
]


def check_stages():
    """Every alternative of every stage fits a function of the tree: what was renamed must not fall into another stage unseen."""
    crates, frames = ROOT / "crates", []
    for path in sorted(crates.glob("*/src/**/*.rs")):
        frames += [f"{path.relative_to(crates)} {name}" for name in re.findall(r"\bfn (\w+)", path.read_text())]
    assert frames, "no source files"
    for name, pattern in STAGES:
        for way in alternatives(pattern):
            assert any(re.search(way, frame) for frame in frames), f"stage '{name}': nothing is like {way}"
    found = {stage(frame) for frame in frames}
    assert all(name in found for name, _ in STAGES), "a stage has nothing of its own"


def alternatives(pattern):
    """The patterns that one with groups `(a|b)` stands for, of which none is within another."""
    for way in re.split(r"\|(?![^(]*\))", pattern):
        head, group, tail = re.fullmatch(r"([^(]*)(?:\((.*)\))?(.*)", way).groups()
        yield from (head + choice + tail for choice in group.split("|")) if group else [way]


def profile(program, asked, times):
    """Instructions by address of the program, of so many repetitions."""
    out = WORK / "callgrind.out"
    command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-strings=no", f"--callgrind-out-file={out}", str(program)]
    line = json.dumps(asked | {"do": "repeat", "times": times}) + "\n"
    done = subprocess.run(command, input=line, capture_output=True, text=True)
    answer = json.loads(done.stdout or '{"error": "valgrind failed"}')
    if "error" in answer:
        raise Missing(answer["error"] + done.stderr[-300:])
    return read(out, program.name), answer["bodies"]


def read(path, name):
    """Self cost of every address of the object with that name; of other objects one sum each, under their name."""
    costs, here, address, skip = Counter(), "", 0, False
    for line in path.read_text().splitlines():
        if line.startswith("ob="):
            here = line[3:]
        elif line.startswith("calls="):
            skip = True  # The next line is what the called function took.
        elif line and (line[0].isdigit() or line[0] in "+-*"):
            place, *_, cost = line.split()
            if place[0] in "+-":
                address += int(place, 0)
            elif place != "*":
                address = int(place, 16)
            if not skip:
                costs[address if here.endswith("/" + name) else Path(here).name] += int(cost)
            skip = False
    return costs


def frames_of(program, addresses):
    """Chains of (function, file:line), innermost first, by address."""
    asked = "\n".join(hex(a) for a in addresses)
    done = subprocess.run(["addr2line", "-a", "-i", "-f", "-C", "-e", str(program)], input=asked, capture_output=True, text=True)
    found, chain, lines = {}, None, done.stdout.splitlines()
    i = 0
    while i < len(lines):
        if lines[i].startswith("0x"):
            chain = found.setdefault(int(lines[i], 16), [])
            i += 1
        else:
            chain.append((lines[i], lines[i + 1].split(" (")[0]))
            i += 2
    return found


def owner(chain):
    """The innermost frame that is not arithmetic, as `file function` without hashes and lines, and its line."""
    for function, place in chain:
        if not ARITHMETIC.search(place):
            file, _, number = place.rpartition(":")
            file = re.sub(r".*/crates/", "", file)
            return f"{file} {re.sub(r'::h[0-9a-f]{16}$', '', function)}", number
    return "others", ""


def stage(frame):
    return next((name for name, pattern in STAGES if re.search(pattern, frame)), "others")


def scene(command, mechanism):
    """The file of `family-n`, or of a bundled scene."""
    path = WORK / f"{mechanism}.toml"
    bundled = ROOT / "scenes" / f"{mechanism}.toml"
    if bundled.exists():
        return bundled
    family, _, n = mechanism.rpartition("-")
    path.write_text(call([command, "generate", family, *([] if family == "humanoid" else ["--n", n])]))
    return path


def main():
    parser = argparse.ArgumentParser(description="Instructions per body and stage, by callgrind.")
    parser.add_argument("work", nargs="*", default=USUAL, help="MECHANISM:WHAT, as chain-100:accelerations")
    parser.add_argument("--lines", type=int, default=0, metavar="N", help="also the N functions that take most")
    parser.add_argument("--record", action="store_true", help="write the table into benches/RESULTS.md")
    parser.add_argument("--cardan", type=Path, help="a cardan command, instead of building one")
    parser.add_argument("--peers-cardan", type=Path, help="a peers-cardan program, instead of building one")
    parser.add_argument("--jobs", help="how many jobs cargo may run at once")
    args = parser.parse_args()
    check_stages()
    for tool in ("valgrind", "addr2line"):
        if not shutil.which(tool):
            say(f"nothing is counted: there is no {tool}")
            return
    WORK.mkdir(parents=True, exist_ok=True)
    program = args.peers_cardan and there(args.peers_cardan)
    program = program or cargo(HERE / "cardan" / "Cargo.toml", "peers-cardan", args.jobs)
    command = args.cardan and there(args.cardan) or cargo(ROOT / "Cargo.toml", "cardan", args.jobs)

    columns, most = {}, {}
    for work in args.work:
        mechanism, _, what = work.partition(":")
        asked = {"scene": str(scene(command, mechanism)), "what": what or "accelerations", "integrator": "euler"}
        once, bodies = profile(program, asked, TIMES)
        twice, _ = profile(program, asked, 2 * TIMES)
        costs = Counter(twice)
        costs.subtract(once)
        chains = frames_of(program, [a for a in costs if isinstance(a, int)])
        stages, functions = Counter(), Counter()
        for address, cost in costs.items():
            frame, _ = owner(chains.get(address, [])) if isinstance(address, int) else (f"in {address}", "")
            stages[stage(frame) if not frame.startswith("in ") else "memcpy and the like"] += cost
            functions[frame] += cost
        per_body = TIMES * bodies
        columns[work] = {name: cost / per_body for name, cost in stages.items()}
        most[work] = [(cost / per_body, frame) for frame, cost in functions.most_common(args.lines)]

    names = [name for name, _ in STAGES] + ["others", "memcpy and the like"]
    rows = [["instructions per body", *columns]]
    rows.append(["---"] + ["---:"] * len(columns))
    for name in names:
        if any(column.get(name, 0) >= 0.5 for column in columns.values()):
            rows.append([name, *(f"{column.get(name, 0):.0f}" for column in columns.values())])
    rows.append(["**all**", *(f"{sum(column.values()):.0f}" for column in columns.values())])
    text = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    text += f"\n\nCommit {commit()}; a step is one of semi-implicit Euler of 1 ms, the mean of {TIMES}."
    print(text)
    if args.record:
        tables.record(ROOT / "benches" / "RESULTS.md", text, "instructions")
    for work, functions in most.items():
        for cost, frame in functions:
            print(f"{work:28} {cost:8.1f}  {frame}")


main()

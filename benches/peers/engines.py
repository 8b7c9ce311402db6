"""Programs that are asked line by line (serve.py, `peers-cardan`), each kept on one core, and Rapier, which is run anew each time."""

import json
import os
import subprocess

from common import HERE, WORK, Missing, call, cargo, there
from scenes import from_x_to

# Libraries must not start threads of their own.
ALONE = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def last_core():
    return {max(os.sched_getaffinity(0))} if hasattr(os, "sched_getaffinity") else None


def pin():
    """Runs in the child before its program: all that are measured take turns on the same core."""
    cores = last_core()
    if cores:
        os.sched_setaffinity(0, cores)


class Asked:
    """A program that answers one JSON object per line."""

    def __init__(self, name, command, pinned=True):
        self.name, self.command_line = name, [str(part) for part in command]
        self.process = subprocess.Popen(
            self.command_line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | (ALONE if pinned else {}),
            preexec_fn=pin if pinned and os.name == "posix" else None,
        )

    def ask(self, do, **fields):
        try:
            self.process.stdin.write(json.dumps({"do": do} | fields) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError as error:
            raise Missing(f"it has ended: {error}") from error
        if not line:
            raise Missing(f"it ended with {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Missing(answer["error"].strip() or "it failed")
        return answer

    def version(self):
        return self.ask("version")["version"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Rapier:
    """Impulse joints, as in the contact scenes."""

    name = "Rapier"

    def __init__(self, args):
        self.manifest = HERE / "rapier" / "Cargo.toml"
        self.program = args.rapier and there(args.rapier) or cargo(self.manifest, "peers-rapier", args.jobs)

    def version(self):
        line = next(line for line in self.manifest.read_text().splitlines() if line.startswith("rapier3d-f64"))
        return line.split("=")[-1].strip(' "')

    def ask(self, do, scene, dt, until):
        about = scene["about"]
        described = {
            "gravity": about["gravity"], "friction": 0.0, "restitution": 0.0, "dt": dt, "steps": round(until / dt), "fixed": [],
            "bodies": [b | {"inertia": [b["inertia"][k][k] for k in range(3)]} for b in about["bodies"]],
            "joints": [
                {"kind": {"revolute": "hinge", "spherical": "ball"}[j["kind"]], "a": j["a"], "b": j["b"],
                 "position": j["position"], "orientation": from_x_to(j["axis"]), "limits": None}
                for j in about["joints"]
            ],
        }
        path = WORK / f"{scene['name']}-rapier.json"
        path.write_text(json.dumps(described))
        if do == "run":
            return {"gap": json.loads(call([self.program, path, "--measure"]))["gap"]}
        answer = json.loads(call([self.program, path], preexec_fn=pin if os.name == "posix" else None))
        return {"least": 1e9 * answer["least"], "median": 1e9 * answer["median"], "samples": answer["steps"]}

"""What the comparisons share: where things are, programs that are built, packages that are installed, words about the machine."""

import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "peers"
# Pinned; the name of a package, and of the module that it brings.
PACKAGES = {"mujoco": ("mujoco==4.0.0", "numpy==2.4.6"), "pinocchio": ("pin==4.1.0", "numpy==2.4.6")}
PACKAGES["example-robot-data"] = (*PACKAGES["pinocchio"], "example-robot-data==6.0.0")
PACKAGES["models"] = (*PACKAGES["mujoco"], "dm-control==1.0.50", "gymnasium==1.4.0", "example-robot-data==6.0.0")


class Missing(Exception):
    """An engine that is not there, and why."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def call(command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise Missing((done.stderr or done.stdout).strip()[-600:] or f"{command[0]} ended with {done.returncode}")
    if done.stderr.strip():
        say(done.stderr.strip())
    return done.stdout


def cargo(manifest, program, jobs):
    """A program of a manifest, optimised, built if need be."""
    say(f"building {program}")
    command = ["cargo", "build", "--quiet", "--release", "--bin", program, "--manifest-path", manifest]
    try:
        call(command + ["--target-dir", TARGET] + (["--jobs", jobs] if jobs else []))
    except FileNotFoundError as error:
        raise Missing("there is no cargo") from error
    return TARGET / "release" / program


def there(program):
    if not program.is_file():
        raise Missing(f"there is no {program}")
    return program.resolve()


def python_with(module):
    """A Python of a throw-away environment that has the packages of a module, installed if need be."""
    venv = WORK / "venv"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        say("making a virtual environment")
        call([sys.executable, "-m", "venv", venv])
    asked = "import importlib.metadata as m, sys; print(*(f'{p}=={m.version(p)}' for p in sys.argv[1:]))"
    wanted = list(PACKAGES[module])
    try:
        installed = call([python, "-c", asked, *(package.split("==")[0] for package in wanted)]).split()
    except Missing:
        installed = []
    if installed != wanted:
        say(f"installing {', '.join(wanted)}")
        call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
    return python


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def load():
    return ", ".join(f"{x:.1f}" for x in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def commit():
    """The commit that is measured, with a word where files differ from it."""
    try:
        name = call(["git", "-C", ROOT, "rev-parse", "--short=10", "HEAD"]).strip()
        changed = call(["git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no", "crates"]).strip()
        return name + (" and changes" if changed else "")
    except (Missing, OSError):
        return "unknown"

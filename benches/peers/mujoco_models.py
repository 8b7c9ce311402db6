"""MuJoCo models in MuJoCo, asked line by line (serve.py): random states, and how far another engine is from it there."""

import functools
import importlib.metadata
import importlib.util
import os
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
import mujoco as mj
import numpy as np
from serve import serve, times

# Folders of PyPI packages with models inside, and files that are parts of others or need files that no package has.
FOLDERS = ("mujoco", "dm_control", "gymnasium")
FREE, BALL, SLIDE, HINGE = (int(getattr(mj.mjtJoint, f"mjJNT_{name}")) for name in ("FREE", "BALL", "SLIDE", "HINGE"))


def files():
    """Models that MuJoCo reads and that have something that moves; then the robot files of example-robot-data."""
    found = []
    for package in FOLDERS:
        # The package itself may want a display.
        root = Path(importlib.util.find_spec(package).origin).parent
        found += sorted(str(file) for file in root.rglob("*.xml"))
    here = Path(importlib.util.find_spec("mujoco").origin).parents[1]
    robots = next((p for p in here.rglob("example-robot-data") if (p / "robots").is_dir()), None)
    found += sorted(str(file) for file in robots.rglob("*.urdf")) if robots else []
    return {"files": [file for file in found if moves(file)]}


def moves(file):
    try:
        return mj.MjModel.from_xml_path(file).nv > 0
    except Exception:  # Whatever is no model of its own.
        return False


def names(model, kind, count, word):
    return [mj.mj_id2name(model, kind, i) or f"{word}{i}" for i in range(count)]


@functools.lru_cache(maxsize=2)
def read(path):
    begin = time.perf_counter()
    model = mj.MjModel.from_xml_path(path)
    spent = time.perf_counter() - begin
    flags = mj.mjtDisableBit
    for flag in (flags.mjDSBL_CONTACT, flags.mjDSBL_LIMIT, flags.mjDSBL_EQUALITY, flags.mjDSBL_FRICTIONLOSS):
        model.opt.disableflags |= flag
    # Forces of a fluid.
    model.opt.density = model.opt.viscosity = 0.0
    model.opt.wind[:] = 0.0
    joints = names(model, mj.mjtObj.mjOBJ_JOINT, model.njnt, "joint")
    bodies = names(model, mj.mjtObj.mjOBJ_BODY, model.nbody, "body")
    return model, mj.MjData(model), joints, bodies, 1e3 * spent


@functools.lru_cache(maxsize=2)
def chosen(path, count):
    """Random positions and speeds, the same every time."""
    model = read(path)[0]
    dice = np.random.default_rng(7)
    states = []
    for _ in range(count):
        q = model.qpos0.copy()
        mj.mj_integratePos(model, q, dice.uniform(-1.0, 1.0, model.nv), 1.0)
        states.append((q, dice.uniform(-1.0, 1.0, model.nv)))
    return states


def about(path):
    model, _, joints, _, _ = read(path)
    return {"joints": [name for name, kind in zip(joints, model.jnt_type) if kind != FREE], "actuators": model.nu, "tendons": model.ntendon}


def left_out(model, joints, notes):
    """Switches off what the other reader ignored, and says what."""
    said = []
    told = " ".join(what for treatment, what, _ in notes if treatment == "Ignored")
    for word, kind in (("ball", BALL), ("free", FREE)):
        own = [i for i in range(model.njnt) if model.jnt_type[i] == kind]
        dofs = [model.jnt_dofadr[i] + k for i in own for k in range(3 if kind == BALL else 6)]
        for name, array, places in (
            ("stiffness", model.jnt_stiffness, own), ("damping", model.dof_damping, dofs), ("armature", model.dof_armature, dofs),
        ):
            if f"`{name}` of a {word} joint" in told:
                array[places] = 0.0
                said.append(f"{name} of {word} joints")
    for name, array in (("stiffness", model.tendon_stiffness), ("damping", model.tendon_damping)):
        if f"`{name}` of a tendon" in told:
            array[:] = 0.0
            said.append(f"{name} of tendons")
    return said


def point(model, data, joints, bodies, free):
    """Of a body that floats in the other engine: place and rate of its centre of mass, Jacobian and its rate."""
    name, _, last = free["body"].partition(" after ")
    body, later = bodies.index(name), []
    if last:
        # The body between two joints of one body: where that is with the later joints at rest in their references.
        first, count = model.body_jntadr[body], model.body_jntnum[body]
        later = [j for j in range(first, first + count) if j > joints.index(last)]
        moved = mj.MjData(model)
        moved.qpos[:], moved.qvel[:] = data.qpos, data.qvel
        for joint in later:
            moved.qpos[model.jnt_qposadr[joint]] = model.qpos0[model.jnt_qposadr[joint]]
            moved.qvel[model.jnt_dofadr[joint]] = 0.0
        mj.mj_forward(model, moved)
        data = moved
    turned = data.xmat[body].reshape(3, 3)
    at = data.xpos[body] + turned @ np.array(free["center"])
    jacobian, change = np.zeros((6, model.nv)), np.zeros((6, model.nv))
    mj.mj_jac(model, data, jacobian[:3], jacobian[3:], at, body)
    mj.mj_jacDot(model, data, change[:3], change[3:], at, body)
    for joint in later:
        jacobian[:, model.jnt_dofadr[joint]] = change[:, model.jnt_dofadr[joint]] = 0.0
    return [*at, *data.xquat[body]], jacobian, change


def states(path, count, floating):
    """Positions and rates by joint; of bodies that float those of their centres of mass."""
    model, data, joints, bodies, _ = read(path)
    answer = []
    for q, v in chosen(path, count):
        data.qpos[:], data.qvel[:] = q, v
        mj.mj_forward(model, data)
        by_joint, free = {}, {}
        for name, kind, iq, iv in zip(joints, model.jnt_type, model.jnt_qposadr, model.jnt_dofadr):
            if kind in (HINGE, SLIDE):
                by_joint[name] = {"position": [float(q[iq])], "rate": [float(v[iv])]}
            elif kind == BALL:
                # The rate is given in the frame of the child here, in that of the parent there.
                rate = np.zeros(3)
                mj.mju_rotVecQuat(rate, v[iv : iv + 3], q[iq : iq + 4])
                by_joint[name] = {"position": list(q[iq : iq + 4]), "rate": list(rate)}
        for own in floating:
            place, jacobian, _ = point(model, data, joints, bodies, own)
            free[own["body"]] = {"position": place, "rate": list(jacobian @ v)}
        answer.append({"joints": by_joint, "free": free})
    return {"states": answer}


def agree(path, found, actuation, seconds):
    model, data, joints, bodies, spent = read(path)
    said = left_out(model, joints, found["notes"])
    if actuation:
        model.opt.disableflags &= ~int(mj.mjtDisableBit.mjDSBL_ACTUATION)
    else:
        model.opt.disableflags |= mj.mjtDisableBit.mjDSBL_ACTUATION
    worst = 0.0
    for (q, v), theirs in zip(chosen(path, len(found["accelerations"])), found["accelerations"]):
        data.qpos[:], data.qvel[:], data.ctrl[:], data.act[:] = q, v, 0.0, 0.0
        mj.mj_forward(model, data)
        own, off = data.qacc.copy(), 0.0
        for name, kind, iq, iv in zip(joints, model.jnt_type, model.jnt_qposadr, model.jnt_dofadr):
            if kind in (HINGE, SLIDE):
                off = max(off, abs(own[iv] - theirs[name][0]))
            elif kind == BALL:
                rate = np.zeros(3)
                mj.mju_rotVecQuat(rate, own[iv : iv + 3], q[iq : iq + 4])
                off = max(off, np.abs(rate - np.array(theirs[name])).max())
        for free in found["floating"]:
            _, jacobian, change = point(model, data, joints, bodies, free)
            off = max(off, np.abs(jacobian @ own + change @ v - np.array(theirs["free " + free["body"]])).max())
        worst = max(worst, off / max(1e-300, np.abs(own).max()))
    moving = [b for b in range(1, model.nbody) if model.body_dofnum[model.body_weldid[b]] > 0]
    mass = float(sum(model.body_mass[b] for b in moving))
    call = times(lambda: mj.mj_forward(model, data), seconds)
    answer = {"acceleration": worst, "mass": abs(found["whole"]["mass"] - mass) / mass}
    return {key: float(value) for key, value in answer.items()} | {
        "nv": model.nv, "reads": spent, "forward": call["least"], "without": said
    }


def version():
    packages = ("mujoco", "dm-control", "gymnasium", "example-robot-data")
    return {"versions": ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)}


if __name__ == "__main__":
    # MuJoCo writes its warnings into a file of the folder that it runs in.
    os.chdir(tempfile.gettempdir())
    serve({"files": files, "about": about, "states": states, "agree": agree, "version": version})

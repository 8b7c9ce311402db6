"""Robot files in MuJoCo, asked line by line (serve.py): how far another engine's accelerations are from it at given states."""

import sys

sys.dont_write_bytecode = True
import mujoco
import numpy as np
from serve import serve


def read(path):
    model = mujoco.MjModel.from_xml_path(path)
    # As on the other side: weight alone.
    flags = mujoco.mjtDisableBit
    for name in ("mjDSBL_CONTACT", "mjDSBL_LIMIT", "mjDSBL_EQUALITY", "mjDSBL_FRICTIONLOSS", "mjDSBL_ACTUATION"):
        model.opt.disableflags |= getattr(flags, name)
    model.dof_damping[:] = 0.0
    model.dof_armature[:] = 0.0
    model.jnt_stiffness[:] = 0.0
    return model, mujoco.MjData(model)


def names(model):
    """Joints with one freedom by name; others are not compared."""
    kinds = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    if any(kind not in kinds for kind in model.jnt_type):
        raise ValueError("a joint has more than one freedom")
    return [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]


def states(path, count):
    """Random positions and rates, the same every time."""
    model, _ = read(path)
    dice, answer = np.random.default_rng(7), []
    for _ in range(count):
        joints = {n: {"position": [float(dice.uniform(-1, 1))], "rate": [float(dice.uniform(-1, 1))]} for n in names(model)}
        answer.append({"joints": joints, "root": None})
    return {"states": answer}


def agree(path, states, found):
    """The largest difference of joint accelerations beside the largest of them."""
    model, data = read(path)
    worst = 0.0
    for state, theirs in zip(states, found["accelerations"]):
        for joint, name in enumerate(names(model)):
            data.qpos[model.jnt_qposadr[joint]] = state["joints"][name]["position"][0]
            data.qvel[model.jnt_dofadr[joint]] = state["joints"][name]["rate"][0]
        mujoco.mj_forward(model, data)
        off = max(abs(data.qacc[model.jnt_dofadr[j]] - theirs[name][0]) for j, name in enumerate(names(model)))
        worst = max(worst, off / np.abs(data.qacc).max())
    return {"acceleration": float(worst), "nv": model.nv}


def version():
    return {"mujoco": mujoco.__version__}


serve({"states": states, "agree": agree, "version": version})

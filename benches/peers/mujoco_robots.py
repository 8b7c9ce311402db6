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
    kinds = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    if any(int(kind) not in kinds for kind in model.jnt_type):
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


def closed(path, bodies):
    """Accelerations of bodies at the start, with equalities that do not give way: M a + Jᵀ λ = f, J a = 0 at rest."""
    model = mujoco.MjModel.from_xml_path(path)
    for name in ("mjDSBL_CONTACT", "mjDSBL_LIMIT", "mjDSBL_FRICTIONLOSS"):
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, name))
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    mass = np.array([column(model, data, e) for e in np.eye(model.nv)])
    rows = data.efc_J.reshape(-1, model.nv)
    whole = np.block([[mass, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    right = np.concatenate([data.qfrc_smooth, np.zeros(len(rows))])
    # Rows that repeat others leave λ open, and nothing else.
    data.qacc[:] = np.linalg.lstsq(whole, right, rcond=1e-12)[0][: model.nv]
    mujoco.mj_rnePostConstraint(model, data)
    worst = size = 0.0
    for name, theirs in bodies.items():
        out = np.zeros(6)
        index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        # Between the joints of one body a scene has bodies of next to no mass, and MuJoCo none.
        if index < 0 and " after " in name:
            continue
        mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_BODY, index, out, 0)
        # Weight is an acceleration of the world there.
        worst = max(worst, np.abs(out[3:] + model.opt.gravity - theirs).max())
        size = max(size, np.abs(theirs).max())
    return {"acceleration": float(worst / size), "rows": len(rows), "nv": model.nv}


def column(model, data, unit):
    out = np.zeros(model.nv)
    mujoco.mj_mulM(model, data, out, unit)
    return out


def version():
    return {"mujoco": mujoco.__version__}


serve({"states": states, "agree": agree, "closed": closed, "version": version})

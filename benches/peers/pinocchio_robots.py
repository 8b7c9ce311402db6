"""Robot files in Pinocchio, asked line by line (serve.py): random states, and how far another engine is from it there."""

import functools
import importlib.metadata
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
import numpy as np
import pinocchio as pin
from serve import serve, times


def files():
    root = Path(pin.__file__).resolve()
    root = next(above for above in root.parents if (above / "share" / "example-robot-data").is_dir())
    return {"files": sorted(str(file) for file in (root / "share" / "example-robot-data").rglob("*.urdf"))}


@functools.lru_cache(maxsize=2)
def read(path, floating):
    begin = time.perf_counter()
    root = [pin.JointModelFreeFlyer()] if floating else []
    model = pin.buildModelFromUrdf(path, *root)
    spent = time.perf_counter() - begin
    if model.nv == 0:
        raise ValueError("Pinocchio finds nothing that moves")
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    return model, model.createData(), 1e3 * spent


@functools.lru_cache(maxsize=2)
def chosen(path, floating, count):
    """Random positions and speeds, the same every time."""
    model, data, _ = read(path, floating)
    dice = np.random.default_rng(7)
    return [
        (pin.integrate(model, pin.neutral(model), dice.uniform(-1.0, 1.0, model.nv)), dice.uniform(-1.0, 1.0, model.nv))
        for _ in range(count)
    ]


def center(model, data, link):
    """Of a body that cardan takes as its root: place, turn, velocities and accelerations of its centre, world axes."""
    joint = model.frames[model.getFrameId(link)].parentJoint
    arm, turned = model.inertias[joint].lever, data.oMi[joint].rotation
    speed, rate = data.v[joint], data.a[joint]
    velocity = speed.linear + np.cross(speed.angular, arm)
    # The acceleration of a point, from the spatial one of the frame.
    linear = rate.linear + np.cross(speed.angular, speed.linear) + np.cross(rate.angular, arm)
    linear = linear + np.cross(speed.angular, np.cross(speed.angular, arm))
    # cardan's body frame is that of the link, whose axes are those of the joint.
    turn = pin.Quaternion(turned)
    place = [*data.oMi[joint].act(arm), turn.w, turn.x, turn.y, turn.z]
    return place, [*(turned @ velocity), *(turned @ speed.angular)], np.concatenate([turned @ linear, turned @ rate.angular])


def states(path, floating, count, root):
    """Positions and rates by joint; of a free robot those of the root's centre of mass."""
    model, data, _ = read(path, floating)
    answer = []
    for q, v in chosen(path, floating, count):
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        joints, free = {}, None
        if root is not None:
            place, rate, _ = center(model, data, root)
            free = {"position": place, "rate": rate}
        for joint in range(2 if floating else 1, model.njoints):
            kind, iq, iv = model.joints[joint], model.idx_qs[joint], model.idx_vs[joint]
            if kind.nv != 1:
                raise ValueError(f"joint {model.names[joint]} has {kind.nv} freedoms")
            # A continuous joint has a cosine and a sine.
            angle = q[iq] if kind.nq == 1 else np.arctan2(q[iq + 1], q[iq])
            joints[model.names[joint]] = {"position": [float(angle)], "rate": [float(v[iv])]}
        answer.append({"joints": joints, "root": free})
    return {"states": answer}


def agree(path, floating, found, seconds):
    model, data, spent = read(path, floating)
    asked = chosen(path, floating, len(found["accelerations"]))
    worst = 0.0
    for (q, v), theirs in zip(asked, found["accelerations"]):
        own = pin.aba(model, data, q, v, np.zeros(model.nv)).copy()
        pin.forwardKinematics(model, data, q, v, own)
        off = 0.0
        for joint in range(2 if floating else 1, model.njoints):
            name = model.names[joint]
            if name not in theirs:
                raise ValueError(f"joint {name} moves nothing with mass: cardan holds it, and Pinocchio divides by zero")
            off = max(off, abs(own[model.idx_vs[joint]] - theirs[name][0]))
        if found["root"] is not None:
            off = max(off, np.abs(center(model, data, found["root"])[2] - np.array(theirs[""])).max())
        worst = max(worst, off / np.abs(own).max())
    q, v = asked[0]
    pin.ccrba(model, data, q, v)
    mass, whole = data.Ig.mass, found["whole"]
    inertia = np.abs(data.Ig.inertia - np.array(whole["inertia"])).max() / np.abs(data.Ig.inertia).max()
    call = times(lambda: pin.aba(model, data, q, v, v), seconds)
    answer = {"acceleration": worst, "mass": abs(whole["mass"] - mass) / mass, "inertia": inertia}
    return {key: float(value) for key, value in answer.items()} | {"nv": model.nv, "reads": spent, "aba": call["least"]}


def version():
    return {"pinocchio": pin.__version__, "data": importlib.metadata.version("example-robot-data")}


serve({"files": files, "states": states, "agree": agree, "version": version})

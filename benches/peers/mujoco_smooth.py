"""Times MuJoCo on described mechanisms, asked line by line (serve.py). Loops are `connect` constraints.

What the mechanisms do not use is switched off (contacts, actuators, passive forces, sensors; constraints where there is no loop),
so that MuJoCo is as fast as it can be on them.
"""

import functools
import json
import resource
import sys
import time

sys.dont_write_bytecode = True
import mujoco
import mujoco.rollout
import numpy as np
from serve import serve, times
from trees import grow, off, scale

# Constraints that are stiff instead of as they come: a time constant of two steps, and nothing given.
GIVES_NOTHING = [0.9999, 0.9999, 0.001, 0.5, 2.0]
# Steps of one call, and calls from one start.
STEPS, CALLS = 16, 16
# Of one process: a package that wants more than there is must not take the machine down.
MEMORY = 8 << 30


def build(description, dt, stiff):
    """The mechanism, built call by call: MuJoCo's reader of XML does not go deeper than 500 bodies."""
    nodes, loops = grow(description)
    spec = mujoco.MjSpec()
    spec.compiler.autolimits = False
    spec.option.timestep, spec.option.gravity = dt, description["gravity"]
    unused = ["CONTACT", "ACTUATION", "SPRING", "DAMPER", "SENSOR"] + ([] if loops else ["CONSTRAINT"])
    for name in unused:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
    bodies = {None: spec.worldbody}
    for node in nodes:
        bodies[node] = add(bodies[node.parent], node)
    for loop in loops:
        a, b = (loop.a, loop.b) if loop.a else (loop.b, loop.a)
        bond = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY)
        bond.name1, bond.name2 = a.name, b.name if b else "world"
        bond.data[:3] = a.turn.T @ (loop.place - a.position)
        if stiff:
            bond.solref, bond.solimp = [2 * dt, 1.0], GIVES_NOTHING
    return spec.compile(), nodes, loops


def add(parent, node):
    """A body whose frame is at its centre of mass, and its joint."""
    position, turn = node.position, node.turn
    if node.parent:
        position = node.parent.turn.T @ (position - node.parent.position)
        turn = node.parent.turn.T @ turn
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, turn.flatten())
    body = parent.add_body(name=node.name, pos=position, quat=quat, mass=node.body["mass"], explicitinertial=True)
    body.ipos, body.iquat = [0, 0, 0], [1, 0, 0, 0]
    inertia = node.inertia
    if np.abs(inertia - np.diag(np.diag(inertia))).max() < 1e-14 * np.abs(inertia).max():
        body.inertia = np.diag(inertia)
    else:
        body.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    if node.kind == "free":
        body.add_freejoint()
    else:
        joint = body.add_joint(type=getattr(mujoco.mjtJoint, f"mjJNT_{node.kind.upper()}"))
        joint.pos = node.turn.T @ (node.place - node.position)
        if node.axis is not None:
            joint.axis = node.turn.T @ node.axis
    return body


class Mechanism:
    """A model, its data at the start, and the way back there."""

    def __init__(self, path, dt, stiff):
        self.model, self.nodes, self.loops = build(json.load(open(path)), dt, stiff)
        self.data = mujoco.MjData(self.model)
        # MuJoCo goes through bodies depth first.
        place = {self.model.body(i).name: i for i in range(self.model.nbody)}
        self.nodes.sort(key=lambda node: place[node.name])
        self.rates = np.array([rate for node in self.nodes for rate in node.rates()])
        self.reset()

    def reset(self):
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:] = self.rates


@functools.cache
def mechanism(path, dt=1e-3, stiff=False):
    return Mechanism(path, dt, stiff)


def agree(path, stiff=False):
    """How far accelerations are from cardan's, and what the equations of motion leave over."""
    it = mechanism(path, 1e-3, stiff)
    it.reset()
    mujoco.mj_forward(it.model, it.data)
    expected = [a for node in it.nodes for a in node.accelerations()]
    answer = {"off": off(it.data.qacc, expected, scale(it.nodes))}
    if not it.loops:
        answer |= {"left": left(it, it.data.qacc.copy()), "left_cardan": left(it, np.array(expected))}
    return answer


def left(it, acc):
    """Joint forces that accelerations would need, of which there are none, beside the largest that the terms have."""
    data = it.data
    data.qacc[:] = acc
    mujoco.mj_inverse(it.model, data)
    return float(np.abs(data.qfrc_inverse).max() / max(1e-300, np.abs(data.qfrc_bias).max()))


def forward(path, seconds):
    it = mechanism(path)
    it.reset()
    model, data, go = it.model, it.data, mujoco.mj_forward
    return times(lambda: go(model, data), seconds)


def step(path, dt, seconds, stiff=False):
    """Whole steps, some in one call, from the start again after a while."""
    it = mechanism(path, dt, stiff)
    it.reset()
    done = 0

    def work():
        nonlocal done
        if done == CALLS:
            it.reset()
            done = 0
        done += 1
        mujoco.mj_step(it.model, it.data, nstep=STEPS)

    return times(work, seconds, parts=STEPS)


def run(path, dt, until, stiff=False):
    """A run with a look at the loops after every step."""
    it = mechanism(path, dt, stiff)
    it.reset()
    model, data, gap = it.model, it.data, 0.0
    ends = []
    for loop in it.loops:
        for node in (loop.a, loop.b):
            local = loop.place if node is None else node.turn.T @ (loop.place - node.position)
            ends.append((0 if node is None else model.body(node.name).id, local))
    for _ in range(round(until / dt)):
        mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        points = [data.xpos[i] + data.xmat[i].reshape(3, 3) @ local for i, local in ends]
        gap = max([gap, *(float(np.linalg.norm(a - b)) for a, b in zip(points[::2], points[1::2]))])
    return {"gap": gap, "warnings": int(data.warning.number.sum()), "rows": int(data.nefc)}


def batch(path, count, threads, steps, dt):
    """Steps per second of `mujoco.rollout`."""
    it = mechanism(path, dt)
    it.reset()
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(it.model, full))
    mujoco.mj_getState(it.model, it.data, state, full)
    datas = [mujoco.MjData(it.model) for _ in range(threads)]
    first = np.tile(state, (count, 1))
    # Written once: memory that is only promised would be asked for while the clock runs.
    out = np.ones((count, steps, state.size))
    with mujoco.rollout.Rollout(nthread=threads) as rollout:
        rollout.rollout(it.model, datas, first[:threads], nstep=steps, state=out[:threads])
        begin = time.perf_counter()
        rollout.rollout(it.model, datas, first, nstep=steps, state=out)
        seconds = time.perf_counter() - begin
    return {"seconds": seconds, "steps": count * steps, "steps_per_second": count * steps / seconds}


def empty(seconds):
    """Calls on a model of nothing: one that does nothing, which is what Python takes, and `mj_forward` with what it always does."""
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data, nothing, go = mujoco.MjData(model), mujoco.mj_crb, mujoco.mj_forward
    return times(lambda: nothing(model, data), seconds) | {"fixed": times(lambda: go(model, data), seconds)["least"]}


def version():
    return {"version": mujoco.__version__}


resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
serve({f.__name__: f for f in (agree, forward, step, run, batch, empty, version)})

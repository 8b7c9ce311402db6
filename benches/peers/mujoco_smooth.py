"""Times MuJoCo on described mechanisms (mujoco_model.py), asked line by line (serve.py)."""

import resource
import sys
import time

sys.dont_write_bytecode = True
import mujoco
import mujoco.rollout
import numpy as np
from mujoco_model import mechanism
from serve import serve, times
from trees import off, scale

# Steps of one call, at most, and steps from one start.
STEPS, STRETCH = 64, 256
# Targets of servos in batches: amplitude [rad], angular frequency [rad/s], phases by joint and by mechanism. `cardan/src/batch.rs`
# has the same numbers.
WAVE, PHASES = (0.05, 12.0), (0.7, 0.01)
# Of one process: a package that wants more than there is must not take the machine down.
MEMORY = 8 << 30


def agree(path, stiff=False):
    """How far accelerations are from cardan's, and what the equations of motion leave over.

    `off` is of MuJoCo's answer, whose constraints give way; `hard` of the same equations with exact constraints.
    """
    it = mechanism(path, 1e-3, stiff)
    it.reset()
    mujoco.mj_forward(it.model, it.data)
    expected = [a for node in it.nodes for a in node.accelerations()]
    answer = {"off": off(it.data.qacc, expected, scale(it.nodes)), "rows": int(it.data.nefc), "options": it.options()}
    if it.data.nefc:
        answer["hard"] = off(it.hard(), expected, scale(it.nodes))
    else:
        answer |= {"left": left(it, it.data.qacc.copy()), "left_cardan": left(it, np.array(expected))}
    return answer


def left(it, acc):
    """Joint forces that accelerations would need and that nothing gives, beside the largest that the terms have."""
    data = it.data
    data.qacc[:] = acc
    mujoco.mj_inverse(it.model, data)
    return float(np.abs(data.qfrc_inverse - data.qfrc_actuator).max() / max(1e-300, np.abs(data.qfrc_bias).max()))


def forward(path, seconds):
    it = mechanism(path)
    it.reset()
    model, data, go = it.model, it.data, mujoco.mj_forward
    return times(lambda: go(model, data), seconds)


def step(path, dt, seconds, stiff=False, rule="euler"):
    """Whole steps, many in one call, from the start again after a while."""
    it = mechanism(path, dt, stiff, rule)
    it.reset()
    # A call that lasts longer than a millisecond is likely to be interrupted on a machine that others use.
    many, done = STEPS, 0
    while many > 4:
        begin = time.perf_counter()
        mujoco.mj_step(it.model, it.data, nstep=many)
        if time.perf_counter() - begin < 1e-3:
            break
        many //= 2
    it.reset()

    def work():
        nonlocal done
        if done == STRETCH:
            it.reset()
            done = 0
        done += many
        mujoco.mj_step(it.model, it.data, nstep=many)

    return times(work, seconds, parts=many)


def run(path, dt, until, stiff=False, rule="euler"):
    """A run with a look at loops, couplers and limits after every step."""
    it = mechanism(path, dt, stiff, rule)
    it.reset()
    model, data, gap, beyond, rows, ends = it.model, it.data, 0.0, 0.0, 0, list(it.ends())
    limited = np.flatnonzero(model.jnt_limited)
    at, (low, high) = model.jnt_qposadr[limited], model.jnt_range[limited].T
    for _ in range(round(until / dt)):
        mujoco.mj_step(model, data)
        rows = max(rows, int(data.nefc))
        if data.ncon:
            beyond = max(beyond, -float(data.contact.dist.min()))
        if limited.size:
            beyond = max(beyond, float((low - data.qpos[at]).max()), float((data.qpos[at] - high).max()))
        if ends or model.ntendon:
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_tendon(model, data)
            gap = max([gap, *np.abs(data.ten_length - model.tendon_length0).tolist()])
            for points in ends:
                a, b = (data.xpos[i] + data.xmat[i].reshape(3, 3) @ local for i, local in points)
                gap = max(gap, float(np.linalg.norm(a - b)))
    mujoco.mj_forward(model, data)
    speed = 0.0
    for i in it.bodies:
        both = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, i, both, 0)
        speed = max(speed, float(np.linalg.norm(both[:3])), float(np.linalg.norm(both[3:])))
    warnings = int(data.warning.number.sum())
    found = {"gap": gap, "overlap": beyond, "warnings": warnings, "rows": rows, "speed": speed}
    return found | {"positions": data.xpos[it.bodies].tolist()}


def targets(it, count, steps, dt, amplitude):
    """Commands of every mechanism, step and actuator: targets of servos swing about their own."""
    found = np.tile(it.commands, (count, steps, 1))
    times, mechanisms = dt * np.arange(steps)[None, :], np.arange(count)[:, None]
    numbers = {joint["name"]: i for i, joint in enumerate(it.description["joints"])}
    for node in it.nodes:
        law = node.effort()
        if law and law["gain"]:
            phase = PHASES[0] * numbers[node.joint["name"]] + PHASES[1] * mechanisms
            wave = amplitude * np.sin(WAVE[1] * times + phase)
            found[:, :, it.model.actuator(f"gain {node.joint['name']}").id] += node.sign * wave
    return found


def ends(it, state):
    """Values of hinges and slides, as cardan has them, from a full state: time, positions, …"""
    found = {}
    for node in it.nodes:
        if node.kind in ("hinge", "slide"):
            name = node.joint["name"]
            found[name] = node.joint["coordinates"][0] + node.sign * float(state[1 + it.model.joint(name).qposadr[0]])
    return found


def batch(path, count, threads, steps, dt, rule="euler", commands=False, amplitude=WAVE[0]):
    """Steps per second of `mujoco.rollout`, with commands of every step where there are actuators: new ones if asked for."""
    it = mechanism(path, dt, False, rule)
    it.reset()
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(it.model, full))
    mujoco.mj_getState(it.model, it.data, state, full)
    datas = [mujoco.MjData(it.model) for _ in range(threads)]
    first = np.tile(state, (count, 1))
    # Written once: memory that is only promised would be asked for while the clock runs.
    out = np.ones((count, steps, state.size))
    controls = None
    if it.model.nu:
        controls = targets(it, count, steps, dt, amplitude) if commands else np.tile(it.commands, (count, steps, 1))
    some = None if controls is None else controls[:threads]
    with mujoco.rollout.Rollout(nthread=threads) as rollout:
        rollout.rollout(it.model, datas, first[:threads], some, nstep=steps, state=out[:threads])
        begin, before = time.perf_counter(), time.process_time()
        rollout.rollout(it.model, datas, first, controls, nstep=steps, state=out)
        seconds, processor = time.perf_counter() - begin, time.process_time() - before
    found = {"seconds": seconds, "processor_seconds": processor, "steps": count * steps}
    return found | {"steps_per_second": count * steps / seconds, "ends": [ends(it, out[i, -1]) for i in (0, count - 1)]}


def empty(seconds):
    """Calls on a model of nothing: one that does nothing, which is what Python takes, and `mj_forward` with what it always does."""
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data, nothing, go = mujoco.MjData(model), mujoco.mj_crb, mujoco.mj_forward
    return times(lambda: nothing(model, data), seconds) | {"fixed": times(lambda: go(model, data), seconds)["least"]}


def version():
    return {"version": mujoco.__version__}


resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
serve({f.__name__: f for f in (agree, forward, step, run, batch, empty, version)})

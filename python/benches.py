"""What calls from Python cost, beside Rust and MuJoCo; see benches/notes/python.md for how and what came of it.

python benches.py [overhead] [states] [loop] [many]
"""

import pathlib
import sys
import time

import numpy as np

import cardan

sys.path.insert(0, str(pathlib.Path(__file__).parent / "examples"))
import arms

FAST = dict(dt=1e-3, integrator="semi-implicit-euler", coordinates="auto", accounts="off")


def least(call, rounds=15, count=1):
    """The least time of a call over several rounds [s]."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(count):
            call()
        best = min(best, (time.perf_counter() - begin) / count)
    return best


def overhead():
    """step(1) and step(1000) from Python beside the same steps in a loop of Rust; and what readers cost."""
    for name in ("double-pendulum", "arm7"):
        model = cardan.load(arms.urdf()) if name == "arm7" else cardan.load(name)
        sim = cardan.Simulation(model, **FAST)
        zero = np.zeros(model.nv)
        steps, thousands, natives = [], [], []
        for _ in range(60):  # in turns, from the same state: the least of each
            sim.reset()
            natives.extend(x / 1000 for x in sim._rust_seconds(1000, 5))
            sim.reset()
            thousands.append(min(least(lambda: sim.step(1000), 1) for _ in range(5)) / 1000)
            sim.reset()
            steps.append(least(lambda: sim.step(), 1, 5000))
        one, thousand, rust = min(steps), min(thousands), min(natives)
        print(f"{name}: Rust {rust * 1e6:.3f} µs per step, step(1) {one * 1e6:.3f} µs, above it {(one - rust) * 1e6:.3f} µs")
        print(f"  step(1000)/1000 {thousand * 1e6:.3f} µs, {100 * (thousand / rust - 1):+.2f} %")
        for what, call in {
            "q": lambda: sim.q,
            "state()": sim.state,
            "effort = array": lambda: setattr(sim, "effort", zero),
            "poses()": sim.poses,
            "inverse_dynamics": lambda: sim.inverse_dynamics(zero),
        }.items():
            print(f"  {what} {least(call, 9, 5000) * 1e6:.3f} µs")


def states():
    """Setting, reading and resetting 4096 states."""
    batch = cardan.Batch(cardan.load(arms.mjcf()), 4096, **FAST)
    rng = np.random.default_rng(1)
    q, v = rng.uniform(-1, 1, (4096, 7)), rng.uniform(-1, 1, (4096, 7))
    print(f"set_state of 4096 arms {least(lambda: batch.set_state(q, v)) * 1e3:.2f} ms")
    print(f"state() {least(batch.state) * 1e3:.2f} ms, reset() {least(batch.reset) * 1e3:.2f} ms")


def loop():
    """A 1 kHz control loop of the 7-axis arm from URDF: a PD law with numpy, beside MuJoCo."""
    goal, n = np.linspace(-0.5, 0.5, 7), 5000
    # Gains in the measure of the joints' inertias: explicit damping of 20 per second is stable at 1 kHz.
    inertia = np.diag(cardan.Simulation(cardan.load(arms.urdf())).mass_matrix())
    kp, kd = 100.0 * inertia, 20.0 * inertia

    def ours():
        sim = cardan.Simulation(cardan.load(arms.urdf()), **FAST)
        begin = time.perf_counter()
        for _ in range(n):
            q, v = sim.state()
            sim.effort = kp * (goal - q) - kd * v
            sim.step()
        return time.perf_counter() - begin, sim.q

    def theirs():
        import mujoco

        model = mujoco.MjModel.from_xml_string(arms.urdf())
        model.opt.timestep = 1e-3
        data = mujoco.MjData(model)
        begin = time.perf_counter()
        for _ in range(n):
            data.qfrc_applied[:] = kp * (goal - data.qpos) - kd * data.qvel
            mujoco.mj_step(model, data)
        return time.perf_counter() - begin, data.qpos.copy()

    times = {"cardan": [], "mujoco": []}
    ends = {}
    for _ in range(5):
        for name, run in (("cardan", ours), ("mujoco", theirs)):
            try:
                took, ends[name] = run()
                times[name].append(took)
            except ImportError:
                pass
    for name, all_times in times.items():
        if all_times:
            print(f"{name}: {n * 1e-3 / min(all_times):.1f} × real time, {min(all_times) / n * 1e6:.2f} µs per turn of the loop")
    if len(ends) == 2:
        print(f"  ends differ by {np.abs(ends['cardan'] - ends['mujoco']).max():.1e} rad")


def many(n=4096, k=20, rounds=12):
    """4096 arms with targets of a numpy policy, new ones every k steps, beside mujoco.rollout on two threads."""
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(14, 7)) * 0.05

    def policy(q, v):
        return np.tanh(np.concatenate([q, v], axis=1) @ weights)

    batch = cardan.Batch(cardan.load(arms.mjcf()), n, threads=2, **FAST)
    q0 = rng.uniform(-0.5, 0.5, (n, 7))
    best = float("inf")
    batch.set_state(q0, np.zeros((n, 7)))
    for _ in range(rounds):
        begin = time.perf_counter()
        q, v = batch.state()
        batch.step(k, target=policy(q, v))
        best = min(best, time.perf_counter() - begin)
    print(f"cardan: {n * k / best / 1e6:.2f} million steps per second, {k} steps per decision")
    held, python, rust = policy(q, v), [], []
    for _ in range(3 * rounds):  # in turns
        rust.extend(batch._rust_seconds(k, held, 1))
        python.append(least(lambda: batch.step(k, target=held), 1))
    rate = lambda times: n * k / min(times) / 1e6
    print(f"  step(k, target) {rate(python):.2f}, in Rust {rate(rust):.2f}: {100 * (min(python) / min(rust) - 1):+.2f} %")
    targets = np.ascontiguousarray(np.broadcast_to(held[:, None], (n, k, 7)))
    bare = min(least(lambda: batch.step(k, target=targets), 1) for _ in range(rounds))
    plain = min(least(lambda: batch.step(k), 1) for _ in range(rounds))
    print(f"  step(k) with commands of every step {n * k / bare / 1e6:.2f}, without {n * k / plain / 1e6:.2f} million steps per second")
    roll = min(least(lambda: batch.rollout(k, target=targets), 1) for _ in range(rounds))
    print(f"  rollout {n * k / roll / 1e6:.2f} million steps per second")
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return
    model = mujoco.MjModel.from_xml_string(arms.mjcf())
    datas = [mujoco.MjData(model) for _ in range(2)]
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    size = mujoco.mj_stateSize(model, spec)
    state = np.zeros((n, size))
    state[:, 1:8] = q0
    best = float("inf")
    with rollout.Rollout(nthread=2) as roll:
        for _ in range(rounds):
            begin = time.perf_counter()
            control = np.repeat(policy(state[:, 1:8], state[:, 8:15])[:, None], k, axis=1)
            found, _ = roll.rollout(model, datas, state, control)
            state = np.ascontiguousarray(found[:, -1])
            best = min(best, time.perf_counter() - begin)
    print(f"mujoco.rollout: {n * k / best / 1e6:.2f} million steps per second")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["overhead", "states", "loop", "many"]:
        print(f"## {name}")
        globals()[name]()

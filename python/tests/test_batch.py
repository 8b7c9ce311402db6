"""Batches: arrays of all, the bits of each alone, per-lane parameters, rollouts."""

import time

import numpy as np
import pytest

import cardan
from conftest import FAST


def alone(model, q, v, steps, commands=None, kind="target"):
    sim = cardan.Simulation(model, dt=1e-3, **FAST)
    sim.set_state(q, v)
    for k in range(steps):
        if commands is not None:
            sim.set_targets(commands[k]) if kind == "target" else setattr(sim, "effort", commands[k])
        sim.step()
    return sim


@pytest.mark.parametrize("n", [5, 70])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_has_the_bits_of_each_alone(servo_arm, n, threads):
    rng = np.random.default_rng(n)
    batch = cardan.Batch(servo_arm, n, dt=1e-3, threads=threads)
    assert (len(batch), batch.in_lanes) == (n, n)
    q, v = rng.uniform(-1, 1, (n, 7)), rng.uniform(-1, 1, (n, 7))
    assert batch.set_state(q, v) == 0
    own_q, own_v = batch.state()
    assert np.array_equal(own_q, q) and np.array_equal(own_v, v)
    targets = rng.uniform(-1, 1, (n, 6, 7))
    for k in range(6):
        batch.step(1, target=targets[:, k])
    hashes = batch.state_hashes()
    for index in (0, n // 2, n - 1):
        sim = alone(servo_arm, q[index], v[index], 6, targets[index])
        assert sim.state_hash == hashes[index]
    again = cardan.Batch(servo_arm, n, dt=1e-3, threads=1)
    again.set_state(q, v)
    again.step(6, target=targets)
    assert again.state_hashes() == hashes
    again.set_state(q, v)
    all_q, all_v = again.rollout(6, q, v, target=targets)
    assert all_q.shape == (n, 6, 7)
    assert np.array_equal(all_q[:, -1], batch.q) and np.array_equal(all_v[:, -1], batch.v)
    for index in (0, n - 1):
        for k in (0, 3):
            sim = alone(servo_arm, q[index], v[index], k + 1, targets[index])
            assert np.array_equal(sim.q, all_q[index, k]) and np.array_equal(sim.v, all_v[index, k])


def test_efforts_hold_over_steps(arm):
    batch = cardan.Batch(arm, 3, dt=1e-3)
    efforts = np.random.default_rng(1).uniform(-1, 1, (3, 7))
    batch.step(10, effort=efforts)
    sim = alone(arm, np.zeros(7), np.zeros(7), 10, [efforts[2]] * 10, "effort")
    assert sim.state_hash == batch.state_hashes()[2]


def test_lanes_have_parameters_of_their_own(pendulum):
    lengths = np.linspace(0.5, 2.0, 6)
    vary = {"bodies.rod.mass": lengths, "bodies.rod.shape.length": list(lengths)}
    batch = cardan.Batch(pendulum, 6, vary=vary, dt=1e-3, integrator="semi-implicit-euler")
    batch.step(50)
    for index, x in enumerate(lengths):
        own = pendulum.set({"bodies.rod.mass": x, "bodies.rod.shape.length": float(x)})
        sim = cardan.Simulation(own, dt=1e-3, **FAST)
        sim.step(50)
        assert sim.state_hash == batch.state_hashes()[index]
    with pytest.raises(ValueError, match="has 5 values"):
        cardan.Batch(pendulum, 6, vary={"bodies.rod.mass": lengths[:5]})
    with pytest.raises(cardan.SceneError):
        cardan.Batch(pendulum, 2, vary={"bodies.rod.mass": [1, -1]})


def test_snapshots_and_resets(servo_arm):
    batch = cardan.Batch(servo_arm, 66, dt=1e-3)
    begin = batch.state_hashes()
    batch.step(5, target=np.ones((66, 7)))
    saved, later = batch.snapshot(), batch.state_hashes()
    batch.step(5)
    after = batch.state_hashes()
    batch.restore(saved)
    assert batch.state_hashes() == later
    batch.step(5)
    assert batch.state_hashes() == after
    batch.reset([3, 7])
    mixed = batch.state_hashes()
    assert mixed[3] == begin[3] and mixed[7] == begin[7] and mixed[4] == after[4]
    batch.reset()
    assert batch.state_hashes() == begin and batch.time == 0


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda b: b.set_state(np.zeros((4, 7)), np.zeros((5, 7))), r"q has the shape \(4, 7\); it takes \(5, 7\)"),
        (lambda b: b.set_state(np.full((5, 7), np.nan), np.zeros((5, 7))), "mechanism 0: position 0 of `joint1` is NaN"),
        (lambda b: b.step(1, target=np.zeros((5, 6))), r"target has the shape \(5, 6\)"),
        (lambda b: b.step(3, target=np.zeros((5, 2, 7))), "it takes"),
        (lambda b: b.step(1, target=np.where(np.arange(35).reshape(5, 7) == 22, np.inf, 0)), "mechanism 3"),
        (lambda b: b.step(1, target_rate=np.zeros((5, 7))), "target"),
        (lambda b: b.step(1, dt=0.0), "step must be positive"),
        (lambda b: b.rollout(2, q=np.zeros((5, 7))), "both q and v"),
        (lambda b: b.restore([b""]), "snapshot is of 1"),
        (lambda b: b.reset([99]), "no mechanism 99"),
    ],
)
def test_malformed_arrays_change_nothing(servo_arm, call, text):
    batch = cardan.Batch(servo_arm, 5, dt=1e-3)
    batch.step(2)
    before = batch.state_hashes()
    with pytest.raises((ValueError, TypeError), match=text):
        call(batch)
    assert batch.state_hashes() == before


def test_loops_go_one_by_one_with_the_same_bits():
    model = cardan.load("four-bar")
    batch = cardan.Batch(model, 3, dt=1e-3)
    batch.step(20)
    sim = cardan.Simulation(model, dt=1e-3, integrator="semi-implicit-euler", coordinates="auto", accounts="off")
    sim.step(20)
    assert batch.in_lanes == 0 and batch.state_hashes() == [sim.state_hash] * 3
    assert batch.failures() == {}

"""Calls that take long, and sizes that no memory has."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import cardan
from conftest import FAST


def interrupted(call):
    """Calls, and presses Ctrl-C 0.2 s later; how long it took to listen."""
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        timer.cancel()
    return time.monotonic() - pressed[0]


@pytest.mark.parametrize("call", ["step", "run", "recorded", "controlled"])
def test_ctrl_c_ends_a_long_call_after_a_whole_step(pendulum, call):
    sim = cardan.Simulation(pendulum, **FAST)
    calls = {
        "step": lambda: sim.step(10**12),
        "run": lambda: sim.run(1e9),
        "recorded": lambda: sim.run(1e9, record=["time"], every=1.0),
        "controlled": lambda: sim.run(1e9, controller=lambda sim: None),
    }
    # Signals are looked for every 50 ms; the machine may have other things to do.
    assert interrupted(calls[call]) < 2.0
    assert sim.steps > 100
    # Nothing is lost: it stands where as many steps lead to, and goes on from there.
    again = cardan.Simulation(pendulum, **FAST)
    again.step(sim.steps)
    assert again.state_hash == sim.state_hash
    sim.step(3), again.step(3)
    assert again.state_hash == sim.state_hash


def test_ctrl_c_ends_the_steps_of_a_batch(pendulum):
    batch = cardan.Batch(pendulum, 16)
    assert interrupted(lambda: batch.step(10**12)) < 2.0
    steps = round(batch.time / batch.dt)
    again = cardan.Batch(pendulum, 16)
    again.step(steps)
    assert steps > 10 and again.state_hashes() == batch.state_hashes()


def test_parts_of_a_rollout_are_the_whole(pendulum):
    # A first part has 8192 steps of all: 16 × 1000 are cut, 16 × 1 are not.
    rng = np.random.default_rng(5)
    effort = rng.uniform(-1, 1, (16, 1000, 1))
    cut, whole = cardan.Batch(pendulum, 16), cardan.Batch(pendulum, 16)
    q, v = cut.rollout(1000, effort=effort)
    for k in range(1000):
        one, rate = whole.rollout(1, effort=effort[:, k : k + 1])
        assert (one[:, 0] == q[:, k]).all() and (rate[:, 0] == v[:, k]).all(), k
    assert cut.state_hashes() == whole.state_hashes()
    stepped = cardan.Batch(pendulum, 16)
    stepped.step(1000, effort=effort)
    assert stepped.state_hashes() == whole.state_hashes()


def test_sizes_that_no_memory_has_are_memory_errors(pendulum):
    with pytest.raises(MemoryError, match="mechanisms"):
        cardan.Batch(pendulum, 10**13)
    batch = cardan.Batch(pendulum, 4)
    before = batch.state_hashes()
    with pytest.raises(MemoryError, match="positions of a rollout: 4 × 1000000000000000 × 1"):
        batch.rollout(10**15)
    with pytest.raises(MemoryError, match="positions of a rollout"):
        batch.rollout(10**15, q=np.ones((4, 1)), v=np.ones((4, 1)))
    with pytest.raises(MemoryError, match="no memory for effort"):
        batch.rollout(10**15, effort=np.zeros((4, 1)))
    with pytest.raises((MemoryError, OverflowError)):
        batch.rollout(2**62)
    assert batch.state_hashes() == before


def test_a_command_that_is_refused_late_is_refused_before_the_first_step(pendulum):
    batch = cardan.Batch(pendulum, 16)
    before = batch.state_hashes()
    effort = np.zeros((16, 1000, 1))
    effort[3, 900, 0] = np.nan
    for call in (batch.step, batch.rollout):
        with pytest.raises(ValueError, match="step 900"):
            call(1000, effort=effort)
        assert batch.state_hashes() == before


def test_ctrl_c_takes_the_start_of_a_rollout_back(pendulum):
    batch = cardan.Batch(pendulum, 16)
    before = batch.state_hashes()
    interrupted(lambda: batch.rollout(10**6, q=np.ones((16, 1)), v=np.ones((16, 1))))
    assert batch.state_hashes() == before

"""Parts of a mechanism that are functions of Python."""

import numpy as np
import pytest

import cardan

FREE = """
gravity = [0, 0, -9.81]
[bodies.bob]
kind = "particle"
mass = 1.5
position = [0.6, 0, -0.8]
velocity = [0, 0.5, 0]
[simulation]
dt = 1e-3
"""


def sphere(t, p, axes):
    return ((p[:, 0] ** 2).sum(-1, keepdims=True) - 1.0) / 2


def test_a_point_on_a_sphere_is_a_rod(pendulum):
    own = cardan.load(FREE).with_constraint(sphere, [("bob", [0, 0, 0])])
    rod = cardan.load(FREE + '[joints.rod]\nkind = "distance"\na = "ground"\nb = "bob"\n')
    a, b = cardan.Simulation(own), cardan.Simulation(rod)
    a.run(0.5), b.run(0.5)
    # RK4 at 1 ms with a rest from differences: 1e-9 of the acceleration.
    np.testing.assert_allclose(a.poses(), b.poses(), atol=1e-8)
    assert a.certificate["max_position_error"] < 1e-12
    assert a.balance["energy_error"] < 1e-7


def test_a_constraint_may_move_with_time():
    # A point is carried along x = 0.6 + sin t.
    def carried(t, p, axes):
        return (p[:, 0, 0] - 0.6 - np.sin(t))[:, None]

    sim = cardan.Simulation(cardan.load(FREE).with_constraint(carried, [("bob", [0, 0, 0])]))
    sim.run(0.5)
    assert sim.poses()[0, 0] == pytest.approx(0.6 + np.sin(0.5), abs=1e-11)
    assert sim.velocities()[0, 0] == pytest.approx(np.cos(0.5), abs=1e-9)


def test_a_function_that_raises_is_the_error_of_the_step():
    def wrong(t, p, axes):
        if t.max() > 0.01:
            raise RuntimeError("lost it")
        return sphere(t, p, axes)

    sim = cardan.Simulation(cardan.load(FREE).with_constraint(wrong, [("bob", [0, 0, 0])]))
    with pytest.raises(RuntimeError, match="lost it"):
        sim.run(0.1)
    shape = cardan.load(FREE).with_constraint(lambda t, p, axes: np.zeros(3), [("bob", [0, 0, 0])])
    with pytest.raises(ValueError, match="what the constraint returns"):
        cardan.Simulation(shape).step()
    with pytest.raises(cardan.ModelError, match="no body `bib`"):
        cardan.load(FREE).with_constraint(sphere, [("bib", [0, 0, 0])])


def test_what_a_function_raises_is_the_error_of_the_call_and_of_no_later_one():
    broken = []

    def moody(t, p, axes):
        if broken:
            raise RuntimeError("lost it")
        return sphere(t, p, axes)

    model = cardan.load(FREE).with_constraint(moody, [("bob", [0, 0, 0])])
    sim = cardan.Simulation(model)
    sim.step()
    for call in (lambda: sim.a, sim.equilibrium, sim.modes, lambda: sim.set_state(sim.q, sim.v)):
        broken.append(1)
        with pytest.raises(RuntimeError, match="lost it"):
            call()
        broken.clear()
        with pytest.raises(cardan.StepError, match="step"):
            sim.step(1, dt=-1.0)
    batch = cardan.Batch(model, 2, dt=1e-3)
    broken.append(1)
    with pytest.raises(RuntimeError, match="lost it"):
        batch.step()

"""Mistakes: exceptions with the engine's text and fields, and nothing has changed."""

import numpy as np
import pytest

import cardan
from conftest import FAST, PENDULUM


def test_a_wrong_scene_has_file_line_and_column(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(PENDULUM.replace('b = "rod"', 'b = "rood"'))
    with pytest.raises(cardan.SceneError, match="rood") as caught:
        cardan.load(path)
    error = caught.value
    line = PENDULUM[: PENDULUM.index('b = "rod"')].count("\n") + 1
    assert (error.file, error.line, error.path) == (str(path), line, "joints.hinge.b")
    assert error.column == 5 and "did you mean `rod`" in str(error)
    assert isinstance(error, ValueError) and isinstance(error, cardan.Error)


@pytest.mark.parametrize("source", ["no-such-scene", "missing.urdf", "[bodies\n", "<robot>\n</robo>"])
def test_what_cannot_be_read_is_a_scene_error(source):
    with pytest.raises(cardan.SceneError):
        cardan.load(source)


def test_wrong_settings_and_values_are_scene_errors(pendulum):
    with pytest.raises(cardan.SceneError, match="semi-implicit-euler"):
        cardan.Simulation(pendulum, integrator="semi-implicit-eular")
    with pytest.raises(cardan.SceneError, match="coordinats"):
        cardan.Simulation(pendulum, coordinats="joints")
    with pytest.raises(cardan.SceneError, match="mass"):
        pendulum.set({"bodies.rod.mass": -1})
    with pytest.raises(cardan.SceneError, match="no `rood`"):
        pendulum.set({"bodies.rood.mass": 1})
    with pytest.raises(TypeError, match="a value of a scene"):
        pendulum.set({"bodies.rod.mass": object()})
    with pytest.raises(ValueError, match="dt must be"):
        cardan.Simulation(pendulum, dt=-1)


def test_unknown_names_are_model_errors_with_the_nearest(arm):
    sim = cardan.Simulation(arm)
    for call in (sim.joint, sim.body, sim.probe, sim.jacobian):
        with pytest.raises(cardan.ModelError) as caught:
            call("joint77")
        assert caught.value.kind == "UnknownName"
    with pytest.raises(cardan.ModelError, match="did you mean `joint7`"):
        sim.set_joint_effort("joint77", 1.0)
    with pytest.raises(cardan.ModelError, match="no servo"):
        sim.set_joint_target("joint1", 1.0)
    with pytest.raises(cardan.ModelError, match="no coordinate 3"):
        sim.set_joint_effort("joint1", 1.0, coordinate=3)
    with pytest.raises(ValueError, match="no column"):
        sim.run(0.1, record=["joints.joint1.angel"])


@pytest.mark.parametrize("name", ["q", "v", "effort"])
@pytest.mark.parametrize(
    "value, error, text",
    [
        (np.zeros(6), ValueError, r"has the shape \(6,\); it takes \(7,\)"),
        (np.zeros((7, 1)), ValueError, r"has the shape \(7, 1\)"),
        (1.0, ValueError, r"has the shape \(\)"),
        (np.full(7, np.nan), ValueError, "must be a finite number"),
        ([0, 0, 0, np.inf, 0, 0, 0], ValueError, "`joint4`"),
        (["a"] * 7, TypeError, "real numbers"),
        (np.zeros(7, complex), TypeError, "real numbers"),
        (None, TypeError, "real numbers"),
        ([[1, 2], [3]], (TypeError, ValueError), "."),
    ],
)
def test_malformed_arrays_are_refused_and_change_nothing(arm, name, value, error, text):
    sim = cardan.Simulation(arm, **FAST)
    sim.q = np.linspace(0, 1, 7)
    before = sim.state_hash
    with pytest.raises(error, match=text):
        setattr(sim, name, value)
    assert sim.state_hash == before and not sim.effort.any()


def test_other_types_of_numbers_and_layouts_are_taken(arm):
    sim = cardan.Simulation(arm, **FAST)
    wanted = np.arange(7.0)
    for value in (np.arange(7), np.arange(7, dtype=np.float32), list(range(7)), np.arange(14.0)[::2] / 2):
        sim.effort = value
        assert np.array_equal(sim.effort, wanted)


def test_a_step_that_fails_says_what_and_when_and_changes_nothing(pendulum):
    sim = cardan.Simulation(pendulum)
    sim.step(10)
    before = sim.state_hash
    with pytest.raises(cardan.StepError) as caught:
        sim.step(1, dt=float("nan"))
    assert caught.value.kind == "BadStep" and caught.value.time == sim.time
    assert sim.state_hash == before
    sim.effort = [1e300]
    with pytest.raises(cardan.StepError) as caught:
        sim.step(1000)
    assert caught.value.fields and isinstance(caught.value, RuntimeError)


def test_loops_that_cannot_close_are_refused_with_the_joint():
    sim = cardan.Simulation(cardan.load("four-bar"))
    rocker = next(name for name, joint in sim.model.joints.items() if joint.in_tree and "rocker" in joint.bodies)
    before = sim.state_hash
    with pytest.raises((cardan.ModelError, cardan.StepError)):
        sim.set_joint(rocker, 3.0)
    assert sim.state_hash == before


def test_errors_travel_between_processes(tmp_path):
    import pickle

    with pytest.raises(cardan.SceneError) as caught:
        cardan.load("[bodies\n")
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (str(copied), copied.line, copied.kind) == (str(caught.value), caught.value.line, caught.value.kind)


def unaligned(values):
    raw = np.zeros(8 * len(values) + 1, np.uint8)[1:].view(np.float64)
    raw[:] = values
    assert not raw.flags.aligned
    return raw


def test_unaligned_arrays_are_taken(arm):
    sim, wanted = cardan.Simulation(arm, **FAST), np.arange(7.0)
    sim.effort = unaligned(wanted)
    assert np.array_equal(sim.effort, wanted)
    sim.set_joint("joint1", q=unaligned([0.25]))
    assert sim.q[0] == 0.25
    batch = cardan.Batch(arm, 1, dt=1e-3)
    commanded = unaligned(np.tile(wanted, 2)).reshape(1, 2, 7)
    batch.step(2, effort=commanded)
    other = cardan.Batch(arm, 1, dt=1e-3)
    other.step(2, effort=np.array(commanded))
    assert batch.state_hashes() == other.state_hashes() != cardan.Batch(arm, 1, dt=1e-3).state_hashes()


def test_a_call_of_several_parts_changes_all_or_nothing(servo_arm):
    sim = cardan.Simulation(servo_arm, **FAST)
    before = sim.state_hash
    with pytest.raises(ValueError):
        sim.set_joint("joint1", q=0.3, v=np.nan)
    assert sim.state_hash == before
    batch = cardan.Batch(servo_arm, 2, dt=1e-3)
    before, q = batch.state_hashes(), np.full((2, 7), 0.1)
    for wrong in (np.zeros((2, 6)), np.full((2, 7), np.nan)):
        with pytest.raises(ValueError):
            batch.rollout(3, q=q, v=q, effort=wrong)
        assert batch.state_hashes() == before
    for wrong in (dict(target=np.full((2, 7), np.inf)), dict(dt=-1.0)):
        with pytest.raises(ValueError):
            batch.step(5, effort=np.full((2, 7), 3.0), **wrong)
    batch.step(5)
    same = cardan.Batch(servo_arm, 2, dt=1e-3)
    same.step(5)
    assert batch.state_hashes() == same.state_hashes()


def test_values_of_scenes_are_toml():
    toml = cardan._cardan.toml_value
    values = [3, np.int64(3), np.uint8(3), True, np.bool_(True), np.float32(0.5), 2.0, np.array(2.0), float("nan")]
    assert [toml(x) for x in values] == ["3", "3", "3", "true", "true", "0.5", "2.0", "2.0", "nan"]
    assert toml(np.array([[1, 2], [3, 4]])) == "[[1, 2], [3, 4]]" and toml((1, "a")) == '[1, "a"]'
    assert toml('a"b\\c\0\n\x7f\u200b') == '"a\\"b\\\\c\\u0000\\u000A\\u007F\u200b"'
    for wrong in ({"a": 1}, {1, 2}, (x for x in (1, 2)), b"ab", 1j, np.complex128(1)):
        with pytest.raises(TypeError, match="a value of a scene"):
            toml(wrong)

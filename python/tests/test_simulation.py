"""Models and simulations: names and arrays, runs and tables, snapshots."""

import copy
import json
import pickle
import re
import threading
import time

import numpy as np
import pytest

import cardan
from cardan import plot
from conftest import FAST, PENDULUM


def test_a_text_a_file_and_a_bundled_scene_are_models(tmp_path, pendulum):
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM)
    for model in (pendulum, cardan.load(path), cardan.load(str(path))):
        assert (model.title, model.bodies, model.nq, model.nv) == ("Pendulum", ["rod"], 1, 1)
        assert model.gravity == [0, 0, -9.81] and model.mass == 2
    assert "four-bar" in cardan.bundled() and "desk-arm" in cardan.bundled()
    assert cardan.load("desk-arm").nq == 7


def test_joints_have_names_ranges_and_limits():
    model = cardan.load("desk-arm")
    lift = model.joints["lift"]
    assert (lift.kind, lift.in_tree, lift.limits, lift.units) == ("revolute", True, [(-2.0, 0.6)], ["rad"])
    sim = cardan.Simulation(model)
    sim.set_joint("lift", -0.5)
    assert sim.q[lift.q] == pytest.approx([-0.5], abs=1e-12)
    places = [model.joints[name].v for name in model.joints if model.joints[name].in_tree]
    assert sorted(k for place in places for k in range(place.start, place.stop)) == list(range(model.nv))
    loop = cardan.load("four-bar").joints
    assert [joint.in_tree for joint in loop.values()].count(False) == 1


def test_a_joint_that_is_called_as_a_body_keeps_its_name():
    # The floating body is `waist-yaw` here, and so is a joint.
    model = cardan.load("standing-humanoid")
    assert model.joints["waist-yaw"].kind == "revolute" and model.joints["bodies.waist-yaw"].kind == "floating"
    sim = cardan.Simulation(model)
    for name in (name for name, joint in model.joints.items() if joint.kind != "floating"):
        assert len(sim.joint(name)["position"]) == 3
    assert sim._repr_html_().count("<circle") > len(model.bodies)


def test_a_pendulum_swings_as_its_equation_says(pendulum):
    # φ̈ = 3 g / 2 l · cos φ of a rod on a hinge about y, from the horizontal; RK4 at 1 ms: 1e-10.
    sim = cardan.Simulation(pendulum)
    assert sim.a == pytest.approx([1.5 * 9.81], rel=1e-12)
    assert sim.joint("hinge")["force"] == pytest.approx([0, 0, 2 * 9.81 / 4], abs=1e-11)
    table = sim.run(1.0, record=["joints.hinge", "energy.total"])
    angle, rate = table["joints.hinge.coordinates.0"], table["joints.hinge.rates.0"]
    assert rate**2 == pytest.approx(3 * 9.81 * np.sin(angle), rel=1e-8, abs=1e-9)
    assert np.ptp(table["energy.total"]) < 1e-9
    assert table.units["joints.hinge.coordinates.0"] == "rad" and len(table["time"]) == 1001
    assert sim.certificate["max_position_error"] < 1e-12 and sim.balance["energy_error"] < 1e-8


def test_arrays_are_set_and_read_in_joint_order(arm):
    sim = cardan.Simulation(arm, dt=1e-3, **FAST)
    rng = np.random.default_rng(1)
    q, v = rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7)
    sim.set_state(q, v)
    # On joint coordinates the numbers are the state.
    assert np.array_equal(sim.q, q) and np.array_equal(sim.v, v)
    sim.q = 0.5 * q
    sim.v = list(2 * v)
    assert sim.q == pytest.approx(0.5 * q, abs=1e-12) and sim.v == pytest.approx(2 * v, abs=1e-11)
    sim.effort = np.arange(7)
    assert np.array_equal(sim.effort, np.arange(7.0))
    sim.set_joint_effort("joint3", 9.0)
    assert sim.effort[arm.joints["joint3"].v] == [9.0]
    sim.clear_commands()
    assert not sim.effort.any()
    own_q, own_v = sim.state()
    assert np.array_equal(own_q, sim.q) and np.array_equal(own_v, sim.v)
    assert sim.poses().shape == (7, 7) and sim.velocities().shape == (7, 6)
    assert np.linalg.norm(sim.poses()[:, 3:], axis=1) == pytest.approx(np.ones(7))


def test_time_is_set_and_drives_follow(four_bar):
    sim, other = cardan.Simulation(four_bar), cardan.Simulation(four_bar)
    other.run(0.3)
    sim.time = 0.3
    assert sim.time == 0.3
    # The crank is where its law says; the speed is its rate.
    name = "A"
    assert sim.joint(name)["coordinates"] == pytest.approx(other.joint(name)["coordinates"], abs=1e-9)
    with pytest.raises(cardan.StepError):
        sim.time = float("nan")
    assert sim.time == 0.3


def test_steps_and_runs_have_the_same_bits_as_copies_of_themselves(four_bar):
    sim = cardan.Simulation(four_bar)
    sim.step(100)
    saved = sim.snapshot()
    others = [copy.deepcopy(sim), pickle.loads(pickle.dumps(sim)), sim.copy()]
    sim.run(0.3)
    for other in others:
        assert type(other) is cardan.Simulation
        other.run(0.3)
        assert (other.time, other.state_hash) == (sim.time, sim.state_hash)
    late = sim.state_hash
    sim.restore(saved)
    sim.run(0.3)
    assert sim.state_hash == late
    sim.reset()
    assert sim.time == 0
    with pytest.raises(ValueError):
        sim.restore(saved[:-3])
    model = pickle.loads(pickle.dumps(four_bar.set({"bodies.crank.mass": 3.0})))
    assert model.masses == four_bar.set({"bodies.crank.mass": 3.0}).masses
    assert copy.deepcopy(four_bar) is four_bar


def test_the_state_hash_is_that_of_the_command():
    # The README prints the hash of `cardan run double-pendulum`.
    sim = cardan.Simulation(cardan.load("double-pendulum"))
    sim.run()
    assert sim.state_hash == "d7e0382c6821a828"


def test_reactions_say_which_components_are_unique():
    sim = cardan.Simulation(cardan.load("four-bar"))
    sim.assemble()
    reactions = sim.reactions()
    # Hinges in space leave three rows too many: forces in the plane are unique, those across are not.
    assert all(joint["force_unique"][:2] == [True, True] for joint in reactions.values())
    assert not all(joint["force_unique"][2] for joint in reactions.values())
    weight = sum(m * 9.81 for m in cardan.load("four-bar").masses)
    assert weight > 0 and np.isfinite([joint["force"] for joint in reactions.values()]).all()


def test_contacts_carry_the_weight():
    sim = cardan.Simulation(cardan.load("box-stack"))
    sim.run(0.3)
    contacts = sim.contacts()
    lowest = [contact for contact in contacts if None in contact["bodies"]]
    lift = sum(np.asarray(c["force"]) * (1 if c["bodies"][0] is None else -1) for c in lowest)
    gravity = np.asarray(sim.model.gravity)
    assert np.linalg.norm(lift + sim.model.mass * gravity) < 1e-3 * sim.model.mass * 9.81


def test_rows_at_an_interval_and_with_a_controller(pendulum):
    sim = cardan.Simulation(pendulum)
    plain = sim.run(0.5, record="energy", every=0.1)
    assert plain["time"] == pytest.approx(np.arange(6) * 0.1)
    calls = []

    def hold(sim):
        calls.append(sim.time)
        sim.effort = sim.gravity_efforts() - 40.0 * sim.q - 8.0 * sim.v

    sim.reset()
    table = sim.run(2.0, record=["joints.hinge.coordinates"], every=0.5, controller=hold)
    assert len(calls) == 2000 and table["time"] == pytest.approx(np.arange(5) * 0.5)
    assert abs(table["joints.hinge.coordinates.0"][-1]) < 1e-2


def test_a_force_of_python_is_a_wrench_on_every_body(pendulum):
    # Weight taken back by a function: nothing moves.
    sim = cardan.Simulation(pendulum)

    def lift(time, poses, velocities):
        wrenches = np.zeros((len(poses), 6))
        wrenches[:, 2] = 2.0 * 9.81
        return wrenches

    sim.run(0.2, force=lift)
    assert abs(sim.q[0]) < 1e-12 and abs(sim.v[0]) < 1e-12


def test_tables_go_to_pandas_and_parquet_with_units(tmp_path, pendulum):
    pandas, parquet = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet")
    table = cardan.Simulation(pendulum).run(0.01, record=True)
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.attrs["units"]["time"] == "s"
    table.to_parquet(tmp_path / "run.parquet")
    stored = parquet.read_table(tmp_path / "run.parquet")
    assert stored.schema.field("energy.total").metadata == {b"unit": b"J"}
    assert np.array_equal(stored["time"].to_numpy(), table["time"])
    table.to_csv(tmp_path / "run.csv")
    stored = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True)
    assert np.array_equal(stored["time"], table["time"])


def test_pictures(tmp_path, four_bar, monkeypatch):
    sim = cardan.Simulation(four_bar)
    table = sim.run(0.05, record=["joints.A", "energy.total"])
    for without in (False, True):
        if without:
            monkeypatch.setattr(plot, "_matplotlib", lambda: None)
        sim.plot(tmp_path / "sim.svg")
        table.plot("joints.A", path=tmp_path / "run.svg")
        assert "<svg" in (tmp_path / "sim.svg").read_text() and "<svg" in (tmp_path / "run.svg").read_text()
    assert "<svg" in sim._repr_html_() and "<table" in table._repr_html_()
    with pytest.raises(KeyError, match="no column"):
        table.plot("joints.Z")


def test_the_interpreter_runs_while_a_simulation_steps():
    sim = cardan.Simulation(cardan.load("double-pendulum"))
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(1e-3)

    done = threading.Event()
    other = threading.Thread(target=tick)
    other.start()
    begin = time.perf_counter()
    while time.perf_counter() - begin < 0.3:
        sim.step(500)
    done.set()
    other.join()
    within = [t for t in ticks if begin < t < begin + 0.3]
    assert len(within) > 20


def test_a_second_thread_is_told_to_wait(pendulum):
    sim, seen = cardan.Simulation(pendulum), []
    worker = threading.Thread(target=lambda: sim.step(20_000))
    worker.start()
    while worker.is_alive() and not seen:
        try:
            sim.time
        except RuntimeError as error:
            seen.append(str(error))
    worker.join()
    assert seen and sim.steps == 20_000


@pytest.mark.parametrize("settings", [{}, FAST, dict(integrator="dopri5"), dict(accounts="recorded")])
def test_a_run_with_a_controller_is_the_run_without(pendulum, settings):
    # Ends that are no multiple of the step or of the interval, beside those that are.
    for until, every in ((0.0995, None), (0.1, 0.03), (0.0137, 0.002), (1e-3 * (40 + 1e-8), None)):
        plain, led = cardan.Simulation(pendulum, **settings), cardan.Simulation(pendulum, **settings)
        calls = []
        a = plain.run(until, record=["joints", "energy.total"], every=every)
        b = led.run(until, record=["joints", "energy.total"], every=every, controller=lambda sim: calls.append(sim.time))
        assert led.time == until and led.state_hash == plain.state_hash
        assert list(a) == list(b) and all((a[name] == b[name]).all() for name in a)
        assert len(calls) == led.steps
    for wrong in (float("nan"), float("inf")):
        with pytest.raises((ValueError, cardan.StepError)):
            led.run(wrong, controller=lambda sim: None)


def test_the_force_of_a_run_ends_with_it(pendulum):
    sim, plain = cardan.Simulation(pendulum), cardan.Simulation(pendulum)
    sim.run(0.01, force=lambda t, x, v: np.array([[0, 0, 100.0, 0, 0, 0]]))
    plain.set_state(*sim.state())
    assert abs(sim.a - plain.a).max() < 1e-12


def test_options_of_robot_files():
    fixed, free = cardan.load("four-bar-walker"), cardan.load("four-bar-walker", floating=True)
    assert free.nv == fixed.nv + 6
    ground = cardan.Simulation(cardan.load("five-bar-walker", floating=True, floor=-0.301), dt=1e-3)
    ground.run(0.1)
    assert len(ground.contacts()) == 4
    home, reach = cardan.load("delta"), cardan.load("delta", keyframe="reach")
    assert home.text != reach.text
    with pytest.raises(cardan.SceneError, match="no key frame"):
        cardan.load("delta", keyframe="rech")
    with pytest.raises(TypeError, match="no option `float`"):
        cardan.load("delta", float=True)
    with pytest.raises(TypeError, match="is an option of robot files"):
        cardan.load("four-bar", floating=True)
    with pytest.raises(ValueError, match="`hull`, `exact` or `leave`"):
        cardan.load("delta", meshes="none")
    # A copy for other processes is the scene that the file became.
    assert pickle.loads(pickle.dumps(free)).nv == free.nv


def test_a_replay_is_one_page_with_the_poses_of_the_run(four_bar, tmp_path):
    sim = cardan.Simulation(four_bar)
    before = sim.state_hash
    page = sim.replay(until=0.4, fps=50, path=tmp_path / "run.html")
    assert sim.state_hash == before and (tmp_path / "run.html").read_text() == page.text
    assert "http" not in page.text.replace("http-equiv", "") and "src=" not in page.text
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.text, re.S)[1])
    assert len(data["times"]) == len(data["poses"]) == 21 and data["times"][-1] == 0.4
    sim.run(0.4)
    np.testing.assert_allclose(np.array(data["poses"][-1]).reshape(-1, 7), sim.poses(), atol=1e-6)
    # The line of a body goes through its joints, wherever it is.
    crank = list(four_bar.bodies).index("crank")
    pose, ends = sim.poses()[crank], [sim.joint(name)["position"] for name in ("A", "B")]
    from cardan.replay import _rotation

    points = [pose[:3] + _rotation(pose[3:]) @ np.array(p) for p in data["lines"][crank]]
    for end in ends:
        assert min(np.linalg.norm(p - end) for p in points) < 1e-5
    assert page._repr_html_().startswith("<iframe")

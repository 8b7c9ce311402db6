"""Sweeps: any executor, one digest; logs that survive; failures as rows."""

import concurrent.futures as futures
import contextlib
import importlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import cardan
from cardan.sweep import _run_rows

VARY = {"bodies.coupler.mass": list(np.linspace(0.5, 2.5, 8)), "bodies.crank.mass": [0.4, 0.8]}
MEASURE = ["peak:joints.A.drive.0", "last:joints.A.coordinates.0"]


def small(executor=None, **more):
    arguments = dict(measure=MEASURE, until=0.02, progress=False) | more
    return cardan.sweep("driven-four-bar", arguments.pop("vary", VARY), executor=executor, **arguments)


class Now(futures.Executor):
    """Runs in the caller, last first: the order does not count."""

    def __init__(self):
        self.calls = 0

    def submit(self, fn, *args, **kwargs):
        self.calls += 1
        future = futures.Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="module")
def digest():
    return small(Now()).digest


def test_a_grid_has_a_row_for_every_combination(digest):
    done = small(Now(), chunk=3)
    assert done.digest == digest and len(done) == 16 and not done.failed
    table = done.table()
    assert list(table["bodies.crank.mass"][:4]) == [0.4, 0.8, 0.4, 0.8]
    # The same simulation, by hand.
    model = cardan.load("driven-four-bar", set={"bodies.coupler.mass": VARY["bodies.coupler.mass"][5], "bodies.crank.mass": 0.8})
    sim = cardan.Simulation(model)
    run = sim.run(0.02, record="joints.A.drive.0")
    assert done.hashes[11] == sim.state_hash
    assert table["peak:joints.A.drive.0"][11] == np.abs(run["joints.A.drive.0"]).max()


@pytest.mark.parametrize("pool", [futures.ThreadPoolExecutor, futures.ProcessPoolExecutor])
def test_any_executor_gives_the_same_digest(pool, digest):
    with pool(2) as executor:
        assert small(executor).digest == digest


def test_rows_may_be_given_one_by_one(digest):
    pandas = pytest.importorskip("pandas")
    rows = [{"bodies.coupler.mass": a, "bodies.crank.mass": b} for a in VARY["bodies.coupler.mass"] for b in (0.4, 0.8)]
    assert small(Now(), vary=rows).digest == digest
    assert small(Now(), vary=pandas.DataFrame(rows)).digest == digest
    frame = small(Now(), vary=rows).to_pandas()
    assert len(frame) == 16 and frame["error"].isna().all()
    with pytest.raises(cardan.StudyError, match="row 1 has the parameters"):
        small(Now(), vary=[{"a": 1}, {"b": 2}])


def swing(sim):
    table = sim.run(record="joints.A.drive.0")
    if sim.model.masses[1] > 2.4:
        raise RuntimeError("too heavy")
    return {"mean": table["joints.A.drive.0"].mean()}


def test_a_function_may_measure_and_a_failed_row_is_a_row_with_its_error():
    with futures.ProcessPoolExecutor(2) as executor:
        done = small(executor, measure=swing)
    assert set(done.failed) == {14, 15} and done.failed[15] == "RuntimeError: too heavy"
    table = done.table()
    assert np.isnan(table["mean"][14:]).all() and np.isfinite(table["mean"][:14]).all()
    assert small(Now(), measure=swing).digest == done.digest
    bad = small(Now(), vary={"bodies.coupler.mass": [1.0, -1.0]})
    assert list(bad.failed) == [1] and "mass" in bad.failed[1]


def test_a_log_goes_on_and_runs_nothing_twice(tmp_path, digest):
    log = tmp_path / "study.log"

    class Tired(Now):
        def submit(self, fn, study, measure, rows):
            if self.calls == 5:
                raise RuntimeError("enough")
            return super().submit(fn, study, measure, rows)

    with pytest.raises(RuntimeError, match="enough"):
        small(Tired(), log=log, chunk=2)
    first = log.read_text().splitlines()
    assert len(first) == 1 + 5 * 2
    with pytest.raises(cardan.StudyError, match="exists"):
        small(Now(), log=log)

    class Watching(Now):
        rows = []

        def submit(self, fn, study, measure, rows):
            self.rows += [row for row, _ in rows]
            return super().submit(fn, study, measure, rows)

    watching = Watching()
    # A torn last line, as a killed writer leaves it.
    log.write_text("\n".join(first) + "\n" + first[-1][:40])
    assert small(watching, log=log, resume=True, chunk=2).digest == digest
    logged = {json.loads(line.split(" ", 1)[1])["row"] for line in first[1:]}
    assert set(watching.rows) == set(range(16)) - logged and len(watching.rows) == 6
    assert small(Watching(), log=log, resume=True).digest == digest
    with pytest.raises(cardan.StudyError, match="another study"):
        small(Now(), log=log, resume=True, until=0.03)
    text = log.read_text()
    log.write_text(text.replace("state_hash", "state_hush", 1))
    with pytest.raises(cardan.StudyError, match="line 2: the checksum is wrong"):
        small(Now(), log=log, resume=True)


def test_a_full_disk_is_an_error_and_what_is_written_stays(tmp_path, digest):
    log = tmp_path / "full.log"
    script = textwrap.dedent(
        f"""
        import resource, signal, sys
        sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))
        import test_sweep
        try:
            test_sweep.small(test_sweep.Now(), log={str(log)!r}, chunk=1)
        except OSError as error:
            print(error)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "finished rows are in the log" in done.stdout, done.stderr
    lines = log.read_text().splitlines(keepends=True)
    assert len(lines) > 3 and all(line.endswith("\n") for line in lines)
    assert small(Now(), log=log, resume=True).digest == digest


class Dying(Now):
    """A pool whose worker dies."""

    def submit(self, fn, *args):
        future = futures.Future()
        future.set_exception(futures.BrokenExecutor("a process was killed"))
        return future


def test_a_dead_worker_is_a_clear_error(tmp_path):
    with pytest.raises(cardan.StudyError, match="a worker died.*16 rows are left"):
        small(Dying(), log=tmp_path / "dead.log")


def die_once(sim):
    marker = pathlib.Path(os.environ["CARDAN_TEST_MARKER"])
    if not marker.exists():
        marker.write_text("x")
        os.kill(os.getpid(), signal.SIGKILL)
    sim.run()
    return 1.0


def test_a_worker_that_dies_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDAN_TEST_MARKER", str(tmp_path / "marker"))
    done = small(None, measure=die_once, workers=2, log=tmp_path / "again.log", vary={"bodies.crank.mass": [1, 2, 3]})
    assert len(done) == 3 and not done.failed


def die_in_one(sim):
    if sim.model.masses[0] == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    sim.run()
    return 1.0


def test_a_row_that_kills_its_worker_is_a_failed_row():
    done = small(None, measure=die_in_one, workers=2, vary={"bodies.crank.mass": [1, 2, 3]})
    assert done.failed == {1: "the worker process died 3 times in this row"} and len(done) == 3


@pytest.mark.parametrize("wrong", [dict(chunk=0), dict(workers=0), dict(workers=-1)])
def test_numbers_below_one_are_refused(wrong):
    with pytest.raises(cardan.StudyError, match="1 or more"):
        small(Now(), **wrong)


def test_what_was_set_in_the_model_holds_before_what_varies():
    path = "bodies.crank.mass"
    model = cardan.load("driven-four-bar").set({path: 0.5}).set({path: 0.8})
    vary = {"bodies.coupler.mass": [1.0]}
    direct = small(Now(), vary=[{"bodies.coupler.mass": 1.0, path: 0.8}])
    done = cardan.sweep(model, vary, MEASURE, Now(), until=0.02, progress=False)
    assert done.hashes == direct.hashes and done.table()[path][0] == 0.8
    masses = cardan.sweep(model, {path: [0.4, 2.0]}, lambda sim: sim.model.masses[0], Now(), progress=False)
    assert list(masses.table()["result"]) == [0.4, 2.0]


def test_integers_stay_integers_and_failed_rows_name_no_file(tmp_path):
    study = cardan._cardan.Study(cardan.load("driven-four-bar"), ["a", "b", "c"], [["3", "3.50", "1e0"]], [], None, None)
    assert study.values(0) == ["3", "3.5", "1.0"]
    text, found = cardan.load("driven-four-bar").text, []
    for name in ("one.toml", "other.toml"):
        (tmp_path / name).write_text(text)
        for measure in (MEASURE, swing):
            found.append(cardan.sweep(tmp_path / name, {"bodies.crank.mass": [-1]}, measure, Now(), progress=False))
    assert found[0].failed == found[2].failed and found[0].digest == found[2].digest
    assert found[1].failed == found[3].failed and "mass" in found[1].failed[0]


def test_a_scene_with_a_script_says_that_nothing_follows_it():
    with pytest.warns(UserWarning, match="script"):
        model = cardan.load("clutch")
    done = cardan.sweep(model, {"simulation.dt": [1e-3]}, lambda sim: 1.0, Now(), progress=False)
    assert "script" in done.failed[0]


def test_an_error_of_a_worker_or_a_callback_loses_no_finished_row(tmp_path):
    class Odd(Now):
        """All but the first come back; the first has an error of a file that is not the log."""

        def submit(self, fn, study, measure, rows):
            future = super().submit(fn, study, measure, rows)
            if rows[0][0] == 0:
                future = futures.Future()
                future.set_exception(OSError("a mesh is not there"))
            return future

    def refuse(told):
        raise RuntimeError("not shown")

    for executor, progress, error, kept in ((Odd(), False, OSError, 7), (Now(), refuse, RuntimeError, 8)):
        log = tmp_path / f"{error.__name__}.log"
        with pytest.raises(error):
            small(executor, log=log, chunk=1, workers=4, progress=progress)
        assert len(log.read_text().splitlines()) == 1 + kept


def in_group(group):
    """Processes of a group that still run."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            state, _, own = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:3]
        except (OSError, ValueError, IndexError):
            continue
        if int(own) == group and state != "Z":
            found.append(entry.name)
    return found


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


def rows_in(log):
    return max(log.read_bytes().count(b"\n") - 1, 0) if log.exists() else 0


@pytest.mark.skipif(not pathlib.Path("/proc/self/stat").exists(), reason="reads /proc")
def test_workers_end_with_a_parent_that_is_killed_alone(tmp_path):
    log, here = tmp_path / "orphans.log", str(pathlib.Path(__file__).parent)
    script = f"import sys; sys.path.insert(0, {here!r})\nif __name__ == '__main__':\n    import test_sweep; test_sweep.small(None, workers=2, chunk=1, log={str(log)!r}, until=0.2)"
    process = subprocess.Popen([sys.executable, "-c", script], start_new_session=True)
    wait_for(lambda: rows_in(log) > 0 or process.poll() is not None)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_for(lambda: not in_group(process.pid), 20)
    done = rows_in(log)
    again = small(Now(), log=log, resume=True, until=0.2)
    assert done > 0 and len(again) == 16


@pytest.mark.parametrize("seed", range(2))
def test_a_killed_sweep_goes_on_to_the_same_digest(tmp_path, seed, digest):
    log, rng = tmp_path / "killed.log", np.random.default_rng(seed)
    here = str(pathlib.Path(__file__).parent)
    script = f"import sys; sys.path.insert(0, {here!r})\nif __name__ == '__main__':\n    import test_sweep; print(test_sweep.small(None, workers=2, chunk=1, log={str(log)!r}, resume=True, until=0.2).digest)"
    whole = small(Now(), until=0.2).digest
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script], start_new_session=True, stdout=subprocess.PIPE)
        before = rows_in(log)
        wait_for(lambda: rows_in(log) > before or process.poll() is not None)
        time.sleep(rng.uniform(0.0, 0.05))
        with contextlib.suppress(ProcessLookupError):  # it may have come to its end
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == whole, done.stderr
    rows = [json.loads(line.split(" ", 1)[1]).get("row") for line in log.read_text().splitlines()[1:]]
    assert sorted(rows) == list(range(16))


def test_progress_tells_rate_and_failures():
    told = []
    small(Now(), progress=told.append, chunk=4)
    assert told[-1]["done"] == told[-1]["total"] == 16 and told[-1]["failed"] == 0 and told[-1]["rate"] > 0
    assert [entry["done"] for entry in told] == [4, 8, 12, 16]


def test_dask_gives_the_same_digest(digest):
    distributed = pytest.importorskip("distributed")
    local = dict(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with distributed.LocalCluster(**local) as cluster, distributed.Client(cluster) as client:
        assert small(client.get_executor()).digest == digest


def test_ray_gives_the_same_digest(digest):
    ray = pytest.importorskip("ray")
    from cardan.executors import RayExecutor

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert small(RayExecutor(2)).digest == digest
    finally:
        ray.shutdown()


def test_mpi_gives_the_same_digest(digest, tmp_path):
    pytest.importorskip("mpi4py")
    folder = pathlib.Path(sys.executable).parent
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([str(folder), os.environ.get("PATH", "")]))
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    script = tmp_path / "mpi.py"
    tests = str(pathlib.Path(__file__).parent)
    script.write_text(
        f"import sys; sys.path.insert(0, {tests!r})\n"
        "from mpi4py.futures import MPIPoolExecutor\n"
        "from test_sweep import small\n"
        "if __name__ == '__main__':\n"
        "    with MPIPoolExecutor() as pool:\n"
        "        print(small(pool, workers=2).digest)\n"
    )
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout.strip() == digest, done.stderr[-2000:]


def test_a_log_knows_which_function_measured(tmp_path):
    log = tmp_path / "study.log"

    def measured(body):
        # A function of the same name with another body.
        (tmp_path / "measuring.py").write_text(f"def end(sim):\n    sim.run(0.01)\n    return {body}\n")
        sys.modules.pop("measuring", None)
        importlib.invalidate_caches()
        importlib.import_module("linecache").clearcache()
        return importlib.import_module("measuring").end

    sys.path.insert(0, str(tmp_path))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        first = small(Now(), measure=measured("sim.q[0]"), log=log)
        assert small(Now(), measure=measured("sim.q[0]"), log=log, resume=True).digest == first.digest
        with pytest.raises(cardan.StudyError, match="measures differ"):
            small(Now(), measure=measured("2 * sim.q[0]"), log=log, resume=True)
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(tmp_path))


def test_a_log_knows_what_measures_apart():
    import functools

    from cardan.sweep import _source_hash

    def scaled(by):
        return lambda sim: by * sim.time

    def power(sim, exponent, *, offset=0.0):
        return sim.time**exponent + offset

    made = [eval("lambda sim: 2 * sim.time"), eval("lambda sim: 3 * sim.time"), scaled(1), scaled(2)]
    made += [functools.partial(power, exponent=n) for n in (1, 2)] + [functools.partial(power, exponent=1, offset=1.0)]
    assert len({_source_hash(function) for function in made}) == len(made)
    assert _source_hash(scaled(2)) == _source_hash(scaled(2))

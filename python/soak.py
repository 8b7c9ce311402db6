"""A sweep of 10 000 four-bars that is killed ten times (parent and workers, SIGKILL at random moments), resumed, and
compared with one that was not; then on Dask and Ray, where they are installed. Some minutes.

python soak.py [rows] [kills]
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

import cardan


def study(rows, executor=None, **more):
    vary = {"bodies.coupler.mass": np.linspace(0.5, 4.0, rows // 20), "bodies.rocker.mass": np.linspace(0.5, 2.0, 20)}
    return cardan.sweep(
        "driven-four-bar", vary, measure=["peak:joints.A.drive.0"], executor=executor, until=0.1, progress=False, **more
    )


def logged(path):
    """Numbers of the rows whose lines are whole."""
    text = path.read_text() if path.exists() else ""
    lines = [line for line in text.splitlines(keepends=True)[1:] if line.endswith("\n")]
    return [json.loads(line.split(" ", 1)[1])["row"] for line in lines]


def main(rows, kills):
    folder = pathlib.Path(tempfile.mkdtemp())
    begin = time.monotonic()
    whole = study(rows, log=folder / "whole.log")
    took = time.monotonic() - begin
    print(f"unbroken: {len(whole)} rows in {took:.1f} s ({rows / took:.0f} rows/s), {len(whole.failed)} failed, digest {whole.digest}")

    log, rng = folder / "killed.log", random.Random(1)
    command = [sys.executable, __file__, "child", str(rows), str(log)]
    before = []
    for kill in range(kills):
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 0.5 + 1.2 * took / kills))
        os.killpg(process.pid, signal.SIGKILL)  # the parent and its workers at once
        process.wait()
        now = logged(log)
        assert now[: len(before)] == before, "a row that was logged is gone"
        before = now
        print(f"  kill {kill + 1}: {len(now)} rows in the log")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    all_rows = logged(log)
    assert done.stdout.strip() == whole.digest, (done.stdout, whole.digest)
    assert sorted(all_rows) == list(range(rows)), "a row is missing or there twice"
    assert all_rows[: len(before)] == before
    print(f"after {kills} kills: the same digest, every row once")

    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        print("Dask is not installed")
    else:
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            assert study(rows, client.get_executor()).digest == whole.digest
        print("Dask: the same digest")
    try:
        import ray
    except ImportError:
        print("Ray is not installed")
    else:
        from cardan.executors import RayExecutor

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        assert study(rows, RayExecutor()).digest == whole.digest
        ray.shutdown()
        print("Ray: the same digest")


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        print(study(int(sys.argv[2]), log=sys.argv[3], resume=True).digest)
    else:
        numbers = [int(x) for x in sys.argv[1:]]
        main(*(numbers + [10_000, 10][len(numbers) :]))

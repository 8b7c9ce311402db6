"""A sweep of a four-bar on a process pool, and the same on a local Dask or Ray where they are installed.

python sweep.py
"""

# %% The study: 40 values of one mass, 5 of another
import sys
import tempfile
from pathlib import Path

import numpy as np

import cardan

quick = "--quick" in sys.argv
vary = {
    "bodies.coupler.mass": np.linspace(0.5, 4.0, 3 if quick else 40),
    "bodies.rocker.mass": np.linspace(0.5, 2.0, 2 if quick else 5),
}
measure = ["peak:joints.A.drive.0", "rms:joints.A.drive.0"]


def run(executor=None, **more):
    return cardan.sweep(
        "driven-four-bar", vary, measure=measure, executor=executor, until=0.05 if quick else 1.0, **more
    )


# %% On all cores, with a log that survives a kill
if __name__ == "__main__":
    log = Path(tempfile.mkdtemp()) / "four-bar.log"
    done = run(log=log)
    print(done)
    table = done.table()
    best = int(np.argmin(table["peak:joints.A.drive.0"]))
    print("least peak torque:", {name: float(values[best]) for name, values in table.items()})
    # Nothing is left to do, so that this comes from the log alone.
    assert run(log=log, resume=True).digest == done.digest

    # %% On a local Dask cluster
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        print("Dask is not installed")
    else:
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            assert run(client.get_executor()).digest == done.digest
            print("Dask: the same digest")

    # %% On a local Ray
    try:
        import ray
    except ImportError:
        print("Ray is not installed")
    else:
        from cardan.executors import RayExecutor

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        assert run(RayExecutor()).digest == done.digest
        print("Ray: the same digest")
        ray.shutdown()

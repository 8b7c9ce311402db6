"""Executors of clusters that do not bring one of their own."""

from __future__ import annotations

from concurrent.futures import Executor, Future


class RayExecutor(Executor):
    """Ray as a `concurrent.futures.Executor`: ``cardan.sweep(…, executor=RayExecutor())``.

    ``options`` are those of a Ray task, such as ``num_cpus`` or ``max_retries``. Ray must be initialised, or is on the
    first use. For Dask take ``client.get_executor()``, for MPI ``mpi4py.futures.MPIPoolExecutor``.
    """

    def __init__(self, max_workers: int | None = None, **options):
        import ray

        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        self._ray = ray
        self._max_workers = max_workers or int(ray.cluster_resources().get("CPU", 1))
        task = ray.remote(_call)
        self._task = task.options(**options) if options else task

    def submit(self, fn, /, *args, **kwargs) -> Future:
        """Starts a task; the future is done when Ray has its result."""
        return self._task.remote(fn, args, kwargs).future()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ray stays up: it may serve others."""


def _call(fn, args, kwargs):
    return fn(*args, **kwargs)

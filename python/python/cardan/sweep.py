"""Sweeps: one scene with many rows of values, on any `concurrent.futures.Executor`.

A scene as text and the values of a row go out; results and a state hash come back. The parent keeps the log
(docs/studies.md): append-only, a checksum per line, the same digest for the same study whatever ran it and in which
order. A sweep that was killed goes on from its log.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import multiprocessing
import multiprocessing.connection
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from . import _cardan
from .errors import SceneError, StudyError
from .table import Table

#: A row whose worker process dies so often is a failed row: once among others, then alone.
_LIVES = 3
#: The disk is waited for at most so often [s].
_SYNC_TIME = 1.0
#: Chunks are made so long that one takes about this time [s].
_CHUNK_TIME = 0.25


class Sweep:
    """What came of a sweep: one row each, in order.

    ``digest`` is over all rows; ``failed`` has the errors by row number; ``table()`` the numbers of all others.
    """

    def __init__(self, parameters: Sequence[str], rows: Sequence[tuple], digest: str):
        self.parameters = list(parameters)
        self.rows = list(rows)
        self.digest = digest

    @property
    def failed(self) -> dict[int, str]:
        """Errors by row number."""
        return {row: error for row, _, outcome, error in self.rows if outcome is None}

    @property
    def hashes(self) -> list[str | None]:
        """State hashes by row; None where a row failed."""
        return [outcome[1] if outcome else None for _, _, outcome, _ in self.rows]

    def table(self) -> Table:
        """Row numbers, parameters that are numbers, and results: NaN where a row failed."""
        columns: dict[str, list[float]] = {"row": [float(row) for row, *_ in self.rows]}
        for k, name in enumerate(self.parameters):
            columns[name] = [_number(values[k]) for _, values, _, _ in self.rows]
        names = sorted({name for _, _, outcome, _ in self.rows if outcome for name in outcome[0]})
        for name in names:
            columns[name] = [
                outcome[0].get(name, float("nan")) if outcome else float("nan") for _, _, outcome, _ in self.rows
            ]
        return Table(columns)

    def to_pandas(self):
        """The table as a data frame, with state hashes and errors."""
        frame = self.table().to_pandas()
        frame["state_hash"] = self.hashes
        frame["error"] = [error for *_, error in self.rows]
        return frame

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Sweep({len(self.rows)} rows, {len(self.failed)} failed, digest {self.digest})"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _rows_of(vary) -> tuple[list[str], list[list[str]]]:
    """Names and texts of values: the grid of a dict of lists, or rows as they are."""
    if isinstance(vary, Mapping):
        names = [str(name) for name in vary]
        lists = [[_cardan.toml_value(value) for value in _each(values)] for values in vary.values()]
        return names, [list(row) for row in itertools.product(*lists)]
    rows = vary.to_dict("records") if hasattr(vary, "to_dict") else list(vary)
    names = [str(name) for name in rows[0]] if rows else []
    for number, row in enumerate(rows):
        if [str(name) for name in row] != names:
            raise StudyError(f"row {number} has the parameters {list(row)}; those of row 0 are {names}")
    return names, [[_cardan.toml_value(value) for value in row.values()] for row in rows]


def _each(values) -> Iterable[Any]:
    return [values] if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") else values


def _measures(measure) -> tuple[list[str], Callable | None]:
    if measure is None:
        return [], None
    if callable(measure):
        name = f"{getattr(measure, '__module__', '')}.{getattr(measure, '__qualname__', type(measure).__name__)}"
        return [f"function {name} {_source_hash(measure)}"], measure
    return ([measure] if isinstance(measure, str) else [str(name) for name in measure]), None


def _source_hash(function: Callable) -> str:
    """A hash of a function: a log knows which one measured. It covers the source (or the code, where there is
    none), the constants, the defaults, what it closes over and the arguments of a `functools.partial`."""
    return hashlib.sha256("\n".join(_parts(function)).encode()).hexdigest()[:16]


def _parts(function: Callable) -> Iterator[str]:
    function = inspect.unwrap(function)
    if isinstance(function, functools.partial):
        yield f"partial {_shown(function.args)} {_shown(sorted(function.keywords.items()))}"
        yield from _parts(function.func)
        return
    if inspect.ismethod(function):
        yield f"of {_shown(vars(function.__self__) if hasattr(function.__self__, '__dict__') else function.__self__)}"
    try:
        yield inspect.getsource(function if inspect.isroutine(function) else type(function))
    except (OSError, TypeError):
        yield type(function).__qualname__
    code = getattr(function, "__code__", None)
    if code is not None:
        yield from _code(code)
    yield _shown(getattr(function, "__defaults__", None))
    yield _shown(getattr(function, "__kwdefaults__", None))
    for cell in getattr(function, "__closure__", None) or ():
        try:
            yield _shown(cell.cell_contents)
        except ValueError:  # not bound yet
            yield "empty"


def _code(code) -> Iterator[str]:
    yield f"{code.co_names} {code.co_varnames}"
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _code(constant)
        elif isinstance(constant, frozenset):  # in no order that lasts
            yield repr(sorted(map(repr, constant)))
        else:
            yield repr(constant)


def _shown(value) -> str:
    """A value as text, without the addresses of objects: those change from run to run."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _run_rows(study: tuple, measure: Callable | None, rows: list[tuple[int, list[str]]]) -> list[tuple]:
    """Runs rows in a worker. What fails is a row with its error."""
    model_arguments, parameters, measures, until, dt = study
    model = _cardan.load_text(*model_arguments)
    own = _cardan.Study(model, parameters, [values for _, values in rows], measures, until, dt)
    done = []
    for at, (row, _) in enumerate(rows):
        if measure is None:
            _, values, outcome, error = own.run(at)
        else:
            values, outcome, error = own.values(at), None, None
            try:
                outcome = _measured(own.model(at), measure)
            except Exception as failure:  # a row with its error, whatever it is
                error = f"{type(failure).__name__}: {_told(failure)}"
        done.append((row, values, outcome, error))
    return done


def _told(failure: Exception) -> str:
    """The text of an error, without the file of a scene: a digest does not depend on where a scene is."""
    if isinstance(failure, SceneError) and failure.message:
        path = f"{failure.path}: " if failure.path else ""
        return f"{path}{failure.message}" + (f" ({failure.help})" if failure.help else "")
    return str(failure)


def _measured(model, measure) -> tuple[dict[str, float], str]:
    from .simulation import Simulation

    sim = Simulation(model)
    results = measure(sim)
    if not isinstance(results, Mapping):
        results = {"result": results}
    return {str(name): float(x) for name, x in results.items()}, sim.state_hash


class _Progress:
    """Rows done, rate, time left, failures; on one line of the terminal."""

    def __init__(self, total: int, done: int, show: bool | Callable | None):
        self.total, self.done, self.begin, self.before = total, done, time.monotonic(), done
        self.failed = 0
        self.call = show if callable(show) else None
        self.show = show is True or (show is None and sys.stderr.isatty())
        self.shown = 0.0

    def add(self, rows: list[tuple]) -> None:
        self.done += len(rows)
        self.failed += sum(outcome is None for _, _, outcome, _ in rows)
        now = time.monotonic()
        rate = (self.done - self.before) / max(now - self.begin, 1e-9)
        left = (self.total - self.done) / rate if rate > 0 else float("inf")
        if self.call:
            self.call(dict(done=self.done, total=self.total, rate=rate, left=left, failed=self.failed))
        if self.show and (now - self.shown > 0.2 or self.done == self.total):
            self.shown = now
            text = f"\r{self.done}/{self.total} rows, {rate:.0f} rows/s, {left:.0f} s left, {self.failed} failed "
            sys.stderr.write(text + ("\n" if self.done == self.total else ""))
            sys.stderr.flush()


def sweep(
    scene,
    vary,
    measure: str | Sequence[str] | Callable | None = None,
    executor: Executor | None = None,
    *,
    until: float | None = None,
    dt: float | None = None,
    log: str | os.PathLike | None = None,
    resume: bool = False,
    progress: bool | Callable | None = None,
    workers: int | None = None,
    chunk: int | None = None,
) -> Sweep:
    """Runs a scene once for every row of values.

    ``vary`` is a dict of lists by path (all combinations, the last name fastest), a list of dicts, or a data frame.
    ``measure`` names columns (``"joints.A.drive.0"``: the last value; ``"peak:…"``, ``"max:…"``, ``"min:…"``,
    ``"rms:…"``), or is a function that is given the simulation at its start, runs it and returns a number or a dict of
    numbers. ``executor`` is any `concurrent.futures.Executor` (one process per core without one; Dask's
    ``client.get_executor()``, ``mpi4py.futures``, `cardan.executors.RayExecutor`). With ``log`` every finished row is
    written to that file at once, and ``resume=True`` goes on with one. ``workers`` is how many rows run at once (cores, or
    what the executor says; say it for a cluster that is larger than this machine), ``chunk`` how many rows go out together.

    >>> import cardan
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     done = cardan.sweep("driven-four-bar", {"bodies.coupler.mass": [0.5, 1.0, 2.0]},
    ...                         measure="peak:joints.A.drive.0", executor=pool, until=0.05)
    >>> len(done), done.failed, len(done.table()["peak:joints.A.drive.0"])
    (3, {}, 3)
    """
    from . import load

    for name, number in (("chunk", chunk), ("workers", workers)):
        if number is not None and number < 1:
            raise StudyError(f"{name} is a number of 1 or more, not {number}")
    model = scene if isinstance(scene, _cardan.Model) else load(scene)
    names, rows = _rows_of(vary)
    measures, function = _measures(measure)
    study = _cardan.Study(model, names, rows, measures, until, dt)
    names = study.parameters
    book = _cardan.StudyLog(log, study, resume) if log is not None else None
    try:
        missing = book.missing() if book else list(range(len(study)))
        finished: list[tuple] = book.rows() if book else []
        shown = _Progress(len(study), len(finished), progress)

        keep = _Keeper(book, finished, shown)
        payload = (model.__reduce__()[1], names, measures, until, dt)
        todo = [(row, study.values(row)) for row in missing]
        _run_all(payload, function, todo, executor, workers, chunk, keep)
        if book:
            book.sync()
            finished = book.rows()
        finished.sort(key=lambda row: row[0])
        return Sweep(names, finished, book.digest if book else _cardan.digest_of(finished))
    finally:
        if book:
            book.close()


class _Keeper:
    """Takes finished rows into the log, or a list, and tells of them."""

    def __init__(self, book, finished: list[tuple], shown: _Progress):
        self.book, self.finished, self.shown = book, finished, shown
        self.lost = False  # whether the log takes no more
        self.synced = time.monotonic()

    def store(self, done: list[tuple]) -> None:
        if self.book is None:
            self.finished.extend(done)
            return
        try:
            for row in done:
                self.book.append(*row)
            if time.monotonic() - self.synced > _SYNC_TIME:
                self.book.sync()
                self.synced = time.monotonic()
        except OSError:
            self.lost = True
            raise

    def __call__(self, done: list[tuple]) -> None:
        self.store(done)
        self.shown.add(done)


def _end_with_parent() -> None:
    """In a worker: ends it when the process that started it is gone, in whatever way."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch():
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _own_pool(workers: int | None, function: Callable | None) -> ProcessPoolExecutor:
    """Processes that begin anew: they hold no file of this one, and end with it."""
    main = sys.modules.get("__main__")
    typed = getattr(function, "__module__", None) == "__main__" and not hasattr(main, "__file__")
    # A function that was typed into a notebook is only there in a copy of this process.
    how = "fork" if typed and "fork" in multiprocessing.get_all_start_methods() else "spawn"
    return ProcessPoolExecutor(workers, multiprocessing.get_context(how), initializer=_end_with_parent)


def _count(pool: Executor, workers: int | None) -> int:
    """How many rows an executor runs at once, as far as it says so."""
    for count in (workers, getattr(pool, "num_workers", None), getattr(pool, "_max_workers", None)):
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1


def _run_all(payload, function, todo, executor, workers, chunk, keep) -> None:
    own = executor is None
    todo = list(reversed(todo))  # taken from the end
    while todo:
        pool = _own_pool(workers, function) if own else executor
        count = _count(pool, workers)
        in_flight: dict[Any, tuple[list, float]] = {}
        size = chunk or 1
        death = None
        try:
            while todo or in_flight:
                while todo and len(in_flight) < 2 * count:
                    part = [todo.pop() for _ in range(min(size, len(todo)))]
                    try:
                        in_flight[pool.submit(_run_rows, payload, function, part)] = (part, time.monotonic())
                    except BaseException:
                        todo.extend(reversed(part))
                        raise
                done, _ = wait(in_flight, return_when=FIRST_COMPLETED)
                for future in done:
                    part, begin = in_flight[future]
                    rows = future.result()
                    del in_flight[future]
                    keep(rows)
                    if chunk is None:
                        # Two chunks per worker are in flight, so that one waits while the other runs.
                        each = (time.monotonic() - begin) / (2 * len(part))
                        size = max(1, min(2 * size, int(_CHUNK_TIME / max(each, 1e-6)), 256))
        except BrokenExecutor as error:
            death = error
        finally:
            for future in in_flight:
                future.cancel()
            if own:
                pool.shutdown(wait=True, cancel_futures=True)
            # What came back before the end, or while the pool was shut down, is kept.
            suspects = [] if keep.lost else _harvest(in_flight, keep)
        if death is not None and not own:
            left = sorted(row for row, _ in todo + suspects)
            raise StudyError(
                f"a worker died ({death}); {len(left)} rows are left, the first of them {left[:5]}: what is "
                "finished is kept, and resume=True goes on from the log"
            ) from death
        if death is not None:
            _run_alone(payload, function, suspects, keep, count)


def _harvest(in_flight, keep) -> list[tuple]:
    """Keeps what came back, and returns the rows that did not."""
    left = []
    for future, (part, _) in in_flight.items():
        if future.done() and not future.cancelled() and future.exception() is None:
            keep.store(future.result())
        else:
            left.extend(part)
    return left


def _run_alone(payload, function, suspects, keep, count: int) -> None:
    """Runs rows that were in flight when a worker died, each alone in a process: one of them may be what kills it."""
    lock, stop = threading.Lock(), threading.Event()

    def run(share: list[tuple]) -> None:
        pool = None
        try:
            for part in share:
                for life in range(1, _LIVES):
                    if stop.is_set():
                        return
                    pool = pool or _ready_pool(function)
                    try:
                        rows = pool.submit(_run_rows, payload, function, [part]).result()
                    except BrokenExecutor:
                        pool.shutdown(wait=True)
                        pool = None
                        if life + 1 < _LIVES:
                            continue
                        rows = [(*part, None, f"the worker process died {_LIVES} times in this row")]
                    with lock:
                        keep(rows)
                    break
        finally:
            if pool is not None:
                pool.shutdown(wait=True, cancel_futures=True)

    with ThreadPoolExecutor(count) as threads:
        shares = [threads.submit(run, suspects[k::count]) for k in range(min(count, len(suspects)))]
        try:
            for share in shares:
                share.result()
        except BaseException:
            stop.set()
            raise


def _ready_pool(function) -> ProcessPoolExecutor:
    """One process that has shown that it runs."""
    pool = _own_pool(1, function)
    try:
        pool.submit(os.getpid).result()
    except BrokenExecutor as death:
        pool.shutdown(wait=True)
        raise StudyError(
            f'worker processes cannot start ({death}): a script that sweeps needs if __name__ == "__main__":'
        ) from death
    return pool

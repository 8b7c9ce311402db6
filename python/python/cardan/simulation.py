"""`Simulation`: the class of the extension with what is better said in Python."""

from __future__ import annotations

from typing import Callable, Iterable, Sequence

import numpy as np

from ._cardan import Simulation as _Simulation
from .table import Table


class Simulation(_Simulation):
    """A running mechanism.

    ``Simulation(model, integrator=None, dt=None, **settings)``: what is left out is what the scene says. ``settings``
    are those of its table ``[simulation]``, such as ``coordinates="auto"`` or ``accounts="off"``.

    For a control loop take joint coordinates, semi-implicit Euler and no accounts:

    >>> import cardan
    >>> sim = cardan.Simulation(cardan.load("double-pendulum"), integrator="semi-implicit-euler",
    ...                         dt=1e-3, coordinates="auto", accounts="off")
    >>> while sim.time < 0.5:
    ...     sim.effort = -2.0 * sim.v
    ...     sim.step()
    >>> round(sim.time, 9)
    0.5
    """

    def run(
        self,
        until: float | None = None,
        record: Sequence[str] | str | bool | None = None,
        every: float | None = None,
        controller: Callable[["Simulation"], None] | None = None,
        force: Callable[[float, np.ndarray, np.ndarray], np.ndarray] | None = None,
    ) -> Table | None:
        """Runs to a time (that of the scene without one) and returns a `Table` of what is recorded.

        ``record`` names columns (``model.columns``) or prefixes of them; ``True`` records the usual ones: energies,
        joint coordinates, forces of drives. Rows are taken after every step, or at every ``every`` seconds.

        ``controller(sim)`` is called before every step and sets commands. ``force(time, poses, velocities)`` is called
        before every step with arrays of [body × 7] and [body × 6] and returns wrenches of [body × 6] at the centres of
        mass, world axes, which are constant over the step; after the run there are none. Either costs its own time and
        about a microsecond per step. Steps and rows are those of a run without them; Ctrl-C ends a run after the step at
        hand, and the simulation stands there.

        >>> import cardan
        >>> sim = cardan.Simulation(cardan.load("driven-four-bar"))
        >>> table = sim.run(0.1, record=["joints.A.drive.0"], every=0.01)
        >>> list(table), len(table["time"])
        (['time', 'joints.A.drive.0'], 11)
        """
        end = self.model.until if until is None else float(until)
        if record is None and controller is None and force is None:
            self._run(end, None)
            return None
        names = [] if record is True else ([record] if isinstance(record, str) else list(record or []))
        if controller is None and force is None:
            found = self._run(end, names, every)
            assert found is not None  # columns were asked for
            return Table._of_rows(*found, self.model.title)
        return self._run_with(end, None if record is None or record is False else names, every, controller, force)

    def _run_with(self, until, names, every, controller, force):
        every = 0.0 if every is None else float(every)
        if not (np.isfinite(until) and np.isfinite(every) and every >= 0):
            raise ValueError("until and every must be finite numbers of seconds")
        rows, head, early = [], None, 1e-9 * (every or self.dt)

        def take():
            nonlocal head
            head_names, units, row = self._run(self.time, names)
            head = (head_names, units)
            rows.append((self.time, row[-1]))

        self.assemble()
        begin, due = self.time, 1
        if names is not None:
            take()
        try:
            while self._has_step(until):
                if force is not None:
                    self.set_wrenches(force(self.time, self.poses(), self.velocities()))
                if controller is not None:
                    controller(self)
                self._step_toward(until)
                if names is not None and (not every or self.time >= begin + due * every - early):
                    take()
                    due = int((self.time - begin + early) / every) + 1 if every else 0
        finally:
            # What the function commanded for the last step holds no longer.
            if force is not None:
                self.set_wrenches(np.zeros((len(self.model.bodies), 6)))
        if names is None:
            return None
        if rows[-1][0] != self.time:
            take()
        return Table._of_rows(*head, np.array([row for _, row in rows]), self.model.title)

    def linearise_along(self, states: Iterable[tuple[np.ndarray, np.ndarray]]):
        """A and B at each of several states (q, v): arrays [k × 2nv × 2nv] and [k × 2nv × nv]. The simulation stays
        where it is.
        """
        kept = self.snapshot()
        a, b = [], []
        try:
            for q, v in states:
                self.set_state(q, v)
                own_a, own_b = self.linearise()
                a.append(own_a)
                b.append(own_b)
        finally:
            self.restore(kept)
        return np.array(a), np.array(b)

    def plot(self, path=None):
        """Draws the mechanism as it stands: see `cardan.plot`."""
        from .plot import plot_simulation

        return plot_simulation(self, path)

    def replay(self, until: float | None = None, fps: float = 30.0, path=None):
        """The run from here to a time (that of the scene without one) as one page of HTML, which plays it in any browser
        without anything else; notebooks show it. The simulation stays where it is. ``path`` writes the page, too.

        >>> import cardan
        >>> page = cardan.Simulation(cardan.load("four-bar")).replay(until=0.5)
        >>> "<canvas" in page.text, len(page.text) < 100_000
        (True, True)
        """
        from .replay import page

        made = page(self, self.model.until if until is None else float(until), fps)
        if path is not None:
            made.save(path)
        return made

    def _repr_html_(self) -> str:
        from .plot import simulation_svg

        return f"<div>{self!r}</div>{simulation_svg(self)}"

    def __deepcopy__(self, memo):
        make, arguments = self.__reduce__()
        return make(*arguments)

    def copy(self) -> "Simulation":
        """A simulation of the same model in the same state.

        >>> import cardan
        >>> sim = cardan.Simulation(cardan.load("four-bar")); sim.step(10)
        >>> other = sim.copy(); sim.step(5); other.step(5)
        >>> sim.state_hash == other.state_hash
        True
        """
        return self.__deepcopy__({})


def _restored(cls, model, changes, dt, snapshot):
    sim = cls(model, _changes=changes)
    sim.dt = dt
    sim.restore(snapshot)
    return sim

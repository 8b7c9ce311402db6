"""cardan: exact simulation of constrained mechanisms.

>>> import cardan
>>> model = cardan.load("double-pendulum")          # a bundled scene, a file, or a text
>>> sim = cardan.Simulation(model, dt=1e-3)
>>> sim.step(1000)
>>> round(sim.time, 9), sim.certificate["max_position_error"] < 1e-12
(1.0, True)
>>> table = sim.run(until=2.0, record=["joints", "energy.total"])
>>> len(table["time"]), table.units["energy.total"]
(1001, 'J')

Arrays are in joint order (docs/control.md): ``sim.q``, ``sim.v``, ``sim.a``, ``sim.effort``; ``model.joints``
has the name, the ranges and the limits of each joint. SI units and radians; quaternions are w, x, y, z.
"""

from __future__ import annotations

import os as _os

from . import errors
from ._cardan import Batch as _Batch
from ._cardan import Joint, Model, bundled
from ._cardan import load as _load
from ._cardan import load_text as _load_text
from .errors import Error, ModelError, SceneError, StepError, StudyError
from .simulation import Simulation, _restored
from .sweep import Sweep, sweep
from .table import Table

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Error",
    "Joint",
    "Model",
    "ModelError",
    "SceneError",
    "Simulation",
    "StepError",
    "StudyError",
    "Sweep",
    "Table",
    "bundled",
    "errors",
    "load",
    "sweep",
]


def load(source, *, name: str = "scene", folder=None, set: dict | None = None, **robot) -> Model:
    """Reads a model.

    ``source`` is a path (`.toml`, `.json`, `.urdf`, `.xml` of MJCF, `.sdf`), the name of a bundled scene
    (`cardan.bundled()`), or the text of a scene or robot file. ``set`` changes values by path. Files that a text
    names are looked for in ``folder``.

    Of a robot file ``floating=True`` frees the root link, ``floor=0.0`` puts a plane below it, ``keyframe="home"``
    starts from a key frame of MJCF, ``packages={"ur_description": "/opt/ur"}`` says where packages are; and
    ``self_collision``, ``meshes`` (``"hull"``, ``"exact"``, ``"leave"``), ``allow_outside``,
    ``allow_unphysical_inertia`` are as the command has them (docs/robots.md).

    >>> pendulum = load('''
    ... [bodies.bob]
    ... kind = "particle"
    ... mass = 1.0
    ... position = [0.3, 0, -0.4]
    ... [joints.rod]
    ... kind = "distance"
    ... a = "ground"
    ... b = "bob"
    ... ''')
    >>> pendulum.bodies, pendulum.nq, pendulum.nv
    (['bob'], 3, 3)
    >>> load("four-bar", set={"simulation.dt": 1e-4}).dt
    0.0001
    >>> load("four-bar-walker").nv, load("four-bar-walker", floating=True).nv
    (16, 22)
    """
    text = _os.fspath(source)
    if isinstance(text, bytes):
        text = text.decode()
    if "\n" in text or text.lstrip().startswith("<"):
        model = _load_text(name, text, None if folder is None else _os.fspath(folder), robot=robot or None)
    else:
        model = _load(text, robot or None)
    return model.set(set) if set else model


class Batch(_Batch):
    """Many mechanisms of one structure, stepped together in SIMD lanes and on threads.

    Each has the bits of a `Simulation` of its own with the same settings: semi-implicit Euler, joint coordinates where
    the model suits them, no accounts. ``vary`` gives values of their own to the mechanisms, by path.

    >>> import numpy as np
    >>> batch = Batch(load("double-pendulum"), 8, dt=1e-3)
    >>> batch.set_state(np.zeros((8, 2)), np.linspace(0, 1, 16).reshape(8, 2))
    0.0
    >>> batch.step(100)
    >>> q, v = batch.rollout(50)
    >>> q.shape, v.shape, len(batch)
    ((8, 50, 2), (8, 50, 2), 8)
    """

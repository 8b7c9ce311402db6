"""Gymnasium environments of any scene or robot: `make` for one or for many.

Observations, rewards and terminations are functions of arrays of [mechanism × …], for one mechanism of one row; many are
one `cardan.Batch`.

>>> import numpy as np
>>> import cardan, cardan.gym
>>> env = cardan.gym.make("double-pendulum", steps=100,
...                       reward=lambda q, v, action: -np.square(v).sum(-1))
>>> obs, info = env.reset(seed=1)
>>> obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
>>> obs.shape, terminated, truncated
((4,), False, False)
"""

from __future__ import annotations

from typing import Any, Callable

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import Batch, Model, load

Observe = Callable[[np.ndarray, np.ndarray], np.ndarray]
Reward = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
Done = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _joined(q, v):
    return np.concatenate([q, v], axis=-1)


class _World:
    """What both environments have: a batch, spaces, and how a step goes."""

    def __init__(self, model, n, *, dt, skip, steps, action, scale, observe, reward, terminate, noise, start, settings):
        self.model = model if isinstance(model, Model) else load(model)
        if action not in (None, "effort", "target"):
            raise ValueError(f"action is 'effort' or 'target', not {action!r}")
        self.by_target = action == "target" or (action is None and self.model.nu > 0)
        size = self.model.nu if self.by_target else self.model.nv
        if size == 0:
            raise ValueError("the model has no servo to set and no freedom to push: there is no action")
        self.batch = Batch(self.model, n, dt=dt, **settings)
        self.n, self.skip, self.steps = n, int(skip), steps
        self.scale = np.broadcast_to(np.asarray(scale, float), (size,))
        self.observe, self.reward, self.terminate = observe or _joined, reward, terminate
        self.noise, self.start = noise, start
        self.count = np.zeros(n, int)
        begin_q, begin_v = self.batch.state()
        self.begin = (begin_q, begin_v) if start is None else tuple(np.broadcast_to(x, own.shape) for x, own in zip(start, (begin_q, begin_v)))
        probe = np.asarray(self.observe(begin_q[:1], begin_v[:1]))
        self.observation_space = spaces.Box(-np.inf, np.inf, probe.shape[1:], np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (size,), np.float32)

    def observation(self):
        q, v = self.batch.state()
        return np.ascontiguousarray(self.observe(q, v), dtype=np.float64)

    def reset(self, which, rng):
        """Puts some back to the start, with noise of its own each."""
        which = np.asarray(which, int)
        self.batch.reset(which.tolist())  # time and commands too; all others stay as they are
        if self.noise or self.start is not None:
            q, v = (np.array(begin[which]) for begin in self.begin)
            if self.noise:
                # Positions that are quaternions stay; angles and lengths move a little within their limits, and all
                # rates.
                for joint in self.model.joints.values():
                    (first, last), rates = joint.positions, joint.rates
                    if joint.in_tree and last - first == rates[1] - rates[0]:
                        for k, (low, high) in zip(range(first, last), joint.limits):
                            q[:, k] = np.clip(q[:, k] + rng.uniform(-self.noise, self.noise, len(which)), low, high)
                v += rng.uniform(-self.noise, self.noise, v.shape)
            self.batch.set_state(q, v, which.tolist())
        self.count[which] = 0

    def step(self, actions):
        actions = np.asarray(actions, float).reshape(self.n, -1) * self.scale
        self.batch.step(self.skip, **{"target" if self.by_target else "effort": actions})
        self.count += 1
        q, v = self.batch.state()
        zero = np.zeros(self.n)
        reward = zero if self.reward is None else np.asarray(self.reward(q, v, actions), float)
        ended = zero.astype(bool) if self.terminate is None else np.asarray(self.terminate(q, v), bool)
        late = self.count >= self.steps if self.steps else zero.astype(bool)
        failures = self.batch.failures()
        for index in failures:
            late[index] = True
        return np.ascontiguousarray(self.observe(q, v), np.float64), reward, ended, late, failures


class Environment(gymnasium.Env):
    """One mechanism as a Gymnasium environment: see `make`."""

    metadata = {"render_modes": ["svg"]}

    def __init__(self, model, render_mode: str | None = None, **options: Any):
        self._world = _World(model, 1, **options)
        self.observation_space, self.action_space = self._world.observation_space, self._world.action_space
        self.render_mode = render_mode
        self.model = self._world.model

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        """Back to the start."""
        super().reset(seed=seed)
        self._world.reset([0], self.np_random)
        return self._world.observation()[0], {}

    def step(self, action):
        """One decision: ``skip`` steps of the engine. A solver that fails truncates, with the reason in ``info``."""
        obs, reward, ended, late, failures = self._world.step(np.asarray(action)[None])
        info = {"failure": failures[0]} if failures else {}
        return obs[0], float(reward[0]), bool(ended[0]), bool(late[0]), info

    def render(self):
        """The mechanism as SVG, with ``render_mode="svg"``."""
        if self.render_mode != "svg":
            return None
        from . import Simulation
        from .plot import simulation_svg

        sim = Simulation(self.model)
        q, v = self._world.batch.state()
        sim.set_state(q[0], v[0])
        return simulation_svg(sim)


class VectorEnvironment(VectorEnv):
    """Many mechanisms in one `Batch`; one that has ended starts again at the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, model, n: int, **options: Any):
        self._world = _World(model, n, **options)
        self.num_envs = n
        self.single_observation_space = self._world.observation_space
        self.single_action_space = self._world.action_space
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self.model = self._world.model
        self._ended = np.zeros(n, bool)

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        """All back to the start."""
        super().reset(seed=seed)
        self._world.reset(np.arange(self.num_envs), self.np_random)
        self._ended[:] = False
        return self._world.observation(), {}

    def step(self, actions):
        """One decision of each."""
        again = np.flatnonzero(self._ended)
        obs, reward, ended, late, failures = self._world.step(actions)
        if len(again):
            self._world.reset(again, self.np_random)
            obs = self._world.observation()
            reward = np.where(self._ended, 0.0, reward)
            ended, late = ended & ~self._ended, late & ~self._ended
        self._ended = ended | late
        info: dict[str, Any] = {}
        if failures:
            reasons = np.array([failures.get(k) for k in range(self.num_envs)], object)
            info = {"failure": reasons, "_failure": np.array([k in failures for k in range(self.num_envs)])}
        return obs, reward, ended, late, info


def make(
    model,
    n: int | None = None,
    *,
    dt: float | None = None,
    skip: int = 10,
    steps: int | None = 1000,
    action: str | None = None,
    scale=1.0,
    observe: Observe | None = None,
    reward: Reward | None = None,
    terminate: Done | None = None,
    noise: float = 0.0,
    start=None,
    render_mode: str | None = None,
    **settings: Any,
):
    """An environment of a model, a file or a bundled scene; a vector environment with ``n``.

    An action in [−1, 1] times ``scale`` is an effort of every joint, or a target of every servo (``action``; servos where
    there are any). A decision holds for ``skip`` steps of ``dt``. ``observe(q, v)`` makes observations (positions and
    rates without it), ``reward(q, v, action)`` and ``terminate(q, v)`` the rest, on arrays of [n × …]. An episode is cut
    after ``steps`` decisions. ``start`` is (q, v) of the start, ``noise`` what is added to it. A mechanism whose solver
    fails is truncated, with the reason in ``info["failure"]``.
    """
    options = dict(dt=dt, skip=skip, steps=steps, action=action, scale=scale, observe=observe, reward=reward)
    options |= dict(terminate=terminate, noise=noise, start=start, settings=settings)
    if n is None:
        return Environment(model, render_mode=render_mode, **options)
    return VectorEnvironment(model, n, **options)

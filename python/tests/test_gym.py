"""Gymnasium environments, checked by Gymnasium's own checker."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import cardan  # noqa: E402
import cardan.gym  # noqa: E402


def upright(q, v, action):
    return -np.square(q).sum(-1) - 0.1 * np.square(v).sum(-1)


@pytest.mark.parametrize("model", ["double-pendulum", "desk-arm"])
def test_gymnasium_finds_nothing_wrong(model):
    from gymnasium.utils.env_checker import check_env

    env = cardan.gym.make(model, reward=upright, noise=0.1, steps=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_many_are_what_each_alone_is():
    many = cardan.gym.make("double-pendulum", 6, reward=upright, steps=5, scale=3.0)
    one = cardan.gym.make("double-pendulum", reward=upright, steps=5, scale=3.0)
    obs, _ = many.reset(seed=3)
    assert obs.shape == (6, 4) and many.single_action_space.shape == (2,)
    one.reset(seed=3)
    rng = np.random.default_rng(0)
    for k in range(5):
        actions = rng.uniform(-1, 1, (6, 2)).astype(np.float32)
        obs, reward, ended, late, _ = many.step(actions)
        own, own_reward, *_ = one.step(actions[4])
        assert np.array_equal(obs[4], own) and reward[4] == own_reward
    assert late.all() and not ended.any()
    # The step after the end begins again.
    obs, reward, ended, late, _ = many.step(actions)
    begin, _ = many.reset()
    assert np.array_equal(obs, begin) and not reward.any() and not late.any()


def test_terminations_and_failures():
    env = cardan.gym.make("double-pendulum", terminate=lambda q, v: np.abs(v).max(-1) > 0.5)
    env.reset()
    assert any(env.step(np.zeros(2))[2] for _ in range(200))
    env = cardan.gym.make("double-pendulum", scale=1e300, skip=50)
    env.reset()
    for _ in range(50):
        _, _, _, truncated, info = env.step(np.ones(2))
        if truncated:
            break
    assert truncated and info["failure"]
    obs, _ = env.reset()
    assert np.isfinite(obs).all()
    assert "<svg" in cardan.gym.make("double-pendulum", render_mode="svg").render()


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_a_reset_puts_the_clock_back_and_leaves_the_others(noise):
    many = cardan.gym.make("driven-four-bar" if not noise else "double-pendulum", 3, noise=noise)
    begin, _ = many.reset(seed=2)
    actions = np.zeros((3, *many.single_action_space.shape))
    for _ in range(4):
        later = many.step(actions)[0]
    world, before = many._world, many._world.batch.state_hashes()
    assert world.batch.time > 0
    world.reset(np.array([0]), many.np_random)
    assert world.batch.time == 0 and world.batch.state_hashes()[1:] == before[1:]
    assert list(world.count) == [0, 4, 4]
    # The same motion again: a drive is a function of time.
    if not noise:
        assert np.array_equal(world.observation()[0], begin[0])
        for _ in range(4):
            again = many.step(actions)[0]
        assert np.array_equal(again[0], later[0])

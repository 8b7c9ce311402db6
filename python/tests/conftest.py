"""What tests share: scenes of one page each, and the arm of the examples."""

import pathlib
import sys

import pytest

import cardan

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "examples"))
import arms  # noqa: E402

#: Settings of a control loop: joint coordinates, semi-implicit Euler, no accounts.
FAST = dict(integrator="semi-implicit-euler", coordinates="auto", accounts="off")

PENDULUM = """
title = "Pendulum"
gravity = [0, 0, -9.81]
[bodies.rod]
shape = { kind = "rod", length = 1.0, radius = 0.01 }
mass = 2
position = [0.5, 0, 0]
[joints.hinge]
kind = "revolute"
a = "ground"
b = "rod"
anchor = [0, 0, 0]
axis = [0, 1, 0]
[simulation]
dt = 1e-3
until = 1
"""


@pytest.fixture(scope="session")
def arm():
    return cardan.load(arms.urdf(), name="arm7.urdf")


@pytest.fixture(scope="session")
def servo_arm():
    return cardan.load(arms.mjcf(), name="arm7.xml")


@pytest.fixture(scope="session")
def pendulum():
    return cardan.load(PENDULUM, name="pendulum.toml")


@pytest.fixture(scope="session")
def four_bar():
    return cardan.load("driven-four-bar")

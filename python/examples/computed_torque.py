"""Computed-torque control of a 7-axis arm from URDF at 1 kHz: q̈ = q̈_d + Kd ė + Kp e, τ = H q̈ + b.

python computed_torque.py
"""

# %% The arm, with the settings of a control loop
import pathlib
import sys
import time

import numpy as np

import cardan

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import arms

quick = "--quick" in sys.argv
model = cardan.load(arms.urdf(), name="arm7.urdf")
sim = cardan.Simulation(model, dt=1e-3, integrator="semi-implicit-euler", coordinates="auto", accounts="off")

# %% A path in joint space
amplitude = np.array([0.6, 0.4, 0.5, 0.7, 0.4, 0.5, 0.8])
speed = np.array([1.0, 1.4, 0.8, 1.2, 1.6, 1.1, 0.9])


def wanted(t):
    return (
        amplitude * np.sin(speed * t),
        amplitude * speed * np.cos(speed * t),
        -amplitude * speed**2 * np.sin(speed * t),
    )


# %% The loop
stiffness, damping = 900.0, 60.0
q_d, v_d, _ = wanted(0.0)
sim.set_state(q_d + 0.05, v_d)
until, errors = (0.5 if quick else 5.0), []
begin = time.perf_counter()
while sim.time < until:
    q, v = sim.state()
    q_d, v_d, a_d = wanted(sim.time)
    sim.effort = sim.inverse_dynamics(a_d + damping * (v_d - v) + stiffness * (q_d - q))
    sim.step()
    errors.append(np.abs(q_d - q).max())
took = time.perf_counter() - begin
print(f"{until / took:.0f} × real time; error {errors[0]:.3f} rad at the start, {errors[-1]:.1e} rad at the end")

# %% The error dies like e^(−30 t) (1 + 30 t), down to what a step of 1 ms leaves
assert errors[-1] < 2e-3

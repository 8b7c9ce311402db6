"""A four-bar study: the torque of the crank over a turn, and how it depends on the coupler's mass.

    python four_bar_torque.py          writes torque.svg and peak.svg
"""

# %% The torque that the motor needs
import sys

import numpy as np

import cardan

quick = "--quick" in sys.argv
until = 0.2 if quick else 3.0
model = cardan.load("driven-four-bar")
sim = cardan.Simulation(model)
table = sim.run(until, record=["joints.A.coordinates", "joints.A.drive", "energy.total"])
torque = table["joints.A.drive.0"]
print(f"peak torque {np.abs(torque).max():.3f} N·m, rms {np.sqrt(np.mean(torque**2)):.3f} N·m")
table.plot("joints.A.drive", path="torque.svg")

# %% The work of the motor is the change of energy
power = torque * np.gradient(table["joints.A.coordinates.0"], table["time"])
work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(table["time"]))
change = table["energy.total"][-1] - table["energy.total"][0]
print(f"work {work:.6f} J, change of energy {change:.6f} J")
assert abs(work - change) < 1e-4 * max(1.0, abs(change))

# %% Peak torque against the mass of the coupler
masses = np.linspace(0.5, 4.0, 4 if quick else 15)
peaks = []
for mass in masses:
    own = cardan.Simulation(model.set({"bodies.coupler.mass": mass}))
    run = own.run(until, record=["joints.A.drive.0"])
    peaks.append(np.abs(run["joints.A.drive.0"]).max())
study = cardan.Table({"mass": masses, "peak torque": peaks}, {"mass": "kg", "peak torque": "N·m"}, "Four-bar")
study.plot("peak torque", x="mass", path="peak.svg")
assert all(np.diff(peaks) > 0) or quick

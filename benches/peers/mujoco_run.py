"""Steps one MJCF file in MuJoCo: `mujoco_run.py SCENE.xml VELOCITIES.json STEPS [--measure]`, one JSON object out.

The clock runs over all steps in one call. With `--measure` the run is done once more, step by step, and contacts are
looked for again at the poses after each step; it must end with the very bits of the first.
"""

import json
import sys
import time

import mujoco
import numpy


def start(model, velocities):
    data = mujoco.MjData(model)
    for name, values in velocities.items():
        first = model.joint(name).dofadr[0]
        data.qvel[first : first + len(values)] = values
    return data


def main():
    xml, velocities, steps = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3])
    model = mujoco.MjModel.from_xml_path(xml)

    data = start(model, velocities)
    clock = time.perf_counter()
    mujoco.mj_step(model, data, nstep=steps)
    seconds = time.perf_counter() - clock
    if abs(data.time - steps * model.opt.timestep) > 1e-6:
        sys.exit(f"MuJoCo reset the run: it is at {data.time} s (warnings: {data.warning.number})")
    ended = data.qpos.copy()

    overlap, iterations = None, None
    if "--measure" in sys.argv:
        overlap, rounds = 0.0, 0
        data = start(model, velocities)
        for _ in range(steps):
            mujoco.mj_step(model, data)
            rounds += int(data.solver_niter.sum())
            mujoco.mj_fwdPosition(model, data)
            if data.ncon:
                overlap = max(overlap, float(-data.contact.dist.min()))
        iterations = rounds / steps
        if not numpy.array_equal(ended, data.qpos):
            print("MuJoCo: the measured run is not the timed one", file=sys.stderr)

    mujoco.mj_forward(model, data)
    mujoco.mj_energyVel(model, data)
    option = model.opt
    solver = mujoco.mjtSolver(option.solver).name.removeprefix("mjSOL_")
    integrator = mujoco.mjtIntegrator(option.integrator).name.removeprefix("mjINT_")
    cone = mujoco.mjtCone(option.cone).name.removeprefix("mjCONE_")
    print(
        json.dumps(
            {
                "steps": steps,
                "seconds": seconds,
                "overlap": overlap,
                "gap": 0.0 if "--measure" in sys.argv else None,
                "kinetic": float(data.energy[1]),
                "iterations": iterations,
                "settings": f"{solver}, at most {option.iterations} iterations, tolerance {option.tolerance:g}, "
                f"{integrator}, {cone} cones",
                "version": mujoco.__version__,
            }
        )
    )


main()

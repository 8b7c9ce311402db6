"""Random MJCF models beside MuJoCo: accelerations with loops, couplers, springs, tendons and actuators.

MuJoCo's equalities are soft. Beside them stand its own mass matrix, forces and Jacobians with exact multipliers:

    M a = f + Jᵀ λ,   J a = 0        in the pose of the file, at rest, where J̇ q̇ = 0

Models without equalities are compared while they move, too.
"""

import random

import numpy as np
import pytest

import cardan

mujoco = pytest.importorskip("mujoco")


class Generator:
    """A model of hinges and slides from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.angle = 57.29577951308232 if self.chance(0.5) else 1.0
        self.joints = []
        count = self.random.randint(2, 6)
        self.parents = [self.random.randrange(-1, i) for i in range(count)]

    def chance(self, part):
        return self.random.random() < part

    def numbers(self, count=3, size=1.0):
        return " ".join(f"{self.random.uniform(-size, size):.3f}" for _ in range(count))

    def between(self, low, high):
        return f"{self.random.uniform(low, high):.3f}"

    def orientation(self):
        ways = [
            lambda: f'quat="{self.numbers(4)}"',
            lambda: f'euler="{self.numbers(3, self.angle)}"',
            lambda: f'axisangle="{self.numbers(3)} {self.between(-self.angle, self.angle)}"',
            lambda: f'xyaxes="{self.numbers(6)}"',
            lambda: f'zaxis="{self.numbers(3)}"',
            lambda: "",
        ]
        return self.random.choice(ways)()

    def joint(self):
        name, kind = f"j{len(self.joints)}", self.random.choice(["hinge", "hinge", "slide"])
        unit = self.angle if kind == "hinge" else 1.0
        self.joints.append(name)
        text = f'<joint name="{name}" type="{kind}" pos="{self.numbers(3, 0.2)}" axis="{self.numbers()}"'
        if self.chance(0.4):
            text += f' ref="{self.between(-0.5 * unit, 0.5 * unit)}"'
        if self.chance(0.3):
            text += f' stiffness="{self.between(0, 5)}" springref="{self.between(-0.5 * unit, 0.5 * unit)}"'
        if self.chance(0.3):
            text += f' armature="{self.between(0, 0.5)}"'
        if self.chance(0.3):
            text += f' damping="{self.between(0, 2)}"'
        if self.chance(0.1):
            text += f' springdamper="{self.between(0.1, 1)} {self.between(0.5, 1.5)}"'
        return text + (' class="soft"/>' if self.chance(0.2) else "/>")

    def inertia(self):
        moments = " ".join(self.between(0.2, 0.3) for _ in range(3))
        start = f'<inertial pos="{self.numbers(3, 0.2)}" mass="{self.between(0.5, 2)}"'
        if self.chance(0.3):
            return f'{start} diaginertia="{moments}" {self.orientation()}/>'
        if self.chance(0.3):
            return f'{start} fullinertia="{moments} {self.numbers(3, 0.03)}"/>'
        kind = self.random.choice(["box", "sphere", "capsule", "cylinder", "ellipsoid"])
        size = " ".join(self.between(0.05, 0.3) for _ in range(3))
        return f'<geom type="{kind}" size="{size}" pos="{self.numbers(3, 0.3)}" {self.orientation()}/>'

    def body(self, i):
        text = f'<body name="b{i}" pos="{self.numbers(3, 0.5)}" {self.orientation()}>'
        frame = self.chance(0.2)
        text += f'<frame pos="{self.numbers(3, 0.2)}" {self.orientation()}>' if frame else ""
        text += "".join(self.joint() for _ in range(self.random.choice([1, 1, 1, 2, 0]) if i else 1))
        text += self.inertia() + f'<site name="s{i}" pos="{self.numbers(3, 0.3)}"/>' + ("</frame>" if frame else "")
        return text + "".join(self.body(c) for c, p in enumerate(self.parents) if p == i) + "</body>"

    def equality(self):
        a, b = self.random.sample(range(len(self.parents)), 2)
        one, two = self.random.choice(self.joints), self.random.choice(self.joints)
        anchor = f'anchor="{self.numbers(3, 0.3)}"'
        ways = [f'<connect body1="b{a}" body2="b{b}" {anchor}/>', f'<connect body1="b{a}" {anchor}/>']
        ways += [f'<weld body1="b{a}" body2="b{b}" {anchor}/>', f'<joint joint1="{one}" polycoef="0"/>']
        if one != two:
            ways.append(f'<joint joint1="{one}" joint2="{two}" polycoef="0 {self.numbers(4)}"/>')
        return self.random.choice(ways)

    def actuator(self):
        text = f'joint="{self.random.choice(self.joints)}" gear="{self.between(-3, 3)}"'
        text += f' ctrlrange="{self.between(0.1, 0.5)} {self.between(0.6, 1)}"' if self.chance(0.4) else ""
        bias = f"{self.between(-1, 1)} {self.between(-3, 0)} {self.between(-1, 0)}"
        servo = f'<position {text} kp="{self.between(0.5, 5)}"'
        ways = [f"<motor {text}/>", f'<velocity {text} kv="1"/>', f'{servo} kv="{self.between(0, 2)}"/>']
        ways.append(f'{servo} dampratio="{self.between(0.5, 1.5)}"/>')
        return self.random.choice(ways + [f'<general {text} biastype="affine" biasprm="{bias}"/>'])

    def model(self):
        degrees = "degree" if self.angle > 1 else "radian"
        axes = "".join(self.random.choice("xyzXYZ") for _ in range(3))
        bodies = "".join(self.body(i) for i, p in enumerate(self.parents) if p < 0)
        tendon = f'<fixed stiffness="{self.between(0, 3)}"><joint joint="{self.joints[0]}" coef="{self.between(1, 2)}"/></fixed>'
        tendon += f'<spatial stiffness="{self.between(0, 30)}"><site site="s"/><site site="s0"/></spatial>'
        return (
            f'<mujoco><compiler angle="{degrees}" eulerseq="{axes}" balanceinertia="true"/>'
            '<option><flag contact="disable"/></option><default><geom density="500"/><general gainprm="2"/>'
            f'<default class="soft"><joint stiffness="1" springref="{0.1 * self.angle}"/></default></default>'
            f'<worldbody><site name="s" pos="{self.numbers(3, 0.3)}"/>{bodies}</worldbody><tendon>{tendon}</tendon>'
            f"<equality>{''.join(self.equality() for _ in range(self.random.randrange(3)))}</equality>"
            f"<actuator>{''.join(self.actuator() for _ in range(self.random.randrange(3)))}</actuator></mujoco>"
        )


def expected(model, rates):
    """Accelerations in the pose of the file at these rates, with exact equalities."""
    data = mujoco.MjData(model)
    data.qvel[:] = rates
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, data, mass)
    except TypeError:  # before MuJoCo 4
        mujoco.mj_fullM(model, mass, data.qM)
    # In coordinates of unit mass λ takes away what J sees of the force.
    inverse = np.linalg.inv(np.linalg.cholesky(mass))
    force, rows = inverse @ data.qfrc_smooth, data.efc_J.reshape(-1, model.nv)[: data.ne] @ inverse.T
    if len(rows):
        _, sizes, seen = np.linalg.svd(rows, full_matrices=False)
        seen = seen[sizes > 1e-9 * max(1.0, sizes.max())]
        force = force - seen.T @ (seen @ force)
    return inverse.T @ force


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_models_accelerate_as_in_mujoco(first):
    compared = 0
    for seed in range(first, first + 20):
        text = Generator(seed).model()
        model = mujoco.MjModel.from_xml_string(text)
        sim = cardan.Simulation(cardan.load(text), integrator="rk4")
        joints = [sim.model.joints[model.joint(k).name] for k in range(model.njnt)]
        rates = np.zeros(model.nv)
        if model.neq == 0:
            rates = np.random.default_rng(seed).uniform(-1, 1, model.nv)
            own = np.zeros(sim.model.nv)
            for joint, rate in zip(joints, rates):
                own[joint.v] = rate
            sim.v = own
        wanted, found = expected(model, rates), sim.a
        size = max(1.0, np.abs(wanted).max())
        for k, joint in enumerate(joints):
            # A joint that closes a loop has no place in the arrays.
            if joint.in_tree:
                assert abs(found[joint.v][0] - wanted[k]) < 1e-9 * size, (seed, joint.name)
                compared += 1
    assert compared > 40

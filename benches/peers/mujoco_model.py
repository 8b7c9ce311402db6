"""MuJoCo models of described mechanisms: loops are `connect` constraints, couplers fixed tendons, servos position actuators.

The law of an effort is f = torque + gain (target − x) − stiffness (x − rest) − damping ẋ: the gain is a position actuator, the
torque a motor, the damping that of the joint, which MuJoCo can take implicitly. What a mechanism does not use is switched off
(sensors always), so that MuJoCo is as fast as it can be. Feet are boxes that touch the floor and nothing else.
"""

import functools
import json

import mujoco
import numpy as np
from trees import grow

# Constraints that are stiff instead of as they come: a time constant of two steps, and nothing given.
GIVES_NOTHING = [0.9999, 0.9999, 0.001, 0.5, 2.0]
# A limit is looked at this near to it [rad, m]: one that is touched to rounding must be among the rows.
TOUCHED = 1e-6
# The rules of steps. `explicit` is Euler with damping like any other force. What follows a slash is the kind of friction cones.
RULES = ("euler", "explicit", "implicitfast")
ITERATIONS, TOLERANCE = 100, 1e-8


def build(description, dt, stiff=False, rule="euler"):
    """The mechanism, built call by call: MuJoCo's reader of XML does not go deeper than 500 bodies."""
    nodes, loops = grow(description)
    soles, (rule, _, cone) = description.get("soles", []), rule.partition("/")
    laws = [law for node in nodes if (law := node.effort())]
    couplers, limited = description.get("couplers", []), [n for n in nodes if n.joint and n.joint.get("limits")]
    spec = mujoco.MjSpec()
    spec.compiler.autolimits, spec.compiler.degree = False, False
    spec.option.timestep, spec.option.gravity = dt, description["gravity"]
    if rule == "implicitfast":
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    if cone == "elliptic":
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    if soles:
        spec.option.iterations, spec.option.tolerance = ITERATIONS, TOLERANCE
    used = {
        "CONTACT": soles,
        "ACTUATION": any(law["gain"] or law["torque"] for law in laws),
        "SPRING": any(law["stiffness"] for law in laws),
        "DAMPER": any(law["damping"] for law in laws),
        "EULERDAMP": rule != "explicit",
        "LIMIT": limited,
        "EQUALITY": loops or couplers,
        "CONSTRAINT": loops or couplers or limited or soles,
    }
    for name in ["SENSOR"] + [name for name, use in used.items() if not use]:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
    bodies = {None: spec.worldbody}
    for node in nodes:
        bodies[node] = add(bodies[node.parent], node)
        actuate(spec, node)
        if stiff and node in limited:
            joint = spec.joint(node.joint["name"])
            joint.solref_limit, joint.solimp_limit = [2 * dt, 1.0], GIVES_NOTHING
    stand(spec, bodies, soles)
    bonds = [connect(spec, loop) for loop in loops] + [couple(spec, nodes, i, terms) for i, terms in enumerate(couplers)]
    for bond in bonds:
        if stiff:
            bond.solref, bond.solimp = [2 * dt, 1.0], GIVES_NOTHING
    return spec.compile(), nodes, loops


def add(parent, node):
    """A body whose frame is at its centre of mass, and its joint."""
    position, turn = node.position, node.turn
    if node.parent:
        position = node.parent.turn.T @ (position - node.parent.position)
        turn = node.parent.turn.T @ turn
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, turn.flatten())
    body = parent.add_body(name=node.name, pos=position, quat=quat, mass=node.body["mass"], explicitinertial=True)
    body.ipos, body.iquat = [0, 0, 0], [1, 0, 0, 0]
    inertia = node.inertia
    if np.abs(inertia - np.diag(np.diag(inertia))).max() < 1e-14 * np.abs(inertia).max():
        body.inertia = np.diag(inertia)
    else:
        body.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    if node.kind == "free":
        body.add_freejoint()
        return body
    # The axis that stays with the parent comes first.
    axes = {"cross": ["axis", "axis2"], "weld": []}.get(node.kind, ["axis"])
    for i, name in enumerate(axes):
        kind = "hinge" if node.kind == "cross" else node.kind
        joint = body.add_joint(name=node.joint["name"] + "'" * i, type=getattr(mujoco.mjtJoint, f"mjJNT_{kind.upper()}"))
        joint.pos = node.turn.T @ (node.place - node.position)
        if node.axis is not None:
            joint.axis = node.turn.T @ getattr(node, name)
    return body


def stand(spec, bodies, soles):
    """The floor, and a box for every sole."""
    named = {node.name: body for node, body in bodies.items() if node}
    if soles:
        floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 1], contype=1, conaffinity=0)
        floor.friction[0] = soles[0]["friction"]
    for sole in soles:
        half = [edge / 2 for edge in sole["size"]]
        box = named[sole["body"]].add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half, contype=0, conaffinity=1, mass=0)
        box.friction[0] = sole["friction"]


def own(node, x):
    """A value of cardan's coordinate in that of MuJoCo, which is zero at the start and of child beside parent."""
    return node.sign * (x - node.joint["coordinates"][0])


def actuate(spec, node):
    """Efforts and limits of a hinge or slide."""
    law, limits = node.effort(), node.joint and node.joint.get("limits")
    if not law and not limits:
        return
    joint = spec.joint(node.joint["name"])
    if limits:
        joint.limited, joint.range, joint.margin = True, sorted(own(node, x) for x in limits), TOUCHED
    if not law:
        return
    joint.stiffness[0], joint.springref, joint.damping[0] = law["stiffness"], own(node, law["rest"]), law["damping"]
    for what in ("gain", "torque"):
        if law[what]:
            drive = spec.add_actuator(name=f"{what} {joint.name}", target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            drive.set_to_position(kp=law["gain"]) if what == "gain" else drive.set_to_motor()


def connect(spec, loop):
    a, b = (loop.a, loop.b) if loop.a else (loop.b, loop.a)
    bond = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY)
    bond.name1, bond.name2 = a.name, b.name if b else "world"
    bond.data[:3] = a.turn.T @ (loop.place - a.position)
    return bond


def couple(spec, nodes, i, terms):
    """A sum of joint coordinates that stays as it is."""
    signs = {node.joint["name"]: node.sign for node in nodes if node.joint}
    tendon = spec.add_tendon(name=f"sum {i}")
    for name, factor in terms:
        tendon.wrap_joint(name, signs[name] * factor)
    bond = spec.add_equality(type=mujoco.mjtEq.mjEQ_TENDON, objtype=mujoco.mjtObj.mjOBJ_TENDON)
    bond.name1 = tendon.name
    return bond


class Mechanism:
    """A model, its data at the start, and the way back there."""

    def __init__(self, path, dt, stiff, rule):
        self.description = json.load(open(path))
        self.model, self.nodes, self.loops = build(self.description, dt, stiff, rule)
        self.data = mujoco.MjData(self.model)
        # MuJoCo goes through bodies depth first.
        place = {self.model.body(i).name: i for i in range(self.model.nbody)}
        self.nodes.sort(key=lambda node: place[node.name])
        self.bodies = [place[body["name"]] for body in self.description["bodies"]]
        self.rates = np.array([rate for node in self.nodes for rate in node.rates()])
        self.commands = np.zeros(self.model.nu)
        for node in self.nodes:
            law = node.effort()
            if law and law["gain"]:
                self.commands[self.model.actuator(f"gain {node.joint['name']}").id] = own(node, law["target"])
            if law and law["torque"]:
                self.commands[self.model.actuator(f"torque {node.joint['name']}").id] = node.sign * law["torque"]
        self.reset()

    def reset(self):
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:] = self.rates
        self.data.ctrl[:] = self.commands

    def ends(self):
        """Of every loop the two points that should meet, each as a body and a place in its frame."""
        for loop in self.loops:
            points = []
            for node in (loop.a, loop.b):
                local = loop.place if node is None else node.turn.T @ (loop.place - node.position)
                points.append((0 if node is None else self.model.body(node.name).id, local))
            yield points

    def hard(self):
        """Accelerations with loops, couplers and touched limits as exact constraints, from MuJoCo's own M, forces and Jacobians.

        M a = f + Jᵀλ,   J a = −J̇ v,   λ ≥ 0 at limits: MuJoCo's constraints give way, so that its answer is another one.
        """
        model, data, nv = self.model, self.data, self.model.nv
        mass = np.zeros((nv, nv))
        mujoco.mj_fullM(model, data, mass)
        rows, biases = [np.zeros((0, nv))], [np.zeros(0)]
        for points in self.ends():
            found = []
            for body, local in points:
                place = data.xpos[body] + data.xmat[body].reshape(3, 3) @ local
                jac, dot = np.zeros((3, nv)), np.zeros((3, nv))
                mujoco.mj_jac(model, data, jac, None, place, body)
                mujoco.mj_jacDot(model, data, dot, None, place, body)
                found.append((jac, dot @ data.qvel))
            rows.append(found[0][0] - found[1][0])
            biases.append(found[0][1] - found[1][1])
        signs = {node.joint["name"]: node.sign for node in self.nodes if node.joint}
        for terms in self.description.get("couplers", []):
            row = np.zeros((1, nv))
            for name, factor in terms:
                row[0, model.joint(name).dofadr[0]] = signs[name] * factor
            rows.append(row)
            biases.append(np.zeros(1))
        fixed = sum(len(row) for row in rows)
        for i in range(model.njnt):
            if model.jnt_limited[i]:
                value, (low, high), dof = data.qpos[model.jnt_qposadr[i]], model.jnt_range[i], model.jnt_dofadr[i]
                for gap, way in ((value - low, 1.0), (high - value, -1.0)):
                    if gap < TOUCHED and way * data.qvel[dof] < TOUCHED:
                        rows.append(way * np.eye(nv)[dof : dof + 1])
                        biases.append(np.zeros(1))
        jac, bias = np.concatenate(rows), np.concatenate(biases)
        free = np.linalg.solve(mass, data.qfrc_smooth)
        while True:
            answer = np.linalg.solve(mass, jac.T)
            force = np.linalg.lstsq(jac @ answer, -bias - jac @ free, rcond=1e-12)[0]
            pulls = [i for i in range(fixed, len(force)) if force[i] < 0]
            if not pulls:
                return free + answer @ force
            jac, bias = np.delete(jac, pulls, 0), np.delete(bias, pulls)

    def options(self):
        """What the model has in place of defaults, in words."""
        option = self.model.opt
        bits = mujoco.mjtDisableBit.__members__.items()
        off = [name[7:].lower() for name, bit in bits if name.startswith("mjDSBL") and option.disableflags & bit.value]
        words = {"integrator": mujoco.mjtIntegrator(option.integrator).name[6:].lower(), "disabled": off}
        if self.model.neq or self.model.jnt_limited.any() or self.model.ngeom:
            words["solver"] = mujoco.mjtSolver(option.solver).name[6:].lower()
            words |= {"iterations": option.iterations, "tolerance": option.tolerance}
        return words | {"nv": self.model.nv, "nu": self.model.nu}


@functools.cache
def mechanism(path, dt=1e-3, stiff=False, rule="euler"):
    return Mechanism(path, dt, stiff, rule)

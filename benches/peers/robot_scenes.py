"""Mechanisms with motors: scene files as Python values, and what acts along their joints as numbers for other engines.

Robots are made here: a floating humanoid of 30 bodies on 29 hinges, a quadruped of 13 bodies on 12, an arm of 7 axes on the
ground. Each starts bent, with rates of its own at every joint. A servo has the gains k = J ω², c = 2 J ω, where J is the moment
of inertia about its axis of all that it carries, and ω is `BAND`. Mechanisms with loops are those of `cardan generate` and
`scenes/`, with motors and springs added.
"""

import math
import tomllib

from common import ROOT
from scenes import about, conjugate, multiply, turned

X, Y, Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
# Of servos [rad/s], of damping alone [1/s], and of limits that nothing reaches [rad].
BAND, FADING, FAR = 10.0, 5.0, 2.8
# Of robots that stand: servos of arms and trunk [rad/s] and of legs [N·m/rad], and friction of soles.
STAND, LEG_STIFFNESS, SOLE = 20.0, 3000.0, 0.8

# Name, parent, axis, anchor, centre of mass, mass, edges of a block; upright, in metres and kilograms. x is forward, y left.
MIDDLE = [
    ("waist-yaw", "pelvis", Z, (0, 0, 1.03), (0, 0, 1.06), 1.0, (0.1, 0.12, 0.06)),
    ("waist-roll", "waist-yaw", X, (0, 0, 1.09), (0, 0, 1.12), 1.0, (0.1, 0.12, 0.06)),
    ("torso", "waist-roll", Y, (0, 0, 1.15), (0, 0, 1.32), 14.0, (0.18, 0.3, 0.36)),
    ("neck", "torso", Z, (0, 0, 1.5), (0, 0, 1.53), 0.6, (0.06, 0.06, 0.07)),
    ("head", "neck", Y, (0, 0, 1.56), (0.02, 0, 1.66), 3.5, (0.16, 0.14, 0.2)),
]
SIDE = [
    ("hip", "pelvis", Y, (0, 0.09, 0.9), (0, 0.1, 0.89), 1.5, (0.09, 0.08, 0.08)),
    ("hip-roll", "hip", X, (0, 0.1, 0.88), (0, 0.1, 0.85), 1.5, (0.09, 0.08, 0.08)),
    ("thigh", "hip-roll", Z, (0, 0.1, 0.82), (0, 0.1, 0.66), 5.0, (0.12, 0.12, 0.34)),
    ("shank", "thigh", Y, (0, 0.1, 0.48), (0, 0.1, 0.3), 3.0, (0.1, 0.1, 0.36)),
    ("ankle", "shank", Y, (0, 0.1, 0.09), (0, 0.1, 0.08), 0.4, (0.05, 0.06, 0.05)),
    ("foot", "ankle", X, (0, 0.1, 0.07), (0.04, 0.1, 0.03), 1.0, (0.22, 0.09, 0.05)),
    ("shoulder", "torso", Y, (0, 0.17, 1.43), (0, 0.19, 1.43), 0.8, (0.07, 0.06, 0.07)),
    ("shoulder-roll", "shoulder", X, (0, 0.21, 1.43), (0, 0.21, 1.4), 0.8, (0.07, 0.07, 0.06)),
    ("upper-arm", "shoulder-roll", Z, (0, 0.21, 1.36), (0, 0.21, 1.25), 1.5, (0.08, 0.08, 0.2)),
    ("forearm", "upper-arm", Y, (0, 0.21, 1.14), (0, 0.21, 1.03), 1.0, (0.07, 0.07, 0.2)),
    ("wrist", "forearm", Z, (0, 0.21, 0.92), (0, 0.21, 0.9), 0.2, (0.05, 0.06, 0.05)),
    ("hand", "wrist", Y, (0, 0.21, 0.88), (0, 0.21, 0.81), 0.5, (0.08, 0.03, 0.14)),
]
LEG = [
    ("hip", "trunk", X, (0.2, 0.06, 0.35), (0.2, 0.09, 0.35), 0.7, (0.08, 0.06, 0.08)),
    ("thigh", "hip", Y, (0.2, 0.12, 0.35), (0.2, 0.12, 0.25), 1.1, (0.05, 0.04, 0.22)),
    ("shank", "thigh", Y, (0.2, 0.12, 0.14), (0.2, 0.12, 0.04), 0.25, (0.02, 0.02, 0.2)),
]
ARM = [
    ("link-1", None, Z, (0, 0, 0.1), (0, 0.02, 0.24), 3.5, (0.11, 0.13, 0.24)),
    ("link-2", "link-1", Y, (0, 0, 0.33), (0.01, 0.03, 0.41), 3.2, (0.11, 0.13, 0.2)),
    ("link-3", "link-2", Z, (0, 0, 0.5), (0.03, 0.02, 0.59), 3.0, (0.11, 0.11, 0.18)),
    ("link-4", "link-3", Y, (0.04, 0, 0.65), (0.02, 0.03, 0.73), 2.7, (0.1, 0.11, 0.18)),
    ("link-5", "link-4", Z, (0, 0, 0.85), (0.01, 0.02, 0.92), 2.5, (0.09, 0.1, 0.2)),
    ("link-6", "link-5", Y, (0, 0, 1.0), (0.05, 0, 1.02), 1.5, (0.09, 0.09, 0.1)),
    ("link-7", "link-6", Z, (0.09, 0, 1.05), (0.09, 0.01, 1.12), 0.8, (0.07, 0.08, 0.09)),
]


def mirrored(parts, side, x=1, y=1, shared=()):
    """Parts on another side; parents in `shared` are in the middle. A mirror turns the other components of an axis round."""
    flip = lambda v: [x * v[0], y * v[1], v[2]]
    turn = lambda a: [y * a[0], x * a[1], x * y * a[2]]
    for name, parent, axis, anchor, centre, mass, size in parts:
        parent = parent if parent in shared else f"{parent}-{side}"
        yield f"{name}-{side}", parent, turn(axis), flip(anchor), flip(centre), mass, size


HUMANOID = MIDDLE + [part for side, y in (("left", 1), ("right", -1)) for part in mirrored(SIDE, side, y=y, shared=("pelvis", "torso"))]
QUADRUPED = [
    part
    for front, x in (("fore", 1), ("hind", -1))
    for side, y in (("left", 1), ("right", -1))
    for part in mirrored(LEG, f"{front}-{side}", x, y, ("trunk",))
]
GROUND = {name: [0.0, 0.0, 0.0] for name in ("position", "velocity", "angular_velocity")}
GROUND["orientation"] = {"quaternion": [1.0, 0.0, 0.0, 0.0]}
ROOTS = {"pelvis": ((0, 0, 0.95), 8.0, (0.18, 0.3, 0.16)), "trunk": ((0, 0, 0.35), 8.0, (0.45, 0.16, 0.12))}


def plus(*vectors):
    return [sum(parts) for parts in zip(*vectors)]


def less(a, b):
    return [p - q for p, q in zip(a, b)]


def times(factor, vector):
    return [factor * c for c in vector]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def block(mass, size):
    squares = [c * c for c in size]
    return [mass / 12 * (sum(squares) - square) for square in squares]


def robot(parts, root=None, still=()):
    """The scene of a tree of hinges, bent and moving by a fixed rule; joints in `still` have no rate."""
    bodies, joints, upright = {}, {}, {}

    def body(name, position, turn, velocity, spin, mass, size):
        bodies[name] = {
            "mass": mass, "inertia": block(mass, size), "position": position, "orientation": {"quaternion": turn},
            "velocity": velocity, "angular_velocity": spin,
        }

    if root:
        centre, mass, size = ROOTS[root]
        upright[root] = centre
        body(root, list(centre), about([0.3, -0.5, 0.8], 0.2), [0.3, -0.2, 0.1], [0.2, 0.4, -0.3], mass, size)
    for i, (name, parent, axis, anchor, centre, mass, size) in enumerate(parts):
        angle, rate = 0.25 * math.sin(1.7 * i + 0.3), 0.0 if name in still else 0.8 * math.cos(2.3 * i + 0.7)
        below = bodies[parent] if parent else GROUND
        at = below["orientation"]["quaternion"]
        place = plus(below["position"], turned(at, less(anchor, upright.get(parent, (0, 0, 0)))))
        along, turn = turned(at, axis), multiply(at, about(axis, angle))
        position = plus(place, turned(turn, less(centre, anchor)))
        spin = plus(below["angular_velocity"], times(rate, along))
        velocity = plus(
            below["velocity"],
            cross(below["angular_velocity"], less(place, below["position"])),
            cross(spin, less(position, place)),
        )
        upright[name] = centre
        body(name, position, turn, velocity, spin, mass, size)
        joints[name] = {
            "kind": "revolute", "a": parent or "ground", "b": name, "anchor": place, "axis": along, "zero": [angle],
        }
    return {"format": 1, "gravity": [0.0, 0.0, -9.81], "simulation": {"until": 1.0, "dt": 1e-3}, "bodies": bodies, "joints": joints}


def standing(parts, root, feet):
    """The scene of a robot that stands upright on the boxes of its feet, held by a servo at every joint."""
    low = min(centre[2] - size[2] / 2 for *_, centre, _, size in parts)
    bodies, joints = {}, {}
    all_parts = [(root, None, None, None, *ROOTS[root]), *parts]
    for name, parent, axis, anchor, centre, mass, size in all_parts:
        bodies[name] = {
            "mass": mass, "inertia": block(mass, size), "position": [centre[0], centre[1], centre[2] - low],
            "orientation": {"quaternion": [1.0, 0.0, 0.0, 0.0]},
        }
        if name in feet:
            bodies[name]["shapes"] = [{"kind": "box", "size": list(size), "material": "sole"}]
        if parent:
            place = [anchor[0], anchor[1], anchor[2] - low]
            joints[name] = {"kind": "revolute", "a": parent, "b": name, "anchor": place, "axis": list(axis), "zero": [0.0]}
    scene = {
        "format": 1, "gravity": [0.0, 0.0, -9.81], "simulation": {"until": 1.0, "dt": 1e-3, "integrator": "time-stepping"},
        "materials": {"sole": {"friction": SOLE}}, "ground": {"shapes": [{"kind": "plane", "material": "sole"}]},
        "bodies": bodies, "joints": joints,
    }
    # Legs carry all the rest, whatever is above their joints.
    moments, leg = carried(scene), ("hip", "thigh", "shank", "ankle", "foot")
    for name, joint in joints.items():
        stiffness = LEG_STIFFNESS if name.startswith(leg) else moments[name] * STAND**2
        joint["servo"] = {"law": {"constant": 0.0}, "stiffness": stiffness, "damping": 0.05 * stiffness}
    return scene


def carried(scene):
    """Of every joint the moment of inertia about its axis of all that it carries."""
    found = {}
    for name in reversed(scene["joints"]):
        joint, above = scene["joints"][name], [name]
        for child, other in scene["joints"].items():
            if other["a"] in above:
                above.append(child)
        total = 0.0
        for part in above:
            body, axis = scene["bodies"][part], joint["axis"]
            arm = cross(axis, less(body["position"], joint["anchor"]))
            # About principal axes, seen from the body.
            q = body["orientation"]["quaternion"]
            own = turned(conjugate(q), axis)
            total += body["mass"] * dot(arm, arm) + sum(m * c * c for m, c in zip(body["inertia"], own))
        found[name] = float(f"{total:.4g}")
    return found


def damped(scene):
    for name, moment in carried(scene).items():
        scene["joints"][name]["friction"] = {"viscous": moment * FADING}
    return scene


def servos(scene):
    """One at every joint, towards a pose that it is not in."""
    moments = carried(scene)
    for i, (name, joint) in enumerate(scene["joints"].items()):
        target, moment = 0.2 * math.sin(1.1 * i), moments[name]
        joint["servo"] = {"law": {"constant": target}, "stiffness": moment * BAND**2, "damping": 2 * moment * BAND}
    return scene


def limits(scene, touched=()):
    """Far ones everywhere; joints in `touched` rest on theirs, and their servos push."""
    for joint in scene["joints"].values():
        joint["limits"] = [[-FAR, FAR]]
    for i, name in enumerate(touched):
        joint, way = scene["joints"][name], 1 if i % 2 else -1
        angle = joint["zero"][0]
        joint["limits"] = [[angle - 2.0, angle] if way > 0 else [angle, angle + 2.0]]
        joint["servo"]["law"] = {"constant": angle + 0.8 * way}
    return scene


def generated(cardan, family, n):
    return tomllib.loads(cardan.ask("generate", family=family, n=n)["text"])


def bundled(name):
    return tomllib.loads((ROOT / "scenes" / f"{name}.toml").read_text())


def four_bars(cardan, what):
    """Forty in a row, all cranks coupled: a motor on the first of them, or a spring on every one."""
    scene = generated(cardan, "n-four-bar", 40)
    cranks = [joint for joint in scene["joints"].values() if joint["a"] == "ground"]
    if what == "motor":
        cranks[0]["motor"] = {"curve": [[0.0, 200.0], [3.0, 0.0]]}
    for crank in cranks if what == "springs" else []:
        crank["spring"] = {"stiffness": 30.0, "damping": 1.0, "rest": 0.4}
    return scene


def shoulder():
    """The motors hold a target instead of following a law of time."""
    scene = bundled("differential-shoulder")
    for name, target in (("motor-1", 10.0), ("motor-2", -4.0)):
        scene["joints"][name]["servo"]["law"] = {"constant": target}
    return scene


def toml(value, path=()):
    """The text of a scene: tables of bodies and joints by name, everything below them in one line each."""
    lines, tables = [], []
    for key, item in value.items():
        if isinstance(item, dict) and len(path) < 2:
            tables.append("\n" + f"[{'.'.join([*path, key])}]\n" + toml(item, (*path, key)))
        else:
            lines.append(f"{key} = {inline(item)}\n")
    return "".join(lines + tables)


def inline(item):
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{key} = {inline(value)}" for key, value in item.items()) + " }"
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(inline(value) for value in item) + "]"
    return repr(item) if isinstance(item, (int, float)) else '"' + item.replace('"', '\\"') + '"'


def tell_efforts(scene, description, start):
    """Adds to a description what acts along the joints: one law of an effort, limits, and sums that couplers keep.

    `start` is the description of the pose of the file, which world axes in the file are given in.
    """
    for joint in description["joints"]:
        told = scene["joints"].get(joint["name"], {})
        law = dict.fromkeys(("torque", "gain", "target", "stiffness", "rest", "damping"), 0.0)
        if servo := told.get("servo"):
            law |= {"gain": servo["stiffness"], "target": servo["law"]["constant"]}
            law["damping"] += servo.get("damping", 0.0)
        if spring := told.get("spring"):
            law |= {"stiffness": spring["stiffness"], "rest": spring.get("rest", 0.0)}
            law["damping"] += spring.get("damping", 0.0)
        if friction := told.get("friction"):
            law["damping"] += friction["viscous"]
        if motor := told.get("motor"):
            (_, stall), (free, _) = motor["curve"]
            law["torque"] += stall
            law["damping"] += stall / free
        if any(law.values()):
            joint["effort"] = law
        if "limits" in told:
            joint["limits"] = told["limits"][0]
        if "axis2" in told:
            first, now = (pose["bodies"][joint["b"]]["orientation"] for pose in (start, description))
            joint["axis2"] = turned(multiply(now, conjugate(first)), told["axis2"])
    description["soles"] = [
        {"body": name, "size": shape["size"], "friction": SOLE}
        for name, body in scene["bodies"].items()
        for shape in body.get("shapes", [])
        if shape["kind"] == "box" and shape.get("material") == "sole"
    ]
    couplers = [joint for joint in scene["joints"].values() if joint["kind"] == "coupler"]
    description["couplers"] = [
        [(term["joint"], term.get("factor", 1.0)) for term in equation["terms"]]
        for coupler in couplers
        for equation in coupler["equations"]
    ]
    return description

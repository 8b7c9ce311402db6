"""Reads cardan scenes into plain descriptions that the other engines are given, and writes the pile.

A description is a dictionary of numbers only, in metres, kilograms, seconds and radians:

    gravity, friction, restitution, dt, steps
    bodies: name, shape, mass, position, orientation (quaternion, scalar first), velocity, angular_velocity, planar
    fixed:  shape, position, orientation, restitution
    joints: name, kind (ball, hinge), a, b (indices), position (the anchor), orientation (its x is the axis), limits

Only what the three scenes use is understood; everything else is refused rather than dropped.
"""

import math
import tomllib

UNTURNED = [1.0, 0.0, 0.0, 0.0]
DEFAULT_DT = 0.001


# Quaternions, scalar first.


def multiply(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]


def conjugate(q):
    return [q[0], -q[1], -q[2], -q[3]]


def turned(q, v):
    return multiply(multiply(q, [0.0, *v]), conjugate(q))[1:]


def about(axis, angle):
    length = math.hypot(*axis)
    return [math.cos(angle / 2), *(math.sin(angle / 2) * c / length for c in axis)]


def from_x_to(axis):
    """The turn that brings the x axis to `axis`."""
    length = math.hypot(*axis)
    x, y, z = (c / length for c in axis)
    if x < -0.999999:
        return [0.0, 0.0, 0.0, 1.0]
    return about([0.0, -z, y], math.acos(min(1.0, x))) if math.hypot(y, z) > 1e-12 else list(UNTURNED)


def angle(value):
    if isinstance(value, str):
        number, unit = value.split()
        return float(number) * {"deg": math.pi / 180, "rad": 1.0}[unit]
    return float(value)


def orientation(value):
    if value is None:
        return list(UNTURNED)
    if isinstance(value, dict) and set(value) == {"axis", "angle"}:
        return about(value["axis"], angle(value["angle"]))
    raise ValueError(f"orientation {value!r}")


def refuse(table, known, where):
    unknown = set(table) - set(known)
    if unknown:
        raise ValueError(f"{where}: {', '.join(sorted(unknown))} is not understood here")


def shape(value):
    sizes = {"plane": [], "sphere": ["radius"], "capsule": ["length", "radius"], "box": ["size"]}
    kind = value["kind"]
    refuse(value, ["kind", "material", "position", "orientation", *sizes[kind]], "shape")
    plain = {"kind": kind} | {name: value[name] for name in sizes[kind]}
    return plain | {"normal": [0.0, 0.0, 1.0]} if kind == "plane" else plain


def read(text, dt=None):
    """The description of a scene's text."""
    scene = tomllib.loads(text)
    simulation = scene["simulation"]
    dt = dt or simulation.get("dt", DEFAULT_DT)
    frictions = {m["friction"]["kinetic"] for m in scene.get("materials", {}).values()}
    restitutions = {m.get("restitution", 0.0) for m in scene.get("materials", {}).values()}
    if len(frictions) > 1 or restitutions - {0.0}:
        raise ValueError("one material without restitution is expected")

    bodies = []
    for name, body in scene["bodies"].items():
        refuse(body, ["kind", "shape", "mass", "position", "orientation", "velocity", "angular_velocity"], f"bodies.{name}")
        kind = body.get("kind", "rigid")
        if kind not in ("rigid", "planar-particle"):
            raise ValueError(f"bodies.{name}: kind {kind!r}")
        in_space = lambda v: [float(c) for c in v] + [0.0] * (3 - len(v))
        bodies.append(
            {
                "name": name,
                "shape": shape(body["shape"]),
                "mass": float(body["mass"]),
                "position": in_space(body["position"]),
                "orientation": orientation(body.get("orientation")),
                "velocity": in_space(body.get("velocity", [0, 0, 0])),
                "angular_velocity": in_space(body.get("angular_velocity", [0, 0, 0])),
                "planar": kind == "planar-particle",
            }
        )
    place = {body["name"]: i for i, body in enumerate(bodies)}

    fixed = [
        {
            "shape": shape(s),
            "position": s.get("position", [0.0, 0.0, 0.0]),
            "orientation": orientation(s.get("orientation")),
            "restitution": 0.0,
        }
        for s in scene.get("ground", {}).get("shapes", [])
    ]
    walls, between = conditions(scene.get("inequalities", {}), scene["bodies"])

    joints = []
    for name, joint in scene.get("joints", {}).items():
        refuse(joint, ["kind", "a", "b", "anchor", "axis", "limits"], f"joints.{name}")
        kind = {"spherical": "ball", "revolute": "hinge"}[joint["kind"]]
        limits = joint.get("limits")
        joints.append(
            {
                "name": name,
                "kind": kind,
                "a": place[joint["a"]],
                "b": place[joint["b"]],
                "position": joint["anchor"],
                "orientation": from_x_to(joint.get("axis", [1, 0, 0])),
                "limits": [angle(bound) for bound in limits[0]] if limits else None,
            }
        )

    return {
        "gravity": scene["gravity"],
        "friction": frictions.pop() if frictions else 0.0,
        "restitution": between,
        "dt": dt,
        "steps": round(simulation["until"] / dt),
        "bodies": bodies,
        "fixed": fixed + walls,
        "joints": joints,
    }


def conditions(inequalities, bodies):
    """Conditions that are the same for all balls: walls as planes, and the restitution between balls."""
    walls, between = {}, set()
    for name, condition in inequalities.items():
        if condition["kind"] == "half-plane":
            refuse(condition, ["kind", "body", "normal", "radius", "restitution"], f"inequalities.{name}")
            if condition["radius"] != bodies[condition["body"]]["shape"]["radius"]:
                raise ValueError(f"inequalities.{name}: the radius is not the ball's")
            walls[tuple(condition["normal"])] = condition["restitution"]
        elif condition["kind"] == "distance":
            refuse(condition, ["kind", "a", "b", "min", "restitution"], f"inequalities.{name}")
            between.add(condition["restitution"])
        else:
            raise ValueError(f"inequalities.{name}: kind {condition['kind']!r}")
    if len(between) > 1:
        raise ValueError("one restitution between balls is expected")
    planes = [
        {
            "shape": {"kind": "plane", "normal": list(normal)},
            "position": [0.0, 0.0, 0.0],
            "orientation": list(UNTURNED),
            "restitution": restitution,
        }
        for normal, restitution in walls.items()
    ]
    return planes, between.pop() if between else 0.0


def pile(shift=0.0):
    """Thirty boxes over the floor, 3 by 2 columns of 5, each a little off its place and a little turned.

    Every second level is moved by `shift`, so that boxes fall on several others instead of making columns.
    """
    state = 1

    def some():
        """Between -1 and 1, from x <- (1103515245 x + 12345) mod 2^31."""
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return state / 2**30 - 1

    lines = [
        "format = 1",
        'title = "Thirty boxes dropped on the floor"',
        "gravity = [0, 0, -9.81]",
        "[simulation]",
        "until = 1",
        'integrator = "time-stepping"',
        "[ground]",
        'shapes = [{ kind = "plane", material = "wood" }]',
        "[materials.wood]",
        "friction = { static = 0.5, kinetic = 0.5 }",
    ]
    for level in range(5):
        for column in range(6):
            x = 0.13 * (column % 3) + shift * (level % 2) + 0.005 * some()
            y = 0.13 * (column // 3) + shift * (level % 2) + 0.005 * some()
            z = 0.08 + 0.13 * level
            axis = ", ".join(f"{some():.6f}" for _ in range(3))
            lines += [
                f"[bodies.box{level}{column}]",
                'shape = { kind = "box", size = [0.1, 0.1, 0.1], material = "wood" }',
                "mass = 1",
                f"position = [{x:.6f}, {y:.6f}, {z:.6f}]",
                f'orientation = {{ axis = [{axis}], angle = "{5 + 3 * some():.6f} deg" }}',
            ]
    return "\n".join(lines) + "\n"

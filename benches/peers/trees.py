"""The spanning tree of a described mechanism, and its motion in joint coordinates.

A description is what `peers-cardan` answers to `describe`: bodies and joints in world axes, with cardan's accelerations.
Every body hangs on its parent by a hinge, a slide, a ball joint, a cross (a universal joint: n stays with the parent, m with
the child), a weld or, at the root of what floats, by six freedoms. Its frame is at the centre of mass. Rates and
accelerations, child beside parent:

    hinge   n·(ω_c − ω_p)                                  n·(α_c − α_p)
    slide   n·(v_c − v_p − ω_p × r)                        n·(v̇_c − v̇_p − α_p × r − ω_p × (ω_p × r)),  r from parent to child
    ball    R_cᵀ(ω_c − ω_p)                                R_cᵀ(α_c − α_p − ω_c × (ω_c − ω_p))
    cross   n·(ω_c − ω_p), m·(ω_c − ω_p)                   n·β, m·β,  β = α_c − α_p − q̇₁ ω_p × n − q̇₂ ω_c × m
    free    v_c and R_cᵀω_c                                v̇_c and R_cᵀα_c

Needs numpy, so it is used inside the throw-away environment only.
"""

import numpy as np


def rotation(q):
    """The matrix of a quaternion, scalar first."""
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


KINDS = {"revolute": "hinge", "prismatic": "slide", "spherical": "ball", "universal": "cross", "fixed": "weld"}


class Node:
    """A body and how it hangs: `parent` is a node or None for the ground."""

    def __init__(self, index, body, parent, joint):
        self.index, self.name, self.body, self.parent = index, body["name"], body, parent
        self.joint, self.kind = joint, KINDS[joint["kind"]] if joint else "free"
        # Coordinates of a joint are of b beside a, those of a node of child beside parent.
        self.sign = -1.0 if joint and joint["b"] == (parent.index if parent else None) else 1.0
        self.place = np.array(joint["position"]) if joint else np.array(body["position"])
        self.axis = np.array(joint["axis"]) if self.kind in ("hinge", "slide", "cross") else None
        if self.kind == "cross":
            if self.sign < 0:
                raise ValueError(f"joints.{joint['name']}: a cross is expected to hang b on a")
            self.axis2 = np.array(joint["axis2"])
        self.turn, self.position = rotation(body["orientation"]), np.array(body["position"])
        self.inertia = np.array(body["inertia"])
        # World axes: velocity and acceleration of the centre of mass, angular ones.
        self.vel, self.omega = np.array(body["velocity"]), np.array(body["angular_velocity"])
        self.acc, self.alpha = np.array(body["acceleration"]), np.array(body["angular_acceleration"])

    def _relative(self):
        if self.parent is None:
            return self.omega, self.alpha
        return self.omega - self.parent.omega, self.alpha - self.parent.alpha

    def _beside_parent(self):
        """Velocity and acceleration of the centre of mass less those of the parent where it is."""
        p = self.parent
        if p is None:
            return self.vel, self.acc
        r = self.position - p.position
        return (
            self.vel - p.vel - np.cross(p.omega, r),
            self.acc - p.acc - np.cross(p.alpha, r) - np.cross(p.omega, np.cross(p.omega, r)),
        )

    def rates(self):
        omega, _ = self._relative()
        if self.kind == "slide":
            return [self.axis @ self._beside_parent()[0]]
        if self.kind == "hinge":
            return [self.axis @ omega]
        if self.kind == "cross":
            return [self.axis @ omega, self.axis2 @ omega]
        if self.kind == "ball":
            return list(self.turn.T @ omega)
        if self.kind == "weld":
            return []
        return [*self.vel, *(self.turn.T @ self.omega)]

    def accelerations(self):
        omega, alpha = self._relative()
        if self.kind == "slide":
            return [self.axis @ self._beside_parent()[1]]
        if self.kind == "hinge":
            return [self.axis @ alpha]
        if self.kind == "cross":
            below = self.parent.omega if self.parent else np.zeros(3)
            first, second = self.rates()
            rest = alpha - first * np.cross(below, self.axis) - second * np.cross(self.omega, self.axis2)
            return [self.axis @ rest, self.axis2 @ rest]
        if self.kind == "ball":
            return list(self.turn.T @ (alpha - np.cross(self.omega, omega)))
        if self.kind == "weld":
            return []
        return [*self.acc, *(self.turn.T @ self.alpha)]

    def effort(self):
        """The law along a hinge or slide (robot_scenes.py), or None."""
        return self.joint.get("effort") if self.joint else None

    def torques(self):
        """What the efforts give at this state, one for each rate."""
        rates, law = self.rates(), self.effort()
        if not law:
            return [0.0] * len(rates)
        x, rate = self.joint["coordinates"][0], self.sign * rates[0]
        force = law["torque"] + law["gain"] * (law["target"] - x) - law["stiffness"] * (x - law["rest"]) - law["damping"] * rate
        return [self.sign * force]


class Loop:
    """A joint that closes a loop between two nodes, either of which may be the ground, None."""

    def __init__(self, joint, a, b):
        self.name, self.kind = joint["name"], joint["kind"]
        self.place, self.a, self.b = np.array(joint["position"]), a, b


def closing(joints):
    """Names of the joints that close loops: as in cardan, unless one of those must be in the tree: others close loops at points."""
    must = lambda joint: joint["kind"] not in ("revolute", "spherical") or "effort" in joint or "limits" in joint
    if not any(joint["closes"] and must(joint) for joint in joints):
        return {joint["name"] for joint in joints if joint["closes"]}
    leader, found = {}, set()

    def top(body):
        while body in leader:
            body = leader[body]
        return body

    for joint in sorted(joints, key=lambda joint: (not must(joint), joint["closes"])):
        a, b = top(joint["a"]), top(joint["b"])
        if a == b:
            found.add(joint["name"])
        else:
            leader[a] = b
    return found


def grow(description):
    """Nodes, parents before children, and loops."""
    bodies, joints = description["bodies"], description["joints"]
    hanging, closes = {i: [] for i in [None, *range(len(bodies))]}, closing(joints)
    for joint in joints:
        if joint["name"] not in closes:
            hanging[joint["a"]].append((joint["b"], joint))
            hanging[joint["b"]].append((joint["a"], joint))
    nodes, found = [], {None: None}

    def walk(first):
        queue = [first]
        for end in queue:
            for other, joint in hanging[end]:
                if other not in found:
                    found[other] = Node(other, bodies[other], found[end], joint)
                    nodes.append(found[other])
                    queue.append(other)

    walk(None)
    for i, body in enumerate(bodies):
        if i not in found:
            found[i] = Node(i, body, None, None)
            nodes.append(found[i])
            walk(i)
    return nodes, [Loop(j, found[j["a"]], found[j["b"]]) for j in joints if j["name"] in closes]


def scale(nodes):
    """The largest acceleration of a body, linear or angular: some mechanisms start where joint accelerations are zero."""
    return max(float(np.abs(x).max()) for node in nodes for x in (node.acc, node.alpha))


def off(found, expected, beside):
    """The largest difference of joint accelerations, beside that."""
    return float(np.abs(np.array(found) - np.array(expected)).max()) / beside

"""The spanning tree of a described mechanism, and its motion in joint coordinates.

A description is what `peers-cardan` answers to `describe`: bodies and joints in world axes, with cardan's accelerations.
Every body hangs on its parent by a hinge, a ball joint or, at the root of what floats, by six freedoms. Its frame is at the
centre of mass. Rates and accelerations, child beside parent:

    hinge   n·(ω_c − ω_p)                                  n·(α_c − α_p)
    slide   n·(v_c − v_p − ω_p × r)                        n·(v̇_c − v̇_p − α_p × r − ω_p × (ω_p × r)),  r from parent to child
    ball    R_cᵀ(ω_c − ω_p)                                R_cᵀ(α_c − α_p − ω_c × (ω_c − ω_p))
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


class Node:
    """A body and how it hangs: `parent` is a node or None for the ground."""

    def __init__(self, body, parent, joint):
        self.name, self.body, self.parent = body["name"], body, parent
        self.kind = {"revolute": "hinge", "prismatic": "slide", "spherical": "ball"}[joint["kind"]] if joint else "free"
        self.place = np.array(joint["position"]) if joint else np.array(body["position"])
        self.axis = np.array(joint["axis"]) if self.kind in ("hinge", "slide") else None
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
        if self.kind == "ball":
            return list(self.turn.T @ omega)
        return [*self.vel, *(self.turn.T @ self.omega)]

    def accelerations(self):
        omega, alpha = self._relative()
        if self.kind == "slide":
            return [self.axis @ self._beside_parent()[1]]
        if self.kind == "hinge":
            return [self.axis @ alpha]
        if self.kind == "ball":
            return list(self.turn.T @ (alpha - np.cross(self.omega, omega)))
        return [*self.acc, *(self.turn.T @ self.alpha)]


class Loop:
    """A joint that closes a loop between two nodes, either of which may be the ground, None."""

    def __init__(self, joint, a, b):
        self.name, self.kind = joint["name"], joint["kind"]
        self.place, self.a, self.b = np.array(joint["position"]), a, b


def grow(description):
    """Nodes, parents before children, and loops. Which joints close loops is as in cardan."""
    bodies, joints = description["bodies"], description["joints"]
    hanging = {i: [] for i in [None, *range(len(bodies))]}
    for joint in joints:
        if not joint["closes"]:
            hanging[joint["a"]].append((joint["b"], joint))
            hanging[joint["b"]].append((joint["a"], joint))
    nodes, found = [], {None: None}

    def walk(first):
        queue = [first]
        for end in queue:
            for other, joint in hanging[end]:
                if other not in found:
                    found[other] = Node(bodies[other], found[end], joint)
                    nodes.append(found[other])
                    queue.append(other)

    walk(None)
    for i, body in enumerate(bodies):
        if i not in found:
            found[i] = Node(body, None, None)
            nodes.append(found[i])
            walk(i)
    return nodes, [Loop(j, found[j["a"]], found[j["b"]]) for j in joints if j["closes"]]


def scale(nodes):
    """The largest acceleration of a body, linear or angular: some mechanisms start where joint accelerations are zero."""
    return max(float(np.abs(x).max()) for node in nodes for x in (node.acc, node.alpha))


def off(found, expected, beside):
    """The largest difference of joint accelerations, beside that."""
    return float(np.abs(np.array(found) - np.array(expected)).max()) / beside

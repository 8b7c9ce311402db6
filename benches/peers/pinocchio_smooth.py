"""Times Pinocchio on described mechanisms, asked line by line (serve.py). Loops are closed by lcABA at points."""

import functools
import json
import resource
import sys

sys.dont_write_bytecode = True
import numpy as np
import pinocchio as pin
from serve import serve, times
from trees import grow, off, scale

# Of lcABA: the proximal parameter, and the gains that pull loops together, for steps of 1 ms.
PROXIMAL = (1e-12, 1e-6, 10)
BATCH = 64
# Of one process: what Pinocchio keeps grows with the cube of the joints, 2 GB for 400 of them.
MEMORY = 6 << 30


def along_x(axis):
    """A frame whose x axis is the given one: aligned joints are Pinocchio's fastest."""
    x = axis / np.linalg.norm(axis)
    y = np.cross(x, np.eye(3)[np.argmin(np.abs(x))])
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


class Mechanism:
    """A model whose neutral configuration is the start, with joint frames at the joints."""

    def __init__(self, path):
        description = json.load(open(path))
        self.nodes, self.loops = grow(description)
        self.model = model = pin.Model()
        model.gravity = pin.Motion(np.array(description["gravity"]), np.zeros(3))
        self.frames, self.ids = {None: pin.SE3.Identity()}, {None: 0}
        kinds = {"hinge": pin.JointModelRX, "slide": pin.JointModelPX, "ball": pin.JointModelSpherical, "free": pin.JointModelFreeFlyer}
        # Depth first, which Pinocchio asks of a tree.
        children = {None: []} | {node: [] for node in self.nodes}
        for node in self.nodes:
            children[node.parent].append(node)
        stack, self.nodes = list(reversed(children[None])), []
        while stack:
            node = stack.pop()
            self.nodes.append(node)
            stack.extend(reversed(children[node]))
        for node in self.nodes:
            turn = along_x(node.axis) if node.axis is not None else node.turn
            frame = pin.SE3(turn, node.place)
            placement = self.frames[node.parent].inverse() * frame
            self.frames[node] = frame
            joint = model.addJoint(self.ids[node.parent], kinds[node.kind](), placement, node.name)
            self.ids[node] = joint
            body = frame.inverse() * pin.SE3(node.turn, node.position)
            model.appendBodyToJoint(joint, pin.Inertia(node.body["mass"], np.zeros(3), node.inertia), body)
        self.q = pin.neutral(model)
        self.v = np.array([x for node in self.nodes for x in rates(node)])
        self.expected = np.array([x for node in self.nodes for x in accelerations(node)])
        # Of servos and the like, at the start; how long their laws take is not measured.
        self.tau = np.array([x for node in self.nodes for x in node.torques()])
        self.contacts, self.contact_datas = self.closed()
        self.data = model.createData()

    def closed(self):
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in self.loops:
            point = pin.SE3(np.eye(3), loop.place)
            local = [self.frames[node].inverse() * point for node in (loop.a, loop.b)]
            a, b = self.ids[loop.a], self.ids[loop.b]
            kind, axes = pin.ContactType.CONTACT_3D, pin.ReferenceFrame.LOCAL
            contact = pin.RigidConstraintModel(kind, self.model, a, local[0], b, local[1], axes)
            models.append(contact)
        for contact in models:
            datas.append(contact.createData())
        return models, datas

    def gap(self, q):
        pin.forwardKinematics(self.model, self.data, q)
        widest = 0.0
        for loop in self.loops:
            ends = []
            for node in (loop.a, loop.b):
                local = self.frames[node].inverse() * pin.SE3(np.eye(3), loop.place)
                ends.append((self.data.oMi[self.ids[node]] * local).translation)
            widest = max(widest, float(np.linalg.norm(ends[0] - ends[1])))
        return widest


def rates(node):
    """As in trees.py, but that the speed of a free root is in its own axes, too."""
    if node.kind != "free":
        return node.rates()
    return [*(node.turn.T @ node.vel), *(node.turn.T @ node.omega)]


def accelerations(node):
    if node.kind != "free":
        return node.accelerations()
    return [*(node.turn.T @ (node.acc - np.cross(node.omega, node.vel))), *(node.turn.T @ node.alpha)]


@functools.lru_cache(maxsize=2)
def mechanism(path, how="aba"):
    """One for each way to solve it."""
    return Mechanism(path)


CONVENTIONS = {"world": pin.Convention.WORLD, "local": pin.Convention.LOCAL}


def agree(path):
    """How far accelerations of both conventions are from cardan's, and what inverse dynamics leave of all three."""
    it = mechanism(path)
    if it.loops:
        answer = {}
        for how in ("lcaba", "constraintDynamics"):
            it, solve = solver(path, how, 0.0)
            answer[f"off_{how}"] = off(solve(it.q, it.v), it.expected, scale(it.nodes))
        return answer
    answer = {"left_cardan": left(it, it.expected)}
    for name, convention in CONVENTIONS.items():
        found = pin.aba(it.model, it.data, it.q, it.v, it.tau, convention).copy()
        answer |= {f"off_{name}": off(found, it.expected, scale(it.nodes)), f"left_{name}": left(it, found)}
    return answer


def left(it, acc):
    """Joint forces that accelerations would need and that nothing gives, beside those of gravity and velocities alone."""
    need = pin.rnea(it.model, it.data, it.q, it.v, acc) - it.tau
    return float(np.abs(need).max() / np.abs(pin.nonLinearEffects(it.model, it.data, it.q, it.v)).max())


def forward(path, seconds, how):
    """ABA by one call each in either convention, or many in one call on one thread."""
    it = mechanism(path)
    model, data, q, v, tau, go = it.model, it.data, it.q, it.v, it.tau, pin.aba
    if how == "parallel":
        pool = pin.ModelPool(model, 1)
        many = [np.asfortranarray(np.tile(x[:, None], (1, BATCH))) for x in (q, v, tau)]
        out = np.asfortranarray(np.zeros((model.nv, BATCH)))
        return times(lambda: pin.abaInParallel(1, pool, *many, out), seconds, parts=BATCH)
    convention = CONVENTIONS[how]
    return times(lambda: go(model, data, q, v, tau, convention), seconds)


def solver(path, how, gain):
    """Accelerations with loops, by lcABA or by a sparse factorisation of the whole (`constraintDynamics`), which do not share data."""
    it = mechanism(path, how)
    for contact in it.contacts:
        contact.m_baumgarte_parameters.Kp, contact.m_baumgarte_parameters.Kd = gain * gain, 2 * gain
    if how == "lcaba":
        pin.computeJointMinimalOrdering(it.model, it.data, it.contacts)
    else:
        pin.initConstraintDynamics(it.model, it.data, it.contacts, it.contact_datas)
    accuracy, mu, most = PROXIMAL
    settings, go = pin.ProximalSettings(accuracy, mu, most), getattr(pin, how)
    return it, lambda q, v: go(it.model, it.data, q, v, it.tau, it.contacts, it.contact_datas, settings)


def step(path, dt, seconds, how):
    """Steps of semi-implicit Euler, from the start again after a while."""
    it, solve = solver(path, how, 0.1 / dt)
    at = {"q": it.q, "v": it.v, "done": 0}

    def work():
        if at["done"] == 256:
            at.update(q=it.q, v=it.v, done=0)
        at["v"] = at["v"] + dt * solve(at["q"], at["v"])
        at["q"] = pin.integrate(it.model, at["q"], dt * at["v"])
        at["done"] += 1

    return times(work, seconds)


def run(path, dt, until, how):
    """A run with a look at the loops after every step."""
    it, solve = solver(path, how, 0.1 / dt)
    look = mechanism(path)
    q, v, gap = it.q, it.v, 0.0
    for done in range(round(until / dt)):
        v = v + dt * solve(q, v)
        q = pin.integrate(it.model, q, dt * v)
        if not np.isfinite(q).all() or np.abs(v).max() > 1e6:
            return {"gap": None, "diverged": dt * done}
        gap = max(gap, look.gap(q))
    return {"gap": gap}


def empty(seconds):
    """A call on a model of nothing: what Python takes."""
    model = pin.Model()
    data, nothing, world = model.createData(), np.zeros(0), pin.Convention.WORLD
    return times(lambda: pin.aba(model, data, nothing, nothing, nothing, world), seconds)


def version():
    return {"version": pin.__version__}


resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
serve({f.__name__: f for f in (agree, forward, step, run, empty, version)})

"""Writes a description (see scenes.py) as MJCF: free bodies, bodies in the plane, and trees of jointed bodies."""

from xml.sax.saxutils import quoteattr

from scenes import conjugate, from_x_to, multiply, turned


def write(scene):
    """The text, and the velocities at the start by name of joint."""
    frictionless = scene["friction"] == 0
    contact = 'condim="1"' if frictionless else f'condim="3" friction="{scene["friction"]} 0.005 0.0001"'
    lines = [
        "<mujoco>",
        '<compiler angle="radian"/>',
        f'<option timestep="{scene["dt"]}" gravity="{numbers(scene["gravity"])}" cone="elliptic"/>',
        f"<default><geom {contact}/></default>",
        "<worldbody>",
    ]
    for item in scene["fixed"]:
        lines.append(f"<geom {form(item['shape'])} {pose(item)}/>")

    # Trees: every joint hangs one of its bodies on the other, beginning at bodies nothing has hung yet.
    joints = {i: [] for i in range(len(scene["bodies"]))}
    for joint in scene["joints"]:
        joints[joint["a"]].append(joint)
        joints[joint["b"]].append(joint)
    velocities, seen = {}, set()

    def add(i, parent, hung):
        seen.add(i)
        body = scene["bodies"][i]
        name = body["name"]
        lines.append(f"<body name={quoteattr(name)} {pose(body, parent)}>")
        if hung is None and body["planar"]:
            for axis, direction, velocity in zip("xy", ("1 0 0", "0 1 0"), body["velocity"]):
                lines.append(f'<joint name="{name}.{axis}" type="slide" axis="{direction}"/>')
                velocities[f"{name}.{axis}"] = [velocity]
        elif hung is None:
            lines.append(f"<freejoint name={quoteattr(name)}/>")
            if any(body["angular_velocity"]) and body["orientation"] != [1.0, 0.0, 0.0, 0.0]:
                raise ValueError(f"bodies.{name}: what turns at the start must begin upright")
            velocities[name] = body["velocity"] + body["angular_velocity"]
        else:
            arm = [a - b for a, b in zip(body["position"], parent["position"])]
            wx, wy, wz = parent["angular_velocity"]
            carried = [wy * arm[2] - wz * arm[1], wz * arm[0] - wx * arm[2], wx * arm[1] - wy * arm[0]]
            off = [abs(v - p - c) for v, p, c in zip(body["velocity"], parent["velocity"], carried)]
            if max(off) > 1e-6 or body["angular_velocity"] != parent["angular_velocity"]:
                raise ValueError(f"bodies.{name}: bodies that joints connect must begin as one rigid body")
            lines.append(bond(hung, body, turns_back=hung["a"] == i))
        lines.append(f'<geom {form(body["shape"])} mass="{body["mass"]}"/>')
        for joint in joints[i]:
            other = joint["a"] + joint["b"] - i
            if joint is not hung and other in seen:
                raise ValueError(f"joints.{joint['name']} closes a loop")
            if other not in seen:
                add(other, body, joint)
        lines.append("</body>")

    for i in range(len(scene["bodies"])):
        if i not in seen:
            add(i, None, None)
    lines += ["</worldbody>", "</mujoco>"]
    return "\n".join(lines) + "\n", velocities


def bond(joint, body, turns_back):
    back = conjugate(body["orientation"])
    place = turned(back, [p - q for p, q in zip(joint["position"], body["position"])])
    text = f'<joint name={quoteattr(joint["name"])} type="{joint["kind"]}" pos="{numbers(place)}"'
    if joint["kind"] == "hinge":
        axis = turned(back, turned(joint["orientation"], [-1.0 if turns_back else 1.0, 0.0, 0.0]))
        text += f' axis="{numbers(axis)}"'
        if joint["limits"]:
            text += f' limited="true" range="{numbers(joint["limits"])}"'
    return text + "/>"


def pose(item, parent=None):
    """Where a body or shape is, seen from its parent."""
    position, orientation = item["position"], item["orientation"]
    shape = item.get("shape", {})
    if shape.get("kind") == "plane":
        # A plane faces its z axis; the turn that brings x to the normal, after one that brings z to x.
        orientation = multiply(from_x_to(shape["normal"]), [0.5**0.5, 0.0, 0.5**0.5, 0.0])
    if parent is not None:
        back = conjugate(parent["orientation"])
        position = turned(back, [p - q for p, q in zip(position, parent["position"])])
        orientation = multiply(back, orientation)
    return f'pos="{numbers(position)}" quat="{numbers(orientation)}"'


def form(shape):
    if shape["kind"] == "plane":
        return 'type="plane" size="0 0 1"'
    if shape["kind"] == "sphere":
        return f'type="sphere" size="{shape["radius"]}"'
    if shape["kind"] == "box":
        return f'type="box" size="{numbers([c / 2 for c in shape["size"]])}"'
    half = shape["length"] / 2
    return f'type="capsule" size="{shape["radius"]}" fromto="{-half} 0 0 {half} 0 0"'


def numbers(values):
    return " ".join(repr(float(v)) for v in values)

"""A 7-axis arm, as URDF for control and as MJCF with position servos: own dimensions, no meshes."""

LENGTHS = [0.16, 0.18, 0.20, 0.18, 0.16, 0.10, 0.08]  # m, from joint to joint
MASSES = [3.2, 2.8, 2.4, 2.0, 1.4, 0.9, 0.5]  # kg
AXES = ["0 0 1", "0 1 0", "0 0 1", "0 1 0", "0 0 1", "0 1 0", "0 0 1"]
RADIUS = 0.045  # m


def _inertia(mass, length):
    """A solid cylinder along z."""
    across = mass * (3 * RADIUS**2 + length**2) / 12
    return across, mass * RADIUS**2 / 2


def urdf() -> str:
    """The arm as URDF: links link1 … link7 on joints joint1 … joint7."""
    out = ['<robot name="arm7">', '  <link name="base"/>']
    for k, (length, mass) in enumerate(zip(LENGTHS, MASSES), 1):
        across, along = _inertia(mass, length)
        out.append(
            f'  <link name="link{k}"><inertial><origin xyz="0 0 {length / 2}"/><mass value="{mass}"/>'
            f'<inertia ixx="{across}" iyy="{across}" izz="{along}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        )
    for k, axis in enumerate(AXES, 1):
        parent, height = ("base", 0.0) if k == 1 else (f"link{k - 1}", LENGTHS[k - 2])
        out.append(
            f'  <joint name="joint{k}" type="continuous"><parent link="{parent}"/><child link="link{k}"/>'
            f'<origin xyz="0 0 {height}"/><axis xyz="{axis}"/></joint>'
        )
    return "\n".join([*out, "</robot>"])


def mjcf(stiffness: float = 400.0, damping: float = 20.0, dt: float = 1e-3) -> str:
    """The arm as MJCF with a position servo on every joint."""
    body, end = "", ""
    for k, (length, mass, axis) in enumerate(zip(LENGTHS, MASSES, AXES), 1):
        height = 0.0 if k == 1 else LENGTHS[k - 2]
        across, along = _inertia(mass, length)
        body += (
            f'<body name="link{k}" pos="0 0 {height}"><inertial pos="0 0 {length / 2}" mass="{mass}" '
            f'diaginertia="{across} {across} {along}"/><joint name="joint{k}" type="hinge" axis="{axis}"/>'
        )
        end += "</body>"
    servos = "".join(
        f'<position name="servo{k}" joint="joint{k}" kp="{stiffness}" kv="{damping}"/>' for k in range(1, 8)
    )
    return (
        f'<mujoco model="arm7"><option timestep="{dt}" integrator="implicitfast" gravity="0 0 -9.81"/>'
        f"<worldbody>{body}{end}</worldbody><actuator>{servos}</actuator></mujoco>"
    )

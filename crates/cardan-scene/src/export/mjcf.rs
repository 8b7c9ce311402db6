//! MJCF: nested bodies in the pose of the scene, joints whose `ref` is their coordinate there, loops as equalities, servos
//! and motors as actuators.
//!
//! Since every joint's `ref` is its coordinate in the pose that the file shows, MuJoCo's coordinates are those of the scene,
//! and equalities, which MuJoCo takes from this pose, are closed. Angles are in rad.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cardan::joint::{EffortKind, Motor, Servo};
use cardan::math::{Quat, Vec3};
use cardan::{Frame, Law, MassProperties};

use super::mechanism::{
    ExportBody, ExportJoint, Mechanism, Tree, TreeEdge, has_actions, unsaid_friction, unsaid_restitution,
};
use super::{Exported, escaped, numbers, vector};
use crate::import::UniqueNames;
use crate::import::{compose, inverse};
use crate::quantity::Length;
use crate::scene::{GROUND, JointKindDesc, MotorDesc, OneOrMany, ShapeDesc, ShapeKind};

struct MjcfWriter<'m> {
    mechanism: &'m Mechanism<'m>,
    tree: Tree,
    /// Of each body: those below it that are written inside it.
    children: Vec<Vec<usize>>,
    /// Of each body: those above it that are written as joints of it, the nearest last.
    carried: Vec<Vec<usize>>,
    body_names: Vec<String>,
    /// Of each joint: the names of its coordinates.
    joint_names: Vec<Vec<String>>,
    /// Of each body: the names and points of its probes.
    probes: BTreeMap<&'m str, Vec<(&'m str, Vec3)>>,
    out: String,
    meshes: Vec<String>,
    actuators: Vec<String>,
    actuator_names: UniqueNames,
    controls: Vec<f64>,
    unsaid: Vec<String>,
}

/// A body whose mass is below this part of that of the body below it is no body of its own: a reader puts
/// such bodies between the joints of one.
const BETWEEN: f64 = 1e-12;

/// A joint that is open by more in the pose of the scene is another one in MJCF [m, rad].
const OPEN: f64 = 1e-9;

/// Most pairs of bodies that are written as excluded.
const MAX_EXCLUDED: usize = 100_000;

pub(super) fn write(mechanism: &Mechanism<'_>) -> Exported {
    let tree = mechanism.tree(|joint| match joint.kind() {
        JointKindDesc::Revolute
        | JointKindDesc::Prismatic
        | JointKindDesc::Fixed
        | JointKindDesc::Spherical
        | JointKindDesc::Cylindrical
        | JointKindDesc::Screw => [true, true],
        JointKindDesc::Universal | JointKindDesc::Planar => [true, false],
        _ => [false, false],
    });
    let mut probes: BTreeMap<&str, Vec<(&str, Vec3)>> = BTreeMap::new();
    for (name, probe) in mechanism.scene.probes.iter() {
        let at = crate::lower::point(probe.point.as_ref());
        probes.entry(probe.body.as_str()).or_default().push((name, at));
    }
    let carried = carried(mechanism, &tree, &probes);
    let is_carried: BTreeSet<usize> = carried.iter().flatten().copied().collect();
    let mut children = vec![Vec::new(); mechanism.bodies.len()];
    for &body in tree.order.iter().filter(|body| **body != 0 && !is_carried.contains(body)) {
        let top = carried[body].first().copied().unwrap_or(body);
        children[tree.edges[top].map_or(0, |edge| edge.parent)].push(body);
    }
    let mut writer = MjcfWriter {
        mechanism,
        tree,
        children,
        carried,
        body_names: body_names(mechanism),
        joint_names: joint_names(mechanism),
        probes,
        out: String::new(),
        meshes: Vec::new(),
        actuators: Vec::new(),
        actuator_names: UniqueNames::default(),
        controls: Vec::new(),
        unsaid: mechanism.unsaid(),
    };
    for joint in &mechanism.joints {
        let gap = mechanism.gap(joint);
        if gap > OPEN {
            let name = joint.name;
            writer.unsaid.push(format!(
                "joint `{name}` is open by {gap:.1e} in the pose of the scene: MJCF holds it as it stands there"
            ));
        }
    }
    writer.bodies();
    let equalities = writer.equalities();
    let excluded = writer.excluded();
    let MjcfWriter { out: bodies, meshes, actuators, controls, mut unsaid, .. } = writer;
    let scene = mechanism.scene;
    let title = escaped(scene.title.as_deref().unwrap_or("robot"));
    let mut text =
        format!("<mujoco model=\"{title}\">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n");
    let dt = scene.simulation.dt();
    let _ = writeln!(text, "  <option timestep=\"{dt:?}\" gravity=\"{}\"/>", numbers(&scene.gravity()));
    section(&mut text, "asset", &meshes);
    let _ = write!(text, "  <worldbody>\n{bodies}  </worldbody>\n");
    section(&mut text, "contact", &excluded);
    section(&mut text, "equality", &equalities);
    section(&mut text, "actuator", &actuators);
    if controls.iter().any(|control| *control != 0.0) {
        section(&mut text, "keyframe", &[format!("<key name=\"start\" ctrl=\"{}\"/>", numbers(&controls))]);
    }
    text.push_str("</mujoco>\n");
    if scene.has_contacts() {
        unsaid.push("restitution and pairs of contacts; friction is the larger of two in MuJoCo".to_string());
    }
    Exported { text, loops: None, unsaid }
}

fn section(out: &mut String, tag: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "  <{tag}>");
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
    let _ = writeln!(out, "  </{tag}>");
}

impl MjcfWriter<'_> {
    /// The bodies, depth first without recursion.
    fn bodies(&mut self) {
        self.inside(0, "    ");
        let mut stack: Vec<(usize, bool)> = self.children[0].iter().rev().map(|&body| (body, true)).collect();
        let mut depth = 2;
        while let Some((body, opens)) = stack.pop() {
            // Deep chains are not indented further.
            let indent = "  ".repeat(depth.min(40));
            if !opens {
                depth -= 1;
                let _ = writeln!(self.out, "{}</body>", "  ".repeat(depth.min(40)));
                continue;
            }
            let own = &self.mechanism.bodies[body];
            let top = self.carried[body].first().copied().unwrap_or(body);
            let parent =
                self.tree.edges[top].map_or(Frame::default(), |edge| self.mechanism.bodies[edge.parent].pose);
            let at = compose(&inverse(&parent), &own.pose);
            let _ = writeln!(
                self.out,
                "{indent}<body name=\"{}\" pos=\"{}\" quat=\"{}\">",
                self.body_names[body],
                vector(at.pos),
                numbers(&at.rot.to_wxyz())
            );
            depth += 1;
            let inner = "  ".repeat(depth.min(40));
            let above = self.carried[body].clone();
            for &moved in above.iter().chain([&body]) {
                match self.tree.edges[moved] {
                    // Joints of a scene have other names.
                    None => {
                        let _ = writeln!(self.out, "{inner}<freejoint/>");
                    }
                    Some(edge) => self.joint(body, edge, &inner),
                }
            }
            let mass = self.mass(body);
            let i = &mass.inertia;
            let _ = writeln!(
                self.out,
                "{inner}<inertial pos=\"{}\" mass=\"{:?}\" fullinertia=\"{}\"/>",
                vector(mass.center),
                mass.mass,
                numbers(&[i.xx, i.yy, i.zz, i.xy, i.xz, i.yz])
            );
            self.inside(body, &inner);
            stack.push((body, false));
            stack.extend(self.children[body].iter().rev().map(|&child| (child, true)));
        }
    }

    /// Mass properties of a body with what is written as a part of it.
    fn mass(&self, body: usize) -> MassProperties {
        let bodies = &self.mechanism.bodies;
        let back = inverse(&bodies[body].pose);
        let mut parts = vec![bodies[body].mass];
        for &other in &self.carried[body] {
            let (own, at) = (bodies[other].mass, compose(&back, &bodies[other].pose));
            let inertia = own.inertia.rotated(&at.rot.matrix());
            parts.push(MassProperties { center: at.pos + at.rot * own.center, inertia, ..own });
        }
        if let [one] = parts[..] { one } else { MassProperties::compound(&parts) }
    }

    /// Shapes and probes of a body.
    fn inside(&mut self, body: usize, indent: &str) {
        let own = &self.mechanism.bodies[body];
        let scene = self.mechanism.scene;
        let shapes: &[ShapeDesc] = match own.desc {
            Some(desc) => desc.all_shapes(),
            None => scene.ground.as_ref().map_or(&[], |ground| &ground.shapes),
        };
        for shape in shapes {
            self.geom(own.name, shape, indent);
        }
        for &(name, at) in self.probes.get(own.name).into_iter().flatten() {
            let _ = writeln!(self.out, "{indent}<site name=\"{}\" pos=\"{}\"/>", escaped(name), vector(at));
        }
    }

    fn geom(&mut self, body: &str, shape: &ShapeDesc, indent: &str) {
        let mut at = crate::lower::frame_of_shape(shape);
        let lying = Quat::from_axis_angle(Vec3::Y, 0.5 * core::f64::consts::PI).unwrap_or(Quat::IDENTITY);
        let length = |l: Option<Length>| l.map_or(0.0, f64::from);
        let (radius, long) = (length(shape.radius), length(shape.length));
        let form = match (shape.kind, &shape.file) {
            (ShapeKind::Box, _) => {
                let half: Vec<f64> = shape.size.iter().flatten().map(|&l| 0.5 * f64::from(l)).collect();
                format!("type=\"box\" size=\"{}\"", numbers(&half))
            }
            (ShapeKind::Sphere, _) => format!("type=\"sphere\" size=\"{radius:?}\""),
            (ShapeKind::Cylinder | ShapeKind::Capsule | ShapeKind::Rod, _) if radius > 0.0 => {
                at.rot = at.rot * lying;
                let kind = if shape.kind == ShapeKind::Cylinder { "cylinder" } else { "capsule" };
                format!("type=\"{kind}\" size=\"{}\"", numbers(&[radius, 0.5 * long]))
            }
            (ShapeKind::Plane, _) => {
                let normal = shape.normal.as_ref().map_or(Vec3::Z, crate::lower::vector);
                if shape.normal.is_some() || shape.orientation.is_none() {
                    at.rot = Quat::with_z_along(normal, None).unwrap_or(Quat::IDENTITY);
                }
                "type=\"plane\" size=\"10 10 0.1\"".to_string()
            }
            (ShapeKind::Hull | ShapeKind::Mesh, Some(file)) => {
                let scale = shape.scale.map_or([1.0; 3], crate::scene::MeshScale::factors);
                let name = format!("mesh{}", self.meshes.len());
                let scale = numbers(&scale);
                self.meshes
                    .push(format!("<mesh name=\"{name}\" file=\"{}\" scale=\"{scale}\"/>", escaped(file)));
                format!("type=\"mesh\" mesh=\"{name}\"")
            }
            _ => {
                self.unsaid.push(format!("a shape of `{body}`: corners without a file, or a terrain"));
                return;
            }
        };
        let touches = self.mechanism.scene.has_contacts() && shape.collide != Some(false);
        let material = shape.material.as_ref().and_then(|name| self.mechanism.scene.materials.get(name));
        let contact = match (touches, material.and_then(|own| own.friction)) {
            (false, _) => " contype=\"0\" conaffinity=\"0\"".to_string(),
            (true, Some(friction)) => format!(" friction=\"{:?}\"", friction.values().1),
            (true, None) => " friction=\"0\"".to_string(),
        };
        let (pos, quat) = (vector(at.pos), numbers(&at.rot.to_wxyz()));
        let _ = writeln!(self.out, "{indent}<geom {form} pos=\"{pos}\" quat=\"{quat}\"{contact}/>");
    }

    /// A joint of the tree, as a joint of the body that it is written in.
    fn joint(&mut self, body: usize, edge: TreeEdge, indent: &str) {
        let mechanism = self.mechanism;
        let joint = &mechanism.joints[edge.joint];
        let way = if edge.is_reversed { -1.0 } else { 1.0 };
        let side = usize::from(!edge.is_reversed);
        let (pose, parent) = (mechanism.bodies[body].pose, mechanism.bodies[edge.parent].pose);
        // The joint frame on the child, which may be a body that is carried, as the body has it in this pose.
        let own = match joint.ends[side] == body {
            true => joint.frames[side],
            false => {
                let child = mechanism.bodies[joint.ends[side]].pose;
                compose(&inverse(&pose), &compose(&child, &joint.frames[side]))
            }
        };
        let other = compose(&parent, &joint.frames[usize::from(edge.is_reversed)]);
        // Axes that are fixed in the parent, as the child has them in this pose.
        let above = |axis: Vec3| pose.rot.inverse() * (other.rot * axis);
        let z = own.rot * Vec3::Z * way;
        let parts: Vec<(&str, Vec3)> = match joint.kind() {
            JointKindDesc::Revolute => vec![("hinge", z)],
            JointKindDesc::Prismatic => vec![("slide", z)],
            JointKindDesc::Cylindrical | JointKindDesc::Screw => vec![("slide", z), ("hinge", z)],
            JointKindDesc::Spherical => vec![("ball", z)],
            JointKindDesc::Universal => vec![("hinge", above(Vec3::Z)), ("hinge", own.rot * Vec3::X)],
            JointKindDesc::Planar => vec![("slide", above(Vec3::X)), ("slide", above(Vec3::Y)), ("hinge", z)],
            _ => Vec::new(),
        };
        for (coordinate, (kind, axis)) in parts.into_iter().enumerate() {
            let name = self.joint_names[edge.joint][coordinate].clone();
            let mut line = format!("<joint name=\"{name}\" type=\"{kind}\" pos=\"{}\"", vector(own.pos));
            if kind == "ball" {
                if has_actions(joint) {
                    self.unsaid.push(format!("limits, springs and friction of joint `{}`", joint.name));
                }
                let _ = writeln!(self.out, "{indent}{line}/>");
                continue;
            }
            let _ = write!(line, " axis=\"{}\"", vector(axis));
            if joint.q[coordinate] != 0.0 {
                let _ = write!(line, " ref=\"{:?}\"", joint.q[coordinate]);
            }
            self.actions(joint, coordinate, &name, &mut line);
            let _ = writeln!(self.out, "{indent}{line}/>");
        }
    }

    /// Limits, springs, friction and armature of a coordinate, and its actuators.
    fn actions(&mut self, joint: &ExportJoint<'_>, coordinate: usize, name: &str, line: &mut String) {
        let own = &joint.joint;
        if let Some(limit) = own.limits.iter().find(|limit| limit.coordinate == coordinate) {
            let ends =
                [limit.low, limit.high].map(|end| if end.is_finite() { end } else { 1e9 * end.signum() });
            let _ = write!(line, " range=\"{}\"", numbers(&ends));
        }
        let (mut stiffness, mut damping, mut pull, mut friction) = (0.0, 0.0, 0.0, 0.0);
        for spring in own.springs.iter().filter(|spring| spring.coordinate == coordinate) {
            stiffness += spring.stiffness;
            damping += spring.damping;
            pull += spring.stiffness * spring.rest;
        }
        for effort in own.efforts.iter().filter(|effort| effort.coordinate == coordinate) {
            match &effort.kind {
                EffortKind::Friction(dry) => {
                    friction += dry.coulomb;
                    damping += dry.viscous;
                    self.unsaid.extend(unsaid_friction(dry, joint.name));
                }
                EffortKind::Servo(servo) => self.servo(servo, joint.name, name),
                EffortKind::Motor(motor) => self.motor(motor, joint, name),
                EffortKind::Law(_) => self.unsaid.push(format!("force law of joint `{}`", joint.name)),
                EffortKind::Curve(_) => self.unsaid.push(format!("spring of joint `{}`", joint.name)),
            }
        }
        if own.limits.iter().any(|limit| limit.coordinate == coordinate && limit.restitution != 0.0) {
            self.unsaid.push(unsaid_restitution(joint.name));
        }
        let armature = if coordinate == 0 { own.armature } else { 0.0 };
        for (field, value) in [("damping", damping), ("frictionloss", friction), ("armature", armature)] {
            if value != 0.0 {
                let _ = write!(line, " {field}=\"{value:?}\"");
            }
        }
        if stiffness != 0.0 {
            let _ = write!(line, " stiffness=\"{stiffness:?}\" springref=\"{:?}\"", pull / stiffness);
        }
    }

    /// Pairs of bodies that do not touch: those that the scene lists, and those of one collision group.
    fn excluded(&mut self) -> Vec<String> {
        let scene = self.mechanism.scene;
        if !scene.has_contacts() {
            return Vec::new();
        }
        let index: BTreeMap<&str, usize> =
            self.mechanism.bodies.iter().enumerate().map(|(i, body)| (body.name, i)).collect();
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for list in scene.contacts.iter().flat_map(|contacts| &contacts.exclude) {
            lists.push(list.iter().filter_map(|name| index.get(name.as_str()).copied()).collect());
        }
        let mut groups: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (i, body) in self.mechanism.bodies.iter().enumerate() {
            let shapes = body.desc.map_or(&[][..], |desc| desc.all_shapes());
            for group in shapes.iter().filter_map(|shape| shape.group.as_deref()) {
                groups.entry(group).or_default().insert(i);
            }
        }
        lists.extend(groups.into_values().map(|group| group.into_iter().collect()));
        let size: usize = lists.iter().map(|list| list.len() * list.len() / 2).sum();
        if size > MAX_EXCLUDED {
            self.unsaid.push("lists and groups of bodies that do not touch: too many pairs".to_string());
            return Vec::new();
        }
        let mut pairs: BTreeSet<[usize; 2]> = BTreeSet::new();
        for list in &lists {
            let all = list.iter().enumerate();
            pairs.extend(all.flat_map(|(k, &i)| list[k + 1..].iter().map(move |&j| [i.min(j), i.max(j)])));
        }
        let names = &self.body_names;
        let line = |[i, j]: [usize; 2]| format!("<exclude body1=\"{}\" body2=\"{}\"/>", names[i], names[j]);
        pairs.into_iter().filter(|[i, j]| i != j).map(line).collect()
    }

    /// A servo: of a position, or without a stiffness of a velocity.
    fn servo(&mut self, servo: &Servo, joint: &str, name: &str) {
        let limit = match servo.limit.is_finite() {
            true => format!(" forcerange=\"{}\"", numbers(&[-servo.limit, servo.limit])),
            false => String::new(),
        };
        let (kp, kv) = (servo.stiffness, servo.damping);
        let (start, later) = (servo.law.at(0.0), servo.law.at(1.0));
        let (tag, gains, control, is_kept) = match kp > 0.0 {
            true => {
                let is_kept = matches!(servo.law, Law::Constant(_));
                ("position", format!("kp=\"{kp:?}\" kv=\"{kv:?}\""), start.value, is_kept)
            }
            // c (ṡ − ẋ): a law that grows evenly is a constant control.
            false => {
                let is_kept = start.rate == later.rate && later.value == start.value + start.rate;
                ("velocity", format!("kv=\"{kv:?}\""), start.rate, is_kept)
            }
        };
        let own = self.actuator_names.take(format!("{name} servo"));
        self.actuators.push(format!("<{tag} name=\"{own}\" joint=\"{name}\" {gains}{limit}/>"));
        self.controls.push(control);
        if !is_kept {
            self.unsaid.push(format!("set point of the servo of `{joint}` over time"));
        }
    }

    /// A motor: the control is the command, the gear the torque at rest.
    fn motor(&mut self, motor: &Motor, joint: &ExportJoint<'_>, name: &str) {
        let torque = motor.curve.at(0.0);
        let limit = match motor.limit.is_finite() && torque != 0.0 {
            // Limited before the gear.
            true => {
                let most = motor.limit / torque.abs();
                format!(" forcerange=\"{}\"", numbers(&[-most, most]))
            }
            false => String::new(),
        };
        let own = self.actuator_names.take(format!("{name} motor"));
        let gear = format!("gear=\"{torque:?}\" ctrlrange=\"-1 1\"{limit}");
        self.actuators.push(format!("<motor name=\"{own}\" joint=\"{name}\" {gear}/>"));
        self.controls.push(motor.law.at(0.0).value);
        let motors: &[MotorDesc] = match &joint.desc.motor {
            Some(OneOrMany::One(one)) => std::slice::from_ref(one),
            Some(OneOrMany::Many(all)) => all,
            None => &[],
        };
        let is_flat = |desc: &MotorDesc| desc.curve.iter().all(|(_, y)| y.value == desc.curve[0].1.value);
        if !motors.iter().all(is_flat) {
            self.unsaid.push(format!("torque of the motor of `{}` by speed", joint.name));
        }
        if !matches!(motor.law, Law::Constant(_)) {
            self.unsaid.push(format!("command of the motor of `{}` over time", joint.name));
        }
    }

    /// Loops, threads and couplers.
    fn equalities(&mut self) -> Vec<String> {
        let mechanism = self.mechanism;
        let mut all = Vec::new();
        let names = |end: usize| self.body_names[end].clone();
        for &j in &self.tree.loops {
            let joint = &mechanism.joints[j];
            // The anchor is given on the first, which is no ground.
            let k = usize::from(joint.ends[0] == 0);
            let [one, two] = [names(joint.ends[k]), names(joint.ends[1 - k])];
            let (at, name) = (joint.frames[k], escaped(joint.name));
            let connect = |name: &str, anchor: Vec3| {
                format!(
                    "<connect name=\"{name}\" body1=\"{one}\" body2=\"{two}\" anchor=\"{}\"/>",
                    vector(anchor)
                )
            };
            match joint.kind() {
                JointKindDesc::Spherical => all.push(connect(&name, at.pos)),
                JointKindDesc::Fixed => {
                    all.push(format!("<weld name=\"{name}\" body1=\"{one}\" body2=\"{two}\"/>"));
                }
                // Two points of the axis.
                JointKindDesc::Revolute => {
                    all.push(connect(&name, at.pos));
                    all.push(connect(&format!("{name} axis"), at.pos + at.rot * Vec3::Z * 0.1));
                }
                _ => {
                    let kind = joint.desc.kind.about().name();
                    self.unsaid.push(format!("`{}`, a {kind} joint that closes a loop", joint.name));
                    continue;
                }
            }
            if has_actions(joint) {
                self.unsaid.push(format!("what acts along `{}`, which closes a loop", joint.name));
            }
        }
        let in_tree: BTreeSet<usize> = self.tree.edges.iter().flatten().map(|edge| edge.joint).collect();
        for &j in &in_tree {
            let joint = &mechanism.joints[j];
            if joint.kind() == JointKindDesc::Screw {
                // The thread holds in the pose of the file, from where MuJoCo counts.
                let slope = joint.desc.lead.map_or(0.0, f64::from) / core::f64::consts::TAU;
                let [shift, angle] = [0, 1].map(|k| &self.joint_names[j][k]);
                let coefficients = numbers(&[0.0, slope, 0.0, 0.0, 0.0]);
                all.push(format!(
                    "<joint joint1=\"{shift}\" joint2=\"{angle}\" polycoef=\"{coefficients}\"/>"
                ));
            }
        }
        for (name, desc) in &mechanism.others {
            match mechanism.linear_pair(desc) {
                Some([(i, f), (j, g), (_, c)]) if in_tree.contains(&i) && in_tree.contains(&j) => {
                    let [one, two] = [&mechanism.joints[i], &mechanism.joints[j]];
                    let open = (c - f * one.q[0] - g * two.q[0]) / f;
                    let coefficients = numbers(&[open, -g / f, 0.0, 0.0, 0.0]);
                    let [one, two] = [&self.joint_names[i][0], &self.joint_names[j][0]];
                    all.push(format!(
                        "<joint joint1=\"{one}\" joint2=\"{two}\" polycoef=\"{coefficients}\"/>"
                    ));
                }
                _ => self.unsaid.push(format!("`{name}`, a joint of kind {}", desc.kind.about().name())),
            }
        }
        all
    }
}

/// Of each body: the bodies above it that only carry it, whose joints can be written as joints of it. They
/// have next to no mass, no shape, no probe, and no joint but one above and one below.
fn carried(
    mechanism: &Mechanism<'_>,
    tree: &Tree,
    probes: &BTreeMap<&str, Vec<(&str, Vec3)>>,
) -> Vec<Vec<usize>> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); mechanism.bodies.len()];
    for (body, edge) in tree.edges.iter().enumerate() {
        if let Some(edge) = edge {
            below[edge.parent].push(body);
        }
    }
    let ends = tree.loops.iter().flat_map(|&j| mechanism.joints[j].ends);
    let held: BTreeSet<usize> = ends.collect();
    let mut all: Vec<Vec<usize>> = vec![Vec::new(); mechanism.bodies.len()];
    // From parents to children: a body that is carried hands on what it carries.
    for &body in &tree.order {
        let own = &mechanism.bodies[body];
        let (Some(desc), Some(_), &[child]) = (own.desc, tree.edges[body], &below[body][..]) else {
            continue;
        };
        let is_light = own.mass.mass <= BETWEEN * mechanism.bodies[child].mass.mass;
        let is_bare = desc.all_shapes().is_empty() && !probes.contains_key(own.name);
        if is_light && is_bare && !held.contains(&body) {
            let mut chain = core::mem::take(&mut all[body]);
            chain.push(body);
            all[child] = chain;
        }
    }
    all
}

/// The names of the bodies; the ground is the world.
fn body_names(mechanism: &Mechanism<'_>) -> Vec<String> {
    let mut names = UniqueNames::given(mechanism.bodies.iter().map(|body| body.name.to_string()));
    let named = |body: &ExportBody<'_>| match body.name {
        GROUND => "world".to_string(),
        "world" => names.take("world body".to_string()),
        name => escaped(name),
    };
    mechanism.bodies.iter().map(named).collect()
}

/// The name of each joint, or those of its coordinates.
fn joint_names(mechanism: &Mechanism<'_>) -> Vec<Vec<String>> {
    let mut names = UniqueNames::given(mechanism.joints.iter().map(|joint| joint.name.to_string()));
    let mut named = |joint: &ExportJoint<'_>| match joint.kind() {
        JointKindDesc::Spherical => vec![escaped(joint.name)],
        _ if joint.coordinates() == 1 => vec![escaped(joint.name)],
        // A screw has two here: along and about its axis.
        kind => {
            let count = if kind == JointKindDesc::Screw { 2 } else { joint.coordinates() };
            (0..count).map(|k| escaped(&names.take(format!("{}/{k}", joint.name)))).collect()
        }
    };
    mechanism.joints.iter().map(&mut named).collect()
}

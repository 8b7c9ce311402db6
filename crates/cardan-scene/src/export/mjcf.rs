//! MJCF: nested bodies in the pose of the scene, joints whose `ref` is their coordinate there, loops as equalities, servos
//! and motors as actuators.
//!
//! Since every joint's `ref` is its coordinate in the pose that the file shows, MuJoCo's coordinates are those of the scene,
//! and equalities, which MuJoCo takes from this pose, are closed. Angles are in rad.

use std::fmt::Write as _;

use cardan::joint::EffortKind;
use cardan::math::{Quat, Vec3};
use cardan::{Frame, Law};

use super::mechanism::{ExportJoint, Mechanism, Tree, TreeEdge};
use super::urdf::linear_pair;
use super::{Exported, escaped, numbers, vector};
use crate::import::{compose, inverse};
use crate::quantity::Length;
use crate::scene::{GROUND, JointKindDesc, ShapeDesc, ShapeKind};

struct Writer<'m> {
    mechanism: &'m Mechanism<'m>,
    tree: Tree,
    children: Vec<Vec<usize>>,
    out: String,
    meshes: Vec<String>,
    actuators: Vec<String>,
    controls: Vec<f64>,
    unsaid: Vec<String>,
}

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
    let mut children = vec![Vec::new(); mechanism.bodies.len()];
    for &body in tree.order.iter().filter(|body| **body != 0) {
        children[tree.edges[body].map_or(0, |edge| edge.parent)].push(body);
    }
    let (out, meshes, actuators, controls) = (String::new(), Vec::new(), Vec::new(), Vec::new());
    let unsaid = mechanism.unsaid();
    let mut writer = Writer { mechanism, tree, children, out, meshes, actuators, controls, unsaid };
    writer.bodies();
    let equalities = writer.equalities();
    let Writer { out: bodies, meshes, actuators, controls, mut unsaid, .. } = writer;
    let scene = mechanism.scene;
    let title = escaped(scene.title.as_deref().unwrap_or("robot"));
    let mut text =
        format!("<mujoco model=\"{title}\">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n");
    let dt = scene.simulation.dt();
    let _ = writeln!(text, "  <option timestep=\"{dt:?}\" gravity=\"{}\"/>", numbers(&scene.gravity()));
    section(&mut text, "asset", &meshes);
    let _ = write!(text, "  <worldbody>\n{bodies}  </worldbody>\n");
    section(&mut text, "equality", &equalities);
    section(&mut text, "actuator", &actuators);
    if controls.iter().any(|control| *control != 0.0) {
        section(&mut text, "keyframe", &[format!("<key name=\"start\" ctrl=\"{}\"/>", numbers(&controls))]);
    }
    text.push_str("</mujoco>\n");
    if scene.has_contacts() {
        unsaid.push("materials and pairs of contacts: MuJoCo's own are in force".to_string());
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

impl Writer<'_> {
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
            let parent = self.tree.edges[body]
                .map_or(Frame::default(), |edge| self.mechanism.bodies[edge.parent].pose);
            let at = compose(&inverse(&parent), &own.pose);
            let _ = writeln!(
                self.out,
                "{indent}<body name=\"{}\" pos=\"{}\" quat=\"{}\">",
                escaped(own.name),
                vector(at.pos),
                numbers(&at.rot.to_wxyz())
            );
            depth += 1;
            let inner = "  ".repeat(depth.min(40));
            match self.tree.edges[body] {
                None => {
                    let _ = writeln!(self.out, "{inner}<freejoint name=\"{} is free\"/>", escaped(own.name));
                }
                Some(edge) => self.joint(body, edge, &inner),
            }
            let i = &own.mass.inertia;
            let _ = writeln!(
                self.out,
                "{inner}<inertial pos=\"{}\" mass=\"{:?}\" fullinertia=\"{}\"/>",
                vector(own.mass.center),
                own.mass.mass,
                numbers(&[i.xx, i.yy, i.zz, i.xy, i.xz, i.yz])
            );
            self.inside(body, &inner);
            stack.push((body, false));
            stack.extend(self.children[body].iter().rev().map(|&child| (child, true)));
        }
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
        for (name, probe) in scene.probes.iter().filter(|(_, probe)| probe.body == own.name) {
            let at = crate::lower::point(probe.point.as_ref());
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
        let contact = if touches { "" } else { " contype=\"0\" conaffinity=\"0\"" };
        let (pos, quat) = (vector(at.pos), numbers(&at.rot.to_wxyz()));
        let _ = writeln!(self.out, "{indent}<geom {form} pos=\"{pos}\" quat=\"{quat}\"{contact}/>");
    }

    fn joint(&mut self, body: usize, edge: TreeEdge, indent: &str) {
        let mechanism = self.mechanism;
        let joint = &mechanism.joints[edge.joint];
        let way = if edge.is_reversed { -1.0 } else { 1.0 };
        let own = joint.frames[usize::from(!edge.is_reversed)];
        let (pose, parent) = (mechanism.bodies[body].pose, mechanism.bodies[edge.parent].pose);
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
        let several = parts.len() > 1;
        for (coordinate, (kind, axis)) in parts.into_iter().enumerate() {
            let name = part_name(joint.name, several.then_some(coordinate));
            let mut line = format!("<joint name=\"{name}\" type=\"{kind}\" pos=\"{}\"", vector(own.pos));
            if kind == "ball" {
                if !(joint.joint.springs.is_empty() && joint.joint.efforts.is_empty()) {
                    self.unsaid.push(format!("springs and friction of joint `{}`", joint.name));
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
                }
                EffortKind::Servo(servo) => {
                    let limit = match servo.limit.is_finite() {
                        true => format!(" forcerange=\"{}\"", numbers(&[-servo.limit, servo.limit])),
                        false => String::new(),
                    };
                    let (kp, kv) = (servo.stiffness, servo.damping);
                    let gains = format!("kp=\"{kp:?}\" kv=\"{kv:?}\"{limit}");
                    self.actuators
                        .push(format!("<position name=\"{name} servo\" joint=\"{name}\" {gains}/>"));
                    self.controls.push(servo.law.at(0.0).value);
                    if !matches!(servo.law, Law::Constant(_)) {
                        self.unsaid.push(format!("set point of the servo of `{}` over time", joint.name));
                    }
                }
                EffortKind::Motor(motor) => {
                    let torque = motor.curve.at(0.0);
                    let limit = match motor.limit.is_finite() && torque != 0.0 {
                        // Limited before the gear.
                        true => {
                            let most = motor.limit / torque.abs();
                            format!(" forcerange=\"{}\"", numbers(&[-most, most]))
                        }
                        false => String::new(),
                    };
                    let gear = format!("gear=\"{torque:?}\" ctrlrange=\"-1 1\"{limit}");
                    self.actuators.push(format!("<motor name=\"{name} motor\" joint=\"{name}\" {gear}/>"));
                    self.controls.push(motor.law.at(0.0).value);
                    self.unsaid.push(format!("command and curve of the motor of `{}`", joint.name));
                }
                EffortKind::Law(_) => self.unsaid.push(format!("force law of joint `{}`", joint.name)),
                EffortKind::Curve(_) => self.unsaid.push(format!("spring of joint `{}`", joint.name)),
            }
        }
        for (field, value) in [("damping", damping), ("frictionloss", friction), ("armature", own.armature)] {
            if value != 0.0 {
                let _ = write!(line, " {field}=\"{value:?}\"");
            }
        }
        if stiffness != 0.0 {
            let _ = write!(line, " stiffness=\"{stiffness:?}\" springref=\"{:?}\"", pull / stiffness);
        }
    }

    /// Loops, threads and couplers.
    fn equalities(&mut self) -> Vec<String> {
        let mechanism = self.mechanism;
        let mut all = Vec::new();
        let names = |end: usize| match mechanism.bodies[end].name {
            GROUND => "world".to_string(),
            name => escaped(name),
        };
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
            if !(joint.joint.limits.is_empty()
                && joint.joint.springs.is_empty()
                && joint.joint.efforts.is_empty())
            {
                self.unsaid.push(format!("what acts along `{}`, which closes a loop", joint.name));
            }
        }
        let in_tree: Vec<usize> = self.tree.edges.iter().flatten().map(|edge| edge.joint).collect();
        for &j in &in_tree {
            let joint = &mechanism.joints[j];
            if joint.kind() == JointKindDesc::Screw {
                // The thread holds in the pose of the file, from where MuJoCo counts.
                let slope = joint.desc.lead.map_or(0.0, f64::from) / core::f64::consts::TAU;
                let [shift, angle] = [0, 1].map(|k| part_name(joint.name, Some(k)));
                let coefficients = numbers(&[0.0, slope, 0.0, 0.0, 0.0]);
                all.push(format!(
                    "<joint joint1=\"{shift}\" joint2=\"{angle}\" polycoef=\"{coefficients}\"/>"
                ));
            }
        }
        for (name, desc) in &mechanism.others {
            match linear_pair(mechanism, desc) {
                Some([(i, f), (j, g), (_, c)]) if in_tree.contains(&i) && in_tree.contains(&j) => {
                    let [one, two] = [&mechanism.joints[i], &mechanism.joints[j]];
                    let open = (c - f * one.q[0] - g * two.q[0]) / f;
                    let coefficients = numbers(&[open, -g / f, 0.0, 0.0, 0.0]);
                    let [one, two] = [escaped(one.name), escaped(two.name)];
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

/// The name of a joint, or of one of its coordinates.
fn part_name(name: &str, coordinate: Option<usize>) -> String {
    let name = escaped(name);
    coordinate.map_or(name.clone(), |k| format!("{name}/{k}"))
}

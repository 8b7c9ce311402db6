//! URDF: links at their joints, limits, dynamics, mimics and shapes; loops in a file beside it.
//!
//! A link's frame is the joint frame of the joint above it, with the axis as z. What hangs on the ground hangs on a link
//! `ground`; a free body on a `floating` joint from it.

use std::fmt::Write as _;

use cardan::joint::EffortKind;
use cardan::math::{Quat, Vec3};
use cardan::{Frame, Law};

use super::mechanism::{ExportJoint, Mechanism, Tree, has_actions, unsaid_friction, unsaid_restitution};
use super::{Exported, along_z, escaped, numbers, rpy, vector};
use crate::error::{ErrorKind, SceneError};
use crate::import::{compose, frame_desc, inverse};
use crate::quantity::Quantity;
use crate::scene::{JointDesc, JointKindDesc, Named, OneOrMany, ShapeDesc, ShapeKind};

/// Limits of a prismatic joint without any: the format asks for some.
const FAR: f64 = 1e9;

struct UrdfWriter<'m> {
    mechanism: &'m Mechanism<'m>,
    tree: Tree,
    /// Of each body: the frame of its link in the body frame.
    link_frames: Vec<Frame>,
    out: String,
    unsaid: Vec<String>,
}

pub(super) fn write(mechanism: &Mechanism<'_>) -> Result<Exported, SceneError> {
    let tree = mechanism.tree(|joint| {
        let is_zero = joint.joint.zero.iter().all(|zero| *zero == 0.0);
        match joint.kind() {
            JointKindDesc::Revolute | JointKindDesc::Prismatic | JointKindDesc::Fixed => [true, true],
            JointKindDesc::Planar => [is_zero, false],
            _ => [false, false],
        }
    });
    let link_frames = tree.edges.iter().map(|edge| match edge {
        None => Frame::default(),
        Some(edge) => mechanism.joints[edge.joint].frames[usize::from(!edge.is_reversed)],
    });
    let link_frames = link_frames.collect();
    let unsaid = mechanism.unsaid();
    let mut writer = UrdfWriter { mechanism, tree, link_frames, out: String::new(), unsaid };
    let title = mechanism.scene.title.as_deref().unwrap_or("robot");
    let _ = writeln!(writer.out, "<?xml version=\"1.0\"?>\n<robot name=\"{}\">", escaped(title));
    for body in 0..mechanism.bodies.len() {
        writer.link(body);
    }
    // Joints in the order of the scene, so that a reader finds the same tree.
    let mut children: Vec<usize> = (1..mechanism.bodies.len()).collect();
    children.sort_by_key(|&body| writer.tree.edges[body].map_or(usize::MAX, |edge| edge.joint));
    let mimics = writer.mimics();
    for body in children {
        writer.joint(body, &mimics);
    }
    writer.out.push_str("</robot>\n");
    let loops = writer.loops()?;
    if mechanism.scene.contacts.is_some() || !mechanism.scene.materials.is_empty() {
        writer.unsaid.push("materials, groups and pairs of contacts".to_string());
    }
    if mechanism.scene.gravity() != [0.0, 0.0, -9.81] {
        writer.unsaid.push(format!("gravity {}: URDF has none", numbers(&mechanism.scene.gravity())));
    }
    Ok(Exported { text: writer.out, loops, unsaid: writer.unsaid })
}

/// `q = multiplier × leader + offset`, by the index of the joint.
type Mimics<'m> = std::collections::BTreeMap<usize, (&'m str, f64, f64)>;

impl<'m> UrdfWriter<'m> {
    fn link(&mut self, body: usize) {
        let own = &self.mechanism.bodies[body];
        let back = inverse(&self.link_frames[body]);
        let name = escaped(own.name);
        let shapes: &[ShapeDesc] = match own.desc {
            Some(desc) => desc.all_shapes(),
            None => self.mechanism.scene.ground.as_ref().map_or(&[], |ground| &ground.shapes),
        };
        let mut inside = String::new();
        if own.desc.is_some() {
            let center = back.pos + back.rot * own.mass.center;
            let i = own.mass.inertia.rotated(&back.rot.matrix());
            let _ = writeln!(
                inside,
                "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{:?}\"/>\n      <inertia ixx=\"{:?}\" ixy=\"{:?}\" \
                 ixz=\"{:?}\" iyy=\"{:?}\" iyz=\"{:?}\" izz=\"{:?}\"/>\n    </inertial>",
                vector(center),
                own.mass.mass,
                i.xx,
                i.xy,
                i.xz,
                i.yy,
                i.yz,
                i.zz
            );
        }
        for shape in shapes {
            self.shape(own.name, shape, &back, &mut inside);
        }
        let _ = match inside.is_empty() {
            true => writeln!(self.out, "  <link name=\"{name}\"/>"),
            false => writeln!(self.out, "  <link name=\"{name}\">\n{inside}  </link>"),
        };
    }

    fn shape(&mut self, body: &str, shape: &ShapeDesc, back: &Frame, out: &mut String) {
        let mut at = compose(back, &crate::lower::frame_of_shape(shape));
        // Along x in a scene, along z in URDF.
        let lying = Quat::from_axis_angle(Vec3::Y, 0.5 * core::f64::consts::PI).unwrap_or(Quat::IDENTITY);
        let length = |l: Option<crate::quantity::Length>| l.map_or(0.0, f64::from);
        let (radius, long) = (length(shape.radius), length(shape.length));
        let geometry = match (shape.kind, &shape.file) {
            (ShapeKind::Box, _) => {
                let size: Vec<f64> = shape.size.iter().flatten().map(|&l| l.into()).collect();
                format!("<box size=\"{}\"/>", numbers(&size))
            }
            (ShapeKind::Sphere, _) => format!("<sphere radius=\"{radius:?}\"/>"),
            (ShapeKind::Cylinder | ShapeKind::Rod, _) if radius > 0.0 => {
                at.rot = at.rot * lying;
                format!("<cylinder radius=\"{radius:?}\" length=\"{long:?}\"/>")
            }
            // Most readers know no capsule: a cylinder with two spheres.
            (ShapeKind::Capsule, _) => {
                at.rot = at.rot * lying;
                for end in [-0.5 * long, 0.5 * long] {
                    let ball = Frame { pos: at.pos + at.rot * Vec3::Z * end, rot: at.rot };
                    placed(out, shape, &ball, &format!("<sphere radius=\"{radius:?}\"/>"));
                }
                format!("<cylinder radius=\"{radius:?}\" length=\"{long:?}\"/>")
            }
            (ShapeKind::Hull | ShapeKind::Mesh, Some(file)) => {
                let scale = shape.scale.map_or([1.0; 3], crate::scene::MeshScale::factors);
                format!("<mesh filename=\"{}\" scale=\"{}\"/>", escaped(file), numbers(&scale))
            }
            _ => {
                self.unsaid
                    .push(format!("a shape of `{body}`: URDF has boxes, spheres, cylinders and mesh files"));
                return;
            }
        };
        placed(out, shape, &at, &geometry);
    }

    fn joint(&mut self, body: usize, mimics: &Mimics<'m>) {
        let mechanism = self.mechanism;
        let own = &mechanism.bodies[body];
        let child = escaped(own.name);
        let Some(edge) = self.tree.edges[body] else {
            let at = own.pose;
            let _ = writeln!(
                self.out,
                "  <joint name=\"{child} is free\" type=\"floating\">\n    <parent link=\"ground\"/>\n    <child link=\"{child}\"/>\n    \
                 <origin xyz=\"{}\" rpy=\"{}\"/>\n  </joint>",
                vector(at.pos),
                numbers(&rpy(at.rot))
            );
            return;
        };
        let joint = &mechanism.joints[edge.joint];
        let zero = joint.joint.zero[0];
        let still = match joint.kind() {
            JointKindDesc::Revolute => along_z(0.0, -zero),
            JointKindDesc::Prismatic => along_z(-zero, 0.0),
            _ => Frame::default(),
        };
        let (on_parent, still) =
            if edge.is_reversed { (joint.frames[1], inverse(&still)) } else { (joint.frames[0], still) };
        let back = inverse(&self.link_frames[edge.parent]);
        let at = compose(&compose(&back, &on_parent), &still);
        let limits = joint.joint.limits.first().filter(|limit| limit.coordinate == 0);
        let kind = match joint.kind() {
            JointKindDesc::Revolute if limits.is_none() => "continuous",
            JointKindDesc::Revolute => "revolute",
            JointKindDesc::Prismatic => "prismatic",
            JointKindDesc::Planar => "planar",
            _ => "fixed",
        };
        let _ = writeln!(
            self.out,
            "  <joint name=\"{}\" type=\"{kind}\">\n    <parent link=\"{}\"/>\n    <child link=\"{child}\"/>\n    \
             <origin xyz=\"{}\" rpy=\"{}\"/>\n    <axis xyz=\"0 0 {}\"/>",
            escaped(joint.name),
            escaped(mechanism.bodies[edge.parent].name),
            vector(at.pos),
            numbers(&rpy(at.rot)),
            if edge.is_reversed { "-1" } else { "1" }
        );
        if joint.coordinates() == 1 {
            self.actions(joint, kind);
            if let Some((leader, multiplier, offset)) = mimics.get(&edge.joint) {
                let leader = escaped(leader);
                let _ = writeln!(
                    self.out,
                    "    <mimic joint=\"{leader}\" multiplier=\"{multiplier:?}\" offset=\"{offset:?}\"/>"
                );
            }
            if joint.q[0].abs() > 1e-12 && !mimics.contains_key(&edge.joint) {
                self.unsaid.push(format!(
                    "joint `{}` starts at {:?}: a URDF robot starts at zero",
                    joint.name, joint.q[0]
                ));
            }
        } else if has_actions(joint) {
            self.unsaid.push(format!("limits, springs and friction of joint `{}`", joint.name));
        }
        self.out.push_str("  </joint>\n");
        if joint.joint.armature > 0.0 {
            let name = escaped(joint.name);
            let _ = writeln!(
                self.out,
                "  <transmission name=\"{name} rotor\">\n    <joint name=\"{name}\"/>\n    <actuator name=\"{name} rotor\">\
                 <mechanicalReduction>1</mechanicalReduction><rotorInertia>{:?}</rotorInertia></actuator>\n  </transmission>",
                joint.joint.armature
            );
        }
    }

    /// Limits and dynamics of a joint with one coordinate.
    fn actions(&mut self, joint: &ExportJoint<'_>, kind: &str) {
        let name = joint.name;
        let (mut effort, mut velocity, mut damping, mut friction) = (0.0, 0.0, 0.0, 0.0);
        let mut motors = 0;
        for spring in &joint.joint.springs {
            damping += spring.damping;
            if spring.stiffness != 0.0 {
                self.unsaid.push(format!("spring of joint `{name}`"));
            }
        }
        for acting in &joint.joint.efforts {
            match &acting.kind {
                EffortKind::Friction(dry) => {
                    friction += dry.coulomb;
                    damping += dry.viscous;
                    self.unsaid.extend(unsaid_friction(dry, name));
                }
                EffortKind::Motor(motor) => {
                    let rows: Vec<[f64; 2]> = match &joint.desc.motor {
                        Some(OneOrMany::One(desc)) => {
                            desc.curve.iter().map(|(x, y)| [x.value, y.value]).collect()
                        }
                        _ => Vec::new(),
                    };
                    let most =
                        rows.iter().fold(0.0_f64, |most, row| if row[1] > most { row[1] } else { most });
                    effort = if motor.limit.is_finite() { motor.limit } else { most };
                    // Rows [0, e], [v, e], [1.05 v, 0] are what a URDF reader makes of effort and velocity.
                    velocity = if let [_, [speed, _], [_, 0.0]] = rows[..] { speed } else { 0.0 };
                    let is_still = matches!(motor.law, Law::Constant(command) if command == 0.0);
                    if !is_still || rows.len() > 3 {
                        self.unsaid.push(format!("command and curve of the motor of joint `{name}`"));
                    }
                    motors += 1;
                }
                EffortKind::Servo(_) => self.unsaid.push(format!("servo of joint `{name}`")),
                EffortKind::Law(_) => self.unsaid.push(format!("force law of joint `{name}`")),
                EffortKind::Curve(_) => self.unsaid.push(format!("spring of joint `{name}`")),
            }
        }
        if motors > 1 {
            self.unsaid.push(format!("motors of joint `{name}` but the last"));
        }
        let ends = joint.joint.limits.first().map(|limit| [limit.low, limit.high]);
        let written = match (ends, kind) {
            (Some(ends), _) => Some(ends.map(|end| if end.is_finite() { end } else { FAR * end.signum() })),
            (None, "prismatic") => Some([-FAR, FAR]),
            _ => None,
        };
        match written {
            Some([low, high]) => {
                let _ = writeln!(
                    self.out,
                    "    <limit lower=\"{low:?}\" upper=\"{high:?}\" effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>"
                );
            }
            None if effort > 0.0 => {
                let _ = writeln!(self.out, "    <limit effort=\"{effort:?}\" velocity=\"{velocity:?}\"/>");
            }
            None => {}
        }
        if joint.joint.limits.iter().any(|limit| limit.restitution != 0.0) {
            self.unsaid.push(unsaid_restitution(name));
        }
        if damping > 0.0 || friction > 0.0 {
            let _ = writeln!(self.out, "    <dynamics damping=\"{damping:?}\" friction=\"{friction:?}\"/>");
        }
    }

    /// Couplers of two joints of the tree, as mimics; the others are not said.
    fn mimics(&mut self) -> Mimics<'m> {
        let mechanism = self.mechanism;
        let mut all = Mimics::new();
        let in_tree: std::collections::BTreeSet<usize> =
            self.tree.edges.iter().flatten().map(|edge| edge.joint).collect();
        for (name, desc) in &mechanism.others {
            match mechanism.linear_pair(desc) {
                Some([(j, f), (leader, g), (_, c)])
                    if in_tree.contains(&j) && in_tree.contains(&leader) && !all.contains_key(&j) =>
                {
                    all.insert(j, (mechanism.joints[leader].name, -g / f, c / f));
                }
                _ => self.unsaid.push(format!("`{name}`, a joint of kind {}", desc.kind.about().name())),
            }
        }
        all
    }

    /// The file of loops.
    fn loops(&mut self) -> Result<Option<String>, SceneError> {
        let mechanism = self.mechanism;
        let mut all: Named<JointDesc> = Named::default();
        for &j in &self.tree.loops {
            let joint = &mechanism.joints[j];
            let known = matches!(
                joint.kind(),
                JointKindDesc::Fixed
                    | JointKindDesc::Revolute
                    | JointKindDesc::Prismatic
                    | JointKindDesc::Cylindrical
                    | JointKindDesc::Spherical
                    | JointKindDesc::Universal
                    | JointKindDesc::Planar
            );
            if !known {
                self.unsaid.push(format!(
                    "`{}`, a joint of kind {}",
                    joint.name,
                    joint.desc.kind.about().name()
                ));
                continue;
            }
            let mut desc = joint.desc.clone();
            let [a, b] = joint.ends.map(|end| mechanism.bodies[end].name.to_string());
            (desc.a, desc.b) = (Some(a), Some(b));
            (desc.anchor, desc.axis, desc.axis2) = (None, None, None);
            (desc.anchor_in_a, desc.anchor_in_b, desc.axis2_in_b) = (None, None, None);
            (desc.axis_in_a, desc.axis_in_b) = (None, None);
            (desc.point_in_a, desc.point_in_b) = (None, None);
            desc.assembly_time = None;
            let side = |k: usize| {
                let back = inverse(&self.link_frames[joint.ends[k]]);
                Some(frame_desc(&compose(&back, &joint.frames[k])))
            };
            (desc.frame_in_a, desc.frame_in_b) = (side(0), side(1));
            let zero = &joint.joint.zero[..joint.coordinates()];
            let is_shifted = zero.iter().any(|x| *x != 0.0);
            desc.zero =
                is_shifted.then(|| zero.iter().map(|&value| Quantity { value, dimension: None }).collect());
            all.push(joint.name, desc);
        }
        if all.is_empty() {
            return Ok(None);
        }
        let head = "# Joints that close loops, and those that URDF has no type for.\n".to_string();
        let tables = crate::write::tables_of("loops", &all).map_err(|error| {
            let help = Some("this is a mistake of cardan".to_string());
            SceneError::of_file(ErrorKind::BadValue, "loops".to_string(), error.to_string(), help)
        })?;
        Ok(Some(head + &tables))
    }
}

/// A shape as a picture, and for contact unless it has none.
fn placed(out: &mut String, shape: &ShapeDesc, at: &Frame, geometry: &str) {
    let origin = format!("<origin xyz=\"{}\" rpy=\"{}\"/>", vector(at.pos), numbers(&rpy(at.rot)));
    let tags: &[&str] = if shape.collide == Some(false) { &["visual"] } else { &["visual", "collision"] };
    for tag in tags {
        let _ =
            writeln!(out, "    <{tag}>\n      {origin}\n      <geometry>{geometry}</geometry>\n    </{tag}>");
    }
}

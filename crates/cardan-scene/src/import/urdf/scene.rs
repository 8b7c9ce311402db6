//! From groups of links and joints to a scene.
//!
//! A body's frame is that of its reference link. A joint's frames have the axis as z and agree where the coordinate is
//! zero, so that coordinates have the zero and the sign of the file. The scene starts at zero, or at the nearest
//! position within the limits; joints that mimic others start where they follow.

use std::collections::BTreeMap;

use cardan::body::MassError;
use cardan::math::{Quat, Vec3};
use cardan::{BodyKind, Frame, MassProperties};

use super::read::{JointType, Link, Robot, RobotJoint};
use super::topology::Topology;
use crate::document::{Document, clip};
use crate::error::{ErrorKind, SceneError};
use crate::import::names::UniqueNames;
use crate::import::paths::FileFinder;
use crate::import::report::ImportReport;
use crate::import::shapes::ShapeWriter;
use crate::import::space::{compose, frame_desc, inverse, lengths, numbers, orientation, place, z_to};
use crate::import::xml::XmlText;
use crate::import::{Drafted, ImportOptions};
use crate::quantity::{Bound, Mass, Number, Quantity};
use crate::scene::{
    BodyDesc, FrictionDesc, GROUND, Inertia, JointDesc, JointKindDesc, JointSpringDesc, LawDesc, MotorDesc,
    OneOrMany, Planar, ProbeDesc, Scene, TermDesc,
};

/// What the robot is put into.
pub(in crate::import) struct Surroundings<'s> {
    pub(in crate::import) finder: &'s FileFinder<'s>,
    pub(in crate::import) options: &'s ImportOptions,
    pub(in crate::import) sidecar: Option<&'s Document>,
    /// Of each group: the pose of its reference link, if the file gives it (SDF); all coordinates are then zero, and the
    /// first group is the ground.
    pub(in crate::import) poses: Option<Vec<Frame>>,
}

/// Above its speed limit a motor's torque falls to zero within this part of the limit.
const FALL_OFF: f64 = 0.05;

struct Builder<'b> {
    text: &'b XmlText<'b>,
    robot: &'b Robot,
    topology: &'b Topology,
    options: &'b ImportOptions,
    report: ImportReport,
    lines: BTreeMap<String, usize>,
    scene: Scene,
    /// Of each group: the pose of its reference link at the start.
    poses: Vec<Frame>,
    /// Of each joint: its coordinate at the start.
    start: Vec<f64>,
    is_root_ground: bool,
    /// Of each group: its name in the scene.
    body_names: Vec<String>,
}

pub(in crate::import) fn build(
    text: &XmlText<'_>,
    robot: &Robot,
    topology: &Topology,
    around: Surroundings<'_>,
    report: ImportReport,
) -> Result<Drafted, SceneError> {
    let Surroundings { finder, options, sidecar, poses: given } = around;
    let is_root_ground = given.is_some() || !options.floating;
    let (lines, scene, poses, start) = (BTreeMap::new(), Scene::default(), Vec::new(), Vec::new());
    let mut builder = Builder {
        text,
        robot,
        topology,
        options,
        report,
        lines,
        scene,
        poses,
        start,
        is_root_ground,
        body_names: Vec::new(),
    };
    builder.name_bodies();
    builder.scene.title = Some(robot.name.clone());
    match given {
        Some(poses) => {
            builder.start = vec![0.0; robot.joints.len()];
            builder.poses = poses.iter().map(|pose| compose(&options.base, pose)).collect();
        }
        None => {
            builder.start_coordinates();
            builder.pose_groups()?;
        }
    }
    let mut shapes = ShapeWriter::new(finder, options);
    builder.bodies(&mut shapes)?;
    for (j, joint) in robot.joints.iter().enumerate() {
        if !builder.is_closing(j) {
            builder.joint(joint, j);
        }
    }
    for &j in &topology.closing {
        let line = text.line(robot.joints[j].at.start);
        builder.report.used("joint that closes a loop: its child has two parents", line);
        builder.joint(&robot.joints[j], j);
    }
    builder.loop_joints();
    builder.mimics();
    shapes.finish(&mut builder.scene);
    if builder.scene.bodies.is_empty() {
        let help = "a robot that moves has a joint that is not fixed, or a --floating root with mass";
        let at = robot.links[topology.groups[0].reference].at.clone();
        return Err(text.error(ErrorKind::Empty, at, "nothing of the robot can move", help));
    }
    if sidecar.is_some() {
        builder.report.used("loops of the file beside it", 1);
    }
    let Builder { scene, lines, report, .. } = builder;
    Ok(Drafted { scene, lines, report })
}

impl Builder<'_> {
    fn is_closing(&self, joint: usize) -> bool {
        self.topology.closing.binary_search(&joint).is_ok()
    }

    /// The name of a link or joint in the scene.
    fn name(&self, own: &str) -> String {
        format!("{}{own}", self.options.prefix)
    }

    /// The body of a link, or the ground.
    fn body_of(&self, link: usize) -> String {
        let group = self.topology.group_of[link];
        if self.is_ground(group) {
            return GROUND.to_string();
        }
        self.body_names[group].clone()
    }

    /// Bodies have the names of their reference links; the scene's ground is no body.
    fn name_bodies(&mut self) {
        let given: Vec<String> = self.robot.links.iter().map(|link| self.name(&link.name)).collect();
        let mut taken = UniqueNames::given(given.iter().cloned());
        let of_group = self.topology.groups.iter().map(|group| given[group.reference].clone());
        let named = |name: String| if name == GROUND { taken.take(format!("{name} link")) } else { name };
        self.body_names = of_group.map(named).collect();
    }

    fn is_ground(&self, group: usize) -> bool {
        group == 0 && self.is_root_ground
    }

    /// The frame of a link in that of its body; of the ground in the world.
    fn in_body(&self, link: usize) -> Frame {
        let group = self.topology.group_of[link];
        let own = self.topology.in_group[link];
        if self.is_ground(group) { compose(&self.options.base, &own) } else { own }
    }

    /// Zero, or the nearest position within the limits; what mimics another follows it.
    fn start_coordinates(&mut self) {
        let robot = self.robot;
        let free = |joint: &RobotJoint| match joint.position_limit {
            Some([low, _]) if low > 0.0 => low,
            Some([_, high]) if high < 0.0 => high,
            _ => 0.0,
        };
        self.start = vec![0.0; robot.joints.len()];
        let index: BTreeMap<&str, usize> =
            robot.joints.iter().enumerate().map(|(j, joint)| (joint.name.as_str(), j)).collect();
        for (j, joint) in robot.joints.iter().enumerate() {
            if self.topology.held[j] || !joint.has_coordinate() {
                continue;
            }
            // q = m₁ (m₂ (… q_free …) + o₂) + o₁ along the chain of followers, which ends.
            let (mut factor, mut shift, mut at) = (1.0, 0.0, joint);
            while let Some(mimic) = &at.mimic {
                shift += factor * mimic.offset;
                factor *= mimic.multiplier;
                at = &robot.joints[index[mimic.of.as_str()]];
            }
            let held = self.topology.held[index[at.name.as_str()]];
            self.start[j] = factor * if held { 0.0 } else { free(at) } + shift;
            if joint.mimic.is_none() && self.start[j] != 0.0 {
                let line = self.text.line(joint.at.start);
                let what = "joint whose limits exclude zero: it starts at the nearer limit";
                self.report.approximated(what, line);
            }
        }
    }

    fn pose_groups(&mut self) -> Result<(), SceneError> {
        for group in &self.topology.groups {
            let pose = match group.joint {
                None => self.options.base,
                Some(j) => {
                    let joint = &self.robot.joints[j];
                    let parent = &self.poses[self.topology.group_of[joint.parent]];
                    let parent = compose(parent, &self.topology.in_group[joint.parent]);
                    let moved = compose(&compose(&parent, &joint.frame), &self.motion(joint, self.start[j]));
                    compose(&moved, &inverse(&joint.in_child))
                }
            };
            let finite =
                |frame: &Frame| frame.pos.is_finite() && frame.rot.to_wxyz().iter().all(|x| x.is_finite());
            let placed = |&link: &usize| finite(&compose(&pose, &self.topology.in_group[link]));
            if let Some(&lost) = group.links.iter().find(|link| !placed(link)) {
                let link = &self.robot.links[lost];
                let message = format!("the position of link `{}` is not finite", clip(&link.name));
                let help = "give origins and offsets of a size that numbers have";
                return Err(self.text.bad(link.at.clone(), message, help));
            }
            self.poses.push(pose);
        }
        Ok(())
    }

    /// The child's frame in the joint frame at a coordinate.
    fn motion(&self, joint: &RobotJoint, q: f64) -> Frame {
        match joint.kind {
            _ if q == 0.0 => Frame::default(),
            JointType::Prismatic => Frame { pos: joint.axis * q, rot: Quat::IDENTITY },
            _ => {
                let rot = Quat::from_axis_angle(joint.axis, q).unwrap_or(Quat::IDENTITY);
                Frame { pos: Vec3::ZERO, rot }
            }
        }
    }

    fn bodies(&mut self, shapes: &mut ShapeWriter<'_>) -> Result<(), SceneError> {
        let mut order: Vec<usize> = (0..self.topology.groups.len()).collect();
        order.sort_by_key(|&g| self.topology.groups[g].reference);
        for g in order {
            let group = &self.topology.groups[g];
            let body = self.body_of(group.reference);
            let mut found = Vec::new();
            for &link in &group.links {
                let frame = self.in_body(link);
                shapes.add_link(self.text, &self.robot.links[link], &frame, &mut found, &mut self.report)?;
            }
            if self.is_ground(g) {
                shapes.add_ground(found);
                continue;
            }
            let desc = self.body(g)?;
            shapes.add_body(&body, desc, found, &mut self.scene);
            let line = self.text.line(self.robot.links[group.reference].at.start);
            self.lines.insert(format!("bodies.{}", crate::write::key(&body)), line);
            for &link in group.links.iter().filter(|&&link| link != group.reference) {
                let at = &self.robot.links[link];
                self.report.used("link that a fixed joint holds: a probe", self.text.line(at.at.start));
                let point = self.topology.in_group[link].pos;
                let point = (point != Vec3::ZERO).then(|| lengths(point.to_array()));
                self.scene.probes.push(self.name(&at.name), ProbeDesc { body: body.clone(), point });
            }
        }
        Ok(())
    }

    /// Mass properties and pose of a group.
    fn body(&mut self, g: usize) -> Result<BodyDesc, SceneError> {
        let group = &self.topology.groups[g];
        let reference = &self.robot.links[group.reference];
        let name = clip(&reference.name);
        if group.mass <= 0.0 {
            let (message, help) = match group.joint {
                None => (
                    format!("the floating root `{name}` has no mass"),
                    "give it an <inertial>, or leave out --floating",
                ),
                Some(_) => (
                    format!("link `{name}` moves and has no mass"),
                    "give it an <inertial> with a mass and an inertia, or make its joint fixed",
                ),
            };
            return Err(self.text.error(ErrorKind::MissingField, reference.at.clone(), message, help));
        }
        let mut parts = Vec::new();
        let mut unphysical = false;
        for &link in &group.links {
            let Some(inertial) = &self.robot.links[link].inertial else { continue };
            unphysical |= self.check_inertia(&self.robot.links[link])?;
            let frame = compose(&self.topology.in_group[link], &inertial.frame);
            let inertia = if frame.rot == Quat::IDENTITY {
                inertial.inertia
            } else {
                inertial.inertia.rotated(&frame.rot.matrix())
            };
            parts.push(MassProperties { mass: inertial.mass, center: frame.pos, inertia });
        }
        let whole = if let [one] = &parts[..] { *one } else { MassProperties::compound(&parts) };
        if let Err(error) = whole.check(BodyKind::Rigid, true) {
            let message = format!("link `{name}`: {error}");
            let help = "every principal moment of a link that moves is positive (kg·m²)";
            let inertials = group.links.iter().filter_map(|&l| self.robot.links[l].inertial.as_ref());
            let at = inertials.map(|i| i.at.clone()).next().unwrap_or(reference.at.clone());
            return Err(self.text.bad(at, message, help));
        }
        // A sum that breaks the rule only by the parts that do.
        let breaks = matches!(whole.check(BodyKind::Rigid, false), Err(MassError::Triangle { .. }));
        let pose = &self.poses[g];
        let [xx, yy, zz, xy, xz, yz] = [
            whole.inertia.xx,
            whole.inertia.yy,
            whole.inertia.zz,
            whole.inertia.xy,
            whole.inertia.xz,
            whole.inertia.yz,
        ];
        Ok(BodyDesc {
            mass: Some(Mass(whole.mass)),
            position: place(pose.pos),
            orientation: orientation(pose.rot),
            center_of_mass: Some(Planar::Space(lengths(whole.center.to_array()))),
            inertia: Some(if [xy, xz, yz] == [0.0; 3] {
                Inertia::Principal(numbers([xx, yy, zz]))
            } else {
                Inertia::Full(numbers([xx, yy, zz, xy, xz, yz]))
            }),
            allow_unphysical_inertia: (unphysical && breaks).then_some(true),
            ..BodyDesc::default()
        })
    }

    /// Whether the inertia of a link breaks the triangle rule, which must be allowed; other faults are errors.
    fn check_inertia(&mut self, link: &Link) -> Result<bool, SceneError> {
        let Some(inertial) = &link.inertial else { return Ok(false) };
        let own = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: inertial.inertia };
        let name = clip(&link.name);
        match own.check(BodyKind::Rigid, false) {
            // A point mass that is held to other links; alone it is refused with its body.
            Ok(()) | Err(MassError::Indefinite { smallest: 0.0 }) => Ok(false),
            Err(MassError::Triangle { .. }) if self.options.allow_unphysical_inertia => {
                let line = self.text.line(inertial.at.start);
                self.report.used("inertia that breaks the triangle rule, as allowed", line);
                Ok(true)
            }
            Err(MassError::Triangle { moments: [a, b, c] }) => {
                let message = format!(
                    "link `{name}`: no body has this inertia, its principal moment {c:.4e} exceeds {a:.4e} + {b:.4e}"
                );
                let help = "correct it (are ixx … izz about the centre of mass?), or accept it with --allow-unphysical-inertia";
                Err(self.text.bad(inertial.at.clone(), message, help))
            }
            Err(MassError::Indefinite { smallest }) if smallest < 0.0 => {
                // Rounded decimals of a thin part: below the inertia of its mass at a distance of 1 µm.
                if -smallest <= 1e-12 * (inertial.inertia.eigenvalues()[2] + inertial.mass) {
                    return Ok(false);
                }
                // A part of a body may be wrong so long as the whole body is not: that is checked, too.
                if self.options.allow_unphysical_inertia {
                    let line = self.text.line(inertial.at.start);
                    self.report.used("inertia with a negative moment, as allowed", line);
                    return Ok(true);
                }
                let message =
                    format!("link `{name}`: the inertia has a negative principal moment {smallest:.4e}");
                let help = "check the signs and the order: ixx ixy ixz iyy iyz izz";
                Err(self.text.bad(inertial.at.clone(), message, help))
            }
            Err(_) => Ok(false),
        }
    }

    /// A joint of the tree, or one that closes a loop.
    fn joint(&mut self, joint: &RobotJoint, j: usize) {
        let kind = match joint.kind {
            JointType::Fixed | JointType::Floating => return,
            _ if self.topology.held[j] => return,
            JointType::Revolute | JointType::Continuous => JointKindDesc::Revolute,
            JointType::Prismatic => JointKindDesc::Prismatic,
            JointType::Planar => JointKindDesc::Planar,
            JointType::Ball => JointKindDesc::Spherical,
            JointType::Universal => JointKindDesc::Universal,
            JointType::Screw => JointKindDesc::Screw,
        };
        // The second axis of a universal joint is x on both sides.
        let rot = match joint.axis2 {
            Some(second) => Quat::with_z_along(joint.axis, Some(second)).unwrap_or(Quat::IDENTITY),
            None => z_to(joint.axis),
        };
        let along = Frame { pos: Vec3::ZERO, rot };
        let mut desc = JointDesc::new(kind, self.body_of(joint.parent), self.body_of(joint.child));
        let in_a = compose(&compose(&self.in_body(joint.parent), &joint.frame), &along);
        desc.frame_in_a = Some(frame_desc(&in_a));
        let in_b = compose(&compose(&self.in_body(joint.child), &joint.in_child), &along);
        desc.frame_in_b = Some(frame_desc(&in_b));
        desc.lead = (joint.kind == JointType::Screw).then_some(crate::quantity::Length(joint.lead));
        if joint.has_coordinate() {
            self.actions(joint, &mut desc);
        }
        let name = self.name(&joint.name);
        self.lines.insert(format!("joints.{}", crate::write::key(&name)), self.text.line(joint.at.start));
        self.scene.joints.push(name, desc);
    }

    /// Limits, friction, motor and armature.
    fn actions(&mut self, joint: &RobotJoint, desc: &mut JointDesc) {
        let line = self.text.line(joint.at.start);
        if let Some([low, high]) = joint.position_limit
            && (low.is_finite() || high.is_finite())
        {
            desc.limits = Some(vec![[low, high].map(|end| Bound(plain(end)))]);
        }
        if joint.damping > 0.0 || joint.friction > 0.0 {
            desc.friction = Some(OneOrMany::One(FrictionDesc {
                coordinate: 0,
                viscous: (joint.damping > 0.0).then(|| plain(joint.damping)),
                coulomb: (joint.friction > 0.0).then(|| plain(joint.friction)),
                static_: None,
                regularization_speed: None,
                stribeck_speed: None,
            }));
        }
        if let Some([stiffness, rest]) = joint.spring {
            desc.spring = Some(OneOrMany::One(JointSpringDesc {
                coordinate: 0,
                stiffness: Some(plain(stiffness)),
                curve: None,
                damping: None,
                rest: (rest != 0.0).then(|| plain(rest)),
                preload: None,
            }));
        }
        if joint.armature > 0.0 {
            desc.armature = Some(plain(joint.armature));
        }
        match (joint.effort_limit, joint.velocity_limit) {
            (Some(effort), speed) if effort > 0.0 => {
                self.report.used("limits of effort and velocity: a motor whose command is 0", line);
                let rows: Vec<[f64; 2]> = match speed {
                    Some(speed) if speed > 0.0 && ((1.0 + FALL_OFF) * speed).is_finite() => {
                        vec![[0.0, effort], [speed, effort], [(1.0 + FALL_OFF) * speed, 0.0]]
                    }
                    speed => {
                        if speed.is_some() {
                            let what = "velocity limit of 0 or beyond all numbers: none";
                            self.report.approximated(what, line);
                        }
                        vec![[0.0, effort], [1.0, effort]]
                    }
                };
                desc.motor = Some(OneOrMany::One(MotorDesc {
                    coordinate: 0,
                    curve: rows.into_iter().map(|[x, y]| (plain(x), plain(y))).collect(),
                    law: Some(LawDesc::Constant(plain(0.0))),
                    limit: Some(plain(effort)),
                }));
            }
            (None, None) => {}
            (Some(_), _) => self.report.ignored("limit of the effort of 0: no motor", line),
            (None, Some(_)) => {
                self.report.ignored("limit of the velocity without a limit of the effort", line)
            }
        }
    }

    fn loop_joints(&mut self) {
        let robot = self.robot;
        for closing in &robot.loops {
            let [a, b] = closing.links;
            let mut desc = closing.desc.clone();
            (desc.a, desc.b) = (Some(self.body_of(a)), Some(self.body_of(b)));
            desc.frame_in_a = Some(frame_desc(&compose(&self.in_body(a), &closing.frames[0])));
            desc.frame_in_b = Some(frame_desc(&compose(&self.in_body(b), &closing.frames[1])));
            let name = self.name(&closing.name);
            if let Some(at) = &closing.at {
                let line = self.text.line(at.start);
                self.lines.insert(format!("joints.{}", crate::write::key(&name)), line);
            }
            self.scene.joints.push(name, desc);
        }
    }

    /// q − multiplier · q_leader = offset.
    fn mimics(&mut self) {
        let robot = self.robot;
        let index: BTreeMap<&str, usize> =
            robot.joints.iter().enumerate().map(|(j, joint)| (joint.name.as_str(), j)).collect();
        let loops = robot.loops.iter().map(|closing| self.name(&closing.name));
        let mut taken =
            UniqueNames::given(robot.joints.iter().map(|joint| self.name(&joint.name)).chain(loops));
        for (j, joint) in robot.joints.iter().enumerate() {
            let Some(mimic) = &joint.mimic else { continue };
            let line = self.text.line(mimic.at.start);
            if !joint.has_coordinate() || self.topology.held[j] {
                self.report.ignored("<mimic> of a joint that does not move", line);
                continue;
            }
            let leads = index.get(mimic.of.as_str());
            let moves = leads.is_some_and(|leader| !self.topology.held[*leader]);
            let term = |joint: &str, factor: f64| {
                let factor = (factor != 1.0).then_some(Number(factor));
                TermDesc { joint: self.name(joint), coordinate: 0, factor, polynomial: None }
            };
            let mut terms = vec![term(&joint.name, 1.0)];
            if moves && mimic.multiplier != 0.0 {
                terms.push(term(&mimic.of, -mimic.multiplier));
            }
            let mut desc = JointDesc::new(JointKindDesc::Coupler, "", "");
            (desc.a, desc.b) = (None, None);
            (desc.terms, desc.offset) = (Some(terms), Some(Number(mimic.offset)));
            let name = taken.take(self.name(&format!("{} mimics", joint.name)));
            self.report.used("<mimic>: a coupler", line);
            self.lines.insert(format!("joints.{}", crate::write::key(&name)), line);
            self.scene.joints.push(name, desc);
        }
    }
}

/// A number in SI units.
fn plain(value: f64) -> Quantity {
    Quantity { value, dimension: None }
}

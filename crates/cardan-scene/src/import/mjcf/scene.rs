//! From the bodies and joints of a model to a scene.
//!
//! Bodies without joints are parts of the bodies that carry them. A joint's frames have its axis as z and
//! differ by `ref` in the pose of the file, so that coordinates are MuJoCo's. The joints of a body act one
//! after another: between two of them there is a body of its own with [`BETWEEN`] of the mass and of the
//! smallest moment of inertia, since a scene has no bodies without mass. Accelerations differ by about as
//! much.

use std::collections::BTreeMap;

use cardan::body::MassError;
use cardan::math::{Quat, Sym3, Vec3};
use cardan::{BodyKind, Frame, MassProperties};

use super::attach::section_items;
use super::compiler::ModelOptions;
use super::fields::ElementReader;
use super::files::Item;
use super::keyframe::Keyframe;
use super::tree::{Joint, Model, MotionType, type_name};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::ImportOptions;
use crate::import::names::UniqueNames;
use crate::import::report::{ImportReport, Treatment};
use crate::import::space::{compose, frame_desc, lengths, numbers, orientation, place, z_to};
use crate::quantity::{AngularSpeed, Bound, Force, Mass, Quantity, Speed};
use crate::scene::{
    AngularVelocity, BodyDesc, ForceDesc, ForceKindDesc, FrictionDesc, GROUND, Inertia, JointDesc,
    JointKindDesc, JointSpringDesc, OneOrMany, Planar, ProbeDesc, Scene,
};

/// Mass and moments of a body between two joints, relative to those of the body that has the joints.
const BETWEEN: f64 = 1e-14;

pub(super) struct SceneBuilder<'b, 'a> {
    pub(super) reader: &'b ElementReader<'b, 'a>,
    /// Of the model and of those that are attached.
    pub(super) readers: &'b [ElementReader<'b, 'a>],
    pub(super) model: &'b Model<'a>,
    pub(super) options: &'b ImportOptions,
    pub(super) settings: &'b ModelOptions,
    pub(super) masses: &'b [MassProperties],
    pub(super) key: &'b Keyframe,
    pub(super) report: ImportReport,
    pub(super) lines: BTreeMap<String, usize>,
    pub(super) scene: Scene,
    /// Of each body: the body that moves it, itself or one above; 0 is the ground.
    pub(super) group_of: Vec<usize>,
    /// Of each body: its frame in that of its group; of the ground's in the world.
    pub(super) in_group: Vec<Frame>,
    /// Of each body: its pose in the pose of the file.
    pub(super) home: Vec<Frame>,
    /// Of each group: its bodies.
    pub(super) members: Vec<Vec<usize>>,
    /// Of each joint but the free ones: its joint in the scene.
    pub(super) joints: Vec<Option<JointDesc>>,
    /// Stiffness and damping of joints with a `springdamper`.
    pub(super) made_springs: BTreeMap<usize, (f64, f64)>,
    /// Of each body: its name in the scene.
    pub(super) body_names: Vec<String>,
    pub(super) taken: TakenNames,
}

/// Names of the scene by table.
#[derive(Default)]
pub(super) struct TakenNames {
    pub(super) bodies: UniqueNames,
    pub(super) joints: UniqueNames,
    pub(super) forces: UniqueNames,
    pub(super) inequalities: UniqueNames,
}

/// Pose and velocities of a frame: place, of its origin, about it.
#[derive(Clone, Copy, Default)]
struct Moving {
    at: Frame,
    velocity: Vec3,
    omega: Vec3,
}

impl<'b, 'a> SceneBuilder<'b, 'a> {
    pub(super) fn note(&mut self, how: Treatment, what: &str, item: Item<'a>) {
        self.reader.files.note(&mut self.report, how, what, item);
    }

    /// The elements of a section, with how they are read.
    pub(super) fn section(&mut self, tag: &str) -> Vec<(&'b ElementReader<'b, 'a>, Item<'a>)> {
        section_items(self.readers, tag, self.model, &mut self.report)
    }

    /// The name of a part in the scene.
    pub(super) fn name(&self, own: &str) -> String {
        format!("{}{own}", self.options.prefix)
    }

    /// The scene's body of a body, or the ground.
    pub(super) fn body_of(&self, body: usize) -> String {
        match self.group_of[body] {
            0 => GROUND.to_string(),
            group => self.body_names[group].clone(),
        }
    }

    /// Remembers the line of a table, for its comment.
    pub(super) fn line(&mut self, table: &str, name: &str, item: Option<Item<'a>>) {
        if let Some(item) = item.filter(|item| item.file == 0) {
            let key = format!("{table}.{}", crate::write::key(name));
            self.lines.insert(key, self.reader.files.line(item));
        }
    }

    /// Which bodies move as one, and where they are in the pose of the file.
    pub(super) fn group(&mut self) {
        for (b, body) in self.model.bodies.iter().enumerate() {
            if b == 0 {
                self.group_of.push(0);
                self.in_group.push(self.options.base);
                self.home.push(self.options.base);
                continue;
            }
            self.home.push(compose(&self.home[body.parent], &body.frame));
            if body.joints.is_empty() {
                self.group_of.push(self.group_of[body.parent]);
                self.in_group.push(compose(&self.in_group[body.parent], &body.frame));
            } else {
                self.group_of.push(b);
                self.in_group.push(Frame::default());
            }
        }
        self.members = vec![Vec::new(); self.model.bodies.len()];
        for (b, &group) in self.group_of.iter().enumerate() {
            self.members[group].push(b);
        }
        let bodies: Vec<String> = self.model.bodies.iter().map(|body| self.name(&body.name)).collect();
        self.taken.bodies = UniqueNames::given(bodies.iter().cloned());
        // The scene's ground is no body.
        let named = |name: String| match name == GROUND {
            true => self.taken.bodies.take(format!("{name} body")),
            false => name,
        };
        self.body_names = bodies.into_iter().map(named).collect();
        let joints = self.model.joints.iter().map(|joint| self.name(&joint.name));
        self.taken.joints = UniqueNames::given(joints);
    }

    /// The poses of the bodies where all hinges and slides are at their `springref`.
    pub(super) fn relaxed_poses(&self) -> Vec<Frame> {
        let mut poses = vec![self.options.base];
        for body in self.model.bodies.iter().skip(1) {
            let mut at = compose(&poses[body.parent], &body.frame);
            for joint in body.joints.iter().map(|&j| &self.model.joints[j]) {
                let q = joint.spring_reference - joint.reference;
                let moved = match joint.kind {
                    MotionType::Slide => Frame::at(joint.axis * q),
                    MotionType::Hinge => {
                        let rot = Quat::from_axis_angle(joint.axis, q).unwrap_or(Quat::IDENTITY);
                        Frame { pos: joint.pos - rot * joint.pos, rot }
                    }
                    MotionType::Ball | MotionType::Free => continue,
                };
                at = compose(&at, &moved);
            }
            poses.push(at);
        }
        poses
    }

    /// The coordinates of a joint at the start.
    fn start(&mut self, j: usize) -> f64 {
        let joint = &self.model.joints[j];
        let given = self.key.position(j).and_then(|all| all.first().copied());
        let wanted = given.unwrap_or(joint.reference);
        let Some([low, high]) = joint.limits.filter(|_| self.settings.limit) else { return wanted };
        if (low..=high).contains(&wanted) {
            return wanted;
        }
        if let Some(item) = joint.item {
            let what = "joint that starts outside its limits: it starts at the nearer one";
            self.note(Treatment::Approximated, what, item);
        }
        if wanted < low { low } else { high }
    }

    /// What a joint does to the frame of its body.
    fn moved(&mut self, j: usize, before: Moving) -> Moving {
        let joint = &self.model.joints[j];
        let rates = self.key.rate(j).unwrap_or_default().to_vec();
        let rate = |k: usize| rates.get(k).copied().unwrap_or(0.0);
        let (pos, axis, kind) = (joint.pos, joint.axis, joint.kind);
        let turned = |rot: Quat| Frame { pos: pos - rot * pos, rot };
        match kind {
            MotionType::Slide => {
                let q = self.start(j) - joint.reference;
                let at = compose(&before.at, &Frame::at(axis * q));
                let along = before.at.rot * axis;
                let velocity = before.velocity + before.omega.cross(at.pos - before.at.pos) + along * rate(0);
                Moving { at, velocity, omega: before.omega }
            }
            MotionType::Hinge | MotionType::Ball => {
                let rot = if kind == MotionType::Ball {
                    let given = self.key.position(j).and_then(|q| Quat::from_wxyz(q[0], q[1], q[2], q[3]));
                    given.unwrap_or(Quat::IDENTITY)
                } else {
                    let angle = self.start(j) - joint.reference;
                    if angle == 0.0 {
                        Quat::IDENTITY
                    } else {
                        Quat::from_axis_angle(axis, angle).unwrap_or(Quat::IDENTITY)
                    }
                };
                let at = if rot == Quat::IDENTITY { before.at } else { compose(&before.at, &turned(rot)) };
                let anchor = before.at.pos + before.at.rot * pos;
                let spin = match kind {
                    MotionType::Ball => at.rot * Vec3::from([rate(0), rate(1), rate(2)]),
                    _ => (before.at.rot * axis) * rate(0),
                };
                let held = before.velocity + before.omega.cross(anchor - before.at.pos);
                let omega = before.omega + spin;
                Moving { at, velocity: held + omega.cross(at.pos - anchor), omega }
            }
            MotionType::Free => {
                let given = self.key.position(j).map(|q| {
                    let rot = Quat::from_wxyz(q[3], q[4], q[5], q[6]).unwrap_or(Quat::IDENTITY);
                    compose(&self.options.base, &Frame { pos: [q[0], q[1], q[2]].into(), rot })
                });
                let at = given.unwrap_or(before.at);
                let turn = self.options.base.rot;
                let velocity = turn * Vec3::from([rate(0), rate(1), rate(2)]);
                Moving { at, velocity, omega: at.rot * Vec3::from([rate(3), rate(4), rate(5)]) }
            }
        }
    }

    /// Bodies and joints, in the order of the model.
    pub(super) fn bodies(&mut self, shapes: &mut super::contacts::Shapes<'_, 'a>) -> Result<(), SceneError> {
        let model = self.model;
        self.joints = model.joints.iter().map(|_| None).collect();
        let mut moving = vec![Moving { at: self.options.base, ..Moving::default() }];
        for (b, body) in model.bodies.iter().enumerate().skip(1) {
            let parent = moving[body.parent];
            let at = compose(&parent.at, &body.frame);
            let velocity = parent.velocity + parent.omega.cross(at.pos - parent.at.pos);
            let mut now = Moving { at, velocity, omega: parent.omega };
            if body.joints.is_empty() {
                moving.push(now);
                continue;
            }
            let own = self.mass(b)?;
            let own_name = self.body_names[b].clone();
            let mut above = (self.body_of(body.parent), compose(&self.in_group[body.parent], &body.frame));
            let mut rest = own.mass;
            for (i, &j) in body.joints.iter().enumerate() {
                now = self.moved(j, now);
                let is_last = i + 1 == body.joints.len();
                let name = match is_last {
                    true => own_name.clone(),
                    false => {
                        let between = self.name(&format!("{} after {}", body.name, model.joints[j].name));
                        self.taken.bodies.take(between)
                    }
                };
                self.joint(j, &above, &name);
                above = (name.clone(), Frame::default());
                let props = if is_last {
                    MassProperties { mass: rest, ..own }
                } else {
                    // On the axis of the joint that follows, where mass is felt least.
                    rest -= BETWEEN * own.mass;
                    let small = BETWEEN * own.inertia.eigenvalues()[0];
                    let center = model.joints[body.joints[i + 1]].pos;
                    MassProperties {
                        mass: BETWEEN * own.mass,
                        center,
                        inertia: Sym3::diagonal(small, small, small),
                    }
                };
                let desc = self.body_desc(&props, &now);
                match is_last {
                    true => shapes.add_body(self, b, &name, desc)?,
                    false => self.scene.bodies.push(name.clone(), desc),
                }
                if let (false, Some(item)) = (is_last, model.joints[j].item) {
                    let what = "several joints of a body: bodies of 1e-14 of its mass between them";
                    self.note(Treatment::Approximated, what, item);
                }
                self.line("bodies", &name, body.item);
            }
            moving.push(now);
        }
        if self.scene.bodies.is_empty() {
            let help = "a body that moves has a joint: <joint type=\"hinge\"/> or <freejoint/>";
            let message = "nothing of the model can move".to_string();
            return Err(self.reader.files.error(self.reader.files.root(), ErrorKind::Empty, message, help));
        }
        Ok(())
    }

    /// The mass properties of a group, in the frame of the body that carries it.
    fn mass(&mut self, group: usize) -> Result<MassProperties, SceneError> {
        let mut parts = Vec::new();
        for &b in &self.members[group] {
            let (own, frame) = (self.masses[b], self.in_group[b]);
            if own.mass > 0.0 {
                let inertia = if frame.rot == Quat::IDENTITY {
                    own.inertia
                } else {
                    own.inertia.rotated(&frame.rot.matrix())
                };
                parts.push(MassProperties {
                    mass: own.mass,
                    center: frame.pos + frame.rot * own.center,
                    inertia,
                });
            }
        }
        let body = &self.model.bodies[group];
        let item =
            body.inertial.as_ref().map(|(item, _)| *item).or(body.item).unwrap_or(self.reader.files.root());
        let name = clip(&body.name);
        let whole = match &parts[..] {
            [] => {
                let message = format!("body `{name}` moves and has no mass");
                let help = "give it a <geom> with a density, or an <inertial> with a mass and an inertia";
                return Err(self.reader.files.error(item, ErrorKind::MissingField, message, help));
            }
            [one] => *one,
            several => MassProperties::compound(several),
        };
        match whole.check(BodyKind::Rigid, self.options.allow_unphysical_inertia) {
            Ok(()) => Ok(whole),
            Err(MassError::Triangle { moments: [a, b, c] }) => {
                let message = format!(
                    "body `{name}`: no body has this inertia, its principal moment {c:.4e} exceeds {a:.4e} + {b:.4e}"
                );
                let help = "correct it, write balanceinertia=\"true\" in <compiler>, or accept it with --allow-unphysical-inertia";
                Err(self.reader.files.bad(item, message, help))
            }
            Err(error) => {
                let help = "every principal moment of a body that moves is positive (kg·m²)";
                Err(self.reader.files.bad(item, format!("body `{name}`: {error}"), help))
            }
        }
    }

    fn body_desc(&self, own: &MassProperties, now: &Moving) -> BodyDesc {
        let Sym3 { xx, yy, zz, xy, xz, yz } = own.inertia;
        let breaks = matches!(own.check(BodyKind::Rigid, false), Err(MassError::Triangle { .. }));
        let velocity = now.velocity + now.omega.cross(now.at.rot * own.center);
        BodyDesc {
            mass: Some(Mass(own.mass)),
            position: place(now.at.pos),
            orientation: orientation(now.at.rot),
            velocity: (velocity != Vec3::ZERO)
                .then(|| Planar::Space(velocity.to_array().map(|x| Speed(x + 0.0)))),
            angular_velocity: (now.omega != Vec3::ZERO)
                .then(|| AngularVelocity::Space(now.omega.to_array().map(|x| AngularSpeed(x + 0.0)))),
            center_of_mass: Some(Planar::Space(lengths(own.center.to_array()))),
            inertia: Some(if [xy, xz, yz] == [0.0; 3] {
                Inertia::Principal(numbers([xx, yy, zz]))
            } else {
                Inertia::Full(numbers([xx, yy, zz, xy, xz, yz]))
            }),
            allow_unphysical_inertia: breaks.then_some(true),
            ..BodyDesc::default()
        }
    }

    /// A joint between the frame of its body before and after it.
    fn joint(&mut self, j: usize, (a, frame_in_a): &(String, Frame), b: &str) {
        let joint = &self.model.joints[j];
        let (kind, rot) = match joint.kind {
            MotionType::Free => {
                self.unsaid(joint);
                return;
            }
            MotionType::Ball => (JointKindDesc::Spherical, Quat::IDENTITY),
            MotionType::Hinge => (JointKindDesc::Revolute, z_to(joint.axis)),
            MotionType::Slide => (JointKindDesc::Prismatic, z_to(joint.axis)),
        };
        let own = Frame { pos: joint.pos, rot };
        // Where the coordinate is `ref`, the frames differ by it.
        let back = match joint.kind {
            _ if joint.reference == 0.0 => Frame::default(),
            MotionType::Slide => Frame::at(Vec3::Z * -joint.reference),
            MotionType::Hinge => Frame {
                pos: Vec3::ZERO,
                rot: Quat::from_axis_angle(Vec3::Z, -joint.reference).unwrap_or(Quat::IDENTITY),
            },
            _ => Frame::default(),
        };
        let mut desc = JointDesc::new(kind, a.clone(), b);
        desc.frame_in_a = Some(frame_desc(&compose(frame_in_a, &compose(&own, &back))));
        desc.frame_in_b = Some(frame_desc(&own));
        if joint.kind == MotionType::Ball {
            self.unsaid(joint);
        } else {
            self.actions(j, &mut desc);
        }
        self.joints[j] = Some(desc);
    }

    /// Forces of free and ball joints, which have no coordinate in a scene to act along.
    fn unsaid(&mut self, joint: &Joint<'a>) {
        let Some(item) = joint.item else { return };
        let all = [
            ("stiffness", joint.stiffness > 0.0 && self.settings.spring),
            ("damping", joint.damping > 0.0 && self.settings.damper),
            ("armature", joint.armature > 0.0),
            ("frictionloss", joint.frictionloss > 0.0 && self.settings.frictionloss),
            ("range", joint.limits.is_some() && self.settings.limit),
        ];
        for (name, _) in all.into_iter().filter(|(_, given)| *given) {
            let what = format!("`{name}` of a {} joint", type_name(joint.kind));
            self.note(Treatment::Ignored, &what, item);
        }
    }

    /// Limits, springs, friction and armature of a joint of one coordinate.
    fn actions(&mut self, j: usize, desc: &mut JointDesc) {
        let joint = &self.model.joints[j];
        if let Some(limits) = joint.limits.filter(|_| self.settings.limit) {
            desc.limits = Some(vec![limits.map(|end| Bound(plain(end)))]);
        }
        let (stiffness, damping) = match self.made_springs.get(&j) {
            Some(&made) => made,
            None => (joint.stiffness, joint.damping),
        };
        if stiffness > 0.0 && self.settings.spring {
            let rest = joint.spring_reference;
            desc.spring = Some(OneOrMany::One(JointSpringDesc {
                coordinate: 0,
                stiffness: Some(plain(stiffness)),
                curve: None,
                damping: None,
                rest: (rest != 0.0).then(|| plain(rest)),
                preload: None,
            }));
        }
        let viscous = if self.settings.damper { damping } else { 0.0 };
        let dry = if self.settings.frictionloss { joint.frictionloss } else { 0.0 };
        if viscous > 0.0 || dry > 0.0 {
            desc.friction = Some(OneOrMany::One(FrictionDesc {
                coordinate: 0,
                viscous: (viscous > 0.0).then(|| plain(viscous)),
                coulomb: (dry > 0.0).then(|| plain(dry)),
                static_: None,
                regularization_speed: None,
                stribeck_speed: None,
            }));
        }
        if joint.armature > 0.0 {
            desc.armature = Some(plain(joint.armature));
        }
    }

    /// The joints in the order of the model; actuators have been added to them.
    pub(super) fn push_joints(&mut self) {
        let all = core::mem::take(&mut self.joints);
        for (j, desc) in all.into_iter().enumerate() {
            let Some(desc) = desc else { continue };
            let name = self.name(&self.model.joints[j].name);
            self.line("joints", &name, self.model.joints[j].item);
            self.scene.joints.push(name, desc);
        }
    }

    /// Sites are probes; bodies that others carry are, too.
    pub(super) fn probes(&mut self) {
        let model = self.model;
        let mut known = UniqueNames::default();
        let mut add = |builder: &mut Self, name: &str, body: usize, own: Frame| {
            let at = compose(&builder.in_group[body], &own).pos;
            let point = (at != Vec3::ZERO).then(|| lengths(at.to_array()));
            let (name, body) = (known.take(builder.name(name)), builder.body_of(body));
            builder.scene.probes.push(name, ProbeDesc { body, point });
        };
        for site in &model.sites {
            self.note(Treatment::Used, "site: a probe", site.item);
            add(self, &site.name, site.body, site.frame);
        }
        for (b, body) in model.bodies.iter().enumerate().skip(1) {
            if body.joints.is_empty() && self.group_of[b] != 0 {
                if let Some(item) = body.item {
                    self.note(
                        Treatment::Used,
                        "body without joints: a part of the body above, and a probe",
                        item,
                    );
                }
                add(self, &body.name, b, Frame::default());
            }
        }
    }

    /// Weight that `gravcomp` carries.
    pub(super) fn gravity_compensation(&mut self) {
        for (b, body) in self.model.bodies.iter().enumerate().skip(1) {
            let own = self.masses[b];
            if body.gravcomp == 0.0 || own.mass == 0.0 || self.group_of[b] == 0 {
                continue;
            }
            let frame = self.in_group[b];
            let up = self.settings.gravity.map(|g| Force(-g * own.mass * body.gravcomp + 0.0));
            let force = ForceDesc {
                body: Some(self.body_of(b)),
                point: Some(lengths((frame.pos + frame.rot * own.center).to_array())),
                force: Some(up),
                ..ForceDesc::new(ForceKindDesc::Constant)
            };
            let name = self.taken.forces.take(self.name(&format!("{} gravcomp", body.name)));
            self.line("forces", &name, body.item);
            self.scene.forces.push(name, force);
        }
    }
}

/// A number in SI units.
pub(super) fn plain(value: f64) -> Quantity {
    Quantity { value: value + 0.0, dimension: None }
}

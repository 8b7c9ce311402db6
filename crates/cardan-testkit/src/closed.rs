//! Mechanisms that are closed at the start: poses follow from the joints, velocities are random.
//!
//! They are kept as descriptions ([`Parts`]), so that a test can renumber, swap, move or turn them
//! and build again.

use crate::{Rng, eliminated, fits, random_body};
use cardan::joint::{Anchor, Axes, ClosedForm, PlanarFit};
use cardan::math::{Quat, Sym3, Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, BuildError, End, Frame, Gravity, Joint, JointKind, Locks, Model, ModelBuilder,
    Placement,
};
use core::f64::consts::{FRAC_PI_2, PI};

/// A mechanism as descriptions.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Acceleration of free fall \[m/s²\].
    pub gravity: Vec3,
    /// The bodies; ids are indices of this list.
    pub bodies: Vec<Body>,
    /// The joints, all placed by frames.
    pub joints: Vec<Joint>,
}

/// The space that the bodies of a mechanism move in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MotionSpace {
    /// Rigid bodies and particles anywhere in space.
    Space,
    /// Rigid bodies alone, anywhere in space.
    Rigid,
    /// Every kind of body, in the x–y plane and turning about z, so that kinds with fewer freedoms
    /// fit, too.
    Flat,
    /// Planar bodies and planar particles alone.
    Planar,
    /// Rigid bodies alone, in the x–y plane and turning about z: their loops have redundant rows.
    FlatRigid,
}

impl MotionSpace {
    fn kinds(self) -> &'static [BodyKind] {
        match self {
            MotionSpace::Space => &[BodyKind::Rigid, BodyKind::Rigid, BodyKind::Particle],
            MotionSpace::Rigid => &[BodyKind::Rigid],
            MotionSpace::Flat => &BodyKind::ALL,
            MotionSpace::Planar => &[BodyKind::Planar, BodyKind::Planar, BodyKind::PlanarParticle],
            MotionSpace::FlatRigid => &[BodyKind::Rigid],
        }
    }

    /// Whether all motion is in the x–y plane.
    pub fn is_flat(self) -> bool {
        matches!(self, MotionSpace::Flat | MotionSpace::Planar | MotionSpace::FlatRigid)
    }
}

pub(crate) fn flat(v: Vec3) -> Vec3 {
    vec3(v.x, v.y, 0.0)
}

pub(crate) fn about_z(angle: f64) -> Quat {
    Quat::exp(vec3(0.0, 0.0, angle))
}

/// A frame on a body that a joint in the given world accepts.
pub(crate) fn frame_for(rng: &mut Rng, world: MotionSpace, joint: JointKind, turns: bool) -> Frame {
    if !turns {
        return Frame::default();
    }
    let pos = rng.vector(0.6);
    if !world.is_flat() {
        return Frame { pos, rot: rng.rotation() };
    }
    let tilt = match joint.about().planar.fit {
        PlanarFit::InPlane(_) => Quat::exp(vec3(0.0, FRAC_PI_2, 0.0)),
        _ => Quat::IDENTITY,
    };
    Frame { pos: flat(pos), rot: about_z(rng.range(-3.0, 3.0)) * tilt }
}

/// A pose of b's frame seen from a's that the joint allows.
pub(crate) fn allowed(rng: &mut Rng, world: MotionSpace, joint: JointKind) -> Frame {
    let is_flat = world.is_flat();
    let turn = |rng: &mut Rng| if is_flat { about_z(rng.range(-3.0, 3.0)) } else { rng.rotation() };
    match joint {
        JointKind::Fixed => Frame::default(),
        JointKind::Revolute => Frame { pos: Vec3::ZERO, rot: about_z(rng.range(-3.0, 3.0)) },
        JointKind::Prismatic => Frame { pos: vec3(0.0, 0.0, rng.range(-0.5, 0.5)), rot: Quat::IDENTITY },
        JointKind::Spherical => Frame { pos: Vec3::ZERO, rot: turn(rng) },
        JointKind::Distance { length } => {
            let way = if is_flat { about_z(rng.range(-PI, PI)) * Vec3::X } else { rng.direction() };
            Frame { pos: way * length, rot: turn(rng) }
        }
        JointKind::BeadOnCircle { radius } => {
            Frame { pos: about_z(rng.range(-PI, PI)) * vec3(radius, 0.0, 0.0), rot: turn(rng) }
        }
        JointKind::Cylindrical => {
            Frame { pos: vec3(0.0, 0.0, rng.range(-0.5, 0.5)), rot: about_z(rng.range(-3.0, 3.0)) }
        }
        JointKind::Universal => {
            let second = Quat::exp(vec3(rng.range(-1.2, 1.2), 0.0, 0.0));
            Frame { pos: Vec3::ZERO, rot: about_z(rng.range(-3.0, 3.0)) * second }
        }
        JointKind::Planar => Frame { pos: flat(rng.vector(0.5)), rot: about_z(rng.range(-3.0, 3.0)) },
        JointKind::PointOnLine => Frame { pos: vec3(0.0, 0.0, rng.range(-0.5, 0.5)), rot: turn(rng) },
        JointKind::PointOnPlane => Frame { pos: flat(rng.vector(0.5)), rot: turn(rng) },
        JointKind::Aligned => Frame { pos: rng.vector(0.5), rot: about_z(rng.range(-3.0, 3.0)) },
        other => random_pose_of_locks(rng, other.about().locks),
    }
}

/// A pose of b's frame seen from a's that satisfies the locks.
pub fn random_pose_of_locks(rng: &mut Rng, locks: Locks) -> Frame {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut pos = rng.vector(0.5);
    (0..3).filter(|&i| locks.shift(i)).for_each(|i| pos[i] = 0.0);
    let mut about = |i: usize| Quat::exp(axes[i] * rng.range(-1.2, 1.2));
    let turns: Vec<usize> = (0..3).filter(|&i| !locks.turn(i)).collect();
    let rot = match turns[..] {
        [] => Quat::IDENTITY,
        [k] => about(k),
        // The later axis is a's.
        [b, a] => about(a) * about(b),
        _ => rng.rotation(),
    };
    Frame { pos, rot }
}

/// Whether exchanging a and b of a closed joint of this kind does not change the joint.
pub fn can_swap(joint: JointKind) -> bool {
    let about = joint.about();
    let is_lock = matches!(joint, JointKind::Lock { .. });
    !is_lock && about.axes != Axes::Cross && !matches!(about.anchor, Anchor::Along | Anchor::Around)
}

/// Whether a kind can keep a flat world flat with its axis along z (a slider's in the plane).
pub(crate) fn stays_flat(joint: JointKind) -> bool {
    let about = joint.about();
    matches!(about.planar.fit, PlanarFit::Any | PlanarFit::AlongNormal(_))
        || about.closed_form == ClosedForm::Prismatic
}

/// A tree of `n` bodies with random joints, closed at the start, with random velocities that are
/// not consistent with the joints yet (projection or `assemble` makes them so). If it floats no
/// joint is on the ground, and all bodies are connected.
pub fn closed_tree(rng: &mut Rng, n: usize, world: MotionSpace, floating: bool) -> Parts {
    let gravity = if world.is_flat() { flat(rng.vector(10.0)) } else { rng.vector(10.0) };
    let mut parts = Parts { gravity, bodies: Vec::new(), joints: Vec::new() };
    for i in 0..n {
        let kind = world.kinds()[rng.below(world.kinds().len())];
        let mut body = random_body(rng, kind);
        if world.is_flat() {
            body.mass.center = flat(body.mass.center);
            (body.pos, body.vel, body.omega) = (flat(body.pos), flat(body.vel), vec3(0.0, 0.0, body.omega.z));
            if kind.has_orientation() {
                body.rot = about_z(rng.range(-3.0, 3.0));
            }
            if kind == BodyKind::Rigid {
                // A principal axis along z, or the body would leave the plane.
                let i = body.mass.inertia.xx;
                body.mass.inertia = Sym3::diagonal(i, i, 1.5 * i);
            }
        }
        let id = End::Body(BodyId::of_index(i));
        let parent = if floating { rng.below(i.max(1)) } else { rng.below(i + 1) };
        if floating && i == 0 {
            parts.bodies.push(body);
            continue;
        }
        // Parent number i is the ground.
        let parent_end = if parent == i { End::Ground } else { End::Body(BodyId::of_index(parent)) };
        let parent_kind = parts.bodies.get(parent).map(|b| b.kind);
        let child_is_b = rng.below(2) == 0;
        let (kind_a, kind_b) = if child_is_b { (parent_kind, Some(kind)) } else { (Some(kind), parent_kind) };
        let choices: Vec<JointKind> = eliminated().filter(|&j| fits(j, kind_a, kind_b)).collect();
        let choices: Vec<JointKind> =
            choices.into_iter().filter(|&j| !world.is_flat() || stays_flat(j)).collect();
        let joint = choices[rng.below(choices.len())];
        let joint = if joint.size().is_some() { joint.with_size(rng.range(0.3, 1.0)) } else { joint };
        let turns = |k: Option<BodyKind>| k.is_none_or(BodyKind::has_orientation);
        let in_a = frame_for(rng, world, joint, turns(kind_a));
        let in_b = frame_for(rng, world, joint, turns(kind_b));
        let between = allowed(rng, world, joint);
        let (parent_pos, parent_rot) =
            parts.bodies.get(parent).map_or((Vec3::ZERO, Quat::IDENTITY), |b| (b.pos, b.rot));
        // World pose of b's frame = pose of a's frame ∘ between; the parent's pose is known.
        if child_is_b {
            let rot = parent_rot * in_a.rot * between.rot * in_b.rot.inverse();
            let origin = parent_pos + parent_rot * (in_a.pos + in_a.rot * between.pos);
            body.rot = if kind.has_orientation() { rot.renormalized() } else { Quat::IDENTITY };
            body.pos = origin - body.rot * in_b.pos;
        } else {
            let rot = parent_rot * in_b.rot * between.rot.inverse() * in_a.rot.inverse();
            body.rot = if kind.has_orientation() { rot.renormalized() } else { Quat::IDENTITY };
            let origin = parent_pos + parent_rot * in_b.pos - body.rot * (in_a.rot * between.pos);
            body.pos = origin - body.rot * in_a.pos;
        }
        if world.is_flat() {
            // Exactly flat: products of rotations would leave rounding.
            body.pos = flat(body.pos);
            body.rot = about_z(body.rot.twist_angle(Vec3::Z));
        }
        let (a, b) = if child_is_b { (parent_end, id) } else { (id, parent_end) };
        parts.joints.push(Joint::between(joint, a, in_a, b, in_b));
        parts.bodies.push(body);
    }
    parts
}

impl Parts {
    /// Builds the model.
    pub fn build(&self) -> Result<Model, BuildError> {
        let mut builder = ModelBuilder::new(Gravity(self.gravity));
        for body in &self.bodies {
            builder.add_body(body.clone());
        }
        for joint in &self.joints {
            builder.add_joint(joint.clone());
        }
        builder.build()
    }

    /// The mechanism with its parts in another order: index `k` of the new list contains the part
    /// at `order[k]`.
    pub fn renumbered(&self, bodies: &[usize], joints: &[usize]) -> Parts {
        let new_place = |end: End| match end {
            End::Ground => End::Ground,
            End::Piece(..) => unreachable!("bodies here are of one piece"),
            End::Body(id) => {
                let place = bodies.iter().position(|&old| old == id.index());
                End::Body(BodyId::of_index(place.expect("order is a permutation")))
            }
        };
        let joint = |&old: &usize| {
            let joint = self.joints[old].clone();
            Joint { a: new_place(joint.a), b: new_place(joint.b), ..joint }
        };
        Parts {
            gravity: self.gravity,
            bodies: bodies.iter().map(|&old| self.bodies[old].clone()).collect(),
            joints: joints.iter().map(joint).collect(),
        }
    }

    /// The mechanism with a and b of every joint exchanged, where the kind is symmetric.
    pub fn swapped(&self) -> Parts {
        let mut parts = self.clone();
        for joint in &mut parts.joints {
            if !can_swap(joint.kind) || matches!(joint.placement, Placement::World { .. }) {
                continue;
            }
            if let Placement::Frames { in_a, in_b } = joint.placement {
                joint.placement = Placement::Frames { in_a: in_b, in_b: in_a };
            }
            core::mem::swap(&mut joint.a, &mut joint.b);
        }
        parts
    }

    /// The mechanism, with gravity and its points on the ground, turned about the origin and then
    /// moved.
    pub fn moved(&self, shift: Vec3, turn: Quat) -> Parts {
        let mut parts = self.clone();
        parts.gravity = turn * self.gravity;
        for body in &mut parts.bodies {
            body.pos = shift + turn * body.pos;
            if body.kind.has_orientation() {
                body.rot = (turn * body.rot).renormalized();
            }
            (body.vel, body.omega) = (turn * body.vel, turn * body.omega);
        }
        let carry = |f: Frame| Frame { pos: shift + turn * f.pos, rot: (turn * f.rot).renormalized() };
        for joint in &mut parts.joints {
            if let Placement::Frames { in_a, in_b } = &mut joint.placement {
                if joint.a == End::Ground {
                    *in_a = carry(*in_a);
                }
                if joint.b == End::Ground {
                    *in_b = carry(*in_b);
                }
            }
        }
        parts
    }
}

/// A random permutation of `n` indices.
pub fn shuffled(rng: &mut Rng, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

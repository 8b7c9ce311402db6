//! Mechanisms with loops that are closed at the start: a closed tree, and joints beyond it.

use crate::closed::{about_z, allowed, flat, frame_for, stays_flat};
use crate::{MotionSpace, Parts, Rng, closed_tree, eliminated, fits};
use cardan::math::{Quat, Vec3};
use cardan::{BodyId, BodyKind, End, Frame, Joint, JointKind};

/// The composition of two frames, b given in a.
fn compose(a: Frame, b: Frame) -> Frame {
    Frame { pos: a.pos + a.rot * b.pos, rot: a.rot * b.rot }
}

fn inverse(a: Frame) -> Frame {
    let rot = a.rot.inverse();
    Frame { pos: -(rot * a.pos), rot }
}

/// A closed tree of `n` bodies and up to `more` joints between two of them or with the ground,
/// closed in the given pose. Velocities are not consistent with the joints yet.
pub fn closed_loops(rng: &mut Rng, n: usize, more: usize, world: MotionSpace, floating: bool) -> Parts {
    let mut parts = closed_tree(rng, n, world, floating);
    for _ in 0..more {
        if let Some(joint) = closing_joint(rng, &parts, world, floating) {
            parts.joints.push(joint);
        }
    }
    parts
}

/// One more joint; `None` if no kind fits the two ends drawn.
fn closing_joint(rng: &mut Rng, parts: &Parts, world: MotionSpace, floating: bool) -> Option<Joint> {
    let n = parts.bodies.len();
    // Number n is the ground.
    let ends = if floating { n } else { n + 1 };
    let (a, b) = (rng.below(ends), rng.below(ends));
    if a == b {
        return None;
    }
    let kind = |i: usize| parts.bodies.get(i).map(|body| body.kind);
    let turns = |i: usize| kind(i).is_none_or(BodyKind::has_orientation);
    let fit = |j: &JointKind| fits(*j, kind(a), kind(b)) && (!world.is_flat() || stays_flat(*j));
    let choices: Vec<JointKind> = eliminated().filter(fit).collect();
    let end = |i: usize| if i == n { End::Ground } else { End::Body(BodyId::of_index(i)) };
    let pose = |i: usize| {
        let of = |body: &cardan::Body| Frame { pos: body.pos, rot: body.rot };
        parts.bodies.get(i).map_or(Frame { pos: Vec3::ZERO, rot: Quat::IDENTITY }, of)
    };
    let mut joint = *choices.get(rng.below(choices.len().max(1)))?;
    if let JointKind::Distance { length } = &mut joint {
        // Any points of both, with a rod of their distance.
        let in_a = frame_for(rng, world, joint_of_rod(), turns(a));
        let in_b = frame_for(rng, world, joint_of_rod(), turns(b));
        *length = (compose(pose(a), in_a).pos - compose(pose(b), in_b).pos).norm();
        return (*length > 0.05).then(|| Joint::between(joint, end(a), in_a, end(b), in_b));
    }
    if let JointKind::BeadOnCircle { radius } = &mut joint {
        *radius = rng.range(0.3, 1.0);
    }
    let between = allowed(rng, world, joint);
    // pose a ∘ in_a ∘ between = pose b ∘ in_b: one of the frames follows from the other.
    let (mut in_a, mut in_b);
    if turns(b) {
        in_a = frame_for(rng, world, joint, turns(a));
        in_b = compose(inverse(pose(b)), compose(compose(pose(a), in_a), between));
    } else if turns(a) {
        in_b = Frame::default();
        let straight = Frame { rot: Quat::IDENTITY, ..between };
        let turn = if world.is_flat() { about_z(rng.range(-3.0, 3.0)) } else { rng.rotation() };
        let at_b = Frame { rot: turn, ..compose(pose(b), in_b) };
        in_a = compose(inverse(pose(a)), compose(at_b, inverse(straight)));
    } else {
        return None;
    }
    for frame in [&mut in_a, &mut in_b] {
        if world.is_flat() {
            frame.pos = flat(frame.pos);
        }
        frame.rot = frame.rot.renormalized();
    }
    Some(Joint::between(joint, end(a), in_a, end(b), in_b))
}

fn joint_of_rod() -> JointKind {
    JointKind::Distance { length: 1.0 }
}

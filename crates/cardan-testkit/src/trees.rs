//! Random mechanisms: any body kind, any joint that fits, in any pose, closed or open.

use crate::Rng;
use cardan::joint::{ClosedForm, PlanarFit};
use cardan::math::{Quat, Sym3, Vec3, vec3};
use cardan::{
    Body, BodyKind, BuildError, End, Frame, Gravity, Joint, JointKind, MassProperties, Model, ModelBuilder,
};

/// A body of a kind with random mass, pose and velocity.
pub fn random_body(rng: &mut Rng, kind: BodyKind) -> Body {
    let mass = rng.range(0.2, 3.0);
    let flat = |v: Vec3| vec3(v.x, v.y, 0.0);
    let (pos, vel) = (rng.vector(1.5), rng.vector(2.0));
    match kind {
        BodyKind::Particle => Body { pos, vel, ..Body::particle(mass) },
        BodyKind::PlanarParticle => Body { pos: flat(pos), vel: flat(vel), ..Body::planar_particle(mass) },
        BodyKind::Planar => {
            let mut body = Body::planar(mass, mass * rng.range(0.02, 0.3));
            body.mass.center = flat(rng.vector(0.2));
            let rot = Quat::exp(vec3(0.0, 0.0, rng.range(-3.0, 3.0)));
            Body { pos: flat(pos), vel: flat(vel), rot, omega: vec3(0.0, 0.0, rng.range(-4.0, 4.0)), ..body }
        }
        BodyKind::Rigid => {
            let (a, b) = (rng.range(0.02, 0.2), rng.range(0.02, 0.2));
            let moments = Sym3::diagonal(a, b, rng.range((a - b).abs() + 0.005, a + b));
            let inertia = moments.scaled(mass).rotated(&rng.rotation().matrix());
            let mass = MassProperties { mass, center: rng.vector(0.2), inertia };
            let (rot, omega) = (rng.rotation(), rng.vector(4.0));
            Body { pos, vel, rot, omega, ..Body::rigid(mass) }
        }
        BodyKind::General(_) => crate::general::random_general(rng, kind.name()).0,
    }
}

/// A random frame on a body kind (`None` is the ground) that a joint kind accepts.
pub fn random_joint_frame(rng: &mut Rng, joint: JointKind, body: Option<BodyKind>, planar: bool) -> Frame {
    let turns = body.is_none_or(BodyKind::has_orientation);
    if !turns {
        return Frame::default();
    }
    if !planar {
        return Frame { pos: rng.vector(0.6), rot: rng.rotation() };
    }
    // A planar body: axes along z, or in the plane for sliders.
    let spin = Quat::exp(vec3(0.0, 0.0, rng.range(-3.0, 3.0)));
    let p = rng.vector(0.6);
    let tilt = match joint.about().planar.fit {
        PlanarFit::InPlane(_) => Quat::exp(vec3(0.0, std::f64::consts::FRAC_PI_2, 0.0)),
        _ => Quat::IDENTITY,
    };
    Frame { pos: vec3(p.x, p.y, 0.0), rot: spin * tilt }
}

/// The kinds that trees of any size eliminate in linear time; others are for the sparse solver.
pub fn eliminated() -> impl Iterator<Item = JointKind> {
    JointKind::ALL.into_iter().filter(|kind| kind.about().closed_form != ClosedForm::Rows || kind.rows() <= 3)
}

/// Whether a joint kind can connect two body kinds (`None` is the ground).
pub fn fits(joint: JointKind, a: Option<BodyKind>, b: Option<BodyKind>) -> bool {
    let (need_a, need_b) = joint.needs_orientation();
    let turns = |k: Option<BodyKind>| k.is_none_or(BodyKind::has_orientation);
    let flat = |k: Option<BodyKind>| k.is_none_or(BodyKind::is_planar);
    if joint.planar_rows() == 0 && flat(a) && flat(b) {
        return false;
    }
    // The frames drawn have z along the normal; other locks constrain no motion of the plane.
    if let JointKind::Lock { locks } = joint
        && flat(a)
        && flat(b)
        && !(locks.shift(0) || locks.shift(1) || locks.turn(2))
    {
        return false;
    }
    (!need_a || turns(a)) && (!need_b || turns(b)) && (a.is_some() || b.is_some())
}

fn connect(
    rng: &mut Rng,
    parts: &mut ModelBuilder,
    joint: JointKind,
    (a, kind_a): (End, Option<BodyKind>),
    (b, kind_b): (End, Option<BodyKind>),
) {
    let flat = |k: Option<BodyKind>| k.is_none_or(BodyKind::is_planar);
    let planar = flat(kind_a) && flat(kind_b);
    let joint = if joint.size().is_some() { joint.with_size(rng.range(0.5, 1.5)) } else { joint };
    let in_a = random_joint_frame(rng, joint, kind_a, planar);
    let in_b = random_joint_frame(rng, joint, kind_b, planar);
    parts.add_joint(Joint::between(joint, a, in_a, b, in_b));
}

/// Two bodies (`None` is the ground) with one joint between them, far from closed.
pub fn random_pair(
    rng: &mut Rng,
    joint: JointKind,
    a: Option<BodyKind>,
    b: Option<BodyKind>,
) -> Result<Model, BuildError> {
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let mut end = |rng: &mut Rng, kind: Option<BodyKind>| match kind {
        None => End::Ground,
        Some(kind) => End::Body(parts.add_body(random_body(rng, kind))),
    };
    let (end_a, end_b) = (end(rng, a), end(rng, b));
    connect(rng, &mut parts, joint, (end_a, a), (end_b, b));
    parts.build()
}

/// A tree of `n` bodies of random kinds with random joints; some bodies are on the ground, some
/// float.
pub fn random_tree(rng: &mut Rng, n: usize, kinds: &[BodyKind]) -> Result<Model, BuildError> {
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let mut bodies: Vec<(End, Option<BodyKind>)> = vec![(End::Ground, None)];
    for _ in 0..n {
        let kind = kinds[rng.below(kinds.len())];
        let id = parts.add_body(random_body(rng, kind));
        let child = (End::Body(id), Some(kind));
        // One in twelve starts a component of its own.
        if rng.below(12) > 0 {
            let parent = bodies[rng.below(bodies.len())];
            let (a, b) = if rng.below(2) == 0 { (parent, child) } else { (child, parent) };
            let choices: Vec<JointKind> = eliminated().filter(|&j| fits(j, a.1, b.1)).collect();
            let joint = choices[rng.below(choices.len())];
            connect(rng, &mut parts, joint, a, b);
        }
        bodies.push(child);
    }
    parts.build()
}

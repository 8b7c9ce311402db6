//! Commands of a controller, joint positions and rates, and the equations of motion in joint space.
#![allow(clippy::disallowed_methods)] // no bits are promised here

mod batch_states;
mod batches;
mod dynamics;
mod efforts;
mod positions;
mod refusals;
mod worlds;

use cardan::joint_space::OrderedPart;
use cardan::math::Quat;
use cardan::{Body, BodyKind, End, Frame, Gravity, Joint, JointKind, Model, ModelBuilder, Simulation};
use cardan_testkit::{Rng, random_body};

/// Kinds of lower pairs in space.
pub(crate) const PAIRS: [JointKind; 7] = [
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Universal,
    JointKind::Planar,
    JointKind::Spherical,
    JointKind::Fixed,
];

/// A tree of `n` rigid bodies on random lower pairs, either end of which may be the parent. Joints
/// are open until positions are set.
pub(crate) fn tree_of_pairs(rng: &mut Rng, n: usize, floats: bool) -> Model {
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let mut ids: Vec<End> = Vec::new();
    for i in 0..n {
        let id: End = parts.add_body(random_body(rng, BodyKind::Rigid)).into();
        let parent = match i {
            0 if floats => None,
            0 => Some(End::Ground),
            _ if !floats && rng.below(5) == 0 => Some(End::Ground),
            _ => Some(ids[rng.below(i)]),
        };
        ids.push(id);
        let Some(parent) = parent else { continue };
        let (a, b) = if rng.below(2) == 0 { (parent, id) } else { (id, parent) };
        let mut frame = || Frame { pos: rng.vector(0.5), rot: rng.rotation() };
        let (in_a, in_b) = (frame(), frame());
        let mut joint = Joint::between(PAIRS[rng.below(PAIRS.len())], a, in_a, b, in_b);
        joint.zero[0] = if joint.kind == JointKind::Spherical { 0.0 } else { rng.range(-1.0, 1.0) };
        parts.add_joint(joint);
    }
    parts.build().unwrap()
}

/// A chain of planar bodies on hinges, sliders and balls.
pub(crate) fn planar_chain(rng: &mut Rng, n: usize) -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.3, -9.81, 0.0));
    let mut last = End::Ground;
    for _ in 0..n {
        let body = Body {
            pos: [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0].into(),
            ..random_body(rng, BodyKind::Planar)
        };
        let id: End = parts.add_body(body).into();
        let (a, b) = if rng.below(2) == 0 { (last, id) } else { (id, last) };
        let kinds = [JointKind::Revolute, JointKind::Prismatic, JointKind::Spherical, JointKind::Cylindrical];
        let kind = kinds[rng.below(kinds.len())];
        let mut frame = || {
            let spin = Quat::exp([0.0, 0.0, rng.range(-3.0, 3.0)].into());
            let slides = matches!(kind, JointKind::Prismatic | JointKind::Cylindrical);
            let tilt = if slides {
                Quat::exp([0.0, core::f64::consts::FRAC_PI_2, 0.0].into())
            } else {
                Quat::IDENTITY
            };
            let p = rng.vector(0.4);
            Frame { pos: [p.x, p.y, 0.0].into(), rot: spin * tilt }
        };
        let (in_a, in_b) = (frame(), frame());
        parts.add_joint(Joint::between(kind, a, in_a, b, in_b));
        last = id;
    }
    parts.build().unwrap()
}

/// Random positions in joint order: quaternions are rotations.
pub(crate) fn random_positions(rng: &mut Rng, model: &Model) -> Vec<f64> {
    let mut out = Vec::new();
    for entry in model.joint_order().entries() {
        let rot = rng.rotation().to_wxyz();
        let count = entry.positions.len();
        let floats = matches!(entry.part, OrderedPart::Floating(_));
        match (floats, count) {
            (true, 7) => out.extend(rng.vector(1.0).to_array().into_iter().chain(rot)),
            (false, 4) => out.extend(rot),
            _ => out.extend((0..count).map(|_| rng.range(-1.2, 1.2))),
        }
    }
    out
}

/// Random rates in joint order.
pub(crate) fn random_rates(rng: &mut Rng, model: &Model) -> Vec<f64> {
    (0..model.joint_order().rate_count()).map(|_| rng.range(-2.0, 2.0)).collect()
}

/// A simulation at random positions and rates.
pub(crate) fn posed(rng: &mut Rng, model: Model) -> Simulation {
    let mut sim = Simulation::new(model);
    let (q, v) = (random_positions(rng, sim.model()), random_rates(rng, sim.model()));
    sim.set_joint_positions(&q).unwrap();
    sim.set_joint_rates(&v).unwrap();
    sim
}

/// A four-bar of planar bodies in the x–y plane: crank 0.2 m, coupler 0.5 m, rocker 0.4 m, base 0.5 m.
/// The joints in order: crank on the ground, crank–coupler, coupler–rocker, rocker on the ground.
pub(crate) fn four_bar() -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let pins: [[f64; 2]; 4] = {
        // Crank upright; the circle of the coupler meets that of the rocker.
        let (x, y, d) = (0.0, 0.2, (0.25_f64 + 0.04).sqrt());
        let along = (0.25 - 0.16 + d * d) / (2.0 * d);
        let across = (0.25 - along * along).sqrt();
        let (ux, uy) = (0.5 / d, -0.2 / d);
        [[0.0, 0.0], [x, y], [x + along * ux - across * uy, y + along * uy + across * ux], [0.5, 0.0]]
    };
    let mut ids: Vec<End> = vec![End::Ground];
    for pair in pins.windows(2) {
        let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
        let length = ((bx - ax).powi(2) + (by - ay).powi(2)).sqrt();
        let body = Body::planar(length, length.powi(3) / 12.0);
        ids.push(parts.add_body(Body { pos: [0.5 * (ax + bx), 0.5 * (ay + by), 0.0].into(), ..body }).into());
    }
    ids.push(End::Ground);
    let names = ["crank", "knee", "elbow", "rocker"];
    for (i, ends) in ids.windows(2).enumerate() {
        let pin = [pins[i][0], pins[i][1], 0.0];
        parts.add_joint(Joint::revolute(ends[0], ends[1], pin, [0.0, 0.0, 1.0]).named(names[i]));
    }
    parts
}

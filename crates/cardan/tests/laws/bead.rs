//! The bead on a wire of Witkin's notes on constrained dynamics: C = (x·x − 1)/2, in two
//! dimensions, for several masses.
//!
//!   λ = −(f·x + m ẋ·ẋ)/(x·x)                                    (his eq. 7)
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::Ground;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, Constant, End, Force, ForceLaw, ForceOutput, Frame, FrameMotion, Gravity, Joint, JointId,
    JointKind, ModelBuilder, Settings, Simulation, Stabilization,
};
use cardan_testkit::Rng;
use core::f64::consts::PI;

fn no_feedback() -> Settings {
    Settings { stabilization: Stabilization::None, ..Settings::default() }
}

/// A bead on the unit circle under a force, no feedback.
fn bead(mass: f64, pos: Vec3, vel: Vec3, force: Vec3) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let bead = parts.add_body(Body { pos, vel, ..Body::planar_particle(mass) });
    parts.add_joint(Joint::at(JointKind::BeadOnCircle { radius: 1.0 }, Ground, bead, Vec3::ZERO, Vec3::Z));
    parts.add_force(Force::constant(bead, [0.0; 3], Constant { force, ..Constant::default() }));
    Simulation::with_settings(parts.build().unwrap(), no_feedback()).unwrap()
}

fn random_flat(rng: &mut Rng, size: f64) -> Vec3 {
    vec3(rng.range(-size, size), rng.range(-size, size), 0.0)
}

/// A consistent state: on the circle, with a tangential velocity.
fn legal(rng: &mut Rng) -> (f64, Vec3, Vec3, Vec3) {
    let angle = rng.range(-PI, PI);
    let (x, along) = (vec3(angle.cos(), angle.sin(), 0.0), vec3(-angle.sin(), angle.cos(), 0.0));
    (rng.range(0.2, 3.0), x, along * rng.range(-3.0, 3.0), random_flat(rng, 10.0))
}

#[test]
fn the_multiplier_of_the_bead_is_witkins_equation_7() {
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let (m, mut x, mut v, f) = legal(&mut rng);
        if seed % 2 == 1 {
            // The formula is valid off the wire, too.
            (x, v) = (x + random_flat(&mut rng, 0.3), v + random_flat(&mut rng, 1.0));
        }
        let mut sim = bead(m, x, v, f);
        let now = sim.evaluate().unwrap();
        let lambda = -(f.dot(x) + m * v.dot(v)) / x.dot(x);
        let size = (f.norm() * x.norm() + m * v.dot(v)) / x.dot(x);
        let off = (now.multipliers()[0] - lambda).abs() / size;
        // A dozen operations, relative to the sizes of their terms: some 45 ε.
        assert!(off < 1e-14, "seed {seed}: {} against {lambda}", now.multipliers()[0]);

        // The force is along the normal and so, on the wire, does no work.
        let push = now.joint(JointId::of_index(0)).reaction.structural.force;
        assert!((push - x * lambda).largest() < 1e-14 * size, "seed {seed}: {push:?}");
        if seed % 2 == 0 {
            // The power is a sum of two products that cancel.
            assert!(
                push.dot(v).abs() < 1e-14 * size * (1.0 + v.norm()),
                "seed {seed}: power {:e}",
                push.dot(v)
            );
        }
    }
}

#[test]
fn at_rest_the_constraint_force_leaves_the_projection_of_the_force_on_the_wire() {
    for seed in 0..200 {
        let (m, x, _, f) = legal(&mut Rng::new(seed));
        let mut sim = bead(m, x, Vec3::ZERO, f);
        let acceleration = sim.evaluate().unwrap().body(BodyId::of_index(0)).acceleration;
        let projected = f - x * (f.dot(x) / x.dot(x));
        let off = (acceleration * m - projected).largest();
        // A dozen operations on the force.
        assert!(off < 1e-14 * f.norm(), "seed {seed}: off by {off:e}");
    }
}

#[test]
fn the_energy_of_the_bead_stays() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let bead = parts.add_body(Body { pos: Vec3::X, ..Body::planar_particle(0.5) });
    parts.add_joint(Joint::at(JointKind::BeadOnCircle { radius: 1.0 }, Ground, bead, Vec3::ZERO, Vec3::Z));
    let mut sim = Simulation::new(parts.build().unwrap());
    let start = sim.energy().mechanical();
    let mut worst: f64 = 0.0;
    for _ in 0..10_000 {
        sim.step(1e-3).unwrap();
        worst = worst.max((sim.energy().mechanical() - start).abs());
    }
    // 10 s of a pendulum at 1 ms: (ω h)⁴ ≈ 1e-10 of 5 J, and far less for RK4's energy.
    assert!(worst < 1e-9, "energy off by {worst:e} J");
}

/// Witkin's constraint force as a plain force on a free particle, with or without its velocity
/// term.
#[derive(Debug)]
struct ByHand {
    mass: f64,
    force: Vec3,
    velocity_term: bool,
}

impl ForceLaw for ByHand {
    fn apply(&self, _time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let (x, v) = (frames[0].pos, frames[0].vel);
        let curve = if self.velocity_term { self.mass * v.dot(v) } else { 0.0 };
        out.wrench[0].force = self.force + x * (-(self.force.dot(x) + curve) / x.dot(x));
    }
}

#[test]
fn without_the_velocity_term_the_bead_leaves_the_wire() {
    let (mass, force) = (0.7, vec3(1.0, -4.0, 0.0));
    let (x, v) = (Vec3::X, vec3(0.0, 2.0, 0.0));
    let free = |velocity_term: bool| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let ball = parts.add_body(Body { pos: x, vel: v, ..Body::planar_particle(mass) });
        let law = ByHand { mass, force, velocity_term };
        parts.add_force(Force::user(vec![(End::Body(ball), Frame::default())], law));
        Simulation::with_settings(parts.build().unwrap(), no_feedback()).unwrap()
    };
    let radius = |sim: &mut Simulation| sim.kinematics().body(BodyId::of_index(0)).position.norm();
    let (mut engine, mut whole, mut cut) = (bead(mass, x, v, force), free(true), free(false));
    for _ in 0..1000 {
        for sim in [&mut engine, &mut whole, &mut cut] {
            sim.step(1e-3).unwrap();
        }
        // With the velocity term, the explicit force and the joint give the same motion.
        let off = (engine.kinematics().body(BodyId::of_index(0)).position
            - whole.kinematics().body(BodyId::of_index(0)).position)
            .largest();
        assert!(off < 1e-12, "t = {}: off by {off:e}", engine.time());
    }
    assert!((radius(&mut engine) - 1.0).abs() < 1e-9, "RK4 alone drifts: {}", radius(&mut engine));
    // Without it the path is not curved: the bead leaves the wire.
    assert!(radius(&mut cut) > 1.5, "only to {}", radius(&mut cut));
}

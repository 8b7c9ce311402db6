//! Joints cannot push a floating mechanism: its momentum is conserved.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::math::{Vec3, vec3};
use cardan::{Body, BodyId, Gravity, Integrator, Joint, JointKind, ModelBuilder, Settings, Simulation};
use cardan_testkit::{MotionSpace, Parts, Rng, closed_tree};

const BODIES: usize = 20;

/// A floating tree of rigid bodies with all kinds of joints and consistent velocities.
fn floating_tree(seed: u64) -> (Parts, Simulation) {
    let mut rng = Rng::new(seed);
    let mut parts = closed_tree(&mut rng, BODIES, MotionSpace::Rigid, true);
    parts.gravity = Vec3::ZERO;
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    (parts, sim)
}

fn center_of_mass(parts: &Parts, sim: &mut Simulation) -> (Vec3, f64) {
    let now = sim.kinematics();
    let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
    for (i, body) in parts.bodies.iter().enumerate() {
        sum += now.body(BodyId::of_index(i)).position * body.mass.mass;
        mass += body.mass.mass;
    }
    (sum / mass, mass)
}

/// Σ m |v|: the scale of rounding of the momentum.
fn momentum_scale(parts: &Parts, sim: &mut Simulation) -> f64 {
    let now = sim.kinematics();
    parts
        .bodies
        .iter()
        .enumerate()
        .map(|(i, b)| b.mass.mass * now.body(BodyId::of_index(i)).velocity.norm())
        .sum()
}

#[test]
fn joints_cannot_push_a_floating_tree() {
    for seed in 0..3 {
        let (parts, mut sim) = floating_tree(seed);
        let before = sim.momentum().linear;
        let (start, mass) = center_of_mass(&parts, &mut sim);
        let mut scale = momentum_scale(&parts, &mut sim);
        let (steps, h) = (3000, 1e-3);
        for k in 0..steps {
            sim.step(h).unwrap();
            if k % 50 == 0 {
                scale = scale.max(momentum_scale(&parts, &mut sim));
            }
        }
        let rounding = (steps * BODIES) as f64 * f64::EPSILON * scale;
        let off = (sim.momentum().linear - before).largest();
        println!("seed {seed}: momentum off by {off:e}, rounding allows {rounding:e}");
        assert!(off < rounding, "seed {seed}: momentum changed by {off:e}");

        // The centre of mass moves on a straight line at constant speed.
        let time = sim.time();
        let (end, _) = center_of_mass(&parts, &mut sim);
        let off = (end - (start + before * (time / mass))).largest();
        let allowed =
            rounding / mass * time + (steps * BODIES) as f64 * f64::EPSILON * end.largest().max(2.0);
        assert!(off < allowed, "seed {seed}: centre of mass off its line by {off:e}, allowed {allowed:e}");
    }
}

#[test]
fn angular_momentum_of_a_floating_tree_is_kept_to_the_order_of_the_integrator() {
    for seed in 0..4 {
        let drift = |h: f64| {
            let (_, mut sim) = floating_tree(seed);
            let before = sim.momentum().angular;
            sim.run(0.25, h).unwrap();
            ((sim.momentum().angular - before).largest(), before.norm())
        };
        let [(coarse, size), (fine, _)] = [1.0 / 512.0, 1.0 / 1024.0].map(drift);
        let ratio = coarse / fine;
        println!(
            "seed {seed}: angular momentum off by {coarse:e} of {size}, at half the step {fine:e}: {ratio:.1}"
        );
        // Order 4 divides by 16; one order more (it is a quadratic invariant) by 32.
        let rounding = 1e3 * f64::EPSILON * size * BODIES as f64;
        assert!(fine < rounding || (13.0..40.0).contains(&ratio), "seed {seed}: {coarse:e} → {fine:e}");
        assert!(fine < 1e-4 * size, "seed {seed}");
    }
}

#[test]
fn a_floating_tree_falls_like_a_point() {
    for seed in 0..4 {
        let (mut parts, _) = floating_tree(seed);
        parts.gravity = Rng::new(seed + 100).vector(10.0);
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.assemble().unwrap();
        let (start, mass) = center_of_mass(&parts, &mut sim);
        let v = sim.momentum().linear / mass;
        let steps = sim.run(1.0, 1e-3).unwrap();
        let (end, _) = center_of_mass(&parts, &mut sim);
        let t = sim.time();
        // RK4 integrates a parabola exactly; rounding of positions up to some 10 m over the steps
        // is left.
        let allowed = (steps as usize * BODIES) as f64 * f64::EPSILON * end.largest().max(10.0);
        let off = (end - (start + v * t + parts.gravity * (0.5 * t * t))).largest();
        assert!(off < allowed, "seed {seed}: off the parabola by {off:e}, allowed {allowed:e}");
        // The angular balance holds to the order of the integrator.
        assert!(sim.balance().momentum_error < 1e-9, "seed {seed}: {:?}", sim.balance());
    }
}

#[test]
fn euler_steps_keep_linear_momentum_too() {
    for integrator in [Integrator::ExplicitEuler, Integrator::SemiImplicitEuler] {
        let (parts, _) = floating_tree(3);
        let settings = Settings { integrator, ..Settings::default() };
        let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
        sim.assemble().unwrap();
        let before = sim.momentum().linear;
        for _ in 0..1000 {
            sim.step(1e-4).unwrap();
        }
        let rounding = (1000 * BODIES) as f64 * f64::EPSILON * momentum_scale(&parts, &mut sim);
        let off = (sim.momentum().linear - before).largest();
        assert!(off < rounding, "{integrator:?}: momentum changed by {off:e}, rounding {rounding:e}");
    }
}

#[test]
fn a_planar_body_has_no_angular_momentum_out_of_its_plane_whatever_its_products_of_inertia() {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let mut body = Body::planar(1.0, 0.4);
    (body.mass.inertia.xz, body.mass.inertia.yz) = (0.1, -0.05);
    body.omega = vec3(0.0, 0.0, 2.0);
    parts.add_body(body);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.0, 1e-2).unwrap();
    assert_eq!(sim.momentum().angular, vec3(0.0, 0.0, 0.8));
    // No moment acts: the momentum does not change by a bit.
    assert!(sim.balance().momentum_error < 1e-15, "{:?}", sim.balance());
}

#[test]
fn accounts_of_closed_trees_balance_and_their_joints_hold() {
    for seed in 0..30 {
        for world in [MotionSpace::Space, MotionSpace::Flat] {
            let parts = closed_tree(&mut Rng::new(seed), 6, world, false);
            let mut sim = Simulation::new(parts.build().unwrap());
            sim.run(0.1, 1e-3).unwrap_or_else(|e| panic!("{world:?}, seed {seed}: {e}"));
            let (balance, certificate) = (sim.balance(), sim.certificate());
            // Rates of about 10 rad/s at 1 ms: the order of RK4 leaves about 1e-8; a missing term
            // leaves 1e-3.
            assert!(
                balance.energy_error < 1e-6 && balance.momentum_error < 1e-6,
                "{world:?}, seed {seed}: {balance:?}"
            );
            // Rounding of positions of some metres and of speeds of some ten m/s, after projection.
            assert!(
                certificate.max_position_error < 1e-12 && certificate.max_velocity_error < 1e-11,
                "{world:?}, seed {seed}: {certificate:?}"
            );
        }
    }
}

/// The Euler integrators close the joints of such a chain successively, without regard to masses;
/// the centre of mass must not show it.
#[test]
fn euler_steps_keep_the_centre_of_mass_of_a_floating_chain_on_its_line() {
    for integrator in [Integrator::ExplicitEuler, Integrator::SemiImplicitEuler] {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let (mut last, mut masses) = (None, Vec::new());
        for i in 0..8 {
            let k = f64::from(i);
            let omega = vec3((3.0 * k).sin(), (5.0 * k + 1.0).sin(), (7.0 * k + 2.0).sin()) * 3.0;
            let bar = Body {
                pos: vec3(k, 0.1 * k, 0.0),
                omega,
                vel: vec3(1.0, 2.0, 3.0),
                ..Body::rod(1.0 + k, 0.9, 0.1)
            };
            masses.push(bar.mass.mass);
            let body = parts.add_body(bar);
            if let Some(last) = last {
                let at = [k - 0.5, 0.1 * k - 0.05, 0.0];
                parts.add_joint(match i % 3 {
                    0 => Joint::revolute(last, body, at, [0.2, 1.0, k]),
                    1 => Joint::spherical(last, body, at),
                    _ => Joint::at(JointKind::Cylindrical, last, body, at, [1.0, 0.3, 0.2]),
                });
            }
            last = Some(body);
        }
        let settings = Settings { integrator, ..Settings::default() };
        let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
        sim.assemble().unwrap();
        let whole: f64 = masses.iter().sum();
        let center = |sim: &mut Simulation| {
            let now = sim.kinematics();
            masses
                .iter()
                .enumerate()
                .fold(Vec3::ZERO, |sum, (i, m)| sum + now.body(BodyId::of_index(i)).position * (m / whole))
        };
        let (start, v) = (center(&mut sim), sim.momentum().linear / whole);
        let steps = sim.run(0.5, 1e-3).unwrap();
        let off = (center(&mut sim) - (start + v * sim.time())).largest();
        let allowed = (steps as usize * masses.len()) as f64 * f64::EPSILON * 10.0;
        println!("{integrator:?}: off by {off:e}, rounding allows {allowed:e}, {:?}", sim.certificate());
        assert!(off < allowed, "{integrator:?}: off its line by {off:e}, allowed {allowed:e}");
        let worst = sim.certificate();
        // Rounding of positions and speeds of about one, after projection.
        assert!(worst.max_position_error < 1e-13 && worst.max_velocity_error < 1e-13, "{worst:?}");
    }
}

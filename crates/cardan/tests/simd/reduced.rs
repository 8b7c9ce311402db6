//! Euler steps in joint coordinates: the reduced kernel, for trees of hinges and ball joints.

use cardan::math::{Vec3, vec3};
use cardan::{
    Batch, Body, BodyKind, Coordinates, Elimination, End, End::Ground, Gravity, Integrator, Joint, JointId,
    Model, ModelBuilder, Settings, Simulation,
};
use cardan_testkit::{Rng, random_body};
use std::sync::Arc;

fn settings(integrator: Integrator) -> Settings {
    Settings { integrator, coordinates: Coordinates::Joints, ..Settings::default() }
}

/// A random tree of hinges and ball joints, floating or not; bodies are as often the first end of
/// their joint as the second.
fn tree(seed: u64) -> Arc<Model> {
    let mut rng = Rng::new(seed);
    let mut parts = ModelBuilder::new(Gravity::new(0.3, -0.2, -9.81));
    let mut ids: Vec<End> = Vec::new();
    let floats = rng.below(2) == 0;
    for i in 0..3 + rng.below(8) {
        let id = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
        let on: End = if i == 0 { Ground } else { ids[rng.below(i)] };
        ids.push(id.into());
        if on == Ground && floats {
            continue;
        }
        let (anchor, axis) = (rng.vector(1.0), rng.direction());
        let (a, b): (End, End) = if rng.below(2) == 0 { (on, id.into()) } else { (id.into(), on) };
        parts.add_joint(match rng.below(3) {
            0 => Joint::spherical(a, b, anchor),
            _ => Joint::revolute(a, b, anchor, axis),
        });
    }
    Arc::new(parts.build().expect("a tree can be built"))
}

/// The largest difference of coordinates and velocities, relative to the largest of them.
/// Quaternions of both signs are equal rotations.
fn difference(a: &Simulation, b: &Simulation) -> f64 {
    let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
    let mut worst = 0.0;
    let mut size = 1.0;
    for (a, b) in
        a.state().coordinates().as_chunks::<7>().0.iter().zip(b.state().coordinates().as_chunks::<7>().0)
    {
        let same: f64 = a[3..].iter().zip(&b[3..]).map(|(x, y)| x * y).sum();
        for k in 0..7 {
            let b = if k > 2 && same < 0.0 { -b[k] } else { b[k] };
            worst = larger(worst, (a[k] - b).abs());
            size = larger(size, a[k].abs());
        }
    }
    for (a, b) in a.state().velocities().iter().zip(b.state().velocities()) {
        worst = larger(worst, (a - b).abs());
        size = larger(size, a.abs());
    }
    worst / size
}

/// Equal steps by the general path: rows of H, with chart and projection.
#[test]
fn the_reduced_kernel_agrees_with_the_general_path() {
    for seed in 0..60 {
        let integrator =
            if seed % 3 == 0 { Integrator::ExplicitEuler } else { Integrator::SemiImplicitEuler };
        let short = settings(integrator);
        let general = Settings { elimination: Elimination::Rows, ..short };
        let model = tree(seed);
        let mut ours = Simulation::with_settings(model.clone(), short).unwrap();
        let mut theirs = Simulation::with_settings(model, general).unwrap();
        for _ in 0..50 {
            ours.step(5e-4).unwrap();
            theirs.step(5e-4).unwrap();
        }
        assert_eq!(ours.diagnostics().specialized_step_count(), Some(50), "seed {seed}");
        assert_eq!(theirs.diagnostics().specialized_step_count(), None);
        // Fifty steps of rounding, not much amplified by the motion of a tree in 25 ms.
        let left = difference(&ours, &theirs);
        assert!(left < 1e-11, "seed {seed}: {left:e}");
        let (a, b) = (ours.state().ledger, theirs.state().ledger);
        let off = (a.impulse - b.impulse).norm() + (a.angular_impulse - b.angular_impulse).norm();
        // Fifty steps of rounding of loads, which the general path sums in another order.
        assert!(off < 1e-10 * (1.0 + b.impulse.norm() + b.angular_impulse.norm()), "seed {seed}: {off:e}");
        let certificate = ours.certificate();
        // Joints are exact by construction: rounding of poses; the bound up to which a solve is
        // certified.
        assert!(certificate.max_position_error < 1e-13, "seed {seed}: {certificate:?}");
        assert!(certificate.max_equation_residual < 1e-12, "seed {seed}: {certificate:?}");
    }
}

/// A state continued in another simulation, without the factor of the first.
#[test]
fn a_step_without_a_kept_factor_has_the_same_bits() {
    for seed in 0..20 {
        let settings = settings(Integrator::SemiImplicitEuler);
        let model = tree(seed);
        let mut one = Simulation::with_settings(model.clone(), settings).unwrap();
        for step in 0..30 {
            one.step(1e-3).unwrap();
            let mut other = Simulation::with_settings(model.clone(), settings).unwrap();
            other.restore(one.state()).unwrap();
            let mut ahead = Simulation::with_settings(model.clone(), settings).unwrap();
            ahead.restore(one.state()).unwrap();
            ahead.accelerations().unwrap();
            if step % 10 == 3 {
                one.step(1e-3).unwrap();
                other.step(1e-3).unwrap();
                ahead.step(1e-3).unwrap();
                assert_eq!(other.state().to_bytes(), one.state().to_bytes(), "seed {seed}, step {step}");
                assert_eq!(ahead.state().to_bytes(), one.state().to_bytes(), "seed {seed}, step {step}");
            }
        }
    }
}

/// A rod on a hinge, by elliptic integrals: the errors of an Euler integrator halve with the step.
#[test]
fn a_pendulum_swings_as_the_closed_form_has_it_with_errors_in_proportion_to_the_step() {
    // ½ θ̇² = (3 g / 2 l) sin θ from the horizontal: the time to the lowest point is K(1/√2) / √(3
    // g / 2 l).
    let (g, l) = (9.81, 1.0);
    let quarter = 1.854_074_677_301_372 / libm::sqrt(1.5 * g / l);
    let off = |steps: u32| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -g));
        let rod = parts.add_body(Body { pos: vec3(0.5 * l, 0.0, 0.0), ..Body::rod(1.0, l, 0.01) });
        parts.add_joint(Joint::revolute(Ground, rod, Vec3::ZERO, Vec3::Y));
        let model = parts.build().unwrap();
        let mut sim = Simulation::with_settings(model, settings(Integrator::SemiImplicitEuler)).unwrap();
        for _ in 0..steps {
            sim.step(quarter / f64::from(steps)).unwrap();
        }
        assert_eq!(sim.diagnostics().specialized_step_count(), Some(u64::from(steps)));
        // Joints are exact by construction: rounding of 1 m.
        assert!(sim.certificate().max_position_error < 1e-15);
        sim.state().coordinates()[0].abs()
    };
    let (coarse, fine) = (off(1000), off(2000));
    // First order: half the step leaves half the error, up to terms of second order, 1 % here.
    assert!(fine < 1e-3 && (coarse / fine - 2.0).abs() < 0.02, "{coarse} {fine}");
}

/// Angles beyond the range of the reduced kernel's sine take the general path.
#[test]
fn turns_without_end_take_the_general_path() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let wheel = parts.add_body(Body { omega: vec3(0.0, 0.0, 3e9), ..Body::rod(1.0, 1.0, 0.1) });
    parts.add_joint(Joint::revolute(Ground, wheel, Vec3::ZERO, Vec3::Z));
    let model = parts.build().unwrap();
    let mut sim = Simulation::with_settings(model, settings(Integrator::SemiImplicitEuler)).unwrap();
    sim.step(1e-3).unwrap();
    assert_eq!(sim.diagnostics().specialized_step_count(), Some(0));
    let angle = sim.evaluate().unwrap().joint(JointId::of_index(0)).coordinates[0];
    // One rounding of 3e9 rad/s times 1 ms is 4e-10; an angle reduced without care would be off by
    // radians.
    assert!((angle - 3e6).abs() < 1e-3, "{angle}");
}

/// Branched trees, whose bodies run in lanes where the machine has SIMD registers.
#[test]
fn level_lanes_have_the_bits_of_the_lanes_of_a_batch() {
    for seed in 0..6 {
        let mut rng = Rng::new(700 + seed);
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let mut ids: Vec<End> = Vec::new();
        for i in 0..40 {
            let id = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
            // Short branches on few bodies.
            let on: End = if i == 0 { Ground } else { ids[rng.below(1 + i / 4)] };
            ids.push(id.into());
            if on == Ground && seed % 2 == 0 {
                continue;
            }
            parts.add_joint(match seed % 3 {
                0 => Joint::spherical(on, id, rng.vector(1.0)),
                1 => Joint::revolute(on, id, rng.vector(1.0), rng.direction()),
                _ if rng.below(2) == 0 => Joint::spherical(on, id, rng.vector(1.0)),
                _ => Joint::revolute(on, id, rng.vector(1.0), rng.direction()),
            });
        }
        let model = Arc::new(parts.build().unwrap());
        let integrator =
            if seed % 2 == 0 { Integrator::ExplicitEuler } else { Integrator::SemiImplicitEuler };
        let settings = settings(integrator);
        let mut batch = Batch::of_models([model.clone()], settings).unwrap();
        let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
        let has_lanes = std::env::consts::ARCH == "x86_64" && sim.diagnostics().simd_step_count().is_some();
        for step in 0..60 {
            // The kept factor is dropped at some steps.
            if step % 20 == 7 {
                let state = sim.state().clone();
                sim = Simulation::with_settings(model.clone(), settings).unwrap();
                sim.restore(&state).unwrap();
            }
            let h = if step % 7 == 3 { 2e-4 } else { 5e-4 };
            sim.step(h).unwrap();
            batch.step(h).unwrap();
            assert_eq!(
                batch.state(0).unwrap().to_bytes(),
                sim.state().to_bytes(),
                "seed {seed}, step {step}"
            );
        }
        assert_eq!(batch.in_lanes(), 1);
        if has_lanes {
            assert_eq!(sim.diagnostics().simd_step_count(), Some(13), "seed {seed}");
        }
        assert_eq!(sim.diagnostics().specialized_step_count(), Some(13), "seed {seed}");
    }
}

//! SIMD registers (`cardan_solve::articulated::f64x3`) against scalar arithmetic: equal bits in all
//! results.

use cardan::math::vec3;
use cardan::{Batch, Body, End, Gravity, Integrator, Joint, ModelBuilder, Settings, Simulation};
use cardan_solve::articulated::f64x3::Avx2;
use cardan_testkit::{MotionSpace, Parts, Rng, closed_loops, closed_tree};
use std::sync::Arc;

/// Accelerations and loads at the start, then coordinates and velocities step by step, and the
/// certificate; or the error.
fn run(parts: &Parts, integrator: Integrator) -> Result<Vec<u64>, String> {
    let model = parts.build().map_err(|error| error.to_string())?;
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(model, settings).map_err(|error| error.to_string())?;
    sim.assemble().map_err(|error| error.to_string())?;
    let mut bits = Vec::new();
    {
        let answer = sim.accelerations().map_err(|error| error.to_string())?;
        bits.extend(answer.values().iter().map(|x| x.to_bits()));
        for load in answer.joint_loads() {
            let (f, t) = (load.wrench.force, load.wrench.torque);
            bits.extend([f.x, f.y, f.z, t.x, t.y, t.z].map(f64::to_bits));
        }
    }
    for _ in 0..4 {
        sim.step(1e-3).map_err(|error| error.to_string())?;
        bits.push(sim.state_hash());
    }
    let certificate = sim.certificate();
    bits.push(certificate.max_position_error.to_bits());
    bits.push(certificate.max_equation_residual.to_bits());
    Ok(bits)
}

#[test]
fn simd_does_not_change_a_bit_of_any_mechanism() {
    let mut went_well = 0;
    for seed in 0..160 {
        let rng = &mut Rng::new(seed);
        let (n, world, floating) = (1 + rng.below(12), MotionSpace::Space, rng.below(3) == 0);
        let more = rng.below(4);
        let parts = match seed % 2 {
            0 => closed_tree(rng, n, world, floating),
            _ => closed_loops(rng, n, more, world, floating),
        };
        for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
            Avx2::disable(true);
            let scalar = run(&parts, integrator);
            Avx2::disable(false);
            let wide = run(&parts, integrator);
            assert_eq!(scalar, wide, "seed {seed}, {integrator:?}");
            went_well += usize::from(wide.is_ok());
        }
    }
    assert!(went_well > 200, "{went_well}");
}

/// With ten thousand bodies and more, data that can be recomputed are not stored.
#[test]
fn very_many_bodies_step_with_the_same_bits_with_and_without_simd() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = End::Ground;
    for i in 0..10_050 {
        // A row of doors, so that every step is regular.
        let x = 2.0 * f64::from(i / 2) + if i % 2 == 0 { 0.5 } else { 1.0 };
        let body = parts.add_body(Body { pos: vec3(x, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.05) });
        let axis = if i % 3 == 0 { vec3(0.0, 1.0, 0.0) } else { vec3(0.0, 0.6, 0.8) };
        let (on, anchor) = if i % 2 == 0 { (End::Ground, x - 0.5) } else { (last, x + 0.25) };
        parts.add_joint(match i % 5 {
            4 => Joint::spherical(on, body, vec3(anchor, 0.0, 0.0)),
            3 => Joint::revolute(body, on, vec3(anchor, 0.0, 0.0), axis),
            _ => Joint::revolute(on, body, vec3(anchor, 0.0, 0.0), axis),
        });
        last = body.into();
    }
    let model = Arc::new(parts.build().expect("doors can be hung"));
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let mut hashes = [0; 2];
    for (hash, scalar) in hashes.iter_mut().zip([true, false]) {
        Avx2::disable(scalar);
        let mut sim = Simulation::with_settings(model.clone(), settings).expect("they can be set up");
        for _ in 0..3 {
            sim.step(1e-3).expect("and step");
        }
        let certificate = sim.certificate();
        // Doors stand in a row of some ten kilometres: roundings of 1e4 m; the bound of a certified
        // solve.
        assert!(certificate.max_position_error < 1e-11, "{certificate:?}");
        assert!(certificate.max_equation_residual < 1e-12, "{certificate:?}");
        *hash = sim.state_hash();
    }
    Avx2::disable(false);
    assert_eq!(hashes[0], hashes[1]);
    // In lanes everything is stored.
    let batch = Batch::of_models([model], settings).expect("one of them");
    assert_eq!(batch.in_lanes(), 0);
}

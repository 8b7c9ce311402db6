//! Bodies of one tree in lanes (`step/kernel/level_accel.rs`) against the scalar kernel: equal
//! bits in all results.

use super::machine_has_avx2;
use cardan::math::vec3;
use cardan::{
    Body, BodyKind, End, End::Ground, Gravity, Integrator, Joint, Model, ModelBuilder, Settings, Simulation,
    SolidShape,
};
use cardan_solve::articulated::f64x3::Avx2;
use cardan_testkit::{Rng, random_body};
use std::sync::Arc;

/// A branched forest of hinges and ball joints, joints in both directions, on the ground or
/// floating.
fn forest(seed: u64, bodies: usize) -> Arc<Model> {
    let mut rng = Rng::new(seed);
    let floats = rng.below(2) == 0;
    let (roots, hinges, backward) = (rng.below(20) + 2, rng.below(3), rng.below(2) == 0);
    // Joints that have no kernel in lanes: their bodies run in the scalar kernel.
    let others = rng.below(2) == 0;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, rng.range(-1.0, 1.0), -9.81));
    let mut ids: Vec<End> = Vec::new();
    for i in 0..bodies {
        let mut body = random_body(&mut rng, BodyKind::Rigid);
        if rng.below(2) == 0 {
            let size = rng.vector(0.2) + vec3(0.4, 0.4, 0.4);
            let solid = Body::solid(SolidShape::Box { size: size.into() }, 1.5);
            body = Body { pos: body.pos, rot: body.rot, omega: body.omega, ..solid };
        }
        let id = parts.add_body(body);
        let is_root = i == 0 || rng.below(roots) == 0;
        let on: End = if is_root { Ground } else { ids[rng.below(i)] };
        ids.push(id.into());
        if is_root && floats {
            continue;
        }
        let (anchor, axis) = (rng.vector(1.0), rng.direction());
        let (a, b) = if backward && rng.below(3) == 0 { (id.into(), on) } else { (on, id.into()) };
        let is_odd = others && rng.below(8) == 0;
        parts.add_joint(match (is_odd, rng.below(3)) {
            (true, 0) => Joint::fixed(a, b),
            (true, 1) => Joint::cylindrical(a, b, anchor, axis),
            (true, _) => Joint::prismatic(a, b, anchor, axis),
            (false, k) if k <= hinges => Joint::revolute(a, b, anchor, axis),
            _ => Joint::spherical(a, b, anchor),
        });
    }
    Arc::new(parts.build().expect("a forest"))
}

/// A simulation whose bodies run in the scalar kernel, or in lanes where possible.
fn simulation(model: &Arc<Model>, settings: Settings, scalar: bool) -> Simulation {
    Avx2::disable(scalar);
    let mut sim = Simulation::with_settings(model.clone(), settings).expect("it can be set up");
    sim.assemble().expect("it can be closed");
    sim.accelerations().expect("it can be solved");
    Avx2::disable(false);
    sim
}

/// Bits of accelerations and loads; the scalar ones from motions, and without SIMD registers.
fn bits_of_accelerations(sim: &mut Simulation, scalar: bool) -> Vec<u64> {
    Avx2::disable(scalar);
    let answer = sim.accelerations();
    Avx2::disable(false);
    let answer = answer.expect("it can be solved");
    let mut bits: Vec<u64> = answer.values().iter().map(|x| x.to_bits()).collect();
    for load in answer.joint_loads() {
        let (f, t) = (load.wrench.force, load.wrench.torque);
        bits.extend([load.joint.index() as u64, load.body.index() as u64]);
        bits.extend([f.x, f.y, f.z, t.x, t.y, t.z].map(f64::to_bits));
    }
    bits
}

#[test]
fn accelerations_and_loads_in_level_lanes_equal_the_scalar_ones() {
    let mut taken = 0;
    for seed in 0..60 {
        let model = forest(seed, 30 + 3 * (seed as usize % 30));
        let (mut many, mut one) =
            (simulation(&model, Settings::default(), false), simulation(&model, Settings::default(), true));
        assert!(!one.diagnostics().accelerations_use_simd());
        taken += usize::from(many.diagnostics().accelerations_use_simd());
        for step in 0..4 {
            let (ours, theirs) =
                (bits_of_accelerations(&mut many, false), bits_of_accelerations(&mut one, true));
            let differ = ours.iter().zip(&theirs).position(|(a, b)| a != b);
            assert_eq!(differ, None, "seed {seed}, step {step}");
            assert_eq!(many.step(1e-3).expect("it steps").size, one.step(1e-3).expect("it steps").size);
            assert_eq!(many.state_hash(), one.state_hash(), "seed {seed}, step {step}");
        }
    }
    assert!(taken > 30 || !machine_has_avx2(), "{taken} of 60");
}

#[test]
fn accelerations_between_steps_change_no_bit_of_them() {
    for seed in 0..60 {
        let model = forest(seed, 24 + 3 * (seed as usize % 20));
        let integrator = [Integrator::Rk4, Integrator::SemiImplicitEuler][seed as usize % 2];
        let settings = Settings { integrator, ..Settings::default() };
        let make = || {
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("it can be set up");
            sim.assemble().expect("it can be closed");
            sim
        };
        let (mut asked, mut other) = (make(), make());
        for step in 0..4 {
            asked.accelerations().expect("it can be solved");
            asked.step(1e-3).expect("it steps");
            other.step(1e-3).expect("it steps");
            assert_eq!(asked.state_hash(), other.state_hash(), "seed {seed}, step {step}");
        }
    }
}

/// Bits of all results of a run, and the number of steps taken in lanes.
fn run(model: &Arc<Model>, integrator: Integrator, scalar: bool, steps: u64) -> (Vec<u64>, u64) {
    let mut sim = simulation(model, Settings { integrator, ..Settings::default() }, scalar);
    let mut bits = Vec::new();
    for k in 0..steps {
        // Steps of two sizes, and states set from outside.
        let report = sim.step(if k % 3 == 0 { 1e-3 } else { 5e-4 }).expect("it steps");
        if k % 7 == 3 {
            sim.evaluate().expect("it can be looked at");
        }
        if k % 11 == 5 {
            let state = sim.state().clone();
            sim.restore(&state).expect("its own state");
        }
        let energy = sim.energy();
        bits.push(sim.state_hash());
        bits.extend([report.position_error, report.velocity_error].map(f64::to_bits));
        bits.extend([energy.kinetic, energy.potential].map(f64::to_bits));
        let ledger = sim.state().ledger;
        for v in [ledger.impulse, ledger.angular_impulse] {
            bits.extend([v.x, v.y, v.z].map(f64::to_bits));
        }
        bits.extend([u64::from(report.rounds), sim.diagnostics().work_counts().iterations]);
        // The bound up to which a solve is certified.
        assert!(report.equation_residual < 1e-12);
    }
    bits.extend(sim.state().to_bytes().iter().map(|&byte| u64::from(byte)));
    (bits, sim.diagnostics().simd_step_count().unwrap_or(0))
}

#[test]
fn chains_accelerate_from_the_state_as_from_their_motions() {
    for seed in 0..20 {
        let mut rng = Rng::new(500 + seed);
        let mut parts = ModelBuilder::new(Gravity::new(0.3, 0.0, -9.81));
        let mut on = Ground;
        for link in 0..7 {
            let id = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
            if link > 0 || seed % 3 > 0 {
                parts.add_joint(match rng.below(3) {
                    0 => Joint::spherical(on, id, rng.vector(1.0)),
                    _ => Joint::revolute(on, id, rng.vector(1.0), rng.direction()),
                });
            }
            on = id.into();
        }
        let model = Arc::new(parts.build().expect("a chain"));
        let mut sim = simulation(&model, Settings::default(), false);
        assert!(!sim.diagnostics().accelerations_use_simd());
        for step in 0..5 {
            let ours = bits_of_accelerations(&mut sim, false);
            assert_eq!(ours, bits_of_accelerations(&mut sim, true), "seed {seed}, step {step}");
            sim.step(1e-3).expect("it steps");
        }
    }
}

#[test]
fn steps_in_level_lanes_have_the_bits_of_the_scalar_kernel() {
    let (mut mechanisms, mut taken) = (0, 0);
    for seed in 0..40 {
        let model = forest(100 + seed, 24 + 3 * (seed as usize % 20));
        let integrator =
            if seed % 3 == 0 { Integrator::ExplicitEuler } else { Integrator::SemiImplicitEuler };
        let ((many, steps), (one, none)) =
            (run(&model, integrator, false, 40), run(&model, integrator, true, 40));
        let differ = many.iter().zip(&one).position(|(a, b)| a != b);
        assert_eq!((differ, many.len(), none), (None, one.len(), 0), "seed {seed}");
        mechanisms += u64::from(steps > 0);
        taken += steps;
    }
    assert!(mechanisms >= 10 || !machine_has_avx2(), "{mechanisms} of 40");
    assert!(taken > 30 * mechanisms || !machine_has_avx2(), "{taken} steps of {mechanisms} mechanisms");
}

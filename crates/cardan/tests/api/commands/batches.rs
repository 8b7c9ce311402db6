//! Commands in a batch: arrays of [mechanism × joint] do what each simulation alone would do.

use super::tree_of_pairs;
use cardan::joint_space::CommandError;
use cardan::{Batch, BatchError, Integrator, Settings, Simulation};
use cardan_testkit::Rng;
use std::sync::Arc;

#[test]
fn a_batch_with_commands_has_the_bits_of_simulations_alone() {
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let rng = &mut Rng::new(11);
    let model = Arc::new(tree_of_pairs(rng, 4, false));
    let n = model.joint_order().rate_count();
    let mut sims: Vec<Simulation> = (0..6)
        .map(|_| {
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            let (q, v) = (super::random_positions(rng, &model), super::random_rates(rng, &model));
            sim.set_joint_positions(&q).unwrap();
            sim.set_joint_rates(&v).unwrap();
            sim
        })
        .collect();
    let states: Vec<_> = sims.iter().map(|sim| sim.state().clone()).collect();
    let mut batch = Batch::new(model.clone(), settings, &states).unwrap();
    let all: Vec<f64> = sims.iter_mut().flat_map(|sim| sim.joint_positions()).collect();
    assert_eq!(batch.joint_positions().unwrap(), all);
    for _ in 0..20 {
        let efforts: Vec<f64> = (0..6 * n).map(|_| rng.range(-1.0, 1.0)).collect();
        batch.set_efforts(&efforts).unwrap();
        batch.step(1e-3).unwrap();
        for (sim, own) in sims.iter_mut().zip(efforts.chunks_exact(n)) {
            sim.set_efforts(own).unwrap();
            sim.step(1e-3).unwrap();
        }
    }
    for (index, sim) in sims.iter().enumerate() {
        assert_eq!(batch.state(index).unwrap().hash(&model), sim.state_hash());
    }
    let rates: Vec<f64> = sims.iter_mut().flat_map(|sim| sim.joint_rates()).collect();
    assert_eq!(batch.joint_rates().unwrap(), rates);

    // Refusals name the mechanism, and change nothing.
    let before = batch.joint_rates().unwrap();
    let error = batch.set_efforts(&vec![0.0; 6 * n - 1]).unwrap_err();
    assert!(matches!(error, BatchError::Command { error: CommandError::Length { .. }, .. }), "{error}");
    let mut efforts = vec![0.0; 6 * n];
    efforts[3 * n] = f64::NAN;
    let error = batch.set_efforts(&efforts).unwrap_err();
    assert!(
        matches!(error, BatchError::Command { index: 3, error: CommandError::NotFinite { .. } }),
        "{error}"
    );
    let mut bad = before.clone();
    bad[5 * n] = f64::INFINITY;
    let error = batch.set_joint_rates(&bad).unwrap_err();
    assert!(matches!(error, BatchError::Command { index: 5, .. }), "{error}");
    assert_eq!(batch.joint_rates().unwrap(), before);
}

#[test]
fn positions_and_rates_of_a_batch_are_set_as_one_array() {
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let rng = &mut Rng::new(12);
    let model = Arc::new(tree_of_pairs(rng, 4, true));
    let mut first = Simulation::with_settings(model.clone(), settings).unwrap();
    first.set_joint_positions(&super::random_positions(rng, &model)).unwrap();
    let states = vec![first.state().clone(); 5];
    let mut batch = Batch::new(model.clone(), settings, &states).unwrap();
    let q: Vec<f64> = (0..5).flat_map(|_| super::random_positions(rng, &model)).collect();
    let v: Vec<f64> = (0..5).flat_map(|_| super::random_rates(rng, &model)).collect();
    batch.set_joint_positions(&q).unwrap();
    batch.set_joint_rates(&v).unwrap();
    for (x, y) in v.iter().zip(batch.joint_rates().unwrap()) {
        assert!((x - y).abs() < 1e-11, "{x} {y}");
    }
    batch.set_effort(2, model.joint_ids().next().unwrap(), 0, 0.0).unwrap();
    batch.clear_commands();
    batch.step(1e-3).unwrap();
}

#[test]
fn states_that_come_with_commands_are_stepped_with_them() {
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let rng = &mut Rng::new(13);
    let model = Arc::new(tree_of_pairs(rng, 4, false));
    let n = model.joint_order().rate_count();
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    sim.set_joint_positions(&super::random_positions(rng, &model)).unwrap();
    let plain = sim.state().clone();
    sim.set_efforts(&vec![0.5; n]).unwrap();
    let commanded = sim.state().clone();
    let mut batch =
        Batch::new(model.clone(), settings, &[plain.clone(), commanded.clone(), plain.clone()]).unwrap();
    batch.set_state(2, &commanded).unwrap();
    batch.steps(10, 1e-3).unwrap();
    for _ in 0..10 {
        sim.step(1e-3).unwrap();
    }
    for index in [1, 2] {
        assert_eq!(batch.state(index).unwrap().hash(&model), sim.state_hash());
    }
    assert_ne!(batch.state(0).unwrap().hash(&model), sim.state_hash());
}

//! States of many mechanisms set and read at once, and trajectories: as simulations one by one have it.

use super::{planar_chain, random_positions, random_rates, tree_of_pairs};
use cardan::joint_space::CommandError;
use cardan::{
    Accounts, Batch, BatchError, CommandSequence, Coordinates, Integrator, Model, Settings, Simulation,
};
use cardan_testkit::{Rng, Tolerance, assert_close};
use std::sync::Arc;

fn settings(coordinates: Coordinates) -> Settings {
    Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates,
        accounts: Accounts::Off,
        ..Settings::default()
    }
}

/// Random positions and rates of `n` mechanisms, one after the other.
fn states(rng: &mut Rng, model: &Model, n: usize) -> (Vec<f64>, Vec<f64>) {
    let q = (0..n).flat_map(|_| random_positions(rng, model)).collect();
    let v = (0..n).flat_map(|_| random_rates(rng, model)).collect();
    (q, v)
}

#[test]
fn joint_states_of_a_batch_have_the_bits_of_simulations_set_one_by_one() {
    let rng = &mut Rng::new(31);
    let models = [tree_of_pairs(rng, 5, false), tree_of_pairs(rng, 4, true), planar_chain(rng, 4)];
    for model in models.map(Arc::new) {
        // Lanes of their own and lanes that are shared; trees on joint coordinates, and poses.
        for (n, coordinates) in
            [(6, Coordinates::Joints), (70, Coordinates::Joints), (6, Coordinates::Bodies)]
        {
            let settings = settings(coordinates);
            let (nq, nv) = (model.joint_order().position_count(), model.joint_order().rate_count());
            let mut closed = Simulation::with_settings(model.clone(), settings).unwrap();
            closed.set_joint_state(&random_positions(rng, &model), &random_rates(rng, &model)).unwrap();
            let mut batch = Batch::new(model.clone(), settings, &vec![closed.state().clone(); n]).unwrap();
            batch.steps(3, 1e-3).unwrap();
            let (q, v) = states(rng, &model, n);
            batch.set_joint_states(&q, &v).unwrap();
            let (mut read_q, mut read_v) = (vec![0.0; n * nq], vec![0.0; n * nv]);
            batch.copy_joint_states(&mut read_q, &mut read_v).unwrap();
            // Poses are projected, and quaternions have a length of 1 and either sign: rounding of the lengths of links.
            let rounding = Tolerance::because("rates through velocities of poses, projected", 1e-11);
            for (x, y) in v.iter().zip(&read_v) {
                assert_close(*y, *x, rounding);
            }
            batch.steps(5, 1e-3).unwrap();
            for index in [0, 1, n - 1] {
                let mut alone = Simulation::with_settings(model.clone(), settings).unwrap();
                alone.restore(closed.state()).unwrap();
                (0..3).for_each(|_| assert!(alone.step(1e-3).is_ok()));
                alone.set_joint_state(&q[index * nq..][..nq], &v[index * nv..][..nv]).unwrap();
                (0..5).for_each(|_| assert!(alone.step(1e-3).is_ok()));
                assert_eq!(batch.state(index).unwrap().hash(&model), alone.state_hash(), "{index} of {n}");
            }
        }
    }
}

#[test]
fn a_tree_on_joint_coordinates_has_exactly_the_numbers_that_it_was_given() {
    let rng = &mut Rng::new(32);
    let mut found = 0;
    for _ in 0..12 {
        let model = Arc::new(tree_of_pairs(rng, 4, false));
        let is_plain =
            model.joint_order().entries().iter().all(|entry| entry.positions.len() == entry.rates.len());
        // Numbers are stored less the zero of their joint.
        if !is_plain || model.joints().iter().any(|joint| joint.zero(0) != 0.0) {
            continue;
        }
        found += 1;
        let mut sim = Simulation::with_settings(model.clone(), settings(Coordinates::Joints)).unwrap();
        let (q, v) = states(rng, &model, 1);
        sim.set_joint_state(&q, &v).unwrap();
        assert_eq!((sim.joint_positions(), sim.joint_rates()), (q, v));
    }
    let chain = super::batches::arm_with_servos().0;
    let mut sim = Simulation::with_settings(chain, settings(Coordinates::Joints)).unwrap();
    sim.set_joint_state(&[0.1, -0.7, 9.0], &[1.0, 0.0, -2.0]).unwrap();
    assert_eq!(sim.joint_positions(), [0.1, -0.7, 9.0]);
    assert_eq!(sim.joint_rates(), [1.0, 0.0, -2.0], "{found}");
}

#[test]
fn saved_states_bring_a_batch_back_and_bad_ones_change_nothing() {
    let (model, settings) = super::batches::arm_with_servos();
    let rng = &mut Rng::new(33);
    let n = 70;
    let mut batch = Batch::new(model.clone(), settings, &vec![model.initial_state().clone(); n]).unwrap();
    let (q, v) = states(rng, &model, n);
    batch.set_joint_states(&q, &v).unwrap();
    batch.steps(4, 1e-3).unwrap();
    let saved: Vec<_> = (0..n).map(|i| batch.state(i).unwrap()).collect();
    let hashes = |batch: &Batch| (0..n).map(|i| batch.state(i).unwrap().hash(&model)).collect::<Vec<_>>();
    batch.steps(6, 1e-3).unwrap();
    let later = hashes(&batch);
    batch.set_states(saved.iter().enumerate()).unwrap();
    batch.steps(6, 1e-3).unwrap();
    assert_eq!(hashes(&batch), later);

    let mut bad = q.clone();
    bad[3 * 41 + 1] = f64::NAN;
    let error = batch.set_joint_states(&bad, &v).unwrap_err();
    let name = &model.joints()[1].name;
    assert!(
        matches!(&error, BatchError::Command { index: 41, error: CommandError::NotFinite { part, .. } } if part == name),
        "{error}"
    );
    assert!(batch.set_joint_states(&q[1..], &v).is_err());
    let other = tree_of_pairs(rng, 2, false);
    let error = batch.set_states([(0, &saved[0]), (5, other.initial_state())].into_iter()).unwrap_err();
    assert!(matches!(error, BatchError::Mechanism { index: 5, .. }), "{error}");
    assert!(batch.set_states([(n, &saved[0])].into_iter()).is_err());
    assert_eq!(hashes(&batch), later);
}

#[test]
fn a_rollout_writes_what_steps_one_by_one_read() {
    let (model, settings) = super::batches::arm_with_servos();
    let (rng, steps) = (&mut Rng::new(34), 15);
    for n in [5, 70] {
        let mut batch = Batch::new(model.clone(), settings, &vec![model.initial_state().clone(); n]).unwrap();
        let targets: Vec<f64> = (0..n * steps * 3).map(|_| rng.range(-0.5, 0.5)).collect();
        let commands = CommandSequence { targets: Some(&targets), ..CommandSequence::default() };
        let (mut q, mut v) = (vec![0.0; n * steps * 3], vec![0.0; n * steps * 3]);
        batch.rollout(steps, 1e-3, commands, &mut q, &mut v).unwrap();
        for index in [0, n - 1] {
            let mut alone = Simulation::with_settings(model.clone(), settings).unwrap();
            for step in 0..steps {
                let at = 3 * (index * steps + step);
                alone.set_targets(&targets[at..at + 3], None).unwrap();
                alone.step(1e-3).unwrap();
                assert_eq!(alone.joint_positions(), q[at..at + 3]);
                assert_eq!(alone.joint_rates(), v[at..at + 3]);
            }
        }
        let before = batch.joint_positions().unwrap();
        let error = batch.rollout(steps, 1e-3, commands, &mut q[1..], &mut v).unwrap_err();
        assert!(error.to_string().contains("positions of all steps"), "{error}");
        assert_eq!(batch.joint_positions().unwrap(), before);
    }
}

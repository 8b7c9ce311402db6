//! Commands in a batch: arrays of [mechanism × joint] do what each simulation alone would do.

use super::tree_of_pairs;
use cardan::joint::effort::{EffortKind, Servo};
use cardan::joint_space::CommandError;
use cardan::law::Law;
use cardan::math::vec3;
use cardan::{
    Accounts, Batch, BatchError, Body, CommandSequence, Coordinates, End, Gravity, Integrator, Joint, Model,
    ModelBuilder, Settings, Simulation,
};
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

/// A chain of three links with servos, one of them with a limit, on joint coordinates.
pub(super) fn arm_with_servos() -> (Arc<Model>, Settings) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = End::Ground;
    for k in 0..3 {
        let x = 0.4 * f64::from(k);
        let link = parts.add_body(Body { pos: vec3(x + 0.2, 0.0, 0.0), ..Body::rod(2.0, 0.4, 0.02) });
        let limit = if k == 1 { 15.0 } else { f64::INFINITY };
        let servo = Servo { stiffness: 80.0, damping: 4.0, law: Law::Constant(0.1), limit };
        let axis = if k == 1 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        let joint = Joint::revolute(last, link, [x, 0.0, 0.0], axis);
        parts.add_joint(joint.with_effort(0, EffortKind::Servo(servo)));
        last = link.into();
    }
    let settings = Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates: Coordinates::Joints,
        accounts: Accounts::Off,
        ..Settings::default()
    };
    (Arc::new(parts.build().unwrap()), settings)
}

#[test]
fn a_sequence_of_commands_has_the_bits_of_commands_step_by_step() {
    let (model, settings) = arm_with_servos();
    assert!(Batch::takes(&model, &settings));
    let (steps, h, rng) = (40, 1e-3, &mut Rng::new(21));
    // Lanes of their own, and lanes that groups share.
    for (count, threads) in [(6, 1), (70, 2)] {
        let states = vec![model.initial_state().clone(); count];
        let mut all = Batch::new(model.clone(), settings, &states).unwrap();
        assert_eq!(all.set_threads(threads).is_ok(), threads == 1 || cfg!(feature = "parallel"));
        let mut numbers = || -> Vec<f64> { (0..count * steps * 3).map(|_| rng.range(-0.5, 0.5)).collect() };
        let (efforts, targets, rates) = (numbers(), numbers(), numbers());
        let sequence =
            CommandSequence { efforts: Some(&efforts), targets: Some(&targets), target_rates: Some(&rates) };
        all.steps_with(steps, h, sequence).unwrap();
        assert_eq!(all.in_lanes(), count);
        let mut single_steps = Batch::new(model.clone(), settings, &states).unwrap();
        for step in 0..steps {
            let of_step = |all: &[f64]| -> Vec<f64> {
                all.chunks(3 * steps).flat_map(|own| own[3 * step..3 * step + 3].to_vec()).collect()
            };
            single_steps.set_efforts(&of_step(&efforts)).unwrap();
            single_steps.set_targets(&of_step(&targets), Some(&of_step(&rates))).unwrap();
            single_steps.step(h).unwrap();
        }
        for index in [0, 1, count / 2, count - 1] {
            let mut alone = Simulation::with_settings(model.clone(), settings).unwrap();
            for step in 0..steps {
                let of_step = |all: &[f64]| all[3 * (index * steps + step)..][..3].to_vec();
                alone.set_efforts(&of_step(&efforts)).unwrap();
                alone.set_targets(&of_step(&targets), Some(&of_step(&rates))).unwrap();
                alone.step(h).unwrap();
            }
            assert_eq!(all.state(index).unwrap().hash(&model), alone.state_hash(), "{index} of {count}");
            assert_eq!(single_steps.state(index).unwrap().hash(&model), alone.state_hash());
        }
        // The last commands hold.
        let before = all.joint_rates().unwrap();
        all.step(h).unwrap();
        assert_ne!(all.joint_rates().unwrap(), before);
    }
}

#[test]
fn a_target_moves_a_joint_to_where_its_servo_balances_the_weight() {
    // k (s − x) = m g l cos x: a closed form for one link, here with the first joint alone free.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let link = parts.add_body(Body { pos: vec3(0.2, 0.0, 0.0), ..Body::rod(2.0, 0.4, 0.02) });
    let servo = Servo { stiffness: 80.0, damping: 5.0, law: Law::Constant(0.0), limit: f64::INFINITY };
    let joint = Joint::revolute(End::Ground, link, [0.0; 3], [0.0, -1.0, 0.0]);
    parts.add_joint(joint.with_effort(0, EffortKind::Servo(servo)));
    let (model, settings) = (Arc::new(parts.build().unwrap()), arm_with_servos().1);
    let mut all = Batch::new(model.clone(), settings, &vec![model.initial_state().clone(); 5]).unwrap();
    let wanted = [0.0, 0.1, 0.2, 0.3, 0.4];
    let steps = 3000;
    let targets: Vec<f64> = wanted.iter().flat_map(|x| vec![*x; steps]).collect();
    let sequence = CommandSequence { targets: Some(&targets), ..CommandSequence::default() };
    all.steps_with(steps, 1e-3, sequence).unwrap();
    for (x, target) in all.joint_positions().unwrap().into_iter().zip(wanted) {
        let left = 80.0 * (target - x) - 2.0 * 9.81 * 0.2 * x.cos();
        // Rounding of k x; the transient has decayed.
        assert!(left.abs() < 1e-10, "{target}: {left:e}");
    }
}

#[test]
fn sequences_of_wrong_lengths_or_with_nan_change_nothing() {
    let (model, settings) = arm_with_servos();
    let states = vec![model.initial_state().clone(); 5];
    let mut all = Batch::new(model.clone(), settings, &states).unwrap();
    let hashes = |all: &Batch| (0..5).map(|i| all.state(i).unwrap().hash(&model)).collect::<Vec<_>>();
    let (before, steps) = (hashes(&all), 4);
    let good = vec![0.1; 5 * steps * 3];
    let short = CommandSequence { targets: Some(&good[1..]), ..CommandSequence::default() };
    let error = all.steps_with(steps, 1e-3, short).unwrap_err();
    assert!(matches!(error, BatchError::Command { error: CommandError::Length { .. }, .. }), "{error}");
    let lone = CommandSequence { target_rates: Some(&good), ..CommandSequence::default() };
    let error = all.steps_with(steps, 1e-3, lone).unwrap_err();
    assert!(matches!(error, BatchError::RatesWithoutTargets { count: 60 }), "{error}");
    assert!(error.to_string().contains("`targets`"), "{error}");
    let mut bad = good.clone();
    bad[3 * (2 * steps + 1) + 2] = f64::NAN;
    for is_effort in [false, true] {
        let sequence = CommandSequence {
            efforts: Some(if is_effort { &bad } else { &good }),
            targets: Some(if is_effort { &good } else { &bad }),
            ..CommandSequence::default()
        };
        let error = all.steps_with(steps, 1e-3, sequence).unwrap_err();
        let name = &model.joints()[2].name;
        assert!(
            matches!(&error, BatchError::CommandOfStep { index: 2, step: 1, error: CommandError::NotFinite { part, .. } } if part == name),
            "{error}"
        );
    }
    let good_sequence = CommandSequence { targets: Some(&good), ..CommandSequence::default() };
    assert!(matches!(all.steps_with(steps, f64::NAN, good_sequence), Err(BatchError::BadStep { .. })));
    assert_eq!(hashes(&all), before);
    let error = all.set_targets(&good[..14], None).unwrap_err();
    assert!(matches!(error, BatchError::Command { error: CommandError::Length { .. }, .. }), "{error}");
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    assert!(matches!(sim.set_targets(&[0.0; 2], None), Err(CommandError::Length { .. })));
    let error = sim.set_targets(&[0.0; 3], Some(&[0.0, f64::INFINITY, 0.0])).unwrap_err();
    assert!(matches!(error, CommandError::NotFinite { .. }), "{error}");
    assert!(sim.state().hash(&model) == before[0]);
}

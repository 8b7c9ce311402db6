//! Every layout of lanes runs with arrays too, whatever the machine has, with the bits of registers; and a
//! planted fault is noticed in every one.

use super::machine_has_avx2;
use super::subtree_lanes::FourBarRow;
use crate::laws::armature::arm;
use cardan::math::vec3;
use cardan::{
    Batch, Body, Coordinates, End, Fault, Gravity, Integrator, Joint, Model, ModelBuilder, Settings,
    Simulation, SolidShape, StepReport,
};
use cardan_solve::simd::use_array_lanes;
use cardan_testkit::{Rng, largest_difference};
use std::sync::Arc;

/// A layout of lanes: what runs in it, with which coordinates.
struct LayoutCase {
    name: &'static str,
    model: Arc<Model>,
    coordinates: Coordinates,
    /// Mechanisms in lanes, or bodies of one.
    is_batch: bool,
    /// Whether bodies turn so that the gyroscopic moment is not zero.
    has_gyroscopic: bool,
}

/// A trunk on the ground with branches of three hinges, all of one tree.
fn tree(branches: usize) -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::new(0.3, 0.1, -9.81));
    let trunk = parts.add_body(Body::solid(SolidShape::Box { size: [0.3, 0.2, 0.5] }, 4.0));
    parts.add_joint(Joint::revolute(End::Ground, trunk, [0.0; 3], [0.0, 0.3, 1.0]));
    for branch in 0..branches {
        let (mut last, y) = (End::from(trunk), branch as f64);
        for k in 0..3 {
            let x = 0.3 * f64::from(k);
            let link = parts.add_body(Body { pos: vec3(x + 0.15, y, 0.1), ..Body::rod(1.0, 0.3, 0.05) });
            let axis = if k % 2 == 0 { [0.0, 1.0, 0.2] } else { [0.0, 0.6, 0.8] };
            parts.add_joint(Joint::revolute(last, link, [x, y, 0.0], axis));
            last = link.into();
        }
    }
    Arc::new(parts.build().expect("a tree"))
}

fn cases() -> Vec<LayoutCase> {
    let case = |name, model, coordinates, is_batch| LayoutCase {
        name,
        model,
        coordinates,
        is_batch,
        has_gyroscopic: true,
    };
    let bars = FourBarRow { legs: 12, links: 2, spread: 1.0, apart: 4, ..FourBarRow::default() };
    vec![
        case("mechanisms, poses", tree(2), Coordinates::Bodies, true),
        case("mechanisms, joint coordinates", arm(1, 3), Coordinates::Joints, true),
        case("levels of one tree, poses", tree(8), Coordinates::Bodies, false),
        case("levels of one tree, joint coordinates", arm(6, 3), Coordinates::Joints, false),
        LayoutCase {
            has_gyroscopic: false,
            ..case("alike subtrees and their loops", bars.build(&mut Rng::new(7)), Coordinates::Bodies, false)
        },
    ]
}

fn settings(case: &LayoutCase, fault: Fault) -> Settings {
    Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates: case.coordinates,
        fault,
        ..Settings::default()
    }
}

/// What a run showed: bits of its states, the number of steps or mechanisms in lanes, the worst residual.
struct Run {
    bits: Vec<u64>,
    in_lanes: Option<u64>,
    residual: f64,
}

/// Runs a layout for some steps with arrays or with what the machine has.
fn run(case: &LayoutCase, fault: Fault, arrays: bool) -> Run {
    use_array_lanes(arrays);
    let (model, settings) = (&case.model, settings(case, fault));
    let mut moving = Simulation::with_settings(model.clone(), settings).expect("it can be set up");
    moving.assemble().expect("it can be closed");
    // Rates, so that every term of the equations is there.
    let rates: Vec<f64> = (0..model.joint_order().rate_count()).map(|k| 0.4 + 0.1 * (k % 5) as f64).collect();
    moving.set_joint_rates(&rates).expect("rates of a tree, or closed ones");
    let found = if case.is_batch {
        let states = vec![moving.state().clone(); 5];
        let mut batch = Batch::new(model.clone(), settings, &states).expect("a batch");
        let mut bits = Vec::new();
        for _ in 0..20 {
            batch.step(1e-3).expect("a step");
            bits.extend((0..5).map(|i| batch.state(i).expect("a state").hash(model)));
        }
        let residual = batch.certificate(2).expect("a certificate").max_equation_residual;
        Run { bits, in_lanes: Some(batch.in_lanes() as u64).filter(|count| *count > 0), residual }
    } else {
        let mut bits = Vec::new();
        for _ in 0..20 {
            let StepReport { position_error, velocity_error, .. } = moving.step(1e-3).expect("a step");
            bits.extend([moving.state_hash(), position_error.to_bits(), velocity_error.to_bits()]);
        }
        let residual = moving.certificate().max_equation_residual;
        Run { bits, in_lanes: moving.diagnostics().simd_step_count(), residual }
    };
    use_array_lanes(false);
    found
}

#[test]
fn lanes_of_arrays_take_every_layout_with_the_bits_of_registers() {
    for case in cases() {
        let (arrays, machine) = (run(&case, Fault::None, true), run(&case, Fault::None, false));
        assert!(arrays.in_lanes > Some(4), "{}: {:?} in lanes of arrays", case.name, arrays.in_lanes);
        // What has lanes is asked of the machine. Mechanisms are in lanes everywhere.
        assert_eq!(machine.in_lanes.is_some(), case.is_batch || machine_has_avx2(), "{}", case.name);
        let differ = arrays.bits.iter().zip(&machine.bits).position(|(a, b)| a != b);
        assert_eq!(differ, None, "{}", case.name);
        assert!(arrays.residual < 1e-12, "{}: {:e}", case.name, arrays.residual);
    }
}

#[test]
fn accelerations_in_lanes_of_arrays_have_the_bits_of_registers() {
    let model = tree(8);
    let found = [true, false].map(|arrays| {
        use_array_lanes(arrays);
        let mut sim = Simulation::new(model.clone());
        sim.assemble().expect("it can be closed");
        let values = sim.accelerations().expect("it can be solved").values().to_vec();
        use_array_lanes(false);
        (values, sim.diagnostics().accelerations_use_simd())
    });
    assert_eq!(found[0].0, found[1].0);
    assert_eq!([found[0].1, found[1].1], [true, machine_has_avx2()]);
}

/// A kernel does not know planted faults: it declines, and what takes its place shows them.
#[test]
fn planted_faults_reach_every_kernel() {
    for case in cases() {
        for fault in [Fault::FlippedBias, Fault::NoGyroscopic, Fault::LopsidedRow] {
            if fault == Fault::NoGyroscopic && !case.has_gyroscopic {
                continue;
            }
            let found = run(&case, fault, true);
            assert!(found.residual > 1e-9, "{}, {fault:?}: {:e}", case.name, found.residual);
            assert_eq!(found.in_lanes, None, "{}, {fault:?}", case.name);
        }
    }
    // The acceleration kernel.
    let settings = Settings { fault: Fault::FlippedBias, ..Settings::default() };
    let mut sim = Simulation::with_settings(tree(8), settings).expect("a tree");
    sim.set_joint_rates(&[1.0; 25]).expect("rates of a tree");
    use_array_lanes(true);
    let faulty = sim.accelerations().expect("it can be solved").values().to_vec();
    use_array_lanes(false);
    assert!(!sim.diagnostics().accelerations_use_simd());
    let mut sound = Simulation::new(sim.model().clone());
    sound.restore(sim.state()).expect("a state of the same model");
    let expected = sound.accelerations().expect("it can be solved").values().to_vec();
    let apart = largest_difference(&faulty, &expected);
    assert!(apart > 1e-6, "{apart:e}");
}

//! What is read after `Simulation::evaluate`, which takes the kernel of accelerations and computes rows,
//! multipliers, forces and the residual when they are read, is what the general path by rows gives.

use super::acceleration_efforts::{WIDE, forest};
use crate::common;
use cardan::joint::{EffortKind, Servo};
use cardan::law::Law;
use cardan::math::vec3;
use cardan::{
    Body, Coordinates, End::Ground, Gravity, Instant, Integrator, Joint, JointLimit, ModelBuilder, Settings,
    Simulation, SolverChoice,
};
use cardan_testkit::{Rng, largest};
use nalgebra::DVector;

/// Elimination of at most forty bodies with random masses beside a block-sparse factorisation.
const SOLVED: f64 = 1e-12;
/// Formulas of the same numbers in another order.
const FORMED: f64 = 1e-14;

fn assert_near(ours: &[f64], theirs: &[f64], tolerance: f64, what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    let size = largest(theirs);
    for (i, (x, y)) in ours.iter().zip(theirs).enumerate() {
        assert!((x - y).abs() <= tolerance * size, "{what} {i}: {x} {y}, largest {size}");
    }
}

/// M v̇ − F − Jᵀ λ and J v̇ + c, the largest of each beside the largest force and acceleration.
fn imbalance(now: &Instant<'_>) -> [f64; 2] {
    let (mass, jac) = common::dense(now.system());
    let vector = |numbers: &[f64]| DVector::from_column_slice(numbers);
    let (acc, lambda) = (vector(now.accelerations()), vector(now.multipliers()));
    let (force, bias) = (vector(now.system().force()), vector(now.system().bias()));
    let (inertial, loads) = (&mass * &acc, jac.transpose() * lambda);
    let sizes = [inertial.amax() + force.amax() + loads.amax(), acc.amax() + bias.amax()];
    [(inertial - force - loads).amax() / sizes[0], (jac * acc + bias).amax() / sizes[1]]
}

/// Reads everything of an instant and compares it with the general path at the same state.
fn assert_alike(sim: &mut Simulation, general: &mut Simulation, what: &str) {
    general.restore(sim.state()).expect("a state of the same model");
    let model = sim.model().clone();
    let (ours, theirs) = (sim.evaluate().expect("a solve"), general.evaluate().expect("a solve"));
    assert_near(ours.accelerations(), theirs.accelerations(), SOLVED, &format!("{what}: acceleration"));
    assert_near(ours.multipliers(), theirs.multipliers(), SOLVED, &format!("{what}: multiplier"));
    assert_eq!(ours.rank(), theirs.rank());
    for (ours, theirs) in [
        (ours.position_errors(), theirs.position_errors()),
        (ours.velocity_errors(), theirs.velocity_errors()),
    ] {
        // Both are rounding of numbers of order one.
        ours.iter().zip(theirs).for_each(|(x, y)| assert!((x - y).abs() < 1e-13, "{what}: {x} {y}"));
    }
    let (system, other) = (ours.system(), theirs.system());
    assert_near(system.force(), other.force(), FORMED, &format!("{what}: force"));
    assert_near(system.bias(), other.bias(), FORMED, &format!("{what}: bias"));
    for id in model.joint_ids() {
        let (one, two) = (ours.joint(id), theirs.joint(id));
        assert_near(&one.coordinates, &two.coordinates, FORMED, &format!("{what}: coordinate of {id:?}"));
        let parts = |reaction: cardan::body::Wrench| {
            let (f, t) = (reaction.force, reaction.torque);
            [f.x, f.y, f.z, t.x, t.y, t.z]
        };
        let size = largest(theirs.multipliers());
        let (x, y) = (parts(one.reaction.total()), parts(two.reaction.total()));
        x.iter().zip(y).for_each(|(x, y)| assert!((x - y).abs() <= 2.0 * SOLVED * size, "{what}: {x} {y}"));
        assert_near(&one.drives, &two.drives, FORMED, &format!("{what}: drive of {id:?}"));
    }
    let [forces, rows] = imbalance(&ours);
    // Rounding of sums over at most thirty terms of a row.
    assert!(forces < 1e-13 && rows < 1e-13, "{what}: {forces:e} {rows:e}");
    assert!(ours.equation_residual() < 1e-13, "{what}: {:e}", ours.equation_residual());
}

#[test]
fn what_is_read_after_an_evaluation_by_a_kernel_is_what_the_general_path_gives() {
    for seed in 0..18 {
        let (bodies, reach) = match seed % 3 {
            0 => (6 + seed as usize % 7, 1),
            1 => (16 + seed as usize, 7),
            _ => (31 + seed as usize % 4, WIDE),
        };
        let model = forest(seed, bodies, reach);
        for coordinates in [Coordinates::Bodies, Coordinates::Joints] {
            let settings =
                Settings { coordinates, integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("a simulation");
            let sparse = Settings { solver: SolverChoice::Sparse, ..Settings::default() };
            let mut general = Simulation::with_settings(model.clone(), sparse).expect("a simulation");
            sim.assemble().expect("it closes");
            sim.run(0.004, 1e-3).expect("it runs");
            assert_alike(&mut sim, &mut general, &format!("seed {seed}, {coordinates:?}"));
            let mut rng = Rng::new(seed);
            for id in model.joint_ids() {
                if model.joints()[id.index()].kind.coordinates() == 1 {
                    sim.set_effort(id, 0, rng.range(-2.0, 2.0)).expect("a coordinate");
                    let _ = sim.set_target(id, 0, rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                }
            }
            assert_alike(&mut sim, &mut general, &format!("seed {seed}, {coordinates:?}, commands"));
        }
    }
}

/// A large tree may need refinement, so its residual is measured at once; what is read is the same.
#[test]
fn an_evaluation_of_a_large_tree_is_certified_too() {
    let model = forest(5, 90, WIDE);
    let mut sim = Simulation::new(model.clone());
    sim.run(0.003, 1e-3).expect("it runs");
    let sparse = Settings { solver: SolverChoice::Sparse, ..Settings::default() };
    let mut general = Simulation::with_settings(model, sparse).expect("a simulation");
    assert_alike(&mut sim, &mut general, "90 bodies");
}

#[test]
fn a_limit_that_has_opened_is_not_read_as_active() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.05) });
    let servo = Servo { stiffness: 1.0, damping: 0.1, law: Law::Constant(0.0), limit: f64::INFINITY };
    let mut joint = Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0]);
    joint = joint.with_effort(0, EffortKind::Servo(servo));
    joint.limits.push(JointLimit { coordinate: 0, low: -1.0, high: 0.0, restitution: 0.0 });
    let hinge = parts.add_joint(joint);
    let model = parts.build().expect("a rod");
    let limits: Vec<_> = model.inequality_ids().collect();
    let mut sim = Simulation::new(model);
    // The rod hangs on its upper limit: gravity turns it towards larger angles about y.
    let held = sim.evaluate().expect("a solve");
    let push: f64 = limits.iter().map(|id| held.inequality_multiplier(*id)).sum();
    // m g l/2 by hand, in one product.
    assert!((push - 0.5 * 9.81).abs() < 1e-12, "{push}");
    sim.set_effort(hinge, 0, -20.0).expect("a coordinate");
    sim.run(0.05, 1e-3).expect("it runs");
    let open = sim.evaluate().expect("a solve");
    for id in &limits {
        let report = open.inequality(*id);
        assert!(report.multiplier == 0.0 && !report.in_active_set && report.gap > 1e-3, "{report:?}");
    }
    assert!(open.equation_residual() < 1e-13);
}

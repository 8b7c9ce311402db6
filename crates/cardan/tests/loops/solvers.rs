//! Mechanisms with loops by every applicable solver: equal motion, rank and unique reactions.
#![allow(clippy::disallowed_methods, reason = "the largest of some errors needs no reproducible bits")]

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, Elimination, Gravity, Joint, JointId, JointKind, Model, ModelBuilder, Settings, Simulation,
    SolverChoice, StepError,
};
use std::sync::Arc;

const SOLVERS: [SolverChoice; 4] =
    [SolverChoice::Auto, SolverChoice::Sparse, SolverChoice::ConjugateGradient, SolverChoice::Dense];

/// A four-bar with hinges in space, its plane turned by `turn`; masses of its bars.
fn four_bar(turn: Quat, masses: [f64; 3], skew: f64) -> Model {
    let out = |x: f64, y: f64| turn * vec3(x, y, 0.0);
    let pins = [out(0.0, 0.0), out(0.1, 0.35), out(0.9, 0.6), out(0.8, 0.0)];
    let axis = turn * vec3(0.0, 0.0, 1.0);
    let mut parts = ModelBuilder::new(Gravity::new(1.0, -9.0, -2.0));
    let bars: Vec<_> = (0..3)
        .map(|k| {
            let along = pins[k + 1] - pins[k];
            let length = along.norm();
            parts.add_body(Body {
                pos: (pins[k] + pins[k + 1]) * 0.5,
                ..Body::rod(masses[k], length, 0.1 * length)
            })
        })
        .collect();
    let ends = [Ground, bars[0].into(), bars[1].into(), bars[2].into(), Ground];
    for k in 0..4 {
        let axis = if k == 3 { axis + turn * vec3(skew, 0.0, 0.0) } else { axis };
        parts.add_joint(Joint::at(
            JointKind::Revolute,
            ends[k],
            ends[k + 1],
            pins[k].to_array(),
            axis.to_array(),
        ));
    }
    parts.build().unwrap()
}

fn turns() -> impl Iterator<Item = Quat> {
    (0..6).map(|k| Quat::exp(vec3(0.3, 0.7, -0.5) * f64::from(k)))
}

fn simulation(model: &Arc<Model>, solver: SolverChoice) -> Simulation {
    Simulation::with_settings(model.clone(), Settings { solver, ..Settings::default() }).unwrap()
}

#[test]
fn a_four_bar_in_any_plane_moves_alike_by_every_solver() {
    for (k, turn) in turns().enumerate() {
        let model = Arc::new(four_bar(turn, [1.0, 2.0, 0.5], 0.0));
        let mut ends: Vec<Vec<Vec3>> = Vec::new();
        for solver in SOLVERS {
            let mut sim = simulation(&model, solver);
            let now = sim.evaluate().unwrap();
            assert_eq!(now.rank(), 17, "turn {k}: {solver:?}");
            // Elimination leaves 1e-13 and less; conjugate gradients end at 1e-12.
            assert!(now.equation_residual() < 1e-12, "turn {k}: {solver:?}: {:e}", now.equation_residual());
            sim.run(0.5, 1e-3).unwrap();
            // There are fewer projection iterations than solves; conjugate gradients take about ten
            // iterations per solve.
            let counts = sim.diagnostics().work_counts();
            let iterated = solver == SolverChoice::ConjugateGradient;
            assert_eq!(counts.iterations > 5 * counts.solves, iterated, "turn {k}: {solver:?}: {counts:?}");
            assert!(sim.certificate().max_position_error < 1e-13, "turn {k}: {solver:?}");
            // Truncation of RK4 at 1 ms, equal for all: 2e-9 in the plane where it falls fastest.
            assert!(sim.balance().energy_error < 1e-8, "turn {k}: {solver:?}: {:?}", sim.balance());
            let now = sim.kinematics();
            ends.push((0..3).map(|i| now.body(BodyId::of_index(i)).position).collect());
        }
        for other in &ends[1..] {
            for (a, b) in ends[0].iter().zip(other) {
                // Five hundred steps of rounding, projected each.
                assert!((*a - *b).largest() < 1e-11, "turn {k}: {a:?} against {b:?}");
            }
        }
    }
}

#[test]
fn all_solvers_report_the_same_reactions_and_the_same_uniqueness() {
    for (k, turn) in turns().enumerate() {
        for masses in [[1.0, 1.0, 1.0], [1e-3, 1.0, 1e3]] {
            let model = Arc::new(four_bar(turn, masses, 0.0));
            let mut dense = simulation(&model, SolverChoice::Dense);
            let b = dense.evaluate().unwrap();
            let null_b = b.self_stresses(usize::MAX).unwrap();
            assert_eq!(null_b.len(), 3);
            let size = b.multipliers().iter().fold(0.0_f64, |w, l| w.max(l.abs()));
            for solver in SOLVERS {
                // Masses over six decades are a condition number of more than 1e8.
                if solver == SolverChoice::ConjugateGradient && masses[0] < 1.0 {
                    continue;
                }
                let mut sim = simulation(&model, solver);
                let a = sim.evaluate().unwrap();
                for (x, y) in a.multipliers().iter().zip(b.multipliers()) {
                    // Where loads are not unique, all solvers report the smallest ones.
                    assert!((x - y).abs() < 1e-8 * size, "turn {k}: {solver:?}: {x} against {y}");
                }
                let null_a = a.self_stresses(usize::MAX).unwrap();
                assert_eq!(null_a.len(), 3, "turn {k}: {solver:?}");
                for joint in 0..4 {
                    assert_eq!(
                        a.unique_joint_components(JointId::of_index(joint), &null_a),
                        b.unique_joint_components(JointId::of_index(joint), &null_b),
                        "turn {k}: {solver:?}, joint {joint}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_misaligned_four_bar_is_locked_or_refused_by_name() {
    // An axis off by a thousandth leaves no freedom: no redundancy, no motion.
    let model = Arc::new(four_bar(Quat::IDENTITY, [1.0; 3], 1e-3));
    for solver in [SolverChoice::Sparse, SolverChoice::Dense] {
        let mut sim = simulation(&model, solver);
        let now = sim.evaluate().unwrap();
        assert_eq!(now.rank(), 18, "{solver:?}");
        // The rows are closed to rounding over the misalignment, 1e-3, squared.
        match sim.run(0.01, 1e-3) {
            Ok(_) => assert!(sim.certificate().max_position_error < 1e-9),
            Err(error) => {
                assert!(
                    matches!(error, StepError::CannotClose { .. } | StepError::Conflict { .. }),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn the_reason_for_a_solver_is_a_sentence() {
    let model = Arc::new(four_bar(Quat::IDENTITY, [1.0; 3], 0.0));
    for (solver, word) in [
        (SolverChoice::Auto, "1 loop-closure joint"),
        (SolverChoice::Sparse, "1 loop"),
        (SolverChoice::Dense, "cubic"),
        (SolverChoice::ConjugateGradient, "iterations"),
    ] {
        let reason = simulation(&model, solver).diagnostics().solver_reason();
        assert!(reason.contains(word), "{solver:?}: {reason}");
    }
}

/// Two rods of different lengths between the same points; every solver names both.
#[test]
fn a_conflicting_pair_of_rods_is_named_by_every_solver() {
    let choices = SOLVERS.into_iter().chain([SolverChoice::Tree]);
    let ways = choices.flat_map(|s| [Elimination::Freedoms, Elimination::Rows].map(|e| (s, e)));
    for (solver, elimination) in ways {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let bob = parts.add_body(Body { pos: vec3(1.0, 0.0, 0.0), ..Body::particle(1.0) });
        // A second, unrelated mechanism.
        let rod = parts.add_body(Body { pos: vec3(3.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.1) });
        parts.add_joint(Joint::revolute(Ground, rod, [3.0, 0.0, 0.0], [0.0, 1.0, 0.0]).named("hinge"));
        for (name, length) in [("short", 1.0), ("long", 1.1)] {
            parts.add_joint(Joint::distance(Ground, [0.0; 3], bob, [0.0; 3], length).named(name));
        }
        let model = Arc::new(parts.build().unwrap());
        let settings = Settings { solver, elimination, ..Settings::default() };
        let mut sim = Simulation::with_settings(model, settings).unwrap();
        match sim.assemble() {
            Err(StepError::Conflict { joint, mut with, by, .. }) => {
                with.push(joint);
                with.sort();
                assert_eq!(with, ["long", "short"], "{solver:?}, {elimination:?}");
                // The conflict is the difference of the lengths, 0.1 m, to the convergence of the
                // nearest pose.
                assert!((by - 0.1).abs() < 1e-9, "{solver:?}, {elimination:?}: {by}");
            }
            other => panic!("{solver:?}, {elimination:?}: {other:?}"),
        }
    }
}

//! Rows of drives against finite differences, and all solvers against each other.

use cardan::Placement;
use cardan::joint::MAX_COORDINATES;
use cardan::law::Sine;
use cardan::math::vec3;
use cardan::{
    Drive, DriveMode, Elimination, Joint, JointKind, Law, Locks, Model, Settings, Simulation, SolverChoice,
    Stabilization, State,
};
use cardan_testkit::{MotionSpace, Rng, closed_loops, closed_tree, slopes};
use std::sync::Arc;

/// Drives on some of the coordinates of a joint, at any mode.
fn drive(rng: &mut Rng, joint: &mut Joint, in_plane: bool, chance: f64) -> usize {
    let before = joint.drives.len();
    for k in 0..MAX_COORDINATES {
        if joint.kind.can_be_driven(k, in_plane) && rng.range(0.0, 1.0) < chance {
            let mode = [DriveMode::Position, DriveMode::Speed, DriveMode::Acceleration][rng.below(3)];
            let law = if rng.below(2) == 0 {
                Law::from(Sine {
                    amplitude: rng.range(-1.0, 1.0),
                    frequency: rng.range(0.1, 1.0),
                    phase: rng.range(-3.0, 3.0),
                    offset: rng.range(-0.5, 0.5),
                })
            } else {
                Law::expression(&format!(
                    "{} + {}*t - t^2/3 + exp(-t)",
                    rng.range(-1.0, 1.0),
                    rng.range(-1.0, 1.0)
                ))
                .unwrap()
            };
            joint.drives.push(Drive { coordinate: k, mode, law });
        }
    }
    joint.drives.len() - before
}

fn solved(
    model: &Arc<Model>,
    state: &State,
    solver: SolverChoice,
    elimination: Elimination,
) -> (Vec<f64>, Vec<f64>, f64) {
    let settings =
        Settings { solver, elimination, stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    sim.restore(state).unwrap();
    let now = sim.evaluate().unwrap();
    (now.accelerations().to_vec(), now.multipliers().to_vec(), now.equation_residual())
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(1.0, |w: f64, x| w.max(x.abs()))
}

#[test]
fn driven_rows_match_finite_differences_in_pose_and_time() {
    let mut driven = 0;
    let locks = Locks::all().map(|locks| JointKind::Lock { locks });
    let kinds = JointKind::ALL.into_iter().chain(locks);
    for kind in kinds.filter(|kind| kind.can_be_driven(0, false)) {
        for seed in 0..if matches!(kind, JointKind::Lock { .. }) { 4 } else { 20 } {
            let mut rng = Rng::new(seed);
            let mut parts = closed_tree(&mut rng, 2, MotionSpace::Rigid, false);
            let mut joint = parts.joints.pop().unwrap();
            joint.kind = kind;
            if let Placement::Frames { in_b, .. } = &mut joint.placement {
                in_b.pos += vec3(0.4, 0.3, 0.2);
            }
            driven += drive(&mut rng, &mut joint, false, 1.0);
            parts.joints.push(joint);
            let model = Arc::new(parts.build().unwrap());
            // Open joints.
            let mut start = model.initial_state().clone();
            let shift: Vec<f64> = (0..model.counts().coordinates).map(|_| rng.range(-0.3, 0.3)).collect();
            start.displace(&model, &shift);
            let errors = |state: &State| {
                let settings = Settings {
                    solver: SolverChoice::Dense,
                    stabilization: Stabilization::None,
                    ..Settings::default()
                };
                let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
                sim.restore(state).unwrap();
                let now = sim.evaluate().unwrap();
                (now.position_errors().to_vec(), now.velocity_errors().to_vec(), now.system().clone())
            };
            let (_, rate, system) = errors(&start);
            let n = model.counts().coordinates;
            let what = format!("{kind}, seed {seed}");
            // Along the motion, with time passing: Ċ and C̈.
            let along = |t: f64| {
                let shift: Vec<f64> = start.velocities().iter().map(|v| t * v).collect();
                let mut state = start.clone();
                state.displace(&model, &shift);
                state.time += t;
                state
            };
            let rates = slopes(|t| errors(&along(t)).0);
            let bias = slopes(|t| errors(&along(t)).1);
            for r in 0..model.counts().rows {
                // Differences of fourth order, ε⁴ f⁽⁵⁾/30 + rounding/ε at ε = 2e-4, of laws and
                // rows with derivatives of up to a hundred.
                assert!(
                    (rates[r] - rate[r]).abs() < 4e-9 * (1.0 + rate[r].abs()),
                    "{what}: rate {r}: {} {}",
                    rates[r],
                    rate[r]
                );
                let c = system.bias()[r];
                // As above for Ċ, which contains the speeds once more.
                assert!((bias[r] - c).abs() < 4e-8 * (1.0 + c.abs()), "{what}: bias {r}: {} {c}", bias[r]);
            }
            for c in 0..n {
                let column = slopes(|t| {
                    let mut shift = vec![0.0; n];
                    shift[c] = t;
                    let mut state = start.clone();
                    state.displace(&model, &shift);
                    errors(&state).0
                });
                let graph = system.graph();
                for link in graph.all_links() {
                    for (r, row) in graph.row_range(link).enumerate() {
                        let mut exact = 0.0;
                        for (end, block) in graph.ends(link).iter().enumerate() {
                            let Some(block) = block else { continue };
                            let range = graph.block_range(*block);
                            if range.contains(&c) {
                                exact += system.jac(link, end)[r * range.len() + c - range.start];
                            }
                        }
                        // Differences of fourth order, as above.
                        assert!(
                            (column[row] - exact).abs() < 4e-9 * (1.0 + exact.abs()),
                            "{what}: J[{row}][{c}]"
                        );
                    }
                }
            }
        }
    }
    // The masks have 165 coordinates together.
    let of_kinds: usize = JointKind::ALL.iter().map(|kind| kind.acting()).sum();
    assert_eq!(driven, of_kinds * 20 + 165 * 4);
}

#[test]
fn all_solvers_agree_on_driven_trees_open_or_closed() {
    let (mut worst, mut driven): (f64, _) = (0.0, 0);
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(8);
        let mut parts = closed_tree(&mut rng, n, MotionSpace::Space, seed % 3 == 0);
        for joint in &mut parts.joints {
            driven += drive(&mut rng, joint, false, 0.5);
        }
        let model = Arc::new(parts.build().unwrap());
        let mut state = model.initial_state().clone();
        let open = if seed % 2 == 0 { 0.3 } else { 0.0 };
        let shift: Vec<f64> = (0..model.counts().coordinates).map(|_| rng.range(-open, open)).collect();
        state.displace(&model, &shift);
        state.time = rng.range(0.0, 2.0);
        let (dense, dense_lambda, _) = solved(&model, &state, SolverChoice::Dense, Elimination::Rows);
        for elimination in [Elimination::Freedoms, Elimination::Rows] {
            let (acc, lambda, residual) = solved(&model, &state, SolverChoice::Tree, elimination);
            for (x, y) in acc.iter().zip(&dense) {
                worst = worst.max((x - y).abs() / largest(&dense));
                // Rounding times the condition number of random trees, open ones included;
                // multipliers lose another digit.
                assert!(
                    (x - y).abs() < 1e-9 * largest(&dense),
                    "seed {seed}, {elimination:?}: {x} against {y}"
                );
            }
            for (x, y) in lambda.iter().zip(&dense_lambda) {
                assert!(
                    (x - y).abs() < 1e-8 * largest(&dense_lambda),
                    "seed {seed}, {elimination:?}: λ {x} against {y}"
                );
            }
            // Open rows with large terms: rounding of these.
            assert!(residual < 1e-10, "seed {seed}, {elimination:?}: residual {residual:e}");
        }
    }
    println!("{driven} drives; worst relative difference of accelerations {worst:e}");
    assert!(driven > 3000, "{driven}");
}

#[test]
fn all_solvers_agree_on_driven_loops() {
    let (mut worst, mut compared, mut driven): (f64, _, _) = (0.0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let n = 2 + rng.below(6);
        let world = [MotionSpace::Rigid, MotionSpace::Planar, MotionSpace::Space][rng.below(3)];
        let more = 1 + rng.below(3);
        let mut parts = closed_loops(&mut rng, n, more, world, false);
        let mut here = 0;
        for joint in &mut parts.joints {
            here += drive(&mut rng, joint, world == MotionSpace::Planar, 0.15);
        }
        let Ok(model) = parts.build() else { panic!("{:?}", parts.build().err()) };
        let model = Arc::new(model);
        // Velocities consistent with joints and drives; none exist where drives contradict the
        // loops.
        let sparse = Settings { solver: SolverChoice::Sparse, ..Settings::default() };
        let mut start = Simulation::with_settings(model.clone(), sparse).unwrap();
        if start.assemble().is_err() {
            continue;
        }
        let state = start.state().clone();
        let answers = [SolverChoice::Auto, SolverChoice::Sparse, SolverChoice::Dense].map(|solver| {
            let settings = Settings { solver, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            sim.restore(&state).unwrap();
            sim.evaluate()
                .map(|now| (now.accelerations().to_vec(), now.rank(), now.multipliers().to_vec()))
                .ok()
        });
        let [Some(fast), Some(sparse), Some(dense)] = answers else { continue };
        if fast.1 != dense.1 || sparse.1 != dense.1 {
            continue;
        }
        // Ill-conditioned mechanisms are tested in the tests of loops.
        if largest(&dense.2) > 1e6 || largest(&dense.0) > 1e6 {
            continue;
        }
        compared += usize::from(here > 0);
        driven += here;
        for (x, y) in fast.0.iter().zip(&dense.0) {
            worst = worst.max((x - y).abs() / largest(&dense.0));
            // Rounding times a condition number of up to 1e9; worse ones are left out above.
            assert!((x - y).abs() < 1e-7 * largest(&dense.0), "seed {seed}: {x} against {y}");
        }
        let unique = dense.1 == model.counts().rows;
        for (x, y) in fast.2.iter().zip(&dense.2).filter(|_| unique) {
            assert!((x - y).abs() < 1e-6 * largest(&dense.2), "seed {seed}: λ {x} against {y}");
        }
    }
    println!("{compared} mechanisms with {driven} drives; worst {worst:e}");
    assert!(compared > 400, "{compared}");
}

#[test]
fn both_eliminations_project_a_driven_tree_onto_its_laws() {
    let mut closed = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(5);
        let mut parts = closed_tree(&mut rng, n, MotionSpace::Rigid, false);
        for joint in &mut parts.joints {
            drive(&mut rng, joint, false, 0.4);
            // The laws start from the described pose.
            joint.drives.iter_mut().for_each(|d| d.mode = DriveMode::Speed);
        }
        let model = Arc::new(parts.build().unwrap());
        let mut open = model.initial_state().clone();
        let shift: Vec<f64> = (0..model.counts().coordinates).map(|_| rng.range(-0.02, 0.02)).collect();
        open.displace(&model, &shift);
        let assembled = |elimination: Elimination| {
            let settings = Settings { solver: SolverChoice::Tree, elimination, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            sim.restore(&open).unwrap();
            sim.assemble().unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let certificate = sim.certificate();
            // Projection ends at rounding of positions and of speeds of some m/s.
            assert!(certificate.max_position_error < 1e-13, "seed {seed}: {certificate:?}");
            assert!(certificate.max_velocity_error < 1e-12, "seed {seed}: {certificate:?}");
            sim.state().clone()
        };
        let (free, rows) = (assembled(Elimination::Freedoms), assembled(Elimination::Rows));
        closed += 1;
        let pairs = free.coordinates().iter().zip(rows.coordinates());
        for (x, y) in pairs.chain(free.velocities().iter().zip(rows.velocities())) {
            // Both come to one pose by corrections that agree to the square of the last but one.
            assert!(
                (x - y).abs() < 1e-8 * (1.0 + largest(free.velocities())),
                "seed {seed}: {x} against {y}"
            );
        }
    }
    assert_eq!(closed, 300);
}

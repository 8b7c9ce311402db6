//! The tree solver against the dense one on random trees; and invariance under numbering, exchange
//! of a and b, and position in the world.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::math::{Quat, Vec3};
use cardan::solve::System;
use cardan::{BodyId, BodyKind, JointId, Model, Settings, Simulation, SolverChoice, Stabilization, Wrench};
use cardan_testkit::{
    MotionSpace, Parts, Rng, can_swap, closed_tree, largest, largest_difference, random_tree, shuffled,
};
use std::sync::Arc;

use crate::common;

/// The solution of one solver at one instant.
struct Answer {
    acc: Vec<f64>,
    lambda: Vec<f64>,
    rank: usize,
    /// Reaction on b of every joint, and which components are unique.
    reactions: Vec<([f64; 6], [bool; 6])>,
    /// Largest |M v̇ − F − Jᵀ λ| and |J v̇ + c|, relative to the largest force and the largest term
    /// of a row.
    balance: f64,
    rows: f64,
    /// The largest acceleration that the forces on a body would cause if they did not cancel.
    reach: f64,
    /// The largest force or multiplier.
    load: f64,
    /// Largest over smallest singular value of J M⁻¹ Jᵀ with unit diagonal, redundant ones left
    /// out.
    condition: f64,
}

fn six(w: Wrench) -> [f64; 6] {
    let (f, t) = (w.force, w.torque);
    [f.x, f.y, f.z, t.x, t.y, t.z]
}

/// Residuals of M v̇ = F + Jᵀ λ and of J v̇ + c = 0, summed here term by term; and the largest
/// acceleration of forces that do not cancel.
fn leftovers(system: &System, acc: &[f64], lambda: &[f64]) -> (f64, f64, f64) {
    let graph = system.graph();
    let mut forces: Vec<f64> = system.force().iter().map(|f| -f).collect();
    let mut pull: Vec<f64> = system.force().iter().map(|f| f.abs()).collect();
    let mut rows = system.bias().to_vec();
    let mut row_size = largest(&rows).max(1.0);
    for block in graph.all_blocks() {
        let (at, mass) = (graph.block_range(block), system.mass(block));
        for i in 0..at.len() {
            for j in 0..at.len() {
                let (low, high) = (i.min(j), i.max(j));
                forces[at.start + i] += mass[high * (high + 1) / 2 + low] * acc[at.start + j];
            }
        }
    }
    for link in graph.all_links() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = block else { continue };
            let (columns, jac) = (graph.block_range(*block), system.jac(link, end));
            for (r, row) in graph.row_range(link).enumerate() {
                for (k, c) in columns.clone().enumerate() {
                    let j = jac[r * columns.len() + k];
                    forces[c] -= j * lambda[row];
                    pull[c] += (j * lambda[row]).abs();
                    rows[row] += j * acc[c];
                    row_size = row_size.max((j * acc[c]).abs());
                }
            }
        }
    }
    let force_size = largest(&pull);
    for block in graph.all_blocks() {
        for (i, c) in graph.block_range(block).enumerate() {
            pull[c] /= system.mass(block)[i * (i + 1) / 2 + i];
        }
    }
    (largest(&forces) / force_size, largest(&rows) / row_size, largest(&pull))
}

/// Of J M⁻¹ Jᵀ with rows scaled to one.
pub(crate) fn condition(system: &System, rank: usize) -> f64 {
    let graph = system.graph();
    if graph.rows() == 0 {
        return 1.0;
    }
    let (mass, jac) = common::dense(system);
    // Singular values of J M^{-1/2}, rows scaled to one; squared, those of J M⁻¹ Jᵀ.
    let root = mass.cholesky().expect("masses are positive").l();
    let mut half = root.solve_lower_triangular(&jac.transpose()).expect("masses are positive");
    for mut column in half.column_iter_mut() {
        let size = column.norm();
        if size > 0.0 {
            column /= size;
        }
    }
    let values = half.singular_values();
    let ratio = values[0] / values[rank.max(1) - 1];
    ratio * ratio
}

fn answer(model: &Arc<Model>, solver: SolverChoice, what: &str) -> Answer {
    let settings = Settings { solver, stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).expect(what);
    let now = sim.evaluate().unwrap_or_else(|e| panic!("{what}: {e}"));
    let system = now.system();
    let (acc, lambda) = (now.accelerations(), now.multipliers());
    let (balance, rows, reach) = leftovers(system, acc, lambda);
    let null = now.self_stresses(usize::MAX).expect("any number of rows");
    let reactions = (0..model.joints().len()).map(|j| {
        let (force, torque) = now.unique_joint_components(JointId::of_index(j), &null);
        let unique = [force[0], force[1], force[2], torque[0], torque[1], torque[2]];
        (six(now.joint(JointId::of_index(j)).reaction.total()), unique)
    });
    Answer {
        acc: acc.to_vec(),
        lambda: lambda.to_vec(),
        rank: now.rank(),
        reactions: reactions.collect(),
        balance,
        rows,
        reach,
        load: largest(system.force()).max(largest(lambda)),
        condition: if solver == SolverChoice::Dense { condition(system, now.rank()) } else { 0.0 },
    }
}

/// Numbers of trees with independent rows, with redundant rows, with contradictory rows, and of
/// those that lose more than six digits.
#[derive(Debug, Default)]
struct Tally {
    plain: usize,
    redundant: usize,
    contradictory: usize,
    ill_conditioned: usize,
}

/// Accelerations to 1e-10 of what the forces could cause; multipliers, too, where all rows are
/// independent, else the unique reactions.
fn compare(model: Model, what: &str, tally: &mut Tally) {
    let model = Arc::new(model);
    let (tree, dense) = (answer(&model, SolverChoice::Tree, what), answer(&model, SolverChoice::Dense, what));
    assert_eq!(tree.rank, dense.rank, "{what}: rank of {} rows", model.counts().rows);
    // The balance of the bodies holds for any right-hand side of the joints.
    for (name, a) in [("tree", &tree), ("dense", &dense)] {
        assert!(a.balance < 1e-11, "{what}: {name} leaves {:e} of the force balance", a.balance);
    }
    let redundant = dense.rank < model.counts().rows;
    // A row on a light body loses digits in any solver, by the condition number.
    let same = f64::max(1e-10, f64::EPSILON * dense.condition);
    tally.ill_conditioned += usize::from(same > 1e-10);
    if redundant && dense.rows > 1e-9 {
        // Poses and velocities off the joints: redundant rows contradict each other, and there is
        // no solution.
        tally.contradictory += 1;
        return;
    }
    for (name, a) in [("tree", &tree), ("dense", &dense)] {
        // Rounding of some hundred operations per row, amplified by the condition number of random
        // trees.
        assert!(a.rows < 1e-11, "{what}: {name} leaves {:e} of J v' + c", a.rows);
    }
    let off = largest_difference(&tree.acc, &dense.acc) / dense.reach;
    assert!(off < same, "{what}: accelerations differ by {off:e}");
    if !redundant {
        tally.plain += 1;
        let off = largest_difference(&tree.lambda, &dense.lambda) / dense.load;
        assert!(off < same, "{what}: multipliers differ by {off:e}");
        return;
    }
    tally.redundant += 1;
    for (j, ((t, _), (d, unique))) in tree.reactions.iter().zip(&dense.reactions).enumerate() {
        for k in (0..6).filter(|&k| unique[k]) {
            let off = (t[k] - d[k]).abs() / dense.load;
            assert!(off < same, "{what}: component {k} of the reaction of joint {j} differs by {off:e}");
        }
    }
}

#[test]
fn the_tree_solver_equals_the_dense_one_on_random_trees_far_off_their_joints() {
    let mut tally = Tally::default();
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(12);
        let what = format!("tree of {n} bodies of all kinds, seed {seed}");
        compare(random_tree(&mut rng, n, &BodyKind::ALL).expect(&what), &what, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.plain > 2000 && tally.ill_conditioned < 30, "{tally:?}");
}

#[test]
fn the_tree_solver_equals_the_dense_one_on_closed_trees_in_space_and_in_the_plane() {
    let mut tally = Tally::default();
    for seed in 0..1500 {
        for world in [MotionSpace::Space, MotionSpace::Flat] {
            let mut rng = Rng::new(seed);
            let n = 1 + rng.below(12);
            let floating = rng.below(3) == 0;
            let what = format!("{world:?} tree of {n} bodies, floating {floating}, seed {seed}");
            compare(closed_tree(&mut rng, n, world, floating).build().expect(&what), &what, &mut tally);
        }
    }
    println!("{tally:?}");
    // In the plane, rigid bodies on planar ones have rows that are satisfied by all motions: these
    // need a solution, too.
    assert!(tally.plain > 2000 && tally.redundant > 300 && tally.ill_conditioned < 30, "{tally:?}");
}

#[test]
fn long_chains_keep_the_precision_of_short_ones() {
    // Residuals do not grow with the number of bodies; differences to the dense solver do, with the
    // condition number.
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let what = format!("tree of 400 bodies, seed {seed}");
        let model = Arc::new(closed_tree(&mut rng, 400, MotionSpace::Space, false).build().expect(&what));
        let tree = answer(&model, SolverChoice::Tree, &what);
        // Residuals are local: those of a few bodies, at rounding of some metres.
        assert!(tree.balance < 1e-12 && tree.rows < 1e-12, "{what}: {:e}, {:e}", tree.balance, tree.rows);
    }
}

/// A closed tree with consistent velocities.
fn consistent_tree(rng: &mut Rng, n: usize, world: MotionSpace) -> Parts {
    let mut parts = closed_tree(rng, n, world, false);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let now = sim.kinematics();
    for (i, body) in parts.bodies.iter_mut().enumerate() {
        let report = now.body(BodyId::of_index(i));
        (body.vel, body.omega) = (report.velocity, report.angular_velocity);
        (body.pos, body.rot) = (report.frame_position, report.orientation);
    }
    parts
}

/// Accelerations and angular accelerations of all bodies; reactions with the points where they act.
type Solved = (Vec<(Vec3, Vec3)>, Vec<(Wrench, Vec3)>);

fn solve(parts: &Parts) -> Solved {
    let settings = Settings { stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
    assert_eq!(sim.diagnostics().solver_name(), "articulated");
    let now = sim.evaluate().unwrap();
    let bodies = (0..parts.bodies.len()).map(|i| now.body(BodyId::of_index(i)));
    let joints = (0..parts.joints.len()).map(|j| now.joint(JointId::of_index(j)));
    (
        bodies.map(|b| (b.acceleration, b.angular_acceleration)).collect(),
        joints.map(|j| (j.reaction.total(), j.position)).collect(),
    )
}

fn scale((bodies, joints): &Solved) -> (f64, f64) {
    let bodies: Vec<f64> = bodies.iter().flat_map(|(a, b)| [a.largest(), b.largest()]).collect();
    let joints: Vec<f64> = joints.iter().flat_map(|(w, _)| [w.force.largest(), w.torque.largest()]).collect();
    // A mechanism that is welded to the ground does not accelerate; gravity, about 10 m/s², is the
    // scale.
    (largest(&bodies).max(1.0), largest(&joints))
}

// Rounding of some hundred operations per body on numbers up to `size` m; trees are moderately
// conditioned.
const SAME: f64 = 1e-11;

#[test]
fn renumbering_bodies_and_joints_changes_nothing() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let n = 2 + rng.below(10);
        let parts = consistent_tree(&mut rng, n, MotionSpace::Space);
        let (bodies, joints) =
            (shuffled(&mut rng, parts.bodies.len()), shuffled(&mut rng, parts.joints.len()));
        let (before, after) = (solve(&parts), solve(&parts.renumbered(&bodies, &joints)));
        let (size, load) = scale(&before);
        for (new, &old) in bodies.iter().enumerate() {
            let off = (after.0[new].0 - before.0[old].0).largest();
            let off_turn = (after.0[new].1 - before.0[old].1).largest();
            assert!(
                off.max(off_turn) <= SAME * size,
                "seed {seed}: body {old} accelerates otherwise by {off:e}"
            );
        }
        for (new, &old) in joints.iter().enumerate() {
            let off = (after.1[new].0 + -before.1[old].0).force.largest();
            let off_turn = (after.1[new].0 + -before.1[old].0).torque.largest();
            assert!(
                off.max(off_turn) <= SAME * load,
                "seed {seed}: reaction of joint {old} differs by {off:e}"
            );
        }
    }
}

#[test]
fn exchanging_a_and_b_turns_the_reaction_round_and_changes_nothing_else() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let n = 2 + rng.below(10);
        let parts = consistent_tree(&mut rng, n, MotionSpace::Space);
        let (before, after) = (solve(&parts), solve(&parts.swapped()));
        let (size, load) = scale(&before);
        for (i, (x, y)) in before.0.iter().zip(&after.0).enumerate() {
            let off = (x.0 - y.0).largest().max((x.1 - y.1).largest());
            assert!(off <= SAME * size, "seed {seed}: body {i} accelerates otherwise by {off:e}");
        }
        for (j, (x, y)) in before.1.iter().zip(&after.1).enumerate() {
            // Action and reaction at one point.
            let sign = if can_swap(parts.joints[j].kind) { 1.0 } else { -1.0 };
            let sum = x.0 + y.0.scaled(sign).seen_from(x.1 - y.1);
            let off = sum.force.largest().max(sum.torque.largest());
            assert!(off <= SAME * load, "seed {seed}: {} {j}: off by {off:e}", parts.joints[j].kind);
        }
    }
}

#[test]
fn moving_and_turning_the_scene_moves_and_turns_the_results() {
    for (size_of_shift, seeds) in [(1.0, 300), (1e4, 100)] {
        for seed in 0..seeds {
            let mut rng = Rng::new(seed);
            let n = 2 + rng.below(10);
            let parts = consistent_tree(&mut rng, n, MotionSpace::Space);
            let (shift, turn): (Vec3, Quat) = (rng.vector(size_of_shift), rng.rotation());
            let (before, after) = (solve(&parts), solve(&parts.moved(shift, turn)));
            let (size, load) = scale(&before);
            // A position far out adds its own rounding to every arm and error.
            let same = SAME * size_of_shift;
            for (i, (x, y)) in before.0.iter().zip(&after.0).enumerate() {
                let off = (turn * x.0 - y.0).largest().max((turn * x.1 - y.1).largest());
                assert!(off <= same * size, "shift {size_of_shift}, seed {seed}: body {i} by {off:e}");
            }
            for (j, (x, y)) in before.1.iter().zip(&after.1).enumerate() {
                let (f, t) = (turn * x.0.force - y.0.force, turn * x.0.torque - y.0.torque);
                let off = f.largest().max(t.largest());
                assert!(off <= same * load, "shift {size_of_shift}, seed {seed}: joint {j} by {off:e}");
            }
        }
    }
}

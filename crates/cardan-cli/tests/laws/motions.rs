//! Elimination by freedoms, elimination by rows and the dense solver carry a mechanism through the same motion.
//!
//! All three take the same steps of the same rule, so that nothing but the rounding of their solves can part them, and what
//! the mechanism makes of that: it grows with the separation of neighbouring motions, by e^(Λ t) or so.

use crate::support::takes_impulses;
use cardan::solve::Role;
use cardan::{ConstraintId, Elimination, Integrator, JointId, Model, Settings, Simulation, SolverChoice};
use cardan_scene::{Document, Family, Scene, bundled};
use std::sync::Arc;

/// Places in m, turns in quaternions, velocities in m/s and rad/s, relative to the largest of each.
const SAME: f64 = 1e-9;

/// A way to solve.
type Way = (SolverChoice, Elimination);
const FREEDOMS: Way = (SolverChoice::Tree, Elimination::Freedoms);
const ROWS: Way = (SolverChoice::Tree, Elimination::Rows);
const DENSE: Way = (SolverChoice::Dense, Elimination::Rows);
/// Cubic time: beyond this many bodies the dense solver is asked for accelerations along the way, not for the motion.
const MAX_DENSE_BODIES: usize = 12;

fn read(name: &str, text: &str) -> (Arc<Model>, f64) {
    let document = Document::parse(name, text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    let model = scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    (Arc::new(model), scene.simulation.dt())
}

fn start(model: &Arc<Model>, (solver, elimination): Way) -> Simulation {
    let settings = Settings { integrator: Integrator::Rk4, solver, elimination, ..Settings::default() };
    Simulation::with_settings(model.clone(), settings).expect("a tree")
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |w, x| f64::max(w, x.abs()))
}

/// The largest difference of two lists, relative to the largest number and at least 1.
fn apart(x: &[f64], y: &[f64]) -> f64 {
    let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    assert_eq!(x.len(), y.len());
    assert!(x.iter().chain(y).all(|x| x.is_finite()));
    largest(&differences) / largest(x).max(1.0)
}

/// Runs in each of the ways and compares the states at the end; where there are many bodies, the dense solver's
/// accelerations in between.
fn assert_same_motion(what: &str, model: &Arc<Model>, until: f64, dt: f64) {
    assert_same(what, model, until, dt, model.bodies().len() <= MAX_DENSE_BODIES);
}

/// The same; the dense solver carries the whole motion where there are `few` bodies.
fn assert_same(what: &str, model: &Arc<Model>, until: f64, dt: f64, few: bool) {
    let run = |way: Way| {
        let mut sim = start(model, way);
        sim.run(until, dt).unwrap_or_else(|e| panic!("{what}, {way:?}: {e}"));
        sim
    };
    let mut first = run(FREEDOMS);
    assert!(
        apart(first.state().coordinates(), model.initial_state().coordinates()) > 1e-3,
        "{what}: nothing has moved"
    );
    for way in if few { &[ROWS, DENSE][..] } else { &[ROWS] } {
        let other = run(*way);
        let off = apart(first.state().coordinates(), other.state().coordinates());
        let off_rate = apart(first.state().velocities(), other.state().velocities());
        println!("{what}, {way:?}: {off:.1e}, {off_rate:.1e} after {until} s");
        assert!(off < SAME && off_rate < SAME, "{what}, {way:?}: {off:e}, {off_rate:e}");
    }
    if !few {
        let state = first.state().clone();
        let mut dense = start(model, DENSE);
        let dense = dense.accelerations_at(&state).expect("it was solved by the tree").values();
        let off = apart(first.accelerations().expect("it was solved").values(), dense);
        println!("{what}, {DENSE:?}: {off:.1e} in the accelerations after {until} s");
        assert!(off < SAME, "{what}: accelerations differ by {off:e}");
    }
}

/// Elimination by rows is for trees.
fn is_tree(model: &Model) -> bool {
    (0..model.joints().len()).all(|j| model.joint_role(JointId::of_index(j)) == Some(Role::Primary))
        && (0..model.constraints().len())
            .all(|c| model.constraint_role(ConstraintId::of_index(c)) == Some(Role::Primary))
}

/// Scenes whose joints form a tree: name, model, step, and for how long they are calm enough to be compared.
fn trees() -> Vec<(&'static str, Arc<Model>, f64, f64)> {
    // Its links of a gram ring under ten kilonewtons at thousands of radians per second: what a mass ratio of a million
    // makes of rounding is 1e-8 m/s within a hundred steps.
    let calm = bundled().iter().filter(|entry| entry.name != "heavy-chain" && !takes_impulses(entry.text));
    let scenes = calm.map(|entry| {
        let (model, dt) = read(entry.name, entry.text);
        // The twigs of figure-3 crack like whips: near the end of its second neighbouring motions part a millionfold, and
        // the two forms are 2.5e-9 apart in velocity after it. Half of it is calm.
        // A box that has bounced on its corners and slid parts from its neighbours a billionfold within a second.
        let until = match entry.name {
            "figure-3" => 0.5,
            "tumbling-box" => 0.3,
            _ => 1.0,
        };
        (entry.name, model, dt, until)
    });
    scenes.filter(|(_, model, ..)| is_tree(model)).collect()
}

/// What the soaks below do, in seconds of work: trees of few bodies by freedoms and by rows, with longer steps, and the dense
/// solver's accelerations at the end.
#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn small_trees_move_the_same_for_a_second() {
    const SMALL: usize = 24;
    const STEP: f64 = 2e-3;
    let (mut count, mut fast) = (0, 0);
    let mut check = |what: &str, model: &Arc<Model>, until: f64, dt: f64| {
        if is_tree(model) && model.bodies().len() <= SMALL {
            assert_same(what, model, until, dt, false);
            count += 1;
            fast += usize::from(start(model, FREEDOMS).diagnostics().elimination_operations().is_some());
        }
    };
    for (name, model, dt, until) in trees() {
        check(name, &model, until, dt.max(STEP));
    }
    for family in Family::ALL {
        let text = family.generate(family.fixed_size().unwrap_or(4), 1).expect("a scene");
        check(family.name(), &read(family.name(), &text).0, 1.0, STEP);
    }
    assert!(count >= 14 && fast >= 10, "{count} trees, {fast} of them on the articulated path");
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn every_bundled_tree_moves_the_same_in_three_ways() {
    let trees = trees();
    assert!(trees.len() >= 10, "{} trees", trees.len());
    let mut fast = 0;
    for (name, model, dt, until) in trees {
        // Longer steps where many would take long. Not longer than this: they leave more to the projection, whose rounds
        // stop at thresholds, and at 4 ms the forms part by 1e-9 where one takes a round more.
        let dt = if model.bodies().len() < 5 { dt } else { dt.max(1e-3) };
        fast += usize::from(start(&model, FREEDOMS).diagnostics().elimination_operations().is_some());
        assert_same_motion(name, &model, until, dt);
    }
    // The others have bodies that are not rigid, and are eliminated by rows either way.
    assert!(fast >= 8, "only {fast} scenes take the articulated path");
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn generated_trees_move_the_same_in_three_ways() {
    for family in Family::ALL {
        // Tame ones: with seed 3 the two dozen bodies of the spherical chain crack like a whip and end 7e-10 apart.
        for (n, seed, dt) in [(4, 1, 2e-3), (24, 2, 1e-3)] {
            let n = family.fixed_size().unwrap_or(n);
            let text = family.generate(n, seed).expect("a scene");
            let what = format!("{} of {n}, seed {seed}", family.name());
            let model = read(&what, &text).0;
            if is_tree(&model) {
                assert_same_motion(&what, &model, 1.0, dt);
            }
        }
    }
}

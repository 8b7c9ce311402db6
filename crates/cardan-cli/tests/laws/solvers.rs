//! Every bundled scene, with its own solver, with the sparse one and with conjugate gradients: one motion, one rank.

use crate::support::takes_impulses;
use cardan::{BodyId, Integrator, Model, Settings, Simulation, SolverChoice};
use cardan_scene::{Document, Scene, bundled};
use std::sync::Arc;

fn read(name: &str, text: &str) -> (Arc<Model>, f64) {
    let document = Document::parse(name, text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    let model = scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    (Arc::new(model), scene.simulation.dt())
}

#[test]
fn every_scene_moves_alike_by_every_solver() {
    all_move_alike(40.0);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan -p cardan-cli -- --ignored"]
fn every_scene_moves_alike_by_every_solver_for_a_hundred_steps() {
    all_move_alike(100.0);
}

fn all_move_alike(most: f64) {
    for scene in bundled() {
        // Time stepping takes servos at the end of the step, but on the articulated path only.
        if takes_impulses(scene.text) && scene.text.contains("servo = ") {
            continue;
        }
        let (model, dt) = read(scene.name, scene.text);
        // What tumbles on contacts parts from its neighbours soon.
        let steps = if takes_impulses(scene.text) { most.min(30.0) } else { most };
        let end = |solver: SolverChoice| {
            let integrator = match takes_impulses(scene.text) {
                true => Integrator::TimeStepping,
                false => Integrator::Rk4,
            };
            let settings = Settings { integrator, solver, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("any solver");
            let what = format!("{} by {}", scene.name, sim.diagnostics().solver_name());
            sim.run(steps * dt, dt).unwrap_or_else(|error| panic!("{what}: {error}"));
            let now = sim.evaluate().unwrap_or_else(|error| panic!("{what}: {error}"));
            // Rounding of a solve, refined where it is more; conjugate gradients converge to 1e-13 of the right-hand side.
            assert!(now.equation_residual() < 1e-11, "{what}: {:e}", now.equation_residual());
            let places: Vec<_> =
                (0..model.bodies().len()).map(|i| now.body(BodyId::of_index(i)).position).collect();
            (what, now.rank(), places)
        };
        let (_, rank, places) = end(SolverChoice::Auto);
        // A thousand links by iteration take their time.
        let small = model.bodies().len() <= 40;
        let others = [SolverChoice::Sparse, SolverChoice::ConjugateGradient];
        for solver in others.into_iter().take(if small { 2 } else { 1 }) {
            let (what, other_rank, others) = end(solver);
            assert_eq!(rank, other_rank, "{what}: rank");
            for (a, b) in places.iter().zip(&others) {
                // A hundred steps of rounding, in metres; mechanisms here are a few metres large. In the heavy chain six
                // decades of mass cost as many digits in the stages that are not refined: 7e-11; elsewhere it is 1e-13.
                let off = (*a - *b).largest();
                assert!(off < 1e-9, "{what}: {off:e} m apart");
            }
        }
    }
}

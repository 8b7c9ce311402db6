//! Nets, where loops share their sides: every solver moves them alike, and the automatic choice goes by cost.

use cardan::{Model, Settings, Simulation, SolverChoice, Stabilization};
use cardan_scene::{Document, Family, Scene};
use std::sync::Arc;

fn net(n: usize, seed: u64) -> Arc<Model> {
    let text = Family::Net.generate(n, seed).expect("a scene");
    let document = Document::parse("net", &text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    Arc::new(scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render())))
}

fn simulation(model: &Arc<Model>, settings: Settings) -> Simulation {
    Simulation::with_settings(model.clone(), settings).unwrap()
}

#[test]
fn nets_swing_alike_by_every_solver() {
    for (n, seed) in [(3, 1), (4, 1), (4, 2), (5, 3)] {
        let model = net(n, seed);
        let mut oracle = simulation(&model, Settings::default());
        assert_eq!(oracle.diagnostics().solver_name(), "articulated");
        oracle.run(0.05, 1e-3).unwrap();
        for solver in [SolverChoice::Sparse, SolverChoice::ConjugateGradient, SolverChoice::Dense] {
            let mut sim = simulation(&model, Settings { solver, ..Settings::default() });
            sim.run(0.05, 1e-3).unwrap_or_else(|error| panic!("{n} × {n}, seed {seed}, {solver:?}: {error}"));
            let pairs = sim.state().coordinates().iter().zip(oracle.state().coordinates());
            let off = pairs.fold(0.0, |w: f64, (a, b)| w.max((a - b).abs()));
            assert!(off < 1e-11, "{n} × {n}, seed {seed}, {solver:?}: {off:e}");
            let residual = sim.certificate().max_equation_residual;
            assert!(residual < 1e-12, "{n} × {n}, seed {seed}, {solver:?}: {residual:e}");
        }
        // Baumgarte feedback excludes the articulated path.
        let stabilization = Stabilization::baumgarte(1e-3);
        let mut sim = simulation(&model, Settings { stabilization, ..Settings::default() });
        assert_eq!(sim.diagnostics().solver_name(), "sparse");
        sim.run(0.05, 1e-3).unwrap_or_else(|error| panic!("{n} × {n}, seed {seed}, feedback: {error}"));
        assert!(sim.balance().energy_error < 1e-6, "{:?}", sim.balance());
    }
}

#[test]
fn the_automatic_choice_goes_by_predicted_cost() {
    // Loops of a small net share few joints; those of a large one meet in fronts as wide as the net, all of them on the ground.
    for (n, name) in [(8, "articulated"), (16, "articulated"), (64, "sparse")] {
        let mut sim = Simulation::new(net(n, 1));
        assert_eq!(sim.diagnostics().solver_name(), name, "{n} × {n}: {}", sim.diagnostics().solver_reason());
        assert!(
            !sim.diagnostics().solver_reason().contains("linear time"),
            "{}",
            sim.diagnostics().solver_reason()
        );
    }
    // If it is asked for, the articulated path is taken.
    let settings = Settings { solver: SolverChoice::Tree, ..Settings::default() };
    assert_eq!(simulation(&net(64, 1), settings).diagnostics().solver_name(), "articulated");
    // Independent loops stay on it, in any number.
    let text = Family::NFourBar.generate(400, 1).expect("a scene");
    let document = Document::parse("row", &text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    let model = scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    assert_eq!(Simulation::new(model).diagnostics().solver_name(), "articulated");
}

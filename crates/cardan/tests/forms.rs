//! Freedoms form, rows form and the dense solver give the same accelerations, multipliers and reactions.

use cardan::{BodyKind, Form, Model, Settings, Simulation, SolverChoice, Stabilization};
use cardan_testkit::{Rng, random_tree};
use std::sync::Arc;

fn solved(model: &Arc<Model>, solver: SolverChoice, form: Form) -> (Vec<f64>, Vec<f64>, f64) {
    let settings = Settings { solver, form, stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    let now = sim.evaluate().unwrap();
    (now.accelerations().to_vec(), now.multipliers().to_vec(), now.equation_residual())
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(1.0, |w: f64, x| if x.abs() > w { x.abs() } else { w })
}

#[test]
fn three_ways_agree_on_random_trees_far_from_closed() {
    let mut worst: f64 = 0.0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(10);
        let model = Arc::new(random_tree(&mut rng, n, &[BodyKind::Rigid]).unwrap());
        let (dense, dense_lambda, _) = solved(&model, SolverChoice::Dense, Form::Rows);
        for form in [Form::Freedoms, Form::Rows] {
            let (acc, lambda, residual) = solved(&model, SolverChoice::Tree, form);
            let (size, lambda_size) = (largest(&dense), largest(&dense_lambda));
            for (x, y) in acc.iter().zip(&dense) {
                let off = (x - y).abs() / size;
                worst = if off > worst { off } else { worst };
                assert!(off < 1e-10, "seed {seed}, {form:?}: {x} against {y}");
            }
            for (x, y) in lambda.iter().zip(&dense_lambda) {
                assert!((x - y).abs() / lambda_size < 1e-9, "seed {seed}, {form:?}: λ {x} against {y}");
            }
            assert!(residual < 1e-11, "seed {seed}, {form:?}: residual {residual:e}");
        }
    }
    println!("worst relative difference of accelerations: {worst:e}");
}

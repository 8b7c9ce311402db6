//! An inverted pendulum on a cart, stabilised by a linear-quadratic regulator (LQR) that is found from the engine's own
//! linearisation.
//!
//!   ẋ = A x + B u,   u = −K x,   K from the Riccati equation of the steps of the controller
//!
//! `cargo run --release -p cardan --example cart_pole`

use cardan::End::Ground;
use cardan::math::{Quat, vec3};
use cardan::{Body, Gravity, Joint, ModelBuilder, Simulation};

/// Period of the controller \[s\].
const H: f64 = 1e-3;

type Matrix = [[f64; 4]; 4];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|r| core::array::from_fn(|c| (0..4).map(|k| a[r][k] * b[k][c]).sum()))
}

/// A and B of one step with a constant input: the series of exp(A h).
fn discretised(a: &Matrix, b: &[f64; 4]) -> (Matrix, [f64; 4]) {
    let unit: Matrix = core::array::from_fn(|r| core::array::from_fn(|c| if r == c { 1.0 } else { 0.0 }));
    let (mut power, mut sum, mut integral) = (unit, unit, unit);
    for k in 1..8 {
        power = product(&power, a);
        power.iter_mut().flatten().for_each(|x| *x *= H / k as f64);
        for r in 0..4 {
            for c in 0..4 {
                sum[r][c] += power[r][c];
                integral[r][c] += power[r][c] / (k + 1) as f64;
            }
        }
    }
    (sum, core::array::from_fn(|r| H * (0..4).map(|k| integral[r][k] * b[k]).sum::<f64>()))
}

/// K of the least Σ xᵀ Q x + R u²: P by iteration of the Riccati equation.
fn regulator(a: &Matrix, b: &[f64; 4], weights: [f64; 4], effort: f64) -> [f64; 4] {
    let mut p: Matrix =
        core::array::from_fn(|r| core::array::from_fn(|c| if r == c { weights[r] } else { 0.0 }));
    let mut gain = [0.0; 4];
    for _ in 0..20_000 {
        let pb: [f64; 4] = core::array::from_fn(|r| (0..4).map(|k| p[r][k] * b[k]).sum());
        let size = effort + (0..4).map(|k| b[k] * pb[k]).sum::<f64>();
        gain = core::array::from_fn(|c| (0..4).map(|k| pb[k] * a[k][c]).sum::<f64>() / size);
        // P ← Q + R Kᵀ K + (A − B K)ᵀ P (A − B K), which stays symmetric and positive (Joseph).
        let closed: Matrix = core::array::from_fn(|r| core::array::from_fn(|c| a[r][c] - b[r] * gain[c]));
        let turned: Matrix = core::array::from_fn(|r| core::array::from_fn(|c| closed[c][r]));
        p = product(&turned, &product(&p, &closed));
        for r in 0..4 {
            p[r][r] += weights[r];
            (0..4).for_each(|c| p[r][c] += effort * gain[r] * gain[c]);
        }
    }
    gain
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let cart = parts.add_body(Body::rod(2.0, 0.4, 0.1).named("cart"));
    let upright = Quat::exp(vec3(0.0, -core::f64::consts::FRAC_PI_2, 0.0));
    let pole = Body { pos: vec3(0.0, 0.0, 0.5), rot: upright, ..Body::rod(0.5, 1.0, 0.02) };
    let pole = parts.add_body(pole.named("pole"));
    let rail = parts.add_joint(Joint::prismatic(Ground, cart, [0.0; 3], [1.0, 0.0, 0.0]).named("rail"));
    let pivot = parts.add_joint(Joint::revolute(cart, pole, [0.0; 3], [0.0, 1.0, 0.0]).named("pivot"));
    let mut sim = Simulation::new(parts.build()?);

    // Upright is an equilibrium, and unstable: x = (rail, pivot, their rates).
    let about = sim.linearise()?;
    assert!(about.accelerations.iter().all(|a| a.abs() < 1e-9));
    assert!(about.a[3 * 4 + 1] > 0.0, "the pole falls");
    let a: Matrix = core::array::from_fn(|r| core::array::from_fn(|c| about.a[4 * r + c]));
    let b: [f64; 4] = core::array::from_fn(|r| about.b[2 * r]); // the cart is pushed, the pivot is free
    let (a, b) = discretised(&a, &b);
    let gain = regulator(&a, &b, [1.0, 10.0, 1.0, 1.0], 0.1);
    println!("K = {gain:.3?}");

    sim.set_positions_of(pivot, &[0.3])?;
    while sim.time() < 10.0 {
        let x = [sim.coordinate(rail, 0), sim.angle(pivot), sim.rate(rail, 0), sim.rate(pivot, 0)];
        let push: f64 = -gain.iter().zip(x).map(|(k, x)| k * x).sum::<f64>();
        sim.set_effort(rail, 0, push)?;
        sim.step(H)?;
    }
    let (place, lean) = (sim.coordinate(rail, 0), sim.angle(pivot));
    println!("after 10 s the cart is at {place:.1e} m and the pole leans by {lean:.1e} rad");
    println!("work of the motor {:.3} J", sim.energy().work);
    assert!(place.abs() < 1e-3 && lean.abs() < 1e-3);
    assert!(sim.balance().energy_error < 1e-6);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}

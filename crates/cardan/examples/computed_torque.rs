//! Computed-torque control of a 6-axis arm at 1 kHz: the controller reads positions and rates, asks for the accelerations
//! that bring the arm onto its path, and commands the efforts that inverse dynamics gives for them.
//!
//!   τ = H(q) (q̈_ref + K_d (q̇_ref − q̇) + K_p (q_ref − q)) + b(q, q̇)
//!
//! The torques are held for one step, so the error is of first order in the step: it halves with it.
//!
//! `cargo run --release -p cardan --example computed_torque`
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::{self, Ground};
use cardan::math::vec3;
use cardan::{
    Accounts, Body, Coordinates, Gravity, Integrator, Joint, Model, ModelBuilder, Settings, Simulation,
};

/// Gains [1/s², 1/s]: errors decay as exp(−30 t), critically damped.
const GAINS: [f64; 2] = [900.0, 60.0];

/// Links along x, axes z y y x y x: an arm with a spherical wrist.
fn arm() -> Result<Model, cardan::BuildError> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let links = [(0.3, 8.0), (0.5, 6.0), (0.4, 4.0), (0.15, 1.5), (0.1, 0.8), (0.08, 0.4)]; // m, kg
    let axes = [
        [0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
    ];
    let (mut last, mut x): (End, f64) = (Ground, 0.0);
    for ((length, mass), axis) in links.into_iter().zip(axes) {
        let link =
            parts.add_body(Body { pos: vec3(x + 0.5 * length, 0.0, 0.0), ..Body::rod(mass, length, 0.02) });
        parts.add_joint(Joint::revolute(last, link, [x, 0.0, 0.0], axis));
        (last, x) = (link.into(), x + length);
    }
    parts.build()
}

/// The path of axis `k`: position, rate and acceleration at a time, from rest.
fn path(k: usize, t: f64) -> [f64; 3] {
    let (size, w) = (0.3 + 0.05 * k as f64, 1.0 + 0.2 * k as f64); // rad, rad/s
    [size * (1.0 - (w * t).cos()), size * w * (w * t).sin(), size * w * w * (w * t).cos()]
}

/// The largest error of any axis over two seconds of control with steps of `h` \[rad\].
fn track(h: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let settings = Settings {
        integrator: Integrator::SemiImplicitEuler,
        coordinates: Coordinates::Auto,
        accounts: Accounts::Off,
        ..Settings::default()
    };
    let mut sim = Simulation::with_settings(arm()?, settings)?;
    let (mut q, mut v, mut wanted, mut efforts) = ([0.0; 6], [0.0; 6], [0.0; 6], [0.0; 6]);
    let mut worst: f64 = 0.0;
    while sim.time() < 2.0 - 0.5 * h {
        sim.copy_joint_state(&mut q, &mut v)?;
        for k in 0..6 {
            let [position, rate, acceleration] = path(k, sim.time());
            let (error, error_rate) = (position - q[k], rate - v[k]);
            worst = worst.max(error.abs());
            wanted[k] = acceleration + GAINS[0] * error + GAINS[1] * error_rate;
        }
        sim.inverse_dynamics(&wanted, &mut efforts)?;
        sim.set_efforts(&efforts)?;
        sim.step(h)?;
    }
    Ok(worst)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = std::time::Instant::now();
    let (whole, half) = (track(1e-3)?, track(5e-4)?);
    println!("largest error at 1 kHz {whole:.2e} rad, at 2 kHz {half:.2e} rad");
    println!("{:.1} µs a step with the controller", start.elapsed().as_secs_f64() * 1e6 / 6000.0);
    assert!(whole < 1e-4, "{whole:e}");
    // First order in the step.
    assert!((1.8..2.2).contains(&(whole / half)), "{}", whole / half);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}

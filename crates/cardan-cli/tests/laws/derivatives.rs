//! Ċ and J̇v of every row of every bundled scene against differences of C and Ċ along a motion, off the constraint too. Since every kind of
//! joint must have a scene (`joints_page.rs`), a new kind is tried here without further work.

use crate::support::bundled_scenes;
use cardan::{Model, Simulation, State};
use cardan_scene::{Document, Scene};
use cardan_testkit::Rng;
use std::collections::BTreeSet;

/// Kind of every row, and whether it is a condition on poses: those of joints first, then those of constraints.
fn rows(model: &Model) -> Vec<(&str, bool)> {
    let joints = model.joints().iter().flat_map(|j| (0..j.rows()).map(|_| (j.kind.name(), true)));
    let constraints = model.constraints().iter();
    let constraints = constraints.flat_map(|c| (0..c.rows()).map(move |r| (c.kind(), c.has_position(r))));
    joints.chain(constraints).collect()
}

/// (4 S(h) − S(2h)) / 3 of values at −2h, −h, h, 2h: off by about h⁴/30 of the fifth derivative.
fn slope(at: &[Vec<f64>; 4], r: usize, h: f64) -> f64 {
    let near = (at[2][r] - at[1][r]) / (2.0 * h);
    let far = (at[3][r] - at[0][r]) / (4.0 * h);
    (4.0 * near - far) / 3.0
}

/// Kinds of a scene, and the rows that are not the derivatives of their conditions, with J̇v times `sign`.
fn complaints(name: &str, text: &str, sign: f64) -> (BTreeSet<String>, Vec<String>) {
    let document = Document::parse(name, text).expect("a bundled scene");
    let scene = Scene::from_document(&document).expect("a bundled scene");
    let model = scene.to_model(&document).expect("a bundled scene");
    let mut sim = Simulation::new(model);
    let model = sim.model().clone();
    sim.run(0.013, 1e-3).unwrap_or_else(|e| panic!("{name}: {e}"));
    let own = sim.state().clone();
    // Random velocities that violate the joints slightly; where redundant rows then contradict each other, those of the run.
    let mut random = Rng::new(5);
    let mut wild = own.clone();
    wild.velocities_mut().iter_mut().for_each(|v| *v += random.range(-0.1, 0.1));
    let shift: Vec<f64> = own.velocities().iter().map(|_| random.range(-1e-3, 1e-3)).collect();
    wild.displace(&model, &shift);
    let solved =
        |sim: &mut Simulation, at: &State| sim.observe_at(at).accelerations().iter().all(|a| a.is_finite());
    let state = if solved(&mut sim, &wild) { wild } else { own };
    let now = sim.observe_at(&state);
    let rate = now.velocity_errors().to_vec();
    let bias: Vec<f64> = now.system().bias().iter().map(|c| sign * c).collect();
    let fastest = state.velocities().iter().fold(1.0, |w: f64, v| w.max(v.abs()));
    // A body turns by 2e-3 at most.
    let h = 1e-3 / fastest;
    let all = [-2.0, -1.0, 1.0, 2.0].map(|k| {
        let mut there = state.clone();
        let shift: Vec<f64> = state.velocities().iter().map(|v| v * k * h).collect();
        there.displace(&model, &shift);
        there.time += k * h;
        let now = sim.observe_at(&there);
        (now.position_errors().to_vec(), now.velocity_errors().to_vec())
    });
    let (places, rates) = (all.clone().map(|a| a.0), all.map(|a| a.1));
    let (mut kinds, mut bad) = (BTreeSet::new(), Vec::new());
    for (r, (kind, on_poses)) in rows(&model).into_iter().enumerate() {
        kinds.insert(kind.to_string());
        // The fifth derivative of a curve or cam of a few centimetres has up to 1e4 of the fourth power of its speed; rounding of numbers near
        // one is 1e-13 of the speed.
        let bound = 3e-8 * fastest;
        let off = slope(&places, r, h) - rate[r];
        if on_poses && off.abs() > bound {
            bad.push(format!(
                "{name}: row {r}, {kind}: Ċ is {:e}, differences of C are off by {off:e}",
                rate[r]
            ));
        }
        let off = slope(&rates, r, h) - bias[r];
        if off.abs() > bound * fastest {
            bad.push(format!(
                "{name}: row {r}, {kind}: J̇v is {:e}, differences of Ċ are off by {off:e}",
                bias[r]
            ));
        }
    }
    (kinds, bad)
}

#[test]
fn rows_are_the_derivatives_of_their_conditions_in_every_scene() {
    let (mut seen, mut bad) = (BTreeSet::new(), Vec::new());
    for (name, text) in bundled_scenes() {
        let (kinds, more) = complaints(&name, &text, 1.0);
        seen.extend(kinds);
        bad.extend(more);
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    // Names for the same are seen under one of them.
    for kind in cardan_scene::joint_kinds() {
        let name = kind.pair.map_or(kind.name, |pair| pair.name());
        assert!(seen.contains(name), "`{}` was not tried", kind.name);
    }
}

#[test]
fn a_wrong_sign_is_noticed() {
    for (name, text) in bundled_scenes() {
        if ["double-pendulum", "rolling-coin", "transmissions", "bead-on-curve"].contains(&name.as_str()) {
            assert!(!complaints(&name, &text, -1.0).1.is_empty(), "{name}");
        }
    }
}

//! Subtrees of one mechanism in lanes (`step/kernel/subtree_lanes.rs`) against the scalar
//! kernel: equal bits in all results.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::machine_has_avx2;
use cardan::force::{Drag, Force, Spring};
use cardan::joint::effort::{DryFriction, EffortKind, Motor, Servo, SpeedCurve};
use cardan::law::{Law, Sine};
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, EffortRule, End, Gravity, Integrator, Joint, Model, ModelBuilder, Settings, Simulation, Wrench,
};
use cardan_solve::articulated::f64x3::Avx2;
use cardan_testkit::Rng;
use std::sync::Arc;

const EULER: Integrator = Integrator::SemiImplicitEuler;

fn settings(integrator: Integrator) -> Settings {
    Settings { integrator, ..Settings::default() }
}

/// A row of legs on the ground, each of some links, with bars between neighbours: loops that share
/// their legs.
#[derive(Default)]
pub(crate) struct FourBarRow {
    pub(crate) legs: usize,
    pub(crate) links: usize,
    /// Lengths, masses and positions differ by up to this part.
    pub(crate) spread: f64,
    /// Bars end in ball joints, not hinges.
    pub(crate) balls: bool,
    /// Every this many legs there is no bar to the next.
    pub(crate) apart: usize,
    /// This many legs at the end turn about another axis at their second link, and their bars end
    /// in ball joints: loops in space.
    pub(crate) twisted: usize,
    /// Angle between the hinge axes of successive pairs of legs \[rad\].
    pub(crate) yaw: f64,
    /// Legs are driven, braked and sprung by efforts of all kinds.
    pub(crate) efforts: bool,
    /// Springs between legs, drag on them, and springs in the joints that close loops.
    pub(crate) forces: bool,
}

/// A hinge with efforts: another kind for each leg.
fn with_efforts(joint: Joint, leg: usize) -> Joint {
    let effort = |joint: Joint, kind: EffortKind| joint.with_effort(0, kind);
    let viscous = EffortKind::Friction(DryFriction { viscous: 0.4, ..DryFriction::default() });
    match leg % 5 {
        0 => joint.with_spring(30.0, 1.0, 0.4),
        1 => {
            let curve = SpeedCurve::new(&[[0.0, 20.0], [3.0, 0.0]]).expect("a curve");
            let motor = Motor { curve, law: Law::Constant(1.0), limit: 15.0 };
            effort(effort(joint, viscous), EffortKind::Motor(motor))
        }
        2 => {
            // At its limit for a part of the run.
            let servo = Servo { stiffness: 200.0, damping: 8.0, law: Law::Constant(0.3), limit: 12.0 };
            effort(joint, EffortKind::Servo(servo))
        }
        3 => {
            let law = Law::Sine(Sine { amplitude: 3.0, frequency: 4.0, ..Sine::default() });
            effort(effort(joint, EffortKind::Law(law)), viscous)
        }
        _ => joint,
    }
}

impl FourBarRow {
    pub(crate) fn build(&self, rng: &mut Rng) -> Arc<Model> {
        let mut parts = ModelBuilder::new(Gravity::new(0.3, 0.1, -9.81));
        let mut last: Option<(End, Vec3)> = None;
        for leg in 0..self.legs {
            let (pair, yaw) = (leg - leg % 2, self.yaw * (leg / 2) as f64);
            let turned =
                |x: f64, y: f64| vec3(x * yaw.cos() - y * yaw.sin(), x * yaw.sin() + y * yaw.cos(), 0.0);
            let (ahead, across) = (turned(1.0, 0.0), turned(0.0, 1.0));
            let is_twisted = leg + self.twisted >= self.legs;
            let mut at = vec3(pair as f64, 0.0, 0.0) + ahead * (leg % 2) as f64;
            let (mut on, mut bars) = (End::Ground, Vec::new());
            for link in 0..self.links {
                let length = 1.0 + self.spread * rng.range(-0.1, 0.1);
                let to = at + ahead * (0.3 * length) + vec3(0.0, 0.0, 0.95 * length);
                let axis = if is_twisted && link == 1 { ahead } else { across };
                let mass = 1.0 + self.spread * rng.range(-0.3, 0.3);
                let body = Body { pos: (at + to) * 0.5, ..Body::rod(mass, length, 0.05) };
                let body = parts.add_body(body);
                let joint = Joint::revolute(on, body, at, axis);
                parts.add_joint(if self.efforts && link == 0 { with_efforts(joint, leg) } else { joint });
                if self.forces && leg % 3 == 0 {
                    parts.add_force(Force::drag(
                        body,
                        [0.1, 0.0, 0.0],
                        Drag { linear: 0.3, quadratic: 0.1, angular: 0.02 },
                    ));
                }
                (on, at) = (body.into(), to);
                bars.push((on, at));
            }
            // A bar on the preceding leg, where the forest search finds it first; it closes a loop
            // on this one.
            if let Some((before, tip)) = last.filter(|_| leg % self.apart != 0) {
                let bar = parts.add_body(Body { pos: (at + tip) * 0.5, ..Body::rod(0.7, 1.0, 0.03) });
                parts.add_joint(Joint::revolute(bar, before, tip, across));
                parts.add_joint(match (self.balls || is_twisted, self.forces) {
                    (true, _) => Joint::spherical(bar, on, at),
                    (false, true) => Joint::revolute(on, bar, at, across).with_spring(5.0, 0.2, 0.1),
                    (false, false) => Joint::revolute(on, bar, at, across),
                });
                if self.forces {
                    let spring = Spring { stiffness: 40.0, damping: 0.5, rest_length: 0.8 };
                    parts.add_force(Force::spring(before, [0.0, 0.0, 0.1], on, [0.0, 0.1, 0.0], spring));
                }
            }
            last = bars.pop();
        }
        Arc::new(parts.build().expect("a row of legs"))
    }
}

/// Hashes of the states of a run, errors, energies, ledger and iterations; and the number of steps
/// taken in lanes.
fn run(model: &Arc<Model>, integrator: Integrator, scalar: bool, steps: u64) -> (Vec<u64>, u64) {
    Avx2::disable(scalar);
    let mut sim = Simulation::with_settings(model.clone(), settings(integrator)).expect("it can be set up");
    Avx2::disable(false);
    assert_eq!(sim.diagnostics().simd_step_count().is_some(), !scalar && machine_has_avx2());
    let mut bits = Vec::new();
    for k in 0..steps {
        // Steps of two sizes, and velocities and poses set from outside.
        let report = sim.step(if k % 3 == 0 { 1e-3 } else { 5e-4 }).expect("it steps");
        if k % 7 == 3 {
            sim.evaluate().expect("it can be looked at");
        }
        if k % 11 == 5 {
            let state = sim.state().clone();
            sim.restore(&state).expect("its own state");
        }
        let energy = sim.energy();
        let numbers = [report.position_error, report.velocity_error, energy.kinetic, energy.potential];
        bits.push(sim.state_hash());
        bits.extend(numbers.map(f64::to_bits));
        let ledger = sim.state().ledger;
        bits.extend([ledger.work, ledger.dissipated, ledger.integration_loss].map(f64::to_bits));
        for v in [ledger.impulse, ledger.angular_impulse] {
            bits.extend([v.x, v.y, v.z].map(f64::to_bits));
        }
        bits.extend([u64::from(report.rounds), sim.diagnostics().work_counts().iterations]);
    }
    (bits, sim.diagnostics().simd_step_count().unwrap_or(0))
}

#[test]
fn subtrees_in_lanes_have_the_bits_of_the_scalar_kernel() {
    let mut rng = Rng::new(7);
    for (legs, links, spread, balls, apart) in [
        (12, 1, 0.0, false, 1000),
        (12, 1, 1.0, false, 1000),
        (13, 2, 1.0, true, 1000),
        (17, 1, 1.0, false, 4),
        (16, 3, 0.5, true, 5),
        (24, 2, 0.0, true, 1),
    ] {
        let row = FourBarRow { legs, links, spread, balls, apart, ..FourBarRow::default() };
        let model = row.build(&mut rng);
        for integrator in [EULER, Integrator::ExplicitEuler] {
            let ((many, taken), (one, _)) =
                (run(&model, integrator, false, 40), run(&model, integrator, true, 40));
            let differ = many.iter().zip(&one).position(|(a, b)| a != b);
            assert_eq!(differ, None, "{legs} legs of {links} links, {integrator:?}");
            // The first step decides which rows are kept.
            assert!(taken >= 30 || !machine_has_avx2(), "{taken} of 40, {legs} legs of {links} links");
        }
    }
}

#[test]
fn spatial_loops_and_loops_that_keep_other_rows_run_in_lanes() {
    let mut rng = Rng::new(11);
    let row = |apart, twisted, yaw| FourBarRow {
        legs: 24,
        links: 2,
        spread: 0.5,
        apart,
        twisted,
        yaw,
        ..FourBarRow::default()
    };
    for (row, what) in [
        (row(1000, 24, 0.0), "three rows each"),
        (row(1000, 12, 0.0), "two rows and three"),
        (row(2, 0, 0.4), "other rows in every lane"),
        (row(2, 8, 0.4), "other rows, and more of them"),
    ] {
        let model = row.build(&mut rng);
        let ((many, taken), (one, _)) = (run(&model, EULER, false, 40), run(&model, EULER, true, 40));
        let differ = many.iter().zip(&one).position(|(a, b)| a != b);
        assert_eq!(differ, None, "{what}");
        assert!(taken >= 30 || !machine_has_avx2(), "{taken} of 40: {what}");
    }
}

#[test]
fn an_irregular_step_falls_back_to_the_scalar_kernel() {
    // It falls until all bars lie flat, where rows lose rank; then on.
    let row =
        FourBarRow { legs: 12, links: 1, spread: 0.0, balls: false, apart: 1000, ..FourBarRow::default() };
    let model = row.build(&mut Rng::new(1));
    let ((many, taken), (one, _)) = (run(&model, EULER, false, 2500), run(&model, EULER, true, 2500));
    let differ = many.iter().zip(&one).position(|(a, b)| a != b);
    assert_eq!(differ, None);
    assert!((100..2490).contains(&taken) || !machine_has_avx2(), "{taken} of 2500");
}

#[test]
fn few_subtrees_stay_scalar_and_unlike_subtrees_use_level_lanes() {
    let few =
        FourBarRow { legs: 3, links: 1, spread: 0.0, balls: false, apart: 1000, ..FourBarRow::default() };
    let model = few.build(&mut Rng::new(1));
    let mut sim = Simulation::with_settings(model, settings(EULER)).expect("it can be set up");
    assert_eq!(sim.diagnostics().simd_step_count(), None);
    let many =
        FourBarRow { legs: 16, links: 1, spread: 0.0, balls: false, apart: 1000, ..FourBarRow::default() };
    let model = many.build(&mut Rng::new(1));
    let mut sim = Simulation::with_settings(model, settings(Integrator::Rk4)).expect("it can be set up");
    assert_eq!(sim.diagnostics().simd_step_count(), None, "RK4 takes its stages one body after another");
    // Legs of one, two, three … links: no two alike.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    for leg in 0..8 {
        let mut on = End::Ground;
        for link in 0..=leg {
            let at = vec3(f64::from(leg), 0.0, -f64::from(link));
            let body = parts.add_body(Body { pos: at - vec3(0.0, 0.0, 0.5), ..Body::rod(1.0, 1.0, 0.05) });
            parts.add_joint(Joint::revolute(on, body, at, Vec3::Y));
            on = body.into();
        }
    }
    let model = parts.build().expect("legs of all lengths");
    let mut sim = Simulation::with_settings(model, settings(EULER)).expect("it can be set up");
    // Then bodies of different trees share lanes (`level_lanes.rs`), but no whole trees.
    assert_eq!(sim.diagnostics().simd_step_count().is_some(), machine_has_avx2());
}

#[test]
fn efforts_and_forces_in_loops_have_the_bits_of_the_scalar_kernel() {
    let mut rng = Rng::new(5);
    for (links, balls, twisted, efforts, forces) in [
        (1, false, 0, true, false),
        (2, true, 0, true, false),
        (2, false, 20, true, false),
        (1, false, 0, false, true),
        (2, true, 0, true, true),
    ] {
        let row = FourBarRow {
            legs: 20,
            links,
            spread: 0.5,
            balls,
            apart: 1000,
            twisted,
            efforts,
            forces,
            yaw: 0.0,
        };
        let model = row.build(&mut rng);
        for integrator in [EULER, Integrator::ExplicitEuler] {
            let ((many, taken), (one, _)) =
                (run(&model, integrator, false, 60), run(&model, integrator, true, 60));
            let differ = many.iter().zip(&one).position(|(a, b)| a != b);
            let what = format!("links {links}, efforts {efforts}, forces {forces}, {integrator:?}");
            assert_eq!(differ, None, "{what}");
            // A step in which an effort comes to its limit is scalar.
            assert!(taken >= 45 || Avx2::detect().is_none(), "{taken} of 60: {what}");
        }
    }
}

#[test]
fn a_long_run_with_efforts_in_loops_has_the_bits_of_the_scalar_kernel_and_closes_its_ledger() {
    let row =
        FourBarRow { legs: 20, links: 1, spread: 0.0, apart: 1000, efforts: true, ..FourBarRow::default() };
    let model = row.build(&mut Rng::new(3));
    let ((many, taken), (one, _)) = (run(&model, EULER, false, 1000), run(&model, EULER, true, 1000));
    assert_eq!(many.iter().zip(&one).position(|(a, b)| a != b), None);
    assert!(taken >= 800 || Avx2::detect().is_none(), "{taken} of 1000");
    // The balance is of order one: half the step, half its error.
    let mut off = Vec::new();
    for h in [1e-3, 5e-4] {
        let mut sim = Simulation::with_settings(model.clone(), settings(EULER)).expect("it can be set up");
        let before = sim.energy().balance();
        let mut worst_gap: f64 = 0.0;
        for _ in 0..(0.4 / h) as usize {
            worst_gap = worst_gap.max(sim.step(h).expect("it steps").position_error);
        }
        assert!(worst_gap < 1e-13, "joints open by {worst_gap}");
        off.push((sim.energy().balance() - before).abs());
    }
    assert!(off[1] < 0.6 * off[0], "{off:?}");
}

#[test]
fn commands_on_poses_have_the_bits_of_the_scalar_kernel() {
    let row =
        FourBarRow { legs: 20, links: 1, spread: 0.5, apart: 1000, efforts: true, ..FourBarRow::default() };
    let model = row.build(&mut Rng::new(9));
    let outcome = [false, true].map(|scalar| {
        Avx2::disable(scalar);
        let mut sim = Simulation::with_settings(model.clone(), settings(EULER)).expect("it can be set up");
        Avx2::disable(false);
        let joints: Vec<_> = model.joint_ids().collect();
        let bodies: Vec<_> = model.body_ids().collect();
        let mut bits = Vec::new();
        for k in 0..60 {
            match k {
                10 => sim.set_effort(joints[4], 0, 2.0).expect("a hinge"),
                20 => {
                    let wrench = Wrench { force: vec3(0.5, 0.0, 1.0), torque: vec3(0.0, 0.2, 0.0) };
                    sim.set_wrench(bodies[7], wrench).expect("a body");
                }
                40 => sim.clear_commands(),
                _ => {}
            }
            sim.step(1e-3).expect("it steps");
            bits.push(sim.state_hash());
        }
        (bits, sim.diagnostics().simd_step_count().unwrap_or(0))
    });
    let [(many, taken), (one, _)] = outcome;
    assert_eq!(many.iter().zip(&one).position(|(a, b)| a != b), None);
    assert!(taken >= 45 || Avx2::detect().is_none(), "{taken} of 60");
}

#[test]
fn explicit_efforts_in_loops_are_left_to_the_scalar_kernel() {
    let row =
        FourBarRow { legs: 20, links: 1, spread: 0.0, apart: 1000, efforts: true, ..FourBarRow::default() };
    let explicit = Settings { efforts: EffortRule::Explicit, ..settings(EULER) };
    let mut sim = Simulation::with_settings(row.build(&mut Rng::new(3)), explicit).expect("it can be set up");
    assert_eq!(sim.diagnostics().simd_step_count(), None);
}

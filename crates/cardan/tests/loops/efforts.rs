//! Efforts in closed loops and along prismatic joints, in semi-implicit Euler steps: the implicit rule
//! against a dense solve of its own equations, stiff actuators, and the energy account.

use cardan::joint::effort::{DryFriction, EffortKind, Servo};
use cardan::law::Law;
use cardan::prelude::*;
use cardan::{Coordinates, EffortRule, Integrator, JointId, Model, Settings, StepError};
use cardan_testkit::{Tolerance, assert_close};
use std::sync::Arc;

const H: f64 = 1e-3;

fn settings(coordinates: Coordinates) -> Settings {
    Settings { integrator: Integrator::SemiImplicitEuler, coordinates, ..Settings::default() }
}

fn viscous(viscous: f64) -> EffortKind {
    EffortKind::Friction(DryFriction { viscous, ..DryFriction::default() })
}

fn servo(stiffness: f64, damping: f64, target: f64) -> EffortKind {
    EffortKind::Servo(Servo { stiffness, damping, law: Law::Constant(target), limit: f64::INFINITY })
}

/// A body of 2 kg on a slide along x; nothing else acts along it.
fn slide(rate: f64, joint: impl FnOnce(Joint) -> Joint) -> (Arc<Model>, JointId) {
    let mut builder = ModelBuilder::new(Gravity::ZERO);
    let body = builder.add_body(Body { vel: vec3(rate, 0.0, 0.0), ..Body::rod(2.0, 0.3, 0.05) });
    let slide = builder.add_joint(joint(Joint::prismatic(Ground, body, [0.0; 3], [1.0, 0.0, 0.0])));
    (Arc::new(builder.build().expect("a body on a slide")), slide)
}

#[test]
fn damping_of_a_slide_is_stable_at_any_size_and_leads_to_the_exact_speed() {
    for coordinates in [Coordinates::Bodies, Coordinates::Joints] {
        for damping in [2.0, 1e3, 1e4, 1e5] {
            let push = EffortKind::Law(Law::Constant(0.5));
            let (model, joint) =
                slide(1.5, |joint| joint.with_effort(0, viscous(damping)).with_effort(0, push));
            let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
            let mut fastest: f64 = 1.5;
            for _ in 0..3000 {
                sim.step(H).unwrap();
                fastest = fastest.max(sim.rate(joint, 0).abs());
            }
            let (time, lag, terminal) = (sim.time(), 2.0 / damping, 0.5 / damping);
            assert!(fastest <= 1.5 + 1e-9, "{damping}: {fastest}");
            let rate = terminal + (1.5 - terminal) * libm::exp(-time / lag);
            let bound = Tolerance::because("a rule of order 1 after its transient", 0.01 * rate);
            assert_close(sim.rate(joint, 0), rate, bound);
        }
    }
}

#[test]
fn servos_of_a_slide_settle_at_any_stiffness_and_never_gain_energy() {
    for coordinates in [Coordinates::Bodies, Coordinates::Joints] {
        for stiffness in [1e2, 1e4, 1e6, 1e8] {
            let damping = 2.0 * libm::sqrt(stiffness * 2.0);
            let (model, joint) = slide(1.0, |joint| joint.with_effort(0, servo(stiffness, damping, 0.2)));
            let mut sim = Simulation::with_settings(model, settings(coordinates)).unwrap();
            let own = |sim: &mut Simulation| {
                let (at, rate) = (sim.coordinate(joint, 0) - 0.2, sim.rate(joint, 0));
                rate * rate + 0.5 * stiffness * at * at
            };
            let mut before = own(&mut sim);
            for step in 0..5000 {
                sim.step(H).unwrap();
                let now = own(&mut sim);
                assert!(now <= before * (1.0 + 1e-12) + 1e-18, "{stiffness}: step {step}: {before} → {now}");
                before = now;
            }
            assert_close(
                sim.coordinate(joint, 0),
                0.2,
                Tolerance::because("e⁻³⁰ of the start is left, and the rounding of a stiff servo", 1e-9),
            );
        }
    }
}

#[test]
fn an_explicit_step_that_is_too_long_for_a_slide_is_refused_with_the_one_that_would_do() {
    let explicit = Settings { efforts: EffortRule::Explicit, ..settings(Coordinates::Bodies) };
    let (model, joint) = slide(1.0, |joint| joint.with_effort(0, viscous(1e4)));
    let mut sim = Simulation::with_settings(model.clone(), explicit).unwrap();
    let hash = sim.state_hash();
    let error = sim.step(H).unwrap_err();
    let StepError::StiffJoint { most, .. } = error else { panic!("{error}") };
    assert_eq!(sim.state_hash(), hash);
    assert_close(most, 2.0 * 2.0 / 1e4, Tolerance::because("rounding", 1e-12 * most));
    let mut sim = Simulation::with_settings(model, explicit).unwrap();
    for _ in 0..100 {
        sim.step(0.9 * most).unwrap();
    }
    assert!(sim.rate(joint, 0).abs() < 1e-3);
}

/// Planar numbers of [`ram`]: pins of crank and cylinder on the ground, and the tip of the crank.
const CRANK: [f64; 2] = [0.0, 0.0];
const FOOT: [f64; 2] = [1.2, -0.3];
const TIP: [f64; 2] = [0.5, 0.8];

/// Efforts of the hinge of the crank and of the ram: stiffness, damping, target; and a push of the ram.
#[derive(Copy, Clone)]
struct RamEfforts {
    crank: [f64; 3],
    ram: [f64; 3],
    push: f64,
}

/// A crank that a ram turns: crank and cylinder on the ground, the rod in the cylinder and pinned to the
/// crank's tip. The pin closes the loop. All move in the x–z plane, the crank at `spin` \[rad/s\] about −y.
fn ram(spin: f64, efforts: RamEfforts) -> (Arc<Model>, [JointId; 2]) {
    let at = |p: [f64; 2]| vec3(p[0], 0.0, p[1]);
    let mut builder = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let along = (at(TIP) - at(FOOT)) / (at(TIP) - at(FOOT)).norm();
    let [x, z] = [TIP[0] - CRANK[0], TIP[1] - CRANK[1]];
    // Velocities that keep all joints: the tip turns about the crank's pin, the ram about its foot.
    let tip = vec3(-z, 0.0, x) * spin;
    let reach = at(TIP) - at(FOOT);
    let swing = (reach.x * tip.z - reach.z * tip.x) / reach.dot(reach);
    let slides = along * along.dot(tip);
    let about = |pin: [f64; 2], pos: Vec3, rate: f64| {
        let arm = pos - at(pin);
        vec3(-arm.z, 0.0, arm.x) * rate
    };
    let turning = |rate: f64| vec3(0.0, -rate, 0.0);
    let bar = |pos: Vec3, mass: f64, vel: Vec3, rate: f64| Body {
        pos,
        vel,
        omega: turning(rate),
        ..Body::rod(mass, 0.5, 0.04)
    };
    let centre = (at(CRANK) + at(TIP)) * 0.5;
    let crank = builder.add_body(bar(centre, 3.0, about(CRANK, centre, spin), spin));
    let centre = at(FOOT) + along * 0.3;
    let cylinder = builder.add_body(bar(centre, 2.0, about(FOOT, centre, swing), swing));
    let centre = at(TIP) - along * 0.25;
    let rod = builder.add_body(bar(centre, 1.0, about(FOOT, centre, swing) + slides, swing));
    let [stiffness, damping, target] = efforts.crank;
    let hinge = builder.add_joint(
        Joint::revolute(Ground, crank, at(CRANK), [0.0, -1.0, 0.0])
            .with_effort(0, servo(stiffness, damping, target)),
    );
    builder.add_joint(Joint::revolute(Ground, cylinder, at(FOOT), [0.0, -1.0, 0.0]));
    let [stiffness, damping, target] = efforts.ram;
    let stroke = builder.add_joint(
        Joint::prismatic(cylinder, rod, at(FOOT) + along * 0.5, along)
            .with_effort(0, servo(stiffness, damping, target))
            .with_effort(0, EffortKind::Law(Law::Constant(efforts.push))),
    );
    builder.add_joint(Joint::revolute(crank, rod, at(TIP), [0.0, -1.0, 0.0]));
    (Arc::new(builder.build().expect("a crank and its ram")), [hinge, stroke])
}

/// Solves a dense system by elimination with row exchanges.
fn dense_solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
        rows.swap(k, best);
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let part = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= part * p);
        }
    }
    for k in (0..n).rev() {
        rows[k][n] /= rows[k][k];
        for i in 0..k {
            rows[i][n] -= rows[i][k] * rows[k][n];
        }
    }
    rows.iter().map(|row| row[n]).collect()
}

/// Angular acceleration of the crank and acceleration of the ram's length by the implicit rule, in absolute
/// planar coordinates (x, z, θ) of the three bodies, by one dense solve:
///
/// ```text
/// [ M + Σ E g gᵀ   Jᵀ ] [ v̇ ]   [ F + Σ g (f − K h ṗ − E ġ·v) ]
/// [ J              0  ] [ λ ] = [ −J̇ v                         ]          E = h C + h² K,  ṗ = g·v
/// ```
fn planar_rule(spin: f64, efforts: RamEfforts, h: f64) -> [f64; 2] {
    let reach = [TIP[0] - FOOT[0], TIP[1] - FOOT[1]];
    let length = libm::hypot(reach[0], reach[1]);
    let e = [reach[0] / length, reach[1] / length];
    let crank = [TIP[0] - CRANK[0], TIP[1] - CRANK[1]];
    let tip = [-crank[1] * spin, crank[0] * spin];
    let swing = (reach[0] * tip[1] - reach[1] * tip[0]) / (length * length);
    let slide = e[0] * tip[0] + e[1] * tip[1];
    // Thin rods.
    let inertia = |mass: f64| mass * 0.5 * 0.5 / 12.0;
    let masses = [3.0, 2.0, 1.0];
    // Arms from the centres: crank to its pin and to the tip; cylinder to its foot; rod to the tip.
    let arms = |s: f64| [e[0] * s, e[1] * s];
    let (pin, to_tip) = ([-0.5 * crank[0], -0.5 * crank[1]], [0.5 * crank[0], 0.5 * crank[1]]);
    let (foot, rod_tip) = (arms(-0.3), arms(0.25));
    let mut jac = vec![[0.0; 9]; 8];
    let mut bias = [0.0; 8];
    // Position of a point p = x + R r: ṗ = ẋ + θ̇ (−r_z, r_x), centripetal −θ̇² r.
    let mut point = |row: usize, body: usize, arm: [f64; 2], rate: f64, sign: f64| {
        for k in 0..2 {
            jac[row + k][3 * body + k] += sign;
            jac[row + k][3 * body + 2] += sign * [-arm[1], arm[0]][k];
            bias[row + k] -= sign * rate * rate * arm[k];
        }
    };
    point(0, 0, pin, spin, 1.0);
    point(2, 1, foot, swing, 1.0);
    point(4, 0, to_tip, spin, 1.0);
    point(4, 2, rod_tip, swing, -1.0);
    // The rod turns with the cylinder and stays on its axis: n·(x_r − x_c) = 0 with n across the axis.
    (jac[6][5], jac[6][8]) = (-1.0, 1.0);
    let (n, apart) = ([-e[1], e[0]], length - 0.25 - 0.3);
    for k in 0..2 {
        jac[7][6 + k] += n[k];
        jac[7][3 + k] -= n[k];
    }
    jac[7][5] -= apart;
    // d²/dt² n·d with d = apart e, ḋ = slide e + apart θ̇ n: 2 ṅ·ḋ + n̈·d, ṅ = −θ̇ e.
    bias[7] = -2.0 * swing * slide;
    let mut g = [[0.0; 9]; 2];
    g[0][2] = 1.0;
    for k in 0..2 {
        g[1][6 + k] = e[k];
        g[1][3 + k] = -e[k];
    }
    // ġ·v of the length: 2 ė·ḋ + ë·d at zero acceleration, less what is in g: ė = θ̇ n.
    let curvature = [0.0, 2.0 * swing * swing * apart - swing * swing * apart];
    let rates = [spin, slide];
    let all = [efforts.crank, efforts.ram];
    let mut rows = vec![vec![0.0; 18]; 17];
    for body in 0..3 {
        let diagonal = [masses[body], masses[body], inertia(masses[body])];
        for (k, mass) in diagonal.into_iter().enumerate() {
            rows[3 * body + k][3 * body + k] = mass;
        }
        rows[3 * body + 1][17] = -9.81 * masses[body];
    }
    for p in 0..2 {
        let [stiffness, damping, target] = all[p];
        let own = h * damping + h * h * stiffness;
        let push = if p == 1 { efforts.push } else { 0.0 };
        // Both coordinates are zero at the start.
        let effort = push + stiffness * (target - h * rates[p]) - damping * rates[p] - own * curvature[p];
        for i in 0..9 {
            rows[i][17] += g[p][i] * effort;
            for j in 0..9 {
                rows[i][j] += own * g[p][i] * g[p][j];
            }
        }
    }
    for r in 0..8 {
        for i in 0..9 {
            rows[i][9 + r] = jac[r][i];
            rows[9 + r][i] = jac[r][i];
        }
        rows[9 + r][17] = -bias[r];
    }
    let solution = dense_solve(rows);
    let along = (0..9).map(|i| g[1][i] * solution[i]).sum::<f64>() + curvature[1];
    [solution[2], along]
}

#[test]
fn implicit_efforts_in_a_loop_solve_the_linearised_rule() {
    // Short steps with joint inertias E as large as those of the bodies: what the step itself changes is
    // small beside them.
    let h = 1e-7;
    for (crank, ram_effort, push) in [
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 400.0),
        ([0.0, 2.0 / h, 0.0], [0.0, 0.0, 0.0], 0.0),
        ([0.0, 0.0, 0.0], [0.0, 3.0 / h, 0.0], 0.0),
        ([5.0 / (h * h), 0.3 / h, 1e-8], [2.0 / (h * h), 0.7 / h, -2e-8], 1e3),
    ] {
        let efforts = RamEfforts { crank, ram: ram_effort, push };
        let spin = 1.7;
        let (model, [hinge, stroke]) = ram(spin, efforts);
        let mut sim = Simulation::with_settings(model, settings(Coordinates::Bodies)).unwrap();
        let before = [sim.rate(hinge, 0), sim.rate(stroke, 0)];
        assert_close(before[0], spin, Tolerance::because("rounding", 1e-12));
        sim.step(h).unwrap();
        let found = [sim.rate(hinge, 0) - before[0], sim.rate(stroke, 0) - before[1]].map(|x| x / h);
        for (found, wanted) in found.into_iter().zip(planar_rule(spin, efforts, h)) {
            let scale = 1.0 + wanted.abs();
            let bound =
                Tolerance::because("the pose moves by 2e-7 in the step; rounding of a difference", 3e-6);
            assert_close(found / scale, wanted / scale, bound);
        }
    }
}

#[test]
fn a_stiff_ram_in_a_loop_is_stable_stays_closed_and_closes_its_ledger() {
    for damping in [1e3, 1e4, 1e5] {
        let efforts = RamEfforts { crank: [0.0, 0.0, 0.0], ram: [20.0 * damping, damping, 0.05], push: 0.0 };
        let (model, [_, stroke]) = ram(0.5, efforts);
        let mut sim = Simulation::with_settings(model, settings(Coordinates::Bodies)).unwrap();
        let mut widest: f64 = 0.0;
        for _ in 0..2000 {
            let report = sim.step(H).unwrap();
            widest = widest.max(report.position_error);
        }
        assert!(widest < 1e-13, "joints open by {widest}");
        // 2 s are 40 of its time constants; the weight that is left stretches it by F/K.
        assert_close(
            sim.coordinate(stroke, 0),
            0.05,
            Tolerance::because("weight over stiffness", 100.0 / (20.0 * damping)),
        );
        assert!(sim.rate(stroke, 0).abs() < 1e-6);
    }
    // An implicit spring loses energy to the rule; that has its own entry, and the balance is of order one.
    let mut off = Vec::new();
    for h in [1e-3, 5e-4] {
        let efforts = RamEfforts { crank: [0.0, 0.0, 0.0], ram: [0.0, 200.0, 0.0], push: 30.0 };
        let (model, _) = ram(0.5, efforts);
        let mut sim = Simulation::with_settings(model, settings(Coordinates::Bodies)).unwrap();
        let before = sim.energy().balance();
        for _ in 0..(0.3 / h) as usize {
            sim.step(h).unwrap();
        }
        off.push((sim.energy().balance() - before).abs());
    }
    assert!(off[1] < 0.6 * off[0], "{off:?}");
}

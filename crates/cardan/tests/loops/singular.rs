//! Poses where rows lose their independence, or never had it.

use super::linkages::*;
use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, End, ErrorControl, Integrator, Joint, JointId, Model, Settings, Simulation, SolverChoice,
    StepError,
};

/// Angle of a rod of the x–y plane.
fn angle(rot: Quat) -> f64 {
    rot.twist_angle(Vec3::Z)
}

/// Runs until the flat pose has been passed `passes` times; the largest energy error and the
/// largest rotation of the coupler.
fn through_the_flat_pose(model: Model, h: f64, passes: usize) -> (f64, f64) {
    let mut sim = Simulation::new(model);
    sim.assemble().unwrap();
    let energy = sim.energy();
    let (start, size) = (energy.mechanical(), energy.kinetic);
    let (mut seen, mut steps) = (0, 0);
    let (mut worst, mut turned): (f64, f64) = (0.0, 0.0);
    let mut side = None;
    while seen < passes {
        sim.step(h).unwrap_or_else(|e| panic!("t = {}: {e}", sim.time()));
        steps += 1;
        assert!(steps < 100_000, "only {seen} passes");
        let now = sim.kinematics();
        let crank = angle(now.body(BodyId::of_index(0)).orientation).sin();
        let was = side.replace(crank > 0.0);
        seen += usize::from(was.is_some_and(|was| was != (crank > 0.0)));
        turned = turned.max(angle(now.body(BodyId::of_index(1)).orientation).abs());
        worst = worst.max((sim.energy().mechanical() - start).abs() / size);
    }
    println!("{passes} passes in {steps} steps of {h}: energy off by {worst:e}, coupler turned {turned:e}");
    (worst, turned)
}

#[test]
fn a_parallelogram_stays_one_through_its_flat_poses() {
    let gravity = vec3(0.0, -9.81, 0.0);
    // Fast enough to pass the top: 1 ms is then 1/600 of a turn and less.
    let (energy, turned) = through_the_flat_pose(parallelogram(0.7, gravity, Quat::IDENTITY, 30.0), 1e-3, 18);
    assert!(energy < 1e-9, "energy off by {energy:e}");
    assert!(turned < 1e-9, "the coupler has turned by {turned:e}: it is no parallelogram any more");
}

#[test]
fn a_straight_chain_between_two_walls_accelerates_finitely_or_says_what_is_wrong() {
    for n in [2, 3, 5, 10] {
        for gravity in [
            vec3(9.81, 0.0, 0.0),
            vec3(0.0, -9.81, 0.0),
            vec3(0.0, 0.0, -9.81),
            vec3(1.0, 2.0, 3.0),
            Vec3::ZERO,
        ] {
            let what = format!("{n} rods, gravity {gravity:?}");
            let mut drawing = Drawing::new(gravity, heading());
            let pins: Vec<Vec3> = (0..=n).map(|i| vec3(i as f64, 0.0, 0.0)).collect();
            drawing.chain(&pins, &vec![1.0; n], Vec3::Z, 0.0);
            let mut sim = Simulation::new(drawing.build());
            match sim.evaluate() {
                Ok(now) => {
                    assert!(now.accelerations().iter().all(|a| a.is_finite() && a.abs() < 1e3), "{what}");
                    assert!(now.multipliers().iter().all(|a| a.is_finite()), "{what}");
                }
                Err(error) => println!("{what}: {error}"),
            }
            // It cannot carry transverse loads: its length would have to grow, and a step may only
            // report that.
            for _ in 0..50 {
                let before = sim.state().clone();
                match sim.step(1e-3) {
                    Ok(report) => assert!(report.position_error < 1e-10, "{what}: {report:?}"),
                    Err(
                        error @ (StepError::CannotClose { .. }
                        | StepError::Conflict { .. }
                        | StepError::JointSingular { .. }
                        | StepError::Solver { .. }),
                    ) => {
                        println!("{what}: {error}");
                        assert_eq!(sim.state(), &before, "{what}: a failed step changes nothing");
                        break;
                    }
                    Err(error) => panic!("{what}: {error}"),
                }
            }
            assert!(sim.state().coordinates().iter().all(|x| x.is_finite()), "{what}");
        }
    }
}

/// Bennett's linkage: opposite links of lengths a, b and twists α, β with a / sin α = b / sin β. By
/// counting it cannot move.
fn bennett(spin: f64) -> Model {
    let (a, alpha, beta) = (0.5, 0.6f64, 1.1f64);
    let b = a * beta.sin() / alpha.sin();
    let theta = 1.0f64;
    let ratio = ((beta + alpha) / 2.0).sin() / ((beta - alpha) / 2.0).sin();
    let other = 2.0 * (ratio / (theta / 2.0).tan()).atan();
    // Denavit–Hartenberg: a rotation about z by θ, a shift along x by the length, a rotation about
    // x by the twist.
    let (mut pos, mut rot) = (Vec3::ZERO, Quat::IDENTITY);
    let (mut pins, mut axes) = (Vec::new(), Vec::new());
    for (angle, length, twist) in [(theta, a, alpha), (other, b, beta), (-theta, a, alpha), (-other, b, beta)]
    {
        pins.push(pos);
        axes.push(rot * Vec3::Z);
        rot = rot * Quat::exp(Vec3::Z * angle);
        pos += rot * (Vec3::X * length);
        rot = rot * Quat::exp(Vec3::X * twist);
    }
    // Rounding of four products of rotations.
    assert!(pos.norm() < 1e-12 && (rot * Vec3::Z - Vec3::Z).norm() < 1e-12, "the linkage is open: {pos:?}");
    let mut drawing = Drawing::new(vec3(0.0, 0.0, -2.0), Quat::IDENTITY);
    let mut last = Ground;
    // The fourth link, from pin 3 back to pin 0, is the ground.
    for i in 0..3 {
        let omega = if i == 0 { axes[0] * spin } else { Vec3::ZERO };
        let rod = drawing.rod(1.0, pins[i], pins[i + 1], omega);
        drawing.hinge(last, rod, pins[i], axes[i]);
        last = End::Body(rod);
    }
    drawing.hinge(last, Ground, pins[3], axes[3]);
    drawing.build()
}

#[test]
fn a_bennett_linkage_keeps_moving() {
    let mut sim = Simulation::new(bennett(12.0));
    sim.assemble().unwrap();
    assert_eq!(sim.evaluate().unwrap().rank(), 17, "18 coordinates, one freedom");
    let (mut worst, mut least): (f64, f64) = (0.0, f64::INFINITY);
    for k in 0..10_000 {
        let report = sim.step(1e-3).unwrap_or_else(|e| panic!("step {k}: {e}"));
        // Near its nearly singular poses projection ends at rounding over the remaining sine.
        assert!(report.position_error < 1e-10 && report.velocity_error < 1e-10, "step {k}: {report:?}");
        worst = worst.max(sim.balance().energy_error);
        least = least.min(sim.energy().kinetic);
    }
    let turned = sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
    println!("energy {worst:e}, least kinetic energy {least}, turned {turned} rad");
    // Truncation of RK4 at 1 ms and 12 rad/s, over 10 s.
    assert!(worst < 1e-7 && turned.abs() > 1.0, "energy {worst:e}, {turned} rad");
}

/// A four-bar of rigid bodies whose last hinge is misaligned by an angle about x.
fn crooked_four_bar(tilt: f64) -> Model {
    let mut drawing = Drawing::new(vec3(0.0, -9.81, 0.0), Quat::IDENTITY);
    let pins = [vec3(0.0, 0.0, 0.0), vec3(0.2, 0.35, 0.0), vec3(1.15, 0.88, 0.0), vec3(1.0, 0.0, 0.0)];
    let mut last = Ground;
    for pair in pins.windows(2) {
        let rod = drawing.rod(1.0, pair[0], pair[1], Vec3::Z * 3.0);
        drawing.hinge(last, rod, pair[0], Vec3::Z);
        last = End::Body(rod);
    }
    drawing.hinge(last, Ground, pins[3], vec3(0.0, tilt.sin(), tilt.cos()));
    drawing.build()
}

#[test]
fn a_four_bar_with_misaligned_hinges_moves_locks_or_is_refused_and_is_never_wrong() {
    for tilt in [1e-14, 1e-12, 1e-10, 3e-9, 3e-7, 1e-5, 1e-3] {
        let mut sim = Simulation::new(crooked_four_bar(tilt));
        let mut outcome = String::from("10 000 steps");
        let start = sim.energy().mechanical();
        for k in 0..10_000 {
            let before = sim.state().clone();
            match sim.step(1e-3) {
                Ok(report) => {
                    // Rows within the rank tolerance are closed to rounding over the tilt,
                    // velocities to that over the step.
                    assert!(
                        report.position_error < 1e-9 && report.velocity_error < 1e-7,
                        "tilt {tilt:e}, step {k}: {report:?}"
                    );
                }
                Err(error) => {
                    assert_eq!(sim.state(), &before, "tilt {tilt:e}");
                    outcome = format!("step {k}: {error}");
                    break;
                }
            }
        }
        assert!(sim.state().coordinates().iter().chain(sim.state().velocities()).all(|x| x.is_finite()));
        let gained = sim.energy().mechanical() - start;
        let kinetic = sim.energy().kinetic;
        println!(
            "tilt {tilt:e}: {outcome}; energy gained {gained:e} J, kinetic {kinetic:e} J, {:?}",
            sim.certificate()
        );
        // Assembly may remove kinetic energy; nothing adds any.
        assert!(gained < 1e-6, "tilt {tilt:e}: {gained} J from nowhere");
    }
}

#[test]
fn a_four_bar_locked_by_a_misalignment_moves_with_the_tolerance_that_the_diagnosis_offers() {
    const TILT: f64 = 3e-7;
    let locked = Simulation::new(crooked_four_bar(TILT));
    let diagnosis = locked.diagnose().unwrap().unwrap();
    let [group] = diagnosis.groups.as_slice() else { panic!("{diagnosis:?}") };
    assert_eq!((diagnosis.mobility(), group.locked_rows), (Some(0), 1), "{diagnosis:?}");
    // The misalignment is an estimate to first order in the tilt.
    assert!((group.misalignment / TILT - 1.0).abs() < 1e-3 && group.misaligned == ["j3"], "{group:?}");
    // Without a tolerance the four-bar is a structure, as its numbers say, and does not move.
    let mut locked = Simulation::new(crooked_four_bar(TILT));
    (0..100).for_each(|_| {
        locked.step(1e-3).unwrap();
    });
    // A structure at rest: speeds of rounding size, 1e-13 m/s, squared.
    assert!(locked.energy().kinetic < 1e-25, "{:?}", locked.energy());

    let settings = Settings { geometry_tolerance: group.tolerance, ..Settings::default() };
    let mut sim = Simulation::with_settings(crooked_four_bar(TILT), settings).unwrap();
    assert_eq!(sim.diagnose().unwrap().unwrap().mobility(), Some(1));
    let mut straight = Simulation::new(crooked_four_bar(0.0));
    sim.assemble().unwrap();
    let (mut apart, mut gape): (f64, f64) = (0.0, 0.0);
    for k in 0..10_000 {
        let report = sim.step(1e-3).unwrap_or_else(|e| panic!("step {k}: {e}"));
        straight.step(1e-3).unwrap();
        gape = gape.max(report.position_error);
        let both = sim.state().coordinates().iter().zip(straight.state().coordinates());
        apart = both.fold(apart, |w, (x, y)| w.max((x - y).abs()));
    }
    println!("gapes by {gape:e}, {apart:e} from the straight one, {:?}", sim.balance());
    // It reports the remaining error, about the misalignment; and it moves as the intended linkage,
    // whose motion a misalignment changes in proportion, times the phase that accumulates in ten
    // seconds.
    assert!(gape > 0.1 * TILT && gape < 3.0 * TILT, "gapes by {gape:e}");
    assert!(apart < 1e-4, "{apart:e} from the straight one");
    assert!(sim.balance().energy_error < 1e-8, "{:?}", sim.balance());

    let too_loose = Settings { geometry_tolerance: 0.1, ..Settings::default() };
    let refused = Simulation::with_settings(crooked_four_bar(TILT), too_loose);
    assert!(matches!(refused, Err(StepError::BadGeometryTolerance { .. })));
    let elsewhere = Settings { solver: SolverChoice::Sparse, ..settings };
    let refused = Simulation::with_settings(crooked_four_bar(TILT), elsewhere);
    assert!(matches!(refused, Err(StepError::NoGeometryTolerance { .. })));
}

fn door(hinges: &[f64]) -> Model {
    let mut parts = cardan::ModelBuilder::new(cardan::Gravity::new(3.0, 1.0, -9.81));
    let wing = parts.add_body(Body { pos: vec3(0.45, 0.0, 1.0), ..Body::rod(24.0, 0.9, 0.3) });
    for &z in hinges {
        parts.add_joint(Joint::revolute(Ground, wing, [0.0, 0.0, z], [0.0, 0.0, 1.0]));
    }
    parts.build().unwrap()
}

#[test]
fn a_door_on_three_hinges_swings_as_on_one_and_distributes_undetermined_reactions() {
    let mut three = Simulation::new(door(&[0.2, 1.0, 1.8]));
    let mut one = Simulation::new(door(&[1.0]));
    assert_eq!(three.diagnostics().solver_name(), "articulated");
    for k in 0..6000 {
        three.step(1e-3).unwrap_or_else(|e| panic!("step {k}: {e}"));
        one.step(1e-3).unwrap();
    }
    let apart = three.state().coordinates().iter().zip(one.state().coordinates());
    let apart = apart.fold(0.0f64, |w, (x, y)| w.max((x - y).abs()));
    // Sixty thousand roundings, which add up in the phase of a pendulum.
    assert!(apart < 1e-11, "the doors are {apart:e} apart");
    let (sum, unique) = {
        let now = three.evaluate().unwrap();
        assert_eq!(now.rank(), 5, "of 15 rows");
        let null = now.self_stresses(usize::MAX).unwrap();
        assert_eq!(null.len(), 10);
        let sum = (0..3).fold(Vec3::ZERO, |s, j| s + now.joint(JointId::of_index(j)).reaction.total().force);
        (sum, (0..3).map(|j| now.unique_joint_components(JointId::of_index(j), &null)).collect::<Vec<_>>())
    };
    let alone = one.evaluate().unwrap().joint(JointId::of_index(0)).reaction.total().force;
    // The sum of redundant reactions is unique, to the rounding of a solve with 15 rows of rank 5.
    assert!((sum - alone).norm() < 1e-8 * alone.norm(), "{sum:?} against {alone:?}");
    for (force, _) in unique {
        assert_eq!(force, [false; 3], "how hinges share a load is open");
    }
    // The other solvers agree.
    let settings = Settings { solver: SolverChoice::Dense, ..Settings::default() };
    let mut dense = Simulation::with_settings(three.model().clone(), settings).unwrap();
    dense.restore(three.state()).unwrap();
    let same: Vec<f64> = dense.evaluate().unwrap().accelerations().to_vec();
    let off = three
        .evaluate()
        .unwrap()
        .accelerations()
        .iter()
        .zip(&same)
        .fold(0.0f64, |w, (x, y)| w.max((x - y).abs()));
    // Rounding of accelerations of about 10 m/s² in a solve with redundant rows.
    assert!(off < 1e-11, "{off:e}");
}

/// Near the flat pose, where the branch of the antiparallelogram crosses, an error e of the
/// loop-closure rows asks for a correction of e/θ. Steps that start, end or are halved there must
/// not follow it. One pass in a hundred comes within 1e-4 rad.
#[test]
fn steps_that_begin_halve_or_end_in_the_flat_pose_do_not_kick_the_parallelogram() {
    let (mut worst, mut elsewhere): (f64, f64) = (0.0, 0.0);
    for i in 0..2000 {
        // Starts 4.5 µrad apart: the whole length of a step is covered.
        let model = parallelogram_from(-0.03 - 4.5e-6 * f64::from(i), 0.7, down(), heading(), 40.0);
        let mut sim = Simulation::new(model);
        sim.assemble().unwrap();
        let mut last = sim.energy().mechanical();
        let size = sim.energy().kinetic;
        let start = -0.03 - 4.5e-6 * f64::from(i);
        for _ in 0..12 {
            let before = start + sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
            let report = sim.step(1e-3).unwrap();
            // Projection ends at rounding over the remaining sine of the flat pose.
            assert!(report.position_error < 1e-10 && report.velocity_error < 1e-10, "start {i}: {report:?}");
            let after = start + sim.kinematics().joint(JointId::of_index(0)).coordinates[0];
            let now = sim.energy().mechanical();
            let kick = ((now - last) / size).abs();
            last = now;
            // As near to the flat pose as one pass in a hundred comes.
            let touches = before.abs().min(after.abs()).min((before + after).abs() / 2.0) < 1e-4;
            if touches {
                worst = worst.max(kick);
            } else {
                elsewhere = elsewhere.max(kick);
            }
        }
    }
    println!("the worst kick is {worst:e} of the energy; elsewhere {elsewhere:e}");
    // The velocity of a step is accurate to about 1e-8 there: the error before projection, which is
    // what may be corrected. Elsewhere the error is that of RK4.
    assert!(worst < 1e-7, "a kick of {worst:e} at the flat pose");
    assert!(elsewhere < 1e-11, "a kick of {elsewhere:e} away from the flat pose");
}

/// A slider-crank at its dead centre: crank and rod in line, the slider at rest.
fn dead_centre(spin: f64) -> Model {
    let mut drawing = Drawing::new(vec3(0.0, -9.81, 0.0), Quat::IDENTITY);
    let pins = [0.0, 0.3, 1.1].map(|x| vec3(x, 0.0, 0.0));
    let crank = drawing.rod(1.0, pins[0], pins[1], Vec3::Z * spin);
    let rod = drawing.rod(1.0, pins[1], pins[2], Vec3::Z * (-spin * 0.3 / 0.8));
    drawing.hinge(Ground, crank, pins[0], Vec3::Z);
    drawing.hinge(crank, rod, pins[1], Vec3::Z);
    let slider = drawing.rod(0.5, pins[2], pins[2] + vec3(0.2, 0.0, 0.0), Vec3::ZERO);
    drawing.hinge(rod, slider, pins[2], Vec3::Z);
    drawing.joint(cardan::JointKind::Prismatic, Ground, slider, pins[2], Vec3::X);
    drawing.build()
}

fn straight_chain(n: usize, gravity: Vec3) -> Model {
    let mut drawing = Drawing::new(gravity, Quat::IDENTITY);
    let pins: Vec<Vec3> = (0..=n).map(|i| vec3(i as f64, 0.0, 0.0)).collect();
    drawing.chain(&pins, &vec![1.0; n], Vec3::Z, 0.0);
    drawing.build()
}

fn adaptive(tolerance: f64) -> Settings {
    let control = ErrorControl::of(tolerance);
    Settings { integrator: Integrator::Dopri5, control, ..Settings::default() }
}

/// Steps small enough for the tolerance ended at the flat pose, where the branch is not determined:
/// they became as short as 1e-10 s, and lost half of the energy there. A step over the pose does
/// better.
#[test]
fn adaptive_steps_pass_the_flat_pose_at_every_tolerance() {
    for tolerance in [1e-9, 1e-10, 1e-12, 1e-13, 1e-14] {
        for spin in [25.0, 30.0, 37.0] {
            let model = parallelogram(0.7, vec3(0.0, -9.81, 0.0), Quat::IDENTITY, spin);
            let mut sim = Simulation::with_settings(model, adaptive(tolerance)).unwrap();
            sim.assemble().unwrap();
            sim.run(1.0, 1e-3).unwrap_or_else(|e| panic!("{tolerance:e}, {spin} rad/s: {e}"));
            let (energy, coupler) = (
                sim.balance().energy_error,
                angle(sim.kinematics().body(BodyId::of_index(1)).orientation).abs(),
            );
            let certificate = sim.certificate();
            println!(
                "{tolerance:e}, {spin} rad/s: {} steps, energy {energy:e}, coupler {coupler:e}",
                sim.steps()
            );
            // A dozen steps pass it, each accurate to 1e-10 of a velocity at worst.
            assert!(
                energy < 10.0 * tolerance + 1e-12,
                "{tolerance:e}, {spin} rad/s: energy off by {energy:e}"
            );
            // The branch is kept: the coupler of a parallelogram does not turn but for rounding
            // over the remaining sine.
            assert!(coupler < 1e-9, "{tolerance:e}, {spin} rad/s: the coupler has turned by {coupler:e}");
            assert!(certificate.max_position_error < 1e-12 && certificate.max_velocity_error < 1e-10);
        }
    }
}

/// Dead centres, straight chains, Bennett's linkage: every integrator gives finite numbers on the
/// joints, or reports the reason.
#[test]
fn every_integrator_moves_on_from_singular_poses_or_says_why_not() {
    let down = vec3(0.0, -9.81, 0.0);
    let models = [
        ("parallelogram", parallelogram(0.7, down, Quat::IDENTITY, 30.0)),
        ("parallelogram from its flat pose", parallelogram_from(0.0, 0.7, down, Quat::IDENTITY, 30.0)),
        (
            "parallelogram at rest in its flat pose",
            parallelogram_from(0.0, 0.7, Vec3::ZERO, Quat::IDENTITY, 0.0),
        ),
        ("dead centre", dead_centre(10.0)),
        ("dead centre at rest", dead_centre(0.0)),
        ("two rods in line, pulled along", straight_chain(2, vec3(9.81, 0.0, 0.0))),
        ("two rods in line, pulled across", straight_chain(2, down)),
        ("three rods in line, pulled across", straight_chain(3, down)),
        ("five rods in line", straight_chain(5, Vec3::ZERO)),
        ("Bennett", bennett(12.0)),
    ];
    let long = Settings { integrator: Integrator::Rattle, ..Settings::default() };
    for (name, model) in models {
        let model = std::sync::Arc::new(model);
        for settings in [Settings::default(), long, adaptive(1e-10), adaptive(1e-14)] {
            let what = format!("{name}, {:?} to {:e}", settings.integrator, settings.control.relative);
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            let outcome = sim.assemble().and_then(|_| sim.run(0.1, 1e-3).map(|_| ()));
            let state = sim.state();
            assert!(state.coordinates().iter().chain(state.velocities()).all(|x| x.is_finite()), "{what}");
            // Projection ends at rounding over the remaining sine.
            assert!(sim.certificate().max_position_error < 1e-10, "{what}: {:?}", sim.certificate());
            match outcome {
                // Mechanisms that are not near such a pose succeed.
                Err(error) if name.starts_with("dead") || name == "Bennett" => panic!("{what}: {error}"),
                Err(StepError::Conflict { with, .. }) => assert!(!with.is_empty(), "{what}"),
                Err(StepError::CannotClose { left, .. }) => assert!(left < 0.03, "{what}: {left:e} is left"),
                Err(error) => panic!("{what}: {error}"),
                Ok(()) => {}
            }
        }
    }
}

/// Velocities of a beam at rest are negligible relative to what gravity and reactions would cause
/// in a step, and so is their rounding.
#[test]
fn long_steps_settle_at_rest() {
    for height in [0.0, 0.3] {
        let mut parts = cardan::ModelBuilder::new(cardan::Gravity::new(0.0, 0.0, -9.81));
        let beam = parts.add_body(Body { pos: vec3(0.5, 0.0, height), ..Body::rod(2.0, 1.0, 0.1) });
        parts.add_joint(
            Joint::revolute(Ground, beam, [0.0, 0.0, height], [0.0, 1.0, 0.0]).with_spring(50.0, 5.0, 0.1962),
        );
        parts.add_joint(Joint::revolute(Ground, beam, [0.0, 0.4, height], [0.0, 1.0, 0.0]));
        let settings = Settings { integrator: Integrator::Rattle, ..Settings::default() };
        let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
        // It oscillates, damped, and then rests to rounding.
        for k in 0..12_000 {
            sim.step(1e-3).unwrap_or_else(|e| panic!("step {k}: {e}"));
        }
        assert!(sim.energy().kinetic < 1e-20, "{:?}", sim.energy());
    }
}

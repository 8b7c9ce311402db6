//! Rolling: rows against the motion of material points at the contact, and motions with known
//! solutions.

use super::velocities::{ENDS, freedoms, is_workless, poses, random_model, rows_are_slopes};
use super::{common, matches_differences};
use cardan::End::Ground;
use cardan::constraint::{Rolling, RollingError, Track, Wheel};
use cardan::math::{Quat, Vec3, vec3};
use cardan::solve::Role;
use cardan::{
    Body, BodyId, BodyKind, ConstraintId, Coordinates, End, ErrorControl, Frame, Gravity, Integrator, Joint,
    Model, ModelBuilder, Settings, Simulation, SolidShape, Stabilization, StepError, UserConstraint,
};
use cardan_testkit::Rng;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

const G: f64 = 9.81;

/// Normal and contact, computed independently of the engine.
fn contact(wheel: Wheel, track: Track, a: &(Vec3, Quat), b: &(Vec3, Quat)) -> (Vec3, Vec3) {
    let outward = (b.0 - a.0).normalized().unwrap();
    let n = match track {
        Track::Plane => a.1 * Vec3::Z,
        Track::Sphere(_) => outward,
        Track::Shell(_) => -outward,
    };
    let down = match wheel {
        Wheel::Ball { radius } => n * radius,
        Wheel::Disc { radius, tyre } => {
            // The rim's lowest point is perpendicular to the axis and to the horizontal line of the
            // disc.
            let axis = b.1 * Vec3::Z;
            let level = n.cross(axis).normalized().unwrap();
            let up = axis.cross(level);
            up * ((radius - tyre) * up.dot(n).signum()) + n * tyre
        }
    };
    (n, b.0 - down)
}

fn local((pos, rot): &(Vec3, Quat), point: Vec3) -> Vec3 {
    rot.inverse() * (point - *pos)
}

type Place = (Vec3, Quat);

pub(crate) fn rows_are_those_of_the_contact(
    model: &Arc<Model>,
    locals: &[Frame],
    what: &str,
    contact: impl Fn(&Place, &Place) -> (Vec3, Vec3),
) {
    matches_differences(model, model.initial_state(), what);
    let n = model.counts().coordinates;
    let start = poses(model, locals, &vec![0.0; n]);
    let (normal, touch) = contact(&start[0], &start[1]);
    let (in_a, in_b) = (local(&start[0], touch), local(&start[1], touch));
    // The directions are those of the force on b.
    let mut sim = Simulation::new(model.clone());
    let (_, jac) = common::dense(sim.evaluate().unwrap().system());
    let of_b = model.bodies().last().unwrap();
    let at = n - of_b.kind.dim();
    let flat = of_b.kind.is_planar();
    let rows = model.constraints()[0].rows().min(3);
    let along: Vec<Vec3> = (0..rows)
        .map(|r| vec3(jac[(r, at)], jac[(r, at + 1)], if flat { 0.0 } else { jac[(r, at + 2)] }))
        .collect();
    let in_space = !flat || model.bodies().iter().any(|body| !body.kind.is_planar());
    if in_space && !flat {
        for (i, t) in along.iter().enumerate() {
            // The rows are orthonormal directions: rounding of normalised vectors.
            assert!((t.dot(normal) - if i == 0 { 1.0 } else { 0.0 }).abs() < 1e-13, "{what}: row {i}");
            for (k, other) in along.iter().enumerate() {
                assert!((t.dot(*other) - if i == k { 1.0 } else { 0.0 }).abs() < 1e-13, "{what}: {i}, {k}");
            }
        }
    }
    rows_are_slopes(model, 0..rows, what, |shift| {
        let now = poses(model, locals, shift);
        let gap = now[1].0 + now[1].1 * in_b - now[0].0 - now[0].1 * in_a;
        along.iter().map(|t| t.dot(gap)).collect()
    });
    assert!(is_workless(model, what), "{what}: nothing is exerted");
    assert_eq!(freedoms(model), n - model.constraints()[0].rows(), "{what}");
    assert_eq!(model.constraint_role(ConstraintId::of_index(0)), Some(Role::Primary), "{what}");
    let on_poses: Vec<bool> = (0..rows).map(|r| model.constraints()[0].has_position(r)).collect();
    assert!(on_poses[0] && on_poses[1..].iter().all(|p| !p));
}

#[test]
fn every_wheel_on_every_track_constrains_its_contact_point() {
    let ball = Wheel::Ball { radius: 0.3 };
    let pairs = [
        (ball, Track::Plane),
        (Wheel::Disc { radius: 0.4, tyre: 0.0 }, Track::Plane),
        (Wheel::Disc { radius: 0.4, tyre: 0.15 }, Track::Plane),
        (ball, Track::Sphere(0.9)),
        (ball, Track::Shell(2.0)),
    ];
    for (wheel, track) in pairs {
        for a in [None, Some(BodyKind::Rigid)] {
            for seed in 0..6 {
                let mut rng = Rng::new(seed);
                let rule = Rolling::new(wheel, track).unwrap();
                let kinds = [a, Some(BodyKind::Rigid)];
                let (model, locals) = random_model(&mut rng, &kinds, Quat::IDENTITY, rule);
                let what = format!("{wheel:?} on {track:?} of {a:?}, seed {seed}");
                rows_are_those_of_the_contact(&model, &locals, &what, |a, b| contact(wheel, track, a, b));
            }
        }
    }
}

#[test]
fn wheels_in_the_plane_have_a_gap_and_a_slip() {
    let wheel = Wheel::Ball { radius: 0.3 };
    // z and x of the frames in the plane.
    let upright = Quat::exp(vec3(-FRAC_PI_2, 0.0, 0.0));
    for track in [Track::Plane, Track::Sphere(0.9), Track::Shell(2.0)] {
        for a in [None, Some(BodyKind::Planar)] {
            for seed in 0..6 {
                let rule = Rolling::new(wheel, track).unwrap().in_plane().unwrap();
                let kinds = [a, Some(BodyKind::Planar)];
                let (model, locals) = random_model(&mut Rng::new(seed), &kinds, upright, rule);
                let what = format!("in the plane on {track:?} of {a:?}, seed {seed}");
                rows_are_those_of_the_contact(&model, &locals, &what, |a, b| contact(wheel, track, a, b));
            }
        }
    }
}

#[test]
fn without_twist_the_spins_about_the_normal_agree() {
    for (seed, a) in [None, Some(BodyKind::Rigid)].into_iter().enumerate() {
        for track in [Track::Plane, Track::Shell(2.0)] {
            let wheel = Wheel::Ball { radius: 0.3 };
            let rule = Rolling::new(wheel, track).unwrap().without_twist().unwrap();
            let kinds = [a, Some(BodyKind::Rigid)];
            let (model, locals) = random_model(&mut Rng::new(seed as u64), &kinds, Quat::IDENTITY, rule);
            let what = format!("without twist on {track:?} of {a:?}");
            rows_are_those_of_the_contact(&model, &locals, &what, |a, b| contact(wheel, track, a, b));
            let start = poses(&model, &locals, &vec![0.0; model.counts().coordinates]);
            let (n, _) = contact(wheel, track, &start[0], &start[1]);
            let x = n.any_perpendicular().unwrap();
            let y = n.cross(x);
            let own = [local(&(Vec3::ZERO, start[0].1), x), local(&(Vec3::ZERO, start[1].1), x)];
            rows_are_slopes(&model, 3..4, &what, |shift| {
                let now = poses(&model, &locals, shift);
                vec![y.dot(now[1].1 * own[1]) - y.dot(now[0].1 * own[0])]
            });
        }
    }
}

/// Off the plane a planar body can still roll on a body in space: rows outside of its freedoms are
/// redundant.
#[test]
fn ends_of_every_kind_that_turns_can_roll_and_points_cannot() {
    for (a, b) in ENDS.into_iter().flat_map(|a| ENDS.map(|b| (a, b))).filter(|(_, b)| b.is_some()) {
        let rule = Rolling::new(Wheel::Ball { radius: 0.3 }, Track::Plane).unwrap();
        let (model, _) = random_model(&mut Rng::new(3), &[a, b], Quat::exp(vec3(-FRAC_PI_2, 0.0, 0.0)), rule);
        matches_differences(&model, model.initial_state(), &format!("{a:?}, {b:?}"));
    }
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let point = parts.add_body(Body::particle(1.0));
    let rule = Rolling::new(Wheel::Ball { radius: 0.3 }, Track::Plane).unwrap();
    rolls(&mut parts, Ground, Frame::default(), point.into(), Frame::default(), rule);
    let error = parts.build().unwrap_err().to_string();
    assert!(error.contains("rolling"), "{error}");
}

#[test]
fn invalid_rolling_constraints_are_refused() {
    let ball = |radius| Wheel::Ball { radius };
    let disc = |tyre| Wheel::Disc { radius: 0.2, tyre };
    assert_eq!(Rolling::new(ball(0.0), Track::Plane), Err(RollingError::Radius));
    assert_eq!(Rolling::new(ball(f64::NAN), Track::Plane), Err(RollingError::Radius));
    assert_eq!(Rolling::new(ball(0.1), Track::Sphere(-1.0)), Err(RollingError::Radius));
    assert_eq!(Rolling::new(ball(0.1), Track::Shell(0.1)), Err(RollingError::Shell));
    assert_eq!(Rolling::new(disc(0.3), Track::Plane), Err(RollingError::Tyre));
    assert_eq!(Rolling::new(disc(-0.1), Track::Plane), Err(RollingError::Tyre));
    assert_eq!(Rolling::new(disc(0.0), Track::Shell(0.2)), Err(RollingError::Shell));
    assert_eq!(Rolling::new(disc(0.0), Track::Plane).unwrap().in_plane(), Err(RollingError::InPlane));
    let held = Rolling::new(ball(0.1), Track::Plane).unwrap().without_twist().unwrap();
    assert_eq!(held.in_plane(), Err(RollingError::InPlane));
}

pub(crate) fn rolls(parts: &mut ModelBuilder, a: End, on_a: Frame, b: End, on_b: Frame, rule: Rolling) {
    let frames = vec![(a, on_a), (b, on_b)];
    parts.add_constraint(UserConstraint { name: "contact".into(), frames, rule: Arc::new(rule) });
}

/// A coin in motion in a given pose; assembly puts it on the plane.
fn coin(tilt: f64, omega: Vec3) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let radius = 0.1;
    let shape = SolidShape::Cylinder { radius, length: 0.002 };
    // Tilted by `tilt` about y: the axis, x of the shape, points down on one side.
    let rot = Quat::exp(vec3(0.0, tilt, 0.0));
    let up = rot * Vec3::Z;
    let vel = omega.cross(up * radius);
    let body = parts.add_body(Body { pos: up * radius, rot, vel, omega, ..Body::solid(shape, 0.05) });
    let rule = Rolling::new(Wheel::Disc { radius, tyre: 0.0 }, Track::Plane).unwrap();
    let along_x = Frame { pos: Vec3::ZERO, rot: Quat::with_z_along(Vec3::X, None).unwrap() };
    rolls(&mut parts, Ground, Frame::default(), body.into(), along_x, rule);
    Simulation::new(parts.build().unwrap())
}

#[test]
fn a_coin_rolls_in_a_steady_circle_at_the_rate_of_the_closed_form() {
    // (C + m r²) ω_k Ω sin θ − A Ω² sin θ cos θ + m g r cos θ = 0, θ from the vertical to the axis
    // k, ω_k = k·ω.
    let (m, r) = (0.05, 0.1);
    let (c, a) = (0.5 * m * r * r, m * (3.0 * r * r + 0.002 * 0.002) / 12.0);
    let tilt = 0.35;
    // k = (cos tilt, 0, −sin tilt)
    let (cos, sin) = (-f64::sin(tilt), f64::cos(tilt));
    for precession in [2.0, -4.0, 9.0] {
        let spin = (a * precession * precession * sin * cos - m * G * r * cos)
            / ((c + m * r * r) * precession * sin);
        let k = vec3(sin, 0.0, cos);
        let omega = Vec3::Z * precession + k * (spin - precession * cos);
        let mut sim = coin(tilt, omega);
        let period = TAU / f64::abs(precession);
        let start = sim.kinematics().body(BodyId::of_index(0));
        sim.run(period, period / 4000.0).unwrap();
        let end = sim.kinematics().body(BodyId::of_index(0));
        // Truncation of RK4 with 4000 steps per revolution; the spin is faster than the precession,
        // and speeds lose a digit for each derivative.
        assert!((end.position - start.position).largest() < 1e-9, "{precession}: {end:?}");
        assert!((end.velocity - start.velocity).largest() < 1e-8, "{precession}: {end:?}");
        assert!((end.angular_velocity - omega).largest() < 1e-7, "{precession}: {end:?}");
    }
}

#[test]
fn a_wobbling_coin_conserves_energy_to_fourth_order_and_does_not_slip() {
    let run = |h: f64| {
        let mut sim = coin(0.5, vec3(6.0, 1.0, 4.0));
        sim.assemble().unwrap();
        let start = sim.energy().mechanical();
        let mut slip: f64 = 0.0;
        while sim.time() < 0.999 {
            sim.step(h).unwrap();
            slip = slip.max(sim.kinematics().velocity_errors().iter().fold(0.0, |w: f64, e| w.max(e.abs())));
        }
        // Projection ends at rounding of speeds of some m/s and positions below 1 m.
        assert!(slip < 1e-12, "slips at {slip:e}");
        assert!(sim.certificate().max_position_error < 1e-14, "{:?}", sim.certificate());
        (sim.energy().mechanical() - start).abs()
    };
    let (coarse, fine) = (run(4e-3), run(2e-3));
    // Order 4 divides by 16; a quarter less is allowed for higher terms.
    assert!(fine < 1e-8 && coarse > 12.0 * fine, "{coarse:e}, {fine:e}");
}

/// A ball in a fixed shell: the spin about the normal is conserved (Routh), and so is energy.
fn ball_in_shell(place: f64, vel: Vec3, spin: f64, settings: Settings) -> Simulation {
    let (shell, radius) = (1.0, 0.2);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let n = vec3(-place.sin(), 0.0, place.cos());
    // v = ω × r n, and so ω = n × v / r + spin n.
    let omega = n.cross(vel) * (1.0 / radius) + n * spin;
    let ball = parts.add_body(Body {
        pos: n * (radius - shell),
        vel,
        omega,
        ..Body::solid(SolidShape::Sphere { radius }, 1.5)
    });
    let rule = Rolling::new(Wheel::Ball { radius }, Track::Shell(shell)).unwrap();
    rolls(&mut parts, Ground, Frame::default(), ball.into(), Frame::default(), rule);
    Simulation::with_settings(parts.build().unwrap(), settings).unwrap()
}

#[test]
fn a_ball_in_a_shell_keeps_its_spin_about_the_normal() {
    // Fast enough to pass the top, through both poles of the tangents.
    for (place, speed, spin) in [(0.6, 1.0, 20.0), (0.1, 8.0, -30.0)] {
        let vel = vec3(f64::cos(place) * speed, 0.7 * speed, f64::sin(place) * speed);
        let vel = vec3(vel.x, vel.y, vel.z);
        let mut sim = ball_in_shell(place, vel, spin, Settings::default());
        let energy = sim.energy().mechanical();
        for _ in 0..2000 {
            sim.step(1e-3).unwrap();
            let ball = sim.kinematics().body(BodyId::of_index(0));
            let n = -ball.position.normalized().unwrap();
            let found = n.dot(ball.angular_velocity);
            // Truncation of RK4 at 1 ms of spins of up to 30 rad/s: (0.03)⁴/120 = 7e-9 per radian,
            // over some ten rad.
            assert!((found - spin).abs() < 2e-7, "t = {}: {found}", sim.time());
        }
        // Truncation of RK4 as of the spin; the contact is closed to rounding.
        assert!(
            (sim.energy().mechanical() - energy).abs() < 1e-7,
            "{:e}",
            sim.energy().mechanical() - energy
        );
        assert!(sim.certificate().max_position_error < 1e-14, "{:?}", sim.certificate());
    }
}

/// A ball without spin rolls through the lowest point as a pendulum of length 7/5 (R − r).
#[test]
fn a_ball_in_a_shell_swings_like_a_longer_pendulum() {
    let theta = 1.0;
    let mut sim = ball_in_shell(theta, Vec3::ZERO, 0.0, Settings::default());
    // T = 4 √(l/g) K(sin θ₀/2), by the arithmetic-geometric mean.
    let (mut x, mut y) = (1.0, f64::cos(0.5 * theta));
    for _ in 0..8 {
        (x, y) = (0.5 * (x + y), f64::sqrt(x * y));
    }
    let period = TAU * f64::sqrt(1.4 * 0.8 / G) / x;
    let start = sim.kinematics().body(BodyId::of_index(0)).position;
    sim.run(period, period / 2000.0).unwrap();
    let end = sim.kinematics().body(BodyId::of_index(0));
    // Truncation of RK4 with 2000 steps per period: (2π/2000)⁴/120 = 8e-13 per radian; at the
    // turning point it enters squared in the position.
    assert!((end.position - start).largest() < 1e-10, "{:?}", end.position - start);
    assert!(end.velocity.largest() < 1e-9, "{:?}", end.velocity);
}

#[test]
fn a_ball_with_a_tyre_as_thick_as_itself_is_a_ball() {
    let run = |wheel: Wheel| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
        let table = parts.add_body(Body {
            omega: vec3(0.0, 0.0, 2.0),
            ..Body::solid(SolidShape::Box { size: [2.0, 2.0, 0.1] }, 3.0)
        });
        parts.add_joint(Joint::revolute(Ground, table, Vec3::ZERO, vec3(0.1, 0.0, 1.0)));
        let ball = parts.add_body(Body {
            pos: vec3(0.3, 0.1, 0.25),
            ..Body::solid(SolidShape::Sphere { radius: 0.2 }, 1.0)
        });
        let rule = Rolling::new(wheel, Track::Plane).unwrap();
        let on_table = Frame { pos: vec3(0.0, 0.0, 0.05), rot: Quat::IDENTITY };
        rolls(
            &mut parts,
            table.into(),
            on_table,
            ball.into(),
            Frame { pos: Vec3::ZERO, rot: Quat::exp(vec3(1.0, 0.3, 0.0)) },
            rule,
        );
        let mut sim = Simulation::new(parts.build().unwrap());
        assert_eq!(sim.model().constraint_role(ConstraintId::of_index(0)), Some(Role::Primary));
        sim.assemble().unwrap();
        let energy = sim.energy().mechanical();
        sim.run(1.0, 1e-3).unwrap();
        // The hinge is tilted: weight alone does work.
        assert!(
            (sim.energy().mechanical() - energy).abs() < 1e-10,
            "{:e}",
            sim.energy().mechanical() - energy
        );
        sim.kinematics().body(BodyId::of_index(1)).position
    };
    let (ball, wheel) = (run(Wheel::Ball { radius: 0.2 }), run(Wheel::Disc { radius: 0.2, tyre: 0.2 }));
    // Two closed forms of one contact: rounding along a regular path.
    assert!((ball - wheel).largest() < 1e-12, "{ball:?}, {wheel:?}");
}

/// a = g sin α / (1 + I/(m r²)), in the plane and with a moving wedge beneath: exactly, as RK4 is
/// for constant accelerations.
#[test]
fn a_wheel_in_the_plane_rolls_down_a_slope() {
    let (alpha, radius, mass, inertia) = (0.4, 0.15, 2.0, 0.03);
    let n = vec3(-f64::sin(alpha), f64::cos(alpha), 0.0);
    let down = vec3(-f64::cos(alpha), -f64::sin(alpha), 0.0);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
    let wheel = parts.add_body(Body { pos: n * radius, ..Body::planar(mass, inertia) });
    let rule = Rolling::new(Wheel::Ball { radius }, Track::Plane).unwrap().in_plane().unwrap();
    let slope = Frame { pos: Vec3::ZERO, rot: Quat::with_z_along(n, Some(down)).unwrap() };
    rolls(&mut parts, Ground, slope, wheel.into(), Frame::default(), rule);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(1.0, 1e-2).unwrap();
    let way = 0.5 * G * f64::sin(alpha) / (1.0 + inertia / (mass * radius * radius));
    let now = sim.kinematics().body(BodyId::of_index(0));
    // RK4 is exact for a parabola: 100 steps of rounding.
    assert!((now.position - n * radius - down * way).largest() < 1e-12, "{:?}", now.position);
    // It rolls to the left: the rotation is positive.
    assert!((now.angular_velocity.z - 2.0 * way / radius).abs() < 1e-11, "{:?}", now.angular_velocity);
}

/// Integrators either run it or refuse it by name.
#[test]
fn every_integrator_rolls_or_refuses() {
    let vel = vec3(0.5, 0.7, 0.0);
    let end = |settings: Settings, h: f64| {
        let mut sim = ball_in_shell(0.0, vel, 5.0, settings);
        sim.run(1.0, h).unwrap();
        let slip = sim.kinematics().velocity_errors().iter().fold(0.0, |w: f64, e| w.max(e.abs()));
        (sim.kinematics().body(BodyId::of_index(0)).position, slip)
    };
    let exact = end(Settings::default(), 2e-4).0;
    let adaptive =
        Settings { integrator: Integrator::Dopri5, control: ErrorControl::of(1e-12), ..Settings::default() };
    let (place, slip) = end(adaptive, 1e-3);
    // A tolerance of 1e-12 over some thousand steps; slip is projected to rounding.
    assert!((place - exact).largest() < 1e-10 && slip < 1e-12, "{place:?}, {slip:e}");
    let joints = Settings { coordinates: Coordinates::Joints, ..Settings::default() };
    let (place, slip) = end(joints, 1e-3);
    // Truncation of RK4 at 1 ms in other coordinates.
    assert!((place - exact).largest() < 1e-9 && slip < 1e-12, "{place:?}, {slip:e}");
    // Feedback corrects the errors of the inner stages, too, at the cost of some of the order.
    let errors = [1e-3, 5e-4].map(|h| {
        let feedback = Settings { stabilization: Stabilization::baumgarte(h), ..Settings::default() };
        let (place, slip) = end(feedback, h);
        ((place - exact).largest(), slip)
    });
    // Slip of feedback is of the order of the step's truncation, and falls with it.
    assert!(errors[0].0 < 1e-8 && errors[0].1 < 1e-7 && errors[1].1 < 0.6 * errors[0].1, "{errors:?}");
    let free = Settings { stabilization: Stabilization::None, ..Settings::default() };
    let (place, slip) = end(free, 1e-3);
    // Without projection the slip drifts by the truncation of RK4.
    assert!((place - exact).largest() < 1e-8 && slip < 1e-8, "{place:?}, {slip:e}");
    let euler = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let errors = [1e-3, 5e-4].map(|h| (end(euler, h).0 - exact).norm());
    assert!((1.9..2.1).contains(&(errors[0] / errors[1])), "{errors:?}");

    let long = Settings { integrator: Integrator::Rattle, ..Settings::default() };
    let mut sim = ball_in_shell(0.0, vel, 5.0, long);
    let before = sim.state().clone();
    let error = sim.step(1e-3).unwrap_err();
    assert_eq!(error, StepError::VelocityOnly { joint: "contact".into() });
    assert!(error.to_string().contains("contact"), "{error}");
    assert_eq!(sim.state(), &before);
}

/// ω² = 5 g / (7 (R − r)) for both directions; the spin about the normal is a zero mode.
#[test]
fn small_swings_of_a_ball_in_a_shell() {
    let mut sim = ball_in_shell(0.3, Vec3::ZERO, 0.0, Settings::default());
    sim.equilibrium(cardan::statics::EquilibriumKind::default()).unwrap();
    let rest = sim.kinematics().body(BodyId::of_index(0)).position;
    // The equilibrium is solved to 1e-9; frequencies by differences to 1e-12 of the stiffness, over
    // rolling rows.
    assert!((rest - vec3(0.0, 0.0, -0.8)).largest() < 1e-9, "{rest:?}");
    let modes = sim.modes().unwrap();
    let wanted = f64::sqrt(5.0 * G / (7.0 * 0.8)) / TAU;
    let found: Vec<f64> = modes.modes.iter().map(|mode| mode.frequency).collect();
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], 0.0);
    assert!((found[1] - wanted).abs() < 1e-8 && (found[2] - wanted).abs() < 1e-8, "{found:?}, {wanted}");
}

/// A disc that falls flat has no unique contact: an error with its name, and no wrong motion.
#[test]
fn a_coin_that_lies_flat_is_an_error() {
    let mut sim = coin(FRAC_PI_2, Vec3::ZERO);
    let before = sim.state().clone();
    let error = sim.step(1e-3).unwrap_err();
    assert!(error.to_string().contains("contact"), "{error}");
    assert_eq!(sim.state(), &before);
}

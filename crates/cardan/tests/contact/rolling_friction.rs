//! Rolling and torsional resistance against closed forms: moments of up to c N about the rolling
//! axis, c_t N about the normal.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::Shape;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, ContactShape, End, Frame, Gravity, Integrator, Material, ModelBuilder, Settings, Simulation,
};

const G: f64 = 9.81;
const R: f64 = 0.1;

fn felt(rolling: f64, torsion: f64) -> Material {
    Material { rolling, torsion, ..Material::rough(0.5) }
}

/// A ball on a plane through the origin, turned by `tilt`.
fn on_plane(body: Body, material: Material, tilt: Quat, gravity: Vec3, integrator: Integrator) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity(gravity));
    let body = parts.add_body(body);
    let frame = Frame { pos: Vec3::ZERO, rot: tilt };
    parts.add_shape(ContactShape { body: End::Ground, frame, shape: Shape::Plane, material });
    let shape = Shape::sphere(R).expect("a ball");
    parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material });
    let settings = Settings { integrator, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
}

fn ball(mass: f64) -> Body {
    Body { pos: vec3(0.0, 0.0, R), ..Body::solid(cardan::SolidShape::Sphere { radius: R }, mass) }
}

fn down() -> Vec3 {
    vec3(0.0, 0.0, -G)
}

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

/// (m + I/r²) v̇ = −c m g/r: a ball slows down by 5/7 c g/r, in any direction, and comes to rest
/// after v²/2a.
#[test]
fn a_rolling_ball_comes_to_rest_at_the_distance_of_the_closed_form() {
    let (c, vel) = (0.004, vec3(0.3, 0.4, 0.0));
    let slows = 5.0 / 7.0 * c * G / R;
    let (time, way) = (0.5 / slows, 0.25 / (2.0 * slows));
    let start = || Body { vel, omega: vec3(-4.0, 3.0, 0.0), ..ball(1.3) };
    let mut sim = on_plane(start(), felt(c, 0.0), Quat::IDENTITY, down(), Integrator::Rk4);
    sim.run(1.0, 1e-2).expect("a run");
    let now = sim.observe();
    // Constant deceleration is exact for RK4: rounding; and the moment of one solve.
    near(now.body(BodyId::of_index(0)).velocity.norm(), 0.5 - slows, 1e-13);
    near(now.contacts().map(|c| c.moment.norm()).sum(), c * 1.3 * G, 1e-12);
    sim.run(time + 1.0, 1e-2).expect("a run");
    let now = sim.observe();
    // The event of coming to rest is located to rounding; at rest nothing moves.
    assert!(
        (now.body(BodyId::of_index(0)).position - vec3(0.6 * way, 0.8 * way, R)).norm() < 1e-12,
        "{:?}",
        now.body(BodyId::of_index(0)).position
    );
    assert!(
        now.body(BodyId::of_index(0)).velocity.norm() < 1e-15
            && now.body(BodyId::of_index(0)).angular_velocity.norm() < 1e-14
    );
    // The whole energy is heat.
    near(sim.energy().dissipated, 0.5 * 1.3 * 1.4 * 0.25, 1e-12);
    assert!(sim.balance().energy_error < 1e-13, "{:?}", sim.balance());
    // By time stepping, to first order.
    let mut sim = on_plane(start(), felt(c, 0.0), Quat::IDENTITY, down(), Integrator::TimeStepping);
    sim.run(time + 1.0, 1e-2).expect("a run");
    assert!(
        (sim.observe().body(BodyId::of_index(0)).position - vec3(0.6 * way, 0.8 * way, R)).norm()
            < 0.01 * way
    );
}

/// I ω̇ = −c m g: a ball that spins on the spot stops after I ω/(c m g).
#[test]
fn a_spinning_ball_stops_at_the_time_of_the_closed_form() {
    let (c, omega) = (0.002, 5.0);
    let stops = 0.4 * R * R * omega / (c * G);
    let body = Body { omega: vec3(0.0, 0.0, -omega), ..ball(0.7) };
    let mut sim = on_plane(body, felt(0.0, c), Quat::IDENTITY, down(), Integrator::Rk4);
    sim.run(0.75 * stops, 7e-3).expect("a run");
    // Constant deceleration is exact for RK4: rounding.
    near(sim.observe().body(BodyId::of_index(0)).angular_velocity.z, -0.25 * omega, 1e-12);
    sim.run(1.5 * stops, 7e-3).expect("a run");
    let now = sim.observe();
    // At rest nothing turns; angle and heat follow from the event's location.
    near(now.body(BodyId::of_index(0)).angular_velocity.norm(), 0.0, 1e-14);
    near(now.body(BodyId::of_index(0)).orientation.log().norm(), 0.5 * omega * stops, 1e-11);
    near(now.contacts().map(|c| c.moment.norm()).sum(), 0.0, 1e-12);
    near(sim.energy().dissipated, 0.2 * 0.7 * R * R * omega * omega, 1e-13);
}

/// On a slope a ball rests while tan α < c/r, with the moment m g r sin α; beyond, it rolls with
/// 5/7 g (sin α − c/r cos α).
#[test]
fn a_ball_lies_on_a_slope_or_rolls_down_it() {
    let angle = 0.1_f64.atan();
    let tilt = Quat::exp(vec3(0.0, angle, 0.0));
    let start = || Body { pos: tilt * vec3(0.0, 0.0, R), ..ball(2.0) };
    let mut sim = on_plane(start(), felt(0.011, 0.0), tilt, down(), Integrator::Rk4);
    sim.run(1.0, 1e-2).expect("a run");
    let now = sim.observe();
    // It rests: rounding; the moment is that of one solve with inequalities.
    assert!((now.body(BodyId::of_index(0)).position - tilt * vec3(0.0, 0.0, R)).norm() < 1e-14);
    near(now.contacts().map(|c| c.moment.norm()).sum(), 2.0 * G * R * angle.sin(), 1e-9);
    for integrator in [Integrator::Rk4, Integrator::TimeStepping] {
        let mut sim = on_plane(start(), felt(0.004, 0.0), tilt, down(), integrator);
        sim.run(1.0, 1e-3).expect("a run");
        let fast = 5.0 / 7.0 * G * (angle.sin() - 0.04 * angle.cos());
        // Constant acceleration is exact in both ways of stepping: 1000 steps of rounding.
        near(sim.observe().body(BodyId::of_index(0)).velocity.norm(), fast, 1e-11);
    }
}

/// In the plane a disc slows down by c g/(r (1 + I/m r²)), and a force within the resistance does
/// not move it.
#[test]
fn a_disc_in_the_plane_is_resisted_about_its_axis() {
    let (c, m) = (0.004, 1.5);
    let disc = |speed: f64| Body {
        pos: vec3(0.0, R, 0.0),
        vel: vec3(speed, 0.0, 0.0),
        omega: vec3(0.0, 0.0, -speed / R),
        ..Body::planar(m, 0.5 * m * R * R)
    };
    let up = Quat::exp(vec3(-std::f64::consts::FRAC_PI_2, 0.0, 0.0));
    let gravity = vec3(0.0, -G, 0.0);
    let slows = c * G / R / 1.5;
    let mut sim = on_plane(disc(0.4), felt(c, 0.0), up, gravity, Integrator::Rk4);
    sim.run(0.4 / slows + 0.5, 1e-2).expect("a run");
    // Constant deceleration, to the location of the event; at rest nothing moves.
    near(sim.observe().body(BodyId::of_index(0)).position.x, 0.08 / slows, 1e-12);
    near(sim.observe().body(BodyId::of_index(0)).velocity.norm(), 0.0, 1e-15);
    // Gravity inclined by less than c/r.
    let leans = vec3(0.03 * G, -G, 0.0);
    let mut sim = on_plane(disc(0.0), felt(c, 0.0), up, leans, Integrator::Rk4);
    sim.run(0.5, 1e-2).expect("a run");
    near(sim.observe().body(BodyId::of_index(0)).position.x, 0.0, 1e-15);
}

//! Slides that are slower than friction of a step can turn: directions stay, nothing yaws.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::{Hull, Shape};
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, ContactShape, End, Frame, Gravity, Integrator, Material, ModelBuilder, Settings, Simulation,
    SolidShape,
};

const FRICTION: f64 = 0.3;
const SIZE: [f64; 3] = [0.3, 0.2, 0.1];

/// A body of this shape and of the inertia of a box, on a slope with tan α = μ, where it slides at a constant velocity.
fn sliding(shape: Shape, velocity: Vec3) -> Simulation {
    let material = Material::rough(FRICTION);
    let mut parts = ModelBuilder::new(Gravity::new(FRICTION * 9.81, 0.0, -9.81));
    let ground = ContactShape { body: End::Ground, frame: Frame::default(), shape: Shape::Plane, material };
    parts.add_shape(ground);
    let solid = Body::solid(SolidShape::Box { size: SIZE }, 1.0);
    let body = parts.add_body(Body { pos: vec3(0.0, 0.0, 0.05), vel: velocity, ..solid });
    parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material });
    let settings = Settings { integrator: Integrator::Rk4, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
}

/// A prism of six corners below.
fn prism() -> Shape {
    let turns = (0..6).map(|i| f64::from(i) * std::f64::consts::FRAC_PI_3);
    let corners = turns.flat_map(|a| [-0.05, 0.05].map(|z| vec3(0.15 * a.cos(), 0.1 * a.sin(), z)));
    let corners: Vec<Vec3> = corners.collect();
    Shape::Hull(Hull::new(&corners).expect("a hull").into())
}

/// All corners slide one way, so the friction forces are parallel and their sum acts at the centre of pressure, which lies ahead of the
/// centre of mass along the slide: no yaw, whatever the base and however slow the slide is. Friction turns the velocity of a corner within
/// μ λ A/v, here 1e-5 to 1e-3 s; of four or six corners together in less.
#[test]
fn a_body_on_many_corners_slides_slowly_without_yaw() {
    for shape in [Shape::cuboid(SIZE).expect("a box"), prism()] {
        for speed in [1e-5, 1e-4, 1e-3] {
            for dt in [4e-3, 1e-3, 2.5e-4] {
                let mut sim = sliding(shape.clone(), vec3(speed, 0.0, 0.0));
                sim.run(0.05, dt).expect("steps");
                let v = sim.state().velocities();
                // A direction that is off by rounding stays so: 1e-11 m/s is what forces of 3 N to twelve digits do in a step.
                let [across, turning] = [v[1], 0.2 * v[5]].map(f64::abs);
                let most = [across, turning, (v[0] - speed).abs()].into_iter().fold(0.0, f64::max);
                assert!(most < 1e-11, "{speed} m/s in steps of {dt} s: {v:?}");
            }
        }
    }
}

/// A slide across the slope turns down it, and what is left of the step's lag goes with the step: with steps of a quarter less than half of it is
/// left.
#[test]
fn a_slow_slide_across_converges() {
    let end = |dt: f64| {
        let mut sim = sliding(Shape::cuboid(SIZE).expect("a box"), vec3(1e-3, 3e-4, 0.0));
        sim.run(0.05, dt).expect("steps");
        let v = sim.state().velocities();
        assert!(v[5].abs() < 1e-9, "a yaw of {} rad/s in steps of {dt} s", v[5]);
        v[0]
    };
    let [coarse, fine, finest] = [4e-4, 1e-4, 2e-5].map(end);
    let [first, second] = [coarse - finest, fine - finest];
    println!("{coarse} {fine} {finest}");
    assert!(second.abs() < 0.4 * first.abs() && first.abs() < 2e-5, "{first:e} then {second:e}");
}

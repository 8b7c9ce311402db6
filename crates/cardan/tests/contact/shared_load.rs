//! How redundant contacts share a load in reports: at least norm, within their cones.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::Shape;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, Constant, ContactShape, End, Force, Frame, Gravity, Integrator, Material, ModelBuilder, Settings,
    Simulation,
};
use cardan_testkit::{Tolerance, assert_close};

const SIZE: [f64; 3] = [0.6, 0.4, 0.2];
const MASS: f64 = 2.0;

/// Forces of the corners of a box on a plane under a force at a point of the box, with where they act.
fn corners(integrator: Integrator, friction: f64, at: Vec3, push: Vec3) -> Vec<(Vec3, Vec3)> {
    let material = Material::rough(friction);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ground = ContactShape { body: End::Ground, frame: Frame::default(), shape: Shape::Plane, material };
    parts.add_shape(ground);
    let body = Body { pos: vec3(0.0, 0.0, 0.1), ..Body::solid(cardan::SolidShape::Box { size: SIZE }, MASS) };
    let body = parts.add_body(body);
    let shape = Shape::cuboid(SIZE).expect("a box");
    parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material });
    parts.add_force(Force::constant(body, at, Constant { force: push, ..Constant::default() }));
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings");
    sim.run(0.01, 1e-3).expect("steps");
    let now = sim.evaluate().expect("an answer");
    let found: Vec<_> = now.contacts().map(|contact| (contact.point, contact.force)).collect();
    assert_eq!(found.len(), 4);
    found
}

/// The contact problem is solved to 1e-9 of its forces, which are some ten newtons.
fn near(x: f64, y: f64) {
    assert_close(x, y, Tolerance::because("residual of the contact problem", 2e-8));
}

/// Within the cones the forces of least norm are α + β × s at the corners s from their centre (Lagrange's multipliers of the balance of
/// forces and of moments): closed form.
#[test]
fn four_corners_share_a_load_as_least_norm_says() {
    let (at, push) = (vec3(0.1, 0.05, 0.1), vec3(1.0, 2.0, -5.0));
    let total = -(push + vec3(0.0, 0.0, -9.81 * MASS));
    // Moment of the loads about the centre of the corners, which the contacts take.
    let moment = -(at + vec3(0.0, 0.0, 0.1)).cross(push);
    let (a, b) = (0.5 * SIZE[0], 0.5 * SIZE[1]);
    let turn = vec3(moment.x / (4.0 * b * b), moment.y / (4.0 * a * a), moment.z / (4.0 * (a * a + b * b)));
    for integrator in [Integrator::TimeStepping, Integrator::Rk4] {
        for (point, force) in corners(integrator, 0.8, at, push) {
            let wanted = total * 0.25 + turn.cross(vec3(point.x, point.y, 0.0));
            (0..3).for_each(|axis| near(force.to_array()[axis], wanted.to_array()[axis]));
        }
    }
}

/// A load over one edge and a pull along x that the other two corners cannot share evenly: they give all that friction lets them, the rest is
/// taken by the loaded ones.
#[test]
fn a_corner_at_the_edge_of_its_cone_gives_what_it_can() {
    let (friction, load, pull) = (0.5, 40.0, 22.0);
    let at = vec3(0.2, 0.0, -0.1);
    let weight = 9.81 * MASS;
    // Two corners in front at x = 0.3, two behind: moments about y at the height of the floor.
    let front = 0.25 * (weight + load) + 0.5 * load * 0.2 / 0.6;
    let behind = 0.5 * (weight + load) - front;
    assert!(0.25 * pull > friction * behind && pull < friction * (weight + load));
    for integrator in [Integrator::TimeStepping, Integrator::Rk4] {
        for (point, force) in corners(integrator, friction, at, vec3(pull, 0.0, -load)) {
            let is_front = point.x > 0.0;
            near(force.z, if is_front { front } else { behind });
            near(force.y, 0.0);
            near(-force.x, if is_front { 0.5 * pull - friction * behind } else { friction * behind });
        }
    }
}

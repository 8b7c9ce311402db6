//! A constraint that cannot be continued is an error that names the joint and the reason; the state
//! is unchanged.

use super::{hills, rule};
use cardan::End::Ground;
use cardan::constraint::{Feature, PointOnCurve, Tangent};
use cardan::geometry::{Curve, Surface};
use cardan::math::{Vec3, vec3};
use cardan::{Body, BuildError, Constraint, Frame, Gravity, ModelBuilder, Simulation, StepError};

fn particle(start: Vec3, vel: Vec3, on: impl Constraint + 'static) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body { pos: start, vel, ..Body::particle(1.0) });
    parts.add_constraint(rule("way", (Ground, Frame::default()), (ball.into(), Frame::default()), on));
    Simulation::new(parts.build().unwrap())
}

fn says(sim: &mut Simulation, words: &str) {
    let error = sim.run(5.0, 1e-2).unwrap_err();
    assert!(matches!(error, StepError::Lost { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("`way`") && text.contains(words), "`{text}` should say `{words}`");
    assert!(sim.state().coordinates().iter().all(|q| q.is_finite()));
}

#[test]
fn a_bead_that_leaves_its_wire_says_at_which_end() {
    let wire = || PointOnCurve::new(Curve::formula(["t", "t^2", "0"], [-1.0, 1.0], false).unwrap());
    says(&mut particle(Vec3::ZERO, vec3(1.0, 0.0, 0.0), wire()), "left the curve at its end");
    says(&mut particle(Vec3::ZERO, vec3(-1.0, 0.0, 0.0), wire()), "left the curve at its start");
    // A start at the end of the wire is still on the wire.
    particle(vec3(1.0, 1.0, 0.0), vec3(-1.0, -2.0, 0.0), wire()).run(0.1, 1e-2).unwrap();
}

#[test]
fn a_particle_that_leaves_the_map_says_over_which_edge() {
    let land = hills();
    let start = vec3(2.5, 0.0, land.at(2.5, 0.0).0);
    let on = Tangent::new(Surface::Terrain(land), Feature::Point).unwrap();
    says(&mut particle(start, vec3(3.0, 0.0, 0.0), on), "over its edge at x = 3 m");
}

#[test]
fn a_point_in_the_middle_has_no_foot() {
    let ball = Tangent::new(Surface::Sphere { radius: 1.0 }, Feature::Point).unwrap();
    let error = particle(Vec3::ZERO, Vec3::ZERO, ball).assemble().unwrap_err();
    assert!(
        error.to_string().contains("joint `way` cannot be followed at t = 0 s: the point is in the centre"),
        "{error}"
    );
    let circle = PointOnCurve::new(Curve::circle(1.0).unwrap());
    let error = particle(Vec3::ZERO, Vec3::ZERO, circle).assemble().unwrap_err();
    assert!(
        error.to_string().contains("`way`") && error.to_string().contains("too far for a unique foot"),
        "{error}"
    );
}

#[test]
fn a_particle_cannot_carry_a_curve_or_an_ellipsoid() {
    let attempt = |rule_of: std::sync::Arc<dyn Constraint>| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let a = parts.add_body(Body::particle(1.0).named("a"));
        let b = parts.add_body(Body::particle(1.0).named("b"));
        let frames = vec![(a.into(), Frame::default()), (b.into(), Frame::default())];
        parts.add_constraint(cardan::UserConstraint { name: "way".into(), frames, rule: rule_of });
        parts.build().unwrap_err()
    };
    let circle = PointOnCurve::new(Curve::circle(1.0).unwrap());
    assert!(matches!(attempt(std::sync::Arc::new(circle)), BuildError::DoesNotFit { .. }));
    let lens = Feature::Ellipsoid { radii: vec3(1.0, 2.0, 3.0) };
    let tangent = Tangent::new(Surface::Sphere { radius: 1.0 }, lens).unwrap();
    assert!(matches!(attempt(std::sync::Arc::new(tangent)), BuildError::DoesNotFit { .. }));
    // Sizes must be positive, too.
    let error = Tangent::new(Surface::Plane, Feature::Ball { radius: 0.0 }).unwrap_err();
    assert!(error.to_string().contains("`radius` is 0"), "{error}");
    let open = Curve::formula(["t", "t^2", "0"], [-1.0, 1.0], false).unwrap();
    assert!(Tangent::flat_follower(open).unwrap_err().to_string().contains("closed"));
}

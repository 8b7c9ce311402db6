//! Tangency: ellipsoids against their support functions, cams against closed forms.

use super::{arcs, hills, rule};
use cardan::End::Ground;
use cardan::constraint::{Feature, Tangent};
use cardan::geometry::{Curve, Surface};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, ConstraintId, Drive, DriveMode, Frame, Gravity, Joint, Law, ModelBuilder, Simulation,
    SolidShape,
};

/// Distance of two ellipsoids from their support functions, and its direction: max over n of n·d −
/// |A R_aᵀ n| − |B R_bᵀ n|, by a search without derivatives.
fn gap(d: Vec3, a: (Quat, Vec3), b: (Quat, Vec3)) -> (f64, Vec3) {
    let support = |(rot, radii): (Quat, Vec3), n: Vec3| {
        let m = rot.inverse() * n;
        vec3(radii.x * m.x, radii.y * m.y, radii.z * m.z).norm()
    };
    let f = |n: Vec3| n.dot(d) - support(a, n) - support(b, n);
    let mut n = d / d.norm();
    let mut step = 0.5;
    while step > 1e-10 {
        let e = n.any_perpendicular().unwrap();
        let g = n.cross(e);
        let tries = [e, -e, g, -g].map(|t| (n + t * step).normalized().unwrap());
        match tries.into_iter().find(|t| f(*t) > f(n)) {
            Some(better) => n = better,
            None => step *= 0.5,
        }
    }
    (f(n), n)
}

#[test]
fn two_ellipsoids_stay_tangent_while_they_slide() {
    let (ra, rb) = (vec3(0.6, 0.4, 0.3), vec3(0.2, 0.3, 0.25));
    let run = |h: f64| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let solid = |r: Vec3| Body::solid(SolidShape::Box { size: r.to_array() }, 1.0);
        let a = parts.add_body(Body { omega: vec3(0.3, 1.0, 0.5), ..solid(ra) });
        let b = parts.add_body(Body {
            pos: vec3(0.8, 0.1, 0.05),
            omega: vec3(2.0, -1.0, 0.7),
            vel: vec3(0.0, 0.3, 0.1),
            ..solid(rb)
        });
        let tangent =
            Tangent::new(Surface::Ellipsoid { radii: ra }, Feature::Ellipsoid { radii: rb }).unwrap();
        parts.add_constraint(rule(
            "touch",
            (a.into(), Frame::default()),
            (b.into(), Frame::default()),
            tangent,
        ));
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.assemble().unwrap();
        sim.run(2.0, h).unwrap();
        sim
    };
    let mut sim = run(1e-3);
    let energy = sim.balance();
    // Truncation of RK4 at 1 ms and some rad/s.
    assert!(energy.energy_error < 1e-9 && energy.momentum_error < 1e-9, "{energy:?}");
    let now = sim.evaluate().unwrap();
    let (a, b) = (now.body(BodyId::of_index(0)), now.body(BodyId::of_index(1)));
    let (distance, n) = gap(b.position - a.position, (a.orientation, ra), (b.orientation, rb));
    // Some roundings of distances of about one metre.
    assert!(distance.abs() < 1e-15 * 8.0, "gap {distance:e}");
    // The force is along the common normal, and acts through the common point.
    let load = now.constraint_loads(ConstraintId::of_index(0)).last().unwrap();
    let force = load.at_frame.force;
    assert!(force.norm() > 0.01);
    // The search finds the normal to the square root of rounding only: 1e-8.
    assert!(force.cross(n).norm() / force.norm() < 1e-7, "{force:?} and {n:?}");
    let order = {
        let at = |h: f64| run(h).kinematics().body(BodyId::of_index(1)).position;
        let (p, q, r) = (at(8e-3), at(4e-3), at(2e-3));
        ((p - q).norm() / (q - r).norm()).log2()
    };
    assert!(order > 3.5, "order {order}");
}

#[test]
fn ellipsoids_with_equal_axes_are_spheres() {
    let (r1, r2) = (0.5, 0.3);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = |r: f64| Body::solid(SolidShape::Sphere { radius: r }, 1.0);
    let a = parts.add_body(Body { omega: vec3(0.3, 1.0, 0.5), ..ball(r1) });
    let b = parts.add_body(Body { pos: vec3(0.5, 0.6, 0.2), vel: vec3(1.0, -0.3, 0.2), ..ball(r2) });
    let surface = Surface::Ellipsoid { radii: vec3(r1, r1, r1) };
    let tangent = Tangent::new(surface, Feature::Ellipsoid { radii: vec3(r2, r2, r2) }).unwrap();
    parts.add_constraint(rule("touch", (a.into(), Frame::default()), (b.into(), Frame::default()), tangent));
    let mut sim = Simulation::new(parts.build().unwrap());
    for _ in 0..100 {
        sim.step(0.01).unwrap();
        let now = sim.kinematics();
        let distance =
            (now.body(BodyId::of_index(1)).position - now.body(BodyId::of_index(0)).position).norm();
        // Rounding of r₁ + r₂ < 1 m.
        assert!((distance - (r1 + r2)).abs() < 1e-15, "{distance}");
    }
}

#[test]
fn an_egg_rocks_on_a_table_at_the_height_of_its_support() {
    let radii = vec3(0.3, 0.2, 0.2);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let egg = Body::solid(SolidShape::Box { size: radii.to_array() }, 2.0);
    let tilt = Quat::from_axis_angle(Vec3::Y, 0.7).unwrap();
    let egg = parts.add_body(Body { pos: vec3(0.0, 0.0, 0.4), rot: tilt, omega: vec3(0.5, 0.0, 1.0), ..egg });
    let tangent = Tangent::new(Surface::Plane, Feature::Ellipsoid { radii }).unwrap();
    parts.add_constraint(rule("table", (Ground, Frame::default()), (egg.into(), Frame::default()), tangent));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    sim.run(2.0, 5e-4).unwrap();
    let b = sim.kinematics().body(BodyId::of_index(0));
    let m = b.orientation.inverse() * Vec3::Z;
    let height = vec3(radii.x * m.x, radii.y * m.y, radii.z * m.z).norm();
    // Rounding of the height, below 1 m.
    assert!((b.position.z - height).abs() < 1e-15, "{} against {height}", b.position.z);
    // Truncation of RK4 at 0.5 ms and some rad/s.
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

#[test]
fn a_ball_on_hills_touches_them_from_above() {
    let land = hills();
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ball = parts
        .add_body(Body { pos: vec3(-0.4, 0.3, 1.0), ..Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0) });
    let tangent = Tangent::new(Surface::Terrain(land.clone()), Feature::Ball { radius: 0.1 }).unwrap();
    parts.add_constraint(rule("land", (Ground, Frame::default()), (ball.into(), Frame::default()), tangent));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    sim.run(0.8, 1e-3).unwrap();
    // Third derivatives of the terrain jump at the borders of its grid: RK4 loses an order there.
    assert!(sim.balance().energy_error < 1e-8, "{:?}", sim.balance());
    // The nearest point of the terrain, by search, is a radius away.
    let at = sim.kinematics().body(BodyId::of_index(0)).position;
    let distance = |x: f64, y: f64| (vec3(x, y, land.at(x, y).0) - at).norm();
    let (mut x, mut y, mut step) = (at.x, at.y, 0.05);
    while step > 1e-10 {
        let tries = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|(dx, dy)| (x + dx, y + dy));
        match tries.into_iter().find(|t| distance(t.0, t.1) < distance(x, y)) {
            Some(better) => (x, y) = better,
            None => step *= 0.5,
        }
    }
    // The search ends at steps of 1e-10, whose square is rounding; the foot is at rounding.
    assert!((distance(x, y) - 0.1).abs() < 1e-13, "{:e}", distance(x, y) - 0.1);
}

/// An eccentric disc of radius R on a driven shaft; a follower that slides along y.
fn eccentric(follower: Tangent, face: Frame, lift: f64) -> (Simulation, BodyId) {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let cam = parts.add_body(Body::planar(1.0, 0.01).named("cam"));
    let slide =
        parts.add_body(Body { pos: vec3(0.0, lift, 0.0), ..Body::planar(0.5, 0.01).named("follower") });
    let mut shaft = Joint::revolute(Ground, cam, [0.0; 3], [0.0, 0.0, 1.0]);
    shaft.drives.push(Drive {
        coordinate: 0,
        mode: DriveMode::Position,
        law: Law::expression("3*t").unwrap(),
    });
    parts.add_joint(shaft);
    parts.add_joint(Joint::prismatic(Ground, slide, [0.0; 3], [0.0, 1.0, 0.0]));
    parts.add_constraint(rule("cam", (cam.into(), Frame::default()), (slide.into(), face), follower));
    (Simulation::new(parts.build().unwrap()), slide)
}

#[test]
fn an_eccentric_cam_lifts_its_followers_as_the_closed_forms_say() {
    let (big, e, r) = (0.05, 0.02, 0.01);
    let profile = || arcs(big, e);
    let roller = || Tangent::new(Surface::profile(profile()).unwrap(), Feature::Ball { radius: r }).unwrap();
    let knife = || Tangent::new(Surface::profile(profile()).unwrap(), Feature::Point).unwrap();
    let flat = || Tangent::flat_follower(profile()).unwrap();
    let second = || {
        Tangent::new(Surface::profile(profile()).unwrap(), Feature::Curve(Curve::circle(r).unwrap())).unwrap()
    };
    let down = Frame::with_axis([0.0; 3], [0.0, -1.0, 0.0]).unwrap();
    // Centre of the disc at e (cos θ, sin θ); a roller above the shaft is (R + r) from it.
    let round = |theta: f64, r: f64| {
        e * theta.sin() + ((big + r) * (big + r) - e * e * theta.cos() * theta.cos()).sqrt()
    };
    type Lift<'a> = &'a dyn Fn(f64) -> f64;
    let cases: [(&str, Tangent, Frame, Lift<'_>); 4] = [
        ("roller", roller(), Frame::default(), &|t| round(t, r)),
        ("knife", knife(), Frame::default(), &|t| round(t, 0.0)),
        ("flat", flat(), down, &|t| big + e * t.sin()),
        ("cam", second(), Frame::default(), &|t| round(t, r)),
    ];
    for (name, tangent, face, lift) in cases {
        let (mut sim, _) = eccentric(tangent, face, lift(0.0));
        sim.assemble().unwrap();
        for _ in 0..25 {
            for _ in 0..20 {
                sim.step(2e-3).unwrap();
            }
            let theta = 3.0 * sim.time();
            let y = sim.kinematics().body(BodyId::of_index(1)).position.y;
            // The follower's position is a constraint: rounding of 1 m.
            assert!((y - lift(theta)).abs() < 1e-14, "{name} at {theta}: {y} against {}", lift(theta));
            // The force of the cam: m (g + ÿ), by differences of the closed form.
            let h = 1e-3;
            let second = 9.0 * (lift(theta + h) + lift(theta - h) - 2.0 * lift(theta)) / (h * h);
            let now = sim.evaluate().unwrap();
            let force = now.constraint_loads(ConstraintId::of_index(0)).last().unwrap().at_frame.force.y;
            // The second difference leaves h² f⁗/12 of the closed form.
            assert!((force - 0.5 * (9.81 + second)).abs() < 1e-6, "{name}: {force}");
        }
        // Work at 2 ms is integrated to the order of RK4.
        assert!(sim.balance().energy_error < 1e-7, "{name}: {:?}", sim.balance());
    }
}

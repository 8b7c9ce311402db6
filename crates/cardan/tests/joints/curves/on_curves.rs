//! Beads on wires against closed forms.

use super::{arcs, rule};
use cardan::End::Ground;
use cardan::constraint::PointOnCurve;
use cardan::geometry::Curve;
use cardan::law::Nurbs;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, ConstraintId, Frame, Gravity, Integrator, JointId, ModelBuilder, Settings, Simulation,
    SolidShape,
};

const G: f64 = 9.81;

fn bead(curve: Curve, start: Vec3, settings: Settings) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let ball = parts.add_body(Body { pos: start, ..Body::particle(0.3) });
    parts.add_constraint(rule(
        "wire",
        (Ground, Frame::default()),
        (ball.into(), Frame::default()),
        PointOnCurve::new(curve),
    ));
    Simulation::with_settings(parts.build().unwrap(), settings).unwrap()
}

fn place(sim: &mut Simulation) -> Vec3 {
    sim.kinematics().body(BodyId::of_index(0)).position
}

#[test]
fn a_bead_slides_down_a_helix_with_constant_acceleration() {
    // r = 1, rise 0.3 per radian: the height falls by ½ g c²/(r² + c²) t².
    let curve = || Curve::formula(["cos(t)", "sin(t)", "0.3*t"], [-30.0, 12.0], false).unwrap();
    let start = curve().at(10.0).place;
    for (settings, tolerance) in [
        (Settings::default(), 1e-10),
        (Settings { integrator: Integrator::Rattle, ..Settings::default() }, 2e-5),
        (Settings { integrator: Integrator::Dopri5, ..Settings::default() }, 1e-6),
    ] {
        let mut sim = bead(curve(), start, settings);
        sim.run(2.0, 1e-3).unwrap();
        let theta = 10.0 - 0.5 * G * 0.3 / 1.09 * 4.0;
        let end = place(&mut sim);
        let off = (end - vec3(theta.cos(), theta.sin(), 0.3 * theta)).norm();
        assert!(off < tolerance, "{off:e}");
        let certificate = sim.certificate();
        // The bead is projected onto the curve to rounding of metres.
        assert!(certificate.max_position_error < 1e-14, "{certificate:?}");
        assert!(sim.balance().momentum_error < 10.0 * tolerance, "{:?}", sim.balance());
    }
}

#[test]
fn every_swing_on_a_cycloid_takes_the_same_time() {
    // x = t + sin t, z = 1 − cos t: the arc length from the bottom is 4 sin(t/2) and oscillates
    // like cos(√(g/4) τ), from any start.
    for from in [0.5, 1.5, 2.5] {
        let curve = Curve::formula(["t + sin(t)", "0", "1 - cos(t)"], [-3.0, 3.0], false).unwrap();
        let start = curve.at(from).place;
        let mut sim = bead(curve, start, Settings::default());
        let late = 0.7;
        sim.run(late, 1e-3).unwrap();
        let swing = (0.5 * from).sin() * ((G / 4.0_f64).sqrt() * late).cos();
        let t = 2.0 * swing.asin();
        let off = (place(&mut sim) - vec3(t + t.sin(), 0.0, 1.0 - t.cos())).norm();
        // Phase error of RK4: (ω h)⁴/120 at ω = 1.6 rad/s over 1 rad, and the curvature of the wire
        // near its cusps.
        assert!(off < 1e-10, "from {from}: {off:e}");
        // A quarter of the period: at the bottom.
        let quarter = std::f64::consts::PI / G.sqrt();
        sim.run(quarter, 1e-3).unwrap();
        assert!(place(&mut sim).x.abs() < 1e-9, "from {from}: {:e}", place(&mut sim).x);
    }
}

#[test]
fn a_bead_reaches_the_bottom_of_a_parabola_when_the_quadrature_says() {
    // z = x² is a B-spline of degree 2 without inner knots, exactly.
    let points = [[-1.5, 0.0, 2.25], [0.0, 0.0, -2.25], [1.5, 0.0, 2.25]];
    let curve = Curve::nurbs(Nurbs::even(2, 0.0, 1.0, &points, &[]).unwrap(), false).unwrap();
    let mut sim = bead(curve, vec3(1.0, 0.0, 1.0), Settings::default());
    // x = sin φ: dt = √((1 + 4 sin²φ)/(2 g)) dφ, by the trapezoidal rule, which is exact for
    // periodic functions.
    let n = 64;
    let f = |i: usize| {
        let s = (std::f64::consts::FRAC_PI_2 * i as f64 / n as f64).sin();
        ((1.0 + 4.0 * s * s) / (2.0 * G)).sqrt()
    };
    let inner: f64 = (1..n).map(f).sum();
    let quarter = std::f64::consts::FRAC_PI_2 / n as f64 * (0.5 * (f(0) + f(n)) + inner);
    sim.run(quarter, 5e-4).unwrap();
    // Truncation of RK4 at 0.5 ms over a quarter of a period; the balance has no phase error.
    assert!(place(&mut sim).norm() < 1e-10, "{:?}", place(&mut sim));
    assert!(sim.balance().energy_error < 1e-11, "{:?}", sim.balance());
}

#[test]
fn a_bead_on_an_exact_circle_is_a_pendulum() {
    // A rational circle of radius 0.5 against the bead-on-circle joint, through the borders of its
    // arcs.
    let upright =
        Frame { pos: Vec3::ZERO, rot: cardan::math::Quat::with_z_along(-Vec3::Y, Some(Vec3::X)).unwrap() };
    let run = |on_curve: bool| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
        let ball = parts.add_body(Body {
            pos: vec3(0.5, 0.0, 0.0),
            vel: vec3(0.0, 0.0, 4.5),
            ..Body::particle(0.3)
        });
        if on_curve {
            let curve = PointOnCurve::new(arcs(0.5, 0.0));
            parts.add_constraint(rule("wire", (Ground, upright), (ball.into(), Frame::default()), curve));
        } else {
            let placement = cardan::Placement::Frames { in_a: upright, in_b: Frame::default() };
            let kind = cardan::JointKind::BeadOnCircle { radius: 0.5 };
            parts.add_joint(cardan::Joint { kind, placement, ..cardan::Joint::fixed(Ground, ball) });
        }
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(3.0, 5e-4).unwrap();
        let end = place(&mut sim);
        let load = sim.evaluate().unwrap();
        let force = if on_curve {
            load.constraint_loads(ConstraintId::of_index(0)).last().unwrap().at_frame.force
        } else {
            load.joint(JointId::of_index(0)).reaction.total().force
        };
        (end, force)
    };
    let ((a, fa), (b, fb)) = (run(true), run(false));
    // Both runs have the truncation of RK4, one through the borders of the arcs; forces are
    // accelerations of some g.
    assert!((a - b).norm() < 1e-9, "{a:?} against {b:?}");
    assert!((fa - fb).norm() < 1e-8, "{fa:?} against {fb:?}");
}

#[test]
fn a_bead_on_a_wire_that_floats_keeps_energy_and_momentum() {
    let trefoil = ["0.1*(2+cos(3*t))*cos(2*t)", "0.1*(2+cos(3*t))*sin(2*t)", "0.1*sin(3*t)"];
    let curve = Curve::formula(trefoil, [0.0, 2.0 * std::f64::consts::PI], true).unwrap();
    let start = curve.at(0.3);
    let along = start.first / start.first.norm();
    let run = |h: f64| {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let wire = Body::solid(SolidShape::Sphere { radius: 0.3 }, 1.0);
        let wire = parts.add_body(Body { omega: vec3(0.5, 1.0, 0.2), ..wire });
        let spin = vec3(0.5, 1.0, 0.2).cross(start.place);
        let ball = parts.add_body(Body { pos: start.place, vel: along * 2.0 + spin, ..Body::particle(0.4) });
        let frames = ((wire.into(), Frame::default()), (ball.into(), Frame::default()));
        parts.add_constraint(rule("wire", frames.0, frames.1, PointOnCurve::new(curve.clone())));
        let mut sim = Simulation::new(parts.build().unwrap());
        let (energy, before) = (sim.energy().mechanical(), sim.momentum());
        sim.run(2.0, h).unwrap();
        let after = sim.momentum();
        // Action and reaction cancel to rounding; angular momentum has the truncation of RK4 on a
        // knot passed at some m/s.
        assert!((after.linear - before.linear).largest() < 1e-12);
        assert!((after.angular - before.angular).largest() < 1e-6);
        ((sim.energy().mechanical() - energy).abs(), place(&mut sim))
    };
    // Several times round the knot, through all cells and over the seam, at the order of RK4.
    let ((coarse, a), (fine, b), (_, c)) = (run(2e-3), run(1e-3), run(5e-4));
    assert!(fine < 1e-6 && fine < coarse / 8.0, "{coarse:e} → {fine:e}");
    let order = ((a - b).norm() / (b - c).norm()).log2();
    assert!(order > 3.5, "order {order}");
}

#[test]
fn a_bead_passes_the_place_where_a_closed_wire_starts_with_every_integrator() {
    let trefoil = ["(2+cos(3*t))*cos(2*t)", "(2+cos(3*t))*sin(2*t)", "sin(3*t)"];
    let curve = Curve::formula(trefoil, [0.0, 2.0 * std::f64::consts::PI], true).unwrap();
    let start = curve.at(6.2);
    for integrator in [Integrator::Rk4, Integrator::Dopri5, Integrator::Rattle] {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let vel = start.first / start.first.norm() * 3.0;
        let ball = parts.add_body(Body { pos: start.place, vel, ..Body::particle(0.3) });
        let wire = PointOnCurve::new(curve.clone());
        parts.add_constraint(rule("wire", (Ground, Frame::default()), (ball.into(), Frame::default()), wire));
        let settings = Settings { integrator, ..Settings::default() };
        let mut sim = Simulation::with_settings(parts.build().unwrap(), settings).unwrap();
        sim.run(0.5, 1e-3).unwrap();
        // Without gravity the speed along the wire is constant.
        let speed = sim.kinematics().body(BodyId::of_index(0)).velocity.norm();
        assert!((speed - 3.0).abs() < 1e-5, "{integrator:?}: {speed}");
        assert!(sim.certificate().max_position_error < 1e-14, "{integrator:?}: {:?}", sim.certificate());
    }
}

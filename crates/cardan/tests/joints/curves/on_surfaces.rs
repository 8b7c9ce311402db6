//! Points on surfaces against equations of motion in coordinates of the surface, integrated here.

use super::{hills, rule};
use cardan::End::Ground;
use cardan::constraint::{Feature, Tangent};
use cardan::geometry::Surface;
use cardan::math::{Vec3, vec3};
use cardan::{Body, BodyId, Frame, Gravity, ModelBuilder, Simulation};

const G: f64 = 9.81;

fn sliding(surface: Surface, start: Vec3, vel: Vec3, gravity: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -gravity));
    let ball = parts.add_body(Body { pos: start, vel, ..Body::particle(0.3) });
    let tangent = Tangent::new(surface, Feature::Point).unwrap();
    parts.add_constraint(rule(
        "surface",
        (Ground, Frame::default()),
        (ball.into(), Frame::default()),
        tangent,
    ));
    Simulation::new(parts.build().unwrap())
}

/// Classical Runge–Kutta on [x, y, ẋ, ẏ] with accelerations of the two coordinates.
fn integrate(mut state: [f64; 4], until: f64, steps: usize, acc: impl Fn([f64; 4]) -> [f64; 2]) -> [f64; 4] {
    let h = until / steps as f64;
    let rate = |s: [f64; 4]| {
        let [a, b] = acc(s);
        [s[2], s[3], a, b]
    };
    let plus = |s: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
    for _ in 0..steps {
        let k1 = rate(state);
        let k2 = rate(plus(state, k1, 0.5 * h));
        let k3 = rate(plus(state, k2, 0.5 * h));
        let k4 = rate(plus(state, k3, h));
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    state
}

#[test]
fn a_particle_on_a_torus_follows_its_own_equations_and_keeps_what_it_should() {
    let (ring, tube) = (1.0, 0.4);
    // θ around the tube from the outer equator, φ around the axis.
    let place = |t: f64, p: f64| {
        let rho = ring + tube * t.cos();
        vec3(rho * p.cos(), rho * p.sin(), tube * t.sin())
    };
    for gravity in [0.0, G] {
        let (t0, dt, dp) = (0.3_f64, 4.0, 2.5);
        let rho: f64 = ring + tube * t0.cos();
        let vel = vec3(-tube * dt * t0.sin(), rho * dp, tube * dt * t0.cos());
        let mut sim = sliding(Surface::Torus { ring, tube }, place(t0, 0.0), vel, gravity);
        let spin = |sim: &mut Simulation| {
            let b = sim.kinematics().body(BodyId::of_index(0));
            b.position.cross(b.velocity).z
        };
        let (before, energy) = (spin(&mut sim), sim.energy().mechanical());
        sim.run(4.0, 1e-3).unwrap();
        let end = sim.kinematics().body(BodyId::of_index(0)).position;
        let oracle = integrate([t0, 0.0, dt, dp], 4.0, 20_000, |[t, _, dt, dp]| {
            let rho = ring + tube * t.cos();
            [-(rho * t.sin() * dp * dp + gravity * t.cos()) / tube, 2.0 * tube * t.sin() * dt * dp / rho]
        });
        let off = (end - place(oracle[0], oracle[1])).norm();
        // Truncation of RK4 at 1 ms over 4 s, with rates of up to 10 rad/s; the oracle has a fifth
        // of the step.
        assert!(off < 1e-8, "gravity {gravity}: {off:e}");
        assert!((spin(&mut sim) / before - 1.0).abs() < 1e-10);
        let change = (sim.energy().mechanical() - energy).abs();
        // A quadratic invariant has one order more; the constraint is closed to rounding.
        assert!(change < 1e-9, "{change:e}");
        assert!(sim.certificate().max_position_error < 1e-14);
    }
}

#[test]
fn a_particle_on_terrain_follows_its_own_equations() {
    // M = 1 + ∇h ∇hᵀ: the acceleration in the map is −∇h (g + ẋᵀ h″ ẋ)/(1 + |∇h|²).
    let land = hills();
    let (x, y, dx, dy) = (-0.4, 0.3, 0.8, -0.5);
    let (h, [hx, hy], _) = land.at(x, y);
    let mut sim = sliding(Surface::Terrain(land.clone()), vec3(x, y, h), vec3(dx, dy, hx * dx + hy * dy), G);
    sim.run(1.5, 5e-4).unwrap();
    let end = sim.kinematics().body(BodyId::of_index(0)).position;
    let oracle = integrate([x, y, dx, dy], 1.5, 30_000, |[x, y, dx, dy]| {
        let (_, [hx, hy], [xx, xy, yy]) = land.at(x, y);
        let push = -(G + xx * dx * dx + 2.0 * xy * dx * dy + yy * dy * dy) / (1.0 + hx * hx + hy * hy);
        [hx * push, hy * push]
    });
    let off = (end - vec3(oracle[0], oracle[1], land.at(oracle[0], oracle[1]).0)).norm();
    // The third derivative jumps at every border of the grid: RK4 loses an order there.
    assert!(off < 1e-8, "{off:e}");
    assert!((end.z - land.at(end.x, end.y).0).abs() < 1e-14);
    assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
}

#[test]
fn a_particle_in_a_cone_runs_in_a_circle_at_its_own_height() {
    // Inside the cone ρ = z tan α: a horizontal circle at height z has v² = g z.
    let alpha = 0.6_f64;
    let start = vec3(0.5 * alpha.tan(), 0.0, 0.5);
    let speed = (G * 0.5_f64).sqrt();
    let mut sim = sliding(Surface::Cone { half_angle: alpha }, start, vec3(0.0, speed, 0.0), G);
    sim.run(3.0, 1e-3).unwrap();
    let b = sim.kinematics().body(BodyId::of_index(0));
    let angle = speed * 3.0 / start.x;
    let exact = vec3(start.x * angle.cos(), start.x * angle.sin(), 0.5);
    // Phase error of RK4: (ω h)⁴/120 = 2e-11 per radian at 6.5 rad/s, over 20 rad, amplified by the
    // oscillation about the circle.
    assert!((b.position - exact).norm() < 1e-8, "{:?} against {exact:?}", b.position);
}

#[test]
fn geodesics_of_a_sphere_given_as_an_ellipsoid_are_great_circles() {
    let radii = vec3(0.7, 0.7, 0.7);
    let mut sim = sliding(Surface::Ellipsoid { radii }, vec3(0.7, 0.0, 0.0), vec3(0.0, 1.2, 1.6), 0.0);
    sim.run(2.0, 1e-3).unwrap();
    let angle: f64 = 2.0 / 0.7 * 2.0;
    let exact = vec3(angle.cos(), 0.6 * angle.sin(), 0.8 * angle.sin()) * 0.7;
    let end = sim.kinematics().body(BodyId::of_index(0)).position;
    // Phase error of RK4: (ω h)⁴/120 = 6e-13 per radian at 2.9 rad/s, over 6 rad.
    assert!((end - exact).norm() < 1e-10, "{end:?} against {exact:?}");
}

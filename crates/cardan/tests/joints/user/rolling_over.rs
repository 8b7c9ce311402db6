//! Rolling on surfaces of any shape: rows against an independent contact, agreement with the kinds
//! that have closed forms, known motions.

use super::rolling::{rolls, rows_are_those_of_the_contact};
use super::velocities::random_model;
use cardan::End::Ground;
use cardan::constraint::{Rolling, RollingError, Track, Wheel};
use cardan::geometry::{Curve, SplineTerrain, Surface};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, ConstraintId, Frame, Gravity, ModelBuilder, Simulation, SolidShape, StepError,
};
use cardan_testkit::Rng;
use std::f64::consts::TAU;

const G: f64 = 9.81;

/// A terrain with bumps of about `high` metres, 8 m square.
fn hills(high: f64) -> SplineTerrain {
    let height = |i: usize, j: usize| {
        let (x, y) = (0.5 * i as f64 - 4.0, 0.5 * j as f64 - 4.0);
        high * (f64::sin(1.1 * x + 0.3) * f64::cos(0.9 * y) + 0.4 * f64::sin(0.7 * x - 1.3 * y))
    };
    let heights: Vec<Vec<f64>> = (0..17).map(|j| (0..17).map(|i| height(i, j)).collect()).collect();
    SplineTerrain::new([-4.0, -4.0], [0.5, 0.5], &heights).unwrap()
}

/// A terrain of which one piece is used, so that differences do not cross a border, where third
/// derivatives jump.
fn one_piece() -> SplineTerrain {
    let heights =
        [[1.0, -2.0, 0.5, 2.0], [-1.0, 2.0, 3.0, -2.0], [0.0, -1.0, -2.0, 1.0], [2.0, 1.0, 0.0, -1.0]];
    let heights: Vec<Vec<f64>> = heights.iter().map(|row| row.to_vec()).collect();
    SplineTerrain::new([-18.0, -18.0], [12.0, 12.0], &heights).unwrap()
}

/// Normal at the nearest point and signed distance, from the engine's heights but not from its
/// feet.
fn nearest(surface: &Surface, p: Vec3) -> (Vec3, f64) {
    match surface {
        Surface::Plane => (Vec3::Z, p.z),
        Surface::Sphere { radius } => (p.normalized().unwrap(), p.norm() - radius),
        Surface::Cylinder { radius } => {
            let across = vec3(p.x, p.y, 0.0);
            (across.normalized().unwrap(), across.norm() - radius)
        }
        Surface::Terrain(terrain) => {
            // Move the foot along the surface until the remaining distance is normal.
            let (mut x, mut y) = (p.x, p.y);
            for _ in 0..90 {
                let (h, [hx, hy], _) = terrain.at(x, y);
                let n = vec3(-hx, -hy, 1.0).normalized().unwrap();
                let gap = p - vec3(x, y, h);
                let along = gap - n * n.dot(gap);
                (x, y) = (x + 0.7 * along.x, y + 0.7 * along.y);
            }
            let (h, [hx, hy], _) = terrain.at(x, y);
            let n = vec3(-hx, -hy, 1.0).normalized().unwrap();
            (n, n.dot(p - vec3(x, y, h)))
        }
        other => panic!("{other:?}"),
    }
}

/// Normal and contact in the world.
fn contact(
    wheel: Wheel,
    surface: &Surface,
    inside: bool,
    a: &(Vec3, Quat),
    b: &(Vec3, Quat),
) -> (Vec3, Vec3) {
    let back = a.1.inverse();
    let sign = if inside { -1.0 } else { 1.0 };
    let at = |p: Vec3| {
        let (n, d) = nearest(surface, back * (p - a.0));
        (a.1 * n * sign, d * sign)
    };
    let (rim, round) = match wheel {
        Wheel::Ball { radius } => (0.0, radius),
        Wheel::Disc { radius, tyre } => (radius - tyre, tyre),
    };
    let place = |phi: f64| b.0 + b.1 * vec3(rim * phi.cos(), rim * phi.sin(), 0.0);
    let slope = |phi: f64| at(place(phi)).0.dot(b.1 * vec3(-phi.sin(), phi.cos(), 0.0));
    let mut phi = 0.0;
    if rim > 0.0 {
        let best = (0..60).map(|i| f64::from(i) * TAU / 60.0);
        let best = best.min_by(|x, y| at(place(*x)).1.total_cmp(&at(place(*y)).1)).unwrap();
        let (mut low, mut high) = (best - TAU / 50.0, best + TAU / 50.0);
        assert!(slope(low) < 0.0 && slope(high) > 0.0, "no lowest place");
        for _ in 0..60 {
            phi = 0.5 * (low + high);
            if slope(phi) > 0.0 {
                high = phi;
            } else {
                low = phi;
            }
        }
    }
    let (n, _) = at(place(phi));
    (n, place(phi) - n * round)
}

fn wheels() -> [Wheel; 3] {
    [
        Wheel::Ball { radius: 0.3 },
        Wheel::Disc { radius: 0.4, tyre: 0.0 },
        Wheel::Disc { radius: 0.4, tyre: 0.15 },
    ]
}

#[test]
fn every_wheel_on_every_surface_constrains_its_contact_point() {
    let surfaces = [
        (Surface::Terrain(one_piece()), false),
        (Surface::Sphere { radius: 0.9 }, false),
        (Surface::Sphere { radius: 3.0 }, true),
        (Surface::Cylinder { radius: 0.8 }, false),
        (Surface::Cylinder { radius: 4.0 }, true),
        (Surface::Plane, false),
    ];
    for (surface, inside) in &surfaces {
        for wheel in wheels() {
            for a in [None, Some(BodyKind::Rigid)] {
                for seed in 0..2 {
                    let rule = Rolling::on(wheel, surface.clone(), *inside).unwrap();
                    let kinds = [a, Some(BodyKind::Rigid)];
                    let (model, locals) = random_model(&mut Rng::new(seed), &kinds, Quat::IDENTITY, rule);
                    let what = format!("{wheel:?} on {} of {a:?}, seed {seed}", surface.name());
                    rows_are_those_of_the_contact(&model, &locals, &what, |a, b| {
                        contact(wheel, surface, *inside, a, b)
                    });
                }
            }
        }
    }
}

/// A wheel about x of the body, in motion; assembly puts it on the surface.
fn wheel_on(rule: Rolling, frame: Frame, pos: Vec3, rot: Quat, omega: Vec3) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let shape = SolidShape::Cylinder { radius: 0.2, length: 0.1 };
    let body = parts.add_body(Body { pos, rot, omega, ..Body::solid(shape, 1.5) });
    let along_x = Frame { pos: Vec3::ZERO, rot: Quat::with_z_along(Vec3::X, None).unwrap() };
    rolls(&mut parts, Ground, frame, body.into(), along_x, rule);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    sim
}

/// A terrain that is an inclined plane acts as the plane; a sphere as a surface acts as the sphere.
#[test]
fn an_inclined_plane_of_heights_is_the_plane_and_a_sphere_the_sphere() {
    let (sx, sy) = (0.3, -0.2);
    let height = |i: usize, j: usize| sx * (i as f64 - 5.0) + sy * (j as f64 - 5.0);
    let heights: Vec<Vec<f64>> = (0..11).map(|j| (0..11).map(|i| height(i, j)).collect()).collect();
    let slope = SplineTerrain::new([-5.0, -5.0], [1.0, 1.0], &heights).unwrap();
    let tilted = Frame { pos: Vec3::ZERO, rot: Quat::with_z_along(vec3(-sx, -sy, 1.0), None).unwrap() };
    for wheel in [
        Wheel::Ball { radius: 0.2 },
        Wheel::Disc { radius: 0.2, tyre: 0.0 },
        Wheel::Disc { radius: 0.2, tyre: 0.05 },
    ] {
        let plane = Rolling::new(wheel, Track::Plane).unwrap();
        let terrain = Rolling::on(wheel, Surface::Terrain(slope.clone()), false).unwrap();
        let runs = [(plane, tilted), (terrain, Frame::default())].map(|(rule, frame)| {
            let rot = Quat::exp(vec3(0.1, 0.3, 0.2));
            let mut sim = wheel_on(rule, frame, vec3(0.1, 0.2, 0.25), rot, vec3(3.0, 0.4, 0.6));
            sim.run(0.5, 2e-3).unwrap();
            let press = sim
                .evaluate()
                .unwrap()
                .constraint_loads(ConstraintId::of_index(0))
                .nth(1)
                .unwrap()
                .wrench
                .force;
            (
                sim.kinematics().body(BodyId::of_index(0)).position,
                sim.kinematics().body(BodyId::of_index(0)).angular_velocity,
                press,
            )
        });
        let ([a, b], size) = (&runs, runs[0].2.norm());
        // Two forms of one contact: 250 steps of rounding; forces lose a digit to the search for
        // the foot.
        assert!((a.0 - b.0).largest() < 1e-12 && (a.1 - b.1).largest() < 1e-11, "{wheel:?}: {runs:?}");
        assert!((a.2 - b.2).largest() < 1e-10 * size, "{wheel:?}: {runs:?}");
    }
    for (track, inside) in [(Track::Sphere(1.0), false), (Track::Shell(1.0), true)] {
        let ball = Wheel::Ball { radius: 0.2 };
        let rules = [
            Rolling::new(ball, track).unwrap(),
            Rolling::on(ball, Surface::Sphere { radius: 1.0 }, inside).unwrap(),
        ];
        let ends = rules.map(|rule| {
            let pos = if inside { vec3(0.3, 0.2, -0.7) } else { vec3(0.3, 0.2, 1.1) };
            let mut sim = wheel_on(rule, Frame::default(), pos, Quat::IDENTITY, vec3(1.0, 2.0, 3.0));
            sim.run(0.4, 1e-3).unwrap();
            sim.kinematics().body(BodyId::of_index(0)).position
        });
        // Two forms of one contact: 400 steps of rounding.
        assert!((ends[0] - ends[1]).largest() < 1e-12, "{track:?}: {ends:?}");
    }
}

/// A solid ball in an upright tube rises and falls harmonically, √(2/7) times per revolution: it
/// never reaches the bottom.
#[test]
fn a_ball_in_an_upright_tube_goes_up_and_down_as_often_as_the_closed_form_says() {
    let (tube, radius, around) = (0.5, 0.1, 6.0);
    let reach = tube - radius;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    // v = ω × (r n), n = −x; no spin about the normal.
    let vel = vec3(0.0, reach * around, 0.0);
    let omega = (-Vec3::X).cross(vel) / radius;
    let ball = parts.add_body(Body {
        pos: vec3(reach, 0.0, 0.0),
        vel,
        omega,
        ..Body::solid(SolidShape::Sphere { radius }, 0.7)
    });
    let rule = Rolling::on(Wheel::Ball { radius }, Surface::Cylinder { radius: tube }, true).unwrap();
    rolls(&mut parts, Ground, Frame::default(), ball.into(), Frame::default(), rule);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let period = TAU / (around * f64::sqrt(2.0 / 7.0));
    // z = −(5 g/7) (1 − cos w t)/w², w² = 2 around²/7.
    let deepest = -2.0 * (5.0 * G / 7.0) / (2.0 * around * around / 7.0);
    sim.run(0.5 * period, period / 2000.0).unwrap();
    let half = sim.kinematics().body(BodyId::of_index(0));
    assert!((half.position.z - deepest).abs() < 1e-9, "{} is not {deepest}", half.position.z);
    sim.run(period, period / 2000.0).unwrap();
    let end = sim.kinematics().body(BodyId::of_index(0));
    // Truncation of RK4 with 2000 steps per period of the slower motion; the revolution is twice as
    // fast.
    assert!(end.position.z.abs() < 1e-9 && end.velocity.z.abs() < 1e-8, "{end:?}");
    let angle = around * period;
    let place = vec3(reach * angle.cos(), reach * angle.sin(), 0.0);
    assert!((end.position - place).largest() < 1e-9, "{:?} is not {place:?}", end.position);
}

#[test]
fn wheels_on_hills_keep_their_energy_to_fourth_order_and_do_not_slip() {
    for wheel in [Wheel::Ball { radius: 0.2 }, Wheel::Disc { radius: 0.2, tyre: 0.06 }] {
        let run = |h: f64| {
            let rule = Rolling::on(wheel, Surface::Terrain(hills(0.15)), false).unwrap();
            let rot = Quat::exp(vec3(0.0, 0.2, 0.3));
            let mut sim = wheel_on(rule, Frame::default(), vec3(0.2, -0.3, 0.4), rot, vec3(4.0, 1.0, 1.0));
            let start = sim.energy().mechanical();
            let (mut slip, mut worst) = (0.0_f64, 0.0_f64);
            while sim.time() < 0.799 {
                sim.step(h).unwrap();
                let errors = sim.kinematics().velocity_errors().to_vec();
                slip = errors.iter().fold(slip, |w, e| w.max(e.abs()));
                worst = worst.max((sim.energy().mechanical() - start).abs());
            }
            // Projection ends at rounding of speeds of some m/s and positions below 1 m.
            assert!(slip < 1e-12, "{wheel:?} slips at {slip:e}");
            assert!(sim.certificate().max_position_error < 1e-14, "{:?}", sim.certificate());
            worst
        };
        // The spline's third derivative jumps: at least third order remains at the borders of
        // pieces.
        let (coarse, fine) = (run(4e-3), run(1e-3));
        assert!(fine < 1e-8 && coarse > 60.0 * fine, "{wheel:?}: {coarse:e}, {fine:e}");
    }
}

/// In the plane a profile is a track: a closed curve that is a circle acts as the circle.
#[test]
fn a_wheel_in_the_plane_rolls_on_a_profile_as_on_the_circle_that_it_is() {
    let wheel = Wheel::Ball { radius: 0.2 };
    let rules = [
        Rolling::new(wheel, Track::Sphere(1.0)).unwrap().in_plane().unwrap(),
        Rolling::on(wheel, Surface::profile(Curve::circle(1.0).unwrap()).unwrap(), false)
            .and_then(Rolling::in_plane)
            .unwrap(),
    ];
    let ends = rules.map(|rule| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
        let body = parts.add_body(Body {
            pos: vec3(0.1, 1.2, 0.0),
            omega: vec3(0.0, 0.0, -3.0),
            ..Body::planar(1.0, 0.02)
        });
        rolls(&mut parts, Ground, Frame::default(), body.into(), Frame::default(), rule);
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(0.3, 1e-3).unwrap();
        sim.kinematics().body(BodyId::of_index(0)).position
    });
    // A spline circle is the circle to rounding of its control points: 300 steps along it.
    assert!((ends[0] - ends[1]).largest() < 1e-11, "{ends:?}");
}

/// `a` may move: a ball in a bowl that swings; weight alone does work.
#[test]
fn a_wheel_rolls_on_a_moving_body() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let bowl = parts
        .add_body(Body { pos: vec3(0.0, 0.0, -1.0), ..Body::solid(SolidShape::Sphere { radius: 0.8 }, 3.0) });
    parts.add_joint(cardan::Joint::revolute(Ground, bowl, Vec3::ZERO, vec3(0.0, 1.0, 0.2)));
    let ball = parts
        .add_body(Body { pos: vec3(0.3, 0.1, -1.4), ..Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0) });
    let surface = Surface::Ellipsoid { radii: vec3(0.8, 0.7, 0.6) };
    let rule = Rolling::on(Wheel::Ball { radius: 0.1 }, surface, true).unwrap();
    rolls(&mut parts, bowl.into(), Frame::default(), ball.into(), Frame::default(), rule);
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let energy = sim.energy().mechanical();
    sim.run(1.0, 1e-3).unwrap();
    // Truncation of RK4 at 1 ms and some rad/s.
    assert!((sim.energy().mechanical() - energy).abs() < 1e-9, "{:e}", sim.energy().mechanical() - energy);
    assert!(sim.balance().momentum_error < 1e-9, "{:?}", sim.balance());
}

#[test]
fn surfaces_that_nothing_can_roll_on_are_refused_and_edges_are_errors() {
    let ball = Wheel::Ball { radius: 0.2 };
    let on = |wheel, surface, inside| Rolling::on(wheel, surface, inside).map(|_| ());
    assert_eq!(on(ball, Surface::Cylinder { radius: 0.2 }, true), Err(RollingError::Shell));
    assert_eq!(on(ball, Surface::Torus { ring: 1.0, tube: 0.1 }, true), Err(RollingError::Shell));
    assert!(matches!(on(ball, Surface::Sphere { radius: -1.0 }, false), Err(RollingError::Surface(_))));
    assert_eq!(on(Wheel::Ball { radius: 0.0 }, Surface::Plane, false), Err(RollingError::Radius));
    let flat = Rolling::on(ball, Surface::Terrain(hills(0.1)), false).unwrap().in_plane();
    assert_eq!(flat, Err(RollingError::NoCurve("terrain")));

    // Beyond the edge.
    let rule = Rolling::on(ball, Surface::Terrain(hills(0.0)), false).unwrap();
    let mut sim = wheel_on(rule, Frame::default(), vec3(3.9, 0.0, 0.2), Quat::IDENTITY, vec3(0.0, 10.0, 0.0));
    let error = loop {
        match sim.step(1e-3) {
            Ok(_) => assert!(sim.time() < 1.0),
            Err(error) => break error,
        }
    };
    let text = error.to_string();
    assert!(text.contains("contact") && text.contains("edge at x = 4"), "{text}");
    assert!(matches!(error, StepError::Lost { .. }), "{error:?}");

    // A groove that is narrower than the wheel.
    let heights: Vec<Vec<f64>> =
        (0..3).map(|_| (0..41).map(|i| 0.2 * f64::from(i - 20).abs().powi(2) * 0.01).collect()).collect();
    let furrow = SplineTerrain::new([-2.0, -1.0], [0.1, 1.0], &heights).unwrap();
    let rule = Rolling::on(Wheel::Ball { radius: 3.0 }, Surface::Terrain(furrow), false).unwrap();
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let body = parts
        .add_body(Body { pos: vec3(0.0, 0.0, 3.0), ..Body::solid(SolidShape::Sphere { radius: 3.0 }, 1.0) });
    rolls(&mut parts, Ground, Frame::default(), body.into(), Frame::default(), rule);
    let error = Simulation::new(parts.build().unwrap()).step(1e-3).unwrap_err();
    assert!(error.to_string().contains("contact"), "{error}");
}

/// A wheel with lateral slip: free along its axle, no slip perpendicular to it.
#[test]
fn a_wheel_with_lateral_slip_slides_along_its_axle_and_rolls_across_it() {
    for (surface, seed) in [(Surface::Plane, 1), (Surface::Terrain(one_piece()), 2), (Surface::Plane, 3)] {
        let wheel = Wheel::Disc { radius: 0.4, tyre: 0.1 };
        let rule = Rolling::on(wheel, surface.clone(), false).unwrap().with_lateral_slip().unwrap();
        let kinds = [Some(BodyKind::Rigid), Some(BodyKind::Rigid)];
        let (model, locals) = random_model(&mut Rng::new(seed), &kinds, Quat::IDENTITY, rule);
        let what = format!("lateral slip on {}, seed {seed}", surface.name());
        rows_are_those_of_the_contact(&model, &locals, &what, |a, b| contact(wheel, &surface, false, a, b));
    }
    // On a slope that falls along the axle and across it: g sin α slides, g sin β rolls.
    let rule = Rolling::new(Wheel::Disc { radius: 0.2, tyre: 0.0 }, Track::Plane).unwrap();
    let normal = vec3(-0.3, -0.2, 1.0).normalized().unwrap();
    let axle = vec3(1.0, 0.0, 0.3).normalized().unwrap();
    let frame = Frame { pos: Vec3::ZERO, rot: Quat::with_z_along(normal, None).unwrap() };
    let upright = Quat::with_z_along(normal, Some(axle)).unwrap();
    let mut sim = wheel_on(rule.with_lateral_slip().unwrap(), frame, normal * 0.2, upright, Vec3::ZERO);
    sim.run(0.5, 1e-2).unwrap();
    let weight = vec3(0.0, 0.0, -G);
    let way = normal.cross(axle);
    // A disc has I = m r²/2 about its axis.
    let wanted = (axle * weight.dot(axle) + way * (weight.dot(way) / 1.5)) * 0.125;
    let moved = sim.kinematics().body(BodyId::of_index(0)).position - normal * 0.2;
    assert!((moved - wanted).largest() < 1e-12, "{moved:?} is not {wanted:?}");
    assert_eq!(
        Rolling::new(Wheel::Ball { radius: 0.1 }, Track::Plane).unwrap().with_lateral_slip(),
        Err(RollingError::NoAxle)
    );
}

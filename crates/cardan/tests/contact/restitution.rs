//! Impacts by Newton's and by Poisson's law, with friction, against Routh's construction and other
//! closed forms.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::Shape;
use cardan::inequality::{DistanceBound, HalfSpace};
use cardan::math::{Quat, vec3};
use cardan::step::EventKind;
use cardan::{
    Body, ContactShape, End, Frame, Gravity, Impacts, Inequality, Integrator, Joint, JointLimit, Material,
    ModelBuilder, RestitutionLaw, Settings, Simulation,
};

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

fn floor(material: Material) -> ContactShape {
    let rot = Quat::exp(vec3(-std::f64::consts::FRAC_PI_2, 0.0, 0.0));
    ContactShape {
        body: End::Ground,
        frame: Frame { rot, ..Frame::default() },
        shape: Shape::Plane,
        material,
    }
}

fn with_law(parts: ModelBuilder, restitution_law: RestitutionLaw, impacts: Impacts) -> Simulation {
    let settings = Settings { restitution_law, impacts, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
}

/// A rod whose lower left end hits a floor at the origin.
#[derive(Copy, Clone, Debug)]
struct Rod {
    angle: f64,
    mass: f64,
    inertia: f64,
    /// Velocity of the centre of mass, and angular velocity.
    v: [f64; 3],
    mu: f64,
    e: f64,
}

impl Rod {
    /// Position of the tip, from the centre of mass.
    fn arm(&self) -> [f64; 2] {
        [-0.5 * self.angle.cos(), -0.5 * self.angle.sin()]
    }
    /// Velocity of the tip, along the floor and away from it.
    fn tip(&self, v: [f64; 3]) -> [f64; 2] {
        let [x, y] = self.arm();
        [v[0] - v[2] * y, v[1] + v[2] * x]
    }
    /// Velocity of the tip by unit impulses along the floor and away from it: tt, tn, nn.
    fn response(&self) -> [f64; 3] {
        let [x, y] = self.arm();
        [
            1.0 / self.mass + y * y / self.inertia,
            -x * y / self.inertia,
            1.0 / self.mass + x * x / self.inertia,
        ]
    }
    fn energy(&self, v: [f64; 3]) -> f64 {
        0.5 * self.mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * self.inertia * v[2] * v[2]
    }
    fn after(&self, law: RestitutionLaw) -> [f64; 3] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let [x, y] = self.arm();
        let rod = parts.add_body(Body {
            pos: vec3(-x, -y, 0.0),
            rot: Quat::exp(vec3(0.0, 0.0, self.angle)),
            vel: vec3(self.v[0], self.v[1], 0.0),
            omega: vec3(0.0, 0.0, self.v[2]),
            ..Body::planar(self.mass, self.inertia)
        });
        let material = Material { restitution: self.e, ..Material::rough(self.mu) };
        let tip = Frame::at(vec3(-0.5, 0.0, 0.0));
        parts.add_shape(ContactShape { body: rod.into(), frame: tip, shape: Shape::POINT, material });
        parts.add_shape(floor(material));
        let mut sim = with_law(parts, law, Impacts::default());
        sim.run(1e-9, 1e-9).expect("a step");
        assert!(sim.events().iter().any(|event| event.kind == EventKind::Impact), "{self:?}");
        // One impact: energy is booked from the jump itself.
        assert!(sim.balance().energy_error < 1e-11, "{self:?} {:?}", sim.balance());
        sim.state().velocities().try_into().expect("three")
    }

    /// Routh 1860: the impulse grows along the line of friction while the tip slides, then along
    /// that of sticking (or of sliding back); the compression ends where the tip no longer
    /// approaches, the impact at 1 + e times its normal impulse. And whether it slid back before
    /// the end of a phase.
    fn routh(&self) -> ([f64; 3], bool) {
        let [tt, tn, nn] = self.response();
        let [mut t, mut n] = self.tip(self.v);
        let (mut p, mut end) = ([0.0, 0.0], f64::INFINITY);
        let mut slides_back = false;
        let first = t.signum();
        for _ in 0..4 {
            // The slope of the line, dp_t / dp_n.
            let slope = if t.abs() > 1e-14 {
                -self.mu * t.signum()
            } else if (tn / tt).abs() <= self.mu {
                -tn / tt
            } else {
                // It slides in the direction in which the normal impulse pushes it.
                slides_back |= first != tn.signum() && self.mu > 0.0;
                -self.mu * tn.signum()
            };
            let (dt, dn) = (tn + tt * slope, nn + tn * slope);
            let stops = if t.abs() > 1e-14 && t * dt < 0.0 { -t / dt } else { f64::INFINITY };
            let compressed = if end.is_infinite() && dn > 0.0 { -n / dn } else { f64::INFINITY };
            let step = stops.min(compressed).min(end - p[1]);
            (t, n) = (if step == stops { 0.0 } else { t + dt * step }, n + dn * step);
            p = [p[0] + slope * step, p[1] + step];
            if step == compressed {
                end = (1.0 + self.e) * p[1];
                n = 0.0;
                if self.e == 0.0 {
                    break;
                }
            } else if step != stops {
                break;
            }
        }
        let [x, y] = self.arm();
        let turn = (x * p[1] - y * p[0]) / self.inertia;
        ([self.v[0] + p[0] / self.mass, self.v[1] + p[1] / self.mass, self.v[2] + turn], slides_back)
    }
}

/// The tip slides throughout; sticks during the compression; sticks during the expansion: each is
/// Routh's solution, and with friction it is not Newton's.
#[test]
fn a_rod_hits_a_floor_as_routh_computes() {
    let rod = Rod { angle: 0.9, mass: 2.0, inertia: 2.0 / 12.0, v: [0.0; 3], mu: 0.0, e: 0.6 };
    let cases = [
        ("slides", Rod { v: [6.0, -1.0, 0.3], mu: 0.2, ..rod }),
        ("slides the other way", Rod { v: [-6.0, -1.0, 0.0], mu: 0.2, ..rod }),
        ("sticks early", Rod { v: [0.3, -2.0, 0.0], mu: 0.9, ..rod }),
        ("sticks late", Rod { v: [1.4, -1.0, 0.0], mu: 0.7, ..rod }),
        ("smooth", Rod { v: [1.0, -1.0, 0.5], ..rod }),
        ("dead", Rod { v: [0.3, -2.0, 0.0], mu: 0.9, e: 0.0, ..rod }),
    ];
    let mut differ = 0;
    for (name, rod) in cases {
        let (wanted, back) = rod.routh();
        assert!(!back, "{name}");
        let (found, newton) = (rod.after(RestitutionLaw::Poisson), rod.after(RestitutionLaw::Newton));
        println!("{name}: tip {:?} to {:?}; Newton {newton:?}", rod.tip(rod.v), rod.tip(found));
        for (found, wanted) in found.iter().zip(wanted) {
            // The phases of the impact end where a speed is zero, to 1e-10 of the approach.
            near(*found, wanted, 1e-9);
        }
        let same = found.iter().zip(newton).all(|(p, n)| (p - n).abs() < 1e-9);
        assert!(same || (rod.mu > 0.0 && rod.e > 0.0), "{name}");
        differ += usize::from(!same);
    }
    assert!(differ >= 2, "{differ}");
}

/// Any rod, any friction: Poisson's law is Routh's where the tip does not slide back; and neither
/// law adds energy, though Newton's formula would (Kane 1984): then the rebound is reduced to
/// conserve energy.
#[test]
fn no_impact_makes_energy() {
    let mut seed = 7_u64;
    let mut next = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut agreed, mut held_back) = (0, 0);
    for _ in 0..400 {
        let rod = Rod {
            angle: next(0.05, 3.1),
            mass: next(0.1, 3.0),
            inertia: next(0.01, 0.4),
            v: [next(-3.0, 3.0), next(-3.0, 3.0), next(-6.0, 6.0)],
            mu: next(0.0, 1.4),
            e: next(0.0, 1.0),
        };
        let before = rod.tip(rod.v);
        if before[1] > -0.1 {
            continue;
        }
        for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
            let after = rod.after(law);
            let (was, is) = (rod.energy(rod.v), rod.energy(after));
            // Energy is conserved at best, up to the rounding of the impact's phases; where
            // Newton's rebound is reduced it is conserved by bisection.
            assert!(is <= was * (1.0 + 1e-10), "{law:?} {rod:?}: {was} to {is}");
            let tip = rod.tip(after);
            assert!(tip[1] >= -1e-9, "{law:?} {rod:?}: {tip:?}");
            if law == RestitutionLaw::Newton && tip[1] < -rod.e * before[1] - 1e-6 {
                held_back += 1;
                near(is, was, 1e-9 * was);
            }
        }
        let (wanted, back) = rod.routh();
        if !back {
            agreed += 1;
            for (found, wanted) in rod.after(RestitutionLaw::Poisson).iter().zip(wanted) {
                // As in the test above, with rods of up to 3 kg and speeds of some m/s.
                near(*found, wanted, 1e-8);
            }
        }
    }
    println!("{agreed} as Routh has them, {held_back} held back");
    assert!(agreed > 100 && held_back > 0, "{agreed} {held_back}");
}

/// A spinning ball in space: friction and rebound are uncoupled, and both laws are equal.
#[test]
fn a_spinning_ball_rebounds_alike_by_both_laws() {
    let (r, m, e) = (0.1, 0.5, 0.7);
    for mu in [0.05, 0.6] {
        for law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
            let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
            let material = Material { restitution: e, ..Material::rough(mu) };
            let (vel, omega) = (vec3(2.0, -3.0, 1.0), vec3(4.0, 5.0, -20.0));
            let ball = parts.add_body(Body {
                pos: vec3(0.0, r, 0.0),
                vel,
                omega,
                ..Body::solid(cardan::SolidShape::Sphere { radius: r }, m)
            });
            let shape = Shape::sphere(r).expect("a ball");
            parts.add_shape(ContactShape { body: ball.into(), frame: Frame::default(), shape, material });
            parts.add_shape(floor(material));
            let mut sim = with_law(parts, law, Impacts::default());
            sim.run(1e-9, 1e-9).expect("a step");
            let v = sim.state().velocities();
            let slide = vel + omega.cross(vec3(0.0, -r, 0.0));
            let slide = vec3(slide.x, 0.0, slide.z);
            let push = (mu * (1.0 + e) * m * 3.0).min(2.0 / 7.0 * m * slide.norm());
            let p = slide * (-push / slide.norm()) + vec3(0.0, (1.0 + e) * m * 3.0, 0.0);
            let turn = vec3(0.0, -r, 0.0).cross(p) * (1.0 / (0.4 * m * r * r));
            for (found, wanted) in v.iter().zip([
                vel.x + p.x / m,
                vel.y + p.y / m,
                vel.z + p.z / m,
                omega.x + turn.x,
                omega.y + turn.y,
                omega.z + turn.z,
            ]) {
                // Friction and rebound of a ball, to the end of the phases at 1e-10 of the
                // approach.
                near(*found, wanted, 1e-8);
            }
        }
    }
}

/// Simultaneously, the compression impulse of a row of balls is returned: 6/7 ± 0.9 of it.
/// Successively, impacts of two are those of Newton.
#[test]
fn rows_of_balls_rebound_by_poissons_law() {
    let row = |masses: &[f64], speeds: &[f64], e: f64, impacts: Impacts| -> Vec<f64> {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let body = |(i, (&mass, &speed)): (usize, (&f64, &f64))| Body {
            pos: vec3(0.1 * i as f64, 0.0, 0.0),
            vel: vec3(speed, 0.0, 0.0),
            ..Body::particle(mass)
        };
        let made: Vec<Body> = masses.iter().zip(speeds).enumerate().map(body).collect();
        let balls: Vec<_> = made.into_iter().map(|ball| parts.add_body(ball)).collect();
        for pair in balls.windows(2) {
            let frames = vec![(pair[0].into(), Frame::default()), (pair[1].into(), Frame::default())];
            let rule = DistanceBound { length: 0.1, at_most: false };
            parts.add_inequality(Inequality::new("", frames, rule).with_restitution(e));
        }
        let mut sim = with_law(parts, RestitutionLaw::Poisson, impacts);
        sim.run(1e-3, 1e-3).expect("a run");
        // Impulses are booked from the jump itself.
        assert!(sim.balance().energy_error < 1e-13);
        sim.state().velocities().chunks(3).map(|v| v[0]).collect()
    };
    // Rational numbers of the closed form: some roundings.
    let check = |found: Vec<f64>, wanted: &[f64]| {
        found.iter().zip(wanted).for_each(|(found, wanted)| near(*found, *wanted, 1e-13));
    };
    let speeds = [3.0, 0.0, 0.0, 0.0];
    let found = row(&[2.0, 1.0, 3.0, 1.0], &speeds, 0.9, Impacts::Simultaneous);
    check(found, &[-7.5 / 7.0, 11.4 / 7.0, 11.4 / 7.0, 11.4 / 7.0]);
    let found = row(&[2.0, 1.0, 3.0, 1.0], &speeds, 0.9, Impacts::Sequential);
    check(found, &[-0.6195, 0.593424328125, 1.353530015625, 2.584985625]);
    let found = row(&[1.0; 5], &[1.0, 1.0, 0.0, 0.0, 0.0], 1.0, Impacts::Propagating);
    check(found, &[0.0, 0.0, 0.0, 1.0, 1.0]);
    let found = row(&[1.0; 3], &[1.0, 0.0, 0.0], 1.0, Impacts::Simultaneous);
    check(found, &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
}

/// With joints, a loop and a motor: an impact without friction is equal by both laws, and all
/// joints stay closed.
#[test]
fn an_impact_without_friction_in_a_mechanism_is_alike_by_both_laws() {
    let run = |law: RestitutionLaw| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let rod = |x: f64| Body { pos: vec3(x, 0.0, 0.0), ..Body::planar(1.0, 1.0 / 12.0) };
        let (first, second) = (parts.add_body(rod(0.5)), parts.add_body(rod(1.5)));
        parts.add_joint(Joint::revolute(End::Ground, first, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
        let mut knee = Joint::revolute(first, second, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
        knee.limits.push(JointLimit { coordinate: 0, low: -0.4, high: 0.1, restitution: 0.5 });
        parts.add_joint(knee);
        let mut sim = with_law(parts, law, Impacts::default());
        sim.run(1.2, 2e-3).expect("a run");
        let hits = sim.events().iter().filter(|event| event.kind == EventKind::Limit).count();
        // Joints are projected to rounding; the motion between impacts is RK4's at 2 ms.
        assert!(hits > 1 && sim.certificate().max_velocity_error < 1e-13, "{hits}");
        assert!(sim.balance().energy_error < 1e-6, "{:?}", sim.balance());
        sim.state().velocities().to_vec()
    };
    // Both laws give one impact without friction: rounding, amplified by the motion after it.
    let (newton, poisson) = (run(RestitutionLaw::Newton), run(RestitutionLaw::Poisson));
    newton.iter().zip(&poisson).for_each(|(n, p)| near(*n, *p, 1e-9));
}

/// A step of time stepping begins with the impacts of Poisson's law: a spinning ball, a row of balls and a rod with
/// friction leave as by the smooth integrators, whose closed forms are above.
#[test]
fn time_stepping_has_the_impacts_of_poissons_law() {
    let run = |parts: &dyn Fn() -> ModelBuilder, impacts: Impacts, integrator: Integrator| {
        let restitution_law = RestitutionLaw::Poisson;
        let settings = Settings { restitution_law, impacts, integrator, ..Settings::default() };
        let model = parts().build().expect("a model");
        let mut sim = Simulation::with_settings(model, settings).expect("settings");
        sim.run(1e-9, 1e-9).expect("a step");
        let hits = sim.events().iter().filter(|event| event.kind == EventKind::Impact).count();
        assert!(hits > 0, "impacts are events");
        sim.state().velocities().to_vec()
    };
    let ball = || {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let material = Material { restitution: 0.7, ..Material::rough(0.2) };
        let ball = Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 0.5);
        let (pos, vel, omega) = (vec3(0.0, 0.1, 0.0), vec3(2.0, -3.0, 1.0), vec3(4.0, 5.0, -20.0));
        let ball = parts.add_body(Body { pos, vel, omega, ..ball });
        let shape = Shape::sphere(0.1).expect("a ball");
        parts.add_shape(ContactShape { body: ball.into(), frame: Frame::default(), shape, material });
        parts.add_shape(floor(material));
        parts
    };
    let row = || {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let masses = [2.0, 1.0, 3.0, 1.0];
        let balls = masses.iter().enumerate().map(|(i, &mass)| Body {
            pos: vec3(0.1 * i as f64, 0.0, 0.0),
            vel: vec3(if i == 0 { 3.0 } else { 0.0 }, 0.0, 0.0),
            ..Body::particle(mass)
        });
        let balls: Vec<_> = balls.map(|ball| parts.add_body(ball)).collect();
        for pair in balls.windows(2) {
            let frames = vec![(pair[0].into(), Frame::default()), (pair[1].into(), Frame::default())];
            let rule = DistanceBound { length: 0.1, at_most: false };
            parts.add_inequality(Inequality::new("", frames, rule).with_restitution(0.9));
        }
        parts
    };
    let found = run(&row, Impacts::Simultaneous, Integrator::TimeStepping);
    for (v, wanted) in found.chunks(3).zip([-7.5 / 7.0, 11.4 / 7.0, 11.4 / 7.0, 11.4 / 7.0]) {
        near(v[0], wanted, 1e-13); // rational numbers of the closed form
    }
    let one = run(&ball, Impacts::default(), Integrator::TimeStepping);
    let other = run(&ball, Impacts::default(), Integrator::Rk4);
    // 1e-9 s of gravity, and the end of the phases at 1e-10 of the approach.
    one.iter().zip(&other).for_each(|(one, other)| near(*one, *other, 4e-8));
}

/// A ball in steps that are longer than its flights: what would come down again within a step does not rebound, so that
/// its energy never grows. In short steps it rises to e² of its height.
#[test]
fn rebounds_shorter_than_a_step_make_no_energy() {
    let (g, e) = (9.81, 0.9);
    for restitution_law in [RestitutionLaw::Newton, RestitutionLaw::Poisson] {
        let ball = |height: f64, speed: f64| {
            let mut parts = ModelBuilder::new(Gravity::new(0.0, -g, 0.0));
            let ball =
                Body { pos: vec3(0.0, height, 0.0), vel: vec3(0.0, -speed, 0.0), ..Body::particle(1.0) };
            let ball = parts.add_body(ball);
            let frames = vec![(End::Ground, Frame::default()), (ball.into(), Frame::default())];
            let rule = HalfSpace::new([0.0, 1.0, 0.0]).expect("a normal");
            parts.add_inequality(Inequality::new("floor", frames, rule).with_restitution(e));
            let integrator = Integrator::TimeStepping;
            let settings = Settings { restitution_law, integrator, ..Settings::default() };
            Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
        };
        for (height, speed, h) in [(0.0, 1.0, 10.0), (2.0, 5.0, 10.0), (0.0, 4.0, 1.0), (1.0, 0.0, 0.9)] {
            let mut sim = ball(height, speed);
            let energy = |sim: &mut Simulation| sim.energy().kinetic + sim.energy().potential;
            let mut before = energy(&mut sim);
            for _ in 0..5 {
                sim.step(h).expect("a step");
                let now = energy(&mut sim);
                assert!(now <= before + 1e-12 * (1.0 + before.abs()), "{h} s: from {before} to {now} J");
                before = now;
            }
        }
        let (height, h) = (1.0, 1e-4);
        let mut sim = ball(height, 0.0);
        let mut top = 0.0_f64;
        sim.run(0.5, h).expect("a fall");
        for _ in 0..8000 {
            sim.step(h).expect("a step");
            top = top.max(sim.state().coordinates()[1]);
        }
        // First order: speeds at the impact are off by up to g h.
        let speed = (2.0 * g * height).sqrt();
        near(top, e * e * height, 2.0 * h * speed);
    }
}

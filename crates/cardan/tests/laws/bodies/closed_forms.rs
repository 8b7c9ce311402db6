//! Motions of general bodies with closed forms, and conservation laws.

use cardan::body::{Elastic, InternalMass, ScaleSpring};
use cardan::geometry::Curve;
use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, BodyId, Constant, Force, Gravity, MassProperties, Model, ModelBuilder, Simulation, SolidShape,
};
use cardan_testkit::{CountingAllocator, GENERAL, Rng, random_general};
use std::f64::consts::PI;

const NO_GRAVITY: Gravity = Gravity(Vec3::new(0.0, 0.0, 0.0));

fn alone(gravity: Gravity, body: Body) -> Model {
    let mut parts = ModelBuilder::new(gravity);
    parts.add_body(body);
    parts.build().unwrap()
}

fn block(mass: f64, size: [f64; 3]) -> MassProperties {
    MassProperties::of_shape(&SolidShape::Box { size }, mass)
}

/// The mass of a block that scales is ∫ρ|X|² = tr(I)/2, so ω² = k / (tr(I)/2); RK4 with 200 steps
/// per period is accurate to 1e-8 of the amplitude.
#[test]
fn a_block_that_does_not_turn_breathes_with_the_frequency_of_its_second_moment() {
    let mass = block(3.0, [0.4, 0.6, 0.8]);
    let stretch = ScaleSpring { stiffness: 40.0, damping: 0.0 };
    let frequency = (40.0 / (0.5 * mass.inertia.trace())).sqrt();
    let body = Body { vel: vec3(0.3, 0.2, -0.1), ..Body::scaled(mass, stretch) }.starting(&[1.2], &[0.0]);
    let mut sim = Simulation::new(alone(Gravity::new(0.0, 0.0, -9.81), body));
    let period = 2.0 * PI / frequency;
    for part in 1..=8 {
        let time = f64::from(part) * 0.3 * period;
        sim.run(time, period / 200.0).unwrap();
        let scale = sim.state().coordinates()[7];
        let expected = 1.0 + 0.2 * (frequency * sim.time()).cos();
        // Phase error of RK4: (2π/200)⁴/120 = 8e-9 per radian, over 15 rad, of an amplitude of 0.2.
        assert!((scale - expected).abs() < 1e-7, "{scale} for {expected} at {}", sim.time());
    }

    // Each axis by itself: ∫ρXᵢ² = m aᵢ²/12.
    let body = Body::scaled3(mass, stretch).starting(&[1.1, 0.9, 1.2], &[0.0; 3]);
    let mut sim = Simulation::new(alone(NO_GRAVITY, body));
    sim.run(1.0, 1e-3).unwrap();
    for (i, (edge, amplitude)) in [(0.4, 0.1), (0.6, -0.1), (0.8, 0.2)].into_iter().enumerate() {
        let frequency = (40.0 / (3.0 * edge * edge / 12.0_f64)).sqrt();
        let (scale, expected) = (sim.state().coordinates()[7 + i], 1.0 + amplitude * frequency.cos());
        // Phase error of RK4: (ω h)⁴/120 = 8e-9 per radian at ω = 32 rad/s, over 32 rad, of 0.1.
        assert!((scale - expected).abs() < 1e-7, "{scale} for {expected}");
    }
}

/// A spinning body that grows slows down: I s² ω is constant, and s oscillates in the potential
/// ½k(s−1)² + L²/(2 I s²).
#[test]
fn a_spinning_block_slows_down_as_it_grows() {
    let mass = block(2.0, [0.3, 0.3, 0.1]);
    let body = Body {
        omega: vec3(0.0, 0.0, 6.0),
        ..Body::scaled(mass, ScaleSpring { stiffness: 1.0, damping: 0.0 })
    };
    let mut sim = Simulation::new(alone(NO_GRAVITY, body));
    let start = sim.energy().mechanical();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for _ in 0..2000 {
        sim.step(1e-3).unwrap();
        let (s, omega) = (sim.state().coordinates()[7], sim.state().velocities()[5]);
        // Truncation of RK4: (ω h)⁴/120 = 1e-11 per radian at 6 rad/s, over 12 rad.
        assert!((mass.inertia.zz * s * s * omega - mass.inertia.zz * 6.0).abs() < 1e-10);
        (least, most) = (least.min(s), most.max(s));
    }
    // Truncation of RK4, as of the angular momentum, with the faster oscillation of s.
    assert!((sim.energy().mechanical() - start).abs() < 1e-9 * start);
    // Where ṡ = 0 again: ½ k (s−1)² + ½ I ω² / s² is the energy; its other root, by bisection.
    let energy = |s: f64| 0.5 * (s - 1.0) * (s - 1.0) + 0.5 * mass.inertia.zz * 36.0 / (s * s);
    let (mut low, mut high) = (1.05, 10.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if energy(middle) < start { low = middle } else { high = middle }
    }
    // The largest sample misses the turning point by up to ½ s̈ (h/2)² = 4e-6.
    assert!(least > 1.0 - 1e-9 && (most - low).abs() < 1e-5, "{least} to {most}, {low}");
}

fn material(young: f64, damping: f64) -> Elastic {
    Elastic { young, poisson: 0.0, damping }
}

/// Small stretches along an axis: ½ E V ε² against ½ (m a²/12) ε̇², so ω² = 12 E V / (m a²) with
/// Poisson's ratio zero. In a soft block also the strain 2 c X of u = c (X² − a²/12): ω² = 60 E V /
/// (m a²).
#[test]
fn affine_and_soft_blocks_have_the_modes_of_their_energy() {
    let (size, mass, young) = ([0.5, 0.4, 0.3], 1.5, 3e4);
    let volume = size[0] * size[1] * size[2];
    let first = |edge: f64| (12.0 * young * volume / (mass * edge * edge)).sqrt() / (2.0 * PI);
    let shape = SolidShape::Box { size };
    for (body, free) in [
        (Body::affine(shape, mass, material(young, 0.0)), 12),
        (Body::soft_block(size, mass, material(young, 0.0)), 30),
    ] {
        let what = body.kind.name();
        let sim = Simulation::new(alone(NO_GRAVITY, body));
        let modes = sim.modes().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(modes.modes.len(), free, "{what}");
        let found: Vec<f64> = modes.modes.iter().map(|mode| mode.frequency).collect();
        // The frequency of a zero mode is the square root of the rounding of its stiffness.
        let resting = found.iter().filter(|f| **f < 1e-3 * first(0.5)).count();
        assert_eq!(resting, 6, "{what}: {found:?}");
        let mut wanted: Vec<f64> = size.iter().map(|edge| first(*edge)).collect();
        if free == 30 {
            wanted.extend(size.iter().map(|edge| first(*edge) * 5.0_f64.sqrt()));
        }
        for wanted in wanted {
            let near = found.iter().fold(f64::INFINITY, |best, f| best.min((f / wanted - 1.0).abs()));
            // Differences leave 1e-12 of the largest stiffness; the bound tells a mode from its
            // neighbours.
            assert!(near < 1e-5, "{what}: {wanted} Hz is off by {near:e} from all of {found:?}");
        }
    }
}

/// No external force: momentum and angular momentum are conserved, and the loss of energy is the
/// heat booked.
#[test]
fn deforming_bodies_in_free_flight_keep_momentum_and_angular_momentum() {
    let kinds = ["scaled", "scaled3", "affine", "soft", "internal-mass"];
    for (seed, name) in kinds.into_iter().enumerate() {
        for damping in [0.0, 3.0] {
            let mut body = random_general(&mut Rng::new(seed as u64 + 7), name).0;
            if damping > 0.0 {
                let (start, rate, place) = (body.start.clone(), body.start_rate.clone(), body.clone());
                body = match name {
                    "affine" => Body::affine_of(body.mass, body.shapes.clone(), material(500.0, damping)),
                    "soft" => Body::soft_block([0.5, 0.4, 0.3], body.mass.mass, material(500.0, damping)),
                    "scaled" => {
                        Body::scaled(body.mass, ScaleSpring { stiffness: 30.0, damping: 0.1 * damping })
                    }
                    "scaled3" => {
                        Body::scaled3(body.mass, ScaleSpring { stiffness: 30.0, damping: 0.1 * damping })
                    }
                    _ => continue,
                };
                body = Body { pos: place.pos, rot: place.rot, vel: place.vel, omega: place.omega, ..body };
                body = body.starting(&start, &rate);
            }
            let mut sim = Simulation::new(alone(NO_GRAVITY, body));
            let before = sim.momentum();
            let start = sim.energy();
            sim.run(0.5, 2.5e-4).unwrap();
            let after = sim.momentum();
            let linear = (after.linear - before.linear).norm() / before.linear.norm();
            let angular = (after.angular - before.angular).norm() / before.angular.norm();
            let energy = sim.energy();
            let off = (energy.balance() - start.balance()).abs() / start.kinetic;
            println!(
                "{name} {damping}: {linear:.1e} {angular:.1e} {off:.1e}, heat {:.2e}",
                energy.dissipated
            );
            // The momentum of affine and soft bodies is linear in their velocities, and conserved
            // to rounding; that of others to the truncation of RK4.
            let bound = if ["affine", "soft"].contains(&name) { 1e-13 } else { 1e-10 };
            assert!(linear < bound && angular < 1e-9 && off < 1e-8, "{name}: {linear:e} {angular:e} {off:e}");
            assert_eq!(energy.dissipated > 1e-3 * start.kinetic, damping > 0.0, "{name}");
            assert!(sim.balance().momentum_error < 1e-9, "{name}: {:?}", sim.balance());
        }
    }
}

/// Shell and mass oscillate against each other with ω² = k (1/M + 1/m) without rotation, and their
/// centre moves uniformly.
#[test]
fn a_mass_inside_swings_against_its_shell() {
    let shell = block(2.0, [0.3, 0.2, 0.2]);
    let inside = InternalMass {
        mass: 0.5,
        origin: Vec3::ZERO,
        axis: Vec3::X,
        stiffness: 60.0,
        damping: 0.0,
        rest: 0.0,
    };
    let body = Body { vel: vec3(0.4, 0.0, 0.0), ..Body::with_internal_mass(shell, inside) };
    let mut sim = Simulation::new(alone(NO_GRAVITY, body.starting(&[0.1], &[0.0])));
    let frequency = (60.0 * (1.0 / 2.0 + 1.0 / 0.5_f64)).sqrt();
    sim.run(1.0, 1e-3).unwrap();
    let (u, expected) = (sim.state().coordinates()[7], 0.1 * frequency.cos());
    // Phase error of RK4: (ω h)⁴/120 = 2e-10 per radian at 12 rad/s, over 12 rad, of 0.1.
    assert!((u - expected).abs() < 1e-8, "{u} for {expected}");
    // The centre of mass started at 0.1 · m/(m + M) = 0.02 and flies with 0.4 m/s; the shell is at
    // x − u m/(m + M).
    let (shell_at, expected) = (sim.state().coordinates()[0], 0.02 + 0.4 - 0.2 * u);
    assert!((shell_at - expected).abs() < 1e-12, "{shell_at} for {expected}");
    // It spins faster as the mass moves inwards: the mass matrix depends on the position of the
    // mass.
    let body = Body { omega: vec3(0.0, 0.0, 5.0), ..Body::with_internal_mass(shell, inside) };
    let mut sim = Simulation::new(alone(NO_GRAVITY, body.starting(&[0.2], &[0.0])));
    let (before, start) = (sim.momentum().angular.z, sim.energy().mechanical());
    sim.run(2.0, 1e-3).unwrap();
    // Truncation of RK4: 2e-10 per radian of the fastest motion, over 24 rad, of a part of the
    // whole.
    assert!((sim.momentum().angular.z / before - 1.0).abs() < 1e-9);
    assert!((sim.energy().mechanical() / start - 1.0).abs() < 1e-9);
}

/// θ = ½ (τ/I) t² about the axis, for any gravity: the bearings take the weight.
#[test]
fn a_shaft_gathers_speed_under_a_torque_about_its_axis() {
    let wheel =
        MassProperties { mass: 4.0, center: Vec3::Z * 0.1, inertia: Sym3::diagonal(0.15, 0.15, 0.25) };
    let mut parts = ModelBuilder::new(Gravity::new(3.0, 0.0, -9.81));
    let shaft = parts.add_body(Body::shaft(wheel, Vec3::Z));
    let torque = Constant { torque: vec3(2.0, 1.0, 0.5), ..Constant::default() };
    parts.add_force(Force::constant(shaft, [0.0, 0.0, 0.3], torque));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(2.0, 1e-2).unwrap();
    let angle = sim.state().coordinates()[0];
    // RK4 is exact for a parabola; 200 steps of rounding are left.
    assert!((angle - 0.5 * (0.5 / 0.25) * 4.0).abs() < 1e-12, "{angle}");
    let momentum = sim.momentum().angular.z;
    assert!((momentum - 0.25 * sim.state().velocities()[0]).abs() < 1e-12);
    // RK4 integrates power and momentum of a parabola exactly; rounding is left.
    assert!(
        sim.balance().energy_error < 1e-13 && sim.balance().momentum_error < 1e-13,
        "{:?}",
        sim.balance()
    );
}

/// A bead on a circle is a pendulum: it returns to its start after T = 2π √(l/g) / agm(1,
/// cos(θ₀/2)).
#[test]
fn a_bead_on_a_circle_given_as_a_curve_is_a_pendulum() {
    let (radius, g, start) = (0.8, 9.81, 2.0_f64);
    let circle = Curve::formula(["0.8*sin(2*pi*t)", "-0.8*cos(2*pi*t)", "0"], [0.0, 1.0], true).unwrap();
    let body = Body::bead(0.3, circle).starting(&[start / (2.0 * PI)], &[0.0]);
    let mut sim = Simulation::new(alone(Gravity::new(0.0, -g, 0.0), body));
    let (mut a, mut b) = (1.0, (0.5 * start).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let period = 2.0 * PI * (radius / g).sqrt() / a;
    sim.run(period, period / 4000.0).unwrap();
    let (u, rate) = (sim.state().coordinates()[0] * 2.0 * PI, sim.state().velocities()[0]);
    // Truncation of RK4 with 4000 steps per period, (2π/4000)⁴/120 = 5e-14 per radian, amplified by
    // the nonlinear swing.
    assert!((u - start).abs() < 1e-10 && rate.abs() < 1e-8, "{u} {rate}");
}

/// Witkin's bead on the unit circle with a constant force: the reference problem `bead_on_wire`
/// (error bound 1e-11).
#[test]
fn the_bead_on_a_wire_of_the_reference_as_one_coordinate() {
    let circle = Curve::formula(["cos(2*pi*t)", "sin(2*pi*t)", "0"], [0.0, 1.0], true).unwrap();
    let mut parts = ModelBuilder::new(NO_GRAVITY);
    let bead = parts.add_body(Body::bead(1.5, circle).starting(&[0.0], &[2.0 / (2.0 * PI)]));
    let push = Constant { force: vec3(0.5, -3.0, 0.0), ..Constant::default() };
    parts.add_force(Force::constant(bead, [0.0; 3], push));
    let mut sim = Simulation::new(parts.build().unwrap());
    let known = [
        (0.5, [0.7296222160326863, 0.6838504382330629], [-0.7121068259708717, 0.7597698727214908]),
        (1.0, [0.4666477929097715, 0.8844432358113431], [-0.2888474601132692, 0.15240099566797052]),
    ];
    for (time, place, speed) in known {
        sim.run(time, 5e-4).unwrap();
        let now = sim.evaluate().unwrap().body(BodyId::of_index(0));
        for k in 0..2 {
            // The bound of the reference, 1e-11, and the truncation of RK4 at 0.5 ms.
            assert!((now.position[k] - place[k]).abs() < 1e-10, "{:?}", now.position);
            assert!((now.velocity[k] - speed[k]).abs() < 1e-10, "{:?}", now.velocity);
        }
    }
}

/// The kinetic energies from the mass matrix and from the vectors are equal, and steps allocate
/// nothing.
#[test]
fn kinetic_energy_is_that_of_the_mass_matrix_and_steps_do_not_allocate() {
    for (seed, name) in GENERAL.into_iter().enumerate() {
        let body = random_general(&mut Rng::new(seed as u64), name).0;
        let mut sim = Simulation::new(alone(Gravity::new(0.0, 0.0, -9.81), body));
        let v = sim.state().velocities().to_vec();
        let now = sim.evaluate().unwrap();
        let (system, mut sum) = (now.system(), 0.0);
        let block = system.graph().all_blocks().next().unwrap();
        for i in 0..v.len() {
            for j in 0..v.len() {
                let (high, low) = (i.max(j), i.min(j));
                sum += 0.5 * v[i] * v[j] * system.mass(block)[high * (high + 1) / 2 + low];
            }
        }
        let kinetic = sim.energy().kinetic;
        // Up to 30² products of numbers of one size: 900 ε at worst.
        assert!((sum - kinetic).abs() < 1e-12 * kinetic, "{name}: {sum} and {kinetic}");
        sim.step(1e-4).unwrap();
        let count = CountingAllocator::count(|| {
            for _ in 0..20 {
                sim.step(1e-4).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}: allocations in 20 steps");
    }
}

/// Point masses and springs: the chain of n masses between walls oscillates with ω_k = 2 √(k/m)
/// sin(k π / (2 (n + 1))), along and (stretched) across.
#[test]
fn particles_and_springs_swing_with_the_modes_of_a_chain() {
    use cardan::{End, Spring};
    let (n, stiffness, mass) = (6, 50.0, 0.2);
    let mut parts = ModelBuilder::new(NO_GRAVITY);
    let place = |i: usize| vec3(i as f64, 0.0, 0.0);
    let mut ends = vec![(End::Ground, place(0))];
    for i in 1..=n {
        ends.push((parts.add_body(Body { pos: place(i), ..Body::particle(mass) }).into(), Vec3::ZERO));
    }
    ends.push((End::Ground, place(n + 1)));
    for pair in ends.windows(2) {
        let spring = Spring { stiffness, ..Spring::default() };
        parts.add_force(Force::spring(pair[0].0, pair[0].1, pair[1].0, pair[1].1, spring));
    }
    let sim = Simulation::new(parts.build().unwrap());
    let modes = sim.modes().unwrap();
    for k in 1..=n {
        let wanted =
            2.0 * (stiffness / mass).sqrt() * (k as f64 * PI / (2.0 * (n as f64 + 1.0))).sin() / (2.0 * PI);
        // Differences leave 1e-12 of the stiffness; the bound tells a mode from its neighbours.
        let count = modes.modes.iter().filter(|m| (m.frequency / wanted - 1.0).abs() < 1e-6).count();
        assert_eq!(count, 3, "{wanted} Hz along each axis");
    }
}

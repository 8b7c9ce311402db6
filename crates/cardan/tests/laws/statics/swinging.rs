//! Normal modes about equilibria.

use super::parts::*;
use cardan::End::Ground;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, Constant, EquilibriumKind, Force, Gravity, Heading, Joint, JointSpring, ModeKind, ModelBuilder,
    Simulation, Spring, Stability, StaticsError,
};
use std::f64::consts::PI;

/// Relative error of a frequency: four-point differences leave about 1e-12 of the largest
/// stiffness, half of it in ω.
const CLOSE: f64 = 1e-11;

fn close(got: f64, want: f64, bound: f64, what: &str) {
    assert!(
        (got - want).abs() <= bound * want.abs(),
        "{what}: {got} instead of {want}, {:e} off",
        got / want - 1.0
    );
}

#[test]
fn a_rod_swings_as_a_compound_pendulum_does() {
    // In space, with any position of its hinge: ω² = m g d / (I + m d²).
    for d in [0.5, 0.2, 0.05] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
        let rod = parts.add_body(Body { pos: vec3(d, 0.3, 0.1), ..Body::rod(2.0, 1.0, 0.01) });
        parts.add_joint(Joint::revolute(Ground, rod, vec3(0.0, 0.3, 0.1), vec3(0.0, 1.0, 0.0)));
        let mut sim = Simulation::new(parts.build().expect("a rod"));
        sim.equilibrium(EquilibriumKind::Stable).expect("it hangs");
        let modes = sim.modes().expect("modes");
        assert_eq!((modes.modes.len(), modes.damped, modes.nonsymmetric), (1, false, false));
        let inertia = 2.0 / 12.0;
        let want = (2.0 * G * d / (inertia + 2.0 * d * d)).sqrt() / (2.0 * PI);
        close(modes.modes[0].frequency, want, CLOSE, "compound pendulum");
        assert_eq!(modes.modes[0].kind, ModeKind::Oscillating);
        assert_eq!((modes.modes[0].damping_ratio, modes.modes[0].growth_rate), (0.0, 0.0));
    }
}

#[test]
fn a_double_pendulum_has_its_two_frequencies() {
    // Point masses m, m on lengths l, l: ω² = (2 ± √2) g / l; and the general case by its
    // characteristic equation.
    for (m, l) in [([1.0, 1.0], [1.0, 1.0]), ([3.0, 0.2], [0.7, 1.6])] {
        let mut parts = builder();
        point_pendulum(&mut parts, &[0.4, -0.3], &l, &m);
        let mut sim = Simulation::new(parts.build().expect("a double pendulum"));
        sim.equilibrium(EquilibriumKind::Stable).expect("it hangs");
        let modes = sim.modes().expect("modes");
        // m₁ l₁ l₂ ω⁴ − (m₁ + m₂) g (l₁ + l₂) ω² + (m₁ + m₂) g² = 0.
        let (a, b, c) = (m[0] * l[0] * l[1], (m[0] + m[1]) * G * (l[0] + l[1]), (m[0] + m[1]) * G * G);
        let root = (b * b - 4.0 * a * c).sqrt();
        for (mode, square) in modes.modes.iter().zip([(b - root) / (2.0 * a), (b + root) / (2.0 * a)]) {
            // The bodies' own inertia is 1e-12 of the masses.
            close(mode.frequency, square.sqrt() / (2.0 * PI), 2e-11, "double pendulum");
        }
        if m == [1.0, 1.0] {
            close(modes.modes[0].eigenvalue.im, ((2.0 - 2f64.sqrt()) * G).sqrt(), 2e-11, "slow");
            // Shapes: the lower mass moves (1 ± √2) times as far as the upper one.
            let ratio = |k: usize| modes.modes[k].shape[3] / modes.modes[k].shape[0];
            close(ratio(0), 1.0 + 2f64.sqrt(), 1e-9, "slow shape");
            close(ratio(1), 1.0 - 2f64.sqrt(), 1e-9, "fast shape");
        }
    }
}

/// Blocks on a line, springs between neighbours, and to walls if `walls`.
fn spring_chain(n: usize, walls: bool, mass: f64, stiffness: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let bodies: Vec<_> = (0..n)
        .map(|i| {
            let x = vec3(1.0 + i as f64, 0.0, 0.0);
            let body = parts.add_body(Body { pos: x, ..block(mass) });
            parts.add_joint(Joint::prismatic(Ground, body, x, Vec3::X));
            body
        })
        .collect();
    let law = Spring { stiffness, rest_length: 1.0, ..Spring::default() };
    for pair in bodies.windows(2) {
        parts.add_force(Force::spring(pair[0], Vec3::ZERO, pair[1], Vec3::ZERO, law));
    }
    if walls {
        parts.add_force(Force::spring(Ground, Vec3::ZERO, bodies[0], Vec3::ZERO, law));
        let wall = vec3(n as f64 + 1.0, 0.0, 0.0);
        parts.add_force(Force::spring(bodies[n - 1], Vec3::ZERO, Ground, wall, law));
    }
    Simulation::new(parts.build().expect("a chain"))
}

#[test]
fn a_chain_of_masses_and_springs_has_the_frequencies_of_a_lattice() {
    let (n, mass, stiffness) = (12, 0.3, 500.0f64);
    let base = 2.0 * (stiffness / mass).sqrt();
    let sim = spring_chain(n, true, mass, stiffness);
    let modes = sim.modes().expect("modes");
    assert_eq!(modes.modes.len(), n);
    for (k, mode) in (1..).zip(&modes.modes) {
        let half = k as f64 * PI / (2.0 * (n as f64 + 1.0));
        close(mode.eigenvalue.im, base * half.sin(), CLOSE, "between walls");
        // The shape is a sine; φᵀ M φ = 1.
        let scale = (2.0 / (mass * (n as f64 + 1.0))).sqrt();
        for i in 0..n {
            let want = scale * (2.0 * half * (i as f64 + 1.0)).sin();
            let sign = if (scale * (2.0 * half).sin()) * mode.shape[0] < 0.0 { -1.0 } else { 1.0 };
            // Eigenvectors have the error of the stiffness, 1e-12, over the gap to the next
            // eigenvalue.
            assert!((mode.shape[6 * i] - sign * want).abs() < 1e-9, "mode {k}, mass {i}");
        }
    }
    // Free: one zero mode; the others have ω = 2 √(k/m) sin(kπ/2n).
    let modes = spring_chain(n, false, mass, stiffness).modes().expect("modes");
    assert_eq!((modes.modes[0].kind, modes.modes[0].frequency), (ModeKind::Zero, 0.0));
    for (k, mode) in (1..).zip(&modes.modes[1..]) {
        close(mode.eigenvalue.im, base * (k as f64 * PI / (2.0 * n as f64)).sin(), CLOSE, "free");
    }
}

#[test]
fn shapes_have_unit_kinetic_energy_and_open_no_joint() {
    let mut sim = looped();
    sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    let modes = sim.modes().expect("modes");
    let state = sim.state().clone();
    for (k, mode) in modes.modes.iter().enumerate() {
        let mut moving = state.clone();
        moving.velocities_mut().copy_from_slice(&mode.shape);
        let energy = sim.energy_at(&moving).kinetic;
        // Normalised to rounding; the joints leave rounding of velocities of about one.
        assert!((energy - 0.5).abs() < 1e-12, "mode {k}: {energy}");
        let now = sim.observe_at(&moving);
        assert!(now.velocity_errors().iter().all(|e| e.abs() < 1e-12), "mode {k}");
        for other in &modes.modes[..k] {
            let mut both = state.clone();
            let sum = mode.shape.iter().zip(&other.shape).map(|(a, b)| a + b);
            both.velocities_mut().iter_mut().zip(sum).for_each(|(v, x)| *v = x);
            // Modes are orthogonal to the rounding of the eigenproblem, amplified by the masses'
            // condition number.
            assert!((sim.energy_at(&both).kinetic - 1.0).abs() < 1e-11, "modes do not mix");
        }
    }
}

/// A four-bar with weights and a spring, and a rod on its coupler.
fn looped() -> Simulation {
    let pins = four_bar_pins(0.6);
    let mut parts = builder();
    let bars = rods(&mut parts, &pins, &[1.0, 2.0, 1.5], true);
    let spring = Spring { stiffness: 60.0, rest_length: 0.4, ..Spring::default() };
    parts.add_force(Force::spring(Ground, [0.2, 1.2, 0.0], bars[1], [0.1, 0.0, 0.0], spring));
    let tail = parts.add_body(planar_rod(0.5, pins[2], pins[2] + vec3(0.3, 0.2, 0.0)));
    parts.add_joint(Joint::revolute(bars[1], tail, pins[2], Vec3::Z));
    Simulation::new(parts.build().expect("a mechanism"))
}

#[test]
fn a_looped_mechanism_swings_as_often_as_its_modes_say() {
    let mut sim = looped();
    sim.equilibrium(EquilibriumKind::Stable).expect("it rests");
    let modes = sim.modes().expect("modes");
    assert_eq!(modes.modes.len(), 2);
    let rest = sim.state().clone();
    for mode in &modes.modes {
        // Displaced along the shape; one coordinate crosses its rest value every half period.
        let push = 1e-5;
        let mut pushed = rest.clone();
        pushed.velocities_mut().iter_mut().zip(&mode.shape).for_each(|(v, x)| *v = x * push);
        sim.restore(&pushed).expect("the same model");
        let most = (0..mode.shape.len()).max_by(|&i, &j| mode.shape[i].abs().total_cmp(&mode.shape[j].abs()));
        let most = most.expect("a coordinate");
        let (h, periods) = (1e-3, 4.0);
        let (mut crossings, mut last) = (Vec::new(), (0.0, 0.0));
        while sim.time() < periods / mode.frequency + 0.1 {
            sim.step(h).expect("a step");
            // Planar bodies: coordinates are x, y, angle, laid out like velocities.
            let way = sim.state().coordinates()[most] - rest.coordinates()[most];
            let now = (sim.time() - rest.time, way);
            if last.1 != 0.0 && (last.1 < 0.0) != (now.1 < 0.0) {
                // Linear interpolation is enough: the step is 1e-3 of a period.
                crossings.push(last.0 + (now.0 - last.0) * last.1 / (last.1 - now.1));
            }
            last = now;
        }
        let count = crossings.len() - 1;
        assert!(count >= 6);
        let frequency = count as f64 / (2.0 * (crossings[count] - crossings[0]));
        // Amplitudes of 1e-6 m in lengths of 1 m: the asymmetry of the energy shifts crossings in
        // proportion, and the frequency by its square.
        close(frequency, mode.frequency, 2e-6, "measured");
    }
}

#[test]
fn a_pendulum_on_its_head_falls_at_its_rate() {
    let mut parts = builder();
    rods(&mut parts, &[Vec3::ZERO, vec3(0.0, 1.0, 0.0)], &[2.0], false);
    let sim = Simulation::new(parts.build().expect("a pendulum"));
    let modes = sim.modes().expect("modes");
    assert_eq!((modes.modes[0].kind, modes.modes[0].frequency), (ModeKind::Unstable, 0.0));
    close(modes.modes[0].growth_rate, (1.5 * G).sqrt(), CLOSE, "growth");
    // Double pendulum, both rods up: two unstable modes; one up and one down: one of each.
    for (angles, unstable) in [([PI, PI], 2), ([0.0, PI], 1), ([PI, 0.0], 1), ([0.0, 0.0], 0)] {
        let mut parts = builder();
        point_pendulum(&mut parts, &angles, &[1.0, 0.5], &[1.0, 2.0]);
        let sim = Simulation::new(parts.build().expect("a double pendulum"));
        let modes = sim.modes().expect("modes").modes;
        assert_eq!(modes.iter().filter(|m| m.kind == ModeKind::Unstable).count(), unstable, "{angles:?}");
        assert!(modes.iter().take(unstable).all(|m| m.kind == ModeKind::Unstable && m.growth_rate > 0.0));
    }
}

/// A block on a rail with a spring and a damper, both to the wall.
fn oscillator(mass: f64, stiffness: f64, damping: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -G));
    let body = parts.add_body(block(mass));
    let rail = Joint::prismatic(Ground, body, Vec3::ZERO, Vec3::X);
    let spring = JointSpring { coordinate: 0, stiffness, damping, rest: 0.0, is_friction: false };
    parts.add_joint(Joint { springs: vec![spring], ..rail });
    Simulation::new(parts.build().expect("an oscillator"))
}

#[test]
fn dampers_give_the_damping_of_the_textbook() {
    let (m, k) = (2.0, 50.0);
    let natural: f64 = 5.0;
    for ratio in [1e-4, 0.05, 0.7, 0.99] {
        let modes = oscillator(m, k, 2.0 * ratio * m * natural).modes().expect("modes");
        assert!(modes.damped && modes.modes.len() == 1);
        let mode = &modes.modes[0];
        assert_eq!(mode.kind, ModeKind::Oscillating);
        // Rounding of the forces divided by the speeds of the differences is about 1e-12 of c for c
        // = 1.
        assert!((mode.damping_ratio - ratio).abs() < 1e-11, "{} instead of {ratio}", mode.damping_ratio);
        close(mode.frequency, natural * (1.0 - ratio * ratio).sqrt() / (2.0 * PI), 1e-9, "damped");
    }
    // Overdamped: two decaying modes.
    let c = 2.0 * 2.5 * m * natural;
    let modes = oscillator(m, k, c).modes().expect("modes").modes;
    let root = (2.5f64 * 2.5 - 1.0).sqrt();
    assert_eq!(modes.iter().map(|m| m.kind).collect::<Vec<_>>(), [ModeKind::Decaying; 2]);
    // The root of the difference of two squares loses a digit of the four-point differences' 1e-12.
    close(modes[0].growth_rate, -natural * (2.5 - root), 1e-10, "slow");
    close(modes[1].growth_rate, -natural * (2.5 + root), 1e-10, "fast");
    // Without a spring: a zero mode, and a decaying one.
    let modes = oscillator(m, 0.0, 3.0).modes().expect("modes").modes;
    assert_eq!(modes.iter().map(|m| m.kind).collect::<Vec<_>>(), [ModeKind::Zero, ModeKind::Decaying]);
    close(modes[1].growth_rate, -1.5, 1e-10, "creeping");
}

#[test]
fn a_free_end_between_damped_masses_keeps_its_zero_mode() {
    // Two blocks with a spring and a damper between them: a common zero mode, and an oscillation
    // about their centre.
    let (m, k, c) = (1.0, 100.0, 0.6);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let bodies: Vec<_> = (0..2)
        .map(|i| {
            let x = vec3(i as f64, 0.0, 0.0);
            let body = parts.add_body(Body { pos: x, ..block(m) });
            parts.add_joint(Joint::prismatic(Ground, body, x, Vec3::X));
            body
        })
        .collect();
    let law = Spring { stiffness: k, damping: c, rest_length: 1.0 };
    parts.add_force(Force::spring(bodies[0], Vec3::ZERO, bodies[1], Vec3::ZERO, law));
    let modes = Simulation::new(parts.build().expect("two blocks")).modes().expect("modes").modes;
    assert_eq!(modes.iter().map(|m| m.kind).collect::<Vec<_>>(), [ModeKind::Zero, ModeKind::Oscillating]);
    let natural = (2.0f64 * k / m).sqrt();
    // Differences by speeds leave 1e-12 of c, of which this is a small part.
    close(modes[1].damping_ratio, c / (m * natural), 1e-9, "ratio");
    assert!((modes[0].shape[0] - modes[0].shape[6]).abs() < 1e-9);
    assert!((modes[1].shape[0] + modes[1].shape[6]).abs() < 1e-9);
}

#[test]
fn a_follower_force_makes_ziegler_s_column_flutter_at_its_load() {
    // Massless rods of length l, masses 2m and m at their ends, springs c in both hinges, a force P
    // along the last rod: flutter from P = (7/2 − √2) c / l on (Ziegler 1952).
    let critical = 3.5 - 2f64.sqrt();
    for (load, stability) in
        [(0.0, Stability::Stable), (2.05, Stability::Stable), (2.12, Stability::Unstable)]
    {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let mut last = Ground;
        let mut tip = None;
        for (i, mass) in [2.0, 1.0].into_iter().enumerate() {
            let body =
                parts.add_body(Body { pos: vec3(i as f64 + 1.0, 0.0, 0.0), ..Body::planar(mass, 1e-9) });
            parts.add_joint(
                Joint::revolute(last, body, vec3(i as f64, 0.0, 0.0), Vec3::Z).with_spring(1.0, 0.0, 0.0),
            );
            (last, tip) = (body.into(), Some(body));
        }
        let law = Constant { force: vec3(-load, 0.0, 0.0), heading: Heading::Body, ..Constant::default() };
        parts.add_force(Force::constant(tip.expect("two rods"), Vec3::ZERO, law));
        let mut sim = Simulation::new(parts.build().expect("a column"));
        let rest = sim.equilibrium(EquilibriumKind::Stable).expect("it stands");
        assert_eq!(rest.stability, stability, "load {load}, critical {critical}");
        let modes = sim.modes().expect("modes");
        assert_eq!(modes.nonsymmetric, load > 0.0);
        if stability == Stability::Unstable {
            assert!(modes.modes[0].kind == ModeKind::Unstable && modes.modes[0].frequency > 0.0);
        }
    }
}

#[test]
fn modes_need_an_equilibrium() {
    let mut parts = builder();
    rods(&mut parts, &[Vec3::ZERO, vec3(1.0, 0.0, 0.0)], &[2.0], false);
    let error = Simulation::new(parts.build().expect("a pendulum")).modes().expect_err("it falls");
    assert!(matches!(&error, StaticsError::NotAtRest { body, .. } if body == "b0"), "{error}");
}

#[test]
fn masses_of_very_different_size_keep_their_frequencies() {
    // A small mass on a stiff spring on a heavy pendulum: ω² of 1e10 and of 10 in one problem.
    let mut parts = builder();
    let heavy = point_pendulum(&mut parts, &[0.0], &[1.0], &[1000.0])[0];
    let speck = parts.add_body(Body { pos: vec3(0.0, -1.0, 0.0), ..Body::planar(1e-3, 1e-3) });
    parts.add_joint(Joint::revolute(heavy, speck, vec3(0.0, -1.0, 0.0), Vec3::Z).with_spring(1e7, 0.0, 0.0));
    let modes = Simulation::new(parts.build().expect("a pendulum")).modes().expect("modes").modes;
    // Differences leave 1e-12 of the largest stiffness; the masses differ by 1e6.
    close(modes[1].eigenvalue.im, 1e5, 1e-5, "the speck");
    // The slow mode loses digits to rounding of the stiff spring: 1e-16 · 1e7 relative to 1e4; the
    // masses are exact.
    close(modes[0].eigenvalue.im, G.sqrt(), 1e-4, "the pendulum");
    assert!(modes.iter().all(|m| m.kind == ModeKind::Oscillating));
}

//! The three active-set rules of the GRAPP 2007 paper in its own corner, and in the obtuse one in
//! which the third is wrong.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::inequality::HalfSpace;
use cardan::math::{Vec3, vec3};
use cardan::step::EventKind;
use cardan::{
    Body, BodyId, Constant, End, Force, Frame, Gravity, Inequality, InequalityId, InequalityStudy,
    Integrator, ModelBuilder, Settings, Simulation, StudyRule,
};

const H: f64 = 1e-3;

fn corner(mass: f64, force: [f64; 2], walls: [[f64; 2]; 2], rule: Option<StudyRule>) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity(Vec3::ZERO));
    let particle = parts.add_body(Body::planar_particle(mass));
    for (name, [x, y]) in ["first", "second"].into_iter().zip(walls) {
        // Normals of the length that the paper uses.
        let wall = HalfSpace { normal: vec3(x, y, 0.0), point: Vec3::ZERO, radius: 0.0 };
        let frames = vec![(End::Ground, Frame::default()), (particle.into(), Frame::default())];
        parts.add_inequality(Inequality::new(name, frames, wall));
    }
    let force = vec3(force[0], force[1], 0.0);
    let push = Constant { force, torque: Vec3::ZERO, heading: cardan::Heading::World };
    parts.add_force(Force::constant(particle, Vec3::ZERO, push));
    let inequality_study = rule.map(|rule| InequalityStudy { rule, rate: 1.0 / H });
    let integrator = Integrator::ExplicitEuler;
    let settings = Settings { integrator, inequality_study, ..Settings::default() };
    Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings")
}

/// λ and ẍ at the start.
fn start(sim: &mut Simulation) -> [f64; 4] {
    let now = sim.evaluate().expect("an answer");
    let a = now.body(BodyId::of_index(0)).acceleration;
    [
        now.inequality_multiplier(InequalityId::of_index(0)),
        now.inequality_multiplier(InequalityId::of_index(1)),
        a.x,
        a.y,
    ]
}

#[track_caller]
fn assert_near(found: [f64; 4], wanted: [f64; 4]) {
    let worst = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Two rows with small integers: some roundings of the solve.
    assert!(worst < 1e-12, "{found:?} is not {wanted:?}");
}

const RULES: [Option<StudyRule>; 4] =
    [Some(StudyRule::Platt), Some(StudyRule::PlattImproved), Some(StudyRule::InsertOnly), None];
const ACUTE: [[f64; 2]; 2] = [[1.0, -1.0], [0.0, 1.0]];
const OBTUSE: [[f64; 2]; 2] = [[0.0, 1.0], [0.4359, 0.9]];

/// Sections 3 and 4 of the paper: g₁ = x − y, g₂ = y.
#[test]
fn the_rules_give_the_numbers_of_the_paper() {
    for m in [2.0, 3.0] {
        let wanted = [
            [-2.0, -1.0, 0.0, 0.0],
            [0.0, 1.0, 2.0 / m, 0.0],
            [0.0, 1.0, 2.0 / m, 0.0],
            [0.0, 1.0, 2.0 / m, 0.0],
        ];
        for (rule, wanted) in RULES.into_iter().zip(wanted) {
            assert_near(start(&mut corner(m, [2.0, -1.0], ACUTE, rule)), wanted);
        }
        let wanted =
            [[1.0, 3.0, 0.0, 0.0], [0.0, 2.0, -1.0 / m, 0.0], [1.0, 3.0, 0.0, 0.0], [1.0, 3.0, 0.0, 0.0]];
        for (rule, wanted) in RULES.into_iter().zip(wanted) {
            assert_near(start(&mut corner(m, [-1.0, -2.0], ACUTE, rule)), wanted);
        }
    }
}

/// Figures 2 and 3: Platt's particle waits for a step, is released by both walls and crosses the
/// line; the others stay on it. With the force (−1, −2) the second rule crosses the other line.
#[test]
fn the_rules_cross_the_lines_that_the_paper_says() {
    let lowest = |mut sim: Simulation, wall: usize| {
        let mut least = f64::INFINITY;
        for k in 1..=20 {
            sim.run(f64::from(k) * H, H).expect("a run");
            least = f64::min(least, sim.observe().inequality(InequalityId::of_index(wall)).gap);
        }
        (least, sim)
    };
    for (m, crosses) in [(2.0, -1.5e-6), (3.0, -3.3e-7)] {
        for rule in RULES {
            let (least, sim) = lowest(corner(m, [2.0, -1.0], ACUTE, rule), 1);
            if rule == Some(StudyRule::Platt) {
                assert!((least / crosses - 1.0).abs() < 0.02, "{least}");
                // Both walls are released after the first step, and the floor becomes active once
                // it is passed.
                let released =
                    sim.events().iter().filter(|e| e.kind == EventKind::Released && e.time < 1.5 * H);
                assert_eq!(released.count(), 2, "{:?}", sim.events());
            } else {
                assert!(least > -1e-18, "{rule:?}: {least}");
            }
        }
    }
    for rule in RULES {
        let (least, _) = lowest(corner(2.0, [-1.0, -2.0], ACUTE, rule), 0);
        let crosses = rule == Some(StudyRule::PlattImproved);
        // A crossing is of the order of a step, far above 1e-8; staying on the line is exact but
        // for rounding.
        assert_eq!(least < -1e-8, crosses, "{rule:?}: {least}");
    }
}

/// g₁ = y, g₂ = 0.4359 x + 0.9 y, f = (1.8353, −1): one wall is enough. The third rule takes both,
/// one of them pulls, and the particle sticks.
#[test]
fn an_obtuse_corner_glues_what_is_only_ever_added_to() {
    let glued = [4.789, -4.211, 0.0, 0.0];
    let free = [1.0, 0.0, 1.8353, 0.0];
    for (rule, wanted) in RULES.into_iter().zip([glued, glued, glued, free]) {
        let mut sim = corner(1.0, [1.8353, -1.0], OBTUSE, rule);
        let found = start(&mut sim);
        // F⁺ at the start: the active set, whatever the signs of its multipliers.
        let in_active_set =
            [0, 1].map(|wall| sim.observe().inequality(InequalityId::of_index(wall)).in_active_set);
        assert_eq!(in_active_set, [true, rule.is_some()], "{rule:?}");
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3), "{rule:?}: {found:?}");
        sim.run(0.5, H).expect("a run");
        let x = sim.observe().body(BodyId::of_index(0)).position.x;
        // Constant acceleration, in explicit steps of the closed form: rounding.
        match rule {
            Some(StudyRule::InsertOnly) => assert!(x.abs() < 1e-12, "{x}"),
            None => assert!((x - 0.5 * 1.8353 * 0.5 * (0.5 - H)).abs() < 1e-12, "{x}"),
            // These rules release a wall that pulls after a step.
            _ => assert!(x > 0.1, "{rule:?}: {x}"),
        }
    }
}

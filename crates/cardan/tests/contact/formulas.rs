//! Inequalities by formulas, g(x, t) ≥ 0: against closed forms, and against equivalent inequalities
//! of other kinds.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::inequality::{DistanceBound, Formula, FormulaError, HalfSpace};
use cardan::math::vec3;
use cardan::step::EventKind;
use cardan::{Body, BodyId, End, Frame, Gravity, Inequality, InequalityId, ModelBuilder, Simulation};

fn formula(text: &str, points: &[&str]) -> Formula {
    Formula::new(text, points).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

/// In the bowl y ≥ x² the multiplier of a bead is λ = m (g + 2 ẋ²)/(1 + 4 x²), a force of λ √(1 + 4
/// x²) along the normal; and ½ m (1 + 4 x²) ẋ² + m g x² is conserved.
#[test]
fn a_bead_in_a_parabola_is_pushed_as_hard_as_its_curvature_says() {
    let (m, g, x, speed) = (0.7, 9.81, -0.8, 0.5);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -g, 0.0));
    let bead = parts.add_body(Body {
        pos: vec3(x, x * x, 0.0),
        vel: vec3(speed, 2.0 * x * speed, 0.0),
        ..Body::planar_particle(m)
    });
    let at = vec![(bead.into(), Frame::default())];
    parts.add_inequality(Inequality::new("bowl", at, formula("y - x^2", &[""])));
    let mut sim = Simulation::new(parts.build().expect("a model"));
    let energy = |x: f64, v: f64| 0.5 * m * (1.0 + 4.0 * x * x) * v * v + m * g * x * x;
    for k in 1..=40 {
        sim.run(0.05 * f64::from(k), 1e-3).expect("a run");
        let now = sim.evaluate().expect("an answer");
        let (at, condition) = (now.body(BodyId::of_index(0)), now.inequality(InequalityId::of_index(0)));
        let (x, v) = (at.position.x, at.velocity.x);
        // An active inequality is projected to rounding; its multiplier is that of one solve.
        near(condition.gap, 0.0, 1e-14);
        near(condition.multiplier, m * (g + 2.0 * v * v) / (1.0 + 4.0 * x * x), 1e-12);
        let push = condition.loads[0].1.force;
        near(push.norm(), m * (g + 2.0 * v * v) / (1.0 + 4.0 * x * x).sqrt(), 1e-12);
        near(push.x + 2.0 * x * push.y, 0.0, 1e-13);
        // Truncation of RK4 with a step of 1 ms.
        near(energy(x, v), energy(-0.8, 0.5), 1e-9);
    }
    assert_eq!(sim.events().len(), 1, "{:?}", sim.events());
}

/// A floor that moves as 0.3 (1 − cos 4t) carries m (g + 4.8 cos 4t); one with ω² a > g loses
/// contact where a ω² cos ωt = −g.
#[test]
fn a_floor_that_moves_carries_and_throws() {
    for (omega, thrown) in [(4.0_f64, false), (6.0, true)] {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let block = parts.add_body(Body::particle(0.7));
        let text = format!("p.z - 0.3*(1 - cos({omega}*t))");
        let rule = formula(&text, &["p"]);
        parts.add_inequality(Inequality::new("lift", vec![(block.into(), Frame::default())], rule));
        let mut sim = Simulation::new(parts.build().expect("a model"));
        let leaves = (-9.81 / (0.3 * omega * omega)).acos() / omega;
        let until = if thrown { leaves + 0.05 } else { 1.0 };
        sim.run(until, 1e-3).expect("a run");
        let released = sim.events().iter().find(|event| event.kind == EventKind::Released).copied();
        // Events are located to rounding of the multiplier over its rate of change.
        match released {
            Some(event) => near(event.time, leaves, 1e-10),
            None => {
                assert!(!thrown);
                let strain =
                    sim.evaluate().expect("an answer").inequality(InequalityId::of_index(0)).multiplier;
                // One solve, at a phase that RK4 follows exactly along the floor.
                near(strain, 0.7 * (9.81 + 4.8 * 4.0_f64.cos()), 1e-11);
                // The work of the floor is the whole energy.
                assert!(sim.balance().energy_error < 1e-9, "{:?}", sim.balance());
            }
        }
        assert_eq!(released.is_some(), thrown);
    }
}

/// A wall as a half-space, and a rope as a distance.
#[test]
fn a_formula_acts_as_the_equivalent_inequality() {
    let run = |written: bool| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let one = parts.add_body(Body { pos: vec3(0.3, 0.2, 1.0), ..Body::particle(1.0) });
        let ball = cardan::SolidShape::Box { size: [0.2, 0.3, 0.4] };
        let two = parts.add_body(Body {
            pos: vec3(-0.2, 0.0, 1.3),
            omega: vec3(3.0, 2.0, 1.0),
            ..Body::solid(ball, 2.0)
        });
        let corner = Frame::at(vec3(0.1, 0.15, 0.2));
        let wall = vec![(End::Ground, Frame::default()), (one.into(), Frame::default())];
        let rope = vec![(one.into(), Frame::default()), (two.into(), corner)];
        let (wall, rope) = match written {
            true => (
                Inequality::new("wall", wall, formula("0.6*p.x + 0.8*p.z - 0.1", &["o", "p"])),
                Inequality::new(
                    "rope",
                    rope,
                    formula("0.9 - sqrt((q.x - p.x)^2 + (q.y - p.y)^2 + (q.z - p.z)^2)", &["p", "q"]),
                ),
            ),
            false => {
                let half = HalfSpace::new([0.6, 0.0, 0.8]).expect("a normal");
                let half = HalfSpace { point: vec3(0.06, 0.0, 0.08), ..half };
                let apart = DistanceBound { length: 0.9, at_most: true };
                (Inequality::new("wall", wall, half), Inequality::new("rope", rope, apart))
            }
        };
        parts.add_inequality(wall.with_restitution(0.5));
        parts.add_inequality(rope);
        let mut sim = Simulation::new(parts.build().expect("a model"));
        sim.run(1.0, 2e-3).expect("a run");
        let events: Vec<(f64, EventKind)> =
            sim.events().iter().map(|event| (event.time, event.kind)).collect();
        (sim.state().coordinates().to_vec(), events)
    };
    let ((q, events), (wanted, wanted_events)) = (run(true), run(false));
    assert!(events.len() > 2 && events.len() == wanted_events.len(), "{events:?} {wanted_events:?}");
    for ((time, what), (wanted, kind)) in events.iter().zip(&wanted_events) {
        assert_eq!(what, kind);
        // Events are located to rounding; formula and half-space round differently, and impacts
        // amplify it.
        near(*time, *wanted, 1e-9);
    }
    for (q, wanted) in q.iter().zip(&wanted) {
        near(*q, *wanted, 1e-8);
    }
}

#[test]
fn formulas_that_are_not_inequalities_are_refused() {
    let fails = |text: &str, points: &[&str]| Formula::new(text, points).expect_err(text);
    assert!(matches!(fails("y - ", &[""]), FormulaError::Expression(error) if error.column == 5));
    assert!(
        fails("p.w + 1", &["p"]).to_string().contains("there is no `p.w`; a formula knows t, p.x, p.y, p.z,")
    );
    assert_eq!(fails("t - 1", &[""]), FormulaError::NoPlace("x, y, z".into()));
    assert_eq!(fails("floor(x)", &[""]), FormulaError::Jumps);
    assert_eq!(fails("a.x", &["a"; 17]), FormulaError::TooMany(17));
}

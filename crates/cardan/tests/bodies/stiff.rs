//! Bodies that swing faster by themselves than a step can follow.

use cardan::body::{Elastic, Stretch};
use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, Gravity, Integrator, MassProperties, ModelBuilder, Settings, Shape, Simulation, StepError,
};

const H: f64 = 1e-3;
const SIZE: f64 = 0.2;
const MASS: f64 = 8.0;

fn block(young: f64, soft: bool) -> Body {
    let material = Elastic { young, poisson: 0.0, damping: 0.0 };
    match soft {
        true => Body::soft_block([SIZE; 3], MASS, material),
        false => Body::affine(Shape::Box { size: [SIZE; 3] }, MASS, material),
    }
}

fn run(body: Body, integrator: Integrator, until: f64) -> Result<Simulation, StepError> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    parts.body(Body { vel: vec3(1.0, 0.0, 2.0), omega: vec3(0.3, 3.0, -0.4), ..body });
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings)?;
    sim.run(until, H).map(|_| sim)
}

/// At 1e8 Pa and 1 ms it lost all of its energy, with no more than a warning.
#[test]
fn a_stiff_elastic_body_does_not_lose_its_energy() {
    for soft in [false, true] {
        for young in [1e5, 1e6, 1e7, 1e8] {
            let mut sim = run(block(young, soft), Integrator::Rk4, 0.2).expect("a run");
            let error = sim.balance().energy_error;
            assert!(error < 1e-3, "soft: {soft}, {young:e} Pa: {error:e}");
            assert!(sim.momentum().linear.is_finite());
            assert!((sim.time() - 0.2).abs() < 1e-15);
        }
    }
}

/// At 1e12 Pa it did not come to an end. Stretched along an edge, a cube swings with ω² = E V/(m L²/12); that is the fastest mode of one that only stretches and shears.
#[test]
fn a_body_too_stiff_for_the_step_is_refused_with_a_step_that_would_do() {
    let omega = (1e12 * SIZE * SIZE * SIZE / (MASS * SIZE * SIZE / 12.0)).sqrt();
    match run(block(1e12, false), Integrator::Rk4, 0.1) {
        Err(StepError::TooStiff { body, frequency, h, advised }) => {
            assert_eq!((body.as_str(), h), ("b0", H));
            let wanted = omega / core::f64::consts::TAU;
            assert!((frequency / wanted - 1.0).abs() < 1e-4, "{frequency} {wanted}");
            assert!(advised * omega <= 0.5 && advised * omega > 0.2, "{advised}");
            // It does.
            let mut parts = ModelBuilder::new(Gravity::ZERO);
            parts.body(Body { omega: vec3(0.3, 3.0, -0.4), ..block(1e12, false) });
            let mut sim = Simulation::new(parts.build().expect("a model"));
            sim.run(100.0 * advised, advised).expect("a run");
            assert_eq!(sim.steps(), 100);
            assert!(sim.balance().energy_error < 1e-6);
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

/// Whatever the stiffness and the rule: an end, with finite numbers, or an error with the name of the body; and not after more than so many steps.
#[test]
fn no_stiffness_makes_a_run_without_end() {
    let rules = [
        Integrator::Rk4,
        Integrator::ExplicitEuler,
        Integrator::SemiImplicitEuler,
        Integrator::Stepping,
        Integrator::Long,
        Integrator::FirstOrder,
    ];
    let mass = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.02, 0.03, 0.04) };
    for rule in rules {
        for power in [4, 7, 8, 9, 10, 12, 16, 30] {
            let young = 10.0_f64.powi(power);
            let stretch = Stretch { stiffness: young, damping: 0.0 };
            for body in [block(young, false), block(young, true), Body::scaled(mass, stretch)] {
                let kind = body.kind.name();
                let what = format!("{kind} 1e{power} {rule:?}");
                match run(body, rule, 5.0 * H) {
                    Ok(sim) => {
                        assert!(sim.steps() <= 5 * 1024, "{what}: {}", sim.steps());
                        assert!(sim.state().velocities().iter().all(|v| v.is_finite()), "{what}");
                    }
                    Err(StepError::TooStiff { body, .. }) => assert_eq!(body, "b0", "{what}"),
                    Err(StepError::NotForKind { .. }) => {}
                    Err(other) => assert!(rule == Integrator::FirstOrder, "{what}: {other}"),
                }
            }
        }
    }
}

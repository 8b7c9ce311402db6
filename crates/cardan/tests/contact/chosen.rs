//! The integrator that `auto` chooses, and steps that it hands over.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::contact::Shape;
use cardan::inequality::HalfSpace;
use cardan::math::vec3;
use cardan::{
    Body, ContactShape, End, Frame, Gravity, Inequality, Integrator, Material, ModelBuilder, RestitutionLaw,
    Settings, Simulation, SolidShape, Stabilization,
};
use cardan_testkit::{Tolerance, assert_close};

/// Bodies of one shape side by side on a floor.
fn row(count: usize, shape: &Shape, material: Material) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let add = |parts: &mut ModelBuilder, body: End, shape: Shape| {
        parts.add_shape(ContactShape { body, frame: Frame::default(), shape, material });
    };
    add(&mut parts, End::Ground, Shape::Plane);
    for i in 0..count {
        let body = Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0);
        let body = parts.add_body(Body { pos: vec3(i as f64, 0.0, 0.1), ..body });
        add(&mut parts, body.into(), shape.clone());
    }
    parts
}

fn chosen(parts: ModelBuilder, settings: Settings) -> Integrator {
    let sim = Simulation::with_settings(parts.build().expect("a model"), settings).expect("settings");
    assert!(sim.settings().is_chosen());
    sim.settings().integrator
}

#[test]
fn auto_takes_impulses_where_bodies_may_rest_on_many_points() {
    let (cube, ball) = (Shape::cuboid([0.2; 3]).expect("a box"), Shape::sphere(0.1).expect("a ball"));
    let usual = Settings::default();
    assert_eq!(usual.integrator, Integrator::Auto);
    let (rough, lively) = (Material::rough(0.5), Material { restitution: 0.5, ..Material::rough(0.5) });
    let empty = || ModelBuilder::new(Gravity::ZERO);
    assert_eq!(chosen(empty(), usual), Integrator::Rk4);
    for (count, shape, material, wanted) in [
        (1, &cube, rough, Integrator::Rk4),
        (2, &cube, rough, Integrator::TimeStepping),
        (7, &ball, rough, Integrator::Rk4),
        (8, &ball, rough, Integrator::TimeStepping),
        // What rebounds is hit, and does not rest.
        (20, &ball, lively, Integrator::Rk4),
    ] {
        assert_eq!(chosen(row(count, shape, material), usual), wanted, "{count} {shape:?}");
    }
    // What time stepping does not have.
    let feedback = Settings { stabilization: Stabilization::baumgarte(1e-3), ..usual };
    assert_eq!(chosen(row(5, &cube, rough), feedback), Integrator::Rk4);
    let poisson = Settings { restitution_law: RestitutionLaw::Poisson, ..usual };
    assert_eq!(chosen(row(5, &cube, rough), poisson), Integrator::TimeStepping);
    // Who names one gets it.
    let named = Settings { integrator: Integrator::Rk4, ..usual };
    let sim = Simulation::with_settings(row(5, &cube, rough).build().expect("a model"), named);
    let settings = *sim.expect("settings").settings();
    assert!(settings.integrator == Integrator::Rk4 && !settings.is_chosen());
}

/// Eighty balls that reach the floor one after the other within one step: after sixty impacts the rest of the step is
/// taken by time stepping.
#[test]
fn auto_hands_a_step_with_too_many_events_over() {
    let (g, h, count) = (9.81, 0.1, 80);
    let build = || {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -g, 0.0));
        for i in 0..count {
            let time = h * (0.1 + 0.8 * f64::from(i) / f64::from(count));
            let pos = vec3(f64::from(i), 0.5 * g * time * time, 0.0);
            let ball = parts.add_body(Body { pos, ..Body::particle(1.0) });
            let floor = HalfSpace::new([0.0, 1.0, 0.0]).expect("a normal");
            let ends = vec![(End::Ground, Frame::default()), (ball.into(), Frame::default())];
            parts.add_inequality(Inequality::new(format!("floor {i}"), ends, floor));
        }
        parts.build().expect("a model")
    };
    let named = Settings { integrator: Integrator::Rk4, ..Settings::default() };
    for (settings, handed_over) in [(Settings::default(), 1), (named, 0)] {
        let mut sim = Simulation::with_settings(build(), settings).expect("settings");
        assert_eq!(sim.settings().integrator, Integrator::Rk4);
        sim.step(h).expect("a step");
        assert_eq!(sim.diagnostics().work_counts().handed_over, handed_over);
        // All of them lie on the floor, whoever put them there.
        for at in sim.state().coordinates().chunks_exact(3) {
            assert_close(at[1], 0.0, Tolerance::because("gaps are closed to 1e-10 of the size", 1e-8));
        }
    }
}

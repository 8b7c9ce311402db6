//! After the first steps nothing is allocated any more, whatever the scene: projection on, every instant evaluated as a
//! recording does.

use cardan::{Coordinates, Elimination, Integrator, JointId, Settings, Simulation};
use cardan_scene::{Document, Scene, bundled};
use cardan_testkit::CountingAllocator;
use std::sync::Arc;

/// Some steps; the soak below goes on to a thousand.
#[test]
fn steps_of_every_scene_allocate_nothing() {
    nothing_is_allocated_in(80);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn a_thousand_steps_of_every_scene_allocate_nothing() {
    nothing_is_allocated_in(1000);
}

fn nothing_is_allocated_in(many: usize) {
    // The counter counts: a box is one allocation.
    assert!(CountingAllocator::count(|| drop(std::hint::black_box(Box::new(1)))) >= 1);
    for entry in bundled() {
        let document = Document::parse(entry.name, entry.text).unwrap();
        let scene = Scene::from_document(&document).unwrap();
        let model = Arc::new(scene.to_model(&document).unwrap());
        let usual = scene.settings(&document).unwrap();
        for (elimination, coordinates, integrator, steps) in [
            (Elimination::Freedoms, Coordinates::Bodies, usual.integrator, many),
            (Elimination::Rows, Coordinates::Bodies, usual.integrator, many),
            (Elimination::Freedoms, Coordinates::Joints, usual.integrator, many),
            (Elimination::Rows, Coordinates::Joints, usual.integrator, many.min(100)),
            (Elimination::Freedoms, Coordinates::Bodies, Integrator::Dopri5, 50),
            (Elimination::Freedoms, Coordinates::Joints, Integrator::Dopri5, 50),
            (Elimination::Freedoms, Coordinates::Bodies, Integrator::Rattle, 50),
        ] {
            if integrator == Integrator::Rattle && model.velocity_only().is_some() {
                continue;
            }
            // Contacts come and go, and with them room for them; the record of an applied impulse is kept.
            if model.has_inequalities() || !model.impulses().is_empty() {
                continue;
            }
            let general = model.bodies().iter().any(|body| body.kind.is_general());
            if general && (coordinates == Coordinates::Joints || integrator == Integrator::Rattle) {
                continue;
            }
            // Its velocities are those of bodies.
            if integrator == Integrator::FirstOrder && coordinates == Coordinates::Joints {
                continue;
            }
            let settings = Settings { elimination, coordinates, integrator, ..usual };
            let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
            // A symplectic step is not divided, and a millisecond is too long for links that ring at 10 000 rad/s.
            let ringing = entry.name == "heavy-chain" && integrator == Integrator::Rattle;
            let dt = if ringing { 1e-4 } else { scene.simulation.dt() };
            let advance = |sim: &mut Simulation| {
                sim.step(dt).unwrap();
                let now = sim.evaluate().unwrap();
                let loads = (0..model.joints().len())
                    .map(|j| now.joint(JointId::of_index(j)).reaction.total().force.x)
                    .sum::<f64>();
                std::hint::black_box(loads);
            };
            // Rows that are handed up or dropped make room for themselves when they first appear.
            for _ in 0..20 {
                advance(&mut sim);
            }
            let count = CountingAllocator::count(|| (0..steps).for_each(|_| advance(&mut sim)));
            assert_eq!(
                count, 0,
                "{} in {elimination:?} elimination, {coordinates:?}, with {integrator:?}",
                entry.name
            );
        }
    }
}

//! Batches: mechanisms in SIMD lanes have the bits of each mechanism alone.

use cardan::math::{Vec3, vec3};
use cardan::step::EventKind;
use cardan::{
    Batch, BatchError, Body, BodyId, BodyKind, Coordinates, End, End::Ground, Gravity, Integrator, Joint,
    JointId, JointLimit, JointSpring, Model, ModelBuilder, Settings, Simulation, SolidShape, State,
    StepError,
};
use cardan_testkit::{Rng, random_body};
use std::sync::Arc;

fn with(integrator: Integrator) -> Settings {
    Settings { integrator, ..Settings::default() }
}
fn euler() -> Settings {
    with(Integrator::SemiImplicitEuler)
}

/// Settings in joint coordinates.
fn reduced(settings: Settings) -> Settings {
    Settings { coordinates: Coordinates::Joints, ..settings }
}

/// A tree of hinges and ball joints whose structure depends on `shape` and whose numbers depend on
/// `rng`.
fn tree(shape: u64, rng: &mut Rng, bodies: usize) -> Model {
    let mut form = Rng::new(shape);
    let floats = form.below(2) == 0;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, rng.range(-1.0, 1.0), -9.81));
    let mut ids: Vec<End> = Vec::new();
    for i in 0..bodies {
        let is_diagonal = form.below(3) == 0;
        let mut body = random_body(rng, BodyKind::Rigid);
        if is_diagonal {
            let size = rng.vector(0.2) + vec3(0.4, 0.4, 0.4);
            body = Body {
                pos: body.pos,
                rot: body.rot,
                omega: body.omega,
                ..Body::solid(SolidShape::Box { size: size.into() }, 1.5)
            };
        }
        let id = parts.add_body(body);
        // Occasional roots: a forest.
        let on: End = if i == 0 || form.below(7) == 0 { Ground } else { ids[form.below(i)] };
        ids.push(id.into());
        if on == Ground && floats {
            continue;
        }
        let anchor = rng.vector(1.0);
        let is_hinge = form.below(3) > 0;
        parts.add_joint(match is_hinge {
            true => Joint::revolute(on, id, anchor, rng.direction()),
            false => Joint::spherical(on, id, anchor),
        });
    }
    parts.build().expect("a tree can be built")
}

fn assert_same(batch: &Batch, sims: &[Simulation], what: &str) {
    for (i, sim) in sims.iter().enumerate() {
        let state = batch.state(i).expect("there is such a mechanism");
        assert_eq!(state.hash(sim.model()), sim.state_hash(), "{what}: mechanism {i}");
        assert_eq!(state.ledger, sim.state().ledger, "{what}: mechanism {i}");
        assert_eq!(state.to_bytes(), sim.state().to_bytes(), "{what}: mechanism {i}");
    }
}

#[test]
fn lanes_have_the_bits_of_each_mechanism_alone() {
    lanes_have_the_bits_of_each_alone(|settings| settings);
}

#[test]
fn lanes_of_joint_coordinates_have_the_bits_of_each_mechanism_alone() {
    lanes_have_the_bits_of_each_alone(reduced);
}

fn lanes_have_the_bits_of_each_alone(carrying: fn(Settings) -> Settings) {
    for shape in 0..40 {
        let mut rng = Rng::new(1000 + shape);
        let bodies = 1 + shape as usize % 13;
        let settings = carrying(if shape % 4 == 0 { with(Integrator::ExplicitEuler) } else { euler() });
        // The last group of lanes is not full.
        let models: Vec<Arc<Model>> = (0..6).map(|_| Arc::new(tree(shape, &mut rng, bodies))).collect();
        let mut batch = Batch::of_models(models.clone(), settings).expect("a batch");
        assert_eq!((batch.len(), batch.in_lanes()), (6, 6), "shape {shape}");
        let mut sims: Vec<Simulation> =
            models.into_iter().map(|model| Simulation::with_settings(model, settings).unwrap()).collect();
        for step in 0..60 {
            // Steps of different sizes.
            let h = if step % 7 == 3 { 4e-4 } else { 1e-3 };
            batch.step(h).unwrap();
            sims.iter_mut().for_each(|sim| {
                sim.step(h).unwrap();
            });
            assert_same(&batch, &sims, &format!("shape {shape}, step {step}"));
        }
        for (i, sim) in sims.iter().enumerate() {
            let (ours, theirs) = (batch.certificate(i).unwrap(), sim.certificate());
            assert_eq!(batch.steps_of(i).unwrap(), sim.steps());
            assert_eq!(ours.max_position_error, theirs.max_position_error);
            assert_eq!(ours.max_velocity_error, theirs.max_velocity_error);
            // The bound up to which a solve is certified.
            assert!(ours.max_equation_residual < 1e-12 && theirs.max_equation_residual < 1e-12);
        }
    }
}

#[test]
fn accelerations_and_loads_in_lanes_are_those_of_each_alone() {
    for shape in 0..20 {
        let settings = if shape % 4 == 3 { reduced(euler()) } else { euler() };
        let mut rng = Rng::new(shape);
        let models: Vec<Arc<Model>> = (0..5).map(|_| Arc::new(tree(shape, &mut rng, 9))).collect();
        let mut batch = Batch::of_models(models.clone(), settings).unwrap();
        // At the start, and after a step.
        batch.steps(shape % 2, 1e-3).unwrap();
        batch.accelerations().unwrap();
        for (i, model) in models.into_iter().enumerate() {
            let mut sim = Simulation::with_settings(model, settings).unwrap();
            sim.assemble().unwrap();
            (0..shape % 2).for_each(|_| {
                sim.step(1e-3).unwrap();
            });
            let answer = sim.accelerations().unwrap();
            for body in 0..9 {
                assert_eq!(
                    batch.acceleration(i, BodyId::of_index(body)).unwrap(),
                    Some(answer.body(BodyId::of_index(body))),
                    "{shape} {i} {body}"
                );
            }
            for load in answer.joint_loads() {
                assert_eq!(batch.joint_load(i, load.joint).unwrap(), Some(load), "{shape} {i}");
            }
            assert_eq!(batch.acceleration(i, BodyId::of_index(9)).unwrap(), None);
        }
    }
}

/// A pendulum of two links that turn at ω about the ground.
fn pendulum(omega: f64) -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = |x: f64| Body {
        pos: vec3(x, 0.0, 0.0),
        vel: vec3(0.0, 0.0, -omega * x),
        omega: vec3(0.0, omega, 0.0),
        ..Body::rod(1.0, 1.0, 0.02)
    };
    let (a, b) = (parts.add_body(rod(0.5)), parts.add_body(rod(1.5)));
    parts.add_joint(Joint::revolute(Ground, a, Vec3::ZERO, Vec3::Y));
    parts.add_joint(Joint::revolute(a, b, vec3(1.0, 0.0, 0.0), Vec3::Y));
    Arc::new(parts.build().unwrap())
}

#[test]
fn a_mechanism_that_leaves_the_lanes_does_not_change_the_others() {
    // The third turns by 0.1 rad in a step: its joints open by more than joint-by-joint closing
    // allows.
    let models = [1.0, 2.0, 90.0, 30.0, 0.0].map(pendulum);
    let mut batch = Batch::of_models(models.clone(), euler()).unwrap();
    let mut sims = models.map(|model| Simulation::with_settings(model, euler()).unwrap());
    for step in 0..40 {
        batch.step(1e-3).unwrap();
        for sim in &mut sims {
            sim.step(1e-3).unwrap();
        }
        assert_same(&batch, &sims, &format!("step {step}"));
    }
    // Its group was split; the other is still in lanes.
    assert_eq!(batch.in_lanes(), 1);
}

#[test]
fn joint_coordinates_turn_as_fast_as_they_like_and_stay_in_their_lanes() {
    // In poses the third would have to run alone, see above.
    let models = [1.0, 2.0, 90.0, 30.0, 0.0].map(pendulum);
    let settings = reduced(euler());
    let mut batch = Batch::of_models(models.clone(), settings).unwrap();
    let mut sims = models.map(|model| Simulation::with_settings(model, settings).unwrap());
    for step in 0..40 {
        batch.step(1e-3).unwrap();
        for sim in &mut sims {
            sim.step(1e-3).unwrap();
        }
        assert_same(&batch, &sims, &format!("step {step}"));
    }
    assert_eq!(batch.in_lanes(), 5);
    assert_eq!(sims[2].diagnostics().specialized_step_count(), Some(40));
}

#[test]
fn joint_coordinates_beyond_the_range_of_lanes_run_alone_with_the_same_bits() {
    // The second turns by more than a million radians in one step.
    let wheel = |omega: f64| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
        let wheel = parts.add_body(Body { omega: vec3(0.0, 0.0, omega), ..Body::rod(1.0, 1.0, 0.1) });
        parts.add_joint(Joint::revolute(Ground, wheel, Vec3::ZERO, Vec3::Z));
        Arc::new(parts.build().unwrap())
    };
    let models = [1.0, 3e9, 2.0].map(wheel);
    let settings = reduced(euler());
    let mut batch = Batch::of_models(models.clone(), settings).unwrap();
    let mut sims = models.map(|model| Simulation::with_settings(model, settings).unwrap());
    for step in 0..12 {
        batch.step(1e-3).unwrap();
        for sim in &mut sims {
            sim.step(1e-3).unwrap();
        }
        assert_same(&batch, &sims, &format!("step {step}"));
        assert_eq!(batch.in_lanes(), if step < 7 { 3 } else { 0 }, "step {step}");
    }
    assert_eq!([0, 1].map(|i| sims[i].diagnostics().specialized_step_count()), [Some(12), Some(0)]);
}

#[test]
fn a_mechanism_that_fails_stays_where_it_was_and_the_others_go_on() {
    let models = [1.0, 1e200, 2.0, 3.0].map(pendulum);
    let mut batch = Batch::of_models(models, euler()).expect("velocities are looked at by the first step");
    batch.steps(3, 1e-3).unwrap();
    assert!(matches!(batch.failure(1), Ok(Some(StepError::NotFinite { .. }))), "{:?}", batch.failure(1));
    assert_eq!(batch.state(1).unwrap().time, 0.0);
    for i in [0, 2, 3] {
        assert!(batch.failure(i).unwrap().is_none());
        assert_eq!(batch.steps_of(i).unwrap(), 3);
    }
}

#[test]
fn mechanisms_that_do_not_fit_lanes_run_alone_with_the_same_bits() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    parts.add_joint(Joint::prismatic(Ground, bar, Vec3::ZERO, Vec3::Z));
    let slider = Arc::new(parts.build().unwrap());
    let models = [pendulum(1.0), slider.clone(), pendulum(2.0)];
    for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
        let settings = with(integrator);
        let mut batch = Batch::of_models(models.clone(), settings).unwrap();
        assert_eq!(batch.in_lanes(), if integrator == Integrator::Rk4 { 0 } else { 2 });
        let mut sims = models.clone().map(|model| Simulation::with_settings(model, settings).unwrap());
        batch.steps(50, 1e-3).unwrap();
        for sim in &mut sims {
            (0..50).for_each(|_| {
                sim.step(1e-3).unwrap();
            });
        }
        assert_same(&batch, &sims, "alone");
    }
}

#[test]
fn states_are_set_and_read_and_wrong_ones_are_refused() {
    let model = pendulum(1.0);
    let mut sim = Simulation::with_settings(model.clone(), euler()).unwrap();
    sim.run(0.1, 1e-3).unwrap();
    let states = [model.initial_state().clone(), sim.state().clone()];
    let mut batch = Batch::new(model, euler(), &states).unwrap();
    batch.set_state(0, sim.state()).unwrap();
    batch.steps(20, 1e-3).unwrap();
    let hash = |state: State| state.hash(sim.model());
    assert_eq!(hash(batch.state(0).unwrap()), hash(batch.state(1).unwrap()));
    let mut rng = Rng::new(7);
    let other = tree(3, &mut rng, 4);
    assert!(matches!(batch.set_state(1, other.initial_state()), Err(BatchError::Mechanism { index: 1, .. })));
    assert!(matches!(batch.state(2), Err(BatchError::NoSuchMechanism { index: 2, count: 2 })));
    assert!(matches!(batch.step(0.0), Err(BatchError::BadStep { .. })));
    assert!(matches!(batch.step(f64::NAN), Err(BatchError::BadStep { .. })));
    let none = Batch::new(pendulum(1.0), euler(), &[]).unwrap();
    assert!(none.is_empty());
}

/// Many mechanisms of one model share working memory.
#[test]
fn many_of_one_model_have_the_bits_of_each_alone() {
    many_have_the_bits_of_each_alone(euler());
    many_have_the_bits_of_each_alone(reduced(euler()));
}

fn many_have_the_bits_of_each_alone(settings: Settings) {
    let mut rng = Rng::new(5);
    let model = Arc::new(tree(11, &mut rng, 7));
    let mut sims: Vec<Simulation> =
        (0..70).map(|_| Simulation::with_settings(model.clone(), settings).unwrap()).collect();
    // Each has advanced differently along the same motion.
    for (i, sim) in sims.iter_mut().enumerate() {
        for _ in 0..i {
            sim.step(1e-3).unwrap();
        }
    }
    let states: Vec<State> = sims.iter().map(|sim| sim.state().clone()).collect();
    let mut batch = Batch::new(model, settings, &states).unwrap();
    sims[0].assemble().unwrap();
    assert_same(&batch, &sims, "before anything is done");
    assert_eq!(batch.in_lanes(), 70);
    let advance = |batch: &mut Batch, sims: &mut [Simulation], count: u64| {
        batch.steps(count, 1e-3).unwrap();
        for sim in sims.iter_mut() {
            for _ in 0..count {
                sim.step(1e-3).unwrap();
            }
        }
        assert_same(batch, sims, "shared");
    };
    advance(&mut batch, &mut sims, 5);
    advance(&mut batch, &mut sims, 1);
    batch.accelerations().unwrap();
    for (i, sim) in sims.iter_mut().enumerate() {
        let answer = sim.accelerations().unwrap();
        assert_eq!(
            batch.acceleration(i, BodyId::of_index(3)).unwrap(),
            Some(answer.body(BodyId::of_index(3))),
            "{i}"
        );
        for load in answer.joint_loads() {
            assert_eq!(batch.joint_load(i, load.joint).unwrap(), Some(load), "{i}");
        }
    }
    assert_eq!(batch.acceleration(69, BodyId::of_index(7)).unwrap(), None);
    assert_eq!(batch.joint_load(69, JointId::of_index(100)).unwrap(), None);
    advance(&mut batch, &mut sims, 2);
    assert_eq!(batch.acceleration(0, BodyId::of_index(3)).unwrap(), None);
    assert_eq!(batch.joint_load(0, JointId::of_index(0)).unwrap(), None);
    let state = sims[69].state().clone();
    batch.set_state(2, &state).unwrap();
    sims[2].restore(&state).unwrap();
    advance(&mut batch, &mut sims, 3);
}

/// A simulation that continues a batch has the accounts of one that took all steps itself.
#[test]
fn balances_of_a_simulation_that_follows_a_batch_are_its_own() {
    let mut rng = Rng::new(9);
    let models: Vec<Arc<Model>> = (0..5).map(|_| Arc::new(tree(4, &mut rng, 6))).collect();
    let mut batch = Batch::of_models(models.clone(), euler()).unwrap();
    assert!(models.iter().all(|model| Batch::takes(model, &euler())));
    assert!(!Batch::takes(&models[0], &with(Integrator::Rk4)));
    let start = |model: &Arc<Model>| Simulation::with_settings(model.clone(), euler()).unwrap();
    let mut took: Vec<Simulation> = models.iter().map(start).collect();
    let mut followed: Vec<Simulation> = models.iter().map(start).collect();
    for sim in took.iter_mut().chain(&mut followed) {
        sim.assemble().unwrap();
    }
    let mut state = models[0].initial_state().clone();
    for _ in 0..30 {
        batch.step(1e-3).unwrap();
        for (i, (took, followed)) in took.iter_mut().zip(&mut followed).enumerate() {
            took.step(1e-3).unwrap();
            batch.copy_state(i, &mut state).unwrap();
            followed.follow(&state).unwrap();
            assert_eq!(followed.state().to_bytes(), took.state().to_bytes());
        }
    }
    for (took, followed) in took.iter_mut().zip(&mut followed) {
        assert_eq!(followed.balance(), took.balance());
        assert_eq!(followed.energy(), took.energy());
    }
    let mut other = pendulum(1.0).initial_state().clone();
    assert!(matches!(batch.copy_state(0, &mut other), Err(BatchError::Mechanism { index: 0, .. })));
    assert!(matches!(followed[0].follow(&other), Err(StepError::OtherModel)));
    assert!(matches!(
        batch.copy_state(5, &mut state),
        Err(BatchError::NoSuchMechanism { index: 5, count: 5 })
    ));
}

/// A bar that falls on a hinge, with a change to its joint.
fn bar(change: impl Fn(&mut Joint)) -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    let mut hinge = Joint::revolute(Ground, bar, Vec3::ZERO, Vec3::Y);
    change(&mut hinge);
    parts.add_joint(hinge);
    Arc::new(parts.build().unwrap())
}

#[test]
fn mechanisms_with_limits_or_springs_run_alone_and_the_others_in_lanes() {
    let stopped = bar(|hinge| {
        hinge.limits.push(JointLimit { coordinate: 0, low: -0.1, high: 0.1, restitution: 0.5 });
    });
    let sprung = bar(|hinge| hinge.springs.push(JointSpring::preloaded(0, 40.0, 0.2, 0.0, 0.0)));
    let free = bar(|_| {});
    // The mechanisms in between do not keep the free ones from sharing lanes.
    let models = [free.clone(), stopped.clone(), free.clone(), sprung, free.clone(), free];
    let mut batch = Batch::of_models(models.clone(), euler()).unwrap();
    assert_eq!(batch.in_lanes(), 4);
    let mut sims = models.map(|model| Simulation::with_settings(model, euler()).unwrap());
    for step in 0..300 {
        batch.step(1e-3).unwrap();
        for sim in &mut sims {
            sim.step(1e-3).unwrap();
        }
        assert_same(&batch, &sims, &format!("step {step}"));
    }
    assert!(sims[1].events().iter().any(|event| event.kind == EventKind::Limit), "it has reached its stop");
    assert_eq!(batch.in_lanes(), 4);
}

/// Arms with servos, springs and rotors: accelerations, and loads without the efforts, as each alone has them.
#[test]
fn accelerations_and_loads_with_efforts_in_lanes_are_those_of_each_alone() {
    let arm = |seed: u64, armature: f64| {
        let mut rng = Rng::new(seed);
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let mut on = End::Ground;
        for i in 0..4 {
            let pos = vec3(0.3 * f64::from(i) + 0.15, 0.0, 0.1 * rng.range(-1.0, 1.0));
            let body = parts.add_body(Body { pos, ..Body::rod(1.0 + rng.range(0.0, 1.0), 0.3, 0.02) });
            let anchor = [0.3 * f64::from(i), 0.0, 0.0];
            let mut joint = Joint::revolute(on, body, anchor, rng.direction()).with_spring(2.0, 0.3, 0.2);
            let law = cardan::law::Law::Constant(rng.range(-1.0, 1.0));
            let servo = cardan::joint::effort::Servo { stiffness: 40.0, damping: 2.0, law, limit: 3.0 };
            joint = joint.with_effort(0, cardan::joint::effort::EffortKind::Servo(servo));
            joint.armature = armature;
            parts.add_joint(joint);
            on = body.into();
        }
        Arc::new(parts.build().expect("an arm"))
    };
    for armature in [0.0, 0.2] {
        let settings = reduced(euler());
        let models: Vec<Arc<Model>> = (0..4).map(|seed| arm(seed, armature)).collect();
        let mut batch = Batch::of_models(models.clone(), settings).unwrap();
        batch.steps(20, 1e-3).unwrap();
        batch.accelerations().unwrap();
        for (i, model) in models.into_iter().enumerate() {
            let mut sim = Simulation::with_settings(model, settings).unwrap();
            sim.assemble().unwrap();
            (0..20).for_each(|_| {
                sim.step(1e-3).unwrap();
            });
            let answer = sim.accelerations().unwrap();
            for body in 0..4 {
                let id = BodyId::of_index(body);
                let ((ours, spin), (theirs, other)) =
                    (batch.acceleration(i, id).unwrap().unwrap(), answer.body(id));
                let off = (ours - theirs).norm() + (spin - other).norm();
                assert!(off <= 1e-9 * (1.0 + other.norm()), "{armature} {i} {body}: off by {off:e}");
            }
            for load in answer.joint_loads() {
                let ours = batch.joint_load(i, load.joint).unwrap().unwrap();
                let off = (ours.wrench.force - load.wrench.force).norm()
                    + (ours.wrench.torque - load.wrench.torque).norm();
                assert!(off <= 1e-9 * (1.0 + load.wrench.force.norm()), "{armature} {i}: {ours:?} {load:?}");
            }
        }
    }
}

/// Accelerations of a group with a hinge at a limit are solved alone in that call; the group stays together, and
/// its steps have the bits of each alone, whether accelerations were asked for or not.
#[test]
fn a_touched_limit_leaves_the_group_for_one_acceleration_only() {
    let arm = |angle: f64| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let mut on = End::Ground;
        for i in 0..3 {
            let x = 0.3 * f64::from(i);
            let body = parts.add_body(Body { pos: vec3(x + 0.15, 0.0, 0.0), ..Body::rod(1.0, 0.3, 0.02) });
            let joint = Joint::revolute(on, body, [x, 0.0, 0.0], [0.0, 1.0, 0.2 * f64::from(i)]);
            let mut joint = joint.with_spring(2.0, 0.3, 0.2);
            let (low, high) = (-2.0, if i == 0 { angle } else { 2.0 });
            joint.limits.push(cardan::JointLimit { coordinate: 0, low, high, restitution: 0.0 });
            parts.add_joint(joint);
            on = body.into();
        }
        Arc::new(parts.build().expect("an arm"))
    };
    for count in [4, 70] {
        // One of them hangs on its limit from the start, the others are far from theirs.
        let models: Vec<Arc<Model>> = (0..count).map(|i| arm(if i == 1 { 0.0 } else { 1.9 })).collect();
        let settings = reduced(euler());
        let mut batch = Batch::of_models(models.clone(), settings).unwrap();
        assert_eq!(batch.in_lanes(), count);
        let mut alone: Vec<Simulation> =
            models.iter().map(|model| Simulation::with_settings(model.clone(), settings).unwrap()).collect();
        for _ in 0..3 {
            batch.accelerations().unwrap();
            assert_eq!(batch.in_lanes(), count, "the group stays together");
            for (i, sim) in alone.iter_mut().enumerate() {
                sim.assemble().unwrap();
                let answer = sim.accelerations().unwrap();
                for body in 0..3 {
                    let id = BodyId::of_index(body);
                    let ((ours, spin), (theirs, other)) =
                        (batch.acceleration(i, id).unwrap().unwrap(), answer.body(id));
                    let off = (ours - theirs).norm() + (spin - other).norm();
                    assert!(off <= 1e-9 * (1.0 + other.norm()), "{i} {body}: off by {off:e}");
                }
                for load in answer.joint_loads() {
                    let ours = batch.joint_load(i, load.joint).unwrap().unwrap();
                    let off = (ours.wrench.force - load.wrench.force).norm();
                    assert!(off <= 1e-9 * (1.0 + load.wrench.force.norm()), "{i}: {ours:?} {load:?}");
                }
            }
            batch.step(1e-3).unwrap();
            for (i, sim) in alone.iter_mut().enumerate() {
                sim.step(1e-3).unwrap();
                assert!(batch.state(i).unwrap().to_bytes() == sim.state().to_bytes(), "mechanism {i}");
            }
        }
    }
}

//! Poses and velocities without a solve: one body, all bodies, and the instant of kinematics alone agree with
//! what an evaluation gives.

use super::acceleration_efforts::forest;
use cardan::math::{Quat, Vec3};
use cardan::{Body, BodyMotion, Gravity, Joint, ModelBuilder, Settings, Simulation, SolverChoice, World};
use cardan_testkit::{GENERAL, Rng, random_general};

/// Bodies of every kind: rigid ones in a tree, and each general one beside it.
fn mixed() -> Simulation {
    let mut rng = Rng::new(9);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    for name in GENERAL {
        parts.add_body(random_general(&mut rng, name).0);
    }
    let first = parts.add_body(Body::rod(1.0, 1.0, 0.05));
    let second = parts.add_body(Body { pos: [1.0, 0.0, 0.0].into(), ..Body::rod(1.0, 1.0, 0.05) });
    parts.add_joint(Joint::revolute(first, second, [0.5, 0.0, 0.0], [0.0, 1.0, 0.3]));
    Simulation::new(parts.build().expect("bodies"))
}

fn assert_motions(sim: &mut Simulation, what: &str) {
    let mut all: Vec<BodyMotion> = Vec::new();
    sim.body_motions(&mut all);
    let ids: Vec<_> = sim.model().body_ids().collect();
    assert_eq!(all.len(), ids.len());
    for (id, motion) in ids.into_iter().zip(&all) {
        let one = sim.body(id);
        let solved = sim.evaluate().expect("a solve").body(id);
        let known = sim.kinematics().body(id);
        for report in [one, solved, known] {
            // Bits are equal: poses do not depend on who asks.
            let BodyMotion { position, frame_position, orientation, velocity, angular_velocity } = *motion;
            assert_eq!(report.position, position, "{what}");
            assert_eq!(report.frame_position, frame_position, "{what}");
            assert_eq!((report.orientation.w, report.orientation.v), (orientation.w, orientation.v));
            assert_eq!((report.velocity, report.angular_velocity), (velocity, angular_velocity), "{what}");
        }
        assert!(one.acceleration.x.is_nan() && known.acceleration.x.is_nan());
        assert_eq!(sim.kinematics().body_motion(id), Some(*motion));
    }
}

#[test]
fn motions_of_all_bodies_are_those_of_each() {
    let mut sim = mixed();
    assert_motions(&mut sim, "general bodies");
    sim.run(0.002, 1e-3).expect("it runs");
    assert_motions(&mut sim, "general bodies, later");
    let mut sim = Simulation::new(forest(3, 12, 3));
    sim.run(0.01, 1e-3).expect("it runs");
    assert_motions(&mut sim, "forest");
}

#[test]
fn kinematics_have_the_errors_of_an_evaluation_and_no_forces() {
    let model = forest(4, 14, 3);
    for solver in [SolverChoice::Auto, SolverChoice::Sparse] {
        let settings = Settings { solver, ..Settings::default() };
        // Not closed: errors are not rounding.
        let mut sim = Simulation::with_settings(model.clone(), settings).expect("a simulation");
        let (errors, rates) = {
            let now = sim.evaluate().expect("a solve");
            (now.position_errors().to_vec(), now.velocity_errors().to_vec())
        };
        let now = sim.kinematics();
        // The same formulas at the same pose; rows of the articulated path are formed when read.
        assert!(now.position_errors() == errors && now.velocity_errors() == rates);
        assert!(now.accelerations().iter().chain(now.multipliers()).all(|x| x.is_nan()));
        assert!(now.equation_residual().is_nan());
        for id in now.model().joint_ids() {
            let joint = now.joint(id);
            assert!(joint.reaction.structural.force.x.is_nan() && joint.coordinates[0].is_finite());
        }
        // A solve afterwards is not disturbed.
        assert!(sim.evaluate().expect("a solve").multipliers().iter().all(|x| x.is_finite()));
    }
}

#[test]
fn motions_of_a_world_are_those_of_each_body_that_is_on() {
    let mut rng = Rng::new(2);
    let mut world = World::new(Gravity::new(0.0, 0.0, -9.81));
    let rod = |x: f64| Body { pos: [x, 0.0, 0.0].into(), ..Body::rod(1.0, 1.0, 0.05) };
    let ids: Vec<_> = (0..9)
        .map(|i| {
            let body = if i % 4 == 3 {
                random_general(&mut rng, GENERAL[i % GENERAL.len()]).0
            } else {
                rod(1.5 * i as f64)
            };
            world.add_body(body).expect("a body")
        })
        .collect();
    let at = Vec3::new(0.75, 0.0, 0.0);
    world.add_joint(Joint::spherical(ids[0], ids[1], at)).expect("a joint");
    for _ in 0..5 {
        world.step(1e-3).expect("a step");
    }
    world.disable(ids[4]).expect("a body");
    let mut all = Vec::new();
    world.body_motions(&mut all).expect("it is assembled");
    let on: Vec<_> = ids.iter().copied().filter(|id| *id != ids[4]).collect();
    assert_eq!(all.iter().map(|(id, _)| *id).collect::<Vec<_>>(), on);
    for (id, motion) in &all {
        let one = world.body(*id).expect("it is on");
        let same = |a: Quat, b: Quat| (a.w, a.v) == (b.w, b.v);
        assert!(one.position == motion.position && one.frame_position == motion.frame_position);
        assert!(same(one.orientation, motion.orientation) && one.velocity == motion.velocity);
        assert_eq!(one.angular_velocity, motion.angular_velocity);
    }
}

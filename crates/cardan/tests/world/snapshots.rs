//! Going back and going on: the same bits, whatever happened in between.

use super::{DOWN, four_bar, pendulum};
use cardan::math::vec3;
use cardan::{Body, End, Integrator, Joint, ModelBuilder, Settings, World};
use cardan_testkit::Rng;

fn mixed(settings: Settings) -> World {
    let mut parts = ModelBuilder::new(DOWN);
    four_bar(&mut parts, "loop", vec3(0.0, 5.0, 0.0));
    let mut world = World::of(parts, settings).expect("a world");
    pendulum(&mut world, "a", vec3(0.0, 0.0, 0.0), 4);
    world
}

#[test]
fn what_follows_a_snapshot_is_the_same_to_the_bit() {
    for integrator in [Integrator::Rk4, Integrator::SemiImplicitEuler, Integrator::Dopri5] {
        let settings = Settings { integrator, ..Settings::default() };
        let mut straight = mixed(settings);
        let mut hashes = Vec::new();
        for _ in 0..200 {
            straight.step(2e-3).expect("a step");
            hashes.push(straight.state_hash());
        }
        let mut rng = Rng::new(5);
        let mut world = mixed(settings);
        let mut at = 0;
        for _ in 0..100 {
            let snapshot = world.snapshot().expect("a snapshot");
            // Somewhere else for a while, with other parts.
            let body =
                world.add_body(Body { pos: vec3(1.0, 2.0, 3.0), ..Body::particle(2.0) }).expect("a body");
            let tied = world.find_body("a2").expect("a rod");
            world.add_joint(Joint::spherical(tied, body, vec3(1.0, 2.0, 3.0))).expect("a joint");
            for _ in 0..rng.below(3) {
                world.step(1e-3).expect("a step");
            }
            world.restore(&snapshot);
            for _ in 0..rng.below(4) {
                if at < hashes.len() {
                    world.step(2e-3).expect("a step");
                    assert_eq!(world.state_hash(), hashes[at], "{integrator:?}, step {at}");
                    at += 1;
                }
            }
        }
        assert!(at > 100, "{at}");
    }
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads: usize| {
        let mut world = World::new(DOWN);
        for i in 0..40 {
            let at = vec3(0.0, 3.0 * f64::from(i), 0.0);
            pendulum(&mut world, &format!("p{i}-"), at, 1 + i as usize % 6);
        }
        world.set_threads(threads).expect("threads");
        world.run(0.5, 1e-3).expect("a run");
        assert_eq!(world.islands(), (40, 0));
        world.state_hash()
    };
    let one = run(1);
    for threads in [2, 4, 8, 16] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[cfg(not(feature = "parallel"))]
#[test]
fn threads_are_a_feature() {
    let mut world = World::new(DOWN);
    let error = world.set_threads(2).expect_err("none to be had");
    assert!(error.to_string().contains("`parallel`"), "{error}");
    world.set_threads(1).expect("the one there is");
}

/// A failed step changes nothing, in no island.
#[test]
fn a_step_that_fails_in_one_island_moves_none() {
    let mut world = mixed(Settings::default());
    world.run(0.1, 1e-3).expect("a run");
    let force = cardan::Force::user(
        vec![(End::Body(world.find_body("a3").expect("a rod")), cardan::Frame::default())],
        Late,
    );
    world.add_force(force).expect("a force");
    world.run(0.2, 1e-3).expect("a run");
    let (hash, time, certificate) = (world.state_hash(), world.time(), world.certificate());
    for _ in 0..2 {
        world.step(1e-3).expect_err("the force is no number");
        assert_eq!((world.state_hash(), world.time(), world.certificate()), (hash, time, certificate));
    }
    let force = world.remove(cardan::ForceId::of_index(0)).expect("a force");
    assert_eq!(force.len(), 1);
    world.step(1e-3).expect("a step");
}

#[derive(Debug)]
struct Late;

impl cardan::ForceLaw for Late {
    fn apply(&self, time: f64, _: &[cardan::FrameMotion], out: &mut cardan::ForceOutput<'_>) {
        out.wrench[0].force.x = if time > 0.2 { f64::NAN } else { 0.0 };
    }
}

//! Commands in a world: they stay with their parts through edits, keep islands awake, and are recorded.

use crate::api::world::{DOWN, pendulum};
use cardan::joint_space::CommandError;
use cardan::math::vec3;
use cardan::{Body, Edit, Joint, JointId, Recorder, Simulation, Sleep, World, WorldError, Wrench};
use cardan_testkit::{Tolerance, assert_close, largest_difference};

#[test]
fn a_world_moves_by_commands_as_a_simulation_does() {
    let mut world = World::new(DOWN);
    let (_, joints) = pendulum(&mut world, "p", vec3(0.0, 0.0, 0.0), 2);
    let (_, others) = pendulum(&mut world, "q", vec3(0.0, 5.0, 0.0), 1);
    let order = world.joint_order().unwrap();
    assert_eq!((order.position_count(), order.rate_count()), (3, 3));
    world.set_efforts(&[0.5, -0.25, 0.125]).unwrap();
    world.run(0.2, 1e-3).unwrap();

    let mut parts = cardan::ModelBuilder::new(DOWN);
    let mut last = cardan::End::Ground;
    for i in 0..2 {
        let at = vec3(i as f64, 0.0, 0.0);
        let rod = parts.add_body(Body { pos: at + vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
        let axis = if i % 2 == 0 { vec3(0.0, 1.0, 0.0) } else { vec3(0.0, 1.0, 0.1) };
        parts.add_joint(Joint::revolute(last, rod, at, axis));
        last = rod.into();
    }
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.set_efforts(&[0.5, -0.25]).unwrap();
    sim.run(0.2, 1e-3).unwrap();
    let q = world.joint_positions().unwrap();
    assert_eq!(q[..2], sim.joint_positions()[..]);
    assert_eq!(world.joint_rates().unwrap()[..2], sim.joint_rates()[..]);
    assert_eq!(world.positions_of(joints[1]).unwrap(), [q[1]]);
    assert_eq!(world.rates_of(others[0]).unwrap(), [world.rate(others[0], 0).unwrap()]);
    assert!(world.balance().energy_error < 1e-7);
}

#[test]
fn commands_stay_with_their_parts_when_an_edit_builds_islands_again() {
    let run = |edits: bool| {
        let mut world = World::new(DOWN);
        let (bodies, joints) = pendulum(&mut world, "p", vec3(0.0, 0.0, 0.0), 2);
        world.set_effort(joints[0], 0, 2.0).unwrap();
        world
            .set_wrench(bodies[1], Wrench { force: vec3(0.0, 0.0, 3.0), torque: vec3(0.0, 0.0, 0.0) })
            .unwrap();
        world.run(0.05, 1e-3).unwrap();
        if edits {
            // A part that changes nothing of the motion.
            world
                .add_probe(cardan::Probe {
                    name: "tip".into(),
                    body: bodies[1].into(),
                    point: vec3(0.5, 0.0, 0.0),
                })
                .unwrap();
            let far = world.add_body(Body { pos: vec3(0.0, 0.0, 50.0), ..Body::particle(1.0) }).unwrap();
            world.set_gravity(DOWN).unwrap();
            world.remove(far).unwrap();
        }
        world.run(0.1, 1e-3).unwrap();
        world.joint_positions().unwrap()
    };
    let off = largest_difference(&run(true), &run(false));
    assert_close(off, 0.0, Tolerance::because("rounding of taking poses out and in again", 1e-12));
}

#[test]
fn commands_wake_and_keep_awake_and_come_back_with_snapshots() {
    let mut world = World::new(cardan::Gravity::ZERO);
    let (bodies, joints) = pendulum(&mut world, "p", vec3(0.0, 0.0, 0.0), 1);
    world.set_sleep(Some(Sleep { speed: 1e-3, after: 0.05 }));
    world.run(0.2, 1e-2).unwrap();
    assert_eq!(world.islands(), (1, 1));
    world.set_effort(joints[0], 0, 1e-9).unwrap();
    world.run(0.5, 1e-2).unwrap();
    assert_eq!(world.islands(), (1, 0));
    let snapshot = world.snapshot().unwrap();
    let bytes = world.to_bytes().unwrap();
    world.set_effort(joints[0], 0, 1.0).unwrap();
    world.set_wrench(bodies[0], Wrench { force: vec3(0.0, 0.0, 1.0), torque: vec3(0.0, 0.0, 0.0) }).unwrap();
    world.run(0.6, 1e-2).unwrap();
    world.restore(&snapshot);
    world.run(0.7, 1e-2).unwrap();
    let hash = world.state_hash();
    world.clear_commands();
    world.restore_bytes(&bytes).unwrap();
    world.run(0.7, 1e-2).unwrap();
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn recordings_repeat_commands() {
    let mut world = World::new(DOWN);
    let (_, joints) = pendulum(&mut world, "p", vec3(0.0, 0.0, 0.0), 2);
    let mut recorder = Recorder::new(&mut world).unwrap();
    for k in 0..20 {
        recorder.apply(&mut world, Edit::SetEfforts(vec![0.1 * k as f64, -0.2])).unwrap();
        recorder.step(&mut world, 1e-3).unwrap();
    }
    recorder.apply(&mut world, Edit::SetPositionsOf(joints[1], vec![0.4])).unwrap();
    recorder.step(&mut world, 1e-3).unwrap();
    let hash = world.state_hash();
    let recording = recorder.finish();
    recording.replay(&mut world).unwrap();
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn joints_of_a_world_are_set_with_their_energy_accounted_for() {
    let mut world = World::new(DOWN);
    let (_, joints) = pendulum(&mut world, "p", vec3(0.0, 0.0, 0.0), 2);
    world.run(0.1, 1e-3).unwrap();
    world.set_positions_of(joints[0], &[0.3]).unwrap();
    world.set_rates_of(joints[0], &[2.0]).unwrap();
    assert_close(world.angle(joints[0]).unwrap(), 0.3, Tolerance::rounding(100, 1.0));
    world.set_joint_positions(&[0.1, 0.2]).unwrap();
    world.set_joint_rates(&[0.5, 0.7]).unwrap();
    assert_close(world.angle(joints[1]).unwrap(), 0.2, Tolerance::rounding(100, 1.0));
    world.run(0.2, 1e-3).unwrap();
    assert!(world.balance().energy_error < 1e-7, "{:?}", world.balance());
    let hash = world.state_hash();
    let error = world.set_joint_rates(&[0.5, f64::NAN]).unwrap_err();
    assert!(matches!(error, WorldError::Command(CommandError::NotFinite { what: "rate", .. })), "{error}");
    assert!(matches!(
        world.set_efforts(&[1.0]),
        Err(WorldError::Command(CommandError::Length { want: 2, .. }))
    ));
    assert!(world.set_effort(JointId::of_index(9), 0, 1.0).is_err());
    assert_eq!(world.state_hash(), hash);
}

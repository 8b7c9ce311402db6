//! What a window reads and does: islands at an instant, descriptions, picking of joints and ground, drags that leave
//! islands as they are, states that another description takes over.

use super::{DOWN, pendulum};
use cardan::contact::Shape;
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, ContactShape, End, ForceId, Frame, GrabMode, Gravity, Integrator, Joint, Material,
    PickTarget, PickedShape, Settings, Simulation, SolidShape, World,
};
use cardan_testkit::{Tolerance, assert_close};

/// A chain of `n` rods and one of two, far from each other.
fn two_chains(n: usize) -> (World, Vec<BodyId>) {
    let mut world = World::new(DOWN);
    let (bodies, _) = pendulum(&mut world, "a", Vec3::ZERO, n);
    pendulum(&mut world, "b", vec3(0.0, 9.0, 0.0), 2);
    (world, bodies)
}

#[test]
fn each_island_shows_what_body_by_body_reads() {
    let (mut world, _) = two_chains(3);
    world.run(0.3, 1e-3).expect("a run");
    let mut seen = Vec::new();
    let mut islands = 0;
    world
        .each_island(|island| {
            islands += 1;
            for (i, id) in island.bodies().enumerate() {
                seen.push((id, island.instant.body(BodyId::of_index(i)).position));
            }
            assert_eq!(island.joints().len(), island.bodies().len());
        })
        .expect("islands");
    assert_eq!((islands, seen.len()), (2, 5));
    for (id, position) in seen {
        assert_eq!(world.body(id).expect("a body").position, position);
    }
    // Solved, the joints carry the weight of what hangs from them.
    let mut forces = Vec::new();
    world
        .each_island_solved(|island| {
            let ids: Vec<_> = island.joints().collect();
            for (j, id) in ids.into_iter().enumerate() {
                forces.push((id, island.instant.joint(cardan::JointId::of_index(j)).reaction.total().force));
            }
        })
        .expect("islands");
    for (id, force) in forces {
        assert_eq!(world.joint(id).expect("a joint").reaction.total().force, force);
    }
}

#[test]
fn events_are_taken_once() {
    let mut world = World::new(DOWN);
    let ball = Body { pos: vec3(0.0, 0.0, 0.2), ..Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0) };
    let ball = world.add_body(ball).expect("a ball");
    for (body, shape) in [(End::Body(ball), Shape::Sphere { radius: 0.1 }), (End::Ground, Shape::Plane)] {
        let shape = ContactShape { body, frame: Frame::default(), shape, material: Material::default() };
        world.add_shape(shape).expect("a shape");
    }
    world.run(0.3, 1e-3).expect("a run");
    assert!(!world.take_events().is_empty());
    assert!(world.events().is_empty() && world.take_events().is_empty());
}

/// A drag used to dissolve the island: 86 µs a step became 201 for a humanoid. Nothing is built anew, and the motion is
/// that of a world in which the spring was replaced.
#[test]
fn a_moved_target_leaves_the_island_as_it_is() {
    for (mode, replaced) in [(GrabMode::Spring { frequency: 2.0 }, true), (GrabMode::Exact, false)] {
        let (mut world, bodies) = two_chains(4);
        world.run(0.05, 1e-3).expect("a run");
        let tip = vec3(0.5, 0.0, 0.0);
        let grab = world.grab(bodies[3], tip, mode).expect("a grip");
        world.step(1e-3).expect("a step");
        let counts = |world: &World| world.diagnostics().work_counts();
        let (before, bytes) = (counts(&world), world.diagnostics().bytes());
        let at = world.body(bodies[3]).expect("a body").position;
        for k in 0..20 {
            let to = at + vec3(0.0, 0.01 * f64::from(k), 0.02);
            world.drag(&grab, to, 0.1).expect("a drag");
            assert_eq!(world.islands(), (2, 0));
            if replaced {
                // Counts of an island that is dissolved go on; its certificate and its solver begin anew. Here nothing was
                // computed at all.
                assert_eq!(counts(&world), before, "{mode:?}");
                assert_eq!(world.diagnostics().bytes(), bytes);
            }
        }
        if !replaced {
            // Every drag closed the velocities anew; the point arrives at the last target.
            let to = at + vec3(0.0, 0.02, 0.01);
            world.drag(&grab, to, 0.1).expect("a drag");
            world.run(0.3, 1e-3).expect("a run");
            let (instant, body) = world.instant(bodies[3]).expect("a body");
            let (tip, _) = instant.point_of_piece(body, 0, tip).expect("a point");
            assert_close((tip - to).norm(), 0.0, Tolerance::because("a joint is closed to rounding", 1e-10));
            continue;
        }
        world.drag(&grab, at + vec3(0.0, 0.1, 0.0), 0.1).expect("a drag");
        let energy = world.energy();
        let (mut other, theirs) = two_chains(4);
        other.run(0.05, 1e-3).expect("a run");
        let same = other.grab(theirs[3], tip, mode).expect("a grip");
        other.step(1e-3).expect("a step");
        other.drag(&same, at + vec3(0.0, 0.1, 0.0), 0.1).expect("a drag");
        // The work of the hand on the spring is booked: by the way it took, it is the same.
        let work = Tolerance::because("sums of 21 energies of about 10 J", 1e-12);
        assert_close(energy.balance(), other.energy().balance(), work);
        for step in 0..100 {
            world.step(1e-3).expect("a step");
            other.step(1e-3).expect("a step");
            assert_eq!(world.state_hash(), other.state_hash(), "{mode:?}, step {step}");
        }
        assert!(world.balance().energy_error < 1e-9, "{:?}", world.balance());
    }
}

#[test]
fn a_snapshot_keeps_the_target_that_the_hand_had() {
    let (mut world, bodies) = two_chains(2);
    let grab = world.grab(bodies[1], [0.5, 0.0, 0.0], GrabMode::Spring { frequency: 2.0 }).expect("a grip");
    world.drag(&grab, [1.0, 1.0, 0.0], 0.1).expect("a drag");
    world.run(0.02, 1e-3).expect("a run");
    let then = world.snapshot().expect("a snapshot");
    world.run(0.04, 1e-3).expect("a run");
    let hash = world.state_hash();
    world.restore(&then);
    world.drag(&grab, [5.0, 5.0, 5.0], 0.1).expect("a drag");
    world.step(1e-3).expect("a step");
    world.restore(&then);
    world.run(0.04, 1e-3).expect("a run");
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn a_ray_picks_joints_and_the_ground_too() {
    let mut world = World::new(DOWN);
    let (bodies, joints) = pendulum(&mut world, "a", vec3(0.0, 0.0, 1.0), 2);
    let floor = ContactShape {
        body: End::Ground,
        frame: Frame::default(),
        shape: Shape::Plane,
        material: Material::default(),
    };
    let floor = world.add_shape(floor).expect("a floor");
    let down = vec3(0.0, 0.0, -1.0);
    let mut pick = |x: f64, radius: f64| world.pick_part([x, 0.0, 3.0], down, radius).expect("a pick");
    // The second hinge is between the rods, at x = 1.
    let hit = pick(1.005, 0.01).expect("a hinge");
    assert!(matches!(hit.target, PickTarget::Joint(id, Some(_)) if id == joints[1]), "{hit:?}");
    assert!((hit.point - vec3(1.0, 0.0, 1.0)).norm() < 1e-12);
    let hit = pick(0.5, 0.01).expect("a rod");
    let PickTarget::Body(on) = hit.target else { panic!("{hit:?}") };
    assert_eq!((on.body, on.shape), (bodies[0], Some(PickedShape::Visual(0))));
    let hit = pick(7.0, 0.01).expect("the floor");
    assert_eq!((hit.target, hit.normal), (PickTarget::Ground(floor), Vec3::Z));
    assert_close(hit.distance, 3.0, Tolerance::rounding(4, 3.0));
    assert!(world.pick_part([0.0, 0.0, 3.0], Vec3::Z, 0.01).expect("a pick").is_none());
}

#[test]
fn descriptions_are_read_back_by_id() {
    let mut world = World::new(DOWN);
    let (bodies, joints) = pendulum(&mut world, "a", Vec3::ZERO, 2);
    assert_eq!(world.describe_body(bodies[1]).map(|body| body.name.as_str()), Some("a1"));
    let [(a, in_a), (b, in_b)] = world.frames_of_joint(joints[1]).expect("a hinge");
    assert_eq!((a, b), (End::Body(bodies[0]), End::Body(bodies[1])));
    // Both frames are at x = 1 in the world: half a rod from either middle.
    let rounding = Tolerance::rounding(8, 1.0);
    assert_close(in_a.pos.x, 0.5, rounding);
    assert_close(in_b.pos.x, -0.5, Tolerance::rounding(8, 1.0));
    assert_eq!(world.gravity(), DOWN);
    assert!(world.describe_force(ForceId::of_index(0)).is_none());
}

#[test]
fn another_description_takes_over_the_states_of_the_same_names() {
    let (mut old, _) = two_chains(3);
    old.run(0.7, 1e-3).expect("a run");
    // Heavier, and without the last rod; with a new one.
    let mut new = World::new(DOWN);
    let (bodies, _) = pendulum(&mut new, "a", Vec3::ZERO, 2);
    let other = Body { name: "c".into(), pos: vec3(0.0, 20.0, 0.0), ..Body::particle(1.0) };
    new.add_body(other).expect("a point");
    let adopted = new.adopt(&old).expect("states that fit");
    assert_eq!((adopted.kept.len(), adopted.fresh.as_slice()), (2, &["c".to_string()][..]));
    assert_eq!(new.time(), old.time());
    for id in bodies {
        let same = old.find_body(&new.name(id)).expect("a body");
        let (mine, theirs) = (new.body(id).expect("a body"), old.body(same).expect("a body"));
        assert_eq!((mine.position, mine.velocity), (theirs.position, theirs.velocity));
    }
    // Angles go on with their turns.
    for name in ["a-j0", "a-j1"] {
        let angle = |world: &mut World| {
            let joint = world.find_joint(name).expect("a hinge");
            world.angle(joint).expect("an angle")
        };
        assert_eq!(angle(&mut new), angle(&mut old), "{name}");
    }
    new.run(0.8, 1e-3).expect("a run");
    assert!(new.balance().energy_error < 1e-9, "{:?}", new.balance());
    // Parts that cannot be put together from there are refused, and nothing changes.
    let mut nailed = World::new(DOWN);
    let (bodies, _) = pendulum(&mut nailed, "a", Vec3::ZERO, 2);
    nailed.add_joint(Joint::spherical(End::Ground, bodies[1], [2.0, 0.0, 0.0])).expect("a joint");
    let hash = {
        nailed.assemble().expect("closed as described");
        nailed.state_hash()
    };
    if nailed.adopt(&old).is_err() {
        assert_eq!((nailed.state_hash(), nailed.time()), (hash, 0.0));
    }
}

#[test]
fn a_body_with_another_centre_of_mass_stays_where_its_frame_is() {
    let world = |center: Vec3| {
        let rod = Body::solid(SolidShape::Box { size: [1.0, 0.2, 0.3] }, 2.0);
        let mass = cardan::MassProperties { center, ..rod.mass };
        let (vel, omega) = (vec3(0.3, -0.2, 0.1), vec3(1.0, 2.0, -1.5));
        let mut world = World::new(Gravity::ZERO);
        let body = Body { name: "a".into(), mass, vel, omega, shapes: Vec::new(), ..rod };
        let id = world.add_body(body).expect("a body");
        (world, id)
    };
    let ((mut old, there), (mut new, here)) = (world(vec3(0.1, 0.0, 0.0)), world(vec3(-0.2, 0.3, 0.1)));
    old.run(0.4, 1e-3).expect("a run");
    new.adopt(&old).expect("states that fit");
    let corner = |world: &mut World, id: BodyId, of: Vec3| {
        let (instant, id) = world.instant(id).expect("an instant");
        instant.point_of_piece(id, 0, of).expect("a point").0
    };
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let compare = |old: &mut World, new: &mut World, tolerance: Tolerance| {
        for point in points {
            let (a, b) = (corner(old, there, point), corner(new, here, point));
            a.to_array().into_iter().zip(b.to_array()).for_each(|(a, b)| assert_close(b, a, tolerance));
        }
    };
    compare(&mut old, &mut new, Tolerance::rounding(32, 1.0));
    // Points of the body go on with their velocities: after a short time only accelerations tell them apart.
    for world in [&mut old, &mut new] {
        world.run(0.4 + 1e-5, 1e-5).expect("a step");
    }
    compare(&mut old, &mut new, Tolerance::because("½ a h² with accelerations of 20 m/s²", 1e-8));
}

#[test]
fn one_island_steps_as_one_simulation() {
    let parts = || {
        let mut world = World::new(Gravity::new(0.0, 0.0, -9.81));
        pendulum(&mut world, "a", Vec3::ZERO, 3);
        pendulum(&mut world, "b", vec3(0.0, 9.0, 0.0), 2);
        world
    };
    let mut apart = parts();
    assert_eq!(
        {
            apart.assemble().expect("parts");
            apart.islands().0
        },
        2
    );
    let mut world = parts();
    world.set_one_island(true);
    let mut sim = {
        let whole = world.combined().expect("a model");
        Simulation::with_settings(whole.model().clone(), Settings::default()).expect("a simulation")
    };
    for _ in 0..50 {
        world.step(1e-3).expect("a step");
        sim.step(1e-3).expect("a step");
    }
    assert_eq!((world.islands(), world.state_hash()), ((1, 0), sim.state_hash()));
    world.set_one_island(false);
    world.step(1e-3).expect("a step");
    assert_eq!(world.islands().0, 2);
}

#[test]
fn settings_change_while_it_runs() {
    let (mut world, _) = two_chains(2);
    world.run(0.1, 1e-3).expect("a run");
    let first_order = Settings { integrator: Integrator::FirstOrder, ..*world.settings() };
    world.set_settings(first_order).expect("settings that fit");
    world.set_gravity(Gravity::ZERO).expect("no weight");
    world.step(1e-3).expect("a step");
    let ids: Vec<BodyId> = world.body_ids().collect();
    for id in ids {
        // With f = m v and no force nothing moves.
        assert!(world.body(id).expect("a body").velocity.norm() < 1e-12);
    }
}

//! Snapshots and continued runs: equal bits, whatever happened in between.

use super::{DOWN, four_bar, pendulum};
use cardan::math::vec3;
use cardan::{Body, End, Integrator, Joint, ModelBuilder, Recorder, Settings, World};
use cardan_testkit::Rng;

fn mixed(settings: Settings) -> World {
    let mut parts = ModelBuilder::new(DOWN);
    four_bar(&mut parts, "loop", vec3(0.0, 5.0, 0.0));
    let mut world = World::of(parts, settings).expect("a world");
    pendulum(&mut world, "a", vec3(0.0, 0.0, 0.0), 4);
    world
}

#[test]
fn a_run_from_a_snapshot_has_the_same_bits() {
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
            // A run elsewhere for a while, with other parts.
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

/// Two hundred mechanisms, ten thousand steps.
#[cfg(feature = "parallel")]
#[test]
#[ignore = "soak: cargo test --release -p cardan -p cardan-cli -- --ignored"]
fn two_hundred_mechanisms_keep_their_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let mut world = World::new(DOWN);
        for i in 0..200 {
            let at = vec3(0.0, 3.0 * f64::from(i), 0.0);
            pendulum(&mut world, &format!("p{i}-"), at, 1 + i as usize % 5);
        }
        world.set_threads(threads).expect("threads");
        let clock = std::time::Instant::now();
        for _ in 0..10_000 {
            world.step(1e-3).expect("a step");
        }
        assert_eq!(world.islands(), (200, 0));
        println!("{threads} threads: {:.1} s, {:016x}", clock.elapsed().as_secs_f64(), world.state_hash());
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

/// A failed step changes nothing in any island.
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

/// Bytes contain everything that later steps depend on: a new world continues from them with equal
/// bits. 1 000 interruptions, at random, of a world with a loop, joints with limits and friction,
/// boxes and balls that fall, collide and come to rest.
#[test]
fn a_thousand_interruptions_change_no_bit() {
    let settings = Settings::default();
    let mut straight = busy(settings);
    let mut saved = Vec::new();
    let mut hashes = Vec::new();
    const STEPS: usize = 400;
    for _ in 0..STEPS {
        saved.push(straight.to_bytes().expect("bytes"));
        straight.step(2.5e-3).expect("a step");
        hashes.push(straight.state_hash());
    }
    assert!(straight.events().len() > 20, "{}", straight.events().len());
    let mut rng = Rng::new(11);
    let mut world = busy(settings);
    for cut in 0..1000 {
        let at = rng.below(STEPS);
        world.restore_bytes(&saved[at]).expect("a state");
        for (step, hash) in hashes[at..].iter().enumerate().take(1 + rng.below(4)) {
            world.step(2.5e-3).expect("a step");
            assert_eq!(world.state_hash(), *hash, "cut {cut} at step {at}, {step} steps on");
        }
    }
    // To the end, once.
    world.restore_bytes(&saved[37]).expect("a state");
    for hash in &hashes[37..] {
        world.step(2.5e-3).expect("a step");
        assert_eq!(world.state_hash(), *hash);
    }
    let (mine, other) = (world.energy(), straight.energy());
    assert_eq!(mine, other);
}

fn busy(settings: Settings) -> World {
    use cardan::contact::Shape;
    use cardan::{ContactShape, Frame, JointLimit, Material};
    let mut parts = ModelBuilder::new(DOWN);
    four_bar(&mut parts, "loop", vec3(0.0, 5.0, 2.0));
    let floor = Material { restitution: 0.2, ..Material::rough(0.4) };
    parts.add_shape(ContactShape {
        body: End::Ground,
        frame: Frame::default(),
        shape: Shape::Plane,
        material: floor,
    });
    for i in 0..3 {
        let (looks, shape) = match i {
            1 => (cardan::SolidShape::Box { size: [0.3; 3] }, Shape::Box { size: [0.3; 3] }),
            _ => (cardan::SolidShape::Sphere { radius: 0.15 }, Shape::Sphere { radius: 0.15 }),
        };
        let pos = vec3(0.12 * f64::from(i), 0.0, 0.3 + 0.5 * f64::from(i));
        let body = parts.add_body(Body { pos, ..Body::solid(looks, 1.0) });
        parts.add_shape(ContactShape { body: body.into(), frame: Frame::default(), shape, material: floor });
    }
    let arm = parts.add_body(Body { pos: vec3(0.5, 9.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) });
    let mut hinge = Joint::revolute(End::Ground, arm, vec3(0.0, 9.0, 0.0), vec3(0.0, 1.0, 0.0));
    hinge.limits.push(JointLimit { coordinate: 0, low: -1.0, high: 1.2, restitution: 0.5 });
    parts.add_joint(hinge);
    World::of(parts, settings).expect("a world")
}

#[test]
fn invalid_bytes_are_refused() {
    let mut world = busy(Settings::default());
    world.run(0.3, 2.5e-3).expect("a run");
    let bytes = world.to_bytes().expect("bytes");
    let hash = world.state_hash();
    let mut refuse = |bytes: &[u8], why: &str| {
        let error = world.restore_bytes(bytes).expect_err(why);
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(world.state_hash(), hash);
    };
    refuse(b"", "does not begin like one");
    refuse(b"PK\x03\x04 something else", "does not begin like one");
    refuse(&bytes[..bytes.len() - 1], "checksum");
    refuse(&bytes[..10], "ends too early");
    let mut other = bytes.clone();
    other[8] = 9;
    refuse(&other, "version 9");
    for at in (16..bytes.len()).step_by(97) {
        let mut other = bytes.clone();
        other[at] ^= 4;
        refuse(&other, "checksum");
    }
    let model = world.combined().expect("a model").model().clone();
    let state = world.combined().expect("a model").state().to_bytes();
    assert_eq!(
        cardan::State::from_bytes(&model, &state).expect("a state"),
        *world.combined().expect("a model").state()
    );
    assert!(
        cardan::State::from_bytes(&model, &bytes)
            .expect_err("of a world")
            .to_string()
            .contains("not of one simulation")
    );
    let mut another = mixed(Settings::default());
    assert!(another.restore_bytes(&bytes).expect_err("other parts").to_string().contains("another model"));
}

/// A recording is replayed to the bit; a flipped bit is found at its step, with the name of the
/// body.
#[test]
fn a_replay_finds_the_bit_that_flipped() {
    use cardan::Edit;
    let mut world = busy(Settings::default());
    let mut recorder = Recorder::new(&mut world).expect("a recorder");
    let mut rng = Rng::new(3);
    for k in 0..120 {
        if k == 20 {
            let rod = Body { name: "late".into(), pos: vec3(3.0, 0.0, 1.0), ..Body::rod(1.0, 1.0, 0.02) };
            let id = recorder.apply(&mut world, Edit::AddBody(rod)).expect("a rod").expect("an id");
            let cardan::PartId::Body(id) = id else { panic!("a body was added") };
            let joint = Joint::revolute(End::Ground, id, vec3(2.5, 0.0, 1.0), vec3(0.0, 1.0, 0.0));
            recorder.apply(&mut world, Edit::AddJoint(joint.clone())).expect("a hinge");
            // Refused, now and later.
            recorder
                .apply(&mut world, Edit::AddJoint(Joint { name: "loop-j0".into(), ..joint }))
                .expect_err("the name is taken");
        }
        if k == 60 {
            let joint = world.find_joint("loop-j3").expect("a joint");
            recorder.apply(&mut world, Edit::Remove(joint.into())).expect("a cut");
        }
        recorder.step(&mut world, rng.range(1e-3, 3e-3)).expect("a step");
    }
    let hash = world.state_hash();
    let recording = recorder.finish();
    assert_eq!(recording.replay(&mut world), Ok(120));
    assert_eq!(world.state_hash(), hash);
    // In a new world.
    assert_eq!(recording.replay(&mut World::new(DOWN)), Ok(120));
    for (at, name) in [(1, "loop1"), (77, "late"), (120, "b3")] {
        let flip = |world: &mut World, step: u64| {
            if step == at {
                let id = world.find_body(name).expect("a body");
                let (q, v) = world.state_of(id).map(|(q, v)| (q.to_vec(), v.to_vec())).expect("a body");
                let mut v = v;
                v[0] = f64::from_bits(v[0].to_bits() ^ 1);
                world.set_state_of(id, &q, &v).expect("a state");
            }
        };
        let found = recording.replay_with(&mut world, flip).expect_err("a bit flipped");
        assert_eq!((found.step, found.subject.as_str()), (at, format!("body `{name}`").as_str()));
        assert!(found.to_string().contains(&format!("step {at} ")), "{found}");
    }
}

/// A recorded run once ended beside its time by rounding, and continued with other bits than a run
/// without recording.
#[test]
fn recording_does_not_change_a_run() {
    let build = || {
        let mut world = World::new(DOWN);
        let (rods, _) = pendulum(&mut world, "a", vec3(0.0, 0.0, 0.0), 2);
        world
            .add_force(cardan::Force::user(vec![(End::Body(rods[1]), cardan::Frame::default())], Swell))
            .expect("a force");
        world
    };
    let (mut plain, mut recorded) = (build(), build());
    let mut tape = Recorder::new(&mut recorded).expect("a recorder");
    for until in [0.37, 0.9, 1.1] {
        assert_eq!(plain.run(until, 7e-4).ok(), tape.run(&mut recorded, until, 7e-4).ok());
        assert_eq!((recorded.time().to_bits(), plain.time()), (until.to_bits(), until));
        assert_eq!(recorded.state_hash(), plain.state_hash(), "to {until}");
    }
    let recording = tape.finish();
    let mut again = World::new(DOWN);
    assert_eq!(recording.replay(&mut again), Ok(plain.steps()));
    assert_eq!(again.state_hash(), plain.state_hash());
    let mut tape = Recorder::new(&mut recorded).expect("a recorder");
    assert!(tape.run(&mut recorded, f64::INFINITY, 1e-3).is_err());
}

/// A force that grows with time.
#[derive(Debug)]
struct Swell;

impl cardan::ForceLaw for Swell {
    fn apply(&self, time: f64, _: &[cardan::FrameMotion], out: &mut cardan::ForceOutput<'_>) {
        out.wrench[0].force.y = time;
    }
}

/// Edits undone during a recording are undone in the replay; and a result that is not a number is
/// reported in words.
#[test]
fn a_recording_contains_undone_edits() {
    use cardan::Edit;
    let mut world = busy(Settings::default());
    let mut tape = Recorder::new(&mut world).expect("a recorder");
    tape.run(&mut world, 0.1, 2.5e-3).expect("a run");
    let before = world.snapshot().expect("a snapshot");
    let hash = world.state_hash();
    let joint = world.find_joint("loop-j3").expect("a joint");
    tape.apply(&mut world, Edit::Remove(joint.into())).expect("a cut");
    let Ok(Some(cardan::PartId::Body(late))) = tape.apply(
        &mut world,
        Edit::AddBody(Body { pos: vec3(0.0, 20.0, 0.0), ..Body::particle(1.0) }.named("late")),
    ) else {
        panic!("a body was added")
    };
    tape.run(&mut world, 0.2, 2.5e-3).expect("a run");
    tape.apply(&mut world, Edit::Restore(Box::new(before))).expect("undone");
    assert_eq!(world.state_hash(), hash);
    tape.apply(&mut world, Edit::Remove(late.into())).expect_err("it was undone");
    tape.run(&mut world, 0.3, 2.5e-3).expect("a run");
    let end = world.state_hash();
    let recording = tape.finish();
    for world in [&mut world, &mut World::new(DOWN)] {
        assert_eq!(recording.replay(world), Ok(40 + 40 + 80));
        assert_eq!(world.state_hash(), end);
    }
    // The joint is removed before its time.
    let cut = |world: &mut World, step: u64| {
        if step == 40 {
            world.remove(joint).expect("a joint");
        }
    };
    let found = recording.replay_with(&mut world, cut).expect_err("it is gone");
    assert_eq!((found.step, found.wanted), (41, found.found));
    assert!(
        found.to_string().contains("the edit Remove before it was refused, and had been done"),
        "{found}"
    );
    let add = |world: &mut World, step: u64| {
        if step == 9 {
            world.add_body(Body { pos: vec3(0.0, 30.0, 0.0), ..Body::particle(1.0) }).expect("a body");
        }
    };
    let found = recording.replay_with(&mut world, add).expect_err("one too many");
    assert!(found.step == 9 && found.to_string().contains("there are 8 bodies, and were 7"), "{found}");
}

//! Picking, pulling, moving and pinning bodies.

use super::{DOWN, pendulum};
use cardan::body::Elastic;
use cardan::contact::Shape;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, ContactShape, End, Frame, GrabMode, Gravity, Joint, Material, Placement, World, WorldError,
};
use cardan_testkit::TwoAngles;

#[track_caller]
fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted} (off by {:e})", found - wanted);
}

#[test]
fn a_ray_picks_the_first_body_it_hits() {
    let mut world = World::new(Gravity::ZERO);
    let cube = Body::solid(cardan::SolidShape::Box { size: [0.2, 0.4, 0.6] }, 1.0);
    let turn = Quat::exp(vec3(0.0, 0.0, core::f64::consts::FRAC_PI_2));
    let cube = world.add_body(Body { pos: vec3(5.0, 0.0, 0.0), rot: turn, ..cube }).expect("a box");
    let ball = Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 1.0);
    let ball = world.add_body(Body { pos: vec3(8.0, 0.0, 0.0), ..ball }).expect("a ball");
    let point = world.add_body(Body { pos: vec3(0.0, 3.0, 0.0), ..Body::particle(1.0) }).expect("a point");
    // Turned by 90° the box extends to 0.2 towards −x, by its own y.
    let hit = world.pick([0.0; 3], [2.0, 0.0, 0.0], 0.05).expect("a pick").expect("a body");
    assert_eq!(hit.body, cube);
    near(hit.distance, 4.8, 1e-14);
    assert!((hit.normal - vec3(-1.0, 0.0, 0.0)).norm() < 1e-14, "{hit:?}");
    // Rounding of coordinates of about 5 m.
    assert!((hit.in_body - vec3(0.0, 0.2, 0.0)).norm() < 1e-14, "{hit:?}");
    assert!((hit.point - vec3(4.8, 0.0, 0.0)).norm() < 1e-14);
    // The ray passes the box.
    let hit = world.pick([0.0, 0.0, 0.9], vec3(8.0, 0.0, -0.9), 0.05).expect("a pick").expect("a body");
    assert_eq!(hit.body, ball);
    let hit = world.pick([0.0; 3], [0.0, 1.0, 0.0], 0.05).expect("a pick").expect("a body");
    assert_eq!(hit.body, point);
    near(hit.distance, 2.95, 1e-14);
    assert!(world.pick([0.0; 3], [0.0, -1.0, 0.0], 0.05).expect("a pick").is_none());
    assert!(world.pick([0.0; 3], [0.0, 0.0, 0.0], 0.05).expect("a pick").is_none());
    // A body that is switched off is not hit; a shape that only keeps others away is.
    world.disable(cube).expect("a box");
    let hit = world.pick([0.0; 3], [1.0, 0.0, 0.0], 0.05).expect("a pick").expect("a body");
    assert_eq!(hit.body, ball);
    let frame = Frame::at(vec3(0.0, -1.0, 0.0));
    let shape = Shape::Sphere { radius: 0.5 };
    world
        .add_shape(ContactShape {
            body: point.into(),
            frame: Frame::default(),
            shape: shape.clone(),
            material: Material::default(),
        })
        .expect("a shape");
    assert!(
        world
            .add_shape(ContactShape { body: point.into(), frame, shape, material: Material::default() })
            .is_err()
    );
    let hit = world.pick([0.0; 3], [0.0, 1.0, 0.0], 0.05).expect("a pick").expect("a body");
    // Rounding of 2.5 m.
    near(hit.distance, 2.5, 1e-14);
}

/// Faces of a solid given by its corners, in a stretched body.
#[test]
fn a_ray_picks_rigid_and_deformable_bodies() {
    let corner = |x: f64, y: f64, z: f64| vec3(x, y, z);
    let hull = cardan::contact::Hull::new(&[
        corner(0.0, 0.0, 0.0),
        corner(1.0, 0.0, 0.0),
        corner(0.0, 1.0, 0.0),
        corner(0.0, 0.0, 1.0),
    ])
    .expect("a hull");
    let solid = cardan::SolidShape::Polyhedron(std::sync::Arc::new(cardan::Polyhedron::of_hull(&hull)));
    let mut world = World::new(Gravity::ZERO);
    let body = world.add_body(Body::solid(solid, 1.0)).expect("a body");
    // Down through x = y = 0.2: the slanted face is at z = 0.6.
    let hit = world.pick([0.2, 0.2, 5.0], [0.0, 0.0, -1.0], 0.01).expect("a pick").expect("a body");
    assert_eq!(hit.body, body);
    near(hit.distance, 4.4, 1e-13);
    near(hit.normal.z, 1.0 / 3.0_f64.sqrt(), 1e-13);
    assert!(world.pick([0.6, 0.6, 5.0], [0.0, 0.0, -1.0], 0.01).expect("a pick").is_none());
    // A ball on a point of a body that has grown to twice its size keeps its own size.
    let mass = cardan::MassProperties {
        mass: 1.0,
        center: Vec3::ZERO,
        inertia: cardan::math::Sym3::diagonal(1.0, 1.0, 1.0),
    };
    let grown = Body::scaled(mass, cardan::body::ScaleSpring { stiffness: 1.0, damping: 0.0 });
    let grown = Body { pos: vec3(0.0, 9.0, 0.0), ..grown }.starting(&[2.0], &[0.0]);
    let grown = world.add_body(grown).expect("a body");
    let (shape, material) = (Shape::Sphere { radius: 0.1 }, Material::default());
    let frame = Frame::at(vec3(0.0, 0.0, 0.5));
    world.add_shape(ContactShape { body: grown.into(), frame, shape, material }).expect("a ball");
    let hit = world.pick([0.0, 9.0, 5.0], [0.0, 0.0, -1.0], 0.01).expect("a pick").expect("a body");
    assert_eq!(hit.body, grown);
    // Rounding of about 4 m, through a scaled frame.
    near(hit.distance, 3.9, 1e-13);
    near(hit.in_body.z, 0.55, 1e-13);
    near(hit.normal.z, 1.0, 1e-13);
}

/// A critically damped spring brings a free body to the target by x = (1 + ω t) e^(−ω t).
#[test]
fn a_grab_spring_pulls_by_its_law() {
    let mut world = World::new(Gravity::ZERO);
    let ball = Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 3.0);
    let ball = world.add_body(ball).expect("a ball");
    let grab = world.grab(ball, [0.0; 3], GrabMode::Spring { frequency: 1.5 }).expect("a grip");
    world.drag(&grab, [1.0, 0.0, 0.0], 0.1).expect("a place");
    world.run(0.4, 1e-3).expect("a run");
    let phase = core::f64::consts::TAU * 1.5 * 0.4;
    // Truncation of RK4 at 1 ms and ω = 9 rad/s: (9e-3)⁴/120 = 5e-11 per radian.
    near(world.body(ball).expect("a ball").position.x, 1.0 - (1.0 + phase) * (-phase).exp(), 1e-9);
    world.release(grab).expect("a grip");
    assert!(world.release(grab).is_err());
    let before = world.body(ball).expect("a ball").velocity;
    world.run(0.5, 1e-3).expect("a run");
    assert_eq!(world.body(ball).expect("a ball").velocity, before);
    let balance = world.balance();
    // The balance has RK4's truncation, as above.
    assert!(balance.energy_error < 1e-9, "{balance:?}");
    for frequency in [0.0, -1.0, f64::NAN] {
        assert!(world.grab(ball, [0.0; 3], GrabMode::Spring { frequency }).is_err());
    }
}

/// The tip of a pendulum is moved along a line, stops, and is released; another time it is pinned.
#[test]
fn an_exact_grab_moves_a_point_and_keeps_it() {
    let mut world = World::new(DOWN);
    let (rods, _) = pendulum(&mut world, "a", vec3(0.0, 0.0, 0.0), 3);
    world.run(0.3, 1e-3).expect("a run");
    let tip = vec3(0.5, 0.0, 0.0);
    let place = |world: &mut World| {
        let body = world.body(rods[2]).expect("a rod");
        body.position + body.orientation * tip
    };
    let grab = world.grab(rods[2], tip, GrabMode::Exact).expect("a grip");
    let from = place(&mut world);
    world.step(1e-3).expect("a step");
    // The grab is a constraint: projected to rounding.
    assert!((place(&mut world) - from).norm() < 1e-14);
    let to = from + vec3(-0.6, 0.1, 0.3);
    world.drag(&grab, to, 0.5).expect("a place");
    world.run(0.551, 1e-3).expect("a run");
    // Half of the way in half of the time, exactly.
    assert!((place(&mut world) - (from + to) * 0.5).norm() < 1e-12, "{:?}", place(&mut world));
    world.run(1.0, 1e-3).expect("a run");
    assert!((place(&mut world) - to).norm() < 1e-12);
    assert!(world.certificate().max_position_error < 1e-13);
    world.release(grab).expect("a grip");
    let nail = world.nail(rods[2], tip).expect("a nail");
    world.run(1.2, 1e-3).expect("a run");
    // The nail is a constraint: projected to rounding, and drift of a start at rounding.
    assert!((place(&mut world) - to).norm() < 1e-12);
    world.remove(nail).expect("a nail");
    world.run(1.3, 1e-3).expect("a run");
    assert!((place(&mut world) - to).norm() > 1e-3);
    assert!(world.drag(&grab, Vec3::ZERO, 0.1).is_err());
}

/// A grab that moved a point out of reach was reported as a contradiction by 1.9e-12, or by the
/// residual of an arbitrary row.
#[test]
fn an_exact_grab_out_of_reach_says_so_and_by_how_much() {
    for (count, target, over) in
        [(3, vec3(4.0, 0.0, -3.0), 1.0), (3, vec3(0.0, 0.0, -3.5), 0.2), (1, vec3(4.0, 0.0, 3.0), 0.5)]
    {
        let mut world = World::new(DOWN);
        let (rods, _) = pendulum(&mut world, "a", vec3(0.0, 0.0, 0.0), count);
        world.run(0.3, 1e-3).expect("a run");
        let grab = world.grab(rods[count - 1], [0.5, 0.0, 0.0], GrabMode::Exact).expect("a grip");
        world.drag(&grab, target, over).expect("a place");
        let hash = world.state_hash();
        let error = world.run(2.0, 1e-3).expect_err("out of reach");
        match &error {
            WorldError::OutOfReach { body, by, target: told, .. } => {
                assert_eq!(*body, world.name(rods[count - 1]));
                assert_eq!(*told, target.to_array());
                // The nearest pose is a minimum: half of the digits of the reach.
                near(*by, target.norm() - count as f64, 1e-7);
            }
            other => panic!("{count} {target:?}: {other}"),
        }
        assert!(error.to_string().contains("out of reach by"), "{error}");
        // It stays at the last reachable point, and can continue from there.
        assert!(count == 1 || world.state_hash() != hash);
        world.release(grab).expect("a grip");
        world.run(world.time() + 0.01, 1e-3).expect("it goes on");
    }
}

/// One rod on a pin: its tip can be anywhere on a sphere, but not along a chord.
#[test]
fn an_exact_grab_with_no_straight_path_says_so() {
    let mut world = World::new(DOWN);
    let (rods, _) = pendulum(&mut world, "a", vec3(0.0, 0.0, 0.0), 1);
    let grab = world.grab(rods[0], [0.5, 0.0, 0.0], GrabMode::Exact).expect("a grip");
    world.drag(&grab, [0.0, 0.0, -1.0], 0.5).expect("a place");
    match world.run(1.0, 1e-3).expect_err("through the sphere") {
        WorldError::BlockedPath { body, .. } => assert_eq!(body, world.name(rods[0])),
        other => panic!("{other}"),
    }
}

/// A target time in the past, and a quaternion of zeros, were once reported as not finite.
#[test]
fn finite_numbers_are_not_reported_as_not_finite() {
    let mut world = World::new(Gravity::ZERO);
    let rod = world.add_body(Body::rod(1.0, 1.0, 0.02).named("rod")).expect("a rod");
    let hand = world.grab(rod, [0.5, 0.0, 0.0], GrabMode::Exact).expect("a grip");
    for over in [0.0, -0.5] {
        let error = world.drag(&hand, [1.0, 0.0, 0.0], over).expect_err("no such time").to_string();
        assert!(error.contains(&format!("the time of the hand is {over}; it must be positive")), "{error}");
    }
    let error = world.drag(&hand, [1.0, 0.0, 0.0], f64::NAN).expect_err("no time").to_string();
    assert!(error.contains("must be finite numbers"), "{error}");
    let error = world.set_state_of(rod, &[0.0; 7], &[0.0; 6]).expect_err("no orientation").to_string();
    assert!(error.contains("the length of its quaternion is 0"), "{error}");
}

/// The point where a ray hits the ball that represents a point mass is not its own point: a grab
/// there was once refused.
#[test]
fn a_picked_point_mass_can_be_grabbed() {
    let mut world = World::new(DOWN);
    let bob = world.add_body(Body { pos: vec3(0.0, 3.0, 0.0), ..Body::particle(2.0) }).expect("a point");
    let hit = world.pick([0.0; 3], [0.0, 1.0, 0.0], 0.1).expect("a pick").expect("a body");
    assert_eq!((hit.body, hit.end(), hit.in_body), (bob, End::Body(bob), Vec3::ZERO));
    // Rounding of 3 m.
    near(hit.point.y, 2.9, 1e-14);
    let hand = world.grab(hit.end(), hit.in_body, GrabMode::Spring { frequency: 2.0 }).expect("a grip");
    world.run(3.0, 1e-3).expect("a run");
    // It hangs on the spring, lower by g/ω².
    let omega = core::f64::consts::TAU * 2.0;
    near(world.body(bob).expect("a point").position.z, -9.81 / (omega * omega), 1e-9);
    world.release(hand).expect("a grip");
    world.nail(hit.end(), hit.in_body).expect("a nail");
    world.run(3.1, 1e-3).expect("a run");
}

fn two_angles(world: &mut World) -> cardan::BodyId {
    let rod = cardan::MassProperties {
        mass: 1.0,
        center: vec3(0.0, -0.35, 0.0),
        inertia: cardan::math::Sym3::diagonal(0.04, 0.001, 0.04),
    };
    let arms = Body::parametric(TwoAngles { length: 0.7, rods: [rod; 2] }).named("arms");
    world.add_body(arms.starting(&[0.4, 1.1], &[0.0, 0.0])).expect("a body")
}

/// Of a body of several pieces a ray once hit only the first, and a grab used no other.
#[test]
fn a_piece_of_a_parametric_body_is_picked_and_grabbed() {
    let mut world = World::new(Gravity::new(0.0, -9.81, 0.0));
    let arms = two_angles(&mut world);
    world.run(0.2, 1e-3).expect("a run");
    let angles = |world: &World| world.state_of(arms).map(|(u, _)| [u[0], u[1]]).expect("two angles");
    let [u1, u2] = angles(&world);
    let knee = vec3(0.7 * u1.sin(), -0.7 * u1.cos(), 0.0);
    let hit =
        world.pick(knee + vec3(0.0, 0.0, 5.0), [0.0, 0.0, -1.0], 0.05).expect("a pick").expect("a body");
    assert_eq!((hit.body, hit.piece, hit.end()), (arms, 1, End::Piece(arms, 1)));
    // Rounding of 5 m, through two rotations.
    near(hit.distance, 4.95, 1e-13);
    assert!((hit.in_body - vec3(0.0, 0.0, 0.05)).norm() < 1e-13, "{hit:?}");
    // Its tip is grabbed, and moved to where both angles have closed forms: 0.6 below the pin.
    let tip = vec3(0.0, -0.5, 0.0);
    let end =
        |[u1, u2]: [f64; 2]| vec3(0.7 * u1.sin() + 0.5 * u2.sin(), -0.7 * u1.cos() - 0.5 * u2.cos(), 0.0);
    let hand = world.grab(hit.end(), tip, GrabMode::Exact).expect("a grip");
    assert_eq!(hand.body(), arms);
    world.assemble().expect("it is held where it is");
    assert_eq!(angles(&world), [u1, u2]);
    world.drag(&hand, [0.0, -0.6, 0.0], 0.5).expect("a place");
    world.run(1.0, 1e-3).expect("a run");
    // The grab is a constraint: projected to rounding.
    assert!((end(angles(&world)) - vec3(0.0, -0.6, 0.0)).norm() < 1e-12, "{:?}", angles(&world));
    // The length is 1.2 m at most.
    world.drag(&hand, [0.0, -1.5, 0.0], 0.5).expect("a place");
    match world.run(2.0, 1e-3).expect_err("out of reach") {
        WorldError::OutOfReach { body, by, .. } => {
            assert_eq!(body, "arms");
            // The nearest pose is a minimum: half of the digits.
            near(by, 0.3, 1e-7);
        }
        other => panic!("{other}"),
    }
    world.release(hand).expect("a grip");
    let at = end(angles(&world));
    world.nail(End::Piece(arms, 1), tip).expect("a nail");
    world.run(world.time() + 0.2, 1e-3).expect("a run");
    // The nail is a constraint: projected to rounding.
    assert!((end(angles(&world)) - at).norm() < 1e-12);
    let error = world.grab(End::Piece(arms, 2), tip, GrabMode::Exact).expect_err("no such piece").to_string();
    assert!(error.contains("`arms`") && error.contains("no piece of that number"), "{error}");
}

/// A bent block was once treated as undeformed: a grab at one of its points pulled another point
/// there.
#[test]
fn a_bent_block_is_grabbed_at_its_present_shape() {
    let bent = |world: &mut World| {
        let rubber = Elastic { young: 5e4, poisson: 0.2, damping: 0.0 };
        let mut u = vec![0.0; 30];
        (u[3], u[7], u[11]) = (1.0, 1.0, 1.0);
        // z goes up by 0.8 x² and by 0.3 x y.
        (u[4 * 3 + 2], u[7 * 3 + 2]) = (0.8, 0.3);
        let block = Body::soft_block([0.6, 0.2, 0.1], 0.5, rubber).starting(&u, &[0.0; 30]);
        world.add_body(block.named("block")).expect("a block")
    };
    let point = vec3(0.3, 0.1, 0.05);
    let place = vec3(0.3, 0.1, 0.05 + 0.8 * 0.09 + 0.3 * 0.03);
    let unmoved = |world: &mut World, block, what: &str| {
        let before = world.state_of(block).map(|(u, _)| u.to_vec()).expect("a block");
        world.assemble().unwrap_or_else(|error| panic!("{what}: {error}"));
        let (after, _) = world.state_of(block).expect("a block");
        let moved = before.iter().zip(after).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()));
        // The attachment is inverted by Newton's method to rounding.
        assert!(moved < 1e-13, "{what} moved it by {moved:e}");
    };
    let axis = vec3(0.3, 1.0, 0.2);
    let there = Placement::World { anchor: Some(place), axis: None, axis2: None };
    for (what, joint) in [
        ("ball", Joint::spherical(End::Ground, End::Ground, place)),
        ("weld", Joint { placement: there, ..Joint::fixed(End::Ground, End::Ground) }),
        ("hinge", Joint::revolute(End::Ground, End::Ground, place, axis)),
    ] {
        let mut world = World::new(Gravity::ZERO);
        let block = bent(&mut world);
        world.add_joint(Joint { b: block.into(), ..joint }).expect(what);
        unmoved(&mut world, block, what);
        world.run(0.05, 1e-3).expect("a run");
        // Joints are projected to rounding.
        assert!(world.certificate().max_position_error < 1e-13, "{:?}", world.certificate());
    }
    let mut world = World::new(Gravity::ZERO);
    let block = bent(&mut world);
    let hand = world.grab(block, point, GrabMode::Exact).expect("a grip");
    unmoved(&mut world, block, "hand");
    world.release(hand).expect("a grip");
    let nail = world.nail(block, point).expect("a nail");
    unmoved(&mut world, block, "nail");
    world.remove(nail).expect("a nail");
    // A slack spring there stores no energy.
    world.grab(block, point, GrabMode::Spring { frequency: 3.0 }).expect("a grip");
    let mut free = World::new(Gravity::ZERO);
    bent(&mut free);
    near(world.energy().potential, free.energy().potential, 1e-13);
    // No point of the block is there: the map from the block to space cannot be inverted 2 m below
    // its centre.
    let error = world.add_joint(Joint::spherical(End::Ground, block, [-9.0, 60.0, 0.0])).map(|_| ());
    let error = error.err().map(|error| error.to_string());
    assert!(error.is_none_or(|error| error.contains("none of its points is at the anchor")));
}

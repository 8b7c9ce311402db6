//! Steps one scene in Rapier: `peers-rapier SCENE.json [--measure] [--fresh]`, one JSON object on standard output.
//!
//! Without `--measure` only the clock runs. With it, every step is followed by a look at all pairs of shapes and at all
//! joints, at the poses after the step, and the clock is of no use. With `--fresh` contacts are looked for in every step;
//! as it comes, Rapier keeps those of a pair that moved by less than 5 cm.

use rapier3d_f64::parry::query;
use rapier3d_f64::prelude::*;
use serde_json::{Value, json};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// A world, its bodies in the order of the file, and its joints as pairs of bodies with the anchor in either.
struct Scene {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    joints: Vec<(usize, usize, Vector, Vector)>,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: peers-rapier SCENE.json [--measure] [--fresh]")?;
    let asked = |name: &str| arguments[1..].iter().any(|argument| argument == name);
    let measure = asked("--measure");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let steps = file["steps"].as_u64().ok_or("steps: a count is expected")?;
    let mut scene = build(&file)?;
    scene.world.integration_parameters.contact_recycling &= !asked("--fresh");

    let (mut overlap, mut gap, mut seconds) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut single = Vec::new();
    for _ in 0..steps {
        let clock = Instant::now();
        scene.world.step();
        let spent = clock.elapsed().as_secs_f64();
        seconds += spent;
        single.push(spent);
        if measure {
            overlap = overlap.max(deepest(&scene)?);
            gap = gap.max(widest(&scene));
        }
    }

    single.sort_by(f64::total_cmp);
    let settings = &scene.world.integration_parameters;
    let kinetic: f64 = scene.world.rigid_bodies().map(|(_, body)| body.kinetic_energy()).sum();
    println!(
        "{}",
        json!({
            "steps": steps,
            "seconds": seconds,
            "least": single.first(),
            "median": single.get(single.len() / 2),
            "overlap": measure.then_some(overlap),
            "gap": measure.then_some(gap),
            "kinetic": kinetic,
            "asleep": scene.world.rigid_bodies().filter(|(_, body)| body.is_sleeping()).count(),
            "settings": format!(
                "{} solver iterations of {} inner one(s), {:?} friction, contacts {}",
                settings.num_solver_iterations, settings.num_internal_pgs_iterations, settings.friction_model,
                if settings.contact_recycling { "recycled" } else { "fresh in every step" }
            ),
        })
    );
    Ok(())
}

/// The world that a file describes; what the file does not speak of is as Rapier has it.
fn build(file: &Value) -> Result<Scene, Failure> {
    let mut world = PhysicsWorld { gravity: vector(&file["gravity"])?, ..Default::default() };
    world.integration_parameters.dt = number(&file["dt"])?;
    let friction = number(&file["friction"])?;
    let restitution = number(&file["restitution"])?;

    for shape in list(&file["fixed"])? {
        // The lower restitution of the two holds at a wall, and the common one between bodies.
        let collider = ColliderBuilder::new(form(shape)?)
            .friction(friction)
            .restitution(number(&shape["restitution"])?)
            .restitution_combine_rule(CoefficientCombineRule::Min);
        world.insert(RigidBodyBuilder::fixed().pose(pose(shape)?), collider);
    }

    let mut bodies = Vec::new();
    for body in list(&file["bodies"])? {
        let mut builder = RigidBodyBuilder::dynamic()
            .pose(pose(body)?)
            .linvel(vector(&body["velocity"])?)
            .angvel(vector(&body["angular_velocity"])?);
        if body["planar"] == true {
            builder = builder.enabled_translations(true, true, false).lock_rotations();
        }
        if body["shape"].is_null() {
            // Nothing to touch: mass and principal inertia are given, along the body's axes.
            let mass = MassProperties::new(Vector::ZERO, number(&body["mass"])?, vector(&body["inertia"])?);
            bodies.push(world.insert_body(builder.additional_mass_properties(mass).can_sleep(false)));
            continue;
        }
        let collider = ColliderBuilder::new(form(body)?)
            .mass(number(&body["mass"])?)
            .friction(friction)
            .restitution(restitution);
        bodies.push(world.insert(builder, collider).0);
    }

    // What joints may hold on to.
    let ground = world.insert_body(RigidBodyBuilder::fixed());
    bodies.push(ground);
    let mut joints = Vec::new();
    for joint in list(&file["joints"])? {
        let end = |value: &Value| if value.is_null() { Ok(bodies.len() - 1) } else { index(value) };
        let (a, b) = (end(&joint["a"])?, end(&joint["b"])?);
        let place = pose(joint)?;
        let in_a = world.bodies[bodies[a]].position().inverse() * place;
        let in_b = world.bodies[bodies[b]].position().inverse() * place;
        let locked = match joint["kind"].as_str() {
            Some("hinge") => JointAxesMask::LOCKED_REVOLUTE_AXES,
            Some("ball") => JointAxesMask::LOCKED_SPHERICAL_AXES,
            other => return Err(format!("joint kind {other:?}").into()),
        };
        let mut builder =
            GenericJointBuilder::new(locked).local_frame1(in_a).local_frame2(in_b).contacts_enabled(false);
        if let Ok([low, high]) = list(&joint["limits"]).map(Vec::as_slice) {
            builder = builder.limits(JointAxis::AngX, [number(low)?, number(high)?]);
        }
        world.insert_impulse_joint(bodies[a], bodies[b], builder.build());
        joints.push((a, b, in_a.translation, in_b.translation));
    }
    Ok(Scene { world, bodies, joints })
}

/// The deepest overlap of any two shapes where they are now, but for those that a joint connects.
fn deepest(scene: &Scene) -> Result<f64, Failure> {
    let world = &scene.world;
    let all: Vec<_> = world.all_colliders().map(|(_, collider)| collider).collect();
    let mut depth = 0.0_f64;
    for (i, one) in all.iter().enumerate() {
        for other in &all[i + 1..] {
            let (Some(a), Some(b)) = (one.parent(), other.parent()) else { continue };
            let connected = scene.joints.iter().any(|&(p, q, ..)| {
                let (p, q) = (scene.bodies[p], scene.bodies[q]);
                (p, q) == (a, b) || (q, p) == (a, b)
            });
            if connected || (world.bodies[a].is_fixed() && world.bodies[b].is_fixed()) {
                continue;
            }
            let found = query::contact(
                world.bodies[a].position(),
                one.shape(),
                world.bodies[b].position(),
                other.shape(),
                0.0,
            )
            .map_err(|_| "a pair of shapes that cannot be measured")?;
            if let Some(contact) = found {
                depth = depth.max(-contact.dist);
            }
        }
    }
    Ok(depth)
}

/// The widest distance between the two anchors of any joint.
fn widest(scene: &Scene) -> f64 {
    let at = |body: usize, point: Vector| *scene.world.bodies[scene.bodies[body]].position() * point;
    scene.joints.iter().fold(0.0, |gap, &(a, b, in_a, in_b)| (at(a, in_a) - at(b, in_b)).length().max(gap))
}

fn form(value: &Value) -> Result<SharedShape, Failure> {
    let shape = &value["shape"];
    let size = |name: &str| number(&shape[name]);
    Ok(match shape["kind"].as_str() {
        Some("plane") => SharedShape::halfspace(vector(&shape["normal"])?),
        Some("sphere") => SharedShape::ball(size("radius")?),
        Some("capsule") => SharedShape::capsule_x(size("length")? / 2.0, size("radius")?),
        Some("box") => {
            let half = vector(&shape["size"])? / 2.0;
            SharedShape::cuboid(half.x, half.y, half.z)
        }
        other => return Err(format!("shape kind {other:?}").into()),
    })
}

/// `position` and `orientation`, a quaternion with its scalar first.
fn pose(value: &Value) -> Result<Pose, Failure> {
    let [w, x, y, z] = list(&value["orientation"])?.as_slice() else {
        return Err("an orientation of four numbers is expected".into());
    };
    let turn = Rotation::from_xyzw(number(x)?, number(y)?, number(z)?, number(w)?);
    Ok(Pose::from_parts(vector(&value["position"])?, turn))
}

fn vector(value: &Value) -> Result<Vector, Failure> {
    match list(value)?.as_slice() {
        [x, y, z] => Ok(Vector::new(number(x)?, number(y)?, number(z)?)),
        _ => Err(format!("three numbers are expected, not {value}").into()),
    }
}

fn number(value: &Value) -> Result<f64, Failure> {
    value.as_f64().ok_or_else(|| format!("a number is expected, not {value}").into())
}

fn index(value: &Value) -> Result<usize, Failure> {
    value.as_u64().map(|i| i as usize).ok_or_else(|| format!("an index is expected, not {value}").into())
}

fn list(value: &Value) -> Result<&Vec<Value>, Failure> {
    value.as_array().ok_or_else(|| format!("a list is expected, not {value}").into())
}

//! A mechanism as numbers, for engines that know nothing of cardan: poses, masses and velocities of the
//! bodies, places and axes of the joints, all in world axes, values of their coordinates, and the
//! accelerations that cardan finds there.

use crate::Failure;
use cardan::math::{Quat, Sym3, Vec3};
use cardan::solve::Role;
use cardan::{BodyId, Simulation};
use serde_json::{Value, json};

pub(crate) fn describe(sim: &mut Simulation) -> Result<Value, Failure> {
    let model = sim.model().clone();
    let now = sim.evaluate()?;
    let vector = |v: Vec3| [v.x, v.y, v.z];
    let mut bodies = Vec::new();
    for (id, body) in model.body_ids().zip(model.bodies()) {
        let at = now.body(id);
        bodies.push(json!({
            "name": body.name,
            "mass": body.mass.mass,
            "inertia": rows(&body.mass.inertia),
            "position": vector(at.position),
            "orientation": quaternion(at.orientation),
            "velocity": vector(at.velocity),
            "angular_velocity": vector(at.angular_velocity),
            "acceleration": vector(at.acceleration),
            "angular_acceleration": vector(at.angular_acceleration),
        }));
    }
    let mut joints = Vec::new();
    for (id, joint) in model.joint_ids().zip(model.joints()) {
        let at = now.joint(id);
        joints.push(json!({
            "name": joint.name,
            "kind": format!("{:?}", joint.kind).to_lowercase(),
            "a": joint.body_a().map(BodyId::index),
            "b": joint.body_b().map(BodyId::index),
            "closes": model.joint_role(id) != Some(Role::Primary),
            "position": vector(at.position),
            "axis": vector(at.axis),
            "coordinates": at.coordinates[..at.count],
        }));
    }
    Ok(json!({
        "gravity": vector(model.gravity()),
        "bodies": bodies,
        "joints": joints,
        "rows": model.counts().rows,
        "residual": now.equation_residual(),
    }))
}

fn quaternion(q: Quat) -> [f64; 4] {
    [q.w, q.v.x, q.v.y, q.v.z]
}

fn rows(m: &Sym3) -> [[f64; 3]; 3] {
    [Vec3::X, Vec3::Y, Vec3::Z].map(|row| [Vec3::X, Vec3::Y, Vec3::Z].map(|column| row.dot(*m * column)))
}

//! Worlds: parts that are added and removed, islands, snapshots, threads.
#![allow(clippy::disallowed_methods)] // no bits are promised here

mod contacts;
mod edits;
mod grab;
mod random;
mod snapshots;
mod window;

use cardan::math::{Quat, Vec3, vec3};
use cardan::{Body, BodyId, End, Gravity, Joint, JointId, ModelBuilder, World};

pub(crate) const DOWN: Gravity = Gravity::new(0.0, 0.0, -9.81);

/// A pendulum of `n` rods from a point, under names of its own.
pub(crate) fn pendulum(world: &mut World, name: &str, from: Vec3, n: usize) -> (Vec<BodyId>, Vec<JointId>) {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let mut last = End::Ground;
    for i in 0..n {
        let at = from + vec3(i as f64, 0.0, 0.0);
        let rod =
            Body { name: format!("{name}{i}"), pos: at + vec3(0.5, 0.0, 0.0), ..Body::rod(1.0, 1.0, 0.02) };
        let rod = world.add_body(rod).expect("a rod");
        let axis = if i % 2 == 0 { vec3(0.0, 1.0, 0.0) } else { vec3(0.0, 1.0, 0.1) };
        let joint = Joint::revolute(last, rod, at, axis);
        joints.push(world.add_joint(Joint { name: format!("{name}-j{i}"), ..joint }).expect("a hinge"));
        bodies.push(rod);
        last = End::Body(rod);
    }
    (bodies, joints)
}

/// A four-bar in the x–z plane with its crank at a point.
pub(crate) fn four_bar(parts: &mut ModelBuilder, name: &str, at: Vec3) -> Vec<BodyId> {
    let points = [vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.3), vec3(1.0, 0.0, 0.8), vec3(1.1, 0.0, 0.0)];
    let mut rods = Vec::new();
    for (i, pair) in points.windows(2).enumerate() {
        let (a, b) = (at + pair[0], at + pair[1]);
        let (way, middle) = (b - a, (a + b) * 0.5);
        let turn = Quat::exp(vec3(0.0, -way.z.atan2(way.x), 0.0));
        let rod = Body::rod(1.0 + i as f64, way.norm(), 0.02);
        let rod = Body { name: format!("{name}{i}"), pos: middle, rot: turn, ..rod };
        rods.push(parts.add_body(rod));
    }
    let ends = [End::Ground, rods[0].into(), rods[1].into(), rods[2].into(), End::Ground];
    for (i, pair) in ends.windows(2).enumerate() {
        let joint = Joint::revolute(pair[0], pair[1], at + points[i], vec3(0.0, 1.0, 0.0));
        parts.add_joint(Joint { name: format!("{name}-j{i}"), ..joint });
    }
    rods
}

//! A net: n columns of n bodies on spherical joints, hung in a row from the ground, and a rod between neighbours at every knot.
//!
//! The rods, one row each, close n (n − 1) loops that share their sides. Knots are where a body ends: column c, row r lies near
//! (c, 0, −r) times the mesh. The upper ends of all columns lie on the x axis, and the net swings about it as a whole, with W;
//! besides, each body spins about the line d between its own ends, which moves neither:
//!
//!   ω = W + s d         v = W × p − ω × (p − x)         p: upper end, x: centre of mass

use super::mechanism::{GeneratedJoint, Mechanism};
use super::random::{Random, rounded, rounded3};
use super::tree::{MICRO, piece};
use crate::scene::JointKindDesc;
use cardan::math::{Vec3, vec3};

/// Between knots [m].
const MESH: f64 = 0.3;
/// How far knots and centres of mass lie aside [m].
const ASIDE: f64 = 0.06;
/// Largest spin of a body [rad/s per metre of its length].
const SPIN: f64 = 6.0;

pub(super) fn net(n: usize, random: &mut Random) -> Mechanism {
    let swing = vec3(rounded(random.between(0.5, 1.5), 1e3), 0.0, 0.0);
    let mut net = Mechanism { bodies: Vec::with_capacity(n * n), joints: Vec::with_capacity(2 * n * n) };
    let mut upper: Vec<Vec3> = (0..n).map(|c| vec3(rounded(MESH * c as f64, MICRO), 0.0, 0.0)).collect();
    for row in 0..n {
        let lower: Vec<Vec3> = (0..n)
            .map(|c| {
                let knot = vec3(MESH * c as f64, 0.0, -MESH * (row + 1) as f64);
                rounded3(knot + random.vector(ASIDE), MICRO)
            })
            .collect();
        for column in 0..n {
            let (top, arm) = (upper[column], lower[column] - upper[column]);
            let mut body = piece(rounded3(top + arm * 0.5 + random.vector(ASIDE), MICRO), random);
            body.omega = swing + arm * random.between(-SPIN, SPIN);
            body.vel = swing.cross(top) - body.omega.cross(top - body.pos);
            let child = net.bodies.len();
            net.bodies.push(body);
            let parent = child.checked_sub(n);
            net.joints.push(joint(JointKindDesc::Spherical, parent, child, [top, top]));
            if column > 0 {
                let ends = [lower[column - 1], lower[column]];
                net.joints.push(joint(JointKindDesc::Distance, Some(child - 1), child, ends));
            }
        }
        upper = lower;
    }
    net
}

fn joint(
    kind: JointKindDesc,
    parent: Option<usize>,
    child: usize,
    [anchor, end]: [Vec3; 2],
) -> GeneratedJoint {
    GeneratedJoint { name: None, kind, parent, child, anchor, axis: Vec3::Z, end }
}

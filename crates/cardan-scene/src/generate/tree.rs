//! Trees that hang on the ground by their first body: n bodies, n joints.

use super::Family;
use super::mechanism::{GeneratedBody, GeneratedJoint, MassDistribution, Mechanism, RelativeVelocity};
use super::random::{Random, rounded, rounded3};
use crate::scene::JointKindDesc;
use cardan::math::{Vec3, vec3};

/// Decimal places of positions and anchors: micrometres.
pub(super) const MICRO: f64 = 1e6;
/// Half the edge of the box in which anchors lie around a body's centre [m].
const REACH: f64 = 0.3;
/// Largest rate of a joint [rad/s, m/s].
const RATE: f64 = 2.0;

pub(super) fn tree(family: Family, n: usize, random: &mut Random) -> Mechanism {
    let mut mechanism = Mechanism { bodies: Vec::with_capacity(n), joints: Vec::with_capacity(n) };
    for i in 0..n {
        let parent = parent_of(family, i, random);
        let kind = kind_of(family, random);
        let anchor = rounded3(mechanism.pos_of(parent) + random.vector(REACH), MICRO);
        let axis = random.axis();
        let child = piece(rounded3(anchor - random.vector(REACH), MICRO), random);
        let rate = rate_of(kind, axis, mechanism.omega_of(parent), random);
        mechanism.attach(
            child,
            GeneratedJoint { name: None, kind, parent, child: i, anchor, axis, end: anchor },
            &rate,
        );
    }
    mechanism
}

fn parent_of(family: Family, i: usize, random: &mut Random) -> Option<usize> {
    if i == 0 {
        return None;
    }
    Some(match family {
        Family::Star => 0,
        // Bodies with an even index are the spine, the others its teeth.
        Family::Comb if i.is_multiple_of(2) => i - 2,
        Family::BinaryTree => (i - 1) / 2,
        Family::RandomTree => random.below(i),
        _ => i - 1,
    })
}

fn kind_of(family: Family, random: &mut Random) -> JointKindDesc {
    match family {
        Family::SphericalChain => JointKindDesc::Spherical,
        Family::RandomTree => match random.below(10) {
            0..6 => JointKindDesc::Revolute,
            6..9 => JointKindDesc::Spherical,
            _ => JointKindDesc::Prismatic,
        },
        _ => JointKindDesc::Revolute,
    }
}

/// A body with the inertia of a box of random size.
pub(super) fn piece(pos: Vec3, random: &mut Random) -> GeneratedBody {
    let mass = rounded(random.between(0.5, 2.0), 1e3);
    let edge = |random: &mut Random| random.between(0.1, 0.5);
    let edges = [edge(random), edge(random), edge(random)];
    let [x, y, z] = edges.map(|e| e * e * (mass / 12.0));
    let (rot, quaternion) = random.orientation();
    GeneratedBody {
        name: None,
        mass,
        // The smallest edge leaves the triangle rule a hundred times more room than the rounding takes.
        mass_distribution: MassDistribution::Inertia(rounded3(vec3(y + z, x + z, x + y), MICRO)),
        pos,
        rot,
        quaternion,
        vel: Vec3::ZERO,
        omega: Vec3::ZERO,
    }
}

/// A random rate. Turns take off what the parent's turn has along the freedom, or the last body of a long chain would
/// spin with the sum of all of them.
fn rate_of(kind: JointKindDesc, axis: Vec3, parent: Vec3, random: &mut Random) -> RelativeVelocity {
    let along = axis / axis.norm();
    let size = random.between(-RATE, RATE);
    match kind {
        JointKindDesc::Spherical => {
            RelativeVelocity { shift: Vec3::ZERO, turn: random.vector(RATE) - parent }
        }
        JointKindDesc::Prismatic => RelativeVelocity { shift: along * size, turn: Vec3::ZERO },
        _ => RelativeVelocity { shift: Vec3::ZERO, turn: along * (size - along.dot(parent)) },
    }
}

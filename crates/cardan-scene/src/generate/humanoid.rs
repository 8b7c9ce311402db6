//! A humanoid: thirty rigid bodies, 74 kg, 1.75 m, floating, in a random pose near standing.
//!
//! The table gives it upright, x forward, y to its left, z up; arms hang down. Each segment has its centre, and the joint
//! to its parent has an anchor and how far it may be bent. Only the left side is listed; the right one is its mirror image.

use super::mechanism::{GeneratedBody, GeneratedJoint, MassDistribution, Mechanism, RelativeVelocity};
use super::random::{Random, rounded, rounded3};
use crate::scene::JointKindDesc;
use cardan::math::{Quat, Vec3, vec3};

pub(super) const BODIES: usize = 30;

struct BodySegment {
    name: &'static str,
    mass: f64,
    mass_distribution: MassDistribution,
    centre: [f64; 3],
    joint: &'static str,
    parent: &'static str,
    anchor: [f64; 3],
    bend: Bend,
}

/// How a joint turns: about an axis, tan of half the angle from … to …; or any way, by about that much.
#[derive(Clone, Copy)]
enum Bend {
    Hinge([f64; 3], f64, f64),
    Ball(f64),
}

use Bend::{Ball, Hinge};
use MassDistribution::{Box as Block, Capsule, Sphere};

/// Bending about this flexes knees and toes for positive angles, elbows and hips for negative ones.
const ACROSS: [f64; 3] = [0.0, 1.0, 0.0];

const fn edges(x: f64, y: f64, z: f64) -> MassDistribution {
    Block(Vec3::new(x, y, z))
}

#[rustfmt::skip]
const MIDDLE: [BodySegment; 7] = [
    BodySegment { name: "lumbar", mass: 5.0, mass_distribution: edges(0.18, 0.26, 0.1), centre: [0.0, 0.0, 1.09], joint: "sacrum", parent: "pelvis", anchor: [-0.03, 0.0, 1.04], bend: Ball(0.06) },
    BodySegment { name: "abdomen", mass: 5.0, mass_distribution: edges(0.18, 0.27, 0.1), centre: [0.0, 0.0, 1.19], joint: "waist", parent: "lumbar", anchor: [-0.03, 0.0, 1.14], bend: Ball(0.06) },
    BodySegment { name: "thorax", mass: 7.0, mass_distribution: edges(0.2, 0.3, 0.12), centre: [0.0, 0.0, 1.3], joint: "back", parent: "abdomen", anchor: [-0.03, 0.0, 1.24], bend: Ball(0.05) },
    BodySegment { name: "chest", mass: 8.0, mass_distribution: edges(0.2, 0.32, 0.12), centre: [0.0, 0.0, 1.42], joint: "upper-back", parent: "thorax", anchor: [-0.03, 0.0, 1.36], bend: Ball(0.05) },
    BodySegment { name: "neck", mass: 1.0, mass_distribution: Capsule(0.05, 0.05), centre: [0.0, 0.0, 1.53], joint: "nape", parent: "chest", anchor: [-0.02, 0.0, 1.48], bend: Ball(0.1) },
    BodySegment { name: "head", mass: 4.2, mass_distribution: Sphere(0.1), centre: [0.02, 0.0, 1.66], joint: "atlas", parent: "neck", anchor: [0.0, 0.0, 1.57], bend: Hinge(ACROSS, -0.2, 0.2) },
    BodySegment { name: "jaw", mass: 0.3, mass_distribution: edges(0.08, 0.09, 0.03), centre: [0.07, 0.0, 1.58], joint: "hinge-of-jaw", parent: "head", anchor: [0.02, 0.0, 1.6], bend: Hinge(ACROSS, 0.0, 0.15) },
];

/// Of the left side; parents without a counterpart are in the middle.
#[rustfmt::skip]
const SIDE: [BodySegment; 11] = [
    BodySegment { name: "clavicle", mass: 0.5, mass_distribution: edges(0.04, 0.14, 0.04), centre: [0.0, 0.1, 1.47], joint: "collar", parent: "chest", anchor: [0.0, 0.03, 1.46], bend: Ball(0.06) },
    BodySegment { name: "upper-arm", mass: 2.0, mass_distribution: Capsule(0.24, 0.04), centre: [0.0, 0.2, 1.31], joint: "shoulder", parent: "clavicle", anchor: [0.0, 0.19, 1.45], bend: Ball(0.4) },
    BodySegment { name: "forearm", mass: 1.2, mass_distribution: Capsule(0.2, 0.035), centre: [0.0, 0.2, 1.05], joint: "elbow", parent: "upper-arm", anchor: [0.0, 0.2, 1.17], bend: Hinge(ACROSS, -0.8, 0.0) },
    BodySegment { name: "hand", mass: 0.35, mass_distribution: edges(0.08, 0.03, 0.1), centre: [0.0, 0.2, 0.87], joint: "wrist", parent: "forearm", anchor: [0.0, 0.2, 0.92], bend: Ball(0.2) },
    BodySegment { name: "thumb", mass: 0.05, mass_distribution: Capsule(0.05, 0.01), centre: [0.05, 0.2, 0.84], joint: "base-of-thumb", parent: "hand", anchor: [0.04, 0.2, 0.88], bend: Hinge([1.0, 0.0, 0.5], -0.3, 0.3) },
    BodySegment { name: "fingers", mass: 0.1, mass_distribution: edges(0.08, 0.02, 0.08), centre: [0.0, 0.2, 0.78], joint: "knuckles", parent: "hand", anchor: [0.0, 0.2, 0.82], bend: Hinge([1.0, 0.0, 0.0], -0.5, 0.0) },
    BodySegment { name: "thigh", mass: 8.5, mass_distribution: Capsule(0.32, 0.075), centre: [0.0, 0.09, 0.71], joint: "hip", parent: "pelvis", anchor: [0.0, 0.09, 0.92], bend: Ball(0.25) },
    BodySegment { name: "shank", mass: 3.5, mass_distribution: Capsule(0.32, 0.05), centre: [0.0, 0.09, 0.3], joint: "knee", parent: "thigh", anchor: [0.0, 0.09, 0.5], bend: Hinge(ACROSS, 0.0, 0.7) },
    BodySegment { name: "talus", mass: 0.15, mass_distribution: Sphere(0.03), centre: [0.0, 0.09, 0.07], joint: "ankle", parent: "shank", anchor: [0.0, 0.09, 0.085], bend: Hinge([0.1, 1.0, -0.1], -0.2, 0.2) },
    BodySegment { name: "foot", mass: 0.75, mass_distribution: edges(0.18, 0.08, 0.05), centre: [0.05, 0.09, 0.03], joint: "heel", parent: "talus", anchor: [0.0, 0.09, 0.055], bend: Hinge([0.8, -0.2, 0.6], -0.1, 0.1) },
    BodySegment { name: "toes", mass: 0.2, mass_distribution: edges(0.07, 0.08, 0.025), centre: [0.175, 0.09, 0.015], joint: "ball-of-foot", parent: "foot", anchor: [0.14, 0.09, 0.015], bend: Hinge(ACROSS, -0.3, 0.0) },
];

/// Largest rate of a joint [rad/s].
const RATE: f64 = 1.5;

pub(super) fn humanoid(random: &mut Random) -> Mechanism {
    let mut standing = vec![vec3(0.0, 0.0, 0.96)];
    let (rot, quaternion) = near_upright(Quat::IDENTITY, random.vector(0.1));
    let pelvis = GeneratedBody {
        name: Some("pelvis".into()),
        mass: 9.0,
        mass_distribution: edges(0.18, 0.3, 0.16),
        pos: standing[0],
        rot,
        quaternion,
        vel: rounded3(random.vector(0.5), 1e3),
        omega: rounded3(random.vector(0.5), 1e3),
    };
    let mut body = Mechanism { bodies: vec![pelvis], joints: Vec::new() };
    for segment in &MIDDLE {
        add(&mut body, &mut standing, segment, None, random);
    }
    for (side, mirror) in [("left", false), ("right", true)] {
        for segment in &SIDE {
            add(&mut body, &mut standing, segment, Some((side, mirror)), random);
        }
    }
    body
}

/// Adds a segment, bent at its joint from where the upright figure has it.
fn add(
    body: &mut Mechanism,
    standing: &mut Vec<Vec3>,
    segment: &BodySegment,
    side: Option<(&str, bool)>,
    random: &mut Random,
) {
    let sided = |name: &str| side.map_or(name.to_string(), |(side, _)| format!("{name}-{side}"));
    let find = |name: &str| body.bodies.iter().position(|b| b.name.as_deref() == Some(name));
    let parent = find(&sided(segment.parent)).or_else(|| find(segment.parent)).unwrap_or(0);
    let mirror = side.is_some_and(|(_, mirror)| mirror);
    let place = |[x, y, z]: [f64; 3]| vec3(x, if mirror { -y } else { y }, z);
    // A mirror turns the other components of an axis round.
    let turn = |[x, y, z]: [f64; 3]| if mirror { vec3(-x, y, -z) } else { vec3(x, y, z) };

    let (at, centre) = (place(segment.anchor), place(segment.centre));
    let above = &body.bodies[parent];
    let anchor = rounded3(above.pos + above.rot * (at - standing[parent]), 1e6);
    let (kind, axis, bend) = match segment.bend {
        Hinge(axis, from, to) => {
            let axis = turn(axis);
            (JointKindDesc::Revolute, axis, axis * (random.between(from, to) / axis.norm()))
        }
        Ball(size) => (JointKindDesc::Spherical, Vec3::Z, random.vector(size)),
    };
    let (rot, quaternion) = near_upright(above.rot, bend);
    let axis = rounded3(above.rot * axis, 1e6);
    let rate = match kind {
        JointKindDesc::Spherical => random.vector(RATE),
        _ => axis * (random.between(-RATE, RATE) / axis.norm()),
    };
    let piece = GeneratedBody {
        name: Some(sided(segment.name)),
        mass: segment.mass,
        mass_distribution: segment.mass_distribution,
        pos: rounded3(anchor + rot * (centre - at), 1e6),
        rot,
        quaternion,
        vel: Vec3::ZERO,
        omega: Vec3::ZERO,
    };
    let joint = GeneratedJoint {
        name: Some(sided(segment.joint)),
        kind,
        parent: Some(parent),
        child: 0,
        anchor,
        axis,
        end: anchor,
    };
    standing.push(centre);
    body.attach(piece, joint, &RelativeVelocity { shift: Vec3::ZERO, turn: rate });
}

/// The parent's orientation, turned by `bend` (tan of half the angle along the axis), to six decimals.
fn near_upright(parent: Quat, bend: Vec3) -> (Quat, [f64; 4]) {
    let four = (parent * Quat { w: 1.0, v: bend }.renormalized()).to_wxyz().map(|x| rounded(x, 1e6));
    let [w, x, y, z] = four;
    (Quat::from_wxyz(w, x, y, z).unwrap_or_default(), four)
}

//! What is generated, before it is text: bodies and joints, trees from the root outwards, with velocities that fit.
//!
//! With the anchor at p, arms r_i = p − x_i, and the joint's own rate (y', w) of the child seen from the parent:
//!
//!   ω_c = ω_p + w         v_c = v_p + ω_p × r_p + y' − ω_c × r_c

use crate::scene::JointKindDesc;
use cardan::math::{Quat, Vec3};

#[derive(Default)]
pub(super) struct Mechanism {
    pub(super) bodies: Vec<GeneratedBody>,
    pub(super) joints: Vec<GeneratedJoint>,
}

/// A body. `rot` is what a reader makes of `quaternion`.
pub(super) struct GeneratedBody {
    /// `None`: b and its number.
    pub(super) name: Option<String>,
    pub(super) mass: f64,
    pub(super) mass_distribution: MassDistribution,
    pub(super) pos: Vec3,
    pub(super) rot: Quat,
    pub(super) quaternion: [f64; 4],
    pub(super) vel: Vec3,
    pub(super) omega: Vec3,
}

/// How a body's mass is spread.
#[derive(Clone, Copy)]
pub(super) enum MassDistribution {
    /// Principal moments in body axes.
    Inertia(Vec3),
    /// Edge lengths.
    Box(Vec3),
    /// Length and radius, along the body's z axis.
    Capsule(f64, f64),
    /// Length and radius of a thin rod, along the body's x axis.
    RodAlongX(f64, f64),
    /// Length and radius of a thin rod, along the body's z axis.
    RodAlongZ(f64, f64),
    /// Radius.
    Sphere(f64),
}

/// A joint between a body and its parent (`None`: the ground).
pub(super) struct GeneratedJoint {
    /// `None`: j and its number.
    pub(super) name: Option<String>,
    pub(super) kind: JointKindDesc,
    pub(super) parent: Option<usize>,
    pub(super) child: usize,
    /// World axes, in the pose of the file.
    pub(super) anchor: Vec3,
    pub(super) axis: Vec3,
    /// The end on the child, where that is not the anchor: of a rod between two points.
    pub(super) end: Vec3,
}

/// Motion of a child seen from its parent.
pub(super) struct RelativeVelocity {
    pub(super) shift: Vec3,
    pub(super) turn: Vec3,
}

impl Mechanism {
    pub(super) fn omega_of(&self, body: Option<usize>) -> Vec3 {
        body.map_or(Vec3::ZERO, |i| self.bodies[i].omega)
    }

    pub(super) fn pos_of(&self, body: Option<usize>) -> Vec3 {
        body.map_or(Vec3::ZERO, |i| self.bodies[i].pos)
    }

    /// A world point in the axes of a body's frame.
    pub(super) fn seen_from(&self, body: Option<usize>, point: Vec3) -> Vec3 {
        body.map_or(point, |i| self.bodies[i].rot.inverse() * (point - self.bodies[i].pos))
    }

    /// Adds a body whose velocities follow from its parent's, and the joint between them.
    pub(super) fn attach(
        &mut self,
        mut child: GeneratedBody,
        mut joint: GeneratedJoint,
        rate: &RelativeVelocity,
    ) {
        let (omega, arm) = (self.omega_of(joint.parent), joint.anchor - self.pos_of(joint.parent));
        let vel = joint.parent.map_or(Vec3::ZERO, |i| self.bodies[i].vel);
        child.omega = omega + rate.turn;
        child.vel = vel + omega.cross(arm) + rate.shift - child.omega.cross(joint.anchor - child.pos);
        joint.child = self.bodies.len();
        self.bodies.push(child);
        self.joints.push(joint);
    }
}

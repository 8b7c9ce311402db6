//! Joints between planar bodies, with one degree of freedom or none:
//!
//! | joint | p₀ | p₁ |
//! |---|---|---|
//! | revolute, spherical | φ_c − φ_p | 0 |
//! | prismatic, cylindrical, planar | shift along the free direction | φ_c − φ_p, constant |
//! | fixed | 0 | φ_c − φ_p, constant |
//!
//! φ_c, φ_p: angles of child and parent, which count turns, so that p does too.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Vec3, unwrap_near, vec3};
use crate::model::{Attachment, ModelJoint};
use crate::step::dynamics::kinematics::frame;

/// A joint that determines the pose of one of two planar bodies.
#[derive(Clone, Debug)]
pub(crate) struct PlanarPair {
    kind: PlanarPairKind,
    parent: Attachment,
    child: Attachment,
    /// Whether b is the child.
    onto_b: bool,
}

/// Which coordinate is free.
#[derive(Copy, Clone, Debug)]
enum PlanarPairKind {
    Turn,
    Slide {
        /// The free direction, in a's joint frame.
        direction_in_frame: Vec3,
        /// The free direction, in a's body.
        direction: Vec3,
        /// φ_c − φ_p, up to full turns \[rad\].
        apart: f64,
    },
    Fixed {
        apart: f64,
    },
}

impl PlanarPair {
    /// The pair of a joint of the plane; `None` if the joint has no closed form there.
    pub(crate) fn new(joint: &ModelJoint, onto_b: bool) -> Option<Self> {
        let plane = joint.plane.as_deref()?;
        let (parent, child) = if onto_b { (joint.a, joint.b) } else { (joint.b, joint.a) };
        let (in_a, in_b) = (joint.a.local.rot, joint.b.local.rot);
        // φ_b − φ_a where the joint is closed.
        let sign = if onto_b { 1.0 } else { -1.0 };
        let shape = joint.kind.about().closed_form;
        let kind = match shape {
            ClosedForm::Revolute | ClosedForm::Spherical => PlanarPairKind::Turn,
            ClosedForm::Prismatic | ClosedForm::Cylindrical | ClosedForm::Planar => {
                let across = plane.normal.cross(Vec3::Z);
                let direction_in_frame =
                    if shape == ClosedForm::Planar { across.normalized()? } else { Vec3::Z };
                let (z_a, z_b) = (in_a * Vec3::Z, in_b * Vec3::Z);
                let apart = libm::atan2(z_b.cross(z_a).z, z_b.dot(z_a));
                PlanarPairKind::Slide {
                    direction_in_frame,
                    direction: in_a * direction_in_frame,
                    apart: sign * apart,
                }
            }
            ClosedForm::Fixed => {
                PlanarPairKind::Fixed { apart: sign * (in_a * in_b.inverse()).twist_angle(Vec3::Z) }
            }
            ClosedForm::Universal | ClosedForm::Rows => return None,
        };
        Some(PlanarPair { kind, parent, child, onto_b })
    }

    /// Number of degrees of freedom.
    pub(crate) fn freedoms(&self) -> usize {
        match self.kind {
            PlanarPairKind::Turn | PlanarPairKind::Slide { .. } => 1,
            PlanarPairKind::Fixed { .. } => 0,
        }
    }

    /// Sign of the joint's coordinate relative to p₀.
    pub(crate) fn sign(&self, joint: &ModelJoint) -> f64 {
        match self.kind {
            PlanarPairKind::Turn => {
                let up = joint.plane.as_deref().is_none_or(|plane| plane.normal.z > 0.0);
                if up == self.onto_b { 1.0 } else { -1.0 }
            }
            PlanarPairKind::Slide { .. } | PlanarPairKind::Fixed { .. } => 1.0,
        }
    }

    /// The parent body; `None` for the ground.
    pub(crate) fn parent(&self) -> Option<usize> {
        self.parent.body()
    }

    /// The free direction of a slider in world axes, where a's angle is `angle`.
    fn direction(direction: Vec3, angle: f64) -> Vec3 {
        let (s, c) = libm::sincos(angle);
        vec3(c * direction.x - s * direction.y, s * direction.x + c * direction.y, 0.0)
    }

    /// Component of a relative acceleration or displacement along the degree of freedom: `shift` in
    /// a's joint frame, `turn` of b relative to a about the world's z axis.
    pub(crate) fn along(&self, shift: Vec3, turn: f64, out: &mut [f64]) {
        out.fill(0.0);
        match self.kind {
            PlanarPairKind::Turn => out[0] = if self.onto_b { turn } else { -turn },
            PlanarPairKind::Slide { direction_in_frame, .. } => out[0] = direction_in_frame.dot(shift),
            PlanarPairKind::Fixed { .. } => {}
        }
    }

    /// Coordinates and rates of a closed joint; on entry `p` and `rate` are those of the child's
    /// body, `parent` the angle and angular velocity of its parent.
    pub(crate) fn read(&self, motions: &[Motion], parent: [f64; 2], p: &mut [f64], rate: &mut [f64]) {
        let (apart, spin) = (p[2] - parent[0], rate[2] - parent[1]);
        let angle_a = if self.onto_b { parent[0] } else { p[2] };
        let (near, far) = (frame(motions, &self.parent), frame(motions, &self.child));
        let (a, b) = if self.onto_b { (near, far) } else { (far, near) };
        match self.kind {
            PlanarPairKind::Turn => {
                p.copy_from_slice(&[apart, 0.0, 0.0]);
                rate.copy_from_slice(&[spin, 0.0, 0.0]);
            }
            PlanarPairKind::Slide { direction, apart: closed, .. } => {
                let direction = PlanarPair::direction(direction, angle_a);
                let offset = b.pos - a.pos;
                let speed = b.vel - a.vel - a.omega.cross(offset);
                p.copy_from_slice(&[direction.dot(offset), unwrap_near(closed, apart), 0.0]);
                rate.copy_from_slice(&[direction.dot(speed), 0.0, 0.0]);
            }
            PlanarPairKind::Fixed { apart: closed } => {
                p.copy_from_slice(&[0.0, unwrap_near(closed, apart), 0.0]);
                rate.fill(0.0);
            }
        }
    }

    /// Pose and velocity of the child, from its parent's angle and angular velocity.
    pub(crate) fn place(
        &self,
        motions: &[Motion],
        (angle_p, spin_p): (f64, f64),
        (p, rate): (&[f64], &[f64]),
        (q, v): (&mut [f64], &mut [f64]),
    ) {
        let from = frame(motions, &self.parent);
        let (apart, spin) = match self.kind {
            PlanarPairKind::Turn => (p[0], rate[0]),
            PlanarPairKind::Slide { .. } | PlanarPairKind::Fixed { .. } => (p[1], 0.0),
        };
        let (angle, omega) = (angle_p + apart, spin_p + spin);
        let (mut pos, mut vel) = (from.pos, from.vel);
        if let PlanarPairKind::Slide { direction, .. } = self.kind {
            // The direction turns with a; child and parent have the same angular velocity.
            let (angle_a, sign) = if self.onto_b { (angle_p, 1.0) } else { (angle, -1.0) };
            let direction = PlanarPair::direction(direction, angle_a) * sign;
            let offset = direction * p[0];
            pos += offset;
            vel += vec3(-omega * offset.y, omega * offset.x, 0.0) + direction * rate[0];
        }
        let (s, c) = libm::sincos(angle);
        let local = self.child.local.pos;
        let arm = vec3(c * local.x - s * local.y, s * local.x + c * local.y, 0.0);
        q.copy_from_slice(&[pos.x - arm.x, pos.y - arm.y, angle]);
        v.copy_from_slice(&[vel.x + omega * arm.y, vel.y - omega * arm.x, omega]);
    }
}

//! Lower pairs between rigid bodies: the frame of b relative to a's, from the joint's coordinates
//! p.
//!
//! | joint | shift d | rotation | ḋ | w |
//! |---|---|---|---|---|
//! | fixed | 0 | 1 | 0 | 0 |
//! | revolute | 0 | R_z(p₀) | 0 | ṗ₀ z |
//! | prismatic | p₀ z | 1 | ṗ₀ z | 0 |
//! | cylindrical | p₀ z | R_z(p₁) | ṗ₀ z | ṗ₁ z |
//! | universal | 0 | R_z(p₀) R_x(p₁) | 0 | ṗ₀ z + ṗ₁ x_b |
//! | planar | (p₀, p₁, 0) | R_z(p₂) | (ṗ₀, ṗ₁, 0) | ṗ₂ z |
//! | spherical | 0 | a unit quaternion | 0 | the rate itself |
//!
//! All in a's axes; w: relative angular velocity. If b is the child, it follows from a:
//!
//! ```text
//! p_b = p_a + Δ,  Δ = R_a d          R_b = R_a rotation
//! ω_b = ω_a + R_a w                  ṗ_b = ṗ_a + ω_a × Δ + R_a ḋ
//! ```
//!
//! and these solved for a if a is the child. p̈ are the components of d̈ and ẇ along the degrees of
//! freedom: the columns of ḋ and w are perpendicular to each other and to their own change (ẋ_b =
//! ṗ₀ z × x_b), so p̈ are dot products with them.

use crate::body::{FrameMotion, Motion};
use crate::joint::{ClosedForm, JointKind, Relative};
use crate::math::{Quat, Vec3, unwrap_near, vec3};
use crate::model::{Attachment, ModelJoint};
use crate::step::dynamics::kinematics::frame;

/// A lower pair that determines the pose of one of its two rigid bodies.
#[derive(Clone, Debug)]
pub(crate) struct LowerPair {
    kind: JointKind,
    shape: ClosedForm,
    parent: Attachment,
    child: Attachment,
    /// Orientation of the child's body relative to its joint frame.
    body_in_frame: Quat,
    /// Whether b is the child.
    onto_b: bool,
    /// The z axis of a's frame, in the axes of a's body.
    axis: Vec3,
}

/// Rotation by `angle` about an axis; continuous over any number of turns.
fn about(axis: Vec3, angle: f64) -> Quat {
    let (s, c) = libm::sincos(0.5 * angle);
    Quat { w: c, v: axis * s }
}

/// The quaternion of a rigid body's coordinates, or of a spherical joint.
fn quat(p: &[f64]) -> Quat {
    Quat { w: p[3], v: vec3(p[4], p[5], p[6]) }
}

impl LowerPair {
    /// The pair of a joint; `None` if the joint has no closed form.
    pub(crate) fn new(joint: &ModelJoint, onto_b: bool) -> Option<Self> {
        let shape = joint.kind.about().closed_form;
        if shape == ClosedForm::Rows {
            return None;
        }
        let (parent, child) = if onto_b { (joint.a, joint.b) } else { (joint.b, joint.a) };
        Some(LowerPair {
            kind: joint.kind,
            shape,
            parent,
            child,
            body_in_frame: child.local.rot.inverse(),
            onto_b,
            axis: joint.a.local.rot * Vec3::Z,
        })
    }

    /// Number of degrees of freedom.
    pub(crate) fn freedoms(&self) -> usize {
        6 - self.kind.rows()
    }

    /// The axis of a hinge in world axes.
    pub(crate) fn hinge_axis(&self, joint: &ModelJoint, motions: &[Motion]) -> Option<Vec3> {
        (self.shape == ClosedForm::Revolute)
            .then(|| joint.a.body().map_or(self.axis, |body| motions[body].axes * self.axis))
    }

    /// d and rotation of the table.
    fn pose(&self, p: &[f64]) -> (Vec3, Quat) {
        match self.shape {
            ClosedForm::Revolute => (Vec3::ZERO, about(Vec3::Z, p[0])),
            ClosedForm::Prismatic => (Vec3::Z * p[0], Quat::IDENTITY),
            ClosedForm::Cylindrical => (Vec3::Z * p[0], about(Vec3::Z, p[1])),
            ClosedForm::Universal => (Vec3::ZERO, about(Vec3::Z, p[0]) * about(Vec3::X, p[1])),
            ClosedForm::Planar => (vec3(p[0], p[1], 0.0), about(Vec3::Z, p[2])),
            ClosedForm::Spherical => (Vec3::ZERO, quat(p)),
            _ => (Vec3::ZERO, Quat::IDENTITY),
        }
    }

    /// ḋ and w of the table.
    fn rates(&self, p: &[f64], rate: &[f64]) -> (Vec3, Vec3) {
        match self.shape {
            ClosedForm::Revolute => (Vec3::ZERO, Vec3::Z * rate[0]),
            ClosedForm::Prismatic => (Vec3::Z * rate[0], Vec3::ZERO),
            ClosedForm::Cylindrical => (Vec3::Z * rate[0], Vec3::Z * rate[1]),
            ClosedForm::Universal => (Vec3::ZERO, Vec3::Z * rate[0] + second_axis(p) * rate[1]),
            ClosedForm::Planar => (vec3(rate[0], rate[1], 0.0), Vec3::Z * rate[2]),
            ClosedForm::Spherical => (Vec3::ZERO, vec3(rate[3], rate[4], rate[5])),
            _ => (Vec3::ZERO, Vec3::ZERO),
        }
    }

    /// Components of a relative acceleration or displacement (a's axes) along the degrees of
    /// freedom.
    pub(crate) fn along(&self, p: &[f64], shift: Vec3, turn: Vec3, out: &mut [f64]) {
        out.fill(0.0);
        match self.shape {
            ClosedForm::Revolute => out[0] = turn.z,
            ClosedForm::Prismatic => out[0] = shift.z,
            ClosedForm::Cylindrical => out[..2].copy_from_slice(&[shift.z, turn.z]),
            ClosedForm::Universal => out[..2].copy_from_slice(&[turn.z, second_axis(p).dot(turn)]),
            ClosedForm::Planar => out[..3].copy_from_slice(&[shift.x, shift.y, turn.z]),
            ClosedForm::Spherical => out[3..6].copy_from_slice(&turn.to_array()),
            _ => {}
        }
    }

    /// Coordinates and rates of a closed joint from the poses; angles near the counted turns.
    pub(crate) fn read(
        &self,
        joint: &ModelJoint,
        motions: &[Motion],
        turns: &[f64],
        p: &mut [f64],
        rate: &mut [f64],
    ) {
        let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
        p.copy_from_slice(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        rate.fill(0.0);
        let relative = Relative::new(&a, &b);
        if self.shape == ClosedForm::Spherical {
            let turn = (a.rot.inverse() * b.rot).renormalized();
            p[3..].copy_from_slice(&turn.to_wxyz());
            rate[3..].copy_from_slice(&relative.spin.to_array());
            return;
        }
        let raw = crate::measure::coordinates::raw(joint, &relative);
        for k in 0..self.kind.coordinates() {
            p[k] = joint.turns_of(k).map_or(raw.value[k], |at| unwrap_near(raw.value[k], turns[at]));
            rate[k] = raw.rate[k];
        }
    }

    /// Pose and velocity of the child's body. Of the two quaternions of an orientation the one
    /// nearer to `q` is taken.
    pub(crate) fn place(&self, motions: &[Motion], p: &[f64], rate: &[f64], q: &mut [f64], v: &mut [f64]) {
        let from = frame(motions, &self.parent);
        let at = if self.onto_b { self.b_from(&from, p, rate) } else { self.a_from(&from, p, rate) };
        let mut rot = (at.rot * self.body_in_frame).renormalized();
        let before = quat(q);
        if rot.w * before.w + rot.v.dot(before.v) < 0.0 {
            rot = -rot;
        }
        let arm = rot.matrix() * self.child.local.pos;
        let pos = at.pos - arm;
        let vel = at.vel - at.omega.cross(arm);
        q[..3].copy_from_slice(&pos.to_array());
        q[3..].copy_from_slice(&rot.to_wxyz());
        v[..3].copy_from_slice(&vel.to_array());
        v[3..].copy_from_slice(&at.omega.to_array());
    }

    /// Joint frame of b from that of a.
    fn b_from(&self, a: &FrameMotion, p: &[f64], rate: &[f64]) -> PlacedFrame {
        let ((y, turn), (y_rate, spin)) = (self.pose(p), self.rates(p, rate));
        let axes = a.rot.matrix();
        let d = axes * y;
        PlacedFrame {
            pos: a.pos + d,
            rot: a.rot * turn,
            vel: a.vel + a.omega.cross(d) + axes * y_rate,
            omega: a.omega + axes * spin,
        }
    }

    /// Joint frame of a from that of b.
    fn a_from(&self, b: &FrameMotion, p: &[f64], rate: &[f64]) -> PlacedFrame {
        let ((y, turn), (y_rate, spin)) = (self.pose(p), self.rates(p, rate));
        let rot = b.rot * turn.inverse();
        let axes = rot.matrix();
        let (d, omega) = (axes * y, b.omega - axes * spin);
        PlacedFrame { pos: b.pos - d, rot, vel: b.vel - omega.cross(d) - axes * y_rate, omega }
    }
}

/// Pose and velocity of the child's joint frame.
struct PlacedFrame {
    pos: Vec3,
    rot: Quat,
    vel: Vec3,
    omega: Vec3,
}

/// x_b of a universal joint in a's axes.
fn second_axis(p: &[f64]) -> Vec3 {
    let (s, c) = libm::sincos(p[0]);
    vec3(c, s, 0.0)
}

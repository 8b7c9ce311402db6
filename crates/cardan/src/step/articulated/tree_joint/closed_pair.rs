//! Closed lower pairs, from their arms and axes in world axes: motion subspace, velocity bias, what is left
//! along the locked directions, and what a displacement of the parent makes of that of the child.
//!
//! ```text
//! revolute, spherical   anchors agree                  axes agree; nothing
//! universal             anchors agree                  z_a ⟂ x_b:  ω along n = z_a × x_b is locked
//! prismatic             b's anchor is on the axis z_a  all rotations are locked
//! cylindrical           b's anchor is on the axis z_a  axes agree
//! ```
//!
//! [`JointFrames`] has both arms, z_a, and z_b (x_b of a universal joint). These are what Euler steps keep
//! of a pose; joints that are not listed are measured by `gap.rs` each time.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Quat, Six, Vec3};
use crate::model::Model;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::tree_joint::{TreeJoint, bias_of_anchor, perpendicular_part};
use cardan_solve::articulated::{Node, NodeExtra};

/// Velocity of b relative to a along the locked directions of a joint: translation of b's anchor and
/// rotation.
pub(crate) struct LockedRates {
    pub(crate) shift: Vec3,
    pub(crate) turn: Vec3,
    /// b's anchor, from the centre of mass of a.
    pub(crate) to_anchor: Vec3,
}

impl TreeJoint {
    /// True for a lower pair that this file has formulas for, between rigid bodies and without drives.
    #[inline(always)]
    pub(crate) fn is_closed_pair(&self) -> bool {
        let has_formulas = matches!(
            self.shape,
            ClosedForm::Revolute
                | ClosedForm::Spherical
                | ClosedForm::Universal
                | ClosedForm::Prismatic
                | ClosedForm::Cylindrical
        );
        has_formulas && self.closes()
    }

    /// Orientation of the child seen from its parent, where the joint locks all rotations.
    #[inline(always)]
    pub(crate) fn locked_orientation(&self, model: &Model) -> Quat {
        let joint = self.joint(model);
        let (of_a, of_b) = (joint.a.local.rot, joint.b.local.rot);
        if self.onto_b { of_a * of_b.inverse() } else { of_b * of_a.inverse() }
    }

    /// Velocities along the locked directions.
    #[inline(always)]
    pub(crate) fn locked_rates(&self, frames: &JointFrames, motions: &[Motion]) -> LockedRates {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let to_anchor = b.pos + frames.arm_b - a.pos;
        let shift = (b.vel + b.omega.cross(frames.arm_b)) - (a.vel + a.omega.cross(to_anchor));
        let turn = self.locked_turn(frames, b.omega - a.omega);
        LockedRates { shift: self.locked_shift(frames, shift), turn, to_anchor }
    }

    /// The part of a translation of b's anchor relative to a that the joint locks.
    #[inline(always)]
    pub(super) fn locked_shift(&self, frames: &JointFrames, shift: Vec3) -> Vec3 {
        match self.shape {
            ClosedForm::Prismatic | ClosedForm::Cylindrical => perpendicular_part(shift, frames.z_a),
            _ => shift,
        }
    }

    /// The part of a rotation of b relative to a that the joint locks.
    #[inline(always)]
    pub(super) fn locked_turn(&self, frames: &JointFrames, spin: Vec3) -> Vec3 {
        match self.shape {
            ClosedForm::Spherical => Vec3::ZERO,
            ClosedForm::Prismatic => spin,
            ClosedForm::Universal => {
                let n = frames.z_a.cross(frames.z_b);
                n * (n.dot(spin) / n.dot(n))
            }
            _ => perpendicular_part(spin, frames.z_b),
        }
    }

    /// Error of a closed joint: what is left along its locked translations, and of its locked rotations.
    #[inline(always)]
    pub(crate) fn locked_offsets(
        &self,
        model: &Model,
        frames: &JointFrames,
        motions: &[Motion],
        to_anchor: Vec3,
    ) -> (Vec3, Vec3) {
        let shift = self.locked_shift(frames, to_anchor - frames.arm_a);
        let turn = match self.shape {
            ClosedForm::Spherical => Vec3::ZERO,
            ClosedForm::Prismatic => {
                let joint = self.joint(model);
                let [a, b] = [self.a, self.b].map(|end| motions[end as usize].rot);
                ((a * joint.a.local.rot).inverse() * (b * joint.b.local.rot)).v * 2.0
            }
            ClosedForm::Universal => Vec3::new(frames.z_a.dot(frames.z_b), 0.0, 0.0),
            _ => frames.z_a.cross(frames.z_b),
        };
        (shift, turn)
    }

    /// Writes shift and motion subspace N.
    #[inline(always)]
    pub(crate) fn write_closed_subspace(
        &self,
        frames: &JointFrames,
        motions: &[Motion],
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let (sign, arm) = (self.sign(), self.arm_to_anchor(frames, a, b));
        node.shift = if self.onto_b { b.pos - a.pos } else { a.pos - b.pos };
        let about = |e: Vec3| Six::new(arm.cross(e), e).scaled(sign);
        let along = |e: Vec3| Six::new(e, Vec3::ZERO).scaled(sign);
        match self.shape {
            ClosedForm::Spherical if node.is_ball() => node.first = Six::new(arm, Vec3::ZERO),
            ClosedForm::Spherical => {
                node.first = about(Vec3::X);
                node_extra.columns = [about(Vec3::Y), about(Vec3::Z)];
            }
            ClosedForm::Prismatic => node.first = along(frames.z_a),
            ClosedForm::Cylindrical => {
                node.first = along(frames.z_a);
                node_extra.columns[0] = about(frames.z_b);
            }
            ClosedForm::Universal => {
                node.first = about(frames.z_a);
                node_extra.columns[0] = about(frames.z_b);
            }
            _ => node.first = about(frames.z_b),
        }
    }

    /// γ that removes velocities along the locked directions.
    #[inline(always)]
    pub(crate) fn gamma_of_rates(&self, rates: &LockedRates, frames: &JointFrames) -> Six {
        let arm = if self.onto_b { frames.arm_b } else { rates.to_anchor };
        let sign = -self.sign();
        let turn = rates.turn * sign;
        Six::new(rates.shift * sign + arm.cross(turn), turn)
    }

    /// γ of the closed joint, the locked part of b_d, and −b_w + u.
    #[inline(always)]
    pub(crate) fn gamma_of_closed(&self, frames: &JointFrames, motions: &[Motion]) -> (Six, Vec3, Vec3) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let (to_anchor, spin_b) = (b.pos + frames.arm_b - a.pos, b.omega.cross(frames.arm_b));
        let locked = self.locked_shift(frames, bias_of_anchor(a, b, to_anchor, spin_b));
        let sign = self.sign();
        let mut turn = a.omega.cross(b.omega);
        if self.shape == ClosedForm::Universal {
            // ẍ_b must keep the axes of the cross perpendicular.
            let (z_a, x_b, spin) = (frames.z_a, frames.z_b, b.omega - a.omega);
            let n = z_a.cross(x_b);
            turn += n * (z_a.dot(spin.cross(spin.cross(x_b))) / n.dot(n));
        }
        let arm = if self.onto_b { frames.arm_b } else { to_anchor };
        let signed = turn * sign;
        (Six::new(locked * -sign + arm.cross(signed), signed), locked, turn)
    }

    /// Displacement of the child that its parent and its own freedoms make, where its own displacement `x`
    /// is known up to an error that would open the joint.
    #[inline(always)]
    pub(crate) fn carried(&self, frames: &JointFrames, motions: &[Motion], parent: &Six, x: &Six) -> Six {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let sign = self.sign();
        let own = (x.ang - parent.ang) * sign;
        let turn = parent.ang + (own - self.locked_turn(frames, own)) * sign;
        let to_anchor = b.pos + frames.arm_b - a.pos;
        let (arm_child, arm_parent) =
            if self.onto_b { (frames.arm_b, to_anchor) } else { (to_anchor, frames.arm_b) };
        let mut lin = parent.lin + parent.ang.cross(arm_parent) - turn.cross(arm_child);
        if let ClosedForm::Prismatic | ClosedForm::Cylindrical = self.shape {
            lin += frames.z_a * frames.z_a.dot(x.lin - lin);
        }
        Six::new(lin, turn)
    }

    /// Arm from the child's centre of mass to b's anchor.
    #[inline(always)]
    fn arm_to_anchor(&self, frames: &JointFrames, a: &Motion, b: &Motion) -> Vec3 {
        if self.onto_b { frames.arm_b } else { b.pos + frames.arm_b - a.pos }
    }
}

//! Joint errors: C and Ċ of a joint as a translation and a rotation of b relative to a.

use crate::body::Motion;
use crate::joint::{ClosedForm, JointKind};
use crate::math::{Six, Vec3, larger};
use crate::model::Model;
use crate::step::articulated::measure::{BOTH, POSES, RATES};
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint, perpendicular_part};
use cardan_solve::articulated::{Form, Node, NodeExtra};

/// Joint error: translation and rotation of b relative to a along the locked directions, and their
/// rates; world axes.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct JointGap {
    pub(crate) shift: Vec3,
    pub(crate) turn: Vec3,
    pub(crate) shift_rate: Vec3,
    pub(crate) turn_rate: Vec3,
    /// Sizes of the terms that form the translation, its rate, and the rate of the rotation.
    pub(crate) reach: f64,
    pub(crate) reach_rate: f64,
    pub(crate) reach_spin: f64,
}

impl JointGap {
    /// Copies the position part or the velocity part of another measurement.
    fn take<const WHAT: u8>(&mut self, other: &JointGap) {
        if WHAT & POSES != 0 {
            (self.shift, self.turn, self.reach) = (other.shift, other.turn, other.reach);
        }
        if WHAT & RATES != 0 {
            (self.shift_rate, self.turn_rate) = (other.shift_rate, other.turn_rate);
            (self.reach_rate, self.reach_spin) = (other.reach_rate, other.reach_spin);
        }
    }
}

impl TreeJoint {
    /// Measures the joint error: position part, velocity part or both. A joint given by its rows
    /// has their errors in the first components of translation and translation rate.
    #[inline(always)]
    pub(crate) fn write_gap<const WHAT: u8>(&self, model: &Model, motions: &[Motion], out: &mut JointGap) {
        match self.shape {
            ClosedForm::Revolute if self.drives.is_none() => {
                let pair = &BodyPair::new(self, motions);
                self.write_anchor_gap::<WHAT>(pair, out);
                self.write_axis_gap::<WHAT>(pair, pair.b.omega - pair.a.omega, out);
            }
            ClosedForm::Spherical if self.drives.is_none() => {
                self.write_anchor_gap::<WHAT>(&BodyPair::new(self, motions), out);
            }
            _ => self.write_general_gap::<WHAT>(model, motions, out),
        }
    }

    /// Measures the error of any joint.
    #[inline(never)]
    fn write_general_gap<const WHAT: u8>(&self, model: &Model, motions: &[Motion], out: &mut JointGap) {
        if !self.is_lower_pair() || self.drives.is_some() {
            let whole = self.gap(model, motions);
            return out.take::<WHAT>(&whole);
        }
        self.write_lower_pair_gap::<WHAT>(model, motions, out);
    }

    /// Error of a joint that keeps its anchors together, and the sizes of the terms.
    #[inline(always)]
    fn write_anchor_gap<const WHAT: u8>(&self, pair: &BodyPair<'_>, gap: &mut JointGap) {
        let (a, b) = (pair.a, pair.b);
        let (size_a, size_b) = (pair.arm_a.reach(), pair.arm_b.reach());
        if WHAT & POSES != 0 {
            (gap.shift, gap.turn) = (pair.offset, Vec3::ZERO);
            gap.reach = a.pos.reach() + size_a + b.pos.reach() + size_b;
        }
        if WHAT & RATES != 0 {
            let (spin_a, spin_b) = (a.omega.reach(), b.omega.reach());
            gap.shift_rate = pair.offset_rate() - a.omega.cross(pair.offset);
            gap.turn_rate = Vec3::ZERO;
            gap.reach_rate =
                a.vel.reach() + spin_a * (size_a + pair.offset.reach()) + b.vel.reach() + spin_b * size_b;
            gap.reach_spin = spin_a + spin_b;
        }
    }

    /// Measures the error of a joint with drives, or of one given by its rows.
    fn gap(&self, model: &Model, motions: &[Motion]) -> JointGap {
        let mut gap = JointGap::default();
        self.write_lower_pair_gap::<BOTH>(model, motions, &mut gap);
        if !self.is_lower_pair() {
            self.write_row_gap(model, motions, &mut gap);
        } else if let Some(drives) = &self.drives {
            drives.add_gap(&self.relative_at(model, motions), &mut gap);
        }
        gap
    }

    /// Measures the error of a lower pair without its drives.
    #[inline(always)]
    fn write_lower_pair_gap<const WHAT: u8>(&self, model: &Model, motions: &[Motion], gap: &mut JointGap) {
        let pair = &BodyPair::new(self, motions);
        let (a, b) = (pair.a, pair.b);
        let spin = b.omega - a.omega;
        self.write_anchor_gap::<WHAT>(pair, gap);
        // Translations along the axis are free.
        let remove_along_axis = |gap: &mut JointGap| {
            let z_a = a.axes * self.z_a;
            if WHAT & POSES != 0 {
                gap.shift = perpendicular_part(gap.shift, z_a);
            }
            if WHAT & RATES != 0 {
                gap.shift_rate = perpendicular_part(gap.shift_rate, z_a);
            }
        };
        match self.shape {
            ClosedForm::Revolute => self.write_axis_gap::<WHAT>(pair, spin, gap),
            ClosedForm::Spherical => {}
            ClosedForm::Prismatic => {
                remove_along_axis(gap);
                self.write_rotation_gap(model, pair, spin, gap);
            }
            ClosedForm::Cylindrical => {
                remove_along_axis(gap);
                self.write_axis_gap::<WHAT>(pair, spin, gap);
            }
            ClosedForm::Universal => {
                let (z_a, x_b) = (a.axes * self.z_a, self.x_b(b));
                let n = z_a.cross(x_b);
                if WHAT & POSES != 0 {
                    gap.turn = n * (-z_a.dot(x_b) / n.dot(n));
                }
                if WHAT & RATES != 0 {
                    gap.turn_rate = n * (n.dot(spin) / n.dot(n));
                }
            }
            ClosedForm::Planar => {
                let z_a = a.axes * self.z_a;
                if WHAT & POSES != 0 {
                    gap.shift = z_a * z_a.dot(gap.shift);
                }
                if WHAT & RATES != 0 {
                    gap.shift_rate = z_a * z_a.dot(gap.shift_rate);
                }
                self.write_axis_gap::<WHAT>(pair, spin, gap);
            }
            ClosedForm::Fixed => self.write_rotation_gap(model, pair, spin, gap),
            ClosedForm::Rows => {}
        }
    }

    /// Misalignment of two axes that must agree, and its rate.
    #[inline(always)]
    fn write_axis_gap<const WHAT: u8>(&self, pair: &BodyPair<'_>, spin: Vec3, gap: &mut JointGap) {
        let z_b = pair.b.axes * self.z_b;
        if WHAT & POSES != 0 {
            let z_a = pair.a.axes * self.z_a;
            // Divided by the cosine, −turn is a Newton step: z_b meets z_a up to second order.
            gap.turn = z_a.cross(z_b) / z_a.dot(z_b);
        }
        if WHAT & RATES != 0 {
            gap.turn_rate = perpendicular_part(spin, z_b);
        }
    }

    /// Error of a joint that locks all rotations, and its rate: 2 q_v/q_w, with q the rotation of
    /// b's frame relative to a's.
    fn write_rotation_gap(&self, model: &Model, pair: &BodyPair<'_>, spin: Vec3, gap: &mut JointGap) {
        let joint = self.joint(model);
        let frame_a = pair.a.rot * joint.a.local.rot;
        let turn = frame_a.inverse() * (pair.b.rot * joint.b.local.rot);
        gap.turn = frame_a * (turn.v * (2.0 / turn.w));
        gap.turn_rate = spin;
    }

    /// Errors of a joint given by its rows.
    fn write_row_gap(&self, model: &Model, motions: &[Motion], gap: &mut JointGap) {
        let (relative, rows) = self.rows(model, motions);
        let (mut err, mut rate, mut size) = ([0.0; 3], [0.0; 3], 0.0);
        for r in 0..rows.count {
            err[r] = rows.err[r];
            rate[r] = rows.err_rate(r, &relative);
            size = if rows.scale[r] > size { rows.scale[r] } else { size };
        }
        gap.shift = Vec3::new(err[0], err[1], err[2]);
        gap.shift_rate = Vec3::new(rate[0], rate[1], rate[2]);
        gap.reach = size;
        match self.joint(model).kind {
            JointKind::Lock { locks } if locks.shifts() > 0 => {
                gap.reach_rate = larger(gap.reach_rate, gap.reach_spin);
            }
            kind => match (kind.about().locks.shifts(), kind.about().locks.turns()) {
                (0, _) => gap.reach_rate = gap.reach_spin,
                (_, 0) => {}
                _ => gap.reach_rate = larger(gap.reach_rate, gap.reach_spin),
            },
        }
        gap.reach_rate += rows.rates.iter().fold(0.0, |sum, rate| sum + rate.abs());
    }

    /// Writes γ (or biases) that remove a translation and a rotation.
    #[inline(always)]
    pub(crate) fn write_gap_gamma(
        &self,
        motions: &[Motion],
        shift: Vec3,
        turn: Vec3,
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        if let Form::Rows(_) = node.form() {
            node_extra.bias = [shift.x, shift.y, shift.z];
            return;
        }
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let arm_b = b.axes * self.pos_b;
        let arm = if self.onto_b { arm_b } else { b.pos + arm_b - a.pos };
        let sign = -self.sign();
        let turn = turn * sign;
        node.gamma = Six::new(shift * sign + arm.cross(turn), turn);
    }
}

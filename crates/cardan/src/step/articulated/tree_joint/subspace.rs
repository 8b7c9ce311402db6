//! Motion subspace N (or rows) and bias γ of any tree joint, as input of the elimination.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint};
use cardan_solve::articulated::{Form, Node, NodeExtra};

impl TreeJoint {
    /// Writes shift, motion subspace (or rows) and γ (or biases).
    #[inline(always)]
    pub(crate) fn write(
        &self,
        model: &Model,
        motions: &[Motion],
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        self.write_subspace(model, motions, node, node_extra);
        if let Form::Freedoms(_) = node.form() {
            self.write_rhs(model, motions, node, node_extra);
        }
    }

    /// Writes shift and motion subspace, or the rows with their biases.
    #[inline(always)]
    pub(crate) fn write_subspace(
        &self,
        model: &Model,
        motions: &[Motion],
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        if let Form::Rows(m) = node.form() {
            return self.write_rows(model, motions, node, node_extra, m as usize);
        }
        let pair = &BodyPair::new(self, motions);
        let (sign, arm) = (self.sign(), self.arm(pair));
        node.shift = self.shift(pair);
        let about = |e: Vec3| Six::new(arm.cross(e), e).scaled(sign);
        let along = |e: Vec3| Six::new(e, Vec3::ZERO).scaled(sign);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        match self.shape {
            ClosedForm::Revolute => node.first = about(z_b),
            ClosedForm::Spherical if self.child_is_point => {}
            ClosedForm::Spherical if node.is_ball() => node.first = Six::new(arm, Vec3::ZERO),
            ClosedForm::Spherical => {
                node.first = about(Vec3::X);
                node_extra.columns = [about(Vec3::Y), about(Vec3::Z)];
            }
            ClosedForm::Prismatic => node.first = along(z_a),
            ClosedForm::Cylindrical => {
                node.first = along(z_a);
                node_extra.columns[0] = about(z_b);
            }
            ClosedForm::Universal => {
                node.first = about(z_a);
                node_extra.columns[0] = about(self.x_b(pair.b));
            }
            ClosedForm::Planar => {
                let x_a = self.x_a(model, pair.a);
                node.first = along(x_a);
                node_extra.columns = [along(z_a.cross(x_a)), about(z_b)];
            }
            // No freedoms; joints given by their rows were written above.
            ClosedForm::Fixed | ClosedForm::Rows => {}
        }
        if let Some(drives) = &self.drives {
            drives.remove_driven(node, node_extra);
        }
    }

    /// Writes γ (or biases), bit by bit those of [`write`](TreeJoint::write).
    #[inline(always)]
    pub(crate) fn write_rhs(
        &self,
        model: &Model,
        motions: &[Motion],
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        if let Form::Rows(m) = node.form() {
            let (relative, rows) = self.rows(model, motions);
            for r in 0..m as usize {
                node_extra.bias[r] = rows.jac_dot_v(r, &relative);
            }
            return;
        }
        let pair = &BodyPair::new(self, motions);
        let (sign, arm) = (self.sign(), self.arm(pair));
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let (locked, turn) = self.bias(model, pair, z_a, z_b);
        if self.shape == ClosedForm::Spherical && self.drives.is_none() {
            // All rotations are free, so that γ_ω is arbitrary.
            node.gamma = Six::new(locked * -sign, Vec3::ZERO);
            return;
        }
        let turn = turn * sign;
        node.gamma = Six::new(locked * -sign + arm.cross(turn), turn);
    }

    /// Writes rows J_c and biases of a joint with more freedoms than rows.
    fn write_rows(
        &self,
        model: &Model,
        motions: &[Motion],
        node: &mut Node,
        node_extra: &mut NodeExtra,
        m: usize,
    ) {
        let (relative, rows) = self.rows(model, motions);
        let pair = &BodyPair::new(self, motions);
        let (arm, sign) = (self.arm(pair), self.sign());
        node.shift = self.shift(pair);
        for r in 0..m {
            let w = relative.to_world(rows.gradient[r]);
            let row = Six::new(w.force, w.torque + arm.cross(w.force)).scaled(sign);
            if r == 0 {
                node.first = row;
            } else {
                node_extra.columns[r - 1] = row;
            }
            node_extra.bias[r] = rows.jac_dot_v(r, &relative);
        }
    }
}

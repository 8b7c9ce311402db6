//! Driven joint coordinates. A drive removes its column from the motion subspace of a joint and
//! adds the prescribed acceleration along it to γ:
//!
//! ```text
//! x_c = X x_p + γ + N s,      G·(relative acceleration) + h = s̈     for every driven coordinate
//! s   = s̈ − h − G·(β, τ)
//! ```
//!
//! G: gradient of the coordinate; h: its velocity-dependent part; s̈: target; (β, τ): relative
//! acceleration due to γ alone (translation and rotation of b relative to a); the column n has G·n
//! = 1.
//!
//! The error along a driven coordinate is likewise what G sees beyond the rest of the error. The
//! force of the drive is the product of its column with the load: no other part of the joint's load
//! has a component along it.

use crate::body::Wrench;
use crate::joint::drive::{CoordinateRow, Driven};
use crate::joint::{JointKind, JointRows, MAX_COORDINATES, Relative};
use crate::law::Jet;
use crate::math::{Six, Vec3};
use crate::step::articulated::tree_joint::JointGap;
use cardan_solve::articulated::{Node, NodeExtra};

/// Drives of a joint, with their present targets.
#[derive(Clone, Debug)]
pub(crate) struct JointDrives {
    kind: JointKind,
    driven: Driven,
    targets: [Jet; MAX_COORDINATES],
}

/// A driven coordinate in world axes.
pub(crate) struct DrivenRow {
    pub(crate) gradient: Wrench,
    pub(crate) column: Wrench,
    row: CoordinateRow,
    k: usize,
}

impl JointDrives {
    /// Drives of a joint; `None` if no coordinate is driven.
    pub(crate) fn new(kind: JointKind, driven: Driven) -> Option<Box<Self>> {
        let targets = [Jet::default(); MAX_COORDINATES];
        driven.is_any().then(|| Box::new(JointDrives { kind, driven, targets }))
    }

    /// Sets the targets of the drives.
    pub(crate) fn set_targets(&mut self, targets: &[Jet]) {
        for (k, drive) in self.driven.each() {
            self.targets[k] = targets[drive];
        }
    }

    /// True if coordinate `k` of the joint is driven.
    pub(crate) fn drives_coordinate(&self, k: usize) -> bool {
        self.driven.by[k].is_some()
    }

    /// Targets of the driven coordinates, in the order of the rows.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Jet> {
        self.driven.each().map(|(k, _)| &self.targets[k])
    }

    /// Writes the rows of the drives, after those of the joint.
    pub(crate) fn write_rows(&self, at: &Relative, out: &mut JointRows) {
        let mut own = self.driven;
        // The targets here are indexed by coordinate.
        own.by.iter_mut().enumerate().for_each(|(k, by)| *by = by.map(|_| k as u32));
        own.write_rows(self.kind, at, &self.targets, out);
    }

    /// Gradients and columns of the driven coordinates in world axes.
    pub(crate) fn rows_in_world<'p>(&'p self, at: &'p Relative) -> impl Iterator<Item = DrivenRow> + 'p {
        self.driven.each().map(|(k, _)| {
            let row = self.kind.coordinate_row(k, at);
            DrivenRow { gradient: at.to_world(row.gradient), column: at.to_world(row.column), row, k }
        })
    }

    /// Keeps the columns that are not driven, in the order of the coordinates.
    pub(crate) fn remove_driven(&self, node: &mut Node, node_extra: &mut NodeExtra) {
        let all = [node.first, node_extra.columns[0], node_extra.columns[1]];
        let mut free =
            all.into_iter().enumerate().filter(|(k, _)| !self.drives_coordinate(*k)).map(|(_, c)| c);
        node.first = free.next().unwrap_or(node.first);
        for column in &mut node_extra.columns {
            *column = free.next().unwrap_or(*column);
        }
    }

    /// Removes the driven columns from the geometry of a joint.
    pub(crate) fn remove_driven_columns(&self, columns: &mut [Six], count: &mut usize) {
        let mut kept = 0;
        for k in 0..*count {
            if !self.drives_coordinate(k) {
                columns[kept] = columns[k];
                kept += 1;
            }
        }
        *count = kept;
    }

    /// Adds the prescribed accelerations to the locked part of the translational bias and to the
    /// rotational bias. `bias` is the whole translational bias, `carried` is ω_a × ω_b; world axes.
    pub(crate) fn add_bias(
        &self,
        at: &Relative,
        bias: Vec3,
        carried: Vec3,
        locked: &mut Vec3,
        turn: &mut Vec3,
    ) {
        for driven_row in self.rows_in_world(at) {
            let seen = driven_row.gradient.force.dot(bias - *locked)
                + driven_row.gradient.torque.dot(*turn - carried);
            let s = self.targets[driven_row.k].second - driven_row.row.velocity_term - seen;
            *locked -= driven_row.column.force * s;
            *turn += driven_row.column.torque * s;
        }
    }

    /// Adds the errors of the driven coordinates, and their rates.
    pub(crate) fn add_gap(&self, at: &Relative, gap: &mut JointGap) {
        for driven_row in self.rows_in_world(at) {
            let target = &self.targets[driven_row.k];
            let (off, size) = self.driven.off(self.kind, driven_row.k, &driven_row.row, target, at);
            let seen = |shift: Vec3, turn: Vec3| {
                driven_row.gradient.force.dot(shift) + driven_row.gradient.torque.dot(turn)
            };
            let left = off - seen(gap.shift, gap.turn);
            let (g, rate) = (&driven_row.row.gradient, target.rate);
            let off_rate = g.force.dot(at.rate) + g.torque.dot(at.spin) - rate;
            let left_rate = off_rate - seen(gap.shift_rate, gap.turn_rate);
            gap.shift += driven_row.column.force * left;
            gap.turn += driven_row.column.torque * left;
            gap.shift_rate += driven_row.column.force * left_rate;
            gap.turn_rate += driven_row.column.torque * left_rate;
            if self.kind.is_angle(driven_row.k) {
                gap.reach_spin += rate.abs();
            } else {
                gap.reach = size;
                gap.reach_rate += rate.abs();
            }
        }
    }

    /// Adds the driven components to a residual without its free components; `whole` is the
    /// residual with them.
    pub(crate) fn add_residual(&self, at: &Relative, whole: (Vec3, Vec3), shift: &mut Vec3, spin: &mut Vec3) {
        for driven_row in self.rows_in_world(at) {
            *shift += driven_row.column.force * driven_row.gradient.force.dot(whole.0);
            *spin += driven_row.column.torque * driven_row.gradient.torque.dot(whole.1);
        }
    }
}

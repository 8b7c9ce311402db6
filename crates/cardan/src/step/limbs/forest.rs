//! Hinges and balls of the forest closed one after another, from the roots: every body is put where its parent wants it.
//!
//! That is exact where a correction is not, and costs no solve; but it moves bodies without regard to their masses. So it is for gaps of h³
//! and less. What is left are the joints that close loops.

use super::{Limbs, Place};
use crate::body::{BodyKind, Motion};
use crate::joint::JointKind;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::step::Workspace;

impl Place {
    /// Whether the body can be put where its parent wants it.
    pub(super) fn closes(&self) -> bool {
        self.kind == BodyKind::Rigid && self.hold.as_ref().is_none_or(|hold| hold.closes())
    }
}

/// Whether all joints of the forest can be closed one after another, and there are others.
pub(in crate::step) fn closes_forest(work: &Workspace) -> bool {
    work.limbs.as_ref().is_some_and(|limbs| limbs.closes_forest)
}

/// Closes them: coordinates of `work.next`, and the poses of `work.motions`.
pub(in crate::step) fn close_forest(model: &Model, work: &mut Workspace) {
    let Workspace { limbs, motions, next, .. } = work;
    let Some(limbs) = limbs else { return };
    // A parent is behind its children.
    for place in limbs.places.iter().rev() {
        let body = place.body as usize;
        let Some((q, _)) = next.q[model.bodies[body].q_range()].split_first_chunk_mut::<7>() else {
            continue;
        };
        let mut pos = Vec3::new(q[0], q[1], q[2]);
        let mut rot = Quat { w: q[3], v: Vec3::new(q[4], q[5], q[6]) };
        let mut axes = rot.matrix();
        if let Some(hold) = &place.hold {
            let (parent, own, theirs) = hold.sides();
            let parent: &Motion = &motions[parent];
            if hold.kind() == JointKind::Revolute {
                // A turn that takes one axis to the other, up to its cube.
                let turn = (axes * own.1).cross(parent.axes * theirs.1);
                if turn != Vec3::ZERO {
                    rot = (Quat::exp(turn) * rot).renormalized();
                    axes = rot.matrix();
                }
            }
            pos = parent.pos + parent.axes * theirs.0 - axes * own.0;
            *q = [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z];
        }
        let motion = &mut motions[body];
        (motion.pos, motion.rot, motion.axes) = (pos, rot, axes);
    }
}

/// Solves for the shift that takes the gaps of the last measurement of joints that close loops away, those that are as good as zero excepted,
/// and opens no other; in `work.shift`.
pub(in crate::step) fn correct_closings(work: &mut Workspace, bound: impl Fn(f64) -> f64) {
    let Workspace { limbs, shift, counts, .. } = work;
    let Some(Limbs { spatial, places, closings, closing_gaps, .. }) = limbs else { return };
    counts.solves += 1;
    let above = |v: Vec3, size: f64| {
        let least = bound(size);
        if v.dot(v) > least * least { v } else { Vec3::ZERO }
    };
    for ((closure, closing), gap) in spatial.closures_mut().iter_mut().zip(closings).zip(closing_gaps) {
        closing.rows_of(above(gap.shift, gap.reach), above(gap.turn, 1.0), &mut closure.bias);
    }
    spatial.solve_closures(|at, x| places[at].write_x(x, shift));
}

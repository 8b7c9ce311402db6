//! Rates of the ledger: work, heat, impulse and angular impulse from outside the mechanism.

use crate::body::general::Motions;
use crate::body::{BodyKind, FrameMotion, MAX_DIM, Motion, Wrench};
use crate::math::Vec3;
use crate::model::{Attachment, Model};
use crate::state::Ledger;

/// Rates of a [`Ledger`].
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LedgerRate {
    /// Power from outside \[W\].
    pub(crate) work: f64,
    /// Heat \[W\].
    pub(crate) dissipated: f64,
    /// Power that the integration rule takes \[W\].
    pub(crate) integration_loss: f64,
    /// Force from outside \[N\].
    pub(crate) force: Vec3,
    /// Moment from outside about the origin of the world \[N·m\].
    pub(crate) moment: Vec3,
}

impl LedgerRate {
    /// Books a wrench on a body at the end of `arm`. Components that the body cannot follow (out of
    /// the plane of a planar body) are carried by the world.
    pub(crate) fn book(&mut self, kind: BodyKind, at: &Motion, arm: Vec3, wrench: Wrench) {
        let mut pull = [0.0; MAX_DIM];
        let pull = &mut pull[..kind.dim()];
        kind.pull_back(arm, wrench, pull);
        let felt = kind.as_wrench(pull);
        self.force += felt.force;
        self.moment += at.pos.cross(felt.force) + felt.torque;
    }

    /// Books a wrench at an attachment. Bodies that the world holds without a joint are booked by
    /// [`LedgerRate::book_grounded`] instead.
    #[inline]
    pub(crate) fn book_at(
        &mut self,
        model: &Model,
        motions: &Motions,
        at: &Attachment,
        frame: &FrameMotion,
        wrench: Wrench,
    ) {
        let Some(body) = at.body() else { return };
        let entry = &model.bodies[body];
        if entry.general.is_none() {
            self.book(entry.kind, &motions[body], frame.arm, wrench);
        } else if !entry.is_grounded() {
            self.force += wrench.force;
            self.moment += frame.pos.cross(wrench.force) + wrench.torque;
        }
    }

    /// Books the force of the world on bodies that it holds without a joint: the rate of their
    /// momentum at these generalised accelerations, or its jump at this change of velocities.
    pub(crate) fn book_grounded(&mut self, model: &Model, motions: &Motions, change: &[f64], is_jump: bool) {
        for (i, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.is_grounded()) {
            let Some(general) = motions.general(i) else { continue };
            let (force, moment) = general.momentum_rate(&change[body.v_range()], !is_jump);
            self.force += force;
            self.moment += moment;
        }
    }
}

/// Adds rates times `h` \[s\] to the ledger.
pub(crate) fn book(ledger: &mut Ledger, h: f64, rate: &LedgerRate) {
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.integration_loss += h * rate.integration_loss;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
}

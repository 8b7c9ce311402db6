//! The ledger of what crosses the border of the mechanism: rates of work, heat, impulse and angular impulse.

use crate::body::general::Motions;
use crate::body::{BodyKind, FrameMotion, MAX_DIM, Motion, Wrench};
use crate::math::Vec3;
use crate::model::{Attachment, Model};
use crate::state::Ledger;

/// Rates of a [`Ledger`](crate::state::Ledger).
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LedgerRate {
    pub(crate) work: f64,
    pub(crate) dissipated: f64,
    pub(crate) force: Vec3,
    pub(crate) moment: Vec3,
}

impl LedgerRate {
    /// A wrench on a body at the end of `arm`, as felt by the mechanism as a whole. What the body cannot follow (a
    /// planar body has no way out of its plane) the world holds against.
    pub(crate) fn book(&mut self, kind: BodyKind, at: &Motion, arm: Vec3, wrench: Wrench) {
        let mut pull = [0.0; MAX_DIM];
        let pull = &mut pull[..kind.dim()];
        kind.pull_back(arm, wrench, pull);
        let felt = kind.as_wrench(pull);
        self.force += felt.force;
        self.moment += at.pos.cross(felt.force) + felt.torque;
    }

    /// The same where something is attached. What the world holds without a joint feels nothing here: see [`LedgerRate::book_grounded`].
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

    /// What the world gives bodies that it holds without a joint: all that changes their momentum, with generalised accelerations, or in a
    /// jump of velocities.
    pub(crate) fn book_grounded(&mut self, model: &Model, motions: &Motions, change: &[f64], is_jump: bool) {
        for (i, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.is_grounded()) {
            let Some(general) = motions.general(i) else { continue };
            let (force, moment) = general.momentum_rate(&change[body.v_range()], !is_jump);
            self.force += force;
            self.moment += moment;
        }
    }
}

/// Rates from outside times their share of the step, onto the account.
pub(crate) fn book(ledger: &mut Ledger, h: f64, rate: &LedgerRate) {
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
}

//! Right sides for a factor at hand.

use super::{Limbs, Place};
use crate::body::Motion;
use crate::math::{Six, Sym3};
use crate::model::Model;
use crate::step::Workspace;
use cardan_solve::System;
use cardan_solve::spatial::{Limb, More};

impl Place {
    /// What is factored of what `write` gives: M, shift and freedoms (or rows).
    #[inline(never)]
    pub(super) fn write_frame(&self, model: &Model, motions: &[Motion], limb: &mut Limb, more: &mut More) {
        (limb.diag, limb.force) = self.mass_and_weight(model.gravity, &motions[self.body as usize]);
        if let Some(hold) = &self.hold {
            hold.write_frame(model, motions, limb, more);
        }
    }

    /// F and γ (or biases) alone, the very numbers that `write` gives. All joints are `closed` or may be anywhere. Returns M and F.
    #[inline(always)]
    pub(super) fn write_right(
        &self,
        model: &Model,
        motions: &[Motion],
        extra: Option<&System>,
        closed: bool,
        limb: &mut Limb,
        more: &mut More,
    ) -> (f64, Sym3, Six) {
        let (mass, mut force) = self.mass_and_weight(model.gravity, &motions[self.body as usize]);
        if let Some(system) = extra {
            force += self.extra(model, system);
        }
        limb.force = force;
        match &self.hold {
            Some(hold) if self.is_plain => limb.gamma = hold.write_plain(motions, closed).2,
            Some(hold) => hold.write_right(model, motions, limb, more),
            None => {}
        }
        (mass.a.xx, mass.c, force)
    }
}

/// M̂⁻¹ f with the factor at hand, f being F of the system; with the loads that belong to it.
pub(in crate::step) fn respond(model: &Model, work: &mut Workspace, out: &mut [f64]) {
    let Workspace { limbs, system, .. } = work;
    let Some(Limbs { spatial, places, .. }) = limbs else { return };
    for closure in spatial.closures_mut() {
        closure.bias.iter_mut().for_each(|c| *c = 0.0);
    }
    let fill = |at: usize, limb: &mut Limb, more: &mut More| {
        limb.force = places[at].extra(model, system);
        limb.gamma = Six::ZERO;
        if let cardan_solve::spatial::Form::Rows(_) = limb.form() {
            more.bias.iter_mut().for_each(|c| *c = 0.0);
        }
    };
    spatial.solve_to::<true>(fill, |at, x| places[at].write_x(x, out));
}

/// Whether a prediction is worth its solve. Where every joint is a hinge the first measured round takes away as much: the gap of h² is along the
/// arms there, and the factor of the start, though turned by h ω, closes it up to h³.
pub(in crate::step) fn is_worth_predicting(work: &Workspace) -> bool {
    work.limbs.as_ref().is_some_and(|limbs| limbs.places.iter().any(|place| !place.is_plain))
}

/// The displacement δ with J δ = −`part` c that is mass-orthogonal to what the joints allow, in `work.shift`: what a step of constant
/// velocities leaves of a joint is known up to h³ before it is taken. Right after accelerations, whose γ and biases it takes.
pub(in crate::step) fn predict(work: &mut Workspace, part: f64) {
    let Workspace { limbs, shift, counts, .. } = work;
    let Some(Limbs { spatial, places, .. }) = limbs else { return };
    counts.solves += 1;
    for closure in spatial.closures_mut() {
        closure.bias.iter_mut().for_each(|c| *c *= part);
    }
    let fill = |_: usize, limb: &mut Limb, more: &mut More| {
        limb.force = Six::ZERO;
        limb.gamma = limb.gamma.scaled(part);
        if let cardan_solve::spatial::Form::Rows(_) = limb.form() {
            more.bias.iter_mut().for_each(|c| *c *= part);
        }
    };
    spatial.solve_to::<false>(fill, |at, x| places[at].write_x(x, shift));
}

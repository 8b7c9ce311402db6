//! Right sides for a factor at hand.

use super::rates::Lever;
use super::{Limbs, Place};
use crate::body::Motion;
use crate::math::{Lane, Six, Sym3, Sym6, Vec3};
use crate::model::Model;
use crate::step::Workspace;
use cardan_solve::System;
use cardan_solve::spatial::{ALL, Limb, More, NO_LOADS};

impl Place {
    /// What is factored of what `write` gives: M, shift and freedoms (or rows).
    #[inline(never)]
    pub(super) fn write_frame(&self, model: &Model, motions: &[Motion], limb: &mut Limb, more: &mut More) {
        (limb.diag, limb.force) = self.mass_and_weight(model.gravity, &motions[self.body as usize]);
        if let Some(hold) = &self.hold {
            hold.write_frame(model, motions, limb, more);
        }
    }

    /// F and γ (or biases) alone, the very numbers that `write` gives. All joints are `closed` or may be anywhere; I and the
    /// arms may be `known`.
    #[inline(always)]
    pub(super) fn write_right(
        &self,
        model: &Model,
        motions: &[Motion],
        extra: Option<&System>,
        (closed, known): (bool, Option<(&Sym3, &Lever)>),
        limb: &mut Limb,
        more: &mut More,
    ) -> Given {
        let motion = &motions[self.body as usize];
        let (mass, mut force) = match known {
            // All bodies are rigid there.
            Some((inertia, _)) => {
                let weight = self.weight_of_rigid(inertia, model.gravity, motion);
                (Sym6::of_mass(self.mass, *inertia), weight)
            }
            None => self.mass_and_weight(model.gravity, motion),
        };
        if let Some(system) = extra {
            force += self.extra(model, system);
        }
        limb.force = force;
        let mut held = None;
        match (&self.hold, known) {
            (Some(hold), Some((_, lever))) if closed && hold.is_common() => {
                let (gamma, bias, turn) = hold.closed_gamma(motions, lever.arm_b);
                limb.gamma = gamma;
                held = Some((bias, turn));
            }
            (Some(hold), _) if self.is_plain => limb.gamma = hold.write_plain(motions, closed).2,
            (Some(hold), _) if closed && self.is_slide => limb.gamma = hold.write_slide(motions).2,
            (Some(hold), _) => hold.write_right(model, motions, limb, more),
            (None, _) => {}
        }
        Given { mass: mass.a.xx, inertia: mass.c, force, held }
    }
}

/// What the equations of a place are given: M and F, and of a joint that is closed the accelerations of its anchor and of its turn when no
/// body accelerates, if these are known.
#[derive(Copy, Clone, Debug)]
pub(super) struct Given<T: Lane = f64> {
    pub(super) mass: T,
    pub(super) inertia: Sym3<T>,
    pub(super) force: Six<T>,
    pub(super) held: Option<(Vec3<T>, Vec3<T>)>,
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
    spatial.solve_to::<ALL>(fill, |at, x| places[at].write_x(x, out));
}

/// The displacement δ with J δ = −`part` c that is mass-orthogonal to what the joints allow, in `work.shift`: what a step of constant
/// velocities leaves of a joint is known up to h³ before it is taken. Right after accelerations, whose γ and biases it takes; these do the
/// same in passing where `work.predicts` is given and nothing is spoilt.
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
    spatial.solve_to::<NO_LOADS>(fill, |at, x| places[at].write_x(x, shift));
}

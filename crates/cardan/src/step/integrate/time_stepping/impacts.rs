//! Poisson's law of restitution in a time step: impacts first, at the velocities with which the step begins, then a
//! step in which nothing rebounds.
//!
//! ```text
//! v ← v + M̂⁻¹ Jᵀ p        p: compression and expansion of what is reached within the step (`contact/impact.rs`)
//! v⁺ = v + h v̇₀ + M̂⁻¹ Jᵀ p'        as ever, with e = 0
//! ```
//!
//! Compression impulses are those of the impact alone: impulses of the step hold its weight, too, and giving part of
//! them back would make energy.
//!
//! With both laws a contact rebounds only if its flight lasts a step: at the speed e |ġ⁻| against the acceleration
//! a = (ġ⁻ − ġ_free) / h that presses it on, for 2 e |ġ⁻| / a ≥ h. A step moves a body at its speed after the impact all
//! along; what would have come down again within it would be left as high as no flight goes.

use crate::model::Model;
use crate::settings::Settings;
use crate::state::{Ledger, State};
use crate::step::contact::impact::approaches;
use crate::step::contact::rows::ContactRow;
use crate::step::contact::{ContactEntry, ContactSet};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// What a constraint does at the start of a step.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Approach {
    /// It is not reached at speed.
    None,
    /// It is reached at speed, and stopped.
    Stops,
    Rebounds,
}

impl Approach {
    /// From its row, its rate without contacts after a step of `h`, and the length of the mechanism.
    pub(super) fn of(
        item: &ContactEntry,
        row: &ContactRow,
        (free_rate, h): (f64, f64),
        settings: &Settings,
        length: f64,
    ) -> Approach {
        let e = item.material.restitution;
        // Reached within the step: slowed down to g = 0 at its end it would have no speed to rebound with.
        let is_reached = e > 0.0 && row.gap + h * row.rate <= 0.0;
        let is_closed = is_reached || row.gap <= 1e-6 * (row.scale + length);
        let is_fast = -row.rate > settings.restitution_threshold && approaches(row.rate, row.rate_scale);
        if !(is_closed && is_fast) {
            return Approach::None;
        }
        let flies = e > 0.0 && 2.0 * e * -row.rate >= row.rate - free_rate;
        if flies { Approach::Rebounds } else { Approach::Stops }
    }
}

impl ContactSet {
    /// Impacts by Poisson's law, if there are any: adds their velocities to `work.stages.next`, and observes what is
    /// within reach after them. Returns the state with which the step begins then.
    pub(super) fn rebound(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Result<Option<Box<State>>, StepError> {
        let length = work.solvers.length;
        let mut any = false;
        self.set.clear();
        for item in self.all.iter().filter(|item| !item.is_joint_friction()) {
            let row = &self.all_rows.rows[item.row];
            let free_rate = self.all_rows.dot(item.row, &work.stages.next.v) + row.time_rate;
            let mut item = *item;
            match Approach::of(&item, row, (free_rate, h), settings, length) {
                Approach::Rebounds => any = true,
                Approach::Stops => item.material.restitution = 0.0,
                Approach::None if row.gap > 1e-6 * (row.scale + length) => continue,
                // It may be compressed by others.
                Approach::None => {}
            }
            self.set.push(item);
        }
        if !any {
            return Ok(None);
        }
        let mut hit = work.stages.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
        hit.copy_from(state);
        hit.ledger = Ledger::default();
        let mut log = std::mem::take(&mut self.impact_log);
        let outcome = self.resolve_impacts(model, settings, (&mut hit, work), false, &mut log);
        self.impact_log = log;
        outcome?;
        let next = &mut work.stages.next;
        let jumps = hit.v.iter().zip(&state.v);
        next.v.iter_mut().zip(jumps).for_each(|(v, (after, before))| *v += after - before);
        next.ledger = next.ledger.with(&hit.ledger);
        refresh_motions(model, &hit, work);
        self.extend_reach(model, h, work, &[&hit.v, &work.stages.next.v]);
        self.observe_within_reach(model, &hit, &work.kinematics.motions);
        Ok(Some(hit))
    }
}

//! Removal of penetrations after a time step, in rounds of Newton's method on the gaps:
//!
//! ```text
//! 0 ≤ p ⟂ A p + g ≥ 0      q ← q ⊕ M̂⁻¹ Jᵀ p      then joints are projected
//! ```
//!
//! g: gap; A = J M̂⁻¹ Jᵀ: Delassus matrix; p: multiplier of the displacement.

use crate::math::larger;
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::articulated;
use crate::step::articulated::ArticulatedSystem;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::{ContactSet, Event, many_contacts};
use crate::step::dynamics::joint_coordinates;
use crate::step::project::general::{are_finite, bound, lost, measure, refactor};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// Largest number of rounds.
const MAX_ROUNDS: u32 = 6;
/// Penetrations up to this many rounding bounds are left (about 1e-10 of the mechanism's length).
const DEEPEST: f64 = 1e5;

/// Removes penetrations of `work.stages.next`, which is on its joints, and logs what changed.
pub(super) fn separate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    report: &mut StepReport,
    log: &mut Vec<Event>,
) -> Result<(), StepError> {
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
    // The multipliers are forces, or impulses over the length of the step.
    let (is_first_order, logged) = (settings.integrator == Integrator::FirstOrder, log.len());
    log.append(&mut contacts.impact_log);
    contacts.record_impulses(
        model,
        (state, &mut work.stages.next),
        if is_first_order { 1.0 } else { report.size },
        log,
    );
    if is_first_order {
        log[logged..].iter_mut().for_each(|event| event.impulse = 0.0);
    }
    // Inequalities of the model may depend on time.
    let is_still = work.stages.next.q == state.q && model.inequalities.is_empty();
    let outcome = contacts.separate(model, settings, is_still, work, report);
    contacts.set.clear();
    contacts.lambda.clear();
    work.contact.contacts = Some(contacts);
    outcome
}

/// Whether nothing is to be projected, so that the removal of penetrations is all that follows: the joints of a forest
/// on joint coordinates.
pub(super) fn needs_no_projection(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    work.contact.contacts.is_some() && settings.projects() && are_joints_placed(model, settings, work)
}

/// Whether all joints are those of a forest and follow from joint coordinates.
fn are_joints_placed(model: &Model, settings: &Settings, work: &Workspace) -> bool {
    let is_forest = |articulated: &ArticulatedSystem| articulated.forest.closures().is_empty();
    joint_coordinates::are_carried(settings, work)
        && model.constraints.is_empty()
        && work.solvers.articulated.as_ref().is_some_and(is_forest)
        && joint_coordinates::places_all_joints(work)
}

/// Makes `work.stages.next` the stage, and measures the errors of its joints unless they are closed by construction and
/// nobody asks.
fn measure_joints(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    if settings.accounts.is_every_step() || !are_joints_placed(model, settings, work) {
        let measured = measure(model, settings, work)?;
        (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
        return Ok(());
    }
    work.stages.stage.copy_from(&work.stages.next);
    match are_finite(&work.stages.next.v) && are_finite(&work.stages.next.q) {
        true => Ok(()),
        false => Err(lost(model, work)),
    }
}

impl ContactSet {
    /// Removes penetrations in rounds.
    fn separate(
        &mut self,
        model: &Model,
        settings: &Settings,
        is_still: bool,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.contact_residual = std::mem::take(&mut self.island_solvers.residual);
        report.newton_steps = std::mem::take(&mut self.island_solvers.newton_steps) as u64;
        if !settings.projects() {
            return Ok(());
        }
        let mut last = f64::INFINITY;
        let is_exact = !matches!(settings.integrator, Integrator::TimeStepping | Integrator::FirstOrder);
        for round in 0..MAX_ROUNDS {
            measure_joints(model, settings, work, report)?;
            let (stage, margin) = (&work.stages.stage, 1e-6 * work.solvers.length);
            match is_still && round == 0 {
                // Where nothing has moved the gaps are known.
                true => {}
                false if is_exact => self.observe_rates(model, stage, &work.kinematics.motions, margin),
                false => self.observe_gaps(model, stage, &work.kinematics.motions, margin),
            }
            let (deepest, overlap) = self.deepest(work.solvers.length);
            report.overlap = overlap;
            if deepest <= DEEPEST || deepest > 0.9 * last {
                break;
            }
            last = deepest;
            // A correction may close other gaps nearby.
            self.observe_rates(
                model,
                &work.stages.stage,
                &work.kinematics.motions,
                4.0 * overlap + 1e-6 * work.solvers.length,
            );
            if round == 0 && !articulated::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.request_gaps(model, work);
            let mut is_solved = false;
            if many_contacts::is_applicable(model, self, many_contacts::dense_rows(model, work)) {
                self.last.clear();
                let still = std::mem::take(&mut work.equations.zero_force);
                let outcome = self.solve_many(model, work, &still, many_contacts::SolveLevel::Displacements);
                work.equations.zero_force = still;
                is_solved = outcome?;
            }
            if !is_solved {
                self.write_delassus(model, work);
                let part: Vec<usize> = (0..self.set.len()).collect();
                self.solve_complementarity(
                    model,
                    &part,
                    ContactProblem::Impact,
                    false,
                    work.stages.stage.time,
                )?;
            }
            self.displace(model, settings, work, report)?;
        }
        match is_exact {
            false => Ok(()),
            true => self.separate_exactly(model, settings, work, report),
        }
    }

    /// Deepest penetration at the last evaluation: in rounding bounds, and in metres.
    fn deepest(&self, length: f64) -> (f64, f64) {
        let (mut deepest, mut overlap) = (0.0, 0.0);
        for item in &self.all {
            let row = &self.all_rows.rows[item.row];
            deepest = larger(deepest, -row.gap / bound(row.scale + length));
            overlap = larger(overlap, -row.gap);
        }
        // Avoids −0.0.
        (deepest, overlap + 0.0)
    }

    /// For a part of an event-driven step that was taken by time stepping: removes the rest of the
    /// penetrations, too. Inequalities are solved to 1e-11 of their size, equalities to rounding.
    fn separate_exactly(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ROUNDS {
            let (deepest, overlap) = self.deepest(work.solvers.length);
            report.overlap = overlap;
            if deepest <= 1.0 || deepest > 0.5 * last {
                break;
            }
            last = deepest;
            if !articulated::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.request_gaps(model, work);
            self.write_delassus(model, work);
            let is_passed = |i: &usize| self.bias[self.set[*i].row] < 0.0;
            let part: Vec<usize> = (0..self.set.len()).filter(is_passed).collect();
            self.solve_complementarity(
                model,
                &part,
                ContactProblem::Equality,
                false,
                work.stages.stage.time,
            )?;
            self.displace(model, settings, work, report)?;
            measure_joints(model, settings, work, report)?;
            self.observe_rates(
                model,
                &work.stages.stage,
                &work.kinematics.motions,
                1e-6 * work.solvers.length,
            );
        }
        Ok(())
    }
}

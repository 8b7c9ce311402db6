//! Separate.

use crate::math::larger;
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::articulated;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::{ContactSet, Event, many_contacts};
use crate::step::project::general::{bound, measure, refactor};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// Rounds that overlaps are taken away in.
const MOST: u32 = 6;
/// Overlaps of this many bounds are left (1e-10 of the length of the mechanism, about).
const DEEPEST: f64 = 1e5;

/// Takes overlaps of `work.next` away, which is on its joints; notes what happened.
pub(super) fn separate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    report: &mut StepReport,
    log: &mut Vec<Event>,
) -> Result<(), StepError> {
    let Some(mut contacts) = work.contacts.take() else { return Ok(()) };
    // Forces, or impulses over the length of the step.
    let (is_first_order, logged) = (settings.integrator == Integrator::FirstOrder, log.len());
    contacts.note_pushes(state, &mut work.next, if is_first_order { 1.0 } else { report.size }, log);
    if is_first_order {
        log[logged..].iter_mut().for_each(|event| event.impulse = 0.0);
    }
    // Conditions of the model may depend on time.
    let is_still = work.next.q == state.q && model.inequalities.is_empty();
    let outcome = contacts.separate(model, settings, is_still, work, report);
    contacts.set.clear();
    contacts.lambda.clear();
    work.contacts = Some(contacts);
    outcome
}

impl ContactSet {
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
        for round in 0..MOST {
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            // Where nothing has moved, gaps are those that were found before.
            if !(is_still && round == 0) {
                self.observe_rates(model, &work.stage, &work.motions, 1e-6 * work.length);
            }
            let (deepest, overlap) = self.deepest(work.length);
            report.overlap = overlap;
            if deepest <= DEEPEST || deepest > 0.9 * last {
                break;
            }
            last = deepest;
            // What is near may be pushed into.
            self.observe_rates(model, &work.stage, &work.motions, 4.0 * overlap + 1e-6 * work.length);
            if round == 0 && !articulated::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.request_gaps(model, work);
            if many_contacts::is_applicable(model, self, many_contacts::FEW) {
                self.last.clear();
                self.solve_many(model, work, &work.zero_force, many_contacts::SolveLevel::Displacements)?;
            } else {
                self.write_delassus(model, work);
                let part: Vec<usize> = (0..self.set.len()).collect();
                self.solve_complementarity(model, &part, ContactProblem::Impact, false, work.stage.time)?;
            }
            self.displace(model, settings, work, report)?;
        }
        match settings.integrator {
            Integrator::TimeStepping | Integrator::FirstOrder => Ok(()),
            _ => self.separate_exactly(model, settings, work, report),
        }
    }

    /// How deep the deepest overlap of the last look is: in bounds, and as it is.
    fn deepest(&self, length: f64) -> (f64, f64) {
        let (mut deepest, mut overlap) = (0.0, 0.0);
        for item in &self.all {
            let row = &self.all_rows.rows[item.row];
            deepest = larger(deepest, -row.gap / bound(row.scale + length));
            overlap = larger(overlap, -row.gap);
        }
        // Not minus zero.
        (deepest, overlap + 0.0)
    }

    /// Where a part of a step that is followed from event to event was taken with impulses, what is left is taken away too: inequalities are answered to 1e-11 of their
    /// size, rows that are kept to rounding.
    fn separate_exactly(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let mut last = f64::INFINITY;
        for _ in 0..MOST {
            let (deepest, overlap) = self.deepest(work.length);
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
            self.solve_complementarity(model, &part, ContactProblem::Equality, false, work.stage.time)?;
            self.displace(model, settings, work, report)?;
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            self.observe_rates(model, &work.stage, &work.motions, 1e-6 * work.length);
        }
        Ok(())
    }
}

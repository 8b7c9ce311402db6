//! Hold: after a step, conditions that press are brought back to g = 0 and ġ = 0, like joints.
//!
//! ```text
//! A μ = −g      q ← q ⊕ M̂⁻¹ Jᵀ μ
//! A ν = −ġ      v ← v + M̂⁻¹ Jᵀ ν
//! ```
//!
//! The corrections keep to the joints, up to what these bend on the way; so joints are projected once more after each round.

use super::Touch;
use super::impact::book_impulse;
use super::respond::respond;
use crate::math::larger;
use crate::model::Model;
use crate::step::propagate::advance;
use crate::step::stabilise::{bound, measure, project, refactor};
use crate::step::{Settings, StepError, StepReport, Workspace, limbs};
use cardan_solve::cone::Group;

/// Rounds that may be spent.
const MOST: u32 = 12;
/// Errors of this many bounds are noise that more rounds do not take away.
const NOISE: f64 = 64.0;

/// Projects `work.next`, which is on its joints, onto the conditions that pressed in the last evaluation.
pub(in crate::step) fn hold(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let Some(mut touch) = work.touch.take() else { return Ok(()) };
    let outcome = touch.hold(model, settings, work, report);
    work.touch = Some(touch);
    outcome
}

impl Touch {
    fn hold(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let presses = |l: &f64| *l > 0.0;
        if !settings.projects() || !self.lambda.iter().any(presses) || self.lambda.len() != self.set.len() {
            return Ok(());
        }
        let mut last = f64::INFINITY;
        for round in 0..MOST {
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            let pressing = self.set.iter().zip(&self.lambda).filter(|(_, l)| presses(l)).map(|(key, _)| *key);
            self.all.write(model, &work.stage, &work.motions, pressing);
            let (mut position, mut velocity) = (0.0, 0.0);
            for row in &self.all.rows {
                position = larger(position, row.gap.abs() / bound(row.scale));
                velocity = larger(velocity, row.rate.abs() / bound(row.rate_scale));
            }
            let worst = larger(position, velocity);
            if worst <= 1.0 || (worst <= NOISE && worst > 0.5 * last) || !worst.is_finite() {
                break;
            }
            last = worst;
            if round == 0 && !limbs::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            std::mem::swap(&mut self.sheet, &mut self.all);
            self.write_matrix(model, work);
            if position > 1.0 {
                self.correct(model, work, true)?;
                let Workspace { stage, shift, next, .. } = work;
                advance(model, &stage.q, shift, &mut next.q);
            }
            if velocity > 1.0 {
                self.correct(model, work, false)?;
                for (v, dv) in work.next.v.iter_mut().zip(&work.shift) {
                    *v += dv;
                }
                let Workspace { next, .. } = work;
                let mut ledger = next.ledger;
                book_impulse(model, work, &self.sheet, self.solver.lambda(), &mut ledger);
                work.next.ledger = ledger;
            }
            if !model.joints.is_empty() || !model.constraints.is_empty() {
                let measured = project(model, settings, work, report, false)?;
                (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            }
        }
        Ok(())
    }

    /// The displacement that takes the errors of the sheet away, in `work.shift`.
    fn correct(&mut self, model: &Model, work: &mut Workspace, positions: bool) -> Result<(), StepError> {
        let rows = self.sheet.rows.len();
        self.problem.begin(rows);
        self.problem.groups.fill(Group::Held);
        for row in &self.sheet.rows {
            let (err, size) = if positions { (row.gap, row.scale) } else { (row.rate, row.rate_scale) };
            self.problem.push(err, larger(size, err.abs()));
        }
        self.solve_small(model, work.stage.time)?;
        let force = work.system.force_mut();
        force.fill(0.0);
        for (row, &x) in self.solver.lambda().iter().enumerate() {
            self.sheet.add_to(model, row, x, force);
        }
        let mut shift = std::mem::take(&mut work.shift);
        respond(model, work, &mut shift);
        work.shift = shift;
        Ok(())
    }
}

//! Projection of active constraints onto g = 0 and ġ = 0 after a step.
//!
//! ```text
//! A μ = −g      q ← q ⊕ M̂⁻¹ Jᵀ μ
//! A ν = −ġ      v ← v + M̂⁻¹ Jᵀ ν
//! ```
//!
//! Constraints that were released within the step are projected onto g ≥ 0: they were active until
//! then, and their gap has the error of the step up to there.
//!
//! The corrections keep joints closed up to second order, so joints are projected after each round.

use crate::math::larger;
use crate::model::Model;
use crate::settings::Settings;
use crate::step::articulated;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::impact::book_impulse;
use crate::step::contact::{ContactSet, FrictionMode, RollingMode};
use crate::step::dynamics::kinematics::advance;
use crate::step::project::general::{bound, measure, project, refactor};
use crate::step::report::StepReport;
use crate::step::workspace::StageBuffers;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;

/// Largest number of rounds.
const MAX_ROUNDS: u32 = 12;
/// Errors up to this many rounding bounds may remain if they no longer decrease.
const NOISE: f64 = 64.0;

/// Projects `work.stages.next`, which is on its joints, onto the constraints active in the last
/// evaluation.
pub(crate) fn project_contacts(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
    let outcome = contacts.project_contacts(model, settings, work, report);
    work.contact.contacts = Some(contacts);
    outcome
}

impl ContactSet {
    /// Projects `work.stages.next` in rounds.
    fn project_contacts(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if !settings.projects() || self.study.is_some() || self.lambda.len() != self.contact_rows.rows.len() {
            return Ok(());
        }
        let holds = |item: &crate::step::contact::ContactEntry| match item.is_joint_friction() {
            true => item.mode == FrictionMode::Stick,
            false => self.lambda[item.row] > 0.0,
        };
        let (part, open): (Vec<usize>, Vec<usize>) = (0..self.set.len()).partition(|&i| holds(&self.set[i]));
        // Constraints released by the end of the step were active until then; they must not be
        // violated.
        let mut open: Vec<usize> = open.into_iter().filter(|&i| !self.set[i].is_joint_friction()).collect();
        let mut placed = part.clone();
        if part.is_empty() && open.is_empty() {
            return Ok(());
        }
        let mut last = f64::INFINITY;
        for round in 0..MAX_ROUNDS {
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            self.contact_rows.write(model, &work.stages.stage, &work.kinematics.motions, &mut self.set);
            let (mut position, mut velocity) = (0.0, 0.0);
            let ContactSet { set, contact_rows, .. } = &*self;
            open.retain(|&i| {
                let row = &contact_rows.rows[set[i].row];
                let is_passed = row.gap < -bound(row.scale + work.solvers.length);
                placed.extend(is_passed.then_some(i));
                !is_passed
            });
            for item in placed.iter().map(|&i| &self.set[i]) {
                let row = &self.contact_rows.rows[item.row];
                position = larger(position, row.gap.abs() / bound(row.scale));
            }
            for item in part.iter().map(|&i| &self.set[i]) {
                let kept = if item.mode == FrictionMode::Stick { item.tangents } else { 0 };
                for row in &self.contact_rows.rows[item.row..=item.row + kept] {
                    velocity = larger(velocity, row.rate.abs() / bound(row.rate_scale));
                }
                for (_, _, rows) in
                    item.resistances().into_iter().filter(|(turn, ..)| *turn == RollingMode::Rest)
                {
                    for row in &self.contact_rows.rows[rows] {
                        velocity = larger(velocity, row.rate.abs() / bound(row.rate_scale));
                    }
                }
            }
            let worst = larger(position, velocity);
            if worst <= 1.0 || (worst <= NOISE && worst > 0.5 * last) || !worst.is_finite() {
                break;
            }
            last = worst;
            if round == 0 && !articulated::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.write_delassus(model, work);
            if position > 1.0 {
                self.correct(model, work, &placed, true)?;
                let StageBuffers { stage, shift, next, .. } = &mut work.stages;
                advance(model, &stage.q, shift, &mut next.q);
            }
            if velocity > 1.0 {
                self.correct(model, work, &part, false)?;
                for (v, dv) in work.stages.next.v.iter_mut().zip(&work.stages.shift) {
                    *v += dv;
                }
                let mut ledger = work.stages.next.ledger;
                book_impulse(model, work, &self.contact_rows, &self.lambda, &mut ledger);
                work.stages.next.ledger = ledger;
            }
            if !model.joints.is_empty() || !model.constraints.is_empty() {
                let measured = project(model, settings, work, report, false)?;
                (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            }
        }
        // The multipliers were those of corrections, not of forces.
        self.lambda.clear();
        Ok(())
    }

    /// Solves for the displacement or velocity change that removes the errors of the rows, in
    /// `work.stages.shift`.
    fn correct(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        part: &[usize],
        positions: bool,
    ) -> Result<(), StepError> {
        self.bias.clear();
        self.bias_formed.clear();
        for row in &self.contact_rows.rows {
            let (err, size) = if positions { (row.gap, row.scale) } else { (row.rate, row.rate_scale) };
            self.bias.push(err);
            self.bias_formed.push(larger(size, err.abs()));
        }
        self.solve_complementarity(
            model,
            part,
            ContactProblem::Equality,
            !positions,
            work.stages.stage.time,
        )?;
        let x = std::mem::take(&mut self.lambda);
        self.respond_to(model, work, &x);
        self.lambda = x;
        Ok(())
    }
}

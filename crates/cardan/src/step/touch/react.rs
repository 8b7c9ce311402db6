//! React: what conditions that press push with, in every evaluation of accelerations.
//!
//! ```text
//! v̇₀ = M̂⁻¹ (F, c)                    without them
//! a = A λ + b,   b = J v̇₀ + J̇ v       0 ≤ λ ⟂ a ≥ 0
//! v̇ = M̂⁻¹ (F + Jᵀ λ, c)              one more solve
//! ```

use super::Touch;
use super::answer::Ask;
use crate::body::MAX_DIM;
use crate::math::Vec3;
use crate::model::Model;
use crate::step::{LedgerRate, Stage, StepError, Workspace, limbs};

/// After the accelerations of a stage without inequalities: those with them. F of the system then holds what they push with.
pub(in crate::step) fn react(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let Some(mut touch) = work.touch.take() else { return Ok(()) };
    let outcome = if touch.set.is_empty() { Ok(()) } else { touch.react(model, work, stage, rate) };
    work.touch = Some(touch);
    outcome
}

/// Adds to F what the conditions pushed with in the last evaluation.
pub(in crate::step) fn act(model: &Model, work: &mut Workspace) {
    let Some(touch) = &work.touch else { return };
    if touch.lambda.len() == touch.sheet.rows.len() {
        touch.add_pushes(model, &touch.lambda, work.system.force_mut());
    }
}

impl Touch {
    fn react(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        stage: Stage,
        rate: &mut LedgerRate,
    ) -> Result<(), StepError> {
        self.sheet.write(model, &work.stage, &work.motions, &mut self.set);
        if let Some(row) = self.sheet.rows.iter().position(|row| !(row.bias + row.rate).is_finite()) {
            let item = self.set.iter().rev().find(|item| item.row <= row);
            let joint = item.map_or_else(String::new, |item| item.key.subject().name(model));
            return Err(StepError::JointNotFinite { joint, time: work.stage.time, stage });
        }
        self.force.clear();
        self.force.extend_from_slice(work.system.force());
        self.bias.clear();
        self.bias_formed.clear();
        for row in 0..self.sheet.rows.len() {
            let (acc, size) = self.sheet.dot(model, row, &work.acc);
            let bias = self.sheet.rows[row].bias;
            self.bias.push(acc + bias);
            self.bias_formed.push(size + bias.abs());
        }
        self.write_matrix(model, work);
        let part: Vec<usize> = (0..self.set.len()).collect();
        self.answer(model, &part, Ask::Press, true, work.stage.time)?;

        work.system.force_mut().copy_from_slice(&self.force);
        if self.lambda.iter().any(|l| *l != 0.0) {
            self.add_pushes(model, &self.lambda, work.system.force_mut());
        }
        // Also where nothing presses: the answer at hand is that of a push.
        solve_again(model, work, stage)?;
        self.book(model, work, rate);
        Ok(())
    }

    /// Whether a row is across the normal of its contact.
    pub(super) fn is_across(&self, row: usize) -> bool {
        self.set.iter().all(|item| item.row != row)
    }

    /// What comes from outside through the conditions.
    fn book(&self, model: &Model, work: &Workspace, rate: &mut LedgerRate) {
        for (row, &lambda) in self.lambda.iter().enumerate() {
            if lambda == 0.0 {
                continue;
            }
            rate.work -= lambda * self.sheet.rows[row].time_rate;
            if self.is_across(row) {
                rate.dissipated -= lambda * self.sheet.rows[row].rate;
            }
            for block in self.sheet.blocks(&self.sheet.rows[row]) {
                let body = block.body as usize;
                let kind = model.bodies[body].kind;
                let mut pull = [0.0; MAX_DIM];
                pull.iter_mut().zip(&block.jac).for_each(|(pull, j)| *pull = lambda * j);
                rate.book(kind, &work.motions[body], Vec3::ZERO, kind.as_wrench(&pull));
            }
        }
    }
}

/// The answer to F as it stands, with the factor of this stage.
fn solve_again(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    if work.limbs.is_some() {
        return limbs::accelerations(model, work, true, stage);
    }
    work.counts.solves += work.passes();
    if let Some(solver) = &mut work.solver {
        solver.solve(work.system.force(), work.system.bias(), &mut work.acc, &mut work.lambda);
    }
    Ok(())
}

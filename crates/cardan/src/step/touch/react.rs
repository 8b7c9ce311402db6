//! React: what conditions that press push with, in every evaluation of accelerations.
//!
//! ```text
//! v̇₀ = M̂⁻¹ (F, c)                    without them
//! a = A λ + b,   b = J v̇₀ + J̇ v       0 ≤ λ ⟂ a ≥ 0
//! v̇ = M̂⁻¹ (F + Jᵀ λ, c)              one more solve
//! ```

use super::Touch;
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
        touch.add_pushes(model, &touch.sheet, &touch.lambda, work.system.force_mut());
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
        self.sheet.write(model, &work.stage, &work.motions, self.set.iter().copied());
        if let Some(row) = self.sheet.rows.iter().position(|row| !(row.bias + row.rate).is_finite()) {
            let joint = model.inequalities[self.set[row].0 as usize].name.clone();
            return Err(StepError::JointNotFinite { joint, time: work.stage.time, stage });
        }
        self.force.clear();
        self.force.extend_from_slice(work.system.force());
        self.problem.begin(self.set.len());
        for row in 0..self.set.len() {
            let (acc, size) = self.sheet.dot(model, row, &work.acc);
            let bias = self.sheet.rows[row].bias;
            self.problem.push(acc + bias, size + bias.abs());
        }
        self.write_matrix(model, work);
        self.solve_small(model, work.stage.time)?;
        self.lambda.clear();
        self.lambda.extend_from_slice(self.solver.lambda());
        self.acc.clear();
        self.acc.extend_from_slice(self.solver.a());

        work.system.force_mut().copy_from_slice(&self.force);
        if self.lambda.iter().any(|l| *l != 0.0) {
            self.add_pushes(model, &self.sheet, &self.lambda, work.system.force_mut());
        }
        // Also where nothing presses: the answer at hand is that of a push.
        solve_again(model, work, stage)?;
        self.book(model, work, rate);
        Ok(())
    }

    /// What comes from outside through the conditions.
    fn book(&self, model: &Model, work: &Workspace, rate: &mut LedgerRate) {
        for (row, &lambda) in self.lambda.iter().enumerate() {
            if lambda == 0.0 {
                continue;
            }
            rate.work -= lambda * self.sheet.rows[row].time_rate;
            for block in self.sheet.blocks(row) {
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

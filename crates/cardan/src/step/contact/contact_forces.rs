//! Contact forces of the active set, in every evaluation of accelerations.
//!
//! ```text
//! v̇₀ = solve(F, c)
//! a = A λ + b,   b = J_c v̇₀ + J̇_c v    0 ≤ λ ⟂ a ≥ 0
//! v̇ = solve(F + J_cᵀ λ, c)             one more solve
//! ```
//!
//! solve(F, c): accelerations under forces F with joint rows of bias c; v̇₀: accelerations without
//! contacts; J_c, λ: contacts; A = J_c M̂⁻¹ J_cᵀ: Delassus matrix, with M̂⁻¹ f = solve(f, 0).

use crate::body::{MAX_DIM, Wrench};
use crate::math::Vec3;
use crate::model::Model;
use crate::step::articulated;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::{ContactSet, FrictionMode, many_contacts};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::workspace::{Evaluation, Workspace};
use crate::step_error::StepError;

/// From the accelerations of a stage without contacts, those with them. F of the system then
/// includes contact forces.
pub(crate) fn solve_contact_forces(
    model: &Model,
    work: &mut Workspace,
    at: Evaluation,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
    work.equations.system.force_formed_mut().clear();
    let outcome =
        if contacts.set.is_empty() { Ok(()) } else { contacts.solve_contact_forces(model, work, at, rate) };
    work.contact.contacts = Some(contacts);
    outcome
}

/// Adds the contact forces of the last evaluation to F.
pub(crate) fn apply_contact_forces(work: &mut Workspace) {
    let Some(contacts) = &work.contact.contacts else { return };
    if contacts.lambda.len() == contacts.contact_rows.rows.len() {
        contacts.add_row_forces(&contacts.lambda, work.equations.system.force_mut());
    }
}

impl ContactSet {
    /// Solves for the forces of the set, and for accelerations with them.
    fn solve_contact_forces(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        at: Evaluation,
        rate: &mut LedgerRate,
    ) -> Result<(), StepError> {
        let stage = at.stage;
        self.contact_rows.write(model, &work.stages.stage, &work.kinematics.motions, &mut self.set);
        if let Some(row) = self.contact_rows.rows.iter().position(|row| !(row.bias + row.rate).is_finite()) {
            let item = self.set.iter().rev().find(|item| item.row <= row);
            let joint = item.map_or_else(String::new, |item| item.key.subject(model).name(model));
            return Err(StepError::JointNotFinite { joint, time: work.stages.stage.time, stage });
        }
        self.force.clear();
        self.force.extend_from_slice(work.equations.system.force());
        self.bias.clear();
        self.bias_formed.clear();
        for row in 0..self.contact_rows.rows.len() {
            let (acc, size) = self.contact_rows.dot_with_size(row, &work.equations.acc);
            let bias = self.contact_rows.rows[row].bias;
            self.bias.push(acc + bias);
            self.bias_formed.push(size + bias.abs());
        }
        let slides = self.set.iter().any(|item| matches!(item.mode, FrictionMode::Slip(_)));
        if self.has_prescribed_forces {
            self.lambda.clone_from(&self.last);
        } else if slides
            || !many_contacts::is_applicable(model, self, many_contacts::MAX_DENSE_FORCE_ROWS)
            || !self.solve_forces_of_many(model, work)?
        {
            self.write_delassus(model, work);
            let part: Vec<usize> = (0..self.set.len()).collect();
            self.solve_complementarity(model, &part, ContactProblem::Force, true, work.stages.stage.time)?;
        }

        work.equations.system.force_mut().copy_from_slice(&self.force);
        if self.lambda.iter().any(|l| *l != 0.0) {
            self.add_row_forces(&self.lambda, work.equations.system.force_mut());
            let formed = work.equations.system.force_formed_mut();
            formed.resize(model.v_len, 0.0);
            self.add_sizes(model, formed);
        }
        // Also where λ = 0: the last solve was one for a column of A.
        solve_again(model, work, at)?;
        self.book(model, work, rate);
        Ok(())
    }

    /// Forces of the set from the accelerations of the workspace, island by island.
    fn solve_forces_of_many(&mut self, model: &Model, work: &mut Workspace) -> Result<bool, StepError> {
        let acc = std::mem::take(&mut work.equations.acc);
        let outcome = self.solve_many(model, work, &acc, many_contacts::SolveLevel::Forces);
        work.equations.acc = acc;
        outcome
    }

    /// Adds |Jᵀ λ| of all rows, term by term.
    fn add_sizes(&self, model: &Model, out: &mut [f64]) {
        for (row, lambda) in self.contact_rows.rows.iter().zip(&self.lambda) {
            for block in self.contact_rows.blocks(row) {
                let range = model.bodies[block.body as usize].v_range();
                for (out, j) in out[range].iter_mut().zip(self.contact_rows.jac(block)) {
                    *out += (lambda * j).abs();
                }
            }
        }
    }

    /// Calls `visit` with the wrench of each row on each body in the last evaluation, at its centre
    /// of mass.
    pub(crate) fn each_push(&self, model: &Model, mut visit: impl FnMut(usize, Wrench)) {
        if self.set.is_empty() || self.lambda.len() != self.contact_rows.rows.len() {
            return;
        }
        for (row, &lambda) in
            self.contact_rows.rows.iter().zip(&self.lambda).filter(|(_, lambda)| **lambda != 0.0)
        {
            for block in self.contact_rows.blocks(row) {
                let kind = model.bodies[block.body as usize].kind;
                visit(
                    block.body as usize,
                    kind.as_wrench(&self.contact_rows.jac(block)[..kind.dim()]).scaled(lambda),
                );
            }
        }
    }

    /// Whether a row is one of friction: across the normal, or of a joint with dry friction.
    pub(crate) fn is_across(&self, row: usize) -> bool {
        self.set.iter().all(|item| item.row != row || item.is_joint_friction())
    }

    /// Books work, heat and impulses of the contact forces.
    fn book(&self, model: &Model, work: &Workspace, rate: &mut LedgerRate) {
        for (row, &lambda) in self.lambda.iter().enumerate() {
            if lambda == 0.0 {
                continue;
            }
            rate.work -= lambda * self.contact_rows.rows[row].time_rate;
            if self.is_across(row) {
                rate.dissipated -= lambda * self.contact_rows.rows[row].rate;
            }
            for block in self.contact_rows.blocks(&self.contact_rows.rows[row]) {
                book_block(model, work, (block.body as usize, self.contact_rows.jac(block)), lambda, rate);
            }
        }
    }
}

/// Books the force and moment of `lambda` times a Jacobian block.
pub(crate) fn book_block(
    model: &Model,
    work: &Workspace,
    (body, jac): (usize, &[f64]),
    lambda: f64,
    rate: &mut LedgerRate,
) {
    if let Some(general) = work.kinematics.motions.general(body) {
        let (force, moment) = general.resultant(jac);
        rate.force += force * lambda;
        rate.moment += moment * lambda;
        return;
    }
    let kind = model.bodies[body].kind;
    let mut pull = [0.0; MAX_DIM];
    pull.iter_mut().zip(jac).for_each(|(pull, j)| *pull = lambda * j);
    rate.book(kind, &work.kinematics.motions[body], Vec3::ZERO, kind.as_wrench(&pull));
}

/// Solves for the current F with the factor of this stage.
fn solve_again(model: &Model, work: &mut Workspace, at: Evaluation) -> Result<(), StepError> {
    if work.solvers.articulated.is_some() {
        return articulated::accelerations(model, work, true, at);
    }
    work.counts.solves += work.passes();
    if let Some(solver) = &mut work.solvers.solver {
        solver.solve(
            work.equations.system.force(),
            work.equations.system.bias(),
            &mut work.equations.acc,
            &mut work.equations.lambda,
        );
    }
    Ok(())
}

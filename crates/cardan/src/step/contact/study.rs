//! Study: three historical active-set rules instead of the exact solution, from the GRAPP paper
//! (`cardan_solve::complementarity::study`).
//!
//! ```text
//! J ẍ = d in F⁺,   λ = 0 in F⁻        d = −2 ġ/τ − g/τ² − J̇ v      (Baumgarte)
//! ```
//!
//! F⁺: inequalities that are handled as equalities; F⁻: the others; τ: time constant.
//!
//! For inequalities and limits only. Steps are not cut or rewound and there are no impacts, as in
//! the paper's figures, so violations are visible. F⁺ is kept in the state from step to step: it
//! lists all inequalities, those in F⁺ with `grip` = 1.

use crate::model::Model;
use crate::settings::{InequalityStudy, StudyRule};
use crate::state::State;
use crate::step::Workspace;
use crate::step::contact::{CONTACT_GAP, ContactEntry, ContactKey, ContactSet};
use crate::step_error::StepError;
use cardan_solve::complementarity::study::{insert_only, platt_improved_after};
use cardan_solve::complementarity::{Group, Problem, Study};

/// State of a study rule.
#[derive(Debug)]
pub(crate) struct StudyState {
    pub(crate) how: InequalityStudy,
    pub(crate) solver: Study,
    groups: Vec<Group>,
    /// F⁺ as flags of the items of the set.
    pub(crate) handled: Vec<bool>,
}

impl StudyState {
    /// Whether an item of the set is in F⁺.
    pub(crate) fn handles(&self, set: &[ContactEntry], key: ContactKey) -> bool {
        set.iter().zip(&self.handled).any(|(item, &handled)| item.key == key && handled)
    }
}

impl ContactSet {
    /// Makes all inequalities that the rule considers the set, and sets the flags of F⁺. Returns
    /// whether the rule begins at this state.
    pub(crate) fn begin_study(
        &mut self,
        model: &Model,
        how: InequalityStudy,
        state: &State,
        work: &mut Workspace,
    ) -> bool {
        self.observe(model, state, &work.kinematics.motions, 0.0);
        let is_declared = |item: &&ContactEntry| matches!(item.key, ContactKey::Declared(_));
        let rows = &self.all_rows.rows;
        let active = |item: &ContactEntry| rows[item.row].gap <= CONTACT_GAP;
        // The third rule considers only inequalities with a closed gap.
        let is_considered = |item: &&ContactEntry| how.rule != StudyRule::InsertOnly || active(item);
        self.set = self.all.iter().filter(is_declared).filter(is_considered).copied().collect();
        let is_new = state.held.len() != self.all.iter().filter(is_declared).count();
        let held =
            |item: &ContactEntry| state.held.iter().any(|held| held.key == item.key && held.grip > 0.0);
        let handled = self.set.iter().map(|item| if is_new { active(item) } else { held(item) }).collect();
        let groups = vec![Group::OneSided; self.set.len()];
        let solver = self.study.take().map_or_else(Study::new, |before| before.solver);
        self.study = Some(Box::new(StudyState { how, solver, groups, handled }));
        self.lambda.clear();
        is_new
    }

    /// The complementarity problem of the last evaluation.
    fn studied<'t>(&'t self, groups: &'t [Group]) -> Problem<'t> {
        Problem {
            groups,
            matrix: &self.matrix,
            bias: &self.bias,
            matrix_formed: &self.matrix_formed,
            bias_formed: &self.bias_formed,
        }
    }

    /// Adds Baumgarte's feedback to the bias, then solves for λ by the rule.
    pub(crate) fn solve_study(&mut self, time: f64) -> Result<(), StepError> {
        let Some(mut study) = self.study.take() else { return Ok(()) };
        let rate = study.how.rate;
        for (bias, row) in self.bias.iter_mut().zip(&self.contact_rows.rows) {
            *bias += 2.0 * rate * row.rate + rate * rate * row.gap;
        }
        for (formed, row) in self.bias_formed.iter_mut().zip(&self.contact_rows.rows) {
            *formed += 2.0 * rate * row.rate.abs() + rate * rate * row.gap.abs();
        }
        let StudyState { how, solver, groups, handled } = &mut *study;
        let problem = self.studied(groups);
        let outcome = match how.rule {
            StudyRule::InsertOnly => insert_only(solver, &problem, handled),
            StudyRule::Platt | StudyRule::PlattImproved => solver.hold(&problem, handled),
        };
        outcome.map_err(|error| StepError::Complementarity { error: error.to_string(), time })?;
        self.lambda.clear();
        self.lambda.extend_from_slice(solver.lambda());
        self.acc.clear();
        self.acc.extend_from_slice(solver.a());
        self.study = Some(study);
        Ok(())
    }
}

/// Ends the study: from now on the solution is exact.
pub(crate) fn end(work: &mut Workspace) {
    if let Some(contacts) = &mut work.contact.contacts {
        contacts.study = None;
    }
}

impl ContactSet {
    /// Updates F⁺ for the next step by the second rule.
    pub(crate) fn update_tendency(&mut self) {
        let Some(mut study) = self.study.take() else { return };
        let StudyState { solver, groups, handled, .. } = &mut *study;
        platt_improved_after(solver, &self.studied(groups), handled);
        self.study = Some(study);
    }
}

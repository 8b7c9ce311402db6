//! Study: three historical rules that decide which inequalities are handled, in the place of the exact answer (`cardan_solve::complementarity::study`).
//!
//! ```text
//! J ẍ = d of those in F⁺, λ = 0 of those in F⁻        d = −2 ġ/τ − g/τ² (Baumgarte), and what the curvature of g asks for
//! ```
//!
//! Inequalities and limits only; steps are not cut, nothing is rewound and nothing struck, as in the paper's figures: what is passed shows. F⁺ is kept in
//! the state from step to step: all conditions are listed there, those that are handled with a one.

use crate::step::contact::events::{SmoothStep, TOUCHING};
use crate::step::contact::{ActiveContact, ContactEntry, ContactKey, ContactSet, Event, EventKind, FrictionMode};
use crate::math::larger;
use crate::model::Model;
use crate::state::State;
use crate::step::multipliers::accelerations;
use crate::step::InequalityStudy;
use crate::step::Settings;
use crate::step::Stage;
use crate::step::StepError;
use crate::step::StepReport;
use crate::step::StudyRule;
use crate::step::Workspace;
use crate::step::refresh_motions;
use cardan_solve::complementarity::study::{insert_only, platt_after, platt_improved_after};
use cardan_solve::complementarity::{Group, Problem, Study};

/// What a rule works with.
#[derive(Debug)]
pub(crate) struct StudyState {
    how: InequalityStudy,
    solver: Study,
    groups: Vec<Group>,
    /// F⁺, as flags of the items of the set.
    handled: Vec<bool>,
}

impl StudyState {
    /// Whether one of the set is in F⁺.
    pub(crate) fn handles(&self, set: &[ContactEntry], key: ContactKey) -> bool {
        set.iter().zip(&self.handled).any(|(item, &handled)| item.key == key && handled)
    }
}

impl ContactSet {
    /// In the set all conditions that the rule looks at; the flags say which are handled.
    fn begin_study(
        &mut self,
        model: &Model,
        how: InequalityStudy,
        state: &State,
        work: &mut Workspace,
    ) -> bool {
        self.observe(model, state, &work.motions, 0.0);
        let is_declared = |item: &&ContactEntry| matches!(item.key, ContactKey::Declared(_));
        let rows = &self.all_rows.rows;
        let active = |item: &ContactEntry| rows[item.row].gap <= TOUCHING;
        // The third rule looks at active ones alone.
        let looks = |item: &&ContactEntry| how.rule != StudyRule::InsertOnly || active(item);
        self.set = self.all.iter().filter(is_declared).filter(looks).copied().collect();
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

    /// The problem of the last evaluation.
    fn studied<'t>(&'t self, groups: &'t [Group]) -> Problem<'t> {
        Problem {
            groups,
            matrix: &self.matrix,
            bias: &self.bias,
            matrix_formed: &self.matrix_formed,
            bias_formed: &self.bias_formed,
        }
    }

    /// Adds Baumgarte's feedback to the right side; then λ as the rule has it.
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

/// From now on the answer is exact.
pub(crate) fn end(work: &mut Workspace) {
    if let Some(contacts) = &mut work.contacts {
        contacts.study = None;
    }
}

/// Which conditions are handled at a state, for an evaluation there; whether the rule begins here.
pub(crate) fn choose(
    model: &Model,
    settings: &Settings,
    how: InequalityStudy,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    refresh_motions(model, state, work);
    let Some(mut contacts) = work.contacts.take() else { return Ok(()) };
    let is_new = contacts.begin_study(model, how, state, work);
    if is_new && how.rule == StudyRule::PlattImproved {
        // The second rule begins with the active ones that tend to be violated while none is handled.
        let active = contacts.study.as_ref().map_or_else(Vec::new, |study| study.handled.clone());
        if let Some(study) = &mut contacts.study {
            study.handled.fill(false);
        }
        work.contacts = Some(contacts);
        work.stage.copy_from(state);
        accelerations(model, settings, work, Stage::First)?;
        let Some(taken) = work.contacts.take() else { return Ok(()) };
        contacts = taken;
        contacts.tend();
        if let Some(study) = &mut contacts.study {
            study.handled.iter_mut().zip(active).for_each(|(handled, active)| *handled &= active);
        }
        contacts.lambda.clear();
    }
    work.contacts = Some(contacts);
    Ok(())
}

impl ContactSet {
    /// F⁺ of the next step by the second rule.
    fn tend(&mut self) {
        let Some(mut study) = self.study.take() else { return };
        let StudyState { solver, groups, handled, .. } = &mut *study;
        platt_improved_after(solver, &self.studied(groups), handled);
        self.study = Some(study);
    }
}

/// One step with F⁺ as it is, and F⁺ for the next.
pub(crate) fn step(
    model: &Model,
    settings: &Settings,
    how: InequalityStudy,
    (state, work): (&mut State, &mut Workspace),
    h: f64,
    smooth_step: SmoothStep,
) -> Result<StepReport, StepError> {
    choose(model, settings, how, state, work)?;
    let start = state.time;
    let begun: Vec<ContactKey> =
        state.held.iter().filter(|held| held.grip > 0.0).map(|held| held.key).collect();
    work.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First)?;
    // Multipliers and tendencies are those of the start of the step.
    let Some(contacts) = &mut work.contacts else { return smooth_step(model, settings, state, h, work) };
    let keys: Vec<ContactKey> = contacts.set.iter().map(|item| item.key).collect();
    let current = contacts.study.as_ref().map_or_else(Vec::new, |study| study.handled.clone());
    let solved = contacts.study.as_ref().map(|study| study.solver.clone()).unwrap_or_default();
    let mut next = current.clone();
    if how.rule == StudyRule::PlattImproved {
        contacts.tend();
        if let Some(study) = &mut contacts.study {
            next = core::mem::replace(&mut study.handled, current.clone());
        }
    }
    let mut report = smooth_step(model, settings, state, h, work)?;
    refresh_motions(model, state, work);
    let Some(contacts) = &mut work.contacts else { return Ok(report) };
    contacts.observe(model, state, &work.motions, 0.0);
    let declared_rows = contacts.all.iter().filter(|item| matches!(item.key, ContactKey::Declared(_)));
    // Not minus zero.
    report.overlap =
        declared_rows.fold(0.0, |most, item| larger(most, -contacts.all_rows.rows[item.row].gap)) + 0.0;
    let gap = |key: ContactKey| {
        contacts.all.iter().find(|item| item.key == key).map(|item| contacts.all_rows.rows[item.row].gap)
    };
    if how.rule == StudyRule::Platt {
        let violated: Vec<bool> = keys.iter().map(|&key| gap(key).is_some_and(|gap| gap < 0.0)).collect();
        platt_after(&solved, &violated, &mut next);
    }
    let handled = |set: &[bool], key: ContactKey| {
        keys.iter().zip(set).any(|(&other, &handled)| other == key && handled)
    };
    let mut events = work.events.take().unwrap_or_default();
    let declared = || (0..model.inequalities.len()).map(|i| ContactKey::Declared(i as u32));
    let mut log = |time: f64, key: ContactKey, was: bool, is: bool| {
        let what = if is { EventKind::Activated } else { EventKind::Released };
        if was != is {
            events.log.push(Event { time, subject: key.subject(), what, speed: 0.0, impulse: 0.0 });
        }
    };
    for key in declared() {
        log(start, key, begun.contains(&key), handled(&current, key));
    }
    for key in declared() {
        log(state.time, key, handled(&current, key), handled(&next, key));
    }
    state.held.clear();
    for key in declared() {
        let grip = if handled(&next, key) { 1.0 } else { 0.0 };
        state.held.push(ActiveContact {
            key,
            mode: FrictionMode::Frictionless,
            roll_spin: Default::default(),
            grip,
            push: [0.0; 3],
        });
    }
    work.events = Some(events);
    Ok(report)
}

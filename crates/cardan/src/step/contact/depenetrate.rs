//! Overlaps of the initial state: found, and on request removed by the smallest motion.
//!
//! ```text
//! min ½ Δxᵀ M Δx  with  g + J Δx ≥ 0  and joints closed:
//! 0 ≤ p ⟂ A p + g ≥ 0,   Δx = M̂⁻¹ Jᵀ p,   q ← q ⊕ Δx      in rounds
//! ```
//!
//! Heavy bodies move less, and jointed bodies move as their joints allow. Gaps are not linear:
//! contacts that opened too far are brought back to g = 0.

use crate::math::larger;
use crate::model::{JointId, Model};
use crate::settings::Settings;
use crate::state::State;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::overlap::{Overlap, OverlapFound};
use crate::step::contact::{ContactEntry, ContactKey, ContactSet, EventSubject, OVERLAPS, rows};
use crate::step::dynamics::joint_coordinates;
use crate::step::dynamics::kinematics::{advance, refresh_motions};
use crate::step::project::general::{bound, measure, project, refactor};
use crate::step::report::StepReport;
use crate::step::workspace::StageBuffers;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;
use cardan_shapes::{Scratch, collide};

/// Largest number of rounds.
const MAX_ROUNDS: u32 = 100;

/// Overlaps at a state that are too deep to start from, each pair with its deepest point \[m\].
pub(crate) fn overlaps(model: &Model, state: &State, work: &mut Workspace) -> Vec<(EventSubject, f64)> {
    refresh_motions(model, state, work);
    let Some(mut contacts) = work.contact.contacts.take() else { return Vec::new() };
    contacts.observe(model, state, &work.kinematics.motions, 0.0);
    let found = contacts.overlapping(model, work.solvers.length);
    work.contact.contacts = Some(contacts);
    found
}

/// Joints to the ground whose body is within shapes of the ground: such a joint switches contact between the two off.
pub(crate) fn within_ground(model: &Model, state: &State, work: &mut Workspace) -> Vec<JointId> {
    refresh_motions(model, state, work);
    let (motions, shapes) = (&work.kinematics.motions, &model.contacts.shapes);
    let pose = |i: usize| rows::pose_of(&rows::shape_frame(model, motions, i as u32));
    let of_body = |body: Option<usize>| (0..shapes.len()).filter(move |&i| shapes[i].body_index() == body);
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let mut overlap = |i: usize, j: usize| {
        let (at_i, at_j) = (pose(i), pose(j));
        collide(&shapes[i].shape, &at_i, &shapes[j].shape, &at_j, 0.0, &mut scratch, &mut found);
        found.iter().any(|contact| contact.gap < -OVERLAPS * work.solvers.length)
    };
    let mut inside = |body: Option<usize>| {
        of_body(None).any(|i| of_body(body).any(|j| !model.contacts.share_group(i, j) && overlap(i, j)))
    };
    let joints = model.joints().iter().enumerate();
    let to_ground = joints.filter_map(|(index, joint)| match (joint.a.body(), joint.b.body()) {
        (None, body @ Some(_)) | (body @ Some(_), None) => Some((index, body)),
        _ => None,
    });
    to_ground
        .filter(|&(_, body)| model.contacts.parted_by_joint(None, body) && inside(body))
        .map(|(index, _)| model.id(index))
        .collect()
}

/// Moves `work.stages.next`, which is on its joints, until nothing overlaps.
pub(crate) fn resolve(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
) -> Result<(), StepError> {
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
    let outcome = contacts.resolve(model, settings, work, report);
    contacts.set.clear();
    contacts.lambda.clear();
    work.contact.contacts = Some(contacts);
    outcome
}

impl ContactSet {
    /// Overlapping pairs and violated inequalities of the last evaluation, and how deep [m, rad].
    pub(crate) fn overlapping(&self, model: &Model, length: f64) -> Vec<(EventSubject, f64)> {
        let mut found: Vec<(EventSubject, f64)> = Vec::new();
        for item in &self.all {
            let row = &self.all_rows.rows[item.row];
            if row.gap < -OVERLAPS * (row.scale + length) {
                let subject = item.key.subject(model);
                match found.iter_mut().find(|(other, _)| *other == subject) {
                    Some((_, depth)) => *depth = larger(*depth, -row.gap),
                    None => found.push((subject, -row.gap)),
                }
            }
        }
        found
    }

    /// Makes all constraints of the last evaluation the set, with g as the bias.
    pub(crate) fn request_gaps(&mut self, model: &Model, work: &Workspace) {
        self.set.clear();
        self.set.extend(self.all.iter().filter(|item| !item.is_joint_friction()));
        self.contact_rows.write_rates(
            model,
            &work.stages.stage,
            &work.kinematics.motions,
            &self.shapes,
            &mut self.set,
        );
        self.bias.clear();
        self.bias_formed.clear();
        for row in &self.contact_rows.rows {
            self.bias.push(row.gap);
            self.bias_formed.push(row.scale + row.gap.abs());
        }
    }

    /// Moves `work.stages.next` by the response to λ, and projects its joints.
    pub(crate) fn displace(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let p = std::mem::take(&mut self.lambda);
        self.respond_to(model, work, &p);
        if joint_coordinates::are_carried(settings, work) {
            joint_coordinates::correct_positions(model, work);
            joint_coordinates::rebuild_next(model, work);
            if joint_coordinates::places_all_joints(work) && model.constraints.is_empty() {
                return Ok(());
            }
        } else {
            let StageBuffers { stage, shift, next, .. } = &mut work.stages;
            advance(model, &stage.q, shift, &mut next.q);
        }
        if !model.joints.is_empty() || !model.constraints.is_empty() {
            let measured = project(model, settings, work, report, false)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
        }
        Ok(())
    }

    /// Moves `work.stages.next` in rounds until nothing overlaps.
    fn resolve(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let (mut reach, mut last) = (0.0, f64::INFINITY);
        // Contacts that had λ > 0 end at g = 0, not beyond.
        let mut pushed: Vec<ContactKey> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            // The motion may close other gaps, up to the deepest overlap.
            self.observe(model, &work.stages.stage, &work.kinematics.motions, 2.0 * reach);
            let (mut deepest, mut overlap, mut apart) = (0.0, 0.0, 0.0);
            for item in &self.all {
                let row = &self.all_rows.rows[item.row];
                let size = bound(row.scale + work.solvers.length);
                deepest = larger(deepest, -row.gap);
                overlap = larger(overlap, -row.gap / size);
                if pushed.contains(&item.key) {
                    apart = larger(apart, row.gap / size);
                }
            }
            let worst = larger(overlap, apart);
            if worst <= 4.0 || (worst < 64.0 && worst > 0.5 * last) {
                return Ok(());
            }
            last = worst;
            if deepest > reach {
                reach = deepest;
                self.observe(model, &work.stages.stage, &work.kinematics.motions, 2.0 * reach);
            }
            refactor(model, settings, work, None)?;
            self.request_gaps(model, work);
            self.write_delassus(model, work);
            let is_parted = overlap <= 64.0;
            let takes = |item: &ContactEntry| !is_parted || pushed.contains(&item.key);
            let part: Vec<usize> = (0..self.set.len()).filter(|&i| takes(&self.set[i])).collect();
            let problem_kind = if is_parted { ContactProblem::Equality } else { ContactProblem::Impact };
            match self.solve_complementarity(model, &part, problem_kind, false, work.stages.stage.time) {
                Err(StepError::Contradiction { .. } | StepError::Complementarity { .. }) => break,
                other => other?,
            }
            for item in self.set.iter().filter(|item| self.lambda[item.row] > 0.0) {
                if !pushed.contains(&item.key) {
                    pushed.push(item.key);
                }
            }
            self.displace(model, settings, work, report)?;
        }
        let left = self.overlapping(model, work.solvers.length);
        let worst = left.iter().fold(None, |worst: Option<&(EventSubject, f64)>, other| match worst {
            Some(found) if found.1 >= other.1 => worst,
            _ => Some(other),
        });
        match worst {
            Some((subject, depth)) => {
                Err(Overlap::error(model, *subject, *depth, work.stages.stage.time, OverlapFound::Unresolved))
            }
            None => Ok(()),
        }
    }
}

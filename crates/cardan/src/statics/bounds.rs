//! Inequalities g ≥ 0 in a search: limits of joints, walls, ropes. Active-set method:
//!
//! ```text
//! g(q) ≥ 0,   λ ≥ 0,   λ g = 0
//! ```
//!
//! An inequality that the search has reached is *held*: it joins the rows as g = 0, and its
//! multiplier pushes. A step ends at the next inequality, which is then held, too. One whose
//! multiplier would have to pull is released once no more can be gained with it. Where λ > 0, the
//! stiffness in the remaining freedoms decides whether the pose is stable.

use super::error::StaticsError;
use super::problem::StaticsProblem;
use super::tangent::{TangentSpace, dot};
use crate::body::Wrench;
use crate::constraint::ConstraintRows;
use crate::state::State;
use crate::step::{frame, refresh_motions};
use crate::tolerances::CONTACT_GAP;

/// A multiplier below this part of the largest force neither pushes nor pulls: far above the
/// rounding of a sum of forces.
const SILENT: f64 = 1e-10;

/// One inequality in a pose.
pub(super) struct Bound {
    /// g \[m, rad\].
    pub(super) gap: f64,
    /// ∂g/∂x, one number per velocity coordinate.
    pub(super) row: Vec<f64>,
}

impl StaticsProblem<'_> {
    /// An inequality at the motions in the workspace, with angles counted near those of `turns`.
    fn bound(&self, index: usize, time: f64, turns: &[f64]) -> Bound {
        let (model, inequality) = (self.model, &self.model.inequalities[index]);
        let frames: Vec<_> =
            inequality.frames.iter().map(|at| frame(&self.work.kinematics.motions, at)).collect();
        let mut gradient = vec![Wrench::ZERO; frames.len()];
        let (mut gap, mut time_rate, mut rest, mut scale) = ([0.0], [0.0], [0.0], [1.0]);
        let mut out = ConstraintRows {
            ends: frames.len(),
            err: &mut gap,
            err_time_rate: &mut time_rate,
            jac_dot_v: &mut rest,
            scale: &mut scale,
            gradient: &mut gradient,
            push: &mut [],
            turns,
        };
        inequality.rule.evaluate(time, &frames, &mut out);
        let mut row = vec![0.0; model.v_len];
        for ((at, frame), wrench) in inequality.frames.iter().zip(&frames).zip(&gradient) {
            let Some(body) = at.body().map(|i| &model.bodies[i]) else { continue };
            let mut part = vec![0.0; body.v_range().len()];
            self.work.kinematics.motions.pull_back(model, at, frame.arm, *wrench, &mut part);
            row[body.v_range()].iter_mut().zip(part).for_each(|(x, y)| *x += y);
        }
        Bound { gap: gap[0], row }
    }

    /// Ids of the held inequalities, in the order of the model.
    pub(super) fn held_ids(&self) -> Vec<crate::model::InequalityId> {
        self.held.iter().map(|&i| self.model.inequality_id(i)).collect()
    }

    /// The held inequalities, in the pose written last.
    pub(super) fn held_bounds(&self) -> Vec<Bound> {
        let stage = &self.work.stages.stage;
        self.held.iter().map(|&i| self.bound(i, stage.time, &stage.turns)).collect()
    }

    /// All inequalities in a pose.
    fn bounds(&mut self, state: &State) -> Vec<Bound> {
        if self.model.inequalities.is_empty() {
            return Vec::new();
        }
        refresh_motions(self.model, state, &mut self.work);
        (0..self.model.inequalities.len()).map(|i| self.bound(i, state.time, &state.turns)).collect()
    }

    /// Inequalities that a pose violates, apart from the held ones.
    pub(super) fn violated(&mut self, state: &State) -> Vec<usize> {
        let bounds = self.bounds(state);
        let is_free = |i: &usize| !self.held.contains(i);
        (0..bounds.len()).filter(is_free).filter(|&i| bounds[i].gap < -CONTACT_GAP).collect()
    }

    /// The part of a step that can be taken before an inequality is reached, and which ones are.
    pub(super) fn room(&mut self, state: &State, shift: &[f64]) -> (f64, Vec<usize>) {
        let (mut part, mut met) = (1.0, Vec::new());
        for (i, bound) in self.bounds(state).into_iter().enumerate() {
            let change = dot(&bound.row, shift);
            if self.held.contains(&i) || change >= 0.0 || bound.gap + change >= 0.0 {
                continue;
            }
            let to_go = if bound.gap > 0.0 { bound.gap / -change } else { 0.0 };
            if to_go < part {
                (part, met) = (to_go, vec![i]);
            } else if to_go == part {
                met.push(i);
            }
        }
        (part, met)
    }

    /// The closed pose nearby that violates no inequality; those that had to be corrected are held.
    pub(super) fn within(&mut self, state: State) -> Result<State, StaticsError> {
        let mut state = state;
        for _ in 0..=self.model.inequalities.len() {
            let violated = self.violated(&state);
            if violated.is_empty() {
                return Ok(state);
            }
            self.held.extend(violated);
            self.held.sort_unstable();
            let split = TangentSpace::at(self, &state)?.split;
            state = self.closed_near(&split, &state)?;
            if self.held_bounds().iter().any(|bound| bound.gap < -CONTACT_GAP) {
                break;
            }
        }
        let inequality = self.violated(&state).first().or(self.held.first()).copied();
        let name = inequality.map_or(String::new(), |i| self.model.inequalities[i].name.clone());
        Err(StaticsError::Beyond { inequality: name })
    }

    /// Releases the inequality that pulls most; false if none pulls. With `silent`, inequalities
    /// that neither push nor pull are released, too.
    pub(super) fn release_bounds(&mut self, tangent: &TangentSpace, silent: bool) -> bool {
        let least = if silent { SILENT } else { -SILENT } * tangent.size;
        let lambda = &tangent.lambda[self.model.graph.rows()..];
        let pushes = self.held_bounds().into_iter().zip(lambda).map(|(bound, lambda)| {
            let length = bound.row.iter().zip(&self.measure).map(|(x, m)| (x / m) * (x / m)).sum::<f64>();
            lambda * length.sqrt()
        });
        let mut worst = (least, None);
        for (k, push) in pushes.enumerate() {
            if push < worst.0 {
                worst = (push, Some(k));
            }
        }
        let Some(k) = worst.1 else { return false };
        self.held.remove(k);
        true
    }

    /// Holds the inequalities that are reached in a pose and push there.
    pub(super) fn activate_pushing_bounds(&mut self, state: &State) -> Result<TangentSpace, StaticsError> {
        let bounds = self.bounds(state);
        self.held = (0..bounds.len()).filter(|&i| bounds[i].gap <= CONTACT_GAP).collect();
        loop {
            let tangent = TangentSpace::at(self, state)?;
            if !self.release_bounds(&tangent, true) {
                return Ok(tangent);
            }
        }
    }
}

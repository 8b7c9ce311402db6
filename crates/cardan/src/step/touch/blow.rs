//! What touches when a blow strikes: it answers the velocities that the blow leaves, like any other impact.

use super::phases::TOUCHING;
use super::{Event, Mode, Touch};
use crate::blow::TouchImpulse;
use crate::math::Vec3;
use crate::model::Model;
use crate::state::State;
use crate::step::{Settings, StepError, Workspace};

/// What those that touch push with, and Jᵀ p of all of them.
type Answered = (Vec<TouchImpulse>, Vec<f64>);

/// Answers what approaches at the motions of `work`, which are those of `state`, with the factor at hand; `None` if nothing does.
pub(in crate::step) fn answer_blow(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    work: &mut Workspace,
    log: &mut Vec<Event>,
) -> Result<Option<Answered>, StepError> {
    let Some(mut touch) = work.touch.take() else { return Ok(None) };
    let outcome = touch.answer_blow(model, settings, (state, work), log);
    touch.set.clear();
    touch.lambda.clear();
    work.touch = Some(touch);
    outcome
}

impl Touch {
    fn answer_blow(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        log: &mut Vec<Event>,
    ) -> Result<Option<Answered>, StepError> {
        self.observe(model, state, &work.motions, 10.0 * TOUCHING);
        let Touch { set, all, all_rows, .. } = self;
        set.clear();
        // Dry friction of a joint is a force, and gives nothing in no time.
        set.extend(all.iter().filter(|item| !item.is_dry() && all_rows.rows[item.row].gap <= TOUCHING));
        if self.set.is_empty() {
            return Ok(None);
        }
        self.choose_modes(model, state, work, 0.0);
        for item in &mut self.set {
            if let Mode::Slip(_) = item.mode {
                // A blow may stop what slides, at the friction of what slides.
                item.mode = Mode::Stick;
                item.material.static_friction = item.material.kinetic_friction;
            }
        }
        if !self.strike(model, settings, (state, work), false, log)? {
            return Ok(None);
        }
        let p = &self.struck;
        let mut pushed = vec![0.0; model.v_len];
        self.add_pushes(model, p, &mut pushed);
        let touches = self.set.iter().filter(|item| p[item.row] != 0.0).map(|item| {
            let rows = item.row..=item.row + item.tangents;
            let along = |sum: Vec3, row: usize| sum + self.sheet.rows[row].direction * p[row];
            TouchImpulse {
                name: item.key.subject().name(model),
                normal: p[item.row],
                impulse: rows.fold(Vec3::ZERO, along),
            }
        });
        Ok(Some((touches.collect(), pushed)))
    }
}

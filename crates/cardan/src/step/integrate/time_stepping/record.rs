//! Contact impulses of a time step in the state, for the warm start of the next step, and in the
//! log.

use crate::math::Vec3;
use crate::model::Model;
use crate::state::State;
use crate::step::contact::{
    ActiveContact, ContactEntry, ContactSet, Event, EventKind, FrictionMode, NOT_HELD,
};
use crate::step::integrate::time_stepping::RESTS;
use crate::step::workspace::Workspace;

impl ContactSet {
    /// Restores the contact forces of the last step, at the motions of `work`.
    pub(crate) fn recall(&mut self, model: &Model, state: &State, work: &Workspace) {
        self.observe(model, state, &work.kinematics.motions, 1e-4 * work.solvers.length);
        let was = |item: &&ContactEntry| pushed(state, item.key).is_some();
        self.set.clear();
        self.set.extend(self.all.iter().filter(was));
        for item in &mut self.set {
            item.mode = if item.has_friction() { FrictionMode::Stick } else { FrictionMode::Frictionless };
        }
        self.contact_rows.write(model, state, &work.kinematics.motions, &mut self.set);
        self.seed(|_, item| pushed(state, item.key).map_or([0.0; 3], |held| held.push));
        self.lambda.clear();
    }

    /// Logs constraints that became active or inactive, and stores the impulses of the step in
    /// `next`.
    pub(super) fn record_impulses(
        &self,
        model: &Model,
        (before, next): (&State, &mut State),
        h: f64,
        log: &mut Vec<Event>,
    ) {
        let pushes = |item: &ContactEntry| {
            self.lambda
                .get(item.row)
                .is_some_and(|p| if item.is_joint_friction() { *p != 0.0 } else { *p > 0.0 })
        };
        let mut log_event =
            |key: crate::step::contact::ContactKey, kind: EventKind, speed: f64, impulse: f64| {
                log.push(Event { time: next.time, subject: key.subject(model), kind, speed, impulse });
            };
        // The set is in the order of what was held.
        let mut pushing = self.set.iter().filter(|item| item.held != NOT_HELD && pushes(item)).peekable();
        for (at, held) in (0..).zip(&before.held) {
            let is_released = pushing.next_if(|item| item.held == at).is_none();
            if is_released && !matches!(held.key, crate::step::contact::ContactKey::Joint(_)) {
                log_event(held.key, EventKind::Released, 0.0, 0.0);
            }
        }
        for item in self.set.iter().filter(|item| pushes(item)) {
            let was = item.held_in(before);
            if item.is_joint_friction() {
                match (was.map(|held| held.mode), self.joint_friction_mode(item, h)) {
                    (Some(FrictionMode::Slip(_)), FrictionMode::Stick) => {
                        log_event(item.key, EventKind::Stick, 0.0, 0.0)
                    }
                    (Some(FrictionMode::Stick), FrictionMode::Slip(_)) => {
                        log_event(item.key, EventKind::Slip, 0.0, 0.0)
                    }
                    _ => {}
                }
            } else if was.is_none() {
                let (speed, impulse) = (self.contact_rows.rows[item.row].rate, self.lambda[item.row]);
                log_event(item.key, EventKind::Activated, speed, impulse);
            }
        }
        next.held.clear();
        let held = self.set.iter().filter(|item| pushes(item));
        next.held.extend(held.map(|item| {
            let mut push = [0.0; 3];
            let rows = self.lambda[item.row..=item.row + item.tangents].iter();
            push.iter_mut().zip(rows).for_each(|(push, p)| *push = p / h);
            let mode = if item.is_joint_friction() { self.joint_friction_mode(item, h) } else { item.mode };
            ActiveContact { key: item.key, mode, roll_spin: item.roll_spin, grip: 0.0, push }
        }));
    }

    /// Whether a joint with dry friction stuck in the last step or slid, with all the friction it
    /// has.
    fn joint_friction_mode(&self, item: &ContactEntry, h: f64) -> FrictionMode {
        let (push, most) = (self.lambda[item.row], h * item.static_friction());
        match push.abs() < (1.0 - RESTS) * most {
            true => FrictionMode::Stick,
            false => FrictionMode::Slip(Vec3::new(if push > 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0)),
        }
    }
}

/// The entry of a constraint that was active in the last step.
fn pushed(state: &State, key: crate::step::contact::ContactKey) -> Option<&ActiveContact> {
    debug_assert!(state.held.is_sorted_by_key(|held| held.key));
    let at = state.held.binary_search_by(|held| held.key.cmp(&key)).ok()?;
    state.held.get(at)
}

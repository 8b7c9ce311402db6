//! Contacts under an applied impulse: closed contacts respond to the velocities it leaves, as in
//! any impact (`impact.rs`).

use crate::impulse::ContactImpulse;
use crate::math::Vec3;
use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use crate::step::Workspace;
use crate::step::contact::CONTACT_GAP;
use crate::step::contact::{ContactSet, Event, FrictionMode};
use crate::step_error::StepError;

/// Contact impulses, and their sum Jᵀ p.
type ContactImpulses = (Vec<ContactImpulse>, Vec<f64>);

/// Resolves approaching contacts at the motions of `work`, which are those of `state`, with the
/// current factor. `None` if no contact approaches.
pub(crate) fn respond_to_impulse(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    work: &mut Workspace,
    log: &mut Vec<Event>,
) -> Result<Option<ContactImpulses>, StepError> {
    let Some(mut contacts) = work.contact.contacts.take() else { return Ok(None) };
    let outcome = contacts.respond_to_impulse(model, settings, (state, work), log);
    contacts.set.clear();
    contacts.lambda.clear();
    work.contact.contacts = Some(contacts);
    outcome
}

impl ContactSet {
    /// Resolves approaching contacts of the set.
    fn respond_to_impulse(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        log: &mut Vec<Event>,
    ) -> Result<Option<ContactImpulses>, StepError> {
        self.observe(model, state, &work.kinematics.motions, 10.0 * CONTACT_GAP);
        let ContactSet { set, all, all_rows, .. } = self;
        set.clear();
        // Dry friction of a joint is a finite force: it has no impulse in no time.
        set.extend(
            all.iter().filter(|item| !item.is_joint_friction() && all_rows.rows[item.row].gap <= CONTACT_GAP),
        );
        if self.set.is_empty() {
            return Ok(None);
        }
        self.choose_modes(model, state, work, 0.0);
        for item in &mut self.set {
            if let FrictionMode::Slip(_) = item.mode {
                // An impact may stop a sliding contact, with the kinetic friction coefficient.
                item.mode = FrictionMode::Stick;
                item.material.static_friction = item.material.kinetic_friction;
            }
        }
        if !self.resolve_impacts(model, settings, (state, work), false, log)? {
            return Ok(None);
        }
        let p = &self.impact_impulses;
        let mut pushed = vec![0.0; model.v_len];
        self.add_row_forces(p, &mut pushed);
        let contacts = self.set.iter().filter(|item| p[item.row] != 0.0).map(|item| {
            let rows = item.row..=item.row + item.tangents;
            let along = |sum: Vec3, row: usize| sum + self.contact_rows.rows[row].direction * p[row];
            ContactImpulse {
                name: item.key.subject(model).name(model),
                normal: p[item.row],
                impulse: rows.fold(Vec3::ZERO, along),
            }
        });
        Ok(Some((contacts.collect(), pushed)))
    }
}

//! One phase: from a state to the next event, with a fixed active set.
//!
//! At its start impacts are resolved and the active set is chosen. The trial step may be shorter
//! than the rest of the step: continuous collision detection limits it (`contact/ccd.rs`), and so
//! does the energy balance
//!
//! ```text
//! |ΔE − W + Q| ≤ 1e-5 (T₀ + T₁ + |Q| + |W|)
//! ```
//!
//! ΔE: change of mechanical energy; W: work from outside; Q: heat; T: kinetic energies at both
//! ends.

use crate::measure::{Energy, measure_energy, measure_with_magnitudes};
use crate::model::Model;
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::contact::impact::approaches;
use crate::step::contact::overlap::{Overlap, OverlapFound};
use crate::step::contact::{
    ActiveContact, ContactEntry, ContactKey, ContactSet, Event, EventKind, FrictionMode, OVERLAPS,
};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::evaluate::accelerations;
use crate::step::integrate::events::active_set::{resolve_active_set, rests};
use crate::step::integrate::events::chatter::ChatterPolicy;
use crate::step::integrate::events::functions::REACHED;
use crate::step::integrate::events::{EventLocator, SmoothStep};
use crate::step::report::StepReport;
use crate::step::workspace::{ForceResponse, Workspace};
use crate::step_error::{Stage, StepError};
use crate::tolerances::CONTACT_GAP;

/// Largest energy error of a phase, relative to the energies that are exchanged in it. A step of a
/// suitable size has a thousandth of that. The error reaches the whole energy where two bars in
/// contact turn past each other's direction, since the contact point then runs along them almost
/// instantly.
const BALANCED: f64 = 1e-5;
/// Shortest phase, relative to the step, that is tried for the energy balance.
const SHORTEST: f64 = 1e-4;
/// Largest number of phases in one step that are repeated for the energy balance.
const MOST_TRIES: u32 = 200;

/// Result of a phase.
pub(super) struct PhaseResult {
    /// Time that has passed \[s\].
    pub(super) passed: f64,
    pub(super) report: StepReport,
    /// Whether it ended without an event: cut by continuous collision detection or by the energy
    /// check.
    pub(super) is_cut: bool,
}

impl EventLocator {
    /// Runs to the next event, to where continuous collision detection or the energy check cuts the
    /// phase, or to the end. `None` if no phase is short enough for the energy balance.
    pub(super) fn run_phase(
        &mut self,
        model: &Model,
        settings: &Settings,
        (state, work): (&mut State, &mut Workspace),
        (left, chatter_policy): (f64, ChatterPolicy),
        smooth_step: SmoothStep,
    ) -> Result<Option<PhaseResult>, StepError> {
        self.begin(model, settings, state, work, (left, chatter_policy))?;
        self.start.clone_from(state);
        let whole = left;
        let left = work
            .contact
            .contacts
            .as_mut()
            .map_or(left, |contacts| contacts.safe_step(model, &work.kinematics.motions, left));
        let mut left = if left < self.part { left } else { self.part };
        let resists = |item: &ContactEntry| {
            !item.is_joint_friction() && (item.mode != FrictionMode::Frictionless || item.roll_spin.all() > 0)
        };
        let has_friction = |contacts: &ContactSet| contacts.set.iter().any(resists);
        let step = match work.contact.contacts.as_deref().is_some_and(has_friction) {
            true => smooth_step.with_friction,
            false => smooth_step.step,
        };
        let presses = work
            .contact
            .contacts
            .as_ref()
            .is_some_and(|contacts| contacts.set.iter().any(|item| !item.is_joint_friction()));
        // Integrators of first order do not balance the energy.
        let is_watched =
            presses && matches!(settings.integrator, Integrator::Rk4 | Integrator::Dopri5 | Integrator::Auto);
        if !is_watched {
            self.part = f64::INFINITY;
            let (passed, report, is_event) = self.trial(model, settings, (state, work), left, step)?;
            return Ok(Some(PhaseResult { passed, report, is_cut: !is_event && left < whole }));
        }
        let before = measure_energy(model, state, work);
        let forced = self.forced.clone();
        // Time stepping does not support bodies with generalised coordinates.
        let is_last = |passed: f64, whole: f64| passed <= SHORTEST * whole;
        let takes_impulses = model.first_general().is_none();
        loop {
            let passed = match self.trial(model, settings, (state, work), left, step) {
                Ok((passed, report, is_event)) => {
                    let is_balanced = self.balances(model, &before, state, work);
                    if is_balanced || (is_last(passed, self.whole) && !takes_impulses) {
                        self.part *= 4.0;
                        return Ok(Some(PhaseResult { passed, report, is_cut: !is_event && left < whole }));
                    }
                    passed
                }
                Err(StepError::NotFinite { .. } | StepError::JointNotFinite { .. })
                    if takes_impulses || !is_last(left, self.whole) =>
                {
                    left
                }
                Err(error) => return Err(error),
            };
            self.tries += 1;
            if is_last(passed, self.whole) || (self.tries > MOST_TRIES && takes_impulses) {
                self.part = f64::INFINITY;
                return Ok(None);
            }
            left = 0.25 * passed;
            self.part = left;
            state.copy_from(&self.start);
            self.forced.clone_from(&forced);
        }
    }

    /// Whether the energy balance of the phase closes to within [`BALANCED`].
    fn balances(&self, model: &Model, before: &Energy, state: &State, work: &mut Workspace) -> bool {
        refresh_motions(model, state, work);
        let (after, _, gross) = measure_with_magnitudes(model, state, work);
        let (heat, put_in) = (after.dissipated - before.dissipated, after.work - before.work);
        let moved = before.kinetic + after.kinetic + heat.abs() + put_in.abs();
        // Near rest the energy is known only as well as the heights.
        let known = gross.force * (work.solvers.length + gross.reach) + before.kinetic;
        (after.balance() - before.balance()).abs() <= BALANCED * moved + 1e-12 * known
    }

    /// Resolves impacts, and chooses the active set of the phase.
    fn begin(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        work: &mut Workspace,
        (h, chatter_policy): (f64, ChatterPolicy),
    ) -> Result<(), StepError> {
        let ChatterPolicy { opens, is_calm } = chatter_policy;
        let opens = opens * settings.restitution_threshold;
        refresh_motions(model, state, work);
        let Some(mut contacts) = work.contact.contacts.take() else { return Ok(()) };
        contacts.observe(model, state, &work.kinematics.motions, 10.0 * CONTACT_GAP);
        let (mut reached, mut approached, mut is_impact) = (Vec::new(), Vec::new(), false);
        for item in contacts.all.iter().filter(|item| !item.is_joint_friction()) {
            let row = &contacts.all_rows.rows[item.row];
            let approaching = approaches(row.rate, row.rate_scale);
            let size = row.scale + work.solvers.length;
            if row.gap < -OVERLAPS * size {
                let found = if state.time == 0.0 { OverlapFound::AtStart } else { OverlapFound::InRun };
                let error = Overlap::error(model, item.key.subject(model), -row.gap, state.time, found);
                work.contact.contacts = Some(contacts);
                return Err(error);
            }
            // At speed a constraint is reached where event location put it; at rest a gap up to
            // `CONTACT_GAP` counts.
            let is_slow = -row.rate <= settings.restitution_threshold;
            let near = if approaching && !is_slow { 2.0 * REACHED * size } else { CONTACT_GAP };
            if row.gap <= near || self.forced.contains(&item.key) {
                reached.push(*item);
                is_impact |= approaching;
                approached.extend((approaching && !is_slow).then_some(item.key));
            }
        }
        contacts.set.clear();
        if is_impact {
            work.contact.contacts = Some(contacts);
            work.stages.stage.copy_from(state);
            // With an empty active set: only the factor is needed.
            accelerations(model, settings, work, Stage::First)?;
            let Some(taken) = work.contact.contacts.take() else { return Ok(()) };
            contacts = taken;
            contacts.set.clone_from(&reached);
            contacts.choose_modes(model, state, work, h);
            for item in &mut contacts.set {
                if let FrictionMode::Slip(_) = item.mode {
                    // An impact may stop a sliding contact, with the kinetic friction coefficient.
                    item.mode = FrictionMode::Stick;
                    item.material.static_friction = item.material.kinetic_friction;
                }
            }
            let outcome = contacts.resolve_impacts(model, settings, (state, work), is_calm, &mut self.log);
            if let Err(error) = outcome {
                work.contact.contacts = Some(contacts);
                return Err(error);
            }
            refresh_motions(model, state, work);
        }
        for item in &mut reached {
            item.mode = FrictionMode::Frictionless;
        }
        contacts.contact_rows.write(model, state, &work.kinematics.motions, &mut reached);
        contacts.set.clear();
        let ContactSet { set, all, .. } = &mut *contacts;
        set.extend(all.iter().filter(|item| item.is_joint_friction()));
        for item in &reached {
            let row = &contacts.contact_rows.rows[item.row];
            // A contact that rebounds opens at any speed.
            let rebounds = item.material.restitution > 0.0 && approached.contains(&item.key);
            let slow = if rebounds { 0.0 } else { opens };
            let is_slow = row.gap <= CONTACT_GAP && row.rate <= slow;
            if rests(row.rate, row.rate_scale) || is_slow || self.forced.contains(&item.key) {
                contacts.set.push(*item);
            }
        }
        contacts.set.sort_unstable_by_key(|item| item.key);
        contacts.choose_modes(model, state, work, h);
        contacts.stop_slow(opens);
        work.contact.contacts = Some(contacts);
        resolve_active_set(model, settings, state, work, (&self.forced, ForceResponse::Acceleration, h))?;
        self.record_changes(model, state, work);
        Ok(())
    }

    /// Records the changes of the active set in the log and in the state.
    fn record_changes(&mut self, model: &Model, state: &mut State, work: &Workspace) {
        let Some(contacts) = &work.contact.contacts else { return };
        let time = state.time;
        let mut log = |key: ContactKey, kind: EventKind| {
            self.log.push(Event { time, subject: key.subject(model), kind, speed: 0.0, impulse: 0.0 });
        };
        for held in state.held.iter().filter(|held| !contacts.set.iter().any(|item| item.key == held.key)) {
            log(held.key, EventKind::Released);
        }
        for item in &contacts.set {
            match state.held.iter().find(|held| held.key == item.key).map(|held| held.mode) {
                None if item.is_joint_friction() => {}
                None => log(item.key, EventKind::Activated),
                Some(FrictionMode::Stick) if matches!(item.mode, FrictionMode::Slip(_)) => {
                    log(item.key, EventKind::Slip)
                }
                Some(FrictionMode::Slip(_)) if item.mode == FrictionMode::Stick => {
                    log(item.key, EventKind::Stick)
                }
                Some(FrictionMode::Slip(before)) => match item.mode {
                    // It came to rest and slides back.
                    FrictionMode::Slip(now) if now.dot(before) < 0.0 => log(item.key, EventKind::Slip),
                    _ => {}
                },
                Some(_) => {}
            }
        }
        state.held.clear();
        let held = contacts.set.iter().enumerate();
        state.held.extend(held.map(|(i, item)| {
            let (grip, push) = contacts.grips.get(i).copied().unwrap_or_default();
            ActiveContact { key: item.key, mode: item.mode, roll_spin: item.roll_spin, grip, push }
        }));
    }
}

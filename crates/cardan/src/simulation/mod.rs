//! The façade for everyday use: a model, its state and its workspace in one value.

mod accounts;
mod balance;
pub(crate) mod commands;
mod diagnostics;
mod joint_space;
pub(crate) mod joints;
mod read;

use crate::tolerances::{NO_TIME, SAME_TIME, STRETCHED_STEP};
pub use balance::Balance;
use balance::LargestSeen;
pub(crate) use balance::relative_leftover;
pub use diagnostics::Diagnostics;
pub use joint_space::Linearisation;

use crate::impulse::{Impulse, ImpulseRecord};
use crate::math::larger;
use crate::measure::{Certificate, Energy, Momentum};
use crate::model::{JointId, Model};
use crate::state::State;
use crate::step;
use crate::step::{
    Accounts, Coordinates, Event, Integrator, Settings, StepError, StepReport, WorkCounts, Workspace,
    assemble,
};
use std::sync::Arc;

/// A running mechanism.
///
/// By default every step measures energy and momentum and adds to the certificate. A control loop that reads states alone should set
/// [`Settings::accounts`] to [`Accounts::Off`]: the motion has the same bits, and what is read later is measured then.
#[derive(Debug)]
pub struct Simulation {
    model: Arc<Model>,
    settings: Settings,
    state: State,
    work: Workspace,
    /// For inverse dynamics; none before it is asked for.
    space: Option<Box<crate::joint_space::JointSpace>>,
    certificate: Certificate,
    initial_energy: f64,
    /// Momentum at the start less the impulse booked by then.
    initial_momentum: Momentum,
    largest: LargestSeen,
    /// Energy and momentum of the last state that was measured.
    present: (Energy, Momentum),
    /// Whether that is the present state.
    is_measured: bool,
    /// Whether energy and momentum are measured after every step.
    measures_steps: bool,
    /// What the step that led to the present state reported; zero if there was none.
    last_step: StepReport,
    /// The whole mass, and the farthest anchor from its body's centre or from the origin.
    extent: (f64, f64),
    steps: u64,
    events: Vec<Event>,
    impulse_records: Vec<ImpulseRecord>,
}

/// Everything that a step changes, so that the step can be undone.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    state: State,
    certificate: Certificate,
    largest: LargestSeen,
    present: (Energy, Momentum),
    is_measured: bool,
    last_step: StepReport,
    steps: u64,
    events: usize,
    impulse_records: usize,
}

impl Simulation {
    /// A mechanism with the usual settings: automatic integrator and solver, projection.
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let settings = Settings::default().resolved(&model);
        let work =
            Workspace::new(&model, &settings).unwrap_or_else(|_| Workspace::with_default_settings(&model));
        Simulation::start(model, settings, work)
    }

    /// A mechanism with given settings.
    ///
    /// # Errors
    /// If the settings do not fit the model, such as the tree solver for a mechanism with loops.
    pub fn with_settings(model: impl Into<Arc<Model>>, settings: Settings) -> Result<Self, StepError> {
        let model = model.into();
        let settings = settings.resolved(&model);
        let work = Workspace::new(&model, &settings)?;
        Ok(Simulation::start(model, settings, work))
    }

    fn start(model: Arc<Model>, settings: Settings, work: Workspace) -> Self {
        let state = model.initial_state().clone();
        let mass = model.bodies.iter().map(|body| body.mass.mass).sum();
        let ends = model.joints.iter().flat_map(|joint| [&joint.a, &joint.b]);
        let arm = ends
            .chain(model.constraints.iter().flat_map(|constraint| &constraint.frames))
            .chain(model.forces.iter().flat_map(|force| &force.frames))
            .fold(0.0, |most, end| larger(most, end.local.pos.largest()));
        let mut sim = Simulation {
            model,
            settings,
            state,
            work,
            space: None,
            certificate: Certificate::empty(settings.accounts),
            initial_energy: 0.0,
            initial_momentum: Momentum::default(),
            largest: LargestSeen::default(),
            present: (Energy::default(), Momentum::default()),
            is_measured: false,
            measures_steps: settings.accounts.is_every_step(),
            last_step: StepReport::default(),
            extent: (mass, arm),
            steps: 0,
            events: Vec::new(),
            impulse_records: Vec::new(),
        };
        sim.reset_balance();
        sim
    }

    /// Projects the starting pose and velocities onto the joints, if projection is on or joint coordinates are integrated. The
    /// first step does the same.
    pub fn assemble(&mut self) -> Result<(), StepError> {
        let still = core::mem::take(&mut self.state.still);
        if self.is_assembled() {
            return Ok(());
        }
        let report = assemble(&self.model, &self.settings, &mut self.state, &mut self.work)
            .inspect_err(|_| self.state.still = still)?;
        self.note_step(&report);
        self.reset_balance();
        Ok(())
    }

    /// Overlaps of the present pose that are too deep for a step to start from.
    pub fn overlaps(&mut self) -> Vec<step::Overlap> {
        let found = step::overlaps(&self.model, &self.state, &mut self.work);
        found.into_iter().map(|(subject, depth)| step::Overlap::new(&self.model, subject, depth)).collect()
    }

    /// Joints to the ground whose body overlaps shapes of the ground in the present pose. A joint switches contact between
    /// its two bodies off, so such a body may pass through the floor;
    /// [`ModelBuilder::set_collision`](crate::ModelBuilder::set_collision) switches it on, and a pair of which it spoke is left out here.
    pub fn within_ground(&mut self) -> Vec<JointId> {
        step::within_ground(&self.model, &self.state, &mut self.work)
    }

    fn is_assembled(&self) -> bool {
        match self.settings.coordinates {
            Coordinates::Bodies | Coordinates::Auto => self.state.assembled || !self.settings.projects(),
            Coordinates::Joints => self.state.has_joints(),
        }
    }

    /// Advances by `h` seconds: in one step, or with an adaptive integrator in as many as its tolerance asks for. On failure
    /// nothing has changed.
    pub fn step(&mut self, h: f64) -> Result<StepReport, StepError> {
        self.advance(|model, settings, state, work| step::step(model, settings, state, h, work))
    }

    fn advance(
        &mut self,
        go: impl FnOnce(&Model, &Settings, &mut State, &mut Workspace) -> Result<StepReport, StepError>,
    ) -> Result<StepReport, StepError> {
        // The initial state is stored in the model.
        let start = || (!self.state.is_same(self.model.initial_state())).then(|| self.state.clone());
        let before = (!self.is_assembled()).then(|| (start(), self.certificate));
        let (still, impulses) = (self.state.still, self.state.impulses_applied);
        self.assemble()?;
        let report = match go(&self.model, &self.settings, &mut self.state, &mut self.work) {
            Ok(report) => report,
            Err(error) => {
                // The assembly belongs to the step that failed.
                self.state.still = still;
                if let Some((state, certificate)) = before {
                    self.state = state.unwrap_or_else(|| self.model.initial_state().clone());
                    self.certificate = certificate;
                    self.last_step = StepReport::default();
                    self.reset_balance();
                }
                return Err(error);
            }
        };
        self.steps += report.steps;
        self.take_log();
        self.note_step(&report);
        // Of a step in parts the last may have been one of rest.
        let rests = report.steps == 1 && self.state.impulses_applied == impulses;
        if core::mem::take(&mut self.work.integrator.has_repeated) && self.is_measured && rests {
            self.account_for_rest();
            return Ok(report);
        }
        let motions_are_current = core::mem::take(&mut self.work.kinematics.motions_are_current);
        self.account_for_motion(motions_are_current);
        Ok(report)
    }

    fn take_log(&mut self) {
        if let Some(events) = &mut self.work.contact.events {
            self.events.append(&mut events.log);
        }
        self.impulse_records.append(&mut self.work.contact.impulse_records);
    }

    /// Applies an impulse at the present state: velocities jump, poses do not. Returns the impulses of joints and of
    /// closed limits and contacts. The mechanism is assembled first, if it is not yet.
    ///
    /// # Errors
    /// For a body that is not in this model, the ground, numbers that are not finite, f = m v, and equations without a solution.
    /// The state is then unchanged.
    pub fn apply_impulse(&mut self, impulse: &Impulse) -> Result<ImpulseRecord, StepError> {
        self.apply_impulses(core::slice::from_ref(impulse))
    }

    /// Applies several impulses at the same instant.
    ///
    /// # Errors
    /// As [`Simulation::apply_impulse`].
    pub fn apply_impulses(&mut self, impulses: &[Impulse]) -> Result<ImpulseRecord, StepError> {
        if self.settings.integrator == Integrator::FirstOrder {
            return Err(StepError::NoImpulses);
        }
        let at = |impulse: &Impulse| Ok((self.model.attach_impulse(impulse)?, *impulse));
        let impulses = impulses.iter().map(at).collect::<Result<Vec<_>, StepError>>()?;
        self.assemble()?;
        let (done, report) =
            step::apply_impulses(&self.model, &self.settings, &mut self.state, &impulses, &mut self.work)?;
        self.take_log();
        self.note_step(&report);
        self.account_for_motion(false);
        Ok(done)
    }

    /// Advances to time `until` in steps of `h`, the last one shortened; returns the number of steps. For an adaptive
    /// integrator `h` is only the first step. With [`Accounts::End`] the end is certified.
    pub fn run(&mut self, until: f64, h: f64) -> Result<u64, StepError> {
        if !until.is_finite() {
            return Err(StepError::BadTime { until });
        }
        let before = self.steps;
        while self.next_step(until, h).is_some() {
            self.step_toward(until, h)?;
        }
        if self.settings.accounts == Accounts::End {
            self.certify_now()?;
        }
        Ok(self.steps - before)
    }

    /// One step of `h` on the way to `until`, shortened if less is left; the time after the last one is `until`
    /// exactly, whatever the sum of steps rounds to. An adaptive integrator takes one step of its own size; `h` is its very
    /// first.
    pub fn step_toward(&mut self, until: f64, h: f64) -> Result<StepReport, StepError> {
        let size = self.next_step(until, h).unwrap_or(h);
        let report = if self.settings.integrator.is_adaptive() {
            let left = (until - self.state.time) - self.state.time_remainder;
            let most = if self.next_step(until, h).is_some() { left } else { h };
            self.advance(|model, settings, state, work| {
                step::step_within(model, settings, state, h, most, work)
            })?
        } else {
            self.step(size)?
        };
        if self.next_step(until, h).is_none() {
            self.set_time(until);
        }
        Ok(report)
    }

    /// The size of the next step on the way to `until`: `h`, or the remaining time; `None` at `until`. For an adaptive
    /// integrator it is the remaining time, an upper bound.
    ///
    /// The last step may be longer by 1e-6 (relative), so that no tiny step remains. A longer remainder is a step of its own,
    /// unless it is only rounding of `until`.
    pub fn next_step(&self, until: f64, h: f64) -> Option<f64> {
        let left = (until - self.state.time) - self.state.time_remainder;
        if left.is_nan() || left <= NO_TIME * until.abs() {
            return None;
        }
        let adaptive = self.settings.integrator.is_adaptive();
        Some(if adaptive || left < h * (1.0 + STRETCHED_STEP) { left } else { h })
    }

    /// The state at a time within the last step of an adaptive integrator, from its continuous extension of order 4 and, if
    /// projection is on, projected onto the joints. `None` outside of that step, or if there is no such step.
    pub fn state_at(&mut self, time: f64) -> Result<Option<State>, StepError> {
        let known = step::interpolate(&self.model, &self.settings, time, &mut self.work)?;
        Ok(known.then(|| self.work.stages.next.clone()))
    }

    /// How the equations are solved, and what that costs: solver, work, memory, operations.
    pub fn diagnostics(&mut self) -> Diagnostics<'_> {
        Diagnostics { sim: self }
    }
    /// Memory held by model, state and workspace, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.model.bytes() + self.state.bytes() + self.work.bytes()
    }
    /// Work done so far.
    pub(crate) fn work_counts(&self) -> WorkCounts {
        self.work.counts()
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }
    /// Continues from another state of the same model, for example an earlier snapshot. Balances are counted from there.
    ///
    /// # Errors
    /// If the state belongs to a model of another structure: other kinds of bodies or joints, others in number or order, or
    /// joined to other bodies. Masses, sizes, positions and forces may differ. The simulation is then unchanged.
    pub fn restore(&mut self, state: &State) -> Result<(), StepError> {
        if !self.fits(state) {
            return Err(StepError::OtherModel);
        }
        self.state.copy_from(state);
        step::forget_last(&mut self.work);
        self.last_step = StepReport::default();
        self.reset_balance();
        Ok(())
    }
    /// Changes a law of the model, nothing of its structure: workspace and state stay. A model that others share is
    /// copied first. `opens`: joints may have to be closed again by the next step.
    pub(crate) fn change_law(&mut self, opens: bool, change: impl FnOnce(&mut Model)) {
        change(Arc::make_mut(&mut self.model));
        step::forget_last(&mut self.work);
        self.state.still = false;
        self.state.assembled &= !opens;
        self.is_measured = false;
    }
    /// Adopts the state after a step that was taken elsewhere from the present one, as in a [`Batch`](crate::Batch). Energy and
    /// momentum are measured (with [`Accounts::EveryStep`], else when they are read) and balances continue; the certificate and the number of steps do not change.
    ///
    /// # Errors
    /// As [`Simulation::restore`].
    pub fn follow(&mut self, state: &State) -> Result<(), StepError> {
        if !self.fits(state) {
            return Err(StepError::OtherModel);
        }
        self.state.copy_from(state);
        step::forget_last(&mut self.work);
        self.last_step = StepReport::default();
        self.account_for_motion(false);
        Ok(())
    }
    /// Whether a state belongs to this model.
    fn fits(&self, state: &State) -> bool {
        state_fits(&self.model, &self.state, state)
    }
    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }
    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Events of inequalities so far: reached, closed, opened.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
    /// Records of the impulses of the model that have acted so far.
    pub fn impulse_records(&self) -> &[ImpulseRecord] {
        &self.impulse_records
    }
    /// The worst errors so far, over the instants that [`Settings::accounts`] asks for; the certificate says how many.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }
    /// Energy of the present state, measured if it is not known.
    pub(crate) fn last_energy(&mut self) -> &Energy {
        self.measure_present();
        &self.present.0
    }
    /// Sum of the absolute values of the terms of its energy.
    pub(crate) fn formed_energy(&self) -> f64 {
        self.largest.formed.0
    }
    /// Momentum of the present state, measured if it is not known.
    pub(crate) fn last_momentum(&mut self) -> &Momentum {
        self.measure_present();
        &self.present.1
    }
    /// Whether the next step would begin with an assembly.
    pub(crate) fn needs_assembly(&self) -> bool {
        !self.is_assembled()
    }
    /// Saves everything that a step changes.
    pub(crate) fn save_checkpoint(&self, checkpoint: &mut Option<Checkpoint>) {
        let Simulation { certificate, largest, present, is_measured, last_step, steps, .. } = *self;
        match checkpoint {
            Some(checkpoint) => {
                checkpoint.state.copy_from(&self.state);
                (checkpoint.certificate, checkpoint.largest, checkpoint.present) =
                    (certificate, largest, present);
                (checkpoint.is_measured, checkpoint.last_step) = (is_measured, last_step);
                (checkpoint.steps, checkpoint.events, checkpoint.impulse_records) =
                    (steps, self.events.len(), self.impulse_records.len());
            }
            None => {
                let (state, events, impulse_records) =
                    (self.state.clone(), self.events.len(), self.impulse_records.len());
                *checkpoint = Some(Checkpoint {
                    state,
                    certificate,
                    largest,
                    present,
                    is_measured,
                    last_step,
                    steps,
                    events,
                    impulse_records,
                });
            }
        }
    }
    /// Restores a checkpoint.
    pub(crate) fn rewind(&mut self, checkpoint: &Checkpoint) {
        self.state.copy_from(&checkpoint.state);
        (self.certificate, self.largest, self.present) =
            (checkpoint.certificate, checkpoint.largest, checkpoint.present);
        (self.is_measured, self.last_step) = (checkpoint.is_measured, checkpoint.last_step);
        self.steps = checkpoint.steps;
        self.events.truncate(checkpoint.events);
        self.impulse_records.truncate(checkpoint.impulse_records);
        step::forget_last(&mut self.work);
    }
    /// Hands out the events since the last call.
    pub(crate) fn take_events(&mut self, mut tell: impl FnMut(&Model, &Event)) {
        self.events.drain(..).for_each(|event| tell(&self.model, &event));
    }
    /// Advances the time alone.
    pub(crate) fn pass_time(&mut self, h: f64) {
        self.state.advance_time(h);
        self.state.sums_time = self.state.time;
    }
    /// Sets the time to exactly this value if it differs only by the rounding of summed steps. The remainder is kept, so that a
    /// run that continues has the same bits as one without a break. Does nothing for any other time.
    pub fn set_time(&mut self, time: f64) {
        let is_rounding = (time - self.state.time).abs() <= SAME_TIME * (1.0 + time.abs());
        if !is_rounding {
            return;
        }
        self.state.time_remainder += self.state.time - time;
        self.state.time = time;
    }
    /// Puts the clock to another time \[s\]; poses and velocities stay, except of what laws prescribe: the mechanism is
    /// brought to where its drives are then. Impulses of the model before that time count as applied. Balances count from here.
    ///
    /// # Errors
    /// If the time is not finite, or the joints cannot be closed then. Nothing has changed in that case.
    pub fn set_clock(&mut self, time: f64) -> Result<(), StepError> {
        if !time.is_finite() {
            return Err(StepError::BadTime { until: time });
        }
        let (before, certificate) = (self.state.clone(), self.certificate);
        let state = &mut self.state;
        (state.time, state.time_remainder, state.sums_time) = (time, 0.0, time);
        state.impulses_applied = self.model.impulses.partition_point(|impulse| impulse.time < time);
        state.step_size_memory = Default::default();
        if !self.model.drives.is_empty() || !self.model.constraints.is_empty() {
            state.assembled = false;
            state.forget_joints();
        }
        step::forget_last(&mut self.work);
        self.last_step = StepReport::default();
        if let Err(error) = self.assemble() {
            (self.state, self.certificate) = (before, certificate);
            self.reset_balance();
            return Err(error);
        }
        self.reset_balance();
        Ok(())
    }
    /// Sets all velocities to zero; the kinetic energy is booked as dissipated.
    pub(crate) fn stop_motion(&mut self) {
        let kinetic = self.last_energy().kinetic;
        self.state.v.fill(0.0);
        self.state.forget_joints();
        self.state.ledger.dissipated += kinetic;
        self.reset_balance();
    }
    /// FNV-1a (64 bits) over the bits of the time and of every body's coordinates and velocities in id order, −0 as 0. It does
    /// not cover turns, joint coordinates, the rank plan and the ledger: two states with one hash have equal poses and
    /// velocities, but may continue with different bits.
    pub fn state_hash(&self) -> u64 {
        self.state.hash(&self.model)
    }
}

/// Whether a state belongs to a model that `own` is a state of.
pub(crate) fn state_fits(model: &Model, own: &State, state: &State) -> bool {
    let presses = state.held.iter().all(|held| held.key.is_in(model))
        && state.commands.as_ref().is_none_or(|commands| commands.fit(model));
    own.fits(state) && presses && state.impulses_applied <= model.impulses.len()
}

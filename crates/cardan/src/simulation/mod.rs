//! The façade for everyday use: a model, its state and its workspace in one value.

mod diagnostics;

pub use diagnostics::Diagnostics;

use crate::impulse::{Impulse, ImpulseRecord};
use crate::math::larger;
use crate::measure::{
    Accelerations, BodyReport, Certificate, Diagnosis, Energy, InequalityReport, Instant, JointReport,
    MagnitudeSums, Momentum, ProbeReport, coordinates::coordinate_at, diagnose, measure_energy,
    measure_momentum, measure_with_magnitudes,
};
use crate::model::{BodyId, InequalityId, JointId, Model, ProbeId};
use crate::state::State;
use crate::step::{
    self, Coordinates, Event, Integrator, Settings, StepError, StepReport, WorkCounts, Workspace, assemble,
    evaluate,
};
use std::sync::Arc;

/// A running mechanism.
#[derive(Debug)]
pub struct Simulation {
    model: Arc<Model>,
    settings: Settings,
    state: State,
    work: Workspace,
    certificate: Certificate,
    initial_energy: f64,
    /// Momentum at the start less the impulse booked by then.
    initial_momentum: Momentum,
    largest: LargestSeen,
    /// Energy and momentum of the present state.
    present: (Energy, Momentum),
    /// The whole mass, and the farthest anchor from its body's centre or from the origin.
    extent: (f64, f64),
    steps: u64,
    events: Vec<Event>,
    impulse_records: Vec<ImpulseRecord>,
}

/// The largest of everything seen since the books were opened: what balances are judged by.
#[derive(Copy, Clone, Debug, Default)]
struct LargestSeen {
    energy: f64,
    linear: f64,
    angular: f64,
    /// What energy, momentum and its moment are formed from, without regard to signs: those of all bodies, and those of the whole
    /// mass if all that acts drew it through the whole reach.
    formed: (f64, f64, f64),
}

/// What is left over, beside the largest seen; 0/0 counts as 0. Leftovers that the rounding of what they are formed from explains are
/// judged by that: in a mechanism at rest, or one whose momenta cancel, both the leftover and the largest seen are rounding,
/// and their ratio says nothing.
pub(crate) fn relative_leftover(left: f64, seen: f64, formed: f64) -> f64 {
    // Far above the rounding that a long run sums up, far below any motion that could be seen.
    const ROUNDING: f64 = 1e-10;
    let size = if left <= ROUNDING * formed { larger(seen, formed) } else { seen };
    if left == 0.0 { 0.0 } else { left / size }
}

/// What a step changes, to be undone.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    state: State,
    certificate: Certificate,
    largest: LargestSeen,
    present: (Energy, Momentum),
    steps: u64,
    events: usize,
    impulse_records: usize,
}

/// How well energy and momentum add up over a run.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Balance {
    /// kinetic + potential − work at the start \[J\].
    pub initial_energy: f64,
    /// |kinetic + potential + dissipated − work − initial| over the largest energy seen (0/0 = 0), whatever the size of the
    /// mechanism. Only what rounding explains is judged by the forces that cancel: at rest nothing else is seen.
    pub energy_error: f64,
    /// The leftover over the largest energy seen, at least 1 J: what reports call `balance_error`.
    pub energy_error_per_joule: f64,
    /// The same for momentum: its change less the impulse from outside, over the largest seen; likewise its
    /// moment, and the larger of the two counts.
    pub momentum_error: f64,
}

impl Simulation {
    /// A mechanism with the usual settings: RK4, projection, automatic solver.
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let work = Workspace::with_default_settings(&model);
        Simulation::start(model, Settings::default(), work)
    }

    /// A mechanism with given settings; fails only if a solver is asked for that cannot answer the model.
    pub fn with_settings(model: impl Into<Arc<Model>>, settings: Settings) -> Result<Self, StepError> {
        let model = model.into();
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
            certificate: Certificate::default(),
            initial_energy: 0.0,
            initial_momentum: Momentum::default(),
            largest: LargestSeen::default(),
            present: (Energy::default(), Momentum::default()),
            extent: (mass, arm),
            steps: 0,
            events: Vec::new(),
            impulse_records: Vec::new(),
        };
        sim.reset_balance();
        sim
    }

    fn reset_balance(&mut self) {
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        let (energy, momentum, magnitudes) = self.measure();
        self.initial_energy = energy.balance();
        let ledger = self.state.ledger;
        self.initial_momentum = Momentum {
            linear: momentum.linear - ledger.impulse,
            angular: momentum.angular - ledger.angular_impulse,
        };
        self.record_sizes(&energy, &momentum, &magnitudes);
    }

    /// Remembers the largest energy and momentum seen: what balances are judged against.
    fn record_sizes(&mut self, energy: &Energy, momentum: &Momentum, magnitudes: &MagnitudeSums) {
        self.present = (*energy, *momentum);
        let (ledger, seen) = (&self.state.ledger, &mut self.largest);
        for part in [energy.kinetic, energy.potential.abs(), energy.dissipated, energy.work.abs()] {
            seen.energy = larger(seen.energy, part);
        }
        for (most, vectors) in [
            (&mut seen.linear, [momentum.linear, ledger.impulse]),
            (&mut seen.angular, [momentum.angular, ledger.angular_impulse]),
        ] {
            vectors.iter().for_each(|vector| *most = larger(*most, vector.largest()));
        }
        let (mass, arm) = self.extent;
        let reach = magnitudes.reach + arm;
        let fall = magnitudes.force * reach + magnitudes.torque;
        let momentum = (mass * fall).sqrt();
        let terms = (fall, larger(momentum, magnitudes.linear), larger(momentum * reach, magnitudes.angular));
        let most = &mut seen.formed;
        *most = (larger(most.0, terms.0), larger(most.1, terms.1), larger(most.2, terms.2));
    }

    /// Brings the starting pose and velocities onto the joints, if projection is on or joint coordinates are integrated. The
    /// first step does it too.
    pub fn assemble(&mut self) -> Result<(), StepError> {
        let still = core::mem::take(&mut self.state.still);
        if self.is_assembled() {
            return Ok(());
        }
        let report = assemble(&self.model, &self.settings, &mut self.state, &mut self.work)
            .inspect_err(|_| self.state.still = still)?;
        self.certificate.note(&report);
        self.reset_balance();
        Ok(())
    }

    /// What overlaps as things stand by more than can be begun with.
    pub fn overlaps(&mut self) -> Vec<step::Overlap> {
        let found = step::overlaps(&self.model, &self.state, &mut self.work);
        found.into_iter().map(|(subject, depth)| step::Overlap::new(&self.model, subject, depth)).collect()
    }

    fn is_assembled(&self) -> bool {
        match self.settings.coordinates {
            Coordinates::Bodies => self.state.assembled || !self.settings.projects(),
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
        // The state that the model begins with is there already.
        let start = || (!self.state.is_same(self.model.initial_state())).then(|| self.state.clone());
        let before = (!self.is_assembled()).then(|| (start(), self.certificate));
        let still = self.state.still;
        self.assemble()?;
        let report = match go(&self.model, &self.settings, &mut self.state, &mut self.work) {
            Ok(report) => report,
            Err(error) => {
                // The assembly belongs to the step that failed.
                self.state.still = still;
                if let Some((state, certificate)) = before {
                    self.state = state.unwrap_or_else(|| self.model.initial_state().clone());
                    self.certificate = certificate;
                    self.reset_balance();
                }
                return Err(error);
            }
        };
        self.certificate.note(&report);
        self.steps += report.steps;
        self.take_log();
        if !core::mem::take(&mut self.work.motions_are_current) {
            step::refresh_motions(&self.model, &self.state, &mut self.work);
        }
        let (energy, momentum, magnitudes) = self.measure();
        self.record_sizes(&energy, &momentum, &magnitudes);
        Ok(report)
    }

    fn take_log(&mut self) {
        if let Some(events) = &mut self.work.events {
            self.events.append(&mut events.log);
        }
        self.impulse_records.append(&mut self.work.impulse_records);
    }

    /// Strikes the mechanism where it stands: velocities jump, poses do not. What joints, and limits and contacts that touch, answer with comes back. It is
    /// brought onto its joints first, if it is not there.
    ///
    /// # Errors
    /// A body that is not of this model, the ground, numbers that are not finite, f = m v; nothing has changed then. Likewise if the equations have no answer.
    pub fn apply_impulse(&mut self, impulse: &Impulse) -> Result<ImpulseRecord, StepError> {
        self.apply_impulses(core::slice::from_ref(impulse))
    }

    /// Several blows at the same instant.
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
        self.certificate.note(&report);
        self.take_log();
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        let (energy, momentum, magnitudes) = self.measure();
        self.record_sizes(&energy, &momentum, &magnitudes);
        Ok(done)
    }

    /// Energy and momentum of the present state, whose motions are at hand. With f = m v nothing carries on by itself: neither kinetic energy nor
    /// momentum.
    fn measure(&mut self) -> (Energy, Momentum, MagnitudeSums) {
        let (energy, momentum, magnitudes) =
            measure_with_magnitudes(&self.model, &self.state, &mut self.work);
        match self.settings.integrator {
            Integrator::FirstOrder => (Energy { kinetic: 0.0, ..energy }, Momentum::default(), magnitudes),
            _ => (energy, momentum, magnitudes),
        }
    }

    /// Advances to time `until` in steps of `h`, the last one shortened; returns the number of steps. For an adaptive
    /// integrator `h` is only the first step.
    pub fn run(&mut self, until: f64, h: f64) -> Result<u64, StepError> {
        if !until.is_finite() {
            return Err(StepError::BadTime { until });
        }
        let before = self.steps;
        while self.next_step(until, h).is_some() {
            self.step_toward(until, h)?;
        }
        Ok(self.steps - before)
    }

    /// One step of `h` on the way to `until`, shortened if less is left; the time after the last one is `until`
    /// exactly, whatever the sum of steps rounds to. An adaptive integrator takes one step of its own size; `h` is its very
    /// first.
    pub fn step_toward(&mut self, until: f64, h: f64) -> Result<StepReport, StepError> {
        let size = self.next_step(until, h).unwrap_or(h);
        let report = if self.settings.integrator.is_adaptive() {
            let left = (until - self.state.time) - self.state.time_rest;
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

    /// The size of the next step on the way to `until`: `h`, or what is left; `None` when there. For an adaptive integrator the
    /// most that is left: its error decides.
    ///
    /// The last step may be longer by a millionth, so that no sliver is left. What is left beyond that is a step of its
    /// own, however short; only the rounding of `until` itself is none.
    pub fn next_step(&self, until: f64, h: f64) -> Option<f64> {
        let left = (until - self.state.time) - self.state.time_rest;
        if left.is_nan() || left <= 4.0 * f64::EPSILON * until.abs() {
            return None;
        }
        let adaptive = self.settings.integrator.is_adaptive();
        Some(if adaptive || left < h * (1.0 + 1e-6) { left } else { h })
    }

    /// Solves for accelerations and reactions at the present state; nothing moves. With f = m v ([`Integrator::FirstOrder`]) for velocities, which the instant then shows; accelerations are NaN.
    pub fn evaluate(&mut self) -> Result<Instant<'_>, StepError> {
        evaluate(&self.model, &self.settings, &self.state, &mut self.work)?;
        Ok(Instant { model: &self.model, state: &self.state, work: &self.work })
    }

    /// Accelerations and joint loads at the present state: the cheap way when nothing else is wanted. On the fast path (with or
    /// without loops) M, J, c and λ are never formed and the answer is not certified; elsewhere it costs nearly what
    /// [`Simulation::evaluate`] does. With f = m v velocities are in the place of accelerations. Allocates nothing.
    pub fn accelerations(&mut self) -> Result<Accelerations<'_>, StepError> {
        step::accelerate(&self.model, &self.settings, &self.state, &mut self.work)?;
        Ok(Accelerations { model: &self.model, work: &self.work })
    }

    /// Those of the last solve.
    pub(crate) fn last_accelerations(&self) -> Accelerations<'_> {
        Accelerations { model: &self.model, work: &self.work }
    }

    /// The same at another state of the same model; the present one stays.
    pub fn accelerations_at(&mut self, state: &State) -> Result<Accelerations<'_>, StepError> {
        step::accelerate(&self.model, &self.settings, state, &mut self.work)?;
        Ok(Accelerations { model: &self.model, work: &self.work })
    }

    /// Place and motion of a body at the present state, accelerations NaN. Of an id of another model, everything is NaN.
    pub fn body(&mut self, id: BodyId) -> BodyReport {
        self.kinematics().body(id)
    }
    /// Coordinates, rates and loads of a joint, solved for the present state.
    ///
    /// # Errors
    /// If the equations have no answer.
    pub fn joint(&mut self, id: JointId) -> Result<JointReport<'_>, StepError> {
        Ok(self.evaluate()?.joint(id))
    }
    /// Place, velocity and acceleration of a probe, solved for the present state.
    ///
    /// # Errors
    /// If the equations have no answer.
    pub fn probe(&mut self, id: ProbeId) -> Result<ProbeReport, StepError> {
        Ok(self.evaluate()?.probe(id))
    }
    /// Gap, rate and push of an inequality, solved for the present state.
    ///
    /// # Errors
    /// If the equations have no answer.
    pub fn inequality(&mut self, id: InequalityId) -> Result<InequalityReport, StepError> {
        Ok(self.evaluate()?.inequality(id))
    }
    /// Coordinate `k` of a joint, turns counted [rad, m]; nothing is solved. NaN if there is no such joint or coordinate.
    pub fn coordinate(&mut self, joint: JointId, k: usize) -> f64 {
        self.coordinate_and_rate(joint, k)[0]
    }
    /// Rate of coordinate `k` of a joint [rad/s, m/s]; nothing is solved. NaN if there is no such joint or coordinate.
    pub fn rate(&mut self, joint: JointId, k: usize) -> f64 {
        self.coordinate_and_rate(joint, k)[1]
    }
    /// The first coordinate of a joint: the angle of a hinge, turns counted \[rad\].
    pub fn angle(&mut self, hinge: JointId) -> f64 {
        self.coordinate(hinge, 0)
    }
    fn coordinate_and_rate(&mut self, joint: JointId, k: usize) -> [f64; 2] {
        let coordinates = self.model.joint(joint).map_or(0, |joint| joint.kind.coordinates());
        if k >= coordinates {
            return [f64::NAN; 2];
        }
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        coordinate_at(&self.model, &self.state, &self.work.motions, joint.index(), k)
    }

    /// Poses, velocities and joint coordinates of the present state; accelerations and reactions are NaN.
    pub fn kinematics(&mut self) -> Instant<'_> {
        step::observe_unsolved(&self.model, &self.settings, &self.state, &mut self.work);
        Instant { model: &self.model, state: &self.state, work: &self.work }
    }

    /// Like [`Simulation::evaluate`], but a state that cannot be solved still shows its kinematics; accelerations
    /// and reactions are then NaN.
    pub fn observe(&mut self) -> Instant<'_> {
        if evaluate(&self.model, &self.settings, &self.state, &mut self.work).is_err() {
            step::observe_unsolved(&self.model, &self.settings, &self.state, &mut self.work);
        }
        Instant { model: &self.model, state: &self.state, work: &self.work }
    }

    /// Which joints depend on each other, whether they agree, and what would help: by geometry, at the closed pose nearest
    /// to the present one (where the joints cannot be closed, where they are least open). `None` for more than
    /// 4000 rows. Nothing changes.
    ///
    /// # Errors
    /// When a number of a joint is not finite.
    pub fn diagnose(&self) -> Result<Option<Diagnosis>, StepError> {
        diagnose(&self.model, &self.settings, &self.state)
    }

    /// The state at a time within the last step of an adaptive integrator, from its continuous extension of order 4 and, if
    /// projection is on, brought onto the joints. `None` outside of that step, or if there is no such step.
    pub fn state_at(&mut self, time: f64) -> Result<Option<State>, StepError> {
        let known = step::interpolate(&self.model, &self.settings, time, &mut self.work)?;
        Ok(known.then(|| self.work.next.clone()))
    }

    /// Like [`Simulation::observe`], at another state of the same model.
    pub fn observe_at<'s>(&'s mut self, state: &'s State) -> Instant<'s> {
        if evaluate(&self.model, &self.settings, state, &mut self.work).is_err() {
            step::observe_unsolved(&self.model, &self.settings, state, &mut self.work);
        }
        Instant { model: &self.model, state, work: &self.work }
    }

    /// Energy of another state of the same model.
    pub fn energy_at(&mut self, state: &State) -> Energy {
        let mut energy = measure_energy(&self.model, state, &mut self.work);
        if self.settings.integrator == Integrator::FirstOrder {
            energy.kinetic = 0.0;
        }
        energy
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
    /// Goes on from another state of the same model, for example an earlier snapshot. Balances count from there.
    ///
    /// # Errors
    /// If the state belongs to a model of another structure: other kinds of bodies or joints, others in number or order, or
    /// joined to other bodies. Masses, sizes, places and forces may differ. Nothing has changed then.
    pub fn restore(&mut self, state: &State) -> Result<(), StepError> {
        if !self.fits(state) {
            return Err(StepError::OtherModel);
        }
        self.state.copy_from(state);
        step::forget_last(&mut self.work);
        self.reset_balance();
        Ok(())
    }
    /// Goes on to the state that a step from the present one has led to, if that was taken elsewhere, as in a [`Batch`](crate::Batch). Energy and momentum are measured there,
    /// and balances go on as if the step had been taken here; the certificate and the number of steps stay with who took it.
    ///
    /// # Errors
    /// As [`Simulation::restore`].
    pub fn follow(&mut self, state: &State) -> Result<(), StepError> {
        if !self.fits(state) {
            return Err(StepError::OtherModel);
        }
        self.state.copy_from(state);
        step::forget_last(&mut self.work);
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        let (energy, momentum, magnitudes) = self.measure();
        self.record_sizes(&energy, &momentum, &magnitudes);
        Ok(())
    }
    /// Whether a state is one of this model.
    fn fits(&self, state: &State) -> bool {
        let presses = state.held.iter().all(|held| held.key.is_in(&self.model));
        self.state.fits(state) && presses && state.impulses_applied <= self.model.impulses.len()
    }
    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }
    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// What inequalities did so far: reached, pressed, let go.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
    /// What the blows of the model did so far.
    pub fn impulse_records(&self) -> &[ImpulseRecord] {
        &self.impulse_records
    }
    /// The worst errors so far.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }
    /// Energy of the present state. With f = m v there is no kinetic energy, and vᵀ M v is dissipated.
    pub fn energy(&mut self) -> Energy {
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        self.measure().0
    }
    /// Momentum of the present state.
    pub fn momentum(&mut self) -> Momentum {
        if self.settings.integrator == Integrator::FirstOrder {
            return Momentum::default();
        }
        measure_momentum(&self.model, &self.state, &mut self.work)
    }
    /// How well energy and momentum add up since the start.
    pub fn balance(&mut self) -> Balance {
        let (energy, momentum) = (self.energy(), self.momentum());
        let (start, ledger, seen) = (self.initial_momentum, self.state.ledger, self.largest);
        let linear = momentum.linear - start.linear - ledger.impulse;
        let angular = momentum.angular - start.angular - ledger.angular_impulse;
        let left = (energy.balance() - self.initial_energy).abs();
        Balance {
            initial_energy: self.initial_energy,
            energy_error: relative_leftover(left, seen.energy, seen.formed.0),
            energy_error_per_joule: left / larger(1.0, seen.energy),
            momentum_error: larger(
                relative_leftover(linear.largest(), seen.linear, seen.formed.1),
                relative_leftover(angular.largest(), seen.angular, seen.formed.2),
            ),
        }
    }
    /// Energy of the last state that was measured: after a step, an assembly or a restore the present one.
    pub(crate) fn last_energy(&self) -> &Energy {
        &self.present.0
    }
    /// What its energy is formed from, without regard to signs.
    pub(crate) fn formed_energy(&self) -> f64 {
        self.largest.formed.0
    }
    pub(crate) fn last_momentum(&self) -> &Momentum {
        &self.present.1
    }
    /// Whether the next step would begin by bringing bodies onto their joints.
    pub(crate) fn needs_assembly(&self) -> bool {
        !self.is_assembled()
    }
    /// Remembers everything that a step changes.
    pub(crate) fn save_checkpoint(&self, checkpoint: &mut Option<Checkpoint>) {
        let Simulation { certificate, largest, present, steps, .. } = *self;
        match checkpoint {
            Some(checkpoint) => {
                checkpoint.state.copy_from(&self.state);
                (checkpoint.certificate, checkpoint.largest, checkpoint.present) =
                    (certificate, largest, present);
                (checkpoint.steps, checkpoint.events, checkpoint.impulse_records) =
                    (steps, self.events.len(), self.impulse_records.len());
            }
            None => {
                let (state, events, impulse_records) =
                    (self.state.clone(), self.events.len(), self.impulse_records.len());
                *checkpoint =
                    Some(Checkpoint { state, certificate, largest, present, steps, events, impulse_records });
            }
        }
    }
    /// As it was then.
    pub(crate) fn rewind(&mut self, checkpoint: &Checkpoint) {
        self.state.copy_from(&checkpoint.state);
        (self.certificate, self.largest, self.present) =
            (checkpoint.certificate, checkpoint.largest, checkpoint.present);
        self.steps = checkpoint.steps;
        self.events.truncate(checkpoint.events);
        self.impulse_records.truncate(checkpoint.impulse_records);
        step::forget_last(&mut self.work);
    }
    /// Hands out what happened since the last time.
    pub(crate) fn take_events(&mut self, mut tell: impl FnMut(&Model, &Event)) {
        self.events.drain(..).for_each(|event| tell(&self.model, &event));
    }
    /// Time passes, and nothing else.
    pub(crate) fn pass_time(&mut self, h: f64) {
        self.state.advance_time(h);
        self.state.sums_time = self.state.time;
    }
    /// The time is this one exactly, whatever the sum of steps rounded to; what that has beyond it is carried on, so that a run that goes on from here is one without
    /// a break. Does nothing if it is another time.
    pub fn set_time(&mut self, time: f64) {
        let is_rounding = (time - self.state.time).abs() <= 1e-9 * (1.0 + time.abs());
        if !is_rounding {
            return;
        }
        self.state.time_rest += self.state.time - time;
        self.state.time = time;
    }
    /// What still moves becomes heat.
    pub(crate) fn stop_motion(&mut self) {
        let kinetic = self.present.0.kinetic;
        self.state.v.fill(0.0);
        self.state.forget_joints();
        self.state.ledger.dissipated += kinetic;
        self.reset_balance();
    }
    /// FNV-1a (64 bits) over the bits of the time and of every body's coordinates and velocities in id order, −0 as 0. What else
    /// a state holds (turns, joint coordinates, the plan, the ledger) is not in it: two states of one hash stand and move alike,
    /// but may go on with other bits.
    pub fn state_hash(&self) -> u64 {
        self.state.hash(&self.model)
    }
}

//! The result of a run: the JSON object that other programs read, and the summary that people read.

pub(crate) mod contacts;
mod format;
mod impulses;
mod json;
mod text;

pub(crate) use format::{format_error, format_number, plural, without_noise, worst};
pub(crate) use json::role_name;
pub(crate) use text::{table, table_of};

use crate::load::LoadedScene;
use cardan::ConstraintId;
use cardan::measure::Instant;
use cardan::{Balance, Certificate, Energy, Model, Momentum, Simulation, Wrench};
use contacts::EventJson;
use serde::Serialize;

/// Redundant rows are analysed one against all others up to this size; the cost is cubic.
const MOST_ROWS_FOR_UNIQUENESS: usize = 1500;

/// Everything about the end of a run (or about t = 0, for `solve`).
pub(crate) struct Report<'a> {
    pub(crate) scene: &'a str,
    pub(crate) title: &'a str,
    pub(crate) status: String,
    pub(crate) steps: u64,
    pub(crate) wall_seconds: f64,
    /// Warnings.
    pub(crate) warnings: Vec<String>,
    pub(crate) certificate: Certificate,
    /// Whether the certificate is that of a run, not of one instant.
    pub(crate) is_run: bool,
    pub(crate) energy: Energy,
    pub(crate) momentum: Momentum,
    pub(crate) balance: Balance,
    pub(crate) counts: CountsJson,
    pub(crate) state_hash: u64,
    pub(crate) events: Vec<EventJson>,
    impulses: Vec<cardan::ImpulseRecord>,
    pub(crate) solver: &'static str,
    pub(crate) integrator: IntegratorJson,
    /// Whether time stepping was used.
    pub(crate) takes_impulses: bool,
    /// State variables of the integrator; `None` if islands of a world have different ones.
    pub(crate) coordinates: Option<cardan::Coordinates>,
    pub(crate) model: &'a Model,
    pub(crate) instant: Instant<'a>,
    /// Extremes of columns over a run.
    pub(crate) extremes: Vec<crate::extremes::ColumnExtremes>,
    /// Additions of a command to the JSON object, by key.
    pub(crate) extra: Vec<(&'static str, serde_json::Value)>,
    /// Self-stresses: loads that redundant rows leave undetermined; `None` if there are too many rows.
    pub(crate) self_stresses: Option<Vec<Vec<f64>>>,
    /// The trace of the Schur complement of auxiliary rows, if it was asked for.
    pub(crate) trace: Option<crate::trace::TraceJson<'a>>,
}

/// Totals of the islands of a world.
pub(crate) struct WorldTotals {
    pub(crate) steps: u64,
    pub(crate) certificate: Certificate,
    pub(crate) energy: Energy,
    pub(crate) momentum: Momentum,
    pub(crate) balance: Balance,
    pub(crate) state_hash: u64,
    pub(crate) events: Vec<EventJson>,
    pub(crate) work: cardan::step::WorkCounts,
    pub(crate) coordinates: Option<cardan::Coordinates>,
}

/// The integrator of a run, and why it is this one.
#[derive(Serialize)]
pub(crate) struct IntegratorJson {
    used: &'static str,
    reason: &'static str,
}

impl IntegratorJson {
    fn of(sim: &Simulation) -> Self {
        let (settings, model) = (sim.settings(), sim.model());
        let may_touch = !model.inequalities().is_empty() || !model.shapes().is_empty();
        let reason = match settings.integrator {
            _ if !settings.is_chosen() => "named in the scene",
            cardan::Integrator::TimeStepping => "auto: bodies may rest on many points of contact",
            _ if may_touch => "auto: few points of contact, or settings that time stepping does not have",
            _ => "auto: no contacts or limits",
        };
        IntegratorJson { used: settings.integrator.name(), reason }
    }
}

#[derive(Serialize)]
pub(crate) struct CountsJson {
    bodies: usize,
    joints: usize,
    coordinates: usize,
    rows: usize,
    variables: usize,
    pub(crate) rank: usize,
    pub(crate) redundant_rows: usize,
    pub(crate) freedoms: usize,
    inequalities: usize,
    factorizations: u64,
    solves: u64,
    iterations: u64,
    rejected: u64,
    divided: u64,
    handed_over: u64,
    events: usize,
}

impl<'a> Report<'a> {
    /// Reads a simulation in its present state.
    pub(crate) fn new(
        loaded: &'a LoadedScene,
        sim: &'a mut Simulation,
        status: String,
        wall_seconds: f64,
    ) -> Self {
        // Counts of the run, before the solve of this report.
        let work = sim.diagnostics().work_counts();
        let (energy, momentum, balance) = (sim.energy(), sim.momentum(), sim.balance());
        let (certificate, steps, state_hash) = (sim.certificate(), sim.steps(), sim.state_hash());
        let (solver, coordinates) = (sim.diagnostics().solver_name(), sim.settings().coordinates);
        let takes_impulses = sim.settings().integrator == cardan::Integrator::TimeStepping;
        let integrator = IntegratorJson::of(sim);
        let (events, impulses) =
            (contacts::events(sim.model(), sim.events()), sim.impulse_records().to_vec());
        let instant = sim.observe();
        let model = instant.model();
        let counts = model.counts();
        let rank = instant.rank();
        Report {
            scene: &loaded.name,
            title: loaded.title(),
            status,
            steps,
            wall_seconds,
            warnings: Vec::new(),
            extremes: Vec::new(),
            certificate,
            is_run: true,
            energy,
            momentum,
            balance,
            counts: CountsJson {
                bodies: counts.bodies,
                joints: counts.joints,
                coordinates: counts.coordinates,
                rows: counts.rows,
                variables: counts.variables,
                rank,
                redundant_rows: counts.rows - rank,
                freedoms: counts.coordinates - rank,
                inequalities: model.inequalities().len(),
                factorizations: work.factorizations,
                solves: work.solves,
                iterations: work.iterations,
                rejected: work.rejected,
                divided: work.divided,
                handed_over: work.handed_over,
                events: events.len(),
            },
            state_hash,
            events,
            impulses,
            solver,
            coordinates: Some(coordinates),
            integrator,
            takes_impulses,
            model,
            extra: Vec::new(),
            self_stresses: instant.self_stresses(MOST_ROWS_FOR_UNIQUENESS),
            trace: None,
            instant,
        }
    }

    /// Replaces the totals of one simulation by those of the islands of a world.
    pub(crate) fn set_totals(&mut self, totals: WorldTotals) {
        let WorldTotals {
            steps,
            certificate,
            energy,
            momentum,
            balance,
            state_hash,
            events,
            work,
            coordinates,
        } = totals;
        self.coordinates = coordinates;
        if self.integrator.reason.starts_with("auto") {
            self.integrator = IntegratorJson { used: "auto", reason: "auto: chosen for each island" };
        }
        (self.steps, self.certificate, self.state_hash) = (steps, certificate, state_hash);
        (self.energy, self.momentum, self.balance) = (energy, momentum, balance);
        let counts = &mut self.counts;
        (counts.factorizations, counts.solves) = (work.factorizations, work.solves);
        (counts.iterations, counts.rejected, counts.divided) = (work.iterations, work.rejected, work.divided);
        counts.handed_over = work.handed_over;
        counts.events = events.len();
        self.events = events;
    }

    /// Takes the certificate from the instant itself: there was no run.
    pub(crate) fn certify_instant(&mut self) {
        self.certificate = Certificate {
            max_position_error: worst(self.instant.position_errors()),
            max_velocity_error: worst(self.instant.velocity_errors()),
            max_equation_residual: self.instant.equation_residual(),
            instants: 1,
            ..Certificate::default()
        };
        self.is_run = false;
    }

    /// The JSON object of the contract, on one line.
    pub(crate) fn json(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }

    fn real_time_factor(&self) -> f64 {
        // A run without steps has no speed.
        if self.steps == 0 { 0.0 } else { self.instant.time() / self.wall_seconds }
    }

    /// Whether the certificate covers any instant.
    fn is_certified(&self) -> bool {
        self.certificate.instants > 0
    }

    /// Whether the certificate has the largest overlap.
    fn may_overlap(&self) -> bool {
        self.steps > 0 && self.model.has_inequalities()
    }

    /// Load of a constraint on its last body, at its frame.
    fn load(&self, index: usize) -> Wrench {
        self.instant
            .constraint_loads(ConstraintId::of_index(index))
            .last()
            .map_or(Wrench::ZERO, |load| load.at_frame)
    }
}

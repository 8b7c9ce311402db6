//! `Simulation`: a model, its state and its settings; steps, runs, snapshots.

use crate::arrays::{numbers, shaped, vector};
use crate::errors;
use crate::long::{in_parts, no_room};
use crate::model::{Model, toml_string, toml_text};
use cardan::{Accounts, State, StepError};
use cardan_scene::Columns;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A running mechanism.
#[pyclass(module = "cardan", subclass)]
#[derive(Debug)]
pub(crate) struct Simulation {
    pub(crate) sim: cardan::Simulation,
    pub(crate) model: Py<Model>,
    pub(crate) dt: f64,
    /// Changes of `[simulation]`, as texts of `--set`.
    changes: Vec<String>,
    pub(crate) buffer: Vec<f64>,
    pub(crate) motions: Vec<cardan::BodyMotion>,
    /// Steps of about 50 ms, as far as it is known: no signals are looked for in a call that takes no more.
    pace: u64,
}

/// Keyword arguments as changes of `[simulation]`.
pub(crate) fn changes(
    integrator: Option<&str>,
    dt: Option<f64>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let mut all = Vec::new();
    if let Some(integrator) = integrator {
        all.push(format!("simulation.integrator={}", toml_string(integrator)));
    }
    if let Some(dt) = dt {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(PyValueError::new_err(format!("dt must be a positive number of seconds, not {dt}")));
        }
        all.push(format!("simulation.dt={dt:?}"));
    }
    for (name, value) in settings.into_iter().flatten() {
        all.push(format!("simulation.{}={}", name.extract::<String>()?, toml_text(&value)?));
    }
    Ok(all)
}

impl Simulation {
    pub(crate) fn start(model: &Bound<'_, Model>, changes: Vec<String>) -> PyResult<Self> {
        let own = model.get();
        let (settings, dt) = own.settings_with(&changes)?;
        let sim = cardan::Simulation::with_settings(own.inner.clone(), settings)
            .map_err(|error| errors::set_up(&error))?;
        let (buffer, motions, pace) = (Vec::new(), Vec::new(), FIRST_STEPS);
        Ok(Simulation { sim, model: model.clone().unbind(), dt, changes, buffer, motions, pace })
    }

    /// What a function of Python raised in this call says more than the numbers that were missing.
    fn or_own(&self, error: impl FnOnce() -> PyErr) -> PyErr {
        crate::user::take_failure(&self.model.get().user).unwrap_or_else(error)
    }
    pub(crate) fn raised(&self, error: &cardan::StepError) -> PyErr {
        self.or_own(|| errors::step(error, Some(self.sim.time())))
    }
    pub(crate) fn refused(&self, error: &cardan::joint_space::CommandError) -> PyErr {
        self.or_own(|| errors::command(error))
    }
    /// An answer counts only if no function of Python raised on the way to it.
    pub(crate) fn answer<T>(&self, done: Result<T, cardan::joint_space::CommandError>) -> PyResult<T> {
        match crate::user::take_failure(&self.model.get().user) {
            Some(own) => Err(own),
            None => done.map_err(|error| errors::command(&error)),
        }
    }
    pub(crate) fn without_answer(&self, error: &cardan::StaticsError) -> PyErr {
        self.or_own(|| errors::statics(error))
    }
    /// At the start of a call: what a function raised before is not an error of this one.
    pub(crate) fn forget_failures(&self) {
        let _ = crate::user::take_failure(&self.model.get().user);
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (model, integrator=None, dt=None, _changes=None, **settings))]
    fn new(
        model: &Bound<'_, Model>,
        integrator: Option<&str>,
        dt: Option<f64>,
        _changes: Option<Vec<String>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut all = _changes.unwrap_or_default();
        all.extend(changes(integrator, dt, settings)?);
        Simulation::start(model, all)
    }

    /// Takes `n` steps of `dt` seconds; the interpreter lock is released meanwhile. A step that fails changes
    /// nothing; the steps before it stay, as they do after Ctrl-C.
    #[pyo3(signature = (n=1, dt=None))]
    fn step(&mut self, py: Python<'_>, n: u64, dt: Option<f64>) -> PyResult<()> {
        self.forget_failures();
        let (h, sim, pace) = (dt.unwrap_or(self.dt), &mut self.sim, &mut self.pace);
        let done = match n <= *pace {
            true => py.detach(|| steps(sim, h, n)),
            false => in_parts(py, n, pace, |_, count| steps(sim, h, count).map(|()| true))?,
        };
        done.map_err(|error| self.raised(&error))
    }

    /// Runs to a time and returns names, units and rows of the columns that are recorded.
    #[pyo3(signature = (until, record, every=None))]
    fn _run<'py>(
        &mut self,
        py: Python<'py>,
        until: f64,
        record: Option<Vec<String>>,
        every: Option<f64>,
    ) -> PyResult<Option<(Vec<String>, Vec<&'static str>, Bound<'py, PyArrayDyn<f64>>)>> {
        self.forget_failures();
        let (h, sim, pace) = (self.dt, &mut self.sim, &mut self.pace);
        let Some(record) = record else {
            if !until.is_finite() {
                return Err(self.raised(&StepError::BadTime { until }));
            }
            let done = in_parts(py, u64::MAX, pace, |_, count| {
                for _ in 0..count {
                    if sim.next_step(until, h).is_none() {
                        if sim.settings().accounts == Accounts::End {
                            sim.certify_now()?;
                        }
                        return Ok(false);
                    }
                    sim.step_toward(until, h)?;
                }
                Ok(true)
            })?;
            return done.map(|()| None).map_err(|error| self.raised(&error));
        };
        let columns = Columns::of(sim.model());
        let named = columns.select(record.iter().map(String::as_str));
        let named = named.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let selected: Vec<usize> = std::iter::once(0).chain(named.into_iter().filter(|i| *i != 0)).collect();
        let interval = every.unwrap_or(0.0);
        if !(interval >= 0.0 && interval.is_finite() && until.is_finite()) {
            return Err(PyValueError::new_err("until and every must be finite numbers of seconds"));
        }
        let mut recorder = Recorder::new(sim, &columns, &selected, interval);
        let done = in_parts(py, u64::MAX, pace, |_, count| recorder.advance(sim, (until, h), count))?;
        done.map_err(|failed| match failed {
            RecordError::Step(error) => self.raised(&error),
            RecordError::Memory(rows) => no_room(&[rows, selected.len()], "the rows of a run"),
        })?;
        let rows = recorder.out;
        let names = selected.iter().map(|&i| columns.all()[i].name.clone()).collect();
        let units = selected.iter().map(|&i| columns.all()[i].unit).collect();
        let count = rows.len() / selected.len();
        Ok(Some((names, units, shaped(py, rows, &[count, selected.len()])?)))
    }

    /// Seconds that Rust takes for `n` steps, `rounds` times: what Python adds to `step(n)` is the rest
    /// (benches.py).
    fn _rust_seconds(&mut self, py: Python<'_>, n: u64, rounds: usize) -> PyResult<Vec<f64>> {
        let (h, sim) = (self.dt, &mut self.sim);
        let done: Result<Vec<f64>, StepError> = py.detach(|| {
            let mut call = || {
                let begin = std::time::Instant::now();
                steps(sim, h, n)?;
                Ok(begin.elapsed().as_secs_f64())
            };
            (0..rounds).map(|_| call()).collect()
        });
        done.map_err(|error| self.raised(&error))
    }
    /// Whether a step is left on the way to a time.
    fn _has_step(&self, until: f64) -> bool {
        self.sim.next_step(until, self.dt).is_some()
    }
    /// One step on the way to a time, as `run` takes it: the last one ends there exactly.
    fn _step_toward(&mut self, py: Python<'_>, until: f64) -> PyResult<()> {
        self.forget_failures();
        let (h, sim) = (self.dt, &mut self.sim);
        let done = py.detach(|| sim.step_toward(until, h).map(|_| ()));
        done.map_err(|error| self.raised(&error))
    }

    /// Brings the mechanism onto its joints, as the first step does.
    fn assemble(&mut self) -> PyResult<()> {
        self.forget_failures();
        self.sim.assemble().map_err(|error| self.raised(&error))
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }
    /// Time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.sim.time()
    }
    #[setter]
    fn set_time(&mut self, time: f64) -> PyResult<()> {
        self.forget_failures();
        self.sim.set_clock(time).map_err(|error| self.raised(&error))
    }
    /// The step [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.dt
    }
    #[setter]
    fn set_dt(&mut self, dt: f64) -> PyResult<()> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(PyValueError::new_err(format!("dt must be a positive number of seconds, not {dt}")));
        }
        self.dt = dt;
        Ok(())
    }
    /// Steps taken so far.
    #[getter]
    fn steps(&self) -> u64 {
        self.sim.steps()
    }
    /// Names of integrator and solver, coordinates and accounts.
    #[getter]
    fn settings<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let settings = self.sim.settings();
        all.set_item("integrator", format!("{:?}", settings.integrator))?;
        all.set_item("coordinates", format!("{:?}", settings.coordinates))?;
        all.set_item("accounts", format!("{:?}", settings.accounts))?;
        all.set_item("stabilization", format!("{:?}", settings.stabilization))?;
        all.set_item("solver", self.sim.diagnostics().solver_name())?;
        Ok(all)
    }

    /// Positions in joint order [m, rad; quaternions w x y z]. Assign to set them; loops are closed.
    #[getter]
    fn q<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.sim.joint_positions())
    }
    #[setter]
    fn set_q(&mut self, q: &Bound<'_, PyAny>) -> PyResult<()> {
        self.forget_failures();
        let q = numbers(q, "q", &[self.sim.joint_order().position_count()])?;
        self.sim.set_joint_positions(q.slice()).map(|_| ()).map_err(|error| self.refused(&error))
    }
    /// Rates in joint order [m/s, rad/s]. Assign to set them.
    #[getter]
    fn v<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.sim.joint_rates())
    }
    #[setter]
    fn set_v(&mut self, v: &Bound<'_, PyAny>) -> PyResult<()> {
        self.forget_failures();
        let v = numbers(v, "v", &[self.sim.joint_order().rate_count()])?;
        self.sim.set_joint_rates(v.slice()).map(|_| ()).map_err(|error| self.refused(&error))
    }
    /// Accelerations in joint order [m/s², rad/s²], of everything that acts.
    #[getter]
    fn a<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.forget_failures();
        let sim = &mut self.sim;
        let done = py.detach(|| sim.joint_accelerations());
        let acc = self.answer(done)?;
        Ok(PyArray1::from_vec(py, acc))
    }
    /// Sets positions and rates at once; returns the largest change that loops made to a position.
    fn set_state(&mut self, q: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<f64> {
        self.forget_failures();
        let order = self.sim.joint_order();
        let (nq, nv) = (order.position_count(), order.rate_count());
        let (q, v) = (numbers(q, "q", &[nq])?, numbers(v, "v", &[nv])?);
        self.sim.set_joint_state(q.slice(), v.slice()).map_err(|error| self.refused(&error))
    }
    /// Positions and rates, one after the other, without a second look at the bodies.
    fn state<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let order = self.sim.joint_order();
        let (nq, nv) = (order.position_count(), order.rate_count());
        self.buffer.resize(nq + nv, 0.0);
        let (q, v) = self.buffer.split_at_mut(nq);
        self.sim.copy_joint_state(q, v).map_err(|error| errors::command(&error))?;
        Ok((vector(py, q), vector(py, v)))
    }

    /// The whole state as bytes; a run that is restored from them continues with the same bits.
    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.sim.state().to_bytes())
    }
    /// Continues from a snapshot of the same model.
    fn restore(&mut self, snapshot: &[u8]) -> PyResult<()> {
        self.forget_failures();
        let state = State::from_bytes(self.sim.model(), snapshot).map_err(|error| errors::saved(&error))?;
        self.sim.restore(&state).map_err(|error| self.raised(&error))
    }
    /// Back to the start of the scene.
    fn reset(&mut self) -> PyResult<()> {
        self.forget_failures();
        let model = self.sim.model().clone();
        self.sim.restore(model.initial_state()).map_err(|error| self.raised(&error))
    }
    /// FNV-1a (64 bits) over time, coordinates and velocities: that of the command and of every other door.
    #[getter]
    fn state_hash(&self) -> String {
        format!("{:016x}", self.sim.state_hash())
    }
    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>, Py<Model>, Vec<String>, f64, Bound<'py, PyBytes>))>
    {
        let (py, own) = (this.py(), this.borrow());
        let make = py.import("cardan")?.getattr("_restored")?;
        let class = this.get_type().into_any();
        let bytes = PyBytes::new(py, &own.sim.state().to_bytes());
        Ok((make, (class, own.model.clone_ref(py), own.changes.clone(), own.dt, bytes)))
    }
    fn __repr__(&self) -> String {
        format!(
            "Simulation(t = {} s, {} steps, hash {})",
            self.sim.time(),
            self.sim.steps(),
            self.state_hash()
        )
    }
}

/// Steps of the first part of the first call.
const FIRST_STEPS: u64 = 64;

/// So many steps.
fn steps(sim: &mut cardan::Simulation, h: f64, count: u64) -> Result<(), StepError> {
    for _ in 0..count {
        sim.step(h)?;
    }
    Ok(())
}

/// Why a run that is recorded ended before its end.
enum RecordError {
    Step(StepError),
    /// There is no memory for so many rows.
    Memory(usize),
}

impl From<StepError> for RecordError {
    fn from(error: StepError) -> Self {
        RecordError::Step(error)
    }
}

/// Rows of a run at every `interval`, or after every step if that is zero; one at the start and one at the
/// end.
struct Recorder<'c> {
    model: std::sync::Arc<cardan::Model>,
    columns: &'c Columns,
    selected: &'c [usize],
    interval: f64,
    /// Where it began, and which interval ends next.
    begin: f64,
    next: u64,
    /// Time of the last row.
    last: Option<f64>,
    row: Vec<f64>,
    out: Vec<f64>,
}

impl<'c> Recorder<'c> {
    fn new(sim: &cardan::Simulation, columns: &'c Columns, selected: &'c [usize], interval: f64) -> Self {
        let (row, out) = (Vec::new(), Vec::new());
        let (begin, next) = (sim.time(), 1);
        Self { model: sim.model().clone(), columns, selected, interval, begin, next, last: None, row, out }
    }

    fn take(&mut self, sim: &mut cardan::Simulation) -> Result<(), RecordError> {
        if sim.settings().accounts == Accounts::Recorded {
            sim.certify_now()?;
        }
        let energy = sim.energy();
        self.row.clear();
        self.columns.write_row(&self.model, &sim.observe(), &energy, &mut self.row);
        let count = self.selected.len();
        self.out.try_reserve(count).map_err(|_| RecordError::Memory(self.out.len() / count + 1))?;
        self.out.extend(self.selected.iter().map(|&i| self.row[i]));
        self.last = Some(sim.time());
        Ok(())
    }

    /// Takes at most so many steps of `h` to `until`; false at the end.
    fn advance(
        &mut self,
        sim: &mut cardan::Simulation,
        (until, h): (f64, f64),
        count: u64,
    ) -> Result<bool, RecordError> {
        if self.last.is_none() {
            sim.assemble()?;
            self.begin = sim.time();
            self.take(sim)?;
        }
        // Rounding of a sum of steps is no reason to miss a row.
        let early = 1e-9 * if self.interval > 0.0 { self.interval } else { h };
        for _ in 0..count {
            if sim.next_step(until, h).is_none() {
                if sim.settings().accounts == Accounts::End {
                    sim.certify_now()?;
                }
                if self.last != Some(sim.time()) {
                    self.take(sim)?;
                }
                return Ok(false);
            }
            sim.step_toward(until, h)?;
            if self.interval == 0.0 || sim.time() >= self.begin + self.next as f64 * self.interval - early {
                self.take(sim)?;
                if self.interval > 0.0 {
                    self.next = ((sim.time() - self.begin + early) / self.interval) as u64 + 1;
                }
            }
        }
        Ok(true)
    }
}

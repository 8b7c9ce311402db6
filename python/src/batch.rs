//! `Batch`: many mechanisms of one structure, stepped in SIMD lanes and on threads.

use crate::arrays::{as_float64, numbers, shaped};
use crate::errors;
use crate::long::{has_room, in_parts, room_for, zeros};
use crate::model::{Model, Origin, toml_text};
use crate::simulation::changes;
use cardan::{BatchError, CommandSequence, Settings, State};
use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;

type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

/// Many mechanisms of one structure.
#[pyclass(module = "cardan", subclass)]
#[derive(Debug)]
pub(crate) struct Batch {
    batch: cardan::Batch,
    model: Py<Model>,
    dt: f64,
    /// nq, nv and number of servos of each.
    sizes: [usize; 3],
    /// States at the start, for `reset`: one for all, or one of each.
    start: Vec<State>,
    /// Steps of about 50 ms, as far as it is known.
    pace: u64,
}

/// Models that differ in values: `{"bodies.bob.mass": array of n}`.
fn varied(model: &Model, n: usize, vary: &Bound<'_, PyDict>) -> PyResult<Vec<Arc<cardan::Model>>> {
    let mut columns = Vec::new();
    for (path, values) in vary {
        let path = path.extract::<String>()?;
        let values = PyList::new(vary.py(), values.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        if values.len() != n {
            let text = format!("`{path}` has {} values; the batch has {n} mechanisms", values.len());
            return Err(PyValueError::new_err(text));
        }
        columns.push((path, values));
    }
    let mut models = Vec::with_capacity(n);
    for lane in 0..n {
        let mut origin: Origin = model.origin.clone();
        for (path, values) in &columns {
            origin.sets.push(format!("{path}={}", toml_text(&values.get_item(lane)?)?));
        }
        models.push(Model::build(origin, model.user.clone())?.inner);
    }
    Ok(models)
}

/// Steps of the first part of the first call: some milliseconds.
fn first_pace(n: usize) -> u64 {
    (8192 / n.max(1)).max(1) as u64
}

/// Commands of [mechanism × step × each]: efforts, targets and their rates.
struct Sequences<'s> {
    lists: [Option<&'s [f64]>; 3],
    n: usize,
    steps: usize,
}

impl Sequences<'_> {
    /// Calls with those of some of the steps.
    fn part<T>(&self, from: usize, count: usize, call: impl FnOnce(CommandSequence<'_>) -> T) -> T {
        let [mut efforts, mut targets, mut target_rates] = self.lists;
        let cut = |list: &[f64]| -> Vec<f64> {
            let each = list.len() / (self.n * self.steps).max(1);
            let own = |all: &[f64]| all[from * each..(from + count) * each].to_vec();
            list.chunks_exact((self.steps * each).max(1)).flat_map(own).collect()
        };
        let parts = match count == self.steps {
            true => [None, None, None],
            false => self.lists.map(|list| list.map(cut)),
        };
        for (list, part) in [&mut efforts, &mut targets, &mut target_rates].into_iter().zip(&parts) {
            *list = part.as_deref().or(*list);
        }
        call(CommandSequence { efforts, targets, target_rates })
    }
}

/// Writes the numbers of some steps into those of all: [mechanism × step × each].
fn put(
    part: &[f64],
    all: &mut [f64],
    (n, steps, each): (usize, usize, usize),
    (from, count): (usize, usize),
) {
    for i in 0..n {
        let to = (i * steps + from) * each;
        all[to..to + count * each].copy_from_slice(&part[i * count * each..(i + 1) * count * each]);
    }
}

impl Batch {
    fn count(&self) -> usize {
        self.batch.len()
    }

    fn user(&self) -> &[crate::user::UserPart] {
        &self.model.get().user
    }

    /// What came of a call: what a function of Python raised in it comes first, and is no failure of a
    /// mechanism alone.
    fn answer<T>(&self, done: Result<T, BatchError>) -> PyResult<T> {
        match crate::user::take_failure(self.user()) {
            Some(own) => Err(own),
            None => done.map_err(|error| errors::batch(&error)),
        }
    }

    /// Numbers of [mechanism × steps × each].
    fn commands<'py>(
        &self,
        value: Option<&Bound<'py, PyAny>>,
        named: &str,
        steps: usize,
        each: usize,
    ) -> PyResult<Option<Vec<f64>>> {
        let Some(value) = value else { return Ok(None) };
        let array = as_float64(value, named)?;
        let n = self.count();
        let numbers = array.as_slice()?;
        match array.shape() {
            [a, b, c] if (*a, *b, *c) == (n, steps, each) => Ok(Some(numbers.to_vec())),
            // The same commands at every step.
            [a, b] if (*a, *b) == (n, each) => {
                let mut all = room_for(&[n, steps, each], named)?;
                for own in numbers.chunks_exact(each.max(1)) {
                    (0..steps).for_each(|_| all.extend_from_slice(own));
                }
                Ok(Some(all))
            }
            other => {
                let text = format!(
                    "{named} has the shape {other:?}; it takes [{n}, {each}] (held for all steps) or [{n}, {steps}, {each}]"
                );
                Err(PyValueError::new_err(text))
            }
        }
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (model, n, integrator="semi-implicit-euler", dt=None, threads=None, vary=None, **settings))]
    fn new(
        model: &Bound<'_, Model>,
        n: usize,
        integrator: &str,
        dt: Option<f64>,
        threads: Option<usize>,
        vary: Option<&Bound<'_, PyDict>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if n == 0 {
            return Err(PyValueError::new_err("a batch has at least one mechanism"));
        }
        let own = model.get();
        // A state, its copy at the start, and what the elimination needs for it are each of about this size.
        if !has_room(n, 4 * own.inner.initial_state().to_bytes().len()) {
            return Err(PyMemoryError::new_err(format!("there is no memory for {n} mechanisms")));
        }
        let (settings, dt): (Settings, f64) = {
            let mut all =
                vec!["simulation.coordinates=\"auto\"".to_string(), "simulation.accounts=\"off\"".into()];
            all.extend(changes(Some(integrator), dt, settings)?);
            own.settings_with(&all)?
        };
        let mut batch = match vary {
            Some(vary) if !vary.is_empty() => cardan::Batch::of_models(varied(own, n, vary)?, settings),
            _ => {
                // Brought onto its joints once, not n times.
                let mut first = cardan::Simulation::with_settings(own.inner.clone(), settings)
                    .map_err(|error| errors::set_up(&error))?;
                first.assemble().map_err(|error| errors::set_up(&error))?;
                cardan::Batch::new(own.inner.clone(), settings, &vec![first.state().clone(); n])
            }
        }
        .map_err(|error| errors::batch(&error))?;
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
        batch.set_threads(threads).map_err(|error| errors::batch(&error))?;
        let order = own.inner.joint_order();
        let sizes = [order.position_count(), order.rate_count(), order.servos().len()];
        let one = vary.is_none_or(|vary| vary.is_empty());
        let kept = if one { 1 } else { n };
        let start = (0..kept).map(|index| batch.state(index)).collect::<Result<Vec<_>, _>>();
        let start = start.map_err(|error| errors::batch(&error))?;
        Ok(Batch { batch, model: model.clone().unbind(), dt, sizes, start, pace: first_pace(n) })
    }

    /// Advances all by `k` steps of `dt`. `effort` [n × nv] or [n × k × nv] and `target` [n × nu] or [n ×
    /// k × nu] (with `target_rate`) are commanded before; the interpreter lock is released meanwhile. A
    /// mechanism whose step fails stays where it is (`failures`), and the others go on.
    #[pyo3(signature = (k=1, effort=None, target=None, target_rate=None, dt=None))]
    fn step(
        &mut self,
        py: Python<'_>,
        k: usize,
        effort: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
        target_rate: Option<&Bound<'_, PyAny>>,
        dt: Option<f64>,
    ) -> PyResult<()> {
        let (n, [_, nv, nu], h) = (self.count(), self.sizes, dt.unwrap_or(self.dt));
        // Commands that hold for all steps need no sequence.
        let held = |value: Option<&Bound<'_, PyAny>>| -> PyResult<bool> {
            Ok(match value {
                None => true,
                Some(value) => {
                    value.getattr("ndim").and_then(|ndim| ndim.extract::<usize>()).unwrap_or(2) == 2
                }
            })
        };
        if held(effort)? && held(target)? && held(target_rate)? {
            // Copies: another thread may write into the arrays while the lock is released.
            let copied = |x: Option<&Bound<'_, PyAny>>, named: &str, each: usize| {
                x.map(|x| numbers(x, named, &[n, each]).map(|x| x.slice().to_vec())).transpose()
            };
            let effort = copied(effort, "effort", nv)?;
            let target = copied(target, "target", nu)?;
            let rate = copied(target_rate, "target_rate", nu)?;
            let slices = (effort.as_deref(), target.as_deref(), rate.as_deref());
            if slices.1.is_none() && slices.2.is_some() {
                return Err(PyValueError::new_err(
                    "target_rate is given and target is not: give both, or neither",
                ));
            }
            let _ = crate::user::take_failure(self.user());
            let (batch, pace) = (&mut self.batch, &mut self.pace);
            let set = py.detach(|| {
                if k == 1 {
                    let (efforts, targets, target_rates) = slices;
                    return batch.steps_with(1, h, CommandSequence { efforts, targets, target_rates });
                }
                // What is refused is refused before anything is set.
                if !(h > 0.0 && h.is_finite()) {
                    return batch.steps(0, h);
                }
                let are_finite = |list: Option<&[f64]>| list.is_none_or(|x| x.iter().all(|x| x.is_finite()));
                if are_finite(slices.1) && are_finite(slices.2) {
                    slices.0.map_or(Ok(()), |efforts| batch.set_efforts(efforts))?;
                }
                slices.1.map_or(Ok(()), |targets| batch.set_targets(targets, slices.2))
            });
            let done = match (set, k) {
                (Ok(()), 2..) => {
                    in_parts(py, k as u64, pace, |_, count| batch.steps(count, h).map(|()| true))?
                }
                (set, _) => set,
            };
            return self.answer(done);
        }
        let efforts = self.commands(effort, "effort", k, nv)?;
        let targets = self.commands(target, "target", k, nu)?;
        let rates = self.commands(target_rate, "target_rate", k, nu)?;
        let _ = crate::user::take_failure(self.user());
        let (batch, pace) = (&mut self.batch, &mut self.pace);
        let all =
            Sequences { lists: [efforts.as_deref(), targets.as_deref(), rates.as_deref()], n, steps: k };
        // Steps are taken in parts: what is refused in a late one is refused before the first.
        all.part(0, k, |whole| py.detach(|| batch.check_sequence(k, &whole)))
            .map_err(|error| errors::batch(&error))?;
        let done = in_parts(py, k as u64, pace, |from, count| {
            all.part(from as usize, count as usize, |part| batch.steps_with(count as usize, h, part))?;
            Ok(true)
        })?;
        self.answer(done)
    }

    /// Positions and rates after every step: arrays [n × k × nq] and [n × k × nv]. Starts from `q`, `v`
    /// if they are given.
    #[pyo3(signature = (k, q=None, v=None, effort=None, target=None, target_rate=None, dt=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn rollout<'py>(
        &mut self,
        py: Python<'py>,
        k: usize,
        q: Option<&Bound<'py, PyAny>>,
        v: Option<&Bound<'py, PyAny>>,
        effort: Option<&Bound<'py, PyAny>>,
        target: Option<&Bound<'py, PyAny>>,
        target_rate: Option<&Bound<'py, PyAny>>,
        dt: Option<f64>,
    ) -> PyResult<(Array<'py>, Array<'py>)> {
        let (n, [nq, nv, nu], h) = (self.count(), self.sizes, dt.unwrap_or(self.dt));
        if q.is_some() != v.is_some() {
            return Err(PyTypeError::new_err("rollout takes both q and v, or neither"));
        }
        let efforts = self.commands(effort, "effort", k, nv)?;
        let targets = self.commands(target, "target", k, nu)?;
        let rates = self.commands(target_rate, "target_rate", k, nu)?;
        let _ = crate::user::take_failure(self.user());
        let (mut all_q, mut all_v) =
            (zeros(&[n, k, nq], "the positions of a rollout")?, zeros(&[n, k, nv], "its rates")?);
        let all =
            Sequences { lists: [efforts.as_deref(), targets.as_deref(), rates.as_deref()], n, steps: k };
        let batch = &self.batch;
        all.part(0, k, |whole| py.detach(|| batch.check_sequence(k, &whole)))
            .map_err(|error| errors::batch(&error))?;
        // A step may be refused, or Ctrl-C pressed, after the start is set: it is taken back then.
        let mut before = Vec::new();
        if let (Some(q), Some(v)) = (q, v) {
            let states = (0..n).map(|index| self.batch.state(index)).collect::<Result<Vec<_>, _>>();
            before = states.map_err(|error| errors::batch(&error))?;
            self.set_state(py, q, v, None)?;
        }
        let (batch, pace) = (&mut self.batch, &mut self.pace);
        let done = in_parts(py, k as u64, pace, |from, count| {
            let (from, count) = (from as usize, count as usize);
            if count == k {
                all.part(0, k, |part| batch.rollout(k, h, part, &mut all_q, &mut all_v))?;
                return Ok(true);
            }
            let (mut q, mut v) = (vec![0.0; n * count * nq], vec![0.0; n * count * nv]);
            all.part(from, count, |part| batch.rollout(count, h, part, &mut q, &mut v))?;
            put(&q, &mut all_q, (n, k, nq), (from, count));
            put(&v, &mut all_v, (n, k, nv), (from, count));
            Ok(true)
        });
        if !matches!(done, Ok(Ok(()))) {
            batch.set_states(before.iter().enumerate()).map_err(|error| errors::batch(&error))?;
        }
        self.answer(done?)?;
        Ok((shaped(py, all_q, &[n, k, nq])?, shaped(py, all_v, &[n, k, nv])?))
    }

    /// Positions and rates of all: [n × nq] and [n × nv].
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Array<'py>, Array<'py>)> {
        let (n, [nq, nv, _]) = (self.count(), self.sizes);
        let (mut q, mut v) = (vec![0.0; n * nq], vec![0.0; n * nv]);
        let batch = &self.batch;
        py.detach(|| batch.copy_joint_states(&mut q, &mut v)).map_err(|error| errors::batch(&error))?;
        Ok((shaped(py, q, &[n, nq])?, shaped(py, v, &[n, nv])?))
    }
    /// Sets positions and rates of all at once, or of those of these numbers; returns the largest change
    /// that loops made.
    #[pyo3(signature = (q, v, which=None))]
    fn set_state(
        &mut self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        v: &Bound<'_, PyAny>,
        which: Option<Vec<usize>>,
    ) -> PyResult<f64> {
        let (n, [nq, nv, _]) = (which.as_ref().map_or(self.count(), Vec::len), self.sizes);
        let (q, v) = (numbers(q, "q", &[n, nq])?, numbers(v, "v", &[n, nv])?);
        let _ = crate::user::take_failure(self.user());
        // Copies: another thread may write into the arrays while the lock is released.
        let (q, v) = (q.slice().to_vec(), v.slice().to_vec());
        let batch = &mut self.batch;
        let done = py.detach(|| match which {
            None => batch.set_joint_states(&q, &v),
            Some(which) => batch.set_joint_states_of(&which, &q, &v),
        });
        self.answer(done)
    }
    /// Positions [n × nq]. Assign to set them; rates stay.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        Ok(self.state(py)?.0)
    }
    #[setter]
    fn set_q(&mut self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<()> {
        let v = self.state(py)?.1;
        self.set_state(py, q, v.as_any(), None).map(|_| ())
    }
    /// Rates [n × nv]. Assign to set them; positions stay.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        Ok(self.state(py)?.1)
    }
    #[setter]
    fn set_v(&mut self, py: Python<'_>, v: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = self.state(py)?.0;
        self.set_state(py, q.as_any(), v, None).map(|_| ())
    }
    /// Commands efforts [n × nv], which hold until they are changed.
    fn set_efforts(&mut self, effort: &Bound<'_, PyAny>) -> PyResult<()> {
        let effort = numbers(effort, "effort", &[self.count(), self.sizes[1]])?;
        self.batch.set_efforts(effort.slice()).map_err(|error| errors::batch(&error))
    }
    /// Commands set points of servos [n × nu], and their rates.
    #[pyo3(signature = (target, rate=None))]
    fn set_targets(&mut self, target: &Bound<'_, PyAny>, rate: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let shape = [self.count(), self.sizes[2]];
        let target = numbers(target, "target", &shape)?;
        let rate = rate.map(|rate| numbers(rate, "rate", &shape)).transpose()?;
        let rate = rate.as_ref().map(|rate| rate.slice());
        self.batch.set_targets(target.slice(), rate).map_err(|error| errors::batch(&error))
    }
    /// Takes back all commands.
    fn clear_commands(&mut self) {
        self.batch.clear_commands();
    }
    /// Brings all, or those of these numbers, back to the start.
    #[pyo3(signature = (which=None))]
    fn reset(&mut self, py: Python<'_>, which: Option<Vec<usize>>) -> PyResult<()> {
        let start = std::mem::take(&mut self.start);
        let last = start.len() - 1;
        let (n, batch) = (self.batch.len(), &mut self.batch);
        let done = match &which {
            Some(which) => batch.set_states(which.iter().map(|&index| (index, &start[index.min(last)]))),
            None => py.detach(|| batch.set_states((0..n).map(|index| (index, &start[index.min(last)])))),
        };
        self.start = start;
        done.map_err(|error| errors::batch(&error))
    }
    /// Keeps the present states as those that `reset` brings back.
    fn keep_as_start(&mut self) -> PyResult<()> {
        let states = (0..self.count()).map(|index| self.batch.state(index)).collect::<Result<Vec<_>, _>>();
        self.start = states.map_err(|error| errors::batch(&error))?;
        Ok(())
    }
    /// The error that stopped a mechanism, or None.
    fn failure(&self, index: usize) -> PyResult<Option<String>> {
        let found = self.batch.failure(index).map_err(|error| PyIndexError::new_err(error.to_string()))?;
        Ok(found.map(ToString::to_string))
    }
    /// Numbers of the mechanisms that an error stopped, with the errors.
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for index in 0..self.count() {
            if let Some(error) = self.failure(index)? {
                all.set_item(index, error)?;
            }
        }
        Ok(all)
    }
    /// State hashes of all, as a `Simulation` of each has them.
    fn state_hashes(&self) -> PyResult<Vec<String>> {
        let hash = |index: usize| {
            let state = self.batch.state(index).map_err(|error| errors::batch(&error))?;
            let model = self.batch.model(index).map_err(|error| errors::batch(&error))?;
            Ok(format!("{:016x}", state.hash(model)))
        };
        (0..self.count()).map(hash).collect()
    }
    /// The model; with `vary` the one that the others differ from.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<Model> {
        self.model.clone_ref(py)
    }
    /// The step [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.dt
    }
    /// Time of the first mechanism [s].
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.batch.state(0).map(|state| state.time).map_err(|error| errors::batch(&error))
    }
    /// Seconds that Rust takes for `rounds` calls of `step(k, target=target)`, each: what Python adds is the
    /// rest (benches.py).
    fn _rust_seconds(
        &mut self,
        py: Python<'_>,
        k: u64,
        target: &Bound<'_, PyAny>,
        rounds: usize,
    ) -> PyResult<Vec<f64>> {
        let target = numbers(target, "target", &[self.count(), self.sizes[2]])?.slice().to_vec();
        let (batch, h) = (&mut self.batch, self.dt);
        let done = py.detach(|| {
            let mut call = || {
                let begin = std::time::Instant::now();
                batch.set_targets(&target, None)?;
                batch.steps(k, h)?;
                Ok(begin.elapsed().as_secs_f64())
            };
            (0..rounds).map(|_| call()).collect()
        });
        self.answer(done)
    }
    /// How many mechanisms are stepped in SIMD lanes; the others one by one.
    #[getter]
    fn in_lanes(&self) -> usize {
        self.batch.in_lanes()
    }
    /// Number of threads, with the same bits for any.
    fn set_threads(&mut self, count: usize) -> PyResult<()> {
        self.batch.set_threads(count).map_err(|error| errors::batch(&error))
    }
    fn __len__(&self) -> usize {
        self.count()
    }
    /// The states of all as a list of bytes.
    fn snapshot(&self) -> PyResult<Vec<Vec<u8>>> {
        let bytes = |index| self.batch.state(index).map(|state| state.to_bytes());
        (0..self.count()).map(bytes).collect::<Result<_, _>>().map_err(|error| errors::batch(&error))
    }
    /// Continues from a snapshot.
    fn restore(&mut self, snapshot: Vec<Vec<u8>>) -> PyResult<()> {
        if snapshot.len() != self.count() {
            let text =
                format!("the snapshot is of {} mechanisms; the batch has {}", snapshot.len(), self.count());
            return Err(PyValueError::new_err(text));
        }
        let mut states = Vec::with_capacity(snapshot.len());
        for (index, bytes) in snapshot.iter().enumerate() {
            let model = self.batch.model(index).map_err(|error| errors::batch(&error))?;
            states.push(State::from_bytes(model, bytes).map_err(|error| errors::saved(&error))?);
        }
        self.batch.set_states(states.iter().enumerate()).map_err(|error| errors::batch(&error))
    }
    fn __repr__(&self) -> String {
        format!("Batch({} mechanisms, {} in lanes)", self.count(), self.in_lanes())
    }
}

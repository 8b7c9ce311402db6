//! Constraints that are functions of Python: C(t, p, R) = 0 on points of bodies.
//!
//! One call has the present frames and all displaced ones, as arrays of \[sample × frame\], so that numpy
//! does the work: gradients and the rest ġ·ṗ + ḣ·ω come from differences of C, of order four. C itself is
//! exact, and so are the poses that are projected onto it.

use crate::errors;
use cardan::body::FrameMotion;
use cardan::constraint::{Constraint, ConstraintRows, UserConstraint};
use cardan::math::{Quat, Vec3};
use cardan::{BodyId, End, Frame, ModelBuilder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Displacements of the differences for the gradient [m, rad, s]: truncation h⁴, rounding ε/h.
const STEP: f64 = 1e-3;
/// Those along the motion, for a second derivative with rounding ε/h².
const ALONG: f64 = 3e-3;

/// A constraint that only code can say.
#[derive(Clone, Debug)]
pub(crate) struct UserPart {
    name: String,
    /// Body (none is the ground) and point in its frame.
    frames: Vec<(Option<String>, [f64; 3])>,
    rule: Arc<PythonConstraint>,
}

#[derive(Debug)]
struct PythonConstraint {
    function: Py<PyAny>,
    rows: usize,
    /// Which frames are on the ground.
    fixed: Vec<bool>,
    /// What the function raised first since it was last taken.
    failure: Mutex<Option<PyErr>>,
}

impl UserPart {
    pub(crate) fn new(
        name: String,
        function: Py<PyAny>,
        frames: Vec<(Option<String>, [f64; 3])>,
        rows: usize,
    ) -> PyResult<Self> {
        if rows == 0 || frames.is_empty() {
            return Err(PyValueError::new_err("a constraint has at least one row and one point"));
        }
        let fixed = frames.iter().map(|(body, _)| body.is_none()).collect();
        let rule = Arc::new(PythonConstraint { function, rows, fixed, failure: Mutex::default() });
        Ok(UserPart { name, frames, rule })
    }

    pub(crate) fn add_to(&self, model: &cardan::Model, parts: &mut ModelBuilder) -> PyResult<()> {
        let mut frames = Vec::new();
        for (body, point) in &self.frames {
            let end = match body {
                None => End::Ground,
                Some(name) => {
                    let all = model.bodies().iter().map(|body| body.name.as_str());
                    let at = all.clone().position(|own| own == name);
                    BodyId::of_index(at.ok_or_else(|| errors::unknown("body", name, all))?).into()
                }
            };
            frames.push((end, Frame::at(*point)));
        }
        parts.add_constraint(UserConstraint { name: self.name.clone(), frames, rule: self.rule.clone() });
        Ok(())
    }
}

/// What the functions raised since this was last asked: the first of them, and none is left.
pub(crate) fn take_failure(parts: &[UserPart]) -> Option<PyErr> {
    let take = |part: &UserPart| part.rule.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    parts.iter().filter_map(take).fold(None, |first, error| first.or(Some(error)))
}

/// A displaced sample: time, and position and orientation of every frame.
type Sample = (f64, Vec<(Vec3, Quat)>);

impl PythonConstraint {
    /// C of every sample, row after row.
    fn values(&self, samples: &[Sample]) -> PyResult<Vec<f64>> {
        let (m, n) = (samples.len(), self.fixed.len());
        let times: Vec<f64> = samples.iter().map(|(time, _)| *time).collect();
        let (mut points, mut axes) = (Vec::with_capacity(3 * m * n), Vec::with_capacity(9 * m * n));
        for (pos, rot) in samples.iter().flat_map(|(_, frames)| frames) {
            points.extend(pos.to_array());
            // Row after row; columns are the axes of the frame.
            let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|e| (*rot * e).to_array());
            axes.extend((0..3).flat_map(|r| [x[r], y[r], z[r]]));
        }
        Python::attach(|py| {
            let times = crate::arrays::vector(py, &times);
            let points = crate::arrays::shaped(py, points, &[m, n, 3])?;
            let axes = crate::arrays::shaped(py, axes, &[m, n, 3, 3])?;
            let out = self.function.bind(py).call1((times, points, axes))?;
            let array = crate::arrays::numbers(&out, "what the constraint returns", &[m, self.rows])?;
            Ok(array.slice().to_vec())
        })
    }

    /// All samples of one evaluation: the present one, displacements of frames, of time, and along the
    /// motion.
    fn samples(&self, time: f64, frames: &[FrameMotion]) -> (Vec<Sample>, f64) {
        let here: Vec<(Vec3, Quat)> = frames.iter().map(|f| (f.pos, f.rot)).collect();
        let mut all = vec![(time, here.clone())];
        for (f, frame) in frames.iter().enumerate().filter(|(f, _)| !self.fixed[*f]) {
            for k in 0..6 {
                for x in [STEP, -STEP, 2.0 * STEP, -2.0 * STEP] {
                    let mut unit = Vec3::ZERO;
                    unit[k % 3] = x;
                    let mut moved = here.clone();
                    moved[f] = match k < 3 {
                        true => (frame.pos + unit, frame.rot),
                        false => (frame.pos, Quat::exp(unit) * frame.rot),
                    };
                    all.push((time, moved));
                }
            }
        }
        all.extend([STEP, -STEP, 2.0 * STEP, -2.0 * STEP].map(|x| (time + x, here.clone())));
        let fastest = frames.iter().fold(1.0, |most: f64, f| {
            let speed = f.vel.norm() + f.omega.norm();
            if speed > most { speed } else { most }
        });
        let s = ALONG / fastest;
        all.extend([s, -s, 2.0 * s, -2.0 * s].map(|x| {
            let go = |f: &FrameMotion| (f.pos + f.vel * x, Quat::exp(f.omega * x) * f.rot);
            (time + x, frames.iter().map(go).collect())
        }));
        (all, s)
    }
}

impl Constraint for PythonConstraint {
    fn rows(&self) -> usize {
        self.rows
    }
    fn kind(&self) -> &'static str {
        "python"
    }
    fn is_timed(&self) -> bool {
        true
    }

    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (samples, s) = self.samples(time, frames);
        let values = match self.values(&samples) {
            Ok(values) => values,
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                // The step ends with an error, and the function's own takes its place.
                out.err.fill(f64::NAN);
                out.jac_dot_v.fill(f64::NAN);
                return;
            }
        };
        let at = |sample: usize, row: usize| values[sample * self.rows + row];
        // (8 (C(h) − C(−h)) − (C(2h) − C(−2h))) / 12 h.
        let slope = |first: usize, row: usize, h: f64| {
            let c = |k: usize| at(first + k, row);
            (8.0 * (c(0) - c(1)) - (c(2) - c(3))) / (12.0 * h)
        };
        for row in 0..self.rows {
            let mut first = 1;
            out.err[row] = at(0, row);
            for f in (0..frames.len()).filter(|f| !self.fixed[*f]) {
                let gradient = out.gradient(row, f);
                for k in 0..6 {
                    let part = if k < 3 { &mut gradient.force } else { &mut gradient.torque };
                    part[k % 3] = slope(first, row, STEP);
                    first += 4;
                }
            }
            out.err_time_rate[row] = slope(first, row, STEP);
            let c = |k: usize| at(first + 4 + k, row);
            out.jac_dot_v[row] = (16.0 * (c(0) + c(1)) - (c(2) + c(3)) - 30.0 * at(0, row)) / (12.0 * s * s);
            out.scale[row] =
                frames.iter().fold(1.0, |most: f64, f| if f.reach > most { f.reach } else { most });
        }
    }
}

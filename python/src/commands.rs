//! Commands of a controller: efforts, targets of servos, wrenches; joint values by name.

use crate::arrays::{as_float64, numbers, vector};
use crate::simulation::Simulation;
use cardan::Wrench;
use cardan::math::vec3;
use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// A number or an array of one dimension.
fn values(value: &Bound<'_, PyAny>, named: &str) -> PyResult<Vec<f64>> {
    if let Ok(number) = value.extract::<f64>() {
        return Ok(vec![number]);
    }
    let array = as_float64(value, named)?;
    if array.shape().len() != 1 {
        let text =
            format!("{named} is a number or an array of one dimension, not of {}", array.shape().len());
        return Err(pyo3::exceptions::PyValueError::new_err(text));
    }
    array.as_slice().map(<[f64]>::to_vec).map_err(Into::into)
}

#[pymethods]
impl Simulation {
    /// Commanded efforts in joint order [N, N·m]; zero where none was set. Assign to command them.
    #[getter]
    fn effort<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let n = self.sim.joint_order().rate_count();
        match self.sim.state().efforts().get(..n) {
            Some(efforts) => vector(py, efforts),
            None => PyArray1::zeros(py, n, false),
        }
    }
    #[setter]
    fn set_effort(&mut self, effort: &Bound<'_, PyAny>) -> PyResult<()> {
        let effort = numbers(effort, "effort", &[self.sim.joint_order().rate_count()])?;
        self.sim.set_efforts(effort.slice()).map_err(|error| self.refused(&error))
    }
    /// Commands the set points of all servos [m, rad], in the order of `model.servos`, and their rates.
    #[pyo3(signature = (values, rates=None))]
    fn set_targets(&mut self, values: &Bound<'_, PyAny>, rates: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let n = self.sim.joint_order().servos().len();
        let values = numbers(values, "targets", &[n])?;
        let rates = rates.map(|rates| numbers(rates, "rates of targets", &[n])).transpose()?;
        let rates = rates.as_ref().map(|rates| rates.slice());
        self.sim.set_targets(values.slice(), rates).map_err(|error| self.refused(&error))
    }
    /// Commands the effort along one coordinate of a joint [N, N·m].
    #[pyo3(signature = (joint, effort, coordinate=0))]
    fn set_joint_effort(
        &mut self,
        py: Python<'_>,
        joint: &str,
        effort: f64,
        coordinate: usize,
    ) -> PyResult<()> {
        let id = self.model.bind(py).get().joint_id(joint)?;
        self.sim.set_effort(id, coordinate, effort).map_err(|error| self.refused(&error))
    }
    /// Commands the set point of a servo [m, rad] and its rate.
    #[pyo3(signature = (joint, value, rate=0.0, coordinate=0))]
    fn set_joint_target(
        &mut self,
        py: Python<'_>,
        joint: &str,
        value: f64,
        rate: f64,
        coordinate: usize,
    ) -> PyResult<()> {
        let id = self.model.bind(py).get().joint_id(joint)?;
        self.sim.set_target(id, coordinate, value, rate).map_err(|error| self.refused(&error))
    }
    /// Sets position and rate of one joint by its name; loops follow.
    #[pyo3(signature = (joint, q=None, v=None))]
    fn set_joint(
        &mut self,
        py: Python<'_>,
        joint: &str,
        q: Option<&Bound<'_, PyAny>>,
        v: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.forget_failures();
        let id = self.model.bind(py).get().joint_id(joint)?;
        let q = q.map(|q| values(q, "q")).transpose()?;
        let v = v.map(|v| values(v, "v")).transpose()?;
        // A rate that is refused takes the position back.
        let before = (q.is_some() && v.is_some()).then(|| self.sim.state().clone());
        if let Some(q) = q {
            self.sim.set_positions_of(id, &q).map_err(|error| self.refused(&error))?;
        }
        let Some(v) = v else { return Ok(()) };
        self.sim.set_rates_of(id, &v).map_err(|error| {
            let refused = self.refused(&error);
            match before.map_or(Ok(()), |before| self.sim.restore(&before)) {
                Ok(()) => refused,
                Err(error) => self.raised(&error),
            }
        })
    }
    /// Commands a force [N] and torque [N·m] on a body at its centre of mass, world axes.
    #[pyo3(signature = (body, force, torque=[0.0; 3]))]
    fn set_wrench(&mut self, py: Python<'_>, body: &str, force: [f64; 3], torque: [f64; 3]) -> PyResult<()> {
        let id = self.model.bind(py).get().body_id(body)?;
        let wrench = Wrench { force: force.into(), torque: torque.into() };
        self.sim.set_wrench(id, wrench).map_err(|error| self.refused(&error))
    }
    /// Commands the wrenches on all bodies: an array of [body × (force, torque)].
    fn set_wrenches(&mut self, wrenches: &Bound<'_, PyAny>) -> PyResult<()> {
        let model = self.sim.model().clone();
        let all = numbers(wrenches, "wrenches", &[model.bodies().len(), 6])?;
        // All are checked before any is set.
        for (body, w) in model.bodies().iter().zip(all.slice().chunks_exact(6)) {
            if let Some(k) = w.iter().position(|x| !x.is_finite()) {
                let text = format!("wrench {k} of `{}` is {}; it must be a finite number", body.name, w[k]);
                return Err(pyo3::exceptions::PyValueError::new_err(text));
            }
        }
        for (id, w) in model.body_ids().zip(all.slice().chunks_exact(6)) {
            let wrench = Wrench { force: vec3(w[0], w[1], w[2]), torque: vec3(w[3], w[4], w[5]) };
            self.sim.set_wrench(id, wrench).map_err(|error| self.refused(&error))?;
        }
        Ok(())
    }
    /// Takes back all commands.
    fn clear_commands(&mut self) {
        self.sim.clear_commands();
    }
}

//! Equations of motion in joint coordinates at the present state: mass matrix, bias, Jacobians,
//! linearisation.

use crate::arrays::{numbers, shaped};
use crate::simulation::Simulation;
use cardan::joint_space::JointSpace;
use cardan::math::vec3;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;

type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

impl Simulation {
    fn space(&self) -> PyResult<JointSpace> {
        self.forget_failures();
        self.sim.joint_space().map_err(|error| self.refused(&error))
    }
}

#[pymethods]
impl Simulation {
    /// The mass matrix H in joint order: H q̈ + bias = applied efforts. Loops are cut open.
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let space = self.space()?;
        let n = space.rate_count();
        shaped(py, space.mass_matrix(), &[n, n])
    }
    /// Coriolis and centrifugal forces and weight, as efforts in joint order.
    fn bias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.space()?.bias()))
    }
    /// The efforts that hold the weight at rest.
    fn gravity_efforts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.space()?.gravity_efforts()))
    }
    /// The efforts that give these joint accelerations: H q̈ + bias.
    fn inverse_dynamics<'py>(
        &mut self,
        py: Python<'py>,
        a: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.forget_failures();
        let n = self.sim.joint_order().rate_count();
        let a = numbers(a, "a", &[n])?;
        self.buffer.clear();
        self.buffer.resize(n, 0.0);
        self.sim.inverse_dynamics(a.slice(), &mut self.buffer).map_err(|error| self.refused(&error))?;
        Ok(PyArray1::from_slice(py, &self.buffer))
    }
    /// The joint accelerations that efforts give on the tree: H⁻¹ (effort − bias).
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        effort: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let space = self.space()?;
        let effort = numbers(effort, "effort", &[space.rate_count()])?;
        Ok(PyArray1::from_vec(py, space.accelerations(effort.slice()).map_err(|error| self.refused(&error))?))
    }
    /// What springs, dampers, servos, motors, force laws and commands do, as efforts in joint order.
    fn applied_efforts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.forget_failures();
        Ok(PyArray1::from_vec(py, self.sim.applied_efforts().map_err(|error| self.refused(&error))?))
    }
    /// The Jacobian of a point of a body, given in the body's frame: [6 × nv], linear rows first, world axes.
    #[pyo3(signature = (body, point=[0.0; 3]))]
    fn jacobian<'py>(&self, py: Python<'py>, body: &str, point: [f64; 3]) -> PyResult<Array<'py>> {
        let id = self.model.bind(py).get().body_id(body)?;
        let jacobian = self.space()?.jacobian(id, point).map_err(|error| self.refused(&error))?;
        shaped(py, jacobian.matrix, &[6, jacobian.columns])
    }
    /// J̇ q̇ of a point of a body: its acceleration and angular acceleration where q̈ = 0.
    #[pyo3(signature = (body, point=[0.0; 3]))]
    fn jacobian_bias<'py>(
        &self,
        py: Python<'py>,
        body: &str,
        point: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let id = self.model.bind(py).get().body_id(body)?;
        let jacobian = self
            .space()?
            .jacobian(id, vec3(point[0], point[1], point[2]))
            .map_err(|error| self.refused(&error))?;
        Ok(PyArray1::from_slice(py, &jacobian.bias))
    }
    /// Λ⁻¹ of a body at its centre of mass, 6 × 6, with loops and drives held.
    fn inverse_operational_inertia<'py>(&mut self, py: Python<'py>, body: &str) -> PyResult<Array<'py>> {
        self.forget_failures();
        let id = self.model.bind(py).get().body_id(body)?;
        let done = self.sim.inverse_operational_inertia(id);
        let rows = self.answer(done)?;
        shaped(py, rows.as_flattened().to_vec(), &[6, 6])
    }
    /// A and B of ẋ = A x + B u about the present state, x = (δq, δq̇) and u = δeffort in joint order.
    fn linearise<'py>(&mut self, py: Python<'py>) -> PyResult<(Array<'py>, Array<'py>)> {
        self.forget_failures();
        let sim = &mut self.sim;
        let found = py.detach(|| sim.linearise()).map_err(|error| self.refused(&error))?;
        let n = found.rates;
        Ok((shaped(py, found.a, &[2 * n, 2 * n])?, shaped(py, found.b, &[2 * n, n])?))
    }
}

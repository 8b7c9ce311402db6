//! What can be read of the present state: poses, reactions, contacts, energy, certificate.

use crate::arrays::{dict, shaped, vector};
use crate::errors;
use crate::simulation::Simulation;
use cardan::math::Vec3;
use cardan::{JointId, Wrench};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Rows up to which redundant loads are told apart off the articulated path.
const MOST_ROWS: usize = 4000;

fn put(all: &Bound<'_, PyDict>, name: &str, value: Vec3) -> PyResult<()> {
    all.set_item(name, vector(all.py(), &value.to_array()))
}

fn put_wrench(all: &Bound<'_, PyDict>, wrench: Wrench) -> PyResult<()> {
    put(all, "force", wrench.force)?;
    put(all, "torque", wrench.torque)
}

#[pymethods]
impl Simulation {
    /// Poses of all bodies: [body × 7], centre of mass x y z, quaternion w x y z.
    fn poses<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.sim.body_motions(&mut self.motions);
        let mut out = Vec::with_capacity(7 * self.motions.len());
        for body in &self.motions {
            out.extend(body.position.to_array());
            out.extend(body.orientation.to_wxyz());
        }
        shaped(py, out, &[self.motions.len(), 7])
    }
    /// Velocities of all bodies: [body × 6], linear of the centre of mass, then angular, world axes.
    fn velocities<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.sim.body_motions(&mut self.motions);
        let mut out = Vec::with_capacity(6 * self.motions.len());
        for body in &self.motions {
            out.extend(body.velocity.to_array());
            out.extend(body.angular_velocity.to_array());
        }
        shaped(py, out, &[self.motions.len(), 6])
    }
    /// Pose, velocity and acceleration of a body, by name.
    fn body<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let id = self.model.bind(py).get().body_id(name)?;
        let (all, body) = (dict(py), self.sim.observe().body(id));
        put(&all, "position", body.position)?;
        put(&all, "frame_position", body.frame_position)?;
        all.set_item("orientation", vector(py, &body.orientation.to_wxyz()))?;
        put(&all, "velocity", body.velocity)?;
        put(&all, "angular_velocity", body.angular_velocity)?;
        put(&all, "acceleration", body.acceleration)?;
        put(&all, "angular_acceleration", body.angular_acceleration)?;
        Ok(all)
    }
    /// Position, velocity and acceleration of a probe, by name.
    fn probe<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let id = self.model.bind(py).get().probe_id(name)?;
        let (all, probe) = (dict(py), self.sim.observe().probe(id));
        put(&all, "position", probe.position)?;
        put(&all, "velocity", probe.velocity)?;
        put(&all, "acceleration", probe.acceleration)?;
        Ok(all)
    }
    /// Coordinates, rates, reaction and drives of a joint, by name; solved for the present state.
    fn joint<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let id = self.model.bind(py).get().joint_id(name)?;
        let (time, sim) = (self.sim.time(), &mut self.sim);
        let now = sim.evaluate().map_err(|error| errors::step(&error, Some(time)))?;
        let all = dict(py);
        let joint = now.joint(id);
        all.set_item("coordinates", vector(py, &joint.coordinates[..joint.count]))?;
        all.set_item("rates", vector(py, &joint.rates[..joint.count]))?;
        all.set_item("drives", vector(py, &joint.drives[..joint.count]))?;
        all.set_item("multipliers", vector(py, joint.multipliers))?;
        put(&all, "position", joint.position)?;
        put(&all, "axis", joint.axis)?;
        put_wrench(&all, joint.reaction.total())?;
        let parts = dict(py);
        let wrenches = [
            ("structural", joint.reaction.structural),
            ("drive", joint.reaction.drive),
            ("limit", joint.reaction.limit),
            ("friction", joint.reaction.friction),
        ];
        for (name, wrench) in wrenches {
            let part = dict(py);
            put_wrench(&part, wrench)?;
            parts.set_item(name, part)?;
        }
        all.set_item("parts", parts)?;
        Ok(all)
    }
    /// Reactions of all joints by name: force [N] and torque [N·m] on b at b's frame, world axes, and
    /// which of their components are unique in spite of redundant rows (None where that was not decided).
    fn reactions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let time = self.sim.time();
        let now = self.sim.evaluate().map_err(|error| errors::step(&error, Some(time)))?;
        let stresses = now.self_stresses(MOST_ROWS);
        let all = dict(py);
        for (i, joint) in now.model().joints().iter().enumerate() {
            let (one, id) = (dict(py), JointId::of_index(i));
            put_wrench(&one, now.joint(id).reaction.total())?;
            let unique = stresses.as_ref().map(|stresses| now.unique_joint_components(id, stresses));
            one.set_item("force_unique", unique.map(|(force, _)| force))?;
            one.set_item("torque_unique", unique.map(|(_, torque)| torque))?;
            all.set_item(&joint.name, one)?;
        }
        Ok(all)
    }
    /// Contact points with their forces at the present state.
    fn contacts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let time = self.sim.time();
        let now = self.sim.evaluate().map_err(|error| errors::step(&error, Some(time)))?;
        let (all, model) = (PyList::empty(py), now.model());
        for contact in now.contacts() {
            let one = dict(py);
            let name =
                |k: usize| contact.bodies[k].and_then(|id| model.body(id)).map(|body| body.name.clone());
            one.set_item("bodies", (name(0), name(1)))?;
            put(&one, "point", contact.point)?;
            put(&one, "normal", contact.normal)?;
            put(&one, "force", contact.force)?;
            put(&one, "moment", contact.moment)?;
            one.set_item("slides", contact.slides)?;
            all.append(one)?;
        }
        Ok(all)
    }
    /// Kinetic and potential energy, work and heat since the start [J].
    #[getter]
    fn energy<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, energy) = (dict(py), self.sim.energy());
        all.set_item("kinetic", energy.kinetic)?;
        all.set_item("potential", energy.potential)?;
        all.set_item("dissipated", energy.dissipated)?;
        all.set_item("work", energy.work)?;
        all.set_item("integration_loss", energy.integration_loss)?;
        all.set_item("total", energy.mechanical())?;
        Ok(all)
    }
    /// Errors of the balances of energy and momentum.
    #[getter]
    fn balance<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, balance) = (dict(py), self.sim.balance());
        all.set_item("energy_error", balance.energy_error)?;
        all.set_item("energy_left", balance.energy_left)?;
        all.set_item("momentum_error", balance.momentum_error)?;
        Ok(all)
    }
    /// The worst errors of the run so far.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, worst) = (dict(py), self.sim.certificate());
        all.set_item("max_position_error", worst.max_position_error)?;
        all.set_item("max_velocity_error", worst.max_velocity_error)?;
        all.set_item("max_equation_residual", worst.max_equation_residual)?;
        all.set_item("max_contact_residual", worst.max_contact_residual)?;
        all.set_item("max_overlap", worst.max_overlap)?;
        all.set_item("instants", worst.instants)?;
        Ok(all)
    }
    /// Takes certificate, energy and momentum of the present state, where steps do not (`accounts = "off"`).
    fn certify(&mut self) -> PyResult<()> {
        let time = self.sim.time();
        self.sim.certify_now().map_err(|error| errors::step(&error, Some(time)))
    }
}

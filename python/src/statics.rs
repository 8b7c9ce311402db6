//! Equilibrium, modes and reach.

use crate::arrays::{dict, vector};
use crate::simulation::Simulation;
use cardan::math::Quat;
use cardan::{EquilibriumKind, Goal};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyDict};

#[pymethods]
impl Simulation {
    /// Moves to an equilibrium and says how stable it is: the one it falls into, or the nearest of any kind.
    #[pyo3(signature = (nearest=false))]
    fn equilibrium<'py>(&mut self, py: Python<'py>, nearest: bool) -> PyResult<Bound<'py, PyDict>> {
        self.forget_failures();
        let kind = if nearest { EquilibriumKind::Nearest } else { EquilibriumKind::Stable };
        let sim = &mut self.sim;
        let found = py.detach(|| sim.equilibrium(kind)).map_err(|error| self.without_answer(&error))?;
        let all = dict(py);
        all.set_item("stability", format!("{:?}", found.stability).to_lowercase())?;
        all.set_item("freedoms", found.freedoms)?;
        all.set_item("stable", found.stable)?;
        all.set_item("neutral", found.neutral)?;
        all.set_item("unstable", found.unstable)?;
        all.set_item("least_stiffness", found.least_stiffness)?;
        all.set_item("residual", found.residual)?;
        all.set_item("unbalanced", found.unbalanced)?;
        all.set_item("potential", found.potential)?;
        all.set_item("iterations", found.iterations)?;
        Ok(all)
    }
    /// Modes about the present pose, which must be an equilibrium: unstable ones first, then by |s|.
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.forget_failures();
        let sim = &self.sim;
        let found = py.detach(|| sim.modes()).map_err(|error| self.without_answer(&error))?;
        let mut all = Vec::new();
        for mode in found.modes {
            let one = dict(py);
            one.set_item("kind", mode.kind.name())?;
            one.set_item("frequency", mode.frequency)?;
            one.set_item("damping_ratio", mode.damping_ratio)?;
            one.set_item("growth_rate", mode.growth_rate)?;
            one.set_item("eigenvalue", PyComplex::from_doubles(py, mode.eigenvalue.re, mode.eigenvalue.im))?;
            one.set_item("shape", vector(py, &mode.shape))?;
            one.set_item("shape_ahead", vector(py, &mode.shape_ahead))?;
            all.push(one);
        }
        Ok(all)
    }
    /// Moves a point of a body, or a probe, to a target in the world, or as near as possible.
    #[pyo3(signature = (target=None, body=None, point=[0.0; 3], probe=None, orientation=None))]
    fn reach<'py>(
        &mut self,
        py: Python<'py>,
        target: Option<[f64; 3]>,
        body: Option<&str>,
        point: [f64; 3],
        probe: Option<&str>,
        orientation: Option<[f64; 4]>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.forget_failures();
        let model = self.model.bind(py).get();
        let orientation = match orientation {
            None => None,
            Some([w, x, y, z]) => Some(Quat::from_wxyz(w, x, y, z).ok_or_else(|| {
                PyValueError::new_err("the orientation is no rotation: it takes a quaternion w, x, y, z")
            })?),
        };
        let goal = match (body, probe, target, orientation) {
            (Some(body), None, Some(target), _) => Goal::point(model.body_id(body)?, point, target),
            (Some(body), None, None, Some(turn)) => Goal::orientation(model.body_id(body)?, turn),
            (None, Some(probe), Some(target), _) => Goal::probe(&model.inner, model.probe_id(probe)?, target)
                .ok_or_else(|| PyValueError::new_err("the probe is on no body"))?,
            _ => {
                let text = "reach takes a target and either a body or a probe; or a body and an orientation";
                return Err(PyValueError::new_err(text));
            }
        };
        let goal = orientation.map_or(goal, |turn| goal.with_orientation(turn));
        let sim = &mut self.sim;
        let found = py.detach(|| sim.reach(&goal)).map_err(|error| self.without_answer(&error))?;
        let all = dict(py);
        all.set_item("reached", found.reached)?;
        all.set_item("miss", vector(py, &found.miss.to_array()))?;
        all.set_item("miss_turn", vector(py, &found.miss_turn.to_array()))?;
        all.set_item("iterations", found.iterations)?;
        all.set_item("freedoms", found.freedoms)?;
        Ok(all)
    }
}

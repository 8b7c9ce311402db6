//! Memory of the workspace in bytes, by what it is for.

use super::*;
use crate::joint::Relative;
use crate::law::Jet;
use crate::math::Six;
use crate::step::articulated::ArticulatedSystem;
use cardan_solve::{Refiner, Solver};

impl Workspace {
    /// Memory held by the solver in use, in bytes.
    pub fn solver_bytes(&self) -> usize {
        self.solvers.articulated.as_ref().map_or(0, ArticulatedSystem::bytes)
            + self.solvers.solver.as_ref().map_or(0, Solver::bytes)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Memory by what it is for.
    pub(crate) fn bytes_by_part(&self) -> Vec<(&'static str, usize)> {
        let numbers = |all: &[&Vec<f64>]| all.iter().map(|v| v.capacity() * size_of::<f64>()).sum::<usize>();
        let rows = [
            &self.equations.err,
            &self.equations.err_rate,
            &self.equations.err_scale,
            &self.equations.err_rate_scale,
            &self.equations.time_rate,
            &self.equations.lambda,
            &self.equations.row_rhs,
            &self.equations.row_solution,
        ];
        let unknowns = [
            &self.equations.acc,
            &self.equations.sizes,
            &self.stages.shift,
            &self.stages.shift_rate,
            &self.stages.shift_sum,
            &self.stages.acc_sum,
            &self.stages.stage_acc[0],
            &self.stages.stage_acc[1],
            &self.stages.stage_acc[2],
            &self.equations.zero_force,
        ];
        let laws = self.kinematics.targets.capacity() * size_of::<Jet>()
            + self.kinematics.sums.capacity() * size_of::<[f64; 2]>()
            + self.solvers.joint_efforts.as_ref().map_or(0, |efforts| efforts.bytes());
        let plan = self.solvers.plan.capacity()
            + self.solvers.idle.capacity()
            + self.solvers.circuits.capacity() * size_of::<f64>()
            + self.solvers.geometry.as_ref().map_or(0, |geometry| geometry.bytes());
        let integrators = self.integrator.dopri5.as_ref().map_or(0, |l| l.bytes())
            + self.integrator.rattle.as_ref().map_or(0, |s| s.bytes())
            + self.kinematics.chart.as_ref().map_or(0, |chart| chart.bytes())
            + self.kinematics.turning.bytes();
        let kept = [&self.stages.substep_origin, &self.stages.rest_state]
            .into_iter()
            .flatten()
            .map(|state| state.bytes())
            .sum::<usize>();
        let states = self.stages.stage.bytes() + self.stages.next.bytes() + kept;
        let kept_rows = self.equations.lazy_rows.get().map_or(0, |rows| rows.bytes())
            + self.equations.lazy_system.get().map_or(0, |system| system.bytes());
        let mut parts = vec![
            ("states of the stages", states),
            ("poses and velocities of bodies", self.kinematics.motions.bytes()),
            ("relative poses of joints", self.kinematics.relatives.capacity() * size_of::<Relative>()),
            (
                "M, F, J, c",
                self.equations.system.bytes()
                    + self.solvers.refiner.as_ref().map_or(0, Refiner::bytes)
                    + kept_rows,
            ),
            ("numbers per row", numbers(&rows)),
            ("numbers per unknown", numbers(&unknowns)),
            ("solver", self.solvers.solver.as_ref().map_or(0, Solver::bytes)),
            (
                "plan, laws, integrators",
                plan + laws
                    + integrators
                    + self.equations.stresses.bytes()
                    + self.equations.pushes.capacity() * size_of::<Six>(),
            ),
        ];
        parts.extend(self.solvers.articulated.iter().flat_map(ArticulatedSystem::bytes_by_part));
        parts.push((
            "step kernel in lanes",
            self.integrator.step_kernel.as_ref().map_or(0, |step_kernel| step_kernel.bytes()),
        ));
        parts.push((
            "acceleration kernel in lanes",
            self.integrator
                .accel_kernel
                .iter()
                .flatten()
                .map(|accel_kernel| accel_kernel.bytes())
                .sum::<usize>()
                + self.integrator.acting_efforts.as_ref().map_or(0, |efforts| efforts.bytes()),
        ));
        parts
    }
}

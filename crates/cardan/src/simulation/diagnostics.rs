//! How the equations are solved, and what that costs. Nothing here is needed to run a mechanism.

use super::Simulation;
use crate::step::{self, StepError, WorkCounts, evaluate};
use cardan_solve::{AuxiliarySchur, Role};

/// A look into the solver of a simulation; see [`Simulation::diagnostics`].
///
/// The state does not change. What is not at hand is computed for the present state.
///
/// ```
/// use cardan::prelude::*;
///
/// let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
/// let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
/// parts.add_joint(Joint::spherical(Ground, rod, [0.0, 0.0, 0.0]));
/// let mut sim = Simulation::new(parts.build()?);
/// sim.run(0.1, 1e-3)?;
///
/// let diagnostics = sim.diagnostics();
/// println!("{}: {}", diagnostics.solver_name(), diagnostics.solver_reason());
/// assert!(diagnostics.bytes() > 0 && diagnostics.work_counts().solves > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Diagnostics<'a> {
    pub(super) sim: &'a mut Simulation,
}

impl Diagnostics<'_> {
    /// Name of the solver in use: `"articulated"` for the articulated path, loops included; otherwise
    /// `"tree"`, `"sparse"`, `"conjugate-gradient"` or `"dense"`, possibly with auxiliary rows.
    pub fn solver_name(&self) -> &'static str {
        self.sim.work.solver_name()
    }

    /// Why that solver was chosen, in a sentence.
    pub fn solver_reason(&self) -> String {
        let work = &self.sim.work;
        match (&work.solvers.articulated, &work.solvers.solver) {
            (_, Some(solver)) => solver.why(),
            (Some(articulated), None) if articulated.loops() + articulated.coupling_rows.len() > 0 => {
                let counted = |n: usize, what: &str| match n {
                    0 => None,
                    1 => Some(format!("1 {what}")),
                    n => Some(format!("{n} {what}s")),
                };
                let joints = counted(articulated.loops(), "loop-closure joint");
                let couplings = counted(articulated.coupling_rows.len(), "coupling");
                let joints = joints.into_iter().chain(couplings).collect::<Vec<_>>().join(" and ");
                format!(
                    "bodies are eliminated in the order of the tree by joint freedoms, with the rows of {joints}, \
                     which add about {} multiplications per solve",
                    articulated.cost_of_loops()
                )
            }
            _ => "bodies are eliminated in the order of the tree by joint freedoms, in linear time".into(),
        }
    }

    /// Work done so far: factorisations, solves, rounds of projection.
    pub fn work_counts(&self) -> WorkCounts {
        self.sim.work_counts()
    }

    /// Memory held by model, state and workspace, in bytes: arrays and names, without the overhead of the allocator.
    pub fn bytes(&self) -> usize {
        self.sim.bytes()
    }

    /// Memory by purpose: a name and bytes each. The sum is [`Diagnostics::bytes`].
    pub fn bytes_by_part(&self) -> Vec<(&'static str, usize)> {
        let mut parts = vec![("model", self.sim.model.bytes()), ("state", self.sim.state.bytes())];
        parts.extend(self.sim.work.bytes_by_part());
        parts
    }

    /// Arithmetic operations of one elimination at the present state, counted one by one, loops included. Kinematics and inertias are not
    /// counted. `None` unless the mechanism is solved on the articulated path. Slow: it computes with a number type that counts operations.
    pub fn elimination_operations(&mut self) -> Option<cardan_solve::Operations> {
        step::refresh_motions(&self.sim.model, &self.sim.state, &mut self.sim.work);
        step::operations(&self.sim.model, &self.sim.work)
    }

    /// Number of steps taken in SIMD lanes; `None` if the mechanism has no such kernel. Four identical trees on the ground (with
    /// loops between them), or four bodies of a forest on one level, share a register: with Euler integrators and no force
    /// but weight. State, errors and ledger have the same bits with and without lanes.
    pub fn simd_step_count(&self) -> Option<u64> {
        self.sim.work.integrator.step_kernel.as_ref().and_then(|step_kernel| step_kernel.steps_in_lanes())
    }

    /// Number of steps taken by a specialized kernel: in SIMD lanes ([`Diagnostics::simd_step_count`]), or in joint coordinates with
    /// Euler integrators, if all joints are revolute or spherical and besides weight only efforts, commands and limits of revolute
    /// joints act. `None` if there is no kernel.
    pub fn specialized_step_count(&self) -> Option<u64> {
        self.sim.work.integrator.step_kernel.as_ref().map(|step_kernel| step_kernel.steps())
    }

    /// Bytes that a step of the specialized kernel reads and writes per body, by the sizes of its arrays: what the step of a
    /// mechanism costs that does not fit into the caches. `None` if there is no kernel that knows.
    pub fn bytes_moved_per_body(&self) -> Option<usize> {
        self.sim
            .work
            .integrator
            .step_kernel
            .as_ref()
            .and_then(|step_kernel| step_kernel.bytes_moved_per_body())
    }

    /// Whether the last [`Simulation::accelerations`] used SIMD lanes: branches of trees, four bodies at a time, if
    /// nothing but weight, efforts of joints with one freedom and limits that are not reached act. Results have the same bits with and without lanes.
    pub fn accelerations_use_simd(&self) -> bool {
        self.sim.work.integrator.accel_kernel.as_ref().is_some_and(Option::is_some)
    }

    /// The norm of the constraint row that is nearest to depending on others after these are projected out, relative to the terms that
    /// form it. Rows that depend on others to rounding (1e-9) do not count. Between that and 1e-5 a misalignment may lock a freedom that
    /// was meant, or the pose is next to a singular one: [`Simulation::diagnose`] tells which, at a much higher cost.
    pub fn rank_margin(&mut self) -> f64 {
        let Simulation { model, settings, state, work, .. } = &mut *self.sim;
        step::rank_margin(model, settings, state, work)
    }

    /// The linear solve of the present state alone, to be repeated and measured.
    ///
    /// # Errors
    /// If the equations have no solution.
    pub fn linear_solve(&mut self) -> Result<step::LinearSolve, StepError> {
        let Simulation { model, settings, state, work, .. } = &mut *self.sim;
        step::evaluate_bare(model, settings, state, work)?;
        Ok(step::LinearSolve::new(model, work))
    }

    /// Solves the present state by the Schur complement of auxiliary rows, step by step with the residual of each (Baraff 1996, §8.2).
    /// Loop-closure joints are auxiliary here, like constraints on three or more bodies and those with a force elsewhere. Names are those
    /// of [`Model::name_of_link`](crate::Model::name_of_link).
    ///
    /// # Errors
    /// If the equations have no solution.
    pub fn trace(&mut self) -> Result<cardan_solve::Trace, StepError> {
        let Simulation { model, settings, state, work, .. } = &mut *self.sim;
        evaluate(model, settings, state, work)?;
        // Writes M, F, J, K and c, where that was not done yet.
        if !work.equations.has_rows {
            step::write_rows(model, settings, work)?;
        }
        let apart = |link| model.forest.role(link) != Role::Primary;
        let trace = AuxiliarySchur::new(&model.graph, apart).trace(&work.equations.system);
        trace.map_err(|error| step::solver_error(model, state.time, error, step::Stage::First))
    }
}

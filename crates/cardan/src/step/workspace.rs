//! Scratch of a step: reusable, and may be dropped at any time without losing a bit of the result.

use super::limbs::Limbs;
use super::{Elimination, Settings, SolverChoice, StepError};
use crate::body::{FrameMotion, MAX_DIM, Motion, Wrench};
use crate::joint::Relative;
use crate::model::Model;
use crate::state::State;
use cardan_solve::{ConjugateGradient, Dense, Refiner, Solver, Sparse, System, Tree};

/// How much work was done since the workspace was made.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Matrices factored.
    pub factorizations: u64,
    /// Right sides solved for.
    pub solves: u64,
    /// Rounds of projection, and iterations of conjugate gradients.
    pub iterations: u64,
}

/// Scratch and results of the last evaluation.
#[derive(Debug)]
pub struct Workspace {
    /// What is evaluated: coordinates and velocities of one stage.
    pub(crate) stage: State,
    /// What the step leads to.
    pub(crate) next: State,
    // computed by accumulate
    pub(crate) motions: Vec<Motion>,
    // computed by constrain, one per joint
    pub(crate) relatives: Vec<Relative>,
    // computed by accumulate (M, F) and constrain (J, c)
    pub(crate) system: System,
    /// The fast way, for trees of rigid bodies; `solver` answers where there is none.
    pub(crate) limbs: Option<Limbs>,
    pub(crate) solver: Solver,
    pub(crate) refiner: Refiner,
    // computed by constrain, one per row
    pub(crate) err: Vec<f64>,
    pub(crate) err_rate: Vec<f64>,
    pub(crate) err_scale: Vec<f64>,
    pub(crate) err_rate_scale: Vec<f64>,
    pub(crate) time_rate: Vec<f64>,
    // computed by multipliers
    pub(crate) acc: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    pub(crate) equation_residual: f64,
    // scratch of multipliers
    pub(crate) sizes: Vec<f64>,
    // scratch of propagate and stabilise
    pub(crate) shift: Vec<f64>,
    pub(crate) shift_rate: Vec<f64>,
    pub(crate) shift_sum: Vec<f64>,
    pub(crate) acc_sum: Vec<f64>,
    pub(crate) zero_force: Vec<f64>,
    pub(crate) row_side: Vec<f64>,
    pub(crate) row_answer: Vec<f64>,
    // scratch of user constraints and forces
    pub(crate) frames: Vec<FrameMotion>,
    pub(crate) wrenches: Vec<Wrench>,
    pub(crate) counts: WorkCounts,
}

impl Workspace {
    /// Scratch for a model; fails only if a solver is asked for that cannot answer it.
    pub fn new(model: &Model, settings: &Settings) -> Result<Self, StepError> {
        let graph = &model.graph;
        let solver = match settings.solver {
            SolverChoice::Auto => Solver::auto(graph),
            SolverChoice::Sparse => Solver::Sparse(Sparse::new(graph)),
            SolverChoice::ConjugateGradient => Solver::ConjugateGradient(ConjugateGradient::new(graph)),
            SolverChoice::Dense => Solver::Dense(Dense::new(graph)),
            SolverChoice::Tree => Solver::Tree(Tree::new(graph).map_err(|not| {
                let link = not.loops.first().or(not.auxiliary.first());
                let joint = link.map_or(String::new(), |&l| model.name_of_link(l).to_string());
                StepError::NotATree { joint }
            })?),
        };
        let fast = matches!(settings.solver, SolverChoice::Auto | SolverChoice::Tree)
            && settings.elimination == Elimination::Freedoms;
        let limbs = if fast { Limbs::new(model, settings) } else { None };
        Ok(Workspace::with_solver(model, solver, limbs))
    }

    /// With the usual settings, which every model can be answered with.
    pub(crate) fn usual(model: &Model) -> Self {
        Workspace::with_solver(model, Solver::auto(&model.graph), Limbs::new(model, &Settings::default()))
    }

    fn with_solver(model: &Model, solver: Solver, limbs: Option<Limbs>) -> Self {
        let graph = &model.graph;
        let (q, v, rows) = (model.q_len, model.v_len, graph.rows());
        let state = State::zeros(q, v, model.turn_len);
        let sizes = model.constraints.iter().map(|c| (c.frames.len(), c.rows));
        let sizes = sizes.chain(model.forces.iter().map(|f| (f.frames.len(), 1)));
        let widest = sizes.fold((2, 1), |(f, r), (frames, rows)| (f.max(frames), r.max(rows)));
        Workspace {
            stage: state.clone(),
            next: state,
            motions: vec![Motion::GROUND; model.bodies.len()],
            relatives: vec![
                Relative::new(&FrameMotion::default(), &FrameMotion::default());
                model.joints.len()
            ],
            system: System::new(graph.clone()),
            limbs,
            solver,
            refiner: Refiner::new(graph),
            err: vec![0.0; rows],
            err_rate: vec![0.0; rows],
            err_scale: vec![0.0; rows],
            err_rate_scale: vec![0.0; rows],
            time_rate: vec![0.0; rows],
            acc: vec![0.0; v],
            lambda: vec![0.0; rows],
            equation_residual: 0.0,
            sizes: vec![0.0; v],
            shift: vec![0.0; v],
            shift_rate: vec![0.0; v],
            shift_sum: vec![0.0; v],
            acc_sum: vec![0.0; v],
            zero_force: vec![0.0; v],
            row_side: vec![0.0; rows],
            row_answer: vec![0.0; rows],
            frames: vec![FrameMotion::default(); widest.0],
            wrenches: vec![Wrench::ZERO; widest.0 * widest.1],
            counts: WorkCounts::default(),
        }
    }

    /// Memory held by the solver in use, in bytes.
    pub fn solver_bytes(&self) -> usize {
        self.limbs.as_ref().map_or_else(|| self.solver.bytes(), Limbs::bytes)
    }

    pub(crate) fn bytes(&self) -> usize {
        let numbers = [
            &self.err,
            &self.err_rate,
            &self.err_scale,
            &self.err_rate_scale,
            &self.acc,
            &self.lambda,
            &self.sizes,
            &self.shift,
            &self.shift_rate,
            &self.shift_sum,
            &self.acc_sum,
            &self.zero_force,
            &self.row_side,
            &self.row_answer,
        ];
        let numbers: usize = numbers.iter().map(|v| v.capacity() * size_of::<f64>()).sum();
        numbers
            + self.stage.bytes()
            + self.next.bytes()
            + self.motions.capacity() * size_of::<Motion>()
            + self.relatives.capacity() * size_of::<Relative>()
            + self.system.bytes()
            + self.refiner.bytes()
            + self.solver.bytes()
            + self.limbs.as_ref().map_or(0, Limbs::bytes)
    }

    /// How much work was done since the workspace was made.
    pub fn counts(&self) -> WorkCounts {
        WorkCounts { iterations: self.counts.iterations + self.solver.iterations(), ..self.counts }
    }

    /// Adds the generalised force of `wrench` acting at the end of `arm` on a body.
    #[inline]
    pub(crate) fn push(&mut self, model: &Model, body: usize, arm: crate::math::Vec3, wrench: Wrench) {
        let entry = &model.bodies[body];
        let mut out = [0.0; MAX_DIM];
        let dim = entry.kind.dim();
        entry.kind.pull_back(arm, wrench, &mut out[..dim]);
        for (f, x) in self.system.force_of_mut(entry.block).iter_mut().zip(out) {
            *f += x;
        }
    }
}

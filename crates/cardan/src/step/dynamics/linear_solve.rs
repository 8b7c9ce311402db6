//! The linear solve of one instant, without kinematics and step: factor once, solve repeatedly.
//!
//!   H (v̇, λ) = (F, c)          H = [[M, −Jᵀ], [−J, 0]], in the form of the chosen elimination
//!
//! For measurements: the cost of a factorisation and of a solve (Baraff 1996, §8.2), by any
//! elimination that the settings choose.

use crate::math::{Six, Sym6, Vec3};
use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated::ArticulatedSystem;
use cardan_solve::articulated::{FillWith, Form, MAX_COLUMNS, Node, NodeExtra};
use cardan_solve::{FactorError, SolveStage, Solver, System};

/// The equations of one instant, and the elimination that solves them.
#[derive(Debug)]
pub struct LinearSolve {
    backend: LinearBackend,
    acc: Vec<f64>,
    lambda: Vec<f64>,
}

/// The elimination and its input.
#[derive(Debug)]
enum LinearBackend {
    /// The articulated path: input of each tree node.
    Articulated { articulated: Box<ArticulatedSystem>, inputs: Vec<SavedNode>, extras: Vec<SavedNodeExtra> },
    /// Any other solver, on the blocks of H.
    Rows { solver: Box<Option<Solver>>, system: Box<System> },
}

/// Input of one tree node (see [`Node`]).
#[derive(Debug)]
struct SavedNode {
    diag: Sym6,
    force: Six,
    gamma: Six,
    shift: Vec3,
    first: Six,
}

/// Further input of joints with more than one degree of freedom (see [`NodeExtra`]).
#[derive(Debug)]
struct SavedNodeExtra {
    columns: [Six; MAX_COLUMNS - 1],
    bias: [f64; MAX_COLUMNS],
}

impl LinearSolve {
    /// Takes the equations of the last evaluation out of a workspace.
    pub(crate) fn new(model: &Model, work: &Workspace) -> Self {
        let (acc, lambda) = (work.equations.acc.clone(), work.equations.lambda.clone());
        let Some(articulated) = work.solvers.articulated.clone() else {
            let (solver, system) =
                (Box::new(work.solvers.solver.clone()), Box::new(work.equations.system.clone()));
            return LinearSolve { backend: LinearBackend::Rows { solver, system }, acc, lambda };
        };
        let written = articulated.inputs(model, work);
        let input = |(node, _): &(Node, NodeExtra)| SavedNode {
            diag: node.diag,
            force: node.force,
            gamma: node.gamma,
            shift: node.shift,
            first: node.first,
        };
        let inputs = written.iter().map(input).collect();
        let extras =
            written.iter().map(|(_, m)| SavedNodeExtra { columns: m.columns, bias: m.bias }).collect();
        LinearSolve {
            backend: LinearBackend::Articulated { articulated: Box::new(articulated), inputs, extras },
            acc,
            lambda,
        }
    }

    /// Factors H and solves for v̇ and the loads (or λ).
    ///
    /// # Errors
    /// When the numbers cannot be factored.
    pub fn factor_and_solve(&mut self) -> Result<(), FactorError> {
        match &mut self.backend {
            LinearBackend::Articulated { articulated, inputs, extras } => {
                articulated.spatial_mut().factor_and_solve(&mut FillWith(
                    #[inline(always)]
                    |at: usize, node: &mut Node, out: &mut NodeExtra| {
                        let input = &inputs[at];
                        (node.diag, node.force, node.gamma) = (input.diag, input.force, input.gamma);
                        (node.shift, node.first) = (input.shift, input.first);
                        if !has_one_column(node.form()) {
                            (out.columns, out.bias) = (extras[at].columns, extras[at].bias);
                        }
                    },
                ))
            }
            LinearBackend::Rows { solver, system } => {
                let Some(solver) = solver.as_mut() else { return Ok(()) };
                solver.factor(system)?;
                solver.solve(system.force(), system.bias(), &mut self.acc, &mut self.lambda);
                Ok(())
            }
        }
    }

    /// Factors and solves like [`factor_and_solve`](LinearSolve::factor_and_solve) where the solver
    /// has auxiliary rows; `mark` is called after each stage. Returns false if there are no such
    /// rows, and then nothing is done.
    ///
    /// # Errors
    /// When the numbers cannot be factored.
    pub fn solve_in_stages(&mut self, mark: &mut impl FnMut(SolveStage)) -> Result<bool, FactorError> {
        let LinearBackend::Rows { solver, system } = &mut self.backend else { return Ok(false) };
        let Some(Solver::WithAuxiliary(auxiliary)) = solver.as_mut() else { return Ok(false) };
        auxiliary.factor_marked(system, mark)?;
        let rhs = (system.force(), system.bias());
        auxiliary.solve_marked(rhs, &mut self.acc, &mut self.lambda, mark);
        Ok(true)
    }

    /// Solves once more with the current factor, for the same right-hand side.
    pub fn solve_again(&mut self) {
        match &mut self.backend {
            LinearBackend::Articulated { articulated, inputs, extras } => articulated.spatial_mut().solve(
                #[inline(always)]
                |at, node, out| {
                    (node.force, node.gamma) = (inputs[at].force, inputs[at].gamma);
                    if !has_one_column(node.form()) {
                        out.bias = extras[at].bias;
                    }
                },
            ),
            LinearBackend::Rows { solver, system } => {
                let Some(solver) = solver.as_mut() else { return };
                solver.solve(system.force(), system.bias(), &mut self.acc, &mut self.lambda);
            }
        }
    }

    /// v̇ of all bodies by the last solve, in id order.
    pub fn accelerations(&mut self) -> &[f64] {
        if let LinearBackend::Articulated { articulated, .. } = &self.backend {
            articulated.write_x(&mut self.acc);
        }
        &self.acc
    }
}

/// At most one degree of freedom: there are no further columns and no biases.
#[inline(always)]
fn has_one_column(form: Form) -> bool {
    matches!(form, Form::Freedoms(0 | 1))
}

//! The linear solve of one instant, apart from kinematics and step: factor once, solve as often as wanted.
//!
//!   H (v̇, λ) = (F, c)          H: the system of the module page, in whichever form it is eliminated
//!
//! It exists to be measured: what a factorisation costs beside a solve (Baraff 1996, §8.2), by whichever elimination the
//! settings choose.

use super::Workspace;
use super::limbs::Limbs;
use crate::math::{Six, Sym6, Vec3};
use crate::model::Model;
use cardan_solve::spatial::{FillWith, Form, Limb, MOST, More};
use cardan_solve::{FactorError, Piece, Solver, System};

/// The equations of one instant and the elimination that answers them.
#[derive(Debug)]
pub struct LinearSolve {
    way: Way,
    acc: Vec<f64>,
    lambda: Vec<f64>,
}

#[derive(Debug)]
enum Way {
    /// The fast path: what goes into each of its places.
    Limbs { limbs: Box<Limbs>, inputs: Vec<Input>, more: Vec<MoreInput> },
    /// Any other solver, on H by blocks.
    Rows { solver: Box<Option<Solver>>, system: Box<System> },
}

/// What goes into one place (see [`Limb`]).
#[derive(Debug)]
struct Input {
    diag: Sym6,
    force: Six,
    gamma: Six,
    shift: Vec3,
    first: Six,
}

/// What links beyond one freedom have besides (see [`More`]).
#[derive(Debug)]
struct MoreInput {
    columns: [Six; MOST - 1],
    bias: [f64; MOST],
}

impl LinearSolve {
    /// Takes the equations of the last evaluation out of a workspace.
    pub(crate) fn new(model: &Model, work: &Workspace) -> Self {
        let (acc, lambda) = (work.acc.clone(), work.lambda.clone());
        let Some(limbs) = work.limbs.clone() else {
            let (solver, system) = (Box::new(work.solver.clone()), Box::new(work.system.clone()));
            return LinearSolve { way: Way::Rows { solver, system }, acc, lambda };
        };
        let written = limbs.inputs(model, work);
        let input = |(limb, _): &(Limb, More)| Input {
            diag: limb.diag,
            force: limb.force,
            gamma: limb.gamma,
            shift: limb.shift,
            first: limb.first,
        };
        let inputs = written.iter().map(input).collect();
        let more = written.iter().map(|(_, m)| MoreInput { columns: m.columns, bias: m.bias }).collect();
        LinearSolve { way: Way::Limbs { limbs: Box::new(limbs), inputs, more }, acc, lambda }
    }

    /// Factors H and solves for v̇ and the loads (or λ).
    ///
    /// # Errors
    /// When the numbers cannot be factored.
    pub fn factor_and_solve(&mut self) -> Result<(), FactorError> {
        match &mut self.way {
            Way::Limbs { limbs, inputs, more } => limbs.spatial_mut().factor_and_solve(&mut FillWith(
                #[inline(always)]
                |at: usize, limb: &mut Limb, out: &mut More| {
                    let input = &inputs[at];
                    (limb.diag, limb.force, limb.gamma) = (input.diag, input.force, input.gamma);
                    (limb.shift, limb.first) = (input.shift, input.first);
                    if !is_narrow(limb.form()) {
                        (out.columns, out.bias) = (more[at].columns, more[at].bias);
                    }
                },
            )),
            Way::Rows { solver, system } => {
                let Some(solver) = solver.as_mut() else { return Ok(()) };
                solver.factor(system)?;
                solver.solve(system.force(), system.bias(), &mut self.acc, &mut self.lambda);
                Ok(())
            }
        }
    }

    /// Like [`factor_and_solve`](LinearSolve::factor_and_solve) where rows are anticipated; `mark` is called after each piece of the
    /// work. False if there are no such rows, and then nothing is done.
    ///
    /// # Errors
    /// When the numbers cannot be factored.
    pub fn anticipate(&mut self, mark: &mut impl FnMut(Piece)) -> Result<bool, FactorError> {
        let Way::Rows { solver, system } = &mut self.way else { return Ok(false) };
        let Some(Solver::Anticipated(anticipated)) = solver.as_mut() else { return Ok(false) };
        anticipated.factor_marked(system, mark)?;
        let right = (system.force(), system.bias());
        anticipated.solve_marked(right, &mut self.acc, &mut self.lambda, mark);
        Ok(true)
    }

    /// Solves once more with the factor at hand, for the same right side.
    pub fn solve_again(&mut self) {
        match &mut self.way {
            Way::Limbs { limbs, inputs, more } => limbs.spatial_mut().solve(
                #[inline(always)]
                |at, limb, out| {
                    (limb.force, limb.gamma) = (inputs[at].force, inputs[at].gamma);
                    if !is_narrow(limb.form()) {
                        out.bias = more[at].bias;
                    }
                },
            ),
            Way::Rows { solver, system } => {
                let Some(solver) = solver.as_mut() else { return };
                solver.solve(system.force(), system.bias(), &mut self.acc, &mut self.lambda);
            }
        }
    }

    /// v̇ of all bodies by the last solve, in id order.
    pub fn accelerations(&mut self) -> &[f64] {
        if let Way::Limbs { limbs, .. } = &self.way {
            limbs.write_x(&mut self.acc);
        }
        &self.acc
    }
}

/// At most one freedom: nothing beyond the first column, and no biases.
#[inline(always)]
fn is_narrow(form: Form) -> bool {
    matches!(form, Form::Freedoms(0 | 1))
}

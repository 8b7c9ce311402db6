//! Multipliers: one factorisation of H = [[M, −Jᵀ], [−J, 0]], one solve for v̇ and λ. The residual
//! is measured, and the solution refined where it is more than rounding.

use crate::body::{MAX_DIM, Wrench};
use crate::math::{Vec3, larger};
use crate::model::{Attachment, Model};
use crate::settings::Fault;
use crate::step::articulated;
use crate::step::articulated::residual::is_rounding;
use crate::step::dynamics::drive_targets::work_of_rows;
use crate::step::dynamics::kinematics::frame;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::{conflict, rank_plan};
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, Solvers};
use crate::step_error::{Stage, StepError, not_finite, solver_error};
use crate::tolerances::{CERTIFIED_BY_ELIMINATION, CONFLICTS};
use cardan_solve::residual_relative_to_forces;

/// Factors and solves the current system, without the rows that the rank plan leaves out.
pub(crate) fn factor_and_solve(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    factor(model, work, stage)?;
    if let Some(solver) = &mut work.solvers.solver {
        solver.solve(
            work.equations.system.force(),
            work.equations.system.bias(),
            &mut work.equations.acc,
            &mut work.equations.lambda,
        );
    }
    work.counts.solves += work.passes();
    match work.equations.acc.iter().position(|a| !a.is_finite()) {
        Some(i) => Err(not_finite(model, i, work.stages.stage.time, stage)),
        None => Ok(()),
    }
}

/// Applies a planted fault to the current system.
#[cold]
pub(crate) fn plant(fault: Fault, model: &Model, work: &mut Workspace) {
    match fault {
        Fault::None => {}
        Fault::FlippedBias => work.equations.system.bias_mut().iter_mut().for_each(|c| *c = -*c),
        Fault::NoGyroscopic => {
            for (i, (body, at)) in model.bodies.iter().zip(&work.kinematics.motions).enumerate() {
                if let Some(general) = work.kinematics.motions.general(i) {
                    let pull = &mut work.kinematics.pull[..body.kind.dim()];
                    general.inertial_force(pull);
                    let force = work.equations.system.force_of_mut(body.block);
                    force.iter_mut().zip(pull).for_each(|(f, x)| *f -= *x);
                    continue;
                }
                let mut inertial = [0.0; MAX_DIM];
                body.kind.inertial_force(&body.mass, at, &mut inertial[..body.kind.dim()]);
                let force = work.equations.system.force_of_mut(body.block);
                force.iter_mut().zip(inertial).for_each(|(f, x)| *f -= x);
            }
        }
        Fault::LopsidedRow => {
            for joint in model.joints.iter().filter(|joint| joint.a.body().is_some()) {
                work.equations.system.jac_mut(joint.link, 0).iter_mut().for_each(|j| *j *= 1.0 + 1e-6);
            }
            for constraint in model.constraints.iter().filter(|c| c.frames[0].body().is_some()) {
                work.equations.system.jac_mut(constraint.link, 0).iter_mut().for_each(|j| *j *= 1.0 + 1e-6);
            }
        }
    }
}

/// Measures the residual of the equations, and refines the solution if it is more than rounding.
pub(crate) fn certify(work: &mut Workspace) {
    let Workspace {
        equations: Equations { system, acc, lambda, sizes, .. },
        solvers: Solvers { solver, refiner, .. },
        ..
    } = work;
    let (Some(solver), Some(refiner)) = (solver, refiner) else { return };
    let rhs = (system.force(), system.bias());
    let left = residual_relative_to_forces(system, rhs, acc, lambda, sizes).worst();
    work.equations.equation_residual = left;
    // Each round reduces the residual by orders of magnitude; three are enough if any helps.
    for _ in 0..3 {
        if work.equations.equation_residual <= CERTIFIED_BY_ELIMINATION {
            break;
        }
        refiner.refine(solver, system, rhs, acc, lambda);
        work.counts.solves += solver.passes_per_solve() as u64;
        let left = residual_relative_to_forces(system, rhs, acc, lambda, sizes).worst();
        if left >= work.equations.equation_residual {
            break;
        }
        work.equations.equation_residual = left;
    }
}

/// The largest acceleration of forces and reactions if they did not cancel.
pub(crate) fn reach(model: &Model, work: &mut Workspace) -> f64 {
    if work.solvers.articulated.is_some() {
        return articulated::acceleration_scale(model, work);
    }
    let Equations { system, lambda, sizes: pull, .. } = &mut work.equations;
    let graph = system.graph();
    pull.iter_mut().zip(system.force()).for_each(|(pull, force)| *pull = force.abs());
    for link in graph.all_links() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = block else { continue };
            let (columns, push) = (graph.block_range(*block), system.force_columns(link, end));
            for (r, row) in graph.row_range(link).enumerate() {
                for (k, c) in columns.clone().enumerate() {
                    pull[c] += (push[r * columns.len() + k] * lambda[row]).abs();
                }
            }
        }
    }
    let mut reach = 0.0;
    for block in graph.all_blocks() {
        for (i, c) in graph.block_range(block).enumerate() {
            reach = larger(reach, pull[c] / system.mass(block)[i * (i + 1) / 2 + i]);
        }
    }
    reach
}

/// Checks that redundant rows of a mechanism on its joints agree with the others.
pub(crate) fn check_conflicts(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    match rank_plan::worst_dropped(work) {
        Some(row) if row.ratio > CONFLICTS && !is_rounding(row.left, reach(model, work)) => {
            Err(conflict::named(model, work, &row, row.size, work.stages.stage.time))
        }
        _ => Ok(()),
    }
}

/// Factors the current system, without the rows that the rank plan leaves out.
pub(crate) fn factor(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    work.counts.factorizations += 1;
    let time = work.stages.stage.time;
    match &mut work.solvers.solver {
        None => Ok(()),
        Some(solver) => {
            work.counts.solves += solver.solves_per_factor() as u64;
            let factored = solver.factor_without(&work.equations.system, &work.solvers.idle);
            factored.map_err(|error| solver_error(model, time, error, stage))
        }
    }
}

/// Books reactions of the world, and the work of rows that depend on time: −λ ∂C/∂t, since J v =
/// −∂C/∂t; where the force acts elsewhere, λ K·v. Between two bodies in space the forces of a joint
/// cancel; where an end is the ground or a planar body they do not.
pub(crate) fn world_reactions(model: &Model, work: &Workspace, lambda: &[f64], rate: &mut LedgerRate) {
    let inner = |at: &Attachment| {
        at.body().map(|i| &model.bodies[i]).is_some_and(|body| !body.kind.is_planar() && !body.is_grounded())
    };
    for (j, joint) in model.joints.iter().enumerate() {
        if inner(&joint.a) && inner(&joint.b) {
            continue;
        }
        let on_b = reaction(model, work, lambda, j);
        let on_a = work.kinematics.relatives[j].carried_to_a(on_b);
        for (at, wrench) in [(&joint.a, on_a), (&joint.b, on_b)] {
            if at.carrier().is_some() {
                rate.book_at(
                    model,
                    &work.kinematics.motions,
                    at,
                    &frame(&work.kinematics.motions, at),
                    wrench,
                );
            } else if let Some(body) = at.body() {
                let motion = &work.kinematics.motions[body];
                rate.book(model.bodies[body].kind, motion, motion.axes * at.local.pos, wrench);
            }
        }
    }
    rate.work += work_of_rows(model, work, lambda);
    for constraint in &model.constraints {
        for row in constraint.row_at..constraint.row_at + constraint.rows {
            if !constraint.pushed {
                rate.work -= lambda[row] * work.equations.time_rate[row];
            }
        }
        for (end, attachment) in constraint.frames.iter().enumerate() {
            let Some(body) = attachment.body() else { continue };
            // Generalised force Jᵀ λ (or K λ) on the body, read as a wrench at its centre of mass.
            let kind = model.bodies[body].kind;
            let dim = kind.dim();
            let block = work.equations.system.force_columns(constraint.link, end);
            if let Some(general) = work.kinematics.motions.general(body) {
                let vel = &work.stages.stage.v[model.bodies[body].v_range()];
                for r in 0..constraint.rows {
                    let (row, lambda) = (&block[r * dim..(r + 1) * dim], lambda[constraint.row_at + r]);
                    let (force, moment) = general.resultant(row);
                    rate.force += force * lambda;
                    rate.moment += moment * lambda;
                    if constraint.pushed {
                        rate.work += lambda * row.iter().zip(vel).map(|(row, vel)| row * vel).sum::<f64>();
                    }
                }
                continue;
            }
            let mut pull = [0.0; MAX_DIM];
            for r in 0..constraint.rows {
                for i in 0..dim {
                    pull[i] += block[r * dim + i] * lambda[constraint.row_at + r];
                }
            }
            if constraint.pushed {
                let vel = &work.stages.stage.v[model.bodies[body].v_range()];
                rate.work += pull.iter().zip(vel).map(|(pull, vel)| pull * vel).sum::<f64>();
            }
            rate.book(kind, &work.kinematics.motions[body], Vec3::ZERO, kind.as_wrench(&pull));
        }
    }
}

/// Wrench of a joint's own rows on b, at b's frame, world axes: Σ λ_r R_a G_r [N, N·m].
pub(crate) fn structural(model: &Model, work: &Workspace, lambda: &[f64], j: usize) -> Wrench {
    of_rows(model, work, lambda, j, 0..model.joints[j].structural_rows())
}

/// Wrench of a joint's drive rows on b, at b's frame, world axes [N, N·m].
pub(crate) fn driven(model: &Model, work: &Workspace, lambda: &[f64], j: usize) -> Wrench {
    let joint = &model.joints[j];
    if joint.driven.is_none() {
        return Wrench::ZERO;
    }
    of_rows(model, work, lambda, j, joint.structural_rows()..joint.rows())
}

/// Wrench of all rows of a joint on b, at b's frame, world axes [N, N·m].
pub(crate) fn reaction(model: &Model, work: &Workspace, lambda: &[f64], j: usize) -> Wrench {
    of_rows(model, work, lambda, j, 0..model.joints[j].rows())
}

/// Wrench of a range of rows of a joint on b, at b's frame, world axes [N, N·m].
fn of_rows(
    model: &Model,
    work: &Workspace,
    lambda: &[f64],
    j: usize,
    range: core::ops::Range<usize>,
) -> Wrench {
    let joint = &model.joints[j];
    let relative = work.relative(model, j);
    let mut rows = crate::joint::JointRows::default();
    joint.write_rows(&relative, &[], &mut rows);
    let mut sum = Wrench::ZERO;
    for r in range {
        sum = sum + rows.gradient[r].scaled(lambda[joint.row_at() + r]);
    }
    relative.to_world(sum)
}

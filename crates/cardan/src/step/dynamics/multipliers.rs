//! Multipliers: one factorisation of H = [[M, −Jᵀ], [−J, 0]], one solve for v̇ and λ.

use crate::body::general::Motions;
use crate::body::{BodyKind, FrameMotion, MAX_DIM, Motion, Wrench};
use crate::math::{Vec3, larger};
use crate::model::{Attachment, Model};
use crate::settings::Fault;
use crate::settings::Settings;
use crate::state::State;
use crate::step::Workspace;
use crate::step::articulated;
use crate::step::contact;
use crate::step::dynamics::conflict;
use crate::step::dynamics::constraint_rows::{RowContent, write_constraint_rows};
use crate::step::dynamics::drive_targets::{refresh_targets, work_of_rows};
use crate::step::dynamics::forces::{accumulate_forces, forces, frame, motions, write_motions};
use crate::step::dynamics::joint_coordinates;
use crate::step::dynamics::rank_plan;
use crate::step_error::Stage;
use crate::step_error::StepError;
use cardan_solve::{Block, FactorError, SystemEntry, residual_relative_to_forces};

/// Rates of a [`Ledger`](crate::state::Ledger).
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LedgerRate {
    pub(crate) work: f64,
    pub(crate) dissipated: f64,
    pub(crate) force: Vec3,
    pub(crate) moment: Vec3,
}

impl LedgerRate {
    /// A wrench on a body at the end of `arm`, as felt by the mechanism as a whole. What the body cannot follow (a
    /// planar body has no way out of its plane) the world holds against.
    pub(crate) fn book(&mut self, kind: BodyKind, at: &Motion, arm: Vec3, wrench: Wrench) {
        let mut pull = [0.0; MAX_DIM];
        let pull = &mut pull[..kind.dim()];
        kind.pull_back(arm, wrench, pull);
        let felt = kind.as_wrench(pull);
        self.force += felt.force;
        self.moment += at.pos.cross(felt.force) + felt.torque;
    }

    /// The same where something is attached. What the world holds without a joint feels nothing here: see [`LedgerRate::book_grounded`].
    #[inline]
    pub(crate) fn book_at(
        &mut self,
        model: &Model,
        motions: &Motions,
        at: &Attachment,
        frame: &FrameMotion,
        wrench: Wrench,
    ) {
        let Some(body) = at.body() else { return };
        let entry = &model.bodies[body];
        if entry.general.is_none() {
            self.book(entry.kind, &motions[body], frame.arm, wrench);
        } else if !entry.is_grounded() {
            self.force += wrench.force;
            self.moment += frame.pos.cross(wrench.force) + wrench.torque;
        }
    }

    /// What the world gives bodies that it holds without a joint: all that changes their momentum, with generalised accelerations, or in a
    /// jump of velocities.
    pub(crate) fn book_grounded(&mut self, model: &Model, motions: &Motions, change: &[f64], is_jump: bool) {
        for (i, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.is_grounded()) {
            let Some(general) = motions.general(i) else { continue };
            let (force, moment) = general.momentum_rate(&change[body.v_range()], !is_jump);
            self.force += force;
            self.moment += moment;
        }
    }
}

/// Accelerations and multipliers of `work.stage`, in `work.acc` and `work.lambda`. While joint coordinates are
/// integrated (`coordinates/`), the stage and the accelerations are theirs.
pub(crate) fn accelerations(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    stage: Stage,
) -> Result<LedgerRate, StepError> {
    if joint_coordinates::are_integrated(work) {
        return joint_coordinates::accelerations(model, settings, work, stage);
    }
    body_accelerations(model, settings, work, stage)
}

/// The same where `work.stage` holds poses.
pub(crate) fn body_accelerations(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    stage: Stage,
) -> Result<LedgerRate, StepError> {
    let mut rate = LedgerRate::default();
    if work.direct_motions.is_none() {
        motions(model, work);
    }
    refresh_targets(model, work, stage)?;
    if work.articulated.is_some() {
        fast_accelerations(model, work, stage, &mut rate)?;
        return Ok(rate);
    }
    accumulate_forces(model, work, stage, &mut rate)?;
    write_constraint_rows(model, settings, work, RowContent::Full);
    if settings.fault != Fault::None {
        plant(settings.fault, model, work);
    }
    let planned = stage != Stage::First || rank_plan::adopt(model, work)?;
    factor_and_solve(model, work, stage)?;
    if !planned && rank_plan::is_out_of_date(work) {
        rank_plan::decide_here(model, work)?;
        factor_and_solve(model, work, stage)?;
    }
    contact::solve_contact_forces(model, work, stage, &mut rate)?;
    if stage == Stage::First {
        certify(work);
        if work.stage.assembled && settings.projects() {
            check_conflicts(model, work)?;
        }
    }
    world_reactions(model, work, &work.lambda, &mut rate);
    rate.book_grounded(model, &work.motions, &work.acc, false);
    Ok(rate)
}

/// Answers the system as it stands, without the rows that the plan leaves out.
fn factor_and_solve(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    factor(model, work, stage)?;
    if let Some(solver) = &mut work.solver {
        solver.solve(work.system.force(), work.system.bias(), &mut work.acc, &mut work.lambda);
    }
    work.counts.solves += work.passes();
    match work.acc.iter().position(|a| !a.is_finite()) {
        Some(i) => Err(not_finite(model, i, work.stage.time, stage)),
        None => Ok(()),
    }
}

/// The same on the fast way, trees and loops alike, without forming M, J and c.
fn fast_accelerations(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let planned = stage != Stage::First || articulated::plan(model, work);
    let before = *rate;
    fast_solve(model, work, stage, rate)?;
    if !planned && articulated::is_out_of_date(work) {
        articulated::replan(model, work);
        *rate = before;
        fast_solve(model, work, stage, rate)?;
    }
    contact::solve_contact_forces(model, work, stage, rate)?;
    if stage == Stage::First {
        articulated::certify(model, work, model.has_forces());
        if work.stage.assembled {
            articulated::conflict(model, work)?;
        }
    }
    for (force, moment) in [articulated::weight(model, &work.motions), articulated::ground_load(model, work)]
    {
        rate.force += force;
        rate.moment += moment;
    }
    rate.work += articulated::drive_work(model, work);
    Ok(())
}

/// Accelerations and loads of the limbs, and nothing else; forces are booked in `rate`.
fn fast_solve(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let extra = model.has_forces();
    if extra {
        work.system.force_mut().fill(0.0);
        forces(model, work, stage, rate)?;
    }
    articulated::accelerations(model, work, extra, stage)
}

/// Accelerations and loads of a state without a certificate: on the fast way without J, c and λ too.
pub(crate) fn bare_accelerations(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if work.articulated.is_some() {
        // Poses and velocities go the straight way; so none of them is known by the coordinates of the stage.
        articulated::forget_factor(work);
        work.stage.copy_rest_from(state);
        write_motions(model, state, &mut work.motions);
        refresh_targets(model, work, Stage::First)?;
        // What presses may ask for more of the same factor.
        work.direct_motions = (!model.has_inequalities()).then_some(false);
        let mut outcome = Ok(());
        let planned = articulated::plan(model, work);
        if !planned {
            outcome = fast_solve(model, work, Stage::First, &mut LedgerRate::default());
        }
        if planned || (outcome.is_ok() && articulated::is_out_of_date(work)) {
            if !planned {
                articulated::replan(model, work);
            }
            outcome = fast_solve(model, work, Stage::First, &mut LedgerRate::default());
        }
        if outcome.is_ok() {
            outcome = contact::solve_contact_forces(model, work, Stage::First, &mut LedgerRate::default());
        }
        articulated::forget_factor(work);
        work.direct_motions = None;
        return outcome;
    }
    work.stage.copy_from(state);
    accelerations(model, settings, work, Stage::First).map(|_| ())
}

/// What the fast way's own certificate must be within for rows not to be asked.
const GOOD: f64 = 1e-12;

/// After the fast way, which has judged its answer itself: rows are written when they are read, unless some are redundant, whose multipliers take
/// solves of their own, or it was not content: then they have the last word.
pub(crate) fn complete(model: &Model, settings: &Settings, work: &mut Workspace) -> Result<(), StepError> {
    match &work.articulated {
        Some(articulated) if articulated.redundant() == 0 && work.equation_residual <= GOOD => {
            work.has_rows = false;
            work.stresses.clear();
            Ok(())
        }
        Some(_) => write_rows(model, settings, work),
        None => Ok(()),
    }
}

/// After the fast way: M, F, J, c and λ of the last evaluation. Where its own certificate was not content, they judge: drives of joints that are open are beyond it.
pub(crate) fn write_rows(model: &Model, settings: &Settings, work: &mut Workspace) -> Result<(), StepError> {
    if work.articulated.is_none() {
        return Ok(());
    }
    accumulate_forces(model, work, Stage::First, &mut LedgerRate::default())?;
    contact::apply_contact_forces(model, work);
    write_constraint_rows(model, settings, work, RowContent::Full);
    articulated::write_multipliers(model, work);
    articulated::least_norm_multipliers(model, work);
    if work.equation_residual <= GOOD {
        return Ok(());
    }
    work.sizes.resize(model.v_len, 0.0);
    let Workspace { system, acc, lambda, sizes, .. } = work;
    let right = (system.force(), system.bias());
    work.equation_residual = residual_relative_to_forces(system, right, acc, lambda, sizes).worst();
    Ok(())
}

/// Spoils the system that was just written.
#[cold]
fn plant(fault: Fault, model: &Model, work: &mut Workspace) {
    match fault {
        Fault::None => {}
        Fault::FlippedBias => work.system.bias_mut().iter_mut().for_each(|c| *c = -*c),
        Fault::NoGyroscopic => {
            for (i, (body, at)) in model.bodies.iter().zip(&work.motions).enumerate() {
                if let Some(general) = work.motions.general(i) {
                    let pull = &mut work.pull[..body.kind.dim()];
                    general.inertial_force(pull);
                    let force = work.system.force_of_mut(body.block);
                    force.iter_mut().zip(pull).for_each(|(f, x)| *f -= *x);
                    continue;
                }
                let mut inertial = [0.0; MAX_DIM];
                body.kind.inertial_force(&body.mass, at, &mut inertial[..body.kind.dim()]);
                let force = work.system.force_of_mut(body.block);
                force.iter_mut().zip(inertial).for_each(|(f, x)| *f -= x);
            }
        }
        Fault::LopsidedRow => {
            for joint in model.joints.iter().filter(|joint| joint.a.body().is_some()) {
                work.system.jac_mut(joint.link, 0).iter_mut().for_each(|j| *j *= 1.0 + 1e-6);
            }
            for constraint in model.constraints.iter().filter(|c| c.frames[0].body().is_some()) {
                work.system.jac_mut(constraint.link, 0).iter_mut().for_each(|j| *j *= 1.0 + 1e-6);
            }
        }
    }
}

/// Measures what the equations leave over, and refines the answer if that is more than rounding.
fn certify(work: &mut Workspace) {
    // Elimination leaves 1e-14 or so; where a light body hangs on rows that it can hardly answer it leaves more.
    const ROUNDING: f64 = 1e-13;
    let Workspace { system, solver, refiner, acc, lambda, sizes, .. } = work;
    let (Some(solver), Some(refiner)) = (solver, refiner) else { return };
    let right = (system.force(), system.bias());
    let left = residual_relative_to_forces(system, right, acc, lambda, sizes).worst();
    work.equation_residual = left;
    // Each round leaves a small part of what was; three are enough, or none are.
    for _ in 0..3 {
        if work.equation_residual <= ROUNDING {
            break;
        }
        refiner.refine(solver, system, right, acc, lambda);
        work.counts.solves += solver.passes_per_solve() as u64;
        let left = residual_relative_to_forces(system, right, acc, lambda, sizes).worst();
        if left >= work.equation_residual {
            break;
        }
        work.equation_residual = left;
    }
}

/// Whether a leftover is only the rounding of accelerations of up to `reach`, which the forces would make if they did not
/// cancel: in a structure that cannot move at all every acceleration, and every term of a row, is that.
pub(crate) fn is_rounding(leftover: f64, reach: f64) -> bool {
    const ROUNDING: f64 = 1e-12;
    // What speeds of rounding size leave in a mechanism at rest, without any force [m/s², rad/s²].
    const NOTHING: f64 = 1e-24;
    leftover <= ROUNDING * reach + NOTHING
}

/// The largest acceleration that forces and reactions would make if they did not cancel.
pub(crate) fn reach(model: &Model, work: &mut Workspace) -> f64 {
    if work.articulated.is_some() {
        return articulated::acceleration_scale(model, work);
    }
    let Workspace { system, lambda, sizes: pull, .. } = work;
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

/// A redundant row of a mechanism on its joints must want what the others want.
fn check_conflicts(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    // Far above rounding; a row is also judged beside the largest acceleration, since its own terms may be rounding.
    const DISAGREES: f64 = 1e-8;
    match rank_plan::worst_dropped(work) {
        Some(row) if row.ratio > DISAGREES && !is_rounding(row.left, reach(model, work)) => {
            Err(conflict::named(model, work, &row, row.size, work.stage.time))
        }
        _ => Ok(()),
    }
}

/// Factors the system as it stands, without the rows that the plan leaves out.
pub(crate) fn factor(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    work.counts.factorizations += 1;
    let time = work.stage.time;
    match &mut work.solver {
        None => Ok(()),
        Some(solver) => {
            work.counts.solves += solver.solves_per_factor() as u64;
            let factored = solver.factor_without(&work.system, &work.idle);
            factored.map_err(|error| solver_error(model, time, error, stage))
        }
    }
}

/// What a solver says, in words of the model.
pub(crate) fn solver_error(model: &Model, time: f64, error: FactorError, stage: Stage) -> StepError {
    let body = |block: Block| model.bodies[block.0 as usize].name.clone();
    match error {
        FactorError::NotPositive { block } => StepError::MassNotPositive { body: body(block), time },
        FactorError::NotFinite { place: SystemEntry::Mass(block) } => {
            StepError::NotFinite { body: body(block), time, stage }
        }
        FactorError::NotFinite { place: SystemEntry::Row(link, _) } => {
            StepError::JointNotFinite { joint: model.name_of_link(link).into(), time, stage }
        }
        FactorError::Vanished { link, .. } => {
            StepError::JointSingular { joint: model.name_of_link(link).into(), time }
        }
        FactorError::Powerless { link, row } => {
            StepError::Powerless { constraint: model.name_of_link(link).into(), row, time }
        }
        FactorError::Dependent { link, row } => {
            StepError::Dependent { constraint: model.name_of_link(link).into(), row, time }
        }
        other => StepError::Solver { error: other, time },
    }
}

/// The body that owns entry `i` of a vector of velocities has lost it.
pub(crate) fn not_finite(model: &Model, i: usize, time: f64, stage: Stage) -> StepError {
    let body = model.bodies.partition_point(|b| b.v_at as usize <= i) - 1;
    StepError::NotFinite { body: model.bodies[body].name.clone(), time, stage }
}

/// Books what the world pushes with through the joints, and the work of rows that move with time (−λ ∂C/∂t, since
/// J v = −∂C/∂t; where the force acts elsewhere, λ K·v). Between two bodies in space a joint's forces cancel; where an
/// end is the ground, or a planar body, they do not.
pub(crate) fn world_reactions(model: &Model, work: &Workspace, lambda: &[f64], rate: &mut LedgerRate) {
    let inner = |at: &Attachment| {
        at.body().map(|i| &model.bodies[i]).is_some_and(|body| !body.kind.is_planar() && !body.is_grounded())
    };
    for (j, joint) in model.joints.iter().enumerate() {
        if inner(&joint.a) && inner(&joint.b) {
            continue;
        }
        let on_b = reaction(model, work, lambda, j);
        let on_a = work.relatives[j].carried_to_a(on_b);
        for (at, wrench) in [(&joint.a, on_a), (&joint.b, on_b)] {
            if at.carrier().is_some() {
                rate.book_at(model, &work.motions, at, &frame(&work.motions, at), wrench);
            } else if let Some(body) = at.body() {
                let motion = &work.motions[body];
                rate.book(model.bodies[body].kind, motion, motion.axes * at.local.pos, wrench);
            }
        }
    }
    rate.work += work_of_rows(model, work, lambda);
    for constraint in &model.constraints {
        for row in constraint.row_at..constraint.row_at + constraint.rows {
            if !constraint.pushed {
                rate.work -= lambda[row] * work.time_rate[row];
            }
        }
        for (end, attachment) in constraint.frames.iter().enumerate() {
            let Some(body) = attachment.body() else { continue };
            // Generalised force Jᵀ λ (or K λ) on the body, read as a wrench at its centre of mass.
            let kind = model.bodies[body].kind;
            let dim = kind.dim();
            let block = work.system.force_columns(constraint.link, end);
            if let Some(general) = work.motions.general(body) {
                let vel = &work.stage.v[model.bodies[body].v_range()];
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
                let vel = &work.stage.v[model.bodies[body].v_range()];
                rate.work += pull.iter().zip(vel).map(|(pull, vel)| pull * vel).sum::<f64>();
            }
            rate.book(kind, &work.motions[body], Vec3::ZERO, kind.as_wrench(&pull));
        }
    }
}

/// What a joint's own conditions exert on b, at b's frame, world axes: Σ λ_r R_a G_r.
pub(crate) fn structural(model: &Model, work: &Workspace, lambda: &[f64], j: usize) -> Wrench {
    of_rows(model, work, lambda, j, 0..model.joints[j].structural_rows())
}

/// The same of the rows of its drives.
pub(crate) fn driven(model: &Model, work: &Workspace, lambda: &[f64], j: usize) -> Wrench {
    let joint = &model.joints[j];
    if joint.driven.is_none() {
        return Wrench::ZERO;
    }
    of_rows(model, work, lambda, j, joint.structural_rows()..joint.rows())
}

/// The same of both.
pub(crate) fn reaction(model: &Model, work: &Workspace, lambda: &[f64], j: usize) -> Wrench {
    of_rows(model, work, lambda, j, 0..model.joints[j].rows())
}

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

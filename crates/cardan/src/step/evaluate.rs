//! Evaluate: accelerations and multipliers at one state. Integrators see the mechanism only through this.
//!
//! | stage | where |
//! |---|---|
//! | kinematics: poses and velocities of all bodies | `dynamics/kinematics.rs` |
//! | drive targets at the time of the stage | `dynamics/drive_targets.rs` |
//! | forces: F and M | `dynamics/forces.rs` |
//! | constraint rows: C, Ċ, J and c | `dynamics/constraint_rows.rs` |
//! | factor and solve H (v̇, λ) = (F, c) | `articulated/` on the articulated path, `dynamics/multipliers.rs` otherwise |
//! | contact forces λ ≥ 0 ⟂ g̈ ≥ 0 | `contact/contact_forces.rs` |
//!
//! The last third of this file is for f = m v, where forces give velocities instead of accelerations:
//!
//! ```text
//! M v = F + Jᵀ λ            J v + ∂C/∂t = 0
//! ```
//!
//! These are the equations of a mechanism at rest with v in place of v̇ and ∂C/∂t in place of c; F has no gyroscopic terms. The same
//! factor is used, and v is the allowed velocity nearest to M⁻¹ F in the norm of M (Witkin 1997, "differential kinematic
//! manipulation"). Forces that depend on velocity (dashpots, viscous friction, drag, damping of servos) are absent: M is the
//! resistance. The energy balance is
//!
//! ```text
//! d(potential)/dt + vᵀ M v = F_n·v − λ·∂C/∂t         F_n: forces without a potential
//! ```
//!
//! vᵀ M v is heat, the right-hand side work; kinetic energy and momentum are zero.

use crate::body::{FrameMotion, Wrench};
use crate::force::ForceOutput;
use crate::joint::{JointCoordinates, Relative};
use crate::math::Vec3;
use crate::model::Model;
use crate::settings::{Coordinates, Fault, Integrator, Settings};
use crate::state::State;
use crate::step::dynamics::command_forces::command_power;
use crate::step::dynamics::constraint_rows::{RowContent, write_constraint_rows};
use crate::step::dynamics::drive_targets::refresh_targets;
use crate::step::dynamics::forces::accumulate_forces;
use crate::step::dynamics::joint_coordinates::{self, ReducedQuantity, reduce};
use crate::step::dynamics::kinematics::{frame, motions, write_motions};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::dynamics::multipliers::{
    certify, check_conflicts, factor_and_solve, plant, world_reactions,
};
use crate::step::dynamics::rank_plan;
use crate::step::dynamics::step_efforts::{
    begin_joint_efforts, book_joint_efforts, has_wrenches, joint_efforts_change, write_wrenches,
};
use crate::step::workspace::{Equations, Kinematics, StageBuffers};
use crate::step::workspace::{Evaluation, ForceResponse, MotionSource, Workspace};
use crate::step::{articulated, contact};
use crate::step_error::{Stage, StepError};
use crate::tolerances::CERTIFIED;
use cardan_solve::residual_relative_to_forces;

/// Accelerations and multipliers of `work.stages.stage`, in `work.equations.acc` and `work.equations.lambda`. If joint coordinates are
/// integrated (`joint_coordinates.rs`), both are in joint coordinates.
pub(crate) fn accelerations(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    at: impl Into<Evaluation>,
) -> Result<LedgerRate, StepError> {
    if joint_coordinates::are_integrated(work) {
        return joint_accelerations(model, settings, work, at.into());
    }
    body_accelerations(model, settings, work, at.into())
}

/// Accelerations and multipliers of a stage in body coordinates.
fn body_accelerations(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    at: Evaluation,
) -> Result<LedgerRate, StepError> {
    let stage = at.stage;
    let mut rate = LedgerRate::default();
    if at.motions == MotionSource::Stage {
        motions(model, work);
    }
    refresh_targets(model, work, at)?;
    if work.solvers.articulated.is_some() {
        articulated_accelerations(model, settings, work, at, &mut rate)?;
        return Ok(rate);
    }
    accumulate_forces(model, work, at, &mut rate)?;
    write_constraint_rows(model, settings, work, RowContent::full(at.response));
    if settings.fault != Fault::None {
        plant(settings.fault, model, work);
    }
    let planned = stage != Stage::First || rank_plan::adopt(model, work)?;
    factor_and_solve(model, work, stage)?;
    if !planned && rank_plan::is_out_of_date(work) {
        rank_plan::decide_here(model, work)?;
        factor_and_solve(model, work, stage)?;
    }
    contact::solve_contact_forces(model, work, at, &mut rate)?;
    if stage == Stage::First {
        certify(work);
        if work.stages.stage.assembled && settings.projects() {
            check_conflicts(model, work)?;
        }
    }
    world_reactions(model, work, &work.equations.lambda, &mut rate);
    rate.book_grounded(model, &work.kinematics.motions, &work.equations.acc, false);
    Ok(rate)
}

/// Accelerations by articulated-body elimination, trees and loops alike, without forming M, J and c.
fn articulated_accelerations(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    at: Evaluation,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let planned = at.stage != Stage::First || articulated::plan(model, work);
    let before = *rate;
    begin_joint_efforts(model, settings, work, at)?;
    loop {
        articulated_solve(model, work, at, rate)?;
        if !planned && articulated::is_out_of_date(work) {
            articulated::replan(model, work);
            *rate = before;
            articulated_solve(model, work, at, rate)?;
        }
        contact::solve_contact_forces(model, work, at, rate)?;
        // Time stepping looks at them with the contacts.
        let has_changed = settings.integrator != Integrator::TimeStepping && {
            let Workspace { solvers, kinematics, stages, equations, .. } = work;
            joint_efforts_change(solvers, &kinematics.motions, &stages.stage, at, &equations.acc)
        };
        if !has_changed {
            break;
        }
        *rate = before;
    }
    book_joint_efforts(model, work, at, rate)?;
    if at.stage == Stage::First {
        let extra = has_wrenches(model, work, at);
        if settings.accounts.is_every_step() || !articulated::may_skip_residual(work) {
            articulated::certify(model, work, extra);
        } else {
            articulated::skip_residual(model, work, extra);
        }
        if work.stages.stage.assembled {
            articulated::conflict(model, work)?;
        }
    }
    for (force, moment) in
        [articulated::weight(model, &work.kinematics.motions), articulated::ground_load(model, work)]
    {
        rate.force += force;
        rate.moment += moment;
    }
    rate.work += articulated::drive_work(model, work);
    Ok(())
}

/// Forces, booked in `rate`, then accelerations and joint loads of the articulated system only.
fn articulated_solve(
    model: &Model,
    work: &mut Workspace,
    at: Evaluation,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let extra = write_wrenches(model, work, at, rate)?;
    articulated::accelerations(model, work, extra, at)
}

/// Accelerations and loads of a state without a check of their residual; on the articulated path also without J, c and λ.
pub(crate) fn bare_accelerations(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    response: ForceResponse,
) -> Result<(), StepError> {
    if work.solvers.articulated.is_none() {
        work.stages.stage.copy_from(state);
        return accelerations(model, settings, work, Evaluation { response, ..Stage::First.into() })
            .map(|_| ());
    }
    if let Some(articulated) = &mut work.solvers.articulated {
        articulated.clear_joint_efforts();
    }
    // Motions are written from the state itself, so no factor is known by the coordinates of the stage.
    articulated::forget_factor(work);
    work.stages.stage.copy_rest_from(state);
    write_motions(model, state, &mut work.kinematics.motions);
    if let Some(articulated) = &mut work.solvers.articulated {
        articulated.add_armature_efforts(&work.kinematics.motions);
    }
    // Contacts may need further solves with the same factor.
    let motions = match model.has_inequalities() {
        true => MotionSource::Stage,
        false => MotionSource::Written { is_factored: false },
    };
    let at = Evaluation { response, motions, ..Stage::First.into() };
    refresh_targets(model, work, at)?;
    let outcome = planned_solve(model, work, at);
    articulated::forget_factor(work);
    outcome
}

/// Accelerations and loads of the articulated system with a valid rank plan, and contact forces; nothing is booked.
fn planned_solve(model: &Model, work: &mut Workspace, at: Evaluation) -> Result<(), StepError> {
    let rate = &mut LedgerRate::default();
    let planned = articulated::plan(model, work);
    if !planned {
        articulated_solve(model, work, at, rate)?;
    }
    if planned || articulated::is_out_of_date(work) {
        if !planned {
            articulated::replan(model, work);
        }
        articulated_solve(model, work, at, &mut LedgerRate::default())?;
    }
    contact::solve_contact_forces(model, work, at, &mut LedgerRate::default())
}

/// Completes an evaluation of the articulated path, which has checked its own residual. Rows are written when they are read, unless
/// some are redundant (their multipliers need further solves) or the residual was above `CERTIFIED`.
pub(crate) fn complete(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    response: ForceResponse,
) -> Result<(), StepError> {
    match &work.solvers.articulated {
        Some(articulated)
            if articulated.redundant() == 0 && work.equations.equation_residual <= CERTIFIED =>
        {
            work.equations.has_rows = false;
            work.equations.stresses.clear();
            Ok(())
        }
        Some(_) => write_rows(model, settings, work, response),
        None => Ok(()),
    }
}

/// Writes M, F, J, c and λ of the last evaluation of the articulated path. If its own residual was above `CERTIFIED`, the residual of
/// the rows is used: that of the articulated path does not cover drives of open joints.
pub(crate) fn write_rows(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    response: ForceResponse,
) -> Result<(), StepError> {
    if work.solvers.articulated.is_none() {
        return Ok(());
    }
    accumulate_forces(
        model,
        work,
        Evaluation { response, ..Stage::First.into() },
        &mut LedgerRate::default(),
    )?;
    contact::apply_contact_forces(work);
    write_constraint_rows(model, settings, work, RowContent::full(response));
    articulated::write_multipliers(model, work);
    articulated::least_norm_multipliers(model, work);
    if work.equations.equation_residual <= CERTIFIED {
        return Ok(());
    }
    work.equations.sizes.resize(model.v_len, 0.0);
    let Equations { system, acc, lambda, sizes, .. } = &mut work.equations;
    let right = (system.force(), system.bias());
    work.equations.equation_residual = residual_relative_to_forces(system, right, acc, lambda, sizes).worst();
    Ok(())
}

/// Accelerations of the joint coordinates of `work.stages.stage`, in `work.equations.acc`.
pub(crate) fn joint_accelerations(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    at: Evaluation,
) -> Result<LedgerRate, StepError> {
    work.stages.stage.exchange_joints();
    let Workspace {
        kinematics: Kinematics { chart, motions, .. }, stages: StageBuffers { stage, .. }, ..
    } = work;
    let Some(chart) = chart else { return body_accelerations(model, settings, work, at) };
    chart.rebuild(model, stage, motions);
    let outcome = body_accelerations(model, settings, work, at);
    if outcome.is_ok() {
        reduce(model, work, ReducedQuantity::Accelerations);
    }
    work.stages.stage.exchange_joints();
    outcome
}

/// Velocities and multipliers of the pose and time of `work.stages.stage`: velocities in `work.equations.acc`, in the stage and
/// in its motions.
pub(crate) fn velocities(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    stage: Stage,
) -> Result<LedgerRate, StepError> {
    let solved = solve_at_rest(model, settings, work, stage)?;
    // At rest forces do no work; rows that move with time do.
    let mut rate = LedgerRate { work: solved.work, ..LedgerRate::default() };
    book_power(model, work, &mut rate);
    Ok(rate)
}

/// Velocities and multipliers; of the energy balance only the work of rows that move with time is booked.
pub(crate) fn solve_at_rest(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    stage: Stage,
) -> Result<LedgerRate, StepError> {
    if settings.coordinates == Coordinates::Joints {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    work.stages.stage.v.fill(0.0);
    let solved = accelerations(
        model,
        settings,
        work,
        Evaluation { response: ForceResponse::Velocity, ..stage.into() },
    )?;
    move_on(model, work, stage)?;
    Ok(solved)
}

/// Sets the velocities of the stage to the solution.
pub(crate) fn move_on(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    let Workspace { stages: StageBuffers { stage: at, .. }, equations: Equations { acc, .. }, .. } = work;
    at.v.copy_from_slice(acc);
    motions(model, work);
    refresh_targets(model, work, stage)
}

/// An attached frame at rest.
fn at_rest(frame: &FrameMotion) -> FrameMotion {
    let none = Vec3::ZERO;
    FrameMotion { vel: none, omega: none, bias: none, bias_omega: none, flow: 0.0, ..*frame }
}

/// Books vᵀ M v as heat and the power of forces without a potential as work, at the motions of `work`.
pub(crate) fn book_power(model: &Model, work: &mut Workspace, rate: &mut LedgerRate) {
    for (i, (body, at)) in model.bodies.iter().zip(&work.kinematics.motions).enumerate() {
        rate.dissipated += match work.kinematics.motions.general(i) {
            Some(general) => 2.0 * general.kinetic_energy(),
            None => {
                let spin = at.axes.transpose_mul(at.omega);
                body.mass.mass * at.vel.dot(at.vel) + spin.dot(body.mass.inertia * spin)
            }
        };
    }
    for force in &model.forces {
        let n = force.frames.len();
        for (k, at) in force.frames.iter().enumerate() {
            work.kinematics.frames[k] = at_rest(&frame(&work.kinematics.motions, at));
            work.kinematics.wrenches[k] = Wrench::ZERO;
        }
        let mut out = ForceOutput {
            wrench: &mut work.kinematics.wrenches[..n],
            potential: None,
            dissipated_power: 0.0,
        };
        force.kind.apply(work.stages.stage.time, &work.kinematics.frames[..n], &mut out);
        if out.potential.is_some() {
            continue;
        }
        for (at, wrench) in force.frames.iter().zip(&work.kinematics.wrenches) {
            let frame = frame(&work.kinematics.motions, at);
            rate.work += wrench.force.dot(frame.vel) + wrench.torque.dot(frame.omega);
        }
    }
    for (j, joint) in model.joints.iter().enumerate().filter(|(_, joint)| !joint.efforts.is_empty()) {
        let (a, b) = (frame(&work.kinematics.motions, &joint.a), frame(&work.kinematics.motions, &joint.b));
        let mut coordinates = JointCoordinates::default();
        joint.kind.write_coordinates(&Relative::new(&a, &b), &mut coordinates);
        for effort in &joint.efforts {
            let k = effort.coordinate;
            let turns = &work.stages.stage.turns;
            let value = crate::measure::coordinates::full_value(model, j, k, coordinates.value[k], turns);
            let pushed = effort.at_rest(model, j, &work.stages.stage, value);
            if pushed.is_work {
                rate.work += pushed.force * coordinates.rate[k];
            }
        }
    }
    rate.work += command_power(model, work);
    // For rows whose force acts elsewhere the power is λ K·v, which was zero at rest.
    for constraint in model.constraints.iter().filter(|constraint| constraint.pushed) {
        for (end, at) in constraint.frames.iter().enumerate() {
            let Some(body) = at.body() else { continue };
            let v = &work.stages.stage.v[model.bodies[body].v_range()];
            let push = work.equations.system.force_columns(constraint.link, end);
            for (row, push) in push.chunks_exact(v.len()).take(constraint.rows).enumerate() {
                let power: f64 = push.iter().zip(v).map(|(push, v)| push * v).sum();
                rate.work += work.equations.lambda[constraint.row_at + row] * power;
            }
        }
    }
}

//! First order: a force gives a velocity (f = m v) instead of an acceleration, so that what is not pushed stands still.
//!
//! ```text
//! M v = F + Jᵀ λ            J v + ∂C/∂t = 0
//! ```
//!
//! are the equations of accelerations with v in the place of v̇, of a mechanism at rest: then F has no gyroscopic terms, c = J̇ v is nothing but what
//! time does, and ∂C/∂t stands in its place. So the same factor answers, on the fast way and by every solver, and v is the allowed velocity that is nearest to
//! M⁻¹ F in the norm of M (Witkin 1997, "differential kinematic manipulation").
//!
//! What depends on velocity (dashpots, viscous friction, drag, the damping of servos) is at rest, too, and so absent: M is the resistance here. The accounts follow:
//!
//! ```text
//! d(potential)/dt + vᵀ M v = F_n·v − λ·∂C/∂t         F_n: forces without a potential
//! ```
//!
//! vᵀ M v is heat, the right side work; there is neither kinetic energy nor momentum to carry on.

use crate::body::{FrameMotion, Wrench};
use crate::force::ForceOutput;
use crate::joint::{JointCoordinates, Relative};
use crate::math::Vec3;
use crate::model::Model;
use crate::settings::Coordinates;
use crate::settings::Settings;
use crate::state::State;
use crate::step::StepReport;
use crate::step::Workspace;
use crate::step::articulated;
use crate::step::dynamics::constraint_rows;
use crate::step::dynamics::drive_targets::refresh_targets;
use crate::step::dynamics::forces::{frame, motions};
use crate::step::dynamics::multipliers::{LedgerRate, accelerations, write_rows};
use crate::step::project::general::measure;
use crate::step_error::Stage;
use crate::step_error::StepError;

/// Runs what solves for accelerations so that it solves for velocities.
fn resting<R>(work: &mut Workspace, done: impl FnOnce(&mut Workspace) -> R) -> R {
    work.solves_velocities = true;
    let outcome = done(work);
    work.solves_velocities = false;
    outcome
}

/// Velocities and multipliers of the pose and time of `work.stage`: velocities in `work.acc` and in the stage, whose motions then have them.
pub(crate) fn velocities(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    stage: Stage,
) -> Result<LedgerRate, StepError> {
    let solved = solve_at_rest(model, settings, work, stage)?;
    // At rest forces did no work; the rows did, by what time does to them.
    let mut rate = LedgerRate { work: solved.work, ..LedgerRate::default() };
    book_power(model, work, &mut rate);
    Ok(rate)
}

/// The same without the accounts, but for the work of rows that move with time.
pub(crate) fn solve_at_rest(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    stage: Stage,
) -> Result<LedgerRate, StepError> {
    if settings.coordinates != Coordinates::Bodies {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    work.stage.v.fill(0.0);
    let solved = resting(work, |work| accelerations(model, settings, work, stage))?;
    move_on(model, work, stage)?;
    Ok(solved)
}

/// The stage moves with the velocities that were solved for.
fn move_on(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    let Workspace { stage: at, acc, .. } = work;
    at.v.copy_from_slice(acc);
    motions(model, work);
    refresh_targets(model, work, stage)
}

/// The velocities of `work.next`, which is on its joints, and how well these keep them.
pub(crate) fn set_velocities(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    report: &mut StepReport,
    stage: Stage,
) -> Result<(), StepError> {
    work.stage.copy_from(&work.next);
    velocities(model, settings, work, stage)?;
    work.next.v.copy_from_slice(&work.acc);
    let measured = measure(model, settings, work)?;
    (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
    Ok(())
}

/// Velocities, multipliers and reactions of a state, as reports show them: its motions have the velocities, and there are no accelerations.
pub(crate) fn evaluate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    solve(model, settings, state, work, |work| {
        articulated::least_norm_rows(model, work);
        write_rows(model, settings, work)
    })?;
    move_on(model, work, Stage::First)?;
    constraint_rows::write_constraint_rows(model, settings, work, constraint_rows::RowContent::Errors);
    work.acc.fill(f64::NAN);
    Ok(())
}

/// The same as cheaply as can be had; velocities are left in the place of accelerations.
pub(crate) fn evaluate_bare(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> Result<(), StepError> {
    solve(model, settings, state, work, |_| Ok(()))
}

fn solve(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    then: impl FnOnce(&mut Workspace) -> Result<(), StepError>,
) -> Result<(), StepError> {
    if settings.coordinates != Coordinates::Bodies {
        return Err(StepError::NotForJoints { integrator: settings.integrator });
    }
    let mut rest = work.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
    rest.copy_from(state);
    rest.v.fill(0.0);
    let outcome = resting(work, |work| {
        crate::step::integrate::events::choose(model, settings, &rest, work)?;
        work.stage.copy_from(&rest);
        accelerations(model, settings, work, Stage::First)?;
        then(work)
    });
    work.rest_state = Some(rest);
    outcome
}

/// An attached frame as it is where nothing moves.
fn at_rest(frame: &FrameMotion) -> FrameMotion {
    let none = Vec3::ZERO;
    FrameMotion { vel: none, omega: none, bias: none, bias_omega: none, flow: 0.0, ..*frame }
}

/// vᵀ M v as heat, and the power of everything without a potential as work, at the motions of `work`.
pub(crate) fn book_power(model: &Model, work: &mut Workspace, rate: &mut LedgerRate) {
    for (i, (body, at)) in model.bodies.iter().zip(&work.motions).enumerate() {
        rate.dissipated += match work.motions.general(i) {
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
            work.frames[k] = at_rest(&frame(&work.motions, at));
            work.wrenches[k] = Wrench::ZERO;
        }
        let mut out = ForceOutput { wrench: &mut work.wrenches[..n], potential: None, dissipated_power: 0.0 };
        force.kind.apply(work.stage.time, &work.frames[..n], &mut out);
        if out.potential.is_some() {
            continue;
        }
        for (at, wrench) in force.frames.iter().zip(&work.wrenches) {
            let frame = frame(&work.motions, at);
            rate.work += wrench.force.dot(frame.vel) + wrench.torque.dot(frame.omega);
        }
    }
    for (j, joint) in model.joints.iter().enumerate().filter(|(_, joint)| !joint.efforts.is_empty()) {
        let (a, b) = (frame(&work.motions, &joint.a), frame(&work.motions, &joint.b));
        let mut coordinates = JointCoordinates::default();
        joint.kind.write_coordinates(&Relative::new(&a, &b), &mut coordinates);
        for effort in &joint.efforts {
            let k = effort.coordinate;
            let turns = &work.stage.turns;
            let value = crate::measure::coordinates::full_value(model, j, k, coordinates.value[k], turns);
            let pushed = effort.at_rest(&work.stage, value);
            if pushed.is_work {
                rate.work += pushed.force * coordinates.rate[k];
            }
        }
    }
    // Where rows push elsewhere than they hold, their power is λ K·v, and was nothing at rest.
    for constraint in model.constraints.iter().filter(|constraint| constraint.pushed) {
        for (end, at) in constraint.frames.iter().enumerate() {
            let Some(body) = at.body() else { continue };
            let v = &work.stage.v[model.bodies[body].v_range()];
            let push = work.system.force_columns(constraint.link, end);
            for (row, push) in push.chunks_exact(v.len()).take(constraint.rows).enumerate() {
                let power: f64 = push.iter().zip(v).map(|(push, v)| push * v).sum();
                rate.work += work.lambda[constraint.row_at + row] * power;
            }
        }
    }
}

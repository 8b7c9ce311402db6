//! Constraint rows: C, Ċ and, on request, J and c of every joint and user constraint.
//!
//!   J v̇ + c = 0,   c = J̇ v (+ 2 α Ċ + β² C with Baumgarte stabilisation)
//!
//! Where velocities are solved for (f = m v): J v + c = 0, c = ∂C/∂t (+ β C with stabilisation).

use crate::body::FrameMotion;
use crate::body::general::Motions;
use crate::joint::{JointRows, Relative};
use crate::law::Jet;
use crate::math::larger;
use crate::model::{Attachment, Model, ModelConstraint};
use crate::settings::Settings;
use crate::settings::Stabilization;
use crate::step::articulated::constraint_numbers::{
    ConstraintNumbers, RowInstant, evaluate_constraint, rates_of_row, speed_reach,
};
use crate::step::dynamics::kinematics::frame;
use crate::step::workspace::{ForceResponse, Kinematics, Workspace};
use crate::step_error::Stage;
use crate::step_error::StepError;
use cardan_solve::System;

/// Which parts of the rows to write.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum RowContent {
    /// C and Ċ only: enough to measure, and to correct with the current factor.
    Errors,
    /// Also J and c.
    Full,
    /// Also J and c for f = m v: velocities instead of accelerations, so that c = ∂C/∂t.
    FullAtRest,
}

impl RowContent {
    /// All parts of the rows, for accelerations (f = m a) or for velocities (f = m v).
    pub(crate) fn full(response: ForceResponse) -> Self {
        match response {
            ForceResponse::Acceleration => RowContent::Full,
            ForceResponse::Velocity => RowContent::FullAtRest,
        }
    }

    /// Whether J and c are written.
    fn is_full(self) -> bool {
        self != RowContent::Errors
    }
}

/// Writes the rows of all joints and user constraints at the motions of `work`.
pub(crate) fn write_constraint_rows(
    model: &Model,
    settings: &Settings,
    work: &mut Workspace,
    want: RowContent,
) {
    work.open_rows(model);
    if want.is_full() {
        work.open_system(model);
    }
    work.equations.has_rows = true;
    for j in 0..model.joints.len() {
        joint(model, j, work, want);
    }
    for c in 0..model.constraints.len() {
        user(model, c, work, want);
    }
    if want.is_full()
        && let Stabilization::Baumgarte { alpha, beta } = settings.stabilization
    {
        for (r, c) in work.equations.system.bias_mut().iter_mut().enumerate() {
            *c += match want {
                RowContent::FullAtRest => beta * work.equations.err[r],
                _ => 2.0 * alpha * work.equations.err_rate[r] + beta * beta * work.equations.err[r],
            };
        }
    }
}

/// A joint at one instant: the frames on a and b, their relative motion, and its rows.
pub(crate) struct EvaluatedJoint {
    a: FrameMotion,
    b: FrameMotion,
    pub(crate) relative: Relative,
    pub(crate) rows: JointRows,
}

impl EvaluatedJoint {
    /// Evaluates a joint at the motions of its bodies.
    #[inline]
    pub(crate) fn new(model: &Model, j: usize, motions: &Motions, targets: &[Jet]) -> Self {
        let joint = &model.joints[j];
        let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
        let relative = Relative::new(&a, &b);
        let mut rows = JointRows::default();
        joint.write_rows(&relative, targets, &mut rows);
        EvaluatedJoint { a, b, relative, rows }
    }
}

/// Writes J and c of a joint.
#[inline]
pub(crate) fn write_jacobian(
    model: &Model,
    j: usize,
    motions: &Motions,
    evaluated: &EvaluatedJoint,
    system: &mut System,
) {
    let (joint, EvaluatedJoint { a, b, relative, rows }) = (&model.joints[j], evaluated);
    for r in 0..joint.rows() {
        system.bias_mut()[joint.row_at() + r] = rows.jac_dot_v(r, relative);
        let on_b = relative.to_world(rows.gradient[r]);
        for (end, at, frame, wrench) in [(0, joint.a, a, relative.carried_to_a(on_b)), (1, joint.b, b, on_b)]
        {
            if let Some(body) = at.body() {
                let dim = model.bodies[body].kind.dim();
                let block = &mut system.jac_mut(joint.link, end)[r * dim..(r + 1) * dim];
                motions.pull_back(model, &at, frame.arm, wrench, block);
            }
        }
    }
    let of_ends =
        [ends_sizes(model, motions, system, &joint.a, a), ends_sizes(model, motions, system, &joint.b, b)];
    if of_ends == [None; 2] {
        return;
    }
    for r in 0..joint.rows() {
        let g = &rows.gradient[r];
        let (force, torque) = (g.force.largest(), g.torque.largest());
        let offset = relative.offset.largest();
        let sizes = of_ends.into_iter().flatten();
        let entry = sizes.fold(0.0, |most, on| larger(most, on.of_row(force, torque + offset * force)));
        system.row_scale_mut(joint.link)[r] = entry;
        let (bias, turning) = sizes_of_bias(a, b);
        system.bias_formed_mut()[joint.row_at() + r] =
            force * (bias + offset * turning) + torque * turning + rows.velocity_term[r].abs();
    }
}

/// Sizes of the terms of Jacobian entries at one end of a row.
#[derive(Copy, Clone, PartialEq)]
struct EndScales {
    of_force: f64,
    of_torque: f64,
    arm: f64,
}

impl EndScales {
    /// Size of the entries of a row with this force and torque.
    fn of_row(self, force: f64, torque: f64) -> f64 {
        self.of_force * force + self.of_torque * (torque + self.arm * force)
    }
}

/// Sizes of the terms of Jacobian entries at a body with generalised coordinates.
#[inline]
fn ends_sizes(
    model: &Model,
    motions: &Motions,
    system: &System,
    at: &Attachment,
    frame: &FrameMotion,
) -> Option<EndScales> {
    at.carrier()?;
    let block = model.bodies[at.body()?].block;
    let units = &system.units()[model.graph.block_range(block)];
    let [of_force, of_torque] = motions.sizes_of_rows(at, units)?;
    Some(EndScales { of_force, of_torque, arm: frame.arm.largest() })
}

/// Sizes of the terms of the relative acceleration of two frames at v̇ = 0, and of their relative
/// angular acceleration.
fn sizes_of_bias(a: &FrameMotion, b: &FrameMotion) -> (f64, f64) {
    let ((va, wa), (vb, wb)) = (speed_reach(a), speed_reach(b));
    let spin = wa + wb;
    let turning = a.bias_omega.largest() + b.bias_omega.largest() + spin * spin;
    (a.bias.largest() + b.bias.largest() + spin * (va + vb), turning)
}

/// Writes the rows of a joint.
#[inline]
fn joint(model: &Model, j: usize, work: &mut Workspace, want: RowContent) {
    let joint = &model.joints[j];
    let evaluated = EvaluatedJoint::new(model, j, &work.kinematics.motions, &work.kinematics.targets);
    let EvaluatedJoint { a, b, relative, rows } = &evaluated;
    work.kinematics.relatives[j] = *relative;

    let ((va, wa), (vb, wb)) = (speed_reach(a), speed_reach(b));
    let reach = (va + vb + wa * relative.offset.largest(), wa + wb);
    for r in 0..joint.rows() {
        let (at, g) = (joint.row_at() + r, &rows.gradient[r]);
        work.equations.err[at] = rows.err[r];
        work.equations.err_rate[at] = rows.err_rate(r, relative);
        work.equations.err_scale[at] = rows.scale[r];
        work.equations.err_rate_scale[at] =
            g.force.largest() * reach.0 + g.torque.largest() * reach.1 + rows.rates[r].abs();
    }
    if want.is_full() {
        write_jacobian(model, j, &work.kinematics.motions, &evaluated, &mut work.equations.system);
    }
}

/// Writes the rows of a user constraint.
fn user(model: &Model, c: usize, work: &mut Workspace, want: RowContent) {
    let constraint = &model.constraints[c];
    let (n, rows, at) = (constraint.frames.len(), constraint.rows, constraint.row_at);
    let (range, pushed) = (at..at + rows, constraint.pushed);
    let instant = RowInstant {
        time: work.stages.stage.time,
        is_still: work.stages.stage.still,
        response: match want {
            RowContent::FullAtRest => ForceResponse::Velocity,
            _ => ForceResponse::Acceleration,
        },
        turns: &work.stages.stage.turns,
    };
    let Kinematics { motions, frames, wrenches, .. } = &mut work.kinematics;
    let numbers = ConstraintNumbers {
        err: &mut work.equations.err[range.clone()],
        scale: &mut work.equations.err_scale[range.clone()],
        time_rate: &mut work.equations.time_rate[range.clone()],
        bias: &mut work.equations.row_rhs[range],
    };
    for (out, attachment) in frames.iter_mut().zip(&constraint.frames) {
        *out = frame(motions, attachment);
    }
    evaluate_constraint(constraint, instant, (&frames[..n], wrenches), numbers);

    for r in 0..rows {
        let of_time = (work.equations.time_rate[at + r], work.equations.row_rhs[at + r]);
        let gradients = &work.kinematics.wrenches[r * n..(r + 1) * n];
        let [rate, size, bias] = rates_of_row(&work.kinematics.frames[..n], gradients, of_time);
        work.equations.err_rate[at + r] = rate;
        work.equations.err_rate_scale[at + r] = size;
        if want == RowContent::Errors {
            continue;
        }
        work.equations.system.bias_mut()[at + r] = bias;
        for (k, attachment) in constraint.frames.iter().enumerate() {
            if let Some(body) = attachment.body() {
                let dim = model.bodies[body].kind.dim();
                let (arm, g) = (work.kinematics.frames[k].arm, work.kinematics.wrenches[r * n + k]);
                let block = &mut work.equations.system.jac_mut(constraint.link, k)[r * dim..(r + 1) * dim];
                work.kinematics.motions.pull_back(model, attachment, arm, g, block);
                if pushed {
                    let push = work.kinematics.wrenches[(rows + r) * n + k];
                    let block = &mut work.equations.system.force_columns_mut(constraint.link, k)
                        [r * dim..(r + 1) * dim];
                    work.kinematics.motions.pull_back(model, attachment, arm, push, block);
                }
            }
        }
        if !constraint.frames.iter().any(|at| at.carrier().is_some()) {
            continue;
        }
        let (mut entry, mut formed) = (0.0, work.equations.row_rhs[at + r].abs());
        for (k, attachment) in constraint.frames.iter().enumerate() {
            let (g, f) = (work.kinematics.wrenches[r * n + k], work.kinematics.frames[k]);
            let (force, torque) = (g.force.largest(), g.torque.largest());
            let (bias, turning) = sizes_of_bias(&f, &f);
            formed += force * bias + torque * turning;
            if let Some(on) =
                ends_sizes(model, &work.kinematics.motions, &work.equations.system, attachment, &f)
            {
                entry = larger(entry, on.of_row(force, torque));
            }
        }
        work.equations.system.row_scale_mut(constraint.link)[r] = entry;
        work.equations.system.bias_formed_mut()[at + r] = formed;
    }
}

/// Fails if a constraint cannot be followed beyond the poses of `work`.
pub(crate) fn check_followed(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    for constraint in &model.constraints {
        let n = constraint.frames.len();
        for (k, attachment) in constraint.frames.iter().enumerate() {
            work.kinematics.frames[k] = frame(&work.kinematics.motions, attachment);
        }
        if let Some(why) = constraint.rule.lost(&work.kinematics.frames[..n]) {
            return Err(StepError::Lost {
                joint: constraint.name.clone(),
                time: work.stages.stage.time,
                why,
            });
        }
    }
    Ok(())
}

/// Fails if a row is not finite.
pub(crate) fn check_finite(model: &Model, work: &Workspace, stage: Stage) -> Result<(), StepError> {
    let lost = |x: &f64| !x.is_finite();
    let all = [
        &work.equations.err,
        &work.equations.err_rate,
        &work.equations.err_scale,
        &work.equations.err_rate_scale,
    ];
    let row = all.into_iter().find_map(|values| values.iter().position(lost));
    match row {
        None => Ok(()),
        Some(row) => {
            // A constraint may know the reason.
            let here = |c: &&ModelConstraint| (c.row_at..c.row_at + c.rows).contains(&row);
            if let Some(constraint) = model.constraints.iter().find(here) {
                let frames: Vec<_> =
                    constraint.frames.iter().map(|at| frame(&work.kinematics.motions, at)).collect();
                if let Some(why) = constraint.rule.lost(&frames) {
                    return Err(StepError::Lost {
                        joint: constraint.name.clone(),
                        time: work.stages.stage.time,
                        why,
                    });
                }
            }
            let joint = model.owner_of_row(row).0.to_string();
            Err(StepError::JointNotFinite { joint, time: work.stages.stage.time, stage })
        }
    }
}

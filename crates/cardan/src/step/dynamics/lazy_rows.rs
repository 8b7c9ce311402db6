//! Lazy rows: rows after an evaluation on the articulated path, which does without them. Errors and
//! multipliers, M, F, J and c of the last evaluation, and the residual of a solution that a kernel found, are
//! computed when they are first read.

use crate::body::{FrameMotion, MAX_DIM, Wrench};
use crate::joint::{JointCoordinates, Relative};
use crate::math::{Six, Vec3};
use crate::measure::coordinates::full_value;
use crate::model::{Model, ModelConstraint};
use crate::state::State;
use crate::step::Workspace;
use crate::step::articulated;
use crate::step::articulated::constraint_numbers::{
    ConstraintNumbers, RowInstant, evaluate_constraint, rates_of_row,
};
use crate::step::articulated::state_residual::state_residual;
use crate::step::dynamics::constraint_rows::{EvaluatedJoint, write_jacobian};
use crate::step::dynamics::kinematics::frame;
use crate::step::workspace::{EvaluationExtent, ForceResponse, write_units};
use cardan_solve::System;

/// C, Ċ and λ of all rows.
#[derive(Debug, Default)]
pub(crate) struct LazyRows {
    pub(crate) err: Vec<f64>,
    pub(crate) err_rate: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    scratch: ConstraintScratch,
}

/// Scratch for the evaluation of constraints.
#[derive(Debug, Default)]
struct ConstraintScratch {
    frames: Vec<FrameMotion>,
    wrenches: Vec<Wrench>,
    numbers: [Vec<f64>; 4],
}

impl ConstraintScratch {
    /// Evaluates a constraint; passes on the frames, the gradients of all rows, and by row C, Ċ and c.
    fn evaluate(
        &mut self,
        work: &Workspace,
        constraint: &ModelConstraint,
        mut take: impl FnMut(&[FrameMotion], usize, &[Wrench], [f64; 3]),
    ) {
        let ConstraintScratch { frames, wrenches, numbers } = self;
        let (n, rows) = (constraint.frames.len(), constraint.rows);
        frames.clear();
        frames.extend(constraint.frames.iter().map(|at| frame(&work.kinematics.motions, at)));
        wrenches.clear();
        wrenches.resize(2 * n * rows, Wrench::ZERO);
        numbers.iter_mut().for_each(|numbers| numbers.resize(rows, 0.0));
        let [err, scale, time_rate, bias] = numbers.each_mut().map(|numbers| &mut numbers[..rows]);
        let State { time, still: is_still, turns, .. } = &work.stages.stage;
        let at =
            RowInstant { time: *time, is_still: *is_still, response: ForceResponse::Acceleration, turns };
        let numbers = ConstraintNumbers { err, scale, time_rate, bias };
        evaluate_constraint(constraint, at, (frames, wrenches), numbers);
        let [err, _, time_rate, bias] = &self.numbers;
        for r in 0..rows {
            let gradients = &wrenches[r * n..(r + 1) * n];
            let [rate, _, bias] = rates_of_row(frames, gradients, (time_rate[r], bias[r]));
            take(frames, r, gradients, [err[r], rate, bias]);
        }
    }
}

impl LazyRows {
    /// Computes the rows of the last evaluation on the articulated path: no row is redundant.
    fn fill(&mut self, model: &Model, work: &Workspace) {
        let LazyRows { err, err_rate, lambda, scratch } = self;
        for numbers in [&mut *err, &mut *err_rate, &mut *lambda] {
            numbers.resize(model.graph.rows(), 0.0);
        }
        for (j, joint) in model.joints.iter().enumerate() {
            let evaluated = EvaluatedJoint::new(model, j, &work.kinematics.motions, &work.kinematics.targets);
            for r in 0..joint.rows() {
                err[joint.row_at() + r] = evaluated.rows.err[r];
                err_rate[joint.row_at() + r] = evaluated.rows.err_rate(r, &evaluated.relative);
            }
        }
        for constraint in &model.constraints {
            scratch.evaluate(work, constraint, |_, r, _, [error, rate, _]| {
                (err[constraint.row_at + r], err_rate[constraint.row_at + r]) = (error, rate);
            });
        }
        if work.equations.extent == EvaluationExtent::Motions {
            lambda.fill(f64::NAN);
        } else if let Some(articulated) = &work.solvers.articulated {
            articulated::multipliers(
                model,
                articulated,
                &work.kinematics.motions,
                |j| work.relative(model, j),
                lambda,
            );
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        [&self.err, &self.err_rate, &self.lambda].iter().map(|v| v.capacity() * size_of::<f64>()).sum()
    }
}

impl Workspace {
    /// Whether rows are computed only when they are read.
    fn is_pending(&self) -> bool {
        self.solvers.articulated.is_some() && !self.equations.has_rows
    }

    /// The rows of the last evaluation, computed once.
    fn lazy_rows(&self, model: &Model) -> &LazyRows {
        self.equations.lazy_rows.get_or_init(|| {
            let spare_rows =
                self.equations.spare_rows.lock().ok().and_then(|mut spare_rows| spare_rows.take());
            let mut rows = spare_rows.unwrap_or_default();
            rows.fill(model, self);
            rows
        })
    }

    /// C of all rows.
    pub(crate) fn errors(&self, model: &Model) -> &[f64] {
        if self.is_pending() { &self.lazy_rows(model).err } else { &self.equations.err }
    }

    /// Ċ of all rows.
    pub(crate) fn error_rates(&self, model: &Model) -> &[f64] {
        if self.is_pending() { &self.lazy_rows(model).err_rate } else { &self.equations.err_rate }
    }

    /// λ of all rows.
    pub(crate) fn multipliers(&self, model: &Model) -> &[f64] {
        if self.is_pending() { &self.lazy_rows(model).lambda } else { &self.equations.lambda }
    }

    /// The worst residual of the equations of motion, relative to the terms that form them.
    pub(crate) fn residual(&self, model: &Model) -> f64 {
        let (Some(articulated), EvaluationExtent::Accelerations) =
            (&self.solvers.articulated, self.equations.extent)
        else {
            return self.equations.equation_residual;
        };
        *self.equations.lazy_residual.get_or_init(|| {
            let (motions, acc) = (&self.kinematics.motions, &self.equations.acc);
            let Ok(mut scratch) = self.equations.residual_scratch.lock() else { return f64::NAN };
            write_pushes(model, self, &mut scratch.pushes);
            state_residual(model, articulated, motions, acc, &mut scratch)
        })
    }

    /// M, F, J and c.
    pub(crate) fn equations(&self, model: &Model) -> &System {
        if self.is_pending() {
            self.equations.lazy_system.get_or_init(|| Box::new(form_system(model, self)))
        } else {
            &self.equations.system
        }
    }
}

/// Wrenches of springs, efforts and commands of joints on bodies at their centres of mass, by body; empty if
/// nothing but gravity acts. For rigid bodies, on which no other forces act.
fn write_pushes(model: &Model, work: &Workspace, pushes: &mut Vec<Six>) {
    pushes.clear();
    if !work.has_forces(model) {
        return;
    }
    pushes.resize(model.bodies.len(), Six::ZERO);
    let (motions, state) = (&work.kinematics.motions, &work.stages.stage);
    let commands = state.commands.as_ref().map_or(&[][..], |commands| commands.efforts());
    for (j, joint) in model.joints.iter().enumerate() {
        let of_joint = commands.get(model.joint_order().efforts_of(j)).unwrap_or_default();
        if !joint.has_forces() && of_joint.iter().all(|effort| *effort == 0.0) {
            continue;
        }
        let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
        let relative = Relative::new(&a, &b);
        let mut coordinates = JointCoordinates::default();
        joint.kind.write_coordinates(&relative, &mut coordinates);
        let JointCoordinates { value, rate, direction, .. } = &coordinates;
        let value_of = |k: usize| full_value(model, j, k, value[k], &state.turns);
        let mut sum = Wrench::ZERO;
        for spring in &joint.springs {
            let k = spring.coordinate;
            sum = sum + direction[k].scaled(spring.force(value_of(k), rate[k]));
        }
        for effort in &joint.efforts {
            let k = effort.coordinate;
            sum = sum + direction[k].scaled(effort.at(model, j, state, value_of(k), rate[k]).force);
        }
        for (k, effort) in of_joint.iter().enumerate() {
            sum = sum + direction[k].scaled(*effort);
        }
        let on_b = relative.to_world(sum);
        for (end, at, wrench) in [(&joint.a, a, relative.carried_to_a(on_b)), (&joint.b, b, on_b)] {
            if let Some(body) = end.body() {
                pushes[body] += Six::new(wrench.force, wrench.torque + at.arm.cross(wrench.force));
            }
        }
    }
}

/// M, F, J and c of the last evaluation on the articulated path. Where nothing was solved, F is not a number.
fn form_system(model: &Model, work: &Workspace) -> System {
    let mut system = System::new(model.graph.clone());
    write_units(model, work.solvers.length, &mut system);
    let extent = work.equations.extent;
    let is_written = extent == EvaluationExtent::Equations && work.has_forces(model);
    let extra = is_written.then(|| work.equations.system.force());
    let mut pushes = Vec::new();
    if extent == EvaluationExtent::Accelerations {
        write_pushes(model, work, &mut pushes);
    }
    for (i, (body, at)) in model.bodies.iter().zip(&work.kinematics.motions).enumerate() {
        body.kind.mass_matrix(&body.mass, at, system.mass_mut(body.block));
        let force = system.force_of_mut(body.block);
        body.kind.inertial_force(&body.mass, at, force);
        let mut weight = [0.0; MAX_DIM];
        let pull = Wrench { force: model.gravity * body.mass.mass, torque: Vec3::ZERO };
        body.kind.pull_back(Vec3::ZERO, pull, &mut weight[..body.kind.dim()]);
        force.iter_mut().zip(weight).for_each(|(f, x)| *f += x);
        if let Some(extra) = extra {
            force.iter_mut().zip(&extra[body.v_range()]).for_each(|(f, x)| *f += x);
        }
        if let Some(push) = pushes.get(i) {
            let mut pull = [0.0; MAX_DIM];
            let push = Wrench { force: push.lin, torque: push.ang };
            body.kind.pull_back(Vec3::ZERO, push, &mut pull[..body.kind.dim()]);
            force.iter_mut().zip(pull).for_each(|(f, x)| *f += x);
        }
        if extent == EvaluationExtent::Motions {
            force.fill(f64::NAN);
        }
    }
    for j in 0..model.joints.len() {
        let evaluated = EvaluatedJoint::new(model, j, &work.kinematics.motions, &work.kinematics.targets);
        write_jacobian(model, j, &work.kinematics.motions, &evaluated, &mut system);
    }
    let mut scratch = ConstraintScratch::default();
    for constraint in &model.constraints {
        scratch.evaluate(work, constraint, |frames, r, gradients, [_, _, bias]| {
            system.bias_mut()[constraint.row_at + r] = bias;
            for (k, attachment) in constraint.frames.iter().enumerate() {
                let Some(body) = attachment.body() else { continue };
                let dim = model.bodies[body].kind.dim();
                let block = &mut system.jac_mut(constraint.link, k)[r * dim..(r + 1) * dim];
                work.kinematics.motions.pull_back(model, attachment, frames[k].arm, gradients[k], block);
            }
        });
    }
    system
}

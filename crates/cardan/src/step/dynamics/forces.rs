//! Forces and masses: F and M of the equations of motion. Work, heat and impulses from outside are
//! booked as rates.

use crate::body::Wrench;
use crate::force::ForceOutput;
use crate::joint::effort::EffortOutput;
use crate::joint::{JointCoordinates, Relative};
use crate::math::Vec3;
use crate::model::{Model, ModelJoint};
use crate::step::dynamics::command_forces::add_commands;
pub(crate) use crate::step::dynamics::kinematics::frame;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::workspace::{Equations, Kinematics, StageBuffers};
use crate::step::workspace::{Evaluation, ForceResponse, Workspace};
use crate::step_error::Stage;
use crate::step_error::StepError;

/// M, and F = gyroscopic + gravity + forces + joint springs. Books energy and momentum rates.
pub(crate) fn accumulate_forces(
    model: &Model,
    work: &mut Workspace,
    at: impl Into<Evaluation>,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    work.open_system(model);
    for (i, body) in model.bodies.iter().enumerate() {
        if let Some(made) = &body.general {
            let Workspace {
                kinematics: Kinematics { motions, .. },
                equations: Equations { system, .. },
                stages: StageBuffers { stage, .. },
                ..
            } = work;
            let Some(general) = motions.general_mut(i) else { continue };
            general.mass_matrix(system.mass_mut(body.block));
            let force = system.force_of_mut(body.block);
            general.inertial_force(force);
            let own = (&stage.q[body.q_range()], &stage.v[body.v_range()]);
            rate.dissipated += general.add_own_forces(made, model.gravity, own, force);
            if !made.is_grounded() {
                let weight = model.gravity * body.mass.mass;
                rate.force += weight;
                rate.moment += motions[i].pos.cross(weight);
            }
            continue;
        }
        let at = work.kinematics.motions[i];
        body.kind.mass_matrix(&body.mass, &at, work.equations.system.mass_mut(body.block));
        body.kind.inertial_force(&body.mass, &at, work.equations.system.force_of_mut(body.block));
        let weight = Wrench { force: model.gravity * body.mass.mass, torque: Vec3::ZERO };
        work.push_on_plain(model, i, Vec3::ZERO, weight);
        rate.book(body.kind, &at, Vec3::ZERO, weight);
    }
    forces(model, work, at, rate)
}

/// Adds all forces but gravity and gyroscopic terms to F.
pub(crate) fn forces(
    model: &Model,
    work: &mut Workspace,
    at: impl Into<Evaluation>,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let at = at.into();
    force_laws(model, work, at.stage, rate)?;
    for (j, joint) in model.joints.iter().enumerate() {
        let is_implicit =
            at.step.is_some() && work.solvers.joint_efforts.as_ref().is_some_and(|all| all.has(j));
        if joint.has_forces() && !is_implicit {
            joint_forces(model, (j, joint), work, at, rate)?;
        }
    }
    if work.stages.stage.commands.is_some() {
        add_commands(model, work, at.step.is_some(), rate);
    }
    Ok(())
}

/// Adds the forces of the model's force laws to F.
fn force_laws(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let time = work.stages.stage.time;
    for force in &model.forces {
        let n = force.frames.len();
        for (k, at) in force.frames.iter().enumerate() {
            work.kinematics.frames[k] = frame(&work.kinematics.motions, at);
            work.kinematics.wrenches[k] = Wrench::ZERO;
        }
        let mut out = ForceOutput {
            wrench: &mut work.kinematics.wrenches[..n],
            potential: None,
            dissipated_power: 0.0,
        };
        force.kind.apply(time, &work.kinematics.frames[..n], &mut out);
        let (potential, dissipated) = (out.potential, out.dissipated_power);
        if !(dissipated.is_finite() && potential.is_none_or(f64::is_finite)) {
            return Err(StepError::ForceNotFinite { force: force.name.clone(), time, stage });
        }

        let mut power = 0.0;
        for (k, at) in force.frames.iter().enumerate() {
            let (wrench, frame) = (work.kinematics.wrenches[k], work.kinematics.frames[k]);
            if !(wrench.force.is_finite() && wrench.torque.is_finite()) {
                return Err(StepError::ForceNotFinite { force: force.name.clone(), time, stage });
            }
            if at.body().is_none() {
                continue;
            }
            power += wrench.force.dot(frame.vel) + wrench.torque.dot(frame.omega);
            rate.book_at(model, &work.kinematics.motions, at, &frame, wrench);
            work.push(model, at, frame.arm, wrench);
        }
        rate.dissipated += dissipated;
        if potential.is_none() {
            // The power of the force plus its heat is work from outside.
            rate.work += power + dissipated;
        }
    }
    Ok(())
}

/// Adds forces along joint coordinates to F: springs, friction, motors.
fn joint_forces(
    model: &Model,
    (j, joint): (usize, &ModelJoint),
    work: &mut Workspace,
    Evaluation { stage, response, .. }: Evaluation,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let (a, b) = (frame(&work.kinematics.motions, &joint.a), frame(&work.kinematics.motions, &joint.b));
    let relative = Relative::new(&a, &b);
    let mut coordinates = JointCoordinates::default();
    joint.kind.write_coordinates(&relative, &mut coordinates);
    let time = work.stages.stage.time;
    let push = |work: &mut Workspace, rate: &mut LedgerRate, k: usize, size: f64| {
        let on_b = relative.to_world(coordinates.direction[k].scaled(size));
        for (at, frame, wrench) in [(joint.b, b, on_b), (joint.a, a, relative.carried_to_a(on_b))] {
            rate.book_at(model, &work.kinematics.motions, &at, &frame, wrench);
            work.push(model, &at, frame.arm, wrench);
        }
    };
    let value_of = |work: &Workspace, k: usize| {
        crate::measure::coordinates::full_value(model, j, k, coordinates.value[k], &work.stages.stage.turns)
    };
    for spring in &joint.springs {
        let k = spring.coordinate;
        let speed = coordinates.rate[k];
        rate.dissipated += spring.damping * speed * speed;
        let size = spring.force(value_of(work, k), speed);
        push(work, rate, k, size);
    }
    for effort in &joint.efforts {
        let k = effort.coordinate;
        let speed = coordinates.rate[k];
        let EffortOutput { force, heat, is_work } = match response {
            ForceResponse::Velocity => effort.at_rest(model, j, &work.stages.stage, value_of(work, k)),
            ForceResponse::Acceleration => effort.at(model, j, &work.stages.stage, value_of(work, k), speed),
        };
        if !force.is_finite() {
            let (joint, law) = (joint.name.clone(), effort.name());
            return Err(StepError::LawNotFinite { joint, law, time, stage });
        }
        rate.dissipated += heat;
        if is_work {
            rate.work += force * speed;
        }
        push(work, rate, k, force);
    }
    Ok(())
}

//! Accumulate: poses from coordinates, then every force into F, and the mass matrices into M.

use crate::body::general::Motions;
use crate::body::{BodyKind, FrameMotion, Motion, Wrench};
use crate::force::ForceOutput;
use crate::joint::effort::EffortOutput;
use crate::joint::{JointCoordinates, Relative};
use crate::math::Vec3;
use crate::model::{Attachment, Model, ModelJoint};
use crate::state::State;
use crate::step::Workspace;
use crate::step::dynamics::multipliers::LedgerRate;
use crate::step_error::Stage;
use crate::step_error::StepError;

/// Motions that frames can be found by.
pub(crate) trait FrameSource {
    fn frame(&self, at: &Attachment) -> FrameMotion;
}

impl FrameSource for Motions {
    #[inline(always)]
    fn frame(&self, at: &Attachment) -> FrameMotion {
        Motions::frame(self, at)
    }
}

/// Where there are no general bodies, or none that matter: joint coordinates, inequalities.
impl FrameSource for [Motion] {
    #[inline(always)]
    fn frame(&self, at: &Attachment) -> FrameMotion {
        match at.body() {
            Some(i) => self[i].attach(&at.local),
            None => Motion::GROUND.attach(&at.local),
        }
    }
}

/// The kinematics of an attached frame.
#[inline]
pub(crate) fn frame(motions: &(impl FrameSource + ?Sized), at: &Attachment) -> FrameMotion {
    motions.frame(at)
}

/// Pose and velocity of every body of `work.stage`.
pub(crate) fn motions(model: &Model, work: &mut Workspace) {
    let Workspace { stage, motions, .. } = work;
    write_motions(model, stage, motions);
}

/// Velocities alone of every body of `work.next`; the poses are known.
pub(crate) fn write_rates(model: &Model, work: &mut Workspace) {
    let Workspace { next, motions, .. } = work;
    motions.write_general(model, next);
    for (body, out) in model.bodies.iter().zip(motions).filter(|(body, _)| body.general.is_none()) {
        let v = &next.v[body.v_range()];
        if let (BodyKind::Rigid, [vx, vy, vz, wx, wy, wz]) = (body.kind, v) {
            (out.vel, out.omega) = (Vec3::new(*vx, *vy, *vz), Vec3::new(*wx, *wy, *wz));
        } else {
            let at = body.kind.motion(&next.q[body.q_range()], v);
            (out.vel, out.omega) = (at.vel, at.omega);
        }
    }
}

/// Pose and velocity of every body of a state.
pub(crate) fn write_motions(model: &Model, state: &State, motions: &mut Motions) {
    motions.write_general(model, state);
    let (mut q, mut v, mut out) = (&state.q[..], &state.v[..], &mut motions[..]);
    for &(kind, count) in &model.runs {
        let (motions, rest) = out.split_at_mut(count);
        let (coordinates, further_q) = q.split_at(count * kind.coordinates());
        let (velocities, further_v) = v.split_at(count * kind.dim());
        kind.motions(coordinates, velocities, motions);
        (q, v, out) = (further_q, further_v, rest);
    }
}

/// M, and F = gyroscopic + gravity + forces + joint springs. Books energy and momentum rates.
pub(crate) fn accumulate_forces(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    work.open_system(model);
    for (i, body) in model.bodies.iter().enumerate() {
        if let Some(made) = &body.general {
            let Workspace { motions, system, stage, .. } = work;
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
        let at = work.motions[i];
        body.kind.mass_matrix(&body.mass, &at, work.system.mass_mut(body.block));
        body.kind.inertial_force(&body.mass, &at, work.system.force_of_mut(body.block));
        let weight = Wrench { force: model.gravity * body.mass.mass, torque: Vec3::ZERO };
        work.push_on_plain(model, i, Vec3::ZERO, weight);
        rate.book(body.kind, &at, Vec3::ZERO, weight);
    }
    forces(model, work, stage, rate)
}

/// Everything but gravity and gyroscopic terms, added to F.
pub(crate) fn forces(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    force_laws(model, work, stage, rate)?;
    for (j, joint) in model.joints.iter().enumerate() {
        if joint.has_forces() {
            joint_forces(model, j, joint, work, stage, rate)?;
        }
    }
    Ok(())
}

fn force_laws(
    model: &Model,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let time = work.stage.time;
    for force in &model.forces {
        let n = force.frames.len();
        for (k, at) in force.frames.iter().enumerate() {
            work.frames[k] = frame(&work.motions, at);
            work.wrenches[k] = Wrench::ZERO;
        }
        let mut out = ForceOutput { wrench: &mut work.wrenches[..n], potential: None, dissipated_power: 0.0 };
        force.kind.apply(time, &work.frames[..n], &mut out);
        let (potential, dissipated) = (out.potential, out.dissipated_power);
        if !(dissipated.is_finite() && potential.is_none_or(f64::is_finite)) {
            return Err(StepError::ForceNotFinite { force: force.name.clone(), time, stage });
        }

        let mut power = 0.0;
        for (k, at) in force.frames.iter().enumerate() {
            let (wrench, frame) = (work.wrenches[k], work.frames[k]);
            if !(wrench.force.is_finite() && wrench.torque.is_finite()) {
                return Err(StepError::ForceNotFinite { force: force.name.clone(), time, stage });
            }
            if at.body().is_none() {
                continue;
            }
            power += wrench.force.dot(frame.vel) + wrench.torque.dot(frame.omega);
            rate.book_at(model, &work.motions, at, &frame, wrench);
            work.push(model, at, frame.arm, wrench);
        }
        rate.dissipated += dissipated;
        if potential.is_none() {
            // What the force does beyond the heat it makes is work put in from outside.
            rate.work += power + dissipated;
        }
    }
    Ok(())
}

/// Springs, friction, motors: forces along joint coordinates.
fn joint_forces(
    model: &Model,
    j: usize,
    joint: &ModelJoint,
    work: &mut Workspace,
    stage: Stage,
    rate: &mut LedgerRate,
) -> Result<(), StepError> {
    let (a, b) = (frame(&work.motions, &joint.a), frame(&work.motions, &joint.b));
    let relative = Relative::new(&a, &b);
    let mut coordinates = JointCoordinates::default();
    joint.kind.write_coordinates(&relative, &mut coordinates);
    let time = work.stage.time;
    let push = |work: &mut Workspace, rate: &mut LedgerRate, k: usize, size: f64| {
        let on_b = relative.to_world(coordinates.direction[k].scaled(size));
        for (at, frame, wrench) in [(joint.b, b, on_b), (joint.a, a, relative.carried_to_a(on_b))] {
            rate.book_at(model, &work.motions, &at, &frame, wrench);
            work.push(model, &at, frame.arm, wrench);
        }
    };
    let value_of = |work: &Workspace, k: usize| {
        crate::measure::coordinates::full_value(model, j, k, coordinates.value[k], &work.stage.turns)
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
        let EffortOutput { force, heat, is_work } = match work.solves_velocities {
            true => effort.at_rest(&work.stage, value_of(work, k)),
            false => effort.at(&work.stage, value_of(work, k), speed),
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

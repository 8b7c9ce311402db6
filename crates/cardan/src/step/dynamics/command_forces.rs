//! Forces of commands: efforts along joint coordinates, efforts of floating bodies, and wrenches at
//! centres of mass. All are booked as work.

use crate::body::{Frame, FrameMotion, Wrench};
use crate::joint::{ClosedForm, JointCoordinates, MAX_COORDINATES, Relative};
use crate::joint_space::Commands;
use crate::math::Vec3;
use crate::model::{Attachment, Model, ModelJoint};
use crate::step::dynamics::kinematics::frame;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::workspace::Workspace;

/// A unit effort along each freedom of a joint: rates, and wrenches on b in a's axes.
pub(crate) struct JointAxes {
    pub(crate) relative: Relative,
    /// Rates of the freedoms.
    pub(crate) rate: [f64; MAX_COORDINATES],
    /// Wrench on b of a unit effort, in a's axes, at b's frame.
    pub(crate) direction: [Wrench; MAX_COORDINATES],
}

impl JointAxes {
    /// The freedoms of a joint; `mix` is that of its entry in the joint order.
    pub(crate) fn new(
        model: &Model,
        motions: &crate::body::general::Motions,
        joint: usize,
        mix: Option<[f64; 3]>,
    ) -> Self {
        let joint = &model.joints[joint];
        JointAxes::between(joint, &frame(motions, &joint.a), &frame(motions, &joint.b), mix)
    }

    /// The freedoms of a joint between two frames.
    pub(crate) fn between(
        joint: &ModelJoint,
        a: &FrameMotion,
        b: &FrameMotion,
        mix: Option<[f64; 3]>,
    ) -> Self {
        let relative = Relative::new(a, b);
        let mut all = JointCoordinates::default();
        if mix.is_none() && joint.kind.about().closed_form == ClosedForm::Revolute {
            // Its coordinates without the angle, which costs more than all the rest.
            let torque = relative.turn * Vec3::Z;
            all.rate[0] = relative.spin.dot(torque);
            all.direction[0] = Wrench { force: Vec3::ZERO, torque };
        } else {
            joint.kind.write_coordinates(&relative, &mut all);
        }
        let (mut rate, mut direction) = (all.rate, all.direction);
        if let Some(mix) = mix {
            (rate[0], direction[0]) = (0.0, Wrench::ZERO);
            for (k, part) in mix.into_iter().enumerate() {
                rate[0] += part * all.rate[k];
                direction[0] = direction[0] + all.direction[k].scaled(part);
            }
        }
        JointAxes { relative, rate, direction }
    }
}

/// Adds the forces of all commands of the stage to F. With `is_step` the joints whose efforts are taken at
/// the end of a step (`joint_efforts.rs`) are left out.
pub(crate) fn add_commands(model: &Model, work: &mut Workspace, is_step: bool, rate: &mut LedgerRate) {
    let Some(commands) = work.stages.stage.commands.take() else { return };
    if !commands.efforts().is_empty() {
        add_efforts(model, &commands, work, is_step, rate);
    }
    for (body, wrench) in commands.wrenches().iter().enumerate() {
        if *wrench != Wrench::ZERO {
            push_at_center(model, body, *wrench, work, rate);
        }
    }
    work.stages.stage.commands = Some(commands);
}

/// Adds a wrench at the centre of mass of a body that is not general.
fn push_at_center(model: &Model, body: usize, wrench: Wrench, work: &mut Workspace, rate: &mut LedgerRate) {
    let at = Attachment::new(Some(body), Frame::default());
    let here = frame(&work.kinematics.motions, &at);
    rate.work += wrench.force.dot(here.vel) + wrench.torque.dot(here.omega);
    rate.book_at(model, &work.kinematics.motions, &at, &here, wrench);
    work.push(model, &at, here.arm, wrench);
}

fn add_efforts(
    model: &Model,
    commands: &Commands,
    work: &mut Workspace,
    is_step: bool,
    rate: &mut LedgerRate,
) {
    let (order, efforts) = (model.joint_order(), commands.efforts());
    for entry in order.entries() {
        let sizes = &efforts[entry.rates.clone()];
        if sizes.iter().all(|size| *size == 0.0) {
            continue;
        }
        match entry.joint {
            Some(joint)
                if is_step && work.solvers.joint_efforts.as_ref().is_some_and(|all| all.has(joint)) => {}
            Some(joint) => push_along(model, joint, (sizes, entry.mix), work, rate),
            // Velocities of a body are dual to the force and torque at its centre of mass.
            None => {
                let wrench = model.bodies[entry.body].kind.as_wrench(sizes);
                push_at_center(model, entry.body, wrench, work, rate);
            }
        }
    }
    if efforts.len() == order.rate_count() {
        return;
    }
    for joint in 0..model.joints.len() {
        let range = order.efforts_of(joint);
        if range.start >= order.rate_count() && efforts[range.clone()].iter().any(|size| *size != 0.0) {
            push_along(model, joint, (&efforts[range], None), work, rate);
        }
    }
}

/// Adds efforts along the freedoms of a joint: on b, and the opposite on a.
fn push_along(
    model: &Model,
    joint: usize,
    (sizes, mix): (&[f64], Option<[f64; 3]>),
    work: &mut Workspace,
    rate: &mut LedgerRate,
) {
    let axes = JointAxes::new(model, &work.kinematics.motions, joint, mix);
    let mut sum = Wrench::ZERO;
    for (k, size) in sizes.iter().enumerate() {
        sum = sum + axes.direction[k].scaled(*size);
        rate.work += size * axes.rate[k];
    }
    let joint = &model.joints[joint];
    let on_b = axes.relative.to_world(sum);
    for (at, wrench) in [(joint.b, on_b), (joint.a, axes.relative.carried_to_a(on_b))] {
        let here = frame(&work.kinematics.motions, &at);
        rate.book_at(model, &work.kinematics.motions, &at, &here, wrench);
        work.push(model, &at, here.arm, wrench);
    }
}

/// Power of the commands of the stage at the motions of `work` \[W\], for f = m v.
pub(crate) fn command_power(model: &Model, work: &Workspace) -> f64 {
    let Some(commands) = &work.stages.stage.commands else { return 0.0 };
    let (order, efforts) = (model.joint_order(), commands.efforts());
    let motions = &work.kinematics.motions;
    let power_at = |body: usize, wrench: Wrench| {
        wrench.force.dot(motions[body].vel) + wrench.torque.dot(motions[body].omega)
    };
    let mut power = 0.0;
    for (body, wrench) in commands.wrenches().iter().enumerate() {
        power += power_at(body, *wrench);
    }
    if efforts.is_empty() {
        return power;
    }
    for entry in order.entries().iter().filter(|entry| entry.joint.is_none()) {
        power += power_at(entry.body, model.bodies[entry.body].kind.as_wrench(&efforts[entry.rates.clone()]));
    }
    for joint in 0..model.joints.len() {
        let mix = order.joint_at(joint).and_then(|entry| entry.mix);
        let axes = JointAxes::new(model, motions, joint, mix);
        let sizes = &efforts[order.efforts_of(joint)];
        power += sizes.iter().zip(axes.rate).map(|(size, rate)| size * rate).sum::<f64>();
    }
    power
}

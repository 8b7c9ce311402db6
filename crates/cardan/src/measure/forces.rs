//! Forces at one instant, as an engineer reads them, and accelerations of joint coordinates.
//!
//! ```text
//! pull f along n = d/ℓ:   f = −n·F_b,   ℓ̇ = n·ḋ          power P = Σ (F·v + τ·ω) over the frames
//! s̈ = G·(d̈, ẇ) + h                                      G, h: the row of the coordinate
//! ```

use super::Instant;
use crate::body::{FrameMotion, Wrench};
use crate::force::{ForceKind, ForceOutput};
use crate::joint::MAX_COORDINATES;
use crate::math::Vec3;
use crate::model::{ForceId, JointId, Model, ShapeId};
use crate::step::frame;

/// A force of a model at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceReport {
    /// Where each frame is \[m\], and the wrench of the law on its body there, world axes \[N, N·m\].
    pub loads: Vec<(Vec3, Wrench)>,
    /// Power that the force puts into the bodies \[W\]: negative while a spring is being stretched.
    pub power: f64,
    /// Of a force along the line between two points.
    pub along: Option<AlongLine>,
    /// Of a torsional spring.
    pub twist: Option<Twist>,
}

/// A force along the line between two points.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct AlongLine {
    /// Distance of the points \[m\].
    pub length: f64,
    /// Its rate \[m/s\].
    pub rate: f64,
    /// The force \[N\]: positive where it pulls the points together.
    pub force: f64,
}

/// A torque between two frames.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Twist {
    /// Angle between the frames \[rad\]: about the axis, where there is one, less the rest angle.
    pub angle: f64,
    /// Its rate \[rad/s\].
    pub rate: f64,
    /// The torque on b that opens the angle \[N·m\].
    pub torque: f64,
}

impl Instant<'_> {
    /// Length, rate, force and power of a force. For an unknown id lists are empty and the power is NaN.
    pub fn force(&self, id: ForceId) -> ForceReport {
        let nothing = ForceReport { loads: Vec::new(), power: f64::NAN, along: None, twist: None };
        let Some(force) = self.model.force(id) else { return nothing };
        let frames: Vec<FrameMotion> =
            force.frames.iter().map(|at| frame(&self.work.kinematics.motions, at)).collect();
        let mut seen = frames.clone();
        if self.work.integrator.is_first_order {
            // Forces that depend on velocity are absent with f = m v.
            seen.iter_mut().for_each(|at| (at.vel, at.omega) = (Vec3::ZERO, Vec3::ZERO));
        }
        let mut wrench = vec![Wrench::ZERO; frames.len()];
        let mut out = ForceOutput { wrench: &mut wrench, potential: None, dissipated_power: 0.0 };
        force.kind.apply(self.state.time, &seen, &mut out);
        let power =
            frames.iter().zip(&wrench).map(|(at, w)| w.force.dot(at.vel) + w.torque.dot(at.omega)).sum();
        ForceReport {
            along: along(&force.kind, &frames, &wrench),
            twist: twist(&force.kind, &frames, &wrench),
            loads: frames.iter().map(|at| at.pos).zip(wrench).collect(),
            power,
        }
    }

    /// Second derivatives of the coordinates of a joint \[m/s² or rad/s²\]; NaN for an unknown id, and with f = m v.
    pub fn joint_accelerations(&self, id: JointId) -> [f64; MAX_COORDINATES] {
        let mut out = [f64::NAN; MAX_COORDINATES];
        let Some(index) = self.model.index_of(id).filter(|&i| i < self.model.joints.len()) else {
            return out;
        };
        if self.work.integrator.is_first_order {
            return out;
        }
        let joint = &self.model.joints[index];
        let relative = self.work.relative(self.model, index);
        for (k, out) in out.iter_mut().enumerate().take(joint.kind.coordinates()) {
            let row = joint.kind.coordinate_row(k, &relative);
            let g = row.gradient;
            let bias = g.force.dot(relative.bias) + g.torque.dot(relative.bias_spin) + row.velocity_term;
            let on_b = relative.to_world(g);
            let ends = [(&joint.b, on_b), (&joint.a, relative.carried_to_a(on_b))];
            *out = bias;
            for (at, wrench) in ends {
                let Some(body) = at.body().map(|body| &self.model.bodies[body]) else { continue };
                let motions = &self.work.kinematics.motions;
                let mut part = vec![0.0; body.v_range().len()];
                motions.pull_back(self.model, at, frame(motions, at).arm, wrench, &mut part);
                let acc = &self.work.equations.acc[body.v_range()];
                *out += part.iter().zip(acc).map(|(g, a)| g * a).sum::<f64>();
            }
        }
        out
    }
}

/// What springs and friction of a joint exert along its coordinates, on b \[N or N·m\].
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct PassiveEfforts {
    /// Springs and dampers.
    pub springs: [f64; MAX_COORDINATES],
    /// Friction.
    pub friction: [f64; MAX_COORDINATES],
}

impl Instant<'_> {
    /// Springs, dampers and friction along the coordinates of a joint; zeros for an unknown id.
    pub fn passive_efforts(&self, id: JointId) -> PassiveEfforts {
        let mut out = PassiveEfforts::default();
        let Some(index) = self.model.index_of(id).filter(|&i| i < self.model.joints.len()) else {
            return out;
        };
        let (joint, at) = (&self.model.joints[index], self.joint_at(index));
        let is_first_order = self.work.integrator.is_first_order;
        let rate = |k: usize| if is_first_order { 0.0 } else { at.rates[k] };
        for spring in &joint.springs {
            let k = spring.coordinate;
            let part = if spring.is_friction { &mut out.friction } else { &mut out.springs };
            part[k] += spring.force(at.coordinates[k], rate(k));
        }
        for effort in joint.efforts.iter().filter(|effort| !effort.is_active()) {
            let k = effort.coordinate;
            let part = if effort.is_friction() { &mut out.friction } else { &mut out.springs };
            part[k] += effort.at(self.model, index, self.state, at.coordinates[k], rate(k)).force;
        }
        for (i, friction) in self.model.frictions.iter().enumerate().filter(|(_, f)| f.joint.index() == index)
        {
            let contacts = self.work.contact.contacts.as_ref();
            out.friction[friction.coordinate] +=
                contacts.map_or(0.0, |contacts| contacts.joint_friction_force(i));
        }
        out
    }
}

impl Model {
    /// Whether springs, and whether friction, push along coordinate `k` of a joint.
    pub fn has_passive_efforts(&self, id: JointId, k: usize) -> [bool; 2] {
        let Some(joint) = self.joint(id) else { return [false; 2] };
        let springs = joint.springs.iter().filter(|spring| spring.coordinate == k);
        let efforts = joint.efforts.iter().filter(|effort| effort.coordinate == k && !effort.is_active());
        let mut found = [false; 2];
        springs.for_each(|spring| found[usize::from(spring.is_friction)] = true);
        efforts.for_each(|effort| found[usize::from(effort.is_friction())] = true);
        found[1] |=
            self.frictions.iter().any(|f| Some(f.joint.index()) == self.index_of(id) && f.coordinate == k);
        found
    }
    /// Whether contact between two shapes is possible: they are on different bodies, and no rule or joint parts them.
    pub fn shapes_may_touch(&self, a: ShapeId, b: ShapeId) -> bool {
        let count = self.contacts.shapes.len();
        match (self.index_of(a), self.index_of(b)) {
            (Some(a), Some(b)) if a < count && b < count => !self.contacts.skips(a as u32, b as u32),
            _ => false,
        }
    }
}

fn along(kind: &ForceKind, frames: &[FrameMotion], wrench: &[Wrench]) -> Option<AlongLine> {
    match kind {
        ForceKind::Spring(_) | ForceKind::CurveSpring(_) | ForceKind::GravityPoint(_) => {}
        _ => return None,
    }
    let ([a, b], [_, on_b]) = (frames, wrench) else { return None };
    let d = b.pos - a.pos;
    let length = d.norm();
    let n = if length > 0.0 { d / length } else { Vec3::ZERO };
    Some(AlongLine { length, rate: n.dot(b.vel - a.vel), force: -n.dot(on_b.force) })
}

fn twist(kind: &ForceKind, frames: &[FrameMotion], wrench: &[Wrench]) -> Option<Twist> {
    let (ForceKind::Torsion(law), [a, b], [_, on_b]) = (kind, frames, wrench) else { return None };
    let (turn, spin) = (a.rot.inverse() * b.rot, b.omega - a.omega);
    if law.about_axis {
        let (z, zb) = (a.rot * Vec3::Z, b.rot * Vec3::Z);
        let gradient = (z + zb) / (1.0 + z.dot(zb));
        let size = gradient.dot(gradient);
        let angle = turn.twist_angle(Vec3::Z) - law.rest;
        // The torque is a multiple of the gradient.
        return Some(Twist { angle, rate: gradient.dot(spin), torque: on_b.torque.dot(gradient) / size });
    }
    let rotation = a.rot * turn.log();
    let angle = rotation.norm();
    let axis = if angle > 0.0 { rotation / angle } else { Vec3::ZERO };
    Some(Twist { angle, rate: axis.dot(spin), torque: on_b.torque.dot(axis) })
}

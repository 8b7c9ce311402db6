//! Kinematics: poses and velocities of bodies, attached frames, and displacements on the manifold.
//!
//!   q ⊕ u             coordinates after the displacement u, a vector in velocity space
//!   u̇ = dexp⁻¹_u(v)   rate of u at the velocity v

use crate::body::general::Motions;
use crate::body::{BodyKind, FrameMotion, Motion};
use crate::math::Vec3;
use crate::model::{Attachment, Model};
use crate::state::State;
use crate::step::Workspace;
use crate::step::workspace::{Kinematics, StageBuffers};

/// Motions of bodies, from which frames are computed.
pub(crate) trait FrameSource {
    /// Motion of an attached frame.
    fn frame(&self, at: &Attachment) -> FrameMotion;
}

impl FrameSource for Motions {
    #[inline(always)]
    fn frame(&self, at: &Attachment) -> FrameMotion {
        Motions::frame(self, at)
    }
}

/// For bodies without generalised coordinates: joint coordinates, inequalities.
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

/// Pose and velocity of every body of `work.stages.stage`.
pub(crate) fn motions(model: &Model, work: &mut Workspace) {
    let Workspace { stages: StageBuffers { stage, .. }, kinematics: Kinematics { motions, .. }, .. } = work;
    write_motions(model, stage, motions);
}

/// Velocities of every body of `work.stages.next`; the poses are known.
pub(crate) fn write_rates(model: &Model, work: &mut Workspace) {
    let Workspace { stages: StageBuffers { next, .. }, kinematics: Kinematics { motions, .. }, .. } = work;
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

/// Pose and velocity of every body of `state`, in the workspace.
pub(crate) fn refresh_motions(model: &Model, state: &State, work: &mut Workspace) {
    write_motions(model, state, &mut work.kinematics.motions);
}

/// out = q ⊕ u, body by body.
pub(crate) fn advance(model: &Model, q: &[f64], u: &[f64], out: &mut [f64]) {
    for body in &model.bodies {
        let range = body.q_range();
        body.kind.advance(&q[range.clone()], &u[body.v_range()], &mut out[range]);
    }
}

/// out = dexp⁻¹_u(v), body by body.
pub(crate) fn chart_rates(model: &Model, u: &[f64], v: &[f64], out: &mut [f64]) {
    for body in &model.bodies {
        let range = body.v_range();
        body.kind.chart_rate(&u[range.clone()], &v[range.clone()], &mut out[range]);
    }
}

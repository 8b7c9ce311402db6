//! Momentum, about the world's origin.

use crate::math::Vec3;
use crate::model::Model;
use crate::state::State;
use crate::step::{Workspace, refresh_motions};

/// Momentum of a state.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Σ m v [kg·m/s].
    pub linear: Vec3,
    /// Σ x × m v + I ω, about the world's origin [kg·m²/s].
    pub angular: Vec3,
}

/// Momentum of a state; uses the workspace as scratch.
pub(crate) fn measure(model: &Model, state: &State, work: &mut Workspace) -> Momentum {
    refresh_motions(model, state, work);
    let mut sum = Momentum::default();
    for (body, at) in model.bodies.iter().zip(&work.motions) {
        let linear = at.vel * body.mass.mass;
        let spin = at.axes * (body.mass.inertia * at.axes.transpose_mul(at.omega));
        sum.linear += linear;
        sum.angular += at.pos.cross(linear) + spin;
    }
    sum
}

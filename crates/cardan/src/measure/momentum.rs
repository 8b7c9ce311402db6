//! Momentum, and angular momentum about the world's origin.

use crate::body::Motion;
use crate::body::general::{GeneralMotion, Motions};
use crate::math::{Vec3, vec3};
use crate::model::{Model, ModelBody};
use crate::state::State;
use crate::step::{Workspace, refresh_motions};

/// Momentum of a state.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Σ m v \[kg·m/s\].
    pub linear: Vec3,
    /// Σ x × m v + I ω, about the world's origin \[kg·m²/s\].
    pub angular: Vec3,
}

/// Momentum of a state; the workspace is used as working memory.
pub(crate) fn measure(model: &Model, state: &State, work: &mut Workspace) -> Momentum {
    refresh_motions(model, state, work);
    of_motions(model, &work.kinematics.motions)
}

/// Momentum from motions.
fn of_motions(model: &Model, motions: &Motions) -> Momentum {
    let mut sum = Momentum::default();
    for (i, (body, at)) in model.bodies.iter().zip(motions).enumerate() {
        match motions.general(i) {
            Some(general) => sum.add_general(general),
            None => sum.add(body, at, body.mass.inertia * at.axes.transpose_mul(at.omega)),
        }
    }
    sum
}

impl Momentum {
    /// Adds the momentum of a general body.
    pub(super) fn add_general(&mut self, general: &GeneralMotion) {
        let (linear, angular) = general.momentum();
        self.linear += linear;
        self.angular += angular;
    }

    /// Adds the momentum of a body; `turning` is I ω in body axes.
    #[inline(always)]
    pub(super) fn add(&mut self, body: &ModelBody, at: &Motion, turning: Vec3) {
        let linear = at.vel * body.mass.mass;
        // A planar body cannot tilt: the plane takes the moments of its products of inertia.
        let spin = if body.kind.is_planar() {
            vec3(0.0, 0.0, body.mass.inertia.zz * at.omega.z)
        } else {
            at.axes * turning
        };
        self.linear += linear;
        self.angular += at.pos.cross(linear) + spin;
    }
}

//! Constant-velocity joint (Rzeppa, tripod): two shafts meet in a point and turn at equal speeds,
//! at any angle between them.
//!
//!   C = (d, ψ)         d: b's origin seen from a, ψ: the twist of b's frame about z, zero where x_a·y_b = y_a·x_b
//!
//!   ψ̇ = w·(z_a + z)/(1 + z_z)          z: b's axis seen from a, w: b's spin seen from a, a's axes
//!
//! Four rows. The twist is locked about the bisector of the two shafts, so that their speeds agree:
//! the part of w = ω_b z − ω_a z_a along z_a + z is (ω_b − ω_a)(1 + z_z). A universal joint locks
//! the turn about z_a × x_b, and its speeds agree only twice a turn. The angle between the shafts
//! may be anything below a half turn.

use super::{Constraint, ConstraintRows};
use crate::body::{FrameMotion, Wrench};
use crate::joint::Relative;
use crate::joint::drive::twist;
use crate::math::Vec3;

/// Origins coincide, and the second frame has no twist about the common axis.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantVelocity;

impl Constraint for ConstantVelocity {
    fn kind(&self) -> &'static str {
        "constant-velocity"
    }

    fn rows(&self) -> usize {
        4
    }

    fn needs_orientation(&self, _end: usize) -> bool {
        true
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        // The engine adds the frames' accelerations at zero generalised acceleration through the
        // gradient.
        let still = |f: &FrameMotion| FrameMotion { bias: Vec3::ZERO, bias_omega: Vec3::ZERO, ..*f };
        let at = Relative::new(&still(&frames[0]), &still(&frames[1]));
        let twist = twist(&at);
        for (r, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            out.err[r] = at.shift[r];
            out.scale[r] = at.reach;
            write(out, &at, r, Wrench { force: e, torque: Vec3::ZERO }, 0.0);
        }
        out.err[3] = twist.value;
        write(out, &at, 3, twist.gradient, twist.velocity_term);
    }
}

/// Writes a row from its gradient seen from a.
fn write(out: &mut ConstraintRows<'_>, at: &Relative, r: usize, g: Wrench, velocity_term: f64) {
    let on_b = at.to_world(g);
    out.jac_dot_v[r] = g.force.dot(at.bias) + g.torque.dot(at.bias_spin) + velocity_term;
    *out.gradient(r, 0) = at.carried_to_a(on_b);
    *out.gradient(r, 1) = on_b;
}

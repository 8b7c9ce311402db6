//! Knife edge (a skate, a thin wheel seen from above): the contact point does not slip sideways.
//!
//!   s·u = 0        u = ṗ_b − ṗ_a − ω_a × d        d = p_b − p_a        s = R_b e_y
//!
//!   g_b = s        g_a = −s        h_a = −d × s
//!   rest = ṡ·u − s·(ω_a × ḋ)                       ṡ = ω_b × s
//!
//! One row, on velocities only. The edge runs along x of b's frame, y is sideways, and z should
//! stay normal to the surface; another joint keeps the edge on the surface. Between planar bodies z
//! is the normal of the plane.

use super::{Constraint, ConstraintRows};
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;

/// No slip along y of the second frame, seen from the first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct KnifeEdge;

impl Constraint for KnifeEdge {
    fn kind(&self) -> &'static str {
        "knife-edge"
    }

    fn rows(&self) -> usize {
        1
    }

    fn has_position(&self, _row: usize) -> bool {
        false
    }

    fn needs_orientation(&self, end: usize) -> bool {
        end == 1
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (a, b) = (&frames[0], &frames[1]);
        let side = b.rot * Vec3::Y;
        let (offset, rate) = (b.pos - a.pos, b.vel - a.vel);
        let slip = rate - a.omega.cross(offset);
        out.jac_dot_v[0] = b.omega.cross(side).dot(slip) - side.dot(a.omega.cross(rate));
        *out.gradient(0, 0) = Wrench { force: -side, torque: -offset.cross(side) };
        *out.gradient(0, 1) = Wrench { force: side, torque: Vec3::ZERO };
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        // Drawn half as long as its arm, or 0.1 m.
        let b = &frames[1];
        let arm = b.arm.norm();
        let half = b.rot * Vec3::X * (0.25 * if arm > 0.0 { arm } else { 0.2 });
        vec![vec![b.pos - half, b.pos + half]]
    }
}

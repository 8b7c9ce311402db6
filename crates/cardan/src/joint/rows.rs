//! Rows of a joint, and the elementary constraints that joint kinds are composed of.
//!
//!   C(d, q)        Ċ = G·(ḋ, w) + ∂C/∂t        C̈ = G·(d̈, ẇ) + h
//!
//! d: shift, q: turn, ḋ: rate, w: spin of b's frame seen from a's (`relative.rs`).

use super::{MAX_ROWS, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

/// The rows of one joint at one instant, in a's axes.
#[derive(Copy, Clone, Debug)]
pub struct JointRows {
    /// Number of rows.
    pub count: usize,
    /// C \[m or rad\].
    pub err: [f64; MAX_ROWS],
    /// G: translational part as `force`, rotational part as `torque`.
    pub gradient: [Wrench; MAX_ROWS],
    /// h: the part of C̈ that is quadratic in velocities, at d̈ = 0 and ẇ = 0.
    pub velocity_term: [f64; MAX_ROWS],
    /// ∂C/∂t; not zero for a drive only.
    pub rates: [f64; MAX_ROWS],
    /// Size of the numbers that formed C: its rounding is proportional to it.
    pub scale: [f64; MAX_ROWS],
}

impl Default for JointRows {
    fn default() -> Self {
        JointRows {
            count: 0,
            err: [0.0; MAX_ROWS],
            gradient: [Wrench::ZERO; MAX_ROWS],
            velocity_term: [0.0; MAX_ROWS],
            rates: [0.0; MAX_ROWS],
            scale: [0.0; MAX_ROWS],
        }
    }
}

impl JointRows {
    #[inline]
    pub(super) fn push(&mut self, err: f64, gradient: Wrench, velocity_term: f64, scale: f64) {
        let r = self.count;
        self.err[r] = err;
        self.gradient[r] = gradient;
        self.velocity_term[r] = velocity_term;
        self.scale[r] = scale;
        self.count = r + 1;
    }

    /// Locks the shift along a direction `e` of a's frame: C = e·d.
    #[inline]
    pub(crate) fn lock_shift(&mut self, at: &Relative, e: Vec3) {
        self.push(e.dot(at.shift), Wrench { force: e, torque: Vec3::ZERO }, 0.0, at.reach);
    }

    /// Locks the turn about a direction `e` of a's frame: C = 2 e·q_v, so that Ċ = e·w where it is
    /// closed.
    ///
    ///   2 q̇_v = q_w w + w × q_v        G = q_w e + q_v × e        h = −½ |w|² e·q_v
    #[inline]
    pub(crate) fn lock_turn(&mut self, at: &Relative, e: Vec3) {
        let q = at.turn;
        let gradient = Wrench { force: Vec3::ZERO, torque: e * q.w + q.v.cross(e) };
        self.push(2.0 * e.dot(q.v), gradient, -0.5 * at.spin.dot(at.spin) * e.dot(q.v), 1.0);
    }

    /// Keeps b's z axis on a's: C = (−z_y, z_x) with z = b's axis seen from a, so that Ċ = (w_x,
    /// w_y) where closed.
    ///
    ///   ż = w × z        G₁ = (z_z, 0, −z_x)        G₂ = (0, z_z, −z_y)        h from w × (w × z)
    #[inline]
    pub(crate) fn lock_axis(&mut self, at: &Relative) {
        let z = at.turn * Vec3::Z;
        let curve = at.spin.cross(at.spin.cross(z));
        let first = Wrench { force: Vec3::ZERO, torque: Vec3::new(z.z, 0.0, -z.x) };
        let second = Wrench { force: Vec3::ZERO, torque: Vec3::new(0.0, z.z, -z.y) };
        self.push(-z.y, first, -curve.y, 1.0);
        self.push(z.x, second, curve.x, 1.0);
    }

    /// Keeps b's z axis from tilting about a direction `e` ⟂ z of a's frame: C = e·(z_a × z_b), one
    /// row of [`JointRows::lock_axis`] or a combination of both.
    ///
    ///   G = z_z e − (e·z) e_z        h = e·(e_z × (w × (w × z)))        z: b's axis seen from a
    #[inline]
    pub(crate) fn lock_tilt(&mut self, at: &Relative, e: Vec3) {
        let z = at.turn * Vec3::Z;
        let curve = at.spin.cross(at.spin.cross(z));
        let gradient = Wrench { force: Vec3::ZERO, torque: e * z.z - Vec3::Z * e.dot(z) };
        self.push(e.dot(Vec3::Z.cross(z)), gradient, e.dot(Vec3::Z.cross(curve)), 1.0);
    }

    /// Keeps b's x axis perpendicular to a's z axis: C = −z_a·x_b, so that Ċ = w·n with n = z_a ×
    /// x_b.
    ///
    ///   G = n = (−x_y, x_x, 0)        h = −e_z·(w × (w × x))        x: b's x axis seen from a
    #[inline]
    pub(crate) fn lock_cross(&mut self, at: &Relative) {
        let x = at.turn * Vec3::X;
        let curve = at.spin.cross(at.spin.cross(x));
        self.push(-x.z, Wrench { force: Vec3::ZERO, torque: at.cross_axis() }, -curve.z, 1.0);
    }

    /// J̇v: G·(bias of d̈, bias of ẇ) + h, which is C̈ at zero generalised acceleration.
    #[inline]
    pub fn jac_dot_v(&self, r: usize, at: &Relative) -> f64 {
        let g = &self.gradient[r];
        g.force.dot(at.bias) + g.torque.dot(at.bias_spin) + self.velocity_term[r]
    }

    /// Ċ = G·(ḋ, w) + ∂C/∂t.
    #[inline]
    pub fn err_rate(&self, r: usize, at: &Relative) -> f64 {
        let g = &self.gradient[r];
        g.force.dot(at.rate) + g.torque.dot(at.spin) + self.rates[r]
    }
}

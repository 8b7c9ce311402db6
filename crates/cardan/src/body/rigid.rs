//! Rigid body in space: centre of mass and unit quaternion; velocity (v, ω) in world axes, linear
//! first.
//!
//!   M  = diag(m I₃, R I_body Rᵀ)
//!   F  = (0, −ω × (R I_body Rᵀ) ω)            gyroscopic
//!   q ⊕ (δ, θ) = (x + δ, exp(θ) q)            θ in world axes
//!   θ̇  = dexp⁻¹_θ(ω) = ω − ½ θ×ω + 1/12 θ×(θ×ω) + O(|θ|⁴)
//!
//! The unknown is ω̇, never q̈ (Tasora §4.2, the α–ω space), so a body has 6 rows and no norm
//! condition.

use super::{Body, MassProperties, Motion, Wrench};
use crate::math::{Quat, Vec3, vec3};

#[inline]
fn quat(q: &[f64]) -> Quat {
    Quat { w: q[3], v: vec3(q[4], q[5], q[6]) }
}
#[inline]
fn write(q: &mut [f64], pos: Vec3, rot: Quat) {
    q.copy_from_slice(&[pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z]);
}

pub(super) fn initial(body: &Body, q: &mut [f64], v: &mut [f64]) {
    write(q, body.center_of_mass(), body.rot.renormalized());
    // Zeros are skipped: they are there already, so that pages of memory of many bodies at rest
    // stay untouched.
    for (v, x) in v.iter_mut().zip(body.vel.to_array().into_iter().chain(body.omega.to_array())) {
        if v.to_bits() != x.to_bits() {
            *v = x;
        }
    }
}
#[inline]
pub(super) fn motion(q: &[f64], v: &[f64]) -> Motion {
    let rot = quat(q);
    Motion {
        pos: vec3(q[0], q[1], q[2]),
        rot,
        axes: rot.matrix(),
        vel: vec3(v[0], v[1], v[2]),
        omega: vec3(v[3], v[4], v[5]),
    }
}
/// Motion from coordinates and velocities, in place of another motion. If the orientation is
/// unchanged the axes are reused.
#[inline(always)]
pub(super) fn update(q: &[f64; 7], v: &[f64; 6], out: &mut Motion) {
    let Motion { pos, rot, .. } = out;
    let at = [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z];
    if q.iter().zip(&at).fold(0, |all, (a, b)| all | (a.to_bits() ^ b.to_bits())) == 0 {
        (out.vel, out.omega) = (vec3(v[0], v[1], v[2]), vec3(v[3], v[4], v[5]));
    } else {
        *out = motion(q, v);
    }
}
#[inline]
pub(super) fn mass_matrix(mass: &MassProperties, at: &Motion, out: &mut [f64]) {
    let m = mass.mass;
    let i = mass.inertia.rotated(&at.axes);
    out.copy_from_slice(&[
        m, 0.0, m, 0.0, 0.0, m, //
        0.0, 0.0, 0.0, i.xx, //
        0.0, 0.0, 0.0, i.xy, i.yy, //
        0.0, 0.0, 0.0, i.xz, i.yz, i.zz,
    ]);
}
#[inline]
pub(super) fn inertial_force(mass: &MassProperties, at: &Motion, out: &mut [f64]) {
    // −ω × I ω, formed in the body frame where I is constant.
    let w = at.axes.transpose_mul(at.omega);
    let gyroscopic = at.axes * (mass.inertia * w).cross(w);
    out[..3].fill(0.0);
    out[3..].copy_from_slice(&gyroscopic.to_array());
}
#[inline]
pub(super) fn pull_back(arm: Vec3, wrench: Wrench, out: &mut [f64]) {
    let turn = wrench.torque + arm.cross(wrench.force);
    out[..3].copy_from_slice(&wrench.force.to_array());
    out[3..].copy_from_slice(&turn.to_array());
}
#[inline]
pub(super) fn push_forward(arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
    let omega = vec3(v[3], v[4], v[5]);
    (vec3(v[0], v[1], v[2]) + omega.cross(arm), omega)
}
#[inline]
pub(super) fn advance(q: &[f64], u: &[f64], out: &mut [f64]) {
    let pos = vec3(q[0] + u[0], q[1] + u[1], q[2] + u[2]);
    let rot = (Quat::exp(vec3(u[3], u[4], u[5])) * quat(q)).renormalized();
    write(out, pos, rot);
}
#[inline]
pub(super) fn chart_rate(u: &[f64], v: &[f64], out: &mut [f64]) {
    let (theta, omega) = (vec3(u[3], u[4], u[5]), vec3(v[3], v[4], v[5]));
    let once = theta.cross(omega);
    let rate = omega - once * 0.5 + theta.cross(once) * (1.0 / 12.0);
    out[..3].copy_from_slice(&v[..3]);
    out[3..].copy_from_slice(&rate.to_array());
}
/// dexp⁻¹ without truncation of the factor f:
///
///   dexp⁻¹_θ(ω) = ω − ½ θ×ω + f(|θ|) θ×(θ×ω),   f(θ) = (1 − ½θ cot ½θ)/θ² = 1/12 + θ²/720 + θ⁴/30240 + …
pub(super) fn exact_chart_rate(u: &[f64], v: &[f64], out: &mut [f64]) {
    let (theta, omega) = (vec3(u[3], u[4], u[5]), vec3(v[3], v[4], v[5]));
    let n2 = theta.dot(theta);
    let f = if n2 < 0.1 {
        // The next term is 2e-14 of the sum.
        1.0 / 12.0
            + n2 * (1.0 / 720.0 + n2 * (1.0 / 30240.0 + n2 * (1.0 / 1209600.0 + n2 * (1.0 / 47900160.0))))
    } else {
        let half = 0.5 * n2.sqrt();
        let (s, c) = libm::sincos(half);
        (1.0 - half * c / s) / n2
    };
    let once = theta.cross(omega);
    let rate = omega - once * 0.5 + theta.cross(once) * f;
    out[..3].copy_from_slice(&v[..3]);
    out[3..].copy_from_slice(&rate.to_array());
}

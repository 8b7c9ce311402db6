//! Rigid body in the x–y plane: coordinates x, y of the centre of mass and the angle about z (turns
//! counted).
//!
//!   M = diag(m, m, I_zz),   velocity (ẋ, ẏ, ω),   no velocity-dependent force

use super::{Body, MassProperties, Motion, Wrench};
use crate::math::{Mat3, Quat, Vec3, vec3};

pub(super) fn initial(body: &Body, q: &mut [f64], v: &mut [f64]) {
    let at = body.center_of_mass();
    q.copy_from_slice(&[at.x, at.y, body.rot.twist_angle(Vec3::Z)]);
    v.copy_from_slice(&[body.vel.x, body.vel.y, body.omega.z]);
}
#[inline]
pub(super) fn motion(q: &[f64], v: &[f64]) -> Motion {
    let (s, c) = libm::sincos(q[2]);
    let (sh, ch) = libm::sincos(0.5 * q[2]);
    Motion {
        pos: vec3(q[0], q[1], 0.0),
        rot: Quat { w: ch, v: vec3(0.0, 0.0, sh) },
        axes: Mat3::from_columns(vec3(c, s, 0.0), vec3(-s, c, 0.0), Vec3::Z),
        vel: vec3(v[0], v[1], 0.0),
        omega: vec3(0.0, 0.0, v[2]),
    }
}
#[inline]
pub(super) fn mass_matrix(mass: &MassProperties, _at: &Motion, out: &mut [f64]) {
    out.copy_from_slice(&[mass.mass, 0.0, mass.mass, 0.0, 0.0, mass.inertia.zz]);
}
#[inline]
pub(super) fn inertial_force(_mass: &MassProperties, _at: &Motion, out: &mut [f64]) {
    out.fill(0.0);
}
#[inline]
pub(super) fn pull_back(arm: Vec3, wrench: Wrench, out: &mut [f64]) {
    let (f, t) = (wrench.force, wrench.torque);
    out.copy_from_slice(&[f.x, f.y, t.z + (arm.x * f.y - arm.y * f.x)]);
}
#[inline]
pub(super) fn push_forward(arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
    (vec3(v[0] - v[2] * arm.y, v[1] + v[2] * arm.x, 0.0), vec3(0.0, 0.0, v[2]))
}
#[inline]
pub(super) fn advance(q: &[f64], u: &[f64], out: &mut [f64]) {
    for i in 0..3 {
        out[i] = q[i] + u[i];
    }
}
#[inline]
pub(super) fn chart_rate(_u: &[f64], v: &[f64], out: &mut [f64]) {
    out.copy_from_slice(v);
}

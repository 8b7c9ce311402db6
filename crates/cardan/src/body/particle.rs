//! Point masses: the coordinates are the position, M = m I, no orientation.

/// A point mass in space.
pub(super) mod spatial {
    use crate::body::{Body, MassProperties, Motion, Wrench};
    use crate::math::{Vec3, vec3};

    pub(crate) fn initial(body: &Body, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&body.center_of_mass().to_array());
        v.copy_from_slice(&body.vel.to_array());
    }
    #[inline]
    pub(crate) fn motion(q: &[f64], v: &[f64]) -> Motion {
        Motion { pos: vec3(q[0], q[1], q[2]), vel: vec3(v[0], v[1], v[2]), ..Motion::GROUND }
    }
    #[inline]
    pub(crate) fn mass_matrix(mass: &MassProperties, _at: &Motion, out: &mut [f64]) {
        let m = mass.mass;
        out.copy_from_slice(&[m, 0.0, m, 0.0, 0.0, m]);
    }
    #[inline]
    pub(crate) fn inertial_force(_mass: &MassProperties, _at: &Motion, out: &mut [f64]) {
        out.fill(0.0);
    }
    #[inline]
    pub(crate) fn pull_back(_arm: Vec3, wrench: Wrench, out: &mut [f64]) {
        out.copy_from_slice(&wrench.force.to_array());
    }
    #[inline]
    pub(crate) fn push_forward(_arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        (vec3(v[0], v[1], v[2]), Vec3::ZERO)
    }
    #[inline]
    pub(crate) fn advance(q: &[f64], u: &[f64], out: &mut [f64]) {
        for i in 0..3 {
            out[i] = q[i] + u[i];
        }
    }
    #[inline]
    pub(crate) fn chart_rate(_u: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }
}

/// A point mass in the x–y plane.
pub(super) mod planar {
    use crate::body::{Body, MassProperties, Motion, Wrench};
    use crate::math::{Vec3, vec3};

    pub(crate) fn initial(body: &Body, q: &mut [f64], v: &mut [f64]) {
        let at = body.center_of_mass();
        q.copy_from_slice(&[at.x, at.y]);
        v.copy_from_slice(&[body.vel.x, body.vel.y]);
    }
    #[inline]
    pub(crate) fn motion(q: &[f64], v: &[f64]) -> Motion {
        Motion { pos: vec3(q[0], q[1], 0.0), vel: vec3(v[0], v[1], 0.0), ..Motion::GROUND }
    }
    #[inline]
    pub(crate) fn mass_matrix(mass: &MassProperties, _at: &Motion, out: &mut [f64]) {
        out.copy_from_slice(&[mass.mass, 0.0, mass.mass]);
    }
    #[inline]
    pub(crate) fn inertial_force(_mass: &MassProperties, _at: &Motion, out: &mut [f64]) {
        out.fill(0.0);
    }
    #[inline]
    pub(crate) fn pull_back(_arm: Vec3, wrench: Wrench, out: &mut [f64]) {
        out.copy_from_slice(&[wrench.force.x, wrench.force.y]);
    }
    #[inline]
    pub(crate) fn push_forward(_arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        (vec3(v[0], v[1], 0.0), Vec3::ZERO)
    }
    #[inline]
    pub(crate) fn advance(q: &[f64], u: &[f64], out: &mut [f64]) {
        for i in 0..2 {
            out[i] = q[i] + u[i];
        }
    }
    #[inline]
    pub(crate) fn chart_rate(_u: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }
}

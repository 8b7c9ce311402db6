//! Conversions of orientations to and from the types of `glam` and `nalgebra`. Those of vectors and matrices are in `cardan-solve`.

#[cfg(any(feature = "glam", feature = "nalgebra"))]
use super::Quat;

#[cfg(feature = "glam")]
impl From<Quat> for glam::DQuat {
    fn from(q: Quat) -> Self {
        glam::DQuat::from_xyzw(q.v.x, q.v.y, q.v.z, q.w)
    }
}
#[cfg(feature = "glam")]
impl From<glam::DQuat> for Quat {
    fn from(q: glam::DQuat) -> Self {
        Quat { w: q.w, v: super::vec3(q.x, q.y, q.z) }
    }
}

#[cfg(feature = "nalgebra")]
impl From<Quat> for nalgebra::UnitQuaternion<f64> {
    /// The quaternion is scaled to unit length.
    fn from(q: Quat) -> Self {
        nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q.w, q.v.x, q.v.y, q.v.z))
    }
}
#[cfg(feature = "nalgebra")]
impl From<nalgebra::UnitQuaternion<f64>> for Quat {
    fn from(q: nalgebra::UnitQuaternion<f64>) -> Self {
        Quat { w: q.w, v: super::vec3(q.i, q.j, q.k) }
    }
}

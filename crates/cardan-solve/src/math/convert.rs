//! Conversions to and from the types of `glam` and `nalgebra`.

#[cfg(any(feature = "glam", feature = "nalgebra"))]
use super::{Mat3, Vec3};

#[cfg(feature = "glam")]
mod glam_types {
    use super::{Mat3, Vec3};
    use glam::{DMat3, DVec3};

    impl From<Vec3> for DVec3 {
        fn from(v: Vec3) -> Self {
            DVec3::new(v.x, v.y, v.z)
        }
    }
    impl From<DVec3> for Vec3 {
        fn from(v: DVec3) -> Self {
            Vec3::new(v.x, v.y, v.z)
        }
    }
    impl From<Mat3> for DMat3 {
        fn from(m: Mat3) -> Self {
            DMat3::from_cols(m.x.into(), m.y.into(), m.z.into())
        }
    }
    impl From<DMat3> for Mat3 {
        fn from(m: DMat3) -> Self {
            Mat3 { x: m.x_axis.into(), y: m.y_axis.into(), z: m.z_axis.into() }
        }
    }
}

#[cfg(feature = "nalgebra")]
mod nalgebra_types {
    use super::{Mat3, Vec3};
    use nalgebra::{Matrix3, Vector3};

    impl From<Vec3> for Vector3<f64> {
        fn from(v: Vec3) -> Self {
            Vector3::new(v.x, v.y, v.z)
        }
    }
    impl From<Vector3<f64>> for Vec3 {
        fn from(v: Vector3<f64>) -> Self {
            Vec3::new(v.x, v.y, v.z)
        }
    }
    impl From<Mat3> for Matrix3<f64> {
        fn from(m: Mat3) -> Self {
            Matrix3::from_columns(&[m.x.into(), m.y.into(), m.z.into()])
        }
    }
    impl From<Matrix3<f64>> for Mat3 {
        fn from(m: Matrix3<f64>) -> Self {
            let column = |k: usize| Vec3::new(m[(0, k)], m[(1, k)], m[(2, k)]);
            Mat3 { x: column(0), y: column(1), z: column(2) }
        }
    }
}

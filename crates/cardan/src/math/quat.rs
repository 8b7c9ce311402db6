//! Unit quaternions: orientations without a singular pose.
//!
//!   R(q) v = v + 2 s (u × v) + 2 u × (u × v),   q = (s, u)                          (Tasora eq. 8–9)
//!   q̇ = ½ (0, ω) q      with ω in world axes                                        (Tasora eq. 12; T6)
//!   exp(θ) = (cos |θ|/2, sin(|θ|/2) θ/|θ|)
//!
//! Written w x y z outside Rust, never as a bare array of four inside.

use super::{Lane, Mat3, Vec3, vec3};
use core::ops::Mul;

/// An orientation as a unit quaternion; every update renormalises it.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quat<T = f64> {
    /// Scalar part.
    pub w: T,
    /// Vector part.
    pub v: Vec3<T>,
}

impl<T: Lane> Default for Quat<T> {
    fn default() -> Self {
        Quat::IDENTITY
    }
}

impl<T: Lane> Quat<T> {
    /// No rotation.
    pub const IDENTITY: Self = Quat { w: T::ONE, v: Vec3::ZERO };

    /// The inverse rotation (the conjugate).
    #[inline(always)]
    pub fn inverse(self) -> Self {
        Quat { w: self.w, v: -self.v }
    }

    /// Scaled to unit length.
    #[inline(always)]
    pub fn renormalized(self) -> Self {
        let n = (self.w * self.w + self.v.dot(self.v)).sqrt();
        Quat { w: self.w / n, v: self.v / n }
    }

    /// The rotation matrix; its columns are the rotated axes.
    #[inline(always)]
    pub fn matrix(self) -> Mat3<T> {
        let Quat { w, v: Vec3 { x, y, z } } = self;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Mat3 {
            x: vec3(T::ONE - (yy + zz), xy + wz, xz - wy),
            y: vec3(xy - wz, T::ONE - (xx + zz), yz + wx),
            z: vec3(xz + wy, yz - wx, T::ONE - (xx + yy)),
        }
    }
}

impl Quat {
    /// From the four components, normalised; `None` if they are all zero or not finite.
    pub fn from_wxyz(w: f64, x: f64, y: f64, z: f64) -> Option<Self> {
        let big = super::larger(w.abs(), vec3(x, y, z).largest());
        if big.is_nan() || big <= 0.0 || big.is_infinite() {
            return None;
        }
        Some(Quat { w: w / big, v: vec3(x, y, z) / big }.renormalized())
    }

    /// Rotation by `angle` \[rad\] about `axis`; `None` if the axis has no direction.
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Option<Self> {
        let axis = axis.normalized()?;
        let (s, c) = libm::sincos(0.5 * angle);
        Some(Quat { w: c, v: axis * s }.renormalized())
    }

    /// The exponential map: rotation by `|theta|` about `theta`.
    pub fn exp(theta: Vec3) -> Self {
        let half = theta * 0.5;
        let n2 = half.dot(half);
        if n2 < 1e-6 {
            // Series to O(|θ|⁸): below rounding here, and without 0/0.
            let sinc = 1.0 - n2 / 6.0 * (1.0 - n2 / 20.0 * (1.0 - n2 / 42.0));
            let cos = 1.0 - n2 / 2.0 * (1.0 - n2 / 12.0 * (1.0 - n2 / 30.0));
            return Quat { w: cos, v: half * sinc };
        }
        let n = n2.sqrt();
        let (s, c) = libm::sincos(n);
        Quat { w: c, v: half * (s / n) }
    }

    /// The inverse of [`Quat::exp`]: the rotation vector, of length at most π.
    pub fn log(self) -> Vec3 {
        let q = if self.w < 0.0 { -self } else { self };
        let s = q.v.norm();
        if s < 1e-8 {
            return q.v * (2.0 / q.w);
        }
        q.v * (2.0 * libm::atan2(s, q.w) / s)
    }

    /// From a rotation matrix (Shepperd's choice of the largest component).
    pub fn from_matrix(m: &Mat3) -> Self {
        let trace = m.x.x + m.y.y + m.z.z;
        let (w, v) = if trace >= m.x.x && trace >= m.y.y && trace >= m.z.z {
            (1.0 + trace, vec3(m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x))
        } else if m.x.x >= m.y.y && m.x.x >= m.z.z {
            (m.y.z - m.z.y, vec3(1.0 + 2.0 * m.x.x - trace, m.x.y + m.y.x, m.x.z + m.z.x))
        } else if m.y.y >= m.z.z {
            (m.z.x - m.x.z, vec3(m.x.y + m.y.x, 1.0 + 2.0 * m.y.y - trace, m.y.z + m.z.y))
        } else {
            (m.x.y - m.y.x, vec3(m.x.z + m.z.x, m.y.z + m.z.y, 1.0 + 2.0 * m.z.z - trace))
        };
        Quat { w, v }.renormalized()
    }

    /// The frame whose z axis is `axis` and whose x axis is as near to `x_hint` as possible;
    /// without a usable hint x is a fixed choice of a perpendicular. `None` if the axis has no
    /// direction.
    pub fn with_z_along(axis: Vec3, x_hint: Option<Vec3>) -> Option<Self> {
        let z = axis.normalized()?;
        let hinted = x_hint.and_then(|h| {
            let h = h.normalized()?;
            let side = h - z * z.dot(h);
            if side.norm() < 1e-6 { None } else { side.normalized() }
        });
        let x = match hinted {
            Some(x) => x,
            None => z.any_perpendicular()?,
        };
        Some(Quat::from_matrix(&Mat3::from_columns(x, z.cross(x), z)))
    }

    /// The rotation angle about a unit axis (the twist part) \[rad\], in (−π, π].
    pub fn twist_angle(self, unit_axis: Vec3) -> f64 {
        let q = if self.w < 0.0 { -self } else { self };
        2.0 * libm::atan2(q.v.dot(unit_axis), q.w)
    }

    /// The components in the order of files and reports: w, x, y, z.
    pub const fn to_wxyz(self) -> [f64; 4] {
        [self.w, self.v.x, self.v.y, self.v.z]
    }
}

impl<T: Lane> core::ops::Neg for Quat<T> {
    type Output = Self;
    /// The same rotation with all components negated.
    #[inline(always)]
    fn neg(self) -> Self {
        Quat { w: -self.w, v: -self.v }
    }
}
impl<T: Lane> Mul for Quat<T> {
    type Output = Self;
    /// First `o`, then `self`.
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Quat { w: self.w * o.w - self.v.dot(o.v), v: o.v * self.w + self.v * o.w + self.v.cross(o.v) }
    }
}
impl Mul<Vec3> for Quat {
    type Output = Vec3;
    /// The rotated vector.
    #[inline]
    fn mul(self, p: Vec3) -> Vec3 {
        let t = self.v.cross(p) * 2.0;
        p + t * self.w + self.v.cross(t)
    }
}

//! 3-vectors.

use crate::lane::Lane;
use core::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A vector of three components.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vec3<T = f64> {
    /// First component.
    pub x: T,
    /// Second component.
    pub y: T,
    /// Third component.
    pub z: T,
}

/// Shorthand for [`Vec3::new`].
#[inline(always)]
pub const fn vec3<T>(x: T, y: T, z: T) -> Vec3<T> {
    Vec3 { x, y, z }
}

impl<T> Vec3<T> {
    /// A vector from its components.
    #[inline(always)]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Vec3 { x, y, z }
    }
}

impl<T: Lane> Vec3<T> {
    /// The zero vector.
    pub const ZERO: Self = vec3(T::ZERO, T::ZERO, T::ZERO);
    /// Unit vector along x.
    pub const X: Self = vec3(T::ONE, T::ZERO, T::ZERO);
    /// Unit vector along y.
    pub const Y: Self = vec3(T::ZERO, T::ONE, T::ZERO);
    /// Unit vector along z.
    pub const Z: Self = vec3(T::ZERO, T::ZERO, T::ONE);

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> T {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        vec3(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }

    /// Euclidean length.
    #[inline(always)]
    pub fn norm(self) -> T {
        self.dot(self).sqrt()
    }
}

impl Vec3<f64> {
    /// The unit vector along `self`, or `None` if the length is zero or not finite.
    ///
    /// Scaled first, so that squares of very small and very large components neither underflow nor overflow.
    pub fn normalized(self) -> Option<Self> {
        let big = self.largest();
        if big.is_nan() || big <= 0.0 || big.is_infinite() {
            return None;
        }
        let v = self / big;
        Some(v / v.norm())
    }

    /// Largest magnitude of the three components; NaN if one is NaN.
    #[inline(always)]
    pub fn largest(self) -> f64 {
        use super::larger;
        larger(larger(self.x.abs(), self.y.abs()), self.z.abs())
    }

    /// Largest magnitude of the three components, where NaN may be lost: for scales of errors, where the
    /// error itself shows the NaN.
    #[inline(always)]
    pub fn reach(self) -> f64 {
        let more = |a: f64, b: f64| if a > b { a } else { b };
        more(more(self.x.abs(), self.y.abs()), self.z.abs())
    }

    /// True if no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// A unit vector perpendicular to `self`, chosen the same way every time: the axis of the smallest
    /// component, made perpendicular.
    pub fn any_perpendicular(self) -> Option<Self> {
        let (ax, ay, az) = (self.x.abs(), self.y.abs(), self.z.abs());
        let helper = if ax <= ay && ax <= az {
            Vec3::X
        } else if ay <= az {
            Vec3::Y
        } else {
            Vec3::Z
        };
        let unit = self.normalized()?;
        (helper - unit * unit.dot(helper)).normalized()
    }

    /// The components as an array.
    pub const fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vec3<f64> {
    fn from([x, y, z]: [f64; 3]) -> Self {
        vec3(x, y, z)
    }
}
impl From<Vec3<f64>> for [f64; 3] {
    fn from(v: Vec3<f64>) -> Self {
        v.to_array()
    }
}

impl<T: Lane> Add for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        vec3(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
impl<T: Lane> Sub for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        vec3(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
impl<T: Lane> Neg for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        vec3(-self.x, -self.y, -self.z)
    }
}
impl<T: Lane> Mul<T> for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        vec3(self.x * s, self.y * s, self.z * s)
    }
}
impl<T: Lane> Div<T> for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, s: T) -> Self {
        vec3(self.x / s, self.y / s, self.z / s)
    }
}
impl<T: Lane> AddAssign for Vec3<T> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Lane> SubAssign for Vec3<T> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<T> Index<usize> for Vec3<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }
}
impl<T> IndexMut<usize> for Vec3<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            _ => &mut self.z,
        }
    }
}

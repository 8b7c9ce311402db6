//! 3×3 matrices: general ([`Mat3`], by columns) and symmetric ([`Sym3`], six numbers).

use super::{Vec3, vec3};
use crate::lane::Lane;
use core::ops::{Add, Mul};

/// A 3×3 matrix; the columns are the images of the unit vectors.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mat3<T = f64> {
    /// Image of the unit vector along x.
    pub x: Vec3<T>,
    /// Image of the unit vector along y.
    pub y: Vec3<T>,
    /// Image of the unit vector along z.
    pub z: Vec3<T>,
}

impl<T: Lane> Mat3<T> {
    /// The identity.
    pub const IDENTITY: Self = Mat3 { x: Vec3::X, y: Vec3::Y, z: Vec3::Z };

    /// A matrix from its three columns.
    pub const fn from_columns(x: Vec3<T>, y: Vec3<T>, z: Vec3<T>) -> Self {
        Mat3 { x, y, z }
    }

    /// The transpose.
    #[inline(always)]
    pub fn transposed(&self) -> Self {
        Mat3 {
            x: vec3(self.x.x, self.y.x, self.z.x),
            y: vec3(self.x.y, self.y.y, self.z.y),
            z: vec3(self.x.z, self.y.z, self.z.z),
        }
    }

    /// `Aᵀ v`: for a rotation, the vector in the rotated frame.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3<T>) -> Vec3<T> {
        vec3(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// `Aᵀ B`.
    #[inline(always)]
    pub fn transpose_mul_mat(&self, b: &Self) -> Self {
        Mat3 { x: self.transpose_mul(b.x), y: self.transpose_mul(b.y), z: self.transpose_mul(b.z) }
    }
}

impl<T: Lane> Mul<Vec3<T>> for Mat3<T> {
    type Output = Vec3<T>;
    #[inline(always)]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }
}
impl<T: Lane> Mul for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Mat3 { x: self * b.x, y: self * b.y, z: self * b.z }
    }
}

/// A symmetric 3×3 matrix, such as an inertia tensor: the diagonal, then the off-diagonal entries in cyclic
/// order. Operations treat the three numbers of each half alike and in the same order, so that a half fits
/// one SIMD register (`articulated::f64x3`).
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sym3<T = f64> {
    /// Diagonal entry of x.
    pub xx: T,
    /// Diagonal entry of y.
    pub yy: T,
    /// Diagonal entry of z.
    pub zz: T,
    /// Entry of x and y.
    pub xy: T,
    /// Entry of y and z.
    pub yz: T,
    /// Entry of z and x.
    pub xz: T,
}

impl<T: Lane> Sym3<T> {
    /// A diagonal matrix.
    pub const fn diagonal(xx: T, yy: T, zz: T) -> Self {
        Sym3 { xx, yy, zz, xy: T::ZERO, xz: T::ZERO, yz: T::ZERO }
    }

    /// `R S Rᵀ`: the tensor in the axes that `R` leads to. Only the upper half is computed.
    #[inline(always)]
    pub fn rotated(&self, r: &Mat3<T>) -> Self {
        // A = R S by columns, then entries of A Rᵀ.
        let ax = r.x * self.xx + r.y * self.xy + r.z * self.xz;
        let ay = r.x * self.xy + r.y * self.yy + r.z * self.yz;
        let az = r.x * self.xz + r.y * self.yz + r.z * self.zz;
        times_transposed(ax, ay, az, r)
    }

    /// `R S Rᵀ` of a diagonal matrix; off-diagonal entries are ignored.
    #[inline(always)]
    pub fn rotated_diagonal(&self, r: &Mat3<T>) -> Self {
        times_transposed(r.x * self.xx, r.y * self.yy, r.z * self.zz, r)
    }

    /// Sum of the diagonal.
    pub fn trace(&self) -> T {
        self.xx + self.yy + self.zz
    }

    /// Every entry times `s`.
    pub fn scaled(&self, s: T) -> Self {
        Sym3 {
            xx: self.xx * s,
            yy: self.yy * s,
            zz: self.zz * s,
            xy: self.xy * s,
            xz: self.xz * s,
            yz: self.yz * s,
        }
    }

    /// `|v|² I − v vᵀ`: the inertia of a unit mass at `v`.
    pub fn of_point(v: Vec3<T>) -> Self {
        Sym3 {
            xx: v.y * v.y + v.z * v.z,
            yy: v.x * v.x + v.z * v.z,
            zz: v.x * v.x + v.y * v.y,
            xy: -(v.x * v.y),
            xz: -(v.x * v.z),
            yz: -(v.y * v.z),
        }
    }
}

/// Upper half of A Rᵀ, A by columns.
#[inline(always)]
fn times_transposed<T: Lane>(ax: Vec3<T>, ay: Vec3<T>, az: Vec3<T>, r: &Mat3<T>) -> Sym3<T> {
    Sym3 {
        xx: ax.x * r.x.x + ay.x * r.y.x + az.x * r.z.x,
        yy: ax.y * r.x.y + ay.y * r.y.y + az.y * r.z.y,
        zz: ax.z * r.x.z + ay.z * r.y.z + az.z * r.z.z,
        xy: ax.x * r.x.y + ay.x * r.y.y + az.x * r.z.y,
        xz: ax.z * r.x.x + ay.z * r.y.x + az.z * r.z.x,
        yz: ax.y * r.x.z + ay.y * r.y.z + az.y * r.z.z,
    }
}

impl Sym3<f64> {
    /// The entries in the order of scene files: xx, yy, zz, xy, xz, yz.
    pub const fn to_array(self) -> [f64; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// Eigenvalues in ascending order (cyclic Jacobi rotations; exact for diagonal matrices).
    pub fn eigenvalues(&self) -> [f64; 3] {
        self.principal().0
    }

    /// Eigenvalues in ascending order, and the principal axes as the columns of a rotation.
    pub fn principal(&self) -> ([f64; 3], Mat3) {
        let mut a = [[self.xx, self.xy, self.xz], [self.xy, self.yy, self.yz], [self.xz, self.yz, self.zz]];
        let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for _sweep in 0..40 {
            let off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
            let diag = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
            // Squares: off-diagonal entries are below the rounding of the diagonal.
            if off.is_nan() || off <= 1e-34 * diag {
                break;
            }
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let sign = if theta >= 0.0 { 1.0 } else { -1.0 };
                let t = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in a.iter_mut().chain(&mut axes) {
                    let (kp, kq) = (row[p], row[q]);
                    row[p] = c * kp - s * kq;
                    row[q] = s * kp + c * kq;
                }
                for k in 0..3 {
                    let (apk, aqk) = (a[p][k], a[q][k]);
                    a[p][k] = c * apk - s * aqk;
                    a[q][k] = s * apk + c * aqk;
                }
            }
        }
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
        let axis = |i: usize| vec3(axes[0][i], axes[1][i], axes[2][i]);
        let (x, y) = (axis(order[0]), axis(order[1]));
        (order.map(|i| a[i][i]), Mat3 { x, y, z: x.cross(y) })
    }
}

impl<T: Lane> Add for Sym3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Sym3 {
            xx: self.xx + o.xx,
            yy: self.yy + o.yy,
            zz: self.zz + o.zz,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yz: self.yz + o.yz,
        }
    }
}
impl<T: Lane> Mul<Vec3<T>> for Sym3<T> {
    type Output = Vec3<T>;
    #[inline(always)]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.yy * v.y + self.yz * v.z + self.xy * v.x,
            self.zz * v.z + self.xz * v.x + self.yz * v.y,
        )
    }
}

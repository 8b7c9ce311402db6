//! Six-vectors as two 3-vectors, and symmetric 6×6 matrices as three blocks.
//!
//! Six unknowns (v, ω) are carried rigidly over the distance d by
//!
//! ```text
//! X = [[1, −[d]×], [0, 1]]        X (v, ω) = (v + ω × d, ω)        Xᵀ (f, τ) = (f, τ + d × f)
//! ```

use super::{Mat3, Sym3, Vec3};
use crate::lane::Lane;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// Six numbers: a linear and an angular part.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Six<T = f64> {
    /// Linear part.
    pub lin: Vec3<T>,
    /// Angular part.
    pub ang: Vec3<T>,
}

impl<T: Lane> Six<T> {
    /// All zero.
    pub const ZERO: Self = Six { lin: Vec3::ZERO, ang: Vec3::ZERO };

    /// From its two parts.
    #[inline(always)]
    pub const fn new(lin: Vec3<T>, ang: Vec3<T>) -> Self {
        Six { lin, ang }
    }
    /// Scalar product, summed along x, y and z in turn.
    #[inline(always)]
    pub fn dot(&self, o: &Self) -> T {
        let x = self.lin.x * o.lin.x + self.ang.x * o.ang.x;
        let y = self.lin.y * o.lin.y + self.ang.y * o.ang.y;
        let z = self.lin.z * o.lin.z + self.ang.z * o.ang.z;
        x + y + z
    }
    /// Times a scalar.
    #[inline(always)]
    pub fn scaled(&self, s: T) -> Self {
        Six { lin: self.lin * s, ang: self.ang * s }
    }
    /// X (v, ω): the motion at distance `d`.
    #[inline(always)]
    pub fn carried(&self, d: Vec3<T>) -> Self {
        Six { lin: self.lin + self.ang.cross(d), ang: self.ang }
    }
    /// Xᵀ (f, τ): the wrench at distance `d`, expressed here.
    #[inline(always)]
    pub fn carried_back(&self, d: Vec3<T>) -> Self {
        Six { lin: self.lin, ang: self.ang + d.cross(self.lin) }
    }
    /// From a slice of six.
    #[inline(always)]
    pub fn from_slice(s: &[T]) -> Self {
        Six { lin: Vec3::new(s[0], s[1], s[2]), ang: Vec3::new(s[3], s[4], s[5]) }
    }
    /// To a slice of six.
    #[inline(always)]
    pub fn write(&self, out: &mut [T]) {
        out[..6].copy_from_slice(&[self.lin.x, self.lin.y, self.lin.z, self.ang.x, self.ang.y, self.ang.z]);
    }
}

impl<T: Lane> Add for Six<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Six { lin: self.lin + o.lin, ang: self.ang + o.ang }
    }
}
impl<T: Lane> Sub for Six<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Six { lin: self.lin - o.lin, ang: self.ang - o.ang }
    }
}
impl<T: Lane> Neg for Six<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Six { lin: -self.lin, ang: -self.ang }
    }
}
impl<T: Lane> AddAssign for Six<T> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Lane> SubAssign for Six<T> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A symmetric 6×6 matrix [[A, B], [Bᵀ, C]]; half of it is stored and computed.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Sym6<T = f64> {
    /// Linear–linear.
    pub a: Sym3<T>,
    /// Linear–angular.
    pub b: Mat3<T>,
    /// Angular–angular.
    pub c: Sym3<T>,
}

impl<T: Lane> Sym6<T> {
    /// All zero.
    pub const ZERO: Self = Sym6 {
        a: Sym3::diagonal(T::ZERO, T::ZERO, T::ZERO),
        b: Mat3 { x: Vec3::ZERO, y: Vec3::ZERO, z: Vec3::ZERO },
        c: Sym3::diagonal(T::ZERO, T::ZERO, T::ZERO),
    };

    /// A mass m with an inertia about its centre: diag(m 1, I).
    #[inline(always)]
    pub fn of_mass(mass: T, inertia: Sym3<T>) -> Self {
        let b = Mat3 { x: Vec3::ZERO, y: Vec3::ZERO, z: Vec3::ZERO };
        Sym6 { a: Sym3::diagonal(mass, mass, mass), b, c: inertia }
    }

    /// Times a vector.
    #[inline(always)]
    pub fn mul(&self, v: &Six<T>) -> Six<T> {
        let (b, l, w) = (&self.b, v.lin, v.ang);
        // Every row starts at the diagonal and proceeds cyclically.
        let along = Vec3::new(
            b.x.x * w.x + b.y.x * w.y + b.z.x * w.z,
            b.y.y * w.y + b.z.y * w.z + b.x.y * w.x,
            b.z.z * w.z + b.x.z * w.x + b.y.z * w.y,
        );
        let about = Vec3::new(
            b.x.x * l.x + b.x.y * l.y + b.x.z * l.z,
            b.y.y * l.y + b.y.z * l.z + b.y.x * l.x,
            b.z.z * l.z + b.z.x * l.x + b.z.y * l.y,
        );
        Six { lin: self.a * l + along, ang: about + self.c * w }
    }

    /// self − w wᵀ s.
    #[inline(always)]
    pub fn minus_outer(&self, w: &Six<T>, s: T) -> Self {
        let scaled = w.scaled(s);
        Sym6 {
            a: minus_outer3(&self.a, w.lin, scaled.lin),
            b: Mat3 {
                x: self.b.x - w.lin * scaled.ang.x,
                y: self.b.y - w.lin * scaled.ang.y,
                z: self.b.z - w.lin * scaled.ang.z,
            },
            c: minus_outer3(&self.c, w.ang, scaled.ang),
        }
    }

    /// Xᵀ self X of diag(m 1, I):  `A' = m 1,  B' = −m [d]×,  C' = I + m (d² 1 − d dᵀ)`.
    #[inline(always)]
    pub fn carried_back_block_diagonal(&self, d: Vec3<T>) -> Self {
        let (m, i) = (self.a.xx, &self.c);
        let md = d * m;
        let (xx, yy, zz) = (md.x * d.x, md.y * d.y, md.z * d.z);
        let zero = T::ZERO;
        Sym6 {
            a: Sym3::diagonal(m, m, m),
            b: Mat3 {
                x: Vec3::new(zero, -md.z, md.y),
                y: Vec3::new(md.z, zero, -md.x),
                z: Vec3::new(-md.y, md.x, zero),
            },
            c: Sym3 {
                xx: i.xx + (yy + zz),
                yy: i.yy + (xx + zz),
                zz: i.zz + (xx + yy),
                xy: i.xy - md.x * d.y,
                xz: i.xz - md.z * d.x,
                yz: i.yz - md.y * d.z,
            },
        }
    }

    /// Xᵀ [[Λ, 0], [0, 0]] X, an inertia felt at a point alone:  `A' = Λ,  B' = −Λ [d]×,  C' = [d]× B'`.
    #[inline(always)]
    pub fn of_point(a: &Sym3<T>, d: Vec3<T>) -> Self {
        let (ax, ay, az) =
            (Vec3::new(a.xx, a.xy, a.xz), Vec3::new(a.xy, a.yy, a.yz), Vec3::new(a.xz, a.yz, a.zz));
        let b = Mat3 { x: az * d.y - ay * d.z, y: ax * d.z - az * d.x, z: ay * d.x - ax * d.y };
        let c = Sym3 {
            xx: d.y * b.x.z - d.z * b.x.y,
            yy: d.z * b.y.x - d.x * b.y.z,
            zz: d.x * b.z.y - d.y * b.z.x,
            xy: d.y * b.y.z - d.z * b.y.y,
            xz: d.x * b.x.y - d.y * b.x.x,
            yz: d.z * b.z.x - d.x * b.z.z,
        };
        Sym6 { a: *a, b, c }
    }

    /// Xᵀ self X:  `A' = A,  B' = B − A [d]×,  C' = C + [d]× B' + ([d]× B)ᵀ`.
    #[inline(always)]
    pub fn carried_back(&self, d: Vec3<T>) -> Self {
        let a = &self.a;
        let (ax, ay, az) =
            (Vec3::new(a.xx, a.xy, a.xz), Vec3::new(a.xy, a.yy, a.yz), Vec3::new(a.xz, a.yz, a.zz));
        let b = &self.b;
        let moved = Mat3 {
            x: b.x - (ay * d.z - az * d.y),
            y: b.y - (az * d.x - ax * d.z),
            z: b.z - (ax * d.y - ay * d.x),
        };
        // Rows of [d]× M, for the entries on and above the diagonal.
        let c = Sym3 {
            xx: self.c.xx + (d.y * moved.x.z - d.z * moved.x.y) + (d.y * b.x.z - d.z * b.x.y),
            yy: self.c.yy + (d.z * moved.y.x - d.x * moved.y.z) + (d.z * b.y.x - d.x * b.y.z),
            zz: self.c.zz + (d.x * moved.z.y - d.y * moved.z.x) + (d.x * b.z.y - d.y * b.z.x),
            xy: self.c.xy + (d.y * moved.y.z - d.z * moved.y.y) + (d.z * b.x.x - d.x * b.x.z),
            xz: self.c.xz + (d.x * moved.x.y - d.y * moved.x.x) + (d.y * b.z.z - d.z * b.z.y),
            yz: self.c.yz + (d.z * moved.z.x - d.x * moved.z.z) + (d.x * b.y.y - d.y * b.y.x),
        };
        Sym6 { a: self.a, b: moved, c }
    }

    /// The packed lower triangle, row by row.
    #[inline(always)]
    pub fn packed(&self) -> [T; 21] {
        let (a, b, c) = (&self.a, &self.b, &self.c);
        [
            a.xx, a.xy, a.yy, a.xz, a.yz, a.zz, //
            b.x.x, b.x.y, b.x.z, c.xx, //
            b.y.x, b.y.y, b.y.z, c.xy, c.yy, //
            b.z.x, b.z.y, b.z.z, c.xz, c.yz, c.zz,
        ]
    }
}

/// m − w scaledᵀ, which the caller knows to be symmetric.
#[inline(always)]
pub(crate) fn minus_outer3<T: Lane>(m: &Sym3<T>, w: Vec3<T>, scaled: Vec3<T>) -> Sym3<T> {
    Sym3 {
        xx: m.xx - w.x * scaled.x,
        yy: m.yy - w.y * scaled.y,
        zz: m.zz - w.z * scaled.z,
        xy: m.xy - w.x * scaled.y,
        xz: m.xz - w.z * scaled.x,
        yz: m.yz - w.y * scaled.z,
    }
}

impl<T: Lane> Add for Sym6<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let b = Mat3 { x: self.b.x + o.b.x, y: self.b.y + o.b.y, z: self.b.z + o.b.z };
        Sym6 { a: self.a + o.a, b, c: self.c + o.c }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(k: usize) -> f64 {
        ((k * 7919 + 13) % 101) as f64 / 37.0 - 1.3
    }
    fn full(m: &Sym6) -> [[f64; 6]; 6] {
        let p = m.packed();
        let mut out = [[0.0; 6]; 6];
        let mut k = 0;
        for i in 0..6 {
            for j in 0..=i {
                out[i][j] = p[k];
                out[j][i] = p[k];
                k += 1;
            }
        }
        out
    }
    fn sample() -> Sym6 {
        let s = |o: usize| Sym3 {
            xx: number(o),
            yy: number(o + 1),
            zz: number(o + 2),
            xy: number(o + 3),
            xz: number(o + 4),
            yz: number(o + 5),
        };
        let v = |o: usize| Vec3::new(number(o), number(o + 1), number(o + 2));
        Sym6 { a: s(1), b: Mat3 { x: v(20), y: v(30), z: v(40) }, c: s(50) }
    }
    fn six(o: usize) -> Six {
        Six::from_slice(&[0, 1, 2, 3, 4, 5].map(|k| number(o + k)))
    }
    fn array(v: &Six) -> [f64; 6] {
        let mut out = [0.0; 6];
        v.write(&mut out);
        out
    }

    #[test]
    fn a_block_diagonal_mass_is_carried_like_any_mass() {
        let (m, d) = (Sym6::of_mass(2.5, sample().c), Vec3::new(0.3, -1.1, 0.7));
        let (short, long) = (m.carried_back_block_diagonal(d).packed(), m.carried_back(d).packed());
        assert!(short.iter().zip(long).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn an_inertia_at_a_point_is_carried_like_any_mass() {
        let (a, d) = (sample().a, Vec3::new(0.3, -1.1, 0.7));
        let whole = Sym6 { a, ..Sym6::ZERO }.carried_back(d).packed();
        assert!(Sym6::of_point(&a, d).packed().iter().zip(whole).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn block_forms_equal_the_plain_matrix() {
        let (m, v, d) = (sample(), six(60), Vec3::new(0.3, -1.1, 0.7));
        let plain = full(&m);
        let product = array(&m.mul(&v));
        let x = array(&v);
        for i in 0..6 {
            let want: f64 = (0..6).map(|j| plain[i][j] * x[j]).sum();
            assert!((product[i] - want).abs() < 1e-12);
        }
        // Xᵀ M X by columns of X.
        let moved = full(&m.carried_back(d));
        for j in 0..6 {
            let mut e = [0.0; 6];
            e[j] = 1.0;
            let column = array(&m.mul(&Six::from_slice(&e).carried(d)).carried_back(d));
            for i in 0..6 {
                assert!((column[i] - moved[i][j]).abs() < 1e-12, "{i} {j}");
            }
        }
        let less = full(&m.minus_outer(&v, 0.37));
        for i in 0..6 {
            for j in 0..6 {
                assert!((less[i][j] - (plain[i][j] - 0.37 * x[i] * x[j])).abs() < 1e-12);
            }
        }
    }
}

//! The point of an ellipsoid of b that is nearest to a surface of a.
//!
//!   F(u) = D(d + Q A u),   |u| = 1,   A = diag of the half axes        G = A Qᵀ g
//!
//! In two directions e ⟂ u, with t = Q A e, the gradient is F_e = e·G and the Hessian on the sphere
//! tᵀ H t − (u·G) δ; the last term is the curvature of the sphere. The best of a fixed set of
//! directions and the one that faces the surface, then Newton's method with steps halved until F
//! decreases.

use super::{Tangent, TangentPoint};
use crate::geometry::Height;
use crate::math::{Mat3, Vec3, vec3};
use crate::tolerances::NEWTON_CONVEX;

struct EllipsoidSample {
    u: Vec3,
    arm: Vec3,
    height: Height,
    /// G.
    pull: Vec3,
}

impl Tangent {
    fn sample_at(&self, radii: Vec3, y: Vec3, q: &Mat3, u: Vec3) -> EllipsoidSample {
        let arm = *q * stretch(radii, u);
        let height = self.height(y + arm);
        EllipsoidSample { u, arm, pull: stretch(radii, q.transpose_mul(height.gradient)), height }
    }

    pub(super) fn nearest_on_ellipsoid(&self, radii: Vec3, y: Vec3, q: &Mat3) -> TangentPoint {
        let (mut best, mut least) = (Vec3::X, f64::INFINITY);
        let mut offer = |u: Vec3| {
            let value = self.value(y + *q * stretch(radii, u));
            if value < least {
                (best, least) = (u, value);
            }
        };
        for u in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z] {
            offer(u);
        }
        const S: f64 = 0.577_350_269_189_625_8;
        for i in 0..8 {
            let sign = |bit: u32| if (i >> bit) & 1 == 0 { S } else { -S };
            offer(vec3(sign(0), sign(1), sign(2)));
        }
        // The contact point if the surface were the plane below the centre.
        let facing = stretch(radii, q.transpose_mul(self.height(y).gradient));
        if let Some(u) = (-facing).normalized() {
            offer(u);
        }
        let best = self.sample_at(radii, y, q, best);
        self.descend(radii, y, q, best)
    }

    fn descend(&self, radii: Vec3, y: Vec3, q: &Mat3, mut sample: EllipsoidSample) -> TangentPoint {
        let mut tangent_point = tangent_point_of(radii, q, &sample);
        let mut before = f64::INFINITY;
        for _ in 0..60 {
            let basis = basis(sample.u);
            let slope = basis.map(|e| e.dot(sample.pull));
            let [[a, b], [_, d]] = tangent_point.bend;
            // Where the Hessian is not positive definite, use a multiple of the identity.
            let bowl = 0.5 * (a.abs() + d.abs()) + b.abs();
            let fine = a > 0.0 && a * d - b * b > NEWTON_CONVEX * bowl * bowl;
            let [[a, b], [_, d]] = if fine { [[a, b], [b, d]] } else { [[bowl, 0.0], [0.0, bowl]] };
            let det = a * d - b * b;
            let mut step = [-(d * slope[0] - b * slope[1]) / det, -(a * slope[1] - b * slope[0]) / det];
            let mut size = (step[0] * step[0] + step[1] * step[1]).sqrt();
            if size.is_nan() || size == 0.0 {
                break;
            }
            if size > 0.5 {
                step = step.map(|x| x * (0.5 / size));
                size = 0.5;
            }
            // Near the minimum F is constant to rounding, but Newton's step is still accurate.
            let certain = fine && size < 1e-5;
            let mut next = self.sample_at(radii, y, q, moved(sample.u, basis, step));
            let mut halvings = 0;
            let falls = |next: &EllipsoidSample| next.height.value <= sample.height.value;
            while !certain && !falls(&next) && halvings < 40 {
                step = step.map(|x| 0.5 * x);
                next = self.sample_at(radii, y, q, moved(sample.u, basis, step));
                halvings += 1;
            }
            if halvings == 40 {
                break;
            }
            sample = next;
            tangent_point = tangent_point_of(radii, q, &sample);
            // Steps that no longer shrink are rounding.
            if certain && size > 0.5 * before {
                break;
            }
            before = size;
        }
        tangent_point
    }
}

fn tangent_point_of(radii: Vec3, q: &Mat3, sample: &EllipsoidSample) -> TangentPoint {
    let basis = basis(sample.u);
    let tangents = basis.map(|e| *q * stretch(radii, e));
    let bent = tangents.map(|t| sample.height.hessian * t);
    let sphere = sample.u.dot(sample.pull);
    let bend = [
        [tangents[0].dot(bent[0]) - sphere, tangents[0].dot(bent[1])],
        [tangents[1].dot(bent[0]), tangents[1].dot(bent[1]) - sphere],
    ];
    TangentPoint { arm: sample.arm, height: sample.height, tangents, bend, parameters: 2 }
}

fn basis(u: Vec3) -> [Vec3; 2] {
    let e = u.any_perpendicular().unwrap_or(Vec3::X);
    [e, u.cross(e)]
}

/// A step along the sphere from u.
fn moved(u: Vec3, basis: [Vec3; 2], step: [f64; 2]) -> Vec3 {
    let v = u + basis[0] * step[0] + basis[1] * step[1];
    v / v.norm()
}

fn stretch(radii: Vec3, u: Vec3) -> Vec3 {
    vec3(radii.x * u.x, radii.y * u.y, radii.z * u.z)
}

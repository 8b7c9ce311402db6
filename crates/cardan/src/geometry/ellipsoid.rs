//! Signed distance to an ellipsoid with semi-axes a. The foot x of a point y satisfies (Eberly,
//! Distance from a point to an ellipsoid)
//!
//!   xᵢ = aᵢ² yᵢ/(t + aᵢ²),        G(t) = Σ (aᵢ yᵢ/(t + aᵢ²))² − 1 = 0,        t > −min aᵢ²
//!
//! G decreases and is convex there, so that Newton's method from the left, t₀ = max (aᵢ |yᵢ| −
//! aᵢ²), increases monotonically to the root; each term is at most one at t₀. With mᵢ = yᵢ/(t +
//! aᵢ²)
//!
//!   n = m/|m|        D = t |m|        W = P diag(1/aᵢ²) P/|m|        H = W (1 + D W)⁻¹        P = 1 − n nᵀ
//!
//! W: curvature of the surface at the foot; H: curvature of the parallel surface at distance D.

use super::surface::{Height, outer};
use crate::math::{Sym3, Vec3, vec3};

fn root(radii: Vec3, y: Vec3) -> f64 {
    let (a, y) = (radii.to_array(), y.to_array());
    let mut t = f64::NEG_INFINITY;
    for i in 0..3 {
        let start = a[i] * y[i].abs() - a[i] * a[i];
        if start > t {
            t = start;
        }
    }
    for _ in 0..100 {
        let (mut g, mut slope) = (-1.0, 0.0);
        for i in 0..3 {
            let q = a[i] * y[i] / (t + a[i] * a[i]);
            g += q * q;
            slope += 2.0 * q * q / (t + a[i] * a[i]);
        }
        let step = g / slope;
        let next = t + step;
        // Newton is monotone from the left; the first step that does not increase t is rounding.
        if next <= t || next.is_nan() {
            break;
        }
        t = next;
    }
    t
}

/// Whether a point is so deep inside, t near −min a², that its foot is not unique.
pub(super) fn is_lost(radii: Vec3, y: Vec3) -> bool {
    let least = radii.to_array().into_iter().fold(f64::INFINITY, |m, a| if a < m { a } else { m });
    let t = root(radii, y);
    t.is_nan() || t <= -0.999 * least * least
}

/// The signed distance D without derivatives.
pub(super) fn value(radii: Vec3, y: Vec3) -> f64 {
    let t = root(radii, y);
    let over = |y: f64, a: f64| y / (t + a * a);
    t * vec3(over(y.x, radii.x), over(y.y, radii.y), over(y.z, radii.z)).norm()
}

pub(super) fn height(radii: Vec3, y: Vec3) -> Height {
    let t = root(radii, y);
    let squares = vec3(radii.x * radii.x, radii.y * radii.y, radii.z * radii.z);
    let m = vec3(y.x / (t + squares.x), y.y / (t + squares.y), y.z / (t + squares.z));
    let size = m.norm();
    let (n, value) = (m / size, t * size);
    let lost = Height { value: f64::NAN, gradient: n, hessian: Sym3::default() };
    let Some(e) = n.any_perpendicular() else { return lost };
    let f = n.cross(e);
    let curve =
        |u: Vec3, v: Vec3| (u.x * v.x / squares.x + u.y * v.y / squares.y + u.z * v.z / squares.z) / size;
    let (ee, ef, ff) = (curve(e, e), curve(e, f), curve(f, f));
    // W (1 + D W)⁻¹ = (W + D det W)/det(1 + D W) in two dimensions.
    let det = ee * ff - ef * ef;
    let whole = (1.0 + value * ee) * (1.0 + value * ff) - value * value * ef * ef;
    let (hee, hef, hff) = ((ee + value * det) / whole, ef / whole, (ff + value * det) / whole);
    // e fᵀ + f eᵀ = ½ ((e + f)(e + f)ᵀ − (e − f)(e − f)ᵀ)
    let hessian = outer(e, hee) + outer(f, hff) + outer(e + f, 0.5 * hef) + outer(e - f, -0.5 * hef);
    Height { value, gradient: n, hessian }
}

//! One friction cone by itself, solved exactly, and the projection onto it.
//!
//! ```text
//! a = W λ + q         |λ_t| ≤ μ λ_n,   a_n ≥ 0 ⟂ λ_n ≥ 0,   λ_t = −μ λ_n a_t / |a_t| where a_t ≠ 0
//!
//! open    q_n ≥ 0                      λ = 0
//! stick   |λ_t| ≤ μ λ_n                λ = −W⁻¹ q
//! slip    a_n = 0, a_t = −α λ_t        λ_t(α) = −(S + α)⁻¹ s,   λ_n(α) = −(q_n + W_nt λ_t) / W_nn,   |λ_t| = μ λ_n
//! ```
//!
//! with S = W_tt − W_tn W_nt / W_nn and s = q_t − W_tn q_n / W_nn. The slip parameter α > 0 is the root of
//! ψ(α) = μ λ_n / |λ_t| − 1, which is negative at zero where sticking is not possible and grows without
//! bound. For S a multiple of the unit matrix ψ is linear, so Newton's method with a bracket needs few
//! iterations.

use crate::tolerances::ZERO_DIAGONAL;

/// The nearest point of |t| ≤ μ n, two tangents.
#[inline]
pub(crate) fn project(mu: f64, [n, t, u]: [f64; 3]) -> [f64; 3] {
    let length = (t * t + u * u).sqrt();
    if length <= mu * n {
        return [n, t, u];
    }
    if mu * length <= -n {
        return [0.0; 3];
    }
    let normal = (n + mu * length) / (1.0 + mu * mu);
    if length > 0.0 {
        let scale = mu * normal / length;
        [normal, scale * t, scale * u]
    } else {
        [normal, 0.0, 0.0]
    }
}

/// λ of a cone with two tangents, W symmetric and row by row. `None` where no impulse moves the normal.
#[inline]
pub(crate) fn cone(w: &[f64; 9], q: [f64; 3], mu: f64) -> Option<[f64; 3]> {
    let trace = w[0] + w[4] + w[8];
    if w[0] <= ZERO_DIAGONAL * trace || trace.is_nan() {
        return None;
    }
    if q[0] >= 0.0 {
        return Some([0.0; 3]);
    }
    let inverse = 1.0 / w[0];
    if mu == 0.0 {
        return Some([-q[0] * inverse, 0.0, 0.0]);
    }
    let (g, h) = (w[1] * inverse, w[2] * inverse);
    let (s_tt, s_tu, s_uu) = (w[4] - g * w[1], w[5] - g * w[2], w[8] - h * w[2]);
    let s = [q[1] - g * q[0], q[2] - h * q[0]];
    // Stick, if S is regular to a hundred roundings.
    let determinant = s_tt * s_uu - s_tu * s_tu;
    let sum = s_tt + s_uu;
    if determinant > 1e-14 * sum * sum {
        let over = 1.0 / determinant;
        let push = [(s_tu * s[1] - s_uu * s[0]) * over, (s_tu * s[0] - s_tt * s[1]) * over];
        let normal = -(q[0] + w[1] * push[0] + w[2] * push[1]) * inverse;
        let most = mu * normal;
        if normal >= 0.0 && push[0] * push[0] + push[1] * push[1] <= most * most {
            return Some([normal, push[0], push[1]]);
        }
    }
    // Slip, in the axes of S.
    let half = 0.5 * (s_tt - s_uu);
    let radius = (half * half + s_tu * s_tu).sqrt();
    let middle = 0.5 * sum;
    // A singular S keeps an eigenvalue of ten roundings, so that nothing is divided by zero.
    let tiny = 1e-15 * trace;
    let least = if middle - radius > tiny { middle - radius } else { tiny };
    let values = [middle + radius, least];
    // The axis of the larger eigenvalue.
    let axis = if radius > 0.0 {
        let (x, y) = if half >= 0.0 { (half + radius, s_tu) } else { (s_tu, radius - half) };
        let length = (x * x + y * y).sqrt();
        [x / length, y / length]
    } else {
        [1.0, 0.0]
    };
    let turned = |x: f64, y: f64| [axis[0] * x + axis[1] * y, axis[0] * y - axis[1] * x];
    let [s_1, s_2] = turned(s[0], s[1]);
    let [w_1, w_2] = turned(w[1], w[2]);
    // ψ and its slope, λ.
    let look = |alpha: f64| {
        let over = [1.0 / (values[0] + alpha), 1.0 / (values[1] + alpha)];
        let push = [-s_1 * over[0], -s_2 * over[1]];
        let length = (push[0] * push[0] + push[1] * push[1]).sqrt();
        let normal = -(q[0] + w_1 * push[0] + w_2 * push[1]) * inverse;
        let slower = [-push[0] * over[0], -push[1] * over[1]];
        let d_normal = -(w_1 * slower[0] + w_2 * slower[1]) * inverse;
        let d_length = (push[0] * slower[0] + push[1] * slower[1]) / length;
        let psi = mu * normal / length - 1.0;
        let slope = mu * (d_normal - normal * d_length / length) / length;
        (psi, slope, normal, push, length)
    };
    let (mut lo, mut hi) = (0.0, f64::INFINITY);
    let mut alpha = 0.0;
    let (mut normal, mut push, mut length) = (0.0, [0.0; 2], 0.0);
    for _ in 0..60 {
        let (psi, slope, n, p, l) = look(alpha);
        (normal, push, length) = (n, p, l);
        if l <= 0.0 || psi.is_nan() || psi.abs() <= 4.0 * f64::EPSILON {
            break;
        }
        if psi < 0.0 {
            lo = alpha;
        } else {
            hi = alpha;
        }
        let next = alpha - psi / slope;
        alpha = if next > lo && next < hi {
            next
        } else if hi.is_finite() {
            0.5 * (lo + hi)
        } else {
            4.0 * lo + trace
        };
        if hi.is_finite() && hi - lo <= 2.0 * f64::EPSILON * hi {
            break;
        }
    }
    if normal <= 0.0 || normal.is_nan() {
        normal = 0.0;
    }
    // Onto the boundary of the cone, and back to the given axes.
    let scale = if length > 0.0 { mu * normal / length } else { 0.0 };
    let [x, y] = [scale * push[0], scale * push[1]];
    Some([normal, axis[0] * x - axis[1] * y, axis[1] * x + axis[0] * y])
}

/// λ of a cone with one tangent, W symmetric and row by row. `None` where no impulse moves the normal.
#[inline]
pub(crate) fn wedge(w: &[f64; 4], q: [f64; 2], mu: f64) -> Option<[f64; 2]> {
    let trace = w[0] + w[3];
    if w[0] <= ZERO_DIAGONAL * trace || trace.is_nan() {
        return None;
    }
    if q[0] >= 0.0 {
        return Some([0.0; 2]);
    }
    let left = w[3] - w[1] * w[1] / w[0];
    let s = q[1] - w[1] * q[0] / w[0];
    // Stick, if the remainder of the tangent is more than a hundred roundings.
    if left > 1e-14 * trace {
        let push = -s / left;
        let normal = -(q[0] + w[1] * push) / w[0];
        if push.abs() <= mu * normal {
            return Some([normal, push]);
        }
    }
    // First against the direction of frictionless sliding, then the other one.
    let first = if s > 0.0 { -mu } else { mu };
    for slope in [first, -first] {
        let normal = -q[0] / (w[0] + slope * w[1]);
        let slide = w[1] * normal + w[3] * slope * normal + q[1];
        if normal >= 0.0 && normal.is_finite() && slope * slide <= 0.0 {
            return Some([normal, slope * normal]);
        }
    }
    let normal = -q[0] / w[0];
    Some([normal, first * normal])
}

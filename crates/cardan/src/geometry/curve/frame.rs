//! Normals along a curve without twist (Bishop's frame): with T the unit tangent,
//!
//!   N′ = −(N·c″)/|c′|² c′          N₂ = T × N
//!
//! Inside a cell that starts with tangent a and normal N_a, the shortest rotation from a to T
//! carries N_a to
//!
//!   Ñ = N_a − (N_a·T)/(1 + a·T) (a + T)
//!
//! which twists. The twist is removed by a rotation about T by
//!
//!   φ(s) = ∫ (a × T)·T′/(1 + a·T) ds,        (a × T)·T′ = (a × T)·c″/|c′|
//!
//! φ is of third order in the cell length; Gauss quadrature with five points leaves an error of
//! eleventh order, below rounding. Plane curves have φ = 0. Along a closed curve in space the
//! normals return rotated. The equations do not depend on a constant rotation of the basis in which
//! a gap is written, so the total rotation is distributed equally over the borders of the cells,
//! and inside of the cells there is no twist.

use super::cells::Cells;
use super::{CurvePoint, CurveRule};
use crate::math::Vec3;

/// The two normals in a cell at a parameter, where the curve is `at`.
pub(super) fn normals(rule: &CurveRule, cells: &Cells, cell: usize, s: f64, at: &CurvePoint) -> [Vec3; 2] {
    let (a, normal) = (cells.tangents[cell], cells.normals[cell]);
    let t = at.first / at.first.norm();
    let tilted = normal - (a + t) * (normal.dot(t) / (1.0 + a.dot(t)));
    if cells.flat {
        return [tilted, t.cross(tilted)];
    }
    let (sin, cos) = libm::sincos(twist(rule, a, cells.knots[cell], s));
    let first = tilted * cos + t.cross(tilted) * sin;
    [first, t.cross(first)]
}

fn twist(rule: &CurveRule, a: Vec3, from: f64, to: f64) -> f64 {
    const NODES: [(f64, f64); 5] = [
        (-0.906179845938664, 0.2369268850561891),
        (-0.5384693101056831, 0.4786286704993665),
        (0.0, 0.5688888888888889),
        (0.5384693101056831, 0.4786286704993665),
        (0.906179845938664, 0.2369268850561891),
    ];
    let half = 0.5 * (to - from);
    let mut sum = 0.0;
    for (x, w) in NODES {
        let at = rule.at(from + half * (1.0 + x));
        let speed = at.first.norm();
        let t = at.first / speed;
        sum += w * a.cross(t).dot(at.second) / (speed * (1.0 + a.dot(t)));
    }
    half * sum
}

/// Transports a normal from border to border. For a closed curve the total rotation is removed in
/// equal parts at the borders.
pub(super) fn carry(rule: &CurveRule, cells: &mut Cells, closed: bool) {
    let start = cells.tangents[0].any_perpendicular().unwrap_or(Vec3::X);
    let n = cells.count();
    cells.normals = vec![start];
    for cell in 0..n {
        let (end, tangent) = (cells.knots[cell + 1], cells.tangents[cell + 1]);
        let at = CurvePoint { first: tangent, ..CurvePoint::default() };
        let next = normals(rule, cells, cell, end, &at)[0];
        cells.normals.push(next);
    }
    if closed && !cells.flat {
        let last = cells.normals[n];
        let turned = libm::atan2(last.dot(cells.tangents[0].cross(start)), last.dot(start));
        for k in 1..=n {
            let (sin, cos) = libm::sincos(-turned * (k as f64 / n as f64));
            cells.normals[k] = cells.normals[k] * cos + cells.tangents[k].cross(cells.normals[k]) * sin;
        }
    }
}

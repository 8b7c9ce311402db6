//! Two boxes: the separating-axis test with its fifteen directions in closed form (Gottschalk 1996).
//!
//! R: orientation of box two relative to one; t: its position; a, b: half edges. Separation along
//!
//! ```text
//! face k of one        |t_k|      − a_k − Σ_j b_j |R_kj|
//! face j of two        |t·R_j|    − b_j − Σ_k a_k |R_kj|
//! edges k and j       (|t·c|      − Σ_i a_i |c_i| − Σ_m b_m |c·R_m|) / |c|,     c = e_k × R_j
//! ```

use super::ContactCollector;
use super::manifold::{AxisSource, PolyhedronPair, SAME, SeparatingAxis};
use super::polytope::FACES_FIRST;
use super::solid::{BOX_NORMALS, box_edge, box_solid, box_vertices};
use crate::pose::Pose;
use cardan_solve::math::Vec3;

/// Most contacts of two boxes.
const MAX_CONTACTS: usize = 8;

pub(super) fn boxes(one: [f64; 3], two: [f64; 3], rel: &Pose, collector: &mut ContactCollector<'_>) {
    let (a, b) = (Vec3::from(one) * 0.5, Vec3::from(two) * 0.5);
    let size = a.norm() + b.norm();
    let Some((axis, widest)) = directions(a, b, rel, collector.margin, size) else { return };
    let (of_one, local) = (box_vertices(a), box_vertices(b));
    let of_two = local.map(|v| rel.point(v));
    let normals = [rel.rot.x, -rel.rot.x, rel.rot.y, -rel.rot.y, rel.rot.z, -rel.rot.z];
    PolyhedronPair {
        one: box_solid(&of_one, &BOX_NORMALS, a),
        two: box_solid(&of_two, &normals, b),
        local: box_solid(&local, &BOX_NORMALS, b),
        rel,
        tol: SAME * size,
        patch: None,
        edge_patch: None,
        least: f64::INFINITY,
        collector,
    }
    .contacts(&axis, &widest);
    collector.keep_closest(MAX_CONTACTS);
}

fn directions(
    a: Vec3,
    b: Vec3,
    rel: &Pose,
    reach: f64,
    size: f64,
) -> Option<(SeparatingAxis, SeparatingAxis)> {
    let (r, t) = ([rel.rot.x, rel.rot.y, rel.rot.z], rel.pos);
    let same = SAME * size;
    let abs = r.map(|c| [c.x.abs(), c.y.abs(), c.z.abs()]);
    let mut best =
        SeparatingAxis { separation: f64::NEG_INFINITY, n: Vec3::ZERO, origin: AxisSource::One(0) };
    for k in 0..3 {
        let separation = t[k].abs() - a[k] - (b.x * abs[0][k] + b.y * abs[1][k] + b.z * abs[2][k]);
        if separation > reach {
            return None;
        }
        if separation > best.separation + same {
            let f = 2 * k + usize::from(t[k] < 0.0);
            best = SeparatingAxis { separation, n: BOX_NORMALS[f], origin: AxisSource::One(f) };
        }
    }
    for j in 0..3 {
        let along = t.dot(r[j]);
        let separation = along.abs() - b[j] - (a.x * abs[j][0] + a.y * abs[j][1] + a.z * abs[j][2]);
        if separation > reach {
            return None;
        }
        if separation > best.separation + same {
            // The face of two that faces one.
            let back = along < 0.0;
            best = SeparatingAxis {
                separation,
                n: if back { -r[j] } else { r[j] },
                origin: AxisSource::Two(2 * j + usize::from(!back)),
            };
        }
    }
    let (mut crossed, mut which) = ((f64::NEG_INFINITY, Vec3::ZERO), (0, 0));
    for k in 0..3 {
        let (k1, k2) = ((k + 1) % 3, (k + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let square = r[j][k1] * r[j][k1] + r[j][k2] * r[j][k2];
            if square <= 1e-12 {
                continue;
            }
            let len = square.sqrt();
            // c = e_k × R_j has components −R_j[k2] along k1 and R_j[k1] along k2; c·R_m is an entry of R again.
            let along = t[k2] * r[j][k1] - t[k1] * r[j][k2];
            let both = a[k1] * abs[j][k2] + a[k2] * abs[j][k1] + b[j1] * abs[j2][k] + b[j2] * abs[j1][k];
            let separation = (along.abs() - both) / len;
            if separation > reach {
                return None;
            }
            if separation > crossed.0 + same {
                let scale = if along < 0.0 { -1.0 / len } else { 1.0 / len };
                let mut n = Vec3::ZERO;
                n[k1] = -r[j][k2] * scale;
                n[k2] = r[j][k1] * scale;
                crossed = (separation, n);
                which = (k, j);
            }
        }
    }
    let edges = |(separation, n): (f64, Vec3)| {
        // Vertices of the edges that are extreme along n: of one along it, of two against it.
        let of_one = bits(|i| n[i] > 0.0);
        let of_two = bits(|m| n.dot(r[m]) < 0.0);
        let (i, j) = (box_edge(which.0, of_one), box_edge(which.1, of_two));
        SeparatingAxis { separation, n, origin: AxisSource::Edges(i as usize, j as usize) }
    };
    let axis = if crossed.0 > best.separation + FACES_FIRST * size { edges(crossed) } else { best };
    let widest = if crossed.0 > best.separation { edges(crossed) } else { best };
    Some((axis, widest))
}

fn bits(set: impl Fn(usize) -> bool) -> u32 {
    u32::from(set(0)) + 2 * u32::from(set(1)) + 4 * u32::from(set(2))
}

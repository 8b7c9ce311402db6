//! Null space of constraint rows: an orthonormal basis of the motions that all rows allow, by
//! Gram–Schmidt orthogonalization.

use crate::body::BodyKind;
use crate::math::{Six, Vec3};

/// A motion: linear, then angular components.
type Motion6 = [f64; 6];

fn dot(a: &Motion6, b: &Motion6) -> f64 {
    (0..6).fold(0.0, |sum, k| sum + a[k] * b[k])
}

/// Component of `v` orthogonal to an orthonormal basis, and its size. Two passes make it orthogonal
/// to rounding.
fn orthogonalize(mut v: Motion6, basis: &[Motion6]) -> (Motion6, f64) {
    for e in basis.iter().chain(basis) {
        let along = dot(e, &v);
        (0..6).for_each(|k| v[k] -= along * e[k]);
    }
    (v, libm::sqrt(dot(&v, &v)))
}

/// Calls back with an orthonormal basis of the motions of a body of this kind that all rows allow.
/// The next vector comes from the unit motion farthest from the span so far.
pub(crate) fn each_null_vector(rows: impl Iterator<Item = Six>, body: BodyKind, mut push: impl FnMut(Six)) {
    let (turns, in_plane) = (body.has_orientation(), body.is_planar());
    let has = |k: usize| match k {
        0 | 1 => true,
        2 => !in_plane,
        3 | 4 => turns && !in_plane,
        _ => turns,
    };
    let mut basis = [[0.0; 6]; 6];
    let mut count = 0;
    for row in rows {
        let mut all = [0.0; 6];
        row.write(&mut all);
        let row: Motion6 = core::array::from_fn(|k| if has(k) { all[k] } else { 0.0 });
        let (rest, size) = orthogonalize(row, &basis[..count]);
        if count < 6 && size > 1e-9 * libm::sqrt(dot(&row, &row)) {
            basis[count] = rest.map(|x| x / size);
            count += 1;
        }
    }
    let freedoms = (0..6).filter(|&k| has(k)).count();
    while count < freedoms {
        let mut best = ([0.0; 6], 0.0);
        for k in (0..6).filter(|&k| has(k)) {
            let rest =
                orthogonalize(core::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }), &basis[..count]);
            best = if rest.1 > best.1 { rest } else { best };
        }
        let [x, y, z, u, v, w] = best.0.map(|x| x / best.1);
        basis[count] = [x, y, z, u, v, w];
        push(Six::new(Vec3::new(x, y, z), Vec3::new(u, v, w)));
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_vectors_are_orthonormal_and_orthogonal_to_all_rows() {
        let row = |v: Motion6| Six::from_slice(&v);
        let rows =
            [[1.0, 2.0, 0.0, 0.0, -1.0, 0.5], [0.0, 1.0, 3.0, 0.0, 0.0, 0.0], [0.0, 2.0, 6.0, 0.0, 0.0, 0.0]];
        let mut free: Vec<Motion6> = Vec::new();
        each_null_vector(rows.into_iter().map(row), BodyKind::Rigid, |six| {
            let mut v = [0.0; 6];
            six.write(&mut v);
            free.push(v);
        });
        // Two of the three rows are independent.
        assert_eq!(free.len(), 4);
        for (i, a) in free.iter().enumerate() {
            for (j, b) in free.iter().enumerate() {
                let want = if i == j { 1.0 } else { 0.0 };
                assert!((dot(a, b) - want).abs() < 1e-15, "{i} {j}");
            }
            // A few roundings of numbers up to six.
            assert!(rows.iter().all(|row| dot(a, row).abs() < 1e-14), "{a:?}");
        }
        let mut flat = 0;
        each_null_vector([row(rows[0])].into_iter(), BodyKind::Planar, |six| {
            assert!(six.lin.z == 0.0 && six.ang.x == 0.0 && six.ang.y == 0.0);
            flat += 1;
        });
        assert_eq!(flat, 2);
    }
}

//! Vector arithmetic of drawings.

/// World coordinates.
pub(crate) type Vec3 = [f64; 3];

pub(super) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: Vec3, k: f64) -> Vec3 {
    [a[0] * k, a[1] * k, a[2] * k]
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of a vector, if it has one.
pub(super) fn unit(a: Vec3) -> Option<Vec3> {
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if !largest.is_finite() || largest == 0.0 {
        return None;
    }
    let b = scale(a, 1.0 / largest);
    Some(scale(b, 1.0 / norm(b)))
}

/// Column k of a rotation: where its axis k points in the world.
pub(super) fn column(r: &[Vec3; 3], k: usize) -> Vec3 {
    [r[0][k], r[1][k], r[2][k]]
}

/// Two directions that complete a unit vector to a right-handed frame (u, v, n).
pub(super) fn perpendicular_pair(n: Vec3) -> (Vec3, Vec3) {
    let seed = if n[0].abs() < 0.8 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let v = unit(cross(n, seed)).unwrap_or([0.0, 1.0, 0.0]);
    (cross(v, n), v)
}

/// Eigenvalues (largest first) and eigenvectors of a symmetric matrix, by Jacobi rotations.
pub(super) fn principal(mut m: [Vec3; 3]) -> ([f64; 3], [Vec3; 3]) {
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..20 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][q].abs() <= 1e-300 {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (a, b) = (m[k][p], m[k][q]);
                (m[k][p], m[k][q]) = (c * a - s * b, s * a + c * b);
            }
            for k in 0..3 {
                let (a, b) = (m[p][k], m[q][k]);
                (m[p][k], m[q][k]) = (c * a - s * b, s * a + c * b);
            }
            for k in 0..3 {
                let (a, b) = (v[k][p], v[k][q]);
                (v[k][p], v[k][q]) = (c * a - s * b, s * a + c * b);
            }
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| m[b][b].total_cmp(&m[a][a]));
    (order.map(|i| m[i][i]), order.map(|i| column(&v, i)))
}

//! Jacobi rotations: A = V Λ Vᵀ for a symmetric A.
//!
//! ```text
//! A ← Gᵀ A G,   V ← V G,   G a rotation in the plane (p, q) with   a_pq ← 0
//! t² + 2 θ t − 1 = 0,   θ = (a_qq − a_pp) / 2 a_pq,   t the smaller root
//! ```
//!
//! Rutishauser's formulas, all pairs in turn, until every a_pq is below the rounding of its two diagonal
//! entries. For positive definite matrices small eigenvalues have full relative accuracy (Demmel, Veselić
//! 1992).

use super::tridiagonal;

/// Eigenvalues in rising order, and eigenvectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymmetricSpectrum {
    /// λ, rising.
    pub values: Vec<f64>,
    /// V, row-major: column k belongs to `values[k]`; orthonormal.
    pub vectors: Vec<f64>,
}

impl SymmetricSpectrum {
    /// The eigenvector of `values[k]`.
    pub fn vector(&self, k: usize) -> impl Iterator<Item = f64> + '_ {
        let n = self.values.len();
        (0..n).map(move |i| self.vectors[i * n + k])
    }
}

/// Larger matrices are made tridiagonal instead, which takes fewer operations.
const MOST_ROTATED: usize = 48;
/// Most sweeps over all pairs; about ten suffice in practice.
const MOST_SWEEPS: usize = 60;

/// Eigenvalues and eigenvectors of the symmetric part of `a`, n × n. Numbers that are not finite give NaN.
pub fn eigen_symmetric(a: &[f64], n: usize) -> SymmetricSpectrum {
    assert_eq!(a.len(), n * n, "the matrix is not {n} by {n}");
    let mut a: Vec<f64> = (0..n * n).map(|k| 0.5 * (a[k] + a[(k % n) * n + k / n])).collect();
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    if !a.iter().all(|x| x.is_finite()) {
        return SymmetricSpectrum { values: vec![f64::NAN; n], vectors: v };
    }
    if n > MOST_ROTATED
        && let Some((values, rows)) = tridiagonal::spectrum(a.clone(), n)
    {
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
        return SymmetricSpectrum {
            values: order.iter().map(|&i| values[i]).collect(),
            vectors: (0..n * n).map(|k| rows[order[k % n] * n + k / n]).collect(),
        };
    }
    for _ in 0..MOST_SWEEPS {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                turned |= rotate(&mut a, &mut v, n, p, q);
            }
        }
        if !turned {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i * n + i].total_cmp(&a[j * n + j]));
    SymmetricSpectrum {
        values: order.iter().map(|&i| a[i * n + i]).collect(),
        vectors: (0..n * n).map(|k| v[(k / n) * n + order[k % n]]).collect(),
    }
}

/// Makes a_pq zero; false if it is negligible already.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) -> bool {
    let (app, aqq, apq) = (a[p * n + p], a[q * n + q], a[p * n + q]);
    // Relative to both diagonal entries, so that a small block keeps its digits beside a large one.
    let beside = (app.abs().sqrt() * aqq.abs().sqrt()) * (0.25 * f64::EPSILON);
    if apq.abs() <= beside || apq == 0.0 {
        return false;
    }
    // Relative to zero, and when nothing changes any more.
    if app + apq.abs() == app && aqq + apq.abs() == aqq {
        (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
        return false;
    }
    let theta = (aqq - app) / (2.0 * apq);
    let root = if theta.is_finite() {
        let t = 1.0 / (theta.abs() + (theta * theta + 1.0).sqrt());
        if theta < 0.0 { -t } else { t }
    } else {
        0.0
    };
    let c = 1.0 / (root * root + 1.0).sqrt();
    let s = root * c;
    let tau = s / (1.0 + c);
    a[p * n + p] = app - root * apq;
    a[q * n + q] = aqq + root * apq;
    (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
    for k in 0..n {
        if k != p && k != q {
            let (x, y) = (a[p * n + k], a[q * n + k]);
            let (new_p, new_q) = (x - s * (y + tau * x), y + s * (x - tau * y));
            (a[p * n + k], a[k * n + p]) = (new_p, new_p);
            (a[q * n + k], a[k * n + q]) = (new_q, new_q);
        }
        let (x, y) = (v[k * n + p], v[k * n + q]);
        (v[k * n + p], v[k * n + q]) = (x - s * (y + tau * x), y + s * (x - tau * y));
    }
    true
}

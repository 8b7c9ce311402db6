//! Eigenvalues of any real matrix: A = Q T Q*, Q unitary, T upper triangular with the eigenvalues on its
//! diagonal (Schur).
//!
//! Columns and rows are first balanced by powers of two (Parlett, Reinsch 1969) and reflected to Hessenberg
//! form, then
//!
//! ```text
//! H − σ = Q R,   H ← R Q + σ        σ: the eigenvalue of the last two rows that is nearer to the corner (Wilkinson)
//! ```
//!
//! with complex Givens rotations; the last row is deflated when its subdiagonal entry is rounding.
//! Eigenvectors follow from (T − λ) y = 0 by back substitution, x = Q y. One complex shift instead of two
//! real ones costs four times the arithmetic and a quarter of the code. So eigenvalues of a real matrix are
//! conjugate to rounding only.

use super::complex::Complex;

/// Eigenvalues, in no particular order, and eigenvectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum {
    /// λ.
    pub values: Vec<Complex>,
    /// Row-major: column k belongs to `values[k]` and has length one. Where eigenvalues coincide and the
    /// matrix is defective, columns coincide too, to half of the digits.
    pub vectors: Vec<Complex>,
}

/// QR steps per eigenvalue before giving up.
const MOST_STEPS: usize = 60;

/// Eigenvalues and eigenvectors of `a`, n × n; `None` if a number is not finite or (never seen) the iteration
/// does not converge.
pub fn eigen(a: &[f64], n: usize) -> Option<Spectrum> {
    assert_eq!(a.len(), n * n, "the matrix is not {n} by {n}");
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut h = a.to_vec();
    let scale = balance(&mut h, n);
    let q = to_hessenberg(&mut h, n);
    let complex = |m: &[f64]| m.iter().map(|&x| Complex::new(x, 0.0)).collect::<Vec<_>>();
    let (mut t, mut q) = (complex(&h), complex(&q));
    to_triangle(&mut t, &mut q, n)?;
    let vectors = vectors(&t, &q, &scale, n);
    Some(Spectrum { values: (0..n).map(|i| t[i * n + i]).collect(), vectors })
}

/// A ← D⁻¹ A D with D of powers of two; returns the diagonal of D.
fn balance(a: &mut [f64], n: usize) -> Vec<f64> {
    let mut scale = vec![1.0; n];
    for _ in 0..100 {
        let mut changed = false;
        for i in 0..n {
            let others = || (0..n).filter(|&k| k != i);
            let mut column: f64 = others().map(|k| a[k * n + i].abs()).sum();
            let row: f64 = others().map(|k| a[i * n + k].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let (sum, mut f) = (column + row, 1.0);
            // The bounds on f keep its square finite.
            while column < row / 2.0 && f < 1e150 {
                (f, column) = (f * 2.0, column * 4.0);
            }
            while column >= row * 2.0 && f > 1e-150 {
                (f, column) = (f / 2.0, column / 4.0);
            }
            if (column + row) / f < 0.95 * sum {
                changed = true;
                scale[i] *= f;
                (0..n).for_each(|k| a[i * n + k] /= f);
                (0..n).for_each(|k| a[k * n + i] *= f);
            }
        }
        if !changed {
            break;
        }
    }
    scale
}

/// A ← Qᵀ A Q with zeros below the first subdiagonal; returns Q.
fn to_hessenberg(a: &mut [f64], n: usize) -> Vec<f64> {
    let mut q = vec![0.0; n * n];
    (0..n).for_each(|i| q[i * n + i] = 1.0);
    let mut v = vec![0.0; n];
    for k in 0..n.saturating_sub(2) {
        let size = (k + 1..n).map(|i| a[i * n + k] * a[i * n + k]).sum::<f64>().sqrt();
        let head = a[(k + 1) * n + k];
        let rest: f64 = (k + 2..n).map(|i| a[i * n + k].abs()).sum();
        if rest == 0.0 || size == 0.0 {
            continue;
        }
        let target = if head > 0.0 { -size } else { size };
        for i in k + 1..n {
            v[i] = a[i * n + k] - if i == k + 1 { target } else { 0.0 };
        }
        let square: f64 = (k + 1..n).map(|i| v[i] * v[i]).sum();
        for j in 0..n {
            let along: f64 = (k + 1..n).map(|i| v[i] * a[i * n + j]).sum::<f64>() * 2.0 / square;
            (k + 1..n).for_each(|i| a[i * n + j] -= along * v[i]);
        }
        for m in [&mut *a, &mut q] {
            for i in 0..n {
                let along: f64 = (k + 1..n).map(|j| m[i * n + j] * v[j]).sum::<f64>() * 2.0 / square;
                (k + 1..n).for_each(|j| m[i * n + j] -= along * v[j]);
            }
        }
        (k + 2..n).for_each(|i| a[i * n + k] = 0.0);
    }
    q
}

/// H ← Q* H Q upper triangular, `q` ← q Q.
fn to_triangle(h: &mut [Complex], q: &mut [Complex], n: usize) -> Option<()> {
    let norm = h.iter().map(|z| z.norm()).sum::<f64>();
    let mut end = n;
    let mut steps = 0;
    let mut turns: Vec<(f64, Complex)> = Vec::with_capacity(n);
    while end > 1 {
        // Start of the last unreduced block.
        let mut start = end - 1;
        while start > 0 {
            let near = h[start * n + start].norm() + h[(start - 1) * n + start - 1].norm();
            let near = if near == 0.0 { norm } else { near };
            if h[start * n + start - 1].norm() <= f64::EPSILON * near {
                h[start * n + start - 1] = Complex::ZERO;
                break;
            }
            start -= 1;
        }
        if start == end - 1 {
            (end, steps) = (end - 1, 0);
            continue;
        }
        if steps == MOST_STEPS {
            return None;
        }
        steps += 1;
        let last = end - 1;
        let shift = if steps % 12 == 0 {
            // No convergence: an exceptional shift.
            h[last * n + last] + Complex::new(0.75 * h[last * n + last - 1].norm(), 0.0)
        } else {
            wilkinson(
                [h[(last - 1) * n + last - 1], h[(last - 1) * n + last]],
                [h[last * n + last - 1], h[last * n + last]],
            )
        };
        (start..end).for_each(|i| h[i * n + i] = h[i * n + i] - shift);
        turns.clear();
        for k in start..last {
            let (c, s) = givens(h[k * n + k], h[(k + 1) * n + k]);
            for j in k..n {
                let (x, y) = (h[k * n + j], h[(k + 1) * n + j]);
                h[k * n + j] = x.scaled(c) + s * y;
                h[(k + 1) * n + j] = y.scaled(c) - s.conjugate() * x;
            }
            turns.push((c, s));
        }
        for (k, &(c, s)) in (start..last).zip(&turns) {
            let below = if k + 2 < end { k + 2 } else { end };
            for (m, rows) in [(&mut *h, below), (&mut *q, n)] {
                for i in 0..rows {
                    let (x, y) = (m[i * n + k], m[i * n + k + 1]);
                    m[i * n + k] = x.scaled(c) + y * s.conjugate();
                    m[i * n + k + 1] = y.scaled(c) - x * s;
                }
            }
        }
        (start..end).for_each(|i| h[i * n + i] = h[i * n + i] + shift);
    }
    Some(())
}

/// The eigenvalue of two rows that is nearer to the last entry.
fn wilkinson([a, b]: [Complex; 2], [c, d]: [Complex; 2]) -> Complex {
    let half = (a - d).scaled(0.5);
    let root = (half * half + b * c).sqrt();
    // d − bc / (half ± root): the sign that does not cancel.
    let (plus, minus) = (half + root, half - root);
    let divisor = if plus.norm() >= minus.norm() { plus } else { minus };
    if divisor.norm() == 0.0 { d } else { d - b * c / divisor }
}

/// c real and s with [c s; −s̄ c] (x, y) = (r, 0).
fn givens(x: Complex, y: Complex) -> (f64, Complex) {
    let (a, b) = (x.norm(), y.norm());
    if b == 0.0 {
        return (1.0, Complex::ZERO);
    }
    if a == 0.0 {
        return (0.0, y.conjugate().scaled(1.0 / b));
    }
    let size = Complex::new(a, b).norm();
    let phase = x.scaled(1.0 / a);
    (a / size, phase * y.conjugate().scaled(1.0 / size))
}

/// Eigenvectors of D Q T Q* D⁻¹, each of length one.
fn vectors(t: &[Complex], q: &[Complex], scale: &[f64], n: usize) -> Vec<Complex> {
    let norm = t.iter().map(|z| z.norm()).sum::<f64>();
    let least = f64::EPSILON * if norm > 0.0 { norm } else { 1.0 };
    let mut out = vec![Complex::ZERO; n * n];
    for k in 0..n {
        let mut y = vec![Complex::ZERO; n];
        y[k] = Complex::ONE;
        for i in (0..k).rev() {
            let sum = (i + 1..=k).fold(Complex::ZERO, |s, j| s + t[i * n + j] * y[j]);
            let mut gap = t[i * n + i] - t[k * n + k];
            if gap.norm() < least {
                gap = Complex::new(least, 0.0);
            }
            y[i] = -sum / gap;
            let size = y[i].norm();
            if size > 1e100 {
                y.iter_mut().for_each(|y| *y = y.scaled(1.0 / size));
            }
        }
        let x: Vec<Complex> = (0..n)
            .map(|i| (0..=k).fold(Complex::ZERO, |s, j| s + q[i * n + j] * y[j]).scaled(scale[i]))
            .collect();
        let largest = x.iter().map(|x| x.norm()).fold(0.0, |w, x| if x > w { x } else { w });
        let size =
            x.iter().map(|x| (x.norm() / largest) * (x.norm() / largest)).sum::<f64>().sqrt() * largest;
        (0..n).for_each(|i| out[i * n + k] = x[i].scaled(1.0 / size));
    }
    out
}

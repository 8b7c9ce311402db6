//! Small dense kernels of any size, generic over the lane.
//!
//! A symmetric block is a packed lower triangle, row by row. Its Cholesky factor R (D = R Rᵀ) replaces it
//! in place, with the *reciprocal* of each diagonal entry on the diagonal, so that substitutions multiply.

use crate::graph::packed_len;
use crate::lane::Lane;

/// D = R Rᵀ in place. A pivot must exceed `least` × its diagonal entry, else its index is returned.
///
/// The Cholesky factorisation is invariant under a scaling of rows and columns together, so pivot / entry is
/// the pivot of the matrix scaled to a unit diagonal. Zero, negative, infinite and NaN pivots all fail this
/// comparison.
pub fn cholesky<T: Lane>(a: &mut [T], n: usize, least: f64) -> Result<(), usize> {
    let limit = 1.0 / least;
    for i in 0..n {
        let (above, row) = a.split_at_mut(packed_len(i));
        for j in 0..i {
            let other = &above[packed_len(j)..];
            let mut sum = row[j];
            for k in 0..j {
                sum -= row[k] * other[k];
            }
            row[j] = sum * other[j];
        }
        let mut pivot = row[i];
        for k in 0..i {
            pivot -= row[k] * row[k];
        }
        let reciprocal = T::ONE / pivot.sqrt();
        if (row[i] * reciprocal * reciprocal).magnitude() <= limit {
            row[i] = reciprocal;
        } else {
            return Err(i);
        }
    }
    Ok(())
}

/// v ← R⁻¹ v.
pub fn forward<T: Lane>(r: &[T], v: &mut [T]) {
    for i in 0..v.len() {
        let row = &r[packed_len(i)..];
        let mut sum = v[i];
        for k in 0..i {
            sum -= row[k] * v[k];
        }
        v[i] = sum * row[i];
    }
}

/// v ← R⁻ᵀ v.
pub fn backward<T: Lane>(r: &[T], v: &mut [T]) {
    for i in (0..v.len()).rev() {
        let row = &r[packed_len(i)..];
        v[i] *= row[i];
        let solved = v[i];
        for k in 0..i {
            v[k] -= row[k] * solved;
        }
    }
}

/// m ← R⁻¹ m for a row-major matrix of the given width.
pub(crate) fn forward_rows<T: Lane>(r: &[T], m: &mut [T], width: usize) {
    if width == 0 {
        return;
    }
    for i in 0..m.len() / width {
        let (above, rest) = m.split_at_mut(i * width);
        let (row, r) = (&mut rest[..width], &r[packed_len(i)..]);
        for k in 0..i {
            subtract_scaled(row, r[k], &above[k * width..(k + 1) * width]);
        }
        for entry in row {
            *entry *= r[i];
        }
    }
}

/// aᵀ b.
#[inline]
pub(crate) fn dot<T: Lane>(a: &[T], b: &[T]) -> T {
    let mut sum = T::ZERO;
    for (&a, &b) in a.iter().zip(b) {
        sum += a * b;
    }
    sum
}

/// v ← v + w.
#[inline]
pub(crate) fn add<T: Lane>(v: &mut [T], w: &[T]) {
    for (v, &w) in v.iter_mut().zip(w) {
        *v += w;
    }
}

/// v ← v + s w.
#[inline]
pub(crate) fn add_scaled<T: Lane>(v: &mut [T], s: T, w: &[T]) {
    for (v, &w) in v.iter_mut().zip(w) {
        *v += s * w;
    }
}

/// v ← v − s w.
#[inline]
pub(crate) fn subtract_scaled<T: Lane>(v: &mut [T], s: T, w: &[T]) {
    for (v, &w) in v.iter_mut().zip(w) {
        *v -= s * w;
    }
}

/// d ← d + vᵀ v for a row v and a packed d.
pub(crate) fn add_outer<T: Lane>(d: &mut [T], v: &[T]) {
    for i in 0..v.len() {
        add_scaled(&mut d[packed_len(i)..packed_len(i + 1)], v[i], &v[..=i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factor_and_substitutions_undo_the_product() {
        // D = [[4, 2, 1], [2, 5, 3], [1, 3, 6]], x = (1, −2, 3): D x = (3, 1, 13).
        let mut d = [4.0, 2.0, 5.0, 1.0, 3.0, 6.0];
        cholesky(&mut d, 3, 1e-15).unwrap();
        let mut v = [3.0, 1.0, 13.0];
        forward(&d, &mut v);
        let mut rows = [3.0, 0.5, 1.0, 0.5, 13.0, 0.5];
        forward_rows(&d, &mut rows, 2);
        assert!(v.iter().enumerate().all(|(i, v)| *v == rows[2 * i]));
        backward(&d, &mut v);
        for (v, x) in v.iter().zip([1.0, -2.0, 3.0]) {
            assert!((v - x).abs() < 1e-14, "{v} {x}");
        }
    }

    #[test]
    fn bad_pivots_are_named_and_nothing_panics() {
        for (bad, at) in [(0.0, 1), (-1.0, 1), (f64::NAN, 1), (f64::INFINITY, 1), (1.0 + 1e-9, 1)] {
            assert_eq!(cholesky(&mut [1.0, 1.0, bad], 2, 1e-6), Err(at), "{bad}");
        }
        assert_eq!(cholesky(&mut [f64::NAN], 1, 1e-15), Err(0));
        assert_eq!(cholesky::<f64>(&mut [], 0, 1e-15), Ok(()));
    }
}

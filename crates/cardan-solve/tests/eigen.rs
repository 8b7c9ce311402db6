//! Eigenvalues and null spaces, compared with another library and with the equations they satisfy.
#![allow(clippy::disallowed_methods)] // no bits are promised here but those of the solvers

use cardan_solve::NullSpaceBasis;
use cardan_solve::eigen::{Complex, eigen, eigen_symmetric};
use nalgebra::DMatrix;

/// Numbers in −1 … 1 from a seed (a linear congruence).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn many(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }
}

#[test]
fn a_symmetric_matrix_is_its_values_along_orthonormal_vectors() {
    for (seed, n) in [(1, 1), (2, 2), (3, 3), (4, 7), (5, 20), (6, 60), (7, 49), (8, 150)] {
        let raw = Numbers(seed).many(n * n);
        let a: Vec<f64> = (0..n * n).map(|k| raw[k] + raw[(k % n) * n + k / n]).collect();
        let found = eigen_symmetric(&a, n);
        let (m, v) = (DMatrix::from_row_slice(n, n, &a), DMatrix::from_row_slice(n, n, &found.vectors));
        let values = DMatrix::from_diagonal(&nalgebra::DVector::from_row_slice(&found.values));
        // A few roundings per rotation, of numbers of size one, n rotations for each entry.
        let rounding = 40.0 * n as f64 * f64::EPSILON;
        assert!((v.transpose() * &v - DMatrix::identity(n, n)).amax() < rounding, "seed {seed}");
        assert!((&m * &v - &v * values).amax() < rounding * m.amax(), "seed {seed}");
        let mut other: Vec<f64> = m.symmetric_eigenvalues().iter().copied().collect();
        other.sort_by(f64::total_cmp);
        for (a, b) in found.values.iter().zip(other) {
            assert!((a - b).abs() < rounding * m.amax(), "seed {seed}: {a} and {b}");
        }
    }
}

#[test]
fn large_symmetric_matrices_with_zeros_and_repeated_values_are_answered() {
    // All zero; a multiple of the unit matrix; two uncoupled blocks, the second one a chain with 2 − 2
    // cos(kπ/(n+1)).
    let n = 60;
    assert!(eigen_symmetric(&vec![0.0; n * n], n).values.iter().all(|x| *x == 0.0));
    let mut a = vec![0.0; n * n];
    (0..n).for_each(|i| a[i * n + i] = 3.0);
    assert!(eigen_symmetric(&a, n).values.iter().all(|x| *x == 3.0));
    let half = n / 2;
    for i in half..n {
        a[i * n + i] = 2.0;
        if i + 1 < n {
            (a[i * n + i + 1], a[(i + 1) * n + i]) = (-1.0, -1.0);
        }
    }
    let angle = |k: usize| k as f64 * std::f64::consts::PI / (half as f64 + 1.0);
    let mut want: Vec<f64> = (1..=half).map(|k| 2.0 - 2.0 * angle(k).cos()).collect();
    want.extend(vec![3.0; half]);
    want.sort_by(f64::total_cmp);
    for (got, want) in eigen_symmetric(&a, n).values.iter().zip(want) {
        assert!((got - want).abs() < 1e-14 * n as f64, "{got} instead of {want}");
    }
}

#[test]
fn small_values_of_a_graded_matrix_keep_their_digits() {
    // diag(d) H diag(d) with H near one: eigenvalues have relative errors of some roundings whatever d is.
    let d = [1e8, 1.0, 1e-8];
    let h = [1.0, 0.1, 0.2, 0.1, 1.0, 0.1, 0.2, 0.1, 1.0];
    let a: Vec<f64> = (0..9).map(|k| d[k / 3] * h[k] * d[k % 3]).collect();
    let found = eigen_symmetric(&a, 3).values;
    // Schur complements: exact to second order in the ratios, which are 1e-16.
    let second = 1.0 - 0.1 * 0.1;
    let (b, c) = (0.1 - 0.1 * 0.2, 1.0 - 0.2 * 0.2);
    let third = c - b * b / second;
    for (got, want) in found.iter().zip([third * 1e-16, second, 1e16]) {
        assert!((got / want - 1.0).abs() < 1e-14, "{got} instead of {want}");
    }
}

fn worst_residual(a: &[f64], n: usize) -> f64 {
    let found = eigen(a, n).expect("an answer");
    let mut worst: f64 = 0.0;
    for k in 0..n {
        let mut size = 0.0;
        for i in 0..n {
            let x = |j: usize| found.vectors[j * n + k];
            let ax = (0..n).fold(Complex::ZERO, |s, j| s + x(j).scaled(a[i * n + j]));
            worst = worst.max((ax - found.values[k] * x(i)).norm());
            size += x(i).norm() * x(i).norm();
        }
        assert!((size - 1.0).abs() < 1e-12, "a vector of length {size}");
    }
    worst
}

#[test]
fn any_real_matrix_has_the_values_another_library_finds() {
    for (seed, n) in [(11, 1), (12, 2), (13, 3), (14, 8), (15, 25), (16, 60)] {
        let a = Numbers(seed).many(n * n);
        let rounding = 200.0 * n as f64 * f64::EPSILON;
        assert!(worst_residual(&a, n) < rounding, "seed {seed}: {}", worst_residual(&a, n));
        let mut ours: Vec<Complex> = eigen(&a, n).expect("an answer").values;
        let other = DMatrix::from_row_slice(n, n, &a).complex_eigenvalues();
        // Each eigenvalue of the other library is among ours; well separated for random matrices, so
        // conditions are mild.
        for z in other.iter() {
            let near = |w: &Complex| (*w - Complex::new(z.re, z.im)).norm();
            let best =
                (0..ours.len()).min_by(|&i, &j| near(&ours[i]).total_cmp(&near(&ours[j]))).expect("one");
            assert!(near(&ours[best]) < 1e-10, "seed {seed}: {z} is missing");
            ours.swap_remove(best);
        }
    }
}

#[test]
fn matrices_that_stop_a_careless_qr_are_answered() {
    // A cyclic shift (roots of one, where an unshifted QR stagnates), a nilpotent block, zeros, a bad scale.
    let shift = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    assert!(worst_residual(&shift, 4) < 1e-14);
    let values = eigen(&shift, 4).expect("an answer").values;
    assert!(values.iter().all(|z| (z.norm() - 1.0).abs() < 1e-14));
    assert!(worst_residual(&[0.0, 1.0, 0.0, 0.0], 2) < 1e-15);
    assert!(worst_residual(&[0.0; 9], 3) < 1e-15);
    assert!(eigen(&[], 0).expect("an answer").values.is_empty());
    let scaled = [1.0, 1e12, 1e-12, 2.0];
    let values = eigen(&scaled, 2).expect("an answer").values;
    let mut real: Vec<f64> = values.iter().map(|z| z.re).collect();
    real.sort_by(f64::total_cmp);
    // x² − 3 x + 1 = 0.
    let root = 5f64.sqrt();
    assert!((real[0] - (3.0 - root) / 2.0).abs() < 1e-14 && (real[1] - (3.0 + root) / 2.0).abs() < 1e-14);
    assert!(eigen(&[f64::NAN], 1).is_none());
    assert!(eigen_symmetric(&[f64::INFINITY], 1).values[0].is_nan());
}

#[test]
fn a_null_space_basis_separates_row_space_and_null_space() {
    for (seed, rows, n, repeated) in
        [(21, 3, 7, 0), (22, 6, 6, 0), (23, 9, 12, 3), (24, 0, 4, 0), (25, 8, 5, 3)]
    {
        let mut numbers = Numbers(seed);
        let own = rows - repeated;
        let mut j = numbers.many(own * n);
        for _ in 0..repeated {
            // A combination of the first two rows, of another size.
            let (a, b) = (1e3 * numbers.next(), 1e3 * numbers.next());
            let row: Vec<f64> = (0..n).map(|k| a * j[k] + b * j[n + k]).collect();
            j.extend(row);
        }
        let split = NullSpaceBasis::of(&j, n).expect("finite");
        assert_eq!((split.rank(), split.nullity()), (own, n - own), "seed {seed}");
        let m = DMatrix::from_row_slice(rows, n, &j);
        let free: Vec<f64> = (0..split.nullity()).flat_map(|k| split.null_vector(k)).collect();
        let z = DMatrix::from_column_slice(n, split.nullity(), &free);
        if z.ncols() > 0 {
            assert!((z.transpose() * &z - DMatrix::identity(n - own, n - own)).amax() < 1e-14);
            assert!(rows == 0 || (&m * &z).amax() < 1e-11, "seed {seed}: {}", (&m * &z).amax());
        }
        // A force plus Jᵀ of the best multipliers is in the null space.
        let f = numbers.many(n);
        let mut lambda = vec![0.0; rows];
        split.multipliers(&f, &mut lambda);
        let f = nalgebra::DVector::from_row_slice(&f);
        let left = &f + m.transpose() * nalgebra::DVector::from_row_slice(&lambda);
        assert!((&left - &z * (z.transpose() * &f)).amax() < 1e-11, "seed {seed}");
        // The shortest solution of consistent rows: it satisfies them, and has no part in the null space.
        let any = nalgebra::DVector::from_row_slice(&numbers.many(n));
        let c: Vec<f64> = (-(&m * any)).iter().copied().collect();
        let x = nalgebra::DVector::from_row_slice(&split.least_norm(&c));
        let c = nalgebra::DVector::from_row_slice(&c);
        assert!(rows == 0 || (&m * &x + c).amax() < 1e-10, "seed {seed}");
        assert!(z.ncols() == 0 || (z.transpose() * x).amax() < 1e-12, "seed {seed}");
    }
    assert!(NullSpaceBasis::of(&[f64::NAN, 1.0], 2).is_none());
    assert_eq!(NullSpaceBasis::of(&[0.0, 0.0], 2).expect("finite").nullity(), 2);
}

//! The algebra of rotations and inertias, against definitions and another library.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::*;
use cardan_testkit::Rng;
use core::f64::consts::PI;
use nalgebra::{Matrix3, Matrix4, SMatrix, Vector4};

const ROUNDING: f64 = 8.0 * f64::EPSILON;

fn vector(rng: &mut Rng, size: f64) -> Vec3 {
    rng.vector(size).to_array().into()
}
fn rotation(rng: &mut Rng) -> Quat {
    let q = [0; 4].map(|_| rng.range(-1.0, 1.0));
    Quat::from_wxyz(q[0], q[1], q[2], q[3]).unwrap()
}
fn close(a: Vec3, b: Vec3, tolerance: f64) -> bool {
    (a - b).largest() <= tolerance
}
fn same_rotation(a: Quat, b: Quat, tolerance: f64) -> bool {
    let b = if a.w * b.w + a.v.dot(b.v) < 0.0 { -b } else { b };
    (a.w - b.w).abs() <= tolerance && close(a.v, b.v, tolerance)
}
fn four(q: Quat) -> Vector4<f64> {
    Vector4::from(q.to_wxyz())
}
fn dense(m: &Mat3) -> Matrix3<f64> {
    Matrix3::from_columns(&[m.x, m.y, m.z].map(|c| c.to_array().into()))
}
fn dense_sym(s: &Sym3) -> Matrix3<f64> {
    Matrix3::new(s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz)
}

/// p ⊗ q as a matrix on q, and as a matrix on p.
fn product_matrices(p: Quat, q: Quat) -> (Matrix4<f64>, Matrix4<f64>) {
    let left = |Quat { w, v: Vec3 { x, y, z } }: Quat| {
        Matrix4::new(w, -x, -y, -z, x, w, -z, y, y, z, w, -x, z, -y, x, w)
    };
    let right = |Quat { w, v: Vec3 { x, y, z } }: Quat| {
        Matrix4::new(w, -x, -y, -z, x, w, z, -y, y, -z, w, x, z, y, -x, w)
    };
    (left(p), right(q))
}

#[test]
fn the_product_is_its_two_matrices_and_composes_rotations() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (p, q, v) = (rotation(&mut rng), rotation(&mut rng), vector(&mut rng, 2.0));
        let (left, right) = product_matrices(p, q);
        assert!((four(p * q) - left * four(q)).amax() < ROUNDING, "seed {seed}");
        assert!((four(p * q) - right * four(p)).amax() < ROUNDING, "seed {seed}");
        assert!(close((p * q) * v, p * (q * v), 4.0 * ROUNDING), "seed {seed}");
        assert!((dense(&(p * q).matrix()) - dense(&p.matrix()) * dense(&q.matrix())).amax() < ROUNDING);
        // The inverse of a product is the product of the inverses in reverse order.
        assert!(same_rotation((p * q).inverse(), q.inverse() * p.inverse(), ROUNDING), "seed {seed}");
        assert!(same_rotation(p * p.inverse(), Quat::IDENTITY, ROUNDING), "seed {seed}");
    }
}

#[test]
fn a_rotated_point_is_q_p_q_conjugate_and_the_matrix_times_it() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (q, v) = (rotation(&mut rng), vector(&mut rng, 2.0));
        let sandwich = q * Quat { w: 0.0, v } * q.inverse();
        assert!(sandwich.w.abs() < 2.0 * ROUNDING && close(sandwich.v, q * v, 4.0 * ROUNDING), "seed {seed}");
        let m = q.matrix();
        assert!(close(m * v, q * v, 4.0 * ROUNDING), "seed {seed}");
        assert!(close(m.transpose_mul(v), q.inverse() * v, 4.0 * ROUNDING), "seed {seed}");
        assert!(close(m.transposed() * v, q.inverse() * v, 4.0 * ROUNDING), "seed {seed}");
        assert!(close((-q) * v, q * v, 4.0 * ROUNDING), "both signs are one rotation");
        // Orthogonal and right-handed.
        let d = dense(&m);
        assert!((d * d.transpose() - Matrix3::identity()).amax() < ROUNDING);
        assert!((d.determinant() - 1.0).abs() < ROUNDING);
        let n = dense(&m.transpose_mul_mat(&m)) - Matrix3::identity();
        assert!(n.amax() < ROUNDING);
    }
}

#[test]
fn logarithm_undoes_exponential_from_tiny_angles_to_almost_half_a_turn() {
    let sizes = [
        1e-300,
        1e-160,
        1e-20,
        1e-9,
        1.9e-8,
        2.1e-8,
        1e-4,
        1.9e-3,
        2.1e-3,
        0.5,
        2.0,
        3.0,
        PI - 1e-6,
        PI - 1e-12,
    ];
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let axis: Vec3 = rng.direction().to_array().into();
        for size in sizes {
            let theta = axis * size;
            let q = Quat::exp(theta);
            let norm = q.w * q.w + q.v.dot(q.v);
            assert!((norm - 1.0).abs() < ROUNDING, "angle {size}: |q|² = {norm}");
            assert!(
                close(q.log(), theta, 2.0 * ROUNDING * size),
                "angle {size}: {:?} against {theta:?}",
                q.log()
            );
            assert!(close((-q).log(), theta, 2.0 * ROUNDING * size), "the other sign of angle {size}");
            let same = Quat::from_axis_angle(axis * 3.0, size).unwrap();
            assert!(same_rotation(q, same, ROUNDING), "angle {size}");
        }
        // Beyond half a turn the shorter rotation is returned.
        let long = Quat::exp(axis * 4.0).log();
        assert!(close(long, axis * (4.0 - 2.0 * PI), 2e-15), "{long:?}");
    }
    assert_eq!(Quat::exp(Vec3::ZERO), Quat::IDENTITY);
    assert_eq!(Quat::IDENTITY.log(), Vec3::ZERO);
}

#[test]
fn the_series_of_the_exponential_meets_the_closed_form() {
    // On both sides of the switch to the series.
    for angle in [1.9e-3, 1.999_999e-3, 2.000_001e-3, 2.1e-3] {
        let q = Quat::exp(vec3(angle, 0.0, 0.0));
        assert!((q.w - f64::cos(angle / 2.0)).abs() <= f64::EPSILON);
        assert!((q.v.x - f64::sin(angle / 2.0)).abs() <= f64::EPSILON * angle);
    }
}

#[test]
fn the_rate_of_a_quaternion_is_half_omega_times_it() {
    // q(t) = exp(t ω) q₀ turns with ω in world axes: q̇ = ½ (0, ω) q (T6).
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let (q, omega) = (rotation(&mut rng), vector(&mut rng, 2.0));
        let at = |t: f64| Quat::exp(omega * t) * q;
        let rate = Quat { w: 0.0, v: omega * 0.5 } * q;
        let eps = 1e-3;
        let slope = (four(at(eps)) - four(at(-eps))) * 8.0 - (four(at(2.0 * eps)) - four(at(-2.0 * eps)));
        assert!((slope / (12.0 * eps) - four(rate)).amax() < 1e-11, "seed {seed}");
        // q(t) carries vectors with ω × .
        let v = vector(&mut rng, 1.0);
        let moved =
            ((at(eps) * v - at(-eps) * v) * 8.0 - (at(2.0 * eps) * v - at(-2.0 * eps) * v)) / (12.0 * eps);
        assert!(close(moved, omega.cross(q * v), 1e-10), "seed {seed}");
    }
}

/// ω = G q̇ with q̇ a four-vector: the rows of 2 (0, ·) q̄ without the scalar one.
fn g_matrix(Quat { w, v: Vec3 { x, y, z } }: Quat) -> SMatrix<f64, 3, 4> {
    SMatrix::<f64, 3, 4>::new(-x, w, -z, y, -y, z, w, -x, -z, -y, x, w) * 2.0
}

#[test]
fn g_times_its_transpose_is_the_identity_but_not_the_other_way_round() {
    // T7: G Gᵀ/4 = I₃, whereas Gᵀ G/4 = I₄ − q qᵀ; papers that cancel the second lose the norm.
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let (q, omega) = (rotation(&mut rng), vector(&mut rng, 3.0));
        let g = g_matrix(q);
        assert!((g * g.transpose() / 4.0 - Matrix3::identity()).amax() < ROUNDING, "seed {seed}");
        let other = g.transpose() * g / 4.0;
        assert!(
            (other - (Matrix4::identity() - four(q) * four(q).transpose())).amax() < ROUNDING,
            "seed {seed}"
        );
        assert!((other - Matrix4::identity()).amax() > 0.2, "not the identity: q is in its null space");
        // G maps the rate back to ω, and Gᵀ/4 is its right inverse.
        let rate = four(Quat { w: 0.0, v: omega * 0.5 } * q);
        let back = g * rate;
        assert!(close(vec3(back[0], back[1], back[2]), omega, 3.0 * ROUNDING), "seed {seed}");
        let there = g.transpose() * nalgebra::Vector3::from(omega.to_array()) / 4.0;
        assert!((there - rate).amax() < 3.0 * ROUNDING, "seed {seed}");
    }
}

#[test]
fn a_matrix_gives_its_quaternion_back_whatever_component_is_largest() {
    let mut branches = [0; 4];
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let q = rotation(&mut rng);
        let parts = q.to_wxyz();
        let largest = (0..4).max_by(|&i, &j| parts[i].abs().total_cmp(&parts[j].abs())).unwrap();
        branches[largest] += 1;
        assert!(same_rotation(Quat::from_matrix(&q.matrix()), q, ROUNDING), "seed {seed}: {q:?}");
    }
    assert!(branches.iter().all(|&b| b > 50), "{branches:?}");
    // Half turns about each axis and each diagonal, where the trace is −1.
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, vec3(1.0, 1.0, 0.0), vec3(0.0, 1.0, -1.0), vec3(1.0, 1.0, 1.0)] {
        let q = Quat::from_axis_angle(axis, PI).unwrap();
        assert!(same_rotation(Quat::from_matrix(&q.matrix()), q, ROUNDING), "half a turn about {axis:?}");
    }
}

#[test]
fn a_frame_along_an_axis_has_its_z_there_and_its_x_as_near_the_hint_as_can_be() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (axis, hint) = (vector(&mut rng, 3.0), vector(&mut rng, 2.0));
        let z = axis.normalized().unwrap();
        let q = Quat::with_z_along(axis, Some(hint)).unwrap();
        assert!(close(q * Vec3::Z, z, ROUNDING), "seed {seed}");
        // y is perpendicular to the hint, and x is on its side.
        assert!((q * Vec3::Y).dot(hint).abs() < 1e-14 && (q * Vec3::X).dot(hint) > 0.0, "seed {seed}");
        assert!(close(Quat::with_z_along(axis, None).unwrap() * Vec3::Z, z, ROUNDING), "seed {seed}");
        // A hint along the axis is ignored.
        assert_eq!(Quat::with_z_along(axis, Some(axis)), Quat::with_z_along(axis, None));
    }
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z, vec3(0.0, 0.0, 1e-300), vec3(1e300, 0.0, 1e300)] {
        let q = Quat::with_z_along(axis, None).unwrap();
        assert!(close(q * Vec3::Z, axis.normalized().unwrap(), ROUNDING), "{axis:?}");
    }
    for axis in [Vec3::ZERO, vec3(f64::NAN, 0.0, 1.0), vec3(f64::INFINITY, 0.0, 0.0)] {
        assert_eq!(Quat::with_z_along(axis, None), None, "{axis:?}");
    }
}

#[test]
fn the_twist_is_the_part_of_a_rotation_about_an_axis() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let (angle, tilt) = (rng.range(-3.1, 3.1), rng.range(-1.5, 1.5));
        let side = vec3(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0).normalized().unwrap();
        // A swing about an axis perpendicular to z does not change the twist, whether before or
        // after it.
        let (twist, swing) = (Quat::exp(Vec3::Z * angle), Quat::exp(side * tilt));
        for q in [twist, swing * twist, twist * swing, -(swing * twist)] {
            assert!((q.twist_angle(Vec3::Z) - angle).abs() < 4.0 * ROUNDING, "seed {seed}");
        }
    }
    assert_eq!(Quat::exp(Vec3::Z * PI).twist_angle(Vec3::Z), PI);
}

#[test]
fn components_that_are_no_rotation_are_refused_and_others_normalised() {
    assert_eq!(Quat::from_wxyz(0.0, 0.0, 0.0, 0.0), None);
    assert_eq!(Quat::from_wxyz(f64::NAN, 0.0, 0.0, 1.0), None);
    assert_eq!(Quat::from_wxyz(1.0, f64::INFINITY, 0.0, 1.0), None);
    assert_eq!(Quat::from_axis_angle(Vec3::ZERO, 1.0), None);
    for scale in [1e-300, 1.0, 1e300] {
        let q = Quat::from_wxyz(scale, -scale, scale, scale).unwrap();
        assert!(same_rotation(q, Quat { w: 0.5, v: vec3(-0.5, 0.5, 0.5) }, ROUNDING), "scale {scale}");
    }
}

#[test]
fn a_rotated_tensor_is_r_s_r_transposed() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let [xx, yy, zz, xy, xz, yz] = [0; 6].map(|_| rng.range(-2.0, 2.0));
        let s = Sym3 { xx, yy, zz, xy, xz, yz };
        let r = rotation(&mut rng).matrix();
        let expected = dense(&r) * dense_sym(&s) * dense(&r).transpose();
        assert!((dense_sym(&s.rotated(&r)) - expected).amax() < 4.0 * ROUNDING, "seed {seed}");
        assert!((s.rotated(&r).trace() - s.trace()).abs() < 4.0 * ROUNDING, "seed {seed}");
        let v = vector(&mut rng, 1.0);
        assert!(close(r * (s * r.transpose_mul(v)), s.rotated(&r) * v, 4.0 * ROUNDING), "seed {seed}");
        // The inertia of a unit mass at v, as v × (ω × v).
        let w = vector(&mut rng, 1.0);
        assert!(close(Sym3::of_point(v) * w, v.cross(w.cross(v)), ROUNDING), "seed {seed}");
    }
}

#[test]
fn eigenvalues_are_those_of_another_library() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let [xx, yy, zz, xy, xz, yz] = [0; 6].map(|_| rng.range(-2.0, 2.0));
        let mut s = Sym3 { xx, yy, zz, xy, xz, yz };
        if seed % 4 == 1 {
            // Two equal moments, hidden by a rotation.
            s = Sym3::diagonal(xx, xx, zz).rotated(&rotation(&mut rng).matrix());
        } else if seed % 4 == 2 {
            // Nine decades.
            s = Sym3::diagonal(1e-6, 1.0, 1e3).rotated(&rotation(&mut rng).matrix());
        }
        let mut expected: Vec<f64> = dense_sym(&s).symmetric_eigenvalues().iter().copied().collect();
        expected.sort_by(f64::total_cmp);
        let size = expected.iter().fold(0.0, |w: f64, e| w.max(e.abs()));
        for (mine, other) in s.eigenvalues().iter().zip(&expected) {
            assert!((mine - other).abs() < 8.0 * ROUNDING * size, "seed {seed}: {mine} against {other}");
        }
    }
    assert_eq!(Sym3::diagonal(3.0, -1.0, 2.0).eigenvalues(), [-1.0, 2.0, 3.0]);
    assert!(Sym3::diagonal(f64::NAN, 1.0, 1.0).eigenvalues().iter().any(|e| e.is_nan()));
}

#[test]
fn a_perpendicular_is_square_and_of_unit_length_for_any_vector() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let v = vector(&mut rng, 1.0) * 10.0_f64.powf(rng.range(-200.0, 200.0));
        let p = v.any_perpendicular().unwrap();
        assert!(
            (p.norm() - 1.0).abs() < ROUNDING && p.dot(v.normalized().unwrap()).abs() < ROUNDING,
            "seed {seed}"
        );
    }
    assert_eq!(Vec3::ZERO.any_perpendicular(), None);
}

#[test]
fn angles_are_unwrapped_to_the_nearest_turn() {
    for turns in -3..=3 {
        for rest in [-3.0, -0.1, 0.0, 2.0, 3.1] {
            let near = 2.0 * PI * f64::from(turns) + rest + 0.4;
            let angle = unwrap_near(rest, near);
            assert!((angle - near + 0.4).abs() < 1e-14 * (1.0 + near.abs()), "{rest} near {near}: {angle}");
        }
    }
}

#[test]
fn the_larger_of_two_keeps_what_is_not_a_number() {
    assert_eq!((larger(1.0, 2.0), larger(2.0, 1.0)), (2.0, 2.0));
    assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
}

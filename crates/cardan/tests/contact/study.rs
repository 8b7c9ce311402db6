//! Two methods of the papers that cardan does not use: Tasora's null pivots, and orientations as
//! four raw numbers.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::math::{Quat, vec3};
use cardan::solve::{Graph, Rank, Solver, Sparse, System};
use cardan::{Body, BodyId, Gravity, ModelBuilder, Simulation};
use nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector4};
use std::sync::Arc;

/// The solution by H = L D Lᵀ in the order given, with pivots below `null` set to 1e34 (Tasora,
/// §5).
fn null_pivots(h: &[Vec<f64>], right: &[f64], order: &[usize], null: f64) -> Vec<f64> {
    let n = right.len();
    let mut a: Vec<Vec<f64>> = order.iter().map(|&i| order.iter().map(|&j| h[i][j]).collect()).collect();
    let mut x: Vec<f64> = order.iter().map(|&i| right[i]).collect();
    for k in 0..n {
        if a[k][k].abs() <= null {
            a[k][k] = 1e34;
        }
        for i in k + 1..n {
            let l = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= l * a[k][j];
            }
            x[i] -= l * x[k];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= a[i][j] * x[j];
        }
        x[i] /= a[i][i];
    }
    let mut answer = vec![0.0; n];
    order.iter().zip(x).for_each(|(&place, x)| answer[place] = x);
    answer
}

#[test]
fn null_pivots_give_reactions_that_depend_on_the_order_of_elimination() {
    // A body of 2 kg on two hooks above each other, under 10 N: M v̇ = F + λ₁ + λ₂, v̇ = 0 twice.
    let h = |second: f64| vec![vec![2.0, -1.0, -second], vec![-1.0, 0.0, 0.0], vec![-second, 0.0, 0.0]];
    let right = [-10.0, 0.0, 0.0];
    let threshold = 1e-12;
    let first = null_pivots(&h(1.0), &right, &[0, 1, 2], threshold);
    let second = null_pivots(&h(1.0), &right, &[0, 2, 1], threshold);
    // The motion is right in both cases; the hook that is first in the order carries the whole
    // load.
    assert!(first[0].abs() < 1e-15 && second[0].abs() < 1e-15);
    assert!((first[1] - 10.0).abs() < 1e-14 && first[2].abs() < 1e-14, "{first:?}");
    assert!((second[2] - 10.0).abs() < 1e-14 && second[1].abs() < 1e-14, "{second:?}");

    // In floating point the pivot need not be zero (trap T11): where it is rounding, 1e34 is not
    // used, rounding decides between the hooks, and they pull against each other with arbitrary
    // forces. Here the second row is the first times a factor.
    let shared = |threshold: f64| {
        let spoiled = (1..200).filter(|&k| {
            let factor = 1.0 + 0.01 * f64::from(k);
            let (a, b) = (0.3, 0.3 * factor);
            let rows = vec![vec![2.0, -a, -b], vec![-a, 0.0, 0.0], vec![-b, 0.0, 0.0]];
            let answer = null_pivots(&rows, &[-10.0, 0.01, 0.01 * factor], &[0, 1, 2], threshold);
            answer[2].abs() > 0.1
        });
        spoiled.count()
    };
    let (exact, scaled) = (shared(0.0), shared(threshold));
    println!("{exact} of 199 pairs of hooks are spoiled without a threshold");
    assert!(exact > 20 && scaled == 0, "{exact} {scaled}");

    // cardan: both hooks are reported as not unique, and each carries half.
    let mut graph = Graph::new();
    let body = graph.add_block(1);
    let hooks = [(); 2].map(|()| graph.add_link(1, &[None, Some(body)]));
    let mut system = System::new(Arc::new(graph));
    system.mass_mut(body)[0] = 2.0;
    system.force_of_mut(body)[0] = -10.0;
    hooks.iter().for_each(|&hook| system.jac_mut(hook, 1)[0] = 1.0);
    let mut rank = Rank::new(system.graph());
    rank.decide(&system).unwrap();
    let mut unique = [true; 2];
    rank.compute_unique(&mut [0.0; 2], &mut unique);
    assert_eq!((rank.rank(), unique), (1, [false; 2]));
    let mut solver = Solver::Sparse(Sparse::new(system.graph()));
    solver.factor(&system).unwrap();
    let (mut x, mut lambda) = ([0.0], [0.0; 2]);
    solver.solve(system.force(), system.bias(), &mut x, &mut lambda);
    rank.level(&[1.0; 2], &mut lambda, &mut [0.0; 2]);
    // Some operations on numbers of about ten.
    assert!(x[0].abs() < 1e-15 && (lambda[0] - 5.0).abs() + (lambda[1] - 5.0).abs() < 1e-14, "{lambda:?}");
}

/// G with ω = 2 G q̇ in body axes, q = (w, x, y, z).
fn g(q: &Vector4<f64>) -> SMatrix<f64, 3, 4> {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    SMatrix::<f64, 3, 4>::new(-x, w, z, -y, -y, -z, w, x, -z, y, -x, w)
}

/// q̈ of a body under a torque (body axes) from Lagrange's equations in the four numbers, with the
/// multiplier of |q| = 1:
///
///   4 Gᵀ I G q̈ + 8 Ġᵀ I G q̇ = 2 Gᵀ τ + ν q,   q · q̈ + q̇ · q̇ = 0          (Ġ = G(q̇))
fn raw(inertia: &Matrix3<f64>, q: &Vector4<f64>, rate: &Vector4<f64>, torque: &Vector3<f64>) -> Vector4<f64> {
    let (g, g_rate) = (g(q), g(rate));
    let mass = 4.0 * g.transpose() * inertia * g;
    let force = 2.0 * g.transpose() * torque - 8.0 * g_rate.transpose() * inertia * g * rate;
    let mut h = SMatrix::<f64, 5, 5>::zeros();
    h.fixed_view_mut::<4, 4>(0, 0).copy_from(&mass);
    h.fixed_view_mut::<4, 1>(0, 4).copy_from(&-q);
    h.fixed_view_mut::<1, 4>(4, 0).copy_from(&-q.transpose());
    let right = SVector::<f64, 5>::new(force[0], force[1], force[2], force[3], rate.dot(rate));
    let answer = h.full_piv_lu().solve(&right).unwrap();
    answer.fixed_rows::<4>(0).into_owned()
}

#[test]
fn four_raw_numbers_need_a_multiplier_of_their_own_and_drift_off_the_unit_sphere() {
    let inertia = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 2.5));
    let q = Vector4::new(0.5, -0.5, 0.1, 0.7).normalize();
    let omega = Vector3::new(0.3, 2.0, -0.4);
    let rate = 0.5 * g(&q).transpose() * omega;

    // Tasora's eq. 32 prints Gᵀ G / 4 = 1 (his G is 2 G): true is G Gᵀ = 1, while Gᵀ G = 1 − q qᵀ
    // projects (trap T7).
    assert!((g(&q) * g(&q).transpose() - Matrix3::identity()).amax() < 1e-15);
    let projector = SMatrix::<f64, 4, 4>::identity() - q * q.transpose();
    assert!((g(&q).transpose() * g(&q) - projector).amax() < 1e-15);
    // So the mass matrix of the four numbers is singular: without the row of |q| = 1 there is no
    // unique acceleration.
    let mass = 4.0 * g(&q).transpose() * inertia * g(&q);
    let values = mass.symmetric_eigenvalues();
    assert!(values.amin() < 1e-14 * values.amax(), "{values}");

    // With it, the angular acceleration of Euler's equation, which needs neither row nor
    // multiplier.
    let torque = Vector3::new(0.2, -0.1, 0.5);
    let by_euler = inertia.try_inverse().unwrap() * (torque - omega.cross(&(inertia * omega)));
    let by_raw = 2.0 * g(&q) * raw(&inertia, &q, &rate, &torque);
    assert!((by_euler - by_raw).amax() < 1e-14, "{by_euler} {by_raw}");

    // Integrated without projection (RK4, 10 ms, a flipping body), |q| leaves one; cardan's ω̇ with
    // the exponential map does not.
    let (mut q, mut rate) = (q, rate);
    let zero = Vector3::zeros();
    let h = 1e-2;
    let mut drift = 0.0_f64;
    for _ in 0..1000 {
        let f = |q: &Vector4<f64>, r: &Vector4<f64>| raw(&inertia, q, r, &zero);
        let (k1, l1) = (rate, f(&q, &rate));
        let (k2, l2) = (rate + l1 * (h / 2.0), f(&(q + k1 * (h / 2.0)), &(rate + l1 * (h / 2.0))));
        let (k3, l3) = (rate + l2 * (h / 2.0), f(&(q + k2 * (h / 2.0)), &(rate + l2 * (h / 2.0))));
        let (k4, l4) = (rate + l3 * h, f(&(q + k3 * h), &(rate + l3 * h)));
        q += (k1 + 2.0 * (k2 + k3) + k4) * (h / 6.0);
        rate += (l1 + 2.0 * (l2 + l3) + l4) * (h / 6.0);
        drift = drift.max((q.norm() - 1.0).abs());
    }
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let start = Vector4::new(0.5, -0.5, 0.1, 0.7).normalize();
    let rot = Quat { w: start[0], v: vec3(start[1], start[2], start[3]) };
    let spin = rot * vec3(omega.x, omega.y, omega.z);
    let mut body = Body::rod(1.0, 1.0, 0.1);
    body.mass.inertia = cardan::math::Sym3::diagonal(1.0, 2.0, 2.5);
    parts.add_body(Body { rot, omega: spin, ..body });
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.run(10.0, h).unwrap();
    let now = sim.kinematics().body(BodyId::of_index(0)).orientation.to_wxyz();
    let size = now.iter().map(|x| x * x).sum::<f64>().sqrt();
    // A renormalised quaternion: one rounding; the raw one drifts by the truncation of RK4.
    assert!((size - 1.0).abs() < 1e-15 && drift > 1e-10, "{size} {drift:e}");
    // The motions agree to the accuracy of the raw one.
    let same = now.iter().zip(q.iter()).map(|(a, b)| a * b).sum::<f64>().abs() / q.norm();
    assert!((same - 1.0).abs() < 1e-7, "{same}, drift {drift:e}");
    println!("drift of |q| {drift:e}, 1 − |q·q'| {:e}", 1.0 - same);
}

//! Mass properties against integrals over the solid; charts of the manifold against finite
//! differences.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::*;
use crate::math::{Sym3, vec3};
use cardan_testkit::Rng;

/// Whether a point lies in a solid.
fn inside(shape: &SolidShape, p: Vec3) -> bool {
    let across = f64::hypot(p.y, p.z);
    match *shape {
        SolidShape::Box { size } => (0..3).all(|k| 2.0 * p[k].abs() <= size[k]),
        SolidShape::Sphere { radius } => p.norm() <= radius,
        SolidShape::Cylinder { radius, length } => across <= radius && 2.0 * p.x.abs() <= length,
        SolidShape::Capsule { radius, length } => {
            let beyond = f64::max(p.x.abs() - 0.5 * length, 0.0);
            f64::hypot(across, beyond) <= radius
        }
        SolidShape::Polyhedron(_) => unreachable!("solids with corners have their own test"),
        SolidShape::Rod { .. } | SolidShape::Plate { .. } => {
            unreachable!("thin shapes have closed forms only")
        }
    }
}

/// Volume and inertia per mass about the centre, by the midpoint rule on n³ cells of a box with the
/// given half widths.
fn integrate(shape: &SolidShape, half: [f64; 3], n: usize) -> (f64, Sym3) {
    let cell = half.map(|h| 2.0 * h / n as f64);
    let (mut count, mut sum) = (0.0, Sym3::default());
    for i in 0..n * n * n {
        let at = [i % n, i / n % n, i / n / n];
        let p = |k: usize| -half[k] + (at[k] as f64 + 0.5) * cell[k];
        let p = vec3(p(0), p(1), p(2));
        if inside(shape, p) {
            count += 1.0;
            sum = sum + Sym3::of_point(p);
        }
    }
    (count * cell[0] * cell[1] * cell[2], sum.scaled(1.0 / count))
}

#[test]
fn volume_and_inertia_of_solids_are_their_integrals() {
    let solids = [
        (SolidShape::Box { size: [0.4, 0.7, 1.1] }, [0.2, 0.35, 0.55]),
        (SolidShape::Sphere { radius: 0.6 }, [0.6; 3]),
        (SolidShape::Cylinder { radius: 0.4, length: 1.3 }, [0.65, 0.4, 0.4]),
        (SolidShape::Capsule { radius: 0.4, length: 0.9 }, [0.85, 0.4, 0.4]),
        (SolidShape::Capsule { radius: 0.5, length: 0.05 }, [0.525, 0.5, 0.5]),
    ];
    for (shape, half) in solids {
        let (volume, inertia) = integrate(&shape, half, 120);
        let exact = shape.inertia(1.0);
        // Cells cut by the surface contribute about n^(−3/2) of the whole at random, 1e-3; for the
        // box only n⁻²/2.
        assert!((shape.volume() / volume - 1.0).abs() < 1e-3, "{shape:?}: {} m³", shape.volume());
        for (mine, sum) in exact.to_array().iter().zip(inertia.to_array()) {
            assert!((mine - sum).abs() < 1e-3 * exact.trace(), "{shape:?}: {exact:?} against {inertia:?}");
        }
    }
}

#[test]
fn thin_shapes_are_limits_of_solid_ones() {
    let close = |a: Sym3, b: Sym3, tolerance: f64| {
        a.to_array().iter().zip(b.to_array()).all(|(a, b)| (a - b).abs() <= tolerance)
    };
    let (r, l, m) = (1e-5, 1.2, 2.0);
    let rod = SolidShape::Rod { length: l, radius: r }.inertia(m);
    assert!(close(rod, SolidShape::Cylinder { radius: r, length: l }.inertia(m), m * r * r));
    assert!((rod.xx - 0.5 * m * r * r).abs() < 1e-25 && (rod.yy - m * l * l / 12.0).abs() < 1e-15);
    let plate = SolidShape::Plate { size: [0.8, 0.5], thickness: 1e-5 };
    assert!(close(plate.inertia(m), SolidShape::Box { size: [0.8, 0.5, 1e-5] }.inertia(m), 1e-10));
    // A flat body: the moment about its normal is the sum of the other two.
    let i = plate.inertia(m);
    assert!((i.zz - i.xx - i.yy).abs() < 1e-15);
    // A capsule without a cylinder is a ball; with negligible caps it is a cylinder.
    let (ball, short) =
        (SolidShape::Sphere { radius: 0.3 }, SolidShape::Capsule { radius: 0.3, length: 0.0 });
    assert!(
        close(short.inertia(m), ball.inertia(m), 1e-15) && (short.volume() - ball.volume()).abs() < 1e-15
    );
    let (long, pipe) =
        (SolidShape::Capsule { radius: r, length: l }, SolidShape::Cylinder { radius: r, length: l });
    assert!(close(long.inertia(m), pipe.inertia(m), 4.0 * m * l * r));
    // The volume of a capsule is that of its cylinder and a ball, exactly.
    let whole = SolidShape::Capsule { radius: 0.2, length: 0.7 };
    let sum = SolidShape::Cylinder { radius: 0.2, length: 0.7 }.volume()
        + SolidShape::Sphere { radius: 0.2 }.volume();
    assert!((whole.volume() - sum).abs() < 1e-16);
}

#[test]
fn a_box_of_eight_boxes_is_the_box() {
    // Parallel-axis theorem: eight octants, each about its own centre, make up the whole.
    let (size, mass) = ([0.4, 0.7, 1.1], 3.0);
    let half = size.map(|s| s / 2.0);
    let mut parts = Vec::new();
    for i in 0..8 {
        let side = |k: usize| if i >> k & 1 == 0 { -0.25 } else { 0.25 };
        let pos = vec3(side(0) * size[0], side(1) * size[1], side(2) * size[2]);
        parts.push(PlacedShape { shape: SolidShape::Box { size: half }, frame: Frame::at(pos) });
    }
    let sum = MassProperties::of_shapes(&parts, mass);
    let whole = MassProperties::of_shape(&SolidShape::Box { size }, mass);
    assert!((sum.mass - mass).abs() < 1e-15 && sum.center.largest() < 1e-16);
    for (a, b) in sum.inertia.to_array().iter().zip(whole.inertia.to_array()) {
        assert!((a - b).abs() < 1e-15, "{:?} against {:?}", sum.inertia, whole.inertia);
    }
}

/// A tetrahedron has m/80 Σ in closed form, a polyhedron with the corners of a box the inertia of
/// the box; and the inertia of a mesh does not depend on its triangulation.
#[test]
fn solids_with_corners_have_the_inertia_of_what_they_enclose() {
    use cardan_shapes::{Hull, Mesh};
    let close = |a: Sym3, b: Sym3| a.to_array().iter().zip(b.to_array()).all(|(a, b)| (a - b).abs() < 1e-14);
    let (size, shift) = ([0.4, 0.7, 1.1], vec3(3.0, -1.0, 0.5));
    let corners: Vec<Vec3> = (0..8)
        .map(|i| {
            let side = |k: usize| if i >> k & 1 == 0 { -0.5 * size[k] } else { 0.5 * size[k] };
            shift + vec3(side(0), side(1), side(2))
        })
        .collect();
    let hull = Polyhedron::of_hull(&Hull::new(&corners).expect("a box"));
    let mut triangles = Vec::new();
    for [a, b, c, d] in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    let mesh = Polyhedron::of_mesh(&Mesh::new(corners.clone(), triangles.clone()).expect("a box"));
    let wanted = SolidShape::Box { size };
    for solid in [hull, mesh] {
        let shape = SolidShape::Polyhedron(solid.clone().into());
        assert!((shape.volume() - wanted.volume()).abs() < 1e-15, "{} m³", shape.volume());
        assert!((shape.center() - shift).largest() < 1e-14);
        assert!(close(shape.inertia(2.5), wanted.inertia(2.5)), "{:?}", shape.inertia(2.5));
        assert_eq!(solid.faces().flatten().count(), if solid.kind() == "hull" { 24 } else { 36 });
    }
    // Legs 1, 2, 3 along the axes: ∫x² = m a²/10, ∫xy = m ab/20 about the right angle.
    let leg = [1.0, 2.0, 3.0];
    let points = [Vec3::ZERO, vec3(1.0, 0.0, 0.0), vec3(0.0, 2.0, 0.0), vec3(0.0, 0.0, 3.0)];
    let corner = Polyhedron::of_hull(&Hull::new(&points).expect("a tetrahedron"));
    assert!((corner.volume() - 1.0).abs() < 1e-15);
    let about = corner.inertia() + Sym3::of_point(corner.center());
    let (sq, ab) = (|k: usize| leg[k] * leg[k] / 10.0, |i: usize, k: usize| -leg[i] * leg[k] / 20.0);
    let exact = Sym3 {
        xx: sq(1) + sq(2),
        yy: sq(0) + sq(2),
        zz: sq(0) + sq(1),
        xy: ab(0, 1),
        xz: ab(0, 2),
        yz: ab(1, 2),
    };
    assert!(close(about, exact), "{about:?}");
    // An open mesh has no volume; one turned inside out a negative volume.
    triangles.pop();
    assert_eq!(
        Polyhedron::of_mesh(&Mesh::new(corners.clone(), triangles.clone()).expect("open")).volume(),
        0.0
    );
    triangles.push([1, 7, 5]);
    triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert!(Polyhedron::of_mesh(&Mesh::new(corners, triangles).expect("turned")).volume() < 0.0);
}

#[test]
fn moving_and_turning_a_compound_moves_and_turns_its_properties() {
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let vector = |rng: &mut Rng, size| -> Vec3 { rng.vector(size).to_array().into() };
        let turn = |rng: &mut Rng| Quat::exp(rng.vector(1.5).to_array().into());
        let shapes: Vec<PlacedShape> = (0..3)
            .map(|k| {
                let shape = match k {
                    0 => SolidShape::Box { size: [0.3, 0.2, 0.1] },
                    1 => SolidShape::Capsule { radius: 0.1, length: 0.4 },
                    _ => SolidShape::Cylinder { radius: 0.2, length: 0.1 },
                };
                PlacedShape { shape, frame: Frame { pos: vector(&mut rng, 0.5), rot: turn(&mut rng) } }
            })
            .collect();
        let (shift, by) = (vector(&mut rng, 1.0), turn(&mut rng));
        let moved: Vec<PlacedShape> = shapes
            .iter()
            .map(|s| PlacedShape {
                shape: s.shape.clone(),
                frame: Frame { pos: shift + by * s.frame.pos, rot: by * s.frame.rot },
            })
            .collect();
        let (before, after) =
            (MassProperties::of_shapes(&shapes, 2.0), MassProperties::of_shapes(&moved, 2.0));
        assert!((after.center - (shift + by * before.center)).largest() < 1e-15, "seed {seed}");
        let turned = before.inertia.rotated(&by.matrix());
        for (a, b) in after.inertia.to_array().iter().zip(turned.to_array()) {
            assert!((a - b).abs() < 2e-15, "seed {seed}");
        }
        // A single shape takes a shorter branch, with the same result.
        let one = MassProperties::of_shapes(&moved[..1], 2.0);
        let part = MassProperties::of_shape(&moved[0].shape, 2.0);
        let part = MassProperties {
            center: moved[0].frame.pos,
            inertia: part.inertia.rotated(&moved[0].frame.rot.matrix()),
            ..part
        };
        assert_eq!(one, part, "seed {seed}");
        assert!(before.check(BodyKind::Rigid, false).is_ok());
    }
}

#[test]
fn properties_that_no_moving_body_can_have_are_refused() {
    let good = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(1.0, 1.2, 0.9) };
    let with_mass = |mass| MassProperties { mass, ..good };
    let with_inertia = |inertia| MassProperties { inertia, ..good };
    for kind in BodyKind::ALL {
        assert_eq!(good.check(kind, false), Ok(()));
        for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(with_mass(mass).check(kind, true), Err(MassError::Mass(_))), "{kind}: {mass}");
        }
        let lost = MassProperties { center: vec3(0.0, f64::NAN, 0.0), ..good };
        assert!(matches!(lost.check(kind, true), Err(MassError::NotFinite(_))), "{kind}");
        let lost = with_inertia(Sym3 { xy: f64::INFINITY, ..good.inertia });
        assert!(matches!(lost.check(kind, true), Err(MassError::NotFinite(_))), "{kind}");
    }
    // No thickness, no inertia about a line, and a negative moment hidden by a rotation.
    let hidden = Sym3::diagonal(1.0, 1.0, -0.1).rotated(&Quat::exp(vec3(0.4, 0.5, 0.6)).matrix());
    for inertia in [Sym3::default(), Sym3::diagonal(0.0, 1.0, 1.0), hidden] {
        let wrong = with_inertia(inertia).check(BodyKind::Rigid, true);
        assert!(matches!(wrong, Err(MassError::Indefinite { .. })), "{inertia:?}: {wrong:?}");
        // A point mass does not use it.
        assert_eq!(with_inertia(inertia).check(BodyKind::Particle, false), Ok(()));
    }
    assert!(with_inertia(Sym3::diagonal(1.0, 1.0, 0.0)).check(BodyKind::Planar, true).is_err());
    // The triangle rule, unless waived; a plate is at the limit.
    let wide = with_inertia(Sym3::diagonal(1.0, 1.0, 2.1));
    assert!(matches!(wide.check(BodyKind::Rigid, false), Err(MassError::Triangle { .. })));
    assert_eq!(wide.check(BodyKind::Rigid, true), Ok(()));
    assert_eq!(with_inertia(Sym3::diagonal(1.0, 1.0, 2.0)).check(BodyKind::Rigid, false), Ok(()));
    // Shapes without volume cannot share a mass by volume.
    let line = PlacedShape::at_origin(SolidShape::Rod { length: 1.0, radius: 0.0 });
    assert!(MassProperties::of_shapes(&[line.clone(), line], 1.0).check(BodyKind::Rigid, true).is_err());
}

#[test]
fn the_chart_rate_is_the_inverse_of_the_exponential_maps_derivative() {
    // q₀ ⊕ u(t) moves with velocity v if u̇ = chart_rate(u, v); exact to |θ|⁴ for rigid bodies, as
    // RK4 needs. The bound is
    // |θ|⁴/720 · |ω| with |θ| up to 0.05: 1e-8.
    chart_rate_is_right(BodyKind::chart_rate, 0.03, 3e-8);
    // The exact form holds up to a full turn. The remainder is ε² |θ̇|³ of the finite difference,
    // and dexp⁻¹ itself grows.
    for size in [1e-9, 0.03, 0.18, 1.0, 3.0] {
        chart_rate_is_right(BodyKind::exact_chart_rate, size, 1e-7 * (1.0 + size * size));
    }
}

fn chart_rate_is_right(chart_rate: fn(BodyKind, &[f64], &[f64], &mut [f64]), size: f64, bound: f64) {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        for kind in BodyKind::ALL {
            let (n, m) = (kind.coordinates(), kind.dim());
            let mut q = vec![0.0; n];
            q.iter_mut().for_each(|x| *x = rng.range(-1.0, 1.0));
            if kind == BodyKind::Rigid {
                let size = q[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
                q[3..].iter_mut().for_each(|x| *x /= size);
            }
            let u: Vec<f64> = (0..m).map(|_| rng.range(-size, size)).collect();
            let v: Vec<f64> = (0..m).map(|_| rng.range(-1.0, 1.0)).collect();
            let mut rate = vec![0.0; m];
            chart_rate(kind, &u, &v, &mut rate);
            let at = |t: f64| {
                let (mut base, mut moved) = (vec![0.0; n], vec![0.0; n]);
                let along: Vec<f64> = u.iter().zip(&rate).map(|(u, r)| u + t * r).collect();
                kind.advance(&q, &along, &mut moved);
                // The same motion by a small displacement from the pose at u.
                let mut there = vec![0.0; n];
                kind.advance(&q, &u, &mut there);
                kind.advance(&there, &v.iter().map(|v| t * v).collect::<Vec<_>>(), &mut base);
                (moved, base)
            };
            let eps = 1e-4;
            let ((a, b), (c, d)) = (at(eps), at(-eps));
            for i in 0..n {
                let slope = ((a[i] - c[i]) - (b[i] - d[i])) / (2.0 * eps);
                assert!(slope.abs() < bound, "seed {seed}, {kind}, |u| up to {size}: {slope:e}");
            }
        }
    }
}

#[test]
fn pulling_back_a_wrench_is_dual_to_pushing_a_velocity_forward() {
    // Power is equal at the attached point and in the body's own coordinates.
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        for kind in BodyKind::ALL {
            let mut vector = |size: f64| -> Vec3 { rng.vector(size).to_array().into() };
            let flat = |v: Vec3| if kind.is_planar() { vec3(v.x, v.y, 0.0) } else { v };
            let arm = if kind.has_orientation() { flat(vector(1.0)) } else { Vec3::ZERO };
            let wrench = Wrench { force: vector(3.0), torque: vector(3.0) };
            let v: Vec<f64> = (0..kind.dim()).map(|_| rng.range(-2.0, 2.0)).collect();
            let mut pull = vec![0.0; kind.dim()];
            kind.pull_back(arm, wrench, &mut pull);
            let (vel, omega) = kind.push_forward(arm, &v);
            let at_point = wrench.force.dot(vel) + wrench.torque.dot(omega);
            let inside: f64 = pull.iter().zip(&v).map(|(f, v)| f * v).sum();
            assert!((at_point - inside).abs() < 1e-13, "seed {seed}, {kind}");
        }
    }
}

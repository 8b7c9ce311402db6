//! Feet, normals and heights against finite differences and closed forms.

#![allow(clippy::disallowed_methods)] // no bits are promised here

use super::*;
use crate::law::Nurbs;
use crate::math::{Vec3, vec3};

fn helix() -> Curve {
    Curve::formula(["cos(t)", "sin(t)", "0.3*t"], [0.0, 12.0], false).unwrap()
}

fn knot() -> Curve {
    // A closed curve in space that does not cross itself: the trefoil knot.
    let text = ["(2+cos(3*t))*cos(2*t)", "(2+cos(3*t))*sin(2*t)", "sin(3*t)"];
    Curve::formula(text, [0.0, 2.0 * core::f64::consts::PI], true).unwrap()
}

/// Exact quarter circles: a square of control points with weights.
fn nurbs_circle() -> Nurbs<3> {
    let w = core::f64::consts::FRAC_1_SQRT_2;
    let points =
        [[1., 0.], [1., 1.], [0., 1.], [-1., 1.], [-1., 0.], [-1., -1.], [0., -1.], [1., -1.], [1., 0.]];
    let points: Vec<[f64; 3]> = points.iter().map(|p| [p[0], p[1], 0.0]).collect();
    let knots = [0., 0., 0., 1., 1., 2., 2., 3., 3., 4., 4., 4.];
    Nurbs::new(2, &knots, &points, &[1., w, 1., w, 1., w, 1., w, 1.]).unwrap()
}

#[test]
fn feet_are_perpendicular_and_nearest() {
    let wild = [
        vec3(0.0, 0.0, 0.0),
        vec3(1.0, 0.3, 0.2),
        vec3(1.5, 1.2, -0.4),
        vec3(0.4, 1.9, 0.5),
        vec3(-0.5, 1.0, 1.0),
    ];
    let curves = [
        helix(),
        knot(),
        Curve::nurbs(nurbs_circle(), true).unwrap(),
        Curve::through(&wild, true).unwrap(),
        Curve::through(&wild, false).unwrap(),
        Curve::polar(&[1.0, 1.2, 0.9, 1.1, 1.0, 0.8]).unwrap(),
    ];
    for (k, curve) in curves.iter().enumerate() {
        let [from, to] = curve.span();
        for i in 0..200 {
            let s = from + (to - from) * (f64::from(i) + 0.37) / 200.0;
            let at = curve.at(s);
            let t = at.first.normalized().unwrap();
            let side = t.cross(vec3(0.3, -0.5, 0.8)).normalized().unwrap();
            let foot = curve.foot(at.place + side * 0.05);
            assert!((foot.gap - side * 0.05).norm() < 1e-12, "curve {k} at {s}: {foot:?}");
            assert!(foot.gap.dot(foot.at.first).abs() < 1e-14 * (1.0 + foot.at.first.norm()));
            assert!(foot.beyond.is_none() && curve.fault(&foot).is_none());
            let on = curve.foot(at.place);
            assert!(on.gap.norm() < 1e-14, "curve {k} at {s}: {:e}", on.gap.norm());
            // The spline is smooth: its derivatives are differences of its points.
            let h = 1e-5;
            let slope = (curve.at(s + h).place - curve.at(s - h).place) / (2.0 * h);
            assert!((slope - at.first).norm() < 1e-7 * (1.0 + at.first.norm()), "curve {k} at {s}");
        }
    }
}

#[test]
fn normals_do_not_twist() {
    for curve in [helix(), knot()] {
        let [from, to] = curve.span();
        for i in 0..300 {
            // The first is the start of the closed curve.
            let s = if i == 0 { from + 1e-9 } else { from + (to - from) * (f64::from(i) + 0.41) / 300.0 };
            let normals = |s: f64| {
                let foot = curve.foot(curve.at(s).place);
                (curve.normals(&foot), foot.cell())
            };
            let h = 1e-4 * (to - from);
            let ([n, b], cell) = normals(s);
            let t = curve.at(s).first.normalized().unwrap();
            assert!(n.dot(t).abs() < 1e-14 && n.dot(b).abs() < 1e-14 && (n.norm() - 1.0).abs() < 1e-13);
            let steps = [-2.0, -1.0, 1.0, 2.0].map(|k| normals(s + k * h));
            if steps.iter().all(|(_, c)| *c == cell) {
                let d = |k: usize| steps[k].0[0];
                let slope = ((d(2) - d(1)) * 8.0 - (d(3) - d(0))) / (12.0 * h);
                assert!(slope.dot(b).abs() < 1e-9, "twist {:e} at {s}", slope.dot(b));
            } else {
                // From cell to cell the normals turn by equal parts, so that they match at the
                // start of a closed curve.
                let jump = (steps[2].0[0] - steps[1].0[0]).norm();
                assert!(jump < 0.05 + 5.0 * h * (1.0 + curve.at(s).second.norm()), "jump {jump} at {s}");
            }
        }
    }
}

#[test]
fn the_normals_of_a_helix_turn_by_its_torsion() {
    // Relative to the helix's principal normal they turn by the torsion τ per length: 0.3/1.09 ·
    // √1.09 per parameter.
    let curve = helix();
    let angle = |s: f64| {
        let foot = curve.foot(curve.at(s).place);
        let [n, b] = curve.normals(&foot);
        let inward = vec3(-s.cos(), -s.sin(), 0.0);
        inward.dot(b).atan2(inward.dot(n))
    };
    let turn = 2.0 * core::f64::consts::PI;
    let total = 0.3 / 1.09_f64.sqrt() * 11.0;
    let measured = angle(11.5) - angle(0.5);
    let off = (measured - total) / turn;
    assert!((off - off.round()).abs() * turn < 1e-12, "{measured} against {total}");
}

#[test]
fn heights_match_differences_and_lie_on_what_they_should() {
    let heights: Vec<Vec<f64>> = (0..7)
        .map(|j| (0..9).map(|i| 0.2 * (0.7 * f64::from(i)).sin() * (0.5 * f64::from(j)).cos()).collect())
        .collect();
    let surfaces = [
        Surface::Plane,
        Surface::Sphere { radius: 0.8 },
        Surface::Cylinder { radius: 0.6 },
        Surface::Cone { half_angle: 0.5 },
        Surface::Ellipsoid { radii: vec3(1.2, 0.7, 0.5) },
        Surface::Ellipsoid { radii: vec3(0.7, 0.7, 0.7) },
        Surface::Torus { ring: 0.9, tube: 0.3 },
        Surface::Terrain(SplineTerrain::new([-2.0, -1.5], [0.5, 0.5], &heights).unwrap()),
        Surface::profile(Curve::polar(&[0.7, 0.9, 0.8, 0.6, 0.75]).unwrap()).unwrap(),
    ];
    for surface in &surfaces {
        for i in 0..60 {
            let f = f64::from(i);
            let p = vec3((1.3 * f).sin(), (2.1 * f + 0.4).sin(), 0.8 * (0.7 * f).cos())
                * (0.9 + 0.3 * (0.3 * f).sin());
            if surface.fault(p).is_some()
                || (surface.name() == "profile" && vec3(p.x, p.y, 0.0).norm() < 0.45)
            {
                continue;
            }
            let here = surface.height(p);
            if surface.name() == "ellipsoid" && here.value < -0.2 {
                continue; // near the focal surface differences are coarse
            }
            let h = 1e-3;
            for (k, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|s| surface.height(p + e * (s * h)));
                let slope = (8.0 * (c.value - b.value) - (d.value - a.value)) / (12.0 * h);
                let bend = ((c.gradient - b.gradient) * 8.0 - (d.gradient - a.gradient)) / (12.0 * h);
                let name = surface.name();
                let tol = if matches!(name, "terrain" | "profile") { 1e-5 } else { 1e-7 };
                assert!(
                    (slope - here.gradient[k]).abs() < tol,
                    "{name}: {slope} or {:?}[{k}] at {p:?}",
                    here.gradient
                );
                let tol = if matches!(name, "terrain" | "profile") { 2e-2 } else { 1e-5 };
                assert!(
                    (bend - here.hessian * e).largest() < tol,
                    "{name}: {bend:?} or {:?} at {p:?}",
                    here.hessian * e
                );
            }
            if surface.is_distance() {
                assert!((here.gradient.norm() - 1.0).abs() < 1e-13);
                let foot = p - here.gradient * here.value;
                if surface.name() == "cone" && foot.z < 0.0 {
                    continue; // below the apex there is no cone
                }
                assert!(
                    surface.height(foot).value.abs() < 1e-13,
                    "{}: {:e}",
                    surface.name(),
                    surface.height(foot).value
                );
            }
        }
    }
}

#[test]
fn a_terrain_goes_through_its_heights_and_a_plane_is_a_plane() {
    let heights: Vec<Vec<f64>> =
        (0..5).map(|j| (0..4).map(|i| f64::from(i * i) - 0.3 * f64::from(j * i)).collect()).collect();
    let terrain = SplineTerrain::new([1.0, 2.0], [0.5, 0.25], &heights).unwrap();
    for (j, row) in heights.iter().enumerate() {
        for (i, z) in row.iter().enumerate() {
            let (h, ..) = terrain.at(1.0 + 0.5 * i as f64, 2.0 + 0.25 * j as f64);
            assert!((h - z).abs() < 1e-14 * 10.0, "{h} against {z}");
        }
    }
    let flat: Vec<Vec<f64>> =
        (0..5).map(|j| (0..4).map(|i| 0.5 * f64::from(i) - 0.25 * f64::from(j)).collect()).collect();
    let terrain = SplineTerrain::new([0.0, 0.0], [1.0, 1.0], &flat).unwrap();
    let (h, slope, bend) = terrain.at(1.37, 2.61);
    assert!((h - (0.5 * 1.37 - 0.25 * 2.61)).abs() < 1e-15);
    assert!((slope[0] - 0.5).abs() < 1e-15 && (slope[1] + 0.25).abs() < 1e-15);
    assert!(bend.iter().all(|b| b.abs() < 1e-14));
}

#[test]
fn curves_that_cannot_be_are_refused_with_the_reason() {
    let says = |result: Result<Curve, GeometryError>, words: &str| {
        let text = result.unwrap_err().to_string();
        assert!(text.contains(words), "`{text}` should say `{words}`");
    };
    let p = |x: f64, y: f64| vec3(x, y, 0.0);
    says(Curve::through(&[p(0., 0.)], false), "`points` has 1 entries");
    says(Curve::through(&[p(0., 0.), p(1., 0.), p(1., 0.)], false), "number 2 coincides");
    says(Curve::through(&[p(0., 0.), p(f64::NAN, 0.)], false), "`points` is NaN");
    says(Curve::polar(&[1.0, 2.0]), "`radii` has 2 entries");
    says(Curve::polar(&[1.0, 2.0, -1.0]), "`radii` is -1; it must be positive");
    says(Curve::circle(0.0), "`radius` is 0");
    says(Curve::formula(["t", "abs(t - 1)", "0"], [0.0, 2.0], false), "not smooth");
    says(Curve::formula(["t^2", "t^3", "0"], [-1.0, 1.0], false), "no direction");
    says(Curve::formula(["t - sin(t)", "cos(t)", "0"], [1.0, 9.0], false), "parameter 6.28");
    says(Curve::formula(["t", "q", "0"], [0.0, 1.0], false), "q");
    says(Curve::formula(["t", "t", "0"], [1.0, 1.0], false), "`to` is 1; it must be larger than `from`");
    says(Curve::formula(["cos(t)", "sin(t)", "0"], [0.0, 6.0], true), "ends");
    says(Curve::formula(["sin(t)", "sin(2*t)", "0"], [0.0, 2.0 * core::f64::consts::PI], true), "crosses");
    // A corner: degree 1, and degree 2 with a knot repeated where the tangent jumps.
    let corner = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.]];
    says(Curve::nurbs(Nurbs::even(1, 0.0, 1.0, &corner, &[]).unwrap(), false), "kink at parameter 0.5");
    let twice = [[0., 0., 0.], [0., 0., 0.], [1., 1., 0.]];
    says(Curve::nurbs(Nurbs::even(2, 0.0, 1.0, &twice, &[]).unwrap(), false), "no direction at parameter 0");
    says(Curve::nurbs(Nurbs::even(2, 0.0, 1.0, &corner, &[]).unwrap(), true), "ends 1.4");
    let off = Curve::formula(["t", "0", "t^2"], [0.0, 1.0], false).unwrap();
    assert!(Surface::profile(off).unwrap_err().to_string().contains("x–y plane"));
}

#[test]
fn surfaces_that_cannot_be_are_refused_with_the_field() {
    let says = |surface: Surface, words: &str| {
        let text = surface.check().unwrap_err().to_string();
        assert!(text.contains(words), "`{text}` should say `{words}`");
    };
    says(Surface::Sphere { radius: 0.0 }, "`radius` is 0; it must be positive");
    says(Surface::Cylinder { radius: -1.0 }, "`radius` is -1");
    says(Surface::Cone { half_angle: 2.0 }, "`half_angle` is 2");
    says(Surface::Ellipsoid { radii: vec3(1.0, f64::NAN, 1.0) }, "`radii` is NaN");
    says(Surface::Torus { ring: 1.0, tube: 1.5 }, "`tube` is 1.5; it must be smaller");
    let terrain = |heights: &[Vec<f64>], spacing: f64, words: &str| {
        let text = SplineTerrain::new([0.0; 2], [spacing; 2], heights).unwrap_err().to_string();
        assert!(text.contains(words), "`{text}` should say `{words}`");
    };
    terrain(&[vec![0.0; 3], vec![0.0; 2]], 1.0, "row 1 has 2 numbers, the first has 3");
    terrain(&[vec![0.0; 3]], 1.0, "`heights` has 1 entries");
    terrain(&[vec![0.0; 3], vec![0.0; 3]], 0.0, "`spacing` is 0");
    terrain(&[vec![0.0, f64::INFINITY], vec![0.0; 2]], 1.0, "`heights` is inf");
}

//! Polylines that show a surface and a feature in drawings.

use super::{Feature, Tangent};
use crate::body::FrameMotion;
use crate::geometry::Surface;
use crate::math::{Vec3, vec3};

/// Corners of a drawn circle.
const CORNERS: usize = 64;

pub(super) fn lines(tangent: &Tangent, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
    let [on, by] = tangent.ends.map(|end| &frames[end]);
    // A surface without borders is drawn around the contact.
    let near = on.rot.inverse() * (by.pos - on.pos);
    let mut all = placed(on, surface_lines(&tangent.surface, near, tangent.size()));
    all.extend(match (&tangent.feature, &tangent.surface) {
        // A roller on a cam.
        (Feature::Ball { radius }, Surface::Profile { .. }) => {
            placed(&FrameMotion { rot: on.rot, ..*by }, vec![ring(vec3(*radius, *radius, 0.0))])
        }
        (feature, _) => placed(by, feature_lines(feature)),
    });
    all
}

/// Lines of a surface of frame `on`; without borders it is drawn around the frame `by`.
pub(in crate::constraint) fn surface_outline(
    surface: &Surface,
    on: &FrameMotion,
    by: &FrameMotion,
    size: f64,
) -> Vec<Vec<Vec3>> {
    let near = on.rot.inverse() * (by.pos - on.pos);
    placed(on, surface_lines(surface, near, size))
}

fn placed(frame: &FrameMotion, lines: Vec<Vec<Vec3>>) -> Vec<Vec<Vec3>> {
    let place = |p: Vec3| frame.pos + frame.rot * p;
    lines.into_iter().map(|line| line.into_iter().map(place).collect()).collect()
}

fn feature_lines(feature: &Feature) -> Vec<Vec<Vec3>> {
    match feature {
        Feature::Point => Vec::new(),
        Feature::Ball { radius } => ellipsoid(vec3(*radius, *radius, *radius)),
        Feature::Ellipsoid { radii } => ellipsoid(*radii),
        Feature::Curve(curve) => vec![curve.outline().to_vec()],
    }
}

fn surface_lines(surface: &Surface, near: Vec3, size: f64) -> Vec<Vec<Vec3>> {
    match surface {
        Surface::Plane => {
            let half = if size > 0.0 { 2.0 * size } else { 0.25 };
            let corner = |x: f64, y: f64| vec3(near.x + half * x, near.y + half * y, 0.0);
            vec![vec![corner(-1., -1.), corner(1., -1.), corner(1., 1.), corner(-1., 1.), corner(-1., -1.)]]
        }
        Surface::Sphere { radius } => ellipsoid(vec3(*radius, *radius, *radius)),
        Surface::Ellipsoid { radii } => ellipsoid(*radii),
        Surface::Cylinder { radius } => {
            let ends = [near.z - 2.0 * radius, near.z + 2.0 * radius];
            let mut all: Vec<_> = ends.map(|z| ring(vec3(*radius, *radius, z))).to_vec();
            let side = |x: f64, y: f64| ends.map(|z| vec3(x * radius, y * radius, z)).to_vec();
            all.extend([side(1.0, 0.0), side(-1.0, 0.0), side(0.0, 1.0), side(0.0, -1.0)]);
            all
        }
        Surface::Cone { half_angle } => {
            let height = if near.z > 0.0 { 1.5 * near.z } else { 1.0 };
            let radius = height * libm::tan(*half_angle);
            let side = |x: f64, y: f64| vec![Vec3::ZERO, vec3(x * radius, y * radius, height)];
            vec![ring(vec3(radius, radius, height)), side(1., 0.), side(-1., 0.), side(0., 1.), side(0., -1.)]
        }
        Surface::Torus { ring: middle, tube } => {
            let mut all = vec![
                ring(vec3(middle + tube, middle + tube, 0.0)),
                ring(vec3(middle - tube, middle - tube, 0.0)),
                ring(vec3(*middle, *middle, *tube)),
                ring(vec3(*middle, *middle, -tube)),
            ];
            for i in 0..8 {
                let (sin, cos) = libm::sincos(core::f64::consts::FRAC_PI_4 * f64::from(i));
                let turn = |p: Vec3| {
                    let away = middle + p.x;
                    vec3(away * cos, away * sin, p.y)
                };
                all.push(ring(vec3(*tube, *tube, 0.0)).into_iter().map(turn).collect());
            }
            all
        }
        Surface::Terrain(terrain) => {
            let [[x0, y0], [x1, y1]] = terrain.edges();
            let [columns, rows] = terrain.count();
            let at = |u: f64, v: f64| {
                let (x, y) = (x0 + (x1 - x0) * u, y0 + (y1 - y0) * v);
                vec3(x, y, terrain.at(x, y).0)
            };
            let share = |i: usize, n: usize| i as f64 / (n - 1) as f64;
            let fine = 4;
            let (along_x, along_y) = (fine * (columns - 1) + 1, fine * (rows - 1) + 1);
            let mut all = Vec::new();
            for j in 0..rows {
                all.push((0..along_x).map(|i| at(share(i, along_x), share(j, rows))).collect());
            }
            for i in 0..columns {
                all.push((0..along_y).map(|j| at(share(i, columns), share(j, along_y))).collect());
            }
            all
        }
        Surface::Profile { curve, .. } => vec![curve.outline().to_vec()],
    }
}

/// An ellipse about z at the height z.
fn ring(size: Vec3) -> Vec<Vec3> {
    let corner = |i: usize| {
        let (sin, cos) = libm::sincos(2.0 * core::f64::consts::PI * (i as f64 / CORNERS as f64));
        vec3(size.x * cos, size.y * sin, size.z)
    };
    (0..=CORNERS).map(corner).collect()
}

/// Three perpendicular ellipses, and two smaller ones about z.
fn ellipsoid(radii: Vec3) -> Vec<Vec<Vec3>> {
    let Vec3 { x, y, z } = radii;
    let part = |p: Vec3, put: fn(Vec3) -> Vec3| ring(p).into_iter().map(put).collect::<Vec<_>>();
    let (low, wide) = (0.5 * z, 0.75_f64.sqrt());
    vec![
        ring(vec3(x, y, 0.0)),
        part(vec3(x, z, 0.0), |p| vec3(p.x, 0.0, p.y)),
        part(vec3(y, z, 0.0), |p| vec3(0.0, p.x, p.y)),
        ring(vec3(wide * x, wide * y, low)),
        ring(vec3(wide * x, wide * y, -low)),
    ]
}

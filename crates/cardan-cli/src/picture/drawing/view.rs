//! Where to look from: along the normal of a flat mechanism, else from above and aside.

use super::vec3::{Vec3, add, column, cross, dot, norm, perpendicular_pair, principal, scale, sub, unit};
use super::{JointSymbol, Sketch, SketchShapeKind};
use crate::picture::svg::Point;

/// Directions of the page in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    /// From the page to the eye.
    pub(super) toward: Vec3,
    pub(super) flat: bool,
}

/// How far (of its extent) a flat mechanism may leave its plane.
const FLATNESS: f64 = 1e-3;
/// How far parts that lie in layers and turn only about the normal may leave the plane.
const LAYERS: f64 = 0.12;
const PARALLEL: f64 = 0.9999;

impl View {
    /// Metres to the right and up the page.
    pub(super) fn project(&self, p: Vec3) -> Point {
        [dot(self.right, p), dot(self.up, p)]
    }

    pub(super) fn depth(&self, p: Vec3) -> f64 {
        dot(self.toward, p)
    }

    /// One view for all moments, so that a strip shows motion and nothing else.
    pub(super) fn choose(sketches: &[&Sketch]) -> View {
        let gravity = sketches.iter().find_map(|s| unit(s.gravity));
        let points: Vec<Vec3> = sketches.iter().flat_map(|s| landmarks(s)).collect();
        let extents = PrincipalExtents::of(&points);
        match normal(sketches, &extents, gravity) {
            Some(n) => View::flat(n, gravity),
            None => View::axonometric(gravity, &points),
        }
    }

    fn flat(n: Vec3, gravity: Option<Vec3>) -> View {
        let in_plane = |d: Vec3| sub(d, scale(n, dot(d, n)));
        let candidates = [gravity.map(|g| scale(g, -1.0)), Some([0.0, 0.0, 1.0]), Some([0.0, 1.0, 0.0])];
        let up = candidates.into_iter().flatten().map(in_plane).find(|d| norm(*d) > 1e-3);
        let up = up.and_then(unit).unwrap_or_else(|| perpendicular_pair(n).1);
        let right = cross(up, n);
        // of the two sides, the one from which the page's right is along a world axis
        let leading =
            right.iter().copied().fold(0.0_f64, |m, x| if x.abs() > m.abs() + 1e-9 { x } else { m });
        let right = if leading < 0.0 { scale(right, -1.0) } else { right };
        View { right, up, toward: cross(right, up), flat: true }
    }

    /// From a side and a height, in degrees: azimuth 0 is the side of x (y where gravity is along x), 90 the side that
    /// follows when one turns left about the vertical.
    pub(super) fn from_angles(sketches: &[&Sketch], [azimuth, elevation]: [f64; 2]) -> View {
        looking(sketches.iter().find_map(|s| unit(s.gravity)), azimuth, elevation)
    }

    fn axonometric(gravity: Option<Vec3>, points: &[Vec3]) -> View {
        let looking = |azimuth: f64| looking(gravity, azimuth, 24.0);
        // the side from which the parts stand apart best; the first one unless another is clearly better
        let area = |view: &View| {
            let flat: Vec<Vec3> = points.iter().map(|p| view.project(*p)).map(|[x, y]| [x, y, 0.0]).collect();
            let values = PrincipalExtents::of(&flat).sizes;
            values[0] * values[1]
        };
        let mut best = looking(-60.0);
        for azimuth in [-30.0, -120.0, -150.0] {
            let view = looking(azimuth);
            if area(&view) > 1.25 * area(&best) {
                best = view;
            }
        }
        best
    }
}

/// The view from an azimuth and an elevation, in degrees.
fn looking(gravity: Option<Vec3>, azimuth: f64, elevation: f64) -> View {
    let up = gravity.map_or([0.0, 0.0, 1.0], |g| scale(g, -1.0));
    let first = if up[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let ahead = unit(sub(first, scale(up, dot(first, up)))).unwrap_or_else(|| perpendicular_pair(up).0);
    let aside = cross(up, ahead);
    let (a, rise) = (azimuth.to_radians(), elevation.to_radians());
    let level = add(scale(ahead, a.cos()), scale(aside, a.sin()));
    let toward = add(scale(level, rise.cos()), scale(up, rise.sin()));
    let right = cross(up, level);
    View { right, up: cross(toward, right), toward, flat: false }
}

/// The points that tell where a mechanism is.
fn landmarks(sketch: &Sketch) -> Vec<Vec3> {
    let mut points = Vec::new();
    for body in &sketch.bodies {
        points.push(body.center_of_mass);
        points.extend(&body.attachments);
        for shape in &body.shapes {
            points.push(shape.position);
            if let SketchShapeKind::Rod { length } = shape.kind {
                let half = scale(column(&shape.rotation, 0), length / 2.0);
                points.extend([add(shape.position, half), sub(shape.position, half)]);
            }
        }
    }
    for joint in &sketch.joints {
        points.push(joint.position);
        match joint.kind {
            JointSymbol::Rod { to } => points.push(to),
            JointSymbol::Ring { center, normal, radius } => {
                let (u, v) = perpendicular_pair(normal);
                for d in [u, v, scale(u, -1.0), scale(v, -1.0)] {
                    points.push(add(center, scale(d, radius)));
                }
            }
            _ => {}
        }
    }
    points.extend(sketch.springs.iter().flat_map(|s| [s.from, s.to]));
    points.extend(sketch.lines.iter().chain(&sketch.marks).flatten());
    points.extend(sketch.probes.iter().flat_map(|p| std::iter::once(&p.position).chain(&p.trail)));
    points
}

/// Extent of a cloud of points along its own axes, largest first.
struct PrincipalExtents {
    sizes: [f64; 3],
    axes: [Vec3; 3],
}

impl PrincipalExtents {
    fn of(points: &[Vec3]) -> PrincipalExtents {
        let count = points.len().max(1) as f64;
        let mean = points.iter().fold([0.0; 3], |m, p| add(m, scale(*p, 1.0 / count)));
        // divided by the largest distance first: no square overflows or vanishes
        let far = points.iter().map(|p| norm(sub(*p, mean))).fold(0.0, f64::max).max(1e-150);
        let mut m = [[0.0; 3]; 3];
        for p in points {
            let d = scale(sub(*p, mean), 1.0 / far);
            for i in 0..3 {
                for k in 0..3 {
                    m[i][k] += d[i] * d[k] / count;
                }
            }
        }
        let (values, axes) = principal(m);
        PrincipalExtents { sizes: values.map(|v| v.max(0.0).sqrt() * far), axes }
    }
}

/// The direction to look along, if the mechanism is flat.
fn normal(sketches: &[&Sketch], extents: &PrincipalExtents, gravity: Option<Vec3>) -> Option<Vec3> {
    let joints = || sketches.iter().flat_map(|s| &s.joints);
    let hinges: Vec<Vec3> = joints().filter(|j| j.kind == JointSymbol::Pin).filter_map(|j| j.axis).collect();
    let slides: Vec<Vec3> =
        joints().filter(|j| j.kind == JointSymbol::Slider).filter_map(|j| j.axis).collect();
    let parallel = |a: Vec3, b: Vec3| dot(a, b).abs() > PARALLEL;
    let fits =
        |n: Vec3| hinges.iter().all(|h| parallel(*h, n)) && slides.iter().all(|s| dot(*s, n).abs() < 0.02);
    let [a, b, c] = extents.sizes;
    let line = extents.axes[0];
    let degenerate = b <= FLATNESS * a;
    if !degenerate {
        // a plane of points; layers count as flat if everything turns about the normal
        let n = extents.axes[2];
        let hinge = hinges.first().copied().unwrap_or(n);
        let layered = !hinges.is_empty() && c <= LAYERS * a && dot(n, hinge).abs() > 0.98;
        let n = if layered { hinge } else { n };
        if !(layered || c <= FLATNESS * a) || !fits(n) {
            return None;
        }
        // seen along gravity a mechanism whose joints let it fall out of the plane shows nothing
        let lying = gravity.is_some_and(|g| dot(g, n).abs() > 0.5);
        let held = joints().all(|j| matches!(j.kind, JointSymbol::Pin | JointSymbol::Slider));
        return if lying && !held { None } else { Some(n) };
    }
    if let Some(&hinge) = hinges.first() {
        // a hinge across the line says which way it swings; one along the line is a shaft, seen from the side
        if fits(hinge) && (a == 0.0 || dot(hinge, line).abs() < 0.02) {
            return Some(hinge);
        }
        if !hinges.iter().all(|h| parallel(*h, line)) {
            return None;
        }
    }
    let solid = |k: &SketchShapeKind| {
        !matches!(k, SketchShapeKind::Rod { .. } | SketchShapeKind::Sphere { .. } | SketchShapeKind::Point)
    };
    let solids = sketches.iter().flat_map(|s| &s.bodies).flat_map(|b| &b.shapes).any(|s| solid(&s.kind));
    if solids && (a == 0.0 || !hinges.is_empty() || joints().next().is_none()) {
        return None;
    }
    // a line of points: the upright plane through it
    let level = if a > 0.0 {
        gravity.and_then(|g| unit(cross(line, g)).filter(|_| !parallel(line, g)))
    } else {
        None
    };
    let fallback = || {
        let in_xy = sketches.iter().flat_map(|s| landmarks(s)).all(|p| p[2] == 0.0);
        let upright = gravity.is_some_and(|g| g[1].abs() > 0.9) || (gravity.is_none() && in_xy);
        let first = if upright { [0.0, 0.0, 1.0] } else { [0.0, -1.0, 0.0] };
        if a > 0.0 && parallel(first, line) { [1.0, 0.0, 0.0] } else { first }
    };
    // the plane must also contain the slides; without such a plane, look from aside
    let n = level.unwrap_or_else(fallback);
    let flattened = unit(sub(n, scale(line, if a > 0.0 { dot(n, line) } else { 0.0 })))?;
    slides.iter().all(|s| dot(*s, flattened).abs() < 0.02).then_some(flattened)
}

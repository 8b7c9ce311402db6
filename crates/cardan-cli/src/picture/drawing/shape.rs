//! Outlines of bodies on the page.

use super::Page;
use super::vec3::{Vec3, add, column, cross, dot, perpendicular_pair, scale, sub, unit};
use super::view::View;
use super::{SketchShape, SketchShapeKind};
use crate::picture::svg::{Paint, Point, Rgb, Svg, SvgPath};

/// Points of a circle that stand for it in a hull.
const ROUND: usize = 48;

/// Points (metres, page axes) whose hull is the shape as seen.
pub(super) fn silhouette(view: &View, shape: &SketchShape) -> Vec<Point> {
    let [x, y, z] = [0, 1, 2].map(|k| column(&shape.rotation, k));
    let at = |a: f64, b: f64, c: f64| {
        view.project(add(shape.position, add(scale(x, a), add(scale(y, b), scale(z, c)))))
    };
    let turns = || (0..ROUND).map(|i| (i as f64 * std::f64::consts::TAU / ROUND as f64).sin_cos());
    match shape.kind {
        SketchShapeKind::Faces { ref faces, .. } => {
            faces.iter().flatten().map(|&[a, b, c]| at(a, b, c)).collect()
        }
        SketchShapeKind::Box { size: [a, b, c] } => {
            let mut points = Vec::new();
            for i in 0..8 {
                let side = |bit: i32| if i & bit == 0 { -0.5 } else { 0.5 };
                points.push(at(side(1) * a, side(2) * b, side(4) * c));
            }
            points
        }
        SketchShapeKind::Plate { size: [a, b] } => {
            [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(i, k)| at(i * a, k * b, 0.0)).to_vec()
        }
        SketchShapeKind::Sphere { radius: r } => {
            let [px, py] = at(0.0, 0.0, 0.0);
            turns().map(|(s, c)| [px + r * c, py + r * s]).collect()
        }
        SketchShapeKind::Cylinder { radius: r, length: l } => [-0.5, 0.5]
            .iter()
            .flat_map(|e| turns().map(move |(s, c)| (e * l, r * c, r * s)))
            .map(|(a, b, c)| at(a, b, c))
            .collect(),
        SketchShapeKind::Capsule { radius: r, length: l } => {
            let ends = [at(-0.5 * l, 0.0, 0.0), at(0.5 * l, 0.0, 0.0)];
            ends.iter().flat_map(|p| turns().map(|(s, c)| [p[0] + r * c, p[1] + r * s])).collect()
        }
        SketchShapeKind::Rod { length: l } => vec![at(-0.5 * l, 0.0, 0.0), at(0.5 * l, 0.0, 0.0)],
        SketchShapeKind::Point => vec![at(0.0, 0.0, 0.0)],
    }
}

/// Whether a point is on or in the shape, within `slack`: no bar is then needed to reach it.
pub(super) fn touches(shape: &SketchShape, p: Vec3, slack: f64) -> bool {
    let d = sub(p, shape.position);
    let [x, y, z] = [0, 1, 2].map(|k| dot(d, column(&shape.rotation, k)));
    let within = |v: f64, half: f64| v.abs() <= half + slack;
    match shape.kind {
        SketchShapeKind::Faces { ref faces, .. } => {
            // The box around it is near enough.
            let end =
                |k: usize, sign: f64| faces.iter().flatten().map(|p| sign * p[k]).fold(f64::MIN, f64::max);
            [x, y, z].iter().enumerate().all(|(k, &v)| v <= end(k, 1.0) + slack && -v <= end(k, -1.0) + slack)
        }
        SketchShapeKind::Box { size } => {
            within(x, size[0] / 2.0) && within(y, size[1] / 2.0) && within(z, size[2] / 2.0)
        }
        SketchShapeKind::Plate { size } => {
            within(x, size[0] / 2.0) && within(y, size[1] / 2.0) && within(z, 0.0)
        }
        SketchShapeKind::Sphere { radius } => within((x * x + y * y + z * z).sqrt(), radius),
        SketchShapeKind::Cylinder { radius, length } => {
            within(x, length / 2.0) && within((y * y + z * z).sqrt(), radius)
        }
        SketchShapeKind::Capsule { radius, length } => {
            within(x, length / 2.0 + radius) && within((y * y + z * z).sqrt(), radius)
        }
        SketchShapeKind::Rod { length } => within(x, length / 2.0) && within((y * y + z * z).sqrt(), 0.0),
        SketchShapeKind::Point => within((x * x + y * y + z * z).sqrt(), 0.0),
    }
}

/// The corners of the convex hull in order (Andrew's monotone chain).
pub(super) fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turn = |o: Point, a: Point, b: Point| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

/// Area of the shape as seen, in square metres.
pub(super) fn area(view: &View, shape: &SketchShape) -> f64 {
    let corners = hull(silhouette(view, shape));
    let after = corners.iter().cycle().skip(1);
    corners.iter().zip(after).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>().abs() / 2.0
}

/// Colours of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyColors {
    pub(super) color: Rgb,
}

impl BodyColors {
    pub(super) fn line(self) -> Rgb {
        self.color.mix(Rgb::INK, 0.45)
    }

    /// Fill of a face; 1 is the lightest, 0 the darkest.
    pub(super) fn face(self, light: f64) -> Rgb {
        self.color.mix(Rgb::WHITE, 0.68 + 0.2 * light)
    }
}

/// A bar between two points: what rods and stick figures are made of.
pub(super) fn bar(svg: &mut Svg, a: Point, b: Point, width: f64, edge: f64, colors: BodyColors) {
    let mut path = SvgPath::new();
    path.segment(a, b);
    svg.path(&path, &Paint::line(colors.line(), width + 2.0 * edge));
    svg.path(&path, &Paint::line(colors.face(0.35), width));
}

/// Draws a shape and returns its outline on the page.
pub(super) fn draw(svg: &mut Svg, page: &Page, shape: &SketchShape, colors: BodyColors) -> Vec<Point> {
    let view = &page.view;
    let outline = hull(silhouette(view, shape).into_iter().map(|p| page.place(p)).collect());
    let edge = |fill: Rgb| Paint::both(fill, colors.line(), page.edge());
    let center = page.at(shape.position);
    let [x, y, z] = [0, 1, 2].map(|k| column(&shape.rotation, k));
    // light comes from above, from the left and from the eye
    let light = |n: Vec3| {
        (0.4 + 0.5 * dot(n, view.up) + 0.2 * dot(n, view.toward) - 0.45 * dot(n, view.right)).clamp(0.0, 1.0)
    };
    match shape.kind {
        SketchShapeKind::Point => {
            svg.path(
                SvgPath::new().circle(center, page.unit * 0.95),
                &edge(colors.color.mix(Rgb::WHITE, 0.25)),
            );
        }
        SketchShapeKind::Sphere { radius } => {
            let r = (radius * page.scale).max(page.unit * 0.6);
            svg.path(SvgPath::new().circle(center, r), &edge(colors.face(0.6)));
        }
        SketchShapeKind::Rod { length } => {
            let half = scale(x, length / 2.0);
            bar(
                svg,
                page.at(sub(shape.position, half)),
                page.at(add(shape.position, half)),
                page.bar(),
                page.edge(),
                colors,
            );
        }
        SketchShapeKind::Capsule { .. } => {
            svg.path(SvgPath::new().polygon(&outline), &edge(colors.face(0.6)))
        }
        SketchShapeKind::Plate { .. } => {
            svg.path(SvgPath::new().polygon(&outline), &edge(colors.face(light(z))))
        }
        SketchShapeKind::Cylinder { radius, length } => {
            let side = if view.flat { 0.6 } else { 0.45 };
            svg.path(SvgPath::new().polygon(&outline), &edge(colors.face(side)));
            let facing = dot(x, view.toward);
            if facing.abs() > 0.05 {
                let end = add(shape.position, scale(x, facing.signum() * length / 2.0));
                let (u, v) = perpendicular_pair(x);
                let [u, v] = [u, v].map(|d| page.direction(scale(d, radius)));
                svg.path(
                    SvgPath::new().ellipse(page.at(end), u, v),
                    &edge(colors.face(light(scale(x, facing.signum())))),
                );
            }
        }
        SketchShapeKind::Faces { ref faces, convex } => {
            let world =
                |p: &Vec3| add(shape.position, add(scale(x, p[0]), add(scale(y, p[1]), scale(z, p[2]))));
            if convex {
                svg.path(SvgPath::new().polygon(&outline), &edge(colors.face(0.6)));
            }
            // Those that face the eye, the farthest first.
            let mut seen: Vec<(f64, Vec<Vec3>, Vec3)> = Vec::new();
            for face in faces {
                let corners: Vec<Vec3> = face.iter().map(world).collect();
                let spread = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
                let Some(n) = unit(spread).filter(|n| dot(*n, view.toward) > 0.02) else { continue };
                let depth = corners.iter().map(|&p| view.depth(p)).sum::<f64>() / corners.len() as f64;
                seen.push((depth, corners, n));
            }
            seen.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (_, corners, n) in seen {
                let corners: Vec<Point> = corners.iter().map(|&p| page.at(p)).collect();
                let fill = colors.face(if view.flat { 0.6 } else { light(n) });
                let line = if convex { colors.line() } else { colors.line().mix(fill, 0.6) };
                svg.path(
                    SvgPath::new().polygon(&corners),
                    &Paint::both(fill, line, page.edge() * if convex { 1.0 } else { 0.5 }),
                );
            }
        }
        SketchShapeKind::Box { size } => {
            svg.path(SvgPath::new().polygon(&outline), &edge(colors.face(0.6)));
            for (k, n) in [x, y, z].into_iter().enumerate() {
                let facing = dot(n, view.toward);
                if facing.abs() < 0.02 {
                    continue;
                }
                let n = scale(n, facing.signum());
                let middle = add(shape.position, scale(n, size[k] / 2.0));
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let (a, b) = (scale([x, y, z][i], size[i] / 2.0), scale([x, y, z][j], size[j] / 2.0));
                let corner = |s: f64, t: f64| page.at(add(middle, add(scale(a, s), scale(b, t))));
                let face = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
                svg.path(
                    SvgPath::new().polygon(&face),
                    &edge(colors.face(if view.flat { 0.6 } else { light(n) })),
                );
            }
        }
    }
    outline
}

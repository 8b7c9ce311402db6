//! The signs of mechanism drawings: hinges, balls, sliders, ground, springs, arrows.

use super::Page;
use super::vec3::{add, dot, perpendicular_pair, scale};
use super::{JointSymbol, SketchJoint};
use crate::picture::svg::{Paint, Point, Rgb, Svg, SvgPath};

pub(super) fn offset(p: Point, d: Point, k: f64) -> Point {
    [p[0] + d[0] * k, p[1] + d[1] * k]
}

/// Direction and length on the page; rightwards if the two points coincide.
pub(super) fn heading(a: Point, b: Point) -> (Point, f64) {
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
    if length > 1e-9 { ([d[0] / length, d[1] / length], length) } else { ([1.0, 0.0], 0.0) }
}

fn pen(page: &Page) -> f64 {
    (page.unit * 0.22).clamp(0.7, 1.4)
}

/// A hatched line through `at`; `away` points into the ground. Returns its far corners.
fn hatch(svg: &mut Svg, at: Point, away: Point, half: f64, u: f64, width: f64) -> [Point; 2] {
    let along = [-away[1], away[0]];
    let (a, b) = (offset(at, along, -half), offset(at, along, half));
    let mut strokes = SvgPath::new();
    let count = ((2.0 * half / (0.62 * u)).round() as usize).clamp(3, 40);
    for i in 0..count {
        let foot = offset(a, along, (i as f64 + 0.75) * 2.0 * half / count as f64);
        let tip = offset(offset(foot, along, -0.6 * u), away, 0.75 * u);
        strokes.segment(foot, tip);
    }
    svg.path(&strokes, &Paint::line(Rgb::GREY, width * 0.75));
    svg.path(SvgPath::new().segment(a, b), &Paint::line(Rgb::INK, width * 1.15));
    [offset(a, away, 0.75 * u), offset(b, away, 0.75 * u)]
}

/// Directions on the page along a slide and from it to its ground.
fn slide(page: &Page, joint: &SketchJoint, away: Point) -> (Point, Point) {
    let (axis, length) = heading([0.0, 0.0], joint.axis.map_or([1.0, 0.0], |a| page.direction(a)));
    // a slide that comes out of the page stands on its ground like a hinge
    let seen = joint.axis.is_none() || length > 0.2 * page.scale;
    let side = if seen { [-axis[1], axis[0]] } else { away };
    let turned = side[0] * away[0] + side[1] * away[1] < 0.0;
    (axis, if turned { [-side[0], -side[1]] } else { side })
}

/// The support of a grounded joint. `away` points from the mechanism to the ground; `carriage` is the outline of a body
/// that slides itself. Returns the far corners of the hatching.
pub(super) fn ground(
    svg: &mut Svg,
    page: &Page,
    joint: &SketchJoint,
    away: Point,
    carriage: Option<&[Point]>,
) -> [Point; 2] {
    // ground stays visible where joints are too small to be
    let u = page.unit.max(4.0);
    let width = pen(page).max(0.9);
    let at = page.at(joint.position);
    match joint.kind {
        JointSymbol::Rod { .. } | JointSymbol::Weld => hatch(svg, at, away, 2.0 * u, u, width),
        JointSymbol::Ring { center, normal, radius } => {
            // where the wire is nearest to the ground
            let (a, b) = perpendicular_pair(normal);
            let [pa, pb] = [a, b].map(|d| page.direction(scale(d, radius)));
            let reach = |p: Point| p[0] * away[0] + p[1] * away[1];
            let (s, c) = reach(pb).atan2(reach(pa)).sin_cos();
            let foot = offset(offset(page.at(center), pa, c), pb, s);
            hatch(svg, foot, away, 2.0 * u, u, width)
        }
        JointSymbol::Slider => {
            let (axis, side) = slide(page, joint, away);
            let (depth, half) = carriage.map_or((1.15 * u, 4.2 * u), |outline| {
                let reach = |d: Point| {
                    outline.iter().map(|p| (p[0] - at[0]) * d[0] + (p[1] - at[1]) * d[1]).fold(0.0, f64::max)
                };
                (reach(side) + 1.0, reach(axis).max(reach([-axis[0], -axis[1]])) + 1.6 * u)
            });
            hatch(svg, offset(at, side, depth), side, half, u, width)
        }
        _ => {
            let base = offset(at, away, 2.3 * u);
            let along = [-away[1], away[0]];
            let foot = [at, offset(base, along, -1.35 * u), offset(base, along, 1.35 * u)];
            svg.path(SvgPath::new().polygon(&foot), &Paint::both(Rgb::WHITE, Rgb::INK, width));
            hatch(svg, base, away, 2.2 * u, u, width)
        }
    }
}

/// The wire or link of a joint, which lies under the bodies.
pub(super) fn underlay(svg: &mut Svg, page: &Page, joint: &SketchJoint) {
    match joint.kind {
        JointSymbol::Ring { center, normal, radius } => {
            let (u, v) = perpendicular_pair(normal);
            let [u, v] = [u, v].map(|d| page.direction(scale(d, radius)));
            svg.path(SvgPath::new().ellipse(page.at(center), u, v), &Paint::line(Rgb::GREY, 1.5));
        }
        JointSymbol::Rod { to } => {
            let dashed = Paint { dash: "5 4", ..Paint::line(Rgb::INK, pen(page)) };
            svg.path(SvgPath::new().segment(page.at(joint.position), page.at(to)), &dashed);
        }
        _ => {}
    }
}

/// The joint itself, on top of the bodies it joins.
pub(super) fn joint(svg: &mut Svg, page: &Page, joint: &SketchJoint) {
    let (u, width) = (page.unit, pen(page));
    let at = page.at(joint.position);
    if u < 2.2 && !matches!(joint.kind, JointSymbol::Ring { .. }) {
        // no room for a sign
        return svg.path(SvgPath::new().circle(at, 0.4 * u), &Paint::fill(Rgb::INK));
    }
    let plain = Paint::both(Rgb::WHITE, Rgb::INK, width);
    match joint.kind {
        JointSymbol::Pin => match joint.axis {
            // seen from the side a hinge is a barrel on its pin
            Some(axis) if dot(axis, page.view.toward).abs() < 0.9 => {
                let (d, length) = heading([0.0, 0.0], page.direction(axis));
                let half = u * (0.5 + 0.9 * length / page.scale);
                let n = [-d[1], d[0]];
                let (a, b) = (offset(at, d, -half), offset(at, d, half));
                let pin = Paint::line(Rgb::INK, width);
                svg.path(SvgPath::new().segment(offset(a, d, -0.8 * u), offset(b, d, 0.8 * u)), &pin);
                let w = 0.62 * u;
                let barrel = [offset(a, n, w), offset(b, n, w), offset(b, n, -w), offset(a, n, -w)];
                svg.path(SvgPath::new().polygon(&barrel), &plain);
            }
            _ => svg.path(SvgPath::new().circle(at, 0.72 * u), &plain),
        },
        JointSymbol::Ball => {
            svg.path(SvgPath::new().circle(at, 0.86 * u), &plain);
            svg.path(SvgPath::new().circle(at, 0.42 * u), &Paint::fill(Rgb::INK));
        }
        JointSymbol::Slider => {
            let (d, length) = heading([0.0, 0.0], joint.axis.map_or([1.0, 0.0], |a| page.direction(a)));
            let long = joint.axis.is_none() || length > 0.2 * page.scale;
            let (half, w) = if long { (1.6 * u, 0.95 * u) } else { (0.95 * u, 0.95 * u) };
            let n = [-d[1], d[0]];
            let corner = |s: f64, t: f64| offset(offset(at, d, s * half), n, t * w);
            let block = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            if long && !joint.grounded {
                let rail = Paint::line(Rgb::INK, width);
                svg.path(SvgPath::new().segment(offset(at, d, -3.0 * u), offset(at, d, 3.0 * u)), &rail);
            }
            svg.path(SvgPath::new().polygon(&block), &plain);
            let fine = Paint::line(Rgb::INK, width * 0.8);
            if long {
                svg.path(SvgPath::new().segment(offset(at, d, -half), offset(at, d, half)), &fine);
            } else {
                let mut cross = SvgPath::new();
                cross.segment(block[0], block[2]).segment(block[1], block[3]);
                svg.path(&cross, &fine);
            }
        }
        JointSymbol::Weld => {
            let w = 0.5 * u;
            let block = [[-w, -w], [w, -w], [w, w], [-w, w]].map(|d| [at[0] + d[0], at[1] + d[1]]);
            svg.path(SvgPath::new().polygon(&block), &Paint::fill(Rgb::INK));
        }
        JointSymbol::Rod { to } => {
            svg.path(SvgPath::new().circle(at, 0.3 * u).circle(page.at(to), 0.3 * u), &Paint::fill(Rgb::INK));
        }
        // the bead is the body
        JointSymbol::Ring { .. } => {}
        JointSymbol::Mark => {
            let w = 0.85 * u;
            let diamond = [[-w, 0.0], [0.0, -w], [w, 0.0], [0.0, w]].map(|d| [at[0] + d[0], at[1] + d[1]]);
            svg.path(SvgPath::new().polygon(&diamond), &plain);
        }
    }
}

/// A spring: straight ends and a zigzag whose teeth keep their number while it stretches.
pub(super) fn spring(svg: &mut Svg, page: &Page, a: Point, b: Point) {
    let (d, length) = heading(a, b);
    let n = [-d[1], d[0]];
    let lead = 0.14 * length;
    let teeth = 12;
    let tall = (1.05 * page.unit).min(0.3 * length);
    let mut points = vec![a, offset(a, d, lead)];
    for i in 0..teeth {
        let along = lead + (length - 2.0 * lead) * (i as f64 + 0.5) / teeth as f64;
        points.push(offset(offset(a, d, along), n, if i % 2 == 0 { tall } else { -tall }));
    }
    points.extend([offset(b, d, -lead), b]);
    svg.path(SvgPath::new().polyline(&points), &Paint::line(Rgb::INK, pen(page)));
    svg.path(SvgPath::new().circle(a, 0.28 * page.unit).circle(b, 0.28 * page.unit), &Paint::fill(Rgb::INK));
}

/// An arrow with a solid head.
pub(super) fn arrow(svg: &mut Svg, a: Point, b: Point, color: Rgb, width: f64) {
    let (d, length) = heading(a, b);
    if length < 0.5 {
        return;
    }
    let n = [-d[1], d[0]];
    let head = (3.0 + 3.0 * width).min(0.6 * length);
    let neck = offset(b, d, -head);
    svg.path(SvgPath::new().segment(a, offset(b, d, -0.8 * head)), &Paint::line(color, width));
    let tip = [b, offset(neck, n, 0.36 * head), offset(b, d, -0.82 * head), offset(neck, n, -0.36 * head)];
    svg.path(SvgPath::new().polygon(&tip), &Paint::both(color, color, 0.4));
}

/// The quartered disc that marks a centre of mass.
pub(super) fn center_of_mass(svg: &mut Svg, at: Point, r: f64) {
    svg.path(SvgPath::new().circle(at, r), &Paint::fill(Rgb::WHITE));
    const K: f64 = 0.552_285;
    let p = |x: f64, y: f64| [at[0] + r * x, at[1] + r * y];
    let mut quarters = SvgPath::new();
    quarters.move_to(at).line_to(p(1.0, 0.0)).curve_to(p(1.0, -K), p(K, -1.0), p(0.0, -1.0)).close();
    quarters.move_to(at).line_to(p(-1.0, 0.0)).curve_to(p(-1.0, K), p(-K, 1.0), p(0.0, 1.0)).close();
    svg.path(&quarters, &Paint::fill(Rgb::INK));
    svg.path(SvgPath::new().circle(at, r), &Paint::line(Rgb::INK, 0.9));
}

/// A traced point: a small cross hair.
pub(super) fn probe(svg: &mut Svg, at: Point, r: f64, color: Rgb) {
    svg.path(SvgPath::new().circle(at, 0.62 * r), &Paint::both(Rgb::WHITE, color, 1.2));
    let mut cross = SvgPath::new();
    cross.segment([at[0] - r, at[1]], [at[0] + r, at[1]]).segment([at[0], at[1] - r], [at[0], at[1] + r]);
    svg.path(&cross, &Paint::line(color, 0.9));
}

/// A vector that is perpendicular to the page: its point, or its feathers.
pub(super) fn through_page(svg: &mut Svg, at: Point, r: f64, to_eye: bool, color: Rgb) {
    svg.path(SvgPath::new().circle(at, r), &Paint::both(Rgb::WHITE, color, 1.2));
    if to_eye {
        svg.path(SvgPath::new().circle(at, 0.28 * r), &Paint::fill(color));
    } else {
        let k = 0.7 * r;
        let mut cross = SvgPath::new();
        cross.segment(offset(at, [-1.0, -1.0], k), offset(at, [1.0, 1.0], k));
        cross.segment(offset(at, [-1.0, 1.0], k), offset(at, [1.0, -1.0], k));
        svg.path(&cross, &Paint::line(color, 1.1));
    }
}

/// Where the arrow of a force ends, if it is `pixels` long when seen from the side.
pub(super) fn force_tip(page: &Page, at: [f64; 3], direction: [f64; 3], pixels: f64) -> Point {
    page.at(add(at, scale(direction, pixels / page.scale)))
}

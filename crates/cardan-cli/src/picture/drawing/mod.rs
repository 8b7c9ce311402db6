//! Line drawings of mechanisms: one moment, or several in a strip at one scale.
//!
//! A flat mechanism is seen along its normal with gravity down the page, any other from above and aside. Nearer
//! parts cover farther ones; joints, marks and names lie on top.

mod label;
mod shape;
mod symbol;
#[cfg(test)]
mod tests;
mod vec3;
mod view;

pub(crate) use cardan_view::{
    JointSymbol, Sketch, SketchBody, SketchJoint, SketchShape, SketchShapeKind, StripFrame,
};

use super::axis;
use super::svg::{PALETTE, Paint, Point, Rgb, Svg, SvgPath};
use super::text::{self, TextAnchor, TextStyle};
use label::{OccupancyGrid, Rect};
use shape::BodyColors;
use vec3::{Vec3, add, dot, norm, scale, sub, unit};
use view::View;

/// Half the size of a joint's sign in a drawing with room.
const UNIT: f64 = 7.0;
const FORCE: Rgb = Rgb(192, 57, 30);
const TRACE: Rgb = Rgb(0, 114, 178);
/// More bodies than this have no names, more than half of it no marks at their centres of mass.
const NAMED: usize = 60;
const FORCE_LENGTH: f64 = 64.0;

/// From the world to the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    view: View,
    /// Pixels per metre.
    scale: f64,
    /// What lies (metres, page axes) at `middle` (pixels).
    center: Point,
    middle: Point,
    /// Half the size of a joint's sign.
    unit: f64,
}

impl Page {
    fn place(&self, p: Point) -> Point {
        [
            self.middle[0] + (p[0] - self.center[0]) * self.scale,
            self.middle[1] - (p[1] - self.center[1]) * self.scale,
        ]
    }

    fn at(&self, p: Vec3) -> Point {
        self.place(self.view.project(p))
    }

    /// A vector of the world in pixels.
    fn direction(&self, d: Vec3) -> Point {
        let [x, y] = self.view.project(d);
        [x * self.scale, -y * self.scale]
    }

    /// Width of a bar.
    fn bar(&self) -> f64 {
        (0.8 * self.unit).max(1.6)
    }

    /// Width of the outline of bodies.
    fn edge(&self) -> f64 {
        (0.19 * self.unit).clamp(0.5, 1.3)
    }
}

/// Draws a mechanism as SVG text.
pub(crate) fn draw(sketch: &Sketch) -> String {
    draw_from(sketch, None)
}

/// Draws a mechanism from an azimuth and an elevation, in degrees; from where it is seen best without them.
pub(crate) fn draw_from(sketch: &Sketch, from: Option<[f64; 2]>) -> String {
    sheet(&sketch.title, &[(String::new(), sketch.cleaned())], from)
}

/// Draws several moments in a strip, with the same view and scale; the first one carries the names.
pub(crate) fn strip(strip_frames: &[StripFrame], from: Option<[f64; 2]>) -> String {
    let title = strip_frames.first().map_or("", |m| &m.sketch.title);
    let frames: Vec<(String, Sketch)> =
        strip_frames.iter().map(|m| (m.time.clone(), m.sketch.cleaned())).collect();
    sheet(title, &frames, from)
}

fn sheet(title: &str, frames: &[(String, Sketch)], from: Option<[f64; 2]>) -> String {
    let sketches: Vec<&Sketch> = frames.iter().map(|f| &f.1).collect();
    let view = match from {
        Some(angles) => View::from_angles(&sketches, angles),
        None => View::choose(&sketches),
    };
    let [x0, y0, x1, y1] = extent(&view, &sketches);
    let (wide, high) = (x1 - x0, y1 - y0);
    let single = frames.len() <= 1;
    let forces = sketches.iter().any(|s| !s.forces.is_empty());
    let captioned = frames.iter().any(|f| !f.0.is_empty());
    let margin_x = if single { 64.0 } else { 34.0_f64 };
    let margin_y = if single { 40.0 } else { 30.0_f64 };
    let (margin_x, margin_y) = if forces {
        (margin_x.max(FORCE_LENGTH + 8.0), margin_y.max(FORCE_LENGTH + 8.0))
    } else {
        (margin_x, margin_y)
    };
    let caption = if captioned { 20.0 } else { 0.0 };

    // in one row as far as that keeps the mechanism large enough, full rows first
    let count = frames.len().max(1);
    let fit = |columns: usize| {
        let rows = count.div_ceil(columns) as f64;
        let (sheet_w, sheet_h) = if single { (700.0, 480.0) } else { (1080.0, (440.0 * rows).min(900.0)) };
        let room_x: f64 = sheet_w / columns as f64 - 2.0 * margin_x;
        let room_y: f64 = sheet_h / rows - 2.0 * margin_y - caption;
        (room_x.max(20.0) / wide).min(room_y.max(20.0) / high)
    };
    let best = (1..=count.min(6)).map(fit).fold(0.0, f64::max);
    let large = || (1..=count.min(6)).rev().filter(|&c| fit(c) >= 0.55 * best);
    let columns = large().find(|c| count.is_multiple_of(*c)).or_else(|| large().next()).unwrap_or(1);
    let scale = fit(columns);
    let rows = count.div_ceil(columns);
    let cell_w = (wide * scale + 2.0 * margin_x).max(if single { 340.0 } else { 90.0 });
    let cell_h = (high * scale + 2.0 * margin_y + caption).max(if single { 180.0 } else { 90.0 });
    let head = if title.is_empty() { 10.0 } else { 40.0 };
    let foot = 70.0;
    let width = (columns as f64 * cell_w).max(340.0);
    let height = head + rows as f64 * cell_h + foot;

    let mut svg = Svg::new(width, height, if title.is_empty() { "mechanism" } else { title });
    let shown = text::fit(title, 15.0, width - 40.0);
    text::draw(&mut svg, &shown, [20.0, 27.0], &TextStyle::new(15.0, Rgb::INK).bold());

    let coms: Vec<Point> =
        sketches.iter().flat_map(|s| &s.bodies).map(|b| view.project(b.center_of_mass)).collect();
    let share = 1.0 / coms.len().max(1) as f64;
    let mean = coms.iter().fold([0.0; 2], |m, p| [m[0] + p[0] * share, m[1] + p[1] * share]);
    let mut page =
        Page { view, scale, center: [(x0 + x1) / 2.0, (y0 + y1) / 2.0], middle: [0.0; 2], unit: UNIT };
    page.unit = sketches.iter().map(|s| sign_size(&page, s)).fold(UNIT, f64::min);
    let spare = (width - columns as f64 * cell_w) / 2.0;
    for (i, (time, sketch)) in frames.iter().enumerate() {
        let left = spare + (i % columns) as f64 * cell_w;
        let top = head + (i / columns) as f64 * cell_h;
        page.middle = [left + cell_w / 2.0, top + caption + (cell_h - caption) / 2.0];
        svg.open("frame", time);
        let style = TextStyle::new(12.0, Rgb::GREY).anchored(TextAnchor::Middle);
        text::draw(&mut svg, time, [page.middle[0], top + 15.0], &style);
        frame(&mut svg, &page, sketch, mean, [left, top + caption, left + cell_w, top + cell_h], i == 0);
        svg.close();
    }
    let gravity = sketches.first().map_or([0.0; 3], |s| s.gravity);
    if sketches.iter().all(|s| s.bodies.is_empty() && s.joints.is_empty() && s.probes.is_empty()) {
        let style = TextStyle::new(12.5, Rgb::GREY).anchored(TextAnchor::Middle);
        text::draw(&mut svg, "nothing to draw", [width / 2.0, (height - foot) / 2.0], &style);
    }
    footer(&mut svg, &page, gravity, width, height);
    svg.finish()
}

/// The box (metres, page axes) of everything that is drawn to scale; never empty.
fn extent(view: &View, sketches: &[&Sketch]) -> Rect {
    let mut points: Vec<Point> = Vec::new();
    for sketch in sketches {
        for body in &sketch.bodies {
            points.push(view.project(body.center_of_mass));
            points.extend(body.attachments.iter().map(|p| view.project(*p)));
            points.extend(body.shapes.iter().flat_map(|s| shape::silhouette(view, s)));
        }
        for joint in &sketch.joints {
            points.push(view.project(joint.position));
            match joint.kind {
                JointSymbol::Rod { to } => points.push(view.project(to)),
                JointSymbol::Ring { center, normal, radius } => {
                    let [x, y] = view.project(center);
                    let reach = |d: Vec3| radius * (1.0 - dot(normal, d).powi(2)).max(0.0).sqrt();
                    let (a, b) = (reach(view.right), reach(view.up));
                    points.extend([[x - a, y - b], [x + a, y + b]]);
                }
                _ => {}
            }
        }
        points.extend(sketch.springs.iter().flat_map(|s| [s.from, s.to]).map(|p| view.project(p)));
        points.extend(sketch.lines.iter().chain(&sketch.marks).flatten().map(|p| view.project(*p)));
        points.extend(sketch.forces.iter().map(|f| view.project(f.at)));
        points.extend(
            sketch
                .probes
                .iter()
                .flat_map(|p| std::iter::once(&p.position).chain(&p.trail))
                .map(|p| view.project(*p)),
        );
    }
    let mut rect = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    for [x, y] in points {
        rect = [rect[0].min(x), rect[1].min(y), rect[2].max(x), rect[3].max(y)];
    }
    let [x0, y0, x1, y1] = if rect[0] <= rect[2] { rect } else { [0.0; 4] };
    // a single point, or a flat line, still gets a picture of a sensible size around it
    let size = (x1 - x0).max(y1 - y0);
    let far = x0.abs().max(x1.abs()).max(y0.abs()).max(y1.abs());
    let (least, share) = if size > 1e-12 * far.max(1e-100) { (size, 0.05) } else { (far.max(1.0), 1.0) };
    let widen = |a: f64, b: f64| {
        let lack = (share * least - (b - a)).max(0.0) / 2.0;
        (a - lack, b + lack)
    };
    let ((x0, x1), (y0, y1)) = (widen(x0, x1), widen(y0, y1));
    [x0, y0, x1, y1]
}

/// Signs shrink where joints are close: a share of the median distance to the nearest neighbour.
fn sign_size(page: &Page, sketch: &Sketch) -> f64 {
    let mut spots: Vec<Point> = sketch.joints.iter().map(|j| page.at(j.position)).take(600).collect();
    if spots.len() < 2 {
        spots.extend(sketch.bodies.iter().map(|b| page.at(b.center_of_mass)).take(600));
    }
    let mut nearest: Vec<f64> = spots
        .iter()
        .map(|p| spots.iter().map(|q| symbol::heading(*p, *q).1).filter(|d| *d > 0.5).fold(1e6, f64::min))
        .filter(|d| *d < 1e6)
        .collect();
    nearest.sort_by(f64::total_cmp);
    nearest.get(nearest.len() / 2).map_or(UNIT, |d| (0.24 * d).clamp(1.6, UNIT))
}

/// One moment. `mean` is the middle of the mechanism, which tells floors from ceilings.
fn frame(svg: &mut Svg, page: &Page, sketch: &Sketch, mean: Point, area: Rect, named: bool) {
    let mut occupancy = OccupancyGrid::new(area);
    let u = page.unit;
    for probe in &sketch.probes {
        let trail: Vec<Point> = thinned(probe.trail.iter().map(|p| page.at(*p)));
        occupancy.polyline(&trail, 0.6);
        svg.labelled_path(
            SvgPath::new().polyline(&trail),
            &Paint::line(TRACE.mix(Rgb::WHITE, 0.35), 1.2),
            &probe.name,
        );
    }
    for line in &sketch.lines {
        let line: Vec<Point> = line.iter().map(|p| page.at(*p)).collect();
        occupancy.polyline(&line, 1.0);
        svg.path(SvgPath::new().polyline(&line), &Paint::line(Rgb::GREY, 1.5));
    }
    for joint in &sketch.joints {
        symbol::underlay(svg, page, joint);
        let at = page.at(joint.position);
        match joint.kind {
            JointSymbol::Rod { to } => occupancy.segment(at, page.at(to), 1.0),
            JointSymbol::Ring { center, normal, radius } => {
                let (a, b) = vec3::perpendicular_pair(normal);
                let [a, b] = [a, b].map(|d| page.direction(scale(d, radius)));
                let turn = |i: i32| (f64::from(i) * std::f64::consts::TAU / 64.0).sin_cos();
                let middle = page.at(center);
                let on_wire = |(s, c): (f64, f64)| symbol::offset(symbol::offset(middle, a, c), b, s);
                let wire: Vec<Point> = (0..=64).map(|i| on_wire(turn(i))).collect();
                occupancy.polyline(&wire, 1.0);
            }
            _ => {}
        }
    }
    // in the plane a support stands behind the parts it carries; in space it would hide in them
    if page.view.flat {
        grounds(svg, page, sketch, mean, &mut occupancy);
        bodies(svg, page, sketch, &mut occupancy);
    } else {
        bodies(svg, page, sketch, &mut occupancy);
        grounds(svg, page, sketch, mean, &mut occupancy);
    }
    for line in &sketch.marks {
        let line: Vec<Point> = line.iter().map(|p| page.at(*p)).collect();
        // A chain line, as for pitch circles; what is short is whole.
        let dash = if line.len() > 2 { "7 2 1.5 2" } else { "" };
        svg.path(SvgPath::new().polyline(&line), &Paint { dash, ..Paint::line(Rgb::INK, 0.9) });
    }
    for spring in &sketch.springs {
        let (a, b) = (page.at(spring.from), page.at(spring.to));
        symbol::spring(svg, page, a, b);
        occupancy.segment(a, b, 2.0);
    }
    if sketch.bodies.len() <= NAMED / 2 {
        for body in sketch.bodies.iter().filter(|b| has_extent(b)) {
            symbol::center_of_mass(svg, page.at(body.center_of_mass), (0.55 * u).clamp(2.0, 3.8));
        }
    }
    for joint in &sketch.joints {
        if !(joint.grounded && carriage(page, sketch, joint).is_some()) {
            symbol::joint(svg, page, joint);
        }
        occupancy.square(page.at(joint.position), u, 2.0);
    }
    for probe in &sketch.probes {
        symbol::probe(svg, page.at(probe.position), (0.8 * u).max(3.0), TRACE);
        occupancy.square(page.at(probe.position), u, 2.0);
    }
    let strongest = sketch.forces.iter().map(|f| norm(f.vector)).fold(0.0, f64::max);
    for force in &sketch.forces {
        if let Some(direction) = unit(force.vector) {
            let long = (FORCE_LENGTH * norm(force.vector) / strongest).max(14.0);
            let (a, b) = (page.at(force.at), symbol::force_tip(page, force.at, direction, long));
            symbol::arrow(svg, a, b, FORCE, 1.8);
            occupancy.segment(a, b, 2.0);
        }
    }
    if named {
        names(svg, page, sketch, &mut occupancy);
    }
}

fn grounds(svg: &mut Svg, page: &Page, sketch: &Sketch, mean: Point, occupancy: &mut OccupancyGrid) {
    let [x0, y0, x1, y1] = extent(&page.view, &[sketch]);
    let hang = 0.08 * (x1 - x0).max(y1 - y0);
    for joint in sketch.joints.iter().filter(|j| j.grounded) {
        let at = page.view.project(joint.position);
        let (dx, dy) = (at[0] - mean[0], at[1] - mean[1]);
        let wall = matches!(joint.kind, JointSymbol::Weld | JointSymbol::Rod { .. });
        let away = match joint.kind {
            JointSymbol::Ring { .. } => [0.0, 1.0],
            // below a level slide, on the outer side of an upright one
            JointSymbol::Slider => [0.1_f64.copysign(dx), 0.995],
            _ if wall && dx.abs() > 1.5 * dy.abs() => [dx.signum(), 0.0],
            // a ceiling only where the mechanism hangs from it
            _ if dy > hang => [0.0, -1.0],
            _ => [0.0, 1.0],
        };
        let [a, b] = symbol::ground(svg, page, joint, away, carriage(page, sketch, joint).as_deref());
        let at = page.at(joint.position);
        for k in 0..3 {
            // the hatched line with what is between it and the joint
            let t = f64::from(k) / 2.0;
            let toward = |p: Point| [p[0] + t * (at[0] - p[0]), p[1] + t * (at[1] - p[1])];
            occupancy.segment(toward(a), toward(b), 2.0);
        }
    }
}

/// The outline of the body that a slide goes through: such a body is its own slider block.
fn carriage(page: &Page, sketch: &Sketch, joint: &SketchJoint) -> Option<Vec<Point>> {
    if joint.kind != JointSymbol::Slider {
        return None;
    }
    let thick = |k: &SketchShapeKind| {
        matches!(
            k,
            SketchShapeKind::Box { .. } | SketchShapeKind::Cylinder { .. } | SketchShapeKind::Sphere { .. }
        )
    };
    let shapes = sketch.bodies.iter().flat_map(|b| &b.shapes).filter(|s| thick(&s.kind));
    let mut around = shapes.filter(|s| shape::touches(s, joint.position, -1.0 / page.scale));
    around.next().map(|s| shape::silhouette(&page.view, s).into_iter().map(|p| page.place(p)).collect())
}

/// Whether a body is more than a dot, so that its centre of mass is worth a mark.
fn has_extent(body: &SketchBody) -> bool {
    let dot = |s: &SketchShape| matches!(s.kind, SketchShapeKind::Point);
    if body.shapes.is_empty() { body.attachments.len() > 1 } else { !body.shapes.iter().all(dot) }
}

fn colors(index: usize) -> BodyColors {
    // without the grey, which is the ground's
    BodyColors { color: PALETTE[index % (PALETTE.len() - 1)] }
}

/// Shapes and bars, the farthest first; in a plane the largest first, so that nothing hides a smaller part.
fn bodies(svg: &mut Svg, page: &Page, sketch: &Sketch, occupancy: &mut OccupancyGrid) {
    enum DrawItem<'a> {
        Bar(Vec3, Vec3),
        Dot(Vec3),
        Shape(&'a SketchShape),
    }
    let rank = |s: &SketchShape| {
        if page.view.flat { -shape::area(&page.view, s) } else { page.view.depth(s.position) }
    };
    let rank_point = |p: Vec3| if page.view.flat { 0.0 } else { page.view.depth(p) };
    let mut parts: Vec<(f64, usize, DrawItem<'_>)> = Vec::new();
    for (i, body) in sketch.bodies.iter().enumerate() {
        let com = body.center_of_mass;
        let slack = 1.5 / page.scale;
        let free = |p: &Vec3| !body.shapes.iter().any(|s| shape::touches(s, *p, slack));
        let apart = |p: &Vec3| norm(sub(*p, com)) * page.scale > 0.5;
        let mut ends: Vec<Vec3> = body.attachments.iter().filter(|p| apart(p) && free(p)).copied().collect();
        if !body.shapes.is_empty() && free(&com) && !ends.is_empty() {
            // the bars meet at the centre of mass; a shape that is elsewhere hangs on it too
            ends.extend(body.shapes.iter().map(|s| s.position));
        }
        for end in &ends {
            let middle = scale(add(*end, com), 0.5);
            // inside its own solid a bar is hidden
            let solids = body.shapes.iter().filter(|s| !matches!(s.kind, SketchShapeKind::Plate { .. }));
            let own = solids.map(rank).fold(rank_point(middle), f64::min);
            parts.push((own, i, DrawItem::Bar(*end, com)));
        }
        if body.shapes.is_empty() && body.attachments.len() < 2 {
            parts.push((rank_point(com), i, DrawItem::Dot(com)));
        }
        for shape in &body.shapes {
            parts.push((rank(shape), i, DrawItem::Shape(shape)));
        }
    }
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, i, part) in &parts {
        let colors = colors(*i);
        match part {
            DrawItem::Bar(a, b) => {
                let (a, b) = (page.at(*a), page.at(*b));
                shape::bar(svg, a, b, page.bar(), page.edge(), colors);
                occupancy.bar(a, b, page.bar() + 3.0, 1.5);
            }
            DrawItem::Dot(p) => {
                let point =
                    SketchShape { kind: SketchShapeKind::Point, position: *p, rotation: [[0.0; 3]; 3] };
                shape::draw(svg, page, &point, colors);
                occupancy.square(page.at(*p), page.unit, 1.5);
            }
            DrawItem::Shape(s) => {
                let mut outline = shape::draw(svg, page, s, colors);
                occupancy.square(page.at(s.position), page.unit, 0.8);
                if let Some(&first) = outline.first() {
                    outline.push(first);
                }
                match outline[..] {
                    // a rod has no outline to scale
                    [a, b, _] => occupancy.bar(a, b, page.bar() + 3.0, 1.5),
                    _ => occupancy.polyline(&outline, 1.5),
                }
            }
        }
    }
}

fn names(svg: &mut Svg, page: &Page, sketch: &Sketch, occupancy: &mut OccupancyGrid) {
    if sketch.bodies.len() > NAMED {
        return;
    }
    let reach = page.unit + 4.0;
    for (i, body) in sketch.bodies.iter().enumerate() {
        // beside the centre of mass, or further out along the body
        let com = body.center_of_mass;
        let mut spots = vec![page.at(com)];
        spots.extend(body.attachments.iter().take(4).map(|p| page.at(scale(add(*p, com), 0.5))));
        write(svg, occupancy, &body.name, &spots, reach, TextStyle::new(12.0, colors(i).line()));
    }
    for probe in &sketch.probes {
        write(svg, occupancy, &probe.name, &[page.at(probe.position)], reach, TextStyle::new(11.0, TRACE));
    }
    // signs that had to shrink have no room for names either
    for joint in sketch.joints.iter().filter(|_| page.unit > 0.75 * UNIT) {
        let spot = match joint.kind {
            JointSymbol::Rod { to } => scale(add(joint.position, to), 0.5),
            _ => joint.position,
        };
        write(svg, occupancy, &joint.name, &[page.at(spot)], reach + 1.0, TextStyle::new(11.0, Rgb::GREY));
    }
}

fn write(
    svg: &mut Svg,
    occupancy: &mut OccupancyGrid,
    name: &str,
    spots: &[Point],
    reach: f64,
    style: TextStyle,
) {
    let name = text::fit(name, style.size, 130.0);
    if name.trim().is_empty() {
        return;
    }
    if let Some(place) = occupancy.place(&name, style.size, spots, reach) {
        text::draw(svg, &name, place, &style.haloed());
    }
}

/// A trail without the points that lie within half a pixel of the one before.
fn thinned(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for p in points {
        if kept.last().is_none_or(|q| symbol::heading(*q, p).1 > 0.5) {
            kept.push(p);
        }
    }
    kept
}

/// Axes, scale bar and gravity under the drawing.
fn footer(svg: &mut Svg, page: &Page, gravity: Vec3, width: f64, height: f64) {
    let middle = height - 32.0;
    svg.open("key", "");
    // axes, the one nearest to the eye last
    let origin = [36.0, middle + if page.view.flat { 12.0 } else { 8.0 }];
    let axes = [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];
    let small = TextStyle::new(11.0, Rgb::GREY).anchored(TextAnchor::Middle);
    for (name, axis) in axes {
        let [x, y] = page.view.project(axis);
        let seen = (x * x + y * y).sqrt();
        if seen > 0.15 {
            symbol::arrow(svg, origin, [origin[0] + 25.0 * x, origin[1] - 25.0 * y], Rgb::GREY, 1.1);
            let reach = 25.0 + 8.0 / seen;
            text::draw(svg, name, [origin[0] + reach * x, origin[1] - reach * y + 3.5], &small);
        }
    }
    // a round length
    let left = 92.0;
    let (digit, exponent) = axis::round_below((130.0 / page.scale).max(1e-300));
    let long = digit * axis::ten(exponent) * page.scale;
    let mut bar = SvgPath::new();
    bar.segment([left, middle], [left + long, middle]);
    bar.segment([left, middle - 4.0], [left, middle + 4.0]);
    bar.segment([left + long, middle - 4.0], [left + long, middle + 4.0]);
    svg.path(&bar, &Paint::line(Rgb::INK, 1.2));
    let style = TextStyle::new(11.5, Rgb::INK).anchored(TextAnchor::Middle);
    text::draw(svg, &length_text(digit, exponent), [left + long / 2.0, middle + 17.0], &style);
    // gravity
    if let Some(direction) = unit(gravity) {
        let [x, y] = page.view.project(direction);
        let at = [width - 34.0, middle];
        if (x * x + y * y).sqrt() > 0.15 {
            symbol::arrow(
                svg,
                [at[0] - 17.0 * x, at[1] + 17.0 * y],
                [at[0] + 17.0 * x, at[1] - 17.0 * y],
                Rgb::INK,
                1.5,
            );
        } else {
            symbol::through_page(svg, at, 7.0, dot(direction, page.view.toward) > 0.0, Rgb::INK);
        }
        let size = norm(gravity);
        let lead = axis::decade(size.max(1e-300));
        let text = if (-2..4).contains(&lead) {
            let full = axis::number_text(size, (2 - lead).clamp(0, 4) as usize);
            if full.contains('.') {
                full.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                full
            }
        } else {
            axis::number_text(size / axis::ten(lead), 2) + &axis::power_text(lead)
        };
        let style = TextStyle::new(11.5, Rgb::INK).anchored(TextAnchor::End);
        text::draw(svg, &format!("g = {text} m/s²"), [at[0] - 24.0, at[1] + 4.0], &style);
    }
    svg.close();
}

/// `digit · 10^exponent` metres in the unit people use for it.
fn length_text(digit: f64, exponent: i32) -> String {
    let (shift, name) = match exponent {
        -2..=2 => (0, "m"),
        3..=5 => (3, "km"),
        -5..=-3 => (-3, "mm"),
        -8..=-6 => (-6, "µm"),
        _ => return format!("{digit}{} m", axis::power_text(exponent)),
    };
    let places = (shift - exponent).max(0) as usize;
    format!("{} {name}", axis::number_text(digit * axis::ten(exponent - shift), places))
}

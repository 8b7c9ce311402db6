//! Small pictures of joints by what they leave free: a block on its ground, an arrow along every free shift, a ring about every free turn.

use std::fmt::Write;

type Point = [f64; 2];

/// Directions of the axes x, y and z on the page: z up, x to the right and to the front, y to the right and to the back.
const AXES: [Point; 3] = [[0.82, 0.36], [0.72, -0.44], [0.0, -1.0]];
/// One colour per axis; distinct also without red–green vision.
const COLOURS: [&str; 3] = ["#b5541f", "#1f7a5c", "#1b4f8f"];
const SIZE: f64 = 120.0;

fn at(p: [f64; 3]) -> Point {
    let sum = |k: usize| p[0] * AXES[0][k] + p[1] * AXES[1][k] + p[2] * AXES[2][k];
    [SIZE / 2.0 + sum(0), SIZE / 2.0 + 4.0 + sum(1)]
}

fn list(points: &[Point]) -> String {
    points.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect::<Vec<_>>().join(" ")
}

fn polygon(svg: &mut String, points: &[Point], fill: &str, line: &str) {
    let _ = writeln!(
        svg,
        r##"<polygon points="{}" fill="{fill}" stroke="{line}" stroke-width="1"/>"##,
        list(points)
    );
}

fn polyline(svg: &mut String, points: &[Point], colour: &str) {
    let _ = writeln!(
        svg,
        r##"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>"##,
        list(points)
    );
}

/// The tip of an arrow that comes from `from`.
fn tip(svg: &mut String, from: Point, to: Point, colour: &str) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let (x, y) = (dx / length, dy / length);
    let back = |side: f64| [to[0] - 6.0 * x - 3.0 * side * y, to[1] - 6.0 * y + 3.0 * side * x];
    polygon(svg, &[[to[0] + 2.0 * x, to[1] + 2.0 * y], back(1.0), back(-1.0)], colour, colour);
}

/// A box about `middle` with half edges `half`, three faces of it.
fn block(svg: &mut String, middle: [f64; 3], half: [f64; 3], fills: [&str; 3], line: &str) {
    let corner = |x: f64, y: f64, z: f64| {
        at([middle[0] + x * half[0], middle[1] + y * half[1], middle[2] + z * half[2]])
    };
    let top = [corner(-1., -1., 1.), corner(1., -1., 1.), corner(1., 1., 1.), corner(-1., 1., 1.)];
    let front = [corner(-1., -1., -1.), corner(1., -1., -1.), corner(1., -1., 1.), corner(-1., -1., 1.)];
    let right = [corner(1., -1., -1.), corner(1., 1., -1.), corner(1., 1., 1.), corner(1., -1., 1.)];
    for (face, fill) in [top, front, right].iter().zip(fills) {
        polygon(svg, face, fill, line);
    }
}

/// The picture of what is left free along and about the axes x, y, z of a's frame.
pub(crate) fn icon(shifts: [bool; 3], turns: [bool; 3]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\" width=\"{SIZE}\" height=\"{SIZE}\">\n"
    );
    // The ground, and what moves on it.
    block(&mut svg, [0.0, 0.0, -30.0], [26.0, 26.0, 2.0], ["#e6e6e6", "#cfcfcf", "#bdbdbd"], "#8a8a8a");
    block(&mut svg, [0.0, 0.0, 0.0], [12.0, 12.0, 12.0], ["#e3eef7", "#c4dcec", "#a9cbe1"], "#2b5c85");
    for k in 0..3 {
        let along = |s: f64| {
            let mut p = [0.0; 3];
            p[k] = s;
            p
        };
        if shifts[k] {
            // From the faces of the block outwards, both ways.
            for s in [1.0, -1.0] {
                let (from, to) = (at(along(14.0 * s)), at(along(38.0 * s)));
                polyline(&mut svg, &[from, to], COLOURS[k]);
                tip(&mut svg, from, to, COLOURS[k]);
            }
        }
        if turns[k] {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let ring: Vec<Point> = (0..=30)
                .map(|n| {
                    let (sin, cos) = (f64::from(n) * 10.0 + 30.0).to_radians().sin_cos();
                    // That of y in front, where x does not hide it.
                    let mut p = along(if k == 1 { -24.0 } else { 24.0 });
                    p[i] = 11.0 * cos;
                    p[j] = 11.0 * sin;
                    at(p)
                })
                .collect();
            polyline(&mut svg, &ring, COLOURS[k]);
            tip(&mut svg, ring[28], ring[30], COLOURS[k]);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

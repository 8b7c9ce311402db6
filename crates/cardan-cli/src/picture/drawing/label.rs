//! Names where there is room for them: each takes the emptiest place around its point, or stays away.

use crate::picture::svg::Point;
use crate::picture::text;

const CELL: f64 = 3.0;
/// A cell that belongs to a name already; nothing else may go there.
const TAKEN: f32 = 1e6;
/// Mean ink under a name above which it is left out.
const CROWDED: f32 = 0.5;

/// How much is drawn where, on a coarse grid.
pub(super) struct OccupancyGrid {
    columns: usize,
    rows: usize,
    cells: Vec<f32>,
    left: f64,
    top: f64,
}

/// Corners of an upright rectangle: left, top, right, bottom.
pub(super) type Rect = [f64; 4];

impl OccupancyGrid {
    pub(super) fn new(area: Rect) -> OccupancyGrid {
        let columns = ((area[2] - area[0]) / CELL).ceil().clamp(1.0, 4000.0) as usize;
        let rows = ((area[3] - area[1]) / CELL).ceil().clamp(1.0, 4000.0) as usize;
        OccupancyGrid { columns, rows, cells: vec![0.0; columns * rows], left: area[0], top: area[1] }
    }

    fn cell(&self, p: Point) -> Option<usize> {
        let (x, y) = ((p[0] - self.left) / CELL, (p[1] - self.top) / CELL);
        let inside = x >= 0.0 && y >= 0.0 && x < self.columns as f64 && y < self.rows as f64;
        inside.then(|| y as usize * self.columns + x as usize)
    }

    fn range(&self, rect: Rect) -> impl Iterator<Item = usize> + use<> {
        let index = |v: f64, most: usize| (v / CELL).floor().clamp(0.0, most as f64 - 1.0) as usize;
        let (x0, x1) = (index(rect[0] - self.left, self.columns), index(rect[2] - self.left, self.columns));
        let (y0, y1) = (index(rect[1] - self.top, self.rows), index(rect[3] - self.top, self.rows));
        let columns = self.columns;
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y * columns + x))
    }

    pub(super) fn segment(&mut self, a: Point, b: Point, weight: f32) {
        let length = ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt();
        let steps = (length / (0.7 * CELL)).ceil().clamp(1.0, 4000.0) as usize;
        for i in 0..=steps {
            let t = i as f64 / steps as f64;
            if let Some(i) = self.cell([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]) {
                self.cells[i] = self.cells[i].max(weight);
            }
        }
    }

    /// A line of some width: its two edges and its middle.
    pub(super) fn bar(&mut self, a: Point, b: Point, width: f64, weight: f32) {
        let length = ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt().max(1e-9);
        let n = [(a[1] - b[1]) / length, (b[0] - a[0]) / length];
        for k in [-0.5 * width, 0.0, 0.5 * width] {
            let beside = |p: Point| [p[0] + k * n[0], p[1] + k * n[1]];
            self.segment(beside(a), beside(b), weight);
        }
    }

    pub(super) fn polyline(&mut self, points: &[Point], weight: f32) {
        for pair in points.windows(2) {
            self.segment(pair[0], pair[1], weight);
        }
    }

    pub(super) fn square(&mut self, center: Point, half: f64, weight: f32) {
        self.rect([center[0] - half, center[1] - half, center[0] + half, center[1] + half], weight);
    }

    pub(super) fn rect(&mut self, rect: Rect, weight: f32) {
        for i in self.range(rect) {
            self.cells[i] = self.cells[i].max(weight);
        }
    }

    /// Finds the place of a name near one of its points (better ones first), takes it, and returns the left end of
    /// its baseline.
    pub(super) fn place(&mut self, name: &str, size: f64, spots: &[Point], reach: f64) -> Option<Point> {
        const D: f64 = std::f64::consts::FRAC_1_SQRT_2;
        const AROUND: [Point; 8] =
            [[D, -D], [1.0, 0.0], [D, D], [-D, -D], [-1.0, 0.0], [-D, D], [0.0, -1.0], [0.0, 1.0]];
        let (wide, high) = (text::width(name, size), text::cap_height(size));
        let mut best: Option<(f32, f32, Rect)> = None;
        for (spot, at) in spots.iter().enumerate() {
            for (ring, distance) in [reach, reach + 6.0, reach + 14.0, reach + 24.0].into_iter().enumerate() {
                for (k, d) in AROUND.iter().enumerate() {
                    let x = at[0] + d[0] * distance + (d[0] / D).clamp(-1.0, 1.0) * wide / 2.0;
                    let y = at[1] + d[1] * distance + (d[1] / D).clamp(-1.0, 1.0) * high / 2.0;
                    let rect = [x - wide / 2.0, y - high / 2.0, x + wide / 2.0, y + high / 2.0];
                    let wider = [rect[0] - 3.0, rect[1] - 3.0, rect[2] + 3.0, rect[3] + 4.0];
                    if wider[0] < self.left
                        || wider[1] < self.top
                        || wider[2] > self.left + self.columns as f64 * CELL
                        || wider[3] > self.top + self.rows as f64 * CELL
                    {
                        continue;
                    }
                    let (sum, count) =
                        self.range(wider).fold((0.0, 0.0), |(s, n), i| (s + self.cells[i], n + 1.0));
                    // near and to the right is where a reader looks first
                    let occupancy = sum / count;
                    let cost = occupancy + 0.012 * k as f32 + 0.05 * ring as f32 + 0.04 * spot as f32;
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, occupancy, rect));
                    }
                }
            }
        }
        let (_, occupancy, rect) = best?;
        if occupancy > CROWDED {
            return None;
        }
        self.rect([rect[0] - 2.0, rect[1] - 2.0, rect[2] + 2.0, rect[3] + 2.0], TAKEN);
        Some([rect[0], rect[3]])
    }
}

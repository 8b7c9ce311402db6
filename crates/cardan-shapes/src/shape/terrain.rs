//! Height fields z = h(x, y) over a grid: two triangles per cell, and solid below.

use super::surface::{Surface, WingedEdge, has_supporting_direction, planes};
use crate::aabb::{Aabb, greater, lesser};
use crate::error::{ShapeError, positive};
use cardan_solve::math::{Vec3, vec3};

/// Heights over a grid. Every cell is halved by the diagonal from its corner of least x and y.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    corner: [f64; 2],
    spacing: [f64; 2],
    /// Number of points along x and y.
    count: [u32; 2],
    /// Heights, x fastest.
    heights: Vec<f64>,
    low: f64,
    high: f64,
    /// For each triangle the first one in its plane.
    planes: Vec<u32>,
}

impl Terrain {
    /// From heights \[m\], a row per y and a number per x; the corner of least x and y, and the spacing along
    /// x and y.
    ///
    /// # Errors
    /// For rows of different length, fewer than two each way, a spacing that is not positive, heights that
    /// are not finite.
    pub fn new(corner: [f64; 2], spacing: [f64; 2], rows: &[Vec<f64>]) -> Result<Self, ShapeError> {
        if corner.iter().any(|c| !c.is_finite()) {
            return Err(ShapeError::NotFinite { vertex: 0 });
        }
        for s in spacing {
            positive("spacing", s)?;
        }
        let have = rows.len();
        if have < 2 {
            return Err(ShapeError::TooFew { axis: "y", have });
        }
        let want = rows[0].len();
        if want < 2 {
            return Err(ShapeError::TooFew { axis: "x", have: want });
        }
        let (points, most) = (have.saturating_mul(want), (u32::MAX / 4) as usize);
        if points > most {
            return Err(ShapeError::TooMany { what: "heights", count: points, most });
        }
        let mut heights = Vec::with_capacity(points);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (r, row) in rows.iter().enumerate() {
            if row.len() != want {
                return Err(ShapeError::NotRectangular { row: r, have: row.len(), want });
            }
            for (c, &z) in row.iter().enumerate() {
                if !z.is_finite() {
                    return Err(ShapeError::Height { row: r, column: c });
                }
                low = lesser(low, z);
                high = greater(high, z);
                heights.push(z);
            }
        }
        let count = [want as u32, have as u32];
        let mut terrain = Terrain { corner, spacing, count, heights, low, high, planes: Vec::new() };
        let is_there = |t: u32| {
            let (i, j) = terrain.place(t / 2);
            i + 1 < count[0] && j + 1 < count[1]
        };
        let across = |t: u32| {
            let (i, j) = terrain.place(t / 2);
            let other = |inside: bool, t: i64| inside.then_some(t as u32).filter(|&t| is_there(t));
            let (t, row) = (i64::from(t), 2 * i64::from(count[0]));
            if t % 2 == 0 {
                // The other half of the cell; the upper half of the right one; the upper half of the lower one.
                [Some(t as u32 + 1), other(i + 2 < count[0], t + 3), other(j > 0, t - row + 1)]
            } else {
                [Some(t as u32 - 1), other(i > 0, t - 3), other(j + 2 < count[1], t + row - 1)]
            }
        };
        terrain.planes = planes(&terrain, 2 * points as u32, &is_there, &across);
        Ok(terrain)
    }

    /// The height \[m\] at a point; `None` beyond the edge.
    pub fn height(&self, x: f64, y: f64) -> Option<f64> {
        let (u, v) = ((x - self.corner[0]) / self.spacing[0], (y - self.corner[1]) / self.spacing[1]);
        let (w, h) = (f64::from(self.count[0] - 1), f64::from(self.count[1] - 1));
        if !(u >= 0.0 && u <= w && v >= 0.0 && v <= h) {
            return None;
        }
        let (i, j) = (cell(u, self.count[0]), cell(v, self.count[1]));
        let (s, t) = (u - f64::from(i), v - f64::from(j));
        let z = |di: u32, dj: u32| self.heights[((j + dj) * self.count[0] + i + di) as usize];
        let a = z(0, 0);
        Some(if s >= t {
            a + s * (z(1, 0) - a) + t * (z(1, 1) - z(1, 0))
        } else {
            a + t * (z(0, 1) - a) + s * (z(1, 1) - z(0, 1))
        })
    }

    /// Number of heights along x and along y.
    pub fn count(&self) -> [u32; 2] {
        self.count
    }

    /// Its points and triangles, for drawings: three numbers of points each, counter-clockwise seen from above.
    pub fn triangulated(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let [nx, ny] = self.count;
        let at = |x: u32, y: u32| y * nx + x;
        let point = |(k, z): (u32, &f64)| {
            let (x, y) = (f64::from(k % nx), f64::from(k / nx));
            vec3(self.corner[0] + x * self.spacing[0], self.corner[1] + y * self.spacing[1], *z)
        };
        let points = (0..).zip(&self.heights).map(point).collect();
        let cells = (0..ny - 1).flat_map(|y| (0..nx - 1).map(move |x| (x, y)));
        let halves = cells.flat_map(|(x, y)| {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            [[a, b, c], [a, c, d]]
        });
        (points, halves.collect())
    }

    /// Length of a ray along d to test at once: a few cells, or all of a vertical one.
    pub(crate) fn stretch(&self, d: Vec3) -> f64 {
        let per = greater(d.x.abs() / self.spacing[0], d.y.abs() / self.spacing[1]);
        if per > 0.0 { 4.0 / per } else { f64::INFINITY }
    }

    fn node(&self, i: u32, j: u32) -> u32 {
        j * self.count[0] + i
    }

    fn place(&self, v: u32) -> (u32, u32) {
        (v % self.count[0], v / self.count[0])
    }

    /// A grid point that may be outside the grid.
    fn at(&self, i: i64, j: i64) -> Option<Vec3> {
        let inside = i >= 0 && j >= 0 && i < i64::from(self.count[0]) && j < i64::from(self.count[1]);
        inside.then(|| self.vertex(self.node(i as u32, j as u32)))
    }
}

/// The cell of a coordinate in units of cells.
fn cell(u: f64, count: u32) -> u32 {
    let last = count - 2;
    if u > 0.0 { if u < f64::from(last) { u as u32 } else { last } } else { 0 }
}

/// Triangles are numbered by twice their cell's first corner, edges by four times the corner they start from:
/// along x, along y, diagonal.
impl Surface for Terrain {
    fn corners(&self, triangle: u32) -> [u32; 3] {
        let v = triangle / 2;
        let (right, up, across) = (v + 1, v + self.count[0], v + self.count[0] + 1);
        if triangle.is_multiple_of(2) { [v, right, across] } else { [v, across, up] }
    }

    fn vertex(&self, v: u32) -> Vec3 {
        let (i, j) = self.place(v);
        vec3(
            self.corner[0] + self.spacing[0] * f64::from(i),
            self.corner[1] + self.spacing[1] * f64::from(j),
            self.heights[v as usize],
        )
    }

    fn normal(&self, triangle: u32) -> Vec3 {
        let [a, b, c] = self.corners(triangle).map(|v| self.vertex(v));
        (b - a).cross(c - a).normalized().unwrap_or(Vec3::Z)
    }

    fn sides(&self, triangle: u32) -> [u32; 3] {
        let v = triangle / 2;
        if triangle.is_multiple_of(2) {
            [4 * v, 4 * (v + 1) + 1, 4 * v + 2]
        } else {
            [4 * v + 2, 4 * (v + self.count[0]), 4 * v + 1]
        }
    }

    fn winged_edge(&self, edge: u32) -> WingedEdge {
        let (i, j) = self.place(edge / 4);
        let (i, j) = (i64::from(i), i64::from(j));
        let (end, sides) = match edge % 4 {
            0 => ((i + 1, j), [(i + 1, j + 1), (i, j - 1)]),
            1 => ((i, j + 1), [(i + 1, j + 1), (i - 1, j)]),
            _ => ((i + 1, j + 1), [(i + 1, j), (i, j + 1)]),
        };
        let at = |(i, j): (i64, i64)| self.at(i, j);
        let start = self.vertex(edge / 4);
        let opposite = match sides.map(at) {
            [None, other] => [other, None],
            both => both,
        };
        WingedEdge { ends: [start, at(end).unwrap_or(start)], opposite }
    }

    fn neighbours(&self, v: u32, see: &mut dyn FnMut(Vec3)) {
        let (i, j) = self.place(v);
        for (di, dj) in [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)] {
            if let Some(w) = self.at(i64::from(i) + di, i64::from(j) + dj) {
                see(w);
            }
        }
    }

    fn on_border(&self, v: u32) -> bool {
        let (i, j) = self.place(v);
        i == 0 || j == 0 || i + 1 == self.count[0] || j + 1 == self.count[1]
    }

    fn is_tip(&self, v: u32) -> bool {
        has_supporting_direction(self, v)
    }

    fn solid_below(&self) -> bool {
        true
    }

    fn plane_of(&self, triangle: u32) -> u32 {
        self.planes[triangle as usize]
    }

    fn bounds(&self) -> Aabb {
        let far = |k: usize| self.corner[k] + self.spacing[k] * f64::from(self.count[k] - 1);
        Aabb { min: vec3(self.corner[0], self.corner[1], self.low), max: vec3(far(0), far(1), self.high) }
    }

    fn holds(&self, x: Vec3) -> Option<bool> {
        Some(self.height(x.x, x.y).is_some_and(|h| x.z < h))
    }

    fn near(&self, b: &Aabb, see: &mut dyn FnMut(u32)) {
        if b.min.z > self.high {
            return;
        }
        let mut range = [[0; 2]; 2];
        for k in 0..2 {
            let (low, high) = (b.min[k] - self.corner[k], b.max[k] - self.corner[k]);
            if high < 0.0 || low > self.spacing[k] * f64::from(self.count[k] - 1) {
                return;
            }
            range[k] =
                [cell(low / self.spacing[k], self.count[k]), cell(high / self.spacing[k], self.count[k])];
        }
        for j in range[1][0]..=range[1][1] {
            for i in range[0][0]..=range[0][1] {
                let v = self.node(i, j);
                let corners = [v, v + 1, v + self.count[0], v + self.count[0] + 1];
                let top =
                    corners.iter().fold(f64::NEG_INFINITY, |m, &c| greater(m, self.heights[c as usize]));
                if b.min.z <= top {
                    see(2 * v);
                    see(2 * v + 1);
                }
            }
        }
    }
}

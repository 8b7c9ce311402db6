//! Terrain z = h(x, y) over a grid: the bicubic spline through given heights, with two continuous
//! derivatives.
//!
//!   h = Σ B(u − i) B(v − j) c_ij,      u = (x − x₀)/dx,  v = (y − y₀)/dy,      B: the cubic B-spline
//!
//! The coefficients follow, first along rows and then along columns, from the tridiagonal system
//!
//!   (c_{i−1} + 4 c_i + c_{i+1})/6 = f_i
//!
//! with natural ends, c₀ = f₀. Beyond the edge the outermost pieces continue.

use super::curve::spline::tridiagonal;
use super::error::{GeometryError, finite, positive};
use super::surface::Height;
use crate::math::{Sym3, Vec3, larger, vec3};

/// A terrain over a rectangular grid.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineTerrain {
    corner: [f64; 2],
    spacing: [f64; 2],
    /// Number of points along x and y.
    count: [usize; 2],
    /// Coefficients, (count + 2) along each axis, x fastest.
    coefficients: Vec<f64>,
    highest: f64,
}

impl SplineTerrain {
    /// A terrain from heights \[m\], a row per y and a number per x; `corner` has the smallest x
    /// and y, `spacing` is along x and y \[m\].
    ///
    /// # Errors
    /// For rows of different length, fewer than two points along an axis, a spacing that is not
    /// positive, or heights that are not finite.
    pub fn new(corner: [f64; 2], spacing: [f64; 2], heights: &[Vec<f64>]) -> Result<Self, GeometryError> {
        for c in corner {
            finite("corner", c)?;
        }
        for s in spacing {
            positive("spacing", s)?;
        }
        let rows = heights.len();
        if rows < 2 {
            return Err(GeometryError::TooFew { field: "heights", have: rows, need: 2 });
        }
        let columns = heights[0].len();
        if let Some(row) = (0..rows).find(|&r| heights[r].len() != columns) {
            return Err(GeometryError::NotRectangular { row, have: heights[row].len(), want: columns });
        }
        if columns < 2 {
            return Err(GeometryError::TooFew { field: "heights", have: columns, need: 2 });
        }
        let mut highest = 0.0;
        for &z in heights.iter().flatten() {
            highest = larger(highest, finite("heights", z)?.abs());
        }
        // Along x, then along y.
        let along: Vec<Vec<f64>> = heights.iter().map(|row| coefficients(row)).collect();
        let width = columns + 2;
        let mut all = vec![0.0; width * (rows + 2)];
        for i in 0..width {
            let column: Vec<f64> = along.iter().map(|row| row[i]).collect();
            for (j, c) in coefficients(&column).into_iter().enumerate() {
                all[j * width + i] = c;
            }
        }
        Ok(SplineTerrain { corner, spacing, count: [columns, rows], coefficients: all, highest })
    }

    /// The smallest and the largest \[x, y\] of the grid \[m\].
    pub fn edges(&self) -> [[f64; 2]; 2] {
        let far = |k: usize| self.corner[k] + self.spacing[k] * (self.count[k] - 1) as f64;
        [self.corner, [far(0), far(1)]]
    }

    /// Number of points along x and along y.
    pub fn count(&self) -> [usize; 2] {
        self.count
    }

    pub(super) fn size(&self) -> f64 {
        self.highest
    }

    /// h with gradient and second derivatives \[xx, xy, yy\].
    pub fn at(&self, x: f64, y: f64) -> (f64, [f64; 2], [f64; 3]) {
        let (i, wx) = self.weights(0, x);
        let (j, wy) = self.weights(1, y);
        let width = self.count[0] + 2;
        let mut sums = [[0.0; 3]; 3];
        for l in 0..4 {
            let row = &self.coefficients[(j + l) * width + i..];
            // Value and two derivatives along x in this row of the grid.
            let mut along = [0.0; 3];
            for k in 0..4 {
                for d in 0..3 {
                    along[d] += wx[d][k] * row[k];
                }
            }
            for d in 0..3 {
                for e in 0..3 {
                    sums[d][e] += along[d] * wy[e][l];
                }
            }
        }
        (sums[0][0], [sums[1][0], sums[0][1]], [sums[2][0], sums[1][1], sums[0][2]])
    }

    /// The piece that contains a coordinate, and the weights of its four coefficients for value and
    /// two derivatives.
    fn weights(&self, axis: usize, x: f64) -> (usize, [[f64; 4]; 3]) {
        let u = (x - self.corner[axis]) / self.spacing[axis];
        let last = self.count[axis] - 2;
        // NaN selects the first piece and stays NaN in the weights.
        let i = if u > 0.0 { if u < last as f64 { u as usize } else { last } } else { 0 };
        let t = u - i as f64;
        let (s, d) = (1.0 - t, 1.0 / self.spacing[axis]);
        let value = [
            s * s * s / 6.0,
            (4.0 - 3.0 * t * t * (1.0 + s)) / 6.0,
            (4.0 - 3.0 * s * s * (1.0 + t)) / 6.0,
            t * t * t / 6.0,
        ];
        let rate =
            [-0.5 * s * s, 0.5 * t * (3.0 * t - 4.0), -0.5 * s * (3.0 * s - 4.0), 0.5 * t * t].map(|w| w * d);
        let second = [s, 3.0 * t - 2.0, 3.0 * s - 2.0, t].map(|w| w * d * d);
        (i, [value, rate, second])
    }

    pub(super) fn height(&self, p: Vec3) -> Height {
        let (h, [hx, hy], [xx, xy, yy]) = self.at(p.x, p.y);
        let hessian = Sym3 { xx: -xx, xy: -xy, yy: -yy, ..Sym3::default() };
        Height { value: p.z - h, gradient: vec3(-hx, -hy, 1.0), hessian }
    }

    pub(super) fn fault(&self, p: Vec3) -> Option<String> {
        let [[x0, y0], [x1, y1]] = self.edges();
        let edge = if p.x < x0 {
            format!("x = {x0}")
        } else if p.x > x1 {
            format!("x = {x1}")
        } else if p.y < y0 {
            format!("y = {y0}")
        } else if p.y > y1 {
            format!("y = {y1}")
        } else {
            return None;
        };
        Some(format!("the point left the terrain over its edge at {edge} m"))
    }
}

/// Coefficients of the natural spline through evenly spaced values, one more at each end.
fn coefficients(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let mut c = vec![0.0; n + 2];
    (c[1], c[n]) = (values[0], values[n - 1]);
    if n > 2 {
        let mut right: Vec<f64> = values[1..n - 1].iter().map(|v| 6.0 * v).collect();
        right[0] -= values[0];
        right[n - 3] -= values[n - 1];
        let inner = tridiagonal(&vec![1.0; n - 3], &vec![4.0; n - 2], &right);
        c[2..n].copy_from_slice(&inner);
    }
    c[0] = 2.0 * c[1] - c[2];
    c[n + 1] = 2.0 * c[n] - c[n - 1];
    c
}

//! The point of a terrain that is nearest to a given point, and its distance, positive above.
//!
//!   f = (x, y, h)        F = ½ |p − f|²        F_x = −(p_x − x) − (p_z − h) h_x        F_xy = δ_xy + h_x h_y − (p_z − h) h_xy
//!
//! Newton's method starts below the point; steps are halved until F decreases. With n the unit
//! normal at the foot and S = P ∇∇D P/|∇D| its shape operator, D = z − h, the distance d has
//!
//!   ∇d = n        ∇∇d = S (1 + d S)⁻¹
//!
//! The foot is locally unique while 1 + d S is positive: the point is not beyond a centre of
//! curvature.

use super::spline_terrain::SplineTerrain;
use super::surface::Height;
use crate::math::{Sym3, Vec3, vec3};
use crate::tolerances::{NEWTON_CERTAIN, NEWTON_CONVEX};

/// The largest number of Newton steps.
const STEPS: usize = 60;

impl SplineTerrain {
    /// The distance of a point with its derivatives, and whether its foot is locally unique.
    pub fn distance(&self, p: Vec3) -> (Height, bool) {
        let (mut x, mut y) = (p.x, p.y);
        let mut sample = self.sample(p, x, y);
        // Start from the foot on the tangent plane below the point.
        let [gx, gy] = sample.slope;
        let start = sample.over / (1.0 + gx * gx + gy * gy);
        let (nx, ny) = (p.x + start * gx, p.y + start * gy);
        let next = self.sample(p, nx, ny);
        if next.half_square < sample.half_square {
            (x, y, sample) = (nx, ny, next);
        }
        let mut before = f64::INFINITY;
        for _ in 0..STEPS {
            let [fx, fy] = sample.down(p, x, y);
            let [[a, b], [_, d]] = sample.hessian();
            let det = a * d - b * b;
            let fine = a > 0.0 && det > NEWTON_CONVEX * a * d.abs();
            // Where F is not convex, use the step of a flat terrain.
            let mut step = if fine { [(d * fx - b * fy) / det, (a * fy - b * fx) / det] } else { [fx, fy] };
            let size = (step[0] * step[0] + step[1] * step[1]).sqrt();
            if size.is_nan() || size == 0.0 {
                break;
            }
            // Near the minimum F is constant to rounding, but Newton's step is still accurate.
            let certain = fine && size < NEWTON_CERTAIN * (1.0 + sample.over.abs());
            let mut next = self.sample(p, x + step[0], y + step[1]);
            let mut halvings = 0;
            while !certain && next.half_square > sample.half_square && halvings < 40 {
                step = step.map(|s| 0.5 * s);
                next = self.sample(p, x + step[0], y + step[1]);
                halvings += 1;
            }
            if halvings == 40 {
                break;
            }
            (x, y, sample) = (x + step[0], y + step[1], next);
            // Steps that no longer shrink are rounding.
            if certain && size > 0.5 * before {
                break;
            }
            before = size;
        }
        sample.distance(p, x, y)
    }

    fn sample(&self, p: Vec3, x: f64, y: f64) -> HeightSample {
        let (h, slope, bend) = self.at(x, y);
        let (dx, dy, over) = (p.x - x, p.y - y, p.z - h);
        HeightSample { slope, bend, over, half_square: 0.5 * (dx * dx + dy * dy + over * over) }
    }
}

struct HeightSample {
    slope: [f64; 2],
    /// Second derivatives xx, xy, yy.
    bend: [f64; 3],
    /// p_z − h.
    over: f64,
    half_square: f64,
}

impl HeightSample {
    /// −∇F.
    fn down(&self, p: Vec3, x: f64, y: f64) -> [f64; 2] {
        [p.x - x + self.over * self.slope[0], p.y - y + self.over * self.slope[1]]
    }

    fn hessian(&self) -> [[f64; 2]; 2] {
        let ([hx, hy], [xx, xy, yy], s) = (self.slope, self.bend, self.over);
        let mixed = hx * hy - s * xy;
        [[1.0 + hx * hx - s * xx, mixed], [mixed, 1.0 + hy * hy - s * yy]]
    }

    fn distance(&self, p: Vec3, x: f64, y: f64) -> (Height, bool) {
        let ([hx, hy], [xx, xy, yy]) = (self.slope, self.bend);
        let steep = (1.0 + hx * hx + hy * hy).sqrt();
        let n = vec3(-hx, -hy, 1.0) / steep;
        let d = n.dot(vec3(p.x - x, p.y - y, self.over));
        // Two tangents of the surface, and S in them.
        let e = vec3(1.0, 0.0, hx) / (1.0 + hx * hx).sqrt();
        let f = n.cross(e);
        let curve =
            |a: Vec3, b: Vec3| -(xx * a.x * b.x + xy * (a.x * b.y + a.y * b.x) + yy * a.y * b.y) / steep;
        let (s, t, u) = (curve(e, e), curve(e, f), curve(f, f));
        let (a, b, c) = (1.0 + d * s, d * t, 1.0 + d * u);
        let det = a * c - b * b;
        // S (1 + d S)⁻¹ = (S + d det S) / det
        let shrink = d * (s * u - t * t);
        let [ee, ef, ff] = [(s + shrink) / det, t / det, (u + shrink) / det];
        let entry =
            |i: usize, j: usize| ee * e[i] * e[j] + ef * (e[i] * f[j] + f[i] * e[j]) + ff * f[i] * f[j];
        let hessian = Sym3 {
            xx: entry(0, 0),
            yy: entry(1, 1),
            zz: entry(2, 2),
            xy: entry(0, 1),
            xz: entry(0, 2),
            yz: entry(1, 2),
        };
        (Height { value: d, gradient: n, hessian }, a > 0.0 && det > 1e-9)
    }
}

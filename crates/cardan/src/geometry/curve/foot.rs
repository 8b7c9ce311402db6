//! The foot of a point y: the nearest point of the curve, where (y − c)·c′ = 0.
//!
//! The foot depends on y alone, not on an earlier search, so that equal poses give equal bits.
//! Newton's method starts from the nearest chord of all cells,
//!
//!   g(s) = −(y − c)·c′        g′(s) = c′·c′ − (y − c)·c″
//!
//! and stays between two parameters where g has opposite signs. Beyond an end an open curve
//! continues straight. With e = y − c the foot moves by
//!
//!   ∂s/∂y = c′/g′
//!
//! g′ = 0 is the centre of curvature: beyond it the foot is not the nearest point.

use super::cells::BLOCK;
use super::{Curve, CurvePoint, frame};
use crate::math::Vec3;
use crate::tolerances::NEWTON_STALLS;

/// The start or the end of an open curve.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CurveEnd {
    /// The end with the smallest parameter.
    Start,
    /// The end with the largest parameter.
    End,
}

impl core::fmt::Display for CurveEnd {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            CurveEnd::Start => "start",
            CurveEnd::End => "end",
        })
    }
}

/// The point of a curve that is nearest to a given point.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Foot {
    /// The parameter.
    pub s: f64,
    /// The curve at the foot.
    pub at: CurvePoint,
    /// e: from the foot to the point \[m\].
    pub gap: Vec3,
    /// The end of an open curve that the point is beyond, if any.
    pub beyond: Option<CurveEnd>,
    cell: usize,
}

impl Foot {
    #[cfg(test)]
    pub(crate) fn cell(&self) -> usize {
        self.cell
    }

    /// g′/|c′|²: one on the curve, zero at the centre of curvature, where the foot is not unique.
    pub fn clearance(&self) -> f64 {
        1.0 - self.gap.dot(self.at.second) / self.at.first.dot(self.at.first)
    }

    /// vᵀ H v of the height N·e, for a normal N that does not twist: H = −(N·c″) c′ c′ᵀ/(|c′|² g′).
    pub fn bend(&self, normal: Vec3, v: Vec3) -> f64 {
        let speed2 = self.at.first.dot(self.at.first);
        let along = self.at.first.dot(v);
        -normal.dot(self.at.second) * along * along / (speed2 * speed2 * self.clearance())
    }
}

impl Curve {
    /// The foot of a point.
    pub fn foot(&self, y: Vec3) -> Foot {
        let cells = &self.cells;
        let (knots, n) = (&cells.knots, cells.count());
        let (mut cell, share) = self.nearest_chord(y);
        // The sign of g at the borders tells whether the foot is in this cell or in a neighbour.
        let sign = |i: usize| (cells.places[i] - y).dot(cells.tangents[i]);
        let mut moved = 0;
        for _ in 0..n {
            if sign(cell) > 0.0 && moved <= 0 {
                match (cell, self.closed) {
                    (0, false) => return self.beyond(y, CurveEnd::Start),
                    (0, true) => cell = n - 1,
                    _ => cell -= 1,
                }
                moved = -1;
            } else if sign(cell + 1) < 0.0 && moved >= 0 {
                match (cell + 1 == n, self.closed) {
                    (true, false) => return self.beyond(y, CurveEnd::End),
                    (true, true) => cell = 0,
                    _ => cell += 1,
                }
                moved = 1;
            } else {
                break;
            }
        }
        let (mut low, mut high) = (knots[cell], knots[cell + 1]);
        let mut s = match moved {
            0 => low + share * (high - low),
            1 => low,
            _ => high,
        };
        let mut at = self.rule.at(s);
        let (width, mut before) = (high - low, f64::INFINITY);
        for _ in 0..64 {
            let gap = y - at.place;
            let (g, slope) = (-gap.dot(at.first), at.first.dot(at.first) - gap.dot(at.second));
            if g > 0.0 {
                high = s
            } else {
                low = s
            }
            let newton = s - g / slope;
            let next =
                if slope > 0.0 && newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            let step = (next - s).abs();
            s = next;
            at = self.rule.at(s);
            // Small steps that no longer shrink are rounding.
            if step <= NEWTON_STALLS * width && step > 0.5 * before || step <= f64::EPSILON * s.abs() {
                break;
            }
            before = step;
        }
        Foot { s, at, gap: y - at.place, beyond: None, cell }
    }

    fn beyond(&self, y: Vec3, end: CurveEnd) -> Foot {
        let (cell, held) = match end {
            CurveEnd::Start => (0, self.span[0]),
            CurveEnd::End => (self.cells.count() - 1, self.span[1]),
        };
        let last = self.rule.at(held);
        let further = (y - last.place).dot(last.first) / last.first.dot(last.first);
        let at =
            CurvePoint { place: last.place + last.first * further, first: last.first, second: Vec3::ZERO };
        Foot { s: held + further, at, gap: y - at.place, beyond: Some(end), cell }
    }

    /// Why a foot cannot be continued, if so.
    pub fn fault(&self, foot: &Foot) -> Option<String> {
        if let Some(end) = foot.beyond {
            let held = if end == CurveEnd::Start { self.span[0] } else { self.span[1] };
            let over = (foot.s - held).abs() * foot.at.first.norm();
            // Rounding at the end itself is accepted.
            let real = over > 1e-9 * self.cells.size;
            return real.then(|| format!("the point left the curve at its {end}"));
        }
        (foot.clearance() < 1e-3).then(|| {
            let (gap, s) = (foot.gap.norm(), foot.s);
            format!("the point is {gap:.3e} m off the curve at parameter {s:.6}, too far for a unique foot")
        })
    }

    /// The two normals at a foot, without twist along the curve.
    pub fn normals(&self, foot: &Foot) -> [Vec3; 2] {
        let s = match foot.beyond {
            None => foot.s,
            Some(CurveEnd::Start) => self.span[0],
            Some(CurveEnd::End) => self.span[1],
        };
        frame::normals(&self.rule, &self.cells, foot.cell, s, &foot.at)
    }

    /// The cell with the nearest chord, and the position along it. The block with the nearest
    /// centre is searched first, other blocks only if their bounding ball is near enough.
    fn nearest_chord(&self, y: Vec3) -> (usize, f64) {
        let balls = &self.cells.balls;
        let (mut first, mut least) = (0, f64::INFINITY);
        for (i, (middle, _)) in balls.iter().enumerate() {
            let off = y - *middle;
            if off.dot(off) < least {
                (first, least) = (i, off.dot(off));
            }
        }
        let mut best = (0, 0.0, f64::INFINITY);
        self.look_into(first, y, &mut best);
        for (i, (middle, radius)) in balls.iter().enumerate() {
            let (off, reach) = (y - *middle, best.2.sqrt() + radius);
            if i != first && off.dot(off) <= reach * reach {
                self.look_into(i, y, &mut best);
            }
        }
        (best.0, best.1)
    }

    /// Compares the chords of a block with the best so far: cell, position, squared distance.
    fn look_into(&self, block: usize, y: Vec3, best: &mut (usize, f64, f64)) {
        let places = &self.cells.places;
        for i in block * BLOCK..((block + 1) * BLOCK).min(self.cells.count()) {
            let (p, d) = (y - places[i], places[i + 1] - places[i]);
            let share = p.dot(d) / d.dot(d);
            let share = if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 };
            let off = p - d * share;
            let distance = off.dot(off);
            if distance < best.2 {
                *best = (i, share, distance);
            }
        }
    }
}

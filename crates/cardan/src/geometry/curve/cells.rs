//! Cells of a curve: it is divided at the borders of its pieces and between, so that its direction
//! turns by less than 0.1 rad in each cell.
//!
//! The division checks that the curve has a direction everywhere, that the direction does not jump,
//! and that the curve does not cross itself.

use super::{CurveRule, GeometryError, frame};
use crate::math::{Vec3, larger};

/// The largest turn from a cell's end to its middle \[rad\].
const TURN: f64 = 0.05;
/// Halvings of a piece before its direction counts as discontinuous.
const DEPTH: u32 = 14;
/// The smallest number of cells of a curve, by length.
const PARTS: f64 = 32.0;

/// Number of cells per block of the nearest-point search.
pub(super) const BLOCK: usize = 8;

/// A curve divided into short cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    /// Parameters of the cell borders, one more than there are cells.
    pub knots: Vec<f64>,
    /// Positions at the borders \[m\].
    pub places: Vec<Vec3>,
    /// Unit tangents at the borders.
    pub tangents: Vec<Vec3>,
    /// The first normal at the borders, transported without twist.
    pub normals: Vec<Vec3>,
    /// Bounding balls of [`BLOCK`] successive cells: centre and radius \[m\].
    pub balls: Vec<(Vec3, f64)>,
    /// Largest coordinate \[m\].
    pub size: f64,
    /// Whether all tangents and curvatures lie in one plane, so that normals cannot twist.
    pub flat: bool,
}

impl Cells {
    pub(super) fn cut(rule: &CurveRule, span: [f64; 2], closed: bool) -> Result<Self, GeometryError> {
        let breaks = rule.breaks(span);
        // First pass: size and length.
        let mut size = 0.0;
        let mut length = 0.0;
        let mut before: Option<Vec3> = None;
        for pair in breaks.windows(2) {
            for i in 0..8 {
                let at = rule.at(pair[0] + (pair[1] - pair[0]) * (f64::from(i) / 8.0)).place;
                size = larger(size, at.largest());
                length += before.map_or(0.0, |p| (at - p).norm());
                before = Some(at);
            }
        }
        let tangent = |s: f64, width: f64| {
            let first = rule.at(s).first;
            // A derivative at the size of rounding has no direction.
            if first.norm() * width > 1e-9 * length { first.normalized() } else { None }
                .ok_or(GeometryError::ZeroTangent { at: s })
        };
        let width = span[1] - span[0];
        let mut cells = Cells {
            knots: vec![],
            places: vec![],
            tangents: vec![],
            normals: vec![],
            balls: vec![],
            size,
            flat: false,
        };
        cells.push(rule, span[0], tangent(span[0], width)?);
        for pair in breaks.windows(2) {
            // Halve until the part is straight enough; the stack contains the ends of the remaining
            // parts.
            let mut ends = vec![(pair[1], 0)];
            // The direction at the end itself is that of the next piece: evaluate just before it.
            let near = pair[1] - 1e-9 * (pair[1] - pair[0]);
            while let Some(&(end, depth)) = ends.last() {
                let last = cells.knots.len() - 1;
                let start = cells.knots[last];
                let middle = 0.5 * (start + end);
                let inside = if end == pair[1] { near } else { end };
                let (t0, t1, t2) = (cells.tangents[last], tangent(middle, width)?, tangent(inside, width)?);
                let turn = larger((t1 - t0).norm(), (t2 - t1).norm());
                let long = (rule.at(end).place - cells.places[last]).norm() > length / PARTS;
                if turn < TURN && !long {
                    cells.push(rule, end, t2);
                    ends.pop();
                } else if depth < DEPTH {
                    ends.push((middle, depth + 1));
                } else {
                    return Err(GeometryError::Kink { at: middle, angle: turn });
                }
            }
            let (at, last) = (pair[1], cells.knots.len() - 1);
            if at < span[1] {
                let next = tangent(at, width)?;
                let angle = (next - cells.tangents[last]).norm();
                if angle > 1e-6 {
                    return Err(GeometryError::Kink { at, angle });
                }
                cells.tangents[last] = next;
            } else if let Some(next) = rule.at(at).first.normalized() {
                cells.tangents[last] = next;
            }
        }
        if closed {
            cells.close()?;
        }
        cells.check_crossing(rule, closed)?;
        cells.flat = cells.is_flat(rule);
        frame::carry(rule, &mut cells, closed);
        cells.surround();
        Ok(cells)
    }

    fn push(&mut self, rule: &CurveRule, at: f64, tangent: Vec3) {
        self.knots.push(at);
        self.places.push(rule.at(at).place);
        self.tangents.push(tangent);
        self.size = larger(self.size, self.places[self.places.len() - 1].largest());
    }

    fn close(&mut self) -> Result<(), GeometryError> {
        let last = self.places.len() - 1;
        let gap = (self.places[last] - self.places[0]).norm();
        if gap > 1e-9 * self.size {
            return Err(GeometryError::NotClosed { gap });
        }
        let angle = (self.tangents[last] - self.tangents[0]).norm();
        if angle > 1e-6 {
            return Err(GeometryError::Kink { at: self.knots[0], angle });
        }
        (self.places[last], self.tangents[last]) = (self.places[0], self.tangents[0]);
        Ok(())
    }

    fn surround(&mut self) {
        for first in (0..self.count()).step_by(BLOCK) {
            let places = &self.places[first..(first + BLOCK).min(self.count()) + 1];
            let middle = places.iter().fold(Vec3::ZERO, |sum, p| sum + *p) / places.len() as f64;
            let radius = places.iter().fold(0.0, |r, p| larger(r, (*p - middle).norm()));
            self.balls.push((middle, radius));
        }
    }

    /// Number of cells.
    pub(super) fn count(&self) -> usize {
        self.knots.len() - 1
    }

    /// Finds cells that are far apart along the curve, but nearer in space than their deviation
    /// from their chords.
    fn check_crossing(&self, rule: &CurveRule, closed: bool) -> Result<(), GeometryError> {
        let n = self.count();
        let (mut sags, mut lengths, mut so_far) =
            (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
        let mut total = 0.0;
        for i in 0..n {
            let middle = rule.at(0.5 * (self.knots[i] + self.knots[i + 1])).place;
            sags.push(1.5 * (middle - (self.places[i] + self.places[i + 1]) * 0.5).norm());
            lengths.push((self.places[i + 1] - self.places[i]).norm());
            so_far.push(total);
            total += lengths[i];
        }
        for i in 0..n {
            for j in i + 2..n {
                let near = sags[i] + sags[j] + 1e-9 * self.size;
                // Bounds first: chords cannot meet if their middles are far apart.
                let apart = (self.places[i] + self.places[i + 1] - self.places[j] - self.places[j + 1]) * 0.5;
                let reach = 0.5 * (lengths[i] + lengths[j]) + near;
                if apart.dot(apart) > reach * reach {
                    continue;
                }
                let between = so_far[j] - so_far[i] - lengths[i];
                let around = total - (so_far[j] + lengths[j]) + so_far[i];
                let way = if closed && around < between { around } else { between };
                if way > 2.0 * (lengths[i] + lengths[j]) && self.chord_distance(i, j) < near {
                    return Err(GeometryError::Crosses { first: self.knots[i], second: self.knots[j] });
                }
            }
        }
        Ok(())
    }

    /// Least distance of two chords (Ericson, Real-Time Collision Detection, 5.1.9).
    fn chord_distance(&self, i: usize, j: usize) -> f64 {
        let (p, q) = (self.places[i], self.places[j]);
        let (d, e, r) = (self.places[i + 1] - p, self.places[j + 1] - q, p - q);
        let held = |x: f64| if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 };
        let (a, b, c, f, g) = (d.dot(d), d.dot(e), d.dot(r), e.dot(e), e.dot(r));
        let det = a * f - b * b;
        let mut s = if det > 0.0 { held((b * g - c * f) / det) } else { 0.0 };
        let mut t = (b * s + g) / f;
        if !(0.0..=1.0).contains(&t) {
            t = held(t);
            s = held((b * t - c) / a);
        }
        (p + d * s - q - e * t).norm()
    }

    /// Whether three points and all tangents and second derivatives lie in one plane.
    fn is_flat(&self, rule: &CurveRule) -> bool {
        let mut normal: Option<Vec3> = None;
        for i in 0..self.count() {
            for s in [self.knots[i], 0.5 * (self.knots[i] + self.knots[i + 1])] {
                let at = rule.at(s);
                let (t, cross) = (at.first.norm(), at.first.cross(at.second));
                if let Some(n) = normal {
                    let off = larger(n.dot(at.first).abs() * at.second.norm(), n.dot(at.second).abs() * t);
                    if off > 1e-13 * t * at.second.norm() {
                        return false;
                    }
                } else if cross.norm() > 1e-6 * t * at.second.norm() {
                    normal = cross.normalized();
                }
            }
        }
        true
    }
}

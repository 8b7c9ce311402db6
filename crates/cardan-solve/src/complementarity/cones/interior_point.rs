//! The convex problem of the fixed point, by a primal-dual interior-point method.
//!
//! ```text
//! min  ½ yᵀ A y + cᵀ y   over cones and bounds:      A y + c = z,   y ∈ K,  z ∈ K*,  y ∘ z = τ e,  τ → 0
//! ```
//!
//! Tangents are scaled by μ, so that a cone is |t| ≤ n and self-dual. With the scaling of Nesterov and Todd,
//! W z = W⁻¹ y, a step is
//!
//! ```text
//! (A + W⁻²) dy = −(A y + c − z) + W⁻¹ g,    dz = W⁻¹ g − W⁻² dy,    g = (W z) \ (σ τ e − (W z)² − corrector)
//! W⁻² = (2 (J w)(J w)ᵀ − J) / η²,   J = diag(1, −1, −1)
//! ```
//!
//! after Mehrotra: a predictor step for τ = 0, whose length determines σ and whose product corrects the
//! second step. A row between two bounds has a slack and a dual for each. The number of steps, 12 to 24,
//! depends only weakly on the condition number of A.

use super::scaled::{ScaledGroup, ScaledKind, ScaledProblem, clamp};

#[derive(Clone, Debug, Default)]
pub(super) struct InteriorPoint {
    /// A and c with tangents scaled.
    matrix: Vec<f64>,
    constant: Vec<f64>,
    factor: Vec<f64>,
    y: Vec<f64>,
    /// Duals: of cones and of lower bounds; of upper bounds.
    z: Vec<f64>,
    upper: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    rows: Vec<InteriorRow>,
    left: Vec<f64>,
    dy: Vec<f64>,
    dz: Vec<f64>,
    d_upper: Vec<f64>,
    right: Vec<f64>,
    /// W⁻¹ g of the present step; that of upper bounds.
    push: Vec<f64>,
    push_upper: Vec<f64>,
    tangent: Vec<f64>,
}

/// Kind of a row.
#[derive(Copy, Clone, Debug, PartialEq)]
enum InteriorRow {
    Free,
    Fixed,
    Bound,
    /// The first of a cone of this many rows.
    Cone(usize),
    /// Another row of a cone.
    Tangent,
}

/// A cone's scaling: η², J w.
struct Scaling {
    eta: f64,
    w: [f64; 3],
    size: usize,
}

fn jordan(x: &[f64], y: &[f64]) -> f64 {
    x[1..].iter().zip(&y[1..]).fold(x[0] * y[0], |sum, (x, y)| sum - x * y)
}

impl Scaling {
    fn new(y: &[f64], z: &[f64]) -> Option<Scaling> {
        let size = y.len();
        let (yy, zz) = (jordan(y, y), jordan(z, z));
        if !(yy > 0.0 && zz > 0.0 && yy.is_finite() && zz.is_finite()) {
            return None;
        }
        let (y_root, z_root) = (yy.sqrt(), zz.sqrt());
        let mut product = 0.0;
        for i in 0..size {
            product += y[i] * z[i];
        }
        let gamma = (0.5 * (1.0 + product / (y_root * z_root))).sqrt();
        let mut w = [0.0; 3];
        for i in 0..size {
            let sign = if i == 0 { 1.0 } else { -1.0 };
            w[i] = (y[i] / y_root + sign * z[i] / z_root) / (2.0 * gamma);
        }
        Some(Scaling { eta: (y_root / z_root).sqrt(), w, size })
    }

    /// W x, or W⁻¹ x: η^±1 (2 v vᵀ − J) x with v = (w + e) / √(2 (w₀ + 1)), or J v.
    fn apply(&self, x: &[f64; 3], inverse: bool) -> [f64; 3] {
        let sign = if inverse { -1.0 } else { 1.0 };
        let over = 1.0 / (2.0 * (self.w[0] + 1.0)).sqrt();
        let v = [(self.w[0] + 1.0) * over, sign * self.w[1] * over, sign * self.w[2] * over];
        let product = 2.0 * (v[0] * x[0] + v[1] * x[1] + v[2] * x[2]);
        let eta = if inverse { 1.0 / self.eta } else { self.eta };
        [eta * (product * v[0] - x[0]), eta * (product * v[1] + x[1]), eta * (product * v[2] + x[2])]
    }

    /// W⁻²_ij.
    fn inverse_square(&self, i: usize, j: usize) -> f64 {
        let turned = |i: usize| if i == 0 { self.w[0] } else { -self.w[i] };
        let diagonal = match (i == j, i) {
            (false, _) => 0.0,
            (true, 0) => 1.0,
            (true, _) => -1.0,
        };
        (2.0 * turned(i) * turned(j) - diagonal) / (self.eta * self.eta)
    }
}

fn triple(x: &[f64]) -> [f64; 3] {
    let mut out = [0.0; 3];
    out[..x.len()].copy_from_slice(x);
    out
}

/// λ \ d of the Jordan product.
fn divide(l: &[f64; 3], d: &[f64; 3]) -> [f64; 3] {
    let determinant = l[0] * l[0] - l[1] * l[1] - l[2] * l[2];
    let first = (l[0] * d[0] - l[1] * d[1] - l[2] * d[2]) / determinant;
    [first, (d[1] - first * l[1]) / l[0], (d[2] - first * l[2]) / l[0]]
}

/// The largest step of x along d within |t| ≤ n.
fn room(x: &[f64], d: &[f64]) -> f64 {
    let (a, b, c) = (jordan(d, d), jordan(x, d), jordan(x, x));
    let disc = b * b - a * c;
    if disc < 0.0 {
        return f64::INFINITY;
    }
    let below = disc.sqrt() - b;
    if below > 0.0 { if c > 0.0 { c / below } else { 0.0 } } else { f64::INFINITY }
}

impl InteriorPoint {
    /// Solves the convex problem with a fixed shift s of each normal (for scaled rows, the bound). Writes
    /// problem.y. Returns the number of steps, zero if the first one failed.
    pub(super) fn run(&mut self, problem: &mut ScaledProblem, shift: &[f64]) -> usize {
        let scale = self.start(problem, shift);
        if scale <= 0.0 || !scale.is_finite() {
            return 0;
        }
        let mut made = 0;
        for _ in 0..80 {
            let tau = self.gap();
            self.remain();
            let off = self.left.iter().fold(0.0, |most, v| if v.abs() > most { v.abs() } else { most });
            // τ is a product of two numbers of size `scale`; 1e-19 is below its rounding.
            if !tau.is_finite() || !off.is_finite() || (tau <= 1e-19 * scale * scale && off <= 1e-12 * scale)
            {
                break;
            }
            if !self.make_factor() {
                break;
            }
            // Predictor: toward τ = 0.
            if !self.newton_direction(0.0, false) {
                break;
            }
            let length = self.length();
            let rest = 1.0 - length;
            let target = rest * rest * rest * tau;
            if !self.newton_direction(target, true) {
                break;
            }
            let length = 0.99 * self.length();
            let length = if length < 1.0 { length } else { 1.0 };
            // No progress: the iterate is at the boundary to rounding.
            if length < 1e-10 {
                break;
            }
            for i in 0..self.y.len() {
                self.y[i] += length * self.dy[i];
                self.z[i] += length * self.dz[i];
                self.upper[i] += length * self.d_upper[i];
            }
            made += 1;
        }
        self.write(problem);
        problem.evaluate();
        made
    }

    fn write(&self, problem: &mut ScaledProblem) {
        for i in 0..self.y.len() {
            problem.y[i] = self.tangent[i] * self.y[i];
        }
    }

    /// Fills the scaled problem, and finds an interior point. Returns the size of c.
    fn start(&mut self, problem: &ScaledProblem, shift: &[f64]) -> f64 {
        let k = problem.y.len();
        for array in [
            &mut self.y,
            &mut self.z,
            &mut self.upper,
            &mut self.left,
            &mut self.dy,
            &mut self.dz,
            &mut self.d_upper,
            &mut self.right,
            &mut self.push,
            &mut self.push_upper,
            &mut self.constant,
        ] {
            array.clear();
            array.resize(k, 0.0);
        }
        self.lo.clear();
        self.lo.resize(k, f64::NEG_INFINITY);
        self.hi.clear();
        self.hi.resize(k, f64::INFINITY);
        self.tangent.clear();
        self.tangent.resize(k, 1.0);
        self.rows.clear();
        self.rows.resize(k, InteriorRow::Free);
        for group in &problem.groups {
            let &ScaledGroup { row, kind } = group;
            match kind {
                ScaledKind::Bounded { lo, hi } => (self.lo[row], self.hi[row]) = (lo, hi),
                ScaledKind::Scaled { .. } => (self.lo[row], self.hi[row]) = (-shift[row], shift[row]),
                ScaledKind::Cone { mu } | ScaledKind::Wedge { mu } => {
                    let size = group.rows();
                    if mu > 0.0 {
                        self.rows[row] = InteriorRow::Cone(size);
                        for t in row + 1..row + size {
                            self.rows[t] = InteriorRow::Tangent;
                            self.tangent[t] = mu;
                        }
                    } else {
                        self.lo[row] = 0.0;
                        for t in row + 1..row + size {
                            (self.lo[t], self.hi[t]) = (0.0, 0.0);
                        }
                    }
                }
            }
        }
        self.matrix.clear();
        let mut scale = 0.0;
        for i in 0..k {
            let row = &problem.matrix[i * k..][..k];
            self.matrix.extend((0..k).map(|j| self.tangent[i] * row[j] * self.tangent[j]));
            let shift = if matches!(self.rows[i], InteriorRow::Cone(_)) { shift[i] } else { 0.0 };
            self.constant[i] = self.tangent[i] * (problem.bias[i] + shift);
        }
        // The size of what is to be balanced, with multipliers as near to zero as bounds allow.
        for i in 0..k {
            let mut sum = self.constant[i];
            for j in 0..k {
                sum += self.matrix[i * k + j] * clamp(0.0, self.lo[j], self.hi[j]);
            }
            scale = if sum.abs() > scale { sum.abs() } else { scale };
        }
        for i in 0..k {
            let (lo, hi) = (self.lo[i], self.hi[i]);
            match self.rows[i] {
                InteriorRow::Cone(_) => (self.y[i], self.z[i]) = (scale, scale),
                // Bounds that agree to a hundred roundings leave no interior.
                InteriorRow::Free
                    if (hi - lo).is_finite() && hi - lo <= 1e-14 * (lo.abs() + hi.abs() + scale) =>
                {
                    self.rows[i] = InteriorRow::Fixed;
                    self.y[i] = lo;
                }
                InteriorRow::Free if lo.is_finite() || hi.is_finite() => {
                    self.rows[i] = InteriorRow::Bound;
                    let half = 0.5 * (hi - lo);
                    let inside = if half < scale { half } else { scale };
                    self.y[i] = if lo.is_finite() { lo + inside } else { hi - inside };
                    self.z[i] = if lo.is_finite() { scale } else { 0.0 };
                    self.upper[i] = if hi.is_finite() { scale } else { 0.0 };
                }
                _ => {}
            }
        }
        scale
    }

    /// τ.
    fn gap(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for i in 0..self.y.len() {
            match self.rows[i] {
                InteriorRow::Free | InteriorRow::Fixed | InteriorRow::Tangent => {}
                InteriorRow::Cone(size) => {
                    for j in i..i + size {
                        sum += self.y[j] * self.z[j];
                    }
                    count += 1.0;
                }
                InteriorRow::Bound => {
                    if self.lo[i].is_finite() {
                        sum += (self.y[i] - self.lo[i]) * self.z[i];
                        count += 1.0;
                    }
                    if self.hi[i].is_finite() {
                        sum += (self.hi[i] - self.y[i]) * self.upper[i];
                        count += 1.0;
                    }
                }
            }
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// A y + c − z.
    fn remain(&mut self) {
        let k = self.y.len();
        for i in 0..k {
            let mut sum = self.constant[i] - self.z[i] + self.upper[i];
            for (entry, y) in self.matrix[i * k..][..k].iter().zip(&self.y) {
                sum += entry * y;
            }
            self.left[i] = if self.rows[i] == InteriorRow::Fixed { 0.0 } else { sum };
        }
    }

    /// L Lᵀ = A + W⁻².
    fn make_factor(&mut self) -> bool {
        let k = self.y.len();
        // Regularisation, more where rounding makes the matrix indefinite.
        for extra in [1e-14, 1e-11, 1e-8] {
            self.factor.clear();
            self.factor.extend_from_slice(&self.matrix);
            for i in 0..k {
                match self.rows[i] {
                    InteriorRow::Free | InteriorRow::Tangent => {}
                    InteriorRow::Fixed => {
                        for j in 0..k {
                            self.factor[i * k + j] = 0.0;
                            self.factor[j * k + i] = 0.0;
                        }
                        self.factor[i * k + i] = 1.0;
                    }
                    InteriorRow::Bound => {
                        let mut stiff = 0.0;
                        if self.lo[i].is_finite() {
                            stiff += self.z[i] / (self.y[i] - self.lo[i]);
                        }
                        if self.hi[i].is_finite() {
                            stiff += self.upper[i] / (self.hi[i] - self.y[i]);
                        }
                        self.factor[i * k + i] += stiff;
                    }
                    InteriorRow::Cone(size) => {
                        let Some(scaling) = Scaling::new(&self.y[i..i + size], &self.z[i..i + size]) else {
                            return false;
                        };
                        for r in 0..size {
                            for c in 0..size {
                                self.factor[(i + r) * k + i + c] += scaling.inverse_square(r, c);
                            }
                        }
                    }
                }
            }
            if cholesky(&mut self.factor, k, extra) {
                return true;
            }
        }
        false
    }

    /// dy, dz for a target τ; with `correct`, the second-order term of the last step.
    fn newton_direction(&mut self, target: f64, correct: bool) -> bool {
        let k = self.y.len();
        for i in 0..k {
            match self.rows[i] {
                InteriorRow::Free | InteriorRow::Fixed => (self.push[i], self.push_upper[i]) = (0.0, 0.0),
                InteriorRow::Tangent => {}
                InteriorRow::Bound => {
                    (self.push[i], self.push_upper[i]) = (0.0, 0.0);
                    let (dy, dz, du) =
                        if correct { (self.dy[i], self.dz[i], self.d_upper[i]) } else { (0.0, 0.0, 0.0) };
                    if self.lo[i].is_finite() {
                        let slack = self.y[i] - self.lo[i];
                        self.push[i] = (target - dy * dz) / slack - self.z[i];
                    }
                    if self.hi[i].is_finite() {
                        let slack = self.hi[i] - self.y[i];
                        self.push_upper[i] = (target + dy * du) / slack - self.upper[i];
                    }
                }
                InteriorRow::Cone(size) => {
                    let range = i..i + size;
                    let Some(scaling) = Scaling::new(&self.y[range.clone()], &self.z[range.clone()]) else {
                        return false;
                    };
                    let l = scaling.apply(&triple(&self.z[range.clone()]), false);
                    let mut d = [
                        target - (l[0] * l[0] + l[1] * l[1] + l[2] * l[2]),
                        -2.0 * l[0] * l[1],
                        -2.0 * l[0] * l[2],
                    ];
                    if correct {
                        let p = scaling.apply(&triple(&self.dy[range.clone()]), true);
                        let q = scaling.apply(&triple(&self.dz[range.clone()]), false);
                        d[0] -= p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
                        d[1] -= p[0] * q[1] + q[0] * p[1];
                        d[2] -= p[0] * q[2] + q[0] * p[2];
                    }
                    let push = scaling.apply(&divide(&l, &d), true);
                    self.push[range].copy_from_slice(&push[..scaling.size]);
                }
            }
        }
        for i in 0..k {
            self.right[i] = match self.rows[i] {
                InteriorRow::Fixed => 0.0,
                InteriorRow::Bound => -self.left[i] + self.push[i] - self.push_upper[i],
                InteriorRow::Free => -self.left[i],
                _ => -self.left[i] + self.push[i],
            };
        }
        solve(&self.factor, k, &mut self.right);
        self.dy.copy_from_slice(&self.right);
        for i in 0..k {
            match self.rows[i] {
                InteriorRow::Free | InteriorRow::Fixed => (self.dz[i], self.d_upper[i]) = (0.0, 0.0),
                InteriorRow::Tangent => {}
                InteriorRow::Bound => {
                    (self.dz[i], self.d_upper[i]) = (0.0, 0.0);
                    if self.lo[i].is_finite() {
                        self.dz[i] = self.push[i] - self.z[i] / (self.y[i] - self.lo[i]) * self.dy[i];
                    }
                    if self.hi[i].is_finite() {
                        self.d_upper[i] =
                            self.push_upper[i] + self.upper[i] / (self.hi[i] - self.y[i]) * self.dy[i];
                    }
                }
                InteriorRow::Cone(size) => {
                    let Some(scaling) = Scaling::new(&self.y[i..i + size], &self.z[i..i + size]) else {
                        return false;
                    };
                    for r in 0..size {
                        let mut sum = self.push[i + r];
                        for c in 0..size {
                            sum -= scaling.inverse_square(r, c) * self.dy[i + c];
                        }
                        self.dz[i + r] = sum;
                    }
                }
            }
        }
        self.dy.iter().chain(&self.dz).all(|v| v.is_finite())
    }

    /// The largest step of all rows, at most 1.
    fn length(&self) -> f64 {
        let mut length = 1.0;
        let mut take = |room: f64| length = if room < length { room } else { length };
        let toward = |x: f64, d: f64| if d < 0.0 { x / -d } else { f64::INFINITY };
        for i in 0..self.y.len() {
            match self.rows[i] {
                InteriorRow::Free | InteriorRow::Fixed | InteriorRow::Tangent => {}
                InteriorRow::Bound => {
                    take(toward(self.y[i] - self.lo[i], self.dy[i]));
                    take(toward(self.hi[i] - self.y[i], -self.dy[i]));
                    take(toward(self.z[i], self.dz[i]));
                    take(toward(self.upper[i], self.d_upper[i]));
                }
                InteriorRow::Cone(size) => {
                    take(room(&self.y[i..i + size], &self.dy[i..i + size]));
                    take(room(&self.z[i..i + size], &self.dz[i..i + size]));
                }
            }
        }
        length
    }
}

/// Factors in place, with `extra` added to the diagonal. False if the matrix is not positive definite.
fn cholesky(matrix: &mut [f64], k: usize, extra: f64) -> bool {
    for i in 0..k {
        for j in 0..=i {
            let (head, tail) = matrix.split_at_mut(i * k);
            let row = &mut tail[..k];
            if j < i {
                let other = &head[j * k..][..k];
                let mut sum = row[j];
                for c in 0..j {
                    sum -= row[c] * other[c];
                }
                row[j] = sum / other[j];
            } else {
                let mut sum = row[i] * (1.0 + extra) + extra;
                for c in 0..i {
                    sum -= row[c] * row[c];
                }
                if sum <= 0.0 || !sum.is_finite() {
                    return false;
                }
                row[i] = sum.sqrt();
            }
        }
    }
    true
}

fn solve(factor: &[f64], k: usize, x: &mut [f64]) {
    for i in 0..k {
        let row = &factor[i * k..][..k];
        for j in 0..i {
            x[i] -= row[j] * x[j];
        }
        x[i] /= row[i];
    }
    for i in (0..k).rev() {
        let row = &factor[i * k..][..k];
        x[i] /= row[i];
        for j in 0..i {
            x[j] -= row[j] * x[i];
        }
    }
}

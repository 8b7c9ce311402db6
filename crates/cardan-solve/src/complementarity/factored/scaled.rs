//! The rows in units in which every group of A is about 1: y = λ / s, C ← s C, b ← s b.

use super::FactoredProblem;
use super::body_rows::{BodyBlocks, NO_BODY};
use crate::articulated::f64x3::run_vectorized;
use crate::complementarity::local;
use crate::complementarity::problem::Group;
use crate::lane::Task;
use crate::simd::lines::{LANES, add_scaled, dot, write_scaled};

/// Rows of a group, with bounds and coefficients in scaled units.
#[derive(Copy, Clone, Debug)]
pub(super) enum RowKind {
    /// Also equalities and one-sided rows.
    Bounded { lo: f64, hi: f64 },
    /// A cone with one or two tangents.
    Cone { mu: f64, tangents: usize },
}

#[derive(Clone, Debug, Default)]
pub(super) struct FactoredRows {
    /// First row and kind of each group.
    pub(super) groups: Vec<(usize, RowKind)>,
    /// Columns of C, a multiple of [`LANES`].
    pub(super) rank: usize,
    /// s, per row.
    scale: Vec<f64>,
    /// C, row by row; of groups with a body after [`FactoredRows::complete`] alone.
    pub(super) factor: Vec<f64>,
    is_complete: bool,
    unscaled: Vec<f64>,
    /// Groups that act through the numbers of a body.
    pub(super) bodies: BodyBlocks,
    pub(super) bias: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// z = Cᵀ y and a = C z + b of the present y.
    pub(super) z: Vec<f64>,
    pub(super) a: Vec<f64>,
}

impl FactoredRows {
    /// Takes the numbers of a problem. Returns the first row of C with a number that is not finite.
    pub(super) fn take(&mut self, problem: &FactoredProblem, guess: Option<&[f64]>) -> Option<usize> {
        let k = problem.bias.len();
        // Columns of zeros make whole groups of four.
        self.rank = problem.rank.next_multiple_of(LANES);
        for array in [&mut self.scale, &mut self.bias, &mut self.y] {
            array.clear();
        }
        self.groups.clear();
        self.factor.resize(k * self.rank, 0.0);
        let wrong = run_vectorized(TakeTask(self, problem));
        if wrong.is_some() {
            return wrong;
        }
        for (row, &scale) in self.scale.iter().enumerate() {
            self.bias.push(scale * problem.bias[row]);
            let guess = guess.map_or(0.0, |guess| guess[row] / scale);
            self.y.push(if guess.is_finite() { guess } else { 0.0 });
        }
        self.a.resize(k, 0.0);
        self.z.resize(self.rank, 0.0);
        self.tidy();
        self.evaluate();
        None
    }

    /// Takes groups and C, scaled.
    #[inline(always)]
    fn take_groups(&mut self, problem: &FactoredProblem) -> Option<usize> {
        let rank = problem.rank;
        self.bodies.take(&problem.body_rows, rank);
        self.is_complete = problem.body_rows.jacobian.is_empty();
        let (mut own_rows, mut jacobian) = (problem.factor, problem.body_rows.jacobian);
        for (index, &group) in problem.groups.iter().enumerate() {
            let (row, rows) = (self.scale.len(), group.rows());
            let body = problem.body_rows.of_group.get(index).copied().unwrap_or(NO_BODY);
            let (lines, on_body) = match body {
                NO_BODY => (own_rows.split_off(..rows * rank).unwrap_or_default(), &[][..]),
                _ => (&[][..], jacobian.split_off(..rows).unwrap_or_default()),
            };
            let square = match body {
                NO_BODY => dot(lines, lines),
                _ => self.bodies.square(body, on_body),
            };
            let own = square / rows as f64;
            if !own.is_finite() {
                let is_wrong = |line: &[f64]| !dot(line, line).is_finite();
                let wrong = if rank > 0 { lines.chunks_exact(rank).position(is_wrong) } else { None };
                return Some(row + wrong.unwrap_or(0));
            }
            let scale = if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 };
            // The root of the smallest numbers may be too large for its square to be finite.
            let scale = if (scale * scale).is_finite() { scale } else { 1.0 };
            self.scale.extend((0..rows).map(|_| scale));
            let kind = match group {
                Group::Held | Group::Scaled { .. } => {
                    RowKind::Bounded { lo: f64::NEG_INFINITY, hi: f64::INFINITY }
                }
                Group::OneSided => RowKind::Bounded { lo: 0.0, hi: f64::INFINITY },
                Group::Bounded { lo, hi } => RowKind::Bounded { lo: lo / scale, hi: hi / scale },
                Group::Cone { mu } => RowKind::Cone { mu, tangents: 2 },
                Group::Wedge { mu } => RowKind::Cone { mu, tangents: 1 },
            };
            self.groups.push((row, kind));
            self.bodies.take_group(body, on_body, scale);
            for (r, line) in lines.chunks_exact(if rank > 0 { rank } else { 1 }).enumerate() {
                let (own, rest) = self.factor[(row + r) * self.rank..][..self.rank].split_at_mut(rank);
                write_scaled(own, scale, line);
                rest.fill(0.0);
            }
        }
        None
    }

    /// Writes C of groups with a body, too.
    pub(super) fn complete(&mut self, problem: &FactoredProblem) {
        if self.is_complete {
            return;
        }
        self.is_complete = true;
        problem.write_rows(&mut self.unscaled);
        for (row, line) in self.unscaled.chunks_exact(problem.rank).enumerate() {
            let (own, rest) = self.factor[row * self.rank..][..self.rank].split_at_mut(problem.rank);
            write_scaled(own, self.scale[row], line);
            rest.fill(0.0);
        }
    }

    /// Three rows of numbers of a group; zero for those that it does not have.
    #[inline(always)]
    pub(super) fn three(numbers: &[f64], row: usize, kind: RowKind) -> [f64; 3] {
        match kind {
            RowKind::Bounded { .. } => [numbers[row], 0.0, 0.0],
            RowKind::Cone { tangents: 1, .. } => [numbers[row], numbers[row + 1], 0.0],
            RowKind::Cone { .. } => [numbers[row], numbers[row + 1], numbers[row + 2]],
        }
    }

    /// Takes y from λ.
    pub(super) fn load(&mut self, lambda: &[f64]) {
        for (y, (lambda, scale)) in self.y.iter_mut().zip(lambda.iter().zip(&self.scale)) {
            *y = lambda / scale;
        }
        self.evaluate();
    }

    /// Projects y onto its cones and bounds.
    fn tidy(&mut self) {
        for &(row, kind) in &self.groups {
            let point = project(kind, &self.y[row..]);
            self.y[row..row + kind.rows()].copy_from_slice(&point[..kind.rows()]);
        }
    }

    /// z and a of the present y.
    pub(super) fn evaluate(&mut self) {
        self.z.fill(0.0);
        if self.rank == 0 {
            self.a.copy_from_slice(&self.bias);
            return;
        }
        run_vectorized(EvaluateTask(self));
    }

    /// One sweep of Gauss–Seidel: each group is solved exactly with the present rates of the others.
    pub(super) fn sweep(&mut self) {
        let rank = self.rank;
        for &(row, kind) in &self.groups {
            let count = kind.rows();
            let lines = &self.factor[row * rank..(row + count) * rank];
            let (mut w, mut q) = ([0.0; 9], [0.0; 3]);
            for r in 0..count {
                q[r] = self.bias[row + r] + dot(&lines[r * rank..][..rank], &self.z);
                for c in 0..=r {
                    let entry = dot(&lines[r * rank..][..rank], &lines[c * rank..][..rank]);
                    (w[r * count + c], w[c * count + r]) = (entry, entry);
                }
            }
            for r in 0..count {
                for c in 0..count {
                    q[r] -= w[r * count + c] * self.y[row + c];
                }
            }
            let new = match kind {
                RowKind::Bounded { .. } if w[0] <= 0.0 => continue,
                RowKind::Bounded { .. } => project(kind, &[-q[0] / w[0], 0.0, 0.0]),
                RowKind::Cone { mu, tangents: 1 } => {
                    match local::wedge(&[w[0], w[1], w[2], w[3]], [q[0], q[1]], mu) {
                        Some([n, t]) => [n, t, 0.0],
                        None => continue,
                    }
                }
                RowKind::Cone { mu, .. } => match local::cone(&w, q, mu) {
                    Some(new) => new,
                    None => continue,
                },
            };
            for r in 0..count {
                let change = new[r] - self.y[row + r];
                if change != 0.0 {
                    self.y[row + r] = new[r];
                    self.z.iter_mut().zip(&lines[r * rank..]).for_each(|(z, c)| *z += c * change);
                }
            }
        }
    }

    /// Residual of the natural map, relative to the largest impulse or bias; NaN if anything is NaN.
    pub(super) fn residual(&self) -> f64 {
        let (mut worst, mut size): (f64, f64) = (0.0, f64::MIN_POSITIVE);
        for (y, b) in self.y.iter().zip(&self.bias) {
            let own = if y.abs() > b.abs() { y.abs() } else { b.abs() };
            size = if own > size || own.is_nan() { own } else { size };
        }
        for &(row, kind) in &self.groups {
            let (y, a) = (&self.y[row..], &self.a[row..]);
            let mut point = [0.0; 3];
            for (r, point) in point[..kind.rows()].iter_mut().enumerate() {
                *point = y[r] - a[r];
            }
            point[0] -= kind.shift(a);
            let projected = project(kind, &point);
            let mut square = 0.0;
            for r in 0..kind.rows() {
                square += (y[r] - projected[r]) * (y[r] - projected[r]);
            }
            if square > worst || square.is_nan() {
                worst = square;
            }
        }
        worst.sqrt() / size
    }

    pub(super) fn write(&self, lambda: &mut Vec<f64>, a: &mut Vec<f64>) {
        lambda.clear();
        lambda.extend(self.y.iter().zip(&self.scale).map(|(y, scale)| y * scale));
        a.clear();
        a.extend(self.a.iter().zip(&self.scale).map(|(a, scale)| a / scale));
    }
}

/// [`FactoredRows::take_groups`], compiled for the vector unit.
struct TakeTask<'s, 'p>(&'s mut FactoredRows, &'p FactoredProblem<'p>);

impl Task for TakeTask<'_, '_> {
    type Output = Option<usize>;
    #[inline(always)]
    fn run(self) -> Option<usize> {
        self.0.take_groups(self.1)
    }
}

/// [`FactoredRows::evaluate`], compiled for the vector unit.
struct EvaluateTask<'s>(&'s mut FactoredRows);

impl Task for EvaluateTask<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let FactoredRows { groups, bodies, factor, rank, bias, y, z, a, .. } = self.0;
        bodies.clear_wrenches();
        for (index, &(row, kind)) in groups.iter().enumerate() {
            let y = FactoredRows::three(y, row, kind);
            if bodies.of_group[index] != NO_BODY {
                bodies.push(index, y);
                continue;
            }
            for (r, &y) in y[..kind.rows()].iter().enumerate() {
                if y != 0.0 {
                    add_scaled(z, y, &factor[(row + r) * *rank..][..*rank]);
                }
            }
        }
        bodies.add_to(z);
        bodies.set_from(z);
        for (index, &(row, kind)) in groups.iter().enumerate() {
            let rates = match bodies.of_group[index] {
                NO_BODY => own_rates(factor, *rank, row, kind, z),
                _ => bodies.rates(index),
            };
            for r in 0..kind.rows() {
                a[row + r] = bias[row + r] + rates[r];
            }
        }
    }
}

/// C z of a group with rows of its own.
#[inline(always)]
pub(super) fn own_rates(factor: &[f64], rank: usize, row: usize, kind: RowKind, z: &[f64]) -> [f64; 3] {
    let mut rates = [0.0; 3];
    for (r, rate) in rates[..kind.rows()].iter_mut().enumerate() {
        *rate = dot(&factor[(row + r) * rank..][..rank], z);
    }
    rates
}

impl RowKind {
    #[inline]
    pub(super) fn rows(self) -> usize {
        match self {
            RowKind::Bounded { .. } => 1,
            RowKind::Cone { tangents, .. } => 1 + tangents,
        }
    }

    /// De Saxcé's shift μ |a_t|.
    #[inline]
    pub(super) fn shift(self, a: &[f64]) -> f64 {
        match self {
            RowKind::Bounded { .. } => 0.0,
            RowKind::Cone { mu, tangents: 1 } => mu * a[1].abs(),
            RowKind::Cone { mu, .. } => mu * (a[1] * a[1] + a[2] * a[2]).sqrt(),
        }
    }
}

/// The nearest number of an interval.
pub(super) fn clamp(value: f64, lo: f64, hi: f64) -> f64 {
    if value < lo {
        lo
    } else if value > hi {
        hi
    } else {
        value
    }
}

/// The nearest point of a cone or an interval.
#[inline]
pub(super) fn project(kind: RowKind, point: &[f64]) -> [f64; 3] {
    match kind {
        RowKind::Bounded { lo, hi } => [clamp(point[0], lo, hi), 0.0, 0.0],
        RowKind::Cone { mu, tangents: 1 } => local::project(mu, [point[0], point[1], 0.0]),
        RowKind::Cone { mu, .. } => local::project(mu, [point[0], point[1], point[2]]),
    }
}

/// The derivative of [`project`], whose rows and columns beyond those of the kind are zero.
#[inline]
pub(super) fn project_derivative(kind: RowKind, point: &[f64]) -> Slope {
    match kind {
        RowKind::Bounded { lo, hi } => {
            if point[0] < lo || point[0] > hi {
                Slope::Zero
            } else {
                Slope::Unit
            }
        }
        RowKind::Cone { mu, tangents } => {
            let (n, t, u) = (point[0], point[1], if tangents == 2 { point[2] } else { 0.0 });
            let length = (t * t + u * u).sqrt();
            if length <= mu * n {
                return Slope::Unit;
            }
            if mu * length <= -n || length == 0.0 {
                return Slope::Zero;
            }
            let over = 1.0 / (1.0 + mu * mu);
            let normal = (n + mu * length) * over;
            let (x, y) = (t / length, u / length);
            // dn = (dn̂ + μ u·dt̂) / (1 + μ²),   dt = μ u dn + (μ n / |t̂|) (1 − u uᵀ) dt̂
            let (along, across) = (mu * mu * over, mu * normal / length);
            let cross = mu * over;
            let mut d = [[0.0; 3]; 3];
            d[0] = [over, cross * x, cross * y];
            d[1] = [cross * x, along * x * x + across * y * y, (along - across) * x * y];
            d[2] = [cross * y, (along - across) * x * y, along * y * y + across * x * x];
            Slope::Matrix(d)
        }
    }
}

/// The derivative of a projection.
#[derive(Copy, Clone, Debug)]
pub(super) enum Slope {
    Zero,
    Unit,
    Matrix([[f64; 3]; 3]),
}

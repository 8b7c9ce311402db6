//! The dense complementarity problem a = A λ + b of closed contacts.
//!
//! | active set | method |
//! |---|---|
//! | no friction | exact, by an active-set method; redundant rows are allowed |
//! | sticking contacts | cones \|λ_t\| ≤ μ λ_n, to a residual that is reported |
//! | sliding contacts | force λ_n (n − μ d), d: direction; A is not symmetric; Lemke's method |
//! | sticking and sliding | cones with the friction of sliding contacts held, alternating |
//! | dry friction of joints | at rest a row with −F_s ≤ λ ≤ F_s; while sliding a given force |
//!
//! A = J M̂⁻¹ Jᵀ: Delassus matrix; b: accelerations (or velocities, or gaps) without contacts.
//!
//! With sliding friction there may be no solution, or several (Painlevé's paradox): then no contact
//! force exists.

use crate::math::larger;
use crate::model::Model;
use crate::step::contact::{ContactEntry, ContactSet, FrictionMode, RollingMode};
use crate::step_error::StepError;
use cardan_solve::complementarity::{
    ActiveSet, ComplementarityError, ConeSolver, Group, Lemke, LemkeOutcome, Problem,
};

/// Residuals above these are failures: of forces (far above the target, far below what is visible),
/// and of velocities.
const WRONG: f64 = 1e-6;
const ROUGH: f64 = 1e-2;
/// Largest number of alternations between sliding and sticking contacts.
const MAX_ALTERNATIONS: u32 = 200;

/// Solvers of the dense problem, and their data.
#[derive(Debug, Default)]
pub(crate) struct ComplementaritySolver {
    pub(crate) exact: ActiveSet,
    pub(crate) cones: ConeSolver,
    lemke: Lemke,
    /// Rows in the problem, and their groups.
    pub(crate) rows: Vec<usize>,
    pub(crate) groups: Vec<Group>,
    /// Sliding and turning rows: normal row, own row, friction coefficient.
    followers: Vec<(usize, usize, f64)>,
    /// Rows with a given force, and the force.
    given: Vec<(usize, f64)>,
    /// A and b of these rows, and the sizes of their terms.
    pub(crate) matrix: Vec<f64>,
    pub(crate) matrix_formed: Vec<f64>,
    pub(crate) bias: Vec<f64>,
    pub(crate) bias_formed: Vec<f64>,
    /// Normal forces of sliding contacts in the alternation.
    slid: Vec<f64>,
    /// λ of equality rows.
    kept: Vec<f64>,
    /// Initial guess of the cone solver; may be empty.
    pub(crate) guess: Vec<f64>,
    /// Whether the problem is one of velocities: these are accepted to [`ROUGH`], with their
    /// residual reported.
    pub(crate) is_rough: bool,
    /// The largest cone residual of the last solve.
    pub(crate) residual: f64,
}

/// Kind of the problem.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum ContactProblem {
    /// Forces: λ ≥ 0 along the normal, and friction by the mode.
    Force,
    /// Impulses or displacements: λ ≥ 0 along the normal and friction by the mode, without a warm
    /// start.
    Impact,
    /// Equalities: all rows of the items are held, with λ of any sign.
    Equality,
}

impl ContactSet {
    /// Solves for λ of the items numbered in `part` and a of all rows; `bias` is b. λ of other
    /// items is zero.
    pub(crate) fn solve_complementarity(
        &mut self,
        model: &Model,
        part: &[usize],
        problem_kind: ContactProblem,
        with_tangents: bool,
        time: f64,
    ) -> Result<(), StepError> {
        if self.study.is_some() && problem_kind == ContactProblem::Force {
            return self.solve_study(time);
        }
        let warm = problem_kind == ContactProblem::Force && part.len() == self.set.len();
        let all = self.contact_rows.rows.len();
        let ContactSet {
            set,
            matrix,
            matrix_formed,
            bias,
            bias_formed,
            complementarity,
            lambda,
            acc,
            last,
            span,
            ..
        } = self;
        let w = complementarity;
        // The residual is that of this solve only.
        w.residual = 0.0;
        let (has_cones, has_slip) = w.collect_rows(set, part, (problem_kind, with_tangents), *span);
        // Warm start from the last solution of the same problem.
        w.guess.clear();
        if warm && last.len() == all {
            w.guess.extend(w.rows.iter().map(|&row| last[row]));
        }
        lambda.clear();
        lambda.resize(all, 0.0);
        let is_sliding = has_slip && !has_cones;
        w.write_problem((matrix, matrix_formed), (bias, bias_formed), all, is_sliding);
        // With three contacts and more the forces may be indeterminate.
        let shared = problem_kind != ContactProblem::Equality
            && part.iter().filter(|&&i| set[i].contact.is_some()).count() > 2;
        let outcome = match (has_cones, has_slip) {
            _ if w.rows.is_empty() => Ok(()),
            _ if problem_kind == ContactProblem::Equality => {
                w.solve_equalities();
                Ok(())
            }
            (false, false) if shared => {
                w.solve_regularised(ComplementaritySolver::solve_frictionless, |w| w.exact.lambda())
            }
            (false, false) => w.solve_frictionless(),
            (true, false) => w.solve_cones(),
            (false, true) if shared => {
                w.solve_regularised(ComplementaritySolver::solve_sliding, |w| w.lemke.lambda())
            }
            (false, true) => w.solve_sliding(),
            (true, true) => w.solve_alternating(matrix, all),
        };
        if let Err(error) = outcome {
            return Err(complementarity_error(model, set, &w.rows, time, error));
        }
        let x: &[f64] = match (has_cones, has_slip) {
            _ if w.rows.is_empty() => &[],
            _ if problem_kind == ContactProblem::Equality => &w.kept,
            (false, false) => w.exact.lambda(),
            (true, _) => w.cones.lambda(),
            (false, true) => w.lemke.lambda(),
        };
        for (&row, &x) in w.rows.iter().zip(x) {
            lambda[row] = x;
        }
        for &(normal, follower, mu) in &w.followers {
            lambda[follower] = -mu * lambda[normal];
        }
        for &(row, force) in &w.given {
            lambda[row] = force;
        }
        if warm {
            last.clone_from(lambda);
        }
        acc.clear();
        for row in 0..all {
            let mut sum = bias[row];
            for (column, &x) in lambda.iter().enumerate() {
                sum += matrix[row * all + column] * x;
            }
            acc.push(sum);
        }
        // The solver gives a of its rows without the rounding of the sums.
        if !has_slip
            && !has_cones
            && !shared
            && problem_kind != ContactProblem::Equality
            && !w.rows.is_empty()
        {
            for (&row, &a) in w.rows.iter().zip(w.exact.a()) {
                acc[row] = a;
            }
        }
        Ok(())
    }

    /// Sets the initial guess of the next solve: the force of each item, along its normal and
    /// across.
    pub(crate) fn seed(&mut self, push: impl Fn(usize, &ContactEntry) -> [f64; 3]) {
        self.last.clear();
        for (i, item) in self.set.iter().enumerate() {
            let across = match item.mode {
                _ if item.is_joint_friction() => 0,
                FrictionMode::Frictionless => 0,
                FrictionMode::Slip(_) => 1,
                FrictionMode::Stick => item.tangents,
            };
            self.last.extend_from_slice(&push(i, item)[..=across]);
            let resisting = self.last.len() + item.roll_spin.all();
            self.last.resize(resisting, 0.0);
        }
    }

    /// Size of the terms of a of a row.
    pub(crate) fn formed(&self, row: usize) -> f64 {
        let all = self.contact_rows.rows.len();
        let mut size = larger(self.bias_formed[row], self.bias[row].abs());
        if self.matrix.is_empty() {
            return size + (self.acc[row] - self.bias[row]).abs();
        }
        for (column, &x) in self.lambda.iter().enumerate() {
            size += (self.matrix[row * all + column] * x).abs();
        }
        size
    }
}

impl ComplementaritySolver {
    /// Collects rows and groups of the items numbered in `part`. Returns whether some of them have
    /// friction cones, and whether some slide or turn.
    fn collect_rows(
        &mut self,
        set: &[ContactEntry],
        part: &[usize],
        (problem_kind, with_tangents): (ContactProblem, bool),
        span: f64,
    ) -> (bool, bool) {
        let slips = |item: &ContactEntry| {
            matches!(item.mode, FrictionMode::Slip(_)) && problem_kind != ContactProblem::Equality
        };
        self.rows.clear();
        self.groups.clear();
        self.followers.clear();
        self.given.clear();
        let (mut has_cones, mut has_slip) = (false, false);
        for &i in part {
            let item = &set[i];
            if item.is_joint_friction() {
                let most = span * item.static_friction();
                match (item.mode, problem_kind) {
                    // Dry friction of a joint is a finite force: it has no part in an impact.
                    (_, ContactProblem::Impact) => {}
                    (FrictionMode::Slip(direction), ContactProblem::Force) => {
                        self.given.push((item.row, -span * item.material.kinetic_friction * direction.x));
                    }
                    (FrictionMode::Slip(_), ContactProblem::Equality) => {}
                    (_, ContactProblem::Equality) => {
                        self.rows.push(item.row);
                        self.groups.push(Group::Held);
                    }
                    (_, ContactProblem::Force) => {
                        self.rows.push(item.row);
                        self.groups.push(Group::Bounded { lo: -most, hi: most });
                    }
                }
                continue;
            }
            self.rows.push(item.row);
            let sticks = item.mode == FrictionMode::Stick && with_tangents && item.tangents > 0;
            has_slip |= slips(item);
            if sticks {
                self.rows.extend(item.row + 1..item.row + 1 + item.tangents);
            }
            match problem_kind {
                ContactProblem::Equality => {
                    self.groups.extend((0..=if sticks { item.tangents } else { 0 }).map(|_| Group::Held))
                }
                ContactProblem::Force | ContactProblem::Impact if sticks => {
                    has_cones = true;
                    let mu = item.static_friction();
                    self.groups.push(if item.tangents == 2 {
                        Group::Cone { mu }
                    } else {
                        Group::Wedge { mu }
                    });
                }
                ContactProblem::Force | ContactProblem::Impact => self.groups.push(Group::OneSided),
            }
            if slips(item) {
                self.followers.push((item.row, item.row + 1, item.material.kinetic_friction));
            }
            // Rolling resistance has no part in an impact.
            if !with_tangents || problem_kind == ContactProblem::Impact {
                continue;
            }
            let normal_row = self.rows.iter().position(|row| *row == item.row).unwrap_or(0);
            for (turn, mu, rows) in item.resistances() {
                match turn {
                    RollingMode::Turns(_) if problem_kind == ContactProblem::Force => {
                        has_slip = true;
                        self.followers.push((item.row, rows.start, mu));
                    }
                    RollingMode::Rest => {
                        has_cones |= problem_kind == ContactProblem::Force;
                        let group = if problem_kind == ContactProblem::Equality {
                            Group::Held
                        } else {
                            Group::Scaled { normal_row, mu }
                        };
                        self.groups.extend(rows.clone().map(|_| group));
                        self.rows.extend(rows);
                    }
                    _ => {}
                }
            }
        }
        (has_cones, has_slip)
    }

    /// Writes A and b of the collected rows from those of all rows.
    fn write_problem(
        &mut self,
        (matrix, matrix_formed): (&[f64], &[f64]),
        (bias, bias_formed): (&[f64], &[f64]),
        all: usize,
        sliding: bool,
    ) {
        let k = self.rows.len();
        self.matrix.clear();
        for &row in &self.rows {
            self.matrix.extend(self.rows.iter().map(|&other| matrix[row * all + other]));
        }
        if sliding {
            // Columns of sliding and turning contacts are those of the force λ_n (n − μ d).
            for &(normal, follower, mu) in &self.followers {
                let Some(column) = self.rows.iter().position(|row| *row == normal) else { continue };
                for (r, &row) in self.rows.iter().enumerate() {
                    self.matrix[r * k + column] -= mu * matrix[row * all + follower];
                }
            }
        }
        self.matrix_formed.clear();
        self.matrix_formed.extend(self.rows.iter().map(|&row| matrix_formed[row]));
        self.bias.clear();
        self.bias.extend(self.rows.iter().map(|&row| bias[row]));
        for &(given, force) in &self.given {
            for (bias, &row) in self.bias.iter_mut().zip(&self.rows) {
                *bias += matrix[row * all + given] * force;
            }
        }
        self.bias_formed.clear();
        self.bias_formed.extend(self.rows.iter().map(|&row| bias_formed[row]));
    }

    /// The collected problem, as the solvers take it.
    fn problem(&self) -> Problem<'_> {
        Problem {
            groups: &self.groups,
            matrix: &self.matrix,
            bias: &self.bias,
            matrix_formed: &self.matrix_formed,
            bias_formed: &self.bias_formed,
        }
    }

    /// Solves A λ + b = 0 by Cholesky with a relative shift of 1e-10 on the diagonal, and
    /// refinement. Where rows are redundant, b is consistent only up to rounding, and that part of
    /// it cannot be removed.
    fn solve_equalities(&mut self) {
        const WEIGHT: f64 = 1e-10;
        let k = self.rows.len();
        let mut l = self.matrix.clone();
        for j in 0..k {
            let own = l[j * k + j] * (1.0 + WEIGHT);
            let before: f64 = (0..j).map(|i| l[j * k + i] * l[j * k + i]).sum();
            let pivot = own - before;
            let least = 0.5 * WEIGHT * own;
            let root = if pivot > least { pivot.sqrt() } else { least.sqrt() };
            for r in j..k {
                let sum: f64 = (0..j).map(|i| l[r * k + i] * l[j * k + i]).sum();
                let entry = if r == j { root } else { (l[r * k + j] - sum) / root };
                l[r * k + j] = if root > 0.0 { entry } else { 0.0 };
            }
        }
        self.kept.clear();
        self.kept.resize(k, 0.0);
        let mut x = vec![0.0; k];
        for _ in 0..4 {
            for r in 0..k {
                let row: f64 = self.kept.iter().zip(&self.matrix[r * k..]).map(|(x, a)| a * x).sum();
                let sum: f64 = (0..r).map(|i| l[r * k + i] * x[i]).sum();
                let left = -self.bias[r] - row - sum;
                x[r] = if l[r * k + r] > 0.0 { left / l[r * k + r] } else { 0.0 };
            }
            for r in (0..k).rev() {
                let sum: f64 = (r + 1..k).map(|i| l[i * k + r] * x[i]).sum();
                x[r] = if l[r * k + r] > 0.0 { (x[r] - sum) / l[r * k + r] } else { 0.0 };
            }
            self.kept.iter_mut().zip(&x).for_each(|(kept, x)| *kept += x);
        }
    }

    /// Solves without friction, by an active-set method.
    pub(crate) fn solve_frictionless(&mut self) -> Result<(), ComplementarityError> {
        let mut exact = std::mem::take(&mut self.exact);
        let outcome = exact.solve(&self.problem());
        self.exact = exact;
        outcome
    }

    /// Solves with redundant contacts for the solution of least weighted norm, by proximal
    /// iteration: (A + ε D) λ′ + b − ε D λ from λ = 0, D: diagonal of A. Each round leaves ε of the
    /// error before.
    fn solve_regularised(
        &mut self,
        solve: fn(&mut ComplementaritySolver) -> Result<(), ComplementarityError>,
        solve_complementarity: fn(&ComplementaritySolver) -> &[f64],
    ) -> Result<(), ComplementarityError> {
        const EPSILON: f64 = 1e-7;
        let k = self.rows.len();
        let first = self.bias.clone();
        for row in 0..k {
            self.matrix[row * k + row] *= 1.0 + EPSILON;
        }
        for _ in 0..3 {
            solve(self)?;
            for row in 0..k {
                let part = EPSILON / (1.0 + EPSILON) * self.matrix[row * k + row];
                self.bias[row] = first[row] - part * solve_complementarity(self)[row];
            }
        }
        Ok(())
    }

    /// Solves with friction cones of sticking contacts.
    pub(crate) fn solve_cones(&mut self) -> Result<(), ComplementarityError> {
        let mut cones = std::mem::take(&mut self.cones);
        let guess = (self.guess.len() == self.rows.len()).then_some(&self.guess[..]);
        let outcome = cones.solve(&self.problem(), guess);
        self.cones = cones;
        let outcome = outcome?;
        self.residual = larger(self.residual, outcome.residual);
        if outcome.residual > if self.is_rough { ROUGH } else { WRONG } {
            let iterations = outcome.sweeps + outcome.newton_steps + outcome.fixed_steps;
            return Err(ComplementarityError::Stalled { iterations, residual: outcome.residual });
        }
        Ok(())
    }

    /// Solves with sliding contacts only, by Lemke's method.
    fn solve_sliding(&mut self) -> Result<(), ComplementarityError> {
        let mut lemke = std::mem::take(&mut self.lemke);
        let outcome = lemke.solve(&self.problem());
        self.lemke = lemke;
        match outcome? {
            LemkeOutcome::Solved => Ok(()),
            LemkeOutcome::Ray => {
                Err(ComplementarityError::Infeasible { rows: (0..self.rows.len()).collect() })
            }
        }
    }

    /// Solves with sliding and sticking contacts: the friction of sliding contacts is held while
    /// the cones of sticking ones are solved, then updated. Anderson mixing speeds up the
    /// convergence.
    fn solve_alternating(&mut self, matrix: &[f64], all: usize) -> Result<(), ComplementarityError> {
        let first = self.bias.clone();
        let sliding = self.followers.clone();
        let place = |w: &ComplementaritySolver, normal: usize| {
            w.rows.iter().position(|row| *row == normal).unwrap_or(0)
        };
        let places: Vec<usize> = sliding.iter().map(|&(normal, ..)| place(self, normal)).collect();
        let mut mixing = AndersonMixing::default();
        self.slid.clear();
        self.slid.extend(places.iter().map(|&r| self.guess.get(r).copied().unwrap_or(0.0)));
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ALTERNATIONS {
            self.bias.copy_from_slice(&first);
            for (&(_, follower, mu), &push) in sliding.iter().zip(&self.slid) {
                for (r, &row) in self.rows.iter().enumerate() {
                    self.bias[r] -= mu * push * matrix[row * all + follower];
                }
            }
            self.solve_cones()?;
            let now: Vec<f64> = places.iter().map(|&r| self.cones.lambda()[r]).collect();
            let size = self.cones.lambda().iter().fold(0.0, |most, l| larger(most, l.abs()));
            let change = now.iter().zip(&self.slid).fold(0.0, |most, (a, b)| larger(most, (a - b).abs()));
            if change <= 1e-13 * size || (change <= 1e-10 * size && change >= 0.5 * last) {
                return Ok(());
            }
            last = change;
            self.guess.clear();
            self.guess.extend_from_slice(self.cones.lambda());
            let mixed = mixing.next(&self.slid, &now);
            self.slid.clear();
            self.slid.extend(mixed.into_iter().map(|x| if x > 0.0 { x } else { 0.0 }));
        }
        Err(ComplementarityError::Stalled { iterations: MAX_ALTERNATIONS as usize, residual: last })
    }
}

/// Anderson mixing of a fixed-point iteration x = F(x): the combination of the last F(x) with the
/// least
/// |x − F(x)|.
#[derive(Default)]
struct AndersonMixing {
    /// F(x) and F(x) − x of the last iterations.
    past: Vec<(Vec<f64>, Vec<f64>)>,
}

impl AndersonMixing {
    /// Number of earlier iterations that are combined.
    const DEPTH: usize = 5;

    /// The next x, from x and its image F(x).
    fn next(&mut self, x: &[f64], image: &[f64]) -> Vec<f64> {
        let residual: Vec<f64> = image.iter().zip(x).map(|(f, x)| f - x).collect();
        if self.past.len() > Self::DEPTH {
            self.past.remove(0);
        }
        self.past.push((image.to_vec(), residual));
        let m = self.past.len() - 1;
        let Some(((image, residual), older)) = self.past.split_last() else { return image.to_vec() };
        if m == 0 {
            return image.clone();
        }
        // γ with the least |r − Σ γ_i (r − r_i)|, by normal equations with a relative shift of
        // 1e-10.
        let difference: Vec<Vec<f64>> =
            older.iter().map(|(_, r)| residual.iter().zip(r).map(|(a, b)| a - b).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut g: Vec<f64> = (0..m * m).map(|k| dot(&difference[k / m], &difference[k % m])).collect();
        let mut rhs: Vec<f64> = difference.iter().map(|d| dot(d, residual)).collect();
        for i in 0..m {
            g[i * m + i] *= 1.0 + 1e-10;
            let own = g[i * m + i];
            if own <= 0.0 || own.is_nan() {
                return image.clone();
            }
        }
        for i in 0..m {
            for j in i + 1..m {
                let f = g[j * m + i] / g[i * m + i];
                for k in i..m {
                    g[j * m + k] -= f * g[i * m + k];
                }
                rhs[j] -= f * rhs[i];
            }
        }
        for i in (0..m).rev() {
            for k in i + 1..m {
                rhs[i] -= g[i * m + k] * rhs[k];
            }
            rhs[i] /= g[i * m + i];
        }
        let mut mixed = image.clone();
        for (gamma, (old, _)) in rhs.iter().zip(older) {
            for ((mixed, image), old) in mixed.iter_mut().zip(image).zip(old) {
                *mixed -= gamma * (image - old);
            }
        }
        if mixed.iter().all(|x| x.is_finite()) { mixed } else { image.clone() }
    }
}

/// A solver error with the names of the model.
#[cold]
pub(crate) fn complementarity_error(
    model: &Model,
    set: &[ContactEntry],
    rows: &[usize],
    time: f64,
    error: ComplementarityError,
) -> StepError {
    let name = |row: &usize| {
        let row = rows.get(*row)?;
        let item = set.iter().find(|item| (item.row..=item.row + item.tangents).contains(row))?;
        Some(item.key.subject(model).name(model))
    };
    match error {
        ComplementarityError::Infeasible { rows } => {
            let mut names: Vec<String> = rows.iter().filter_map(name).collect();
            names.dedup();
            let slides = set.iter().any(|item| matches!(item.mode, FrictionMode::Slip(_)));
            match slides {
                true => StepError::FrictionParadox { contacts: names, time },
                false => StepError::Contradiction { inequalities: names, time },
            }
        }
        ComplementarityError::NotSemidefinite { row } | ComplementarityError::NotFinite { row, .. } => {
            let at = name(&row).map_or_else(String::new, |name| format!(" (`{name}`)"));
            StepError::Complementarity { error: format!("{error}{at}"), time }
        }
        error => StepError::Complementarity { error: error.to_string(), time },
    }
}

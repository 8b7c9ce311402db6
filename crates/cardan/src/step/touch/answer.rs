//! Answer: the small problem a = A λ + b of conditions that touch.
//!
//! | what presses | how it is answered |
//! |---|---|
//! | nothing resists across | exactly, by an active set; redundant rows are normal |
//! | some do not slide | cones \|λ_t\| ≤ μ λ_n, to a residual that is kept |
//! | some slide | their force is λ_n (n − μ d), d being where they slide to: A is no longer symmetric; by Lemke's method |
//! | both | the latter with the friction of what slides held, in turns |
//! | dry friction of joints | at rest a row with −F_s ≤ λ ≤ F_s among the others; while it slides a given force |
//!
//! Where things slide there may be no answer, or several (Painlevé): then there is none at the level of forces.

use super::{Item, Mode, Touch, Turn};
use crate::math::larger;
use crate::model::Model;
use crate::step::StepError;
use cardan_solve::cone::{ActiveSet, ConeError, Cones, Group, Lemke, Path, Problem};

/// Residuals that are no answer: of forces, far above what is aimed at and far below what could be seen; of velocities.
const WRONG: f64 = 1e-6;
const ROUGH: f64 = 1e-2;
/// Turns that may be taken between what slides and what does not.
const MOST_TURNS: u32 = 200;

/// Solvers and their numbers.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) exact: ActiveSet,
    pub(super) cones: Cones,
    lemke: Lemke,
    pub(super) rows: Vec<usize>,
    pub(super) groups: Vec<Group>,
    /// Of what slides or turns: the row of its normal, its own, and how much of the normal force resists.
    followers: Vec<(usize, usize, f64)>,
    /// Rows whose push is given, and that.
    given: Vec<(usize, f64)>,
    pub(super) matrix: Vec<f64>,
    pub(super) matrix_formed: Vec<f64>,
    pub(super) bias: Vec<f64>,
    pub(super) bias_formed: Vec<f64>,
    slid: Vec<f64>,
    /// λ of rows that are kept.
    kept: Vec<f64>,
    /// Where cones are begun to be looked for; empty for nowhere.
    pub(super) guess: Vec<f64>,
    /// Whether velocities are asked for, which are taken as they are found, with their residual stated.
    pub(super) is_rough: bool,
    /// The worst residual of cones in the last answer.
    pub(super) residual: f64,
}

/// What an item asks for in the small problem.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// λ ≥ 0 along its normal, and across what its mode says.
    Press,
    /// The same of a blow, which has nothing to do with the forces of before.
    Strike,
    /// Its rows are kept as they are, whatever that takes.
    Keep,
}

impl Touch {
    /// λ of the items numbered in `part`, and a of all rows; `bias` is b. Rows of other items do not push.
    pub(super) fn answer(
        &mut self,
        model: &Model,
        part: &[usize],
        ask: Ask,
        with_tangents: bool,
        time: f64,
    ) -> Result<(), StepError> {
        if self.study.is_some() && ask == Ask::Press {
            return self.answer_study(time);
        }
        let warm = ask == Ask::Press && part.len() == self.set.len();
        let all = self.sheet.rows.len();
        let Touch { set, matrix, matrix_formed, bias, bias_formed, answers, lambda, acc, last, span, .. } =
            self;
        let w = answers;
        // Of this answer alone: what was asked before must not matter.
        w.residual = 0.0;
        let slips = |item: &Item| matches!(item.mode, Mode::Slip(_)) && ask != Ask::Keep;
        let span = *span;
        w.rows.clear();
        w.groups.clear();
        w.followers.clear();
        w.given.clear();
        let (mut has_cones, mut has_slip) = (false, false);
        for &i in part {
            let item = &set[i];
            if item.is_dry() {
                let most = span * item.static_friction();
                match (item.mode, ask) {
                    // A blow is over before friction of this kind has done anything.
                    (_, Ask::Strike) => {}
                    (Mode::Slip(way), Ask::Press) => {
                        w.given.push((item.row, -span * item.material.kinetic_friction * way.x));
                    }
                    (Mode::Slip(_), Ask::Keep) => {}
                    (_, Ask::Keep) => {
                        w.rows.push(item.row);
                        w.groups.push(Group::Held);
                    }
                    (_, Ask::Press) => {
                        w.rows.push(item.row);
                        w.groups.push(Group::Bounded { lo: -most, hi: most });
                    }
                }
                continue;
            }
            w.rows.push(item.row);
            let sticks = item.mode == Mode::Stick && with_tangents && item.tangents > 0;
            has_slip |= slips(item);
            if sticks {
                w.rows.extend(item.row + 1..item.row + 1 + item.tangents);
            }
            match ask {
                Ask::Keep => {
                    w.groups.extend((0..=if sticks { item.tangents } else { 0 }).map(|_| Group::Held))
                }
                Ask::Press | Ask::Strike if sticks => {
                    has_cones = true;
                    let mu = item.static_friction();
                    w.groups.push(if item.tangents == 2 { Group::Cone { mu } } else { Group::Wedge { mu } });
                }
                Ask::Press | Ask::Strike => w.groups.push(Group::OneSided),
            }
            if slips(item) {
                w.followers.push((item.row, item.row + 1, item.material.kinetic_friction));
            }
            // A blow is over before anything rolls.
            if !with_tangents || ask == Ask::Strike {
                continue;
            }
            let normal_row = w.rows.iter().position(|row| *row == item.row).unwrap_or(0);
            for (turn, mu, rows) in item.resistances() {
                match turn {
                    Turn::Turns(_) if ask == Ask::Press => {
                        has_slip = true;
                        w.followers.push((item.row, rows.start, mu));
                    }
                    Turn::Rest => {
                        has_cones |= ask == Ask::Press;
                        let group =
                            if ask == Ask::Keep { Group::Held } else { Group::Scaled { normal_row, mu } };
                        w.groups.extend(rows.clone().map(|_| group));
                        w.rows.extend(rows);
                    }
                    _ => {}
                }
            }
        }
        let k = w.rows.len();
        let fill = |w: &mut Answers, sliding: bool| {
            w.matrix.clear();
            for &row in &w.rows {
                w.matrix.extend(w.rows.iter().map(|&other| matrix[row * all + other]));
            }
            if sliding {
                // The columns of what slides or turns are those of λ_n (n − μ d).
                for &(normal, follower, mu) in &w.followers {
                    let Some(column) = w.rows.iter().position(|row| *row == normal) else { continue };
                    for (r, &row) in w.rows.iter().enumerate() {
                        w.matrix[r * k + column] -= mu * matrix[row * all + follower];
                    }
                }
            }
            w.matrix_formed.clear();
            w.matrix_formed.extend(w.rows.iter().map(|&row| matrix_formed[row]));
            w.bias.clear();
            w.bias.extend(w.rows.iter().map(|&row| bias[row]));
            for &(given, force) in &w.given {
                for (bias, &row) in w.bias.iter_mut().zip(&w.rows) {
                    *bias += matrix[row * all + given] * force;
                }
            }
            w.bias_formed.clear();
            w.bias_formed.extend(w.rows.iter().map(|&row| bias_formed[row]));
        };
        // The last answer, if it was one to the same question, is a good place to begin.
        w.guess.clear();
        if warm && last.len() == all {
            w.guess.extend(w.rows.iter().map(|&row| last[row]));
        }
        lambda.clear();
        lambda.resize(all, 0.0);
        fill(w, has_slip && !has_cones);
        // Three contacts may share what two could carry.
        let shared = ask != Ask::Keep && part.iter().filter(|&&i| set[i].contact.is_some()).count() > 2;
        let outcome = match (has_cones, has_slip) {
            _ if w.rows.is_empty() => Ok(()),
            _ if ask == Ask::Keep => {
                w.keep();
                Ok(())
            }
            (false, false) if shared => w.evenly(Answers::exactly, |w| w.exact.lambda()),
            (false, false) => w.exactly(),
            (true, false) => w.in_cones(),
            (false, true) if shared => w.evenly(Answers::sliding, |w| w.lemke.lambda()),
            (false, true) => w.sliding(),
            (true, true) => w.in_turns(matrix, all),
        };
        if let Err(error) = outcome {
            return Err(said(model, set, &w.rows, time, error));
        }
        let x: &[f64] = match (has_cones, has_slip) {
            _ if w.rows.is_empty() => &[],
            _ if ask == Ask::Keep => &w.kept,
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
        // Rows that the solver holds are held; what is left of their sums is rounding.
        if !has_slip && !has_cones && !shared && ask != Ask::Keep && !w.rows.is_empty() {
            for (&row, &a) in w.rows.iter().zip(w.exact.a()) {
                acc[row] = a;
            }
        }
        Ok(())
    }

    /// Where the next answer is looked for first: what each item of the set pushed with, along its normal and across.
    pub(super) fn seed(&mut self, push: impl Fn(usize, &Item) -> [f64; 3]) {
        self.last.clear();
        for (i, item) in self.set.iter().enumerate() {
            let across = match item.mode {
                _ if item.is_dry() => 0,
                Mode::Smooth => 0,
                Mode::Slip(_) => 1,
                Mode::Stick => item.tangents,
            };
            self.last.extend_from_slice(&push(i, item)[..=across]);
            let resisting = self.last.len() + item.turning.all();
            self.last.resize(resisting, 0.0);
        }
    }

    /// The size of the terms that form a of a row.
    pub(super) fn formed(&self, row: usize) -> f64 {
        let all = self.sheet.rows.len();
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

impl Answers {
    fn problem(&self) -> Problem<'_> {
        Problem {
            groups: &self.groups,
            matrix: &self.matrix,
            bias: &self.bias,
            matrix_formed: &self.matrix_formed,
            bias_formed: &self.bias_formed,
        }
    }

    /// A λ + b = 0, by Cholesky with a little weight on λ and refinement: where rows repeat others, b does so up to rounding, and what is left
    /// of that cannot be taken away by anything.
    fn keep(&mut self) {
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

    pub(super) fn exactly(&mut self) -> Result<(), ConeError> {
        let mut exact = std::mem::take(&mut self.exact);
        let outcome = exact.solve(&self.problem());
        self.exact = exact;
        outcome
    }

    /// Of all answers the one whose pushes are most alike, where redundant contacts leave a choice: (A + ε D) λ′ + b − ε D λ, from λ = 0, a few
    /// times; each leaves ε of what the one before left.
    fn evenly(
        &mut self,
        solve: fn(&mut Answers) -> Result<(), ConeError>,
        answer: fn(&Answers) -> &[f64],
    ) -> Result<(), ConeError> {
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
                self.bias[row] = first[row] - part * answer(self)[row];
            }
        }
        Ok(())
    }

    pub(super) fn in_cones(&mut self) -> Result<(), ConeError> {
        let mut cones = std::mem::take(&mut self.cones);
        let guess = (self.guess.len() == self.rows.len()).then_some(&self.guess[..]);
        let outcome = cones.solve(&self.problem(), guess);
        self.cones = cones;
        let outcome = outcome?;
        self.residual = larger(self.residual, outcome.residual);
        if outcome.residual > if self.is_rough { ROUGH } else { WRONG } {
            let iterations = outcome.sweeps + outcome.newton_steps + outcome.fixed_steps;
            return Err(ConeError::Stalled { iterations, residual: outcome.residual });
        }
        Ok(())
    }

    fn sliding(&mut self) -> Result<(), ConeError> {
        let mut lemke = std::mem::take(&mut self.lemke);
        let outcome = lemke.solve(&self.problem());
        self.lemke = lemke;
        match outcome? {
            Path::Solved => Ok(()),
            Path::Ray => Err(ConeError::Infeasible { rows: (0..self.rows.len()).collect() }),
        }
    }

    /// What slides and what does not: the friction of the former is held while the latter is answered, and follows; with Anderson's
    /// mixing, since in turns alone it may crawl.
    fn in_turns(&mut self, matrix: &[f64], all: usize) -> Result<(), ConeError> {
        let first = self.bias.clone();
        let sliding = self.followers.clone();
        let place = |w: &Answers, normal: usize| w.rows.iter().position(|row| *row == normal).unwrap_or(0);
        let places: Vec<usize> = sliding.iter().map(|&(normal, ..)| place(self, normal)).collect();
        let mut mixing = Mixing::default();
        self.slid.clear();
        self.slid.extend(places.iter().map(|&r| self.guess.get(r).copied().unwrap_or(0.0)));
        let mut last = f64::INFINITY;
        for _ in 0..MOST_TURNS {
            self.bias.copy_from_slice(&first);
            for (&(_, follower, mu), &push) in sliding.iter().zip(&self.slid) {
                for (r, &row) in self.rows.iter().enumerate() {
                    self.bias[r] -= mu * push * matrix[row * all + follower];
                }
            }
            self.in_cones()?;
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
        Err(ConeError::Stalled { iterations: MOST_TURNS as usize, residual: last })
    }
}

/// Anderson's mixing of a fixed point x = F(x): the combination of the last few F(x) whose x − F(x) is least.
#[derive(Default)]
struct Mixing {
    /// F(x) and F(x) − x of the last few.
    past: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Mixing {
    const DEPTH: usize = 5;

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
        // γ of least |r − Σ γ_i (r − r_i)|, by normal equations with a little weight on γ.
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

/// What a solver says, in words of the model.
#[cold]
pub(super) fn said(model: &Model, set: &[Item], rows: &[usize], time: f64, error: ConeError) -> StepError {
    let name = |row: &usize| {
        let row = rows.get(*row)?;
        let item = set.iter().find(|item| (item.row..=item.row + item.tangents).contains(row))?;
        Some(item.key.subject().name(model))
    };
    match error {
        ConeError::Infeasible { rows } => {
            let mut names: Vec<String> = rows.iter().filter_map(name).collect();
            names.dedup();
            let slides = set.iter().any(|item| matches!(item.mode, Mode::Slip(_)));
            match slides {
                true => StepError::FrictionParadox { contacts: names, time },
                false => StepError::Contradiction { inequalities: names, time },
            }
        }
        error => StepError::Complementarity { error: error.to_string(), time },
    }
}

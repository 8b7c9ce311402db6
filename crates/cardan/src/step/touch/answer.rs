//! Answer: the small problem a = A λ + b of conditions that touch.
//!
//! | what presses | how it is answered |
//! |---|---|
//! | nothing resists across | exactly, by an active set; redundant rows are normal |
//! | some do not slide | cones \|λ_t\| ≤ μ λ_n, to a residual that is kept |
//! | some slide | their force is λ_n (n − μ d), d being where they slide to: A is no longer symmetric; by Lemke's method |
//! | both | the latter with the friction of what slides held, in turns |
//!
//! Where things slide there may be no answer, or several (Painlevé): then there is none at the level of forces.

use super::{Item, Mode, Touch};
use crate::math::larger;
use crate::model::Model;
use crate::step::StepError;
use cardan_solve::cone::{ActiveSet, ConeError, Cones, Group, Lemke, Path, Problem};

/// Turns that may be taken between what slides and what does not.
const MOST_TURNS: u32 = 200;

/// Solvers and their numbers.
#[derive(Debug, Default)]
pub(super) struct Answers {
    exact: ActiveSet,
    cones: Cones,
    lemke: Lemke,
    rows: Vec<usize>,
    groups: Vec<Group>,
    matrix: Vec<f64>,
    matrix_formed: Vec<f64>,
    bias: Vec<f64>,
    bias_formed: Vec<f64>,
    slid: Vec<f64>,
    /// The worst residual of cones so far.
    pub(super) residual: f64,
}

/// What an item asks for in the small problem.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// λ ≥ 0 along its normal, and across what its mode says.
    Press,
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
        let all = self.sheet.rows.len();
        let Touch { set, matrix, matrix_formed, bias, bias_formed, answers, lambda, acc, .. } = self;
        let w = answers;
        let slips = |item: &Item| matches!(item.mode, Mode::Slip(_)) && ask == Ask::Press;
        w.rows.clear();
        w.groups.clear();
        let (mut has_cones, mut has_slip) = (false, false);
        for &i in part {
            let item = &set[i];
            w.rows.push(item.row);
            let sticks = item.mode == Mode::Stick && with_tangents && item.tangents > 0;
            has_slip |= slips(item);
            if sticks {
                w.rows.extend(item.row + 1..item.row + 1 + item.tangents);
            }
            match ask {
                Ask::Keep => w.groups.extend((0..=if sticks { item.tangents } else { 0 }).map(|_| Group::Held)),
                Ask::Press if sticks => {
                    has_cones = true;
                    let mu = item.static_friction();
                    w.groups.push(if item.tangents == 2 { Group::Cone { mu } } else { Group::Wedge { mu } });
                }
                Ask::Press => w.groups.push(Group::OneSided),
            }
        }
        let k = w.rows.len();
        let fill = |w: &mut Answers, sliding: bool| {
            w.matrix.clear();
            for &row in &w.rows {
                w.matrix.extend(w.rows.iter().map(|&other| matrix[row * all + other]));
            }
            if sliding {
                // The columns of what slides are those of λ_n (n − μ d).
                for &i in part {
                    let item = &set[i];
                    let Some(column) = w.rows.iter().position(|row| *row == item.row) else { continue };
                    if slips(item) {
                        for (r, &row) in w.rows.iter().enumerate() {
                            w.matrix[r * k + column] -=
                                item.material.kinetic_friction * matrix[row * all + item.row + 1];
                        }
                    }
                }
            }
            w.matrix_formed.clear();
            w.matrix_formed.extend(w.rows.iter().map(|&row| matrix_formed[row]));
            w.bias.clear();
            w.bias.extend(w.rows.iter().map(|&row| bias[row]));
            w.bias_formed.clear();
            w.bias_formed.extend(w.rows.iter().map(|&row| bias_formed[row]));
        };
        lambda.clear();
        lambda.resize(all, 0.0);
        fill(w, has_slip && !has_cones);
        // Three contacts may share what two could carry.
        let shared = ask == Ask::Press && part.iter().filter(|&&i| set[i].primitive.is_some()).count() > 2;
        let outcome = match (has_cones, has_slip) {
            (false, false) if shared => w.evenly(Answers::exactly, |w| w.exact.lambda()),
            (false, false) => w.exactly(),
            (true, false) => w.in_cones(),
            (false, true) if shared => w.evenly(Answers::sliding, |w| w.lemke.lambda()),
            (false, true) => w.sliding(),
            (true, true) => w.in_turns(part, set, matrix, all),
        };
        if let Err(error) = outcome {
            return Err(said(model, set, &w.rows, time, error));
        }
        let x: &[f64] = match (has_cones, has_slip) {
            (false, false) => w.exact.lambda(),
            (true, _) => w.cones.lambda(),
            (false, true) => w.lemke.lambda(),
        };
        for (&row, &x) in w.rows.iter().zip(x) {
            lambda[row] = x;
        }
        for item in part.iter().map(|&i| &set[i]).filter(|item| slips(item)) {
            lambda[item.row + 1] = -item.material.kinetic_friction * lambda[item.row];
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
        if !has_slip && !has_cones && ask == Ask::Press {
            for (&row, &a) in w.rows.iter().zip(w.exact.a()) {
                acc[row] = a;
            }
        }
        Ok(())
    }

    /// The size of the terms that form a of a row.
    pub(super) fn formed(&self, row: usize) -> f64 {
        let all = self.sheet.rows.len();
        let mut size = larger(self.bias_formed[row], self.bias[row].abs());
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

    fn exactly(&mut self) -> Result<(), ConeError> {
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

    fn in_cones(&mut self) -> Result<(), ConeError> {
        let mut cones = std::mem::take(&mut self.cones);
        let outcome = cones.solve(&self.problem(), None);
        self.cones = cones;
        let outcome = outcome?;
        self.residual = larger(self.residual, outcome.residual);
        // Far above what is aimed at, far below what could be seen.
        const WRONG: f64 = 1e-6;
        if outcome.residual > WRONG {
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

    /// What slides and what does not: the friction of the former is held while the latter is answered, and follows.
    fn in_turns(&mut self, part: &[usize], set: &[Item], matrix: &[f64], all: usize) -> Result<(), ConeError> {
        let first = self.bias.clone();
        self.slid.clear();
        self.slid.resize(part.len(), 0.0);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_TURNS {
            self.bias.copy_from_slice(&first);
            for (&i, &push) in part.iter().zip(&self.slid) {
                let item = &set[i];
                if matches!(item.mode, Mode::Slip(_)) {
                    for (r, &row) in self.rows.iter().enumerate() {
                        self.bias[r] -= item.material.kinetic_friction * push * matrix[row * all + item.row + 1];
                    }
                }
            }
            self.in_cones()?;
            let (mut change, mut size) = (0.0, 0.0);
            for (n, &i) in part.iter().enumerate() {
                let item = &set[i];
                let Some(r) = self.rows.iter().position(|row| *row == item.row) else { continue };
                let now = self.cones.lambda()[r];
                size = larger(size, now.abs());
                if matches!(item.mode, Mode::Slip(_)) {
                    change = larger(change, (now - self.slid[n]).abs());
                    self.slid[n] = now;
                }
            }
            if change <= 1e-14 * size || (change <= 1e-11 * size && change >= 0.5 * last) {
                return Ok(());
            }
            last = change;
        }
        Err(ConeError::Stalled { iterations: MOST_TURNS as usize, residual: last })
    }
}

/// What a solver says, in words of the model.
#[cold]
fn said(model: &Model, set: &[Item], rows: &[usize], time: f64, error: ConeError) -> StepError {
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

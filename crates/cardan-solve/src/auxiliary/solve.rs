//! Steps 2, 4 and 5: two solves of the primary links, and the small system between them.

use super::{AuxiliaryLink, AuxiliarySchur, SolveStage};
use crate::dropped::Dropped;

impl AuxiliarySchur {
    /// Steps 2, 4 and 5: solves the whole system with the last factor. Rows that were dropped get λ = 0.
    ///
    /// Allocates nothing. Without a successful [`factor`](AuxiliarySchur::factor) before it, the result is
    /// NaN.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.substitute((force, bias), x, lambda, true, &mut |_| {});
    }

    /// Solves for a correction: the leftovers of dropped rows keep their values.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn correct(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.substitute((force, bias), x, lambda, false, &mut |_| {});
    }

    /// [`solve`](AuxiliarySchur::solve); `mark` is called after each part of the work.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve_marked(
        &mut self,
        right: (&[f64], &[f64]),
        x: &mut [f64],
        lambda: &mut [f64],
        mark: &mut impl FnMut(SolveStage),
    ) {
        self.substitute(right, x, lambda, true, mark);
    }

    fn substitute(
        &mut self,
        right: (&[f64], &[f64]),
        x: &mut [f64],
        lambda: &mut [f64],
        note: bool,
        mark: &mut impl FnMut(SolveStage),
    ) {
        let (force, bias) = right;
        let (unknowns, rows) = (self.graph.unknowns(), self.graph.rows());
        assert_eq!((force.len(), x.len()), (unknowns, unknowns), "length of force, x");
        assert_eq!((bias.len(), lambda.len()), (rows, rows), "length of bias, lambda");
        if !self.ready {
            x.fill(f64::NAN);
            lambda.fill(f64::NAN);
            return;
        }
        self.take_biases(bias);
        if self.columns() > 0 {
            self.primary.correct(force, &self.bias, x, &mut self.lambda);
            mark(SolveStage::Without);
            self.open_by(bias, x);
            self.small.solve(&self.gap, &mut self.mu);
            mark(SolveStage::Schur);
        }
        self.push_on(force);
        if note {
            self.primary.solve(&self.force, &self.bias, x, &mut self.lambda);
        } else {
            self.primary.correct(&self.force, &self.bias, x, &mut self.lambda);
        }
        self.write_multipliers(lambda);
        if note {
            self.note_dropped(bias, x);
        }
        mark(SolveStage::With);
    }

    /// Copies c of the primary links.
    pub(super) fn take_biases(&mut self, bias: &[f64]) {
        for (own, &link) in self.system.graph().all_links().zip(&self.links) {
            let range = self.system.graph().row_range(own);
            self.bias[range].copy_from_slice(&bias[self.graph.row_range(link)]);
        }
    }

    /// b = Jᵃ x + cᵃ.
    pub(super) fn open_by(&mut self, bias: &[f64], x: &[f64]) {
        for aux in &self.auxiliary {
            for (row, i) in aux.rows.clone().enumerate() {
                self.gap[i] = bias[aux.at + row] + self.row_times(aux, row, x).0;
            }
        }
    }

    /// Jᵃ x of a row, and the sum of the magnitudes of its terms.
    pub(super) fn row_times(&self, aux: &AuxiliaryLink, row: usize, x: &[f64]) -> (f64, f64) {
        let jac = &self.jac[aux.row_start(row)..][..aux.width];
        let (mut sum, mut formed) = (0.0, 0.0);
        for end in &aux.ends {
            for (jac, x) in jac[end.offset..].iter().zip(&x[end.unknowns.clone()]) {
                sum += jac * x;
                formed += (jac * x).abs();
            }
        }
        (sum, formed)
    }

    /// F + K μ, in `force`.
    pub(super) fn push_on(&mut self, force: &[f64]) {
        self.force.copy_from_slice(force);
        for aux in &self.auxiliary {
            for (row, i) in aux.rows.clone().enumerate() {
                let push = &self.push[aux.row_start(row)..][..aux.width];
                for end in &aux.ends {
                    let force = &mut self.force[end.unknowns.clone()];
                    for (force, push) in force.iter_mut().zip(&push[end.offset..]) {
                        *force += push * self.mu[i];
                    }
                }
            }
        }
    }

    /// Writes λ of the primary links and μ to their places.
    fn write_multipliers(&self, lambda: &mut [f64]) {
        for (own, &link) in self.system.graph().all_links().zip(&self.links) {
            lambda[self.graph.row_range(link)]
                .copy_from_slice(&self.lambda[self.system.graph().row_range(own)]);
        }
        for aux in &self.auxiliary {
            lambda[aux.at..][..aux.rows.len()].copy_from_slice(&self.mu[aux.rows.clone()]);
        }
    }

    /// Stores the leftovers of dropped rows.
    fn note_dropped(&mut self, bias: &[f64], x: &[f64]) {
        let primary = self.primary.dropped();
        for (note, dropped) in self.dropped.iter_mut().zip(primary) {
            (note.leftover, note.formed) = (dropped.leftover, dropped.formed);
        }
        for k in self.primary.dropped().len()..self.dropped.len() {
            let Dropped { link, row, .. } = self.dropped[k];
            let Some(aux) = self.auxiliary.iter().find(|aux| aux.link == link) else { continue };
            let c = bias[aux.at + row];
            let (sum, formed) = self.row_times(aux, row, x);
            (self.dropped[k].leftover, self.dropped[k].formed) = (sum + c, formed + c.abs());
        }
    }

    /// The λ that the `k`-th dropped row leaves free: its forces are zero in sum, with λ = 1 on that row.
    ///
    /// # Panics
    /// If there is no such dropped row or `lambda` has the wrong length.
    pub fn null_vector(&mut self, k: usize, lambda: &mut [f64]) {
        assert!(k < self.dropped.len(), "only {} rows were dropped", self.dropped.len());
        assert_eq!(lambda.len(), self.graph.rows(), "length of lambda");
        self.mu.fill(0.0);
        if k < self.primary.dropped().len() {
            self.primary.null_vector(k, &mut self.lambda);
        } else {
            let Dropped { link, row, .. } = self.dropped[k];
            let free = self.auxiliary.iter().find(|aux| aux.link == link).map(|aux| aux.rows.start + row);
            if let Some(free) = free {
                self.balance_column(free);
                self.mu[free] = 1.0;
            }
            self.x.fill(0.0);
            let nothing = std::mem::take(&mut self.x);
            self.push_on(&nothing);
            self.x = nothing;
            self.primary.correct(&self.force, &self.zero_bias, &mut self.x, &mut self.lambda);
        }
        self.write_multipliers(lambda);
    }
}

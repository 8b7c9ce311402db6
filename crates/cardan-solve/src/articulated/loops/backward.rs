//! Back substitution of the loop closures: their multipliers, and the forces of these on the blocks of the
//! path.
//!
//! ```text
//! μ = −T⁻ᵀ (ĉ + L̂ x_a + Aᵀ μ_o)        F += Σ Lᵀ μ  at every block on the path
//! ```
//!
//! The symbols are those of the module page.

use super::{LoopClosures, MAX_LOOP_ROWS};
use crate::articulated::{Form, Node, NodeExtra};
use crate::lane::Lane;
use crate::math::Six;

impl<T: Lane> LoopClosures<T> {
    /// Σ (L n_k)ᵀ μ of the loop closures that pass a block: their force along its freedoms.
    #[inline(always)]
    pub(crate) fn push_along<const F: usize>(&self, loop_step: u32) -> [T; F] {
        let mut sums = [T::ZERO; F];
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return sums };
        for m in self.symbolic.members(&pass.members) {
            let at = m.at as usize;
            let closure = &self.all[m.closure as usize];
            let rows = self.along[at..at + closure.kept_count as usize].iter();
            for (along, &answer) in rows.zip(&closure.found[0]) {
                for (sum, &along) in sums.iter_mut().zip(along) {
                    *sum += along * answer;
                }
            }
        }
        sums
    }

    /// Σ (L n_k)ᵀ μ of the loop closures that pass a block, of both right-hand sides.
    #[inline(always)]
    pub(crate) fn push_both<const F: usize>(&self, loop_step: u32) -> ([T; F], [T; F]) {
        let (mut sums, mut seconds) = ([T::ZERO; F], [T::ZERO; F]);
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return (sums, seconds) };
        for m in self.symbolic.members(&pass.members) {
            let at = m.at as usize;
            let closure = &self.all[m.closure as usize];
            let answers = closure.found[0].iter().zip(&closure.found[1]);
            let rows = self.along[at..at + closure.kept_count as usize].iter();
            for (along, (&answer, &second)) in rows.zip(answers) {
                for k in 0..F {
                    sums[k] += along[k] * answer;
                    seconds[k] += along[k] * second;
                }
            }
        }
        (sums, seconds)
    }

    /// Σ Lᵀ μ of the loop closures that pass a block, of the first or the second right-hand side.
    #[inline(always)]
    pub(crate) fn push(&self, loop_step: u32, side: usize) -> Six<T> {
        let mut sum = Six::ZERO;
        let Some(pass) = &self.symbolic.loop_steps[loop_step as usize].pass else { return sum };
        for m in self.symbolic.members(&pass.members) {
            let at = m.at as usize;
            let closure = &self.all[m.closure as usize];
            let answers = &closure.found[side];
            for (row, &answer) in self.carried[at..at + closure.kept_count as usize].iter().zip(answers) {
                sum += row.scaled(answer);
            }
        }
        sum
    }

    /// μ of the loop closures that were eliminated at a loop step, from x there, of the first `N` right-hand
    /// sides; in reverse order.
    #[inline(always)]
    pub(crate) fn answer_at<const N: usize>(&mut self, loop_step: u32, x: [&Six<T>; N]) {
        for m in self.symbolic.loop_steps[loop_step as usize].eliminations.clone().rev() {
            self.answer::<N>(m, Some(x));
        }
    }

    /// μ of the loop closures that were eliminated on the ground, in reverse order.
    pub(crate) fn answer_on_ground<const N: usize>(&mut self) {
        for m in self.symbolic.on_ground.clone().rev() {
            self.answer::<N>(m, None);
        }
    }

    #[inline(always)]
    fn answer<const N: usize>(&mut self, elimination: u32, x: Option<[&Six<T>; N]>) {
        let pivot = self.symbolic.eliminations[elimination as usize].pivot.closure as usize;
        match self.all[pivot].kept_count {
            1 => self.answer_rows::<N, 1>(elimination, x),
            2 => self.answer_rows::<N, 2>(elimination, x),
            3 => self.answer_rows::<N, 3>(elimination, x),
            4 => self.answer_rows::<N, 4>(elimination, x),
            5 => self.answer_rows::<N, 5>(elimination, x),
            6 => self.answer_rows::<N, 6>(elimination, x),
            _ => self.all[pivot].answers = [T::ZERO; MAX_LOOP_ROWS],
        }
    }

    /// μ of a loop closure with `K` kept rows.
    fn answer_rows<const N: usize, const K: usize>(&mut self, elimination: u32, x: Option<[&Six<T>; N]>) {
        let LoopClosures { all, sums: all_sums, symbolic, factors, images, .. } = self;
        let elimination = &symbolic.eliminations[elimination as usize];
        let rows = factors[elimination.factor_at as usize..].as_chunks::<K>().0;
        let Some((own, below)) = rows.split_first_chunk::<K>() else { return };
        let pivot = &all_sums[elimination.pivot.closure as usize];
        let mut sums: [[T; K]; N] = std::array::from_fn(|n| std::array::from_fn(|k| pivot.rhs[n][k]));
        if let Some(x) = x {
            for (sum, x) in sums.iter_mut().zip(x) {
                for (sum, image) in sum.iter_mut().zip(&images[elimination.image_at as usize..]) {
                    *sum += image.dot(x);
                }
            }
        }
        let mut below = below.iter();
        for m in symbolic.members(&elimination.others) {
            let other = &all[m.closure as usize];
            for (k, row) in (0..other.kept_count as usize).zip(&mut below) {
                for (sum, found) in sums.iter_mut().zip(&other.found) {
                    for (sum, &a) in sum.iter_mut().zip(row) {
                        *sum += a * found[k];
                    }
                }
            }
        }
        let pivot = &mut all[elimination.pivot.closure as usize];
        for (sum, found) in sums.iter_mut().zip(&mut pivot.found) {
            for i in (0..K).rev() {
                let mut mu = sum[i];
                for j in i + 1..K {
                    mu -= own[j][i] * sum[j];
                }
                sum[i] = mu * own[i][i];
                found[i] = -sum[i];
            }
        }
        pivot.answers = [T::ZERO; MAX_LOOP_ROWS];
        for (&r, &mu) in pivot.kept.iter().zip(&pivot.found[0][..K]) {
            pivot.answers[r as usize] = mu;
        }
    }
}

impl<T: Lane> Node<T> {
    /// Adds Σ Lᵀ μ to the force of a node before its back substitution.
    #[inline(always)]
    pub(crate) fn push(&mut self, extra: &mut NodeExtra<T>, push: &Six<T>) {
        self.force += *push;
        match self.form {
            Form::Freedoms(f) => {
                if f > 0 {
                    self.projection += self.first.dot(push) * self.inverse;
                }
                for k in 1..f as usize {
                    extra.projections[k - 1] += extra.columns[k - 1].dot(push) * extra.inverses[k - 1];
                }
            }
            Form::Rows(m) => {
                if m > 0 {
                    self.projection += extra.row_images[0].dot(push) * self.inverse;
                }
                for k in 1..m as usize {
                    extra.projections[k - 1] += extra.row_images[k].dot(push) * extra.inverses[k - 1];
                }
            }
        }
    }
}

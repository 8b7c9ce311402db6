//! Forward substitution of the loop closures: c of every closure, collected from its ends to where they meet.
//!
//! ```text
//! past a block, freedoms form:  c += L (γ + Σ n_k (n_k·r)/δ_k)
//! past a block, rows form:      c += L D⁻¹ F − Σ (L z_k) t_k/σ_k
//! where the ends meet:          ĉ = T⁻¹ c,   c_o −= A ĉ,   F_a −= L̂ᵀ ĉ
//! ```
//!
//! The symbols are those of the module page. One or two right-hand sides are substituted together.

use super::symbolic::LoopPass;
use super::{LoopClosures, MAX_LOOP_ROWS};
use crate::articulated::{Form, MAX_COLUMNS, Node, NodeExtra};
use crate::lane::Lane;
use crate::math::Six;

impl<T: Lane> LoopClosures<T> {
    /// Loads c of the kept rows.
    pub(crate) fn load_rhs(&mut self) {
        self.ignored_rows = false;
        if self.are_loop_ends {
            return self.clear_sums(0);
        }
        for (closure, sum) in self.all.iter().zip(&mut self.sums) {
            for k in 0..closure.kept_count as usize {
                sum.rhs[0][k] = closure.bias[closure.kept[k] as usize];
            }
        }
    }

    /// Loads c of the kept rows, times `part`, as the second right-hand side.
    pub(crate) fn load_second_rhs(&mut self, part: T) {
        if self.are_loop_ends {
            return self.clear_sums(1);
        }
        for (closure, sum) in self.all.iter().zip(&mut self.sums) {
            for k in 0..closure.kept_count as usize {
                sum.rhs[1][k] = closure.bias[closure.kept[k] as usize] * part;
            }
        }
    }

    /// A loop end in lanes begins with −0: adding to it leaves every number as it is, −0 included.
    fn clear_sums(&mut self, side: usize) {
        for sum in &mut self.sums {
            sum.rhs[side] = [T::splat(-0.0); MAX_LOOP_ROWS];
        }
    }

    /// ĉ = T⁻¹ c;  c_o −= A ĉ;  F −= L̂ᵀ ĉ; of the first `N` right-hand sides.
    #[inline(always)]
    pub(super) fn eliminate_bias<const N: usize>(
        &mut self,
        elimination: u32,
        forces: Option<[&mut Six<T>; N]>,
    ) {
        match self.all[self.symbolic.eliminations[elimination as usize].pivot.closure as usize].kept_count {
            1 => self.eliminate_bias_rows::<N, 1>(elimination, forces),
            2 => self.eliminate_bias_rows::<N, 2>(elimination, forces),
            3 => self.eliminate_bias_rows::<N, 3>(elimination, forces),
            4 => self.eliminate_bias_rows::<N, 4>(elimination, forces),
            5 => self.eliminate_bias_rows::<N, 5>(elimination, forces),
            6 => self.eliminate_bias_rows::<N, 6>(elimination, forces),
            _ => {}
        }
    }

    /// [`eliminate_bias`](LoopClosures::eliminate_bias) for `K` kept rows.
    fn eliminate_bias_rows<const N: usize, const K: usize>(
        &mut self,
        elimination: u32,
        forces: Option<[&mut Six<T>; N]>,
    ) {
        let LoopClosures { all, sums, symbolic, factors, images, ignored_rows, .. } = self;
        let elimination = &symbolic.eliminations[elimination as usize];
        let rows = factors[elimination.factor_at as usize..].as_chunks::<K>().0;
        let Some((own, below)) = rows.split_first_chunk::<K>() else { return };
        let pivot = &all[elimination.pivot.closure as usize];
        let sum = &mut sums[elimination.pivot.closure as usize];
        let mut rhs: [[T; K]; N] = std::array::from_fn(|n| std::array::from_fn(|k| sum.rhs[n][k]));
        for (n, side) in rhs.iter_mut().enumerate() {
            for i in 0..K {
                let mut c = side[i];
                for j in 0..i {
                    c -= own[i][j] * side[j];
                }
                let inverse = own[i][i];
                side[i] = c * inverse;
                if let (Some(noise), 0) = (&pivot.noise, n) {
                    let left = (T::ONE / (inverse * inverse * sum.formed[i])).magnitude();
                    if noise.covers(pivot.kept[i] as usize, c.magnitude(), left) {
                        side[i] = T::ZERO;
                        *ignored_rows = true;
                    }
                }
            }
            sum.rhs[n][..K].copy_from_slice(side);
        }
        if let Some(forces) = forces {
            for (force, side) in forces.into_iter().zip(&rhs) {
                for (image, &side) in images[elimination.image_at as usize..].iter().zip(side) {
                    *force -= image.scaled(side);
                }
            }
        }
        let mut below = below.iter();
        for m in symbolic.members(&elimination.others) {
            let kept = all[m.closure as usize].kept_count as usize;
            let other = &mut sums[m.closure as usize];
            for (k, row) in (0..kept).zip(&mut below) {
                for (to, side) in other.rhs.iter_mut().zip(&rhs) {
                    for (&a, &side) in row.iter().zip(side) {
                        to[k] -= a * side;
                    }
                }
            }
        }
    }

    /// [`eliminate_bias`](LoopClosures::eliminate_bias) of the loop closures whose ends meet at a loop step,
    /// with the factor of the last elimination.
    #[inline(always)]
    pub(crate) fn eliminate_bias_at<const N: usize>(&mut self, loop_step: u32, mut forces: [&mut Six<T>; N]) {
        for m in self.symbolic.loop_steps[loop_step as usize].eliminations.clone() {
            self.eliminate_bias::<N>(m, Some(forces.each_mut().map(|force| &mut **force)));
        }
    }

    /// [`eliminate_bias`](LoopClosures::eliminate_bias) of the loop closures whose ends meet on the ground.
    pub(crate) fn eliminate_bias_on_ground<const N: usize>(&mut self) {
        for m in self.symbolic.on_ground.clone() {
            self.eliminate_bias::<N>(m, None);
        }
    }

    /// Adds to c what passing a block contributes, with the factor of the last elimination.
    #[inline(always)]
    pub(crate) fn pass_bias(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        match node.form {
            Form::Freedoms(1) => self.gain_by::<1>(loop_step, node, extra),
            Form::Freedoms(3) => self.gain_by::<3>(loop_step, node, extra),
            _ => self.gain_by::<0>(loop_step, node, extra),
        }
    }

    /// [`pass_bias`](LoopClosures::pass_bias) for `F` freedoms; zero stands for any form.
    #[inline(always)]
    fn gain_by<const F: usize>(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let (at, kept) = (m.at as usize, all[m.closure as usize].kept_count as usize);
            let rows = carried[at..at + kept].iter().zip(&along[at..at + kept]);
            for ((row, along), side) in rows.zip(&mut sums[m.sum as usize].rhs[0]) {
                *side += match F {
                    0 => node.gain(extra, row, along),
                    _ => node.gain_freedoms::<F>(extra, row, along),
                };
            }
        }
    }

    /// Adds to c of both right-hand sides what passing a block contributes; the second has its own force and
    /// projections.
    #[inline(always)]
    pub(crate) fn pass_both(
        &mut self,
        loop_step: u32,
        node: &Node<T>,
        extra: &NodeExtra<T>,
        (force, projections): (&Six<T>, &[T; MAX_COLUMNS]),
        part: T,
    ) {
        let first = [node.projection, extra.projections[0], extra.projections[1]];
        let both = (&first, projections);
        match node.form {
            Form::Freedoms(0) => self.gain_both::<0>(loop_step, &node.gamma, both, part),
            Form::Freedoms(1) => self.gain_both::<1>(loop_step, &node.gamma, both, part),
            Form::Freedoms(2) => self.gain_both::<2>(loop_step, &node.gamma, both, part),
            Form::Freedoms(_) => self.gain_both::<3>(loop_step, &node.gamma, both, part),
            Form::Rows(m) => self.gain_both_by_rows(loop_step, node, extra, (force, projections, m as usize)),
        }
    }

    /// [`pass_both`](LoopClosures::pass_both) for `F` freedoms.
    #[inline(always)]
    fn gain_both<const F: usize>(
        &mut self,
        loop_step: u32,
        gamma: &Six<T>,
        (first, second): (&[T; MAX_COLUMNS], &[T; MAX_COLUMNS]),
        part: T,
    ) {
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let (at, kept) = (m.at as usize, all[m.closure as usize].kept_count as usize);
            let [rhs, second_sides] = &mut sums[m.sum as usize].rhs;
            let rows = carried[at..at + kept].iter().zip(&along[at..at + kept]);
            for ((row, along), (side, second_side)) in rows.zip(rhs.iter_mut().zip(second_sides)) {
                let gain = row.dot(gamma);
                let (mut sum, mut second_sum) = (gain, gain * part);
                for k in 0..F {
                    sum += along[k] * first[k];
                    second_sum += along[k] * second[k];
                }
                *side += sum;
                *second_side += second_sum;
            }
        }
    }

    /// [`pass_both`](LoopClosures::pass_both) in rows form.
    #[inline(never)]
    fn gain_both_by_rows(
        &mut self,
        loop_step: u32,
        node: &Node<T>,
        extra: &NodeExtra<T>,
        (force, projections, count): (&Six<T>, &[T; MAX_COLUMNS], usize),
    ) {
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let at = m.at as usize;
            for k in 0..all[m.closure as usize].kept_count as usize {
                let row = &carried[at + k];
                let mut gain = row.dot(&extra.solve_diag(*force));
                for k in 0..count {
                    gain -= row.dot(&extra.row_images[k]) * projections[k];
                }
                let [rhs, second_sides] = &mut sums[m.sum as usize].rhs;
                rhs[k] += node.gain(extra, row, &along[at + k]);
                second_sides[k] += gain;
            }
        }
    }
}

impl<T: Lane> Node<T> {
    /// What `F` freedoms contribute to c of a passing row.
    #[inline(always)]
    fn gain_freedoms<const F: usize>(
        &self,
        extra: &NodeExtra<T>,
        row: &Six<T>,
        along: &[T; MAX_COLUMNS],
    ) -> T {
        let mut gain = row.dot(&self.gamma);
        for k in 0..F {
            gain += along[k] * if k == 0 { self.projection } else { extra.projections[k - 1] };
        }
        gain
    }

    /// What a node contributes to c of a passing row, given its parts along the freedoms.
    pub(super) fn gain(&self, extra: &NodeExtra<T>, row: &Six<T>, along: &[T; MAX_COLUMNS]) -> T {
        match self.form {
            Form::Freedoms(f) => {
                let mut gain = row.dot(&self.gamma);
                for k in 0..f as usize {
                    gain += along[k] * if k == 0 { self.projection } else { extra.projections[k - 1] };
                }
                gain
            }
            Form::Rows(m) => {
                let mut gain = row.dot(&extra.solve_diag(self.force));
                for k in 0..m as usize {
                    let t = if k == 0 { self.projection } else { extra.projections[k - 1] };
                    gain -= row.dot(&extra.row_images[k]) * t;
                }
                gain
            }
        }
    }
}

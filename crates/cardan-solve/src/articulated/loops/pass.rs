//! Carries the rows of loop closures past a block, to its parent.
//!
//! ```text
//! freedoms form:  B gains (L n_k)/√δ_k          L_p += (L − Σ (L n_k)/δ_k w_kᵀ) X
//! rows form:      B gains R⁻¹ Lᵀ less its parts along R⁻¹ j_k     L_p += Σ (L z_k)/σ_k j_kᵀ X
//! ```
//!
//! The symbols are those of the module page. A block of B with more columns than rows is made triangular
//! again.

use super::sqrt_block::{
    CarryOverFreedoms, CarryRows, PassingRows, SymbolicLists, copy_inputs, triangularize, triangularize_any,
};
use super::symbolic::{LoopMember, LoopPass};
use super::{LoopClosures, MAX_LOOP_ROWS};
use crate::articulated::{Form, MAX_COLUMNS, Node, NodeExtra};
use crate::graph::NONE;
use crate::kernel::forward;
use crate::lane::{Lane, Task};
use crate::math::{Six, Vec3};

impl<T: Lane> LoopClosures<T> {
    /// Carries the loop closures that pass a spherical link on to the parent. `next`: the loop step of the
    /// parent if its link is spherical too, or [`NONE`].
    pub(crate) fn pass_over_ball(&mut self, node: &Node<T>, next: u32) {
        T::run_vectorized(PassBallTask(self, node, next));
    }

    /// Carries the loop closures that pass a block on to its parent.
    pub(crate) fn pass(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        T::run_vectorized(PassNodeTask(self, loop_step, node, extra));
    }

    #[inline(always)]
    fn pass_inlined(&mut self, loop_step: u32, node: &Node<T>, extra: &NodeExtra<T>) {
        let Some(pass) = self.symbolic.loop_steps[loop_step as usize].pass.clone() else { return };
        match node.form {
            Form::Freedoms(1) if !node.is_point => {
                self.pass_by::<1>(&pass, &CarryOverFreedoms::<T, 1>(node, extra))
            }
            Form::Freedoms(2) if !node.is_point => {
                self.pass_by::<2>(&pass, &CarryOverFreedoms::<T, 2>(node, extra))
            }
            Form::Freedoms(3) if !node.is_point => {
                self.pass_by::<3>(&pass, &CarryOverFreedoms::<T, 3>(node, extra))
            }
            _ => self.pass_any(&pass, node, extra),
        }
    }

    /// Carries the loop closures past a link with `F` freedoms, in the order of
    /// [`pass_any`](LoopClosures::pass_any).
    ///
    /// A block of B with at most as many columns as rows stays as it is and is assembled where it is stored.
    /// A triangle of the same loop closures takes the new columns up row by row. Anything else is assembled
    /// in a front.
    #[inline(always)]
    pub(crate) fn pass_by<const F: usize>(&mut self, pass: &LoopPass, over: &impl CarryRows<T>) {
        let here = self.symbolic.members(&pass.members);
        let rows = here.iter().map(|m| self.all[m.closure as usize].kept_count as usize).sum();
        let width = self.width(&pass.inputs);
        let cols = width + F;
        if cols <= rows {
            return self.pass_narrow::<F>(pass, over, (rows, width));
        }
        let triangle = self.triangle_below(pass, rows);
        if triangle.is_none() {
            self.assign_rows(&pass.members, 0, false);
            self.assemble(&pass.inputs, rows, F, false);
        }
        let LoopClosures { all, sums, symbolic, carried, along, entries, front, .. } = self;
        symbolic.elements[pass.out as usize].is_triangle = true;
        let passing_rows =
            PassingRows { all, sums, members: symbolic.members(&pass.members), carried, along };
        let Some(from) = triangle else {
            over.carry(passing_rows, (front.entries_mut(), cols, width));
            front.lower(0, rows);
            self.store(pass.out, 0, rows, 0);
            self.symbolic.elements[pass.out as usize].is_triangle = true;
            return;
        };
        let mut own = [[T::ZERO; F]; MAX_LOOP_ROWS];
        over.carry(passing_rows, (own.as_flattened_mut(), F, 0));
        let piece = &mut symbolic.elements[pass.out as usize];
        piece.cols = rows as u32;
        let to = piece.at as usize;
        match rows {
            2 => triangularize::<T, 2, F>(entries, from, to, &mut own),
            3 => triangularize::<T, 3, F>(entries, from, to, &mut own),
            _ => triangularize_any::<T, F>(entries, from, to, &mut own[..rows]),
        }
    }

    #[inline(always)]
    fn pass_narrow<const F: usize>(
        &mut self,
        pass: &LoopPass,
        over: &impl CarryRows<T>,
        (rows, width): (usize, usize),
    ) {
        let cols = width + F;
        if width > 0 {
            self.assign_rows(&pass.members, 0, false);
        }
        let LoopClosures { all, sums, symbolic, carried, along, entries, first, .. } = self;
        let piece = &mut symbolic.elements[pass.out as usize];
        (piece.cols, piece.is_triangle) = (cols as u32, false);
        let (below, target) = entries.split_at_mut(piece.at as usize);
        if width > 0 {
            target[..rows * cols].iter_mut().for_each(|x| *x = T::ZERO);
            let lists =
                SymbolicLists { all, members: &symbolic.members, elements: &symbolic.elements, first };
            copy_inputs(&lists, symbolic.inputs(&pass.inputs), below, (&mut *target, cols), false);
        }
        let passing_rows =
            PassingRows { all, sums, members: symbolic.members(&pass.members), carried, along };
        over.carry(passing_rows, (target, cols, width));
    }

    /// Where the entries of the only element from below begin, if it is a triangle of the same loop closures
    /// in the same order.
    #[inline(always)]
    fn triangle_below(&self, pass: &LoopPass, rows: usize) -> Option<usize> {
        let &[input] = self.symbolic.inputs(&pass.inputs) else { return None };
        let element = &self.symbolic.elements[input as usize];
        let same = |(a, b): (&LoopMember, &LoopMember)| a.closure == b.closure;
        let (below, here) = (self.symbolic.members(&element.members), self.symbolic.members(&pass.members));
        let fits = element.is_triangle && element.cols as usize == rows && rows <= MAX_LOOP_ROWS;
        (fits && below.len() == here.len() && below.iter().zip(here).all(same)).then_some(element.at as usize)
    }

    /// Carries the loop closures past a link of any form, by a front.
    fn pass_any(&mut self, pass: &LoopPass, node: &Node<T>, extra: &NodeExtra<T>) {
        let own = match node.form {
            Form::Freedoms(f) => f as usize,
            Form::Rows(_) => 6,
        };
        let rows = self.assign_rows(&pass.members, 0, false);
        let col = self.assemble(&pass.inputs, rows, own, false);
        let roots = node.square_roots(extra);
        let sizes = node.column_sizes(extra);
        for m in pass.members.clone() {
            let LoopMember { closure, slot, sum, .. } = self.symbolic.members[m as usize];
            let slot = &self.symbolic.slots[slot as usize];
            let first = self.first[closure as usize] as usize;
            for k in 0..self.all[closure as usize].kept_count as usize {
                if node.is_point {
                    self.carried[slot.at as usize + k].ang = Vec3::ZERO;
                }
                let row = self.carried[slot.at as usize + k];
                let along = &mut self.along[slot.at as usize + k];
                let up = node.pass(extra, &roots, &row, along, &mut self.front.row_mut(first + k)[col..]);
                let (lin, ang) = (row.lin.dot(row.lin), row.ang.dot(row.ang));
                for size in &sizes[..own.min(MAX_COLUMNS)] {
                    self.sums[sum as usize].formed[k] += lin * size.0 + ang * size.1;
                }
                self.sums[sum as usize].rhs[0][k] += node.gain(extra, &row, along);
                if slot.above != NONE {
                    let above = self.symbolic.slots[slot.above as usize].at as usize;
                    self.carried[above + k] += up;
                }
            }
        }
        if self.front.cols() > rows {
            self.front.lower(0, rows);
        }
        self.store(pass.out, 0, rows, 0);
    }
}

struct PassBallTask<'c, T: Lane>(&'c mut LoopClosures<T>, &'c Node<T>, u32);

impl<T: Lane> Task for PassBallTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let PassBallTask(closures, node, next) = self;
        if let Some(pass) = closures.symbolic.loop_steps[node.loop_step as usize].pass.clone() {
            closures.pass_ball(&pass, node, next);
        }
    }
}

struct PassNodeTask<'c, T: Lane>(&'c mut LoopClosures<T>, u32, &'c Node<T>, &'c NodeExtra<T>);

impl<T: Lane> Task for PassNodeTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.pass_inlined(self.1, self.2, self.3);
    }
}

impl<T: Lane> Node<T> {
    /// √(1/δ_k) or √(1/σ_k).
    fn square_roots(&self, extra: &NodeExtra<T>) -> [T; 3] {
        let first = self.inverse.sqrt();
        if let Form::Freedoms(0 | 1) = self.form {
            return [first, T::ZERO, T::ZERO];
        }
        [first, extra.inverses[0].sqrt(), extra.inverses[1].sqrt()]
    }

    /// |n_k|²/δ_k, its linear and its angular part; in rows form an estimate, the mean of 1/D_ii.
    fn column_sizes(&self, extra: &NodeExtra<T>) -> [(T, T); MAX_COLUMNS] {
        let square = |v: Vec3<T>| v.dot(v);
        match self.form {
            Form::Freedoms(f) => {
                let mut sizes = [(T::ZERO, T::ZERO); MAX_COLUMNS];
                for (k, size) in sizes.iter_mut().enumerate().take(f as usize) {
                    let (n, _, inverse) = self.column(extra, k);
                    *size = (square(n.lin) * inverse, square(n.ang) * inverse);
                }
                sizes
            }
            Form::Rows(_) => {
                let (a, c) = (&self.diag.a, &self.diag.c);
                let third = T::splat(1.0 / 3.0);
                let mean = |x: T, y: T, z: T| (T::ONE / x + T::ONE / y + T::ONE / z) * third;
                [(mean(a.xx, a.yy, a.zz), mean(c.xx, c.yy, c.zz)); MAX_COLUMNS]
            }
        }
    }

    /// Carries one row: returns it at the parent, and writes its parts along the freedoms to `parts` and its
    /// columns of B to `out`.
    #[inline]
    fn pass(
        &self,
        extra: &NodeExtra<T>,
        roots: &[T; 3],
        row: &Six<T>,
        parts: &mut [T; MAX_COLUMNS],
        out: &mut [T],
    ) -> Six<T> {
        match self.form {
            Form::Freedoms(f) => {
                let f = f as usize;
                let mut up = row.carried_back(self.shift);
                for k in 0..f {
                    let (n, image, inverse) = self.column(extra, k);
                    let along = row.dot(n);
                    parts[k] = along;
                    out[k] = along * roots[k];
                    up -= image.scaled(along * inverse);
                }
                up
            }
            Form::Rows(m) => {
                let mut y = [T::ZERO; 6];
                row.write(&mut y);
                forward(&extra.root, &mut y);
                let mut up = Six::ZERO;
                for k in 0..m as usize {
                    let (j, z, inverse) = self.row(extra, k);
                    let along = row.dot(&z);
                    up += j.scaled(along * inverse);
                    let mut unit = [T::ZERO; 6];
                    j.write(&mut unit);
                    forward(&extra.root, &mut unit);
                    for (y, &u) in y.iter_mut().zip(&unit) {
                        *y -= along * inverse * u;
                    }
                }
                out[..6].copy_from_slice(&y);
                up.carried_back(self.shift)
            }
        }
    }

    /// n_k, Xᵀ w_k and 1/δ_k.
    #[inline(always)]
    pub(crate) fn column<'a>(&'a self, extra: &'a NodeExtra<T>, k: usize) -> (&'a Six<T>, &'a Six<T>, T) {
        match k {
            0 => (&self.first, &self.carried_image, self.inverse),
            _ => (&extra.columns[k - 1], &extra.carried_images[k - 1], extra.inverses[k - 1]),
        }
    }
}

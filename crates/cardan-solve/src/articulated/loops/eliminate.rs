//! Elimination of loop closures at the block, or on the ground, where their two ends meet.
//!
//! ```text
//! B of the closure = [T 0],  B of the others = [A B']        by Householder reflections
//! L̂ = T⁻¹ L        D_a += L̂ᵀ L̂        L_o −= A L̂        B_o ← B'
//! ```
//!
//! T: lower triangular. L: rows of the loop closure at block a. o: loop closures that share columns of B with
//! it.

use super::LoopClosures;
use super::front::lower_four;
use super::sqrt_block::copy_few;
use super::symbolic::LoopElimination;
use crate::articulated::Node;
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::Vec3;

impl<T: Lane> LoopClosures<T> {
    /// Eliminates the loop closures whose ends meet at a loop step; false if a pivot vanishes.
    pub(crate) fn eliminate_at(&mut self, loop_step: u32, node: &mut Node<T>) -> bool {
        let mut fine = true;
        for m in self.symbolic.loop_steps[loop_step as usize].eliminations.clone() {
            let elimination = self.symbolic.eliminations[m as usize].clone();
            if node.is_point {
                let at = self.symbolic.slots[elimination.pivot.slot as usize].at as usize;
                self.carried[at..at + self.all[elimination.pivot.closure as usize].len()]
                    .iter_mut()
                    .for_each(|row| row.ang = Vec3::ZERO);
            }
            fine &= self.eliminate_closure(&elimination) || self.note_failed(elimination.pivot.closure);
            let kept = self.all[elimination.pivot.closure as usize].kept_count as usize;
            for image in &self.images[elimination.image_at as usize..elimination.image_at as usize + kept] {
                node.diag = node.diag.minus_outer(image, -T::ONE);
            }
            self.eliminate_bias::<1>(m, Some([&mut node.force]));
        }
        fine
    }

    /// Eliminates the loop closures whose ends meet on the ground, with their right-hand sides; false if a
    /// pivot vanishes.
    pub(crate) fn eliminate_on_ground(&mut self) -> bool {
        let mut fine = true;
        for m in self.symbolic.on_ground.clone() {
            let elimination = self.symbolic.eliminations[m as usize].clone();
            fine &= self.eliminate_closure(&elimination) || self.note_failed(elimination.pivot.closure);
            self.eliminate_bias::<1>(m, None);
        }
        fine
    }

    /// Eliminates the loop closures whose ends meet on the ground, without their right-hand sides; false if a
    /// pivot vanishes.
    pub(crate) fn factor_on_ground(&mut self) -> bool {
        let mut fine = true;
        for m in self.symbolic.on_ground.clone() {
            let elimination = self.symbolic.eliminations[m as usize].clone();
            fine &= self.eliminate_closure(&elimination) || self.note_failed(elimination.pivot.closure);
        }
        fine
    }

    /// Records the first loop closure that failed; returns false.
    fn note_failed(&mut self, closure: u32) -> bool {
        if self.failed == NONE {
            self.failed = closure;
        }
        false
    }

    /// [`eliminate_closure`](LoopClosures::eliminate_closure) on the ground for a loop closure with two rows
    /// that shares two blocks of two columns with one other: neighbouring planar loops. `None` if that is not
    /// the case.
    fn eliminate_planar_pair(&mut self, elimination: &LoopElimination) -> Option<bool> {
        let LoopClosures { all, sums, symbolic, entries, factors, least_pivot, .. } = self;
        let (&[left, right], [other]) =
            (symbolic.inputs(&elimination.inputs), symbolic.members(&elimination.others))
        else {
            return None;
        };
        let pivot = &all[elimination.pivot.closure as usize];
        if elimination.pivot.slot != NONE
            || pivot.kept_count != 2
            || all[other.closure as usize].kept_count != 2
        {
            return None;
        }
        let mut front = [[T::ZERO; 4]; 4];
        let [a, b, c, d] = &mut front;
        let (left, right) = (&symbolic.elements[left as usize], &symbolic.elements[right as usize]);
        if left.cols != 2 || right.cols != 2 {
            return None;
        }
        let rows = entries[left.at as usize..].as_chunks::<2>().0.as_chunks::<2>().0;
        for (m, [one, two]) in symbolic.members(&left.members).iter().zip(rows) {
            let (to_one, to_two) =
                if m.closure == elimination.pivot.closure { (&mut *a, &mut *b) } else { (&mut *c, &mut *d) };
            ([to_one[0], to_one[1]], [to_two[0], to_two[1]]) = (*one, *two);
        }
        let rows = entries[right.at as usize..].as_chunks::<2>().0.as_chunks::<2>().0;
        for (m, [one, two]) in symbolic.members(&right.members).iter().zip(rows) {
            let (to_one, to_two) =
                if m.closure == elimination.pivot.closure { (&mut *a, &mut *b) } else { (&mut *c, &mut *d) };
            ([to_one[2], to_one[3]], [to_two[2], to_two[3]]) = (*one, *two);
        }
        lower_four(&mut front);
        let [a, b, c, d] = &front;
        let mut fine = true;
        let formed = &sums[elimination.pivot.closure as usize].formed;
        for (pivot, formed) in [(a[0], formed[0]), (b[1], formed[1])] {
            let left = (pivot * pivot / formed).magnitude();
            fine &= left > 0.0;
            if left < *least_pivot {
                *least_pivot = left;
            }
        }
        let out = &mut symbolic.elements[elimination.out as usize];
        (out.cols, out.is_triangle) = (2, false);
        let factor = [T::ONE / a[0], a[1], b[0], T::ONE / b[1], c[0], c[1], d[0], d[1]];
        factors[elimination.factor_at as usize..].first_chunk_mut::<8>().map(|to| *to = factor)?;
        entries[out.at as usize..].first_chunk_mut::<4>().map(|to| *to = [c[2], c[3], d[2], d[3]])?;
        Some(fine)
    }

    fn eliminate_closure(&mut self, elimination: &LoopElimination) -> bool {
        if let Some(fine) = self.eliminate_planar_pair(elimination) {
            return fine;
        }
        let pivot = elimination.pivot.closure as usize;
        let kept = self.all[pivot].kept_count as usize;
        self.first[pivot] = 0;
        let rows = self.assign_rows(&elimination.others, kept, false);
        self.assemble(&elimination.inputs, rows, 0, false);
        self.front.lower(0, rows);
        if self.front.cols() < kept {
            return false;
        }
        let mut fine = true;
        if kept > 0 {
            let LoopClosures { sums, factors, front, least_pivot, .. } = self;
            let to = factors[elimination.factor_at as usize..].chunks_exact_mut(kept);
            for (r, (to, from)) in to.zip(front.rows()).enumerate() {
                copy_few(to, &from[..kept]);
                if r < kept {
                    let left = (to[r] * to[r] / sums[pivot].formed[r]).magnitude();
                    fine &= left > 0.0;
                    if left < *least_pivot {
                        *least_pivot = left;
                    }
                    to[r] = T::ONE / to[r];
                }
            }
        }
        self.store(elimination.out, kept, rows, kept);
        if elimination.pivot.slot == NONE {
            return fine;
        }
        // L̂ = T⁻¹ L, and L_o −= A L̂.
        let LoopClosures { all, symbolic, carried, factors, images, .. } = self;
        let factor = &factors[elimination.factor_at as usize..];
        let images = &mut images[elimination.image_at as usize..];
        let from = symbolic.slots[elimination.pivot.slot as usize].at as usize;
        for i in 0..kept {
            let mut image = carried[from + i];
            for j in 0..i {
                image -= images[j].scaled(factor[i * kept + j]);
            }
            images[i] = image.scaled(factor[i * kept + i]);
        }
        let mut row = kept;
        for m in symbolic.members(&elimination.others) {
            let at = m.at as usize;
            for k in 0..all[m.closure as usize].kept_count as usize {
                for j in 0..kept {
                    carried[at + k] -= images[j].scaled(factor[row * kept + j]);
                }
                row += 1;
            }
        }
        fine
    }
}

//! Blocks of B, the square root of the compliance that loop closures collect on their paths: computed, copied
//! and reflected.

use super::symbolic::{LoopElement, LoopMember};
use super::{LoopAccumulator, LoopClosure, MAX_LOOP_ROWS};
use crate::articulated::{MAX_COLUMNS, Node, NodeExtra};
use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::Six;

/// Loop closures that pass a block: their rows at the block and above, and the parts of these along its
/// freedoms.
pub(crate) struct PassingRows<'w, T: Lane> {
    pub(crate) all: &'w [LoopClosure<T>],
    pub(crate) sums: &'w mut [LoopAccumulator<T>],
    pub(crate) members: &'w [LoopMember],
    pub(crate) carried: &'w mut [Six<T>],
    pub(crate) along: &'w mut [[T; MAX_COLUMNS]],
}

/// All loop closures, member lists, elements, and the first row of each loop closure in the matrix under
/// work.
pub(crate) struct SymbolicLists<'w, T: Lane> {
    pub(crate) all: &'w [LoopClosure<T>],
    pub(crate) members: &'w [LoopMember],
    pub(crate) elements: &'w [LoopElement],
    pub(crate) first: &'w [u32],
}

/// Carries rows past a block: computes their parts along its freedoms, their columns of B, what c gains, and
/// the rows at the parent.
pub(crate) trait CarryRows<T: Lane> {
    /// Writes the columns of B to `target`: a matrix, the length of its rows, and the first column.
    fn carry(&self, passing_rows: PassingRows<'_, T>, target: (&mut [T], usize, usize));
}

/// A block whose link has `F` freedoms.
pub(crate) struct CarryOverFreedoms<'a, T: Lane, const F: usize>(
    pub(crate) &'a Node<T>,
    pub(crate) &'a NodeExtra<T>,
);

impl<T: Lane, const F: usize> CarryRows<T> for CarryOverFreedoms<'_, T, F> {
    #[inline(always)]
    fn carry(&self, passing_rows: PassingRows<'_, T>, target: (&mut [T], usize, usize)) {
        carry::<T, F>(passing_rows, (self.0, self.1), target);
    }
}

#[inline(always)]
fn carry<T: Lane, const F: usize>(
    passing_rows: PassingRows<'_, T>,
    (node, extra): (&Node<T>, &NodeExtra<T>),
    (target, stride, col): (&mut [T], usize, usize),
) {
    let PassingRows { all, sums, members, carried, along } = passing_rows;
    // No Rust closures here: they are not inlined into code compiled for AVX2.
    let mut columns = [(&node.first, &node.first, T::ZERO, T::ZERO, T::ZERO); F];
    for (k, column) in columns.iter_mut().enumerate() {
        let (n, image, inverse) = node.column(extra, k);
        let projection = if k == 0 { node.projection } else { extra.projections[k - 1] };
        *column = (n, image, inverse, inverse.sqrt(), projection);
    }
    let (mut size_lin, mut size_ang) = (T::ZERO, T::ZERO);
    for (n, _, inverse, ..) in &columns {
        size_lin += n.lin.dot(n.lin) * *inverse;
        size_ang += n.ang.dot(n.ang) * *inverse;
    }
    let mut outs = target.chunks_exact_mut(stride);
    for m in members {
        let at = m.at as usize;
        let kept = all[m.closure as usize].kept_count as usize;
        // The rows of the parent come after those of this block.
        let (low, mut high) = match m.above {
            NONE => (&*carried, None),
            above => {
                let (low, high) = carried.split_at_mut(above as usize);
                (&*low, Some(high.iter_mut()))
            }
        };
        let rows = low[at..at + kept].iter().zip(&mut along[at..at + kept]);
        let LoopAccumulator { rhs: [rhs, _], formed } = &mut sums[m.sum as usize];
        for (((row, parts), (side, formed)), out) in rows.zip(rhs.iter_mut().zip(formed)).zip(&mut outs) {
            let out = &mut out[col..col + F];
            let mut gain = row.dot(&node.gamma);
            for (j, (n, _, _, root, projection)) in columns.iter().enumerate() {
                let part = row.dot(n);
                parts[j] = part;
                out[j] = part * *root;
                gain += part * *projection;
            }
            *formed += row.lin.dot(row.lin) * size_lin + row.ang.dot(row.ang) * size_ang;
            *side += gain;
            if let Some(above) = high.as_mut().and_then(Iterator::next) {
                let mut up = row.carried_back(node.shift);
                for ((_, image, inverse, ..), &part) in columns.iter().zip(&*parts) {
                    up -= image.scaled(part * *inverse);
                }
                *above += up;
            }
        }
    }
}

/// Copies blocks of B into a matrix with rows of length `stride`, column block by column block; `first` has
/// the first row of every loop closure. Returns the first free column.
#[inline(always)]
pub(crate) fn copy_inputs<T: Lane>(
    lists: &SymbolicLists<'_, T>,
    inputs: &[u32],
    entries: &[T],
    (target, stride): (&mut [T], usize),
    plan: bool,
) -> usize {
    let SymbolicLists { all, members, elements, first } = *lists;
    let mut col = 0;
    for &e in inputs {
        let LoopElement { members: range, at, cols, .. } = &elements[e as usize];
        let cols = *cols as usize;
        if cols == 0 {
            continue;
        }
        let members = &members[range.start as usize..range.end as usize];
        let block = (&entries[*at as usize..], cols);
        let target = (&mut *target, stride, col);
        match cols {
            1 => copy_block::<T, 1>((all, members, first), block, target, plan),
            2 => copy_block::<T, 2>((all, members, first), block, target, plan),
            3 => copy_block::<T, 3>((all, members, first), block, target, plan),
            _ => copy_block::<T, 0>((all, members, first), block, target, plan),
        }
        col += cols;
    }
    col
}

/// Copies one block; `C` is its number of columns, or zero if that is not known.
#[inline(always)]
fn copy_block<T: Lane, const C: usize>(
    (all, members, first): (&[LoopClosure<T>], &[LoopMember], &[u32]),
    (entries, cols): (&[T], usize),
    (target, stride, col): (&mut [T], usize, usize),
    plan: bool,
) {
    let cols = if C > 0 { C } else { cols };
    let mut from = entries.chunks_exact(cols);
    for m in members {
        let closure = &all[m.closure as usize];
        let count = if plan { closure.count } else { closure.kept_count } as usize;
        if count == 0 {
            continue;
        }
        let rows = target[first[m.closure as usize] as usize * stride + col..].chunks_mut(stride);
        for (to, from) in rows.take(count).zip(&mut from) {
            to[..cols].copy_from_slice(from);
        }
    }
}

/// Makes [T own] lower triangular by the reflections of
/// [`DenseFront::lower`](super::front::DenseFront::lower), where T is lower triangular already and its zeros
/// are skipped. T is read at `from` among the entries and written at `to`.
#[inline(always)]
pub(crate) fn triangularize_any<T: Lane, const F: usize>(
    entries: &mut [T],
    from: usize,
    to: usize,
    own: &mut [[T; F]],
) {
    let rows = own.len();
    entries.copy_within(from..from + rows * rows, to);
    let t = &mut entries[to..to + rows * rows];
    for r in 0..rows {
        let (head, rest) = own.split_at_mut(r + 1);
        let v = &head[r];
        let first = t[r * rows + r];
        let mut norm = first * first;
        for &x in v {
            norm += x * x;
        }
        let norm = norm.sqrt();
        if norm.magnitude() == 0.0 {
            continue;
        }
        let signed = norm.with_sign_of(first);
        let v_first = first + signed;
        let scale = T::ONE / (signed * v_first);
        for (i, row) in rest.iter_mut().enumerate() {
            let x = &mut t[(r + 1 + i) * rows + r];
            let mut part = *x * v_first;
            for (&x, &v) in row.iter().zip(v) {
                part += x * v;
            }
            part *= scale;
            *x -= part * v_first;
            for (x, &v) in row.iter_mut().zip(v) {
                *x -= part * v;
            }
        }
        t[r * rows + r] = -signed;
    }
}

/// [`triangularize_any`] for a constant number of rows.
#[inline(always)]
pub(crate) fn triangularize<T: Lane, const R: usize, const F: usize>(
    entries: &mut [T],
    from: usize,
    to: usize,
    own: &mut [[T; F]; MAX_LOOP_ROWS],
) {
    if let Some(own) = own.first_chunk_mut::<R>() {
        triangularize_any(entries, from, to, own);
    }
}

/// Copies one to three numbers inline, more by a call.
#[inline(always)]
pub(crate) fn copy_few<T: Lane>(to: &mut [T], from: &[T]) {
    match (to, from) {
        ([a], [x]) => *a = *x,
        ([a, b], [x, y]) => (*a, *b) = (*x, *y),
        ([a, b, c], [x, y, z]) => (*a, *b, *c) = (*x, *y, *z),
        (to, from) => to.copy_from_slice(from),
    }
}

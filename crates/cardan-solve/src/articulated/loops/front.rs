//! Small dense fronts: rows of loop closures against columns of B, where G = B Bᵀ.
//!
//! ```text
//! B Q = [T 0]        Q: product of Householder reflections
//! ```
//!
//! Reflections of the columns make the rows lower trapezoidal and leave B Bᵀ as it is. The elimination of a
//! row then cuts columns off; nothing is subtracted, so nothing cancels.

use crate::articulated::f64x3::run_vectorized;
use crate::lane::{Lane, Task};

/// A row-major matrix with memory for the largest front.
#[derive(Clone, Debug, Default)]
pub(crate) struct DenseFront<T: Lane> {
    entries: Vec<T>,
    /// Scratch: the entries column by column.
    columns: Vec<T>,
    rows: usize,
    cols: usize,
}

/// Fewest and most columns of a front that is made trapezoidal column by column.
const WIDE: usize = 7;
const MOST_COLUMNS: usize = 64;

impl<T: Lane> DenseFront<T> {
    /// An empty front with memory for this many entries.
    pub(crate) fn with_room(entries: usize) -> Self {
        // Rows are padded to a multiple of `AT_ONCE`.
        let columns = vec![T::ZERO; if entries >= WIDE * WIDE { entries + entries / 2 } else { 0 }];
        DenseFront { entries: vec![T::ZERO; entries], columns, rows: 0, cols: 0 }
    }
    pub(crate) fn bytes(&self) -> usize {
        (self.entries.capacity() + self.columns.capacity()) * size_of::<T>()
    }
    /// Becomes a zero matrix of the given size.
    #[inline]
    pub(crate) fn clear(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        let entries = &mut self.entries[..rows * cols];
        // Most fronts have few entries; chunks of constant size are cleared inline.
        let (twos, rest) = entries.as_chunks_mut::<2>();
        match twos.len() {
            0..8 => twos.iter_mut().for_each(|two| *two = [T::ZERO; 2]),
            _ => twos.fill([T::ZERO; 2]),
        }
        rest.iter_mut().for_each(|x| *x = T::ZERO);
    }
    pub(crate) fn cols(&self) -> usize {
        self.cols
    }
    /// All entries, row by row.
    #[inline(always)]
    pub(crate) fn entries_mut(&mut self) -> &mut [T] {
        &mut self.entries[..self.rows * self.cols]
    }
    /// The rows.
    #[inline(always)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.entries[..self.rows * self.cols].chunks_exact(if self.cols == 0 { 1 } else { self.cols })
    }
    #[inline]
    pub(crate) fn row(&self, r: usize) -> &[T] {
        &self.entries[r * self.cols..(r + 1) * self.cols]
    }
    #[inline]
    pub(crate) fn row_mut(&mut self, r: usize) -> &mut [T] {
        &mut self.entries[r * self.cols..(r + 1) * self.cols]
    }
    /// Exchanges two rows.
    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        for c in 0..self.cols {
            self.entries.swap(a * self.cols + c, b * self.cols + c);
        }
    }
    /// Squared length of row `r` from column `from` on.
    pub(crate) fn remainder_squared(&self, r: usize, from: usize) -> T {
        let mut sum = T::ZERO;
        for &x in &self.row(r)[from..] {
            sum += x * x;
        }
        sum
    }

    /// Reflects the columns from `at` on so that row `r` keeps only its entry there; the rows below are
    /// reflected too.
    #[inline]
    pub(crate) fn reflect(&mut self, r: usize, at: usize) {
        if at + 1 >= self.cols {
            return;
        }
        let norm = self.remainder_squared(r, at).sqrt();
        if norm.magnitude() == 0.0 {
            return;
        }
        let (above, below) = self.entries.split_at_mut((r + 1) * self.cols);
        let below = &mut below[..(self.rows - r - 1) * self.cols];
        let v = &mut above[r * self.cols + at..];
        let first = v[0];
        let signed = norm.with_sign_of(first);
        v[0] = first + signed;
        let scale = T::ONE / (signed * v[0]);
        let rows = below.chunks_exact_mut(self.cols).map(|row| &mut row[at..]);
        match v.len() {
            2 => reflect_rows::<T, 2>(rows, v, scale),
            3 => reflect_rows::<T, 3>(rows, v, scale),
            4 => reflect_rows::<T, 4>(rows, v, scale),
            5 => reflect_rows::<T, 5>(rows, v, scale),
            6 => reflect_rows::<T, 6>(rows, v, scale),
            _ => rows.for_each(|row| reflect_row(row, v, scale)),
        }
        v[0] = -signed;
        v[1..].iter_mut().for_each(|x| *x = T::ZERO);
    }

    /// Makes the rows from `first` up to `end` lower trapezoidal, beginning in column `first`.
    #[inline]
    pub(crate) fn lower(&mut self, first: usize, end: usize) {
        // Two loop closures with two rows each: neighbouring planar loops.
        if let (0, 4, 4, 4) = (first, end, self.rows, self.cols)
            && let [four, ..] = self.entries.as_chunks_mut::<4>().0.as_chunks_mut::<4>().0
        {
            return lower_four(four);
        }
        let is_wide = (WIDE..=MOST_COLUMNS).contains(&self.cols) && self.rows >= WIDE;
        if is_wide && self.rows.next_multiple_of(AT_ONCE) * self.cols <= self.columns.len() {
            return run_vectorized(LowerByColumns { front: self, first, end });
        }
        for r in first..end {
            if r >= self.cols {
                break;
            }
            self.reflect(r, r);
        }
    }
}

/// [`DenseFront::lower`] of a wide front, column by column: four rows are reflected at once, in a vector
/// register. Each row is summed in the same order as row by row, so that the bits are the same.
struct LowerByColumns<'f, T: Lane> {
    front: &'f mut DenseFront<T>,
    first: usize,
    end: usize,
}

impl<T: Lane> Task for LowerByColumns<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let LowerByColumns { front: DenseFront { entries, columns, rows, cols }, first, end } = self;
        let (rows, cols) = (*rows, *cols);
        let count = rows.div_ceil(AT_ONCE);
        let columns = &mut columns.as_chunks_mut::<AT_ONCE>().0[..count * cols];
        for (rows, group) in entries[..rows * cols].chunks(AT_ONCE * cols).zip(columns.chunks_exact_mut(cols))
        {
            group.fill([T::ZERO; AT_ONCE]);
            for (r, row) in rows.chunks_exact(cols).enumerate() {
                for (column, x) in group.iter_mut().zip(row) {
                    column[r] = *x;
                }
            }
        }
        for r in first..if end < cols { end } else { cols } {
            reflect_column(columns, cols, r);
        }
        for (rows, group) in entries[..rows * cols].chunks_mut(AT_ONCE * cols).zip(columns.chunks_exact(cols))
        {
            for (r, row) in rows.chunks_exact_mut(cols).enumerate() {
                for (column, x) in group.iter().zip(row) {
                    *x = column[r];
                }
            }
        }
    }
}

/// Rows that are reflected at once, in one register of four lanes.
const AT_ONCE: usize = 4;

/// [`DenseFront::reflect`] of row `r` from its diagonal on. `columns` has [`AT_ONCE`] rows after the other, each
/// column by column; rows that are left over are zero and stay so.
#[inline(always)]
fn reflect_column<T: Lane>(columns: &mut [[T; AT_ONCE]], cols: usize, r: usize) {
    if r + 1 >= cols {
        return;
    }
    let (own, lane) = (r / AT_ONCE, r % AT_ONCE);
    let mut v = [T::ZERO; MOST_COLUMNS];
    let Some(v) = v.get_mut(..cols - r) else { return };
    let mut norm = T::ZERO;
    for (v, column) in v.iter_mut().zip(&columns[own * cols + r..(own + 1) * cols]) {
        *v = column[lane];
        norm += *v * *v;
    }
    let norm = norm.sqrt();
    if norm.magnitude() == 0.0 {
        return;
    }
    let signed = norm.with_sign_of(v[0]);
    v[0] += signed;
    let scale = T::ONE / (signed * v[0]);
    for (at, group) in columns.chunks_exact_mut(cols).enumerate().skip(own) {
        let group = &mut group[r..];
        let mut parts = [T::ZERO; AT_ONCE];
        for (column, &v) in group.iter().zip(&*v) {
            for (part, x) in parts.iter_mut().zip(column) {
                *part += *x * v;
            }
        }
        for (i, part) in parts.iter_mut().enumerate() {
            // Rows up to this one are done.
            *part = if at == own && i <= lane { T::ZERO } else { *part * scale };
        }
        for (column, &v) in group.iter_mut().zip(&*v) {
            for (part, x) in parts.iter().zip(column) {
                *x -= *part * v;
            }
        }
    }
    for column in &mut columns[own * cols + r..(own + 1) * cols] {
        column[lane] = T::ZERO;
    }
    columns[own * cols + r][lane] = -signed;
}

/// [`DenseFront::lower`] of a 4×4 front.
pub(crate) fn lower_four<T: Lane>([a, b, c, d]: &mut [[T; 4]; 4]) {
    reflect_known(a, [&mut *b, &mut *c, &mut *d]);
    let ([_, b @ ..], [_, c @ ..], [_, d @ ..]) = (b, c, d);
    reflect_known(b, [&mut *c, &mut *d]);
    let ([_, c @ ..], [_, d @ ..]) = (c, d);
    reflect_known(c, [d]);
}

/// [`DenseFront::reflect`] for a constant number and length of rows.
#[inline(always)]
fn reflect_known<T: Lane, const N: usize, const R: usize>(v: &mut [T; N], rows: [&mut [T; N]; R]) {
    let mut norm = T::ZERO;
    for &x in v.iter() {
        norm += x * x;
    }
    let norm = norm.sqrt();
    if norm.magnitude() == 0.0 {
        return;
    }
    let first = v[0];
    let signed = norm.with_sign_of(first);
    v[0] = first + signed;
    let scale = T::ONE / (signed * v[0]);
    for row in rows {
        reflect_row(row, v, scale);
    }
    *v = [T::ZERO; N];
    v[0] = -signed;
}

/// row −= (row·v) scale v.
#[inline(always)]
fn reflect_row<T: Lane>(row: &mut [T], v: &[T], scale: T) {
    let mut part = T::ZERO;
    for (&x, &v) in row.iter().zip(v.iter()) {
        part += x * v;
    }
    part *= scale;
    for (x, &v) in row.iter_mut().zip(v.iter()) {
        *x -= part * v;
    }
}

/// [`reflect_row`] for rows of constant length.
#[inline(always)]
fn reflect_rows<'a, T: Lane, const N: usize>(rows: impl Iterator<Item = &'a mut [T]>, v: &[T], scale: T) {
    let Some(v) = v.first_chunk::<N>() else { return };
    for row in rows {
        if let Some(row) = row.first_chunk_mut::<N>() {
            reflect_row(row, v, scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_front_has_the_same_bits_column_by_column() {
        for (rows, cols) in [(7, 7), (12, 15), (15, 9), (20, 20), (9, 64), (13, 70)] {
            let mut front: DenseFront<f64> = DenseFront::with_room(rows * cols);
            front.clear(rows, cols);
            let number = |i: usize| ((i * 7919 + 13) % 101) as f64 / 17.0 - 2.9;
            front.entries_mut().iter_mut().enumerate().for_each(|(i, x)| *x = number(i));
            let mut by_rows = front.clone();
            front.lower(0, rows);
            (0..rows.min(cols)).for_each(|r| by_rows.reflect(r, r));
            assert_eq!(front.entries, by_rows.entries);
        }
    }

    #[test]
    fn reflections_keep_all_products_of_rows() {
        let mut front: DenseFront<f64> = DenseFront::with_room(20);
        front.clear(4, 5);
        let number = |r: usize, c: usize| ((r * 7 + c * 13 + 3) % 11) as f64 - 4.7;
        for r in 0..4 {
            for c in 0..5 {
                front.row_mut(r)[c] = number(r, c);
            }
        }
        let before = front.clone();
        front.lower(0, 4);
        let mut square: DenseFront<f64> = DenseFront::with_room(16);
        let mut input = square.clone();
        for f in [&mut square, &mut input] {
            f.clear(4, 4);
            f.entries_mut().iter_mut().enumerate().for_each(|(i, x)| *x = number(i / 4, i % 4));
        }
        square.lower(0, 4);
        (0..4).for_each(|r| input.reflect(r, r));
        assert_eq!(square.entries, input.entries);
        let dot = |f: &DenseFront<f64>, a: usize, b: usize| -> f64 {
            f.row(a).iter().zip(f.row(b)).map(|(x, y)| x * y).sum()
        };
        for a in 0..4 {
            assert!(front.row(a)[a + 1..].iter().all(|&x| x == 0.0));
            for b in 0..4 {
                assert!((dot(&front, a, b) - dot(&before, a, b)).abs() < 1e-12);
            }
        }
    }
}

//! Householder reflections on a row-major matrix, the column with the largest remainder first.
//!
//! ```text
//! H = I − β v vᵀ,   v = a − t e₁,   t = ∓|a|,   β = 2 / vᵀv,   H a = t e₁
//! ```
//!
//! Rows that are zero in the pivot column are skipped, so rows which are triangular already cost few
//! operations. A reflector is stored as β, then the entries of v that are not zero; and the rows of these
//! entries.

use std::ops::Range;

use crate::graph::index_u32;
use crate::kernel::{add_scaled, subtract_scaled};
use crate::lane::Lane;

/// All reflectors of a matrix of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Reflectors<T> {
    /// β, then v, contiguous.
    values: Vec<T>,
    /// The rows of v, contiguous.
    rows: Vec<u32>,
    /// Where each reflector's rows start; its values start as many places later as there are reflectors
    /// before it.
    starts: Vec<usize>,
}

impl<T: Lane> Reflectors<T> {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.rows.clear();
        self.starts.clear();
    }

    /// Reserves memory for this many entries of v in all, in case zeros become nonzero.
    pub(super) fn make_room(&mut self, entries: usize) {
        self.rows.reserve(entries.saturating_sub(self.rows.len()));
        self.values.reserve((entries + self.starts.len()).saturating_sub(self.values.len()));
        self.starts.reserve(16);
    }

    /// Number of reflectors.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>()
            + self.rows.capacity() * size_of::<u32>()
            + self.starts.capacity() * size_of::<usize>()
    }

    /// β, v and the rows of v.
    fn get(&self, k: usize) -> (T, &[T], &[u32]) {
        let start = self.starts[k];
        let end = self.starts.get(k + 1).copied().unwrap_or(self.rows.len());
        let values = &self.values[start + k..end + k + 1];
        (values[0], &values[1..], &self.rows[start..end])
    }

    /// A vector ← H vector for the k-th reflector H.
    pub(super) fn apply(&self, k: usize, vector: &mut [T]) {
        let (beta, v, rows) = self.get(k);
        let mut along = T::ZERO;
        for (&v, &row) in v.iter().zip(rows) {
            along += v * vector[row as usize];
        }
        along *= beta;
        for (&v, &row) in v.iter().zip(rows) {
            vector[row as usize] -= along * v;
        }
    }
}

/// Which columns become pivots.
#[derive(Copy, Clone, Debug)]
pub(super) struct PivotRule {
    /// The largest remainder must exceed this,
    pub(super) above: f64,
    /// and this part of what its rows have beyond the window.
    pub(super) beside: f64,
    /// Columns of the window with at most this left are set to zero.
    pub(super) negligible: f64,
}

/// Part of a matrix to work on.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) width: usize,
    pub(super) rows: Range<usize>,
    /// Columns that may become pivots. Reflections act on all columns from the first of these on.
    pub(super) cols: Range<usize>,
}

/// Result of a triangulation.
#[derive(Copy, Clone, Debug)]
pub(super) struct TriangulationReport {
    /// The smallest remainder that became a pivot, the largest that did not.
    pub(super) smallest: f64,
    pub(super) largest_left: f64,
    /// Whether all that is left in the window is zero.
    pub(super) is_zero_below: bool,
}

/// Reflects the rows of a window until the pivot columns are upper triangular; pivot columns go to `picks`, reflectors to
/// `reflectors`. What is left below in the other columns of the window is set to zero where it is negligible.
pub(super) fn triangulate<T: Lane>(
    a: &mut [T],
    window: &Window,
    pivots: PivotRule,
    picks: &mut Vec<u32>,
    reflectors: &mut Reflectors<T>,
    scratch: &mut Vec<T>,
) -> TriangulationReport {
    let Window { width, rows, cols } = window.clone();
    let first_pick = picks.len();
    let mut found = TriangulationReport { smallest: f64::INFINITY, largest_left: 0.0, is_zero_below: true };
    let mut top = rows.start;
    while let Some((column, size)) = largest_column(a, width, top..rows.end, &cols, scratch) {
        // A NaN ends the loop.
        let enough = size > pivots.above
            && (size >= pivots.beside || size >= pivots.beside * rest(a, width, top..rows.end, cols.end));
        if !enough {
            found.largest_left = size;
            break;
        }
        let size = column_size(a, width, top..rows.end, column);
        found.smallest = if size.magnitude() < found.smallest { size.magnitude() } else { found.smallest };
        reflect(a, window, top, column, size, reflectors, scratch);
        picks.push(column as u32);
        top += 1;
    }
    let picked = &picks[first_pick..];
    for column in cols.filter(|&column| !picked.contains(&(column as u32))) {
        if found.largest_left <= pivots.negligible
            || column_size(a, width, top..rows.end, column).magnitude() <= pivots.negligible
        {
            (top..rows.end).for_each(|row| a[row * width + column] = T::ZERO);
        } else {
            found.is_zero_below = false;
        }
    }
    found
}

/// Length of the rows from a column on.
fn rest<T: Lane>(a: &[T], width: usize, rows: Range<usize>, from: usize) -> f64 {
    let entries = rows.flat_map(|row| &a[row * width + from..(row + 1) * width]);
    entries.map(|entry| entry.magnitude() * entry.magnitude()).sum::<f64>().sqrt()
}

/// The column with the largest remainder (ties to the first), or none if no rows are left.
fn largest_column<T: Lane>(
    a: &[T],
    width: usize,
    rows: Range<usize>,
    cols: &Range<usize>,
    squares: &mut Vec<T>,
) -> Option<(usize, f64)> {
    if rows.is_empty() || cols.is_empty() {
        return None;
    }
    squares.clear();
    squares.resize(cols.len(), T::ZERO);
    for row in rows {
        for (square, &entry) in squares.iter_mut().zip(&a[row * width..][cols.clone()]) {
            *square += entry * entry;
        }
    }
    let (mut best, mut largest) = (0, -1.0);
    for (column, square) in squares.iter().enumerate() {
        let square = square.magnitude();
        if square > largest {
            (best, largest) = (column, square);
        }
    }
    Some((cols.start + best, largest.sqrt()))
}

fn column_size<T: Lane>(a: &[T], width: usize, rows: Range<usize>, column: usize) -> T {
    let mut square = T::ZERO;
    for row in rows {
        let entry = a[row * width + column];
        square += entry * entry;
    }
    square.sqrt()
}

/// Reflects the rows from `top` on so that `column` keeps only its first entry; the other columns are
/// reflected too.
fn reflect<T: Lane>(
    a: &mut [T],
    window: &Window,
    top: usize,
    column: usize,
    size: T,
    reflectors: &mut Reflectors<T>,
    scratch: &mut Vec<T>,
) {
    let Window { width, rows, cols } = window.clone();
    let head = a[top * width + column];
    let target = -size.with_sign_of(head);
    // vᵀv = 2 t (t − a₁)
    reflectors.starts.push(reflectors.rows.len());
    reflectors.values.push(T::ONE / (target * (target - head)));
    reflectors.values.push(head - target);
    reflectors.rows.push(index_u32(top));
    for row in top + 1..rows.end {
        let entry = a[row * width + column];
        if entry != T::ZERO {
            reflectors.values.push(entry);
            reflectors.rows.push(index_u32(row));
        }
    }
    let (beta, v, rows) = reflectors.get(reflectors.len() - 1);
    let from = cols.start;
    let line = |row: u32| row as usize * width + from..(row as usize + 1) * width;
    scratch.clear();
    scratch.resize(width - from, T::ZERO);
    for (&v, &row) in v.iter().zip(rows) {
        add_scaled(scratch, v, &a[line(row)]);
    }
    for sum in scratch.iter_mut() {
        *sum *= beta;
    }
    for (&v, &row) in v.iter().zip(rows) {
        subtract_scaled(&mut a[line(row)], v, scratch);
    }
    for &row in rows {
        a[row as usize * width + column] = T::ZERO;
    }
    a[top * width + column] = target;
}

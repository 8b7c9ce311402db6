//! Rows that act through the six numbers of a body: C = J B, which is not multiplied out.
//!
//! With J six numbers wide, D of a group 3 × 3 and B of a body 6 × rank,
//!
//! ```text
//! Cᵀ y = Bᵀ Σ Jᵀ y        C z = J (B z)        Cᵀ D C = Bᵀ (Σ Jᵀ D J) B
//! ```
//!
//! so that many contacts of a body cost as much as one, up to sums of 6 × 6. A body has parts in few columns of B,
//! those of the joints on its path to the root; groups of four columns without any are left out.

use super::{BodyRows, FactoredProblem};
use crate::simd::lines::LANES;

/// Numbers of a body.
pub(super) const SIX: usize = 6;
/// A group with rows of its own in C.
pub(super) const NO_BODY: u32 = u32::MAX;

/// Four numbers.
type Lanes = [f64; LANES];
/// Six numbers and two zeros.
pub(super) type SixLanes = [Lanes; 2];
pub(super) const ZERO: SixLanes = [[0.0; LANES]; 2];
/// Four columns of the six rows of a body.
type Columns = [Lanes; SIX];

/// A body's place in [`BodyBlocks::columns`] and [`BodyBlocks::places`].
#[derive(Copy, Clone, Debug)]
struct Block {
    first: usize,
    end: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct BodyBlocks {
    /// The body of each group of rows, or [`NO_BODY`].
    pub(super) of_group: Vec<u32>,
    /// J of each group, scaled; zero for rows that it does not have.
    jacobian: Vec<[SixLanes; 3]>,
    /// Force or velocity of each body, and Σ Jᵀ D J.
    wrench: Vec<SixLanes>,
    stiffness: Vec<[SixLanes; SIX]>,
    blocks: Vec<Block>,
    /// B: of each body the groups of columns that it has, and their numbers.
    columns: Vec<Columns>,
    places: Vec<usize>,
    product: Vec<Columns>,
}

/// sum + s x.
#[inline(always)]
fn add(sum: Lanes, s: f64, x: &Lanes) -> Lanes {
    [sum[0] + s * x[0], sum[1] + s * x[1], sum[2] + s * x[2], sum[3] + s * x[3]]
}

/// sum + Σ s_k x_k of six.
#[inline(always)]
fn add_six(sum: Lanes, s: &[f64; SIX], x: &Columns) -> Lanes {
    let sum = add(add(add(sum, s[0], &x[0]), s[1], &x[1]), s[2], &x[2]);
    add(add(add(sum, s[3], &x[3]), s[4], &x[4]), s[5], &x[5])
}

/// The six numbers of what is stored with two zeros.
#[inline(always)]
fn six(wide: &SixLanes) -> [f64; SIX] {
    let [[a, b, c, d], [e, f, ..]] = *wide;
    [a, b, c, d, e, f]
}

/// Σ s_k x_k of three.
#[inline(always)]
fn combine(s: [f64; 3], x: [&Lanes; 3]) -> Lanes {
    let at = |i: usize| (s[0] * x[0][i] + s[1] * x[1][i]) + s[2] * x[2][i];
    [at(0), at(1), at(2), at(3)]
}

#[inline(always)]
fn plus(a: Lanes, b: Lanes) -> Lanes {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

#[inline(always)]
fn times(a: &Lanes, b: &Lanes) -> Lanes {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

#[inline(always)]
fn total(a: Lanes) -> f64 {
    (a[0] + a[1]) + (a[2] + a[3])
}

/// Six numbers as they are stored, times a factor.
#[inline(always)]
fn widened(six: &[f64; SIX], s: f64) -> SixLanes {
    [[s * six[0], s * six[1], s * six[2], s * six[3]], [s * six[4], s * six[5], 0.0, 0.0]]
}

impl BodyBlocks {
    /// Takes B of a problem.
    #[inline(always)]
    pub(super) fn take(&mut self, rows: &BodyRows, rank: usize) {
        self.blocks.clear();
        self.columns.clear();
        self.places.clear();
        self.of_group.clear();
        self.jacobian.clear();
        for &(first, count) in rows.bodies {
            let own = &rows.lines[first as usize * rank..(first + count) as usize * rank];
            let first = self.columns.len();
            for at in (0..rank).step_by(LANES) {
                let mut columns = [[0.0; LANES]; SIX];
                for (out, line) in columns.iter_mut().zip(own.chunks_exact(rank)) {
                    match line[at..].first_chunk::<LANES>() {
                        Some(four) => *out = *four,
                        None => out.iter_mut().zip(&line[at..]).for_each(|(out, b)| *out = *b),
                    }
                }
                if columns != [[0.0; LANES]; SIX] {
                    self.columns.push(columns);
                    self.places.push(at / LANES);
                }
            }
            self.blocks.push(Block { first, end: self.columns.len() });
        }
        self.wrench.resize(self.blocks.len(), ZERO);
        self.stiffness.resize(self.blocks.len(), [ZERO; SIX]);
    }

    /// Takes J of the next group.
    #[inline(always)]
    pub(super) fn take_group(&mut self, body: u32, jacobian: &[[f64; SIX]], scale: f64) {
        let mut wide = [ZERO; 3];
        wide.iter_mut().zip(jacobian).for_each(|(wide, row)| *wide = widened(row, scale));
        self.of_group.push(body);
        self.jacobian.push(wide);
    }

    /// |J B|² of some rows of J on a body.
    #[inline(always)]
    pub(super) fn square(&self, body: u32, jacobian: &[[f64; SIX]]) -> f64 {
        let block = self.blocks[body as usize];
        let mut sum = [0.0; LANES];
        for columns in &self.columns[block.first..block.end] {
            for row in jacobian {
                let entry = add_six([0.0; LANES], row, columns);
                sum = plus(sum, times(&entry, &entry));
            }
        }
        total(sum)
    }

    /// Clears wrenches.
    #[inline(always)]
    pub(super) fn clear_wrenches(&mut self) {
        self.wrench.fill(ZERO);
    }

    /// Clears the sums of Jᵀ D J.
    #[inline(always)]
    pub(super) fn clear_stiffness(&mut self) {
        self.stiffness.fill([ZERO; SIX]);
    }

    /// Adds the wrench of y of a group.
    #[inline(always)]
    pub(super) fn push(&mut self, index: usize, y: [f64; 3]) {
        let [a, b, c] = &self.jacobian[index];
        let wrench = &mut self.wrench[self.of_group[index] as usize];
        for h in 0..2 {
            wrench[h] = plus(wrench[h], combine(y, [&a[h], &b[h], &c[h]]));
        }
    }

    /// J v of a group.
    #[inline(always)]
    pub(super) fn rates(&self, index: usize) -> [f64; 3] {
        let v = &self.wrench[self.of_group[index] as usize];
        let along = |row: &SixLanes| total(plus(times(&row[0], &v[0]), times(&row[1], &v[1])));
        let [a, b, c] = &self.jacobian[index];
        [along(a), along(b), along(c)]
    }

    /// Σ Jᵀ D J += Jᵀ D J of a group.
    #[inline(always)]
    pub(super) fn stiffen(&mut self, index: usize, d: &[[f64; 3]; 3]) {
        let [a, b, c] = &self.jacobian[index];
        let weigh = |d: [f64; 3], h: usize| combine(d, [&a[h], &b[h], &c[h]]);
        let weighted: [[Lanes; 3]; 2] = [
            [weigh(d[0], 0), weigh(d[1], 0), weigh(d[2], 0)],
            [weigh(d[0], 1), weigh(d[1], 1), weigh(d[2], 1)],
        ];
        let stiffness = &mut self.stiffness[self.of_group[index] as usize];
        for (k, out) in stiffness.iter_mut().enumerate() {
            let (half, lane) = (k / LANES, k % LANES);
            let s = [a[half][lane], b[half][lane], c[half][lane]];
            for h in 0..2 {
                let [x, y, z] = &weighted[h];
                out[h] = plus(out[h], combine(s, [x, y, z]));
            }
        }
    }

    /// z += Bᵀ f of the wrenches f.
    #[inline(always)]
    pub(super) fn add_to(&self, z: &mut [f64]) {
        let z = z.as_chunks_mut::<LANES>().0;
        for (block, f) in self.blocks.iter().zip(&self.wrench) {
            let (range, f) = (block.first..block.end, six(f));
            for (columns, &place) in self.columns[range.clone()].iter().zip(&self.places[range]) {
                z[place] = add_six(z[place], &f, columns);
            }
        }
    }

    /// v = B z, in the place of the wrenches.
    #[inline(always)]
    pub(super) fn set_from(&mut self, z: &[f64]) {
        let z = z.as_chunks::<LANES>().0;
        for (block, v) in self.blocks.iter().zip(&mut self.wrench) {
            let range = block.first..block.end;
            let [mut a, mut b, mut c, mut d, mut e, mut f] = [[0.0; LANES]; SIX];
            for (columns, &place) in self.columns[range.clone()].iter().zip(&self.places[range]) {
                let z = z[place];
                a = plus(a, times(&columns[0], &z));
                b = plus(b, times(&columns[1], &z));
                c = plus(c, times(&columns[2], &z));
                d = plus(d, times(&columns[3], &z));
                e = plus(e, times(&columns[4], &z));
                f = plus(f, times(&columns[5], &z));
            }
            *v = [[total(a), total(b), total(c), total(d)], [total(e), total(f), 0.0, 0.0]];
        }
    }

    /// Matrix += Bᵀ S B of the stiffnesses S; with `is_upper` only groups of columns from the row's own on.
    #[inline(always)]
    pub(super) fn add_squares(&mut self, matrix: &mut [f64], rank: usize, is_upper: bool) {
        let matrix = matrix.as_chunks_mut::<LANES>().0;
        let groups = rank / LANES;
        for (block, s) in self.blocks.iter().zip(&self.stiffness) {
            let range = block.first..block.end;
            let (columns, places) = (&self.columns[range.clone()], &self.places[range]);
            let s = [six(&s[0]), six(&s[1]), six(&s[2]), six(&s[3]), six(&s[4]), six(&s[5])];
            self.product.clear();
            for columns in columns {
                let line = |s| add_six([0.0; LANES], s, columns);
                let product = [line(&s[0]), line(&s[1]), line(&s[2]), line(&s[3]), line(&s[4]), line(&s[5])];
                self.product.push(product);
            }
            for (g, (columns, &row_place)) in columns.iter().zip(places).enumerate() {
                let first = if is_upper { g } else { 0 };
                for (product, &place) in self.product[first..].iter().zip(&places[first..]) {
                    for lane in 0..LANES {
                        let [a, b, c, d, e, f] = columns;
                        let b = [a[lane], b[lane], c[lane], d[lane], e[lane], f[lane]];
                        let out = &mut matrix[(row_place * LANES + lane) * groups + place];
                        *out = add_six(*out, &b, product);
                    }
                }
            }
        }
    }
}

impl FactoredProblem<'_> {
    /// C, row by row, multiplied out.
    pub(super) fn write_rows(&self, out: &mut Vec<f64>) {
        out.clear();
        let (mut own, mut jacobian) =
            (self.factor.chunks_exact(self.rank.max(1)), self.body_rows.jacobian.iter());
        for (index, group) in self.groups.iter().enumerate() {
            let body = self.body_rows.body(index);
            for _ in 0..group.rows() {
                let start = out.len();
                out.resize(start + self.rank, 0.0);
                match body {
                    None => own.next().map(|line| out[start..].copy_from_slice(line)).unwrap_or(()),
                    Some((first, count)) => {
                        let Some(row) = jacobian.next() else { continue };
                        for (j, k) in row.iter().zip(first..first + count) {
                            let line = &self.body_rows.lines[k * self.rank..][..self.rank];
                            out[start..].iter_mut().zip(line).for_each(|(out, b)| *out += j * b);
                        }
                    }
                }
            }
        }
    }
}

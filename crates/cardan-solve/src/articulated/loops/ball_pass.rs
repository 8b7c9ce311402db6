//! Loop closures past a spherical link (`articulated/ball.rs`), in closed form.
//!
//! About the point a row L is (l, a) with a = L_ω − r × l. With C⁻¹ = Wᵀ W and W = Δ^(−½) L⁻¹ from the factor
//! of C:
//!
//! ```text
//! l' = l − Gᵀ a,   h = C⁻¹ a
//! B gains the three columns W a,   c += l'·γ + a·z,   L_p += l'ᵀ E
//! back:  z ← z + Σ h μ,   φ ← φ + Σ l' μ
//! ```
//!
//! In the forward sweep (l', a) overwrites the row, which is not needed again, and h overwrites its parts
//! along the freedoms. The usual case is one loop closure of three rows (`ThreeRowPass`) past several
//! spherical links in a row, a *run*. The columns of a run are collected and reflected once at its end, which
//! saves three roots and three divisions per link. `f64x3/ball_pass.rs` has the AVX2 kernel.

use super::sqrt_block::{CarryRows, PassingRows, copy_few};
use super::symbolic::LoopPass;
use super::{LoopAccumulator, LoopClosures};
use crate::articulated::Node;
use crate::graph::{NONE, index_u32};
use crate::lane::Lane;
use crate::math::{Mat3, Six, Vec3};

/// W by columns, and the trace of C⁻¹.
#[derive(Copy, Clone)]
struct BallSqrt<T: Lane> {
    columns: Mat3<T>,
    trace: T,
}

/// A row past the link.
struct PassedRow<T: Lane> {
    /// l' and a.
    row: Six<T>,
    /// W a.
    column: Vec3<T>,
    /// h.
    turn: Vec3<T>,
    /// What is added to c.
    gain: T,
    /// Estimated square of the length that W a would have if nothing had cancelled in a.
    formed: T,
}

impl<T: Lane> Node<T> {
    #[inline(always)]
    fn ball_sqrt(&self) -> BallSqrt<T> {
        let c = &self.diag.c;
        let (x, y, z) = (c.xx.sqrt(), c.yy.sqrt(), c.zz.sqrt());
        let across = c.xy * c.yz - c.xz;
        let columns = Mat3 {
            x: Vec3::new(x, -(c.xy * y), across * z),
            y: Vec3::new(T::ZERO, y, -(c.yz * z)),
            z: Vec3::new(T::ZERO, T::ZERO, z),
        };
        let of_y = c.yy * (T::ONE + c.xy * c.xy);
        let of_z = c.zz * (T::ONE + c.yz * c.yz + across * across);
        BallSqrt { columns, trace: c.xx + of_y + of_z }
    }

    #[inline(always)]
    fn pass_ball(&self, root: &BallSqrt<T>, row: &Six<T>) -> PassedRow<T> {
        let carried = self.first.lin.cross(row.lin);
        let a = row.ang - carried;
        let column = root.columns * a;
        let terms = Six::new(row.ang, carried);
        let row = Six::new(row.lin - self.diag.b * a, a);
        PassedRow {
            row,
            column,
            turn: root.columns.transpose_mul(column),
            gain: row.dot(&self.ball_side()),
            formed: terms.dot(&terms) * root.trace,
        }
    }

    /// γ and z: a row adds its product with these to c.
    #[inline(always)]
    fn ball_side(&self) -> Six<T> {
        Six::new(self.gamma.lin, self.carried_image.ang)
    }

    /// γ and z of a second right-hand side.
    #[inline(always)]
    pub(crate) fn second_ball_side(&self, second: &Six<T>, part: T) -> Six<T> {
        Six::new(self.gamma.lin * part, second.ang)
    }

    /// Adds the forces of the loop closures; φ is needed for loads alone.
    #[inline(always)]
    pub(crate) fn push_ball(&mut self, closures: &LoopClosures<T>, has_load: bool) {
        if has_load {
            self.carried_image.lin += closures.push(self.loop_step, 0).lin;
        }
        let [x, y, z] = closures.push_along::<3>(self.loop_step);
        self.carried_image.ang += Vec3::new(x, y, z);
    }
}

/// Carries any rows past a spherical link.
pub(crate) struct CarryOverBall<'a, T: Lane>(pub(crate) &'a Node<T>);

impl<T: Lane> CarryRows<T> for CarryOverBall<'_, T> {
    #[inline(always)]
    fn carry(&self, passing_rows: PassingRows<'_, T>, (target, stride, col): (&mut [T], usize, usize)) {
        let PassingRows { all, sums, members, carried, along } = passing_rows;
        let root = self.0.ball_sqrt();
        let mut outs = target.chunks_exact_mut(stride);
        for m in members {
            let (at, kept) = (m.at as usize, all[m.closure as usize].kept_count as usize);
            let LoopAccumulator { rhs: [rhs, _], formed } = &mut sums[m.sum as usize];
            for (k, out) in (0..kept).zip(&mut outs) {
                let passed = self.0.pass_ball(&root, &carried[at + k]);
                carried[at + k] = passed.row;
                if m.above != NONE {
                    carried[m.above as usize + k] += self.0.beyond_ball(&passed.row);
                }
                let PassedRow { column, turn, .. } = passed;
                along[at + k] = [turn.x, turn.y, turn.z];
                copy_few(&mut out[col..col + 3], &[column.x, column.y, column.z]);
                rhs[k] += passed.gain;
                formed[k] += passed.formed;
            }
        }
    }
}

impl<T: Lane> Node<T> {
    /// l'ᵀ E.
    #[inline(always)]
    fn beyond_ball(&self, row: &Six<T>) -> Six<T> {
        Six::new(row.lin, self.first.ang.cross(row.lin))
    }
}

/// A single loop closure of three rows that passes a node.
#[derive(Copy, Clone)]
pub(crate) struct ThreeRowPass {
    /// Indices of its rows here and above, or [`NONE`].
    pub(crate) at: usize,
    pub(crate) above: u32,
    pub(crate) sum: usize,
    /// Where its triangle is among the entries, if it has one from below.
    from: Option<usize>,
    /// Where its run begins among the columns of runs.
    pub(crate) run: u32,
    /// The element that is written; whether the run continues at the parent.
    out: u32,
    pub(crate) goes_on: bool,
}

/// A lower triangle of order three, by rows.
pub(crate) type LowerTriangle3<T> = [[T; 3]; 3];

/// W a of three rows; the fourth numbers are padding.
pub(crate) type RunColumns<T> = [[T; 4]; 3];

impl<T: Lane> LoopClosures<T> {
    /// Carries the loop closures past a spherical link. `next`: the loop step of the parent if its link is
    /// spherical too, or [`NONE`].
    #[inline(always)]
    pub(crate) fn pass_ball(&mut self, pass: &LoopPass, node: &Node<T>, next: u32) {
        let Some(three_row_pass) = self.three_row_pass(pass, next) else {
            return self.pass_by::<3>(pass, &CarryOverBall(node));
        };
        let mut own = [[T::ZERO; 4]; 3];
        let LoopClosures { all, sums, symbolic, carried, along, .. } = self;
        let passing_rows =
            PassingRows { all, sums, members: symbolic.members(&pass.members), carried, along };
        CarryOverBall(node).carry(passing_rows, (own.as_flattened_mut(), 4, 0));
        self.runs.push(own);
        if !three_row_pass.goes_on {
            let mut triangle = self.triangle(&three_row_pass);
            triangularize_run(&mut triangle, &mut self.runs[three_row_pass.run as usize..]);
            self.end_run(&three_row_pass, &triangle);
        }
    }

    /// The loop step of a node's parent if the parent's link is spherical; else [`NONE`].
    #[inline(always)]
    pub(crate) fn next_loop_step(nodes: &[Node<T>], at: usize) -> u32 {
        match nodes.get(nodes[at].parent as usize) {
            Some(parent) if parent.is_ball => parent.loop_step,
            _ => NONE,
        }
    }

    /// Describes the pass if it is a single loop closure of three rows with a triangle, a run or nothing from
    /// below. The result is a triangle at the end of the run.
    #[inline(always)]
    pub(crate) fn three_row_pass(&mut self, pass: &LoopPass, next: u32) -> Option<ThreeRowPass> {
        let &[m] = self.symbolic.members(&pass.members) else { return None };
        if self.all[m.closure as usize].kept_count != 3 {
            return None;
        }
        let begin = index_u32(self.runs.len());
        let (from, run) = match self.symbolic.inputs(&pass.inputs) {
            [] => (None, begin),
            &[input] => {
                let element = &self.symbolic.elements[input as usize];
                if element.run != NONE {
                    (element.from, element.run)
                } else if element.is_triangle && element.cols == 3 && element.members.len() == 1 {
                    (Some(element.at), begin)
                } else {
                    return None;
                }
            }
            _ => return None,
        };
        let goes_on =
            match self.symbolic.loop_steps.get(next as usize).and_then(|loop_step| loop_step.pass.as_ref()) {
                Some(LoopPass { inputs, members, .. }) => {
                    members.len() == 1 && self.symbolic.inputs(inputs) == [pass.out]
                }
                None => false,
            };
        let out = &mut self.symbolic.elements[pass.out as usize];
        (out.cols, out.is_triangle) = (3, true);
        (out.from, out.run) = (from, if goes_on { run } else { NONE });
        let (at, sum) = (m.at as usize, m.sum as usize);
        let from = from.map(|from| from as usize);
        Some(ThreeRowPass { at, above: m.above, sum, from, run, out: pass.out, goes_on })
    }

    /// The triangle before the run.
    #[inline(always)]
    pub(crate) fn triangle(&self, three_row_pass: &ThreeRowPass) -> LowerTriangle3<T> {
        let Some(from) = three_row_pass.from else { return [[T::ZERO; 3]; 3] };
        let chunk = self.entries[from..].as_chunks::<3>().0.first_chunk::<3>();
        chunk.copied().unwrap_or_default()
    }

    /// Stores the triangle after the run.
    #[inline(always)]
    pub(crate) fn end_run(&mut self, three_row_pass: &ThreeRowPass, triangle: &LowerTriangle3<T>) {
        self.runs.truncate(three_row_pass.run as usize);
        let to = self.symbolic.elements[three_row_pass.out as usize].at as usize;
        if let Some(to) = self.entries[to..].as_chunks_mut::<3>().0.first_chunk_mut::<3>() {
            *to = *triangle;
        }
    }

    /// Adds to c what passing a spherical link contributes, with the factor of the last elimination.
    #[inline(always)]
    fn gain_by_ball<const N: usize>(&mut self, loop_step: u32, by: [&Six<T>; N]) {
        let LoopClosures { all, sums, symbolic, carried, .. } = self;
        let Some(LoopPass { members, .. }) = &symbolic.loop_steps[loop_step as usize].pass else { return };
        for m in symbolic.members(members) {
            let (at, kept) = (m.at as usize, all[m.closure as usize].kept_count as usize);
            let rhs = &mut sums[m.sum as usize].rhs;
            for (k, row) in carried[at..at + kept].iter().enumerate() {
                for (side, by) in rhs.iter_mut().zip(by) {
                    side[k] += row.dot(by);
                }
            }
        }
    }

    /// [`pass_bias`](LoopClosures::pass_bias) of a spherical link.
    #[inline(always)]
    pub(crate) fn pass_bias_of_ball(&mut self, node: &Node<T>) {
        self.gain_by_ball(node.loop_step, [&node.ball_side()]);
    }

    /// [`pass_both`](LoopClosures::pass_both) of a spherical link.
    #[inline(always)]
    pub(crate) fn pass_biases_of_ball(&mut self, node: &Node<T>, second: &Six<T>, part: T) {
        self.gain_by_ball(node.loop_step, [&node.ball_side(), &node.second_ball_side(second, part)]);
    }
}

/// Makes [T, all columns of a run] lower triangular by reflections, where T is lower triangular already. x, y
/// and z of the columns are summed separately, as the AVX2 kernel does.
#[inline(always)]
fn triangularize_run<T: Lane>(t: &mut LowerTriangle3<T>, run: &mut [RunColumns<T>]) {
    let vec = |row: &[T; 4]| Vec3::new(row[0], row[1], row[2]);
    let times = |a: Vec3<T>, b: Vec3<T>| Vec3::new(a.x * b.x, a.y * b.y, a.z * b.z);
    let sum = |v: Vec3<T>| v.x + v.y + v.z;
    let [mut square, mut in_b, mut in_c] = [Vec3::ZERO; 3];
    for [a, b, c] in &*run {
        square += times(vec(a), vec(a));
        in_b += times(vec(a), vec(b));
        in_c += times(vec(a), vec(c));
    }
    let (b_part, c_part) = reflect(t, 0, sum(square), [sum(in_b), sum(in_c)]);
    [square, in_c] = [Vec3::ZERO; 2];
    for [a, b, c] in &mut *run {
        for k in 0..3 {
            b[k] -= a[k] * b_part;
            c[k] -= a[k] * c_part;
        }
        square += times(vec(b), vec(b));
        in_c += times(vec(b), vec(c));
    }
    let (c_part, _) = reflect(t, 1, sum(square), [sum(in_c), T::ZERO]);
    square = Vec3::ZERO;
    for [_, b, c] in &*run {
        let c = vec(c) - vec(b) * c_part;
        square += times(c, c);
    }
    reflect(t, 2, sum(square), [T::ZERO; 2]);
}

/// The reflection of row `r`, given the products of its columns with themselves and with those of the rows
/// below. Returns the multiples of the row's columns that are subtracted from those.
#[inline(always)]
pub(crate) fn reflect<T: Lane>(t: &mut LowerTriangle3<T>, r: usize, square: T, products: [T; 2]) -> (T, T) {
    let first = t[r][r];
    let norm = (first * first + square).sqrt();
    if norm.magnitude() == 0.0 {
        return (T::ZERO, T::ZERO);
    }
    let signed = norm.with_sign_of(first);
    let v_first = first + signed;
    let scale = T::ONE / (signed * v_first);
    let mut parts = [T::ZERO; 2];
    for (i, row) in t.iter_mut().skip(r + 1).enumerate() {
        parts[i] = (row[r] * v_first + products[i]) * scale;
        row[r] -= parts[i] * v_first;
    }
    t[r][r] = -signed;
    (parts[0], parts[1])
}

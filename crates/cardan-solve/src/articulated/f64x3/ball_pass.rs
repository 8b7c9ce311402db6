//! Loop closures past a spherical link, AVX2 kernel: the same bits as `loops/ball_pass.rs`.

use super::{Avx2, Avx2Task, F64x3, cross};
use crate::articulated::Node;
use crate::articulated::loops::ball_pass::{CarryOverBall, LowerTriangle3, RunColumns, reflect};
use crate::articulated::loops::symbolic::LoopPass;
use crate::articulated::loops::{LoopAccumulator, LoopClosures};
use crate::graph::NONE;
use crate::math::Sym3;

/// Numbers of [`eliminate_ball`](super::eliminate_ball): r and t, G by rows, γ of the point and z, L with
/// 1/Δ.
pub(super) struct BallState {
    pub(super) arm: F64x3,
    pub(super) to_point: F64x3,
    pub(super) g: [F64x3; 3],
    pub(super) side: [F64x3; 2],
    pub(super) factor: Sym3,
    /// The loop step of the parent if its link is spherical too, or [`NONE`].
    pub(super) next: u32,
}

/// Carries the loop closures past a spherical link.
#[inline(never)]
pub(super) fn pass(avx2: Avx2, closures: &mut LoopClosures<f64>, node: &Node, ball: &BallState) {
    avx2.run(PassBallSimd { closures, node, ball });
}

struct PassBallSimd<'s> {
    closures: &'s mut LoopClosures<f64>,
    node: &'s Node,
    ball: &'s BallState,
}

impl Avx2Task for PassBallSimd<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self, avx2: Avx2) {
        let PassBallSimd { closures, node, ball } = self;
        let Some(pass) = closures.symbolic.loop_steps[node.loop_step as usize].pass.clone() else { return };
        let BallState { arm, to_point, g, side, factor: c, next } = ball;
        let Some(three_row_pass) = closures.three_row_pass(&pass, *next) else {
            return closures.pass_by::<3>(&pass, &CarryOverBall(node));
        };
        // W, and the trace of C⁻¹.
        let across = c.xy * c.yz - c.xz;
        let roots = F64x3::new(avx2, c.xx, c.yy, c.zz).sqrt();
        let w = [
            roots * F64x3::new(avx2, 1.0, -c.xy, across),
            roots * F64x3::new(avx2, 0.0, 1.0, -c.yz),
            roots * F64x3::new(avx2, 0.0, 0.0, 1.0),
        ];
        let of_y = c.yy * (1.0 + c.xy * c.xy);
        let of_z = c.zz * (1.0 + c.yz * c.yz + across * across);
        let trace = c.xx + of_y + of_z;
        let zero = F64x3::splat(avx2, 0.0);
        let (mut columns, mut turns, mut gains, mut formed) = ([zero; 3], [zero; 3], [zero; 3], [zero; 3]);
        let (low, high) = match three_row_pass.above {
            NONE => (&mut closures.carried[..], None),
            above => {
                let (low, high) = closures.carried.split_at_mut(above as usize);
                (low, high.first_chunk_mut::<3>())
            }
        };
        let Some(rows) = low[three_row_pass.at..].first_chunk_mut::<3>() else { return };
        let mut above = [[zero; 2]; 3];
        for (k, row) in rows.iter_mut().enumerate() {
            let [lin, ang] = F64x3::load_six(avx2, row);
            let carried = cross(*arm, lin);
            let a = ang - carried;
            let (x, y, z) = (a.broadcast::<0>(), a.broadcast::<1>(), a.broadcast::<2>());
            let column = w[0] * x + w[1] * y + w[2] * z;
            let beyond = lin - (g[0] * x + g[1] * y + g[2] * z);
            F64x3::write_six([beyond, a], row);
            turns[k] = F64x3::sums(w[0] * column, w[1] * column, w[2] * column);
            gains[k] = beyond * side[0] + a * side[1];
            formed[k] = ang * ang + carried * carried;
            above[k] = [beyond, cross(*to_point, beyond)];
            columns[k] = column;
        }
        if let Some(to) = high {
            for (to, up) in to.iter_mut().zip(above) {
                let [lin, ang] = F64x3::load_six(avx2, to);
                F64x3::write_six([lin + up[0], ang + up[1]], to);
            }
        }
        if let Some(along) = closures.along[three_row_pass.at..].first_chunk_mut::<3>() {
            F64x3::store_rows(turns, along);
        }
        let LoopAccumulator { rhs: [rhs, _], formed: sizes } = &mut closures.sums[three_row_pass.sum];
        let gains = F64x3::sums(gains[0], gains[1], gains[2]).to_array();
        let formed = (F64x3::sums(formed[0], formed[1], formed[2]) * F64x3::splat(avx2, trace)).to_array();
        for k in 0..3 {
            rhs[k] += gains[k];
            sizes[k] += formed[k];
        }
        closures.runs.push(columns.map(F64x3::to_array4));
        if !three_row_pass.goes_on {
            let mut triangle = closures.triangle(&three_row_pass);
            triangularize_run(avx2, &mut triangle, &mut closures.runs[three_row_pass.run as usize..]);
            closures.end_run(&three_row_pass, &triangle);
        }
    }
}

/// AVX2 twin of `triangularize_run` of `loops/ball_pass.rs`.
#[inline(always)]
fn triangularize_run(avx2: Avx2, t: &mut LowerTriangle3<f64>, run: &mut [RunColumns<f64>]) {
    let [mut square, mut in_b, mut in_c] = [F64x3::splat(avx2, 0.0); 3];
    for [a, b, c] in &*run {
        let (a, b, c) =
            (F64x3::from_array4(avx2, a), F64x3::from_array4(avx2, b), F64x3::from_array4(avx2, c));
        (square, in_b, in_c) = (square + a * a, in_b + a * b, in_c + a * c);
    }
    let (b_part, c_part) = reflect(t, 0, square.sum(), [in_b.sum(), in_c.sum()]);
    let (b_part, c_part) = (F64x3::splat(avx2, b_part), F64x3::splat(avx2, c_part));
    [square, in_c] = [F64x3::splat(avx2, 0.0); 2];
    for [a, b, c] in &mut *run {
        let a = F64x3::from_array4(avx2, a);
        let (to_b, to_c) =
            (F64x3::from_array4(avx2, b) - a * b_part, F64x3::from_array4(avx2, c) - a * c_part);
        (*b, *c) = (to_b.to_array4(), to_c.to_array4());
        (square, in_c) = (square + to_b * to_b, in_c + to_b * to_c);
    }
    let (c_part, _) = reflect(t, 1, square.sum(), [in_c.sum(), 0.0]);
    let c_part = F64x3::splat(avx2, c_part);
    square = F64x3::splat(avx2, 0.0);
    for [_, b, c] in &*run {
        let c = F64x3::from_array4(avx2, c) - F64x3::from_array4(avx2, b) * c_part;
        square = square + c * c;
    }
    reflect(t, 2, square.sum(), [0.0; 2]);
}

/// Σ h μ of the loop closures that pass a spherical link, of one right-hand side.
#[inline(always)]
pub(super) fn push(avx2: Avx2, closures: &LoopClosures<f64>, loop_step: u32, side: usize) -> F64x3 {
    let mut sum = F64x3::splat(avx2, 0.0);
    let Some(LoopPass { members, .. }) = &closures.symbolic.loop_steps[loop_step as usize].pass else {
        return sum;
    };
    for m in closures.symbolic.members(members) {
        let at = m.at as usize;
        let closure = &closures.all[m.closure as usize];
        let rows = closures.along[at..at + closure.kept_count as usize].iter();
        for (along, &answer) in rows.zip(&closure.found[side]) {
            sum = sum + F64x3::from_array(avx2, along) * F64x3::splat(avx2, answer);
        }
    }
    sum
}

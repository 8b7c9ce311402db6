//! Closures that pass a ball, with wide registers: the same bits as `ball_pass.rs`.

use super::{Quad, Wide, Work, cross};
use crate::graph::NONE;
use crate::math::Sym3;
use crate::spatial::Limb;
use crate::spatial::ball_pass::{Columns, OverBall, Triangle, reflect};
use crate::spatial::closure::{Closures, Sum};
use crate::spatial::route::Pass;

/// What [`eliminate_ball`](super::eliminate_ball) has at hand: r and t, G by rows, γ of the point and z, L with 1/Δ.
pub(super) struct Held {
    pub(super) arm: Quad,
    pub(super) to_point: Quad,
    pub(super) g: [Quad; 3],
    pub(super) side: [Quad; 2],
    pub(super) factor: Sym3,
    /// What closures do at the parent if that is a ball, too, or [`NONE`].
    pub(super) next: u32,
}

/// Carries the closures that pass a ball on to the parent.
#[inline(never)]
pub(super) fn pass(wide: Wide, closures: &mut Closures<f64>, limb: &Limb, held: &Held) {
    wide.run(PassBall { closures, limb, held });
}

struct PassBall<'s> {
    closures: &'s mut Closures<f64>,
    limb: &'s Limb,
    held: &'s Held,
}

impl Work for PassBall<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self, wide: Wide) {
        let PassBall { closures, limb, held } = self;
        let Some(pass) = closures.route.stops[limb.stop as usize].pass.clone() else { return };
        let Held { arm, to_point, g, side, factor: c, next } = held;
        let Some(trio) = closures.trio(&pass, *next) else {
            return closures.pass_by::<3>(&pass, &OverBall(limb));
        };
        // W, and the trace of C⁻¹.
        let across = c.xy * c.yz - c.xz;
        let roots = Quad::new(wide, c.xx, c.yy, c.zz).sqrt();
        let w = [
            roots * Quad::new(wide, 1.0, -c.xy, across),
            roots * Quad::new(wide, 0.0, 1.0, -c.yz),
            roots * Quad::new(wide, 0.0, 0.0, 1.0),
        ];
        let of_y = c.yy * (1.0 + c.xy * c.xy);
        let of_z = c.zz * (1.0 + c.yz * c.yz + across * across);
        let trace = c.xx + of_y + of_z;
        let zero = Quad::splat(wide, 0.0);
        let (mut columns, mut turns, mut gains, mut formed) = ([zero; 3], [zero; 3], [zero; 3], [zero; 3]);
        let (low, high) = match trio.above {
            NONE => (&mut closures.carried[..], None),
            above => {
                let (low, high) = closures.carried.split_at_mut(above as usize);
                (low, high.first_chunk_mut::<3>())
            }
        };
        let Some(rows) = low[trio.at..].first_chunk_mut::<3>() else { return };
        let mut above = [[zero; 2]; 3];
        for (k, row) in rows.iter_mut().enumerate() {
            let [lin, ang] = Quad::load_six(wide, row);
            let carried = cross(*arm, lin);
            let a = ang - carried;
            let (x, y, z) = (a.only::<0>(), a.only::<1>(), a.only::<2>());
            let column = w[0] * x + w[1] * y + w[2] * z;
            let beyond = lin - (g[0] * x + g[1] * y + g[2] * z);
            Quad::write_six([beyond, a], row);
            turns[k] = Quad::sums(w[0] * column, w[1] * column, w[2] * column);
            gains[k] = beyond * side[0] + a * side[1];
            formed[k] = ang * ang + carried * carried;
            above[k] = [beyond, cross(*to_point, beyond)];
            columns[k] = column;
        }
        if let Some(to) = high {
            for (to, up) in to.iter_mut().zip(above) {
                let [lin, ang] = Quad::load_six(wide, to);
                Quad::write_six([lin + up[0], ang + up[1]], to);
            }
        }
        if let Some(along) = closures.along[trio.at..].first_chunk_mut::<3>() {
            Quad::store_rows(turns, along);
        }
        let Sum { sides: [sides, _], formed: sizes } = &mut closures.sums[trio.sum];
        let gains = Quad::sums(gains[0], gains[1], gains[2]).numbers();
        let formed = (Quad::sums(formed[0], formed[1], formed[2]) * Quad::splat(wide, trace)).numbers();
        for k in 0..3 {
            sides[k] += gains[k];
            sizes[k] += formed[k];
        }
        closures.runs.push(columns.map(Quad::four));
        if !trio.goes_on {
            let mut triangle = closures.triangle(&trio);
            absorb_run(wide, &mut triangle, &mut closures.runs[trio.run as usize..]);
            closures.end_run(&trio, &triangle);
        }
    }
}

/// [`absorb_run`](crate::spatial::ball_pass) of all columns of a run.
#[inline(always)]
fn absorb_run(wide: Wide, t: &mut Triangle<f64>, run: &mut [Columns<f64>]) {
    let [mut square, mut in_b, mut in_c] = [Quad::splat(wide, 0.0); 3];
    for [a, b, c] in &*run {
        let (a, b, c) = (Quad::from_four(wide, a), Quad::from_four(wide, b), Quad::from_four(wide, c));
        (square, in_b, in_c) = (square + a * a, in_b + a * b, in_c + a * c);
    }
    let (b_part, c_part) = reflect(t, 0, square.sum(), [in_b.sum(), in_c.sum()]);
    let (b_part, c_part) = (Quad::splat(wide, b_part), Quad::splat(wide, c_part));
    [square, in_c] = [Quad::splat(wide, 0.0); 2];
    for [a, b, c] in &mut *run {
        let a = Quad::from_four(wide, a);
        let (to_b, to_c) = (Quad::from_four(wide, b) - a * b_part, Quad::from_four(wide, c) - a * c_part);
        (*b, *c) = (to_b.four(), to_c.four());
        (square, in_c) = (square + to_b * to_b, in_c + to_b * to_c);
    }
    let (c_part, _) = reflect(t, 1, square.sum(), [in_c.sum(), 0.0]);
    let c_part = Quad::splat(wide, c_part);
    square = Quad::splat(wide, 0.0);
    for [_, b, c] in &*run {
        let c = Quad::from_four(wide, c) - Quad::from_four(wide, b) * c_part;
        square = square + c * c;
    }
    reflect(t, 2, square.sum(), [0.0; 2]);
}

/// Σ h μ of the closures that pass a ball, of one right side.
#[inline(always)]
pub(super) fn push(wide: Wide, closures: &Closures<f64>, stop: u32, side: usize) -> Quad {
    let mut sum = Quad::splat(wide, 0.0);
    let Some(Pass { members, .. }) = &closures.route.stops[stop as usize].pass else { return sum };
    for m in closures.route.members(members) {
        let at = m.at as usize;
        let closure = &closures.all[m.closure as usize];
        let rows = closures.along[at..at + closure.kept_count as usize].iter();
        for (along, &answer) in rows.zip(&closure.found[side]) {
            sum = sum + Quad::three(wide, along) * Quad::splat(wide, answer);
        }
    }
    sum
}

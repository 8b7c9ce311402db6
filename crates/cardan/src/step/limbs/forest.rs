//! Joints of the forest closed one after another, from the roots: every body is put where its parent wants it.
//!
//! That is exact where a correction is not, and costs no solve; but it moves bodies without regard to their masses. So it is for gaps of h³
//! and less, and a tree that floats is put back where its centre of mass was. What is left are the joints that close loops.

use super::hold::{Common, Gap};
use super::rates::{Lever, lever_of};
use super::{Limbs, Measured, POSES, Place};
use crate::body::{BodyKind, Motion};
use crate::joint::Shape;
use crate::math::{Lane, Quat, Six, Vec3};
use crate::model::Model;
use crate::step::Workspace;
use cardan_solve::Task;
use cardan_solve::pack::{Mask, Pack};
use cardan_solve::spatial::wide::within;

/// Bodies that closing moves by more than this, beside their places and arms, were not to be closed without regard to masses.
pub(super) const LITTLE: f64 = 1e-6;

impl Place {
    /// Whether the body can be put where its parent wants it.
    pub(super) fn closes(&self) -> bool {
        self.kind == BodyKind::Rigid && self.hold.as_ref().is_none_or(|hold| hold.closes())
    }
}

/// Whether all joints of the forest can be closed one after another.
pub(in crate::step) fn closes_forest(work: &Workspace) -> bool {
    work.limbs.as_ref().is_some_and(|limbs| limbs.closes_forest)
}

/// The bodies of a tree that floats: what closing has moved of their masses.
#[derive(Default)]
struct Floating {
    moment: Vec3,
    mass: f64,
}

/// Moves all bodies of `work.next` by `work.shift`, and closes the joints of the forest: coordinates of `work.next`, and `work.motions`.
/// False if that took more than [`LITTLE`], or a number is not finite.
pub(in crate::step) fn advance_closed(model: &Model, work: &mut Workspace) -> bool {
    within(Advance(model, work))
}

struct Advance<'w>(&'w Model, &'w mut Workspace);

impl Task for Advance<'_> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        advance(self.0, self.1)
    }
}

#[inline(always)]
fn advance(model: &Model, work: &mut Workspace) -> bool {
    let Workspace { limbs, motions, next, shift, .. } = work;
    let Some(limbs) = limbs else { return false };
    limbs.knows_pose = false;
    if limbs.are_few {
        limbs.levers.resize(limbs.places.len(), Lever::default());
    }
    let mut is_near = true;
    let mut floating = Floating::default();
    // A parent is behind its children, and a tree in one piece.
    for (at, place) in limbs.places.iter().enumerate().rev() {
        let body = place.body as usize;
        let (q_at, v_at) = (place.q_at as usize, place.v_at as usize);
        let (Some(q), Some(u), Some(v)) = (
            next.q[q_at..].first_chunk_mut::<7>(),
            shift[v_at..].first_chunk::<6>(),
            next.v[v_at..].first_chunk::<6>(),
        ) else {
            continue;
        };
        let moved = Vec3::new(q[0] + u[0], q[1] + u[1], q[2] + u[2]);
        let turned = Quat { w: q[3], v: Vec3::new(q[4], q[5], q[6]) };
        let turned = turned_by(Vec3::new(u[3], u[4], u[5]), turned);
        let (mut pos, mut rot, mut axes) = (moved, turned, turned.matrix());
        let (vel, omega) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        if let Some(hold) = &place.hold {
            let (parent, own, theirs) = hold.sides();
            let mut turn = Vec3::ZERO;
            if let Shape::Hinge | Shape::Ball = hold.shape() {
                let parent: &Motion = &motions[parent];
                let on_ground = hold.on_ground();
                let (mut z, mut z_parent) = (Vec3::ZERO, Vec3::ZERO);
                if hold.shape() == Shape::Hinge {
                    z_parent = if on_ground { theirs.1 } else { parent.axes * theirs.1 };
                    z = axes * own.1;
                    // Takes one axis to the other, up to its cube.
                    turn = z.cross(z_parent);
                    // Less than the rounding of an axis is none.
                    if turn.dot(turn) > f64::EPSILON * f64::EPSILON {
                        rot = turned_by_little(turn, rot);
                        axes = rot.matrix();
                        z = axes * own.1;
                    }
                }
                let arm = axes * own.0;
                let arm_parent = if on_ground { theirs.0 } else { parent.axes * theirs.0 };
                pos = parent.pos + arm_parent - arm;
                if let Some(lever) = limbs.levers.get_mut(at) {
                    *lever = if hold.onto_b() {
                        Lever { arm_a: arm_parent, arm_b: arm, z_a: z_parent, z_b: z }
                    } else {
                        Lever { arm_a: arm, arm_b: arm_parent, z_a: z, z_b: z_parent }
                    };
                }
            } else {
                // By Newton's step, whose square is rounding.
                motions[body] = Motion { pos, rot, axes, vel, omega };
                let mut gap = Gap::default();
                hold.write_gap::<POSES>(model, motions, &mut gap);
                let sign = if hold.onto_b() { -1.0 } else { 1.0 };
                turn = gap.turn * sign;
                let anchor = pos + axes * own.0 + gap.shift * sign;
                rot = (Quat::exp(turn) * rot).renormalized();
                axes = rot.matrix();
                pos = anchor - axes * own.0;
            }
            let (by, size) = (pos - moved, pos.dot(pos) + hold.own_arm_squared());
            is_near &= by.dot(by) <= LITTLE * LITTLE * size && turn.dot(turn) <= LITTLE * LITTLE;
        }
        *q = [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z];
        motions[body] = Motion { pos, rot, axes, vel, omega };
        if limbs.floats {
            floating.moment += (pos - moved) * place.mass;
            floating.mass += place.mass;
            if at == 0 || limbs.places[at - 1].is_root(model) {
                limbs.sink(model, at, &mut floating, &mut next.q, motions);
            }
        }
    }
    is_near
}

/// exp(θ) q for θ of any size.
#[inline(always)]
pub(super) fn turned_by<T: Pack>(theta: Vec3<T>, q: Quat<T>) -> Quat<T> {
    let half = theta * T::splat(0.5);
    let n2 = half.dot(half);
    if (!T::splat(1e-3).above(n2)).any() {
        return lane_by_lane(theta, q);
    }
    // The next terms are below rounding.
    const S: [f64; 4] = [1.0 / 6.0, 1.0 / 20.0, 1.0 / 42.0, 1.0 / 72.0];
    const C: [f64; 4] = [0.5, 1.0 / 12.0, 1.0 / 30.0, 1.0 / 56.0];
    let (mut cos, mut sin) = (series(n2, [C[0], C[1]]), series(n2, [S[0], S[1]]));
    let is_more = !T::splat(1e-6).above(n2);
    if is_more.any() {
        cos = T::select(is_more, series(n2, C), cos);
        sin = T::select(is_more, series(n2, S), sin);
    }
    unit(Quat { w: cos, v: half * sin } * q)
}

/// 1 − a n (1 − b n (1 − …)).
#[inline(always)]
fn series<T: Lane, const N: usize>(n: T, c: [f64; N]) -> T {
    let mut sum = T::ONE;
    for k in (0..N).rev() {
        sum = T::ONE - n * T::splat(c[k]) * sum;
    }
    sum
}

/// The same for a large θ in some lane.
#[inline(never)]
fn lane_by_lane<T: Pack>(theta: Vec3<T>, q: Quat<T>) -> Quat<T> {
    let mut out = q;
    for i in 0..T::LANES {
        let lane = |v: Vec3<T>| Vec3::new(v.x.lane(i), v.y.lane(i), v.z.lane(i));
        let (theta, q) = (lane(theta), Quat { w: q.w.lane(i), v: lane(q.v) });
        let half = theta * 0.5;
        let n2 = half.dot(half);
        let turned = if n2 < 1e-3 { turned_by(theta, q) } else { (Quat::exp(theta) * q).renormalized() };
        out.w.set_lane(i, turned.w);
        out.v.x.set_lane(i, turned.v.x);
        out.v.y.set_lane(i, turned.v.y);
        out.v.z.set_lane(i, turned.v.z);
    }
    out
}

/// The same for a θ of about [`LITTLE`], whose fourth power is nothing.
#[inline(always)]
pub(super) fn turned_by_little<T: Pack>(theta: Vec3<T>, q: Quat<T>) -> Quat<T> {
    let half = theta * T::splat(0.5);
    unit(Quat { w: T::ONE - T::splat(0.5) * half.dot(half), v: half } * q)
}

/// A quaternion that is nearly of unit length, made so: 1/√n ≈ (3 − n)/2.
#[inline(always)]
pub(super) fn unit<T: Pack>(q: Quat<T>) -> Quat<T> {
    let n = q.w * q.w + q.v.dot(q.v);
    let scale = T::splat(1.5) - T::splat(0.5) * n;
    let near = Quat { w: q.w * scale, v: q.v * scale };
    let is_far = (n - T::ONE).abs().above(T::splat(1e-8)) | n.is_nan();
    if is_far.any() {
        let far = q.renormalized();
        let (w, x) = (T::select(is_far, far.w, near.w), T::select(is_far, far.v.x, near.v.x));
        let (y, z) = (T::select(is_far, far.v.y, near.v.y), T::select(is_far, far.v.z, near.v.z));
        return Quat { w, v: Vec3::new(x, y, z) };
    }
    near
}

impl Limbs {
    /// Has the gaps of joints that close loops, but for those that are as good as zero, as biases of their rows.
    pub(super) fn ask_closings(&mut self, bound: impl Fn(f64) -> f64) {
        let above = |v: Vec3, size: f64| {
            let least = bound(size);
            if v.dot(v) > least * least { v } else { Vec3::ZERO }
        };
        let Limbs { spatial, closings, closing_gaps, closings_are_common, .. } = self;
        for ((closure, closing), gap) in spatial.closures_mut().iter_mut().zip(closings).zip(closing_gaps) {
            let (shift, turn) = (above(gap.shift, gap.reach), above(gap.turn, 1.0));
            if *closings_are_common {
                closing.common_rows_of(shift, turn, &mut closure.bias);
            } else {
                closing.rows_of(shift, turn, &mut closure.bias);
            }
        }
    }

    /// Adds to the gaps of joints that close loops, which are all hinges and balls, what displacements of their ends make of them; the worst gap in units of
    /// its bound.
    #[inline(always)]
    pub(super) fn foresee(&mut self, moved: impl Fn(usize) -> Six, bound: impl Fn(f64) -> f64) -> f64 {
        let Limbs { spatial, closings, closing_levers, closing_gaps, .. } = self;
        let mut out = Measured::default();
        let all = closings.iter().zip(spatial.closures()).zip(closing_levers).zip(closing_gaps);
        for (((closing, closure), lever), gap) in all {
            let [a, b] = closure.places().map(|place| place.map_or(Six::ZERO, &moved));
            gap.shift += (b.lin + b.ang.cross(lever.arm_b)) - (a.lin + a.ang.cross(lever.arm_a));
            if closing.hold.shape() == Shape::Hinge {
                let turn = b.ang - a.ang;
                gap.turn += turn - lever.z_b * lever.z_b.dot(turn);
            }
            out.note::<POSES>(gap, false, &bound);
        }
        out.done().position_excess
    }

    /// Puts the tree that begins at a place back where its centre of mass was, if nothing holds it.
    #[cold]
    fn sink(
        &self,
        model: &Model,
        first: usize,
        floating: &mut Floating,
        q: &mut [f64],
        motions: &mut [Motion],
    ) {
        let Floating { moment, mass } = core::mem::take(floating);
        let back = moment / mass;
        let root = self.places[first..].iter().position(|place| place.is_root(model));
        let Some(root) = root.filter(|&root| self.places[first + root].hold.is_none()) else { return };
        for place in &self.places[first..=first + root] {
            let motion = &mut motions[place.body as usize];
            motion.pos -= back;
            q[place.q_at as usize..][..3].copy_from_slice(&motion.pos.to_array());
        }
    }
}

/// Solves for the shift that takes the gaps of the last measurement of joints that close loops away, those that are as good as zero excepted,
/// and opens no other; in `work.shift`, or added to it.
pub(in crate::step) fn correct_closings(work: &mut Workspace, is_added: bool, bound: impl Fn(f64) -> f64) {
    let Workspace { limbs, shift, counts, .. } = work;
    let Some(limbs) = limbs else { return };
    counts.solves += 1;
    limbs.ask_closings(bound);
    let Limbs { spatial, places, .. } = limbs;
    spatial.solve_closures(|at, x| {
        let place = &places[at];
        match shift[place.v_at as usize..].first_chunk::<6>() {
            Some(before) if is_added => {
                let sum = Six::from_slice(before) + *x;
                place.write_x(&sum, shift);
            }
            _ => place.write_x(x, shift),
        }
    });
}

/// Adds to the gaps of joints that close loops what the displacement of the last [`correct_closings`] makes of them, to first order at the pose of
/// `work.motions` and with the forest kept closed:  x_c = X x_p + N s. That is J x with J of this pose, not of the factor, without moving a
/// body. Returns the worst gap in units of its bound; `None` where there are other joints than hinges and balls.
pub(in crate::step) fn foresee_closings(work: &mut Workspace, bound: impl Fn(f64) -> f64) -> Option<f64> {
    let limbs = work.limbs.as_mut().filter(|limbs| limbs.is_common && limbs.closes_forest)?;
    let motions = &work.motions;
    let mut moves = core::mem::take(&mut limbs.moves);
    let Limbs { spatial, places, levers, .. } = &*limbs;
    for ((at, place), limb) in places.iter().enumerate().zip(spatial.limbs()).rev() {
        let Some(hold) = &place.hold else {
            moves[at] = limb.x;
            continue;
        };
        let parent = limb.parent().map_or(Six::ZERO, |parent| moves[parent]);
        moves[at] = carried_along(hold.common(), &lever_of(levers, at, hold, motions), &parent, limb.x.ang);
    }
    let left = limbs.foresee(|place| moves[place], bound);
    limbs.moves = moves;
    Some(left)
}

/// How a body is displaced that turns on its parent, by a hinge about its axis alone; the joint stays closed.
#[inline(always)]
pub(super) fn carried_along<T: Lane>(
    joint: Common,
    lever: &Lever<T>,
    parent: &Six<T>,
    mut turn: Vec3<T>,
) -> Six<T> {
    let Lever { arm_a, arm_b, z_b, .. } = lever;
    let (arm, arm_parent) = if joint.onto_b { (arm_b, arm_a) } else { (arm_a, arm_b) };
    if joint.is_hinge {
        turn = parent.ang + *z_b * z_b.dot(turn - parent.ang);
    }
    Six::new(parent.lin + parent.ang.cross(*arm_parent) - turn.cross(*arm), turn)
}

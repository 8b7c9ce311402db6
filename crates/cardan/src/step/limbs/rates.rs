//! The end of a step whose joints of the forest are closed (`forest.rs`): velocities are measured, the new pose is factored and velocities
//! are corrected in one sweep; then all joints are measured.
//!
//! What is needed of a pose again and again, the arms and axes of the joints in world axes, is kept from the closing on.

use super::fill::{Axes, Name, Place};
use super::hold::{Gap, Hold};
use super::{CLOSINGS, Closing, Limbs, Measured, POSES, RATES, measure};
use crate::body::Motion;
use crate::joint::Shape;
use crate::math::{Lane, Six, Sym3, Sym6, Vec3};
use crate::model::Model;
use crate::step::{Stage, StepError, Workspace, multipliers};
use cardan_solve::Task;
use cardan_solve::spatial::wide::{Quad, Quads, Wide, cross, within};
use cardan_solve::spatial::{Fill, Limb, More, Plain, ROOTS};

/// Arms and z axes of a joint on a and b; world axes.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Lever<T: Lane = f64> {
    pub(super) arm_a: Vec3<T>,
    pub(super) arm_b: Vec3<T>,
    pub(super) z_a: Vec3<T>,
    pub(super) z_b: Vec3<T>,
}

/// Arms and axes of the joint at a place: as they are kept, or made anew from the same motions.
#[inline(always)]
pub(super) fn lever_of(levers: &[Lever], at: usize, hold: &Hold, motions: &[Motion]) -> Lever {
    levers.get(at).copied().unwrap_or_else(|| hold.lever(motions))
}

/// Squares of the sizes of a body's place, velocity and angular velocity.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Sizes<T: Lane = f64> {
    pub(super) pos: T,
    pub(super) vel: T,
    pub(super) omega: T,
}

impl<T: Lane> Sizes<T> {
    #[inline(always)]
    pub(super) fn of(at: &Motion<T>) -> Self {
        Sizes { pos: at.pos.dot(at.pos), vel: at.vel.dot(at.vel), omega: at.omega.dot(at.omega) }
    }
}

/// How the anchors of a hinge or a ball move against each other, and how b turns against a across its axis; where b's anchor is from a.
#[inline(always)]
pub(super) fn slip<T: Lane>(
    (is_hinge, on_ground): (bool, bool),
    lever: &Lever<T>,
    a: &Motion<T>,
    b: &Motion<T>,
) -> (Vec3<T>, Vec3<T>, Vec3<T>) {
    let to_anchor = b.pos + lever.arm_b - a.pos;
    if on_ground {
        let rate = b.vel + b.omega.cross(lever.arm_b);
        let turn = if is_hinge { b.omega - lever.z_b * lever.z_b.dot(b.omega) } else { Vec3::ZERO };
        return (rate, turn, to_anchor);
    }
    let rate = (b.vel + b.omega.cross(lever.arm_b)) - (a.vel + a.omega.cross(to_anchor));
    if !is_hinge {
        return (rate, Vec3::ZERO, to_anchor);
    }
    let spin = b.omega - a.omega;
    (rate, spin - lever.z_b * lever.z_b.dot(spin), to_anchor)
}

/// What is factored, and with it the velocities that the joints must not have.
struct Rates<'w> {
    model: &'w Model,
    places: &'w [Place],
    motions: &'w [Motion],
    levers: &'w [Lever],
    inertias: &'w mut [Sym3],
}

impl Rates<'_> {
    /// Remembers I, where that is done.
    #[inline(always)]
    fn keep(&mut self, at: usize, inertia: &Sym3) {
        if let Some(kept) = self.inertias.get_mut(at) {
            *kept = *inertia;
        }
    }

    /// γ of a hinge or a ball: what takes away the velocity of one anchor against the other, and the turn across the axis.
    #[inline(always)]
    fn gamma(&self, hold: &Hold, lever: &Lever) -> Six {
        let (a, b) = hold.ends();
        let (a, b) = (&self.motions[a], &self.motions[b]);
        let is_hinge = hold.shape() == Shape::Hinge;
        let (shift, turn, to_anchor) = slip((is_hinge, hold.on_ground()), lever, a, b);
        if hold.onto_b() {
            return -Six::new(shift + lever.arm_b.cross(turn), turn);
        }
        Six::new(shift + to_anchor.cross(turn), turn)
    }
}

impl Fill<f64> for Rates<'_> {
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb, more: &mut More) {
        let place = &self.places[at];
        if place.is_plain {
            let plain = self.plain::<false, false>(at, limb, more);
            return limb.fill(&plain);
        }
        let inertia = place.inertia_along(&self.motions[place.body as usize].axes);
        self.keep(at, &inertia);
        limb.diag = Sym6::of_mass(place.mass, inertia);
        (limb.force, limb.gamma) = (Six::ZERO, Six::ZERO);
        let Some(hold) = &place.hold else { return };
        hold.write_frame(self.model, self.motions, limb, more);
        if let Shape::Hinge | Shape::Ball = hold.shape() {
            limb.gamma = self.gamma(hold, &lever_of(self.levers, at, hold, self.motions));
        } else {
            let mut gap = Gap::default();
            hold.write_gap::<RATES>(self.model, self.motions, &mut gap);
            hold.write_closing(self.motions, gap.shift_rate, gap.turn_rate, limb, more);
        }
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Limb,
        _: &mut More,
    ) -> Plain {
        let place = &self.places[at];
        let Some(hold) = &place.hold else { return Plain::default() };
        let (a, b) = hold.ends();
        let (a, b) = (&self.motions[a], &self.motions[b]);
        let lever = &lever_of(self.levers, at, hold, self.motions);
        let inertia = place.inertia_along(&self.motions[place.body as usize].axes);
        self.keep(at, &inertia);
        let (arm, shift) = match hold.onto_b() {
            true => (lever.arm_b, b.pos - a.pos),
            false => (b.pos + lever.arm_b - a.pos, a.pos - b.pos),
        };
        Plain {
            mass: place.mass,
            inertia,
            force: Six::ZERO,
            gamma: self.gamma(hold, lever),
            shift,
            first: hold.common().freedom(arm, lever.z_b),
        }
    }
    #[inline(always)]
    fn quads<const BALL: bool>(&mut self, wide: Wide, at: usize) -> Option<Quads> {
        let place = &self.places[at];
        let hold = place.hold.as_ref()?;
        let onto_b = hold.onto_b();
        // A hinge the other way round is rare.
        if !(onto_b || (BALL && !hold.on_ground())) {
            return None;
        }
        let (a, b) = hold.ends();
        let (a, b) = (&self.motions[a], &self.motions[b]);
        // Of very many bodies arms and inertias are not kept.
        let made;
        let lever = match self.levers.get(at) {
            Some(lever) => lever,
            None => {
                made = hold.lever(self.motions);
                &made
            }
        };
        let own = if onto_b { b } else { a };
        let inertia = place.inertia_wide(wide, &Axes::load(wide, &own.axes));
        if let Some(kept) = self.inertias.get_mut(at) {
            Quad::store_sym(inertia, kept);
        }
        let zero = Quad::splat(wide, 0.0);
        let arm = Quad::load(wide, &lever.arm_b);
        let (pos_a, pos_b) = (Quad::load(wide, &a.pos), Quad::load(wide, &b.pos));
        let to_anchor = pos_b + arm - pos_a;
        let mut spin = Quad::load(wide, &b.omega);
        let mut slip = Quad::load(wide, &b.vel) + cross(spin, arm);
        if !hold.on_ground() {
            let omega = Quad::load(wide, &a.omega);
            slip = slip - (Quad::load(wide, &a.vel) + cross(omega, to_anchor));
            spin = spin - omega;
        }
        let mass = Quad::splat(wide, place.mass);
        if !onto_b {
            let gamma = [slip + cross(to_anchor, zero), zero];
            let (shift, first) = (pos_a - pos_b, [to_anchor, zero]);
            return Some(Quads { mass, inertia, force: [zero; 2], gamma, shift, first });
        }
        let (mut first, mut turn) = ([arm, zero], zero);
        if !BALL {
            let z = Quad::load(wide, &lever.z_b);
            turn = spin - z * Quad::splat(wide, (z * spin).sum());
            first = [cross(arm, z), z];
        }
        let gamma = [-(slip + cross(arm, turn)), -turn];
        Some(Quads { mass, inertia, force: [zero; 2], gamma, shift: pos_b - pos_a, first })
    }
}

/// Factors at the pose of `work.next`, whose forest is closed, and takes velocities along what the joints lock away from `work.next` and
/// `work.motions`. Loads on the ground are impulses then.
pub(in crate::step) fn correct_rates(
    model: &Model,
    work: &mut Workspace,
    bound: impl Fn(f64) -> f64,
) -> Result<(), StepError> {
    if !write_closing_rates(work) {
        measure::<{ RATES | CLOSINGS }>(model, work, false, &bound);
    }
    let Workspace { limbs, motions, next, counts, .. } = work;
    let Some(limbs) = limbs else { return Ok(()) };
    counts.factorizations += 1;
    counts.solves += 1;
    limbs.factored.clear();
    if limbs.are_few {
        limbs.inertias.resize(limbs.places.len(), Sym3::default());
    }
    limbs.write_rows_for_rates(model, motions, &bound);
    let Limbs { spatial, places, names, levers, inertias, .. } = limbs;
    let outcome = spatial.factor(&mut Rates { model, places, motions, levers, inertias });
    outcome.map_err(|error| multipliers::solver_error(model, next.time, error, Stage::Projection))?;
    spatial.backward::<ROOTS>(|at: usize, x: &Six| {
        let Name { body, rigid_at, .. } = names[at];
        let motion = &mut motions[body as usize];
        motion.vel += x.lin;
        motion.omega += x.ang;
        Six::new(motion.vel, motion.omega).write(&mut next.v[rigid_at as usize..][..6]);
    });
    limbs.note_factor(model, &next.q);
    limbs.knows_pose = limbs.are_few && !limbs.factored.is_empty();
    Ok(())
}

impl Limbs {
    /// Rows of joints that close loops, with velocities along them, as they were measured last, for biases.
    pub(super) fn write_rows_for_rates(
        &mut self,
        model: &Model,
        motions: &[Motion],
        bound: impl Fn(f64) -> f64,
    ) {
        let is_common = self.closings_are_common;
        let Limbs { spatial, closings, closing_gaps, closing_levers, .. } = self;
        let above = |v: Vec3, size: f64| {
            let least = bound(size);
            if v.dot(v) > least * least { v } else { Vec3::ZERO }
        };
        let all = closings.iter_mut().zip(spatial.closures_mut()).zip(closing_gaps).zip(closing_levers);
        for (((closing, closure), gap), lever) in all {
            if is_common {
                closing.write_common_rows(motions, lever, closure);
            } else {
                closing.write_rows(model, motions, closure);
            }
            let (shift, turn) = (above(gap.shift_rate, gap.reach_rate), above(gap.turn_rate, gap.reach_spin));
            if is_common {
                closing.common_rows_of(shift, turn, &mut closure.bias);
            } else {
                closing.rows_of(shift, turn, &mut closure.bias);
            }
        }
    }
}

/// Poses of joints that close loops.
pub(in crate::step) fn measure_closings(
    model: &Model,
    work: &mut Workspace,
    bound: impl Fn(f64) -> f64,
) -> Measured {
    match &mut work.limbs {
        Some(limbs) if limbs.closings_are_common => {
            let Limbs { closings, closing_levers, closing_gaps, .. } = limbs;
            let (motions, mut out) = (&work.motions, Measured::default());
            let all = closings.iter().zip(closing_levers).zip(closing_gaps);
            for ((Closing { hold, .. }, lever), gap) in all {
                *lever = hold.lever(motions);
                let (a, b) = hold.ends();
                let (a, b) = (&motions[a], &motions[b]);
                gap.shift = b.pos + lever.arm_b - a.pos - lever.arm_a;
                gap.reach = a.pos.reach() + lever.arm_a.reach() + b.pos.reach() + lever.arm_b.reach();
                if hold.shape() == Shape::Hinge {
                    gap.turn = lever.z_a.cross(lever.z_b) / lever.z_a.dot(lever.z_b);
                }
                out.note::<POSES>(gap, false, &bound);
            }
            out.done()
        }
        _ => measure::<{ POSES | CLOSINGS }>(model, work, false, &bound),
    }
}

/// Rates of joints that close loops, whose poses were measured last, where they are all hinges and balls; false if not.
#[inline(always)]
pub(super) fn write_closing_rates(work: &mut Workspace) -> bool {
    let Workspace { limbs, motions, .. } = work;
    let Some(limbs) = limbs.as_mut().filter(|limbs| limbs.closings_are_common) else { return false };
    let Limbs { closings, closing_levers, closing_gaps, .. } = limbs;
    for ((Closing { hold, .. }, lever), gap) in closings.iter().zip(closing_levers).zip(closing_gaps) {
        let (a, b) = hold.ends();
        let (a, b) = (&motions[a], &motions[b]);
        let is_hinge = hold.shape() == Shape::Hinge;
        (gap.shift_rate, gap.turn_rate, _) = slip((is_hinge, false), lever, a, b);
        let (spin_a, spin_b) = (a.omega.reach(), b.omega.reach());
        gap.reach_rate =
            a.vel.reach() + spin_a * lever.arm_a.reach() + b.vel.reach() + spin_b * lever.arm_b.reach();
        gap.reach_spin = spin_a + spin_b;
    }
    true
}

/// The worst of them.
pub(super) fn measure_closing_rates(
    model: &Model,
    work: &mut Workspace,
    bound: impl Fn(f64) -> f64,
) -> Measured {
    if !write_closing_rates(work) {
        return measure::<{ RATES | CLOSINGS }>(model, work, false, &bound);
    }
    let mut out = Measured::default();
    let gaps = work.limbs.iter_mut().flat_map(|limbs| &mut limbs.closing_gaps);
    gaps.for_each(|gap| out.note::<RATES>(gap, false, &bound));
    out.done()
}

/// How far all joints are from closed, poses and rates, where the last correction was [`correct_rates`]; `poses` has those of joints that
/// close loops.
pub(in crate::step) fn measure_closed(
    model: &Model,
    work: &mut Workspace,
    poses: &Measured,
    bound: impl Fn(f64) -> f64,
) -> Measured {
    within(Measure { model, work, poses, bound })
}

struct Measure<'w, B> {
    model: &'w Model,
    work: &'w mut Workspace,
    poses: &'w Measured,
    bound: B,
}

impl<B: Fn(f64) -> f64> Task for Measure<'_, B> {
    type Output = Measured;
    #[inline(always)]
    fn run(self) -> Measured {
        measure_within(self.model, self.work, self.poses, self.bound)
    }
}

#[inline(always)]
fn measure_within(
    model: &Model,
    work: &mut Workspace,
    poses: &Measured,
    bound: impl Fn(f64) -> f64,
) -> Measured {
    let rates = measure_closing_rates(model, work, &bound);
    let Measured { position, position_excess, position_size, .. } = *poses;
    let closings = Measured { position, position_excess, position_size, ..rates };
    let Workspace { limbs, motions, .. } = work;
    let Some(Limbs { places, levers, .. }) = limbs else { return closings };
    let mut out = closings.squared();
    // Σ of four terms, squared, is about twice the sum of their squares.
    let unit = 2.0 * bound(1.0) * bound(1.0);
    let least = bound(0.0) * bound(0.0);
    // Nothing, unless a number is not finite.
    let mut nothing = 0.0;
    for (at, place) in places.iter().enumerate() {
        let own = &Sizes::of(&motions[place.body as usize]);
        nothing += (own.pos + own.vel + own.omega) * 0.0;
        let Some(hold) = &place.hold else { continue };
        let kind = hold.shape();
        if !matches!(kind, Shape::Hinge | Shape::Ball) {
            let mut gap = Gap::default();
            hold.write_gap::<{ super::BOTH }>(model, motions, &mut gap);
            out.note::<{ super::BOTH }>(&mut gap, false, &bound);
            continue;
        }
        let (a, b) = hold.ends();
        let lever = &lever_of(levers, at, hold, motions);
        let (a, b) = (&motions[a], &motions[b]);
        // The ground is at the origin and at rest.
        let parent = &Sizes::of(if hold.onto_b() { a } else { b });
        let (rate, slip, to_anchor) = slip((kind == Shape::Hinge, hold.on_ground()), lever, a, b);
        let offset = to_anchor - lever.arm_a;
        let (arm_a, arm_b) = hold.arms_squared();
        let (of_a, of_b) = if hold.onto_b() { (parent, own) } else { (own, parent) };
        out.note_position(offset.dot(offset), unit * (own.pos + parent.pos + arm_a + arm_b) + least);
        let size = own.vel + parent.vel + of_a.omega * arm_a + of_b.omega * arm_b;
        out.note_velocity(rate.dot(rate), unit * size + least);
        if kind == Shape::Hinge {
            let turn = lever.z_a.cross(lever.z_b);
            out.note_position(turn.dot(turn), unit + least);
            out.note_velocity(slip.dot(slip), unit * (own.omega + parent.omega) + least);
        }
    }
    out.velocity_size += nothing;
    out.done()
}

impl Measured {
    /// Notes an error beside its bound, both squared.
    #[inline(always)]
    fn note_position(&mut self, error: f64, bound: f64) {
        super::keep_larger(&mut self.position, error);
        if error > self.position_excess * bound || error.is_nan() {
            self.position_excess = error / bound;
        }
    }
    #[inline(always)]
    fn note_velocity(&mut self, error: f64, bound: f64) {
        super::keep_larger(&mut self.velocity, error);
        if error > self.velocity_excess * bound || error.is_nan() {
            self.velocity_excess = error / bound;
        }
    }
    pub(super) fn squared(mut self) -> Self {
        for x in
            [&mut self.position, &mut self.velocity, &mut self.position_excess, &mut self.velocity_excess]
        {
            *x *= *x;
        }
        self
    }
}

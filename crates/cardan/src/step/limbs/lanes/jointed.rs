//! Jointed: a step of Euler's rules on joint coordinates.
//!
//! Baraff's middle ground (`step/coordinates/`) where all joints are hinges and balls: what these leave free is carried, and every body follows from its parent.
//!
//! ```text
//! hinge   p̈ = z·(ω̇_b − ω̇_a)                    rot_c = rot_p (c 1 + s k),  c and s of p/2, quaternions 1 and k given
//! ball    ẇ = Aᵀ (ω̇_b − ω̇_a − ω_a × ω_b)        rot_c = rot_p P turn C,     A the axes of a's joint frame
//! both    pos_c = pos_p + arm_p − arm_c          vel_c = vel_p + ω_p × arm_p − ω_c × arm_c
//! ```
//!
//! There is nothing to project, so a step is two sweeps: accelerations, and bodies put where these lead, from roots to leaves; what the equations leave over, and the elimination
//! at the new poses with its right side, from leaves to roots. The next step begins with the latter. Poses follow from joint coordinates alone, by the very functions of a step, so a step
//! that begins with nothing at hand has the same bits. One mechanism alone (`f64`) goes this way too.

use super::super::Limbs;
use super::super::braided::braided;
use super::super::fill::{inertia_along, weight_of_rigid};
use super::super::forest::{turned_by, unit};
use super::super::hold::Common;
use super::super::rates::{Lever, Sizes};
use super::super::sheaf::{Bundle, are_same};
use super::{
    Beside, Gaps, Ground, Judge, Judging, Kin, Lanes, Measured, Meter, Nothing, Seat, Spot, Structure, Taken,
    freedom,
};
use crate::body::Motion;
use crate::math::{Lane, MOST_ANGLE, Quat, Six, Sym3, Sym6, Vec3, sin_cos};
use crate::model::{Model, ModelJoint};
use crate::state::State;
use crate::step::stabilise::NOISE;
use crate::step::{Integrator, Settings, StepReport, Workspace};
use cardan_solve::pack::{Mask, Pack};
use cardan_solve::spatial::{Fill, Limb, More, NO_LOADS, Plain, Take};

/// What the joint of a place leaves free, and how its child follows from that.
#[derive(Copy, Clone, Debug)]
pub(in crate::step::limbs) struct Free<T: Lane> {
    /// Now and where the last step led, like [`Seat::motion`]: the angle of a hinge in `w`, or the turn of a ball.
    value: [Quat<T>; 2],
    /// Its rate: of a hinge in `x`, of a ball in the axes of a's joint frame.
    rate: [Vec3<T>; 2],
    /// Of a hinge the turn of the child seen from its parent where the angle is none, of a ball the joint frame of the parent.
    one: Quat<T>,
    /// Of a hinge what a half turn makes of that, of a ball the child's body seen from its joint frame.
    other: Quat<T>,
    /// Of a hinge the turn of the child seen from its parent, by the last coordinates that were looked at.
    seen: Quat<T>,
}

impl<T: Pack> Free<T> {
    /// From the joint of every lane; nothing for a body that floats.
    pub(in crate::step::limbs) fn of<'m>(
        spot: &Spot,
        joint: impl Fn(usize) -> Option<&'m ModelJoint>,
    ) -> Self {
        let Common { is_hinge, onto_b, .. } = spot.joint;
        let fixed = |lane: usize| {
            let Some(joint) = joint(lane) else { return (Quat::IDENTITY, Quat::IDENTITY) };
            let (a, b) = (joint.a.local.rot, joint.b.local.rot);
            let (parent, child) = if onto_b { (a, b.inverse()) } else { (b, a.inverse()) };
            let axis = if onto_b { Vec3::Z } else { -Vec3::Z };
            match is_hinge {
                true => (parent * child, parent * Quat { w: 0.0, v: axis } * child),
                false => (parent, child),
            }
        };
        let pack = |f: &dyn Fn(usize) -> Quat| {
            let number = |g: fn(Quat) -> f64| T::from_lanes(|lane| g(f(lane)));
            Quat { w: number(|q| q.w), v: Vec3::new(number(|q| q.v.x), number(|q| q.v.y), number(|q| q.v.z)) }
        };
        Free { one: pack(&|lane| fixed(lane).0), other: pack(&|lane| fixed(lane).1), ..Free::default() }
    }

    /// Takes over the coordinates of a joint in a lane, laid out like those of its body.
    pub(super) fn load(
        &mut self,
        (lane, side): (usize, usize),
        is_hinge: bool,
        p: &[f64; 7],
        rate: &[f64; 6],
    ) {
        let (value, to) = (&mut self.value[side & 1], &mut self.rate[side & 1]);
        let (p, rate) = match is_hinge {
            true => ([p[0], 0.0, 0.0, 0.0], [rate[0], 0.0, 0.0]),
            false => ([p[3], p[4], p[5], p[6]], [rate[3], rate[4], rate[5]]),
        };
        value.w.set_lane(lane, p[0]);
        super::set(&mut value.v, lane, [p[1], p[2], p[3]]);
        super::set(to, lane, rate);
    }

    /// And gives them back; all that a joint does not carry is left as it is.
    pub(super) fn store(
        &self,
        (lane, side): (usize, usize),
        is_hinge: bool,
        p: &mut [f64],
        rate: &mut [f64],
    ) {
        let (value, from) = (&self.value[side & 1], super::get(self.rate[side & 1], lane));
        if is_hinge {
            (p[0], rate[0]) = (value.w.lane(lane), from[0]);
        } else {
            p[3] = value.w.lane(lane);
            p[4..7].copy_from_slice(&super::get(value.v, lane));
            rate[3..6].copy_from_slice(&from);
        }
    }

    /// Takes over the coordinates of all lanes, laid out like those of bodies.
    #[inline(always)]
    pub(in crate::step::limbs) fn set(&mut self, side: usize, is_hinge: bool, p: &[T; 7], rate: &[T; 6]) {
        let (value, to) = (&mut self.value[side & 1], &mut self.rate[side & 1]);
        if is_hinge {
            (value.w, to.x) = (p[0], rate[0]);
        } else {
            *value = Quat { w: p[3], v: Vec3::new(p[4], p[5], p[6]) };
            *to = Vec3::new(rate[3], rate[4], rate[5]);
        }
    }

    /// And gives them back, with what stands in the places of those that a joint does not carry.
    #[inline(always)]
    pub(in crate::step::limbs) fn get(&self, side: usize, is_hinge: bool) -> ([T; 7], [T; 6]) {
        let (value, rate) = (&self.value[side & 1], &self.rate[side & 1]);
        let (zero, one) = (T::ZERO, T::ONE);
        match is_hinge {
            true => ([value.w, zero, zero, one, zero, zero, zero], [rate.x, zero, zero, zero, zero, zero]),
            false => {
                let Vec3 { x, y, z } = value.v;
                ([zero, zero, zero, value.w, x, y, z], [zero, zero, zero, rate.x, rate.y, rate.z])
            }
        }
    }

    /// The angle of a hinge in a lane.
    pub(super) fn angle(&self, lane: usize, side: usize) -> f64 {
        self.value[side & 1].w.lane(lane)
    }

    /// Looks at the coordinates on one side.
    #[inline(always)]
    pub(in crate::step::limbs) fn look(&mut self, side: usize, is_hinge: bool) {
        if is_hinge {
            let (s, c) = sin_cos(self.value[side & 1].w * T::splat(0.5));
            let Free { one, other, .. } = self;
            self.seen = Quat { w: one.w * c + other.w * s, v: one.v * c + other.v * s };
        }
    }

    /// a's joint frame of a ball, of the bodies at its ends.
    #[inline(always)]
    fn frame_of_a(&self, joint: Common, own: Quat<T>, parent: Quat<T>) -> Quat<T> {
        if joint.onto_b { parent * self.one } else { own * self.other.inverse() }
    }
}

impl<T: Lane> Default for Free<T> {
    fn default() -> Self {
        let one = Quat::IDENTITY;
        Free { value: [one; 2], rate: [Vec3::ZERO; 2], one, other: one, seen: one }
    }
}

/// v as q turns it.
#[inline(always)]
fn turned<T: Lane>(q: Quat<T>, v: Vec3<T>) -> Vec3<T> {
    let t = q.v.cross(v);
    let t = t + t;
    v + t * q.w + q.v.cross(t)
}

/// A body where its joint wants it, and how far the joint is from closed there.
pub(in crate::step::limbs) struct Put<T: Lane> {
    motion: Motion<T>,
    lever: Lever<T>,
    inertia: Sym3<T>,
    sizes: Sizes<T>,
    gaps: Gaps<T>,
}

impl<T: Pack> Put<T> {
    /// By the coordinates on one side, which were looked at, and where its parent is.
    #[inline(always)]
    pub(in crate::step::limbs) fn new(
        seat: &Seat<T>,
        free: &Free<T>,
        side: usize,
        parent: &Motion<T>,
    ) -> Self {
        let Seat { spot: Spot { joint, is_principal, .. }, part, .. } = seat;
        let (value, rate) = (&free.value[side & 1], free.rate[side & 1]);
        let arm_parent = parent.axes * part.theirs.0;
        let (rot, mut turns) = if joint.is_hinge {
            (unit(parent.rot * free.seen), Vec3::ZERO)
        } else {
            let near = parent.rot * free.one;
            let far = near * if joint.onto_b { *value } else { value.inverse() };
            (unit(far * free.other), turned(if joint.onto_b { near } else { far }, rate))
        };
        let axes = rot.matrix();
        let arm = axes * part.own.0;
        let (arm_a, arm_b) = joint.sides(arm, arm_parent);
        let mut lever = Lever { arm_a, arm_b, ..Lever::default() };
        let mut turn = Vec3::ZERO;
        if joint.is_hinge {
            (lever.z_a, lever.z_b) = joint.sides(axes * part.own.1, parent.axes * part.theirs.1);
            turns = lever.z_b * rate.x;
            turn = lever.z_b - lever.z_a;
        }
        let omega = if joint.onto_b { parent.omega + turns } else { parent.omega - turns };
        let anchor = parent.pos + arm_parent;
        let carried = parent.vel + parent.omega.cross(arm_parent);
        let swings = omega.cross(arm);
        let (pos, vel) = (anchor - arm, carried - swings);
        let spin = omega - parent.omega;
        Put {
            motion: Motion { pos, rot, axes, vel, omega },
            lever,
            inertia: inertia_along(*is_principal, &part.inertia, &axes),
            sizes: Sizes { pos: pos.dot(pos), vel: vel.dot(vel), omega: omega.dot(omega) },
            gaps: Gaps {
                offset: (pos + arm) - anchor,
                rate: (vel + swings) - carried,
                turn,
                slip: if joint.onto_b { spin - turns } else { spin + turns },
            },
        }
    }

    /// Onto one side of its seat. One by one: together they would be put on the stack first.
    #[inline(always)]
    pub(in crate::step::limbs) fn onto(self, seat: &mut Seat<T>, side: usize) {
        let Put { motion, lever, inertia, sizes, .. } = self;
        let to = &mut seat.motion[side & 1];
        to.pos = motion.pos;
        to.rot = motion.rot;
        to.axes = motion.axes;
        to.vel = motion.vel;
        to.omega = motion.omega;
        let to = &mut seat.lever[side & 1];
        to.arm_a = lever.arm_a;
        to.arm_b = lever.arm_b;
        if seat.spot.joint.is_hinge {
            to.z_a = lever.z_a;
            to.z_b = lever.z_b;
        }
        seat.inertia[side & 1] = inertia;
        seat.sizes = sizes;
    }
}

/// The same of a body that floats, whose pose and velocities are there.
#[inline(always)]
pub(in crate::step::limbs) fn place_floating<T: Pack>(seat: &mut Seat<T>, side: usize) {
    let motion = &mut seat.motion[side & 1];
    motion.axes = motion.rot.matrix();
    seat.sizes = Sizes::of(motion);
    seat.inertia[side & 1] = inertia_along(seat.spot.is_principal, &seat.part.inertia, &motion.axes);
}

/// Where accelerations lead to.
pub(in crate::step::limbs) struct Going<'w, T: Pack, K = Beside> {
    seats: &'w mut [Seat<T>],
    frees: &'w mut [Free<T>],
    now: usize,
    h: T,
    semi_implicit: bool,
    meter: Meter<T>,
    pub(in crate::step::limbs) out: Measured<T>,
    /// Where an angle is too large for its sine.
    pub(in crate::step::limbs) is_far: T::Mask,
    kin: K,
}

impl<'w, T: Pack, K> Going<'w, T, K> {
    /// By a step of `h`, with Euler's rule that uses the new rates or the one that uses the old ones.
    #[inline(always)]
    pub(in crate::step::limbs) fn new(
        (seats, frees): (&'w mut [Seat<T>], &'w mut [Free<T>]),
        now: usize,
        (h, semi_implicit): (T, bool),
        kin: K,
    ) -> Self {
        let (out, is_far) = (Measured::default(), T::Mask::NONE);
        Going { seats, frees, now, h, semi_implicit, meter: Meter::new(), out, is_far, kin }
    }
}

/// Takes accelerations and moves along what joints leave free. Bodies are put in their places after that: what one of them waits for is a long chain of operations, and those of
/// the next can begin in between.
impl<T: Pack, K: Kin<T>> Take<T> for Going<'_, T, K> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        let seat = &mut self.seats[at];
        seat.x = *x;
        let spot = seat.spot;
        self.kin.tell_x(seat, at);
        match (spot.is_held, spot.joint.onto_b) {
            (false, _) => {}
            (true, true) => self.go::<true>(at, spot, x),
            (true, false) => self.go::<false>(at, spot, x),
        }
    }
}

impl<T: Pack, K: Kin<T>> Going<'_, T, K> {
    #[inline(always)]
    fn go<const ONTO_B: bool>(&mut self, at: usize, spot: Spot, x: &Six<T>) {
        let (now, next, h) = (self.now & 1, (self.now & 1) ^ 1, self.h);
        let joint = spot.joint.onto::<ONTO_B>();
        let (seat, free) = (&self.seats[at], &mut self.frees[at]);
        let parent = self.kin.x(self.seats, at).ang;
        let (a, b) = joint.sides(x.ang, parent);
        let along = b - a;
        let before = (free.value[now], free.rate[now]);
        if joint.is_hinge {
            let rate = before.1.x + seat.lever[now].z_b.dot(along) * h;
            let angle = before.0.w + if self.semi_implicit { rate } else { before.1.x } * h;
            (free.value[next].w, free.rate[next].x) = (angle, rate);
            self.is_far = self.is_far | angle.abs().above(T::splat(MOST_ANGLE));
        } else {
            let own = &seat.motion[now];
            let frame = free.frame_of_a(joint, own.rot, self.kin.motion(self.seats, at, now).rot);
            let rate = before.1 + turned(frame.inverse(), along - seat.held.1) * h;
            let used = if self.semi_implicit { rate } else { before.1 };
            (free.value[next], free.rate[next]) = (turned_by(used * h, before.0), rate);
        }
        free.look(next, joint.is_hinge);
    }

    /// Puts the bodies where that leads, from roots to leaves.
    #[inline(always)]
    pub(in crate::step::limbs) fn put_all(&mut self) {
        for at in (0..self.frees.len()).rev() {
            match (self.seats[at].spot.is_held, self.seats[at].spot.joint.onto_b) {
                (false, _) => self.put_floating(at),
                (true, true) => self.put::<true>(at),
                (true, false) => self.put::<false>(at),
            }
            let next = (self.now & 1) ^ 1;
            self.kin.tell_pose(&self.seats[at], at, next, Vec3::ZERO);
        }
    }

    #[inline(always)]
    fn put<const ONTO_B: bool>(&mut self, at: usize) {
        let next = (self.now & 1) ^ 1;
        let seat = &self.seats[at];
        let joint = seat.spot.joint.onto::<ONTO_B>();
        let theirs = &*self.kin.motion(self.seats, at, next);
        let put = Put::new(seat, &self.frees[at], next, theirs);
        let parent = self.kin.sizes(self.seats, at, theirs);
        self.out.nothing += (put.sizes.pos + put.sizes.vel + put.sizes.omega) * T::ZERO;
        self.meter.note_gaps(joint, &seat.part, &put.gaps, (put.sizes, parent), &mut self.out);
        put.onto(&mut self.seats[at], next);
    }

    #[inline(always)]
    fn put_floating(&mut self, at: usize) {
        let (now, next, h) = (self.now & 1, (self.now & 1) ^ 1, self.h);
        let seat = &mut self.seats[at];
        let (before, x) = (&seat.motion[now], &seat.x);
        let (vel, omega) = (before.vel + x.lin * h, before.omega + x.ang * h);
        let (used, spin) = if self.semi_implicit { (vel, omega) } else { (before.vel, before.omega) };
        let (pos, rot) = (before.pos + used * h, turned_by(spin * h, before.rot));
        let motion = &mut seat.motion[next];
        (motion.pos, motion.rot) = (pos, rot);
        (motion.vel, motion.omega) = (vel, omega);
        place_floating(seat, next);
        let own = seat.sizes;
        self.out.nothing += (own.pos + own.vel + own.omega) * T::ZERO;
    }
}

/// What goes into the places on one side, right sides included. Answers on the other side may be certified before.
pub(in crate::step::limbs) struct Anew<'w, T: Lane, J, K = Beside> {
    pub(in crate::step::limbs) seats: &'w mut [Seat<T>],
    pub(in crate::step::limbs) side: usize,
    pub(in crate::step::limbs) gravity: Vec3<T>,
    pub(in crate::step::limbs) judging: J,
    pub(in crate::step::limbs) kin: K,
}

impl<T: Pack, J: Judge<T>, K: Kin<T>> Fill<T> for Anew<'_, T, J, K> {
    /// Bodies that float: all others are plain, or balls.
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        let side = self.side & 1;
        self.judging.judge::<false>((self.seats, side ^ 1), at, Common::default(), (limb, more), &self.kin);
        let seat = &mut self.seats[at];
        seat.force = weight_of_rigid(seat.part.mass, &seat.inertia[side], self.gravity, &seat.motion[side]);
        (limb.diag, limb.force) = (Sym6::of_mass(seat.part.mass, seat.inertia[side]), seat.force);
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        limb: &mut Limb<T>,
        more: &mut More<T>,
    ) -> Plain<T> {
        let side = self.side & 1;
        let joint = Common { is_hinge: !BALL, onto_b: !TURNED, ..self.seats[at].spot.joint };
        self.judging.judge::<true>((self.seats, side ^ 1), at, joint, (limb, more), &self.kin);
        let seat = &self.seats[at];
        let (own, parent) = (&seat.motion[side], &*self.kin.motion(self.seats, at, side));
        let (lever, (a, b)) = (&seat.lever[side], joint.sides(own, parent));
        let (gamma, bias, turn) = joint.closed_gamma(a, b, lever.arm_b);
        let plain = Plain {
            mass: seat.part.mass,
            inertia: seat.inertia[side],
            force: weight_of_rigid(seat.part.mass, &seat.inertia[side], self.gravity, own),
            gamma,
            shift: own.pos - parent.pos,
            first: freedom(joint, lever, a, b),
        };
        let seat = &mut self.seats[at];
        (seat.force, seat.held) = (plain.force, (bias, turn));
        plain
    }
}

impl<T: Pack> Lanes<T> {
    /// Whether joint coordinates are carried.
    #[inline(always)]
    pub(super) fn is_jointed(&self) -> bool {
        !self.frees.is_empty()
    }

    /// One step of `h` on joint coordinates, into `next`.
    #[inline(always)]
    pub(super) fn jointed_step(&mut self, h: f64, semi_implicit: bool) -> Taken<T> {
        if !self.is_factored && !self.begin() {
            return Taken::all_odd();
        }
        self.is_factored = false;
        let (measured, is_far) = self.go(T::splat(h), semi_implicit);
        let Some((residual, ground)) = self.certify_and_eliminate() else { return Taken::all_odd() };
        self.book(h, ground);
        let lost = (measured.position + measured.velocity + measured.nothing) * T::ZERO;
        let (least, noise) = (T::splat(1e-12), T::splat(NOISE));
        Taken {
            odd: residual.above(least)
                | residual.is_nan()
                | is_far
                | measured.position_excess.above(noise)
                | measured.velocity_excess.above(noise)
                | lost.is_nan(),
            position_error: measured.position,
            velocity_error: measured.velocity,
            equation_residual: residual,
        }
    }

    /// Poses of the present joint coordinates, and the elimination there; false if there is none.
    #[inline(always)]
    fn begin(&mut self) -> bool {
        let Lanes { seats, frees, now, spatial, gravity, .. } = self;
        let side = *now & 1;
        for at in (0..frees.len()).rev() {
            if seats[at].spot.is_held {
                frees[at].look(side, seats[at].spot.joint.is_hinge);
                let put = Put::new(&seats[at], &frees[at], side, &Beside.motion(seats, at, side));
                put.onto(&mut seats[at], side);
            } else {
                place_floating(&mut seats[at], side);
            }
        }
        spatial.factor(&mut Anew { seats, side, gravity: *gravity, judging: (), kin: Beside }).is_ok()
    }

    /// Accelerations, and where they lead to: how far all joints are from closed there, and where angles are too large.
    #[inline(always)]
    fn go(&mut self, h: T, semi_implicit: bool) -> (Measured<T>, T::Mask) {
        let Lanes { seats, frees, now, spatial, .. } = self;
        let mut going = Going::new((seats, frees), *now & 1, (h, semi_implicit), Beside);
        spatial.backward::<NO_LOADS>(Lend(&mut going));
        going.put_all();
        (going.out.roots(), going.is_far)
    }

    /// What the equations leave over, with what the ground exerts; and the elimination at the new poses. Nothing if there is none.
    #[inline(always)]
    fn certify_and_eliminate(&mut self) -> Option<(T, Ground<T>)> {
        let Lanes { seats, now, spatial, waiting, gravity, .. } = self;
        let judging = Judging::new(waiting, Nothing);
        let mut anew = Anew { seats, side: (*now & 1) ^ 1, gravity: *gravity, judging, kin: Beside };
        spatial.factor(&mut anew).ok()?;
        Some((anew.judging.worst.0.sqrt(), anew.judging.ground))
    }
}

/// Whoever takes, lent.
pub(in crate::step::limbs) struct Lend<'t, A>(pub(in crate::step::limbs) &'t mut A);
impl<T: Lane, A: Take<T>> Take<T> for Lend<'_, A> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        self.0.take(at, x);
    }
}

/// One mechanism whose joint coordinates are carried.
#[derive(Debug)]
struct Single {
    /// Its bodies side by side.
    abreast: Option<Box<dyn Bundle>>,
    lanes: Lanes<f64>,
    semi_implicit: bool,
    /// The joint coordinates that the elimination at hand is of.
    q: Vec<f64>,
    v: Vec<f64>,
    is_at_hand: bool,
    steps: u64,
}

/// Steps on joint coordinates, where all joints are hinges and balls and nothing but weight acts: bodies side by side where that pays, one after another where not, or
/// where a step asks for more than the others do. The bits are the same.
pub(in crate::step) fn jointed(model: &Model, settings: &Settings, limbs: &Limbs) -> Option<Box<dyn Bundle>> {
    let structure = Structure::of_limbs(model, settings, limbs).filter(|structure| structure.is_jointed)?;
    Some(Box::new(Single {
        abreast: braided(model, settings, limbs),
        lanes: Lanes::new(&structure, &[model])?,
        semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
        q: Vec::with_capacity(model.q_len),
        v: Vec::with_capacity(model.v_len),
        is_at_hand: false,
        steps: 0,
    }))
}

impl Bundle for Single {
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if !(state.assembled && state.has_joints()) || state.still {
            return None;
        }
        if let Some(abreast) = &mut self.abreast
            && let Some(report) = abreast.step(model, state, h, work)
        {
            self.is_at_hand = false;
            self.steps += 1;
            return Some(report);
        }
        let is_ours = core::mem::take(&mut self.is_at_hand)
            && are_same(&self.q, &state.joint_q)
            && are_same(&self.v, &state.joint_v);
        match is_ours {
            true => self.lanes.load_ledger(0, state),
            false => self.lanes.load(0, state),
        }
        let taken = self.lanes.step(h, self.semi_implicit);
        if taken.odd {
            return None;
        }
        self.lanes.accept();
        let Workspace { next, motions, counts, .. } = &mut *work;
        counts.factorizations += 1 + u64::from(!is_ours);
        counts.solves += 1;
        next.copy_from(state);
        next.advance_time(h);
        self.lanes.store(0, next);
        for (motion, &at) in motions.iter_mut().zip(&self.lanes.place_of) {
            *motion = self.lanes.seats[at as usize].motion[self.lanes.now & 1];
        }
        self.q.clone_from(&next.joint_q);
        self.v.clone_from(&next.joint_v);
        (self.is_at_hand, self.steps) = (true, self.steps + 1);
        work.has_turns = true;
        work.equation_residual = taken.equation_residual;
        (work.drift, work.passes_singular_pose, work.meets_singular_pose) = (0.0, false, None);
        Some(StepReport {
            size: h,
            steps: 1,
            equation_residual: taken.equation_residual,
            position_error: taken.position_error,
            velocity_error: taken.velocity_error,
            ..StepReport::default()
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn steps_abreast(&self) -> Option<u64> {
        self.abreast.as_ref().map(|abreast| abreast.steps())
    }

    fn bytes(&self) -> usize {
        let abreast = self.abreast.as_ref().map_or(0, |abreast| abreast.bytes());
        abreast + self.lanes.bytes() + (self.q.capacity() + self.v.capacity()) * size_of::<f64>()
    }
}

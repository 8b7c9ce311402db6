//! Braided: a step of Euler's rules with the bodies of one tree side by side in lanes.
//!
//! As in `plait.rs` four bodies that do not carry each other go together, wherever in the tree they are; with the sweeps of `lanes/mod.rs`, which ask for the
//! parent of a body through [`Kin`]: here it may be in any seat and lane. Poses and rates of all bodies are rows of numbers, written by each seat and read by those
//! above or below it. What is summed up over bodies is summed up body by body, so a step has the bits that it has without this: only the certificate of the
//! equations may differ in its last digits, and steps that would need more than the common way are taken one body after another.
//!
//! Where joint coordinates are carried the sweeps are those of `lanes/jointed.rs`.

use super::Limbs;
use super::certify::{Handed, Worst};
use super::fill::Place;
use super::hold::{Common, Hold};
use super::lanes::{
    Anew, Corrected, Counting, Filling, Free, Going, Judge, Kin, Lend, Measured, Moving, Part, Put, Rates,
    Seat, Spot, judge_seat, may_be_bare, place_floating, write_levers,
};
use super::plait::Lay;
use super::rates::Sizes;
use super::sheaf::{Bundle, Patience, are_same, lane_of, vec_of};
use crate::body::{BodyKind, Motion};
use crate::math::{Mat3, Quat, Six, Vec3, larger};
use crate::model::Model;
use crate::state::State;
use crate::step::multipliers::LedgerRate;
use crate::step::settle;
use crate::step::stabilise::NOISE;
use crate::step::{Coordinates, Integrator, Settings, StepReport, Workspace};
use cardan_solve::Task;
use cardan_solve::pack::{Mask, Pack, Quartet, WithFour, with_wide_four};
use cardan_solve::spatial::braid::{ANSWER, Braid, Held};
use cardan_solve::spatial::wide::Wide;
use cardan_solve::spatial::{Limb, More, NO_LOADS, ROOTS};
use std::ops::Deref;

/// A seat costs about what so many places do one after another, in tenths.
const COST: usize = 15;

/// The bodies of a mechanism side by side, where enough of them can be and the machine has registers for it.
pub(in crate::step) fn braided(model: &Model, settings: &Settings, limbs: &Limbs) -> Option<Box<dyn Bundle>> {
    Wide::here()?;
    let is_common =
        |place: &Place| place.kind == BodyKind::Rigid && place.hold.as_ref().is_none_or(Hold::is_common);
    let is_simple = may_be_bare(model, settings)
        && limbs.are_few
        && limbs.closes_forest
        && limbs.closings.is_empty()
        && limbs.places.iter().all(is_common);
    if !is_simple {
        return None;
    }
    let lay = Lay::new(model, limbs);
    if COST * lay.seating.seats.len() > 10 * limbs.places.len() {
        return None;
    }
    with_wide_four(Lie(&lay, settings))
}

struct Lie<'m>(&'m Lay<'m>, &'m Settings);

impl WithFour for Lie<'_> {
    type Output = Box<dyn Bundle>;
    fn run<T: Quartet>(self) -> Self::Output {
        Box::new(Braided::<T>::new(self.0, self.1))
    }
}

/// Where a seat has its rows, and those whom it has to do with.
#[derive(Clone, Debug)]
struct Way {
    own: [u32; 4],
    parents: [u32; 4],
    children: Vec<[u32; 4]>,
    /// Where the coordinates and velocities of its bodies begin.
    q: [u32; 4],
    v: [u32; 4],
    bodies: [u32; 4],
    has_children: bool,
}

/// Numbers of every body in a row each, the ground behind them.
#[derive(Debug)]
struct Rows {
    /// Places and axes, on both sides.
    poses: [Vec<f64>; 2],
    /// Velocities, and v̇.
    rates: Vec<f64>,
    /// What bodies hand to their parents in the certificate; behind them what counts for nothing in a sum.
    handed: Vec<f64>,
    /// By how much trees that float are put back.
    backs: Vec<f64>,
    /// Where joint coordinates are carried: orientations, on both sides.
    rots: [Vec<f64>; 2],
}

impl Rows {
    fn new(count: usize, is_jointed: bool) -> Self {
        let ground = count * ANSWER;
        let mut pose = vec![0.0; ground + ANSWER];
        // Unit axes, behind its place.
        for k in 0..3 {
            pose[ground + 3 + 4 * k] = 1.0;
        }
        let mut handed = vec![0.0; ground + ANSWER];
        handed[ground..].fill(-0.0);
        let mut rot = vec![0.0; if is_jointed { ground + ANSWER } else { 0 }];
        if let Some(w) = rot.get_mut(ground) {
            *w = 1.0;
        }
        Rows {
            rots: [rot.clone(), rot],
            poses: [pose.clone(), pose],
            rates: vec![0.0; ground + ANSWER],
            handed,
            backs: vec![0.0; ground],
        }
    }
    fn bytes(&self) -> usize {
        let both = |[a, b]: &[Vec<f64>; 2]| a.capacity() + b.capacity();
        let numbers = both(&self.poses) + both(&self.rots) + self.rates.capacity() + self.handed.capacity();
        (numbers + self.backs.capacity()) * size_of::<f64>()
    }
}

#[derive(Debug)]
struct Braided<T: Quartet> {
    /// In elimination order, the ground behind them.
    seats: Vec<Seat<T>>,
    /// What their joints leave free, if that is carried; nothing if poses are.
    frees: Vec<Free<T>>,
    /// Which of their motions are those of now: 0 or 1.
    now: usize,
    braid: Braid<T>,
    ways: Vec<Way>,
    rows: Rows,
    gravity: Vec3<T>,
    semi_implicit: bool,
    /// Seat and lane of every place.
    seat_of: Vec<(u32, u32)>,
    /// For every tree that floats, its first place and its root.
    floating: Vec<(u32, u32)>,
    /// Where joint coordinates are carried: turns that are counted, and the body whose joint has them.
    turns: Vec<(u32, u32)>,
    /// What closing has moved, times masses; loads of joints on the ground.
    moved: Vec<Vec3<T>>,
    loads: Vec<Six<T>>,
    /// The pose of the factor at hand, if there is one, and the velocities there.
    q: Vec<f64>,
    v: Vec<f64>,
    is_factored: bool,
    patience: Patience,
    steps: u64,
}

/// Parents wherever they are.
struct Apart<'k, T: Pack> {
    ways: &'k [Way],
    poses: [&'k mut [f64]; 2],
    rates: &'k mut [f64],
    /// Where it is asked for: what closing has moved, times masses.
    moved: Option<&'k mut [Vec3<T>]>,
    /// Where joint coordinates are carried.
    rots: Option<[&'k mut [f64]; 2]>,
}

/// A value in the place of a reference.
#[derive(Copy, Clone)]
struct Own<X>(X);
impl<X> Deref for Own<X> {
    type Target = X;
    #[inline(always)]
    fn deref(&self) -> &X {
        &self.0
    }
}

impl<T: Quartet> Kin<T> for Apart<'_, T> {
    #[inline(always)]
    fn motion<'s>(
        &'s self,
        _: &'s [Seat<T>],
        at: usize,
        side: usize,
    ) -> impl Deref<Target = Motion<T>> + Copy + 's {
        let parents = self.ways[at].parents;
        let [x, y, z, xx, xy, xz, yx, yy, yz, zx, zy, zz] =
            T::gather::<ANSWER>(self.poses[side & 1], parents);
        let [vx, vy, vz, wx, wy, wz] = T::gather::<6>(self.rates, parents);
        // Nobody else asks for it.
        let mut rot = Quat::IDENTITY;
        if let Some(rots) = &self.rots {
            let [w, x, y, z] = T::gather::<4>(rots[side & 1], parents);
            rot = Quat { w, v: Vec3::new(x, y, z) };
        }
        Own(Motion {
            pos: Vec3::new(x, y, z),
            rot,
            axes: Mat3 { x: Vec3::new(xx, xy, xz), y: Vec3::new(yx, yy, yz), z: Vec3::new(zx, zy, zz) },
            vel: Vec3::new(vx, vy, vz),
            omega: Vec3::new(wx, wy, wz),
        })
    }
    #[inline(always)]
    fn x<'s>(&'s self, _: &'s [Seat<T>], at: usize) -> impl Deref<Target = Six<T>> + Copy + 's {
        let [a, b, c, d] = self.ways[at].parents;
        Own(six(T::gather::<6>(self.rates, [a + 6, b + 6, c + 6, d + 6])))
    }
    #[inline(always)]
    fn sizes(&self, _: &[Seat<T>], _: usize, motion: &Motion<T>) -> Sizes<T> {
        Sizes::of(motion)
    }
    #[inline(always)]
    fn tell_x(&mut self, seat: &Seat<T>, at: usize) {
        let way = &self.ways[at];
        if way.has_children {
            let Six { lin, ang } = &seat.x;
            let [a, b, c, d] = way.own;
            let x = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
            T::scatter(x, self.rates, [a + 6, b + 6, c + 6, d + 6]);
        }
    }
    #[inline(always)]
    fn tell_pose(&mut self, seat: &Seat<T>, at: usize, side: usize, by: Vec3<T>) {
        let way = &self.ways[at];
        if let Some(moved) = &mut self.moved {
            moved[at] = by * seat.part.mass;
        }
        if way.has_children {
            let Motion { pos, rot, axes: Mat3 { x, y, z }, vel, omega } = &seat.motion[side & 1];
            if let Some(rots) = &mut self.rots {
                T::scatter([rot.w, rot.v.x, rot.v.y, rot.v.z], rots[side & 1], way.own);
            }
            let pose = [pos.x, pos.y, pos.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z];
            T::scatter(pose, self.poses[side & 1], way.own);
            let Six { lin, ang } = &seat.x;
            let rates =
                [vel.x, vel.y, vel.z, omega.x, omega.y, omega.z, lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
            T::scatter(rates, self.rates, way.own);
        }
    }
    #[inline(always)]
    fn tell_rates(&mut self, seat: &Seat<T>, at: usize, side: usize) {
        let way = &self.ways[at];
        if way.has_children {
            let Motion { vel, omega, .. } = &seat.motion[side & 1];
            T::scatter([vel.x, vel.y, vel.z, omega.x, omega.y, omega.z], self.rates, way.own);
        }
    }
}

#[inline(always)]
fn six<T: Pack>([a, b, c, d, e, f]: [T; 6]) -> Six<T> {
    Six::new(Vec3::new(a, b, c), Vec3::new(d, e, f))
}

/// What answers leave over.
struct Judging<'w, T: Pack> {
    ways: &'w [Way],
    handed: &'w mut [f64],
    loads: &'w mut [Six<T>],
    worst: Worst<T>,
}

impl<T: Quartet> Judge<T> for Judging<'_, T> {
    #[inline(always)]
    fn judge<const HELD: bool>(
        &mut self,
        seats: (&[Seat<T>], usize),
        at: usize,
        joint: Common,
        (limb, more): (&Limb<T>, &More<T>),
        kin: &impl Kin<T>,
    ) -> Six<T> {
        let way = &self.ways[at];
        let mut handed = Handed::default();
        if way.has_children {
            let [a, b, c, d, e, f, forces, moments] = T::gather_sums::<8>(self.handed, &way.children);
            handed.add(&Handed { sum: six([a, b, c, d, e, f]), forces, moments });
        }
        let (load, _, on) =
            judge_seat::<T, HELD>(seats, at, joint, (limb, more), (kin, handed), &mut self.worst);
        if limb.parent().is_some() {
            let Six { lin, ang } = on.sum;
            let numbers = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z, on.forces, on.moments];
            T::scatter(numbers, self.handed, way.own);
        } else {
            self.loads[at] = load;
        }
        load
    }
}

impl<T: Quartet> Braided<T> {
    fn new(lay: &Lay<'_>, settings: &Settings) -> Self {
        let places = &lay.limbs.places;
        let braid: Braid<T> = Braid::new(&lay.parents, &lay.kinds, &lay.seating);
        let count = lay.seating.seats.len();
        let is_jointed = settings.coordinates == Coordinates::Joints;
        let mut frees = Vec::new();
        let mut seats = Vec::with_capacity(count + 1);
        let mut ways = Vec::with_capacity(count);
        let mut seat_of = vec![(0, 0); places.len()];
        for (at, lanes) in lay.seating.seats.iter().enumerate() {
            let of = |lane: usize| &places[lanes[lane] as usize];
            // Parents are asked for by way of rows.
            let spot = Spot { body: 0, ..Spot::of(of(0), count as u32) };
            if is_jointed {
                let joint = |lane: usize| lay.limbs.spatial.at(lanes[lane] as usize).1;
                let joint = |lane: usize| lay.model.joints.get(joint(lane)?.0 as usize);
                frees.push(Free::of(&spot, joint));
            }
            seats.push(Seat::new(spot, Part::of(of)));
            for (lane, &place) in (0u32..).zip(lanes) {
                seat_of[place as usize] = (at as u32, lane);
            }
            let (own, parents) = braid.ways(at);
            ways.push(Way {
                own,
                parents,
                children: braid.children(at).collect(),
                q: std::array::from_fn(|lane| of(lane).q_at),
                v: std::array::from_fn(|lane| of(lane).v_at),
                bodies: std::array::from_fn(|lane| of(lane).body),
                has_children: braid.limbs()[at].has_children(),
            });
        }
        seats.push(Seat::new(Spot::default(), Part::default()));
        let (mut floating, mut first) = (Vec::new(), 0);
        for (at, parent) in lay.parents.iter().enumerate() {
            if parent.is_none() {
                if lay.kinds[at].held == Held::Floating {
                    floating.push((first, at as u32));
                }
                first = at as u32 + 1;
            }
        }
        let g = lay.model.gravity;
        let turn = |(at, place): (usize, &Place)| {
            let joint = &lay.model.joints[lay.limbs.spatial.at(at).1?.0 as usize];
            Some((joint.turns_at().first().copied()?? as u32, place.body))
        };
        let turns = places.iter().enumerate().filter_map(turn).filter(|_| is_jointed).collect();
        Braided {
            turns,
            now: 0,
            rows: Rows::new(places.len(), is_jointed),
            frees,
            gravity: Vec3::new(T::splat(g.x), T::splat(g.y), T::splat(g.z)),
            semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
            moved: vec![Vec3::ZERO; if floating.is_empty() { 0 } else { count }],
            loads: vec![Six::ZERO; count],
            q: Vec::with_capacity(lay.model.q_len),
            v: Vec::with_capacity(lay.model.v_len),
            is_factored: false,
            patience: Patience::default(),
            steps: 0,
            seats,
            braid,
            ways,
            seat_of,
            floating,
        }
    }

    /// Puts trees that float back where their centres of mass were: what closing has moved of each is summed up one body after another.
    fn keep_centres(&mut self, places: &[Place]) {
        let Braided { floating, rows, moved, seat_of, now, .. } = self;
        let Rows { poses, backs, .. } = rows;
        let next = (*now & 1) ^ 1;
        for &(first, root) in &*floating {
            let (mut moment, mut mass) = (Vec3::ZERO, 0.0);
            for at in (first as usize..=root as usize).rev() {
                let (seat, lane) = seat_of[at];
                moment += vec_of(&moved[seat as usize], lane as usize);
                mass += places[at].mass;
            }
            let back = moment / mass;
            for at in first as usize..=root as usize {
                backs[at * ANSWER..][..3].copy_from_slice(&back.to_array());
                let pos = &mut poses[next][at * ANSWER..][..3];
                pos.iter_mut().zip(back.to_array()).for_each(|(x, back)| *x -= back);
            }
        }
    }

    /// Σ of what the ground exerts, with its moment about the origin; of joints' loads and bodies on one side.
    fn ground_load(&self, limbs: &Limbs, loads: &[Six<T>], side: usize) -> (Vec3, Vec3) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for &at in &limbs.on_ground {
            let (seat, lane) = self.seat_of[at as usize];
            let (seat, lane) = (seat as usize, lane as usize);
            let load = lane_of(&loads[seat], lane);
            force += load.lin;
            moment += vec_of(&self.seats[seat].motion[side & 1].pos, lane).cross(load.lin) + load.ang;
        }
        (force, moment)
    }

    fn try_step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if !state.assembled || state.still {
            return None;
        }
        let counts = work.counts;
        let report = match self.frees.is_empty() {
            true => self.common_step(model, state, h, work),
            false => self.jointed_step(model, state, h, work),
        };
        if report.is_none() {
            work.counts = counts;
            self.is_factored = false;
        }
        report
    }

    fn common_step(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Option<StepReport> {
        let Workspace { limbs: Some(limbs), motions, counts, next: to, .. } = &mut *work else { return None };
        let is_ours = core::mem::take(&mut self.is_factored)
            && are_same(&self.q, &state.q)
            && are_same(&self.v, &state.v);
        if !is_ours {
            counts.factorizations += 1;
            if !T::within(Factor { braided: self, state }) {
                return None;
            }
        }
        counts.solves += 2;
        if !T::within(Move { braided: self, h }) {
            return None;
        }
        if !self.floating.is_empty() {
            self.keep_centres(&limbs.places);
            T::within(PutBack(self));
        }
        let residual = T::within(CertifyAndFactor(self))?;
        // Near the bound one body after another has the last word, and where arms were not known another certificate.
        if residual.is_nan() || residual > if is_ours { 5e-13 } else { 1e-13 } {
            return None;
        }
        let mut rate = LedgerRate::default();
        for (force, moment) in
            [weight(model, places_of(state)), self.ground_load(limbs, &self.loads, self.now)]
        {
            rate.force += force;
            rate.moment += moment;
        }
        counts.factorizations += 1;
        counts.solves += 1;
        to.copy_from(state);
        to.advance_time(h);
        crate::step::propagate::book(&mut to.ledger, h, &rate);
        to.forget_joints();
        let measured = T::within(Correct { braided: self, q: &mut to.q, v: &mut to.v, motions });
        let (force, moment) = self.ground_load(limbs, self.braid.loads(), self.now ^ 1);
        to.ledger.impulse += force;
        to.ledger.angular_impulse += moment;
        let mut report = report(h, &measured, residual)?;
        work.equation_residual = residual;
        settle::count_round(work, &mut report);
        (work.drift, work.passes_singular_pose, work.meets_singular_pose) = (0.0, false, None);
        Some(report)
    }

    /// A step on joint coordinates.
    fn jointed_step(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Option<StepReport> {
        let Workspace { limbs: Some(limbs), motions, counts, next: to, .. } = &mut *work else { return None };
        let is_ours = core::mem::take(&mut self.is_factored)
            && are_same(&self.q, &state.joint_q)
            && are_same(&self.v, &state.joint_v);
        if !is_ours {
            counts.factorizations += 1;
            if !T::within(Begin { braided: self, state }) {
                return None;
            }
        }
        let (measured, is_far) = T::within(Go { braided: self, h });
        if is_far {
            return None;
        }
        let residual = T::within(CertifyAndEliminate(self))?;
        // Near the bound one body after another has the last word.
        if residual.is_nan() || residual > 5e-13 {
            return None;
        }
        let report = report(h, &measured, residual)?;
        counts.factorizations += 1;
        counts.solves += 1;
        let weight = self.weight_here(model, &limbs.place_of);
        let mut rate = LedgerRate::default();
        for (force, moment) in [weight, self.ground_load(limbs, &self.loads, self.now)] {
            rate.force += force;
            rate.moment += moment;
        }
        to.copy_from(state);
        to.advance_time(h);
        crate::step::propagate::book(&mut to.ledger, h, &rate);
        T::within(Write { braided: self, to, motions });
        for &(at, body) in &self.turns {
            to.turns[at as usize] = to.joint_q[7 * body as usize];
        }
        work.has_turns = true;
        work.equation_residual = residual;
        (work.drift, work.passes_singular_pose, work.meets_singular_pose) = (0.0, false, None);
        Some(report)
    }

    /// [`weight`] of bodies as they are placed by their joint coordinates.
    fn weight_here(&self, model: &Model, place_of: &[u32]) -> (Vec3, Vec3) {
        let pos = |body: usize| {
            let (seat, lane) = self.seat_of[place_of[body] as usize];
            vec_of(&self.seats[seat as usize].motion[self.now & 1].pos, lane as usize)
        };
        weight(model, (0..model.bodies.len()).map(pos))
    }
}

/// What a step came to, if all joints are closed and all numbers finite; errors are squares.
fn report<T: Pack>(h: f64, measured: &Measured<T>, residual: f64) -> Option<StepReport> {
    let mut worst = [0.0; 4];
    let mut lost = 0.0;
    for lane in 0..T::LANES {
        let Measured { position, velocity, position_excess, velocity_excess, nothing } = measured;
        let all = [position, velocity, position_excess, velocity_excess];
        for (worst, x) in worst.iter_mut().zip(all) {
            *worst = larger(*worst, x.lane(lane));
        }
        lost += nothing.lane(lane);
    }
    let [position, velocity, position_excess, velocity_excess] = worst.map(f64::sqrt);
    let is_closed = position_excess <= NOISE && velocity_excess <= NOISE;
    (is_closed && (position + velocity + lost).is_finite()).then(|| StepReport {
        size: h,
        steps: 1,
        equation_residual: residual,
        position_error: position,
        velocity_error: velocity,
        ..StepReport::default()
    })
}

/// Where the bodies of a state are, all of them in space.
fn places_of(state: &State) -> impl Iterator<Item = Vec3> + '_ {
    state.q.as_chunks::<7>().0.iter().map(|q| Vec3::new(q[0], q[1], q[2]))
}

/// Weight, and its moment about the origin: body by body, all of them in space.
fn weight(model: &Model, places: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    let (mut mass, mut moment) = (0.0, Vec3::ZERO);
    for (body, pos) in model.bodies.iter().zip(places) {
        mass += body.mass.mass;
        moment += pos * body.mass.mass;
    }
    // As where there may be bodies in the plane.
    let along = Vec3::new(model.gravity.x, model.gravity.y, 0.0);
    (model.gravity * mass + along * 0.0, moment.cross(model.gravity) + Vec3::ZERO.cross(along))
}

impl<T: Quartet> Bundle for Braided<T> {
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if self.patience.waits() {
            return None;
        }
        let outcome = self.try_step(model, state, h, work);
        self.patience.note(outcome.is_some());
        let report = outcome?;
        self.steps += 1;
        self.now ^= 1;
        self.is_factored = true;
        let at = &work.next;
        let (q, v) = if self.frees.is_empty() { (&at.q, &at.v) } else { (&at.joint_q, &at.joint_v) };
        self.q.clone_from(q);
        self.v.clone_from(v);
        Some(report)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn bytes(&self) -> usize {
        let children: usize = self.ways.iter().map(|way| way.children.capacity()).sum();
        self.seats.capacity() * size_of::<Seat<T>>()
            + self.frees.capacity() * size_of::<Free<T>>()
            + self.braid.bytes()
            + self.ways.capacity() * size_of::<Way>()
            + children * size_of::<[u32; 4]>()
            + self.rows.bytes()
            + (self.seat_of.capacity() + self.floating.capacity() + self.turns.capacity())
                * size_of::<(u32, u32)>()
            + self.moved.capacity() * size_of::<Vec3<T>>()
            + self.loads.capacity() * size_of::<Six<T>>()
            + (self.q.capacity() + self.v.capacity()) * size_of::<f64>()
    }
}

/// Factors at the poses of a state, and finds arms, inertias and right sides there; false if there is no factor.
struct Factor<'w, T: Quartet> {
    braided: &'w mut Braided<T>,
    state: &'w State,
}
impl<T: Quartet> Task for Factor<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Factor { braided, state } = self;
        let Braided { seats, now, braid, ways, rows, gravity, .. } = braided;
        let Rows { poses: [one, other], rates, .. } = rows;
        let now = *now & 1;
        let mut kin: Apart<'_, T> = Apart { ways, poses: [one, other], rates, moved: None, rots: None };
        for at in 0..ways.len() {
            let way = &ways[at];
            let [x, y, z, w, i, j, k] = T::gather::<7>(&state.q, way.q);
            let Six { lin: vel, ang: omega } = six(T::gather::<6>(&state.v, way.v));
            let rot = Quat { w, v: Vec3::new(i, j, k) };
            seats[at].motion[now] = Motion { pos: Vec3::new(x, y, z), rot, axes: rot.matrix(), vel, omega };
            kin.tell_pose(&seats[at], at, now, Vec3::ZERO);
        }
        write_levers(seats, now, *gravity, &kin);
        let (acc, nothing) = (&mut [][..], Six::ZERO);
        braid
            .factor(&mut Filling::<T, false, _> { seats, now, gravity: *gravity, acc, nothing, kin }, &mut ())
    }
}

/// Accelerations, and where they lead to: all bodies moved and joints closed. False where that took more than a little.
struct Move<'w, T: Quartet> {
    braided: &'w mut Braided<T>,
    h: f64,
}
impl<T: Quartet> Task for Move<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Move { braided, h } = self;
        let Braided { seats, now, braid, ways, rows, semi_implicit, moved, floating, .. } = braided;
        let Rows { poses: [one, other], rates, .. } = rows;
        let part = 0.5 * h * h * if *semi_implicit { -1.0 } else { 1.0 };
        let moved = (!floating.is_empty()).then_some(&mut moved[..]);
        let mut moving = Moving {
            seats,
            now: *now & 1,
            h: T::splat(h),
            semi_implicit: *semi_implicit,
            floats: false,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            kin: Apart { ways, poses: [one, other], rates, moved, rots: None },
        };
        braid.solve_pair(T::splat(part), &mut moving);
        !moving.is_far.any()
    }
}

/// Takes from the new places what trees that float are put back by.
struct PutBack<'w, T: Quartet>(&'w mut Braided<T>);
impl<T: Quartet> Task for PutBack<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Braided { seats, now, ways, rows, .. } = self.0;
        let next = (*now & 1) ^ 1;
        for (seat, way) in seats.iter_mut().zip(&*ways) {
            let [x, y, z] = T::gather::<3>(&rows.backs, way.own);
            seat.motion[next].pos -= Vec3::new(x, y, z);
        }
    }
}

/// What the equations leave over, and the factor at the new poses; `None` if there is none.
struct CertifyAndFactor<'w, T: Quartet>(&'w mut Braided<T>);
impl<T: Quartet> Task for CertifyAndFactor<'_, T> {
    type Output = Option<f64>;
    #[inline(always)]
    fn run(self) -> Option<f64> {
        let Braided { seats, now, braid, ways, rows, loads, .. } = self.0;
        let Rows { poses: [one, other], rates, handed, .. } = rows;
        let judging = Judging { ways, handed, loads, worst: Worst::default() };
        let kin = Apart { ways, poses: [one, other], rates, moved: None, rots: None };
        let mut rates = Rates { seats, now: *now & 1, judging, kin };
        let is_fine = braid.factor(&mut rates, &mut ());
        let mut worst = 0.0;
        for lane in 0..T::LANES {
            worst = larger(worst, rates.judging.worst.0.lane(lane));
        }
        is_fine.then(|| worst.sqrt())
    }
}

/// Takes velocities along what the joints lock away; how far all joints are from closed then, squared. Writes coordinates, velocities and motions.
struct Correct<'w, T: Quartet> {
    braided: &'w mut Braided<T>,
    q: &'w mut [f64],
    v: &'w mut [f64],
    motions: &'w mut [Motion],
}
impl<T: Quartet> Task for Correct<'_, T> {
    type Output = Measured<T>;
    #[inline(always)]
    fn run(self) -> Measured<T> {
        let Correct { braided, q, v, motions } = self;
        let Braided { seats, now, braid, ways, rows, gravity, .. } = braided;
        let Rows { poses: [one, other], rates, .. } = rows;
        let next = (*now & 1) ^ 1;
        let mut measured = Measured::default();
        // Turns are counted with all others.
        let counting = Counting { hinges: &[], before: &[], after: &mut [] };
        let kin: Apart<'_, T> = Apart { ways, poses: [one, other], rates, moved: None, rots: None };
        let corrected = Corrected::new(seats, next, (*gravity, T::ZERO), counting, &mut measured, kin);
        braid.backward::<ROOTS>(corrected, &mut ());
        write_bodies(seats, ways, next, (q, v), motions);
        measured
    }
}

/// Coordinates, velocities and motions of the bodies on one side.
#[inline(always)]
fn write_bodies<T: Quartet>(
    seats: &[Seat<T>],
    ways: &[Way],
    side: usize,
    (q, v): (&mut [f64], &mut [f64]),
    motions: &mut [Motion],
) {
    for (seat, way) in seats.iter().zip(ways) {
        let Motion { pos, rot, axes: Mat3 { x, y, z }, vel, omega } = &seat.motion[side & 1];
        T::scatter([pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z], q, way.q);
        T::scatter([vel.x, vel.y, vel.z, omega.x, omega.y, omega.z], v, way.v);
        let mut axes = [0.0; 36];
        T::scatter([x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z], &mut axes, [0, 9, 18, 27]);
        for (lane, body) in way.bodies.into_iter().enumerate() {
            let (q, v) = (&q[way.q[lane] as usize..][..7], &v[way.v[lane] as usize..][..6]);
            let a = &axes[9 * lane..][..9];
            motions[body as usize] = Motion {
                pos: Vec3::new(q[0], q[1], q[2]),
                rot: Quat { w: q[3], v: Vec3::new(q[4], q[5], q[6]) },
                axes: Mat3 {
                    x: Vec3::new(a[0], a[1], a[2]),
                    y: Vec3::new(a[3], a[4], a[5]),
                    z: Vec3::new(a[6], a[7], a[8]),
                },
                vel: Vec3::new(v[0], v[1], v[2]),
                omega: Vec3::new(v[3], v[4], v[5]),
            };
        }
    }
}

/// Bodies where the joint coordinates of a state want them, and the elimination there; false if there is none.
struct Begin<'w, T: Quartet> {
    braided: &'w mut Braided<T>,
    state: &'w State,
}
impl<T: Quartet> Task for Begin<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Begin { braided, state } = self;
        let Braided { seats, frees, now, braid, ways, rows, gravity, .. } = braided;
        let Rows { poses: [one, other], rates, rots: [rot, next_rot], .. } = rows;
        let side = *now & 1;
        let rots = Some([&mut rot[..], next_rot]);
        let mut kin: Apart<'_, T> = Apart { ways, poses: [one, other], rates, moved: None, rots };
        for at in (0..ways.len()).rev() {
            let way = &ways[at];
            let (p, rate) = (T::gather::<7>(&state.joint_q, way.q), T::gather::<6>(&state.joint_v, way.v));
            if seats[at].spot.is_held {
                frees[at].set(side, seats[at].spot.joint.is_hinge, &p, &rate);
                frees[at].look(side, seats[at].spot.joint.is_hinge);
                let put = Put::new(&seats[at], &frees[at], side, &kin.motion(seats, at, side));
                put.onto(&mut seats[at], side);
            } else {
                let [x, y, z, w, i, j, k] = p;
                let motion = &mut seats[at].motion[side];
                (motion.pos, motion.rot) = (Vec3::new(x, y, z), Quat { w, v: Vec3::new(i, j, k) });
                let Six { lin, ang } = six(rate);
                (motion.vel, motion.omega) = (lin, ang);
                place_floating(&mut seats[at], side);
            }
            kin.tell_pose(&seats[at], at, side, Vec3::ZERO);
        }
        braid.factor(&mut Anew { seats, side, gravity: *gravity, judging: (), kin }, &mut ())
    }
}

/// Accelerations, and where they lead to: how far all joints are from closed there, squared, and whether an angle is too large.
struct Go<'w, T: Quartet> {
    braided: &'w mut Braided<T>,
    h: f64,
}
impl<T: Quartet> Task for Go<'_, T> {
    type Output = (Measured<T>, bool);
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Go { braided, h } = self;
        let Braided { seats, frees, now, braid, ways, rows, semi_implicit, .. } = braided;
        let Rows { poses: [one, other], rates, rots: [rot, next_rot], .. } = rows;
        let rots = Some([&mut rot[..], next_rot]);
        let kin: Apart<'_, T> = Apart { ways, poses: [one, other], rates, moved: None, rots };
        let mut going = Going::new((seats, frees), *now & 1, (T::splat(h), *semi_implicit), kin);
        braid.backward::<NO_LOADS>(Lend(&mut going), &mut ());
        going.put_all();
        (going.out, going.is_far.any())
    }
}

/// What the equations leave over, and the elimination at the new poses; `None` if there is none.
struct CertifyAndEliminate<'w, T: Quartet>(&'w mut Braided<T>);
impl<T: Quartet> Task for CertifyAndEliminate<'_, T> {
    type Output = Option<f64>;
    #[inline(always)]
    fn run(self) -> Option<f64> {
        let Braided { seats, now, braid, ways, rows, loads, gravity, .. } = self.0;
        let Rows { poses: [one, other], rates, handed, .. } = rows;
        let judging = Judging { ways, handed, loads, worst: Worst::default() };
        // Orientations are not asked for.
        let kin = Apart { ways, poses: [one, other], rates, moved: None, rots: None };
        let mut anew = Anew { seats, side: (*now & 1) ^ 1, gravity: *gravity, judging, kin };
        let is_fine = braid.factor(&mut anew, &mut ());
        let worst = anew.judging.worst.0;
        is_fine.then(|| (0..T::LANES).fold(0.0, |most, lane| larger(most, worst.lane(lane))).sqrt())
    }
}

/// Writes coordinates, velocities and motions of bodies, and joint coordinates.
struct Write<'w, T: Quartet> {
    braided: &'w mut Braided<T>,
    to: &'w mut State,
    motions: &'w mut [Motion],
}
impl<T: Quartet> Task for Write<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Write { braided: Braided { seats, frees, now, ways, .. }, to, motions } = self;
        let side = (*now & 1) ^ 1;
        write_bodies(seats, ways, side, (&mut to.q, &mut to.v), motions);
        for ((seat, free), way) in seats.iter().zip(&*frees).zip(&*ways) {
            let (p, rate) = if seat.spot.is_held {
                free.get(side, seat.spot.joint.is_hinge)
            } else {
                let Motion { pos, rot, vel, omega, .. } = &seat.motion[side];
                (
                    [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z],
                    [vel.x, vel.y, vel.z, omega.x, omega.y, omega.z],
                )
            };
            T::scatter(p, &mut to.joint_q, way.q);
            T::scatter(rate, &mut to.joint_v, way.v);
        }
    }
}

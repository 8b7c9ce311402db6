//! Sheaf: trees of one mechanism that are alike, side by side in lanes.
//!
//! Forty four-bars on the ground are forty trees of a crank and a coupler, with joints that close loops between them. Four at a time they go through a step of Euler's
//! rules as four mechanisms do (`lanes/mod.rs`), with the same arithmetic in the same order. Joints between them go as strands (`cardan_solve::spatial::Landing`): in
//! lanes along the trees, and one after another on the ground. So the state, its errors and what is booked have the bits that they have without this; a step is only
//! taken faster. What the certificate says of the equations may differ in its last digits, which are summed up in another order.
//!
//! Whatever a step does beyond the common way (a plan that is decided anew, an answer that is refined, a loop that nearly loses rank) is not done here: then nothing
//! has happened, and the step is taken one body after another.

use super::certify::{Handed, Worst};
use super::clasp::{Clasps, Turns};
use super::fill::Place;
use super::forest::{carried_along, turned_by};
use super::lanes::{
    Beside, Corrected, Counting, Filling, Judge, Judging, Measured as Worsts, Moving, Outside, Part, Rates,
    Seat, Spot, is_bare, write_levers,
};
use super::{Limbs, Measured};
use crate::body::{BodyKind, Motion};
use crate::math::{Mat3, Quat, Six, Vec3, larger};
use crate::model::Model;
use crate::state::{PLANNED, State};
use crate::step::multipliers::LedgerRate;
use crate::step::settle::{self, Loops};
use crate::step::stabilise::NOISE;
use crate::step::{Integrator, Settings, StepReport, Workspace};
use cardan_solve::Task;
use cardan_solve::pack::{Mask, Pack, WithFour, with_wide_four};
use cardan_solve::spatial::wide::Wide;
use cardan_solve::spatial::{Form, Landing, ROOTS, Spatial, Strand};
use std::fmt::Debug;

/// Who waits after steps that could not be taken in lanes: where they are odd, the next mostly are.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Steps that are not tried any more, and how many these were after the last odd one.
    wait: u32,
    waited: u32,
}

impl Patience {
    /// So many steps at most are not tried.
    const MOST: u32 = 64;

    /// Whether the next step is one of those.
    pub(super) fn waits(&mut self) -> bool {
        let waits = self.wait > 0;
        self.wait -= u32::from(waits);
        waits
    }
    /// Takes into account whether a step could be taken.
    pub(super) fn note(&mut self, was_taken: bool) {
        self.waited = if was_taken { 0 } else { (2 * self.waited + 1).min(Self::MOST) };
        self.wait = self.waited.saturating_sub(1);
    }
}

/// Trees side by side, in whichever numbers.
pub(crate) trait Bundle: Debug + Send + Sync {
    /// One step of `h` from `state`, to `work.next` and `work.motions`, as [`whole_step`](crate::step) takes it but for its conclusion; `None` if it is not to be taken
    /// this way, and then nothing of it counts.
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport>;
    /// Steps that were taken this way.
    fn steps(&self) -> u64;
    /// Those of them that were taken side by side; `None` where none ever is.
    fn steps_abreast(&self) -> Option<u64> {
        Some(self.steps())
    }
    /// Memory held, in bytes.
    fn bytes(&self) -> usize;
}

/// The trees of a mechanism side by side, where enough of them are alike and the machine has registers for it.
pub(in crate::step) fn bundle(model: &Model, settings: &Settings, limbs: &Limbs) -> Option<Box<dyn Bundle>> {
    Wide::here()?;
    with_wide_four(Bind(model, settings, limbs))?
}

struct Bind<'m>(&'m Model, &'m Settings, &'m Limbs);

impl WithFour for Bind<'_> {
    type Output = Option<Box<dyn Bundle>>;
    fn run<T: Pack>(self) -> Self::Output {
        Sheaf::<T>::new(self.0, self.1, self.2).map(|sheaf| Box::new(sheaf) as Box<dyn Bundle>)
    }
}

/// What makes trees alike: their places, parents counted from the first, and where strands begin, with their rows.
#[derive(PartialEq)]
struct Shape {
    spots: Vec<Spot>,
    strands: Vec<(u32, u8)>,
}

/// A tree of the forest: where its places begin, and the strands that begin in it.
struct Tree {
    first: usize,
    shape: Shape,
    strands: Vec<Strand>,
}

#[derive(Debug)]
struct Sheaf<T: Pack> {
    /// In elimination order, the ground behind them.
    seats: Vec<Seat<T>>,
    /// Which of their motions are those of now: 0 or 1.
    now: usize,
    spatial: Spatial<T>,
    landing: Landing,
    gravity: Vec3<T>,
    semi_implicit: bool,
    /// The place among all of every lane of every seat; and the seat and lane of every place.
    place_of: Vec<u32>,
    seat_of: Vec<(u32, u32)>,
    outside: Ends<T>,
    waiting: Vec<Handed<T>>,
    /// Displacements: of a correction, and as joints carry them along.
    shifts: Vec<Six<T>>,
    moves: Vec<Six<T>>,
    /// Joints that close loops, and turns that are counted.
    clasps: Clasps<T>,
    turns: Option<Turns<T>>,
    /// The pose of the factor at hand, if there is one, and the velocities there.
    q: Vec<f64>,
    v: Vec<f64>,
    is_factored: bool,
    patience: Patience,
    steps: u64,
}

/// What joints that close loops hand to the seats where they end.
#[derive(Debug)]
struct Ends<T: Pack> {
    has_end: Vec<bool>,
    handed: Vec<Handed<T>>,
    reach: Vec<T>,
}

impl<T: Pack> Outside<T> for &mut Ends<T> {
    #[inline(always)]
    fn handed(&self, at: usize) -> Handed<T> {
        if self.has_end[at] { self.handed[at] } else { Handed::default() }
    }
    #[inline(always)]
    fn note_reach(&mut self, at: usize, reach: T) {
        self.reach[at] = reach;
    }
}

/// The trees of a forest on the ground; `None` if one floats, or a joint closes a loop within a tree.
fn trees(limbs: &Limbs) -> Option<Vec<Tree>> {
    let places = limbs.spatial.limbs();
    let mut trees: Vec<Tree> = Vec::new();
    let mut tree_of = vec![0; places.len()];
    let mut first = 0;
    for (at, limb) in places.iter().enumerate() {
        tree_of[at] = trees.len();
        if limb.parent().is_some() {
            continue;
        }
        let spot = |p: usize| {
            let parent = places[p].parent().map_or(u32::MAX, |parent| (parent - first) as u32);
            Spot { body: 0, ..Spot::of(&limbs.places[p], parent) }
        };
        let shape = Shape { spots: (first..=at).map(spot).collect(), strands: Vec::new() };
        trees.push(Tree { first, shape, strands: Vec::new() });
        first = at + 1;
    }
    for (c, closure) in (0u32..).zip(limbs.spatial.closures()) {
        let ends = closure.places();
        if let [Some(a), Some(b)] = ends
            && tree_of[a] == tree_of[b]
        {
            return None;
        }
        for (end, place) in (0u8..).zip(ends) {
            let Some(place) = place else { continue };
            let tree = &mut trees[tree_of[place]];
            tree.shape.strands.push(((place - tree.first) as u32, closure.len() as u8));
            tree.strands.push(Strand { closure: c, end });
        }
    }
    Some(trees)
}

impl<T: Pack> Sheaf<T> {
    fn new(model: &Model, settings: &Settings, limbs: &Limbs) -> Option<Self> {
        let is_rigid = |place: &Place| place.kind == BodyKind::Rigid;
        let is_simple = is_bare(model, settings)
            && limbs.are_few
            && limbs.is_common
            && limbs.closings_are_common
            && limbs.closes_forest
            && !limbs.floats
            && limbs.places.iter().all(is_rigid);
        if !is_simple {
            return None;
        }
        let trees = trees(limbs)?;
        // Those that are alike, in lanes; the last ones of a kind are repeated.
        let mut kinds: Vec<Vec<&Tree>> = Vec::new();
        for tree in &trees {
            match kinds.iter_mut().find(|kind| kind[0].shape == tree.shape) {
                Some(kind) => kind.push(tree),
                None => kinds.push(vec![tree]),
            }
        }
        let groups: Vec<&[&Tree]> = kinds.iter().flat_map(|kind| kind.chunks(T::LANES)).collect();
        let count: usize = groups.iter().map(|group| group[0].shape.spots.len()).sum();
        // A seat costs about what a place does.
        if 2 * count > limbs.places.len() {
            return None;
        }
        let (mut seats, mut place_of, mut strands, mut lanes) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut counts = Vec::new();
        let mut seat_of = vec![(0, 0); limbs.places.len()];
        let mut has_end = vec![false; count + 1];
        for group in groups {
            let first = seats.len();
            let lane = |i: usize| group[i.min(group.len() - 1)];
            let Shape { spots, strands: begins } = &group[0].shape;
            for (i, spot) in spots.iter().enumerate() {
                let parent = if spot.parent == u32::MAX { count } else { first + spot.parent as usize };
                let part = Part::of(|l| &limbs.places[lane(l).first + i]);
                let body = limbs.places[group[0].first + i].body;
                seats.push(Seat::new(Spot { body, parent: parent as u32, ..*spot }, part));
                place_of.extend((0..T::LANES).map(|l| (lane(l).first + i) as u32));
                for (l, tree) in (0u32..).zip(group) {
                    seat_of[tree.first + i] = ((first + i) as u32, l);
                }
            }
            for (k, &(place, rows)) in begins.iter().enumerate() {
                has_end[first + place as usize] = true;
                strands.push(((first + place as usize) as u32, rows as usize));
                counts.push(group.len());
                lanes.extend((0..T::LANES).map(|l| lane(l).strands[k]));
            }
        }
        let parents: Vec<Option<u32>> = seats
            .iter()
            .map(|seat| (seat.spot.parent as usize != count).then_some(seat.spot.parent))
            .collect();
        let form = |seat: &Seat<T>| Form::Freedoms(if seat.spot.joint.is_hinge { 1 } else { 3 });
        let forms: Vec<Form> = seats.iter().map(form).collect();
        let mut spatial: Spatial<T> = Spatial::of_strands(&parents, &forms, &strands);
        for (at, seat) in seats.iter().enumerate() {
            spatial.make_lump(at);
            if seat.spot.joint.is_hinge {
                spatial.make_plain(at);
            } else if !spatial.make_ball(at) {
                // Strands pass hinges alone.
                return None;
            }
            if !seat.spot.joint.onto_b {
                spatial.make_turned(at);
            }
        }
        let begins: Vec<u32> = strands.iter().map(|&(seat, _)| seat).collect();
        let clasps = Clasps::new(limbs, &begins, &counts, &lanes, &seat_of)?;
        let turns = Turns::new(model, |body| Some(seat_of[*limbs.place_of.get(body as usize)? as usize]));
        let landing = Landing::new(&spatial, &limbs.spatial, lanes, |place| {
            let (seat, lane) = seat_of[place];
            (seat as usize, lane as usize)
        })?;
        seats.push(Seat::new(Spot::default(), Part::default()));
        let g = model.gravity;
        Some(Sheaf {
            now: 0,
            waiting: vec![Handed::default(); spatial.depth() + 1],
            landing,
            gravity: Vec3::new(T::splat(g.x), T::splat(g.y), T::splat(g.z)),
            semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
            place_of,
            seat_of,
            outside: Ends { handed: vec![Handed::default(); count], reach: vec![T::ZERO; count], has_end },
            shifts: vec![Six::ZERO; count],
            moves: vec![Six::ZERO; count],
            clasps,
            turns,
            q: Vec::with_capacity(model.q_len),
            v: Vec::with_capacity(model.v_len),
            is_factored: false,
            patience: Patience::default(),
            steps: 0,
            seats,
            spatial,
        })
    }

    /// Poses and velocities of `motions` into the lanes.
    #[inline(always)]
    fn load(&mut self, limbs: &Limbs, motions: &[Motion]) {
        let Sheaf { seats, place_of, now, .. } = self;
        for (seat, places) in seats.iter_mut().zip(place_of.chunks_exact(T::LANES)) {
            let of = |l: usize| &motions[limbs.places[places[l] as usize].body as usize];
            let vector = |f: fn(&Motion) -> Vec3| {
                Vec3::new(
                    T::from_lanes(|l| f(of(l)).x),
                    T::from_lanes(|l| f(of(l)).y),
                    T::from_lanes(|l| f(of(l)).z),
                )
            };
            seat.motion[*now & 1] = Motion {
                pos: vector(|m| m.pos),
                rot: Quat { w: T::from_lanes(|l| of(l).rot.w), v: vector(|m| m.rot.v) },
                axes: Mat3 { x: vector(|m| m.axes.x), y: vector(|m| m.axes.y), z: vector(|m| m.axes.z) },
                vel: vector(|m| m.vel),
                omega: vector(|m| m.omega),
            };
        }
    }

    /// Factors at the present poses, those of `work.motions`; false if there is no factor.
    fn factor(&mut self, work: &mut Workspace) -> bool {
        let Workspace { limbs: Some(limbs), motions, .. } = work else { return false };
        self.load(limbs, motions);
        let Sheaf { seats, spatial, now, landing, gravity, clasps, .. } = self;
        if !clasps.plan(limbs.spatial.closures()) || !landing.plan(&limbs.spatial) {
            return false;
        }
        clasps.begin(seats, *now & 1, spatial);
        T::within(Factor { seats, now: *now & 1, gravity: *gravity, spatial })
            && landing.land(spatial, &mut limbs.spatial)
    }

    /// Accelerations, and where they lead to.
    fn solve_and_move(&mut self, whole: &Spatial, part: f64, h: f64) -> bool {
        let Sheaf { seats, spatial, now, landing, semi_implicit, .. } = self;
        let mut moving = Moving {
            seats,
            now: *now & 1,
            h: T::splat(h),
            semi_implicit: *semi_implicit,
            floats: false,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            kin: Beside,
        };
        T::within(Forward(spatial, T::splat(part), &mut moving));
        landing.land_pair(spatial, whole, part);
        landing.take_answers::<T, 2>(spatial);
        T::within(Backward(spatial, T::splat(part), &mut moving));
        !moving.is_far.any()
    }

    /// What the equations leave over; loads are found on the way. `None` if a row that the plan has dropped disagrees with the answer: it is out of date.
    fn certify(&mut self, whole: &Spatial) -> Option<f64> {
        const DISAGREES: f64 = 1e-12;
        const LITTLE: f64 = 1e-8;
        let Sheaf { seats, now, spatial, waiting, outside, clasps, landing, .. } = self;
        let dropped = clasps.judge(landing, spatial, &mut outside.handed);
        let judged = T::within(Certify { seats, now: *now & 1, spatial, waiting, outside });
        let ratio = if dropped == 0.0 { 0.0 } else { dropped / judged.largest.magnitude() };
        // No for NaN.
        let agrees = ratio <= DISAGREES && whole.least_pivot() >= LITTLE;
        // A lane that is no number is the worst.
        let (mut worst, closings) = (Worst(0.0), clasps.worst(&outside.reach));
        for lane in 0..T::LANES {
            worst.0 = larger(worst.0, judged.worst.lane(lane));
            worst.0 = larger(worst.0, closings.lane(lane));
        }
        agrees.then(|| worst.0.sqrt())
    }

    /// Σ of what the ground exerts, with its moment about the origin.
    fn ground_load(&self, limbs: &Limbs, motions: &[Motion]) -> (Vec3, Vec3) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        let mut book = |load: &Six, body: usize| {
            force += load.lin;
            moment += motions[body].pos.cross(load.lin) + load.ang;
        };
        for &at in &limbs.on_ground {
            let (seat, lane) = self.seat_of[at as usize];
            let load = lane_of(&self.spatial.loads()[seat as usize], lane as usize & 3);
            book(&load, limbs.places[at as usize].body as usize);
        }
        self.clasps.book_on_ground(&self.landing, book);
        (force, moment)
    }

    /// Poses and velocities where the step leads, and the state that is.
    fn store(&self, model: &Model, work: &mut Workspace) {
        let Workspace { limbs: Some(limbs), motions, next: to, .. } = work else { return };
        let next = (self.now & 1) ^ 1;
        for (place, &(seat, lane)) in limbs.places.iter().zip(&self.seat_of) {
            let (from, lane) = (&self.seats[seat as usize].motion[next], lane as usize & 3);
            let (pos, rot) =
                (vec_of(&from.pos, lane), Quat { w: from.rot.w.at(lane), v: vec_of(&from.rot.v, lane) });
            let (vel, omega) = (vec_of(&from.vel, lane), vec_of(&from.omega, lane));
            motions[place.body as usize] = Motion {
                pos,
                rot,
                axes: Mat3 {
                    x: vec_of(&from.axes.x, lane),
                    y: vec_of(&from.axes.y, lane),
                    z: vec_of(&from.axes.z, lane),
                },
                vel,
                omega,
            };
            let entry = &model.bodies[place.body as usize];
            let q = [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z];
            to.q[entry.q_at as usize..][..7].copy_from_slice(&q);
            Six::new(vel, omega).write(&mut to.v[entry.v_at as usize..][..6]);
        }
    }

    /// Factors at the new poses and takes velocities along what the joints lock away; how far the joints of the trees are from closed then, squared.
    fn correct_rates(&mut self, work: &mut Workspace) -> Option<Worsts<T>> {
        let Workspace { limbs: Some(limbs), counts, .. } = work else { return None };
        counts.factorizations += 1;
        counts.solves += 1;
        let whole = &mut limbs.spatial;
        let Sheaf { seats, spatial, now, landing, gravity, clasps, .. } = self;
        let next = (*now & 1) ^ 1;
        clasps.ask_rates(seats, next, spatial, landing);
        let is_fine =
            T::within(FactorRates { seats, now: *now & 1, spatial }) && landing.land(spatial, whole);
        if !is_fine {
            return None;
        }
        landing.take_answers::<T, 1>(spatial);
        let mut measured = Worsts::default();
        T::within(Correct { seats, next, gravity: *gravity, spatial, out: &mut measured });
        Some(measured)
    }

    fn try_step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        let limbs = work.limbs.as_mut()?;
        // The plan must be that of the last factor, or one is made.
        let mut is_planned = state.assembled && !state.still;
        for (closing, closure) in limbs.closings.iter().zip(limbs.spatial.closures()) {
            let mask = state.plan[closing.index()];
            is_planned &= mask != 0 && closure.kept_mask() == mask & !PLANNED;
        }
        if !is_planned {
            return None;
        }
        crate::step::write_motions(model, state, &mut work.motions);
        let is_ours = limbs.factored.len() == LENT.len()
            && self.is_factored
            && are_same(&self.q, &state.q)
            && are_same(&self.v, &state.v);
        self.is_factored = false;
        let counts = work.counts;
        let mut report = StepReport { size: h, steps: 1, ..StepReport::default() };
        work.counts.factorizations += u64::from(!is_ours);
        let outcome = match is_ours || self.factor(work) {
            true => self.common_step(model, state, (h, is_ours), work, &mut report),
            false => None,
        };
        if outcome.is_none() {
            // Closures are of another pose now, or of none.
            work.counts = counts;
            super::forget_factor(work);
        }
        outcome?;
        Some(report)
    }

    fn common_step(
        &mut self,
        model: &Model,
        state: &State,
        (h, is_ours): (f64, bool),
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Option<()> {
        let Workspace { limbs: Some(limbs), motions, counts, .. } = &mut *work else { return None };
        if limbs.spatial.least_pivot().sqrt() < settle::SINGULAR {
            return None;
        }
        self.clasps.write_bias(&mut self.landing);
        counts.solves += 2;
        let part = 0.5 * h * h * if self.semi_implicit { -1.0 } else { 1.0 };
        if !self.solve_and_move(&limbs.spatial, part, h) {
            return None;
        }
        // Near the bound one body after another has the last word, and where arms were not known another certificate.
        let least = if is_ours { 5e-13 } else { 1e-13 };
        let residual = self.certify(&limbs.spatial)?;
        if residual.is_nan() || residual > least {
            return None;
        }
        let mut rate = LedgerRate::default();
        for (force, moment) in [super::weight(model, motions), self.ground_load(limbs, motions)] {
            rate.force += force;
            rate.moment += moment;
        }
        (work.equation_residual, report.equation_residual) = (residual, residual);
        work.next.copy_from(state);
        work.next.advance_time(h);
        crate::step::propagate::book(&mut work.next.ledger, h, &rate);
        work.next.forget_joints();
        let limbs = work.limbs.as_ref()?;
        // As it is adopted one body after another.
        if !limbs.closings.is_empty() {
            work.plan.copy_from_slice(&state.plan);
        }
        let poses = settle::close_loops(&mut InLanes { sheaf: self, work, report })?;
        let trees = self.correct_rates(work)?;
        self.store(model, work);
        let (force, moment) = self.ground_load(work.limbs.as_ref()?, &work.motions);
        work.next.ledger.impulse += force;
        work.next.ledger.angular_impulse += moment;
        settle::count_round(work, report);
        let rates = self.clasps.measure_rates(&self.seats, self.now ^ 1);
        let measured = worst_of(&poses, &rates, &trees);
        let is_closed = measured.position_excess <= NOISE && measured.velocity_excess <= NOISE;
        if !(is_closed && (measured.position + measured.velocity + measured.velocity_size).is_finite()) {
            return None;
        }
        (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
        (work.drift, work.passes_singular_pose, work.meets_singular_pose) = (0.0, false, None);
        if let Some(turns) = &self.turns {
            turns.follow(&self.seats, self.now ^ 1, h, &state.turns, &mut work.next.turns);
            work.has_turns = true;
        }
        Some(())
    }
}

/// In the place of the coordinates of a factor: it is of a sheaf.
const LENT: [f64; 1] = [f64::NAN];

impl<T: Pack> Bundle for Sheaf<T> {
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
        self.q.clone_from(&work.next.q);
        self.v.clone_from(&work.next.v);
        // Whoever goes on one body after another begins with a factor of his own.
        let limbs = work.limbs.as_mut()?;
        limbs.factored.clear();
        limbs.factored.extend_from_slice(&LENT);
        limbs.knows_pose = false;
        Some(report)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn bytes(&self) -> usize {
        self.seats.capacity() * size_of::<Seat<T>>()
            + self.spatial.bytes()
            + self.place_of.capacity() * size_of::<u32>()
            + self.seat_of.capacity() * size_of::<(u32, u32)>()
            + self.outside.handed.capacity() * (size_of::<Handed<T>>() + size_of::<T>() + 1)
            + self.waiting.capacity() * size_of::<Handed<T>>()
            + self.clasps.bytes()
            + self.turns.as_ref().map_or(0, Turns::bytes)
            + self.landing.bytes()
            + (self.shifts.capacity() + self.moves.capacity()) * size_of::<Six<T>>()
            + (self.q.capacity() + self.v.capacity()) * size_of::<f64>()
    }
}

/// The rounds that close loops.
struct InLanes<'w, T: Pack> {
    sheaf: &'w mut Sheaf<T>,
    work: &'w mut Workspace,
    report: &'w mut StepReport,
}

impl<T: Pack> Loops for InLanes<'_, T> {
    fn measure(&mut self) -> Measured {
        let Sheaf { seats, now, clasps, .. } = &mut *self.sheaf;
        clasps.measure_poses(seats, *now ^ 1)
    }
    fn correct(&mut self, is_more: bool) {
        self.work.counts.solves += 1;
        let Some(limbs) = &mut self.work.limbs else { return };
        let Sheaf { spatial, landing, shifts, clasps, .. } = &mut *self.sheaf;
        clasps.ask(landing);
        landing.answer_alone(&limbs.spatial);
        landing.take_answers::<T, 1>(spatial);
        T::within(Shift { spatial, shifts, is_more });
        settle::count_round(self.work, self.report);
    }
    fn foresee(&mut self) -> Option<f64> {
        let Sheaf { seats, spatial, now, moves, clasps, .. } = &mut *self.sheaf;
        T::within(Carry { seats, next: (*now & 1) ^ 1, spatial, moves });
        Some(clasps.foresee(moves))
    }
    fn advance(&mut self) -> bool {
        let Sheaf { seats, now, shifts, .. } = &mut *self.sheaf;
        let moving = Moving {
            seats,
            now: *now & 1,
            h: T::ZERO,
            semi_implicit: false,
            floats: false,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            kin: Beside,
        };
        T::within(Move(moving, shifts))
    }
}

/// Whether all numbers are the same, to the last bit.
pub(super) fn are_same(a: &[f64], b: &[f64]) -> bool {
    let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
    a.len() == b.len() && a.iter().zip(b).map(differ).fold(0, |all, x| all | x) == 0
}

/// The worst of joints that close loops, poses and rates, and of those of the trees, whose errors are squares.
fn worst_of<T: Pack>(poses: &Measured, rates: &Measured, trees: &Worsts<T>) -> Measured {
    let Measured { position, position_excess, position_size, .. } = *poses;
    let mut out = Measured { position, position_excess, position_size, ..*rates }.squared();
    for lane in 0..T::LANES {
        out.position = larger(out.position, trees.position.lane(lane));
        out.velocity = larger(out.velocity, trees.velocity.lane(lane));
        out.position_excess = larger(out.position_excess, trees.position_excess.lane(lane));
        out.velocity_excess = larger(out.velocity_excess, trees.velocity_excess.lane(lane));
        out.velocity_size += trees.nothing.lane(lane);
    }
    out.done()
}

#[inline(always)]
pub(super) fn vec_of<T: Pack>(v: &Vec3<T>, lane: usize) -> Vec3 {
    Vec3::new(v.x.at(lane), v.y.at(lane), v.z.at(lane))
}
#[inline(always)]
pub(super) fn lane_of<T: Pack>(v: &Six<T>, lane: usize) -> Six {
    Six::new(vec_of(&v.lin, lane), vec_of(&v.ang, lane))
}

struct Factor<'s, T: Pack> {
    seats: &'s mut [Seat<T>],
    now: usize,
    gravity: Vec3<T>,
    spatial: &'s mut Spatial<T>,
}
impl<T: Pack> Task for Factor<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Factor { seats, now, gravity, spatial } = self;
        write_levers(seats, now, gravity, &Beside);
        let (acc, nothing) = (&mut [][..], Six::ZERO);
        spatial.factor(&mut Filling::<T, false> { seats, now, gravity, acc, nothing, kin: Beside }).is_ok()
    }
}

struct FactorRates<'s, T: Pack> {
    seats: &'s [Seat<T>],
    now: usize,
    spatial: &'s mut Spatial<T>,
}
impl<T: Pack> Task for FactorRates<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.spatial.factor(&mut Rates { seats: self.seats, now: self.now, judging: (), kin: Beside }).is_ok()
    }
}

struct Correct<'s, T: Pack> {
    seats: &'s mut [Seat<T>],
    next: usize,
    gravity: Vec3<T>,
    spatial: &'s mut Spatial<T>,
    out: &'s mut Worsts<T>,
}
impl<T: Pack> Task for Correct<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Correct { seats, next, gravity, spatial, out } = self;
        // Turns are counted with all others.
        let counting = Counting { hinges: &[], before: &[], after: &mut [] };
        spatial.backward::<ROOTS>(Corrected::new(seats, next, (gravity, T::ZERO), counting, out, Beside));
    }
}

struct Forward<'s, 'w, T: Pack>(&'s mut Spatial<T>, T, &'s mut Moving<'w, T>);
impl<T: Pack> Task for Forward<'_, '_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.pair_forward(self.1, self.2);
    }
}

struct Backward<'s, 'w, T: Pack>(&'s mut Spatial<T>, T, &'s mut Moving<'w, T>);
impl<T: Pack> Task for Backward<'_, '_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.pair_backward(self.1, self.2);
    }
}

struct Certify<'s, T: Pack> {
    seats: &'s [Seat<T>],
    now: usize,
    spatial: &'s mut Spatial<T>,
    waiting: &'s mut [Handed<T>],
    outside: &'s mut Ends<T>,
}

/// What the equations leave over, squared, and the largest acceleration.
struct Judged<T> {
    worst: T,
    largest: T,
}

impl<T: Pack> Task for Certify<'_, T> {
    type Output = Judged<T>;
    #[inline(always)]
    fn run(self) -> Judged<T> {
        let Certify { seats, now, spatial, waiting, outside } = self;
        let mut largest = T::ZERO;
        for limb in spatial.limbs() {
            let Six { lin, ang } = &limb.x;
            for x in [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z] {
                largest = T::select(x.abs().above(largest), x.abs(), largest);
            }
        }
        let mut judging = Judging::new(waiting, outside);
        let results = spatial.results_mut();
        for (at, load) in results.loads.iter_mut().enumerate() {
            let joint = seats[at].spot.joint;
            let limb = (&results.limbs[at], results.more.of(at));
            *load = judging.judge::<true>((seats, now), at, joint, limb, &Beside);
        }
        Judged { worst: judging.worst.0, largest }
    }
}

/// Displacements of a correction of joints that close loops.
struct Shift<'s, T: Pack> {
    spatial: &'s mut Spatial<T>,
    shifts: &'s mut [Six<T>],
    is_more: bool,
}
impl<T: Pack> Task for Shift<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Shift { spatial, shifts, is_more } = self;
        spatial.solve_closures(|_: usize, _: &Six<T>| {});
        for (shift, limb) in shifts.iter_mut().zip(spatial.limbs()) {
            *shift = if is_more { *shift + limb.x } else { limb.x };
        }
    }
}

/// What displacements become when the joints of the trees carry them along.
struct Carry<'s, T: Pack> {
    seats: &'s [Seat<T>],
    next: usize,
    spatial: &'s Spatial<T>,
    moves: &'s mut [Six<T>],
}
impl<T: Pack> Task for Carry<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Carry { seats, next, spatial, moves } = self;
        for at in (0..moves.len()).rev() {
            let Seat { spot, lever, .. } = &seats[at];
            let parent = moves.get(spot.parent as usize).copied().unwrap_or(Six::ZERO);
            moves[at] = carried_along(spot.joint, &lever[next & 1], &parent, spatial.limbs()[at].x.ang);
        }
    }
}

/// Moves the new poses by displacements, and closes the joints of the trees; false if that took more than a little.
struct Move<'s, T: Pack>(Moving<'s, T>, &'s [Six<T>]);
impl<T: Pack> Task for Move<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Move(mut moving, shifts) = self;
        let next = (moving.now & 1) ^ 1;
        for (at, shift) in shifts.iter().enumerate().rev() {
            let Motion { pos, rot, vel, omega, .. } = moving.seats[at].motion[next];
            moving.put(at, (pos + shift.lin, turned_by(shift.ang, rot)), (vel, omega));
        }
        !moving.is_far.any()
    }
}

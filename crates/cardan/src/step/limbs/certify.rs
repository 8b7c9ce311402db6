//! How well an answer of the fast way obeys the equations.

use super::closing::{row_left, row_of_gap};
use super::fill::Name;
use super::right::Given;
use super::{Limbs, Place};
use crate::body::Motion;
use crate::math::{Lane, Six, Sym6, Vec3, larger};
use crate::model::Model;
use crate::state::State;
use crate::step::multipliers::is_rounding;
use crate::step::{Fault, StepError, Workspace};
use cardan_solve::pack::{Mask, Pack};
use cardan_solve::spatial::wide::within;
use cardan_solve::spatial::{Answer, Form, Keep, Limb, More, Results, Spatial};
use cardan_solve::{System, Task};

/// Judges the answer of the last solve, and improves it as long as it leaves more than rounding and that helps.
pub(crate) fn certify(model: &Model, work: &mut Workspace, extra: bool) {
    const ROUNDING: f64 = 1e-12;
    let loads_are_found = work.limbs.as_ref().is_none_or(|limbs| limbs.has_loads);
    work.equation_residual = match loads_are_found {
        true => within(Residual::<true>(model, work, extra)),
        false => within(Residual::<false>(model, work, extra)),
    };
    for _ in 0..3 {
        if work.equation_residual <= ROUNDING {
            return;
        }
        let Workspace { limbs, motions, system, acc, next, .. } = work;
        let Some(limbs) = limbs else { return };
        let spare = if loads_are_found { None } else { Spare::room(limbs, next) };
        let Limbs { spatial, places, names, answers, fault, disagreement, .. } = limbs;
        if *fault != Fault::None {
            // It would be mended, not shown.
            return;
        }
        *disagreement = None;
        let given = |at: usize| given(model, &places[at], motions, extra.then_some(&*system));
        if let Some((loads, forces)) = spare {
            spatial.refine(given, &mut Spare { names, acc, loads, forces });
        } else {
            spatial.refine(given, answers);
            for (place, limb) in places.iter().zip(spatial.limbs()) {
                place.write_x(&limb.x, acc);
            }
        }
        work.counts.solves += 1;
        let left = within(Residual::<true>(model, work, extra));
        let helped = left < 0.5 * work.equation_residual;
        work.equation_residual = left;
        if !helped {
            return;
        }
    }
}

/// Very many answers under refinement, in memory that is there: accelerations stay in their place, and the state that a step of Euler's rules leads to is not
/// yet written.
struct Spare<'w> {
    names: &'w [Name],
    acc: &'w mut [f64],
    loads: &'w mut [[f64; 6]],
    /// And the answer along the joint.
    forces: &'w mut [[f64; 7]],
}

/// Room for loads and forces.
type Room<'w> = (&'w mut [[f64; 6]], &'w mut [[f64; 7]]);

impl Spare<'_> {
    /// That memory, of rigid bodies on hinges alone; `None` where there are few of them, or others.
    fn room<'w>(limbs: &Limbs, next: &'w mut State) -> Option<Room<'w>> {
        let is_plain = !(limbs.are_few || limbs.spatial.has_further()) && limbs.closes_forest;
        let (loads, forces) = (next.v.as_chunks_mut().0, next.q.as_chunks_mut().0);
        let fits = loads.len() == limbs.places.len() && forces.len() == limbs.places.len();
        (is_plain && fits).then_some((loads, forces))
    }
    fn unknowns(&self, at: usize) -> usize {
        self.names[at].rigid_at as usize
    }
}

impl Keep<f64> for Spare<'_> {
    #[inline(always)]
    fn keep(&mut self, at: usize, answer: &Answer) {
        answer.load.write(&mut self.loads[at]);
        let [force @ .., first] = &mut self.forces[at];
        answer.force.write(force);
        *first = answer.first;
    }
    #[inline(always)]
    fn kept(&self, at: usize) -> Answer {
        let [force @ .., first] = &self.forces[at];
        Answer {
            x: Six::from_slice(&self.acc[self.unknowns(at)..][..6]),
            load: Six::from_slice(&self.loads[at]),
            force: Six::from_slice(force),
            first: *first,
            others: [0.0; 2],
        }
    }
    #[inline(always)]
    fn improved(&mut self, at: usize, x: &Six) {
        let first = self.unknowns(at);
        x.write(&mut self.acc[first..first + 6]);
    }
}

struct Residual<'w, const FOUND: bool>(&'w Model, &'w mut Workspace, bool);

impl<const FOUND: bool> Task for Residual<'_, FOUND> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        residual::<FOUND>(self.0, self.1, self.2)
    }
}

/// M and F of a place.
fn given(model: &Model, place: &Place, motions: &[Motion], extra: Option<&System>) -> (Sym6, Six) {
    let (mass, force) = place.mass_and_weight(model.gravity, &motions[place.body as usize]);
    match extra {
        None => (mass, force),
        Some(system) => (mass, force + place.extra(model, system)),
    }
}

impl Given {
    /// M and F as they are now.
    #[inline(always)]
    fn now(model: &Model, place: &Place, motions: &[Motion], extra: Option<&System>) -> Self {
        let (mass, force) = given(model, place, motions, extra);
        Given { mass: mass.a.xx, inertia: mass.c, force, held: None }
    }
}

/// Accelerations of a body by the number of its motion; the ground has none.
#[inline(always)]
fn x_of(spatial: &Spatial, place_of: &[u32], motion: usize) -> Six {
    place_of.get(motion).map_or(Six::ZERO, |&at| spatial.limbs()[at as usize].x)
}

/// What children and closing joints hand to a body, and squares of the terms that form its balance besides its own.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Handed<T: Lane = f64> {
    pub(super) sum: Six<T>,
    pub(super) forces: T,
    pub(super) moments: T,
}

impl<T: Lane> Handed<T> {
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Handed<T>) {
        self.sum += other.sum;
        self.forces += other.forces;
        self.moments += other.moments;
    }
}

/// Worst of leftovers relative to the terms that form them, all of them as squares: Σ |term|² stands for the size of a sum. 0/0 counts as 0.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Worst<T: Lane = f64>(pub(super) T);

impl<T: Pack> Worst<T> {
    #[inline(always)]
    pub(super) fn note(&mut self, left: T, size: T) {
        if self.is_worse(left, size).any() {
            self.keep(left, size);
        }
    }
    /// Both in one decision: mostly nothing is divided.
    #[inline(always)]
    pub(super) fn note_both(&mut self, one: (T, T), other: (T, T)) {
        if (self.is_worse(one.0, one.1) | self.is_worse(other.0, other.1)).any() {
            self.keep(one.0, one.1);
            self.keep(other.0, other.1);
        }
    }
    #[inline(always)]
    fn is_worse(&self, left: T, size: T) -> T::Mask {
        // Products of roundings, of which nothing can be said: |left| < 1e-50.
        left.exceeds(self.0 * size + T::splat(1e-100))
    }
    #[inline(always)]
    fn keep(&mut self, left: T, size: T) {
        let is_worse = self.is_worse(left, size) & !self.0.is_nan();
        self.0 = T::select(is_worse, left / size, self.0);
    }
}

#[inline(always)]
pub(super) fn square<T: Lane>(v: Vec3<T>) -> T {
    v.dot(v)
}

/// Force balance of every body, J v̇ + c of every joint (from the joint's own rows, not from what was eliminated with),
/// and no load along what a joint leaves free; each relative to the terms that form it.
///
/// A moment is also measured by forces at their arms, and a load, which is the difference D x − F, by the F that was summed up there: in free
/// fall all loads are rounding, and only that F says of what. Rows of a closing joint count one by one: at rest they cancel.
///
/// Loads that were not `FOUND` by the solve are those of the balance, body by body: then these hold, and what is left over shows along the
/// freedoms, and at a body that floats.
#[inline(always)]
fn residual<const FOUND: bool>(model: &Model, work: &mut Workspace, extra: bool) -> f64 {
    let Workspace { limbs, motions, system, touch, .. } = work;
    let closed = work.stage.assembled;
    let Some(limbs) = limbs else { return 0.0 };
    // The factor at hand is of this very pose, or has just been made.
    let knows_pose = limbs.knows_pose && !limbs.factored.is_empty();
    let is_common = limbs.closings_are_common;
    let are_few = limbs.are_few;
    let Limbs { spatial, places, closings, scratch, waiting, given: all_given, place_of, levers, .. } = limbs;
    let closing_levers = &limbs.closing_levers;
    let system = extra.then_some(&*system);
    if are_few && all_given.is_empty() {
        all_given.extend(places.iter().map(|place| Given::now(model, place, motions, system)));
    }
    let mut worst = Worst::default();
    scratch.fill(Handed::default());
    if let (Some(touch), true) = (touch, extra) {
        // At rest what contacts push with and weight cancel.
        touch.each_push(model, |body, push| {
            let sum = &mut scratch[place_of[body] as usize];
            sum.forces += square(push.force);
            sum.moments += square(push.torque);
        });
    }
    for ((closing, closure), lever) in closings.iter().zip(spatial.closures()).zip(closing_levers) {
        if is_common {
            let lever = if knows_pose { *lever } else { closing.hold.lever(motions) };
            for (place, (push, size, turning)) in
                closure.places().into_iter().zip(closing.common_push(motions, &lever, closure))
            {
                let Some(sum) = place.map(|place| &mut scratch[place]) else { continue };
                sum.sum -= push;
                sum.forces += size;
                sum.moments += turning;
            }
            continue;
        }
        for (end, place) in closure.places().into_iter().enumerate() {
            let Some(place) = place else { continue };
            let (arm, sum) = (closing.arm_squared(model, motions, end), &mut scratch[place]);
            for &r in closure.kept() {
                let push = closure.rows[end][r as usize].scaled(closure.answers[r as usize]);
                let size = square(push.lin);
                sum.sum -= push;
                sum.forces += size;
                sum.moments += square(push.ang) + arm * size;
            }
        }
    }
    let Results { limbs, more, loads } = spatial.results_mut();
    let mut depth = 0;
    for (at, ((place, limb), load)) in places.iter().zip(limbs).zip(loads).enumerate() {
        let made;
        let given = match all_given.get(at) {
            Some(given) => given,
            None => {
                made = Given::now(model, place, motions, system);
                &made
            }
        };
        // What children have handed on is the last of those that wait; it began with what is in `scratch`.
        let handed = if limb.has_children() {
            depth -= 1;
            waiting[depth]
        } else {
            scratch.get(at).copied().unwrap_or_default()
        };
        let x = &limb.x;
        let (reach, handed_on) =
            balance::<f64, FOUND>((given, place.balance()), (limb, more.of(at)), load, handed, &mut worst);
        if let Some(kept) = scratch.get_mut(at) {
            kept.forces = reach;
        }
        let mut x_parent = Six::ZERO;
        if let Some(parent) = limb.parent() {
            if limb.is_first_child() {
                waiting[depth] = scratch.get(parent).copied().unwrap_or_default();
                depth += 1;
            }
            waiting[depth - 1].add(&handed_on);
            x_parent = limbs[parent].x;
        }
        let Some(hold) = &place.hold else { continue };
        let (x_a, x_b) = if hold.onto_b() { (&x_parent, x) } else { (x, &x_parent) };
        if let (Some(held), true) = (&given.held, knows_pose) {
            hold.note_simple_residual(motions, (x_a, x_b), (*held, &levers[at], reach), &mut worst);
        } else {
            hold.note_residual(model, motions, (x_a, x_b), (closed, reach), &mut worst);
        }
    }
    for ((closing, closure), lever) in closings.iter().zip(spatial.closures()).zip(closing_levers) {
        let x = closing.ends().map(|motion| x_of(spatial, place_of, motion));
        let reach = closure.places().into_iter().flatten().fold(0.0, |sum, at| sum + scratch[at].forces);
        if is_common {
            let lever = if knows_pose { *lever } else { closing.hold.lever(motions) };
            let (left, size, spin_size) = closing.common_left(motions, &lever, closure, [&x[0], &x[1]]);
            for &r in closure.kept() {
                let left = left[r as usize];
                worst.note(left * left, reach + if r < 3 { size } else { spin_size });
            }
            continue;
        }
        for &r in closure.kept() {
            let (left, size) = row_left(closure, r as usize, [&x[0], &x[1]]);
            worst.note(left * left, size + reach);
        }
    }
    worst.0.sqrt()
}

/// What the balance of a body has to know of it besides forces and accelerations.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Balance<T: Lane = f64> {
    pub(super) mass_inverse_squared: T,
    pub(super) gyration_squared: T,
    /// A joint holds it.
    pub(super) is_held: bool,
}

impl Place {
    #[inline(always)]
    fn balance(&self) -> Balance {
        Balance {
            mass_inverse_squared: self.mass_inverse_squared,
            gyration_squared: self.gyration_squared,
            is_held: self.hold.is_some(),
        }
    }
}

/// Force balance of one body, and the load along what its joint leaves free. Returns the square of the accelerations that the forces on it could make if they did
/// not cancel, and what is handed on to its parent.
#[inline(always)]
pub(super) fn balance<T: Pack, const FOUND: bool>(
    (given, about): (&Given<T>, Balance<T>),
    (limb, more): (&Limb<T>, &More<T>),
    load: &mut Six<T>,
    Handed { sum, forces, moments }: Handed<T>,
    worst: &mut Worst<T>,
) -> (T, Handed<T>) {
    let Given { mass, inertia, force, .. } = given;
    let x = &limb.x;
    let inertial = Six::new(x.lin * *mass, *inertia * x.ang);
    let mut left = inertial - *force + sum;
    if FOUND {
        left -= *load;
    } else {
        *load = left;
    }
    let load: &Six<T> = load;
    let (load_size, load_moment) = (square(load.lin), square(load.ang));
    if FOUND || !about.is_held {
        let size = square(inertial.lin) + square(force.lin) + load_size + forces;
        worst.note(square(left.lin), size);
        worst.note(square(left.ang), square(inertial.ang) + square(force.ang) + load_moment + moments);
    }
    // Accelerations that the forces on a body could make if they did not cancel: what rounding is measured by. The force of
    // a limb may have what closures push in it, and be nothing at rest; the balance has summed up the sizes of both.
    let (summed, summed_moment) = (square(limb.force.lin), square(limb.force.ang));
    let size = load_size + summed;
    let felt_size = size + forces;
    let reach =
        felt_size * about.mass_inverse_squared + square(x.lin) + square(x.ang) * about.gyration_squared;
    let felt = load.carried_back(limb.shift);
    let turning = square(felt.ang) + summed_moment + square(limb.shift) * size;
    let handed_on = Handed { sum: felt, forces: size, moments: turning };
    if let (Form::Freedoms(f), true) = (limb.form(), about.is_held) {
        // Closures may carry what the joint does not: what it passes on is then the rounding of theirs.
        let felt_moment = load_moment + summed + summed_moment + forces + moments;
        if limb.is_ball() {
            // No moment about the point.
            let arm = limb.first.lin;
            let along = load.ang - arm.cross(load.lin);
            worst.note(square(along), square(arm) * felt_size + felt_moment);
        } else if f > 0 {
            note_along(&limb.first, load, (felt_size, felt_moment), worst);
            for column in &more.columns[..f as usize - 1] {
                note_along(column, load, (felt_size, felt_moment), worst);
            }
        }
    }
    (reach, handed_on)
}

/// A load along what is free.
#[inline(always)]
fn note_along<T: Pack>(column: &Six<T>, load: &Six<T>, (size, moment): (T, T), worst: &mut Worst<T>) {
    let along = column.dot(load);
    worst.note(along * along, square(column.lin) * size + square(column.ang) * moment);
}

/// A dropped row and how far it is from what the others allow.
pub(super) struct WorstDropped {
    closing: usize,
    row: usize,
    left: f64,
    size: f64,
    /// Beside the terms that form it and the largest acceleration, since its own terms may be rounding.
    pub(super) ratio: f64,
}

/// The dropped row that disagrees most with the answer.
pub(super) fn worst_dropped(work: &Workspace) -> Option<WorstDropped> {
    let Limbs { spatial, closings, redundant, place_of, .. } = work.limbs.as_ref()?;
    if *redundant == 0 {
        return None;
    }
    let largest = largest_of(&work.acc);
    let mut worst: Option<WorstDropped> = None;
    for (c, (closing, closure)) in closings.iter().zip(spatial.closures()).enumerate() {
        let mask = closure.kept_mask();
        if closure.kept().len() == closure.len() {
            continue;
        }
        let x = closing.ends().map(|motion| x_of(spatial, place_of, motion));
        for r in (0..closure.len()).filter(|r| mask & 1 << r == 0) {
            let (left, size) = row_left(closure, r, [&x[0], &x[1]]);
            let (left, size) = (left.abs(), size.sqrt());
            let ratio = if left == 0.0 { 0.0 } else { left / (size + largest) };
            if worst.as_ref().is_none_or(|w| ratio > w.ratio) {
                worst = Some(WorstDropped { closing: c, row: r, left, size, ratio });
            }
        }
    }
    worst
}

/// What the dropped rows disagree by, beside the largest acceleration alone: at least what [`worst_dropped`] finds, and mostly enough to know.
pub(super) fn disagreement_at_most(work: &Workspace) -> f64 {
    let Some(limbs) = &work.limbs else { return 0.0 };
    let Limbs { spatial, closings, redundant, place_of, closing_levers, .. } = limbs;
    if *redundant == 0 {
        return 0.0;
    }
    let mut worst = 0.0;
    let knows_pose = limbs.knows_pose && !limbs.factored.is_empty();
    for ((closing, closure), lever) in closings.iter().zip(spatial.closures()).zip(closing_levers) {
        let mask = closure.kept_mask();
        let x = closing.ends().map(|motion| x_of(spatial, place_of, motion));
        if limbs.closings_are_common {
            let lever = if knows_pose { *lever } else { closing.hold.lever(&work.motions) };
            let (left, ..) = closing.common_left(&work.motions, &lever, closure, [&x[0], &x[1]]);
            for (r, left) in left[..closure.len()].iter().enumerate() {
                if mask & 1 << r == 0 {
                    worst = larger(worst, left.abs());
                }
            }
            continue;
        }
        for r in 0..closure.len() {
            if mask & 1 << r == 0 {
                let left = closure.bias[r] + closure.rows[0][r].dot(&x[0]) + closure.rows[1][r].dot(&x[1]);
                worst = larger(worst, left.abs());
            }
        }
    }
    if worst == 0.0 { 0.0 } else { worst / largest_of(&work.acc) }
}

/// Largest magnitude of finite numbers; four side by side.
fn largest_of(numbers: &[f64]) -> f64 {
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut most = [0.0; 4];
    for four in fours {
        for (most, x) in most.iter_mut().zip(four) {
            let x = x.abs();
            *most = if x > *most { x } else { *most };
        }
    }
    most.iter().chain(rest).fold(0.0, |w, x| larger(w, x.abs()))
}

/// The largest acceleration that forces and loads would make if they did not cancel.
pub(crate) fn reach(model: &Model, work: &Workspace) -> f64 {
    let Some(Limbs { spatial, places, .. }) = &work.limbs else { return 0.0 };
    let mut reach = model.gravity.largest();
    for ((place, limb), load) in places.iter().zip(spatial.limbs()).zip(spatial.loads()) {
        reach = larger(reach, (load.lin.largest() + limb.force.lin.largest()) / place.mass);
        let turning = place.inertia.trace();
        if turning > 0.0 {
            reach = larger(reach, (load.ang.largest() + limb.force.ang.largest()) / turning);
        }
    }
    reach
}

/// What rows that a geometry tolerance has dropped may disagree by: they are not quite redundant, and tell of it in any pose.
pub(super) fn allowance(work: &Workspace) -> f64 {
    work.limbs.as_ref().map_or(0.0, |limbs| 10.0 * limbs.tolerance)
}

/// Rows that were dropped as redundant must want what the others want; the one that wants otherwise is named.
pub(crate) fn conflict(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    // Far above rounding.
    const DISAGREES: f64 = 1e-8;
    let disagrees = larger(DISAGREES, allowance(work));
    if work.limbs.as_ref().is_some_and(|limbs| limbs.disagreement.is_some_and(|d| d <= disagrees)) {
        return Ok(());
    }
    match worst_dropped(work) {
        Some(WorstDropped { closing, row, left, size, ratio })
            if ratio > disagrees && !is_rounding(left, reach(model, work)) =>
        {
            Err(named_conflict(model, work, work.stage.time, (closing, row), left, size))
        }
        _ => Ok(()),
    }
}

/// Joints that cannot all be closed: a row that was dropped as redundant and is open while what it depends on is closed.
pub(crate) fn open_conflict(model: &Model, work: &mut Workspace, position: bool) -> Option<StepError> {
    // Rounding of the corrections leaves far less than this in a redundant row that agrees with the others.
    const DISAGREES: f64 = 1e-6;
    let disagrees = larger(DISAGREES, allowance(work));
    let Limbs { spatial, closings, closing_gaps, .. } = work.limbs.as_ref()?;
    let all = spatial.closures().iter().zip(closings).zip(closing_gaps);
    for (c, ((closure, closing), gap)) in all.enumerate() {
        for r in (0..closure.len()).filter(|&r| !closure.kept().contains(&(r as u8))) {
            let (err, scale) = row_of_gap(closing, gap, position, r);
            if err.abs() > disagrees * scale {
                return Some(named_conflict(model, work, work.next.time, (c, r), err.abs(), scale));
            }
        }
    }
    None
}

fn named_conflict(
    model: &Model,
    work: &Workspace,
    time: f64,
    (closing, row): (usize, usize),
    by: f64,
    size: f64,
) -> StepError {
    let name = |j: usize| model.joints[j].name.clone();
    // On a copy: the failed step must leave everything as it was.
    let (joint, with) = match work.limbs.clone() {
        None => (String::new(), Vec::new()),
        Some(mut limbs) => {
            let own = limbs.closings[closing].index();
            (name(own), limbs.circuit(model, closing, row).into_iter().map(name).collect())
        }
    };
    let left = super::least_left(model, work);
    StepError::Conflict { joint, with, time, by, size, left }
}

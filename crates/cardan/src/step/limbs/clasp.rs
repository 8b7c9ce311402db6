//! Clasp: joints that close loops, four side by side in lanes.
//!
//! Hinges and balls between trees that are themselves in lanes (`sheaf.rs`). Their arms, rows, gaps, rates and what the certificate asks of them are found in lanes, each with the arithmetic of
//! `closing.rs`, `rates.rs` and `forest.rs` in the same order: a lane has the bits that the joint would have alone. Ends are fetched from the lanes of the seats, and what the
//! strands of a seat need is fetched from the clasps; only biases and answers pass through the closures of the whole.

use super::certify::{Handed, Worst, square};
use super::closing::Closing;
use super::hold::{axis_curvature, basis_across, bias_of_anchor};
use super::lanes::Seat;
use super::rates::Lever;
use super::{Limbs, Measured};
use crate::body::Motion;
use crate::joint::Shape;
use crate::math::{Mat3, Quat, Six, Vec3, larger};
use crate::measure::coordinates::{Hinge, Turning};
use crate::model::Model;
use crate::step::stabilise::bounds;
use cardan_solve::Task;
use cardan_solve::pack::{Mask, Pack};
use cardan_solve::spatial::{Closure, Landing, Limb, Spatial, Strand};

/// Lanes at most.
const MOST: usize = 4;
/// Rows of a hinge.
const ROWS: usize = 5;

/// Where the numbers of each lane come from: which of many, and which lane of it.
#[derive(Copy, Clone, Debug, Default)]
struct Source {
    at: [u32; MOST],
    lane: [u8; MOST],
    /// All from the same, each from its own lane.
    is_straight: bool,
}

impl Source {
    fn new(each: impl Fn(usize) -> (u32, usize)) -> Self {
        let at: [u32; MOST] = std::array::from_fn(|l| each(l).0);
        let lane: [u8; MOST] = std::array::from_fn(|l| each(l).1 as u8);
        Source { at, lane, is_straight: at == [at[0]; MOST] && lane == [0, 1, 2, 3] }
    }
    #[inline(always)]
    fn pick<'a, X>(&self, all: &'a [X]) -> [&'a X; MOST] {
        let [a, b, c, d] = self.at;
        [&all[a as usize], &all[b as usize], &all[c as usize], &all[d as usize]]
    }
    #[inline(always)]
    fn number<T: Pack>(&self, from: [&T; MOST]) -> T {
        T::from_lanes(|l| from[l].at(usize::from(self.lane[l] & 3)))
    }
    #[inline(always)]
    fn vector<T: Pack>(&self, from: [&Vec3<T>; MOST]) -> Vec3<T> {
        let [a, b, c, d] = from;
        Vec3::new(
            self.number([&a.x, &b.x, &c.x, &d.x]),
            self.number([&a.y, &b.y, &c.y, &d.y]),
            self.number([&a.z, &b.z, &c.z, &d.z]),
        )
    }
    #[inline(always)]
    fn six<T: Pack>(&self, from: [&Six<T>; MOST]) -> Six<T> {
        let [a, b, c, d] = from;
        Six::new(self.vector([&a.lin, &b.lin, &c.lin, &d.lin]), self.vector([&a.ang, &b.ang, &c.ang, &d.ang]))
    }
}

/// How far joints are from closed (`hold.rs`).
#[derive(Copy, Clone, Debug, Default)]
struct Gaps<T: Pack> {
    shift: Vec3<T>,
    turn: Vec3<T>,
    shift_rate: Vec3<T>,
    turn_rate: Vec3<T>,
    reach: T,
    reach_rate: T,
    reach_spin: T,
}

/// Joints side by side.
#[derive(Debug)]
struct Clasp<T: Pack> {
    is_hinge: bool,
    /// Seats of a and b; `None` is the ground.
    ends: [Option<Source>; 2],
    closures: [u32; MOST],
    /// Lanes beyond these repeat the last.
    count: usize,
    /// Anchors and z axes in their bodies.
    pos: [Vec3<T>; 2],
    z: [Vec3<T>; 2],
    /// Which rows are kept, one bit each; and whether that is so in all lanes.
    masks: [u8; MOST],
    is_alike: bool,
    lever: Lever<T>,
    /// p_b − x_a.
    to_anchor: Vec3<T>,
    /// Velocities and angular velocities of the ends.
    rates: [(Vec3<T>, Vec3<T>); 2],
    gaps: Gaps<T>,
    /// Of the rows as they were last written: r of (e, r × e) on both ends, and turns that are locked.
    reaches: [Vec3<T>; 2],
    directions: [Vec3<T>; 2],
    bias: [T; ROWS],
    /// What they exert on their ends, and squares of what forms forces and moments.
    pushes: [Six<T>; 2],
    force: T,
    moments: [T; 2],
    /// What answers leave of the rows, with the squares of what forms shifts and turns.
    left: [T; ROWS],
    sizes: (T, T),
}

/// Hinges whose turns are counted, side by side.
#[derive(Debug)]
struct Turned<T: Pack> {
    hinge: Hinge<T>,
    /// Seats of a and b; `None` is the ground.
    ends: [Option<Source>; 2],
    at: [u32; MOST],
    count: usize,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Turns<T: Pack>(Vec<Turned<T>>);

/// Turn, axes and angular velocity of an end that is not straight.
#[inline(always)]
fn motion_of<T: Pack>(source: &Source, seats: &[Seat<T>], side: usize) -> Motion<T> {
    let [a, b, c, d] = source.pick(seats);
    let [a, b, c, d] = [&a.motion[side & 1], &b.motion[side & 1], &c.motion[side & 1], &d.motion[side & 1]];
    Motion {
        pos: Vec3::ZERO,
        rot: Quat {
            w: source.number([&a.rot.w, &b.rot.w, &c.rot.w, &d.rot.w]),
            v: source.vector([&a.rot.v, &b.rot.v, &c.rot.v, &d.rot.v]),
        },
        axes: Mat3 {
            x: source.vector([&a.axes.x, &b.axes.x, &c.axes.x, &d.axes.x]),
            y: source.vector([&a.axes.y, &b.axes.y, &c.axes.y, &d.axes.y]),
            z: source.vector([&a.axes.z, &b.axes.z, &c.axes.z, &d.axes.z]),
        },
        vel: Vec3::ZERO,
        omega: source.vector([&a.omega, &b.omega, &c.omega, &d.omega]),
    }
}

impl<T: Pack> Turns<T> {
    /// Of the hinges of a mechanism whose bodies are at `seat_of`, seat and lane; `None` where turns of other joints are counted.
    pub(super) fn new(model: &Model, seat_of: impl Fn(u32) -> Option<(u32, u32)>) -> Option<Self> {
        let turning = Turning::new(model);
        let mut hinges: Vec<&Hinge> = turning.hinges_alone()?.iter().collect();
        // Joints of trees have both ends in one lane.
        let kind = |hinge: &Hinge| {
            let (a, b) = (seat_of(hinge.a), seat_of(hinge.b));
            let is_apart = a.map(|(_, lane)| lane) != b.map(|(_, lane)| lane);
            let parent = a.filter(|_| !is_apart).map(|(seat, _)| seat);
            (hinge.on_ground, b.map(|(seat, _)| seat), a.is_some(), is_apart, parent)
        };
        hinges.sort_by_key(|hinge| (kind(hinge), seat_of(hinge.b), seat_of(hinge.a)));
        let turned = |alike: &[&Hinge]| {
            let lane = |l: usize| alike[l.min(alike.len() - 1)];
            let number = |f: &dyn Fn(&Hinge) -> f64| T::from_lanes(|l| f(lane(l)));
            let vector = |f: &dyn Fn(&Hinge) -> Vec3| {
                Vec3::new(number(&|h| f(h).x), number(&|h| f(h).y), number(&|h| f(h).z))
            };
            let source = |body: &dyn Fn(&Hinge) -> u32| {
                seat_of(body(lane(0)))?;
                let of =
                    |l: usize| seat_of(body(lane(l))).map_or((0, 0), |(seat, lane)| (seat, lane as usize));
                Some(Source::new(of))
            };
            Turned {
                hinge: Hinge {
                    a: 0,
                    b: 0,
                    on_ground: lane(0).on_ground,
                    at: 0,
                    axis: vector(&|h| h.axis),
                    w: Quat { w: number(&|h| h.w.w), v: vector(&|h| h.w.v) },
                    z: Quat { w: number(&|h| h.z.w), v: vector(&|h| h.z.v) },
                },
                ends: [source(&|h| h.a), source(&|h| h.b)],
                at: std::array::from_fn(|l| lane(l).at),
                count: alike.len(),
            }
        };
        let groups = hinges.chunk_by(|a, b| kind(a) == kind(b)).flat_map(|alike| alike.chunks(T::LANES));
        Some(Turns(groups.map(turned).collect()))
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Turned<T>>()
    }

    /// The turns after a step of `h` from those `before` it.
    pub(super) fn follow(&self, seats: &[Seat<T>], side: usize, h: f64, before: &[f64], after: &mut [f64]) {
        T::within(Follow { turns: self, seats, side, h, before, after });
    }
}

struct Follow<'c, T: Pack> {
    turns: &'c Turns<T>,
    seats: &'c [Seat<T>],
    side: usize,
    h: f64,
    before: &'c [f64],
    after: &'c mut [f64],
}
impl<T: Pack> Task for Follow<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Follow { turns, seats, side, h, before, after } = self;
        for Turned { hinge, ends: [a, b], at, count } in &turns.0 {
            // Behind the last seat is the ground.
            let (room_a, room_b);
            let a = match a {
                Some(source) if !source.is_straight => {
                    room_a = motion_of(source, seats, side);
                    &room_a
                }
                end => &seats[end.map_or(seats.len() - 1, |end| end.at[0] as usize)].motion[side & 1],
            };
            let b = match b {
                Some(source) if !source.is_straight => {
                    room_b = motion_of(source, seats, side);
                    &room_b
                }
                end => &seats[end.map_or(seats.len() - 1, |end| end.at[0] as usize)].motion[side & 1],
            };
            let before = T::from_lanes(|l| before[at[l] as usize]);
            let turned = hinge.follow_from(a, b, before, T::splat(h));
            for l in 0..*count {
                after[at[l & 3] as usize] = turned.at(l & 3);
            }
        }
    }
}

/// A strand of the trees: the clasps that it belongs to.
#[derive(Debug)]
struct Lead<T: Pack> {
    seat: u32,
    from: Source,
    ends: [u8; MOST],
    sign: T,
}

/// A joint on the ground: its clasp and lane, its closure, its other end and the body there.
#[derive(Debug)]
struct Grounded {
    clasp: u32,
    lane: u8,
    closure: u32,
    end: u8,
    body: u32,
}

#[derive(Debug)]
pub(super) struct Clasps<T: Pack> {
    all: Vec<Clasp<T>>,
    leads: Vec<Lead<T>>,
    grounded: Vec<Grounded>,
}

/// The worst of errors, squared, in units of their bounds, and of sizes.
struct Tally<T: Pack> {
    error: T,
    excess: T,
    size: T,
}

#[inline(always)]
fn keep_larger<T: Pack>(most: &mut T, x: T) {
    *most = T::select(x.above(*most) | x.is_nan(), x, *most);
}

impl<T: Pack> Tally<T> {
    const NONE: Self = Tally { error: T::ZERO, excess: T::ZERO, size: T::ZERO };
    #[inline(always)]
    fn note(&mut self, error: T, size: T) {
        keep_larger(&mut self.error, error);
        let bound = bounds(size) * bounds(size);
        let is_far = error.above(bound) | error.is_nan();
        if is_far.any() {
            keep_larger(&mut self.excess, T::select(is_far, error / bound, T::ZERO));
        }
    }
    /// The worst lane of each.
    fn worst(&self) -> (f64, f64, f64) {
        let worst = |x: T| (0..T::LANES).fold(0.0, |most, l| larger(most, x.lane(l)));
        (worst(self.error).sqrt(), worst(self.excess).sqrt(), worst(self.size))
    }
}

/// v, or nothing where it is as good as zero beside the size of what formed it.
#[inline(always)]
fn above<T: Pack>(v: Vec3<T>, size: T) -> Vec3<T> {
    let least = bounds(size);
    let counts = v.dot(v).above(least * least);
    let part = |x: T| T::select(counts, x, T::ZERO);
    Vec3::new(part(v.x), part(v.y), part(v.z))
}

/// `Vec3::reach`.
#[inline(always)]
fn reach<T: Pack>(v: Vec3<T>) -> T {
    let (x, y, z) = (v.x.abs(), v.y.abs(), v.z.abs());
    let most = T::select(x.above(y), x, y);
    T::select(most.above(z), most, z)
}

impl<T: Pack> Clasp<T> {
    fn new(limbs: &Limbs, closures: &[u32], seat_of: &[(u32, u32)]) -> Self {
        let lane = |l: usize| closures[l.min(closures.len() - 1)] as usize;
        let sides = |l: usize| limbs.closings[lane(l)].hold.frames();
        let vector = |f: &dyn Fn(usize) -> Vec3| {
            Vec3::new(T::from_lanes(|l| f(l).x), T::from_lanes(|l| f(l).y), T::from_lanes(|l| f(l).z))
        };
        let ends = std::array::from_fn(|end| {
            limbs.spatial.closures()[lane(0)].places()[end]?;
            Some(Source::new(|l| {
                let place = limbs.spatial.closures()[lane(l)].places()[end];
                place.map_or((0, 0), |place| (seat_of[place].0, seat_of[place].1 as usize))
            }))
        });
        Clasp {
            is_hinge: limbs.closings[lane(0)].hold.shape() == Shape::Hinge,
            ends,
            closures: std::array::from_fn(|l| lane(l) as u32),
            count: closures.len(),
            pos: [vector(&|l| sides(l)[0].0), vector(&|l| sides(l)[1].0)],
            z: [vector(&|l| sides(l)[0].1), vector(&|l| sides(l)[1].1)],
            masks: [0; MOST],
            is_alike: true,
            lever: Lever::default(),
            to_anchor: Vec3::ZERO,
            rates: [(Vec3::ZERO, Vec3::ZERO); 2],
            gaps: Gaps::default(),
            reaches: [Vec3::ZERO; 2],
            directions: [Vec3::ZERO; 2],
            bias: [T::ZERO; ROWS],
            pushes: [Six::ZERO; 2],
            force: T::ZERO,
            moments: [T::ZERO; 2],
            left: [T::ZERO; ROWS],
            sizes: (T::ZERO, T::ZERO),
        }
    }

    #[inline(always)]
    fn rows(&self) -> usize {
        if self.is_hinge { ROWS } else { 3 }
    }

    /// Where an end is, and its axes.
    #[inline(always)]
    fn pose(&self, end: usize, seats: &[Seat<T>], side: usize) -> (Vec3<T>, Mat3<T>) {
        let Some(source) = &self.ends[end] else {
            return (Vec3::ZERO, Motion::<T>::GROUND.axes);
        };
        let [a, b, c, d] = source.pick(seats);
        let [a, b, c, d] =
            [&a.motion[side & 1], &b.motion[side & 1], &c.motion[side & 1], &d.motion[side & 1]];
        if source.is_straight {
            return (a.pos, a.axes);
        }
        let axes = Mat3 {
            x: source.vector([&a.axes.x, &b.axes.x, &c.axes.x, &d.axes.x]),
            y: source.vector([&a.axes.y, &b.axes.y, &c.axes.y, &d.axes.y]),
            z: source.vector([&a.axes.z, &b.axes.z, &c.axes.z, &d.axes.z]),
        };
        (source.vector([&a.pos, &b.pos, &c.pos, &d.pos]), axes)
    }

    /// How an end moves.
    #[inline(always)]
    fn rate(&self, end: usize, seats: &[Seat<T>], side: usize) -> (Vec3<T>, Vec3<T>) {
        let Some(source) = &self.ends[end] else { return (Vec3::ZERO, Vec3::ZERO) };
        let [a, b, c, d] = source.pick(seats);
        let [a, b, c, d] =
            [&a.motion[side & 1], &b.motion[side & 1], &c.motion[side & 1], &d.motion[side & 1]];
        if source.is_straight {
            return (a.vel, a.omega);
        }
        (
            source.vector([&a.vel, &b.vel, &c.vel, &d.vel]),
            source.vector([&a.omega, &b.omega, &c.omega, &d.omega]),
        )
    }

    /// x of an end.
    #[inline(always)]
    fn x(&self, end: usize, limbs: &[Limb<T>]) -> Six<T> {
        let Some(source) = &self.ends[end] else { return Six::ZERO };
        let [a, b, c, d] = source.pick(limbs);
        if source.is_straight { a.x } else { source.six([&a.x, &b.x, &c.x, &d.x]) }
    }

    /// Arms and axes; how far the poses are from closed.
    #[inline(always)]
    fn measure_pose(&mut self, seats: &[Seat<T>], side: usize) {
        let ((pos_a, axes_a), (pos_b, axes_b)) = (self.pose(0, seats, side), self.pose(1, seats, side));
        let (arm_a, arm_b) = (axes_a * self.pos[0], axes_b * self.pos[1]);
        self.to_anchor = pos_b + arm_b - pos_a;
        self.gaps.shift = self.to_anchor - arm_a;
        self.gaps.reach = reach(pos_a) + reach(arm_a) + reach(pos_b) + reach(arm_b);
        self.lever = Lever { arm_a, arm_b, ..Lever::default() };
        if self.is_hinge {
            let (z_a, z_b) = (axes_a * self.z[0], axes_b * self.z[1]);
            (self.lever.z_a, self.lever.z_b) = (z_a, z_b);
            self.gaps.turn = z_a.cross(z_b) / z_a.dot(z_b);
        }
    }

    #[inline(always)]
    fn note_pose(&self, tally: &mut Tally<T>) {
        keep_larger(&mut tally.size, self.gaps.reach);
        tally.note(square(self.gaps.shift), self.gaps.reach);
        if self.is_hinge {
            tally.note(square(self.gaps.turn), T::ONE);
        }
    }

    /// The same of rates.
    #[inline(always)]
    fn measure_rate(&mut self, seats: &[Seat<T>], side: usize) {
        self.rates = [self.rate(0, seats, side), self.rate(1, seats, side)];
        let [(vel_a, omega_a), (vel_b, omega_b)] = self.rates;
        let Lever { arm_a, arm_b, z_b, .. } = self.lever;
        self.gaps.shift_rate = (vel_b + omega_b.cross(arm_b)) - (vel_a + omega_a.cross(self.to_anchor));
        if self.is_hinge {
            let spin = omega_b - omega_a;
            self.gaps.turn_rate = spin - z_b * z_b.dot(spin);
        }
        let (spin_a, spin_b) = (reach(omega_a), reach(omega_b));
        self.gaps.reach_rate = reach(vel_a) + spin_a * reach(arm_a) + reach(vel_b) + spin_b * reach(arm_b);
        self.gaps.reach_spin = spin_a + spin_b;
    }

    #[inline(always)]
    fn note_rate(&self, tally: &mut Tally<T>) {
        let Gaps { shift_rate, turn_rate, reach_rate, reach_spin, .. } = self.gaps;
        keep_larger(&mut tally.size, reach_rate);
        keep_larger(&mut tally.size, reach_spin);
        tally.note(square(shift_rate), reach_rate);
        if self.is_hinge {
            tally.note(square(turn_rate), reach_spin);
        }
    }

    /// Rows of this pose.
    #[inline(always)]
    fn write_rows(&mut self) {
        self.reaches = [-self.to_anchor, self.lever.arm_b];
        if self.is_hinge {
            let (u, w) = basis_across(self.lever.z_b);
            self.directions = [u, w];
        }
    }

    /// A shift and a turn as biases of the rows.
    #[inline(always)]
    fn ask(&mut self, shift: Vec3<T>, turn: Vec3<T>) {
        let [u, w] = self.directions;
        let last = if self.is_hinge { [u.dot(turn), w.dot(turn)] } else { [T::ZERO; 2] };
        self.bias = [shift.x, shift.y, shift.z, last[0], last[1]];
    }

    /// What the joints want of accelerations.
    #[inline(always)]
    fn write_bias(&mut self) {
        let [(vel_a, omega_a), (vel_b, omega_b)] = self.rates;
        let Lever { arm_b, z_a, z_b, .. } = self.lever;
        let a = Motion { vel: vel_a, omega: omega_a, ..Motion::GROUND };
        let b = Motion { vel: vel_b, omega: omega_b, ..Motion::GROUND };
        let bias = bias_of_anchor(&a, &b, self.to_anchor, omega_b.cross(arm_b));
        let mut last = [T::ZERO; 2];
        if self.is_hinge {
            let turn = omega_a.cross(omega_b) + axis_curvature(z_a, z_b, omega_b - omega_a);
            last = [-self.directions[0].dot(turn), -self.directions[1].dot(turn)];
        }
        self.bias = [bias.x, bias.y, bias.z, last[0], last[1]];
    }

    /// Gives the closures of the whole their biases, of rows that are kept.
    #[inline(always)]
    fn give_bias(&self, landing: &mut Landing) {
        for l in 0..self.count {
            let mut to = landing.bias_mut(self.closures[l & 3] as usize).iter_mut();
            for r in 0..ROWS {
                if self.masks[l & 3] & 1 << r != 0
                    && let Some(to) = to.next()
                {
                    *to = self.bias[r].at(l & 3);
                }
            }
        }
    }

    /// What the answers of the closures exert on the ends, and what accelerations leave of the rows.
    #[inline(always)]
    fn judge(&mut self, landing: &Landing, limbs: &[Limb<T>]) {
        let [a, b, c, d] = self.closures;
        let from = [
            landing.answers(a as usize),
            landing.answers(b as usize),
            landing.answers(c as usize),
            landing.answers(d as usize),
        ];
        let (mut answers, mut k) = ([T::ZERO; ROWS], 0);
        for (r, answer) in answers.iter_mut().enumerate() {
            if !self.is_alike {
                *answer = T::from_lanes(|l| answer_of_row(from[l], self.masks[l], r));
            } else if self.masks[0] & 1 << r != 0 {
                *answer = T::from_lanes(|l| from[l][k]);
                k += 1;
            }
        }
        let Clasp { to_anchor, lever: Lever { arm_b, .. }, directions: [u, w], bias, .. } = *self;
        let force = Vec3::new(answers[0], answers[1], answers[2]);
        let torque = if self.is_hinge { u * answers[3] + w * answers[4] } else { Vec3::ZERO };
        let (size, turning) = (square(force), square(torque));
        let two = T::splat(2.0);
        self.force = size;
        self.pushes = [
            Six::new(force, torque + to_anchor.cross(force)).scaled(-T::ONE),
            Six::new(force, torque + arm_b.cross(force)).scaled(T::ONE),
        ];
        self.moments = [turning + two * square(to_anchor) * size, turning + two * square(arm_b) * size];

        let (x_a, x_b) = (self.x(0, limbs), self.x(1, limbs));
        let (carried, moved) = (x_a.ang.cross(to_anchor), x_b.ang.cross(arm_b));
        let held = Vec3::new(bias[0], bias[1], bias[2]);
        let left = x_b.lin + moved - x_a.lin - carried + held;
        let size = square(x_a.lin) + square(carried) + square(x_b.lin) + square(moved) + square(held);
        let (mut last, mut spin_size) = ([T::ZERO; 2], T::ZERO);
        if self.is_hinge {
            let spin = x_b.ang - x_a.ang;
            last = [u.dot(spin) + bias[3], w.dot(spin) + bias[4]];
            spin_size = square(x_a.ang) + square(x_b.ang);
            spin_size += bias[3] * bias[3] + bias[4] * bias[4];
        }
        self.left = [left.x, left.y, left.z, last[0], last[1]];
        self.sizes = (size, spin_size);
    }

    /// Whether a row counts: 1 or 0 in every lane.
    #[inline(always)]
    fn picks(&self, r: usize, kept: bool) -> T {
        T::from_lanes(|l| f64::from(u8::from((self.masks[l] & 1 << r != 0) == kept)))
    }

    /// The largest part that is left of rows that are not kept.
    #[inline(always)]
    fn note_dropped(&self, most: &mut T) {
        for r in 0..self.rows() {
            if !self.is_alike {
                keep_larger(most, self.left[r].abs() * self.picks(r, false));
            } else if self.masks[0] & 1 << r == 0 {
                keep_larger(most, self.left[r].abs());
            }
        }
    }

    /// Notes what is left of rows that are kept; `reaches` are those of the seats.
    #[inline(always)]
    fn note_left(&self, reaches: &[T], worst: &mut Worst<T>) {
        let mut reach = T::ZERO;
        for source in self.ends.iter().flatten() {
            reach += source.number(source.pick(reaches));
        }
        for r in 0..self.rows() {
            let size = reach + if r < 3 { self.sizes.0 } else { self.sizes.1 };
            if !self.is_alike {
                let left = self.left[r] * self.picks(r, true);
                worst.note(left * left, size);
            } else if self.masks[0] & 1 << r != 0 {
                worst.note(self.left[r] * self.left[r], size);
            }
        }
    }

    /// Adds to the gaps what displacements of the ends make of them.
    #[inline(always)]
    fn foresee(&mut self, moves: &[Six<T>]) {
        let of = |end: &Option<Source>| match end {
            None => Six::ZERO,
            Some(source) if source.is_straight => moves[source.at[0] as usize],
            Some(source) => source.six(source.pick(moves)),
        };
        let (a, b) = (of(&self.ends[0]), of(&self.ends[1]));
        let Lever { arm_a, arm_b, z_b, .. } = self.lever;
        self.gaps.shift += (b.lin + b.ang.cross(arm_b)) - (a.lin + a.ang.cross(arm_a));
        if self.is_hinge {
            let turn = b.ang - a.ang;
            self.gaps.turn += turn - z_b * z_b.dot(turn);
        }
    }
}

/// λ of a row, from those of the rows that are kept.
#[inline(always)]
fn answer_of_row(answers: &[f64], mask: u8, r: usize) -> f64 {
    let before = (mask & ((1 << r) - 1)).count_ones() as usize;
    if mask & 1 << r == 0 { 0.0 } else { answers.get(before).copied().unwrap_or(0.0) }
}

/// Rows (e, r × e) of shifts along the axes of the world, and of turns.
#[inline(always)]
fn rows_of<T: Pack>(r: Vec3<T>, sign: T, [u, w]: [Vec3<T>; 2]) -> [Six<T>; ROWS] {
    let zero = T::ZERO;
    [
        Six::new(Vec3::new(sign, zero, zero), Vec3::new(zero, r.z, -r.y)),
        Six::new(Vec3::new(zero, sign, zero), Vec3::new(-r.z, zero, r.x)),
        Six::new(Vec3::new(zero, zero, sign), Vec3::new(r.y, -r.x, zero)),
        Six::new(Vec3::ZERO, u * sign),
        Six::new(Vec3::ZERO, w * sign),
    ]
}

impl<T: Pack> Lead<T> {
    /// Gives a strand its rows.
    #[inline(always)]
    fn board(&self, clasps: &[Clasp<T>], strand: &mut Closure<T>) {
        let Lead { from, ends: [p, q, r, s], sign, .. } = self;
        let [a, b, c, d] = from.pick(clasps);
        let (reach, directions) = if from.is_straight {
            (a.reaches[usize::from(p & 1)], a.directions)
        } else {
            let reach = from.vector([
                &a.reaches[usize::from(p & 1)],
                &b.reaches[usize::from(q & 1)],
                &c.reaches[usize::from(r & 1)],
                &d.reaches[usize::from(s & 1)],
            ]);
            let mut directions = [Vec3::ZERO; 2];
            if a.is_hinge {
                let [[a, e], [b, f], [c, g], [d, h]] =
                    [&a.directions, &b.directions, &c.directions, &d.directions];
                directions = [from.vector([a, b, c, d]), from.vector([e, f, g, h])];
            }
            (reach, directions)
        };
        let rows = rows_of(reach, *sign, directions);
        let masks: [u8; MOST] =
            std::array::from_fn(|l| clasps[from.at[l] as usize].masks[usize::from(from.lane[l] & 3)]);
        let mut k = 0;
        if masks == [masks[0]; MOST] {
            for (r, row) in rows.iter().enumerate() {
                if masks[0] & 1 << r != 0 {
                    strand.rows[0][k] = *row;
                    k += 1;
                }
            }
        } else {
            k = board_apart(masks, &rows, strand);
        }
        strand.keep((1 << k) - 1);
    }
}

/// The same where lanes keep other rows, as many; their number.
#[inline(never)]
fn board_apart<T: Pack>(masks: [u8; MOST], rows: &[Six<T>; ROWS], strand: &mut Closure<T>) -> usize {
    let count = masks[0].count_ones() as usize;
    for k in 0..count {
        let nth = |l: usize| (0..ROWS).filter(|r| masks[l] & 1 << r != 0).nth(k).unwrap_or(0);
        let number = |f: &dyn Fn(&Six<T>) -> T| T::from_lanes(|l| f(&rows[nth(l)]).lane(l));
        let lin = Vec3::new(number(&|row| row.lin.x), number(&|row| row.lin.y), number(&|row| row.lin.z));
        let ang = Vec3::new(number(&|row| row.ang.x), number(&|row| row.ang.y), number(&|row| row.ang.z));
        strand.rows[0][k] = Six::new(lin, ang);
    }
    count
}

impl<T: Pack> Clasps<T> {
    /// For the strands of trees in lanes, which begin at `seats`; `strands` has them lane by lane, of which the first `counts` are no repetitions. `None` if those of a strand are not of one kind.
    pub(super) fn new(
        limbs: &Limbs,
        seats: &[u32],
        counts: &[usize],
        strands: &[Strand],
        seat_of: &[(u32, u32)],
    ) -> Option<Self> {
        let closures = limbs.spatial.closures();
        let kind = |c: u32| {
            let ends = closures[c as usize].places().map(|place| place.is_some());
            (limbs.closings[c as usize].hold.shape() == Shape::Hinge, ends)
        };
        let mut place = vec![None; closures.len()];
        let mut all = Vec::new();
        let mut add = |lanes: &[u32], place: &mut Vec<Option<(u32, usize)>>| {
            for (l, &c) in lanes.iter().enumerate() {
                place[c as usize] = Some((all.len() as u32, l));
            }
            all.push(Clasp::new(limbs, lanes, seat_of));
        };
        // First those of whole strands, whose ends are straight; then what is left.
        for (lanes, &count) in strands.chunks_exact(T::LANES).zip(counts) {
            let lanes: Vec<u32> = lanes[..count].iter().map(|strand| strand.closure).collect();
            if lanes.iter().any(|&c| kind(c).0 != kind(lanes[0]).0) {
                return None;
            }
            if lanes.iter().all(|&c| place[c as usize].is_none() && kind(c) == kind(lanes[0])) {
                add(&lanes, &mut place);
            }
        }
        let mut left: Vec<u32> =
            (0u32..).zip(&place).filter(|(_, at)| at.is_none()).map(|(c, _)| c).collect();
        left.sort_by_key(|&c| kind(c));
        for alike in left.chunk_by(|&a, &b| kind(a) == kind(b)) {
            for lanes in alike.chunks(T::LANES) {
                add(lanes, &mut place);
            }
        }
        let place: Vec<(u32, usize)> = place.into_iter().collect::<Option<_>>()?;
        let lead = |(lanes, &seat): (&[Strand], &u32)| {
            let lane = |l: usize| &lanes[l.min(lanes.len() - 1)];
            Lead {
                seat,
                from: Source::new(|l| place[lane(l).closure as usize]),
                ends: std::array::from_fn(|l| lane(l).end),
                sign: T::from_lanes(|l| if lane(l).end == 0 { -1.0 } else { 1.0 }),
            }
        };
        let mut leads: Vec<Lead<T>> = strands.chunks_exact(T::LANES).zip(seats).map(lead).collect();
        for lead in &mut leads {
            lead.from.is_straight &= lead.ends == [lead.ends[0]; MOST];
        }
        let grounded = |(c, closing): (usize, &Closing)| {
            let end = closures[c].places().iter().position(Option::is_some)?;
            closures[c].places().iter().any(Option::is_none).then(|| Grounded {
                clasp: place[c].0,
                lane: place[c].1 as u8,
                closure: c as u32,
                end: end as u8,
                body: closing.ends()[end] as u32,
            })
        };
        let grounded = limbs.closings.iter().enumerate().filter_map(grounded).collect();
        Some(Clasps { all, leads, grounded })
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Clasp<T>>()
            + self.leads.capacity() * size_of::<Lead<T>>()
            + self.grounded.capacity() * size_of::<Grounded>()
    }

    /// Takes over which rows are kept; false if those of a strand are not as many in all lanes.
    pub(super) fn plan(&mut self, closures: &[Closure]) -> bool {
        for clasp in &mut self.all {
            clasp.masks = clasp.closures.map(|c| closures[c as usize].kept_mask());
            clasp.is_alike = clasp.masks == [clasp.masks[0]; MOST];
        }
        let count = |lead: &Lead<T>, l: usize| {
            self.all[lead.from.at[l] as usize].masks[usize::from(lead.from.lane[l] & 3)].count_ones()
        };
        self.leads.iter().all(|lead| (1..MOST).all(|l| count(lead, l) == count(lead, 0)))
    }

    /// Arms, axes, rates and rows of the present poses, and rows of the strands.
    pub(super) fn begin(&mut self, seats: &[Seat<T>], now: usize, bundle: &mut Spatial<T>) {
        T::within(Begin { clasps: self, seats, now, bundle });
    }

    /// Biases for accelerations, into the closures of the whole.
    pub(super) fn write_bias(&mut self, landing: &mut Landing) {
        T::within(WriteBias(self, landing));
    }

    /// What the joints hand to the seats where they end, and what is left of their rows by the answers; the most of those that are not kept.
    pub(super) fn judge(&mut self, landing: &Landing, bundle: &Spatial<T>, handed: &mut [Handed<T>]) -> f64 {
        T::within(Judge { clasps: self, landing, bundle, handed })
    }

    /// The worst that is left of rows, squared, where `reaches` are those of the seats.
    pub(super) fn worst(&self, reaches: &[T]) -> T {
        T::within(WorstLeft(self, reaches))
    }

    /// How far the poses are from closed.
    pub(super) fn measure_poses(&mut self, seats: &[Seat<T>], side: usize) -> Measured {
        let (position, position_excess, position_size) = T::within(MeasurePoses(self, seats, side)).worst();
        Measured { position, position_excess, position_size, ..Measured::default() }
    }

    /// Gaps as biases of the closures of the whole, but for those that are as good as zero.
    pub(super) fn ask(&mut self, landing: &mut Landing) {
        T::within(Ask(self, landing));
    }

    /// Adds to the gaps what displacements of the seats make of them; the worst in units of its bound.
    pub(super) fn foresee(&mut self, moves: &[Six<T>]) -> f64 {
        T::within(Foresee(self, moves)).worst().1
    }

    /// Rows of the new pose for the strands, and velocities along them as biases of the closures of the whole.
    pub(super) fn ask_rates(
        &mut self,
        seats: &[Seat<T>],
        side: usize,
        bundle: &mut Spatial<T>,
        landing: &mut Landing,
    ) {
        T::within(AskRates { clasps: self, seats, side, bundle, landing });
    }

    /// How far rates are from closed.
    pub(super) fn measure_rates(&mut self, seats: &[Seat<T>], side: usize) -> Measured {
        let (velocity, velocity_excess, velocity_size) = T::within(MeasureRates(self, seats, side)).worst();
        Measured { velocity, velocity_excess, velocity_size, ..Measured::default() }
    }

    /// What joints on the ground exert on their bodies.
    pub(super) fn book_on_ground(&self, landing: &Landing, mut book: impl FnMut(&Six, usize)) {
        for &Grounded { clasp, lane, closure, end, body } in &self.grounded {
            let clasp = &self.all[clasp as usize];
            let of = |v: Vec3<T>| {
                let lane = usize::from(lane);
                Vec3::new(v.x.lane(lane), v.y.lane(lane), v.z.lane(lane))
            };
            let sign = if end == 0 { -1.0 } else { 1.0 };
            let rows = rows_of(of(clasp.reaches[usize::from(end & 1)]), sign, clasp.directions.map(of));
            let mut push = Six::ZERO;
            let (answers, mask) = (landing.answers(closure as usize), clasp.masks[usize::from(lane & 3)]);
            for (r, row) in rows.iter().take(clasp.rows()).enumerate() {
                push += row.scaled(answer_of_row(answers, mask, r));
            }
            book(&push, body as usize);
        }
    }
}

struct Begin<'c, T: Pack> {
    clasps: &'c mut Clasps<T>,
    seats: &'c [Seat<T>],
    now: usize,
    bundle: &'c mut Spatial<T>,
}
impl<T: Pack> Task for Begin<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Begin { clasps: Clasps { all, leads, .. }, seats, now, bundle } = self;
        for clasp in &mut *all {
            clasp.measure_pose(seats, now);
            clasp.measure_rate(seats, now);
            clasp.write_rows();
        }
        for (lead, strand) in leads.iter().zip(bundle.closures_mut()) {
            lead.board(all, strand);
        }
    }
}

struct WriteBias<'c, T: Pack>(&'c mut Clasps<T>, &'c mut Landing);
impl<T: Pack> Task for WriteBias<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for clasp in &mut self.0.all {
            clasp.write_bias();
            clasp.give_bias(self.1);
        }
    }
}

struct Judge<'c, T: Pack> {
    clasps: &'c mut Clasps<T>,
    landing: &'c Landing,
    bundle: &'c Spatial<T>,
    handed: &'c mut [Handed<T>],
}
impl<T: Pack> Task for Judge<'_, T> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        let Judge { clasps: Clasps { all, leads, .. }, landing, bundle, handed } = self;
        let mut dropped = T::ZERO;
        for clasp in &mut *all {
            clasp.judge(landing, bundle.limbs());
            clasp.note_dropped(&mut dropped);
        }
        for Lead { seat, .. } in &*leads {
            handed[*seat as usize] = Handed::default();
        }
        for Lead { seat, from, ends, .. } in &*leads {
            let [a, b, c, d] = from.pick(all);
            let [p, q, r, s] = ends.map(|end| usize::from(end & 1));
            let sum = &mut handed[*seat as usize];
            let push = from.six([&a.pushes[p], &b.pushes[q], &c.pushes[r], &d.pushes[s]]);
            sum.sum -= push;
            sum.forces += from.number([&a.force, &b.force, &c.force, &d.force]);
            sum.moments += from.number([&a.moments[p], &b.moments[q], &c.moments[r], &d.moments[s]]);
        }
        let mut most = 0.0;
        for l in 0..T::LANES {
            most = larger(most, dropped.lane(l));
        }
        most
    }
}

struct WorstLeft<'c, T: Pack>(&'c Clasps<T>, &'c [T]);
impl<T: Pack> Task for WorstLeft<'_, T> {
    type Output = T;
    #[inline(always)]
    fn run(self) -> T {
        let mut worst = Worst(T::ZERO);
        for clasp in &self.0.all {
            clasp.note_left(self.1, &mut worst);
        }
        worst.0
    }
}

struct MeasurePoses<'c, T: Pack>(&'c mut Clasps<T>, &'c [Seat<T>], usize);
impl<T: Pack> Task for MeasurePoses<'_, T> {
    type Output = Tally<T>;
    #[inline(always)]
    fn run(self) -> Tally<T> {
        let mut tally = Tally::NONE;
        for clasp in &mut self.0.all {
            clasp.measure_pose(self.1, self.2);
            clasp.note_pose(&mut tally);
        }
        tally
    }
}

struct Ask<'c, T: Pack>(&'c mut Clasps<T>, &'c mut Landing);
impl<T: Pack> Task for Ask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for clasp in &mut self.0.all {
            let Gaps { shift, turn, reach, .. } = clasp.gaps;
            clasp.ask(above(shift, reach), above(turn, T::ONE));
            clasp.give_bias(self.1);
        }
    }
}

struct Foresee<'c, T: Pack>(&'c mut Clasps<T>, &'c [Six<T>]);
impl<T: Pack> Task for Foresee<'_, T> {
    type Output = Tally<T>;
    #[inline(always)]
    fn run(self) -> Tally<T> {
        let mut tally = Tally::NONE;
        for clasp in &mut self.0.all {
            clasp.foresee(self.1);
            clasp.note_pose(&mut tally);
        }
        tally
    }
}

struct AskRates<'c, T: Pack> {
    clasps: &'c mut Clasps<T>,
    seats: &'c [Seat<T>],
    side: usize,
    bundle: &'c mut Spatial<T>,
    landing: &'c mut Landing,
}
impl<T: Pack> Task for AskRates<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let AskRates { clasps: Clasps { all, leads, .. }, seats, side, bundle, landing } = self;
        for clasp in &mut *all {
            clasp.measure_rate(seats, side);
            clasp.write_rows();
            let Gaps { shift_rate, turn_rate, reach_rate, reach_spin, .. } = clasp.gaps;
            clasp.ask(above(shift_rate, reach_rate), above(turn_rate, reach_spin));
            clasp.give_bias(landing);
        }
        for (lead, strand) in leads.iter().zip(bundle.closures_mut()) {
            lead.board(all, strand);
        }
    }
}

struct MeasureRates<'c, T: Pack>(&'c mut Clasps<T>, &'c [Seat<T>], usize);
impl<T: Pack> Task for MeasureRates<'_, T> {
    type Output = Tally<T>;
    #[inline(always)]
    fn run(self) -> Tally<T> {
        let mut tally = Tally::NONE;
        for clasp in &mut self.0.all {
            clasp.measure_rate(self.1, self.2);
            clasp.note_rate(&mut tally);
        }
        tally
    }
}

//! Braid: places of one forest side by side, four at a time, each in a lane of its own.
//!
//! Places none of which is above another have nothing to do with each other. So four of them that are alike (the same form, with children or without) can be
//! eliminated at once, wherever in the forest they are. Which ones is decided once, by counts alone: on the way from leaves to roots those with the longest way
//! before them go first among those whose children are done (Hu 1961), which needs the fewest seats of four where all places are alike.
//!
//! A seat is four places. What a place leaves to its parent, and the answer that its children ask for, are rows of an array with a row for each place: a
//! seat reads those of its four neighbours and has them in lanes then ([`Quartet`]). Children are summed up in the order in which the forest eliminates them. So every
//! place has the bits that it has when all go one after another.

use super::{ALL, Closure, Fill, Filler, Form, INNER, LEAF, Limb, More, ROOTS, Sides, Spatial, Take};
use crate::graph::{NONE, index_u32};
use crate::lane::Lane;
use crate::math::{Mat3, Six, Sym3, Sym6, Vec3};
use crate::pack::Quartet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::mem::size_of;
use std::ops::Range;

/// Lanes of a seat.
const FOUR: usize = 4;
/// Numbers of a row: F and D, and one that counts for nothing.
const ROW: usize = 28;
/// Numbers of an answer: those of both right sides.
pub const ANSWER: usize = 12;

/// What places must have in common to be side by side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// What the link to the parent leaves free: one freedom, a ball's three, or none of it where the block floats.
    pub held: Held,
    /// The link is the other way round ([`Spatial::make_turned`]).
    pub is_turned: bool,
    /// The parent is the ground.
    pub on_ground: bool,
    /// Whatever else matters to whoever fills in the numbers.
    pub class: u32,
}

/// How the block of a place is held.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// By a link with one freedom.
    Hinge,
    /// By a link that holds a point.
    Ball,
    /// Not at all.
    Floating,
    /// By anything else: it goes alone, one number at a time ([`Alone`]).
    Otherwise,
}

/// Whoever takes places that go alone: what others do in lanes, with numbers of their own.
pub trait Alone {
    /// Eliminates a place, with what its children have left if it has any; false if a pivot is not positive. What is left to its parent.
    fn eliminate(&mut self, place: usize, sum: Option<(Sym6, Six)>) -> (bool, Sym6, Six);
    /// Its unknowns, with those of its parent.
    fn back(&mut self, place: usize, parent: Six) -> Six;
}

/// Nobody goes alone.
impl Alone for () {
    fn eliminate(&mut self, _: usize, _: Option<(Sym6, Six)>) -> (bool, Sym6, Six) {
        (false, Sym6::ZERO, Six::ZERO)
    }
    fn back(&mut self, _: usize, _: Six) -> Six {
        Six::ZERO
    }
}

/// Four places.
#[derive(Clone, Debug)]
struct Seat {
    /// Where their rows begin, and their answers, and those of their parents.
    rows: [u32; FOUR],
    answers: [u32; FOUR],
    parents: [u32; FOUR],
    /// Rows of their children.
    children: Range<u32>,
    /// The one place of a seat that goes alone.
    alone: Option<u32>,
}

/// The elimination of a forest, places side by side.
#[derive(Clone, Debug)]
pub struct Braid<T: Quartet> {
    /// A limb for each seat.
    spatial: Spatial<T>,
    seats: Vec<Seat>,
    children: Vec<[u32; FOUR]>,
    /// What each place leaves to its parent; behind them what counts for nothing in a sum.
    rows: Vec<f64>,
    /// The answers of each place; behind them those of the ground.
    answers: Vec<f64>,
    /// What a seat keeps of the second right side.
    seconds: Vec<Six<T>>,
}

/// Places of one kind whose children are done: the deepest first, then the lowest number.
type Ready = BinaryHeap<(u32, Reverse<u32>)>;

/// Which places go side by side, seat by seat from leaves to roots; lanes that nobody takes repeat another.
#[derive(Clone, Debug)]
pub struct Seating {
    /// The places of every seat.
    pub seats: Vec<[u32; FOUR]>,
}

impl Seating {
    /// Of a forest given place by place: parents, behind their children, and what must be alike.
    pub fn new(parents: &[Option<u32>], kinds: &[Kind]) -> Self {
        // Where places are of several kinds neither rule is always the better one.
        let (deepest, fullest) = (Self::by(parents, kinds, false), Self::by(parents, kinds, true));
        if fullest.seats.len() < deepest.seats.len() { fullest } else { deepest }
    }

    /// The deepest first; or those of which there are enough for a seat before them.
    fn by(parents: &[Option<u32>], kinds: &[Kind], full_first: bool) -> Self {
        let count = parents.len();
        let (mut waits, mut depth) = (vec![0u32; count], vec![0u32; count]);
        for at in (0..count).rev() {
            if let Some(parent) = parents[at] {
                depth[at] = depth[parent as usize] + 1;
                waits[parent as usize] += 1;
            }
        }
        // By what must be alike.
        let key: Vec<(Kind, bool)> =
            kinds.iter().zip(&waits).map(|(&kind, &waits)| (kind, waits == 0)).collect();
        let mut ready: BTreeMap<(Kind, bool), Ready> = BTreeMap::new();
        for at in (0..count).filter(|&at| waits[at] == 0) {
            ready.entry(key[at]).or_default().push((depth[at], Reverse(index_u32(at))));
        }
        let mut seats = Vec::new();
        loop {
            let best = ready
                .iter()
                .max_by_key(|(_, alike)| (full_first && alike.len() >= FOUR, alike.peek().copied()));
            let Some(best) = best.map(|(key, _)| *key) else { break };
            let Some(alike) = ready.get_mut(&best) else { break };
            let most = if best.0.held == Held::Otherwise { 1 } else { FOUR };
            let mut taken: Vec<u32> = Vec::with_capacity(FOUR);
            while taken.len() < most
                && let Some((_, Reverse(at))) = alike.pop()
            {
                taken.push(at);
            }
            if alike.is_empty() {
                ready.remove(&best);
            }
            for parent in taken.iter().filter_map(|&at| parents[at as usize]) {
                let at = parent as usize;
                waits[at] -= 1;
                if waits[at] == 0 {
                    ready.entry(key[at]).or_default().push((depth[at], Reverse(parent)));
                }
            }
            let last = taken.len() - 1;
            seats.push(std::array::from_fn(|lane| taken[lane.min(last)]));
        }
        Seating { seats }
    }
}

impl<T: Quartet> Braid<T> {
    /// The elimination of a forest given place by place, seated like this.
    pub fn new(parents: &[Option<u32>], kinds: &[Kind], seating: &Seating) -> Self {
        let count = parents.len();
        let mut children_of = vec![Vec::new(); count];
        let mut seat_of = vec![0; count];
        for (at, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children_of[*parent as usize].push(index_u32(at));
            }
        }
        for (seat, places) in seating.seats.iter().enumerate() {
            places.iter().for_each(|&at| seat_of[at as usize] = index_u32(seat));
        }
        let first = |places: &[u32; FOUR]| places[0] as usize;
        // Of a limb it matters only whether it has a parent.
        let above: Vec<u32> = seating
            .seats
            .iter()
            .map(|places| parents[first(places)].map_or(NONE, |parent| seat_of[parent as usize]))
            .collect();
        let forms: Vec<Form> = seating
            .seats
            .iter()
            .map(|places| match kinds[first(places)].held {
                Held::Hinge => Form::Freedoms(1),
                Held::Ball => Form::Freedoms(3),
                Held::Floating | Held::Otherwise => Form::Rows(0),
            })
            .collect();
        let mut spatial: Spatial<T> = Spatial::of_places(&above, &forms, Vec::<Closure<T>>::new());
        let (mut seats, mut children) = (Vec::new(), Vec::new());
        for (seat, places) in seating.seats.iter().enumerate() {
            let Kind { held, is_turned, .. } = kinds[first(places)];
            spatial.limbs[seat].has_children = !children_of[first(places)].is_empty();
            match held {
                Held::Hinge => spatial.make_plain(seat),
                Held::Ball => {
                    spatial.make_ball(seat);
                }
                Held::Floating | Held::Otherwise => {}
            }
            if is_turned {
                spatial.make_turned(seat);
            }
            let most = places.iter().map(|&at| children_of[at as usize].len()).max().unwrap_or(0);
            let begin = index_u32(children.len());
            for k in 0..most {
                // Who has fewer gets nothing.
                children.push(places.map(|at| {
                    children_of[at as usize].get(k).map_or(index_u32(count), |&child| child) * ROW as u32
                }));
            }
            seats.push(Seat {
                rows: places.map(|at| at * ROW as u32),
                answers: places.map(|at| at * ANSWER as u32),
                parents: places.map(|at| parents[at as usize].unwrap_or(index_u32(count)) * ANSWER as u32),
                children: begin..index_u32(children.len()),
                alone: (held == Held::Otherwise).then_some(places[0]),
            });
        }
        // Only those that float have more than their first column.
        let mut last = 0;
        for (at, form) in spatial.more_at.iter_mut().zip(&forms) {
            let floats = *form == Form::Rows(0);
            last += u32::from(floats);
            *at = if floats { last } else { 0 };
        }
        spatial.more = vec![More::default(); last as usize + 1];
        let mut rows = vec![0.0; (count + 1) * ROW];
        // −0 added to a number leaves every bit of it.
        rows[count * ROW..].fill(-0.0);
        Braid {
            seconds: vec![Six::ZERO; seats.len()],
            answers: vec![0.0; (count + 1) * ANSWER],
            seats,
            children,
            rows,
            spatial,
        }
    }

    /// How many seats there are.
    pub fn len(&self) -> usize {
        self.seats.len()
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }
    /// The limb of each seat.
    pub fn limbs(&self) -> &[Limb<T>] {
        &self.spatial.limbs
    }
    /// What the links of each seat exert.
    pub fn loads(&self) -> &[Six<T>] {
        &self.spatial.loads
    }
    /// Where the four places of a seat have rows of numbers, if every place has [`ANSWER`] of them, and where their parents do; the ground is behind all.
    pub fn ways(&self, seat: usize) -> ([u32; FOUR], [u32; FOUR]) {
        (self.seats[seat].answers, self.seats[seat].parents)
    }
    /// The same of their children, one after another for all lanes; who has fewer finds a row behind that of the last place.
    pub fn children(&self, seat: usize) -> impl Iterator<Item = [u32; FOUR]> + '_ {
        let Range { start, end } = self.seats[seat].children;
        let rows = &self.children[start as usize..end as usize];
        rows.iter().map(|row| row.map(|at| at / ROW as u32 * ANSWER as u32))
    }
    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.spatial.bytes()
            + self.seats.capacity() * size_of::<Seat>()
            + self.children.capacity() * size_of::<[u32; FOUR]>()
            + (self.rows.capacity() + self.answers.capacity()) * size_of::<f64>()
            + self.seconds.capacity() * size_of::<Six<T>>()
    }

    /// [`Spatial::factor_and_solve`]; false if a pivot is not positive.
    #[inline(always)]
    pub fn factor_and_solve(&mut self, fill: &mut impl Fill<T>, alone: &mut impl Alone) -> bool {
        let is_fine = self.factor(fill, alone);
        if is_fine {
            self.backward::<ALL>(Filler(fill), alone);
        }
        is_fine
    }

    /// [`Spatial::factor`]; false if a pivot is not positive.
    #[inline(always)]
    pub fn factor(&mut self, fill: &mut impl Fill<T>, alone: &mut impl Alone) -> bool {
        let nothing = (Sym6::ZERO, Six::ZERO);
        let mut is_fine = true;
        for at in 0..self.seats.len() {
            let Braid { spatial, seats, children, rows, .. } = self;
            let limb = &mut spatial.limbs[at];
            let more = &mut spatial.more[spatial.more_at[at] as usize];
            let seat = &seats[at];
            let children = &children[seat.children.start as usize..seat.children.end as usize];
            // Every kernel hands on what is left by itself, as where places go one after another.
            if limb.is_plain() {
                let given = match limb.is_turned() {
                    true => fill.plain::<false, true>(at, limb, more),
                    false => fill.plain::<false, false>(at, limb, more),
                };
                let (fine, left, force) = match limb.has_children {
                    true => limb.eliminate_plain::<INNER>(&given, &sum::<T>(rows, children)),
                    false => limb.eliminate_plain::<LEAF>(&given, &nothing),
                };
                is_fine &= fine;
                leave(limb, rows, seat, left, force);
            } else if limb.is_ball {
                let given = match limb.is_turned() {
                    true => fill.plain::<true, true>(at, limb, more),
                    false => fill.plain::<true, false>(at, limb, more),
                };
                let (fine, left, force) = match limb.has_children {
                    true => limb.eliminate_ball::<INNER>(&given, &sum::<T>(rows, children)),
                    false => limb.eliminate_ball::<LEAF>(&given, &nothing),
                };
                is_fine &= fine;
                leave(limb, rows, seat, left, force);
            } else if let Some(place) = seat.alone {
                let sum = limb.has_children.then(|| sum_of_one(rows, children));
                let (fine, left, force) = alone.eliminate(place as usize, sum);
                is_fine &= fine;
                if limb.parent != NONE {
                    rows[seat.rows[0] as usize..][..ROW].copy_from_slice(&to_row(left, force));
                }
            } else {
                fill.any(at, limb, more);
                if limb.has_children {
                    spatial.sums[0] = sum::<T>(rows, children);
                }
                is_fine &= spatial.eliminate(at, 0).0;
            }
        }
        is_fine
    }

    /// [`Spatial::backward`].
    #[inline(always)]
    pub fn backward<const LOADS: u8>(&mut self, mut answer: impl Take<T>, alone: &mut impl Alone) {
        for at in (0..self.seats.len()).rev() {
            let Braid { spatial, seats, answers, .. } = self;
            let (limb, seat) = (&mut spatial.limbs[at], &seats[at]);
            if let Some(place) = seat.alone {
                let parent = match limb.parent {
                    NONE => Six::ZERO,
                    _ => Six::from_slice(&answers[seat.parents[0] as usize..][..6]),
                };
                let x = alone.back(place as usize, parent);
                x.write(&mut answers[seat.answers[0] as usize..][..6]);
                continue;
            }
            let parent = if limb.parent == NONE { Six::ZERO } else { six(T::gather(answers, seat.parents)) };
            let has_load = LOADS == ALL || (LOADS == ROOTS && limb.parent == NONE);
            let x = if limb.is_plain() {
                let x = limb.back_one(&parent);
                if has_load {
                    spatial.loads[at] = limb.load_of_one(&x);
                }
                x
            } else if limb.is_ball {
                let (x, y) = limb.back_ball(&parent);
                if has_load {
                    spatial.loads[at] = limb.load_of_ball(y);
                }
                x
            } else {
                spatial.back::<LOADS>(at, parent)
            };
            if self.spatial.limbs[at].has_children {
                T::scatter(numbers(&x), answers, seat.answers);
            }
            answer.take(at, &x);
        }
    }

    /// [`Spatial::solve_pair`].
    #[inline(always)]
    pub fn solve_pair(&mut self, part: T, sides: &mut impl Sides<T>) {
        self.spatial.seconds.resize(self.spatial.more.len(), super::Second::default());
        for at in 0..self.seats.len() {
            let Braid { spatial, seats, children, rows, seconds, .. } = self;
            let limb = &mut spatial.limbs[at];
            let own = spatial.more_at[at] as usize;
            let seat = &seats[at];
            let children = &children[seat.children.start as usize..seat.children.end as usize];
            sides.right(at, limb, &mut spatial.more[own]);
            let second = &mut seconds[at];
            let mut handed = Six::ZERO;
            if limb.has_children {
                let (force, more) = both(T::gather_sums(rows, children));
                limb.force += force;
                handed = more;
            }
            let left = if limb.is_plain() {
                let kept = &mut second.lin.x;
                match limb.has_children {
                    true => limb.forward_one::<INNER>(&handed, kept, part),
                    false => limb.forward_one::<LEAF>(&handed, kept, part),
                }
            } else if limb.is_ball {
                *second = handed;
                let first = limb.forward_ball();
                (first, limb.forward_ball_second(second, part))
            } else {
                spatial.seconds[own].force = handed;
                spatial.forward_pair(at, part)
            };
            if spatial.limbs[at].parent != NONE {
                T::scatter(pair(&left.0, &left.1), rows, seat.rows);
            }
        }
        for at in (0..self.seats.len()).rev() {
            let Braid { spatial, seats, answers, seconds, .. } = self;
            let (limb, seat) = (&mut spatial.limbs[at], &seats[at]);
            let (parent, second) = match limb.parent {
                NONE => (Six::ZERO, Six::ZERO),
                _ => both(T::gather(answers, seat.parents)),
            };
            let (x, x_second) = if limb.is_plain() {
                (limb.back_one(&parent), limb.back_one_second(seconds[at].lin.x, &second, part))
            } else if limb.is_ball {
                (limb.back_ball(&parent).0, limb.back_ball_second(&seconds[at], &second, part))
            } else {
                spatial.back_pair(at, &parent, &second, part)
            };
            if self.spatial.limbs[at].has_children {
                T::scatter(pair(&x, &x_second), answers, seat.answers);
            }
            sides.answer(at, &x, &x_second);
        }
    }
}

/// What the children of four places have left to them.
#[inline(always)]
fn sum<T: Quartet>(rows: &[f64], children: &[[u32; FOUR]]) -> (Sym6<T>, Six<T>) {
    from_row(T::gather_sums(rows, children))
}

/// What the children of a place that goes alone have left to it.
fn sum_of_one(rows: &[f64], children: &[[u32; FOUR]]) -> (Sym6, Six) {
    let mut sum = [0.0; ROW];
    for (k, child) in children.iter().enumerate() {
        let row = &rows[child[0] as usize..][..ROW];
        if k == 0 {
            sum.copy_from_slice(row);
        } else {
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
    }
    from_row(sum)
}

/// Leaves D and F to the parents.
#[inline(always)]
fn leave<T: Quartet>(limb: &Limb<T>, rows: &mut [f64], seat: &Seat, left: Sym6<T>, force: Six<T>) {
    if limb.parent != NONE {
        T::scatter(to_row(left, force), rows, seat.rows);
    }
}

#[inline(always)]
fn to_row<T: Lane>(Sym6 { a, b, c }: Sym6<T>, Six { lin, ang }: Six<T>) -> [T; ROW] {
    [
        lin.x,
        lin.y,
        lin.z,
        ang.x,
        ang.y,
        ang.z, //
        a.xx,
        a.yy,
        a.zz,
        a.xy,
        a.xz,
        a.yz, //
        b.x.x,
        b.x.y,
        b.x.z,
        b.y.x,
        b.y.y,
        b.y.z,
        b.z.x,
        b.z.y,
        b.z.z, //
        c.xx,
        c.yy,
        c.zz,
        c.xy,
        c.xz,
        c.yz,
        T::ZERO,
    ]
}

#[inline(always)]
fn from_row<T: Lane>(row: [T; ROW]) -> (Sym6<T>, Six<T>) {
    let [f, g, h, i, j, k, axx, ayy, azz, axy, axz, ayz, bxx, bxy, bxz, byx, byy, byz, rest @ ..] = row;
    let [bzx, bzy, bzz, cxx, cyy, czz, cxy, cxz, cyz, _] = rest;
    let diag = Sym6 {
        a: Sym3 { xx: axx, yy: ayy, zz: azz, xy: axy, xz: axz, yz: ayz },
        b: Mat3 { x: Vec3::new(bxx, bxy, bxz), y: Vec3::new(byx, byy, byz), z: Vec3::new(bzx, bzy, bzz) },
        c: Sym3 { xx: cxx, yy: cyy, zz: czz, xy: cxy, xz: cxz, yz: cyz },
    };
    (diag, Six::new(Vec3::new(f, g, h), Vec3::new(i, j, k)))
}

#[inline(always)]
fn six<T: Quartet>([a, b, c, d, e, f]: [T; 6]) -> Six<T> {
    Six::new(Vec3::new(a, b, c), Vec3::new(d, e, f))
}
#[inline(always)]
fn numbers<T: Quartet>(x: &Six<T>) -> [T; 6] {
    [x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z]
}
#[inline(always)]
fn both<T: Quartet>([a, b, c, d, e, f, g, h, i, j, k, l]: [T; ANSWER]) -> (Six<T>, Six<T>) {
    (six([a, b, c, d, e, f]), six([g, h, i, j, k, l]))
}
#[inline(always)]
fn pair<T: Quartet>(x: &Six<T>, second: &Six<T>) -> [T; ANSWER] {
    let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (numbers(x), numbers(second));
    [a, b, c, d, e, f, g, h, i, j, k, l]
}

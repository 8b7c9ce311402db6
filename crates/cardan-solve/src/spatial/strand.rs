//! Trees of one forest side by side: four that are alike, each in a lane of its own, in the place of four trees after another.
//!
//! Links that close loops between such trees, or on the ground, go as *strands*: each end of a closure by itself, from its block to the ground. What passes the
//! blocks of a tree passes them in lanes. On the ground the lanes part: what every strand has gained goes to its closure among those of the *whole* forest, where
//! closures are eliminated one after another as ever (`closure.rs`), and their answers go back into the lanes.
//!
//! The whole adds up what a closure gains place by place. So a strand keeps what it gains at each block apart, and [`Landing`] adds it up in that order: the
//! answer has the bits that the whole would have found alone.

use super::closure::{Closure, Closures, MOST_ROWS, Sum};
use super::route::Member;
use super::{Form, Limb, Plain, Spatial};
use crate::graph::{Link, NONE};
use crate::lane::{Lane, Task};
use crate::math::Sym6;
use crate::pack::Pack;

/// One end of a closure of the whole.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Strand {
    /// Which closure.
    pub closure: u32,
    /// Which of its ends.
    pub end: u8,
}

impl<T: Lane> Spatial<T> {
    /// Trees given place by place in elimination order, with strands that begin at places, each with its number of rows at most. Those at the same place and above must
    /// be in the order in which the closures of every lane are.
    pub fn of_strands(parents: &[Option<u32>], forms: &[Form], strands: &[(u32, usize)]) -> Self {
        let parents: Vec<u32> = parents.iter().map(|parent| parent.unwrap_or(NONE)).collect();
        let closure = |&(place, rows): &(u32, usize)| Closure::new(Link(0), [place, NONE], rows);
        let mut spatial = Spatial::of_places(&parents, forms, strands.iter().map(closure).collect());
        let closures = &mut spatial.closures;
        closures.are_strands = true;
        closures.route.on_ground = 0..0;
        closures.sums = vec![super::closure::Sum::ZERO; closures.route.slots.len()];
        for member in closures.route.members.iter_mut().filter(|member| member.slot != NONE) {
            member.sum = member.slot;
        }
        spatial
    }
}

impl<T: Lane> Limb<T> {
    /// Takes what goes into a plain place.
    #[inline(always)]
    pub fn fill(&mut self, plain: &Plain<T>) {
        self.diag = Sym6::of_mass(plain.mass, plain.inertia);
        (self.force, self.gamma) = (plain.force, plain.gamma);
        (self.shift, self.first) = (plain.shift, plain.first);
    }
}

/// A piece of B of a lane, and which one of the whole it is.
#[derive(Copy, Clone, Debug)]
struct Piece {
    element: u32,
    lane: u32,
    of_whole: u32,
}

/// What a closure gains at one place.
#[derive(Copy, Clone, Debug)]
struct Gain {
    closure: u32,
    sum: u32,
    lane: u32,
}

/// The way between strands in lanes and the closures of the whole.
#[derive(Clone, Debug)]
pub struct Landing {
    lanes: usize,
    /// Of each strand, what it is in every lane.
    strands: Vec<Strand>,
    /// In the order of the whole.
    gains: Vec<Gain>,
    pieces: Vec<Piece>,
    /// Where the kept rows of every closure begin among those of all, and one past the last of them.
    first: Vec<u32>,
    /// Of kept rows, closure after closure: c of both right sides, and ĉ once they have met; λ.
    sides: [Vec<f64>; 2],
    found: [Vec<f64>; 2],
    /// Rows that every closure keeps, where all keep as many, two or three, and each meets with one other at most; else zero.
    alike: usize,
    /// Of these, who meets and with whom, in order, and their factors one behind the other.
    ties: Vec<Tie>,
    factors: Vec<f64>,
}

/// A closure that meets, and the other one that is left, or [`NONE`].
#[derive(Copy, Clone, Debug)]
struct Tie {
    who: u32,
    other: u32,
}

impl Landing {
    /// For trees of `whole` that are `lanes` side by side in `bundle`: `strands` has those of the bundle, lane by lane, and `seat_of` where each place of the whole is
    /// (place and lane); lanes beyond the last tree of a kind repeat one, and are nobody's seat. `None` if the ways are not the same in all lanes.
    pub fn new<T: Pack>(
        bundle: &Spatial<T>,
        whole: &Spatial,
        strands: Vec<Strand>,
        seat_of: impl Fn(usize) -> (usize, usize),
    ) -> Option<Self> {
        let (mut gains, mut pieces) = (Vec::new(), Vec::new());
        for (place, limb) in whole.limbs.iter().enumerate() {
            let (seat, lane) = seat_of(place);
            let stop_of = bundle.limbs.get(seat)?.stop;
            if limb.stop == NONE || stop_of == NONE {
                if limb.stop != stop_of {
                    return None;
                }
                continue;
            }
            let (stop, stop_of) = (
                &whole.closures.route.stops[limb.stop as usize],
                &bundle.closures.route.stops[stop_of as usize],
            );
            let (pass, pass_of) = (stop.pass.as_ref()?, stop_of.pass.as_ref()?);
            let members = whole.closures.route.members(&pass.members);
            let members_of = bundle.closures.route.members(&pass_of.members);
            let is_alike = members.len() == members_of.len()
                && stop.meets.is_empty()
                && pass.inputs.len() == pass_of.inputs.len();
            if !is_alike {
                return None;
            }
            for (member, member_of) in members.iter().zip(members_of) {
                if strands.get(member_of.closure as usize * T::LANES + lane)?.closure != member.closure {
                    return None;
                }
                gains.push(Gain { closure: member.closure, sum: member_of.sum, lane: lane as u32 });
            }
            if limb.parent == NONE {
                pieces.push(Piece { element: pass_of.out, lane: lane as u32, of_whole: pass.out });
            }
        }
        // All of them must meet on the ground.
        let is_whole = whole.closures.route.on_ground.len() == whole.closures.all.len();
        let (count, rows) = (whole.closures.all.len(), MOST_ROWS * whole.closures.all.len());
        let room = || [Vec::with_capacity(rows), Vec::with_capacity(rows)];
        is_whole.then(|| Landing {
            lanes: T::LANES,
            strands,
            gains,
            pieces,
            first: Vec::with_capacity(count + 1),
            sides: room(),
            found: room(),
            alike: 0,
            ties: Vec::with_capacity(count),
            factors: Vec::with_capacity(2 * 3 * 3 * count),
        })
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.strands.capacity() * size_of::<Strand>()
            + self.gains.capacity() * size_of::<Gain>()
            + self.pieces.capacity() * size_of::<Piece>()
            + self.first.capacity() * size_of::<u32>()
            + self.ties.capacity() * size_of::<Tie>()
            + self.factors.capacity() * size_of::<f64>()
            + self.sides.iter().chain(&self.found).map(|all| all.capacity() * size_of::<f64>()).sum::<usize>()
    }

    /// Takes over which rows of the closures are kept; false if some of these were to be left alone.
    pub fn plan(&mut self, whole: &Spatial) -> bool {
        self.first.clear();
        let mut rows = 0;
        self.first.push(rows);
        for closure in &whole.closures.all {
            rows += u32::from(closure.kept_count);
            self.first.push(rows);
        }
        for all in self.sides.iter_mut().chain(&mut self.found) {
            all.clear();
            all.resize(rows as usize, 0.0);
        }
        let route = &whole.closures.route;
        let kept = whole.closures.all.first().map_or(0, |closure| closure.kept_count);
        let mut is_alike = matches!(kept, 2 | 3);
        for closure in &whole.closures.all {
            is_alike &= closure.kept_count == kept;
        }
        self.ties.clear();
        for meet in &route.meets[route.on_ground.start as usize..route.on_ground.end as usize] {
            let others = route.members(&meet.others);
            is_alike &= others.len() < 2;
            let other = others.first().map_or(NONE, |m| m.closure);
            self.ties.push(Tie { who: meet.who.closure, other });
        }
        self.alike = if is_alike { kept as usize } else { 0 };
        whole.closures.all.iter().all(|closure| closure.noise.is_none())
    }

    /// Lays the factors of closures that are alike one behind the other.
    fn line_up<const K: usize>(&mut self, whole: &Spatial) {
        let Closures { route, factors, .. } = &whole.closures;
        self.factors.clear();
        for meet in &route.meets[route.on_ground.start as usize..route.on_ground.end as usize] {
            let (rows, _) = factors[meet.factor_at as usize..].as_chunks::<K>();
            let below = if meet.others.is_empty() { &[][..] } else { &rows[K..2 * K] };
            self.factors.extend_from_slice(rows[..K].as_flattened());
            self.factors.extend_from_slice(below.as_flattened());
            self.factors.resize(self.factors.len() + (K - below.len()) * K, 0.0);
        }
    }

    /// In: c of the kept rows of a closure; to be written anew before every right side.
    #[inline(always)]
    pub fn bias_mut(&mut self, closure: usize) -> &mut [f64] {
        let (from, to) = (self.first[closure] as usize, self.first[closure + 1] as usize);
        &mut self.sides[0][from..to]
    }

    /// Out: λ of the kept rows of a closure.
    #[inline(always)]
    pub fn answers(&self, closure: usize) -> &[f64] {
        let (from, to) = (self.first[closure] as usize, self.first[closure + 1] as usize);
        &self.found[0][from..to]
    }

    /// After the elimination of the bundle: that of the closures, on the ground, with their answers; false if one cannot be.
    pub fn land<T: Pack>(&mut self, bundle: &Spatial<T>, whole: &mut Spatial) -> bool {
        let closures = &mut whole.closures;
        closures.least_pivot = 1.0;
        closures.sick = NONE;
        for sum in &mut closures.sums {
            sum.formed = [0.0; super::MOST_ROWS];
        }
        match self.alike {
            2 => self.gain_alike::<T, 2>(bundle, &mut closures.sums),
            3 => self.gain_alike::<T, 3>(bundle, &mut closures.sums),
            _ => {}
        }
        let Landing { gains, pieces, first, sides: [sides, _], alike, .. } = &mut *self;
        for &Gain { closure, sum, lane } in gains.iter().filter(|_| *alike == 0) {
            let (at, to) = (first[closure as usize] as usize, first[closure as usize + 1] as usize);
            let (formed, from) =
                (&mut closures.sums[closure as usize].formed, &bundle.closures.sums[sum as usize]);
            let gained = from.sides[0].iter().zip(&from.formed);
            for ((side, formed), (gain, size)) in sides[at..to].iter_mut().zip(formed).zip(gained) {
                *side += gain.at(lane as usize & 3);
                *formed += size.at(lane as usize & 3);
            }
        }
        for &Piece { element, lane, of_whole } in &*pieces {
            let from = &bundle.closures.route.elements[element as usize];
            let members = bundle.closures.route.members(&from.members);
            let rows: usize =
                members.iter().map(|m| bundle.closures.all[m.closure as usize].kept_count as usize).sum();
            let to = &mut closures.route.elements[of_whole as usize];
            (to.cols, to.is_triangle) = (from.cols, from.is_triangle);
            let count = rows * from.cols as usize;
            let numbers = &bundle.closures.entries[from.at as usize..][..count];
            for (to, from) in closures.entries[to.at as usize..].iter_mut().zip(numbers) {
                *to = from.at(lane as usize & 3);
            }
        }
        let is_fine = closures.factor_on_ground();
        match self.alike {
            2 => self.line_up::<2>(whole),
            3 => self.line_up::<3>(whole),
            _ => {}
        }
        self.answer::<1>(whole);
        is_fine
    }

    /// What every closure gains at the places it passes, where all keep as many rows.
    fn gain_alike<T: Pack, const K: usize>(&mut self, bundle: &Spatial<T>, sums: &mut [Sum<f64>]) {
        let sides = self.sides[0].as_chunks_mut::<K>().0;
        for &Gain { closure, sum, lane } in &self.gains {
            let (Some(side), Some(Sum { formed, .. })) =
                (sides.get_mut(closure as usize), sums.get_mut(closure as usize))
            else {
                continue;
            };
            let from = &bundle.closures.sums[sum as usize];
            for k in 0..K {
                side[k] += from.sides[0][k].at(lane as usize & 3);
                formed[k] += from.formed[k].at(lane as usize & 3);
            }
        }
    }

    /// The same of both right sides.
    fn gain_both_alike<T: Pack, const K: usize>(&mut self, bundle: &Spatial<T>) {
        let [sides, seconds] = &mut self.sides;
        let (sides, seconds) = (sides.as_chunks_mut::<K>().0, seconds.as_chunks_mut::<K>().0);
        for &Gain { closure, sum, lane } in &self.gains {
            let (Some(side), Some(second)) =
                (sides.get_mut(closure as usize), seconds.get_mut(closure as usize))
            else {
                continue;
            };
            let [one, two] = &bundle.closures.sums[sum as usize].sides;
            for k in 0..K {
                side[k] += one[k].at(lane as usize & 3);
                second[k] += two[k].at(lane as usize & 3);
            }
        }
    }

    /// λ of closures that are alike.
    fn answer_alike<const N: usize, const K: usize>(&mut self) {
        let Landing { ties, factors, sides, found, .. } = self;
        let [first, second] = sides.each_mut().map(|side| side.as_chunks_mut::<K>().0);
        let factors = factors.as_chunks::<K>().0.as_chunks::<K>().0.as_chunks::<2>().0;
        for (Tie { who, other }, [own, below]) in ties.iter().zip(factors) {
            for sides in [&mut *first, &mut *second].into_iter().take(N) {
                let Some(side) = sides.get_mut(*who as usize) else { continue };
                for i in 0..K {
                    let mut c = side[i];
                    for j in 0..i {
                        c -= own[i][j] * side[j];
                    }
                    side[i] = c * own[i][i];
                }
                let side = *side;
                if let Some(to) = sides.get_mut(*other as usize) {
                    for k in 0..K {
                        for j in 0..K {
                            to[k] -= below[k][j] * side[j];
                        }
                    }
                }
            }
        }
        let [answers, seconds] = found.each_mut().map(|found| found.as_chunks_mut::<K>().0);
        for (Tie { who, other }, [own, below]) in ties.iter().zip(factors).rev() {
            for (sides, found) in [(&*first, &mut *answers), (&*second, &mut *seconds)].into_iter().take(N) {
                let Some(side) = sides.get(*who as usize) else { continue };
                let mut sum = *side;
                if let Some(found) = found.get(*other as usize) {
                    for k in 0..K {
                        for j in 0..K {
                            sum[j] += below[k][j] * found[k];
                        }
                    }
                }
                let Some(found) = found.get_mut(*who as usize) else { continue };
                for i in (0..K).rev() {
                    let mut mu = sum[i];
                    for j in i + 1..K {
                        mu -= own[j][i] * sum[j];
                    }
                    sum[i] = mu * own[i][i];
                    found[i] = -sum[i];
                }
            }
        }
    }

    /// After the way of both right sides from leaves to roots: the answers of the closures.
    pub fn land_pair<T: Pack>(&mut self, bundle: &Spatial<T>, whole: &Spatial, part: f64) {
        let [sides, seconds] = &mut self.sides;
        for (second, side) in seconds.iter_mut().zip(&*sides) {
            *second = *side * part;
        }
        match self.alike {
            2 => self.gain_both_alike::<T, 2>(bundle),
            3 => self.gain_both_alike::<T, 3>(bundle),
            _ => {}
        }
        let Landing { gains, first, sides: [sides, seconds], alike, .. } = &mut *self;
        for &Gain { closure, sum, lane } in gains.iter().filter(|_| *alike == 0) {
            let (at, to) = (first[closure as usize] as usize, first[closure as usize + 1] as usize);
            let [one, two] = &bundle.closures.sums[sum as usize].sides;
            let rows = sides[at..to].iter_mut().zip(&mut seconds[at..to]);
            for ((side, second), (one, two)) in rows.zip(one.iter().zip(two)) {
                *side += one.at(lane as usize & 3);
                *second += two.at(lane as usize & 3);
            }
        }
        self.answer::<2>(whole);
    }

    /// A right side of closures alone: their answers.
    pub fn answer_alone(&mut self, whole: &Spatial) {
        self.answer::<1>(whole);
    }

    /// λ of the first `N` right sides, whose c is at hand: closures meet on the ground one after another, and answer in turn.
    fn answer<const N: usize>(&mut self, whole: &Spatial) {
        match self.alike {
            2 => return self.answer_alike::<N, 2>(),
            3 => return self.answer_alike::<N, 3>(),
            _ => {}
        }
        let Closures { route, factors, .. } = &whole.closures;
        let Landing { first, sides, found, .. } = self;
        let meets = &route.meets[route.on_ground.start as usize..route.on_ground.end as usize];
        for meet in meets {
            let who = meet.who.closure as usize;
            let factor = &factors[meet.factor_at as usize..];
            let others = route.members(&meet.others);
            for side in &mut sides[..N] {
                match first[who + 1] - first[who] {
                    1 => meet_alone::<1>(first, factor, who, others, side),
                    2 => meet_alone::<2>(first, factor, who, others, side),
                    3 => meet_alone::<3>(first, factor, who, others, side),
                    4 => meet_alone::<4>(first, factor, who, others, side),
                    5 => meet_alone::<5>(first, factor, who, others, side),
                    6 => meet_alone::<6>(first, factor, who, others, side),
                    _ => {}
                }
            }
        }
        for meet in meets.iter().rev() {
            let who = meet.who.closure as usize;
            let factor = &factors[meet.factor_at as usize..];
            let others = route.members(&meet.others);
            for (side, found) in sides.iter().zip(found.iter_mut()).take(N) {
                match first[who + 1] - first[who] {
                    1 => answer_alone::<1>(first, factor, who, others, (side, found)),
                    2 => answer_alone::<2>(first, factor, who, others, (side, found)),
                    3 => answer_alone::<3>(first, factor, who, others, (side, found)),
                    4 => answer_alone::<4>(first, factor, who, others, (side, found)),
                    5 => answer_alone::<5>(first, factor, who, others, (side, found)),
                    6 => answer_alone::<6>(first, factor, who, others, (side, found)),
                    _ => {}
                }
            }
        }
    }

    /// Takes the answers of the first `SIDES` right sides back into the lanes.
    pub fn take_answers<T: Pack, const SIDES: usize>(&self, bundle: &mut Spatial<T>) {
        T::within(TakeAnswers::<T, SIDES>(self, bundle));
    }

    #[inline(always)]
    fn take_within<T: Pack, const SIDES: usize>(&self, bundle: &mut Spatial<T>) {
        let all = self.strands.chunks_exact(self.lanes).zip(&mut bundle.closures.all);
        for (lanes, strand) in all {
            let mut at = [0; 4];
            for (at, lane) in at.iter_mut().zip(lanes) {
                *at = self.first[lane.closure as usize] as usize;
            }
            for k in 0..strand.kept_count as usize {
                for side in 0..SIDES {
                    let found = &self.found[side];
                    strand.found[side][k] = T::from_lanes(|lane| found[at[lane] + k]);
                }
            }
        }
    }
}

/// ĉ = T⁻¹ c of a closure with so many rows, and c_o −= A ĉ of the others.
#[inline(always)]
fn meet_alone<const K: usize>(
    first: &[u32],
    factor: &[f64],
    who: usize,
    others: &[Member],
    sides: &mut [f64],
) {
    let Some((own, below)) = factor.as_chunks::<K>().0.split_first_chunk::<K>() else { return };
    let Some(side) = sides[first[who] as usize..].first_chunk_mut::<K>() else { return };
    for i in 0..K {
        let mut c = side[i];
        for j in 0..i {
            c -= own[i][j] * side[j];
        }
        side[i] = c * own[i][i];
    }
    let (side, mut below) = (*side, below.iter());
    for m in others {
        let (at, to) = (first[m.closure as usize] as usize, first[m.closure as usize + 1] as usize);
        for (to, row) in sides[at..to].iter_mut().zip(&mut below) {
            for (&a, &side) in row.iter().zip(&side) {
                *to -= a * side;
            }
        }
    }
}

/// μ = −T⁻ᵀ (ĉ + Aᵀ μ_o).
#[inline(always)]
fn answer_alone<const K: usize>(
    first: &[u32],
    factor: &[f64],
    who: usize,
    others: &[Member],
    (sides, found): (&[f64], &mut [f64]),
) {
    let Some((own, below)) = factor.as_chunks::<K>().0.split_first_chunk::<K>() else { return };
    let Some(side) = sides[first[who] as usize..].first_chunk::<K>() else { return };
    let (mut sum, mut below) = (*side, below.iter());
    for m in others {
        let (at, to) = (first[m.closure as usize] as usize, first[m.closure as usize + 1] as usize);
        for (&found, row) in found[at..to].iter().zip(&mut below) {
            for (sum, &a) in sum.iter_mut().zip(row) {
                *sum += a * found;
            }
        }
    }
    let Some(found) = found[first[who] as usize..].first_chunk_mut::<K>() else { return };
    for i in (0..K).rev() {
        let mut mu = sum[i];
        for j in i + 1..K {
            mu -= own[j][i] * sum[j];
        }
        sum[i] = mu * own[i][i];
        found[i] = -sum[i];
    }
}

struct TakeAnswers<'l, T: Pack, const SIDES: usize>(&'l Landing, &'l mut Spatial<T>);
impl<T: Pack, const SIDES: usize> Task for TakeAnswers<'_, T, SIDES> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.take_within::<T, SIDES>(self.1);
    }
}

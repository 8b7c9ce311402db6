//! Trees of one forest side by side: four that are alike, each in a lane of its own, in the place of four trees after another.
//!
//! Links that close loops between such trees, or on the ground, go as *strands*: each end of a closure by itself, from its block to the ground. What passes the
//! blocks of a tree passes them in lanes. On the ground the lanes part: what every strand has gained goes to its closure among those of the *whole* forest, where
//! closures are eliminated one after another as ever (`closure.rs`), and their answers go back into the lanes.
//!
//! The whole adds up what a closure gains place by place. So a strand keeps what it gains at each block apart, and [`Landing`] adds it up in that order: the
//! answer has the bits that the whole would have found alone.

use super::closure::Closure;
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
        is_whole.then_some(Landing { lanes: T::LANES, strands, gains, pieces })
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.strands.capacity() * size_of::<Strand>()
            + self.gains.capacity() * size_of::<Gain>()
            + self.pieces.capacity() * size_of::<Piece>()
    }

    /// Gives the strands the rows of their closures that are kept; false if these are not as many in all lanes.
    pub fn board<T: Pack>(&self, whole: &Spatial, bundle: &mut Spatial<T>) -> bool {
        T::within(Board(self, whole, bundle))
    }

    #[inline(always)]
    fn board_within<T: Pack>(&self, whole: &Spatial, bundle: &mut Spatial<T>) -> bool {
        let closures = &whole.closures.all;
        let all = self.strands.chunks_exact(self.lanes).zip(&mut bundle.closures.all);
        let mut is_alike = true;
        for (lanes, strand) in all {
            let kept = closures[lanes[0].closure as usize].kept_count;
            for lane in lanes {
                is_alike &= closures[lane.closure as usize].kept_count == kept;
            }
            strand.kept_count = kept;
            let rows = strand.rows[0].iter_mut().take(kept as usize);
            for (k, row) in rows.enumerate() {
                let of = |l: usize| {
                    let closure = &closures[lanes[l].closure as usize];
                    &closure.rows[usize::from(lanes[l].end & 1)][usize::from(closure.kept[k])]
                };
                row.lin.x = T::from_lanes(|l| of(l).lin.x);
                row.lin.y = T::from_lanes(|l| of(l).lin.y);
                row.lin.z = T::from_lanes(|l| of(l).lin.z);
                row.ang.x = T::from_lanes(|l| of(l).ang.x);
                row.ang.y = T::from_lanes(|l| of(l).ang.y);
                row.ang.z = T::from_lanes(|l| of(l).ang.z);
            }
        }
        is_alike
    }

    /// After the elimination of the bundle: that of the closures, on the ground; false if one cannot be.
    pub fn land<T: Pack>(&self, bundle: &Spatial<T>, whole: &mut Spatial) -> bool {
        let closures = &mut whole.closures;
        closures.least_pivot = 1.0;
        closures.sick = NONE;
        for sum in &mut closures.sums {
            sum.formed = [0.0; super::MOST_ROWS];
        }
        closures.load_sides();
        for &Gain { closure, sum, lane } in &self.gains {
            let kept = closures.all[closure as usize].kept_count as usize;
            let (to, from) = (&mut closures.sums[closure as usize], &bundle.closures.sums[sum as usize]);
            for k in 0..kept {
                to.sides[0][k] += from.sides[0][k].lane(lane as usize);
                to.formed[k] += from.formed[k].lane(lane as usize);
            }
        }
        for &Piece { element, lane, of_whole } in &self.pieces {
            let from = &bundle.closures.route.elements[element as usize];
            let members = bundle.closures.route.members(&from.members);
            let rows: usize =
                members.iter().map(|m| bundle.closures.all[m.closure as usize].kept_count as usize).sum();
            let to = &mut closures.route.elements[of_whole as usize];
            (to.cols, to.is_triangle) = (from.cols, from.is_triangle);
            let count = rows * from.cols as usize;
            let numbers = &bundle.closures.entries[from.at as usize..][..count];
            for (to, from) in closures.entries[to.at as usize..].iter_mut().zip(numbers) {
                *to = from.lane(lane as usize);
            }
        }
        closures.meet_on_ground()
    }

    /// After the way of both right sides from leaves to roots: what the closures leave of them, and their answers.
    pub fn land_pair<T: Pack>(&self, bundle: &Spatial<T>, whole: &mut Spatial, part: f64) {
        let closures = &mut whole.closures;
        closures.load_sides();
        closures.load_second_sides(part);
        for &Gain { closure, sum, lane } in &self.gains {
            let kept = closures.all[closure as usize].kept_count as usize;
            let (to, from) = (&mut closures.sums[closure as usize], &bundle.closures.sums[sum as usize]);
            for k in 0..kept {
                to.sides[0][k] += from.sides[0][k].lane(lane as usize);
                to.sides[1][k] += from.sides[1][k].lane(lane as usize);
            }
        }
        closures.meet_bias_on_ground::<2>();
        closures.answer_on_ground::<2>();
    }

    /// A right side of closures alone: their answers.
    pub fn answer_alone(&self, whole: &mut Spatial) {
        whole.closures.load_sides();
        whole.closures.meet_bias_on_ground::<1>();
        whole.closures.answer_on_ground::<1>();
    }

    /// The answers of the closures after [`land`](Landing::land).
    pub fn answer(&self, whole: &mut Spatial) {
        whole.closures.answer_on_ground::<1>();
    }

    /// Takes the answers of the first `SIDES` right sides back into the lanes.
    pub fn take_answers<T: Pack, const SIDES: usize>(&self, whole: &Spatial, bundle: &mut Spatial<T>) {
        T::within(TakeAnswers::<T, SIDES>(self, whole, bundle));
    }

    #[inline(always)]
    fn take_within<T: Pack, const SIDES: usize>(&self, whole: &Spatial, bundle: &mut Spatial<T>) {
        let all = self.strands.chunks_exact(self.lanes).zip(&mut bundle.closures.all);
        for (lanes, strand) in all {
            for k in 0..strand.kept_count as usize {
                for side in 0..SIDES {
                    let of = |lane: usize| whole.closures.all[lanes[lane].closure as usize].found[side][k];
                    strand.found[side][k] = T::from_lanes(of);
                }
            }
        }
    }
}

struct Board<'l, T: Pack>(&'l Landing, &'l Spatial, &'l mut Spatial<T>);
impl<T: Pack> Task for Board<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.0.board_within(self.1, self.2)
    }
}

struct TakeAnswers<'l, T: Pack, const SIDES: usize>(&'l Landing, &'l Spatial, &'l mut Spatial<T>);
impl<T: Pack, const SIDES: usize> Task for TakeAnswers<'_, T, SIDES> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.take_within::<T, SIDES>(self.1, self.2);
    }
}

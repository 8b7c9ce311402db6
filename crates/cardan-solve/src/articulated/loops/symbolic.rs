//! Symbolic phase of the loops, once per forest: the path of every loop closure, where its ends meet, and the
//! order of elimination there. The path of a coupling is a tree, with as many branches as ends.
//!
//! Loop closures that pass the same block are coupled by its freedoms: they form an *element*, a set of loop
//! closures with a common block of B. Where ends meet, the loop closure with the fewest neighbours is
//! eliminated first (minimum degree), and its elements become one. So a loop costs its own length and what it
//! shares with others.
//!
//! *Legs.* A platform on several legs is a tree on the first leg, and every other leg is a tree of its own on the
//! ground whose top a loop closure ties to the platform. Carried to the ground, the rows of all legs form one
//! dense front. But where the freedoms of a leg alone span the rows of its loop closure, G is complete and
//! regular as soon as the leg has been passed, and the loop closure is eliminated at the platform: a second
//! plan, [`SymbolicLoops::with_legs`]. Whether a leg spans its rows depends on the pose: the elimination by
//! that plan checks its pivots, and is repeated by the first plan if one is small.

use super::{EndKind, LoopClosure};
use crate::graph::{NONE, index_u32};
use crate::lane::Lane;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Range;

/// The rows of one loop closure at one block of its path.
#[derive(Clone, Debug)]
pub(crate) struct RowSlot {
    pub(crate) closure: u32,
    /// Its node.
    pub(crate) place: u32,
    /// The end of a loop-closure link that is at this block, if any.
    pub(crate) end: Option<u8>,
    /// The slot at the parent, or [`NONE`] for the last.
    pub(crate) above: u32,
    /// Index of its first row among all carried ones.
    pub(crate) at: u32,
}

/// A loop closure in a list, and its slot at the block in question ([`NONE`] on the ground).
#[derive(Copy, Clone, Debug)]
pub(crate) struct LoopMember {
    pub(crate) closure: u32,
    pub(crate) slot: u32,
    /// Indices of the first rows of that slot and of the slot above it, or [`NONE`].
    pub(crate) at: u32,
    pub(crate) above: u32,
    /// Index of the accumulator for this block: one for the whole loop closure, or, for loop ends in lanes,
    /// one per slot.
    pub(crate) sum: u32,
}

/// Loop closures with a common block of B, a lower trapezoidal matrix.
#[derive(Clone, Debug)]
pub(crate) struct LoopElement {
    pub(crate) members: Range<u32>,
    pub(crate) at: u32,
    pub(crate) cols: u32,
    /// The block is lower triangular, by the last elimination.
    pub(crate) is_triangle: bool,
    /// In an unfinished run of spherical links (`ball_pass.rs`): where its columns begin, or [`NONE`], and
    /// where its first triangle is.
    pub(crate) run: u32,
    pub(crate) from: Option<u32>,
}

/// The elimination of one loop closure where its ends meet.
#[derive(Clone, Debug)]
pub(crate) struct LoopElimination {
    pub(crate) pivot: LoopMember,
    pub(crate) inputs: Range<u32>,
    /// All other members of its elements.
    pub(crate) others: Range<u32>,
    pub(crate) out: u32,
    /// Where its factor and its images start.
    pub(crate) factor_at: u32,
    pub(crate) image_at: u32,
}

/// Loop closures that pass a block towards the root.
#[derive(Clone, Debug)]
pub(crate) struct LoopPass {
    pub(crate) inputs: Range<u32>,
    pub(crate) members: Range<u32>,
    pub(crate) out: u32,
}

/// What happens to loop closures at one block.
#[derive(Clone, Debug)]
pub(crate) struct LoopStep {
    pub(crate) eliminations: Range<u32>,
    pub(crate) pass: Option<LoopPass>,
}

/// The symbolic plan of all loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolicLoops {
    pub(crate) slots: Vec<RowSlot>,
    pub(crate) loop_steps: Vec<LoopStep>,
    /// Eliminations on the ground, after all blocks.
    pub(crate) on_ground: Range<u32>,
    pub(crate) eliminations: Vec<LoopElimination>,
    pub(crate) members: Vec<LoopMember>,
    pub(crate) inputs: Vec<u32>,
    pub(crate) elements: Vec<LoopElement>,
    /// Memory that is needed: carried rows; entries of elements, factors and images; entries of the largest
    /// front.
    pub(crate) carried: usize,
    pub(crate) entries: usize,
    pub(crate) factors: usize,
    pub(crate) images: usize,
    pub(crate) front: usize,
    /// Estimated multiplications in the fronts.
    pub(crate) cost: u64,
}

impl SymbolicLoops {
    #[inline(always)]
    pub(crate) fn members(&self, range: &Range<u32>) -> &[LoopMember] {
        &self.members[range.start as usize..range.end as usize]
    }
    #[inline(always)]
    pub(crate) fn inputs(&self, range: &Range<u32>) -> &[u32] {
        &self.inputs[range.start as usize..range.end as usize]
    }
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<RowSlot>()
            + self.loop_steps.capacity() * size_of::<LoopStep>()
            + self.eliminations.capacity() * size_of::<LoopElimination>()
            + self.members.capacity() * size_of::<LoopMember>()
            + self.inputs.capacity() * size_of::<u32>()
            + self.elements.capacity() * size_of::<LoopElement>()
    }

    /// Plans the paths of `closures` over a forest given by the parents of all nodes ([`NONE`] for roots).
    /// Returns also the loop step of each node ([`NONE`] where nothing happens).
    pub(crate) fn new<T: Lane>(parents: &[u32], closures: &[LoopClosure<T>]) -> (SymbolicLoops, Vec<u32>) {
        let builder = SymbolicBuilder::new(parents, closures, vec![NONE; closures.len()]);
        let is_step =
            |place: usize| !(builder.passing[place].is_empty() && builder.meeting[place].is_empty());
        let mut count = 0;
        let mut step = |place: usize| {
            count += u32::from(is_step(place));
            if is_step(place) { count - 1 } else { NONE }
        };
        let loop_steps: Vec<u32> = (0..parents.len()).map(&mut step).collect();
        (builder.build(parents, &loop_steps), loop_steps)
    }

    /// The plan that eliminates the loop closures of legs at their platforms, with the loop steps of the plan
    /// of [`new`](SymbolicLoops::new); `None` if there are no legs. `freedoms`: of the link of every node, zero
    /// where it is not in freedoms form.
    pub(crate) fn with_legs<T: Lane>(
        parents: &[u32],
        freedoms: &[usize],
        closures: &[LoopClosure<T>],
        loop_steps: &[u32],
    ) -> Option<SymbolicLoops> {
        // The rows of couplings are loaded where the first plan has them.
        if closures.len() < LEAST_LEGS || closures.iter().any(|c| !c.ends.is_empty()) {
            return None;
        }
        let passing = SymbolicBuilder::new(parents, closures, vec![NONE; closures.len()]).passing;
        let root_of = |mut place: u32| {
            while parents[place as usize] != NONE {
                place = parents[place as usize];
            }
            place
        };
        let platform = |c: &LoopClosure<T>| {
            let [a, b] = c.places;
            [(a, b), (b, a)].into_iter().find_map(|(leg, platform)| {
                if leg == NONE || platform == NONE {
                    return None;
                }
                let (mut place, mut spanned, mut is_leg) = (leg, 0, true);
                while place != NONE {
                    spanned += freedoms[place as usize];
                    is_leg &= passing[place as usize].len() == 1;
                    place = parents[place as usize];
                }
                // The leg is eliminated before the platform.
                (is_leg && spanned >= c.len() && root_of(leg) < platform && root_of(leg) != root_of(platform))
                    .then_some(platform)
            })
        };
        let mut platforms: Vec<u32> = closures.iter().map(|c| platform(c).unwrap_or(NONE)).collect();
        let all = platforms.clone();
        for place in &mut platforms {
            if all.iter().filter(|other| *other == place).count() < LEAST_LEGS {
                *place = NONE;
            }
        }
        let has_legs = platforms.iter().any(|&place| place != NONE);
        has_legs.then(|| SymbolicBuilder::new(parents, closures, platforms).build(parents, loop_steps))
    }
}

/// Fewest legs of a platform whose loop closures are eliminated there: with fewer the front on the ground is as
/// small.
const LEAST_LEGS: usize = 3;

impl SymbolicBuilder {
    fn build(mut self, parents: &[u32], loop_steps: &[u32]) -> SymbolicLoops {
        let builder = &mut self;
        for place in (0..parents.len()).filter(|&place| loop_steps[place] != NONE) {
            let passing = std::mem::take(&mut builder.passing[place]);
            let meeting = std::mem::take(&mut builder.meeting[place]);
            let loop_step = builder.loop_step(index_u32(place), parents[place], &passing, &meeting);
            builder.symbolic.loop_steps.push(loop_step);
        }
        let meeting = std::mem::take(&mut builder.meeting_on_ground);
        builder.here.fill(NONE);
        let waiting = std::mem::take(&mut builder.waiting_on_ground);
        builder.symbolic.on_ground = builder.eliminate_closures(&meeting, waiting).0;
        let SymbolicLoops { slots, members, .. } = &mut builder.symbolic;
        for m in members.iter_mut().filter(|m| m.slot != NONE) {
            let slot = &slots[m.slot as usize];
            m.at = slot.at;
            m.above = slots.get(slot.above as usize).map_or(NONE, |above| above.at);
        }
        self.symbolic
    }
}

/// A plan under construction.
struct SymbolicBuilder {
    symbolic: SymbolicLoops,
    /// Number of rows of each loop closure.
    rows: Vec<usize>,
    places: Vec<[u32; 2]>,
    /// Platform of each loop closure that closes a leg, or [`NONE`].
    platforms: Vec<u32>,
    /// By node: loop closures that pass; loop closures whose ends meet.
    passing: Vec<Vec<u32>>,
    meeting: Vec<Vec<u32>>,
    meeting_on_ground: Vec<u32>,
    /// By node: elements that arrive from its children.
    waiting: Vec<Vec<u32>>,
    waiting_on_ground: Vec<u32>,
    /// By loop closure: its topmost slots so far with the nodes above them, its slot at the present node, its
    /// elements.
    topmost: Vec<Vec<(u32, u32)>>,
    here: Vec<u32>,
    elements_of: Vec<Vec<u32>>,
}

impl SymbolicBuilder {
    fn new<T: Lane>(parents: &[u32], closures: &[LoopClosure<T>], platforms: Vec<u32>) -> SymbolicBuilder {
        let (n, k) = (parents.len(), closures.len());
        let mut builder = SymbolicBuilder {
            symbolic: SymbolicLoops::default(),
            rows: closures.iter().map(LoopClosure::len).collect(),
            places: closures.iter().map(|c| c.places).collect(),
            platforms,
            passing: vec![Vec::new(); n],
            meeting: vec![Vec::new(); n],
            meeting_on_ground: Vec::new(),
            waiting: vec![Vec::new(); n],
            waiting_on_ground: Vec::new(),
            topmost: vec![Vec::new(); k],
            here: vec![NONE; k],
            elements_of: vec![Vec::new(); k],
        };
        for (closure, c) in closures.iter().enumerate() {
            let closure = index_u32(closure);
            let platform = builder.platforms[closure as usize];
            if platform != NONE {
                let [a, b] = c.places;
                let mut place = if a == platform { b } else { a };
                while place != NONE {
                    builder.passing[place as usize].push(closure);
                    place = parents[place as usize];
                }
                builder.meeting[platform as usize].push(closure);
                continue;
            }
            // A parent comes after its children, so the lowest index climbs until all are equal.
            let mut climbing: BTreeSet<u32> = match c.ends.is_empty() {
                true => c.places.into(),
                false => c.ends.iter().map(|end| end.place).collect(),
            };
            // The coordinates of a link are not seen above its parent, and not before it.
            let children = c.ends.iter().filter(|end| end.kind == EndKind::Child);
            climbing.extend(children.map(|end| parents[end.place as usize]));
            climbing.extend(c.is_absolute.then_some(NONE));
            while climbing.len() > 1
                && let Some(low) = climbing.pop_first()
            {
                builder.passing[low as usize].push(closure);
                climbing.insert(parents[low as usize]);
            }
            match climbing.first() {
                None | Some(&NONE) => builder.meeting_on_ground.push(closure),
                Some(&place) => builder.meeting[place as usize].push(closure),
            }
        }
        builder
    }

    fn slot(&mut self, (place, parent): (u32, u32), closure: u32) -> u32 {
        let id = index_u32(self.symbolic.slots.len());
        let c = closure as usize;
        let slots = &mut self.symbolic.slots;
        self.topmost[c].retain(|&(above, below)| {
            if above == place {
                slots[below as usize].above = id;
            }
            above != place
        });
        self.topmost[c].push((parent, id));
        let end = self.places[c].iter().position(|&end| end == place).map(|end| end as u8);
        slots.push(RowSlot { closure, place, end, above: NONE, at: index_u32(self.symbolic.carried) });
        self.symbolic.carried += self.rows[c];
        self.here[c] = id;
        id
    }

    fn loop_step(&mut self, place: u32, parent: u32, passing: &[u32], meeting: &[u32]) -> LoopStep {
        for &closure in meeting.iter().chain(passing) {
            self.slot((place, parent), closure);
        }
        let waiting = std::mem::take(&mut self.waiting[place as usize]);
        let (eliminations, left) = self.eliminate_closures(meeting, waiting);
        if passing.is_empty() {
            return LoopStep { eliminations, pass: None };
        }
        let mut members: Vec<u32> = passing.to_vec();
        members.sort_unstable();
        let own = 6;
        let out = self.merge(&left, &members, None, own);
        let members = self.symbolic.elements[out as usize].members.clone();
        let first = index_u32(self.symbolic.inputs.len());
        self.symbolic.inputs.extend_from_slice(&left);
        let inputs = first..index_u32(self.symbolic.inputs.len());
        match parent {
            // A leg has one loop closure.
            NONE if self.platforms[passing[0] as usize] != NONE => {
                self.waiting[self.platforms[passing[0] as usize] as usize].push(out)
            }
            NONE => self.waiting_on_ground.push(out),
            parent => self.waiting[parent as usize].push(out),
        }
        LoopStep { eliminations, pass: Some(LoopPass { inputs, members, out }) }
    }

    /// A new element of these loop closures in place of the inputs; counts the memory that it needs.
    fn merge(&mut self, inputs: &[u32], closures: &[u32], leaving: Option<u32>, own: usize) -> u32 {
        let out = index_u32(self.symbolic.elements.len());
        let first = index_u32(self.symbolic.members.len());
        let mut rows = 0;
        for &closure in closures {
            let c = closure as usize;
            rows += self.rows[c];
            self.symbolic.members.push(LoopMember {
                closure,
                slot: self.here[c],
                at: NONE,
                above: NONE,
                sum: closure,
            });
            // The new element takes the place of the first that it replaces.
            let elements = &mut self.elements_of[c];
            let first = elements.iter().position(|e| inputs.contains(e)).unwrap_or(elements.len());
            elements.retain(|e| !inputs.contains(e));
            elements.insert(first, out);
        }
        let members = first..index_u32(self.symbolic.members.len());
        let at = index_u32(self.symbolic.entries);
        self.symbolic.elements.push(LoopElement {
            members,
            at,
            cols: 0,
            is_triangle: false,
            run: NONE,
            from: None,
        });
        self.symbolic.entries += rows * rows;
        let width: usize = inputs.iter().map(|&e| self.room(e)).sum();
        let high = rows + leaving.map_or(0, |c| self.rows[c as usize]);
        self.symbolic.front = self.symbolic.front.max(high * (width + own));
        // Reflections bring `high` rows to as many columns.
        self.symbolic.cost += 2 * (high * (width + own) * high.min(width + own)) as u64;
        out
    }

    /// Most columns that an element can have.
    fn room(&self, element: u32) -> usize {
        let members = self.symbolic.members(&self.symbolic.elements[element as usize].members);
        members.iter().map(|m| self.rows[m.closure as usize]).sum()
    }

    /// All other members of the elements of a loop closure, in order.
    fn neighbours(&self, closure: u32) -> Vec<u32> {
        let mut all: Vec<u32> = Vec::new();
        for &e in &self.elements_of[closure as usize] {
            let members = self.symbolic.members(&self.symbolic.elements[e as usize].members);
            all.extend(members.iter().map(|m| m.closure).filter(|&c| c != closure));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn degree(&self, closure: u32) -> usize {
        self.neighbours(closure).iter().map(|&c| self.rows[c as usize]).sum()
    }

    /// Eliminates the loop closures whose ends meet here, fewest neighbours first; returns the elements that
    /// are left.
    fn eliminate_closures(&mut self, meeting: &[u32], mut elements: Vec<u32>) -> (Range<u32>, Vec<u32>) {
        let first = index_u32(self.symbolic.eliminations.len());
        let mut heap: BinaryHeap<Reverse<(usize, u32)>> =
            meeting.iter().map(|&c| Reverse((self.degree(c), c))).collect();
        let mut waiting: Vec<u32> = meeting.to_vec();
        waiting.sort_unstable();
        let mut gone = vec![false; waiting.len()];
        let index = |c: u32| waiting.binary_search(&c).ok();
        let mut dead: Vec<u32> = Vec::new();
        while let Some(Reverse((degree, closure))) = heap.pop() {
            let Some(i) = index(closure) else { continue };
            // An outdated entry, pushed before a neighbour was eliminated.
            if gone[i] || degree != self.degree(closure) {
                continue;
            }
            gone[i] = true;
            let others = self.neighbours(closure);
            let inputs = std::mem::take(&mut self.elements_of[closure as usize]);
            let out = self.merge(&inputs, &others, Some(closure), 0);
            let at = index_u32(self.symbolic.inputs.len());
            self.symbolic.inputs.extend_from_slice(&inputs);
            let rows = self.rows[closure as usize];
            let extra: usize = others.iter().map(|&c| self.rows[c as usize]).sum();
            self.symbolic.eliminations.push(LoopElimination {
                pivot: LoopMember {
                    closure,
                    slot: self.here[closure as usize],
                    at: NONE,
                    above: NONE,
                    sum: closure,
                },
                inputs: at..index_u32(self.symbolic.inputs.len()),
                others: self.symbolic.elements[out as usize].members.clone(),
                out,
                factor_at: index_u32(self.symbolic.factors),
                image_at: index_u32(self.symbolic.images),
            });
            self.symbolic.factors += rows * (rows + extra);
            self.symbolic.images += rows;
            dead.extend_from_slice(&inputs);
            if !others.is_empty() {
                elements.push(out);
            }
            for &c in &others {
                if index(c).is_some_and(|i| !gone[i]) {
                    heap.push(Reverse((self.degree(c), c)));
                }
            }
        }
        dead.sort_unstable();
        elements.retain(|e| dead.binary_search(e).is_err());
        (first..index_u32(self.symbolic.eliminations.len()), elements)
    }
}

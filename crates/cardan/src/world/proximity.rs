//! Islands that may come into contact within a step. Every shape has a bounding box for the whole step; where two boxes overlap, the
//! islands are merged until the bodies are well apart. If a body left its box during the step, the step is repeated with larger boxes.

use super::island::Island;
use super::parts::Parts;
use crate::body::general::Motions;
use crate::body::{Frame, FrameMotion};
use crate::contact::ModelShape;
use crate::math::{Vec3, larger};
use crate::model::{End, Id, Model};
use crate::state::State;
use crate::step::{frame, write_motions};
use cardan_shapes::{Aabb, Bounds, BroadPhase, Pose};

/// Margin of a box, relative to the size of the shape.
const MARGIN: f64 = 0.05;
/// Bodies are separated when their distance exceeds this many times margin and path; more than 1, so that islands do not merge and
/// separate in every step.
const RELEASE: f64 = 3.0;

/// Boxes of all shapes that are on bodies.
#[derive(Debug, Default)]
pub(crate) struct Proximity {
    /// Pairs of bodies (places, the lesser first) that are together because they are near.
    pub(crate) pairs: Vec<(u32, u32)>,
    broad: Option<BroadPhase>,
    /// How many boxes it has.
    boxes: usize,
    shapes: Vec<SweptBounds>,
    /// The pairs in the order of their bodies.
    by_body: Vec<u32>,
    found: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct SweptBounds {
    /// Place of the body, and number of its island.
    body: u32,
    island: u32,
    /// Index of the shape in the model of its island.
    shape: u32,
    bounds: Aabb,
    /// How far it may go, and the margin.
    travel: f64,
    margin: f64,
}

/// Where everything is in a model with general bodies; other bodies are found one by one.
fn motions_of(model: &Model, state: &State) -> Option<Motions> {
    (!model.carriers.is_empty()).then(|| {
        let mut motions = Motions::new(model);
        write_motions(model, state, &mut motions);
        motions
    })
}

/// Pose of a shape; where what carries it is, and how it moves.
fn pose_of(
    model: &Model,
    state: &State,
    motions: Option<&Motions>,
    shape: &ModelShape,
) -> Option<(Pose, Vec3, Vec3, Vec3)> {
    let body = &model.bodies[shape.body_index()?];
    if let (Some(motions), Some(_)) = (motions, shape.at.carrier()) {
        let FrameMotion { pos, rot, vel, omega, .. } = frame(motions, &shape.at);
        return Some((Pose { pos, rot: rot.matrix() }, pos, vel, omega));
    }
    let motion = body.kind.motion(&state.q[body.q_range()], &state.v[body.v_range()]);
    let FrameMotion { pos, rot, .. } = motion.attach(&Frame { ..shape.at.local });
    Some((Pose { pos, rot: rot.matrix() }, motion.pos, motion.vel, motion.omega))
}

impl Proximity {
    /// Looks at all islands before a step of `h`; true if bodies of different ones are near now, or some are no longer. `stretch` makes boxes
    /// larger. Islands to be taken apart are told.
    pub(crate) fn update(
        &mut self,
        parts: &Parts,
        islands: &[Island],
        (h, stretch): (f64, f64),
        mut apart: impl FnMut(u32),
    ) -> bool {
        self.shapes.clear();
        for (number, island) in islands.iter().enumerate() {
            let (model, state) = (island.sim.model(), island.sim.state());
            let first = self.shapes.len();
            let mut fastest = 0.0;
            let motions = motions_of(model, state);
            for (i, shape) in model.contacts.shapes.iter().enumerate() {
                let at = pose_of(model, state, motions.as_ref(), shape);
                let Some((pose, center, vel, omega)) = at else { continue };
                let bounds = shape.shape.aabb(&pose);
                // A plane on a body is everywhere.
                let is_finite = bounds.is_finite();
                let size = if is_finite { bounds.half().norm() } else { 0.0 };
                let arm = if is_finite { (bounds.center() - center).norm() + size } else { 0.0 };
                fastest = larger(fastest, vel.norm() + arm * omega.norm());
                let body = island.members.bodies[shape.body_index().unwrap_or(0)];
                let (island, shape, margin) = (number as u32, i as u32, MARGIN * size);
                self.shapes.push(SweptBounds { body, island, shape, bounds, travel: 0.0, margin });
            }
            if !island.asleep {
                // A body that is hit may become twice as fast as the one that hits it.
                let travel = stretch * (2.0 * fastest + model.gravity.norm() * h) * h;
                self.shapes[first..].iter_mut().for_each(|shape| shape.travel = travel);
            }
        }
        let several = self.shapes.iter().any(|s| s.island != self.shapes[0].island);
        if !several && self.pairs.is_empty() {
            return false;
        }
        if self.shapes.len() < self.boxes {
            self.broad = None;
        }
        self.boxes = self.shapes.len();
        let sizes = self.shapes.iter().map(|shape| shape.margin + shape.travel).sum::<f64>();
        // Larger by what they move in a few steps, so that not all of them are looked up each time.
        let broad = self.broad.get_or_insert_with(|| BroadPhase::new(sizes / self.boxes as f64));
        for (i, swept) in self.shapes.iter().enumerate() {
            let bounds = Bounds::Box(swept.bounds.grown(swept.travel + swept.margin));
            broad.set(i as u32, bounds);
        }
        let shapes = &self.shapes;
        let found = broad.pairs(|i, j| shapes[i as usize].island == shapes[j as usize].island);
        self.found.clear();
        for &(i, j) in found {
            let (a, b) = (&shapes[i as usize], &shapes[j as usize]);
            let pair = if a.body < b.body { (a.body, b.body) } else { (b.body, a.body) };
            // Nothing wakes what sleeps but something that moves.
            if (islands[a.island as usize].asleep && islands[b.island as usize].asleep)
                || !may_collide(parts, pair)
            {
                continue;
            }
            self.found.push(pair);
            apart(a.island);
            apart(b.island);
        }
        let mut changed = !self.found.is_empty();
        self.by_body.clear();
        if !self.pairs.is_empty() {
            self.by_body.extend(0..self.shapes.len() as u32);
            self.by_body.sort_by_key(|&i| self.shapes[i as usize].body);
        }
        let old = std::mem::take(&mut self.pairs);
        for pair in old {
            match self.are_well_apart(pair) {
                Some((false, _)) => self.pairs.push(pair),
                // What sleeps together stays together.
                Some((true, island)) if islands[island as usize].asleep => self.pairs.push(pair),
                Some((true, island)) => {
                    apart(island);
                    changed = true;
                }
                // One of them is gone, or has no shapes any more.
                None => {
                    let mut homes = (0..).zip(islands).filter(|(_, island)| {
                        [pair.0, pair.1].iter().any(|body| island.members.bodies.binary_search(body).is_ok())
                    });
                    homes.by_ref().for_each(|(number, _)| apart(number));
                    changed = true;
                }
            }
        }
        self.pairs.append(&mut self.found);
        self.pairs.sort_unstable();
        self.pairs.dedup();
        changed
    }

    /// Whether all shapes of two bodies are well apart, and the island of the first; `None` if one of them has no shapes any more.
    fn are_well_apart(&self, (a, b): (u32, u32)) -> Option<(bool, u32)> {
        let of = |body: u32| {
            let first = self.by_body.partition_point(|&i| self.shapes[i as usize].body < body);
            let mine = self.by_body[first..].iter().map(|&i| &self.shapes[i as usize]);
            mine.take_while(move |shape| shape.body == body)
        };
        let island = of(a).next()?.island;
        of(b).next()?;
        let grown = |s: &SweptBounds| s.bounds.grown(RELEASE * (s.travel + s.margin));
        let touch = of(a).any(|a| of(b).any(|b| grown(a).meets(&grown(b))));
        Some((!touch, island))
    }

    /// Whether every shape stayed in its box during the step.
    pub(crate) fn bounds_held(&self, islands: &[Island]) -> bool {
        let several = self.shapes.iter().any(|s| s.island != self.shapes[0].island);
        // They come island by island.
        let mut last: Option<(u32, Option<Motions>)> = None;
        !several
            || self.shapes.iter().all(|swept| {
                let island = &islands[swept.island as usize];
                let (model, state) = (island.sim.model(), island.sim.state());
                let shape = &model.contacts.shapes[swept.shape as usize];
                if last.as_ref().is_none_or(|(island, _)| *island != swept.island) {
                    last = Some((swept.island, motions_of(model, state)));
                }
                let motions = last.as_ref().and_then(|(_, motions)| motions.as_ref());
                let Some((pose, ..)) = pose_of(model, state, motions, shape) else { return true };
                let (now, most) = (shape.shape.aabb(&pose), swept.bounds.grown(swept.travel + swept.margin));
                let over = |k: usize| larger(most.min[k] - now.min[k], now.max[k] - most.max[k]);
                !now.is_finite() || (0..3).all(|k| over(k) <= 0.0)
            })
    }
}

/// Whether two bodies meet at all.
fn may_collide(parts: &Parts, (a, b): (u32, u32)) -> bool {
    let is = |end: End, place: u32| end.body().is_some_and(|id| id.place() == place);
    let said = parts.pair_rules.iter().rev().find_map(|(x, y, rule)| {
        let mine = (is(*x, a) && is(*y, b)) || (is(*x, b) && is(*y, a));
        rule.meets.filter(|_| mine)
    });
    // Joints between them would have made them one island.
    said.unwrap_or(true)
}

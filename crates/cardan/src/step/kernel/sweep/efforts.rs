//! Efforts and limits of hinges in lanes, for steps on joint coordinates.
//!
//! Efforts are those of `joint/effort/line.rs`, summed by where their power goes, and taken at the end of the step as in
//! `dynamics/joint_efforts.rs`:
//!
//! ```text
//! f = o − k p − c ṗ          τ = f − k' h ṗ          E = h c + h² k'          k': the implicit part of k
//! ```
//!
//! One servo of a hinge may have a limit. A lane in which it comes to the limit or leaves it within the step, or in which
//! a hinge comes to a limit of its angle, is stepped on the scalar path.

use crate::joint::effort::{Effort, EffortKind};
use crate::law::Law;
use crate::math::Lane;
use crate::model::{Model, ModelJoint};
use crate::step::dynamics::joint_efforts::STIFF_SPRING;
use crate::tolerances::CONTACT_GAP;
use cardan_solve::simd::Simd;

/// A sum of efforts that are lines: f = `offset` − `stiffness` p − `damping` ṗ.
#[derive(Copy, Clone, Debug)]
struct Line<T> {
    offset: T,
    stiffness: T,
    damping: T,
}

impl<T: Lane> Default for Line<T> {
    fn default() -> Self {
        Line { offset: T::ZERO, stiffness: T::ZERO, damping: T::ZERO }
    }
}

impl<T: Lane> Line<T> {
    #[inline(always)]
    fn force(&self, p: T, rate: T) -> T {
        self.offset - self.stiffness * p - self.damping * rate
    }
}

/// Efforts and limits of one hinge.
#[derive(Copy, Clone, Debug)]
pub(crate) struct NodeEffort<T: Lane> {
    /// Servos without a limit, and laws of time: their power is work.
    active: Line<T>,
    /// Springs, dampers and viscous friction: stored energy and heat.
    passive: Line<T>,
    /// The implicit part of the stiffness of `passive`.
    passive_implicit: T,
    /// A servo within ± `limit`.
    limited: Line<T>,
    limit: T,
    /// Where `limited` is in this step: its limit, or zero if it is a line.
    at_limit: T,
    /// Limits of the angle, less and plus the gap at which they count as reached.
    low: T,
    high: T,
}

impl<T: Lane> Default for NodeEffort<T> {
    fn default() -> Self {
        let (active, passive, limited) = (Line::default(), Line::default(), Line::default());
        let infinite = T::splat(f64::INFINITY);
        NodeEffort {
            active,
            passive,
            passive_implicit: T::ZERO,
            limited,
            limit: infinite,
            at_limit: T::ZERO,
            low: -infinite,
            high: infinite,
        }
    }
}

/// Work, heat and integration loss of all hinges in a step \[J\].
#[derive(Copy, Clone, Debug)]
pub(crate) struct EffortEnergy<T> {
    pub(crate) work: T,
    pub(crate) heat: T,
    pub(crate) integration_loss: T,
}

impl<T: Lane> Default for EffortEnergy<T> {
    fn default() -> Self {
        EffortEnergy { work: T::ZERO, heat: T::ZERO, integration_loss: T::ZERO }
    }
}

impl<T: Lane> EffortEnergy<T> {
    /// Adds another sum.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        self.work += other.work;
        self.heat += other.heat;
        self.integration_loss += other.integration_loss;
    }
}

impl<T: Simd> NodeEffort<T> {
    /// τ and E at an angle and its rate, for a step of `h`. Notes whether the limited servo is at its limit.
    #[inline(always)]
    pub(crate) fn begin(&mut self, h: T, p: T, rate: T) -> (T, T) {
        let force = self.active.force(p, rate) + self.passive.force(p, rate);
        let implicit = self.active.stiffness + self.passive_implicit;
        let damping = self.active.damping + self.passive.damping;
        let (mut effort, mut inertia) = (force - implicit * (h * rate), h * damping + h * h * implicit);
        let Line { stiffness, damping, .. } = self.limited;
        let line = self.limited.force(p, rate) - stiffness * (h * rate);
        let (above, below) = (line.above(self.limit), (-line).above(self.limit));
        let at_limit = T::select(above, self.limit, T::select(below, -self.limit, T::ZERO));
        self.at_limit = at_limit;
        let is_line = !(above | below);
        effort += T::select(is_line, line, at_limit);
        inertia += T::select(is_line, h * damping + h * h * stiffness, T::ZERO);
        (effort, inertia)
    }

    /// Books a step that leads to the angle `end` and its rate. The mask marks lanes that must be
    /// stepped on the scalar path.
    #[inline(always)]
    pub(crate) fn end(&self, h: T, (end, end_rate): (T, T)) -> (T::Mask, EffortEnergy<T>) {
        let limited = self.limited.force(end, end_rate);
        let (above, below) = (limited.above(self.limit), (-limited).above(self.limit));
        let beyond = T::select(above, self.limit, T::select(below, -self.limit, T::ZERO));
        let has_changed = (beyond - self.at_limit).abs().above(T::ZERO);
        let limited = T::select(above | below, beyond, limited);
        let turned = h * end_rate;
        let energy = EffortEnergy {
            work: (self.active.force(end, end_rate) + limited) * turned,
            heat: self.passive.damping * end_rate * turned,
            integration_loss: T::splat(0.5) * self.passive_implicit * turned * turned,
        };
        (has_changed | self.low.above(end) | end.above(self.high), energy)
    }
}

/// Efforts of all hinges of all lanes.
#[derive(Clone, Debug)]
pub(crate) struct LaneEfforts<T: Lane> {
    /// By node.
    pub(crate) nodes: Vec<NodeEffort<T>>,
    /// Energies of the last step, by node.
    pub(crate) energies: Vec<EffortEnergy<T>>,
    /// Servos and laws whose target moves.
    timed: Vec<TimedEffort>,
    /// Offsets of the active and limited lines without those.
    constant: Vec<[T; 2]>,
    /// Whether the nodes are written for a step of this size [s].
    h: f64,
}

/// An effort whose offset depends on time.
#[derive(Clone, Debug)]
struct TimedEffort {
    node: usize,
    lane: usize,
    effort: Effort,
}

/// Whether the efforts of a hinge can be taken in lanes.
pub(crate) fn suits_lanes(joint: &ModelJoint) -> bool {
    let is_limited =
        |effort: &&Effort| matches!(&effort.kind, EffortKind::Servo(servo) if servo.limit.is_finite());
    let is_line = |effort: &Effort| match &effort.kind {
        EffortKind::Law(_) | EffortKind::Servo(_) => true,
        EffortKind::Friction(friction) => friction.is_viscous(),
        EffortKind::Motor(_) | EffortKind::Curve(_) => false,
    };
    joint.efforts.iter().all(is_line) && joint.efforts.iter().filter(is_limited).count() <= 1
}

/// What an effort adds to the offset of its line.
fn offset_of(effort: &Effort, end: f64) -> f64 {
    match &effort.kind {
        EffortKind::Law(law) => law.at(end).value,
        EffortKind::Servo(servo) => {
            let target = servo.law.at(end);
            servo.stiffness * target.value + servo.damping * target.rate
        }
        _ => 0.0,
    }
}

/// The law of time in an effort, if it has one that moves.
fn is_timed(effort: &Effort) -> bool {
    match &effort.kind {
        EffortKind::Law(law) => !matches!(law, Law::Constant(_)),
        EffortKind::Servo(servo) => !matches!(servo.law, Law::Constant(_)),
        _ => false,
    }
}

impl<T: Simd> LaneEfforts<T> {
    /// Room for so many nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        LaneEfforts {
            nodes: vec![NodeEffort::default(); nodes],
            energies: vec![EffortEnergy::default(); nodes],
            timed: Vec::new(),
            constant: vec![[T::ZERO; 2]; nodes],
            h: f64::NAN,
        }
    }

    /// Takes the efforts and limits of a hinge of a lane.
    pub(crate) fn add_hinge(&mut self, (node, lane): (usize, usize), model: &Model, index: usize) {
        let joint = &model.joints[index];
        let zero = joint.zero(0);
        let entry = &mut self.nodes[node];
        let add = |number: &mut T, x: f64| number.set_lane(lane, number.lane(lane) + x);
        for spring in &joint.springs {
            add(&mut entry.passive.offset, spring.stiffness * (spring.rest - zero));
            add(&mut entry.passive.stiffness, spring.stiffness);
            add(&mut entry.passive.damping, spring.damping);
        }
        for effort in &joint.efforts {
            let mut line = &mut entry.active;
            match &effort.kind {
                EffortKind::Servo(servo) => {
                    let mut of = 0;
                    if servo.limit.is_finite() {
                        (line, of) = (&mut entry.limited, 1);
                        entry.limit.set_lane(lane, servo.limit);
                    }
                    add(&mut line.stiffness, servo.stiffness);
                    add(&mut line.damping, servo.damping);
                    add(&mut self.constant[node][of], -servo.stiffness * zero);
                    if !is_timed(effort) {
                        add(&mut self.constant[node][of], offset_of(effort, 0.0));
                    }
                }
                EffortKind::Friction(friction) => add(&mut entry.passive.damping, friction.viscous),
                _ if !is_timed(effort) => add(&mut self.constant[node][0], offset_of(effort, 0.0)),
                _ => {}
            }
            if is_timed(effort) {
                self.timed.push(TimedEffort { node, lane, effort: effort.clone() });
            }
        }
        let (low, high) = model.limits_of(index, 0);
        entry.low.set_lane(lane, low - zero + CONTACT_GAP);
        entry.high.set_lane(lane, high - zero - CONTACT_GAP);
        (entry.active.offset, entry.limited.offset) = (self.constant[node][0], self.constant[node][1]);
    }

    /// Whether some hinge has a spring.
    pub(crate) fn has_springs(&self) -> bool {
        let has_one =
            |entry: &NodeEffort<T>| (0..T::LANES).any(|lane| entry.passive.stiffness.lane(lane) != 0.0);
        self.nodes.iter().any(has_one)
    }

    /// Whether the nodes are written for steps of `h`, whatever the time.
    pub(crate) fn is_ready(&self, h: f64) -> bool {
        self.h == h && self.timed.is_empty()
    }

    /// Whether offsets depend on time.
    pub(crate) fn is_timed(&self) -> bool {
        !self.timed.is_empty()
    }

    /// Writes the offsets of a lane for a step that ends at `end` \[s\].
    pub(crate) fn set_time(&mut self, lane: usize, end: f64) {
        for timed in self.timed.iter().filter(|timed| timed.lane == lane) {
            let (entry, constant) = (&mut self.nodes[timed.node], &self.constant[timed.node]);
            entry.active.offset.set_lane(lane, constant[0].lane(lane));
            entry.limited.offset.set_lane(lane, constant[1].lane(lane));
        }
        for timed in self.timed.iter().filter(|timed| timed.lane == lane) {
            let entry = &mut self.nodes[timed.node];
            let is_limited =
                matches!(&timed.effort.kind, EffortKind::Servo(servo) if servo.limit.is_finite());
            let line = if is_limited { &mut entry.limited } else { &mut entry.active };
            line.offset.set_lane(lane, line.offset.lane(lane) + offset_of(&timed.effort, end));
        }
    }

    /// Prepares for steps of `h`: which springs are implicit, by the inertia of each node along its freedom at the initial
    /// pose, lane by lane. Returns whether anything changed.
    pub(crate) fn set_step(&mut self, h: f64, inertias: &[T]) -> bool {
        if self.h == h {
            return false;
        }
        self.h = h;
        for (entry, inertia) in self.nodes.iter_mut().zip(inertias) {
            let stiffness = entry.passive.stiffness;
            let is_stiff = (T::splat(h * h) * stiffness).above(T::splat(STIFF_SPRING) * *inertia);
            entry.passive_implicit = T::select(is_stiff, stiffness, T::ZERO);
        }
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<NodeEffort<T>>()
            + self.energies.capacity() * size_of::<EffortEnergy<T>>()
            + self.constant.capacity() * size_of::<[T; 2]>()
            + self.timed.iter().map(|timed| size_of::<TimedEffort>() + timed.effort.bytes()).sum::<usize>()
    }
}

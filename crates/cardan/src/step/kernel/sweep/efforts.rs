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
use crate::joint_space::Commands;
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

    /// The efforts at an angle and its rate, without slopes.
    #[inline(always)]
    pub(crate) fn now(&self, p: T, rate: T) -> T {
        let limited = self.limited.force(p, rate);
        let (above, below) = (limited.above(self.limit), (-limited).above(self.limit));
        let limited = T::select(above, self.limit, T::select(below, -self.limit, limited));
        self.active.force(p, rate) + self.passive.force(p, rate) + limited
    }

    /// True where an angle is at one of its limits or beyond.
    #[inline(always)]
    pub(crate) fn is_at_limit(&self, p: T) -> T::Mask {
        self.low.above(p) | p.above(self.high)
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
    /// Servos and laws of time, which add to the offsets.
    sources: Vec<EffortSource>,
    /// Hinges: node, lane, and index of the effort in joint order.
    hinges: Vec<(u32, u32, u32)>,
    /// Offsets of the active and limited lines without `sources` and commands.
    constant: Vec<[T; 2]>,
    /// Whether a law moves; whether the offsets of each lane have commands in them.
    is_timed: bool,
    has_commands: [bool; 4],
    /// Size of the steps that the nodes are written for [s].
    h: f64,
}

/// A servo or a law of time.
#[derive(Clone, Debug)]
struct EffortSource {
    node: u32,
    lane: u32,
    /// Index of the coordinate in joint order.
    slot: u32,
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

/// What an effort adds to the offset of its line. A commanded `target` takes the place of a servo's law.
fn offset_of(effort: &Effort, end: f64, target: Option<[f64; 2]>) -> f64 {
    match (&effort.kind, target) {
        (EffortKind::Law(law), _) => law.at(end).value,
        (EffortKind::Servo(servo), Some([value, rate])) => servo.stiffness * value + servo.damping * rate,
        (EffortKind::Servo(servo), None) => {
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
            sources: Vec::new(),
            hinges: Vec::new(),
            constant: vec![[T::ZERO; 2]; nodes],
            is_timed: false,
            has_commands: [false; 4],
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
        let slot = model.joint_order().efforts_of(index).start as u32;
        self.hinges.push((node as u32, lane as u32, slot));
        for effort in &joint.efforts {
            match &effort.kind {
                EffortKind::Servo(servo) => {
                    let (line, of) = match servo.limit.is_finite() {
                        true => (&mut entry.limited, 1),
                        false => (&mut entry.active, 0),
                    };
                    add(&mut line.stiffness, servo.stiffness);
                    add(&mut line.damping, servo.damping);
                    add(&mut self.constant[node][of], -servo.stiffness * zero);
                    if servo.limit.is_finite() {
                        entry.limit.set_lane(lane, servo.limit);
                    }
                }
                EffortKind::Friction(friction) => add(&mut entry.passive.damping, friction.viscous),
                _ => {}
            }
            if let EffortKind::Servo(_) | EffortKind::Law(_) = &effort.kind {
                let (node, lane) = (node as u32, lane as u32);
                self.sources.push(EffortSource { node, lane, slot, effort: effort.clone() });
                self.is_timed |= is_timed(effort);
            }
        }
        let (low, high) = model.limits_of(index, 0);
        entry.low.set_lane(lane, low - zero + CONTACT_GAP);
        entry.high.set_lane(lane, high - zero - CONTACT_GAP);
        self.write_offsets(lane, 0.0, None);
    }

    /// Whether the hinges of a lane were added.
    pub(crate) fn has_hinges(&self, lane: usize) -> bool {
        self.hinges.iter().any(|hinge| hinge.1 as usize == lane)
    }

    /// Whether some hinge has a spring.
    pub(crate) fn has_springs(&self) -> bool {
        let has_one =
            |entry: &NodeEffort<T>| (0..T::LANES).any(|lane| entry.passive.stiffness.lane(lane) != 0.0);
        self.nodes.iter().any(has_one)
    }

    /// Whether the nodes are written for steps of `h`, whatever the time.
    pub(crate) fn is_ready(&self, h: f64) -> bool {
        self.h == h && !self.changes()
    }

    /// Whether offsets may change from step to step.
    pub(crate) fn changes(&self) -> bool {
        self.is_timed || self.has_commands.contains(&true)
    }

    /// Writes the offsets of a lane for a step that ends at `end` \[s\]. False if there are commands that are not efforts or
    /// targets of hinges.
    pub(crate) fn prepare(&mut self, lane: usize, end: f64, commands: Option<&Commands>) -> bool {
        let had_commands = core::mem::replace(&mut self.has_commands[lane & 3], commands.is_some());
        if self.is_timed || had_commands || commands.is_some() {
            self.write_offsets(lane, end, commands);
        }
        commands.is_none_or(|commands| self.has_all_of(lane, commands))
    }

    /// Whether commands are efforts and targets of hinges alone.
    fn has_all_of(&self, lane: usize, commands: &Commands) -> bool {
        let efforts = commands.efforts();
        let is_set = |slot: &u32| efforts.get(*slot as usize).is_some_and(|effort| *effort != 0.0);
        let here = self.hinges.iter().filter(|hinge| hinge.1 as usize == lane).map(|hinge| hinge.2);
        let of_hinges = here.filter(is_set).count();
        commands.wrenches().is_empty() && of_hinges == efforts.iter().filter(|effort| **effort != 0.0).count()
    }

    /// Number of hinges, of all lanes, that have an effort commanded.
    pub(crate) fn commanded(&self, commands: &Commands) -> usize {
        let is_set = |slot: u32| commands.efforts().get(slot as usize).is_some_and(|effort| *effort != 0.0);
        self.hinges.iter().filter(|hinge| is_set(hinge.2)).count()
    }

    fn write_offsets(&mut self, lane: usize, end: f64, commands: Option<&Commands>) {
        let efforts = commands.map_or(&[][..], Commands::efforts);
        let targets = commands.map_or(&[][..], Commands::targets);
        for &(node, _, slot) in self.hinges.iter().filter(|hinge| hinge.1 as usize == lane) {
            let (entry, constant) = (&mut self.nodes[node as usize], &self.constant[node as usize]);
            let command = efforts.get(slot as usize).copied().unwrap_or(0.0);
            entry.active.offset.set_lane(lane, constant[0].lane(lane) + command);
            entry.limited.offset.set_lane(lane, constant[1].lane(lane));
        }
        for source in self.sources.iter().filter(|source| source.lane as usize == lane) {
            let entry = &mut self.nodes[source.node as usize];
            let is_limited =
                matches!(&source.effort.kind, EffortKind::Servo(servo) if servo.limit.is_finite());
            let line = if is_limited { &mut entry.limited } else { &mut entry.active };
            let target = targets.get(source.slot as usize).copied().flatten();
            line.offset.set_lane(lane, line.offset.lane(lane) + offset_of(&source.effort, end, target));
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
            + self.hinges.capacity() * size_of::<(u32, u32, u32)>()
            + self
                .sources
                .iter()
                .map(|source| size_of::<EffortSource>() + source.effort.bytes())
                .sum::<usize>()
    }
}

//! Efforts and limits of hinges in lanes, for steps on joint coordinates.
//!
//! Efforts are those of `joint/effort/line.rs`, summed by where their power goes, and taken at the end of the
//! step as in `dynamics/joint_efforts.rs`:
//!
//! ```text
//! f = o − k p − c ṗ          τ = f − k' h ṗ          E = A + h c + h² k'          k': the implicit part of k
//! ```
//!
//! One servo of a hinge may have a limit. A lane in which it comes to the limit or leaves it within the step, or in which
//! a hinge comes to a limit of its angle or leaves one, is stepped on the scalar path. A hinge that stays on a limit of
//! its angle is a locked freedom (`dynamics/locked_freedoms.rs`); `limits.rs` keeps the list of them.

use crate::joint::effort::{Effort, EffortKind};
use crate::joint_space::Commands;
use crate::law::Law;
use crate::math::Lane;
use crate::model::{Model, ModelJoint};
use crate::step::dynamics::joint_efforts::STIFF_SPRING;
use crate::step::dynamics::locked_freedoms::LOCKED;
use crate::step::kernel::sweep::limits::LaneLimits;
use crate::tolerances::CONTACT_GAP;
use cardan_solve::simd::{Mask, Simd};

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

impl<T: Simd> Line<T> {
    /// Sets the offset in a lane; true if it was another.
    #[inline(always)]
    fn set_offset(&mut self, lane: usize, offset: f64) -> bool {
        let has_changed = self.offset.at(lane).to_bits() != offset.to_bits();
        self.offset.set_lane(lane, offset);
        has_changed
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
    /// Whether there is such a servo, and whether the angle has limits, in some lane.
    has_limited: bool,
    has_limits: bool,
    /// Limits of the angle.
    pub(crate) low: T,
    pub(crate) high: T,
    /// Which limit is active: 1 the low one, −1 the high one, 0 none.
    pub(crate) side: T,
    /// A: inertia of a rotor.
    armature: T,
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
            has_limited: false,
            has_limits: false,
            low: -infinite,
            high: infinite,
            armature: T::ZERO,
            side: T::ZERO,
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
    /// Sets the offsets of the active line, and of the limited one if there is one, in a lane; true if they
    /// were others.
    #[inline(always)]
    fn set_offsets(&mut self, lane: usize, is_limited: bool, [active, limited]: [f64; 2]) -> bool {
        self.active.set_offset(lane, active) | (is_limited && self.limited.set_offset(lane, limited))
    }

    /// τ and E at an angle and its rate, for a step of `h`. Notes whether the limited servo is at its limit.
    #[inline(always)]
    pub(crate) fn begin(&mut self, h: T, p: T, rate: T) -> (T, T) {
        let force = self.active.force(p, rate) + self.passive.force(p, rate);
        let implicit = self.active.stiffness + self.passive_implicit;
        let damping = self.active.damping + self.passive.damping;
        let (mut effort, mut inertia) = (force - implicit * (h * rate), h * damping + h * h * implicit);
        inertia += self.armature;
        if self.has_limits {
            inertia += self.side.abs() * T::splat(LOCKED);
        }
        if !self.has_limited {
            return (effort, inertia);
        }
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
        let gap = T::splat(CONTACT_GAP);
        (self.low + gap).above(p) | p.above(self.high - gap)
    }

    /// Angle and rate at the end of a step that would lead to those given: on an active limit the hinge rests.
    #[inline(always)]
    pub(crate) fn on_limit(&self, (angle, rate): (T, T)) -> (T, T) {
        if !self.has_limits {
            return (angle, rate);
        }
        let (on_low, on_high) = (self.side.above(T::ZERO), (-self.side).above(T::ZERO));
        let angle = T::select(on_low, self.low, T::select(on_high, self.high, angle));
        (angle, T::select(on_low | on_high, T::ZERO, rate))
    }

    /// Books a step that leads to the angle `end` and its rate. The masks mark lanes in which the servo comes to its limit
    /// or leaves it, and lanes in which the angle passes a limit.
    #[inline(always)]
    pub(crate) fn end(&self, h: T, (end, end_rate): (T, T)) -> ([T::Mask; 2], EffortEnergy<T>) {
        let (turned, mut force) = (h * end_rate, self.active.force(end, end_rate));
        let (mut has_changed, mut is_passed) = (T::Mask::NONE, T::Mask::NONE);
        if self.has_limited {
            let limited = self.limited.force(end, end_rate);
            let (above, below) = (limited.above(self.limit), (-limited).above(self.limit));
            let beyond = T::select(above, self.limit, T::select(below, -self.limit, T::ZERO));
            has_changed = (beyond - self.at_limit).abs().above(T::ZERO);
            force += T::select(above | below, beyond, limited);
        }
        if self.has_limits {
            is_passed = self.low.above(end) | end.above(self.high);
        }
        let energy = EffortEnergy {
            work: force * turned,
            heat: self.passive.damping * end_rate * turned,
            integration_loss: T::splat(0.5) * self.passive_implicit * turned * turned,
        };
        ([has_changed, is_passed], energy)
    }
}

/// Efforts of all hinges of all lanes.
#[derive(Clone, Debug)]
pub(crate) struct LaneEfforts<T: Lane> {
    /// By node.
    pub(crate) nodes: Vec<NodeEffort<T>>,
    /// Energies of the last step, by node.
    pub(crate) energies: Vec<EffortEnergy<T>>,
    /// Limits of the angles.
    pub(crate) limits: LaneLimits<T>,
    /// By lane.
    lanes: [HingesOfLane; 4],
    /// Whether the lanes are bodies of one mechanism, whose commands are for all of them.
    is_one_mechanism: bool,
    /// Whether a law moves.
    is_timed: bool,
    /// Whether offsets were written since they were asked about.
    has_new_offsets: bool,
    /// Size of the steps that the nodes are written for [s].
    h: f64,
}

/// The hinges of one lane, and what may change their offsets from step to step.
#[derive(Clone, Debug, Default)]
struct HingesOfLane {
    hinges: Vec<HingeOfLane>,
    /// Servos and laws of time, hinge by hinge, which add to the offsets.
    sources: Vec<EffortSource>,
    /// Laws of the sources that move.
    laws: Vec<Law>,
    /// By index of the effort in joint order: whether it is that of a hinge.
    is_hinge: Vec<bool>,
    /// Whether the offsets have commands in them.
    has_commands: bool,
}

impl HingesOfLane {
    fn bytes(&self) -> usize {
        self.hinges.capacity() * size_of::<HingeOfLane>()
            + self.sources.capacity() * size_of::<EffortSource>()
            + self.laws.iter().map(|law| size_of::<Law>() + law.bytes()).sum::<usize>()
            + self.is_hinge.capacity()
    }
}

/// A hinge of one lane.
#[derive(Copy, Clone, Debug)]
struct HingeOfLane {
    node: u32,
    /// Index of its effort in joint order.
    slot: u32,
    /// End of its sources in the list of the lane; they begin where those of the hinge before end.
    sources_end: u32,
    /// Whether one of them is a servo with a limit.
    is_limited: bool,
    /// k and c, if the only one is a servo without a limit: most hinges of robots.
    lone_servo: Option<[f64; 2]>,
    /// Offsets of the active and limited lines without sources and commands.
    constant: [f64; 2],
}

impl HingeOfLane {
    /// Offsets of its active and limited lines at the end of a step, with a commanded effort and target.
    #[inline(always)]
    fn offsets(
        &self,
        (sources, laws): (&[EffortSource], &[Law]),
        end: f64,
        (effort, target): (f64, Option<&[f64; 2]>),
    ) -> [f64; 2] {
        let mut offsets = [self.constant[0] + effort, self.constant[1]];
        for source in sources {
            offsets[usize::from(source.is_limited)] += source.offset(laws, end, target);
        }
        offsets
    }
}

/// A servo, f = k (s − p) + c (ṡ − ṗ), or a law of time f(t), in few bytes: all of them are read in every
/// step with commands.
#[derive(Copy, Clone, Debug)]
struct EffortSource {
    /// k and c of a servo.
    gains: [f64; 2],
    /// What it adds to the offset without a command, if its law does not move.
    constant: f64,
    /// Index of its law among those that move, or [`NO_LAW`].
    law: u32,
    is_servo: bool,
    is_limited: bool,
}

/// The law of a source does not move.
const NO_LAW: u32 = u32::MAX;

impl EffortSource {
    /// What it adds to the offset of its line at the end of a step. A commanded `target` takes the place of a
    /// servo's law.
    #[inline]
    fn offset(&self, laws: &[Law], end: f64, target: Option<&[f64; 2]>) -> f64 {
        let [stiffness, damping] = self.gains;
        match target {
            Some([value, rate]) if self.is_servo => stiffness * value + damping * rate,
            _ => match laws.get(self.law as usize) {
                None => self.constant,
                Some(law) if self.is_servo => {
                    let target = law.at(end);
                    stiffness * target.value + damping * target.rate
                }
                Some(law) => law.at(end).value,
            },
        }
    }
}

/// Whether the efforts of a hinge can be taken in lanes.
pub(crate) fn suits_lanes(joint: &ModelJoint) -> bool {
    let is_line = |effort: &Effort| match &effort.kind {
        EffortKind::Law(_) | EffortKind::Servo(_) => true,
        EffortKind::Friction(friction) => friction.is_viscous(),
        EffortKind::Motor(_) | EffortKind::Curve(_) => false,
    };
    joint.efforts.iter().all(is_line) && joint.efforts.iter().filter(|effort| is_limited(effort)).count() <= 1
}

/// Whether an effort is a servo with a limit.
fn is_limited(effort: &Effort) -> bool {
    matches!(&effort.kind, EffortKind::Servo(servo) if servo.limit.is_finite())
}

impl<T: Simd> LaneEfforts<T> {
    /// Room for so many nodes. `is_one_mechanism`: the lanes are bodies of one mechanism, not mechanisms.
    pub(crate) fn new(nodes: usize, is_one_mechanism: bool) -> Self {
        LaneEfforts {
            nodes: vec![NodeEffort::default(); nodes],
            energies: vec![EffortEnergy::default(); nodes],
            limits: LaneLimits::new(nodes),
            lanes: Default::default(),
            is_one_mechanism,
            is_timed: false,
            has_new_offsets: false,
            h: f64::NAN,
        }
    }

    /// Takes the efforts and limits of a hinge of a lane, whose child is `body`. `mechanism` is the number of its mechanism:
    /// its lane, or 0 where the lanes have bodies of one.
    pub(crate) fn add_hinge(
        &mut self,
        (node, lane): (usize, usize),
        (mechanism, body): (usize, u32),
        model: &Model,
        index: usize,
    ) {
        let joint = &model.joints[index];
        let zero = joint.zero(0);
        let entry = &mut self.nodes[node];
        let add = |number: &mut T, x: f64| number.set_lane(lane, number.lane(lane) + x);
        for spring in &joint.springs {
            add(&mut entry.passive.offset, spring.stiffness * (spring.rest - zero));
            add(&mut entry.passive.stiffness, spring.stiffness);
            add(&mut entry.passive.damping, spring.damping);
        }
        let slot = model.joint_order().efforts_of(index).start;
        let covered = &mut self.lanes[if self.is_one_mechanism { 0 } else { lane & 3 }].is_hinge;
        covered.resize(model.joint_order().effort_count(), false);
        covered[slot] = true;
        let of_lane = &mut self.lanes[lane & 3];
        let first = of_lane.sources.len();
        let mut hinge = HingeOfLane {
            node: node as u32,
            slot: slot as u32,
            sources_end: 0,
            is_limited: false,
            lone_servo: None,
            constant: [0.0; 2],
        };
        for effort in &joint.efforts {
            let mut source = EffortSource {
                gains: [0.0; 2],
                constant: 0.0,
                law: NO_LAW,
                is_servo: false,
                is_limited: is_limited(effort),
            };
            let law = match &effort.kind {
                EffortKind::Servo(servo) => {
                    let line = if source.is_limited { &mut entry.limited } else { &mut entry.active };
                    add(&mut line.stiffness, servo.stiffness);
                    add(&mut line.damping, servo.damping);
                    hinge.constant[usize::from(source.is_limited)] -= servo.stiffness * zero;
                    if source.is_limited {
                        entry.limit.set_lane(lane, servo.limit);
                        entry.has_limited = true;
                    }
                    (source.gains, source.is_servo) = ([servo.stiffness, servo.damping], true);
                    &servo.law
                }
                EffortKind::Law(law) => law,
                EffortKind::Friction(friction) => {
                    add(&mut entry.passive.damping, friction.viscous);
                    continue;
                }
                EffortKind::Motor(_) | EffortKind::Curve(_) => continue,
            };
            hinge.is_limited |= source.is_limited;
            if let Law::Constant(value) = law {
                source.constant = if source.is_servo { source.gains[0] * value } else { *value };
            } else {
                (source.law, self.is_timed) = (of_lane.laws.len() as u32, true);
                of_lane.laws.push(law.clone());
            }
            of_lane.sources.push(source);
        }
        hinge.sources_end = of_lane.sources.len() as u32;
        if let [EffortSource { gains, is_servo: true, is_limited: false, .. }] = of_lane.sources[first..] {
            hinge.lone_servo = Some(gains);
        }
        of_lane.hinges.push(hinge);
        entry.armature.set_lane(lane, joint.armature);
        let (low, high) = model.limits_of(index, 0);
        entry.low.set_lane(lane, low - zero);
        entry.high.set_lane(lane, high - zero);
        entry.has_limits |= low > f64::NEG_INFINITY || high < f64::INFINITY;
        self.limits.add_hinge((node, lane), (mechanism, body), model, index);
        let HingesOfLane { sources, laws, .. } = &self.lanes[lane & 3];
        let offsets = hinge.offsets((&sources[first..], laws), 0.0, (0.0, None));
        self.nodes[node].set_offsets(lane, hinge.is_limited, offsets);
    }

    /// Whether the hinges of a lane were added.
    pub(crate) fn has_hinges(&self, lane: usize) -> bool {
        !self.lanes[lane & 3].hinges.is_empty()
    }

    /// Whether some hinge has a spring.
    pub(crate) fn has_springs(&self) -> bool {
        let has_one =
            |entry: &NodeEffort<T>| (0..T::LANES).any(|lane| entry.passive.stiffness.lane(lane) != 0.0);
        self.nodes.iter().any(has_one)
    }

    /// Whether offsets were written since the last call: an elimination with the former ones is void.
    pub(crate) fn take_changes(&mut self) -> bool {
        core::mem::take(&mut self.has_new_offsets)
    }

    /// Writes the offsets of a lane for a step that ends at `end` \[s\]. False if there are commands that are
    /// not efforts or targets of hinges.
    pub(crate) fn prepare(&mut self, lane: usize, end: f64, commands: Option<&Commands>) -> bool {
        let had_commands = core::mem::replace(&mut self.lanes[lane & 3].has_commands, commands.is_some());
        if self.is_timed || had_commands || commands.is_some() {
            self.write_offsets(lane, end, commands);
        }
        commands.is_none_or(|commands| self.has_all_of(lane, commands))
    }

    /// Whether commands are efforts and targets of hinges alone.
    fn has_all_of(&self, lane: usize, commands: &Commands) -> bool {
        let is_hinge = &self.lanes[if self.is_one_mechanism { 0 } else { lane & 3 }].is_hinge;
        let mut all = commands.efforts().iter().enumerate();
        commands.wrenches().is_empty()
            && all.all(|(slot, effort)| *effort == 0.0 || is_hinge.get(slot) == Some(&true))
    }

    /// Writes the offsets of a lane for a step that ends at `end` \[s\].
    fn write_offsets(&mut self, lane: usize, end: f64, commands: Option<&Commands>) {
        let LaneEfforts { nodes, lanes, has_new_offsets, .. } = self;
        let HingesOfLane { hinges, sources, laws, .. } = &lanes[lane & 3];
        let (efforts, targets) =
            commands.map_or((&[][..], &[][..]), |commands| (commands.efforts(), commands.targets()));
        let (mut first, mut has_changed) = (0, false);
        for hinge in hinges {
            let (slot, last) = (hinge.slot as usize, hinge.sources_end as usize);
            let effort = if let Some(effort) = efforts.get(slot) { *effort } else { 0.0 };
            let entry = &mut nodes[hinge.node as usize];
            let target = targets.get(slot);
            has_changed |= if let (Some(Some([value, rate])), Some(gains)) = (target, hinge.lone_servo) {
                let offset = (hinge.constant[0] + effort) + (gains[0] * value + gains[1] * rate);
                entry.active.set_offset(lane, offset)
            } else {
                let (own, target) = (&sources[first..last], target.and_then(Option::as_ref));
                entry.set_offsets(lane, hinge.is_limited, hinge.offsets((own, laws), end, (effort, target)))
            };
            first = last;
        }
        *has_new_offsets |= has_changed;
    }

    /// Prepares for steps of `h`: which springs are implicit, by the inertia of each node along its freedom
    /// at the initial pose, lane by lane. Returns whether anything changed.
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
            + self.limits.bytes()
            + self.lanes.iter().map(HingesOfLane::bytes).sum::<usize>()
    }
}

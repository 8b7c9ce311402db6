//! Loop-closure joints in SIMD lanes: frames, rows, errors and residuals of four joints at once.
//!
//! Applies to revolute and spherical joints between trees in lanes (`subtree_lanes.rs`). The
//! arithmetic and its order are those of `loop_joint.rs`, `velocity.rs` and `tree.rs`, so that a
//! lane has the bits of its joint on the scalar path. Motions of the ends are gathered from the
//! lane nodes, and the rows at an end are gathered from the joints. Only biases and multipliers go
//! through the loop closures of the scalar forest.
//!
//! Row of a locked translation along e with arm r: (e, r × e); row of a locked rotation about e:
//! (0, e).
//!
//! This file is one kernel and longer than 600 lines: the data layouts that share the sweeps are to
//! be merged first, then it is split.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Mat3, Quat, Six, Vec3, larger};
use crate::measure::coordinates::{HingeTurns, TurnCounters};
use crate::model::Model;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::loop_joint::LoopJoint;
use crate::step::articulated::residual::{LoadSum, WorstResidual, square};
use crate::step::articulated::tree_joint::{axis_curvature, bias_of_anchor, perpendicular_basis};
use crate::step::articulated::{ArticulatedSystem, ConstraintErrors};
use crate::step::kernel::sweep::LaneNode;
use crate::step::project::general::bounds;
use cardan_solve::Task;
use cardan_solve::articulated::{ArticulatedForest, GroundLoops, LoopClosure, LoopEnd, Node};
use cardan_solve::simd::{Mask, Simd};

/// Largest number of lanes.
const MAX_LANES: usize = 4;
/// Number of rows of a hinge.
const HINGE_ROWS: usize = 5;

/// Source of the numbers of each lane: an index, and a lane at that index.
#[derive(Copy, Clone, Debug, Default)]
struct LaneSource {
    at: [u32; MAX_LANES],
    lane: [u8; MAX_LANES],
    /// True if all lanes have the same index and each is its own source: a plain load.
    is_aligned: bool,
}

impl LaneSource {
    fn new(each: impl Fn(usize) -> (u32, usize)) -> Self {
        let at: [u32; MAX_LANES] = std::array::from_fn(|l| each(l).0);
        let lane: [u8; MAX_LANES] = std::array::from_fn(|l| each(l).1 as u8);
        LaneSource { at, lane, is_aligned: at == [at[0]; MAX_LANES] && lane == [0, 1, 2, 3] }
    }
    /// Entries of the source of each lane.
    #[inline(always)]
    fn pick<'a, X>(&self, all: &'a [X]) -> [&'a X; MAX_LANES] {
        let [a, b, c, d] = self.at;
        [&all[a as usize], &all[b as usize], &all[c as usize], &all[d as usize]]
    }
    /// Gathers a number.
    #[inline(always)]
    fn number<T: Simd>(&self, from: [&T; MAX_LANES]) -> T {
        T::from_lanes(|l| from[l].at(usize::from(self.lane[l] & 3)))
    }
    /// Gathers a 3-vector.
    #[inline(always)]
    fn vector<T: Simd>(&self, from: [&Vec3<T>; MAX_LANES]) -> Vec3<T> {
        let [a, b, c, d] = from;
        Vec3::new(
            self.number([&a.x, &b.x, &c.x, &d.x]),
            self.number([&a.y, &b.y, &c.y, &d.y]),
            self.number([&a.z, &b.z, &c.z, &d.z]),
        )
    }
    /// Gathers a 6-vector.
    #[inline(always)]
    fn six<T: Simd>(&self, from: [&Six<T>; MAX_LANES]) -> Six<T> {
        let [a, b, c, d] = from;
        Six::new(self.vector([&a.lin, &b.lin, &c.lin, &d.lin]), self.vector([&a.ang, &b.ang, &c.ang, &d.ang]))
    }
}

/// Errors of joints, in lanes; see `JointGap`.
#[derive(Copy, Clone, Debug, Default)]
struct LoopGap<T: Simd> {
    shift: Vec3<T>,
    turn: Vec3<T>,
    shift_rate: Vec3<T>,
    turn_rate: Vec3<T>,
    reach: T,
    reach_rate: T,
    reach_spin: T,
}

/// Four joints of one kind in lanes.
#[derive(Debug)]
struct LoopGroup<T: Simd> {
    is_hinge: bool,
    /// Lane nodes of a and b; `None` is the ground.
    ends: [Option<LaneSource>; 2],
    closures: [u32; MAX_LANES],
    /// Number of joints; spare lanes repeat the last one.
    count: usize,
    /// Anchors and z axes of the joint, in the axes of the bodies.
    pos: [Vec3<T>; 2],
    z: [Vec3<T>; 2],
    /// Kept rows of each lane as bit masks; and whether they are equal in all lanes.
    masks: [u8; MAX_LANES],
    has_equal_masks: bool,
    frames: JointFrames<T>,
    /// p_b − x_a: anchor on b relative to the centre of a.
    to_anchor: Vec3<T>,
    /// Velocities and angular velocities of the ends.
    rates: [(Vec3<T>, Vec3<T>); 2],
    gaps: LoopGap<T>,
    /// Of the rows last written: arms r of (e, r × e) at both ends, and directions of locked
    /// rotations.
    reaches: [Vec3<T>; 2],
    directions: [Vec3<T>; 2],
    bias: [T; HINGE_ROWS],
    /// Loads on both ends, and squares of the terms that form their forces and moments.
    pushes: [Six<T>; 2],
    force: T,
    moments: [T; 2],
    /// Residuals of the rows, and squares of the terms that form those of translations and of
    /// rotations.
    left: [T; HINGE_ROWS],
    sizes: (T, T),
}

/// Hinges whose turns are counted, in lanes.
#[derive(Debug)]
struct CountedHinge<T: Simd> {
    hinge: HingeTurns<T>,
    /// Lane nodes of a and b; `None` is the ground.
    ends: [Option<LaneSource>; 2],
    at: [u32; MAX_LANES],
    count: usize,
}

/// All counted hinges.
#[derive(Debug)]
pub(crate) struct CountedHinges<T: Simd>(Vec<CountedHinge<T>>);

/// Orientation, axes and angular velocity at an end whose lanes come from different nodes.
#[inline(always)]
fn motion_of<T: Simd>(source: &LaneSource, lane_nodes: &[LaneNode<T>], buffer: usize) -> Motion<T> {
    let [a, b, c, d] = source.pick(lane_nodes);
    let [a, b, c, d] =
        [&a.motion[buffer & 1], &b.motion[buffer & 1], &c.motion[buffer & 1], &d.motion[buffer & 1]];
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

impl<T: Simd> CountedHinges<T> {
    /// Counted hinges of a mechanism. `lane_node_of` has the lane node and lane of each body.
    /// `None` if turns of other joints are counted too.
    pub(crate) fn new(model: &Model, lane_node_of: impl Fn(u32) -> Option<(u32, u32)>) -> Option<Self> {
        let turning = TurnCounters::new(model);
        let mut hinges: Vec<&HingeTurns> = turning.hinges_alone()?.iter().collect();
        // Both ends of a tree joint are in the same lane.
        let kind = |hinge: &HingeTurns| {
            let (a, b) = (lane_node_of(hinge.a), lane_node_of(hinge.b));
            let is_apart = a.map(|(_, lane)| lane) != b.map(|(_, lane)| lane);
            let parent = a.filter(|_| !is_apart).map(|(lane_node, _)| lane_node);
            (hinge.on_ground, b.map(|(lane_node, _)| lane_node), a.is_some(), is_apart, parent)
        };
        hinges.sort_by_key(|hinge| (kind(hinge), lane_node_of(hinge.b), lane_node_of(hinge.a)));
        let turned = |group: &[&HingeTurns]| {
            let lane = |l: usize| group[l.min(group.len() - 1)];
            let number = |f: &dyn Fn(&HingeTurns) -> f64| T::from_lanes(|l| f(lane(l)));
            let vector = |f: &dyn Fn(&HingeTurns) -> Vec3| {
                Vec3::new(number(&|h| f(h).x), number(&|h| f(h).y), number(&|h| f(h).z))
            };
            let source = |body: &dyn Fn(&HingeTurns) -> u32| {
                lane_node_of(body(lane(0)))?;
                let of = |l: usize| {
                    lane_node_of(body(lane(l))).map_or((0, 0), |(lane_node, lane)| (lane_node, lane as usize))
                };
                Some(LaneSource::new(of))
            };
            CountedHinge {
                hinge: HingeTurns {
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
                count: group.len(),
            }
        };
        let groups = hinges.chunk_by(|a, b| kind(a) == kind(b)).flat_map(|group| group.chunks(T::LANES));
        Some(CountedHinges(groups.map(turned).collect()))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<CountedHinge<T>>()
    }

    /// Turn counts after a step of `h` seconds, from those `before` it.
    pub(crate) fn follow(
        &self,
        lane_nodes: &[LaneNode<T>],
        buffer: usize,
        h: f64,
        before: &[f64],
        after: &mut [f64],
    ) {
        T::run_vectorized(CountTurnsTask { turns: self, lane_nodes, buffer, h, before, after });
    }
}

/// [`CountedHinges::follow`], compiled for the vector unit.
struct CountTurnsTask<'c, T: Simd> {
    turns: &'c CountedHinges<T>,
    lane_nodes: &'c [LaneNode<T>],
    buffer: usize,
    h: f64,
    before: &'c [f64],
    after: &'c mut [f64],
}
impl<T: Simd> Task for CountTurnsTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let CountTurnsTask { turns, lane_nodes, buffer, h, before, after } = self;
        for CountedHinge { hinge, ends: [a, b], at, count } in &turns.0 {
            // The entry after the last lane node is the ground.
            let (room_a, room_b);
            let a = match a {
                Some(source) if !source.is_aligned => {
                    room_a = motion_of(source, lane_nodes, buffer);
                    &room_a
                }
                end => {
                    &lane_nodes[end.map_or(lane_nodes.len() - 1, |end| end.at[0] as usize)].motion[buffer & 1]
                }
            };
            let b = match b {
                Some(source) if !source.is_aligned => {
                    room_b = motion_of(source, lane_nodes, buffer);
                    &room_b
                }
                end => {
                    &lane_nodes[end.map_or(lane_nodes.len() - 1, |end| end.at[0] as usize)].motion[buffer & 1]
                }
            };
            let before = T::from_lanes(|l| before[at[l] as usize]);
            let turned = hinge.follow_from(a, b, before, T::splat(h));
            for l in 0..*count {
                after[at[l & 3] as usize] = turned.at(l & 3);
            }
        }
    }
}

/// Rows of loop-closure joints at one end, in lanes: the joints that they are gathered from.
#[derive(Debug)]
struct LoopEndRows<T: Simd> {
    lane_node: u32,
    from: LaneSource,
    ends: [u8; MAX_LANES],
    sign: T,
}

/// A loop-closure joint on the ground: its group and lane, its loop closure, its other end and the
/// body there.
#[derive(Debug)]
struct GroundLoop {
    loop_group: u32,
    lane: u8,
    closure: u32,
    end: u8,
    body: u32,
}

/// All loop-closure joints of a mechanism, in lanes.
#[derive(Debug)]
pub(crate) struct LoopLanes<T: Simd> {
    all: Vec<LoopGroup<T>>,
    all_end_rows: Vec<LoopEndRows<T>>,
    ground_loops: Vec<GroundLoop>,
}

/// Largest errors, absolute and relative to their bounds, as squares; and the largest size of their
/// terms.
struct WorstErrors<T: Simd> {
    error: T,
    excess: T,
    size: T,
}

/// Keeps the larger number in each lane; a NaN in `x` is kept.
#[inline(always)]
fn keep_larger<T: Simd>(most: &mut T, x: T) {
    *most = T::select(x.above(*most) | x.is_nan(), x, *most);
}

impl<T: Simd> WorstErrors<T> {
    const NONE: Self = WorstErrors { error: T::ZERO, excess: T::ZERO, size: T::ZERO };
    /// Notes a squared error with the size of its terms.
    #[inline(always)]
    fn note(&mut self, error: T, size: T) {
        keep_larger(&mut self.error, error);
        let bound = bounds(size) * bounds(size);
        let is_far = error.above(bound) | error.is_nan();
        if is_far.any() {
            keep_larger(&mut self.excess, T::select(is_far, error / bound, T::ZERO));
        }
    }
    /// Largest values over all lanes.
    fn worst(&self) -> (f64, f64, f64) {
        let worst = |x: T| (0..T::LANES).fold(0.0, |most, l| larger(most, x.lane(l)));
        (worst(self.error).sqrt(), worst(self.excess).sqrt(), worst(self.size))
    }
}

/// v, or zero where it is within the rounding bound of terms of this size.
#[inline(always)]
fn above_bound<T: Simd>(v: Vec3<T>, size: T) -> Vec3<T> {
    let least = bounds(size);
    let counts = v.dot(v).above(least * least);
    let part = |x: T| T::select(counts, x, T::ZERO);
    Vec3::new(part(v.x), part(v.y), part(v.z))
}

/// `Vec3::reach` in lanes.
#[inline(always)]
fn reach<T: Simd>(v: Vec3<T>) -> T {
    let (x, y, z) = (v.x.abs(), v.y.abs(), v.z.abs());
    let most = T::select(x.above(y), x, y);
    T::select(most.above(z), most, z)
}

impl<T: Simd> LoopGroup<T> {
    fn new(articulated: &ArticulatedSystem, closures: &[u32], lane_node_of: &[(u32, u32)]) -> Self {
        let lane = |l: usize| closures[l.min(closures.len() - 1)] as usize;
        let sides = |l: usize| articulated.loop_joints[lane(l)].joint.body_frames();
        let vector = |f: &dyn Fn(usize) -> Vec3| {
            Vec3::new(T::from_lanes(|l| f(l).x), T::from_lanes(|l| f(l).y), T::from_lanes(|l| f(l).z))
        };
        let ends = std::array::from_fn(|end| {
            articulated.forest.closures()[lane(0)].places()[end]?;
            Some(LaneSource::new(|l| {
                let slot = articulated.forest.closures()[lane(l)].places()[end];
                slot.map_or((0, 0), |slot| (lane_node_of[slot].0, lane_node_of[slot].1 as usize))
            }))
        });
        LoopGroup {
            is_hinge: articulated.loop_joints[lane(0)].joint.shape() == ClosedForm::Revolute,
            ends,
            closures: std::array::from_fn(|l| lane(l) as u32),
            count: closures.len(),
            pos: [vector(&|l| sides(l)[0].0), vector(&|l| sides(l)[1].0)],
            z: [vector(&|l| sides(l)[0].1), vector(&|l| sides(l)[1].1)],
            masks: [0; MAX_LANES],
            has_equal_masks: true,
            frames: JointFrames::default(),
            to_anchor: Vec3::ZERO,
            rates: [(Vec3::ZERO, Vec3::ZERO); 2],
            gaps: LoopGap::default(),
            reaches: [Vec3::ZERO; 2],
            directions: [Vec3::ZERO; 2],
            bias: [T::ZERO; HINGE_ROWS],
            pushes: [Six::ZERO; 2],
            force: T::ZERO,
            moments: [T::ZERO; 2],
            left: [T::ZERO; HINGE_ROWS],
            sizes: (T::ZERO, T::ZERO),
        }
    }

    /// Number of rows of a joint.
    #[inline(always)]
    fn rows(&self) -> usize {
        if self.is_hinge { HINGE_ROWS } else { 3 }
    }

    /// Position and axes of the body at an end.
    #[inline(always)]
    fn pose(&self, end: usize, lane_nodes: &[LaneNode<T>], buffer: usize) -> (Vec3<T>, Mat3<T>) {
        let Some(source) = &self.ends[end] else {
            return (Vec3::ZERO, Motion::<T>::GROUND.axes);
        };
        let [a, b, c, d] = source.pick(lane_nodes);
        let [a, b, c, d] =
            [&a.motion[buffer & 1], &b.motion[buffer & 1], &c.motion[buffer & 1], &d.motion[buffer & 1]];
        if source.is_aligned {
            return (a.pos, a.axes);
        }
        let axes = Mat3 {
            x: source.vector([&a.axes.x, &b.axes.x, &c.axes.x, &d.axes.x]),
            y: source.vector([&a.axes.y, &b.axes.y, &c.axes.y, &d.axes.y]),
            z: source.vector([&a.axes.z, &b.axes.z, &c.axes.z, &d.axes.z]),
        };
        (source.vector([&a.pos, &b.pos, &c.pos, &d.pos]), axes)
    }

    /// Velocities of the body at an end.
    #[inline(always)]
    fn rate(&self, end: usize, lane_nodes: &[LaneNode<T>], buffer: usize) -> (Vec3<T>, Vec3<T>) {
        let Some(source) = &self.ends[end] else { return (Vec3::ZERO, Vec3::ZERO) };
        let [a, b, c, d] = source.pick(lane_nodes);
        let [a, b, c, d] =
            [&a.motion[buffer & 1], &b.motion[buffer & 1], &c.motion[buffer & 1], &d.motion[buffer & 1]];
        if source.is_aligned {
            return (a.vel, a.omega);
        }
        (
            source.vector([&a.vel, &b.vel, &c.vel, &d.vel]),
            source.vector([&a.omega, &b.omega, &c.omega, &d.omega]),
        )
    }

    /// Acceleration or displacement x of the body at an end.
    #[inline(always)]
    fn x(&self, end: usize, solved_nodes: &[Node<T>]) -> Six<T> {
        let Some(source) = &self.ends[end] else { return Six::ZERO };
        let [a, b, c, d] = source.pick(solved_nodes);
        if source.is_aligned { a.x } else { source.six([&a.x, &b.x, &c.x, &d.x]) }
    }

    /// Computes joint frames, and position errors.
    #[inline(always)]
    fn measure_pose(&mut self, lane_nodes: &[LaneNode<T>], buffer: usize) {
        let ((pos_a, axes_a), (pos_b, axes_b)) =
            (self.pose(0, lane_nodes, buffer), self.pose(1, lane_nodes, buffer));
        let (arm_a, arm_b) = (axes_a * self.pos[0], axes_b * self.pos[1]);
        self.to_anchor = pos_b + arm_b - pos_a;
        self.gaps.shift = self.to_anchor - arm_a;
        self.gaps.reach = reach(pos_a) + reach(arm_a) + reach(pos_b) + reach(arm_b);
        self.frames = JointFrames { arm_a, arm_b, ..JointFrames::default() };
        if self.is_hinge {
            let (z_a, z_b) = (axes_a * self.z[0], axes_b * self.z[1]);
            (self.frames.z_a, self.frames.z_b) = (z_a, z_b);
            self.gaps.turn = z_a.cross(z_b) / z_a.dot(z_b);
        }
    }

    /// Notes the position errors.
    #[inline(always)]
    fn note_pose(&self, worst_errors: &mut WorstErrors<T>) {
        keep_larger(&mut worst_errors.size, self.gaps.reach);
        worst_errors.note(square(self.gaps.shift), self.gaps.reach);
        if self.is_hinge {
            worst_errors.note(square(self.gaps.turn), T::ONE);
        }
    }

    /// Computes velocity errors.
    #[inline(always)]
    fn measure_velocity(&mut self, lane_nodes: &[LaneNode<T>], buffer: usize) {
        self.rates = [self.rate(0, lane_nodes, buffer), self.rate(1, lane_nodes, buffer)];
        let [(vel_a, omega_a), (vel_b, omega_b)] = self.rates;
        let JointFrames { arm_a, arm_b, z_b, .. } = self.frames;
        self.gaps.shift_rate = (vel_b + omega_b.cross(arm_b)) - (vel_a + omega_a.cross(self.to_anchor));
        if self.is_hinge {
            let spin = omega_b - omega_a;
            self.gaps.turn_rate = spin - z_b * z_b.dot(spin);
        }
        let (spin_a, spin_b) = (reach(omega_a), reach(omega_b));
        self.gaps.reach_rate = reach(vel_a) + spin_a * reach(arm_a) + reach(vel_b) + spin_b * reach(arm_b);
        self.gaps.reach_spin = spin_a + spin_b;
    }

    /// Notes the velocity errors.
    #[inline(always)]
    fn note_velocity(&self, worst_errors: &mut WorstErrors<T>) {
        let LoopGap { shift_rate, turn_rate, reach_rate, reach_spin, .. } = self.gaps;
        keep_larger(&mut worst_errors.size, reach_rate);
        keep_larger(&mut worst_errors.size, reach_spin);
        worst_errors.note(square(shift_rate), reach_rate);
        if self.is_hinge {
            worst_errors.note(square(turn_rate), reach_spin);
        }
    }

    /// Writes the rows of this pose.
    #[inline(always)]
    fn write_rows(&mut self) {
        self.reaches = [-self.to_anchor, self.frames.arm_b];
        if self.is_hinge {
            let (u, w) = perpendicular_basis(self.frames.z_b);
            self.directions = [u, w];
        }
    }

    /// Writes a translation and a rotation as biases of the rows.
    #[inline(always)]
    fn write_gap_bias(&mut self, shift: Vec3<T>, turn: Vec3<T>) {
        let [u, w] = self.directions;
        let last = if self.is_hinge { [u.dot(turn), w.dot(turn)] } else { [T::ZERO; 2] };
        self.bias = [shift.x, shift.y, shift.z, last[0], last[1]];
    }

    /// Writes the biases J̇v of the acceleration rows.
    #[inline(always)]
    fn write_bias(&mut self) {
        let [(vel_a, omega_a), (vel_b, omega_b)] = self.rates;
        let JointFrames { arm_b, z_a, z_b, .. } = self.frames;
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

    /// Stores the biases of kept rows into the loop closures of the scalar forest.
    #[inline(always)]
    fn store_bias(&self, ground_loops: &mut GroundLoops) {
        for l in 0..self.count {
            let mut to = ground_loops.bias_mut(self.closures[l & 3] as usize).iter_mut();
            for r in 0..HINGE_ROWS {
                if self.masks[l & 3] & 1 << r != 0
                    && let Some(to) = to.next()
                {
                    *to = self.bias[r].at(l & 3);
                }
            }
        }
    }

    /// Computes the loads of the joints on their ends from the multipliers, and the residuals of
    /// the rows at the accelerations.
    #[inline(always)]
    fn write_residual(&mut self, ground_loops: &GroundLoops, solved_nodes: &[Node<T>]) {
        let [a, b, c, d] = self.closures;
        let from = [
            ground_loops.answers(a as usize),
            ground_loops.answers(b as usize),
            ground_loops.answers(c as usize),
            ground_loops.answers(d as usize),
        ];
        let (mut answers, mut k) = ([T::ZERO; HINGE_ROWS], 0);
        for (r, answer) in answers.iter_mut().enumerate() {
            if !self.has_equal_masks {
                *answer = T::from_lanes(|l| answer_of_row(from[l], self.masks[l], r));
            } else if self.masks[0] & 1 << r != 0 {
                *answer = T::from_lanes(|l| from[l][k]);
                k += 1;
            }
        }
        let LoopGroup { to_anchor, frames: JointFrames { arm_b, .. }, directions: [u, w], bias, .. } = *self;
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

        let (x_a, x_b) = (self.x(0, solved_nodes), self.x(1, solved_nodes));
        let (carried, moved) = (x_a.ang.cross(to_anchor), x_b.ang.cross(arm_b));
        let bias_shift = Vec3::new(bias[0], bias[1], bias[2]);
        let left = x_b.lin + moved - x_a.lin - carried + bias_shift;
        let size = square(x_a.lin) + square(carried) + square(x_b.lin) + square(moved) + square(bias_shift);
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

    /// 1 in lanes where a row is kept (or dropped, as asked), 0 in others.
    #[inline(always)]
    fn row_mask(&self, r: usize, kept: bool) -> T {
        T::from_lanes(|l| f64::from(u8::from((self.masks[l] & 1 << r != 0) == kept)))
    }

    /// Notes the largest residual of dropped rows.
    #[inline(always)]
    fn note_dropped(&self, most: &mut T) {
        for r in 0..self.rows() {
            if !self.has_equal_masks {
                keep_larger(most, self.left[r].abs() * self.row_mask(r, false));
            } else if self.masks[0] & 1 << r == 0 {
                keep_larger(most, self.left[r].abs());
            }
        }
    }

    /// Notes the residuals of kept rows. `reaches` are squared accelerations of the lane nodes
    /// without cancellation.
    #[inline(always)]
    fn note_left(&self, reaches: &[T], worst: &mut WorstResidual<T>) {
        let mut reach = T::ZERO;
        for source in self.ends.iter().flatten() {
            reach += source.number(source.pick(reaches));
        }
        for r in 0..self.rows() {
            let size = reach + if r < 3 { self.sizes.0 } else { self.sizes.1 };
            if !self.has_equal_masks {
                let left = self.left[r] * self.row_mask(r, true);
                worst.note(left * left, size);
            } else if self.masks[0] & 1 << r != 0 {
                worst.note(self.left[r] * self.left[r], size);
            }
        }
    }

    /// Adds the first-order effect of displacements of the ends to the position errors.
    #[inline(always)]
    fn predict_loop_errors(&mut self, displacements: &[Six<T>]) {
        let of = |end: &Option<LaneSource>| match end {
            None => Six::ZERO,
            Some(source) if source.is_aligned => displacements[source.at[0] as usize],
            Some(source) => source.six(source.pick(displacements)),
        };
        let (a, b) = (of(&self.ends[0]), of(&self.ends[1]));
        let JointFrames { arm_a, arm_b, z_b, .. } = self.frames;
        self.gaps.shift += (b.lin + b.ang.cross(arm_b)) - (a.lin + a.ang.cross(arm_a));
        if self.is_hinge {
            let turn = b.ang - a.ang;
            self.gaps.turn += turn - z_b * z_b.dot(turn);
        }
    }
}

/// Multiplier λ of a row, from those of the kept rows; zero for a dropped row.
#[inline(always)]
fn answer_of_row(answers: &[f64], mask: u8, r: usize) -> f64 {
    let before = (mask & ((1 << r) - 1)).count_ones() as usize;
    if mask & 1 << r == 0 { 0.0 } else { answers.get(before).copied().unwrap_or(0.0) }
}

/// Rows (e, r × e) of translations along the world axes, and rows of rotations.
#[inline(always)]
fn rows_of<T: Simd>(r: Vec3<T>, sign: T, [u, w]: [Vec3<T>; 2]) -> [Six<T>; HINGE_ROWS] {
    let zero = T::ZERO;
    [
        Six::new(Vec3::new(sign, zero, zero), Vec3::new(zero, r.z, -r.y)),
        Six::new(Vec3::new(zero, sign, zero), Vec3::new(-r.z, zero, r.x)),
        Six::new(Vec3::new(zero, zero, sign), Vec3::new(r.y, -r.x, zero)),
        Six::new(Vec3::ZERO, u * sign),
        Six::new(Vec3::ZERO, w * sign),
    ]
}

impl<T: Simd> LoopEndRows<T> {
    /// Writes the rows at this end into a loop closure.
    #[inline(always)]
    fn write_loop_end(&self, loop_lanes: &[LoopGroup<T>], loop_end: &mut LoopClosure<T>) {
        let LoopEndRows { from, ends: [p, q, r, s], sign, .. } = self;
        let [a, b, c, d] = from.pick(loop_lanes);
        let (reach, directions) = if from.is_aligned {
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
        let masks: [u8; MAX_LANES] =
            std::array::from_fn(|l| loop_lanes[from.at[l] as usize].masks[usize::from(from.lane[l] & 3)]);
        let mut k = 0;
        if masks == [masks[0]; MAX_LANES] {
            for (r, row) in rows.iter().enumerate() {
                if masks[0] & 1 << r != 0 {
                    loop_end.rows[0][k] = *row;
                    k += 1;
                }
            }
        } else {
            k = write_loop_end_mixed(masks, &rows, loop_end);
        }
        loop_end.keep((1 << k) - 1);
    }
}

/// Writes rows of lanes that keep different rows, equally many. Returns their number.
#[inline(never)]
fn write_loop_end_mixed<T: Simd>(
    masks: [u8; MAX_LANES],
    rows: &[Six<T>; HINGE_ROWS],
    loop_end: &mut LoopClosure<T>,
) -> usize {
    let count = masks[0].count_ones() as usize;
    for k in 0..count {
        let nth = |l: usize| (0..HINGE_ROWS).filter(|r| masks[l] & 1 << r != 0).nth(k).unwrap_or(0);
        let number = |f: &dyn Fn(&Six<T>) -> T| T::from_lanes(|l| f(&rows[nth(l)]).lane(l));
        let lin = Vec3::new(number(&|row| row.lin.x), number(&|row| row.lin.y), number(&|row| row.lin.z));
        let ang = Vec3::new(number(&|row| row.ang.x), number(&|row| row.ang.y), number(&|row| row.ang.z));
        loop_end.rows[0][k] = Six::new(lin, ang);
    }
    count
}

impl<T: Simd> LoopLanes<T> {
    /// Makes the lanes for loop-closure joints between trees in lanes. `lane_nodes` are the nodes
    /// of the ends; the next argument has the ends lane by lane, of which the first `counts` are
    /// not repetitions. `None` if the joints of a register are of different kinds.
    pub(crate) fn new(
        articulated: &ArticulatedSystem,
        lane_nodes: &[u32],
        counts: &[usize],
        loop_ends: &[LoopEnd],
        lane_node_of: &[(u32, u32)],
    ) -> Option<Self> {
        let closures = articulated.forest.closures();
        let kind = |c: u32| {
            let ends = closures[c as usize].places().map(|slot| slot.is_some());
            (articulated.loop_joints[c as usize].joint.shape() == ClosedForm::Revolute, ends)
        };
        let mut slot = vec![None; closures.len()];
        let mut all = Vec::new();
        let mut add = |lanes: &[u32], slot: &mut Vec<Option<(u32, usize)>>| {
            for (l, &c) in lanes.iter().enumerate() {
                slot[c as usize] = Some((all.len() as u32, l));
            }
            all.push(LoopGroup::new(articulated, lanes, lane_node_of));
        };
        // First the groups whose ends are aligned with the lanes of the trees, then the rest.
        for (lanes, &count) in loop_ends.chunks_exact(T::LANES).zip(counts) {
            let lanes: Vec<u32> = lanes[..count].iter().map(|loop_end| loop_end.closure).collect();
            if lanes.iter().any(|&c| kind(c).0 != kind(lanes[0]).0) {
                return None;
            }
            if lanes.iter().all(|&c| slot[c as usize].is_none() && kind(c) == kind(lanes[0])) {
                add(&lanes, &mut slot);
            }
        }
        let mut left: Vec<u32> = (0u32..).zip(&slot).filter(|(_, at)| at.is_none()).map(|(c, _)| c).collect();
        left.sort_by_key(|&c| kind(c));
        for group in left.chunk_by(|&a, &b| kind(a) == kind(b)) {
            for lanes in group.chunks(T::LANES) {
                add(lanes, &mut slot);
            }
        }
        let slot: Vec<(u32, usize)> = slot.into_iter().collect::<Option<_>>()?;
        let end_rows = |(lanes, &lane_node): (&[LoopEnd], &u32)| {
            let lane = |l: usize| &lanes[l.min(lanes.len() - 1)];
            LoopEndRows {
                lane_node,
                from: LaneSource::new(|l| slot[lane(l).closure as usize]),
                ends: std::array::from_fn(|l| lane(l).end),
                sign: T::from_lanes(|l| if lane(l).end == 0 { -1.0 } else { 1.0 }),
            }
        };
        let mut all_end_rows: Vec<LoopEndRows<T>> =
            loop_ends.chunks_exact(T::LANES).zip(lane_nodes).map(end_rows).collect();
        for end_rows in &mut all_end_rows {
            end_rows.from.is_aligned &= end_rows.ends == [end_rows.ends[0]; MAX_LANES];
        }
        let ground_loops = |(c, loop_joint): (usize, &LoopJoint)| {
            let end = closures[c].places().iter().position(Option::is_some)?;
            closures[c].places().iter().any(Option::is_none).then(|| GroundLoop {
                loop_group: slot[c].0,
                lane: slot[c].1 as u8,
                closure: c as u32,
                end: end as u8,
                body: loop_joint.ends()[end] as u32,
            })
        };
        let ground_loops = articulated.loop_joints.iter().enumerate().filter_map(ground_loops).collect();
        Some(LoopLanes { all, all_end_rows, ground_loops })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<LoopGroup<T>>()
            + self.all_end_rows.capacity() * size_of::<LoopEndRows<T>>()
            + self.ground_loops.capacity() * size_of::<GroundLoop>()
    }

    /// Takes over the kept rows of the rank plan. False if the lanes of an end keep different
    /// numbers of rows.
    pub(crate) fn plan(&mut self, closures: &[LoopClosure]) -> bool {
        for loop_group in &mut self.all {
            loop_group.masks = loop_group.closures.map(|c| closures[c as usize].kept_mask());
            loop_group.has_equal_masks = loop_group.masks == [loop_group.masks[0]; MAX_LANES];
        }
        let count = |end_rows: &LoopEndRows<T>, l: usize| {
            self.all[end_rows.from.at[l] as usize].masks[usize::from(end_rows.from.lane[l] & 3)].count_ones()
        };
        self.all_end_rows
            .iter()
            .all(|end_rows| (1..MAX_LANES).all(|l| count(end_rows, l) == count(end_rows, 0)))
    }

    /// Computes frames, velocities and rows at the present poses, and writes the rows of all ends.
    pub(crate) fn begin(
        &mut self,
        lane_nodes: &[LaneNode<T>],
        now: usize,
        tree_lanes: &mut ArticulatedForest<T>,
    ) {
        T::run_vectorized(LoopBeginTask { loop_lanes: self, lane_nodes, now, tree_lanes });
    }

    /// Writes the biases for accelerations into the loop closures of the scalar forest.
    pub(crate) fn write_bias(&mut self, ground_loops: &mut GroundLoops) {
        T::run_vectorized(LoopBiasTask(self, ground_loops));
    }

    /// Computes the loads on the lane nodes of the ends, and the residuals of the rows. Returns the
    /// largest residual of dropped rows.
    pub(crate) fn write_residual(
        &mut self,
        ground_loops: &GroundLoops,
        tree_lanes: &ArticulatedForest<T>,
        load_sum: &mut [LoadSum<T>],
    ) -> f64 {
        T::run_vectorized(LoopResidualTask { loop_lanes: self, ground_loops, tree_lanes, load_sum })
    }

    /// Largest residual of kept rows, squared. `reaches` are those of the lane nodes.
    pub(crate) fn worst(&self, reaches: &[T]) -> T {
        T::run_vectorized(LoopWorstTask(self, reaches))
    }

    /// Measures the position errors.
    pub(crate) fn measure_poses(&mut self, lane_nodes: &[LaneNode<T>], buffer: usize) -> ConstraintErrors {
        let (position, position_excess, position_size) =
            T::run_vectorized(LoopPoseTask(self, lane_nodes, buffer)).worst();
        ConstraintErrors { position, position_excess, position_size, ..ConstraintErrors::default() }
    }

    /// Writes position errors as biases of the loop closures of the scalar forest, errors within
    /// the rounding bound as zero.
    pub(crate) fn write_gap_bias(&mut self, ground_loops: &mut GroundLoops) {
        T::run_vectorized(LoopGapBiasTask(self, ground_loops));
    }

    /// Adds the first-order effect of displacements of the lane nodes to the position errors.
    /// Returns the largest error relative to its bound.
    pub(crate) fn predict_loop_errors(&mut self, displacements: &[Six<T>]) -> f64 {
        T::run_vectorized(LoopPredictionTask(self, displacements)).worst().1
    }

    /// Writes the rows of the new pose for all ends, and the velocities along them as biases of the
    /// loop closures of the scalar forest.
    pub(crate) fn write_velocity_bias(
        &mut self,
        lane_nodes: &[LaneNode<T>],
        buffer: usize,
        tree_lanes: &mut ArticulatedForest<T>,
        ground_loops: &mut GroundLoops,
    ) {
        T::run_vectorized(LoopVelocityBiasTask {
            loop_lanes: self,
            lane_nodes,
            buffer,
            tree_lanes,
            ground_loops,
        });
    }

    /// Measures the velocity errors.
    pub(crate) fn measure_rates(&mut self, lane_nodes: &[LaneNode<T>], buffer: usize) -> ConstraintErrors {
        let (velocity, velocity_excess, velocity_size) =
            T::run_vectorized(LoopVelocityTask(self, lane_nodes, buffer)).worst();
        ConstraintErrors { velocity, velocity_excess, velocity_size, ..ConstraintErrors::default() }
    }

    /// Passes on the loads of joints on the ground on their bodies.
    pub(crate) fn add_ground_loads(&self, ground_loops: &GroundLoops, mut add_load: impl FnMut(&Six, usize)) {
        for &GroundLoop { loop_group, lane, closure, end, body } in &self.ground_loops {
            let loop_group = &self.all[loop_group as usize];
            let of = |v: Vec3<T>| {
                let lane = usize::from(lane);
                Vec3::new(v.x.lane(lane), v.y.lane(lane), v.z.lane(lane))
            };
            let sign = if end == 0 { -1.0 } else { 1.0 };
            let rows =
                rows_of(of(loop_group.reaches[usize::from(end & 1)]), sign, loop_group.directions.map(of));
            let mut push = Six::ZERO;
            let (answers, mask) =
                (ground_loops.answers(closure as usize), loop_group.masks[usize::from(lane & 3)]);
            for (r, row) in rows.iter().take(loop_group.rows()).enumerate() {
                push += row.scaled(answer_of_row(answers, mask, r));
            }
            add_load(&push, body as usize);
        }
    }
}

struct LoopBeginTask<'c, T: Simd> {
    loop_lanes: &'c mut LoopLanes<T>,
    lane_nodes: &'c [LaneNode<T>],
    now: usize,
    tree_lanes: &'c mut ArticulatedForest<T>,
}
impl<T: Simd> Task for LoopBeginTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let LoopBeginTask { loop_lanes: LoopLanes { all, all_end_rows, .. }, lane_nodes, now, tree_lanes } =
            self;
        for loop_group in &mut *all {
            loop_group.measure_pose(lane_nodes, now);
            loop_group.measure_velocity(lane_nodes, now);
            loop_group.write_rows();
        }
        for (end_rows, loop_end) in all_end_rows.iter().zip(tree_lanes.closures_mut()) {
            end_rows.write_loop_end(all, loop_end);
        }
    }
}

struct LoopBiasTask<'c, T: Simd>(&'c mut LoopLanes<T>, &'c mut GroundLoops);
impl<T: Simd> Task for LoopBiasTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for loop_group in &mut self.0.all {
            loop_group.write_bias();
            loop_group.store_bias(self.1);
        }
    }
}

struct LoopResidualTask<'c, T: Simd> {
    loop_lanes: &'c mut LoopLanes<T>,
    ground_loops: &'c GroundLoops,
    tree_lanes: &'c ArticulatedForest<T>,
    load_sum: &'c mut [LoadSum<T>],
}
impl<T: Simd> Task for LoopResidualTask<'_, T> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        let LoopResidualTask {
            loop_lanes: LoopLanes { all, all_end_rows, .. },
            ground_loops,
            tree_lanes,
            load_sum,
        } = self;
        let mut dropped = T::ZERO;
        for loop_group in &mut *all {
            loop_group.write_residual(ground_loops, tree_lanes.nodes());
            loop_group.note_dropped(&mut dropped);
        }
        for LoopEndRows { lane_node, .. } in &*all_end_rows {
            load_sum[*lane_node as usize] = LoadSum::default();
        }
        for LoopEndRows { lane_node, from, ends, .. } in &*all_end_rows {
            let [a, b, c, d] = from.pick(all);
            let [p, q, r, s] = ends.map(|end| usize::from(end & 1));
            let sum = &mut load_sum[*lane_node as usize];
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

struct LoopWorstTask<'c, T: Simd>(&'c LoopLanes<T>, &'c [T]);
impl<T: Simd> Task for LoopWorstTask<'_, T> {
    type Output = T;
    #[inline(always)]
    fn run(self) -> T {
        let mut worst = WorstResidual(T::ZERO);
        for loop_group in &self.0.all {
            loop_group.note_left(self.1, &mut worst);
        }
        worst.0
    }
}

struct LoopPoseTask<'c, T: Simd>(&'c mut LoopLanes<T>, &'c [LaneNode<T>], usize);
impl<T: Simd> Task for LoopPoseTask<'_, T> {
    type Output = WorstErrors<T>;
    #[inline(always)]
    fn run(self) -> WorstErrors<T> {
        let mut worst_errors = WorstErrors::NONE;
        for loop_group in &mut self.0.all {
            loop_group.measure_pose(self.1, self.2);
            loop_group.note_pose(&mut worst_errors);
        }
        worst_errors
    }
}

struct LoopGapBiasTask<'c, T: Simd>(&'c mut LoopLanes<T>, &'c mut GroundLoops);
impl<T: Simd> Task for LoopGapBiasTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for loop_group in &mut self.0.all {
            let LoopGap { shift, turn, reach, .. } = loop_group.gaps;
            loop_group.write_gap_bias(above_bound(shift, reach), above_bound(turn, T::ONE));
            loop_group.store_bias(self.1);
        }
    }
}

struct LoopPredictionTask<'c, T: Simd>(&'c mut LoopLanes<T>, &'c [Six<T>]);
impl<T: Simd> Task for LoopPredictionTask<'_, T> {
    type Output = WorstErrors<T>;
    #[inline(always)]
    fn run(self) -> WorstErrors<T> {
        let mut worst_errors = WorstErrors::NONE;
        for loop_group in &mut self.0.all {
            loop_group.predict_loop_errors(self.1);
            loop_group.note_pose(&mut worst_errors);
        }
        worst_errors
    }
}

struct LoopVelocityBiasTask<'c, T: Simd> {
    loop_lanes: &'c mut LoopLanes<T>,
    lane_nodes: &'c [LaneNode<T>],
    buffer: usize,
    tree_lanes: &'c mut ArticulatedForest<T>,
    ground_loops: &'c mut GroundLoops,
}
impl<T: Simd> Task for LoopVelocityBiasTask<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let LoopVelocityBiasTask {
            loop_lanes: LoopLanes { all, all_end_rows, .. },
            lane_nodes,
            buffer,
            tree_lanes,
            ground_loops,
        } = self;
        for loop_group in &mut *all {
            loop_group.measure_velocity(lane_nodes, buffer);
            loop_group.write_rows();
            let LoopGap { shift_rate, turn_rate, reach_rate, reach_spin, .. } = loop_group.gaps;
            loop_group
                .write_gap_bias(above_bound(shift_rate, reach_rate), above_bound(turn_rate, reach_spin));
            loop_group.store_bias(ground_loops);
        }
        for (end_rows, loop_end) in all_end_rows.iter().zip(tree_lanes.closures_mut()) {
            end_rows.write_loop_end(all, loop_end);
        }
    }
}

struct LoopVelocityTask<'c, T: Simd>(&'c mut LoopLanes<T>, &'c [LaneNode<T>], usize);
impl<T: Simd> Task for LoopVelocityTask<'_, T> {
    type Output = WorstErrors<T>;
    #[inline(always)]
    fn run(self) -> WorstErrors<T> {
        let mut worst_errors = WorstErrors::NONE;
        for loop_group in &mut self.0.all {
            loop_group.measure_velocity(self.1, self.2);
            loop_group.note_velocity(&mut worst_errors);
        }
        worst_errors
    }
}

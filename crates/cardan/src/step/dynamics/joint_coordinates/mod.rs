//! Joint (reduced) coordinates with multipliers (Baraff 1996, §2.2). The integrator carries the
//! coordinates p of the tree joints. Every evaluation maps them to poses and solves for multipliers
//! there, and the accelerations are mapped back:
//!
//! ```text
//! (p, ṗ) → (q, v)          root to leaves: each body from its parent and its joint
//! (q, v) → v̇               one direct solve with multipliers
//! v̇ → p̈                    relative acceleration of the joint along its degrees of freedom
//! ```
//!
//! A tree joint then cannot open: there is nothing to project. Coordinates are those of the joint,
//! with unwrapped angles; a spherical joint has a unit quaternion, so no chart becomes singular. A
//! body without a lower pair to its parent (a floating root, a bead, the end of a rod) keeps its
//! own pose. Loop closures are projected in terms of p, with corrections Δp along the degrees of
//! freedom.
//!
//! The layout is that of poses: the range of a body in q holds up to three numbers, and for a rigid
//! body a quaternion after them. That is what p of its joint needs, so ⊕ and dexp⁻¹ of the body
//! kinds apply to p, too, and the integrators do not know which of the two they carry.

mod lower_pair;
mod planar_pair;

use crate::body::general::Motions;
use crate::body::{BodyKind, Motion};
use crate::joint::Relative;
use crate::math::Vec3;
use crate::model::{Model, ModelJoint};
use crate::settings::{Coordinates, Settings};
use crate::state::State;
use crate::step::dynamics::drive_targets::write_targets;
use crate::step::dynamics::kinematics::{advance, frame};
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, Kinematics, StageBuffers};
use cardan_solve::Block;
use lower_pair::LowerPair;
use planar_pair::PlanarPair;

/// Map between joint coordinates and poses of one model.
#[derive(Clone, Debug)]
pub(crate) struct JointChart {
    /// Bodies whose pose follows from a joint, parents first.
    held: Vec<TreeBody>,
    /// Bodies with their own pose as coordinates.
    free_bodies: Vec<usize>,
    /// By joint: whether the pose of a body follows from it.
    holds: Vec<bool>,
    /// The start of a step, with joint coordinates instead of poses; also scratch.
    pub(crate) start: State,
    /// Whether an integration is running: stages hold joint coordinates instead of poses.
    pub(crate) integrating: bool,
}

/// A body and the joint to its parent.
#[derive(Clone, Debug)]
struct TreeBody {
    body: usize,
    joint: usize,
    pair: KinematicPair,
}

/// A joint as a map from coordinates to the pose of its child.
#[derive(Clone, Debug)]
enum KinematicPair {
    /// Between rigid bodies in space, or one and the ground.
    Space(LowerPair),
    /// Between bodies of the plane, or one and the ground.
    Plane(PlanarPair),
}

impl KinematicPair {
    /// The joint as a map to the pose of its child; `None` if its coordinates do not determine it.
    fn new(model: &Model, joint: &ModelJoint, child: usize) -> Option<Self> {
        let onto_b = joint.b.body() == Some(child);
        let all = |kind: BodyKind| {
            let mut ends = [joint.a.body(), joint.b.body()].into_iter().flatten();
            ends.all(|body| model.bodies[body].kind == kind)
        };
        if all(BodyKind::Rigid) {
            LowerPair::new(joint, onto_b).map(KinematicPair::Space)
        } else if all(BodyKind::Planar) {
            PlanarPair::new(joint, onto_b).map(KinematicPair::Plane)
        } else {
            None
        }
    }

    /// Number of degrees of freedom.
    fn freedoms(&self) -> usize {
        match self {
            KinematicPair::Space(pair) => pair.freedoms(),
            KinematicPair::Plane(planar) => planar.freedoms(),
        }
    }
}

/// Whether the coordinates of every joint determine the pose of its child.
pub(crate) fn places_all_bodies(model: &Model) -> bool {
    JointChart::new(model).holds.iter().all(|holds| *holds)
}

impl JointChart {
    /// Chooses the joints of the model's forest that determine the pose of their child; of several
    /// between two bodies the one with the fewest degrees of freedom.
    pub(crate) fn new(model: &Model) -> Self {
        let (mut held, mut free_bodies) = (Vec::new(), Vec::new());
        // Elimination order has children first.
        for &block in model.forest.order().iter().rev() {
            let body = block.0 as usize;
            match placing_joint(model, block, body) {
                Some(found) => held.push(found),
                None => free_bodies.push(body),
            }
        }
        let mut holds = vec![false; model.joints.len()];
        held.iter().for_each(|held: &TreeBody| holds[held.joint] = true);
        JointChart { held, free_bodies, holds, start: model.initial_state().clone(), integrating: false }
    }

    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.held.capacity() * size_of::<TreeBody>()
            + self.free_bodies.capacity() * size_of::<usize>()
            + self.holds.capacity()
            + self.start.bytes()
    }

    /// Bodies with their own pose as coordinates.
    pub(crate) fn free_bodies(&self) -> &[usize] {
        &self.free_bodies
    }
    /// Joints that determine the pose of a body, with that body; parents first.
    pub(crate) fn tree_joints(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.held.iter().map(|held| (held.joint, held.body))
    }
    /// Bodies whose pose follows from a joint, parents first.
    pub(crate) fn tree_bodies(&self) -> impl Iterator<Item = usize> + '_ {
        self.held.iter().map(|held| held.body)
    }

    /// Sets the rate of a joint to zero where both of its bodies rest: there it is the rounding of a sum.
    pub(crate) fn stop_resting(&self, model: &Model, v: &[f64], rates: &mut [f64]) {
        let rests = |body: usize| v[model.bodies[body].v_range()].iter().all(|v| *v == 0.0);
        for &body in &self.free_bodies {
            let range = model.bodies[body].v_range();
            rates[range.clone()].copy_from_slice(&v[range]);
        }
        for held in &self.held {
            let joint = &model.joints[held.joint];
            if [joint.a.body(), joint.b.body()].into_iter().flatten().all(rests) {
                rates[model.bodies[held.body].v_range()].fill(0.0);
            }
        }
    }

    /// Whether the pose of a body follows from a joint: then the joint cannot open.
    pub(crate) fn holds(&self, joint: usize) -> bool {
        self.holds[joint]
    }

    /// Reads joint coordinates and rates of a state from its poses, with angles near the counted
    /// turns.
    pub(crate) fn read(&self, model: &Model, state: &mut State, motions: &mut Motions) {
        crate::step::dynamics::kinematics::write_motions(model, state, motions);
        state.joint_q.clone_from(&state.q);
        state.joint_v.clone_from(&state.v);
        for held in &self.held {
            let (body, joint) = (&model.bodies[held.body], &model.joints[held.joint]);
            let (q, v) = (&mut state.joint_q[body.q_range()], &mut state.joint_v[body.v_range()]);
            match &held.pair {
                KinematicPair::Space(pair) => pair.read(joint, motions, &state.turns, q, v),
                KinematicPair::Plane(planar) => {
                    let parent = planar.parent().map_or([0.0; 2], |i| {
                        let parent = &model.bodies[i];
                        [state.q[parent.q_at as usize + 2], state.v[parent.v_at as usize + 2]]
                    });
                    planar.read(motions, parent, q, v);
                }
            }
        }
    }

    /// Computes poses, velocities and turns of a state from joint coordinates and rates; the
    /// motions, too.
    pub(crate) fn rebuild(&self, model: &Model, state: &mut State, motions: &mut [Motion]) {
        for &i in &self.free_bodies {
            let body = &model.bodies[i];
            let (q, v) = (body.q_range(), body.v_range());
            state.q[q.clone()].copy_from_slice(&state.joint_q[q.clone()]);
            state.v[v.clone()].copy_from_slice(&state.joint_v[v.clone()]);
            motions[i] = body.kind.motion(&state.q[q], &state.v[v]);
        }
        for held in &self.held {
            let (body, joint) = (&model.bodies[held.body], &model.joints[held.joint]);
            let (q, v) = (body.q_range(), body.v_range());
            let (p, rate) = (&state.joint_q[q.clone()], &state.joint_v[v.clone()]);
            match &held.pair {
                KinematicPair::Space(pair) => {
                    pair.place(motions, p, rate, &mut state.q[q.clone()], &mut state.v[v.clone()]);
                    write_turns(joint, p, &mut state.turns);
                }
                KinematicPair::Plane(planar) => {
                    let (angle, spin) = planar.parent().map_or((0.0, 0.0), |i| {
                        let parent = &model.bodies[i];
                        (state.q[parent.q_at as usize + 2], state.v[parent.v_at as usize + 2])
                    });
                    let own = (&mut state.q[q.clone()], &mut state.v[v.clone()]);
                    planar.place(motions, (angle, spin), (p, rate), own);
                }
            }
            motions[held.body] = body.kind.motion(&state.q[q], &state.v[v]);
        }
    }

    /// Converts accelerations of bodies (or, without `bias`, displacements or velocity changes) to
    /// joint coordinates, in place. `motions` are those of the evaluation, `p` the joint
    /// coordinates there.
    fn reduce(&self, model: &Model, p: &[f64], motions: &[Motion], bias: bool, acc: &mut [f64]) {
        // Children first: they need the accelerations of their parents as bodies.
        for held in self.held.iter().rev() {
            let (body, joint) = (&model.bodies[held.body], &model.joints[held.joint]);
            if let KinematicPair::Space(pair) = &held.pair
                && let Some(axis) = pair.hinge_axis(joint, motions)
            {
                // What the turning of the axis adds is across it.
                let turn = |end: Option<usize>| {
                    end.map_or(Vec3::ZERO, |i| {
                        let at = model.bodies[i].v_at as usize + 3;
                        Vec3::new(acc[at], acc[at + 1], acc[at + 2])
                    })
                };
                let along = axis.dot(turn(joint.b.body()) - turn(joint.a.body()));
                let out = &mut acc[body.v_range()];
                out.fill(0.0);
                out[0] = along;
                continue;
            }
            let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
            let relative = Relative::new(&a, &b);
            let of = |at: Option<usize>, arm: Vec3| {
                at.map_or((Vec3::ZERO, Vec3::ZERO), |i| {
                    let body = &model.bodies[i];
                    body.kind.push_forward(arm, &acc[body.v_range()])
                })
            };
            let ((lin_a, ang_a), (lin_b, ang_b)) = (of(joint.a.body(), a.arm), of(joint.b.body(), b.arm));
            let axes = &relative.axes_a;
            let mut shift = axes.transpose_mul(lin_b - lin_a - ang_a.cross(relative.offset));
            let mut turn = axes.transpose_mul(ang_b - ang_a);
            if bias {
                shift += relative.bias;
                turn += relative.bias_spin;
            }
            let p = &p[body.q_range()];
            let out = &mut acc[body.v_range()];
            match &held.pair {
                KinematicPair::Space(pair) => pair.along(p, shift, turn, out),
                KinematicPair::Plane(planar) => {
                    // In the plane the rotation is about the world's z axis.
                    let turn = (axes.x.z * turn.x) + (axes.y.z * turn.y) + (axes.z.z * turn.z);
                    planar.along(shift, turn, out);
                }
            }
        }
    }
}

/// The joint that determines the pose of a body, if there is one.
fn placing_joint(model: &Model, block: Block, body: usize) -> Option<TreeBody> {
    let parent = model.forest.parent(block).map(|parent| parent.0 as usize);
    let mut best: Option<TreeBody> = None;
    for (link, _) in model.graph.incident(block) {
        let index = link.0 as usize;
        let Some(joint) = model.joints.get(index) else { continue };
        let other = if joint.b.body() == Some(body) { joint.a.body() } else { joint.b.body() };
        if other != parent {
            continue;
        }
        let Some(pair) = KinematicPair::new(model, joint, body) else { continue };
        if best.as_ref().is_none_or(|best| pair.freedoms() < best.pair.freedoms()) {
            best = Some(TreeBody { body, joint: index, pair });
        }
    }
    best
}

/// Whether `work.stages.next` has joint coordinates.
pub(crate) fn are_carried(settings: &Settings, work: &Workspace) -> bool {
    settings.coordinates == Coordinates::Joints
        && work.kinematics.chart.is_some()
        && work.stages.next.has_joints()
}

/// Whether every joint follows from joint coordinates.
pub(crate) fn places_all_joints(work: &Workspace) -> bool {
    work.kinematics.chart.as_ref().is_some_and(|chart| chart.holds.iter().all(|holds| *holds))
}

/// Whether stages currently hold joint coordinates.
pub(crate) fn are_integrated(work: &Workspace) -> bool {
    work.kinematics.chart.as_ref().is_some_and(|chart| chart.integrating)
}

/// Quantity to convert to joint coordinates.
pub(crate) enum ReducedQuantity {
    /// `work.equations.acc`.
    Accelerations,
    /// `work.stages.shift`: a displacement or a velocity change.
    Shift,
}

/// Converts a quantity from bodies to joint coordinates, in place, at the poses of `work.stages.stage`.
pub(crate) fn reduce(model: &Model, work: &mut Workspace, what: ReducedQuantity) {
    let Workspace {
        kinematics: Kinematics { chart, motions, .. },
        stages: StageBuffers { stage, shift, .. },
        equations: Equations { acc, .. },
        ..
    } = work;
    let Some(chart) = chart else { return };
    match what {
        ReducedQuantity::Accelerations => chart.reduce(model, &stage.joint_q, motions, true, acc),
        ReducedQuantity::Shift => chart.reduce(model, &stage.joint_q, motions, false, shift),
    }
}

/// Ignores errors of tree joints: their rows are closed to rounding by construction.
pub(crate) fn excuse_tree_rows(model: &Model, work: &mut Workspace) {
    let Workspace {
        kinematics: Kinematics { chart, .. },
        equations: Equations { err_scale, err_rate_scale, .. },
        ..
    } = work;
    let Some(chart) = chart else { return };
    for held in &chart.held {
        let joint = &model.joints[held.joint];
        let rows = joint.row_range();
        err_scale[rows.clone()].fill(f64::INFINITY);
        err_rate_scale[rows].fill(f64::INFINITY);
    }
}

/// Moves the joint coordinates of `work.stages.next` by the displacement of `work.stages.shift`.
pub(crate) fn correct_positions(model: &Model, work: &mut Workspace) {
    reduce(model, work, ReducedQuantity::Shift);
    advance(model, &work.stages.stage.joint_q, &work.stages.shift, &mut work.stages.next.joint_q);
}

/// Adds the velocity change of `work.stages.shift` to the rates of `work.stages.next`.
pub(crate) fn correct_rates(model: &Model, work: &mut Workspace) {
    reduce(model, work, ReducedQuantity::Shift);
    for (rate, change) in work.stages.next.joint_v.iter_mut().zip(&work.stages.shift) {
        *rate += change;
    }
}

/// Computes the poses of `work.stages.next` from its joint coordinates.
pub(crate) fn rebuild_next(model: &Model, work: &mut Workspace) {
    let Workspace {
        kinematics: Kinematics { chart, motions, .. }, stages: StageBuffers { next, .. }, ..
    } = work;
    if let Some(chart) = chart {
        chart.rebuild(model, next, motions);
    }
}

/// Sets the counted turns of tree joints to their coordinates, after all turns followed from poses.
pub(crate) fn keep_turns(model: &Model, work: &mut Workspace) {
    let Workspace { kinematics: Kinematics { chart, .. }, stages: StageBuffers { next, .. }, .. } = work;
    let Some(chart) = chart else { return };
    for held in &chart.held {
        if let KinematicPair::Space(_) = held.pair {
            let p = &next.joint_q[model.bodies[held.body].q_range()];
            write_turns(&model.joints[held.joint], p, &mut next.turns);
        }
    }
}

/// Writes p_k as the counted angle of coordinate k.
fn write_turns(joint: &ModelJoint, p: &[f64], turns: &mut [f64]) {
    for (at, &p) in joint.turns_at().iter().zip(p) {
        if let Some(at) = *at {
            turns[at] = p;
        }
    }
}

/// Sets driven coordinates of `work.stages.next` to the targets of their laws.
pub(crate) fn set_driven(model: &Model, work: &mut Workspace) {
    let Workspace {
        kinematics: Kinematics { chart, motions, targets, .. },
        stages: StageBuffers { next, .. },
        ..
    } = work;
    let Some(chart) = chart else { return };
    write_targets(model, next, targets);
    for held in &chart.held {
        let (body, joint) = (&model.bodies[held.body], &model.joints[held.joint]);
        for (k, drive) in joint.each_driven() {
            let target = &targets[drive];
            let (p, rate) =
                (&mut next.joint_q[body.q_at as usize + k], &mut next.joint_v[body.v_at as usize + k]);
            match &held.pair {
                KinematicPair::Space(_) => (*p, *rate) = (target.value - joint.zero(k), target.rate),
                KinematicPair::Plane(planar) => {
                    // p is the angle of the bodies, not of the joint frames.
                    let at = Relative::new(&frame(motions, &joint.a), &frame(motions, &joint.b));
                    let row = joint.kind.coordinate_row(k, &at);
                    let sign = planar.sign(joint);
                    if let Some(driven) = &joint.driven {
                        *p -= sign * driven.off(joint.kind, k, &row, target, &at).0;
                    }
                    *rate = sign * target.rate;
                }
            }
        }
    }
}

/// Converts small changes of joint coordinates (or of their rates) at `work.stages.next` to those of the
/// bodies, in place: velocities are linear in rates, and a change is mapped like a rate. Overwrites
/// the motions of `work`.
pub(crate) fn map_to_bodies(model: &Model, work: &mut Workspace, change: &mut [f64]) {
    let Workspace {
        kinematics: Kinematics { chart, motions, .. }, stages: StageBuffers { next, .. }, ..
    } = work;
    let Some(chart) = chart else { return };
    let mut at = core::mem::take(&mut chart.start);
    at.copy_from(next);
    at.joint_v.copy_from_slice(change);
    chart.rebuild(model, &mut at, motions);
    change.copy_from_slice(&at.v);
    chart.start = at;
}

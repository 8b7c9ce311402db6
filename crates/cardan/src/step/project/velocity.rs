//! Velocity projection at the end of a step whose tree joints are closed (`tree.rs`). One sweep
//! measures the velocity errors, factors the new pose and corrects the velocities; then all joints
//! are measured.
//!
//! The arms and axes of the joints in world axes are kept from the position projection on.

use crate::body::{BodyKind, Motion};
use crate::joint::ClosedForm;
use crate::math::{Six, Sym3, Sym6, Vec3};
use crate::model::Model;
use crate::step::articulated::coupling::RowsWanted;
use crate::step::articulated::fill::{BodyNode, ResultSlot, SimdAxes};
use crate::step::articulated::joint_frames::{JointFrames, SquaredSizes, frames_at, slip};
use crate::step::articulated::loop_joint::LoopJoint;
use crate::step::articulated::tree_joint::{JointGap, TreeJoint};
use crate::step::articulated::{
    ArticulatedSystem, ConstraintErrors, Correction, LOOPS_ONLY, POSES, RATES, measure,
};
use crate::step::workspace::Workspace;
use crate::step::workspace::{Kinematics, Solvers, StageBuffers};
use crate::step_error::{Stage, StepError};
use cardan_solve::Task;
use cardan_solve::articulated::f64x3::{Avx2, F64x3, NodeInputSimd, cross, run_vectorized};
use cardan_solve::articulated::{FillNodes, Node, NodeExtra, NodeInput, ROOT_LOADS};

/// Input of the factorization, with the velocity errors of the joints as right-hand side.
struct VelocityFill<'w> {
    model: &'w Model,
    body_nodes: &'w [BodyNode],
    motions: &'w [Motion],
    joint_frames: &'w [JointFrames],
    inertias: &'w mut [Sym3],
}

impl VelocityFill<'_> {
    /// Keeps I, if there is a cache for it.
    #[inline(always)]
    fn keep(&mut self, at: usize, inertia: &Sym3) {
        if let Some(kept) = self.inertias.get_mut(at) {
            *kept = *inertia;
        }
    }

    /// γ of a revolute or spherical joint that removes the relative velocity of the anchors, and
    /// the relative angular velocity across the axis.
    #[inline(always)]
    fn gamma(&self, tree_joint: &TreeJoint, frames: &JointFrames) -> Six {
        let (a, b) = tree_joint.ends();
        let (a, b) = (&self.motions[a], &self.motions[b]);
        let is_hinge = tree_joint.shape() == ClosedForm::Revolute;
        let (shift, turn, to_anchor) = slip((is_hinge, tree_joint.on_ground()), frames, a, b);
        if tree_joint.onto_b() {
            return -Six::new(shift + frames.arm_b.cross(turn), turn);
        }
        Six::new(shift + to_anchor.cross(turn), turn)
    }
}

impl FillNodes<f64> for VelocityFill<'_> {
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node, node_extra: &mut NodeExtra) {
        let body_node = &self.body_nodes[at];
        if body_node.is_free_hinge {
            let input = self.input::<false, false>(at, node, node_extra);
            return node.fill(&input);
        }
        let inertia = body_node.inertia_along(&self.motions[body_node.body as usize].axes);
        self.keep(at, &inertia);
        node.diag = Sym6::of_mass(body_node.mass, inertia);
        (node.force, node.gamma) = (Six::ZERO, Six::ZERO);
        let Some(tree_joint) = &body_node.tree_joint else { return };
        if tree_joint.is_closed_pair() && body_node.kind == BodyKind::Rigid && !tree_joint.is_hinge_or_ball()
        {
            let frames = &frames_at(self.joint_frames, at, tree_joint, self.motions);
            tree_joint.write_closed_subspace(frames, self.motions, node, node_extra);
            node.gamma = tree_joint.gamma_of_rates(&tree_joint.locked_rates(frames, self.motions), frames);
            return;
        }
        tree_joint.write_subspace(self.model, self.motions, node, node_extra);
        if let ClosedForm::Revolute | ClosedForm::Spherical = tree_joint.shape() {
            node.gamma = self.gamma(tree_joint, &frames_at(self.joint_frames, at, tree_joint, self.motions));
        } else {
            let mut gap = JointGap::default();
            tree_joint.write_gap::<RATES>(self.model, self.motions, &mut gap);
            tree_joint.write_gap_gamma(self.motions, gap.shift_rate, gap.turn_rate, node, node_extra);
        }
    }
    #[inline(always)]
    fn input<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Node,
        _: &mut NodeExtra,
    ) -> NodeInput {
        let body_node = &self.body_nodes[at];
        let Some(tree_joint) = &body_node.tree_joint else { return NodeInput::default() };
        let (a, b) = tree_joint.ends();
        let (a, b) = (&self.motions[a], &self.motions[b]);
        let frames = &frames_at(self.joint_frames, at, tree_joint, self.motions);
        let inertia = body_node.inertia_along(&self.motions[body_node.body as usize].axes);
        self.keep(at, &inertia);
        let (arm, shift) = match tree_joint.onto_b() {
            true => (frames.arm_b, b.pos - a.pos),
            false => (b.pos + frames.arm_b - a.pos, a.pos - b.pos),
        };
        NodeInput {
            mass: body_node.mass,
            inertia,
            force: Six::ZERO,
            gamma: self.gamma(tree_joint, frames),
            shift,
            first: tree_joint.hinge_or_ball().freedom(arm, frames.z_b),
            ..NodeInput::default()
        }
    }
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, avx2: Avx2, at: usize) -> Option<NodeInputSimd> {
        let body_node = &self.body_nodes[at];
        let tree_joint = body_node.tree_joint.as_ref()?;
        let onto_b = tree_joint.onto_b();
        // A hinge whose child is a is rare.
        if !(onto_b || (BALL && !tree_joint.on_ground())) {
            return None;
        }
        let (a, b) = tree_joint.ends();
        let (a, b) = (&self.motions[a], &self.motions[b]);
        // A large system keeps no joint frames and inertias.
        let made;
        let frames = match self.joint_frames.get(at) {
            Some(frames) => frames,
            None => {
                made = tree_joint.frames(self.motions);
                &made
            }
        };
        let own = if onto_b { b } else { a };
        let inertia = body_node.inertia_simd(avx2, &SimdAxes::load(avx2, &own.axes));
        if let Some(kept) = self.inertias.get_mut(at) {
            F64x3::store_sym(inertia, kept);
        }
        let zero = F64x3::splat(avx2, 0.0);
        let arm = F64x3::load(avx2, &frames.arm_b);
        let (pos_a, pos_b) = (F64x3::load(avx2, &a.pos), F64x3::load(avx2, &b.pos));
        let to_anchor = pos_b + arm - pos_a;
        let mut spin = F64x3::load(avx2, &b.omega);
        let mut slip = F64x3::load(avx2, &b.vel) + cross(spin, arm);
        if !tree_joint.on_ground() {
            let omega = F64x3::load(avx2, &a.omega);
            slip = slip - (F64x3::load(avx2, &a.vel) + cross(omega, to_anchor));
            spin = spin - omega;
        }
        let mass = F64x3::splat(avx2, body_node.mass);
        if !onto_b {
            let gamma = [slip + cross(to_anchor, zero), zero];
            let (shift, first) = (pos_a - pos_b, [to_anchor, zero]);
            let force = [zero; 2];
            return Some(NodeInputSimd {
                mass,
                inertia,
                force,
                gamma,
                shift,
                first,
                effort: 0.0,
                joint_inertia: 0.0,
            });
        }
        let (mut first, mut turn) = ([arm, zero], zero);
        if !BALL {
            let z = F64x3::load(avx2, &frames.z_b);
            turn = spin - z * F64x3::splat(avx2, (z * spin).sum());
            first = [cross(arm, z), z];
        }
        let gamma = [-(slip + cross(arm, turn)), -turn];
        let (force, shift) = ([zero; 2], pos_b - pos_a);
        Some(NodeInputSimd { mass, inertia, force, gamma, shift, first, effort: 0.0, joint_inertia: 0.0 })
    }
}

/// Factors at the pose of `work.stages.next`, whose forest is closed, and removes velocities along the
/// locked directions of the joints from `work.stages.next` and `work.kinematics.motions`. Loads on the ground are
/// then impulses.
pub(crate) fn correct_velocities(
    model: &Model,
    work: &mut Workspace,
    bound: impl Fn(f64) -> f64,
) -> Result<(), StepError> {
    if !write_loop_rates(model, work) {
        measure::<{ RATES | LOOPS_ONLY }>(model, work, false, &bound);
    }
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, .. },
        stages: StageBuffers { next, .. },
        counts,
        ..
    } = work;
    let Some(articulated) = articulated else { return Ok(()) };
    counts.factorizations += 1;
    counts.solves += 1;
    articulated.factored.clear();
    if articulated.is_small {
        articulated.inertias.resize(articulated.body_nodes.len(), Sym3::default());
    }
    articulated.write_rows_for_rates(model, motions, &bound);
    let ArticulatedSystem { forest, body_nodes, result_slots, joint_frames, inertias, .. } = articulated;
    let outcome = forest.factor(&mut VelocityFill { model, body_nodes, motions, joint_frames, inertias });
    outcome.map_err(|error| crate::step_error::solver_error(model, next.time, error, Stage::Projection))?;
    forest.backward::<ROOT_LOADS>(|at: usize, x: &Six| {
        let ResultSlot { body, rigid_at, .. } = result_slots[at];
        let motion = &mut motions[body as usize];
        motion.vel += x.lin;
        motion.omega += x.ang;
        Six::new(motion.vel, motion.omega).write(&mut next.v[rigid_at as usize..][..6]);
    });
    articulated.note_factor(model, &next.q);
    articulated.knows_pose = articulated.is_small && !articulated.factored.is_empty();
    Ok(())
}

impl ArticulatedSystem {
    /// Writes the rows of loop-closure joints and constraints, and the velocities along them as last
    /// measured, as biases.
    pub(crate) fn write_rows_for_rates(
        &mut self,
        model: &Model,
        motions: &[Motion],
        bound: impl Fn(f64) -> f64,
    ) {
        let is_hinge_or_ball = self.loops_are_hinges_or_balls;
        self.write_couplings(model, motions, RowsWanted::BiasOfClosed);
        self.write_coupling_errors(Correction::Velocities, &bound, None);
        let ArticulatedSystem { forest, loop_joints, loop_gaps, loop_frames, .. } = self;
        let above = |v: Vec3, size: f64| {
            let least = bound(size);
            if v.dot(v) > least * least { v } else { Vec3::ZERO }
        };
        let all = loop_joints.iter_mut().zip(forest.closures_mut()).zip(loop_gaps).zip(loop_frames);
        for (((loop_joint, closure), gap), frames) in all {
            if is_hinge_or_ball {
                loop_joint.write_hinge_or_ball_rows(motions, frames, closure);
            } else {
                loop_joint.write_rows(model, motions, closure);
            }
            let (shift, turn) = (above(gap.shift_rate, gap.reach_rate), above(gap.turn_rate, gap.reach_spin));
            if is_hinge_or_ball {
                loop_joint.hinge_or_ball_rows_of(shift, turn, &mut closure.bias);
            } else {
                loop_joint.rows_of(shift, turn, &mut closure.bias);
            }
        }
    }
}

/// Measures the positions of loop-closure joints.
pub(crate) fn measure_loops(
    model: &Model,
    work: &mut Workspace,
    bound: impl Fn(f64) -> f64,
) -> ConstraintErrors {
    match &mut work.solvers.articulated {
        Some(articulated) if articulated.loops_are_hinges_or_balls => {
            let (motions, mut out) = (&work.kinematics.motions, ConstraintErrors::default());
            articulated.measure_couplings(model, motions);
            articulated
                .coupling_rows
                .iter()
                .for_each(|rows| out.note_coupling::<POSES>(rows, |_| true, &bound));
            let ArticulatedSystem { loop_joints, loop_frames, loop_gaps, .. } = articulated;
            let all = loop_joints.iter().zip(loop_frames).zip(loop_gaps);
            for ((LoopJoint { joint: tree_joint, .. }, frames), gap) in all {
                *frames = tree_joint.frames(motions);
                let (a, b) = tree_joint.ends();
                let (a, b) = (&motions[a], &motions[b]);
                gap.shift = b.pos + frames.arm_b - a.pos - frames.arm_a;
                gap.reach = a.pos.reach() + frames.arm_a.reach() + b.pos.reach() + frames.arm_b.reach();
                if tree_joint.shape() == ClosedForm::Revolute {
                    gap.turn = frames.z_a.cross(frames.z_b) / frames.z_a.dot(frames.z_b);
                }
                out.note::<POSES>(gap, false, &bound);
            }
            out.done()
        }
        _ => measure::<{ POSES | LOOPS_ONLY }>(model, work, false, &bound),
    }
}

/// Measures the velocities of constraints, and of loop-closure joints whose positions were measured
/// last, if all of these are revolute or spherical; false otherwise.
#[inline(always)]
pub(crate) fn write_loop_rates(model: &Model, work: &mut Workspace) -> bool {
    let Workspace { solvers: Solvers { articulated, .. }, kinematics: Kinematics { motions, .. }, .. } = work;
    let Some(articulated) = articulated.as_mut().filter(|articulated| articulated.loops_are_hinges_or_balls)
    else {
        return false;
    };
    articulated.measure_couplings(model, motions);
    let ArticulatedSystem { loop_joints, loop_frames, loop_gaps, .. } = articulated;
    for ((LoopJoint { joint: tree_joint, .. }, frames), gap) in
        loop_joints.iter().zip(loop_frames).zip(loop_gaps)
    {
        let (a, b) = tree_joint.ends();
        let (a, b) = (&motions[a], &motions[b]);
        let is_hinge = tree_joint.shape() == ClosedForm::Revolute;
        (gap.shift_rate, gap.turn_rate, _) = slip((is_hinge, false), frames, a, b);
        let (spin_a, spin_b) = (a.omega.reach(), b.omega.reach());
        gap.reach_rate =
            a.vel.reach() + spin_a * frames.arm_a.reach() + b.vel.reach() + spin_b * frames.arm_b.reach();
        gap.reach_spin = spin_a + spin_b;
    }
    true
}

/// Largest errors of the loop-closure joints.
pub(crate) fn measure_loop_rates(
    model: &Model,
    work: &mut Workspace,
    bound: impl Fn(f64) -> f64,
) -> ConstraintErrors {
    if !write_loop_rates(model, work) {
        return measure::<{ RATES | LOOPS_ONLY }>(model, work, false, &bound);
    }
    let mut out = ConstraintErrors::default();
    let couplings = work.solvers.articulated.iter().flat_map(|articulated| &articulated.coupling_rows);
    couplings.for_each(|rows| out.note_coupling::<RATES>(rows, |_| true, &bound));
    let gaps = work.solvers.articulated.iter_mut().flat_map(|articulated| &mut articulated.loop_gaps);
    gaps.for_each(|gap| out.note::<RATES>(gap, false, &bound));
    out.done()
}

/// Measures positions and velocities of all joints, where the last correction was
/// [`correct_velocities`]. `poses` has the position errors of the loop-closure joints.
pub(crate) fn measure_closed(
    model: &Model,
    work: &mut Workspace,
    poses: &ConstraintErrors,
    bound: impl Fn(f64) -> f64,
) -> ConstraintErrors {
    run_vectorized(MeasureClosedTask { model, work, poses, bound })
}

struct MeasureClosedTask<'w, B> {
    model: &'w Model,
    work: &'w mut Workspace,
    poses: &'w ConstraintErrors,
    bound: B,
}

impl<B: Fn(f64) -> f64> Task for MeasureClosedTask<'_, B> {
    type Output = ConstraintErrors;
    #[inline(always)]
    fn run(self) -> ConstraintErrors {
        measure_in_registers(self.model, self.work, self.poses, self.bound)
    }
}

#[inline(always)]
fn measure_in_registers(
    model: &Model,
    work: &mut Workspace,
    poses: &ConstraintErrors,
    bound: impl Fn(f64) -> f64,
) -> ConstraintErrors {
    let rates = measure_loop_rates(model, work, &bound);
    let ConstraintErrors { position, position_excess, position_size, .. } = *poses;
    let loop_joints = ConstraintErrors { position, position_excess, position_size, ..rates };
    let Workspace { solvers: Solvers { articulated, .. }, kinematics: Kinematics { motions, .. }, .. } = work;
    let Some(ArticulatedSystem { body_nodes, joint_frames, .. }) = articulated else { return loop_joints };
    let mut out = loop_joints.squared();
    // The square of a sum of four terms is about twice the sum of their squares.
    let unit = 2.0 * bound(1.0) * bound(1.0);
    let least = bound(0.0) * bound(0.0);
    // Zero unless a number is not finite.
    let mut finite_check = 0.0;
    for (at, body_node) in body_nodes.iter().enumerate() {
        let own = &SquaredSizes::of(&motions[body_node.body as usize]);
        finite_check += (own.pos + own.vel + own.omega) * 0.0;
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let kind = tree_joint.shape();
        let is_simple = matches!(kind, ClosedForm::Revolute | ClosedForm::Spherical);
        if !is_simple && tree_joint.is_closed_pair() {
            let frames = &frames_at(joint_frames, at, tree_joint, motions);
            let rates = tree_joint.locked_rates(frames, motions);
            let (shift, turn) = tree_joint.locked_offsets(model, frames, motions, rates.to_anchor);
            let (a, b) = tree_joint.ends();
            let parent = &SquaredSizes::of(&motions[if tree_joint.onto_b() { a } else { b }]);
            let (arm_a, arm_b) = (rates.to_anchor.dot(rates.to_anchor), tree_joint.arms_squared().1);
            let (of_a, of_b) = if tree_joint.onto_b() { (parent, own) } else { (own, parent) };
            out.note_position(shift.dot(shift), unit * (own.pos + parent.pos + arm_a + arm_b) + least);
            out.note_position(turn.dot(turn), unit + least);
            let size = own.vel + parent.vel + of_a.omega * arm_a + of_b.omega * arm_b;
            out.note_velocity(rates.shift.dot(rates.shift), unit * size + least);
            out.note_velocity(rates.turn.dot(rates.turn), unit * (own.omega + parent.omega) + least);
            continue;
        }
        if !is_simple {
            let mut gap = JointGap::default();
            tree_joint.write_gap::<{ crate::step::articulated::BOTH }>(model, motions, &mut gap);
            out.note::<{ crate::step::articulated::BOTH }>(&mut gap, false, &bound);
            continue;
        }
        let (a, b) = tree_joint.ends();
        let frames = &frames_at(joint_frames, at, tree_joint, motions);
        let (a, b) = (&motions[a], &motions[b]);
        // The ground is at rest at the origin.
        let parent = &SquaredSizes::of(if tree_joint.onto_b() { a } else { b });
        let (rate, slip, to_anchor) =
            slip((kind == ClosedForm::Revolute, tree_joint.on_ground()), frames, a, b);
        let offset = to_anchor - frames.arm_a;
        let (arm_a, arm_b) = tree_joint.arms_squared();
        let (of_a, of_b) = if tree_joint.onto_b() { (parent, own) } else { (own, parent) };
        out.note_position(offset.dot(offset), unit * (own.pos + parent.pos + arm_a + arm_b) + least);
        let size = own.vel + parent.vel + of_a.omega * arm_a + of_b.omega * arm_b;
        out.note_velocity(rate.dot(rate), unit * size + least);
        if kind == ClosedForm::Revolute {
            let turn = frames.z_a.cross(frames.z_b);
            out.note_position(turn.dot(turn), unit + least);
            out.note_velocity(slip.dot(slip), unit * (own.omega + parent.omega) + least);
        }
    }
    out.velocity_size += finite_check;
    out.done()
}

impl ConstraintErrors {
    /// Notes an error and its bound, both squared.
    #[inline(always)]
    fn note_position(&mut self, error: f64, bound: f64) {
        crate::step::articulated::keep_larger(&mut self.position, error);
        if error > self.position_excess * bound || error.is_nan() {
            self.position_excess = error / bound;
        }
    }
    /// Notes a velocity error and its bound, both squared.
    #[inline(always)]
    fn note_velocity(&mut self, error: f64, bound: f64) {
        crate::step::articulated::keep_larger(&mut self.velocity, error);
        if error > self.velocity_excess * bound || error.is_nan() {
            self.velocity_excess = error / bound;
        }
    }
    /// The errors as squares, to be continued with others.
    pub(crate) fn squared(mut self) -> Self {
        for x in
            [&mut self.position, &mut self.velocity, &mut self.position_excess, &mut self.velocity_excess]
        {
            *x *= *x;
        }
        self
    }
}

//! Residual of the equations of motion, and iterative refinement.
//!
//! The residual is formed from the motions, the masses and the joints, independently of the
//! eliminated numbers:
//!
//! ```text
//! M_i x_i − F_i − Σ loads            force balance of body i
//! J v̇ + c                            acceleration along the locked directions of each joint
//! Nᵀ load                            load along the freedoms of a tree joint
//! ```
//!
//! Each is relative to the terms that form it; Σ |term|² stands for the size of a sum.

use crate::body::Motion;
use crate::math::{Lane, Six, Sym6, Vec3, larger};
use crate::model::Model;
use crate::settings::Fault;
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::coupling::coupling_residual;
use crate::step::articulated::fill::{BodyNode, ResultSlot};
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::loop_joint::{LoopJoint, row_residual};
use crate::step::articulated::rhs::MassAndForce;
use crate::step::workspace::Workspace;
use crate::step::workspace::{ContactWork, Equations, Kinematics, Solvers, StageBuffers};
use crate::tolerances::CERTIFIED;
use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::articulated::{
    ArticulatedForest, Form, LoopClosure, Node, NodeExtra, NodeSolution, Results, SolutionStore,
};
use cardan_solve::simd::{Mask, Simd};
use cardan_solve::{System, Task};

/// Computes the residual of the last solve, and refines the solution while the residual exceeds
/// rounding and refinement helps.
pub(crate) fn certify(model: &Model, work: &mut Workspace, extra: bool) {
    let loads_are_found = work.solvers.articulated.as_ref().is_none_or(|articulated| articulated.has_loads);
    work.equations.equation_residual = match loads_are_found {
        true => run_vectorized(ResidualTask::<true>(model, work, extra)),
        false => run_vectorized(ResidualTask::<false>(model, work, extra)),
    };
    for _ in 0..3 {
        if work.equations.equation_residual <= CERTIFIED {
            return;
        }
        let Workspace {
            solvers: Solvers { articulated, .. },
            kinematics: Kinematics { motions, .. },
            equations: Equations { system, acc, .. },
            stages: StageBuffers { next, .. },
            ..
        } = work;
        let Some(articulated) = articulated else { return };
        let spare = if loads_are_found { None } else { SpareMemory::slices(articulated, next) };
        let ArticulatedSystem { forest, body_nodes, result_slots, answers, fault, disagreement, .. } =
            articulated;
        if *fault != Fault::None {
            // Refinement would hide a planted fault.
            return;
        }
        *disagreement = None;
        let mass_force =
            |at: usize| mass_and_force(model, &body_nodes[at], motions, extra.then_some(&*system));
        if let Some((loads, forces)) = spare {
            forest.refine(mass_force, &mut SpareMemory { result_slots, acc, loads, forces });
        } else {
            forest.refine(mass_force, answers);
            for (body_node, node) in body_nodes.iter().zip(forest.nodes()) {
                body_node.write_x(&node.x, acc);
            }
        }
        work.counts.solves += 1;
        let left = run_vectorized(ResidualTask::<true>(model, work, extra));
        let helped = left < 0.5 * work.equations.equation_residual;
        work.equations.equation_residual = left;
        if !helped {
            return;
        }
    }
}

/// Solutions of a large system under refinement, in existing memory: accelerations stay where they
/// are, and loads use the end state of the Euler step, which is not written yet.
struct SpareMemory<'w> {
    result_slots: &'w [ResultSlot],
    acc: &'w mut [f64],
    loads: &'w mut [[f64; 6]],
    /// Forces, and the solution along the joint's freedom.
    forces: &'w mut [[f64; 7]],
}

/// Memory for loads and forces.
type SpareSlices<'w> = (&'w mut [[f64; 6]], &'w mut [[f64; 7]]);

impl SpareMemory<'_> {
    /// That memory, for rigid bodies on hinges only; `None` for small systems and other joints.
    fn slices<'w>(articulated: &ArticulatedSystem, next: &'w mut State) -> Option<SpareSlices<'w>> {
        let is_free_hinge =
            !(articulated.is_small || articulated.forest.has_extra()) && articulated.closes_forest;
        let (loads, forces) = (next.v.as_chunks_mut().0, next.q.as_chunks_mut().0);
        let fits =
            loads.len() == articulated.body_nodes.len() && forces.len() == articulated.body_nodes.len();
        (is_free_hinge && fits).then_some((loads, forces))
    }
    /// Start of the unknowns of a node's body.
    fn unknowns(&self, at: usize) -> usize {
        self.result_slots[at].rigid_at as usize
    }
}

impl SolutionStore<f64> for SpareMemory<'_> {
    #[inline(always)]
    fn keep(&mut self, at: usize, answer: &NodeSolution) {
        answer.load.write(&mut self.loads[at]);
        let [force @ .., first] = &mut self.forces[at];
        answer.force.write(force);
        *first = answer.first;
    }
    #[inline(always)]
    fn kept(&self, at: usize) -> NodeSolution {
        let [force @ .., first] = &self.forces[at];
        NodeSolution {
            x: Six::from_slice(&self.acc[self.unknowns(at)..][..6]),
            load: Six::from_slice(&self.loads[at]),
            force: Six::from_slice(force),
            first: *first,
            others: [0.0; 2],
        }
    }
    #[inline(always)]
    fn improved(&mut self, at: usize, x: &Six) {
        let first = self.unknowns(at);
        x.write(&mut self.acc[first..first + 6]);
    }
}

/// Runs [`residual`] compiled for the vector unit.
struct ResidualTask<'w, const FOUND: bool>(&'w Model, &'w mut Workspace, bool);

impl<const FOUND: bool> Task for ResidualTask<'_, FOUND> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        residual::<FOUND>(self.0, self.1, self.2)
    }
}

/// M and F of a node.
fn mass_and_force(
    model: &Model,
    body_node: &BodyNode,
    motions: &[Motion],
    extra: Option<&System>,
) -> (Sym6, Six) {
    let (mass, force) = body_node.mass_and_weight(model.gravity, &motions[body_node.body as usize]);
    match extra {
        None => (mass, force),
        Some(system) => (mass, force + body_node.extra(model, system)),
    }
}

impl MassAndForce {
    /// M and F at the present motions.
    #[inline(always)]
    pub(super) fn now(
        model: &Model,
        body_node: &BodyNode,
        motions: &[Motion],
        extra: Option<&System>,
    ) -> Self {
        let (mass, force) = mass_and_force(model, body_node, motions, extra);
        MassAndForce { mass: mass.a.xx, inertia: mass.c, force, joint_bias: None }
    }
}

/// Acceleration of a body by the index of its motion; zero for the ground.
#[inline(always)]
pub(crate) fn x_of(forest: &ArticulatedForest, node_of_body: &[u32], motion: usize) -> Six {
    node_of_body.get(motion).map_or(Six::ZERO, |&at| forest.nodes()[at as usize].x)
}

/// Sum of the loads of children and loop-closure joints on a body, and squares of the terms that
/// form its balance apart from its own.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LoadSum<T: Lane = f64> {
    pub(crate) sum: Six<T>,
    pub(crate) forces: T,
    pub(crate) moments: T,
}

impl<T: Lane> LoadSum<T> {
    /// Adds the loads and squared terms of another sum.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &LoadSum<T>) {
        self.sum += other.sum;
        self.forces += other.forces;
        self.moments += other.moments;
    }
}

/// Largest residual relative to the terms that form it, squared. 0/0 counts as 0.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct WorstResidual<T: Lane = f64>(pub(crate) T);

impl<T: Simd> WorstResidual<T> {
    /// Notes a squared residual with the squared size of its terms.
    #[inline(always)]
    pub(crate) fn note(&mut self, left: T, size: T) {
        if self.is_worse(left, size).any() {
            self.keep(left, size);
        }
    }
    /// Notes two residuals with one comparison; the division is rarely needed.
    #[inline(always)]
    pub(crate) fn note_both(&mut self, one: (T, T), other: (T, T)) {
        if (self.is_worse(one.0, one.1) | self.is_worse(other.0, other.1)).any() {
            self.keep(one.0, one.1);
            self.keep(other.0, other.1);
        }
    }
    #[inline(always)]
    fn is_worse(&self, left: T, size: T) -> T::Mask {
        // Below |left| = 1e-50 a residual is a product of rounding errors and means nothing.
        left.exceeds(self.0 * size + T::splat(1e-100))
    }
    #[inline(always)]
    fn keep(&mut self, left: T, size: T) {
        let is_worse = self.is_worse(left, size) & !self.0.is_nan();
        self.0 = T::select(is_worse, left / size, self.0);
    }
}

/// Squared length of a vector.
#[inline(always)]
pub(crate) fn square<T: Lane>(v: Vec3<T>) -> T {
    v.dot(v)
}

/// Adds the loads of a loop-closure joint to the force balances of its ends. `frames` are those of a
/// revolute or spherical joint, `None` for other joints.
#[inline(always)]
fn add_loop_loads(
    model: &Model,
    motions: &[Motion],
    (loop_joint, closure): (&LoopJoint, &LoopClosure),
    frames: Option<JointFrames>,
    scratch: &mut [LoadSum],
) {
    if let Some(frames) = frames {
        for (node, (push, size, turning)) in
            closure.places().into_iter().zip(loop_joint.hinge_or_ball_wrenches(motions, &frames, closure))
        {
            let Some(sum) = node.map(|node| &mut scratch[node]) else { continue };
            sum.sum -= push;
            sum.forces += size;
            sum.moments += turning;
        }
        return;
    }
    for (end, node) in closure.places().into_iter().enumerate() {
        let Some(node) = node else { continue };
        let (arm, sum) = (loop_joint.arm_squared(model, motions, end), &mut scratch[node]);
        for &r in closure.kept() {
            let push = closure.rows[end][r as usize].scaled(closure.answers[r as usize]);
            let size = square(push.lin);
            sum.sum -= push;
            sum.forces += size;
            sum.moments += square(push.ang) + arm * size;
        }
    }
}

/// Adds the loads of a coupling to the force balances of its bodies.
fn add_coupling_loads(closure: &LoopClosure, scratch: &mut [LoadSum]) {
    for (node, rows) in closure.each_end() {
        let sum = &mut scratch[node];
        for &r in closure.kept() {
            let push = rows[r as usize].scaled(closure.answers[r as usize]);
            sum.sum -= push;
            sum.forces += square(push.lin);
            sum.moments += square(push.ang);
        }
    }
}

/// Residual of all equations, relative to the terms that form each of them.
///
/// A moment is compared with forces at their arms too. A load is the difference D x − F and is
/// compared with that F: in free fall all loads are rounding, and only F tells of what. Rows of a
/// loop-closure joint count one by one, since at rest they cancel.
///
/// If the solve has not `FOUND` the loads, they are computed from the force balance, body by body.
/// The balances then hold exactly, and the residual shows along the freedoms and at floating
/// bodies.
#[inline(always)]
fn residual<const FOUND: bool>(model: &Model, work: &mut Workspace, extra: bool) -> f64 {
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, .. },
        equations: Equations { system, .. },
        contact: ContactWork { contacts, .. },
        ..
    } = work;
    let closed = work.stages.stage.assembled;
    let Some(articulated) = articulated else { return 0.0 };
    // The factor at hand is that of this pose, or has just been made.
    let knows_pose = articulated.knows_pose && !articulated.factored.is_empty();
    let is_hinge_or_ball = articulated.loops_are_hinges_or_balls;
    let is_small = articulated.is_small;
    let ArticulatedSystem {
        forest,
        body_nodes,
        loop_joints,
        scratch,
        pending,
        mass_forces,
        node_of_body,
        joint_frames,
        ..
    } = articulated;
    let loop_frames = &articulated.loop_frames;
    let system = extra.then_some(&*system);
    if is_small && mass_forces.is_empty() {
        mass_forces
            .extend(body_nodes.iter().map(|body_node| MassAndForce::now(model, body_node, motions, system)));
    }
    let mut worst = WorstResidual::default();
    scratch.fill(LoadSum::default());
    if let (Some(contacts), true) = (contacts, extra) {
        // At rest, contact forces and weight cancel.
        contacts.each_push(model, |body, push| {
            let sum = &mut scratch[node_of_body[body] as usize];
            sum.forces += square(push.force);
            sum.moments += square(push.torque);
        });
    }
    for ((loop_joint, closure), frames) in loop_joints.iter().zip(forest.closures()).zip(loop_frames) {
        // No closure here: it would not be compiled for the vector unit (see `kernel/sweep`).
        let frames = match (is_hinge_or_ball, knows_pose) {
            (false, _) => None,
            (true, true) => Some(*frames),
            (true, false) => Some(loop_joint.joint.frames(motions)),
        };
        add_loop_loads(model, motions, (loop_joint, closure), frames, scratch);
    }
    for closure in &forest.closures()[loop_joints.len()..] {
        add_coupling_loads(closure, scratch);
    }
    let Results { nodes, extra: node_extra, loads } = forest.results_mut();
    let mut depth = 0;
    for (at, ((body_node, node), load)) in body_nodes.iter().zip(nodes).zip(loads).enumerate() {
        let made;
        let mass_force = match mass_forces.get(at) {
            Some(mass_force) => mass_force,
            None => {
                made = MassAndForce::now(model, body_node, motions, system);
                &made
            }
        };
        // The loads of its children are on top of the stack, which began with those in `scratch`.
        let load_sum = if node.has_children() {
            depth -= 1;
            pending[depth]
        } else {
            scratch.get(at).copied().unwrap_or_default()
        };
        let x = &node.x;
        let (reach, load_on_parent) = balance::<f64, FOUND>(
            (mass_force, body_node.balance()),
            (node, node_extra.of(at)),
            load,
            load_sum,
            &mut worst,
        );
        if let Some(kept) = scratch.get_mut(at) {
            kept.forces = reach;
        }
        let mut x_parent = Six::ZERO;
        if let Some(parent) = node.parent() {
            if node.is_first_child() {
                pending[depth] = scratch.get(parent).copied().unwrap_or_default();
                depth += 1;
            }
            pending[depth - 1].add(&load_on_parent);
            x_parent = nodes[parent].x;
        }
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let (x_a, x_b) = if tree_joint.onto_b() { (&x_parent, x) } else { (x, &x_parent) };
        if let (Some(joint_bias), true) = (&mass_force.joint_bias, knows_pose) {
            tree_joint.note_simple_residual(
                motions,
                (x_a, x_b),
                (*joint_bias, &joint_frames[at], reach),
                &mut worst,
            );
        } else {
            tree_joint.note_residual(model, motions, (x_a, x_b), (closed, reach), &mut worst);
        }
    }
    for ((loop_joint, closure), frames) in loop_joints.iter().zip(forest.closures()).zip(loop_frames) {
        let x = loop_joint.ends().map(|motion| x_of(forest, node_of_body, motion));
        let reach = closure.places().into_iter().flatten().fold(0.0, |sum, at| sum + scratch[at].forces);
        if is_hinge_or_ball {
            let frames = if knows_pose { *frames } else { loop_joint.joint.frames(motions) };
            let (left, size, spin_size) =
                loop_joint.hinge_or_ball_residual(motions, &frames, closure, [&x[0], &x[1]]);
            for &r in closure.kept() {
                let left = left[r as usize];
                worst.note(left * left, reach + if r < 3 { size } else { spin_size });
            }
            continue;
        }
        for &r in closure.kept() {
            let (left, size) = row_residual(closure, r as usize, [&x[0], &x[1]]);
            worst.note(left * left, size + reach);
        }
    }
    for closure in &forest.closures()[loop_joints.len()..] {
        for &r in closure.kept() {
            let x = |at: usize| (forest.nodes()[at].x, scratch[at].forces);
            let (left, size) = coupling_residual(closure, r as usize, x);
            worst.note(left * left, size);
        }
    }
    worst.0.sqrt()
}

/// Constants of a body's force balance.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct BalanceTerms<T: Lane = f64> {
    pub(crate) mass_inverse_squared: T,
    pub(crate) gyration_squared: T,
    /// True if it has a tree joint.
    pub(crate) has_joint: bool,
}

impl BodyNode {
    /// Constants of the node's force balance.
    #[inline(always)]
    pub(super) fn balance(&self) -> BalanceTerms {
        BalanceTerms {
            mass_inverse_squared: self.mass_inverse_squared,
            gyration_squared: self.gyration_squared,
            has_joint: self.tree_joint.is_some(),
        }
    }
}

/// Load of a node's joint by the force balance of its body: M x − F + Σ, with the loads Σ that it passes on.
#[inline(always)]
pub(super) fn load_by_balance<T: Lane>(mass_force: &MassAndForce<T>, x: &Six<T>, sum: Six<T>) -> Six<T> {
    let MassAndForce { mass, inertia, force, .. } = mass_force;
    Six::new(x.lin * *mass, *inertia * x.ang) - *force + sum
}

/// Force balance of one body, and the load along the freedoms of its joint. Returns the squared
/// acceleration that the forces on it could cause without cancellation, and the load on its parent.
#[inline(always)]
pub(crate) fn balance<T: Simd, const FOUND: bool>(
    (mass_force, about): (&MassAndForce<T>, BalanceTerms<T>),
    (node, node_extra): (&Node<T>, &NodeExtra<T>),
    load: &mut Six<T>,
    LoadSum { sum, forces, moments }: LoadSum<T>,
    worst: &mut WorstResidual<T>,
) -> (T, LoadSum<T>) {
    let MassAndForce { mass, inertia, force, .. } = mass_force;
    let x = &node.x;
    let inertial = Six::new(x.lin * *mass, *inertia * x.ang);
    let mut left = inertial - *force + sum;
    if FOUND {
        left -= *load;
    } else {
        *load = left;
    }
    let load: &Six<T> = load;
    let (load_size, load_moment) = (square(load.lin), square(load.ang));
    if FOUND || !about.has_joint {
        let size = square(inertial.lin) + square(force.lin) + load_size + forces;
        worst.note(square(left.lin), size);
        worst.note(square(left.ang), square(inertial.ang) + square(force.ang) + load_moment + moments);
    }
    // Accelerations that the forces on the body could cause without cancellation: the scale of
    // rounding. The force of a node may include loads of loop closures and vanish at rest; the
    // balance has the sizes of both.
    let (summed, summed_moment) = (square(node.force.lin), square(node.force.ang));
    let size = load_size + summed;
    let total_size = size + forces;
    let reach =
        total_size * about.mass_inverse_squared + square(x.lin) + square(x.ang) * about.gyration_squared;
    let carried = load.carried_back(node.shift);
    let turning = square(carried.ang) + summed_moment + square(node.shift) * size;
    let load_on_parent = LoadSum { sum: carried, forces: size, moments: turning };
    if let (Form::Freedoms(f), true) = (node.form(), about.has_joint) {
        // Loop closures may carry what the joint does not; the load that it passes on is then their
        // rounding.
        let total_moment = load_moment + summed + summed_moment + forces + moments;
        if node.is_ball() {
            // No moment about the point.
            let arm = node.first.lin;
            let along = load.ang - arm.cross(load.lin);
            worst.note(square(along), square(arm) * total_size + total_moment);
        } else if f > 0 {
            // A link with one freedom may have an effort along it.
            let effort = if f == 1 { node.first_effort() } else { T::ZERO };
            note_along(&node.first, effort, load, (total_size, total_moment), worst);
            for column in &node_extra.columns[..f as usize - 1] {
                note_along(column, T::ZERO, load, (total_size, total_moment), worst);
            }
        }
    }
    (reach, load_on_parent)
}

/// Notes the load along a freedom beyond the effort of the joint there.
#[inline(always)]
fn note_along<T: Simd>(
    column: &Six<T>,
    effort: T,
    load: &Six<T>,
    (size, moment): (T, T),
    worst: &mut WorstResidual<T>,
) {
    let along = column.dot(load) - effort;
    worst.note(along * along, square(column.lin) * size + square(column.ang) * moment);
}

/// Largest acceleration that forces and loads could cause without cancellation.
pub(crate) fn acceleration_scale(model: &Model, work: &Workspace) -> f64 {
    let Some(ArticulatedSystem { forest, body_nodes, .. }) = &work.solvers.articulated else { return 0.0 };
    let mut reach = model.gravity.largest();
    for ((body_node, node), load) in body_nodes.iter().zip(forest.nodes()).zip(forest.loads()) {
        reach = larger(reach, (load.lin.largest() + node.force.lin.largest()) / body_node.mass);
        let turning = body_node.inertia.trace();
        if turning > 0.0 {
            reach = larger(reach, (load.ang.largest() + node.force.ang.largest()) / turning);
        }
    }
    reach
}

/// True if a residual is only rounding of accelerations of up to `reach`, which the forces could
/// cause without cancellation. In a structure that cannot move, every acceleration and every term
/// of a row is such rounding.
pub(crate) fn is_rounding(leftover: f64, reach: f64) -> bool {
    // Left by velocities of rounding size in a mechanism at rest without forces [m/s², rad/s²].
    const ZERO_ACCELERATION: f64 = 1e-24;
    leftover <= CERTIFIED * reach + ZERO_ACCELERATION
}

//! Accelerations directly from coordinates and velocities, without intermediate motions.
//!
//! A closed revolute or spherical joint needs the axes of its child only; of the parent, position
//! and velocities suffice, and these are in the state. The elimination therefore reads the state
//! and writes no poses. For a large system this saves a fifth of the memory traffic. The arithmetic
//! is that of `fill.rs`.

use crate::body::{BodyKind, Motion};
use crate::math::{Mat3, Quat, Six, Vec3};
use crate::model::Model;
use crate::settings::{Elimination, Fault, Integrator, Settings, SolverChoice, Stabilization};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::fill::{BodyNode, CLOSED_JOINTS, FiniteCheck, ResultSlot, SimdAxes};
use crate::step::articulated::loop_joint::LoopJoint;
use crate::step::articulated::tree_joint::TreeJoint;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, Solvers};
use cardan_solve::articulated::f64x3::{Avx2, F64x3, NodeInputSimd, cross, times};
use cardan_solve::articulated::{FillNodes, Node, NodeExtra};

/// True if a model can be solved this way.
pub(crate) fn applies(
    model: &Model,
    settings: &Settings,
    body_nodes: &[BodyNode],
    loop_joints: &[LoopJoint],
) -> bool {
    let is_simple = |body_node: &BodyNode| {
        let is_onto_b = |tree_joint: &TreeJoint| tree_joint.is_hinge_or_ball() && tree_joint.onto_b();
        body_node.kind == BodyKind::Rigid && body_node.tree_joint.as_ref().is_none_or(is_onto_b)
    };
    settings.integrator != Integrator::FirstOrder
        && is_plain(model, settings)
        && loop_joints.is_empty()
        && body_nodes.iter().all(is_simple)
}

/// Computes accelerations and loads of a state under gravity and the efforts in the articulated system, if it can be solved this
/// way. Invalidates the factor at hand.
pub(crate) fn accelerate(model: &Model, state: &State, work: &mut Workspace) -> bool {
    let Workspace {
        solvers: Solvers { articulated: Some(articulated), .. },
        equations: Equations { acc, .. },
        counts,
        ..
    } = work
    else {
        return false;
    };
    if !(articulated.accelerates_from_state && state.assembled && Avx2::detect().is_some()) {
        return false;
    }
    articulated.factored.clear();
    articulated.mass_forces.clear();
    let ArticulatedSystem { forest, body_nodes, result_slots, efforts, .. } = articulated;
    let mut fill = StateFill {
        gravity: model.gravity,
        efforts,
        body_nodes,
        result_slots,
        q: state.q.as_chunks().0,
        v: state.v.as_chunks().0,
        acc,
        finite_check: FiniteCheck::default(),
    };
    let is_fine = forest.factor_and_solve(&mut fill).is_ok() && fill.finite_check.is_finite();
    if is_fine {
        counts.factorizations += 1;
        counts.solves += 1;
        (articulated.disagreement, articulated.has_loads) = (None, true);
    }
    is_fine
}

/// Reads the input of the elimination from a state.
struct StateFill<'w> {
    gravity: Vec3,
    body_nodes: &'w [BodyNode],
    result_slots: &'w [ResultSlot],
    /// Body by body.
    q: &'w [[f64; 7]],
    v: &'w [[f64; 6]],
    /// Efforts along the one freedom of each node; empty if there are none.
    efforts: &'w [f64],
    acc: &'w mut [f64],
    finite_check: FiniteCheck,
}

impl StateFill<'_> {
    /// Position, velocity and angular velocity of a body, or of the ground, whose index is the
    /// last.
    #[inline(always)]
    fn motion(&self, avx2: Avx2, body: usize) -> [F64x3; 3] {
        let (Some(q), Some(v)) = (self.q.get(body), self.v.get(body)) else {
            return [F64x3::splat(avx2, 0.0); 3];
        };
        // Loaded directly: a vector load of numbers that were just stored one by one would stall.
        match (q.first_chunk(), v.first_chunk(), v.last_chunk()) {
            (Some(pos), Some(vel), Some(omega)) => {
                [F64x3::from_array(avx2, pos), F64x3::from_array(avx2, vel), F64x3::from_array(avx2, omega)]
            }
            _ => [F64x3::splat(avx2, 0.0); 3],
        }
    }
}

impl FillNodes<f64> for StateFill<'_> {
    /// Floating bodies. All other nodes are filled in SIMD registers.
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node, _: &mut NodeExtra) {
        let body_node = &self.body_nodes[at];
        let ([x, y, z, w, i, j, k], v) = (self.q[body_node.body as usize], self.v[body_node.body as usize]);
        let rot = Quat { w, v: Vec3::new(i, j, k) };
        let Six { lin: vel, ang: omega } = Six::from_slice(&v);
        let motion = Motion { pos: Vec3::new(x, y, z), rot, axes: rot.matrix(), vel, omega };
        (node.diag, node.force) = body_node.mass_and_weight(self.gravity, &motion);
    }
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, avx2: Avx2, at: usize) -> Option<NodeInputSimd> {
        let body_node = &self.body_nodes[at];
        let tree_joint = body_node.tree_joint.as_ref()?;
        let q = &self.q[body_node.body as usize];
        let axes = SimdAxes::of_quaternion(avx2, q[3], q.last_chunk()?);
        let own = self.motion(avx2, body_node.body as usize);
        let parent = self.motion(avx2, tree_joint.ends().0);
        let mass = F64x3::splat(avx2, body_node.mass);
        let inertia = body_node.inertia_simd(avx2, &axes);
        let (shift, first, gamma) =
            tree_joint.write_wide_of::<CLOSED_JOINTS, BALL>(avx2, (parent, own), &axes, &Mat3::IDENTITY);
        let omega = own[2];
        let weight = F64x3::load(avx2, &self.gravity) * mass;
        let force = [weight, cross(times(inertia, omega), omega)];
        let effort = self.efforts.get(at).copied().unwrap_or(0.0);
        Some(NodeInputSimd { mass, inertia, force, gamma, shift, first, effort, joint_inertia: 0.0 })
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six) {
        let first = self.result_slots[at].rigid_at as usize;
        x.write(&mut self.acc[first..first + 6]);
        self.finite_check.note(x);
    }
    #[inline(always)]
    fn answer_simd(&mut self, avx2: Avx2, at: usize, x: [F64x3; 2]) -> bool {
        let first = self.result_slots[at].rigid_at as usize;
        let Some(out) = self.acc.get_mut(first..).and_then(<[f64]>::first_chunk_mut) else { return false };
        F64x3::store_six(x, out);
        self.finite_check.note_simd(avx2, x);
        true
    }
}

/// True if only joints and gravity act and no rotors turn, on the articulated path, for any coordinates.
pub(crate) fn has_gravity_only(model: &Model, settings: &Settings) -> bool {
    is_plain(model, settings) && !model.has_forces() && !model.has_inequalities() && !model.has_armature()
}

/// True if there are neither drives nor constraints nor impulses, and the settings are those of the articulated path.
pub(crate) fn is_plain(model: &Model, settings: &Settings) -> bool {
    let is_simple = settings.stabilization == Stabilization::Projection
        && settings.geometry_tolerance == 0.0
        && settings.fault == Fault::None;
    let has_no_rows = model.drives.is_empty() && model.constraints.is_empty() && model.impulses().is_empty();
    let may_be_articulated = matches!(settings.solver, SolverChoice::Auto | SolverChoice::Tree)
        && settings.elimination == Elimination::Freedoms;
    is_simple && has_no_rows && may_be_articulated
}

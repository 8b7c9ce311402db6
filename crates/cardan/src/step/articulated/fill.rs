//! Input of the elimination, node by node: mass matrix M, force F, and the joint to the parent.

use crate::body::{BodyKind, Motion};
use crate::math::{Lane, Mat3, Six, Sym3, Sym6, Vec3};
use crate::model::Model;
use crate::settings::Fault;
use crate::step::articulated::tree_joint::TreeJoint;
use cardan_solve::System;
use cardan_solve::articulated::f64x3::{Avx2, F64x3, NodeInputSimd, PaddedF64x3, blend, cross, times};
use cardan_solve::articulated::{FillNodes, JointGeometry, Node, NodeExtra, NodeInput};
use std::ops::Deref;
use std::sync::Arc;

/// A body and the joint to its parent, in elimination order.
#[derive(Clone, Debug)]
pub(crate) struct BodyNode {
    node_inertia: Arc<NodeInertia>,
    pub(crate) body: u32,
    pub(crate) q_at: u32,
    pub(crate) v_at: u32,
    /// A rigid body on a revolute joint without drive: the most frequent node.
    pub(crate) is_free_hinge: bool,
    /// A rigid body on a spherical joint without drive.
    pub(crate) is_ball: bool,
    /// A rigid body on a prismatic joint without drive along another body.
    pub(crate) is_slide: bool,
    pub(crate) tree_joint: Option<TreeJoint>,
}

/// Constants of a node that depend on its body only. Successive nodes with equal bodies share them,
/// so that they stay in the cache along a chain.
#[derive(Debug)]
pub(crate) struct NodeInertia {
    pub(crate) mass: f64,
    pub(crate) inertia: Sym3,
    pub(crate) kind: BodyKind,
    /// Approximate squared radius of gyration (m²).
    pub(crate) gyration_squared: f64,
    /// 1/m² (1/kg²).
    pub(crate) mass_inverse_squared: f64,
    /// True if the body's axes are principal axes, which is cheaper.
    pub(crate) is_principal: bool,
}

impl Deref for BodyNode {
    type Target = NodeInertia;
    #[inline(always)]
    fn deref(&self) -> &NodeInertia {
        &self.node_inertia
    }
}

/// Marks a missing index.
pub(crate) const NO_INDEX: u32 = u32::MAX;

/// What is needed of a node to read or write its solution: a compact array, read in sequence.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ResultSlot {
    /// Joint to the parent, or [`NO_INDEX`].
    pub(crate) joint: u32,
    pub(crate) body: u32,
    /// Start of the unknowns of a rigid body; [`NO_INDEX`] for other bodies.
    pub(crate) rigid_at: u32,
}

impl ResultSlot {
    /// Result slot of a node.
    pub(crate) fn of(body_node: &BodyNode) -> Self {
        ResultSlot {
            joint: body_node.tree_joint.as_ref().map_or(NO_INDEX, |tree_joint| tree_joint.index),
            body: body_node.body,
            rigid_at: if body_node.kind == BodyKind::Rigid { body_node.v_at } else { NO_INDEX },
        }
    }
}

/// Rotational inertia I of a rigid body in world axes.
#[inline(always)]
pub(crate) fn inertia_along<T: Lane>(is_principal: bool, inertia: &Sym3<T>, axes: &Mat3<T>) -> Sym3<T> {
    if is_principal { inertia.rotated_diagonal(axes) } else { inertia.rotated(axes) }
}

/// Gravity and gyroscopic torque of a rigid body, with I in world axes.
#[inline(always)]
pub(crate) fn weight_of_rigid<T: Lane>(
    mass: T,
    inertia: &Sym3<T>,
    gravity: Vec3<T>,
    at: &Motion<T>,
) -> Six<T> {
    let spin = *inertia * at.omega;
    Six::new(gravity * mass, spin.cross(at.omega))
}

impl NodeInertia {
    /// Constants of a body of the model.
    fn new(model: &Model, body: usize) -> Self {
        let entry = &model.bodies[body];
        let mass = entry.mass.mass;
        let inertia = match entry.kind {
            BodyKind::Rigid => entry.mass.inertia,
            BodyKind::Planar => {
                let turning = entry.mass.inertia.zz;
                Sym3::diagonal(turning, turning, turning)
            }
            // General bodies are not solved here.
            BodyKind::Particle | BodyKind::PlanarParticle | BodyKind::General(_) => {
                Sym3::diagonal(0.0, 0.0, 0.0)
            }
        };
        NodeInertia {
            is_principal: inertia.xy == 0.0 && inertia.xz == 0.0 && inertia.yz == 0.0,
            mass,
            inertia,
            kind: entry.kind,
            gyration_squared: entry.mass.inertia.trace() / mass,
            mass_inverse_squared: 1.0 / (mass * mass),
        }
    }
}

impl BodyNode {
    /// Node of a body and its joint. `before` is the node before it.
    pub(crate) fn new(model: &Model, body: usize, joint: Option<usize>, before: Option<&BodyNode>) -> Self {
        let entry = &model.bodies[body];
        let has_equal_body = |before: &&BodyNode| {
            let other = &model.bodies[before.body as usize];
            other.kind == entry.kind && Arc::ptr_eq(&other.mass, &entry.mass)
        };
        let tree_joint = joint.map(|index| TreeJoint::new(model, index, body));
        BodyNode {
            node_inertia: match before.filter(has_equal_body) {
                Some(before) => before.node_inertia.clone(),
                None => Arc::new(NodeInertia::new(model, body)),
            },
            is_free_hinge: entry.kind == BodyKind::Rigid
                && tree_joint.as_ref().is_some_and(TreeJoint::is_free_hinge),
            is_ball: entry.kind == BodyKind::Rigid
                && tree_joint.as_ref().is_some_and(TreeJoint::is_free_ball),
            is_slide: entry.kind == BodyKind::Rigid
                && tree_joint.as_ref().is_some_and(|tree_joint| tree_joint.is_free_slide(model.bodies.len())),
            body: body as u32,
            q_at: entry.q_at,
            v_at: entry.v_at,
            tree_joint,
        }
    }

    /// True if both nodes share the constants of their bodies.
    pub(crate) fn shares_inertia(&self, other: &BodyNode) -> bool {
        Arc::ptr_eq(&self.node_inertia, &other.node_inertia)
    }

    /// True if its parent is the ground.
    pub(crate) fn is_root(&self, model: &Model) -> bool {
        self.tree_joint.as_ref().is_none_or(|tree_joint| tree_joint.sides().0 == model.bodies.len())
    }

    /// Rotational inertia I of a rigid body in world axes.
    #[inline(always)]
    pub(crate) fn inertia_along(&self, axes: &Mat3) -> Sym3 {
        inertia_along(self.is_principal, &self.inertia, axes)
    }

    /// Rotational inertia I of a rigid body in world axes, in SIMD registers.
    #[inline(always)]
    pub(crate) fn inertia_simd(&self, avx2: Avx2, axes: &SimdAxes) -> [F64x3; 2] {
        let i = &self.inertia;
        let [x, y, z] = axes.0;
        let [xx, yy, zz] = [F64x3::splat(avx2, i.xx), F64x3::splat(avx2, i.yy), F64x3::splat(avx2, i.zz)];
        let (ax, ay, az) = if self.is_principal {
            (x * xx, y * yy, z * zz)
        } else {
            let [xy, xz, yz] = [F64x3::splat(avx2, i.xy), F64x3::splat(avx2, i.xz), F64x3::splat(avx2, i.yz)];
            (x * xx + y * xy + z * xz, x * xy + y * yy + z * yz, x * xz + y * yz + z * zz)
        };
        [ax * x + ay * y + az * z, ax * x.yzx() + ay * y.yzx() + az * z.yzx()]
    }

    /// Gravity and gyroscopic torque of a rigid body, with I in world axes.
    #[inline(always)]
    pub(crate) fn weight_of_rigid(&self, inertia: &Sym3, gravity: Vec3, at: &Motion) -> Six {
        weight_of_rigid(self.mass, inertia, gravity, at)
    }

    /// M, and gravity with the gyroscopic torque.
    #[inline(always)]
    pub(crate) fn mass_and_weight(&self, gravity: Vec3, at: &Motion) -> (Sym6, Six) {
        if self.kind == BodyKind::Rigid {
            let inertia = self.inertia_along(&at.axes);
            let weight = self.weight_of_rigid(&inertia, gravity, at);
            return (Sym6::of_mass(self.mass, inertia), weight);
        }
        let mut weight = gravity * self.mass;
        if self.kind.is_planar() {
            weight.z = 0.0;
        }
        (Sym6::of_mass(self.mass, self.inertia), Six::new(weight, Vec3::ZERO))
    }

    /// Writes all input of the node. `extra` has the forces besides gravity, if there are any.
    #[inline(never)]
    pub(crate) fn write(
        &self,
        model: &Model,
        motions: &[Motion],
        extra: Option<&System>,
        node: &mut Node,
        node_extra: &mut NodeExtra,
    ) {
        let at = &motions[self.body as usize];
        (node.diag, node.force) = self.mass_and_weight(model.gravity, at);
        if let Some(system) = extra {
            node.force += self.extra(model, system);
        }
        if let Some(tree_joint) = &self.tree_joint {
            tree_joint.write(model, motions, node, node_extra);
        }
    }

    /// Writes all input of a body on a closed prismatic joint.
    #[inline(never)]
    fn write_slide(&self, model: &Model, motions: &[Motion], extra: Option<&System>, node: &mut Node) {
        (node.diag, node.force) = self.mass_and_weight(model.gravity, &motions[self.body as usize]);
        if let Some(system) = extra {
            node.force += self.extra(model, system);
        }
        if let Some(tree_joint) = &self.tree_joint {
            (node.shift, node.first, node.gamma) = tree_joint.write_slide(motions);
        }
    }

    /// Force on the body other than gravity and gyroscopic torque, from the assembled system.
    pub(crate) fn extra(&self, model: &Model, system: &System) -> Six {
        let wrench = self.kind.as_wrench(system.force_of(model.bodies[self.body as usize].block));
        Six::new(wrench.force, wrench.torque)
    }

    /// Writes the components of x that the body has; the others are not used.
    #[inline(always)]
    pub(crate) fn write_x(&self, x: &Six, out: &mut [f64]) {
        let out = &mut out[self.v_at as usize..];
        match self.kind {
            BodyKind::Rigid => x.write(out),
            BodyKind::Particle => out[..3].copy_from_slice(&x.lin.to_array()),
            BodyKind::Planar => out[..3].copy_from_slice(&[x.lin.x, x.lin.y, x.ang.z]),
            BodyKind::PlanarParticle => out[..2].copy_from_slice(&[x.lin.x, x.lin.y]),
            BodyKind::General(_) => {}
        }
    }
}

/// Extent of the input: everything, at joints that may be open.
pub(crate) const OPEN_JOINTS: u8 = 0;
/// Extent of the input: everything, at closed joints.
pub(crate) const CLOSED_JOINTS: u8 = 1;
/// Extent of the input: what is factored, without right-hand side.
pub(crate) const FACTOR_ONLY: u8 = 2;

/// Writes motions and forces as input of the elimination. `extra` has the forces besides gravity,
/// if there are any.
pub(crate) struct MotionFill<'w, const EXTENT: u8> {
    pub(crate) model: &'w Model,
    pub(crate) body_nodes: &'w [BodyNode],
    pub(crate) result_slots: &'w [ResultSlot],
    pub(crate) motions: &'w [Motion],
    pub(crate) extra: Option<&'w System>,
    /// Efforts along the one freedom of each node; empty if there are none.
    pub(crate) efforts: &'w [f64],
    /// Receives the accelerations.
    pub(crate) acc: &'w mut [f64],
    pub(crate) finite_check: FiniteCheck,
}

/// Sum of numbers times zero: zero unless a number is not finite.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct FiniteCheck([PaddedF64x3; 2]);

impl FiniteCheck {
    /// False if a number was not finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.0.iter().flat_map(|half| &half.0[..3]).all(|&x| x == 0.0)
    }
    /// Adds the components of `x` times zero.
    #[inline(always)]
    pub(crate) fn note(&mut self, x: &Six) {
        for (half, x) in self.0.iter_mut().zip([x.lin, x.ang]) {
            half.0[0] += x.x * 0.0;
            half.0[1] += x.y * 0.0;
            half.0[2] += x.z * 0.0;
        }
    }
    /// Adds the components of `x` times zero, in SIMD registers.
    #[inline(always)]
    pub(crate) fn note_simd(&mut self, avx2: Avx2, x: [F64x3; 2]) {
        let zero = F64x3::splat(avx2, 0.0);
        let [lin, ang] = &mut self.0;
        (F64x3::from_padded(avx2, lin) + x[0] * zero).pad(lin);
        (F64x3::from_padded(avx2, ang) + x[1] * zero).pad(ang);
    }
}

/// Columns of a rotation matrix in SIMD registers.
#[derive(Copy, Clone)]
pub(crate) struct SimdAxes([F64x3; 3]);

impl SimdAxes {
    /// Loads the columns of a matrix.
    #[inline(always)]
    pub(crate) fn load(avx2: Avx2, m: &Mat3) -> Self {
        SimdAxes([F64x3::load(avx2, &m.x), F64x3::load(avx2, &m.y), F64x3::load(avx2, &m.z)])
    }
    /// From a unit quaternion, w and (x, y, z), with the order of summation of
    /// [`Quat::matrix`](crate::math::Quat::matrix).
    #[inline(always)]
    pub(crate) fn of_quaternion(avx2: Avx2, w: f64, v: &[f64; 3]) -> Self {
        let v = F64x3::from_array(avx2, v);
        let twice = v + v;
        let squares = v * twice;
        let w = twice * F64x3::splat(avx2, w);
        // The entries of the diagonal, and of the first and second cyclic off-diagonals.
        let on = F64x3::splat(avx2, 1.0) - (squares.yzx() + squares.zxy());
        let (behind, last) = (v * twice.yzx() - w.zxy(), v * twice.zxy() + w.yzx());
        SimdAxes([blend(on, last, behind), blend(behind, on, last), blend(last, behind, on)])
    }
    /// Product with a vector.
    #[inline(always)]
    pub(crate) fn turn(&self, avx2: Avx2, v: &Vec3) -> F64x3 {
        let [x, y, z] = self.0;
        x * F64x3::splat(avx2, v.x) + y * F64x3::splat(avx2, v.y) + z * F64x3::splat(avx2, v.z)
    }
}

impl<const EXTENT: u8> FillNodes<f64> for MotionFill<'_, EXTENT> {
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node, node_extra: &mut NodeExtra) {
        if !self.body_nodes[at].is_free_hinge {
            if EXTENT == FACTOR_ONLY {
                return self.body_nodes[at].write_subspace(self.model, self.motions, node, node_extra);
            }
            node.effort = self.efforts.get(at).copied().unwrap_or(0.0);
            if EXTENT == CLOSED_JOINTS && self.body_nodes[at].is_slide {
                return self.body_nodes[at].write_slide(self.model, self.motions, self.extra, node);
            }
            return self.body_nodes[at].write(self.model, self.motions, self.extra, node, node_extra);
        }
        let input = self.input::<false, false>(at, node, node_extra);
        node.diag = Sym6::of_mass(input.mass, input.inertia);
        (node.force, node.gamma) = (input.force, input.gamma);
        (node.shift, node.first, node.effort) = (input.shift, input.first, input.effort);
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
        let motion = &self.motions[body_node.body as usize];
        let (mass, inertia) = (body_node.mass, body_node.inertia_along(&motion.axes));
        if EXTENT == FACTOR_ONLY {
            let (shift, first) = match BALL {
                false => tree_joint.write_hinge_geometry(self.motions),
                true => tree_joint.write_ball_geometry(self.motions),
            };
            return NodeInput { mass, inertia, shift, first, ..NodeInput::default() };
        }
        let (shift, first, gamma) = match BALL {
            false => tree_joint.write_hinge(self.motions, EXTENT == CLOSED_JOINTS),
            true => tree_joint.write_ball(self.motions),
        };
        let mut force = body_node.weight_of_rigid(&inertia, self.model.gravity, motion);
        if let Some(system) = self.extra {
            force += body_node.extra(self.model, system);
        }
        let effort = self.efforts.get(at).copied().unwrap_or(0.0);
        NodeInput { mass, inertia, force, gamma, shift, first, effort, joint_inertia: 0.0 }
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six) {
        match self.result_slots[at].rigid_at {
            NO_INDEX => self.body_nodes[at].write_x(x, self.acc),
            first => x.write(&mut self.acc[first as usize..first as usize + 6]),
        }
        self.finite_check.note(x);
    }
    #[inline(always)]
    fn input_simd<const BALL: bool>(&mut self, avx2: Avx2, at: usize) -> Option<NodeInputSimd> {
        let body_node = &self.body_nodes[at];
        let tree_joint = body_node.tree_joint.as_ref().filter(|tree_joint| tree_joint.onto_b())?;
        let motion = &self.motions[body_node.body as usize];
        let axes = SimdAxes::load(avx2, &motion.axes);
        let zero = F64x3::splat(avx2, 0.0);
        let mass = F64x3::splat(avx2, body_node.mass);
        let inertia = body_node.inertia_simd(avx2, &axes);
        if EXTENT == FACTOR_ONLY {
            let (shift, first) = tree_joint.write_simd_geometry::<BALL>(avx2, self.motions, &axes);
            let (force, gamma) = ([zero; 2], [zero; 2]);
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
        let (shift, first, gamma) = tree_joint.write_simd::<EXTENT, BALL>(avx2, self.motions, &axes);
        let omega = F64x3::load(avx2, &motion.omega);
        let weight = F64x3::load(avx2, &self.model.gravity) * mass;
        let mut force = [weight, cross(times(inertia, omega), omega)];
        if let Some(system) = self.extra {
            let extra = body_node.extra(self.model, system);
            force = [force[0] + F64x3::load(avx2, &extra.lin), force[1] + F64x3::load(avx2, &extra.ang)];
        }
        let effort = self.efforts.get(at).copied().unwrap_or(0.0);
        Some(NodeInputSimd { mass, inertia, force, gamma, shift, first, effort, joint_inertia: 0.0 })
    }
    #[inline(always)]
    fn answer_simd(&mut self, avx2: Avx2, at: usize, x: [F64x3; 2]) -> bool {
        let first = self.result_slots[at].rigid_at;
        let Some(out) = self.acc.get_mut(first as usize..).and_then(<[f64]>::first_chunk_mut) else {
            return false;
        };
        F64x3::store_six(x, out);
        self.finite_check.note_simd(avx2, x);
        true
    }
}

/// Input with a planted fault.
pub(crate) struct FaultyFill<'f, 'w> {
    pub(crate) fill: &'f mut MotionFill<'w, OPEN_JOINTS>,
    pub(crate) fault: Fault,
}

impl FillNodes<f64> for FaultyFill<'_, '_> {
    fn fill_node(&mut self, at: usize, node: &mut Node, node_extra: &mut NodeExtra) {
        self.fill.fill_node(at, node, node_extra);
        let body_node = &self.fill.body_nodes[at];
        let motion = &self.fill.motions[body_node.body as usize];
        plant_fault(self.fault, motion, body_node.tree_joint.is_some(), node, node_extra);
    }
    fn answer(&mut self, at: usize, x: &Six) {
        self.fill.answer(at, x);
    }
}

/// Plants a fault in the input of one body.
#[cold]
fn plant_fault(fault: Fault, at: &Motion, has_joint: bool, node: &mut Node, node_extra: &mut NodeExtra) {
    match fault {
        Fault::None => {}
        Fault::FlippedBias if has_joint => {
            node.gamma = node.gamma.scaled(-1.0);
            node_extra.bias.iter_mut().for_each(|c| *c = -*c);
        }
        Fault::NoGyroscopic => node.force.ang -= (node.diag.c * at.omega).cross(at.omega),
        Fault::LopsidedRow if has_joint => node.shift = node.shift * (1.0 + 1e-6),
        Fault::FlippedBias | Fault::LopsidedRow => {}
    }
}

impl BodyNode {
    /// Writes the motion subspace of the joint, or of a body that floats, for the rank plan.
    pub(crate) fn write_geometry(&self, model: &Model, motions: &[Motion], out: &mut JointGeometry) {
        if let Some(tree_joint) = &self.tree_joint {
            return tree_joint.write_geometry(model, motions, self.body as usize, out);
        }
        let shifts = if self.kind.is_planar() { 2 } else { 3 };
        let turns = match (self.kind.has_orientation(), self.kind.is_planar()) {
            (false, _) => 3..3,
            (true, true) => 2..3,
            (true, false) => 0..3,
        };
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let shifts = axes[..shifts].iter().map(|e| Six::new(*e, Vec3::ZERO));
        let all = shifts.chain(axes[turns].iter().map(|e| Six::new(Vec3::ZERO, *e)));
        out.count = 0;
        for (to, column) in out.columns.iter_mut().zip(all) {
            *to = column;
            out.count += 1;
        }
    }

    /// True if the body can be put where its parent requires it.
    pub(crate) fn closes(&self) -> bool {
        self.kind == BodyKind::Rigid && self.tree_joint.as_ref().is_none_or(|tree_joint| tree_joint.closes())
    }
}

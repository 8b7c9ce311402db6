//! The spanning tree at one state, in world axes and at centres of mass: what all joint-space
//! algorithms read.
//!
//! ```text
//! v_c = X v_p + N q̇            v̇_c = X v̇_p + N q̈ + γ            X: (v + ω × (x_c − x_p), ω)
//! N_k = s (D_k + T_k × r, T_k)                                  r = x_c − p_b
//! γ   = (ω_p × (ω_p × (p_b − x_p)) + s (2 ω_a × D q̇ + Ṫq̇ × r) + ω_c × (ω_c × r),  s Ṫq̇)
//! ```
//!
//! D_k, T_k: shift and turn of b relative to a at a unit rate, p_b: origin of b's joint frame, s = 1
//! if b is the child and −1 if a is. Axes are fixed in a (Ṫ = ω_a × T), but for the second axis of a
//! universal joint, which is b's. A floating body has N = 1.

use super::{CommandError, OrderEntry};
use crate::body::general::Motions;
use crate::joint::ClosedForm;
use crate::math::{Sym3, Vec3};
use crate::model::Model;
use crate::state::State;
use crate::step::{JointAxes, frame, write_motions};
use core::ops::Range;

/// Linear and angular part: a velocity, an acceleration, or a force and its torque at a centre of mass.
pub(super) type Pair = (Vec3, Vec3);

pub(super) fn dot(a: Pair, b: Pair) -> f64 {
    a.0.dot(b.0) + a.1.dot(b.1)
}
pub(super) fn add(a: Pair, b: Pair) -> Pair {
    (a.0 + b.0, a.1 + b.1)
}
pub(super) fn scaled(a: Pair, x: f64) -> Pair {
    (a.0 * x, a.1 * x)
}
pub(super) const ZERO: Pair = (Vec3::ZERO, Vec3::ZERO);

/// A body of the tree, with the joint to its parent.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    pub(super) body: usize,
    pub(super) parent: Option<usize>,
    /// Where its rates are in the joint order.
    pub(super) rates: Range<usize>,
    /// N, by columns.
    pub(super) columns: [Pair; 6],
    /// D and T, s, and r.
    axes: [Pair; 3],
    sign: f64,
    arm: Vec3,
    pub(super) gamma: Pair,
    /// x_c − x_p; zero if the parent is the ground.
    pub(super) offset: Vec3,
    pub(super) pos: Vec3,
    pub(super) omega: Vec3,
    pub(super) mass: f64,
    pub(super) inertia: Sym3,
    /// A, the inertia of a rotor along the one freedom.
    pub(super) armature: f64,
}

impl TreeNode {
    pub(super) fn columns(&self) -> &[Pair] {
        &self.columns[..self.rates.len()]
    }
    /// X v: a velocity of the parent as one of the child.
    pub(super) fn carried(&self, v: Pair) -> Pair {
        match self.parent {
            None => ZERO,
            Some(_) => (v.0 + v.1.cross(self.offset), v.1),
        }
    }
    /// Xᵀ f: a force on the child as one on the parent.
    pub(super) fn carried_back(&self, f: Pair) -> Pair {
        (f.0, f.1 + self.offset.cross(f.0))
    }
    /// M a.
    pub(super) fn momentum(&self, a: Pair) -> Pair {
        (a.0 * self.mass, self.inertia * a.1)
    }
    /// Components along the freedoms of a relative acceleration N q̈.
    pub(super) fn along(&self, rel: Pair, out: &mut [f64]) {
        if out.len() == self.rates.len() && self.sign == 0.0 {
            for (x, column) in out.iter_mut().zip(self.columns()) {
                *x = dot(*column, rel);
            }
            return;
        }
        let at_joint = (rel.0 - rel.1.cross(self.arm), rel.1);
        for (x, axis) in out.iter_mut().zip(&self.axes) {
            *x = self.sign * dot(*axis, at_joint);
        }
    }
}

/// The spanning tree of a mechanism at one state: mass matrix, bias, inverse and forward dynamics, Jacobians.
/// See the [module](super).
#[derive(Clone, Debug)]
pub struct JointSpace {
    pub(super) nodes: Vec<TreeNode>,
    /// By body.
    pub(super) node_of: Vec<usize>,
    /// Centres of mass in the bodies' frames, and orientations, by node.
    pub(super) frames: Vec<(Vec3, crate::math::Mat3)>,
    pub(super) gravity: Vec3,
    pub(super) count: usize,
    is_tree: bool,
    /// Accelerations and forces by node, for [`JointSpace::write_inverse_dynamics`].
    pub(super) scratch: [Vec<Pair>; 2],
}

impl JointSpace {
    /// The spanning tree of a model at a state of it.
    ///
    /// # Errors
    /// If a body has coordinates of its own kind, which joint-space algorithms do not know.
    pub fn new(model: &Model, state: &State) -> Result<Self, CommandError> {
        if let Some(body) = model.first_general() {
            let (body, kind) = (body.name.clone(), body.kind.name());
            return Err(CommandError::GeneralBody { body, kind, what: "algorithms" });
        }
        let order = model.joint_order();
        let in_tree = |j: usize| order.joint_at(j).is_some();
        let is_tree =
            model.constraints.is_empty() && model.drives.is_empty() && (0..model.joints.len()).all(in_tree);
        let mut motions = Motions::new(model);
        write_motions(model, state, &mut motions);
        let mut space = JointSpace {
            scratch: Default::default(),
            nodes: Vec::with_capacity(model.bodies.len()),
            node_of: vec![0; model.bodies.len()],
            frames: Vec::with_capacity(model.bodies.len()),
            gravity: model.gravity,
            count: order.rate_count(),
            is_tree,
        };
        space.refresh(model, &motions);
        Ok(space)
    }

    /// Writes the tree of the same model at other motions of its bodies. Allocates nothing once the lists
    /// have their length.
    pub(crate) fn refresh(&mut self, model: &Model, motions: &Motions) {
        let order = model.joint_order();
        if self.nodes.len() == order.root_first.len() {
            for (at, &entry) in order.root_first.iter().enumerate() {
                let entry = &order.entries()[entry as usize];
                if !self.refresh_hinge(at, model, motions, entry) {
                    self.nodes[at] = self.node(model, motions, entry);
                }
                self.frames[at].1 = motions[entry.body].axes;
            }
            return;
        }
        self.nodes.clear();
        self.frames.clear();
        for &at in &order.root_first {
            let entry = &order.entries()[at as usize];
            self.node_of[entry.body] = self.nodes.len();
            let node = self.node(model, motions, entry);
            self.nodes.push(node);
            self.frames.push((model.bodies[entry.body].mass.center, motions[entry.body].axes));
        }
    }

    /// nv: length of arrays of rates, accelerations and efforts.
    pub fn rate_count(&self) -> usize {
        self.count
    }
    /// Whether the spanning tree is the whole mechanism: no loops, no drives, no user constraints. Otherwise
    /// everything here is of the tree with its loops cut open.
    pub fn is_tree(&self) -> bool {
        self.is_tree
    }

    /// Writes the node of a revolute joint in space anew, without what does not change and without the
    /// relative pose; false of another joint.
    fn refresh_hinge(&mut self, at: usize, model: &Model, motions: &Motions, entry: &OrderEntry) -> bool {
        let Some(joint) = entry.joint.map(|j| &model.joints[j]) else { return false };
        if entry.mix.is_some() || joint.kind.about().closed_form != ClosedForm::Revolute {
            return false;
        }
        let spin = |end: Option<usize>| end.map_or(Vec3::ZERO, |body| motions[body].omega);
        let (end_a, end_b) = (joint.a.body(), joint.b.body());
        let (omega_a, omega_b) = (spin(end_a), spin(end_b));
        let z_in_b = joint.b.local.rot * Vec3::Z;
        let (axis, origin) = match end_b {
            Some(body) => {
                (motions[body].axes * z_in_b, motions[body].pos + motions[body].axes * joint.b.local.pos)
            }
            None => (z_in_b, joint.b.local.pos),
        };
        let body = &motions[entry.body];
        let (parent, sign) = if end_b == Some(entry.body) { (end_a, 1.0) } else { (end_b, -1.0) };
        let node = &mut self.nodes[at];
        let inertia = &model.bodies[entry.body].mass.inertia;
        (node.pos, node.omega, node.inertia) = (body.pos, body.omega, inertia.rotated(&body.axes));
        node.arm = body.pos - origin;
        node.axes[0] = (Vec3::ZERO, axis);
        node.columns[0] = scaled((axis.cross(node.arm), axis), sign);
        let rate = axis.dot(omega_b - omega_a);
        let turn_change = omega_a.cross(axis) * rate;
        let mut lin = turn_change.cross(node.arm) * sign + body.omega.cross(body.omega.cross(node.arm));
        node.offset = Vec3::ZERO;
        if let Some(parent) = parent {
            let parent = &motions[parent];
            node.offset = body.pos - parent.pos;
            lin += parent.omega.cross(parent.omega.cross(origin - parent.pos));
        }
        node.gamma = (lin, turn_change * sign);
        true
    }

    fn node(&self, model: &Model, motions: &Motions, entry: &OrderEntry) -> TreeNode {
        let (body, at) = (&model.bodies[entry.body], &motions[entry.body]);
        let mut node = TreeNode {
            body: entry.body,
            parent: None,
            rates: entry.rates.clone(),
            columns: [ZERO; 6],
            axes: [ZERO; 3],
            sign: 0.0,
            arm: Vec3::ZERO,
            gamma: ZERO,
            offset: Vec3::ZERO,
            pos: at.pos,
            omega: at.omega,
            mass: body.mass.mass,
            inertia: body.mass.inertia.rotated(&at.axes),
            armature: entry.joint.map_or(0.0, |joint| model.joints[joint].armature),
        };
        let Some(j) = entry.joint else {
            for k in 0..entry.rates.len() {
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let one = body.kind.as_wrench(&unit[..entry.rates.len()]);
                node.columns[k] = (one.force, one.torque);
            }
            return node;
        };
        let joint = &model.joints[j];
        let (a, b) = (frame(motions, &joint.a), frame(motions, &joint.b));
        let axes = JointAxes::between(joint, &a, &b, entry.mix);
        let onto_b = joint.b.body() == Some(entry.body);
        let parent = if onto_b { joint.a.body() } else { joint.b.body() };
        node.parent = parent.map(|i| self.node_of[i]);
        node.sign = if onto_b { 1.0 } else { -1.0 };
        node.arm = at.pos - b.pos;
        let (omega_p, x_p) = parent.map_or((Vec3::ZERO, Vec3::ZERO), |i| (motions[i].omega, motions[i].pos));
        node.offset = parent.map_or(Vec3::ZERO, |_| at.pos - x_p);
        let (mut shift_rate, mut turn_change) = (Vec3::ZERO, Vec3::ZERO);
        let is_cross = joint.kind.about().closed_form == ClosedForm::Universal;
        for k in 0..entry.rates.len() {
            let axis = axes.relative.to_world(axes.direction[k]);
            let (shift, turn, rate) = (axis.force, axis.torque, axes.rate[k]);
            node.axes[k] = (shift, turn);
            node.columns[k] = scaled((shift + turn.cross(node.arm), turn), node.sign);
            shift_rate += shift * rate;
            let about = if is_cross && k == 1 { b.omega } else { a.omega };
            turn_change += about.cross(turn) * rate;
        }
        let lever = parent.map_or(Vec3::ZERO, |_| b.pos - x_p);
        let lin = omega_p.cross(omega_p.cross(lever))
            + (a.omega.cross(shift_rate) * 2.0 + turn_change.cross(node.arm)) * node.sign
            + at.omega.cross(at.omega.cross(node.arm));
        node.gamma = (lin, turn_change * node.sign);
        node
    }
}

//! The model: what exists. It never changes during a run, and many states can share it.

mod builder;
mod error;
mod ids;
mod lookup;
mod parts;

pub(crate) use builder::{ConstraintSpec, RunningState};
pub use builder::{ModelBuilder, Probe};
pub use error::BuildError;
pub use ids::{BodyId, ConstraintId, End, ForceId, ImpulseId, InequalityId, JointId, ProbeId, ShapeId};
pub(crate) use ids::{Id, IdSource};
pub(crate) use parts::{Attachment, ModelDrive};
pub use parts::{
    ModelBody, ModelConstraint, ModelForce, ModelFriction, ModelInequality, ModelJoint, ModelProbe,
};

use crate::body::general::Carrier;
use crate::body::{BodyKind, Frame};
use crate::contact::{Contacts, ModelShape};
use crate::impulse::{Impulse, ModelImpulse};
use crate::inequality::{InequalityOrigin, LimitSide};
use crate::joint::drive::Driven;
use crate::joint::{ClosedForm, Effort, JointKind, MAX_COORDINATES, Plane};
use crate::joint_space::JointOrder;
use crate::math::{Vec3, larger};
use crate::settings::Integrator;
use crate::state::State;
use crate::step::StepError;
use cardan_shapes::Shape;
use cardan_solve::{Forest, Graph, Link, Role};
use std::sync::{Arc, OnceLock};

/// Numbers that describe a model's size.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bodies.
    pub bodies: usize,
    /// Joints and user constraints.
    pub joints: usize,
    /// Sum of the bodies' freedoms.
    pub coordinates: usize,
    /// Scalar equality conditions.
    pub rows: usize,
    /// Coordinates + rows: the size of the whole linear system.
    pub variables: usize,
}

/// What exists: bodies, joints, forces, probes, and how they are connected.
#[derive(Clone, Debug)]
pub struct Model {
    /// Whose ids its parts have.
    id_source: IdSource,
    pub(crate) gravity: Vec3,
    /// The general body that swings fastest by itself, and how fast [rad/s].
    pub(crate) stiffest_body: Option<(usize, f64)>,
    pub(crate) bodies: Vec<ModelBody>,
    /// Frames of general bodies that something is attached to.
    pub(crate) carriers: Vec<Carrier>,
    /// The bodies' kinds in id order: how many of the same kind follow each other.
    pub(crate) runs: Vec<(BodyKind, usize)>,
    pub(crate) joints: Vec<ModelJoint>,
    /// In the order of the joints and of their coordinates.
    pub(crate) drives: Vec<ModelDrive>,
    pub(crate) constraints: Vec<ModelConstraint>,
    /// Limits of joints in their order, then those that were described.
    pub(crate) inequalities: Vec<ModelInequality>,
    pub(crate) contacts: Contacts,
    /// In the order of the joints.
    pub(crate) frictions: Vec<ModelFriction>,
    pub(crate) forces: Vec<ModelForce>,
    /// By time.
    pub(crate) impulses: Vec<ModelImpulse>,
    pub(crate) probes: Vec<ModelProbe>,
    pub(crate) graph: Arc<Graph>,
    pub(crate) forest: Forest,
    pub(crate) q_len: usize,
    pub(crate) v_len: usize,
    pub(crate) turn_len: usize,
    /// Integrals that a state keeps.
    pub(crate) sum_len: usize,
    pub(crate) initial: State,
    /// Offsets of couplers that keep what was posed: index of the constraint, and one offset per row.
    pub(crate) coupler_offsets: Vec<(usize, Vec<f64>)>,
    /// Found when it is asked for first.
    pub(crate) joint_order: OnceLock<JointOrder>,
}

impl Model {
    /// Free fall acceleration.
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }
    /// The bodies in id order.
    pub fn bodies(&self) -> &[ModelBody] {
        &self.bodies
    }
    /// The first body of a general kind.
    pub(crate) fn first_general(&self) -> Option<&ModelBody> {
        self.bodies.iter().find(|body| body.general.is_some())
    }
    /// The impulses, by time.
    pub fn impulses(&self) -> &[ModelImpulse] {
        &self.impulses
    }
    /// The attachment of an impulse that is not one of the model's own.
    pub(crate) fn attach_impulse(&self, impulse: &Impulse) -> Result<Attachment, StepError> {
        let bad = |what: String| Err(StepError::BadImpulse { what });
        let finite = [impulse.point, impulse.linear, impulse.angular].iter().all(|v| v.is_finite());
        if !finite {
            return bad("point, impulse and angular impulse must be finite numbers".into());
        }
        let (id, piece) = match impulse.body {
            End::Ground => return bad("the ground never moves; name a body".into()),
            End::Body(id) => (id, 0),
            End::Piece(id, piece) => (id, piece),
        };
        let Some(body) = self.body(id) else {
            return bad("its body does not exist in this model".into());
        };
        let (name, here) = (&body.name, Some(id.index()));
        let local = Frame::at(impulse.point);
        if let Some(general) = &body.general {
            return match general.carriers.get(piece as usize).copied().flatten() {
                Some(carrier) if general.form.pieces()[piece as usize].rigid => {
                    let mut at = Attachment::on_piece(id.index(), piece, local);
                    at.set_carrier(Some(carrier));
                    Ok(at)
                }
                _ => bad(format!(
                    "`{name}` ({}) has no rigid piece of that number; such an impulse must be part of the model",
                    body.kind.name()
                )),
            };
        }
        if piece != 0 {
            return bad(format!("`{name}` is of one piece, which has the number 0"));
        }
        if !body.kind.has_orientation() {
            if impulse.point != Vec3::ZERO || impulse.needs_orientation() {
                return bad(format!(
                    "`{name}` is a point mass: apply the impulse at [0, 0, 0], in world axes, without an angular impulse"
                ));
            }
            return Ok(Attachment::new(here, Frame::default()));
        }
        let local = Frame { pos: impulse.point - body.mass.center, ..local };
        Ok(Attachment::new(here, local))
    }
    /// The joints in id order.
    pub fn joints(&self) -> &[ModelJoint] {
        &self.joints
    }
    /// The first constraint that holds velocities without holding poses.
    pub fn velocity_only(&self) -> Option<&ModelConstraint> {
        self.constraints.iter().find(|c| (0..c.rows).any(|row| !c.rule.has_position(row)))
    }

    /// Whether a row of J is the gradient of a condition on poses.
    pub(crate) fn is_position_row(&self, row: usize) -> bool {
        // Constraints follow the joints, in order.
        let after = self.constraints.partition_point(|c| c.row_at <= row);
        match after.checked_sub(1).map(|c| &self.constraints[c]) {
            Some(c) if row < c.row_at + c.rows => c.rule.has_position(row - c.row_at),
            _ => true,
        }
    }

    /// Whether none of its parts depends on time, impulses apart. Rules and laws that users write, and inequalities that
    /// were described, may.
    pub(crate) fn is_autonomous(&self) -> bool {
        self.drives.is_empty()
            && !self.constraints.iter().any(|c| c.rule.is_timed() || c.kind() == "user")
            && !self.forces.iter().any(|force| force.kind.may_depend_on_time())
            && !self.inequalities.iter().any(|i| i.origin == InequalityOrigin::Declared)
            && !self.joints.iter().any(|joint| joint.efforts.iter().any(Effort::may_depend_on_time))
    }

    /// Points on which its bodies may rest, roughly: see [`Settings::resolved`](crate::Settings::resolved).
    pub(crate) fn resting_points(&self) -> usize {
        // Beyond so many shapes it is taken for granted that each can touch another one.
        const LOOKED_AT: usize = 1000;
        let shapes = &self.contacts.shapes;
        let touches = |i: usize| {
            shapes.len() > LOOKED_AT
                || (0..shapes.len()).any(|j| {
                    let (a, b) = (i.min(j) as u32, i.max(j) as u32);
                    j != i && !self.contacts.skips(a, b) && self.contacts.material(a, b).restitution == 0.0
                })
        };
        let mut points = vec![0; self.bodies.len()];
        for (i, shape) in shapes.iter().enumerate() {
            let Some(body) = shape.body_index() else { continue };
            let most = match shape.shape {
                Shape::Sphere { .. } => 1,
                Shape::Plane => 0,
                Shape::Capsule { .. } | Shape::Cylinder { .. } => 2,
                Shape::Box { .. } | Shape::Hull(_) | Shape::Mesh(_) | Shape::Terrain(_)
                    if self.bodies[body].kind.is_planar() =>
                {
                    2
                }
                Shape::Box { .. } | Shape::Hull(_) | Shape::Mesh(_) | Shape::Terrain(_) => 4,
            };
            if most > points[body] && touches(i) {
                points[body] = most;
            }
        }
        points.iter().sum()
    }

    /// The user constraints in id order.
    pub fn constraints(&self) -> &[ModelConstraint] {
        &self.constraints
    }
    /// The inequalities: limits of joints in their order, then those that were described.
    pub fn inequalities(&self) -> &[ModelInequality] {
        &self.inequalities
    }
    /// The shapes that keep bodies apart.
    pub fn shapes(&self) -> &[ModelShape] {
        &self.contacts.shapes
    }
    /// Gears that count the speed of a body about another axis than that of the hinge on which the ground holds it: the gear, the hinge,
    /// and the angle between the axes \[rad\].
    pub fn misaligned_gears(&self) -> Vec<(ConstraintId, JointId, f64)> {
        let hinge_of = |body: usize| {
            let turns = |kind: JointKind| {
                matches!(kind.about().closed_form, ClosedForm::Revolute | ClosedForm::Cylindrical)
            };
            self.joints.iter().enumerate().filter(|(_, joint)| turns(joint.kind)).find_map(
                |(j, joint)| match (joint.a.body(), joint.b.body()) {
                    (None, Some(b)) if b == body => Some((j, joint.b.local.rot * Vec3::Z)),
                    (Some(a), None) if a == body => Some((j, joint.a.local.rot * Vec3::Z)),
                    _ => None,
                },
            )
        };
        let mut all = Vec::new();
        for (c, gear) in self.constraints.iter().enumerate().filter(|(_, c)| c.kind() == "gear") {
            for at in &gear.frames {
                let Some((joint, axis)) = at.body().and_then(hinge_of) else { continue };
                let about = at.local.rot * Vec3::Z;
                let angle = libm::atan2(axis.cross(about).norm(), axis.dot(about).abs());
                // Axes from a file have six digits or more.
                if angle > 1e-5 {
                    all.push((self.id(c), self.id(joint), angle));
                }
            }
        }
        all
    }
    /// Whether anything may push and not pull, or only so much: a limit, a contact, dry friction that holds.
    pub fn has_inequalities(&self) -> bool {
        !self.inequalities.is_empty() || self.contacts.shapes.len() > 1 || !self.frictions.is_empty()
    }
    /// Whether every inequality is a limit of the angle of a hinge.
    pub(crate) fn has_only_hinge_limits(&self) -> bool {
        let is_hinge =
            |joint: JointId| self.joints[joint.index()].kind.about().closed_form == ClosedForm::Revolute;
        let is_limit = |inequality: &ModelInequality| matches!(inequality.origin, InequalityOrigin::Limit { joint, coordinate: 0, .. } if is_hinge(joint));
        self.frictions.is_empty() && self.contacts.shapes.len() <= 1 && self.inequalities.iter().all(is_limit)
    }
    /// Whether joint coordinates say all: a forest of rigid bodies on lower pairs, without loops or constraints; without
    /// contact or dry friction that sticks, too, unless the integrator is `time-stepping`.
    pub(crate) fn suits_joint_coordinates(&self, integrator: Integrator) -> bool {
        let is_rigid = self.bodies.iter().all(|body| body.kind == BodyKind::Rigid);
        let is_forest = self.joints.iter().all(|joint| self.forest.role(joint.link) == Role::Primary);
        is_rigid
            && is_forest
            && crate::step::places_all_bodies(self)
            && self.constraints.is_empty()
            && match integrator {
                Integrator::TimeStepping => !self.joints.is_empty(),
                _ => self.has_only_joint_limits(),
            }
    }
    /// Whether its inequalities are limits of joints.
    pub(crate) fn has_only_joint_limits(&self) -> bool {
        let is_limit =
            |inequality: &ModelInequality| matches!(inequality.origin, InequalityOrigin::Limit { .. });
        self.frictions.is_empty() && self.contacts.shapes.len() <= 1 && self.inequalities.iter().all(is_limit)
    }
    /// Limits of a coordinate of a joint, infinite where there is none \[m or rad\].
    pub(crate) fn limits_of(&self, joint: usize, coordinate: usize) -> (f64, f64) {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for inequality in &self.inequalities {
            if let InequalityOrigin::Limit { joint: j, coordinate: k, side } = inequality.origin
                && (j.index(), k) == (joint, coordinate)
            {
                match side {
                    LimitSide::Low => low = larger(low, inequality.limit_value),
                    LimitSide::High => high = -larger(-high, -inequality.limit_value),
                }
            }
        }
        (low, high)
    }
    /// Dry friction of joints that holds at rest, in the order of the joints.
    pub fn frictions(&self) -> &[ModelFriction] {
        &self.frictions
    }
    /// The forces in id order.
    pub fn forces(&self) -> &[ModelForce] {
        &self.forces
    }
    /// The probes in id order.
    pub fn probes(&self) -> &[ModelProbe] {
        &self.probes
    }
    /// The state the description starts from.
    pub fn initial_state(&self) -> &State {
        &self.initial
    }
    /// The model with another state to start from, at time zero, such as an equilibrium.
    ///
    /// # Errors
    /// If the state belongs to a model of another structure; see [`crate::Simulation::restore`].
    pub fn starting_from(mut self, state: &State) -> Result<Self, crate::StepError> {
        if !self.initial.fits(state) {
            return Err(crate::StepError::OtherModel);
        }
        self.initial.q.copy_from_slice(&state.q);
        self.initial.v.copy_from_slice(&state.v);
        self.initial.turns.copy_from_slice(&state.turns);
        Ok(self)
    }
    /// How large it is.
    pub fn counts(&self) -> Counts {
        let rows = self.graph.rows();
        Counts {
            bodies: self.bodies.len(),
            joints: self.joints.len() + self.constraints.len(),
            coordinates: self.v_len,
            rows,
            variables: self.v_len + rows,
        }
    }
    /// Whether a joint is part of the spanning tree, closes a loop, or is auxiliary.
    /// `None` if the model has no such joint.
    pub fn joint_role(&self, joint: JointId) -> Option<Role> {
        self.joint(joint).map(|joint| self.forest.role(joint.link))
    }
    /// Whether a constraint is part of the spanning tree, closes a loop, or is auxiliary. `None` if the model has no such
    /// constraint.
    pub fn constraint_role(&self, constraint: ConstraintId) -> Option<Role> {
        self.constraint(constraint).map(|constraint| self.forest.role(constraint.link))
    }
    /// The layout of joint-space arrays: which joints have which positions, rates and efforts.
    pub fn joint_order(&self) -> &JointOrder {
        self.joint_order.get_or_init(|| JointOrder::new(self))
    }
    /// Whether anything but gravity acts, or may act: a force, a spring in a joint, an inequality.
    pub(crate) fn has_forces(&self) -> bool {
        !self.forces.is_empty() || self.has_inequalities() || self.joints.iter().any(ModelJoint::has_forces)
    }
    /// Whether a joint has a rotor.
    pub(crate) fn has_armature(&self) -> bool {
        self.joints.iter().any(|joint| joint.armature != 0.0)
    }
    /// Bytes of a plan: one per joint, one per row of the user's constraints.
    pub(crate) fn plan_len(&self) -> usize {
        self.joints.len() + self.constraints.iter().map(|c| c.rows).sum::<usize>()
    }
    /// A length of the mechanism \[m\]: the mean arm at which joints hold bodies.
    ///
    /// Joints may hold all bodies in their centres, to rounding; the mean is noise then. So it is at least a part of the lengths that
    /// there are besides: radii of gyration, and arms of constraints.
    pub(crate) fn length(&self) -> f64 {
        // So small that other lengths count only where arms do not.
        const PART: f64 = 1.0 / 16.0;
        let mean = |lengths: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = lengths.fold((0.0, 0.0), |(sum, count), l| (sum + l, count + 1.0));
            Some(sum / count).filter(|mean: &f64| mean.is_finite()).unwrap_or(0.0)
        };
        let arm = |at: &Attachment| at.body().map(|_| at.local.pos.norm());
        let ends = self.joints.iter().flat_map(|joint| [&joint.a, &joint.b]);
        let arms = mean(&mut ends.filter_map(arm));
        let turning = self.bodies.iter().filter(|body| body.kind.has_orientation());
        let radii = mean(&mut turning.map(|body| (body.mass.inertia.trace() / body.mass.mass).sqrt()));
        let others = mean(&mut self.constraints.iter().flat_map(|c| &c.frames).filter_map(arm));
        let lengths = match arms > 0.0 {
            true => [larger(arms, PART * larger(radii, others)), 1.0],
            // Nothing else to measure by: no part of it, but all.
            false => [radii, others],
        };
        lengths.into_iter().find(|length| *length > 0.0).unwrap_or(1.0)
    }
    /// The connections alone, for a solver.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    pub(crate) fn bytes(&self) -> usize {
        // What is shared counts where it was made.
        let of_body = |i: usize, b: &ModelBody| {
            let before = i.checked_sub(1).map(|i| &self.bodies[i]);
            let mass =
                if before.is_some_and(|a| Arc::ptr_eq(&a.mass, &b.mass)) { 0 } else { size_of_val(&*b.mass) };
            let shapes = if before.is_some_and(|a| Arc::ptr_eq(&a.shapes, &b.shapes)) {
                0
            } else {
                size_of_val(&*b.shapes)
            };
            size_of::<ModelBody>() + b.name.capacity() + mass + shapes
        };
        let bodies = self.bodies.iter().enumerate().map(|(i, b)| of_body(i, b));
        let joints = self.joints.iter().map(|j| {
            let springs = size_of_val(&*j.springs);
            let efforts: usize = j.efforts.iter().map(Effort::bytes).sum();
            let boxed = j.plane.as_ref().map_or(0, |_| size_of::<Plane>())
                + j.zeros.as_ref().map_or(0, |_| size_of::<[f64; MAX_COORDINATES]>())
                + j.driven.as_ref().map_or(0, |_| size_of::<Driven>())
                + j.motors.as_ref().map_or(0, |motors| size_of_val(&**motors));
            size_of::<ModelJoint>() + j.name.capacity() + springs + efforts + boxed
        });
        let drives = self.drives.iter().map(|d| size_of::<ModelDrive>() + d.law.bytes());
        let parts: usize = bodies.chain(joints).chain(drives).sum();
        parts + self.graph.bytes() + self.forest.bytes() + self.initial.bytes()
    }

    /// The joint or constraint that owns a row of the system, and the number of the row in it.
    pub(crate) fn owner_of_row(&self, row: usize) -> (&str, usize) {
        let (link, within) = self.graph.link_of_row(row);
        (self.name_of_link(link), within)
    }
    /// The joint or constraint behind a link of the graph.
    pub fn name_of_link(&self, link: Link) -> &str {
        let index = link.0 as usize;
        match self.joints.get(index) {
            Some(joint) => &joint.name,
            None => &self.constraints[index - self.joints.len()].name,
        }
    }
}

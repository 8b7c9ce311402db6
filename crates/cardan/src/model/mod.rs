//! The model: what exists. It does not change while stepping, and many states can share it.

mod builder;
mod error;
mod ids;
mod lookup;

pub(crate) use builder::{ConstraintSpec, RunningState};
pub use builder::{ModelBuilder, Probe};
pub use error::BuildError;
pub use ids::{BodyId, ConstraintId, End, ForceId, ImpulseId, InequalityId, JointId, ProbeId, ShapeId};
pub(crate) use ids::{Id, IdSource};

use crate::body::general::{Carrier, GeneralBody};
use crate::body::{BodyKind, Frame, MassProperties, PlacedShape};
use crate::constraint::Constraint;
use crate::contact::{Contacts, ModelShape};
use crate::force::ForceKind;
use crate::impulse::{Impulse, ModelImpulse};
use crate::inequality::InequalityOrigin;
use crate::joint::drive::Driven;
use crate::joint::{
    ClosedForm, DriveMode, Effort, JointKind, JointRows, JointSpring, MAX_COORDINATES, Plane, Relative,
};
use crate::law::{Jet, Law};
use crate::math::{Vec3, larger};
use crate::state::State;
use crate::step::StepError;
use cardan_solve::{Block, Forest, Graph, Link, Role};
use std::sync::Arc;

/// A body of a model.
#[derive(Clone, Debug)]
pub struct ModelBody {
    /// Its name.
    pub name: String,
    /// Which freedoms it has.
    pub kind: BodyKind,
    /// Mass properties in the body frame; bodies that are made one after another and have the same share them.
    pub mass: Arc<MassProperties>,
    /// What it looks like; shared likewise.
    pub shapes: Arc<[PlacedShape]>,
    pub(crate) block: Block,
    pub(crate) q_at: u32,
    pub(crate) v_at: u32,
    /// What only its figure knows, if its kind is general.
    pub(crate) general: Option<Box<GeneralBody>>,
}

impl ModelBody {
    /// Where its coordinates are in a state.
    pub(crate) fn q_range(&self) -> core::ops::Range<usize> {
        self.q_at as usize..self.q_at as usize + self.kind.coordinates()
    }
    /// Where its velocities are in a state.
    pub(crate) fn v_range(&self) -> core::ops::Range<usize> {
        self.v_at as usize..self.v_at as usize + self.kind.dim()
    }
    /// Sizes of a displacement, or of a velocity: of its centre of mass, and of its turn. Freedoms that are neither count by how far they
    /// move the mass.
    pub(crate) fn sizes(&self, x: &[f64]) -> (f64, f64) {
        let Some(general) = &self.general else {
            // Displacements are laid out like forces.
            let parts = self.kind.as_wrench(x);
            return (parts.force.norm(), parts.torque.norm());
        };
        let at = |i: usize| Vec3::new(x[i], x[i + 1], x[i + 2]).norm();
        let (shift, turn, own) = if self.kind.moves_freely() { (at(0), at(3), 6) } else { (0.0, 0.0, 0) };
        let others = x.iter().zip(&general.units).skip(own).map(|(x, unit)| x.abs() * unit);
        (others.fold(shift, larger), turn)
    }
    /// How many coordinates it has beyond where its frame is and how it is turned: scales, an angle, u of q(u).
    pub fn internal_coordinates(&self) -> usize {
        match self.general {
            None => 0,
            Some(_) => self.kind.dim() - if self.kind.moves_freely() { 6 } else { 0 },
        }
    }
    /// Whether the world holds it without a joint: its momentum is not its own.
    pub(crate) fn is_grounded(&self) -> bool {
        self.general.as_ref().is_some_and(|general| general.is_grounded())
    }
}

/// One end of a joint, force or probe: the body's index (`None` is the ground) and a frame from its centre of mass, or from its carrier if the
/// body is general.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Attachment {
    /// Index of the body; [`NONE`] for the ground.
    on: u32,
    /// The piece of a general body, and the carrier there, or [`NONE`].
    pub(crate) piece: u32,
    carried: u32,
    pub(crate) local: Frame,
}

/// No such number.
const NONE: u32 = u32::MAX;

impl Attachment {
    /// On a body of one piece, or on the ground.
    pub(crate) fn new(body: Option<usize>, local: Frame) -> Self {
        Attachment { on: body.map_or(NONE, |body| body as u32), piece: 0, carried: NONE, local }
    }
    /// On a piece of a general body.
    pub(crate) fn on_piece(body: usize, piece: u32, local: Frame) -> Self {
        Attachment { piece, ..Attachment::new(Some(body), local) }
    }
    /// The body; `None` is the ground.
    #[inline]
    pub(crate) fn body(&self) -> Option<usize> {
        (self.on != NONE).then_some(self.on as usize)
    }
    /// The body as an id that every model accepts; `None` is the ground.
    pub(crate) fn body_id(&self) -> Option<BodyId> {
        self.body().map(BodyId::of_index)
    }
    /// The carrier on a general body.
    #[inline]
    pub(crate) fn carrier(&self) -> Option<u32> {
        (self.carried != NONE).then_some(self.carried)
    }
    pub(crate) fn set_carrier(&mut self, carrier: Option<u32>) {
        self.carried = carrier.unwrap_or(NONE);
    }
}

/// A joint of a model.
#[derive(Clone, Debug)]
pub struct ModelJoint {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub kind: JointKind,
    /// Springs along its coordinates.
    pub springs: Box<[JointSpring]>,
    /// Other forces along its coordinates, those of drives among them.
    pub efforts: Box<[Effort]>,
    /// Values of the coordinates where the frames coincide, if any is not zero.
    pub(crate) zeros: Option<Box<[f64; MAX_COORDINATES]>>,
    pub(crate) a: Attachment,
    pub(crate) b: Attachment,
    /// Set if the joint lives in the x–y plane.
    pub(crate) plane: Option<Box<Plane>>,
    pub(crate) link: Link,
    pub(crate) first_row: u32,
    /// Those of its kind, and one per drive.
    pub(crate) row_count: u8,
    /// Coordinates whose turns are counted, a bit each, and where those of the first are stored; the others' follow.
    pub(crate) counted: u8,
    pub(crate) first_turn: u32,
    /// Coordinates that laws prescribe, if there are any.
    pub(crate) driven: Option<Box<Driven>>,
    /// Rows of the system whose multiplier pushes along a coordinate, to keep a point on its path; if there are any.
    pub(crate) motors: Option<Box<[Option<usize>; MAX_COORDINATES]>>,
    /// Whether a coupler or a path names it: it must stay of its kind.
    pub(crate) coupled: bool,
}

impl ModelJoint {
    /// Number of scalar conditions.
    #[inline]
    pub fn rows(&self) -> usize {
        self.row_count as usize
    }
    /// Of those, the ones of its kind; the others, after them, are drives of its coordinates.
    pub fn structural_rows(&self) -> usize {
        self.rows() - self.driven_count()
    }
    /// Where its rows begin among all.
    #[inline]
    pub(crate) fn row_at(&self) -> usize {
        self.first_row as usize
    }
    /// All of them.
    #[inline]
    pub(crate) fn row_range(&self) -> core::ops::Range<usize> {
        self.row_at()..self.row_at() + self.rows()
    }
    /// Value of coordinate `k` where the frames coincide.
    #[inline]
    pub fn zero(&self, k: usize) -> f64 {
        self.zeros.as_ref().map_or(0.0, |zeros| zeros[k])
    }
    /// How many of its coordinates laws prescribe.
    pub(crate) fn driven_count(&self) -> usize {
        self.driven.as_ref().map_or(0, |driven| driven.count())
    }
    /// Coordinates that laws prescribe, and their drives.
    pub(crate) fn each_driven(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.driven.iter().flat_map(|driven| driven.each())
    }
    /// Whether a law prescribes coordinate `k`.
    pub fn is_driven(&self, k: usize) -> bool {
        self.driven.as_ref().is_some_and(|driven| driven.by[k].is_some())
    }
    /// The row whose multiplier pushes along coordinate `k`, to keep a point on its path.
    pub(crate) fn motor(&self, k: usize) -> Option<usize> {
        self.motors.as_ref().and_then(|motors| motors[k])
    }
    /// Where the turns of coordinate `k` are stored, if they are counted.
    #[inline]
    pub(crate) fn turns_of(&self, k: usize) -> Option<usize> {
        let before = self.counted & ((1 << k) - 1);
        (self.counted >> k & 1 != 0).then(|| self.first_turn as usize + before.count_ones() as usize)
    }
    /// The same of all coordinates.
    #[inline]
    pub(crate) fn turns_at(&self) -> [Option<usize>; MAX_COORDINATES] {
        core::array::from_fn(|k| self.turns_of(k))
    }
    /// Whether a law prescribes coordinate `k`, or pushes along it, or a servo or motor does.
    pub fn has_drive(&self, k: usize) -> bool {
        self.is_driven(k)
            || self.motor(k).is_some()
            || self.efforts.iter().any(|e| e.coordinate == k && e.is_active())
    }
    /// Whether anything pushes along its coordinates.
    pub(crate) fn has_forces(&self) -> bool {
        !(self.springs.is_empty() && self.efforts.is_empty())
    }
    /// Its rows at one instant, drives last. `targets` are those of the model's drives, or none where only gradients matter.
    #[inline]
    pub(crate) fn write_rows(&self, at: &Relative, targets: &[Jet], out: &mut JointRows) {
        self.kind.write_rows(at, self.plane.as_deref(), out);
        if let Some(driven) = &self.driven {
            driven.write_rows(self.kind, at, targets, out);
        }
    }
    /// The body that the joint is seen from; `None` is the ground.
    pub fn body_a(&self) -> Option<BodyId> {
        self.a.body_id()
    }
    /// The body that the joint acts on; `None` is the ground.
    pub fn body_b(&self) -> Option<BodyId> {
        self.b.body_id()
    }
    /// Which pieces of both bodies it holds; 0 unless a body has several.
    pub fn pieces(&self) -> [usize; 2] {
        [self.a.piece as usize, self.b.piece as usize]
    }
}

/// A coordinate that follows a law: position, speed or acceleration.
#[derive(Clone, Debug)]
pub(crate) struct ModelDrive {
    pub(crate) joint: usize,
    pub(crate) coordinate: usize,
    pub(crate) level: DriveMode,
    pub(crate) law: Law,
    /// Value and rate of the coordinate at t = 0, where the law is one for its derivatives.
    pub(crate) start: [f64; 2],
    /// Where its integrals are in a state, if they have no closed form.
    pub(crate) sums_at: Option<usize>,
}

/// A user constraint of a model.
#[derive(Debug)]
pub struct ModelConstraint {
    /// Its name.
    pub name: String,
    pub(crate) rule: Arc<dyn Constraint>,
    pub(crate) frames: Vec<Attachment>,
    pub(crate) link: Link,
    pub(crate) row_at: usize,
    pub(crate) rows: usize,
    /// Its force acts elsewhere than along its rows.
    pub(crate) pushed: bool,
    /// Its force is that of motors, and counts as theirs.
    pub(crate) by_motors: bool,
}

impl ModelConstraint {
    /// Number of scalar conditions.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// What it is.
    pub fn kind(&self) -> &'static str {
        self.rule.kind()
    }
    /// How many of the last lines of its outline are marks, which a drawing shows over the bodies.
    pub fn marks(&self) -> usize {
        self.rule.marks()
    }
    /// Whether `row` is a condition on poses, not on velocities only.
    pub fn has_position(&self, row: usize) -> bool {
        self.rule.has_position(row)
    }
    /// The bodies it sees, frame by frame; `None` is the ground.
    pub fn bodies(&self) -> impl Iterator<Item = Option<BodyId>> + '_ {
        self.frames.iter().map(|at| at.body_id())
    }
    /// Which pieces of these it sees; 0 unless a body has several.
    pub fn pieces(&self) -> impl Iterator<Item = usize> + '_ {
        self.frames.iter().map(|at| at.piece as usize)
    }
    /// Whether its force is that of motors at joints, and reported there.
    pub fn is_held_by_motors(&self) -> bool {
        self.by_motors
    }
    /// Whether its force acts elsewhere than along its rows.
    pub fn pushes_elsewhere(&self) -> bool {
        self.pushed
    }
}

/// A condition g ≥ 0 of a model.
#[derive(Debug)]
pub struct ModelInequality {
    /// Its name: that of the joint for a limit.
    pub name: String,
    /// Where it comes from.
    pub origin: InequalityOrigin,
    /// What is left of the speed after a blow.
    pub restitution: f64,
    pub(crate) rule: Arc<dyn Constraint>,
    pub(crate) frames: Vec<Attachment>,
}

impl ModelInequality {
    /// What it is.
    pub fn kind(&self) -> &'static str {
        self.rule.kind()
    }
    /// The bodies it sees, frame by frame; `None` is the ground.
    pub fn bodies(&self) -> impl Iterator<Item = Option<BodyId>> + '_ {
        self.frames.iter().map(|at| at.body_id())
    }
}

/// Dry friction of a joint coordinate that holds at rest.
#[derive(Debug)]
pub struct ModelFriction {
    /// Index of the joint.
    pub joint: usize,
    /// Which coordinate.
    pub coordinate: usize,
    /// While it slides [N, N·m].
    pub coulomb: f64,
    /// What it holds at rest at most [N, N·m].
    pub breakaway: f64,
    /// Its condition, whose rate is that of the coordinate.
    pub(crate) rule: crate::constraint::ModelCoupler,
    pub(crate) frames: [Attachment; 2],
}

/// A force of a model.
#[derive(Debug)]
pub struct ModelForce {
    /// Its name.
    pub name: String,
    /// The law.
    pub kind: ForceKind,
    pub(crate) frames: Vec<Attachment>,
}

impl ModelForce {
    /// The bodies it acts on, frame by frame; `None` is the ground.
    pub fn bodies(&self) -> impl Iterator<Item = Option<BodyId>> + '_ {
        self.frames.iter().map(|at| at.body_id())
    }
    /// Which pieces of these it acts on; 0 unless a body has several.
    pub fn pieces(&self) -> impl Iterator<Item = usize> + '_ {
        self.frames.iter().map(|at| at.piece as usize)
    }
}

/// A probe of a model.
#[derive(Clone, Debug)]
pub struct ModelProbe {
    /// Its name.
    pub name: String,
    pub(crate) at: Attachment,
}

impl ModelProbe {
    /// The body it sits on; `None` is the ground.
    pub fn body(&self) -> Option<BodyId> {
        self.at.body_id()
    }
    /// Which piece of that; 0 unless the body has several.
    pub fn piece(&self) -> usize {
        self.at.piece as usize
    }
}

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
#[derive(Debug)]
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
    /// The blows, by time.
    pub fn impulses(&self) -> &[ModelImpulse] {
        &self.impulses
    }
    /// Where a blow that is not the model's own would strike.
    pub(crate) fn attach_impulse(&self, impulse: &Impulse) -> Result<Attachment, StepError> {
        let bad = |what: String| Err(StepError::BadImpulse { what });
        let finite = [impulse.point, impulse.impulse, impulse.angular_impulse].iter().all(|v| v.is_finite());
        if !finite {
            return bad("point, impulse and angular impulse must be finite numbers".into());
        }
        let (id, piece) = match impulse.body {
            End::Ground => return bad("the ground never moves; name a body".into()),
            End::Body(id) => (id, 0),
            End::Piece(id, piece) => (id, piece),
        };
        let Some(body) = self.bodies.get(id.index()).filter(|_| id.generation == 0) else {
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
                    "`{name}` ({}) has no rigid piece of that number; such a blow has to be one of the model's own",
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
                    "`{name}` is a point mass: strike it at [0, 0, 0], in world axes, without an angular impulse"
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
    /// Whether a joint is part of the spanning tree, closes a loop, or is solved apart.
    /// `None` if the model has no such joint.
    pub fn role(&self, joint: JointId) -> Option<Role> {
        self.joint(joint).map(|joint| self.forest.role(joint.link))
    }
    /// Whether a constraint is part of the spanning tree, closes a loop, or is solved apart. `None` if the model has no such
    /// constraint.
    pub fn constraint_role(&self, constraint: ConstraintId) -> Option<Role> {
        self.constraint(constraint).map(|constraint| self.forest.role(constraint.link))
    }
    /// Whether anything but gravity acts, or may act: a force, a spring in a joint, an inequality.
    pub(crate) fn has_forces(&self) -> bool {
        !self.forces.is_empty() || self.has_inequalities() || self.joints.iter().any(ModelJoint::has_forces)
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

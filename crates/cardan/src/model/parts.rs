//! Parts of a model: what descriptions became.

use super::{BodyId, JointId};
use crate::body::general::GeneralBody;
use crate::body::{BodyKind, Frame, MassProperties, PlacedShape};
use crate::constraint::{Constraint, ModelCoupler};
use crate::force::ForceKind;
use crate::inequality::InequalityOrigin;
use crate::joint::drive::Driven;
use crate::joint::effort::DryFriction;
use crate::joint::{DriveMode, Effort, JointKind, JointRows, JointSpring, MAX_COORDINATES, Plane, Relative};
use crate::law::{Jet, Law};
use crate::math::{Vec3, larger};
use cardan_solve::{Block, Link};
use std::sync::Arc;

/// A body of a model.
#[derive(Clone, Debug)]
pub struct ModelBody {
    /// Its name.
    pub name: String,
    /// Which freedoms it has.
    pub kind: BodyKind,
    /// Mass properties in the body frame; consecutive bodies with equal properties share them.
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
    /// How many pieces joints can be attached to; 1 unless it is a general body with several.
    pub fn pieces(&self) -> usize {
        self.general.as_ref().map_or(1, |general| general.form.pieces().len())
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
    /// Reflected inertia of a rotor along the one freedom \[kg·m² or kg\].
    pub armature: f64,
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
    /// Where the turns of every coordinate are stored, if they are counted.
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
    pub(crate) mode: DriveMode,
    pub(crate) law: Law,
    /// Value and rate of the coordinate at t = 0, where the law is one for its derivatives.
    pub(crate) start: [f64; 2],
    /// Where its integrals are in a state, if they have no closed form.
    pub(crate) sums_at: Option<usize>,
}

/// A user constraint of a model.
#[derive(Clone, Debug)]
pub struct ModelConstraint {
    /// Its name.
    pub name: String,
    pub(crate) rule: Arc<dyn Constraint>,
    /// The rule again, if it is a coupler.
    pub(crate) coupler: Option<Arc<ModelCoupler>>,
    pub(crate) frames: Vec<Attachment>,
    pub(crate) link: Link,
    pub(crate) row_at: usize,
    pub(crate) rows: usize,
    /// Its force acts elsewhere than along its rows.
    pub(crate) pushed: bool,
    /// Motors at joints give its force, and it is reported there.
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
#[derive(Clone, Debug)]
pub struct ModelInequality {
    /// Its name: that of the joint for a limit.
    pub name: String,
    /// Where it comes from.
    pub origin: InequalityOrigin,
    /// Coefficient of restitution: the part of the speed of approach that is left after an impact.
    pub restitution: f64,
    pub(crate) rule: Arc<dyn Constraint>,
    pub(crate) frames: Vec<Attachment>,
    /// Value of the coordinate at a limit of a joint, NaN for others \[m or rad\].
    pub(crate) limit_value: f64,
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
#[derive(Clone, Debug)]
pub struct ModelFriction {
    /// The joint.
    pub joint: JointId,
    /// Which coordinate.
    pub coordinate: usize,
    /// While it slides [N, N·m].
    pub coulomb: f64,
    /// What it holds at rest at most [N, N·m].
    pub breakaway: f64,
    /// All of its law.
    pub(crate) law: DryFriction,
    /// Its condition, whose rate is that of the coordinate.
    pub(crate) rule: ModelCoupler,
    pub(crate) frames: [Attachment; 2],
}

/// A force of a model.
#[derive(Clone, Debug)]
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

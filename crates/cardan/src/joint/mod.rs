//! Joints: conditions on the frame of b seen from the frame of a.
//!
//! A joint frame sits on each body. With p the origins, R the axes, ω the angular velocities,
//!
//!   d = p_b − p_a                     y = R_aᵀ d                       shift            \[m\]
//!   q = q_a⁻¹ q_b                                                      turn
//!   ẏ = R_aᵀ (ḋ − ω_a × d)            w = R_aᵀ (ω_b − ω_a)             rate, spin
//!   ÿ = R_aᵀ (d̈ − ω̇_a × d − 2 ω_a × ḋ + ω_a × (ω_a × d))
//!   ẇ = R_aᵀ (ω̇_b − ω̇_a − ω_a × ω_b)
//!
//! A kind states C(y, q), its gradient G with Ċ = G·(ẏ, w), and the rest h of C̈ = G·(ÿ, ẇ) + h. The rows on b
//! are then the wrenches R_a G at b's frame, and the rows on a are exactly their opposites, carried to a's frame:
//!
//!   J_b = pull_back_b(R_a G at p_b)       J_a = −pull_back_a(R_a G at p_b) = −J_b X
//!
//! also when the joint is not closed (docs/joints.md). No kind writes J_a by hand, and none knows what
//! its bodies are.

mod description;
pub(crate) mod drive;
pub mod effort;
mod lock;

mod aligned;
mod bead_on_circle;
mod cylindrical;
mod distance;
mod fixed;
mod pin_slot;
mod planar;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod revolute;
mod spherical;
mod universal;

pub use description::{
    Anchor, Axes, ClosedForm, Coordinate, JointDescription, PlanarFit, PlanarVariant, Symbol,
};
pub use drive::{Drive, DriveMode};
pub use effort::{CurveSpring, DryFriction, Effort, EffortKind, Motor, Servo, SpeedCurve};
pub use lock::Locks;

use description::JointEquations;
use drive::CoordinateRow;

use crate::body::{BodyKind, Frame, FrameMotion, Motion, Wrench};
use crate::inequality::JointLimit;
use crate::law::Law;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::End;

/// Rows that one joint can have at most.
pub const MAX_ROWS: usize = 6;
/// Coordinates that one joint can have at most.
pub const MAX_COORDINATES: usize = 5;

/// Makes the list of kinds out of lines `Variant { length: f64 = value in ALL } in file`: the enum, [`JointKind::ALL`], and the way from a
/// variant to what its file says. A kind is joined by a file and its line here.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident $({ $(#[doc = $of:literal])+ $field:ident: f64 = $value:literal })? in $file:ident,)+) => {
        /// What a joint allows.
        #[derive(Copy, Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum JointKind {
            $($(#[doc = $doc])+ $kind $({ $(#[doc = $of])+ $field: f64 })?,)+
            /// Any of the shifts along and turns about the axes of a's frame is locked.
            Lock {
                /// Which.
                locks: Locks,
            },
        }

        impl JointKind {
            /// One of every kind but [`JointKind::Lock`], for tests and tables.
            pub const ALL: [JointKind; [$(stringify!($kind)),+].len()] =
                [$(JointKind::$kind $({ $field: $value })?),+];

            /// What is true of it.
            #[inline]
            pub const fn about(self) -> &'static JointDescription {
                match self {
                    $(JointKind::$kind $({ $field: _ })? => &$file::$kind::ABOUT,)+
                    JointKind::Lock { locks } => lock::description(locks),
                }
            }

            #[inline]
            fn rows_of_kind(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
                match self {
                    $(JointKind::$kind $({ $field })? => $file::$kind $({ $field })?.rows(at, plane, out),)+
                    JointKind::Lock { locks } => lock::rows(locks, at, plane, out),
                }
            }

            fn coordinates_of_kind(self, at: &Relative, out: &mut JointCoordinates) {
                match self {
                    $(JointKind::$kind $({ $field })? => $file::$kind $({ $field })?.coordinates(at, out),)+
                    JointKind::Lock { locks } => lock::coordinates(locks, at, out),
                }
            }

            /// Coordinate `k` as a condition, a's axes.
            pub(crate) fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
                match self {
                    $(JointKind::$kind $({ $field })? => $file::$kind $({ $field })?.coordinate_row(k, at),)+
                    JointKind::Lock { locks } => lock::coordinate_row(locks, k, at),
                }
            }

            /// The same kind with its length, if it has one.
            pub fn with_size(self, size: f64) -> Self {
                match self {
                    $(JointKind::$kind $({ $field: _ })? => JointKind::$kind $({ $field: size })?,)+
                    JointKind::Lock { locks } => JointKind::Lock { locks },
                }
            }

            /// The length that belongs to it \[m\], if one does, under its name in scene files.
            pub fn size(self) -> Option<(&'static str, f64)> {
                match self {
                    $(JointKind::$kind $({ $field })? => $file::$kind $({ $field })?.size(),)+
                    JointKind::Lock { .. } => None,
                }
            }
        }
    };
}
kinds! {
    /// Nothing moves.
    Fixed in fixed,
    /// Turns about the z axis of its frames.
    Revolute in revolute,
    /// Slides along the z axis of its frames.
    Prismatic in prismatic,
    /// Slides along and turns about the z axis of its frames.
    Cylindrical in cylindrical,
    /// Turns about a point.
    Spherical in spherical,
    /// Turns about the z axis of a's frame and about the x axis of b's frame, which stay perpendicular and meet.
    Universal in universal,
    /// Slides on the x–y plane of a's frame and turns about its normal z.
    Planar in planar,
    /// A point of b stays on the z axis of a's frame.
    PointOnLine in point_on_line,
    /// A point of b stays on the x–y plane of a's frame.
    PointOnPlane in point_on_plane,
    /// The z axes of the frames stay parallel; their origins are free.
    Aligned in aligned,
    /// Two points stay a fixed distance apart.
    Distance {
        /// The distance \[m\].
        length: f64 = 1.0
    } in distance,
    /// A point of b stays on a circle about the z axis of a's frame.
    BeadOnCircle {
        /// Radius of the circle \[m\].
        radius: f64 = 1.0
    } in bead_on_circle,
    /// Slides along the x axis of a's frame and turns about the z axis of its frames.
    PinSlot in pin_slot,
}

impl JointKind {
    /// The named locks that no other kind has; every [`Locks`] makes a kind.
    pub const LOCKS: [JointKind; 5] = [
        JointKind::Lock { locks: Locks::OLDHAM },
        JointKind::Lock { locks: Locks::ORIENTATION },
        JointKind::Lock { locks: Locks::PERPENDICULAR },
        JointKind::Lock { locks: Locks::UNIVERSAL_ON_LINE },
        JointKind::Lock { locks: Locks::UNIVERSAL_ON_PLANE },
    ];

    /// The name used in scene files.
    pub const fn name(self) -> &'static str {
        self.about().name
    }
    /// Number of scalar conditions in space.
    pub const fn rows(self) -> usize {
        self.about().rows()
    }
    /// Number of scalar conditions between planar bodies; 0 for a kind that does not fit there. For locks it depends on how the plane lies, and
    /// this is the most it can be.
    pub const fn planar_rows(self) -> usize {
        self.about().planar.rows
    }
    /// Number of scalar conditions in a plane that is seen from a's frame so.
    pub(crate) fn rows_in(self, plane: &Plane) -> usize {
        match self {
            JointKind::Lock { locks } => locks.planar_rows(plane),
            kind => kind.planar_rows(),
        }
    }
    /// Number of reported coordinates.
    pub const fn coordinates(self) -> usize {
        self.about().coordinates.len()
    }
    /// True if coordinate `k` is an angle whose turns are counted.
    pub const fn counts_turns(self, k: usize) -> bool {
        matches!(self.about().coordinate(k), Some(Coordinate { counts_turns: true, .. }))
    }
    /// True if coordinate `k` is an angle, false if it is a length.
    pub const fn is_angle(self, k: usize) -> bool {
        matches!(self.about().coordinate(k), Some(Coordinate { is_angle: true, .. }))
    }
    /// Whether coordinate `k` can be driven, or have a force along it: whether it measures one freedom. In the plane fewer do.
    pub const fn can_be_driven(self, k: usize, in_plane: bool) -> bool {
        match self.about().coordinate(k) {
            Some(coordinate) => {
                if in_plane {
                    coordinate.acts_in_plane
                } else {
                    coordinate.acts
                }
            }
            None => false,
        }
    }
    /// Number of coordinates that measure a freedom each; they come first.
    pub const fn acting(self) -> usize {
        let mut k = 0;
        while self.can_be_driven(k, false) {
            k += 1;
        }
        k
    }
    /// Whether the frame on a, and the frame on b, must be able to turn.
    pub const fn needs_orientation(self) -> (bool, bool) {
        self.about().needs_orientation
    }
    /// The axis of b's frame that is kept on a's, or parallel to it: pointing the other way is another assembly.
    pub(crate) const fn aligned_axis(self) -> Option<Vec3> {
        self.about().aligned_axis
    }
    /// True if it has a cross whose second arm is x of b's frame, so that a second axis must be given.
    pub const fn has_cross(self) -> bool {
        matches!(self.about().axes, Axes::Cross)
    }
    /// True if the z axis of the frames means something, so that an axis must be given.
    pub const fn needs_axis(self) -> bool {
        !matches!(self.about().axes, Axes::None)
    }

    #[inline]
    pub(crate) fn write_rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        out.count = 0;
        self.rows_of_kind(at, plane, out);
    }
    /// The coordinates of two frames given in the world, within half a turn, as their pose alone has them.
    pub fn coordinates_of(self, a: &Frame, b: &Frame) -> [f64; MAX_COORDINATES] {
        let at = Relative::new(&Motion::GROUND.attach(a), &Motion::GROUND.attach(b));
        let mut out = JointCoordinates::default();
        self.write_coordinates(&at, &mut out);
        out.value
    }

    /// λ of the rows that make up a wrench on b at b's anchor, a's axes: the inverse of Gᵀ λ on the locked directions.
    pub(crate) fn multipliers(self, at: &Relative, force: Vec3, torque: Vec3, out: &mut [f64]) {
        match self.about().closed_form {
            ClosedForm::Spherical => out.copy_from_slice(&force.to_array()),
            ClosedForm::Revolute => {
                let z = (at.turn * Vec3::Z).z;
                out.copy_from_slice(&[force.x, force.y, force.z, torque.x / z, torque.y / z]);
            }
            ClosedForm::Fixed => {
                out[..3].copy_from_slice(&force.to_array());
                out[3..].copy_from_slice(&at.turn_multipliers(torque).to_array());
            }
            ClosedForm::Prismatic => {
                out[..2].copy_from_slice(&[force.x, force.y]);
                out[2..].copy_from_slice(&at.turn_multipliers(torque).to_array());
            }
            ClosedForm::Cylindrical => {
                let z = (at.turn * Vec3::Z).z;
                out.copy_from_slice(&[force.x, force.y, torque.x / z, torque.y / z]);
            }
            ClosedForm::Universal => {
                let n = at.cross_axis();
                out[..3].copy_from_slice(&force.to_array());
                out[3] = torque.dot(n) / n.dot(n);
            }
            ClosedForm::Planar => {
                let z = (at.turn * Vec3::Z).z;
                out.copy_from_slice(&[force.z, torque.x / z, torque.y / z]);
            }
            // Its rows are multipliers themselves.
            ClosedForm::Rows => {}
        }
    }

    pub(crate) fn write_coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        *out = JointCoordinates::default();
        self.coordinates_of_kind(at, out);
    }
}

impl core::fmt::Display for JointKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a joint sits.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Placement {
    /// One point and one axis of the world, in the bodies' starting pose; both bodies get a frame there.
    World {
        /// The point; b's origin if left out.
        anchor: Option<Vec3>,
        /// The axis; it becomes z of both frames. May be left out where the kind has none.
        axis: Option<Vec3>,
        /// The second axis of a universal joint, perpendicular to the first; it becomes x of both frames.
        axis2: Option<Vec3>,
    },
    /// A frame given in each body.
    Frames {
        /// From a's body frame; from the world for the ground.
        in_a: Frame,
        /// From b's body frame; from the world for the ground.
        in_b: Frame,
    },
}

/// A joint as a description.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    /// Unique name; empty for an automatic one (`j0`, `j1`, …).
    pub name: String,
    /// What it allows.
    pub kind: JointKind,
    /// The body it is seen from.
    pub a: End,
    /// The body it acts on: reactions are reported for this one.
    pub b: End,
    /// Where it sits.
    pub placement: Placement,
    /// Values of the coordinates when the frames coincide.
    pub zero: [f64; MAX_COORDINATES],
    /// Springs along its coordinates.
    pub springs: Vec<JointSpring>,
    /// Laws that its coordinates follow, or that push along them.
    pub drives: Vec<Drive>,
    /// Other forces along its coordinates.
    pub efforts: Vec<Effort>,
    /// Limits of its coordinates.
    pub limits: Vec<JointLimit>,
}

/// A spring and damper along one coordinate of a joint; the damper alone is viscous friction.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointSpring {
    /// Which coordinate.
    pub coordinate: usize,
    /// N/m or N·m/rad.
    pub stiffness: f64,
    /// N·s/m or N·m·s/rad.
    pub damping: f64,
    /// Value of the coordinate at which the spring is slack.
    pub rest: f64,
    /// Reported in the friction part of the reaction instead of the drive part.
    pub is_friction: bool,
}

impl JointSpring {
    /// A spring that pushes with `preload` where the coordinate is `rest`: its slack value is elsewhere.
    pub fn preloaded(coordinate: usize, stiffness: f64, damping: f64, rest: f64, preload: f64) -> Self {
        JointSpring { coordinate, stiffness, damping, rest: rest + preload / stiffness, is_friction: false }
    }
    /// The generalised force along the coordinate, on b.
    pub(crate) fn force(&self, value: f64, rate: f64) -> f64 {
        -(self.stiffness * (value - self.rest) + self.damping * rate)
    }
    /// The energy that it stores.
    pub(crate) fn energy(&self, value: f64) -> f64 {
        let stretch = value - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }
}

impl Joint {
    fn of(kind: JointKind, a: impl Into<End>, b: impl Into<End>, placement: Placement) -> Self {
        Joint {
            name: String::new(),
            kind,
            a: a.into(),
            b: b.into(),
            placement,
            zero: [0.0; MAX_COORDINATES],
            springs: Vec::new(),
            drives: Vec::new(),
            efforts: Vec::new(),
            limits: Vec::new(),
        }
    }

    /// A joint of any kind at a point and axis of the world, in the starting pose.
    pub fn at(
        kind: JointKind,
        a: impl Into<End>,
        b: impl Into<End>,
        anchor: impl Into<Vec3>,
        axis: impl Into<Vec3>,
    ) -> Self {
        let placement =
            Placement::World { anchor: Some(anchor.into()), axis: Some(axis.into()), axis2: None };
        Joint::of(kind, a, b, placement)
    }
    /// A joint of any kind between a frame of a and a frame of b.
    pub fn between(kind: JointKind, a: impl Into<End>, in_a: Frame, b: impl Into<End>, in_b: Frame) -> Self {
        Joint::of(kind, a, b, Placement::Frames { in_a, in_b })
    }
    /// Welds b to a as they stand.
    pub fn fixed(a: impl Into<End>, b: impl Into<End>) -> Self {
        Joint::of(JointKind::Fixed, a, b, Placement::World { anchor: None, axis: None, axis2: None })
    }
    /// A hinge at a point and axis of the world.
    pub fn revolute(
        a: impl Into<End>,
        b: impl Into<End>,
        anchor: impl Into<Vec3>,
        axis: impl Into<Vec3>,
    ) -> Self {
        Joint::at(JointKind::Revolute, a, b, anchor, axis)
    }
    /// A slider along an axis of the world through a point.
    pub fn prismatic(
        a: impl Into<End>,
        b: impl Into<End>,
        anchor: impl Into<Vec3>,
        axis: impl Into<Vec3>,
    ) -> Self {
        Joint::at(JointKind::Prismatic, a, b, anchor, axis)
    }
    /// A shaft in a sleeve: slides along and turns about an axis of the world through a point.
    pub fn cylindrical(
        a: impl Into<End>,
        b: impl Into<End>,
        anchor: impl Into<Vec3>,
        axis: impl Into<Vec3>,
    ) -> Self {
        Joint::at(JointKind::Cylindrical, a, b, anchor, axis)
    }
    /// A cross (Cardan, Hooke) at a point of the world: turns about `axis`, which stays with a, and about the
    /// perpendicular `axis2`, which stays with b.
    pub fn universal(
        a: impl Into<End>,
        b: impl Into<End>,
        anchor: impl Into<Vec3>,
        axis: impl Into<Vec3>,
        axis2: impl Into<Vec3>,
    ) -> Self {
        let (anchor, axis, axis2) = (Some(anchor.into()), Some(axis.into()), Some(axis2.into()));
        Joint::of(JointKind::Universal, a, b, Placement::World { anchor, axis, axis2 })
    }
    /// A puck on a table: slides on a plane of the world through a point and turns about its normal.
    pub fn planar(
        a: impl Into<End>,
        b: impl Into<End>,
        anchor: impl Into<Vec3>,
        normal: impl Into<Vec3>,
    ) -> Self {
        Joint::at(JointKind::Planar, a, b, anchor, normal)
    }
    /// The axes of a and b along a direction of the world stay parallel; everything else is free.
    pub fn aligned(a: impl Into<End>, b: impl Into<End>, axis: impl Into<Vec3>) -> Self {
        let placement = Placement::World { anchor: None, axis: Some(axis.into()), axis2: None };
        Joint::of(JointKind::Aligned, a, b, placement)
    }
    /// A ball joint at a point of the world.
    pub fn spherical(a: impl Into<End>, b: impl Into<End>, anchor: impl Into<Vec3>) -> Self {
        let placement = Placement::World { anchor: Some(anchor.into()), axis: None, axis2: None };
        Joint::of(JointKind::Spherical, a, b, placement)
    }
    /// A massless rod of fixed length between a point of a and a point of b.
    pub fn distance(
        a: impl Into<End>,
        point_in_a: impl Into<Vec3>,
        b: impl Into<End>,
        point_in_b: impl Into<Vec3>,
        length: f64,
    ) -> Self {
        Joint::between(JointKind::Distance { length }, a, Frame::at(point_in_a), b, Frame::at(point_in_b))
    }

    /// The same joint under a name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
    /// The same joint with a spring and damper along coordinate 0.
    pub fn with_spring(mut self, stiffness: f64, damping: f64, rest: f64) -> Self {
        self.springs.push(JointSpring { coordinate: 0, stiffness, damping, rest, is_friction: false });
        self
    }
    /// The same joint with a force along a coordinate.
    pub fn with_effort(mut self, coordinate: usize, kind: EffortKind) -> Self {
        self.efforts.push(Effort { coordinate, kind });
        self
    }
    /// The same joint with a drive on a coordinate.
    pub fn driven(mut self, coordinate: usize, level: DriveMode, law: impl Into<Law>) -> Self {
        self.drives.push(Drive { coordinate, level, law: law.into() });
        self
    }
}

/// For joints between planar bodies: the plane seen from a's joint frame.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Plane {
    /// Two directions in the plane.
    pub(crate) in_plane: [Vec3; 2],
    /// Its normal, world z.
    pub(crate) normal: Vec3,
}

impl Plane {
    /// The plane x–y of the world, seen from a joint frame with orientation `rot`.
    pub(crate) fn seen_from(rot: Quat) -> Option<Self> {
        let normal = rot.inverse() * Vec3::Z;
        // The frame's own x axis where it lies in the plane, so that rows read as expected.
        let flat = Vec3::X - normal * normal.dot(Vec3::X);
        let first = if flat.norm() > 0.5 { flat.normalized()? } else { normal.any_perpendicular()? };
        Some(Plane { in_plane: [first, normal.cross(first)], normal })
    }

    /// Why a joint between planar bodies cannot have a frame of this orientation in the world; `None` if it can.
    pub(crate) fn misfit(kind: JointKind, rot: Quat) -> Option<&'static str> {
        let z = rot * Vec3::Z;
        let along_normal = z.x.abs() <= 1e-9 && z.y.abs() <= 1e-9;
        let in_plane = z.z.abs() <= 1e-9;
        let (fits, why) = match kind.about().planar.fit {
            PlanarFit::Any => return None,
            PlanarFit::AlongNormal(why) => (along_normal, why),
            PlanarFit::InPlane(why) => (in_plane, why),
            PlanarFit::Never(why) => (false, why),
            // Told by both frames at once, `Locks::misfit`.
            PlanarFit::ByLocks => return None,
        };
        if fits { None } else { Some(why) }
    }
}

/// b's frame seen from a's frame: pose, velocity, and what the acceleration is when no body accelerates.
#[derive(Copy, Clone, Debug)]
pub struct Relative {
    /// y: origin of b's frame.
    pub shift: Vec3,
    /// q: orientation of b's frame, scalar part not negative.
    pub turn: Quat,
    /// ẏ.
    pub rate: Vec3,
    /// w: relative angular velocity.
    pub spin: Vec3,
    /// ÿ at zero generalised acceleration.
    pub bias: Vec3,
    /// ẇ at zero generalised acceleration.
    pub bias_spin: Vec3,
    /// Axes of a's frame in the world.
    pub axes_a: Mat3,
    /// d: from a's origin to b's origin, world axes.
    pub offset: Vec3,
    /// Size of the numbers that formed the shift: rounding of C is in proportion to it.
    pub reach: f64,
}

impl Relative {
    /// From the kinematics of the two frames.
    #[inline]
    pub fn new(a: &FrameMotion, b: &FrameMotion) -> Self {
        let axes_a = a.rot.matrix();
        let offset = b.pos - a.pos;
        let offset_rate = b.vel - a.vel;
        let carried = a.omega.cross(offset);
        let turn = a.rot.inverse() * b.rot;
        let bias = b.bias - a.bias - a.bias_omega.cross(offset) - a.omega.cross(offset_rate) * 2.0
            + a.omega.cross(carried);
        let bias_spin = b.bias_omega - a.bias_omega - a.omega.cross(b.omega);
        Relative {
            shift: axes_a.transpose_mul(offset),
            turn: if turn.w < 0.0 { -turn } else { turn },
            rate: axes_a.transpose_mul(offset_rate - carried),
            spin: axes_a.transpose_mul(b.omega - a.omega),
            bias: axes_a.transpose_mul(bias),
            bias_spin: axes_a.transpose_mul(bias_spin),
            axes_a,
            offset,
            reach: a.reach + b.reach,
        }
    }

    /// n = z_a × x_b, the arm of the cross about which a universal joint cannot turn; of unit length where closed.
    fn cross_axis(&self) -> Vec3 {
        let x = self.turn * Vec3::X;
        Vec3::new(-x.y, x.x, 0.0)
    }

    /// λ with (q_w + [q_v]×) λ = torque.
    fn turn_multipliers(&self, torque: Vec3) -> Vec3 {
        let q = self.turn;
        torque * q.w - q.v.cross(torque) + q.v * (q.v.dot(torque) / q.w)
    }

    /// A wrench given in a's axes, turned to world axes.
    #[inline]
    pub(crate) fn to_world(self, w: Wrench) -> Wrench {
        Wrench { force: self.axes_a * w.force, torque: self.axes_a * w.torque }
    }

    /// Minus a wrench (world axes) that acts at b's frame, as felt at a's frame.
    #[inline]
    pub(crate) fn carried_to_a(self, at_b: Wrench) -> Wrench {
        Wrench { force: -at_b.force, torque: -(at_b.torque + self.offset.cross(at_b.force)) }
    }
}

/// The rows of one joint at one instant, in a's axes.
#[derive(Copy, Clone, Debug)]
pub struct JointRows {
    /// How many.
    pub count: usize,
    /// C.
    pub err: [f64; MAX_ROWS],
    /// G: translational part as `force`, rotational part as `torque`.
    pub gradient: [Wrench; MAX_ROWS],
    /// h: what is left of C̈ when ÿ = 0 and ẇ = 0.
    pub rest: [f64; MAX_ROWS],
    /// ∂C/∂t, not zero for a drive.
    pub rates: [f64; MAX_ROWS],
    /// Size of the numbers that formed C: rounding is in proportion to it.
    pub scale: [f64; MAX_ROWS],
}

impl Default for JointRows {
    fn default() -> Self {
        JointRows {
            count: 0,
            err: [0.0; MAX_ROWS],
            gradient: [Wrench::ZERO; MAX_ROWS],
            rest: [0.0; MAX_ROWS],
            rates: [0.0; MAX_ROWS],
            scale: [0.0; MAX_ROWS],
        }
    }
}

impl JointRows {
    #[inline]
    fn push(&mut self, err: f64, gradient: Wrench, rest: f64, scale: f64) {
        let r = self.count;
        self.err[r] = err;
        self.gradient[r] = gradient;
        self.rest[r] = rest;
        self.scale[r] = scale;
        self.count = r + 1;
    }

    /// Holds the shift along a direction `e` of a's frame: C = e·y.
    #[inline]
    pub(crate) fn lock_shift(&mut self, at: &Relative, e: Vec3) {
        self.push(e.dot(at.shift), Wrench { force: e, torque: Vec3::ZERO }, 0.0, at.reach);
    }

    /// Holds the turn about a direction `e` of a's frame: C = 2 e·q_v, so that Ċ = e·w where it is closed.
    ///
    ///   2 q̇_v = q_w w + w × q_v        G = q_w e + q_v × e        h = −½ |w|² e·q_v
    #[inline]
    pub(crate) fn lock_turn(&mut self, at: &Relative, e: Vec3) {
        let q = at.turn;
        let gradient = Wrench { force: Vec3::ZERO, torque: e * q.w + q.v.cross(e) };
        self.push(2.0 * e.dot(q.v), gradient, -0.5 * at.spin.dot(at.spin) * e.dot(q.v), 1.0);
    }

    /// Keeps b's z axis on a's: C = (−z_y, z_x) with z = b's axis seen from a, so that Ċ = (w_x, w_y) where closed.
    ///
    ///   ż = w × z        G₁ = (z_z, 0, −z_x)        G₂ = (0, z_z, −z_y)        h from w × (w × z)
    #[inline]
    pub(crate) fn lock_axis(&mut self, at: &Relative) {
        let z = at.turn * Vec3::Z;
        let curve = at.spin.cross(at.spin.cross(z));
        let first = Wrench { force: Vec3::ZERO, torque: Vec3::new(z.z, 0.0, -z.x) };
        let second = Wrench { force: Vec3::ZERO, torque: Vec3::new(0.0, z.z, -z.y) };
        self.push(-z.y, first, -curve.y, 1.0);
        self.push(z.x, second, curve.x, 1.0);
    }

    /// Keeps b's z axis from tilting about a direction `e` ⟂ z of a's frame: C = e·(z_a × z_b), one row of
    /// [`JointRows::lock_axis`] or a combination of both.
    ///
    ///   G = z_z e − (e·z) e_z        h = e·(e_z × (w × (w × z)))        z: b's axis seen from a
    #[inline]
    pub(crate) fn lock_tilt(&mut self, at: &Relative, e: Vec3) {
        let z = at.turn * Vec3::Z;
        let curve = at.spin.cross(at.spin.cross(z));
        let gradient = Wrench { force: Vec3::ZERO, torque: e * z.z - Vec3::Z * e.dot(z) };
        self.push(e.dot(Vec3::Z.cross(z)), gradient, e.dot(Vec3::Z.cross(curve)), 1.0);
    }

    /// Keeps b's x axis perpendicular to a's z axis: C = −z_a·x_b, so that Ċ = w·n with n = z_a × x_b.
    ///
    ///   G = n = (−x_y, x_x, 0)        h = −e_z·(w × (w × x))        x: b's x axis seen from a
    #[inline]
    pub(crate) fn lock_cross(&mut self, at: &Relative) {
        let x = at.turn * Vec3::X;
        let curve = at.spin.cross(at.spin.cross(x));
        self.push(-x.z, Wrench { force: Vec3::ZERO, torque: at.cross_axis() }, -curve.z, 1.0);
    }

    /// c = G·(bias of ÿ, bias of ẇ) + h: C̈ when no body accelerates.
    #[inline]
    pub fn jac_dot_v(&self, r: usize, at: &Relative) -> f64 {
        let g = &self.gradient[r];
        g.force.dot(at.bias) + g.torque.dot(at.bias_spin) + self.rest[r]
    }

    /// Ċ = G·(ẏ, w) + ∂C/∂t.
    #[inline]
    pub fn err_rate(&self, r: usize, at: &Relative) -> f64 {
        let g = &self.gradient[r];
        g.force.dot(at.rate) + g.torque.dot(at.spin) + self.rates[r]
    }
}

/// The free coordinates of one joint, their rates, and the wrench on b (in a's axes, at b's frame) of a unit force
/// along each.
#[derive(Copy, Clone, Debug, Default)]
pub struct JointCoordinates {
    /// Values; angles in (−π, π], turns not counted yet.
    pub value: [f64; MAX_COORDINATES],
    /// Rates; for a spherical joint the relative angular velocity in a's axes.
    pub rate: [f64; MAX_COORDINATES],
    /// Direction of a unit generalised force.
    pub direction: [Wrench; MAX_COORDINATES],
}

impl JointCoordinates {
    fn set(&mut self, k: usize, value: f64, rate: f64, direction: Wrench) {
        self.value[k] = value;
        self.rate[k] = rate;
        self.direction[k] = direction;
    }
}

/// Whether a joint kind fits a pair of body kinds (`None` is the ground), and why not.
pub(crate) fn misfit(
    kind: JointKind,
    a: Option<BodyKind>,
    b: Option<BodyKind>,
) -> Option<(bool, &'static str)> {
    let (need_a, need_b) = kind.needs_orientation();
    let turns = |k: Option<BodyKind>| k.is_none_or(BodyKind::has_orientation);
    if need_a && !turns(a) {
        return Some((true, "a point mass has no orientation"));
    }
    if need_b && !turns(b) {
        return Some((false, "a point mass has no orientation"));
    }
    None
}

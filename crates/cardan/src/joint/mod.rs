//! Joints: conditions on the frame of b seen from the frame of a.
//!
//! A joint frame sits on each body. With p the origins, R the axes, ω the angular velocities,
//!
//!   Δ = p_b − p_a                     d = R_aᵀ Δ                       shift            \[m\]
//!   q = q_a⁻¹ q_b                                                      turn
//!   ḋ = R_aᵀ (Δ̇ − ω_a × Δ)            w = R_aᵀ (ω_b − ω_a)             rate, spin
//!   d̈ = R_aᵀ (Δ̈ − ω̇_a × Δ − 2 ω_a × Δ̇ + ω_a × (ω_a × Δ))
//!   ẇ = R_aᵀ (ω̇_b − ω̇_a − ω_a × ω_b)
//!
//! A kind states C(d, q), its gradient G with Ċ = G·(ḋ, w), and the part h of C̈ = G·(d̈, ẇ) + h
//! without relative accelerations.
//! The rows on b are then the wrenches R_a G at b's frame, and the rows on a are exactly their
//! opposites, carried to a's frame:
//!
//!   J_b = pull_back_b(R_a G at p_b)       J_a = −pull_back_a(R_a G at p_b) = −J_b X
//!
//! also when the joint is not closed (docs/joints.md). No kind writes J_a by hand, and none knows
//! what its bodies are.

mod coordinates;
mod description;
pub(crate) mod drive;
pub mod effort;
mod lock;
mod plane;
mod relative;
mod rows;
mod spring;

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

pub use coordinates::JointCoordinates;
pub use description::{
    Anchor, Axes, ClosedForm, Coordinate, JointDescription, PlanarFit, PlanarVariant, Symbol,
};
pub use drive::{Drive, DriveMode};
pub use effort::{DryFriction, Effort, EffortKind, JointCurveSpring, Motor, Servo, SpeedCurve};
pub use lock::Locks;
pub(crate) use plane::Plane;
pub(crate) use relative::AxisMotion;
pub use relative::Relative;
pub use rows::JointRows;
pub use spring::JointSpring;

use description::JointEquations;
use drive::CoordinateRow;

use crate::body::{BodyKind, Frame, Motion};
use crate::inequality::JointLimit;
use crate::law::Law;
use crate::math::Vec3;
use crate::model::End;

/// Rows that one joint can have at most.
pub const MAX_ROWS: usize = 6;
/// Coordinates that one joint can have at most.
pub const MAX_COORDINATES: usize = 5;

/// Makes the list of kinds from lines `Variant { length: f64 = value in ALL } in file`: the enum,
/// [`JointKind::ALL`], and the dispatch from a variant to its file. A new kind is a file and a line
/// here.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident $({ $(#[doc = $of:literal])+ $field:ident: f64 = $value:literal })? in $file:ident,)+) => {
        /// Kind of a joint: the relative motion that it allows.
        #[derive(Copy, Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum JointKind {
            $($(#[doc = $doc])+ $kind $({ $(#[doc = $of])+ $field: f64 })?,)+
            /// Locks any of the shifts along and turns about the axes of a's frame.
            Lock {
                /// The locked motions.
                locks: Locks,
            },
        }

        impl JointKind {
            /// One joint of every kind but [`JointKind::Lock`], for tests and tables.
            pub const ALL: [JointKind; [$(stringify!($kind)),+].len()] =
                [$(JointKind::$kind $({ $field: $value })?),+];

            /// Properties of the kind.
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

            /// Coordinate `k` as a constraint row, in a's axes.
            pub(crate) fn coordinate_row(self, k: usize, at: &Relative) -> CoordinateRow {
                match self {
                    $(JointKind::$kind $({ $field })? => $file::$kind $({ $field })?.coordinate_row(k, at),)+
                    JointKind::Lock { locks } => lock::coordinate_row(locks, k, at),
                }
            }

            /// The kind with another length \[m\]; unchanged if it has none.
            pub fn with_size(self, size: f64) -> Self {
                match self {
                    $(JointKind::$kind $({ $field: _ })? => JointKind::$kind $({ $field: size })?,)+
                    JointKind::Lock { locks } => JointKind::Lock { locks },
                }
            }

            /// The length of the kind \[m\], if it has one, with its name in scene files.
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
    /// b is welded to a.
    Fixed in fixed,
    /// b turns about the common z axis of the frames.
    Revolute in revolute,
    /// b slides along the common z axis of the frames.
    Prismatic in prismatic,
    /// b slides along and turns about the common z axis of the frames.
    Cylindrical in cylindrical,
    /// b turns about a common point.
    Spherical in spherical,
    /// b turns about the z axis of a's frame and about the x axis of b's frame, which stay
    /// perpendicular and meet.
    Universal in universal,
    /// b slides on the x–y plane of a's frame and turns about its normal z.
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
    /// b slides along the x axis of a's frame and turns about the z axis of its own.
    PinSlot in pin_slot,
}

impl JointKind {
    /// The named locks that equal no other kind; any other [`Locks`] makes a kind, too.
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
    /// Number of scalar constraints in space.
    pub const fn rows(self) -> usize {
        self.about().rows()
    }
    /// Number of scalar constraints between planar bodies; 0 for a kind that does not fit there.
    /// For locks it depends on the plane, and this is the largest number.
    pub const fn planar_rows(self) -> usize {
        self.about().planar.rows
    }
    /// Number of scalar constraints in this plane, seen from a's frame.
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
    /// Whether coordinate `k` measures one freedom, so that it can be driven or have a force along
    /// it; between planar bodies if `in_plane`.
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
    /// Number of coordinates that measure one freedom each; they come first.
    pub const fn acting(self) -> usize {
        let mut k = 0;
        while self.can_be_driven(k, false) {
            k += 1;
        }
        k
    }
    /// Whether the body a, and the body b, must have an orientation.
    pub const fn needs_orientation(self) -> (bool, bool) {
        self.about().needs_orientation
    }
    /// The axis of b's frame that stays on a's axis, or parallel to it. An axis that points the
    /// other way is another assembly.
    pub(crate) const fn aligned_axis(self) -> Option<Vec3> {
        self.about().aligned_axis
    }
    /// True for a cross, whose second arm is x of b's frame: a second axis must be given.
    pub const fn has_cross(self) -> bool {
        matches!(self.about().axes, Axes::Cross)
    }
    /// True if the z axis of the frames has a meaning: an axis must be given.
    pub const fn needs_axis(self) -> bool {
        !matches!(self.about().axes, Axes::None)
    }

    #[inline]
    pub(crate) fn write_rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        out.count = 0;
        self.rows_of_kind(at, plane, out);
    }
    /// The coordinates \[m or rad\] of two frames given in the world; angles within half a turn.
    pub fn coordinates_of(self, a: &Frame, b: &Frame) -> [f64; MAX_COORDINATES] {
        let at = Relative::new(&Motion::GROUND.attach(a), &Motion::GROUND.attach(b));
        let mut out = JointCoordinates::default();
        self.write_coordinates(&at, &mut out);
        out.value
    }

    /// λ of the rows from the wrench on b at b's anchor, in a's axes: the inverse of Gᵀ λ on the
    /// locked directions.
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
            // The solution already contains the multipliers of its rows.
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

/// Where a joint is.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Placement {
    /// One point and one axis of the world, in the bodies' starting pose; both bodies get a frame
    /// there.
    World {
        /// The point \[m\]; b's origin if left out.
        anchor: Option<Vec3>,
        /// The axis; it becomes z of both frames. May be left out for a kind without an axis.
        axis: Option<Vec3>,
        /// The second axis of a universal joint, perpendicular to the first; it becomes x of both
        /// frames.
        axis2: Option<Vec3>,
    },
    /// A frame given on each body.
    Frames {
        /// Relative to a's body frame; to the world for the ground.
        in_a: Frame,
        /// Relative to b's body frame; to the world for the ground.
        in_b: Frame,
    },
}

/// Description of a joint.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    /// Unique name; empty for an automatic one (`j0`, `j1`, …).
    pub name: String,
    /// The kind.
    pub kind: JointKind,
    /// The body that the motion is seen from.
    pub a: End,
    /// The body whose motion is described; reactions are reported for this body.
    pub b: End,
    /// Where the joint is.
    pub placement: Placement,
    /// Values of the coordinates \[m or rad\] where the frames coincide.
    pub zero: [f64; MAX_COORDINATES],
    /// Springs along its coordinates.
    pub springs: Vec<JointSpring>,
    /// Laws that coordinates follow, or forces along them as functions of time.
    pub drives: Vec<Drive>,
    /// Other forces along its coordinates.
    pub efforts: Vec<Effort>,
    /// Limits of its coordinates.
    pub limits: Vec<JointLimit>,
    /// A: reflected inertia of a rotor that turns with the coordinate, in kg·m² about an axis, in kg along
    /// one: rotor inertia times the square of the gear ratio. Its kinetic energy is ½ A q̇², and it has no
    /// gyroscopic effect. For revolute and prismatic joints of the spanning tree whose coordinate no law
    /// prescribes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub armature: f64,
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
            armature: 0.0,
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
    /// Welds b to a in the pose as described.
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
    /// A cross (Cardan, Hooke) at a point of the world: turns about `axis`, which stays with a, and
    /// about the perpendicular `axis2`, which stays with b.
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
    /// A puck on a table: slides on a plane of the world through a point and turns about its
    /// normal.
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

    /// Returns the joint with a name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
    /// Returns the joint with a spring and damper along coordinate 0: stiffness \[N/m or N·m/rad\],
    /// damping \[N·s/m or N·m·s/rad\], rest \[m or rad\].
    pub fn with_spring(mut self, stiffness: f64, damping: f64, rest: f64) -> Self {
        self.springs.push(JointSpring { coordinate: 0, stiffness, damping, rest, is_friction: false });
        self
    }
    /// Returns the joint with an effort along a coordinate.
    pub fn with_effort(mut self, coordinate: usize, kind: EffortKind) -> Self {
        self.efforts.push(Effort { coordinate, kind });
        self
    }
    /// Returns the joint with the reflected inertia of a rotor, see [`Joint::armature`].
    pub fn with_armature(mut self, armature: f64) -> Self {
        self.armature = armature;
        self
    }
    /// Returns the joint with a drive on a coordinate.
    pub fn driven(mut self, coordinate: usize, mode: DriveMode, law: impl Into<Law>) -> Self {
        self.drives.push(Drive { coordinate, mode, law: law.into() });
        self
    }
}

/// Why a joint kind does not fit a pair of body kinds (`None` is the ground): whether a is the
/// reason, and the message; `None` if it fits.
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

//! Joints, with their limits, drives, springs and friction.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FrameDesc, OneOrMany};
use crate::quantity::{Angle, Bound, Frequency, Length, Number, Quantity, Time};

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// One rotation about the axis: coordinate `[angle]`.
    Revolute,
    /// One translation along the axis: coordinate `[shift]`.
    Prismatic,
    /// Translation along the axis and rotation about it: coordinates `[shift, angle]`.
    Cylindrical,
    /// All rotations: coordinates are a rotation vector.
    Spherical,
    /// Rotation about `axis`, fixed in a, and about the perpendicular `axis2`, fixed in b: coordinates `[first, second]`.
    Universal,
    /// Translation in the plane across the axis and rotation about it: coordinates `[x, y, angle]`.
    Planar,
    /// A point of b moves on the line along the axis of a: coordinate `[shift]`.
    PointOnLine,
    /// A point of b moves on the plane across the axis of a: coordinates `[x, y]`.
    PointOnPlane,
    /// Everything but tilting: the axes of a and b stay parallel: coordinate `[angle]`.
    Aligned,
    /// Everything but the distance of two points.
    Distance,
    /// A point of b moves on a circle of a.
    BeadOnCircle,
}

/// A joint between two bodies. Which fields it takes depends on its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointDesc {
    /// What it leaves free.
    pub kind: JointKind,
    /// First body, or "ground".
    pub a: String,
    /// Second body, or "ground". Forces are reported as acting on it.
    pub b: String,
    /// Where the joint is, world axes, in the pose of the file; both bodies get it.
    pub anchor: Option<[Length; 3]>,
    /// Its axis, world axes, in the pose of the file; both bodies get it.
    pub axis: Option<[Number; 3]>,
    /// Second axis of a universal joint, perpendicular to the first, world axes, in the pose of the file; b gets it.
    pub axis2: Option<[Number; 3]>,
    /// The anchor on a, in its body frame.
    pub anchor_in_a: Option<[Length; 3]>,
    /// The anchor on b, in its body frame.
    pub anchor_in_b: Option<[Length; 3]>,
    /// The axis on a, in its body frame.
    pub axis_in_a: Option<[Number; 3]>,
    /// The axis on b, in its body frame.
    pub axis_in_b: Option<[Number; 3]>,
    /// Second axis of a universal joint, in the body frame of b.
    pub axis2_in_b: Option<[Number; 3]>,
    /// The joint frame on a; its z is the axis.
    pub frame_in_a: Option<FrameDesc>,
    /// The joint frame on b; its z is the axis, for a universal joint its x the second axis.
    pub frame_in_b: Option<FrameDesc>,
    /// Point of a in its body frame, for a distance. Default its origin.
    pub point_in_a: Option<[Length; 3]>,
    /// Point of b in its body frame, for a distance or a bead (default its origin) or on a line or plane (default the
    /// anchor, or b itself if it is a point mass).
    pub point_in_b: Option<[Length; 3]>,
    /// Distance of the points. Default: as posed.
    pub length: Option<Length>,
    /// Radius of the circle. Default: as posed.
    pub radius: Option<Length>,
    /// Values of the coordinates in the pose of the file. Default zero.
    pub zero: Option<Vec<Quantity>>,
    /// Lower and upper limit of each coordinate; "inf" is allowed.
    pub limits: Option<Vec<[Bound; 2]>>,
    /// Restitution at the limits. Default 0.
    pub restitution: Option<Number>,
    /// A motor on a coordinate.
    pub drive: Option<OneOrMany<DriveDesc>>,
    /// A spring on a coordinate.
    pub spring: Option<OneOrMany<JointSpringDesc>>,
    /// Friction on a coordinate.
    pub friction: Option<OneOrMany<FrictionDesc>>,
}

impl JointDesc {
    /// A joint of a kind between two bodies, with nothing else said.
    pub fn new(kind: JointKind, a: impl Into<String>, b: impl Into<String>) -> Self {
        Self {
            kind,
            a: a.into(),
            b: b.into(),
            anchor: None,
            axis: None,
            axis2: None,
            anchor_in_a: None,
            anchor_in_b: None,
            axis_in_a: None,
            axis_in_b: None,
            axis2_in_b: None,
            frame_in_a: None,
            frame_in_b: None,
            point_in_a: None,
            point_in_b: None,
            length: None,
            radius: None,
            zero: None,
            limits: None,
            restitution: None,
            drive: None,
            spring: None,
            friction: None,
        }
    }
}

/// What a drive prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DriveLevel {
    /// The coordinate itself.
    Position,
    /// Its rate; the coordinate is held to the integral.
    Speed,
    /// Its second derivative.
    Acceleration,
    /// The force or torque along it, on b; the opposite on a.
    Force,
}

/// A motor on a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// What the law prescribes.
    pub level: DriveLevel,
    /// Its value over time.
    pub law: Law,
}

/// A spring and damper on a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpringDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// In N/m, or N·m/rad.
    pub stiffness: Quantity,
    /// In N·s/m, or N·m·s/rad. Default 0.
    pub damping: Option<Number>,
    /// Where the spring is at rest. Default 0.
    pub rest: Option<Quantity>,
}

/// Friction on a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// In N·s/m, or N·m·s/rad. Default 0.
    pub viscous: Option<Number>,
    /// Dry friction while it moves, a force or torque. Default 0.
    pub coulomb: Option<Quantity>,
    /// Dry friction at rest, a force or torque. Default as `coulomb`.
    #[serde(rename = "static")]
    pub static_: Option<Quantity>,
}

/// A value over time. Its dimension is that of what it prescribes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Always the same.
    Constant(Quantity),
    /// A straight line from one value to another.
    Ramp(Ramp),
    /// A sine.
    Sine(Sine),
    /// Rows of [time, value], joined by a cubic spline.
    Table(Vec<(Time, Quantity)>),
    /// A formula in t, such as "0.1*sin(3*t)".
    Expression(String),
}

/// A straight line from one value to another, constant before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// Value at the start. Default 0.
    pub from: Option<Quantity>,
    /// Value at the end.
    pub to: Quantity,
    /// When it starts. Default 0 s.
    pub start: Option<Time>,
    /// How long it takes.
    pub duration: Time,
}

/// offset + amplitude · sin(2π · frequency · t + phase)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// Half the height.
    pub amplitude: Quantity,
    /// In Hz.
    pub frequency: Frequency,
    /// Default 0.
    pub phase: Option<Angle>,
    /// Mean value. Default 0.
    pub offset: Option<Quantity>,
}

//! Joints, with their limits, drives, springs and friction.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    CurveDesc, EquationDesc, FeatureDesc, FollowerDesc, FrameDesc, GROUND, LawDesc, OneOrMany, PathDesc,
    RopePointDesc, SurfaceDesc, TermDesc,
};
use crate::kind::JointKindDesc;
use crate::quantity::{Bound, Length, Number, Quantity, Time};

/// One of the six motions of b seen from a, along or about an axis of a's joint frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LockName {
    /// Translation along x.
    X,
    /// Translation along y.
    Y,
    /// Translation along z, the axis.
    Z,
    /// Rotation about x.
    TurnX,
    /// Rotation about y.
    TurnY,
    /// Rotation about z, the axis.
    TurnZ,
}

/// A joint between two bodies. Its fields depend on its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointDesc {
    /// The kind of joint: which motions it leaves free.
    pub kind: JointKindDesc,
    /// First body, or "ground".
    pub a: Option<String>,
    /// Second body, or "ground". Forces are reported as acting on it.
    pub b: Option<String>,
    /// Where the joint is, world axes, in the pose of the file; both bodies get it. Of a rolling joint a point of the plane, or the centre of
    /// the sphere; default: the contact point of b with the plane, or a's origin.
    pub anchor: Option<[Length; 3]>,
    /// Its axis, world axes, in the pose of the file; both bodies get it.
    pub axis: Option<[Number; 3]>,
    /// Second axis of a universal or perpendicular joint, perpendicular to the first, world axes, in the pose of the file; b gets it. For a
    /// `lock` the x axis of both frames.
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
    /// Radius of the circle, default: as posed; or of the ball or wheel that rolls.
    pub radius: Option<Length>,
    /// What a joint of kind `lock` locks: "x", "y", "z", "turn-x", "turn-y", "turn-z" of its frame on a.
    pub locks: Option<Vec<LockName>>,
    /// The bodies of a gear, two or more; "ground" may be one.
    pub bodies: Option<Vec<String>>,
    /// The axis of each body of a gear, world axes, in the pose of the file; the body gets it.
    pub axes: Option<Vec<[Number; 3]>>,
    /// One number per body of a gear: the sum of ratio × speed is zero.
    pub ratios: Option<Vec<Number>>,
    /// The curve that a point moves on, the profile of a cam (in the x–y plane, closed), or the curve that a planar wheel
    /// rolls on, in the frame of the joint on a.
    pub curve: Option<CurveDesc>,
    /// The surface that a point or a feature moves on, or that a wheel rolls on, in the frame of the joint on a.
    pub surface: Option<SurfaceDesc>,
    /// The feature of b that is tangent to the surface.
    pub feature: Option<FeatureDesc>,
    /// Whether it is on the inner side of the surface. Default false.
    pub inside: Option<bool>,
    /// The follower of a cam.
    pub follower: Option<FollowerDesc>,
    /// Direction in which a knife edge moves, or the normal of a flat follower towards its cam; world axes, in the pose of
    /// the file; b gets it.
    pub direction: Option<[Number; 3]>,
    /// The terms of a coupler.
    pub terms: Option<Vec<TermDesc>>,
    /// Value of the sum of a coupler. Default: its value in the pose of the file.
    pub offset: Option<Number>,
    /// Several equations of one coupler, instead of `terms` and `offset`.
    pub equations: Option<Vec<EquationDesc>>,
    /// The joints that a transmission couples: pinion and rack, worm and wheel, two pulleys.
    pub joints: Option<Vec<String>>,
    /// Lead of a screw: translation per turn. Negative for a left-handed thread.
    pub lead: Option<Length>,
    /// Number of starts (threads) of a worm. Default 1.
    pub starts: Option<Number>,
    /// Teeth of a worm's wheel; negative if it turns the other way. Slots of a Geneva wheel.
    pub teeth: Option<Number>,
    /// Radii of two pulleys.
    pub radii: Option<Vec<Length>>,
    /// Whether a belt is crossed, so that its pulleys turn against each other. Default false.
    pub crossed: Option<bool>,
    /// Points that a rope passes, from end to end, two or more.
    pub points: Option<Vec<RopePointDesc>>,
    /// Multiplicity of each segment of a rope: the number of parallel lines of a block and tackle. Default 1.
    pub weights: Option<Vec<Number>>,
    /// The path over time that a point follows.
    pub path: Option<PathDesc>,
    /// Directions of the world in which the path is followed, one to three. Default x, y and z.
    pub directions: Option<Vec<[Number; 3]>>,
    /// Joints whose motors, along their first coordinate, keep the point on its path: as many as directions. Without them
    /// the force acts at the point.
    pub motors: Option<Vec<String>>,
    /// Successive rotations of b relative to a over time, each about an axis that the rotations before it carry along.
    /// World axes in the pose of the file, where all angles are zero.
    pub turns: Option<Vec<TurnDesc>>,
    /// Assembly time: the joint starts open, with the gap between its anchors, and closes in this time. Needs anchors or
    /// frames on both bodies.
    pub assembly_time: Option<Time>,
    /// Normal of the plane that b rolls on, towards b, world axes, in the pose of the file; a gets it. Default z, for bodies in the plane y.
    pub normal: Option<[Number; 3]>,
    /// The sphere that b rolls on, instead of a plane.
    pub on: Option<RollOnDesc>,
    /// Radius of the round rim of a rolling wheel. Default 0, a sharp rim.
    pub tyre: Option<Length>,
    /// Whether b may spin about the normal. Default true.
    pub spin: Option<bool>,
    /// Whether a wheel slips freely along its axle, as a wheel with rollers on its rim does. Default false.
    pub lateral_slip: Option<bool>,
    /// Values of the coordinates in the pose of the file. Default zero.
    pub zero: Option<Vec<Quantity>>,
    /// Lower and upper limit of each coordinate; "inf" is allowed.
    pub limits: Option<Vec<[Bound; 2]>>,
    /// Restitution at the limits. Default 0.
    pub restitution: Option<Number>,
    /// A law on a coordinate: its position, speed, acceleration or force.
    pub drive: Option<OneOrMany<DriveDesc>>,
    /// Control of a coordinate by a limited force.
    pub servo: Option<OneOrMany<ServoDesc>>,
    /// A motor with a torque–speed curve on a coordinate.
    pub motor: Option<OneOrMany<MotorDesc>>,
    /// A spring on a coordinate.
    pub spring: Option<OneOrMany<JointSpringDesc>>,
    /// Friction on a coordinate.
    pub friction: Option<OneOrMany<FrictionDesc>>,
    /// Reflected inertia of a rotor: its inertia times the square of the gear ratio, in kg·m² for a revolute
    /// joint, kg for a prismatic one. Default 0.
    pub armature: Option<Quantity>,
}

impl JointDesc {
    /// A joint of a kind between two bodies, without any other field.
    pub fn new(kind: JointKindDesc, a: impl Into<String>, b: impl Into<String>) -> Self {
        Self {
            kind,
            a: Some(a.into()),
            b: Some(b.into()),
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
            locks: None,
            bodies: None,
            axes: None,
            ratios: None,
            direction: None,
            terms: None,
            offset: None,
            equations: None,
            joints: None,
            lead: None,
            starts: None,
            teeth: None,
            radii: None,
            crossed: None,
            points: None,
            weights: None,
            path: None,
            directions: None,
            motors: None,
            turns: None,
            assembly_time: None,
            curve: None,
            surface: None,
            feature: None,
            inside: None,
            follower: None,
            normal: None,
            on: None,
            tyre: None,
            spin: None,
            lateral_slip: None,
            zero: None,
            limits: None,
            restitution: None,
            drive: None,
            servo: None,
            motor: None,
            spring: None,
            friction: None,
            armature: None,
        }
    }

    /// The bodies `a` and `b`; the ground where none is named.
    pub fn ends(&self) -> (&str, &str) {
        (self.a.as_deref().unwrap_or(GROUND), self.b.as_deref().unwrap_or(GROUND))
    }
}

/// A sphere that b rolls on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollOnDesc {
    /// Radius of a sphere of a; its centre is the anchor on a, or a's origin.
    pub sphere: Option<Length>,
    /// Whether b rolls inside the sphere. Default false.
    pub inside: Option<bool>,
}

/// A turn about an axis over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnDesc {
    /// The axis.
    pub axis: [Number; 3],
    /// The angle over time.
    pub law: LawDesc,
}

/// What a drive prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DriveLevel {
    /// The coordinate itself.
    Position,
    /// Its rate. The coordinate follows the integral, without drift.
    Speed,
    /// Its second derivative.
    Acceleration,
    /// The force or torque along it, on b; the opposite on a.
    Force,
}

/// A law on a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// What the law prescribes.
    pub level: DriveLevel,
    /// Its value over time.
    pub law: LawDesc,
}

/// Control of a joint coordinate: stiffness · (law − coordinate) + damping · (their rates' difference), within the limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServoDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// Set point of the coordinate over time.
    pub law: LawDesc,
    /// In N/m, or N·m/rad.
    pub stiffness: Quantity,
    /// In N·s/m, or N·m·s/rad. Default 0.
    pub damping: Option<Quantity>,
    /// The largest force or torque. Default none.
    pub limit: Option<Quantity>,
}

/// A motor on a joint coordinate: force or torque by speed, times a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotorDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// Rows of [speed, force or torque] at full command, in the direction of the command; linear between and beyond.
    pub curve: Vec<(Quantity, Quantity)>,
    /// The command over time, from −1 to 1. Default 1.
    pub law: Option<LawDesc>,
    /// The largest force or torque. Default none.
    pub limit: Option<Quantity>,
}

/// A spring and damper on a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpringDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// In N/m, or N·m/rad.
    pub stiffness: Option<Quantity>,
    /// Instead of a stiffness: rows of [deflection, force that pulls back], joined by a cubic spline, straight beyond.
    pub curve: Option<Vec<(Quantity, Quantity)>>,
    /// In N·s/m, or N·m·s/rad. Default 0.
    pub damping: Option<Quantity>,
    /// Coordinate at which the deflection is zero. Default 0.
    pub rest: Option<Quantity>,
    /// Force or torque along the coordinate, on b, where the deflection is zero; with a stiffness only. Default 0.
    pub preload: Option<Quantity>,
}

/// Friction on a joint coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionDesc {
    /// Which coordinate, from 0. Default 0.
    #[serde(default)]
    pub coordinate: u32,
    /// In N·s/m, or N·m·s/rad. Default 0.
    pub viscous: Option<Quantity>,
    /// Coulomb (kinetic) friction, a force or torque. Default 0.
    pub coulomb: Option<Quantity>,
    /// Static friction, a force or torque. Default as `coulomb`.
    #[serde(rename = "static")]
    pub static_: Option<Quantity>,
    /// Speed below which dry friction falls smoothly to zero, in m/s or rad/s. A load below the
    /// static friction then slides slowly. Default: no regularization, static friction sticks.
    pub regularization_speed: Option<Quantity>,
    /// Stribeck speed, in m/s or rad/s: sliding friction comes down from `static` to `coulomb` as
    /// exp(−(speed/`stribeck_speed`)²). Default: `coulomb` at every speed.
    pub stribeck_speed: Option<Quantity>,
}

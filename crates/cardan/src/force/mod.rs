//! Forces: laws that act at attached frames and book their energy.
//!
//! A force uses only the motion of its frames, like a joint, so that every law works on every body.
//! It writes one wrench per frame and books its energy as potential, as dissipated, or else as work
//! put in.

mod constant;
mod curve;
mod drag;
mod gravity_point;
mod scheduled;
mod spring;
mod torsion;

pub use constant::{Constant, Heading};
pub use curve::CurveSpring;
pub use drag::Drag;
pub use gravity_point::GravityPoint;
pub use scheduled::Scheduled;
pub use spring::Spring;
pub use torsion::Torsion;

use crate::body::{Frame, FrameMotion, Wrench};
use crate::law::Law;
use crate::math::Vec3;
use crate::model::End;
use std::sync::Arc;

/// Uniform gravity.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gravity(pub Vec3);

impl Gravity {
    /// The acceleration of free fall \[m/s²\].
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Gravity(Vec3::new(x, y, z))
    }
    /// No gravity.
    pub const ZERO: Self = Gravity::new(0.0, 0.0, 0.0);
}

/// A force law that users write.
pub trait ForceLaw: Send + Sync + core::fmt::Debug {
    /// Writes the wrench on each frame; `out` is initialised with zeros.
    fn apply(&self, time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>);

    /// Whether the body of frame number `end` must have an orientation.
    fn needs_orientation(&self, _end: usize) -> bool {
        false
    }
}

/// Output of a force law.
#[derive(Debug)]
pub struct ForceOutput<'a> {
    /// One wrench per frame, at its origin, world axes \[N, N·m\].
    pub wrench: &'a mut [Wrench],
    /// Stored energy \[J\], for a law that has a potential; then its power is not booked as work.
    /// The potential must depend on the frames only: a law that depends on time has none, and its
    /// power is work.
    pub potential: Option<f64>,
    /// Power turned into heat \[W\], not negative.
    pub dissipated_power: f64,
}

/// Kind of a force law.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ForceKind {
    /// A constant force and torque.
    Constant(Constant),
    /// A force and torque times a law of time.
    Scheduled(Scheduled),
    /// A spring and damper between two points.
    Spring(Spring),
    /// A nonlinear spring and damper between two points: force by extension.
    #[cfg_attr(feature = "serde", serde(alias = "TableSpring"))]
    CurveSpring(CurveSpring),
    /// A torsional spring and damper between two bodies.
    Torsion(Torsion),
    /// Drag in a medium at rest.
    Drag(Drag),
    /// Inverse-square attraction between two points.
    GravityPoint(GravityPoint),
    /// A user-defined law.
    #[cfg_attr(feature = "serde", serde(skip))]
    User(Arc<dyn ForceLaw>),
}

impl ForceKind {
    /// The name used in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            ForceKind::Constant(_) | ForceKind::Scheduled(_) => "constant",
            ForceKind::Spring(_) | ForceKind::CurveSpring(_) => "spring",
            ForceKind::Torsion(_) => "torsion",
            ForceKind::Drag(_) => "drag",
            ForceKind::GravityPoint(_) => "gravity-point",
            ForceKind::User(_) => "user",
        }
    }

    /// Whether the law may depend on time.
    pub(crate) fn may_depend_on_time(&self) -> bool {
        matches!(self, ForceKind::Scheduled(_) | ForceKind::User(_))
    }

    /// Number of frames the law acts at; `None` for a user-defined law.
    pub(crate) fn frames(&self) -> Option<usize> {
        match self {
            ForceKind::Constant(_) | ForceKind::Scheduled(_) | ForceKind::Drag(_) => Some(1),
            ForceKind::Spring(_)
            | ForceKind::CurveSpring(_)
            | ForceKind::Torsion(_)
            | ForceKind::GravityPoint(_) => Some(2),
            ForceKind::User(_) => None,
        }
    }

    pub(crate) fn needs_orientation(&self, end: usize) -> bool {
        match self {
            ForceKind::Constant(c) => c.needs_orientation(),
            ForceKind::Scheduled(s) => s.full.needs_orientation(),
            ForceKind::Spring(_) | ForceKind::CurveSpring(_) | ForceKind::GravityPoint(_) => false,
            ForceKind::Torsion(_) => true,
            ForceKind::Drag(d) => d.angular != 0.0,
            ForceKind::User(law) => law.needs_orientation(end),
        }
    }

    /// The parameters, for checks: each must be finite; those marked true must not be negative.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        match self {
            ForceKind::Constant(c) => c.parameters(),
            ForceKind::Scheduled(s) => s.full.parameters(),
            ForceKind::Spring(s) => s.parameters(),
            ForceKind::CurveSpring(s) => s.parameters(),
            ForceKind::Torsion(t) => t.parameters(),
            ForceKind::Drag(d) => d.parameters(),
            ForceKind::GravityPoint(g) => g.parameters(),
            ForceKind::User(_) => Vec::new(),
        }
    }

    pub(crate) fn apply(&self, time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        match self {
            ForceKind::Constant(law) => law.apply(frames, out),
            ForceKind::Scheduled(law) => law.apply(time, frames, out),
            ForceKind::CurveSpring(law) => law.apply(frames, out),
            ForceKind::Spring(law) => law.apply(frames, out),
            ForceKind::Torsion(law) => law.apply(frames, out),
            ForceKind::Drag(law) => law.apply(frames, out),
            ForceKind::GravityPoint(law) => law.apply(frames, out),
            ForceKind::User(law) => law.apply(time, frames, out),
        }
    }
}

/// Description of a force: a law and the frames it acts at.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Force {
    /// Unique name; empty for an automatic one (`f0`, `f1`, …).
    pub name: String,
    /// The frames, in the order of the law's arguments.
    pub frames: Vec<(End, Frame)>,
    /// The law.
    pub kind: ForceKind,
}

impl Force {
    fn of(kind: ForceKind, frames: Vec<(End, Frame)>) -> Self {
        Force { name: String::new(), frames, kind }
    }
    /// A constant force at a point of a body.
    pub fn constant(body: impl Into<End>, point: impl Into<Vec3>, law: Constant) -> Self {
        Force::of(ForceKind::Constant(law), vec![(body.into(), Frame::at(point))])
    }
    /// A spring between a point of a and a point of b.
    pub fn spring(
        a: impl Into<End>,
        point_in_a: impl Into<Vec3>,
        b: impl Into<End>,
        point_in_b: impl Into<Vec3>,
        law: Spring,
    ) -> Self {
        let frames = vec![(a.into(), Frame::at(point_in_a)), (b.into(), Frame::at(point_in_b))];
        Force::of(ForceKind::Spring(law), frames)
    }
    /// A constant force at a point of a body, times a law of time.
    pub fn scheduled(
        body: impl Into<End>,
        point: impl Into<Vec3>,
        full: Constant,
        law: impl Into<Law>,
    ) -> Self {
        let law = law.into();
        Force::of(ForceKind::Scheduled(Scheduled { full, law }), vec![(body.into(), Frame::at(point))])
    }
    /// A nonlinear spring between a point of a and a point of b.
    pub fn curve_spring(
        a: impl Into<End>,
        point_in_a: impl Into<Vec3>,
        b: impl Into<End>,
        point_in_b: impl Into<Vec3>,
        law: CurveSpring,
    ) -> Self {
        let frames = vec![(a.into(), Frame::at(point_in_a)), (b.into(), Frame::at(point_in_b))];
        Force::of(ForceKind::CurveSpring(law), frames)
    }
    /// A torsional spring between frames of a and b; it is slack where the frames are parallel.
    pub fn torsion(a: impl Into<End>, in_a: Frame, b: impl Into<End>, in_b: Frame, law: Torsion) -> Self {
        Force::of(ForceKind::Torsion(law), vec![(a.into(), in_a), (b.into(), in_b)])
    }
    /// Drag at a point of a body.
    pub fn drag(body: impl Into<End>, point: impl Into<Vec3>, law: Drag) -> Self {
        Force::of(ForceKind::Drag(law), vec![(body.into(), Frame::at(point))])
    }
    /// Attraction between a point of a and a point of b.
    pub fn gravity_point(
        a: impl Into<End>,
        point_in_a: impl Into<Vec3>,
        b: impl Into<End>,
        point_in_b: impl Into<Vec3>,
        law: GravityPoint,
    ) -> Self {
        let frames = vec![(a.into(), Frame::at(point_in_a)), (b.into(), Frame::at(point_in_b))];
        Force::of(ForceKind::GravityPoint(law), frames)
    }
    /// A user-defined law at any frames.
    pub fn user(frames: Vec<(End, Frame)>, law: impl ForceLaw + 'static) -> Self {
        Force::of(ForceKind::User(Arc::new(law)), frames)
    }
    /// Returns the force with a name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// The three components of a vector under one name, for parameter checks.
fn components(name: &'static str, v: Vec3) -> [(&'static str, f64, bool); 3] {
    [(name, v.x, false), (name, v.y, false), (name, v.z, false)]
}

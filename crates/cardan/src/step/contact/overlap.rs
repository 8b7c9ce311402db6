//! Overlaps in error messages: violated limits and inequalities, penetrating shapes.

use crate::inequality::{InequalityOrigin, LimitSide};
use crate::model::Model;
use crate::step::contact::EventSubject;
use crate::step_error::StepError;
use crate::step_error::short;

/// A pair of bodies, a limit or another inequality with g < 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// The inequality, the joint, or the two bodies.
    pub name: String,
    /// Penetration depth −g, in `unit`.
    pub depth: f64,
    /// Unit of `depth`: `m`, `rad`, or empty where the inequality has a measure of its own.
    pub unit: &'static str,
    /// Kind of constraint.
    pub kind: OverlapKind,
}

/// Kind of an overlap.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OverlapKind {
    /// Two shapes penetrate each other.
    Contact,
    /// A joint coordinate is beyond a limit.
    Limit {
        /// Which coordinate.
        coordinate: usize,
        /// Which end of its range.
        side: LimitSide,
    },
    /// An inequality is violated.
    Inequality,
}

/// When an overlap was found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OverlapFound {
    /// Before the first step.
    AtStart,
    /// After steps were taken.
    InRun,
    /// After the attempt to remove overlaps.
    Unresolved,
}

impl Overlap {
    /// An overlap with its name and unit.
    pub(crate) fn new(model: &Model, subject: EventSubject, depth: f64) -> Self {
        let name = subject.name(model);
        let (unit, kind) = match subject {
            EventSubject::Contact(_) | EventSubject::Friction { .. } | EventSubject::Impulse(_) => {
                ("m", OverlapKind::Contact)
            }
            EventSubject::Inequality(id) => match model.inequality(id).map(|part| (part.origin, part.kind()))
            {
                Some((InequalityOrigin::Limit { joint, coordinate, side }, _)) => {
                    let is_angle = model.joint(joint).is_some_and(|joint| joint.kind.is_angle(coordinate));
                    (if is_angle { "rad" } else { "m" }, OverlapKind::Limit { coordinate, side })
                }
                Some((InequalityOrigin::Declared, "rope" | "apart")) => ("m", OverlapKind::Inequality),
                _ => ("", OverlapKind::Inequality),
            },
        };
        Overlap { name, depth, unit, kind }
    }

    /// The error for an overlap.
    pub(crate) fn error(
        model: &Model,
        subject: EventSubject,
        depth: f64,
        time: f64,
        found: OverlapFound,
    ) -> StepError {
        StepError::Overlap { overlap: Overlap::new(model, subject, depth), time, found }
    }
}

impl core::fmt::Display for Overlap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Overlap { name, unit, .. } = self;
        let depth = short(self.depth);
        match self.kind {
            OverlapKind::Contact => write!(f, "`{name}` overlaps by {depth} {unit}"),
            OverlapKind::Limit { coordinate, side } => {
                let side = if side == LimitSide::Low { "lower" } else { "upper" };
                write!(
                    f,
                    "joint `{name}` is beyond the {side} limit of its coordinate {coordinate} by {depth} {unit}"
                )
            }
            OverlapKind::Inequality if unit.is_empty() => {
                write!(f, "inequality `{name}` is violated: g = -{depth}")
            }
            OverlapKind::Inequality => write!(f, "inequality `{name}` is violated by {depth} {unit}"),
        }
    }
}

impl OverlapFound {
    /// Advice for the user.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            OverlapFound::AtStart => {
                "begin apart, or at most touching, or have it moved apart by `overlaps = \"resolve\"` in [simulation]"
            }
            OverlapFound::InRun => {
                "this came about in the run: a smaller `dt` does not get so far past, and `integrator = \"time-stepping\"` goes on with what overlaps"
            }
            OverlapFound::Unresolved => {
                "that is what is left after `overlaps = \"resolve\"`: joints or other bodies leave no room; move bodies in the scene, or `exclude` the pair in [contacts]"
            }
        }
    }
}

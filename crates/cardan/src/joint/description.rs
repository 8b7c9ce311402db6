//! What is true of a kind of joint, told once in the file of the kind, for everything that asks:
//! the model, the ways to solve, drives, the doctor, drawings and pages. Nothing outside of
//! `joint/` asks which kind it is.

use super::drive::CoordinateRow;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

/// A kind of joint: its description and its equations. See [`super::kinds`].
pub(super) trait JointEquations: Copy {
    /// What is true of it.
    const ABOUT: JointDescription;

    /// C, G and h of every row (see the head of [`super`]); `plane` is that of planar bodies, seen
    /// from a's frame.
    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows);

    /// Coordinate `k` as a condition: what a drive holds.
    fn coordinate_row(self, _k: usize, _at: &Relative) -> CoordinateRow {
        CoordinateRow { value: 0.0, gradient: Wrench::ZERO, rest: 0.0, column: Wrench::ZERO }
    }

    /// All coordinates, their rates, and the wrench of a unit force along each, which is the
    /// gradient.
    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        for k in 0..Self::ABOUT.coordinates.len() {
            let row = self.coordinate_row(k, at);
            let rate = row.gradient.force.dot(at.rate) + row.gradient.torque.dot(at.spin);
            out.set(k, row.value, rate, row.gradient);
        }
    }

    /// The length that belongs to it, if one does, under its name in scene files.
    fn size(self) -> Option<(&'static str, f64)> {
        None
    }
}

/// What is true of a kind of joint.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// The name used in scene files.
    pub name: &'static str,
    /// The shifts and turns of b, seen from a's frame, that it locks. Their number is that of its
    /// rows in space.
    pub locks: Locks,
    /// Whether its condition is curved, so that `locks` are only those nearest to it.
    pub is_curved: bool,
    /// The coordinates that it reports.
    pub coordinates: &'static [Coordinate],
    /// Whether the frame on a, and the frame on b, must be able to turn.
    pub needs_orientation: (bool, bool),
    /// Which axes of its frames mean something.
    pub axes: Axes,
    /// The axis of b's frame that is kept on a's, or parallel to it: pointing the other way is
    /// another assembly.
    pub aligned_axis: Option<Vec3>,
    /// Where its frames sit.
    pub anchor: Anchor,
    /// What it is between planar bodies.
    pub planar: PlanarVariant,
    /// How it is drawn.
    pub symbol: Symbol,
    /// The closed form that solvers have for it.
    pub closed_form: ClosedForm,
}

/// A coordinate that a joint reports.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// An angle, or else a length.
    pub is_angle: bool,
    /// Whether it is an angle whose turns are counted.
    pub counts_turns: bool,
    /// Whether it measures one freedom in space, along which one can act: it can be driven.
    pub acts: bool,
    /// The same between planar bodies.
    pub acts_in_plane: bool,
}

impl Coordinate {
    /// A length.
    pub const SHIFT: Coordinate =
        Coordinate { is_angle: false, counts_turns: false, acts: true, acts_in_plane: true };
    /// An angle about an axis.
    pub const ANGLE: Coordinate =
        Coordinate { is_angle: true, counts_turns: true, acts: true, acts_in_plane: true };

    /// The same where it measures no freedom of bodies in the plane.
    pub const fn in_space_only(self) -> Coordinate {
        Coordinate { acts_in_plane: false, ..self }
    }
}

/// Which axes of the joint frames mean something.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Axes {
    /// None.
    None,
    /// z.
    One,
    /// z of a's frame and x of b's, which are the arms of a cross.
    Cross,
    /// z and x, on both bodies.
    Two,
}

/// Where the frames of a joint sit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At one place, on both bodies.
    Shared,
    /// b's point is somewhere along what a's frame carries: any place there will do for the anchor.
    Along,
    /// Around a's: b has a point of its own, its origin unless given.
    Around,
    /// Each body has a point of its own.
    Points,
}

/// What a kind is between planar bodies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlanarVariant {
    /// Number of its rows; 0 if it does not fit there. Of locks the most it can be.
    pub rows: usize,
    /// How its axis has to lie.
    pub fit: PlanarFit,
}

/// How the axis of a joint has to lie in the plane of planar bodies, and what is said where it does
/// not.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PlanarFit {
    /// As it likes.
    Any,
    /// Along the normal.
    AlongNormal(&'static str),
    /// In the plane.
    InPlane(&'static str),
    /// It does not fit.
    Never(&'static str),
    /// As both frames together allow, see [`Locks`].
    ByLocks,
}

/// How a joint is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A circle, or a cylinder seen from the side.
    Pin,
    /// A ball in its socket.
    Ball,
    /// A block on a rail.
    Slider,
    /// A block on a rail between two bodies, a plain mark on the ground.
    Sleeve,
    /// A weld.
    Weld,
    /// A rod between two points.
    Rod,
    /// A circle about a's axis, of the joint's size.
    Ring,
    /// A plain mark.
    Mark,
}

/// The closed forms that solvers have. What has none goes by its rows everywhere: in trees and
/// loops of up to three rows by linear-time elimination, beyond by the sparse solver, and it cannot
/// carry joint coordinates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ClosedForm {
    /// Fixed.
    Fixed,
    /// Revolute.
    Revolute,
    /// Prismatic.
    Prismatic,
    /// Cylindrical.
    Cylindrical,
    /// Universal.
    Universal,
    /// Spherical.
    Spherical,
    /// Planar.
    Planar,
    /// None: by its rows.
    Rows,
}

impl JointDescription {
    /// A kind that locks this, with everything else as it mostly is: no coordinate, one axis,
    /// frames at one place, not between planar bodies, drawn as a plain mark, solved by its rows.
    /// What is otherwise is said beside: `JointDescription { …, ..JointDescription::of(name, locks)
    /// }`.
    pub const fn of(name: &'static str, locks: Locks) -> Self {
        JointDescription {
            name,
            locks,
            is_curved: false,
            coordinates: &[],
            needs_orientation: (true, locks.turns() > 0),
            axes: Axes::One,
            aligned_axis: None,
            anchor: Anchor::Shared,
            planar: PlanarVariant {
                rows: 0,
                fit: PlanarFit::Never("it holds more than bodies in the plane can do"),
            },
            symbol: Symbol::Mark,
            closed_form: ClosedForm::Rows,
        }
    }

    /// Number of scalar conditions in space.
    pub const fn rows(&self) -> usize {
        self.locks.shifts() + self.locks.turns()
    }
    /// Coordinate `k`, if there is one.
    pub const fn coordinate(&self, k: usize) -> Option<Coordinate> {
        if k < self.coordinates.len() { Some(self.coordinates[k]) } else { None }
    }
    /// Whether it means something where the joint sits.
    pub const fn has_place(&self) -> bool {
        self.locks.shifts() > 0 && self.rows() < 6
    }
}

//! Descriptions of joint kinds. Each kind states its properties once, in its own file; the model,
//! the solvers, drives, the diagnosis, drawings and pages read them from here. Code outside of
//! `joint/` does not name a kind, except [`JointKind::Lock`](super::JointKind::Lock) where its locks
//! are needed; the articulated path matches on [`ClosedForm`]. A test keeps it so.

use super::drive::CoordinateRow;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

/// A kind of joint: its description and its equations. See [`super::kinds`].
pub(super) trait JointEquations: Copy {
    /// Properties of the kind.
    const ABOUT: JointDescription;

    /// Writes C, G and h of every row (see the head of [`super`]); `plane` is the plane of planar
    /// bodies, seen from a's frame.
    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows);

    /// Coordinate `k` as a constraint row, for a drive.
    fn coordinate_row(self, _k: usize, _at: &Relative) -> CoordinateRow {
        CoordinateRow { value: 0.0, gradient: Wrench::ZERO, velocity_term: 0.0, column: Wrench::ZERO }
    }

    /// Writes all coordinates, their rates, and the wrench of a unit force along each, which is the
    /// gradient.
    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        for k in 0..Self::ABOUT.coordinates.len() {
            let row = self.coordinate_row(k, at);
            let rate = row.gradient.force.dot(at.rate) + row.gradient.torque.dot(at.spin);
            out.set(k, row.value, rate, row.gradient);
        }
    }

    /// The length of the kind \[m\], if it has one, with its name in scene files.
    fn size(self) -> Option<(&'static str, f64)> {
        None
    }
}

/// Properties of a joint kind.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// The name used in scene files.
    pub name: &'static str,
    /// The shifts and turns of b, seen from a's frame, that the joint locks. Their number is the
    /// number of rows in space.
    pub locks: Locks,
    /// Whether the constraint surface is curved, so that `locks` only approximates it.
    pub is_curved: bool,
    /// The coordinates that the joint reports.
    pub coordinates: &'static [Coordinate],
    /// Whether the body a, and the body b, must have an orientation.
    pub needs_orientation: (bool, bool),
    /// Which axes of the joint frames have a meaning.
    pub axes: Axes,
    /// The axis of b's frame that stays on a's axis, or parallel to it. An axis that points the
    /// other way is another assembly.
    pub aligned_axis: Option<Vec3>,
    /// Where the joint frames are.
    pub anchor: Anchor,
    /// The joint between planar bodies.
    pub planar: PlanarVariant,
    /// How the joint is drawn.
    pub symbol: Symbol,
    /// The closed form that the articulated solver has for the kind.
    pub closed_form: ClosedForm,
}

/// A coordinate that a joint reports.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// True for an angle \[rad\], false for a length \[m\].
    pub is_angle: bool,
    /// Whether full turns of the angle are counted.
    pub counts_turns: bool,
    /// Whether the coordinate measures one freedom in space, so that it can be driven or have a
    /// force along it.
    pub acts: bool,
    /// Whether the coordinate measures one freedom between planar bodies.
    pub acts_in_plane: bool,
}

impl Coordinate {
    /// A length.
    pub const SHIFT: Coordinate =
        Coordinate { is_angle: false, counts_turns: false, acts: true, acts_in_plane: true };
    /// An angle about an axis.
    pub const ANGLE: Coordinate =
        Coordinate { is_angle: true, counts_turns: true, acts: true, acts_in_plane: true };

    /// The coordinate as one that measures no freedom of planar bodies.
    pub const fn in_space_only(self) -> Coordinate {
        Coordinate { acts_in_plane: false, ..self }
    }
}

/// Which axes of the joint frames have a meaning.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Axes {
    /// None.
    None,
    /// The axis z.
    One,
    /// The axes z of a's frame and x of b's frame, the arms of a cross.
    Cross,
    /// The axes z and x, on both bodies.
    Two,
}

/// Where the frames of a joint are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At one point, on both bodies.
    Shared,
    /// b's point is anywhere along the axis or plane of a's frame; any point of it can be the
    /// anchor.
    Along,
    /// b's point is around a's frame: b has a point of its own, its origin unless given.
    Around,
    /// Each body has a point of its own.
    Points,
}

/// A joint kind between planar bodies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlanarVariant {
    /// Number of rows; 0 if the kind does not fit there, the largest number for locks.
    pub rows: usize,
    /// How the axis has to lie.
    pub fit: PlanarFit,
}

/// How the axis of a joint has to lie relative to the plane of planar bodies, with the message
/// where it does not.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PlanarFit {
    /// Any direction.
    Any,
    /// Along the normal of the plane.
    AlongNormal(&'static str),
    /// In the plane.
    InPlane(&'static str),
    /// The kind does not fit between planar bodies.
    Never(&'static str),
    /// Decided by both frames together, see [`Locks`].
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

/// Closed forms of the articulated solver. A kind without one is solved by its rows: with up to
/// three rows in trees and loops by linear-time elimination, with more by the sparse solver. It
/// cannot carry joint coordinates.
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
    /// None: solved by its rows.
    Rows,
}

impl JointDescription {
    /// A kind with these locks and the usual properties: no coordinate, one axis, frames at one
    /// point, not between planar bodies, drawn as a plain mark, solved by its rows. A kind states
    /// what differs: `JointDescription { …, ..JointDescription::of(name, locks) }`.
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

    /// Number of scalar constraints in space.
    pub const fn rows(&self) -> usize {
        self.locks.shifts() + self.locks.turns()
    }
    /// Coordinate `k`, if there is one.
    pub const fn coordinate(&self, k: usize) -> Option<Coordinate> {
        if k < self.coordinates.len() { Some(self.coordinates[k]) } else { None }
    }
    /// Whether the place of the joint has a meaning.
    pub const fn has_place(&self) -> bool {
        self.locks.shifts() > 0 && self.rows() < 6
    }
}

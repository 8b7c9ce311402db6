//! Distance joint: two points a fixed length apart, a massless rod; 1 row.
//!
//!   C = |d| − ℓ              G = n = d/|d|         h = (|ḋ|² − (n·ḋ)²)/|d|
//!
//! The multiplier is the force along the rod, positive when the rod pushes.

use super::description::{Anchor, Axes, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol};
use super::{JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Distance {
    pub(super) length: f64,
}

impl JointEquations for Distance {
    const ABOUT: JointDescription = JointDescription {
        is_curved: true,
        needs_orientation: (false, false),
        axes: Axes::None,
        anchor: Anchor::Points,
        planar: PlanarVariant { rows: 1, fit: PlanarFit::Any },
        symbol: Symbol::Rod,
        ..JointDescription::of("distance", Locks::new([false, false, true], [false; 3]))
    };

    fn rows(self, at: &Relative, _plane: Option<&Plane>, out: &mut JointRows) {
        let size = at.shift.norm();
        // Coincident points have no direction between them; any direction separates them.
        let n = if size > 0.0 { at.shift / size } else { Vec3::X };
        let along = n.dot(at.rate);
        let curve = if size > 0.0 { (at.rate.dot(at.rate) - along * along) / size } else { 0.0 };
        let gradient = Wrench { force: n, torque: Vec3::ZERO };
        out.push(size - self.length, gradient, curve, at.reach + self.length);
    }

    fn size(self) -> Option<(&'static str, f64)> {
        Some(("length", self.length))
    }
}

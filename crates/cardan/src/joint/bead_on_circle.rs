//! Bead on a circle: a point of b on the circle of radius r about a's z axis; 2 rows, 1 in the
//! plane.
//!
//!   C = ((d_x² + d_y² − r²)/(2 r), d_z)        G = ((d_x, d_y, 0)/r, e_z)        h = ((ḋ_x² + ḋ_y²)/r, 0)
//!
//! With r = 1 the first row is Witkin's C = (x·x − 1)/2 (Constrained dynamics, eq. 1), and its
//! multiplier his λ. Coordinate: the polar angle, turns counted.

use super::description::{
    Anchor, Coordinate, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::drive::CoordinateRow;
use super::{JointCoordinates, JointRows, Locks, Plane, Relative};
use crate::body::Wrench;
use crate::math::{Vec3, vec3};

#[derive(Copy, Clone)]
pub(super) struct BeadOnCircle {
    pub(super) radius: f64,
}

impl JointEquations for BeadOnCircle {
    const ABOUT: JointDescription = JointDescription {
        is_curved: true,
        coordinates: &[Coordinate::ANGLE],
        anchor: Anchor::Around,
        planar: PlanarVariant { rows: 1, fit: PlanarFit::AlongNormal("its axis must be along z") },
        symbol: Symbol::Ring,
        ..JointDescription::of("bead-on-circle", Locks::new([false, true, true], [false; 3]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        let radius = self.radius;
        let y = vec3(at.shift.x, at.shift.y, 0.0);
        let err = (y.dot(y) - radius * radius) / (2.0 * radius);
        let curve = (at.rate.x * at.rate.x + at.rate.y * at.rate.y) / radius;
        let scale = at.reach * y.norm() / radius + radius;
        out.push(err, Wrench { force: y / radius, torque: Vec3::ZERO }, curve, scale);
        if plane.is_none() {
            out.lock_shift(at, Vec3::Z);
        }
    }

    fn coordinates(self, at: &Relative, out: &mut JointCoordinates) {
        let (x, y) = (at.shift.x, at.shift.y);
        let r2 = x * x + y * y;
        // The unit generalised force turns the bead about the axis: force along the tangent over
        // the arm.
        let tangent = if r2 > 0.0 { vec3(-y, x, 0.0) / r2 } else { Vec3::ZERO };
        let direction = Wrench { force: tangent, torque: Vec3::ZERO };
        out.set(0, libm::atan2(y, x), tangent.dot(at.rate), direction);
    }

    fn coordinate_row(self, _k: usize, at: &Relative) -> CoordinateRow {
        let y = vec3(at.shift.x, at.shift.y, 0.0);
        let square = y.dot(y);
        let tangent = vec3(-y.y, y.x, 0.0);
        let gradient = tangent / square;
        let along = |e: Vec3| Wrench { force: e, torque: Vec3::ZERO };
        CoordinateRow {
            value: libm::atan2(y.y, y.x),
            gradient: along(gradient),
            velocity_term: -2.0 * y.dot(at.rate) / square * gradient.dot(at.rate),
            column: along(tangent),
        }
    }

    fn size(self) -> Option<(&'static str, f64)> {
        Some(("radius", self.radius))
    }
}

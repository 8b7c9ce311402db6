//! Fixed joint: b welded to a; 6 rows, 3 between planar bodies.
//!
//!   C = (d, 2 q_v)           rows: shift x, y, z; turn x, y, z of a's frame

use super::description::{
    Axes, ClosedForm, JointDescription, JointEquations, PlanarFit, PlanarVariant, Symbol,
};
use super::spherical::Spherical;
use super::{JointRows, Locks, Plane, Relative};
use crate::math::Vec3;

#[derive(Copy, Clone)]
pub(super) struct Fixed;

impl JointEquations for Fixed {
    const ABOUT: JointDescription = JointDescription {
        axes: Axes::None,
        planar: PlanarVariant { rows: 3, fit: PlanarFit::Any },
        symbol: Symbol::Weld,
        closed_form: ClosedForm::Fixed,
        ..JointDescription::of("fixed", Locks::new([true; 3], [true; 3]))
    };

    fn rows(self, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
        Spherical.rows(at, plane, out);
        match plane {
            None => [Vec3::X, Vec3::Y, Vec3::Z].iter().for_each(|&e| out.lock_turn(at, e)),
            Some(p) => out.lock_turn(at, p.normal),
        }
    }
}

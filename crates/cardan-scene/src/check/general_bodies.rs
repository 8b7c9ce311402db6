//! Checks of bodies whose coordinates are not a position and an orientation.

use super::{Check, CheckResult};
use crate::document::FieldPath;
use crate::error::ErrorKind;
use crate::scene::{BodyDesc, BodyKindDesc};

pub(super) const SHAFT: &[&str] = &[
    "shape",
    "shapes",
    "mass",
    "density",
    "position",
    "orientation",
    "angular_velocity",
    "center_of_mass",
    "inertia",
    "axis",
    "start",
    "start_rate",
];
pub(super) const SCALED: &[&str] = &[
    "shape",
    "shapes",
    "mass",
    "density",
    "position",
    "velocity",
    "orientation",
    "angular_velocity",
    "center_of_mass",
    "inertia",
    "start",
    "start_rate",
    "stiffness",
    "damping",
];
pub(super) const ELASTIC: &[&str] = &[
    "shape",
    "shapes",
    "mass",
    "density",
    "position",
    "velocity",
    "orientation",
    "angular_velocity",
    "young",
    "poisson",
    "damping",
];
pub(super) const INTERNAL: &[&str] = &[
    "shape",
    "shapes",
    "mass",
    "density",
    "position",
    "velocity",
    "orientation",
    "angular_velocity",
    "center_of_mass",
    "inertia",
    "inside",
    "start",
    "start_rate",
];
pub(super) const BEAD: &[&str] =
    &["shape", "mass", "density", "position", "orientation", "curve", "start", "start_rate"];
pub(super) const FORMULA: &[&str] =
    &["shape", "shapes", "position", "orientation", "coordinates", "pieces", "energy", "start", "start_rate"];

impl Check<'_> {
    /// Fields that a kind of body needs, and the number of its initial coordinates.
    pub(super) fn general(&self, path: &FieldPath, body: &BodyDesc) -> CheckResult {
        let needs = |field: &str, help: &str| {
            Err(self.missing(path, format!("the field `{field}` is missing"), help))
        };
        match body.kind {
            BodyKindDesc::Shaft if body.axis.is_none() => {
                return needs("axis", "the direction that it turns about, such as axis = [0, 0, 1]");
            }
            BodyKindDesc::Scaled | BodyKindDesc::Scaled3 if body.stiffness.is_none() => {
                return needs("stiffness", "k of its energy ½ k Σ (s − 1)², in J; 0 for none");
            }
            BodyKindDesc::Affine | BodyKindDesc::Soft if body.young.is_none() => {
                return needs("young", "Young's modulus, such as young = \"0.1 MPa\"");
            }
            BodyKindDesc::Affine | BodyKindDesc::Soft if body.all_shapes().is_empty() => {
                return needs("shape", "an elastic body needs a volume");
            }
            BodyKindDesc::InternalMass if body.inside.is_none() => {
                return needs("inside", "inside = { mass = 0.5, axis = [1, 0, 0], stiffness = 100 }");
            }
            BodyKindDesc::Bead if body.curve.is_none() => {
                return needs("curve", "curve.circle = 0.5, or curve.through, curve.nurbs, curve.formula");
            }
            BodyKindDesc::Formula if body.coordinates.is_none() => {
                return needs("coordinates", "their names, such as coordinates = [\"u\"]");
            }
            BodyKindDesc::Formula if body.pieces.is_none() => {
                return needs("pieces", "pieces = [ { mass = 1, x = \"sin(u)\", y = \"-cos(u)\" } ]");
            }
            _ => {}
        }
        let count = match body.kind {
            BodyKindDesc::Scaled3 => 3,
            BodyKindDesc::Formula => body.coordinates.as_ref().map_or(0, Vec::len),
            _ => 1,
        };
        for (field, given) in [("start", &body.start), ("start_rate", &body.start_rate)] {
            if given.as_ref().is_some_and(|given| given.len() != count) {
                let message = format!("expected an array of {count}");
                let help = "one number per coordinate of its own".to_string();
                return Err(self.error(ErrorKind::WrongType, path.join(field), message, Some(help)));
            }
        }
        Ok(())
    }
}

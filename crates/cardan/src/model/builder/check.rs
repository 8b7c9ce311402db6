//! Checks of numbers, before anything is connected.

use crate::body::general;
use crate::body::{Body, PlacedShape};
use crate::contact::Material;
use crate::math::{Quat, Vec3};
use crate::model::BuildError;

pub(super) fn check_number(
    part: &'static str,
    name: &str,
    field: &'static str,
    value: f64,
    not_negative: bool,
) -> Result<(), BuildError> {
    let want = if !value.is_finite() {
        "it must be a finite number"
    } else if not_negative && value < 0.0 {
        "it must not be negative"
    } else {
        return Ok(());
    };
    Err(BuildError::Number { part, name: name.into(), field, value, want })
}

pub(super) fn check_material(name: &str, material: &Material) -> Result<(), BuildError> {
    for (field, value) in
        [("static friction", material.static_friction), ("kinetic friction", material.kinetic_friction)]
    {
        check_number("material of", name, field, value, true)?;
    }
    check_restitution("material of", name, material.restitution)
}

/// A rebound is from none to all of the speed.
pub(super) fn check_restitution(part: &'static str, name: &str, value: f64) -> Result<(), BuildError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    let want = "it must be from 0 (no rebound) to 1 (all of the speed)";
    Err(BuildError::Number { part, name: name.into(), field: "restitution", value, want })
}

/// An orientation must be a unit quaternion; rounding of its length is mended.
pub(super) fn unit(part: &'static str, name: &str, rot: Quat) -> Result<Quat, BuildError> {
    let size = (rot.w * rot.w + rot.v.dot(rot.v)).sqrt();
    if (size - 1.0).abs() <= 1e-6 {
        return Ok(rot.renormalized());
    }
    let (field, want) = ("length of the orientation's quaternion", "it must be 1");
    Err(BuildError::Number { part, name: name.into(), field, value: size, want })
}

pub(super) fn finite(part: &'static str, name: &str, field: &'static str, v: Vec3) -> Result<(), BuildError> {
    v.to_array().iter().try_for_each(|&x| check_number(part, name, field, x, false))
}

pub(super) fn check_body(body: &Body, visual: &[PlacedShape]) -> Result<(), BuildError> {
    let name = &body.name;
    for (field, v) in [
        ("position", body.pos),
        ("orientation", body.rot.v),
        ("velocity", body.vel),
        ("angular velocity", body.omega),
    ] {
        finite("body", name, field, v)?;
    }
    for placed in visual {
        for length in placed.shape.lengths() {
            check_number("body", name, "shape size", length, true)?;
        }
    }
    if let Some(figure) = &body.form {
        let unreal = |error| BuildError::Mass { body: name.clone(), error };
        general::check_inertia(body, figure).map_err(unreal)?;
        general::check(body, figure).map_err(|why| BuildError::GeneralForm {
            body: name.clone(),
            kind: body.kind.name(),
            why,
        })?;
    } else if body.kind.is_general() {
        let why = "it has no form; make it by a constructor of `Body`".to_string();
        return Err(BuildError::GeneralForm { body: name.clone(), kind: body.kind.name(), why });
    }
    body.mass
        .check(body.kind, body.allow_unphysical_inertia)
        .map_err(|error| BuildError::Mass { body: name.clone(), error })?;
    if body.kind.is_planar() {
        let off_plane = [
            ("position out of the x–y plane", body.pos.z),
            ("velocity out of the x–y plane", body.vel.z),
            ("angular velocity about x", body.omega.x),
            ("angular velocity about y", body.omega.y),
            ("orientation about x", body.rot.v.x),
            ("orientation about y", body.rot.v.y),
            ("centre of mass out of the x–y plane", body.mass.center.z),
        ];
        for (field, value) in off_plane {
            if value != 0.0 {
                let want = "it must be zero for a planar body";
                return Err(BuildError::Number { part: "body", name: name.clone(), field, value, want });
            }
        }
    }
    if !body.kind.has_orientation() && !body.kind.is_general() && body.omega != Vec3::ZERO {
        let want = "a point mass does not turn";
        let (field, value) = ("angular velocity", body.omega.norm());
        return Err(BuildError::Number { part: "body", name: name.clone(), field, value, want });
    }
    Ok(())
}

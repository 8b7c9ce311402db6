//! Rolling: a ball or wheel of b on a surface of a, without slipping. Equations: `cardan::constraint::Rolling`.

use cardan::constraint::{Rolling as RollingConstraint, RollingError, Track, Wheel};
use cardan::geometry::Surface;
use cardan::math::{Quat, Vec3};
use cardan::{Frame, ModelBuilder};

use crate::document::FieldPath;
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::{Lower, frame, point, vector};
use crate::tolerances::FLAT_WHEEL;

pub(crate) struct Rolling;

impl JointKindSpec for Rolling {
    fn name(&self) -> &'static str {
        "rolling"
    }
    fn fields(&self) -> &'static [&'static str] {
        &[
            "a",
            "b",
            "radius",
            "axis",
            "axis_in_b",
            "tyre",
            "spin",
            "lateral_slip",
            "normal",
            "on",
            "surface",
            "curve",
            "inside",
            "frame_in_a",
            "anchor",
            "anchor_in_a",
            "anchor_in_b",
        ]
    }
    fn equations(&self) -> String {
        "crates/cardan/src/constraint/rolling/mod.rs".into()
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let NamedJoint { path, desc, .. } = at;
        let radius = desc.radius.ok_or_else(|| {
            let help = "add `radius`, that of the wheel or ball: `radius = \"30 mm\"`";
            lower.bad(path.clone(), "the rolling body has no radius", help)
        })?;
        let (on_a, on_b) = desc.ends();
        let in_plane = lower.is_flat(on_a) && lower.is_flat(on_b);
        let (a, b) = lower.poses(desc);
        let (axis, axis_field) = match (&desc.axis_in_b, &desc.axis) {
            (Some(own), _) => (Some(b.rot * vector(own)), "axis_in_b"),
            (None, world) => (world.as_ref().map(vector), "axis"),
        };
        let wheel = match (axis, desc.tyre) {
            (None, None) => Wheel::Ball { radius: radius.0 },
            (None, Some(_)) => {
                let help = "add `axis`, that of the wheel; a ball has none and no tyre";
                return Err(lower.bad(path.join("tyre"), "a tyre needs a wheel", help));
            }
            (Some(_), tyre) => Wheel::Disc { radius: radius.0, tyre: tyre.map_or(0.0, f64::from) },
        };
        if desc.surface.is_some() || desc.curve.is_some() {
            return over(lower, at, parts, wheel);
        }
        if desc.inside.is_some() || desc.frame_in_a.is_some() {
            let field = if desc.inside.is_some() { "inside" } else { "frame_in_a" };
            let message = format!("`{field}` needs a `surface`");
            let help = "add `surface = { cylinder = 0.5 }`; the plane has `anchor` and `normal`, a sphere `on = { sphere = 0.5, inside = true }`";
            return Err(lower.bad(path.join(field), message, help));
        }
        let sphere = desc.on.as_ref().and_then(|on| on.sphere).map(f64::from);
        let inside = desc.on.as_ref().and_then(|on| on.inside);
        let track = match (sphere, inside) {
            (None, None) => Track::Plane,
            (Some(size), Some(true)) => Track::Shell(size),
            (Some(size), _) => Track::Sphere(size),
            (None, Some(_)) => {
                let help = "add the radius of the sphere: `on = { sphere = 0.5, inside = true }`";
                return Err(lower.bad(path.join("on"), "a plane has no inside", help));
            }
        };
        let rule = RollingConstraint::new(wheel, track)
            .and_then(|rule| if desc.spin == Some(false) { rule.without_twist() } else { Ok(rule) })
            .and_then(
                |rule| if desc.lateral_slip == Some(true) { rule.with_lateral_slip() } else { Ok(rule) },
            )
            .and_then(|rule| if in_plane { rule.in_plane() } else { Ok(rule) })
            .map_err(|error| cannot_roll(lower, path, error))?;

        let centre = b.point_to_world(point(desc.anchor_in_b.as_ref()));
        let normal = match (&desc.normal, in_plane) {
            (Some(normal), _) => vector(normal),
            (None, true) => Vec3::Y,
            (None, false) => Vec3::Z,
        };
        // The frame that carries the surface: z is its normal, x lies in the plane of flat mechanisms.
        let x = in_plane.then(|| normal.cross(Vec3::Z));
        if in_plane && normal.z != 0.0 {
            let help = "bodies in the plane roll in it: give a normal [x, y, 0]";
            return Err(lower.bad(path.join("normal"), "the normal leaves the plane", help));
        }
        let rot = lower.along(path.join("normal"), normal, x)?;
        let up = rot * Vec3::Z;
        let upward = match axis.and_then(Vec3::normalized) {
            None => up,
            Some(axis) => (up - axis * up.dot(axis)).normalized().filter(|_| up.dot(axis).abs() < 1.0 - FLAT_WHEEL).ok_or_else(|| {
                let help = "its axis must not be the normal of the plane: a disc that lies flat has no single contact point";
                lower.bad(path.join(axis_field), "the wheel lies flat", help)
            })?,
        };
        let given = desc.anchor_in_a.as_ref().map(|own| a.point_to_world(point(Some(own))));
        let given = given.or_else(|| desc.anchor.as_ref().map(|world| point(Some(world))));
        let tyre = desc.tyre.map_or(0.0, f64::from);
        let surface = match (given, track) {
            (Some(place), _) => place,
            // The contact point in the pose of the file.
            (None, Track::Plane) if axis.is_some() => centre - upward * (radius.0 - tyre) - up * tyre,
            (None, Track::Plane) => centre - up * radius.0,
            (None, _) => a.pos,
        };
        if track != Track::Plane && centre == surface {
            let help = "move b, or say where the sphere is: `anchor = [x, y, z]`";
            let field = lower.first_given(path, &["anchor_in_a", "anchor"]);
            return Err(lower.bad(field, "the ball is at the centre of the sphere", help));
        }
        let wheel_rot = match axis {
            None => b.rot,
            Some(axis) => lower.along(path.join(axis_field), axis, None)?,
        };
        let frames = vec![
            (lower.end(on_a), a.frame_from_world(surface, rot)),
            (lower.end(on_b), b.frame_from_world(centre, wheel_rot)),
        ];
        at.constrain(parts, frames, rule)
    }
}

/// On a surface of any shape, or in the plane on a curve.
fn over(
    lower: &Lower<'_>,
    at: &NamedJoint<'_>,
    parts: &mut ModelBuilder,
    wheel: Wheel,
) -> Result<(), SceneError> {
    let NamedJoint { path, desc, .. } = at;
    for (field, given) in [
        ("on", desc.on.is_some()),
        ("normal", desc.normal.is_some()),
        ("anchor", desc.anchor.is_some()),
        ("anchor_in_a", desc.anchor_in_a.is_some()),
    ] {
        if given {
            let message = format!("`{field}` has no meaning beside a surface or curve of its own");
            let help = "leave it out; `frame_in_a` places the surface";
            return Err(lower.bad(path.join(field), message, help));
        }
    }
    let (on_a, on_b) = desc.ends();
    let in_plane = lower.is_flat(on_a) && lower.is_flat(on_b);
    let (field, surface) = match (&desc.surface, &desc.curve) {
        (Some(_), Some(_)) => {
            let help = "a ball or wheel in space rolls on a surface, a wheel in the plane on a curve";
            return Err(lower.bad(path.join("curve"), "give `surface` or `curve`, not both", help));
        }
        (Some(given), None) => ("surface", lower.surface(&path.join("surface"), given)?),
        (None, given) => {
            let (place, given) = lower.field(path, "curve", given.as_ref(), "{ circle = 0.5 }")?;
            let curve = lower.curve(&place, given)?;
            ("curve", Surface::profile(curve).map_err(|error| lower.misfit(&place, &error))?)
        }
    };
    let rule = RollingConstraint::on(wheel, surface, desc.inside == Some(true))
        .and_then(|rule| if desc.spin == Some(false) { rule.without_twist() } else { Ok(rule) })
        .and_then(|rule| if desc.lateral_slip == Some(true) { rule.with_lateral_slip() } else { Ok(rule) })
        .and_then(|rule| if in_plane { rule.in_plane() } else { Ok(rule) })
        .map_err(|error| match error {
            RollingError::Shell | RollingError::NoCurve(_) | RollingError::Surface(_) => {
                let help = match &error {
                    RollingError::NoCurve(_) => "give a `curve` for bodies in the plane",
                    _ => "give a larger one, or roll on it from outside",
                };
                lower.bad(path.join(field), error.to_string(), help)
            }
            error => cannot_roll(lower, path, error),
        })?;
    let b = lower.pose(on_b);
    let centre = point(desc.anchor_in_b.as_ref());
    let on_a_frame = desc.frame_in_a.as_ref().map_or_else(Frame::default, frame);
    let rot = match (&desc.axis_in_b, &desc.axis) {
        (None, None) => Quat::IDENTITY,
        (Some(own), _) => lower.along(path.join("axis_in_b"), vector(own), None)?,
        (None, Some(world)) => b.rot.inverse() * lower.along(path.join("axis"), vector(world), None)?,
    };
    let frames = vec![(lower.end(on_a), on_a_frame), (lower.end(on_b), Frame { pos: centre, rot })];
    at.constrain(parts, frames, rule)
}

fn cannot_roll(lower: &Lower<'_>, path: &FieldPath, error: RollingError) -> SceneError {
    let (fields, help): (&[&str], _) = match error {
        RollingError::Radius => (&["radius"], "in metres, or \"10 mm\""),
        RollingError::Tyre => (&["tyre"], "leave it out for a sharp rim; equal to `radius` it makes a ball"),
        RollingError::Shell => (&["on"], "or leave out `inside` to roll on it from outside"),
        RollingError::InPlane => (&["axis", "axis_in_b", "spin"], "leave out `axis`, `tyre` and `spin`"),
        RollingError::NoAxle => {
            (&["lateral_slip"], "add `axis`, that of a wheel, or leave out `lateral_slip`")
        }
        _ => (&["surface", "curve"], "in metres, or \"10 mm\""),
    };
    lower.bad(lower.first_given(path, fields), error.to_string(), help)
}

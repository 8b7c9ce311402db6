//! Checks of bodies: fields of each kind, mass and inertia, components in the plane or in space.

use super::{Check, CheckResult, general_bodies};
use crate::document::FieldPath;
use crate::scene::{BodyDesc, BodyKindDesc, GROUND, Orientation, Planar, Scene};

impl Check<'_> {
    pub(super) fn planar_gravity(&self, scene: &Scene) -> CheckResult {
        let planar = scene.bodies.iter().find(|(_, body)| body.kind.is_planar());
        match (planar, scene.gravity) {
            (Some((name, _)), None) => Err(self.missing(
                &FieldPath::item("bodies", name).join("kind"),
                "a scene with planar bodies must state its gravity".to_string(),
                "for example gravity = [0, -9.81, 0], at the top of the file",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn body(&self, path: &FieldPath, name: &str, body: &BodyDesc) -> CheckResult {
        if name == GROUND {
            let help = "use another name; shapes of the ground are given in [ground]";
            return Err(self.bad(path.clone(), "the name \"ground\" is reserved", help));
        }
        const POINT: &[&str] = &["shape", "shapes", "mass", "density", "position", "velocity"];
        const SOLID: &[&str] = &[
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
            "allow_unphysical_inertia",
        ];
        self.fields_fit(
            path,
            body.kind,
            "",
            &[
                (BodyKindDesc::Rigid, "rigid body", SOLID),
                (BodyKindDesc::Planar, "planar body", SOLID),
                (BodyKindDesc::Particle, "particle", POINT),
                (BodyKindDesc::PlanarParticle, "planar particle", POINT),
                (BodyKindDesc::Shaft, "shaft", general_bodies::SHAFT),
                (BodyKindDesc::Scaled, "scaled body", general_bodies::SCALED),
                (BodyKindDesc::Scaled3, "scaled3 body", general_bodies::SCALED),
                (BodyKindDesc::Affine, "affine body", general_bodies::ELASTIC),
                (BodyKindDesc::Soft, "soft body", general_bodies::ELASTIC),
                (BodyKindDesc::InternalMass, "body with an internal mass", general_bodies::INTERNAL),
                (BodyKindDesc::Bead, "bead", general_bodies::BEAD),
                (BodyKindDesc::Formula, "body by formulas", general_bodies::FORMULA),
            ],
        )?;
        self.general(path, body)?;
        let twice = |one: &str, other: &str| format!("give `{one}` or `{other}`, not both");
        if body.shape.is_some() && body.shapes.is_some() {
            return Err(self.misplaced(path, "shapes", twice("shape", "shapes"), None));
        }
        if body.mass.is_some() && body.density.is_some() {
            return Err(self.misplaced(path, "density", twice("mass", "density"), None));
        }
        match &body.shape {
            Some(shape) => self.shape(&path.join("shape"), shape)?,
            None => self.shapes(path, "shapes", body.shapes.as_deref().unwrap_or_default())?,
        }
        if body.mass.is_some_and(|mass| mass.0 <= 0.0) {
            return Err(self.bad(
                path.join("mass"),
                "a mass must be positive",
                "a body that never moves is the \"ground\"",
            ));
        }
        if body.density.is_some_and(|density| density.0 <= 0.0) {
            return Err(self.bad(path.join("density"), "a density must be positive", "water has 1000 kg/m³"));
        }
        let shapes = body.all_shapes();
        match (body.mass, body.density) {
            _ if body.kind == BodyKindDesc::Formula => {}
            (None, None) => {
                return Err(self.missing(
                    path,
                    "the mass is missing".to_string(),
                    "give `mass`, or `density` with a shape",
                ));
            }
            (None, Some(_)) if shapes.is_empty() => {
                return Err(self.missing(
                    path,
                    "a density needs a shape".to_string(),
                    "give `shape`, or `mass`",
                ));
            }
            _ => {}
        }
        let by_formulas = body.kind == BodyKindDesc::Formula;
        if !body.kind.is_particle() && !by_formulas && body.inertia.is_none() && shapes.is_empty() {
            let help = "give `shape`, from which it follows, or `inertia`";
            return Err(self.missing(path, "the inertia is missing".to_string(), help));
        }
        self.dimensions(path, body)
    }

    /// Planar bodies lie in the plane, spatial ones have three components.
    fn dimensions(&self, path: &FieldPath, body: &BodyDesc) -> CheckResult {
        use crate::scene::{AngularVelocity, Inertia};
        let planar = body.kind.is_planar();
        let vectors = [
            ("position", body.position.map(|v| (matches!(v, Planar::Plane(_)), v.in_space()[2]))),
            ("velocity", body.velocity.map(|v| (matches!(v, Planar::Plane(_)), v.in_space()[2]))),
            ("center_of_mass", body.center_of_mass.map(|v| (matches!(v, Planar::Plane(_)), v.in_space()[2]))),
        ];
        let short = "this body moves in space";
        let out = "this body moves in the x–y plane";
        for (field, vector) in vectors {
            match vector {
                Some((true, _)) if !planar => {
                    return Err(self.bad(path.join(field), short, "give [x, y, z]"));
                }
                Some((_, z)) if planar && z != 0.0 => {
                    return Err(self.bad(path.join(field), out, "give [x, y] or [x, y, 0]"));
                }
                _ => {}
            }
        }
        match body.orientation {
            Some(Orientation::Angle(_)) if !planar => {
                return Err(self.bad(
                    path.join("orientation"),
                    short,
                    "give { axis, angle } or { quaternion }",
                ));
            }
            Some(Orientation::AxisAngle { .. } | Orientation::Quaternion { .. }) if planar => {
                return Err(self.bad(path.join("orientation"), out, "give an angle, such as \"30 deg\""));
            }
            _ => {}
        }
        match body.angular_velocity {
            Some(AngularVelocity::Plane(_)) if !planar => {
                return Err(self.bad(path.join("angular_velocity"), short, "give [x, y, z]"));
            }
            Some(AngularVelocity::Space([x, y, _])) if planar && (x.0 != 0.0 || y.0 != 0.0) => {
                return Err(self.bad(path.join("angular_velocity"), out, "give a number or [0, 0, w]"));
            }
            _ => {}
        }
        match body.inertia {
            Some(Inertia::Planar(_)) if !planar => {
                Err(self.bad(path.join("inertia"), short, "give [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]"))
            }
            Some(Inertia::Principal(_) | Inertia::Full(_)) if planar => {
                Err(self.bad(path.join("inertia"), out, "give one number, the inertia about z"))
            }
            _ => Ok(()),
        }
    }
}

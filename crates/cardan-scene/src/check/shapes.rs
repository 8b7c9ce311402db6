//! Checks of shapes: fields of each kind, positive sizes, materials that exist.

use super::{Check, CheckResult};
use crate::document::FieldPath;
use crate::error::ErrorKind;
use crate::nearest::nearest;
use crate::quantity::Length;
use crate::scene::{MeshScale, Planar, ShapeDesc, ShapeKind};

impl Check<'_> {
    pub(super) fn shapes(&self, path: &FieldPath, field: &str, shapes: &[ShapeDesc]) -> CheckResult {
        shapes.iter().enumerate().try_for_each(|(i, shape)| self.shape(&path.join(field).join(i), shape))
    }

    pub(super) fn shape(&self, path: &FieldPath, shape: &ShapeDesc) -> CheckResult {
        let all: &[(ShapeKind, &str, &[&str])] = &[
            (ShapeKind::Box, "box", &["size"]),
            (ShapeKind::Sphere, "sphere", &["radius"]),
            (ShapeKind::Cylinder, "cylinder", &["radius", "length"]),
            (ShapeKind::Capsule, "capsule", &["radius", "length"]),
            (ShapeKind::Rod, "rod", &["length", "radius"]),
            (ShapeKind::Plate, "plate", &["size", "thickness"]),
            (ShapeKind::Plane, "plane", &["normal"]),
            (ShapeKind::Hull, "hull", &["vertices", "file", "scale", "thickness"]),
            (ShapeKind::Mesh, "mesh", &["vertices", "triangles", "file", "scale"]),
            (ShapeKind::Terrain, "terrain", &["corner", "spacing", "heights"]),
        ];
        self.fields_fit(path, shape.kind, "", all)?;
        self.look(path, shape.look.as_ref())?;
        if shape.kind == ShapeKind::Plane && !path.to_string().starts_with("ground") {
            let help = "put it into [ground], or give the body a box";
            return Err(self.bad(
                path.join("kind"),
                "a plane is infinite: only the ground can have one",
                help,
            ));
        }
        let needs =
            |field: &str, help: &str| self.missing(path, format!("the field `{field}` is missing"), help);
        self.corners(path, shape)?;
        use ShapeKind::{Box, Capsule, Cylinder, Plate, Rod, Sphere};
        match shape.kind {
            Box | Plate => {
                let (count, form) = if shape.kind == Box { (3, "[x, y, z]") } else { (2, "[x, y]") };
                let help = format!("full edge lengths: size = {form}");
                match &shape.size {
                    None => return Err(needs("size", &help)),
                    Some(size) if size.len() != count => {
                        let message = format!("expected an array of {count}, found {}", size.len());
                        return Err(self.error(ErrorKind::WrongType, path.join("size"), message, Some(help)));
                    }
                    _ => {}
                }
            }
            Sphere | Cylinder | Capsule if shape.radius.is_none() => {
                return Err(needs("radius", "for example radius = 0.1"));
            }
            _ => {}
        }
        if matches!(shape.kind, Cylinder | Capsule | Rod) && shape.length.is_none() {
            return Err(needs("length", "for example length = 0.4"));
        }
        let sizes = shape.size.iter().flatten().enumerate().map(|(i, s)| (path.join("size").join(i), *s));
        let single = |field: &str, value: Option<Length>| value.map(|value| (path.join(field), value));
        let lengths = [
            single("radius", shape.radius),
            single("length", shape.length),
            single("thickness", shape.thickness),
        ];
        for (path, length) in sizes.chain(lengths.into_iter().flatten()) {
            if length.0 <= 0.0 {
                return Err(self.bad(path, "a shape must have a positive size", "in metres, or \"10 mm\""));
            }
        }
        if let Some(material) = &shape.material
            && !self.materials.contains(material.as_str())
            && !cardan::Material::TYRES.iter().any(|(name, ..)| name == material)
        {
            let bundled = cardan::Material::TYRES.map(|(name, ..)| name);
            let help = match nearest(material, self.document_names("materials").chain(bundled)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    format!("materials are given in [materials.NAME]; bundled are {}", bundled.join(", "))
                }
            };
            let message = format!("there is no material `{}`", crate::document::clip(material));
            return Err(self.error(ErrorKind::UnknownName, path.join("material"), message, Some(help)));
        }
        Ok(())
    }

    /// What shapes with corners must be given.
    fn corners(&self, path: &FieldPath, shape: &ShapeDesc) -> CheckResult {
        let needs =
            |field: &str, help: &str| self.missing(path, format!("the field `{field}` is missing"), help);
        match shape.kind {
            ShapeKind::Terrain => {
                if !path.to_string().starts_with("ground") {
                    let help = "put it into [ground], or give the body a mesh";
                    let message = "a terrain is infinite below: only the ground can have one";
                    return Err(self.bad(path.join("kind"), message, help));
                }
                if shape.spacing.is_none() {
                    return Err(needs(
                        "spacing",
                        "between heights, along x and along y: spacing = [0.1, 0.1]",
                    ));
                }
                if shape.heights.is_none() {
                    return Err(needs("heights", "a row per y: heights = [[0, 0.1], [0, 0.1]]"));
                }
            }
            ShapeKind::Hull | ShapeKind::Mesh => {
                let is_mesh = shape.kind == ShapeKind::Mesh;
                if shape.file.is_some() {
                    let given =
                        [("vertices", shape.vertices.is_some()), ("triangles", shape.triangles.is_some())];
                    if let Some((field, _)) = given.iter().find(|(_, given)| *given) {
                        let message = format!("give `{field}` or `file`, not both");
                        let help = "leave one of them out".to_string();
                        return Err(self.misplaced(path, field, message, Some(help)));
                    }
                } else if shape.vertices.is_none() {
                    let help = "its corners: vertices = [[0, 0, 0], [1, 0, 0], …], or file = \"part.stl\"";
                    return Err(needs("vertices", help));
                } else if is_mesh && shape.triangles.is_none() {
                    return Err(needs(
                        "triangles",
                        "three numbers of corners each: triangles = [[0, 1, 2], …]",
                    ));
                }
                if shape.file.is_none() && shape.scale.is_some() {
                    let message = "`scale` belongs to a `file`".to_string();
                    let help = "corners in the scene carry their unit: \"10 mm\"".to_string();
                    return Err(self.misplaced(path, "scale", message, Some(help)));
                }
                match shape.scale {
                    Some(MeshScale::All(scale)) if scale.0 <= 0.0 => {
                        let help = "0.001 makes metres of millimetres; [1, -1, 1] mirrors";
                        return Err(self.bad(path.join("scale"), "a scale must be positive", help));
                    }
                    Some(MeshScale::Each(each)) if each.iter().any(|scale| scale.0 == 0.0) => {
                        let help = "1 leaves an axis as it is, -1 mirrors it";
                        return Err(self.bad(path.join("scale"), "a scale cannot be zero", help));
                    }
                    _ => {}
                }
                let flat: Vec<bool> =
                    shape.vertices.iter().flatten().map(|v| matches!(v, Planar::Plane(_))).collect();
                if let Some(other) = flat.iter().position(|&f| if is_mesh { f } else { f != flat[0] }) {
                    let message =
                        if is_mesh { "a mesh has corners in space" } else { "corners of both kinds" };
                    let help =
                        if is_mesh { "give [x, y, z]" } else { "give all as [x, y, z], or all as [x, y]" };
                    return Err(self.bad(path.join("vertices").join(other), message, help));
                }
                if !flat.contains(&true) && shape.thickness.is_some() {
                    let message = "`thickness` belongs to a hull of corners [x, y]".to_string();
                    let help = "corners [x, y, z] define the thickness".to_string();
                    return Err(self.misplaced(path, "thickness", message, Some(help)));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

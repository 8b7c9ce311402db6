//! Limits, inequalities, materials and contacts of a scene, for the engine.

use std::collections::{BTreeMap, BTreeSet};

use cardan::contact::{ContactShape, Material, Shape};
use cardan::inequality::{DistanceBound, Formula, FormulaError, HalfSpace, Inequality, JointLimit};
use cardan::math::{Quat, Vec3};
use cardan::{End, Frame, Joint, ModelBuilder};

use crate::document::FieldPath;
use crate::error::{ErrorKind, SceneError};
use crate::lower::{Lower, frame, point, vector};
use crate::quantity::{Dimension, Length, Number};
use crate::scene::{
    ContactFriction, FrameDesc, GROUND, InequalityDesc, InequalityKind, JointDesc, MaterialDesc, Scene,
    ShapeDesc, ShapeKind,
};

impl Scene {
    /// Whether shapes collide: if the scene has materials, contacts or shapes on the ground that may be touched.
    pub(crate) fn has_contacts(&self) -> bool {
        let marked = |shape: &ShapeDesc| shape.material.is_some() || shape.collide == Some(true);
        self.contacts.is_some()
            || self.ground.iter().flat_map(|ground| &ground.shapes).any(|shape| shape.collide != Some(false))
            || self.bodies.iter().any(|(_, body)| body.all_shapes().iter().any(marked))
    }
}

impl Lower<'_> {
    /// Limits of the coordinates of a joint.
    pub(crate) fn limits(
        &self,
        path: &FieldPath,
        desc: &JointDesc,
        joint: &mut Joint,
    ) -> Result<(), SceneError> {
        let restitution = self.restitution(path, desc.restitution)?;
        let Some(limits) = &desc.limits else {
            if desc.restitution.is_some() {
                let help = "give `limits`, a pair [lower, upper] per coordinate";
                return Err(self.bad(path.join("restitution"), "there are no limits to rebound from", help));
            }
            return Ok(());
        };
        let coordinates = joint.kind.coordinates();
        if joint.kind.acting() == 0 {
            let message =
                format!("{} joint has no coordinate to limit", crate::lower::with_article(joint.kind.name()));
            let help = "its rotation vector is not three separate freedoms: hold the body by [inequalities.NAME] of kind `half-plane`, `distance` or \
                        `expression`, or take a `revolute` or `universal` joint";
            return Err(self.bad(path.join("limits"), message, help));
        }
        if limits.len() != coordinates {
            let count = crate::lower::count;
            let message = format!("{} for {}", count(limits.len(), "pair"), count(coordinates, "coordinate"));
            let help = "give one pair [lower, upper] per coordinate of the joint; \"inf\" is no limit";
            return Err(self.bad(path.join("limits"), message, help));
        }
        for (coordinate, [low, high]) in limits.iter().enumerate() {
            let want = if joint.kind.is_angle(coordinate) { Dimension::Angle } else { Dimension::Length };
            let value = |end: usize, bound: &crate::quantity::Bound| {
                if bound.0.value.is_infinite() {
                    return Ok(bound.0.value);
                }
                self.quantity(path.join("limits").join(coordinate).join(end), bound.0, want)
            };
            let (low, high) = (value(0, low)?, value(1, high)?);
            if low.is_finite() || high.is_finite() {
                joint.limits.push(JointLimit { coordinate, low, high, restitution });
            }
        }
        Ok(())
    }

    fn restitution(&self, path: &FieldPath, value: Option<Number>) -> Result<f64, SceneError> {
        let value = value.map_or(0.0, f64::from);
        if (0.0..=1.0).contains(&value) {
            return Ok(value);
        }
        let help = "the coefficient of restitution: from 0, no rebound, to 1, elastic";
        Err(self.bad(path.join("restitution"), format!("a restitution of {value} is out of range"), help))
    }

    /// A condition g ≥ 0.
    pub(crate) fn inequality(
        &self,
        name: &str,
        desc: &InequalityDesc,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let path = FieldPath::item("inequalities", name);
        let restitution = self.restitution(&path, desc.restitution)?;
        let known = |field: &str, body: Option<&String>| -> Result<End, SceneError> {
            let Some(body) = body else {
                let message = format!("the field `{field}` is missing");
                return Err(self.bad(path.clone(), message, "name a body, or \"ground\""));
            };
            self.known_end(&path.join(field), body)
        };
        match desc.kind {
            InequalityKind::HalfPlane => {
                let body = known("body", desc.body.as_ref())?;
                let of = desc.of.as_ref().map_or(Ok(End::Ground), |of| known("of", Some(of)))?;
                let normal = desc.normal.as_ref().map(vector).filter(|n| *n != Vec3::ZERO);
                let Some(normal) = normal else {
                    let help = "the direction that leads away from what is forbidden: normal = [0, 0, 1]";
                    return Err(self.bad(path.join("normal"), "a half-plane needs a normal", help));
                };
                // g = n · (x − c) with n · c = offset, for n of any length.
                let size = normal.norm();
                let offset = desc.offset.map_or(0.0, f64::from);
                let radius = desc.radius.map_or(0.0, f64::from) * size;
                let rule = HalfSpace { normal, point: normal * (offset / (size * size)), radius };
                let at = Frame::at(point(desc.point.as_ref()));
                let frames = vec![(of, Frame::default()), (body, at)];
                parts.add_inequality(Inequality::new(name, frames, rule).with_restitution(restitution));
            }
            InequalityKind::Distance => {
                let (a, b) = (known("a", desc.a.as_ref())?, known("b", desc.b.as_ref())?);
                let frames = vec![
                    (a, Frame::at(point(desc.point_in_a.as_ref()))),
                    (b, Frame::at(point(desc.point_in_b.as_ref()))),
                ];
                let (length, at_most) = match (desc.min, desc.max) {
                    (Some(min), None) => (f64::from(min), false),
                    (None, Some(max)) => (f64::from(max), true),
                    _ => {
                        let help = "min = 0.2 keeps two points apart, max = 0.2 is a rope between them";
                        let message = "a distance has either a least or a largest length";
                        return Err(self.bad(path, message, help));
                    }
                };
                if length <= 0.0 {
                    let field = if at_most { "max" } else { "min" };
                    return Err(self.bad(
                        path.join(field),
                        "a length must be positive",
                        "in metres, or \"10 mm\"",
                    ));
                }
                let rule = DistanceBound { length, at_most };
                parts.add_inequality(Inequality::new(name, frames, rule).with_restitution(restitution));
            }
            InequalityKind::Expression => {
                let (rule, frames) = self.condition(&path, desc)?;
                parts.add_inequality(Inequality::new(name, frames, rule).with_restitution(restitution));
            }
        }
        Ok(())
    }

    /// A formula, and the frames whose positions it uses.
    fn condition(
        &self,
        path: &FieldPath,
        desc: &InequalityDesc,
    ) -> Result<(Formula, Vec<(End, Frame)>), SceneError> {
        let Some(text) = &desc.expression else {
            let help = "a formula that must not become negative: expression = \"y - x^2\"";
            return Err(self.bad(path.clone(), "the field `expression` is missing", help));
        };
        let (mut names, mut frames) = (Vec::new(), Vec::new());
        match (&desc.body, &desc.points) {
            (Some(body), None) => {
                names.push("");
                let end = self.known_end(&path.join("body"), body)?;
                frames.push((end, Frame::at(point(desc.point.as_ref()))));
            }
            (None, Some(points)) if desc.point.is_none() => {
                for (name, at) in points.iter() {
                    let here = path.join("points").join(name);
                    let part = |c: char| c.is_alphanumeric() || c == '_';
                    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') || !name.chars().all(part) {
                        let help = "letters, digits and _, with a letter first";
                        return Err(self.bad(here, "a formula cannot use a point of this name", help));
                    }
                    let end = self.known_end(&here.join("body"), &at.body)?;
                    names.push(name);
                    frames.push((end, Frame::at(point(at.point.as_ref()))));
                }
            }
            _ => {
                let help =
                    "one point: body = \"bead\"; several: points = { p = { body = \"bead\" }, q = { … } }";
                let message = "a formula uses the point of a `body`, or `points`";
                return Err(self.bad(path.clone(), message, help));
            }
        }
        let rule = Formula::new(text, &names).map_err(|error| match &error {
            FormulaError::Expression(fault) => self.unreadable(path.join("expression"), text, fault),
            FormulaError::TooMany(_) => self.bad(path.join("points"), error.to_string(), "leave some out"),
            FormulaError::NoPlace(_) => {
                let help = "it has no gradient; give a formula in positions of points";
                self.bad(path.join("expression"), error.to_string(), help)
            }
            FormulaError::Jumps => {
                let help = "events of a formula that jumps are not found; give a smooth formula";
                self.bad(path.join("expression"), error.to_string(), help)
            }
        })?;
        Ok((rule, frames))
    }

    fn known_end(&self, path: &FieldPath, name: &str) -> Result<End, SceneError> {
        if name == GROUND || self.scene.bodies.get(name).is_some() {
            return Ok(self.end(name));
        }
        let help = match crate::nearest::nearest(name, self.scene.bodies.iter().map(|(name, _)| name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "bodies are given in [bodies.NAME]".to_string(),
        };
        Err(self.bad(path.clone(), format!("there is no body `{name}`"), &help))
    }

    /// Shapes, and the pairs of bodies that collide.
    pub(crate) fn contacts(&self, parts: &mut ModelBuilder) -> Result<(), SceneError> {
        if !self.scene.has_contacts() {
            return Ok(());
        }
        for (name, material) in self.scene.materials.iter() {
            self.material(&FieldPath::item("materials", name), material)?;
        }
        let on_ground = self.scene.ground.iter().flat_map(|ground| &ground.shapes);
        let on_bodies = self.scene.bodies.iter().flat_map(|(_, body)| body.all_shapes());
        let named: BTreeSet<&str> = on_ground.chain(on_bodies).filter_map(|s| s.group.as_deref()).collect();
        let groups: BTreeMap<&str, u32> = named.into_iter().zip(0..).collect();
        if let Some(ground) = &self.scene.ground {
            for (i, shape) in ground.shapes.iter().enumerate() {
                self.shape(&FieldPath::from("ground").join("shapes").join(i), GROUND, shape, &groups, parts)?;
            }
        }
        for (name, body) in self.scene.bodies.iter() {
            let path = FieldPath::item("bodies", name);
            for (i, shape) in body.all_shapes().iter().enumerate() {
                self.shape(&body.path_of_shape(&path, i), name, shape, &groups, parts)?;
            }
        }
        let Some(contacts) = &self.scene.contacts else { return Ok(()) };
        for [a, b] in &contacts.add {
            parts.set_collision(self.end(a), self.end(b), true);
        }
        for list in &contacts.exclude {
            for (i, a) in list.iter().enumerate() {
                for b in &list[i + 1..] {
                    parts.set_collision(self.end(a), self.end(b), false);
                }
            }
        }
        for (i, pair) in contacts.pairs.iter().enumerate() {
            let path = FieldPath::from("contacts").join("pairs").join(i);
            let (friction, restitution) = (pair.friction, pair.restitution);
            let (rolling_resistance, torsional_resistance) =
                (pair.rolling_resistance, pair.torsional_resistance);
            let desc = MaterialDesc { friction, restitution, rolling_resistance, torsional_resistance };
            parts.material_between(self.end(&pair.a), self.end(&pair.b), self.material(&path, &desc)?);
        }
        Ok(())
    }

    fn material(&self, path: &FieldPath, desc: &MaterialDesc) -> Result<Material, SceneError> {
        let given = desc.friction.as_ref();
        let (static_friction, kinetic_friction) = given.map_or((0.0, 0.0), ContactFriction::values);
        for (field, value) in [("kinetic", kinetic_friction), ("static", static_friction)] {
            if value < 0.0 {
                let at = path.join("friction");
                let at = if let Some(ContactFriction::Each(_)) = given { at.join(field) } else { at };
                return Err(self.bad(at, "friction cannot be negative", "0 is smooth"));
            }
        }
        if static_friction < kinetic_friction {
            let help = "friction at rest is at least that while sliding";
            return Err(self.bad(path.join("friction"), "`static` is below `kinetic`", help));
        }
        let restitution = self.restitution(path, desc.restitution)?;
        let resistance = |field: &str, value: Option<Length>| match value.map_or(0.0, f64::from) {
            value if value < 0.0 => {
                let help = "a length in metres: the moment is at most this times the normal force";
                Err(self.bad(path.join(field), "a resistance cannot be negative", help))
            }
            value => Ok(value),
        };
        let rolling = resistance("rolling_resistance", desc.rolling_resistance)?;
        let torsion = resistance("torsional_resistance", desc.torsional_resistance)?;
        Ok(Material { static_friction, kinetic_friction, restitution, rolling, torsion })
    }

    /// A material by its name: one of the file, or one of the table of tyres.
    fn material_of(&self, desc: &ShapeDesc) -> Result<Material, SceneError> {
        let Some(name) = &desc.material else { return Ok(Material::default()) };
        match self.scene.materials.get(name) {
            Some(material) => self.material(&FieldPath::item("materials", name), material),
            None => {
                let tyre = Material::TYRES.iter().find(|(tyre, ..)| tyre == name);
                Ok(tyre.map_or(Material::default(), |&(_, static_friction, kinetic_friction)| Material {
                    static_friction,
                    kinetic_friction,
                    ..Material::default()
                }))
            }
        }
    }

    fn shape(
        &self,
        path: &FieldPath,
        body: &str,
        desc: &ShapeDesc,
        groups: &BTreeMap<&str, u32>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        if desc.collide == Some(false) {
            return Ok(());
        }
        let place = FrameDesc { position: desc.position, orientation: desc.orientation };
        let mut at = frame(&place);
        let length = |l: Option<Length>| l.map_or(0.0, f64::from);
        let edge = |i: usize| desc.size.as_ref().and_then(|s| s.get(i)).map_or(0.0, |&l| l.into());
        let (radius, long) = (length(desc.radius), length(desc.length));
        let is_flat = body != GROUND && self.is_flat(body);
        let among_solids = is_flat && self.has_shapes_in_space();
        let thick = |field: &str, z: f64, x: f64, y: f64| {
            // Among planar bodies the thickness does not matter; bodies in space meet the one that is given.
            match is_flat {
                true if among_solids && z <= 0.0 => {
                    let message =
                        "a shape of a planar body without a thickness, which bodies in space may touch";
                    let help = "give it an extent along z, half of it on either side, or `collide = false`";
                    let error = self.bad(path.join(field), message, help);
                    Err(error.with_kind(ErrorKind::MissingField))
                }
                true if !among_solids => Ok(2.0 * (x + y)),
                _ => Ok(z),
            }
        };
        let faceted = self.faceted(path, desc, body != GROUND && self.is_flat(body))?;
        let made = match desc.kind {
            ShapeKind::Plane => {
                if let Some(normal) = &desc.normal {
                    let rot = Quat::with_z_along(vector(normal), None).ok_or_else(|| {
                        self.bad(path.join("normal"), "the normal is zero", "for example normal = [0, 0, 1]")
                    })?;
                    at.rot = rot;
                } else if desc.orientation.is_none() && self.all_flat() {
                    let help = "planar bodies stay in the x–y plane: a floor has normal = [0, 1, 0]";
                    return Err(self.bad(path.clone(), "a plane in a planar scene needs a `normal`", help));
                }
                Ok(Shape::Plane)
            }
            ShapeKind::Box => Shape::cuboid([edge(0), edge(1), thick("size", edge(2), edge(0), edge(1))?]),
            ShapeKind::Plate => {
                let thickness = thick("thickness", length(desc.thickness), edge(0), edge(1))?;
                Shape::cuboid([edge(0), edge(1), thickness])
            }
            ShapeKind::Sphere => Shape::sphere(radius),
            ShapeKind::Cylinder => Shape::cylinder(radius, long),
            ShapeKind::Capsule | ShapeKind::Rod => Shape::capsule(radius, long),
            // These were made above.
            ShapeKind::Hull | ShapeKind::Mesh | ShapeKind::Terrain => {
                Ok(faceted.map_or(Shape::POINT, |made| made.shape))
            }
        };
        let shape = made.map_err(|error| {
            let help = "give it a size, or `collide = false` to leave it out of contacts";
            self.bad(path.clone(), format!("it has no contact geometry: {error}"), help)
        })?;
        let material = self.material_of(desc)?;
        let id = parts.add_shape(ContactShape { body: self.end(body), frame: at, shape, material });
        if let Some(name) = &desc.name {
            parts.set_shape_name(id, name.clone());
        }
        if let Some(group) = &desc.group {
            parts.set_shape_group(id, groups[group.as_str()]);
        }
        Ok(())
    }
}

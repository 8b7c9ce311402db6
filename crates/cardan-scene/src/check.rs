//! Checks that need more than one field: fields fit their kind, names refer to something, what must be given is given.
//!
//! Whether the numbers make a mechanism (closed loops, definite inertias) is for the engine to say.

use std::collections::{HashMap, HashSet};

use crate::document::{Document, FieldPath, Table, Value};
use crate::error::{ErrorKind, SceneError};
use crate::kind::NamedJoint;
use crate::nearest::nearest;
use crate::quantity::Length;
use crate::scene::{
    BodyDesc, BodyKind, Coordinates, ForceDesc, ForceKind, FrictionDesc, GROUND, ImpulseDesc, InequalityKind,
    Integrator, JointDesc, JointKind, Orientation, Overlaps, Planar, Scene, ShapeDesc, ShapeKind, Simulation,
    Stabilization,
};

pub(crate) type CheckResult = Result<(), SceneError>;

/// Checks the whole scene.
pub(crate) fn check(scene: &Scene, document: &Document) -> CheckResult {
    let check = Check {
        document,
        bodies: scene.bodies.iter().map(|(name, _)| name).collect(),
        pieces: scene.bodies.iter().map(|(name, body)| (name, body.piece_count())).collect(),
        materials: scene.materials.iter().map(|(name, _)| name).collect(),
    };
    check.simulation(scene)?;
    if let Some(ground) = &scene.ground {
        check.shapes(&FieldPath::from("ground"), "shapes", &ground.shapes)?;
    }
    check.planar_gravity(scene)?;
    for (name, body) in scene.bodies.iter() {
        check.body(&FieldPath::item("bodies", name), name, body)?;
    }
    for (name, joint) in scene.joints.iter() {
        check.joint(&NamedJoint::new(name, joint))?;
    }
    for (name, force) in scene.forces.iter() {
        check.force(&FieldPath::item("forces", name), force)?;
    }
    for (name, impulse) in scene.impulses.iter() {
        check.impulse(&FieldPath::item("impulses", name), scene, impulse)?;
    }
    for (name, probe) in scene.probes.iter() {
        check.known_body(&FieldPath::item("probes", name), "body", &probe.body)?;
    }
    if let Some(speed) = scene.simulation.restitution_threshold.filter(|speed| speed.0 < 0.0) {
        let path = FieldPath::item("simulation", "restitution_threshold");
        let help = "give 0 or more: at 0 every impact rebounds";
        return Err(check.bad(path, format!("{} cannot be", speed.0), help));
    }
    for (name, inequality) in scene.inequalities.iter() {
        let all: &[(InequalityKind, &str, &[&str])] = &[
            (InequalityKind::HalfPlane, "half-plane", &["body", "point", "of", "normal", "offset", "radius"]),
            (InequalityKind::Distance, "distance", &["a", "b", "point_in_a", "point_in_b", "min", "max"]),
            (InequalityKind::Expression, "expression", &["expression", "body", "point", "points"]),
        ];
        check.fields_fit(&FieldPath::item("inequalities", name), inequality.kind, "", all)?;
    }
    if scene.simulation.studies() && scene.has_contacts() {
        let path = FieldPath::item("simulation", "inequality_study");
        let help = "leave it out, or the contacts; a wall may be an inequality of kind `half-plane`";
        return Err(check.bad(
            path,
            "the rules to study know inequalities and limits, but no contacts",
            help,
        ));
    }
    let holds =
        |friction: &FrictionDesc| friction.regularization_speed.is_none() && friction.coulomb.is_some();
    let rubs =
        |desc: &JointDesc| desc.friction.as_ref().is_some_and(|list| list.as_slice().iter().any(holds));
    if let Some((name, _)) =
        scene.joints.iter().find(|(_, desc)| rubs(desc)).filter(|_| scene.simulation.studies())
    {
        let message = "the rules to study know inequalities and limits, but no dry friction that holds";
        let help = "give the friction a `regularization_speed`, or leave `inequality_study` out";
        return Err(check.bad(FieldPath::item("joints", name).join("friction"), message, help));
    }
    check.contacts(scene)?;
    check.script(scene)?;
    check.has_a_body(scene)
}

pub(crate) struct Check<'s> {
    document: &'s Document,
    bodies: HashSet<&'s str>,
    /// How many pieces of each joints may name.
    pieces: HashMap<&'s str, usize>,
    materials: HashSet<&'s str>,
}

impl Check<'_> {
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        path: FieldPath,
        message: String,
        help: Option<String>,
    ) -> SceneError {
        SceneError::at(self.document, path, message, help.as_deref()).with_kind(kind)
    }

    pub(crate) fn bad(&self, path: FieldPath, message: impl Into<String>, help: &str) -> SceneError {
        self.error(ErrorKind::BadValue, path, message.into(), Some(help.to_string()))
    }

    pub(crate) fn missing(&self, path: &FieldPath, message: String, help: &str) -> SceneError {
        self.error(ErrorKind::MissingField, path.clone(), message, Some(help.to_string()))
    }

    pub(crate) fn given(&self, path: &FieldPath, field: &str, is_given: bool, help: &str) -> CheckResult {
        if is_given {
            return Ok(());
        }
        Err(self.missing(path, format!("the field `{field}` is missing"), help))
    }

    /// Nothing could move.
    fn has_a_body(&self, scene: &Scene) -> CheckResult {
        if !scene.bodies.is_empty() {
            return Ok(());
        }
        let help = Some(crate::document::NO_BODY.to_string());
        let path = FieldPath::from("bodies");
        Err(match self.document.get(&path) {
            Some(_) => self.error(ErrorKind::Empty, path, "the scene has no body".into(), help),
            None => {
                let (file, message) = (self.document.name().to_string(), "the scene has no body".into());
                SceneError::of_file(ErrorKind::Empty, file, message, help)
            }
        })
    }

    fn table(&self, path: &FieldPath) -> Option<&Table> {
        self.document.get(path)?.as_table()
    }

    /// The caret goes to the name of the field, not to its value.
    pub(crate) fn misplaced(
        &self,
        path: &FieldPath,
        field: &str,
        message: String,
        help: Option<String>,
    ) -> SceneError {
        let field = path.join(field);
        let span = self.document.key_span_of(&field);
        SceneError::new(self.document, ErrorKind::MisplacedField, span, path.clone(), message, help)
    }

    /// Every field present is one that the kind takes. `all` lists what the other kinds take, for the help.
    fn fields_fit<K: Copy + PartialEq>(
        &self,
        path: &FieldPath,
        kind: K,
        what: &str,
        all: &[(K, &str, &[&str])],
    ) -> CheckResult {
        let Some(table) = self.table(path) else { return Ok(()) };
        let Some((_, name, own)) = all.iter().find(|(k, ..)| *k == kind) else { return Ok(()) };
        for entry in table.entries() {
            if matches!(entry.node.value, Value::Null) || &*entry.key == "kind" || own.contains(&&*entry.key)
            {
                continue;
            }
            let owners: Vec<&str> = all
                .iter()
                .filter(|(_, _, fields)| fields.contains(&&*entry.key))
                .map(|(_, name, _)| *name)
                .collect();
            // A field that no kind lists belongs to all of them.
            if owners.is_empty() {
                continue;
            }
            let help = format!("it belongs to: {}", owners.join(", "));
            let message =
                format!("`{}` does not belong to {}{what}", entry.key, crate::lower::with_article(name));
            return Err(self.misplaced(path, &entry.key, message, Some(help)));
        }
        Ok(())
    }

    pub(crate) fn known_body(&self, path: &FieldPath, field: &str, name: &str) -> CheckResult {
        if name == GROUND || self.bodies.contains(name) {
            return Ok(());
        }
        if let Some((body, piece)) = crate::lower::split_piece(name)
            && let Some(&count) = self.pieces.get(body)
        {
            if (piece as usize) < count {
                return Ok(());
            }
            let message = format!("body `{body}` has no piece {piece}");
            let help = if count == 1 { "it is of one piece: name the body" } else { "pieces count from 0" };
            return Err(self.error(
                ErrorKind::UnknownName,
                path.join(field),
                message,
                Some(help.to_string()),
            ));
        }
        let help = match nearest(name, self.document_names("bodies").chain([GROUND])) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a body of this scene, or \"ground\"".to_string(),
        };
        let message = format!("there is no body `{}`", crate::document::clip(name));
        Err(self.error(ErrorKind::UnknownName, path.join(field), message, Some(help)))
    }

    /// The names of a table in the order of the file, so that messages do not depend on hashes.
    pub(crate) fn document_names(&self, table: &str) -> impl Iterator<Item = &str> {
        let table =
            self.document.root().as_table().and_then(|root| root.get(table)).and_then(|node| node.as_table());
        table.map(|table| table.entries()).unwrap_or_default().iter().map(|entry| &*entry.key)
    }

    fn simulation(&self, scene: &Scene) -> CheckResult {
        let path = FieldPath::from("simulation");
        let times = &scene.simulation;
        let all =
            [("until", times.until), ("dt", times.dt), ("record", times.record), ("max_dt", times.max_dt)];
        for (field, time) in all {
            let Some(time) = time else { continue };
            if time.0 < 0.0 || (time.0 == 0.0 && field != "until") {
                return Err(self.bad(
                    path.join(field),
                    format!("{} s cannot be", time.0),
                    "give a positive time",
                ));
            }
        }
        self.tolerances(&path, times)?;
        self.integrator(&path, times)
    }

    fn tolerances(&self, path: &FieldPath, times: &Simulation) -> CheckResult {
        const LEAST: f64 = cardan::ErrorControl::LEAST;
        let relative = times.relative_tolerance.map(|t| t.0);
        if let Some(t) = relative.filter(|t| !(LEAST..=0.1).contains(t)) {
            let help = format!("give a number from {LEAST:e} to 0.1, such as 1e-8");
            return Err(self.bad(path.join("relative_tolerance"), format!("{t:e} cannot be kept"), &help));
        }
        if let Some(t) = times.absolute_tolerance.map(|t| t.0).filter(|t| *t <= 0.0) {
            let help = "give a number larger than zero, such as 1e-10 (m, rad, m/s, rad/s)";
            return Err(self.bad(path.join("absolute_tolerance"), format!("{t:e} cannot be kept"), help));
        }
        const LOOSEST: f64 = cardan::Settings::LOOSEST_GEOMETRY;
        if let Some(t) = times.geometry_tolerance.map(|t| t.0).filter(|t| !(0.0..=LOOSEST).contains(t)) {
            let help = format!("give a number from 0 to {LOOSEST:e}, such as 1e-6");
            return Err(self.bad(path.join("geometry_tolerance"), format!("{t:e} cannot be"), &help));
        }
        Ok(())
    }

    /// What only one integrator looks at, and what another cannot do.
    fn integrator(&self, path: &FieldPath, times: &Simulation) -> CheckResult {
        let integrator = times.integrator.unwrap_or_default();
        let given = [
            ("relative_tolerance", times.relative_tolerance.is_some()),
            ("absolute_tolerance", times.absolute_tolerance.is_some()),
            ("max_dt", times.max_dt.is_some()),
        ];
        if integrator != Integrator::Dopri5
            && let Some((field, _)) = given.iter().find(|(_, given)| *given)
        {
            let message = format!("`{field}` does not belong to an integrator with steps of one size");
            let help = "it belongs to: integrator = \"dopri5\"".to_string();
            return Err(self.misplaced(path, field, message, Some(help)));
        }
        let by_size = [Integrator::Rk4, Integrator::ExplicitEuler, Integrator::SemiImplicitEuler];
        if times.studies() && !by_size.contains(&integrator) {
            let message = "a rule to study takes steps of one size";
            let help = "use integrator = \"rk4\", \"explicit-euler\" or \"semi-implicit-euler\"";
            return Err(self.bad(path.join("inequality_study"), message, help));
        }
        let projects = times.stabilization.unwrap_or_default() == Stabilization::Projection
            && times.coordinates != Some(Coordinates::Joints);
        if times.overlaps == Some(Overlaps::Resolve) && !projects {
            let message = "overlaps are resolved by projection of the poses of bodies";
            let help = "leave out `stabilization` and `coordinates`, or this";
            return Err(self.bad(path.join("overlaps"), message, help));
        }
        let other = times.stabilization.is_some_and(|s| s != Stabilization::Projection);
        if integrator == Integrator::Rattle && other {
            let message = "the integrator `rattle` closes the joints itself";
            return Err(self.bad(path.join("stabilization"), message, "leave it out"));
        }
        if let Integrator::Rattle | Integrator::FirstOrder = integrator
            && times.coordinates == Some(Coordinates::Joints)
        {
            let name = if integrator == Integrator::Rattle { "rattle" } else { "first-order" };
            let message = format!("the integrator `{name}` cannot carry joint coordinates");
            let help = "leave it out, or use rk4, dopri5, semi-implicit-euler or explicit-euler";
            return Err(self.bad(path.join("coordinates"), message, help));
        }
        Ok(())
    }

    fn impulse(&self, path: &FieldPath, scene: &Scene, impulse: &ImpulseDesc) -> CheckResult {
        self.known_body(path, "body", &impulse.body)?;
        if impulse.body == GROUND {
            return Err(self.bad(path.join("body"), "the ground never moves", "name a body"));
        }
        if impulse.time.0 < 0.0 {
            let message = format!("{} s is before the start", impulse.time.0);
            return Err(self.bad(path.join("time"), message, "a run starts at 0 s"));
        }
        if impulse.impulse.is_none() && impulse.angular_impulse.is_none() {
            let help = "for example impulse = [0, 0, -2], in N·s";
            return Err(self.missing(
                path,
                "neither `impulse` nor `angular_impulse` is given".to_string(),
                help,
            ));
        }
        if scene.simulation.integrator == Some(Integrator::FirstOrder) {
            let message = "the integrator `first-order` has no impulses";
            let help = "with f = m v no body keeps the velocity that an impulse gives; use rk4, or leave the impulse out";
            return Err(self.bad(path.clone(), message, help));
        }
        Ok(())
    }

    fn planar_gravity(&self, scene: &Scene) -> CheckResult {
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

    fn body(&self, path: &FieldPath, name: &str, body: &BodyDesc) -> CheckResult {
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
                (BodyKind::Rigid, "rigid body", SOLID),
                (BodyKind::Planar, "planar body", SOLID),
                (BodyKind::Particle, "particle", POINT),
                (BodyKind::PlanarParticle, "planar particle", POINT),
                (BodyKind::Shaft, "shaft", crate::check_bodies::SHAFT),
                (BodyKind::Scaled, "scaled body", crate::check_bodies::SCALED),
                (BodyKind::Scaled3, "scaled3 body", crate::check_bodies::SCALED),
                (BodyKind::Affine, "affine body", crate::check_bodies::ELASTIC),
                (BodyKind::Soft, "soft body", crate::check_bodies::ELASTIC),
                (BodyKind::InternalMass, "body with an internal mass", crate::check_bodies::INTERNAL),
                (BodyKind::Bead, "bead", crate::check_bodies::BEAD),
                (BodyKind::Formula, "body by formulas", crate::check_bodies::FORMULA),
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
                "what never moves is the \"ground\"",
            ));
        }
        if body.density.is_some_and(|density| density.0 <= 0.0) {
            return Err(self.bad(path.join("density"), "a density must be positive", "water has 1000 kg/m³"));
        }
        let shapes = body.all_shapes();
        match (body.mass, body.density) {
            _ if body.kind == BodyKind::Formula => {}
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
        let by_formulas = body.kind == BodyKind::Formula;
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

    fn shapes(&self, path: &FieldPath, field: &str, shapes: &[ShapeDesc]) -> CheckResult {
        shapes.iter().enumerate().try_for_each(|(i, shape)| self.shape(&path.join(field).join(i), shape))
    }

    fn shape(&self, path: &FieldPath, shape: &ShapeDesc) -> CheckResult {
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
        if shape.kind == ShapeKind::Plane && !path.to_string().starts_with("ground") {
            let help = "put it into [ground], or give the body a box";
            return Err(self.bad(path.join("kind"), "a plane has no end: only the ground carries one", help));
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
                    let message = "a terrain has no end below: only the ground carries one";
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
                if shape.scale.is_some_and(|scale| scale.0 <= 0.0) {
                    let help = "0.001 makes metres of millimetres";
                    return Err(self.bad(path.join("scale"), "a scale must be positive", help));
                }
                let flat: Vec<bool> =
                    shape.vertices.iter().flatten().map(|v| matches!(v, Planar::Plane(_))).collect();
                if let Some(odd) = flat.iter().position(|&f| if is_mesh { f } else { f != flat[0] }) {
                    let message =
                        if is_mesh { "a mesh has corners in space" } else { "corners of both kinds" };
                    let help =
                        if is_mesh { "give [x, y, z]" } else { "give all as [x, y, z], or all as [x, y]" };
                    return Err(self.bad(path.join("vertices").join(odd), message, help));
                }
                if !flat.contains(&true) && shape.thickness.is_some() {
                    let message = "`thickness` belongs to a hull of corners [x, y]".to_string();
                    let help = "corners [x, y, z] say themselves how thick it is".to_string();
                    return Err(self.misplaced(path, "thickness", message, Some(help)));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn joint(&self, at: &NamedJoint<'_>) -> CheckResult {
        let (path, joint) = (&at.path, at.desc);
        let all = JointKind::ALL.map(|kind| (kind, kind.about().name(), kind.about().fields()));
        self.fields_fit(path, joint.kind, " joint", &all)?;
        let kind = joint.kind.about();
        if kind.has_two_ends() {
            for (field, end) in [("a", &joint.a), ("b", &joint.b)] {
                let Some(end) = end else {
                    let message = format!("the field `{field}` is missing");
                    return Err(self.error(ErrorKind::MissingField, path.clone(), message, None));
                };
                self.known_body(path, field, end)?;
            }
            if joint.a == joint.b {
                return Err(self.bad(
                    path.join("b"),
                    "a joint connects two different bodies",
                    "name another body",
                ));
            }
        }
        kind.check(self, at)?;
        if joint.close_in.is_some() && !kind.closes() {
            return Err(self.misplaced(path, "close_in", kind.cannot_close().to_string(), None));
        }
        for (field, axis) in [
            ("axis", joint.axis),
            ("axis2", joint.axis2),
            ("axis_in_a", joint.axis_in_a),
            ("axis_in_b", joint.axis_in_b),
            ("axis2_in_b", joint.axis2_in_b),
            ("direction", joint.direction),
            ("normal", joint.normal),
        ] {
            if axis.is_some_and(|axis| axis.iter().all(|c| c.0 == 0.0)) {
                return Err(self.bad(path.join(field), "the axis is zero", "for example [0, 0, 1]"));
            }
        }
        for (field, length) in [("length", joint.length), ("radius", joint.radius), ("tyre", joint.tyre)] {
            if length.is_some_and(|length| length.0 <= 0.0) {
                return Err(self.bad(
                    path.join(field),
                    format!("a {field} must be positive"),
                    "in metres, or \"10 mm\"",
                ));
            }
        }
        if joint.on.and_then(|on| on.sphere).is_some_and(|size| size.0 <= 0.0) {
            let at = path.join("on").join("sphere");
            return Err(self.bad(at, "a radius must be positive", "in metres, or \"10 mm\""));
        }
        for (i, [low, high]) in joint.limits.iter().flatten().enumerate() {
            if low.0.value > high.0.value {
                let help = "a pair is [lower, upper]";
                return Err(self.bad(
                    path.join("limits").join(i),
                    "the lower limit is above the upper",
                    help,
                ));
            }
        }
        Ok(())
    }

    fn force(&self, path: &FieldPath, force: &ForceDesc) -> CheckResult {
        self.fields_fit(path, force.kind, "", FORCE_FIELDS)?;
        for (field, name) in [("body", &force.body), ("a", &force.a), ("b", &force.b)] {
            if let Some(name) = name {
                self.known_body(path, field, name)?;
            }
        }
        let given = |field: &str| {
            self.table(path)
                .is_some_and(|table| table.get(field).is_some_and(|node| !matches!(node.value, Value::Null)))
        };
        let needed: &[&[&str]] = match force.kind {
            ForceKind::Constant => &[&["body"], &["force", "torque"]],
            ForceKind::Spring => &[&["a"], &["b"], &["stiffness", "curve"]],
            ForceKind::Torsion => &[&["a"], &["b"], &["stiffness"]],
            ForceKind::Drag => &[&["body"], &["coefficient", "quadratic", "angular"]],
            ForceKind::GravityPoint => &[&["a"], &["b"], &["strength"]],
        };
        for options in needed {
            if !options.iter().any(|field| given(field)) {
                let list = options.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(" or ");
                let what = if options.len() == 1 { "the field" } else { "one of the fields" };
                return Err(self.error(
                    ErrorKind::MissingField,
                    path.clone(),
                    format!("{what} {list} is missing"),
                    None,
                ));
            }
        }
        Ok(())
    }

    fn contacts(&self, scene: &Scene) -> CheckResult {
        let Some(contacts) = &scene.contacts else { return Ok(()) };
        let path = FieldPath::from("contacts");
        for (list, pairs) in [("add", &contacts.add), ("exclude", &contacts.exclude)] {
            for (i, pair) in pairs.iter().enumerate() {
                for (name, index) in pair.iter().zip(["0", "1"]) {
                    self.known_body(&path.join(list).join(i), index, name)?;
                }
            }
        }
        for (i, pair) in contacts.pairs.iter().enumerate() {
            let path = path.join("pairs").join(i);
            self.known_body(&path, "a", &pair.a)?;
            self.known_body(&path, "b", &pair.b)?;
        }
        Ok(())
    }
}

/// The fields of each kind of force, besides `kind`.
const FORCE_FIELDS: &[(ForceKind, &str, &[&str])] = &[
    (ForceKind::Constant, "constant force", &["body", "point", "force", "torque", "frame", "law"]),
    (
        ForceKind::Spring,
        "spring",
        &["a", "b", "point_in_a", "point_in_b", "stiffness", "damping", "rest_length", "curve"],
    ),
    (ForceKind::Torsion, "torsion spring", &["a", "b", "axis_in_a", "stiffness", "damping", "rest"]),
    (ForceKind::Drag, "drag", &["body", "coefficient", "quadratic", "angular"]),
    (ForceKind::GravityPoint, "gravity-point", &["a", "b", "point_in_a", "point_in_b", "strength"]),
];

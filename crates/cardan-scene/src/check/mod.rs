//! Checks that need more than one field: fields fit their kind, names refer to something, what must be given is given.
//!
//! Whether the numbers make a mechanism (closed loops, definite inertias) is for the engine to say.

mod bodies;
mod forces;
mod general_bodies;
mod joints;
mod look;
mod shapes;
mod simulation;

use std::collections::{HashMap, HashSet};

use crate::document::{Document, FieldPath, Table, Value};
use crate::error::{ErrorKind, SceneError};
use crate::kind::NamedJoint;
use crate::nearest::nearest;
use crate::scene::{GROUND, Scene};

pub(crate) type CheckResult = Result<(), SceneError>;

/// Checks the whole scene.
pub(crate) fn check(scene: &Scene, document: &Document) -> CheckResult {
    let check = Check {
        document,
        bodies: scene.bodies.iter().map(|(name, _)| name).collect(),
        pieces: scene.bodies.iter().map(|(name, body)| (name, body.piece_count())).collect(),
        materials: scene.materials.iter().map(|(name, _)| name).collect(),
    };
    if let Some((name, _)) = scene.robots.iter().next() {
        let message = "the robot file is not put into the scene yet";
        let help = "read the scene with `Source::read`, or call `Document::include_robots` first";
        return Err(check.bad(FieldPath::item("robots", name), message, help));
    }
    check.simulation(scene)?;
    if let Some(ground) = &scene.ground {
        check.shapes(&FieldPath::from("ground"), "shapes", &ground.shapes)?;
    }
    check.planar_gravity(scene)?;
    for (name, body) in scene.bodies.iter() {
        check.body(&FieldPath::item("bodies", name), name, body)?;
        check.look(&FieldPath::item("bodies", name), body.look.as_ref())?;
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
    check.restitution_threshold(&scene.simulation)?;
    for (name, inequality) in scene.inequalities.iter() {
        check.inequality(&FieldPath::item("inequalities", name), inequality)?;
    }
    check.inequality_study(scene)?;
    check.contacts(scene)?;
    check.camera(scene.camera.as_ref())?;
    check.script(scene)?;
    check.has_a_body(scene)
}

pub(crate) struct Check<'s> {
    document: &'s Document,
    bodies: HashSet<&'s str>,
    /// Number of pieces of each body that joints may name.
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

    /// A scene without bodies is an error.
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

    pub(super) fn table(&self, path: &FieldPath) -> Option<&Table> {
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
    pub(super) fn fields_fit<K: Copy + PartialEq>(
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
}

//! Mistakes that only the engine sees, traced back to the fields of the file.

use cardan::BuildError;
use cardan::body::MassError;

use super::{Lower, with_article};
use crate::document::{FieldPath, Value};
use crate::error::{ErrorKind, SceneError};

/// The table of the file that holds parts of this sort.
fn table(part: &str) -> &'static str {
    match part {
        "body" | "bodies" | "shape" => "bodies",
        "joint" | "joints" | "constraint" | "limit of joint" | "dry friction of joint" => "joints",
        "force" | "forces" => "forces",
        "inequality" => "inequalities",
        "impulse" | "impulses" => "impulses",
        _ => "probes",
    }
}

fn joint(name: &str) -> FieldPath {
    FieldPath::item("joints", name)
}

impl Lower<'_> {
    /// The mistake with its place in the file.
    pub(super) fn build_error(&self, error: BuildError) -> SceneError {
        let given = |path: FieldPath, fields: &[&str]| self.first_given(&path, fields);
        let (path, message, help) = match &error {
            BuildError::Mass { body, error } => self.mass_error(body, error),
            BuildError::Number { part, name, field, value, want } => {
                let path = given(FieldPath::item(table(part), name), &[field]);
                (path, format!("{field} is {value}"), *want)
            }
            BuildError::DoesNotFit { part, name, kind, body, body_kind, why } => {
                let path = FieldPath::item(table(part), name);
                let named = |field: &&str| {
                    let node = self.document.get(&path.join(*field));
                    node.is_some_and(|n| matches!(&n.value, Value::Text(own) if **own == **body))
                };
                let end = ["a", "b", "body"].into_iter().find(named);
                let path = end.map_or(path.clone(), |field| path.join(field));
                let message = format!(
                    "{} {part} does not fit `{body}`, {}: {why}",
                    with_article(kind),
                    with_article(body_kind)
                );
                let help = match *part {
                    "joint" => "a spherical or a distance joint at its origin fits; or make the body `rigid`",
                    "limit of joint" | "dry friction of joint" => {
                        "give the body the kind `rigid` or `planar`"
                    }
                    _ => "give the body the kind `rigid` or `planar`, or leave the point out",
                };
                (path, message, help)
            }
            BuildError::NotPlanar { joint: name, kind, why } => {
                let path =
                    given(joint(name), &["axis", "axis_in_a", "frame_in_a", "axis_in_b", "frame_in_b"]);
                let message = format!("{} joint between planar bodies: {why}", with_article(kind));
                (path, message, "planar bodies stay in x–y")
            }
            BuildError::ForceOnItself { force: name, end } => {
                let message = format!("the force acts between `{end}` and itself");
                (FieldPath::item("forces", name).join("b"), message, "a and b must differ")
            }
            BuildError::SameBody { joint: name, end } => {
                let message = format!("the joint connects `{end}` with itself");
                (joint(name).join("b"), message, "a and b must differ")
            }
            BuildError::NoAxis { joint: name, kind } => {
                let message = format!("{} joint needs a direction", with_article(kind));
                (given(joint(name), &["axis"]), message, "for example axis = [0, 0, 1]")
            }
            BuildError::Armature { joint: name, .. } => {
                let help = "leave the armature out, or give it to a joint of which this holds";
                (joint(name).join("armature"), error.to_string(), help)
            }
            // The checks of the description find all others first. One that gets through has the text of the engine.
            other => {
                let (path, message) = (self.path_of(other), other.to_string());
                return SceneError::at(self.document, path, message, None).with_kind(ErrorKind::BadValue);
            }
        };
        self.bad(path, message, help)
    }

    /// Place, message and help of a mass or an inertia that no body can have.
    fn mass_error(&self, body: &str, error: &MassError) -> (FieldPath, String, &'static str) {
        let path = FieldPath::item("bodies", body);
        let (fields, message, help): (&[&str], _, _) = match error {
            MassError::Mass(mass) => {
                (&["mass", "density"][..], format!("the mass is {mass} kg"), "it must be positive")
            }
            MassError::Indefinite { smallest } => {
                let given = self.document.get(&path.join("inertia")).is_some();
                let kind = self.document.get(&path.join("shape").join("kind"));
                let rod = kind.is_some_and(|k| matches!(&k.value, Value::Text(kind) if **kind == *"rod"));
                let help = match (given, rod) {
                    (true, _) => "every principal moment must be positive",
                    (false, true) => "a thin rod in space needs a `radius`",
                    (false, false) => "the mass or the sizes are too small",
                };
                let text = "the inertia is not positive definite: its smallest principal moment is";
                (&["inertia", "shape"], format!("{text} {} kg·m²", rounded(*smallest)), help)
            }
            MassError::Triangle { moments } => {
                let [x, y, z] = moments.map(rounded);
                let message = format!(
                    "no real body has this inertia: its largest principal moment, {z} kg·m², exceeds the sum of the \
                     other two, {x} + {y}"
                );
                let help = "check the units; `allow_unphysical_inertia = true` accepts it as it is";
                (&["inertia", "shape", "shapes"], message, help)
            }
            MassError::NotFinite(what) => {
                (&["inertia", "shape", "shapes"], format!("the {what} is not finite"), "check the sizes")
            }
        };
        (self.first_given(&path, fields), message, help)
    }

    /// The part that an error names, or the whole scene.
    fn path_of(&self, error: &BuildError) -> FieldPath {
        match error {
            BuildError::DuplicateName { part, name } | BuildError::UnknownBody { part, name } => {
                FieldPath::item(table(part), name)
            }
            BuildError::StribeckRises { joint: name, .. } => joint(name).join("friction"),
            BuildError::NoCoordinate { joint: name, .. } => {
                self.first_given(&joint(name), &["drive", "servo", "motor", "spring", "friction"])
            }
            BuildError::NotSmooth { joint: name, .. } | BuildError::TwoDrives { joint: name, .. } => {
                joint(name).join("drive")
            }
            BuildError::GeneralForm { body, .. } => FieldPath::item("bodies", body),
            BuildError::Law { part, name, .. } => FieldPath::item(table(part), name),
            BuildError::NoSuchJoint { name }
            | BuildError::CouplesNothing { name, .. }
            | BuildError::MotorCount { name, .. }
            | BuildError::NoCoupledCoordinate { name, .. }
            | BuildError::NoCross { joint: name }
            | BuildError::LocksNothing { joint: name } => joint(name),
            _ => FieldPath::default(),
        }
    }
}

/// To six digits: eigenvalues carry rounding that the file has not.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

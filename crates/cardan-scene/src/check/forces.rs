//! Checks of what acts on bodies: forces, impulses, inequalities, contacts.

use super::{Check, CheckResult};
use crate::document::{FieldPath, Value};
use crate::error::ErrorKind;
use crate::scene::{
    ForceDesc, ForceKindDesc, GROUND, ImpulseDesc, InequalityDesc, InequalityKind, IntegratorDesc, Scene,
};

impl Check<'_> {
    pub(super) fn force(&self, path: &FieldPath, force: &ForceDesc) -> CheckResult {
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
            ForceKindDesc::Constant => &[&["body"], &["force", "torque"]],
            ForceKindDesc::Spring => &[&["a"], &["b"], &["stiffness", "curve"]],
            ForceKindDesc::Torsion => &[&["a"], &["b"], &["stiffness"]],
            ForceKindDesc::Drag => &[&["body"], &["coefficient", "quadratic", "angular"]],
            ForceKindDesc::GravityPoint => &[&["a"], &["b"], &["strength"]],
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

    pub(super) fn impulse(&self, path: &FieldPath, scene: &Scene, impulse: &ImpulseDesc) -> CheckResult {
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
        if scene.simulation.integrator == Some(IntegratorDesc::FirstOrder) {
            let message = "the integrator `first-order` has no impulses";
            let help = "with f = m v no body keeps the velocity that an impulse gives; use rk4, or leave the impulse out";
            return Err(self.bad(path.clone(), message, help));
        }
        Ok(())
    }

    pub(super) fn inequality(&self, path: &FieldPath, inequality: &InequalityDesc) -> CheckResult {
        let all: &[(InequalityKind, &str, &[&str])] = &[
            (InequalityKind::HalfPlane, "half-plane", &["body", "point", "of", "normal", "offset", "radius"]),
            (InequalityKind::Distance, "distance", &["a", "b", "point_in_a", "point_in_b", "min", "max"]),
            (InequalityKind::Expression, "expression", &["expression", "body", "point", "points"]),
        ];
        self.fields_fit(path, inequality.kind, "", all)
    }

    pub(super) fn contacts(&self, scene: &Scene) -> CheckResult {
        let Some(contacts) = &scene.contacts else { return Ok(()) };
        let path = FieldPath::from("contacts");
        for (i, pair) in contacts.add.iter().enumerate() {
            for (name, index) in pair.iter().zip(["0", "1"]) {
                self.known_body(&path.join("add").join(i), index, name)?;
            }
        }
        for (i, list) in contacts.exclude.iter().enumerate() {
            let path = path.join("exclude").join(i);
            if list.len() < 2 {
                let message = format!("expected two bodies or more, found {}", list.len());
                let help = Some("exclude = [[\"a\", \"b\"]]".to_string());
                return Err(self.error(ErrorKind::WrongType, path, message, help));
            }
            for (k, name) in list.iter().enumerate() {
                self.known_body(&path, &k.to_string(), name)?;
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
const FORCE_FIELDS: &[(ForceKindDesc, &str, &[&str])] = &[
    (ForceKindDesc::Constant, "constant force", &["body", "point", "force", "torque", "frame", "law"]),
    (
        ForceKindDesc::Spring,
        "spring",
        &["a", "b", "point_in_a", "point_in_b", "stiffness", "damping", "rest_length", "curve"],
    ),
    (ForceKindDesc::Torsion, "torsion spring", &["a", "b", "axis_in_a", "stiffness", "damping", "rest"]),
    (ForceKindDesc::Drag, "drag", &["body", "coefficient", "quadratic", "angular"]),
    (ForceKindDesc::GravityPoint, "gravity-point", &["a", "b", "point_in_a", "point_in_b", "strength"]),
];

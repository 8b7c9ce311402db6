//! Shared by the kinds that couple joints: each named joint gives an angle or a translation with a factor.

use cardan::JointId;
use cardan::constraint::{CouplerEquation, CouplerTerm};
use std::collections::BTreeMap;

use crate::check::{Check, CheckResult};
use crate::document::FieldPath;
use crate::error::{ErrorKind, SceneError};
use crate::kind::NamedJoint;
use crate::lower::{Lower, count, with_article};
use crate::nearest::nearest;
use crate::scene::{JointDesc, Scene};

/// Joints of the file that are joints of the engine, by name.
pub(crate) type JointIds<'s> = BTreeMap<&'s str, JointId>;

/// The joints that have coordinates, in the order in which the engine gets them.
pub(crate) fn index_joints(scene: &Scene) -> JointIds<'_> {
    let pairs = scene.joints.iter().filter(|(_, desc)| desc.kind.is_pair() && desc.assembly_time.is_none());
    pairs.enumerate().map(|(i, (name, _))| (name, JointId::of_index(i))).collect()
}

impl Lower<'_> {
    /// The joint behind a name, if its coordinate `k` can be acted along; `field` is where the name stands.
    pub(crate) fn coupled(
        &self,
        field: &FieldPath,
        name: &str,
        k: u32,
    ) -> Result<(JointId, cardan::JointKind), SceneError> {
        let other = self.scene.joints.iter().find(|(own, _)| *own == name).map(|(_, desc)| desc);
        let (Some(&id), Some(other)) = (self.joint_ids.get(name), other) else {
            let message = format!("`{}` has no coordinates", crate::document::clip(name));
            return Err(self.bad(
                field.clone(),
                message,
                "name a joint between two bodies, such as a revolute one",
            ));
        };
        let kind = crate::kind::NamedJoint::new(name, other).pair_kind(self)?;
        let flat = |body: &str| {
            let desc = self.scene.bodies.iter().find(|(own, _)| *own == body).map(|(_, desc)| desc);
            desc.is_none_or(|desc| desc.kind.is_planar())
        };
        let in_plane = flat(other.ends().0) && flat(other.ends().1);
        if kind.can_be_driven(k as usize, in_plane) {
            return Ok((id, kind));
        }
        let have = (0..kind.coordinates()).filter(|&k| kind.can_be_driven(k, in_plane)).count();
        let message = format!("joint `{name}` has no coordinate {k} to act along");
        let help = format!(
            "{} joint has {} here, counted from 0",
            with_article(kind.name()),
            count(have, "such coordinate")
        );
        Err(self.bad(field.clone(), message, &help))
    }

    /// The sum of the first angle (`true`) or shift of each of `joints`, times its factor.
    pub(crate) fn sum_of_joints(
        &self,
        at: &NamedJoint<'_>,
        factors: &[(f64, bool)],
    ) -> Result<Vec<CouplerEquation>, SceneError> {
        let mut terms = Vec::new();
        for (i, (name, &(factor, angle))) in at.desc.joints.iter().flatten().zip(factors).enumerate() {
            let path = at.path.join("joints").join(i);
            let (joint, kind) = self.coupled(&path, name, 0)?;
            let fits = |k: &usize| kind.is_angle(*k) == angle;
            let Some(k) = (0..kind.coordinates()).find(fits) else {
                let (does, help) = if angle {
                    ("turn", "name a revolute joint, or another that turns")
                } else {
                    ("slide", "name a prismatic joint, or another that slides")
                };
                return Err(self.bad(path, format!("joint `{name}` does not {does}"), help));
            };
            self.coupled(&path, name, k as u32)?;
            terms.push(CouplerTerm::linear(joint, k, factor));
        }
        Ok(vec![CouplerEquation { terms, offset: None }])
    }
}

impl Check<'_> {
    pub(crate) fn known_joint(&self, path: &FieldPath, field: FieldPath, name: &str) -> CheckResult {
        if *path == FieldPath::item("joints", name) {
            return Err(self.bad(field, "it names itself", "name a joint that it couples"));
        }
        if self.document_names("joints").any(|own| own == name) {
            return Ok(());
        }
        let help = match nearest(name, self.document_names("joints")) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a joint of this scene".to_string(),
        };
        let message = format!("there is no joint `{}`", crate::document::clip(name));
        Err(self.error(ErrorKind::UnknownName, field, message, Some(help)))
    }

    /// The joints of a transmission, with their number checked.
    pub(crate) fn coupled_joints(
        &self,
        path: &FieldPath,
        joint: &JointDesc,
        n: usize,
        what: &str,
    ) -> CheckResult {
        let number = ["none", "one", "two", "three", "four"].get(n).copied().unwrap_or("more");
        let help = format!("name {number}: {what}");
        self.given(path, "joints", joint.joints.is_some(), &help)?;
        let names = joint.joints.as_deref().unwrap_or_default();
        if names.len() != n {
            let message = format!("{} in the place of {number}", count(names.len(), "joint"));
            return Err(self.bad(path.join("joints"), message, &help));
        }
        for (i, name) in names.iter().enumerate() {
            self.known_joint(path, path.join("joints").join(i), name)?;
        }
        if let Some(i) = (1..n).find(|&i| names[..i].contains(&names[i])) {
            let message = if n == 2 { "both joints are the same" } else { "it is named twice" };
            return Err(self.bad(path.join("joints").join(i), message, &help));
        }
        Ok(())
    }
}

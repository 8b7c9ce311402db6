//! Screws: a cylindrical joint whose shift follows its angle by `lead` per turn.

use cardan::ModelBuilder;
use cardan::constraint::{Coupler, CouplerEquation, CouplerTerm};

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, KinematicPair, NamedJoint};
use crate::lower::Lower;

/// The joint that the thread is cut into.
const SLEEVE: KinematicPair = KinematicPair {
    name: "screw",
    fields: &[
        "a",
        "b",
        "anchor",
        "axis",
        "anchor_in_a",
        "anchor_in_b",
        "axis_in_a",
        "axis_in_b",
        "frame_in_a",
        "frame_in_b",
        "lead",
        "zero",
        "limits",
        "restitution",
        "drive",
        "servo",
        "motor",
        "spring",
        "friction",
    ],
    ..KinematicPair::of(cardan::JointKind::Cylindrical)
};

pub(crate) struct Screw;

impl JointKindSpec for Screw {
    fn name(&self) -> &'static str {
        SLEEVE.name
    }
    fn fields(&self) -> &'static [&'static str] {
        SLEEVE.fields
    }
    fn pair(&self) -> Option<&KinematicPair> {
        Some(&SLEEVE)
    }
    fn equations(&self) -> String {
        "crates/cardan/src/constraint/coupler.rs".into()
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        let help = "translation per turn: lead = \"5 mm\"";
        check.given(path, "lead", desc.lead.is_some(), help)?;
        if desc.lead.is_some_and(|lead| lead.0 == 0.0) {
            return Err(check.bad(
                path.join("lead"),
                "a lead cannot be zero",
                "a joint that only turns is `revolute`",
            ));
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let joint = parts.add_joint(SLEEVE.joint(lower, at)?);
        let pitch = at.desc.lead.map_or(0.0, f64::from) / core::f64::consts::TAU;
        let terms = vec![CouplerTerm::linear(joint, 0, 1.0), CouplerTerm::linear(joint, 1, -pitch)];
        let equations = vec![CouplerEquation { terms, offset: None }];
        parts.add_coupler(Coupler { name: format!("{}-thread", at.name), kind: "screw", equations });
        Ok(())
    }
}

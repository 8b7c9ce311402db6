//! Checks of joints of all kinds; each kind adds its own.

use super::{Check, CheckResult};
use crate::error::ErrorKind;
use crate::kind::NamedJoint;
use crate::scene::JointKindDesc;

impl Check<'_> {
    pub(super) fn joint(&self, at: &NamedJoint<'_>) -> CheckResult {
        let (path, joint) = (&at.path, at.desc);
        let all = JointKindDesc::ALL.map(|kind| (kind, kind.about().name(), kind.about().fields()));
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
        if joint.assembly_time.is_some() && !kind.closes() {
            return Err(self.misplaced(path, "assembly_time", kind.cannot_close().to_string(), None));
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
}

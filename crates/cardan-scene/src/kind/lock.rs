//! Generic joint: any choice of locked translations and rotations (`locks`). Equations: `cardan::Locks`.

use cardan::{JointKind, Locks, ModelBuilder};

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, KinematicPair, NamedJoint};
use crate::lower::Lower;
use crate::scene::{JointDesc, LockName};

const PAIR: KinematicPair = KinematicPair {
    fields: &[
        "a",
        "b",
        "anchor",
        "axis",
        "axis2",
        "anchor_in_a",
        "anchor_in_b",
        "axis_in_a",
        "axis_in_b",
        "frame_in_a",
        "frame_in_b",
        "locks",
        "zero",
        "limits",
        "restitution",
        "drive",
        "servo",
        "motor",
        "spring",
        "friction",
    ],
    by_locks: true,
    needs_axis: false,
    ..KinematicPair::named("lock", JointKind::Lock { locks: Locks::ORIENTATION })
};

pub(crate) struct Lock;

impl JointKindSpec for Lock {
    fn name(&self) -> &'static str {
        PAIR.name
    }
    fn fields(&self) -> &'static [&'static str] {
        PAIR.fields
    }
    fn pair(&self) -> Option<&KinematicPair> {
        Some(&PAIR)
    }
    fn equations(&self) -> String {
        PAIR.equations()
    }
    fn closes(&self) -> bool {
        true
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        if desc.locks.as_ref().is_none_or(Vec::is_empty) {
            let help = "add the locked motions: `locks = [\"x\", \"turn-z\"]`, any of x, y, z, turn-x, turn-y, turn-z";
            let at = if desc.locks.is_some() { path.join("locks") } else { path.clone() };
            return Err(check.bad(at, "the joint locks nothing", help));
        }
        for (i, lock) in desc.locks.iter().flatten().enumerate() {
            if desc.locks.iter().flatten().take(i).any(|other| other == lock) {
                let message = "it is locked already";
                return Err(check.bad(path.join("locks").join(i), message, "name every lock once"));
            }
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        PAIR.lower(lower, at, parts)
    }
}

/// The locked motions of a joint of kind `lock`.
pub(super) fn locks_of(desc: &JointDesc) -> Locks {
    let has = |name: LockName| desc.locks.iter().flatten().any(|&lock| lock == name);
    Locks::new(
        [LockName::X, LockName::Y, LockName::Z].map(has),
        [LockName::TurnX, LockName::TurnY, LockName::TurnZ].map(has),
    )
}

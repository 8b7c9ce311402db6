//! An effort as a line: its value and slopes, for the implicit rule of semi-implicit Euler steps.
//!
//! ```text
//! f(p + δ, ṗ + ε) = f − K δ − C ε          K, C ≥ 0; what would push along a change stays explicit
//! end of a step   f − K h (ṗ + h s) − C h s          s = p̈
//! ```
//!
//! An effort with a limit is a line within ± limit. Targets of servos are those of the end of the step.

use super::{Effort, EffortKind};
use crate::joint::spring::JointSpring;

/// An effort near the coordinate and rate where it was evaluated.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct EffortLine {
    /// f \[N or N·m\], without its limit.
    pub(crate) force: f64,
    /// K = −∂f/∂p, not negative \[N/m or N·m/rad\].
    pub(crate) stiffness: f64,
    /// C = −∂f/∂ṗ, not negative \[N·s/m or N·m·s/rad\].
    pub(crate) damping: f64,
    /// Largest magnitude of f; may be infinite.
    pub(crate) limit: f64,
    /// Whether the stiffness is implicit at any step: that of a servo. Springs are only where the step asks
    /// for it.
    pub(crate) is_servo: bool,
    /// Where its power goes.
    pub(crate) account: EffortAccount,
}

/// Where the power of an effort goes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum EffortAccount {
    /// Work put in or taken out.
    #[default]
    Work,
    /// Heat.
    Heat,
    /// The damping part is heat, the rest stored energy.
    Spring,
}

impl JointSpring {
    /// The spring as a line, which it is.
    pub(crate) fn line(&self, value: f64, rate: f64) -> EffortLine {
        EffortLine {
            force: self.force(value, rate),
            stiffness: self.stiffness,
            damping: self.damping,
            limit: f64::INFINITY,
            is_servo: false,
            account: EffortAccount::Spring,
        }
    }
}

impl Effort {
    /// The effort as a line at a coordinate and its rate, for a step that ends at `end` \[s\]. A commanded
    /// `target` (value and rate) takes the place of a servo's law.
    pub(crate) fn line(&self, end: f64, target: Option<[f64; 2]>, value: f64, rate: f64) -> EffortLine {
        let positive = |x: f64| if x > 0.0 { x } else { 0.0 };
        let line = EffortLine { limit: f64::INFINITY, ..EffortLine::default() };
        match &self.kind {
            EffortKind::Law(law) => EffortLine { force: law.at(end).value, ..line },
            EffortKind::Servo(servo) => {
                let [wanted, wanted_rate] = target.unwrap_or_else(|| {
                    let wanted = servo.law.at(end);
                    [wanted.value, wanted.rate]
                });
                EffortLine {
                    force: servo.stiffness * (wanted - value) + servo.damping * (wanted_rate - rate),
                    stiffness: servo.stiffness,
                    damping: servo.damping,
                    limit: servo.limit,
                    is_servo: true,
                    ..line
                }
            }
            EffortKind::Motor(motor) => {
                let (force, slope) = motor.line(end, rate);
                EffortLine { force, damping: positive(-slope), limit: motor.limit, ..line }
            }
            EffortKind::Friction(friction) => EffortLine {
                force: friction.force(rate),
                damping: positive(-friction.slope(rate)),
                account: EffortAccount::Heat,
                ..line
            },
            EffortKind::Curve(spring) => EffortLine {
                force: spring.force(value, rate),
                stiffness: positive(spring.slope(value)),
                damping: spring.damping,
                account: EffortAccount::Spring,
                ..line
            },
        }
    }
}

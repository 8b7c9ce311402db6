//! Efforts: forces or torques along one coordinate of a joint, on b, and the opposite on a.
//!
//! | effort | f | account |
//! |---|---|---|
//! | law | f(t) | work |
//! | [`Servo`] | k (s − x) + c (ṡ − ẋ), limited | work |
//! | [`Motor`] | u(t) · curve(ẋ), limited | work |
//! | [`DryFriction`] | sticks up to F_s, then −F sign(ẋ) − c ẋ; or −F tanh(ẋ/v) − c ẋ | heat |
//! | [`JointCurveSpring`] | −curve(x − rest) − c ẋ | potential ∫ curve, heat c ẋ² |

mod curve;
mod friction;
mod line;
mod motor;
mod servo;

pub use curve::JointCurveSpring;
pub use friction::DryFriction;
pub(crate) use line::{EffortAccount, EffortLine};
pub use motor::{CurveError, Motor, SpeedCurve};
pub use servo::Servo;

use crate::law::{Law, LawError};
use crate::model::Model;
use crate::state::State;

/// A force or torque along one coordinate of a joint.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Effort {
    /// Index of the coordinate.
    pub coordinate: usize,
    /// The law of the force.
    pub kind: EffortKind,
}

/// The law of an effort.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EffortKind {
    /// A function of time \[N or N·m\].
    Law(Law),
    /// Proportional and derivative (PD) control of the coordinate.
    Servo(Servo),
    /// A motor with a torque–speed curve.
    Motor(Motor),
    /// Dry friction.
    Friction(DryFriction),
    /// A nonlinear spring: force by deflection.
    Curve(JointCurveSpring),
}

/// Force and power of an effort at one instant.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct EffortOutput {
    pub(crate) force: f64,
    /// Power turned into heat \[W\].
    pub(crate) heat: f64,
    /// Whether the rest of its power is work put in; otherwise it is stored energy.
    pub(crate) is_work: bool,
}

impl Effort {
    /// The effort at the time of a state, in a joint of a model.
    pub(crate) fn at(
        &self,
        model: &Model,
        joint: usize,
        state: &State,
        value: f64,
        rate: f64,
    ) -> EffortOutput {
        let time = state.time;
        match &self.kind {
            EffortKind::Law(law) => EffortOutput { force: law.at(time).value, heat: 0.0, is_work: true },
            EffortKind::Servo(servo) => {
                let target = self.target(model, joint, state);
                EffortOutput { force: servo.force(state, target, value, rate), heat: 0.0, is_work: true }
            }
            EffortKind::Motor(motor) => {
                EffortOutput { force: motor.force(time, rate), heat: 0.0, is_work: true }
            }
            EffortKind::Friction(friction) => {
                let force = friction.force(rate);
                EffortOutput { force, heat: -force * rate, is_work: false }
            }
            EffortKind::Curve(spring) => EffortOutput {
                force: spring.force(value, rate),
                heat: spring.damping * rate * rate,
                is_work: false,
            },
        }
    }

    /// The effort without its velocity-dependent parts, at the time of a state.
    pub(crate) fn at_rest(&self, model: &Model, joint: usize, state: &State, value: f64) -> EffortOutput {
        match &self.kind {
            EffortKind::Servo(servo) => {
                let target = self.target(model, joint, state);
                EffortOutput {
                    force: servo.force_at_rest(state.time, target, value),
                    heat: 0.0,
                    is_work: true,
                }
            }
            _ => self.at(model, joint, state, value, 0.0),
        }
    }

    /// The commanded set point of a servo, if there is one.
    pub(crate) fn target(&self, model: &Model, joint: usize, state: &State) -> Option<[f64; 2]> {
        state.commands.as_ref().and_then(|commands| commands.target(model, joint, self.coordinate))
    }

    /// Stored energy \[J\].
    pub(crate) fn energy(&self, value: f64) -> f64 {
        match &self.kind {
            EffortKind::Curve(spring) => spring.energy(value),
            _ => 0.0,
        }
    }

    /// Whether its force has a potential.
    pub(crate) fn stores_energy(&self) -> bool {
        matches!(self.kind, EffortKind::Curve(_))
    }

    /// True for a law, a servo or a motor: what the report of a drive shows.
    pub fn is_active(&self) -> bool {
        matches!(self.kind, EffortKind::Law(_) | EffortKind::Servo(_) | EffortKind::Motor(_))
    }
    /// Whether its law is a function of time.
    pub(crate) fn may_depend_on_time(&self) -> bool {
        match &self.kind {
            EffortKind::Law(law)
            | EffortKind::Servo(Servo { law, .. })
            | EffortKind::Motor(Motor { law, .. }) => !matches!(law, Law::Constant(_)),
            EffortKind::Friction(_) | EffortKind::Curve(_) => false,
        }
    }
    /// Whether it is a servo on a coordinate.
    pub(crate) fn is_servo_of(&self, coordinate: usize) -> bool {
        self.coordinate == coordinate && matches!(self.kind, EffortKind::Servo(_))
    }
    pub(crate) fn is_friction(&self) -> bool {
        matches!(self.kind, EffortKind::Friction(_))
    }
    pub(crate) fn depends_on_rate(&self) -> bool {
        match &self.kind {
            EffortKind::Law(_) => false,
            EffortKind::Servo(servo) => servo.damping != 0.0,
            EffortKind::Motor(_) | EffortKind::Friction(_) => true,
            EffortKind::Curve(spring) => spring.damping != 0.0,
        }
    }

    /// The name of the effort; the name of its law where it has one.
    pub fn name(&self) -> &'static str {
        match &self.kind {
            EffortKind::Law(law) => law.name(),
            EffortKind::Servo(_) => "servo",
            EffortKind::Motor(_) => "motor",
            EffortKind::Friction(_) => "friction",
            EffortKind::Curve(_) => "curve",
        }
    }

    /// Checks the law of the effort.
    pub(crate) fn check_law(&self) -> Result<(), (&'static str, LawError)> {
        let law = match &self.kind {
            EffortKind::Law(law) => law,
            EffortKind::Servo(servo) => &servo.law,
            EffortKind::Motor(motor) => &motor.law,
            EffortKind::Friction(_) | EffortKind::Curve(_) => return Ok(()),
        };
        law.check().map_err(|error| (law.name(), error))
    }

    /// The parameters, for checks: none may be NaN or negative; those marked true must be finite.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, f64, bool)> {
        match &self.kind {
            EffortKind::Law(_) => Vec::new(),
            EffortKind::Servo(s) => {
                vec![
                    ("stiffness", s.stiffness, true),
                    ("damping", s.damping, true),
                    ("limit", s.limit, false),
                ]
            }
            EffortKind::Motor(m) => vec![("limit", m.limit, false)],
            EffortKind::Friction(f) => f.parameters(),
            EffortKind::Curve(c) => vec![("damping", c.damping, true), ("rest", c.rest.abs(), true)],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Effort>()
            + match &self.kind {
                EffortKind::Law(law) => law.bytes(),
                EffortKind::Servo(servo) => servo.law.bytes(),
                EffortKind::Motor(motor) => motor.law.bytes() + motor.curve.bytes(),
                EffortKind::Friction(_) => 0,
                EffortKind::Curve(spring) => spring.curve.bytes(),
            }
    }
}

/// `force` clamped to ± `limit`, which may be infinite.
fn limited(force: f64, limit: f64) -> f64 {
    if force > limit {
        limit
    } else if force < -limit {
        -limit
    } else {
        force
    }
}

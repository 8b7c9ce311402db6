//! What can go wrong in a step. The state is untouched in every case.

/// Where in a step.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The first evaluation, at the start of the step.
    First,
    /// A later evaluation inside the integrator, counted from 2.
    Inner(u8),
    /// The projection at the end.
    Projection,
}

impl core::fmt::Display for Stage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Stage::First => f.write_str("evaluation 1"),
            Stage::Inner(k) => write!(f, "evaluation {k}"),
            Stage::Projection => f.write_str("the projection"),
        }
    }
}

/// A step that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A step size that is not a positive number.
    #[error("the step size is {h}; it must be a positive number of seconds")]
    BadStep {
        /// What was asked for.
        h: f64,
    },
    /// Tolerances that cannot be kept.
    #[error(
        "a relative tolerance of {}, an absolute one of {} and a longest step of {} s cannot be: the relative one must be from \
         {} to 0.1, the others larger than zero", control.relative, control.absolute, control.max_step,
        super::ErrorControl::LEAST
    )]
    BadTolerance {
        /// What was asked for.
        control: super::ErrorControl,
    },
    /// No step is small enough for the tolerance.
    #[error(
        "the step size collapsed at t = {time} s: with {h:e} s the error of body `{body}` is still {error:.3e} times what the \
         tolerance allows; does a force jump, or is the tolerance below rounding?"
    )]
    Collapsed {
        /// The body with the largest error.
        body: String,
        /// When.
        time: f64,
        /// The last step that was tried \[s\].
        h: f64,
        /// Its error over what is allowed.
        error: f64,
    },
    /// A force law gave NaN or infinity, as force, torque or energy.
    #[error("force `{force}` is not a finite number at t = {time} s ({stage})")]
    ForceNotFinite {
        /// Which force.
        force: String,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// A law of a drive gave NaN or infinity, as value, rate or second derivative.
    #[error("the {law} law that drives joint `{joint}` is not a finite number at t = {time} s ({stage})")]
    LawNotFinite {
        /// Which joint.
        joint: String,
        /// The kind of law.
        law: &'static str,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// A body's pose or velocity left the finite numbers.
    #[error("body `{body}` left the finite numbers at t = {time} s ({stage}); is the step too large?")]
    NotFinite {
        /// Which body.
        body: String,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// A joint gave rows that are not finite.
    #[error("joint `{joint}` left the finite numbers at t = {time} s ({stage})")]
    JointNotFinite {
        /// Which joint.
        joint: String,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// The freedoms or the rows of a joint depend on each other, or vanish beside the masses.
    #[error(
        "joint `{joint}` is singular at t = {time} s: its conditions or its freedoms depend on each other"
    )]
    JointSingular {
        /// Which joint.
        joint: String,
        /// When.
        time: f64,
    },
    /// A mass matrix lost its positive pivots.
    #[error("the mass of body `{body}` and what hangs on it is not positive definite at t = {time} s")]
    MassNotPositive {
        /// Which body.
        body: String,
        /// When.
        time: f64,
    },
    /// The joints ask for things that exclude each other.
    #[error(
        "joint `{joint}` contradicts {} at t = {time} s: what they allow misses what it wants by {by:.3e} (m or rad, or \
         their rates)",
        others(with)
    )]
    Conflict {
        /// One of the joints.
        joint: String,
        /// The others, if they are known.
        with: Vec<String>,
        /// When.
        time: f64,
        /// How much is left over.
        by: f64,
        /// Size of the terms.
        size: f64,
    },
    /// A joint whose axes must point the same way has been closed with its axes opposed.
    #[error("joint `{joint}`: the axis on b points against the axis on a; turn one of them round")]
    OppositeAxes {
        /// Which joint.
        joint: String,
    },
    /// Projection did not reach the joints.
    #[error(
        "joint `{joint}` cannot be closed at t = {time} s: an error of {error:e} remains after {rounds} rounds; \
         is the step too large, or does the pose not fit the joints?"
    )]
    CannotClose {
        /// The worst joint.
        joint: String,
        /// When.
        time: f64,
        /// What remains [m or rad, or their rates].
        error: f64,
        /// Rounds spent.
        rounds: u32,
    },
    /// An integrator that needs the bodies' own poses.
    #[error(
        "the integrator {integrator:?} cannot carry joint coordinates; use another one, or the coordinates of the bodies"
    )]
    NotForJoints {
        /// Which integrator.
        integrator: super::Integrator,
    },
    /// Forces that depend on velocity would not settle at the end of a step of [`Integrator::Long`](super::Integrator::Long).
    #[error(
        "the forces on body `{body}` that depend on velocity do not settle at t = {time} s: from round to round its velocity still \
         changes by {change:e}; is the step too large for a damper?"
    )]
    Unsettled {
        /// The body that changes most.
        body: String,
        /// When.
        time: f64,
        /// Change of its velocity in the last round [m/s or rad/s].
        change: f64,
    },
    /// A state of another model.
    #[error("the state belongs to another model: it has other bodies")]
    OtherModel,
    /// Any other failure of the factorisation.
    #[error("the system of equations cannot be factored at t = {time} s: {error}")]
    Solver {
        /// What the solver says.
        error: cardan_solve::FactorError,
        /// When.
        time: f64,
    },
    /// A solver that cannot answer this model.
    #[error("the tree solver was asked for, but joint `{joint}` closes a loop; use `auto` or `sparse`")]
    NotATree {
        /// A joint that closes a loop.
        joint: String,
    },
}

/// The joints that another depends on, in words.
fn others(names: &[String]) -> String {
    match names {
        [] => "the joints it depends on".into(),
        [one] => format!("joint `{one}`, on which it depends,"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("`{name}`")).collect();
            format!("joints {} and `{last}`, on which it depends,", first.join(", "))
        }
    }
}

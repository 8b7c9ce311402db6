//! What can go wrong in a step. The state is untouched in every case.

use crate::model::Model;
use crate::tolerances::MISALIGNED;
use cardan_solve::{Block, FactorError, SystemEntry};

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
    /// Inequalities that cannot hold together, whatever they push with.
    #[error("at t = {time} s the inequalities `{}` cannot all hold, however hard they push", inequalities.join("`, `"))]
    Contradiction {
        /// Which.
        inequalities: Vec<String>,
        /// When \[s\].
        time: f64,
    },
    /// Friction while sliding leaves no answer (Painlevé's paradox).
    #[error(
        "at t = {time} s dry friction at `{}` has no answer: whatever the contacts push with, friction drives them further in (Painlevé's paradox)",
        contacts.join("`, `")
    )]
    FrictionParadox {
        /// Which contacts.
        contacts: Vec<String>,
        /// When \[s\].
        time: f64,
    },
    /// Blows where forces give velocities.
    #[error(
        "the integrator `first-order` has no impulses: with f = m v no body keeps the velocity that an impulse gives"
    )]
    NoImpulses,
    /// A blow that cannot be.
    #[error("the impulse cannot be applied: {what}")]
    BadImpulse {
        /// What is wrong.
        what: String,
    },
    /// An integrator that carries poses alone.
    #[error("the integrator `{integrator}` carries poses of bodies; joint coordinates are for the others")]
    OnlyBodies {
        /// Which.
        integrator: &'static str,
    },
    /// Poisson's law of impact with a rule that has Newton's alone.
    #[error(
        "the integrator `time-stepping` has Newton's law of impact; Poisson's is for rk4, dopri5 and the Euler rules"
    )]
    OnlyNewton,
    /// A way of stepping that a body kind does not have.
    #[error(
        "{what} cannot be had with body `{body}`, which is of the kind `{kind}`: take poses of bodies and another integrator"
    )]
    NotForKind {
        /// What was asked for.
        what: &'static str,
        /// Which body.
        body: String,
        /// What it is.
        kind: &'static str,
    },
    /// Inequalities with a way of stepping that does not have them.
    #[error(
        "`{name}` cannot be had with {with}: limits, inequalities, contacts and dry friction that holds need poses of bodies \
         (`coordinates = \"bodies\"`) and rk4, dopri5, time-stepping or an Euler rule; friction with a `regularization_speed` goes with all"
    )]
    NoInequalities {
        /// The first inequality or joint, or the first two bodies that may meet.
        name: String,
        /// With what.
        with: &'static str,
    },
    /// Something is beyond a limit, or inside of something else.
    #[error("at t = {time} s {overlap}; {}", found.advice())]
    Overlap {
        /// Which inequality, limit or pair of bodies, and how far.
        overlap: crate::step::Overlap,
        /// When \[s\].
        time: f64,
        /// At the start or later.
        found: crate::step::OverlapFound,
    },
    /// The small problem of the inequalities has no answer.
    #[error("at t = {time} s the inequalities have no answer: {error}")]
    Complementarity {
        /// What its solver says.
        error: String,
        /// When \[s\].
        time: f64,
    },
    /// Events without end in one step.
    #[error(
        "at t = {time} s {events} events in one step were not the last; `integrator = \"time-stepping\"` takes many contacts in one, and a larger `restitution_threshold` ends bounces earlier"
    )]
    TooManyEvents {
        /// When \[s\].
        time: f64,
        /// How many.
        events: u32,
    },
    /// A step size that is not a positive number.
    #[error("the step size is {h}; it must be a positive number of seconds")]
    BadStep {
        /// What was asked for.
        h: f64,
    },
    /// A time to run to that is no number, or never comes.
    #[error("cannot run to a time of {until} s; it must be a finite number")]
    BadTime {
        /// What was asked for.
        until: f64,
    },
    /// A body that swings by itself so fast that a step would have to be taken in more parts than can be waited for.
    #[error(
        "body `{body}` is too stiff for steps of {h:e} s: by itself it swings at {frequency:.3e} Hz; take a step of about {advised:e} s, a softer body, \
         a `rigid` one, or `integrator = \"dopri5\"`"
    )]
    TooStiff {
        /// Which body.
        body: String,
        /// Its fastest swing or decay at the start, over 2π \[Hz\].
        frequency: f64,
        /// The step \[s\].
        h: f64,
        /// A step that would do \[s\].
        advised: f64,
    },
    /// Tolerances that cannot be kept.
    #[error(
        "a relative tolerance of {}, an absolute one of {} and a longest step of {} s cannot be: the relative one must be from \
         {} to 0.1, the others larger than zero", control.relative, control.absolute, control.max_step,
        crate::step::ErrorControl::LEAST
    )]
    BadTolerance {
        /// What was asked for.
        control: crate::step::ErrorControl,
    },
    /// A geometry tolerance that cannot be.
    #[error(
        "a geometry tolerance of {tolerance:e} cannot be: it must be from 0 to {:e}",
        crate::step::Settings::LOOSEST_GEOMETRY
    )]
    BadGeometryTolerance {
        /// What was asked for.
        tolerance: f64,
    },
    /// A geometry tolerance where the solver has none.
    #[error(
        "a geometry tolerance is kept where bodies are eliminated by what joints leave free; the solver `{solver}` answers here and has none"
    )]
    NoGeometryTolerance {
        /// The solver that answers.
        solver: &'static str,
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
    /// A joint that cannot be followed any further, such as a curve whose end was passed.
    #[error("joint `{joint}` cannot be followed at t = {time} s: {why}")]
    Lost {
        /// Which joint.
        joint: String,
        /// When.
        time: f64,
        /// What happened.
        why: String,
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
    /// The force of a constraint that pushes elsewhere does not reach its rows.
    #[error(
        "constraint `{constraint}` cannot be held at t = {time} s: its force does not act on row {row}, or only as another's does \
         (J M⁻¹ K is singular)"
    )]
    Powerless {
        /// Which constraint.
        constraint: String,
        /// Which of its rows.
        row: usize,
        /// When.
        time: f64,
    },
    /// A constraint that pushes elsewhere, or on which such a one depends, says only what others say: motion is then not determined.
    #[error(
        "row {row} of constraint `{constraint}` depends on other constraints at t = {time} s, or is zero, and forces that act elsewhere \
         are to hold it or them: the motion is not determined; can the motors that should hold it move it that way?"
    )]
    Dependent {
        /// Which constraint.
        constraint: String,
        /// Which of its rows.
        row: usize,
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
         their rates), where rounding of the terms that form it would be {:.0e}{}",
        others(with), f64::EPSILON * size, hint(*left)
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
        /// What is left of the row that has least left when those it depends on are taken away; 1 where that is not known.
        left: f64,
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
         {}{}", question(*too_long), hint(*left)
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
        /// That the step is longer than the motion allows, where it is.
        too_long: Option<TooLong>,
        /// What is left of the row that has least left when those it depends on are taken away; 1 where that is not known.
        left: f64,
    },
    /// An integrator that needs the bodies' own poses.
    #[error(
        "the integrator `{}` cannot carry joint coordinates; use another one, or the coordinates of the bodies",
        scene_word(*integrator)
    )]
    NotForJoints {
        /// Which integrator.
        integrator: crate::step::Integrator,
    },
    /// [`Integrator::Rattle`](super::Integrator::Rattle) and a condition on velocities that no condition on poses stands for.
    #[error(
        "joint `{joint}` holds velocities only (rolling, a knife edge, a gear): `rattle` finds its forces from where a step ends and cannot \
         hold it; use rk4 or dopri5"
    )]
    VelocityOnly {
        /// Which joint.
        joint: String,
    },
    /// Forces that depend on velocity would not settle at the end of a step of [`Integrator::Rattle`](super::Integrator::Rattle).
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
    /// A solver that cannot answer this model with these settings.
    #[error(
        "the tree solver was asked for, but `{joint}` closes a loop or holds three or more bodies, and loops are closed along the \
         tree only between bodies of one space, without user constraints and without Baumgarte feedback; use `auto` or `sparse`"
    )]
    NotATree {
        /// A joint or constraint beyond the tree.
        joint: String,
    },
}

/// A step in which a body turns by more than any rule can follow.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TooLong {
    /// The step \[s\].
    pub h: f64,
    /// By how much the fastest body turns in it, at the speed or by the acceleration that it starts with \[rad\].
    pub turn: f64,
    /// A step that would do \[s\].
    pub advised: f64,
}

/// What may be wrong, in words.
fn question(too_long: Option<TooLong>) -> String {
    match too_long {
        None => "is the step too large, or does the pose not fit the joints?".into(),
        Some(TooLong { h, turn, advised }) => format!(
            "the step is too large for the motion: in {h:e} s a body turns by {turn:.1} rad; try a step of {advised:e} s"
        ),
    }
}

/// Remainders up to this are next to a pose where rows depend on each other: a linkage lies flat, say.
const SPECIAL: f64 = 0.03;

/// The least power of ten that a geometry tolerance of at least `wanted` may be.
pub(crate) fn offered_tolerance(wanted: f64) -> f64 {
    let all = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4];
    all.into_iter().find(|tolerance| *tolerance >= wanted).unwrap_or(crate::step::Settings::LOOSEST_GEOMETRY)
}

/// What a user may do about rows that nearly repeat others.
fn hint(left: f64) -> String {
    if !(left > 0.0 && left < SPECIAL) {
        return String::new();
    }
    if left >= MISALIGNED {
        return format!("; a loop nearly loses rank in this pose (rows repeat others but for {left:.0e})");
    }
    format!(
        "; or is it locked by a misalignment (rows repeat others but for {left:.0e})? Then a \
         geometry tolerance of {:e} lets it move",
        // In other poses more may be left.
        offered_tolerance(10.0 * left)
    )
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

/// Three significant digits.
pub(crate) fn short(x: f64) -> String {
    let rounded = format!("{x:.2e}").parse::<f64>().unwrap_or(x);
    if rounded.abs() < 1e-3 && rounded != 0.0 { format!("{rounded:e}") } else { format!("{rounded}") }
}

/// What a solver says, in words of the model.
pub(crate) fn solver_error(model: &Model, time: f64, error: FactorError, stage: Stage) -> StepError {
    let body = |block: Block| model.bodies[block.0 as usize].name.clone();
    match error {
        FactorError::NotPositive { block } => StepError::MassNotPositive { body: body(block), time },
        FactorError::NotFinite { place: SystemEntry::Mass(block) } => {
            StepError::NotFinite { body: body(block), time, stage }
        }
        FactorError::NotFinite { place: SystemEntry::Row(link, _) } => {
            StepError::JointNotFinite { joint: model.name_of_link(link).into(), time, stage }
        }
        FactorError::Vanished { link, .. } => {
            StepError::JointSingular { joint: model.name_of_link(link).into(), time }
        }
        FactorError::Powerless { link, row } => {
            StepError::Powerless { constraint: model.name_of_link(link).into(), row, time }
        }
        FactorError::Dependent { link, row } => {
            StepError::Dependent { constraint: model.name_of_link(link).into(), row, time }
        }
        other => StepError::Solver { error: other, time },
    }
}

/// The body that owns entry `i` of a vector of velocities has lost it.
pub(crate) fn not_finite(model: &Model, i: usize, time: f64, stage: Stage) -> StepError {
    let body = model.bodies.partition_point(|b| b.v_at as usize <= i) - 1;
    StepError::NotFinite { body: model.bodies[body].name.clone(), time, stage }
}

/// The word by which a scene names an integrator.
fn scene_word(integrator: crate::step::Integrator) -> &'static str {
    use crate::step::Integrator;
    match integrator {
        Integrator::ExplicitEuler => "explicit-euler",
        Integrator::SemiImplicitEuler => "semi-implicit-euler",
        Integrator::Rk4 => "rk4",
        Integrator::Dopri5 => "dopri5",
        Integrator::Rattle => "rattle",
        Integrator::TimeStepping => "time-stepping",
        Integrator::FirstOrder => "first-order",
    }
}

//! Errors of a step. A step that fails leaves the state as it was.

use crate::model::Model;
use crate::tolerances::MISALIGNED;
use cardan_solve::{Block, FactorError, SystemEntry};

/// Stage of a step.
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
    /// Inequalities that no contact forces can satisfy together.
    #[error("at t = {time} s the inequalities `{}` cannot all hold, however hard they push", inequalities.join("`, `"))]
    Contradiction {
        /// Which.
        inequalities: Vec<String>,
        /// When \[s\].
        time: f64,
    },
    /// Sliding friction without a solution (Painlevé's paradox).
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
    /// Applied impulses with f = m v.
    #[error(
        "the integrator `first-order` has no impulses: with f = m v no body keeps the velocity that an impulse gives"
    )]
    NoImpulses,
    /// An invalid impulse.
    #[error("the impulse cannot be applied: {what}")]
    BadImpulse {
        /// What is wrong.
        what: String,
    },
    /// Settings that a body kind does not support.
    #[error(
        "{what} cannot be had with body `{body}`, which is of the kind `{kind}`: take poses of bodies and another integrator"
    )]
    NotForKind {
        /// The value given.
        what: &'static str,
        /// Which body.
        body: String,
        /// What it is.
        kind: &'static str,
    },
    /// Settings that do not support inequalities.
    #[error(
        "`{name}` cannot be had with {with}: inequalities, contacts and dry friction that holds need poses of bodies \
         (`coordinates = \"bodies\"`) and rk4, dopri5, time-stepping or an Euler rule; limits of joints go with joint \
         coordinates too, with rk4, dopri5 or an Euler rule; friction with a `regularization_speed` goes with all"
    )]
    NoInequalities {
        /// The first inequality or joint, or the first two bodies that may come into contact.
        name: String,
        /// With what.
        with: &'static str,
    },
    /// Settings that do not support the armature of a joint.
    #[error(
        "the armature of joint `{joint}` cannot be had with {with}: it needs the solver `auto` (or `tree`), elimination by \
         freedoms, no Baumgarte feedback, and another integrator than `rattle`"
    )]
    NoArmature {
        /// The first joint with an armature.
        joint: String,
        /// With what.
        with: &'static str,
    },
    /// A violated limit, or bodies that overlap.
    #[error("at t = {time} s {overlap}; {}", found.advice())]
    Overlap {
        /// Which inequality, limit or pair of bodies, and how far.
        overlap: crate::step::Overlap,
        /// When \[s\].
        time: f64,
        /// At the start or later.
        found: crate::step::OverlapFound,
    },
    /// The complementarity problem has no solution.
    #[error("at t = {time} s the inequalities have no answer: {error}")]
    Complementarity {
        /// The error of its solver.
        error: String,
        /// When \[s\].
        time: f64,
    },
    /// Too many events in one step.
    #[error(
        "at t = {time} s {events} events in one step were not the last; `integrator = \"time-stepping\"` takes many contacts in one, and a larger `restitution_threshold` ends bounces earlier"
    )]
    TooManyEvents {
        /// When \[s\].
        time: f64,
        /// How many.
        events: u32,
    },
    /// An explicit step that is too long for the efforts of a joint.
    #[error(
        "at t = {time} s the step of {h} s is too long for the damping or stiffness of joint `{joint}` at its start: take at most {most} s, \
         or `efforts = \"implicit\"`"
    )]
    StiffJoint {
        /// Which joint.
        joint: String,
        /// The step \[s\].
        h: f64,
        /// The longest step that would do \[s\].
        most: f64,
        /// When \[s\].
        time: f64,
    },
    /// A step size that is not a positive number.
    #[error("the step size is {h}; it must be a positive number of seconds")]
    BadStep {
        /// The value given.
        h: f64,
    },
    /// An end time that is not finite.
    #[error("cannot run to a time of {until} s; it must be a finite number")]
    BadTime {
        /// The value given.
        until: f64,
    },
    /// A body with a natural frequency so high that a step would need too many parts.
    #[error(
        "body `{body}` is too stiff for steps of {h:e} s: by itself it swings at {frequency:.3e} Hz; take a step of about {advised:e} s, a softer body, \
         a `rigid` one, or `integrator = \"dopri5\"`"
    )]
    TooStiff {
        /// Which body.
        body: String,
        /// Its highest natural frequency at the start \[Hz\].
        frequency: f64,
        /// The step \[s\].
        h: f64,
        /// A step that is short enough \[s\].
        advised: f64,
    },
    /// Tolerances out of range.
    #[error(
        "a relative tolerance of {}, an absolute one of {} and a longest step of {} s cannot be: the relative one must be from \
         {} to 0.1, the others larger than zero", control.relative, control.absolute, control.max_step,
        crate::step::ErrorControl::LEAST
    )]
    BadTolerance {
        /// The value given.
        control: crate::step::ErrorControl,
    },
    /// A geometry tolerance out of range.
    #[error(
        "a geometry tolerance of {tolerance:e} cannot be: it must be from 0 to {:e}",
        crate::step::Settings::LOOSEST_GEOMETRY
    )]
    BadGeometryTolerance {
        /// The value given.
        tolerance: f64,
    },
    /// A geometry tolerance for a solver that has none.
    #[error(
        "a geometry tolerance is kept where bodies are eliminated by what joints leave free; the solver `{solver}` answers here and has none"
    )]
    NoGeometryTolerance {
        /// The solver in use.
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
        /// Its error, relative to the tolerance.
        error: f64,
    },
    /// A force law returned NaN or infinity as force, torque or energy.
    #[error("force `{force}` is not a finite number at t = {time} s ({stage})")]
    ForceNotFinite {
        /// Which force.
        force: String,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// A law of a drive returned NaN or infinity as value, rate or second derivative.
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
    /// A pose or velocity of a body is not finite.
    #[error("body `{body}` left the finite numbers at t = {time} s ({stage}); is the step too large?")]
    NotFinite {
        /// Which body.
        body: String,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// Rows of a joint are not finite.
    #[error("joint `{joint}` left the finite numbers at t = {time} s ({stage})")]
    JointNotFinite {
        /// Which joint.
        joint: String,
        /// When.
        time: f64,
        /// Where in the step.
        stage: Stage,
    },
    /// A joint that is not defined beyond this pose, such as a curve past its end.
    #[error("joint `{joint}` cannot be followed at t = {time} s: {why}")]
    Lost {
        /// Which joint.
        joint: String,
        /// When.
        time: f64,
        /// What happened.
        why: String,
    },
    /// The freedoms or the rows of a joint are linearly dependent, or negligible relative to the masses.
    #[error(
        "joint `{joint}` is singular at t = {time} s: its conditions or its freedoms depend on each other"
    )]
    JointSingular {
        /// Which joint.
        joint: String,
        /// When.
        time: f64,
    },
    /// The force of a constraint, which acts elsewhere, has no effect on its rows.
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
    /// A redundant constraint whose force acts elsewhere, or one that such a constraint depends on: the motion is not determined.
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
    /// A mass matrix that is not positive definite.
    #[error("the mass of body `{body}` and what hangs on it is not positive definite at t = {time} s")]
    MassNotPositive {
        /// Which body.
        body: String,
        /// When.
        time: f64,
    },
    /// Contradicting joints.
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
        /// The part of the row that cannot be satisfied.
        by: f64,
        /// Size of the terms.
        size: f64,
        /// The rank margin: relative norm of the row nearest to dependent, after the rows it depends on are projected out; 1 if
        /// unknown.
        left: f64,
    },
    /// A joint was closed with opposed axes that must point the same way.
    #[error("joint `{joint}`: the axis on b points against the axis on a; turn one of them round")]
    OppositeAxes {
        /// Which joint.
        joint: String,
    },
    /// Projection did not close the joints.
    #[error(
        "joint `{joint}` cannot be closed at t = {time} s: an error of {error:e} remains after {rounds} rounds; \
         {}{}", question(*too_long), hint(*left)
    )]
    CannotClose {
        /// The worst joint.
        joint: String,
        /// When.
        time: f64,
        /// The remaining error [m or rad, or their rates].
        error: f64,
        /// Rounds spent.
        rounds: u32,
        /// Advice, if the step is too long for the motion.
        too_long: Option<TooLong>,
        /// The rank margin: relative norm of the row nearest to dependent, after the rows it depends on are projected out; 1 if
        /// unknown.
        left: f64,
    },
    /// An integrator that cannot use joint coordinates.
    #[error(
        "the integrator `{}` cannot carry joint coordinates; use another one, or the coordinates of the bodies",
        integrator.name()
    )]
    NotForJoints {
        /// Which integrator.
        integrator: crate::step::Integrator,
    },
    /// [`Integrator::Rattle`](super::Integrator::Rattle) and a non-holonomic constraint.
    #[error(
        "joint `{joint}` holds velocities only (rolling, a knife edge, a gear): `rattle` finds its forces from where a step ends and cannot \
         hold it; use rk4 or dopri5"
    )]
    VelocityOnly {
        /// Which joint.
        joint: String,
    },
    /// The iteration for velocity-dependent forces did not converge at the end of a step of [`Integrator::Rattle`](super::Integrator::Rattle).
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
    /// A solver that does not support this model with these settings.
    #[error(
        "the tree solver was asked for, but `{joint}` closes a loop or holds three or more bodies, and loops are closed along the \
         tree only between bodies of one space, without user constraints and without Baumgarte feedback; use `auto` or `sparse`"
    )]
    NotATree {
        /// A joint or constraint that is not in the tree.
        joint: String,
    },
}

/// A step in which a body rotates too far for any integrator.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TooLong {
    /// The step \[s\].
    pub h: f64,
    /// Rotation of the fastest body in the step, from its initial velocity or acceleration \[rad\].
    pub turn: f64,
    /// A step that is short enough \[s\].
    pub advised: f64,
}

/// A possible cause, as text.
fn question(too_long: Option<TooLong>) -> String {
    match too_long {
        None => "is the step too large, or does the pose not fit the joints?".into(),
        Some(TooLong { h, turn, advised }) => format!(
            "the step is too large for the motion: in {h:e} s a body turns by {turn:.1} rad; try a step of {advised:e} s"
        ),
    }
}

/// Rank margins up to this are near a singular pose, such as a flat linkage.
const SPECIAL: f64 = 0.03;

/// The least power of ten that a geometry tolerance of at least `wanted` may be.
pub(crate) fn offered_tolerance(wanted: f64) -> f64 {
    let all = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4];
    all.into_iter().find(|tolerance| *tolerance >= wanted).unwrap_or(crate::step::Settings::LOOSEST_GEOMETRY)
}

/// Advice about nearly redundant rows.
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
        // In other poses the margin may be larger.
        offered_tolerance(10.0 * left)
    )
}

/// The joints that another depends on, as text.
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

/// The error of a solver, with names of the model.
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

/// The error for entry `i` of a vector of velocities that is not finite.
pub(crate) fn not_finite(model: &Model, i: usize, time: f64, stage: Stage) -> StepError {
    let body = model.bodies.partition_point(|b| b.v_at as usize <= i) - 1;
    StepError::NotFinite { body: model.bodies[body].name.clone(), time, stage }
}

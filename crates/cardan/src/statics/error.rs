//! What can go wrong. The simulation stays as it was in every case.

use crate::math::Vec3;
use crate::step::StepError;

/// An inverse problem without an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticsError {
    /// The pose cannot be closed, or a force or joint is not finite there.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What rests by friction has no one pose of rest.
    #[error(
        "contacts between shapes have no part in equilibria, modes and reach; leave them out, or run the scene until it rests"
    )]
    Contacts,
    /// The pose violates a limit or another inequality, and cannot be brought back with all joints
    /// closed.
    #[error("the pose is beyond what `{inequality}` allows, and no closed pose near it is within")]
    Beyond {
        /// Its name, that of the joint for a limit.
        inequality: String,
    },
    /// More unknowns than a dense method should take.
    #[error(
        "{coordinates} coordinates are too many: equilibria, modes and reach are found with dense matrices, for up to {most}"
    )]
    TooLarge {
        /// Coordinates of all bodies.
        coordinates: usize,
        /// The most that are taken.
        most: usize,
    },
    /// A constraint whose force does work: there is no energy that goes down along closed poses.
    #[error(
        "constraint `{constraint}` is held by a force elsewhere, which does work: equilibria, modes and reach are not defined by an energy"
    )]
    ForceElsewhere {
        /// Which constraint.
        constraint: String,
    },
    /// The energy has no end.
    #[error(
        "there is no equilibrium: body `{body}` has gone {moved:.3e} m along {} and a force of {force:.3e} N still drives it; what \
         should hold it?", direction(*along)
    )]
    FallsForEver {
        /// The body that went farthest.
        body: String,
        /// How far \[m\].
        moved: f64,
        /// Which way, a unit vector.
        along: Vec3,
        /// The force that the mechanism follows \[N\].
        force: f64,
    },
    /// The search came to no rest.
    #[error(
        "no equilibrium was found near this pose: after {iterations} iterations body `{body}` is still driven by {force:.3e} N (or N·m \
         by the size of the mechanism), {residual:.1e} of the forces at work; is there a torque that nothing holds?"
    )]
    NotSettled {
        /// The body that is driven most.
        body: String,
        /// The force that the mechanism follows \[N\].
        force: f64,
        /// The same over the largest force.
        residual: f64,
        /// Iterations spent.
        iterations: u32,
    },
    /// Modes were asked for where the mechanism does not rest.
    #[error(
        "this pose is no equilibrium: body `{body}` is driven by {force:.3e} N (or N·m by the size of the mechanism), {residual:.1e} of \
         the forces at work; modes belong to a pose of rest"
    )]
    NotAtRest {
        /// The body that is driven most.
        body: String,
        /// The force that the mechanism follows \[N\].
        force: f64,
        /// The same over the largest force.
        residual: f64,
    },
    /// A goal that is not finite, or a body that does not exist.
    #[error("{what}")]
    BadGoal {
        /// What is wrong, in words.
        what: String,
    },
    /// Forces or their derivatives beyond the finite numbers.
    #[error(
        "the forces or the stiffness at this pose are not finite numbers; is a load far too large, or does a force have no derivative \
         here?"
    )]
    StiffnessNotFinite,
}

fn direction(v: Vec3) -> String {
    // Rounding has no direction.
    let tidy = |x: f64| if x.abs() < 1e-6 { 0.0 } else { x };
    format!("({:.3}, {:.3}, {:.3})", tidy(v.x), tidy(v.y), tidy(v.z))
}

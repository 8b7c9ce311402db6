//! Errors of statics. The simulation is unchanged in every case.

use crate::math::Vec3;
use crate::step::StepError;

/// Why an equilibrium, modes or a reach were not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticsError {
    /// The pose cannot be closed, or a force or joint is not finite there.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An equilibrium with friction is not a single pose.
    #[error(
        "contacts between shapes have no part in equilibria, modes and reach; leave them out, or run the scene until it rests"
    )]
    Contacts,
    /// The pose violates a limit or another inequality, and cannot be corrected with all joints
    /// closed.
    #[error("the pose is beyond what `{inequality}` allows, and no closed pose near it is within")]
    Beyond {
        /// Name of the inequality; of the joint for a limit.
        inequality: String,
    },
    /// Too many unknowns for dense matrices.
    #[error(
        "{coordinates} coordinates are too many: equilibria, modes and reach are found with dense matrices, for up to {most}"
    )]
    TooLarge {
        /// Coordinates of all bodies.
        coordinates: usize,
        /// The largest number of coordinates.
        most: usize,
    },
    /// A constraint whose force does work: no energy decreases along closed poses.
    #[error(
        "constraint `{constraint}` is held by a force elsewhere, which does work: equilibria, modes and reach are not defined by an energy"
    )]
    ForceElsewhere {
        /// Name of the constraint.
        constraint: String,
    },
    /// The energy has no minimum.
    #[error(
        "there is no equilibrium: body `{body}` has gone {moved:.3e} m along {} and a force of {force:.3e} N still drives it; what \
         should hold it?", direction(*along)
    )]
    FallsForEver {
        /// The body that moved farthest.
        body: String,
        /// How far it moved \[m\].
        moved: f64,
        /// The direction, a unit vector.
        along: Vec3,
        /// The remaining force along the freedoms \[N\].
        force: f64,
    },
    /// The search did not converge.
    #[error(
        "no equilibrium was found near this pose: after {iterations} iterations body `{body}` is still driven by {force:.3e} N (or N·m \
         by the size of the mechanism), {residual:.1e} of the forces at work; is there a torque that nothing holds?"
    )]
    NotSettled {
        /// The body with the largest unbalanced force.
        body: String,
        /// The remaining force along the freedoms \[N\].
        force: f64,
        /// The remaining force relative to the largest force.
        residual: f64,
        /// Iterations spent.
        iterations: u32,
    },
    /// Modes were asked for in a pose that is not an equilibrium.
    #[error(
        "this pose is no equilibrium: body `{body}` is driven by {force:.3e} N (or N·m by the size of the mechanism), {residual:.1e} of \
         the forces at work; modes belong to a pose of rest"
    )]
    NotAtRest {
        /// The body with the largest unbalanced force.
        body: String,
        /// The remaining force along the freedoms \[N\].
        force: f64,
        /// The remaining force relative to the largest force.
        residual: f64,
    },
    /// A goal that is not finite, or a body that does not exist.
    #[error("{what}")]
    BadGoal {
        /// What is wrong, in words.
        what: String,
    },
    /// Forces or their derivatives are not finite.
    #[error(
        "the forces or the stiffness at this pose are not finite numbers; is a load far too large, or does a force have no derivative \
         here?"
    )]
    StiffnessNotFinite,
}

fn direction(v: Vec3) -> String {
    // Components of rounding are shown as zero.
    let tidy = |x: f64| if x.abs() < 1e-6 { 0.0 } else { x };
    format!("({:.3}, {:.3}, {:.3})", tidy(v.x), tidy(v.y), tidy(v.z))
}

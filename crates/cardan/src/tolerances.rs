//! Thresholds that several files share, each with its reason. A threshold of one file alone is defined there.
//!
//! Rounding is measured in units of ε = 2⁻⁵² ≈ 2.2e-16, beside the sizes of the terms that formed a number. A test of a
//! mechanism in SI units compares ratios, so that millimetres and kilometres are judged alike.

// Residuals of solves.

/// Relative residual of the equations of motion up to which a solve needs no refinement. Elimination of some hundred rows
/// leaves 1e-14 to 1e-13; a wrong row or a lost pivot leaves 1e-8 or more.
pub(crate) const CERTIFIED: f64 = 1e-12;
/// Relative residual up to which a solve in SIMD lanes is accepted. Half of [`CERTIFIED`]: lanes sum the residual in
/// another order, and near the bound the scalar solve decides, so that the outcome does not depend on the lanes.
pub(crate) const CERTIFIED_IN_LANES: f64 = 5e-13;
/// Relative residual up to which a solve is accepted where its certificate is formed from terms of another size than the
/// scalar solve's, and up to which an elimination of rows is not refined: what elimination leaves by itself.
pub(crate) const CERTIFIED_BY_ELIMINATION: f64 = 1e-13;

// Dependent rows.

/// Relative disagreement of a dropped row with the solution from which on the rank plan is out of date: ten times what
/// rounding leaves in a row that is redundant.
pub(crate) const PLAN_DISAGREES: f64 = 1e-12;
/// Pivot of a loop-closure row, relative to its diagonal, below which the rank plan is out of date. It is the square of a
/// sine: the row has 1e-4 of its length left, so that the solution has lost four of sixteen digits.
pub(crate) const SMALL_PIVOT: f64 = 1e-8;
/// Relative disagreement of a redundant row with the accelerations from which on the constraints contradict each other.
/// Rounding leaves 1e-12; a contradiction in the model is of the order of one.
pub(crate) const CONFLICTS: f64 = 1e-8;
/// Relative error of a redundant row, while joints are closed, from which on they cannot all be closed. Rounding of the
/// corrections leaves far less in a row that agrees with the others.
pub(crate) const CONFLICTS_WHEN_CLOSING: f64 = 1e-6;
/// Largest tolerance of rank decisions in an assembly, whatever the gaps: beyond it rows that differ by a third of a
/// degree would count as dependent.
pub(crate) const LOOSEST_IN_ASSEMBLY: f64 = 1e-2;
/// Remainders of rows between rounding and this are a misalignment of the model, not geometry that was meant: 0.01 mm
/// in a metre.
pub(crate) const MISALIGNED: f64 = 1e-5;

// Constraint errors.

/// Constraint error, beside the sizes of the terms that form it, that counts as zero.
pub(crate) const ZERO_ERROR: f64 = 4.0 * f64::EPSILON;
/// Constraint errors of up to this many [`ZERO_ERROR`]s may be noise: they are corrected as long as that helps, and are
/// never worth a fresh factorisation. If they were not corrected at all they would keep one sign for thousands of steps,
/// the joint's force would do work on them, and a pendulum near its top would show it in the tenth digit.
pub(crate) const NOISE: f64 = 8.0;
/// Constraint error, beside the sizes of the terms that form it, up to which a row counts as closed in a diagnosis. Newton
/// leaves rounding where a row can be closed, and 1e-6 or more where it cannot.
pub(crate) const CLOSED: f64 = 1e-9;

// Time.

/// ω h beyond which a step is divided: half of where RK4 becomes unstable on the imaginary axis (2.8).
pub(crate) const TOO_FAST: f64 = 1.4;
/// Time left, beside the end time, that is only rounding of the end time.
pub(crate) const NO_TIME: f64 = 4.0 * f64::EPSILON;
/// The last step of a run may be longer by this part, so that no sliver of a step is left.
pub(crate) const STRETCHED_STEP: f64 = 1e-6;
/// Times that differ by no more than this, beside one second and themselves, are the same time: more than a sum of a
/// million steps rounds by, less than any step.
pub(crate) const SAME_TIME: f64 = 1e-9;

// Contact.

/// Gap up to which an inequality that does not open is active \[m, rad\]: far above the rounding of a gap in a scene of
/// a hundred metres, far below what can be seen or measured.
pub(crate) const CONTACT_GAP: f64 = 1e-9;

// Geometry.

/// Components of a unit vector up to this are zero: axes count as parallel, perpendicular or of unit length. Products of
/// rotations round by 1e-15; axes that are typed with nine decimals pass.
pub(crate) const ALIGNED: f64 = 1e-9;
/// Directions whose cross product is shorter than this are drawn as parallel.
pub(crate) const DRAWN_PARALLEL: f64 = 1e-6;
/// The largest principal moment of inertia may exceed the sum of the others by this part: moments typed with six digits
/// belong to a physical body.
pub(crate) const TRIANGLE_RULE: f64 = 1e-6;

// Newton searches for nearest points.

/// Newton steps below this part of the bracket that no longer halve are rounding: convergence is quadratic before.
pub(crate) const NEWTON_STALLS: f64 = 1e-7;
/// Determinant of a Hessian, beside its diagonal, above which it counts as positive definite: half of the digits are left.
pub(crate) const NEWTON_CONVEX: f64 = 1e-8;
/// Newton steps below this are taken even if the distance does not fall: the distance is flat there, its change of 1e-12
/// is near its rounding, and the slope is still exact.
pub(crate) const NEWTON_CERTAIN: f64 = 1e-6;

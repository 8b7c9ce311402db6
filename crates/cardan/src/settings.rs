//! Settings of a run: integrator, stabilisation, solver, contact rules.

use crate::model::Model;
use crate::step_error::StepError;

/// The time integration rule.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Integrator {
    /// Explicit Euler: first order; for study.
    ExplicitEuler,
    /// Semi-implicit Euler: first order, symplectic for free motion; the cheapest rule.
    SemiImplicitEuler,
    /// Runge–Kutta of fourth order, on the manifold of orientations.
    Rk4,
    /// Dormand–Prince of order 5 with an error estimate of order 4, which sets the step ([`ErrorControl`]).
    Dopri5,
    /// RATTLE: second order, symmetric; the energy error stays bounded over any number of steps. It closes the joints
    /// itself; the setting `stabilization` has no effect.
    Rattle,
    /// Time stepping (Moreau; Stewart and Trinkle): velocities and contact impulses from one complementarity problem per step.
    /// First order; for many contacts.
    TimeStepping,
    /// f = m v: forces give velocities, not accelerations. Velocities are solved for at every pose, and poses follow them with
    /// fourth order (first order with limits, contacts or dry friction). A body without forces does not move. For dragging and
    /// inverse kinematics, not for dynamics: the velocities of a state are ignored, and forces that depend on velocity (dashpots,
    /// viscous friction) are absent.
    FirstOrder,
    /// `TimeStepping` for models that may rest on many points of contact, `Rk4` for all others, where a step with too many
    /// events is handed over to time stepping. A simulation chooses when it is made ([`Settings::resolved`]).
    #[default]
    Auto,
}

/// The order in which simultaneous impacts are resolved: several inequalities are reached at once, or one while others are
/// in contact.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Impacts {
    /// In rounds: all contacts that approach are resolved together; those that approach as a result are resolved in the next
    /// round. Impulses propagate through the mechanism.
    #[default]
    Propagating,
    /// One contact at a time, in the order of the model.
    Sequential,
    /// All contacts with a closed gap together.
    Simultaneous,
}

/// Definition of the coefficient of restitution e.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RestitutionLaw {
    /// By velocities: ġ⁺ = −e ġ⁻.
    #[default]
    Newton,
    /// By impulses: the expansion has e times the impulse of the compression, with friction in both phases.
    Poisson,
}

/// Treatment of bodies that overlap at the start.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Overlaps {
    /// The first step fails with an error that names them.
    #[default]
    Refuse,
    /// They are separated until their gaps are zero, by the motion of least ½ Δxᵀ M Δx that the joints allow.
    Resolve,
}

/// An active-set rule of the paper "Inequality constraints with Lagrange multipliers" (GRAPP 2007): it decides which
/// inequalities are handled as equalities.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StudyRule {
    /// Algorithm 1 (Platt 1992): after a step, handled inequalities with λ ≤ 0 are released and violated ones are handled.
    Platt,
    /// Algorithm 2: inequalities that are about to be violated are handled in the next step.
    PlattImproved,
    /// Algorithm 3: starting from the empty set, inequalities that are about to be violated are added until there are none;
    /// none is removed.
    InsertOnly,
}

/// A historical active-set rule instead of the exact complementarity solution, to study its errors. It applies to declared
/// inequalities and limits and ignores contacts; there is no event location and no rebound. For integrators with a fixed step.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InequalityStudy {
    /// The rule.
    pub rule: StudyRule,
    /// 1/τ \[1/s\]: handled inequalities follow g̈ = −2 ġ/τ − g/τ².
    pub rate: f64,
}

impl Integrator {
    /// Its name in scenes and reports.
    pub fn name(self) -> &'static str {
        match self {
            Integrator::ExplicitEuler => "explicit-euler",
            Integrator::SemiImplicitEuler => "semi-implicit-euler",
            Integrator::Rk4 => "rk4",
            Integrator::Dopri5 => "dopri5",
            Integrator::Rattle => "rattle",
            Integrator::TimeStepping => "time-stepping",
            Integrator::FirstOrder => "first-order",
            Integrator::Auto => "auto",
        }
    }
    /// Whether an error estimate sets the step size.
    pub fn is_adaptive(self) -> bool {
        self == Integrator::Dopri5
    }
}

/// Tolerated error of one step of an adaptive integrator: absolute + relative × size, per body.
///
/// The size of a position is the extent of the mechanism, that of an angle 1 rad, that of a velocity or angular velocity the
/// largest in the mechanism at the time.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ErrorControl {
    /// Relative tolerance, from [`ErrorControl::LEAST`] to 0.1.
    pub relative: f64,
    /// Absolute tolerance [m, rad, m/s, rad/s], larger than zero.
    pub absolute: f64,
    /// The longest step \[s\].
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub max_step: f64,
}

impl Default for ErrorControl {
    fn default() -> Self {
        ErrorControl { relative: 1e-8, absolute: 1e-10, max_step: f64::INFINITY }
    }
}

impl ErrorControl {
    /// The smallest relative tolerance; below it errors are rounding.
    pub const LEAST: f64 = 1e-14;

    /// Relative and absolute tolerance both equal to `tolerance`.
    pub fn of(tolerance: f64) -> Self {
        ErrorControl { relative: tolerance, absolute: tolerance, ..ErrorControl::default() }
    }

    pub(crate) fn check(&self) -> Result<(), StepError> {
        let relative = self.relative >= Self::LEAST && self.relative <= 0.1;
        let absolute = self.absolute > 0.0 && self.absolute.is_finite();
        if relative && absolute && self.max_step > 0.0 {
            return Ok(());
        }
        Err(StepError::BadTolerance { control: *self })
    }
}

/// How constraint drift is kept small.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stabilization {
    /// Positions and velocities are projected onto the joints after every step.
    #[default]
    Projection,
    /// Feedback in the right-hand side: C̈ = −2 α Ċ − β² C.
    Baumgarte {
        /// α, in 1/s.
        alpha: f64,
        /// β, in 1/s; equal to α: critically damped.
        beta: f64,
    },
    /// None: constraint errors grow with the error of the integrator.
    None,
}

impl Stabilization {
    /// Critically damped feedback for steps of `h` \[s\]: errors decay within about ten steps.
    pub fn baumgarte(h: f64) -> Self {
        let rate = 0.1 / h;
        Stabilization::Baumgarte { alpha: rate, beta: rate }
    }
}

/// Which solver is used for the linear system of accelerations and multipliers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolverChoice {
    /// The articulated path if the mechanism allows it, loops included, and is not predicted to cost more than the sparse solver.
    /// Otherwise the tree solver for mechanisms without loops and the sparse solver for all others; constraints on three or
    /// more bodies, or whose force acts elsewhere, are auxiliary rows.
    #[default]
    Auto,
    /// The articulated path if the mechanism allows it, loops included, whatever its predicted cost. Otherwise the tree solver
    /// (linear time), which requires that the joints form no loops; auxiliary rows do not count as joints here.
    Tree,
    /// Block-sparse factorisation, for any mechanism; linear time if loops are local.
    Sparse,
    /// Conjugate gradients on J M⁻¹ Jᵀ (Witkin 1997), for any mechanism; the certificate states the residual.
    ConjugateGradient,
    /// Dense factorisation in cubic time, for any mechanism; the reference for the other solvers.
    Dense,
}

/// How joints of rigid trees are eliminated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Elimination {
    /// By joint freedoms (articulated-body algorithm), for joints with fewer freedoms than rows.
    #[default]
    Freedoms,
    /// By constraint rows, for all joints.
    Rows,
}

/// Which coordinates are integrated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Coordinates {
    /// The pose of every body; projection closes the joints after each step.
    #[default]
    Bodies,
    /// The coordinates of the tree joints. Poses follow from them, so these joints stay closed exactly.
    Joints,
    /// Those of the joints for trees of rigid bodies on lower pairs (revolute, prismatic, spherical and so on) without loops
    /// or constraints, with an integrator that can integrate them; poses otherwise. Contact and dry friction need poses, but
    /// for the integrator `time-stepping`. A simulation chooses when it is made, and its settings then say which.
    Auto,
}

impl Integrator {
    /// Whether the integrator uses only accelerations at a state, so that it can integrate joint coordinates.
    pub(crate) const fn carries_joints(self) -> bool {
        match self {
            Integrator::ExplicitEuler
            | Integrator::SemiImplicitEuler
            | Integrator::Rk4
            | Integrator::Dopri5
            | Integrator::TimeStepping
            | Integrator::Auto => true,
            // It uses momenta of the bodies and closes the joints itself.
            Integrator::Rattle => false,
            // Its velocities are those of the bodies.
            Integrator::FirstOrder => false,
        }
    }
}

/// When the accounts of a run are taken: the certificate (constraint errors, residual of the equations of motion), energy, momentum and their balances.
///
/// States do not depend on it: the bits of a trajectory are the same with every choice. The ledger (work, heat, impulse of the world) is kept in every
/// step, so that energy and momentum, read at any instant, balance exactly. What is not taken in a step is measured when it is read.
///
/// Control loops that read states alone should choose [`Accounts::Off`].
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Accounts {
    /// After every step: the certificate is the worst of the whole run.
    #[default]
    EveryStep,
    /// At the instants that are recorded: where [`Simulation::certify_now`](crate::Simulation::certify_now) is called. `cardan run` calls it at every row of
    /// its table.
    Recorded,
    /// At the end of [`Simulation::run`](crate::Simulation::run), and where [`Simulation::certify_now`](crate::Simulation::certify_now) is called.
    End,
    /// Only where [`Simulation::certify_now`](crate::Simulation::certify_now) is called.
    Off,
}

impl Accounts {
    /// Whether every step takes them.
    pub fn is_every_step(self) -> bool {
        self == Accounts::EveryStep
    }
}

/// A fault planted in the equations, so that tests can show that they detect it.
#[doc(hidden)]
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// No fault.
    #[default]
    None,
    /// J̇v with the wrong sign.
    FlippedBias,
    /// −ω × Iω left out.
    NoGyroscopic,
    /// The rows on a are larger by 1e-6 (relative) than the opposites of the rows on b.
    LopsidedRow,
}

/// Where in a step of semi-implicit Euler or time stepping the springs, dampers, servos, motors and friction of revolute and
/// prismatic joints of the spanning tree are taken. Other integrators take them where their stages are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum EffortRule {
    /// At its end (linearly implicit): damping always, the stiffness of servos, and that of springs where ω h > ½. A stiff
    /// joint then needs no short step.
    #[default]
    Implicit,
    /// At its start. A step that is too long for the damping or stiffness of a joint is refused.
    Explicit,
}

/// Settings of a run: integrator, stabilisation, solver, coordinates, contact rules and accounts.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The time integration rule.
    pub integrator: Integrator,
    /// What [`Integrator::Auto`] has chosen: see [`Settings::is_chosen`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub chosen: Option<Integrator>,
    /// Tolerances of an adaptive integrator; ignored by the others.
    pub control: ErrorControl,
    /// How constraint drift is kept small.
    pub stabilization: Stabilization,
    /// Which solver is used for the linear system.
    pub solver: SolverChoice,
    /// How joints of rigid trees are eliminated.
    pub elimination: Elimination,
    /// Which coordinates are integrated.
    pub coordinates: Coordinates,
    /// Rank tolerance of loop-closure rows, relative to the terms of a row. A row whose independent part is smaller counts as
    /// redundant and is dropped. 0, the default, means 1e-9, the rounding of geometry.
    ///
    /// A four-bar with axes misaligned by 3e-7 rad is a rigid structure; with a tolerance of 1e-6 it is a four-bar again.
    /// Dropped rows have errors of about the misalignment, which the position error of every report includes. For the
    /// articulated path only (`SolverChoice::Auto` or `Tree` on a mechanism that allows it).
    pub geometry_tolerance: f64,
    /// Where in a step of semi-implicit Euler or time stepping the efforts of joints are taken.
    pub efforts: EffortRule,
    /// The order in which simultaneous impacts are resolved.
    pub impacts: Impacts,
    /// Definition of restitution; `TimeStepping` supports Newton's only.
    pub restitution_law: RestitutionLaw,
    /// Speed of approach below which restitution is zero [m/s, rad/s].
    #[cfg_attr(feature = "serde", serde(alias = "rest_speed"))]
    pub restitution_threshold: f64,
    /// Treatment of bodies that overlap at the start.
    pub overlaps: Overlaps,
    /// A historical active-set rule instead of the exact solution, for study.
    pub inequality_study: Option<InequalityStudy>,
    /// When certificate, energy and momentum are taken.
    #[cfg_attr(feature = "serde", serde(default))]
    pub accounts: Accounts,
    /// A fault to plant, for tests of the tests.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub fault: Fault,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            integrator: Integrator::default(),
            chosen: None,
            control: ErrorControl::default(),
            stabilization: Stabilization::default(),
            solver: SolverChoice::default(),
            elimination: Elimination::default(),
            coordinates: Coordinates::default(),
            geometry_tolerance: 0.0,
            efforts: EffortRule::default(),
            impacts: Impacts::default(),
            restitution_law: RestitutionLaw::default(),
            restitution_threshold: 1e-6,
            overlaps: Overlaps::default(),
            inequality_study: None,
            accounts: Accounts::default(),
            fault: Fault::None,
        }
    }
}

/// Points on which bodies may rest with smooth steps and events, at most.
const MOST_SMOOTH_POINTS: usize = 7;

impl Settings {
    /// The largest allowed geometry tolerance; a larger one would change the mechanism.
    pub const LOOSEST_GEOMETRY: f64 = 1e-3;

    pub(crate) fn check_geometry(&self) -> Result<(), StepError> {
        let tolerance = self.geometry_tolerance;
        if (0.0..=Self::LOOSEST_GEOMETRY).contains(&tolerance) {
            return Ok(());
        }
        Err(StepError::BadGeometryTolerance { tolerance })
    }

    /// These settings with the integrator that [`Integrator::Auto`] and the coordinates that [`Coordinates::Auto`] mean for a
    /// model.
    ///
    /// Time stepping is chosen where bodies may rest on more than 7 points without rebound: a body with a box, a hull, a mesh
    /// or a terrain counts for four (in the plane two), one with a capsule or a cylinder for two, one with a sphere for one,
    /// and bodies that can touch nothing, or rebound, for none (of more than 1000 shapes all count). It needs projection,
    /// Newton's law of restitution, the usual order of impacts, and bodies without generalised coordinates.
    #[must_use]
    pub fn resolved(self, model: &Model) -> Self {
        match self.integrator {
            Integrator::Auto => {
                let takes_impulses =
                    self.can_take_impulses(model) && model.resting_points() > MOST_SMOOTH_POINTS;
                let integrator = if takes_impulses { Integrator::TimeStepping } else { Integrator::Rk4 };
                Settings { integrator, chosen: Some(integrator), ..self }.with_coordinates(model)
            }
            _ => self.with_coordinates(model),
        }
    }

    /// Whether [`Integrator::Auto`] has chosen the integrator. At its 60th event, or after 1000 cuts by continuous collision
    /// detection, RK4 then hands the rest of a step over to time stepping.
    pub fn is_chosen(&self) -> bool {
        self.chosen == Some(self.integrator)
    }

    /// Whether time stepping has what these settings ask for.
    pub(crate) fn can_take_impulses(&self, model: &Model) -> bool {
        self.stabilization == Stabilization::Projection
            && self.impacts == Impacts::default()
            && self.inequality_study.is_none()
            && model.first_general().is_none()
    }

    /// These settings with the coordinates that [`Coordinates::Auto`] means for a model.
    fn with_coordinates(self, model: &Model) -> Self {
        match self.coordinates {
            Coordinates::Auto
                if self.integrator.carries_joints() && model.suits_joint_coordinates(self.integrator) =>
            {
                Settings { coordinates: Coordinates::Joints, ..self }
            }
            Coordinates::Auto => Settings { coordinates: Coordinates::Bodies, ..self },
            Coordinates::Bodies | Coordinates::Joints => self,
        }
    }

    /// These settings for a solve whose residual is always measured.
    pub(crate) fn certified(&self) -> Self {
        Settings { accounts: Accounts::EveryStep, ..*self }
    }

    /// Whether every step ends with closed joints.
    pub(crate) fn projects(&self) -> bool {
        self.stabilization == Stabilization::Projection || self.integrator == Integrator::Rattle
    }
}

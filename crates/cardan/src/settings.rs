//! How to step.

use crate::step_error::StepError;

/// The rule that carries the state through time.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Integrator {
    /// First order; for study.
    ExplicitEuler,
    /// First order, symplectic for free motion; cheap and sturdy.
    SemiImplicitEuler,
    /// Fourth order, on the manifold of orientations.
    #[default]
    Rk4,
    /// Dormand–Prince of order 5 with an error estimate of order 4, which sets the step ([`ErrorControl`]).
    Dopri5,
    /// RATTLE: second order, symmetric; energy stays bounded over any number of steps. It closes the joints itself,
    /// whatever the stabilisation.
    Rattle,
    /// Velocities and contacts in one problem per step (Moreau; Stewart and Trinkle): of first order, for many contacts.
    TimeStepping,
    /// f = m v: forces give velocities, which are found anew at every pose, and poses follow them by a rule of fourth order. What is not
    /// pushed stands still. For dragging and for inverse kinematics, not for dynamics: velocities of a state are ignored, what
    /// depends on velocity (dashpots, viscous friction) is absent. With limits, contacts or dry friction steps are of first order.
    FirstOrder,
}

/// What happens where several inequalities are reached at once, or one of them while others touch.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Impacts {
    /// Those that approach are answered together, those that this makes approach in the next round: blows are passed on.
    #[default]
    Propagating,
    /// One at a time, in the order of the model.
    Sequential,
    /// All that touch together.
    Simultaneous,
}

/// What restitution e means.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RestitutionLaw {
    /// e of the speed of approach is left: ġ⁺ = −e ġ⁻.
    #[default]
    Newton,
    /// e of the impulse that stopped the approach is given back, with friction in both phases.
    Poisson,
}

/// What is done about bodies that overlap at the start.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Overlaps {
    /// The first step is an error with their names.
    #[default]
    Refuse,
    /// They are moved apart until they touch, by the motion of least ½ Δxᵀ M Δx that joints allow.
    Resolve,
}

/// A rule of the paper "Inequality constraints with Lagrange multipliers" (GRAPP 2007) that decides which inequalities are handled.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StudyRule {
    /// Its algorithm 1, Platt 1992: what is handled is let go after a step with λ ≤ 0, what is violated after a step is handled.
    Platt,
    /// Its algorithm 2: what tends to be violated is handled in the next step.
    PlattImproved,
    /// Its algorithm 3: from nothing, what tends to be violated is added until nothing does; nothing is ever taken away.
    InsertOnly,
}

/// One of the paper's rules in the place of the exact answer, to see what goes wrong. Declared inequalities and limits only, contacts are not looked at;
/// steps are not cut, nothing is rewound and nothing rebounds. For integrators with steps of one size.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InequalityStudy {
    /// The rule.
    pub rule: StudyRule,
    /// 1/τ, the speed of fulfilment: handled conditions follow g̈ = −2 ġ/τ − g/τ² \[1/s\].
    pub rate: f64,
}

impl Integrator {
    /// Whether the steps follow from the error.
    pub fn is_adaptive(self) -> bool {
        self == Integrator::Dopri5
    }
}

/// What an adaptive integrator may be off by in one step: absolute + relative × size, per body.
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
    /// The least relative tolerance: below it there is only rounding.
    pub const LEAST: f64 = 1e-14;

    /// Both tolerances the same.
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

/// What is done against drift.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stabilization {
    /// Positions and velocities are projected onto the joints after every step.
    #[default]
    Projection,
    /// Feedback in the right side: C̈ = −2 α Ċ − β² C.
    Baumgarte {
        /// α, in 1/s.
        alpha: f64,
        /// β, in 1/s; equal to α: critically damped.
        beta: f64,
    },
    /// Nothing: errors grow as the integrator makes them.
    None,
}

impl Stabilization {
    /// Critically damped feedback that suits steps of `h`: errors fade in about ten steps.
    pub fn baumgarte(h: f64) -> Self {
        let rate = 0.1 / h;
        Stabilization::Baumgarte { alpha: rate, beta: rate }
    }
}

/// Which solver answers the linear system.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolverChoice {
    /// The tree if the joints form one, else the sparse solver; constraints on three or more bodies, or with forces elsewhere,
    /// are anticipated on top.
    #[default]
    Auto,
    /// Linear time; only for mechanisms without loops, but what is solved apart does not count.
    Tree,
    /// Anything, also loops and nets, directly; linear time where loops are local.
    Sparse,
    /// Anything, by iteration on J M⁻¹ Jᵀ (Witkin 1997); as exact as the certificate says.
    ConjugateGradient,
    /// Cubic time; anything, the reference for the others.
    Dense,
}

/// How joints of rigid trees are eliminated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Elimination {
    /// By what they leave free, where that is less than what they hold: the articulated path.
    #[default]
    Freedoms,
    /// By their rows, always.
    Rows,
}

/// What the integrator carries through time.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Coordinates {
    /// The pose of every body; joints are closed again after each step.
    #[default]
    Bodies,
    /// The coordinates of the joints that make up the tree; poses follow from them, so that these joints cannot open.
    Joints,
}

impl Integrator {
    /// Whether the rule sees the mechanism only as accelerations at a state, so that it can carry joint coordinates too.
    pub(crate) const fn carries_joints(self) -> bool {
        match self {
            Integrator::ExplicitEuler
            | Integrator::SemiImplicitEuler
            | Integrator::Rk4
            | Integrator::Dopri5 => true,
            // It works with the momenta of the bodies, and closes their joints itself.
            Integrator::Rattle | Integrator::TimeStepping => false,
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

/// A mistake planted in the equations. It exists to prove that the tests can fail: a law that holds with a wrong
/// equation tests nothing.
#[doc(hidden)]
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// The equations as they are.
    #[default]
    None,
    /// J̇v with the wrong sign.
    FlippedBias,
    /// −ω × Iω left out.
    NoGyroscopic,
    /// The rows on a are larger by a millionth than the rows on b carried over.
    LopsidedRow,
}

/// Integrator, stabilisation, solver, coordinates and accounts.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The rule that carries the state through time.
    pub integrator: Integrator,
    /// Tolerances of an adaptive integrator; others do not look at it.
    pub control: ErrorControl,
    /// What is done against drift.
    pub stabilization: Stabilization,
    /// Which solver answers the linear system.
    pub solver: SolverChoice,
    /// How joints of rigid trees are eliminated.
    pub elimination: Elimination,
    /// What the integrator carries through time.
    pub coordinates: Coordinates,
    /// How well joints that close loops are made: what is left of a row, beside the terms that form it, when the rows it depends
    /// on are taken away, up to which it counts as one that repeats them. 0, the default, is rounding, 1e-9.
    ///
    /// A four-bar whose axes are out of true by 3e-7 rad is a structure; with 1e-6 here it is a four-bar again. Rows that are dropped
    /// so gape by about as much, which the position error of every report shows. For the articulated path only (`SolverChoice::Auto`
    /// or `Tree` on a mechanism that it can take).
    pub geometry_tolerance: f64,
    /// What happens where several inequalities are reached at once.
    pub impacts: Impacts,
    /// What restitution means; `TimeStepping` knows Newton's alone.
    pub restitution_law: RestitutionLaw,
    /// Below this speed of approach nothing rebounds [m/s, rad/s].
    pub rest_speed: f64,
    /// What is done about bodies that overlap at the start.
    pub overlaps: Overlaps,
    /// A rule to study in the place of the exact answer to inequalities.
    pub inequality_study: Option<InequalityStudy>,
    /// When certificate, energy and momentum are taken.
    #[cfg_attr(feature = "serde", serde(default))]
    pub accounts: Accounts,
    /// A mistake to plant, for tests of the tests.
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub fault: Fault,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            integrator: Integrator::default(),
            control: ErrorControl::default(),
            stabilization: Stabilization::default(),
            solver: SolverChoice::default(),
            elimination: Elimination::default(),
            coordinates: Coordinates::default(),
            geometry_tolerance: 0.0,
            impacts: Impacts::default(),
            restitution_law: RestitutionLaw::default(),
            rest_speed: 1e-6,
            overlaps: Overlaps::default(),
            inequality_study: None,
            accounts: Accounts::default(),
            fault: Fault::None,
        }
    }
}

impl Settings {
    /// The largest geometry tolerance; beyond it a mechanism is another one.
    pub const LOOSEST_GEOMETRY: f64 = 1e-3;

    pub(crate) fn check_geometry(&self) -> Result<(), StepError> {
        let tolerance = self.geometry_tolerance;
        if (0.0..=Self::LOOSEST_GEOMETRY).contains(&tolerance) {
            return Ok(());
        }
        Err(StepError::BadGeometryTolerance { tolerance })
    }

    /// These settings for a solve whose residual is always measured.
    pub(crate) fn certified(&self) -> Self {
        Settings { accounts: Accounts::EveryStep, ..*self }
    }

    /// Whether every step ends on the joints.
    pub(crate) fn projects(&self) -> bool {
        self.stabilization == Stabilization::Projection || self.integrator == Integrator::Rattle
    }
}

//! The parts of the workspace.

use crate::body::general::Motions;
use crate::body::{FrameMotion, Wrench};
use crate::joint::Relative;
use crate::law::Jet;
use crate::math::Six;
use crate::measure::coordinates::TurnCounters;
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::self_stress::SelfStressBasis;
use crate::step::articulated::state_residual::ResidualScratch;
use crate::step::contact::ContactSet;
use crate::step::dynamics::joint_coordinates::JointChart;
use crate::step::dynamics::joint_efforts::JointEfforts;
use crate::step::dynamics::lazy_rows::LazyRows;
use crate::step::integrate::dopri5::Dopri5Stages;
use crate::step::integrate::events::EventLocator;
use crate::step::integrate::rattle::RattleScratch;
use crate::step::integrate::time_stepping::rest::RestingStep;
use crate::step::kernel::level_accel::AccelKernel;
use crate::step::kernel::state_efforts::ActingEfforts;
use crate::step::kernel::subtree_lanes::StepKernel;
use cardan_solve::{Rank, Refiner, Solver, System};
use std::sync::{Mutex, OnceLock};

/// States and increments of the stages of a step.
#[derive(Debug)]
pub(crate) struct StageBuffers {
    /// Coordinates and velocities of the stage that is evaluated.
    pub(crate) stage: State,
    /// The state after the step.
    pub(crate) next: State,
    /// Displacement of the coordinates in velocity space, by which a stage or a projection moves them.
    pub(crate) shift: Vec<f64>,
    /// Change of the velocities that goes with `shift`.
    pub(crate) shift_rate: Vec<f64>,
    /// Weighted sum of the velocities of the stages.
    pub(crate) shift_sum: Vec<f64>,
    /// Weighted sum of the accelerations of the stages.
    pub(crate) acc_sum: Vec<f64>,
    /// Accelerations of the first three stages of the last step of RK4.
    pub(crate) stage_acc: [Vec<f64>; 3],
    /// The state without its velocities, for first-order motion.
    pub(crate) rest_state: Option<Box<State>>,
    /// Where a step began that is taken in parts; made when first needed.
    pub(crate) substep_origin: Option<Box<State>>,
}

/// Poses and velocities of bodies and joints at the stage.
#[derive(Debug)]
pub(crate) struct Kinematics {
    /// Poses and velocities of bodies in world axes, computed by `write_motions`.
    pub(crate) motions: Motions,
    /// Whether `motions` are those of the state that the last step led to.
    pub(crate) motions_are_current: bool,
    /// Whether the step kernel has counted the turns of `next`.
    pub(crate) turns_are_current: bool,
    /// Target of each drive with two derivatives, computed by `drive_targets`.
    pub(crate) targets: Vec<Jet>,
    /// Scratch for the integrals of laws.
    pub(crate) sums: Vec<[f64; 2]>,
    /// Pose and velocity of one end of a joint relative to the other, computed by `write_constraint_rows`.
    pub(crate) relatives: Vec<Relative>,
    /// Map between joint coordinates and poses, where joint coordinates are integrated.
    pub(crate) chart: Option<Box<JointChart>>,
    /// Which joints count their turns.
    pub(crate) turning: TurnCounters,
    /// Scratch of user constraints and forces.
    pub(crate) frames: Vec<FrameMotion>,
    pub(crate) wrenches: Vec<Wrench>,
    /// Scratch as long as the widest general body, or a plain one.
    pub(crate) pull: Vec<f64>,
}

/// What an evaluation has computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationExtent {
    /// Motions alone: nothing is solved.
    Motions,
    /// Motions, accelerations and joint loads, by a kernel: joints and gravity act, and efforts of joints.
    Accelerations,
    /// Also all forces and the residual of the equations.
    Equations,
}

/// M, F, J, c of the last evaluation, its constraint errors and its solution.
#[derive(Debug)]
pub(crate) struct Equations {
    /// M and F (computed by `accumulate_forces`), J and c (by `write_constraint_rows`); on the articulated path it is allocated
    /// when it is first written (`open_system`).
    pub(crate) system: System,
    /// Whether rows (errors, multipliers, relative poses, J and c) are those of the last evaluation; after the articulated
    /// path they are written when they are read (`lazy_rows.rs`).
    pub(crate) has_rows: bool,
    pub(crate) lazy_rows: OnceLock<Box<LazyRows>>,
    /// Memory of earlier `lazy_rows`, to be used again.
    pub(crate) spare_rows: Mutex<Option<Box<LazyRows>>>,
    pub(crate) lazy_system: OnceLock<Box<System>>,
    pub(crate) lazy_residual: OnceLock<f64>,
    pub(crate) residual_scratch: Mutex<ResidualScratch>,
    /// How much of the last evaluation was computed; the rest follows when it is read.
    pub(crate) extent: EvaluationExtent,
    /// Number of rows.
    pub(super) rows: usize,
    /// Constraint error C, one per row, computed by `write_constraint_rows`; its rate, and the sizes of the terms of both.
    pub(crate) err: Vec<f64>,
    pub(crate) err_rate: Vec<f64>,
    pub(crate) err_scale: Vec<f64>,
    pub(crate) err_rate_scale: Vec<f64>,
    pub(crate) time_rate: Vec<f64>,
    /// Accelerations, multipliers and relative residual, computed by `multipliers`.
    pub(crate) acc: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    pub(crate) equation_residual: f64,
    /// Scratch of multipliers.
    pub(crate) sizes: Vec<f64>,
    pub(crate) zero_force: Vec<f64>,
    pub(crate) row_rhs: Vec<f64>,
    pub(crate) row_solution: Vec<f64>,
    /// Self-stresses of redundant rows, computed after the articulated path.
    pub(crate) stresses: SelfStressBasis,
    pub(crate) pushes: Vec<Six>,
}

/// The solver, and which rows it leaves out.
#[derive(Debug)]
pub(crate) struct Solvers {
    /// The articulated path; if there is none, `solver` is used.
    pub(crate) articulated: Option<ArticulatedSystem>,
    /// Joint efforts that semi-implicit Euler steps take at their end.
    pub(crate) joint_efforts: Option<Box<JointEfforts>>,
    pub(crate) solver: Option<Solver>,
    pub(crate) refiner: Option<Refiner>,
    /// Which rows (of loop-closure joints, on the articulated path) are kept in this step; copied into the new state.
    pub(crate) plan: Vec<u8>,
    /// Rows that `solver` leaves out, by the plan, and the rank tolerance it was decided with.
    pub(crate) idle: Vec<bool>,
    pub(crate) tolerance: f64,
    /// Finds redundant rows; made when first needed.
    pub(crate) geometry: Option<Box<Rank>>,
    /// Scratch of the plan: dependencies of rows.
    pub(crate) circuits: Vec<f64>,
    /// A length of the mechanism, beside which angles are judged [m].
    pub(crate) length: f64,
}

/// Inequalities, events and impulses.
#[derive(Debug)]
pub(crate) struct ContactWork {
    /// The active set of inequalities and contacts, and scratch; `None` if the model has none.
    pub(crate) contacts: Option<Box<ContactSet>>,
    /// Scratch of event location, made when first needed, and the event log.
    pub(crate) events: Option<Box<EventLocator>>,
    /// Records of applied impulses since they were last read.
    pub(crate) impulse_records: Vec<crate::impulse::ImpulseRecord>,
}

/// Data that integrators keep from step to step.
#[derive(Debug)]
pub(crate) struct IntegratorWork {
    /// Whole steps in SIMD lanes, where a layout fits.
    pub(crate) step_kernel: Option<Box<dyn StepKernel>>,
    /// Accelerations of a level of the tree in SIMD lanes, where enough bodies fit; decided when accelerations alone are first
    /// asked for.
    pub(crate) accel_kernel: Option<Option<Box<dyn AccelKernel>>>,
    /// What acts besides gravity, for acceleration kernels; decided when accelerations alone are first asked for.
    pub(crate) acting_efforts: Option<ActingEfforts>,
    /// Scratch of integrators, made when first needed.
    pub(crate) dopri5: Option<Box<Dopri5Stages>>,
    pub(crate) rattle: Option<Box<RattleScratch>>,
    /// Whether the step under way passes a pose where a loop loses rank.
    pub(crate) passes_singular_pose: bool,
    /// Whether forces give velocities, f = m v.
    pub(crate) is_first_order: bool,
    /// Whether a constraint moves in time.
    pub(crate) has_timed_constraints: bool,
    /// Whether nothing of the model depends on time.
    pub(crate) is_autonomous: bool,
    /// The last time step, if it led to where it began, and whether the last step was such a one again.
    pub(crate) rest: Option<Box<RestingStep>>,
    pub(crate) has_repeated: bool,
}

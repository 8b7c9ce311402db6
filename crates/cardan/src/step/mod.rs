//! The time step. [`step`] is where it begins; `substep.rs` decides which function takes an interval. `single_step`
//! below is one smooth step of a fixed size; time stepping and Dormand–Prince have steps of their own.
//!
//! ```text
//! substep    impulses, stiff bodies, events (with impacts) and divisions cut an interval into steps
//! integrate  the integrators: ask for accelerations, move the state along the manifold
//!   evaluate   accelerations at one state: forces → constraint rows → factor and solve → contact forces
//! project    positions and velocities back onto the joints, with the factor at hand
//! contact    active contacts are projected to g = 0 and ġ = 0
//! conclude   turns are counted; the new state replaces the old one
//! ```
//!
//! | file or folder | what is in it |
//! |---|---|
//! | `substep.rs` | division of an interval into steps |
//! | `evaluate.rs` | accelerations and multipliers at one state |
//! | `observe.rs` | evaluation of a state that is not moved |
//! | `workspace/` | scratch, and the choice of the solver (`setup.rs`) |
//! | `integrate/` | one file per integrator; event location, time stepping, assembly, applied impulses |
//! | `kernel/` | Euler steps and accelerations of trees and simple loops in SIMD lanes |
//! | `contact/` | unilateral constraints: rows, complementarity problem, impacts |
//! | `project/` | projection onto the joints |
//! | `dynamics/` | kinematics, forces, constraint rows, multipliers, rank plan |
//! | `articulated/` | articulated-body elimination of trees and loops |
//!
//! Which folder may use which is listed in `crates/cardan-cli/tests/pages/layers.rs`, a test. A step that fails leaves the state
//! as it was.

pub(crate) mod articulated;
pub(crate) mod contact;
pub(crate) mod dynamics;
pub(crate) mod evaluate;
pub(crate) mod integrate;
pub(crate) mod kernel;
pub(crate) mod observe;
pub(crate) mod project;
mod report;
mod substep;
pub(crate) mod workspace;

#[doc(hidden)]
pub use crate::settings::Fault;
pub use crate::settings::{
    Accounts, Coordinates, EffortRule, Elimination, ErrorControl, Impacts, InequalityStudy, Integrator,
    Overlaps, RestitutionLaw, Settings, SolverChoice, Stabilization, StudyRule,
};
pub use crate::step_error::{Stage, StepError, TooLong};
pub(crate) use crate::step_error::{offered_tolerance, solver_error};
pub(crate) use articulated::build::{armature_misfit, grow_forest};
pub(crate) use articulated::operations;
pub(crate) use contact::delassus::constrained_response;
pub(crate) use contact::depenetrate::{overlaps, within_ground};
pub use contact::overlap::{Overlap, OverlapFound, OverlapKind};
pub(crate) use contact::{ActiveContact, ContactKey, ContactRows};
pub use contact::{Event, EventKind, EventSubject};
pub(crate) use dynamics::command_forces::JointAxes;
pub(crate) use dynamics::joint_coordinates::JointChart;
pub(crate) use dynamics::joint_coordinates::places_all_bodies;
pub(crate) use dynamics::kinematics::{frame, refresh_motions, write_motions};
pub use dynamics::linear_solve::LinearSolve;
pub(crate) use dynamics::multipliers::{driven, reaction, structural};
pub(crate) use integrate::assemble::assemble;
pub(crate) use integrate::forget_last;
pub(crate) use integrate::impulse::apply_impulses;
pub(crate) use kernel::sweep::{MechanismLanes, TreeStructure};
pub(crate) use observe::{
    accelerate, accumulate_applied, evaluate, evaluate_bare, evaluate_lazily, interpolate, observe_rows,
    observe_unsolved, rank_margin, write_equations, write_rows,
};
pub use report::StepReport;
pub use substep::{step, step_within};
pub use workspace::{WorkCounts, Workspace};

use crate::model::Model;
use crate::state::State;
use project::general::DriftCheck;
use std::cell::Cell;
use substep::{AllowedSubsteps, StepOutcome, Substeps};

/// One smooth step of a fixed size. It is left undone if it is too long for the mechanism and `allowed` to be divided.
fn single_step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
    allowed: AllowedSubsteps,
) -> Result<StepOutcome, StepError> {
    if let Some(report) = kernel_step(model, settings, state, h, work) {
        return Ok(StepOutcome::Done(report));
    }

    // Integrate: from `state` to `work.stages.next`. Every evaluation on the way is forces → constraint rows → solve (`evaluate.rs`).
    let integrated = match settings.coordinates {
        Coordinates::Bodies | Coordinates::Auto => {
            integrate::integrate_bodies(model, settings, state, h, work)?
        }
        Coordinates::Joints => {
            integrate::joint_coordinates::integrate_joints(model, settings, state, h, work)?
        }
    };
    let ledger = work.stages.next.ledger;
    let equation_residual = work.equations.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };

    // Project: joint errors of the step are corrected, unless they show that it was too long.
    let substeps: Cell<Option<Substeps>> = Cell::new(None);
    let judge = |drift: f64, work: &Workspace| {
        substeps.set(substep::needed_substeps(
            settings,
            allowed,
            (h, drift),
            integrated.singular_stage,
            work,
        ));
        substeps.get().is_some()
    };
    let start = Some((&*state, integrated.poses_pending));
    let drift = &mut DriftCheck::by(&judge);
    project::general::project_general(model, settings, start, work, &mut report, drift)?;
    if let Some(substeps) = substeps.get() {
        return Ok(StepOutcome::Undone(substeps));
    }

    // Contact: active contacts are projected to g = 0 and ġ = 0.
    contact::project_contacts(model, settings, work, &mut report)?;

    // Conclude. With f = m v velocities are solved for at the projected pose; their change is not booked as work.
    if settings.integrator == Integrator::FirstOrder {
        integrate::first_order::set_velocities(model, settings, work, &mut report, Stage::Inner(5))?;
        work.stages.next.ledger = ledger;
    }
    integrate::conclude(model, settings, state, h, work);
    Ok(StepOutcome::Done(report))
}

/// The whole step by a kernel, if the mechanism has one that takes it: all of [`single_step`] in SIMD lanes, with the same bits.
fn kernel_step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Option<StepReport> {
    let report = kernel::step(model, state, h, work)?;
    integrate::conclude(model, settings, state, h, work);
    work.kinematics.motions_are_current = true;
    Some(report)
}

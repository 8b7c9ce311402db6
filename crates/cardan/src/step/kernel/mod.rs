//! Whole steps and accelerations of simple trees, written once for several layouts in SIMD registers.

pub(crate) mod level_accel;
pub(crate) mod level_lanes;
pub(crate) mod loop_lanes;
pub(crate) mod subtree_lanes;
pub(crate) mod sweep;

use crate::model::Model;
use crate::state::State;
use crate::step::{StepReport, Workspace};

/// A whole step of `h` by the kernel of this workspace, in `work.next`; `None` where there is none, or it cannot take this step.
pub(crate) fn step(model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
    work.motions_are_current = false;
    let mut kernel = work.step_kernel.take()?;
    let report = kernel.step(model, state, h, work);
    work.step_kernel = Some(kernel);
    report
}

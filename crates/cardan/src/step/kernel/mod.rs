//! SIMD kernels: whole Euler steps and acceleration solves of simple trees.
//!
//! One arithmetic serves several data layouts:
//!
//! | file | what is in the lanes of a register |
//! |---|---|
//! | `sweep/mod.rs` | several mechanisms of one structure; steps on body poses |
//! | `sweep/reduced.rs` | the same layouts; steps on joint coordinates |
//! | `level_lanes.rs` | bodies of one tree, grouped by level scheduling; whole steps |
//! | `level_accel.rs` | bodies of one tree, grouped by level scheduling; accelerations only |
//! | `state_efforts.rs` | four hinges of one tree: their efforts, for accelerations |
//! | `subtree_lanes.rs` | identical subtrees of one mechanism |
//! | `loop_lanes.rs` | loop-closure joints between such subtrees |
//!
//! A kernel either takes the whole step or declines it, by the model, the settings and the state alone. Without efforts it
//! has the bits of the scalar path; all layouts of one kernel have the same bits. Efforts and limits of hinges
//! (`sweep/efforts.rs`) go with joint coordinates in steps, and with both in accelerations.

pub(crate) mod level_accel;
pub(crate) mod level_lanes;
pub(crate) mod loop_lanes;
pub(crate) mod state_efforts;
pub(crate) mod subtree_lanes;
pub(crate) mod sweep;

use crate::model::Model;
use crate::state::State;
use crate::step::{StepReport, Workspace};

/// Takes a whole step of `h` seconds with the kernel of this workspace, and leaves the result in
/// `work.stages.next`. Returns `None` if there is no kernel, or if it declines this step.
pub(crate) fn step(model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
    work.kinematics.motions_are_current = false;
    // Commands are for steps on joint coordinates.
    if state.commands.is_some() && !state.has_joints() {
        return None;
    }
    let mut kernel = work.integrator.step_kernel.take()?;
    let report = kernel.step(model, state, h, work);
    work.integrator.step_kernel = Some(kernel);
    report
}

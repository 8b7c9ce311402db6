//! SIMD kernels: whole Euler steps and acceleration solves of simple trees.
//!
//! One arithmetic serves several data layouts:
//!
//! | file | what is in the lanes of a register |
//! |---|---|
//! | `sweep/mod.rs` | several mechanisms of one structure; steps on body poses |
//! | `sweep/reduced.rs` | the same layouts; steps on joint coordinates |
//! | `large_tree.rs` | one tree of very many hinges, not in lanes; steps on joint coordinates |
//! | `level_lanes.rs` | bodies of one tree, grouped by level scheduling; whole steps |
//! | `level_accel.rs` | bodies of one tree, grouped by level scheduling; accelerations only |
//! | `state_efforts.rs` | four hinges of one tree: their efforts, for accelerations |
//! | `subtree_lanes.rs` | identical subtrees of one mechanism |
//! | `loop_lanes.rs` | loop-closure joints between such subtrees |
//!
//! A kernel either takes the whole step or declines it, by the model, the settings and the state alone.
//! Without efforts it has the bits of the scalar path; all layouts of one kernel have the same bits. On
//! joint coordinates a kernel has efforts and limits of hinges in its own lanes (`sweep/efforts.rs`,
//! `sweep/limits.rs`); `sweep/touched_limits.rs` takes steps in which active limits change.
//! Subtrees in lanes take any force: implicit efforts and wrenches are those of the scalar path, handed to
//! the lanes, so that the bits are those of the scalar path too. Accelerations take efforts of
//! hinges and sliders on both coordinates (`state_efforts.rs`).

pub(crate) mod large_tree;
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
    let mut kernel = work.integrator.step_kernel.take()?;
    // On poses, commands are forces like others.
    let is_declined = state.commands.is_some() && !state.has_joints() && !kernel.takes_forces();
    let report = if is_declined { None } else { kernel.step(model, state, h, work) };
    work.integrator.step_kernel = Some(kernel);
    report
}

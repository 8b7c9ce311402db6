//! Limbs: the fast way for mechanisms of rigid bodies, planar bodies and particles, with or without loops.
//!
//! Joints of the spanning forest are given by what they leave free (`tree_joint.rs`), joints beyond it close loops and are given by
//! their rows (`loop_joint.rs`); `cardan_solve::articulated` eliminates both in time that grows with the number of bodies and the
//! lengths of the loops.
//!
//! Every body is six-dimensional here. A planar one has freedoms besides that nothing moves, and a particle does not turn.
//! Neither is seen outside this folder.

pub(crate) mod build;
pub(crate) mod correct;
pub(crate) mod fill;
pub(crate) mod joint_drives;
pub(crate) mod joint_frames;
pub(crate) mod loop_joint;
pub(crate) mod measure;
pub(crate) mod multipliers;
pub(crate) mod null_basis;
pub(crate) mod operations;
pub(crate) mod plan;
pub(crate) mod redundant_rows;
pub(crate) mod residual;
pub(crate) mod rhs;
pub(crate) mod self_stress;
pub(crate) mod solve;
pub(crate) mod state_accel;
pub(crate) mod system;
pub(crate) mod tree_joint;

pub(crate) use build::spanning_forest;
pub(crate) use correct::{Correction, correct};
pub(crate) use measure::{
    BOTH, ConstraintErrors, LOOPS_ONLY, POSES, RATES, excess_of_kept, keep_gaps, keep_larger, measure,
};
pub(crate) use multipliers::{drive_work, ground_load, multipliers, weight, write_multipliers};
pub(crate) use operations::operations;
pub(crate) use plan::{
    geometric_rank_margin, is_nearly_singular, is_out_of_date, kept_gap, may_lose_rank, min_pivot_sine, plan,
    plan_open, rank_margin, replan,
};
pub(crate) use redundant_rows::{conflict, open_conflict};
pub(crate) use residual::{acceleration_scale, certify};
pub(crate) use rhs::{predict, solve_for_force};
pub(crate) use self_stress::least_norm_multipliers;
pub(crate) use solve::{accelerations, factor, forget_factor, is_factored, motion_source, note_factor_at};
pub(crate) use system::{ArticulatedSystem, LARGE_SYSTEM};

//! Articulated-body solver: linear-time elimination of mechanisms of rigid bodies, planar bodies
//! and particles, with or without loops.
//!
//! A joint of the spanning forest (tree joint, `tree_joint/`) is given by its motion subspace N and
//! its bias γ, a joint outside it (loop-closure joint, `loop_joint.rs`) by its constraint rows J
//! and bias c:
//!
//! ```text
//! x_c = X x_p + γ + N s                   tree joint between parent p and child c
//! J_a x_a + J_b x_b + c = 0               loop-closure joint between bodies a and b
//! M_i x_i = F_i + loads of its joints     body i
//! ```
//!
//! x: acceleration (linear, angular) at the centre of mass; X: transform from parent to child; s:
//! joint acceleration; M: mass matrix; F: applied force with gyroscopic terms.
//! `cardan_solve::articulated` eliminates both kinds of joints; the time grows with the number of
//! bodies and the lengths of the loops (Featherstone 2008, chapters 7 and 8; Baraff 1996).
//!
//! Every body has six degrees of freedom here. A planar body has three that nothing excites, and a
//! particle does not rotate; neither is visible outside this folder.
//!
//! | file | content |
//! |---|---|
//! | `system.rs`, `build.rs` | the solver's data for one model, and how they are made |
//! | `fill.rs`, `rhs.rs` | input of the elimination: masses, forces, joints; right-hand sides |
//! | `rank_plan.rs`, `redundant_rows.rs` | rank plan of the loop-closure rows; check of dropped rows |
//! | `solve.rs`, `correct.rs` | accelerations; corrections of positions and velocities |
//! | `measure.rs`, `residual.rs` | constraint errors; residual of the equations |
//! | `unrefined.rs` | when the residual may be left out; loads without it |
//! | `coupling.rs`, `constraint_numbers.rs` | couplers, gears and followed points as rows of the elimination |
//! | `multipliers.rs`, `self_stress.rs` | multipliers, reactions; null space of redundant rows |
//! | `state_accel.rs` | accelerations read directly from the state, for large systems |
//! | `state_residual.rs` | residual of a solution that a kernel found without one |
//! | `operations.rs` | operation count of a solve |

pub(crate) mod build;
pub(crate) mod constraint_numbers;
pub(crate) mod correct;
pub(crate) mod coupling;
pub(crate) mod fill;
pub(crate) mod joint_drives;
pub(crate) mod joint_frames;
pub(crate) mod loop_joint;
pub(crate) mod measure;
pub(crate) mod multipliers;
pub(crate) mod null_basis;
pub(crate) mod operations;
pub(crate) mod rank_plan;
pub(crate) mod redundant_rows;
pub(crate) mod residual;
pub(crate) mod rhs;
pub(crate) mod self_stress;
pub(crate) mod solve;
pub(crate) mod state_accel;
pub(crate) mod state_residual;
pub(crate) mod system;
pub(crate) mod tree_joint;
pub(crate) mod unrefined;

pub(crate) use build::spanning_forest;
pub(crate) use correct::{Correction, correct};
pub(crate) use measure::{
    BOTH, ConstraintErrors, LOOPS_ONLY, POSES, RATES, excess_of_kept, keep_gaps, keep_larger, measure,
};
pub(crate) use multipliers::{drive_work, ground_load, multipliers, weight, write_multipliers};
pub(crate) use operations::operations;
pub(crate) use rank_plan::{
    geometric_rank_margin, is_nearly_singular, is_out_of_date, kept_gap, may_lose_rank, min_pivot_sine, plan,
    plan_open, rank_margin, replan,
};
pub(crate) use redundant_rows::{conflict, open_conflict};
pub(crate) use residual::{acceleration_scale, certify};
pub(crate) use rhs::{predict, solve_for_force};
pub(crate) use self_stress::least_norm_multipliers;
pub(crate) use solve::{accelerations, factor, forget_factor, is_factored, motion_source, note_factor_at};
pub(crate) use system::{ArticulatedSystem, LARGE_SYSTEM};
pub(crate) use unrefined::{may_skip_residual, skip_residual};

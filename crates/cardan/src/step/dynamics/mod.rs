//! The equations of motion at one instant: masses, forces, constraint rows, and multipliers.
//!
//! ```text
//! M v̇ = F + Jᵀ λ        J v̇ + c = 0
//! ```
//!
//! | file or folder | what is in it |
//! |---|---|
//! | `kinematics.rs` | motions of bodies and attached frames; displacements on the manifold |
//! | `joint_coordinates/` | joint (reduced) coordinates: to poses, and accelerations back |
//! | `forces.rs` | F and M |
//! | `command_forces.rs` | forces of commands: efforts and wrenches of a controller |
//! | `drive_targets.rs` | targets of driven coordinates |
//! | `constraint_rows.rs` | C, Ċ, J and c of joints and constraints |
//! | `lazy_rows.rs` | rows that the articulated path does without, written when they are read |
//! | `multipliers.rs` | factorisation and solve by rows; residual; reactions |
//! | `rank_plan.rs`, `conflict.rs` | redundant rows; contradicting rows by name |
//! | `ledger.rs` | work, heat and impulses from outside |
//! | `joint_efforts.rs` | efforts of joints at the end of a semi-implicit step |
//! | `locked_freedoms.rs` | active limits in the elimination; choice of the active set |
//! | `linear_solve.rs` | factorisation and solve alone, for measurements |

pub(crate) mod command_forces;
pub(crate) mod conflict;
pub(crate) mod constraint_rows;
pub(crate) mod drive_targets;
pub(crate) mod forces;
pub(crate) mod joint_coordinates;
pub(crate) mod joint_efforts;
pub(crate) mod kinematics;
pub(crate) mod lazy_rows;
pub(crate) mod ledger;
pub(crate) mod linear_solve;
pub(crate) mod locked_freedoms;
pub(crate) mod multipliers;
pub(crate) mod rank_plan;
pub(crate) mod step_efforts;

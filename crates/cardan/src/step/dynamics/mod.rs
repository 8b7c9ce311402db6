//! The equations of motion at one instant: masses, forces, constraint rows, and the multipliers that answer them.

pub(crate) mod conflict;
pub(crate) mod constraint_rows;
pub(crate) mod drive_targets;
pub(crate) mod forces;
pub(crate) mod joint_coordinates;
pub(crate) mod kinematics;
pub(crate) mod lazy_rows;
pub(crate) mod ledger;
pub(crate) mod linear_solve;
pub(crate) mod multipliers;
pub(crate) mod rank_plan;

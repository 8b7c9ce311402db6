//! Conservation laws and closed forms.

mod acceleration_efforts;
mod accelerations;
pub(crate) mod armature;
mod bead;
mod bodies;
mod certificate;
mod evaluation;
mod forces;
mod kinematics;
mod large;
mod long_runs;
mod momentum;
mod statics;
pub(crate) mod trees;

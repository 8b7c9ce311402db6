//! Measures: what a run is judged and read by.

mod accelerations;
mod certificate;
pub(crate) mod coordinates;
mod diagnosis;
mod energy;
mod forces;
mod instant;
mod momentum;
mod report;

pub use accelerations::{Accelerations, JointLoad};
pub use certificate::Certificate;
pub use diagnosis::{Diagnosis, Duplicate, OpenJoint, RedundantGroup, Remedy, Replacement, SingularPose};
pub use energy::Energy;
pub use forces::{AlongLine, ForceReport, PassiveEfforts, Twist};
pub use instant::Instant;
pub use momentum::Momentum;
pub use report::{
    BodyMotion, BodyReport, ConstraintLoad, ContactReport, InequalityReport, InequalityState, JointReport,
    ProbeReport, ReactionParts,
};

pub(crate) use diagnosis::diagnose;
pub(crate) use energy::{MagnitudeSums, measure as measure_energy, measure_with_magnitudes};
pub(crate) use momentum::measure as measure_momentum;

//! Measures: what a run is judged and read by.

mod accelerations;
mod certificate;
pub(crate) mod coordinates;
mod diagnosis;
mod energy;
mod instant;
mod momentum;

pub use accelerations::{Accelerations, JointLoad};
pub use certificate::Certificate;
pub use diagnosis::{Diagnosis, Duplicate, Group, Misfit, Remedy, Replacement, Special};
pub use energy::Energy;
pub use instant::{
    BodyReport, ConstraintLoad, ContactReport, InequalityReport, InequalityState, Instant, JointReport,
    ProbeReport, ReactionParts,
};
pub use momentum::Momentum;

pub(crate) use diagnosis::diagnose;
pub(crate) use energy::{Gross, measure as measure_energy, measure_with_gross};
pub(crate) use momentum::measure as measure_momentum;

//! Exact simulation of constrained mechanisms with Lagrange multipliers.
//!
//! Any body, any joint, in one direct solve that returns every reaction force:
//!
//! ```
//! use cardan::{Body, End::Ground, Gravity, Joint, ModelBuilder, Simulation, math::vec3};
//!
//! let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
//! let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0 /* kg */, 1.0 /* m */, 0.01) });
//! let hinge = parts.add_joint(Joint::revolute(Ground, rod, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
//! let model = parts.build()?;                       // checks everything, once
//!
//! let mut sim = Simulation::new(model);
//! sim.run(1.0 /* s */, 1e-3)?;
//! let reaction = sim.evaluate()?.joint(hinge).parts.total();
//! assert!(reaction.force.norm() > 0.0);
//! assert!(sim.certificate().max_position_error < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Model`] is what exists, [`State`] what changes, [`Workspace`] scratch that may be dropped at any time;
//! [`Simulation`] owns all three. A [`World`] is for parts that come and go while they run, and for many mechanisms at once. The folder `step/` is the time step, one file per stage.

pub mod batch;
pub mod body;
mod bytes;
pub mod constraint;
pub mod contact;
pub mod force;
pub mod geometry;
pub mod impulse;
pub mod inequality;
pub mod joint;
pub mod law;
pub mod math;
pub mod measure;
pub mod model;
pub mod simulation;
pub mod state;
pub mod statics;
pub mod step;
mod threads;
pub mod world;

pub use batch::{Batch, BatchError};
pub use body::{
    Body, BodyKind, Frame, FrameMotion, MassProperties, PlacedShape, Polyhedron, SolidShape, Wrench,
};
pub use bytes::SaveError;
pub use cardan_solve as solve;
pub use constraint::{Constraint, ConstraintRows, UserConstraint};
pub use contact::{ContactShape, Material};
pub use force::{
    Constant, Drag, Force, ForceLaw, ForceOutput, Gravity, GravityPoint, Heading, Scheduled, Spring,
    TableSpring, Torsion,
};
pub use impulse::{
    ConstraintImpulse, ContactImpulse, Impulse, ImpulseRecord, JointImpulse, TimedImpulse, VelocityJump,
};
pub use inequality::{Inequality, JointLimit};
pub use joint::{Drive, DriveMode, Effort, Joint, JointKind, JointSpring, Locks, Placement};
pub use law::Law;
pub use measure::{
    Accelerations, Certificate, ConstraintLoad, Diagnosis, Energy, Instant, JointLoad, Momentum,
};
pub use model::{
    BodyId, BuildError, ConstraintId, Counts, End, ForceId, ImpulseId, InequalityId, JointId, Model,
    ModelBuilder, Probe, ProbeId, ShapeId,
};
pub use simulation::{Balance, Diagnostics, Simulation};
pub use state::State;
pub use statics::{
    Equilibrium, EquilibriumKind, Goal, Mode, ModeKind, Modes, Reach, Stability, StaticsError,
};
#[doc(hidden)]
pub use step::Fault;
pub use step::{
    Coordinates, Elimination, ErrorControl, Event, Impacts, InequalityStudy, Integrator, LinearSolve,
    Overlaps, RestitutionLaw, Settings, SolverChoice, Stabilization, StepError, StepReport, StudyRule,
    TooLong, Workspace,
};

pub use world::{
    Divergence, Edit, GrabHandle, GrabMode, PartId, Pick, Recorder, Recording, Sleep, Snapshot, World,
    WorldDiagnostics, WorldError, WorldEvent,
};

/// The names that most programs use: `use cardan::prelude::*;`.
///
/// Everything else is at the root of the crate or in a module of its own.
pub mod prelude {
    pub use crate::End::{self, Ground};
    pub use crate::math::{Quat, Vec3, vec3};
    pub use crate::{
        Body, ContactShape, Drive, Force, Gravity, Integrator, Joint, Law, Material, Model, ModelBuilder,
        Probe, Settings, Simulation, Spring, World,
    };
}

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And those of the page on the laws of motion.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/laws.md")]
struct Laws;

/// And those of the page on constraints solved apart.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/auxiliary.md")]
struct Auxiliary;

/// And those of the page on worlds.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/worlds.md")]
struct Worlds;

/// And those of the page on batches.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/batches.md")]
struct Batches;

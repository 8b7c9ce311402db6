//! Exact simulation of constrained mechanisms with Lagrange multipliers: any body, any joint, in one direct solve that returns every
//! reaction force.
//!
//! | type | what it is |
//! |---|---|
//! | [`ModelBuilder`] | collects parts: `add_body`, `add_joint`, `add_force`, …; each returns an id, `build` checks them all |
//! | [`Body`], [`Joint`], [`Force`] | descriptions of parts, as struct literals and constructors |
//! | [`Model`] | what exists; constant, shared by any number of simulations |
//! | [`State`] | what changes: time, coordinates, velocities; can be cloned, saved and restored |
//! | [`Simulation`] | a model, its state and a [`Workspace`]: `step`, `run`, and readers by id |
//! | [`Instant`] | one solved instant: accelerations, reactions, contacts, each by id |
//! | [`Settings`] | integrator, stabilisation, solver, tolerances |
//! | [`World`] | parts that come and go while they run |
//! | [`Batch`] | many mechanisms of one structure in SIMD lanes |
//! | [`joint_space`] | joint order, commands of a controller, mass matrix, Jacobians |
//! | [`Certificate`] | the worst errors of a run: how far joints were open, how well the equations were solved |
//!
//! [`prelude`] has the names that most programs use.
//!
//! # A pendulum and its reaction
//!
//! ```
//! use cardan::prelude::*;
//!
//! let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
//! let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0 /* kg */, 1.0 /* m */, 0.01 /* m */) });
//! let hinge = parts.add_joint(Joint::revolute(Ground, rod, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
//! let model = parts.build()?; // checks everything, once
//!
//! let mut sim = Simulation::new(model);
//! // Released from the horizontal, a rod on a hinge leaves a quarter of its weight there.
//! let reaction = sim.evaluate()?.joint(hinge).reaction.total();
//! assert!((reaction.force.z - 2.0 * 9.81 / 4.0).abs() < 1e-12);
//!
//! sim.run(1.0 /* s */, 1e-3)?;
//! println!("{} rad, {} rad/s", sim.angle(hinge), sim.rate(hinge, 0));
//! assert!(sim.certificate().max_position_error < 1e-12);
//! assert!(sim.balance().energy_error < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A closed loop with a drive
//!
//! Joints may close loops. A drive prescribes a coordinate of a joint, and the torque that this takes is part of the answer.
//!
//! ```
//! use cardan::prelude::*;
//!
//! let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
//! let bar = |mass: f64, length: f64, x, y| Body { pos: vec3(x, y, 0.0), ..Body::planar(mass, mass * length * length / 12.0) };
//! let crank = parts.add_body(bar(0.3, 0.2, 0.0, 0.1));
//! let coupler = parts.add_body(bar(0.8, 0.5, 0.25, 0.2));
//! let rocker = parts.add_body(bar(0.3, 0.2, 0.5, 0.1));
//! let pin = |a: End, b: End, x, y| Joint::revolute(a, b, [x, y, 0.0], [0.0, 0.0, 1.0]);
//! let motor = parts.add_joint(pin(Ground, crank.into(), 0.0, 0.0).driven(0, DriveMode::Speed, 2.0 /* rad/s */));
//! parts.add_joint(pin(crank.into(), coupler.into(), 0.0, 0.2));
//! parts.add_joint(pin(coupler.into(), rocker.into(), 0.5, 0.2));
//! parts.add_joint(pin(Ground, rocker.into(), 0.5, 0.0));
//!
//! let mut sim = Simulation::new(parts.build()?);
//! sim.run(0.2, 1e-3)?;
//! assert!((sim.angle(motor) - 0.4).abs() < 1e-12);
//! let torque = sim.joint(motor)?.drives[0]; // N·m
//! assert!(torque.is_finite() && sim.balance().energy_error < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A world that is changed while it runs
//!
//! ```
//! use cardan::prelude::*;
//!
//! let mut world = World::new(Gravity::new(0.0, 0.0, -9.81));
//! let rod = world.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) })?;
//! let pin = world.add_joint(Joint::spherical(Ground, rod, [0.0, 0.0, 0.0]))?;
//! world.run(0.5, 1e-3)?;
//!
//! let velocity = world.body(rod)?.velocity;
//! world.remove(pin)?; // the rod flies on
//! world.run(1.0, 1e-3)?;
//! assert!((world.body(rod)?.velocity.z - (velocity.z - 9.81 * 0.5)).abs() < 1e-9);
//! assert!(world.joint(pin).is_err()); // an id of a part that is gone never means another one
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//!
//! * **Units** are SI and radians. Vectors are in world axes unless a name or a page says otherwise. No direction is up: gravity is given.
//! * **Model, state, workspace.** A [`Model`] never changes while it is stepped. A [`State`] is all that a run depends on. A
//!   [`Workspace`] is scratch that can be dropped at any time. [`Simulation`] owns the three.
//! * **Ids.** What is added returns an id, and every reader takes that id. `find_body("beam")` goes from a name to an id, `body_ids()` goes
//!   through all. An id of another model is never taken for one of this model: lookups return `None`, reports are NaN.
//! * **Errors.** [`BuildError`] is about the description and names the part and the field. [`StepError`] is about numbers: a step that
//!   fails leaves the state as it was. [`WorldError`] refuses an edit as a whole. A panic is a bug of this crate.
//! * **The same input gives the same bits**, with any number of threads and with or without SIMD registers.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `parallel` | islands of a world and groups of a batch on several threads |
//! | `serde` | `Serialize` and `Deserialize` for descriptions that are plain data, settings, ids and vectors |
//! | `glam`, `nalgebra` | conversions of [`math::Vec3`], [`math::Quat`] and [`math::Mat3`] |
//!
//! With `serde`, parts that only code can say are refused with an error when they are saved: bodies of general kinds, solids with flat
//! faces, forces written in Rust. Constraints, contact shapes and couplers are not saved. A [`State`] has [`State::to_bytes`].
//!
//! Scene files are read by the crate `cardan-scene`: `cardan_scene::load("four-bar")?.simulation()?`.

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
pub mod joint_space;
pub mod law;
pub mod math;
pub mod measure;
pub mod model;
#[cfg(feature = "serde")]
mod serde_number;
mod settings;
pub mod simulation;
pub mod state;
pub mod statics;
pub mod step;
mod step_error;
mod threads;
mod tolerances;
pub mod world;

pub use batch::{Batch, BatchError, CommandSequence};
pub use body::{
    Body, BodyKind, Frame, FrameMotion, MassProperties, PlacedShape, Polyhedron, SolidShape, Wrench,
};
pub use bytes::SaveError;
pub use cardan_solve as solve;
pub use constraint::{Constraint, ConstraintRows, UserConstraint};
pub use contact::{ContactShape, Material, Shape};
pub use force::{
    Constant, CurveSpring, Drag, Force, ForceLaw, ForceOutput, Gravity, GravityPoint, Heading, Scheduled,
    Spring, Torsion,
};
pub use impulse::{
    ConstraintImpulse, ContactImpulse, Impulse, ImpulseRecord, JointImpulse, TimedImpulse, VelocityJump,
};
pub use inequality::{Inequality, JointLimit};
pub use joint::{Drive, DriveMode, Effort, Joint, JointKind, JointSpring, Locks, Placement};
pub use law::Law;
pub use measure::{
    Accelerations, BodyMotion, Certificate, ConstraintLoad, Diagnosis, Energy, Instant, JointLoad, Momentum,
};
pub use model::{
    BodyId, BuildError, ConstraintId, Counts, End, ForceId, ImpulseId, InequalityId, JointId, Model,
    ModelBuilder, Probe, ProbeId, ShapeId,
};
pub use simulation::{Balance, Diagnostics, Linearisation, Simulation};
pub use state::State;
pub use statics::{
    Equilibrium, EquilibriumKind, Goal, Mode, ModeKind, Modes, Reach, Stability, StaticsError,
};
#[doc(hidden)]
pub use step::Fault;
pub use step::{
    Accounts, Coordinates, EffortRule, Elimination, ErrorControl, Event, Impacts, InequalityStudy,
    Integrator, LinearSolve, Overlaps, RestitutionLaw, Settings, SolverChoice, Stabilization, StepError,
    StepReport, StudyRule, TooLong, Workspace,
};

pub use world::{
    Adopted, Divergence, Edit, GrabHandle, GrabMode, ImpulseReport, IslandView, PartId, PartPick, Pick,
    PickTarget, PickedShape, Recorder, Recording, Sleep, Snapshot, World, WorldDiagnostics, WorldError,
    WorldEvent,
};

/// The names that most programs use: `use cardan::prelude::*;`.
///
/// Everything else is at the root of the crate or in a module of its own.
pub mod prelude {
    pub use crate::End::{self, Ground};
    pub use crate::math::{Quat, Vec3, vec3};
    pub use crate::{
        Body, BodyId, Constant, CurveSpring, Drag, DriveMode, Force, Gravity, GravityPoint, Heading,
        Integrator, Joint, JointId, Model, ModelBuilder, Settings, Simulation, Spring, Torsion, World,
    };
}

/// The examples of the page on the laws of motion are tests; those of the README are tested in `cardan-scene`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/laws.md")]
struct Laws;

/// The examples of the page on auxiliary constraints are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/auxiliary.md")]
struct Auxiliary;

/// The examples of the page on worlds are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/worlds.md")]
struct Worlds;

/// The examples of the page on control are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/control.md")]
struct Control;

/// The examples of the page on batches are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/batches.md")]
struct Batches;

//! Joint space: the joint order, commands of a controller, and the equations of motion in joint coordinates.
//!
//! | what | where | loops |
//! |---|---|---|
//! | layout of arrays | [`Model::joint_order`](crate::Model::joint_order), [`JointOrder`] | those of the spanning tree |
//! | positions, rates | [`Simulation::joint_positions`](crate::Simulation::joint_positions), [`set_joint_positions`](crate::Simulation::set_joint_positions), … | closed by the assembly |
//! | efforts, targets, wrenches | [`Simulation::set_efforts`](crate::Simulation::set_efforts), [`set_targets`](crate::Simulation::set_targets), [`set_wrench`](crate::Simulation::set_wrench), [`clear_commands`](crate::Simulation::clear_commands) | included |
//! | mass matrix, bias, gravity, inverse and forward dynamics, Jacobians | [`Simulation::joint_space`](crate::Simulation::joint_space), [`JointSpace`] | cut open |
//! | joint accelerations of everything that acts | [`Simulation::joint_accelerations`](crate::Simulation::joint_accelerations) | included |
//! | efforts of springs, motors, force laws and commands | [`Simulation::applied_efforts`](crate::Simulation::applied_efforts) | cut open |
//! | operational-space inertia of a body | [`Simulation::inverse_operational_inertia`](crate::Simulation::inverse_operational_inertia) | included |
//! | linearisation | [`Simulation::linearise`](crate::Simulation::linearise) | refused |
//!
//! For a tree of lower pairs without contacts, `H q̈ + b = applied efforts` with `q̈` of the engine.

mod commands;
pub(crate) mod coordinates;
mod dynamics;
mod error;
mod jacobian;
mod order;
mod tree;

pub(crate) use commands::Commands;
pub use error::CommandError;
pub use jacobian::Jacobian;
pub(crate) use order::is_ball;
pub use order::{JointOrder, OrderEntry, OrderedPart, ServoEntry};
pub use tree::JointSpace;

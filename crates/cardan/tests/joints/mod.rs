//! Joints, drives and constraints: rows, derivatives, coordinates, friction.

mod auxiliary;
mod curves;
mod drives;
pub(crate) mod jacobians;
mod joint_friction;
mod locks;
mod pairs;
mod turns;
mod user;

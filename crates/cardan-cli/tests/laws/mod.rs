//! What every bundled scene and reference problem must obey.

mod anchors;
mod contacts;
mod couplings;
mod derivatives;
mod drives;
mod faults;
mod loops;
pub(crate) mod models;
mod motion_laws;
mod motions;
mod outside;
mod reference;
mod rolling;
mod scenes;
mod solvers;

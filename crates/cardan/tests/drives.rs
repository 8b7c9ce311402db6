//! Driven joint coordinates: rows, forms, motion, forces, accounts, mistakes.
#![allow(clippy::disallowed_methods, reason = "the largest of some errors needs no reproducible bits")]

#[path = "drives/agree.rs"]
mod agree;
#[path = "drives/mistakes.rs"]
mod mistakes;
#[path = "drives/motion.rs"]
mod motion;

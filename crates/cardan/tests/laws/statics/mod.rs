//! Equilibria, modes and reach against closed forms, brute force and simulated motion.
#![allow(clippy::disallowed_methods)] // no bits are promised here but those of the engine

mod bounded;
mod equilibria;
mod parts;
mod random;
mod reaching;
mod swinging;

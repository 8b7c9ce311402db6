//! Equilibria, modes and reach against closed forms, brute force and the motion itself.
#![allow(clippy::disallowed_methods)] // no bits are promised here but those of the engine

#[path = "statics/bounded.rs"]
mod bounded;
#[path = "statics/equilibria.rs"]
mod equilibria;
#[path = "statics/parts.rs"]
mod parts;
#[path = "statics/random.rs"]
mod random;
#[path = "statics/reaching.rs"]
mod reaching;
#[path = "statics/swinging.rs"]
mod swinging;

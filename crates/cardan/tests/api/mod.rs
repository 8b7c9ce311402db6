//! Worlds: parts that are added and removed during a run.

mod world;

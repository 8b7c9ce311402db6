//! Worlds: parts that come and go while they run.

mod world;

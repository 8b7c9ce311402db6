//! Tests of the window without a window.

mod hand;
mod hashes;
mod info;
mod past;

//! The `cardan` command.

#[allow(dead_code, unused_imports)]
mod picture;

fn main() {}

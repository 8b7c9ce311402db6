//! The `cardan` command.

#[allow(dead_code)]
mod picture;

fn main() {}

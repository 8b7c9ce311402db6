//! The tests of the command, in one program: it is linked once, and runs on all cores. `golden` is apart, since it is also run without optimisation.
//!
//! `cargo test -p cardan-cli --test suite NAME` runs those of a file, or the one of that name.

mod commands;
mod cost;
mod laws;
mod pages;
mod support;

#[global_allocator]
static ALLOCATOR: cardan_testkit::CountingAllocator = cardan_testkit::CountingAllocator;

#[test]
fn every_file_is_part_of_the_suite() {
    cardan_testkit::assert_every_test_file_is_named(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
}

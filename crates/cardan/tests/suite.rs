//! The tests of the engine, in one program: it is linked once, and runs on all cores.
//!
//! `cargo test -p cardan --test suite NAME` runs those of a file, or the one of that name.

mod api;
mod common;
mod contact;
mod integrators;
mod joints;
mod laws;
mod loops;
mod simd;

#[global_allocator]
static ALLOCATOR: cardan_testkit::CountingAllocator = cardan_testkit::CountingAllocator;

#[test]
fn every_file_is_part_of_the_suite() {
    cardan_testkit::assert_every_test_file_is_named(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
}

//! The tests of the command, in one program: it is linked once, and runs on all cores. `golden` is apart, since it is also run without optimisation.
//!
//! `cargo test -p cardan-cli --test suite NAME` runs those of a file, or the one of that name.

mod allocations;
mod anchors;
mod bad_input;
mod budget;
mod contacts;
mod cost;
mod couplings;
mod derivatives;
mod diagnosis;
mod drives;
mod faults;
mod generate;
mod joints_page;
mod large;
mod loops;
mod models;
mod motion_laws;
mod motions;
mod nets;
mod outputs;
mod outside;
mod pages;
mod readme;
mod reference;
mod rolling;
mod scenes;
mod solvers;
mod statics;
mod support;
mod sweeps;
mod trace;
mod worlds;

#[global_allocator]
static ALLOCATOR: cardan_testkit::CountingAllocator = cardan_testkit::CountingAllocator;

/// A file that is not named above would never run.
#[test]
fn every_file_is_part_of_the_suite() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in std::fs::read_dir(folder).expect("the folder of the tests") {
        let name = entry.expect("a file").file_name().into_string().expect("a plain name");
        let Some(name) = name.strip_suffix(".rs").filter(|name| !["suite", "golden"].contains(name)) else {
            continue;
        };
        let line = format!("mod {name};");
        assert!(
            include_str!("suite.rs").lines().any(|l| l == line),
            "tests/{name}.rs is not in tests/suite.rs"
        );
    }
}

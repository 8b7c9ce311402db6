//! The tests of the engine, in one program: it is linked once, and runs on all cores.
//!
//! `cargo test -p cardan --test suite NAME` runs those of a file, or the one of that name.

mod abreast;
mod accelerations;
mod adaptive;
mod auxiliary;
mod batch;
mod bead;
mod blows;
mod bodies;
mod certificate;
mod closed_only;
mod common;
mod coordinates;
mod curves;
mod drives;
mod faceted;
mod first_order;
mod forces;
mod forms;
mod formulas;
mod heaps;
mod integrators;
mod jacobians;
mod jointed;
mod large;
mod locks;
mod long;
mod loops;
mod momentum;
mod pairs;
mod rattle;
mod resistance;
mod restitution;
mod rubbing;
mod rules;
mod sheaf;
mod solvers;
mod statics;
mod study;
mod touch;
mod trees;
mod turns;
mod user;
mod wide;
mod world;

#[global_allocator]
static ALLOCATOR: cardan_testkit::CountingAllocator = cardan_testkit::CountingAllocator;

/// A file that is not named above would never run.
#[test]
fn every_file_is_part_of_the_suite() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in std::fs::read_dir(folder).expect("the folder of the tests") {
        let name = entry.expect("a file").file_name().into_string().expect("a plain name");
        let Some(name) = name.strip_suffix(".rs").filter(|name| !["suite"].contains(name)) else { continue };
        let line = format!("mod {name};");
        assert!(
            include_str!("suite.rs").lines().any(|l| l == line),
            "tests/{name}.rs is not in tests/suite.rs"
        );
    }
}

//! The tests of the engine, in one program: it is linked once, and runs on all cores.
//!
//! `cargo test -p cardan --test suite NAME` runs those of a file, or the one of that name.

mod accelerations;
mod adaptive;
mod auxiliary;
mod batch;
mod bead;
mod bodies;
mod certificate;
mod closed_only;
mod common;
mod contact;
mod coordinates;
mod curves;
mod drives;
mod elimination_forms;
mod faceted;
mod first_order;
mod forces;
mod formulas;
mod heaps;
mod impulses;
mod integrators;
mod jacobians;
mod joint_friction;
mod large;
mod level_lanes;
mod locks;
mod long_runs;
mod loops;
mod momentum;
mod pairs;
mod rattle;
mod reduced;
mod restitution;
mod rolling_friction;
mod rules;
mod simd;
mod solvers;
mod statics;
mod study;
mod subtree_lanes;
mod trees;
mod turns;
mod user;
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

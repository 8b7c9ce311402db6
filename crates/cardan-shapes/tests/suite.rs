//! The tests of contact geometry, in one program.
//!
//! `cargo test -p cardan-shapes --test suite NAME` runs those of a file, or the one of that name.

mod broad_phase;
mod certificate;
mod common;
mod cylinders;
mod extremes;
mod polyhedra;
mod primitives;
mod rays;
mod round;
mod surfaces;

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

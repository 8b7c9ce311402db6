//! The tests of scene files, in one program: it is linked once, and runs on all cores.
//!
//! `cargo test -p cardan-scene --test suite NAME` runs those of a file, or the one of that name.

mod curves;
mod errors;
mod export;
mod generate;
mod lower;
mod mjcf;
mod mjcf_faults;
mod mjcf_parts;
mod old_words;
mod pairs;
mod parameters;
mod read;
mod robots;
mod robots_cost;
mod robust;
mod sdf;
mod study;
mod urdf;
mod urdf_contacts;
mod urdf_faults;
mod urdf_loops;

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

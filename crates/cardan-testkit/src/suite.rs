//! Test programs in one binary: every file below `tests/` must be named by a `mod` line, or it
//! would never run.

use std::path::Path;

/// Panics unless every file and folder below `folder` is named in the `mod.rs` beside it (in
/// `suite.rs` at the top).
///
/// A `.rs` file at the top that is a program of its own is one if the manifest has a `[[test]]` of
/// its name.
pub fn assert_every_test_file_is_named(folder: &str) {
    let folder = Path::new(folder);
    let manifest = std::fs::read_to_string(folder.join("../Cargo.toml")).expect("the manifest");
    let is_program = |name: &str| manifest.contains(&format!("name = \"{name}\""));
    check(folder, "suite.rs", &is_program);
}

fn check(folder: &Path, index: &str, is_program: &dyn Fn(&str) -> bool) {
    let listed = std::fs::read_to_string(folder.join(index)).expect("a file that lists the others");
    for entry in std::fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("an entry of the folder").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain name").to_string();
        let is_module = path.join("mod.rs").exists();
        let is_file = path.extension().is_some_and(|ending| ending == "rs");
        if !(is_module || is_file) || stem == "mod" || (index == "suite.rs" && is_program(&stem)) {
            continue;
        }
        let is_named = listed.lines().any(|line| {
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            line == format!("mod {stem};")
        });
        assert!(is_named, "{} is not named in {}", path.display(), folder.join(index).display());
        if is_module {
            check(&path, "mod.rs", is_program);
        }
    }
}

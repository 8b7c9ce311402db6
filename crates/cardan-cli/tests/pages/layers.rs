//! The folders of the time step use each other in one direction only (ARCHITECTURE.md, "The time step").

use super::format::root;
use super::names::sources;
use std::fs;

/// What each folder or file of `crates/cardan/src/step` may use besides itself and the workspace.
const MAY_USE: [(&str, &[&str]); 10] = [
    ("articulated", &[]),
    ("dynamics", &["articulated"]),
    ("project", &["articulated", "dynamics"]),
    ("contact", &["articulated", "dynamics", "project"]),
    ("evaluate", &["articulated", "dynamics", "contact"]),
    ("kernel", &["articulated", "dynamics", "project", "contact"]),
    ("integrate", &["articulated", "dynamics", "project", "contact", "evaluate", "kernel"]),
    ("observe", &["articulated", "dynamics", "project", "contact", "evaluate", "kernel", "integrate"]),
    // `single_step` and `kernel_step` are the functions of `mod.rs` that it repeats.
    (
        "substep",
        &["articulated", "contact", "evaluate", "integrate", "observe", "kernel_step", "single_step"],
    ),
    // Data types of all folders, and no more: it is the scratch that they share.
    ("workspace", &["articulated", "dynamics", "contact", "kernel", "integrate"]),
];

/// What belongs to no folder: every folder may use these.
const SHARED: [&str; 5] = ["workspace", "report", "Workspace", "StepReport", "WorkCounts"];

/// Names after `crate::step::` in the code of a file, groups in braces opened.
fn used(text: &str) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for (at, found) in code.match_indices("crate::step::") {
        let rest = &code[at + found.len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut name) = (1, String::new());
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 1 => break,
                    '}' => depth -= 1,
                    ',' if depth == 1 => names.push(core::mem::take(&mut name)),
                    _ if depth == 1 => name.push(c),
                    _ => {}
                }
            }
            names.push(name);
        } else {
            names.push(rest.to_string());
        }
    }
    let first_word = |name: &String| {
        let name = name.trim_start();
        name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("").to_string()
    };
    names.iter().map(first_word).filter(|name| !name.is_empty() && name != "self").collect()
}

#[test]
fn folders_of_the_step_use_only_those_below_them() {
    let step = root().join("crates/cardan/src/step");
    let mut wrong = Vec::new();
    for (folder, may_use) in MAY_USE {
        let path = step.join(folder);
        let path = if path.is_dir() { path } else { step.join(format!("{folder}.rs")) };
        let mut files = Vec::new();
        sources(&path, &mut files);
        assert!(!files.is_empty(), "{folder} is not there");
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file");
            for name in used(&text) {
                if name != folder && !may_use.contains(&&*name) && !SHARED.contains(&&*name) {
                    wrong.push(format!("{}: {folder} must not use {name}", file.display()));
                }
            }
        }
    }
    // A folder that is not listed would escape.
    for entry in fs::read_dir(&step).expect("the folder of the step") {
        let name = entry.expect("an entry").path();
        let stem = name.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
        let is_known = MAY_USE.iter().any(|(folder, _)| *folder == stem) || ["mod", "report"].contains(&stem);
        assert!(is_known, "step/{stem} is not in the list of layers");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_file_uses_is_seen_in_groups_too() {
    let text = "use crate::step::{a::{self, B}, c::D};\nlet x = crate::step::e::f(); // crate::step::g";
    assert_eq!(used(text), ["a", "c", "e"]);
}

//! Names that went: no file, module, type or function has one of them, and no page mentions them.

use super::format::{pages, root};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that no identifier is made of any more, alone or as a part (`split_trees_abreast`, `BraidedStep`).
const RETIRED_WORDS: [&str; 26] = [
    "limb",
    "limbs",
    "clasp",
    "clasps",
    "sheaf",
    "sheaves",
    "braid",
    "braided",
    "plait",
    "plaited",
    "abreast",
    "strand",
    "strands",
    "seating",
    "lump",
    "lumps",
    "anticipate",
    "anticipated",
    "anticipation",
    "blow",
    "blows",
    "jointed",
    "quad",
    "quads",
    "underway",
    "whoever",
];

/// Names that are gone as they were, though their words live on.
const RETIRED_NAMES: [&str; 54] = [
    "Hold",
    "Closing",
    "Closings",
    "Landing",
    "Seat",
    "Spot",
    "Bench",
    "Lever",
    "Sides",
    "Kin",
    "Beside",
    "Apart",
    "Bundle",
    "Sheet",
    "Touch",
    "Phases",
    "Heap",
    "Pile",
    "Pack",
    "Wide",
    "Four",
    "Spatial",
    "More",
    "Plain",
    "Strike",
    "Ward",
    "Patient",
    "Books",
    "Care",
    "Patience",
    "Giver",
    "Boxed",
    "Felt",
    "Handed",
    "Dice",
    "Go",
    "Lie",
    "Ladder",
    "Play",
    "least_left",
    "let_meet",
    "short_steps",
    "steps_side_by_side",
    "solve_apart",
    "strike",
    "strike_together",
    "settle_loops",
    "stabilise",
    "whom_it_contradicts",
    "fast_accelerations",
    "fast_solve",
    "goes_straight",
    "foresee_closings",
    "step_without_blows",
];

/// Words of the old language that pages do without.
const NOT_IN_PAGES: [&str; 21] = [
    "anticipat",
    "solved apart",
    "fast way",
    "fast path",
    "limbs",
    "clasp",
    "sheaf",
    "braided",
    "plait",
    "abreast",
    "whoever",
    "nobody",
    "`Limbs`",
    "`Spatial`",
    "`Hold`",
    "`Touch`",
    "`Sheet`",
    "`Quad`",
    "`Pack`",
    "least_left",
    "let_meet",
];

/// All Rust files at or below a path, sorted.
pub(crate) fn sources(at: &Path, out: &mut Vec<PathBuf>) {
    if at.is_dir() && at.file_name().is_none_or(|name| name != "target") {
        let entries = fs::read_dir(at).expect("a folder");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths.iter().for_each(|path| sources(path, out));
    } else if at.extension().is_some_and(|ending| ending == "rs") {
        out.push(at.to_path_buf());
    }
}

/// The words of an identifier, in lower case: `LaneNode` and `lane_node` are both lane and node.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_uppercase() {
            words.push(String::new());
        }
        if c != '_' {
            words.last_mut().expect("one at least").extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Identifiers that a file defines: modules, types, traits and functions.
fn defined(text: &str) -> Vec<&str> {
    const BEFORE: [&str; 6] = ["mod ", "struct ", "enum ", "trait ", "type ", "fn "];
    let mut names = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("").trim_start();
        let code = code.strip_prefix("pub(crate) ").or(code.strip_prefix("pub ")).unwrap_or(code);
        let code = code.strip_prefix("const ").or(code.strip_prefix("unsafe ")).unwrap_or(code);
        for before in BEFORE {
            if let Some(rest) = code.strip_prefix(before) {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                names.push(&rest[..end]);
            }
        }
    }
    names
}

fn is_retired(name: &str) -> bool {
    RETIRED_NAMES.contains(&name) || words(name).iter().any(|word| RETIRED_WORDS.contains(&&**word))
}

#[test]
fn no_file_module_type_or_function_has_a_retired_name() {
    let mut files = Vec::new();
    for folder in ["crates", "examples", "benches"] {
        sources(&root().join(folder), &mut files);
    }
    let mut found = Vec::new();
    for file in files {
        // Old words of scene files are still read, and tests name them.
        let is_about_old_words = file.file_stem().is_some_and(|stem| stem == "old_words" || stem == "names");
        if is_about_old_words {
            continue;
        }
        let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
        let text = fs::read_to_string(&file).expect("a source file");
        let names = defined(&text);
        for name in names.into_iter().chain([stem]).filter(|name| is_retired(name)) {
            found.push(format!("{}: {name}", file.display()));
        }
    }
    assert!(found.is_empty(), "retired names:\n{}", found.join("\n"));
}

#[test]
fn no_page_speaks_the_old_language() {
    let mut found = Vec::new();
    for (page, text) in pages() {
        for (number, line) in text.lines().enumerate() {
            // Tables that put old words beside new ones are what a reader of old files needs.
            let lower = line.to_lowercase();
            if lower.contains("old word") || lower.contains("alias") {
                continue;
            }
            for word in NOT_IN_PAGES.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{}:{}: {word}", page, number + 1));
            }
        }
    }
    assert!(found.is_empty(), "words of the old language:\n{}", found.join("\n"));
}

#[test]
fn retired_words_are_found_within_names() {
    assert!(is_retired("BraidedStep") && is_retired("no_blow_makes_energy") && is_retired("Hold"));
    assert!(!is_retired("threshold") && !is_retired("withhold") && !is_retired("LaneNode"));
}

//! Names that went: no file, module, type, function, field or variant has one of them, and no page mentions them.

use super::format::{pages, root};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that no identifier is made of any more, alone or as a part (`split_trees_abreast`, `BraidedStep`).
const RETIRED_WORDS: [&str; 30] = [
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
    "skid",
    "skids",
    "skidded",
    "skidding",
];

/// Names that are gone as they were, though their words live on.
const RETIRED_NAMES: [&str; 64] = [
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
    "Long",
    "Stepping",
    "respond",
    "settle",
    "straight",
    "rest_speed",
    "creep",
    "foresee",
    "foresee_loops",
    "aim",
];

/// Names of the list above that are right in one file: `cardan bench` is a command.
const ALLOWED: [(&str, &str); 1] = [("cardan-cli/src/args.rs", "Bench")];

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

/// A line of code without its comment, and without `pub`, `pub(crate)` or any other `pub(…)`.
fn without_visibility(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or("").trim();
    match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with(' ') => rest.trim_start(),
        Some(rest) if rest.starts_with('(') => rest.split_once(") ").map_or(code, |(_, rest)| rest),
        _ => code,
    }
}

/// The identifier that a text begins with, and the rest.
fn identifier(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len()))
}

/// Identifiers that a file defines: modules, types, traits and functions; and what begins a line like a field or a variant.
fn defined(text: &str) -> Vec<&str> {
    const BEFORE: [&str; 6] = ["mod ", "struct ", "enum ", "trait ", "type ", "fn "];
    const QUALIFIERS: [&str; 3] = ["const ", "unsafe ", "async "];
    let mut names = Vec::new();
    for line in text.lines() {
        let mut code = without_visibility(line);
        while let Some(rest) = QUALIFIERS.iter().find_map(|word| code.strip_prefix(word)) {
            code = rest;
        }
        if let Some(rest) = BEFORE.iter().find_map(|before| code.strip_prefix(before)) {
            names.push(identifier(rest).0);
            continue;
        }
        let (name, rest) = identifier(code);
        let is_field = name.starts_with(|c: char| c.is_lowercase()) && rest.starts_with(": ");
        let is_variant = name.starts_with(|c: char| c.is_uppercase())
            && (rest.is_empty() || [",", "(", " {", " ="].iter().any(|after| rest.starts_with(after)));
        if is_field || is_variant {
            names.push(name);
        }
    }
    names
}

fn is_retired(name: &str) -> bool {
    RETIRED_NAMES.contains(&name) || words(name).iter().any(|word| RETIRED_WORDS.contains(&&**word))
}

#[test]
fn no_file_type_function_field_or_variant_has_a_retired_name() {
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
        let allowed = |name: &str| ALLOWED.iter().any(|(path, word)| file.ends_with(path) && *word == name);
        for name in names.into_iter().chain([stem]).filter(|name| is_retired(name) && !allowed(name)) {
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

#[test]
fn definitions_of_every_visibility_are_found() {
    let text = "pub(super) fn one() {}\npub(in crate::step) struct Two;\npub(crate) const fn three() {}\npub mod four;\n\
                unsafe fn five() {}\npub(super) six: f64,\n    Seven(f64),\n    Eight { nine: f64 },\n    Ten,\n\
                // fn eleven() {}\npublic: f64,\nlet twelve = 1;";
    let wanted = ["one", "Two", "three", "four", "five", "six", "Seven", "Eight", "Ten", "public"];
    assert_eq!(defined(text), wanted);
}

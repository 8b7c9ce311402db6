//! How pages are written: lines of at most 100 characters, paths, links and names that lead somewhere, every bundled scene in
//! the catalogue. `readme.rs` runs what pages show.

use cardan_scene::{Document, Scene};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Characters of a line.
const WIDTH: usize = 100;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages, as (path from the root, text).
pub(crate) fn pages() -> Vec<(String, String)> {
    let mut names: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(String::from).to_vec();
    for folder in ["docs", "benches"] {
        pages_below(folder, &mut names);
    }
    let read = |name: String| {
        let text = std::fs::read_to_string(root().join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// The pages in a folder and in those below it, sorted.
fn pages_below(folder: &str, names: &mut Vec<String>) {
    let entries = std::fs::read_dir(root().join(folder)).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let mut found: Vec<(String, bool)> = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            (entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir())
        })
        .collect();
    found.sort();
    for (name, is_folder) in found {
        let path = format!("{folder}/{name}");
        if is_folder && name != "target" {
            pages_below(&path, names);
        } else if name.ends_with(".md") {
            names.push(path);
        }
    }
}

/// Text outside fences, line by line, counted from 0.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut open = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        open ^= fence;
        !open && !fence
    })
}

/// A row of a table, or a line that is one link or picture: these cannot be wrapped.
fn is_one_piece(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['*', '-', ' ']);
    if line.starts_with('|') || line.starts_with("<img") {
        return true;
    }
    let target = line.trim_start_matches('!').strip_prefix('[').and_then(|rest| rest.split_once("]("));
    target.is_some_and(|(_, target)| {
        target.trim_end_matches(['.', ',', ';']).split_once(')').is_some_and(|(_, rest)| rest.is_empty())
    })
}

#[test]
fn lines_of_pages_have_at_most_100_characters() {
    let mut long = Vec::new();
    for (page, content) in pages() {
        for (i, line) in prose(&content) {
            let length = line.chars().count();
            if length > WIDTH && !is_one_piece(line) {
                long.push(format!("{page}:{}: {length} characters", i + 1));
            }
        }
    }
    assert!(long.is_empty(), "wrap these at {WIDTH} characters:\n{}", long.join("\n"));
}

#[test]
fn readme_and_architecture_are_read_at_one_sitting() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let lines = readme.lines().count();
    assert!(lines <= 150, "README.md has {lines} lines; details belong into docs/");
    let architecture = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let lines = architecture.lines().count();
    assert!(lines <= 200, "ARCHITECTURE.md has {lines} lines; derivations belong into docs/method/");
}

#[test]
fn every_path_and_every_link_leads_somewhere() {
    let mut missing = Vec::new();
    let mut seen = 0;
    for (page, content) in pages() {
        let here = root().join(&page).parent().expect("a folder").to_path_buf();
        for (i, line) in prose(&content) {
            let mut check = |shown: &str, path: PathBuf| {
                seen += 1;
                if !path.exists() {
                    missing.push(format!("{page}:{}: {shown}", i + 1));
                }
            };
            // `crates/…`, `scenes/…`: from the root, wherever the page is.
            for quoted in line.split('`').skip(1).step_by(2) {
                let first = quoted.split('/').next().unwrap_or_default();
                let ours = ["crates", "scenes", "docs", "benches", "examples", ".ci"].contains(&first);
                if ours && quoted.contains('/') && !quoted.contains(['*', '…', ' ', '<']) {
                    check(quoted, root().join(quoted));
                }
            }
            let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            let pictures = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
            for target in links.chain(pictures) {
                let target = target.split('#').next().unwrap_or_default();
                if !target.is_empty() && !target.contains("://") {
                    check(target, here.join(target));
                }
            }
        }
    }
    assert!(missing.is_empty(), "these do not exist:\n{}", missing.join("\n"));
    assert!(seen > 200, "only {seen} paths found");
}

/// Source files as (path from the root, text).
fn source_files() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    for folder in ["crates", "examples", "benches"] {
        super::names::sources(&root().join(folder), &mut paths);
    }
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let path = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text has a word, not only as a part of another one.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
}

/// Whether a file defines a type or has an `impl` of it or for it.
fn is_home_of(text: &str, name: &str) -> bool {
    let defines = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            text[at + word.len()..].strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_word))
        })
    };
    ["struct ", "enum ", "trait ", "type "].into_iter().any(defines)
        || text
            .match_indices("impl")
            .any(|(at, _)| has_word(text[at..].split(['{', ';']).next().unwrap_or_default(), name))
}

/// `Type::member` of a quoted text, with what it is called with left out; modules before the type do not count.
fn member(quoted: &str) -> Option<(&str, &str)> {
    let path = quoted.split(['(', ' ']).next()?;
    let mut segments = path.rsplit("::");
    let (member, owner) = (segments.next()?, segments.next()?);
    let is_path = path.split("::").all(|word| !word.is_empty() && word.chars().all(is_word));
    (is_path && owner.starts_with(|c: char| c.is_uppercase())).then_some((owner, member))
}

/// What is named as "`name` in `path`": the name without its owner and its arguments, and the path of a source file or folder.
fn named_in(text: &str) -> Vec<(&str, &str)> {
    let quoted: Vec<&str> = text.split('`').collect();
    let pairs = quoted.windows(3).skip(1).step_by(2).filter(|three| three[1].trim() == "in");
    let pairs = pairs.map(|three| (three[0].split('(').next().unwrap_or_default(), three[2]));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| is_word(c) || c == ':');
    let is_source =
        |path: &str| path.ends_with(".rs") || (path.starts_with("crates/") && !path.contains('.'));
    pairs
        .filter(|(name, path)| is_name(name) && is_source(path))
        .map(|(name, path)| (name.rsplit("::").next().unwrap_or(name), path))
        .collect()
}

#[test]
fn what_pages_name_is_in_the_sources() {
    let files = source_files();
    let (mut missing, mut homes) = (Vec::new(), BTreeMap::<String, Vec<usize>>::new());
    let mut seen = 0;
    // The changelog also names what is gone.
    for (page, content) in pages().into_iter().filter(|(page, _)| page != "CHANGELOG.md") {
        let text: Vec<&str> = prose(&content).map(|(_, line)| line).collect();
        for (name, path) in named_in(&text.join(" ")) {
            seen += 1;
            let at = |file: &str| match path.ends_with(".rs") {
                true => file == path || file.ends_with(&format!("/{path}")),
                false => file.starts_with(&format!("{}/", path.trim_end_matches('/'))),
            };
            if !files.iter().any(|(file, text)| at(file) && has_word(text, name)) {
                missing.push(format!("{page}: `{name}` in `{path}`"));
            }
        }
        for (i, line) in prose(&content) {
            for (owner, member) in line.split('`').skip(1).step_by(2).filter_map(member) {
                seen += 1;
                let find = || (0..files.len()).filter(|&f| is_home_of(&files[f].1, owner)).collect();
                let homes = homes.entry(owner.to_string()).or_insert_with(find);
                if !homes.iter().any(|&file| has_word(&files[file].1, member)) {
                    missing.push(format!("{page}:{}: `{owner}::{member}`", i + 1));
                }
            }
        }
    }
    assert!(missing.is_empty(), "pages name what is not there:\n{}", missing.join("\n"));
    assert!(seen > 80, "only {seen} names found");
}

#[test]
fn names_of_pages_are_told_apart() {
    assert_eq!(member("Simulation::run(until, h)"), Some(("Simulation", "run")));
    assert_eq!(member("cardan::Settings::solver"), Some(("Settings", "solver")));
    assert_eq!((member("cardan_scene::load"), member("a :: b"), member("Model")), (None, None, None));
    let text =
        "`Tree::factor` in `crates/cardan-solve/src/tree/mod.rs`, `N` in\n`fill.rs`, `x` in `[simulation]`";
    let wanted = [("factor", "crates/cardan-solve/src/tree/mod.rs"), ("N", "fill.rs")];
    assert_eq!(named_in(text), wanted);
    assert!(has_word("fn solve_all() {}", "solve_all") && !has_word("fn solve_all() {}", "solve"));
    assert!(is_home_of("impl<T> From<Body> for End {", "Body") && !is_home_of("let x: Body = y;", "Body"));
}

/// Rows of the catalogue as scene → its line; those of robots as `robots/FILE`.
fn catalogue() -> BTreeMap<String, String> {
    let page =
        std::fs::read_to_string(root().join("docs/scenes-catalogue.md")).expect("docs/scenes-catalogue.md");
    let mut rows = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| <img")) {
        let (_, rest) =
            line.split_once("](../scenes/").unwrap_or_else(|| panic!("no scene is linked in: {line}"));
        let (file, _) = rest.split_once(')').unwrap_or_else(|| panic!("no scene is linked in: {line}"));
        let name = file.strip_suffix(".toml").unwrap_or(file);
        assert!(rows.insert(name.to_string(), line.to_string()).is_none(), "`{name}` is listed twice");
    }
    rows
}

#[test]
fn the_catalogue_has_every_bundled_scene_with_its_picture_and_its_laws() {
    let rows = catalogue();
    let mut scenes = Vec::new();
    for entry in std::fs::read_dir(root().join("scenes")).expect("scenes/") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        scenes.extend(name.strip_suffix(".toml").map(String::from));
    }
    scenes.sort();
    for name in &scenes {
        let row = rows.get(name).unwrap_or_else(|| panic!("`{name}` is not in docs/scenes-catalogue.md"));
        assert!(row.contains(&format!("src=\"pictures/scenes/{name}.svg\"")), "`{name}` has no picture");
        let text = std::fs::read_to_string(root().join(format!("scenes/{name}.toml"))).expect("a scene");
        let document = Document::parse(name, &text).expect("a bundled scene");
        let scene = Scene::from_document(&document).expect("a bundled scene");
        let laws: Vec<String> = scene.laws.iter().map(|law| format!("`{law}`")).collect();
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default().trim();
        assert_eq!(last, laws.join(" "), "the laws of `{name}` in docs/scenes-catalogue.md");
    }
    for entry in std::fs::read_dir(root().join("scenes/robots")).expect("scenes/robots/") {
        let file = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let (name, _) = file.split_once('.').expect("an ending");
        scenes.push(format!("robots/{file}"));
        let row = rows.get(&format!("robots/{file}"));
        let row = row.unwrap_or_else(|| panic!("robot `{file}` is not in docs/scenes-catalogue.md"));
        assert!(
            row.contains(&format!("src=\"pictures/scenes/{name}.svg\"")),
            "robot `{name}` has no picture"
        );
    }
    let gone: Vec<&String> = rows.keys().filter(|name| !scenes.contains(name)).collect();
    assert!(gone.is_empty(), "docs/scenes-catalogue.md lists scenes that are not there: {gone:?}");
}

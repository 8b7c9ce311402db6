//! What pages show is true: commands run, scenes pass `cardan check`, refused scenes are refused with the message shown,
//! printed output has the form shown. `format.rs` has the rest: lengths of lines, paths and links.
//!
//! Fences: a `sh` line that starts with `cardan ` or `cargo run --release -- ` is run, up to its first `|`, in a folder of the
//! page's own. A `toml` block is checked, and saved for later commands if its first line names a file: `# NAME.toml`. A
//! `toml refused` block must be refused with the first line of the `text` block below it. A `text` block straight below a
//! `sh` block shows its output: lines may be left out (`…`), numbers may differ, but a state hash may not.

use crate::pages::format::pages;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A fenced block: the words behind the fence, the lines inside, and where it is.
struct Block {
    info: String,
    lines: Vec<String>,
    place: String,
    /// Only blank lines between it and the block above.
    follows: bool,
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut open, mut follows) = (false, false);
    for (i, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if open => (open, follows) = (false, true),
            Some(info) => {
                let place = format!("{page}:{}", i + 1);
                blocks.push(Block { info: info.trim().to_string(), lines: Vec::new(), place, follows });
                open = true;
            }
            None if open => {
                blocks.last_mut().expect("an open block").lines.push(line.to_string());
            }
            None => follows &= line.trim().is_empty(),
        }
    }
    assert!(!open, "{page}: a fence is not closed");
    blocks
}

/// Words as a shell splits them: quotes group, and nothing else is special.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {line}");
    words.extend(word);
    words
}

/// The arguments of a command line that runs the program, without what it is piped into.
fn arguments(line: &str) -> Option<Vec<String>> {
    let rest = ["cardan ", "cargo run --release -- "].iter().find_map(|start| line.strip_prefix(start))?;
    Some(words(rest.split(" | ").next().unwrap_or(rest)))
}

fn cardan(folder: &Path, args: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardan"));
    command.args(args).current_dir(folder).output().expect("the program starts")
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("cardan-readme-{}-{}", std::process::id(), name.replace(['/', '.'], "-"));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Saves a scene under the name in its first line, or under a common one.
    fn save(&self, block: &Block) -> String {
        let named = block.lines.first().and_then(|line| line.strip_prefix("# "));
        let name =
            named.filter(|name| name.ends_with(".toml") && !name.contains(' ')).unwrap_or("scene.toml");
        std::fs::write(self.0.join(name), block.lines.join("\n")).expect("a scene is written");
        name.to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The hash that a line of output shows, if it is that line.
fn state_hash(line: &str) -> Option<&str> {
    line.trim().strip_prefix("state hash: ")
}

/// A line of output with numbers and spacing taken out of it.
fn form(line: &str) -> String {
    let is_number = |word: &str| {
        let plain = word.trim_matches(|c: char| "(),:;".contains(c));
        plain.parse::<f64>().is_ok() || (plain.len() == 16 && u64::from_str_radix(plain, 16).is_ok())
    };
    let word = |word: &str| if is_number(word) { "#".to_string() } else { word.to_string() };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_command_runs_and_every_scene_is_what_the_page_says() {
    let (mut commands, mut scenes, mut refused, mut shown, mut hashes) = (0, 0, 0, 0, 0);
    for (page, content) in pages() {
        let folder = Folder::new(&page);
        let mut printed = String::new();
        let mut complaint = None;
        for block in blocks(&page, &content) {
            let place = &block.place;
            match block.info.as_str() {
                "sh" => {
                    printed.clear();
                    for args in block.lines.iter().filter_map(|line| arguments(line)) {
                        let out = cardan(&folder.0, &args);
                        assert!(out.status.success(), "{place}: {args:?}:\n{}", text(&out.stderr));
                        printed.push_str(&text(&out.stdout));
                        commands += 1;
                    }
                }
                "toml" => {
                    let name = folder.save(&block);
                    let out = cardan(&folder.0, &["check".into(), name]);
                    assert!(out.status.success(), "{place}: check:\n{}", text(&out.stderr));
                    scenes += 1;
                }
                "toml refused" => {
                    let name = folder.save(&block);
                    let out = cardan(&folder.0, &["check".into(), name]);
                    assert_eq!(out.status.code(), Some(2), "{place}: it should be refused");
                    complaint = Some(text(&out.stderr));
                    refused += 1;
                    continue;
                }
                "text" if block.follows => {
                    if let Some(complaint) = complaint.take() {
                        let first = block.lines.first().expect("a message");
                        assert!(complaint.contains(first), "{place}: not this, but\n{complaint}");
                    } else if !printed.is_empty() {
                        let lines: Vec<String> = printed.lines().map(form).collect();
                        for line in block.lines.iter().filter(|line| line.trim() != "…") {
                            assert!(
                                lines.contains(&form(line)),
                                "{place}: `{line}` is not in the output:\n{printed}"
                            );
                        }
                        for hash in block.lines.iter().filter_map(|line| state_hash(line)) {
                            let found: Vec<&str> = printed.lines().filter_map(state_hash).collect();
                            assert!(found.contains(&hash), "{place}: state hash {hash}, printed: {found:?}");
                            hashes += 1;
                        }
                        shown += 1;
                    }
                }
                _ => {}
            }
            assert!(complaint.is_none(), "{place}: the message of the refused scene above is missing");
        }
    }
    // Extraction itself must not fail in silence.
    assert!(
        commands >= 12 && scenes >= 2 && refused >= 2 && shown >= 2 && hashes >= 1,
        "{commands} {scenes} {refused} {shown} {hashes}"
    );
}

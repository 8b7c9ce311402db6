//! Words of earlier versions that are still read: `[blows.NAME]` for `[impulses.NAME]`, `integrator = "long"` for
//! `"rattle"`.
//!
//! Old words are translated once, in the tree of the document, so that nothing after this module knows them: types, checks,
//! schema and writer have the new words only. A renamed field keeps the span of the word in the file, so that a mistake is
//! shown where it was written. What was translated is recorded as [`OldWord`]s, for warnings.

use super::{Document, FieldPath, Node, PathSegment, ReadError, Span, Table, Value};
use crate::error::ErrorKind;

/// Where an alias is valid, and what it stands for.
struct Alias {
    /// Path of the table (for a field) or of the field itself (for a value). `*` is any name. Elements of arrays count as
    /// the array.
    path: &'static [&'static str],
    is_field: bool,
    old: &'static str,
    new: &'static str,
}

const fn field(path: &'static [&'static str], old: &'static str, new: &'static str) -> Alias {
    Alias { path, is_field: true, old, new }
}

const fn value(path: &'static [&'static str], old: &'static str, new: &'static str) -> Alias {
    Alias { path, is_field: false, old, new }
}

/// Every word that changed. docs/scenes.md lists them under "Old words".
const ALIASES: &[Alias] = &[
    field(&[], "blows", "impulses"),
    field(&["simulation"], "rest_speed", "restitution_threshold"),
    field(&["joints", "*"], "close_in", "assembly_time"),
    field(&["joints", "*"], "skids", "lateral_slip"),
    field(&["joints", "*"], "touch", "feature"),
    field(&["joints", "*", "friction"], "creep", "regularization_speed"),
    value(&["simulation", "integrator"], "long", "rattle"),
    value(&["simulation", "integrator"], "stepping", "time-stepping"),
];

/// A word of an earlier version that a scene uses, and the word that replaced it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldWord {
    /// The word in the scene.
    pub old: &'static str,
    /// The word of this version.
    pub new: &'static str,
    /// The file, or `--set` for an override.
    pub file: String,
    /// The line in the file, counted from 1.
    pub line: usize,
}

impl Document {
    /// The words of earlier versions, in the order of the file and then of the overrides. They are read as the words that
    /// replaced them.
    pub fn old_words(&self) -> Vec<OldWord> {
        let word = |&(span, old, new): &(Span, &'static str, &'static str)| {
            let (file, text) = self.origin(span.origin);
            let before = &text.as_bytes()[..span.range().start.min(text.len())];
            let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
            OldWord { old, new, file: file.to_string(), line }
        };
        let mut words = self.translated.clone();
        words.sort_by_key(|(span, ..)| (span.origin, span.start));
        words.iter().map(word).collect()
    }

    /// Replaces the old words of the tree and records them. Both words in one table are an error.
    pub(super) fn translate(&mut self) -> Result<(), (Box<ReadError>, u32)> {
        for alias in ALIASES {
            translate(&mut self.root, alias.path, alias, &mut self.translated)?;
        }
        Ok(())
    }

    /// A path of an override with the new words. `range` is where the path was written, in the override `origin`.
    pub(super) fn translate_path(&mut self, path: FieldPath, span: Span) -> FieldPath {
        let mut translated = FieldPath::default();
        // The path without indices of arrays.
        let mut names: Vec<String> = Vec::new();
        for segment in path.segments() {
            let key = segment.to_key();
            let found = ALIASES
                .iter()
                .find(|alias| alias.is_field && alias.old == key && matches(alias.path, &names));
            let segment = match found {
                Some(alias) => {
                    self.translated.push((span, alias.old, alias.new));
                    PathSegment::from(alias.new)
                }
                None => segment.clone(),
            };
            // An index names an element only inside of an array; a field called `0` is no part of any alias.
            if key.parse::<usize>().is_err() {
                names.push(segment.to_key().into_owned());
            }
            translated.push(segment);
        }
        translated
    }
}

fn matches(pattern: &[&str], names: &[String]) -> bool {
    pattern.len() == names.len() && pattern.iter().zip(names).all(|(p, name)| *p == "*" || p == name)
}

/// Follows `rest` of the alias's path from `node` and replaces the old word where it ends.
fn translate(
    node: &mut Node,
    rest: &[&str],
    alias: &Alias,
    translated: &mut Vec<(Span, &'static str, &'static str)>,
) -> Result<(), (Box<ReadError>, u32)> {
    if let Value::Array(items) = &mut node.value {
        return items.iter_mut().try_for_each(|item| translate(item, rest, alias, translated));
    }
    match (&mut node.value, rest) {
        (Value::Table(table), []) if alias.is_field => rename(table, alias, translated),
        (Value::Text(text), []) if !alias.is_field && **text == *alias.old => {
            *text = alias.new.into();
            translated.push((node.span, alias.old, alias.new));
            Ok(())
        }
        (Value::Table(table), ["*", rest @ ..]) => {
            (0..table.entries().len()).try_for_each(|i| translate(table.node_mut(i), rest, alias, translated))
        }
        (Value::Table(table), [name, rest @ ..]) => match table.position(name) {
            Some(i) => translate(table.node_mut(i), rest, alias, translated),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn rename(
    table: &mut Table,
    alias: &Alias,
    translated: &mut Vec<(Span, &'static str, &'static str)>,
) -> Result<(), (Box<ReadError>, u32)> {
    let Some(old) = table.entry(alias.old).map(|entry| entry.key_span) else { return Ok(()) };
    if let Some(new) = table.entry(alias.new).map(|entry| entry.key_span) {
        return Err(both(alias, old, new));
    }
    table.rename(alias.old, alias.new);
    translated.push((old, alias.old, alias.new));
    Ok(())
}

/// A field under its old and its new name: the second of the two is the mistake.
fn both(alias: &Alias, old: Span, new: Span) -> (Box<ReadError>, u32) {
    let (first, second) = if old.start < new.start { (old, new) } else { (new, old) };
    let message = format!(
        "`{}` and `{}` are given, which are the old and the new word of one field",
        alias.old, alias.new
    );
    let mut error = ReadError::syntax(second.range(), message);
    error.kind = ErrorKind::Duplicate;
    error.earlier = Some(first.range());
    (error.help(format!("write `{}` only", alias.new)), second.origin)
}

#[cfg(test)]
mod tests {
    use super::ALIASES;

    #[test]
    fn the_page_on_scenes_lists_every_old_word() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scenes.md");
        let page = std::fs::read_to_string(page).expect("the page on scenes");
        let (_, table) = page.split_once("| old word | new word |").expect("the table of old words");
        for alias in ALIASES {
            let lists = |row: &&str| {
                let (old, new) = row.trim_matches('|').split_once('|').unwrap_or_default();
                old.contains(alias.old) && new.contains(alias.new)
            };
            assert!(table.lines().any(|row| lists(&row)), "`{}` is not in docs/scenes.md", alias.old);
        }
    }
}

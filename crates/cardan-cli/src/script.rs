//! The script of a scene as text.

use crate::report::format_number;
use cardan_scene::{PartName, ScriptEntry};
use std::fmt::Write as _;

/// One entry in words, in the order in which it is done.
pub(crate) fn describe(entry: &ScriptEntry) -> String {
    let mut all = Vec::new();
    for (what, names) in [("disable", &entry.disable), ("enable", &entry.enable)] {
        if !names.is_empty() {
            all.push(format!("{what} {}", names.iter().map(name).collect::<Vec<_>>().join(", ")));
        }
    }
    if let Some(gravity) = entry.gravity {
        all.push(format!("gravity {} m/s²", gravity.map(format_number).join(", ")));
    }
    all.join("; ")
}

fn name(part: &PartName) -> String {
    let (table, word) = match part {
        PartName::Body(word) => ("body", word),
        PartName::Joint(word) => ("joint", word),
        PartName::Force(word) => ("force", word),
        PartName::Inequality(word) => ("inequality", word),
    };
    format!("{table} `{word}`")
}

/// All entries, a line each; those after `time`, the end of the run, are marked.
pub(crate) fn lines(script: &[ScriptEntry], time: f64) -> String {
    let mut text = String::new();
    if !script.is_empty() {
        text.push_str("\nscript\n");
    }
    for entry in script {
        let is_done = entry.is_due(time);
        let rest = if is_done { "" } else { " (not yet)" };
        let _ = writeln!(text, "  t = {} s: {}{rest}", format_number(entry.at), describe(entry));
    }
    text
}

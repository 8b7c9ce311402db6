//! What a scene's script does, in words.

use crate::report::short;
use cardan_scene::{PartName, ScriptAct};
use std::fmt::Write as _;

/// One entry in words, in the order in which it is done.
pub(crate) fn said(act: &ScriptAct) -> String {
    let mut all = Vec::new();
    for (what, names) in [("disable", &act.disable), ("enable", &act.enable)] {
        if !names.is_empty() {
            all.push(format!("{what} {}", names.iter().map(name).collect::<Vec<_>>().join(", ")));
        }
    }
    if let Some(gravity) = act.gravity {
        all.push(format!("gravity {} m/s²", gravity.map(short).join(", ")));
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

/// All entries, a line each; of those that a run which ended at `time` did not come to, that they are still to come.
pub(crate) fn lines(script: &[ScriptAct], time: f64) -> String {
    let mut text = String::new();
    if !script.is_empty() {
        text.push_str("\nscript\n");
    }
    for act in script {
        // As the run has it: steps end at these times, up to rounding.
        let is_done = act.at <= time + 1e-12 * (1.0 + time);
        let rest = if is_done { "" } else { " (not yet)" };
        let _ = writeln!(text, "  t = {} s: {}{rest}", short(act.at), said(act));
    }
    text
}

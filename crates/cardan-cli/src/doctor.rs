//! What the diagnosis of a scene says, in JSON and in words.

use crate::report::short;
use cardan::Diagnosis;
use cardan::measure::{Group, Remedy, Replacement};
use serde::Serialize;
use std::fmt::Write;

/// Joints that depend on each other, repeat each other or exclude each other.
#[derive(Default, Serialize)]
pub(crate) struct Findings {
    groups: Vec<GroupJson>,
    duplicates: Vec<DuplicateJson>,
    conflict: Vec<MisfitJson>,
}

#[derive(Serialize)]
struct GroupJson {
    joints: Vec<String>,
    redundant_rows: usize,
    consistent: bool,
    locked_rows: usize,
    misalignment: f64,
    misaligned: Vec<String>,
    geometry_tolerance: f64,
    remedies: Vec<RemedyJson>,
}

#[derive(Serialize)]
struct RemedyJson {
    steps: Vec<StepJson>,
    redundant_rows_left: usize,
}

#[derive(Serialize)]
struct StepJson {
    any_of: Vec<String>,
    kind: Option<&'static str>,
    removes: usize,
}

#[derive(Serialize)]
struct DuplicateJson {
    joint: String,
    of: String,
    mutual: bool,
}

#[derive(Serialize)]
struct MisfitJson {
    joint: String,
    gap: f64,
}

impl Findings {
    pub(crate) fn new(diagnosis: &Diagnosis) -> Self {
        let step = |step: &Replacement| StepJson {
            any_of: step.any_of.clone(),
            kind: step.kind.map(|kind| kind.name()),
            removes: step.removes,
        };
        let remedy = |remedy: &Remedy| RemedyJson {
            steps: remedy.steps.iter().map(step).collect(),
            redundant_rows_left: remedy.left,
        };
        let group = |group: &Group| GroupJson {
            joints: group.joints.clone(),
            redundant_rows: group.redundant_rows,
            consistent: group.consistent,
            locked_rows: group.locked_rows,
            misalignment: group.misalignment,
            misaligned: group.misaligned.clone(),
            geometry_tolerance: group.tolerance,
            remedies: group.remedies.iter().map(remedy).collect(),
        };
        let duplicates = diagnosis.duplicates.iter().map(|d| DuplicateJson {
            joint: d.joint.clone(),
            of: d.of.clone(),
            mutual: d.mutual,
        });
        let conflict = diagnosis.conflict.iter().map(|m| MisfitJson { joint: m.joint.clone(), gap: m.gap });
        Findings {
            groups: diagnosis.groups.iter().map(group).collect(),
            duplicates: duplicates.collect(),
            conflict: conflict.collect(),
        }
    }

    /// The same for people, after an empty line; nothing if there is nothing to say.
    pub(crate) fn write(&self, text: &mut String) {
        if !(self.groups.is_empty() && self.conflict.is_empty()) {
            text.push('\n');
        }
        for group in &self.groups {
            group.write(text);
        }
        for d in &self.duplicates {
            let how = if d.mutual { "is a duplicate of" } else { "adds nothing to" };
            let _ = writeln!(text, "duplicate: `{}` {how} `{}`", d.joint, d.of);
        }
        if !self.conflict.is_empty() {
            let names = list(self.conflict.iter().map(|m| &m.joint));
            let worst = self.conflict.iter().fold(0.0, |w: f64, m| w.max(m.gap));
            let _ = writeln!(
                text,
                "conflict: {names} cannot all be closed: at best they stay open by up to {} (m or rad)",
                short(worst)
            );
        }
    }
}

impl GroupJson {
    fn write(&self, text: &mut String) {
        let names = list(self.joints.iter());
        if self.redundant_rows > 0 {
            let n = self.redundant_rows;
            let rows = if n == 1 { "1 redundant row".to_string() } else { format!("{n} redundant rows") };
            let agree = if self.consistent { "consistent" } else { "conflicting" };
            let _ = writeln!(text, "group: {names}: {rows}, {agree}");
        }
        if self.locked_rows > 0 {
            let n = self.locked_rows;
            let freedoms = if n == 1 { "1 freedom is".to_string() } else { format!("{n} freedoms are") };
            let off = match self.misaligned.as_slice() {
                [] => String::new(),
                [one] => format!(": the axis of `{one}` is off"),
                many => format!(": the axes of {} are off", list(many.iter())),
            };
            let _ = writeln!(
                text,
                "locked: {freedoms} locked by a misalignment of about {} rad in {names}{off}",
                about(self.misalignment)
            );
            let tolerance = self.geometry_tolerance;
            let _ = writeln!(
                text,
                "  remedy: with --geometry-tolerance {tolerance:e} (or simulation.geometry_tolerance) it moves, and joints gape by \
                 about the misalignment"
            );
        }
        for (k, remedy) in self.remedies.iter().enumerate() {
            let steps: Vec<String> = remedy.steps.iter().map(StepJson::words).collect();
            let left = match remedy.redundant_rows_left {
                0 => "no row is redundant then".to_string(),
                1 => "1 row stays redundant".to_string(),
                n => format!("{n} rows stay redundant"),
            };
            let head = if k == 0 { "remedy" } else { "    or" };
            let _ = writeln!(text, "  {head}: {}; {left}", steps.join(", then "));
        }
    }
}

impl StepJson {
    fn words(&self) -> String {
        let which = match self.any_of.as_slice() {
            [one] => format!("`{one}`"),
            many => format!("one of {}", list(many.iter())),
        };
        match self.kind {
            Some(kind) => format!("make {which} {kind}"),
            None => format!("leave out {which}"),
        }
    }
}

/// Names with commas and an `and`; of many only the first.
fn list<'n>(names: impl ExactSizeIterator<Item = &'n String>) -> String {
    const SHOWN: usize = 12;
    let count = names.len();
    let mut words: Vec<String> = names.take(SHOWN).map(|name| format!("`{name}`")).collect();
    if count > SHOWN {
        words.push(format!("{} more", count - SHOWN));
    }
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

/// One digit is all that can be said.
fn about(size: f64) -> String {
    format!("{size:.0e}")
}

//! The diagnosis of a scene, as JSON and as text.

use crate::report::format_number;
use cardan::Diagnosis;
use cardan::measure::{OpenJoint, RedundantGroup, Remedy, Replacement};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Joints that are redundant, duplicates, or in conflict.
#[derive(Default, Serialize)]
pub(crate) struct DiagnosisJson {
    groups: Vec<GroupJson>,
    duplicates: Vec<DuplicateJson>,
    conflict: Vec<MisfitJson>,
    special: Vec<SingularPoseJson>,
    #[serde(skip)]
    is_least: bool,
    #[serde(skip)]
    compared: bool,
}

#[derive(Serialize)]
struct SingularPoseJson {
    joints: Vec<String>,
    freedoms: usize,
    distance: f64,
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
    advised: bool,
    remedies: Vec<RemedyJson>,
}

#[derive(Serialize)]
struct RemedyJson {
    steps: Vec<ReplacementJson>,
    redundant_rows_left: usize,
}

#[derive(Serialize)]
struct ReplacementJson {
    any_of: Vec<String>,
    kind: Option<&'static str>,
    /// For each of `any_of`, the fields of the file that place it.
    fields: Vec<Map<String, Value>>,
    #[serde(skip)]
    states_axis: bool,
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
    length: Option<f64>,
    length_that_would_do: Option<f64>,
}

impl DiagnosisJson {
    pub(crate) fn new(diagnosis: &Diagnosis) -> Self {
        let step = |step: &Replacement| ReplacementJson {
            any_of: step.any_of.clone(),
            kind: step.kind.map(|kind| kind.name()),
            fields: step
                .fields
                .iter()
                .map(|fields| fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
                .collect(),
            states_axis: step.states_axis,
            removes: step.removes,
        };
        let remedy = |remedy: &Remedy| RemedyJson {
            steps: remedy.steps.iter().map(step).collect(),
            redundant_rows_left: remedy.left,
        };
        let group = |group: &RedundantGroup| GroupJson {
            joints: group.joints.clone(),
            redundant_rows: group.redundant_rows,
            consistent: group.consistent,
            locked_rows: group.locked_rows,
            misalignment: group.misalignment,
            misaligned: group.misaligned.clone(),
            geometry_tolerance: group.tolerance,
            advised: group.advised,
            remedies: group.remedies.iter().map(remedy).collect(),
        };
        let duplicates = diagnosis.duplicates.iter().map(|d| DuplicateJson {
            joint: d.joint.clone(),
            of: d.of.clone(),
            mutual: d.mutual,
        });
        let misfit = |m: &OpenJoint| MisfitJson {
            joint: m.joint.clone(),
            gap: m.gap,
            length: m.length.map(|(has, _)| has),
            length_that_would_do: m.length.map(|(_, does)| does),
        };
        let special = diagnosis.singular_poses.iter().map(|s| SingularPoseJson {
            joints: s.joints.clone(),
            freedoms: s.freedoms,
            distance: s.distance,
        });
        DiagnosisJson {
            special: special.collect(),
            is_least: diagnosis.is_least,
            compared: diagnosis.compared,
            groups: diagnosis.groups.iter().map(group).collect(),
            duplicates: duplicates.collect(),
            conflict: diagnosis.conflict.iter().map(misfit).collect(),
        }
    }

    /// The diagnosis as text, after an empty line; nothing if there are no findings.
    pub(crate) fn write(&self, text: &mut String) {
        if !(self.groups.is_empty() && self.conflict.is_empty() && self.special.is_empty()) {
            text.push('\n');
        }
        for group in &self.groups {
            group.write(text);
        }
        for d in &self.duplicates {
            let how = if d.mutual { "is a duplicate of" } else { "adds nothing to" };
            let _ = writeln!(text, "duplicate: `{}` {how} `{}`", d.joint, d.of);
        }
        for special in &self.special {
            special.write(text);
        }
        if !(self.groups.is_empty() || self.compared || !self.conflict.is_empty()) {
            let _ = writeln!(
                text,
                "with more than 300 coordinates no pose nearby was compared: redundancy may hold for this pose only"
            );
        }
        self.write_conflict(text);
    }

    fn write_conflict(&self, text: &mut String) {
        if self.conflict.is_empty() {
            return;
        }
        let names = list(self.conflict.iter().map(|m| &m.joint));
        let worst = format_number(self.conflict.iter().fold(0.0, |w: f64, m| w.max(m.gap)));
        let _ = match (self.is_least, self.conflict.len()) {
            (false, _) => writeln!(
                text,
                "conflict: {names} could not be closed, and are open by up to {worst} (m or rad) as they stand; with so many \
                 coordinates the pose with the least gap was not searched for"
            ),
            (true, 1) => writeln!(
                text,
                "conflict: {names} cannot be closed: at best it stays open by {worst} (m or rad)"
            ),
            (true, _) => writeln!(
                text,
                "conflict: {names} cannot all be closed: at best they stay open by up to {worst} (m or rad)"
            ),
        };
        let mut head = "remedy";
        for misfit in &self.conflict {
            if let (Some(has), Some(does)) = (misfit.length, misfit.length_that_would_do) {
                let (joint, has, does) = (&misfit.joint, format_number(has), format_number(does));
                let _ = writeln!(text, "  {head}: `{joint}` of length {does} m would fit (it has {has} m)");
                head = "    or";
            }
        }
    }
}

impl SingularPoseJson {
    fn write(&self, text: &mut String) {
        let (names, n) = (list(self.joints.iter()), self.freedoms);
        let freedoms = if n == 1 { "1 freedom".to_string() } else { format!("{n} freedoms") };
        let _ = if self.distance == 0.0 {
            writeln!(
                text,
                "singular configuration: {names} have {freedoms} here that they lose after a small motion; their \
                 redundancy holds for this pose only"
            )
        } else {
            let by = one_digit(self.distance);
            writeln!(
                text,
                "near a singular configuration: {by} (rad, or m per m) away {names} have {freedoms} more; after a small \
                 motion nothing is locked"
            )
        };
    }
}

/// The freedoms that a misalignment locks, as text.
pub(crate) fn locked(rows: usize, misalignment: f64, joints: &[String]) -> String {
    let freedoms = if rows == 1 { "1 freedom is".to_string() } else { format!("{rows} freedoms are") };
    format!(
        "{freedoms} locked by a misalignment of about {} rad in {}",
        one_digit(misalignment),
        list(joints.iter())
    )
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
            let off = match self.misaligned.as_slice() {
                [] => String::new(),
                [one] => format!(": the axis of `{one}` is off"),
                many => format!(": the axes of {} are off", list(many.iter())),
            };
            let _ =
                writeln!(text, "locked: {}{off}", locked(self.locked_rows, self.misalignment, &self.joints));
            let tolerance = self.geometry_tolerance;
            let _ = writeln!(
                text,
                "  remedy: with --geometry-tolerance {tolerance:e} (or simulation.geometry_tolerance) it moves, and joints open by \
                 about the misalignment"
            );
        }
        if !self.advised {
            let _ = writeln!(
                text,
                "  no remedy was searched for: too many rows are redundant in one group (at most 60 are tried)"
            );
        } else if self.remedies.is_empty() && self.consistent {
            let _ = writeln!(
                text,
                "  no remedy was found: each other kind of joint tried would change the motion"
            );
        }
        for (k, remedy) in self.remedies.iter().enumerate() {
            let steps: Vec<String> = remedy.steps.iter().map(ReplacementJson::words).collect();
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

impl ReplacementJson {
    fn words(&self) -> String {
        let which = match self.any_of.as_slice() {
            [one] => format!("`{one}`"),
            many => format!("one of {}", list(many.iter())),
        };
        // Each joint has its own axis; the file has one where the kind before had one.
        let axis = match self.fields.as_slice() {
            [fields] if self.states_axis => axes(fields),
            many if self.states_axis => {
                let each = self.any_of.iter().zip(many);
                let each: Vec<String> =
                    each.map(|(joint, fields)| format!("`{joint}`{}", axes(fields))).collect();
                format!(" ({})", each.join("; "))
            }
            _ => String::new(),
        };
        match self.kind {
            Some(kind) => format!("make {which} {kind}{axis}"),
            None => format!("leave out {which}"),
        }
    }
}

/// ` with axis = [0, 0, 1]`, as a file would have it.
fn axes(fields: &Map<String, Value>) -> String {
    let axis = |(name, value): (&String, &Value)| {
        let numbers = value.as_array()?.iter().map(|x| x.as_f64().map(|x| x.to_string()));
        let numbers: Option<Vec<String>> = numbers.collect();
        Some(format!("{name} = [{}]", numbers?.join(", ")))
    };
    let all: Vec<String> =
        fields.iter().filter(|(name, _)| name.starts_with("axis")).filter_map(axis).collect();
    format!(" with {}", all.join(" and "))
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
fn one_digit(size: f64) -> String {
    format!("{size:.0e}")
}
